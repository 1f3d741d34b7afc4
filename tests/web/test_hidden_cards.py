"""Nobody's screen ever gets a card that they may not know at that moment: every frame of every
kind of eyes, through rounds of every rulebook, against the true deck."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, to_builtins

from riverboat.core.cards import parse_card
from riverboat.rulebooks import rulebook_ids
from riverboat.web.accounts import Guest
from riverboat.web.api.seat import told_again
from riverboat.web.demo.tables import demo_tables
from riverboat.web.house import House
from riverboat.web.rounds.story import Eyes, finished_round, pictures, told_round
from tests.support.apart import run_apart
from tests.web.playing import Eye, Moment, give_money, moments, people, play
from tests.web.running import new_house, sqlite_url

pytestmark = pytest.mark.slow

ROUNDS = 6
PLAYERS = ("Ann", "Ben", "Cleo")
CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")
WORDS = {"As", "Ts"}
PRINTED = ("clauses",)
"""The rulebook's own words, the same for everybody: they speak of a pair of 6s."""


def cards_named(told: Any) -> Iterator[str]:
    """Every card that a document names: alone, or among words (where "As" is a word too)."""
    match told:
        case str():
            for found in CARD.findall(told):
                if found not in WORDS or told == found:
                    yield found
        case list() | tuple():
            for one in told:
                yield from cards_named(one)
        case Struct():
            yield from cards_named(to_builtins(told))
        case dict():
            for key, one in told.items():
                yield from cards_named(str(key))
                if key not in PRINTED:
                    yield from cards_named(one)


def where(told: Any, text: str, path: str = "") -> str:
    """Where in a document a card is named."""
    if isinstance(told, dict | list):
        pairs = told.items() if isinstance(told, dict) else enumerate(told)
        found = (where(one, text, f"{path}/{key}") for key, one in pairs)
        return next((one for one in found if one), "")
    return f"{path}: {told}" if text in str(told) else ""


def eyes_at(house: House, table: str) -> list[Eye]:
    """Three who play, one who only looks on, and people of the house."""
    guests = [Guest(name=name, door="player") for name in (*PLAYERS, "Eve")]
    guests += [Guest(name="Dora", door="dealer"), Guest(name="Sue", door="supervisor")]
    guests += [Guest(name="Otto", door="auditor"), Guest(name="Guest 1", door="visitor", demo=True)]
    return [Eye(house, guest, f"table/{table}") for guest in guests]


async def watched(house: House, table: str) -> list[Eye]:
    """Rounds at a table while people look at it."""
    await house.live.start()
    eyes = eyes_at(house, table)
    give_money(house, PLAYERS, 50_000_00)
    await asyncio.to_thread(play, house, table, people(*PLAYERS), ROUNDS, "hidden")
    await asyncio.sleep(0.3)
    await house.live.stop()
    return eyes


@pytest.mark.parametrize("rulebook", rulebook_ids())
def test_no_frame_has_a_card_that_its_reader_may_not_know(
    tmp_path: Path, rulebook: str, report: Callable[[str], None]
) -> None:
    house = new_house(sqlite_url(tmp_path))
    table = next(one for one in demo_tables(house.floor) if one.rulebook == rulebook)
    house.open_demo(table)
    eyes = run_apart(watched(house, table.name))
    truth = {moment.entry: moment for moment in moments(house.floor, table.name)}
    seen: Counter[str] = Counter()
    for eye in eyes:
        for frame in eye.frames:
            check_frame(json.loads(frame), eye.guest, truth, seen)
        seen["frames"] += len(eye.frames)
    assert seen["cards"] > 100
    assert seen["own cards before they were open"] > 20
    check_replays(house, table.name, truth, seen)
    house.close()
    report(f"frames of {rulebook}: {dict(seen)}")


def check_frame(
    frame: dict[str, Any], guest: Guest, truth: dict[int, Moment], seen: Counter[str]
) -> None:
    """Everything that a frame names may be known to its reader after that entry."""
    moment = truth.get(frame["at"])
    if moment is None:
        assert not list(cards_named(frame))
        return
    seat = PLAYERS.index(guest.name) + 1 if guest.name in PLAYERS else None
    known = moment.known_to(seat)
    for text in cards_named(frame):
        card = parse_card(text)
        assert card in known, (guest.name, frame["at"], text, where(frame, text))
        seen["cards"] += 1
        seen["own cards before they were open"] += card not in moment.open


def check_replays(house: House, table: str, truth: dict[int, Moment], seen: Counter[str]) -> None:
    """A finished round, as each player gets it, names no card that they were never shown; its
    proof holds, and the auditor's has the whole deck."""
    house.model.catch_up()
    for line in house.model.rounds.at(table, ROUNDS):
        last = max((m for m in truth.values() if m.round == line.round), key=lambda m: m.entry)
        for one in line.seats:
            document = told_round(house.floor, table, line.round, Eyes((one.seat,)))
            known = last.known_to(one.seat)
            assert all(parse_card(text) in known for text in cards_named(document))
            assert document.proof is not None
            assert all(check.holds for check in document.proof.checks)
            shown = pictures(house.floor, table, line.round, Eyes((one.seat,)))
            assert all(parse_card(text) in known for text in cards_named(shown))
            state = finished_round(house.floor, table, line.round)
            assert state is not None
            again = told_again(state, line.round, (one.seat,))
            said = [result.words for result in again.results]
            assert said
            assert all(parse_card(text) in known for text in cards_named([again.seen, said]))
            seen["replays"] += 1
        whole = told_round(house.floor, table, line.round, Eyes())
        assert whole.proof is not None
        assert len(whole.proof.openings) == 52
        assert all(check.holds for check in whole.proof.checks)
