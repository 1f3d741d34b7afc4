"""Who may sign for money: the life of every account on record, and from when somebody counts as one
of two people.

What takes two people is worth as much as it is hard for one person to be both. So the stream
`account/NAME` has who made an account, who gave it a password, who closed it, `visit/NAME` who came
in and how often they were tried for; and somebody whose
account or password one person has just made counts as one of two only after a waiting time, or once
somebody else who counts has approved it. Both people are held to that, the one who asks and the one
who signs beside. No password, no hash and no token is ever in a stream.
"""

import unicodedata
from collections.abc import Callable
from functools import reduce
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.codec import asked_text, decoded
from riverboat.floor.station import AnyAsked
from riverboat.keeping.actions import AnyMeterAction
from riverboat.ledger import Command, Reading, Write, mint_command_id
from riverboat.table import actions as a
from riverboat.table.people import Actor
from riverboat.table.permission import PROGRAMS

ACCOUNT: Final = "account/"
VISIT: Final = "visit/"
"""Who came in, and who was tried for: apart, so that an account's own stream stays short."""
SIGNING_DOORS: Final = ("supervisor", "manager", "administrator")
"""Whose name stands for money: they open meters, take back awards, decide disputes."""
WAIT_SECONDS: Final = 24 * 3600
ALONE_SECONDS: Final = WAIT_SECONDS
"""For so long after somebody who counted was shut out nobody else goes on alone, however short the
waiting time of a floor is: who shuts the others out is not alone by that."""
_BEYOND: Final = "account0"
"""The first text after every stream of an account."""
_CHUNK: Final = 1_000


class Person(Struct, frozen=True, kw_only=True):
    """Somebody by their account: a name and a door; the floor itself has no door."""

    name: str
    door: str


FLOOR_ITSELF: Final = Person(name="system", door="")
"""Whoever started it: makes the first account, and closes those that a lost database had."""


class AccountMade(Struct, frozen=True, kw_only=True, tag_field="kind", tag="account_made"):
    """Somebody may sign in, by a door; `waits`: for so many seconds they count as nobody's second
    person. `alone`: one person made the account of somebody who signs for money, because nobody
    else was there who counts."""

    by: Person
    at: int
    door: str
    waits: int
    second: Person | None = None
    alone: bool = False


class PasswordGiven(Struct, frozen=True, kw_only=True, tag_field="kind", tag="password_given"):
    """Somebody else chose their password, and knows it; a closed account is open again."""

    by: Person
    at: int
    waits: int
    reopened: bool = False


class PasswordChosen(Struct, frozen=True, kw_only=True, tag_field="kind", tag="password_chosen"):
    """They chose one themselves."""

    by: Person
    at: int


class SignerApproved(Struct, frozen=True, kw_only=True, tag_field="kind", tag="signer_approved"):
    """Somebody who made neither account nor password says that this is who they say."""

    by: Person
    at: int


class AccountClosed(Struct, frozen=True, kw_only=True, tag_field="kind", tag="account_closed"):
    """Nobody signs in with it any more."""

    by: Person
    at: int


class SignedIn(Struct, frozen=True, kw_only=True, tag_field="kind", tag="signed_in"):
    """They came in; so many wrong passwords were tried for them before."""

    by: Person
    at: int
    wrong_tries: int = 0


class GuessingStopped(Struct, frozen=True, kw_only=True, tag_field="kind", tag="guessing_stopped"):
    """So many wrong passwords were tried for them from places where they never were that no more
    are looked at from there for a while."""

    by: Person
    at: int
    wrong_tries: int


AnyAccountEvent: TypeAlias = (
    AccountMade | PasswordGiven | PasswordChosen | SignerApproved | AccountClosed | SignedIn
    | GuessingStopped
)  # fmt: skip
_read: msgspec.json.Decoder[AnyAccountEvent] = msgspec.json.Decoder(AnyAccountEvent)


class Signer(Struct, frozen=True, kw_only=True):
    """An account as its stream tells it; without a door there is none. `makers`: those who made it
    or gave it its password since it counted last. `shut_out_at`: when somebody who had counted was
    last closed or given a password."""

    door: str = ""
    closed: bool = False
    own_password: bool = False
    counts_from: int = 0
    makers: tuple[str, ...] = ()
    shut_out_at: int | None = None


Signers: TypeAlias = Callable[[str], Signer]
"""Everybody's account by name, as it stands."""


class NotCounted(Refused):
    """Somebody is nobody's second person now: a matter of accounts, not of the table or meter."""


# ---------------------------------------------------------------- names

