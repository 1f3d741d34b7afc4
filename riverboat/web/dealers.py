"""Who may deal at a table that people run: an open account of the house, by its exact name."""

from typing import Final

from riverboat.core.errors import Refused
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.web.accounts import Accounts
from riverboat.web.roles import STAFF
from riverboat.web.standing_in import is_shown

DEALING: Final = STAFF
"""The doors of those who may deal."""


def dealers(accounts: Accounts) -> list[str]:
    """Their names, dealers first."""
    able = [one for one in accounts.all() if one.door in DEALING and not one.closed]
    return [one.name for one in sorted(able, key=lambda x: (DEALING.index(x.door), x.name))]


def require_dealer(accounts: Accounts, day: Day, action: object) -> None:
    """A dealer who is assigned is somebody who can sign in and deal; a table that is for show has
    programs."""
    if not isinstance(action, a.AssignDealer) or is_shown(day):
        return
    able = dealers(accounts)
    if action.name not in able:
        text = f"{action.name!r} does not deal here; {', '.join(able)} may"
        raise Refused("dealer.unknown", text, cites=())
