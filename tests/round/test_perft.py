"""Counting legal histories: with bets fixed and an automatic dealer, only decisions branch.

A count that comes out right says that the offers miss nothing and invent nothing, in any order of
folds and bets: after each street one more factor, and the seats multiply.
"""

from collections.abc import Iterator
from math import prod

import pytest

from riverboat.round import Round, Setup, open_round, play, set_up
from riverboat.round import actions as a
from riverboat.round.legal import Choice, Offer, Range, legal
from riverboat.round.streets import card_counts, deal_out
from riverboat.rulebooks import load, rulebook_ids
from tests.conftest import Report

MISSISSIPPI = [name for name in rulebook_ids() if load(name).book.game == "mississippi_stud"]
ISLAND = [name for name in rulebook_ids() if load(name).book.game == "island_stud"]


TWO_BETS = {"three_card_bonus": "HD-3CB", "progressive": "HD-PROG-2"}


def every_side_bet(name: str) -> dict[str, str | bool | int]:
    """All that a rulebook offers, each with its first pay table."""
    return {offer.bet: offer.paytables[0] for offer in load(name).book.side_bets}


def least(offer: Offer) -> a.AnyAction:
    """The smallest wager of an offer, with nobody's name on it."""
    values = {
        name: bounds.values[0] if isinstance(bounds, Choice) else bounds.minimum
        for name, bounds in offer.arguments.items()
        if isinstance(bounds, Choice | Range)
    }
    return offer.kind(**values)  # type: ignore[return-value]


def wagers(state: Round, seat: int) -> list[Offer]:
    return [o for o in legal(state) if o.kind is a.Wager and o.actor == seat]


def dealt(setup: Setup, seats: int, *, side_bets: bool) -> Round:
    """A round in which so many seats have bet and the cards are out."""
    state = open_round(setup)
    for seat in range(1, seats + 1):
        state = play(state, least(wagers(state, seat)[0]))
        while side_bets and (offers := wagers(state, seat)):
            state = play(state, least(offers[0]))
    return by_itself(play(state, a.CloseBets()))


def by_itself(state: Round) -> Round:
    """The round as far as the house brings it without anybody's decision."""
    while state.phase in ("closed", "locked", "ready", "turning"):
        match state.phase:
            case "closed":
                state = play(state, a.LockProgressive())
            case "locked":
                chips = sum(seat.lit for seat in state.seats.values())
                state = play(state, a.CollectProgressive(chips=chips))
            case "ready":
                numbers = sorted(state.seats)
                deck = range(sum(card_counts(state.setup, numbers).values()))
                state = play(state, a.Deal(places=deal_out(state.setup, numbers, deck)))
            case _:
                state = play(state, a.Turn())
    return state


def decisions(state: Round) -> Iterator[a.AnyAction]:
    """Every decision that somebody may make now; of tips only none at all."""
    for offer in legal(state):
        if offer.kind is a.Fold:
            yield least(offer)
        elif offer.kind is a.Bet:
            amounts, seat = offer.arguments["cents"], offer.actor
            assert isinstance(amounts, Choice)
            assert isinstance(seat, int)
            yield from (a.Bet(seat=seat, cents=int(cents or 0)) for cents in amounts.values)


def histories(state: Round, streets: int) -> int:
    """How many ways there are to play so many streets to their end."""
    if state.phase != "deciding" or state.stage == streets:
        return 1
    found = list(decisions(state))
    last = len(state.waiting) == 1
    if last and state.stage == streets - 1:
        return len(found)
    return sum(histories(by_itself(play(state, action)), streets) for action in found)


@pytest.mark.parametrize("side_bets", [False, True], ids=["bare", "every side bet"])
@pytest.mark.parametrize("name", MISSISSIPPI)
def test_one_seat_has_4_then_13_then_40_histories(name: str, side_bets: bool) -> None:
    setup = set_up(load(name).book, every_side_bet(name))
    state = dealt(setup, 1, side_bets=side_bets)
    assert [histories(state, streets) for streets in (1, 2, 3)] == [4, 13, 40]


