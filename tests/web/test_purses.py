"""Play money: a purse is what was given and what rounds came to, never less than nothing."""

import asyncio
import json
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace

from riverboat.answers.house_books import accounting_page
from riverboat.answers.page import Words
from riverboat.controller.actions import GameOver, VoidRound
from riverboat.core.errors import Refused
from riverboat.floor.audit.auditing import audit
from riverboat.floor.books.accounting import keep_books
from riverboat.floor.codec import Covered, read_purse, top_up
from riverboat.floor.station import AnyAsked
from riverboat.ledger import Command, LedgerError, Receipt, Write
from riverboat.round import actions as g
from riverboat.round.events import RoundVoided
from riverboat.round.settlement.payment import given_on
from riverboat.rulebooks import rulebook_ids
from riverboat.table.people import Actor
from riverboat.web.accounts import Guest
from riverboat.web.api.tables import Asked, carry_out
from riverboat.web.demo.tables import demo_tables
from riverboat.web.house import House
from riverboat.web.play_money import PlayMoney
from tests.ledger.postgres_server import PostgresServer
from tests.simulation.checking import retell
from tests.support.apart import run_apart
from tests.web.playing import give_money, people, play, play_until
from tests.web.running import new_house, sqlite_url

pytestmark = pytest.mark.slow

NAMES = ("Ann", "Ben", "Cleo")
GIVEN = 20_000_00


def open_table(house: House, rulebook: str) -> str:
    """A demo table of a rulebook."""
    table = next(one for one in demo_tables(house.floor) if one.rulebook == rulebook)
    house.open_demo(table)
    return table.name


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_a_purse_is_what_was_given_and_what_rounds_came_to(tmp_path: Path, rulebook: str) -> None:
    house = new_house(sqlite_url(tmp_path))
    table = open_table(house, rulebook)
    give_money(house, NAMES, GIVEN)
    play(house, table, people(*NAMES), 10, "purses")
    house.model.catch_up()
    lines = house.model.rounds.at(table, 100)
    assert len(lines) == 10
    for name in NAMES:
        nets = sum(one.net_cents for line in lines for one in line.seats if one.name == name)
        assert house.model.cents(name) == GIVEN + nets
    again = new_house(f"sqlite:///{next(tmp_path.glob('*.db'))}")
    again.model.catch_up()
    assert [again.model.cents(n) for n in NAMES] == [house.model.cents(n) for n in NAMES]
    found = audit(house.floor.ledger, house.floor.books, house.floor.secret)
    assert found.holds, found.wrong
    for one in (house, again):
        one.close()


def at_betting(house: House, names: tuple[str, ...], rulebook: str = "iowa-catfish-bend") -> str:
    """A table where these may place their antes."""
    table = open_table(house, rulebook)
    play_until(house, table, people(*names), lambda doing: isinstance(doing.ask, g.Wager))
    house.model.catch_up()
    return table


def asked(name: str, action: AnyAsked) -> Asked:
    """As a page sends it."""
    raw = {"do": str(action.__struct_config__.tag)}
    raw |= {f: getattr(action, f) for f in action.__struct_fields__}
    return Asked(id=f"{name} {Random().getrandbits(64)}", action=raw)


def test_a_bet_above_the_purse_is_refused_in_words(tmp_path: Path) -> None:
    house = new_house(sqlite_url(tmp_path))
    table, ann = at_betting(house, ("Ann",)), Guest(name="Ann", door="player")
    wager = g.Wager(seat=1, spot="ante", cents=10_00)
    with pytest.raises(
        Refused, match=r"\$10 is more than the \$0 in hand; play money can be topped"
    ):
        carry_out(house, ann, table, asked("Ann", wager))
    house.play_money.top_up("a little more", "Ann", 10_00)
    house.play_money.top_up("a little more", "Ann", 10_00)
    assert house.model.cents("Ann") == 10_00
    carry_out(house, ann, table, asked("Ann", wager))
    house.model.catch_up()
    assert house.model.cents("Ann") == 0
    house.close()


def test_whoever_takes_back_every_bet_has_the_money_again(tmp_path: Path) -> None:
    """They are in the round no longer, which is where their money was counted."""
    house = new_house(sqlite_url(tmp_path))
    table, ann = at_betting(house, ("Ann",)), Guest(name="Ann", door="player")
    house.play_money.top_up("for Ann", "Ann", 50_00)
    for spot in ("ante", "three_card_bonus"):
        wager = g.Wager(seat=1, spot=spot, cents=10_00)
        carry_out(house, ann, table, asked(spot, wager))
    house.model.catch_up()
    assert house.model.cents("Ann") == 30_00
    carry_out(house, ann, table, asked("back", g.TakeBack(seat=1, spot="ante")))
    house.model.catch_up()
    assert house.floor.station(table).day.playing.seats.keys() == set()
    assert house.model.cents("Ann") == 50_00
    house.close()


