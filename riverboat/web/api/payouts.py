"""The payout checker: what every spot is owed, with its clause."""

import asyncio
from typing import Annotated, Any, Literal

from litestar import Controller, post
from msgspec import Meta, Struct

from riverboat.core.errors import Refused
from riverboat.settling import Request as Question
from riverboat.settling import refusal_document, settle, settle_document
from riverboat.web.api.rulebooks import RulebookId, rulebook_named
from riverboat.web.doors import ANYBODY, opens_to

Amount = Annotated[str, Meta(max_length=20, description="dollars", examples=["10"])]
Cards = Annotated[str, Meta(max_length=40, description="cards such as Ah Kd", examples=["Ah Kd"])]
Choice = Annotated[str, Meta(max_length=100, description="KEY=VALUE")]


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
