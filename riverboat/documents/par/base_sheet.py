"""The base games line by line: how often each hand is bet to the end, and what it brings.

The figures of a solved game are for the whole of it. To tell the hands apart, each kind of hand is
paid a prize of its own that is far beyond every result, and the distribution is read by it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import groupby
from typing import NamedTuple

from riverboat.core.hand_kinds import five_card_counts
from riverboat.core.hands import FiveCardHand, Kind
from riverboat.core.money import Cents, format_cents
from riverboat.documents.par import sheet as s
from riverboat.documents.printing import NOTHING, decimal, hand_name
from riverboat.exact.base_games import dealer_game
from riverboat.exact.base_games.dealer_strategies import compact_strategy, rules_of_thumb
from riverboat.exact.base_games.street_payoffs import KINDS, with_extra
from riverboat.exact.base_games.street_strategies import COMPACT, Cost, costs
from riverboat.exact.base_games.streets import Solution, evaluate, solve
from riverboat.exact.distribution import Distribution
from riverboat.exact.side_bets import kinds_by_line
from riverboat.exact.solvers import ByShape, Solved
from riverboat.plots.axes import Source
from riverboat.plots.charts import dealer_chart, distribution_chart, strategy_chart
from riverboat.round.setup.setup import Setup
from riverboat.round.table_talk import sentence
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.play import Comparison

FOLDED = Kind("folded")


class Brought(NamedTuple):
    """A kind of hand: the share of rounds that end with it, and its part of the expectation."""

    chance: Fraction
    returns: Fraction


def brought_by_kind(solution: Solution) -> Mapping[Kind, Brought]:
    """Every kind of hand under the solution's own play, and the folds, in antes."""
    payoffs = solution.payoffs
    apart = Fraction(4 * payoffs.biggest, payoffs.per_cent)
    marks = {kind: apart * place for place, kind in enumerate(KINDS, start=1)}
    marked = evaluate(with_extra(payoffs, marks), solution.choose).distribution
    step = apart / payoffs.ante_cents
    chances: Counter[Kind] = Counter()
    sums: dict[Kind, Fraction] = dict.fromkeys((FOLDED, *KINDS), Fraction(0))
    for result, weight in marked.outcomes:
        place = round(result / step)
        kind = KINDS[place - 1] if place else FOLDED
        chances[kind] += weight
        sums[kind] += weight * (result - place * step)
    total = marked.total
    return {
        kind: Brought(Fraction(chances[kind], total), sums[kind] / total)
        for kind in (FOLDED, *KINDS)
    }


def returns_by_hand(solution: dealer_game.DealerSolution) -> Mapping[FiveCardHand, Fraction]:
    """Against a dealer: what each hand that is bet adds to the expectation, in antes; ties bet."""
    terms, tally = solution.terms, solution.tally
    dealt = tally.bet + tally.at_par
    cases = dealer_game.DEALS * dealer_game.DEALER_HANDS * terms.ante_cents
    return {
        hand: Fraction(
            sum(
                int(dealt[place, hand, situation]) * table[hand, situation].net_cents
                for place, table in enumerate(terms.paid)
                for situation in dealer_game.SITUATIONS
                if (hand, situation) in table
            ),
            cases,
        )
        for hand in FiveCardHand
    }


_NOTE = (
    "Bet to the end: the share of all rounds that end with the hand, not folded. Return: what "
    "these rounds add to the player's expectation, in antes."
)
_COMPACT_COST = "The lines cost {} of an ante ({} %) against the best play."


class _Parts(NamedTuple):
    """What a base game's sheet has of its own, by the shape of the game."""

    solution: Solved
    table: PayTable | Comparison
    figures: tuple[s.Figure, ...]
    grids: tuple[s.Grid, ...]
    more: tuple[s.Grid, ...]
    drawing: str
    assumptions: tuple[str, ...]


def base_sheet(setup: Setup, ante_cents: Cents, source: Source) -> s.ParSheet:
    """The base game under its best play, if its shape has a solver."""
    label = setup.book.game.replace("_", " ").title()
    parts = ByShape(_on_streets, _against_dealer).at(setup)(setup, label, ante_cents, source)
    figures, folding = parts.solution.figures, parts.solution.figures_folding_ties
    return s.ParSheet(
        bet="base",
        label=label,
        paytable=parts.table.id,
        number=parts.table.number,
        status=parts.table.status,
        wager_cents=ante_cents,
        house_edge=figures.house_edge,
        figures=(
            s.edge_figure("House edge, of the ante", figures.house_edge),
            s.amount_figure("Average wager, ties bet", figures.average_wager, "antes"),
            s.amount_figure("Average wager, ties fold", folding.average_wager, "antes"),
            s.edge_figure("Element of risk, ties bet", figures.element_of_risk),
            s.edge_figure("Element of risk, ties fold", folding.element_of_risk),
            *parts.figures,
            *_ends(figures.distribution),
        ),
        grids=parts.grids,
        more=parts.more,
        drawings=(
            parts.drawing,
            distribution_chart(figures.distribution, source, f"{label}, best play"),
        ),
        assumptions=(
            *parts.assumptions,
            "the limit on payouts cuts some results; it counts this hand alone"
            if figures.capped
            else "no limit on payouts is reached at this ante",
            f"ante and table minimum {format_cents(ante_cents)}, every option of the rulebook as "
            "it comes",
        ),
        cites=parts.table.cites,
    )


