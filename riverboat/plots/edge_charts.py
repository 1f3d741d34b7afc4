"""How the house edge goes with the meter, and with one line of a pay table."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.exact.base_games.street_payoffs import payoffs_of
from riverboat.exact.base_games.streets import Solution, evaluate, solve
from riverboat.exact.progressive.wager import edge_by_meter, progressive_figures, progressive_of
from riverboat.exact.rule_changes import paying_by, with_line
from riverboat.exact.side_bets import side_bet_figures
from riverboat.exact.solvers import BasePlay, house_edge
from riverboat.plots.axes import (
    BLUE,
    INK,
    MARGIN,
    QUIET,
    RED,
    WIDTH,
    Picture,
    Source,
    dollars,
    framed,
    percent,
    width_of,
)
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.paytables import Line, PayTable
from riverboat.rulebook.values import Pays

_METER_POINTS = 25
_LINE_POINTS = 41
_FINE_UP_TO = 8
_QUARTER = Fraction(1, 4)


class LinePoint(NamedTuple):
    """Odds to 1 on a line, and the house edge then: played anew, and played as before."""

    odds: Fraction
    edge: Fraction
    unmoved: Fraction


# ---------------------------------------------------------------- the meter


def meter_chart(setup: Setup, source: Source, where: str, play: BasePlay | None = None) -> str:
    """The house edge of one progressive wager from an empty meter to beyond break-even."""
    found = progressive_figures(setup, play=play)
    seed, even = found.seed_cents, found.break_even_cents
    last = max(2 * seed, int((even or 5 * seed) * 5 / 4))
    meters = sorted({*(last * place // _METER_POINTS for place in range(_METER_POINTS + 1)),
                     seed, *((even,) if even else ())})  # fmt: skip
    points = edge_by_meter(setup, meters, play=play)
    edges = [float(edge) for _, edge in points]
    picture = Picture(
        "House edge by the meter",
        f"{where}: one wager of {dollars(progressive_of(setup).wager_cents / 100)}, "
        f"{found.others} others betting. Below the line at zero the player has the edge.",
        f"A falling line: {percent(dict(points)[seed])} at the seed"
        + (f", zero at ${even / 100:,.2f}." if even else "."),
    )
    low, high = min(edges), max(edges)
    frame = framed(
        picture,
        (0, last / 100),
        (low - (high - low) * 0.08, high + (high - low) * 0.08),
        ("meter when the award is paid", "house edge of the wager"),
        (dollars, lambda share: percent(share, 0)),
    )
    picture.curve([(frame.x(m / 100), frame.y(e)) for m, e in points], BLUE)
    _marked(picture, frame.x(seed / 100), frame.y(dict(points)[seed]), INK,
            f"seed ${seed / 100:,.0f}: {percent(dict(points)[seed])}")  # fmt: skip
    if even:
        _marked(picture, frame.x(even / 100), frame.y(dict(points)[even]), RED,
                f"even at ${even / 100:,.2f}")  # fmt: skip
    picture.note(
        f"In the long run, when contributions and seeds are paid out, the house keeps "
        f"{percent(found.long_run_house_edge)}. {_sentences(found.assumptions)}"
    )
    return picture.svg(source)


def _marked(picture: Picture, x: float, y: float, fill: str, words: str) -> None:
    """A point of a falling line with its words where that line is not: above it on the right, or
    below it on the left."""
    picture.dot(x, y, fill)
    to_right = x + 9 + width_of(words, 11) < WIDTH - MARGIN
    if to_right:
        picture.text(x + 9, y - 9, words, fill=fill, weight="bold", halo=True)
    else:
        picture.text(x - 9, y + 17, words, fill=fill, weight="bold", halo=True, anchor="end")


def _sentences(assumptions: Sequence[str]) -> str:
    return " ".join(f"{words[:1].upper()}{words[1:]}." for words in assumptions)


# ---------------------------------------------------------------- a line of a pay table


def line_named(table: PayTable, name: str) -> Line:
    """A line by its label or by one of its hands."""
    wanted = _plain(name)
    for line in table.lines:
        if wanted in (_plain(line.label), *map(_plain, line.hands)):
            return line
    there = ", ".join(line.label or line.hands[0] for line in table.lines)
    raise NotationError("plot.no_line", f"{table.id} has no line {name!r}; there are: {there}")


def _plain(name: str) -> str:
    return name.lower().replace("_", " ").replace("-", " ").strip()


def odds_of(line: Line) -> Fraction:
    """What a line pays to 1: a push is nothing, and a loss is minus one."""
    match line.pays.kind:
        case "to":
            return Fraction(line.pays.amount, line.pays.per)
        case "push":
            return Fraction(0)
        case "lose":
            return Fraction(-1)
    raise NotationError("plot.no_odds", f"{line.label} pays {line.pays.words}, which has no odds")


def points_of(setup: Setup, table: PayTable, line: Line, wager_cents: Cents) -> list[LinePoint]:
    """The edge for payouts of one line from a push to twice what it is, the others as they are."""
    now = odds_of(line)
    most = max(2 * now, Fraction(2))
    step = _QUARTER if most <= _FINE_UP_TO else Fraction(-(-most // _LINE_POINTS))
    wanted = sorted({*(step * n for n in range(int(most / step) + 1)), max(now, Fraction(0))})
    if table.bet != "base":
        edges = [
            side_bet_figures(setup, table.bet, _paying(table, line, n), wager_cents).house_edge
            for n in wanted
        ]
        return [LinePoint(n, edge, edge) for n, edge in zip(wanted, edges, strict=True)]
    solution = solve(setup, wager_cents)
    slope = _slope(setup, table, line, solution, wager_cents)
    here = solution.house_edge
    moved = ((n, paying_by(setup, _paying(table, line, n))) for n in wanted)
    return [
        LinePoint(n, house_edge(there, wager_cents), here - slope * (n - now)) for n, there in moved
    ]


def _slope(
    setup: Setup, table: PayTable, line: Line, solution: Solution, wager_cents: Cents
) -> Fraction:
    """What one more to 1 on the line brings a player who plays on as before, per ante."""
    more = paying_by(setup, _paying(table, line, odds_of(line) + 1))
    return evaluate(payoffs_of(more, wager_cents), solution.choose).value - solution.value


def _paying(table: PayTable, line: Line, odds: Fraction | int) -> PayTable:
    one = Fraction(odds)
    pays = Pays.parse(f"{one.numerator} to {one.denominator}" if one > 0 else "push")
    return with_line(table, table.lines.index(line), pays)


def line_chart(
    setup: Setup, table: PayTable, line: Line, wager_cents: Cents, source: Source, where: str
) -> str:
    """The house edge as one line of the pay table is moved."""
    points, now = points_of(setup, table, line, wager_cents), odds_of(line)
    name = line.label or line.hands[0].replace("_", " ")
    picture = Picture(
        f"House edge by what “{name}” pays",
        f"{where}: this line moved, all others as they are.",
        f"A falling line of the house edge over the payout of {name}.",
    )
    edges = [float(e) for point in points for e in (point.edge, point.unmoved)]
    low, high = min(edges), max(edges)
    room = max(high - low, 0.001) * 0.1
    frame = framed(
        picture,
        (0, float(points[-1].odds)),
        (low - room, high + room),
        (f"{name} pays … to 1 (0: push)", "house edge"),
        (lambda odds: f"{odds:g}", lambda share: percent(share, 1)),
    )
    base = table.bet == "base"
    if base:
        picture.curve([(frame.x(p.odds), frame.y(p.unmoved)) for p in points], QUIET, 1.3, "4 3",
                      "unmoved")  # fmt: skip
    picture.curve([(frame.x(p.odds), frame.y(p.edge)) for p in points], BLUE)
    here = next((p for p in points if p.odds == now), None)
    if here is not None:
        _marked(picture, frame.x(now), frame.y(here.edge), RED,
                f"{line.pays.words}: {percent(here.edge)}")  # fmt: skip
    if base:
        picture.legend(
            [(BLUE, "best play for each pay table"), (QUIET, "today's play kept (dashed)")]
        )
        picture.note("The best play changes with the pay table, so the full line bends downwards.")
    return picture.svg(source)
