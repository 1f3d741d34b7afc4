"""The doors: who is asking, where they may go, and what every answer carries for safety."""

import asyncio
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.exceptions import (
    ClientException,
    MethodNotAllowedException,
    NotAuthorizedException,
    PermissionDeniedException,
)
from litestar.handlers import BaseRouteHandler
from litestar.middleware import AbstractAuthenticationMiddleware, AuthenticationResult

from riverboat.core.errors import Refused
from riverboat.rulebook.values import with_article
from riverboat.web.accounts import (
    BROWSER_SECONDS,
    DOORS,
    LOOPBACK,
    SESSION_SECONDS,
    SIGNED_IN,
    Guest,
    Place,
)

COOKIE: Final = "riverboat"
BROWSER: Final = "riverboat-browser"
"""By which a browser is known in which somebody signed in before."""
CSRF_COOKIE: Final = "riverboat-csrf"
CSRF_HEADER: Final = "x-riverboat-csrf"
ANYBODY: Final = "anybody"
ANSWER_SECONDS: Final = 15.0
"""By then whoever asked has an answer, be it that nobody knows."""
FIGURE_SECONDS: Final = 300.0
"""For an exact figure that nobody asked for before, on a machine that compiles its loops first."""
FRESH_SECONDS: Final = 1.0
"""How long a session that was found is taken for granted."""
MOST_KNOWN: Final = 10_000
"""Sessions that are remembered for that long; and people and addresses whose tries are counted."""
MANY: Final = "tries.many"
PEOPLE_AT_ADDRESS: Final = 10
"""One address may do as much as so many people: a class comes in by one door."""
HERE: Final = ("localhost", "127.0.0.1", "[::1]")
"""What this machine calls itself: another name that leads here is a page from elsewhere."""
BROWSERS_OWN: Final = frozenset(
    {
        *("accept", "accept-charset", "accept-encoding", "accept-language", "authorization"),
        *("cache-control", "connection", "content-length", "content-type", "cookie", "dnt"),
        *("device-memory", "downlink", "dpr", "ect", "expect", "host", "if-modified-since"),
        *("if-none-match", "if-range", "keep-alive", "origin", "pragma", "priority", "purpose"),
        *("range", "referer", "rtt", "save-data", "te", "transfer-encoding", "upgrade", "width"),
        *("upgrade-insecure-requests", "user-agent", "viewport-width", CSRF_HEADER),
        *(
            "alt-used",
            "available-dictionary",
            "content-encoding",
            "content-language",
            "dictionary-id",
        ),
        *("http2-settings", "if-match", "if-unmodified-since", "last-event-id", "postman-token"),
        *("service-worker", "x-moz", "x-prometheus-scrape-timeout-seconds", "x-purpose"),
        "x-requested-with",
    }
)
"""What browsers and programs at this machine say of themselves, and whatever begins with `sec-`:
anything else was added on the way, by one of so many proxies that nobody knows all their words. A
request's own number or trace is not here: proxies add those, too."""
SAFE_HEADERS: Final = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'self'; frame-ancestors 'none'"
    ),
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}

Connection = ASGIConnection[Any, Any, Any, Any]


def opens_to(*doors: str, seconds: float = ANSWER_SECONDS, effort: str = "") -> dict[str, Any]:
    """For a route's `opt`: who may use it, `anybody` needs no session; by when it answers; and what
    effort of the house it costs, of which everybody has so much."""
    assert doors
    assert set(doors) <= {*DOORS, ANYBODY}
    return {"doors": doors, "seconds": seconds, "effort": effort}


EVERYBODY: Final = DOORS
"""Everybody with a session, visitors of the demo included."""
HOUSE: Final = ("dealer", "supervisor", "manager", "administrator")
KEEPERS: Final = ("supervisor", "manager", "administrator")
READERS: Final = ("supervisor", "manager", "auditor", "administrator")
ACCOUNTS: Final = SIGNED_IN


