"""What can go wrong with a ledger, and what a caller does about it.

LedgerError
├── StaleVersion            someone wrote to the stream first: read again, decide again
├── CommandConflict         the command id was used before, for something else: a bug of the client
├── LedgerUnavailable       nothing was written: try again later, with the same command id
│   └── OutcomeUnknown      nobody knows whether it was written: send it again with the same id
├── ChainBroken             the history is not what was written: stop and look; `fault` says where
└── LedgerMisfit            this program cannot use what it found there: the message says why
"""

from typing import NamedTuple

from riverboat.core.errors import RiverboatError


class LedgerError(RiverboatError):
    """Whatever a ledger raises on purpose."""


class StaleVersion(LedgerError):
    """A stream is at another version than the one that the writer had seen."""

    def __init__(self, stream: str, *, expected: int, actual: int) -> None:
        message = f"{stream}: version {actual}, the write was decided at version {expected}"
        super().__init__("ledger.stale", message)
        self.stream = stream
        self.expected = expected
        self.actual = actual


class CommandConflict(LedgerError):
    """A command id that was used before, with another actor or another command."""

    def __init__(self, command_id: str) -> None:
        message = f"command id {command_id} is on record with another actor or another command"
        super().__init__("ledger.command_conflict", message)
        self.command_id = command_id


class LedgerUnavailable(LedgerError):
    """The database does not answer, or not in time. Nothing was written."""


class OutcomeUnknown(LedgerUnavailable):
    """The connection was lost while a write was being made durable: it is there, or it is not.

    Sending the same command with the same id settles it: it is found, or written once.
    """


class Fault(NamedTuple):
    """The first thing that is wrong with a ledger."""

    seq: int
    column: str
    """Empty where it cannot be told."""
    message: str

    def __str__(self) -> str:
        where = f"row {self.seq}, {self.column}" if self.column else f"row {self.seq}"
        return f"{where}: {self.message}"


class ChainBroken(LedgerError):
    """What is stored is not what was written."""

    def __init__(self, fault: Fault) -> None:
        super().__init__("ledger.broken", str(fault))
        self.fault = fault


class LedgerMisfit(LedgerError):
    """A database, file or key that this program cannot use."""
