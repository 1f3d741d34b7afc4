"""Machine code is never kept longer than the text of everything that went into it."""

import os
import shutil
from pathlib import Path

import pytest

from riverboat.exact.caching import keep_compiled_code
from riverboat.exact.kernels import compiling

PACKAGE = Path(compiling.__file__).parents[2]
FOLDERS = ("exact/kernels", "simulate")
"""Where code is compiled."""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in FOLDERS:
        shutil.copytree(PACKAGE / folder, tmp_path / folder)
    monkeypatch.setattr(compiling, "_PACKAGE", tmp_path)
    return tmp_path


@pytest.fixture
def copied(package: Path) -> Path:
    return package / FOLDERS[0]


def _fingerprint(file: Path) -> str:
    return compiling.fingerprint.__wrapped__(file)


def test_a_change_in_a_kernel_behind_is_noticed(copied: Path) -> None:
    """deck_tables.py calls hand_values.py: the compiler alone would go on with the old values."""
    before = {name: _fingerprint(copied / name) for name in ("deck_tables.py", "hand_values.py")}
    assert before["deck_tables.py"] == _fingerprint(copied / "deck_tables.py")
    (copied / "hand_values.py").write_text((copied / "hand_values.py").read_text() + "# changed\n")
    after = {name: _fingerprint(copied / name) for name in before}
    assert before["deck_tables.py"] != after["deck_tables.py"]
    assert before["hand_values.py"] != after["hand_values.py"]


def test_a_change_in_another_folder_is_noticed_too(package: Path) -> None:
    """The rounds that are simulated call what settles them, and that the values of hands."""
    rounds, rest = package / "simulate/street_rounds.py", package / FOLDERS[0] / "hand_values.py"
    seen = [_fingerprint(rounds)]
    for file in (package / "simulate/settling.py", package / "simulate/card_tables.py", rest):
        file.write_text(file.read_text() + "# changed\n")
        seen.append(_fingerprint(rounds))
    assert len(set(seen)) == 4


def test_a_change_elsewhere_is_not(copied: Path) -> None:
    before = _fingerprint(copied / "hand_values.py")
    (copied / "deck_tables.py").write_text("# gone\n")
    assert _fingerprint(copied / "hand_values.py") == before


def test_a_read_only_place_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for asked, kept in (("below", "home/riverboat/compiled"), ("asked", "asked")):
        place = file / asked if asked == "below" else tmp_path / asked
        monkeypatch.setenv("NUMBA_CACHE_DIR", str(place))
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "home"))
        monkeypatch.setattr(compiling.config, "CACHE_DIR", "")
        keep_compiled_code()
        assert compiling.config.CACHE_DIR == os.environ["NUMBA_CACHE_DIR"] == str(tmp_path / kept)
