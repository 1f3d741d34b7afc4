"""Every way to break a rulebook file is refused with file, place and what would be right.

Here are the ways that any file can be broken, through the command; what the parts of a rulebook
must be to each other is in `test_broken_parts.py`.
"""

from pathlib import Path
from typing import NamedTuple

import pytest

from riverboat.cli import run
from riverboat.core.errors import RulebookError
from riverboat.rulebook import parse_rulebook
from tests.rulebook.loading.breaking import HD, IA, IS, MD, problems_of, shipped

GOOD = shipped(HD)


class Break(NamedTuple):
    """One edit that breaks the demo house's rulebook, and what the refusal must say."""

    way: str
    was: str
    becomes: str
    where: str
    says: str


BREAKS = [
    Break("no TOML", "[ante]", "[ante", "TOML", "at line"),
    Break("key twice", "decks = 1\n", "decks = 1\ndecks = 1\n", "TOML", "Cannot overwrite a value"),
    Break(
        "unknown key",
        'label = "Ante"\nrequired',
        'lable = "Ante"\nrequired',
        "ante",
        "unknown key 'lable'; did you mean 'label'?",
    ),
    Break(
        "missing key", "burn_cards = 0\n", "", "deal", "missing key 'burn_cards'; a whole number"
    ),
    Break("missing section", "[void]", "[voids]", "void", "missing key 'void'; a table is right"),
    Break(
        "wrong type",
        "seat_cards = 2",
        'seat_cards = "2"',
        "deal.seat_cards",
        "is text ('2'); a whole number is right",
    ),
    Break(
        "a float", "from_odds = 100", "from_odds = 100.0", "aggregate_limit.from_odds", "decimal"
    ),
    Break(
        "money as a number",
        'limit = "100000"',
        "limit = 100000",
        "aggregate_limit.limit",
        "is a whole number (100000); text in quotes is right",
    ),
    Break("unreadable money", '"100000"', '"$100,000"', "aggregate_limit.limit", "is no amount"),
    Break(
        "unreadable payout",
        'pays = "5 to 1"',
        'pays = "5 zu 1"',
        "paytables.HD-BASE",
        "is no payout",
    ),
    Break(
        "payout that is not the printed one",
        'pays = "5 to 1"',
        'pays = "6 to 1"',
        "paytables.HD-BASE",
        "prints '5 to 1' and pays 6 to 1; if that is meant, say suspect = true",
    ),
    Break("unreadable rate", 'rate = "24"', 'rate = "24%"', "progressive.schedules", "'24%'"),
    Break("cites nothing", 'cites = ["HD.3.2"]', "cites = []", "cut.cites", "cites nothing"),
    Break(
        "citation that no list has",
        'cites = ["HD.3.2"]',
        'cites = ["HD.3.2", "HD.9.9"]',
        "cut.cites",
        "'HD.9.9' is in neither [clauses] nor [ambiguities]",
    ),
    Break(
        "clause that nobody cites",
        '"HD.7.6" = {',
        '"HD.9.9" = { number = "9.9", by = "engine", text = "Nobody cites this." }\n"HD.7.6" = {',
        "clauses.HD.9.9",
        "no rule cites this clause",
    ),
    Break(
        "clause both cited and informative",
        "[informative]\n",
        '[informative]\n"HD.3.2" = "nothing to do"\n',
        "informative.HD.3.2",
        "but cut carries it out",
    ),
    Break(
        "hand that matches no line",
        'ranks = "JQKA"',
        'ranks = "QKA"',
        "paytables.HD-BASE",
        "pair of J matches no lines; exactly one is right",
    ),
    Break(
        "hand that matches two lines",
        'ranks = "6789T"',
        'ranks = "6789TJ"',
        "paytables.HD-BASE",
        "pair of J matches 2 lines",
    ),
    Break(
        "procedure that does not exist",
        'when = "at_once"',
        'when = "tomorrow"',
        "fold.collection.when",
        "'tomorrow' is not allowed; allowed are at_once, together_in_fold_order",
    ),
    Break(
        "option value that is not allowed",
        'default = "block"',
        'default = "shrug"',
        "options.chip_mismatch.default",
        "'shrug' is not allowed; allowed are block, warn",
    ),
    Break(
        "option value outside its bounds",
        "default = 7\n",
        "default = 8\n",
        "options.seats.default",
        "8 is not allowed; 1 to 7 is",
    ),
    Break(
        "option missing", "[options.seats]", "[options.chairs]", "options.chairs", "no such option"
    ),
    Break(
        "option of another kind",
        '[options.breakage]\nkind = "choice"',
        '[options.breakage]\nkind = "toggle"',
        "options.breakage.kind",
        "'toggle' is not allowed; allowed are choice, flag",
    ),
    Break(
        "side bet without its pay table",
        'paytables = ["HD-3CB"]',
        'paytables = ["HD-3CC"]',
        "side_bets.three_card_bonus.paytables",
        "there is no pay table 'HD-3CC'",
    ),
    Break(
        "struck table on offer",
        'bet = "three_card_bonus"\nhand = "three"\nstatus = "final"',
        'bet = "three_card_bonus"\nhand = "three"\nstatus = "struck"',
        "side_bets.three_card_bonus.paytables",
        "'HD-3CB' is struck: it is kept for analysis only",
    ),
    Break("envy of another wager", 'per_wager = "2"', 'per_wager = "3"', "progressive", "$3"),
    Break(
        "fold that forgets a bet",
        'forfeits = ["ante", "third", "fourth"]',
        'forfeits = ["ante", "fourth"]',
        "decisions.fifth.fold.forfeits",
        "ante, third, fourth lie on the table",
    ),
    Break(
        "settlement that forgets a spot",
        'order = ["ante", "third", "fourth", "fifth",',
        'order = ["ante", "third", "fourth",',
        "settlement.spots.order",
        "must name each of ante, fifth, fourth, ",
    ),
    Break(
        "two default deals",
        'method = "rotation"\n',
        'method = "rotation"\ndefault = true\n',
        "dealing",
        "2 methods are the default",
    ),
    Break(
        "bad id",
        'id = "house-demo"',
        'id = "House Demo"',
        "id",
        "'House Demo' is not right here; small letters",
    ),
    Break(
        "no such status", 'status = "house\'s"', 'status = "law"', "status", "'law' is not allowed"
    ),
    Break("no game's name", 'game = "mississippi_stud"', 'game = "Faro!"', "game", "'Faro!'"),
]


