"""Rounds a second of the engine, beside hands a second of other poker libraries, in one run.

    .venv/bin/python bench/rounds.py [--seconds 5] [--only NAME …]

Every row is measured alone, in one process, by its CPU time. The peers of `peers.txt` are installed
into an environment of their own, which nothing else uses; each is then measured by this same file,
started with that environment's Python. What is measured is said in `README.md`.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv-peers"
SEATS = range(1, 7)
TABLES: dict[str, dict[str, str | int]] = {
    "maryland-2014": {
        "three_card_bonus": "MD-2014-3CB-A",
        "six_card_bonus": "MD-2014-6CB-A",
        "progressive_wager": "1",
        "seats": len(SEATS),
    },
    "south-dakota-3cb": {
        "three_card_bonus": "SD-3CB-3CB-A",
        "progressive": "SD-3CB-PROG-MS-Stud-01",
        "seats": len(SEATS),
    },
    "island-stud": {
        "bonus": "IS-01",
        "progressive": "IS-PROG-PMG-01",
        "seats": len(SEATS),
    },
}
COMPILED = (*TABLES, "caribbean-demo")
"""Played by the compiled rounds too, with six seats, every side bet and the best play."""
CORES = 2
ACE, KING, JACK = 12, 11, 9


class Row(NamedTuple):
    """One line of the table: how many rounds or hands, in how much CPU time."""

    library: str
    what: str
    done: int = 0
    cpu_seconds: float = 0.0
    note: str = ""

    @property
    def a_second(self) -> float:
        return self.done / self.cpu_seconds if self.cpu_seconds else 0.0


Play = Callable[[], int]
"""Plays one round or hand and says what its note counts: events, or decisions."""


def measure(library: str, what: str, play: Play, counted: str, seconds: float) -> Row:
    """Play for so much CPU time, after a first stretch that fills every cache."""
    for _ in range(20):
        play()
    count, tally, began = 0, 0, time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for _ in range(10):
            tally += play()
        count += 10
    return Row(library, what, count, spent, f"{tally / count:.1f} {counted}")


# ---------------------------------------------------------------- Riverboat


def riverboat_rows(seconds: float, chosen: Callable[[str], bool]) -> list[Row]:
    """Whole rounds: every wager, action and event, settled to the cent and closed."""
    sys.path.insert(0, str(HERE.parent))
    rows = []
    for rulebook in filter(chosen, TABLES):
        table = Table(rulebook)
        rows.append(measure("Riverboat", rulebook, table.play, "events", seconds))
    return rows


def explanation_rows(seconds: float, chosen: Callable[[str], bool]) -> list[Row]:
    """Every result of a finished round in words; derived only when somebody asks."""
    from riverboat.wording.explaining import explain

    rows = []
    for rulebook in filter(chosen, TABLES):
        table = Table(rulebook)
        finished = cycle([table.round() for _ in range(1000)])

        def told(finished: Iterator[Any] = finished) -> int:
            return len(explain(next(finished)))

        rows.append(measure("Riverboat", f"{rulebook}, explained", told, "sentences", seconds))
    return rows


def compiled_rows(seconds: float, chosen: Callable[[str], bool]) -> list[Row]:
    """The compiled rounds, dealt and with the meter running, in blocks as `simulate` plays them."""
    from riverboat.simulate.blocks import ROUNDS, play_block

    rows = []
    for rulebook in filter(chosen, COMPILED):
        job = compiled_job(rulebook)
        play_block(job, 0, 1000)
        count, began = 0, time.process_time()
        while (spent := time.process_time() - began) < seconds:
            count += play_block(job, count, ROUNDS).rounds
        rows.append(Row("Riverboat, compiled", rulebook, count, spent))
    return rows


def compiled_job(rulebook: str) -> Any:
    """What the blocks of a six-seat table are played by; its limits are the rulebook's."""
    from riverboat.meter.amounts import meter_of
    from riverboat.round import set_up
    from riverboat.rulebooks import load
    from riverboat.simulate.simulating import every_bet, prepared, wagers_of
    from riverboat.simulate.table import Meters

    book = load(rulebook).book
    setup = set_up(book, every_bet(book, TABLES.get(rulebook, {}), len(SEATS)))
    assert setup.progressive is not None
    meters = Meters(meter_of(setup.progressive.seed_cents), runs=True)
    return prepared(setup, wagers_of(setup), 7, meters=meters).job


