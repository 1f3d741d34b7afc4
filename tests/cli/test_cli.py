"""The command line as people and scripts meet it: words, JSON, exit status, no traceback."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from riverboat.rulebooks import load, rulebook_ids
from riverboat.web.server.serving import Address
from tests.support.answers import calling
from tests.support.places import ROOT


@pytest.fixture
def riverboat(capsys: pytest.CaptureFixture[str]) -> Any:
    return calling(capsys)


def test_the_first_page_lists_the_rulebooks_and_what_to_try(riverboat: Any) -> None:
    answer = riverboat("welcome")
    assert answer.status == 0
    assert all(name in answer.out for name in rulebook_ids())
    assert "What to try next" in answer.out
    assert riverboat("--json").json == riverboat("welcome", "--json").json


def test_without_arguments_the_floor_is_served(
    riverboat: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[Address] = []
    monkeypatch.setattr("riverboat.web.server.serving.serve", served.append)
    assert riverboat().status == 0
    assert [(one.host, one.port, one.demo) for one in served] == [("127.0.0.1", 8610, False)]


def test_rulebooks_are_listed_with_game_status_side_bets_and_pay_tables(riverboat: Any) -> None:
    books = {book["id"]: book for book in riverboat("rulebooks", "--json").json["rulebooks"]}
    assert set(books) == set(rulebook_ids())
    maryland = books["maryland-2014"]
    assert maryland["game"] == "mississippi_stud"
    assert maryland["status"] == "draft"
    assert maryland["side_bets"] == ["three_card_bonus", "six_card_bonus", "progressive"]
    assert {"MD-2014-BASE", "MD-2014-3CB-E", "MD-2014-6CB-OLD-C"} <= set(maryland["paytables"])
    assert "MD-2014-6CB-OLD-C" in maryland["struck"]
    assert books["island-stud"]["game"] == "island_stud"
    assert books["island-stud"]["paytables"][0] == "IS-BASE"


@pytest.mark.parametrize("name", rulebook_ids())
def test_show_prints_status_rules_pay_tables_and_every_clause(riverboat: Any, name: str) -> None:
    book = load(name).book
    page = riverboat("rulebook", "show", name)
    assert page.status == 0
    assert f"Status              {book.status}" in page.out
    assert (book.status == "in force") or any(
        word in page.out for word in ("DRAFT.", "SUPERSEDED.", "VENDOR'S RULES.", "HOUSE'S RULES.")
    )
    assert all(len(line) <= 110 for line in page.out.splitlines())
    whole = riverboat("rulebook", "show", name, "--json").json
    assert [clause["id"] for clause in whole["clauses"]] == list(book.clauses)
    assert all(clause["rules"] or clause["informative"] for clause in whole["clauses"])


def test_a_draft_says_that_it_is_not_law(riverboat: Any) -> None:
    for command in (["rulebook", "show", "maryland-2014"],
                    ["rulebook", "diff", "house-demo", "maryland-2014"]):  # fmt: skip
        assert (
            "DRAFT. This text was proposed, not adopted: it is not law." in riverboat(*command).out
        )


DOCUMENT = "One line.\nThe rule. An ante may be bet. A second sentence.\n"


@pytest.fixture
def with_document(tmp_path: Path) -> tuple[str, str]:
    """A rulebook made from a document that is at hand."""
    document = tmp_path / "document.txt"
    document.write_text(DOCUMENT, "utf-8")
    sha256 = hashlib.sha256(DOCUMENT.encode()).hexdigest()
    text = load("house-demo").text
    text = text.replace('cites = ["HD.1.1"]', f'sha256 = "{sha256}"\ncites = ["HD.1.1"]', 1)
    text = text.replace('"HD.2.1" = { number = "2.1",',
                        '"HD.2.1" = { number = "2.1", lines = [2, 2], sentence = 2,')  # fmt: skip
    book = tmp_path / "book.toml"
    book.write_text(text, "utf-8")
    return str(book), str(document)


def test_show_puts_the_documents_own_sentence_beside(
    riverboat: Any, with_document: tuple[str, str]
) -> None:
    book, document = with_document
    whole = riverboat("rulebook", "show", book, "--source", document, "--json").json
    own = {clause["id"]: clause["source"] for clause in whole["clauses"]}
    assert own["HD.2.1"] == "An ante may be bet. [line 2]"
    assert "An ante may be bet." in riverboat("rulebook", "show", book, "--source", document).out


def test_another_document_is_refused(riverboat: Any, with_document: tuple[str, str]) -> None:
    book, document = with_document
    Path(document).write_text("Something else.\n", "utf-8")
    refused = riverboat("rulebook", "show", book, "--source", document)
    assert refused.status == 2
    assert "its sha256 is" in refused.err
    assert refused.out == ""
    missing = riverboat("rulebook", "show", book, "--source", "nowhere.txt")
    assert (missing.status, missing.err) == (2, "--source nowhere.txt: No such file or directory\n")


EXPECTED_DIFFERENCES = [
    ("options.maximum.default", "$25", "SD-3CB.2-2", "none", "C-09"),
    ("fold.side_bets.progressive.after_fold", "live", "SD-3CB.7-5", "forfeited", "MD-2014.11.H.1"),
    ("irregularities.exposed_community_card.consequence", "continue", "SD-3CB.5-3",
     "void", "MD-2014.13.E"),
    ("settlement.spots.order", "third, fourth, fifth, ante, three card bonus", "SD-3CB.6-1",
     "ante, third, fourth, fifth, progressive, three card bonus, six card bonus",
     "MD-2014.11.I.3"),
    ("aggregate_limit.limit", "none", "C-06", "$50,000", "MD-2014.12.B.1"),
]  # fmt: skip


@pytest.mark.parametrize("expected", EXPECTED_DIFFERENCES, ids=lambda expected: expected[0])
def test_diff_shows_both_sides_with_their_clauses(
    riverboat: Any, expected: tuple[str, ...]
) -> None:
    what, says, cites, other_says, other_cites = expected
    report = riverboat("rulebook", "diff", "south-dakota-3cb", "maryland-2014", "--json").json
    found = {difference["what"]: difference for difference in report["differences"]}[what]
    assert found["one"]["says"] == says
    assert cites in found["one"]["cites"]
    assert found["other"]["says"] == other_says
    assert other_cites in found["other"]["cites"]


def test_every_side_that_says_something_cites_something(riverboat: Any) -> None:
    for other in rulebook_ids():
        report = riverboat("rulebook", "diff", "south-dakota-3cb", other, "--json").json
        for difference in report["differences"]:
            for side in (difference["one"], difference["other"]):
                assert side["cites"] or side["says"].startswith("no "), difference


def test_a_rulebook_does_not_differ_from_itself(riverboat: Any) -> None:
    for name in rulebook_ids():
        assert riverboat("rulebook", "diff", name, name, "--json").json["differences"] == []


def test_three_card_tables_are_matched_by_what_they_pay_not_by_letter(riverboat: Any) -> None:
    report = riverboat("rulebook", "diff", "iowa-catfish-bend", "maryland-2014", "--json").json
    found = {d["what"]: d for d in report["differences"]}["paytables.three_card_bonus"]
    assert found["one"]["says"] == "IA-CB-3CB (= MD-2014-3CB-E)"


def test_coverage_accounts_for_all_837_clauses(riverboat: Any) -> None:
    answer = riverboat("coverage", "--json")
    report = answer.json
    assert answer.status == 0
    assert (report["missing"], report["unknown"]) == ([], [])
    assert report["counts"]["clauses"] == len({c["id"] for c in report["clauses"]}) == 837
    assert all(clause["rules"] or clause["informative"] for clause in report["clauses"])
    assert all(clause["id"].startswith(("CD.", "HD.")) for clause in report["house"])
    assert "837 accounted for, 0 missing, 0 unknown" in riverboat("coverage").out


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "clauses"), [("engine", 465), ("table_procedure", 138), ("config_validation", 58)]
)
def test_every_clause_of_a_part_that_is_built_is_played(
    riverboat: Any, part: str, clauses: int
) -> None:
    found = {entry["by"]: entry for entry in riverboat("coverage", "--json").json["parts"]}[part]
    assert (found["clauses"], found["played"], found["not_played"]) == (clauses, clauses, [])


def test_every_command_of_the_contract_is_built(riverboat: Any) -> None:
    commands = (
        "rulebooks rulebook settle check odds advise simulate published coverage serve play verify "
        "replay document"
    )
    told = riverboat("--help").out
    assert all(f" {name} " in told for name in commands.split())
    assert "ot built yet" not in told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nonsense"], "'nonsense' is not understood here"),
        (["rulebook", "show"], "RULEBOOK requires"),
        (["rulebook", "show", "nowhere"], "there is no rulebook 'nowhere'"),
        (["rulebook", "show", "nowhere.toml"], "nowhere.toml: file: No such file"),
        (["rulebook", "diff", "house-demo"], "OTHER requires"),
        (["rulebook", "check"], "name at least one"),
        (["rulebook", "show", "house-demo", "--colour"], "--colour"),
        (["coverage", "--tests", "nowhere"], "no facts or rules are there"),
        (["rulebook", "new", "x"], "--from"),
        (["rulebook", "new", "Bad Name", "--from", "house-demo"], "is no name for a rulebook"),
    ],
)
def test_bad_input_gets_a_line_and_exit_2(riverboat: Any, arguments: list[str], says: str) -> None:
    answer = riverboat(*arguments)
    assert (answer.status, answer.out) == (2, "")
    assert says in answer.err
    assert "Traceback" not in answer.err


NOT_UTF_8 = "a\udcffb"


@pytest.mark.parametrize(
    "arguments",
    [
        [NOT_UTF_8],
        ["replay", "1", "--database", "floor.db", "--table", NOT_UTF_8],
        ["dispute", "show", "1", "--database", "floor.db", "--table", NOT_UTF_8],
        ["dispute", "note", "1", "--database", "floor.db", "--words", NOT_UTF_8],
        ["serve", "--host", NOT_UTF_8],
        ["serve", "--secret", NOT_UTF_8, "--database", NOT_UTF_8],
        ["odds", NOT_UTF_8],
    ],
)
def test_an_argument_that_is_not_utf_8_is_refused_before_anything_else(
    riverboat: Any, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    answer = riverboat(*arguments)
    number = arguments.index(NOT_UTF_8) + 1
    says = f"argument {number}, 'a\\udcffb', is not UTF-8; write whole characters"
    assert (answer.status, answer.out, answer.err) == (2, "", f"riverboat: {says}\n")
    assert not list(tmp_path.iterdir())


def shell(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A command as a person types it, with the riverboat of this checkout as `$R`."""
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ
        | {"PYTHONPATH": str(ROOT), "R": f"{sys.executable} -m riverboat"}
        | environment,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    ["$R rulebook show maryland-2014 --json", "$R coverage", "$R rulebook show house-demo"],
)
def test_a_reader_who_stops_early_is_no_error(command: str) -> None:
    done = shell(f"{command} | head -1")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"COLUMNS": "0"}, {"TERM": "dumb"}]
)
def test_a_poor_terminal_gets_a_poor_page_and_no_traceback(environment: dict[str, str]) -> None:
    for command in ("$R welcome", "$R --help", "$R rulebook diff house-demo island-stud"):
        done = shell(command, **environment)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout


