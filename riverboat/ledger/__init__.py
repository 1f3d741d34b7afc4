"""The ledger: append-only, hash-chained, on SQLite or PostgreSQL. Its promises: docs/ledger.md."""

from riverboat.ledger.chain import (
    ChainBroken,
    Command,
    CommandConflict,
    Fault,
    Head,
    LedgerError,
    LedgerMisfit,
    LedgerUnavailable,
    OutcomeUnknown,
    Receipt,
    Row,
    StaleVersion,
    Write,
    mint_command_id,
)
from riverboat.ledger.heads import (
    SigningKey,
    is_signed,
    parse_signed_head,
    show_signed_head,
    sign_head,
)
from riverboat.ledger.ledger import Folded, FoldedStreams, Ledger, Subscription, open_ledger
from riverboat.ledger.store import Database, Reading, SignedHead
from riverboat.ledger.transfer import backup_ledger, copy_ledger, export_ledger, import_ledger
from riverboat.ledger.verify import SelfCheck, Verdict, self_check, verify

__all__ = [
    "ChainBroken",
    "Command",
    "CommandConflict",
    "Database",
    "Fault",
    "Folded",
    "FoldedStreams",
    "Head",
    "Ledger",
    "LedgerError",
    "LedgerMisfit",
    "LedgerUnavailable",
    "OutcomeUnknown",
    "Reading",
    "Receipt",
    "Row",
    "SelfCheck",
    "SignedHead",
    "SigningKey",
    "StaleVersion",
    "Subscription",
    "Verdict",
    "Write",
    "backup_ledger",
    "copy_ledger",
    "export_ledger",
    "import_ledger",
    "is_signed",
    "mint_command_id",
    "open_ledger",
    "parse_signed_head",
    "self_check",
    "show_signed_head",
    "sign_head",
    "verify",
]
