"""The chain that is written for speed is the one that the page states, whose example runs."""

import re
from pathlib import Path
from uuid import RFC_4122, UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.ledger import Row, mint_command_id
from riverboat.ledger.chain import BEGINNING, as_stored, as_text, hash_of
from tests.ledger.contract import plain_hash

PAGE = Path(__file__).resolve().parent.parent.parent / "docs" / "ledger.md"

numbers = st.integers(0, 2**63 - 1)
texts = st.text(max_size=40) | st.integers(8_000, 9_000).map(lambda length: "é" * length)


@given(
    st.binary(min_size=32, max_size=32),
    numbers,
    texts,
    numbers,
    texts,
    texts,
    numbers,
    texts,
    texts,
)
def test_the_fast_hash_is_the_plain_one(
    previous: bytes,
    seq: int,
    stream: str,
    version: int,
    command_id: str,
    actor: str,
    recorded_at: int,
    command: str,
    body: str,
) -> None:
    row = Row(seq, stream, version, command_id, actor, recorded_at, command, body, b"")
    assert hash_of(previous, as_stored(row)) == plain_hash(previous, row)
    assert as_text(as_stored(row)) == row


def test_text_that_moves_from_one_column_to_the_next_changes_the_hash() -> None:
    row = Row(1, "table:1", 1, "ab", "c", 7, "d", "e", b"")
    moved = row._replace(command_id="a", actor="bc")
    assert hash_of(BEGINNING, as_stored(row)) != hash_of(BEGINNING, as_stored(moved))


def test_minted_ids_are_of_version_seven_grow_and_differ() -> None:
    minted = [mint_command_id() for _ in range(1000)]
    assert len(set(minted)) == 1000
    assert {(UUID(name).version, UUID(name).variant) for name in minted} == {(7, RFC_4122)}
    early = mint_command_id(lambda: 1_700_000_000_000_000_000, lambda count: b"\xff" * count)
    assert early == "018bcfe5-6800-7fff-bfff-ffffffffffff"
    assert early < minted[0]


def test_the_example_of_the_page_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"(?ms)^```python\n(.*?)^```$", PAGE.read_text("utf-8"))
    assert len(examples) == 1
    exec(compile(examples[0], str(PAGE), "exec"), {})
    assert (tmp_path / "house.db").exists()
