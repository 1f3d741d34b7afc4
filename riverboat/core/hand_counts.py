"""How many hands of each kind there are, by formula.

Kinds are those that pay tables tell apart. Each formula names the ranks first, then the suits.
The tests count the same hands one by one, and hold the two against each other.
"""

from math import comb

from riverboat.core.cards import RANKS, SUITS
from riverboat.core.hands import Kind

Counts = dict[Kind, int]

_RANKS = len(RANKS)
_SUITS = len(SUITS)
_PAIRS = comb(_SUITS, 2)
_TRIPS = comb(_SUITS, 3)
_FIVE_RUNS = _RANKS - 3
"""Straights of five cards by rank: the ace stands at both ends."""


def two_card_counts() -> Counts:
    """The 1,326 hands of two cards, pairs by their rank."""
    suited, mixed = _SUITS, _SUITS**2 - _SUITS
    others = comb(_RANKS, 2) - 1
    counts = {
        "ace_king_suited": suited,
        "suited": others * suited,
        "ace_king": mixed,
        "high_card": others * mixed,
    }
    return {Kind(hand): count for hand, count in counts.items()} | {
        Kind("pair", rank): _PAIRS for rank in RANKS
    }


def three_card_counts(*, ace_low: bool) -> Counts:
    """The 22,100 hands of three cards."""
    runs = _RANKS - 1 if ace_low else _RANKS - 2
    suited = _SUITS * comb(_RANKS, 3)
    counts = {
        "mini_royal": _SUITS,
        "straight_flush": _SUITS * (runs - 1),
        "three_of_a_kind": _RANKS * _TRIPS,
        "straight": runs * (_SUITS**3 - _SUITS),
        "flush": suited - _SUITS * runs,
        "pair": _RANKS * _PAIRS * (_RANKS - 1) * _SUITS,
        "high_card": (comb(_RANKS, 3) - runs) * (_SUITS**3 - _SUITS),
    }
    return {Kind(hand): count for hand, count in counts.items()}


def five_card_counts() -> Counts:
    """The 2,598,960 hands of five cards, pairs by their rank."""
    mixed = _SUITS**5 - _SUITS
    counts = {
        "royal_flush": _SUITS,
        "straight_flush": _SUITS * (_FIVE_RUNS - 1),
        "four_of_a_kind": _RANKS * (_RANKS - 1) * _SUITS,
        "full_house": _RANKS * _TRIPS * (_RANKS - 1) * _PAIRS,
        "flush": _SUITS * (comb(_RANKS, 5) - _FIVE_RUNS),
        "straight": _FIVE_RUNS * mixed,
        "three_of_a_kind": _RANKS * _TRIPS * comb(_RANKS - 1, 2) * _SUITS**2,
        "two_pair": comb(_RANKS, 2) * _PAIRS**2 * (_RANKS - 2) * _SUITS,
        "high_card": (comb(_RANKS, 5) - _FIVE_RUNS) * mixed,
    }
    one_pair = _PAIRS * comb(_RANKS - 1, 3) * _SUITS**3
    return {Kind(hand): count for hand, count in counts.items()} | {
        Kind("pair", rank): one_pair for rank in RANKS
    }


def six_card_counts() -> Counts:
    """The 20,358,520 hands of six cards by their best five, super royals by their suit."""
    more = 52 - 5
    royal, suited_runs = _SUITS * more, _SUITS * (_FIVE_RUNS - 1) * (more - 1)
    flushes = _SUITS * (comb(_RANKS, 6) + comb(_RANKS, 5) * (52 - _RANKS))
    # Six ranks with a run: a run and any other rank, where two runs overlap counted once.
    runs_of_six = _FIVE_RUNS * (_RANKS - 5) - (_FIVE_RUNS - 1)
    six_mixed = _SUITS**6 - _SUITS * (6 * (_SUITS - 1) + 1)
    paired_mixed = _PAIRS * _SUITS**4 - _SUITS * (_SUITS - 1)
    counts = {
        "royal_flush": royal - _SUITS,
        "straight_flush": suited_runs,
        "four_of_a_kind": _RANKS * comb(48, 2),
        "full_house": comb(_RANKS, 2) * _TRIPS**2
        + _RANKS * _TRIPS * (_RANKS - 1) * _PAIRS * (_RANKS - 2) * _SUITS,
        "flush": flushes - royal - suited_runs,
        "straight": runs_of_six * six_mixed + _FIVE_RUNS * 5 * paired_mixed,
        "three_of_a_kind": _RANKS * _TRIPS * comb(_RANKS - 1, 3) * _SUITS**3,
        "two_pair": comb(_RANKS, 3) * _PAIRS**3
        + comb(_RANKS, 2) * _PAIRS**2 * comb(_RANKS - 2, 2) * _SUITS**2,
        "high_card": (comb(_RANKS, 6) - runs_of_six) * six_mixed,
    }
    return (
        {Kind(hand): count for hand, count in counts.items()}
        | {Kind("super_royal", suit=suit): 1 for suit in SUITS}
        | {
            Kind("pair", rank): (comb(_RANKS - 1, 4) - _runs_with(place)) * paired_mixed
            for place, rank in enumerate(RANKS)
        }
    )


def _runs_with(rank: int) -> int:
    """In how many straights of five a rank stands; the ace stands in the lowest and the highest."""
    ladder = (_RANKS - 1, *range(_RANKS))
    return sum(rank in ladder[low : low + 5] for low in range(_FIVE_RUNS))
