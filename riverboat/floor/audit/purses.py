"""Play money added up again: every purse is what was given and what rounds came to, what was taken
out of one stands in its own stream with the very command that took it, and nobody ever bet what
they did not have."""

from collections import defaultdict

from riverboat.core.money import Cents, format_cents
from riverboat.floor.audit.decisions import Difference, require_top_up
from riverboat.floor.codec import PURSE, Spent, ToppedUp, read_purse, require_spelling
from riverboat.floor.station import STAKES, Decided, Station, purse_changes
from riverboat.ledger import Row


class PurseCheck:
    """Every purse as it stands at a row, and what the command in hand still has to write down."""

    def __init__(self) -> None:
        self._cents: defaultdict[str, Cents] = defaultdict(int)
        self._is_kept: set[str] = set()
        """Whose purses there are: a floor on which nobody has one gives everybody credit."""
        self._awaited: dict[str, Spent] = {}
        self._cause: Row | None = None
        self._sealed = False
        """Whether some table could not be read: nobody knows then what its players have."""

    def lose_sight(self, row: Row) -> None:
        """A table whose rounds are sealed."""
        self._sealed, self._cause = True, row

    def follow(self, row: Row, before: Station, decided: Decided) -> None:
        """What a table's row did to the purses of its people."""
        self._cause = row
        for name, cents in purse_changes(before, decided.station).items():
            self._cents[name] += cents
            if cents < 0 and name in self._is_kept:
                self._awaited[name] = Spent(cents=-cents, table=decided.station.day.table)
                self._require_money(name, decided)

    def _require_money(self, name: str, decided: Decided) -> None:
        has = self._cents[name]
        if has < 0 and isinstance(decided.entry.action, STAKES) and not self._sealed:
            text = f"the bet takes the purse of {name} to {format_cents(has)}"
            raise Difference(text, entry=decided.entry.number, event="spent", field="cents")

    def take(self, row: Row) -> None:
        """A row of a purse itself."""
        name, told = row.stream.removeprefix(PURSE), read_purse(row)
        require_spelling(row.body, told)
        if isinstance(told, ToppedUp):
            require_top_up(row, told)
            self._cents[name] += told.cents
            self._is_kept.add(name)
            return
        expected = self._awaited.pop(name, None)
        own = self._cause is not None and self._cause.command_id == row.command_id
        if expected is None and own and self._sealed:
            return
        if expected != told or not own:
            text = f"{format_cents(told.cents)} at {told.table} is not what the command took"
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
