"""What a prompt is made of: tasks for people, and notices of what is due."""

from msgspec import Struct

from riverboat.table.actions import AnyAction
from riverboat.table.people import Role


class Task(Struct, frozen=True):
    """Somebody has to do something, or may: in words, with what to say aloud and how it is done.

    `do` is the action that does it as it is usually done; None where only a person, a deck or a
    clock can give what it needs. `button` is what is written on the button that does it, where the
    kind of action does not say it. Only what is not optional holds the table up.
    """

    who: Role
    words: str
    cites: tuple[str, ...] = ()
    say: str = ""
    how: tuple[str, ...] = ()
    do: AnyAction | None = None
    button: str = ""
    seat: int = 0
    optional: bool = False


class Notice(Struct, frozen=True):
    """Something to know: overdue, or due in so many seconds."""

    words: str
    cites: tuple[str, ...] = ()
    seconds_left: int | None = None
    overdue: bool = False


class Prompt(Struct, frozen=True, kw_only=True):
    """What comes next at a table, in order, and what is due.

    What stands in `at_once` comes before the tasks: the dealer's hands do it now. The record has it
    already, so that nothing waits for it and there is nothing to press.
    """

    state: str
    tasks: tuple[Task, ...]
    at_once: tuple[Task, ...] = ()
    notices: tuple[Notice, ...] = ()
    test: bool = False
