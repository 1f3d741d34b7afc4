"""The whole settlement of a round, in the rulebook's order: what every spot is owed, and why."""

from collections.abc import Iterator

from msgspec.structs import replace

from riverboat.cards import Card
from riverboat.events import Outcome
from riverboat.games.awards import Winner, envy_dues, forfeited_by_fold, is_live, progressive_dues
from riverboat.games.caps import limited
from riverboat.games.dues import Due, outcome_of, payable, winnings
from riverboat.games.round import Round, Seat
from riverboat.games.setup import Setup
from riverboat.hand_kinds import HANDS, kind_of_five, ranked
from riverboat.hands import FiveCardHand, Kind, Ranked
from riverboat.rulebook import Rulebook
from riverboat.rulebook.play import NOT_QUALIFIED, ComparisonLine
from riverboat.rulebook.values import Pays

ACE_KING = Ranked(FiveCardHand.HIGH_CARD, (12, 11))


def dues(state: Round) -> tuple[Due, ...]:
    """Everything that is owed, in order.

    A state never changes and is asked again at every spot, so it keeps the answer.
    """
    kept: dict[str, tuple[Due, ...]] = vars(state)
    if "dues" not in kept:
        kept["dues"] = _reckoned(state)
    return kept["dues"]


def _reckoned(state: Round) -> tuple[Due, ...]:
    kinds = hand_kinds(state)
    order = state.setup.book.settlement.seats.order
    numbers = sorted(state.seats, reverse=order == "dealers_right_to_left")
    base = {number: _base_pays(state, number, kinds) for number in numbers}
    progressive = _progressive(state, numbers, kinds)
    settlement = state.setup.book.settlement
    at_the_end = settlement.progressive and settlement.progressive.when == "completion_of_round"
    with_hand = settlement.envy and settlement.envy.when == "with_the_qualifying_hand"
    plan: list[Due] = []
    for number in numbers:
        for spot in settlement.spots.order:
            if spot == "progressive":
                plan += [progressive[number]] if number in progressive else []
                plan += envy_dues(state, kinds, [number]) if with_hand else []
            elif spot in state.seats[number].wagers:
                plan += _spot_dues(state, number, spot, base[number], kinds)
    if at_the_end:
        awards = [progressive[number] for number in numbers if number in progressive]
        if state.setup.choice("multi_winner_policy") != "sequential":
            awards.sort(key=lambda due: -due.percent)
        plan += awards
    if not with_hand:
        plan += envy_dues(state, kinds, numbers)
    return tuple([_rounded(state, d) if d.capped else d for d in limited(state.setup, plan)])


def _rounded(state: Round, due: Due) -> Due:
    return replace(due, paid_cents=payable(state.setup, due.exact_cents))


def hand_kinds(state: Round) -> dict[int, Kind]:
    """The base game's hand of every seat whose cards are still there and complete."""
    places = state.setup.book.hands.five.made_of
    if "community" in places and state.turned < len(state.community):
        return {}
    board = state.community if "community" in places else ()
    return {
        number: kind_of_five(seat.cards + board)
        for number, seat in state.seats.items()
        if seat.cards_kept and seat.cards
    }


def bonus_kind(state: Round, seat: Seat, bet: str) -> Kind:
    """The hand that decides a side bet of a seat: the cards of the rulebook's places for it."""
    offer = state.setup.book.offer(bet)
    assert offer is not None
    lying = {"seat": seat.cards, "community": state.community, "box": state.box}
    cards = tuple(card for place in offer.decided_by.places for card in lying[place])
    return HANDS[offer.decided_by.hand].kind_of(cards, state.setup.flag("three_card_ace_low"))


def _progressive(state: Round, numbers: list[int], kinds: dict[int, Kind]) -> dict[int, Due]:
    if state.setup.progressive is None:
        return {}
    lines = state.setup.lines["progressive"]
    rule = state.setup.book.progressive
    assert rule is not None
    from_right = rule.several_winners.order == "dealers_right_to_left"
    winners = [
        Winner(number, kinds[number], lines[kinds[number]])
        for number in sorted(numbers, reverse=from_right)
        if number in kinds and is_live(state.setup, state.seats[number])
    ]
    return progressive_dues(state.setup, winners, state.meter)


