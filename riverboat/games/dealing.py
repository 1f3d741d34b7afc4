"""The deal: who gets how many cards, in which order they are delivered."""

from collections.abc import Iterator, Sequence

from riverboat import events as e
from riverboat.cards import Card, check_distinct
from riverboat.errors import FouledDeck, Refused
from riverboat.games.actions import Deal
from riverboat.games.round import Round
from riverboat.games.setup import Setup
from riverboat.rulebook import IslandStud

Places = dict[str, tuple[Card, ...]]
Deliveries = tuple[tuple[str, tuple[Card, ...]], ...]

_SHOE_SEQUENCES = {
    "4-3-2": ("box", "community", "seats"),
    "4-2-3": ("box", "seats", "community"),
    "2-3": ("seats", "community"),
    "3-2": ("community", "seats"),
}


def deal(state: Round, action: Deal) -> Iterator[e.AnyEvent]:
    """The cards are out; from here on wagers are decided."""
    if state.phase != "ready" or state.blocked:
        raise Refused("deal.not_now", "the deal has to wait", cites=_why_not(state))
    wanted = card_counts(state.setup, sorted(state.seats))
    given = {place: len(cards) for place, cards in action.places.items()}
    if given != wanted:
        text = f"cards for {given}; {wanted} is the deal"
        raise Refused("deal.wrong_places", text, cites=state.setup.book.deal.cites)
    cards = [card for dealt in action.places.values() for card in dealt]
    check_distinct(cards)
    yield e.CardsDealt(deliveries=deliveries(state.setup, action.places))
    book = state.setup.book
    if isinstance(book, IslandStud):
        yield e.UpCardsTurned(count=book.dealers_hand.up_cards)


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
    if "six_card_bonus" in setup.bonuses:
        counts["box"] = rule.box_cards
    if rule.dealer_cards:
        counts["dealer"] = rule.dealer_cards
    return counts


def sequence_of(setup: Setup) -> tuple[str, ...]:
    """In which order box, community, seats and dealer are dealt to."""
    method = setup.dealing
    match method.sequence_option:
        case "shoe_sequence":
            return _SHOE_SEQUENCES[setup.choice("shoe_sequence")]
        case "community_cards_dealt":
            first = setup.choice("community_cards_dealt") == "before_players"
            return ("community", "seats") if first else ("seats", "community")
        case "six_card_dealing" if "six_card_bonus" in setup.bonuses:
            return ("box", *method.sequence)
    return method.sequence


def deliveries(setup: Setup, places: Places) -> Deliveries:
    """The deal in the order in which the cards reach their places."""
    from_right = setup.book.deal.first == "dealers_right"
    numbers = sorted((int(place) for place in places if place.isdecimal()), reverse=from_right)
    seats = [str(number) for number in numbers]
    together = setup.dealing.seat_cards == "together" or (
        setup.dealing.seat_cards == "by_option" and setup.choice("two_card_method") == "two_at_once"
    )
    order: list[tuple[str, tuple[Card, ...]]] = []
    for part in sequence_of(setup):
        if part != "seats":
            order.append((part, places[part]))
        elif together:
            order += [(seat, places[seat]) for seat in seats]
        else:
            for turn in range(setup.book.deal.seat_cards):
                order += [(seat, (places[seat][turn],)) for seat in seats]
    return tuple(order)


def deal_out(setup: Setup, seats: Sequence[int], deck: Sequence[Card]) -> Places:
    """Where the cards of a shuffled deck go, from the top."""
    counts = card_counts(setup, seats)
    if len(deck) < sum(counts.values()):
        raise FouledDeck("deck.wrong_count", f"{len(deck)} cards are too few for this deal")
    blank: Places = {place: (-1,) * count for place, count in counts.items()}
    dealt: dict[str, tuple[Card, ...]] = {}
    top = 0
    for place, cards in deliveries(setup, blank):
        dealt[place] = dealt.get(place, ()) + tuple(deck[top : top + len(cards)])
        top += len(cards)
    return dealt
