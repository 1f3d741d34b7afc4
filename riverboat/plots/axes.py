"""Paper, pens and axes: the small part of SVG that the pictures need."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import floor, log10
from typing import Final, Literal, NamedTuple, TypeAlias
from xml.sax.saxutils import escape, quoteattr

WIDTH: Final = 400
MARGIN: Final = 14
TITLE: Final = 16
WORDS: Final = 11
FINE: Final = 9.5
SMALLEST: Final = 9

PAPER: Final = "#ffffff"
INK: Final = "#1a1a1a"
QUIET: Final = "#5c5c5c"
HAIR: Final = "#d9d9d9"
# From the palette of Okabe and Ito, which was made for every kind of colour vision.
BLUE: Final = "#0072b2"
SKY: Final = "#9fd3f0"
ORANGE: Final = "#e69f00"
RED: Final = "#d55e00"
PALE: Final = "#ececec"
_FONTS: Final = "system-ui, 'Segoe UI', 'Liberation Sans', 'DejaVu Sans', Arial, sans-serif"
_LETTER: Final = 0.54
"""How wide a letter is on average, in sizes: a little more than in the fonts above."""

Anchor: TypeAlias = Literal["start", "middle", "end"]
Number: TypeAlias = float | int | Fraction


class Source(NamedTuple):
    """What a picture was made from, printed under it."""

    rulebook: str
    revision: int
    sha256: str
    version: str

    def __str__(self) -> str:
        return (
            f"Source: {self.rulebook}, revision {self.revision}, sha256 {self.sha256[:12]}; "
            f"riverboat {self.version}"
        )


class Picture:
    """A sheet of a phone's width that grows downwards."""

    def __init__(self, title: str, subtitle: str, description: str) -> None:
        self.title = title
        self.description = description
        self._parts: list[str] = []
        self.bottom: float = MARGIN
        for line in wrapped(title, TITLE, WIDTH - 2 * MARGIN):
            self.bottom += TITLE + 3
            self.text(MARGIN, self.bottom - 4, line, size=TITLE, weight="bold")
        for line in wrapped(subtitle, WORDS, WIDTH - 2 * MARGIN):
            self.bottom += WORDS + 4
            self.text(MARGIN, self.bottom - 3, line, fill=QUIET)
        self.bottom += 6

    def rect(
        self, x: Number, y: Number, width: Number, height: Number, fill: str,
        tip: str = "", name: str = "",
    ) -> None:  # fmt: skip
        """A filled box; `tip` is what a browser shows over it, `name` what a test finds it by."""
        known = f" class={quoteattr(name)}" if name else ""
        box = f'x="{at(x)}" y="{at(y)}" width="{at(width)}" height="{at(height)}" fill="{fill}"'
        inside = f"><title>{escape(tip)}</title></rect>" if tip else "/>"
        self._parts.append(f"<rect{known} {box}{inside}")

    def line(self, x1: Number, y1: Number, x2: Number, y2: Number, stroke: str = HAIR) -> None:
        """A straight stroke."""
        ends = f'x1="{at(x1)}" y1="{at(y1)}" x2="{at(x2)}" y2="{at(y2)}"'
        self._parts.append(f'<line {ends} stroke="{stroke}" stroke-width="1"/>')

    def curve(
        self, points: Sequence[tuple[Number, Number]], stroke: str, width: float = 2,
        dashes: str = "", name: str = "curve",
    ) -> None:  # fmt: skip
        """Points joined by straight strokes."""
        dash = f' stroke-dasharray="{dashes}"' if dashes else ""
        listed = " ".join(f"{at(x)},{at(y)}" for x, y in points)
        self._parts.append(
            f'<polyline class="{name}" points="{listed}" fill="none" stroke="{stroke}" '
            f'stroke-width="{width}" stroke-linejoin="round"{dash}/>'
        )

    def dot(self, x: Number, y: Number, fill: str, radius: float = 4.5) -> None:
        """A point that matters."""
        self._parts.append(
            f'<circle cx="{at(x)}" cy="{at(y)}" r="{radius}" fill="{fill}" stroke="{PAPER}" '
            'stroke-width="1.5"/>'
        )

    def text(
        self, x: Number, y: Number, words: str, *, size: float = WORDS, fill: str = INK,
        anchor: Anchor = "start", weight: str = "", halo: bool = False,
    ) -> None:  # fmt: skip
        """Words on their baseline; a halo keeps them readable over a stroke."""
        assert size >= SMALLEST, "a phone shows nothing smaller"
        bold = f' font-weight="{weight}"' if weight else ""
        clear = f' stroke="{PAPER}" stroke-width="3" paint-order="stroke"' if halo else ""
        self._parts.append(
            f'<text x="{at(x)}" y="{at(y)}" font-size="{size}" fill="{fill}" '
            f'text-anchor="{anchor}"{bold}{clear}>{escape(words)}</text>'
        )

    def legend(self, entries: Sequence[tuple[str, str]]) -> None:
        """Boxes of colour with their words, in as many rows as they need."""
        x, y = float(MARGIN), self.bottom + WORDS
        for fill, words in entries:
            needed = 16 + width_of(words, WORDS) + 14
            if x > MARGIN and x + needed - 14 > WIDTH - MARGIN:
                x, y = MARGIN, y + 17
            self.rect(x, y - 9, 11, 11, fill)
            self.text(x + 16, y, words)
            x += needed
        self.bottom = y + 8

    def note(self, words: str) -> None:
        """Small words over the whole width."""
        for line in wrapped(words, FINE, WIDTH - 2 * MARGIN):
            self.bottom += FINE + 4
            self.text(MARGIN, self.bottom, line, size=FINE, fill=QUIET)
        self.bottom += 3

    def svg(self, source: Source) -> str:
        """The finished picture with its source line."""
        self.note(str(source))
        height = at(self.bottom + MARGIN - 4)
        inside = "\n".join(self._parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'font-family="{_FONTS}">\n<title>{escape(self.title)}</title>\n'
            f"<desc>{escape(self.description)}</desc>\n"
            f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>\n{inside}\n</svg>\n'
        )


