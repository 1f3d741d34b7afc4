"""Who comes through which door, and whom that makes at a table; accounts and sessions, beside the
ledger in its database. Secrets are kept as hashes only."""

import secrets
import time
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from typing import Final, Literal, TypeAlias, get_args

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct

from riverboat.core.errors import NotationError, Refused
from riverboat.ledger import Database
from riverboat.table.people import Actor, Role

Door: TypeAlias = Literal[
    "visitor", "player", "dealer", "supervisor", "manager", "auditor", "administrator"
]
DOORS: Final = get_args(Door)
SIGNED_IN: Final = tuple(door for door in DOORS if door != "visitor")
STAFF: Final = ("dealer", "supervisor", "manager", "administrator")
SESSION_SECONDS: Final = 12 * 3600
LEAST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
LONGEST_NAME: Final = 40
_COLUMNS: Final = "name, door, must_change, closed"
_AT_THE_TABLE: Final[dict[str, Role]] = {
    "visitor": "player",
    "player": "player",
    "dealer": "dealer",
    "supervisor": "supervisor",
    "manager": "supervisor",
    "administrator": "supervisor",
}


class Guest(Struct, frozen=True, kw_only=True):
    """Somebody with a session: a name, a door, and whether only demo tables are open to them."""

    name: str
    door: Door
    demo: bool = False
    must_change: bool = False

    @property
    def actor(self) -> Actor | None:
        """Who this is at a table; nobody, for an auditor."""
        role = _AT_THE_TABLE.get(self.door)
        return None if role is None else Actor(name=self.name, role=role)

    def own(self, command_id: str) -> str:
        """A command's id as it is stored: nobody can take one that another, or a program, mints."""
        return f"by {sha256(self.name.encode()).hexdigest()[:12]} {command_id}"

    @property
    def owns(self) -> str:
        """Whose a table is that they open: a visitor's is the visitor's, any other the floor's."""
        return self.name if self.door == "visitor" else ""

    @property
    def plays(self) -> bool:
        """Whether this is a player's door."""
        return self.door in ("visitor", "player")


# ---------------------------------------------------------------- accounts and sessions


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

    # ---------------------------------------------------------------- accounts

    def all(self) -> list[Account]:
        """Every account, by name."""
        rows = self._database.run(f"select {_COLUMNS} from door_account order by name")
        return [_account(*row) for row in rows]

    def add(self, name: str, door: str, password: str, *, must_change: bool = True) -> None:
        """A new account; what somebody else chose as a password is changed at the first sign-in.

        Two names that look alike would be one person to everybody who reads the record.
        """
        if door not in SIGNED_IN:
            raise NotationError("account.door", f"{door!r} is no role; {', '.join(SIGNED_IN)} are")
        name = plain_name(name)
        _require_name(name)
        _require_password(password)
        made = self._database.run(
            "insert into door_account (name, folded_name, door, password, must_change, closed)"
            " values (?, ?, ?, ?, ?, 0) on conflict do nothing returning name",
            (name, folded_name(name), door, self._hasher.hash(password), int(must_change)),
        )
        if not made:
            there = self.has_like(name)
            raise Refused("account.exists", f"there is an account {there} already", cites=())

    def has_like(self, name: str) -> str:
        """The account whose name looks like this one; empty where there is none."""
        like = "select name from door_account where folded_name = ?"
        found = self._database.run(like, (folded_name(plain_name(name)),))
        return str(found[0][0]) if found else ""

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
        self.confirm(name, old)
        _require_password(new)
        if old == new:
            raise Refused("password.same", "the new password is the old one", cites=())
        self._change(name, "password = ?, must_change = 0", self._hasher.hash(new))

    def give_password(self, name: str, password: str) -> None:
        """By the administrator, for somebody who forgot theirs; it is changed at the next sign-in
        and every session ends."""
        self._require_known(name)
        _require_password(password)
        kept = self._hasher.hash(password)
        self._change(name, "password = ?, must_change = 1, closed = 0", kept)

    def close_account(self, name: str) -> None:
        """Nobody signs in with it any more, and whoever is in is out."""
        self._require_known(name)
        self._change(name, "closed = 1")

    def _change(self, name: str, what: str, *values: object) -> None:
        """Whoever is in with the account as it was is out."""
        self._database.run(f"update door_account set {what} where name = ?", (*values, name))
        self._database.run("delete from door_session where name = ?", (name,))

    def _require_known(self, name: str) -> None:
        if self._found(name) is None:
            raise Refused("account.unknown", f"there is no account {name}", cites=())

    def confirm(self, name: str, password: str) -> Account:
        """Somebody who signs with name and password, without a session."""
        found = self._found(name)
        kept = self._nobody if found is None else found[1]
        if not self._goes_with(kept, password) or found is None or found[0].closed:
            raise Refused("sign_in.wrong", "that name and password do not go together", cites=())
        return found[0]

    # ---------------------------------------------------------------- sessions

    def sign_in(self, name: str, password: str) -> tuple[str, Guest]:
        """A session's token and who it stands for."""
        account = self.confirm(name, password)
        guest = Guest(name=account.name, door=account.door, must_change=account.must_change)
        return self.let_in(guest), guest

    def let_in(self, guest: Guest) -> str:
        """A session for somebody, who may have no account: a visitor of the demo."""
        token = secrets.token_urlsafe(32)
        now = int(self._clock())
        self._database.run("delete from door_session where expires_at < ?", (now,))
        self._database.run(
            "insert into door_session values (?, ?, ?, ?, ?)",
            (_kept(token), guest.name, guest.door, int(guest.demo), now + SESSION_SECONDS),
        )
        return token

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

    def _found(self, name: str) -> tuple[Account, str] | None:
        like = f"select {_COLUMNS}, password from door_account where name = ?"
        for *columns, kept in self._database.run(like, (plain_name(name),)):
            return _account(*columns), kept
        return None

    def _goes_with(self, kept: str, password: str) -> bool:
        try:
            return self._hasher.verify(kept, password[:LONGEST_PASSWORD])
        except (VerificationError, InvalidHashError):
            return False


def _account(name: str, door: Door, must_change: int, closed: int) -> Account:
    return Account(name=name, door=door, must_change=bool(must_change), closed=bool(closed))


def plain_name(name: str) -> str:
    """A name as it is kept: however it was typed, the same letters are the same name."""
    return unicodedata.normalize("NFKC", name).strip()


def folded_name(name: str) -> str:
    """What two names that look alike have in common, and no two accounts."""
    return unicodedata.normalize("NFKC", plain_name(name).casefold())


def _require_name(name: str) -> None:
    if not name or len(name) > LONGEST_NAME:
        raise NotationError("account.name", f"a name has 1 to {LONGEST_NAME} characters")
    if "/" in name or not name.isprintable():
        text = "a name has letters, digits and spaces; no slash and nothing that cannot be seen"
        raise NotationError("account.name", text)


def _require_password(password: str) -> None:
    if not LEAST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        bounds = f"{LEAST_PASSWORD} to {LONGEST_PASSWORD} characters"
        raise Refused("password.length", f"a password has {bounds}", cites=())


def _kept(token: str) -> str:
    """What is stored of a token: enough to know it again, too little to use it."""
    return sha256(token.encode()).hexdigest()
