"""PAR sheets of the progressives: one wager at the seed, the break-even meter, and the long run."""

from collections.abc import Iterator
from fractions import Fraction

from riverboat.core.hand_counts import five_card_counts
from riverboat.core.money import Cents, divide_half_up
from riverboat.documents.figures import NOTHING, decimal, money
from riverboat.documents.par.sheet import (
    Figure,
    Grid,
    ParSheet,
    chance,
    chance_figure,
    edge_figure,
    in_percent,
    pay_grid,
    plainly,
    returned,
)
from riverboat.documents.parts import hand_name
from riverboat.exact.progressive.envy import chances_of, neighbours
from riverboat.exact.progressive.meter_life import meter_life, round_law
from riverboat.exact.progressive.wager import (
    ProgressiveFigures,
    edge_by_meter,
    needs_base_play,
    progressive_figures,
    progressive_of,
)
from riverboat.exact.solvers import BasePlay, best_base_play, nobody_folds
from riverboat.plots.axes import Source
from riverboat.plots.distribution_chart import distribution_chart
from riverboat.plots.edge_charts import meter_chart
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.paytables import index_lines

_METERS = (1, 2, 5, 10, 20)
_LONGEST_EXACT = 70


def progressive_sheet(setup: Setup, label: str, source: Source) -> ParSheet:
    """A progressive by one schedule, at its seed and a full table."""
    way = best_base_play(setup) if needs_base_play(setup) else nobody_folds()
    found = progressive_figures(setup, play=way)
    table = progressive_of(setup).table
    odd = ("The document does not print the wager.",) if table.wager_printed == "" else ()
    return ParSheet(
        bet="progressive",
        label=label,
        paytable=table.id,
        number=table.number,
        status=table.status,
        wager_cents=found.wager_cents,
        house_edge=found.house_edge,
        figures=(*_figures(found), *_life(setup, found, way)),
        grids=(_lines(setup, found), *_envy(setup, found, way), _meters(setup, found, way)),
        drawings=(
            meter_chart(setup, source, f"{label}, {table.id}", play=way),
            distribution_chart(
                found.distribution, source, f"{label} at the seed, without envy", "wagers"
            ),
        ),
        facts=tuple(_facts(found)),
        warnings=odd,
        assumptions=(
            *found.assumptions,
            "long run: every contribution and every seed is paid out in the end",
            f"full awards: {setup.seats} progressive wagers in every round",
        ),
        cites=tuple(dict.fromkeys((*table.cites, *progressive_of(setup).cites))),
    )


def _facts(found: ProgressiveFigures) -> Iterator[tuple[str, str]]:
    yield "Seed", money(found.seed_cents)
    yield "Rate of progression", f"{decimal(found.rate * 100, 2)} % of each wager"
    yield "Reserve rate", f"{decimal(found.reserve_rate * 100, 2)} % of each wager"
    yield "A fold", "forfeits the wager" if found.after_fold == "forfeited" else "keeps the wager"
    yield "Envy table", found.envy_table


def _figures(found: ProgressiveFigures) -> Iterator[Figure]:
    yield edge_figure(f"House edge at the seed, {money(found.seed_cents)}", found.house_edge)
    yield edge_figure("House edge in the long run", found.long_run_house_edge)
    even = found.break_even_meter
    if even is None or found.break_even_cents is None:
        yield Figure("Break-even meter", NOTHING, "no meter makes the wager even")
    else:
        yield Figure("Break-even meter", f"${even / 100}", money(found.break_even_cents))
    yield edge_figure("Fixed prizes", found.fixed_prizes)
    yield edge_figure("Shares of the meter at the seed", found.meter_awards)
    yield edge_figure(f"Envy bonuses, {found.others} others", found.envy)
    yield edge_figure("Seeds put up by the house", found.seed_share)
    yield chance_figure("Hit frequency", found.hit_frequency)
    yield chance_figure("Full award", found.full_award)
    yield Figure("Variance, with envy", str(found.variance), decimal(found.variance, 4))
    yield Figure("Standard deviation, with envy", NOTHING, f"{found.standard_deviation:.4f} wagers")


def _life(setup: Setup, found: ProgressiveFigures, way: BasePlay) -> Iterator[Figure]:
    """The meter from one full award to the next, every seat betting."""
    if not found.full_award:
        return
    life = meter_life(round_law(setup, play=way))
    yield _amount("Mean full award", life.mean)
    yield Figure("Its standard deviation", NOTHING, f"${life.standard_deviation / 100:,.2f}")
    yield Figure("Rounds between full awards, mean", _short(str(life.rounds)),
                 plainly(life.rounds, 1))  # fmt: skip


def _amount(label: str, cents: Fraction) -> Figure:
    return Figure(label, _short(f"${cents / 100}"), f"${decimal(cents / 100, 2)}")


def _short(exact: str) -> str:
    """A fraction that a reader can still copy; a longer one is left to the machine."""
    return exact if len(exact) <= _LONGEST_EXACT else NOTHING


def _lines(setup: Setup, found: ProgressiveFigures) -> Grid:
    """Every line at the seed; a folded hand wins nothing where a fold forfeits the wager."""
    return pay_grid(
        progressive_of(setup).table,
        found.lines,
        title=f"Pay table, the meter at {money(found.seed_cents)}",
        chance_head="Live and dealt",
        note="Return: what the line adds to the player's expectation, per unit wagered, without "
        "the envy bonuses. The stake of a winning wager is not returned.",
    )


def _envy(setup: Setup, found: ProgressiveFigures, way: BasePlay) -> Iterator[Grid]:
    """What the hand of one other bettor brings."""
    table, counts = progressive_of(setup).envy, five_card_counts()
    group = neighbours(setup, 1, 0)[0]
    chances, rows = chances_of(group, way), []
    for line in table.lines:
        own = [k for k, known in index_lines(table).items() if known is line and k in chances]
        if own:
            share = sum((chances[kind] for kind in own), Fraction(0))
            brings = sum((chances[k] * group.prizes[k] for k in own), Fraction(0))
            rows.append((
                line.label or ", ".join(map(hand_name, line.hands)),
                money(group.prizes[own[0]]),
                f"{sum(counts[kind] for kind in own):,}",
                chance(share),
                returned(brings / found.wager_cents),
                ", ".join(line.cites),
            ))  # fmt: skip
    if rows:
        yield Grid(
            title=f"Envy bonus {table.id}: for the hand of one other bettor",
            head=("Hand", "Pays", "Combinations", "Probability", "Return", "Clauses"),
            rows=tuple(rows),
            words=2,
            clauses=5,
        )


def _meters(setup: Setup, found: ProgressiveFigures, way: BasePlay) -> Grid:
    """The house edge from the seed upwards."""
    meters: list[Cents] = [times * found.seed_cents for times in _METERS]
    if found.break_even_cents is not None:
        meters.append(found.break_even_cents)
    points = edge_by_meter(setup, sorted(meters), play=way)
    edges = [in_percent(edge) for _, edge in points]
    return Grid(
        title="House edge by meter",
        head=("Meter", *(money(_whole_dollars(meter)).removesuffix(".00") for meter, _ in points)),
        rows=(("Edge", *edges),),
        note="Amounts to the nearest dollar.",
    )


def _whole_dollars(cents: Cents) -> Cents:
    return 100 * divide_half_up(cents, 100)