class Sessions:
    """Whose session a token is. The database is asked on a thread, about a token once at a time,
    and not again for a second: somebody who signs out, or whose account is closed, in whichever
    process, is out everywhere within that."""

    def __init__(
        self, find: Callable[[str], Guest | None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._find, self._clock = find, clock
        self._known: dict[str, tuple[float, Guest | None]] = {}
        self._asking: dict[str, asyncio.Future[Guest | None]] = {}
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sessions")

    async def guest(self, token: str) -> Guest | None:
        """Whose it is; nobody's once it is over."""
        at, guest = self._known.get(token, (-FRESH_SECONDS, None))
        if self._clock() - at < FRESH_SECONDS:
            return guest
        if token not in self._asking:
            loop = asyncio.get_running_loop()
            asked = self._asking[token] = loop.run_in_executor(self._thread, self._ask, token)
            asked.add_done_callback(lambda _: self._asking.pop(token, None))
        return await asyncio.shield(self._asking[token])

    def _ask(self, token: str) -> Guest | None:
        began = self._clock()
        guest = self._find(token)
        if len(self._known) >= MOST_KNOWN:
            self.forget()
        self._known[token] = (began, guest)
        return guest

    def forget(self) -> None:
        """Somebody's session has ended here: nobody's is taken for granted."""
        self._known = {}

    def close(self) -> None:
        """No more sessions."""
        self._thread.shutdown(wait=False, cancel_futures=True)


class SessionMiddleware(AbstractAuthenticationMiddleware):
    """Who is asking, by a cookie that scripts cannot read; nobody, where there is none."""

    async def authenticate_request(self, connection: Connection) -> AuthenticationResult:
        """Find the session; what a route does with nobody is for its guard."""
        if not has_address(connection):
            raise ClientException("the host that was asked for is no name and port")
        require_plain_tokens(connection)
        token = connection.cookies.get(COOKIE, "")
        sessions: Sessions = connection.app.state.house.sessions
        guest = await sessions.guest(token) if token else None
        return AuthenticationResult(user=guest, auth=token or None)


def has_address(connection: Connection) -> bool:
    """Whether what was asked for makes an address at all: a header can say anything."""
    try:
        return bool(connection.url)
    except ValueError:
        return False


def require_plain_tokens(connection: Connection) -> None:
    """A token that no floor gave out need not be compared, and some letters cannot be."""
    header, cookie = connection.headers.get(CSRF_HEADER), connection.cookies.get(CSRF_COOKIE)
    changes = connection.scope.get("method") not in ("GET", "HEAD")
    if changes and not ((header or "").isascii() and (cookie or "").isascii()):
        raise PermissionDeniedException(f"{CSRF_HEADER}: this is no token of the floor")


def need_words(doors: Sequence[str]) -> str:
    """As whom somebody has to sign in: "you need a supervisor or manager account"."""
    *others, last = doors or ("different",)
    named = f"{', '.join(others)} or {last}" if others else last
    return f"you need {with_article(named)} account"


async def guard(connection: Connection, handler: BaseRouteHandler) -> None:
    """Refuse whoever has no business at a route; one that says nothing opens to nobody."""
    if connection.scope.get("method") == "OPTIONS":
        raise MethodNotAllowedException
    doors = handler.opt.get("doors", ())
    guest: Guest | None = connection.scope.get("user")
    if ANYBODY in doors:
        spend_for(connection, handler)
        return
    if guest is None:
        raise NotAuthorizedException("sign in first")
    if guest.door not in doors:
        raise PermissionDeniedException(f"{need_words(doors)}; you are signed in as {guest.door}")
    if guest.must_change and not handler.opt.get("before_change"):
        raise PermissionDeniedException("change the password that you were given first")
    spend_for(connection, handler)


def spend_for(connection: Connection, handler: BaseRouteHandler) -> None:
    """Whatever changes something is a command, and some questions cost an effort: so many for a
    person and for an address, whichever route it is."""
    house = connection.app.state.house
    guest: Guest | None = connection.scope.get("user")
    person = guest.name if guest else ""
    address = address_of(connection)
    if connection.scope.get("method") not in (None, "GET", "HEAD"):
        commands: Budget = house.commands
        commands.spend(person, address)
    if kind := handler.opt.get("effort"):
        effort: Budget = house.effort
        effort.spend(f"{kind} {person}" if person else "", f"{kind} {address}" if address else "")


def is_local(connection: Connection) -> bool:
    """Whether somebody at this very machine asks, not through a proxy.

    A proxy on this machine need not say that it is one, and may call the floor by this machine's
    own name. But then it speaks an older HTTP than browsers do, or the page that asks has another
    name than this machine.
    """
    client = connection.client
    if client is None or client.host not in LOOPBACK:
        return False
    if connection.scope.get("http_version") == "1.0":
        return False
    if _without_port(connection.headers.get("host", "")) not in HERE:
        return False
    pages = [connection.headers.get(name) for name in ("origin", "referer")]
    if any(page is not None and not is_page_here(page) for page in pages):
        return False
    if connection.headers.get("sec-fetch-site") == "cross-site":
        return False
    names = [name.lower() for name in connection.headers]
    return all(name in BROWSERS_OWN or name.startswith("sec-") for name in names)


def is_page_here(address: str) -> bool:
    """Whether a page has this machine's own name."""
    try:
        return _without_port(urlsplit(address).netloc) in HERE
    except ValueError:
        return False


def _without_port(host: str) -> str:
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdigit() else host).lower()


def address_of(connection: Connection) -> str:
    """From where somebody asks, as far as one household has it; nothing for this machine."""
    return Place(connection.client.host if connection.client else "").network


def session_cookie(token: str, *, secure: bool) -> Cookie:
    """Not for scripts, not for other sites."""
    return Cookie(
        key=COOKIE,
        value=token,
        path="/",
        httponly=True,
        samesite="strict",
        secure=secure,
        max_age=SESSION_SECONDS if token else 0,
    )


def browser_cookie(token: str, *, secure: bool) -> Cookie:
    """Opens nothing: it only says that this browser is known."""
    return Cookie(
        key=BROWSER,
        value=token,
        path="/api/sign-in",
        httponly=True,
        samesite="strict",
        secure=secure,
        max_age=BROWSER_SECONDS,
    )


class Patience:
    """So many tries in so many seconds, by whatever is tried with."""

    def __init__(
        self,
        tries: int,
        seconds: float,
        clock: Callable[[], float] = time.monotonic,
        *,
        what: str = "tries",
        code: str = MANY,
    ) -> None:
        self._tries, self._seconds, self._clock = tries, seconds, clock
        self._what, self._code = what, code
        self._tried: dict[str, deque[float]] = {}
        self._counting = threading.Lock()

    def spend(self, key: str) -> None:
        """Count a try, or refuse it."""
        with self._counting:
            self._require(key)
            # Whoever tried last stands last: who has to be forgotten tried longest ago.
            self._tried[key] = self._tried.pop(key, deque())
            self._tried[key].append(self._clock())
            while len(self._tried) > MOST_KNOWN:
                del self._tried[next(iter(self._tried))]

    def require(self, key: str) -> None:
        """Refuse what would be one too many, and count nothing."""
        with self._counting:
            self._require(key)

    def _require(self, key: str) -> None:
        now, recent = self._clock(), self._tried.get(key, deque())
        while recent and now - recent[0] >= self._seconds:
            recent.popleft()
        if len(recent) >= self._tries:
            wait = int(self._seconds - (now - recent[0])) + 1
            text = f"too many {self._what}; again in {wait} seconds"
            raise Refused(self._code, text, cites=())


class Budget:
    """So much for a person in a while, and for an address as much as for several people."""

    def __init__(self, tries: int, seconds: float, what: str, code: str = MANY) -> None:
        several = PEOPLE_AT_ADDRESS * tries
        self._people = Patience(tries, seconds, what=what, code=code)
        self._addresses = Patience(several, seconds, what=f"{what} from this address", code=code)

    def spend(self, person: str, address: str) -> None:
        """Count one of each, or refuse it and count none; nobody, and this machine, has none."""
        if person:
            self._people.require(person)
        if address:
            self._addresses.spend(address)
        if person:
            self._people.spend(person)
