"""The administrator's page: who may sign in, and by which door."""

from typing import Final

from litestar import Controller, get
from litestar.response import Template

from riverboat.web.accounts import LEAST_PASSWORD, LONGEST_NAME, LONGEST_PASSWORD
from riverboat.web.doors import opens_to
from riverboat.web.roles import Door

DOES: Final[dict[Door, str]] = {
    "player": "plays, with a purse of play money",
    "dealer": "deals, step by step",
    "supervisor": "runs the floor: tables, keys, disputes, meters",
    "manager": "keeps the meters and their books",
    "auditor": "reads everything, changes nothing",
    "administrator": "all of it, and these accounts",
}


class AccountPages(Controller):
    """What an administrator opens."""

    include_in_schema = False

    @get("/accounts", opt=opens_to("administrator"), sync_to_thread=False)
    def accounts(self) -> Template:
        """Every account, and making one."""
        bounds = {"least": LEAST_PASSWORD, "longest": LONGEST_PASSWORD, "name": LONGEST_NAME}
        return Template("accounts.html", context={"does": DOES, "bounds": bounds})
