"""Commands that write files for people: papers from a ledger, pictures of the mathematics."""

import os
import re
import time
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from cyclopts import Parameter
from msgspec.structs import replace

from riverboat import __version__
from riverboat.cli.app import Json, RulebookName, app, tell, write_new
from riverboat.cli.ledger_commands import Secret, existing_ledger, secret_in, the_only
from riverboat.cli.mathematics_commands import refusals
from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.documents.close_slip import close_slip_of, close_slip_pdf
from riverboat.documents.day_report import day_report_of, day_report_pdf
from riverboat.documents.evidence_package import evidence_package
from riverboat.documents.filing import filing_of, filing_pdf
from riverboat.documents.printing import Paper, Printing, wall_clock
from riverboat.documents.win_page import win_page_in, win_page_pdf
from riverboat.exact.questions import question as q
from riverboat.exact.solvers import base_table, solved
from riverboat.floor.books.accounting import Floorbook, keep_books
from riverboat.floor.books.table_days import TableDay
from riverboat.floor.secret import MasterSecret
from riverboat.floor.starting import components
from riverboat.ledger import Ledger
from riverboat.plots.axes import Source
from riverboat.round.setup.setup import Setup
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.values import table_called
from riverboat.rulebooks import Loaded, editions, load_either
from riverboat.table.day import Books

_PAGE: Final = re.compile(rb"/Type\s*/Page\b")
_PAR_SHEET: Final = "par-sheet"
_LATER: Final = ("rules-submission", "placard")


class _PaperAsked(NamedTuple):
    """Everything that a kind of document may need."""

    ledger: Ledger
    books: Books
    secret: MasterSecret | None
    award: str | None
    day: str | None
    table: str | None
    link: str | None
    by: str
    paper: Paper

    def floorbook(self) -> Floorbook:
        return keep_books(self.ledger, self.books, self.secret)

    def printing(self, head: str) -> Printing:
        """Who prints it, when, with which program, and how far the ledger had come."""
        now = int(time.time())
        return Printing(
            printed_by=self.by,
            printed_at=wall_clock()(now),
            printed_seconds=now,
            version=__version__,
            program_sha256=components(self.books).program_sha256,
            head=head,
        )


def _win_page(asked: _PaperAsked) -> bytes:
    if asked.award is None:
        raise NotationError("document.award", "a win page needs --award TABLE/ROUND/SEAT")
    printing = asked.printing(str(asked.ledger.head()))
    page = win_page_in(
        asked.ledger, asked.books, asked.secret, asked.award, printing=printing, clock=wall_clock()
    )
    return win_page_pdf(page, asked.paper)


def _close_slip(asked: _PaperAsked) -> bytes:
    if asked.table is None:
        raise NotationError("document.table", "a close slip needs --table NAME")
    book = asked.floorbook()
    day = _table_day(book, asked.table, asked.day)
    slip = close_slip_of(day, printing=asked.printing(str(book.head)), clock=wall_clock())
    return close_slip_pdf(slip, asked.paper)


def _day_report(asked: _PaperAsked) -> bytes:
    book = asked.floorbook()
    if not (asked.day or book.days):
        raise NotationError("day.none", "no gaming day was opened on this ledger")
    with asked.ledger.snapshot() as snapshot:
        signed = snapshot.signed_heads()
    report = day_report_of(
        book,
        asked.day or book.days[-1],
        printing=asked.printing(str(book.head)),
        clock=wall_clock(),
        rulebooks={hashed: name for name, (_, hashed) in asked.books.items()},
        signed=signed[-1] if signed else None,
    )
    return day_report_pdf(report, asked.paper)


def _filing(asked: _PaperAsked) -> bytes:
    book = asked.floorbook()
    link = asked.link or the_only("link", book.meters)
    filing = filing_of(book, link, printing=asked.printing(str(book.head)), clock=wall_clock())
    return filing_pdf(filing, asked.paper)


