"""Who comes through which door, and whom that makes at a table; accounts and sessions, beside the
ledger in its database. Secrets are kept as hashes only.

What happens to an account is an entry of the ledger, in the same transaction as the change of the
account itself: neither is ever without the other.
"""

import ipaddress
import re
import secrets
import time
import unicodedata
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.signers import (
    FLOOR_ITSELF,
    SIGNING_DOORS,
    WAIT_SECONDS,
    AccountClosed,
    AccountMade,
    AnyAccountEvent,
    GuessingStopped,
    PasswordChosen,
    PasswordGiven,
    Person,
    SignedIn,
    SignerApproved,
    account_entry,
    accounts_in,
    counts,
    folded_name,
    missing,
    plain_name,
    require_counts,
    require_may_happen,
    require_name,
    signer_in,
    stands_beside,
)
from riverboat.ledger import Database, Ledger, Reading, Write
from riverboat.table.people import Actor, Role

Door: TypeAlias = Literal[
    "visitor", "player", "dealer", "supervisor", "manager", "auditor", "administrator"
]
DOORS: Final = get_args(Door)
SIGNED_IN: Final = tuple(door for door in DOORS if door != "visitor")
STAFF: Final = ("dealer", "supervisor", "manager", "administrator")
SESSION_SECONDS: Final = 12 * 3600
BROWSER_SECONDS: Final = 90 * 24 * 3600
"""For how long somebody is known in a browser in which they signed in."""
MOST_BROWSERS: Final = 20
"""In which one person is known: the newest."""
LOOPBACK: Final = ("127.0.0.1", "::1")
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

    @property
    def person(self) -> Person:
        """Who this is where it is about accounts."""
        return Person(name=self.name, door=self.door)

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


# ---------------------------------------------------------------- passwords and tries

LEAST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
_LOOKED_AT: Final = 26
"""How much of a password is judged by what others choose; the rest only makes it longer, and would
make the judgement take as long as somebody likes."""
_GUESSED: Final = 3
"""Below this, of 0 to 4, it takes less than a hundred million guesses."""
_FAMOUS: Final = (
    *("correcthorsebatterystaple", "thisismypassword", "iloveyousomuch"),
    *("tobeornottobe", "thequickbrownfox"),
)
_UNSHIFTED: Final = str.maketrans("!@#$%^&*()", "1234567890")
_ON_LATIN_KEYS: Final = str.maketrans(
    "йцукенгшщзхъфывапролджэячсмитьбю", "qwertyuiop[]asdfghjkl;'zxcvbnm,."
)
"""A Russian word is typed on the keys of these letters, and lists have it so."""
_HOUSE: Final = ("riverboat", "casino", "dealer", "supervisor", "manager", "auditor")


def require_password(password: str, name: str) -> None:
    """Long enough, and not among those that are guessed first: the lists of passwords that others
    chose, names and words with digits, rows of keys, repetitions, the person and the house."""
    if not LEAST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        bounds = f"{LEAST_PASSWORD} to {LONGEST_PASSWORD} characters"
        raise Refused("password.length", f"a password has {bounds}", cites=())
    if is_guessed_first(password, name):
        text = (
            "this password is one of those that are guessed first: many people choose it or "
            "one like it; take several words that do not belong together"
        )
        raise Refused("password.common", text, cites=())


def is_guessed_first(password: str, name: str) -> bool:
    """Whether a guesser comes to it soon."""
    # Its lists take a moment to load, which only whoever chooses a password spends.
    from zxcvbn import zxcvbn

    own = [*_HOUSE, *_FAMOUS, name, *name.split()]
    spread = unicodedata.normalize("NFKD", password)
    plain = "".join(x for x in spread if not unicodedata.combining(x))
    typed = unicodedata.normalize("NFKC", password).casefold().translate(_ON_LATIN_KEYS)
    joined = "".join(x for x in plain if x.isalnum())
    once = re.sub(r"([^\W\d_]{3,})(?=.*\1)", "", joined[: 2 * _LOOKED_AT].casefold())
    every = (password, plain, joined, once, plain.translate(_UNSHIFTED), typed)
    forms = {one[:_LOOKED_AT] for one in every if one}
    return any(zxcvbn(one, user_inputs=own)["score"] < _GUESSED for one in forms)


