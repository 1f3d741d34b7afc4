"""Two winners of one meter: a scenario, a table by itself, a link and a floor give the same cents.

The three examples of B-08, with $100,000.00 on the meter when the awards are paid, of a seed of
$10,000: a straight flush before a royal flush, the other way round, and two straight flushes.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from riverboat.controller import actions as p
from riverboat.core.cards import DECK, parse_cards, show_card
from riverboat.floor.autopilot import attend
from riverboat.keeping.actions import Adjust
from riverboat.ledger import Ledger, open_ledger
from riverboat.meter.books import reconcile
from riverboat.round import Round, Setup, set_up
from riverboat.round import actions as g
from riverboat.round.streets import order_of
from riverboat.rulebooks import editions, load
from riverboat.scripts.day_file import DayScript, read_days
from riverboat.scripts.day_runner import DayRunner
from riverboat.scripts.scenario import play_scenario
from riverboat.scripts.scenario_file import Scenario, read_scenarios
from riverboat.web.read_model import ReadModel
from riverboat.web.screens.frames import sign_frame
from tests.floor.house import (
    ANN,
    BOLD,
    FLO,
    HALF,
    SUE,
    House,
    floor_on,
    folder_ledger,
    require_true,
    submitted,
)
from tests.support.hall import Hall
from tests.support.keyed_player import decide_all, finish_keyed, lock_and_deal

BOOK, TABLE = "south-dakota-2011", "SD-2011-PROG-PMG-01"
SEED, BEFORE = 10_000_00, 99_999_58
ROYAL, LOW = "Ah Kh", "9h 8h"
EXAMPLES = {
    "a straight flush, then a royal flush": ((LOW, ROYAL, "Qh Jh Th"), (10_000, 90_000), 10_000),
    "a royal flush, then a straight flush": ((ROYAL, LOW, "Qh Jh Th"), (100_000, 1_000), 9_000),
    "two straight flushes": (("Qh Jh", "7h 6h", "Th 9h 8h"), (10_000, 9_000), 81_000),
}
"""Cards of the dealer's right, of the dealer's left and of the board; what each wins, in dollars;
what is left."""


class Came:
    """How a round came out: what each seat has of its progressive wager, and what is left."""

    def __init__(self, state: Round, meter_cents: int) -> None:
        self.right, self.left = (state.seats[seat].results["progressive"] for seat in (2, 1))
        self.meter = meter_cents


def setup() -> Setup:
    return set_up(load(BOOK).book, {"progressive": TABLE})


def places_of(cards: tuple[str, str, str]) -> dict[str, str]:
    return {"2": cards[0], "1": cards[1], "community": cards[2]}


def in_order(cards: tuple[str, str, str]) -> list[int]:
    """The cards as they leave the deck."""
    left = {place: list(parse_cards(text)) for place, text in places_of(cards).items()}
    return [left[place].pop(0) for place, n in order_of(setup(), [1, 2]) for _ in range(n)]


def by_a_scenario(cards: tuple[str, str, str]) -> Came:
    places = "\n".join(f'cards.{place} = "{text}"' for place, text in places_of(cards).items())
    text = f"""
        [[scenario]]
        name = "B-08"
        rulebook = "{BOOK}"
        clauses = ["B-08"]
        table = {{ progressive = "{TABLE}", meter = "99999.58" }}
        bets.1 = {{ ante = "10", progressive = "1" }}
        bets.2 = {{ ante = "10", progressive = "1" }}
        decisions = {{ 1 = ["1x", "1x", "1x"], 2 = ["1x", "1x", "1x"] }}
        expect.void = false
        {places}
    """
    [(_, scenario)] = read_scenarios(text)
    assert isinstance(scenario, Scenario)
    state = play_scenario(scenario, load(BOOK).book).state
    assert state is not None
    return Came(state, state.meter.cents)


def by_a_table(cards: tuple[str, str, str]) -> Came:
    reported = "\n".join(f"Dana report {show_card(card)}" for card in in_order(cards))
    bets = "\n".join(f"{who} wager {bet}" for who in ("Ann", "Ben") for bet in BETS)
    text = f"""
        [[day]]
        title = "B-08"
        rulebook = "{BOOK}"
        clauses = ["B-08"]
        cards = "physical"
        table = {{ progressive = "{TABLE}", meter = "99999.58" }}
        script = '''
Dana start
{bets}
Dana close-bets
Dana lock
Dana collect 2
Dana cut red 20
{reported}
house until settling
Dana settle-all
Dana end
'''
    """
    [(_, script)] = read_days(text)
    assert isinstance(script, DayScript)
    runner = DayRunner(script, editions())
    runner.run()
    assert not runner.failed
    return Came(runner.day.playing, runner.day.meter.cents)


BETS = ("ante 10", "progressive 1")


def by_a_link(cards: tuple[str, str, str]) -> Came:
    hall, rng = Hall("L", SEED, BEFORE, 1_00), Random(8)
    table = hall.add("T", setup())
    for seat in (1, 2):
        hall.play(table, g.Wager(seat=seat, spot="ante", cents=10_00))
        hall.press(table, ANN, p.PlaceChip(seat=seat, cents=1_00))
    hall.play(table, g.CloseBets())
    places = {place: parse_cards(text) for place, text in places_of(cards).items()}
    lock_and_deal(hall, table, rng, places)
    decide_all(hall, table, rng, 0)
    finish_keyed(hall, table)
    assert table.round.link.status == "not_open", "a linked round keeps no balance"
    return Came(table.round, hall.link.meter.cents)


def play_on_floor(house: House, cards: tuple[str, str, str], table: str, meter: str) -> Round:
    """One round on a floor, for a meter that another table plays for too."""
    for name in (table, f"{table} too"):
        house.open_table(name, submitted(BOOK, name, meter))
    first = in_order(cards)
    dealt = [*first, *(card for card in DECK if card not in first)]
    house.floor.orders[table] = (*dealt[HALF:], *dealt[:HALF])
    more = Adjust(units=(BEFORE - SEED) * 10_000, code="correction", reason="B-08", second=FLO)
    house.floor.keep(f"{meter} to 99,999.58", SUE, meter, more)
    while not house.rounds_over(table):
        doing = house.next_at(table, BOLD)
        assert doing is not None
        attend(house.floor, next(house.ids), table, doing)
    return house.floor.station(table).day.playing


def by_a_floor(cards: tuple[str, str, str], ledger: Ledger) -> Came:
    """What the browser is told is what stands in the ledger."""
    house = House(floor_on(ledger))
    state, link = play_on_floor(house, cards, "T", "M"), house.floor.link("M")
    assert reconcile(link).balances
    assert state.link.status == "not_open"
    require_true(ledger)
    model = ReadModel(house.floor)
    model.catch_up()
    shown = sign_frame(model, "M").cents
    assert isinstance(shown, int)
    assert shown == link.meter.cents
    return Came(state, shown)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with open_ledger(folder_ledger(tmp_path)) as opened:
        yield opened


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_way_to_play_gives_the_same_cents(example: str, ledger: Ledger) -> None:
    cards, (right, left), rest = EXAMPLES[example]
    for came in (
        by_a_scenario(cards),
        by_a_table(cards),
        by_a_link(cards),
        by_a_floor(cards, ledger),
    ):
        assert (came.right, came.left) == (right * 100 - 1_00, left * 100 - 1_00)
        assert came.meter == rest * 100
