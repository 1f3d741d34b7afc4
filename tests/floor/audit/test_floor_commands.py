"""The commands on a ledger: their JSON, their exit status, and no traceback for bad input."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from riverboat.cli import run
from riverboat.floor import disputes
from riverboat.floor.secret import MasterSecret, known_secret
from riverboat.floor.starting import components
from riverboat.ledger import open_ledger, own_witness
from riverboat.ledger.heads import sign_now
from riverboat.rulebooks import editions
from tests.floor.audit.played import all_rows, rewritten

OPENS = ("--table", "T1", "--reason", "x", "--database", "{played}")


@pytest.fixture
def copied(played: str, tmp_path: Path) -> str:
    """A ledger of one's own."""
    shutil.copy(Path(played.removeprefix("sqlite:///")), tmp_path / "floor.db")
    return str(tmp_path / "floor.db")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    status = run([*arguments, "--json"])
    out = capsys.readouterr()
    document = json.loads(out.out)
    assert isinstance(document, dict)
    return {"status": status, **document}


def test_verify_says_what_it_checked_and_how_fast(
    played: str, secret_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, "verify", "--database", played, "--secret", str(secret_file))
    assert (found["status"], found["holds"], found["wrong"]) == (0, True, None)
    assert found["not_checked_sealed"] == {}
    assert isinstance(found["events_per_second"], int)
    ran = components(editions())
    assert (found["version"], found["program_sha256"]) == (ran.version, ran.program_sha256)
    assert found["rulebooks"] == ran.rulebooks
    assert run(["verify", "--database", played]) == 0
    page = capsys.readouterr().out
    assert "not checked" in page
    assert ran.program_sha256 in "".join(page.split())


def test_verify_against_a_head_that_is_not_this_ledgers_is_not_true(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, "verify", "--database", played, "--head", f"3:{'0' * 64}")
    assert found["status"] == 1
    assert found["holds"] is False
    assert found["wrong"]["seq"] == 3  # type: ignore[index]


