"""Who comes in: visiting, signing in and out, passwords, play money; accounts, for the
administrator; who may deal, for the floor."""

import asyncio
from typing import Annotated, Any, Final

from litestar import Controller, Request, Response, get, post
from litestar.exceptions import NotFoundException, PermissionDeniedException
from litestar.params import Parameter
from msgspec import UNSET, Meta, Struct, UnsetType, structs
from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.core.money import Cents
from riverboat.floor.codec import MOST_CENTS
from riverboat.floor.signers import LONGEST_NAME, Person, plain_name
from riverboat.rulebook.values import with_article
from riverboat.web.accounts import (
    LEAST_PASSWORD,
    LONGEST_PASSWORD,
    STAFF,
    Account,
    Accounts,
    Door,
    Guest,
)
from riverboat.web.api.commands import MISSING, Signature, signature
from riverboat.web.auth import (
    ACCOUNTS,
    ANYBODY,
    BROWSER,
    EVERYBODY,
    KEEPERS,
    READERS,
    address_of,
    browser_cookie,
    is_local,
    opens_to,
    session_cookie,
)
from riverboat.web.house import House
from riverboat.web.play_money import FIRST_CENTS

Name = Annotated[str, Meta(min_length=1, max_length=60)]
Password = Annotated[str, Meta(min_length=1, max_length=200)]
AccountName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
GivenText = Annotated[str, Meta(min_length=LEAST_PASSWORD, max_length=LONGEST_PASSWORD)]
Named = Annotated[str, Parameter(description="the account's name", max_length=LONGEST_NAME)]
ADMINISTRATOR = opens_to("administrator")
DEALING: Final = STAFF
"""The doors of those who may deal."""


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


class Me(Struct, frozen=True, kw_only=True):
    """Who you are here, by which door you came, and what is in your purse where you have one."""

    name: str | None
    door: Door | None
    must_change: bool | UnsetType = UNSET
    purse_cents: Cents | UnsetType = UNSET


class EntranceController(Controller):
    """Who comes in."""

    path = "/api"
    tags = ("entrance",)

    @get("/me", opt=opens_to(ANYBODY), sync_to_thread=False, summary="Who you are")
    def me(self, house: House, request: Request[Guest | None, Any, Any]) -> Me:
        """Who you are here, and what is in your purse."""
        return shown(house, request.user)

    @post("/visit", opt=opens_to(ANYBODY), status_code=200, summary="Come in as a visitor")
    async def visit(self, house: House, request: Request[Guest | None, Any, Any]) -> Response[Me]:
        """Come in without an account, to play for play money at demo tables."""
        if request.user is not None:
            return Response(shown(house, request.user))
        if not may_visit(house, request):
            raise PermissionDeniedException(no_visitors(house))
        spend_visit(house, request)
        token, guest = await asyncio.to_thread(house.visitor)
        return Response(
            shown(house, guest), cookies=[session_cookie(token, secure=house.manner.secure)]
        )

    @post("/sign-in", opt=opens_to(ANYBODY), status_code=200, summary="Sign in")
    async def sign_in(
        self, house: House, data: SignIn, request: Request[Guest | None, Any, Any]
    ) -> Response[Me]:
        """Come in with an account; the session that this browser had is over."""
        client = request.client.host if request.client else ""
        known = request.cookies.get(BROWSER, "")
        token, guest, browser = await asyncio.to_thread(
            house.accounts.sign_in, data.name, data.password, client, known
        )
        if request.auth:
            await asyncio.to_thread(house.accounts.sign_out, request.auth)
            house.sessions.forget()
        secure = house.manner.secure
        cookies = [session_cookie(token, secure=secure), browser_cookie(browser, secure=secure)]
        return Response(shown(house, guest), cookies=cookies)

    @post(
        "/sign-out",
        opt={**opens_to(*EVERYBODY), "before_change": True},
        status_code=200,
        summary="Sign out",
    )
    async def sign_out(
        self, house: House, request: Request[Guest, str | None, Any]
    ) -> Response[Me]:
        """Leave; the session is worth nothing any more."""
        if request.auth:
            await asyncio.to_thread(house.accounts.sign_out, request.auth)
            house.sessions.forget()
        return Response(
            shown(house, None), cookies=[session_cookie("", secure=house.manner.secure)]
        )

    @post(
        "/password",
        opt={**opens_to(*ACCOUNTS), "before_change": True},
        status_code=200,
        summary="Change your password",
    )
    async def password(self, house: House, guest: Guest, data: NewPassword) -> Response[Me]:
        """Change your password; every session of yours ends, and this one begins anew."""
        await asyncio.to_thread(house.accounts.change_password, guest.name, data.old, data.new)
        guest = replace(guest, must_change=False)
        token = await asyncio.to_thread(house.accounts.let_in, guest)
        house.sessions.forget()
        return Response(
            shown(house, guest), cookies=[session_cookie(token, secure=house.manner.secure)]
        )

    @post(
        "/purse", opt=opens_to("visitor", "player"), status_code=200, summary="Get more play money"
    )
    async def top_up(self, house: House, guest: Guest, data: TopUp) -> Me:
        """More play money."""
        await asyncio.to_thread(house.play_money.top_up, guest.own(data.id), guest.name, data.cents)
        return shown(house, guest)


