"""PAR sheets of the bonuses: they go by one hand, and by a fold where that loses them."""

from riverboat.core.money import Cents
from riverboat.documents.figures import money
from riverboat.documents.par.sheet import (
    ONE_DOLLAR,
    Figure,
    Grid,
    ParSheet,
    amount_figure,
    chance_figure,
    edge_figure,
    in_percent,
    pay_grid,
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
        grids=(_pay_lines(setup, table, found), *_by_stake(setup, table)),
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


def _pay_lines(setup: Setup, table: PayTable, found: BetFigures) -> Grid:
    """Where a fold loses the bet, a hand has to be dealt and not to be folded."""
    fold = setup.book.fold.side_bets.get(table.bet)
    folds = found.lines[-1].label == FOLDED
    return pay_grid(
        table,
        found.lines,
        title="Pay table",
        chance_head="Live and dealt" if folds else "Probability",
        lost=tuple(fold.cites) if fold else (),
        note=_RETURN_NOTE,
    )


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
                ("Edge", *(in_percent(f.house_edge) for f in found)),
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
