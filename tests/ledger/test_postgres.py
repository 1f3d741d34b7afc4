"""The contract on PostgreSQL, and what is PostgreSQL's own."""

import threading
import time
from collections.abc import Iterator

import psycopg
import pytest

from riverboat.ledger import (
    Ledger,
    LedgerMisfit,
    LedgerUnavailable,
    OutcomeUnknown,
    open_ledger,
    self_check,
    verify,
)
from tests.ledger.contract import LedgerContract, Place
from tests.ledger.postgres_server import PostgresServer
from tests.ledger.writing import command, fill, to

pytestmark = [pytest.mark.postgres, pytest.mark.slow]


class TestPostgres(LedgerContract):
    """The contract."""

    @pytest.fixture
    def place(self, server: PostgresServer) -> Place:
        return server.new_place


@pytest.fixture
def url(server: PostgresServer) -> str:
    address = server.new_place()
    with open_ledger(address) as ledger:
        fill(ledger, 4)
    return address


@pytest.fixture
def own_server() -> Iterator[PostgresServer]:
    """A server that a test may stop and kill."""
    with PostgresServer.started() as started:
        yield started


@pytest.mark.parametrize(
    "statement",
    [
        "update entry set body = 'x' where seq = 3",
        "update entry set body = 'x' where false",
        "delete from entry where seq = 8",
        "truncate entry",
        "insert into entry select * from entry where seq = 8"
        " on conflict (seq) do update set body = ''",
        "insert into entry select 9, stream, version, 'new', actor, 0, '', '', hash from entry",
        "delete from signed_head",
        "truncate signed_head",
    ],
)
def test_the_database_itself_takes_no_change(url: str, statement: str) -> None:
    with psycopg.connect(url, autocommit=True) as link:
        before = link.execute("select * from entry order by seq").fetchall()
        with pytest.raises(psycopg.errors.IntegrityError):
            link.execute(statement.encode())
        assert link.execute("select * from entry order by seq").fetchall() == before


