"""Presses the right keys for winners, whatever the rulebook's procedure: each next step in turn."""

from random import Random

from msgspec.structs import replace

from riverboat.controller import actions as a
from riverboat.controller.legal import coming
from riverboat.controller.winners import Desk
from riverboat.core.cards import parse_cards
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round.streets import card_counts, seat_to_act
from riverboat.table.people import Actor
from tests.support.hall import DANA, FLO, PEOPLE, SUE, Hall, Table, settle_others
from tests.support.round_player import random_places

_WHO: dict[str, Actor] = {"dealer": DANA, "floorperson": FLO, "supervisor": SUE, "house": FLO}


def desk_of(hall: Hall, table: Table) -> Desk:
    """What a press at the table is judged by now."""
    return Desk(table.controller, table.round, hall.link if hall.reachable else None)


def key_next(hall: Hall, table: Table) -> tuple[Actor, a.AnyPress] | None:
    """The next press about a winner of the table, and who presses; None when all are paid."""
    found = coming(desk_of(hall, table))
    if found is None or isinstance(found.press, a.GameOver):
        return None
    press = found.press
    if isinstance(press, a.PayAward):
        press = replace(press, document="house slip")
    if isinstance(press, a.BackOut):
        press = replace(press, second=FLO)
    return _WHO[found.by], press


def key_winners(hall: Hall, table: Table) -> None:
    """Everything that the procedure wants for every winner of the table."""
    while (coming := key_next(hall, table)) is not None:
        hall.press(table, *coming)


def lock_and_deal(
    hall: Hall, table: Table, rng: Random, places: dict[str, tuple[int, ...]]
) -> None:
    """From closed bets to the deal."""
    hall.press(table, DANA, a.CoinIn())
    lit = sum(seat.lit for seat in table.round.seats.values())
    hall.press(table, DANA, a.CountChips(chips=lit))
    hall.press(table, DANA, a.FirstCard())
    counts = card_counts(table.setup, sorted(table.round.seats))
    hall.play(table, g.Deal(places=places or random_places(rng, counts)))


def decide_all(hall: Hall, table: Table, rng: Random, folding: float) -> None:
    """Every seat bets or folds until the hands are settled."""
    while table.round.phase in ("deciding", "turning"):
        seat = seat_to_act(table.round)
        if seat is None:
            hall.play(table, g.Turn())
        elif rng.random() < folding:
            hall.play(table, g.Fold(seat=seat))
        else:
            stage = table.setup.stages[table.round.stage]
            ante = table.round.seats[seat].wagers["ante"]
            hall.play(table, g.Bet(seat=seat, cents=ante * max(stage.multiples)))


def finish_keyed(hall: Hall, table: Table) -> None:
    """Settlement by hand and by keys, as far as each waits for the other, and the end key."""
    while table.round.phase == "settling":
        settle_others(hall, table, envy=False)
        if key_next(hall, table) is None:
            break
        key_winners(hall, table)
    settle_others(hall, table)
    hall.press(table, DANA, a.GameOver())


def awards_in(events: list[r.AnyEvent]) -> list[tuple[int, str, int, int]]:
    """Seat, hand, amount and payment of the meter awards among events."""
    return [
        (event.seat, event.hand, event.cents, event.paid_cents)
        for event in events
        if isinstance(event, r.MeterAwarded)
    ]


def win_alone(hall: Hall, table: Table, hand: str, dealer: str) -> None:
    """Ann alone, with a hand that wins: bet, dealt, decided, settled and keyed."""
    hall.play(table, g.Wager(seat=1, spot="ante", cents=10_00))
    hall.press(table, PEOPLE["Ann"], a.PlaceChip(seat=1, cents=1_00))
    hall.play(table, g.CloseBets())
    lock_and_deal(hall, table, Random(1), {"1": parse_cards(hand), "dealer": parse_cards(dealer)})
    decide_all(hall, table, Random(1), 0.0)
    settle_others(hall, table)
    key_winners(hall, table)
