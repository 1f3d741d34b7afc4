"""Names and passwords: which names are one name, which passwords are guessed first, and how often
anybody may guess.

Tries are counted in the database, so that they hold over all processes, and before a password is
looked at. Somebody is known where they work: in a browser in which they signed in before, or beside
a keeper who is signed in and asks them for a signature. There only the tries made there count, so
that nobody else locks them out. Everywhere else tries count for the name and the address, for the
address, and for the name from all such places together.
"""

import ipaddress
import unicodedata
from collections.abc import Callable
from hashlib import sha256
from typing import Final, NamedTuple

from riverboat.core.errors import NotationError, Refused
from riverboat.ledger import Database

LEAST_PASSWORD: Final = 10
LONGEST_PASSWORD: Final = 200
LONGEST_NAME: Final = 40
_LOOKED_AT: Final = 72
"""How much of a password is judged by what others choose; the rest only makes it longer."""
_GUESSED: Final = 3
"""Below this, of 0 to 4, it takes less than a hundred million guesses."""
_HOUSE: Final = ("riverboat", "casino", "dealer", "supervisor", "manager", "auditor")

# ---------------------------------------------------------------- names

_ALIKE: Final = str.maketrans("0|!1iıɩɪʟɑɡ", "ollllllllag")
"""Signs that are read as others, as small letters: a nought as an O, a one and an I as an L."""
_PASSING: Final = {
    "CYRILLIC": frozenset("абвгезіјкмнопрстухьѕԁԛԝһӏѵ"),
    "GREEK": frozenset("αβγεζηικμνορσςτυχωϲϳ"),
    "ARMENIAN": frozenset("աբզլկհյնոսցօ"),
}
"""Letters of other scripts that pass for Latin ones, small or capital."""
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
"""What counts as a letter or a sign and shows nothing."""
_TOGETHER: Final = frozenset(
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "KATAKANA-HIRAGANA"}
)
"""Scripts that one name may mix: those of East Asia, among which nothing passes for Latin."""
_UNMAPPED: Final = frozenset({"CHEROKEE", "LISU", "COPTIC", "DESERET", "OSAGE", "WARANG"})
"""Scripts in which Latin words can be spelled and which nobody here has compared."""


def plain_name(name: str) -> str:
    """A name as it is kept: however it was typed, the same letters are the same name."""
    return unicodedata.normalize("NFKC", name).strip()


def folded_name(name: str) -> str:
    """What two names that look alike have in common, and no two accounts: no capitals, no accents,
    one blank for many, and signs that are read as others as those. Other scripts cannot be read
    as Latin ones: such names are refused."""
    spread = unicodedata.normalize("NFKD", plain_name(name)).casefold()
    shown = [x for x in spread if not unicodedata.category(x).startswith("M") and x not in _BLANK]
    return " ".join("".join(shown).translate(_ALIKE).split())


def require_name(name: str) -> None:
    """A name that can be read, in one script."""
    if not name or len(name) > LONGEST_NAME:
        raise NotationError("account.name", f"a name has 1 to {LONGEST_NAME} characters")
    if "/" in name or not name.isprintable() or not _BLANK.isdisjoint(name):
        text = "a name has letters, digits and spaces; no slash and nothing that cannot be seen"
        raise NotationError("account.name", text)
    scripts = {unicodedata.name(x, "?").split()[0] for x in name if x.isalpha()}
    mixed = len(scripts) > 1 and not scripts <= _TOGETHER
    if mixed or scripts & _UNMAPPED or _passes(name, scripts):
        named = " and ".join(sorted(one.capitalize() for one in scripts))
        text = (
            f"{name!r} has letters of {named} that can be read as another name; use one script, "
            "and in it a letter that no other script has"
        )
        raise NotationError("account.script", text)


def _passes(name: str, scripts: set[str]) -> bool:
    """Whether all of it can be read as Latin letters, in a script that is not."""
    plain = "".join(x for x in folded_name(name) if x.isalpha())
    return any(letters.issuperset(plain) for one, letters in _PASSING.items() if one in scripts)


# ---------------------------------------------------------------- passwords


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

    own = [*_HOUSE, name, *name.split()]
    joined = "".join(x for x in password if x.isalnum())
    forms = {one[:_LOOKED_AT] for one in (password, joined) if one}
    return any(zxcvbn(one, user_inputs=own)["score"] < _GUESSED for one in forms)


# ---------------------------------------------------------------- how often anybody may guess


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
        """The address as far as one household has it: of an IPv6 address the first half."""
        try:
            found = ipaddress.ip_address(self.address)
        except ValueError:
            return self.address
        if isinstance(found, ipaddress.IPv4Address):
            return str(found)
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((int(found) >> 64 << 64, 64)))


class Spent(NamedTuple):
    """Tries that were counted before a password was looked at; `full`: the name's last one."""

    keys: tuple[str, ...]
    full: bool


class Tries:
    """Wrong passwords, counted for all processes."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database, self._clock = database, clock

    def spend(self, name: str, place: Place) -> Spent:
        """Count a try, or refuse it: then no password is looked at. Who spells a name otherwise,
        or tries one that nobody has, is counted alike."""
        folded = folded_name(name)
        counted = [(f"{folded} at {place.known or place.network}", HERE)]
        if not place.known:
            counted += [(f"from {place.network}", ADDRESS), (f"{folded} anywhere", NAME)]
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
            text = f"too many {limit.what}; again in {wait} seconds"
            raise Refused("tries.many", text, cites=())
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


def _kept(key: str) -> str:
    """What is stored of a key: as long for a long name as for a short one, and no address."""
    return sha256(key.encode()).hexdigest()
