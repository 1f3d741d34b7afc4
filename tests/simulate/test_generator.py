"""The generator against its definition, and whether every card comes as often at every place."""

from collections import Counter
from hashlib import sha256
from itertools import islice
from math import prod

import numpy as np
import pytest

from riverboat.simulate.generator import deal, dealing, next_word, stream_of

MASK = 2**64 - 1


def by_definition(state: list[int]) -> int:
    """xoshiro256++ 1.0 as its authors wrote it."""

    def turned(word: int, by: int) -> int:
        return (word << by | word >> (64 - by)) & MASK

    word = (turned((state[0] + state[3]) & MASK, 23) + state[0]) & MASK
    shifted = state[1] << 17 & MASK
    state[2] ^= state[0]
    state[3] ^= state[1]
    state[1] ^= state[2]
    state[0] ^= state[3]
    state[2] ^= shifted
    state[3] = turned(state[3], 45)
    return word


def test_words_are_those_of_the_definition() -> None:
    stream = stream_of(7, 3)
    state = [int(word) for word in stream]
    assert [int(next_word(stream)) for _ in range(1000)] == [
        by_definition(state) for _ in range(1000)
    ]
    # The first words that the authors' own program gives for the state 1, 2, 3, 4.
    known = np.array([1, 2, 3, 4], np.uint64)
    first = [41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205]
    assert [int(next_word(known)) for _ in range(5)] == first


def test_every_block_of_every_seed_has_its_own_stream() -> None:
    streams = {tuple(stream_of(seed, block)) for seed in range(40) for block in range(40)}
    assert len(streams) == 1600
    said = sha256(b"riverboat simulation v1\n12\n5\n").digest()
    assert stream_of(12, 5).astype("<u8").tobytes() == said


@pytest.mark.parametrize("cards", [1, 7, 10, 11, 19, 31, 52])
def test_cards_are_dealt_as_the_draws_say(cards: int) -> None:
    """Word by word with Python's own whole numbers; a word that would favour some cards is drawn
    anew."""
    dealt, state = dealing(3, 1, cards), [int(word) for word in stream_of(3, 1)]
    deck = list(range(52))
    for _ in range(300):
        deal(dealt)
        first = 0
        for end in map(int, dealt.ends):
            bounds = [52 - place for place in range(first, end)]
            while True:
                word, draws = by_definition(state), []
                for bound in bounds:
                    draws.append(word * bound >> 64)
                    word = word * bound & MASK
                if word >= 2**64 % prod(bounds):
                    break
            for place, draw in zip(range(first, end), draws, strict=True):
                deck[place], deck[place + draw] = deck[place + draw], deck[place]
            first = end
        assert dealt.deck.tolist() == deck
    assert first == cards


def test_batches_leave_no_order_more_likely() -> None:
    """Each word has so many equal parts for as many orders: counted for the widest batch."""
    dealt = dealing(0, 0, 52)
    first = 0
    for end, least in zip(map(int, dealt.ends), map(int, dealt.least), strict=True):
        orders = prod(52 - place for place in range(first, end))
        assert least == 2**64 % orders
        assert (2**64 - least) % orders == 0
        assert orders < 2**58
        first = end


@pytest.mark.slow
def test_cards_lie_everywhere_alike() -> None:
    """A chi-square over places and cards, and over pairs of neighbours."""
    rounds, cards = 120_000, 19
    dealt, places = dealing(11, 0, cards), np.zeros((cards, 52), np.int64)
    pairs: Counter[tuple[int, int]] = Counter()
    for _ in islice(iter(int, 1), rounds):
        deal(dealt)
        places[np.arange(cards), dealt.deck[:cards]] += 1
        pairs[int(dealt.deck[0]), int(dealt.deck[1])] += 1
    expected = rounds / 52
    chi = float(((places - expected) ** 2 / expected).sum())
    free = cards * 51
    assert abs(chi - free) < 5 * (2 * free) ** 0.5
    expected = rounds / (52 * 51)
    chi = sum((pairs[one] - expected) ** 2 / expected for one in pairs)
    chi += (52 * 51 - len(pairs)) * expected
    free = 52 * 51 - 1
    assert abs(chi - free) < 5 * (2 * free) ** 0.5
