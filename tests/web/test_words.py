"""Words for the cut on the floor: how long they are waited for, and that all see whose came."""

import secrets
from pathlib import Path

import pytest
from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.core.fairness import player_seal
from riverboat.floor.audit.auditing import audit
from riverboat.floor.autopilot import attend
from riverboat.round import actions as g
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.web.accounts import Guest
from riverboat.web.api.dealing import Once, TakeOver, moved, taken_over
from riverboat.web.demo.attendants import Attendants
from riverboat.web.demo.tables import demo_tables
from riverboat.web.demo.waiting import WordsWait
from riverboat.web.house import House
from riverboat.web.rounds.story import Eyes, told_round
from riverboat.web.screens.frames import table_frame
from tests.web.playing import give_money, people, play, play_until
from tests.web.running import new_house, sqlite_url

WORD = secrets.token_hex(32)


class Clock:
    """A clock that is set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def sealed_round(house: House) -> str:
    """A demo table where Ann has sealed a word with her ante, up to the cut."""
    table = next(one for one in demo_tables(house.floor) if one.rulebook == "iowa-catfish-bend")
    house.open_demo(table)
    seats, name = people("Ann"), table.name
    play_until(house, name, seats, lambda d: isinstance(d.ask, g.Wager))
    day = house.floor.station(name).day
    deck = day.deck_in_play
    assert deck is not None
    assert deck.sealed is not None
    least = day.setup.limits.ante.minimum_cents
    seal = player_seal(deck.sealed.root, 1, WORD)
    wager = g.Wager(seat=1, spot="ante", cents=least, player="Ann", seal=seal)
    give_money(house, ("Ann",), 1_000_00)
    house.floor.ask("ann bets", seats[1], name, wager)
    play_until(house, name, seats, lambda d: isinstance(d.ask, a.FixCut))
    house.model.catch_up()
    return name


def day_of(house: House, table: str) -> Day:
    return house.floor.station(table).day


def test_the_dealer_waits_two_seconds_for_a_word_and_then_says_that_it_is_missing(
    tmp_path: Path,
) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    table = sealed_round(house)
    attendants = Attendants(house.floor, house.model, lambda _: "table", words=WordsWait(clock))
    assert attendants.next_at(table) is None
    clock.now = 1.9
    assert attendants.next_at(table) is None
    clock.now = 2.0
    doing = attendants.next_at(table)
    assert doing is not None
    assert doing.ask == a.FixCut(without=(1,), seconds=2)
    attend(house.floor, "cut", table, doing)
    play(house, table, people("Ann"), 0, "the rest")
    proof = told_round(house.floor, table, 1, Eyes((1,))).proof
    assert proof is not None
    (cut,) = (one for one in proof.cuts if one.fixed)
    assert (cut.seats, cut.withheld, cut.seconds) == ([], (1,), 2)
    assert all(check.holds for check in proof.checks)
    assert audit(house.floor.ledger, house.floor.books, house.floor.secret).holds
    house.close()


def test_with_the_word_told_the_cut_waits_for_nothing_and_everybody_sees_it(tmp_path: Path) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    table = sealed_round(house)
    attendants = Attendants(house.floor, house.model, lambda _: "table", words=WordsWait(clock))
    assert attendants.next_at(table) is None
    rail = Guest(name="Eve", door="player")
    shown = table_frame(house.model, table, rail).words
    assert (list(shown), shown[1].word) == ([1], None)
    house.floor.ask("ann tells", people("Ann")[1], table, a.TellWord(seat=1, word=WORD))
    house.model.catch_up()
    assert table_frame(house.model, table, rail).words[1].word == WORD
    doing = attendants.next_at(table)
    assert doing is not None
    assert doing.ask == a.FixCut()
    attend(house.floor, "cut", table, doing)
    play(house, table, people("Ann"), 0, "the rest")
    proof = told_round(house.floor, table, 1, Eyes((1,))).proof
    assert proof is not None
    assert [(one.seat, one.word) for one in proof.words] == [(1, WORD)]
    assert next(cut for cut in proof.cuts if cut.fixed).seats == [1]
    house.close()


def test_a_dealer_in_person_cannot_have_the_deck_cut_before_the_words_are_in(
    tmp_path: Path,
) -> None:
    house, clock = new_house(sqlite_url(tmp_path)), Clock()
    house.words = WordsWait(clock)
    table = sealed_round(house)
    dealer = Guest(name="Dee", door="dealer")
    taken_over(house, dealer, table, TakeOver(id="take it over", role="dealer"))
    with pytest.raises(Refused) as refused:
        moved(house, dealer, table, Once(id="first push"))
    assert refused.value.code == "machine.words"
    clock.now = 2.0
    assert moved(house, dealer, table, Once(id="second push")).did == "cut"
    assert day_of(house, table).cut_fixed
    house.close()


def test_a_chip_on_a_sensor_carries_no_seal(tmp_path: Path) -> None:
    house = new_house(sqlite_url(tmp_path))
    tables = demo_tables(house.floor)
    table = next(one for one in tables if any("progressive" in c for c in one.choices))
    house.open_demo(table)
    play_until(house, table.name, people("Ann"), lambda d: isinstance(d.ask, g.Wager))
    chip = g.Wager(seat=1, spot="progressive", cents=100, player="Ann")
    sealed = replace(chip, seal="ab" * 32)
    with pytest.raises(Refused) as refused:
        house.floor.ask("chip", people("Ann")[1], table.name, sealed)
    assert refused.value.code == "word.sensor"
    house.close()
