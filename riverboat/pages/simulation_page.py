"""Simulated results beside the exact ones."""

from collections.abc import Iterator

from riverboat.exact.simulating import Simulated
from riverboat.pages.page import Block, Facts, Heading, Table, Words
from riverboat.pages.rulebook_page import status_blocks
from riverboat.round.table_talk import label_of, sentence
from riverboat.rulebook import Rulebook

_FAR_OFF = 4
"""So many standard errors are not luck."""


def simulation_page(book: Rulebook, found: Simulated) -> Iterator[Block]:
    """Each bet with what the rounds came to, what is exact, and how far they lie apart."""
    yield Heading(f"Simulation: {book.title}", level=1)
    yield from status_blocks(book)
    speed = f"{found.seconds:.1f} s, {found.rounds_per_second:,.0f} a second"
    yield Facts(
        [
            ("Rounds", f"{found.rounds:,} with {found.seats} seats, in {speed}"),
            ("Seed", str(found.seed)),
        ]
    )
    yield Words("")
    rows = [
        (
            "Base game" if one.bet == "base" else sentence(label_of(book, one.bet)),
            one.paytable,
            f"{one.mean:+.5f}",
            f"{one.standard_error:.5f}",
            f"{float(one.exact):+.5f}",
            "–" if one.z is None else f"{one.z:+.2f}",
        )
        for one in found.bets
    ]
    columns = ("Bet", "Pay table", "Simulated", "± error", "Exact", "z")
    yield Table(columns, rows)
    yield Words("")
    far = [one.bet for one in found.bets if one.z is not None and abs(one.z) > _FAR_OFF]
    if far:
        yield Words(f"Too far off to be luck: {', '.join(far)}.", loud=True)
    yield Words("Per unit of the first wager. The progressive includes its envy bonus.")
