"""The ledger's rows as what they tell: a table's entries, a meter's, what was refused.

Sealed entries are opened with the keys that their rounds released, or with the floor's secret; what
neither opens is named as sealed and not guessed.
"""

from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final, NamedTuple, Self, TypeAlias, TypeVar

from riverboat.errors import NotationError
from riverboat.floor.bodies import (
    KeyReleased,
    MeterEntry,
    PlainEntry,
    RefusedEntry,
    RefusedKeeping,
    SealedEntry,
    lines_of,
    read_meter_body,
    read_refused_body,
    read_refused_keeping,
    require_spelling,
    unsealed,
)
from riverboat.floor.floor import METER, REFUSED, REFUSED_METER, TABLE
from riverboat.floor.keys import MasterSecret
from riverboat.floor.station import StationEntry
from riverboat.ledger import Ledger, Row
from riverboat.sealing import RoundKey

Keys: TypeAlias = dict[tuple[str, int], RoundKey]
T = TypeVar("T")
_MARK: Final = '"line":"key"'


class TableRow(NamedTuple):
    """What a row tells of a table; `sealed` are the entries in it that nobody may read yet."""

    row: Row
    table: str
    entries: tuple[StationEntry, ...]
    sealed: tuple[SealedEntry, ...]
    released: tuple[int, ...]
    was_sealed: bool


class MeterRow(NamedTuple):
    """What a row tells of a meter."""

    row: Row
    meter: str
    entry: MeterEntry


class RefusedRow(NamedTuple):
    """Something that was refused at a table."""

    row: Row
    table: str
    entry: RefusedEntry


class RefusedMeterRow(NamedTuple):
    """Something that was refused to keepers of a meter."""

    row: Row
    meter: str
    entry: RefusedKeeping


class OtherRow(NamedTuple):
    """A row of a stream that is neither a table's nor a meter's."""

    row: Row


OpenedRow: TypeAlias = TableRow | MeterRow | RefusedRow | RefusedMeterRow | OtherRow


class Opener:
    """Opens rows; knows every key that was released in a ledger up to its head."""

    def __init__(
        self, ledger: Ledger, secret: MasterSecret | None, last_seq: int, rows: Iterable[Row] = ()
    ) -> None:
        self.ledger, self.secret, self.last_seq = ledger, secret, last_seq
        self.keys: Keys = {}
        self.faults: dict[int, str] = {}
        for row in rows or self.rows():
            if _MARK in row.body and row.stream.startswith(TABLE):
                self._learn(row)

    @classmethod
    def of_table(cls, ledger: Ledger, secret: MasterSecret | None, table: str) -> Self:
        """An opener that knows the keys of one table only."""
        return cls(ledger, secret, ledger.head().seq, ledger.read(TABLE + table))

    def rows(self) -> Iterator[Row]:
        """Every row up to the head."""
        return takewhile(lambda row: row.seq <= self.last_seq, self.ledger.read_all())

    def _learn(self, row: Row) -> None:
        table = row.stream.removeprefix(TABLE)
        try:
            for line in lines_of(row.body):
                if isinstance(line, KeyReleased):
                    self.keys[table, line.commitment] = RoundKey.read(line.key)
        except NotationError as problem:
            self.faults[row.seq] = str(problem)

    def key_of(self, table: str, commitment: int) -> RoundKey | None:
        """A key that is known: the floor's own, or the released one."""
        if self.secret is not None:
            return self.secret.key_of(table, commitment)
        return self.keys.get((table, commitment))

    def open(self, row: Row) -> OpenedRow:
        """A row as what it tells; NotationError where it cannot be read."""
        if row.stream.startswith(TABLE):
            return self._table(row, row.stream.removeprefix(TABLE))
        if row.stream.startswith(METER):
            name = row.stream.removeprefix(METER)
            return MeterRow(row, name, _spelled(row, read_meter_body(row.body)))
        if row.stream.startswith(REFUSED):
            name = row.stream.removeprefix(REFUSED)
            return RefusedRow(row, name, _spelled(row, read_refused_body(row.body)))
        if row.stream.startswith(REFUSED_METER):
            name = row.stream.removeprefix(REFUSED_METER)
            return RefusedMeterRow(row, name, _spelled(row, read_refused_keeping(row.body)))
        return OtherRow(row)

    def opened(self) -> Iterator[OpenedRow]:
        """Every row up to the head, as what it tells."""
        return map(self.open, self.rows())

    def _table(self, row: Row, table: str) -> TableRow:
        entries: list[StationEntry] = []
        sealed: list[SealedEntry] = []
        released: list[int] = []
        was_sealed = False
        for line in _spelled(row, lines_of(row.body)):
            match line:
                case PlainEntry():
                    entries.append(line.entry)
                case SealedEntry():
                    was_sealed = True
                    key = self.key_of(table, line.commitment)
                    if key is None:
                        sealed.append(line)
                    else:
                        entries.append(unsealed(line, table, key))
                case KeyReleased():
                    released.append(line.commitment)
        return TableRow(row, table, tuple(entries), tuple(sealed), tuple(released), was_sealed)


def _spelled(row: Row, told: T) -> T:
    require_spelling(row.body, told)
    return told


def rows_numbered(ledger: Ledger, seqs: Iterable[int]) -> list[Row]:
    """Rows by their numbers; those that are not there are left out."""
    found: list[Row] = []
    for seq in seqs:
        found += [row for row in ledger.store.read_all(seq - 1, 1) if row.seq == seq]
    return found
