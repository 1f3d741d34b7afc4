"""Scripted days as pit logs: every line true, with its clause or the word that there is none."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import stages_of
from riverboat.rulebooks import load, rulebook_ids
from riverboat.scripts.day_file import read_days
from riverboat.scripts.day_library import (
    Played,
    Summary,
    day_ids,
    every_bet,
    fullest_day,
    play_days,
    prompted_day,
    summarize,
)
from riverboat.scripts.day_runner import DayRunner
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.wording.clauses import in_brackets
from riverboat.wording.pit_log import LogLine, pit_log
from riverboat.wording.round_events import ROUND_WORDS
from riverboat.wording.table_events import TABLE_WORDS
from tests.support.answers import calling
from tests.support.places import ROOT, TESTS

MARYLAND = "maryland-2014"
SCRIPTS = ROOT / "riverboat" / "scripts" / "days"
DAYS = sorted((TESTS / "days").rglob("*.toml"))
NET = re.compile(r"(?:net ([+-]?)\$([\d,]+)(?:\.(\d\d))?|even)$")


@pytest.fixture
def riverboat(capsys: pytest.CaptureFixture[str]) -> Any:
    return calling(capsys)


@cache
def played(name: str) -> Played:
    return next(iter(play_days(name)))


def log_of(name: str, *, verbose: bool = False) -> list[LogLine]:
    runner = played(name).runner
    return list(pit_log(runner.happened, runner.tried, verbose=verbose))


def summary_of(name: str) -> Summary:
    runner = played(name).runner
    return summarize(runner.happened, runner.day)


def net_cents(line: LogLine) -> int | None:
    """What a seat's line says that it won or lost."""
    found = NET.search(line.what)
    if found is None:
        return None
    sign, dollars, cents = found.groups()
    if dollars is None:
        return 0
    amount = int(dollars.replace(",", "")) * 100 + int(cents or 0)
    return -amount if sign == "-" else amount


def test_every_kind_of_event_has_words() -> None:
    kinds = {*get_args(e.DayEvent), *get_args(r.AnyEvent)}
    assert kinds == {*TABLE_WORDS, *ROUND_WORDS}


def test_every_rulebook_comes_with_a_day_and_maryland_s_is_the_fullest() -> None:
    assert day_ids() == rulebook_ids()
    assert fullest_day() == MARYLAND


@pytest.mark.parametrize("name", day_ids())
def test_a_scripted_day_comes_out_as_it_is_written_and_is_closed(name: str) -> None:
    runner, summary = played(name).runner, summary_of(name)
    assert runner.failed == []
    assert summary.closed
    assert summary.agrees
    assert summary.unresolved == ()
    assert summary.rounds_started == summary.rounds_played + summary.rounds_void


@pytest.mark.parametrize("name", day_ids())
def test_the_nets_of_the_log_come_to_what_tray_and_cage_have_lost(name: str) -> None:
    summary = summary_of(name)
    nets = [net for line in log_of(name) if (net := net_cents(line)) is not None]
    corrected = 20_00 if name == "south-dakota-3cb" else 0
    tipped = 2_00 if name == "south-dakota-3cb" else 0
    lost = summary.paid_off_tray_cents - summary.win_by_rounds_cents
    assert sum(nets) + corrected + tipped == lost


@pytest.mark.parametrize("verbose", [False, True])
@pytest.mark.parametrize("name", day_ids())
def test_clauses_are_the_rulebook_s_and_time_only_goes_on(name: str, *, verbose: bool) -> None:
    book, lines = load(name).book, log_of(name, verbose=verbose)
    assert [line.at for line in lines] == sorted(line.at for line in lines)
    for line in lines:
        assert line.what
        assert all(cite in book.clauses or cite in book.ambiguities for cite in line.cites), line


def test_every_event_of_every_tested_day_can_be_told_with_known_clauses() -> None:
    told = 0
    for script in _scripts():
        runner = DayRunner(script, {i: (load(i).book, load(i).sha256) for i in rulebook_ids()})
        runner.run()
        book = runner.book
        for verbose in (False, True):
            for line in pit_log(runner.happened, runner.tried, verbose=verbose):
                known = {*book.clauses, *book.ambiguities}
                assert set(line.cites) <= known, (script.title, line)
                told += 1
    assert told > 5_000


def _scripts() -> Iterator[Any]:
    for file in DAYS:
        for _, script in read_days(file.read_text("utf-8")):
            if not isinstance(script, str):
                yield script


HOUSE_PROCEDURES = (
    *("Gaming day", "Table designated", "Table closed", "Dana deals", "Drew deals", "Seat "),
    *("Fill of", "Credit of", "Drop box", "PLAY INTERRUPTED", "Flo signs", "REFUSED"),
)


