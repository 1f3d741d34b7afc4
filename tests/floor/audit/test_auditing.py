"""Everything is recomputed, and whatever was rewritten with its chain is named."""

import random
from pathlib import Path

import pytest

from riverboat.floor.audit.auditing import Audit, audit
from riverboat.ledger import Row, open_ledger
from riverboat.rulebooks import editions
from tests.floor.audit.played import all_rows, rewritten
from tests.floor.house import SECRET

pytestmark = pytest.mark.slow

FLIPS = 40


def audited(address: str, *, with_secret: bool = True) -> Audit:
    with open_ledger(address, create=False) as ledger:
        return audit(ledger, editions(), SECRET if with_secret else None)


def first_row(rows: list[Row], stream: str, text: str) -> Row:
    return next(row for row in rows if row.stream == stream and text in row.body)


def test_a_floor_that_was_played_is_true_and_its_meters_balance(played: str) -> None:
    found = audited(played)
    assert found.holds, found.wrong
    assert found.sealed == {}
    assert found.counts["rounds"] == found.counts["commitments"] == 11
    assert found.counts["refused"] == 2
    assert found.counts["keys"] == 10


def test_without_the_secret_only_the_round_that_is_not_over_is_unchecked(played: str) -> None:
    found = audited(played, with_secret=False)
    assert found.holds, found.wrong
    assert list(found.sealed) == ["T1"]
    whole = audited(played)
    assert found.counts["entries"] + found.sealed["T1"] == whole.counts["entries"]


WAGER = '"kind":"wager_placed","seat":1,"spot":"ante","cents":1'
WIN = '"kind":"win_logged","award":"T4/1/1'
CAME = '"kind":"link_contributed","table":"T1","round":1'
ADJUSTED = '"kind":"link_adjusted","units":1'


@pytest.mark.parametrize(
    ("stream", "old", "event", "field"),
    [
        ("table/T2", WAGER, "wager_placed", "cents"),
        ("table/T4", WIN, "win_logged", "award"),
        ("meter/delta", CAME, "link_contributed", "round"),
        ("meter/delta", ADJUSTED, "link_adjusted", "units"),
    ],
)
def test_a_rewritten_event_is_named_with_its_row_event_and_field(
    played: str, tmp_path: Path, stream: str, old: str, event: str, field: str
) -> None:
    rows = all_rows(played)
    row = first_row(rows, stream, old)
    body = row.body.replace(old, f"{old[:-1]}3", 1)
    wrong = audited(rewritten(rows, row.seq, body, tmp_path)).wrong
    assert wrong is not None
    assert (wrong.seq, wrong.stream) == (row.seq, stream)
    assert (wrong.event, wrong.field) == (event, field)
    assert f"row {row.seq}" in str(wrong)


def test_an_unknown_name_that_a_reader_passes_over_is_named(played: str, tmp_path: Path) -> None:
    rows = all_rows(played)
    row = first_row(rows, "table/T3", '"automatic":false')
    body = row.body.replace('"automatic"', '"automatid"', 1)
    wrong = audited(rewritten(rows, row.seq, body, tmp_path)).wrong
    assert wrong is not None
    assert wrong.seq == row.seq
    assert "automatid" in wrong.message


def test_any_single_bit_of_any_body_is_named_at_its_own_row(played: str, tmp_path: Path) -> None:
    """The chain is computed again after each change, so that only the rules can notice."""
    rows, drawn = all_rows(played), random.Random(20)
    for number in range(FLIPS):
        row = drawn.choice(rows)
        data = bytearray(row.body.encode())
        place = drawn.randrange(len(data))
        data[place] ^= 1 << drawn.randrange(7)
        if not data[place]:
            continue
        folder = tmp_path / str(number)
        folder.mkdir()
        wrong = audited(rewritten(rows, row.seq, data.decode(), folder)).wrong
        assert wrong is not None, f"bit in byte {place} of row {row.seq}"
        assert wrong.seq == row.seq


def test_a_meters_row_that_is_left_out_is_missed_at_once(played: str, tmp_path: Path) -> None:
    rows = all_rows(played)
    gone = first_row(rows, "meter/delta", '"link_contributed"')
    left = [row for row in rows if row.seq != gone.seq]
    versions: dict[str, int] = {}
    told = []
    for seq, row in enumerate(left, start=1):
        versions[row.stream] = versions.get(row.stream, 0) + 1
        told.append(row._replace(seq=seq, version=versions[row.stream]))
    wrong = audited(rewritten(told, 0, "", tmp_path)).wrong
    assert wrong is not None
    assert (wrong.seq, wrong.stream) == (gone.seq, f"table/{_cause(rows, gone)}")
    assert "missing" in wrong.message


def _cause(rows: list[Row], gone: Row) -> str:
    return rows[gone.seq - 2].stream.removeprefix("table/")


def test_the_actors_and_the_commands_column_say_what_the_body_says(
    played: str, tmp_path: Path
) -> None:
    rows = all_rows(played)
    row = first_row(rows, "table/T1", '"round_started"')
    actor = row._replace(actor=row.actor.replace("Dana", "Dani"))
    for column, other in (("actor", actor), ("command", row._replace(command="{}"))):
        changed = [other if one.seq == row.seq else one for one in rows]
        folder = tmp_path / column
        folder.mkdir()
        wrong = audited(rewritten(changed, 0, "", folder)).wrong
        assert wrong is not None
        assert (wrong.seq, wrong.field) == (row.seq, column)
