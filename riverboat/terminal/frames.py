"""Whole screens, line by line: the table with what is said and asked, or a page to read."""

from collections.abc import Iterable, Sequence
from io import StringIO
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from riverboat.pages.page import Block as PageBlock
from riverboat.pages.page import print_page
from riverboat.terminal.blocks import fitted, paragraph
from riverboat.terminal.commands import Prompt
from riverboat.terminal.faces import Block
from riverboat.terminal.felt import draw_felt, header
from riverboat.terminal.scene import Scene

SMALLEST = (80, 24)
LOG_ROWS = 2
KEY = "bold #d78700"
LOUD = "bold #e05050"


class Said(NamedTuple):
    """Something that was said at the table; a refusal is loud."""

    text: str
    loud: bool = False


def table_frame(scene: Scene, log: Sequence[Said], asked: Text, width: int, height: int) -> Block:
    """The table on a screen of this size."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return _too_small(scene, asked, width, height)
    log_rows = LOG_ROWS + min(6, (height - SMALLEST[1]) // 3)
    felt_rows = height - 2 - log_rows - 1
    return [
        *header(scene, width),
        *draw_felt(scene, width, felt_rows),
        *_last_said(log, width, log_rows),
        fitted(asked, width),
    ]


def _last_said(log: Sequence[Said], width: int, rows: int) -> Block:
    """The end of the log; of a last word that is too long, its beginning."""
    lines: Block = []
    for said in reversed(log[-rows:]):
        lines = paragraph(said.text, width - 2, LOUD if said.loud else "")[:rows] + lines
        if len(lines) >= rows:
            break
    shown = [Text.assemble(" ", line) for line in lines[-rows:]]
    return [Text() for _ in range(rows - len(shown))] + shown


def _too_small(scene: Scene, asked: Text, width: int, height: int) -> Block:
    wide, high = SMALLEST
    text = f"The table needs {wide} × {high}; this window is {width} × {height}. Make it larger."
    lines = [*header(scene, width), *paragraph(text, width)]
    room = max(0, height - 1)
    return [*lines[:room], *(Text() for _ in range(room - len(lines))), fitted(asked, width)]


def keys_asked(prompt: Prompt) -> Text:
    """The keys that answer a question, each with what it does."""
    line = Text(" ")
    for key, does in prompt.keys:
        line.append("  " if line.plain.strip() else "").append(key, KEY).append(f" {does}")
    return line


def page_lines(page: Iterable[PageBlock], width: int, colours: str | None) -> Block:
    """A page in lines of this width."""
    paper = StringIO()
    console = Console(
        file=paper,
        width=width,
        highlight=False,
        force_terminal=colours is not None,
        color_system=colours,  # type: ignore[arg-type]
    )
    print_page(console, page)
    return [Text.from_ansi(line) for line in paper.getvalue().splitlines()]


def page_frame(scene: Scene, lines: Block, top: int, width: int, height: int) -> Block:
    """A part of a page under the table's own title."""
    rows = page_rows(height)
    shown = [Text.assemble(" ", fitted(line, width - 2)) for line in lines[top : top + rows]]
    blank = [Text() for _ in range(rows - len(shown))]
    until = min(len(lines), top + rows)
    more = until < len(lines)
    prompt = Prompt("", ((("Enter", "more"),) if more else ()) + (("q", "back to the table"),))
    where = Text(f"   lines {top + 1} to {until} of {len(lines)}", "dim")
    return [
        *header(scene, width),
        Text("─" * width, "dim"),
        *shown,
        *blank,
        fitted(Text.assemble(keys_asked(prompt), where), width),
    ]


def page_rows(height: int) -> int:
    """How many lines of a page a screen of this height shows."""
    return max(1, height - 4)
