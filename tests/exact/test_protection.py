"""The game protection laboratory: compiled values against plain Python, samples against exact."""

from fractions import Fraction
from itertools import combinations, islice, permutations
from random import Random

import numpy as np
import pytest

from riverboat.core.cards import DECK, Card, parse_cards
from riverboat.core.errors import NotationError
from riverboat.core.hand_kinds import kind_of_five
from riverboat.exact.base_games.dealer_game import (
    dealer_counts,
    kinds_of_classes,
    nets_of,
    terms_of,
)
from riverboat.exact.base_games.street_payoffs import Bets, Payoffs, payoffs_of
from riverboat.exact.base_games.streets import solve
from riverboat.exact.kernels.dealer_choices import play_flashed
from riverboat.exact.kernels.dealer_hands import every_value
from riverboat.exact.kernels.holes import (
    HoleTables,
    hole_tables,
    live_cards,
    sum_knowing,
    value_knowing,
    value_played,
    value_with_dead,
)
from riverboat.exact.kernels.street_plans import Tree
from riverboat.exact.protection.knowledge import (
    cards_known,
    community_known,
    dead_pairs,
    flashed_card,
    one_other_hand,
    other_hands,
    streets_of,
)
from riverboat.exact.protection.report import exposed
from riverboat.exact.questions.advice import advise_on
from riverboat.exact.rule_changes import base_lines_moved, moved, with_line
from riverboat.exact.side_bets import side_bet_figures
from riverboat.round import set_up
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.values import Pays
from riverboat.rulebooks import load
from tests.exact.mississippi_witness import net

pytestmark = pytest.mark.slow

UNKNOWN = -1
HOLES = ("Ah Kd", "6h 5h", "7c 2d", "Tc Td", "Qs Js")


def table(book: str = "maryland-2014") -> Setup:
    return set_up(load(book).book, {})


def known_value(
    hole: tuple[int, int], tables: HoleTables, tree: Tree, known: tuple[int, int, int]
) -> int:
    """The compiled value when community cards are known, summed over the boards left."""
    places = np.array(known, np.int64)
    return value_knowing(tables, live_cards(*hole), tree, places)


def knowing(payoffs: Payoffs, hole: tuple[Card, ...], known: tuple[Card, ...]) -> Fraction:
    """The value of a hole when community cards are known, by dealing them, in plain Python."""
    live = [card for card in DECK if card not in (*hole, *known)]

    def cards_at(place: int, seen: tuple[Card, ...]) -> list[Card]:
        if known[place] != UNKNOWN:
            return [known[place]]
        return [card for card in live if card not in seen]

    def worth(seen: tuple[Card, ...], bets: Bets) -> Fraction:
        """With these cards turned and bets made, before the next decision."""
        best = Fraction(payoffs.folded[bets], payoffs.unit)
        for multiple in payoffs.multiples[len(bets)]:
            after = (*bets, multiple)
            results = [
                net(payoffs, after, kind_of_five((*hole, *seen, card)))
                if len(after) == 3
                else worth((*seen, card), after)
                for card in cards_at(len(bets), seen)
            ]
            best = max(best, sum(results, Fraction(0)) / len(results))
        return best

    return worth((), ())


# ---------------------------------------------------------------- community cards


def require_confirmed(setup: Setup, hole: str, known: tuple[str, ...], ways: int) -> None:
    """What a hand is worth with known cards, by the kernels and in plain Python."""
    payoffs, betting = payoffs_of(setup), streets_of(setup)
    one, other = parse_cards(hole)
    first, second, third = (parse_cards(card)[0] if card else UNKNOWN for card in known)
    tables = hole_tables((one, other), betting.tree)
    found = known_value((one, other), tables, betting.tree, (first, second, third))
    confirmed = knowing(payoffs, (one, other), (first, second, third))
    assert Fraction(found * betting.part, ways * payoffs.unit) == confirmed


