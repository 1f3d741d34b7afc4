"""Sessions, months and bankrolls, each against fractions, enumeration or a closed form."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, sqrt

import pytest

from riverboat.core.errors import NotationError
from riverboat.exact.distribution import Distribution, Lattice, lattice_of, sum_of_rounds
from riverboat.exact.risk.sessions import (
    Wagered,
    base_wager,
    handle_bands,
    hold,
    largest_loss,
    long_run,
    luck,
    ruin,
    session_bands,
    side_wager,
)
from riverboat.round import set_up
from riverboat.rulebooks import load

pytestmark = pytest.mark.slow

TOY = Distribution.of({Fraction(-2): 5, Fraction(-1): 3, Fraction(0): 1, Fraction(3): 4})
COIN = Distribution.of({Fraction(-1): 1, Fraction(1): 1})


def exact_sum(distribution: Distribution, rounds: int) -> Distribution:
    """The sum of so many rounds, exact to the last case.

    The weights are the digits of one very large number, whose power has the weights of the sum as
    its digits, so that all the work is one power of a whole number.
    """
    lattice = lattice_of(distribution)
    bits = (lattice.total**rounds).bit_length()
    packed = sum(weight << (bits * (step - lattice.lowest)) for step, weight in lattice.steps)
    power = packed**rounds
    mask = (1 << bits) - 1
    return _unpacked(power, bits, mask, lattice, rounds)


def _unpacked(power: int, bits: int, mask: int, lattice: Lattice, rounds: int) -> Distribution:
    """The digits of the power, a stretch of them at a time."""
    found: list[tuple[Fraction, int]] = []
    stretch = 1024
    start = rounds * lattice.lowest
    whole = (1 << (bits * stretch)) - 1
    while power:
        part, power = power & whole, power >> (bits * stretch)
        for place in range(stretch):
            weight = part >> (bits * place) & mask
            if weight:
                found.append(((start + place) * lattice.unit, weight))
        start += stretch
    return Distribution(tuple(found))


def for_the_house(distribution: Distribution) -> Distribution:
    """The same rounds as the house sees them."""
    return Distribution.of((-result, weight) for result, weight in distribution.outcomes)


def wagered(distribution: Distribution) -> Wagered:
    return Wagered(
        rulebook="toy",
        bet="base",
        paytable="toy",
        wager_cents=100,
        average_wager=Fraction(1),
        distribution=distribution,
    )


@cache
def base() -> Wagered:
    return base_wager(set_up(load("maryland-2014").book, {}))


def added(distribution: Distribution, rounds: int) -> Counter[Fraction]:
    """Round by round, in fractions."""
    total = Counter({Fraction(0): 1})
    for _ in range(rounds):
        new: Counter[Fraction] = Counter()
        for so_far, weight in total.items():
            for result, more in distribution.outcomes:
                new[so_far + result] += weight * more
        total = new
    return total


# ---------------------------------------------------------------- sums


def test_an_exact_sum_is_the_enumeration() -> None:
    counted: Counter[Fraction] = Counter()
    for rounds in product(TOY.outcomes, repeat=4):
        weight = 1
        for _, one in rounds:
            weight *= one
        counted[sum((result for result, _ in rounds), Fraction(0))] += weight
    assert exact_sum(TOY, 4) == Distribution.of(counted)


def test_an_exact_sum_of_a_real_round() -> None:
    assert exact_sum(base().distribution, 3) == Distribution.of(added(base().distribution, 3))


def test_results_in_cents_are_on_their_lattice() -> None:
    uneven = Distribution.of({Fraction(-1): 2, Fraction(1, 3): 1, Fraction(5, 2): 1})
    lattice = lattice_of(uneven)
    assert (lattice.unit, lattice.lowest, lattice.highest) == (Fraction(1, 6), -6, 15)
    assert exact_sum(uneven, 5) == Distribution.of(added(uneven, 5))


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_every_chance_is_within_its_error(rounds: int) -> None:
    exact, quick = (
        exact_sum(base().distribution, rounds),
        sum_of_rounds(base().distribution, rounds),
    )
    assert quick.error < 1e-11
    so_far = 0
    for result, weight in exact.outcomes:
        so_far += weight
        if result > 2_000:
            break
        assert abs(quick.at_most(result) - so_far / exact.total) <= quick.error
        above = 1 - (so_far - weight) / exact.total
        assert abs(quick.at_least(result) - above) <= quick.error


def test_two_thousand_coins() -> None:
    quick = sum_of_rounds(COIN, 2_000)
    below = 0
    for heads in range(1_101):
        below += comb(2_000, heads)
        if heads > 900:
            chance = float(Fraction(below, 2**2_000))
            assert abs(quick.at_most(Fraction(2 * heads - 2_000)) - chance) <= quick.error


@pytest.mark.parametrize("rounds", [1_000, 200_000])
def test_a_long_sum_has_its_mean_and_deviation(rounds: int) -> None:
    quick = sum_of_rounds(base().distribution, rounds)
    places = [quick.lowest + place for place in range(len(quick.chances))]
    mean = float(quick.chances @ places)
    square = float(quick.chances @ [place**2 for place in places])
    assert abs(float(quick.chances.sum()) - 1) <= quick.error
    assert mean == pytest.approx(float(rounds * base().distribution.mean), rel=1e-5)
    spread = sqrt(rounds) * base().distribution.standard_deviation
    assert sqrt(square - mean**2) == pytest.approx(spread, rel=1e-4)


# ---------------------------------------------------------------- sessions and months


def test_bands_are_the_percentiles_of_the_exact_sum() -> None:
    exact, bands = exact_sum(base().distribution, 5), session_bands(base(), 5)
    for level, result in bands.percentiles.items():
        at_most = exact.chance(lambda one, result=result: one <= result)  # type: ignore[misc]
        below = exact.chance(lambda one, result=result: one < result)  # type: ignore[misc]
        assert below < Fraction(level, 100) <= at_most
    win, push, loss = map(float, exact.win_push_loss)
    assert bands.ahead == pytest.approx(win, abs=1e-11)
    assert bands.even == pytest.approx(push, abs=1e-11)
    assert bands.behind == pytest.approx(loss, abs=1e-11)


def test_win_over_handle_closes_in_on_the_edge() -> None:
    short, long = handle_bands(base(), 1_000), handle_bands(base(), 1_000_000)
    assert short.percentiles[5] < long.percentiles[5] < long.mean < long.percentiles[95]
    assert long.mean == base().edge / base().average_wager
    assert short.house_loses == pytest.approx(session_bands(base(), 1_000).ahead)


def test_luck_is_the_tail_of_a_binomial() -> None:
    rounds, house = 400, 60
    found = luck(wagered(COIN), rounds, house * 100)
    lost = (rounds + house) // 2
    tail = Fraction(sum(comb(rounds, n) for n in range(lost, rounds + 1)), 2**rounds)
    assert found.as_high == pytest.approx(float(tail), abs=found.error)
    assert found.two_sided == pytest.approx(2 * float(tail), abs=2 * found.error)
    assert found.standard_deviations == pytest.approx(3.0)
    assert luck(wagered(COIN), rounds, 0).two_sided == 1.0


# ---------------------------------------------------------------- bankrolls


def walked(
    distribution: Distribution, start: int, least: int, top: int | None, rounds: int
) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Ruined, reached, mean rounds and mean result, in fractions and one case at a time."""
    here, ruined, reached = {Fraction(start): Fraction(1)}, Fraction(0), Fraction(0)
    played = moved = Fraction(0)
    for _ in range(rounds):
        new: dict[Fraction, Fraction] = {}
        for bankroll, chance in here.items():
            played += chance
            for result, weight in distribution.outcomes:
                after, part = bankroll + result, chance * Fraction(weight, distribution.total)
                if after < least:
                    ruined += part
                elif top is not None and after >= top:
                    reached += part
                else:
                    new[after] = new.get(after, Fraction(0)) + part
                    continue
                moved += part * (after - start)
        here = new
    moved += sum((chance * (bankroll - start) for bankroll, chance in here.items()), Fraction(0))
    return ruined, reached, played, moved