_PAPERS: Final[dict[str, Callable[[_PaperAsked], bytes]]] = {
    "win-page": _win_page,
    "close-slip": _close_slip,
    "day-report": _day_report,
    "progressive-filing": _filing,
    "evidence": lambda asked: evidence_package(asked.ledger, asked.books, asked.secret),
}


@app.command(name="document")
def document_command(
    kind: Annotated[str, Parameter(help=", ".join(_PAPERS) + f" or {_PAR_SHEET}.")],
    name: Annotated[
        str | None, Parameter(help="Of a PAR sheet: a rulebook's id, or the path of a .toml file.")
    ] = None,
    /,
    *,
    database: Annotated[str | None, Parameter(help="The ledger's address.")] = None,
    output: Annotated[str | None, Parameter(help="The file to write; an old one is kept.")] = None,
    award: Annotated[str | None, Parameter(help="Of a win page: TABLE/ROUND/SEAT.")] = None,
    day: Annotated[str | None, Parameter(help="The gaming day; without it the last one.")] = None,
    table: Annotated[str | None, Parameter(help="The table's name.")] = None,
    link: Annotated[str | None, Parameter(help="The meter's name.")] = None,
    by: Annotated[str | None, Parameter(help="Who prints it.")] = None,
    bet: Annotated[str | None, Parameter(help="Of a PAR sheet: one bet only.")] = None,
    paytable: Annotated[str | None, Parameter(help="Of a PAR sheet: one pay table only.")] = None,
    wager: Annotated[str | None, Parameter(help="Of a PAR sheet: the wager in dollars.")] = None,
    paper: Annotated[Paper, Parameter(help="us-letter or a4.")] = "us-letter",
    secret: Secret = None,
    as_json: Json = False,
) -> int:
    """Print a document from a ledger: every one bears the ledger's head, version and hashes.

    `win-page` of an award, `close-slip` of a table's day, `day-report` of the house,
    `progressive-filing` of a meter, all as PDF; `evidence`, the ledger with all that is needed to
    check it, as a zip file. `par-sheet ID` is made from a rulebook alone: its exact figures, of all
    bets or of one.
    """
    if kind == _PAR_SHEET:
        return _par_sheet(name, output, (bet, paytable, wager), paper, as_json=as_json)
    make = _maker(kind)
    if name is not None:
        raise NotationError("document.name", f"{kind}: {name!r} is too much; only par-sheet has it")
    if database is None or output is None:
        raise NotationError("document.where", f"{kind}: name a --database and an --output file")
    target = _new_file(output)
    master, books = secret_in(secret), editions()
    with existing_ledger(database) as ledger:
        who = by or os.environ.get("USER") or "riverboat"
        data = make(_PaperAsked(ledger, books, master, award, day, table, link, who, paper))
        head = str(ledger.head())
    write_new(target, data, "document.file")
    return _told(kind, target, data, {"head": head}, as_json=as_json)


def _par_sheet(
    name: str | None,
    output: str | None,
    asked: tuple[str | None, str | None, str | None],
    paper: Paper,
    *,
    as_json: bool,
) -> int:
    """A rulebook's figures: from no ledger, so that whoever prints them gets the same bytes."""
    from riverboat.documents.par.par_file import par_file_of
    from riverboat.documents.par.sheet import par_file_pdf

    if name is None or output is None:
        raise NotationError("document.where", "par-sheet: name a rulebook and an --output file")
    target, loaded = _new_file(output), load_either(name)
    bet, paytable, wager = asked
    question = q.read_question(loaded.book, bet=bet, paytable=paytable, wager=wager)
    with refusals(loaded.book, as_json):
        data = par_file_pdf(par_file_of(loaded, question), paper)
    write_new(target, data, "document.file")
    made_from = {"rulebook": loaded.book.id, "rulebook_sha256": loaded.sha256}
    return _told(_PAR_SHEET, target, data, made_from, as_json=as_json)


