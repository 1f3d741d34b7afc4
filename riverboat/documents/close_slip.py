"""A close slip: one table's tray at the end of its gaming day, counted and by the entries."""

from msgspec import Struct

from riverboat.documents.telling import Printing
from riverboat.money import Cents


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
