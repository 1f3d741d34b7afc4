"""Chance: xoshiro256++, a stream for each block of a seed, and a deck dealt from it.

One word of 64 bits gives several draws: it is multiplied by one bound after the other, the upper
half is the draw, the lower half goes on (Lemire's method, in batches as Brackett-Rozinsky and
Lemire have it). What is left at the end says whether the word has to be drawn anew, so that every
order of the cards dealt is exactly as likely as any other.
"""

from hashlib import sha256
from math import prod
from typing import Any, Final, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from riverboat.core.cards import DECK
from riverboat.exact.kernels.compiling import compiled_within

NAME: Final = "xoshiro256++ 1.0, SHA-256 of seed and block, batched draws"
_CARDS: Final = len(DECK)
_MOST: Final = 2**58
"""Bounds whose product is less share a word: it is drawn anew once in 64 times or less often."""
_WORD: Final = 2**64

_17, _23, _41, _45, _19 = (np.uint64(n) for n in (17, 23, 41, 45, 19))
_U52, _U1, _U0 = np.uint64(_CARDS), np.uint64(1), np.uint64(0)

Words = NDArray[np.uint64]
Bytes = NDArray[np.uint8]


class Dealing(NamedTuple):
    """A stream, the deck that it has left behind, and which draws come of one word."""

    stream: Words
    deck: Bytes
    draws: Bytes
    ends: Words
    least: Words


def dealing(seed: int, block: int, cards: int) -> Dealing:
    """So many cards from the top of a deck, round after round, by this block's own stream."""
    ends: list[int] = []
    least: list[int] = []
    done = 0
    while done < cards:
        end, bounds = done, 1
        while end < cards and bounds * (_CARDS - end) < _MOST:
            bounds *= _CARDS - end
            end += 1
        ends.append(end)
        least.append(_WORD % prod(range(_CARDS - end + 1, _CARDS - done + 1)))
        done = end
    return Dealing(
        stream=stream_of(seed, block),
        deck=np.arange(_CARDS, dtype=np.uint8),
        draws=np.zeros(_CARDS, np.uint8),
        ends=np.array(ends, np.uint64),
        least=np.array(least, np.uint64),
    )


def stream_of(seed: int, block: int) -> Words:
    """The beginning of a block's stream: nobody can tell two of them from unrelated ones."""
    said = f"riverboat simulation v1\n{seed}\n{block}\n".encode()
    return np.frombuffer(sha256(said).digest(), "<u8").astype(np.uint64)


@intrinsic
def _product(typing: Any, one: Any, other: Any) -> Any:
    """Both halves of the product of two words, the upper one first: one instruction."""

    def write(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, whole = ir.IntType(64), ir.IntType(128)
        product = builder.mul(builder.zext(args[0], whole), builder.zext(args[1], whole))
        upper = builder.trunc(builder.lshr(product, ir.Constant(whole, 64)), word)
        halves = (upper, builder.trunc(product, word))
        return context.make_tuple(builder, signature.return_type, halves)

    halves_of: Any = types.UniTuple
    return halves_of(types.uint64, 2)(types.uint64, types.uint64), write


@compiled_within
def next_word(stream: Words) -> Any:
    """The next 64 bits of a stream."""
    a, b, c, d = stream[0], stream[1], stream[2], stream[3]
    word = (((a + d) << _23) | ((a + d) >> _41)) + a
    shifted = b << _17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    stream[0], stream[1], stream[2], stream[3] = a, b, c, (d << _45) | (d >> _19)
    return word


product_of: Any = _product


@compiled_within
def deal(dealing: Dealing) -> None:
    """Fresh cards at the top of the deck, whatever lay there before."""
    first = _U0
    for batch in range(dealing.ends.shape[0]):
        end = dealing.ends[batch]
        while True:
            rest = next_word(dealing.stream)
            place = first
            while place < end:
                drawn, rest = product_of(rest, _U52 - place)
                dealing.draws[place] = drawn
                place += _U1
            if rest >= dealing.least[batch]:
                break
        first = end
    deck, place = dealing.deck, _U0
    while place < first:
        other = place + np.uint64(dealing.draws[place])
        card = deck[other]
        deck[other] = deck[place]
        deck[place] = card
        place += _U1
