"""Is the shuffle fair? Ten million decks of it, three tests, one run.

    .venv/bin/python bench/shuffles.py [--shuffles 10000000] [--processes 2]

The pass rule, stated before the run:

- The shuffle is `riverboat.core.shuffling.shuffle` as it is played, from the system's entropy.
- Three tests, each a χ² of counts against what a fair shuffle gives on average:
  1. position × card: (51/52)·X² over the 52 × 52 counts, 51² = 2,601 degrees of freedom;
  2. starting hands: the two cards at positions 1 and 2, in any order; 1,326 kinds, 1,325 degrees;
  3. neighbours: at one random position of each deck, the card there and the next one, in order;
     2,652 kinds, 2,651 degrees. The position comes from entropy of its own.
- The level is 1 percent for the three together, so one third of a percent for each (Bonferroni).
  The shuffle passes if no test has a p value below that. A fair one fails once in a hundred runs.
- One run counts. It is not repeated until it passes, and the number of decks is fixed beforehand.
- A planted bias, the naive shuffle (swap each position with any of the 52), goes through the same
  tests with as many decks. Each of the three must reject it, or the tests prove nothing. Its exact
  chances are known: a deck adds 0.66, 0.061 and 0.000061 to X² of the three on average, so that
  the third needs the ten million (it then overlooks the bias about twice in a million runs).
- Fewer decks are a rehearsal and no evidence; there the first two tests must reject the bias.

The exit status is 0 if the shuffle passes and the bias is rejected, else 1.
"""

import argparse
import math
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, permutations
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from riverboat.core.cards import DECK  # noqa: E402
from riverboat.core.shuffling import Entropy, shuffle  # noqa: E402

LEVEL = 0.01
TESTS = 3
LEVEL_OF_EACH = LEVEL / TESTS
CARDS = len(DECK)
FEWEST_DECKS = 60_000
FULL_RUN = 10_000_000
DECKS_AT_ONCE = 50_000

Shuffle = Callable[[Entropy], tuple[int, ...]]
Pair = tuple[int, int]


# ---------------------------------------------------------------- the planted bias

