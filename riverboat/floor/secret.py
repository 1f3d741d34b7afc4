"""The floor's secret: its file, the keys that come of it, and its fingerprint in the ledger.

The secret lies in a file outside the database. The ledger has a random id of the floor and the
fingerprint of its secret from the first start on, so that another secret, or none, is noticed
before anything is sealed with it. Of two processes that begin a new ledger with two secrets, the
first one's stands and the other is refused.

The key of a commitment is derived from the secret, the floor's id, the table, the commitment's
number and its root, which is drawn anew for each: so every process of a floor has it without
storing it anywhere, giving one away after its round tells nothing of the others, and none opens a
deck of another floor, or one that a restored copy of this floor sealed.

A new secret is kept in `FILE.new` until the ledger knows it, and then becomes `FILE`. So a start
that was interrupted goes on, and a `FILE` beside an empty ledger is one whose ledger is gone.
"""

import hashlib
import hmac
import os
from pathlib import Path
from typing import Final, Protocol, Self

import msgspec
from msgspec import MsgspecError, Struct

from riverboat.core.errors import NotationError
from riverboat.core.fairness import framed
from riverboat.core.sealing import RoundKey
from riverboat.ledger import Command, Ledger, LedgerMisfit, Row, SigningKey, StaleVersion, Write
from riverboat.table.people import SYSTEM, Actor, require_two

FLOOR: Final = "floor/"
SECRETS: Final = f"{FLOOR}secret"
_TABLES: Final = "table/"
_KEY_TAG: Final = b"riverboat commitment key v2"
_MARK_TAG: Final = b"riverboat command mark v2"
_SIGNING_TAG: Final = b"riverboat head key v1"
_PRINT_TAG: Final = b"riverboat floor secret v1"
_SECRET_BYTES: Final = 32
_ID_BYTES: Final = 16
_TRIES: Final = 3


class FloorEntry(Struct, frozen=True, kw_only=True):
    """Whose secret seals what a ledger hides: first the one that the floor began with; then, where
    that was lost, another that two people put in its place."""

    floor: str
    secret: str
    by: Actor
    second: Actor | None = None
    reason: str = ""


_entries: msgspec.json.Decoder[FloorEntry] = msgspec.json.Decoder(FloorEntry)


class MasterSecret:
    """Thirty-two bytes that only the floor's processes have."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != _SECRET_BYTES:
            raise NotationError("secret.length", f"a floor's secret has {_SECRET_BYTES} bytes")
        self._secret = secret

    @classmethod
    def fresh(cls) -> Self:
        """A secret that nobody has seen."""
        return cls(os.urandom(_SECRET_BYTES))

    def __repr__(self) -> str:
        return "MasterSecret(…)"

    def fingerprint(self, floor: str) -> str:
        """Tells secrets of a floor apart and gives none away."""
        return self._derived(_PRINT_TAG, floor.encode()).hex()

    def of(self, floor: str) -> "FloorSecret":
        """The secret as the floor with this id uses it."""
        return FloorSecret(floor, self._derived)

    def _derived(self, tag: bytes, *fields: bytes) -> bytes:
        return hmac.digest(self._secret, framed(tag, *fields), hashlib.sha256)


class _Derived(Protocol):
    def __call__(self, tag: bytes, *fields: bytes) -> bytes: ...


class FloorSecret:
    """A secret at one floor: nothing that it makes fits another."""

    def __init__(self, floor: str, derived: _Derived) -> None:
        self.floor, self._floor, self._derived = floor, floor.encode(), derived

    def __repr__(self) -> str:
        return "FloorSecret(…)"

    def key_of(self, table: str, commitment: int, root: str) -> RoundKey:
        """The key that seals the cards of one commitment."""
        fields = self._floor, table.encode(), b"%d" % commitment, root.encode()
        return RoundKey(self._derived(_KEY_TAG, *fields))

    def mark_of(self, text: bytes) -> str:
        """A mark of something that must not be read: the same for the same, and tells no more."""
        return self._derived(_MARK_TAG, self._floor, text).hex()

    def signing_key(self) -> SigningKey:
        """What signs the heads of the floor's ledger: whoever has its secret."""
        return SigningKey(self._derived(_SIGNING_TAG, self._floor))