def test_only_what_the_document_is_silent_about_is_house_procedure() -> None:
    silent = [line.what for line in log_of(MARYLAND) if not line.cites]
    assert {words for words in silent if not words.startswith(HOUSE_PROCEDURES)} == set()
    assert all("buys in" in words for words in silent if words.startswith("Seat "))


@pytest.mark.parametrize(
    ("words", "clause"),
    [
        ("Inspection of the red deck verified", "MD-2014.04.A-2"),
        ("Red deck spread face up", "MD-2014.04.B-1"),
        ("Ann looks at the blue deck", "MD-2014.04.B-2"),
        ("Red deck turned face down, washed and stacked", "MD-2014.04.C.2"),
        ("REFUSED (load red): the red deck was used last", "MD-2014.03.B.4"),
        ("“No more bets” announced", "MD-2014.09.A.3.a"),
        ("SHUFFLER JAMMED on the red deck", "MD-2014.13.F"),
        ("Stub counted face down on the layout: 43, 52 cards in the deck; right", "MD-2014.09.C.1"),
        ("MORE THAN ONE CARD FACE UP IN THE DECK, Qc", "MD-2014.13.B"),
        ("WRONG NUMBER OF CARDS DEALT, seat 3", "MD-2014.13.D"),
        ("51 CARDS IN THE DECK", "MD-2014.09.G"),
        ("No gaming activity: discard rack emptied", "MD-2014.05.G.1"),
        ("NOTICE to the floor: red deck: change in 20 minutes", "MD-2014.03.C.1"),
        ("REFUSED (start): the red deck has been in use for 4 hours", "MD-2014.03.C.1"),
        ("Red deck taken away: 4 hours in use", "MD-2014.03.C.1"),
    ],
)
def test_the_maryland_day_has_this_line_with_this_clause(words: str, clause: str) -> None:
    found = [line for line in log_of(MARYLAND) if line.what.startswith(words)]
    assert len(found) >= 1
    assert all(clause in line.cites for line in found)


def test_clauses_on_shoes_are_not_named_where_cards_are_dealt_from_the_hand() -> None:
    cited = {cite for line in log_of(MARYLAND) for cite in line.cites}
    assert not [c for c in cited if c.startswith(("MD-2014.08.", "MD-2014.10."))]
    assert not {"MD-2014.03.C.2", "MD-2014.05.H"} & cited


CRIMPED = f"""
[[day]]
title = "a crimped deck"
rulebook = "{MARYLAND}"
begin = "open"
script = '''
Flo receive red
Dana inspect red two crimped aces
Flo remove red crimped
'''
"""


def test_a_defective_deck_leaves_by_the_clause_on_inspections(tmp_path: Path) -> None:
    file = tmp_path / "crimped.toml"
    file.write_text(CRIMPED, "utf-8")
    lines = {line.what: line.cites for line in log_of(str(file))}
    assert lines["Red deck inspected: two crimped aces; not to be used"] == ("MD-2014.04.A-1",)
    assert lines["Red deck taken away: crimped"] == ("MD-2014.04.A-1",)


def test_a_void_names_its_own_reason_and_no_other() -> None:
    lines = log_of(MARYLAND)
    start = next(n for n, line in enumerate(lines) if line.what.startswith("MORE THAN ONE CARD"))
    for line in lines[start : start + 5]:
        assert [c for c in line.cites if c.startswith("MD-2014.13.")] == ["MD-2014.13.B"], line


def test_a_fold_names_the_clauses_of_its_own_street() -> None:
    line = next(x for x in log_of(MARYLAND) if x.what.startswith("5th Street: seat 1 Ann folds"))
    assert "MD-2014.11.F.1.a" in line.cites
    assert not [c for c in line.cites if c.startswith(("MD-2014.11.B.2", "MD-2014.11.D"))]


def test_what_belongs_together_is_one_line() -> None:
    lines = [line.what for line in log_of(MARYLAND)]
    assert "Seat 1 Ann bets ante $10, three card bonus $5 and progressive payout $1" in lines
    seats = [words for words in lines if NET.search(words)]
    assert len(seats) == sum(len(seats_of(n)) for n in range(1, 16) if n not in (6, 7, 10))


def seats_of(number: int) -> dict[int, object]:
    """The seats of a round of the Maryland day."""
    after = [one.after for one in played(MARYLAND).runner.happened]
    state = [day.round for day in after if day.round_number == number and day.round is not None]
    return dict(state[-1].seats)


def test_the_verbose_log_has_every_event() -> None:
    runner = played(MARYLAND).runner
    lines = list(pit_log(runner.happened, runner.tried, verbose=True))
    events = sum(len(one.entry.events) for one in runner.happened)
    assert sum(line.kind == "done" for line in lines) == events
    assert sum(line.kind == "refused" for line in lines) == len(runner.tried) > 10


