"""What may be asked for in a round now, and by whom: each offer with the bounds of every argument.

What the rules say stands in one place only. Each procedure of the engine makes all its checks
before its first event, so that one step into it tells whether it would refuse; bounds come from the
limits that the same checks hold an argument against.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from riverboat.core.cards import DECK
from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import Cents, divide_down, divide_up, is_multiple
from riverboat.core.records import Action
from riverboat.core.well_formed import is_well_formed
from riverboat.round import actions as a
from riverboat.round import streets
from riverboat.round.betting import betting_is_open, is_first_tip, seated_out, tip_limit
from riverboat.round.engine import DECIDE
from riverboat.round.incidents import CONDUCT, KNOWN, can_be_reported, places_of, rule_for
from riverboat.round.settlement.payment import dealt_cards, given_on, is_awarded
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat
from riverboat.round.streets import seat_to_act, stage_of

Party: TypeAlias = int | Literal["dealer", "floor", "supervisor", "player", "system", "lab"]
"""Whose it is: a seat's by its number, or somebody's by the part that they have at the table."""


class Choice(Struct, frozen=True, tag="choice"):
    """One of these values."""

    values: tuple[int | str | None, ...]

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        return value in self.values


class Range(Struct, frozen=True, tag="range"):
    """A multiple of the unit between two bounds, both allowed; None where there is no bound."""

    minimum: int | None
    maximum: int | None
    unit: int = 1

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        if not isinstance(value, int):
            return False
        low = self.minimum is not None and value < self.minimum
        high = self.maximum is not None and value > self.maximum
        return not (low or high) and is_multiple(abs(value), self.unit)


class Text(Struct, frozen=True, tag="text"):
    """Free text, as for a player's name or a reason: anything but these; perhaps not nothing, and
    perhaps more than spaces."""

    required: bool = False
    not_these: tuple[str, ...] = ()
    words: bool = False

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        if not isinstance(value, str) or value in self.not_these:
            return False
        return bool(value.strip()) if self.words else bool(value) >= self.required


class Cards(Struct, frozen=True, tag="cards"):
    """Different cards of one deck: so many for each place, and for no other place."""

    counts: dict[str, int]

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        if not isinstance(value, dict):
            return False
        if {place: len(cards) for place, cards in value.items()} != self.counts:
            return False
        dealt = [card for cards in value.values() for card in cards]
        return len(set(dealt)) == len(dealt) and set(dealt) <= set(DECK)


class Counts(Struct, frozen=True, tag="counts"):
    """A number of cards, nothing or more, for some of these places."""

    places: tuple[str, ...]

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        if not isinstance(value, dict) or not set(value) <= set(self.places):
            return False
        return all(isinstance(count, int) and count >= 0 for count in value.values())


class Judged(Struct, frozen=True, tag="judged"):
    """What no list or range can hold, such as a configuration or a deck's order: whatever stands
    the test that the engine itself makes of it."""

    what: str
    stands: Callable[[object], bool]

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        return self.stands(value)


Argument: TypeAlias = Choice | Range | Text | Cards | Counts | Judged
WORDS = Text(words=True)


class Offer(Struct, frozen=True):
    """Something that may be asked for now: whose it is, the bounds of every field of the action,
    and the clauses of the step."""

    actor: Party
    kind: type[Action]
    arguments: dict[str, Argument]
    cites: tuple[str, ...] = ()

    def takes(self, action: Action) -> bool:
        """Whether an action is within this offer."""
        return type(action) is self.kind and all(
            bounds.holds(getattr(action, name)) for name, bounds in self.arguments.items()
        )


def offer_of(
    actor: Party, kind: type[Action], cites: tuple[str, ...] = (), **bounds: Argument
) -> Offer:
    """An offer with its bounds by their names."""
    return Offer(actor, kind, bounds, cites)


def allows(offers: Iterable[Offer], action: Action) -> bool:
    """Whether an action is among the offers."""
    return is_well_formed(action) and any(offer.takes(action) for offer in offers)


Seats: TypeAlias = Collection[int] | None
"""The seats that are asked about; None for all of them."""
Offers: TypeAlias = Callable[[Round, Seats], Iterator[Offer]]


def legal(state: Round, who: Party | None = None) -> tuple[Offer, ...]:
    """Everything that may be asked for now: by a seat, the dealer or the floor; or by anybody."""
    kinds = _OF[who] if isinstance(who, str) else _OF["seat"] if who is not None else tuple(_OFFERS)
    seats = (who,) if isinstance(who, int) else None
    return tuple(offer for kind in kinds for offer in offers_of(state, kind, seats))


class WholeBet(Struct, frozen=True):
    """A decision to stay in, as people say it: so many times the ante, and what that comes to."""

    times: int
    cents: Cents


def whole_bets(state: Round, offers: Iterable[Offer]) -> tuple[WholeBet, ...]:
    """The whole multiples of the ante that are on offer at a decision; none where no bet is."""
    offer = next((one for one in offers if one.kind is a.Bet), None)
    if offer is None:
        return ()
    ante = state.seats[state.waiting[0]].wagers["ante"]
    bets = (WholeBet(times, ante * times) for times in stage_of(state).multiples)
    return tuple(bet for bet in bets if offer.arguments["cents"].holds(bet.cents))


def offers_of(state: Round, kind: type, seats: Seats = None) -> Iterator[Offer]:
    """The offers of one kind; of those that are a seat's, only for these seats."""
    return _OFFERS[kind](state, seats)


