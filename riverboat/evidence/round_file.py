"""A finished round as one JSON document: its format, how cards stand in it, and its text.

Everything in it can be read by a person; cards are texts. A card that the reader may not see is
null, and so is the order of a deck that waits for a later round. The text is written for people and
read with every misfit named; its last line is a hash over all others.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, Literal, NamedTuple, NoReturn, TypeAlias

from msgspec import MsgspecError, Struct, convert, to_builtins
from msgspec.json import Decoder, encode

from riverboat.core.cards import DECK, Card, parse_card, show_card
from riverboat.core.errors import NotationError
from riverboat.core.fairness import LARGEST_NUMBER
from riverboat.table.actions import AnyAction
from riverboat.table.configuration.submission import Submission
from riverboat.table.day import Stage
from riverboat.table.events import AnyEvent
from riverboat.table.people import Actor

Raw: TypeAlias = dict[str, Any]
Shown: TypeAlias = dict[str, tuple[str | None, ...]]

FORMAT: Final = "riverboat round"
CLOSED_SALT: Final = "0" * 64
_CARDS_IN: Final = {
    "deal": "places",
    "report_card": "card",
    "correct_card": "card",
    "cards_dealt": "deliveries",
    "card_reported": "card",
    "card_amended": "card",
    "card_corrected": "card",
}
_FORMS: Final[dict[str, Any]] = {
    "card": str | None,
    "places": dict[str, tuple[str | None, ...]],
    "deliveries": tuple[tuple[str, tuple[str | None, ...]], ...],
}
CARD_FIELDS: Final = ("order", "salts", "word", "card", "places", "deliveries")
_WIDTH: Final = 100
_SHORT: Final = 6
_SEALS: Final = ("seal_deck", "force_deck", "deck_sealed")


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A part of the document; every key has to be there."""


class RulebookNamed(Part, frozen=True, kw_only=True):
    """The rulebook that was played by."""

    id: str
    revision: int
    sha256: str


class Filed(Part, frozen=True, kw_only=True):
    """The configuration: its hash, and the submission that it is the hash of."""

    sha256: str
    submission: Submission


class MeterStands(Part, frozen=True, kw_only=True):
    """A meter, in units of a ten thousandth of a cent."""

    units: int
    reserve_units: int


class DeckBefore(Part, frozen=True, kw_only=True):
    """A deck at the table as the round began; `commitment` is 0 where there is none."""

    name: str
    back: str
    design: str
    stage: Stage
    method: str
    first_used_at: int | None
    is_cut: bool
    commitment: int
    depths: tuple[int, ...]


class ProposalBefore(Part, frozen=True, kw_only=True):
    """A change of the configuration that waits."""

    number: int
    by: str
    approved_by: str
    sha256: str
    submission: Submission


class Before(Part, frozen=True, kw_only=True):
    """How the table stood as the round began, as far as the round depends on it."""

    date: str
    dealer: str
    seated: dict[str, str]
    programs: tuple[int, ...]
    decks: tuple[DeckBefore, ...]
    last_deck: str
    rounds_since_count: int
    device: Literal["working", "failed", "marked"]
    method: tuple[str, str] | None
    configurations: int
    proposals: tuple[ProposalBefore, ...]


class CommittedDeck(Part, frozen=True, kw_only=True):
    """The commitment of the round. Positions that were not opened to the reader are null; the
    house's word is opened to everybody."""

    number: int
    entry: int
    forced: bool
    root: str
    house: str
    word: str
    leaves: tuple[str, ...]
    order: tuple[str | None, ...]
    salts: tuple[str | None, ...]


class CutMade(Part, frozen=True, kw_only=True):
    """One cut of the round's deck: a dealer's before the bets, or, `fixed`, the one after them."""

    entry: int
    depth: int
    by: str
    fixed: bool
    forced: bool
    house: str
    words: dict[str, str]
    withheld: tuple[int, ...]
    seconds: int
    lowest: int
    deepest: int


