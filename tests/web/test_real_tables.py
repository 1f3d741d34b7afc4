"""Tables that people run: their meters, their dealers, their second signatures, their disputes."""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from riverboat.core.money import METER_UNITS_PER_CENT
from riverboat.floor.autopilot import Manners, Staff, attend, next_doing
from riverboat.table import actions as a
from riverboat.table.configuration.configure import standard_submission
from riverboat.table.people import Actor
from riverboat.web.accounts import Guest
from riverboat.web.demo.roles import actor_at
from riverboat.web.house import House
from tests.web.playing import MOST_STEPS, give_money, people
from tests.web.running import (
    ADMINISTRATOR,
    PASSWORD,
    Client,
    Server,
    add_person,
    running_with_people,
)

BOOK = "house-demo"
DEMO_METER = "HD-PROG-2"
PROGRESSIVE = {"progressive": DEMO_METER}
SECOND = {"name": "Second", "password": PASSWORD}
CREW = Staff(
    dealer=Actor(name="Dealer", role="dealer"),
    floorperson=Actor(name="Second", role="supervisor"),
    supervisor=Actor(name="Supervisor", role="supervisor"),
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor of its own: its meters are counted."""
    with running_with_people(tmp_path_factory.mktemp("real")) as started:
        yield started


@pytest.fixture(scope="module")
def supervisor(server: Server) -> Client:
    """Somebody who opens tables."""
    return server.client("supervisor")


def asked(name: str, meter: str | None, **more: Any) -> dict[str, Any]:
    """A table with a progressive that people run."""
    choices = PROGRESSIVE | ({} if meter is None else {"meter_link": meter})
    choices |= more.pop("choices", {})
    return {
        "id": str(uuid.uuid4()), "name": name, "rulebook": BOOK, "choices": choices,
        "demo": False, "second": SECOND, **more,
    }  # fmt: skip


def open_it(client: Client, body: dict[str, Any]) -> None:
    """It is opened."""
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 201, answer.text


def refused(server: Server, client: Client, body: dict[str, Any]) -> dict[str, Any]:
    """It is refused, and nothing is left of it."""
    before = server.house.floor.ledger.head()
    answer = client.post("/api/tables", json=body)
    assert answer.status_code == 409, answer.text
    assert server.house.floor.ledger.head() == before
    told: dict[str, Any] = answer.json()
    return told


def test_a_real_table_opens_its_meter_and_plays_for_it(server: Server, supervisor: Client) -> None:
    floor, body = server.house.floor, asked("Pit One", "Pit One meter")
    for _ in range(2):
        open_it(supervisor, body)
    link, own = floor.link("Pit One meter"), floor.station("Pit One").day.setup.progressive
    assert own is not None
    assert list(link.members) == ["Pit One"]
    assert link.status == "in_service"
    assert (link.seed_cents, link.wager_cents) == (own.seed_cents, own.wager_cents)
    assert (link.rate_bp, link.reserve_bp) == (own.rate_bp, own.reserve_bp)
    history = supervisor.get("/api/meters/Pit One meter").json()["history"]
    assert history[0]["who"].startswith("Supervisor")
    assert "Second" in str(history[0])
    assert link.events == 2, "opened and joined once"


def test_a_second_real_table_joins_a_meter_that_is_open(server: Server, supervisor: Client) -> None:
    for name in ("Wheel One", "Wheel Two"):
        open_it(supervisor, asked(name, "The wheel"))
    assert list(server.house.floor.link("The wheel").members) == ["Wheel One", "Wheel Two"]


def test_an_opening_that_was_cut_off_is_ended_by_the_next_try(
    server: Server, supervisor: Client
) -> None:
    house, body = server.house, asked("Cut off", "Cut off meter")
    open_it(supervisor, body)
    leave = {"id": str(uuid.uuid4()), "action": {"do": "leave_link", "table": "Cut off"}}
    answer = supervisor.post("/api/meters/Cut off meter/commands", json=leave)
    assert answer.status_code == 200, answer.text
    player = server.client("player")
    unsigned = {**body, "id": str(uuid.uuid4()), "second": None}
    assert player.post("/api/tables", json=unsigned).status_code == 403
    assert refused(server, supervisor, unsigned)["code"] == "second.missing"
    open_it(supervisor, {**body, "id": str(uuid.uuid4())})
    assert list(house.floor.link("Cut off meter").members) == ["Cut off"]


@pytest.mark.parametrize("meter", [None, DEMO_METER, "test Lab meter"])
def test_a_real_table_never_plays_for_the_programs_meter(
    server: Server, supervisor: Client, meter: str | None
) -> None:
    told = refused(server, supervisor, asked(f"Not {meter}"[:12], meter))
    assert told["code"] == "meter.other_kind"
    assert "demo and test tables" in told["words"]


def test_a_demo_table_never_plays_for_the_houses_meter(server: Server, supervisor: Client) -> None:
    open_it(supervisor, asked("House", "House meter"))
    demo = asked("For show", "House meter", demo=True)
    del demo["second"]
    for client in (server.client("player"), supervisor):
        told = refused(server, client, demo)
        assert told["code"] == "meter.other_kind"
        assert "House meter is the house's own" in told["words"]
    visitors = server.client("visitor").post("/api/tables", json=demo).json()["table"]
    assert server.house.floor.link("House meter").members.keys() == {"House"}
    assert server.house.floor.station(visitors).link == f"{visitors} meter"
    own = refused(server, supervisor, asked("Not theirs", f"{visitors} meter"))
    assert own["code"] == "meter.other_kind"
    plain = {**demo, "choices": PROGRESSIVE | {"meter_link": "Show meter"}}
    open_it(supervisor, plain)
    assert refused(server, supervisor, asked("Real", "Show meter"))["code"] == "meter.other_kind"


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"rate": "22"}, "a rate of 22%, the meter's is 24%"),
        ({"reserve_rate": "2"}, "a reserve of 2%, the meter's is 1%"),
        ({"seed": "30000"}, "a seed of $30,000, the meter's is $20,000"),
    ],
)
def test_a_table_with_other_terms_than_its_meter_is_refused_in_words(
    server: Server, supervisor: Client, changed: dict[str, str], words: str
) -> None:
    meter = f"Terms {next(iter(changed))}"
    open_it(supervisor, asked(f"{meter} 1", meter))
    told = refused(server, supervisor, asked(f"{meter} 2", meter, choices=changed))
    assert told["code"] == "meter.other_terms", told
    assert words in told["words"]
    assert told["cites"]


def test_a_table_joins_an_open_meter_on_its_own_terms_only(
    server: Server, supervisor: Client
) -> None:
    opening = {"do": "open_link", "link": "Dear", "seed_cents": 10_000_00, "wager_cents": 100,
               "rate_bp": 20_00, "reserve_bp": 0}  # fmt: skip
    body = {"id": str(uuid.uuid4()), "action": opening, "second": SECOND}
    assert supervisor.post("/api/meters/Dear/commands", json=body).status_code == 200
    told = refused(server, supervisor, asked("Cheap", "Dear"))
    assert told["code"] == "meter.other_terms"
    assert told["words"] == (
        "table Cheap does not fit meter Dear: a wager of $2, the meter's is $1; a seed of $20,000, "
        "the meter's is $10,000; a rate of 24%, the meter's is 20%; a reserve of 1%, the meter's "
        "is 0%"
    )


def test_a_meter_that_takes_no_table_leaves_nothing_of_the_table(
    server: Server, supervisor: Client
) -> None:
    open_it(supervisor, asked("First", "Over"))
    for action in ({"do": "leave_link", "table": "First"}, {"do": "retire_link", "reason": "over"}):
        signed = {"second": SECOND} if action["do"] == "retire_link" else {}
        body = {"id": str(uuid.uuid4()), "action": action, **signed}
        answer = supervisor.post("/api/meters/Over/commands", json=body)
        assert answer.status_code == 200, answer.text
    assert refused(server, supervisor, asked("Too late", "Over"))["code"] == "link.not_open"
    assert server.house.floor.station("Too late").day.configuration is None


def test_nobody_joins_by_hand_what_would_be_refused_at_the_opening(
    server: Server, supervisor: Client
) -> None:
    floor = server.house.floor
    filed = standard_submission(
        floor.books[BOOK][0], PROGRESSIVE | {"meter_link": DEMO_METER}, name="Old"
    )
    floor.ask("old propose", CREW.floorperson, "Old", a.Propose(submission=filed))
    floor.ask("old approve", CREW.supervisor, "Old", a.Approve(number=1))
    server.house.model.catch_up()
    body = {"id": str(uuid.uuid4()), "action": {"do": "join_link", "table": "Old"}}
    told = supervisor.post(f"/api/meters/{DEMO_METER}/commands", json=body).json()
    assert told["code"] == "meter.other_kind", told


# ---------------------------------------------------------------- people


def test_a_dealer_signs_for_nothing(server: Server, supervisor: Client) -> None:
    dealer = {"name": "Dealer", "password": PASSWORD}
    told = refused(server, supervisor, asked("By a dealer", "X", second=dealer))
    assert told["code"] == "person.may_not"
    assert told["words"].startswith("Dealer is dealer; the second person is a supervisor, a man")
    for name in ("Manager", "Administrator"):
        signs = {"name": name, "password": PASSWORD}
        open_it(supervisor, asked(f"By {name}", f"{name} meter", second=signs))


def test_only_somebody_who_may_deal_is_assigned(server: Server, supervisor: Client) -> None:
    told = supervisor.get("/api/dealers").json()["dealers"]
    assert told[0] == "Dealer"
    assert set(told) == {"Dealer", "Supervisor", "Second", "Manager", "Administrator"}
    open_it(supervisor, asked("Staffed", "Staffed meter"))
    day = {"do": "open_day", "date": "2026-11-16", "tray_cents": 50_000_00}
    assert supervisor.command("Staffed", **day).status_code == 200
    assert supervisor.command("Staffed", do="designate").status_code == 200
    for name in ("Player", "Nobody", "Auditor", "dealer", " Dealer", "automatic dealer"):
        answer = supervisor.command("Staffed", do="assign_dealer", name=name)
        assert answer.status_code == 409, (name, answer.text)
        assert answer.json()["code"] == "dealer.unknown"
        assert answer.json()["words"].startswith(f"{name!r} does not deal here; Dealer, ")
    add_person(server.house.accounts, "Gone", "dealer")
    server.house.accounts.close_account("Gone", by=ADMINISTRATOR)
    gone = supervisor.command("Staffed", do="assign_dealer", name="Gone")
    assert gone.json()["code"] == "dealer.unknown"
    assert supervisor.command("Staffed", do="assign_dealer", name="Dealer").status_code == 200
    assert server.house.floor.station("Staffed").day.dealer == "Dealer"


def test_at_a_demo_table_the_program_may_be_assigned(supervisor: Client) -> None:
    answer = supervisor.command("Table 5", do="assign_dealer", name="automatic dealer")
    assert answer.json().get("code") != "dealer.unknown"


# ---------------------------------------------------------------- a round of people, and after it


def play_with_people(house: House, table: str, crew: Staff = CREW) -> int:
    """One round that people deal and play, with the progressive."""
    floor, seats, date = house.floor, people("Player", "Spare"), "2026-11-16"
    give_money(house, ("Player", "Spare"), 10_000_00)
    for opening in (
        a.OpenDay(date=date, tray_cents=50_000_00),
        a.Designate(),
        a.AssignDealer(name=crew.dealer.name),
    ):
        floor.ask(f"{table} {opening.__class__.__name__}", crew.floorperson, table, opening)
    for step in range(MOST_STEPS):
        day = floor.station(table).day
        if day.round_number == 1 and not day.in_round:
            house.model.catch_up()
            return 1
        doing = next_doing(floor, table, seats, Manners(seed="people", fold=0), crew)
        assert doing is not None, f"{table} waits for nobody at entry {day.entries}"
        attend(floor, f"people {table} {step}", table, doing)
    raise AssertionError("the round does not end")


def test_the_meter_of_a_real_table_moves_and_a_dispute_says_whose_it_is(
    server: Server, supervisor: Client
) -> None:
    house, table = server.house, "Live"
    open_it(supervisor, asked(table, "Live meter"))
    seed = house.floor.link("Live meter").meter.units
    number = play_with_people(house, table)
    own = house.floor.station(table).day.setup.progressive
    assert own is not None
    moved = house.floor.link("Live meter").meter.units - seed
    assert moved == 2 * own.wager_cents * own.rate_bp * METER_UNITS_PER_CENT // 10_000

    where = f"/api/tables/{table}/rounds/{number}"
    player = server.client("player")
    said = {"id": str(uuid.uuid4()), "reason": "my pair"}
    told = player.post(f"{where}/dispute", json=said).json()["dispute"]
    assert told["opened"]["by"] == "Player"
    assert told["opened"]["reason"] == "my pair"
    decision = {"id": str(uuid.uuid4()), "decision": "stands", "reason": "the cards say so"}
    for who, code in (("Dealer", "person.may_not"), ("Supervisor", "person.same")):
        signed = {**decision, "second": {"name": who, "password": PASSWORD}}
        answer = supervisor.post(f"{where}/dispute/decision", json=signed)
        assert answer.json()["code"] == code, answer.text
    signed = {**decision, "second": SECOND}
    decided = supervisor.post(f"{where}/dispute/decision", json=signed).json()["dispute"]
    assert decided["decided"]["by"] == ["Supervisor", "Second"]


def test_whoever_dealt_a_round_does_not_decide_about_it(server: Server, supervisor: Client) -> None:
    house, table = server.house, "Dealt by two"
    open_it(supervisor, asked(table, "Two meter"))
    crew = CREW._replace(dealer=Actor(name="Second", role="dealer"), floorperson=CREW.supervisor)
    number = play_with_people(house, table, crew)
    day = house.floor.station(table).day
    dealing = actor_at(Guest(name="Second", door="supervisor"), day, {})
    assert dealing == crew.dealer, "who is assigned can deal"
    assert actor_at(Guest(name="Supervisor", door="supervisor"), day, {}) == CREW.supervisor
    where = f"/api/tables/{table}/rounds/{number}"
    said = {"id": str(uuid.uuid4()), "reason": "a slip"}
    assert supervisor.post(f"{where}/dispute", json=said).status_code == 200
    decision = {"decision": "stands", "reason": "the cards say so", "second": SECOND}
    told = supervisor.post(f"{where}/dispute/decision", json={**said_anew(), **decision}).json()
    assert told["code"] == "dispute.own_round"
    assert told["words"] == "Second dealt this round; two others decide about it"
    manager = {"name": "Manager", "password": PASSWORD}
    signed = {**said_anew(), **decision, "second": manager}
    assert supervisor.post(f"{where}/dispute/decision", json=signed).status_code == 200


def said_anew() -> dict[str, str]:
    """An id of its own."""
    return {"id": str(uuid.uuid4())}


def plain(name: str, *, demo: bool) -> dict[str, Any]:
    """A table without a meter."""
    signed = {} if demo else {"second": SECOND}
    return {"id": str(uuid.uuid4()), "name": name, "rulebook": BOOK, "demo": demo, **signed}


@pytest.mark.parametrize("demo", [True, False])
def test_no_two_tables_look_alike(server: Server, supervisor: Client, demo: bool) -> None:
    name = f"Pit{' demo' * demo} 1"
    body = plain(name, demo=demo)
    open_it(supervisor, body)
    for other in (name.upper(), name.replace("1", "l"), f"P\u00eft{name[3:]}"):
        told = refused(server, supervisor, plain(other, demo=demo))
        assert told["code"] == "table.taken"
        assert "looks like" in told["words"]
    head = server.house.floor.ledger.head()
    for unreadable in (name.replace("i", "\u0456"), f"{name}\u200b", f"{name}\u115f"):
        answer = supervisor.post("/api/tables", json=plain(unreadable, demo=demo))
        assert answer.json()["code"] in ("account.script", "account.name", "table.name")
    assert server.house.floor.ledger.head() == head
    open_it(supervisor, body)


def test_a_table_that_is_on_record_is_called_as_it_is(server: Server, supervisor: Client) -> None:
    names = ("Old 1", "OLD 1", "\u041eld 1")
    book = server.house.floor.books[BOOK][0]
    for name in names:
        filed = standard_submission(book, {}, name=name)
        server.house.floor.ask(
            f"propose {name}", CREW.supervisor, name, a.Propose(submission=filed)
        )
    server.house.model.refresh()
    for name in names:
        open_it(supervisor, plain(name, demo=False))
