"""What a program checks of its ledger before it opens the doors: a moment, not minutes."""

from typing import Final, NamedTuple

from riverboat.ledger.errors import ChainBroken, Fault, LedgerMisfit
from riverboat.ledger.heads import is_signed
from riverboat.ledger.ledger import Ledger
from riverboat.ledger.rows import Head
from riverboat.ledger.verifying import TAIL, check, verify_tail

DESCRIPTION: Final = "{place}: schema {schema}, {rows} rows, the last {tail} verified, head {head}"


class SelfCheck(NamedTuple):
    """What was found, for the log and the first page."""

    place: str
    schema: int
    head: Head
    tail: int
    signed_heads: int

    def __str__(self) -> str:
        return DESCRIPTION.format(
            place=self.place, schema=self.schema, rows=self.head.seq, tail=self.tail, head=self.head
        )


def self_check(ledger: Ledger, tail: int = TAIL) -> SelfCheck:
    """Schema, durability, the chain's tail, the newest signed head: raises where one is wrong."""
    if weakness := ledger.store.weakness():
        what = f"{weakness}: what it confirms may be lost when the power fails"
        raise LedgerMisfit("ledger.not_durable", what)
    verdict = check(verify_tail(ledger, tail))
    with ledger.snapshot() as snapshot:
        heads = snapshot.signed_heads()
        if heads:
            newest = heads[-1]
            row = snapshot.row(newest.seq)
            if newest.seq and (row is None or row.hash != newest.hash):
                what = f"signed head {newest.number} says otherwise: cut off or rewritten"
                raise ChainBroken(Fault(newest.seq, "hash", what))
            if not is_signed(newest):
                what = f"signed head {newest.number}: the signature does not fit"
                raise ChainBroken(Fault(newest.seq, "", what))
    return SelfCheck(
        ledger.store.name,
        ledger.store.schema(),
        verdict.head,
        min(tail, verdict.head.seq),
        len(heads),
    )
