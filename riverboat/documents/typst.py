"""Typst: values in its notation, and its source as PDF.

A document is evidence, so nothing in a name may hide, turn round or overdraw what stands beside it.
What the fonts inside typst cannot draw, and what has no shape of its own (control, format and
combining characters), is printed as its code point, `<U+202E>`. Scripts that run from right to left
are printed so too, because they would move the figures beside them.

The files are archival (PDF/A-2a) and accessible (PDF/UA-1), and equal documents are equal bytes: no
clock, no system font and no file outside this package has a part in them. The package typst is
needed only when something is printed.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from re import sub
from typing import Any, Final, TypeAlias
from unicodedata import category, normalize

from riverboat.core.errors import RiverboatError

STANDARDS: Final = ("a-2a", "ua-1")
_DRAWN: Final = (
    (0x0020, 0x007E),
    (0x00A1, 0x02FF),
    (0x0374, 0x03CE),
    (0x0400, 0x0477),
    (0x048C, 0x04C4),
    (0x0531, 0x0556),
    (0x0561, 0x0587),
    (0x1E00, 0x1FFE),
    (0x2007, 0x2007),
    (0x2010, 0x2027),
    (0x2030, 0x2037),
    (0x20A0, 0x20B5),
    (0x2122, 0x2122),
    (0x2153, 0x2184),
    (0x2190, 0x222E),
    (0x2660, 0x2667),
)
_SHAPELESS: Final = ("Cc", "Cf", "Cn", "Co", "Cs", "Mn", "Me", "Zl", "Zp")


def printable(text: str) -> str:
    """The text with everything in it visible; runs of blanks and line ends are one blank."""
    blanks = sub(r"[ \t\r\n\f\v\x85\u2028\u2029]+", " ", text)
    return "".join(map(_shown, normalize("NFC", blanks)))


def _shown(character: str) -> str:
    code = ord(character)
    drawn = any(first <= code <= last for first, last in _DRAWN)
    if drawn and category(character) not in _SHAPELESS:
        return character
    return f"<U+{code:04X}>"


Value: TypeAlias = "str | bool | int | Sequence[Value] | Mapping[str, Value]"


def literal(value: Value) -> str:
    """A value in typst's own notation; nothing that anybody typed can end a string."""
    match value:
        case str():
            return _string(printable(value))
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Mapping():
            pairs = "".join(f"{_string(key)}: {literal(held)}, " for key, held in value.items())
            return f"({pairs})" if pairs else "(:)"
    return f"({''.join(f'{literal(held)}, ' for held in value)})"


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class CannotPrint(RiverboatError):
    """A document could not be made, for a reason that is not in the document."""


def pdf(layout: str, source: str, *, printed_seconds: int = 0) -> bytes:
    """A document's source under its layout, as the bytes of a PDF."""
    typst = _typst()
    text = "".join((_layout("house"), _layout(layout), source))
    made = typst.compile(
        text.encode(),
        format="pdf",
        font_paths=typst.Fonts(include_system_fonts=False),
        ignore_system_fonts=True,
        pdf_standards=list(STANDARDS),
        timestamp=printed_seconds,
    )
    assert isinstance(made, bytes)
    return made


@cache
def _layout(name: str) -> str:
    return files(__package__).joinpath("layout", f"{name}.typ").read_text("utf-8")


def _typst() -> Any:
    try:
        import typst
    except ImportError as problem:
        text = "printing needs the package typst, which is not installed: pip install typst"
        raise CannotPrint("typst.missing", text) from problem
    return typst
