"""The progressive wager: engine against formula, solver's flow against its decisions, and so on."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

from riverboat.core.cards import Card
from riverboat.core.hand_kinds import HANDS
from riverboat.core.hands import Kind
from riverboat.exact.base_games.streets import solve, staying
from riverboat.exact.progressive.envy import company, envy_figures, neighbours, pairs_of
from riverboat.exact.progressive.table_hands import shared_board
from riverboat.exact.progressive.wager import (
    FoldRule,
    ProgressiveFigures,
    dues_at,
    edge_by_meter,
    joint_break_even,
    joint_figures,
    needs_base_play,
    progressive_figures,
    progressive_of,
    progressive_setup,
    progressive_tables,
    schedules_of,
)
from riverboat.exact.solvers import BasePlay, best_base_play, nobody_folds
from riverboat.meter.amounts import meter_of
from riverboat.round import Round, Seat, open_round
from riverboat.round.settlement.dues import dues
from riverboat.round.setup.choices import Raw
from riverboat.round.setup.setup import Setup
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import PROGRESSIVE
from riverboat.rulebook.paytables import kinds
from riverboat.rulebooks import load, load_all

pytestmark = pytest.mark.slow

DEALS = 2_598_960
ROYAL, STRAIGHT_FLUSH = Kind("royal_flush"), Kind("straight_flush")
RARE = frozenset({ROYAL, STRAIGHT_FLUSH})
FIXED = Fraction(624 * 300 + 3744 * 50 + 5108 * 40 + 10_200 * 30 + 54_912 * 9, DEALS)
WITH_ONE = [book.id for book in (loaded.book for loaded in load_all()) if book.progressive]


def under_fold_rule(setup: Setup, after_fold: FoldRule) -> Setup:
    """The same table where a fold keeps or loses the wager, to see what that rule is worth."""
    fold = setup.book.fold
    rule = replace(fold.side_bets[PROGRESSIVE], after_fold=after_fold)
    fold = replace(fold, side_bets={**fold.side_bets, PROGRESSIVE: rule})
    return replace(setup, book=replace(setup.book, fold=fold))


def every_progressive(book: Rulebook) -> tuple[ProgressiveFigures, ...]:
    """Every schedule, struck table and placard of a rulebook, at its seed and a full table."""
    if book.progressive is None:
        return ()
    wanted = [
        (table, int(schedule.wager))
        for table in progressive_tables(book)
        for schedule in schedules_of(book, table.id)
    ]
    setups = [progressive_setup(book, table, wager_cents=wager) for table, wager in wanted]
    play = best_base_play(setups[0]) if any(map(needs_base_play, setups)) else None
    return tuple(progressive_figures(setup, play=play) for setup in setups)


def table(
    book: str = "south-dakota-2011", name: str = "SD-2011-PROG-PMG-01", **options: Raw
) -> Setup:
    return progressive_setup(load(book).book, name, options=options)


@pytest.fixture(scope="module")
def forfeiting() -> tuple[Setup, BasePlay]:
    setup = table("maryland-2014", "MD-2014-PROG")
    return setup, best_base_play(setup)


@pytest.mark.parametrize("name", WITH_ONE)
def test_dues_are_those_of_a_settled_round(name: str) -> None:
    book = load(name).book
    for paytable in progressive_tables(book):
        setup = progressive_setup(book, paytable)
        for meter in (1_000_000, 12_345_678, 9_999_999):
            found = dues_at(setup, meter)
            for kind in kinds(paytable):
                assert found.get(kind, 0) == _settled(setup, kind, meter), (paytable.id, kind)


def _settled(setup: Setup, kind: Kind, meter: int) -> int:
    cards = HANDS["five"].example(kind)
    rest = tuple(card for card in range(52) if card not in cards)
    on_board = "community" in setup.book.hands.five.made_of
    wagers = {"ante": 100} | {stage.spot: 100 for stage in setup.stages}
    seat = Seat(wagers=wagers, cards=cards[:2] if on_board else cards, lit=True)
    state = Round(
        setup=setup,
        seats={1: seat},
        community=cards[2:] if on_board else (),
        dealer=rest[:5],
        turned=3,
        history=open_round(setup, meter_of(meter)).history,
    )
    return next((due.paid_cents for due in dues(state) if due.spot == "progressive"), 0)


@pytest.mark.parametrize(
    ("book", "name", "wager", "rate", "seed", "others"),
    [
        ("south-dakota-2011", "SD-2011-PROG-MS-Stud-01", 1, 21, 10_000, 5),
        ("south-dakota-2011", "SD-2011-PROG-PMG-02", 5, 22, 10_000, 5),
        ("south-dakota-3cb", "SD-3CB-PROG-PMG-01", 1, 21, 10_000, 5),
        ("island-stud", "IS-PROG-PMG-01", 1, 21, 10_000, 6),
        ("island-stud", "IS-PLACARD-PMG-02", 5, 22, 10_000, 6),
        ("house-demo", "HD-PROG-2", 2, 25, 20_000, 6),
    ],
)
def test_a_live_wager_by_formula(
    book: str, name: str, wager: int, rate: int, seed: int, others: int
) -> None:
    found = progressive_figures(table(book, name))
    envy = Fraction(4 * 1000 + 36 * 300, DEALS) * others
    share = Fraction(4 * 10 + 36, 10 * DEALS)
    assert found.fixed_prizes == FIXED
    assert found.envy == envy
    assert found.ev == FIXED + share * seed / wager + envy - 1
    assert found.hit_frequency == Fraction(74_628, DEALS)
    assert found.break_even_meter == (1 - FIXED - envy) * wager * 100 / share
    seeds = Fraction(4 * seed, DEALS * wager)
    assert found.long_run_house_edge == 1 - FIXED - envy - Fraction(rate, 100) - seeds
    assert sum(line.probability for line in found.lines) == 1
    assert sum(line.returns for line in found.lines) == found.ev - envy == found.distribution.mean


def test_break_even_to_the_cent_and_the_plot() -> None:
    setup = table()
    found = progressive_figures(setup)
    cents = found.break_even_cents
    assert cents is not None
    points = edge_by_meter(setup, (cents - 1, cents, 1_000_000))
    assert points[0][1] > 0 >= points[1][1]
    assert points[2] == (1_000_000, found.house_edge)


@pytest.mark.parametrize(
    ("mode", "cents"), [("down", 100_000), ("half_up", 100_001), ("up", 100_001)]
)
def test_rounding_is_the_tables_own(mode: str, cents: int) -> None:
    assert dues_at(table(rounding_mode=mode), 1_000_005)[STRAIGHT_FLUSH] == cents
    assert dues_at(table(rounding_mode=mode), 1_000_005)[ROYAL] == 1_000_005


def test_a_fold_that_forfeits(forfeiting: tuple[Setup, BasePlay]) -> None:
    """Which straight flushes are folded: from the solver's flow, and walked card by card."""
    setup, play = forfeiting
    assert play.unfolded[ROYAL] == Fraction(4, DEALS)
    assert play.unfolded[STRAIGHT_FLUSH] == Fraction(36, DEALS) * Fraction(29, 45)
    walked = shared_board(RARE, 2, play.stays)
    assert {kind: walked.together((kind,)) for kind in RARE} == {
        kind: play.unfolded[kind] for kind in RARE
    }
    found = progressive_figures(setup, play=play)
    assert round(float(found.long_run_house_edge), 4) == 0.3693
    assert round(float(1 - found.hit_frequency / Fraction(74_628, DEALS)), 3) == 0.280
    live = progressive_figures(under_fold_rule(setup, "live"), play=play)
    assert live.hit_frequency == Fraction(74_628, DEALS)
    assert found.after_fold == "forfeited"
    assert found.lines[-1].label == "folded"
    assert sum(line.probability for line in found.lines) == 1


