"""Accounts and sessions, beside the ledger in its database. Secrets are kept as hashes only."""

import secrets
import sqlite3
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from hashlib import sha256
from typing import Any, Final, Protocol

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.autopilot import DEMO
from riverboat.web.demo.tables import BOTS
from riverboat.web.roles import SIGNED_IN, Door, Guest

SESSION_SECONDS: Final = 12 * 3600
LEAST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
LONGEST_NAME: Final = 40
HOLD_SECONDS: Final = 5.0
PROGRAMS: Final = frozenset(name.casefold() for name in (*BOTS, *(one.name for one in DEMO)))
NOT_BEGIN: Final = ("guest", "lab ", "automatic")
"""How names of visitors, of the laboratory and of programs begin, in whatever letters."""
_TABLES: Final = (
    "create table if not exists door_account (name text primary key, door text not null,"
    " password text not null, must_change integer not null, closed integer not null)",
    "create table if not exists door_session (token text primary key, name text not null,"
    " door text not null, demo integer not null, expires_at bigint not null)",
)


class Database(Protocol):
    """A few statements, on either database."""

    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """One statement in a transaction of its own; `?` marks a value."""

    def hold(self, what: str) -> AbstractContextManager[None]:
        """Keeps other processes from the same thing meanwhile."""

    def close(self) -> None:
        """Let go of it."""


class Account(Struct, frozen=True, kw_only=True):
    """Somebody who may sign in."""

    name: str
    door: Door
    must_change: bool
    closed: bool


class Accounts:
    """Who may come in, and who is in."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], float] = time.time,
        hasher: PasswordHasher | None = None,
    ) -> None:
        self._database, self._clock = database, clock
        self._hasher = hasher or PasswordHasher()
        # A wrong name takes as long as a wrong password.
        self._nobody = self._hasher.hash(secrets.token_urlsafe(16))
        with database.hold("door tables"):
            for statement in _TABLES:
                database.run(statement)

    # ---------------------------------------------------------------- accounts

    def all(self) -> list[Account]:
        """Every account, by name."""
        rows = self._database.run(
            "select name, door, must_change, closed from door_account order by name"
        )
        return [
            Account(name=name, door=door, must_change=bool(change), closed=bool(closed))
            for name, door, change, closed in rows
        ]

    def add(self, name: str, door: str, password: str, *, must_change: bool = True) -> None:
        """A new account; what somebody else chose as a password is changed at the first sign-in.

        Two names that look alike would be one person to everybody who reads the record.
        """
        if door not in SIGNED_IN:
            raise NotationError("account.door", f"{door!r} is no role; {', '.join(SIGNED_IN)} are")
        name = plain_name(name)
        _require_name(name)
        _require_password(password)
        kept = self._hasher.hash(password)
        with self._database.hold("door accounts"):
            like = [one.name for one in self.all() if one.name.casefold() == name.casefold()]
            made = not like and self._database.run(
                "insert into door_account values (?, ?, ?, ?, 0)"
                " on conflict (name) do nothing returning name",
                (name, door, kept, int(must_change)),
            )
        if not made:
            there = like[0] if like else name
            raise Refused("account.exists", f"there is an account {there} already", cites=())

    def first_administrator(self) -> str | None:
        """On first start: makes the administrator and tells the password, this once only, to
        whichever process was the first."""
        if self.all():
            return None
        password = secrets.token_urlsafe(12)
        try:
            self.add("admin", "administrator", password)
        except Refused:
            return None
        return password

    def change_password(self, name: str, old: str, new: str) -> None:
        """By the person, who knows the old one; other sessions end."""
        self._require(name, old)
        _require_password(new)
        if old == new:
            raise Refused("password.same", "the new password is the old one", cites=())
        self._database.run(
            "update door_account set password = ?, must_change = 0 where name = ?",
            (self._hasher.hash(new), name),
        )
        self._database.run("delete from door_session where name = ?", (name,))

    def give_password(self, name: str, password: str) -> None:
        """By the administrator, for somebody who forgot theirs; it is changed at the next sign-in
        and every session ends."""
        self._require_known(name)
        _require_password(password)
        self._database.run(
            "update door_account set password = ?, must_change = 1, closed = 0 where name = ?",
            (self._hasher.hash(password), name),
        )
        self._database.run("delete from door_session where name = ?", (name,))

    def close_account(self, name: str) -> None:
        """Nobody signs in with it any more, and whoever is in is out."""
        self._require_known(name)
        self._database.run("update door_account set closed = 1 where name = ?", (name,))
        self._database.run("delete from door_session where name = ?", (name,))

    def _require_known(self, name: str) -> None:
        if self._found(name) is None:
            raise Refused("account.unknown", f"there is no account {name}", cites=())

    def confirm(self, name: str, password: str) -> Account:
        """A second person who signs with name and password, without a session."""
        return self._require(name, password)

    # ---------------------------------------------------------------- sessions

    def sign_in(self, name: str, password: str) -> tuple[str, Guest]:
        """A session's token and who it stands for."""
        account = self._require(name, password)
        guest = Guest(name=account.name, door=account.door, must_change=account.must_change)
        return self._session(guest), guest

    def let_in(self, guest: Guest) -> str:
        """A session for somebody without an account: a visitor of the demo."""
        return self._session(guest)

    def guest(self, token: str) -> Guest | None:
        """Whose session it is; nobody's once it is over."""
        rows = self._database.run(
            "select s.name, s.door, s.demo, s.expires_at, coalesce(a.must_change, 0)"
            " from door_session s left join door_account a on a.name = s.name and s.demo = 0"
            " where s.token = ?",
            (_kept(token),),
        )
        if not rows or rows[0][3] < self._clock():
            return None
        name, door, demo, _, change = rows[0]
        return Guest(name=name, door=door, demo=bool(demo), must_change=bool(change))

    def sign_out(self, token: str) -> None:
        """The token is worth nothing any more."""
        self._database.run("delete from door_session where token = ?", (_kept(token),))

    def _session(self, guest: Guest) -> str:
        token = secrets.token_urlsafe(32)
        now = int(self._clock())
        self._database.run("delete from door_session where expires_at < ?", (now,))
        self._database.run(
            "insert into door_session values (?, ?, ?, ?, ?)",
            (_kept(token), guest.name, guest.door, int(guest.demo), now + SESSION_SECONDS),
        )
        return token

    def _found(self, name: str) -> tuple[Account, str] | None:
        rows = self._database.run(
            "select name, door, must_change, closed, password from door_account where name = ?",
            (plain_name(name),),
        )
        if not rows:
            return None
        name, door, change, closed, kept = rows[0]
        return Account(name=name, door=door, must_change=bool(change), closed=bool(closed)), kept

    def _goes_with(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password[:LONGEST_PASSWORD])
        except (VerificationError, InvalidHashError):
            return False

    def _require(self, name: str, password: str) -> Account:
        found = self._found(name)
        kept = self._nobody if found is None else found[1]
        if not self._goes_with(kept, password) or found is None or found[0].closed:
            raise Refused("sign_in.wrong", "that name and password do not go together", cites=())
        return found[0]


