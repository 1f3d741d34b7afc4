"""A floor at which something was found wrong is looked at and writes nothing, whoever asks."""

import shutil
import sqlite3
from pathlib import Path

import pytest

from riverboat.ledger import (
    ChainBroken,
    FileWitness,
    HeadKeeper,
    LedgerMisfit,
    LedgerUnavailable,
    SigningKey,
)
from riverboat.web.demo.tables import open_demo_floor
from riverboat.web.house import House
from riverboat.web.server import serving
from riverboat.web.server.monitoring import log
from tests.web.running import (
    Client,
    Server,
    add_people,
    add_person,
    new_house,
    running,
    sqlite_url,
)

KEY = SigningKey(bytes(range(32)))
LOST = "has seen row "


def watched(url: str, witness: FileWitness) -> House:
    """A house whose heads a witness keeps."""
    house = new_house(url)
    house.floor.heads = HeadKeeper(house.floor.ledger, KEY, (witness,))
    return house


def rolled_back(folder: Path) -> tuple[str, FileWitness]:
    """An older copy of a ledger, and a witness who has seen more of it."""
    url, witness = sqlite_url(folder), FileWitness(folder / "elsewhere" / "heads")
    house = new_house(url)
    add_people(house)
    open_demo_floor(house.floor)
    house.close()
    path = Path(url.removeprefix("sqlite:///"))
    shutil.copy(path, folder / "old.db")
    house = watched(url, witness)
    house.play_money.top_up("the last row", "Player", 5)
    assert house.floor.heads is not None
    house.floor.heads.sign(at=1)
    house.close()
    return f"sqlite:///{folder / 'old.db'}", witness


def rows_of(url: str) -> int:
    with sqlite3.connect(url.removeprefix("sqlite:///")) as db:
        return int(db.execute("select count(*) from entry").fetchone()[0])


def test_nothing_is_written_by_a_floor_that_takes_no_command(tmp_path: Path) -> None:
    url, witness = rolled_back(tmp_path)
    house = watched(url, witness)
    tokens = {
        name: house.accounts.sign_in(name, "a long enough password", "127.0.0.1", "")[0]
        for name in ("Player", "Administrator", "Supervisor")
    }
    before = rows_of(url)
    serving._look_over(house)
    with running(house) as server:
        clients = {name: _holding(server, token) for name, token in tokens.items()}
        body = {"id": "a purse's command", "cents": 100}
        account = {"name": "Otto", "door": "player", "password": "given for a while"}
        given = {"password": "another that is given"}
        asked = {
            "visit": server.client().post("/api/visit"),
            "purse": clients["Player"].post("/api/purse", json=body),
            "account": clients["Administrator"].post("/api/accounts", json=account),
            "password": clients["Administrator"].post("/api/accounts/Spare/password", json=given),
            "close": clients["Administrator"].post("/api/accounts/Spare/close"),
            "command": clients["Supervisor"].command("Table 1", do="sit_down", seat=1),
        }
        for what, answer in asked.items():
            assert answer.status_code == 503, (what, answer.text)
            assert LOST in answer.json()["words"], what
        assert len({answer.json()["words"] for answer in asked.values()}) == 1
        assert rows_of(url) == before
        for path in ("/lobby", "/api/tables", "/api/me", "/api/meters"):
            assert clients["Player"].get(path).status_code == 200, path
        health = server.client().get("/health").json()
        assert "take commands" in [one["duty"] for one in health["behind"]]


def _holding(server: Server, token: str) -> Client:
    client = server.client()
    client.hold(token)
    client.get("/api/me")
    return client


class Away(FileWitness):
    """A witness that cannot be asked for a while."""

    away = True

    def seen(self, public_key: bytes) -> list[object]:  # type: ignore[override]
        if self.away:
            raise LedgerUnavailable("witness.away", "the witness does not answer: away")
        return [*super().seen(public_key)]


def test_a_witness_that_was_away_is_told_of_in_the_log_and_asked_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, _ = rolled_back(tmp_path)
    witness = Away(tmp_path / "elsewhere" / "heads")
    house, said = watched(url, witness), list[str]()
    monkeypatch.setattr(log, "warning", lambda event, **more: said.append(str(more)))
    serving._look_over(house)
    assert "the witness does not answer: away" in "".join(said)
    house.floor.ask_witnesses_again()
    house.play_money.top_up("goes on", "Player", 5)
    witness.away = False
    with pytest.raises(ChainBroken, match=LOST):
        house.floor.ask_witnesses_again()
    with pytest.raises(ChainBroken, match=LOST):
        house.play_money.top_up("goes on no more", "Player", 5)
    assert house.commanding.behind_since is not None
    house.close()


def test_another_secret_on_record_is_told_by_health_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = new_house(sqlite_url(tmp_path))
    house.floor.start()
    assert house.commanding.behind_since is None

    def other(*asked: object) -> None:
        raise LedgerMisfit("secret.other", "another secret than this ledger's")

    monkeypatch.setattr("riverboat.floor.floor.known_secret", other)
    house.floor.heed_secret()
    assert house.commanding.behind_since is not None
    with pytest.raises(LedgerMisfit, match="another secret"):
        house.play_money.top_up("no more", "Ann", 5)
    house.close()


def test_metrics_at_this_machine_ask_no_database(tmp_path: Path) -> None:
    """Whoever may read them from elsewhere is still asked who they are."""
    house = new_house(sqlite_url(tmp_path))
    add_person(house.accounts, "Administrator", "administrator")
    add_person(house.accounts, "Player", "player")
    with running(house) as server:
        reader, player = server.client("administrator"), server.client("player")
        forwarded = {"x-forwarded-for": "203.0.113.9"}
        assert reader.get("/metrics", headers=forwarded).status_code == 200
        assert player.get("/metrics", headers=forwarded).status_code == 403
        house.sessions.forget()

        def away(token: str) -> None:
            raise LedgerUnavailable("ledger.away", "the database is away")

        house.sessions._find = away
        assert player.get("/metrics").status_code == 200
        assert reader.get("/metrics", headers=forwarded).status_code == 503
