"""The server's application: routes, doors, errors in words, live connections."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from fractions import Fraction
from functools import partial
from typing import Any, Final

from litestar import Controller, Litestar, Request, Response, WebSocket, get, websocket
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import MutableScopeHeaders, State
from litestar.di import Provide
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, WebSocketDisconnect, WebSocketException
from litestar.middleware import ASGIMiddleware, DefineMiddleware
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.status_codes import HTTP_400_BAD_REQUEST, HTTP_409_CONFLICT
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from msgspec import Struct

from riverboat import __version__
from riverboat.core.errors import NotationError, Refused, RiverboatError
from riverboat.ledger import CommandConflict, LedgerError, LedgerUnavailable, OutcomeUnknown
from riverboat.web.accounts import Guest
from riverboat.web.api.accounts import (
    AccountsController,
    DealersController,
    EntranceController,
    SignersController,
)
from riverboat.web.api.dealing import DealingController
from riverboat.web.api.mathematics import MathematicsController, WhatIfController
from riverboat.web.api.meters import MetersController
from riverboat.web.api.rounds import EvidenceController, PicturesController, RoundsController
from riverboat.web.api.rulebooks import PayoutsController, RulebooksController
from riverboat.web.api.seat import SeatController
from riverboat.web.api.tables import TablesController
from riverboat.web.api.worklist import WorklistController
from riverboat.web.auth import (
    ANSWER_SECONDS,
    ANYBODY,
    CSRF_COOKIE,
    CSRF_HEADER,
    EVERYBODY,
    MANY,
    SAFE_HEADERS,
    SessionMiddleware,
    Sessions,
    address_of,
    guard,
    opens_to,
)
from riverboat.web.demo.room import NO_ROOM
from riverboat.web.house import House
from riverboat.web.pages.office import (
    AccountPages,
    BookPages,
    SignInPages,
    SupervisorPages,
    refused_page,
    wants_page,
)
from riverboat.web.pages.rulebooks import LobbyPages, OddsPages, PayoutPages
from riverboat.web.pages.tables import (
    TEMPLATES,
    DealerPages,
    JackpotPages,
    RoundPages,
    SeatPages,
    SignPages,
)
from riverboat.web.screens.live import Screen
from riverboat.web.server.monitoring import CountingMiddleware, Counts, log, metrics, tell_refusal
from riverboat.web.server.openapi import Problem, frames, openapi
from riverboat.web.server.requests import (
    MOST_BYTES,
    SentRequest,
    for_pages,
    same_origin,
    words_for,
)
from riverboat.web.server.static import own_file

MOST_TOPICS: Final = 4
PACKED_FROM_BYTES: Final = 2_000
MOST_SCREENS: Final = 60
"""Of one person: a wall of signs has them, a flood is somebody who keeps others out."""
ASKING_THREADS: Final = 32
"""Requests that wait for the database at a time: the others wait for one of them."""
ONLY_HTTPS: Final = "max-age=31536000; includeSubDomains"
"""For a year a browser asks this name over HTTPS only."""
UNKNOWN: Final = "unknown whether it was carried out: ask again with the same id"
SESSION_SECONDS: Final = 1.0
"""How often it is asked whether whoever looks is still signed in."""
CONTROLLERS: Final[tuple[type[Controller], ...]] = (
    EntranceController,
    TablesController,
    RoundsController,
    MetersController,
    WorklistController,
    RulebooksController,
    MathematicsController,
    PayoutsController,
    AccountsController,
    SignersController,
    DealersController,
    DealingController,
    PicturesController,
    EvidenceController,
)
"""Every part of the machine interface."""
PAGES: Final[tuple[type[Controller], ...]] = (
    SeatController,
    WhatIfController,
    SeatPages,
    SupervisorPages,
    RoundPages,
    JackpotPages,
    DealerPages,
    AccountPages,
    BookPages,
    LobbyPages,
    SignPages,
    PayoutPages,
    OddsPages,
    SignInPages,
)
"""What the pages ask for themselves, and the pages."""


@asynccontextmanager
async def open_house(house: House, app: Litestar) -> AsyncIterator[None]:
    """A house for as long as its application runs."""
    app.state.house = house
    app.state.counts = Counts(house)
    threads = ThreadPoolExecutor(ASKING_THREADS, thread_name_prefix="asyncio")
    asyncio.get_running_loop().set_default_executor(threads)
    await house.start()
    try:
        yield
    finally:
        await house.stop()


def make_app(house: House, csrf_secret: str) -> Litestar:
    """The application of one process."""
    return Litestar(
        route_handlers=[
            *CONTROLLERS,
            *PAGES,
            health,
            metrics,
            openapi,
            frames,
            live,
            own_file,
        ],
        lifespan=[partial(open_house, house)],
        guards=[guard],
        middleware=[
            CountingMiddleware(),
            InTime(),
            DefineMiddleware(SessionMiddleware, exclude=["^/static/", "^/health$", "^/metrics$"]),
        ],
        request_class=SentRequest,
        dependencies={
            "house": Provide(the_house, sync_to_thread=False),
            "guest": Provide(the_guest, sync_to_thread=False),
            "address": Provide(the_address, sync_to_thread=False),
        },
        exception_handlers={
            RiverboatError: told,
            HTTPException: told_by_http,
            Exception: told_of_a_fault,
        },
        request_max_body_size=MOST_BYTES,
        csrf_config=CSRFConfig(
            secret=csrf_secret,
            cookie_name=CSRF_COOKIE,
            header_name=CSRF_HEADER,
            cookie_samesite="strict",
            cookie_secure=house.manner.secure,
        ),
        compression_config=CompressionConfig(
            backend="gzip", minimum_size=2_000, exclude="^/static/"
        ),
        before_send=[with_safe_headers],
        logging_config=None,
        template_config=TEMPLATES,
        type_encoders={Fraction: str},
        openapi_config=OpenAPIConfig(
            title="Riverboat",
            version=__version__,
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
    )


def seconds_for(scope: Scope) -> float:
    """By when a route answers."""
    return float(scope["route_handler"].opt.get("seconds", ANSWER_SECONDS))


class InTime(ASGIMiddleware):
    """Nobody waits for ever: what is not answered in time is told to be unknown, while whatever
    carries it out goes on until the database's own limits end it."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Let it through for so long."""
        seconds = seconds_for(scope)
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            async with asyncio.timeout(seconds):
                await next_app(scope, receive, noted)
        except TimeoutError:
            if begun:
                raise
            text = f"no answer within {seconds:g} seconds"
            raise OutcomeUnknown("ledger.slow", text) from None