@pytest.mark.slow
def test_output_that_cannot_be_written_is_said_and_not_a_traceback() -> None:
    full = shell("$R rulebooks --json > /dev/full")
    assert (full.returncode, full.stderr) == (2, "riverboat: No space left on device\n")
    assert shell("$R rulebooks --json >&-").returncode == 0


@pytest.mark.slow
def test_a_rulebook_can_come_through_a_pipe() -> None:
    good = shell("cat riverboat/rulebooks/house-demo.toml | $R rulebook check /dev/stdin")
    assert (good.returncode, good.stderr) == (0, "")


def test_the_dialogue_ends_without_an_answer_and_writes_nothing(
    riverboat: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_answer(question: str) -> str:
        raise EOFError

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", no_answer)
    answer = riverboat("rulebook", "new", "mine", "--from", "house-demo")
    assert (answer.status, answer.err) == (2, "\nriverboat: no answer; nothing was written\n")
    assert not list(tmp_path.iterdir())


def test_one_bad_file_among_good_ones_is_exit_2(riverboat: Any, tmp_path: Path) -> None:
    good = str(ROOT / "riverboat" / "rulebooks" / "house-demo.toml")
    answer = riverboat("rulebook", "check", good, str(tmp_path / "none.toml"), "--json")
    assert answer.status == 2
    assert [file["usable"] for file in answer.json["files"]] == [True, False]


def test_the_hash_is_that_of_the_file(riverboat: Any, tmp_path: Path) -> None:
    file = tmp_path / "crlf.toml"
    content = b"\xef\xbb\xbf" + load("house-demo").text.replace("\n", "\r\n").encode()
    file.write_bytes(content)
    whole = riverboat("rulebook", "show", str(file), "--json").json
    assert whole["sha256"] == hashlib.sha256(content).hexdigest()


def test_diff_says_what_island_stud_pays(riverboat: Any) -> None:
    report = riverboat("rulebook", "diff", "south-dakota-2011", "island-stud", "--json").json
    found = {d["what"]: d for d in report["differences"]}
    assert "player wins" in found["paytables.base"]["other"]["says"]
    assert found["game"]["one"]["says"] == "mississippi stud"
    assert report["status"] == {"one": "superseded", "other": "vendor's"}
    assert not [what for what in found if what.startswith("progressive.schedules")]
    assert "fold.side_bets.progressive.after_fold" not in found


@pytest.mark.slow
def test_diff_leaves_no_side_blank(riverboat: Any) -> None:
    for one in rulebook_ids():
        for other in rulebook_ids():
            report = riverboat("rulebook", "diff", one, other, "--json").json
            for d in report["differences"]:
                assert d["one"]["says"].strip(), d
                assert d["other"]["says"].strip(), d


def test_the_same_letters_for_other_tables_are_said(riverboat: Any) -> None:
    report = riverboat("rulebook", "diff", "south-dakota-3cb", "maryland-2014", "--json").json
    found = {d["what"]: d for d in report["differences"]}["paytables.three_card_bonus"]
    assert "SD-3CB-3CB-C (= MD-2014-3CB-E)" in found["one"]["says"]


@pytest.mark.slow
def test_coverage_is_not_true_when_a_clause_is_missing(
    riverboat: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from riverboat.rulebooks import clause_rows
    from riverboat.scripts import checking as module

    rows = list(clause_rows())
    monkeypatch.setattr(module, "clause_rows", lambda: [*rows, rows[0]._replace(id="MD-2014.99")])
    answer = riverboat("coverage", "--json")
    assert (answer.status, answer.json["missing"]) == (1, ["MD-2014.99"])
    monkeypatch.setattr(module, "clause_rows", lambda: rows[1:])
    answer = riverboat("coverage", "--json")
    assert (answer.status, answer.json["unknown"]) == (1, [rows[0].id])
    assert "Not every clause is accounted for." in riverboat("coverage").out
