"""What the house asks of its machine, answered by the simulation: threads, time, chance, an event
loop and passwords.

Every module of the house that is loaded is gone through, and wherever it holds one of these (under
whichever name, or as the default of an argument) the simulation's stands in while it lasts. So a
module that is written tomorrow is simulated too.
"""

import asyncio
import concurrent.futures
import hashlib
import os
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, Final, TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError

from riverboat.floor import autopilot, starting
from riverboat.floor.station import Station
from riverboat.meter.state import Link
from tests.simulation.scheduling import (
    SimCondition,
    SimEvent,
    SimLock,
    SimRLock,
    SimThread,
    Task,
    World,
)

EPOCH: Final = 1_794_830_400
"""When every simulation begins: noon of a day in November 2026."""


class Process:
    """A process of the floor's server as the machine sees it: a name, and a clock that may be set
    back or forth."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.skew = 0.0

    def __str__(self) -> str:
        return self.name


class Pretended:
    """A module of Python, some of whose functions are the simulation's."""

    def __init__(self, real: ModuleType, **own: object) -> None:
        self.__dict__.update(own)
        self._real = real

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)


# ---------------------------------------------------------------- time and chance


def _monotonic() -> float:
    return World.running().now


def _time() -> float:
    """The machine's own clock, which somebody may have set."""
    scheduler = World.running()
    owner = scheduler.current.group if scheduler.current else None
    skew = owner.skew if isinstance(owner, Process) else 0.0
    return EPOCH + scheduler.now + skew


def _sleep(seconds: float) -> None:
    World.running().sleep(seconds)


def _urandom(size: int) -> bytes:
    return World.chance.randbytes(size)


def _token_urlsafe(size: int = 32) -> str:
    return _urandom(size).hex()


def _choice(of: Any) -> Any:
    return World.chance.choice(of)


def _get_ident() -> int:
    current = World.running().current
    return 0 if current is None else id(current)


class QuickHasher:
    """Passwords without the effort that makes them safe."""

    def __init__(self, *how: object, **more: object) -> None:
        pass

    def hash(self, password: str) -> str:
        """Known again by its hash."""
        return hashlib.sha256(password.encode()).hexdigest()

    def verify(self, kept: str, password: str) -> bool:
        """Whether it is the one."""
        if self.hash(password) != kept:
            raise VerifyMismatchError
        return True

    def check_needs_rehash(self, kept: str) -> bool:
        """Never."""
        return False


# ---------------------------------------------------------------- what is asked again and again


_THOUGHT: dict[object, tuple[object, object]] = {}


def forget() -> None:
    """What programs thought of a floor that is over."""
    _THOUGHT.clear()


def _next_bet(station: Station, seats: autopilot.Seats, manners: autopilot.Manners) -> Any:
    key = (id(station), tuple(seats.items()), manners)
    return _thought(key, station, lambda: _REAL[0](station, seats, manners))


def _next_command(
    station: Station, link: Link | None, staff: autopilot.Staff = autopilot.DEMO
) -> Any:
    key = (id(station), id(link), staff)
    return _thought(key, (station, link), lambda: _REAL[1](station, link, staff))


_REAL: Final = (autopilot.next_bet, autopilot.next_command)
"""Pure, and most of what a program costs that waits for people: asked about the very same table it
thinks the same."""


def _thought(key: object, about: object, think: Callable[[], Any]) -> Any:
    if key not in _THOUGHT:
        # Kept with what it is about, so that nothing else gets its place in memory.
        _THOUGHT[key] = (about, think())
    return _THOUGHT[key][1]


# ---------------------------------------------------------------- an event loop


