"""The supervisor's work list: what waits for somebody of the floor, over all tables."""

from collections.abc import Iterator
from typing import Final, Literal

from litestar import Controller, get
from msgspec import Struct

from riverboat.controller.actions import BackOut, PayAward
from riverboat.core.money import Cents
from riverboat.floor.autopilot import next_key
from riverboat.floor.station import AnyAsked, Station
from riverboat.meter.state import Link
from riverboat.table.people import Actor
from riverboat.table.task import Task
from riverboat.web.accounts import Guest
from riverboat.web.api.accounts import signer_list
from riverboat.web.auth import READERS, opens_to
from riverboat.web.demo.roles import actor_at, is_shown
from riverboat.web.house import House
from riverboat.web.screens.console import ReadyAction, ready_action
from riverboat.web.screens.offered import Asking, asking
from riverboat.wording.key_words import award_words
from riverboat.wording.prompts.prompt import prompt

Kind = Literal["interrupted", "award", "dispute", "account", "overdue", "step"]
ORDER: Final[tuple[Kind, ...]] = ("interrupted", "award", "dispute", "account", "overdue", "step")
_FLOOR: Final = ("floorperson", "supervisor")
_SIGNS: Final = ("supervisor",)
"""Whose steps at a demonstration are left to who supervises there; its floorperson is a program."""


class Work(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that waits: where, in which words, by which clauses; `do` is the ready action.
    `account`: whose, which is at no table."""

    kind: Kind
    table: str
    words: str
    who: str = ""
    cites: tuple[str, ...] = ()
    round: int = 0
    award: str = ""
    cents: Cents = 0
    do: ReadyAction | None = None
    demo: bool = False
    optional: bool = False
    account: str = ""


class Worklist(Struct, frozen=True, kw_only=True):
    """Everything that waits, the most pressing first."""

    work: list[Work]


class WorklistController(Controller):
    """What waits."""

    path = "/api/worklist"
    tags = ("floor",)

    @get("/", opt=opens_to(*READERS), sync_to_thread=True, summary="List what waits")
    def waiting(self, house: House, guest: Guest) -> Worklist:
        """Interrupted rounds, pending awards, disputes, what is overdue, steps of the floor."""
        return Worklist(work=worklist(house, guest))


def worklist(house: House, guest: Guest) -> list[Work]:
    """All of it; ready to be done where the table would do it for whoever looks."""
    found: list[Work] = []
    for name in house.table_names():
        if is_peoples(house, name):
            station = house.model.station(name)
            by = actor_at(guest, station.day, house.model.standing_at(name))
            found += work_at(house, station, by)
    found += (one for one in pending_awards(house) if is_peoples(house, one.table))
    found += open_disputes(house)
    found += unapproved(house, guest)
    return sorted(found, key=lambda one: (one.demo, ORDER.index(one.kind), one.table))


def is_peoples(house: House, table: str) -> bool:
    """Whether the floor's part at a table is done by people: at a demonstration or a test its
    programs do it, unless somebody supervises there. A visitor's own table is the visitor's."""
    if house.model.owner(table):
        return False
    if not is_shown(house.model.station(table).day):
        return True
    return "supervisor" in house.model.standing_at(table).values()


def work_at(house: House, station: Station, by: Actor | None) -> Iterator[Work]:
    """What a table waits for from the floor."""
    day = station.day
    link = house.model.link_of(station)
    ask = asking(station, link, by) if by is not None else None
    demo = is_shown(day)
    told = prompt(day)
    for notice in told.notices:
        if notice.overdue:
            yield Work(
                kind="overdue", table=day.table, words=notice.words, cites=notice.cites, demo=demo
            )
    for task in told.tasks:
        if task.who in (_SIGNS if demo and not day.interrupted else _FLOOR):
            kind: Kind = "interrupted" if day.interrupted else "step"
            yield _of_task(task, kind, station, ask)
    yield from _next_key(station, link, ask)


def _ready(ask: Asking | None, do: AnyAsked | None) -> ReadyAction | None:
    """The action that a button sends, for somebody to whom it is offered."""
    return ready_action(do) if ask is not None and do is not None and ask.is_taken(do) else None


def _of_task(task: Task, kind: Kind, station: Station, ask: Asking | None) -> Work:
    return Work(
        kind=kind,
        table=station.day.table,
        who=task.who,
        words=task.words,
        cites=task.cites,
        round=station.day.round_number if station.day.in_round else 0,
        do=_ready(ask, task.do),
        demo=is_shown(station.day),
        optional=task.optional,
    )


def _next_key(station: Station, link: Link | None, ask: Asking | None) -> Iterator[Work]:
    """A press of the controller that waits for the supervisor."""
    day = station.day
    found = next_key(station, link)
    if found is None or found.by not in _FLOOR:
        return
    lamp = station.controller.in_hand
    yield Work(
        kind="award",
        table=day.table,
        who=found.by,
        words=award_words(found.press, lamp.hand, lamp.seat) if lamp else award_words(found.press),
        cites=found.cites,
        round=day.round_number,
        award=getattr(found.press, "award", ""),
        # A second person signs a back-out, and that is asked for where the award stands.
        do=None if isinstance(found.press, BackOut) else _ready(ask, found.press),
        demo=is_shown(day),
    )


def pending_awards(house: House) -> Iterator[Work]:
    """Awards that were fixed and are not paid."""
    for meter in house.model.meters:
        for name, award in house.model.link(meter).awards.items():
            if award.paid or award.backed_out:
                continue
            fixed = award.fixed
            yield Work(
                kind="award",
                table=fixed.table,
                words=award_words(PayAward(seat=fixed.seat), fixed.hand, fixed.seat),
                round=fixed.round,
                award=name,
                cents=fixed.cents,
                demo=is_shown(house.model.station(fixed.table).day),
            )


def open_disputes(house: House) -> Iterator[Work]:
    """Disputes that nobody decided yet: no program decides one, at whatever table."""
    for place, record in list(house.model.disputes.items()):
        if record.opened is None or record.decided is not None:
            continue
        table, _, number = place.rpartition("/")
        words = f"Dispute about round {number}: {record.opened.reason}"
        demo = is_shown(house.model.station(table).day)
        yield Work(kind="dispute", table=table, words=words, round=int(number), demo=demo)


def unapproved(house: House, guest: Guest) -> Iterator[Work]:
    """Those who sign for money and wait, whom whoever looks may approve."""
    for one in signer_list(house, guest).signers:
        if one.may_approve:
            made = " and ".join(one.makers)
            words = f"{one.name} ({one.door}) waits to count as one of two people; made by {made}"
            yield Work(kind="account", table="", words=words, account=one.name)
