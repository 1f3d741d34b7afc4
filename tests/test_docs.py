"""The README and the tutorial do what they say: their examples are run as they stand."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from riverboat.cli import run
from tests.support.documented import assert_shows, blocks

ROOT = Path(__file__).parent.parent

TUTORIAL = ROOT / "docs" / "your-own-rulebook.md"


def apply_patch(patch: str, folder: Path) -> None:
    """Make the edit that a diff block shows, in the one file that it is about."""
    was = "".join(f"{line[1:]}\n" for line in patch.splitlines() if line[0] in " -")
    becomes = "".join(f"{line[1:]}\n" for line in patch.splitlines() if line[0] in " +")
    found = [file for file in folder.rglob("*.toml") if was in file.read_text("utf-8")]
    assert len(found) == 1, was
    text = found[0].read_text("utf-8")
    assert text.count(was) == 1, was
    found[0].write_text(text.replace(was, becomes), "utf-8")


def test_the_tutorial_works_as_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "lucky-river.toml"
    done = 0
    for language, block in blocks(TUTORIAL):
        match language:
            case "console":
                command, _, expected = block.partition("\n")
                run(shlex.split(command.removeprefix("$ riverboat ")))
                printed = capsys.readouterr()
                assert_shows(expected, printed.out + printed.err)
            case "diff":
                apply_patch(block, tmp_path)
            case "toml":
                assert block in file.read_text("utf-8")
        done += 1
    assert done >= 8
    assert not (tmp_path / "high-river.toml").exists()


def test_the_python_examples_of_the_readme_hold() -> None:
    examples = [block for language, block in blocks(ROOT / "README.md") if language == "python"]
    parsed = doctest.DocTestParser().get_doctest("".join(examples), {}, "README.md", None, None)
    result = doctest.DocTestRunner().run(parsed)
    assert (result.failed, result.attempted > 5) == (0, True)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        line
        for language, block in blocks(ROOT / "README.md")
        if language == "console"
        for line in block.splitlines()
    ],
)
def test_the_commands_of_the_readme_run(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if "my-casino.toml" in command:
        assert run(["rulebook", "new", "my-casino", "--from", "south-dakota-3cb"]) == 0
    here = command.removeprefix("$ ./run ").replace(" tests/", f" {ROOT}/tests/")
    assert run(shlex.split(here, comments=True)) == 0


def test_the_map_of_the_house_lists_every_module_as_it_is() -> None:
    made = subprocess.run([sys.executable, "scripts/modules.py"], cwd=ROOT, capture_output=True)
    written = (ROOT / "docs" / "house.md").read_text("utf-8")
    assert written.endswith(made.stdout.decode()), "stale: run scripts/generate"
    assert made.stdout.count(b"\n| `") > 200


def test_every_path_that_the_map_of_the_house_names_is_there() -> None:
    written = (ROOT / "docs" / "house.md").read_text("utf-8").partition("## Every module")[0]
    named = re.findall(r"`([a-z_]+/[a-z_/]*(?:\.[a-z]+)?)`", written)
    found = {name for name in named for top in (ROOT, ROOT / "riverboat") if (top / name).exists()}
    assert len(named) > 60
    assert not set(named) - found
