"""The supervisor's work list: what waits for somebody of the floor, over all tables."""

from collections.abc import Iterator
from typing import Any, Final, Literal

from litestar import Controller, get
from msgspec import Struct, to_builtins

from riverboat.evidence.round_file import tells_cards
from riverboat.floor.station import Station
from riverboat.money import Cents
from riverboat.progressive.prompting import coming
from riverboat.progressive.winners import Desk
from riverboat.table.prompts import prompt
from riverboat.table.tasks import Task
from riverboat.web.doors import READERS, opens_to
from riverboat.web.house import House

Kind = Literal["interrupted", "award", "dispute", "overdue", "step"]
ORDER: Final[tuple[Kind, ...]] = ("interrupted", "award", "dispute", "overdue", "step")
_FLOOR: Final = ("floorperson", "supervisor")


class Work(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that waits: where, in which words, by which clauses; `do` is the ready action."""

    kind: Kind
    table: str
    words: str
    who: str = ""
    cites: tuple[str, ...] = ()
    round: int = 0
    award: str = ""
    cents: Cents = 0
    do: dict[str, Any] | None = None
    demo: bool = False
    optional: bool = False


class Worklist(Struct, frozen=True, kw_only=True):
    """Everything that waits, the most pressing first."""

    work: list[Work]


class WorklistController(Controller):
    """What waits."""

    path = "/api/worklist"
    tags = ("floor",)

    @get("/", opt=opens_to(*READERS), sync_to_thread=True)
    def waiting(self, house: House) -> Worklist:
        """Interrupted rounds, pending awards, disputes, what is overdue, steps of the floor."""
        return Worklist(work=worklist(house))


def worklist(house: House) -> list[Work]:
    """All of it."""
    found: list[Work] = []
    for name in house.table_names():
        found += work_at(house, house.floor.station(name))
    found += pending_awards(house)
    found += open_disputes(house)
    return sorted(found, key=lambda one: (one.demo, ORDER.index(one.kind), one.table))


def work_at(house: House, station: Station) -> Iterator[Work]:
    """What a table waits for from the floor; what its programs do anyway is left out, unless it
    is overdue."""
    day = station.day
    demo = day.configuration is not None and day.configuration.demo
    told = prompt(day)
    for notice in told.notices:
        if notice.overdue:
            yield Work(
                kind="overdue", table=day.table, words=notice.words, cites=notice.cites, demo=demo
            )
    if demo and not day.interrupted:
        return
    for task in told.tasks:
        if task.who in _FLOOR:
            kind: Kind = "interrupted" if day.interrupted else "step"
            yield _of_task(task, kind, station)
    yield from _next_key(house, station)


def _of_task(task: Task, kind: Kind, station: Station) -> Work:
    raw = to_builtins(task.do) if task.do is not None else None
    return Work(
        kind=kind,
        table=station.day.table,
        who=task.who,
        words=task.words,
        cites=task.cites,
        round=station.day.round_number if station.day.in_round else 0,
        do=None if raw is None or tells_cards(raw) else raw,
        optional=task.optional,
    )


def _next_key(house: House, station: Station) -> Iterator[Work]:
    """A press of the controller that waits for the supervisor."""
    day = station.day
    if not station.link or not day.in_round or day.interrupted or day.playing.phase == "void":
        return
    found = coming(Desk(station.controller, day.playing, house.floor.link(station.link)))
    if found is None or found.by not in _FLOOR:
        return
    raw = to_builtins(found.press)
    words = f"{str(raw['do']).replace('_', ' ').capitalize()}: round {day.round_number}"
    yield Work(
        kind="award",
        table=day.table,
        who=found.by,
        words=words,
        cites=found.cites,
        round=day.round_number,
        do=raw,
    )


def pending_awards(house: House) -> Iterator[Work]:
    """Awards that were fixed and are not paid."""
    for meter in house.meter_names():
        for name, award in house.floor.link(meter).awards.items():
            if award.paid or award.backed_out:
                continue
            fixed = award.fixed
            yield Work(
                kind="award",
                table=fixed.table,
                words=f"{fixed.hand.replace('_', ' ')} at seat {fixed.seat}: pay the award",
                round=fixed.round,
                award=name,
                cents=fixed.cents,
            )


def open_disputes(house: House) -> Iterator[Work]:
    """Disputes that nobody decided yet."""
    for place, record in list(house.noticed.disputes.items()):
        if record.opened is None or record.decided is not None:
            continue
        table, _, number = place.rpartition("/")
        words = f"Dispute about round {number}: {record.opened.reason}"
        yield Work(kind="dispute", table=table, words=words, round=int(number))
