"""The exact Island Stud solve beside a brute force that deals the dealer every hand, in one run.

    PYTHONPATH=. .venv/bin/python bench/island_solve.py [--cells 400] [--repeat 3]

All by CPU time of one process, after compiling. The brute force is reduced by suits: of cells (a
player's hand and an up-card) that differ only in the names of suits it deals one. It would take
minutes to hours, so it is ESTIMATED: the time of a random sample of cells times the number of
cells. The sample's counts are compared with those of the solve, cell by cell.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterator

import numpy as np

from riverboat.exact.base_games.dealer_game import dealer_counts, solve_against_dealer
from riverboat.exact.kernels.dealer_choices import against_dealer
from riverboat.exact.kernels.dealer_hands import count_dealer_hands, every_value
from riverboat.round import set_up
from riverboat.rulebooks import load


def cpu_seconds(work: Callable[[], object], repeat: int) -> float:
    """The least of a few runs."""
    taken = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def reduced_cells() -> Iterator[tuple[int, int]]:
    """Every class of hands with every up-card; of suits held alike only the first counts."""
    for place, row in enumerate(dealer_counts().cards):
        held: dict[int, frozenset[int]] = {
            suit: frozenset(int(card) >> 2 for card in row if card & 3 == suit) for suit in range(4)
        }
        first = {ranks: suit for suit, ranks in reversed(held.items())}
        for suit in sorted(first.values()):
            yield from ((place, rank * 4 + suit) for rank in range(13) if rank not in held[suit])


def brute_force(cells: list[tuple[int, int]]) -> None:
    """Deal every dealer hand in these cells, and hold the counts against the solve's."""
    counts = dealer_counts()
    for place, up_card in cells:
        mine = counts.cards[place]
        live = np.array([c for c in range(52) if c != up_card and c not in mine], np.int64)
        found = against_dealer(live, up_card, int(counts.values[place]), counts.threshold)
        assert found[0] + found[3] == counts.lower[place, up_card]
        assert found[1] + found[4] == counts.ties[place, up_card]
        assert sum(found[:3]) == counts.short[place, up_card]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cells", type=int, default=400, help="cells in the sample")
    parser.add_argument("--repeat", type=int, default=3)
    asked = parser.parse_args()
    setup = set_up(load("island-stud").book, {})
    edge = solve_against_dealer(setup).figures.house_edge
    threshold = dealer_counts().threshold
    ranking = cpu_seconds(every_value, asked.repeat)
    counting = cpu_seconds(lambda: count_dealer_hands(threshold), asked.repeat)
    resolve = cpu_seconds(lambda: solve_against_dealer(setup).figures, asked.repeat)
    cells = list(reduced_cells())
    sample = random.Random(7).sample(cells, asked.cells)
    brute_force(sample[:2])
    sampled = cpu_seconds(lambda: brute_force(sample), 1)
    brute = sampled / len(sample) * len(cells)
    print(f"house edge                              {edge} = {float(edge):.6%}")
    print(f"rank all 2,598,960 hands once           {ranking:10.4f} s")
    print(f"exact solve: count, then decide         {counting + resolve:10.4f} s")
    print(f"  of which a re-solve for another table {resolve:10.4f} s")
    print(f"brute force, {len(sample)} of {len(cells):,} cells    {sampled:10.4f} s")
    print(f"brute force, all cells (ESTIMATED)      {brute:10.1f} s")
    print(f"brute force / exact solve               {brute / (counting + resolve):10.0f} x")


if __name__ == "__main__":
    main()
