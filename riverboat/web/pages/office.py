"""The sign-in and the back office: the supervisor's desk, the Game Manager's books, the accounts.
Where a page is refused a browser shows words and a way on, never a line of data."""

from typing import Any, Final
from urllib.parse import quote

from litestar import Controller, Request, Response, get
from litestar.response import Redirect, Template
from litestar.status_codes import HTTP_401_UNAUTHORIZED, HTTP_403_FORBIDDEN

from riverboat.floor.signers import LONGEST_NAME
from riverboat.web.accounts import LEAST_PASSWORD, LONGEST_PASSWORD, Door, Guest
from riverboat.web.api.accounts import may_visit
from riverboat.web.auth import ANYBODY, READERS, has_address, opens_to
from riverboat.web.house import House

API: Final = "/api/"
DOES: Final[dict[Door, str]] = {
    "player": "plays, with a bankroll of play money",
    "dealer": "deals, step by step",
    "supervisor": "runs the floor: tables, keys, disputes, meters",
    "manager": "keeps the meters and their books",
    "auditor": "reads everything, changes nothing",
    "administrator": "all of it, and these accounts",
}


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


class SupervisorPages(Controller):
    """What a supervisor opens."""

    include_in_schema = False

    @get("/supervisor", opt=opens_to(*READERS), sync_to_thread=False)
    def desk(self) -> Template:
        """The work list first."""
        return Template("supervisor.html")


class BookPages(Controller):
    """What a Game Manager opens."""

    include_in_schema = False

    @get(["/manager", "/meters"], opt=opens_to(*READERS), sync_to_thread=False)
    def books(self) -> Template:
        """Every meter and whether it balances."""
        return Template("books.html")


class AccountPages(Controller):
    """What an administrator opens."""

    include_in_schema = False

    @get("/accounts", opt=opens_to("administrator"), sync_to_thread=False)
    def accounts(self) -> Template:
        """Every account, and making one."""
        bounds = {"least": LEAST_PASSWORD, "longest": LONGEST_PASSWORD, "name": LONGEST_NAME}
        return Template("accounts.html", context={"does": DOES, "bounds": bounds})


# ---------------------------------------------------------------- where a page is refused


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
