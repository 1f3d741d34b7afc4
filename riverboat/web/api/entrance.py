"""The entrance: visiting, signing in and out, passwords, play money."""

import asyncio
from typing import Annotated, Any

from litestar import Controller, Request, Response, get, post
from litestar.exceptions import PermissionDeniedException
from msgspec import Meta, Struct

from riverboat.web.accounts import plain_name
from riverboat.web.doors import (
    ACCOUNTS,
    ANYBODY,
    EVERYBODY,
    is_local,
    opens_to,
    session_cookie,
)
from riverboat.web.frames import Json
from riverboat.web.house import House
from riverboat.web.purses import MOST_CENTS
from riverboat.web.roles import Guest

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Password = Annotated[str, Meta(min_length=1, max_length=200)]


class SignIn(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A name and its password."""

    name: Name
    password: Password


class NewPassword(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The old one, and the one that takes its place."""

    old: Password
    new: Password


class TopUp(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Play money, once for an id."""

    id: Annotated[str, Meta(min_length=8, max_length=100)]
    cents: Annotated[int, Meta(ge=1, le=MOST_CENTS)]


class EntranceController(Controller):
    """Who comes in."""

    path = "/api"
    tags = ("entrance",)

    @get("/me", opt=opens_to(ANYBODY), sync_to_thread=False)
    def me(self, house: House, request: Request[Guest | None, Any, Any]) -> Json:
        """Who you are here, and what is in your purse."""
        return shown(house, request.user)

    @post("/visit", opt=opens_to(ANYBODY), status_code=200)
    async def visit(self, house: House, request: Request[Guest | None, Any, Any]) -> Response[Json]:
        """Come in without an account, to play for play money at demo tables."""
        if request.user is not None:
            return Response(shown(house, request.user))
        if not may_visit(house, request):
            raise PermissionDeniedException(no_visitors(house))
        client = request.client.host if request.client else ""
        house.visits.spend(client)
        token, guest = await asyncio.to_thread(house.visitor)
        return Response(
            shown(house, guest), cookies=[session_cookie(token, secure=house.manner.secure)]
        )

    @post("/sign-in", opt=opens_to(ANYBODY), status_code=200)
    async def sign_in(
        self, house: House, data: SignIn, request: Request[Guest | None, Any, Any]
    ) -> Response[Json]:
        """Come in with an account."""
        client = request.client.host if request.client else ""
        key = f"name {plain_name(data.name).casefold()} from {client}"
        house.addresses.spend(client)
        house.patience.spend(key)
        token, guest = await asyncio.to_thread(house.accounts.sign_in, data.name, data.password)
        house.patience.forget(key)
        house.addresses.give_back(client)
        return Response(
            shown(house, guest), cookies=[session_cookie(token, secure=house.manner.secure)]
        )

    @post("/sign-out", opt={**opens_to(*EVERYBODY), "before_change": True}, status_code=200)
    async def sign_out(
        self, house: House, request: Request[Guest, str | None, Any]
    ) -> Response[Json]:
        """Leave; the session is worth nothing any more."""
        if request.auth:
            house.accounts.sign_out(request.auth)
        return Response(
            shown(house, None), cookies=[session_cookie("", secure=house.manner.secure)]
        )

    @post("/password", opt={**opens_to(*ACCOUNTS), "before_change": True}, status_code=200)
    async def password(self, house: House, guest: Guest, data: NewPassword) -> Response[Json]:
        """Change your password; every session of yours ends, and this one begins anew."""
        house.patience.spend(f"name {guest.name}")
        await asyncio.to_thread(house.accounts.change_password, guest.name, data.old, data.new)
        token, guest = await asyncio.to_thread(house.accounts.sign_in, guest.name, data.new)
        house.patience.forget(f"name {guest.name}")
        return Response(
            shown(house, guest), cookies=[session_cookie(token, secure=house.manner.secure)]
        )

    @post("/purse", opt=opens_to("visitor", "player"), status_code=200)
    async def top_up(self, house: House, guest: Guest, data: TopUp) -> Json:
        """More play money."""
        await asyncio.to_thread(house.purses.top_up, guest.own(data.id), guest.name, data.cents)
        return shown(house, guest)


def may_visit(house: House, request: Request[Any, Any, Any]) -> bool:
    """Whether somebody without an account is let in."""
    return house.manner.demo or (house.manner.local_demo and is_local(request))


def no_visitors(house: House) -> str:
    """Why somebody without an account is not let in, and what would change it."""
    if house.manner.local_demo:
        return "visitors are let in at this machine only; sign in"
    return "visitors are off on this floor; sign in, or ask whoever runs it to let visitors in"


def shown(house: House, guest: Guest | None) -> Json:
    """Somebody, as they are told about themselves."""
    if guest is None:
        return {"name": None, "door": None}
    own: Json = {"name": guest.name, "door": guest.door, "must_change": guest.must_change}
    if guest.plays:
        own["purse_cents"] = house.purses.cents(guest.name)
    return own
