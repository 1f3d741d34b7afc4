"""The house rules hold, and the check that holds them notices when they do not."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture import problems

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "riverboat"

PLANTED = [
    ("rulebook/paytables.py", "import time\n", "imports time"),
    ("core/hands.py", "from random import shuffle\n", "imports random"),
    ("core/cards.py", "import os.path\n", "imports os.path"),
    ("rulebook/loading/parse.py", "from pathlib import Path\n", "imports pathlib"),
    ("core/money.py", "PAYOUT = 1.5\n", "a float"),
    ("rulebook/values.py", "PAYOUT_CENTS = 500 * 0.5\n", "a float"),
    ("rulebook/values.py", "HALF = 100 / 2\n", "a bare division"),
    ("rulebook/values.py", "HALF = 100 // 2\n", "a bare division"),
    ("rulebook/values.py", "CENTS = round(3)\n", "round"),
    ("rulebook/values.py", "text = open('x')\n", "open()"),
    ("rulebook/loading/rule_checks.py", "STATE = 'maryland'\n", "names a jurisdiction (maryland)"),
    ("cli/app.py", "# as in South Dakota\n", "names a jurisdiction (dakota)"),
    ("answers/page.py", "CLAUSE = 'SD-3CB.2-2'\n", "names a clause"),
    ("rulebook/play.py", "CITES = ['B-19']\n", "names a clause"),
    ("rulebook_utils.py", "X = 1\n", "the name says nothing"),
    ("coverage.py", "def long() -> None:\n" + "    x = 1\n" * 60, "longer than 60 lines"),
]


def test_the_house_keeps_its_own_rules() -> None:
    assert problems(PACKAGE) == []


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the package that may be spoilt."""
    target = tmp_path / "riverboat"
    shutil.copytree(PACKAGE, target, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return target


@pytest.mark.slow
@pytest.mark.parametrize(("file", "line", "expected"), PLANTED, ids=lambda value: value[:30])
def test_a_planted_fault_is_found(copy: Path, file: str, line: str, expected: str) -> None:
    with (copy / file).open("a", encoding="utf-8") as spoilt:
        spoilt.write(line)
    found = problems(copy)
    assert len(found) == 1
    assert found[0].startswith(file)
    assert expected in found[0]


def _lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()"]
    return subprocess.run(
        [*command, "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_imports_point_one_way(copy: Path) -> None:
    kept = _lint_imports(copy.parent)
    assert kept.returncode == 0, kept.stdout + kept.stderr


def test_an_import_that_points_upwards_is_found(copy: Path) -> None:
    with (copy / "core" / "money.py").open("a", encoding="utf-8") as spoilt:
        spoilt.write("from riverboat.rulebook import parse_rulebook  # noqa\n")
    broken = _lint_imports(copy.parent)
    assert broken.returncode == 1
    assert "riverboat.core is not allowed to import riverboat.rulebook" in broken.stdout