LONGEST_NAME: Final = 40
_ALIKE: Final = str.maketrans("0|!1iıɩɪʟɑɡ", "ollllllllag")
"""Signs that are read as others, as small letters: a nought as an O, a one and an I as an L. Who
checks a ledger folds its names again: a name that was let in stays apart from those it was."""
_PASSING: Final = {
    "CYRILLIC": frozenset("абвгезіјкмнопрстухьѕԁԛԝһӏѵ"),
    "GREEK": frozenset("αβγεζηικμνορσςτυχωϲϳ"),
    "ARMENIAN": frozenset("աբզլկհյնոսցօ"),
}
"""Letters of other scripts that pass for Latin ones, small or capital."""
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0\u034f\u17b4\u17b5")
"""What counts as a letter or a sign and shows nothing."""
_TOGETHER: Final = frozenset(
    {"LATIN", "CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HANGUL", "KATAKANA-HIRAGANA"}
)
"""Scripts that one name may mix: those of East Asia, among which nothing passes for Latin."""
_SCRIPTS: Final = _TOGETHER | {
    *("CYRILLIC", "GREEK", "ARMENIAN", "GEORGIAN", "HEBREW", "ARABIC", "ETHIOPIC", "THAI", "LAO"),
    *("DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU", "KANNADA"),
    *("MALAYALAM", "SINHALA", "MYANMAR", "KHMER", "TIBETAN", "MONGOLIAN"),
}
"""Those that people write names in; in others Latin words can be spelled, and nobody compared."""
_LAST_LATIN: Final = "\u017f"
_MORE_LATIN: Final = frozenset("əɓɗƙƴɛɔ")
"""Letters of names beyond; the others there are small capitals, clicks and the like, which pass for
plain ones."""
_SIGNS: Final = frozenset("·・")
"""What a name may have besides letters, the digits 0 to 9 and the signs of a keyboard: no second
apostrophe and no second dash."""


def plain_name(name: str) -> str:
    """A name as it is kept: however it was typed, the same letters are the same name. PostgreSQL
    cannot even be asked for a zero character, which no name has."""
    return unicodedata.normalize("NFKC", name).replace("\0", "\ufffd").strip()


def folded_name(name: str) -> str:
    """What two names that look alike have in common, and no two accounts: no capitals, no accents,
    one blank for many, and signs that are read as others as those. Other scripts cannot be read
    as Latin ones: such names are refused."""
    spread = unicodedata.normalize("NFKD", plain_name(name)).casefold()
    shown = [x for x in spread if not unicodedata.category(x).startswith("M") and x not in _BLANK]
    return " ".join("".join(shown).translate(_ALIKE).split())


def require_name(name: str) -> None:
    """A name of an account, that no program of the floor signs with."""
    require_readable(name)
    if folded_name(name) in _OF_PROGRAMS:
        text = f"a program of the floor signs as {name}; choose another name"
        raise Refused("account.exists", text, cites=())


def require_readable(name: str) -> None:
    """A name that can be read, in one script: of an account or of a table."""
    if not name or len(name) > LONGEST_NAME:
        raise NotationError("account.name", f"a name has 1 to {LONGEST_NAME} characters")
    if not all(map(_is_of_names, name)):
        text = (
            "a name has letters, digits, spaces, ' and -; no slash and nothing that cannot be "
            "seen or is read as something else"
        )
        raise NotationError("account.name", text)
    scripts = {unicodedata.name(x, "?").split()[0] for x in name if x.isalpha()}
    mixed = len(scripts) > 1 and not scripts <= _TOGETHER
    if mixed or not scripts <= _SCRIPTS or _passes(name, scripts):
        named = " and ".join(sorted(one.capitalize() for one in scripts))
        text = (
            f"{name!r} has letters of {named} that can be read as another name; use one script, "
            "and in it a letter that no other script has"
        )
        raise NotationError("account.script", text)


_OF_PROGRAMS: Final = frozenset(map(folded_name, PROGRAMS))


def _is_of_names(letter: str) -> bool:
    """Letters and their marks, and what stands on a keyboard; other digits and signs pass for
    letters, or cannot be seen."""
    if letter.isascii():
        return letter.isprintable() and letter != "/"
    is_letter = unicodedata.category(letter)[0] in "LM" and letter not in _BLANK
    return letter in _SIGNS or (is_letter and letter.isprintable())


def _passes(name: str, scripts: set[str]) -> bool:
    """Whether a letter, or all of it, can be read as a plain Latin one, and is none."""
    plain = "".join(x for x in folded_name(name) if x.isalpha())
    if "LATIN" in scripts:
        latin = [x for x in plain if unicodedata.name(x, "").startswith("LATIN")]
        return any(x > _LAST_LATIN and x not in _MORE_LATIN for x in latin)
    return any(letters.issuperset(plain) for one, letters in _PASSING.items() if one in scripts)


# ---------------------------------------------------------------- following


