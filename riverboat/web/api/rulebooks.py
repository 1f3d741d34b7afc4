"""Rulebooks: which there are, everything that one says, what differs between two, and what every
spot of a round is owed under one."""

import asyncio
from typing import Annotated, Any

from litestar import Controller, get, post
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import Meta, Struct, structs

from riverboat.answers.payout_checker import NothingOwed, Owed, nothing_owed, owed_in, settle
from riverboat.answers.payout_checker import Request as Question
from riverboat.answers.rulebook_tables import Differences, differences_between
from riverboat.answers.rulebooks import Listings, WholeRulebook, listings, plain, whole_rulebook
from riverboat.core.errors import Refused
from riverboat.rulebooks import Loaded, load_all
from riverboat.web.auth import ANYBODY, opens_to

RulebookId = Annotated[str, Meta(max_length=60, pattern="^[a-z0-9-]+$")]
Named = Annotated[str, Parameter(description="a rulebook's id", max_length=60)]
Amount = Annotated[str, Meta(max_length=20, description="dollars", examples=["10"])]
Cards = Annotated[str, Meta(max_length=40, description="cards such as Ah Kd", examples=["Ah Kd"])]
Choice = Annotated[str, Meta(max_length=100, description="KEY=VALUE")]


class Offered(Struct, frozen=True, kw_only=True):
    """A side bet of a rulebook, with the pay tables that it may have."""

    bet: str
    label: str
    paytables: tuple[str, ...]
    cites: tuple[str, ...]


class RulebookInFull(WholeRulebook, frozen=True, kw_only=True):
    """A rulebook with its rules and clauses, its side bets, and the options of an operator."""

    offers: tuple[Offered, ...]
    options: dict[str, dict[str, Any]]


class RulebooksController(Controller):
    """The rules themselves."""

    path = "/api/rulebooks"
    tags = ("rulebooks",)
    opt = opens_to(ANYBODY)

    @get("/", sync_to_thread=False)
    def all(self) -> Listings:
        """The house's rulebooks."""
        return listings(load_all())

    @get("/{rulebook:str}", sync_to_thread=True)
    def one(self, rulebook: Named) -> RulebookInFull:
        """Every rule and clause of a rulebook, with the options that an operator has."""
        loaded = rulebook_named(rulebook)
        options = {
            name: {
                "kind": type(option).__name__.lower(),
                **{key: plain(value) for key, value in structs.asdict(option).items()},
            }
            for name, option in loaded.book.options.items()
        }
        return RulebookInFull(
            **structs.asdict(whole_rulebook(loaded)),
            offers=tuple(
                Offered(bet=o.bet, label=o.label, paytables=o.paytables, cites=o.cites)
                for o in loaded.book.side_bets
            ),
            options=options,
        )

    @get("/{rulebook:str}/against/{other:str}", sync_to_thread=True)
    def against(self, rulebook: Named, other: Named) -> Differences:
        """What differs between two rulebooks."""
        return differences_between(rulebook_named(rulebook).book, rulebook_named(other).book)


def rulebook_named(name: str) -> Loaded:
    """A rulebook of the house; never a file that somebody outside names."""
    for loaded in load_all():
        if loaded.book.id == name:
            return loaded
    raise NotFoundException(f"there is no rulebook {name!r}")


def offered() -> list[Loaded]:
    """As pages offer them: what is in force first, so that nobody takes invented rules for law."""
    return sorted(load_all(), key=lambda loaded: loaded.book.status != "in force")


class Settle(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
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

    @post("/", opt=opens_to(ANYBODY), status_code=200)
    async def settle(self, data: Settle) -> Owed | NothingOwed:
        """What every spot of a seat is owed. A round that the rules refuse is an answer too."""
        return await asyncio.to_thread(settled, data)


def settled(asked: Settle) -> Owed | NothingOwed:
    """The answer as data."""
    book = rulebook_named(asked.rulebook).book
    words = {**structs.asdict(asked), "table": tuple(asked.table)}
    question = Question(**{name: words[name] for name in Question.__struct_fields__})
    try:
        return owed_in(settle(book, question))
    except Refused as refusal:
        return nothing_owed(book, refusal)
