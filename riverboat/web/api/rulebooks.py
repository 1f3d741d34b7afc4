"""Rulebooks: which there are, everything that one says, what differs between two, and what every
spot of a round is owed under one."""

import asyncio
from typing import Annotated, Final, Literal, TypeAlias

from litestar import Controller, get, post
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import UNSET, Meta, Struct, UnsetType, convert, structs

from riverboat.answers.payout_checker import NothingOwed, Owed, nothing_owed, owed_in, settle
from riverboat.answers.payout_checker import Request as Question
from riverboat.answers.rulebook_tables import Differences, differences_between
from riverboat.answers.rulebooks import Listings, WholeRulebook, listings, plain, whole_rulebook
from riverboat.core.errors import Refused
from riverboat.core.records import alike
from riverboat.rulebook.options import Option
from riverboat.rulebooks import Loaded, load_all
from riverboat.web.auth import ANYBODY, opens_to
from riverboat.web.server.requests import for_pages

RulebookId = Annotated[str, Meta(max_length=60, pattern="^[a-z0-9-]+$")]
Named = Annotated[str, Parameter(description="a rulebook's id", max_length=60)]
Amount = Annotated[str, Meta(max_length=20, description="dollars", examples=["10"])]
Cards = Annotated[str, Meta(max_length=40, description="cards such as Ah Kd", examples=["Ah Kd"])]
LONGEST_CHOICE: Final = 100
Choice = Annotated[str, Meta(max_length=LONGEST_CHOICE, description="KEY=VALUE")]
Value: TypeAlias = str | int | bool | None
"""Of an option."""


class OfferedSideBet(Struct, frozen=True, kw_only=True):
    """A side bet of a rulebook, with the pay tables that it may have."""

    bet: str
    label: str
    paytables: tuple[str, ...]
    cites: tuple[str, ...]


class OptionInFull(Struct, frozen=True, kw_only=True):
    """An option with its bounds, its default and where that comes from, and its clauses; amounts
    and rates as files write them. What its kind does not have is left out."""

    kind: Literal["choice", "flag", "integer", "money", "rate", "text"]
    meaning: str
    default: Value
    fixed: bool
    cites: tuple[str, ...]
    note: str
    default_from: str | UnsetType | None = UNSET
    default_when: dict[str, str | bool] | UnsetType = UNSET
    must_be_stated: bool | UnsetType = UNSET
    none_allowed: bool | UnsetType = UNSET
    choices: tuple[Value, ...] | UnsetType = UNSET
    minimum: Value | UnsetType = UNSET
    maximum: Value | UnsetType = UNSET


class RulebookInFull(WholeRulebook, frozen=True, kw_only=True):
    """A rulebook with its rules and clauses, its side bets, and the options of an operator."""

    offers: tuple[OfferedSideBet, ...]
    options: dict[str, OptionInFull]


class RulebooksController(Controller):
    """The rules themselves."""

    path = "/api/rulebooks"
    tags = ("rulebooks",)
    opt = opens_to(ANYBODY)

    @get("/", sync_to_thread=False, summary="List the rulebooks")
    def all(self) -> Listings:
        """The house's rulebooks."""
        return listings(load_all())

    @get("/{rulebook:str}", sync_to_thread=True, summary="Read a rulebook")
    def one(self, rulebook: Named) -> RulebookInFull:
        """Every rule and clause of a rulebook, with the options that an operator has."""
        loaded = rulebook_named(rulebook)
        return RulebookInFull(
            **structs.asdict(whole_rulebook(loaded)),
            offers=tuple(alike(OfferedSideBet, offer) for offer in loaded.book.side_bets),
            options={name: in_full(one) for name, one in loaded.book.options.items()},
        )

    @get(
        "/{rulebook:str}/against/{other:str}", sync_to_thread=True, summary="Compare two rulebooks"
    )
    def against(self, rulebook: Named, other: Named) -> Differences:
        """What differs between two rulebooks."""
        return differences_between(rulebook_named(rulebook).book, rulebook_named(other).book)


def in_full(option: Option) -> OptionInFull:
    """An option with everything that the rulebook says of it."""
    said = {name: plain(value) for name, value in structs.asdict(option).items()}
    return convert({**said, "kind": type(option).__name__.lower()}, OptionInFull)


def rulebook_named(name: str) -> Loaded:
    """A rulebook of the house; never a file that somebody outside names."""
    for loaded in load_all():
        if loaded.book.id == name:
            return loaded
    raise NotFoundException(f"there is no rulebook {name!r}")


def offered() -> list[Loaded]:
    """As pages offer them: what is in force first, so that nobody takes invented rules for law."""
    return sorted(load_all(), key=lambda loaded: loaded.book.status != "in force")


class PayoutQuestion(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One seat's round: bets and cards. `bets` are multiples of the ante at each decision; fewer
    than there are decisions: folded after them; none given: the smallest at every one."""

    rulebook: RulebookId
    ante: Amount
    bets: Annotated[str, Meta(max_length=60)] | None = None
    cards: Cards = ""
    board: Cards = ""
    box: Cards = ""
    dealer: Cards = ""
    side_bets: dict[str, Amount] = {}
    meter: Amount | None = None
    table: Annotated[list[Choice], Meta(max_length=40)] = []


class PayoutsController(Controller):
    """Payouts."""

    path = "/api/settle"
    tags = ("payouts",)

    @post("/", opt=opens_to(ANYBODY), status_code=200, summary="Check a payout")
    async def settle(self, data: PayoutQuestion) -> Owed | NothingOwed:
        """What every spot of a seat is owed. A round that the rules refuse is an answer too."""
        return await asyncio.to_thread(settled, data)


def settled(asked: PayoutQuestion) -> Owed | NothingOwed:
    """The answer as data."""
    book = rulebook_named(asked.rulebook).book
    try:
        return owed_in(settle(book, alike(Question, asked, table=tuple(asked.table))))
    except Refused as refusal:
        said = for_pages(str(refusal))
        return nothing_owed(book, Refused(refusal.code, said, cites=refusal.cites))
