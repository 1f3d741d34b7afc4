"""PAR sheets: what stands on the paper is what the mathematics says, line by line."""

from fractions import Fraction
from pathlib import Path

import pytest

from riverboat.cli import run
from riverboat.core.hands import FiveCardHand
from riverboat.documents.par.base_sheet import FOLDED, brought_by_kind, returns_by_hand
from riverboat.documents.par.par_file import par_file_of
from riverboat.documents.par.sheet import (
    Grid,
    ParFile,
    ParSheet,
    chance,
    chance_figure,
    par_file_pdf,
    plainly,
    returned,
)
from riverboat.documents.printing import decimal, money
from riverboat.exact.base_games.dealer_game import solve_against_dealer
from riverboat.exact.base_games.streets import Solution, solve
from riverboat.exact.progressive.wager import progressive_figures, progressive_setup
from riverboat.exact.questions.question import read_question
from riverboat.exact.side_bets import side_bet_figures, side_bet_tables
from riverboat.round.setup.setup import set_up
from riverboat.rulebooks import Loaded, load, rulebook_ids
from tests.documents.reading import metadata_of, pages_of, sizes_of, words_of
from tests.exact.own_house import ONE_TO_FIVE, OTHER_ODDS, PUSH_FROM_FIVES, forfeits, own_house

pytestmark = pytest.mark.slow

EVERY_BONUS = [
    (name, table.id) for name in rulebook_ids() for table in side_bet_tables(load(name).book)
]


def file_of(name: str, **asked: str) -> ParFile:
    loaded = load(name)
    return par_file_of(loaded, read_question(loaded.book, **asked))  # type: ignore[arg-type]


def sheet_of(name: str, **asked: str) -> ParSheet:
    (sheet,) = file_of(name, **asked).sheets
    return sheet


def column(grid: Grid, name: str) -> list[str]:
    place = grid.head.index(name)
    return [row[place] for row in grid.rows]


# ---------------------------------------------------------------- bonuses


@pytest.mark.parametrize(("name", "paytable"), EVERY_BONUS)
def test_every_bonus_has_a_sheet_with_the_figures_of_the_mathematics(
    name: str, paytable: str
) -> None:
    sheet = sheet_of(name, paytable=paytable)
    found = side_bet_figures(load(name).book, sheet.bet, paytable, 100)
    grid = sheet.grids[0]
    assert sheet.house_edge == found.house_edge
    assert sheet.figures[0].exact == str(found.house_edge)
    counted = [f"{line.combinations:,}" if line.combinations else "–" for line in found.lines]
    assert column(grid, "Combinations") == counted
    assert column(grid, "Return") == [returned(line.returns) for line in found.lines]
    assert grid.total[-2] == returned(found.ev)
    assert all(column(grid, "Clauses"))


def test_the_paper_shows_every_line_of_a_three_card_bonus() -> None:
    file = file_of("maryland-2014", paytable="MD-2014-3CB-A")
    found = side_bet_figures(load("maryland-2014").book, "three_card_bonus", "MD-2014-3CB-A")
    text = words_of(par_file_pdf(file))
    assert "House edge 2.3167 % 128/5525" in text
    assert f"{decimal(found.hit_frequency * 100, 4)} %" in text
    assert f"{found.standard_deviation:.4f} wagers" in text
    for line, counted in zip(load_lines("MD-2014-3CB-A"), found.lines, strict=True):
        numbers = f"{counted.combinations:,} {chance(counted.probability)} "
        assert f"{counted.pays} {numbers}{returned(counted.returns)} {line[0]}" in text
    assert f"All hands 22,100 1.0000000000 {returned(found.ev)}" in text
    assert file.rulebook_sha256 in text
    assert file.code_sha256 in text


def load_lines(paytable: str) -> list[tuple[str, ...]]:
    tables = load("maryland-2014").book.paytables
    return [line.cites for table in tables if table.id == paytable for line in table.lines]


def test_a_suspect_cell_is_shown_as_printed_and_as_played_with_a_warning() -> None:
    text = words_of(par_file_pdf(file_of("south-dakota-3cb", paytable="SD-3CB-3CB-B")))
    assert "Played, but not as printed" in text
    assert "25 to 1 † 1 to 1 3,744" in text
    assert "almost certainly a misprint" in text
    assert "House edge 5.5747 % 308/5525" in text
    assert "A pair on the three community cards pays 1 to 1" in text


def test_a_struck_table_says_so_and_fixed_prizes_have_an_edge_by_stake() -> None:
    text = words_of(par_file_pdf(file_of("maryland-2014", paytable="MD-2014-6CB-OLD-A")))
    assert "Struck from the document: for analysis only" in text
    sheet = sheet_of("maryland-2014", paytable="MD-2014-6CB-A", wager="5")
    book = load("maryland-2014").book
    found = side_bet_figures(book, "six_card_bonus", "MD-2014-6CB-A", 500)
    assert sheet.house_edge == found.house_edge
    assert f"{decimal(found.house_edge * 100, 4)} %" in sheet.grids[1].rows[0]


