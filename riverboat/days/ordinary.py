"""An ordinary day at a table of any rulebook: two people sit down, stay in once, and fold once."""

from riverboat.days.day_file import DayScript
from riverboat.games.setup import set_up
from riverboat.rulebook import Rulebook

_PLAYERS = ("Ann", "Ben")


def ordinary_day(book: Rulebook) -> DayScript:
    """The day that a rulebook without a script of its own is shown with."""
    return DayScript(
        title=f"An ordinary day at {book.title}",
        rulebook=book.id,
        begin="open",
        script="\n".join(ordinary_script(book)),
    )


def ordinary_script(book: Rulebook) -> list[str]:
    """Its lines: everybody antes the least, and bets the least or folds."""
    setup = set_up(book, {})
    people = _PLAYERS[: setup.seats]
    smallest = min(setup.stages[0].multiples)
    return [
        *(f"{name} sit {seat}" for seat, name in enumerate(people, start=1)),
        "house until ready",
        f"play 1 {smallest}x",
        "play 1 fold",
        *(f"{name} stand {seat}" for seat, name in enumerate(people, start=1)),
        "expect rounds 2",
    ]
