"""The rows of the ledger that a finished round rests on, found without opening a sealed entry.

Its configuration, its deck's commitment and cuts, every row from its start to its end and the
corrections after it; what these did to the meter; and what was refused meanwhile.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

import msgspec

from riverboat.errors import NotationError, Refused
from riverboat.floor.floor import REFUSED, TABLE
from riverboat.ledger import Ledger, Row
from riverboat.naming import table_called

Raw: TypeAlias = Mapping[str, Any]


def rows_of_round(ledger: Ledger, table: str, number: int) -> list[Row]:
    """Every row that a finished round rests on, in order."""
    story = _Story(number)
    for row in ledger.read(TABLE + table):
        story.tell(row)
    if not story.own:
        last = story.last
        there = f"rounds 1 to {last} are there" if last else "no round was played there"
        text = f"{table_called(table)} has no round {number}; {there}"
        raise NotationError("round.unknown", text)
    if not story.closed:
        raise Refused("round.not_over", f"round {number} of {table} is not over yet", cites=())
    first, last = story.own[0].seq, story.own[-1].seq
    rows = {row.seq: row for row in (*story.ground, *story.own)}
    for row in story.own:
        rows |= {other.seq: other for other in ledger.store.of_command(row.command_id)}
    rows |= {row.seq: row for row in ledger.read(REFUSED + table) if first < row.seq < last}
    return [rows[seq] for seq in sorted(rows)]


class _Story:
    """What a table's stream tells about one round."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.last = 0
        self.ground: list[Row] = []
        self.own: list[Row] = []
        self.closed = False
        self.past = False
        self._configured: Row | None = None
        self._sealed: dict[int, Row] = {}
        self._cuts: dict[str, list[Row]] = {}

    def tell(self, row: Row) -> None:
        """One more row of the table."""
        if self.past:
            return
        entries = list(entries_told(row.body))
        for entry in entries:
            for event in entry["events"]:
                self._note(row, event)
        if self.own and not self.past and self.own[-1].seq != row.seq:
            corrects = any(entry["action"].get("do") == "correct" for entry in entries)
            if not self.closed or corrects:
                self.own.append(row)
        if self.own and any(ev["kind"] == "round_closed" for en in entries for ev in en["events"]):
            self.closed = True

    def _note(self, row: Row, event: Raw) -> None:
        match event["kind"]:
            case "configuration_took_effect":
                self._configured = row
            case "deck_sealed":
                self._sealed[event["number"]] = row
                self._cuts[event["deck"]] = []
            case "deck_received" | "shuffle_finished":
                self._cuts[event["deck"]] = []
            case "deck_cut":
                self._cuts.setdefault(event["deck"], []).append(row)
            case "round_started":
                self._start(row, event)

    def _start(self, row: Row, event: Raw) -> None:
        self.last = event["number"]
        if self.own:
            self.past = True
        elif self.last == self.number:
            known = [self._configured, self._sealed.get(event.get("commitment", 0))]
            known += self._cuts.get(event["deck"], [])
            self.ground = [one for one in known if one is not None]
            self.own = [row]


def entries_told(body: str) -> Iterator[Raw]:
    """What everybody may read of a body's entries."""
    try:
        for line in msgspec.json.decode(body):
            match line["line"]:
                case "entry":
                    yield line["entry"]
                case "sealed":
                    yield msgspec.json.decode(line["public"])
    except (msgspec.MsgspecError, LookupError, TypeError) as problem:
        text = f"a table's body cannot be read: {problem}"
        raise NotationError("stored.unreadable", text) from None