async def with_safe_headers(message: Message, scope: Scope) -> None:
    """Every answer has them, refusals and files included; what is somebody's own is not kept."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders.from_message(message)
    for name, value in SAFE_HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("cache-control", "no-store")
    if scope["litestar_app"].state.house.manner.secure:
        headers.setdefault("strict-transport-security", ONLY_HTTPS)


def the_house(state: State) -> House:
    """For handlers."""
    house: House = state.house
    return house


def the_guest(request: Request[Guest, Any, Any]) -> Guest:
    """For handlers whose door has let somebody in."""
    return request.user


def the_address(request: Request[Any, Any, Any]) -> str:
    """For handlers that do as much for an address as for several people."""
    return address_of(request)


def told(request: Request[Any, Any, Any], problem: RiverboatError) -> Response[Problem]:
    """What the house refuses or cannot read, with its code, words and clauses."""
    request.app.state.counts.refusals.labels(problem.code).inc()
    tell_refusal(problem.code, str(problem))
    status = HTTP_400_BAD_REQUEST
    if isinstance(problem, CommandConflict):
        status = 422
    elif isinstance(problem, LedgerError):
        status = 503
    elif isinstance(problem, Refused):
        status = 429 if problem.code in (MANY, NO_ROOM) else HTTP_409_CONFLICT
    words = for_pages(str(problem))
    if isinstance(problem, LedgerUnavailable):
        log.error("database", code=problem.code, words=words)
        words = without_answer(request)
    cites = tuple(getattr(problem, "cites", ()))
    said = Problem(code=getattr(problem, "code", "error"), words=words, cites=cites)
    return Response(said, status_code=status)


def told_of_a_fault(request: Request[Any, Any, Any], problem: Exception) -> Response[Problem]:
    """What should not have happened: the log has all of it, the page only that."""
    log.error("fault", path=request.scope.get("path_template"), exc_info=problem)
    words = f"something went wrong here, and it is in the log; {_then(request)}"
    return Response(Problem(code="fault", words=words), status_code=500)


def without_answer(request: Request[Any, Any, Any]) -> str:
    """What is said while the ledger cannot be reached: never that nothing was changed, for nobody
    knows that of what may have been sent before."""
    return f"the floor's record cannot be reached just now; {_then(request)}"


def _then(request: Request[Any, Any, Any]) -> str:
    return "try again" if request.method in ("GET", "HEAD") else UNKNOWN


def told_by_http(request: Request[Any, Any, Any], problem: HTTPException) -> Response[Any]:
    """What the server itself refuses, in the same form; to a person who opened a page, as one."""
    words = words_for(problem.status_code, str(request.method), str(problem.detail))
    extra = getattr(problem, "extra", None)
    if isinstance(extra, list):
        words = "; ".join(f"{e.get('key', '')} {e.get('message', '')}".strip() for e in extra)
    if wants_page(request):
        return refused_page(request, problem.status_code, words)
    code = type(problem).__name__.removesuffix("Exception").lower()
    return Response(Problem(code=f"http.{code}", words=words), status_code=problem.status_code)


class Behind(Struct, frozen=True, kw_only=True):
    """Something that the floor does by itself and cannot do just now; since when, in seconds of
    1970."""

    duty: str
    since: int


class Health(Struct, frozen=True, kw_only=True):
    """The floor's version, the last row that was taken in, whether all is live; if not, whether
    what screens show is, and what is behind since when."""

    version: str
    head: int
    live: bool
    frames: bool
    behind: list[Behind]


@get(
    "/health",
    tags=["floor"],
    opt=opens_to(ANYBODY),
    sync_to_thread=False,
    summary="Ask whether the floor is well",
)
def health(house: House) -> Health:
    """Whether what is shown is live and what the floor does by itself is done. The database is not
    asked: a floor without one says so at once."""
    late = [(duty.name, duty.behind_since) for duty in house.duties]
    behind = [Behind(duty=name, since=int(since)) for name, since in late if since is not None]
    frames = house.live.ok
    return Health(
        version=__version__,
        head=house.model.seq,
        live=frames and not behind,
        frames=frames,
        behind=behind,
    )


@websocket("/live", opt=opens_to(*EVERYBODY))
async def live(socket: WebSocket[Guest, Any, Any], house: House) -> None:
    """Frames of what one looks at: `?look=lobby`, `?look=table/NAME`, `?look=meter/NAME`."""
    own = same_origin(
        socket.headers.get("origin"), socket.headers.get("host", ""), secure=house.manner.secure
    )
    if not own:
        raise WebSocketException(code=4403, detail="only pages of this floor may look")
    if house.live.held_by(socket.user.name) >= MOST_SCREENS:
        raise WebSocketException(code=4429, detail=f"{MOST_SCREENS} screens are enough for one")
    topics = socket.query_params.getall("look", [])[:MOST_TOPICS]
    if not all(house.has(topic) for topic in topics):
        await asyncio.to_thread(house.model.catch_up)
    known = frozenset(
        topic for topic in topics if house.has(topic) and house.may_look(socket.user, topic)
    )
    await socket.accept()
    screen = house.live.look(socket.user, known)
    leaving = [
        asyncio.create_task(_until_gone(socket, screen)),
        asyncio.create_task(_until_signed_out(house.sessions, socket.auth or "", screen)),
    ]
    try:
        async for frame in screen.frames():
            await socket.send_data(frame, mode="text")
    finally:
        for one in leaving:
            one.cancel()
        house.live.leave(screen)


async def _until_gone(socket: WebSocket[Guest, Any, Any], screen: Screen) -> None:
    """Whoever closes the page is seen to leave; what a page says over this line is not read."""
    try:
        while True:
            await socket.receive_data(mode="text")
    except WebSocketDisconnect:
        screen.close()


async def _until_signed_out(sessions: Sessions, token: str, screen: Screen) -> None:
    """No more frames once the session is over; while nobody can say whether it is, there is nothing
    in them."""
    guest: Guest | None
    while not screen.closed:
        await asyncio.sleep(SESSION_SECONDS)
        try:
            guest = await sessions.guest(token)
        except Exception as problem:
            log.warning("session not checked", exc_info=problem)
        else:
            if guest is None:
                screen.close()


__all__ = ["NotationError", "make_app"]
