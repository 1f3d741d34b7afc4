"""What the house's people are offered beside the felt: only what the table would do for them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import UNSET, to_builtins
from msgspec.json import encode

from riverboat.controller.actions import OverrideUnlit, PressHand
from riverboat.core.errors import Refused, RiverboatError
from riverboat.floor.autopilot import DEMO, Manners, Staff, attend, next_doing
from riverboat.floor.station import decide
from riverboat.keeping.actions import Adjust
from riverboat.round import actions as g
from riverboat.round.incidents import PLACES
from riverboat.round.setup.choices import Raw
from riverboat.table import actions as a
from riverboat.table.configuration.configure import standard_submission
from riverboat.table.people import Actor
from riverboat.table.procedures.rounds import right_counts
from riverboat.web.api.tables import read_action
from riverboat.web.api.worklist import work_at
from riverboat.web.demo.jackpot import jackpot_table, next_of_show, open_show
from riverboat.web.demo.roles import signs_for
from riverboat.web.demo.tables import DemoTable, bots_of, manners_at, open_demo_floor
from riverboat.web.house import House
from riverboat.web.screens.console import console_frame
from riverboat.web.screens.offered import Bounds, asking
from riverboat.web.screens.offered import told as in_words
from tests.web.playing import give_money, link_of, people, play_until
from tests.web.running import new_house, sqlite_url

DANA = Actor(name="Dana", role="dealer")
FAY = Actor(name="Fay", role="floorperson")
SUE = Actor(name="Sue", role="supervisor")
LIVE = Staff(dealer=DANA, floorperson=FAY, supervisor=SUE)
TRAY = 50_000_00
OF_CARDS = {"exposed_player_card", "exposed_community_card", "shares_hand"}
OF_REAL_CARDS = {"face_up_cards", "card_drawn_in_error", "deck_count", "wrong_card_count"}
Json = dict[str, Any]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """An empty floor."""
    made = new_house(sqlite_url(tmp_path))
    give_money(made, ("Ann", "Ben"), 50_000_00)
    yield made
    made.close()


def live_table(house: House, rulebook: str, *, physical: bool = False, **choices: Raw) -> str:
    """A table of people, open, with a dealer."""
    book, name = house.floor.books[rulebook][0], "Pit one"
    filed = standard_submission(book, choices, name=name, physical=physical)
    steps: tuple[tuple[Actor, a.AnyAction], ...] = (
        (FAY, a.Propose(submission=filed)),
        (SUE, a.Approve(number=1)),
        (FAY, a.OpenDay(date="2026-05-01", tray_cents=TRAY)),
        (FAY, a.Designate()),
        (FAY, a.AssignDealer(name=DANA.name)),
    )
    for by, asked in steps:
        ask(house, name, by, asked)
    return name


def ask(house: House, table: str, by: Actor, asked: Any) -> None:
    """Whatever is refused fails the test."""
    entries = house.floor.station(table).day.entries
    house.floor.ask(f"{table} {entries}", by, table, asked)


def go_on(house: House, table: str, until: Any) -> None:
    """People of a live table do what comes next, up to a moment."""
    seats = people("Ann", "Ben")
    for _ in range(400):
        if until(house.floor.station(table).day):
            return
        doing = next_doing(house.floor, table, seats, Manners(seed="live", fold=0), LIVE)
        assert doing is not None
        entries = house.floor.station(table).day.entries
        attend(house.floor, f"{table} {entries}", table, doing)
    raise AssertionError("it never comes")


def told(house: House, table: str, by: Actor) -> Json:
    """Somebody's console."""
    station = house.floor.station(table)
    shown: Json = to_builtins(console_frame(station, link_of(house.floor, station), by, {}))
    return shown


def offered(shown: Json) -> Iterator[Json]:
    """Every action that the page of a console can send by a button, as it would send it."""
    for one in shown["incidents"]:
        for at in one["at"]:
            yield {"do": "incident", "what": one["what"], **at}
    for one in shown["trouble"]:
        said = {key: one[key] for key in ("do", "deck") if key in one}
        yield said | ({"reason": "smoke"} if one.get("reason") else {})
    for one in shown["also"]:
        if one["yours"] and one["do"]:
            counted = {"tray_cents": 0} if one["do"]["do"] == "close_day" else {}
            yield one["do"] | counted
    for seat in shown["mending"]["payouts"]:
        yield {"do": "correct", "seat": seat, "spot": "ante", "cents": 100, "reason": "short"}


