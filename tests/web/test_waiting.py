"""Absent people: a seat that does not decide while others wait is folded by the floor."""

from pathlib import Path

import pytest
from msgspec import structs, to_builtins
from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.floor.audit.auditing import audit
from riverboat.floor.autopilot import attend
from riverboat.floor.replaying import replay_round
from riverboat.floor.station import Station
from riverboat.round import actions as g
from riverboat.round.streets import seat_to_act
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.people import SYSTEM, Actor
from riverboat.web.accounts import Guest
from riverboat.web.demo.tables import bots_of, demo_tables
from riverboat.web.demo.waiting import Waiting
from riverboat.web.house import House
from riverboat.web.screens.frames import table_frame
from tests.web.playing import give_money, people, play, play_until
from tests.web.running import QUICK, Server, new_house, sqlite_url


class Clock:
    """A clock that is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


PROGRAM = "a program"


def deciding(house: House, rulebook: str, names: tuple[str, ...]) -> Station:
    """A table where the first seat has to decide."""
    table = next(one for one in demo_tables(house.floor) if one.rulebook == rulebook)
    house.open_demo(table)
    give_money(house, tuple(name for name in names if name != PROGRAM), 50_000_00)
    seats = people(*names)
    seats |= {
        seat: structs.replace(one, automatic=True)
        for seat, one in seats.items()
        if one.name == PROGRAM
    }
    play_until(house, table.name, seats, lambda d: isinstance(d.ask, g.Bet | g.Fold))
    house.model.catch_up()
    return house.floor.station(table.name)


@pytest.mark.parametrize("rulebook", ["iowa-catfish-bend", "house-demo", "island-stud"])
def test_the_floor_folds_a_seat_whose_time_is_over(tmp_path: Path, rulebook: str) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    station = deciding(house, rulebook, ("Ann", "Ben"))
    table, waiting = station.day.table, Waiting(60, clock)
    assert waiting.over(station.day) is None
    clock.now = 59.9
    assert waiting.over(station.day) is None
    clock.now = 60
    over = waiting.over(station.day)
    seat = seat_to_act(station.day.playing)
    assert over == a.Expire(seat=seat or 0, seconds=60)
    answer = house.floor.ask("expire once", SYSTEM, table, over)
    assert answer.entries[-1].events[0] == e.DecisionExpired(seat=over.seat, seconds=60)
    day = house.floor.station(table).day
    assert day.playing.seats[over.seat].status == "folded"
    assert waiting.over(day) is None
    assert house.floor.ask("expire once", SYSTEM, table, over).repeated
    play(house, table, people("Ann", "Ben"), 0, "the rest")
    replayed = replay_round(house.floor.ledger, house.floor.books, house.floor.secret, table, 1)
    told = [step for step in replayed.steps if "did not decide in 60 seconds" in step.what]
    assert len(told) == 1
    assert told[0].cites == ()
    found = audit(house.floor.ledger, house.floor.books, house.floor.secret)
    assert found.holds, found.wrong
    house.close()


def test_nobody_is_hurried_alone_or_by_programs(tmp_path: Path) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    day = deciding(house, "iowa-catfish-bend", ("Ann", PROGRAM)).day
    for seconds in (60.0, None):
        waiting = Waiting(seconds, clock)
        waiting.over(day)
        clock.now += 1_000_000
        assert waiting.over(day) is None
    house.close()


def test_only_the_floor_and_only_in_turn(tmp_path: Path) -> None:
    house = new_house(sqlite_url(tmp_path))
    day = deciding(house, "iowa-catfish-bend", ("Ann", "Ben")).day
    turn = seat_to_act(day.playing) or 0
    ann = Actor(name="Ann", role="player")
    for by, seat, code in (
        (ann, turn, "person.may_not"),
        (SYSTEM, 3 - turn, "expire.not_their_turn"),
    ):
        with pytest.raises(Refused) as refused:
            house.floor.ask(f"{seat} {code}", by, day.table, a.Expire(seat=seat, seconds=60))
        assert refused.value.code == code
    house.close()


def test_a_frame_says_whose_time_runs_and_how_much_is_left(tmp_path: Path) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    day = deciding(house, "house-demo", ("Ann", "Ben")).day
    waiting = Waiting(60, clock)

    def shown(name: str) -> object:
        guest = Guest(name=name, door="player")
        return to_builtins(table_frame(house.model, day.table, guest, waiting).clock)

    seat = seat_to_act(day.playing)
    for name in ("Ann", "Ben", "Eve at the rail"):
        assert shown(name) == {"seat": seat, "left": 60.0, "of": 60}
    clock.now += 36.52
    assert shown("Ann") == shown("Ben") == {"seat": seat, "left": 23.5, "of": 60}
    clock.now += 100
    assert shown("Ann") == {"seat": seat, "left": 0.0, "of": 60}
    assert waiting.over(day) is not None
    decide = g.Fold(seat=seat or 0)
    house.floor.ask("folds", Actor(name=day.seated[seat or 0], role="player"), day.table, decide)
    house.model.catch_up()
    assert shown("Ann") == {"seat": 3 - (seat or 0), "left": 60.0, "of": 60}
    house.close()


@pytest.mark.parametrize(("names", "seconds"), [(("Ann", PROGRAM), 60.0), (("Ann", "Ben"), None)])
def test_no_clock_runs_where_nobody_is_hurried(
    tmp_path: Path, names: tuple[str, ...], seconds: float | None
) -> None:
    house = new_house(sqlite_url(tmp_path), replace(QUICK, decision_seconds=seconds))
    day = deciding(house, "house-demo", names).day
    guest = Guest(name="Ann", door="player")
    assert table_frame(house.model, day.table, guest, house.waiting).clock is None
    house.close()


def test_what_is_shown_is_what_the_floor_goes_by(floor_server: Server) -> None:
    """Frames and expiry ask the same clock: of one house, on a screen as over the interface."""
    house = floor_server.house
    assert house.attendants._waiting is house.waiting
    assert house.live._waiting is house.waiting


def test_somebody_who_comes_and_goes_leaves_no_hand_that_nobody_plays(tmp_path: Path) -> None:
    """The programs sat around somebody who did not play; they stay where their cards lie."""
    house = new_house(sqlite_url(tmp_path))
    one = next(one for one in demo_tables(house.floor) if one.rulebook == "iowa-catfish-bend")
    house.open_demo(one)
    table, ben = one.name, Actor(name="Ben", role="player")
    floor, beside = house.floor, house.floor.station(table).day.setup.seats - 1
    floor.ask("Ben comes", ben, table, a.SitDown(seat=beside))
    seats = bots_of(floor.station(table).day, one.bots)
    assert beside not in seats
    play_until(house, table, dict(seats), lambda doing: isinstance(doing.ask, g.Bet | g.Fold))
    floor.ask("Ben goes", ben, table, a.StandUp(seat=beside))
    house.model.catch_up()
    number = floor.station(table).day.round_number
    for step in range(200):
        day = floor.station(table).day
        if not day.in_round or day.round_number > number:
            break
        doing = house.attendants.next_at(table)
        assert doing is not None, f"nobody plays the hand of seat {seat_to_act(day.playing)}"
        attend(floor, f"goes on {step}", table, doing)
    assert not floor.station(table).day.in_round
    house.close()