def may_visit(house: House, request: Request[Any, Any, Any]) -> bool:
    """Whether somebody without an account is let in."""
    return house.manner.demo or (house.manner.local_demo and is_local(request))


def spend_visit(house: House, request: Request[Any, Any, Any]) -> None:
    """One more visitor from somewhere, or a refusal."""
    if address := address_of(request):
        house.visits.spend(address)


def no_visitors(house: House) -> str:
    """Why somebody without an account is not let in, and what would change it."""
    if house.manner.local_demo:
        return "visitors are let in at this machine only; sign in"
    return "visitors are off on this floor; sign in, or ask whoever runs it to let visitors in"


def shown(house: House, guest: Guest | None) -> Me:
    """Somebody, as they are told about themselves."""
    if guest is None:
        return Me(name=None, door=None)
    purse = house.model.cents(guest.name) if guest.plays else UNSET
    return Me(name=guest.name, door=guest.door, must_change=guest.must_change, purse_cents=purse)


class NewAccount(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An account to be made; its password is changed at the first sign-in. That of somebody who
    signs for money is made by two, who is alone on the floor by one."""

    name: AccountName
    door: Door
    password: GivenText
    second: Signature | None = None


class GivenPassword(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A password for somebody who forgot theirs."""

    password: GivenText


class AccountList(Struct, frozen=True, kw_only=True):
    """Every account, by name; no secret of any."""

    accounts: list[Account]


class AccountsController(Controller):
    """Who may come in."""

    path = "/api/accounts"
    tags = ("accounts",)
    opt = ADMINISTRATOR

    @get("/", sync_to_thread=True, summary="List the accounts")
    def all(self, house: House) -> AccountList:
        """Every account."""
        return AccountList(accounts=house.accounts.all())

    @post("/", status_code=201, sync_to_thread=True, summary="Make an account")
    def add(self, house: House, guest: Guest, data: NewAccount) -> AccountList:
        """A new account; of a supervisor, a manager or an administrator as two people."""
        name = plain_name(data.name)
        if house.model.knows(name) and not house.accounts.has_like(name):
            text = f"{name} is a visitor here, whose play money it would be; choose another name"
            raise Refused("account.name", text, cites=())
        second = _signed_beside(house, guest, name, data)
        house.accounts.add(name, data.door, data.password, by=guest.person, second=second)
        if data.door == "player":
            house.play_money.top_up(f"welcome {name}", name, FIRST_CENTS)
        return AccountList(accounts=house.accounts.all())

    @post(
        "/{name:str}/password",
        status_code=200,
        sync_to_thread=True,
        summary="Give somebody a password",
    )
    def give(self, house: House, guest: Guest, name: Named, data: GivenPassword) -> AccountList:
        """Give somebody a new password; every session of theirs ends, and where they sign for money
        they count as one of two people only after a while, or once somebody else approves it."""
        _require_known(house, name)
        house.accounts.give_password(name, data.password, by=guest.person)
        house.sessions.forget()
        return AccountList(accounts=house.accounts.all())

    @post("/{name:str}/close", status_code=200, sync_to_thread=True, summary="Close an account")
    def close(self, house: House, guest: Guest, name: Named) -> AccountList:
        """Close an account; not your own, so that the floor is never without an administrator."""
        _require_known(house, name)
        if name == guest.name:
            raise Refused("account.own", "somebody else closes your account", cites=())
        house.accounts.close_account(name, by=guest.person)
        house.sessions.forget()
        return AccountList(accounts=house.accounts.all())


class SignerLine(Account, frozen=True, kw_only=True):
    """Somebody who signs for money; `may_approve`: you may say that this is who they say."""

    may_approve: bool


class SignerList(Struct, frozen=True, kw_only=True):
    """Everybody who signs for money, by name, and from when they count as one of two people."""

    signers: list[SignerLine]


class SignersController(Controller):
    """Who signs for money."""

    path = "/api/signers"
    tags = ("accounts",)

    @get("/", opt=opens_to(*READERS), sync_to_thread=True, summary="List who signs for money")
    def all(self, house: House, guest: Guest) -> SignerList:
        """Everybody who signs for money, and whether they count now."""
        return signer_list(house, guest)

    @post(
        "/{name:str}/approval",
        opt=opens_to(*KEEPERS),
        status_code=200,
        sync_to_thread=True,
        summary="Approve who signs for money",
    )
    def approve(self, house: House, guest: Guest, name: Named) -> SignerList:
        """Say that somebody is who they say: they count as one of two people at once. Not for who
        made their account or gave their password."""
        _require_known(house, name)
        house.accounts.approve(name, by=guest.person)
        return signer_list(house, guest)


def signer_list(house: House, guest: Guest) -> SignerList:
    """With what is offered to whoever looks."""
    every = house.accounts.signers()
    asks = any(one.name == guest.name and one.counts for one in every)
    lines = [
        SignerLine(
            **structs.asdict(one),
            may_approve=asks and waits(one) and guest.name not in (one.name, *one.makers),
        )
        for one in every
    ]
    return SignerList(signers=lines)


def waits(one: Account) -> bool:
    """Whether time, or somebody's approval, is all that is missing."""
    return one.signs and not (one.counts or one.closed or one.must_change)


def _signed_beside(house: House, guest: Guest, name: str, data: NewAccount) -> Person | None:
    """The second person, for the account of somebody who signs for money; whoever is alone on the
    floor makes it alone, and the ledger says so."""
    what = f"the account of {with_article(data.door)}"
    if data.door not in KEEPERS:
        if data.second is not None:
            text = f"{what} is made by one person; nobody signs beside it"
            raise Refused("second.not_needed", text, cites=())
        return None
    house.accounts.require_can_add(name, data.door, data.password)
    if data.second is not None:
        return signature(house, guest, data.second, what).person
    if any(one.counts and one.name != guest.name for one in house.accounts.signers()):
        text = f"{what} is made by two people: a second one signs with name and password"
        raise Refused(MISSING, text, cites=())
    return None


class Dealers(Struct, frozen=True, kw_only=True):
    """Names of those who may be assigned to deal."""

    dealers: list[str]


class DealersController(Controller):
    """Who may deal, for those who assign them."""

    path = "/api/dealers"
    tags = ("accounts",)
    opt = opens_to(*KEEPERS)

    @get("/", sync_to_thread=True, summary="List who may deal")
    def all(self, house: House) -> Dealers:
        """Everybody who may be assigned as a dealer at a table that people run."""
        return Dealers(dealers=dealers(house.accounts))


def _require_known(house: House, name: str) -> None:
    if all(one.name != name for one in house.accounts.all()):
        raise NotFoundException(f"there is no account {name!r}")


def dealers(accounts: Accounts) -> list[str]:
    """Their names, dealers first."""
    able = [one for one in accounts.all() if one.door in DEALING and not one.closed]
    return [one.name for one in sorted(able, key=lambda x: (DEALING.index(x.door), x.name))]


def require_dealer(accounts: Accounts, name: str) -> None:
    """A dealer whom people assign is somebody who can sign in and deal."""
    able = dealers(accounts)
    if name not in able:
        text = f"{name!r} does not deal here; {', '.join(able)} may"
        raise Refused("dealer.unknown", text, cites=())