# ---------------------------------------------------------------- base games


@pytest.fixture(scope="module")
def solution() -> Solution:
    return solve(set_up(load("maryland-2014").book, {}), 100)


def test_the_lines_of_the_base_game_add_up_to_its_value(solution: Solution) -> None:
    brought = brought_by_kind(solution)
    figures = solution.figures
    assert sum(one.returns for one in brought.values()) == figures.value
    assert sum(one.chance for one in brought.values()) == 1
    assert brought[FOLDED].chance == sum(figures.folds.values())
    assert {k: v.chance for k, v in brought.items() if k != FOLDED} == figures.hands_unfolded


@pytest.fixture(scope="module")
def base() -> tuple[ParFile, bytes]:
    file = file_of("maryland-2014", bet="base")
    return file, par_file_pdf(file)


def test_the_paper_of_the_base_game(base: tuple[ParFile, bytes]) -> None:
    text = words_of(base[1])
    assert "House edge, of the ante 4.9149 % 53223/1082900" in text
    assert "Average wager, ties bet 3.5898 antes 74757/20825" in text
    assert "Element of risk, ties bet 1.3691 % 17741/1295788" in text
    assert "Element of risk, ties fold 1.4109 % 17741/1257452" in text
    assert "3rd Street 31.0709 % 63.0468 % 0.0000 % 5.8824 %" in text
    assert f"All rounds 2,598,960 1.0000000000 1.0000000000 {returned(Fraction(-53223, 1082900))}" \
        in text  # fmt: skip
    assert "Folded – – 0.4359983994 −0.60985009" in text
    assert "The first two cards" in text


@pytest.mark.slow
def test_the_paper_of_the_game_against_the_dealer() -> None:
    solved = solve_against_dealer(set_up(load("island-stud").book, {}), 100)
    figures, returns = solved.figures, returns_by_hand(solved)
    assert sum(returns.values()) - figures.folds["bet"] == figures.value
    for found, hand in zip(figures.hands, reversed(FiveCardHand), strict=True):
        won = 2 if hand <= FiveCardHand.PAIR else 3
        assert returns[hand] == won * found.wins - 3 * found.loses
    text = words_of(par_file_pdf(file_of("island-stud", bet="base")))
    assert f"House edge, of the ante 1.9493 % {figures.house_edge}" in text
    assert f"{decimal(figures.element_of_risk * 100, 4)} % {figures.element_of_risk}" in text
    pair = figures.hands[-2]
    assert f"Pair 1,098,240 {chance(pair.probability)} {chance(pair.bet)}" in text


# ---------------------------------------------------------------- progressives


@pytest.mark.parametrize("wager", ["1", "5"])
def test_the_paper_of_a_progressive(wager: str) -> None:
    book = load("maryland-2014").book
    cents = int(wager) * 100
    found = progressive_figures(progressive_setup(book, "MD-2014-PROG", wager_cents=cents))
    text = words_of(par_file_pdf(file_of("maryland-2014", bet="progressive", wager=wager)))
    edge, long_run = found.house_edge, found.long_run_house_edge
    assert found.break_even_cents is not None
    assert f"House edge at the seed, $10,000.00 {decimal(edge * 100, 4)} % {edge}" in text
    assert f"House edge in the long run {decimal(long_run * 100, 4)} % {long_run}" in text
    assert f"Break-even meter {money(found.break_even_cents)}" in text
    assert f"Wager {money(cents)}" in text
    assert "Mean full award $" in text
    assert "Rate of progression" in text
    top = found.lines[0]
    assert f"100% of meter 4 {chance(top.probability)} {returned(top.returns)}" in text


def test_every_progressive_schedule_has_a_sheet() -> None:
    for name in rulebook_ids():
        rule = load(name).book.progressive
        if rule is None:
            continue
        wanted = [(s.paytable, int(s.wager)) for s in rule.schedules]
        sheets = file_of(name, bet="progressive").sheets
        assert [(sheet.paytable, sheet.wager_cents) for sheet in sheets] == wanted


# ---------------------------------------------------------------- the file


@pytest.fixture(scope="module")
def whole() -> tuple[ParFile, bytes]:
    file = file_of("house-demo")
    return file, par_file_pdf(file)


def test_all_bets_of_a_rulebook_in_one_file_with_their_pages(whole: tuple[ParFile, bytes]) -> None:
    file, pdf = whole
    pages = pages_of(pdf)
    rows = [line.split() for line in pages[0].splitlines()]
    side_bets = [offer.bet for offer in load("house-demo").book.side_bets]
    assert [sheet.bet for sheet in file.sheets] == ["base", *side_bets]
    for sheet in file.sheets:
        number = next(row[-1] for row in rows if sheet.paytable in row)
        page = " ".join(pages[int(number) - 1].split())
        assert f"{sheet.label}: {sheet.paytable} house-demo, revision 1" in page