def begins(procedure: Callable[..., Iterator[Any]], *asked: Any) -> bool:
    """Whether an engine's procedure would do what it is asked for."""
    return permits(lambda: next(procedure(*asked), None))


def granted(state: Round, asked: a.AnyAction) -> bool:
    """Whether the round's own procedure for it would do what is asked for."""
    return begins(DECIDE[type(asked)], state, asked)


def permits(guard: Callable[..., object], *asked: Any) -> bool:
    """Whether a check of the engine's lets something through."""
    try:
        guard(*asked)
    except (Refused, NotationError):
        return False
    return True


# ---------------------------------------------------------------- seats


def _wagers(state: Round, seats: Seats) -> Iterator[Offer]:
    return wagers_on(state, (*betting_areas(state.setup), *state.setup.first_tips), seats)


def wagers_on(state: Round, spots: tuple[str, ...], seats: Seats = None) -> Iterator[Offer]:
    """The wagers that can be laid on these spots now."""
    if not betting_is_open(state):
        return
    setup = state.setup
    instrument = setup.instruments
    used: Argument = Text() if instrument is None else Choice(instrument)
    elsewhere = tuple(seated_out(state))
    for number in range(1, setup.seats + 1) if seats is None else seats:
        seat = state.seats.get(number) or Seat()
        name: Argument = Choice(("", seat.player)) if seat.player else Text(not_these=elsewhere)
        for spot in spots:
            if is_first_tip(setup, spot) and spot.removeprefix("tip_") not in seat.wagers:
                continue
            amounts = amounts_on(setup, seat, spot)
            cents = least_of(amounts)
            if not amounts.holds(cents):
                continue
            tried = instrument[0] if instrument else "chip"
            asked = a.Wager(seat=number, spot=spot, cents=cents, instrument=tried)
            if granted(state, asked):
                yield offer_of(
                    number,
                    a.Wager,
                    _wager_cites(setup, seat, spot),
                    seat=Choice((number,)),
                    spot=Choice((spot,)),
                    cents=amounts,
                    player=name,
                    instrument=used,
                    seal=Text(),
                )


def betting_areas(setup: Setup) -> dict[str, Choice | Range]:
    """What a seat can lay on each spot while betting is open, one after the other: the side bets
    too that wait for another bet. Tips are not among them."""
    spots = ("ante", *setup.bonuses, *(("progressive",) if setup.progressive else ()))
    return {spot: amounts_on(setup, Seat(), spot) for spot in spots}


