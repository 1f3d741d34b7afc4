"""The entrance for who has an account, and what a browser shows where a page is refused: words
and a way on, never a line of data."""

from typing import Any
from urllib.parse import quote

from litestar import Controller, Request, Response, get
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_401_UNAUTHORIZED, HTTP_403_FORBIDDEN

from riverboat.web.accounts import LEAST_PASSWORD
from riverboat.web.api.accounts import may_visit
from riverboat.web.auth import ANYBODY, has_address, opens_to
from riverboat.web.house import House
from riverboat.web.roles import Guest

API = "/api/"


class SignInPages(Controller):
    """The entrance for who has an account."""

    include_in_schema = False

    @get("/sign-in", opt=opens_to(ANYBODY), sync_to_thread=False)
    def sign_in(self, house: House, request: Request[Guest | None, Any, Any]) -> Template:
        """A name and a password; whoever was given one chooses another first."""
        guest = request.user
        return Template(
            "sign_in.html",
            context={
                "guest": guest,
                "visiting": guest is None and may_visit(house, request),
                "least": LEAST_PASSWORD,
            },
        )


def wants_page(request: Request[Any, Any, Any]) -> bool:
    """Whether a person opened an address, not a program or a page's script."""
    accepts, path = request.headers.get("accept", ""), str(request.scope["path"])
    page = request.method == "GET" and "text/html" in accepts and not path.startswith(API)
    return page and has_address(request)


def refused_page(request: Request[Any, Any, Any], status: int, words: str) -> Response[Any]:
    """To the sign-in where that is what is missing; else the reason, and the ways that are open."""
    guest = request.scope.get("user")
    must_change = status == HTTP_403_FORBIDDEN and guest is not None and guest.must_change
    if status == HTTP_401_UNAUTHORIZED or must_change:
        return Redirect(f"/sign-in?next={quote(request.url.path)}")
    return Template("refused.html", context={"words": words, "status": status}, status_code=status)
