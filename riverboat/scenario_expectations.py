"""What a scenario expects, held against what its round did."""

from collections.abc import Iterator
from typing import NamedTuple

from riverboat.errors import Refused
from riverboat.games import Round
from riverboat.money import METER_UNITS_PER_CENT, Cents, divide_down, show_dollars
from riverboat.notation import log_lines
from riverboat.scenario_file import Scenario, signed_cents


class Difference(NamedTuple):
    """One expectation that does not hold."""

    what: str
    expected: str
    got: str
    cites: tuple[str, ...]


class Played(NamedTuple):
    """How a scenario went: the round as far as it got, and the request that was refused."""

    state: Round | None
    refusal: Refused | None


def differences(scenario: Scenario, played: Played) -> Iterator[Difference]:
    """Every expectation that does not hold."""
    yield from _refusal(scenario, played.refusal)
    state, expect = played.state, scenario.expect
    for seat, net in expect.net.items():
        yield from _money(scenario, f"net.{seat}", net, _seat_cents(state, seat, None))
    for seat, results in expect.results.items():
        for spot, result in results.items():
            got = _seat_cents(state, seat, spot)
            yield from _money(scenario, f"results.{seat}.{spot}", result, got)
    if state is not None:
        reserve = divide_down(state.meter.reserve_units, METER_UNITS_PER_CENT)
        for what, amount, cents in (
            ("tip_box", expect.tip_box, state.tip_box_cents),
            ("meter", expect.meter, state.meter.cents),
            ("reserve", expect.reserve, reserve),
        ):
            if amount is not None:
                yield from _money(scenario, what, amount, cents)
    yield from _states(scenario, state)
    yield from _log(scenario, state)


def _seat_cents(state: Round | None, seat: str, spot: str | None) -> Cents:
    """What a seat has won or lost; nothing where no wager of its was taken."""
    found = state.seats.get(int(seat)) if state is not None else None
    if found is None:
        return 0
    return found.net_cents if spot is None else found.results.get(spot, 0)


def _money(scenario: Scenario, what: str, expected: str, got: Cents) -> Iterator[Difference]:
    wanted = signed_cents(expected)
    if wanted != got:
        yield Difference(what, show_dollars(wanted), show_dollars(got), scenario.clauses)


def _refusal(scenario: Scenario, refusal: Refused | None) -> Iterator[Difference]:
    wanted = scenario.expect.refused
    if refusal is None:
        if wanted not in (None, False):
            expected = "true" if wanted is True else str(wanted)
            yield Difference("refused", expected, "nothing was", scenario.clauses)
    elif wanted in (None, False):
        yield Difference("refused", "nothing", f"{refusal.code}: {refusal}", refusal.cites)
    elif isinstance(wanted, str) and wanted not in refusal.cites:
        yield Difference("refused", wanted, f"{refusal.code}: {refusal}", refusal.cites)


def came_as_expected(scenario: Scenario, played: Played) -> bool:
    """Whether the round went on, or stopped, as the scenario has it."""
    return not any((*_refusal(scenario, played.refusal), *_states(scenario, played.state)))


def _states(scenario: Scenario, state: Round | None) -> Iterator[Difference]:
    """What stops a round or takes its deck away must be expected; silence means that it did not."""
    expect = scenario.expect
    for what, expected, got in (
        ("void", expect.void, state is not None and state.phase == "void"),
        ("deck_removed", expect.deck_removed, state is not None and state.deck_removed),
        ("deal_blocked", expect.deal_blocked, state is not None and state.blocked),
        ("suspended", expect.suspended, state is not None and state.suspended),
    ):
        wanted = expected is True
        if wanted != got:
            yield Difference(what, str(wanted).lower(), str(got).lower(), scenario.clauses)


def _log(scenario: Scenario, state: Round | None) -> Iterator[Difference]:
    history = state.history if state is not None else ()
    entries = [line for event in history for line in log_lines(event)]
    for unwanted in scenario.expect.never:
        if unwanted in entries:
            yield Difference("never", f"no {unwanted}", unwanted, scenario.clauses)
    watched = [entry for entry in entries if entry.split()[0] in scenario.expect.only]
    if scenario.expect.only and watched != list(scenario.expect.log):
        yield Difference(
            "log", ", ".join(scenario.expect.log), ", ".join(watched), scenario.clauses
        )
    lines = iter(entries)
    for number, wanted in enumerate(scenario.expect.log, start=1):
        if wanted not in lines:
            yield Difference(f"log.{number}", wanted, "not there, or not in this order", ())
            return
