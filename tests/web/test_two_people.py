"""One person cannot be two: rights before passwords, who counts as a second person, accounts on
record; over the wire and in the ledger."""

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from riverboat.core.errors import Refused
from riverboat.floor.audit.auditing import audit
from riverboat.floor.signers import (
    ACCOUNT,
    AccountClosed,
    AccountMade,
    PasswordChosen,
    Person,
    SignerApproved,
    account_entry,
    read_account_body,
)
from riverboat.keeping.actions import OpenMeter
from riverboat.ledger import open_ledger
from riverboat.table.people import Actor
from riverboat.web.accounts import SESSION_SECONDS, Accounts, Guest
from riverboat.web.api.commands import Signature, second_person
from riverboat.web.house import House, Manner
from tests.floor.house import require_true
from tests.ledger.postgres_server import PostgresServer
from tests.web.playing import give_money, people, play
from tests.web.running import (
    ADMINISTRATOR,
    CHEAP,
    GIVEN,
    PASSWORD,
    Client,
    Server,
    add_person,
    forgive,
    new_house,
    running,
    running_with_people,
    sqlite_url,
)

DAY = 24 * 3600
SLOW = Manner(pace=0.02, effort_tries=1_000_000, decision_seconds=None)
OPENING = {"do": "open_link", "seed_cents": 100_00, "wager_cents": 100, "rate_bp": 1000,
           "reserve_bp": 0}  # fmt: skip


class Clock:
    """A clock that is set, for the floor and its accounts."""

    now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now

    def whole(self) -> int:
        """In seconds."""
        return int(self.now)


def slow_house(url: str, clock: Clock) -> House:
    """A house in which people wait a day before they count, with its first administrator."""
    house = new_house(url, SLOW)
    house.floor.clock = clock.whole
    house.floor.start()
    house.accounts = Accounts(house.floor.ledger, clock, CHEAP)
    add_person(house.accounts, ADMINISTRATOR.name, "administrator")
    return house


def own(house: House, name: str) -> None:
    """Somebody signs in and chooses a password."""
    house.accounts.change_password(name, GIVEN, PASSWORD)


def open_meter(client: Client, name: str, second: str, password: str = PASSWORD) -> Any:
    """Something that takes two."""
    asked = {"id": str(uuid.uuid4()), "action": {**OPENING, "link": name}}
    signs = {"second": {"name": second, "password": password}}
    return client.post(f"/api/meters/{name}/commands", json={**asked, **signs})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor with somebody for every door."""
    with running_with_people(tmp_path_factory.mktemp("two")) as found:
        yield found


# ---------------------------------------------------------------- rights before passwords


@pytest.fixture
def looked(server: Server, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Whose passwords were looked at."""
    found: list[str] = []
    confirm = server.house.accounts.confirm

    def told(name: str, *more: Any) -> Any:
        found.append(name)
        return confirm(name, *more)

    monkeypatch.setattr(server.house.accounts, "confirm", told)
    return found


SIGNED = {"second": {"name": "Second", "password": PASSWORD}}


@pytest.mark.parametrize("door", ["visitor", "player", "dealer"])
@pytest.mark.parametrize(
    "action",
    [
        {"do": "back_out", "award": "Table 1/1/1", "reason": "x"},
        {"do": "override_unlit", "seat": 1, "reason": "x"},
        {"do": "void_round", "reason": "x"},
        {"do": "wager", "seat": 1, "spot": "ante", "cents": 500},
    ],
)
def test_nobody_has_a_password_tried_for_what_is_not_theirs(
    server: Server, looked: list[str], door: str, action: dict[str, Any]
) -> None:
    client = server.client(door)
    looked.clear()
    body = {"id": str(uuid.uuid4()), "action": action, **SIGNED}
    for table in [line["table"] for line in client.get("/api/tables").json()["tables"]][:3]:
        answer = client.post(f"/api/tables/{table}/commands", json=body)
        assert answer.status_code in (403, 404, 409), answer.text
        assert answer.json()["code"] != "sign_in.wrong"
    assert looked == []


@pytest.mark.parametrize("door", ["visitor", "player", "dealer", "auditor"])
def test_only_a_keeper_has_somebody_sign_beside_them(
    server: Server, looked: list[str], door: Any
) -> None:
    guest = Guest(name="Somebody", door=door, demo=door == "visitor")
    given = Signature(name="Second", password=PASSWORD)
    for demo in (True, False):
        with pytest.raises(Refused) as refused:
            second_person(server.house, guest, given, "it", demo=demo)
        assert refused.value.code == "person.may_not"
    assert second_person(server.house, guest, None, "it", demo=True).automatic
    assert looked == [], "right or wrong, it is not looked at and not told"


