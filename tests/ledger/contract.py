"""What every ledger promises, whichever database carries it. Subclasses say where to make one."""

import io
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path

import pytest
from msgspec.structs import replace

from riverboat.core.errors import NotationError, Refused
from riverboat.core.fairness import digits, framed
from riverboat.ledger import (
    CommandConflict,
    FoldedStreams,
    Head,
    Ledger,
    LedgerMisfit,
    LedgerUnavailable,
    Reading,
    Receipt,
    Row,
    SigningKey,
    StaleVersion,
    Write,
    backup_ledger,
    copy_ledger,
    export_ledger,
    import_ledger,
    open_ledger,
    self_check,
    sign_head,
    verify,
)
from riverboat.ledger.chain import BEGINNING
from tests.ledger.writing import command, fill, others_writing, requests, to

Place = Callable[[], str]
BESIDE = ("door_account", "door_session", "door_presence", "door_try", "door_browser")


def bad_type(call: Callable[..., object], *handed: object) -> None:
    """A call that is refused because of what it was handed."""
    with pytest.raises(Refused) as said:
        call(*handed)
    assert said.value.code == "argument.bad_type"


def plain_hash(previous: bytes, row: Row) -> bytes:
    """The chain as docs/ledger.md states it, written down a second time."""
    fields = (row.stream, row.command_id, row.actor, row.command, row.body)
    stream, command_id, actor, asked, body = (text.encode() for text in fields)
    return sha256(
        framed(
            previous,
            digits(row.seq),
            stream,
            digits(row.version),
            command_id,
            actor,
            digits(row.recorded_at),
            asked,
            body,
        )
    ).digest()


