"""A table's configuration: the operator's submission, validated clause by clause.

A submission that the rulebook does not allow is refused with every problem at once. A valid one is
written out in full, so that its hash stands for all that is played, also for what went without
saying.
"""

import hashlib
from collections.abc import Iterator, Mapping

from msgspec import Struct, json
from msgspec.structs import replace

from riverboat.core.errors import AllRefused, NotationError, Refused
from riverboat.core.money import format_cents, parse_dollars, show_dollars, show_percent
from riverboat.core.well_formed import require_kind, require_struct, require_texts
from riverboat.meter.amounts import Meter, meter_of
from riverboat.round.setup import setup as setups
from riverboat.round.setup.choices import Raw, read_choice, require_choices
from riverboat.round.setup.setup import Draft, Setup, draft_setup, set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebook.options import Choice, Money, Rate
from riverboat.rulebook.procedures import DealingMethod
from riverboat.rulebook.vocabulary import EDITION, PLAYED_EDITION
from riverboat.table.configuration import equipment as apparatus
from riverboat.table.configuration import felt
from riverboat.table.configuration import submission as s


class ConfigurationRefused(AllRefused):
    """A submission that the rulebook does not allow, with every reason."""

    def __init__(self, problems: list[Refused]) -> None:
        super().__init__("configuration.refused", problems)


class Configuration(Struct, frozen=True, kw_only=True):
    """How a table is run. `submission` is as filed, with everything assumed written out.

    Setup and shuffle are those in use, which change while a device is down; the hash stays that of
    what was filed.
    """

    setup: Setup
    submission: s.Submission
    shuffle: s.ShuffleMethod
    sha256: str
    rulebook_sha256: str
    notices: tuple[s.Notice, ...] = ()

    @property
    def name(self) -> str:
        """What the operator calls the table."""
        return self.submission.name

    @property
    def book(self) -> Rulebook:
        """The rulebook that the table plays by."""
        return self.setup.book

    @property
    def choices(self) -> dict[str, Raw]:
        """The operator's choices within the rulebook, as `set_up` takes them."""
        return s.choices_of(self.submission)

    @property
    def device(self) -> s.Device:
        """The shuffler or dealing device, as filed."""
        return self.submission.device or s.Device()

    @property
    def decks(self) -> int:
        """How many decks are in use: a pair needs its shuffler."""
        filed = self.submission.decks.count or 1
        return self.setup.book.cards.decks if self.shuffle == "manual" else filed

    @property
    def deck_kinds(self) -> tuple[s.DeckKind, ...]:
        """Design and back of each deck in use."""
        return self.submission.decks.each[: self.decks]

    @property
    def counts_cards(self) -> bool:
        """Whether the deck is counted by the device after each shuffle."""
        return self.shuffle != "manual" and self.device.counts is True

    @property
    def physical(self) -> bool:
        """Whether a dealer reports the cards, one by one."""
        return self.submission.cards == "physical"

    @property
    def demo(self) -> bool:
        """Whether the house's people are programs."""
        return self.submission.demo

    @property
    def test(self) -> bool:
        """Whether a lab may force the cards."""
        return self.submission.test

    @property
    def initial_meter(self) -> Meter:
        """What the meter shows at first, and what waits in its reserve; the reset amount where
        nothing else was stated."""
        filed, progressive = self.submission.table, self.setup.progressive
        reset = progressive.seed_cents if progressive else 0
        cents = parse_dollars(str(filed["meter"])) if "meter" in filed else reset
        return meter_of(cents, parse_dollars(str(filed.get("reserve", "0"))))

    @property
    def deck_hours(self) -> int | None:
        """Hours after which a deck is replaced; None where no rule says so."""
        age = self.setup.dealing.deck_age
        if self.setup.book.deck_age is None or not age:
            return None
        return int(self.setup.settings[f"deck_hours_{age}"] or 0)

    @property
    def fallbacks(self) -> tuple[tuple[str, str], ...]:
        """Every other way to deal and to shuffle that this table may use while a device is down."""
        return tuple(_fallbacks(self))

    def cut_required(self, method: str) -> bool:
        """Whether cards that were shuffled so (manual, automated, continuous, preshuffled) are
        cut before they are used."""
        cut = self.setup.book.cut
        if cut is None:
            return False
        after_device = method == "automated" and self.setup.flag("cut_after_automated_shuffle")
        return method in cut.after or after_device


# ------------------------------------------------------------------ from a submission


