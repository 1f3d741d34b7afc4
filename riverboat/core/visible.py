"""Text for a terminal or a log: what would act on it, or hide, is written out and can be seen.

A rulebook's words, a player's name, a file's name and an error are other people's text. A terminal
takes an escape sequence in it for an order, a bidirectional mark turns a line around, and half a
character cannot be written at all.
"""

from typing import Final

LINES: Final = "\n\t"
"""What a text of several lines may have besides."""
_BLANKS: Final = frozenset(map(chr, (0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000)))
"""Blanks, broken and unbroken and of every width, which are seen as such."""


def visible(text: str, kept: str = LINES) -> str:
    """The same text with every other character that has no shape of its own as an escape: \\x1b,
    \\u202e."""
    if text.isprintable():
        return text
    return "".join(one if is_seen(one) or one in kept else ascii(one)[1:-1] for one in text)


def is_seen(letter: str) -> bool:
    """Whether a character is seen as what it is: no control, no mark, no half of one."""
    return letter.isprintable() or letter in _BLANKS


def is_whole(text: str) -> bool:
    """Whether text can be written as UTF-8: half of a surrogate pair cannot."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
