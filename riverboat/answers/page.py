"""A page as a list of plain blocks, and the two ways to put it before a reader."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table as RichTable

from riverboat.core.visible import visible


class Heading(NamedTuple):
    """A title; level 1 is the page's own."""

    text: str
    level: int = 2


class Words(NamedTuple):
    """A paragraph. A `loud` one is a warning that must not be overlooked."""

    text: str
    loud: bool = False


class Facts(NamedTuple):
    """Short labelled facts, one a line."""

    facts: Sequence[tuple[str, str]]


class Table(NamedTuple):
    """Columns with headings; `shares` are the relative widths of the columns."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    shares: Sequence[int] = ()


Block: TypeAlias = Heading | Words | Facts | Table


class Paper(Console):
    """A console on which nobody's text gives orders: what would act on the terminal is shown as it
    is written. It leaves a reader who stops early to whoever opened it."""

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterator[Segment]:
        """Whatever is printed comes through here; what the console itself says to the terminal is
        no text."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=visible(segment.text))

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def print_page(console: Console, blocks: Iterable[Block]) -> None:
    """Print a page, in colour where the terminal has it."""
    for block in blocks:
        match block:
            case Heading(text, 1):
                console.print(f"[bold]{escape(text.upper())}[/bold]")
                console.print("═" * min(len(text), console.width))
            case Heading(text, level):
                console.print()
                console.print(f"[bold]{escape(text)}[/bold]")
                if level == 2:
                    console.print("─" * min(len(text), console.width))
            case Words(text, loud):
                console.print(f"[bold red]{escape(text)}[/bold red]" if loud else escape(text))
            case Facts(facts):
                _print_facts(console, facts)
            case Table():
                _print_table(console, block)


def _print_facts(console: Console, facts: Sequence[tuple[str, str]]) -> None:
    grid = RichTable.grid(padding=(0, 2))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in facts:
        grid.add_row(escape(label), escape(text))
    console.print(Padding(grid, (0, 0, 0, 1)))


def _print_table(console: Console, block: Table) -> None:
    table = RichTable(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold dim")
    shares = block.shares or [0] * len(block.columns)
    for column, share in zip(block.columns, shares, strict=True):
        table.add_column(column, ratio=share or None, overflow="fold")
    table.expand = any(shares)
    for row in block.rows:
        table.add_row(*map(escape, row))
    console.print(table)


def markdown(blocks: Iterable[Block]) -> str:
    """The same page as Markdown."""
    return visible("\n".join(_markdown_lines(blocks))).rstrip() + "\n"


def _markdown_lines(blocks: Iterable[Block]) -> Iterator[str]:
    for block in blocks:
        match block:
            case Heading(text, level):
                yield f"{'#' * level} {text}"
            case Words(text, loud):
                yield f"**{text}**" if loud else text
            case Facts(facts):
                yield from (f"- {label}: {text}" for label, text in facts)
            case Table(columns, rows):
                yield _markdown_row(columns)
                yield _markdown_row(["---"] * len(columns))
                yield from map(_markdown_row, rows)
        yield ""


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


# ---------------------------------------------------------------- figures in cells


def percent(share: Fraction, places: int = 3) -> str:
    """A share for print."""
    return f"{float(share * 100):.{places}f} %"


def dollars(cents: Fraction | float) -> str:
    """An amount that need not be whole cents, to the nearest one."""
    return f"{'-' if cents < 0 else ''}${abs(float(cents)) / 100:,.2f}"


def right(
    rows: Sequence[tuple[str, ...]], columns: Iterable[int], *, cents: bool = False
) -> list[tuple[str, ...]]:
    """Figures under figures; amounts of which some have cents, dollars under dollars."""
    by_column = [list(column) for column in zip(*rows, strict=True)]
    for number in columns:
        column = by_column[number]
        if cents and any("." in cell for cell in column):
            column = [cell if "." in cell else f"{cell}   " for cell in column]
        widest = max(map(len, column))
        by_column[number] = [cell.rjust(widest) for cell in column]
    return list(zip(*by_column, strict=True))
