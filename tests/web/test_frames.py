"""Whatever comes over the WebSocket is as its published schema says: every kind of frame, for every
kind of eyes, through rounds, a jackpot and a table with real cards."""

import asyncio
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from msgspec.json import encode

from riverboat.floor.autopilot import attend
from riverboat.web.accounts import DOORS, Guest
from riverboat.web.api.tables import Asked, carry_out
from riverboat.web.demo.jackpot import jackpot_table, next_of_show, open_show
from riverboat.web.demo.roles import take_over
from riverboat.web.demo.tables import DemoTable, demo_tables, open_demo_floor
from riverboat.web.house import House
from riverboat.web.screens.frames import frames_schema, table_frame
from tests.support.apart import run_apart
from tests.web.playing import Eye, give_money, people, play
from tests.web.running import Server, new_house, sqlite_url

PLAYERS = ("Ann", "Ben")
ANN = Guest(name="Ann", door="player")


@pytest.fixture(scope="module")
def validator() -> Any:
    """The published schema, with no field that it does not name."""
    schema = frames_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    for shape in schema["$defs"].values():
        shape.setdefault("additionalProperties", False)
    return jsonschema.Draft202012Validator(schema)


def guests() -> list[Guest]:
    """Somebody of every door, and those who sit at the table."""
    own = [Guest(name=name, door="player") for name in PLAYERS]
    return own + [Guest(name=door, door=door, demo=door == "visitor") for door in DOORS]


async def watched(house: House, table: str, meter: str) -> list[Eye]:
    """A round while everybody looks at the table, its meter and the lobby; then the ledger goes."""
    await house.live.start()
    topics = (f"table/{table}", f"meter/{meter}", "lobby")
    eyes = [Eye(house, guest, topic) for guest in guests() for topic in topics]
    give_money(house, PLAYERS, 50_000_00)
    await asyncio.to_thread(play, house, table, people(*PLAYERS), 1, "frames")
    await asyncio.sleep(0.6)
    house.live._came(set(), lost=True)
    await asyncio.sleep(0.3)
    await house.live.stop()
    return eyes


def test_every_frame_of_a_demo_round_is_as_the_schema_says(tmp_path: Path, validator: Any) -> None:
    house = new_house(sqlite_url(tmp_path))
    open_demo_floor(house.floor)
    house.model.catch_up()
    table, meter = next(meters_of(house))
    seen: Counter[str] = Counter()
    for eye in run_apart(watched(house, table, meter)):
        for frame in map(json.loads, eye.frames):
            validator.validate(frame)
            seen[frame["kind"]] += 1
            seen["console"] += "console" in frame
            seen["decide"] += "decide" in (frame.get("you") or {})
    house.close()
    assert set(seen) == {"table", "sign", "lobby", "lost", "console", "decide"}
    assert min(seen.values()) > 0, seen


def meters_of(house: House) -> Iterator[tuple[str, str]]:
    """Tables that play for a meter, with it."""
    for one in demo_tables(house.floor):
        link = house.floor.station(one.name).link
        if link:
            yield one.name, link


def test_a_jackpot_is_told_to_its_supervisor_as_the_schema_says(
    tmp_path: Path, validator: Any
) -> None:
    house = new_house(sqlite_url(tmp_path))
    open_show(house.floor, jackpot_table(house.floor, "Show"))
    house.model.catch_up()
    seen = set()
    for step in range(200):
        for door in ("dealer", "supervisor", "player"):
            frame = told(house, "Show", Guest(name=door, door=door))
            validator.validate(frame)
            seen |= {name for name in frame["keys"] if frame["keys"][name]}
        doing = next_of_show(house.floor, "Show", house.model.standing_at("Show"))
        if doing is None:
            break
        attend(house.floor, f"show {step}", "Show", doing)
    house.close()
    assert {"lights", "locked", "state", "key", "lamps", "next"} <= seen


def test_a_lesson_with_real_cards_is_told_as_the_schema_says(
    tmp_path: Path, validator: Any
) -> None:
    house = new_house(sqlite_url(tmp_path))
    first = next(iter(demo_tables(house.floor)))
    house.open_demo(DemoTable("Lesson", first.rulebook, first.choices, 2, physical=True))
    take_over(house.floor, "lesson", ANN, "Lesson", "dealer")
    house.model.catch_up()
    before = -1
    for step in range(120):
        frame = told(house, "Lesson", ANN)
        validator.validate(frame)
        action = (frame["console"]["step"] or {}).get("do")
        if frame["at"] == before or frame["console"]["reports"]:
            break
        before = frame["at"]
        doing = house.attendants.next_at("Lesson")
        if doing is None and action is not None:
            carry_out(house, ANN, "Lesson", Asked(id=f"step {step:06}", action=action))
        elif doing is not None:
            attend(house.floor, f"step {step:06}", "Lesson", doing)
    assert frame["console"]["reports"], frame["console"]["step"]
    house.close()


def told(house: House, table: str, guest: Guest) -> dict[str, Any]:
    """A table's frame as it is sent."""
    house.model.catch_up()
    frame: dict[str, Any] = json.loads(
        encode(table_frame(house.model, table, guest, house.waiting))
    )
    return frame


def test_the_schema_is_published(floor_server: Server) -> None:
    answer = floor_server.client().get("/api/frames.json")
    assert answer.headers["content-type"].startswith("application/schema+json")
    assert answer.json() == json.loads(json.dumps(frames_schema()))


def test_a_field_that_the_schema_does_not_name_is_caught(validator: Any) -> None:
    good = {"kind": "lost", "topic": "lobby"}
    validator.validate(good)
    for wrong in ({**good, "more": 1}, {"kind": "lost"}, {"kind": "lots", "topic": "lobby"}):
        with pytest.raises(jsonschema.ValidationError):
            validator.validate(wrong)