def cores_row(rulebook: str, seconds: float) -> str:
    """How much faster several processes are than one, by the clock, on the same blocks."""
    from riverboat.simulate.blocks import ROUNDS
    from riverboat.simulate.workers import Where, played

    job, spent = compiled_job(rulebook), dict[int, float]()
    rounds = int(seconds * CORES) * 40 * ROUNDS
    for processes in (1, CORES):
        told: list[tuple[int, float]] = []

        def note(done: int, told: list[tuple[int, float]] = told) -> None:
            told.append((done, time.perf_counter()))

        played(job, rounds, where=Where(processes), progress=note)
        # From the first task on: starting a process is not what is measured.
        (first, began), (last, ended) = told[0], told[-1]
        spent[processes] = (last - first) / (ended - began)
    rates = ", ".join(f"{cores}: {rate:,.0f}" for cores, rate in spent.items())
    return f"{rulebook}, rounds a second by processes: {rates}; {spent[CORES] / spent[1]:.2f} times"


class Table:
    """Six seats that place every wager there is, decide by a simple rule, and are settled."""

    def __init__(self, rulebook: str) -> None:
        from riverboat.core.cards import DECK
        from riverboat.meter.amounts import meter_of
        from riverboat.round import actions, open_round, play, set_up
        from riverboat.round.streets import deal_out, seat_to_act
        from riverboat.rulebooks import load

        self.a, self.open_round, self.step_on = actions, open_round, play
        self.deal_out, self.seat_to_act, self.deck = deal_out, seat_to_act, list(DECK)
        self.setup = set_up(load(rulebook).book, TABLES[rulebook])
        progressive = self.setup.progressive
        assert progressive is not None
        self.meter = meter_of(progressive.seed_cents)
        self.wagers = {"ante": 1000, **dict.fromkeys(self.setup.bonuses, 500)}
        self.wagers["progressive"] = progressive.wager_cents
        self.rng = random.Random(7)

    def play(self) -> int:
        return len(self.round().history)

    def round(self) -> Any:
        a, play, seat_to_act = self.a, self.step_on, self.seat_to_act
        state = self.open_round(self.setup, self.meter)
        for seat in SEATS:
            for spot, cents in self.wagers.items():
                state = play(state, a.Wager(seat=seat, spot=spot, cents=cents))
        state = play(state, a.CloseBets())
        state = play(state, a.LockProgressive())
        state = play(state, a.CollectProgressive(chips=len(SEATS)))
        self.rng.shuffle(self.deck)
        places = self.deal_out(self.setup, SEATS, self.deck)
        state = play(state, a.Deal(places=places))
        while state.phase in ("deciding", "turning"):
            acting = seat_to_act(state)
            state = play(state, a.Turn() if acting is None else self.decision(state, acting))
        state = play(play(state, a.SettleAll()), a.Close())
        self.meter = state.meter
        return state

    def decision(self, state: Any, number: int) -> Any:
        """The most with a pair; else the least with a jack or better (ace and king); else fold."""
        seat = state.seats[number]
        ante = seat.wagers["ante"]
        ranks = [card >> 2 for card in seat.cards + state.community[: state.turned]]
        paired = len(set(ranks)) < len(ranks)
        if state.dealer:
            worth_it = paired or (ACE in ranks and KING in ranks)
            return self.a.Bet(seat=number, cents=2 * ante) if worth_it else self.a.Fold(seat=number)
        if paired:
            return self.a.Bet(seat=number, cents=3 * ante)
        if max(ranks) >= JACK:
            return self.a.Bet(seat=number, cents=ante)
        return self.a.Fold(seat=number)


# ---------------------------------------------------------------- the peers


def pokerkit_rows(seconds: float) -> list[Row]:
    """Six seats; everything that the dealer does is left to PokerKit's automations."""
    from pokerkit import Automation, FixedLimitTexasHoldem, NoLimitTexasHoldem

    automations = tuple(a for a in Automation if a is not Automation.RUNOUT_COUNT_SELECTION)
    stacks, rng = (10_000,) * len(SEATS), random.Random(7)

    def no_limit() -> int:
        state = NoLimitTexasHoldem.create_state(
            automations, True, 0, (50, 100), 100, stacks, len(SEATS)
        )
        decisions = 0
        while state.status:
            if rng.random() < 0.25 and state.can_fold():
                state.fold()
            else:
                state.check_or_call()
            decisions += 1
        return decisions

    def limit() -> int:
        state = FixedLimitTexasHoldem.create_state(
            automations, True, 0, (50, 100), 100, 200, stacks, len(SEATS)
        )
        decisions = 0
        while state.status:
            state.check_or_call()
            decisions += 1
        return decisions

    say = "hold'em, six seats"
    return [
        measure("PokerKit", f"no-limit {say}, folding or calling", no_limit, "decisions", seconds),
        measure("PokerKit", f"limit {say}, called down", limit, "decisions", seconds),
    ]


