"""The `riverboat` command. It reads arguments and prints; what it prints is made elsewhere.

Exit status: 0 done and true, 1 done and not true, 2 bad input.
"""

import io
import os
import sys
from importlib import import_module
from itertools import dropwhile

from cyclopts import CycloptsError, UnusedCliTokensError

from riverboat.cli.app import Answered, app, complain, in_options
from riverboat.core.errors import RiverboatError
from riverboat.core.visible import is_whole

COMMAND_MODULES = (
    "document_commands",
    "floor_commands",
    "ledger_commands",
    "mathematics_commands",
    "rulebook_commands",
    "table_commands",
)
ALONE = dict.fromkeys(
    ("odds", "advise", "simulate", "published", "compare", "design"), "mathematics_commands"
)
"""Commands that have to answer at once: the modules of the others are not loaded for them."""


def main() -> None:
    """Run the command line and leave with its exit status."""
    _make_streams_safe()
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        status = _stop_writing()
    except KeyboardInterrupt:
        complain("\nriverboat: stopped")
        status = 1
    except OSError as problem:
        complain(f"riverboat: {problem.strerror or 'cannot read or write'}")
        status = _stop_writing() or 2
    sys.exit(status)


def _make_streams_safe() -> None:
    """Output that is closed, or that cannot hold every character, is no reason to crash."""
    if os.environ.get("COLUMNS", "80").strip() in ("", "0"):
        del os.environ["COLUMNS"]
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, io.StringIO())
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _stop_writing() -> int:
    """Nobody reads any more: what is left in the buffer goes nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def run(arguments: list[str]) -> int:
    """One command; every problem becomes a line on standard error, never a traceback."""
    for number, argument in enumerate(arguments, start=1):
        if not is_whole(argument):
            text = f"argument {number}, {argument!a}, is not UTF-8; write whole characters"
            complain(f"riverboat: {text}")
            return 2
    # The command that is asked for where it is known to stand alone; else every command.
    alone = ALONE.get(arguments[0]) if arguments else None
    for name in (alone,) if alone else COMMAND_MODULES:
        import_module(f"riverboat.cli.{name}")
    try:
        status = app.meta(arguments, exit_on_error=False, print_error=False)
    except Answered:
        return 1
    except UnusedCliTokensError as problem:
        extra = " ".join(problem.unused_tokens or [])
        complain(f"riverboat: {extra!r} is not understood here; see riverboat --help")
        return 2
    except CycloptsError as problem:
        complain(f"riverboat: {problem}")
        return 2
    except RiverboatError as problem:
        complain(in_options(str(problem), _places(arguments)))
        return 2
    except EOFError:
        complain("\nriverboat: no answer; nothing was written")
        return 2
    return status if isinstance(status, int) else 0


def _places(arguments: list[str]) -> set[str]:
    """What the command that was asked for takes by its place, not as an option."""
    words = dropwhile(lambda word: word not in app, arguments)
    command = app.parse_commands(list(words))[1][-1]
    taken = command.assemble_argument_collection()
    return {one.field_info.name for one in taken if not one.name.startswith("-")}
