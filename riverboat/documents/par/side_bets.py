"""PAR sheets of the bonuses: they go by one hand, and by a fold where that loses them."""

from fractions import Fraction
from itertools import zip_longest

from riverboat.core.money import Cents
from riverboat.documents.figures import NOTHING, decimal, money
from riverboat.documents.par.sheet import (
    ONE_DOLLAR,
    PERCENT_PLACES,
    Figure,
    Grid,
    ParSheet,
    amount_figure,
    chance,
    chance_figure,
    edge_figure,
    line_name,
    paid_as_printed,
    printed_cell,
    returned,
    spread_figures,
)
from riverboat.exact.questions.published import suspicions
from riverboat.exact.side_bets import FOLDED, BetFigures, edge_by_stake, side_bet_figures
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.paytables import PayTable

_STAKES = (100, 500, 1_000, 2_500, 10_000)
_RETURN_NOTE = (
    "Return: what the line adds to the player's expectation, its probability times the net result "
    "per unit wagered. The returns add up to minus the house edge."
)
_SUSPECT_NOTE = " † Suspect as printed, and not played so. – Not printed."


def side_bet_sheet(setup: Setup, table: PayTable, label: str, wager_cents: Cents) -> ParSheet:
    """A bonus under one table at one wager."""
    found = side_bet_figures(setup, table.bet, table, wager_cents)
    return ParSheet(
        bet=table.bet,
        label=label,
        paytable=table.id,
        number=table.number,
        status=table.status,
        wager_cents=wager_cents,
        house_edge=found.house_edge,
        figures=tuple(_figures(found)),
        grids=(pay_lines(setup, table, found), *_by_stake(setup, table)),
        facts=tuple(_facts(table)),
        warnings=tuple(_warnings(setup, table, wager_cents)),
        assumptions=("52 cards, one deck, every hand equally likely", *found.assumptions),
        cites=table.cites,
    )


def _figures(found: BetFigures) -> list[Figure]:
    spread = found.distribution
    return [
        edge_figure("House edge", found.house_edge),
        edge_figure("Player's expectation", found.ev),
        chance_figure("Hit frequency", found.hit_frequency),
        *spread_figures(spread.variance, spread.standard_deviation, spread.skewness, "wagers"),
        amount_figure("Largest net win", spread.outcomes[-1][0], "wagers"),
    ]


def pay_lines(setup: Setup, table: PayTable, found: BetFigures) -> Grid:
    """Hand, pays, combinations, probability, return, with the clauses of each line, and of what a
    fold does to the bet where it loses."""
    lost = setup.book.fold.side_bets.get(table.bet)
    both = paid_as_printed(table.lines)
    rows = []
    for line, counted in zip_longest(table.lines, found.lines):
        printed = () if both else (printed_cell(line) if line else "",)
        rows.append((
            line_name(counted.label),
            *printed,
            counted.pays,
            f"{counted.combinations:,}" if line else NOTHING,
            chance(counted.probability),
            returned(counted.returns),
            ", ".join(line.cites if line else lost.cites if lost else ()),
        ))  # fmt: skip
    pays_head = ("Pays",) if both else ("Printed", "Played")
    total = sum((line.returns for line in found.lines), Fraction(0))
    return Grid(
        title="Pay table",
        head=("Hand", *pays_head, "Combinations", _chance_head(found), "Return", "Clauses"),
        rows=tuple(rows),
        total=("All hands", *("" for _ in pays_head), f"{found.combinations:,}",
               chance(Fraction(1)), returned(total), ""),
        words=1 + len(pays_head),
        clauses=5 + len(pays_head) - 1,
        note=_RETURN_NOTE + ("" if both else _SUSPECT_NOTE),
    )  # fmt: skip


def _chance_head(found: BetFigures) -> str:
    """Where a fold loses the bet, a hand has to be dealt and not to be folded."""
    return "Live and dealt" if found.lines[-1].label == FOLDED else "Probability"


def _by_stake(setup: Setup, table: PayTable) -> tuple[Grid, ...]:
    """Where prizes are fixed dollars, the edge goes with the stake."""
    limit, falling = edge_by_stake(setup, table.bet, table)
    if not falling:
        return ()
    found = [side_bet_figures(setup, table.bet, table, stake) for stake in _STAKES]
    dollars = falling / ONE_DOLLAR
    return (
        Grid(
            title="House edge by stake",
            head=("Stake", *(money(stake) for stake in _STAKES)),
            rows=(
                ("Edge", *(f"{decimal(f.house_edge * 100, PERCENT_PLACES)} %" for f in found)),
                ("Standard deviation", *(f"{f.standard_deviation:,.2f}" for f in found)),
            ),
            note=f"The edge is {limit} less {dollars} over the stake in dollars.",
        ),
    )


def _facts(table: PayTable) -> list[tuple[str, str]]:
    facts = []
    if table.equals:
        facts.append(("Pays the same as", ", ".join(table.equals)))
    if table.marks:
        facts.append(("Marks in the document", table.marks))
    return facts


def _warnings(setup: Setup, table: PayTable, wager_cents: Cents) -> list[str]:
    """What is odd about the document's own cells, and what they would come to."""
    odd = [
        f"Read as printed: {one.words}."
        for one in suspicions([setup.book])
        if one.paytable == table.id
    ]
    if table.status == "as_printed_suspect" and not odd:
        read = side_bet_figures(setup, table.bet, table, wager_cents, reading="printed")
        odd.append(f"Read as printed the house edge is {read.house_edge}.")
    return odd
