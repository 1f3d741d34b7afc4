"""One thread at a time, in an order that a seed decides: threads that hand each other a baton, and
a clock that jumps to whatever comes next.

Production code runs unchanged. What it takes for threads are greenlets, all on one real thread: a
baton between real ones costs two wake-ups by the operating system, which on busy processors took
four times as long as all that was simulated. Whoever would wait (a store, a lock, a sleep) hands
the baton to whoever is due next instead; whoever is due at the same moment is drawn by lot. So a
seed gives one run, and a virtual hour takes a moment.
"""

import sys
from asyncio import _get_running_loop, _set_running_loop
from collections import deque
from collections.abc import Callable
from hashlib import sha256
from heapq import heappop, heappush
from random import Random
from typing import Any, Final

from greenlet import getcurrent, greenlet

KEPT_LINES: Final = 400


class Killed(BaseException):
    """The process that this thread belonged to is gone; nothing of it goes on."""


class Stuck(AssertionError):
    """Nothing is due any more although somebody still waits: a deadlock."""


class Task:
    """Something that runs until it waits; `group` is the process that it dies with."""

    def __init__(
        self, scheduler: "Scheduler", name: str, group: object, call: Callable[[], object]
    ) -> None:
        self.scheduler, self.name, self.group, self.call = scheduler, name, group, call
        self.thread = greenlet(self.perform, scheduler.main)
        self.killed = False
        self.done = False
        self.woken = False
        self.ticket = 0
        """Which of its appointments counts: any other was overtaken."""
        self.problem: BaseException | None = None
        self.waiting: list[Task] = []

    def perform(self) -> "Task | None":
        """To its end; then somebody else goes on."""
        try:
            if not self.killed:
                self.call()
        except Killed:
            pass
        except BaseException as problem:
            self.problem = problem
            self.scheduler.on_problem(self, problem)
        self.done = True
        for other in self.waiting:
            self.scheduler.wake(other)
        self.scheduler.tasks.pop(self, None)
        return self.scheduler.next()


def _switch(thread: greenlet, given: object = None) -> Any:
    """Another goes on, until somebody switches back; what Python keeps for each thread, the loop
    that runs in it, is kept here for what stands in for one."""
    loop, hooks = _get_running_loop(), sys.get_asyncgen_hooks()
    _set_running_loop(None)
    sys.set_asyncgen_hooks(None, None)
    try:
        return thread.switch(given) if thread else thread.switch()
    finally:
        _set_running_loop(loop)
        sys.set_asyncgen_hooks(*hooks)


