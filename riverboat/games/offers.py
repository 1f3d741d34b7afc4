"""What may be asked for now, and by whom: offers, each with the bounds of every argument.

An offer is found by asking the engine itself: each of its procedures makes all its checks before
its first event, so that one step into it tells whether it would refuse. Bounds come from the limits
of the table. What the rules say stands in one place only.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from riverboat.cards import DECK
from riverboat.errors import NotationError, Refused
from riverboat.games import actions as a
from riverboat.games.amending import correct_card, dealt_cards
from riverboat.games.betting import (
    betting_is_open,
    close_bets,
    collect_progressive,
    is_first_tip,
    lock_progressive,
    take_back,
    tip_limit,
    wager,
)
from riverboat.games.dealing import card_counts, deal
from riverboat.games.deciding import allowed_bets, bet, fold, seat_to_act, stage_of, turn
from riverboat.games.incidents import CONDUCT, KNOWN, incident, places_of
from riverboat.games.paying import close, correct, settle, settle_all
from riverboat.games.round import Round
from riverboat.games.setup import Setup
from riverboat.money import Cents, divide_down, divide_up
from riverboat.well_formed import is_well_formed

Actor: TypeAlias = int | Literal["dealer", "floor"]
Procedure: TypeAlias = Callable[[Round, Any], Iterator[Any]]

INSTRUMENTS = ("chip", "plaque", "approved_instrument", "verbal_with_cash")


class Choice(Struct, frozen=True, tag="choice"):
    """One of these values."""

    values: tuple[int | str, ...]

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
        size = abs(value)
        return not (low or high) and divide_down(size, self.unit) * self.unit == size


class Text(Struct, frozen=True, tag="text"):
    """Free text, as for a player's name or a reason: anything but these; perhaps not nothing."""

    required: bool = False
    not_these: tuple[str, ...] = ()

    def holds(self, value: object) -> bool:
        """Whether a value is on offer."""
        return (
            isinstance(value, str) and value not in self.not_these and bool(value) >= self.required
        )


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


Argument: TypeAlias = Choice | Range | Text | Cards


class Offer(Struct, frozen=True):
    """Something that an actor may ask for now; every field of the action has its bounds."""

    actor: Actor
    kind: type[a.Action]
    arguments: dict[str, Argument]


def legal_actions(state: Round) -> tuple[Offer, ...]:
    """Everything that may be asked for now, by seats, dealer and floor."""
    return (
        *_wagers(state),
        *_take_backs(state),
        *_decisions(state),
        *_dealers(state),
        *_settlements(state),
        *_corrections(state),
        *_card_corrections(state),
        *_incidents(state),
    )


def allows(offers: tuple[Offer, ...], action: a.Action) -> bool:
    """Whether an action is among the offers."""
    return is_well_formed(action) and any(
        type(action) is offer.kind
        and all(bounds.holds(getattr(action, name)) for name, bounds in offer.arguments.items())
        for offer in offers
    )


def takes_wager(state: Round, action: a.Wager) -> bool:
    """Whether one wager would be taken now, without looking at all others."""
    return _begins(wager, state, action)


def _begins(procedure: Procedure, state: Round, action: a.Action) -> bool:
    """Whether the engine would do it."""
    try:
        next(procedure(state, action), None)
    except (Refused, NotationError):
        return False
    return True


def _wagers(state: Round) -> Iterator[Offer]:
    if not betting_is_open(state):
        return
    setup = state.setup
    side_bets = (*setup.bonuses, *(("progressive",) if setup.progressive else ()))
    players = dict.fromkeys(seat.player for seat in state.seats.values() if seat.player)
    for seat in range(1, setup.seats + 1):
        own = state.seats[seat].wagers if seat in state.seats else {}
        first_tips = (tip for tip in setup.tip_spots if is_first_tip(setup, tip))
        tips = (tip for tip in first_tips if tip.removeprefix("tip_") in own)
        for spot in ("ante", *side_bets, *tips):
            amounts = _amounts(state, seat, spot)
            least = amounts.values[0] if isinstance(amounts, Choice) else amounts.minimum
            if not amounts.holds(least):
                continue
            asked = a.Wager(seat=seat, spot=spot, cents=int(least or 0))
            if _begins(wager, state, asked):
                yield Offer(
                    seat,
                    a.Wager,
                    {
                        "seat": Choice((seat,)),
                        "spot": Choice((spot,)),
                        "cents": amounts,
                        "player": _words(state, asked, "player", ("", *players)),
                        "instrument": _words(state, asked, "instrument", INSTRUMENTS),
                    },
                )


def _amounts(state: Round, seat: int, spot: str) -> Choice | Range:
    """What a spot takes, if it takes anything; in whole units, so that both ends can be bet."""
    setup, limits = state.setup, state.setup.limits
    if spot == "progressive" and setup.progressive is not None:
        return Choice((setup.progressive.wager_cents,))
    if is_first_tip(setup, spot):
        limit = tip_limit(setup, state.seats[seat], spot.removeprefix("tip_"))
    else:
        limit = limits.ante if spot == "ante" else limits.bonuses[spot]
    return _in_units(setup, limit.minimum_cents, limit.maximum_cents)


def _in_units(setup: Setup, least: Cents, most: Cents | None) -> Range:
    unit = setup.limits.unit_cents
    lowest = max(unit, divide_up(least, unit) * unit)
    return Range(lowest, None if most is None else divide_down(most, unit) * unit, unit)


