"""The format of scenario files: what one may say, and a round's events as its log has them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

from msgspec import Meta, Struct, convert, inspect

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents, parse_dollars
from riverboat.round import events as e
from riverboat.round.actions import Incident
from riverboat.rulebook.loading.conform import Misfit, misfits, tables_in

When: TypeAlias = Literal["betting", "deal", "third", "fourth", "fifth", "settlement"]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=1)]
Text: TypeAlias = Annotated[str, Meta(min_length=1)]


class IncidentLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that goes wrong, and when."""

    what: str
    when: When
    seat: SeatNumber | None = None
    place: Literal["community", "six_card_box", "dealer"] | None = None
    count: Annotated[int, Meta(ge=0)] | None = None
    decision: Literal["continue", "void"] | None = None
    after: SeatNumber | None = None


class RequestLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something that somebody asks for out of the ordinary course, and when."""

    when: When
    do: Literal["wager", "take_back", "bet", "fold", "turn", "deal", "lock", "close"]
    seat: SeatNumber | None = None
    spot: Text | None = None
    amount: Text | None = None
    player: Text | None = None


class Expect(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What must come out; what is not named is not compared, save what ends a round early."""

    net: dict[str, str] = {}
    results: dict[str, dict[str, str]] = {}
    tip_box: str | None = None
    meter: str | None = None
    reserve: str | None = None
    void: bool | None = None
    deck_removed: bool | None = None
    deal_blocked: bool | None = None
    suspended: bool | None = None
    refused: str | bool | None = None
    log: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    @property
    def says_nothing(self) -> bool:
        """Whether no key says what must come out."""
        return not any(getattr(self, key) not in (None, {}, ()) for key in self.__struct_fields__)

    @property
    def ends_early(self) -> bool:
        """Whether the round must stop before its end."""
        return bool(self.refused or self.void or self.deal_blocked or self.suspended)


