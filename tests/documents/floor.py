"""A floor with people and clocks, for documents: whatever happens is told with who and when."""

from riverboat.controller import actions as a
from riverboat.controller.engine import Pressed
from riverboat.core.cards import parse_cards
from riverboat.documents.printing import Printing, Told, wall_clock
from riverboat.documents.win_page import WinPage, win_page_of
from riverboat.meter import events as le
from riverboat.round import Setup, set_up
from riverboat.round import actions as g
from riverboat.round.setup.choices import Raw
from riverboat.round.streets import seat_to_act
from riverboat.rulebooks import load, rulebook_ids
from riverboat.table import events as t
from riverboat.table.people import SYSTEM, Actor
from tests.support.hall import DANA, FLO, SUE, Hall, Table
from tests.support.keyed_player import finish_keyed

BOOKS = [name for name in rulebook_ids() if load(name).book.progressive is not None]
NINE_PM = 1_794_884_400
CLOCK = wall_clock(-300)
HEAD = f"48213:{'9f3c' * 16}"
PRINTING = Printing(
    printed_by="Sue",
    printed_at="2026-11-16 21:21:40 UTC-05:00",
    printed_seconds=1_794_885_700,
    version="0.1.0",
    head=HEAD,
)
ROYAL_AND_STRAIGHT_FLUSH = {"1": "9h 8h", "3": "Ah Kh", "community": "Qh Jh Th"}
ISLAND_CARDS = {
    "1": "Qh Jh Th 9h 8h",
    "3": "As Ks Qs Js Ts",
    "dealer": "Kd Kc 4d 3c 2d",
}


class Floor(Hall):
    """A hall whose events have their people and their times."""

    def __init__(self, *, initial_cents: int, setup: Setup) -> None:
        self.now = NINE_PM
        self.by: Actor = SUE
        self.told_of_link: list[Told] = []
        self.told: dict[str, list[Told]] = {}
        progressive = setup.progressive
        assert progressive is not None
        seed = progressive.seed_cents
        super().__init__(progressive.link, seed, max(seed, initial_cents), progressive.wager_cents)

    def tell(self, table: str, event: object, by: Actor, *, test: bool = False) -> None:
        self.told.setdefault(table, []).append(Told(event=event, by=by, at=self.now, test=test))

    def press(self, table: Table, by: Actor, action: a.AnyPress) -> Pressed:
        self.now += 11
        self.by = by
        known = len(table.events)
        pressed = super().press(table, by, action)
        for event in table.events[known:]:
            self.tell(table.name, event, by)
        return pressed

    def play(self, table: Table, action: g.AnyAction) -> None:
        self.now += 7
        known = len(table.events)
        super().play(table, action)
        for event in table.events[known:]:
            self.tell(table.name, event, DANA)

    def begin(self, table: Table) -> None:
        super().begin(table)
        for event in table.round_events:
            self.tell(table.name, event, SYSTEM)

    def link_happened(self, events: tuple[le.AnyMeterEvent, ...]) -> None:
        super().link_happened(events)
        self.told_of_link += [Told(event=ev, by=self.by, at=self.now) for ev in events]


def table_for(name: str, **choices: Raw) -> Setup:
    book = load(name).book
    offer = next(offer for offer in book.side_bets if offer.bet == "progressive")
    return set_up(book, {"progressive": offer.paytables[0], **choices})


def open_table(name: str, *, meter_cents: int, test: bool = False, **choices: Raw) -> Floor:
    """A table whose day is open, whose first round has started."""
    setup = table_for(name, **choices)
    floor = Floor(initial_cents=meter_cents, setup=setup)
    day = t.DayOpened(date="2026-11-16", tray_cents=2_000_000)
    floor.tell("T7", day, FLO)
    order = tuple(range(52))
    sealed = t.DeckSealed(
        deck="red", number=41, root="c0ffee" * 10 + "c0ff", order=order, salts=(), word=""
    )
    floor.tell("T7", sealed, SYSTEM)
    floor.tell(
        "T7",
        t.RoundStarted(
            number=1,
            deck="red",
            dealer="Dana",
            rulebook_sha256=load(name).sha256,
            configuration_sha256="5eed" * 16,
            commitment=41,
        ),
        DANA,
        test=test,
    )
    floor.add("T7", setup)
    return floor


def bet_and_lock(floor: Floor, table: Table, players: dict[int, str]) -> None:
    """Antes and chips, and the key that locks them."""
    setup = table.setup
    assert setup.progressive is not None
    minimum = setup.limits.ante.minimum_cents
    for seat, player in players.items():
        floor.play(table, g.Wager(seat=seat, spot="ante", cents=minimum, player=player))
        chip = a.PlaceChip(seat=seat, cents=setup.progressive.wager_cents, player=player)
        floor.press(table, Actor(name=player, role="player"), chip)
    floor.play(table, g.CloseBets())
    floor.press(table, DANA, a.CoinIn())


def bet_and_deal(floor: Floor, cards: dict[str, str], players: dict[int, str]) -> Table:
    """Both seats bet, and every one of them stays in."""
    table = floor.tables["T7"]
    bet_and_lock(floor, table, players)
    floor.press(table, DANA, a.CountChips(chips=len(players)))
    floor.press(table, DANA, a.FirstCard())
    places = {place: parse_cards(text) for place, text in cards.items()}
    floor.play(table, g.Deal(places=places))
    while table.round.phase in ("deciding", "turning"):
        acting = seat_to_act(table.round)
        if acting is None:
            floor.play(table, g.Turn())
        else:
            stage = table.setup.stages[table.round.stage]
            ante = table.round.seats[acting].wagers["ante"]
            floor.play(table, g.Bet(seat=acting, cents=ante * max(stage.multiples)))
    return table


def cards_for(name: str) -> dict[str, str]:
    """A straight flush for seat 1 and a royal for seat 3."""
    own = load(name).book.comparison is not None
    return ISLAND_CARDS if own else ROYAL_AND_STRAIGHT_FLUSH


def two_winners(
    name: str,
    *,
    meter_cents: int = 45_000_38,
    player: str = "Ann Example",
    test: bool = False,
    **choices: Raw,
) -> Floor:
    """Seat 1 has a straight flush, seat 3 a royal; both are keyed, paid and cleared."""
    floor = open_table(name, meter_cents=meter_cents, test=test, **choices)
    table = bet_and_deal(floor, cards_for(name), {1: "Ben Sample", 3: player})
    finish_keyed(floor, table)
    return floor


def page_of(floor: Floor, seat: int, *, table: str = "T7") -> WinPage:
    """The page of a seat's award."""
    return win_page_of(
        f"{table}/1/{seat}",
        table=table,
        record=floor.told[table],
        link_record=floor.told_of_link,
        setup=floor.tables[table].setup,
        printing=PRINTING,
        clock=CLOCK,
    )