def configure(book: Rulebook, submission: s.Submission, *, rulebook_sha256: str) -> Configuration:
    """The configuration that a submission makes, or every reason why there is none."""
    require_kind(book, Rulebook, "book")
    require_struct(submission, s.Submission, "submission")
    require_texts(rulebook_sha256=rulebook_sha256)
    if submission.rulebook != book.id:
        text = f"the submission is for {submission.rulebook}; it is held against {book.id}"
        raise Refused("submission.other_rulebook", text, cites=())
    _read_all(book, submission)
    draft = draft_setup(book, s.choices_of(submission))
    whole = completed(book, draft, submission)
    problems = [
        *draft.problems,
        *_edition_problems(book, draft),
        *_tip_problems(book, draft),
        *_statement_problems(book, draft, whole),
        *apparatus.apparatus_problems(book, draft, whole),
        *felt.furnishing_problems(book, whole, draft.offered),
    ]
    if problems:
        raise ConfigurationRefused(problems)
    assert whole.shuffle is not None
    setup = setups.finish_setup(book, draft)
    if whole.test and setup.progressive is not None:  # A test table's meter is nobody else's.
        link = f"test {whole.name} {setup.progressive.link}"
        setup = replace(setup, progressive=replace(setup.progressive, link=link))
    return Configuration(
        setup=setup,
        submission=whole,
        shuffle=whole.shuffle,
        sha256=hashlib.sha256(json.encode(whole, order="sorted")).hexdigest(),
        rulebook_sha256=rulebook_sha256,
        notices=tuple(apparatus.apparatus_notices(book, draft, whole)),
    )


def completed(book: Rulebook, draft: Draft, filed: s.Submission) -> s.Submission:
    """The submission with everything written out that goes without saying."""
    offered, without = draft.offered, filed.without
    layout = felt.completed_layout(book, offered, filed.layout)
    equipment = felt.completed_equipment(book, offered, filed.equipment)
    signs = felt.standard_signs(book, offered) if filed.signs is None else filed.signs
    approved = filed.approvals.layout and felt.APPROVAL not in without
    return replace(
        apparatus.completed_apparatus(book, draft, filed),
        layout=tuple(one for one in layout if one.feature not in without),
        equipment=tuple(one for one in equipment if one.item not in without),
        signs=tuple(one for one in signs if one.shows not in without),
        approvals=replace(filed.approvals, layout=approved),
    )


def standard_submission(
    book: Rulebook,
    choices: Mapping[str, Raw],
    *,
    name: str = "",
    shuffle: s.ShuffleMethod | None = None,
    decks: int | None = None,
    physical: bool = False,
    demo: bool = False,
    test: bool = False,
) -> s.Submission:
    """The rulebook's standard table for some choices, with whatever it needs stated and approved.

    What a rules submission must state and the choices leave out is stated as the printed default.
    """
    require_kind(book, Rulebook, "book")
    require_choices(choices)
    for argument, flag in (("physical", physical), ("demo", demo), ("test", test)):
        require_kind(flag, bool, argument)
    plain = {key: value for key, value in choices.items() if key not in s.METER_KEYS}
    draft = draft_setup(book, plain)
    reshuffles = (
        draft.settings.get("shoe_sequence") == apparatus.COMMUNITY_FIRST or shuffle == "continuous"
    )
    bare = s.Submission(
        rulebook=book.id,
        name=name,
        table={**_stated_defaults(book, draft), **choices},
        decks=s.Decks(count=decks),
        shuffle=shuffle,
        device=s.Device(reshuffles=True, approved=True) if reshuffles else None,
        approvals=s.Approvals(manual_dealing=apparatus.needs_manual_approval(book, draft)),
        cards="physical" if physical else "electronic",
        demo=demo,
        test=test,
    )
    require_struct(bare, s.Submission, "submission")
    return completed(book, draft, bare)


def _stated_defaults(book: Rulebook, draft: Draft) -> dict[str, Raw]:
    progressive = draft.progressive
    if progressive is None or not any(_must_state(book)):
        return {}
    seed = show_dollars(progressive.seed_cents)
    return {"rate": show_percent(progressive.rate_bp), "seed": seed, "meter": seed}


def _read_all(book: Rulebook, submission: s.Submission) -> None:
    """A choice of the wrong kind is bad input, and every one of them is named."""
    unreadable = [f"{where}: {said}" for where, said in s.unknown_choices(book, submission.table)]
    for name, raw in s.choices_of(submission).items():
        try:
            if name in book.options:
                read_choice(name, book.options[name], raw)
        except NotationError as problem:
            unreadable.append(f"table.{name}: {problem}")
    if unreadable:
        raise NotationError("submission.unreadable", "\n".join(unreadable))


def _must_state(book: Rulebook) -> Iterator[str]:
    for name, option in book.options.items():
        if isinstance(option, Money | Rate) and option.must_be_stated:
            yield name


def _statement_problems(
    book: Rulebook, draft: Draft, submission: s.Submission
) -> Iterator[Refused]:
    """What a rules submission has to state about its progressive, and how low it may begin."""
    if "progressive" not in draft.offered or book.progressive is None:
        return
    table, meter = submission.table, book.progressive.meter
    required = tuple(_must_state(book))
    for name in required:
        if name not in table:
            cites = s.about_configuration(book, book.options[name].cites)
            text = f"the submission does not state the {_SPOKEN[name]} (table.{name})"
            yield Refused("submission.not_stated", text, cites=cites)
    cites = s.about_configuration(book, meter.cites)
    if "meter" not in table:
        if "seed" in required:
            text = "the submission does not state the meter's initial amount (table.meter)"
            yield Refused("submission.not_stated", text, cites=cites)
        return
    initial, least = parse_dollars(str(table["meter"])), meter.minimum_initial
    if least is not None and initial < least:
        text = f"an initial meter of {format_cents(initial)}; at least {least} is allowed"
        yield Refused("meter.too_low", text, cites=cites)


