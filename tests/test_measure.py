"""The measure of the house finds what breaks a limit, at the limit and not beside it."""

from pathlib import Path

import pytest

from scripts.measure import main

IMPORTS = "from riverboat.{} import X\n"


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A small package in order, with its tests: twelve modules to a folder, none too short."""
    write(tmp_path, "riverboat/__init__.py", 1)
    write(tmp_path, "tests/test_all.py", 600)
    for number in range(12):
        write(tmp_path, f"riverboat/core/card_{number}.py", 40)
    write(tmp_path, "riverboat/core/__init__.py", 1)
    write(tmp_path, "tests/core/test_cards.py", 40)
    write(tmp_path, "tests/rules/anywhere/deep/README.md", 1)
    return tmp_path


def write(root: Path, name: str, lines: int, first: str = '"""What it is for."""\n') -> None:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(first + "X = 1\n" * (lines - 1), "utf-8")


def found(root: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """The exit status and the sentences about limits."""
    status = main([str(root)])
    last = capsys.readouterr().out.rpartition("\n\n")[2].splitlines()
    return status, last


def test_a_house_at_its_limits_is_in_order(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(house, "riverboat/core/card_0.py", 600, IMPORTS.format("core.card_1"))
    assert found(house, capsys) == (0, ["every limit holds"])


@pytest.mark.parametrize(
    ("file", "lines", "first", "said"),
    [
        (
            "riverboat/core/card_12.py",
            40,
            "\n",
            "riverboat.core has 13 modules and folders, at most 12",
        ),
        (
            "riverboat/core/deck/one.py",
            40,
            "\n",
            "riverboat.core has 13 modules and folders, at most 12",
        ),
        ("riverboat/core/card_3.py", 601, "\n", "riverboat.core.card_3 has 601 lines, at most 600"),
        (
            "tests/core/test_cards.py",
            601,
            "\n",
            "tests/core/test_cards.py has 601 lines, at most 600",
        ),
        (
            "tests/dealing/one.py",
            1,
            "\n",
            "tests/dealing is no folder of riverboat, nor one of tests' own",
        ),
        (
            "tests/core/odd/one.py",
            1,
            "\n",
            "tests/core/odd is no folder of riverboat, nor one of tests' own",
        ),
        (
            "tests/tables/one.toml",
            1,
            "\n",
            "tests/tables is no folder of riverboat, nor one of tests' own",
        ),
    ],
)
def test_one_planted_fault_is_the_one_that_is_named(
    house: Path, capsys: pytest.CaptureFixture[str], file: str, lines: int, first: str, said: str
) -> None:
    write(house, file, lines, first)
    assert found(house, capsys) == (1, [said])
    assert main([str(house), "--report-only"]) == 0


def test_a_short_module_is_named_if_a_single_other_one_imports_it(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(house, "riverboat/core/card_1.py", 39)
    assert found(house, capsys) == (0, ["every limit holds"]), "nobody imports it"
    write(house, "riverboat/core/card_2.py", 40, IMPORTS.format("core.card_1"))
    said = "riverboat.core.card_1 has 39 lines and only riverboat.core.card_2 imports it"
    assert found(house, capsys) == (1, [said])
    write(house, "riverboat/core/card_3.py", 40, IMPORTS.format("core.card_1"))
    assert found(house, capsys) == (0, ["every limit holds"]), "two import it"


def test_more_modules_than_a_newcomer_can_walk_are_named(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for room in range(23):
        for number in range(12):
            write(house, f"riverboat/room_{room}/card_{number}.py", 40)
    assert found(house, capsys) == (1, ["288 modules, at most 280"])