@pytest.mark.parametrize(
    ("hole", "known"),
    [
        ("6h 5h", ("Qs", "6d", "")),
        ("Ah Kd", ("", "Kc", "2c")),
        ("7c 2d", ("7d", "", "7h")),
        ("Tc Td", ("", "3s", "4s")),
        ("Jc Td", ("", "9s", "8h")),
        ("Jc Td", ("9s", "", "8h")),
    ],
)
def test_two_known_cards_in_plain_python(hole: str, known: tuple[str, ...]) -> None:
    require_confirmed(table(), hole, known, 48)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("book", "hole", "known"),
    [
        ("maryland-2014", "6h 5h", ("", "", "6d")),
        ("house-demo", "Ah Kd", ("", "9c", "")),
        ("maryland-2014", "7c 2d", ("7d", "", "")),
    ],
)
def test_one_known_card_in_plain_python(book: str, hole: str, known: tuple[str, ...]) -> None:
    require_confirmed(table(book), hole, known, 49 * 48)


def test_the_first_card_known_is_advice_before_a_bet() -> None:
    """The next card known is the same as having it turned, but for what can still be folded."""
    setup = table()
    payoffs, betting = payoffs_of(setup), streets_of(setup)
    one, other = parse_cards("9h 8h")
    tables = hole_tables((one, other), betting.tree)
    (card,) = parse_cards("7h")
    found = known_value((one, other), tables, betting.tree, (card, UNKNOWN, UNKNOWN))
    best = Fraction(payoffs.folded[()], payoffs.unit)
    for bet in payoffs.multiples[0]:
        advice = advise_on(payoffs, (one, other), (card,), (bet,))
        best = max(best, advice.choices[advice.best])
    assert Fraction(found * betting.part, 49 * 48 * payoffs.unit) == best


def test_the_sum_over_known_cards_is_their_sum() -> None:
    betting = streets_of(table())
    one, other = parse_cards("Qs Js")
    tables = hole_tables((one, other), betting.tree)
    live = live_cards(one, other)
    cards = live.tolist()
    thirds = (
        known_value((one, other), tables, betting.tree, (UNKNOWN, UNKNOWN, card)) for card in cards
    )
    assert sum_knowing(tables, live, betting.tree, np.array([2])) == sum(thirds)
    pairs = (
        known_value((one, other), tables, betting.tree, (x, UNKNOWN, y))
        for x, y in permutations(cards, 2)
    )
    assert sum_knowing(tables, live, betting.tree, np.array([0, 2])) == sum(pairs)


def test_what_community_cards_are_worth() -> None:
    """At an ante that no limit touches; more knowledge is never worth less."""
    setup = table()
    values = {
        places: community_known(setup, places).value
        for places in ((0,), (1,), (2,), (0, 1), (0, 1, 2))
    }
    assert values[0,] == Fraction(254633, 464100)
    assert values[1,] == Fraction(5089081, 6497400)
    assert values[2,] == Fraction(678763, 649740)
    assert values[0, 1] == Fraction(259013, 162435)
    assert values[0, 1, 2] == Fraction(362581, 129948)
    assert community_known(setup, (0,)).base == solve(setup).value


# ---------------------------------------------------------------- other hands


@pytest.mark.parametrize(
    ("hole", "seen"),
    [
        ("6h 5h", "6c 6d"),
        ("Ah Kd", "As Ks 2c 3c"),
        ("Tc Td", "Th 4s 9c 9d 2h 2d"),
        ("4c 4d", ""),
        ("Jc Td", "2c 3c"),
        ("Qs 7s", "Kc Kd Ac 4d 4h 8c"),
        ("Ah 2d", "9c 9d"),
    ],
)
def test_dead_cards_are_advice_with_known_cards(hole: str, seen: str) -> None:
    """The plain-Python advice deals every card that is left."""
    setup = table()
    payoffs, betting = payoffs_of(setup), streets_of(setup)
    one, other = parse_cards(hole)
    dead = parse_cards(seen)
    tables, live = hole_tables((one, other), betting.tree), live_cards(one, other, *dead)
    found = value_with_dead(tables, live, np.array(dead, np.int64), betting.tree)
    advice = advise_on(payoffs, (one, other), know=dead)
    boards = len(live) * (len(live) - 1) * (len(live) - 2)
    assert Fraction(found * betting.part, boards * payoffs.unit) == advice.choices[advice.best]


