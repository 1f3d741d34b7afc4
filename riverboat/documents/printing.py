"""What every document is made of, and printing it: values in typst's notation, its source as PDF;
figures to the cent, grouped, right to the last digit; the events that a document is gathered from,
with who and when; rows, cards and the frame that it prints.

A document is evidence, so nothing in a name may hide, turn round or overdraw what stands beside it.
What the fonts inside typst cannot draw, and what has no shape of its own (control, format and
combining characters), is printed as its code point, `<U+202E>`. Scripts that run from right to left
are printed so too, because they would move the figures beside them.

The files are archival (PDF/A-2a) and accessible (PDF/UA-1), and equal documents are equal bytes: no
clock, no system font and no file outside this package has a part in them. The package typst is
needed only when something is printed."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from fractions import Fraction
from functools import cache
from importlib.resources import files
from re import sub
from typing import Any, Final, Literal, TypeAlias
from unicodedata import category, normalize

from msgspec import Struct
from msgspec.structs import asdict

from riverboat.core import money as m
from riverboat.core.cards import Card, show_card
from riverboat.core.errors import RiverboatError
from riverboat.round.table_talk import sentence
from riverboat.table.people import Actor

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


Value: TypeAlias = "str | bool | int | Sequence[Value] | Mapping[str, Value] | Struct"


def literal(value: Value) -> str:
    """A value in typst's own notation; nothing that anybody typed can end a string."""
    match value:
        case str():
            return _string(printable(value))
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case Struct():
            return literal(asdict(value))
        case Mapping():
            pairs = "".join(f"{_string(key)}: {literal(held)}, " for key, held in value.items())
            return f"({pairs})" if pairs else "(:)"
    return f"({''.join(f'{literal(held)}, ' for held in value)})"


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


class CannotPrint(RiverboatError):
    """A document could not be made, for a reason that is not in the document."""


def pdf(layout: str, document: Mapping[str, Value], *, printed_seconds: int = 0) -> bytes:
    """A document under its layout, as the bytes of a PDF."""
    try:
        import typst
    except ImportError as problem:
        words = "printing needs the package typst, which is not installed: pip install typst"
        raise CannotPrint("typst.missing", words) from problem
    source = f"#{layout.replace('_', '-')}({literal(document)})\n"
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


MINUS: Final = "−"
NOTHING: Final = "–"
GAP: Final = "\u2007"