def least_of(amounts: Choice | Range) -> Cents:
    """The smallest amount on offer, where there is one."""
    least = amounts.values[0] if isinstance(amounts, Choice) else amounts.minimum
    return int(least or 0)


def _wager_cites(setup: Setup, seat: Seat, spot: str) -> tuple[str, ...]:
    if spot == "ante":
        return setup.book.ante.cites
    if is_first_tip(setup, spot):
        return tip_limit(setup, seat, spot.removeprefix("tip_")).cites
    return setup.side_bets[spot].cites


def amounts_on(setup: Setup, seat: Seat, spot: str) -> Choice | Range:
    """What a spot takes, if it takes anything; in whole units, so that both ends can be bet."""
    limits = setup.limits
    if spot == "progressive" and setup.progressive is not None:
        return Choice((setup.progressive.wager_cents,))
    if is_first_tip(setup, spot):
        limit = tip_limit(setup, seat, spot.removeprefix("tip_"))
    else:
        limit = limits.ante if spot == "ante" else limits.bonuses[spot]
    unit, most = limits.unit_cents, limit.maximum_cents
    lowest = max(unit, divide_up(limit.minimum_cents, unit) * unit)
    return Range(lowest, None if most is None else divide_down(most, unit) * unit, unit)


def _take_backs(state: Round, seats: Seats) -> Iterator[Offer]:
    if not betting_is_open(state):
        return
    cites = state.setup.book.betting_closes.cites
    for number, seat in sorted(state.seats.items()):
        if seat.wagers and (seats is None or number in seats):
            one, spots = Choice((number,)), Choice(tuple(seat.wagers))
            yield offer_of(number, a.TakeBack, cites, seat=one, spot=spots)


def _bets(state: Round, seats: Seats) -> Iterator[Offer]:
    number = seat_to_act(state)
    if number is None or (seats is not None and number not in seats):
        return
    setup, stage, seat = state.setup, stage_of(state), state.seats[number]
    bets = streets.allowed_bets(stage, seat.wagers["ante"])
    fractional = setup.flag("allow_fractional_multiples")
    yield offer_of(
        number,
        a.Bet,
        stage.bet_cites,
        seat=Choice((number,)),
        cents=Range(bets[0], bets[-1], setup.limits.unit_cents) if fractional else Choice(bets),
        tip_cents=Choice((0, *streets.allowed_tips(setup, seat, stage))),
    )


def _folds(state: Round, seats: Seats) -> Iterator[Offer]:
    number = seat_to_act(state)
    if number is not None and (seats is None or number in seats):
        yield offer_of(number, a.Fold, stage_of(state).fold_cites, seat=Choice((number,)))


# ---------------------------------------------------------------- dealer


def _tried(
    asked: a.AnyAction, cites: Callable[[Round], tuple[str, ...]], **bounds: Argument
) -> Offers:
    """One request of the dealer's, or those that differ from it by these bounds only."""

    def offers(state: Round, seats: Seats) -> Iterator[Offer]:
        if granted(state, asked):
            yield Offer("dealer", type(asked), bounds, cites(state))

    return offers


def _of_progressive(part: str) -> Callable[[Round], tuple[str, ...]]:
    """The clauses of a part of the progressive's rules."""
    return lambda state: getattr(state.setup.book.progressive, part).cites


def _deals(state: Round, seats: Seats) -> Iterator[Offer]:
    if streets.deal_is_due(state):
        places = Cards(streets.card_counts(state.setup, sorted(state.seats)))
        yield offer_of("dealer", a.Deal, state.setup.book.deal.cites, places=places)


def _settlements(state: Round, seats: Seats) -> Iterator[Offer]:
    """A human dealer may settle rightly or wrongly: any spot of anybody who plays, any amount."""
    if state.phase == "settling":
        spots, cites = Choice(state.setup.spots), _settling_cites(state)
        for number in sorted(state.seats):
            seat, given = Choice((number,)), Range(0, None)
            yield offer_of("dealer", a.Settle, cites, seat=seat, spot=spots, given_cents=given)


def _settling_cites(state: Round) -> tuple[str, ...]:
    return state.setup.book.settlement.seats.cites


