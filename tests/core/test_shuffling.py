"""The shuffle is exactly uniform if its bytes are, and the tests that judge it can tell."""

import inspect
import math
import os
import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations, product

import numpy as np
import pytest

from bench import shuffles as bench
from riverboat.core import shuffling
from riverboat.core.cards import DECK, check_deck
from riverboat.core.shuffling import (
    Entropy,
    EntropyFailed,
    fresh_salts,
    fresh_word,
    scripted_entropy,
    shuffle,
)


class NothingLeft(Exception):
    """A written-out source of entropy has no more bytes."""


def only(text: bytes) -> Entropy:
    """Entropy that is written out beforehand."""
    rest = iter(text)

    def give(count: int) -> bytes:
        given = bytes(byte for _, byte in zip(range(count), rest, strict=False))
        if len(given) < count:
            raise NothingLeft
        return given

    return give


def every_text(length: int) -> Iterator[bytes]:
    return map(bytes, product(range(256), repeat=length))


def orders_from(
    drawn: Callable[[Entropy], tuple[int, ...]], texts: Iterator[bytes]
) -> tuple[Counter[tuple[int, ...]], int]:
    """How often each order comes, and how often a draw was thrown away, over all these texts."""
    orders: Counter[tuple[int, ...]] = Counter()
    thrown_away = 0
    for text in texts:
        try:
            orders[drawn(only(text))] += 1
        except NothingLeft:
            thrown_away += 1
    return orders, thrown_away


# ---------------------------------------------------------------- exactly uniform


@pytest.mark.parametrize(
    ("size", "width", "each", "thrown_away"),
    [(2, 1, 128, 0), (3, 1, 42, 4), (4, 1, 10, 16), (5, 1, 2, 16), (6, 2, 91, 16)],
)
def test_over_every_possible_draw_each_order_of_a_small_deck_comes_equally_often(
    size: int, width: int, each: int, thrown_away: int
) -> None:
    deck = tuple(range(size))
    found, lost = orders_from(lambda entropy: shuffling._shuffled(deck, entropy), every_text(width))
    assert found == dict.fromkeys(permutations(deck), each)
    assert lost == thrown_away


def test_over_every_possible_draw_the_naive_swap_prefers_some_orders_of_a_small_deck() -> None:
    def naive(entropy: Entropy) -> tuple[int, ...]:
        order = list(range(4))
        (byte,) = entropy(1)
        for position in range(4):
            other = byte >> 2 * position & 3
            order[position], order[other] = order[other], order[position]
        return tuple(order)

    found, lost = orders_from(naive, every_text(1))
    assert sum(found.values()) == 256
    assert lost == 0
    assert (min(found.values()), max(found.values())) == (8, 15)


def test_the_whole_deck_is_shuffled_by_the_very_code_that_the_small_decks_check() -> None:
    for seed in ("one", "two", "three"):
        small = shuffling._shuffled(DECK, scripted_entropy(seed))
        assert shuffle(scripted_entropy(seed)) == small != DECK


def test_every_number_below_the_limit_is_taken_and_the_limit_itself_is_drawn_anew() -> None:
    orders = math.factorial(52)
    limit = 2**232 // orders * orders
    assert limit == 85 * orders
    last = shuffle(only((limit - 1).to_bytes(29, "big")))
    assert last == shuffle(only((orders - 1).to_bytes(29, "big")))
    with pytest.raises(NothingLeft):
        shuffle(only(limit.to_bytes(29, "big")))
    again = limit.to_bytes(29, "big") + (limit - 1).to_bytes(29, "big")
    assert shuffle(only(again)) == last


def test_different_numbers_give_different_orders_up_to_the_count_of_orders() -> None:
    chosen = random.Random(52)
    lots = {chosen.randrange(math.factorial(52)) for _ in range(2000)}
    orders = {shuffle(only(lot.to_bytes(29, "big"))) for lot in lots}
    assert len(orders) == len(lots) == 2000


# ---------------------------------------------------------------- the source


def test_the_shuffle_takes_the_system_s_entropy_unless_told_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for drawn in (shuffle, fresh_salts, fresh_word):
        assert inspect.signature(drawn).parameters["entropy"].default is os.urandom
    monkeypatch.setattr(random, "random", None)
    first, second = shuffle(), shuffle()
    check_deck(first)
    assert first != second


def test_a_source_that_gives_too_few_bytes_is_not_dealt_from() -> None:
    for drawn in (shuffle, fresh_salts, fresh_word):
        with pytest.raises(EntropyFailed) as refusal:
            drawn(lambda count: bytes(count - 1))
        assert refusal.value.code == "entropy.short"


def test_a_source_that_is_stuck_ends_in_an_error_and_not_in_an_endless_loop() -> None:
    with pytest.raises(EntropyFailed) as refusal:
        shuffle(lambda count: b"\xff" * count)
    assert refusal.value.code == "entropy.stuck"


def test_salts_and_nonces_are_long_and_never_the_same() -> None:
    salts = fresh_salts() + fresh_salts()
    assert {len(bytes.fromhex(salt)) for salt in salts} == {32}
    assert len(set(salts)) == 104
    assert len(bytes.fromhex(fresh_word())) == 32
    assert fresh_word() != fresh_word()


def test_scripted_entropy_is_the_same_for_the_same_text_however_it_is_asked_for() -> None:
    one, other = scripted_entropy("a day"), scripted_entropy("a day")
    assert one(100) == other(1) + other(32) + other(67)
    assert one(32) != one(32)
    assert scripted_entropy("a day")(100) != scripted_entropy("another day")(100)
    assert [shuffle(scripted_entropy("x")) for _ in range(2)] == [
        shuffle(scripted_entropy("x"))
    ] * 2


