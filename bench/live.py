"""From one person's action to everybody's screen: 300 connected clients on 50 tables.

    .venv/bin/python bench/live.py [--seconds 15] [--rate 200]

A server process with the durable ledger (SQLite, full sync) has 50 tables with six people each, all
connected. A second process posts their actions (an ante put down, and taken back again) over HTTP
as browsers do, with session, form secret and command id, at a steady rate. In the server the time
is taken from the durable append to the moment when the last of the six frames was handed to its
socket. Beside it, a bare echo: the same server sends as many bytes to as many sockets, with no
rules, no ledger and nobody's eyes to respect.
"""

import argparse
import asyncio
import json
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Awaitable, Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

TABLES, SEATS = 50, 6
RULEBOOK = "south-dakota-3cb"
MOST_SECONDS = 30.0


# ---------------------------------------------------------------- the server's process


class Watch:
    """When a table's rows became durable, and when the last screen of that table had them."""

    def __init__(self) -> None:
        self.lags: list[float] = []
        self.open: dict[str, list[float]] = {}

    def durable(self, stream: str) -> None:
        self.open[stream] = [time.perf_counter(), 0]

    def sent(self, topic: str) -> None:
        began = self.open.get(topic)
        if began is None:
            return
        began[1] += 1
        if began[1] == SEATS:
            self.lags.append(time.perf_counter() - began[0])
            del self.open[topic]


def watch_appends(watch: Watch, floor: Any) -> None:
    from riverboat.floor.codec import TABLE

    append = floor.ledger.append

    def watched(command: Any, *writes: Any) -> Any:
        receipt = append(command, *writes)
        for row in receipt.rows:
            if row.stream.startswith(TABLE):
                watch.durable(row.stream)
        return receipt

    floor.ledger.append = watched


def watch_screens(watch: Watch) -> None:
    from riverboat.web.screens.live import Screen

    async def frames(self: Any) -> Any:
        while not self.closed:
            await self._something.wait()
            self._something.clear()
            waiting, self._waiting = self._waiting, {}
            for topic, frame in waiting.items():
                yield frame
                watch.sent(topic)

    Screen.frames = frames  # type: ignore[method-assign]


def run_server(folder: str, port: int, tell: Any, stop: Any) -> None:
    import uvicorn
    from litestar import Request, post

    import riverboat.web.server.app as app_module
    from riverboat.floor.floor import Floor
    from riverboat.floor.secret import MasterSecret
    from riverboat.ledger import open_ledger
    from riverboat.rulebooks import editions
    from riverboat.web.auth import ANYBODY, opens_to
    from riverboat.web.house import House, Manner
    from riverboat.web.server.monitoring import start_logs

    watch = Watch()
    url = f"sqlite:///{folder}/floor.db"
    floor = Floor(open_ledger(url), editions(), MasterSecret(bytes(32)))
    house = House(floor, Manner(demo=False, local_demo=False))
    people = seat_people(house)

    watch_appends(watch, floor)
    watch_screens(watch)
    start_logs("error")

    @post("/echo", opt=opens_to(ANYBODY), status_code=200)
    async def echo(request: Request[Any, Any, Any]) -> dict[str, bool]:
        data = json.loads(await request.body())
        topic, frame = data["topic"], b"x" * data["bytes"]
        watch.durable(topic)
        for screen in house.live._screens.get(topic, ()):
            screen.show(topic, frame)
        return {"sent": True}

    app = app_module.make_app(house, "a secret of the bench and of nothing else")
    app.register(echo)
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", ws="websockets-sansio")
    )

    async def main() -> None:
        serving = asyncio.create_task(server.serve())
        while not server.started:
            await asyncio.sleep(0.05)
        tell.put(people)
        while not stop.is_set():
            await asyncio.sleep(0.05)
            if not tell_lags.empty():
                tell_lags.get()
                tell.put((list(watch.lags), time.process_time()))
                watch.lags.clear()
        server.should_exit = True
        await serving

    tell_lags = stop.lags
    asyncio.run(main())


