"""The back office: the supervisor's desk, the Game Manager's books, the accounts."""

from typing import Final

from litestar import Controller, get
from litestar.response import Template

from riverboat.web.accounts import LEAST_PASSWORD, LONGEST_NAME, LONGEST_PASSWORD
from riverboat.web.auth import READERS, opens_to
from riverboat.web.roles import Door

DOES: Final[dict[Door, str]] = {
    "player": "plays, with a bankroll of play money",
    "dealer": "deals, step by step",
    "supervisor": "runs the floor: tables, keys, disputes, meters",
    "manager": "keeps the meters and their books",
    "auditor": "reads everything, changes nothing",
    "administrator": "all of it, and these accounts",
}


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