def refusals(house: House, table: str, by: Actor) -> list[str]:
    """What is offered and would be refused."""
    station = house.floor.station(table)
    link = house.floor.link(station.link) if station.link else None
    found = []
    for raw in offered(told(house, table, by)):
        action = read_action(raw)
        try:
            decide(station, link, signs_for(by, station.day, action), action)
        except Refused as refusal:
            found.append(f"{raw}: {refusal}")
    return found


# ---------------------------------------------------------------- nothing is offered and refused


@pytest.mark.parametrize("table", ["Table 1", "Table 3"])
def test_whatever_is_offered_is_taken(house: House, table: str) -> None:
    open_demo_floor(house.floor)
    dealer = DEMO.dealer
    for step in range(100):
        for by in (dealer, SUE):
            assert refusals(house, table, by) == []
        doing = next_doing(house.floor, table, people("Ann", "Ben"), Manners(seed="incidents"))
        assert doing is not None
        attend(house.floor, f"step {step}", table, doing)


def test_an_award_that_is_not_keyed_yet_has_no_button(house: House) -> None:
    table = "Sue jackpot 1"
    open_show(house.floor, jackpot_table(house.floor, table))
    for step in range(200):
        doing = next_of_show(house.floor, table, {})
        assert doing is not None
        if isinstance(doing.ask, PressHand):
            break
        attend(house.floor, f"{table} {step}", table, doing)
    (loses,) = told(house, table, DEMO.dealer)["also"]
    ask(house, table, DEMO.dealer, read_action(loses["do"]))
    (wins,) = told(house, table, DEMO.dealer)["also"]
    assert "progressive wins the whole meter, as it stands when the award" in wins["words"]
    assert wins["yours"]
    assert wins["do"] is None


def test_an_offer_says_what_to_send_within_which_bounds_and_by_which_clauses(house: House) -> None:
    open_demo_floor(house.floor)
    seats = people("Ann", "Ben")
    play_until(house, "Table 1", seats, lambda doing: isinstance(doing.ask, g.Wager))
    station = house.floor.station("Table 1")
    ann = asking(station, link_of(house.floor, station), Actor(name="Ann", role="player"))
    offers = json.loads(encode([in_words(offer) for offer in ann.offers]))
    bet = next(one for one in offers if one["do"] in ("wager", "take_back"))
    assert bet["arguments"]["seat"]["values"]
    assert bet["cites"]


def test_no_offer_tells_which_cards_are_still_in_the_deck(house: House) -> None:
    table = betting_with_real_cards(house)
    for by in (DANA, SUE):
        go_on(house, table, lambda day: day.in_round and day.playing.phase == "ready")
        station = house.floor.station(table)
        for offer in asking(station, link_of(house.floor, station), by).offers:
            assert in_words(offer).arguments.get("card", Bounds()).values is UNSET


# ---------------------------------------------------------------- what goes wrong


def test_play_is_interrupted_and_a_device_fails_in_every_phase_of_a_round(house: House) -> None:
    open_demo_floor(house.floor)
    dealer = DEMO.dealer
    phases: set[str] = set()
    for step in range(100):
        day = house.floor.station("Table 1").day
        if day.in_round:
            phases.add(day.playing.phase)
        for by in (dealer, SUE):
            tags = {one["do"] for one in told(house, "Table 1", by)["trouble"]}
            assert {"interrupt", "fail_device"} <= tags, day.phase
        seats = people("Ann", "Ben")
        doing = next_doing(house.floor, "Table 1", seats, Manners(seed="incidents"))
        assert doing is not None
        attend(house.floor, f"step {step}", "Table 1", doing)
    assert {"betting", "closed", "locked", "ready", "deciding", "turning", "settling"} <= phases


def test_a_card_goes_wrong_only_once_one_lies_and_a_seats_card_at_its_seat(house: House) -> None:
    open_demo_floor(house.floor)
    dealer = DEMO.dealer
    seats = people("Ann", "Ben")
    play_until(house, "Table 1", seats, lambda doing: isinstance(doing.ask, a.DealOut))
    before = {one["what"] for one in told(house, "Table 1", dealer)["incidents"]}
    assert not before & OF_CARDS
    ask(house, "Table 1", dealer, a.DealOut())
    after = {one["what"]: one["at"] for one in told(house, "Table 1", dealer)["incidents"]}
    assert set(after) >= OF_CARDS
    assert not set(after) & {*OF_REAL_CARDS, "shuffler_jam"}
    assert [at["seat"] for at in after["exposed_player_card"]] == [1, 2]
    assert all(at["place"] in PLACES[1:] for at in after["exposed_community_card"])