def seat_people(house: Any) -> list[tuple[str, int, str]]:
    """Fifty tables that wait for bets; each person's table, seat and session."""
    from riverboat.floor.autopilot import Manners, attend, next_doing
    from riverboat.round import actions as g
    from riverboat.table import actions as a
    from riverboat.web.accounts import Guest
    from riverboat.web.demo.tables import DemoTable, open_demo_table

    people = []
    for number in range(TABLES):
        name = f"Live {number + 1}"
        open_demo_table(house.floor, DemoTable(name, RULEBOOK, {}, 0))
        for seat in range(1, SEATS + 1):
            guest = Guest(name=f"P{number}-{seat}", door="player")
            house.play_money.top_up(f"bench {guest.name}", guest.name, 1_000_00)
            assert guest.actor is not None
            house.floor.ask(f"sit {guest.name}", guest.actor, name, a.SitDown(seat=seat))
            people.append((name, seat, house.accounts.let_in(guest)))
        for step in range(200):
            day = house.floor.station(name).day
            if day.in_round and day.playing.phase == "betting":
                break
            doing = next_doing(house.floor, name, {}, Manners(seed="bench"))
            assert doing is not None
            assert not isinstance(doing.ask, g.CloseBets)
            attend(house.floor, f"bench {name} {step}", name, doing)
    return people


# ---------------------------------------------------------------- the clients' process


async def look(port: int, table: str, token: str, frames: list[int]) -> None:
    import websockets

    from riverboat.web.auth import COOKIE

    address = f"ws://127.0.0.1:{port}/live?look=table/{table.replace(' ', '%20')}"
    headers = {"Cookie": f"{COOKIE}={token}"}
    async with websockets.connect(address, additional_headers=headers, compression=None) as socket:
        async for frame in socket:
            frames[0] += 1
            frames[1] = len(frame)


DOWN: set[int] = set()
"""Whose ante lies on the table."""


async def act(port: int, people: list[tuple[str, int, str]], rate: float, seconds: float) -> int:
    """Antes go down and come back, spread over all tables, at a steady rate."""
    import httpx

    from riverboat.web.auth import COOKIE, CSRF_COOKIE, CSRF_HEADER

    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        form = (await client.get("/health")).cookies[CSRF_COOKIE]
        client.cookies.clear()
        waiting: set[asyncio.Task[None]] = set()
        done = 0

        async def one(number: int) -> None:
            nonlocal done
            table, seat, token = people[number]
            kind = "take_back" if number in DOWN else "wager"
            action: dict[str, Any] = {"do": kind, "seat": seat, "spot": "ante"}
            if kind == "wager":
                action["cents"] = 1000
            DOWN.symmetric_difference_update({number})
            answer = await client.post(
                f"/api/tables/{table.replace(' ', '%20')}/commands",
                content=json.dumps({"id": str(uuid.uuid4()), "action": action}),
                headers={
                    "content-type": "application/json",
                    CSRF_HEADER: form,
                    "cookie": f"{COOKIE}={token}; {CSRF_COOKIE}={form}",
                },
            )
            assert answer.status_code == 200, answer.text
            done += 1

        return await _steadily(one, len(people), rate, seconds, waiting) and done


async def _steadily(one: Any, people: int, rate: float, seconds: float, waiting: Any) -> int:
    """One action of the next person whenever it is time, whether or not the last has an answer."""
    begin, sent = time.monotonic(), 0
    busy: set[int] = set()

    async def once(number: int) -> None:
        try:
            await one(number)
        finally:
            busy.discard(number)

    while time.monotonic() - begin < seconds:
        due = int((time.monotonic() - begin) * rate)
        while sent < due:
            number = (sent * 7) % people
            sent += 1
            if number in busy:
                continue
            busy.add(number)
            task = asyncio.create_task(once(number))
            waiting.add(task)
            task.add_done_callback(waiting.discard)
        await asyncio.sleep(0.002)
    await asyncio.gather(*waiting)
    return sent


