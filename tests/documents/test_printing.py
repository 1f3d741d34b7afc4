"""Typed text stays text, equal documents are equal bytes, and figures are right to the last."""

import subprocess
import sys
import unicodedata
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from riverboat.documents.printing import (
    CannotPrint,
    amount,
    column,
    decimal,
    in_words,
    literal,
    money,
    one_in,
    printable,
    share,
    units_amount,
    units_said,
    wall_clock,
    whole_and_fraction,
)
from riverboat.documents.win_page import WinPage, win_page_pdf
from tests.documents.floor import PRINTING, page_of, two_winners
from tests.documents.reading import copied, joined, metadata_of, pages_of, words_of

PAGE = page_of(two_winners("south-dakota-2011"), 3)


def named(player: str) -> WinPage:
    return replace(PAGE, player=player)


# ---------------------------------------------------------------- typed text


@pytest.mark.parametrize(
    "name",
    [
        "#let x = 1",
        "*a* _b_ `c`",
        "$x^2$",
        '"); #panic("x',
        "\\u{41} \\n \\",
        "= Heading",
        "- item / term: x",
        "// comment /* more */",
        "@label <label> #sys.version",
        "https://example.com",
        "~ -- --- ...",
        "Zoë Łukasz Ђорђе Ἀθηνᾶ",
    ],
)
def test_what_looks_like_markup_prints_as_it_was_typed(name: str) -> None:
    text = words_of(win_page_pdf(named(name)))
    assert f"Player {name} Wager" in text


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("a\u202eb", "a<U+202E>b"),
        ("中", "<U+4E2D>"),
        ("😀", "<U+1F600>"),
        ("a\u200bb", "a<U+200B>b"),
        ("a\u00adb", "a<U+00AD>b"),
        ("a\x00b\x07", "a<U+0000>b<U+0007>"),
        ("a\n\n b\tc", "a b c"),
        ("e\u0301", "é"),
        ("q\u0301\u0301", "q<U+0301><U+0301>"),
        ("א", "<U+05D0>"),
        ("\ud800", "<U+D800>"),
    ],
)
def test_what_cannot_be_seen_or_drawn_is_printed_as_its_code_point(typed: str, shown: str) -> None:
    assert printable(typed) == shown
    assert shown in words_of(win_page_pdf(named(typed)))


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_any_name_at_all_can_be_printed(name: str) -> None:
    pages = pages_of(win_page_pdf(named(name)))
    assert "Page 1 of" in pages[0]


def test_every_character_that_is_printed_as_itself_can_be_drawn() -> None:
    """A file for the archive may not have one that is not, so that all of them at once will do."""
    drawn = [chr(n) for n in range(0x3000) if printable(chr(n)) == chr(n)]
    assert len(drawn) > 1500
    win_page_pdf(named(" ".join(drawn)))


@given(st.text())
def test_no_text_can_end_a_string(text: str) -> None:
    inside = literal(text)[1:-1]
    assert literal(text)[0] == literal(text)[-1] == '"'
    rest = inside.replace("\\\\", "").replace('\\"', "")
    assert '"' not in rest
    assert "\\" not in rest
    assert all(unicodedata.category(c) != "Cc" for c in rest)


@pytest.mark.parametrize("letter", ["W", "i", "é"])
def test_two_hundred_letters_without_a_blank_are_all_on_the_paper(letter: str) -> None:
    document = win_page_pdf(named(letter * 200))
    assert letter * 200 in joined(document)
    lines = [line for page in pages_of(document) for line in page.splitlines()]
    assert max(map(len, lines)) < 190, "a line runs off the paper"


def test_a_long_name_of_somebody_who_did_a_step_is_broken_too() -> None:
    steps = tuple(replace(step, by="firstname.lastname" * 5) for step in PAGE.steps)
    text = joined(win_page_pdf(replace(PAGE, steps=steps)))
    assert text.count("firstname.lastname" * 2) >= len(steps)


def test_hashes_can_be_copied_off_the_file() -> None:
    [raw] = copied(win_page_pdf(PAGE))
    for text in (PRINTING.head, PAGE.versions.rulebook_sha256, PAGE.versions.commitment_root):
        assert text in raw


# ---------------------------------------------------------------- the file