class LedgerContract:
    """The tests; `place` gives the address of a new, empty ledger each time it is called."""

    @pytest.fixture
    def place(self) -> Place:
        raise NotImplementedError

    @pytest.fixture
    def ledger(self, place: Place) -> Iterator[Ledger]:
        with open_ledger(place()) as opened:
            yield opened

    # ------------------------------------------------------------ appending

    def test_an_empty_ledger_has_a_head_too(self, ledger: Ledger) -> None:
        assert ledger.head() == Head(0, BEGINNING)
        assert ledger.version("table:1") == 0
        assert ledger.read("table:1") == []
        assert verify(ledger).holds

    def test_rows_are_numbered_versioned_and_chained(self, ledger: Ledger) -> None:
        first = ledger.append(command("a"), to("table:1", "ä ♠ 𝄞"), to("meter:1", "")).rows
        second = ledger.append(command("b"), to("table:1", "x" * 9000)).rows
        rows = [*first, *second]
        assert [(row.seq, row.stream, row.version) for row in rows] == [
            (1, "table:1", 1),
            (2, "meter:1", 1),
            (3, "table:1", 2),
        ]
        previous = BEGINNING
        for row in rows:
            assert row.hash == plain_hash(previous, row)
            previous = row.hash
        assert list(ledger.read_all()) == rows
        assert ledger.head() == Head(3, previous)

    def test_a_write_decided_at_an_old_version_is_refused_whole(self, ledger: Ledger) -> None:
        ledger.append(command(), to("table:1", at=0))
        with pytest.raises(StaleVersion) as refused:
            ledger.append(command("late"), to("meter:1"), to("table:1", at=0))
        assert (refused.value.code, refused.value.actual) == ("ledger.stale", 1)
        assert ledger.version("meter:1") == 0
        assert (
            ledger.append(command("late"), to("meter:1"), to("table:1", at=1)).rows[1].version == 2
        )

    def test_a_version_that_is_not_there_yet_is_refused(self, ledger: Ledger) -> None:
        with pytest.raises(StaleVersion):
            ledger.append(command(), to("table:1", at=1))
        assert ledger.head().seq == 0

    def test_writes_that_commute_need_no_version(self, ledger: Ledger) -> None:
        versions = [ledger.append(command(), to("meter:1")).rows[0].version for _ in range(3)]
        assert versions == [1, 2, 3]

    def test_a_retry_is_answered_and_not_written_twice(self, ledger: Ledger) -> None:
        first = ledger.append(command("a"), to("table:1", at=0), to("meter:1"))
        again = ledger.append(command("a"), to("table:1", at=0), to("meter:1"))
        assert (first.repeated, again.repeated) == (False, True)
        assert again.rows == first.rows
        assert ledger.recall(command("a")) == first.rows
        assert ledger.head().seq == 2

    def test_a_command_that_was_not_sent_is_not_recalled(self, ledger: Ledger) -> None:
        fill(ledger, 2)
        assert ledger.recall(command("never")) is None

    @pytest.mark.parametrize("other", [{"text": "[1]"}, {"actor": "else"}])
    def test_an_id_used_for_something_else_is_a_conflict(
        self, ledger: Ledger, other: dict[str, str]
    ) -> None:
        ledger.append(command("a"), to("table:1"))
        with pytest.raises(CommandConflict):
            ledger.recall(command("a", **other))
        with pytest.raises(CommandConflict):
            ledger.append(command("a", **other), to("table:1"))
        assert ledger.head().seq == 1

    def test_in_a_batch_each_request_gets_its_own_answer(self, ledger: Ledger) -> None:
        ledger.append(command("old"), to("table:1"))
        batch = requests(
            (command("a"), [to("table:1", at=1)]),
            (command("stale"), [to("meter:1"), to("table:1", at=1)]),
            (command("old"), [to("table:1")]),
            (command("a"), [to("table:1", at=1)]),
            (command("old", text="other"), [to("table:1")]),
            (command("a", text="other"), [to("table:1")]),
            (command("b"), [to("table:1", at=2), to("meter:1", at=0)]),
        )
        answers = ledger.store.append(batch)
        kinds = [
            answer.repeated if isinstance(answer, Receipt) else type(answer) for answer in answers
        ]
        assert kinds == [
            False,
            StaleVersion,
            True,
            True,
            CommandConflict,
            CommandConflict,
            False,
        ]
        last = answers[-1]
        assert isinstance(last, Receipt)
        assert [(row.seq, row.version) for row in last.rows] == [(3, 3), (4, 1)]
        assert [row.command_id for row in ledger.read_all()] == ["old", "a", "b", "b"]
        assert verify(ledger).holds

    def test_racing_retries_give_one_row(self, ledger: Ledger) -> None:
        together = threading.Barrier(8)

        def send(number: int) -> Receipt:
            together.wait()
            return ledger.append(command(f"race-{number // 8}"), to("meter:1"))

        with ThreadPoolExecutor(8) as pool:
            receipts = list(pool.map(send, range(80)))
        assert sum(not receipt.repeated for receipt in receipts) == 10
        assert ledger.version("meter:1") == 10

    def test_many_writers_leave_no_gap(self, ledger: Ledger) -> None:
        def write(number: int) -> None:
            for turn in range(25):
                ledger.append(command(), to(f"table:{number}", at=turn), to("meter:1"))

        with ThreadPoolExecutor(16) as pool:
            list(pool.map(write, range(16)))
        assert [row.seq for row in ledger.read_all()] == list(range(1, 801))
        assert [row.version for row in ledger.read("meter:1")] == list(range(1, 401))
        assert verify(ledger) == (ledger.head(), 17, 0, None, 0)

    def test_threads_that_wait_together_are_answered_each_by_itself(self, ledger: Ledger) -> None:
        def client(number: int) -> None:
            stream = f"table:{number}"
            for version in range(10):
                asked = command(f"c-{number}-{version}")
                write = to(stream, at=version)
                assert not ledger.append(asked, write).repeated
                assert ledger.append(asked, write).repeated
                with pytest.raises(StaleVersion):
                    ledger.append(command(f"late-{number}-{version}"), write)

        with ThreadPoolExecutor(40) as pool:
            list(pool.map(client, range(40)))
        assert ledger.head().seq == 400
        assert [ledger.version(f"table:{number}") for number in range(40)] == [10] * 40
        assert verify(ledger).holds
        ledger.close()
        with pytest.raises(LedgerUnavailable):
            ledger.append(command("too late"), to("table:0"))

    @pytest.mark.parametrize(
        ("name", "writes", "code"),
        [
            ("", [to("table:1")], "ledger.name"),
            ("a" * 201, [to("table:1")], "ledger.name"),
            ("a", [to("")], "ledger.name"),
            ("a", [to("ä" * 101)], "ledger.name"),
            ("a", [to("table:1", "zero \0")], "ledger.text"),
            ("a", [to("table:1", at=-1)], "ledger.number"),
            ("a", [to("table:1"), to("table:1")], "ledger.twice"),
            ("a", [], "ledger.nothing"),
        ],
    )
    def test_what_cannot_be_stored_is_refused(
        self, ledger: Ledger, name: str, writes: list[Write], code: str
    ) -> None:
        asked = command("x")
        with pytest.raises(NotationError) as refused:
            ledger.append(type(asked)(id=name, actor="", recorded_at=0, text=""), *writes)
        assert refused.value.code == code
        assert ledger.head().seq == 0

    def test_half_a_character_is_refused_wherever_it_stands(self, ledger: Ledger) -> None:
        def half(call: Callable[..., object], *handed: object) -> None:
            with pytest.raises(Refused) as said:
                call(*handed)
            assert said.value.code == "argument.half_character"

        for field in ("id", "actor", "text"):
            bad = replace(command(), **{field: "half \ud83c"})
            half(ledger.append, bad, to("table:1"))
            half(ledger.append_in_turn, bad, lambda _: [to("table:1")])
            half(ledger.recall, bad)
        for write in (to("half \ud83c"), to("table:1", "half \ud83c")):
            half(ledger.append, command(), write)
        for read in (ledger.read, ledger.version):
            half(read, "half \ud83c")
        assert ledger.head().seq == 0

    def test_every_field_has_its_own_type_or_nothing_is_written(self, ledger: Ledger) -> None:
        for wrong in (1.5, 2.0, True, "1", 1, b"1", None, ["1"], {"a": 1}):
            for name in ("id", "actor", "recorded_at", "text"):
                if type(wrong) is not (int if name == "recorded_at" else str):
                    bad = replace(command(), **{name: wrong})
                    bad_type(ledger.append, bad, to("table:1"))
                    bad_type(ledger.append_in_turn, bad, lambda _: [to("table:1")])
                    bad_type(ledger.recall, bad)
            for name in ("stream", "body", "expected_version"):
                right = (int, type(None)) if name == "expected_version" else (str,)
                if type(wrong) not in right:
                    write = replace(to("table:1"), **{name: wrong})
                    bad_type(ledger.append, command(), write)
                    bad_type(ledger.append_in_turn, command(), lambda _, write=write: [write])
            if type(wrong) is not str:
                bad_type(ledger.version, wrong)
                bad_type(ledger.read, wrong)
            if type(wrong) is not int:
                bad_type(ledger.read, "table:1", wrong)
                bad_type(lambda after: list(ledger.read_all(after)), wrong)
        assert ledger.head().seq == 0
        assert not ledger.append(command("good"), to("table:1")).repeated
        assert ledger.head().seq == 1
        assert verify(ledger).holds

    def test_the_longest_names_can_be_stored(self, ledger: Ledger) -> None:
        ledger.append(command("ä" * 100), to("♠" * 66))
        assert ledger.version("♠" * 66) == 1

    # ------------------------------------------------------------ deciding in turn

    def test_who_decides_in_turn_sees_everything_before(self, ledger: Ledger) -> None:
        def count(reading: Reading) -> list[Write]:
            return [
                to(
                    "meter:1",
                    str(len(reading.read("meter:1", 0, 1000))),
                    reading.version("meter:1"),
                )
            ]

        def write(number: int) -> None:
            for _ in range(5):
                ledger.append(command(), to("meter:1", "+"))
                ledger.append_in_turn(command(), count)

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(write, range(6)))
        counted = [(row.version, row.body) for row in ledger.read("meter:1") if row.body != "+"]
        assert len(counted) == 30
        assert all(int(body) == version - 1 for version, body in counted)
        assert verify(ledger).holds

    def test_a_refusal_in_turn_leaves_nothing(self, ledger: Ledger) -> None:
        def refuse(reading: Reading) -> list[Write]:
            raise Refused("meter.empty", "nothing to award", cites=())

        with pytest.raises(Refused):
            ledger.append_in_turn(command("a"), refuse)
        assert ledger.recall(command("a")) is None
        assert ledger.append(command("a"), to("meter:1")).rows[0].seq == 1

    def test_a_retry_in_turn_is_not_decided_again(self, ledger: Ledger) -> None:
        ledger.append_in_turn(command("a"), lambda reading: [to("meter:1")])
        again = ledger.append_in_turn(command("a"), lambda reading: pytest.fail("decided again"))
        assert again.repeated
        with pytest.raises(CommandConflict):
            ledger.append_in_turn(command("a", text="other"), lambda reading: [to("meter:1")])

    # ------------------------------------------------------------ reading

    def test_reading_goes_on_after_a_version_or_a_number(self, ledger: Ledger) -> None:
        writes = [to("table:0"), to("meter:1")]
        ledger.store.append(requests(*((command(), writes) for _ in range(1100))))
        assert [row.version for row in ledger.read("table:0")] == list(range(1, 1101))
        assert [row.version for row in ledger.read("table:0", after_version=1098)] == [1099, 1100]
        assert [row.seq for row in ledger.read_all()] == list(range(1, 2201))
        assert [row.seq for row in ledger.read_all(after_seq=2198)] == [2199, 2200]

    def test_folded_state_is_kept_by_version(self, ledger: Ledger) -> None:
        applied: list[int] = []

        def apply(total: int, row: Row) -> int:
            applied.append(row.version)
            return total + int(row.body)

        folded = FoldedStreams(ledger, lambda stream: 0, apply, keep=2)
        ledger.append(command(), to("meter:1", "5"))
        assert folded.now("meter:1") == (5, 1)
        known = folded.now("meter:1")
        receipt = ledger.append(command(), to("meter:1", "7", at=known.version))
        assert folded.remember("meter:1", known, list(receipt.rows)) == (12, 2)
        assert folded.now("meter:1") == (12, 2)
        assert applied == [1, 2]
        for other in ("meter:2", "meter:3"):
            folded.now(other)
        assert folded.now("meter:1") == (12, 2), "a state that was forgotten is read again"

    # ------------------------------------------------------------ subscribing

    def test_another_program_hears_of_every_row_in_order(self, place: Place) -> None:
        url = place()
        with open_ledger(url) as writer, open_ledger(url) as reader:
            fill(writer, 3)
            subscription = reader.subscribe(after_seq=2)
            heard: list[int] = []

            def listen() -> None:
                for row in subscription:
                    heard.append(row.seq)
                    if row.seq == 206:
                        return

            listener = threading.Thread(target=listen)
            listener.start()
            with ThreadPoolExecutor(4) as pool:
                list(pool.map(lambda n: writer.append(command(), to(f"table:{n % 7}")), range(200)))
            listener.join(20)
            assert heard == list(range(3, 207))

    def test_a_subscription_begins_now_and_ends_when_the_ledger_is_closed(
        self, place: Place
    ) -> None:
        ledger = open_ledger(place())
        fill(ledger, 3)
        subscription = ledger.subscribe()
        assert subscription.read() == []
        row = ledger.append(command(), to("table:9")).rows[0]
        assert subscription.read(5) == [row]
        rest: list[list[Row]] = []
        waiting = threading.Thread(target=lambda: rest.append(list(subscription)))
        waiting.start()
        ledger.close()
        waiting.join(10)
        assert rest == [[]]

    # ------------------------------------------------------------ moving

    def test_an_export_can_be_read_back(self, ledger: Ledger, place: Place) -> None:
        fill(ledger, 30)
        file = io.BytesIO()
        head = export_ledger(ledger, file)
        assert head == ledger.head()
        file.seek(0)
        with open_ledger(place()) as other:
            assert import_ledger(other, file) == head
            assert list(other.read_all()) == list(ledger.read_all())
            assert other.append(command(), to("table:0")).rows[0].seq == 61
            file.seek(0)
            with pytest.raises(LedgerMisfit) as refused:
                import_ledger(other, file)
            assert refused.value.code == "ledger.not_empty"

    def test_a_broken_export_is_refused_whole(self, ledger: Ledger, place: Place) -> None:
        fill(ledger, 10)
        file = io.BytesIO()
        export_ledger(ledger, file)
        lines = file.getvalue().splitlines(keepends=True)
        broken = {
            "cut short": lines[:-1],
            "no first line": lines[1:],
            "a row is missing": lines[:5] + lines[6:],
            "two rows swapped": [*lines[:5], lines[6], lines[5], *lines[7:]],
            "a body changed": [*lines[:5], lines[5].replace(b"event", b"evemt"), *lines[6:]],
            "not JSON": [*lines[:5], b"{}\n", *lines[6:]],
            "something follows": [*lines, lines[-1]],
            "the last row is missing": lines[:-2] + lines[-1:],
        }
        for name, text in broken.items():
            with open_ledger(place()) as other:
                with pytest.raises(Exception, match=r"line \d+|row \d+"):
                    import_ledger(other, text)
                assert other.head().seq == 0, name

    def test_a_copy_in_the_other_database_is_equal(
        self, ledger: Ledger, place: Place, tmp_path: Path
    ) -> None:
        fill(ledger, 40)
        with open_ledger(tmp_path / "copy.db") as file, open_ledger(place()) as back:
            assert copy_ledger(ledger, file) == ledger.head()
            assert copy_ledger(file, back) == ledger.head()
            assert list(back.read_all()) == list(ledger.read_all())

    def test_a_backup_is_taken_while_others_write(self, ledger: Ledger, tmp_path: Path) -> None:
        fill(ledger, 20)
        folder = tmp_path / "copies"
        folder.mkdir()
        with others_writing(ledger):
            verdicts = [backup_ledger(ledger, folder / f"{number}.db") for number in range(3)]
        assert sorted(path.name for path in folder.iterdir()) == ["0.db", "1.db", "2.db"]
        for number, verdict in enumerate(verdicts):
            assert verdict.head.seq >= 40
            assert verdict.head.seq % 2 == 0, "half a command"
            with open_ledger(folder / f"{number}.db", create=False) as copy:
                assert copy.head() == verdict.head
            assert verify(ledger, [verdict.head]).holds
        with pytest.raises(LedgerMisfit):
            backup_ledger(ledger, folder / "0.db")

    def test_heads_are_signed_and_everything_is_checked_while_others_write(
        self, ledger: Ledger, tmp_path: Path
    ) -> None:
        key = SigningKey.kept_in(tmp_path / "day.key")
        with others_writing(ledger):
            for at in range(8):
                sign_head(ledger, key, at=at)
                self_check(ledger, tail=3)
                assert verify(ledger, public_key=key.public_key).holds
        assert verify(ledger).heads == 8

    # ------------------------------------------------------------ beginning and end

    def test_programs_that_start_together_make_one_ledger(self, place: Place) -> None:
        url = place()

        def start(number: int) -> None:
            with open_ledger(url) as ledger:
                ledger.append(command(), to("table:1"))

        with ThreadPoolExecutor(6) as pool:
            list(pool.map(start, range(6)))
        with open_ledger(url, create=False) as ledger:
            assert ledger.version("table:1") == 6
            assert self_check(ledger).schema == 2

    def test_a_ledger_that_is_not_there_is_not_made_unasked(self, place: Place) -> None:
        with pytest.raises(LedgerMisfit) as refused:
            open_ledger(place(), create=False)
        assert refused.value.code == "ledger.missing"

    def test_a_read_only_ledger_takes_nothing(self, place: Place) -> None:
        url = place()
        with open_ledger(url) as ledger:
            fill(ledger, 2)
        with open_ledger(url, create=False, read_only=True) as ledger:
            assert verify(ledger).head.seq == 4
            with pytest.raises(LedgerUnavailable):
                ledger.append(command(), to("table:1"))
            assert ledger.head().seq == 4

    def test_a_closed_ledger_says_so(self, place: Place) -> None:
        ledger = open_ledger(place())
        ledger.close()
        with pytest.raises(LedgerUnavailable) as refused:
            ledger.append(command(), to("table:1"))
        assert refused.value.code == "ledger.closed"

    def test_the_self_check_says_what_it_saw(self, ledger: Ledger) -> None:
        fill(ledger, 20)
        checked = self_check(ledger, tail=10)
        assert (checked.head, checked.tail, checked.schema) == (ledger.head(), 10, 2)
        assert str(ledger.head()) in str(checked)

    # ------------------------------------------------------------ what lies beside the ledger

    def test_a_ledger_without_the_accounts_tables_gets_them(self, place: Place) -> None:
        url = place()
        with open_ledger(url) as ledger:
            fill(ledger, 2)
            for table in BESIDE:
                ledger.store.run(f"drop table {table}")
            ledger.store.run("delete from schema_step where number = 2")
        with pytest.raises(LedgerMisfit) as refused:
            open_ledger(url, read_only=True)
        assert refused.value.code == "ledger.schema_old"
        with open_ledger(url) as ledger:
            assert [ledger.store.run(f"select * from {table}") for table in BESIDE] == [[]] * 5
            assert self_check(ledger).schema == 2
            assert verify(ledger) == (ledger.head(), 3, 0, None, 0)

    def test_a_statement_is_done_when_it_returns(self, place: Place) -> None:
        url = place()
        put = "insert into door_presence values (?, ?, ?) on conflict do nothing returning seen_at"
        with open_ledger(url) as ledger, open_ledger(url) as other:
            assert ledger.store.run(put, ("T", "Ann", 2**40)) == [(2**40,)]
            assert other.store.run(put, ("T", "Ann", 1)) == []
            ask = "select name, seen_at from door_presence where place = ?"
            assert other.store.run(ask, ("T",)) == [("Ann", 2**40)]
            assert other.store.run("delete from door_presence where place = ?", ("T",)) == []
            assert ledger.store.run(ask, ("T",)) == []
