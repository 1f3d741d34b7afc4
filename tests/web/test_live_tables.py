"""Tables that people run, as those who play there see them."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec import to_builtins

from riverboat.core.errors import Refused
from riverboat.core.records import Action
from riverboat.floor.autopilot import Doing, Manners, Staff, attend, next_doing
from riverboat.floor.replaying import replay_round
from riverboat.round import actions as g
from riverboat.table import actions as a
from riverboat.table.configuration.configure import standard_submission
from riverboat.table.people import Actor
from riverboat.web.accounts import Guest
from riverboat.web.api.tables import Asked, carry_out
from riverboat.web.house import House
from riverboat.web.screens.frames import own_frame
from tests.web.playing import give_money
from tests.web.running import Server, new_house, sqlite_url

ANN = Actor(name="Ann", role="player")
DANA = Guest(name="Dana", door="dealer")
SUE = Actor(name="Sue", role="supervisor")
STAFF = Staff(Actor(name="Dana", role="dealer"), Actor(name="Flo", role="floorperson"), SUE)
PURSE_CENTS = 400_00
TABLE = "Pit 1"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    one = new_house(sqlite_url(tmp_path))
    give_money(one, ("Ann",), PURSE_CENTS)
    yield one
    one.close()


class Pit:
    """A table with people, up to some moment."""

    def __init__(self, house: House, rulebook: str, *, physical: bool = False) -> None:
        self.house, self.ids = house, (f"pit {n}" for n in count())
        book = house.floor.books[rulebook][0]
        filed = standard_submission(book, {}, name=TABLE, physical=physical)
        self.ask(STAFF.floorperson, a.Propose(submission=filed))
        self.ask(SUE, a.Approve(number=1))
        self.ask(STAFF.floorperson, a.OpenDay(date="2026-11-16", tray_cents=50_000_00))
        self.ask(STAFF.floorperson, a.Designate())
        self.ask(STAFF.floorperson, a.AssignDealer(name="Dana"))
        self.ask(ANN, a.SitDown(seat=1))

    def ask(self, by: Actor, action: a.AnyAction | Action) -> None:
        self.house.floor.ask(next(self.ids), by, TABLE, action)  # type: ignore[arg-type]

    def until(self, *kinds: type) -> Doing:
        """Up to the moment before something is done."""
        while True:
            doing = next_doing(self.house.floor, TABLE, {1: ANN}, Manners(seed="pit"), STAFF)
            assert doing is not None, "the table waits for nobody"
            if isinstance(doing.ask, kinds):
                return doing
            attend(self.house.floor, next(self.ids), TABLE, doing)

    def own(self) -> dict[str, object]:
        """What Ann's page is told of her part."""
        self.house.model.catch_up()
        model, ann = self.house.model, Guest(name="Ann", door="player")
        station = model.station(TABLE)
        told = own_frame(model, station, model.link_of(station), ann)
        assert told is not None
        own: dict[str, object] = to_builtins(told)
        return own

    def enter(self, command: str, **action: object) -> None:
        """What the dealer enters on the console."""
        self.house.model.catch_up()
        carry_out(self.house, DANA, TABLE, Asked(id=command, action=dict(action)))


def test_the_first_player_is_asked_to_look_at_the_cards_on_the_own_page(house: House) -> None:
    pit = Pit(house, "maryland-2014")
    looks = pit.until(a.Prepare)
    while looks.by.role != "player":
        pit.ask(looks.by, looks.ask)  # type: ignore[arg-type]
        looks = pit.until(a.Prepare)
    (asked,) = cast(list[dict[str, Any]], pit.own()["asked"])
    assert asked["words"] == "The first player looks at the red deck"
    carry_out(
        house, Guest(name="Ann", door="player"), TABLE, Asked(id="looked", action=asked["do"])
    )
    assert pit.own()["asked"] == []


def test_nothing_is_decided_while_play_is_interrupted(house: House) -> None:
    pit = Pit(house, "south-dakota-2011")
    pit.until(g.Bet, g.Fold)
    assert "decide" in pit.own()
    pit.ask(SUE, a.Interrupt(reason="the lights went out"))
    assert "decide" not in pit.own()


