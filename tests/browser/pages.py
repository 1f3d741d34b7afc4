"""Every page that there is, by the doors that it is looked at through."""

import typing
from collections.abc import Iterator
from typing import Any, Final

from litestar.response import Template

from riverboat.web.server.app import PAGES

VISITOR: Final = (
    "/", "/lobby", "/settle", "/odds/{rulebook}", "/sign", "/sign/{meter}", "/sign-in", "/dealer",
    "/dealer/{table}", "/jackpot", "/tables/{table}", "/rounds", "/rounds/{own}/{number}",
)  # fmt: skip
DOORS: Final[dict[str, tuple[str, ...]]] = {
    "administrator": (
        "/accounts", "/supervisor", "/manager", "/rounds", "/rounds/{own}/{number}", "/dealer",
        "/dealer/{table}", "/tables/{table}", "/lobby", "/sign-in",
    ),
    "manager": ("/manager", "/supervisor"),
    "supervisor": ("/supervisor", "/dealer/{table}"),
    "auditor": ("/meters", "/supervisor", "/rounds", "/rounds/{own}/{number}"),
    "dealer": ("/dealer", "/dealer/{table}"),
    "player": ("/lobby", "/tables/{table}", "/rounds"),
}  # fmt: skip


def page_routes() -> Iterator[str]:
    """The paths of every handler that answers with a page."""
    for controller in PAGES:
        for handler in vars(controller).values():
            answers = getattr(getattr(handler, "fn", None), "__annotations__", {}).get("return")
            if answers is Template or Template in typing.get_args(answers):
                yield from handler.paths


def shape(path: str) -> str:
    """A path without the names of its parts: `/rounds/{}/{}`."""
    parts = ["{}" if part.startswith("{") else part for part in path.split("/")]
    return "/".join(parts)


def filled(path: str, names: dict[str, Any]) -> str:
    """A path with what is there put in."""
    return path.format(**names)
