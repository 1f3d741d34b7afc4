"""The rules submission: how an operator wants to run a table, as plain data.

A short file with the choices alone is a whole submission. What it leaves out is as the rulebook's
standard table has it; whatever departs from that has to be said. What it does say is checked item
by item.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Annotated, Literal, TypeAlias, get_args

from msgspec import Meta, Struct, convert, inspect

from riverboat.core.errors import NotationError, Problem, Refused
from riverboat.core.money import parse_dollars
from riverboat.round.setup import choices
from riverboat.round.setup.choices import Raw
from riverboat.rulebook.book import PROGRESSIVE, Rulebook
from riverboat.rulebook.loading.conform import Misfit, misfits
from riverboat.rulebook.procedures import FEATURES, Item, Position, Shows
from riverboat.rulebook.values import Count, Name, Natural, Words
from riverboat.rulebook.vocabulary import known_options

ShuffleMethod: TypeAlias = Literal["manual", "automated", "continuous"]
Place: TypeAlias = Literal["", "some_positions", "under_table", "elsewhere"] | Position
"""Every place that a submission can name."""
Posted: TypeAlias = Literal["layout", "sign", "placard", "video_sign", "booklet"]

MOST_DECKS = 100
METER_KEYS = ("meter", "reserve")
_AREA = "_area"
_OF_PROGRESSIVES = (*METER_KEYS, "seed", "rate")
# A felt has several of these; without their labels nothing tells them apart.
_SEVERAL = ("community_area", "designation")
_SAID_ELSEWHERE = {
    "automated_shuffler": "[device] says it with shuffler = true",
    "reshuffling_device": "[device] says it with reshuffles = true",
    "manual_shoe": "[shoe] says it",
}


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of a submission."""


class DeckKind(Part, frozen=True, kw_only=True):
    """How the cards of a deck look."""

    design: Words
    back: Words


class Decks(Part, frozen=True, kw_only=True):
    """How many decks, of how many cards, and how they look."""

    count: Annotated[int, Meta(ge=1, le=MOST_DECKS)] | None = None
    cards: Natural | None = None
    cover_cards: Count | None = None
    each: tuple[DeckKind, ...] = ()


class Device(Part, frozen=True, kw_only=True):
    """The shuffler or dealing device: what it does, and whether the regulator approved it.

    `packets` are the cards of one player's packet, none where the device dispenses none.
    """

    shuffler: bool | None = None
    counts: bool | None = None
    reshuffles: bool | None = None
    approved: bool = False
    packets: Count | None = None
    mode: str = ""
    feeds_shoe: bool = False


class Shoe(Part, frozen=True, kw_only=True):
    """A manual dealing shoe, and whether its place is approved."""

    place: Place = ""
    approved: bool = False


class DrawnFeature(Part, frozen=True, kw_only=True):
    """Something that the felt shows, and where."""

    feature: Name
    label: str = ""
    place: Place = ""


class Furniture(Part, frozen=True, kw_only=True):
    """Something that stands at the table: where, attached and approved or not, why elsewhere."""

    item: Item
    place: Place = ""
    attached: bool | None = None
    approved: bool | None = None
    because: str = ""


class PostedSign(Part, frozen=True, kw_only=True):
    """Something that players can read, and where."""

    shows: Shows
    where: Posted


class Approvals(Part, frozen=True, kw_only=True):
    """What the regulator has approved, beyond single items."""

    layout: bool = True
    manual_dealing: bool = False


