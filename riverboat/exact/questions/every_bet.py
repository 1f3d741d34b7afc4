"""Every bet of a rulebook under every pay table, printed, played and struck; none is left out."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import Cents, format_cents, show_dollars
from riverboat.core.records import alike
from riverboat.exact import solvers
from riverboat.exact.caching import is_kept, kept_as
from riverboat.exact.progressive import envy as n
from riverboat.exact.progressive import wager as w
from riverboat.exact.questions import bet_odds as o
from riverboat.exact.questions.question import Question, ante_of, stake_of, table_for, tables_of
from riverboat.exact.rule_changes import without_limit
from riverboat.exact.side_bets import kinds_by_line, line_name
from riverboat.round.setup.choices import Raw
from riverboat.round.setup.setup import Setup
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import Loaded

_Parts: TypeAlias = tuple[solvers.Solved, Iterator[o.HandShare], Iterator[o.SimplerPlay]]
"""A solved game, its final hands, and ways to play it that are easier than the best one."""


def odds_of(loaded: Loaded, question: Question, *, fresh: bool = False) -> o.Odds:
    """The answer, from the disk if it was worked out before and is not wanted fresh."""
    named = _named(loaded, question)
    return kept_as(o.Odds, named, lambda: work_out(loaded.book, question), fresh=fresh)


def is_worked_out(loaded: Loaded, question: Question) -> bool:
    """Whether the answer only has to be read."""
    return is_kept(_named(loaded, question))


def _named(loaded: Loaded, question: Question) -> dict[str, Any]:
    asked: dict[str, Any] = msgspec.to_builtins(question)
    return {"what": "odds", "rulebook": loaded.sha256, "asked": asked}


def work_out(book: Rulebook, question: Question) -> o.Odds:
    """The answer, worked out; refused only where nothing that was asked about is offered."""
    found = tuple(_entries(book, question))
    bets = tuple(one for one in found if isinstance(one, o.BetOdds))
    refused = tuple(one for one in found if isinstance(one, o.RefusedBet))
    if refused and not bets:
        first = refused[0].refused
        raise Refused(first.code, first.words, cites=first.cites)
    return o.Odds(rulebook=book.id, bets=bets, not_offered=refused)


def _entries(book: Rulebook, question: Question) -> Iterator[o.BetOdds | o.RefusedBet]:
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
            yield not_offered("base", solvers.base_table(book), ante, refusal)
    bonuses = [(bet, name) for bet, name in wanted if bet in offered]
    yield from _bonus_entries(setup, question, ante, bonuses)
    meters = [(bet, name) for bet, name in wanted if bet in ("progressive", "envy")]
    if meters:
        yield from progressive_entries(book, question, ante, meters)


# ---------------------------------------------------------------- bonuses


def _bonus_entries(
    setup: Setup, question: Question, ante: Cents, wanted: list[tuple[str, str]]
) -> Iterator[o.BetOdds | o.RefusedBet]:
    if not wanted:
        return
    from riverboat.exact.questions.published import suspicions

    found = {one.paytable: one.words for one in suspicions([setup.book])}
    for bet, name in wanted:
        suspicion = found.get(name, "")
        if suspicion and bet in setup.lost_by_fold:
            suspicion += " (by its hands alone, as if no fold lost the bet)"
        try:
            entry = bonus_odds(setup, bet, name, stake_of(setup, question, bet), ante, suspicion)
        except Refused as refusal:
            yield not_offered(bet, name, question.wager_cents, refusal)
            continue
        if question.named_table(bet):
            said = f"only {name}, which the choices name for this bet"
            entry = replace(entry, assumptions=(*entry.assumptions, said))
        yield entry


def not_offered(bet: str, name: str, wager: Cents | None, refusal: Refused) -> o.RefusedBet:
    """A refusal as a line of the answer about everything else."""
    refused = o.Refusal(code=refusal.code, words=str(refusal), cites=refusal.cites)
    asked = UNSET if wager is None else show_dollars(wager)
    return o.RefusedBet(bet=bet, paytable=name, wager=asked, refused=refused)


def bonus_odds(
    setup: Setup, bet: str, name: str, wager: Cents, ante: Cents, suspicion: str = ""
) -> o.BetOdds:
    """A side bet under one table as it is played, with what its print would come to.

    The ante counts where a fold forfeits the bet: the base game is played for it.
    """
    from riverboat.exact.side_bets import side_bet_figures

    figures = side_bet_figures(setup, bet, name, wager, ante_cents=ante)
    printed = side_bet_figures(setup, bet, name, wager, reading="printed", ante_cents=ante)
    differs = printed.distribution != figures.distribution
    return alike(
        o.BetOdds,
        figures,
        bet=bet,
        paytable=name,
        wager_cents=wager,
        variance=figures.distribution.variance,
        skewness=figures.distribution.skewness,
        printed_ev=printed.ev if differs else None,
        suspicion=suspicion,
    )


# ---------------------------------------------------------------- base games


def base_odds(setup: Setup, ante: Cents, *, simpler: bool = False) -> o.BetOdds:
    """The base game under the best play, ties bet; what simpler ways to play cost, if wanted."""
    parts = solvers.ByShape(_on_streets, _against_dealer).at(setup)
    solution, hands, ways = parts(setup, ante)
    figures = solution.figures
    found = figures.distribution
    # A limit that cuts some payout may change nothing: the best play may never get to those bets.
    capped = figures.capped and solvers.house_edge(without_limit(setup), ante) != figures.house_edge
    said = ["one player, who goes by the own cards and those that are shown",
            f"an ante of {format_cents(ante)} at a table whose minimum is "
            f"{format_cents(setup.limits.ante.minimum_cents)}"]  # fmt: skip
    if capped:
        said.append("the limit on payouts is this hand's alone")
    return o.BetOdds(
        bet="base",
        paytable=solvers.base_table(setup.book),
        status=setup.base.status if setup.base is not None else "final",
        wager_cents=ante,
        ev=found.mean,
        hit_frequency=found.win_push_loss[0],
        variance=found.variance,
        skewness=found.skewness,
        base=alike(
            o.BaseOdds,
            figures,
            capped=capped,
            ties="bet",
            other_ties="fold",
            other_average_wager=solution.figures_folding_ties.average_wager,
            raises={
                street: {f"{times}x": share for times, share in made.items()}
                for street, made in figures.bets.items()
            },
            hands=tuple(hands),
            simpler=tuple(ways) if simpler else (),
        ),
        assumptions=tuple(said),
    )


def _on_streets(setup: Setup, ante: Cents) -> _Parts:
    from riverboat.exact.base_games.street_strategies import costs
    from riverboat.exact.base_games.streets import hand_chances, solve

    solution = solve(setup, ante)

    def hands() -> Iterator[o.HandShare]:
        assert setup.base is not None
        dealt, unfolded = hand_chances(), solution.figures.hands_unfolded
        for line, own in kinds_by_line(setup.base):
            yield o.HandShare(
                hand=line_name(line),
                dealt=sum((dealt[kind] for kind in own), Fraction(0)),
                unfolded=sum((unfolded[kind] for kind in own), Fraction(0)),
            )

    def ways() -> Iterator[o.SimplerPlay]:
        for one in costs(solution.payoffs):
            words = tuple(
                f"{name}: " + "; ".join(f"{line.bet}x {line.words}" for line in street)
                for name, street in zip(solution.payoffs.spots, one.rules.streets, strict=True)
            )
            yield o.SimplerPlay(
                name=one.rules.name, words=words, ev=one.figures.value, cost=one.cost
            )

    return solution, hands(), ways()


def _against_dealer(setup: Setup, ante: Cents) -> _Parts:
    from riverboat.exact.base_games.dealer_game import solve_against_dealer
    from riverboat.exact.base_games.dealer_strategies import compact_strategy, rules_of_thumb

    solution = solve_against_dealer(setup, ante)
    hands = (
        o.HandShare(hand=one.hand.replace("_", " "), dealt=one.probability, unfolded=one.bet)
        for one in solution.figures.hands
    )

    def ways() -> Iterator[o.SimplerPlay]:
        for one in (*rules_of_thumb(solution), compact_strategy(solution)):
            yield o.SimplerPlay(name=one.name, words=one.words, ev=one.figures.value, cost=one.cost)

    return solution, hands, ways()


# ---------------------------------------------------------------- the progressive and envy


def progressive_entries(
    book: Rulebook, question: Question, ante: Cents, wanted: list[tuple[str, str]]
) -> Iterator[o.BetOdds | o.RefusedBet]:
    """Every schedule that is asked for at its own wager; an envy table after its progressive."""
    play: solvers.BasePlay | None = None
    options, chosen = _options(book, question), question.progressive_wager_cents
    narrowed = bool(question.named_table("progressive")) or chosen is not None
    for bet, name, wager in _offers(book, question, wanted):
        try:
            setup = _laid(book, bet, name, wager, options)
            if play is None and w.needs_base_play(setup):
                play = solvers.best_base_play(setup, ante)
        except Refused as refusal:
            yield not_offered(bet, name, wager, refusal)
            continue
        others = setup.seats - 1 if question.others is None else question.others
        if others >= setup.seats:
            text = f"at most {setup.seats - 1} other players at a table of {setup.seats}"
            raise NotationError("odds.bad_others", f"`others` {others}: {text}")
        way = play or solvers.nobody_folds()
        if bet == "progressive":
            entry = _progressive(setup, question, others, way, name, ante)
        else:
            entry = _envy(setup, others, way)
        if narrowed:
            said = "only the progressive that the choices name"
            entry = replace(entry, assumptions=(*entry.assumptions, said))
        yield entry


def _offers(
    book: Rulebook, question: Question, wanted: list[tuple[str, str]]
) -> Iterator[tuple[str, str, Cents]]:
    """Each table with each wager it is printed for, or the one that was asked for."""
    assert book.progressive is not None
    asked, chosen = question.wager_cents, question.progressive_wager_cents
    only = question.named_table("progressive")
    for bet in ("progressive", "envy"):
        for name in (name for of, name in wanted if of == bet):
            schedules = w.schedules_of(book, name)
            printed = [int(schedule.wager) for schedule in schedules]
            if only and only not in (name, *(schedule.paytable for schedule in schedules)):
                continue
            if chosen is not None:
                # An envy table goes with its own wagers, whichever the progressive is laid for.
                printed = [chosen] if bet == "progressive" or chosen in printed else []
            elif asked is not None and (asked in printed or question.bet or question.paytable):
                printed = [asked]
            for wager in dict.fromkeys(printed):
                yield bet, name, wager


def _laid(book: Rulebook, bet: str, name: str, wager: Cents, options: dict[str, Raw]) -> Setup:
    """A table that offers this progressive, or the one whose envy bonus this is."""
    schedule = w.schedules_of(book, name)[0]
    table = name if bet == "progressive" else schedule.paytable
    setup = w.progressive_setup(book, table, wager_cents=wager, options=options)
    if bet == "envy" and (own := w.progressive_of(setup).envy.id) != name:
        printed = ", ".join(format_cents(int(one.wager)) for one in w.schedules_of(book, name))
        text = f"{name} at a progressive wager of {format_cents(wager)}, which has {own}"
        raise Refused("paytable.not_allowed", f"{text}; {printed} is allowed", cites=schedule.cites)
    return setup


def _options(book: Rulebook, question: Question) -> dict[str, Raw]:
    """The table's own choices: those of the side bets are made by what is asked about."""
    named = (*(offer.bet for offer in book.side_bets), "progressive_wager")
    options = {key: value for key, value in question.table if key not in named}
    minimum = table_for(book, question).limits.ante.minimum_cents
    return {**options, "minimum": show_dollars(minimum)}