def test_chips_that_a_dealer_enters_come_out_of_the_players_purse(house: House) -> None:
    pit = Pit(house, "house-demo", physical=True)
    pit.until(g.Wager)
    with pytest.raises(Refused, match=r"\$401 is more than the \$400 in hand"):
        pit.enter("too much", do="wager", seat=1, spot="ante", cents=PURSE_CENTS + 1_00)
    pit.enter("all of it", do="wager", seat=1, spot="ante", cents=PURSE_CENTS)
    assert pit.own()["purse_cents"] == 0
    pit.enter("all of it", do="wager", seat=1, spot="ante", cents=PURSE_CENTS)
    assert pit.own()["purse_cents"] == 0


def test_a_replay_says_when_it_was_and_who_took_the_chips(house: House) -> None:
    times = count(1_800_000_000, 7)
    house.floor.clock = lambda: next(times)
    pit = Pit(house, "south-dakota-2011")
    pit.until(g.Bet, g.Fold)
    pit.ask(ANN, g.Fold(seat=1))
    pit.until(a.StartShuffle, a.FinishShuffle)
    floor = house.floor
    steps = replay_round(floor.ledger, floor.books, floor.secret, TABLE, 1).steps
    rows = {row.seq: row.recorded_at for row in floor.ledger.read(f"table/{TABLE}")}
    assert [step.at for step in steps if step.seq in rows] == [
        rows[step.seq] for step in steps if step.seq in rows
    ]
    folds = [(step.what, step.who) for step in steps if "fold" in step.what]
    assert [who for _, who in folds] == ["Ann, player", "Dana, dealer"], folds


@pytest.mark.parametrize(
    ("rulebook", "choices", "words"),
    [
        (
            "house-demo",
            {"wager_unit": "50", "maximum": "20"},
            "in multiples of $50: there is no such bet",
        ),
        ("south-dakota-3cb", {"wager_unit": "5", "progressive": "SD-3CB-PROG-PMG-01"}, "of $1 at"),
    ],
)
def test_what_nobody_could_play_is_not_opened(
    floor_server: Server, rulebook: str, choices: dict[str, str], words: str
) -> None:
    visitor = floor_server.client("visitor")
    asked = {"id": f"unplayable {rulebook}", "name": "X", "rulebook": rulebook, "choices": choices}
    answer = visitor.post("/api/tables", json=asked)
    assert answer.status_code == 409
    assert words in answer.json()["words"]
    told = visitor.post("/api/tables/preview", json={"rulebook": rulebook, "choices": choices})
    assert [one["code"] for one in told.json()["problems"]] == ["table.unplayable"]


def test_a_visitors_table_is_on_their_own_list_and_plays_for_its_own_meter(
    floor_server: Server,
) -> None:
    visitor, other = floor_server.client("visitor"), floor_server.client("visitor")
    choices = {"progressive": "HD-PROG-2", "meter_link": "HD-PROG-2"}
    asked = {"id": "a table of my own", "name": "X", "rulebook": "house-demo", "choices": choices}
    table = visitor.post("/api/tables", json=asked).json()["table"]
    assert visitor.post("/api/tables", json=asked).json()["table"] == table
    own = visitor.get("/api/tables").json()["own"]
    assert [(one["table"], one["link"]) for one in own] == [(table, f"{table} meter")]
    assert other.get("/api/tables").json()["own"] == []
    assert table not in other.get("/api/meters").text


def test_a_text_for_analysis_is_neither_offered_nor_opened(floor_server: Server) -> None:
    visitor = floor_server.client("visitor")
    assert "edition" not in visitor.get("/lobby/choices/maryland-2014").json()["options"]
    chosen = {"rulebook": "maryland-2014", "choices": {"edition": "pre_amendment"}}
    told = visitor.post("/api/tables/preview", json=chosen).json()["problems"]
    assert [one["code"] for one in told] == ["edition.not_played"]
    answer = visitor.post("/api/tables", json={**chosen, "id": "earlier text", "name": "X"})
    assert answer.status_code == 409
