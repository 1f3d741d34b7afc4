"""Aggregate limits: how far the base winnings of a hand, or of a whole round, can go."""

from collections.abc import Mapping

from msgspec.structs import replace

from riverboat.core.money import Cents, divide_down, round_to_unit, share_by_largest_remainder
from riverboat.round.dues import Due
from riverboat.round.setup import Setup


def is_shared(setup: Setup, reading: str) -> bool:
    """Whether the limit, read in this way, is for all hands of the deal together."""
    return setup.book.aggregate_limit.scope == "round" or reading == "table_round"


def counts(setup: Setup, due: Due) -> bool:
    """Whether a payout falls under the limit."""
    rule = setup.book.aggregate_limit
    if due.outcome != "win" or due.pays.kind != "to":
        return False
    if rule.from_odds is not None and due.pays.amount < rule.from_odds * due.pays.per:
        return False
    if due.spot.startswith("tip_"):
        return "tips" in rule.counts and due.spot.removeprefix("tip_") in setup.base_spots
    return due.spot in setup.base_spots or due.spot in rule.counts


def limited(setup: Setup, dues: list[Due]) -> list[Due]:
    """The same dues with the limit applied to those that it counts."""
    if setup.aggregate_limit_cents is None:
        return dues
    by_seat: dict[int, list[int]] = {}
    for place, due in enumerate(dues):
        if counts(setup, due):
            by_seat.setdefault(due.seat, []).append(place)
    raw = {
        seat: sum([dues[place].exact_cents for place in places]) for seat, places in by_seat.items()
    }
    limited = list(dues)
    for seat, whole in left_by_limit(setup, raw, setup.choice("cap_scope")).items():
        places = by_seat[seat]
        weights = [dues[place].exact_cents for place in places]
        shares = share_by_largest_remainder(whole, weights, setup.payout_unit_cents)
        for place, cents in zip(places, shares, strict=True):
            paid = setup.payable(cents)
            limited[place] = replace(dues[place], exact_cents=cents, paid_cents=paid, capped=True)
    return limited


def left_by_limit(setup: Setup, raw: Mapping[int, Cents], reading: str) -> dict[int, Cents]:
    """What each seat that the limit cuts may win, in whole units, where it is read in this way."""
    limit = setup.aggregate_limit_cents
    assert limit is not None
    if not is_shared(setup, reading):
        left = {seat: limit for seat, cents in raw.items() if cents > limit}
    elif sum(raw.values()) <= limit:
        return {}
    else:
        pot = round_to_unit(limit, unit := setup.cents("pro_rata_unit") or 1, divide_down)
        shares = share_by_largest_remainder(pot, list(raw.values()), unit)
        left = dict(zip(raw, shares, strict=True))
    unit = setup.payout_unit_cents
    return {seat: round_to_unit(cents, unit, divide_down) for seat, cents in left.items()}