# ---------------------------------------------------------------- a device out of use


def test_a_table_whose_device_is_out_of_use_says_the_way_on(house: House) -> None:
    table = live_table(house, "house-demo")
    ask(house, table, DANA, a.FailDevice(reason="smoke"))
    ask(house, table, DANA, a.MarkDevice(how="covered"))
    for by, yours in ((DANA, False), (SUE, True)):
        step = told(house, table, by)["step"]
        assert "put it back into use" in step["words"]
        assert "closed" in step["words"]
        assert step["do"] == {"do": "restore_device"}
        assert step["yours"] == yours
    assert refusals(house, table, SUE) == []


def test_whoever_learns_to_deal_puts_the_device_back(house: House) -> None:
    open_demo_floor(house.floor)
    table = "Table 1"
    dealer = DEMO.dealer
    ask(house, table, dealer, a.FailDevice(reason="smoke"))
    ask(house, table, dealer, a.MarkDevice(how="covered"))
    step = told(house, table, dealer)["step"]
    assert step["yours"]
    restored = read_action(step["do"])
    day = house.floor.station(table).day
    ask(house, table, signs_for(dealer, day, restored), restored)
    assert house.floor.station(table).day.device == "working"


# ---------------------------------------------------------------- the end of the day


def test_closing_the_day_tells_nobody_what_the_book_expects(house: House) -> None:
    table = live_table(house, "house-demo")
    ask(house, table, FAY, a.CloseTable())
    (closing,) = [one["do"] for one in told(house, table, SUE)["also"] if one["do"]]
    assert closing == {"do": "close_day"}
    station = house.floor.station(table)
    ready = [one.do for one in work_at(house, station, SUE) if one.do is not None]
    assert {"do": "close_day"} in ready
    assert not any("tray_cents" in do for do in ready)


def test_nothing_is_put_right_once_the_day_is_closed(house: House) -> None:
    table = live_table(house, "house-demo")
    go_on(house, table, lambda day: day.round_number and not day.in_round)
    assert told(house, table, SUE)["mending"]["payouts"] == [1, 2]
    assert told(house, table, DANA)["mending"]["payouts"] == []
    ask(house, table, FAY, a.CloseTable())
    assert told(house, table, SUE)["mending"]["payouts"] == []
    ask(house, table, FAY, a.CloseDay(tray_cents=0))
    assert told(house, table, SUE)["mending"] == {"payouts": [], "cards": {}, "unlit": []}


def test_a_claim_with_the_light_off_is_for_seats_whose_light_is_off(house: House) -> None:
    open_demo_floor(house.floor)
    seats, manners = people("Ann", "Ben"), Manners(seed="unlit", side_bet=0, fold=0)
    for step in range(200):
        day = house.floor.station("Table 1").day
        if day.in_round and day.playing.phase == "settling":
            break
        doing = next_doing(house.floor, "Table 1", seats, manners)
        assert doing is not None
        attend(house.floor, f"step {step}", "Table 1", doing)
    assert told(house, "Table 1", SUE)["mending"]["unlit"] == [1, 2]
    second = Actor(name="Sam", role="supervisor")
    ask(house, "Table 1", SUE, OverrideUnlit(seat=1, reason="the sensor", second=second))
    assert told(house, "Table 1", SUE)["mending"]["unlit"] == [2]


# ---------------------------------------------------------------- real cards


def betting_with_real_cards(house: House) -> str:
    table = live_table(house, "maryland-2014", physical=True)
    go_on(house, table, lambda day: day.in_round and day.playing.phase == "betting")
    return table


def test_a_slip_is_taken_off_again_while_bets_are_open(house: House) -> None:
    table = betting_with_real_cards(house)
    assert told(house, table, DANA)["enters"]["laid"] == []
    ask(house, table, DANA, g.Wager(seat=2, spot="ante", cents=50_00))
    assert told(house, table, DANA)["enters"]["laid"] == [
        {"seat": 2, "spot": "ante", "cents": 50_00}
    ]
    ask(house, table, DANA, g.TakeBack(seat=2, spot="ante"))
    assert told(house, table, DANA)["enters"]["laid"] == []