_SMALL: Final = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS: Final = (
    *("", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"),
)
_GROUPS: Final = (
    *((10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (10**3, "thousand")),
    (100, "hundred"),
)
_FRACTION_DIGITS: Final = len(str(m.METER_UNITS_PER_CENT)) - 1


def amount(cents: m.Cents) -> str:
    """An amount for a column of dollars: always with its cents."""
    dollars = m.divide_down(abs(cents), 100)
    return f"{_sign(cents)}{dollars:,}.{abs(cents) - 100 * dollars:02}"


def money(cents: m.Cents) -> str:
    """An amount that stands by itself."""
    return f"{_sign(cents)}${amount(abs(cents))}"


def whole_and_fraction(units: m.MeterUnits) -> tuple[str, str]:
    """What a meter owes: the amount to the cent, and the fraction of a cent beside it."""
    cents = m.divide_down(abs(units), m.METER_UNITS_PER_CENT)
    rest = abs(units) - cents * m.METER_UNITS_PER_CENT
    fraction = f"0.{rest:0{_FRACTION_DIGITS}}"
    sign = _sign(units)
    return f"{sign if cents else ''}{amount(cents)}", f"{sign if rest else ''}{fraction}"


def units_amount(units: m.MeterUnits) -> str:
    """The same for a narrow column: after the cents, set off by a blank, the ten-thousandths of a
    cent."""
    whole, fraction = whole_and_fraction(units)
    sign = MINUS if units < 0 and not whole.startswith(MINUS) else ""
    return f"{sign}{whole}{GAP}{fraction[-_FRACTION_DIGITS:]}"


def units_column(units: m.MeterUnits) -> str:
    """The same in a long column, where a dash for nothing lets the rest stand out."""
    return units_amount(units) if units else NOTHING


def units_said(units: m.MeterUnits) -> str:
    """The same in a sentence: the fraction only where there is one."""
    whole, fraction = whole_and_fraction(abs(units))
    said = f"{_sign(units)}${whole}"
    return said if not fraction.strip("0.") else f"{said} and {fraction} cent"


def column(cents: m.Cents) -> str:
    """An amount in a long column, where a dash for nothing lets the rest stand out."""
    return amount(cents) if cents else NOTHING


def decimal(value: Fraction, places: int) -> str:
    """A fraction with so many decimals, to the nearest."""
    scaled = m.divide_half_up(abs(value.numerator) * 10**places, value.denominator)
    digits = f"{scaled:0{places + 1}}"
    whole = f"{int(digits[: len(digits) - places]):,}"
    sign = MINUS if value < 0 and scaled else ""
    return f"{sign}{whole}.{digits[len(digits) - places :]}" if places else f"{sign}{whole}"


def share(part: int, whole: int) -> str:
    """A part of a whole in percent; of nothing there is no share."""
    return f"{decimal(Fraction(100 * part, whole), 2)} %" if whole else NOTHING


def one_in(chance: Fraction | None) -> str:
    """A chance as people at a table say it."""
    return f"1 in {decimal(1 / chance, 1)}" if chance else NOTHING


def in_words(cents: m.Cents) -> str:
    """An amount as a cheque words it, so that a changed figure is noticed."""
    assert cents >= 0, "nobody pays less than nothing"
    dollars = m.divide_down(cents, 100)
    named = _number(dollars)
    return f"{sentence(named)} and {cents - 100 * dollars:02}/100 dollars"


def _number(number: int) -> str:
    for size, name in _GROUPS:
        count = m.divide_down(number, size)
        if count:
            rest = number - count * size
            head = f"{_number(count)} {name}"
            return f"{head} {_number(rest)}" if rest else head
    if number < len(_SMALL):
        return _SMALL[number]
    tens = m.divide_down(number, 10)
    ones = number - 10 * tens
    return f"{_TENS[tens]}-{_SMALL[ones]}" if ones else _TENS[tens]


def _sign(number: int) -> str:
    return MINUS if number < 0 else ""


Clock: TypeAlias = Callable[[int], str]


class Told(Struct, frozen=True, kw_only=True):
    """One event of a stream. `at` is the record's own time; a `Clock` says it in words."""

    event: Any
    by: Actor
    at: int
    test: bool = False


Record: TypeAlias = Sequence[Told]


class Printing(Struct, frozen=True, kw_only=True):
    """The circumstances of a printed document: by whom, when, with what, and how far the ledger
    had come (`NUMBER:HASH`). `printed_seconds` (since 1970) is the date in the file's own data;
    `program_sha256` is over all files of the program."""

    printed_by: str
    printed_at: str
    version: str
    head: str
    printed_seconds: int = 0
    program_sha256: str = ""


def told_of(entries: Iterable[Any]) -> Iterator[Told]:
    """The events of a record, one by one; an entry of any record says who, when, and what came of
    it, and a table's may be a test."""
    for entry in entries:
        for event in entry.events:
            yield Told(event=event, by=entry.by, at=entry.at, test=getattr(entry, "test", False))


def wall_clock(utc_offset_minutes: int = 0) -> Clock:
    """Seconds since 1970 as the house's clocks show them, with the offset that they keep."""
    zone = timezone(timedelta(minutes=utc_offset_minutes)) if utc_offset_minutes else UTC
    return lambda at: f"{datetime.fromtimestamp(at, zone):%Y-%m-%d %H:%M:%S %Z}"


def who(actor: Actor) -> str:
    """A role, or that it was no person."""
    return f"automatic {actor.role}" if actor.automatic else actor.role


Paper: TypeAlias = Literal["us-letter", "a4"]
Rows: TypeAlias = list[Value]

NOT_ON_RECORD: Final = "not on record"

_RANKS: Final = {
    **{str(n): str(n) for n in range(2, 10)},
    **{"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"},
}
_SUITS: Final = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}


def frame(
    printing: Printing, kind: str, title: str, foot: str, paper: Paper, *, test: bool
) -> dict[str, Value]:
    """What the page around every document needs."""
    return {
        "house": "Riverboat",
        "kind": kind,
        "title": title,
        "foot": foot,
        "paper": paper,
        "keywords": [kind, printing.version, printing.head],
        "test": test,
    }


def card_shown(card: Card, origin: str) -> Mapping[str, Value]:
    """A card to be drawn, and its name for whoever cannot see it."""
    text = show_card(card)
    rank, suit = text[0], text[1]
    return {
        "rank": "10" if rank == "T" else rank,
        "suit": suit,
        "name": f"{_RANKS[rank]} of {_SUITS[suit]}",
        "origin": origin,
    }


def in_cents(label: str, cents: m.Cents, style: str = "") -> Value:
    """A row of a statement in dollars."""
    return {"label": label, "figures": [amount(cents)], "style": style}


def in_units(label: str, units: m.MeterUnits, style: str = "") -> Value:
    """A row of a meter's statement: to the cent, and the fraction."""
    return {"label": label, "figures": list(whole_and_fraction(units)), "style": style}


def hand_name(hand: str) -> str:
    """A hand with a capital."""
    return sentence(hand.replace("_", " "))


def or_dash(text: str, otherwise: str = NOTHING) -> str:
    """A text, or that there is none, or that nobody wrote it down."""
    return text if text.strip() else otherwise


def printed_rows(printing: Printing) -> Rows:
    """Program, ledger, and who printed when."""
    program = printing.program_sha256
    return [
        ["Program", f"riverboat {printing.version}"],
        *([["Program's SHA-256", program]] if program else []),
        ["Ledger's head", printing.head],
        ["Printed", f"{printing.printed_at} by {printing.printed_by}"],
    ]


def configuration_rows(configurations: Iterable[tuple[str, str]]) -> Rows:
    """Under which configurations and rulebooks was played, by their hashes."""
    held = list(configurations)
    rulebooks = dict.fromkeys(rulebook for _, rulebook in held)
    return [
        *(["Configuration", sha256] for sha256, _ in held),
        *(["Rulebook's SHA-256", sha256] for sha256 in rulebooks),
    ]


def percent(rate_bp: int) -> str:
    """A rate as people read it."""
    return f"{m.show_percent(rate_bp)} %"