def race(houses: list[House], table: str) -> None:
    """The same purse through several processes at once: three bonuses' worth, money for one."""
    houses[0].play_money.top_up("enough for one", "Ann", 10_00)
    done: list[str] = []
    ready = threading.Barrier(len(houses) * 2)

    def bet(house: House, spot: str, number: int) -> None:
        ready.wait()
        action = g.Wager(seat=1, spot=spot, cents=10_00)
        with suppress(Refused):
            carry_out(house, Guest(name="Ann", door="player"), table, asked(str(number), action))
            done.append(spot)

    spots = ("ante", "three_card_bonus")
    threads = [
        threading.Thread(target=bet, args=(house, spot, i * 2 + k))
        for i, house in enumerate(houses)
        for k, spot in enumerate(spots)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(done) <= 1
    for house in houses:
        house.model.catch_up()
        assert house.model.cents("Ann") == 10_00 - 10_00 * len(done)


def test_two_bets_at_once_do_not_take_the_same_money_twice(tmp_path: Path) -> None:
    house = new_house(sqlite_url(tmp_path))
    race([house, house], at_betting(house, ("Ann",)))
    house.close()


@pytest.mark.postgres
def test_nor_do_two_processes(postgres: PostgresServer) -> None:
    url = postgres.new_database()
    houses = [new_house(url), new_house(url)]
    race(houses, at_betting(houses[0], ("Ann",)))
    for house in houses:
        house.close()


def overtaken(houses: list[House], monkeypatch: pytest.MonkeyPatch) -> None:
    """A bet for which there was money when it was decided, and none any more when it is written:
    whatever kept others away meanwhile, a lock and its connection, may be gone by then."""
    one, other = houses
    table, ann = at_betting(one, ("Ann",)), Guest(name="Ann", door="player")
    elsewhere = at_betting(one, ("Ann",), "island-stud")
    one.play_money.top_up("enough for one", "Ann", 10_00)
    append, ante = one.floor.ledger.append, g.Wager(seat=1, spot="ante", cents=10_00)
    done = list[str]()

    def after_another(command: Command, *writes: Write) -> Receipt:
        if not done:
            done.append(elsewhere)
            other.model.catch_up()
            carry_out(other, ann, elsewhere, asked("other", ante))
        return append(command, *writes)

    monkeypatch.setattr(one.floor.ledger, "append", after_another)
    with pytest.raises(Refused, match=r"\$10 is more than the \$0 in hand"):
        carry_out(one, ann, table, asked("Ann", ante))
    monkeypatch.undo()
    one.model.catch_up()
    assert one.model.cents("Ann") == 0
    found = audit(one.floor.ledger, one.floor.books, one.floor.secret)
    assert found.holds, found.wrong
    for house in houses:
        house.close()


def test_a_bet_that_was_overtaken_by_another_is_judged_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = sqlite_url(tmp_path)
    overtaken([new_house(url), new_house(url)], monkeypatch)


@pytest.mark.postgres
def test_so_is_one_in_another_process(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.new_database()
    overtaken([new_house(url), new_house(url)], monkeypatch)


@pytest.mark.postgres
def test_cut_connections_let_nobody_spend_what_is_not_there(postgres: PostgresServer) -> None:
    """Every connection of two processes is cut again and again while they bet the same money."""
    url = postgres.new_database()
    houses = [new_house(url), new_house(url)]
    table, ann = at_betting(houses[0], ("Ann",)), Guest(name="Ann", door="player")
    houses[0].play_money.top_up("enough for some", "Ann", 30_00)
    over, cuts = threading.Event(), Counter[str]()

    def cut() -> None:
        ended = (
            "select pg_terminate_backend(pid) from pg_stat_activity"
            " where application_name = 'riverboat' and datname = current_database()"
        )
        with psycopg.connect(url, autocommit=True) as link:
            while not over.wait(0.02):
                cuts["cut"] += len(link.execute(ended).fetchall())

    def bet(house: House, number: int) -> None:
        for turn in range(12):
            spot = ("ante", "three_card_bonus")[number % 2]
            action: AnyAsked = g.TakeBack(seat=1, spot=spot)
            if turn % 2 == 0:
                action = g.Wager(seat=1, spot=spot, cents=20_00)
            with suppress(Refused, LedgerError):
                carry_out(house, ann, table, asked(f"{number} {turn}", action))

    threads = [
        threading.Thread(target=bet, args=(houses[number % 2], number)) for number in range(4)
    ]
    cutting = threading.Thread(target=cut)
    for thread in (cutting, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    over.set()
    cutting.join()
    houses[0].model.catch_up()
    assert cuts["cut"] > 0
    found = audit(houses[0].floor.ledger, houses[0].floor.books, houses[0].floor.secret)
    assert found.holds, found.wrong
    assert houses[0].model.cents("Ann") >= 0
    for house in houses:
        house.close()


def forged(house: House, monkeypatch: pytest.MonkeyPatch, writes: Callable[[Any], Any]) -> str:
    """What an audit says of a bet whose purse was written down otherwise."""
    table = at_betting(house, ("Ann",))
    house.play_money.top_up("enough", "Ann", 10_00)
    append = house.floor.ledger.append
    monkeypatch.setattr(house.floor.ledger, "append", lambda c, *w: append(c, *writes(w)))
    wager = g.Wager(seat=1, spot="ante", cents=10_00)
    carry_out(house, Guest(name="Ann", door="player"), table, asked("Ann", wager))
    monkeypatch.undo()
    found = audit(house.floor.ledger, house.floor.books, house.floor.secret)
    house.close()
    return "" if found.wrong is None else found.wrong.message


def test_an_audit_finds_what_was_taken_from_a_purse_and_not_written_down(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = forged(new_house(sqlite_url(tmp_path)), monkeypatch, lambda writes: writes[:1])
    assert said == "took $10 from the purse of Ann, whose row is missing"


def test_and_what_was_written_down_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def other(writes: tuple[Write, ...]) -> tuple[Write, ...]:
        return (writes[0], replace(writes[1], body=writes[1].body.replace("1000", "900")))

    said = forged(new_house(sqlite_url(tmp_path)), monkeypatch, other)
    assert said.startswith("$9 at Table")
    assert said.endswith("is not what the command took")


def test_and_a_bet_for_which_there_was_no_money(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PlayMoney, "spend", lambda self, name, cents: None)
    house = new_house(sqlite_url(tmp_path))
    table = at_betting(house, ("Ann",))
    house.play_money.top_up("too little", "Ann", 10_00)
    wager = g.Wager(seat=1, spot="ante", cents=15_00)
    carry_out(house, Guest(name="Ann", door="player"), table, asked("Ann", wager))
    found = audit(house.floor.ledger, house.floor.books, house.floor.secret)
    assert found.wrong is not None
    assert found.wrong.message == "the bet takes the purse of Ann to -$5"
    house.close()


async def shown_after_top_up(house: House) -> bool:
    """Whether somebody's own top-up, which was read already, still reaches their screen."""
    await house.live.start()
    screen = house.live.look(Guest(name="Ann", door="player"), frozenset(("table/Table 2",)))
    frames = screen.frames()
    await anext(frames)
    await asyncio.to_thread(house.play_money.top_up, "for the screen", "Ann", 5_00)
    try:
        frame = await asyncio.wait_for(anext(frames), 5)
    finally:
        await house.live.stop()
    return b'"purse_cents":500' in frame


def test_a_top_up_is_on_the_screen_at_once(tmp_path: Path) -> None:
    house = new_house(sqlite_url(tmp_path))
    open_table(house, "iowa-catfish-bend")
    assert run_apart(shown_after_top_up(house))
    house.close()


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ('{"type":"topped_up","cents":-5,"v":1}', "the command's column asks for something else"),
        ('{"type":"topped_up","v":1}', "cannot be read"),
    ],
)
def test_a_purse_that_nobody_asked_to_be_filled_so_is_found(
    tmp_path: Path, body: str, what: str
) -> None:
    house = new_house(sqlite_url(tmp_path))
    open_table(house, "iowa-catfish-bend")
    command, write = top_up("not as asked", "Ann", 5_00, 1_794_830_400)
    house.floor.ledger.append(command, replace(write, body=body))
    found = audit(house.floor.ledger, house.floor.books, house.floor.secret)
    assert found.wrong is not None
    assert what in found.wrong.message
    assert found.wrong.stream == "purse/Ann"
    house.close()


SUE = Guest(name="Sue", door="supervisor")


def void(house: House, table: str) -> None:
    """Two of the floor decide that a round in which money went to a player does not count."""
    sue, flo = Actor(name="Sue", role="supervisor"), Actor(name="Flo", role="floorperson")
    house.floor.ask("void", sue, table, VoidRound(reason="a short deck", second=flo))
    house.model.catch_up()


def correct(house: House, table: str, cents: int) -> None:
    """What a supervisor makes good on Ann's ante."""
    action = {"do": "correct", "seat": 1, "spot": "ante", "cents": cents, "reason": "miscounted"}
    carry_out(house, SUE, table, Asked(id=f"correct {cents}", action=action))
    house.model.catch_up()


def paid_and_spent(house: House, monkeypatch: pytest.MonkeyPatch) -> str:
    """A table in settlement that has paid Ann $50, of $110 that she had then: $100 of them lie on
    another's felt by now."""
    monkeypatch.setattr("tests.web.playing.EVENING_CENTS", 60_00)
    elsewhere, table = at_betting(house, ("Ann",)), open_table(house, "maryland-2014")
    play_until(house, table, people("Ann"), lambda doing: isinstance(doing.ask, g.Close | GameOver))
    net = house.floor.station(table).day.playing.seats[1].net_cents
    correct(house, table, 50_00 - net)
    assert house.model.cents("Ann") == 110_00
    for spot in ("ante", "three_card_bonus"):
        wager = g.Wager(seat=1, spot=spot, cents=50_00)
        carry_out(house, Guest(name="Ann", door="player"), elsewhere, asked(spot, wager))
    house.model.catch_up()
    assert house.model.cents("Ann") == 10_00
    return table


def test_what_a_void_takes_back_and_was_spent_meanwhile_the_house_bears(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = new_house(sqlite_url(tmp_path))
    table = paid_and_spent(house, monkeypatch)
    void(house, table)
    assert house.model.cents("Ann") == 0
    again = new_house(f"sqlite:///{next(tmp_path.glob('*.db'))}")
    again.model.catch_up()
    assert again.model.cents("Ann") == 0
    floor = house.floor
    covered = read_purse(floor.ledger.read("purse/Ann")[-1])
    assert isinstance(covered, Covered)
    assert (covered.cents, covered.house_cents, covered.table) == (50_00, 40_00, table)
    history = floor.station(table).day.playing.history
    (voided,) = [event for event in history if isinstance(event, RoundVoided)]
    assert (covered.round, covered.reason) == (1, voided.reason)
    found = audit(floor.ledger, floor.books, floor.secret)
    assert found.holds, found.wrong
    assert not retell(floor).wrong
    book = keep_books(floor.ledger, floor.books, floor.secret)
    said = [
        block.text for block in accounting_page(book) if isinstance(block, Words) and block.loud
    ]
    assert said == [
        f"THE HOUSE BORE $40.00 of what round 1 at {table} took back from Ann: {covered.reason}"
    ]
    for one in (house, again):
        one.close()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"house_cents": 41_00}, "the house bore $41 of $50"),
        ({"house_cents": 39_00}, "the house bore $39 of $50"),
        ({"type": "spent"}, "is not what the command took"),
    ],
)
def test_an_audit_finds_a_house_that_bore_something_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: dict[str, Any], said: str
) -> None:
    house = new_house(sqlite_url(tmp_path))
    table, ledger = paid_and_spent(house, monkeypatch), house.floor.ledger
    in_turn = ledger.append_in_turn

    def other(writes: tuple[Write, ...]) -> tuple[Write, ...]:
        told = {**json.loads(writes[-1].body), **body}
        names = ("type", "cents", "table", "v") if told["type"] == "spent" else tuple(told)
        return (*writes[:-1], replace(writes[-1], body=json.dumps({n: told[n] for n in names})))

    monkeypatch.setattr(
        ledger, "append_in_turn", lambda c, now: in_turn(c, lambda reading: other(now(reading)))
    )
    void(house, table)
    found = audit(ledger, house.floor.books, house.floor.secret)
    assert found.wrong is not None
    assert said in found.wrong.message
    house.close()


def test_a_correction_takes_back_no_more_than_there_is_in_the_purse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = new_house(sqlite_url(tmp_path))
    table = paid_and_spent(house, monkeypatch)
    given = given_on(house.floor.station(table).day.playing, 1, "ante")
    assert given > 10_00
    with pytest.raises(Refused, match=r"more than the \$10 in hand") as short:
        correct(house, table, -10_01)
    assert short.value.code == "purse.short"
    with pytest.raises(Refused, match="that seat 1 was given on ante") as above:
        correct(house, table, -given - 1)
    assert above.value.code == "correct.above_given"
    correct(house, table, -10_00)
    assert house.model.cents("Ann") == 0
    found = audit(house.floor.ledger, house.floor.books, house.floor.secret)
    assert found.holds, found.wrong
    house.close()
