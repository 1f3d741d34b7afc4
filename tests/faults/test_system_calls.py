"""A server on SQLite while its system calls fail."""

import asyncio
import errno
import sys
from pathlib import Path

import pytest

from tests.conftest import Report
from tests.faults.failing_calls import Rule, Switches
from tests.faults.injecting import DROPPED, Case, cases, run
from tests.faults.record import PROGRESS_SECONDS

A_FEW = [
    Case((Rule("write", errno.ENOSPC),), log_too=True),
    Case((Rule("write", errno.EIO, after=2, times=1),)),
    Case((Rule("sync", errno.EIO),)),
    Case((DROPPED, Rule("open", errno.EMFILE))),
    Case((Rule("stat", errno.EIO),)),
]


def survive(folder: Path, report: Report, seed: int, chosen: list[Case], seconds: float) -> None:
    """Every promise was kept, and something failed; what was counted goes to the summary."""
    done = asyncio.run(run(folder, seed, chosen, seconds))
    report("\n".join(done.lines()))
    assert done.verdict.holds, "\n".join(done.lines())
    assert done.longest <= PROGRESS_SECONDS
    assert sum(one.failed for one in done.came) >= len(chosen)


def test_calls_fail_in_one_folder_and_as_often_as_asked(tmp_path: Path) -> None:
    """The library itself: elsewhere, before and afterwards every call goes its way."""
    here = tmp_path / "floor"
    here.mkdir()
    switches = Switches(tmp_path, here)
    switches.fail(Rule("sync", errno.EIO, after=1, times=2), Rule("open", errno.EMFILE, times=0))
    program = (
        "import os, sys\n"
        "for folder in sys.argv[1:]:\n"
        "    file = open(folder + '/a', 'w')\n"
        "    for _ in range(4):\n"
        "        try: os.fsync(file.fileno()); print('well')\n"
        "        except OSError as problem: print(problem.errno)\n"
    )
    said = asyncio.run(_printed(switches, program, str(here), str(tmp_path)))
    assert said == ["well", str(errno.EIO), str(errno.EIO), "well", *["well"] * 4]
    assert switches.heal()["sync"] == 2
    assert switches.heal()["sync"] == 0


async def _printed(switches: Switches, program: str, *arguments: str) -> list[str]:
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-c", program, *arguments, env=switches.environment, stdout=-1
    )
    out, _ = await running.communicate()
    return out.decode().split()


@pytest.mark.slow
def test_a_server_lives_through_calls_that_fail(tmp_path: Path, report: Report) -> None:
    survive(tmp_path, report, seed=12, chosen=A_FEW, seconds=0.8)


@pytest.mark.soak
def test_a_server_lives_through_every_call_and_every_error(tmp_path: Path, report: Report) -> None:
    survive(tmp_path, report, seed=16, chosen=cases(), seconds=2.0)
