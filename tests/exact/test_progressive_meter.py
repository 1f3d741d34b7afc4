"""The life of a meter: closed forms against recurrences, books that balance, and played lives."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from riverboat.exact.progressive.meter_life import (
    FULL,
    MeterLife,
    RoundLaw,
    RoundOutcome,
    _effect,
    _in_turn,
    meter_life,
    round_law,
)
from riverboat.exact.progressive.wager import (
    fold_rule,
    meter_shares,
    progressive_figures,
    progressive_setup,
)
from riverboat.exact.solvers import best_base_play
from riverboat.meter.amounts import meter_of
from riverboat.round.settlement.dues import Winner, progressive_dues
from riverboat.round.setup.setup import Setup
from riverboat.rulebooks import load
from tests.exact.meter_grid import _part, _visits, award_bounds, hits_per_round
from tests.exact.meter_lives import liability, play_lives

pytestmark = pytest.mark.slow

TABLES: list[tuple[str, str, dict[str, str]]] = [
    ("island-stud", "IS-PROG-PMG-01", {}),
    ("island-stud", "IS-PROG-PMG-02", {"multi_winner_policy": "highest_first"}),
    ("island-stud", "IS-PROG-PMG-01", {"contribute_at": "game_over", "reserve_rate": "3"}),
    ("south-dakota-2011", "SD-2011-PROG-PMG-01", {}),
    ("house-demo", "HD-PROG-2", {}),
    ("house-demo", "HD-PROG-2", {"contribute_at": "game_over"}),
    ("maryland-2014", "MD-2014-PROG", {}),
]


def table(book: str, name: str, options: dict[str, str]) -> Setup:
    return progressive_setup(load(book).book, name, options=options)


def law_of(setup: Setup, bettors: int | None = None) -> RoundLaw:
    play = best_base_play(setup) if fold_rule(setup) == "forfeited" else None
    return round_law(setup, bettors=bettors, play=play)


def partial_awards(law: RoundLaw, life: MeterLife) -> Fraction:
    """The smaller awards of a life, from the meter and from what it is reset to."""
    added = law.contribution if law.at_lock else 0
    total = (life.average_meter + added) / law.hit
    paid = total * sum(one.chance * (1 - one.left) for one in law.outcomes)
    for one in law.outcomes:
        for place, left in enumerate(one.resets):
            at = law.seed + (law.reserve / law.hit if place == 0 else 0)
            paid += one.chance / law.hit * (1 - left) * at
    return paid


@pytest.mark.parametrize(
    ("name", "mean", "vendors"),
    [
        ("IS-PROG-PMG-01", "77076.53", "81813.37"),
        ("IS-PROG-PMG-02", "381428.42", "386165.26"),
    ],
)
def test_one_wager_at_a_time_by_formula(name: str, mean: str, vendors: str) -> None:
    setup = table("island-stud", name, {})
    figures = progressive_figures(setup)
    found = meter_life(round_law(setup, bettors=1))
    royal, straight_flush = Fraction(4, 2_598_960), Fraction(36, 2_598_960)
    contribution = figures.rate * figures.wager_cents
    by_hand = (1_000_000 * royal + contribution) / (royal + straight_flush / 10)
    assert found.mean == by_hand
    assert f"{float(by_hand / 100):.2f}" == mean
    assert (
        f"{float((figures.seed_cents + contribution / figures.meter_share) / 100):.2f}" == vendors
    )
    assert found.rounds == 649_740


@pytest.mark.parametrize(("book", "name", "options"), TABLES)
@pytest.mark.parametrize("bettors", [1, 6])
def test_what_goes_in_comes_out(
    book: str, name: str, options: dict[str, str], bettors: int
) -> None:
    """Contributions, reserve and seeds of a life are its awards; the long-run edge is the same."""
    setup = table(book, name, options)
    law = law_of(setup, bettors)
    life = meter_life(law)
    assert sum(one.chance for one in law.outcomes) == 1
    hits = hits_per_round(law) * life.rounds
    paid = life.mean * hits + partial_awards(law, life)
    assert (law.contribution + law.reserve) * life.rounds + law.seed * hits == paid
    play = best_base_play(setup) if "maryland" in book else None
    figures = progressive_figures(setup, play=play)
    returned = paid / (life.rounds * bettors * figures.wager_cents)
    assert figures.long_run_house_edge == 1 - figures.fixed_prizes - figures.envy - returned


@pytest.mark.parametrize("at_lock", [True, False])
@pytest.mark.parametrize("reserve", [0, 7])
def test_closed_forms_against_every_life_one_by_one(at_lock: bool, reserve: int) -> None:
    """A meter that lives for a few rounds: all its lives, and what the rest can weigh."""
    outcomes = (
        RoundOutcome(Fraction(1, 20), Fraction(1)),
        RoundOutcome(Fraction(1, 40), Fraction(9, 10)),
        RoundOutcome(Fraction(1, 40), Fraction(1, 2)),
        RoundOutcome(Fraction(1, 2), Fraction(1), (Fraction(1),)),
        RoundOutcome(Fraction(2, 5), Fraction(9, 10), (Fraction(9, 10),)),
    )
    law = RoundLaw(bettors=1, outcomes=outcomes, contribution=Fraction(50), at_lock=at_lock,
                   reserve=Fraction(reserve), seed=Fraction(1000))  # fmt: skip
    life, hit = meter_life(law), law.hit
    total = square = Fraction(0)
    added = 0 if at_lock else 50
    # The reserve of the life before, by its length; only one life in a million is longer.
    begins: dict[Fraction, Fraction] = {}
    for length in range(1, 8):
        for one in outcomes:
            if one.resets:
                value = (1000 + reserve * length) * one.resets[0] + added
                chance = (1 - hit) ** (length - 1) * one.chance
                begins[value] = begins.get(value, Fraction(0)) + chance
    meters = {float(value): float(chance) for value, chance in begins.items()}
    for _ in range(7):
        after: dict[float, float] = {}
        for meter, weight in meters.items():
            at = meter + 50 if at_lock else meter
            for one in outcomes:
                part = weight * float(one.chance)
                if one.resets:
                    total += Fraction(part * at * float(one.left))
                    square += Fraction(part * (at * float(one.left)) ** 2)
                else:
                    later = round(at * float(one.left) + (0 if at_lock else 50), 6)
                    after[later] = after.get(later, 0.0) + part
        meters = after
    rest = sum(meters.values())
    assert rest < 1e-6
    assert float(total) == pytest.approx(float(life.mean), rel=1e-5)
    assert float(square - total**2) == pytest.approx(float(life.variance), rel=1e-3)


@pytest.mark.parametrize(("book", "name", "options"), TABLES)
def test_played_lives(book: str, name: str, options: dict[str, str]) -> None:
    """The engine's own meter, cent by cent; four standard errors are allowed."""
    setup = table(book, name, options)
    law = law_of(setup)
    life, played = meter_life(law), play_lives(setup, law, 3000, seed=20_14)
    assert abs(played.z(life)) < 4
    assert played.standard_deviation == pytest.approx(life.standard_deviation, rel=0.06)


