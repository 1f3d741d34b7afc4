"""The Game Manager's books for scripts: meters in units, what changes hands in cents."""

from typing import Any

from msgspec import to_builtins
from msgspec.structs import asdict, replace

from riverboat.documents.figures import decimal
from riverboat.floor.books.accounting import Floorbook
from riverboat.floor.books.meters import CentExplained, MeterBook, Moves
from riverboat.floor.books.table_days import HandHits, TableDay, hits_by_hand
from riverboat.meter.accounts import sign


def accounting_document(book: Floorbook) -> dict[str, Any]:
    """The same for scripts: meters in units, what was paid in cents."""
    return {
        "head": str(book.head),
        "balances": book.balances,
        "not_counted_sealed": book.sealed,
        "meters": [_meter_document(one) for one in book.meters.values()],
        "tables": [_table_document(one) for one in book.tables.values()],
        "hits": [_hit_document(one) for one in hits_by_hand(list(book.tables.values())).values()],
        "disputes": {name: one.state for name, one in book.disputes.items()},
    }


def _meter_document(book: MeterBook) -> dict[str, Any]:
    found = book.reconciliation
    return {
        "meter": book.name,
        "status": book.link.status,
        "shows": sign(book.link).shows,
        "units": found.meter,
        "reserve_units": found.reserve,
        "queued_units": found.queued,
        "unpaid_units": book.owed.unpaid,
        "paid_ahead_units": book.owed.paid_ahead,
        "registered_units": book.owed.registered,
        "liability_units": book.owed.liability,
        "seed_cents": book.link.seed_cents,
        "initial_cents": book.link.initial_cents,
        "wager_cents": book.link.wager_cents,
        "rate_bp": book.link.rate_bp,
        "reserve_bp": book.link.reserve_bp,
        "limit": None,
        "envy_cents": book.envy_cents,
        "balances": book.balances,
        "difference_units": found.difference,
        "totals": asdict(book.link.totals),
        "by_day": {day: _moves(one) for day, one in book.by_day.items()},
        "by_table": {table or "-": _moves(one) for table, one in book.by_table.items()},
        "history": [line._asdict() for line in book.history],
    }


def _table_document(one: TableDay) -> dict[str, Any]:
    shown = to_builtins(replace(one, hits=()))
    return {
        **shown,
        "hits": [_hit_document(hit) for hit in one.hits],
        "fills_cents": one.fills_cents,
        "credits_cents": one.credits_cents,
        "win_cents": one.win_cents,
        "tray_difference_cents": one.tray_difference_cents,
        "drop_difference_cents": one.drop_difference_cents,
        "entries_difference_cents": one.entries_difference_cents,
        "balances": one.balances,
    }


def _hit_document(one: HandHits) -> dict[str, Any]:
    return {
        "hand": one.hand,
        "wagers": one.wagers,
        "hits": one.hits,
        "chance": str(one.chance) if one.chance is not None else None,
        "expected": decimal(one.expected, 6) if one.expected is not None else None,
    }


def _moves(one: Moves) -> dict[str, Any]:
    return {"units": one.units, "difference_units": one.difference, **asdict(one.totals)}


def explained_document(one: CentExplained) -> dict[str, Any]:
    """An explained amount for scripts."""
    return {
        "meter": one.meter,
        "units": one.units,
        "carried_units": one.carried_units,
        "agrees": one.agrees,
        "entries": [line._asdict() for line in one.lines],
    }