@pytest.mark.parametrize("top", [None, 14])
@pytest.mark.parametrize("distribution", [TOY, COIN])
def test_ruin_is_the_walk_in_fractions(distribution: Distribution, top: int | None) -> None:
    found = ruin(wagered(distribution), 7, 30, target=top)
    least = int(largest_loss(distribution))
    ruined, reached, played, moved = walked(distribution, 7, least, top, 30)
    assert found.ruined == pytest.approx(float(ruined), abs=found.error)
    assert found.reached == pytest.approx(float(reached), abs=found.error)
    assert found.mean_rounds == pytest.approx(float(played), abs=1e-9)
    assert found.mean_result == pytest.approx(float(moved), abs=1e-9)


def test_ruin_of_a_real_game() -> None:
    found = ruin(base(), 20, 5)
    ruined, _, played, moved = walked(base().distribution, 20, 8, None, 5)
    assert found.needed == 8
    assert found.ruined == pytest.approx(float(ruined), abs=found.error)
    assert found.mean_rounds == pytest.approx(float(played))
    assert found.mean_result == pytest.approx(float(moved))


def test_a_bankroll_loses_the_edge_of_every_round_it_plays() -> None:
    """Optional stopping, a second way to the mean result."""
    for target in (None, 150):
        found = ruin(base(), 100, 400, target=target)
        assert found.mean_result == pytest.approx(-float(base().edge) * found.mean_rounds)
        assert found.ruined + found.reached + found.still_playing == pytest.approx(1)