def _base_pays(
    state: Round, number: int, kinds: dict[int, Kind]
) -> dict[str, tuple[Pays, tuple[str, ...]]]:
    """For each base spot what it pays and the clauses behind that; nothing for a seat not in."""
    seat = state.seats[number]
    if seat.status != "in" or number not in kinds:
        return {}
    book = state.setup.book
    if book.comparison is None:
        paid = state.setup.lines["base"][kinds[number]]
        return dict.fromkeys(state.setup.base_spots, (paid.pays, paid.cites))
    line = showdown_line(book, seat.cards, state.dealer)
    return {spot: (pays, line.cites) for spot, pays in line.pays.items()}


def showdown_line(
    book: Rulebook, cards: tuple[Card, ...], dealers_cards: tuple[Card, ...]
) -> ComparisonLine:
    """The line for a hand against the dealer's, where the dealer has one."""
    assert book.comparison is not None
    assert book.dealers_hand is not None
    mine, dealers = ranked(cards), ranked(dealers_cards)
    outcome = "tie" if mine == dealers else "player_wins" if mine > dealers else "dealer_wins"
    if book.dealers_hand.qualifies == "with_ace_king" and dealers < ACE_KING:
        outcome = NOT_QUALIFIED
    for line in book.comparison.lines:
        if line.outcome == outcome and (not line.hands or mine.hand.label in line.hands):
            return line
    raise AssertionError(f"no line of {book.comparison.id} is for {outcome}")


def _spot_dues(
    state: Round,
    number: int,
    spot: str,
    base: dict[str, tuple[Pays, tuple[str, ...]]],
    kinds: dict[int, Kind],
) -> Iterator[Due]:
    seat = state.seats[number]
    if spot in state.setup.bonuses:
        found = _bonus_pays(state, seat, spot)
    elif spot in base:
        found = (*base[spot], kinds[number].hand)
    else:
        found = None
    if found is None:
        return
    pays, cites, hand = found
    for place in (spot, f"tip_{spot}"):
        if place in seat.wagers:
            yield _due(state, number, place, pays, cites, hand)


def _bonus_pays(state: Round, seat: Seat, spot: str) -> tuple[Pays, tuple[str, ...], str] | None:
    """What a bonus pays, also to a seat that folded, if its bet is still live."""
    if spot not in seat.wagers or seat.status == "forfeit":
        return None
    if seat.status == "folded" and forfeited_by_fold(state.setup, spot):
        return None
    kind = bonus_kind(state, seat, spot)
    line = state.setup.lines[spot][kind]
    return line.pays, line.cites, kind.hand


def _due(
    state: Round, number: int, spot: str, pays: Pays, cites: tuple[str, ...], hand: str
) -> Due:
    setup, stake = state.setup, state.seats[number].wagers[spot]
    exact = winnings(setup, stake, pays)
    fixed = pays.kind == "dollars"
    off_tray = fixed and exact >= (setup.cents("off_tray_threshold") or 0)
    outcome, returned = outcome_of(pays), not fixed or setup.flag("six_card_stake_returned")
    if spot in setup.base_spots:
        outcome, returned = _as_the_base_game_says(setup, outcome)
    due = Due(
        seat=number,
        spot=spot,
        outcome=outcome,
        hand=hand,
        pays=pays,
        cites=cites,
        stake_cents=stake,
        exact_cents=exact,
        paid_cents=payable(setup, exact),
        stake_returned=returned,
        source="cage" if off_tray else "tray",
    )
    if not spot.startswith("tip_") or due.outcome == "lose":
        return due
    if due.outcome == "win":
        return replace(due, to="tip_box")
    match setup.choice("tip_push"):
        case "box":
            return replace(due, to="tip_box")
        case "stays":
            return replace(due, to="stays")
    return due


def _as_the_base_game_says(setup: Setup, outcome: Outcome) -> tuple[Outcome, bool]:
    """What the rulebook does with base wagers that win, push and lose: taken, or given back."""
    base = setup.book.settlement.base
    match outcome:
        case "win":
            return "win", base.win == "pay_each_wager_and_return_stakes"
        case "push":
            return ("push" if base.push == "return_stakes" else "lose"), True
    return ("lose" if base.lose == "collect" else "push"), True
