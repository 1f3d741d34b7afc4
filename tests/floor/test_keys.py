"""The floor's secret: made by a floor that opens, and by nobody who only reads."""

from pathlib import Path

import pytest

from riverboat.core.errors import NotationError
from riverboat.floor.codec import made_master_secret, master_secret


def test_reading_a_secret_that_is_not_there_makes_none(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    with pytest.raises(NotationError, match="No such file") as missing:
        master_secret(path)
    assert missing.value.code == "secret.file"
    assert not path.exists()


def test_a_floor_makes_its_secret_once_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    made = made_master_secret(path)
    assert path.stat().st_mode & 0o777 == 0o600
    kept = path.read_bytes()
    for again in (made_master_secret(path), master_secret(path)):
        assert again.key_of("T", 1) == made.key_of("T", 1)
        assert again.key_of("T", 1) != made.key_of("T", 2)
    assert path.read_bytes() == kept


def test_a_file_that_is_no_secret_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_bytes(b"short")
    for read in (master_secret, made_master_secret):
        with pytest.raises(NotationError) as bad:
            read(path)
        assert bad.value.code == "secret.length"
