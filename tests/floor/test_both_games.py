"""Island Stud and Mississippi Stud on one meter, through the floor: keys, awards, envy, J-pot."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from riverboat.controller import events as c
from riverboat.core.cards import DECK, parse_cards
from riverboat.core.fairness import cut_order
from riverboat.floor.autopilot import attend
from riverboat.floor.codec import METER, REFUSED, read_meter_body
from riverboat.floor.station import StationEntry
from riverboat.meter.books import reconcile, sign
from riverboat.meter.events import AwardFixed, AwardPaid, MeterMoved
from riverboat.round import events as r
from riverboat.table import actions as a
from riverboat.table import events as t
from tests.floor.house import (
    ANN,
    BEN,
    BOLD,
    HALF,
    ROYAL,
    STRAIGHT_FLUSH,
    House,
    open_house,
    require_true,
    submitted,
)

LINK = "both games"
CENT = 10_000
SHARE = 100 * 2100
SEATS = {1: ANN, 2: BEN}
LOW = "2c 4d 7s 9c Jd"
LOWER = "2d 4s 7c 8d Tc"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with open_house(tmp_path) as house:
        house.open_table("I", submitted("island-stud", "I", LINK))
        house.open_table("M", submitted("south-dakota-2011", "M", LINK))
        yield house


def played(house: House, table: str) -> list[StationEntry]:
    """One round with Ann and Ben, cut in half; its entries."""
    told: list[StationEntry] = []
    last = house.rounds_over(table) + 1
    while house.rounds_over(table) < last:
        doing = house.next_at(table, BOLD, SEATS)
        assert doing is not None
        told += attend(house.floor, next(house.ids), table, doing).entries
    return told


def rig(house: House, table: str, hands: dict[str, str]) -> None:
    """The next deck gives these places these cards: where they lie, a round has shown."""
    entries = played(house, table)
    order = next(e.action.order for e in entries if isinstance(e.action, a.SealDeck))
    told = [ev for e in entries for ev in e.events]
    cut = cut_order(order, [ev.depth for ev in told if isinstance(ev, t.DeckCut)])
    dealt = next(ev for e in entries for ev in e.events if isinstance(ev, r.CardsDealt))
    wanted: dict[int, int] = {}
    places: dict[str, list[int]] = {}
    for place, cards in dealt.deliveries:
        places.setdefault(place, []).extend(cards)
    for place, text in hands.items():
        for was, card in zip(places[place], parse_cards(text), strict=True):
            wanted[cut.index(was)] = card
    rest = iter([card for card in DECK if card not in wanted.values()])
    deck = tuple(wanted[at] if at in wanted else next(rest) for at in range(len(DECK)))
    house.floor.orders[table] = (*deck[HALF:], *deck[:HALF])


def keys_of(entries: list[StationEntry]) -> list[str]:
    """What was done about a winner, in order."""
    kinds = (
        *(c.HandKeyed, c.SupervisorCalled, c.WinVerified, c.KeyTurned, c.JPotPressed),
        *(c.WinLogged, c.AwardGiven, c.LampCleared),
    )
    return [
        f"to {event.to}" if isinstance(event, c.KeyTurned) else type(event).__name__
        for entry in entries
        for event in entry.events
        if isinstance(event, kinds)
    ]


THE_KEYS = [
    *("HandKeyed", "SupervisorCalled", "WinVerified", "to JPH", "JPotPressed", "WinLogged"),
    *("AwardGiven", "to RUN", "LampCleared"),
]


@pytest.mark.parametrize(
    ("hand", "percent", "envy"), [(STRAIGHT_FLUSH, 10, 300_00), (ROYAL, 100, 1_000_00)]
)
def test_an_island_stud_award_goes_through_every_key_and_pays_envy_at_its_own_table(
    house: House, hand: str, percent: int, envy: int
) -> None:
    rig(house, "I", {"1": hand, "2": LOW, "dealer": LOWER})
    before = house.floor.link(LINK)
    entries = played(house, "I")
    link = house.floor.link(LINK)
    assert keys_of(entries) == THE_KEYS
    (award,) = link.awards.values()
    on_meter = before.meter.units + 2 * SHARE
    cents = on_meter * percent // 100 // CENT
    assert (award.fixed.table, award.fixed.seat, award.fixed.cents) == ("I", 1, cents)
    seed = link.seed_cents if percent == 100 else 0
    assert link.meter.units == on_meter - cents * CENT + seed * CENT
    paid = [ev for e in entries for ev in e.events if isinstance(ev, r.EnvyPaid)]
    assert [(ev.seat, ev.for_seat, ev.cents) for ev in paid] == [(2, 1, envy)]
    assert house.floor.ledger.version(REFUSED + "I") == 0
    assert sign(link).cents == link.meter.cents
    require_true(house.floor.ledger)


def test_both_games_draw_on_one_meter_each_on_what_the_other_left(house: House) -> None:
    floor = house.floor
    rig(house, "I", {"1": STRAIGHT_FLUSH, "2": LOW, "dealer": LOWER})
    rig(house, "M", {"1": ROYAL[:5], "2": "2c 4d", "community": ROYAL[6:]})
    units = floor.link(LINK).meter.units
    assert units == 10_000_00 * CENT + 4 * SHARE
    played(house, "I")
    units += 2 * SHARE
    tenth = units // 10 // CENT
    assert floor.link(LINK).meter.units == units - tenth * CENT
    entries = played(house, "M")
    units += 2 * SHARE - tenth * CENT
    whole = units // CENT
    link = floor.link(LINK)
    assert [award.fixed.cents for award in link.awards.values()] == [tenth, whole]
    assert link.meter.units == units - whole * CENT + 10_000_00 * CENT
    assert [ev.cents for e in entries for ev in e.events if isinstance(ev, r.EnvyPaid)] == [
        1_000_00
    ]
    assert keys_of(entries) == THE_KEYS
    assert {name: totals.hits for name, totals in link.by_table.items()} == {"I": 1, "M": 1}
    assert reconcile(link).balances
    kinds = (AwardFixed, AwardPaid, MeterMoved)
    seen = [type(ev) for ev in _meter_events(house) if isinstance(ev, kinds)]
    assert seen == [*kinds, *kinds]
    require_true(floor.ledger)


def _meter_events(house: House) -> list[object]:
    rows = house.floor.ledger.read(METER + LINK)
    return [event for row in rows for event in read_meter_body(row.body).events]
