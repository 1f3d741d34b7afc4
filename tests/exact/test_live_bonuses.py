"""Bonuses that a fold forfeits: hands counted together with the folds of the best base game."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from random import Random

import numpy as np
import pytest
from msgspec.structs import replace

from riverboat.core.cards import DECK, Card, parse_cards
from riverboat.core.hand_kinds import (
    HANDS,
    HandSize,
    five_card_counts,
    kind_of_six,
    kind_of_three,
    kind_of_two,
    three_card_counts,
)
from riverboat.core.hands import Kind
from riverboat.exact.base_games.dealer_game import solve_against_dealer
from riverboat.exact.base_games.streets import Solution, solve, staying
from riverboat.exact.kernels.dealer_choices import bets_beside
from riverboat.exact.kernels.deck_tables import representatives, set_counts
from riverboat.exact.kernels.holes import hole_tables
from riverboat.exact.kernels.stayers import Deciding, hands_stayed
from riverboat.exact.kernels.street_plans import Tree, betting_of
from riverboat.exact.progressive.envy import (
    Neighbours,
    envy_figures,
    kept_by_own_play,
    lost_by_own_fold,
    neighbours,
)
from riverboat.exact.progressive.table_hands import dealt_chances, hands_of
from riverboat.exact.progressive.wager import (
    needs_base_play,
    progressive_figures,
    progressive_setup,
    progressive_tables,
)
from riverboat.exact.questions.advice import Situation, advise_at
from riverboat.exact.risk.comparison import Stakes, board_covariance, bonus_compared
from riverboat.exact.side_bets import FOLDED, live_hands, side_bet_figures
from riverboat.exact.solvers import best_base_play
from riverboat.round import Setup, set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line, PayTable
from riverboat.rulebook.play import AfterFold, DecidedBy, FoldedSideBet, SideBetOffer
from riverboat.rulebook.values import Pays
from riverboat.rulebooks import load
from riverboat.simulate.simulating import simulate
from tests.exact.own_house import FORFEITED, ONE_TO_FIVE, forfeits, own_house

pytestmark = pytest.mark.slow

MARYLAND = own_house("maryland-2014", *map(forfeits, FORFEITED))
SOUTH_DAKOTA = own_house("south-dakota-3cb", forfeits("three_card_bonus"))
THREE, SIX = "three_card_bonus", "six_card_bonus"


@pytest.fixture(scope="module")
def setup() -> Setup:
    return set_up(MARYLAND, {})


@pytest.fixture(scope="module")
def solution(setup: Setup) -> Solution:
    return solve(setup, 100)


# ---------------------------------------------------------------- who stays


def test_who_stays_is_what_the_solved_game_chooses(solution: Solution) -> None:
    plays = staying(solution.choose)
    for number, hole in list(enumerate(representatives(2)))[::12]:
        rest = [card for card in DECK if card not in hole]
        for first, second in permutations(rest, 2):
            third = next(card for card in rest if card not in (first, second))
            assert solution.stays[number, first, second] == plays(hole, (first, second, third))


def stays_by_cards(tree: Tree, hole: tuple[Card, ...]) -> np.ndarray:
    """Which first two community cards a hole is taken behind: backward over real cards, as the
    protection figures deal them, without classes; of equal choices the smallest bet."""
    apart = ~np.eye(52, dtype=bool)
    apart[list(hole)] = apart[:, list(hole)] = False
    on_fifth, fold_fifth = hole_tables(hole, tree).sums[:, :, tree.row_after], tree.fold_fifth * 48
    best = np.maximum(on_fifth.max(axis=3), fold_fifth) * apart[:, :, None]
    on_fourth, fold_fourth = best.sum(axis=1)[:, tree.fifth_after], tree.fold_fourth * 48 * 49
    best = np.maximum(on_fourth.max(axis=2), fold_fourth) * apart.any(axis=1, keepdims=True)
    on_third = best.sum(axis=0)[tree.fourth_after[0]]
    state = tree.fourth_after[0, on_third.argmax()]
    state_5 = tree.fifth_after[state, on_fourth[:, state].argmax(axis=1)]
    last = on_fifth[np.arange(52), :, state_5].max(axis=2) >= fold_fifth[state_5, None]
    fourth = on_fourth[:, state].max(axis=1, keepdims=True) >= fold_fourth[state]
    stays: np.ndarray = last & fourth & apart
    return stays & bool(on_third.max() >= tree.fold_third[0] * 48 * 49 * 50)


def test_who_stays_by_the_other_solver_card_by_card(solution: Solution) -> None:
    tree = betting_of(solution.payoffs).tree
    for number, hole in enumerate(representatives(2)):
        assert (stays_by_cards(tree, hole) == solution.stays[number]).all()


def everybody_stays() -> np.ndarray:
    stays = np.ones((169, 52, 52), np.bool_)
    for number, hole in enumerate(representatives(2)):
        stays[number, list(hole), :] = stays[number, :, list(hole)] = False
        stays[number, range(52), range(52)] = False
    return stays


BOARD, BOX = Deciding(hole=False, board=True, box=0), Deciding(hole=True, board=False, box=4)


@pytest.mark.parametrize("ace_low", [True, False])
def test_where_nobody_folds_every_board_is_counted(ace_low: bool) -> None:
    assert _chances(BOARD, ace_low=ace_low) == dealt_chances(three_card_counts(ace_low=ace_low))


@pytest.mark.parametrize(
    ("size", "deciding"),
    [
        ("two", Deciding(hole=True, board=False, box=0)),
        ("two", Deciding(hole=False, board=False, box=2)),
        ("three", Deciding(hole=False, board=False, box=3)),
        ("five", Deciding(hole=True, board=True, box=0)),
        ("five", Deciding(hole=True, board=False, box=3)),
        ("six", BOX),
        ("six", Deciding(hole=True, board=True, box=1)),
    ],
)
def test_where_nobody_folds_every_hand_is_counted(size: HandSize, deciding: Deciding) -> None:
    """Whichever cards decide: of the hole, the board, the box, or of several of them."""
    assert _chances(deciding) == dealt_chances(HANDS[size].counts(True))


def _chances(deciding: Deciding, *, ace_low: bool = True) -> dict[Kind, Fraction]:
    found = hands_stayed(everybody_stays(), deciding, ace_low=ace_low)
    return {kind: Fraction(count, deciding.cases) for kind, count in found.items()}


def test_the_base_games_own_hands_are_those_of_its_solution(solution: Solution) -> None:
    """Counted behind the table of who stays, and summed up by the solver going forward."""
    deciding = Deciding(hole=True, board=True, box=0)
    found = hands_stayed(solution.stays, deciding, ace_low=True)
    unfolded = solution.figures.hands_unfolded
    assert {k: Fraction(found[k], deciding.cases) for k in unfolded} == unfolded


@pytest.mark.parametrize("hole", [True, False])
def test_board_and_box_together_card_by_card(hole: bool) -> None:
    """One hole, two first cards that keep it in, and every third card with every box."""
    number, box = 40, 3 - 2 * hole
    own, stays = representatives(2)[number], np.zeros((169, 52, 52), np.bool_)
    first, second = [card for card in DECK if card not in own][7:22:14]
    stays[number, first, second] = True
    found: Counter[Kind] = Counter()
    rest = [card for card in DECK if card not in (*own, first, second)]
    read = HANDS["six"].kind_of
    for last in rest:
        for boxed in combinations([card for card in rest if card != last], box):
            cards = (*(own if hole else ()), first, second, last, *boxed)
            found[read(cards, True)] += set_counts(2)[number]
    counted = hands_stayed(stays, Deciding(hole=hole, board=True, box=box), ace_low=True)
    assert not {kind for kind in found if kind.suit}
    assert counted == found


# ---------------------------------------------------------------- the board


def test_boards_by_their_own_classes_and_the_plain_play(setup: Setup, solution: Solution) -> None:
    """The other way round: rare boards by class, all hole cards and orders behind them."""
    plays, rare = staying(solution.choose), {"mini_royal", "straight_flush", "three_of_a_kind"}
    found: Counter[Kind] = Counter()
    for board, weight in zip(representatives(3), set_counts(3), strict=True):
        kind = kind_of_three(board, ace_low=True)
        if kind.hand in rare:
            rest = [card for card in DECK if card not in board]
            for order in permutations(board):
                found[kind] += weight * sum(plays(two, order) for two in combinations(rest, 2))
    live = live_hands(setup, THREE, 100)
    assert {kind.hand for kind in found} == rare
    assert all(found[kind] == live.hands[kind] for kind in found)


def test_what_is_folded_is_what_the_base_game_folds(setup: Setup, solution: Solution) -> None:
    folds = sum(solution.figures.folds.values(), Fraction(0))
    for bet in (THREE, SIX):
        live = live_hands(setup, bet, 100)
        assert Fraction(live.folded, live.cases) == folds


def test_the_true_edge_of_a_board_bet_that_a_fold_forfeits() -> None:
    """By hand from the live hands; alive after a fold it would be 2.3167 %."""
    found = side_bet_figures(MARYLAND, THREE, "MD-2014-3CB-A")
    kept = side_bet_figures(own_house("maryland-2014"), THREE, "MD-2014-3CB-A")
    assert kept.house_edge == Fraction(128, 5525)
    assert found.house_edge == Fraction(342877, 764400)
    assert found.ev == found.distribution.mean == sum(line.returns for line in found.lines)
    assert sum(line.probability for line in found.lines) == 1
    assert found.lines[-1].label == FOLDED
    assert kept.lines[-1].label != FOLDED
    assert found.assumptions[-1] == (
        "a fold loses this bet; the best play of the base game alone at an ante of $1, ties bet"
    )


def test_the_ante_counts_where_a_limit_changes_the_base_game() -> None:
    small = side_bet_figures(MARYLAND, THREE, "MD-2014-3CB-A", ante_cents=1_00)
    large = side_bet_figures(MARYLAND, THREE, "MD-2014-3CB-A", ante_cents=2500_00)
    assert small.ev != large.ev
    assert "at an ante of $2,500" in large.assumptions[-1]


# ---------------------------------------------------------------- the box


def test_super_royals_by_every_deal(setup: Setup, solution: Solution) -> None:
    plays = staying(solution.choose)
    six = parse_cards("9s Ts Js Qs Ks As")
    rest = [card for card in DECK if card not in six]
    stayed = sum(
        plays(hole, (*two, two[0]))
        for hole in combinations(six, 2)
        for two in permutations(rest, 2)
    )
    live = live_hands(setup, SIX, 100)
    assert live.hands[Kind("super_royal", suit="s")] == stayed
    assert live.hands[Kind("super_royal", suit="c")] == stayed


def test_one_hole_by_dealing_every_box(solution: Solution) -> None:
    """Boxes through the readable evaluator, the cards that keep a hand in counted for each anew."""
    number = next(n for n, two in enumerate(representatives(2)) if two == parse_cards("Jc Tc"))
    hole, alone = representatives(2)[number], np.zeros_like(solution.stays)
    alone[number] = solution.stays[number]
    found: Counter[Kind] = Counter()
    rest = [card for card in DECK if card not in hole]
    for box in combinations(rest, 4):
        live = [card for card in rest if card not in box]
        kind = kind_of_six((*box, *hole))
        named = kind if kind.hand != "super_royal" else Kind("super_royal", suit="c")
        found[named] += set_counts(2)[number] * int(alone[number][np.ix_(live, live)].sum())
    counted = hands_stayed(alone, BOX, ace_low=True)
    in_any_suit = [counted.pop(Kind("super_royal", suit=suit)) for suit in "cdhs"]
    assert sum(in_any_suit) == found.pop(Kind("super_royal", suit="c")) > 0
    assert len(set(in_any_suit)) == 1
    assert counted == found


# ---------------------------------------------------------------- the hole cards


POCKET = "pocket_bonus"


def with_pocket_bonus(after_fold: AfterFold) -> Rulebook:
    """The demo house with a bet on the first two cards alone, put on its table as data."""
    book = load("house-demo").book
    table = PayTable(
        id="POCKET", bet=POCKET, hand="two", status="final", number="1", cites=(),
        lines=(
            Line(hands=("pair",), ranks="JQKA", pays=Pays.parse("10 to 1"), cites=()),
            Line(hands=("pair",), ranks="23456789T", pays=Pays.parse("4 to 1"), cites=()),
            Line(hands=("ace_king_suited",), pays=Pays.parse("15 to 1"), cites=()),
            Line(hands=("suited",), pays=Pays.parse("1 to 1"), cites=()),
            Line(hands=("ace_king", "high_card"), pays=Pays.parse("lose"), cites=()),
        ),
    )  # fmt: skip
    decided = DecidedBy(places=("seat",), hand="two")
    offer = SideBetOffer(bet=POCKET, label="Pocket Bonus", after=("ante",), decided_by=decided,
                         limits="three_card", paytables=("POCKET",), cites=())  # fmt: skip
    rule, spots = FoldedSideBet(after_fold=after_fold, cites=()), book.settlement.spots
    order = replace(spots, order=(*(spot for spot in spots.order if spot != POCKET), POCKET))
    others = tuple(one for one in book.side_bets if one.bet != POCKET)
    tables = tuple(one for one in book.paytables if one.bet != POCKET)
    return replace(
        book,
        side_bets=(*others, offer),
        paytables=(*tables, table),
        fold=replace(book.fold, side_bets={**book.fold.side_bets, POCKET: rule}),
        settlement=replace(book.settlement, spots=order),
    )


def test_a_bet_on_the_hole_cards_that_a_fold_forfeits_by_every_deal() -> None:
    """The plain play asked for every first two community cards behind every hole."""
    setup = set_up(with_pocket_bonus("forfeited"), {})
    plays = staying(solve(setup).choose)
    found: Counter[Kind] = Counter()
    for hole, weight in zip(representatives(2), set_counts(2), strict=True):
        rest = [card for card in DECK if card not in hole]
        stayed = sum(plays(hole, (*two, two[0])) for two in permutations(rest, 2))
        found[kind_of_two(hole)] += weight * stayed
    live = live_hands(setup, POCKET)
    assert live.hands == found
    assert live.cases == 1326 * 50 * 49
    figures, kept = (
        side_bet_figures(with_pocket_bonus(rule), POCKET, "POCKET")
        for rule in ("forfeited", "live")
    )
    net = {kind: line.net for line in figures.lines for kind in line.kinds}
    by_hand = sum(Fraction(n, live.cases) * net[str(k)] for k, n in found.items())
    assert figures.ev == by_hand - Fraction(live.folded, live.cases)
    assert kept.ev == Fraction(4 * 6 * 10 + 9 * 6 * 4 + 4 * 15 + 77 * 4 - 77 * 12 - 12, 1326)
    assert figures.ev < kept.ev
    assert figures.lines[-1].label == FOLDED


def test_a_bet_on_the_hole_cards_in_rounds_through_the_engine() -> None:
    for after_fold in ("forfeited", "live"):
        found = simulate(with_pocket_bonus(after_fold), 1500, seed=5)
        one = next(one for one in found.bets if one.bet == POCKET)
        assert one.z is not None
        assert abs(one.z) < 4, one


# ---------------------------------------------------------------- against a dealer


_REST = 'ranks = "23456789", label = "any other hand", pays = '
ANY_HAND = (f'{_REST}"lose"', f'{_REST}"push"')


def test_island_stud_folds_no_hand_that_its_bonus_pays() -> None:
    book = own_house("island-stud")
    strict = set_up(book, {"fold_forfeits_side_bets": True})
    dealt = five_card_counts()
    for name in ("IS-01", "IS-02"):
        kept, lost = (side_bet_figures(one, "bonus", name) for one in (set_up(book, {}), strict))
        assert lost.ev == kept.ev
        assert lost.lines[-1].label == FOLDED
        assert lost.lines[-1].probability > Fraction(1, 3)
    play = best_base_play(strict)
    assert play.unfolded[Kind("pair", "A")] == Fraction(dealt[Kind("pair", "A")], 2_598_960)
    assert play.unfolded[Kind("high_card")] < Fraction(dealt[Kind("high_card")], 2_598_960) / 2


def test_a_bonus_for_hands_that_are_folded_has_its_true_edge_against_a_dealer_too() -> None:
    book = own_house("island-stud", ANY_HAND)
    found = simulate(book, 1200, seed=3, table={"fold_forfeits_side_bets": True})
    bonus = next(one for one in found.bets if one.bet == "bonus")
    kept = side_bet_figures(set_up(book, {}), "bonus", bonus.paytable)
    assert bonus.exact is not None
    assert kept.ev - bonus.exact > Fraction(1, 3)
    assert bonus.z is not None
    assert abs(bonus.z) < 4


# ---------------------------------------------------------------- through the engine


@pytest.mark.parametrize("book", [MARYLAND, SOUTH_DAKOTA], ids=["maryland", "south-dakota"])
def test_rounds_through_the_engine_agree(book: object) -> None:
    found = simulate(book, 1500, seed=4)  # type: ignore[arg-type]
    for one in found.bets:
        assert one.z is not None
        assert abs(one.z) < 4, one
    three = next(one for one in found.bets if one.bet == THREE)
    assert three.exact is not None
    assert (float(three.exact) - 0.4) / three.standard_error < -4, "as if it stayed live"


def test_two_seats_on_one_board_correlate_less_where_a_fold_forfeits() -> None:
    book = own_house("maryland-2014", *ONE_TO_FIVE, forfeits(THREE))
    setup, stakes = set_up(book, {}), Stakes()
    one = bonus_compared(setup, THREE, "MD-2014-3CB-A", stakes, 6)
    ante = stakes.ante_cents
    together = board_covariance(setup, THREE, "MD-2014-3CB-A", one.wager_cents, ante)
    found = side_bet_figures(setup, THREE, "MD-2014-3CB-A", one.wager_cents, ante_cents=ante)
    variance = found.distribution.variance
    assert 0 < together < variance
    assert one.notes[0] == f"two seats on the same cards correlate {float(together / variance):.4f}"
    assert _sampled_covariance(setup, found, ante) == pytest.approx(float(together), rel=0.15)


def _sampled_covariance(setup: Setup, found: object, ante: int) -> float:
    rng, plays = Random(6), staying(solve(setup, ante).choose)
    net = {kind: float(line.net) for line in found.lines for kind in line.kinds}  # type: ignore[attr-defined]
    results = []
    for _ in range(40_000):
        cards = rng.sample(range(52), 7)
        board = tuple(cards[4:])
        won = net[str(kind_of_three(tuple(sorted(board)), ace_low=True))]
        results.append(
            [won if plays(tuple(two), board) else -1.0 for two in (cards[:2], cards[2:4])]
        )
    return float(np.cov(np.array(results).T)[0, 1])


# ---------------------------------------------------------------- envy that a fold loses


def forfeiting_envy(base: str) -> Setup:
    book = own_house(base, forfeits("envy"))
    return progressive_setup(book, next(iter(progressive_tables(book))))


RARE = frozenset({Kind("royal_flush"), Kind("straight_flush")})


def sampled_share(decided: Callable[[tuple[int, ...], Random], tuple[bool, bool]]) -> float:
    """Of the rounds in which another straight flush counts, those in which the own hand does."""
    rng, hands = Random(8), [hand for hand, _ in hands_of(RARE)]
    rounds = [decided(tuple(rng.sample(rng.choice(hands), 5)), rng) for _ in range(SAMPLES)]
    counted = [own for other, own in rounds if other]
    assert len(counted) > SAMPLES // 2
    return sum(counted) / len(counted)


SAMPLES = 3000
FOUR_ERRORS = 4 * 0.5 / SAMPLES**0.5 * 2**0.5


def test_envy_that_a_fold_loses_on_one_board() -> None:
    """A board that makes another's straight flush keeps more of one's own hands in than others."""
    setup = forfeiting_envy("maryland-2014")
    play = best_base_play(setup)
    assert play.stays is not None
    assert needs_base_play(setup)

    def decided(hand: tuple[int, ...], rng: Random) -> tuple[bool, bool]:
        assert play.stays is not None
        own = tuple(rng.sample([card for card in DECK if card not in hand], 2))
        return play.stays(hand[:2], hand[2:]), play.stays(own, hand[2:])

    prizes = Neighbours(1, dict.fromkeys(RARE, 1), only_unfolded=True)
    kept = kept_by_own_play(setup, play, prizes)
    assert float(kept) == pytest.approx(sampled_share(decided), abs=FOUR_ERRORS)
    assert kept > sum(play.unfolded.values(), Fraction(0)) + Fraction(3, 100)
    live = envy_figures(set_up_live(setup), play, bettors=5).expected
    own = neighbours(setup, 5)
    lost = envy_figures(setup, play, bettors=5)
    assert lost.expected == live * kept_by_own_play(setup, play, own)
    assert "a fold loses the envy bonus" in lost.assumptions[-1]


def set_up_live(setup: Setup) -> Setup:
    book = own_house("maryland-2014")
    return replace(setup, book=book)


def test_envy_that_a_fold_loses_against_a_dealer() -> None:
    setup = forfeiting_envy("island-stud")
    play, solved = best_base_play(setup), solve_against_dealer(setup, 100)
    assert play.beside is not None

    def decided(hand: tuple[int, ...], rng: Random) -> tuple[bool, bool]:
        *own, up = rng.sample([card for card in DECK if card not in hand], 6)
        return True, advise_at(setup, Situation(cards=tuple(own), up_card=up), 100).best != "fold"

    group = Neighbours(1, dict.fromkeys(RARE, 1), only_unfolded=False)
    kept = kept_by_own_play(setup, play, group)
    assert float(kept) == pytest.approx(sampled_share(decided), abs=FOUR_ERRORS)
    every = bets_beside(solved.counts, np.ones_like(solved.choices), straight_flushes())
    assert sum(every) == 40 * comb(47, 5) * 47  # Its own cards are up-cards here, and not others'.


def straight_flushes() -> list[tuple[int, ...]]:
    return [hand for hand, _ in hands_of(RARE)]


def test_a_folder_still_earns_envy_in_island_stud_where_its_side_bets_are_lost() -> None:
    """E-20: the envy bonus is the same whether the fold forfeits the progressive or not."""
    book = own_house("island-stud")
    table = next(iter(progressive_tables(book)))
    found = [
        progressive_figures(
            progressive_setup(book, table, options={"fold_forfeits_side_bets": lost})
        )
        for lost in (False, True)
    ]
    assert found[0].envy == found[1].envy > 0
    assert found[0].ev == found[1].ev
    assert not lost_by_own_fold(
        progressive_setup(book, table, options={"fold_forfeits_side_bets": True})
    )