@pytest.mark.parametrize("hole", HOLES)
def test_unaware_play_is_worth_the_same_on_average(hole: str) -> None:
    """Over all pairs that another can hold, playing as if nothing were seen is the base value."""
    betting = streets_of(table())
    one, other = parse_cards(hole)
    tables = hole_tables((one, other), betting.tree)
    path, none = solve(table()).path((one, other)), np.array([], np.int64)
    total = best = 0
    for pair in combinations([card for card in DECK if card not in (one, other)], 2):
        live, dead = live_cards(one, other, *pair), np.array(pair, np.int64)
        total += value_played(tables, live, dead, betting.tree, path)
        if pair[0] < 8:
            assert value_with_dead(tables, live, dead, betting.tree) >= value_played(
                tables, live, dead, betting.tree, path
            )
    best = value_with_dead(tables, live_cards(one, other), none, betting.tree)
    assert Fraction(total, 1225 * 48 * 47 * 46) == Fraction(best, 50 * 49 * 48)


@pytest.mark.parametrize("hole", HOLES)
def test_pairs_alike_are_counted_together(hole: str) -> None:
    betting = streets_of(table())
    one, other = parse_cards(hole)
    found = dead_pairs((one, other))
    assert found.total() == 1225
    assert len(found) < 800
    tables = hole_tables((one, other), betting.tree)

    def value(pair: tuple[Card, ...]) -> int:
        live = live_cards(one, other, *pair)
        return value_with_dead(tables, live, np.array(pair, np.int64), betting.tree)

    every = combinations([card for card in DECK if card not in (one, other)], 2)
    assert sum(map(value, every)) == sum(value(pair) * times for pair, times in found.items())


@pytest.mark.slow
def test_a_sample_is_within_its_bound_of_what_is_exact() -> None:
    setup = table()
    exact = one_other_hand(setup)
    assert exact.value == Fraction(-116048761, 3511844700)
    sampled = other_hands(setup, 1, samples=3_000)
    assert abs(sampled.value - exact.value) <= sampled.bound
    assert abs(sampled.value - exact.value) <= 4 * sampled.standard_error
    assert sampled == other_hands(setup, 1, samples=3_000)
    assert sampled != other_hands(setup, 1, samples=3_000, seed=2)


@pytest.mark.parametrize("book", ["maryland-2014", "island-stud"])
def test_more_hands_are_worth_more(book: str) -> None:
    few, many = (other_hands(table(book), others, samples=400) for others in (1, 5))
    assert 0 < few.gain < many.gain
    assert (few.holders, many.holders) == (2, 6)
    assert many.bound > 4 * many.standard_error > 0


def test_hands_that_no_table_has_are_refused() -> None:
    for others, samples in ((0, 10), (6, 10), (2, 1)):
        with pytest.raises(NotationError):
            other_hands(table(), others, samples=samples)


# ---------------------------------------------------------------- the dealer's cards


@pytest.fixture(scope="module")
def dealers() -> tuple[np.ndarray, np.ndarray]:
    flat = (card for hand in combinations(DECK, 5) for card in hand)
    hands = np.fromiter(flat, np.int64, 2_598_960 * 5).reshape(-1, 5)
    return hands, every_value().astype(np.int64)


