"""Play money added up again: every purse is what was given and what rounds came to, what was taken
out of one stands in its own stream with the very command that took it, none is ever below nothing,
and what the house bore for that is exactly what was missing."""

from collections import defaultdict

from riverboat.core.money import Cents, format_cents
from riverboat.floor.audit.decisions import Difference, require_top_up
from riverboat.floor.codec import (
    PURSE,
    Covered,
    Spent,
    ToppedUp,
    gained,
    read_purse,
    require_spelling,
    taken_back,
)
from riverboat.floor.station import PURSE_FIRST, STAKES, Station, StationEntry, purse_changes
from riverboat.ledger import Row


class PurseCheck:
    """Every purse as it stands at a row, and what the command in hand still has to write down."""

    def __init__(self) -> None:
        self._cents: defaultdict[str, Cents] = defaultdict(int)
        self._is_kept: set[str] = set()
        """Whose purses there are: a floor on which nobody has one gives everybody credit."""
        self._awaited: dict[str, Spent | Covered] = {}
        self._cause: Row | None = None
        self._sealed = False
        """Whether some table could not be read: nobody knows then what its players have."""

    def lose_sight(self, row: Row) -> None:
        """A table whose rounds are sealed."""
        self._sealed, self._cause = True, row

    def follow(self, row: Row, before: Station, after: Station, entry: StationEntry) -> None:
        """What a table's row did to the purses of its people."""
        self._cause = row
        for name, cents in purse_changes(before, after).items():
            self._cents[name] += cents
            if cents < 0 and name in self._is_kept:
                self._awaited[name] = self._taken(name, after, entry, -cents)

    def _taken(
        self, name: str, after: Station, entry: StationEntry, cents: Cents
    ) -> Spent | Covered:
        """What has to be written down: a bet or a correction has the money, and of what else is
        taken back the house bears exactly what was missing."""
        has = self._cents[name]
        if not isinstance(entry.action, PURSE_FIRST):
            return taken_back(entry, after, cents, has + cents)
        if has < 0 and not self._sealed:
            what = "bet" if isinstance(entry.action, STAKES) else "correction"
            text = f"the {what} takes the purse of {name} to {format_cents(has)}"
            raise Difference(text, entry=entry.number, event="spent", field="cents")
        return Spent(cents=cents, table=after.day.table)

    def take(self, row: Row) -> None:
        """A row of a purse itself."""
        name, told = row.stream.removeprefix(PURSE), read_purse(row)
        require_spelling(row.body, told)
        if isinstance(told, ToppedUp):
            require_top_up(row, told)
            self._cents[name] += gained(told)
            self._is_kept.add(name)
            return
        expected = self._awaited.pop(name, None)
        self._cents[name] += gained(told)
        own = self._cause is not None and self._cause.command_id == row.command_id
        if own and self._sealed and _may_be(told, expected):
            return
        if expected != told or not own:
            raise _otherwise(told, expected)
        if self._cents[name] < 0 and not self._sealed:
            text = f"leaves the purse of {name} at {format_cents(self._cents[name])}"
            raise Difference(text, event="spent", field="cents")

    def require_told(self, row: Row) -> None:
        """What a command took out of purses is written down before another command."""
        if self._cause is not None and row.command_id != self._cause.command_id:
            if missing := self.missing():
                raise Difference(missing, event="spent", of=self._cause.stream)
            self._cause = None

    def missing(self) -> str:
        """What the last command took out of a purse and did not write down; empty if nothing."""
        for name, one in self._awaited.items():
            return f"took {format_cents(one.cents)} from the purse of {name}, whose row is missing"
        return ""


def _may_be(told: Spent | Covered, expected: Spent | Covered | None) -> bool:
    """Whether it can be what a command took, where nobody knows what its player had."""
    if isinstance(told, Covered) and not 0 < told.house_cents <= told.cents:
        return False
    return expected is None or (told.cents, told.table) == (expected.cents, expected.table)


def _otherwise(told: Spent | Covered, expected: Spent | Covered | None) -> Difference:
    if isinstance(told, Covered):
        missing = expected.house_cents if isinstance(expected, Covered) else 0
        text = (
            f"the house bore {format_cents(told.house_cents)} of {format_cents(told.cents)} at "
            f"{told.table} ({told.reason}); {format_cents(missing)} was missing"
        )
        return Difference(text, event="covered", field="house_cents")
    text = f"{format_cents(told.cents)} at {told.table} is not what the command took"
    return Difference(text, event="spent", field="cents")