def _on_streets(setup: Setup, label: str, ante_cents: Cents, source: Source) -> _Parts:
    """Three streets against a pay table."""
    solution, table = solve(setup, ante_cents), setup.base
    assert table is not None, "a game of streets has a pay table"
    played = costs(solution.payoffs)
    return _Parts(
        solution=solution,
        table=table,
        figures=(),
        grids=(_street_lines(table, brought_by_kind(solution)), _streets(setup, solution)),
        more=(
            _costs((one.rules.name, one.figures.house_edge, one.cost) for one in played),
            _compact(setup, played),
        ),
        drawing=strategy_chart(solution, source, f"{label}, {table.id}"),
        assumptions=(
            "one deck of 52 cards; one player, who sees the own cards and the board",
            "the best play by backward induction, over every situation",
            "where folding and betting are worth the same it bets (element of risk: both ways); "
            "of two bets that are worth the same it makes the smaller",
            "street bets are whole multiples of the ante",
        ),
    )


def _ends(spread: Distribution) -> Iterator[s.Figure]:
    win, push, loss = spread.win_push_loss
    yield s.chance_figure("Hit frequency (round won)", win)
    yield s.chance_figure("Round even", push)
    yield s.chance_figure("Round lost", loss)
    yield from s.spread_figures(
        spread.variance, spread.standard_deviation, spread.skewness, "antes"
    )
    yield s.amount_figure("Largest net win", spread.outcomes[-1][0], "antes")


def _street_lines(table: PayTable, brought: Mapping[Kind, Brought]) -> s.Grid:
    """Every line of the pay table, dealt and bet to the end, and the folds."""
    both, counts = s.paid_as_printed(table.lines), five_card_counts()
    whole, rows = sum(counts.values()), []
    for line, own in kinds_by_line(table):
        dealt = sum(counts[kind] for kind in own)
        ends = sum((brought[kind].chance for kind in own), Fraction(0))
        brings = sum((brought[kind].returns for kind in own), Fraction(0))
        pays = (line.pays.words,) if both else (s.printed_cell(line), line.pays.words)
        rows.append((
            sentence(line.label or ", ".join(map(hand_name, line.hands))),
            *pays,
            f"{dealt:,}",
            s.chance(Fraction(dealt, whole)),
            s.chance(ends),
            s.returned(brings),
            ", ".join(line.cites),
        ))  # fmt: skip
    pays_head = ("Pays",) if both else ("Printed", "Played")
    blank = tuple("" for _ in pays_head)
    folded = brought[FOLDED]
    shares = s.chance(folded.chance), s.returned(folded.returns)
    rows.append(("Folded", *blank, NOTHING, NOTHING, *shares, ""))
    total = sum((one.returns for one in brought.values()), Fraction(0))
    return s.Grid(
        title="Pay table",
        head=("Hand", *pays_head, "Combinations", "Dealt", "Bet to the end", "Return", "Clauses"),
        rows=tuple(rows),
        total=("All rounds", *blank, f"{whole:,}", s.chance(Fraction(1)), s.chance(Fraction(1)),
               s.returned(total), ""),
        words=1 + len(pays_head),
        clauses=5 + len(pays_head),
        note=_NOTE,
    )  # fmt: skip


def _streets(setup: Setup, solution: Solution) -> s.Grid:
    """How often each choice is made, as a share of all rounds."""
    figures = solution.figures
    multiples = sorted({m for made in figures.bets.values() for m in made})
    rows, gone = [], Fraction(0)
    for stage in setup.stages:
        made = figures.bets[stage.spot]
        shares = [figures.folds[stage.spot], *(made.get(m, Fraction(0)) for m in multiples)]
        cells = [s.in_percent(share) for share in shares]
        rows.append((stage.label, *cells, s.in_percent(gone)))
        gone += figures.folds[stage.spot]
    return s.Grid(
        title="Fold and raise frequencies, of all rounds",
        head=("Street", "Fold", *(f"{m}x" for m in multiples), "Folded before"),
        rows=tuple(rows),
        note="Ties bet.",
    )


def _compact(setup: Setup, played: Iterable[Cost]) -> s.Grid:
    """The strategy in words, with its exact cost."""
    compact = next(one for one in played if one.rules.name == COMPACT.name)
    cost = compact.cost
    rows = [
        (stage.label, f"{bet}x", "; ".join(line.words for line in together))
        for stage, lines in zip(setup.stages, compact.rules.streets, strict=True)
        for bet, together in groupby(lines, key=lambda line: line.bet)
    ]
    return s.Grid(
        title="Strategy to remember: the first that fits, else fold",
        head=("Street", "Bet", "With"),
        rows=tuple(rows),
        words=3,
        wide=(2,),
        note=_COMPACT_COST.format(cost, decimal(cost * 100, s.PERCENT_PLACES))
        + " Points: 2 for a rank whose pair wins, 1 for one whose pair is a push.",
    )