class Made(Part, frozen=True, kw_only=True):
    """A commitment of this table, and what became of it until this round was over; `waited` where
    it was there when the round before ended."""

    number: int
    waited: bool
    deck: str
    root: str
    entry: int
    fate: Literal["played", "abandoned", "waiting"]
    reason: str


class Commitments(Part, frozen=True, kw_only=True):
    """The numbers that were given since the round before; `each` also has those that waited."""

    first: int
    last: int
    each: tuple[Made, ...]


class View(Part, frozen=True, kw_only=True):
    """The seat that this document was made for, and what it was shown of every place."""

    seat: int
    shown: Shown


class Line(Part, frozen=True, kw_only=True):
    """An entry of the table's record."""

    number: int
    at: int
    by: Actor
    action: Raw
    events: tuple[Raw, ...]
    test: bool


class SeatResult(Part, frozen=True, kw_only=True):
    """What a seat won or lost, together and by spot."""

    player: str
    net_cents: int
    spots_cents: dict[str, int]


class Results(Part, frozen=True, kw_only=True):
    """What the round came to, later corrections included."""

    seats: dict[str, SeatResult]
    tray_cents: int
    cage_cents: int
    tip_box_cents: int
    meter_after: MeterStands


class RoundFile(Part, frozen=True, kw_only=True):
    """The whole document, without the hash of it."""

    format: Literal["riverboat round"]
    version: Literal[1]
    riverboat: str
    table: str
    test: bool
    round: int
    cards: Literal["electronic", "physical"]
    fairness: Literal["committed", "uncommitted"]
    view: View | None
    rulebook: RulebookNamed
    configuration: Filed
    meter_before: MeterStands
    before: Before
    deck: str
    commitment: CommittedDeck | None
    cuts: tuple[CutMade, ...]
    left_out: tuple[str, ...]
    commitments: Commitments
    entries: tuple[Line, ...]
    results: Results


# ---------------------------------------------------------------- cards in actions and events


class Sight(NamedTuple):
    """Which cards a reader may see, by place and number in it; None is all of them.

    While physical cards come out one by one, `deliveries` says where each goes, and `reported` how
    many are out.
    """

    slots: frozenset[tuple[str, int]] | None
    deliveries: tuple[str, ...] = ()
    reported: int = 0

    def sees(self, place: object, index: int) -> bool:
        """Whether a card of a place is shown."""
        return self.slots is None or (place, index) in self.slots

    def sees_delivery(self, number: int) -> bool:
        """Whether a card that leaves the shoe as this one is shown by the end."""
        if self.slots is None or not 0 <= number < len(self.deliveries):
            return self.slots is None
        place = self.deliveries[number]
        return self.sees(place, self.deliveries[:number].count(place))


EVERYTHING: Final = Sight(None)
NOTHING: Final = Sight(frozenset())


def tells_cards(raw: Raw) -> bool:
    """Whether an action or event tells the order of a deck, the deal or a card of it."""
    return _tag(raw) in _CARDS_IN or _tag(raw) in _SEALS


def _tag(raw: Mapping[str, Any]) -> object:
    return raw.get("do", raw.get("kind"))


def worded(raw: Raw, sight: Sight) -> Raw:
    """An action or event with its cards as texts, and with nothing that was not shown."""
    match _tag(raw):
        case tag if tag in _SEALS:
            return {**raw, "order": None, "salts": None, "word": None}
        case "deal":
            places = raw["places"]
            return {**raw, "places": {p: _seen(c, sight, p, 0) for p, c in places.items()}}
        case "cards_dealt":
            return {**raw, "deliveries": _deliveries_seen(raw["deliveries"], sight)}
        case "correct_card" | "card_corrected":
            shown = sight.sees(raw["place"], raw["number"] - 1)
        case "report_card" | "card_reported":
            shown = raw["how"] == "face_up" or sight.sees_delivery(sight.reported)
        case "card_amended":
            shown = sight.sees_delivery(raw["index"])
        case _:
            return raw
    return {**raw, "card": show_card(raw["card"]) if shown else None}


