"""The door of the table: what it offers, how it is shown, and how one leaves it."""

import os
import random
import secrets
from typing import TextIO

from riverboat.errors import Refused
from riverboat.games import set_up
from riverboat.rulebook import Rulebook
from riverboat.terminal import keys
from riverboat.terminal.commands import Leaving
from riverboat.terminal.front import Front
from riverboat.terminal.letters import printable
from riverboat.terminal.lines import LineFront
from riverboat.terminal.screen import ScreenFront
from riverboat.terminal.sitting import Sitting
from riverboat.terminal.words import refusal_words


def play_table(
    book: Rulebook, *, seats: int, seat: int, seed: int | None, input: TextIO, output: TextIO
) -> int:
    """Play at a table until the player leaves. Without a seed the shuffle cannot be foretold."""
    dice = secrets.SystemRandom() if seed is None else random.Random(seed)
    front = _front(input, printable(output))
    try:
        sitting = Sitting(set_up(book, house_choices(book, seats)), seat, dice, front)
    except Refused as refusal:
        front.goodbye(refusal_words(refusal))
        return 1
    status = 0
    try:
        with front:
            sitting.run()
    except Leaving:
        pass
    except KeyboardInterrupt:
        status = 1
    front.goodbye(sitting.farewell())
    return status


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
    if keys.HAS_RAW_KEYS and drawable and input.isatty() and output.isatty():
        return ScreenFront(input, output)
    return LineFront(input, output)
