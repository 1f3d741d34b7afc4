"""Sittings at a table in the terminal, answered by a script."""

import io

from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load
from riverboat.terminal.sitting import play_sitting


def sit(name: str, *lines: str, seats: int = 6, seat: int = 3, seed: int = 7) -> tuple[int, str]:
    """Play these lines at a table; the exit status and everything that was said."""
    output = io.StringIO()
    script = io.StringIO("".join(f"{line}\n" for line in lines))
    book = load(name).book
    status = play_sitting(book, seats=seats, seat=seat, seed=seed, input=script, output=output)[0]
    return status, output.getvalue()


def one_round(book: Rulebook) -> list[str]:
    """A round in which you always stay in for the least."""
    return ["", "b"] if book.comparison is not None else ["", "1", "1", "1"]