def test_a_keeper_who_would_be_refused_anyway_has_no_password_tried(
    server: Server, looked: list[str]
) -> None:
    client = server.client("supervisor")
    looked.clear()
    body = {"id": str(uuid.uuid4()), "action": {"do": "retire_link", "reason": "x"}, **SIGNED}
    assert client.post("/api/meters/None/commands", json=body).status_code == 404
    spare = {"id": str(uuid.uuid4()), "action": {"do": "take_link_out", "reason": "x"}, **SIGNED}
    answer = client.post("/api/meters/HD-PROG-2/commands", json=spare)
    assert answer.json()["code"] == "second.not_needed"
    decision = {"id": str(uuid.uuid4()), "decision": "x", "reason": "x", **SIGNED}
    answer = client.post("/api/tables/Table 1/rounds/1/dispute/decision", json=decision)
    assert answer.json()["code"] == "dispute.none"
    new = {"name": "SECOND", "door": "manager", "password": GIVEN, **SIGNED}
    taken = server.client("administrator").post("/api/accounts", json=new)
    assert taken.json()["code"] == "account.exists"
    assert [name for name in looked if name == "Second"] == []


def test_wrong_sign_ins_keep_nobody_from_signing_beside_a_keeper(server: Server) -> None:
    wrong = {"name": "Second", "password": "wrong password"}
    codes = [server.client().post("/api/sign-in", json=wrong).status_code for _ in range(9)]
    assert codes == [409] * 8 + [429]
    assert open_meter(server.client("supervisor"), "Not kept", "Second").status_code == 200
    keeper = server.client("supervisor")
    codes = [open_meter(keeper, "Kept", "second", "wrong password").status_code for _ in range(9)]
    assert codes == [409] * 8 + [429]
    assert open_meter(keeper, "Kept", "Second").status_code == 429
    assert open_meter(server.client("manager"), "Kept", "Second").status_code == 200
    forgive(server.house)


# ---------------------------------------------------------------- who counts


def test_one_administrator_is_never_two_people(tmp_path: Path) -> None:
    clock = Clock()
    house = slow_house(sqlite_url(tmp_path), clock)
    with running(house) as server:
        admin = server.client("administrator")
        new = {"name": "Sue", "door": "supervisor", "password": GIVEN}
        assert admin.post("/api/accounts", json=new).status_code == 201
        made = read_account_body(house.floor.ledger.read(ACCOUNT + "Sue")[0].body)
        assert isinstance(made, AccountMade)
        assert (made.alone, made.by.name, made.waits) == (True, "Administrator", DAY)
        assert open_meter(admin, "M", "Sue", GIVEN).json()["code"] == "signer.given"
        own(house, "Sue")
        assert open_meter(admin, "M", "Sue").json()["code"] == "signer.waits"
        sue = server.client("supervisor", "Sue")
        assert open_meter(sue, "M", "Administrator").json()["code"] == "signer.waits"
        again = admin.post("/api/signers/Sue/approval")
        assert again.json()["code"] == "person.same"
        assert sue.post("/api/signers/Sue/approval").json()["code"] == "person.same"
        clock.now += DAY - 1
        admin, sue = server.client("administrator"), server.client("supervisor", "Sue")
        assert open_meter(admin, "M", "Sue").json()["code"] == "signer.waits"
        clock.now += 1
        assert open_meter(admin, "M", "Sue").status_code == 200
        assert open_meter(sue, "M2", "Administrator").status_code == 200
        given = {"password": "another that was given"}
        assert admin.post("/api/accounts/Sue/password", json=given).status_code == 200
        house.accounts.change_password("Sue", given["password"], PASSWORD)
        assert open_meter(admin, "M3", "Sue").json()["code"] == "signer.waits"
        require_true(house.floor.ledger, house.floor.secret)