@pytest.mark.parametrize("broken", BREAKS, ids=lambda broken: broken.way)
def test_a_broken_file_gives_exit_2_and_a_clear_line(
    broken: Break, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert broken.was in GOOD
    file = tmp_path / "broken.toml"
    file.write_text(GOOD.replace(broken.was, broken.becomes, 1), "utf-8")
    status = run(["rulebook", "check", str(file)])
    printed = capsys.readouterr()
    assert status == 2
    assert printed.out == ""
    lines = printed.err.splitlines()
    assert any(
        line.startswith(str(file)) and f" {broken.where}" in line and broken.says in line
        for line in lines
    ), printed.err


@pytest.mark.parametrize("book", [HD, IA, IS, MD])
def test_an_unedited_file_is_not_refused(book: str) -> None:
    assert problems_of(shipped(book)) == ()


def test_there_are_at_least_twenty_ways() -> None:
    assert len({broken.way for broken in BREAKS}) == len(BREAKS) >= 20


def test_a_message_names_the_line(tmp_path: Path) -> None:
    text = GOOD.replace('default = "block"', 'default = "shrug"')
    with pytest.raises(RulebookError) as refused:
        parse_rulebook(text, path="house.toml")
    (problem,) = refused.value.problems
    line = next(n for n, line in enumerate(text.split("\n"), 1) if line == 'default = "shrug"')
    assert problem.path == f"house.toml:{line}"


def test_every_problem_is_named_not_just_the_first() -> None:
    text = GOOD.replace("burn_cards = 0\n", "").replace("decks = 1\n", 'decks = "one"\n')
    with pytest.raises(RulebookError) as refused:
        parse_rulebook(text, path="house.toml")
    assert {problem.where for problem in refused.value.problems} == {"deal", "cards.decks"}


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b""], ids=["not text", "empty"])
def test_a_file_that_is_no_text_is_refused(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file.toml"
    file.write_bytes(content)
    assert run(["rulebook", "check", str(file)]) == 2
    assert capsys.readouterr().err.startswith(str(file))


def test_a_file_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulebook", "check", "nowhere.toml"]) == 2
    assert capsys.readouterr().err == "nowhere.toml: file: No such file or directory\n"