def test_equal_documents_are_equal_bytes() -> None:
    assert win_page_pdf(PAGE) == win_page_pdf(page_of(two_winners("south-dakota-2011"), 3))
    assert win_page_pdf(PAGE) != win_page_pdf(named("Somebody Else"))
    assert win_page_pdf(PAGE) != win_page_pdf(PAGE, "a4")


def test_the_file_says_what_it_is() -> None:
    document = win_page_pdf(PAGE)
    told = metadata_of(document)
    assert told["Title"] == "Win page T7/1/3"
    assert told["Author"] == "Riverboat"
    assert PRINTING.head in told["Keywords"]
    assert told["CreationDate"].startswith("D:20261117032140")
    assert b"<pdfaid:part>2</pdfaid:part><pdfaid:conformance>A</pdfaid:conformance>" in document
    assert b"<pdfuaid:part>1</pdfuaid:part>" in document
    assert b"/Lang(en-US)" in document


def test_without_typst_nothing_is_printed_and_the_reason_is_plain(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(CannotPrint, match="pip install typst") as problem:
        win_page_pdf(PAGE)
    assert problem.value.code == "typst.missing"


def test_typst_is_not_loaded_before_something_is_printed() -> None:
    code = "import sys, riverboat.documents.win_page; sys.exit('typst' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize(
    ("cents", "words"),
    [
        (0, "Zero and 00/100 dollars"),
        (1_05, "One and 05/100 dollars"),
        (19_99, "Nineteen and 99/100 dollars"),
        (42_00, "Forty-two and 00/100 dollars"),
        (100_00, "One hundred and 00/100 dollars"),
        (45_000_80, "Forty-five thousand and 80/100 dollars"),
        (
            1_234_567_89,
            "One million two hundred thirty-four thousand five hundred sixty-seven"
            " and 89/100 dollars",
        ),
        (999_999_999_999_99, "Nine hundred ninety-nine billion nine hundred ninety-nine million"
         " nine hundred ninety-nine thousand nine hundred ninety-nine and 99/100 dollars"),
    ],
)  # fmt: skip
def test_an_amount_in_words(cents: int, words: str) -> None:
    assert in_words(cents) == words


@given(st.integers(min_value=0, max_value=10**14), st.integers(min_value=0, max_value=10**14))
def test_different_amounts_have_different_words(one: int, other: int) -> None:
    assert (in_words(one) == in_words(other)) == (one == other)


@given(st.integers(min_value=-(10**15), max_value=10**15))
def test_an_amount_can_be_read_back_to_the_cent(cents: int) -> None:
    text = amount(cents)
    assert int(text.replace(",", "").replace(".", "").replace("−", "-")) == cents
    assert text[-3] == "."
    assert money(cents).replace("$", "") == text
    assert column(cents) == (text if cents else "–")


@given(st.integers(min_value=-(10**17), max_value=10**17))
def test_meter_units_can_be_read_back_to_the_last_one(units: int) -> None:
    whole, fraction = whole_and_fraction(units)
    read = [text.replace(",", "").replace(".", "").replace("−", "-") for text in (whole, fraction)]
    assert int(read[0]) * 10_000 + int(read[1]) == units
    digits = "".join(c for c in units_amount(units) if c.isdigit())
    assert int(digits) * (-1 if "−" in units_amount(units) else 1) == units


def test_other_figures() -> None:
    assert units_said(12_34_0000) == "$12.34"
    assert units_said(-12_34_0500) == "−$12.34 and 0.0500 cent"
    assert decimal(Fraction(2, 3), 2) == "0.67"
    assert decimal(Fraction(-1, 1000), 2) == "0.00"
    assert decimal(Fraction(-2469, 2), 1) == "−1,234.5"
    assert decimal(Fraction(5, 2), 0) == "3"
    assert share(1, 3) == "33.33 %"
    assert share(5, 0) == "–"
    assert one_in(Fraction(3, 200)) == "1 in 66.7"
    assert one_in(None) == "–"


def test_clocks_say_their_offset() -> None:
    assert wall_clock()(0) == "1970-01-01 00:00:00 UTC"
    assert wall_clock(-300)(1_794_884_400) == "2026-11-16 22:00:00 UTC-05:00"
