"""Rounds played with every key: random tables, bets, and deals with many winners."""

from random import Random

from riverboat.controller import actions as a
from riverboat.core.hand_kinds import kind_of_five
from riverboat.keeping.actions import Adjust
from riverboat.meter.amounts import Meter
from riverboat.round import Setup, SetupRefused, set_up
from riverboat.round import actions as g
from riverboat.round.streets import card_counts
from riverboat.rulebooks import load, rulebook_ids
from tests.support.hall import FLO, PEOPLE, SUE, Hall, Table
from tests.support.keyed_player import (
    decide_all,
    lock_and_deal,
)
from tests.support.round_player import random_choices, random_places

BOOKS = [name for name in rulebook_ids() if load(name).book.progressive is not None]

POLICIES = ("sequential", "equal_split", "highest_first")

CASES = [
    (name, policy)
    for name in BOOKS
    for policy in POLICIES
    if policy == "sequential" or not load(name).book.options["multi_winner_policy"].fixed
]


def random_table(rng: Random, name: str, policy: str) -> Setup:
    """A table with a progressive, its options drawn at random."""
    book = load(name).book
    offer = next(offer for offer in book.side_bets if offer.bet == "progressive")
    while True:
        choices = random_choices(rng, book)
        choices["progressive"] = rng.choice(offer.paytables)
        choices["seats"] = rng.choice((6, 6, 3))
        if not book.options["multi_winner_policy"].fixed:
            choices["multi_winner_policy"] = policy
        try:
            return set_up(book, choices)
        except SetupRefused:
            continue


def bet_all(hall: Hall, table: Table, rng: Random) -> None:
    """Antes and progressive wagers, most of them; the chips go onto the sensors."""
    setup = table.setup
    assert setup.progressive is not None
    unit = setup.limits.unit_cents
    ante = -(-setup.limits.ante.minimum_cents // unit) * unit
    for seat in range(1, setup.seats + 1):
        if rng.random() < 0.9 or seat == 1:
            hall.play(table, g.Wager(seat=seat, spot="ante", cents=ante))
            if rng.random() < 0.9 and setup.progressive.wager_cents % unit == 0:
                chip = a.PlaceChip(seat=seat, cents=setup.progressive.wager_cents)
                hall.press(table, PEOPLE["Ann"], chip)
    hall.play(table, g.CloseBets())


def many_winners(rng: Random, table: Table) -> dict[str, tuple[int, ...]]:
    """Of several deals the one with the most hands that win a share of the meter."""
    counts = card_counts(table.setup, sorted(table.round.seats))
    deals = [random_places(rng, counts) for _ in range(rng.choice((1, 4, 8)))]
    return max(deals, key=lambda deal: _meter_hands(deal))


def _meter_hands(deal: dict[str, tuple[int, ...]]) -> int:
    shared = deal.get("community", ())
    hands = [cards + shared for place, cards in deal.items() if place.isdecimal()]
    return sum(kind_of_five(hand).hand in ("royal_flush", "straight_flush") for hand in hands)


def keyed_round(rng: Random, setup: Setup) -> tuple[Hall, Table, Meter]:
    """A round played with every key, on a meter somewhere above its seed."""
    assert setup.progressive is not None
    seed = setup.progressive.seed_cents
    hall = Hall(
        "L",
        seed,
        seed + rng.choice((0, 1, 38, 40_000_38, 1_234_567_89)),
        setup.progressive.wager_cents,
    )
    adjust = Adjust(units=rng.choice((1, 9_999, 5_000)), code="correction", reason="x", second=FLO)
    hall.keep(SUE, adjust)
    table = hall.add("T1", setup)
    opening = hall.link.meter
    bet_all(hall, table, rng)
    lock_and_deal(hall, table, rng, many_winners(rng, table))
    decide_all(hall, table, rng, rng.choice((0.0, 0.0, 0.3)))
    return hall, table, opening