def _maker(kind: str) -> Callable[[_PaperAsked], bytes]:
    known = ", ".join((*_PAPERS, _PAR_SHEET))
    if kind in _LATER:
        raise NotationError("document.later", f"{kind} is not built yet; there are: {known}")
    if kind not in _PAPERS:
        raise NotationError("document.kind", f"no document {kind!r}; there are: {known}")
    return _PAPERS[kind]


def _new_file(output: str) -> Path:
    target = Path(output)
    if not output.strip():
        raise NotationError("document.file", "--output: name the file to write")
    if target.exists():
        raise NotationError("document.file", f"{output} is there already; nothing was written")
    if not target.parent.is_dir():
        raise NotationError("document.file", f"{output}: there is no such folder")
    return target


def _told(
    kind: str, target: Path, data: bytes, made_from: Mapping[str, str], *, as_json: bool
) -> int:
    pages = len(_PAGE.findall(data))
    told: dict[str, Any] = {
        "document": kind,
        "file": str(target),
        "bytes": len(data),
        "pages": pages or None,
        "sha256": sha256(data).hexdigest(),
        **made_from,
        "version": __version__,
    }
    size = f"{pages} pages" if pages else f"{len(data):,} bytes"
    lines = "".join(f"\n{what} {text}" for what, text in made_from.items())
    words = f"{target}: {kind}, {size}\nsha256 {told['sha256']}{lines}"
    return tell(told, words, as_json=as_json)


def _table_day(book: Floorbook, table: str, day: str | None) -> TableDay:
    days = {date: one for (name, date), one in book.tables.items() if name == table}
    if not days:
        there = ", ".join(sorted({name for name, _ in book.tables})) or "none"
        raise NotationError("table.unknown", f"no table {table!r} here; there are: {there}")
    wanted = day or max(days)
    if wanted not in days:
        text = f"{table_called(table)} has no gaming day {day!r}: {', '.join(days)}"
        raise NotationError("day.unknown", text)
    return days[wanted]


class _PlotAsked(NamedTuple):
    """A picture's question: the rulebook, the bet, and a line of its pay table."""

    loaded: Loaded
    question: q.Question
    line: str | None

    @property
    def book(self) -> Rulebook:
        return self.loaded.book

    @property
    def source(self) -> Source:
        return Source(self.book.id, self.book.revision, self.loaded.sha256, __version__)

    @property
    def bet(self) -> str:
        """The bet that is meant: named, or that of the named pay table, or the base game."""
        if self.question.bet:
            return self.question.bet
        named = [t.bet for t in self.book.paytables if t.id == self.question.paytable]
        return named[0] if named else "base"

    def table(self) -> PayTable:
        """The pay table that is meant, the first of its bet where none is named."""
        wanted = self.question.paytable
        for table in self.book.paytables:
            if table.bet == self.bet and wanted in ("", table.id):
                return table
        raise NotationError("plot.no_table", f"{self.book.id} has no pay table for {self.bet}")

    def setup(self) -> tuple[Setup, Cents]:
        """The table, and the first wager: the least ante, or a dollar beside it."""
        asked = replace(self.question, bet=self.bet)
        setup = q.table_for(self.book, asked)
        if self.bet == "base":
            return setup, q.ante_of(setup, asked)
        return setup, q.stake_of(setup, asked, self.bet)

    def where(self) -> str:
        """Game or bet, and pay table."""
        if self.bet == "base":
            name = self.book.game.replace("_", " ").title()
            return f"{name}, {self.question.paytable or base_table(self.book)}"
        offer = self.book.offer(self.bet)
        return f"{self.bet if offer is None else offer.label}, {self.table().id}"


def _strategy(asked: _PlotAsked) -> str:
    from riverboat.plots.charts import base_chart

    if asked.bet != "base":
        raise NotationError("plot.no_choice", f"{asked.bet}: only the base game has a strategy")
    setup, ante = asked.setup()
    return base_chart(setup, ante, asked.source, asked.where())