def plain_name(name: str) -> str:
    """A name as it is kept: however it was typed, the same letters are the same name."""
    return unicodedata.normalize("NFKC", name).strip()


def _require_name(name: str) -> None:
    if not name or len(name) > LONGEST_NAME:
        raise NotationError("account.name", f"a name has 1 to {LONGEST_NAME} characters")
    if "/" in name or not name.isprintable():
        text = "a name has letters, digits and spaces; no slash and nothing that cannot be seen"
        raise NotationError("account.name", text)
    folded = name.casefold()
    if folded in PROGRAMS or f"{folded} ".startswith(NOT_BEGIN):
        text = f"{name} is a name of visitors or programs here; choose another"
        raise Refused("account.name", text, cites=())


def _require_password(password: str) -> None:
    if not LEAST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        bounds = f"{LEAST_PASSWORD} to {LONGEST_PASSWORD} characters"
        raise Refused("password.length", f"a password has {bounds}", cites=())


def _kept(token: str) -> str:
    """What is stored of a token: enough to know it again, too little to use it."""
    return sha256(token.encode()).hexdigest()


class SqliteDatabase:
    """One connection, used in turn."""

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        self._lock = threading.Lock()

    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """One statement."""
        with self._lock:
            return self._db.execute(sql, tuple(values)).fetchall()

    @contextmanager
    def hold(self, what: str) -> Iterator[None]:
        """One process has the file to itself: whoever asks holds it."""
        yield

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


class PostgresDatabase:
    """A connection that is made again when it was lost."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = threading.Lock()
        self._link: Any = None

    def run(self, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """One statement; tried once more on a new connection."""
        import psycopg

        with self._lock:
            for last in (False, True):
                try:
                    if self._link is None or self._link.closed:
                        self._link = psycopg.connect(self._url, autocommit=True)
                    done = self._link.execute(sql.replace("?", "%s"), tuple(values))
                    return done.fetchall() if done.description else []
                except psycopg.OperationalError:
                    self._link = None
                    if last:
                        raise
        raise AssertionError("either answered or raised")

    @contextmanager
    def hold(self, what: str) -> Iterator[None]:
        """An advisory lock: it is gone with the connection, so that nothing stays held."""
        key = int.from_bytes(sha256(what.encode()).digest()[:8], "big", signed=True)
        until = time.monotonic() + HOLD_SECONDS
        while not self.run("select pg_try_advisory_lock(?)", (key,))[0][0]:
            if time.monotonic() > until:
                text = "somebody else is at it just now; try again"
                raise Refused("database.busy", text, cites=())
            time.sleep(0.01)
        try:
            yield
        finally:
            self.run("select pg_advisory_unlock(?)", (key,))

    def close(self) -> None:
        """End the connection."""
        with self._lock:
            if self._link is not None:
                self._link.close()


def database_at(url: str) -> Database:
    """The accounts' part of the database that carries the ledger."""
    if url.startswith(("postgresql://", "postgres://")):
        return PostgresDatabase(url)
    return SqliteDatabase(url.removeprefix("sqlite:///"))