def follow_account(signer: Signer, event: AnyAccountEvent) -> Signer:
    """The account after an event."""
    match event:
        case AccountMade():
            return Signer(
                door=event.door,
                counts_from=event.at + event.waits,
                makers=(event.by.name, *((event.second.name,) if event.second else ())),
                shut_out_at=signer.shut_out_at,
            )
        case PasswordGiven():
            before = signer.makers if signer.counts_from > event.at else ()
            return replace(
                signer,
                closed=False,
                own_password=False,
                counts_from=event.at + event.waits,
                makers=tuple(dict.fromkeys((*before, event.by.name))),
                shut_out_at=_shut_out(signer, event.at),
            )
        case PasswordChosen():
            return replace(signer, own_password=True)
        case SignerApproved():
            return replace(signer, counts_from=event.at)
        case AccountClosed():
            return replace(signer, closed=True, shut_out_at=_shut_out(signer, event.at))
    return signer


def _shut_out(signer: Signer, at: int) -> int | None:
    had_counted = signer.shut_out_at is not None or counts(signer, at)
    return at if had_counted else None


def stands_beside(signer: Signer, at: int) -> bool:
    """Whether this is somebody beside whom nobody is alone: who counts, or did until somebody shut
    them out a short while ago."""
    lately = signer.shut_out_at is not None and at < signer.shut_out_at + ALONE_SECONDS
    return counts(signer, at) or lately