def test_a_card_told_wrong_is_the_floors_to_put_right_also_during_the_deal(house: House) -> None:
    table = betting_with_real_cards(house)
    go_on(house, table, lambda day: day.in_round and day.playing.phase == "ready")
    if told(house, table, DANA)["step"]["do"] is not None:
        ask(house, table, DANA, read_action(told(house, table, DANA)["step"]["do"]))
    assert told(house, table, SUE)["mending"]["cards"] == {}
    ask(house, table, DANA, a.ReportCard(card=0))
    reports = told(house, table, DANA)["reports"]
    assert reports["last"] == {"place": "1", "number": 1}
    assert not reports["mends"]
    assert set(told(house, table, SUE)["mending"]["cards"]) == {"1", "2", "community"}
    ask(house, table, SUE, g.CorrectCard(place="1", number=1, card=5, reason="it was misread"))
    assert house.floor.station(table).day.reported == (5,)


def test_a_wrong_number_of_real_cards_is_reported_where_they_lie(house: House) -> None:
    table = betting_with_real_cards(house)
    go_on(house, table, lambda day: day.in_round and day.playing.phase == "ready")
    if told(house, table, DANA)["step"]["do"] is not None:
        ask(house, table, DANA, read_action(told(house, table, DANA)["step"]["do"]))
    day = house.floor.station(table).day
    for card in range(sum(right_counts(day).values())):
        ask(house, table, DANA, a.ReportCard(card=card))
    after = {one["what"]: one["at"] for one in told(house, table, DANA)["incidents"]}
    assert set(after) >= {*OF_CARDS, "deck_count", "wrong_card_count"}
    assert {(at["seat"], at["place"]) for at in after["wrong_card_count"]} >= {
        (1, ""),
        (2, ""),
        (0, "community"),
    }


@pytest.mark.parametrize("card", [-1, 52, 2**40])
def test_a_card_that_no_deck_has_is_refused(house: House, card: int) -> None:
    table = betting_with_real_cards(house)
    go_on(house, table, lambda day: day.in_round and day.playing.phase == "ready")
    if told(house, table, DANA)["step"]["do"] is not None:
        ask(house, table, DANA, read_action(told(house, table, DANA)["step"]["do"]))
    ask(house, table, DANA, a.ReportCard(card=0))
    wrong = {"do": "correct_card", "place": "1", "number": 1, "card": card, "reason": "misread"}
    for by, raw in ((DANA, {"do": "report_card", "card": card}), (SUE, wrong)):
        with pytest.raises(RiverboatError) as refused:
            ask(house, table, by, read_action(raw))
        assert refused.value.code in ("card.unknown", "deck.unknown_card")
    assert house.floor.station(table).day.reported == (0,)


# ---------------------------------------------------------------- meters


def test_taking_more_off_a_meter_than_it_has_is_refused_in_dollars(house: House) -> None:
    open_demo_floor(house.floor)
    link = house.floor.station("Table 1").link
    taken = Adjust(units=-2_000_000_000_000, code="correction", reason="?", second=FAY)
    with pytest.raises(Refused, match=r"^\$2,000,000 off a meter of \$") as refused:
        house.floor.keep("off", SUE, link, taken)
    assert "units" not in str(refused.value)


def test_a_learner_closes_the_bets_only_when_every_program_has_bet(house: House) -> None:
    house.open_demo(DemoTable("Lesson", "house-demo", {"three_card_bonus": "HD-3CB"}, 3))
    floor, number = house.floor, 0
    bots = bots_of(floor.station("Lesson").day, 3)
    told: list[object] = []
    while len(told) < 3 or told[-1] != "close_bets":
        doing = next_doing(floor, "Lesson", bots, manners_at("Lesson"))
        assert doing is not None
        attend(floor, f"lesson {(number := number + 1)}", "Lesson", doing)
        day = floor.station("Lesson").day
        if day.in_round and day.playing.phase == "betting":
            station = floor.station("Lesson")
            step = console_frame(station, link_of(floor, station), DEMO.dealer, {}).step
            told.append(step and step.do and step.do["do"])
            done = next_doing(floor, "Lesson", bots, manners_at("Lesson"))
            assert done is not None
            assert (told[-1] == "close_bets") == isinstance(done.ask, g.CloseBets)
    assert told[0] is None