def test_gamblers_ruin() -> None:
    uneven = Distribution.of({Fraction(-1): 11, Fraction(1): 9})
    found = ruin(wagered(uneven), 10, 10_000, target=25, needed=1)
    ratio = 11 / 9
    assert found.reached == pytest.approx((ratio**10 - 1) / (ratio**25 - 1), abs=1e-9)


def test_without_an_end() -> None:
    assert long_run(COIN, 100).horizon == "certain"
    assert long_run(base().distribution, 10_000).highest == 1.0
    better = Distribution.of({Fraction(-1): 9, Fraction(1): 11})
    exact = long_run(better, 10)
    assert exact.horizon == "exact"
    assert exact.highest == exact.lowest == pytest.approx((9 / 11) ** 10)
    house = for_the_house(TOY)
    assert house.mean == -TOY.mean
    steep = Distribution.of({Fraction(-3): 3, Fraction(2): 7})
    bounds = long_run(steep, 12)
    chance = ruin(wagered(steep), 12, 4_000, needed=1).ruined
    assert bounds.lowest < chance < bounds.highest


def test_hold_follows_its_model() -> None:
    found = hold(wagered(TOY), 8, 20, target=16)
    _, _, played, moved = walked(TOY, 8, 2, 16, 20)
    assert found.hold == pytest.approx(float(-moved / 8))
    assert found.mean_rounds == pytest.approx(float(played))


def test_a_bonus_can_be_asked_about() -> None:
    setup = set_up(load("house-demo").book, {})
    table = next(offer.paytables[0] for offer in setup.book.side_bets)
    bonus = side_wager(setup, "three_card_bonus", table)
    assert largest_loss(bonus.distribution) == 1
    assert session_bands(bonus, 300).behind > 0.5


@pytest.mark.parametrize(
    ("bankroll", "rounds", "target"), [(7, 0, None), (7, 10**6, None), (1, 5, None), (7, 5, 7)]
)
def test_what_makes_no_sense_is_refused(bankroll: int, rounds: int, target: int | None) -> None:
    with pytest.raises(NotationError):
        ruin(wagered(TOY), bankroll, rounds, target=target)
    with pytest.raises(NotationError):
        sum_of_rounds(TOY, 0)
