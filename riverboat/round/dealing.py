"""The deal: who gets how many cards, in which order they are delivered."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from riverboat.core.cards import Card, check_distinct
from riverboat.core.errors import FouledDeck, Refused
from riverboat.core.well_formed import require_kind
from riverboat.round import events as e
from riverboat.round.actions import Deal
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round
from riverboat.rulebook.vocabulary import SEQUENCES

Order = tuple[tuple[str, int], ...]
Places = dict[str, tuple[Card, ...]]
Deliveries = tuple[tuple[str, tuple[Card, ...]], ...]


def deal(state: Round, action: Deal) -> Iterator[e.AnyEvent]:
    """The cards are out; from here on wagers are decided."""
    if not deal_is_due(state):
        raise Refused("deal.not_now", "the deal has to wait", cites=_why_not(state))
    wanted = card_counts(state.setup, sorted(state.seats))
    given = {place: len(cards) for place, cards in action.places.items()}
    if given != wanted:
        text = f"cards for {given}; {wanted} is the deal"
        raise Refused("deal.wrong_places", text, cites=state.setup.book.deal.cites)
    cards = [card for dealt in action.places.values() for card in dealt]
    check_distinct(cards)
    book = state.setup.book
    if book.deal.burn_cards:
        yield e.CardsBurned(count=book.deal.burn_cards)
    yield e.CardsDealt(deliveries=deliveries(state.setup, action.places))
    if book.dealers_hand is not None:
        yield e.UpCardsTurned(count=book.dealers_hand.up_cards)


def deal_is_due(state: Round) -> bool:
    """Whether the cards may come now."""
    return state.phase == "ready" and not state.blocked


def _why_not(state: Round) -> tuple[str, ...]:
    progressive = state.setup.book.progressive
    if state.phase in ("closed", "locked") and progressive is not None:
        return (*progressive.lock.cites, *progressive.collection.cites)
    return state.setup.book.betting_closes.cites


def card_counts(setup: Setup, seats: Sequence[int]) -> dict[str, int]:
    """How many cards every place gets."""
    rule = setup.book.deal
    counts = {str(seat): rule.seat_cards for seat in seats}
    if rule.community_cards:
        counts["community"] = rule.community_cards
    if setup.has_box:
        counts["box"] = rule.box_cards
    if rule.dealer_cards:
        counts["dealer"] = rule.dealer_cards
    return counts


def sequence_of(setup: Setup) -> tuple[str, ...]:
    """In which order box, community, seats and dealer are dealt to."""
    method = setup.dealing
    match method.sequence_option:
        case "shoe_sequence" | "community_cards_dealt":
            return SEQUENCES[setup.choice(method.sequence_option)]
        case "six_card_dealing" if setup.has_box:
            return ("box", *method.sequence)
    return method.sequence


def order_of(setup: Setup, seats: Sequence[int]) -> Order:
    """The deal in order, as a place and a number of cards each time.

    A setup never changes and deals to the same seats round after round, so it keeps the answer.
    """
    kept: dict[tuple[int, ...], Order] = vars(setup).setdefault("orders", {})
    key = tuple(seats)
    if key not in kept:
        kept[key] = tuple(_in_order(setup, key))
    return kept[key]


def _in_order(setup: Setup, seats: tuple[int, ...]) -> Iterator[tuple[str, int]]:
    counts, at_a_time = card_counts(setup, seats), setup.book.deal.seat_cards
    together = setup.dealing.seat_cards == "together" or (
        setup.dealing.seat_cards == "by_option" and setup.choice("two_card_method") == "two_at_once"
    )
    around = [str(seat) for seat in sorted(seats)]
    if setup.book.deal.first == "dealers_right":
        around.reverse()
    for part in sequence_of(setup):
        if part != "seats":
            yield part, counts[part]
        elif together:
            yield from ((seat, at_a_time) for seat in around)
        else:
            yield from ((seat, 1) for _ in range(at_a_time) for seat in around)


def deliveries(setup: Setup, places: Places) -> Deliveries:
    """The deal in the order in which the cards reach their places."""
    seats = sorted(int(place) for place in places if place.isdecimal())
    left = {place: iter(cards) for place, cards in places.items()}
    order = order_of(setup, seats)
    return tuple([(place, tuple(islice(left[place], cards))) for place, cards in order])


class Pass(NamedTuple):
    """A part of the deal as a dealer calls it: to whom, how many cards each time, how often."""

    places: tuple[str, ...]
    cards: int
    times: int = 1


def passes(order: Iterable[tuple[str, int]]) -> tuple[Pass, ...]:
    """Once around the seats is one part; the same again is not told twice."""
    found: list[Pass] = []
    for place, cards in order:
        last = found[-1] if found else None
        to_seats = place.isdecimal() and last is not None and last.places[0].isdecimal()
        if last is not None and to_seats and last.cards == cards and place not in last.places:
            found[-1] = last._replace(places=(*last.places, place))
        else:
            found.append(Pass((place,), cards))
    return tuple(same._replace(times=len(list(again))) for same, again in groupby(found))


def deal_out(setup: Setup, seats: Sequence[int], deck: Sequence[Card]) -> Places:
    """Where the cards of a shuffled deck go, from the top, once the burn cards are off it."""
    require_kind(setup, Setup, "setup")
    require_kind(seats, Sequence, "seats")
    require_kind(deck, Sequence, "deck")
    check_distinct(deck)
    return place_in_order(setup, seats, deck[setup.book.deal.burn_cards :])


def place_in_order(setup: Setup, seats: Sequence[int], deck: Sequence[Card]) -> Places:
    """Where cards go that are dealt one after the other; a burn card is not among them."""
    counts = card_counts(setup, seats)
    if len(deck) < sum(counts.values()):
        raise FouledDeck("deck.wrong_count", f"{len(deck)} cards are too few for this deal")
    dealt: dict[str, tuple[Card, ...]] = {}
    top = 0
    for place, cards in order_of(setup, seats):
        dealt[place] = dealt.get(place, ()) + tuple(deck[top : top + cards])
        top += cards
    return dealt
