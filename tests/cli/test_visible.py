"""Nobody's text gives orders to a terminal: what comes from a rulebook, a ledger, a name, a file or
an argument is printed so that it can be seen, and JSON stays the same JSON."""

import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.text import Text

from riverboat.answers.page import Block, Facts, Heading, Paper, Table, Words, markdown, print_page
from riverboat.cli import run
from riverboat.cli.app import complain, print_json, tell
from riverboat.core.errors import Problem
from riverboat.core.visible import is_seen, visible
from riverboat.rulebooks import load
from riverboat.terminal.sitting import play_sitting
from riverboat.web.server.monitoring import log, start_logs
from tests.floor.audit.played import play_floor

HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp.exe\u2066\u200b\u2028\x7f\b"
"""Clears the screen, names the window, colours, turns around, hides, breaks and rubs out."""
STYLE = re.compile(r"\x1b\[[0-9;]*m")
"""What the program itself says to a terminal: colours."""
anything = st.text(st.characters() | st.sampled_from("\ud800\udfff" + HOSTILE), max_size=60)


def require_seen(printed: str) -> None:
    """Everything can be seen."""
    odd = sorted({one for one in printed if not is_seen(one) and one != "\n"})
    assert not odd, [ascii(one) for one in odd]


# ---------------------------------------------------------------- each way to print


@given(anything)
def test_any_text_can_be_seen(text: str) -> None:
    shown = visible(text, kept="")
    require_seen(shown)
    shown.encode()
    assert visible(shown, kept="") == shown
    kept = "".join(one for one in text if is_seen(one))
    assert kept == text or shown != text


@given(anything)
def test_every_way_to_print_goes_through_it(text: str) -> None:
    blocks: list[Block] = [Heading(text, 1), Heading(text), Words(text), Words(text, loud=True)]
    page: list[Block] = [*blocks, Facts([(text, text)]), Table([text, "b"], [(text, text)])]
    for terminal in (False, True):
        paper = io.StringIO()
        console = Paper(file=paper, width=60, force_terminal=terminal, highlight=False)
        print_page(console, page)
        console.print(Text(text))
        require_seen(STYLE.sub("", paper.getvalue()))
    require_seen(markdown(page).replace("\t", ""))
    require_seen(str(Problem(text, text, text)))