def _edition_problems(book: Rulebook, draft: Draft) -> Iterator[Refused]:
    """A text that is kept for analysis is not played; a bet on its box is told of already."""
    option, chosen = book.options.get(EDITION), draft.settings.get(EDITION)
    told = any(one.code == "box.not_playable" for one in draft.problems)
    known = isinstance(option, Choice) and chosen in option.choices
    if option is not None and known and chosen != PLAYED_EDITION and not told:
        text = f"edition {chosen}, which is for analysis only; a table plays {PLAYED_EDITION}"
        yield Refused("edition.not_played", text, cites=option.cites)


def _tip_problems(book: Rulebook, draft: Draft) -> Iterator[Refused]:
    """Between rounds every chip is a player's, the tray's or the tip box's: a table has no account
    for a tip that lies on the felt until the next round, so it would be lost. One round alone can
    still be worked out so."""
    option = book.options.get("tip_push")
    tipped = draft.settings.get("tip_wagers") is True
    if option is not None and tipped and draft.settings.get("tip_push") == "stays":
        text = (
            "tip_push stays, which leaves a pushed tip on its spot for the next round; a table "
            "ends each round with nothing on the felt, so it is player or box"
        )
        yield Refused("tip_push.not_played", text, cites=option.cites)


_SPOKEN = {"rate": "meter's rate of progression", "seed": "meter's reset amount"}


# ------------------------------------------------------------------ while a device is out of use


def _fallbacks(configuration: Configuration) -> Iterator[tuple[str, str]]:
    filed, book = configuration.submission, configuration.setup.book
    choices = configuration.choices
    home = set_up(book, choices)
    falls_back = home.choice("device_down") == "manual"
    shuffles = [*book.shuffle.methods, *(book.shuffle.fallback if falls_back else ())]
    for method in book.dealing:
        for shuffle in dict.fromkeys(shuffles):
            is_home = (method.method, shuffle) == (home.dealing.method, filed.shuffle)
            if is_home or (method.only_when and not falls_back):
                continue
            if not _works_without(configuration, home.dealing, method, shuffle):
                continue
            if not draft_setup(book, {**choices, "dealing": method.method}).problems:
                yield method.method, shuffle


def _works_without(
    configuration: Configuration, home: DealingMethod, method: DealingMethod, shuffle: str
) -> bool:
    """Whether a way to deal does without what is down, and has all that it needs itself.

    Down is the device that shuffles or dispenses; or the manual shoe, and then the shuffler works.
    """
    filed = configuration.submission
    shoe_is_down = "approved_place" in home.needs and "approved_place" not in method.needs
    if shuffle != "manual" and not (shoe_is_down and shuffle == filed.shuffle):
        return False
    has = {
        "automated_shuffle": shuffle != "manual",
        "automated_device": False,
        "shuffling_device": False,
        "approved_place": filed.shoe is not None and filed.shoe.approved,
        "regulators_approval": filed.approvals.manual_dealing,
    }
    return all(has[need] for need in method.needs)


def with_method(configuration: Configuration, dealing: str, shuffle: str) -> Configuration:
    """The same table, shuffled and dealt otherwise; with no names, as it was configured."""
    submission = configuration.submission
    choices = dict(configuration.choices)
    if dealing:
        choices["dealing"] = dealing
    own = configuration.setup.progressive
    setup = replace(set_up(configuration.setup.book, choices), progressive=own)
    return replace(configuration, setup=setup, shuffle=shuffle or submission.shuffle)


def _said(dealing: str, shuffle: str) -> str:
    return f"{dealing.replace('_', ' ')} with {shuffle} shuffling"


def must_be_marked(configuration: Configuration) -> bool:
    """Whether a device that is out of use is covered or signed before anything else is used."""
    return configuration.setup.book.irregularities.device_out_of_use.consequence != "none"


def fallback_refusal(configuration: Configuration, dealing: str, shuffle: str) -> Refused | None:
    """Why another method may not be used, if it may not."""
    rule = configuration.setup.book.irregularities.device_out_of_use
    if (dealing, shuffle) not in configuration.fallbacks:
        allowed = " or ".join(_said(*pair) for pair in configuration.fallbacks) or "none"
        text = f"dealing by {_said(dealing, shuffle)}; allowed is {allowed}"
        return Refused("device.no_such_method", text, cites=rule.cites)
    try:
        with_method(configuration, dealing, shuffle)
    except setups.SetupRefused as refused:
        return refused
    return None
