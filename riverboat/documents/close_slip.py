"""A table's close slip: what was counted at the end of its gaming day, against its entries."""

from typing import Final

from msgspec import Struct

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.core.naming import table_called
from riverboat.documents.figures import money
from riverboat.documents.parts import (
    Clock,
    Paper,
    Printing,
    Rows,
    configuration_rows,
    frame,
    in_cents,
    printed_rows,
    who,
)
from riverboat.documents.typst import Value, literal, pdf
from riverboat.floor.books.table_days import TableDay

SLIP_SIGNATURES: Final = ("Counted by", "Witnessed by")


class CloseSlip(Struct, frozen=True, kw_only=True):
    """What a close slip prints. `expected_cents` is what the entries say that the tray holds."""

    printing: Printing
    table: str
    game: str
    rulebook: str
    day: str
    opened_at: str
    opened_by: str
    opening_cents: Cents
    fills: tuple[Cents, ...]
    credits: tuple[Cents, ...]
    bought_in_cents: Cents
    drop_cents: Cents
    drop_expected_cents: Cents
    rounds: int
    void_rounds: int
    counted_cents: Cents
    expected_cents: Cents
    win_cents: Cents
    counted_at: str
    counted_by: str
    counted_role: str
    configurations: tuple[tuple[str, str], ...] = ()
    """Under which configurations its rounds were played, and by which rulebook: their hashes."""
    test: bool = False

    @property
    def rounds_cents(self) -> Cents:
        """What the rounds moved into the tray: the rest of the entries."""
        moved = sum(self.fills) - sum(self.credits) - self.bought_in_cents
        return self.expected_cents - self.opening_cents - moved

    @property
    def difference_cents(self) -> Cents:
        """Above nothing the tray holds more than the entries say."""
        return self.counted_cents - self.expected_cents

    @property
    def drop_difference_cents(self) -> Cents:
        """Above nothing the box held more than was bought in."""
        return self.drop_cents - self.drop_expected_cents


def close_slip_of(day: TableDay, *, printing: Printing, clock: Clock) -> CloseSlip:
    """The slip of a table's gaming day, which is closed."""
    if not day.closed:
        text = f"gaming day {day.day} of {table_called(day.table)} is not closed yet"
        raise NotationError("day.not_closed", text)
    return CloseSlip(
        printing=printing,
        table=day.table,
        game=day.game,
        rulebook=day.rulebook,
        configurations=day.configurations,
        day=day.day,
        opened_at=clock(day.opened_at),
        opened_by=day.opened_by.name,
        opening_cents=day.opening_cents,
        fills=day.fills,
        credits=day.credits,
        bought_in_cents=day.bought_in_cents,
        drop_cents=day.drop_cents,
        drop_expected_cents=day.bought_in_cents,
        rounds=day.rounds,
        void_rounds=day.void_rounds,
        counted_cents=day.closing_cents,
        expected_cents=day.expected_cents,
        win_cents=day.win_cents,
        counted_at=clock(day.closed_at),
        counted_by=day.closed_by.name,
        counted_role=who(day.closed_by),
        test=day.test,
    )


def close_slip_pdf(slip: CloseSlip, paper: Paper = "us-letter") -> bytes:
    """A close slip."""
    source = close_slip_source(slip, paper)
    return pdf("close_slip", source, printed_seconds=slip.printing.printed_seconds)


def close_slip_source(slip: CloseSlip, paper: Paper = "us-letter") -> str:
    """The typst source of a close slip, without the design."""
    title = f"{table_called(slip.table, 'Table')}, gaming day {slip.day}"
    document: dict[str, Value] = {
        **frame(slip.printing, "Close slip", title, f"Close slip: {title}", paper, test=slip.test),
        "left": [
            ["Game", slip.game],
            ["Rulebook", slip.rulebook],
            ["Rounds", f"{slip.rounds}, of which {slip.void_rounds} void"],
        ],
        "right": [
            ["Opened", f"{slip.opened_at}, {slip.opened_by}"],
            ["Counted", f"{slip.counted_at}, {slip.counted_by} ({slip.counted_role})"],
        ],
        "tray": _tray(slip),
        "win": _win(slip),
        "agrees": not (slip.difference_cents or slip.drop_difference_cents),
        "verdict": _verdict(slip),
        "signatures": list(SLIP_SIGNATURES),
        "versions": [*configuration_rows(slip.configurations), *printed_rows(slip.printing)],
    }
    return f"#close-slip({literal(document)})\n"


def _tray(slip: CloseSlip) -> Rows:
    return [
        in_cents("Opening count", slip.opening_cents),
        *(in_cents(f"Fill {n}", cents) for n, cents in enumerate(slip.fills, start=1)),
        *(in_cents(f"Credit {n}", -cents) for n, cents in enumerate(slip.credits, start=1)),
        in_cents("Chips for cash (buy-ins)", -slip.bought_in_cents),
        in_cents("Moved by the rounds", slip.rounds_cents),
        in_cents("Tray by the entries", slip.expected_cents, "total"),
        in_cents("Tray by the count", slip.counted_cents, "total"),
        in_cents("Over or short (−)", slip.difference_cents),
    ]


def _win(slip: CloseSlip) -> Rows:
    return [
        in_cents("Drop by the entries (buy-ins)", slip.drop_expected_cents),
        in_cents("Drop by the count", slip.drop_cents),
        in_cents("Over or short (−)", slip.drop_difference_cents),
        in_cents("Table win", slip.win_cents, "total"),
    ]


def _verdict(slip: CloseSlip) -> str:
    faults = [
        f"{what} is {money(abs(cents))} {'over' if cents > 0 else 'short'}"
        for what, cents in (
            ("the tray", slip.difference_cents),
            ("the drop", slip.drop_difference_cents),
        )
        if cents
    ]
    if not faults:
        return "Count and entries agree to the cent."
    return f"NOT RECONCILED: {' and '.join(faults)} against the entries."