def test_bounds_hold_the_exact_mean_and_played_lives() -> None:
    setup = table("south-dakota-2011", "SD-2011-PROG-PMG-01", {})
    law = law_of(setup)
    life, bounds = meter_life(law), award_bounds(law, cells=20_000)
    step = float(bounds.step_cents)
    low = sum(1 - chance for chance in bounds.at_most) * step
    high = sum(1 - chance for chance in bounds.at_least) * step
    assert low - step <= float(life.mean) <= high + step
    assert bounds.error_bound < 0.005
    assert all(a <= b for a, b in zip(bounds.at_least, bounds.at_most, strict=True))
    finer = award_bounds(law, cells=40_000)
    assert finer.error_bound < bounds.error_bound
    for cents in (2_000_000, 7_000_000, 15_000_000):
        # The finer grid has its own steps: it is asked at one that the coarse one has passed.
        assert finer.chance_up_to(cents)[0] <= bounds.chance_up_to(cents + 2 * int(step))[1]
        assert bounds.chance_up_to(cents - 2 * int(step))[0] <= finer.chance_up_to(cents)[1]
    assert bounds.quantile(0.5)[0] < 7_400_000 < bounds.quantile(0.52)[1]


def test_compiled_and_plain_grid() -> None:
    import numpy as np

    visits: Any = _visits

    start = np.zeros(300)
    start[10] = 1.0
    shares = np.array([0.6, 0.2]), np.array([9, 1]), np.array([10, 2])
    for upwards in (True, False):
        fast, left = visits(start, 0.1, 0.5, 0.4, *shares, upwards, 1e-9)
        plain = visits.py_func(start, 0.1, 0.5, 0.4, *shares, upwards, 1e-9)
        assert np.allclose(fast, plain[0], rtol=1e-12, atol=0)
        assert left == pytest.approx(plain[1])


