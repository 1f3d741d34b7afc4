"""What a pay line one higher or lower is worth.

Each changed table is solved again, so that the players' best answer to the change is counted.
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.money import Cents
from riverboat.exact.side_bets import side_bet_figures
from riverboat.exact.solvers import house_edge
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.paytables import Line, PayTable
from riverboat.rulebook.play import Comparison
from riverboat.rulebook.values import Pays


class LineMoved(Struct, frozen=True, kw_only=True):
    """A pay line, and the house edge if it paid one more or one less; None where it cannot."""

    bet: str
    line: str
    pays: str
    edge: Fraction
    one_more: Fraction | None
    one_less: Fraction | None


# ---------------------------------------------------------------- pay lines


def moved(pays: Pays, by: int) -> Pays | None:
    """A payout whole units away: lose, push, then odds; None where there is nothing to pay so."""
    ladder = {"lose": -1, "push": 0}
    if pays.kind == "to":
        step, per = pays.amount + by * pays.per, pays.per
    elif pays.kind in ladder:
        step, per = ladder[pays.kind] + by, 1
    else:
        return None
    if step <= 0:
        words = {-per: "lose", 0: "push"}.get(step)
        return None if words is None else Pays.parse(words)
    return Pays.parse(f"{step} to {per}")


def base_lines_moved(setup: Setup, ante_cents: Cents | None = None) -> Iterator[LineMoved]:
    """Every line of the base game, one more and one less."""
    if setup.book.comparison is not None:
        yield from _comparison_moved(setup, setup.book.comparison, ante_cents or 100)
        return
    table, ante = setup.base, ante_cents or setup.limits.ante.minimum_cents or 100
    assert table is not None
    edge = house_edge(setup, ante)
    for number, line in enumerate(table.lines):
        more, less = (
            None
            if pays is None
            else house_edge(paying_by(setup, with_line(table, number, pays)), ante)
            for pays in (moved(line.pays, 1), moved(line.pays, -1))
        )
        yield LineMoved(
            bet="base",
            line=line_name(line),
            pays=line.pays.words,
            edge=edge,
            one_more=more,
            one_less=less,
        )


def line_name(line: Line) -> str:
    """A line as its table calls it."""
    return line.label or ", ".join(hand.replace("_", " ") for hand in line.hands)


def with_line(table: PayTable, number: int, pays: Pays) -> PayTable:
    """The same table with one line changed."""
    lines = list(table.lines)
    lines[number] = replace(lines[number], pays=pays)
    return replace(table, lines=tuple(lines))


def paying_by(setup: Setup, table: PayTable) -> Setup:
    """The same with another pay table for the base game, for limits that go by it as well."""
    tables = tuple(table if one.id == table.id else one for one in setup.book.paytables)
    return replace(setup, book=replace(setup.book, paytables=tables))


def _comparison_moved(
    setup: Setup, comparison: Comparison, ante_cents: Cents
) -> Iterator[LineMoved]:
    """A game against the dealer: what each base wager is paid, each for itself."""
    edge = house_edge(setup, ante_cents)
    for number, line in enumerate(comparison.lines):
        if line.outcome == "fold":
            continue
        for spot, pays in line.pays.items():
            edges: list[Fraction | None] = []
            for other in (moved(pays, 1), moved(pays, -1)):
                if other is None:
                    edges.append(None)
                    continue
                lines = list(comparison.lines)
                lines[number] = replace(line, pays={**line.pays, spot: other})
                book = replace(setup.book, comparison=replace(comparison, lines=tuple(lines)))
                edges.append(house_edge(replace(setup, book=book), ante_cents))
            hands = ", ".join(hand.replace("_", " ") for hand in line.hands)
            named = f"{line.outcome.replace('_', ' ')}: {spot}" + (f" ({hands})" if hands else "")
            yield LineMoved(
                bet="base",
                line=named,
                pays=pays.words,
                edge=edge,
                one_more=edges[0],
                one_less=edges[1],
            )


def bonus_lines_moved(
    setup: Setup, table: PayTable, wager_cents: Cents = 100
) -> Iterator[LineMoved]:
    """Every line of a bonus's pay table, one more and one less."""
    edge = side_bet_figures(setup, table.bet, table, wager_cents).house_edge
    for number, line in enumerate(table.lines):
        more, less = (
            None
            if pays is None
            else side_bet_figures(setup, table.bet, with_line(table, number, pays), wager_cents)
            for pays in (moved(line.pays, 1), moved(line.pays, -1))
        )
        yield LineMoved(
            bet=table.bet,
            line=line_name(line),
            pays=line.pays.words,
            edge=edge,
            one_more=None if more is None else more.house_edge,
            one_less=None if less is None else less.house_edge,
        )


# ---------------------------------------------------------------- exposed cards