def _words(state: Round, asked: a.Wager, name: str, known: tuple[str, ...]) -> Text | Choice:
    """Which words a wager may have for an argument: any but some, or none but some."""
    unknown = "?".join(("", *known, ""))
    said = [
        word for word in (*known, unknown) if _begins(wager, state, replace(asked, **{name: word}))
    ]
    if unknown in said:
        return Text(not_these=tuple(word for word in known if word not in said))
    return Choice(tuple(said))


def _take_backs(state: Round) -> Iterator[Offer]:
    for number, seat in sorted(state.seats.items()):
        spots = tuple(
            spot
            for spot in seat.wagers
            if _begins(take_back, state, a.TakeBack(seat=number, spot=spot))
        )
        if spots:
            yield Offer(number, a.TakeBack, {"seat": Choice((number,)), "spot": Choice(spots)})


def _decisions(state: Round) -> Iterator[Offer]:
    number = seat_to_act(state)
    if number is None:
        return
    setup, stage, seat = state.setup, stage_of(state), state.seats[number]
    bets = allowed_bets(setup, stage, seat.wagers["ante"])
    tips = (
        seat.wagers.get("tip_ante", 0) * multiple for multiple in setup.book.tips.street_multiples
    )
    fractional = setup.flag("allow_fractional_multiples")
    arguments: dict[str, Argument] = {
        "seat": Choice((number,)),
        "cents": Range(bets[0], bets[-1], setup.limits.unit_cents) if fractional else Choice(bets),
        "tip_cents": Choice(
            tuple(
                tip
                for tip in dict.fromkeys((0, *tips))
                if _begins(bet, state, a.Bet(seat=number, cents=bets[0], tip_cents=tip))
            )
        ),
    }
    if _begins(bet, state, a.Bet(seat=number, cents=bets[0])):
        yield Offer(number, a.Bet, arguments)
    if _begins(fold, state, a.Fold(seat=number)):
        yield Offer(number, a.Fold, {"seat": Choice((number,))})


def _dealers(state: Round) -> Iterator[Offer]:
    """What the dealer may do to bring the round on."""
    plain: tuple[tuple[Procedure, a.Action], ...] = (
        (close_bets, a.CloseBets()),
        (lock_progressive, a.LockProgressive()),
        (turn, a.Turn()),
        (settle_all, a.SettleAll()),
        (close, a.Close()),
    )
    for procedure, action in plain:
        if _begins(procedure, state, action):
            yield Offer("dealer", type(action), {})
    if _begins(collect_progressive, state, a.CollectProgressive(chips=0)):
        yield Offer("dealer", a.CollectProgressive, {"chips": Range(0, None)})
    counts = card_counts(state.setup, sorted(state.seats))
    if _begins(deal, state, a.Deal(places=_any_cards(counts))):
        yield Offer("dealer", a.Deal, {"places": Cards(counts)})


def _any_cards(counts: dict[str, int]) -> dict[str, tuple[int, ...]]:
    """Some deal with the right number of cards."""
    deck = iter(DECK)
    return {place: tuple(next(deck) for _ in range(count)) for place, count in counts.items()}


def _settlements(state: Round) -> Iterator[Offer]:
    """A human dealer may settle rightly or wrongly: any spot of anybody who plays, any amount."""
    seats = sorted(state.seats)
    if seats and _begins(settle, state, a.Settle(seat=seats[0], spot="ante", given_cents=0)):
        for number in seats:
            arguments: dict[str, Argument] = {
                "seat": Choice((number,)),
                "spot": Choice(state.setup.spots),
                "given_cents": Range(0, None),
            }
            yield Offer("dealer", a.Settle, arguments)


def _corrections(state: Round) -> Iterator[Offer]:
    """More for the player, or something back from the player, but not nothing."""
    for number in sorted(state.seats):
        for cents in (Range(1, None), Range(None, -1)):
            one = cents.minimum or cents.maximum or 0
            asked = a.Correct(seat=number, spot="ante", cents=one, reason="?")
            if _begins(correct, state, asked):
                arguments: dict[str, Argument] = {
                    "seat": Choice((number,)),
                    "spot": Choice(state.setup.spots),
                    "cents": cents,
                    "reason": Text(required=True),
                }
                yield Offer("floor", a.Correct, arguments)


def _card_corrections(state: Round) -> Iterator[Offer]:
    """Any card that was dealt may turn out to be one that is still in the deck."""
    dealt = dealt_cards(state)
    rest = tuple(
        card for card in DECK if card not in {c for cards in dealt.values() for c in cards}
    )
    for place, cards in dealt.items():
        asked = a.CorrectCard(place=place, number=1, card=rest[0], reason="?")
        if _begins(correct_card, state, asked):
            arguments: dict[str, Argument] = {
                "place": Choice((place,)),
                "number": Range(1, len(cards)),
                "card": Choice(rest),
                "reason": Text(required=True),
            }
            yield Offer("floor", a.CorrectCard, arguments)


def _incidents(state: Round) -> Iterator[Offer]:
    """What may be reported: misconduct of somebody who plays, anything else of any seat or none."""
    for what in KNOWN:
        accused = sorted(state.seats) if what in CONDUCT else [0]
        seats = tuple(n for n in accused if _begins(incident, state, a.Incident(what=what, seat=n)))
        if not seats:
            continue
        arguments: dict[str, Argument] = {
            "what": Choice((what,)),
            "seat": Choice(seats) if what in CONDUCT else Range(0, state.setup.seats),
            "place": Choice(places_of(state.setup)),
            "count": Range(0, None),
            "decision": Choice(("", "continue", "void")),
        }
        yield Offer("floor", a.Incident, arguments)