# ---------------------------------------------------------------- in the ledger


def floor_entries(ledger: Ledger) -> list[FloorEntry]:
    """What a ledger has on record of its floor's secrets; the last one counts."""
    return [read_floor_entry(row) for row in ledger.read(SECRETS)]


def read_floor_entry(row: Row) -> FloorEntry:
    """An entry about a floor's secret from its row."""
    try:
        return _entries.decode(row.body)
    except MsgspecError as problem:
        text = f"row {row.seq}, {SECRETS}, cannot be read: {problem}"
        raise NotationError("stored.unreadable", text) from None


def known_secret(ledger: Ledger, secret: MasterSecret) -> FloorSecret:
    """A secret at the floor whose it is; refused where the ledger knows another, or none."""
    entries = floor_entries(ledger)
    if not entries:
        text = "no floor was ever opened on this ledger, so that no secret is its own"
        raise LedgerMisfit("secret.no_floor", text)
    return _fitting(entries[-1], secret)


def _fitting(last: FloorEntry, secret: MasterSecret) -> FloorSecret:
    offered = secret.fingerprint(last.floor)
    if not hmac.compare_digest(offered, last.secret):
        text = (
            f"this is another floor's secret: its fingerprint is {offered[:16]}, this ledger's "
            f"floor has {last.secret[:16]}. Give the file that belongs to this ledger; if that is "
            "lost for good, `riverboat ledger recover` says what is lost with it and goes on"
        )
        raise LedgerMisfit("secret.other", text)
    return secret.of(last.floor)


def begin_floor(ledger: Ledger, secret: MasterSecret, at: int) -> FloorSecret:
    """The first start of a floor puts its id and its secret's fingerprint on record; every further
    one is held against them. Of those who begin together, one is first."""
    entries = floor_entries(ledger)
    if not entries:
        _require_no_tables(ledger)
        floor = os.urandom(_ID_BYTES).hex()
        entry = FloorEntry(floor=floor, secret=secret.fingerprint(floor), by=SYSTEM)
        try:
            _record(ledger, at, entry, expected=0)
        except StaleVersion:
            entry = floor_entries(ledger)[-1]
        entries = [entry]
    return _fitting(entries[-1], secret)


def _require_no_tables(ledger: Ledger) -> None:
    """Nobody invents a secret for what was sealed with another."""
    if any(row.stream.startswith(_TABLES) for row in ledger.read_all()):
        text = (
            "this ledger has tables and nothing on record about its floor's secret: it was not "
            "begun by this program, or its first rows are missing. Compare it with a backup"
        )
        raise LedgerMisfit("secret.not_on_record", text)


def replace_secret(
    ledger: Ledger, secret: MasterSecret, at: int, by: Actor, second: Actor, reason: str
) -> FloorEntry:
    """Two people put another secret in the place of one that is lost."""
    require_two(by, second, reason, "replacing a floor's secret")
    entries = floor_entries(ledger)
    if not entries:
        text = "no floor was ever opened on this ledger; the next start makes its secret"
        raise LedgerMisfit("secret.no_floor", text)
    floor = entries[-1].floor
    entry = FloorEntry(
        floor=floor, secret=secret.fingerprint(floor), by=by, second=second, reason=reason
    )
    _record(ledger, at, entry, expected=len(entries))
    return entry


def asked_of_floor(entry: FloorEntry) -> object:
    """What was asked for, as the column of its command has it."""
    return {"floor": entry.floor, "secret": entry.secret}


