"""Before its first command a floor checks program, rulebooks and ledger; if not, it takes none."""

import base64
import hashlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

import riverboat
from riverboat.core.errors import Refused
from riverboat.floor.audit.auditing import audit
from riverboat.floor.floor import Floor
from riverboat.floor.starting import PACKAGE, PROGRAM, admit, admitted, components, start
from riverboat.keeping.actions import BringBack
from riverboat.ledger import ChainBroken, Ledger, LedgerMisfit, open_ledger
from riverboat.rulebooks import editions
from riverboat.table import actions as a
from tests.floor.house import (
    ANN,
    FLO,
    NOON,
    SECRET,
    SUE,
    House,
    TestClock,
    floor_on,
    folder_ledger,
    submitted,
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program as it was when these tests began."""
    left_out = ignore_patterns("__pycache__", "*.pyc")
    place = tmp_path_factory.mktemp("original") / "riverboat"
    return Path(copytree(PACKAGE, place, ignore=left_out))


@pytest.fixture
def ledger(tmp_path: Path, original: Path) -> Iterator[Ledger]:
    with open_ledger(folder_ledger(tmp_path)) as opened:
        floor = floor_on(opened)
        floor.package = original
        House(floor).open_table("T", submitted("maryland-2014", "T", "river"))
        yield opened


@pytest.fixture
def package(tmp_path: Path, original: Path) -> Path:
    """A copy of the program, to be changed."""
    return Path(copytree(original, tmp_path / "lib" / "riverboat"))


def floor_of(ledger: Ledger, package: Path) -> Floor:
    return Floor(ledger, editions(), SECRET, clock=TestClock(), package=package)


def require_no_command(floor: Floor, code: str) -> None:
    """Nothing that can be asked of a floor is done, and nothing is written of it."""
    before = floor.ledger.head()
    commands: tuple[Callable[[], object], ...] = (
        lambda: floor.ask("sit", ANN, "T", a.SitDown(seat=1)),
        lambda: floor.seal_deck("seal", "T", "red"),
        lambda: floor.keep("back", FLO, "river", BringBack()),
        floor.start,
    )
    for command in commands * 2:
        with pytest.raises((LedgerMisfit, ChainBroken)) as stopped:
            command()
        assert stopped.value.code == code
    assert floor.ledger.head() == before


def flip(path: Path, at: int = -2) -> None:
    """One bit of one byte."""
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)


# ---------------------------------------------------------------- the program


def test_the_same_program_starts_and_is_on_record_once(
    ledger: Ledger, package: Path, original: Path
) -> None:
    for _ in range(2):
        told = floor_of(ledger, package).start()
        assert told.components == components(editions(), original)
    (entry,) = admitted(ledger, riverboat.__version__)
    assert entry.program_sha256 == told.components.program_sha256
    assert entry.rulebooks == {name: sha256 for name, (_, sha256) in editions().items()}
    assert ledger.read(PROGRAM + riverboat.__version__)[0].seq == 2, "after the secret's"
    words = str(told)
    assert riverboat.__version__ in words
    assert all(name in words for name in editions())
    assert told.components.program_sha256[:12] in words


@pytest.mark.parametrize(
    "name", ["core/money.py", "rulebooks/maryland-2014.toml", "floor/floor.py"]
)
def test_a_program_with_one_byte_changed_takes_no_command(
    ledger: Ledger, package: Path, name: str
) -> None:
    flip(package / name)
    require_no_command(floor_of(ledger, package), "program.changed")


@pytest.mark.parametrize("change", ["added", "removed", "renamed"])
def test_a_program_with_another_file_takes_no_command(
    ledger: Ledger, package: Path, change: str
) -> None:
    match change:
        case "added":
            (package / "more.py").write_text("")
        case "removed":
            (package / "gym" / "environments.py").unlink()
        case "renamed":
            (package / "gym" / "environments.py").rename(package / "gym" / "environment.py")
    require_no_command(floor_of(ledger, package), "program.changed")


def test_a_checkout_that_was_changed_is_put_on_record_anew(ledger: Ledger, package: Path) -> None:
    (package.parent / ".git").mkdir()
    flip(package / "core/money.py")
    for _ in range(2):
        floor_of(ledger, package).start()
    first, second = admitted(ledger, riverboat.__version__)
    assert first.program_sha256 != second.program_sha256
    assert second.program_sha256 == components(editions(), package).program_sha256
    other = {**editions(), "house-demo": (editions()["house-demo"][0], "0" * 64)}
    with pytest.raises(LedgerMisfit, match="house-demo"):
        Floor(ledger, other, SECRET, clock=TestClock(), package=package).start()


def listed(package: Path) -> None:
    """The list of hashes that an installer puts beside a package."""
    info = package.parent / f"riverboat-{riverboat.__version__}.dist-info"
    info.mkdir()
    rows = []
    for file in sorted(package.rglob("*")):
        if file.is_file():
            digest = base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest())
            text = digest.rstrip(b"=").decode()
            rows.append(f"{file.relative_to(package.parent).as_posix()},sha256={text},1")
    (info / "RECORD").write_text("\n".join([*rows, f"{info.name}/RECORD,,", ""]))


@pytest.mark.parametrize("name", ["", "core/money.py", "ledger/migrations"])
def test_an_installed_program_is_held_against_its_own_list(
    tmp_path: Path, package: Path, original: Path, name: str
) -> None:
    """On a ledger that knows no program yet: there the list alone can notice."""
    listed(package)
    path = package / name
    if name:
        flip(path if path.is_file() else next(path.rglob("*.sql")))
    with open_ledger(tmp_path / "new.db") as empty:
        if name:
            require_no_command(floor_of(empty, package), "program.changed")
        else:
            assert floor_of(empty, package).start().components.listed
            assert not floor_of(empty, original).start().components.listed


def test_a_changed_program_is_admitted_by_two_people_with_a_reason(
    ledger: Ledger, package: Path, original: Path
) -> None:
    flip(package / "core/money.py")
    for by, second, reason in ((FLO, SUE, "x"), (SUE, SUE, "x"), (SUE, FLO, " ")):
        with pytest.raises(Refused):
            admit(ledger, editions(), NOON, by, second, reason, package)
    require_no_command(floor_of(ledger, package), "program.changed")
    admit(ledger, editions(), NOON, SUE, FLO, "a repair of the sign", package)
    floor_of(ledger, package).ask("sit", ANN, "T", a.SitDown(seat=1))
    require_no_command(floor_of(ledger, original), "program.changed")
    last = admitted(ledger, riverboat.__version__)[-1]
    assert (last.by, last.second, last.reason) == (SUE, FLO, "a repair of the sign")
    found = audit(ledger, editions(), SECRET)
    assert found.holds, found.wrong
    assert found.counts["programs"] == 2


# ---------------------------------------------------------------- rulebooks and ledger


def test_another_text_of_a_known_rulebook_takes_no_command(ledger: Ledger, original: Path) -> None:
    books = dict(editions())
    book, sha256 = books["maryland-2014"]
    changed = ("0" if sha256[0] != "0" else "1") + sha256[1:]
    books["maryland-2014"] = (book, changed)
    floor = Floor(ledger, books, SECRET, clock=TestClock(), package=original)
    require_no_command(floor, "rulebook.changed")


def test_a_further_rulebook_is_put_on_record_and_then_known(ledger: Ledger, original: Path) -> None:
    books = dict(editions())
    books["our-own"] = (books["house-demo"][0], "a" * 64)
    start(ledger, books, NOON, original)
    assert len(admitted(ledger, riverboat.__version__)) == 2
    start(ledger, editions(), NOON, original)
    assert len(admitted(ledger, riverboat.__version__)) == 2
    books["our-own"] = (books["house-demo"][0], "b" * 64)
    with pytest.raises(LedgerMisfit) as changed:
        start(ledger, books, NOON, original)
    assert changed.value.code == "rulebook.changed"


def test_a_ledger_with_one_byte_changed_takes_no_command(
    tmp_path: Path, ledger: Ledger, original: Path
) -> None:
    with sqlite3.connect(tmp_path / "floor.db") as db:
        for (name,) in db.execute(
            "select name from sqlite_schema where type = 'trigger'"
        ).fetchall():
            db.execute(f"drop trigger {name}")
        db.execute("update entry set actor = replace(actor, 'Flo', 'Flp') where seq = 3")
    db.close()
    require_no_command(floor_of(ledger, original), "ledger.broken")


def test_verify_says_which_program_and_rulebooks_it_is(ledger: Ledger, package: Path) -> None:
    told = audit(ledger, editions(), SECRET).components
    assert told == components(editions())
    assert told.version == riverboat.__version__
    assert told.rulebooks == {name: sha256 for name, (_, sha256) in editions().items()}
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.relative_to(package).as_posix()}\n"
        for file in package.rglob("*")
        if file.is_file()
    ]
    manifest = "".join(sorted(lines, key=lambda line: line.split("  ")[1]))
    by_hand = hashlib.sha256(manifest.encode()).hexdigest()
    assert components(editions(), package).program_sha256 == by_hand