class Submission(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that an operator files about a table.

    `without` names features, items and signs of the standard table that this one has not.
    """

    rulebook: Words
    name: str = ""
    table: dict[str, str | int | bool] = {}
    decks: Decks = Decks()
    shuffle: ShuffleMethod | None = None
    device: Device | None = None
    shoe: Shoe | None = None
    layout: tuple[DrawnFeature, ...] | None = None
    equipment: tuple[Furniture, ...] | None = None
    signs: tuple[PostedSign, ...] | None = None
    without: tuple[str, ...] = ()
    approvals: Approvals = Approvals()
    cards: Literal["electronic", "physical"] = "electronic"
    demo: bool = False
    test: bool = False


def choices_of(submission: Submission) -> dict[str, Raw]:
    """The choices within the rulebook; what the meters hold at first is no choice of that kind."""
    return {key: value for key, value in submission.table.items() if key not in METER_KEYS}


def parse_submission(text: str, *, path: str) -> Submission:
    """A submission from a file's text, or everything in it that cannot be read."""
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        text = str(Problem(path, "TOML", str(problem)))
        raise NotationError("submission.unreadable", text) from None
    found = [str(Problem(path, where, said)) for where, said in submission_misfits(data)]
    if found:
        raise NotationError("submission.unreadable", "\n".join(found))
    return convert(data, Submission)


def submission_misfits(
    data: Mapping[str, object], kind: type[Submission] = Submission
) -> Iterator[Misfit]:
    """Every way in which data is no submission."""
    formless = list(misfits(data, inspect.type_info(kind)))
    yield from formless
    table = data.get("table", {})
    for key in METER_KEYS:
        try:
            parse_dollars(str(table.get(key, "0") if isinstance(table, Mapping) else "0"))
        except NotationError as problem:
            yield Misfit(f"table.{key}", str(problem))
    if not formless:
        yield from _contradictions(convert(data, kind))


def unknown_choices(book: Rulebook, table: Mapping[str, object]) -> Iterator[Misfit]:
    """What a table under this rulebook cannot choose: no option, no side bet of any rulebook."""
    side_bets = (offer.bet for offer in book.side_bets)
    known = (*side_bets, PROGRESSIVE, choices.DEALING, *METER_KEYS, *known_options(book))
    for key, value in table.items():
        if key not in known and not choices.is_pay_table(value):
            close = get_close_matches(str(key), known, n=1)
            guess = f"did you mean {close[0]!r}?" if close else "see `riverboat rulebook show`"
            yield Misfit(f"table.{key}", f"there is no such choice; {guess}")


def require_known_areas(submission: Submission, books: Iterable[Rulebook]) -> None:
    """An area of the felt is that of a wager which some rulebook has; any other is a slip."""
    known = sorted({area for book in books for area in book.areas})
    named = [(f"layout.{one.feature}", one.feature) for one in submission.layout or ()]
    named += [("without", name) for name in submission.without]
    unread = [
        f"{where}: {name!r} is no wager's area in any rulebook; there are {', '.join(known)}"
        for where, name in named
        if name.endswith(_AREA) and name not in (*FEATURES, *known)
    ]
    if unread:
        raise NotationError("submission.unreadable", "\n".join(unread))


def _contradictions(submission: Submission) -> Iterator[Misfit]:
    """What no table can be, whatever its rulebook says."""
    decks = submission.decks
    if decks.each and decks.count not in (None, len(decks.each)):
        yield Misfit("decks.each", f"describes {len(decks.each)} decks, and count is {decks.count}")
    items = [entry.item for entry in submission.equipment or ()]
    for item in sorted({item for item in items if items.count(item) > 1}):
        yield Misfit(f"equipment.{item}", "stated twice; once is right")
    for entry in submission.equipment or ():
        if entry.item in _SAID_ELSEWHERE:
            yield Misfit(f"equipment.{entry.item}", f"not here; {_SAID_ELSEWHERE[entry.item]}")
    yield from _unknown_things(submission)
    yield from _drawn_twice(submission)
    if not choices.asks_for_progressive(submission.table):
        for key in (key for key in _OF_PROGRESSIVES if key in submission.table):
            yield Misfit(f"table.{key}", choices.NO_PROGRESSIVE)
    yield from _there_and_not_there(submission)
    if submission.demo and submission.cards == "physical":
        yield Misfit("demo", "an automatic dealer cannot handle physical cards")
    if submission.demo and submission.test:
        yield Misfit("test", "a table is for a demonstration or for a test, not for both")


def _unknown_things(submission: Submission) -> Iterator[Misfit]:
    """What no felt shows and no table has, whatever its wagers are called."""
    for drawn in submission.layout or ():
        if drawn.feature not in FEATURES and not drawn.feature.endswith(_AREA):
            right = f"{', '.join(FEATURES)}, or a wager's name with {_AREA}"
            yield Misfit(f"layout.{drawn.feature}", f"is nothing that a felt shows; {right}")
    known = (*FEATURES, *get_args(Item), *get_args(Shows))
    for name in submission.without:
        if name not in known and not name.endswith(_AREA):
            close = get_close_matches(name, known, n=1)
            guess = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(known)}"
            yield Misfit("without", f"{name!r} is nothing that a table has; {guess}")