async def echoes(port: int, tables: list[str], size: int, rate: float, seconds: float) -> int:
    import httpx

    from riverboat.web.auth import CSRF_COOKIE, CSRF_HEADER

    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=30) as client:
        form = (await client.get("/health")).cookies[CSRF_COOKIE]
        waiting: set[asyncio.Task[None]] = set()

        async def one(number: int) -> None:
            sent = {"topic": f"table/{tables[number]}", "bytes": size}
            answer = await client.post("/echo", json=sent, headers={CSRF_HEADER: form})
            assert answer.status_code == 200, answer.text

        return await _steadily(one, len(tables), rate, seconds, waiting)


def told(what: str, lags: list[float], seconds: float, cpu: float) -> None:
    ranked = sorted(lags)
    middle = statistics.median(ranked) * 1000
    late = ranked[int(len(ranked) * 0.99)] * 1000
    share = cpu / seconds
    print(
        f"{what:34} {len(ranked) / seconds:7.0f} a second   p50 {middle:6.1f} ms   "
        f"p99 {late:6.1f} ms   longest {ranked[-1] * 1000:6.1f} ms   server {share:.0%} of a core",
        flush=True,
    )


async def measure(port: int, people: Any, chosen: Any, ask: Any, tell: Any) -> None:
    frames = [0, 0]
    screens = [asyncio.create_task(look(port, t, k, frames)) for t, _, k in people]
    while frames[0] < len(people):
        await asyncio.sleep(0.1)
    print(f"{len(people)} clients on {TABLES} tables, frames of {frames[1]:,} bytes\n")

    async def lags() -> tuple[list[float], float]:
        ask.put(True)
        while tell.empty():
            await asyncio.sleep(0.02)
        return tell.get()  # type: ignore[no-any-return]

    tables = sorted({table for table, _, _ in people})
    runs: list[tuple[str, float, Callable[[float], Awaitable[int]]]] = [
        ("bare echo", chosen.rate, lambda r: echoes(port, tables, frames[1], r, chosen.seconds)),
        ("floor", chosen.rate, lambda r: act(port, people, r, chosen.seconds)),
        ("bare echo, as fast as it goes", 4000, lambda r: echoes(port, tables, frames[1], r, 5)),
        ("floor, as fast as it goes", 2000, lambda r: act(port, people, r, 5)),
    ]
    for what, rate, run in runs:
        _, before = await lags()
        begin = time.monotonic()
        await run(rate)
        taken = time.monotonic() - begin
        await asyncio.sleep(0.5)
        found, after = await lags()
        told(what, found, taken, after - before)
    for screen in screens:
        screen.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description="From an action to everybody's screen.")
    parser.add_argument("--seconds", type=float, default=15.0)
    parser.add_argument("--rate", type=float, default=200.0, help="actions a second")
    parser.add_argument("--port", type=int, default=8699)
    chosen = parser.parse_args()
    fresh = get_context("spawn")
    tell, ask, stop = fresh.Queue(), fresh.Queue(), fresh.Event()
    with tempfile.TemporaryDirectory() as folder:
        server = fresh.Process(target=serve_apart, args=(folder, chosen.port, tell, ask, stop))
        server.start()
        try:
            people = tell.get()
            asyncio.run(measure(chosen.port, people, chosen, ask, tell))
        finally:
            stop.set()
            server.join(MOST_SECONDS)
            server.kill()


class Stop:
    """Whether to stop, and whether the figures are asked for."""

    def __init__(self, stop: Any, lags: Any) -> None:
        self.is_set, self.lags = stop.is_set, lags


def serve_apart(folder: str, port: int, tell: Any, ask: Any, stop: Any) -> None:
    run_server(folder, port, tell, Stop(stop, ask))


if __name__ == "__main__":
    main()
