"""The exact Mississippi Stud solve beside a bare loop that ranks every five-card hand once.

    .venv/bin/python bench/mississippi_solve.py [--rulebook ID] [--ante 1] [--runs 30]

The loop is C where a compiler is found, else numba; it looks a hand's value up in tables under one
megabyte by sums of keys, which is about as fast as hands can be ranked. Both are measured in one
run, in turns, by CPU time, without compiling; the fastest of all runs counts.
"""

import argparse
import ctypes
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import combinations_with_replacement
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from riverboat.core.hands import rank_five
from riverboat.exact.base_games.street_payoffs import payoffs_of
from riverboat.exact.base_games.streets import Solution, solve
from riverboat.exact.kernels import deck_tables
from riverboat.exact.kernels.compiling import compiled
from riverboat.round import set_up
from riverboat.rulebooks import load

HANDS = 2_598_960
KEYS = (0, 1, 5, 22, 94, 312, 992, 2422, 5624, 12522, 19998, 43258, 79415)
MOST_WHOLE, MOST_AGAIN = 10, 1
TABLES = [made for made in vars(deck_tables).values() if hasattr(made, "cache_clear")]
C_LOOP = """
#include <stdint.h>
static const int32_t key[13] = {KEYS};
uint64_t every_hand(const uint16_t *plain, const uint16_t *suited) {
    uint64_t sum = 0;
    for (int a = 0; a < 48; a++) for (int b = a + 1; b < 49; b++)
    for (int c = b + 1; c < 50; c++) for (int d = c + 1; d < 51; d++) {
        int32_t four = key[a >> 2] + key[b >> 2] + key[c >> 2] + key[d >> 2];
        if (((a ^ b) | (a ^ c) | (a ^ d)) & 3) {
            for (int e = d + 1; e < 52; e++) sum += plain[four + key[e >> 2]];
        } else {
            int32_t mask = 1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2) | 1 << (d >> 2);
            for (int e = d + 1; e < 52; e++)
                sum += (a ^ e) & 3 ? plain[four + key[e >> 2]] : suited[mask | 1 << (e >> 2)];
        }
    }
    return sum;
}
""".replace("KEYS", ", ".join(map(str, KEYS)))


def value_tables() -> tuple[np.ndarray, np.ndarray, int]:
    """The order of every hand by the sum of its keys, and by its ranks where it is suited."""
    plain_hands, suited_hands = {}, {}
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] == ranks[4]:
            continue
        suits = [place % 4 for place in range(5)]
        cards = [rank * 4 + suit for rank, suit in zip(ranks, suits, strict=True)]
        if len(set(cards)) < 5:
            cards = [rank * 4 + ranks[:place].count(rank) for place, rank in enumerate(ranks)]
        plain_hands[sum(KEYS[rank] for rank in ranks)] = rank_five(cards)
        if len(set(ranks)) == 5:
            mask = sum(1 << rank for rank in ranks)
            suited_hands[mask] = rank_five([rank * 4 for rank in ranks])
    values = sorted({*plain_hands.values(), *suited_hands.values()})
    order = {value: number for number, value in enumerate(values, start=1)}
    assert len(plain_hands) == 6175
    assert len(order) == 7462
    plain, suited = np.zeros(max(plain_hands) + 1, np.uint16), np.zeros(8192, np.uint16)
    for key, value in plain_hands.items():
        plain[key] = order[value]
    for mask, value in suited_hands.items():
        suited[mask] = order[value]
    return plain, suited, len(order)


@compiled
def numba_loop(plain: np.ndarray, suited: np.ndarray, key: np.ndarray) -> int:
    """The same loop for machines without a C compiler."""
    total = 0
    for a in range(48):
        for b in range(a + 1, 49):
            for c in range(b + 1, 50):
                for d in range(c + 1, 51):
                    four = key[a >> 2] + key[b >> 2] + key[c >> 2] + key[d >> 2]
                    alike = ((a ^ b) | (a ^ c) | (a ^ d)) & 3 == 0
                    mask = 1 << (a >> 2) | 1 << (b >> 2) | 1 << (c >> 2) | 1 << (d >> 2)
                    for e in range(d + 1, 52):
                        if alike and (a ^ e) & 3 == 0:
                            total += suited[mask | 1 << (e >> 2)]
                        else:
                            total += plain[four + key[e >> 2]]
    return total


def bare_loop(folder: Path) -> tuple[str, Callable[[], int]]:
    """What is measured against, and its name."""
    plain, suited, _ = value_tables()
    compiler = shutil.which("gcc") or shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        key = np.array(KEYS, np.int64)
        return "numba", lambda: int(numba_loop(plain, suited, key))
    source, library = folder / "loop.c", folder / "loop.so"
    source.write_text(C_LOOP)
    flags = ("-O3", "-march=native", "-shared", "-fPIC")
    subprocess.run([compiler, *flags, "-o", str(library), str(source)], check=True)
    every_hand = ctypes.CDLL(str(library)).every_hand
    every_hand.restype = ctypes.c_uint64
    address = [ctypes.c_void_p(table.ctypes.data) for table in (plain, suited)]
    kept = (plain, suited)
    return f"C ({Path(compiler).name} -O3)", lambda: int(every_hand(*address)) + 0 * len(kept)


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--rulebook", default="maryland-2014")
    asked.add_argument("--ante", type=int, default=1, help="in dollars")
    asked.add_argument("--runs", type=int, default=30)
    given = asked.parse_args()
    setup = set_up(load(given.rulebook).book, {})
    ante = max(setup.limits.ante.minimum_cents, given.ante * 100)

    def tables() -> object:
        for made in TABLES:
            made.cache_clear()
        return deck_tables.deck_in_short()

    def whole() -> object:
        tables()
        return solve(setup, ante).value

    payoffs = payoffs_of(setup, ante)
    with tempfile.TemporaryDirectory() as folder:
        name, loop = bare_loop(Path(folder))
        jobs: dict[str, Callable[[], object]] = {
            f"rank {HANDS:,} hands, {name}": loop,
            "whole solve: tables of cards, pay table through the engine, solution": whole,
            "  of it: tables of cards": tables,
            "re-solve: pay table through the engine, solution": lambda: solve(setup, ante).value,
            "  of it: pay table through the engine": lambda: payoffs_of(setup, ante),
            "  of it: solution": lambda: Solution(payoffs).value,
            "all figures of a solution": lambda: Solution(payoffs).figures.element_of_risk,
        }
        fastest = dict.fromkeys(jobs, float("inf"))
        for job in jobs.values():
            job()
        for _ in range(given.runs):
            for title, job in jobs.items():
                began = time.process_time_ns()
                job()
                fastest[title] = min(fastest[title], (time.process_time_ns() - began) / 1e6)
    unit, *_ = fastest.values()
    print(f"{given.rulebook}: value {solve(setup, ante).value}")
    for title, spent in fastest.items():
        print(f"{spent:8.2f} ms {spent / unit:7.2f} ×  {title}")
    times = list(fastest.values())
    for title, spent, most in (("whole", times[1], MOST_WHOLE), ("re-solve", times[3], MOST_AGAIN)):
        verdict = "holds" if spent <= most * unit else "MISSED"
        print(f"{title}: {spent / unit:.2f} × of at most {most} ×: {verdict}")


if __name__ == "__main__":
    main()