_ANY_CARD = bytes(byte % CARDS for byte in range(256))
_NO_CARD = bytes(range(256 // CARDS * CARDS, 256))


def naive_shuffle(entropy: Entropy) -> tuple[int, ...]:
    """The well-known mistake: swap each position with any of the 52.

    52**52 equally likely ways to swap cannot be shared out evenly among 52! orders. Every single
    swap is drawn without bias, so that the mistake itself is all that is wrong.
    """
    places = b""
    while len(places) < CARDS:
        places += entropy(80).translate(_ANY_CARD, _NO_CARD)
    order = list(DECK)
    for position, other in zip(DECK, places, strict=False):
        order[position], order[other] = order[other], order[position]
    return tuple(order)


SHUFFLES: dict[str, Shuffle] = {"shuffle": shuffle, "naive swap": naive_shuffle}


# ---------------------------------------------------------------- counting


class Tally(NamedTuple):
    """The counts that the three tests look at."""

    shuffles: int
    placed: Counter[Pair]
    """(position, card)"""
    starts: Counter[Pair]
    """the cards at positions 1 and 2, the lower first"""
    neighbours: Counter[Pair]
    """(a card, the next one)"""

    def __add__(self, other: object) -> "Tally":
        assert isinstance(other, Tally)
        return Tally(
            self.shuffles + other.shuffles,
            self.placed + other.placed,
            self.starts + other.starts,
            self.neighbours + other.neighbours,
        )


NOTHING = Tally(0, Counter(), Counter(), Counter())


def tally(shuffled: Shuffle, shuffles: int, entropy: Entropy, own_entropy: Entropy) -> Tally:
    """Shuffle so many decks and count; `own_entropy` chooses the places of test 3."""
    decks = [bytes(shuffled(entropy)) for _ in range(shuffles)]
    all_cards = b"".join(decks)
    columns = [all_cards[position::CARDS] for position in DECK]
    placed = Counter(
        {(p, card): columns[p].count(card) for p in DECK for card in DECK if card in columns[p]}
    )
    ordered = Counter(zip(columns[0], columns[1], strict=True))
    starts: Counter[Pair] = Counter()
    for (first, second), count in ordered.items():
        starts[min(first, second), max(first, second)] += count
    places = random_places(shuffles, own_entropy)
    pairs = ((deck[place], deck[place + 1]) for deck, place in zip(decks, places, strict=True))
    return Tally(shuffles, placed, starts, Counter(pairs))


def random_places(count: int, entropy: Entropy) -> Iterator[int]:
    """Places 0 to 50, each as likely: 255 is five times 51, so only the byte 255 is thrown away."""
    places = b""
    while len(places) < count:
        places += entropy(count).translate(None, b"\xff")
    return (byte % (CARDS - 1) for byte in places[:count])


# ---------------------------------------------------------------- testing


class Verdict(NamedTuple):
    """One line of the table."""

    test: str
    statistic: float
    degrees: int
    p_value: float

    @property
    def rejected(self) -> bool:
        return self.p_value < LEVEL_OF_EACH


def verdicts(counts: Tally) -> list[Verdict]:
    """The three tests on one tally.

    Why 51/52 in the first: a fair deck gives an entry (position, card) of its 52 × 52 table the
    chance 1/n, n = 52, but rows and columns all sum to one. For two entries the covariance is
    (n-1)/n² for the same one, -1/n² in one row or column, and 1/n - 1/n² shared among n-1, that is
    1/(n²(n-1)), in neither. This is 1/(n-1) times P ⊗ P with P = I - J/n, the projection that takes
    the mean away. So with T decks the deviations divided by √T tend to a normal vector that lies in
    a space of (n-1)² dimensions and there has variance 1/(n-1) in every direction. X² divides their
    squares by 1/n: it tends to n/(n-1) times χ² with (n-1)² degrees, and (n-1)/n·X² to χ² itself.
    In the other two tests a deck adds to exactly one of k counts, which is Pearson's X² with k-1.
    """
    placed = [(position, card) for position in DECK for card in DECK]
    starts, neighbours = list(combinations(DECK, 2)), list(permutations(DECK, 2))
    rows = [
        (
            "position × card",
            (CARDS - 1) / CARDS * squares(counts.placed, placed, counts.shuffles / CARDS),
            (CARDS - 1) ** 2,
        ),
        (
            "starting hands",
            squares(counts.starts, starts, counts.shuffles / len(starts)),
            len(starts) - 1,
        ),
        (
            "neighbours",
            squares(counts.neighbours, neighbours, counts.shuffles / len(neighbours)),
            len(neighbours) - 1,
        ),
    ]
    return [Verdict(test, x2, degrees, chance_above(x2, degrees)) for test, x2, degrees in rows]


def squares(counts: Counter[Pair], kinds: list[Pair], expected: float) -> float:
    """Pearson's X²; a kind that never came counts too."""
    return math.fsum((counts[kind] - expected) ** 2 / expected for kind in kinds)


def chance_above(x2: float, degrees: int) -> float:
    """The chance that χ² exceeds this: the upper incomplete gamma function Q(degrees/2, x2/2).

    The series below the mean and the continued fraction (Lentz) above, the usual way; everything
    that is huge or tiny is kept as a logarithm.
    """
    a, x = degrees / 2, x2 / 2
    if x <= 0:
        return 1.0
    front = a * math.log(x) - x - math.lgamma(a)
    if x < a + 1:
        term = total = 1 / a
        k = a
        while term > total * 1e-17:
            k += 1
            term *= x / k
            total += term
        return 1 - math.exp(front + math.log(total))
    tiny = 1e-300
    b = x + 1 - a
    c, d = 1 / tiny, 1 / b
    fraction = d
    for n in range(1, 1_000_000):
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b or tiny)
        c = b + step / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return math.exp(front + math.log(fraction))


# ---------------------------------------------------------------- running


def count_some(task: tuple[str, int]) -> Tally:
    """What one process does at a time, with the system's entropy."""
    name, shuffles = task
    return tally(SHUFFLES[name], shuffles, os.urandom, os.urandom)


def count_all(name: str, shuffles: int, processes: int) -> Tally:
    """So many decks, over all processes, with progress on standard error."""
    whole, rest = divmod(shuffles, DECKS_AT_ONCE)
    tasks = [(name, DECKS_AT_ONCE)] * whole + [(name, rest)] * (rest > 0)
    total = NOTHING
    with Pool(processes) as pool:
        for part in pool.imap_unordered(count_some, tasks):
            total += part
            sys.stderr.write(f"\r{name}: {total.shuffles:,} of {shuffles:,} decks ")
            sys.stderr.flush()
    sys.stderr.write("\n")
    return total


def show(name: str, found: list[Verdict], shuffles: int) -> None:
    """The table of one shuffle."""
    print(f"\n{name}, {shuffles:,} decks")
    print(f"  {'test':<16} {'X²':>14} {'df':>6} {'p value':>10}  verdict")
    for verdict in found:
        p_value = f"{verdict.p_value:.4f}" if verdict.p_value >= 1e-4 else "< 0.0001"
        word = "rejected" if verdict.rejected else "passes"
        print(
            f"  {verdict.test:<16} {verdict.statistic:>14,.1f} {verdict.degrees:>6,}"
            f" {p_value:>10}  {word}"
        )


def show_speed(decks: int) -> None:
    """CPU time of a deck beside the standard library's shuffle from the same entropy, in turns."""
    system, cards = random.SystemRandom(), list(DECK)
    ours = theirs = 0.0
    for _ in range(10):
        began = time.process_time()
        for _ in range(decks // 10):
            shuffle()
        between = time.process_time()
        for _ in range(decks // 10):
            system.shuffle(cards)
        ours += between - began
        theirs += time.process_time() - between
    print(
        f"\nA deck takes {ours / decks * 1e6:.1f} µs of CPU time: {ours / theirs:.2f} of"
        f" random.SystemRandom().shuffle ({theirs / decks * 1e6:.1f} µs)."
    )


def bias_noticed(found: list[Verdict], shuffles: int) -> bool:
    """Whether every test that has the decks to notice the planted bias has rejected it."""
    able = found if shuffles >= FULL_RUN else found[:2]
    return all(verdict.rejected for verdict in able)


def main() -> int:
    parser = argparse.ArgumentParser(description="The shuffle's statistical evidence.")
    parser.add_argument("--shuffles", type=int, default=FULL_RUN)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    if chosen.shuffles < FEWEST_DECKS:
        parser.error(f"--shuffles: at least {FEWEST_DECKS}, or χ² is no approximation")

    rehearsal = chosen.shuffles < FULL_RUN
    must = "the first two tests" if rehearsal else "each test"
    print(f"Pass rule: level {LEVEL:.0%} for {TESTS} tests together, {LEVEL_OF_EACH:.4f} for each;")
    print(f"one run, not repeated; the naive swap must be rejected by {must}.")
    if rehearsal:
        print(f"A rehearsal: evidence starts at {FULL_RUN:,} decks.")
    found = {}
    for name in SHUFFLES:
        found[name] = verdicts(count_all(name, chosen.shuffles, max(1, chosen.processes)))
        show(name, found[name], chosen.shuffles)
    show_speed(20_000)

    fair = not any(verdict.rejected for verdict in found["shuffle"])
    noticed = bias_noticed(found["naive swap"], chosen.shuffles)
    print(f"\nThe shuffle {'passes' if fair else 'FAILS'}; the planted bias", end=" ")
    print(f"is {'' if noticed else 'NOT '}rejected by {must}.")
    return 0 if fair and noticed else 1


if __name__ == "__main__":
    sys.exit(main())