def _progressive(
    setup: Setup, question: Question, others: int, play: solvers.BasePlay, name: str, ante: Cents
) -> o.BetOdds:
    found = w.progressive_figures(setup, meter_cents=question.meter_cents, others=others, play=play)
    played = {table.id for table in setup.book.paytables if table.bet == "progressive"}
    progressive = alike(
        o.ProgressiveOdds,
        found,
        envy_ev=found.envy,
        break_even=found.break_even_meter,
        fold=found.after_fold,
        strategy=play.words if w.needs_base_play(setup) else "any: a fold keeps the wager",
        together=_together(setup, found, ante) if found.after_fold == "forfeited" else None,
    )
    status = found.status if found.paytable in played else "placard"
    own = {"bet": "progressive", "paytable": name, "status": status, "progressive": progressive}
    return alike(o.BetOdds, found, **own)


def _together(setup: Setup, found: w.ProgressiveFigures, ante: Cents) -> o.Together | None:
    """The separate and the joint optimum, both at this meter, where both are known."""
    if not w.is_solved_jointly(setup, ante):
        return None
    both = w.joint_figures(
        setup, meter_cents=found.meter_cents, others=found.others, ante_cents=ante
    )
    return o.Together(
        ante_cents=ante,
        separate=both.separate,
        joint=both.joint,
        ev=both.wager_ev,
        break_even_cents=w.joint_break_even(setup, others=found.others, ante_cents=ante),
    )


def _envy(setup: Setup, others: int, play: solvers.BasePlay) -> o.BetOdds:
    """What the others' hands add to a progressive wager; nothing is staked on it by itself."""
    found = n.envy_figures(setup, play, bettors=others)
    progressive = w.progressive_of(setup)
    return o.BetOdds(
        bet="envy",
        paytable=progressive.envy.id,
        status=progressive.envy.status,
        wager_cents=progressive.wager_cents,
        ev=found.expected,
        hit_frequency=_some_bonus(setup, found, play),
        variance=found.variance,
        assumptions=(
            "paid on a progressive wager without a stake of its own, and part of its ev",
            f"{others} other players who bet the progressive",
            *found.assumptions,
        ),
    )


def _some_bonus(setup: Setup, found: n.EnvyFigures, play: solvers.BasePlay) -> Fraction:
    """The chance that at least one other hand pays."""
    none, group = Fraction(1), n.neighbours(setup, found.bettors)
    if group.seats and group.prizes:
        stays = play.stays if group.only_unfolded else None
        none = n.company(setup, group.kinds, group.seats, stays).exactly((), group.seats)
    kept = n.kept_by_own_play(setup, play, group) if n.lost_by_own_fold(setup) else 1
    return kept * (1 - none)