def missing(name: str, signer: Signer, at: int) -> tuple[str, str]:
    """Why somebody does not count as one of two people then, with its code; empty where they do."""
    if not signer.door:
        return "signer.unknown", f"{name} has no account here"
    if signer.door not in SIGNING_DOORS:
        doors = f"{', '.join(SIGNING_DOORS[:-1])} or {SIGNING_DOORS[-1]}"
        return "signer.role", f"{name} is {signer.door}; who signs is {doors}"
    if signer.closed:
        return "signer.closed", f"the account of {name} is closed"
    if not signer.own_password:
        return "signer.given", f"{name} signs with a password of their own, and has a given one"
    if signer.counts_from > at:
        hours, minutes = divmod(-(-(signer.counts_from - at) // 60), 60)
        made = " and ".join(signer.makers)
        return "signer.waits", (
            f"{name} counts as one of two people in {hours} h {minutes} min, or once somebody else "
            f"than {made}, who made the account or gave its password, has approved it"
        )
    return "", ""


def counts(signer: Signer, at: int) -> bool:
    """Whether somebody is one of two people then."""
    return missing("", signer, at) == ("", "")


def require_counts(name: str, signer: Signer, at: int) -> None:
    """Somebody who signs is one of two people."""
    code, words = missing(name, signer, at)
    if code:
        raise NotCounted(code, words, cites=())


# ---------------------------------------------------------------- what may happen to accounts


def require_may_happen(
    name: str, event: AnyAccountEvent, signers: Signers, *, first: bool, others_count: bool
) -> None:
    """Whether an entry about an account may follow; the same when it is read again. `first`: no
    account is open; `others_count`: who asks is not alone, for somebody else stands beside."""
    signer = signers(name)
    if not signer.door and not isinstance(event, AccountMade):
        raise Refused("account.unknown", f"there is no account {name}", cites=())
    match event:
        case AccountMade() if signer.door and not signer.closed:
            raise Refused("account.exists", f"there is an account {name} already", cites=())
        case AccountMade():
            _require_made_rightly(event, signers, first=first, others_count=others_count)
        case AccountClosed() if event.by == FLOOR_ITSELF:
            return
        case PasswordGiven() | AccountClosed():
            _require_administrator(event.by, signers)
        case SignerApproved():
            _require_approved_rightly(name, event, signers)
        case PasswordChosen() | SignedIn() if event.by.name != name:
            raise Refused("account.own", f"that is for {name} alone", cites=())


def _require_administrator(by: Person, signers: Signers) -> None:
    asks = signers(by.name)
    if asks.door != "administrator" or asks.closed or not asks.own_password:
        text = f"{by.name} is no administrator with a password of their own"
        raise Refused("person.may_not", text, cites=())


def _require_made_rightly(
    event: AccountMade, signers: Signers, *, first: bool, others_count: bool
) -> None:
    """By two people where it signs for money; the very first by whoever starts the floor, and by
    one person alone while there is no second one, which is said loudly."""
    if first and event.by == FLOOR_ITSELF and event.door == "administrator":
        return
    _require_administrator(event.by, signers)
    signs = event.door in SIGNING_DOORS
    if event.second is None:
        if signs and others_count:
            text = (
                f"the account of {event.door} is made by two people: somebody else who signs for "
                "money signs beside you; nobody is alone before a day has passed since the others "
                "were shut out"
            )
            raise Refused("second.missing", text, cites=())
        if event.alone != signs:
            raise Refused("account.alone", "who was alone is not as it was", cites=())
        return
    if event.alone or event.second.name == event.by.name:
        text = f"making an account takes two people; {event.by.name} is one"
        raise Refused("person.same", text, cites=())
    for one in (event.by, event.second):
        require_counts(one.name, signers(one.name), event.at)


def _require_approved_rightly(name: str, event: SignerApproved, signers: Signers) -> None:
    signer, by = signers(name), event.by.name
    code, words = missing(name, signer, event.at)
    if not code:
        raise Refused("signer.counts", f"{name} counts already", cites=())
    if code != "signer.waits":
        raise Refused(code, words, cites=())
    if by == name or by in signer.makers:
        text = f"{by} made the account of {name} or gave its password; somebody else approves it"
        raise Refused("person.same", text, cites=())
    require_counts(by, signers(by), event.at)


# ---------------------------------------------------------------- on the ledger


def asked_of_account(name: str, event: AnyAccountEvent) -> object:
    """What was asked for, as its column has it."""
    return {"account": name, "do": str(event.__struct_config__.tag)}


def account_entry(name: str, event: AnyAccountEvent) -> tuple[Command, Write]:
    """A command about an account, and what it writes."""
    command = Command(
        id=f"account {mint_command_id()}",
        actor=msgspec.json.encode(event.by).decode(),
        recorded_at=event.at,
        text=asked_text(asked_of_account(name, event)).decode(),
    )
    body = msgspec.json.encode(event).decode()
    kind = VISIT if isinstance(event, SignedIn | GuessingStopped) else ACCOUNT
    return command, Write(stream=kind + name, expected_version=None, body=body)


def read_account_body(body: str) -> AnyAccountEvent:
    """An entry about an account from its text."""
    return decoded(_read, body, "an account's entry")


def signer_in(reading: Reading, name: str) -> Signer:
    """Somebody's account as the ledger has it at this moment."""
    signer, version = Signer(), 0
    while rows := reading.read(ACCOUNT + name, version, _CHUNK):
        signer = reduce(follow_account, (read_account_body(row.body) for row in rows), signer)
        version = rows[-1].version
    return signer


def has_accounts(reading: Reading) -> bool:
    """Whether people sign in here at all: a floor that a program works on by itself has none."""
    one = "select 1 from entry where stream > ? and stream < ? limit 1"
    return bool(reading.run(one, (ACCOUNT, _BEYOND)))


def accounts_in(reading: Reading) -> list[str]:
    """The names of all accounts that were ever made."""
    every = "select distinct stream from entry where stream > ? and stream < ? order by stream"
    return [stream.removeprefix(ACCOUNT) for (stream,) in reading.run(every, (ACCOUNT, _BEYOND))]


def people_of(by: Actor, action: AnyAsked | AnyMeterAction) -> tuple[Actor, ...]:
    """Who signs for an action that takes two: both at once, or each of them with a step."""
    second: Actor | None = getattr(action, "second", None)
    if second is not None:
        return by, second
    return (by,) if isinstance(action, a.Propose | a.Approve) else ()


def require_all_count(reading: Reading, people: tuple[Actor, ...], at: int) -> None:
    """Everybody who signs counts at that moment; asked while nobody else writes. A program signs
    only where nobody need."""
    if not people or any(one.automatic for one in people) or not has_accounts(reading):
        return
    for one in people:
        require_counts(one.name, signer_in(reading, one.name), at)


class AccountBook:
    """All accounts, followed in the order of the ledger, for whoever checks it."""

    def __init__(self) -> None:
        self._signers: dict[str, Signer] = {}
        self._names: dict[str, str] = {}

    def __call__(self, name: str) -> Signer:
        return self._signers.get(name, Signer())

    def follow(self, name: str, event: AnyAccountEvent) -> None:
        """One more entry, if it may follow."""
        some = isinstance(event, AccountMade) and any(
            stands_beside(one, event.at)
            for whose, one in self._signers.items()
            if whose != event.by.name
        )
        first = isinstance(event, AccountMade) and all(x.closed for x in self._signers.values())
        require_may_happen(name, event, self, first=first, others_count=some)
        if isinstance(event, AccountMade):
            self._require_own_name(name)
        self._signers[name] = follow_account(self(name), event)

    def _require_own_name(self, name: str) -> None:
        """No two accounts look alike."""
        other = self._names.setdefault(folded_name(name), name)
        if other != name:
            raise Refused("account.exists", f"there is an account {other} already", cites=())

    def require(self, people: tuple[Actor, ...], at: int) -> int:
        """Everybody who signed counted then; how many were asked about."""
        if not self._signers or any(one.automatic for one in people):
            return 0
        for one in people:
            require_counts(one.name, self(one.name), at)
        return len(people)
