"""The key that signs heads, and heads as text."""

import stat
from pathlib import Path

import pytest

from riverboat.core.errors import NotationError
from riverboat.ledger import (
    Head,
    LedgerMisfit,
    SigningKey,
    is_signed,
    open_ledger,
    parse_signed_head,
    show_signed_head,
    sign_head,
)
from tests.ledger.writing import fill


def test_a_key_is_made_once_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    path = tmp_path / "day.key"
    first = SigningKey.kept_in(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert SigningKey.kept_in(path).public_key == first.public_key
    assert [file.name for file in tmp_path.iterdir()] == ["day.key"]
    assert path.read_text().strip().partition(".")[2] not in repr(first)


def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "day.key"
    SigningKey.kept_in(path)
    path.chmod(0o640)
    with pytest.raises(LedgerMisfit, match="chmod 600"):
        SigningKey.kept_in(path)


@pytest.mark.parametrize("text", ["", "ledgerkey1.", "ledgerkey1.zz", "other." + "00" * 32, "\xff"])
def test_something_else_than_a_key_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "day.key"
    path.write_text(text, "utf-8")
    path.chmod(0o600)
    with pytest.raises(LedgerMisfit):
        SigningKey.read_from(path)


def test_a_key_that_cannot_be_made_or_found_is_named(tmp_path: Path) -> None:
    with pytest.raises(LedgerMisfit, match="No such file"):
        SigningKey.kept_in(tmp_path / "no folder" / "day.key")
    with pytest.raises(LedgerMisfit, match="No such file"):
        SigningKey.read_from(tmp_path / "day.key")


def test_a_signed_head_survives_being_written_down(tmp_path: Path) -> None:
    key = SigningKey.kept_in(tmp_path / "day.key")
    with open_ledger(tmp_path / "ledger.db") as ledger:
        fill(ledger, 3)
        signed = sign_head(ledger, key, at=1_700_000_000)
        head = ledger.head()
    assert signed.head == head
    assert parse_signed_head(show_signed_head(signed)) == signed
    assert is_signed(signed)
    for wrong in (
        signed._replace(seq=7),
        signed._replace(number=2),
        signed._replace(hash=bytes(32)),
        signed._replace(signed_at=0),
        signed._replace(signature=bytes(64)),
        signed._replace(public_key=b"short"),
    ):
        assert not is_signed(wrong)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"number":"one"}', "x" * 100])
def test_something_else_than_a_signed_head_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_signed_head(text)


def test_a_printed_head_can_be_typed_in_again() -> None:
    head = Head(4711, bytes(range(32)))
    assert Head.read(str(head)) == head
    for wrong in ("", "4711", "4711:00", f"x:{'0' * 64}", f"1:{'G' * 64}", f" 1:{'0' * 64}"):
        with pytest.raises(NotationError):
            Head.read(wrong)
