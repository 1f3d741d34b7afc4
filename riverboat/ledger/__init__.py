"""The ledger: append-only, hash-chained, on SQLite or PostgreSQL. Its promises: docs/ledger.md."""

from riverboat.ledger.awaiting import AwaitedLedger
from riverboat.ledger.errors import (
    ChainBroken,
    CommandConflict,
    Fault,
    LedgerError,
    LedgerMisfit,
    LedgerUnavailable,
    OutcomeUnknown,
    StaleVersion,
)
from riverboat.ledger.folding import Folded, FoldedStreams
from riverboat.ledger.heads import (
    SigningKey,
    is_signed,
    parse_signed_head,
    show_signed_head,
    sign_head,
)
from riverboat.ledger.ledger import Ledger, open_ledger
from riverboat.ledger.minting import mint_command_id
from riverboat.ledger.moving import backup_ledger, copy_ledger, export_ledger, import_ledger
from riverboat.ledger.rows import Command, Head, Receipt, Row, Write
from riverboat.ledger.self_check import SelfCheck, self_check
from riverboat.ledger.store import Reading, SignedHead
from riverboat.ledger.subscribing import Subscription
from riverboat.ledger.verifying import Verdict, verify

__all__ = [
    "AwaitedLedger",
    "ChainBroken",
    "Command",
    "CommandConflict",
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
