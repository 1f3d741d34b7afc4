"""Cards as they look on the felt: drawn in boxes, or in two letters where space is short.

Red suits are red and black ones blue, which every eye can tell apart; the symbols say the same.
"""

from collections.abc import Sequence
from textwrap import wrap
from typing import TypeAlias

from rich.text import Text

from riverboat.core.cards import RANKS, SUITS, Card, rank_of, suit_of

Block: TypeAlias = list[Text]

PAPER = "#f7f5ee"
RED = f"bold #c8102e on {PAPER}"
BLUE = f"bold #1b3f9c on {PAPER}"
EDGE = f"#8a8a80 on {PAPER}"
BACK = "#9db4e8 on #1b2f6b"

CARD_WIDTH = 7
CARD_HEIGHT = 5
FAN_STEP = 4

_SYMBOLS = dict(zip(SUITS, "♣♦♥♠", strict=True))


def symbol(card: Card) -> str:
    """The sign of a card's suit."""
    return _SYMBOLS[SUITS[suit_of(card)]]


def ink(card: Card) -> str:
    """The style that a card is printed in."""
    return RED if SUITS[suit_of(card)] in "dh" else BLUE


def short(card: Card) -> str:
    """A card in two characters: "A♠", "T♦"."""
    return RANKS[rank_of(card)] + symbol(card)


def short_cards(cards: Sequence[Card | None], width: int) -> Text:
    """Cards in a line, hatched where they lie face down; without gaps, or by rank alone in the
    ink of its suit, where there is less room."""
    gap = " " if 3 * len(cards) - 1 <= width else ""
    letters = 2 if 2 * len(cards) <= width else 1
    line = Text()
    for number, card in enumerate(cards):
        line.append(gap if number else "")
        face, style = ("░░", BACK) if card is None else (short(card), ink(card))
        line.append(face[:letters], style)
    return line


def drawn(card: Card | None) -> Block:
    """One card, seven wide and five high."""
    if card is None:
        middle = [Text("│░░░░░│", BACK) for _ in range(3)]
        return [Text("╭─────╮", BACK), *middle, Text("╰─────╯", BACK)]
    rank = RANKS[rank_of(card)].replace("T", "10")
    faces = (f"{rank:<5}", f"  {symbol(card)}  ", f"{rank:>5}")
    middle = [Text.assemble(("│", EDGE), (face, ink(card)), ("│", EDGE)) for face in faces]
    return [Text("╭─────╮", EDGE), *middle, Text("╰─────╯", EDGE)]


def row(cards: Sequence[Card | None], gap: int = 1, step: int = CARD_WIDTH) -> Block:
    """Cards side by side; all but the last may show only their first columns."""
    lines = [Text() for _ in range(CARD_HEIGHT)]
    for left, card in zip(reversed(range(len(cards))), cards, strict=True):
        for line, part in zip(lines, drawn(card), strict=True):
            line.append_text(part[:step] if left else part)
            line.append(" " * gap if left else "")
    return lines


def fan(cards: Sequence[Card | None]) -> Block:
    """Cards that lie on one another, each with rank and suit in sight."""
    return row(cards, gap=0, step=FAN_STEP)


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


def width_of(block: Block) -> int:
    """How wide the widest line is."""
    return max((line.cell_len for line in block), default=0)


def sized(block: Block, width: int, height: int, align: str = "left") -> Block:
    """A block of exactly this size."""
    lines = [fitted(line, width, align) for line in block[:height]]
    return lines + [Text(" " * width) for _ in range(height - len(lines))]


def beside(blocks: Sequence[Block], gap: int = 0) -> Block:
    """Blocks side by side, aligned at the top."""
    height = max(map(len, blocks), default=0)
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
