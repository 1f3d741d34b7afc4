"""What a running process tells of itself: logs, one line of JSON for each thing, into which nothing
secret has a way; and metrics, as Prometheus reads them, without the name of a person."""

import asyncio
import logging
import sys
import time
from collections.abc import MutableMapping
from functools import partial
from threading import Lock
from typing import Any, Final, TextIO

import structlog
from litestar import Request, Response, get
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, PermissionDeniedException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from riverboat.ledger import LedgerUnavailable
from riverboat.web.accounts import Guest
from riverboat.web.auth import ANYBODY, COOKIE, READERS, is_local, opens_to, require_plain_tokens
from riverboat.web.duties import Duty
from riverboat.web.house import House

SECRET: Final = frozenset(
    ("password", "old", "new", "token", "cookie", "cookies", "secret", "authorization", "second")
)
KEPT_BACK: Final = "(kept back)"
LEVELS: Final = ("debug", "info", "warning", "error")
TEXT: Final = "text/plain; version=0.0.4"
"""The framework says the letters' coding itself."""
_SECONDS: Final = (0.005, 0.02, 0.05, 0.1, 0.25, 1.0, 5.0)
_ELSEWHERE: Final = "(no such route)"
log: structlog.stdlib.BoundLogger = structlog.get_logger("riverboat.web")


# ---------------------------------------------------------------- logs


def keep_back(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Whatever is called like a secret is not written, at any depth."""
    return {key: _safe(key, value) for key, value in event.items()}


def _safe(key: str, value: Any) -> Any:
    if key.lower() in SECRET:
        return KEPT_BACK
    if isinstance(value, dict):
        return {str(k): _safe(str(k), v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_safe("", one) for one in value]
    return value


class Paper:
    """Where lines of the log go. A disk that is full, or a pipe that nobody reads any more, costs
    the line and nothing else: what the log is told of goes on, and how many are missing is
    counted."""

    lost = 0

    def __init__(self, file: TextIO) -> None:
        self._file, self._writing = file, Lock()

    def msg(self, line: str) -> None:
        """Write it, or do without."""
        try:
            with self._writing:
                self._file.write(f"{line}\n")
                self._file.flush()
        except (OSError, ValueError):
            Paper.lost += 1

    debug = info = warning = error = msg


def start_logs(level: str = "warning", to: TextIO | None = None) -> None:
    """Write what is at least so grave, to standard error unless told otherwise."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            keep_back,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=partial(_paper, Paper(to or sys.stderr)),
        cache_logger_on_first_use=False,
    )


def _paper(paper: Paper, *_: object) -> Paper:
    """The same for every logger, whatever it is called."""
    return paper


def tell_request(guest: Guest | None, method: str, route: str, status: int, taken: float) -> None:
    """A request by its route, without anything that was sent with it."""
    say = log.error if status >= 500 else log.info
    say(
        "request",
        method=method,
        route=route,
        status=status,
        ms=round(1000 * taken, 1),
        who=guest.name if guest else None,
        door=guest.door if guest else None,
    )


def tell_refusal(code: str, words: str) -> None:
    """Something that the house refused."""
    log.info("refused", code=code, words=words)


# ---------------------------------------------------------------- metrics


class Counts:
    """The counters of one application."""

    def __init__(self, house: House) -> None:
        own = self.registry = CollectorRegistry()
        self.requests = Counter(
            "riverboat_requests", "Requests", ("method", "route", "status"), registry=own
        )
        self.seconds = Histogram(
            "riverboat_request_seconds", "Time", ("route",), buckets=_SECONDS, registry=own
        )
        self.refusals = Counter("riverboat_refusals", "What was refused", ("code",), registry=own)
        self.commands = Counter("riverboat_commands", "Commands that were done", registry=own)
        gauges = {
            "riverboat_screens": ("Open live connections", lambda: house.live.screens),
            "riverboat_tables": ("Tables", lambda: len(house.model.tables)),
            "riverboat_ledger_head": ("The last row that was read", lambda: house.model.seq),
            "riverboat_log_lines_lost": ("Lines that could not be written", lambda: Paper.lost),
            "riverboat_seconds_behind": ("Since the ledger was lost", lambda: behind(house)),
        }
        for name, (words, value) in gauges.items():
            Gauge(name, words, registry=own).set_function(value)
        late = Gauge("riverboat_duty_seconds_behind", "Since it fails", ("duty",), registry=own)
        failed = Gauge("riverboat_duty_failures", "Steps that failed", ("duty",), registry=own)
        for duty in house.duties:
            late.labels(duty.name).set_function(partial(seconds_late, duty))
            failed.labels(duty.name).set_function(partial(getattr, duty, "failures"))

    def text(self) -> bytes:
        """As Prometheus reads it."""
        return generate_latest(self.registry)


def behind(house: House) -> float:
    """How long nothing that is shown has been live; nothing where it is."""
    since = house.live.behind_since
    return 0.0 if since is None else time.monotonic() - since


def seconds_late(duty: Duty) -> float:
    """How long some part of a duty has failed; nothing while all is well."""
    since = duty.behind_since
    return 0.0 if since is None else max(0.0, time.time() - since)


class CountingMiddleware(ASGIMiddleware):
    """Counts every request by its route, and tells the log."""

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Let it through, and look at what comes back."""
        began, status = time.perf_counter(), 500

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await next_app(scope, receive, noted)
        except HTTPException as problem:
            status = problem.status_code
            raise
        except LedgerUnavailable:
            status = 503
            raise
        finally:
            taken = time.perf_counter() - began
            method = str(scope.get("method", "")).upper()
            route = str(scope.get("path_template") or _ELSEWHERE)
            counts: Counts = scope["litestar_app"].state.counts
            counts.requests.labels(method, route, status).inc()
            counts.seconds.labels(route).observe(taken)
            if route.endswith("/commands") and status == 200:
                counts.commands.inc()
            tell_request(scope.get("user"), method, route, status, taken)


@get(
    "/metrics",
    tags=["floor"],
    opt=opens_to(ANYBODY),
    media_type=TEXT,
    summary="Read the metrics",
)
async def metrics(request: Request[Guest | None, Any, Any], house: House) -> Response[bytes]:
    """For Prometheus: at this very machine, or for those of the house who may read the books. Only
    from elsewhere it is asked who that is, which takes the database: here there are metrics without
    one."""
    if not is_local(request):
        require_plain_tokens(request)
        token = request.cookies.get(COOKIE, "")
        guest = await house.sessions.guest(token) if token else None
        require_reader(guest)
    counts: Counts = request.app.state.counts
    return Response(await asyncio.to_thread(counts.text), media_type=TEXT)


def require_reader(guest: Guest | None) -> None:
    """Somebody who may read the books, and so the metrics too."""
    if guest is None or guest.door not in READERS or guest.must_change:
        raise PermissionDeniedException("metrics are for this machine, or for readers of the books")
