"""A table's close slip: what was counted at the end of its gaming day, against its entries."""

from msgspec import Struct

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.documents import printing as p
from riverboat.floor.books.table_days import TableDay
from riverboat.rulebook.values import table_called


class CloseSlip(Struct, frozen=True, kw_only=True):
    """What a close slip prints: a table's closed day, and its times in words."""

    printing: p.Printing
    of: TableDay
    opened_at: str
    counted_at: str

    @property
    def rounds_cents(self) -> Cents:
        """What the rounds moved into the tray: the rest of the entries."""
        return self.of.rounds_cents + self.of.entries_difference_cents


def close_slip_of(day: TableDay, *, printing: p.Printing, clock: p.Clock) -> CloseSlip:
    """The slip of a table's gaming day, which is closed."""
    if not day.closed:
        text = f"gaming day {day.day} of {table_called(day.table)} is not closed yet"
        raise NotationError("day.not_closed", text)
    opened_at, counted_at = clock(day.opened_at), clock(day.closed_at)
    return CloseSlip(printing=printing, of=day, opened_at=opened_at, counted_at=counted_at)


def close_slip_pdf(slip: CloseSlip, paper: p.Paper = "us-letter") -> bytes:
    """A close slip."""
    day, counted = slip.of, slip.of.closed_by
    title = f"{table_called(day.table, 'Table')}, gaming day {day.day}"
    document: dict[str, p.Value] = {
        **p.frame(slip.printing, "Close slip", title, f"Close slip: {title}", paper, test=day.test),
        "left": [
            ["Game", day.game],
            ["Rulebook", day.rulebook],
            ["Rounds", f"{day.rounds}, of which {day.void_rounds} void{_decided(day)}"],
        ],
        "right": [
            ["Opened", f"{slip.opened_at}, {day.opened_by.name}"],
            ["Counted", f"{slip.counted_at}, {counted.name} ({p.who(counted)})"],
        ],
        "tray": _tray(slip),
        "win": [
            p.in_cents("Drop by the entries (buy-ins)", day.bought_in_cents),
            p.in_cents("Drop by the count", day.drop_cents),
            p.in_cents("Over or short (−)", day.drop_difference_cents),
            p.in_cents("Table win", day.win_cents, "total"),
        ],
        "agrees": not (day.tray_difference_cents or day.drop_difference_cents),
        "verdict": _verdict(day),
        "signatures": ["Counted by", "Witnessed by"],
        "versions": [*p.configuration_rows(day.configurations), *p.printed_rows(slip.printing)],
    }
    return p.pdf("close_slip", document, printed_seconds=slip.printing.printed_seconds)


def _decided(day: TableDay) -> str:
    """Loudly, what people decided after they knew the cards."""
    decided = day.decided_void_rounds
    return f", {decided} BY DECISION after the cards" if decided else ""


def _tray(slip: CloseSlip) -> p.Rows:
    day = slip.of
    return [
        p.in_cents("Opening count", day.opening_cents),
        *(p.in_cents(f"Fill {n}", cents) for n, cents in enumerate(day.fills, start=1)),
        *(p.in_cents(f"Credit {n}", -cents) for n, cents in enumerate(day.credits, start=1)),
        p.in_cents("Chips for cash (buy-ins)", -day.bought_in_cents),
        p.in_cents("Moved by the rounds", slip.rounds_cents),
        p.in_cents("Tray by the entries", day.expected_cents, "total"),
        p.in_cents("Tray by the count", day.closing_cents, "total"),
        p.in_cents("Over or short (−)", day.tray_difference_cents),
    ]


def _verdict(day: TableDay) -> str:
    counts = (("the tray", day.tray_difference_cents), ("the drop", day.drop_difference_cents))
    faults = [
        f"{what} is {p.money(abs(cents))} {'over' if cents > 0 else 'short'}"
        for what, cents in counts
        if cents
    ]
    if not faults:
        return "Count and entries agree to the cent."
    return f"NOT RECONCILED: {' and '.join(faults)} against the entries."