@pytest.mark.slow
def test_a_flashed_card_dealt_out(dealers: tuple[np.ndarray, np.ndarray]) -> None:
    """For some hands every hand of the dealer's is laid out and counted by its pairs of cards."""
    setup = table("island-stud")
    counts, terms = dealer_counts(), terms_of(setup)
    nets, folding = nets_of(terms), terms.folding_cents
    chosen = np.array(Random(7).sample(range(len(counts.cards)), 3))
    hands, values = dealers
    confirmed = 0
    for place in chosen:
        mine, value = counts.cards[place], counts.values[place]
        free = ~np.isin(hands, mine).any(axis=1)
        relation = np.sign(values[free] - value) + 1
        situation = relation + 3 * (values[free] >= counts.threshold)
        table_of = np.zeros((52, 52, 6), np.int64)
        for one, other in combinations(range(5), 2):
            np.add.at(table_of, (hands[free][:, one], hands[free][:, other], situation), 1)
        for pair in combinations([card for card in DECK if card not in mine], 2):
            dealt = table_of[pair]
            assert dealt.sum() == 14_190
            bet = int(dealt @ nets[0, kinds_of_classes()[place]])
            confirmed += int(counts.weights[place]) * max(14_190 * folding, bet)
    some = counts._replace(
        cards=counts.cards[np.sort(chosen)],
        values=counts.values[np.sort(chosen)],
        weights=counts.weights[np.sort(chosen)],
    )
    played = play_flashed(some, kinds_of_classes()[np.sort(chosen)], nets, folding)
    found = int(played.folded.sum()) * 14_190 * folding + int((played.bet * nets).sum())
    assert found == confirmed


@pytest.mark.slow
def test_what_a_flashed_card_is_worth() -> None:
    known = flashed_card(table("island-stud"))
    assert known.value == Fraction(13221335093, 474600726600)
    assert known.base == Fraction(-207567543, 10648093225)


# ---------------------------------------------------------------- rule changes


@pytest.mark.parametrize(
    ("pays", "more", "less"),
    [
        ("500 to 1", "501 to 1", "499 to 1"),
        ("1 to 1", "2 to 1", "push"),
        ("3 to 2", "5 to 2", "1 to 2"),
        ("1000 to 2", "1002 to 2", "998 to 2"),
        ("1 to 2", "3 to 2", None),
        ("2 to 2", "4 to 2", "push"),
        ("push", "1 to 1", "lose"),
        ("lose", "push", None),
    ],
)
def test_a_line_one_step_away(pays: str, more: str, less: str | None) -> None:
    assert moved(Pays.parse(pays), 1) == more
    assert moved(Pays.parse(pays), -1) == less


def test_a_moved_line_is_the_other_rulebooks_table() -> None:
    """The demo house pays a straight 5 to 1 where the others pay 4 to 1."""
    lines = {line.line.lower(): line for line in base_lines_moved(table("house-demo"))}
    assert lines["straight"].one_less == solve(table()).house_edge
    for line in lines.values():
        assert line.one_more is not None
        assert line.one_more < line.house_edge
        assert line.one_less is None or line.one_less > line.house_edge


def test_bonus_and_dealer_lines_move() -> None:
    setup = table("house-demo")
    bonus = next(one for one in setup.book.paytables if one.bet == "three_card_bonus")
    edge = side_bet_figures(setup, bonus.bet, bonus).house_edge
    for number, line in enumerate(bonus.lines):
        more, less = moved(line.pays, 1), moved(line.pays, -1)
        if more is not None and line.pays.kind == "to":
            assert less is not None
            higher, lower = (
                side_bet_figures(setup, bonus.bet, with_line(bonus, number, pays)).house_edge
                for pays in (more, less)
            )
            assert edge - higher == lower - edge
    island = list(base_lines_moved(table("island-stud")))
    assert len(island) >= 6
    assert all(line.one_more is None or line.one_more < line.house_edge for line in island)


def test_an_exposed_card_by_each_rule() -> None:
    setup = table("south-dakota-2011")
    seen = [exposed(setup, known) for known in islice(cards_known(setup, 500), 3)]
    edge = solve(table()).house_edge
    values = (Fraction(254633, 464100), Fraction(5089081, 6497400), Fraction(678763, 649740))
    assert [costs for _, costs in seen] == [value + edge for value in values]
    known = community_known(table(), (0,))
    assert exposed(table("maryland-2014"), known) == ("void", edge)
    assert exposed(table("house-demo"), known)[1] is None