@pytest.mark.parametrize("wait", [0, DAY])
@pytest.mark.parametrize("how", ["close", "password"])
def test_nobody_is_alone_by_shutting_the_others_out(tmp_path: Path, wait: int, how: str) -> None:
    clock = Clock()
    house = slow_house(sqlite_url(tmp_path), clock)
    house.accounts = Accounts(house.floor.ledger, clock, CHEAP, wait)
    add_person(house.accounts, "Otto", "supervisor")
    clock.now += DAY
    new = {"name": "Eve", "door": "manager", "password": GIVEN}
    with running(house) as server:
        admin = server.client("administrator")

        def shut_out() -> None:
            body = {"password": "another that was given"} if how == "password" else None
            assert admin.post(f"/api/accounts/Otto/{how}", json=body).status_code == 200

        shut_out()
        assert admin.post("/api/accounts", json=new).json()["code"] == "second.missing"
        clock.now += DAY - 60
        shut_out()
        clock.now += DAY - 1
        for _ in range(2):
            admin = server.client("administrator")
            assert admin.post("/api/accounts", json=new).json()["code"] == "second.missing"
        with pytest.raises(Refused) as refused:
            house.accounts.add("Eve", "manager", GIVEN, by=ADMINISTRATOR)
        assert refused.value.code == "second.missing"
        assert admin.post("/api/accounts", json={**new, "door": "dealer"}).status_code == 201
        clock.now += 1
        admin = server.client("administrator")
        assert admin.post("/api/accounts", json={**new, "name": "Ida"}).status_code == 201
        made = read_account_body(house.floor.ledger.read(ACCOUNT + "Ida")[0].body)
        assert isinstance(made, AccountMade)
        assert made.alone
        require_true(house.floor.ledger, house.floor.secret)


def test_verify_finds_who_was_alone_by_shutting_the_others_out(tmp_path: Path) -> None:
    clock = Clock()
    house = slow_house(sqlite_url(tmp_path), clock)
    add_person(house.accounts, "Otto", "supervisor")
    clock.now += DAY
    ledger, at = house.floor.ledger, clock.whole()
    ledger.append(*account_entry("Otto", AccountClosed(by=ADMINISTRATOR, at=at)))
    made = AccountMade(by=ADMINISTRATOR, at=at + DAY - 1, door="manager", waits=0, alone=True)
    ledger.append(*account_entry("Eve", made))
    found = audit(ledger, house.floor.books, house.floor.secret)
    assert "second.missing" in str(found.wrong)
    house.close()


def test_who_signs_for_money_is_made_by_two_and_approved_by_a_third(tmp_path: Path) -> None:
    clock = Clock()
    house = slow_house(sqlite_url(tmp_path), clock)
    add_person(house.accounts, "Sue", "supervisor")
    clock.now += DAY
    with running(house) as server:
        admin = server.client("administrator")
        new = {"name": "Max", "door": "manager", "password": GIVEN}
        assert admin.post("/api/accounts", json=new).json()["code"] == "second.missing"
        signs = {"second": {"name": "Sue", "password": PASSWORD}}
        same = {"second": {"name": "administrator", "password": PASSWORD}}
        assert admin.post("/api/accounts", json={**new, **same}).json()["code"] == "person.same"
        assert admin.post("/api/accounts", json={**new, **signs}).status_code == 201
        own(house, "Max")
        add_person(house.accounts, "Dora", "dealer")
        sue = server.client("supervisor", "Sue")
        assert sue.get("/api/worklist").json()["work"] == []
        assert sue.post("/api/signers/Max/approval").json()["code"] == "person.same"
        assert sue.post("/api/signers/Dora/approval").json()["code"] == "signer.role"
        assert sue.post("/api/signers/Sue/approval").json()["code"] == "signer.counts"
        given = {"password": "another that was given"}
        assert admin.post("/api/accounts/Sue/password", json=given).status_code == 200
        clock.now += DAY
        admin = server.client("administrator")
        assert admin.post("/api/accounts", json={**new, "name": "Ida"}).status_code == 409
        house.accounts.change_password("Sue", given["password"], PASSWORD)
        third = {**new, "name": "Ida", **signs}
        assert admin.post("/api/accounts", json=third).status_code == 201
        own(house, "Ida")
        clerk = server.client("manager", "Max")
        (work,) = clerk.get("/api/worklist").json()["work"]
        assert (work["kind"], work["account"]) == ("account", "Ida")
        listed = clerk.post("/api/signers/Ida/approval").json()["signers"]
        assert {one["name"]: one["counts"] for one in listed}["Ida"] is True
        assert open_meter(clerk, "M", "Ida").status_code == 200
        assert admin.post("/api/accounts/Ida/close").status_code == 200
        assert open_meter(clerk, "M2", "Ida").json()["code"] == "sign_in.wrong"
        require_true(house.floor.ledger, house.floor.secret)