# ---------------------------------------------------------------- floor


def _corrections(state: Round, seats: Seats) -> Iterator[Offer]:
    """More for the player, or something back from what the player was given, but not nothing."""
    if state.phase in ("settling", "over"):
        spots, why = state.setup.spots, Text(required=True)
        for number in sorted(state.seats):
            given = {spot: given_on(state, number, spot) for spot in spots}
            most = [((spot,), Range(-cents, -1)) for spot, cents in given.items() if cents]
            for some, cents in ((spots, Range(1, None)), *most):
                seat, spot = Choice((number,)), Choice(some)
                yield offer_of("floor", a.Correct, seat=seat, spot=spot, cents=cents, reason=why)


def _card_corrections(state: Round, seats: Seats) -> Iterator[Offer]:
    """Any card that was dealt may turn out to be one that is still in the deck."""
    if state.phase not in ("deciding", "turning", "settling") or is_awarded(state):
        return
    dealt = dealt_cards(state)
    out = {card for cards in dealt.values() for card in cards}
    rest = tuple(card for card in DECK if card not in out)
    settled = any(spot == "progressive" for _, spot, _ in state.settled)
    for place, cards in dealt.items():
        each = [Range(n, n) for n in range(1, len(cards) + 1)]
        for number in each if settled else [Range(1, len(cards))]:
            card = _unawarded(state, place, number) if settled else Choice(rest)
            yield offer_of(
                "floor",
                a.CorrectCard,
                state.setup.book.cards.cites,
                place=Choice((place,)),
                number=number,
                card=card,
                reason=Text(required=True),
            )


def _unawarded(state: Round, place: str, number: Range) -> Judged:
    """Cards that leave every wager that is settled on the progressive without a share of it."""
    at = number.minimum or 0

    def stands(card: object) -> bool:
        asked = a.CorrectCard(place=place, number=at, card=card, reason="?")  # type: ignore[arg-type]
        return granted(state, asked)

    return Judged("a card that is still in the deck", stands)


def _incidents(state: Round, seats: Seats) -> Iterator[Offer]:
    """What may be reported: misconduct of somebody who plays, anything else of any seat or none."""
    players, places = tuple(sorted(state.seats)), Choice(places_of(state.setup))
    for what in KNOWN:
        if not can_be_reported(state, what):
            continue
        rule = rule_for(state, a.Incident(what=what))
        yield offer_of(
            "floor",
            a.Incident,
            rule.cites if rule is not None else (),
            what=Choice((what,)),
            seat=Choice(players) if what in CONDUCT else Range(0, state.setup.seats),
            place=places,
            count=Range(0, None),
            decision=Choice(("", "continue", "void")),
            second=Choice((None,)),
        )


_OFFERS: dict[type, Offers] = {
    a.Wager: _wagers,
    a.TakeBack: _take_backs,
    a.Bet: _bets,
    a.Fold: _folds,
    a.CloseBets: _tried(a.CloseBets(), lambda state: state.setup.book.betting_closes.cites),
    a.LockProgressive: _tried(a.LockProgressive(), _of_progressive("lock")),
    a.Turn: _tried(a.Turn(), lambda state: stage_of(state).reveal_cites),
    a.SettleAll: _tried(a.SettleAll(), _settling_cites),
    a.Close: _tried(a.Close(), lambda state: state.setup.book.settlement.cards.cites),
    a.CollectProgressive: _tried(
        a.CollectProgressive(chips=0), _of_progressive("collection"), chips=Range(0, None)
    ),
    a.Deal: _deals,
    a.Settle: _settlements,
    a.Correct: _corrections,
    a.CorrectCard: _card_corrections,
    a.Incident: _incidents,
}
_OF: dict[str, tuple[type, ...]] = {
    "seat": (a.Wager, a.TakeBack, a.Bet, a.Fold),
    "floor": (a.Correct, a.CorrectCard, a.Incident),
}
_OF["dealer"] = tuple(kind for kind in _OFFERS if kind not in (*_OF["seat"], *_OF["floor"]))