@pytest.mark.parametrize("side_bets", [False, True], ids=["bare", "every side bet"])
@pytest.mark.parametrize("name", MISSISSIPPI)
def test_two_seats_multiply_their_histories(name: str, side_bets: bool) -> None:
    setup = set_up(load(name).book, every_side_bet(name))
    assert histories(dealt(setup, 2, side_bets=side_bets), 3) == 40**2


@pytest.mark.slow
def test_three_seats_multiply_their_histories(report: Report) -> None:
    """One rulebook collects folds at once, the other together when all have acted."""
    counted = {}
    for name in ("maryland-2014", "south-dakota-2011"):
        setup = set_up(load(name).book, every_side_bet(name))
        counted[name] = histories(dealt(setup, 3, side_bets=True), 3)
    assert set(counted.values()) == {40**3}
    report(f"perft: 4, 13, 40 histories of one seat; 40^2 of two; 40^3 = {40**3:,} of three")


@pytest.mark.parametrize("side_bets", [False, True], ids=["bare", "every side bet"])
@pytest.mark.parametrize("name", ISLAND)
def test_each_seat_of_island_stud_doubles_the_histories(name: str, side_bets: bool) -> None:
    setup = set_up(load(name).book, every_side_bet(name))
    counted = [histories(dealt(setup, n, side_bets=side_bets), 1) for n in range(1, 8)]
    assert counted == [2**n for n in range(1, 8)]


def combinations(state: Round, seats: int) -> int:
    """How many different sets of wagers the seats can have, whatever the order of betting."""
    seen: set[frozenset[tuple[int, str]]] = set()
    waiting = [state]
    while waiting:
        state = waiting.pop()
        made = frozenset((n, spot) for n, seat in state.seats.items() for spot in seat.wagers)
        if made in seen:
            continue
        seen.add(made)
        for seat in range(1, seats + 1):
            waiting += [play(state, least(offer)) for offer in wagers(state, seat)]
    return sum(
        {seat for seat, spot in made if spot == "ante"} == set(range(1, seats + 1)) for made in seen
    )


# Of each seat: with or without a bet that stands alone doubles the count; a bet that needs another
# (written after it) gives nothing, the first, or both.
@pytest.mark.parametrize(
    ("name", "table", "alone", "chains"),
    [
        ("south-dakota-2011", {}, ["progressive", "tip_ante"], []),
        ("south-dakota-3cb", {}, ["progressive", "tip_ante"], ["three_card_bonus + its tip"]),
        ("maryland-2014", {}, ["progressive"], ["three_card_bonus + six_card_bonus"]),
        (
            "maryland-2014",
            {"six_card_requires_three_card": False, "tip_wagers": True},
            ["progressive", "three_card_bonus", "six_card_bonus", "tip_ante"],
            [],
        ),
        ("iowa-catfish-bend", {}, ["three_card_bonus"], []),
        ("iowa-catfish-bend", {"tip_wagers": True}, ["three_card_bonus", "tip_ante"], []),
        ("house-demo", {"tip_wagers": False, **TWO_BETS}, ["progressive", "three_card_bonus"], []),
        (
            "house-demo",
            {"tip_wagers": True, **TWO_BETS},
            ["progressive", "tip_ante"],
            ["three_card_bonus + its tip"],
        ),
        ("island-stud", {}, ["bonus", "progressive"], []),
        ("island-stud", {"tip_wagers": True}, ["bonus", "progressive", "tip_ante"], []),
    ],
)
def test_side_bets_combine_as_their_formula_says(
    name: str,
    table: dict[str, str | bool | int],
    alone: list[str],
    chains: list[str],
    report: Report,
) -> None:
    named = {bet: table[bet] for bet in TWO_BETS if bet in table} or every_side_bet(name)
    setup = set_up(load(name).book, {**named, **table})
    each = prod([2] * len(alone) + [3] * len(chains))
    counted = [combinations(open_round(setup), seats) for seats in (1, 2)]
    assert counted == [each, each**2]
    formula = " x ".join([*["2"] * len(alone), *["3"] * len(chains)])
    report(f"perft: side bets of one seat under {name} {table or ''}: {formula} = {each}")
