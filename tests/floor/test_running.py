"""What runs is what is checked: bytecode, and the packages that the program runs with."""

import base64
import hashlib
import importlib.util
import json
import marshal
import os
import py_compile
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

import riverboat
from riverboat.floor import starting
from riverboat.floor.audit.auditing import audit
from riverboat.floor.floor import Floor
from riverboat.floor.starting import (
    PACKAGE,
    Running,
    admit,
    admitted,
    bytecode_of,
    is_compiled_from,
    packages_loaded,
)
from riverboat.ledger import Ledger, LedgerMisfit, open_ledger
from riverboat.rulebooks import editions
from tests.floor.house import FLO, NOON, SECRET, SUE, TestClock, folder_ledger

STACKED = "def shuffle(*any):\n    return tuple(range(52))\n"
Mode = py_compile.PycInvalidationMode


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(folder_ledger(tmp_path)) as opened:
        yield opened


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A small program with bytecode, as an installer leaves it."""
    folder = tmp_path / "lib" / "riverboat"
    (folder / "core").mkdir(parents=True)
    for name in ("__init__.py", "core/__init__.py", "core/shuffling.py"):
        (folder / name).write_bytes((PACKAGE / name).read_bytes())
        py_compile.compile(str(folder / name), doraise=True)
    return folder


def floor_of(ledger: Ledger, package: Path) -> Floor:
    return Floor(ledger, editions(), SECRET, clock=TestClock(), package=package)


def replaced(source: Path, text: str, mode: Mode) -> None:
    """Other bytecode under a source that stays as it is, with a heading that says it fits."""
    own, stands = source.read_bytes(), source.stat()
    cached = importlib.util.cache_from_source(str(source))
    py_compile.compile(str(source), cfile=cached, doraise=True, invalidation_mode=mode)
    heading = Path(cached).read_bytes()[:16]
    code = compile(text, str(source), "exec")
    Path(cached).write_bytes(heading + marshal.dumps(code))
    assert (source.read_bytes(), source.stat().st_mtime) == (own, stands.st_mtime)


def require_refused(floor: Floor, code: str) -> str:
    before = floor.ledger.head()
    with pytest.raises(LedgerMisfit) as stopped:
        floor.start()
    assert stopped.value.code == code
    assert floor.ledger.head() == before
    return str(stopped.value)


# ---------------------------------------------------------------- bytecode


@pytest.mark.parametrize("mode", Mode)
@pytest.mark.parametrize("known", [False, True], ids=["first start", "later start"])
def test_bytecode_that_is_not_its_sources_takes_no_command(
    ledger: Ledger, package: Path, mode: Mode, known: bool
) -> None:
    if known:
        floor_of(ledger, package).start()
    replaced(package / "core" / "shuffling.py", STACKED, mode)
    text = require_refused(floor_of(ledger, package), "program.bytecode")
    assert "shuffling" in text
    if known:
        with pytest.raises(LedgerMisfit):
            admit(ledger, editions(), NOON, SUE, FLO, "nobody can want this", package)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("52", "51"),
        ("range(52)", "list(range(52))"),
        ("places", "places=52"),
        (" + ", " - "),
        ("shuffle", "shuffled"),
        ("return cards", "return sorted(cards)"),
        ("    return", "\n    return"),
    ],
)
def test_any_change_of_what_runs_is_noticed(tmp_path: Path, old: str, new: str) -> None:
    """A number, a call, a default, an operator, a name, a result, and where it stands."""
    source = tmp_path / "deck.py"
    text = (
        "def shuffle(places):\n"
        "    cards = tuple(n + 0 * places for n in range(52))\n"
        "    return cards\n"
    )
    source.write_text(text)
    assert old in text
    heading = bytes(16)
    for written, same in ((text, True), (text.replace(old, new, 1), False)):
        code = compile(written, "elsewhere", "exec")
        assert is_compiled_from(heading + marshal.dumps(code), source) is same


@pytest.mark.parametrize("data", [b"", b"x" * 40, marshal.dumps((1, 2)), b"\xe3" + bytes(60)])
def test_what_is_no_code_is_not_its_sources(tmp_path: Path, data: bytes) -> None:
    source = tmp_path / "deck.py"
    source.write_text("a = 1\n")
    assert not is_compiled_from(bytes(16) + data, source)


def test_bytecode_without_a_source_takes_no_command(ledger: Ledger, package: Path) -> None:
    source = package / "core" / "shuffling.py"
    py_compile.compile(str(source), cfile=str(source.with_suffix(".pyc")))
    source.unlink()
    assert "has no source" in require_refused(floor_of(ledger, package), "program.changed")


def test_bytecode_that_python_does_not_use_is_no_matter(ledger: Ledger, package: Path) -> None:
    """Of a source that was changed since, of another Python, of a checked hash that is wrong."""
    source = package / "core" / "shuffling.py"
    replaced(source, STACKED, Mode.CHECKED_HASH)
    source.write_text(source.read_text() + "\n# changed\n")
    assert bytecode_of(source) is None
    replaced(source, STACKED, Mode.TIMESTAMP)
    os.utime(source, (1, 1))
    assert bytecode_of(source) is None
    floor_of(ledger, package).start()


def test_known_bytecode_is_not_compiled_again(
    ledger: Ledger, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the hashes that the ledger has, in another process; so that a start stays quick."""
    floor_of(ledger, package).start()
    monkeypatch.setattr(starting, "_COMPILED", set())
    monkeypatch.setattr(starting, "is_compiled_from", None)
    floor_of(ledger, package).start()
    assert len(admitted(ledger, riverboat.__version__)) == 1


