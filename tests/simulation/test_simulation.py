"""The whole floor under faults, seed by seed: nothing acknowledged is lost or doubled, no purse is
below nothing, nobody sees a hidden card, and once nothing goes wrong any more, all goes on."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.conftest import Report, Tally
from tests.simulation.hunting import Outcome, hunt, hunting
from tests.simulation.planting import PLANTED, found
from tests.web.conftest import NEXT_MAJOR

pytestmark = pytest.mark.filterwarnings(NEXT_MAJOR)
ROOT = Path(__file__).parents[2]
EVERY_TIME = range(6)
SEEDS = range(300)
LONG = range(300, 20_000)
LYING = range(12)
A_CHUNK = 20
A_LONG_CHUNK = 394


@pytest.fixture
def hunter() -> Iterator[None]:
    """The house on the simulation's machine."""
    with hunting():
        yield


def chunks(seeds: range, size: int) -> list[range]:
    """So that several processes share them."""
    return [seeds[at : at + size] for at in range(0, len(seeds), size)]


def hunt_all(seeds: Iterable[int], tally: Tally) -> Counter[str]:
    """Every seed; what is found names the command that repeats it."""
    wrong: list[Outcome] = []
    counts: Counter[str] = Counter()
    for seed in seeds:
        outcome = hunt(seed)
        counts.update(outcome.counts)
        tally("simulated floor", outcome.counts)
        tally("simulated faults", dict(sorted(outcome.faults.items())))
        tally("simulated cuts by whose word", outcome.cuts)
        if outcome.found:
            wrong.append(outcome)
    assert not wrong, "\n\n".join(map(str, wrong))
    return counts


def test_some_seeds(hunter: None, tally: Tally) -> None:
    """Much happens in each, or finding nothing would mean nothing."""
    counts = hunt_all(EVERY_TIME, tally)
    least = {
        "commands": 20,
        "rows": 40,
        "rounds": 2,
        "frames and pages looked at": 10,
        "faults": 10,
    }
    for what, each in least.items():
        assert counts[what] >= each * len(EVERY_TIME), (what, counts[what])


@pytest.mark.slow
@pytest.mark.parametrize("seeds", chunks(SEEDS[len(EVERY_TIME) :], A_CHUNK), ids=str)
def test_seeds(hunter: None, tally: Tally, seeds: range) -> None:
    hunt_all(seeds, tally)


@pytest.mark.soak
@pytest.mark.parametrize("seeds", chunks(LONG, A_LONG_CHUNK), ids=str)
def test_many_seeds(hunter: None, tally: Tally, seeds: range) -> None:
    hunt_all(seeds, tally)


def test_a_seed_is_one_run(hunter: None) -> None:
    """Whatever ran before it, and again."""
    first = [hunt(seed) for seed in (5, 3)]
    again = [hunt(seed) for seed in (3, 5)]
    assert [one.trace for one in first] == [one.trace for one in reversed(again)]
    assert first[0].trace != first[1].trace
    assert first[0].lines == again[1].lines


@pytest.mark.slow
def test_its_command_repeats_it_exactly(hunter: None) -> None:
    """In another process too, where texts have other hashes and sets another order."""
    here = hunt(19)
    command = here.command.split()[1:]
    other = {**os.environ, "PYTHONHASHSEED": "4711"}
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, cwd=ROOT, env=other, check=False
    )
    assert f"seed 19, trace {here.trace}" in done.stdout, done.stderr
    assert done.returncode == int(bool(here.found))


@pytest.mark.slow
def test_a_disk_that_lost_what_it_acknowledged_is_noticed(hunter: None) -> None:
    """Either nothing was lost that anybody was told, or no process starts on what is left."""
    outcomes = [hunt(seed, lying_disk=True) for seed in LYING]
    assert not [str(one) for one in outcomes if one.found]
    assert sum(one.noticed for one in outcomes) > len(LYING) // 2
    assert not any(hunt(seed).noticed for seed in LYING[:3])


@pytest.mark.slow
@pytest.mark.parametrize("name", PLANTED)
def test_an_old_fault_is_found_again(hunter: None, report: Report, name: str) -> None:
    planted = PLANTED[name]
    what = found(name, iter(range(planted.within)))
    assert what is not None, f"{planted.what}: not found in {planted.within} seeds"
    seeds, fault = what
    report(f"old fault {name}, {planted.what}: found after {seeds} seeds ({fault})")
