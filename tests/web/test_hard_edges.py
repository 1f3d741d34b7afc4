"""Hard edges of the machine interface: what is left behind, what is told too early, whose words."""

import json
import re
import uuid
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from riverboat.cli import run
from riverboat.controller import actions as p
from riverboat.core.errors import Refused
from riverboat.floor.audit.auditing import audit
from riverboat.floor.autopilot import DEMO, SealNext, attend
from riverboat.round import actions as g
from riverboat.round.setup.choices import Raw
from riverboat.table import actions as a
from riverboat.table.configuration.configure import standard_submission
from riverboat.web.accounts import Guest
from riverboat.web.api.worklist import pending_awards, worklist
from riverboat.web.demo.attendants import Attendants
from riverboat.web.demo.jackpot import jackpot_table, next_of_show, open_show
from riverboat.web.demo.roles import STANDING, Part, Standing, take_over
from riverboat.web.demo.tables import DemoTable, demo_tables
from riverboat.web.demo.waiting import Presence
from riverboat.web.house import House
from riverboat.web.screens.console import console_frame
from tests.web.playing import link_of, people, play, play_until
from tests.web.running import PASSWORD, Client, Server, add_people, new_house, running, sqlite_url

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor with a finished round and one that is being played."""
    house = new_house(sqlite_url(tmp_path_factory.mktemp("edges")))
    add_people(house)
    with running(house) as started:
        seats = people("Player", "Spare")
        play(house, "Table 1", seats, 1, "edges")
        play_until(house, "Table 1", seats, lambda doing: isinstance(doing.ask, g.Bet | g.Fold))
        house.model.catch_up()
        yield started


# ---------------------------------------------------------------- a table that was not opened


def opening(client: Client, name: str, second: dict[str, str] | None) -> Any:
    """Ask for a table that is no demo."""
    body = {"id": str(uuid.uuid4()), "name": name, "rulebook": "house-demo", "demo": False}
    return client.post("/api/tables", json=body | ({} if second is None else {"second": second}))


@pytest.mark.parametrize(
    "second",
    [
        None,
        {"name": "Second", "password": "a wrong password"},
        {"name": "Player", "password": PASSWORD},
        {"name": "Auditor", "password": PASSWORD},
        {"name": "Supervisor", "password": PASSWORD},
        {"name": "Dealer", "password": PASSWORD},
    ],
)
def test_a_refused_second_person_leaves_nothing_behind(
    server: Server, second: dict[str, str] | None
) -> None:
    supervisor, floor = server.client("supervisor"), server.house.floor
    name = f"Not opened {uuid.uuid4().hex[:6]}"
    before = floor.ledger.head()
    answer = opening(supervisor, name, second)
    assert answer.status_code == 409, answer.text
    assert floor.ledger.head() == before
    assert not floor.station(name).day.proposals
    assert supervisor.get(f"/api/tables/{name}").status_code == 404


def test_a_table_that_two_people_sign_for_is_opened_once(server: Server) -> None:
    supervisor = server.client("supervisor")
    body = {
        "id": str(uuid.uuid4()), "name": "Live 1", "rulebook": "house-demo", "demo": False,
        "second": {"name": "Second", "password": PASSWORD},
    }  # fmt: skip
    for _ in range(2):
        answer = supervisor.post("/api/tables", json=body)
        assert answer.status_code == 201, answer.text
    day = server.house.floor.station("Live 1").day
    assert day.configuration is not None
    assert not day.proposals
    assert day.configurations == 1


# ---------------------------------------------------------------- a round that is being played


@pytest.mark.parametrize("role", ["dealer", "supervisor", "manager", "auditor", "administrator"])
def test_nobody_gets_pictures_of_a_round_that_is_being_played(server: Server, role: str) -> None:
    client = server.client(role)
    assert server.house.floor.station("Table 1").day.in_round
    for what in ("", "/pictures"):
        finished = client.get(f"/api/tables/Table 1/rounds/1{what}")
        assert finished.status_code == 200, finished.text
        told = client.get(f"/api/tables/Table 1/rounds/2{what}")
        assert told.status_code == 409, told.text
        assert told.json()["code"] == "round.not_over"
        assert "round 2" in told.json()["words"]
        assert client.get(f"/api/tables/Table 1/rounds/3{what}").status_code in (400, 404)
    told = client.get("/api/tables/Table 1/rounds/2/evidence")
    assert (told.status_code, told.json()["code"]) == (409, "round.not_over")


# ---------------------------------------------------------------- words for people


COMMAND_LINE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/api/settle", {"ante": "ten"}),
    ("/api/settle", {"ante": "10", "bets": "3,x,1"}),
    ("/api/settle", {"ante": "10", "bets": "3,1,1,1,1"}),
    ("/api/settle", {"ante": "10", "cards": "Zz"}),
    ("/api/settle", {"ante": "10", "cards": "Ah Ad Ac"}),
    ("/api/settle", {"ante": "10", "cards": "Ah Ad", "board": "As 2c 3d", "meter": "x"}),
    ("/api/settle", {"ante": "10", "cards": "Ah Ad", "board": "As 2c 3d", "meter": "9"}),
    ("/api/settle", {"ante": "10", "table": ["nothing"]}),
    ("/api/settle", {"ante": "10", "table": ["meter=5"]}),
    ("/api/settle", {"ante": "10", "side_bets": {"three_card_bonus": "x"}}),
    ("/api/settle", {"ante": "10", "side_bets": {"nothing": "5"}}),
    ("/api/advice", {"cards": "Ah Kd", "upcard": "Ac"}),
    ("/api/advice", {"cards": "Ah Kd", "bets": "x"}),
    ("/api/advice", {"cards": "Ah Kd", "board": "Zz"}),
    ("/api/advice", {"cards": "Ah Kd", "know": "Zz"}),
    ("/api/advice", {"cards": "Ah Kd", "wager": "5", "minimum": "10"}),
    ("/api/advice", {"cards": "Ah Kd", "table": ["minimum=x"]}),
)
QUESTIONS = (
    *("bet=nothing", "paytable=nothing", "wager=x", "minimum=0", "meter=x", "others=8"),
    *("wager=5&minimum=10", "minimum=5&set=minimum%3D10", "set=nothing", "set=seats%3Dmany"),
    "set=meter%3D5",
)


@pytest.mark.parametrize(("path", "body"), COMMAND_LINE)
def test_a_page_is_told_of_fields_not_of_options(
    server: Server, path: str, body: dict[str, Any]
) -> None:
    answer = server.client("player").post(path, json={"rulebook": "house-demo", **body})
    assert "--" not in answer.text
    assert answer.status_code in (200, 400)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_refused_in_words_of_a_page(server: Server, question: str) -> None:
    answer = server.client("player").get(f"/api/odds/iowa-catfish-bend?{question}")
    assert answer.status_code == 400, answer.text
    assert "--" not in answer.json()["words"]


def test_metrics_say_their_letters_once(server: Server) -> None:
    media = server.client().get("/metrics").headers["content-type"]
    assert media == "text/plain; version=0.0.4; charset=utf-8"


# ---------------------------------------------------------------- the part that was left lying


class Clock:
    """A clock that is set."""

    now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize("part", ["dealer", "supervisor"])
def test_a_part_that_somebody_left_is_the_programs_again(tmp_path: Path, part: Part) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    looks = {"Dora"}
    house.presence = Presence(house.database, lambda table, name: name in looks, clock)
    attendants = Attendants(
        house.floor, house.model, lambda table: "table", presence=house.presence, clock=clock
    )
    house.open_demo(next(demo_tables(house.floor)))
    floor, table = house.floor, "Table 1"
    dora = Guest(name="Dora", door="supervisor")

    def after(seconds: float) -> Standing:
        clock.now += seconds
        with suppress(Refused):
            attendants.next_at(table)
        return house.model.standing_at(table)

    for turn in (1, 2):
        take_over(floor, f"take over {turn}", dora, table, part)
        house.model.catch_up()
        looks.add("Dora")
        assert after(1) == {"Dora": part}
        assert after(1_000) == {"Dora": part}, "somebody who looks is not gone"
        looks.clear()
        assert after(170) == {"Dora": part}, "gone for less than three minutes"
        assert after(30) == {}
        assert floor.station(table).day.dealer == DEMO.dealer.name
    rows = [json.loads(row.body) for row in floor.ledger.read(STANDING + table)]
    assert [(row["name"], row["part"], row["absent"]) for row in rows] == [
        ("Dora", part, False),
        ("Dora", "", True),
    ] * 2
    found = audit(floor.ledger, floor.books, floor.secret)
    assert found.holds, found.wrong
    house.close()


def test_a_dealer_whom_the_floor_assigned_is_relieved_too(tmp_path: Path) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    house.open_demo(next(demo_tables(house.floor)))
    floor, table = house.floor, "Table 1"
    presence = Presence(house.database, lambda table, name: False, clock)
    attendants = Attendants(
        floor, house.model, lambda table: "table", presence=presence, clock=clock
    )
    floor.ask("assigned", DEMO.floorperson, table, a.AssignDealer(name="Dora"))
    for _ in range(2):
        attendants.next_at(table)
        clock.now += 200
    attendants.next_at(table)
    assert floor.station(table).day.dealer == DEMO.dealer.name
    house.close()


def test_a_part_cannot_be_taken_while_play_is_interrupted(tmp_path: Path) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    house.open_demo(next(demo_tables(house.floor)))
    floor, table = house.floor, "Table 1"
    interrupt(house, table)
    dora = Guest(name="Dora", door="dealer")
    with pytest.raises(Refused):
        take_over(floor, "take over", dora, table, "dealer")
    house.model.catch_up()
    assert house.model.standing_at(table) == {}
    presence = Presence(house.database, lambda table, name: False, clock)
    attendants = Attendants(
        floor, house.model, lambda table: "table", presence=presence, clock=clock
    )
    for step in range(20):
        doing = attendants.next_at(table)
        if doing is None or isinstance(doing.ask, SealNext):
            break
        attend(floor, f"step {step}", table, doing)
    take_over(floor, "take over later", dora, table, "dealer")
    interrupt(house, table)
    house.model.catch_up()
    clock.now += 30
    attendants.next_at(table)
    head = floor.ledger.head()
    clock.now += 300
    doing = attendants.next_at(table)
    assert doing is not None
    assert isinstance(doing.ask, a.Confirm), "the program signs, though the dealer is gone"
    assert floor.ledger.head() == head, "and nothing is refused over and over"
    attend(floor, "signed", table, doing)
    clock.now += 30
    attendants.next_at(table)
    assert floor.station(table).day.dealer == DEMO.dealer.name
    house.close()


# ---------------------------------------------------------------- what a supervisor has to do


def interrupt(house: House, table: str) -> None:
    """Play stops there."""
    asked = a.Interrupt(reason="a test")
    house.floor.ask(f"stop {table} {uuid.uuid4()}", DEMO.floorperson, table, asked)


SUE = Guest(name="Sue", door="supervisor")


def worked_on(house: House) -> set[str]:
    """The tables on the work list, disputes aside."""
    house.model.catch_up()
    return {one.table for one in worklist(house, SUE) if one.kind != "dispute"}


def test_the_work_list_has_what_people_must_do(tmp_path: Path) -> None:
    house = new_house(sqlite_url(tmp_path))
    floor = house.floor
    visitor = "Guest 222222"
    own = DemoTable(f"{visitor} ab", "house-demo", {}, 2, visitor)
    for table in (*list(demo_tables(floor))[:2], own):
        house.open_demo(table)
        interrupt(house, table.name)
    open_show(floor, jackpot_table(floor, f"{visitor} jackpot 1", visitor))
    open_show(floor, jackpot_table(floor, "Sue jackpot 1"))
    assert worked_on(house) == set()
    sue = Guest(name="Sue", door="supervisor")
    take_over(floor, "Sue supervises", sue, "Table 1", "supervisor")
    assert worked_on(house) == {"Table 1"}
    (work,) = [
        one for one in worklist(house, SUE) if one.kind == "interrupted" and not one.optional
    ]
    assert work.demo
    take_over(floor, "Sue goes", sue, "Table 1", "")
    third = list(demo_tables(floor))[2]
    house.open_demo(third)
    take_over(floor, "Dora deals", Guest(name="Dora", door="dealer"), third.name, "dealer")
    interrupt(house, third.name)
    assert worked_on(house) == set()
    house.close()


def test_a_pending_award_is_work_only_where_somebody_supervises(tmp_path: Path) -> None:
    house = new_house(sqlite_url(tmp_path))
    floor, sue = house.floor, Guest(name="Sue", door="supervisor")
    for table, owner in (("A visitor's jackpot", "Guest 222222"), ("Sue jackpot 1", "")):
        open_show(floor, jackpot_table(floor, table, owner))
        for step in range(200):
            doing = next_of_show(floor, table, {})
            assert doing is not None
            if isinstance(doing.ask, p.PayAward):
                break
            attend(floor, f"{table} {step}", table, doing)
    assert len(list(pending_awards(house))) == 0
    house.model.catch_up()
    assert len(list(pending_awards(house))) == 2
    assert worked_on(house) == set()
    take_over(floor, "Sue supervises", sue, "Sue jackpot 1", "supervisor")
    assert worked_on(house) == {"Sue jackpot 1"}
    house.close()


# ---------------------------------------------------------------- a round to take home


def test_a_round_that_was_downloaded_is_accepted_by_the_command_line(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house, table = server.house, "Table 2"
    play(house, table, people("Player", "Spare"), 2, "evidence")
    house.model.catch_up()
    where = f"/api/tables/{table}/rounds/{house.model.rounds.at(table, 1)[0].round}/evidence"
    copies = {role: server.client(role).get(where) for role in ("auditor", "player", "dealer")}
    assert copies["auditor"].text == copies["dealer"].text
    for role in ("auditor", "player"):
        assert copies[role].headers["content-disposition"].startswith('attachment; filename="table')
        file = tmp_path / f"{role}.json"
        file.write_bytes(copies[role].content)
        assert run(["verify", str(file)]) == 0, capsys.readouterr()
        changed = re.sub(r'"net_cents": -?\d+', '"net_cents": 123', copies[role].text, count=1)
        file.write_text(changed, "utf-8")
        assert run(["verify", str(file)]) == 1
    whole, own = copies["auditor"].json(), copies["player"].json()
    assert whole["view"] is None
    assert own["view"]["seat"] == 1
    assert None not in whole["commitment"]["order"]
    hidden = [card for card in own["commitment"]["order"] if card is None]
    assert len(hidden) > 30
    seats = whole["results"]["seats"]
    for folded in [n for n, shown in own["view"]["shown"].items() if n in seats and None in shown]:
        dealt = next(
            cards
            for line in whole["entries"]
            for event in line["events"]
            if event["kind"] == "cards_dealt"
            for place, cards in event["deliveries"]
            if place == folded
        )
        assert dealt[0] not in [card for card in own["commitment"]["order"] if card]
    assert server.client("player").get(f"{where}?seat=2").status_code == 403
    assert server.client("visitor").get(where).status_code == 403
    assert server.client("auditor").get(f"{where}?seat=2").json()["view"]["seat"] == 2


def test_a_round_for_a_linked_meter_is_no_file(server: Server) -> None:
    told = server.client("auditor").get("/api/tables/Table 1/rounds/1/evidence")
    assert told.status_code == 409
    assert told.json()["code"] == "evidence.linked"
    page = server.client("auditor")
    assert "Download the evidence" not in page.get("/rounds/Table 1/1").text
    assert "/api/tables/Table%202/rounds/1/evidence" in page.get("/rounds/Table 2/1").text


# ---------------------------------------------------------------- counting the stub


def hand_shuffled(house: House) -> str:
    """A demo table where no device counts the cards, up to the moment when the stub is counted."""
    book, name = house.floor.books["maryland-2014"][0], "By hand"
    bets: dict[str, Raw] = {
        x.bet: x.paytables[0] for x in book.side_bets if x.bet.endswith("card_bonus")
    }
    filed = standard_submission(book, bets, name=name, demo=True, shuffle="manual")
    house.floor.ask("proposed", DEMO.floorperson, name, a.Propose(submission=filed))
    house.floor.ask("approved", DEMO.supervisor, name, a.Approve(number=1))
    house.open_demo(DemoTable(name, book.id, bets, 0))
    play_until(house, name, people("Ann", "Ben"), lambda d: isinstance(d.ask, a.CountStub))
    return name


def test_a_count_of_the_stub_offers_every_place(tmp_path: Path) -> None:
    house = new_house(sqlite_url(tmp_path))
    table, dealer = hand_shuffled(house), DEMO.dealer
    station = house.floor.station(table)
    step = console_frame(station, link_of(house.floor, station), dealer, {}).step
    assert step is not None
    assert step.do == {"do": "count_stub", "cards": 41, "places": {}}
    assert step.counts == {"1": 2, "2": 2, "community": 3, "box": 4}
    with pytest.raises(Refused) as refused:
        house.floor.ask("wrong", dealer, table, a.CountStub(cards=40, places={"2": 3}))
    assert refused.value.code == "incident.committed"
    answer = house.floor.ask("counted", dealer, table, a.CountStub(cards=41, places={"2": 2}))
    assert [type(event).__name__ for event in answer.entries[-1].events] == ["StubCounted"]
    station = house.floor.station(table)
    after = console_frame(station, link_of(house.floor, station), dealer, {}).step
    assert after is None or after.counts is None
    house.close()
