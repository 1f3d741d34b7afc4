"""The strategy in words says what the solution does; simple strategies cost what they cost."""

from fractions import Fraction
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from riverboat.core.cards import DECK, RANKS, rank_of, suit_of
from riverboat.core.hands import FiveCardHand, Ranked, rank_five
from riverboat.exact.base_games.dealer_game import (
    DealerSolution,
    dealer_counts,
    played_by,
    solve_against_dealer,
)
from riverboat.exact.base_games.dealer_strategies import (
    RULES_OF_THUMB,
    RankPlay,
    ace_king_by_up_card,
    compact_strategy,
    evaluate_by_rank,
    from_value,
    rules_of_thumb,
    say_value,
)
from riverboat.round import set_up
from riverboat.rulebooks import load
from tests.exact.complete_strategy import StrategyRow, strategy_rows

pytestmark = pytest.mark.slow

HIGH = FiveCardHand.HIGH_CARD
PAIR = Ranked(FiveCardHand.PAIR, ())


@pytest.fixture(scope="module")
def solution() -> DealerSolution:
    return solve_against_dealer(set_up(load("island-stud").book, {}))


@pytest.fixture(scope="module")
def rows(solution: DealerSolution) -> dict[tuple[str, bool], StrategyRow]:
    return {(row.up_rank, row.matches): row for row in strategy_rows(solution)}


def test_all_up_cards_have_their_row(rows: dict[tuple[str, bool], StrategyRow]) -> None:
    assert set(rows) == {(rank, matches) for rank in RANKS for matches in (False, True)}
    seven = rows["7", False]
    assert (seven.fold_up_to, seven.bet_from) == ("A-J-8-3-2", "A-J-9-3-2")
    assert [hand.hand for hand in seven.band][:2] == ["A-J-8-4-2", "A-J-8-4-3"]
    assert str(seven) == (
        "up-card 7, not in your hand: fold up to A-J-8-3-2, bet from A-J-9-3-2; "
        "between them 9 hands go by suits"
    )
    assert rows["K", False].bet_from == "pair 2-5-4-3"
    assert rows["2", True].band == ()


def test_the_rows_are_the_solution(
    solution: DealerSolution, rows: dict[tuple[str, bool], StrategyRow]
) -> None:
    """Every 37th class: what its row says in words is what the solution does, cell by cell."""
    from riverboat.exact.kernels.hand_values import hand_values

    order = {say_value(value): place for place, value in enumerate(hand_values().ranked)}
    counts = solution.counts
    for place in range(0, len(counts.cards), 37):
        mine = tuple(map(int, counts.cards[place]))
        value, said = int(counts.values[place]), say_value(rank_five(mine))
        for up_card in (card for card in DECK if card not in mine):
            matches = rank_of(up_card) in map(rank_of, mine)
            row = rows[RANKS[rank_of(up_card)], matches]
            bets = bool(solution.choices[place, up_card] > 0)
            band = {hand.hand: hand for hand in row.band}
            if said in band:
                suited = sum(suit_of(card) == suit_of(up_card) for card in mine)
                assert band[said].by_suit[suited] in ("both", "bet" if bets else "fold")
            else:
                assert bets == (value >= order[row.bet_from])
                assert bets == (value > order[row.fold_up_to])


def test_rules_of_thumb(solution: DealerSolution) -> None:
    found = {one.name: one for one in rules_of_thumb(solution)}
    assert set(found) == set(RULES_OF_THUMB)
    assert found["bet any pair or A-K"].cost == Fraction(2704562071, 237300363300)
    assert found["bet A-K-J-8-3 or better"].cost == Fraction(1484226274, 59325090825)
    assert all(one.cost > 0 for one in found.values())
    assert all(one.figures.value + one.cost == solution.figures.value for one in found.values())


def test_by_rank_is_as_cell_by_cell(solution: DealerSolution) -> None:
    value = lru_cache(1)(rank_five)
    counts = dealer_counts()
    choices = np.full(counts.lower.shape, -1, np.int8)
    for place, row in enumerate(counts.cards):
        cards = tuple(map(int, row))
        for up_card in (card for card in DECK if card not in cards):
            choices[place, up_card] = ace_king_by_up_card(value(cards), rank_of(up_card))
    assert played_by(solution.terms, choices).figures == evaluate_by_rank(
        solution, ace_king_by_up_card
    )


def test_the_compact_strategy_is_searched_and_costed(solution: DealerSolution) -> None:
    short = compact_strategy(solution)
    assert short.words == (
        "up-card 2 to J, not in your hand: bet A-J-9 or better",
        "up-card Q to A, not in your hand: bet A-K or better",
        "up-card 2 to Q, in your hand: bet A-9-7 or better",
        "up-card K to A, in your hand: bet A-K-8 or better",
    )
    assert short.cost == Fraction(249086977, 1661102543100)
    costs = [compact_strategy(solution, rungs=rungs).cost for rungs in range(2, 9)]
    assert costs == sorted(costs, reverse=True)
    assert costs[2] == short.cost
    assert compact_strategy(solution, costs_at_most=Fraction(1, 50_000)).name == "8 thresholds"
    assert len(compact_strategy(solution, costs_at_most=Fraction(0)).words) < 20


def test_two_thresholds_are_the_best_of_all_pairs_of_them(solution: DealerSolution) -> None:
    """The search against trying: no pair of plain thresholds beats the one that it found."""
    found = compact_strategy(solution, rungs=2)
    for unmatched, matched in product(range(8, 12), range(7, 11)):
        play = _two_thresholds(Ranked(HIGH, (12, unmatched)), Ranked(HIGH, (12, matched)))
        assert evaluate_by_rank(solution, play).value <= found.figures.value


def _two_thresholds(unmatched: Ranked, matched: Ranked) -> RankPlay:
    return lambda mine, up_rank: mine >= (matched if up_rank in mine.ranks else unmatched)


def test_never_betting_costs_the_whole_ante(solution: DealerSolution) -> None:
    never = evaluate_by_rank(solution, lambda mine, up_rank: False)
    assert never.value == -1
    assert never.average_wager == 1
    pairs = evaluate_by_rank(solution, from_value(PAIR))
    assert sum(pairs.folds.values()) == pairs.hands[-1].probability
