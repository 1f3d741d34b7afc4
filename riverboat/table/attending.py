"""A demo table's automatic staff does what the prompt says, and the record says it was a program.

What needs chance or a clock is not for them: sealing a deck and drawing a cut are the shell's.
"""

from riverboat.table.actions import AnyAction
from riverboat.table.day import Day
from riverboat.table.people import Actor, automatic
from riverboat.table.prompts import prompt

_STAFF = ("dealer", "floorperson", "supervisor")


def next_attendance(day: Day) -> tuple[Actor, AnyAction] | None:
    """What the automatic staff of a demo table does next; None where it waits for somebody else."""
    if day.configuration is None or not day.configuration.demo:
        return None
    for task in prompt(day).tasks:
        if task.optional or task.do is None:
            continue
        if task.who not in _STAFF:
            return None
        return automatic(task.who), task.do
    return None