class SimExecutor(concurrent.futures.Executor):
    """Stands in for a pool of threads: so many at a time, each a task of the simulation."""

    def __init__(self, max_workers: int = 64, thread_name_prefix: str = "pool", **_: Any) -> None:
        self._free = max_workers
        self._name = thread_name_prefix
        self._changed = SimCondition(SimLock())

    def submit(
        self, call: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> concurrent.futures.Future[Any]:
        """As soon as a thread is free."""
        scheduler = World.running()
        owner = scheduler.current.group if scheduler.current else None
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()

        def work() -> None:
            with self._changed:
                self._changed.wait_for(lambda: self._free > 0)
                self._free -= 1
            try:
                if future.set_running_or_notify_cancel():
                    try:
                        found = call(*args, **kwargs)
                    except Exception as problem:
                        future.set_exception(problem)
                    else:
                        future.set_result(found)
            finally:
                self._free += 1
                self._changed.notify()

        scheduler.spawn(f"{owner} {self._name}", work, owner)
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Nothing to give back."""


class SimLoop(asyncio.BaseEventLoop):
    """asyncio's own loop, on virtual time: where it would wait for the world, it hands on the
    baton."""

    def __init__(self) -> None:
        super().__init__()
        self._selector = self
        self._task: Task | None = None
        self._waits = False
        self._called = False
        self._default_executor = SimExecutor(thread_name_prefix="worker")
        self.faults: list[str] = []
        self.set_exception_handler(self._note_fault)

    def time(self) -> float:
        return World.running().now

    def select(self, timeout: float | None) -> list[Any]:
        """Until the next appointment, or until another thread calls."""
        if (timeout is None or timeout > 0) and not self._called:
            scheduler = World.running()
            self._task, self._waits = scheduler.current, True
            try:
                scheduler.block(timeout)
            finally:
                self._waits = False
        self._called = False
        return []

    def _process_events(self, event_list: list[Any]) -> None:
        pass

    def _write_to_self(self) -> None:
        """Another thread calls."""
        self._called = True
        if self._waits and self._task is not None:
            World.running().wake(self._task)

    def _note_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.faults.append(f"{context.get('message')}: {context.get('exception')!r}")

    def abandon(self) -> None:
        """Its process is gone: what was under way is neither finished nor complained about. What
        still unwinds does so now, and not whenever memory is tidied up."""
        tasks = {int(one.get_name().rpartition("-")[2]): one for one in asyncio.all_tasks(self)}
        for _, task in sorted(tasks.items()):
            task._log_destroy_pending = False  # type: ignore[attr-defined]
            with suppress(BaseException):
                task.get_coro().close()
        self.close()


# ---------------------------------------------------------------- everywhere


@cache
def _bytecode_hash(name: str, sources: tuple[Path, ...]) -> str:
    """What Python runs lies on the machine's own disk, which nothing here changes: read once."""
    return _real_bytecode_hash(name, sources)


_real_bytecode_hash = starting._bytecode_hash


Made = TypeVar("Made")


def _inside(own: Callable[..., Made], real: Callable[..., Made]) -> Callable[..., Made]:
    """The simulation's for its own threads, the real one for everybody else's."""

    def either(*given: Any, **named: Any) -> Made:
        chosen = own if threading.get_ident() == World.thread else real
        return chosen(*given, **named)

    return either


_OWN: Final[dict[Any, Any]] = {
    time.time: _time,
    time.monotonic: _monotonic,
    time.perf_counter: _monotonic,
    time.sleep: _sleep,
    threading.Lock: SimLock,
    threading.RLock: SimRLock,
    threading.Condition: SimCondition,
    threading.Event: SimEvent,
    threading.Thread: SimThread,
    threading.get_ident: _get_ident,
    os.urandom: _urandom,
    secrets.token_urlsafe: _token_urlsafe,
    secrets.choice: _choice,
    secrets.token_bytes: _urandom,
    concurrent.futures.ThreadPoolExecutor: SimExecutor,
    PasswordHasher: QuickHasher,
    autopilot.next_bet: _next_bet,
    autopilot.next_command: _next_command,
    starting._bytecode_hash: _bytecode_hash,
}
"""What stands in for what."""


def _stand_ins() -> dict[int, object]:
    found: dict[int, object] = {id(real): _inside(own, real) for real, own in _OWN.items()}
    for module in (time, threading, os, secrets):
        own = {
            name: found[id(value)]
            for name, value in vars(module).items()
            if not name.startswith("_") and id(value) in found
        }
        found[id(module)] = Pretended(module, **own)
    return found


def _functions(value: object, name: str) -> Iterator[FunctionType]:
    """The functions of a module's own, those of its classes included."""
    if isinstance(value, FunctionType):
        yield value
    elif isinstance(value, type) and value.__module__ == name:
        for one in vars(value).values():
            if isinstance(one, FunctionType):
                yield one


Undo = Callable[[], None]


def _replace(modules: list[ModuleType], own: dict[int, object]) -> Iterator[Undo]:
    for module in modules:
        for name, value in list(vars(module).items()):
            if id(value) in own:
                setattr(module, name, own[id(value)])
                yield partial(setattr, module, name, value)
            for function in _functions(value, module.__name__):
                kept = (function.__defaults__, function.__kwdefaults__)
                given, named = kept
                if any(id(one) in own for one in (*(given or ()), *(named or {}).values())):
                    function.__defaults__ = tuple(own.get(id(one), one) for one in given or ())
                    function.__kwdefaults__ = {
                        key: own.get(id(one), one) for key, one in (named or {}).items()
                    }
                    yield partial(_put_back, function, kept)


def _put_back(function: FunctionType, kept: tuple[Any, Any]) -> None:
    function.__defaults__, function.__kwdefaults__ = kept


@contextmanager
def pretending() -> Iterator[None]:
    """While it lasts, every module of the house that is loaded has the simulation's machine."""
    modules = [
        module
        for name, module in sorted(sys.modules.items())
        if name.partition(".")[0] == "riverboat"
    ]
    undone = list(_replace(modules, _stand_ins()))
    World.thread = threading.get_ident()
    try:
        yield
    finally:
        World.thread = 0
        for undo in reversed(undone):
            undo()
