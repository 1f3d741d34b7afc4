"""What the documents print, worked out again: verdicts, assumptions and misprints."""

import json
from fractions import Fraction
from io import StringIO

import pytest
from msgspec.structs import replace
from rich.console import Console

from riverboat.answers.odds import published_page
from riverboat.answers.page import print_page
from riverboat.exact.questions.published import (
    PublishedFigure,
    PublishedReport,
    as_printed,
    published,
    published_document,
)
from riverboat.rulebooks import load, load_all

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report() -> PublishedReport:
    return published([loaded.book for loaded in load_all()])


def rows(report: PublishedReport, figure: str, bet: str) -> dict[str, PublishedFigure]:
    found = [one for one in report.figures if (one.figure, one.bet) == (figure, bet)]
    return {one.paytable: one for one in found}


def test_every_printed_figure_has_its_row(report: PublishedReport) -> None:
    printed = [entry for loaded in load_all() for entry in loaded.book.published]
    assert [one.printed for one in report.figures] == [entry.printed for entry in printed]
    assert all(one.cites for one in report.figures)
    assert not [one for one in report.figures if one.verdict == "cannot be reproduced"]


def test_bonus_figures_agree(report: PublishedReport) -> None:
    edges = rows(report, "house_edge", "bonus")
    assert {name: one.exact for name, one in edges.items()} == {
        "IS-01": Fraction(80_820, 2_598_960),
        "IS-02": Fraction(135_732, 2_598_960),
        "IS-03": Fraction(186_732, 2_598_960),
    }
    hits = rows(report, "hit_frequency", "bonus")
    assert {one.exact for one in hits.values()} == {Fraction(620_580, 2_598_960)}
    assert {one.verdict for one in (*edges.values(), *hits.values())} == {"agrees"}


def test_house_advantages_take_seven_players_for_granted(report: PublishedReport) -> None:
    found = rows(report, "house_advantage", "progressive")
    for name, shown, alone in (
        ("IS-PROG-PMG-01", "20.9873%", "24.4040%"),
        ("IS-PROG-PMG-02", "21.2185%", "24.6353%"),
    ):
        one = found[name]
        assert (one.verdict, one.shown) == ("agrees under an assumption", shown)
        assert "6 other hands" in one.assumption
        assert "a fold keeps the wager" in one.assumption
        assert alone in one.right
    others = {one.assumption: float(one.exact) for one in found["IS-PROG-PMG-02"].others}
    scaled = next(value for text, value in others.items() if "$50,000" in text)
    assert round(scaled, 6) == 0.199873


def test_frequencies_odds_and_averages(report: PublishedReport) -> None:
    for one in rows(report, "hit_frequency", "progressive").values():
        assert (one.verdict, one.exact) == ("agrees", Fraction(74_628, 2_598_960))
    for one in rows(report, "top_payout_odds", "progressive").values():
        assert (one.verdict, one.exact) == ("misprint", Fraction(649_739))
        assert one.right == "1 in 649,740, which is 649,739 to 1"
    averages = rows(report, "top_payout_average", "progressive")
    assert [one.shown for one in averages.values()] == ["$81,813.37", "$386,165.26"]
    assert [one.right.split(":")[0] for one in averages.values()] == ["$77,076.53", "$381,428.42"]
    assert {one.verdict for one in averages.values()} == {"agrees under an assumption"}
    reseed = rows(report, "reseed_cost_included", "progressive")[""]
    assert (reseed.verdict, len(reseed.others)) == ("agrees", 2)


def test_a_misprinted_row_is_found_by_its_figures(report: PublishedReport) -> None:
    words = {one.paytable: one.words for one in report.suspicions}
    loud = [text for text in words.values() if text.startswith("player edge")]
    assert loud
    assert all("almost certainly a misprint" in text for text in loud)
    assert all("every sibling table pays 1 to 1" in text for text in loud)


@pytest.mark.parametrize(
    ("figure", "printed", "verdict"),
    [
        ("house_edge", "3.2%", "cannot be reproduced"),
        ("house_advantage", "24.40%", "agrees"),
        ("house_advantage", "21.56%", "agrees under an assumption"),
        ("house_advantage", "20.97%", "cannot be reproduced"),
        ("top_payout_odds", "649,739 to 1", "agrees"),
        ("top_payout_odds", "649,700 to 1", "cannot be reproduced"),
        ("top_payout_average", "$77,077", "agrees"),
        ("top_payout_average", "$81,814", "cannot be reproduced"),
    ],
)
def test_another_print_gets_another_verdict(figure: str, printed: str, verdict: str) -> None:
    book = load("island-stud").book
    entry = next(one for one in book.published if one.figure == figure)
    changed = replace(book, published=(replace(entry, printed=printed),))
    assert [one.verdict for one in published([changed]).figures] == [verdict]


def test_rounding_goes_by_the_printed_places() -> None:
    assert as_printed("2.87%", "percent", Fraction(28_715, 1_000_000))
    assert not as_printed("2.88%", "percent", Fraction(28_715, 1_000_000) - Fraction(1, 10**6))
    assert as_printed("$81,813", "dollars", Fraction(8_181_337, 100))
    assert not as_printed("$81,813.00", "dollars", Fraction(8_181_337, 100))


def test_page_and_document(report: PublishedReport) -> None:
    console = Console(record=True, width=140, file=StringIO())
    print_page(console, published_page(report))
    text = console.export_text()
    assert "agrees under an" in text
    assert "649,739 to 1" in text
    document = json.loads(json.dumps(published_document(report)))
    assert len(document["figures"]) == len(report.figures)
    assert document["figures"][0]["exact"] == "1347/43316"
