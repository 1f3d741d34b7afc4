"""Opening a table in the terminal, with signs for suits or in plain letters."""

import os
import random
import secrets
from typing import Any, TextIO

from riverboat.core.errors import Refused
from riverboat.core.money import show_dollars
from riverboat.round import set_up
from riverboat.rulebook import Rulebook
from riverboat.terminal import players, screen
from riverboat.terminal.front import Front, Leaving
from riverboat.terminal.lines import LineFront
from riverboat.terminal.screen import ScreenFront
from riverboat.terminal.sitting import Sitting
from riverboat.terminal.words import refusal_words

_NEAREST = str.maketrans(
    "♣♦♥♠╭╮╰╯─│═░●◉▸▼·…×–━┃┏┓┗┛",
    "cdhs++++-|=#o@>v-.x--|++++",
)


class PlainLetters:
    """An output that cannot print the signs of the suits, written to in letters it can."""

    def __init__(self, output: TextIO) -> None:
        self.output = output
        self.encoding = output.encoding or "ascii"

    def write(self, text: str) -> int:
        """Write what is nearest to the text."""
        plain = text.translate(_NEAREST)
        self.output.write(plain.encode(self.encoding, "replace").decode(self.encoding))
        return len(text)

    def flush(self) -> None:
        """Send it on."""
        self.output.flush()

    def isatty(self) -> bool:
        """Whether somebody looks at it."""
        return self.output.isatty()

    def fileno(self) -> int:
        """The file below."""
        return self.output.fileno()


def printable(output: TextIO) -> TextIO:
    """The output itself, or one in plain letters where it has no signs for suits."""
    try:
        "♠♥♦♣╭─╮│●◉░▸".encode(getattr(output, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return PlainLetters(output)  # type: ignore[return-value]
    return output


def play_table(
    book: Rulebook, *, seats: int, seat: int, seed: int | None, input: TextIO, output: TextIO
) -> int:
    """Play at a table until the player leaves: 0, or 1 after a refusal at the door or Ctrl-C."""
    status, _ = play_sitting(book, seats=seats, seat=seat, seed=seed, input=input, output=output)
    return status


def play_sitting(
    book: Rulebook,
    *,
    seats: int,
    seat: int,
    seed: int | None,
    input: TextIO,
    output: TextIO,
    coached: bool = False,
    best: bool = False,
) -> tuple[int, dict[str, Any]]:
    """The same with what came of it, for scripts. Without a seed nobody can foretell a card.

    `coached` tells at every decision what each choice is worth; `best` makes the bots play as well
    as can be.
    """
    dice = secrets.SystemRandom() if seed is None else random.Random(seed)
    front = _front(input, printable(output))
    try:
        setup = set_up(book, house_choices(book, seats))
        decide = players.best_bots(setup) if best else players.decide
        sitting = Sitting(setup, seat, dice, front, coached=coached, decide=decide)
    except Refused as refusal:
        front.goodbye(refusal_words(refusal))
        refused = {"code": refusal.code, "message": str(refusal), "cites": list(refusal.cites)}
        return 1, {"rulebook": book.id, "refused": refused}
    status = 0
    try:
        with front:
            sitting.run()
    except Leaving:
        pass
    except KeyboardInterrupt:
        status = 1
    front.goodbye(sitting.farewell())
    return status, _report(sitting)


def _report(sitting: Sitting) -> dict[str, Any]:
    setup = sitting.setup
    return {
        "rulebook": setup.book.id,
        "seats": setup.seats,
        "seat": sitting.you,
        "rounds": [show_dollars(net) for net in sitting.nets_cents],
        "net": show_dollars(sum(sitting.nets_cents)),
        "meter": show_dollars(sitting.meter.cents) if setup.progressive is not None else None,
    }


def house_choices(book: Rulebook, seats: int) -> dict[str, str | bool | int]:
    """Every side bet that the rulebook has, with its first table that can be played."""
    choices: dict[str, str | bool | int] = {"seats": seats}
    playable = {table.id for table in book.paytables if table.playable}
    for offer in book.side_bets:
        named = [name for name in offer.paytables if name in playable]
        if named:
            choices[offer.bet] = named[0]
    if book.progressive is not None:
        choices["progressive"] = book.progressive.schedules[0].paytable
    return choices


def _front(input: TextIO, output: TextIO) -> Front:
    drawable = os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    if screen.HAS_RAW_KEYS and drawable and input.isatty() and output.isatty():
        return ScreenFront(input, output)
    return LineFront(input, output)
