"""Two people where it takes two, over the wire; tables opened, rounds disputed, accounts kept."""

import uuid
from typing import Any

import pytest

from tests.web.playing import give_money, people, play
from tests.web.running import PASSWORD, Client, Server

METER = "/api/meters/HD-PROG-2"


@pytest.fixture(scope="module")
def supervisor(floor_server: Server) -> Client:
    """Somebody with keys."""
    return floor_server.client("supervisor")


def keep(client: Client, meter: str, signs: dict[str, str] | None = None, **action: Any) -> Any:
    """Something that a keeper asks for."""
    body: dict[str, Any] = {"id": str(uuid.uuid4()), "action": action}
    if signs is not None:
        body["second"] = signs
    return client.post(f"/api/meters/{meter}/commands", json=body)


def opening(name: str) -> dict[str, Any]:
    """A new meter."""
    return {"do": "open_link", "link": name, "seed_cents": 100_00, "wager_cents": 100,
            "rate_bp": 1000, "reserve_bp": 0}  # fmt: skip


def test_nobody_is_only_named_as_the_second_person(supervisor: Client) -> None:
    forged = {**opening("Forged"), "second": {"name": "Second", "role": "supervisor"}}
    assert keep(supervisor, "Forged", **forged).json()["code"] == "action.second"
    assert keep(supervisor, "Forged", **opening("Forged")).json()["code"] == "second.missing"
    wrong = {"name": "Second", "password": "not the password"}
    assert keep(supervisor, "Forged", wrong, **opening("Forged")).json()["code"] == "sign_in.wrong"
    own = {"name": "Supervisor", "password": PASSWORD}
    assert keep(supervisor, "Forged", own, **opening("Forged")).json()["code"] == "person.same"
    player = {"name": "Player", "password": PASSWORD}
    assert (
        keep(supervisor, "Forged", player, **opening("Forged")).json()["code"] == "person.may_not"
    )
    assert supervisor.get("/api/meters/Forged/sign").status_code == 404


def test_a_meter_is_opened_adjusted_and_explained(supervisor: Client) -> None:
    second = {"name": "Second", "password": PASSWORD}
    assert keep(supervisor, "Main", second, **opening("Main")).status_code == 200
    adjust = {"do": "adjust_link", "units": 50_000, "code": "correction", "reason": "a miscount"}
    answer = keep(supervisor, "Main", second, **adjust)
    assert answer.status_code in (200, 400), answer.text
    book = supervisor.get("/api/meters/Main").json()
    assert book["balances"] is True
    assert book["history"][0]["who"].startswith("Supervisor")
    assert supervisor.get("/api/meters/Main/cent").json()["agrees"] is True
    assert "Main" in str(supervisor.get("/api/books").json()["meters"])


def test_the_books_have_what_was_done_a_moment_ago(supervisor: Client) -> None:
    second = {"name": "Second", "password": PASSWORD}
    assert keep(supervisor, "Quick", second, **opening("Quick")).status_code == 200
    for times in (1, 2):
        stands = [m["units"] for m in supervisor.get("/api/books").json()["meters"]]
        more = {"do": "adjust_link", "units": 10_000, "code": "correction", "reason": "one cent"}
        assert keep(supervisor, "Quick", second, **more).status_code == 200
        book = supervisor.get("/api/meters/Quick").json()
        assert book["units"] == 100_00 * 10_000 + times * 10_000
        now = [m["units"] for m in supervisor.get("/api/books").json()["meters"]]
        assert sum(now) >= sum(stands) + 10_000


def test_a_meters_books_say_who_may_join_and_who_signs(supervisor: Client) -> None:
    book = supervisor.get(METER).json()
    (table,) = book["members"]
    assert book["demo"] is True
    assert book["may_join"] == []
    assert "correction" in book["codes"]
    assert keep(supervisor, "HD-PROG-2", do="leave_link", table=table).status_code == 200
    book = supervisor.get(METER).json()
    assert (book["members"], book["may_join"], book["demo"]) == ([], [table], False)
    again = keep(supervisor, "HD-PROG-2", do="leave_link", table=table).json()
    assert again["words"] == f"{table} does not play for meter HD-PROG-2"
    assert table.startswith("Table "), "a table that says so itself is not called a table twice"
    assert keep(supervisor, "HD-PROG-2", do="join_link", table=table).status_code == 200
    assert supervisor.get(METER).json()["members"] == [table]


def test_programs_sign_for_demo_meters_only(supervisor: Client) -> None:
    out = keep(supervisor, "HD-PROG-2", do="take_link_out", reason="a test")
    assert out.status_code == 200
    assert supervisor.get(f"{METER}/sign").json()["status"] == "out_of_service"
    assert keep(supervisor, "HD-PROG-2", do="bring_link_back").status_code == 200