class Scenario(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One round, or one refused request."""

    name: Annotated[str, Meta(min_length=1)]
    rulebook: str
    clauses: tuple[str, ...]
    table: dict[str, str | int | bool] = {}
    bets: dict[str, dict[str, str]] = {}
    cards: dict[str, str] = {}
    decisions: dict[str, tuple[str, ...]] = {}
    incidents: tuple[IncidentLine, ...] = ()
    requests: tuple[RequestLine, ...] = ()
    expect: Expect


T = TypeVar("T")


def read_named(
    text: str, kind: str, form: type[T], wrong: Callable[[object], Iterable[Misfit]]
) -> list[tuple[str, T | str]]:
    """Each table of a file by its name, or the reason why it cannot be read."""
    read: list[tuple[str, T | str]] = []
    for number, entry in enumerate(tables_in(text, kind), start=1):
        named = entry.get("name") if isinstance(entry, Mapping) else None
        name = named if isinstance(named, str) and named else f"{kind} {number}"
        found = "\n".join(f"{misfit.where}: {misfit.message}" for misfit in wrong(entry))
        read.append((name, found or convert(entry, form)))
    return read


def read_scenarios(text: str) -> list[tuple[str, Scenario | str]]:
    """Each scenario of a file by its name, or the reason why it cannot be read."""
    form = inspect.type_info(Scenario)
    return read_named(text, "scenario", Scenario, lambda entry: misfits(entry, form))


def incident_of(line: IncidentLine) -> Incident:
    """What a line reports to the table."""
    return Incident(
        what=line.what,
        seat=line.seat or 0,
        place=line.place or "",
        count=line.count or 0,
        decision=line.decision or "",
    )


def signed_cents(text: str) -> Cents:
    """An amount that may be below zero: one sign at most."""
    sign = -1 if text.startswith("-") else 1
    try:
        return sign * parse_dollars(text[1:] if text[:1] in ("+", "-") else text)
    except NotationError:
        raise NotationError(
            "money.unreadable",
            f"{text!r} is no amount: write dollars as 10, -0.5 or +45000.38, with one sign at most "
            "and without blanks, $ or thousands separators",
        ) from None


VOCABULARY = {
    "bet S spot": "chips were placed on a spot: ante, a side bet, a street, a tip",
    "take-back S spot": "chips were taken back while betting was open",
    "close": "no more bets",
    "lock": "the progressive wagers were frozen",
    "collect S spot": "chips went to the tray: progressive, a fold's wagers, a lost wager",
    "burn N": "so many cards went unseen from the top of the deck into the discard rack",
    "deal P": "a card, or a group of cards, reached a place: a seat, community, box, dealer",
    "correct-card P N": "a misreported card of a place was put right",
    "fold S": "a seat folded",
    "muck S": "a folded hand went to the discard rack",
    "keep S": "a folded hand was kept for a side bet",
    "lose S spot": "a side bet was lost by a fold",
    "turn N": "a community card was turned (1, 2, 3)",
    "turn box": "the six card box was turned",
    "turn up N": "so many of the dealer's cards were dealt face up",
    "turn dealer": "the dealer's hand was turned",
    "announce S": "the dealer said what a seat's hand is",
    "announce dealer": "the dealer said what the dealer's hand is",
    "settle S spot": "a spot was settled; then pay, push or collect says how",
    "pay S spot": "a spot won",
    "push S spot": "a spot got its wager back",
    "award S hand": "a share of the meter was paid to a seat",
    "forfeit S": "a seat lost its wagers by its conduct",
    "incident what": "something went wrong",
    "void": "the round was void; then return and reverse say what went back",
    "return S spot": "a wager went back to its player",
    "reverse S spot": "what was paid came back",
    "block": "the deal has to wait",
    "suspend": "the table was closed until its device works",
    "remove deck": "the deck left the table",
    "err kind S spot": "the dealer did something else than was owed (over, under, out_of_order, "
    "wrong_spot)",
    "correct S spot": "a wrong payout was mended",
    "over": "the round ended",
}
FIRST_WORDS = tuple(dict.fromkeys(form.split()[0] for form in VOCABULARY))
_KINDS = {"S": "seat", "P": "place", "N": "number", "spot": "spot", "hand": "hand"}
_KINDS |= {"what": "incident", "kind": "error"}


def misread(entry: str, named: Mapping[str, Sequence[str]]) -> str:
    """Why no event can say this: "" where one can. `named` has what S, P, spot … stand for."""
    words = entry.split()
    forms = [form.split() for form in VOCABULARY if form.split()[0] == (words or [""])[0]]
    if not forms:
        return f"{entry!r} is no entry of the log; one begins with {', '.join(FIRST_WORDS)}"
    wrong = [_wrong_word(words, form, named) for form in forms if len(form) == len(words)]
    if "" in wrong and entry == " ".join(words):
        return ""
    right = " or ".join(" ".join(form) for form in forms)
    return f"{entry!r}: {wrong[0] if any(wrong) else f'write {right}'}"


def _wrong_word(
    words: Sequence[str], form: Sequence[str], named: Mapping[str, Sequence[str]]
) -> str:
    for word, wanted in zip(words, form, strict=True):
        known = named[wanted] if wanted in _KINDS else (wanted,)
        if word not in known:
            kind = _KINDS.get(wanted, "word")
            return f"{word!r} is no {kind} here; there are {', '.join(known)}"
    return ""


# What an event says that says the same words always, one entry after the other.
_SAID: Final[Mapping[type[Struct], tuple[str, ...]]] = {
    e.WagerPlaced: ("bet {0.seat} {0.spot}",),
    e.StreetBet: ("bet {0.seat} {0.spot}",),
    e.WagerTakenBack: ("take-back {0.seat} {0.spot}",),
    e.BettingClosed: ("close",),
    e.ProgressiveLocked: ("lock",),
    e.CardsBurned: ("burn {0.count}",),
    e.CardCorrected: ("correct-card {0.place} {0.number}",),
    e.CommunityTurned: ("turn {0.number}",),
    e.BoxTurned: ("turn box",),
    e.UpCardsTurned: ("turn up {0.count}",),
    e.HandAnnounced: ("announce {0.seat}",),
    e.RoundClosed: ("over",),
    e.Folded: ("fold {0.seat}",),
    e.SideBetLost: ("lose {0.seat} {0.spot}",),
    e.MeterAwarded: ("settle {0.seat} progressive", "award {0.seat} {0.hand}"),
    e.EnvyPaid: ("settle {0.seat} envy", "pay {0.seat} envy"),
    e.DealerErred: ("err {0.error} {0.seat} {0.spot}",),
    e.PayoutCorrected: ("correct {0.seat} {0.spot}",),
    e.IncidentNoted: ("incident {0.what}",),
    e.RoundVoided: ("void",),
    e.WagerReturned: ("return {0.seat} {0.spot}",),
    e.PayoutReversed: ("reverse {0.seat} {0.spot}",),
    e.AwardBackedOut: ("reverse {0.seat} progressive",),
    e.DealBlocked: ("block",),
    e.TableSuspended: ("suspend",),
    e.DeckRemoved: ("remove deck",),
}


def log_lines(event: e.AnyEvent) -> Iterator[str]:
    """What one event says."""
    match event:
        case e.ProgressiveCollected():
            yield from (f"collect {seat} progressive" for seat in event.seats)
        case e.CardsDealt():
            yield from (f"deal {place}" for place, _ in event.deliveries)
        case e.DealersHandTurned():
            yield "turn dealer"
            if event.announced:
                yield "announce dealer"
        case e.FoldCollected():
            yield from (f"collect {event.seat} {spot}" for spot, _ in event.spots)
            yield f"{'keep' if event.cards_kept else 'muck'} {event.seat}"
        case e.SeatForfeited():
            yield f"forfeit {event.seat}"
            yield from (f"collect {event.seat} {spot}" for spot, _ in event.spots)
        case e.SpotSettled():
            yield f"settle {event.seat} {event.spot}"
            done = {"win": "pay", "push": "push", "lose": "collect"}[event.outcome]
            yield f"{done} {event.seat} {event.spot}"
        case _:
            yield from (said.format(event) for said in _SAID.get(type(event), ()))