def _seen(cards: Sequence[Card], sight: Sight, place: str, first: int) -> list[str | None]:
    return [
        show_card(card) if sight.sees(place, index) else None
        for index, card in enumerate(cards, start=first)
    ]


def _deliveries_seen(deliveries: Any, sight: Sight) -> list[tuple[str, list[str | None]]]:
    got: Counter[str] = Counter()
    seen = []
    for place, cards in deliveries:
        seen.append((place, _seen(cards, sight, place, got[place])))
        got[place] += len(cards)
    return seen


def texts_in(raw: Mapping[str, Any]) -> Iterator[str]:
    """The cards that an action or event of the document shows."""
    match raw.get(_CARDS_IN.get(str(_tag(raw)), "")):
        case str(card):
            yield card
        case dict(places):
            yield from (c for cards in places.values() for c in cards if c is not None)
        case list(deliveries) | tuple(deliveries):
            yield from (c for _, cards in deliveries for c in cards if c is not None)


def filled(raw: Raw, fill: Callable[[], Card]) -> Raw:
    """The reverse: cards as numbers, and some card in the place of each that was not shown."""
    tag = _tag(raw)
    if tag in _SEALS:
        closed = {"order": DECK, "salts": [CLOSED_SALT] * len(DECK), "word": CLOSED_SALT}
        return {**raw, **{key: closed[key] for key in closed if raw.get(key, key) is None}}
    field = _CARDS_IN.get(str(tag))
    if field is None or field not in raw:
        return raw

    def card_of(text: str | None) -> Card:
        return fill() if text is None else parse_card(text)

    told = convert(raw[field], _FORMS[field])
    if field == "card":
        return {**raw, field: card_of(told)}
    if field == "places":
        return {**raw, field: {p: [card_of(c) for c in cards] for p, cards in told.items()}}
    return {**raw, field: [(p, [card_of(c) for c in cards]) for p, cards in told]}


_actions: Decoder[AnyAction] = Decoder(AnyAction)
_events: Decoder[AnyEvent] = Decoder(AnyEvent)


def read_action(raw: Raw, fill: Callable[[], Card]) -> AnyAction:
    """An action of the document as the engine takes it."""
    return _actions.decode(encode(filled(raw, fill)))


def read_event(raw: Raw, fill: Callable[[], Card]) -> AnyEvent:
    """An event of the document."""
    return _events.decode(encode(filled(raw, fill)))


class Unreadable(NotationError):
    """Text that is no finished round: where, and what is wrong there."""

    def __init__(self, text: str) -> None:
        super().__init__("round.unreadable", text)


# ---------------------------------------------------------------- writing


def canonical(value: Any) -> bytes:
    """The one spelling that is hashed and compared: sorted keys, no blanks, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def document_hash(document: Mapping[str, Any]) -> str:
    """The hash over a document without its last line."""
    return sha256(canonical(_unhashed(document))).hexdigest()


def _unhashed(document: Mapping[str, Any]) -> Raw:
    return {key: value for key, value in document.items() if key != "sha256"}


def write_round(file: RoundFile) -> str:
    """The document as text."""
    document = to_builtins(file)
    return laid_out({**document, "sha256": document_hash(document)}) + "\n"


def laid_out(value: Any, depth: int = 0) -> str:
    """JSON for people: what fits on a line stands on one, and so do lists of short words."""
    flat = json.dumps(value, ensure_ascii=False)
    words = isinstance(value, list | tuple) and all(len(json.dumps(v)) <= _SHORT for v in value)
    if not isinstance(value, dict | list | tuple) or words or len(flat) + 2 * depth <= _WIDTH:
        return flat
    if isinstance(value, dict):
        inner = [f"{laid_out(key)}: {laid_out(item, depth + 1)}" for key, item in value.items()]
    else:
        inner = [laid_out(item, depth + 1) for item in value]
    lines = ",\n".join("  " * (depth + 1) + line for line in inner)
    return f"{flat[0]}\n{lines}\n{'  ' * depth}{flat[-1]}"


# ---------------------------------------------------------------- reading


def read_round(content: bytes) -> tuple[RoundFile, Raw]:
    """The document from a file's bytes, as it is and as data; or where it cannot be read."""
    raw = _parsed(content)
    stated = raw.get("sha256")
    if not isinstance(stated, str):
        raise Unreadable("sha256: the hash of the document is missing")
    rest = _unhashed(raw)
    try:
        file = convert(rest, RoundFile)
    except (MsgspecError, NotationError, RecursionError) as problem:
        raise Unreadable(str(problem)) from None
    whole = json.loads(canonical(to_builtins(file)))
    for where, _, _ in differences(rest, whole):
        raise Unreadable(f"{where}: missing, or written in another way")
    _read_cards(file)
    for line in file.entries:
        _read_line(line)
    return file, raw