def _drawn_twice(submission: Submission) -> Iterator[Misfit]:
    """The same feature of the felt stated again: it cannot be at two places."""
    drawn = [(one.feature, one.label.casefold()) for one in submission.layout or ()]
    for feature, label in sorted({one for one in drawn if drawn.count(one) > 1}):
        if label or feature not in _SEVERAL:
            called = f" {label!r}" if label else ""
            yield Misfit(f"layout.{feature}", f"stated twice{called}; once is right")


def _there_and_not_there(submission: Submission) -> Iterator[Misfit]:
    """What is stated as a part of the table and named in `without` too."""
    device = submission.device or Device()
    stated: dict[str, str] = {one.feature: "[[layout]]" for one in submission.layout or ()}
    stated |= {one.item: "[[equipment]]" for one in submission.equipment or ()}
    stated |= {one.shows: "[[signs]]" for one in submission.signs or ()}
    stated |= {"manual_shoe": "[shoe]"} if submission.shoe is not None else {}
    stated |= {"automated_shuffler": "[device]"} if device.shuffler else {}
    stated |= {"reshuffling_device": "[device]"} if device.reshuffles else {}
    for name in dict.fromkeys(submission.without):
        if name in stated:
            yield Misfit("without", f"{name} is stated in {stated[name]} too; one of both is right")


_SPOKEN: dict[str, str] = {
    "each_position": "in front of each betting position",
    "some_positions": "in front of some betting positions only",
    "in_front_of_tray": "directly in front of the tray",
    "on_table": "on the table",
    "under_table": "under the table",
    "dealers_side": "on top of the dealer's side",
    "dealers_left": "on the dealer's left",
    "dealers_right": "on the dealer's right",
    "players_side": "on the players' side",
    "game_manager": "connected to the Game Manager",
    "elsewhere": "elsewhere",
}
_PARTS: dict[str, tuple[str, ...]] = {
    "dealers_side": ("dealers_left", "dealers_right"),
    "on_table": ("dealers_side", "dealers_left", "dealers_right"),
}


def is_right(place: Place, where: tuple[Position, ...]) -> bool:
    """Whether a place is one of those that a rule names, or lies within one; none is any."""
    return not where or any(place == right or place in _PARTS.get(right, ()) for right in where)


def spoken(place: Place) -> str:
    """A place as it follows `is`; one that nobody stated is nowhere."""
    return _SPOKEN.get(place, "nowhere that is stated")


def spoken_right(where: tuple[Position, ...]) -> str:
    """The places that are right, as they follow `belongs`."""
    return " or ".join(_SPOKEN[place] for place in where)


class Notice(Struct, frozen=True):
    """Something that is allowed and that a document advises against."""

    text: str
    cites: tuple[str, ...]


def about_configuration(book: Rulebook, cites: tuple[str, ...]) -> tuple[str, ...]:
    """Those that speak of how a table is configured, where a rule carries out others besides."""
    here = {name for name, clause in book.clauses.items() if clause.by == "config_validation"}
    return tuple(cite for cite in cites if cite in here) or cites


def refused_here(book: Rulebook, code: str, text: str, cites: tuple[str, ...]) -> Refused:
    """A refusal that names what speaks of how a table is configured."""
    return Refused(code, text, cites=about_configuration(book, cites))