class Scale(NamedTuple):
    """From values to places on the paper."""

    first: float
    last: float
    start: float
    end: float

    def __call__(self, value: Number) -> float:
        """Where a value is drawn."""
        share = (float(value) - self.first) / (self.last - self.first)
        return self.start + share * (self.end - self.start)

    def ticks(self, wanted: int) -> Iterator[float]:
        """Round values, about as many as wanted."""
        least = (self.last - self.first) / wanted
        power = 10.0 ** floor(log10(least))
        step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= least * 0.999)
        number = -floor(-self.first / step)
        while number * step <= self.last + step / 1e6:
            yield number * step
            number += 1


def framed(
    picture: Picture,
    across: tuple[float, float],
    up: tuple[float, float],
    names: tuple[str, str],
    said: tuple[Callable[[float], str], Callable[[float], str]],
    height: float = 230,
) -> tuple[Scale, Scale]:
    """Draw axes for these values; `said` puts a tick into words. The upper name stands on top."""
    picture.text(MARGIN, picture.bottom + WORDS, names[1], fill=QUIET)
    top = picture.bottom + WORDS + 12
    rough = Scale(up[0], up[1], top + height, top)
    heights = list(rough.ticks(5))
    left = MARGIN + max(width_of(said[1](value), FINE) for value in heights) + 6
    x = Scale(across[0], across[1], left, WIDTH - MARGIN - 8)
    for value in heights:
        picture.line(left, rough(value), WIDTH - MARGIN, rough(value),
                     stroke=QUIET if abs(value) < 1e-12 else HAIR)  # fmt: skip
        picture.text(left - 5, rough(value) + 3.5, said[1](value), size=FINE, anchor="end")
    for value in x.ticks(5):
        picture.line(x(value), top + height, x(value), top + height + 4, stroke=QUIET)
        picture.text(x(value), top + height + 16, said[0](value), size=FINE, anchor="middle")
    picture.line(left, top + height, WIDTH - MARGIN, top + height, stroke=QUIET)
    picture.text((left + WIDTH - MARGIN) / 2, top + height + 33, names[0], fill=QUIET,
                 anchor="middle")  # fmt: skip
    picture.bottom = top + height + 40
    return x, rough


def at(value: Number) -> str:
    """A place on the paper, to a hundredth."""
    return f"{float(value):.2f}".rstrip("0").rstrip(".")


def width_of(words: str, size: float) -> float:
    """About how wide words are."""
    return len(words) * size * _LETTER


def wrapped(words: str, size: float, room: float) -> list[str]:
    """Words in lines that fit."""
    lines: list[str] = []
    for word in words.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def percent(share: Number, places: int = 2) -> str:
    """A share as people read it."""
    return f"{float(share) * 100:.{places}f} %".replace("-", "−")


def signed(value: Number) -> str:
    """A result with its sign, whole where it is."""
    number = Fraction(value)
    text = f"{abs(number.numerator):,}" if number.denominator == 1 else f"{abs(float(number)):,.2f}"
    return text if not number else f"{'+' if number > 0 else '−'}{text}"


def dollars(amount: float) -> str:
    """Dollars on an axis: thousands and millions are short."""
    for size, letter in ((1_000_000, "M"), (1000, "k")):
        if abs(amount) >= size:
            return f"${amount / size:g}{letter}"
    return f"${amount:g}"
