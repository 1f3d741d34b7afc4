"""Results on disk: named by what they depend on, never half written, never a reason to fail."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from riverboat.exact import caching
from riverboat.exact.caching import code_hash, is_kept, kept, user_directory

ROOT = Path(__file__).parent.parent.parent
QUESTION = {"what": "test", "asked": [1, 2]}


class Work:
    """Counts how often it is done."""

    def __init__(self) -> None:
        self.times = 0

    def __call__(self) -> dict[str, Any]:
        self.times += 1
        return {"ev": "-1/7", "rows": (1, 2), "time": self.times}


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "riverboat" / "answers"


def test_an_answer_is_worked_out_once_and_then_read(home: Path) -> None:
    work = Work()
    assert not is_kept(QUESTION)
    first = kept(QUESTION, work)
    assert kept(QUESTION, work) == first == {"ev": "-1/7", "rows": [1, 2], "time": 1}
    assert work.times == 1
    assert is_kept(QUESTION)
    assert [file.suffix for file in home.iterdir()] == [".json"], "no part of a file is left"


def test_fresh_works_it_out_again_and_keeps_the_new_answer(home: Path) -> None:
    work = Work()
    kept(QUESTION, work)
    assert kept(QUESTION, work, fresh=True)["time"] == 2
    assert kept(QUESTION, work)["time"] == 2


def test_another_question_or_other_code_is_another_entry(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = Work()
    kept(QUESTION, work)
    kept({**QUESTION, "asked": [1, 3]}, work)
    monkeypatch.setattr(caching, "code_hash", lambda *_: "other")
    kept(QUESTION, work)
    assert work.times == 3
    assert len(list(home.iterdir())) == 3


@pytest.mark.parametrize("spoil", ["", "{", "[]", "null", '{"question": 1}', "\0\xff"])
def test_a_spoiled_entry_is_worked_out_again_and_mended(home: Path, spoil: str) -> None:
    work = Work()
    kept(QUESTION, work)
    [entry] = home.iterdir()
    entry.write_text(spoil, "latin-1")
    assert kept(QUESTION, work)["time"] == 2
    assert kept(QUESTION, work)["time"] == 2


def test_an_entry_whose_answer_was_changed_is_not_believed(home: Path) -> None:
    work = Work()
    kept(QUESTION, work)
    [entry] = home.iterdir()
    content = json.loads(entry.read_text())
    content["answer"]["ev"] = "1/7"
    entry.write_text(json.dumps(content))
    assert kept(QUESTION, work)["ev"] == "-1/7"


def test_an_entry_of_another_question_under_this_name_is_not_believed(home: Path) -> None:
    work = Work()
    kept({"what": "other"}, work)
    [other] = home.iterdir()
    kept(QUESTION, work)
    [mine] = [file for file in home.iterdir() if file != other]
    mine.write_bytes(other.read_bytes())
    assert kept(QUESTION, work)["time"] == 3


def test_without_a_place_to_write_everything_works_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    monkeypatch.setenv("XDG_CACHE_HOME", str(blocked))
    work = Work()
    assert kept(QUESTION, work)["time"] == 1
    assert kept(QUESTION, work)["time"] == 2
    assert blocked.read_text() == "in the way"


def test_the_directory_is_the_users_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "not/absolute")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert user_directory() == tmp_path / ".cache" / "riverboat"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert user_directory() == tmp_path / "Library" / "Caches" / "riverboat"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert user_directory() == tmp_path / "local" / "riverboat" / "cache"


def test_the_code_hash_sees_every_source_and_every_rulebook(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    parts = (
        "exact/odds.py",
        "round/settlement/dues.py",
        "meter/amounts.py",
        "rulebook/play.py",
        "rulebooks/a.toml",
        "core/a.py",
    )
    for part in (*parts, "core/cards.py"):
        file = tmp_path / part
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("one")
    monkeypatch.setattr(caching, "_PACKAGE", tmp_path)
    seen = set()
    for part in ("", *parts):
        if part:
            (tmp_path / part).write_text("other")
        code_hash.cache_clear()
        seen.add(code_hash())
    assert len(seen) == len(parts) + 1
    code_hash.cache_clear()


def test_the_compiler_keeps_its_code_in_the_users_directory_or_in_a_passing_one(
    tmp_path: Path,
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    script = (
        "import os, riverboat.exact.caching as c\n"
        "c.keep_compiled_code()\n"
        "print(os.environ['NUMBA_CACHE_DIR'], os.path.isdir(os.environ['NUMBA_CACHE_DIR']))\n"
    )
    places = []
    for home in (tmp_path / "cache", blocked):
        environment = {**os.environ, "XDG_CACHE_HOME": str(home), "PYTHONPATH": str(ROOT)}
        environment.pop("NUMBA_CACHE_DIR", None)
        ran = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        place, exists = ran.stdout.split()
        assert exists == "True"
        places.append(Path(place))
    assert places[0].is_relative_to(tmp_path / "cache" / "riverboat" / "compiled")
    assert not places[1].exists(), "what cannot be kept is cleared away"