def test_a_command_is_done_once(supervisor: Client) -> None:
    body = {"id": "the same command twice", "action": {"do": "fill", "cents": 100}}
    first = supervisor.post("/api/tables/Table%205/commands", json=body).json()
    assert first["repeated"] is False
    again = supervisor.post("/api/tables/Table%205/commands", json=body).json()
    assert again == {"at": first["at"], "repeated": True}
    other = {**body, "action": {"do": "fill", "cents": 200}}
    assert supervisor.post("/api/tables/Table%205/commands", json=other).status_code == 422


def test_every_problem_of_a_choice_is_named_with_its_clauses(floor_server: Server) -> None:
    client = floor_server.client("visitor")
    chosen = {"rulebook": "maryland-2014", "choices": {"seats": 99, "three_card_bonus": "nonsense"}}
    told = client.post("/api/tables/preview", json=chosen).json()
    assert len(told["problems"]) >= 2, told
    assert all(one["words"] for one in told["problems"])
    assert any(one["cites"] for one in told["problems"])
    refused = client.post("/api/tables", json={"id": "a bad table", "name": "Bad", **chosen})
    assert refused.status_code == 409
    assert refused.json()["cites"]


def test_a_preview_has_the_edges_of_that_very_table(floor_server: Server) -> None:
    client = floor_server.client("visitor")
    chosen = {"rulebook": "iowa-catfish-bend", "choices": {"three_card_bonus": "IA-CB-3CB"}}
    told = client.post("/api/tables/preview", json=chosen).json()
    assert [one["bet"] for one in told["edges"]] == ["base", "three_card_bonus"]
    assert told["edges"][0]["ev"] == "-53223/1082900"


def test_tables_are_opened_by_those_who_may(floor_server: Server, supervisor: Client) -> None:
    new = {"id": "a demo table", "name": "Corner", "rulebook": "iowa-catfish-bend"}
    player = floor_server.client("player")
    assert player.post("/api/tables", json=new).json() == {"table": "Corner", "demo": True}
    assert player.post("/api/tables", json=new).status_code == 201
    changed = {**new, "id": "another table", "choices": {"three_card_bonus": "IA-CB-3CB"}}
    assert player.post("/api/tables", json=changed).json()["code"] == "table.taken"
    real = {**new, "id": "a real table", "name": "High limit", "demo": False}
    assert player.post("/api/tables", json=real).status_code == 403
    assert supervisor.post("/api/tables", json=real).json()["code"] == "second.missing"
    signed = {**real, "second": {"name": "Second", "password": PASSWORD}}
    assert supervisor.post("/api/tables", json=signed).status_code == 201
    visitor = floor_server.client("visitor")
    refused = visitor.command("High limit", do="sit_down", seat=1)
    assert refused.json()["code"] == "visitor.demo_only"
    work = supervisor.get("/api/worklist").json()["work"]
    assert any(one["table"] == "High limit" for one in work)


def test_a_round_is_disputed_and_decided(floor_server: Server, supervisor: Client) -> None:
    house, table = floor_server.house, "Table 4"
    give_money(house, ("Player", "Somebody"), 10_000_00)
    play(house, table, people("Player", "Somebody"), 1, "dispute")
    house.model.catch_up()
    number = house.model.rounds.at(table, 1)[0].round
    where = f"/api/tables/{table}/rounds/{number}"
    player, other = floor_server.client("player"), floor_server.client("visitor")
    assert other.get(where).status_code == 403
    told = player.get(where).json()
    assert told["steps"]
    assert all(check["holds"] for check in told["proof"]["checks"])
    opened = player.post(f"{where}/dispute", json={"id": str(uuid.uuid4()), "reason": "my pair"})
    assert opened.json()["dispute"]["opened"]["reason"] == "Player: my pair"
    work = supervisor.get("/api/worklist").json()["work"]
    assert any(one["kind"] == "dispute" and one["round"] == number for one in work)
    decision = {"id": str(uuid.uuid4()), "decision": "stands", "reason": "the cards say so"}
    decision["second"] = {"name": "Second", "password": PASSWORD}  # type: ignore[assignment]
    decided = supervisor.post(f"{where}/dispute/decision", json=decision)
    assert decided.json()["dispute"]["decided"]["by"] == ["Supervisor", "Second"]


def test_accounts_are_the_administrators(floor_server: Server) -> None:
    admin = floor_server.client("administrator")
    new = {"name": "Newcomer", "door": "dealer", "password": "given by somebody"}
    listed = admin.post("/api/accounts", json=new)
    assert listed.status_code == 201
    assert "given by somebody" not in listed.text
    assert admin.post("/api/accounts", json=new).json()["code"] == "account.exists"
    assert admin.post("/api/accounts", json={**new, "name": "NEWCOMER"}).status_code == 409
    assert admin.post("/api/accounts/Administrator/close").json()["code"] == "account.own"
    newcomer = floor_server.client()
    sign_in = {"name": "Newcomer", "password": "given by somebody"}
    assert newcomer.post("/api/sign-in", json=sign_in).json()["must_change"] is True
    assert newcomer.get("/api/tables").status_code == 403
    assert admin.post("/api/accounts/Newcomer/close").status_code == 200
    assert newcomer.get("/api/tables").status_code == 401
