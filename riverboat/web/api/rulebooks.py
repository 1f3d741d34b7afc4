"""Rulebooks: which there are, everything that one says, what differs between two, and what every
spot of a round is owed under one."""

import asyncio
from typing import Annotated, Any, Literal

from litestar import Controller, get, post
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import Meta, Struct, structs

from riverboat.answers.payout_checker import Request as Question
from riverboat.answers.payout_checker import refusal_document, settle, settle_document
from riverboat.answers.rulebooks import difference_report, listing, plain, whole_rulebook
from riverboat.core.errors import Refused
from riverboat.rulebooks import Loaded, load_all
from riverboat.web.auth import ANYBODY, opens_to

RulebookId = Annotated[str, Meta(max_length=60, pattern="^[a-z0-9-]+$")]
Named = Annotated[str, Parameter(description="a rulebook's id", max_length=60)]
Amount = Annotated[str, Meta(max_length=20, description="dollars", examples=["10"])]
Cards = Annotated[str, Meta(max_length=40, description="cards such as Ah Kd", examples=["Ah Kd"])]
Choice = Annotated[str, Meta(max_length=100, description="KEY=VALUE")]


class Listed(Struct, frozen=True, kw_only=True):
    """A rulebook in a line."""

    id: str
    title: str
    game: str
    status: str
    revision: int
    side_bets: list[str]
    paytables: list[str]
    struck: list[str]
    clauses: int
    sha256: str


class RulebookList(Struct, frozen=True, kw_only=True):
    """The house's rulebooks."""

    rulebooks: list[Listed]


class RulebooksController(Controller):
    """The rules themselves."""

    path = "/api/rulebooks"
    tags = ("rulebooks",)
    opt = opens_to(ANYBODY)

    @get("/", sync_to_thread=False)
    def all(self) -> RulebookList:
        """The house's rulebooks."""
        return RulebookList(rulebooks=[Listed(**listing(loaded)) for loaded in load_all()])

    @get("/{rulebook:str}", sync_to_thread=True)
    def one(self, rulebook: Named) -> dict[str, Any]:
        """Every rule and clause of a rulebook, with the options that an operator has."""
        loaded = rulebook_named(rulebook)
        offers = [
            {"bet": o.bet, "label": o.label, "paytables": list(o.paytables), "cites": list(o.cites)}
            for o in loaded.book.side_bets
        ]
        options = {
            name: {
                "kind": type(option).__name__.lower(),
                **{key: plain(value) for key, value in structs.asdict(option).items()},
            }
            for name, option in loaded.book.options.items()
        }
        return {**whole_rulebook(loaded, None), "offers": offers, "options": options}

    @get("/{rulebook:str}/against/{other:str}", sync_to_thread=True)
    def against(self, rulebook: Named, other: Named) -> dict[str, Any]:
        """What differs between two rulebooks."""
        return difference_report(rulebook_named(rulebook).book, rulebook_named(other).book)


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


class OwedSpot(Struct, frozen=True, kw_only=True):
    """One spot: what lay there, what became of it, what it pays, and why."""

    spot: str
    stake: str
    outcome: str
    pays: str
    paid: str
    source: Literal["", "tray", "cage"]
    owed: str
    net: str
    paytable: str
    cites: list[str]
    words: str


class PaidFrom(Struct, frozen=True, kw_only=True):
    """What leaves the tray, what the cage pays, where all of it comes from in words, and what
    becomes of the cards where the cage pays."""

    tray: str
    cage: str
    words: str
    cards: str


class OwedNote(Struct, frozen=True, kw_only=True):
    """Something else that the round came to."""

    words: str
    cites: list[str]


class RefusedRound(Struct, frozen=True, kw_only=True):
    """Why no table would take this."""

    code: str
    words: str
    cites: list[str]


class Owed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the seat is owed; where the rules refuse the round, nothing, and why."""

    rulebook: str
    spots: list[OwedSpot]
    net: str
    owed: str = ""
    paid_from: PaidFrom | None = None
    notes: list[OwedNote] = []
    refused: RefusedRound | None = None


class PayoutsController(Controller):
    """Payouts."""

    path = "/api/settle"
    tags = ("payouts",)

    @post("/", opt=opens_to(ANYBODY), status_code=200)
    async def settle(self, data: Settle) -> dict[str, Any]:
        """What every spot of a seat is owed. A round that the rules refuse is an answer too."""
        return await asyncio.to_thread(settled, data)


def settled(asked: Settle) -> dict[str, Any]:
    """The answer as data."""
    book = rulebook_named(asked.rulebook).book
    question = Question(
        ante=asked.ante,
        bets=asked.bets,
        cards=asked.cards,
        board=asked.board,
        box=asked.box,
        dealer=asked.dealer,
        side_bets=asked.side_bets,
        meter=asked.meter,
        table=tuple(asked.table),
    )
    try:
        return settle_document(book, settle(book, question))
    except Refused as refusal:
        return refusal_document(book, refusal)
