"""What the types alone cannot say: that the parts of a rulebook fit each other.

An engine reads a rulebook and asks no questions. So whatever it could not play, or would play
otherwise than the file says, is refused here, with its place and with what would be right.
"""

from collections.abc import Iterator

from riverboat.rulebook.book import MississippiStud, Rulebook
from riverboat.rulebook.citing_checks import citing_misfits
from riverboat.rulebook.conform import Misfit
from riverboat.rulebook.paytables import flaws
from riverboat.rulebook.progressive_checks import progressive_misfits
from riverboat.rulebook.settings import option_misfits
from riverboat.rulebook.table_checks import table_misfits
from riverboat.rulebook.wager_checks import wager_misfits


def misfits_between_parts(book: Rulebook) -> Iterator[Misfit]:
    """Everything that is wrong although every single part is well formed."""
    yield from citing_misfits(book)
    yield from option_misfits(book)
    yield from _tables(book)
    yield from wager_misfits(book)
    yield from table_misfits(book)
    if book.progressive is not None:
        yield from progressive_misfits(book, book.progressive)


def _tables(book: Rulebook) -> Iterator[Misfit]:
    for table in book.paytables:
        for flaw in flaws(table):
            yield Misfit(f"paytables.{table.id}", flaw)
    bases = [table for table in book.paytables if table.bet == "base" and table.playable]
    wanted = 1 if isinstance(book, MississippiStud) else 0
    if len(bases) != wanted:
        yield Misfit(
            "paytables", f"{len(bases)} playable tables for the base game; {wanted} is right"
        )
