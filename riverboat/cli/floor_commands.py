"""Commands about a floor on a ledger: a round rebuilt, disputes, the Game Manager's books."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, NamedTuple

from cyclopts import App, Parameter

from riverboat.answers import house_books, replays
from riverboat.cli import ledger_commands as ledgers
from riverboat.cli.app import WHOLE, Json, app, tell
from riverboat.core.errors import NotationError
from riverboat.core.money import parse_dollars
from riverboat.floor import disputes
from riverboat.floor.books.accounting import keep_books, narrowed
from riverboat.floor.books.meters import explain_cent
from riverboat.floor.replaying import replay_round, tables_with
from riverboat.ledger import Ledger, mint_command_id
from riverboat.rulebooks import editions

dispute = App(name="dispute", help="Open, note, decide and show a dispute about a round.")
app.command(dispute)

TableName = Annotated[str | None, Parameter(name="--table", help="The table's name.")]
AtTable = Annotated[str, Parameter(name="--table", help="The table's name.")]
Number = Annotated[int, WHOLE, Parameter(help="The round's number at its table.")]
CommandId = Annotated[
    str | None, Parameter(name="--command-id", help="To send the same command again safely.")
]


class _Floor(NamedTuple):
    ledger: Ledger
    clock: Callable[[], int]


@app.command(name="replay")
@ledgers.refusable
def replay_command(
    number: Number,
    /,
    *,
    database: ledgers.Database,
    table: TableName = None,
    secret: ledgers.Secret = None,
    as_json: Json = False,
) -> int:
    """Rebuild a finished round step by step: who did what, when, by which clause, and why it pays.

    Sensor edges, keys and refused attempts stand in their place; the rows of the ledger that it
    rests on are listed with their hashes. Exit status 1: the round is not over yet.
    """
    master, books = ledgers.secret_in(secret), editions()
    with ledgers.existing_ledger(database) as ledger:
        place = table or _only_table(ledger, number)
        replayed = replay_round(ledger, books, master, place, number)
    return tell(replays.replay_document(replayed), replays.replay_page(replayed), as_json=as_json)


def _only_table(ledger: Ledger, number: int) -> str:
    tables = tables_with(ledger, number)
    if not tables:
        raise NotationError("round.unknown", f"no table has played a round {number}")
    if len(tables) > 1:
        names = ", ".join(tables)
        raise NotationError("table.which", f"round {number} was played at {names}: name a --table")
    return tables[0]


# -------------------------------------------------------------------- disputes


@dispute.command(name="open")
@ledgers.refusable
def open_command(
    number: Number,
    /,
    *,
    table: AtTable,
    by: ledgers.By,
    reason: Annotated[str, Parameter(help="What is disputed.")],
    database: ledgers.Database,
    command_id: CommandId = None,
    as_json: Json = False,
) -> int:
    """Open a dispute about a finished round; what the round rests on is frozen as evidence."""
    asked, who = command_id or mint_command_id(), ledgers.person(by)
    with _floor_at(database) as floor:
        record = disputes.open_dispute(floor, asked, who, table, number, reason)
    return _show(record, table, number, as_json=as_json)


@dispute.command(name="note")
@ledgers.refusable
def note_command(
    number: Number,
    /,
    *,
    table: AtTable,
    by: ledgers.By,
    words: Annotated[str, Parameter(help="The note.")],
    database: ledgers.Database,
    command_id: CommandId = None,
    as_json: Json = False,
) -> int:
    """Add a note to a dispute that is open."""
    asked, who = command_id or mint_command_id(), ledgers.person(by)
    with _floor_at(database) as floor:
        record = disputes.note_dispute(floor, asked, who, table, number, words)
    return _show(record, table, number, as_json=as_json)


@dispute.command(name="decide")
@ledgers.refusable
def decide_command(
    number: Number,
    /,
    *,
    table: AtTable,
    by: ledgers.By,
    second: ledgers.Second,
    decision: Annotated[str, Parameter(help="What was decided.")],
    reason: Annotated[str, Parameter(help="Why.")],
    database: ledgers.Database,
    command_id: CommandId = None,
    as_json: Json = False,
) -> int:
    """Decide a dispute: a supervisor and a second person, with a reason."""
    asked, people = command_id or mint_command_id(), (ledgers.person(by), ledgers.person(second))
    with _floor_at(database) as floor:
        record = disputes.decide_dispute(floor, asked, people, table, number, decision, reason)
    return _show(record, table, number, as_json=as_json)


@dispute.command(name="show")
def show_command(
    number: Number, /, *, table: AtTable, database: ledgers.Database, as_json: Json = False
) -> int:
    """Show a dispute; exit status 1: there is none about this round."""
    with ledgers.existing_ledger(database) as ledger:
        record = disputes.dispute_of(ledger, table, number)
    return _show(record, table, number, as_json=as_json, holds=record.opened is not None)


@contextmanager
def _floor_at(database: str) -> Iterator[_Floor]:
    with ledgers.existing_ledger(database, read_only=False) as ledger:
        yield _Floor(ledger, lambda: int(time.time()))


def _show(
    record: disputes.DisputeRecord, table: str, number: int, *, as_json: bool, holds: bool = True
) -> int:
    document = {"table": table, "round": number, "dispute": replays.dispute_document(record)}
    page = replays.dispute_page(table, number, record)
    return tell(document, page, as_json=as_json, holds=holds)


# -------------------------------------------------------------------- the Game Manager


@app.command(name="manager")
def manager_command(
    *,
    database: ledgers.Database,
    meter: Annotated[str | None, Parameter(help="Only this meter.")] = None,
    table: TableName = None,
    day: Annotated[str | None, Parameter(help="Only this gaming day.")] = None,
    explain: Annotated[
        str | None, Parameter(help="Explain an amount of a meter: dollars, or now.")
    ] = None,
    secret: ledgers.Secret = None,
    as_json: Json = False,
) -> int:
    """The Game Manager's books: meters with their history, reconciliation, and table accounting.

    Exit status 0: everything balances to the cent; 1: something does not, and it is named.
    """
    cents = None if explain in (None, "now") else parse_dollars(str(explain))
    master, books = ledgers.secret_in(secret), editions()
    with ledgers.existing_ledger(database) as ledger:
        whole = keep_books(ledger, books, master)
    if explain is not None:
        name = meter or ledgers.the_only("meter", whole.meters)
        if name not in whole.meters:
            raise NotationError("meter.unknown", f"no meter {name!r} here")
        one = explain_cent(whole.meters[name], cents)
        page = house_books.explained_page(one)
        return tell(house_books.explained_document(one), page, as_json=as_json, holds=one.agrees)
    shown = narrowed(whole, meter=meter, table=table, day=day)
    page = house_books.accounting_page(shown)
    return tell(house_books.accounting_document(shown), page, as_json=as_json, holds=shown.balances)