def _record(ledger: Ledger, at: int, entry: FloorEntry, *, expected: int) -> None:
    command = Command(
        id=f"secret {entry.floor} {expected} {os.urandom(8).hex()}",
        actor=msgspec.json.encode(entry.by).decode(),
        recorded_at=at,
        text=msgspec.json.encode(asked_of_floor(entry), order="sorted").decode(),
    )
    body = msgspec.json.encode(entry).decode()
    ledger.append(command, Write(stream=SECRETS, expected_version=expected, body=body))


# ---------------------------------------------------------------- in its file


def master_secret(path: Path) -> MasterSecret:
    """The secret in a file that is there; reading makes none."""
    try:
        return MasterSecret(path.read_bytes())
    except OSError as problem:
        raise NotationError("secret.file", f"{path}: {problem.strerror}") from None
    except NotationError as problem:
        raise NotationError(problem.code, f"{path}: {problem}") from None


def opening_secret(path: Path, ledger: Ledger, at: int, *, new_floor: bool = False) -> MasterSecret:
    """The secret of a floor that opens on a ledger: the one in its file, or, for a floor that never
    was, a new one. The ledger knows it before the file has its name."""
    for _ in range(_TRIES):
        if _is_there(path):
            secret = master_secret(path)
            if not new_floor:
                _require_floor(path, ledger)
            begin_floor(ledger, secret, at)
            return secret
        opened = bool(floor_entries(ledger))
        if opened and not _is_there(_waiting(path)):
            if _is_there(path):
                continue
            raise _missing(path)
        secret, made = new_secret(path)
        try:
            begin_floor(ledger, secret, at)
        except LedgerMisfit:
            if made:
                drop_new_secret(path)
            if not _is_there(path):
                raise
            continue
        if keep_new_secret(path):
            return secret
    raise NotationError("secret.file", f"{path} comes and goes; start one process first")


def _require_floor(path: Path, ledger: Ledger) -> None:
    if not floor_entries(ledger) and ledger.head().seq == 0:
        text = (
            f"{path} is the secret of a floor, and this ledger is empty: it is another floor's, or "
            "was removed. Give the `database` that belongs to this secret, or restore its "
            "backup; for a new floor give another `secret` file, or say `new_floor`"
        )
        raise NotationError("secret.without_ledger", text)


def _missing(path: Path) -> NotationError:
    """For a floor that has a secret already, none is invented."""
    text = (
        f"{path} is not there, and this ledger's floor has a secret: bring the file back, or name "
        "it as `secret`. If it is lost for good, `riverboat ledger recover` says what is lost with "
        "it and goes on"
    )
    return NotationError("secret.missing", text)


def new_secret(path: Path) -> tuple[MasterSecret, bool]:
    """A secret that waits beside where its file will be, readable by its owner alone; and whether
    it was made just now. It is there as a whole or not at all."""
    waiting = _waiting(path)
    draft = path.with_name(f"{path.name}.{os.urandom(8).hex()}")
    try:
        handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(os.urandom(_SECRET_BYTES))
                file.flush()
                os.fsync(file.fileno())
            os.link(draft, waiting)
        except FileExistsError:
            return master_secret(waiting), False
        finally:
            draft.unlink(missing_ok=True)
    except OSError as problem:
        raise NotationError("secret.file", f"{path}: {problem.strerror}") from None
    return master_secret(waiting), True


def keep_new_secret(path: Path) -> bool:
    """Give a secret that waits its file; whether it was still there to be given."""
    try:
        os.link(_waiting(path), path)
        drop_new_secret(path)
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except (FileExistsError, FileNotFoundError):
        return False
    except OSError as problem:
        raise NotationError("secret.file", f"{path}: {problem.strerror}") from None
    return True


def _waiting(path: Path) -> Path:
    return path.with_name(f"{path.name}.new")


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def drop_new_secret(path: Path) -> None:
    """A secret that waits and that no ledger knows."""
    _waiting(path).unlink(missing_ok=True)