def test_a_ledger_of_a_newer_program_is_refused(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as link:
        link.execute("insert into schema_step values (3, 'from the future', 'abc')")
    with pytest.raises(LedgerMisfit, match="newer version"):
        open_ledger(url)


def test_commits_wait_for_the_disk_even_where_the_server_would_not(
    server: PostgresServer,
) -> None:
    url = server.new_database()
    with psycopg.connect(url, autocommit=True) as link:
        name = link.info.dbname
        link.execute(f"alter database {name} set synchronous_commit = off".encode())
    with open_ledger(url) as ledger:
        ledger.append(command(), to("table:1"))
        writer = ledger.store._writer  # type: ignore[attr-defined]
        assert writer.execute("show synchronous_commit").fetchone() == ("on",)


def test_a_server_that_does_not_sync_is_named_by_the_self_check(own_server: PostgresServer) -> None:
    with open_ledger(own_server.new_database()) as ledger:
        self_check(ledger)
        own_server.stop()
        own_server.settings["fsync"] = "off"
        own_server.start()
        with pytest.raises(LedgerMisfit, match="fsync"):
            self_check(ledger)


def test_a_program_needs_no_more_rights_than_the_page_says(server: PostgresServer) -> None:
    url = server.new_database()
    open_ledger(url).close()
    with psycopg.connect(url, autocommit=True) as link:
        link.execute("create role cashier login")
        link.execute("grant select, insert on entry, signed_head to cashier")
        link.execute("grant select on schema_step to cashier")
        link.execute("revoke execute on all functions in schema public from public")
        link.execute("grant execute on all functions in schema public to cashier")
    with open_ledger(url.replace("user=postgres", "user=cashier"), create=False) as ledger:
        subscription = ledger.subscribe()
        fill(ledger, 2)
        ledger.append_in_turn(command(), lambda reading: [to("meter:1")])
        assert len(subscription.read(5)) > 0
        self_check(ledger)
        assert verify(ledger).head.seq == 5
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            ledger.store._writer.execute("truncate entry")  # type: ignore[attr-defined]


def test_commit_order_is_the_order_of_the_numbers(url: str) -> None:
    """A reader who goes on after the last number that he saw misses nothing, however he looks."""
    seen: list[int] = []
    with open_ledger(url) as one, open_ledger(url) as other:

        def write(ledger: Ledger) -> None:
            for _ in range(60):
                ledger.append(command(), to("meter:1"), to(f"table:{threading.get_ident()}"))

        writers = [threading.Thread(target=write, args=(one,)) for _ in range(3)]
        writers += [threading.Thread(target=write, args=(other,)) for _ in range(3)]
        for writer in writers:
            writer.start()
        with psycopg.connect(url, autocommit=True) as link:
            while any(writer.is_alive() for writer in writers) or not seen or seen[-1] < 728:
                last = seen[-1] if seen else 0
                found = link.execute(
                    "select seq from entry where seq > %s order by seq", (last,)
                ).fetchall()
                seen += [seq for (seq,) in found]
    assert seen == list(range(1, 729))


def test_a_notice_wakes_a_reader_long_before_he_would_look_again(url: str) -> None:
    with open_ledger(url) as writer, open_ledger(url) as reader:
        subscription = reader.subscribe()
        subscription.read(1.5)
        waits = []
        for _ in range(10):
            begin = time.monotonic()
            threading.Timer(0.05, writer.append, (command(), to("table:1"))).start()
            assert len(subscription.read(10)) == 1
            waits.append(time.monotonic() - begin)
    assert sorted(waits)[5] < 0.6, "readers wait for their own clock"


# ---------------------------------------------------------------- when the server is away


def test_an_outage_is_named_in_time_and_got_over_without_a_restart(
    own_server: PostgresServer,
) -> None:
    with open_ledger(own_server.new_database(), patience_seconds=0.5) as ledger:
        subscription = ledger.subscribe()
        fill(ledger, 3)
        own_server.kill()
        for attempt in range(3):
            begin = time.monotonic()
            with pytest.raises(LedgerUnavailable):
                ledger.append(command("a"), to("table:1"))
            assert time.monotonic() - begin < (5 if attempt == 0 else 1)
            with pytest.raises(LedgerUnavailable):
                ledger.head()
        subscription.seq = 0
        with pytest.raises(LedgerUnavailable):
            subscription.read()
        own_server.start()
        ledger.append(command("a"), to("table:1"))
        assert [row.command_id for row in ledger.read_all()].count("a") == 1
        assert [row.command_id for row in subscription.read(5)][-1] == "a"
        assert verify(ledger).head.seq == 7


def test_a_server_that_hangs_does_not_hold_anybody(own_server: PostgresServer) -> None:
    with open_ledger(own_server.new_database(), patience_seconds=0.4) as ledger:
        fill(ledger, 3)
        own_server.pause()
        begin = time.monotonic()
        with pytest.raises(OutcomeUnknown):
            ledger.append(command("a"), to("table:1"))
        with pytest.raises(LedgerUnavailable):
            ledger.head()
        assert time.monotonic() - begin < 20
        own_server.resume()
        # What was sent before the pause may have been written after it; asking again settles it.
        ledger.append(command("a"), to("table:1"))
        assert [row.command_id for row in ledger.read_all()].count("a") == 1
        assert verify(ledger).holds


def test_a_connection_that_is_cut_during_a_write_is_settled_by_itself(url: str) -> None:
    """Backends are ended while eight writers append; each append still succeeds exactly once."""
    with open_ledger(url) as ledger:
        before = ledger.head().seq
        done = threading.Event()

        def cut() -> None:
            with psycopg.connect(url, autocommit=True) as link:
                while not done.wait(0.25):
                    link.execute(
                        "select pg_terminate_backend(pid) from pg_stat_activity"
                        " where datname = current_database() and pid <> pg_backend_pid()"
                    )

        def write(number: int) -> None:
            for turn in range(60):
                ledger.append(command(f"{number}-{turn}"), to(f"table:x{number}", at=turn))

        cutter = threading.Thread(target=cut)
        writers = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        cutter.start()
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        done.set()
        cutter.join()
        assert ledger.head().seq == before + 480
        assert verify(ledger).holds


def test_a_lock_that_somebody_keeps_is_named_in_time(url: str) -> None:
    with open_ledger(url, patience_seconds=0.3) as ledger, psycopg.connect(url) as link:
        link.execute("select lock_entries()")
        with pytest.raises(LedgerUnavailable) as refused:
            ledger.append(command("a"), to("table:1"))
        assert refused.value.code == "ledger.busy"
        assert not isinstance(refused.value, OutcomeUnknown)
        link.rollback()
        assert not ledger.append(command("a"), to("table:1")).repeated


def test_an_address_that_leads_nowhere_is_an_outage(server: PostgresServer) -> None:
    with pytest.raises(LedgerUnavailable):
        open_ledger(f"postgresql:///x?host={server.folder}/nowhere", patience_seconds=0.5)
    with pytest.raises(LedgerMisfit):
        open_ledger("postgresql://localhost/x?no_such_option=1")


@pytest.mark.parametrize("reads_on", [True, False])
def test_a_connection_cut_in_the_middle_of_a_reading_leaves_nothing_open(
    url: str, reads_on: bool
) -> None:
    """Cut as it is given back, too: whoever stops reading early tells the server so."""

    def read(ledger: Ledger) -> None:
        with ledger.snapshot() as held:
            rows = held.rows()
            next(rows)
            with psycopg.connect(url, autocommit=True) as link:
                link.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where pid <> pg_backend_pid() and datname = current_database()"
                )
            if reads_on:
                list(rows)
            del rows
            held.signed_heads()

    with open_ledger(url) as ledger, pytest.raises(LedgerUnavailable):
        read(ledger)