def openspiel_rows(seconds: float) -> list[Row]:
    """Two seats at random, through the Python binding; the game itself is C++."""
    import pyspiel

    game = pyspiel.load_game(
        "universal_poker(betting=limit,numPlayers=2,numRounds=4,blind=10 5,raiseSize=10 10 20 20,"
        "firstPlayer=2 1 1 1,maxRaises=3 4 4 4,numSuits=4,numRanks=13,numHoleCards=2,"
        "numBoardCards=0 3 1 1)"
    )
    rng = random.Random(7)

    def hand() -> int:
        state, decisions = game.new_initial_state(), 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(rng.choice(state.legal_actions()))
        state.returns()
        return decisions

    what = "limit hold'em, two seats, at random (C++)"
    return [measure("OpenSpiel", what, hand, "decisions", seconds)]


def rlcard_rows(seconds: float) -> list[Row]:
    """Two seats at random."""
    import rlcard
    from rlcard.agents import RandomAgent

    env = rlcard.make("limit-holdem", config={"seed": 7})
    env.set_agents([RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])

    def hand() -> int:
        trajectories, _ = env.run()
        return sum(len(steps) // 2 for steps in trajectories)

    return [measure("RLCard", "limit hold'em, two seats, at random", hand, "decisions", seconds)]


PEERS = {"pokerkit": pokerkit_rows, "open_spiel": openspiel_rows, "rlcard": rlcard_rows}


def peer_rows(name: str, requirement: str, seconds: float) -> list[Row]:
    """Install a peer and measure it in its own environment; what goes wrong becomes its row."""
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not python.exists():
        say(f"making {VENV}")
        run([sys.executable, "-m", "venv", str(VENV)])
        (VENV / ".gitignore").write_text("*\n", "utf-8")
    say(f"{requirement}: installing and measuring")
    try:
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        run([*pip, requirement])
        printed = run([str(python), __file__, "--peer", name, "--seconds", str(seconds)])
    except subprocess.CalledProcessError as failed:
        reason = (failed.stderr or "").strip().splitlines()[-1:]
        return [Row(requirement, "not measured", note=" ".join(reason))]
    return [Row(requirement, *row[1:]) for row in json.loads(printed.splitlines()[-1])]


def run(command: list[str]) -> str:
    """The output of a command that must not fail."""
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=clean)
    return done.stdout


# ---------------------------------------------------------------- the table


def say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


def show(rows: list[Row]) -> None:
    """Rates, and how many times as many as the faster row of PokerKit."""
    pokerkit = max((row.a_second for row in rows if row.library.startswith("pokerkit")), default=0)
    width = max(len(row.what) for row in rows)
    print(f"{'':19} {'':{width}} {'a CPU second':>13} {'× PokerKit':>11}   in each")
    for row in rows:
        rate = f"{row.a_second:,.0f}" if row.done else "–"
        ratio = f"{row.a_second / pokerkit:.1f}" if pokerkit and row.done else "–"
        print(f"{row.library:19} {row.what:{width}} {rate:>13} {ratio:>11}   {row.note}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0, help="CPU time of every row")
    parser.add_argument("--only", nargs="*", default=[], help="rulebooks and peers to measure")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.peer:
        print(json.dumps(PEERS[chosen.peer](chosen.seconds)))
        return 0

    def wanted(name: str) -> bool:
        return not chosen.only or name in chosen.only

    say("measuring the engine")
    rows = riverboat_rows(chosen.seconds, wanted)
    say("measuring the compiled rounds")
    rows += compiled_rows(chosen.seconds, wanted)
    for requirement in (HERE / "peers.txt").read_text("utf-8").split():
        name = requirement.partition("==")[0]
        if wanted(name):
            rows += peer_rows(name, requirement, chosen.seconds)
    show(rows)
    print()
    for rulebook in filter(wanted, COMPILED[:1]):
        print(cores_row(rulebook, chosen.seconds))
    print()
    say("measuring explanations")
    show(explanation_rows(chosen.seconds, wanted))
    return 0


if __name__ == "__main__":
    sys.exit(main())