def test_what_two_people_signed_is_known_again_whoever_counts_now(tmp_path: Path) -> None:
    """The answer to it was lost, and since then the second person's password was given anew."""
    clock = Clock()
    house = slow_house(sqlite_url(tmp_path), clock)
    add_person(house.accounts, "Sue", "supervisor")
    clock.now += DAY
    with running(house) as server:
        give_money(house, ("Ann", "Ben"), 10_000_00)
        play(house, "Table 4", people("Ann", "Ben"), 1, "dispute")
        house.model.catch_up()
        place = f"/api/tables/Table 4/rounds/{house.model.rounds.at('Table 4', 1)[0].round}/dispute"
        admin = server.client("administrator")
        complaint = {"id": str(uuid.uuid4()), "reason": "a slip"}
        assert admin.post(place, json=complaint).status_code == 200
        signs = {"id": str(uuid.uuid4()), "second": {"name": "Sue", "password": PASSWORD}}
        asked = (
            (f"{place}/decision", {**signs, "decision": "stands", "reason": "the cards say so"}),
            (
                "/api/meters/M/commands",
                {**signs, "id": str(uuid.uuid4()), "action": {**OPENING, "link": "M"}},
            ),
        )
        first = [admin.post(path, json=body) for path, body in asked]
        assert [answer.status_code for answer in first] == [200, 200]
        given = {"password": "another that was given"}
        assert admin.post("/api/accounts/Sue/password", json=given).status_code == 200
        house.accounts.change_password("Sue", given["password"], PASSWORD)
        assert open_meter(admin, "M2", "Sue").json()["code"] == "signer.waits"
        rows = house.floor.ledger.head().seq
        again = [admin.post(path, json=body) for path, body in asked]
        assert [answer.status_code for answer in again] == [200, 200], again[0].text
        assert again[0].json()["dispute"] == first[0].json()["dispute"]
        assert house.floor.ledger.head().seq == rows


def test_the_floor_itself_holds_both_people_to_it(tmp_path: Path) -> None:
    clock = Clock()
    house = slow_house(sqlite_url(tmp_path), clock)
    add_person(house.accounts, "Sue", "supervisor")
    by, sue = (Actor(name=name, role="supervisor") for name in ("Administrator", "Sue"))
    stranger = Actor(name="Nobody", role="supervisor")
    opening = {"link": "M", "seed_cents": 100, "wager_cents": 100, "rate_bp": 1, "reserve_bp": 0}
    for first, second in ((by, sue), (sue, by), (by, stranger), (stranger, by)):
        with pytest.raises(Refused) as refused:
            house.floor.keep("open M", first, "M", OpenMeter(second=second, **opening))  # type: ignore[arg-type]
        assert refused.value.code in ("signer.waits", "signer.unknown")
    clock.now += DAY
    house.floor.keep("open M", by, "M", OpenMeter(second=sue, **opening))  # type: ignore[arg-type]
    require_true(house.floor.ledger, house.floor.secret)
    house.close()


# ---------------------------------------------------------------- on record


def lived(accounts: Accounts) -> None:
    """A little of everything that happens to accounts."""
    add_person(accounts, ADMINISTRATOR.name, "administrator")
    add_person(accounts, "Sue", "supervisor")
    with pytest.raises(Refused):
        accounts.sign_in("Sue", "wrong password", "192.0.2.1")
    accounts.sign_in("Sue", PASSWORD, "192.0.2.1")
    accounts.give_password("Sue", GIVEN, by=ADMINISTRATOR)
    accounts.close_account("Sue", by=ADMINISTRATOR)
    accounts.give_password("Sue", GIVEN, by=ADMINISTRATOR)


def entry_and_account_are_one(url: str) -> None:
    """What is refused, or lost, leaves neither."""
    with open_ledger(url) as ledger:
        accounts = Accounts(ledger, hasher=CHEAP)
        lived(accounts)
        kinds = [json.loads(row.body)["kind"] for row in ledger.read(ACCOUNT + "Sue")]
        assert kinds == [
            *("account_made", "password_chosen", "password_given", "account_closed"),
            "password_given",
        ]
        assert json.loads(ledger.read(ACCOUNT + "Sue")[-1].body)["reopened"] is True
        (visit,) = ledger.read("visit/Sue")
        assert json.loads(visit.body)["wrong_tries"] == 1
        every = "".join(str(row) for row in ledger.read_all())
        assert PASSWORD not in every
        assert GIVEN not in every
        assert "$argon2" not in every
        head, listed = ledger.head(), accounts.all()
        dealer = Person(name="Dora", door="dealer")
        with pytest.raises(Refused):
            accounts.add("Eve", "player", PASSWORD, by=dealer)
        with pytest.raises(Refused):
            accounts.close_account("Sue", by=dealer)
        with pytest.raises(Refused):
            accounts.give_password("Sue", PASSWORD, by=dealer)
        assert (ledger.head(), accounts.all()) == (head, listed)
        require_true(ledger, None)