class Scheduler:
    """The virtual clock, and who is next."""

    def __init__(self, seed: object) -> None:
        self.random = Random(f"schedule {seed}")
        self.now = 0.0
        self.until = 0.0
        self.current: Task | None = None
        self.tasks: dict[Task, None] = {}
        self.trace = sha256()
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)
        self.tell: Callable[[str], None] | None = None
        self.switches = 0
        self.on_problem: Callable[[Task, BaseException], None] = lambda task, problem: None
        self._due: list[tuple[float, float, int, Task]] = []
        self._count = 0
        self.main = getcurrent()

    # ---------------------------------------------------------------- what happened

    def note(self, *what: object) -> None:
        """Something that happened, and when: the same in every run of the same seed."""
        who = self.current.name if self.current else "-"
        line = f"{self.now:12.4f} {who}: {' '.join(map(str, what))}"
        self.trace.update(line.encode())
        self.lines.append(line)
        if self.tell is not None:
            self.tell(line)

    # ---------------------------------------------------------------- tasks

    def spawn(
        self, name: str, call: Callable[[], object], group: object = None, after: float = 0.0
    ) -> Task:
        """Something that begins now, or after a while."""
        task = Task(self, name, group, call)
        self.tasks[task] = None
        self._at(task, self.now + after)
        return task

    def kill(self, group: object) -> None:
        """Everything of a process ends where it is; its threads unwind and do nothing more."""
        for task in list(self.tasks):
            if task.group is group and task is not self.current:
                task.killed = True
                self._at(task, self.now)
        if self.current is not None and self.current.group is group:
            self.current.killed = True

    def run(self, seconds: float) -> None:
        """From the main thread: until so much time has passed, or nothing is due any more."""
        assert self.current is None
        self.until = self.now + seconds
        self.current = self.next()
        while self.current is not None:
            self.switches += 1
            self.current = _switch(self.current.thread)
        self.now = max(self.now, self.until)

    def end(self) -> None:
        """Whatever still runs is gone, and its threads are given back."""
        for task in list(self.tasks):
            task.killed = True
            self._at(task, self.now)
        self.run(0.0)
        left = [task.name for task in self.tasks]
        if left:
            raise Stuck(f"these did not end: {left}")

    # ---------------------------------------------------------------- waiting, by a task

    def sleep(self, seconds: float) -> None:
        """Let this much time pass."""
        self._park(self.now + max(0.0, seconds))

    def block(self, seconds: float | None = None) -> bool:
        """Wait to be woken, at most so long; whether somebody did."""
        task = self._park(None if seconds is None else self.now + max(0.0, seconds))
        return task.woken

    def wake(self, task: Task) -> None:
        """Somebody who blocks goes on, now."""
        if not task.done and not task.woken:
            task.woken = True
            self._at(task, self.now)

    def join(self, task: Task, seconds: float | None = None) -> bool:
        """Wait for the end of another task."""
        me = self.current
        assert me is not None
        while not task.done:
            task.waiting.append(me)
            if not self.block(seconds):
                return task.done
        return True

    def _park(self, at: float | None) -> Task:
        task = self.current
        if task is None:
            raise Stuck("somebody outside of the simulation would have to wait")
        if task.killed:
            raise Killed
        task.woken = False
        task.ticket = 0
        if at is not None:
            self._at(task, at)
        following = self.next()
        if following is not task:
            _switch(self.main, following)
        if task.killed:
            raise Killed
        return task

    # ---------------------------------------------------------------- the baton

    def _at(self, task: Task, when: float) -> None:
        self._count += 1
        heappush(self._due, (when, self.random.random(), self._count, task))
        task.ticket = self._count

    def next(self) -> Task | None:
        """Who is due next; nobody, once the time is over."""
        while self._due:
            when, _, ticket, task = self._due[0]
            if task.done or ticket != task.ticket:
                heappop(self._due)
                continue
            if when > self.until:
                return None
            heappop(self._due)
            self.now = max(self.now, when)
            return task
        return None


# ---------------------------------------------------------------- what threads wait for


class World:
    """The simulation that runs now: what stands in for locks and clocks asks here."""

    scheduler: Scheduler | None = None
    chance: Random = Random(0)
    thread = 0
    """The one that hunts: real servers of other tests go on beside it in real time."""

    @classmethod
    def running(cls) -> Scheduler:
        """Its scheduler."""
        assert cls.scheduler is not None, "no simulation runs"
        return cls.scheduler


class SimLock:
    """Stands in for `threading.Lock`."""

    def __init__(self) -> None:
        self._held = False
        self._waiting: deque[Task] = deque()

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        """As a lock's, in virtual time."""
        if self._held:
            if not blocking:
                return False
            scheduler = World.running()
            task = scheduler.current
            assert task is not None, "a lock is held by somebody who has gone"
            deadline = None if timeout < 0 else scheduler.now + timeout
            while self._held:
                self._waiting.append(task)
                left = None if deadline is None else deadline - scheduler.now
                try:
                    woken = scheduler.block(left)
                finally:
                    if task in self._waiting:
                        self._waiting.remove(task)
                if not woken and self._held:
                    return False
        self._held = True
        return True

    def release(self) -> None:
        """Whoever waits longest is next."""
        if not self._held:
            raise RuntimeError("release unlocked lock")
        self._held = False
        if self._waiting and World.scheduler is not None:
            World.scheduler.wake(self._waiting[0])

    def locked(self) -> bool:
        """Whether somebody has it."""
        return self._held

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *error: object) -> None:
        self.release()


