"""Machine code is never kept longer than the text of everything that went into it."""

import os
import shutil
from pathlib import Path

import pytest

from riverboat.exact.caching import keep_compiled_code
from riverboat.exact.kernels import compiling

KERNELS = Path(compiling.__file__).parent


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for file in KERNELS.glob("*.py"):
        shutil.copy(file, tmp_path)
    monkeypatch.setattr(compiling, "_HERE", tmp_path)
    return tmp_path


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
