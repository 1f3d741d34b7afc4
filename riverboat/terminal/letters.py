"""Drawing where only plain letters can be printed: suits and lines become what is nearest."""

from typing import TextIO

_NEAREST = str.maketrans(
    "♣♦♥♠╭╮╰╯─│═░●◉▸▼·…×–━┃┏┓┗┛",
    "cdhs++++-|=#o@>v-.x--|++++",
)


class PlainLetters:
    """An output that cannot print the signs of the suits, written to in letters it can."""

    def __init__(self, output: TextIO) -> None:
        self.output = output
        self.encoding = output.encoding or "ascii"

    def write(self, text: str) -> int:
        """Write what is nearest to the text."""
        plain = text.translate(_NEAREST)
        self.output.write(plain.encode(self.encoding, "replace").decode(self.encoding))
        return len(text)

    def flush(self) -> None:
        """Send it on."""
        self.output.flush()

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return self.output.isatty()

    def fileno(self) -> int:
        """The file below."""
        return self.output.fileno()


def printable(output: TextIO) -> TextIO:
    """The output itself, or one in plain letters where it has no signs for suits."""
    try:
        "♠♥♦♣╭─╮│●◉░▸".encode(getattr(output, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return PlainLetters(output)  # type: ignore[return-value]
    return output
