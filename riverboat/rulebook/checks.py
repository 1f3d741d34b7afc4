"""What the types alone cannot say: that the parts of a rulebook fit each other.

An engine reads a rulebook and asks no questions. So whatever it could not play, or would play
otherwise than the file says, is refused here, with its place and with what would be right.
"""

from collections.abc import Iterator

from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.citing_checks import citing_misfits
from riverboat.rulebook.conform import Misfit
from riverboat.rulebook.incident_checks import incident_misfits
from riverboat.rulebook.paytables import flaws
from riverboat.rulebook.progressive_checks import progressive_misfits
from riverboat.rulebook.settings import option_misfits
from riverboat.rulebook.table_checks import table_misfits
from riverboat.rulebook.wager_checks import wager_misfits

# Rules with one value that is played. They stand in a file because the documents say them.
PLAYED: dict[str, object] = {
    "ante.required": True,
    "tips.needs_own_wager": True,
    "tips.stays_without_street_tip": True,
    "hands.five.ace_low_in": ("A-2-3-4-5",),
    "hands.five.suits_equal": True,
    "hands.five.highest_only": True,
    "hands.three.highest_only": True,
    "hands.six.highest_only": True,
    "hands.six.box_cards": 4,
    "hands.six.hole_cards": 2,
    "hands.six.super_royal": ("A-K-Q-J-T-9",),
    "settlement.seats.one_seat_at_a_time": True,
    "progressive.collection.chips_must_equal_accepted": True,
    "progressive.winning.highest_only": True,
    "progressive.winning.stake_returned": False,
    "progressive.winning.depends_on_dealer": False,
    "progressive.payment.full_meter_from_tray": False,
    "opening.two_decks.separately": True,
    "two_decks.decks_in_discard_rack": 1,
    "cards.decks": 1,
    "cards.cards": 52,
    "stub_count.total": 52,
    "deal.face_down": True,
}


def misfits_between_parts(book: Rulebook) -> Iterator[Misfit]:
    """Everything that is wrong although every single part is well formed."""
    yield from citing_misfits(book)
    yield from _played(book)
    yield from option_misfits(book)
    yield from _tables(book)
    yield from wager_misfits(book)
    yield from table_misfits(book)
    yield from incident_misfits(book)
    if book.progressive is not None:
        yield from progressive_misfits(book, book.progressive)


def _played(book: Rulebook) -> Iterator[Misfit]:
    for path, right in PLAYED.items():
        part: object = book
        for name in path.split("."):
            part = getattr(part, name) if name in getattr(part, "__struct_fields__", ()) else None
        if part is not None and part != right:
            yield Misfit(path, f"is {_written(part)}; only {_written(right)} is played")


def _written(value: object) -> str:
    """A value as a file writes it."""
    match value:
        case bool():
            return str(value).lower()
        case tuple():
            return ", ".join(value) or "empty"
    return str(value)


def _tables(book: Rulebook) -> Iterator[Misfit]:
    for table in book.paytables:
        for flaw in flaws(table):
            yield Misfit(f"paytables.{table.id}", flaw)
    bases = [table for table in book.paytables if table.bet == "base" and table.playable]
    wanted = 1 if book.comparison is None else 0
    if len(bases) != wanted:
        yield Misfit(
            "paytables", f"{len(bases)} playable tables for the base game; {wanted} is right"
        )
