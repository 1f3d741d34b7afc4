"""Accounts: who may sign in, by which door, for the administrator; who may deal, for the floor."""

import asyncio
from typing import Annotated

from litestar import Controller, get, post
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import Meta, Struct

from riverboat.core.errors import Refused
from riverboat.web.accounts import (
    LEAST_PASSWORD,
    LONGEST_NAME,
    LONGEST_PASSWORD,
    Account,
    plain_name,
)
from riverboat.web.dealers import dealers
from riverboat.web.doors import KEEPERS, opens_to
from riverboat.web.house import House
from riverboat.web.purses import FIRST_CENTS
from riverboat.web.roles import Door, Guest

AccountName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
NewPassword = Annotated[str, Meta(min_length=LEAST_PASSWORD, max_length=LONGEST_PASSWORD)]
Named = Annotated[str, Parameter(description="the account's name", max_length=LONGEST_NAME)]
ADMINISTRATOR = opens_to("administrator")


class NewAccount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account to be made; its password is changed at the first sign-in."""

    name: AccountName
    door: Door
    password: NewPassword


class GivenPassword(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A password for somebody who forgot theirs."""

    password: NewPassword


class AccountList(Struct, frozen=True, kw_only=True):
    """Every account, by name; no secret of any."""

    accounts: list[Account]


class AccountsController(Controller):
    """Who may come in."""

    path = "/api/accounts"
    tags = ("accounts",)
    opt = ADMINISTRATOR

    @get("/", sync_to_thread=True)
    def all(self, house: House) -> AccountList:
        """Every account."""
        return AccountList(accounts=house.accounts.all())

    @post("/", status_code=201)
    async def add(self, house: House, data: NewAccount) -> AccountList:
        """A new account."""
        await asyncio.to_thread(house.accounts.add, data.name, data.door, data.password)
        if data.door == "player":
            name = plain_name(data.name)
            await asyncio.to_thread(house.purses.top_up, f"welcome {name}", name, FIRST_CENTS)
        return AccountList(accounts=house.accounts.all())

    @post("/{name:str}/password", status_code=200)
    async def give(self, house: House, name: Named, data: GivenPassword) -> AccountList:
        """Give somebody a new password; every session of theirs ends."""
        _require_known(house, name)
        await asyncio.to_thread(house.accounts.give_password, name, data.password)
        return AccountList(accounts=house.accounts.all())

    @post("/{name:str}/close", status_code=200, sync_to_thread=True)
    def close(self, house: House, guest: Guest, name: Named) -> AccountList:
        """Close an account; not your own, so that the floor is never without an administrator."""
        _require_known(house, name)
        if name == guest.name:
            raise Refused("account.own", "somebody else closes your account", cites=())
        house.accounts.close_account(name)
        return AccountList(accounts=house.accounts.all())


class Dealers(Struct, frozen=True, kw_only=True):
    """Names of those who may be assigned to deal."""

    dealers: list[str]


class DealersController(Controller):
    """Who may deal, for those who assign them."""

    path = "/api/dealers"
    tags = ("accounts",)
    opt = opens_to(*KEEPERS)

    @get("/", sync_to_thread=True)
    def all(self, house: House) -> Dealers:
        """Everybody who may be assigned as a dealer at a table that people run."""
        return Dealers(dealers=dealers(house.accounts))


def _require_known(house: House, name: str) -> None:
    if all(one.name != name for one in house.accounts.all()):
        raise NotFoundException(f"there is no account {name!r}")
