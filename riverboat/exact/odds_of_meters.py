"""The progressive and envy entries of `odds`: each schedule at its wager, and each placard."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import Cents, format_cents, show_dollars
from riverboat.exact.answers import BetOdds, NotOffered, ProgressiveOdds, Together
from riverboat.exact.asking import Question, table_for
from riverboat.exact.base_play import BasePlay, best_base_play, nobody_folds
from riverboat.exact.envy import (
    EnvyFigures,
    company,
    envy_figures,
    kept_by_own_play,
    lost_by_own_fold,
    neighbours,
)
from riverboat.exact.odds_of_bets import not_offered
from riverboat.exact.progressive import (
    ProgressiveFigures,
    fold_rule,
    needs_base_play,
    progressive_figures,
    progressive_of,
    progressive_setup,
)
from riverboat.exact.progressive_jointly import (
    is_solved_jointly,
    joint_break_even,
    joint_figures,
)
from riverboat.round.setup.setup import Raw, Setup
from riverboat.rulebook import Rulebook
from riverboat.rulebook.progressive import Schedule


def progressive_entries(
    book: Rulebook, question: Question, ante: Cents, wanted: list[tuple[str, str]]
) -> Iterator[BetOdds | NotOffered]:
    """Every schedule that is asked for at its own wager; an envy table after its progressive."""
    play: BasePlay | None = None
    options = _options(book, question)
    for bet, name, wager in _offers(book, question, wanted):
        try:
            setup = _laid(book, bet, name, wager, options)
            if play is None and needs_base_play(setup):
                play = best_base_play(setup, ante)
        except Refused as refusal:
            yield not_offered(bet, name, wager, refusal)
            continue
        others = setup.seats - 1 if question.others is None else question.others
        _require_room(setup, others)
        way = play or nobody_folds()
        if bet == "progressive":
            entry = _progressive(setup, question, others, way, name, ante)
        else:
            entry = _envy(setup, others, way)
        if _narrowed(question):
            said = "only the progressive that the choices name"
            entry = replace(entry, assumptions=(*entry.assumptions, said))
        yield entry


def _narrowed(question: Question) -> bool:
    return bool(question.named_table("progressive")) or question.progressive_wager_cents is not None


def _offers(
    book: Rulebook, question: Question, wanted: list[tuple[str, str]]
) -> Iterator[tuple[str, str, Cents]]:
    """Each table with each wager it is printed for, or the one that was asked for."""
    assert book.progressive is not None
    asked, chosen = question.wager_cents, question.progressive_wager_cents
    only = question.named_table("progressive")
    for bet in ("progressive", "envy"):
        for name in (name for of, name in wanted if of == bet):
            schedules = _schedules(book, name)
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
    schedule = _schedules(book, name)[0]
    table = name if bet == "progressive" else schedule.paytable
    setup = progressive_setup(book, table, wager_cents=wager, options=options)
    if bet == "envy" and (own := progressive_of(setup).envy.id) != name:
        printed = ", ".join(format_cents(int(one.wager)) for one in _schedules(book, name))
        text = f"{name} at a progressive wager of {format_cents(wager)}, which has {own}"
        raise Refused("paytable.not_allowed", f"{text}; {printed} is allowed", cites=schedule.cites)
    return setup


def _schedules(book: Rulebook, name: str) -> list[Schedule]:
    assert book.progressive is not None
    schedules = book.progressive.schedules
    own = [s for s in schedules if name in (s.paytable, s.envy, s.placard)]
    return own or [schedules[0]]


def _options(book: Rulebook, question: Question) -> dict[str, Raw]:
    """The table's own choices: those of the side bets are made by what is asked about."""
    named = (*(offer.bet for offer in book.side_bets), "progressive_wager")
    options = {key: value for key, value in question.table if key not in named}
    minimum = table_for(book, question).limits.ante.minimum_cents
    return {**options, "minimum": show_dollars(minimum)}


def _require_room(setup: Setup, others: int) -> None:
    most = setup.seats - 1
    if others > most:
        text = f"--others {others}: at most {most} other players at a table of {setup.seats}"
        raise NotationError("odds.bad_others", text)


def _progressive(
    setup: Setup, question: Question, others: int, play: BasePlay, name: str, ante: Cents
) -> BetOdds:
    found = progressive_figures(setup, meter_cents=question.meter_cents, others=others, play=play)
    return BetOdds(
        bet="progressive",
        paytable=name,
        status="placard" if progressive_of(setup).table.id not in _played(setup.book)
        else found.status,
        wager_cents=found.wager_cents,
        ev=found.ev,
        hit_frequency=found.hit_frequency,
        variance=found.variance,
        progressive=_details(setup, found, play, ante),
        lines=found.lines,
        assumptions=found.assumptions,
    )  # fmt: skip


def _played(book: Rulebook) -> set[str]:
    return {table.id for table in book.paytables if table.bet == "progressive"}


def _details(
    setup: Setup, found: ProgressiveFigures, play: BasePlay, ante: Cents
) -> ProgressiveOdds:
    return ProgressiveOdds(
        meter_cents=found.meter_cents,
        others=found.others,
        envy_ev=found.envy,
        break_even_cents=found.break_even_cents,
        break_even=found.break_even_meter,
        long_run_house_edge=found.long_run_house_edge,
        fold=found.after_fold,
        strategy=play.words if needs_base_play(setup) else "any: a fold keeps the wager",
        together=_together(setup, found, ante) if fold_rule(setup) == "forfeited" else None,
    )


def _together(setup: Setup, found: ProgressiveFigures, ante: Cents) -> Together | None:
    """The separate and the joint optimum, both at this meter, where both are known."""
    if not is_solved_jointly(setup, ante):
        return None
    both = joint_figures(setup, meter_cents=found.meter_cents, others=found.others, ante_cents=ante)
    return Together(
        ante_cents=ante,
        separate=both.separate,
        joint=both.joint,
        ev=both.wager_ev,
        break_even_cents=joint_break_even(setup, others=found.others, ante_cents=ante),
    )


def _envy(setup: Setup, others: int, play: BasePlay) -> BetOdds:
    """What the others' hands add to a progressive wager; nothing is staked on it by itself."""
    found = envy_figures(setup, play, bettors=others)
    progressive = progressive_of(setup)
    return BetOdds(
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


def _some_bonus(setup: Setup, found: EnvyFigures, play: BasePlay) -> Fraction:
    """The chance that at least one other hand pays."""
    none = Fraction(1)
    groups = neighbours(setup, found.bettors, 0)
    for group in groups:
        if group.seats and group.prizes:
            stays = play.stays if group.only_unfolded else None
            none = company(setup, group.kinds, group.seats, stays).exactly((), group.seats)
    kept = kept_by_own_play(setup, play, groups) if lost_by_own_fold(setup) else 1
    return kept * (1 - none)
