"""What a server does without being asked, until it is stopped: follow the ledger, show what has
changed, attend tables.

Whatever goes wrong in one step of a duty, a database that is away or a fault of our own, the duty
goes on with the next one: it is logged, and `/health` and the metrics say what is behind and since
when. Nothing but the end of the process ends a duty.
"""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Final

import structlog

from riverboat.ledger import LedgerUnavailable

SAY_AGAIN_SECONDS: Final = 60.0
"""How often the log is told of a duty that goes on failing: an outage must not fill a disk."""


class Duty:
    """One of them, in parts that fail and recover each by itself, such as tables."""

    def __init__(self, name: str, clock: Callable[[], float] = time.time) -> None:
        self.name = name
        self._clock = clock
        self._since: dict[str, float] = {}
        self._said: dict[str, float] = {}
        self.failures = 0

    def step(self, part: str = "") -> "Step":
        """For a `with`: what goes wrong in it ends the step, not the duty."""
        return Step(self, part)

    @property
    def behind_since(self) -> float | None:
        """Since when some part of it fails; None while all is well."""
        return min(list(self._since.values()), default=None)

    def failed(self, part: str, problem: Exception) -> None:
        """A step went wrong."""
        now = self._clock()
        self.failures += 1
        since = self._since.setdefault(part, now)
        if abs(now - self._said.get(part, -SAY_AGAIN_SECONDS)) >= SAY_AGAIN_SECONDS:
            self._said[part] = now
            away = isinstance(problem, LedgerUnavailable)
            structlog.get_logger("riverboat.web").error(
                "duty fails",
                duty=self.name,
                part=part,
                since=round(since),
                problem=str(problem),
                exc_info=None if away else problem,
            )

    def did(self, part: str) -> None:
        """A step went well."""
        if self._since.pop(part, None) is not None:
            self._said.pop(part, None)
            structlog.get_logger("riverboat.web").warning("duty goes on", duty=self.name, part=part)


class Step:
    """One step of a duty; `failed` says afterwards how it went."""

    def __init__(self, duty: Duty, part: str) -> None:
        self._duty, self._part = duty, part
        self.failed = False

    def __enter__(self) -> "Step":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        """Being stopped, or interrupted, is no failure and goes on upwards."""
        self.failed = isinstance(problem, Exception)
        if isinstance(problem, Exception):
            self._duty.failed(self._part, problem)
        elif problem is None:
            self._duty.did(self._part)
        return self.failed
