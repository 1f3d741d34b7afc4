"""The pages' scripts read answers and frames by the names that those have: TypeScript checks every
script against the types that the answers themselves are written from."""

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from riverboat.web.server.static import STATIC
from riverboat.web.server.typescript import declarations, own_description
from tests.support.npm import TYPESCRIPT, node_and_npm, only_one, pack

PLANTED = [
    ("words.js", "frame.interrupted", "frame.interupted"),
    ("seat.js", "own.wagers_cents", "own.wager_cents"),
    ("bets.js", "?.purse_cents", "?.purse"),
    ("next_step.js", "step.how.length", "step.hows.length"),
    ("lobby.js", "one.seated", "one.sitting"),
    ("why.js", "told.results", "told.result"),
    ("owed.js", "said.paid_from.words", "said.paidFrom.words"),
    ("sign.js", "frame.award_cents", "frame.award"),
    ("meter_book.js", "book.history", "book.histories"),
    ("round_steps.js", "story.proof.checks", "story.proof.check"),
    ("supervisor.js", "/api/worklist", "/api/work-list"),
    ("dealer.js", "frame.decks.map", "frame.deck.map"),
]
"""A script, what it reads, and a typing error."""


@pytest.fixture(scope="module")
def compiler() -> list[str]:
    """TypeScript, with the Node of the wheel; fetched once, and never left out."""
    with only_one():
        if not (TYPESCRIPT.folder / "ready").exists():
            shutil.rmtree(TYPESCRIPT.folder, ignore_errors=True)
            TYPESCRIPT.folder.mkdir(parents=True)
            with tarfile.open(pack(TYPESCRIPT, TYPESCRIPT.folder)) as package:
                package.extractall(TYPESCRIPT.folder, filter="data")
            (TYPESCRIPT.folder / "ready").touch()
    return [node_and_npm()[0], str(TYPESCRIPT.folder / "package" / "lib" / "tsc.js")]


def faults(compiler: list[str], static: Path) -> list[str]:
    """What the compiler finds wrong with the scripts of a folder."""
    done = subprocess.run(
        [*compiler, "--project", str(static / "jsconfig.json"), "--pretty", "false"],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    found = [line for line in done.stdout.splitlines() if "error TS" in line]
    assert bool(found) == bool(done.returncode), done.stdout + done.stderr
    return found


def test_the_types_are_fresh() -> None:
    fresh = declarations(own_description())
    assert (STATIC / "types.d.ts").read_text("utf-8") == fresh, "stale: run scripts/generate"


def test_every_script_reads_what_there_is(compiler: list[str]) -> None:
    assert faults(compiler, STATIC) == []


def test_a_typing_error_in_a_field_is_found(compiler: list[str], tmp_path: Path) -> None:
    own = tmp_path / "static"
    shutil.copytree(STATIC, own)
    for name, right, wrong in PLANTED:
        script = own / "js" / name
        text = script.read_text("utf-8")
        assert right in text, (name, right)
        script.write_text(text.replace(right, wrong, 1), "utf-8")
    found = faults(compiler, own)
    for name, _, wrong in PLANTED:
        assert any(f"js/{name}(" in fault for fault in found), f"{name}: {wrong} is not found"
    assert len(found) < 2 * len(PLANTED) + 12