# ---------------------------------------------------------------- the judges

# From tables of χ²: degrees of freedom, value, chance above it.
QUANTILES = [
    (1, 3.841459, 0.05),
    (1, 6.634897, 0.01),
    (10, 18.307038, 0.05),
    (10, 3.940299, 0.95),
    (100, 124.342113, 0.05),
    (100, 135.806723, 0.01),
    (100, 77.929465, 0.95),
]


@pytest.mark.parametrize(("degrees", "value", "chance"), QUANTILES)
def test_the_p_values_agree_with_the_tables(degrees: int, value: float, chance: float) -> None:
    assert bench.chance_above(value, degrees) == pytest.approx(chance, rel=2e-6)


@pytest.mark.parametrize("degrees", [2, 100, 1326, 2602, 2652])
@pytest.mark.parametrize("factor", [0.9, 0.97, 1.0, 1.03, 1.1, 1.5])
def test_the_p_values_agree_with_the_sum_that_even_degrees_have(
    degrees: int, factor: float
) -> None:
    half = degrees * factor / 2
    terms = (k * math.log(half) - half - math.lgamma(k + 1) for k in range(degrees // 2))
    poisson = math.fsum(map(math.exp, terms))
    assert bench.chance_above(degrees * factor, degrees) == pytest.approx(poisson, rel=1e-8)


def test_counts_of_a_few_known_decks_are_as_counted_by_hand() -> None:
    turned = (*DECK[1:], 0)
    decks = iter([DECK, DECK, turned])
    counts = bench.tally(lambda _: next(decks), 3, scripted_entropy("-"), lambda n: bytes([7] * n))
    assert counts.shuffles == 3
    assert sum(counts.placed.values()) == 3 * 52
    assert (counts.placed[0, 0], counts.placed[0, 1], counts.placed[51, 0]) == (2, 1, 1)
    assert counts.starts == {(0, 1): 2, (1, 2): 1}
    assert counts.neighbours == {(7, 8): 2, (8, 9): 1}


def test_the_random_places_are_0_to_50_each_from_as_many_bytes() -> None:
    places = Counter(bench.random_places(255, lambda count: bytes(range(count + 1))))
    assert places == dict.fromkeys(range(51), 5)
    assert set(bench.random_places(10, lambda count: b"\xff\x07" * count)) == {7}


def test_the_factor_of_the_first_test_makes_the_mean_over_fair_decks_its_degrees() -> None:
    """Every single deck gives the same sum, so one is enough; without the factor it is 2,652."""
    counts = bench.tally(shuffle, 1, scripted_entropy("one deck"), scripted_entropy("at"))
    assert bench.verdicts(counts)[0].statistic == pytest.approx(51**2)


def test_sixty_thousand_decks_of_the_shuffle_pass_and_of_the_naive_swap_are_rejected() -> None:
    found = {
        name: bench.verdicts(
            bench.tally(
                shuffled, 60_000, scripted_entropy(f"sixty thousand {name}"), scripted_entropy("at")
            )
        )
        for name, shuffled in bench.SHUFFLES.items()
    }
    assert [verdict.degrees for verdict in found["shuffle"]] == [2601, 1325, 2651]
    assert not any(verdict.rejected for verdict in found["shuffle"])
    assert bench.bias_noticed(found["naive swap"], 60_000)


def test_a_full_run_must_reject_the_bias_in_each_test_and_a_rehearsal_in_the_first_two() -> None:
    seen, overlooked = (bench.Verdict("", 0.0, 1, p) for p in (0.0, 0.5))
    assert not bench.bias_noticed([seen, seen, overlooked], 10_000_000)
    assert bench.bias_noticed([seen, seen, seen], 10_000_000)
    assert bench.bias_noticed([seen, seen, overlooked], 60_000)
    assert not bench.bias_noticed([seen, overlooked, seen], 60_000)


def swap(position: int, other: int) -> list[int]:
    """Where the card of each position lies after a swap."""
    after = list(DECK)
    after[position], after[other] = other, position
    return after


def naive_chances(wanted: "np.typing.NDArray[np.float64]") -> "np.typing.NDArray[np.float64]":
    """The exact chance, for every two cards, that the naive swap takes them to wanted places.

    Backwards from the last swap: before it, a chance is the mean over the 52 places it may choose.
    """
    for position in reversed(DECK):
        swaps = [swap(position, other) for other in DECK]
        wanted = np.mean([wanted[np.ix_(after, after)] for after in swaps], axis=0)
    return wanted


def test_the_exact_chances_of_the_naive_swap_say_which_test_needs_how_many_decks() -> None:
    """What the pass rule of the bench relies on: what a biased deck adds to X² on average."""
    spots = np.eye(52)
    for position in reversed(DECK):
        swaps = [spots[swap(position, other)] for other in DECK]
        spots = np.mean(swaps, axis=0)
    assert 51 / 52 * ((spots * 52 - 1) ** 2).sum() / 52 == pytest.approx(0.658, rel=0.01)

    first_two = np.zeros((52, 52))
    first_two[0, 1] = first_two[1, 0] = 1
    hands = naive_chances(first_two)[np.triu_indices(52, 1)]
    assert hands.sum() == pytest.approx(1)
    assert ((hands * 1326 - 1) ** 2).sum() / 1326 == pytest.approx(0.0607, rel=0.01)

    side_by_side = np.eye(52, k=1)
    pairs = naive_chances(side_by_side)[~np.eye(52, dtype=bool)] / 51
    assert pairs.sum() == pytest.approx(1)
    assert ((pairs * 2652 - 1) ** 2).sum() / 2652 == pytest.approx(0.000061, rel=0.01)