class Cautious:
    """Bets 3x, then 2x, and folds on fifth street without an ace."""

    def __init__(self) -> None:
        self.asked: list[tuple[tuple[Card, ...], tuple[int, ...]]] = []

    def choose(self, cards: tuple[Card, ...], bets: tuple[int, ...]) -> int:
        self.asked.append((cards, bets))
        return (3, 2, int(max(cards) >= 48))[len(bets)]


def test_hands_are_walked_street_by_street() -> None:
    played = Cautious()
    stays = staying(played.choose)
    assert stays((0, 13), (50, 20, 30))
    assert played.asked == [((0, 13), ()), ((0, 13, 50), (3,)), ((0, 13, 20, 50), (3, 2))]
    assert not stays((0, 13), (20, 30, 50))


def test_four_of_a_kind_unfolded_two_ways(forfeiting: tuple[Setup, BasePlay]) -> None:
    """From the solver's flow, and every deal of the hand walked card by card."""
    _, play = forfeiting
    kind = Kind("four_of_a_kind")
    walked = shared_board(frozenset({kind}), 1, play.stays)
    assert walked.together((kind,)) == play.unfolded[kind]


@pytest.mark.parametrize("others", [0, 1, 2, 5])
@pytest.mark.parametrize("book", ["south-dakota-2011", "island-stud", "maryland-2014"])
def test_envy_by_pairs_and_by_whole_rounds(
    book: str, others: int, forfeiting: tuple[Setup, BasePlay]
) -> None:
    """Mean and variance from each two seats, and from every round the table can show."""
    setup = progressive_setup(load(book).book, progressive_tables(load(book).book)[0])
    play = forfeiting[1] if book == "maryland-2014" else nobody_folds()
    found = envy_figures(setup, play, bettors=others)
    group = neighbours(setup, others)
    seen = company(setup, RARE, others, play.stays if group.only_unfolded else None)
    mean = square = Fraction(0)
    for order, chance in seen.rounds(others):
        paid = Fraction(sum(group.prizes[kind] for kind in order), 100)
        mean, square = mean + chance * paid, square + chance * paid**2
    assert (found.expected, found.variance) == (mean, square - mean**2)