class SimRLock(SimLock):
    """Stands in for `threading.RLock`."""

    def __init__(self) -> None:
        super().__init__()
        self._owner: object = None
        self._depth = 0

    def acquire(self, blocking: bool = True, timeout: float = -1) -> bool:
        me = World.scheduler.current if World.scheduler else None
        if self._held and self._owner is me:
            self._depth += 1
            return True
        if not super().acquire(blocking, timeout):
            return False
        self._owner, self._depth = me, 1
        return True

    def release(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._owner = None
            super().release()


class SimCondition:
    """Stands in for `threading.Condition`."""

    def __init__(self, lock: SimLock | None = None) -> None:
        self._lock = lock or SimRLock()
        self._waiting: list[Task] = []
        self.acquire, self.release = self._lock.acquire, self._lock.release

    def __enter__(self) -> bool:
        return self._lock.acquire()

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    def wait(self, timeout: float | None = None) -> bool:
        """Let go of the lock until notified."""
        scheduler = World.running()
        task = scheduler.current
        assert task is not None
        self._waiting.append(task)
        self._lock.release()
        try:
            scheduler.block(timeout)
        finally:
            notified = task not in self._waiting
            if not notified:
                self._waiting.remove(task)
            self._take_back(task)
        return notified

    def _take_back(self, task: Task) -> None:
        if task.killed:
            # Unwinding: the lock is let go of again at once, and nobody of that process is left.
            self._lock._held = True
            if isinstance(self._lock, SimRLock):
                self._lock._owner, self._lock._depth = task, 1
            return
        self._lock.acquire()

    def wait_for(self, predicate: Callable[[], Any], timeout: float | None = None) -> Any:
        """Until it is so."""
        deadline = None if timeout is None else World.running().now + timeout
        result = predicate()
        while not result:
            left = None if deadline is None else deadline - World.running().now
            if left is not None and left <= 0:
                break
            self.wait(left)
            result = predicate()
        return result

    def notify(self, n: int = 1) -> None:
        """Wake so many."""
        for task in self._waiting[:n]:
            self._waiting.remove(task)
            World.running().wake(task)

    def notify_all(self) -> None:
        """Wake everybody."""
        self.notify(len(self._waiting))


class SimEvent:
    """Stands in for `threading.Event`."""

    def __init__(self) -> None:
        self._changed = SimCondition(SimLock())
        self._is_set = False

    def is_set(self) -> bool:
        """Whether it has happened."""
        return self._is_set

    def set(self) -> None:
        """It happens."""
        self._is_set = True
        self._changed.notify_all()

    def clear(self) -> None:
        """It has not happened."""
        self._is_set = False

    def wait(self, timeout: float | None = None) -> bool:
        """Until it happens."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_set, timeout)
        return self._is_set


class SimThread:
    """Stands in for `threading.Thread`; it belongs to the process of whoever starts it."""

    def __init__(
        self,
        group: None = None,
        target: Callable[..., object] | None = None,
        name: str | None = None,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
        *,
        daemon: bool | None = None,
    ) -> None:
        self.name, self.daemon = name or "thread", daemon
        self._call = lambda: target(*args, **(kwargs or {})) if target is not None else None
        self._task: Task | None = None

    def start(self) -> None:
        """Begin."""
        scheduler = World.running()
        owner = scheduler.current.group if scheduler.current else None
        self._task = scheduler.spawn(f"{owner} {self.name}", self._call, owner)

    def join(self, timeout: float | None = None) -> None:
        """Wait for its end."""
        assert self._task is not None
        World.running().join(self._task, timeout)

    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._task is not None and not self._task.done