class Limit(NamedTuple):
    """So many wrong tries in so many seconds."""

    tries: int
    seconds: int
    what: str


HERE: Final = Limit(8, 300, "tries for this name from here")
ADDRESS: Final = Limit(60, 300, "tries from this address")
NAME: Final = Limit(100, 3_600, "tries for this name from places where it never signed in")
REMEMBERED: Final = Limit(0, 24 * 3_600, "")
"""For how long it is remembered that somebody was tried for, until they come in and are told."""


class Place(NamedTuple):
    """Where a password is tried: an address, and whose place it is, if somebody is known there."""

    address: str
    known: str = ""

    @property
    def network(self) -> str:
        """The address as far as one household has it, of an IPv6 one the first half; nothing where
        it is this machine: a proxy there may stand for all, and is not believed."""
        try:
            found = ipaddress.ip_address(self.address)
        except ValueError:
            return self.address
        told = getattr(found, "ipv4_mapped", None) or found
        if str(told) in LOOPBACK:
            return ""
        if isinstance(told, ipaddress.IPv4Address):
            return str(told)
        return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))


class Spent(NamedTuple):
    """Tries that were counted before a password was looked at; `full`: the name's last one."""

    keys: tuple[str, ...]
    full: bool


class Tries:
    """Wrong passwords, counted for all processes, and before a password is looked at.

    Somebody is known where they work: in a browser in which they signed in before, or beside a
    keeper who asks them for a signature. There only the tries made there count, so that nobody else
    locks them out; elsewhere those for name and address, for the address, and for the name.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database, self._clock = database, clock

    def spend(self, name: str, place: Place) -> Spent:
        """Count a try, or refuse it: then no password is looked at. Who spells a name otherwise,
        or tries one that nobody has, is counted alike."""
        folded = folded_name(name)
        counted = [(f"{folded} at {place.known or place.network}", HERE)]
        if not place.known:
            counted += [(f"from {place.network}", ADDRESS)] * bool(place.network)
            counted.append((f"{folded} anywhere", NAME))
        count = 0
        for key, limit in counted:
            count = self._count(key, limit)
        self.count(f"{folded} since", REMEMBERED)
        full = not place.known and count == NAME.tries
        return Spent(tuple(_kept(key) for key, _ in counted), full)

    def _count(self, key: str, limit: Limit) -> int:
        tries, ends = self.count(key, limit)
        if tries > limit.tries:
            wait = max(1, ends - int(self._clock()))
            raise Refused("tries.many", f"too many {limit.what}; again in {wait} seconds", cites=())
        return tries

    def count(self, key: str, limit: Limit) -> tuple[int, int]:
        """One more, in one statement however many ask at once: how many since the count began, and
        when it begins anew."""
        now = int(self._clock())
        ((tries, ends),) = self._database.run(
            "insert into door_try values (?, 1, ?) on conflict (what) do update set"
            " tries = case when door_try.ends_at <= ? then 1 else door_try.tries + 1 end,"
            " ends_at = case when door_try.ends_at <= ? then ? else door_try.ends_at end"
            " returning tries, ends_at",
            (_kept(key), now + limit.seconds, now, now, now + limit.seconds),
        )
        if tries == 1:
            self._database.run("delete from door_try where ends_at <= ?", (now,))
        return int(tries), int(ends)

    def right(self, name: str, spent: Spent) -> int:
        """It was right after all: none of it counts; how many wrong ones there were since they came
        in last, a day long at most."""
        here, *others = spent.keys
        self._database.run("delete from door_try where what = ?", (here,))
        for key in others:
            self._database.run("update door_try set tries = tries - 1 where what = ?", (key,))
        since = _kept(f"{folded_name(name)} since")
        told = self._database.run("delete from door_try where what = ? returning tries", (since,))
        return int(told[0][0]) - 1 if told else 0


ONE_VISIT: Final = Limit(0, 60, "")
"""Signing in again within a minute is no entry of its own."""


# ---------------------------------------------------------------- accounts and sessions


class Account(Struct, frozen=True, kw_only=True):
    """Somebody who may sign in; `signs` where they sign for money, and then why they do not count
    as one of two people now, since when not, and who made account or password."""

    name: str
    door: Door
    must_change: bool
    closed: bool
    signs: bool = False
    counts: bool = False
    counts_from: int = 0
    waits_for: str = ""
    makers: tuple[str, ...] = ()

    @property
    def person(self) -> Person:
        """Who this is where it is about accounts."""
        return Person(name=self.name, door=self.door)


class Entered(NamedTuple):
    """Somebody who has come in: a session's token, who it stands for, and a token by which the
    browser is known again."""

    token: str
    guest: Guest
    browser: str


class Accounts:
    """Who may come in, and who is in."""

    def __init__(
        self,
        ledger: Ledger,
        clock: Callable[[], float] = time.time,
        hasher: PasswordHasher | None = None,
        wait_seconds: int = WAIT_SECONDS,
    ) -> None:
        self._ledger, self._database, self._clock = ledger, ledger.store, clock
        self._hasher = hasher or PasswordHasher()
        self._wait_seconds = wait_seconds
        self.tries = Tries(ledger.store, clock)
        # A wrong name takes as long as a wrong password.
        self._nobody = self._hasher.hash(secrets.token_urlsafe(16))

    # ---------------------------------------------------------------- accounts

    def all(self) -> list[Account]:
        """Every account, by name."""
        rows = self._database.run(f"select {_COLUMNS} from door_account order by name")
        return [self._told(_account(*row)) for row in rows]

    def signers(self) -> list[Account]:
        """Everybody who signs for money, by name."""
        rows = self._database.run(
            f"select {_COLUMNS} from door_account where door in (?, ?, ?) order by name",
            SIGNING_DOORS,
        )
        return [self._told(_account(*row)) for row in rows]

    def _told(self, account: Account) -> Account:
        if account.door not in SIGNING_DOORS:
            return account
        signer, now = signer_in(self._database, account.name), self._now()
        return replace(
            account,
            signs=True,
            counts=counts(signer, now),
            counts_from=signer.counts_from,
            waits_for=missing(account.name, signer, now)[1],
            makers=signer.makers,
        )

    def require_counts(self, name: str) -> None:
        """Somebody who asks for what takes two people is one of them."""
        require_counts(name, signer_in(self._database, name), self._now())

    def add(
        self, name: str, door: str, password: str, *, by: Person, second: Person | None = None
    ) -> None:
        """A new account; what somebody else chose as a password is changed at the first sign-in.

        Two names that look alike would be one person to everybody who reads the record. The account
        of somebody who signs for money is made by two people, where there are two.
        """
        name = plain_name(name)
        self.require_can_add(name, door, password)
        event = AccountMade(
            by=by,
            at=self._now(),
            door=door,
            waits=0 if by == FLOOR_ITSELF else self._wait_seconds,
            second=second,
            alone=door in SIGNING_DOORS and second is None and by != FLOOR_ITSELF,
        )
        values = (name, folded_name(name), door, self._hasher.hash(password))

        def change(reading: Reading) -> None:
            made = reading.run(
                "insert into door_account (name, folded_name, door, password, must_change, closed)"
                " values (?, ?, ?, ?, 1, 0) on conflict do nothing returning name",
                values,
            )
            if not made:
                there = _like(reading, name)
                raise Refused("account.exists", f"there is an account {there} already", cites=())

        self._record(name, event, change)

    def require_can_add(self, name: str, door: str, password: str) -> None:
        """A role, a name that nobody has, a password: what can be said before anybody signs."""
        if door not in SIGNED_IN:
            raise NotationError("account.door", f"{door!r} is no role; {', '.join(SIGNED_IN)} are")
        require_name(name)
        require_password(password, name)
        if there := self.has_like(name):
            raise Refused("account.exists", f"there is an account {there} already", cites=())

    def has_like(self, name: str) -> str:
        """The account whose name looks like this one; empty where there is none."""
        return _like(self._database, name)

    def first_administrator(self, name: str = "admin") -> str | None:
        """On first start: makes the administrator and tells the password, this once only, to
        whichever process was the first."""
        if self._database.run("select 1 from door_account limit 1"):
            return None
        password = secrets.token_urlsafe(12)
        try:
            self._close_lost()
            self.add(name, "administrator", password, by=FLOOR_ITSELF)
        except Refused:
            return None
        return password

    def _close_lost(self) -> None:
        """A ledger that was brought here without the accounts beside it: nobody of them signs in
        here until they are made anew, and that is said."""
        for name in accounts_in(self._database):
            if not signer_in(self._database, name).closed:
                event = AccountClosed(by=FLOOR_ITSELF, at=self._now())
                self._record(name, event, lambda reading: None)

    def change_password(self, name: str, old: str, new: str) -> None:
        """By the person, who knows the old one; other sessions end."""
        account, _ = self.confirm(name, old, Place("", f"session of {name}"))
        if old == new:
            raise Refused("password.same", "the new password is the old one", cites=())
        require_password(new, name)
        event = PasswordChosen(by=account.person, at=self._now())
        self._change(name, event, "password = ?, must_change = 0", self._hasher.hash(new))

    def give_password(self, name: str, password: str, *, by: Person) -> None:
        """By the administrator, for somebody who forgot theirs; it is changed at the next sign-in
        and every session ends. Whoever knows it could be them: so they do not count for a while."""
        account, _ = self._require_known(name)
        require_password(password, name)
        event = PasswordGiven(
            by=by, at=self._now(), waits=self._wait_seconds, reopened=account.closed
        )
        kept = self._hasher.hash(password)
        self._change(name, event, "password = ?, must_change = 1, closed = 0", kept)
        self._database.run("delete from door_browser where name = ?", (name,))

    def approve(self, name: str, *, by: Person) -> None:
        """Somebody who made neither account nor password says that this is who they say."""
        self._require_known(name)
        self._record(name, SignerApproved(by=by, at=self._now()), lambda reading: None)

    def close_account(self, name: str, *, by: Person) -> None:
        """Nobody signs in with it any more, and whoever is in is out."""
        self._require_known(name)
        self._change(name, AccountClosed(by=by, at=self._now()), "closed = 1")
        self._database.run("delete from door_browser where name = ?", (name,))

    def _change(self, name: str, event: AnyAccountEvent, what: str, *values: object) -> None:
        """Whoever is in with the account as it was is out."""

        def change(reading: Reading) -> None:
            reading.run(f"update door_account set {what} where name = ?", (*values, name))
            reading.run("delete from door_session where name = ? and demo = 0", (name,))

        self._record(name, event, change)

    def _record(self, name: str, event: AnyAccountEvent, change: Callable[[Reading], None]) -> None:
        """An entry and the change of the account, both or neither; judged while nobody else
        writes."""
        command, write = account_entry(name, event)

        def now(reading: Reading) -> tuple[Write, ...]:
            first = not reading.run("select 1 from door_account limit 1")
            others = isinstance(event, AccountMade) and _others_count(reading, event)
            change(reading)
            signers = partial(signer_in, reading)
            require_may_happen(name, event, signers, first=first, others_count=others)
            return (write,)

        self._ledger.append_in_turn(command, now)

    def _now(self) -> int:
        return int(self._clock())

    def _require_known(self, name: str) -> tuple[Account, str]:
        found = self._found(name)
        if found is None:
            raise Refused("account.unknown", f"there is no account {name}", cites=())
        return found

    def confirm(self, name: str, password: str, place: Place) -> tuple[Account, int]:
        """Somebody who signs with name and password, without a session, and how many wrong tries
        there were before. A try is counted before the password is looked at."""
        spent = self.tries.spend(name, place)
        found = self._found(name)
        kept = self._nobody if found is None else found[1]
        if not self._goes_with(kept, password) or found is None or found[0].closed:
            if spent.full and found is not None:
                event = GuessingStopped(by=FLOOR_ITSELF, at=self._now(), wrong_tries=NAME.tries)
                self._append(found[0].name, event)
            raise Refused("sign_in.wrong", "that name and password do not go together", cites=())
        return found[0], self.tries.right(name, spent)

    def _append(self, name: str, event: AnyAccountEvent) -> None:
        command, write = account_entry(name, event)
        self._ledger.append(command, write)

    # ---------------------------------------------------------------- sessions

    def sign_in(self, name: str, password: str, address: str = "", browser: str = "") -> Entered:
        """Somebody comes in, and is known in this browser from now on."""
        known = self._knows(browser, plain_name(name))
        place = Place(address, f"browser {_kept(browser)}" if known else "")
        account, wrong = self.confirm(name, password, place)
        guest = Guest(name=account.name, door=account.door, must_change=account.must_change)
        again, _ = self.tries.count(f"visit of {account.name}", ONE_VISIT)
        if again == 1 or wrong:
            event = SignedIn(by=guest.person, at=self._now(), wrong_tries=wrong)
            self._append(account.name, event)
        return Entered(self.let_in(guest), guest, self._known_from_now(browser, account.name))

    def _knows(self, browser: str, name: str) -> bool:
        """Whether somebody signed in here before."""
        found = self._database.run(
            "select 1 from door_browser where token = ? and name = ? and expires_at > ?",
            (_kept(browser), name, self._now()),
        )
        return bool(browser and found)

    def _known_from_now(self, browser: str, name: str) -> str:
        """A browser keeps its token, if this floor gave it out."""
        now = self._now()
        given = "select 1 from door_browser where token = ? and expires_at > ?"
        if not browser or not self._database.run(given, (_kept(browser), now)):
            browser = secrets.token_urlsafe(32)
        self._database.run("delete from door_browser where expires_at <= ?", (now,))
        self._database.run(
            "insert into door_browser values (?, ?, ?) on conflict (token, name)"
            " do update set expires_at = excluded.expires_at",
            (_kept(browser), name, now + BROWSER_SECONDS),
        )
        self._database.run(
            "delete from door_browser where name = ? and token not in"
            " (select token from door_browser where name = ?"
            f" order by expires_at desc, token limit {MOST_BROWSERS})",
            (name, name),
        )
        return browser

    def let_in(self, guest: Guest) -> str:
        """A session for somebody, who may have no account: a visitor of the demo."""
        token = secrets.token_urlsafe(32)
        now = self._now()
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


def _like(reading: Reading, name: str) -> str:
    like = "select name from door_account where folded_name = ?"
    found = reading.run(like, (folded_name(name),))
    return str(found[0][0]) if found else ""


def _others_count(reading: Reading, event: AccountMade) -> bool:
    """Whether somebody stands beside who makes an account of somebody that signs for money."""
    if event.door not in SIGNING_DOORS:
        return False
    others = (signer_in(reading, one) for one in accounts_in(reading) if one != event.by.name)
    return any(stands_beside(one, event.at) for one in others)


def _kept(token: str) -> str:
    """What is stored of a token: enough to know it again, too little to use it."""
    return sha256(token.encode()).hexdigest()