def _costs(ways: Iterable[tuple[str, Fraction, Fraction]]) -> s.Grid:
    rows = [
        (sentence(name), s.in_percent(edge), s.in_percent(cost), str(cost))
        for name, edge, cost in ways
    ]  # fmt: skip
    return s.Grid(
        title="What simpler ways of playing cost, of the ante",
        head=("Way of playing", "House edge", "Cost", "Cost exactly"),
        rows=tuple(rows),
    )


# ---------------------------------------------------------------- against the dealer


def _against_dealer(setup: Setup, label: str, ante_cents: Cents, source: Source) -> _Parts:
    """A hand against the dealer's."""
    solution = dealer_game.solve_against_dealer(setup, ante_cents)
    comparison = dealer_game.comparison_of(setup)
    figures, compact = solution.figures, compact_strategy(solution)
    words = tuple(tuple(rung.split(": ", 1)) for rung in compact.words)
    limit = ("the limit on payouts is this hand's alone",) if figures.capped else ()
    ((spot, bets),) = figures.bets.items()
    return _Parts(
        solution=solution,
        table=comparison,
        figures=(
            s.chance_figure("Folds", figures.folds[spot]),
            *(s.chance_figure(f"Bets {multiple} antes", share) for multiple, share in bets.items()),
            s.chance_figure("Betting and folding worth the same", figures.at_par),
        ),
        grids=(_comparison(setup), _dealer_hands(solution, figures)),
        more=(
            s.Grid(
                title="Strategy to remember",
                head=("Dealer's up-card", "Play; fold everything lower"),
                rows=tuple((sentence(up), play) for up, play in words),
                words=2,
                wide=(1,),
                note=_COMPACT_COST.format(
                    compact.cost, decimal(compact.cost * 100, s.PERCENT_PLACES)
                ),
            ),
            _costs(
                (one.name, one.figures.house_edge, one.cost) for one in rules_of_thumb(solution)
            ),
        ),
        drawing=dealer_chart(solution, source, f"{label}, {comparison.id}"),
        assumptions=(
            "one deck of 52 cards, every hand with every up-card, none sampled",
            "one player, who sees the own hand and the dealer's up-card",
            "where betting and folding are worth the same: bet",
            *limit,
        ),
    )


def _comparison(setup: Setup) -> s.Grid:
    book, spots = setup.book, setup.base_spots
    labels = (book.ante.label, *(decision.label for decision in book.decisions))
    return s.Grid(
        title="What is paid",
        head=("Outcome", "With", *labels, "Clauses"),
        rows=tuple(
            (
                line.outcome.replace("_", " ").capitalize(),
                ", ".join(hand.replace("_", " ") for hand in line.hands) or "any hand",
                *(line.pays[spot].words for spot in spots),
                ", ".join(line.cites),
            )
            for line in dealer_game.comparison_of(setup).lines
        ),
        words=2 + len(spots),
        wide=(1,),
        clauses=2 + len(spots),
    )


def _dealer_hands(
    solution: dealer_game.DealerSolution, figures: dealer_game.DealerGameFigures
) -> s.Grid:
    """Every hand of the player's: dealt, bet, and how it ends."""
    returns, counts = returns_by_hand(solution), five_card_counts()
    rows = []
    for found, hand in zip(figures.hands, reversed(FiveCardHand), strict=True):
        dealt = sum(count for kind, count in counts.items() if kind.hand == found.hand)
        shares = (found.bet, found.wins, found.pushes, found.loses)
        rows.append(
            (hand_name(found.hand), f"{dealt:,}", s.chance(found.probability),
             *map(s.chance, shares), s.returned(returns[hand]))
        )  # fmt: skip
    (fold,) = figures.folds.values()
    lost = figures.value - sum(returns.values(), Fraction(0))
    rows.append(("Folded", NOTHING, NOTHING, s.chance(fold), "", "", "", s.returned(lost)))
    sums = [
        sum((getattr(found, name) for found in figures.hands), Fraction(0))
        for name in ("wins", "pushes", "loses")
    ]
    return s.Grid(
        title="Player's hands under the best play, as shares of all rounds",
        head=("Hand", "Combinations", "Dealt", "Bet", "Wins", "Pushes", "Loses", "Return"),
        rows=tuple(rows),
        total=("All rounds", f"{sum(counts.values()):,}",
               *map(s.chance, (Fraction(1), Fraction(1), *sums)), s.returned(figures.value)),
        note="Return: what these rounds add to the player's expectation, in antes. Ties bet.",
    )  # fmt: skip
