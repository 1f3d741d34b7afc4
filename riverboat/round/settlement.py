"""The whole settlement of a round, in the rulebook's order: what every spot is owed, and why."""

from collections.abc import Iterator
from typing import Literal, TypeAlias

from riverboat.core.cards import Card
from riverboat.core.hand_kinds import kind_of_five, ranked
from riverboat.core.hands import FiveCardHand, Kind, Ranked
from riverboat.core.money import Cents
from riverboat.round.awards import Winner, envy_dues, is_live, progressive_dues
from riverboat.round.caps import limited
from riverboat.round.dues import Due, outcome_of
from riverboat.round.events import Outcome
from riverboat.round.setup import Setup
from riverboat.round.state import Round, Seat
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line
from riverboat.rulebook.play import NOT_QUALIFIED, ComparisonLine
from riverboat.rulebook.values import Pays

Decided: TypeAlias = tuple[Kind, Line | ComparisonLine]
"""A hand, and the line of a pay table or of the showdown that it is paid by."""
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
    settlement = state.setup.book.settlement
    from_right = settlement.seats.order == "dealers_right_to_left"
    numbers = sorted(state.seats, reverse=from_right)
    progressive = _progressive(state, numbers, kinds)
    at_the_end = settlement.progressive and settlement.progressive.when == "completion_of_round"
    with_hand = settlement.envy and settlement.envy.when == "with_the_qualifying_hand"
    plan: list[Due] = []
    for number in numbers:
        seat, base = state.seats[number], _base_line(state, number, kinds)
        for spot in settlement.spots.order:
            if spot == "progressive":
                plan += [progressive[number]] if number in progressive else []
                plan += envy_dues(state, kinds, [number]) if with_hand else []
            elif spot in seat.wagers:
                in_bonus = spot in state.setup.bonuses
                found = _bonus_line(state, seat, spot) if in_bonus else base
                plan += _spot_dues(state, number, spot, *found) if found is not None else ()
    if at_the_end:
        awards = [progressive[number] for number in numbers if number in progressive]
        if state.setup.choice("multi_winner_policy") != "sequential":
            awards.sort(key=lambda due: -due.percent)
        plan += awards
    if not with_hand:
        plan += envy_dues(state, kinds, numbers)
    return tuple(limited(state.setup, plan))


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
    side_bet = state.setup.side_bets[bet]
    cards: tuple[Card, ...] = ()
    for place in side_bet.places:
        cards += seat.cards if place == "seat" else getattr(state, place)
    return side_bet.hand.kind_of(cards, state.setup.flag("three_card_ace_low"))


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


def _base_line(state: Round, number: int, kinds: dict[int, Kind]) -> Decided | None:
    """The hand of a seat and the line that its base wagers are paid by; nothing for one not in."""
    seat = state.seats[number]
    if seat.status != "in" or number not in kinds:
        return None
    kind, book = kinds[number], state.setup.book
    if book.comparison is None:
        return kind, state.setup.lines["base"][kind]
    return kind, _showdown_line(book, seat.cards, state.dealer)


def _showdown_line(
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


def _bonus_line(state: Round, seat: Seat, spot: str) -> Decided | None:
    """The hand and the line that a bonus goes by, also of a seat that folded, if it is live."""
    if seat.status == "forfeit":
        return None
    if seat.status == "folded" and spot in state.setup.lost_by_fold:
        return None
    kind = bonus_kind(state, seat, spot)
    return kind, state.setup.lines[spot][kind]


def _spot_dues(
    state: Round, number: int, spot: str, kind: Kind, line: Line | ComparisonLine
) -> Iterator[Due]:
    wagers = state.seats[number].wagers
    pays = line.pays if isinstance(line, Line) else line.pays[spot]
    yield _due(state.setup, number, spot, wagers[spot], pays, kind, line)
    tip = f"tip_{spot}"
    if tip in wagers:
        yield _due(state.setup, number, tip, wagers[tip], pays, kind, line)


def _due(
    setup: Setup,
    number: int,
    spot: str,
    stake_cents: Cents,
    pays: Pays,
    kind: Kind,
    line: Line | ComparisonLine,
) -> Due:
    exact = setup.winnings(stake_cents, pays)
    fixed = pays.kind == "dollars"
    off_tray = fixed and exact >= (setup.cents("off_tray_threshold") or 0)
    outcome, returned = outcome_of(pays), not fixed or setup.flag("six_card_stake_returned")
    if spot in setup.base_spots:
        outcome, returned = _as_the_base_game_says(setup, outcome)
    return Due(
        seat=number,
        spot=spot,
        outcome=outcome,
        kind=kind,
        line=line,
        pays=pays,
        cites=line.cites,
        stake_cents=stake_cents,
        exact_cents=exact,
        paid_cents=setup.payable(exact),
        stake_returned=returned,
        source="cage" if off_tray else "tray",
        to=_tip_goes_to(setup, outcome) if spot.startswith("tip_") else "player",
    )


def _tip_goes_to(setup: Setup, outcome: Outcome) -> Literal["player", "tip_box", "stays"]:
    """A tip that wins goes to the box; one that pushes goes as the option says."""
    pushed = setup.choice("tip_push")
    if outcome == "win" or (outcome == "push" and pushed == "box"):
        return "tip_box"
    return "stays" if outcome == "push" and pushed == "stays" else "player"


def _as_the_base_game_says(setup: Setup, outcome: Outcome) -> tuple[Outcome, bool]:
    """What the rulebook does with base wagers that win, push and lose: taken, or given back."""
    base = setup.book.settlement.base
    match outcome:
        case "win":
            return "win", base.win == "pay_each_wager_and_return_stakes"
        case "push":
            return ("push" if base.push == "return_stakes" else "lose"), True
    return ("lose" if base.lose == "collect" else "push"), True