def test_no_table_is_torn_apart(whole: tuple[ParFile, bytes], base: tuple[ParFile, bytes]) -> None:
    for file, pdf in (whole, base):
        pages = [" ".join(page.split()) for page in pages_of(pdf)]
        for grid in (grid for sheet in file.sheets for grid in (*sheet.grids, *sheet.more)):
            ends = [said(row) for row in (grid.head, *grid.rows, grid.total) if row]
            assert any(all(row in page for row in ends) for page in pages), grid.title
        assert all(f"Page {n} of {len(pages)}" in page for n, page in enumerate(pages, start=1))


def said(row: tuple[str, ...]) -> str:
    """A row's first cells, which are never broken into lines."""
    return " ".join(cell for cell in row[:3] if cell)


def test_equal_sheets_are_equal_bytes_on_either_paper() -> None:
    asked = {"paytable": "HD-3CB"}
    file = file_of("house-demo", **asked)
    letter, a4 = par_file_pdf(file), par_file_pdf(file, "a4")
    assert letter == par_file_pdf(file_of("house-demo", **asked))
    assert (sizes_of(letter), sizes_of(a4)) == ({(612, 792)}, {(595, 842)})
    assert metadata_of(letter)["Title"] == "Three Card Bonus: HD-3CB"


def test_figures_are_said_as_people_read_them() -> None:
    assert chance_figure("x", Fraction(0)).shown == "never"
    assert chance_figure("x", Fraction(1, 649_740)).shown == "1 in 649,740"
    assert chance_figure("x", Fraction(1, 5)).shown == "20.0000 %, 1 in 5"
    assert chance_figure("x", Fraction(4, 5)).shown == "80.0000 %"
    assert plainly(Fraction(4000), 4) == "4,000"
    assert plainly(Fraction(1, 3), 4) == "0.3333"


# ---------------------------------------------------------------- the command


def test_the_command_writes_a_sheet_and_keeps_an_old_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "sheet.pdf"
    asked = ["document", "par-sheet", "maryland-2014", "--paytable", "MD-2014-3CB-A"]
    assert run([*asked, "--output", str(target)]) == 0
    assert "par-sheet, 1 pages" in capsys.readouterr().out
    assert "128/5525" in words_of(target.read_bytes())
    assert run([*asked, "--output", str(target)]) == 2
    assert "is there already" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("par-sheet",), "name a rulebook and an --output file"),
        (("par-sheet", "nowhere", "--output", "{new}"), "no rulebook 'nowhere'"),
        (("par-sheet", "house-demo", "--bet", "bonus", "--output", "{new}"), "house-demo has base"),
        (("par-sheet", "house-demo", "--paytable", "IS-01", "--output", "{new}"), "island-stud"),
        (("par-sheet", "house-demo", "--bet", "progressive", "--wager", "3", "--output", "{new}"),
         "no sheet for progressive"),
        (("day-report", "house-demo", "--output", "{new}"), "only par-sheet has it"),
    ],
)  # fmt: skip
def test_what_cannot_be_printed_is_one_line(
    arguments: tuple[str, ...], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "new.pdf"
    assert run(["document", *(part.format(new=target) for part in arguments)]) == 2
    assert said in capsys.readouterr().err
    assert not target.exists()


# ---------------------------------------------------------------- a house's own rulebook


def test_the_papers_of_a_house_s_own_streets_and_of_a_bonus_that_a_fold_forfeits() -> None:
    book = own_house(
        "maryland-2014", *PUSH_FROM_FIVES, *OTHER_ODDS, *ONE_TO_FIVE, forfeits("three_card_bonus")
    )
    loaded = Loaded(book, "", "0" * 64, "own.toml")
    (bonus,) = par_file_of(loaded, read_question(book, paytable="MD-2014-3CB-A")).sheets
    found = side_bet_figures(book, "three_card_bonus", "MD-2014-3CB-A")
    assert bonus.house_edge == found.house_edge > Fraction(3, 10)
    assert column(bonus.grids[0], "Live and dealt")[-1] == chance(found.lines[-1].probability)
    assert bonus.grids[0].rows[-1][:2] == ("Folded", "lose")
    assert bonus.grids[0].total[-2] == returned(found.ev)
    assert any("a fold loses this bet" in said for said in bonus.assumptions)
    file = par_file_of(loaded, read_question(book, bet="base"))
    text = words_of(par_file_pdf(file))
    assert f"House edge, of the ante {decimal(file.sheets[0].house_edge * 100, 4)} %" in text
    assert "Street Fold 1x 2x 3x 4x 5x Folded before" in text
    assert "Always 5x" in text
    assert "1,000 to 2" in text