def test_liability_round_by_round() -> None:
    setup = table("house-demo", "HD-PROG-2", {})
    law = law_of(setup)
    keep, hit = float(law.surviving()), float(law.hit)
    meter, reserve = float(law.seed), 0.0
    once = sum(float(o.chance * o.resets[0]) for o in law.outcomes if o.resets)
    points = {one.rounds: one for one in liability(law, range(0, 400, 50))}
    for number in range(400):
        if number in points:
            assert float(points[number].meter) == pytest.approx(meter, rel=1e-12)
            assert float(points[number].reserve) == pytest.approx(reserve, rel=1e-12)
        reserve += float(law.reserve)
        grown = keep * (meter + float(law.contribution))
        meter = grown + once * (float(law.seed) + reserve)
        reserve *= 1 - hit
    life = meter_life(law)
    late = next(liability(law, [10**8]))
    assert float(late.meter) == pytest.approx(float(life.average_meter), rel=1e-6)


def test_time_between_hits() -> None:
    life = meter_life(law_of(table("south-dakota-2011", "SD-2011-PROG-PMG-01", {})))
    assert life.rounds == Fraction(649_740, 6)


@pytest.mark.parametrize("policy", ["sequential", "highest_first", "equal_split"])
def test_several_awards_of_a_round_as_the_engine_fixes_them(policy: str) -> None:
    """Every order of up to three awards: shares of the meter, against the engine's cents."""
    setup = table("island-stud", "IS-PROG-PMG-01", {"multi_winner_policy": policy})
    lines, shares = setup.lines["progressive"], meter_shares(setup)
    meter, seed = 60_000_000, 1_000_000
    for order in (o for size in (1, 2, 3) for o in product(shares, repeat=size)):
        winners = [Winner(seat, kind, lines[kind]) for seat, kind in enumerate(order, start=1)]
        dues = progressive_dues(setup, winners, meter_of(meter))
        left, resets = _effect(_in_turn(setup, order, shares))
        full = sum(due.paid_cents for due in dues.values() if due.percent == FULL)
        assert full == (left * meter if resets else 0) + sum(seed * kept for kept in resets[:-1])
        paid = sum(due.paid_cents for due in dues.values())
        after = resets[-1] * seed if resets else left * meter
        assert meter + len(resets) * seed - paid == after


def test_places_on_the_grid_are_rounded_one_way() -> None:
    import numpy as np

    places, left = np.arange(5), Fraction(9, 10)
    assert _part(places, left, upwards=True).tolist() == [0, 1, 2, 3, 4]
    assert _part(places, left, upwards=False).tolist() == [0, 0, 1, 2, 3]