def test_what_a_program_does_at_a_demo_table_is_logged_as_automatic() -> None:
    people = {line.who for line in log_of("house-demo")}
    staff = {who for who in people if not who.endswith(", player") and who != "players"}
    assert staff == {
        *("automatic", "automatic dealer", "automatic floorperson", "automatic supervisor")
    }


TEST_TABLE = """
[[day]]
title = "a laboratory's table"
rulebook = "maryland-2014"
test = true
script = '''
play 1 1x
'''
"""


def test_every_line_of_a_test_table_says_test(tmp_path: Path, riverboat: Any) -> None:
    file = tmp_path / "lab.toml"
    file.write_text(TEST_TABLE, "utf-8")
    answer = riverboat("day", str(file), "--json")
    log = json.loads(answer.out)["days"][0]["log"]
    assert [line for line in log if not line["test"]] == [log[0]]
    page = riverboat("day", str(file)).out
    assert page.count("TEST ") == len(log) - 1
    assert "TEST: a table for a laboratory" in page


# ---------------------------------------------------------------- the command


def test_the_command_plays_the_maryland_day_and_says_what_it_came_to(riverboat: Any) -> None:
    answer = riverboat("day")
    assert answer.status == 0
    for words in (
        "15: 12 played, 3 void",
        "blue (wrong count in round 10); red (4 hours in use)",
        "$4,579 lost, the same",
        "[house procedure; the document is silent]",
    ):
        assert words in answer.out


def test_the_json_has_every_clause_in_full(riverboat: Any) -> None:
    day = json.loads(riverboat("day", MARYLAND, "--json").out)["days"][0]
    assert day["holds"] is True
    assert day["summary"]["win_by_tray"] == day["summary"]["win_by_rounds"] == "-4579.00"
    assert all(line["silent"] == (not line["cites"]) for line in day["log"])
    assert len(day["log"]) == len(log_of(MARYLAND))


def changed(tmp_path: Path, old: str, new: str) -> tuple[str, int]:
    """The Maryland day with one line otherwise, and that line's number."""
    text = (SCRIPTS / f"{MARYLAND}.toml").read_text("utf-8")
    assert text.count(old) == 1
    file = tmp_path / "changed.toml"
    file.write_text(text.replace(old, new), "utf-8")
    return str(file), text[: text.index(old)].count("\n") + 1


def test_a_tray_counted_wrong_is_not_true(tmp_path: Path, riverboat: Any) -> None:
    file, _ = changed(tmp_path, "Sue close-day 27921", "Sue close-day 27920")
    answer = riverboat("day", file)
    assert answer.status == 1
    assert "NOT THE SAME" in answer.out
    assert "the tray was $1 less than the entries have" in answer.out


def test_an_expectation_that_fails_is_shown_with_its_line_in_the_file(
    tmp_path: Path, riverboat: Any
) -> None:
    file, number = changed(tmp_path, "expect net 3 453.00", "expect net 3 454.00")
    answer = riverboat("day", file)
    assert answer.status == 1
    assert f"line {number}: expect net 3 454.00: it is 453.00" in re.sub(r"\s+", " ", answer.out)
    failed = json.loads(riverboat("day", file, "--json").out)["days"][0]["failed"]
    assert [one["line"] for one in failed] == [number]


def test_something_that_should_be_refused_and_is_not_is_shown(
    tmp_path: Path, riverboat: Any
) -> None:
    old, new = "refused person.same: Flo approve 1", "refused person.same: Sue approve 1"
    file, number = changed(tmp_path, old, new)
    answer = riverboat("day", file)
    assert answer.status == 1
    words = re.sub(r"\s+", " ", answer.out)
    assert f"line {number}: refused person.same: Sue approve 1: nothing was refused" in words


def test_the_example_in_the_manual_holds(tmp_path: Path, riverboat: Any) -> None:
    manual = (ROOT / "docs" / "table.md").read_text("utf-8")
    blocks = [text.partition("```")[0] for text in manual.split("```toml\n")]
    example = next(text for text in blocks if text.startswith("[[day]]"))
    file = tmp_path / "example.toml"
    file.write_text(example, "utf-8")
    assert riverboat("day", str(file)).status == 0


@pytest.mark.parametrize("text", ["", "day = 3", "[[day]]\ntitle = 'x'\n", "[[day"])
def test_a_file_that_is_no_day_is_bad_input(tmp_path: Path, riverboat: Any, text: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, "utf-8")
    answer = riverboat("day", str(file))
    assert answer.status == 2
    assert str(file) in answer.err
    assert "Traceback" not in answer.err


def test_an_unknown_day_is_answered_with_those_there_are(riverboat: Any) -> None:
    answer = riverboat("day", "nevada")
    assert answer.status == 2
    assert MARYLAND in answer.err


