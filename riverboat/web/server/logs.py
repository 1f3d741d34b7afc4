"""Structured logs: one line of JSON for each thing. What is secret has no way into them."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any, Final, TextIO

import structlog

from riverboat.web.roles import Guest

SECRET: Final = frozenset(
    ("password", "old", "new", "token", "cookie", "cookies", "secret", "authorization", "second")
)
KEPT_BACK: Final = "(kept back)"
LEVELS: Final = ("debug", "info", "warning", "error")
log: structlog.stdlib.BoundLogger = structlog.get_logger("riverboat.web")


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
        logger_factory=structlog.PrintLoggerFactory(to or sys.stderr),
        cache_logger_on_first_use=False,
    )


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
