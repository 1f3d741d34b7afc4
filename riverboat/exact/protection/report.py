"""The game protection laboratory's report: what can be known, what an exposed card does, and what
changes of the pay lines are worth, as one document with fractions as text and floats for print.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import zip_longest
from typing import Any

from msgspec import Struct, to_builtins

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.exact.caching import in_json
from riverboat.exact.protection import knowledge as k
from riverboat.exact.rule_changes import base_lines_moved
from riverboat.exact.solvers import ByShape, is_streets
from riverboat.round.setup.setup import Setup

MOST_HANDS = 5


def exposed(setup: Setup, known: k.Knowledge) -> tuple[str, Fraction | None]:
    """This table's standing order for a card that is seen too early, and what the house loses by it
    for each player of that round, in antes; None where the floor decides.

    A void round gives every wager back, so the house loses what it would have won; a round that
    goes on gives everybody the knowledge.
    """
    option = ByShape("exposed_community_card", "exposed_dealer_card").at(setup)
    rule = setup.named(option) or "not said"
    after = {"void": Fraction(0), "continue": known.value}.get(rule)
    return rule, None if after is None else after - known.base


class Watch(Struct, frozen=True, kw_only=True):
    """What the laboratory is asked: stakes, pace, and how much is sampled."""

    ante_cents: Cents
    rounds_an_hour: int = 45
    hands: int = MOST_HANDS
    samples: int = k.SAMPLES
    seed: int = k.SEED


def protection_document(
    setup: Setup, watch: Watch, progress: k.Progress | None = None
) -> dict[str, Any]:
    """Every kind of knowledge, what an exposed card does, and what the rules' changes are worth."""
    if watch.rounds_an_hour < 1:
        text = f"`rounds_an_hour` {watch.rounds_an_hour}: at least one round an hour is needed"
        raise NotationError("protect.bad_pace", text)
    if watch.hands < 0:
        text = f"`hands` {watch.hands}: there cannot be fewer than no other hands"
        raise NotationError("protect.bad_hands", text)
    if watch.samples < k.FEWEST_SAMPLES:
        text = (
            f"`samples` {watch.samples}: an error cannot be told from fewer than {k.FEWEST_SAMPLES}"
        )
        raise NotationError("protect.bad_samples", text)
    direct = tuple(k.cards_known(setup, watch.ante_cents, progress))
    hands = tuple(_hands_known(setup, watch, progress))
    seen = direct[: k.SINGLE_CARDS.at(setup)]
    return {
        "rulebook": setup.book.id,
        "game": setup.book.game,
        "seats": setup.seats,
        "ante": watch.ante_cents / 100,
        "rounds_an_hour": watch.rounds_an_hour,
        "ev": str(direct[0].base),
        "knowledge": [_knowledge(known, watch) for known in (*direct, *hands)],
        "exposed_cards": [_exposed(setup, known, watch) for known in seen],
        "pay_lines": to_builtins([*base_lines_moved(setup, watch.ante_cents)], enc_hook=str),
        "seat_by_seat": list(_seats(setup, direct[0].base, hands, watch)),
    }


def _hands_known(setup: Setup, watch: Watch, progress: k.Progress | None) -> Iterator[k.Knowledge]:
    """One other hole is gone through completely; more, and hands of five, are sampled."""
    for others in range(1, min(watch.hands, setup.seats - 1) + 1):
        if others == 1 and is_streets(setup.book):
            yield k.one_other_hand(setup, watch.ante_cents, progress)
        else:
            yield k.other_hands(
                setup,
                others,
                watch.ante_cents,
                samples=watch.samples,
                seed=watch.seed,
                progress=progress,
            )


def _hourly(antes: Fraction, watch: Watch) -> float:
    return float(antes * watch.ante_cents * watch.rounds_an_hour) / 100


def _knowledge(known: k.Knowledge, watch: Watch) -> dict[str, Any]:
    found: dict[str, Any] = {
        "what": known.what,
        "method": known.method,
        "ev": str(known.value),
        "gain": str(known.gain),
        "win_an_hour": _hourly(known.value, watch),
        "gain_an_hour": _hourly(known.gain, watch),
        "holders": known.holders,
        "all_holders_gain_an_hour": _hourly(known.gain * known.holders, watch),
    }
    if known.method == "sampled":
        found |= in_json(known, "samples") | in_json(watch, "seed")
        found |= in_json(known, "standard_error", "bound", "confidence")
    return found


def _exposed(setup: Setup, known: k.Knowledge, watch: Watch) -> dict[str, Any]:
    rule, costs = exposed(setup, known)
    return {
        "card": known.what,
        "rule": rule,
        "ev_if_it_goes_on": str(known.value),
        "ev_if_void": "0",
        "costs_the_house": None if costs is None else str(costs),
        "dollars_a_player": None if costs is None else float(costs * watch.ante_cents) / 100,
    }


def _seats(
    setup: Setup, base: Fraction, hands: tuple[k.Knowledge, ...], watch: Watch
) -> Iterator[dict[str, Any]]:
    """What each further seat is worth: an honest table, and one where all show their hands."""
    values = [base, *(known.value for known in hands)]
    for seats, value in zip_longest(range(1, setup.seats + 1), values[: setup.seats]):
        yield {
            "seats": seats,
            "house_wins_an_hour": _hourly(-base * seats, watch),
            "if_all_collude": None if value is None else _hourly(-value * seats, watch),
        }