def test_who_can_earn_an_envy_bonus(forfeiting: tuple[Setup, BasePlay]) -> None:
    setup, play = table(), forfeiting[1]
    unfolded = play.unfolded[ROYAL] * 1000 + play.unfolded[STRAIGHT_FLUSH] * 300
    assert envy_figures(setup, play, bettors=1).expected == Fraction(14_800, DEALS)
    assert envy_figures(setup, play, bettors=2).expected == 2 * Fraction(14_800, DEALS)
    assert envy_figures(forfeiting[0], play, bettors=1).expected == unfolded


@pytest.mark.parametrize("book", ["south-dakota-2011", "island-stud", "maryland-2014"])
def test_variance_alone_and_with_one_other(book: str, forfeiting: tuple[Setup, BasePlay]) -> None:
    """With one other seat: every pair of hands as one case, and the variance of all of them."""
    setup = progressive_setup(load(book).book, progressive_tables(load(book).book)[0])
    play = forfeiting[1] if book == "maryland-2014" else nobody_folds()
    alone = progressive_figures(setup, others=0, play=play)
    assert alone.variance == alone.distribution.variance
    own = dues_at(setup, alone.meter_cents)
    group = neighbours(setup, 1)
    pairs = pairs_of(setup, frozenset(own), RARE, play.stays, play.stays)
    cases: list[tuple[int, Fraction]] = []
    for (mine, others), chance in pairs.items():
        cases.append((own[mine] + group.prizes[others], chance))
    for mine, paid in own.items():
        together = sum(chance for (kind, _), chance in pairs.items() if kind == mine)
        cases.append((paid, play.unfolded[mine] - together))
    for kind, paid in group.prizes.items():
        together = sum(chance for (_, other), chance in pairs.items() if other == kind)
        cases.append((paid, play.unfolded[kind] - together))
    mean = sum(chance * paid for paid, chance in cases) / 100
    square = sum(chance * paid**2 for paid, chance in cases) / 100**2
    found = progressive_figures(setup, others=1, play=play)
    assert found.ev == mean - 1
    assert found.variance == square - mean**2


def test_another_table_in_place_of_a_schedules() -> None:
    book = load("island-stud").book
    printed = progressive_tables(book)[0]
    struck = replace(printed, id="struck", status="struck", lines=tuple(
        replace(line, pays=type(line.pays).parse("400 for 1")) if line.pays == "300 for 1" else line
        for line in printed.lines))  # fmt: skip
    found = progressive_figures(progressive_setup(book, struck))
    assert found.status == "struck"
    assert found.fixed_prizes == FIXED + Fraction(624 * 100, DEALS)


def test_every_table_of_every_rulebook() -> None:
    for loaded in load_all():
        found = every_progressive(loaded.book)
        tables = progressive_tables(loaded.book)
        assert {one.paytable for one in found} == {table.id for table in tables}
        for one in found:
            assert 0 < one.long_run_house_edge < 1
            paid = one.fixed_prizes + one.envy + one.rate + one.reserve_rate + one.seed_share
            assert one.long_run_house_edge == 1 - paid


def played_for_both(setup: Setup, meter: int, ante: int) -> tuple[bool, bool]:
    """Whether the base game loses by it, and fewer hands are folded."""
    dues = dues_at(setup, meter)
    alone, both = solve(setup, ante), solve(setup, ante, extra_cents=dues)
    unfolded = both.figures.hands_unfolded
    awards = sum(unfolded[kind] * due for kind, due in dues.items())
    stay = sum(unfolded.values()) > sum(alone.figures.hands_unfolded.values())
    return both.value * ante - awards < alone.value * ante, stay


def test_playing_for_both(forfeiting: tuple[Setup, BasePlay]) -> None:
    setup, _ = forfeiting
    for ante in (100, 1000):
        cents = joint_break_even(setup, ante_cents=ante)
        assert cents is not None
        at = joint_figures(setup, meter_cents=cents, ante_cents=ante)
        below = joint_figures(setup, meter_cents=cents - 1, ante_cents=ante)
        assert at.wager_ev >= 0 > below.wager_ev
        assert (at.joint - at.separate) > 0
        assert played_for_both(setup, cents, ante) == (True, True)
        alone = progressive_figures(setup, meter_cents=cents)
        assert (at.separate - at.base) / at.wager_cents == alone.ev
        assert alone.break_even_cents is not None
        assert cents < alone.break_even_cents
    assert progressive_of(setup).wager_cents == 100


def test_where_a_fold_keeps_the_wager_there_is_nothing_to_gain() -> None:
    setup = table()
    found = joint_figures(setup, meter_cents=20_000_000)
    assert (found.joint - found.separate) == 0
    assert found.wager_ev == progressive_figures(setup, meter_cents=20_000_000).ev
