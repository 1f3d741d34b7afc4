"""Machine code is never kept longer than the text of everything that went into it."""

import shutil
from pathlib import Path

import pytest

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
    """streets.py calls ranking.py: the compiler alone would go on with the old ranking."""
    before = {name: _fingerprint(copied / name) for name in ("streets.py", "ranking.py")}
    assert before["streets.py"] == _fingerprint(copied / "streets.py")
    (copied / "ranking.py").write_text((copied / "ranking.py").read_text() + "# changed\n")
    after = {name: _fingerprint(copied / name) for name in before}
    assert before["streets.py"] != after["streets.py"]
    assert before["ranking.py"] != after["ranking.py"]


def test_a_change_elsewhere_is_not(copied: Path) -> None:
    before = _fingerprint(copied / "ranking.py")
    (copied / "streets.py").write_text("# gone\n")
    assert _fingerprint(copied / "ranking.py") == before


def test_a_read_only_place_is_passed_over(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert compiling._shelf.__wrapped__(str(file / "below")) == KERNELS / "__pycache__"