def test_exported_rounds_are_found_true(tmp_path: Path, riverboat: Any) -> None:
    folder = tmp_path / "rounds"
    assert riverboat("day", "south-dakota-2011", "--export", str(folder)).status == 0
    files = sorted(map(str, folder.iterdir()))
    assert len(files) == 3
    assert riverboat("verify", *files).status == 0


def test_a_folder_that_cannot_be_made_is_bad_input(tmp_path: Path, riverboat: Any) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    answer = riverboat("day", "island-stud", "--export", str(tmp_path / "file" / "x"))
    assert answer.status == 2


# ---------------------------------------------------------------- brackets


@pytest.fixture
def maryland() -> Rulebook:
    return load(MARYLAND).book


@pytest.mark.parametrize(
    ("cites", "shown"),
    [
        ((), "[house procedure; the document is silent]"),
        (("MD-2014.04.A-1",), "[MD-2014.04.A-1]"),
        (("MD-2014.04.A-1", "MD-2014.04.E"), "[MD-2014.04.A-1, 04.E]"),
        (("MD-2014.05.A.1", "MD-2014.05.A.2", "MD-2014.05.A.3"), "[MD-2014.05.A.1–3]"),
        (("MD-2014.05.A.1", "MD-2014.05.A.2"), "[MD-2014.05.A.1, 05.A.2]"),
        (("MD-2014.05.A.1", "MD-2014.05.A.3"), "[MD-2014.05.A.1, 05.A.3]"),
        (("MD-2014.04.E", "D-16"), "[MD-2014.04.E]"),
        (("D-16",), "[D-16]"),
    ],
)
def test_clauses_are_written_short(maryland: Rulebook, cites: tuple[str, ...], shown: str) -> None:
    assert in_brackets(maryland, cites) == shown


def test_all_is_named_where_all_is_asked_for(maryland: Rulebook) -> None:
    assert in_brackets(maryland, ("MD-2014.04.E", "D-16"), verbose=True) == "[MD-2014.04.E, D-16]"


def test_a_bare_number_keeps_its_document() -> None:
    book = load("iowa-catfish-bend").book
    assert in_brackets(book, ("IA-CB.SH-1", "IA-CB.1")) == "[IA-CB.SH-1, IA-CB.1]"


# ---------------------------------------------------------------- prompts


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_prompts_lead_from_a_closed_table_through_a_whole_round(name: str) -> None:
    loaded = load(name)
    moments = prompted_day(loaded.book, loaded.sha256)
    assert moments[0].state == "closed"
    done = [moment.done.do for moment in moments]
    assert isinstance(done[-1], g.Close)
    assert any(isinstance(action, a.Designate) for action in done)
    if loaded.book.opening is not None:
        steps = [action.step for action in done if isinstance(action, a.Prepare)]
        assert steps == [s.step for s in loaded.book.opening.steps if s.step != "shuffle"]


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_second_player_folds_and_is_not_asked_again(name: str) -> None:
    loaded = load(name)
    done = [moment.done.do for moment in prompted_day(loaded.book, loaded.sha256)]
    asked = [action.seat for action in done if isinstance(action, g.Bet)]
    assert asked == [1, 2, 3, *[1, 3] * (len(stages_of(loaded.book)) - 1)]


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_side_bet_is_offered_to_both_players_in_the_prompts(name: str) -> None:
    loaded = load(name)
    offered = {offer.bet for offer in loaded.book.side_bets}
    assert offered <= {key for key in every_bet(loaded.book) if key != "progressive_wager"}
    words = [m.done.words for m in prompted_day(loaded.book, loaded.sha256)]
    for seat in (1, 2):
        for offer in loaded.book.side_bets:
            assert f"Seat {seat}: the {offer.label} is open" in words


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_prompts_are_printed_and_answered_as_json(name: str, riverboat: Any) -> None:
    page = riverboat("prompts", name)
    assert page.status == 0
    document = json.loads(riverboat("prompts", name, "--json").out)
    assert document["rulebook"] == name
    for moment in document["moments"]:
        assert moment["tasks"][moment["done"]]["words"]
    assert "Round, settling" in page.out


def test_the_words_to_say_aloud_stand_in_the_prompts(riverboat: Any) -> None:
    assert "“no more bets”" in riverboat("prompts", MARYLAND).out


def test_a_void_that_two_decided_after_the_cards_is_told_loudly() -> None:
    days = play_days(str(TESTS / "days" / "maryland-2014" / "interruption.toml"))
    told = [
        line.what
        for day in days
        for line in pit_log(day.runner.happened, day.runner.tried)
        if "VOID" in line.what
    ]
    assert any("VOID AFTER ITS CARDS WERE SEEN, by the word of Sue and Flo" in one for one in told)