@pytest.mark.slow
def test_a_stacked_shuffle_in_bytecode_alone_does_not_start(tmp_path: Path) -> None:
    """As it was done: the source untouched, every deck in one order."""
    left_out = ignore_patterns("__pycache__", "*.pyc", "exact", "static", "plots", "gym")
    place = Path(copytree(PACKAGE, tmp_path / "lib" / "riverboat", ignore=left_out))
    source = place / "core" / "shuffling.py"
    before = hashlib.sha256(source.read_bytes()).hexdigest()
    program = (
        "import sys; from riverboat.core.shuffling import shuffle\n"
        "from riverboat.floor.floor import Floor; from riverboat.floor.secret import MasterSecret\n"
        "from riverboat.ledger import open_ledger; from riverboat.rulebooks import editions\n"
        "print(shuffle() == shuffle())\n"
        "floor = Floor(open_ledger(sys.argv[1]), editions(), MasterSecret(bytes(32)))\n"
        "print(floor.start().components.files)\n"
    )
    told = []
    for change in (False, True):
        if change:
            replaced(source, source.read_text() + STACKED, Mode.UNCHECKED_HASH)
        ran = subprocess.run(
            [sys.executable, "-c", program, str(tmp_path / f"{change}.db")],
            cwd=place.parent,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        told.append((ran.returncode, ran.stdout.split()[0]))
    assert told == [(0, "False"), (1, "True")], "Python ran the bytecode"
    assert "shuffling.py compiles to" in ran.stderr
    assert hashlib.sha256(source.read_bytes()).hexdigest() == before


@pytest.mark.slow
def test_whoever_checks_says_first_that_it_is_not_the_program(tmp_path: Path) -> None:
    """A check by bytecode that somebody replaced is no check: of the start, or of the ledger."""
    place = Path(
        copytree(
            PACKAGE,
            tmp_path / "lib" / "riverboat",
            ignore=ignore_patterns("__pycache__", "*.pyc", "static"),
        )
    )
    ledger = folder_ledger(tmp_path)
    with open_ledger(ledger) as opened:
        Floor(opened, editions(), SECRET, clock=TestClock(), package=place).start()
    commands = (
        ("ledger", "check", "--database", ledger),
        ("verify", "--database", ledger),
        ("verify", "--chain-only", "--database", ledger),
    )

    def status(*asked: str) -> tuple[int, str]:
        ran = subprocess.run(
            [sys.executable, "-m", "riverboat", *asked, "--json"],
            cwd=place.parent,
            capture_output=True,
            text=True,
            timeout=240,
            check=False,
        )
        return ran.returncode, ran.stdout

    for asked in commands:
        assert status(*asked)[0] == 0, asked
    source = place / "core" / "shuffling.py"
    replaced(source, source.read_text() + STACKED, Mode.UNCHECKED_HASH)
    for asked in commands:
        ended, out = status(*asked)
        assert ended == 1, asked
        assert "shuffling.py compiles to" in out
        assert json.loads(out)["holds"] is False


# ---------------------------------------------------------------- packages


def installed(folder: Path, name: str, files: dict[str, str]) -> Path:
    """A package as an installer leaves it; the list of its files."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    rows = []
    for file, text in files.items():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest())
        rows.append(f"{file},sha256={digest.rstrip(b'=').decode()},{len(text)}")
        py_compile.compile(str(folder / file))
    (info / "WHEEL").write_text("Wheel-Version: 1.0\nTag: py3-none-any\n")
    (info / "RECORD").write_text("\n".join([*rows, "../../bin/x,sha256=AA,1", f"{name}.pyc,,", ""]))
    return info / "RECORD"


def found_in(folder: Path, record: Path, *loaded: str) -> dict[str, Running]:
    return {one.name: one for one in starting._packages_in(folder, [record], set(loaded))}


def test_a_package_is_held_against_its_own_list(tmp_path: Path) -> None:
    record = installed(tmp_path, "dice", {"dice/__init__.py": "a = 1\n", "dice/six.py": "b = 6\n"})
    (tmp_path / "stray.py").write_text("c = 1\n")
    own = found_in(tmp_path, record, "dice/__init__.py", "dice/six.py", "stray.py")
    package = own["dice 1.0 py3-none-any"]
    assert package.fault == ""
    assert len(package.sources) == 2
    assert own["of no package: stray.py"].sha256 == hashlib.sha256(b"c = 1\n").hexdigest()
    starting._require_compiled([package], ())
    (tmp_path / "dice/six.py").write_text("b = 5\n")
    changed = found_in(tmp_path, record, "dice/six.py")["dice 1.0 py3-none-any"]
    assert "dice/six.py of dice 1.0 is not as it was installed" in changed.fault
    assert changed.sha256 == package.sha256, "the list is what it was"


def test_a_packages_bytecode_is_its_sources(tmp_path: Path) -> None:
    record = installed(tmp_path, "dice", {"dice.py": "side = 6\n"})
    replaced(tmp_path / "dice.py", "side = 5\n", Mode.TIMESTAMP)
    one = found_in(tmp_path, record, "dice.py")["dice 1.0 py3-none-any"]
    assert one.fault == ""
    with pytest.raises(LedgerMisfit, match=r"is not what .*dice\.py compiles to"):
        starting._require_compiled([one], ())


def test_packages_are_on_record_and_another_of_the_same_version_is_refused(
    ledger: Ledger, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def loaded(*runs: Running) -> None:
        monkeypatch.setattr(starting, "packages_loaded", lambda: runs)

    monkeypatch.setattr(starting, "PACKAGE", package)
    loaded(Running("dice 1.0", "a" * 64, ()))
    told = floor_of(ledger, package).start()
    assert told.dependencies == {"dice 1.0": "a" * 64}
    assert "1 packages as installed" in str(told)
    loaded(Running("dice 1.0", "b" * 64, ()))
    require_refused(floor_of(ledger, package), "dependency.changed")
    admit(ledger, editions(), NOON, SUE, FLO, "rebuilt by hand", package)
    loaded(Running("dice 1.0", "b" * 64, ()), Running("dice 1.1", "c" * 64, ()))
    floor_of(ledger, package).start()
    last = admitted(ledger, riverboat.__version__)[-1]
    assert last.dependencies == {"dice 1.0": "b" * 64, "dice 1.1": "c" * 64}
    loaded(Running("dice 1.1", "c" * 64, (), "dice.py was changed"))
    require_refused(floor_of(ledger, package), "dependency.changed")
    found = audit(ledger, editions())
    assert found.holds, found.wrong


def test_what_this_process_runs_with_is_as_it_was_installed() -> None:
    runs = {one.name.split()[0].lower(): one for one in packages_loaded()}
    assert {"msgspec", "cryptography"} <= set(runs)
    assert [one.fault for one in runs.values() if one.fault] == []
