"""Island Stud against plain Python: counts, payouts, decisions, advice; and a sister game."""

import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from msgspec.structs import replace

from riverboat.answers.payout_checker import Request, settle
from riverboat.core.cards import DECK, Card, parse_card, parse_cards
from riverboat.core.errors import FouledDeck
from riverboat.core.hands import FiveCardHand, rank_five
from riverboat.exact.base_games.dealer_game import (
    DEALER_HANDS,
    DEALS,
    DealerGameFigures,
    DealerSolution,
    dealer_counts,
    payouts,
    played_by,
    settled,
    situation_of,
    solve_against_dealer,
    terms_of,
)
from riverboat.exact.questions.advice import Advice, Situation, advise_at
from riverboat.round import Setup, set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebook.play import NOT_QUALIFIED
from riverboat.rulebook.values import Pays
from riverboat.rulebooks import load
from riverboat.simulate.simulating import simulate
from tests.exact import dealer_game_witness as witness
from tests.support.orbits import suit_classes


def advise(setup: Setup, cards: Sequence[Card], up_card: Card, know: Sequence[Card] = ()) -> Advice:
    known = Situation(cards=tuple(cards), up_card=up_card, know=tuple(know))
    return advise_at(setup, known, 100)


@pytest.fixture(scope="module")
def book() -> Rulebook:
    return load("island-stud").book


@pytest.fixture(scope="module")
def setup(book: Rulebook) -> Setup:
    return set_up(book, {})


@pytest.fixture(scope="module")
def solution(setup: Setup) -> DealerSolution:
    return solve_against_dealer(setup)


CARIBBEAN = load("caribbean-demo").book
"""A house's own game of the same shape, where the dealer has to qualify."""
GAMES = {"island-stud": witness.ISLAND, "caribbean-demo": witness.CARIBBEAN}


@pytest.fixture(scope="module")
def caribbean() -> Setup:
    return set_up(CARIBBEAN, {})


def by_hand(
    setup: Setup, mine: tuple[Card, ...], up_card: Card, out: tuple[Card, ...] = ()
) -> Fraction:
    """What betting is worth, in plain Python: every dealer hand dealt, each kind once settled."""
    live = [card for card in DECK if card not in (*mine, up_card, *out)]
    value = rank_five(mine)
    dealt: Counter[int] = Counter()
    examples: dict[int, tuple[Card, ...]] = {}
    for four in combinations(live, 4):
        dealers = (up_card, *four)
        situation = situation_of(value, rank_five(dealers))
        dealt[situation] += 1
        examples.setdefault(situation, dealers)
    multiple = setup.stages[0].multiples[0]
    wagers = {"ante": 100, "bet": 100 * multiple}
    cents = sum(
        settled(setup, wagers, mine, examples[situation]).net_cents * hands
        for situation, hands in dealt.items()
    )
    return Fraction(cents, 100 * dealt.total())


@pytest.mark.slow
def test_the_classes_are_those_of_the_readable_evaluator() -> None:
    counts = dealer_counts()
    from riverboat.exact.kernels.hand_values import hand_values

    values = hand_values()
    ours: Counter[tuple[int, int]] = Counter()
    theirs: Counter[tuple[int, int]] = Counter()
    for value, weight in zip(counts.values.tolist(), counts.weights.tolist(), strict=True):
        ours[value, weight] += 1
    for cards, weight in suit_classes(5):
        theirs[values.value_of[rank_five(cards)], weight] += 1
    assert ours == theirs
    assert int(counts.weights.sum()) == 2_598_960
    for row, value in zip(counts.cards.tolist(), counts.values.tolist(), strict=True):
        assert values.ranked[value] == rank_five(row)


