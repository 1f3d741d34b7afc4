"""A finished round in a file: what is true passes, and how far the check goes is said."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from riverboat.cli import run
from riverboat.core.errors import NotationError
from riverboat.evidence.round_check import verify_together
from riverboat.evidence.round_export import export_round
from riverboat.evidence.round_file import (
    RoundFile,
    laid_out,
    read_round,
    write_round,
)
from riverboat.scripts.day_library import play_days
from riverboat.table.events import Entry
from tests.evidence.forging import (
    CARDS,
    ROUNDS,
    forged,
)
from tests.support.day_player import books, tables
from tests.support.round_files import (
    eventful,
    failed,
    ordinary,
    text_of,
    verified,
)

# ---------------------------------------------------------------- what is true passes


@pytest.mark.parametrize("name", ROUNDS)
def test_a_true_round_passes_and_its_file_is_read_back_as_it_was_written(name: str) -> None:
    text = ROUNDS[name]()
    result = verified(text)
    assert result.error == ""
    assert failed(result) == {}
    assert result.holds
    assert laid_out(read_round(text.encode())[1]) + "\n" == text


@pytest.mark.parametrize("name", tables())
def test_every_kind_of_table_writes_rounds_that_pass(name: str) -> None:
    record = ordinary(name)
    for number in (1, 2):
        for seat in (None, 2, 5):
            assert failed(verified(text_of(record, number, seat))) == {}


def test_a_committed_round_is_checked_in_full() -> None:
    result = verified(ROUNDS["the dealer cut before the bets"]())
    assert [(check.what, check.result) for check in result.checks] == [
        (what, "ok")
        for what in (
            "document",
            "heading",
            "rulebook",
            "configuration",
            "order",
            "leaves",
            "root",
            "numbers",
            "cuts",
            "deal",
            "entries",
            "money",
            "left out",
        )
    ]


def test_physical_cards_are_marked_uncommitted_and_what_that_leaves_unchecked_is_said() -> None:
    text = ROUNDS["physical cards, misread"]()
    document = json.loads(text)
    assert (document["fairness"], document["commitment"]) == ("uncommitted", None)
    result = verified(text)
    unchecked = {check.what: check.note for check in result.checks if check.result != "ok"}
    assert set(unchecked) == {"order", "leaves", "root", "deal"}
    assert set(unchecked.values()) == {"physical cards: this round is uncommitted"}


def test_the_file_holds_what_an_auditor_needs() -> None:
    document = json.loads(ROUNDS["two decks, time, a card face up, a change, a correction"]())
    assert document["format"] == "riverboat round"
    assert [entry["action"]["do"] for entry in document["entries"]][:1] == ["start_round"]
    assert document["entries"][-1]["action"]["do"] == "correct"
    assert len(document["commitment"]["leaves"]) == 52
    assert sorted(document["commitment"]["order"]) == sorted(CARDS)
    assert len(document["left_out"]) == 1
    told = [e["action"]["word"] for e in document["entries"] if e["action"]["do"] == "tell_word"]
    assert [cut["words"] for cut in document["cuts"]] == [{"2": told[0]}]
    later = document["commitments"]["each"][-1]
    assert later["fate"] == "waiting"
    sealing = next(e for e in document["entries"] if e["action"]["do"] == "seal_deck")
    assert sealing["action"]["order"] is sealing["action"]["salts"] is None
    assert sealing["events"][0]["order"] is sealing["events"][0]["salts"] is None
    assert sealing["events"][0]["root"] == later["root"]


def test_a_test_tables_round_says_so() -> None:
    document = json.loads(ROUNDS["a forced deck"]())
    assert document["test"] is True
    assert document["commitment"]["forced"] is True
    assert all(entry["test"] for entry in document["entries"])


def test_a_round_that_is_not_over_or_not_there_is_not_written() -> None:
    record = ordinary("maryland-2014")
    end = next(n for n, entry in enumerate(record) if "round_closed" in kinds(entry))
    for entries, number, code in (
        (record[:end], 1, "export.not_over"),
        (record, 9, "export.no_round"),
        (record[: end + 1], 2, "export.no_round"),
    ):
        with pytest.raises(NotationError) as refusal:
            export_round(entries, number, table="T", books=books())
        assert refusal.value.code == code
    with pytest.raises(NotationError) as refusal:
        export_round(record, 1, table="T", books=books(), seat=3)
    assert refusal.value.code == "export.no_seat"


def kinds(entry: Entry) -> list[str]:
    return [type(event).__struct_config__.tag for event in entry.events]  # type: ignore[misc]


# ---------------------------------------------------------------- a player's version


def test_a_player_gets_the_cards_that_he_was_shown_and_no_other() -> None:
    record = ordinary("maryland-2014")
    whole = json.loads(text_of(record, 2))
    deal = next(e for e in whole["entries"] if e["action"]["do"] == "deal_out")
    bobs = [c for p, cards in deal["events"][0]["deliveries"] for c in cards if p == "5"]
    anns = text_of(record, 2, 2)
    mine = json.loads(anns)
    assert mine["view"]["shown"]["5"] == [None, None]
    assert not [card for card in bobs if f'"{card}"' in anns]
    opened = [card for card in mine["commitment"]["order"] if card is not None]
    assert len(opened) == 5
    hidden = [salt for salt in whole["commitment"]["salts"] if salt not in anns]
    assert len(hidden) == 52 - 5
    assert mine["commitment"]["leaves"] == whole["commitment"]["leaves"]
    assert json.loads(text_of(record, 2, 5))["view"]["shown"]["5"] == bobs


def test_a_misread_card_that_lies_hidden_elsewhere_is_shown_only_where_it_was_seen() -> None:
    document = json.loads(ROUNDS["physical cards, a player's version"]())
    corrections = [e["action"] for e in document["entries"] if e["action"]["do"] == "correct_card"]
    told = [(c["place"], c["number"], c["card"]) for c in corrections]
    assert told == [("2", 1, "As"), ("2", 2, "Kh"), ("5", 2, None)]
    assert document["view"]["shown"]["2"] == ["As", "Kh"]
    assert document["view"]["shown"]["5"] == [None, None]


def test_the_check_of_a_players_version_says_how_far_it_goes() -> None:
    notes = {check.what: check.note for check in verified(ROUNDS["a player's version"]()).checks}
    assert notes["leaves"] == "6 of 52 positions are opened"
    assert notes["view"] == "seat 2 was shown 5 cards; the others cannot be checked"
    assert "stays closed until its own round is over" in notes["entries"]


def test_a_player_notices_when_a_card_of_his_is_withheld() -> None:
    document = json.loads(ROUNDS["a folded player's version"]())
    card = document["view"]["shown"]["5"][0]
    made = document["commitment"]
    made["salts"][made["order"].index(card)] = None
    text = forged(json.loads(json.dumps(document).replace(f'"{card}"', "null")))
    assert failed(verified(text)) == {"view": ["view.shown.5[0]"]}


# ---------------------------------------------------------------- several files


def together(*files: RoundFile) -> list[tuple[str, list[str]]]:
    checks = verify_together(files)
    return [(check.result, [message for _, message in check.found]) for check in checks]


def files_of(record: tuple[Entry, ...], *numbers: int) -> list[RoundFile]:
    return [export_round(record, number, table="T", books=books()) for number in numbers]


def test_files_that_follow_each_other_have_no_gaps() -> None:
    assert together(*files_of(eventful(), 3, 1, 2)) == [("ok", [])]
    first = files_of(eventful(), 1)[0]
    assert together(first) == []
    assert together(first, first) == [("ok", [])]


def test_a_missing_round_is_found() -> None:
    assert together(*files_of(eventful(), 1, 3)) == [("failed", ["round 2 is missing"])]


def test_a_commitment_that_disappears_between_two_files_is_found() -> None:
    one, two = files_of(eventful(), 2, 3)
    abandoned = [made.number for made in two.commitments.each if made.fate == "abandoned"]
    assert len(abandoned) == 1
    text = json.loads(text_of(eventful(), 3))
    each = text["commitments"]["each"]
    text["commitments"]["each"] = [made for made in each if made["number"] not in abandoned]
    result = verified(forged(text))
    assert result.file is not None
    assert together(one, result.file) == [
        ("failed", [f"commitment {abandoned[0]} waited and is not heard of"])
    ]
    text["commitments"]["first"] += 1
    result = verified(forged(text))
    assert result.file is not None
    status, messages = together(one, result.file)[0]
    assert status == "failed"
    assert any(message.startswith("commitments go on with") for message in messages)


# ---------------------------------------------------------------- the command


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, str], str]:
    def write(name: str, text: str) -> str:
        file = tmp_path / name
        file.write_text(text, "utf-8")
        return str(file)

    return write


def test_the_command_says_ok_for_what_is_true(
    written: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    files = [written(f"{n}.json", text_of(eventful(), n)) for n in (1, 2, 3)]
    assert run(["verify", *files]) == 0
    printed = capsys.readouterr().out
    assert "no gaps" in printed
    assert "FAILED" not in printed
    assert run(["verify", files[0], "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["files"][0]["holds"] is True
    assert {check["result"] for check in answer["files"][0]["checks"]} == {"ok"}


def test_the_command_says_where_it_is_not_true(
    written: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(ROUNDS["the dealer cut before the bets"]())
    document["commitment"]["order"][0:2] = document["commitment"]["order"][1::-1]
    assert run(["verify", written("a.json", forged(document))]) == 1
    printed = capsys.readouterr().out
    assert "FAILED" in printed
    assert "commitment: position 0" in printed
    one, three = (written(f"{n}.json", text_of(eventful(), n)) for n in (1, 3))
    assert run(["verify", one, three]) == 1
    assert "round 2 is missing" in capsys.readouterr().out


def test_the_command_names_files_that_it_cannot_read(
    written: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(ROUNDS["a forced deck"]())
    del document["meter_before"]
    broken = written("broken.json", forged(document))
    good = written("good.json", ROUNDS["a forced deck"]())
    assert run(["verify", broken, good, "nowhere.json"]) == 2
    captured = capsys.readouterr()
    assert "`meter_before`" in captured.err
    assert "nowhere.json: round: No such file" in captured.err
    assert "1 true, 0 not true, 2 unreadable" in captured.out
    assert "TEST" in captured.out
    assert run(["verify"]) == 2


def test_a_ledger_that_is_not_there_is_named_and_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", "--database", f"sqlite:///{tmp_path}/none.db"]) == 2
    assert "none.db: there is no such ledger" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------- dealt by hand, and what waits


def test_a_round_dealt_by_hand_is_true_and_said_to_be_unproved(tmp_path: Path) -> None:
    script = tmp_path / "day.toml"
    script.write_text(
        '[[day]]\ntitle = "By hand"\nrulebook = "maryland-2014"\nscript = """\n'
        "Dana start\nAnn wager ante 5\nBen wager ante 5\nDana close-bets\nFlo interrupt power\n"
        "Flo confirm by-hand\nFlo dealt 1=2c,3d 2=4h,5s community=Kd,9c,7h\nhouse until over\n"
        '"""\n',
        "utf-8",
    )
    (played,) = play_days(str(script))
    entries = [one.entry for one in played.runner.happened]
    file = export_round(entries, 1, table=played.runner.day.table, books=played.runner.day.books)
    found = verified(write_round(file))
    assert not failed(found)
    deal = next(check for check in found.checks if check.what == "deal")
    assert (deal.result, "DEALT BY HAND" in deal.note) == ("not checked", True)