@pytest.mark.parametrize("chain_only", [False, True])
def test_the_own_witness_is_asked_where_serve_would_find_the_secret(
    copied: str,
    secret_file: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *,
    chain_only: bool,
) -> None:
    for name in ("XDG_STATE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    asked = ("verify", "--database", copied, *(("--chain-only",) if chain_only else ()))
    beside = Path(f"{copied}.secret")
    found = told(capsys, *asked)
    assert (found["status"], found["held_against_a_witness"]) == (0, False)
    assert run([*asked]) == 0
    page = " ".join(capsys.readouterr().out.split())
    assert "NOT HELD AGAINST ANY WITNESS: rows that are missing at its end" in page
    assert "All that was checked is true" not in page
    assert not beside.exists()
    assert not (tmp_path / "XDG_DATA_HOME").exists(), "only looked for"
    secret = MasterSecret(secret_file.read_bytes())
    with open_ledger(copied, create=False) as ledger:
        own = known_secret(ledger, secret)
        key, ends = own.signing_key(), ledger.head().seq
        own_witness(own.floor).keep(sign_now(ledger.head(), key, at=1))
    for given in (b"", bytes(32), secret_file.read_bytes()):
        if given:
            beside.write_bytes(given)
        found = told(capsys, *asked)
        assert (found["status"], found["held_against_a_witness"]) == (0, True)
    assert chain_only or found["not_checked_sealed"] == {}, "by the secret that lies beside it"
    with sqlite3.connect(copied) as db:
        for (name,) in db.execute(
            "select name from sqlite_master where type = 'trigger'"
        ).fetchall():
            db.execute(f'drop trigger "{name}"')
        db.execute("delete from entry where seq > ?", (ends - 5,))
    found = told(capsys, *asked)
    assert found["status"] == 1
    assert "cut off" in str(found["wrong"])


def test_a_witness_that_is_named_and_has_seen_nothing_is_no_check_that_was_passed(
    played: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = str(tmp_path / "nothing.heads")
    assert run(["verify", "--database", played, "--witness", nothing]) == 2
    assert f"{nothing} has seen no head of this ledger" in capsys.readouterr().err
    assert run(["verify", "--database", played, "--witness", "http://127.0.0.1:9"]) == 2
    assert "name --secret or --key too" in capsys.readouterr().err


def test_replay_and_dispute_work_from_the_command_line(
    copied: str, capsys: pytest.CaptureFixture[str]
) -> None:
    place = ("--table", "T4", "--database", copied)
    shown = told(capsys, "replay", "1", *place)
    assert shown["status"] == 0
    assert shown["dispute"] is None
    assert any(step["kind"] == "refused" for step in shown["steps"])  # type: ignore[attr-defined]
    opened = told(
        capsys, "dispute", "open", "1", *place, "--by", "Flo:floorperson", "--reason", "x"
    )
    assert opened["dispute"]["evidence"] == shown["evidence"]  # type: ignore[index]
    again = told(capsys, "dispute", "open", "1", *place, "--by", "Flo:floorperson", "--reason", "x")
    assert (again["status"], again["refused"]) == (1, "dispute.open")
    noted = ("--by", "Flo:floorperson", "--words", "camera")
    assert told(capsys, "dispute", "note", "1", *place, *noted)["status"] == 0
    people = ("--by", "Sue:supervisor", "--second", "Flo:floorperson")
    words = ("--decision", "stands", "--reason", "seen")
    assert told(capsys, "dispute", "decide", "1", *place, *people, *words)["status"] == 0
    final = told(capsys, "replay", "1", *place)
    assert final["dispute"]["state"] == "decided"  # type: ignore[index]
    assert final["dispute"]["evidence_as_frozen"] is True  # type: ignore[index]
    assert run(["dispute", "show", "1", *place]) == 0
    assert "Decided: stands" in capsys.readouterr().out
    assert run(["verify", "--database", copied]) == 0


def test_a_dispute_has_so_many_entries(
    copied: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disputes, "MOST_ENTRIES", 3)
    place = ("1", "--table", "T4", "--database", copied, "--by", "Flo:floorperson")
    assert told(capsys, "dispute", "open", *place, "--reason", "x")["status"] == 0
    notes = [told(capsys, "dispute", "note", *place, "--words", f"no {n}") for n in range(3)]
    assert [one["status"] for one in notes] == [0, 0, 1]
    place = ("1", "--table", "T4", "--database", copied, "--by", "Sue:supervisor")
    words = ("--second", "Flo:floorperson", "--decision", "stands", "--reason", "seen")
    assert told(capsys, "dispute", "decide", *place, *words)["status"] == 0, "deciding is left"


def test_a_round_that_is_not_over_is_refused_and_not_bad_input(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, "replay", "4", "--table", "T1", "--database", played)
    assert (found["status"], found["refused"]) == (1, "round.not_over")


def test_the_game_manager_balances_and_explains(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, "manager", "--database", played)
    assert (found["status"], found["balances"]) == (0, True)
    meter = found["meters"][0]  # type: ignore[index]
    assert meter["difference_units"] == 0
    now = told(capsys, "manager", "--database", played, "--explain", "now")
    assert (now["units"], now["agrees"]) == (meter["units"], True)
    assert run(["manager", "--database", played, "--table", "T2"]) == 0
    assert "balances" in capsys.readouterr().out


def test_the_chain_alone_is_checked_and_says_that_nothing_else_was(
    played: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = told(capsys, "verify", "--database", played, "--chain-only")
    assert (found["status"], found["holds"], found["chain_only"]) == (0, True, True)
    assert run(["verify", "--database", played, "--chain-only"]) == 0
    assert "no entry was decided again" in capsys.readouterr().out
    rows = all_rows(played)
    row = next(one for one in rows if '"wager_placed"' in one.body)
    body = row.body.replace('"cents":1', '"cents":2', 1)
    rewrote = rewritten(rows, row.seq, body, tmp_path)
    assert told(capsys, "verify", "--database", rewrote, "--chain-only")["status"] == 0
    assert told(capsys, "verify", "--database", rewrote)["status"] == 1
    longer = f"{rows[-1].seq + 1}:{'0' * 64}"
    cut = told(capsys, "verify", "--database", played, "--chain-only", "--head", longer)
    assert cut["status"] == 1
    assert "cut off" in str(cut["wrong"])


def test_a_changed_program_is_admitted_by_two_people(
    copied: str, capsys: pytest.CaptureFixture[str]
) -> None:
    why = ("--reason", "a repair of the sign", "--database", copied)
    alone = told(
        capsys, "ledger", "admit", "--by", "Sue:supervisor", "--second", "Sue:dealer", *why
    )
    assert alone["status"] == 1
    two = ("--by", "Sue:supervisor", "--second", "Flo:floorperson")
    done = told(capsys, "ledger", "admit", *two, *why)
    assert (done["status"], done["program_sha256"]) == (0, components(editions()).program_sha256)
    verified = told(capsys, "verify", "--database", copied)
    assert verified["status"] == 0


def test_the_ledgers_own_commands(
    copied: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here = ("--database", copied)
    head = told(capsys, "ledger", "head", *here)["head"]
    checked = told(capsys, "ledger", "check", *here)
    assert (checked["status"], checked["head"]) == (0, head)
    assert "maryland-2014" in checked["rulebooks"]  # type: ignore[operator]
    signed = told(capsys, "ledger", "sign", *here, "--key", str(tmp_path / "key"))
    assert signed["head"] == head
    key = str(signed["public_key"])
    verified = told(capsys, "verify", *here, "--key", key)
    assert (verified["status"], verified["heads"]) == (0, 1)
    assert told(capsys, "verify", *here, "--key", "0" * 64)["status"] == 1
    export, other = str(tmp_path / "all.jsonl"), str(tmp_path / "other.db")
    assert told(capsys, "ledger", "export", export, *here)["head"] == head
    assert told(capsys, "ledger", "import", export, "--database", other)["head"] == head
    copy, backup = str(tmp_path / "copy.db"), str(tmp_path / "backup.db")
    assert told(capsys, "ledger", "copy", copy, *here)["head"] == head
    assert told(capsys, "ledger", "backup", backup, *here)["head"] == head
    for page in (("ledger", "check"), ("ledger", "head")):
        assert run([*page, *here]) == 0
    assert str(head) in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "--database", "{gone}"),
        ("verify", "--database", ""),
        ("verify", "--database", "{text}"),
        ("verify", "--database", "mysql://x"),
        ("verify", "--database", "{played}", "--head", "nonsense"),
        ("verify", "--database", "{played}", "--key", "nonsense"),
        ("verify", "--database", "{played}", "--secret", "{gone}"),
        ("verify", "--database", "{played}", "--secret", "{text}"),
        ("verify", "--database", "{played}", "a.json"),
        ("verify", "--chain-only", "a.json"),
        ("verify", "--database", "{played}", "--rulebook", "{gone}"),
        ("replay", "2", "--database", "{played}"),
        ("replay", "99", "--database", "{played}"),
        ("replay", "-1", "--table", "T1", "--database", "{played}"),
        ("replay", "one", "--database", "{played}"),
        ("replay", "1", "--table", "T9", "--database", "{played}"),
        ("replay", "1", "--database", "{gone}"),
        ("manager", "--database", "{gone}"),
        ("manager", "--database", "{played}", "--meter", "none"),
        ("manager", "--database", "{played}", "--explain", "much"),
        ("manager", "--database", "{played}", "--explain", "0.01"),
        ("manager", "--database", "{played}", "--explain", "now", "--meter", "none"),
        ("dispute", "show", "1", "--table", "T1", "--database", "{gone}"),
        ("dispute", "open", "1", *OPENS, "--by", "Flo"),
        ("dispute", "open", "77", *OPENS, "--by", "F:supervisor"),
        ("ledger", "admit", *OPENS[2:], "--by", "Sue", "--second", "Flo:dealer"),
        ("ledger", "check", "--database", "{gone}"),
        ("ledger", "head", "--database", "{text}"),
        ("ledger", "sign", "--database", "{played}", "--key", "{text}"),
        ("ledger", "export", "{text}", "--database", "{played}"),
        ("ledger", "import", "{gone}", "--database", "{new}"),
        ("ledger", "import", "{text}", "--database", "{new}"),
        ("ledger", "copy", "{played}", "--database", "{played}"),
        ("ledger", "backup", "{text}", "--database", "{played}"),
        ("ledger", "backup", "{gone}/deeper/x.db", "--database", "{played}"),
    ],
)  # fmt: skip
def test_bad_input_is_a_line_and_never_a_traceback(
    played: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    (tmp_path / "text").write_text("no ledger and no key\n")
    places = {
        "gone": str(tmp_path / "gone"),
        "text": str(tmp_path / "text"),
        "new": str(tmp_path / "new.db"),
        "played": played,
    }
    assert run([one.format(**places) for one in arguments]) == 2
    out = capsys.readouterr()
    assert out.out == ""
    assert 0 < len(out.err.splitlines()) <= 2
    assert "Traceback" not in out.err