def test_an_account_and_its_entry_are_one_on_sqlite(tmp_path: Path) -> None:
    entry_and_account_are_one(sqlite_url(tmp_path))


@pytest.mark.slow
@pytest.mark.postgres
def test_an_account_and_its_entry_are_one_on_postgres(postgres: PostgresServer) -> None:
    entry_and_account_are_one(postgres.new_database())


def test_a_ledger_without_its_accounts_begins_anew_and_says_so(tmp_path: Path) -> None:
    with open_ledger(sqlite_url(tmp_path)) as ledger:
        accounts = Accounts(ledger, hasher=CHEAP)
        lived(accounts)
        ledger.store.run("delete from door_account")
        assert accounts.first_administrator(ADMINISTRATOR.name) is not None
        closed = read_account_body(ledger.read(ACCOUNT + "Sue")[-1].body)
        assert closed.by.door == ""
        assert [one.name for one in accounts.all()] == [ADMINISTRATOR.name]
        require_true(ledger, None)


FORGED = (
    ("alone though there were two", lambda at: AccountMade(
        by=ADMINISTRATOR, at=at, door="manager", waits=0, alone=True), "second.missing"),
    ("not said that it was alone", lambda at: AccountMade(
        by=ADMINISTRATOR, at=at, door="manager", waits=0), "second.missing"),
    ("by somebody who is no administrator", lambda at: AccountMade(
        by=Person(name="Sue", door="administrator"), at=at, door="player", waits=0),
     "person.may_not"),
    ("by the floor itself", lambda at: AccountMade(
        by=Person(name="system", door=""), at=at, door="administrator", waits=0),
     "person.may_not"),
    ("approved before it was made", lambda at: SignerApproved(by=ADMINISTRATOR, at=at),
     "account.unknown"),
    ("another's password", lambda at: PasswordChosen(by=ADMINISTRATOR, at=at),
     "account.unknown"),
)  # fmt: skip


@pytest.mark.parametrize(("event", "code"), [one[1:] for one in FORGED], ids=[x[0] for x in FORGED])
def test_verify_finds_what_could_not_happen_to_an_account(
    tmp_path: Path, event: Any, code: str
) -> None:
    clock = Clock()
    house = slow_house(sqlite_url(tmp_path), clock)
    add_person(house.accounts, "Sue", "supervisor")
    clock.now += DAY
    ledger = house.floor.ledger
    require_true(ledger, None)
    command, write = account_entry("Eve", event(clock.whole()))
    ledger.append(command, write)
    found = audit(ledger, house.floor.books, house.floor.secret)
    assert found.wrong is not None
    assert code in str(found.wrong)
    house.close()


def test_verify_finds_two_accounts_that_look_alike(tmp_path: Path) -> None:
    clock = Clock()
    house = slow_house(sqlite_url(tmp_path), clock)
    add_person(house.accounts, "Bill", "player")
    made = AccountMade(by=ADMINISTRATOR, at=clock.whole(), door="player", waits=0)
    house.floor.ledger.append(*account_entry("BiII", made))
    found = audit(house.floor.ledger, house.floor.books, house.floor.secret)
    assert found.wrong is not None
    assert "there is an account Bill already" in str(found.wrong)
    house.close()


def test_verify_finds_a_signature_of_somebody_who_did_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock()
    house = slow_house(sqlite_url(tmp_path), clock)
    add_person(house.accounts, "Sue", "supervisor")
    monkeypatch.setattr("riverboat.floor.floor.require_all_count", lambda *asked: None)
    by, sue = (Actor(name=name, role="supervisor") for name in ("Administrator", "Sue"))
    opening = OpenMeter(
        link="M", seed_cents=100, wager_cents=100, rate_bp=1, reserve_bp=0, second=sue
    )
    house.floor.keep("open M", by, "M", opening)
    found = audit(house.floor.ledger, house.floor.books, house.floor.secret)
    assert found.wrong is not None
    assert "signer.waits" in str(found.wrong)
    house.close()


def test_a_session_lasts_twelve_hours_whatever_the_account_waits_for(tmp_path: Path) -> None:
    assert SESSION_SECONDS < DAY
    clock = Clock()
    house = slow_house(sqlite_url(tmp_path), clock)
    token = house.accounts.sign_in(ADMINISTRATOR.name, PASSWORD).token
    assert house.accounts.guest(token) == Guest(name="Administrator", door="administrator")
    clock.now += SESSION_SECONDS + 1
    assert house.accounts.guest(token) is None
    house.close()
