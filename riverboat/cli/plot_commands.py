"""The `plot` command: pictures of the mathematics as SVG files."""

import sys
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Final, NamedTuple

from cyclopts import Parameter
from msgspec.structs import replace

from riverboat import __version__
from riverboat.cli.app import Json, app, print_json
from riverboat.cli.mathematics_commands import answer
from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.exact.asking import (
    Question,
    ante_of,
    bets_of,
    read_question,
    stake_of,
    table_for,
)
from riverboat.exact.solvers import base_figures, base_table
from riverboat.plots.axes import Source
from riverboat.round.setup import Setup
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebooks import Loaded, load_either


class _Asked(NamedTuple):
    """A picture's question: the rulebook, the bet, and a line of its pay table."""

    loaded: Loaded
    question: Question
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
        setup = table_for(self.book, asked)
        if self.bet == "base":
            return setup, ante_of(setup, asked)
        return setup, stake_of(setup, asked, self.bet)

    def where(self) -> str:
        """Game or bet, and pay table."""
        if self.bet == "base":
            name = self.book.game.replace("_", " ").title()
            return f"{name}, {self.question.paytable or base_table(self.book)}"
        offer = self.book.offer(self.bet)
        return f"{self.bet if offer is None else offer.label}, {self.table().id}"


def _strategy(asked: _Asked) -> str:
    from riverboat.plots.strategy_chart import base_chart

    if asked.bet != "base":
        raise NotationError("plot.no_choice", f"{asked.bet}: only the base game has a strategy")
    setup, ante = asked.setup()
    return base_chart(setup, ante, asked.source, asked.where())


def _distribution(asked: _Asked) -> str:
    from riverboat.plots.distribution_chart import distribution_chart

    if asked.bet == "progressive":
        from riverboat.exact.progressive import progressive_figures

        found = progressive_figures(_progressive_setup(asked)).distribution
        words = f"{asked.where()} at the seed, without envy"
        return distribution_chart(found, asked.source, words, "wagers")
    setup, wager = asked.setup()
    if asked.bet != "base":
        from riverboat.exact.side_bets import side_bet_figures

        spread = side_bet_figures(setup, asked.bet, asked.table(), wager).distribution
        return distribution_chart(spread, asked.source, asked.where(), "wagers")
    spread = base_figures(setup, wager).distribution
    return distribution_chart(spread, asked.source, f"{asked.where()}, best play")


def _by_meter(asked: _Asked) -> str:
    from riverboat.plots.edge_charts import meter_chart

    if "progressive" not in bets_of(asked.book):
        raise NotationError("plot.no_meter", f"{asked.book.id} has no progressive")
    meant = asked._replace(question=_of_bet(asked.question, "progressive"))
    return meter_chart(_progressive_setup(meant), asked.source, meant.where())


def _by_line(asked: _Asked) -> str:
    from riverboat.plots.edge_charts import line_chart, line_named

    if asked.bet in ("progressive", "envy"):
        raise NotationError("plot.no_odds", f"{asked.bet}: its edge goes with the meter")
    table = asked.table()
    if asked.line is None:
        there = ", ".join(line.label or line.hands[0] for line in table.lines)
        raise NotationError("plot.which_line", f"name a --line of {table.id}: {there}")
    setup, wager = asked.setup()
    line = line_named(table, asked.line)
    return line_chart(setup, table, line, wager, asked.source, asked.where())


def _of_bet(question: Question, bet: str) -> Question:
    return Question(bet=bet, paytable=question.paytable, wager_cents=question.wager_cents)


def _progressive_setup(asked: _Asked) -> Setup:
    from riverboat.exact.progressive import progressive_setup

    return progressive_setup(asked.book, asked.table(), wager_cents=asked.question.wager_cents)


_KINDS: Final[dict[str, Callable[[_Asked], str]]] = {
    "strategy": _strategy,
    "distribution": _distribution,
    "edge-by-meter": _by_meter,
    "edge-by-line": _by_line,
}


@app.command(name="plot")
def plot_command(
    kind: str,
    name: str,
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

    Parameters
    ----------
    kind
        strategy, distribution, edge-by-meter or edge-by-line.
    name
        A rulebook's id, or the path of a .toml file.
    """
    if kind not in _KINDS:
        raise NotationError("plot.kind", f"no plot {kind!r}; there are: {', '.join(_KINDS)}")
    loaded = load_either(name)
    question = read_question(loaded.book, bet=bet, paytable=paytable, wager=wager)
    target = Path(output)
    if not output.strip():
        raise NotationError("plot.file", "--output: name the file to write")
    if target.exists():
        raise NotationError("plot.file", f"{output} is there already; nothing was written")
    drawn = answer(loaded.book, as_json, lambda: _KINDS[kind](_Asked(loaded, question, line)))
    if drawn is None:
        return 1
    data = drawn.encode()
    try:
        with target.open("xb") as file:
            file.write(data)
    except OSError as problem:
        raise NotationError("plot.file", f"{output}: {problem.strerror}") from None
    told = {"plot": kind, "file": output, "bytes": len(data), "sha256": sha256(data).hexdigest()}
    if as_json:
        return print_json(told)
    sys.stdout.write(f"{output}: {kind}, {len(data):,} bytes\nsha256 {told['sha256']}\n")
    return 0