@pytest.mark.slow
def test_every_hand_of_the_compiled_ranking_is_ranked_as_the_readable_one_does() -> None:
    from riverboat.exact.kernels.dealer_hands import every_value
    from riverboat.exact.kernels.hand_values import hand_values

    values = every_value()
    weights: Counter[int] = Counter()
    for cards, weight in suit_classes(5):
        weights[hand_values().value_of[rank_five(cards)]] += weight
    assert Counter(values.tolist()) == weights
    hands = list(enumerate(combinations(DECK, 5)))
    for place, cards in hands[:: len(hands) // 20_000]:
        assert hand_values().ranked[values[place]] == rank_five(cards)


@pytest.mark.slow
def test_counts_add_up_over_all_deals() -> None:
    """Whoever is called the player: lower and higher happen equally often, summed over all."""
    counts = dealer_counts()
    weights = counts.weights[:, None]
    lower = int((counts.lower.astype("int64") * weights).sum())
    ties = int((counts.ties.astype("int64") * weights).sum())
    assert 2 * lower + ties == DEALS * DEALER_HANDS
    short = int((counts.short.astype("int64") * weights).sum())
    lowest = rank_five(parse_cards("Ac Kd 4h 3s 2c"))
    below = sum(weight for cards, weight in suit_classes(5) if rank_five(cards) < lowest)
    assert short * 2_598_960 == below * DEALS * DEALER_HANDS


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_sampled_cells_as_dealt_by_hand(game: str) -> None:
    table = set_up(load(game).book, {})
    solution = solve_against_dealer(table)
    terms = solution.terms
    dice = random.Random(f"{game} cells")
    for _ in range(4):
        place = dice.randrange(len(solution.counts.cards))
        mine = tuple(map(int, solution.counts.cards[place]))
        up_card = dice.choice([card for card in DECK if card not in mine])
        worth = by_hand(table, mine, up_card)
        assert advise(table, mine, up_card).choices["bet"] == worth
        folds = Fraction(terms.folding_cents, terms.ante_cents)
        assert (int(solution.choices[place, up_card]) > 0) == (worth >= folds)
        assert worth == _from_counts(solution, place, up_card)


@pytest.mark.slow
def test_cells_at_par_are_worth_an_ante_by_hand(setup: Setup, solution: DealerSolution) -> None:
    cells = [
        (place, up_card)
        for place, row in enumerate(solution.choices)
        for up_card in range(52)
        if row[up_card] > 64
    ]
    assert len(cells) == 2
    for place, up_card in cells:
        mine = tuple(map(int, solution.counts.cards[place]))
        assert by_hand(setup, mine, up_card) == -1
        assert advise(setup, mine, up_card).best == "bet"


def _from_counts(solution: DealerSolution, place: int, up_card: int) -> Fraction:
    counts, terms = solution.counts, solution.terms
    mine = rank_five(tuple(map(int, counts.cards[place])))
    lower, ties = int(counts.lower[place, up_card]), int(counts.ties[place, up_card])
    short = int(counts.short[place, up_card])
    higher = DEALER_HANDS - lower - ties
    if counts.values[place] < counts.threshold:
        dealt = (lower, ties, short - lower - ties, 0, 0, DEALER_HANDS - short)
    else:
        dealt = (short, 0, 0, lower - short, ties, higher)
    paid = terms.paid[0]
    cents = sum(n * paid[mine.hand, s].net_cents for s, n in enumerate(dealt) if n)
    return Fraction(cents, DEALER_HANDS * terms.ante_cents)


def test_island_figures(solution: DealerSolution) -> None:
    bets, folds = solution.figures, solution.figures_folding_ties
    (folded,), (made,) = bets.folds.values(), bets.bets.values()
    assert bets.value == folds.value == Fraction(-207567543, 10648093225)
    assert folded + bets.at_par == sum(folds.folds.values())
    assert bets.at_par == Fraction(3, 10179260)
    assert bets.average_wager - folds.average_wager == 2 * bets.at_par
    assert folds.element_of_risk > bets.element_of_risk
    assert folded + sum(made.values()) == 1
    assert sum(bets.distribution.win_push_loss) == 1
    assert {hand.hand: hand.probability for hand in bets.hands} == _dealt_by_hand()
    for hand in bets.hands:
        assert hand.wins + hand.pushes + hand.loses == hand.bet
    assert not bets.capped


def _dealt_by_hand() -> dict[str, Fraction]:
    found: Counter[str] = Counter()
    for cards, weight in suit_classes(5):
        found[rank_five(cards).hand.label] += weight
    return {hand: Fraction(count, 2_598_960) for hand, count in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_whole_game_by_multiplying(game: str) -> None:
    """Every hand with every up-card, the dealer's hands counted by their ranks: the same game."""
    found, theirs = (
        witness.by_multiplying(GAMES[game]),
        solve_against_dealer(set_up(load(game).book, {})).figures,
    )
    assert found.hands == 2_598_960
    assert found.ev == theirs.value
    assert found.element_of_risk == theirs.element_of_risk
    assert found.fold_frequency == theirs.folds["bet"]


@pytest.mark.slow
def test_every_hundredth_class_by_dealing(caribbean: Setup) -> None:
    """63,215 cells, each of the dealer's 163,185 hands in each dealt out."""
    solution = solve_against_dealer(caribbean)
    chosen = range(0, len(solution.counts.cards), 100)
    weights = [int(solution.counts.weights[place]) for place in chosen]
    hands = [tuple(map(int, solution.counts.cards[place])) for place in chosen]
    found = witness.by_dealing(witness.CARIBBEAN, list(zip(hands, weights, strict=True)))
    worth, folds = Fraction(0), 0
    for place, weight, mine in zip(chosen, weights, hands, strict=True):
        bets = [_from_counts(solution, place, up) for up in DECK if up not in mine]
        worth += weight * sum(max(bet, Fraction(-1)) for bet in bets)
        folds += weight * sum(bet < -1 for bet in bets)
    assert len(hands) * 47 == 63_215
    assert found.hands == sum(weights)
    assert found.ev == worth / (47 * found.hands)
    assert found.fold_frequency == Fraction(folds, 47 * found.hands)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
def test_the_whole_game_by_dealing(game: str) -> None:
    """134,459 classes of hands and 1,533,939 dealer's hands behind each: four minutes a game."""
    found = witness.by_dealing(GAMES[game], list(suit_classes(5)))
    assert found == witness.by_multiplying(GAMES[game])


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_value_without_any_distribution(game: str) -> None:
    """The worth of every cell by whole arrays instead of the compiled loop, and summed up."""
    import numpy as np

    from riverboat.exact.base_games.dealer_game import kinds_of_classes, nets_of

    solution = solve_against_dealer(set_up(load(game).book, {}))
    counts, terms = solution.counts, solution.terms
    nets = nets_of(terms)[0][kinds_of_classes()][:, None, :]
    lower, ties, short = (
        array.astype(np.int64) for array in (counts.lower, counts.ties, counts.short)
    )
    higher = DEALER_HANDS - lower - ties
    is_short = (counts.values < counts.threshold)[:, None]
    if_short = lower * nets[..., 0] + ties * nets[..., 1] + (short - lower - ties) * nets[..., 2]
    if_short += (DEALER_HANDS - short) * nets[..., 5]
    if_not = short * nets[..., 0] + (lower - short) * nets[..., 3] + ties * nets[..., 4]
    if_not += higher * nets[..., 5]
    best = np.maximum(np.where(is_short, if_short, if_not), DEALER_HANDS * terms.folding_cents)
    best[solution.choices < 0] = 0
    rows = zip(best.sum(axis=1).tolist(), counts.weights.tolist(), strict=True)
    total = sum(row * weight for row, weight in rows)
    assert Fraction(total, DEALS * DEALER_HANDS * terms.ante_cents) == solution.figures.value


def test_caribbean_stud_as_published(caribbean: Setup) -> None:
    """House edge 5.224 %, element of risk 2.555 %, as every book on that game has it."""
    found = solve_against_dealer(caribbean).figures
    assert f"{float(found.house_edge):.3%}" == "5.224%"
    assert f"{float(found.element_of_risk):.3%}" == "2.555%"
    assert f"{float(found.folds['bet']):.2%}" == "47.77%"
    assert f"{found.distribution.standard_deviation:.2f}" == "2.24"
    assert found.value == Fraction(-142031221, 2718662100)


@pytest.mark.slow
def test_caribbean_stud_in_rounds_through_the_engine() -> None:
    """Another way altogether: the engine deals and settles, and no hand is counted."""
    base = simulate(CARIBBEAN, 1500, seats=6, seed=7).bets[0]
    assert base.exact == Fraction(-142031221, 2718662100)
    assert base.z is not None
    assert abs(base.z) < 4


def test_a_dealer_who_does_not_qualify_pays_by_the_lines_of_that(caribbean: Setup) -> None:
    """Whatever the player holds, lower or higher: the ante wins, and the bet is given back."""
    found = payouts(caribbean, {"ante": 1000, "bet": 2000})
    short = {key: paid.net_cents for key, paid in found.items() if key[1] < 3}
    assert {situation for _, situation in short} == {0, 1, 2}
    assert set(short.values()) == {1000}
    wins = {hand: paid.net_cents for (hand, s), paid in found.items() if s == 3}
    assert wins[FiveCardHand.ROYAL_FLUSH] == 1000 + 100 * 2000
    assert wins[FiveCardHand.HIGH_CARD] == 1000 + 2000
    other = replace_bet_of_short_dealer("1 to 1")
    assert (
        solve_against_dealer(set_up(other, {})).figures.value
        > solve_against_dealer(caribbean).figures.value
    )


def replace_bet_of_short_dealer(pays: str) -> Rulebook:
    """Nothing about these lines is built in: a dealer who does not qualify may pay the bet too."""
    comparison = CARIBBEAN.comparison
    assert comparison is not None
    first, *rest = comparison.lines
    assert first.outcome == NOT_QUALIFIED
    changed = replace(first, pays={**first.pays, "bet": Pays.parse(pays)})
    return replace(CARIBBEAN, comparison=replace(comparison, lines=(changed, *rest)))


def test_nothing_depends_on_the_size_of_the_ante(setup: Setup, solution: DealerSolution) -> None:
    dear = solve_against_dealer(setup, 2500).figures
    assert dear.distribution == solution.figures.distribution


def test_a_limit_cuts_and_is_said(book: Rulebook, solution: DealerSolution) -> None:
    limited = set_up(book, {"aggregate_limit": "2.50"})
    found = solve_against_dealer(limited, 100).figures
    assert found.capped
    assert found.value < solution.figures.value
    best = {hand: paid for (hand, s), paid in terms_of(limited).paid[0].items() if s == 3}
    assert best[FiveCardHand.FLUSH].net_cents == 250
    assert best[FiveCardHand.PAIR].net_cents == 200


def test_payouts_are_those_of_the_payout_checker(book: Rulebook, setup: Setup) -> None:
    found = payouts(setup, {"ante": 1000, "bet": 2000})
    deals = {
        "2c 2d 9h 7s 5c": "Ad Kc Qd 3h 4c",
        "2c 2d 9h 9s 5c": "Ad Kc Qd 3h 4c",
        "Ac Kd 9h 7s 5c": "Ad Kc 9d 7h 5d",
        "Qc Jd 9h 7s 5c": "8d 8c 9d 7h 5d",
    }
    for mine, dealers in deals.items():
        value, other = (rank_five(parse_cards(text)) for text in (mine, dealers))
        told = settle(book, Request(ante="10", cards=mine, dealer=dealers))
        assert found[value.hand, situation_of(value, other)].net_cents == told.net_cents


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cards", "up_card", "know"),
    [
        ("Ac Jd 8h 5s 3c", "7h", ""),
        ("Ac Jd 8h 5s 3c", "7h", "Ad As"),
        ("Ac Jd 8h 5s 3c", "7h", "7c 7d 7s 2c 2d"),
        ("Qc Jd 9h 7s 5c", "Kh", ""),
        ("2c 2d 5h 4s 3c", "Ah", "Ac Kc"),
        ("Ac Kc Qc Jc Tc", "Ad", ""),
    ],
)
def test_advice_as_dealt_by_hand(setup: Setup, cards: str, up_card: str, know: str) -> None:
    mine, up, out = parse_cards(cards), parse_card(up_card), parse_cards(know)
    found = advise(setup, mine, up, out)
    assert found.choices == {"fold": -1, "bet": by_hand(setup, mine, up, out)}
    assert found.best == ("bet" if found.choices["bet"] >= -1 else "fold")


def test_advice_refuses_a_fouled_deck(setup: Setup) -> None:
    with pytest.raises(FouledDeck):
        advise(setup, parse_cards("Ac Jd 8h 5s 3c"), parse_card("Ac"))
    with pytest.raises(FouledDeck):
        advise(setup, parse_cards("Ac Jd 8h 5s 3c"), parse_card("7h"), parse_cards("8h"))


def test_a_choice_of_multiples(setup: Setup, solution: DealerSolution) -> None:
    """With strong hands the largest bet is best, with weak ones the smallest or none."""
    (only,) = setup.book.decisions
    larger = replace(only, bet=replace(only.bet, multiples=(1, 2, 3)))
    wider = replace(setup, book=replace(setup.book, decisions=(larger,)))
    found = solve_against_dealer(wider).figures
    assert found.value > solution.figures.value
    assert sum(found.bets["bet"].values()) + found.folds["bet"] == 1
    assert found.bets["bet"][3] > found.bets["bet"][1] > 0 == found.bets["bet"][2]
    advice = advise(wider, parse_cards("2c 2d 5h 4s 3c"), parse_card("Ah"))
    assert list(advice.choices) == ["fold", "1x", "2x", "3x"]
    assert (
        advice.choices["2x"]
        == advise(setup, parse_cards("2c 2d 5h 4s 3c"), parse_card("Ah")).choices["bet"]
    )
    assert advice.choices[advice.best] == max(advice.choices.values())


def test_any_way_of_playing(setup: Setup, solution: DealerSolution) -> None:
    """Betting everything wins as often as the dealer does, so its value is known by symmetry."""
    import numpy as np

    every_hand = np.where(solution.choices < 0, -1, 1).astype(np.int8)
    found: DealerGameFigures = played_by(solution.terms, every_hand).figures
    assert found.folds["bet"] == 0
    win, push, loss = found.distribution.win_push_loss
    assert win == loss
    assert win + push + loss == 1
    two_pair_wins = sum(hand.wins for hand in found.hands if hand.hand not in ("pair", "high_card"))
    assert found.value == 2 * win + two_pair_wins - 3 * loss
    assert played_by(solution.terms, solution.choices).figures.value == solution.figures.value
