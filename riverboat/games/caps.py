"""Aggregate limits: how far the base winnings of a hand, or of a whole round, can go."""

from collections.abc import Mapping

from msgspec.structs import replace

from riverboat.games.dues import Due, winnings
from riverboat.games.setup import Setup
from riverboat.money import Cents, divide_down, share_by_largest_remainder

Shares = dict[int, Cents]


def limit_of(setup: Setup) -> Cents | None:
    """The limit in cents; None where there is none."""
    rule = setup.book.aggregate_limit
    if rule.limit_option:
        return setup.cents("aggregate_limit")
    if rule.limit is None:
        return None
    if not rule.or_minimum_wager_win:
        return int(rule.limit)
    return max(int(rule.limit), most_at_minimum(setup))


def most_at_minimum(setup: Setup) -> Cents:
    """The most that one player could win in a round with the minimum ante.

    Which street bets that assumes is a reading: the smallest of every street ("1"), or the largest.
    """
    assert setup.base is not None
    chosen = min if setup.choice("cap_second_limb_streets") == "1" else max
    ante = setup.limits.ante.minimum_cents
    stakes = (ante, *(ante * chosen(stage.multiples) for stage in setup.stages))
    wins = [line.pays for line in setup.base.lines if line.pays.kind == "to"]
    return max((sum(winnings(setup, stake, pays) for stake in stakes) for pays in wins), default=0)


def shared_by_all(setup: Setup) -> bool:
    """Whether the limit is for all hands of the deal together."""
    scope = setup.book.aggregate_limit.scope
    return scope == "round" or setup.choice("cap_scope") == "table_round"


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
    limit = limit_of(setup)
    if limit is None:
        return dues
    by_seat: dict[int, list[int]] = {}
    for place, due in enumerate(dues):
        if counts(setup, due):
            by_seat.setdefault(due.seat, []).append(place)
    raw = {
        seat: sum(dues[place].exact_cents for place in places) for seat, places in by_seat.items()
    }
    cuts = _allowed(setup, limit, raw)
    if not cuts:
        return dues
    cut = dict(enumerate(dues))
    for seat, allowed in cuts.items():
        places = by_seat[seat]
        weights = [dues[place].exact_cents for place in places]
        unit = setup.cents("payout_unit") or 1
        whole = divide_down(allowed, unit) * unit
        shares = share_by_largest_remainder(whole, weights, unit)
        for place, share in zip(places, shares, strict=True):
            cut[place] = replace(dues[place], exact_cents=share, capped=True)
    return list(cut.values())


def _allowed(setup: Setup, limit: Cents, raw: Mapping[int, Cents]) -> Shares:
    """What each seat that the limit cuts may win."""
    if not shared_by_all(setup):
        return {seat: limit for seat, cents in raw.items() if cents > limit}
    if sum(raw.values()) <= limit:
        return {}
    unit = setup.cents("pro_rata_unit") or 1
    seats = list(raw)
    payable = divide_down(limit, unit) * unit
    shares = share_by_largest_remainder(payable, [raw[seat] for seat in seats], unit)
    return dict(zip(seats, shares, strict=True))
