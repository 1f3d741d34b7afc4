"""Laying out text: blocks of lines set side by side, in the middle, or in a box."""

from collections.abc import Iterable, Sequence
from textwrap import wrap

from rich.text import Text

from riverboat.terminal.faces import Block

UNBROKEN = "\N{NO-BREAK SPACE}"
WOOD = "#b98a4a"
QUIET = "#9fb8a6"
LIGHT = "bold #ffd75f"


def fitted(line: Text, width: int, align: str = "left") -> Text:
    """A line of exactly this width: cut with an ellipsis, or filled with blanks."""
    line = line.copy()
    if line.cell_len > width:
        line.truncate(width, overflow="ellipsis")
    spare = width - line.cell_len
    left = {"left": 0, "center": spare // 2, "right": spare}[align]
    return Text.assemble(" " * left, line, " " * (spare - left))


def height_of(blocks: Iterable[Block]) -> int:
    """How high the highest block is."""
    return max(map(len, blocks), default=0)


def width_of(block: Block) -> int:
    """How wide the widest line is."""
    return max((line.cell_len for line in block), default=0)


def sized(block: Block, width: int, height: int, align: str = "left") -> Block:
    """A block of exactly this size."""
    lines = [fitted(line, width, align) for line in block[:height]]
    return lines + [Text(" " * width) for _ in range(height - len(lines))]


def beside(blocks: Sequence[Block], gap: int = 0) -> Block:
    """Blocks side by side, aligned at the top."""
    height = height_of(blocks)
    parts = [sized(block, width_of(block), height) for block in blocks]
    between = Text(" " * gap)
    return [between.join(lines) for lines in zip(*parts, strict=True)] if parts else []


def boxed(line: Text, title: str, width: int, edge: str = WOOD) -> Block:
    """One line in a box with a title in its upper edge."""
    inner = width - 2
    name = f" {title} " if len(title) + 2 <= inner else title[:inner]
    top = f"╭{name:─<{inner}}╮"
    return [
        Text(top, edge),
        Text.assemble(("│", edge), fitted(line, inner, "center"), ("│", edge)),
        Text(f"╰{'─' * inner}╯", edge),
    ]


def paragraph(text: str, width: int, style: str = "", indent: str = "  ") -> Block:
    """Running text in lines of at most this width."""
    lines = wrap(text, width, subsequent_indent=indent, break_on_hyphens=False)
    return [Text(line.replace(UNBROKEN, " "), style) for line in lines]