@given(anything)
def test_json_stays_the_same_json(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        out, err = io.StringIO(), io.StringIO()
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", err)
        print_json({"a": [text]})
        assert json.loads(out.getvalue()) == {"a": [text]}
        require_seen(out.getvalue())
        tell({}, text.replace("\t", ""), as_json=False)
        complain(text.replace("\t", ""))
        require_seen(out.getvalue() + err.getvalue())


@given(anything)
def test_a_log_is_plain(text: str) -> None:
    out = io.StringIO()
    start_logs("info", out)
    try:
        log.info("refused", code=text, words=text)
    finally:
        start_logs("error")
    assert out.getvalue().isascii()
    require_seen(out.getvalue())
    assert json.loads(out.getvalue())["words"] == text


# ---------------------------------------------------------------- each command


def written(text: str) -> str:
    """As TOML has it."""
    return "".join(one if one.isalnum() else f"\\u{ord(one):04x}" for one in text)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A rulebook that is one but for its words: each of them is refused, and named."""
    own = tmp_path_factory.mktemp("book") / f"eve{HOSTILE}.toml"
    text = load("house-demo").text.replace('id = "house-demo"', 'id = "eve"')
    words = r'\b((?:title|issuer|standing|label|text|announce|why|words|note) = "[^"\\\n]+)"'
    changed, count = re.subn(words, lambda found: f'{found[1]} {written(HOSTILE)}"', text)
    assert count > 50
    own.write_text(changed, "utf-8")
    return own


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A ledger in which somebody has such a name, and gives such a reason."""
    folder = tmp_path_factory.mktemp("floor")
    address = play_floor(folder)
    by = ("--by", f"Eve{HOSTILE}:floorperson", "--table", "T4", "--database", address)
    assert run(["dispute", "open", "1", *by, "--reason", f"no {HOSTILE}"]) == 0
    assert run(["dispute", "note", "1", *by, "--words", f"so {HOSTILE}"]) == 0
    return address


SETTLE = ("settle", "{book}", "--ante", "10", "--cards", "9h 8h")
ROUND = ("--table", "T4", "--database", "{floor}")
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("rulebooks", "--rulebook", "{book}"),
    ("welcome", "--rulebook", "{book}"),
    ("rulebook", "show", "{book}"),
    ("rulebook", "show", "{book}", "--markdown"),
    ("rulebook", "check", "{book}", "{hostile}"),
    ("rulebook", "diff", "{book}", "house-demo"),
    ("rulebook", "incidents", "--rulebook", "{book}"),
    ("rulebook", "statements", "--rulebook", "{book}"),
    ("rulebook", "new", "a{hostile}", "--from", "{book}"),
    (*SETTLE, "--board", "Qh Jh Th", "--bets", "3,3,3"),
    (*SETTLE, "--bets", "9"),
    ("settle", "house-demo", "--ante", "{hostile}"),
    ("odds", "{book}", "--bet", "three_card_bonus"),
    ("odds", "{hostile}"),
    ("advise", "house-demo", "{hostile}"),
    ("configure", "{hostile}"),
    ("prompts", "{book}"),
    ("check", "{hostile}", "{scenario}"),
    ("day", "{hostile}"),
    ("coverage", "--rulebook", "{book}"),
    ("verify", "{hostile}", "{round}"),
    ("verify", "--database", "{hostile}"),
    ("verify", "--database", "{floor}"),
    ("replay", "1", *ROUND),
    ("replay", "1", "--table", "{hostile}", "--database", "{floor}"),
    ("dispute", "show", "1", *ROUND),
    ("dispute", "open", "1", *ROUND, "--by", "x", "--reason", "{hostile}"),
    ("manager", "--database", "{floor}"),
    ("manager", "--database", "{floor}", "--meter", "{hostile}"),
    ("ledger", "check", "--database", "{floor}"),
    ("ledger", "head", "--database", "{hostile}"),
    ("ledger", "import", "{hostile}", "--database", "{hostile}"),
    ("document", "win-page", "{hostile}", "--database", "{floor}"),
    ("simulate", "{hostile}"),
    ("{hostile}",),
    ("odds", "house-demo", "--{hostile}"),
)  # fmt: skip


@pytest.mark.parametrize("as_json", [False, True], ids=["page", "json"])
@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda one: " ".join(one)[:60])
def test_no_command_prints_an_order(
    book: Path, floor: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], as_json: bool,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    scenario, file = tmp_path / "scenario.toml", tmp_path / f"round{HOSTILE}.json"
    name = written(HOSTILE)
    scenario.write_text(f'[[scenario]]\nname = "x {name}"\nrulebook = "{name}"\n', "utf-8")
    file.write_text(json.dumps({"kind": HOSTILE, HOSTILE: HOSTILE}), "utf-8")
    ledger = tmp_path / "floor.db"
    shutil.copy(floor.removeprefix("sqlite:///"), ledger)
    places: dict[str, Any] = {
        "book": book,
        "floor": ledger,
        "scenario": scenario,
        "round": file,
    }
    asked = [one.format(hostile=HOSTILE, **places) for one in arguments]
    status = run([*asked, "--json"] if as_json else asked)
    out = capsys.readouterr()
    assert status in (0, 1, 2)
    require_seen(out.out + out.err)
    assert out.out + out.err
    if as_json and out.out:
        json.loads(out.out)


def test_no_table_in_the_terminal_prints_an_order() -> None:
    output = io.StringIO()
    keys = io.StringIO(f"?\n{HOSTILE}\n" + "\n" * 30 + "q\n")
    own = replace(load("house-demo").book, title=f"Eve's {HOSTILE}")
    play_sitting(own, seats=3, seat=2, seed=1, input=keys, output=output)
    require_seen(output.getvalue())
    assert "\\x1b[2J" in output.getvalue()
