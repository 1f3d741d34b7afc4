"""Every bet of a rulebook under every pay table, printed, played and struck; none is left out."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import msgspec
from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.core.money import Cents, format_cents
from riverboat.exact.answers import (
    BaseOdds,
    BetOdds,
    HandShare,
    NotOffered,
    Odds,
    SimplerPlay,
    as_kept,
    as_read,
)
from riverboat.exact.asking import Question, ante_of, stake_of, table_for, tables_of
from riverboat.exact.caching import is_kept, kept
from riverboat.exact.distribution import Distribution
from riverboat.exact.solvers import ByShape, base_table, house_edge
from riverboat.round.settlement.dues import forfeited_by_fold
from riverboat.round.setup.setup import Setup
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import index_lines
from riverboat.rulebooks import Loaded


def odds_of(loaded: Loaded, question: Question, *, fresh: bool = False) -> Odds:
    """The answer, from the disk if it was worked out before and is not wanted fresh."""
    answer = kept(_named(loaded, question), lambda: as_kept(work_out(loaded.book, question)),
                  fresh=fresh)  # fmt: skip
    return as_read(answer)


def is_worked_out(loaded: Loaded, question: Question) -> bool:
    """Whether the answer only has to be read."""
    return is_kept(_named(loaded, question))


def _named(loaded: Loaded, question: Question) -> dict[str, Any]:
    asked: dict[str, Any] = msgspec.to_builtins(question)
    return {"what": "odds", "rulebook": loaded.sha256, "asked": asked}


def work_out(book: Rulebook, question: Question) -> Odds:
    """The answer, worked out; refused only where nothing that was asked about is offered."""
    found = tuple(_entries(book, question))
    bets = tuple(one for one in found if isinstance(one, BetOdds))
    refused = tuple(one for one in found if isinstance(one, NotOffered))
    if refused and not bets:
        raise Refused(refused[0].code, refused[0].words, cites=refused[0].cites)
    return Odds(rulebook=book.id, bets=bets, not_offered=refused)


def _entries(book: Rulebook, question: Question) -> Iterator[BetOdds | NotOffered]:
    setup = table_for(book, question)
    ante = ante_of(setup, question)
    offered = {offer.bet for offer in book.bonuses}
    wanted = [
        (bet, name)
        for bet, name in tables_of(book)
        if question.bet in ("", bet)
        and question.paytable in ("", name)
        and (bet not in offered or question.named_table(bet) in ("", name))
    ]
    if any(bet == "base" for bet, _ in wanted):
        try:
            yield base_odds(setup, ante, simpler=question.bet == "base")
        except Refused as refusal:
            yield not_offered("base", base_table(book), ante, refusal)
    bonuses = [(bet, name) for bet, name in wanted if bet in offered]
    yield from _bonus_entries(setup, question, ante, bonuses)
    meters = [(bet, name) for bet, name in wanted if bet in ("progressive", "envy")]
    if meters:
        from riverboat.exact.odds_of_meters import progressive_entries

        yield from progressive_entries(book, question, ante, meters)


# ---------------------------------------------------------------- bonuses


def _bonus_entries(
    setup: Setup, question: Question, ante: Cents, wanted: list[tuple[str, str]]
) -> Iterator[BetOdds | NotOffered]:
    if not wanted:
        return
    from riverboat.exact.suspicions import suspicions

    found = {one.paytable: one.words for one in suspicions([setup.book])}
    for bet, name in wanted:
        suspicion = found.get(name, "")
        if suspicion and forfeited_by_fold(setup, bet):
            suspicion += " (by its hands alone, as if no fold lost the bet)"
        try:
            wager = stake_of(setup, question, bet)
            entry = bonus_odds(setup, bet, name, wager, ante, suspicion)
        except Refused as refusal:
            yield not_offered(bet, name, question.wager_cents, refusal)
            continue
        if question.named_table(bet):
            said = f"only {name}, which the choices name for this bet"
            entry = replace(entry, assumptions=(*entry.assumptions, said))
        yield entry


def not_offered(bet: str, name: str, wager: Cents | None, refusal: Refused) -> NotOffered:
    """A refusal as a line of the answer about everything else."""
    return NotOffered(bet=bet, paytable=name, wager_cents=wager, code=refusal.code,
                      words=str(refusal), cites=refusal.cites)  # fmt: skip


def bonus_odds(
    setup: Setup, bet: str, name: str, wager: Cents, ante: Cents, suspicion: str = ""
) -> BetOdds:
    """A side bet under one table as it is played, with what its print would come to.

    The ante counts where a fold forfeits the bet: the base game is played for it.
    """
    from riverboat.exact.side_bets import side_bet_figures

    figures = side_bet_figures(setup, bet, name, wager, ante_cents=ante)
    printed = side_bet_figures(setup, bet, name, wager, reading="printed", ante_cents=ante)
    differs = printed.distribution != figures.distribution
    return BetOdds(
        bet=bet,
        paytable=name,
        status=figures.status,
        wager_cents=wager,
        ev=figures.ev,
        hit_frequency=figures.hit_frequency,
        variance=figures.distribution.variance,
        skewness=figures.distribution.skewness,
        lines=figures.lines,
        printed_ev=printed.ev if differs else None,
        suspicion=suspicion,
        assumptions=figures.assumptions,
    )


# ---------------------------------------------------------------- base games


def base_odds(setup: Setup, ante: Cents, *, simpler: bool = False) -> BetOdds:
    """The base game under the best play, ties bet; what simpler ways to play cost, if wanted."""
    return ByShape(_on_streets, _against_dealer).at(setup)(setup, ante, simpler)


def _on_streets(setup: Setup, ante: Cents, simpler: bool) -> BetOdds:
    from riverboat.exact.mississippi import hand_chances, solve
    from riverboat.exact.mississippi_compare import costs

    solution = solve(setup, ante)
    figures, other = solution.figures, solution.other_ties.figures
    assert setup.base is not None
    dealt, lines = hand_chances(), index_lines(setup.base)
    hands = tuple(
        HandShare(
            hand=line.label or ", ".join(hand.replace("_", " ") for hand in line.hands),
            dealt=sum((dealt[k] for k in dealt if lines[k] is line), Fraction(0)),
            unfolded=sum((figures.hands_unfolded[k] for k in dealt if lines[k] is line),
                         Fraction(0)),
        )
        for line in setup.base.lines
    )  # fmt: skip
    spots = solution.payoffs.spots
    costed = tuple(
        SimplerPlay(name=one.rules.name, words=_rules(one.rules.streets, spots),
                    ev=one.figures.value, cost=one.cost)
        for one in (costs(solution.payoffs) if simpler else ())
    )  # fmt: skip
    return _base_entry(
        setup,
        ante,
        figures.distribution,
        BaseOdds(
            capped=_changes(setup, ante, figures.value, capped=figures.capped),
            ties=solution.ties,
            average_wager=figures.average_wager,
            other_ties=solution.other_ties.ties,
            other_average_wager=other.average_wager,
            folds=figures.folds,
            raises={
                street: {f"{times}x": share for times, share in made.items()}
                for street, made in figures.bets.items()
            },
            hands=hands,
            distribution=figures.distribution,
            simpler=costed,
        ),
    )


def _rules(streets: tuple[tuple[Any, ...], ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """The lines of a way to play, street by street."""
    return tuple(
        f"{name}: " + "; ".join(f"{line.bet}x {line.words}" for line in street)
        for name, street in zip(names, streets, strict=True)
    )


def _against_dealer(setup: Setup, ante: Cents, simpler: bool) -> BetOdds:
    from riverboat.exact.island import figures_of, solve_island
    from riverboat.exact.island_strategy import compact_strategy, rules_of_thumb

    solution = solve_island(setup, ante)
    figures, other = figures_of(solution), figures_of(solution, ties="fold")
    costed = (*rules_of_thumb(solution), compact_strategy(solution)) if simpler else ()
    stage = setup.stages[0]
    return _base_entry(
        setup,
        ante,
        figures.distribution,
        BaseOdds(
            capped=_changes(setup, ante, figures.ev, capped=figures.capped),
            ties="bet",
            average_wager=figures.average_wager,
            other_ties="fold",
            other_average_wager=other.average_wager,
            folds={stage.spot: figures.fold_frequency},
            raises={stage.spot: {f"{m}x": share for m, share in figures.bet_frequencies.items()}},
            hands=tuple(
                HandShare(hand=one.hand.replace("_", " "), dealt=one.probability, unfolded=one.bet)
                for one in figures.hands
            ),
            distribution=figures.distribution,
            simpler=tuple(
                SimplerPlay(name=one.name, words=one.words, ev=one.figures.ev, cost=one.cost)
                for one in costed
            ),
        ),
    )


def _changes(setup: Setup, ante: Cents, value: Fraction, *, capped: bool) -> bool:
    """Whether a limit that cuts some payout changes the figure: the best play may never get to
    the bets that it cuts."""
    if not capped:
        return False
    return -house_edge(_without_limit(setup), ante) != value


def _without_limit(setup: Setup) -> Setup:
    """The same table if it paid everything."""
    limit = replace(setup.book.aggregate_limit, limit=None)
    settings = {name: v for name, v in setup.settings.items() if name != "aggregate_limit"}
    return replace(setup, book=replace(setup.book, aggregate_limit=limit), settings=settings)


def _base_entry(setup: Setup, ante: Cents, found: Distribution, base: BaseOdds) -> BetOdds:
    status = setup.base.status if setup.base is not None else "final"
    said = ["one player, who goes by the own cards and those that are shown",
            f"an ante of {format_cents(ante)} at a table whose minimum is "
            f"{format_cents(setup.limits.ante.minimum_cents)}"]  # fmt: skip
    if base.capped:
        said.append("the limit on payouts is this hand's alone")
    return BetOdds(
        bet="base",
        paytable=base_table(setup.book),
        status=status,
        wager_cents=ante,
        ev=found.mean,
        hit_frequency=found.win_push_loss[0],
        variance=found.variance,
        skewness=found.skewness,
        base=base,
        assumptions=tuple(said),
    )


__all__ = [
    "Odds",
    "ante_of",
    "base_odds",
    "bonus_odds",
    "is_worked_out",
    "not_offered",
    "odds_of",
    "work_out",
]