def _distribution(asked: _PlotAsked) -> str:
    from riverboat.plots.charts import distribution_chart

    if asked.bet == "progressive":
        from riverboat.exact.progressive.wager import progressive_figures

        found = progressive_figures(_progressive_setup(asked)).distribution
        words = f"{asked.where()} at the seed, without envy"
        return distribution_chart(found, asked.source, words, "wagers")
    setup, wager = asked.setup()
    if asked.bet != "base":
        from riverboat.exact.side_bets import side_bet_figures

        spread = side_bet_figures(setup, asked.bet, asked.table(), wager).distribution
        return distribution_chart(spread, asked.source, asked.where(), "wagers")
    spread = solved(setup, wager).figures.distribution
    return distribution_chart(spread, asked.source, f"{asked.where()}, best play")


def _by_meter(asked: _PlotAsked) -> str:
    from riverboat.plots.charts import meter_chart

    if "progressive" not in q.bets_of(asked.book):
        raise NotationError("plot.no_meter", f"{asked.book.id} has no progressive")
    of = asked.question
    question = q.Question(bet="progressive", paytable=of.paytable, wager_cents=of.wager_cents)
    meant = asked._replace(question=question)
    return meter_chart(_progressive_setup(meant), asked.source, meant.where())


def _by_line(asked: _PlotAsked) -> str:
    from riverboat.plots.charts import line_chart, line_named

    if asked.bet in ("progressive", "envy"):
        raise NotationError("plot.no_odds", f"{asked.bet}: its edge goes with the meter")
    table = asked.table()
    if asked.line is None:
        there = ", ".join(line.label or line.hands[0] for line in table.lines)
        raise NotationError("plot.which_line", f"name a --line of {table.id}: {there}")
    setup, wager = asked.setup()
    line = line_named(table, asked.line)
    return line_chart(setup, table, line, wager, asked.source, asked.where())


def _progressive_setup(asked: _PlotAsked) -> Setup:
    from riverboat.exact.progressive.wager import progressive_setup

    return progressive_setup(asked.book, asked.table(), wager_cents=asked.question.wager_cents)


_PLOTS: Final[dict[str, Callable[[_PlotAsked], str]]] = {
    "strategy": _strategy,
    "distribution": _distribution,
    "edge-by-meter": _by_meter,
    "edge-by-line": _by_line,
}


@app.command(name="plot")
def plot_command(
    kind: Annotated[str, Parameter(help="strategy, distribution, edge-by-meter or edge-by-line.")],
    rulebook: RulebookName,
    /,
    *,
    output: Annotated[str, Parameter(help="The SVG file to write; an old one is kept.")],
    bet: Annotated[str | None, Parameter(help="base, or a side bet by its name.")] = None,
    paytable: Annotated[str | None, Parameter(help="A pay table by its id.")] = None,
    wager: Annotated[str | None, Parameter(help="The first wager in dollars.")] = None,
    line: Annotated[str | None, Parameter(help="For edge-by-line: a hand, like straight.")] = None,
    as_json: Json = False,
) -> int:
    """Draw a picture of the mathematics as an SVG file, made for a phone's width.

    `strategy` by starting hand or up-card, `distribution` of a round's result, `edge-by-meter` of a
    progressive with its break-even, `edge-by-line` as one line of a pay table is moved.
    """
    if kind not in _PLOTS:
        raise NotationError("plot.kind", f"no plot {kind!r}; there are: {', '.join(_PLOTS)}")
    loaded = load_either(rulebook)
    question = q.read_question(loaded.book, bet=bet, paytable=paytable, wager=wager)
    target = _new_file(output)
    with refusals(loaded.book, as_json):
        data = _PLOTS[kind](_PlotAsked(loaded, question, line)).encode()
    write_new(target, data, "document.file")
    told = {"plot": kind, "file": output, "bytes": len(data), "sha256": sha256(data).hexdigest()}
    words = f"{output}: {kind}, {len(data):,} bytes\nsha256 {told['sha256']}"
    return tell(told, words, as_json=as_json)