def _read_cards(file: RoundFile) -> None:
    """What stands for cards is cards, and there is something that happened in the round."""
    lists: dict[str, tuple[str | None, ...]] = {"left_out": file.left_out}
    for place, cards in file.view.shown.items() if file.view is not None else ():
        lists[f"view.shown.{place}"] = cards
    if file.commitment is not None:
        lists["commitment.order"] = file.commitment.order
    for where, cards in lists.items():
        for card in [card for card in cards if card is not None]:
            try:
                parse_card(card)
            except NotationError as problem:
                raise Unreadable(f"{where}: {problem}") from None
    if not file.entries:
        raise Unreadable("entries: there are none")


def _read_line(line: Line) -> None:
    """Every action and event of an entry is one that is known, and complete."""
    numbered = enumerate(line.events)
    parts: list[tuple[str, Raw, Callable[..., object]]] = [
        ("action", line.action, read_action),
        *((f"events[{index}]", event, read_event) for index, event in numbered),
    ]
    for where, raw, read in parts:
        try:
            known = to_builtins(read(raw, lambda: DECK[0]))
        except (MsgspecError, NotationError, RecursionError) as problem:
            raise Unreadable(f"entry {line.number}: {where}: {problem}") from None
        for path, _, _ in differences(raw, known):
            if not (tells_cards(raw) and path.startswith(CARD_FIELDS)):
                text = f"entry {line.number}: {where}: {path}: missing, or written in another way"
                raise Unreadable(text)


def _parsed(content: bytes) -> Raw:
    try:
        text = content.decode("utf-8")
        raw = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_int=_whole_number
        )
        json.dumps(raw, ensure_ascii=False).encode("utf-8")
    except UnicodeError:
        raise Unreadable("is not UTF-8 text") from None
    except (ValueError, RecursionError) as problem:
        raise Unreadable(f"is no JSON: {problem}") from None
    if not isinstance(raw, dict):
        raise Unreadable("a finished round is one JSON object")
    return raw


def _once(pairs: list[tuple[str, Any]]) -> Raw:
    """An object in which no key stands twice: of two values a reader would see only one."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Unreadable(f"{twice[:80]!r} stands twice in one object")
    return found


def _whole_number(text: str) -> int:
    """A number that every reader of JSON keeps exactly."""
    number = int(text) if len(text) <= len(str(-LARGEST_NUMBER)) else LARGEST_NUMBER + 1
    if abs(number) > LARGEST_NUMBER:
        raise Unreadable(f"{text[:40]} is larger than any number in a round")
    return number


def _no_number(text: str) -> NoReturn:
    raise Unreadable(f"{text} is no number")


def differences(one: Any, other: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every place where two values differ, with both; numbers and truths are not mixed up."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            path = f"{where}.{key}" if where else str(key)
            yield from differences(one.get(key), other.get(key), path)
            if (key in one) != (key in other) and one.get(key) == other.get(key):
                yield path, one.get(key), other.get(key)
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        for index in range(max(len(one), len(other))):
            path = f"{where}[{index}]"
            if index >= len(one) or index >= len(other):
                yield path, one[index : index + 1], other[index : index + 1]
            else:
                yield from differences(one[index], other[index], path)
    elif type(one) is not type(other) or one != other:
        yield where, one, other
