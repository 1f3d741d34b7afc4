"""Which sheets a rulebook has, and all of them made."""

from collections.abc import Callable, Iterator
from functools import partial

from riverboat import __version__
from riverboat.core.errors import NotationError
from riverboat.documents.par.base_sheet import base_sheet
from riverboat.documents.par.bonus_sheet import side_bet_sheet
from riverboat.documents.par.progressive_sheet import progressive_sheet
from riverboat.documents.par.sheet import ParFile, ParSheet
from riverboat.exact.caching import code_hash
from riverboat.exact.progressive.wager import progressive_setup
from riverboat.exact.questions.question import Question, ante_of, stake_of, table_for
from riverboat.exact.side_bets import side_bet_tables
from riverboat.exact.solvers import base_table, is_solved
from riverboat.plots.axes import Source
from riverboat.round.settlement.dues import forfeited_by_fold
from riverboat.rulebook import Rulebook
from riverboat.rulebook.progressive import Schedule
from riverboat.rulebooks import Loaded

_ENVY = "envy"
_PROGRESSIVE = "progressive"


def par_file_of(loaded: Loaded, question: Question | None = None) -> ParFile:
    """The sheets that were asked for; all of the rulebook's where no bet and no table is named."""
    asked = question or Question()
    sheets = tuple(make() for make in _makers(loaded, asked))
    if not sheets:
        text = f"{loaded.book.id}: no sheet for {asked.bet} {asked.paytable}".rstrip()
        raise NotationError("par_sheet.none", text)
    return ParFile(
        book=loaded.book,
        rulebook_sha256=loaded.sha256,
        version=__version__,
        code_sha256=code_hash(),
        sheets=sheets,
    )


def source_of(loaded: Loaded) -> Source:
    """What stands under the pictures."""
    return Source(loaded.book.id, loaded.book.revision, loaded.sha256, __version__)


def _makers(loaded: Loaded, asked: Question) -> Iterator[Callable[[], ParSheet]]:
    """The base game, the bonuses, the progressives: each only if it is asked for. Of a game without
    a solver the whole set leaves out what depends on what is folded."""
    book, source = loaded.book, source_of(loaded)
    everything = not (asked.bet or asked.paytable)
    if _wanted(asked, "base", base_table(book)) and (is_solved(book) or not everything):
        yield partial(_base, book, asked, source)
    labels: dict[str, str] = {offer.bet: offer.label for offer in book.side_bets}
    setup = table_for(book, Question(table=asked.table))
    for table in side_bet_tables(book):
        unknown = everything and not is_solved(book) and forfeited_by_fold(setup, table.bet)
        if _wanted(asked, table.bet, table.id) and not unknown:
            label = labels.get(table.bet, table.bet.replace("_", " "))
            wager = stake_of(setup, asked, table.bet)
            yield partial(side_bet_sheet, setup, table, label, wager)
    for schedule in book.progressive.schedules if book.progressive else ():
        if _wanted_schedule(asked, schedule):
            bought = int(schedule.wager)
            seat = progressive_setup(book, schedule.paytable, wager_cents=bought)
            yield partial(progressive_sheet, seat, labels[_PROGRESSIVE], source)


def _wanted_schedule(asked: Question, schedule: Schedule) -> bool:
    """By its bet, by its pay table or envy table, and by the wager where the bet is named."""
    named = asked.bet in ("", _PROGRESSIVE, _ENVY)
    paid_by = asked.paytable in ("", schedule.paytable, schedule.envy)
    bought = not (asked.bet or asked.paytable) or asked.wager_cents in (None, schedule.wager)
    return named and paid_by and bought


def _wanted(asked: Question, bet: str, paytable: str) -> bool:
    return asked.bet in ("", bet) and asked.paytable in ("", paytable)


def _base(book: Rulebook, asked: Question, source: Source) -> ParSheet:
    setup = table_for(book, asked)
    return base_sheet(setup, ante_of(setup, asked), source)
