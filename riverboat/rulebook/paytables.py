"""Pay tables: what is printed, what is played, and that every hand meets exactly one line."""

import re
from collections.abc import Iterator
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from riverboat.core.hand_kinds import HANDS, HandName, HandSize
from riverboat.core.hands import Kind
from riverboat.rulebook.rules import Rule
from riverboat.rulebook.values import Dollars, Name, Pays, Words

TableStatus: TypeAlias = Literal["final", "struck", "as_printed_suspect"]

_ODDS = ("to", "push", "lose")
_OF_THE_METER = ("for", "meter", "lose")
_PAYS: dict[str, tuple[str, ...]] = {
    "base": _ODDS,
    "progressive": _OF_THE_METER,
    "envy": ("dollars", "nothing"),
    "placard": _OF_THE_METER,
}
PAYS_WORDS = {
    "to": "odds to 1",
    "for": "odds for 1",
    "meter": "a share of the meter",
    "dollars": "a fixed amount",
    "push": "push",
    "lose": "lose",
    "nothing": "nothing",
}
MOST_ODDS = 1_000_000
TABLE_ID = re.compile(r"[A-Z][A-Z0-9]*(-[A-Za-z0-9]+)+")
"""A pay table's id: a prefix in capitals, a hyphen and a name."""
FULL_METER = "100% of meter"


class Line(Rule, frozen=True, kw_only=True):
    """One line: the hands it is for, what the document prints, and what is paid.

    A pair may be narrowed to `ranks` ("JQKA"), a super royal to `suits` ("d"). `printed` is the
    document's own cell; it is empty where the cell is blank or the document has no such row.
    """

    hands: Annotated[tuple[HandName, ...], Meta(min_length=1)]
    ranks: Annotated[
        str, Meta(pattern="^[2-9TJQKA]*$", description="ranks in a row, like JQKA")
    ] = ""
    suits: Annotated[str, Meta(pattern="^[cdhs]*$", description="suits in a row, like chs")] = ""
    label: str = ""
    printed: str = ""
    pays: Pays
    envy: str = ""
    suspect: bool = False


class PayTable(Rule, frozen=True, kw_only=True):
    """A pay table. A struck one is kept for analysis and cannot be played."""

    id: Words
    bet: Name
    hand: HandSize = "five"
    status: TableStatus
    number: Words
    lines: Annotated[tuple[Line, ...], Meta(min_length=1)]
    per_wager: Dollars | None = None
    wager_printed: str | None = None
    marks: str = ""
    equals: tuple[str, ...] = ()

    @property
    def playable(self) -> bool:
        return self.status != "struck"

    @property
    def pays_kinds(self) -> tuple[str, ...]:
        """The kinds of payouts that a table for this bet can have."""
        of_side_bets = (*_ODDS, "dollars") if HANDS[self.hand].fixed_prizes else _ODDS
        return _PAYS.get(self.bet, of_side_bets)


def kinds(table: PayTable) -> Iterator[Kind]:
    """Every kind of hand that a table must have a line for."""
    return HANDS[table.hand].kinds()


def matches(line: Line, kind: Kind) -> bool:
    """Whether a line is for this kind of hand."""
    return (
        kind.hand in line.hands
        and (not line.ranks or kind.hand != "pair" or kind.rank in line.ranks)
        and (not line.suits or kind.hand != "super_royal" or kind.suit in line.suits)
    )


def lines_for(table: PayTable, kind: Kind) -> tuple[Line, ...]:
    """All lines that match; a table that can be used has exactly one."""
    return tuple(line for line in table.lines if matches(line, kind))


def flaws(table: PayTable) -> Iterator[str]:
    """What makes a table unusable: a hand with no line or two, a line that cannot be played."""
    if table.bet != "placard":
        for kind in kinds(table):
            found = len(lines_for(table, kind))
            if found != 1:
                yield f"{kind} matches {found or 'no'} lines; exactly one is right"
    for number, line in enumerate(table.lines, start=1):
        for flaw in (*_narrowing(table, line), *_payout(table, line)):
            yield f"line {number} {flaw}"
        if _played_as_printed(line) == line.suspect:
            prints = f"line {number} prints {line.printed!r} and pays {line.pays.words}"
            yield f"{prints}; if that is meant, say suspect = true, and only then"
    full = sum(line.pays == FULL_METER for line in table.lines)
    if full > 1:
        yield f"{full} lines pay {FULL_METER}; at most one can empty the meter"
    yield from _heading(table)


def _narrowing(table: PayTable, line: Line) -> Iterator[str]:
    """Hands that the bet does not know, and ranks or suits that tell no hands apart."""
    hand = HANDS[table.hand]
    stray = set(line.hands) - set(hand.order)
    if stray:
        yield f"is for {min(stray)}, which no {table.bet} hand can be"
    if line.ranks and ("pair" not in line.hands or not hand.pairs_by_rank):
        yield "has ranks; only a pair of two, five or six cards can be narrowed to ranks"
    if line.suits and "super_royal" not in line.hands:
        yield "has suits; only a super royal can be narrowed to suits"
    for letters in (line.ranks, line.suits):
        if len(set(letters)) != len(letters):
            yield f"names a letter of {letters} twice; once is right"


def _payout(table: PayTable, line: Line) -> Iterator[str]:
    """Payouts that this bet cannot make, or that nobody can mean."""
    if line.pays.kind not in table.pays_kinds:
        right = ", ".join(PAYS_WORDS[kind] for kind in table.pays_kinds)
        yield f"pays {line.pays.words}; a table for {table.bet} can pay {right}"
    elif max(line.pays.amount, line.pays.per) > MOST_ODDS and line.pays.kind in ("to", "for"):
        yield f"pays {line.pays.words}; odds up to {MOST_ODDS:,} are right"
    if line.envy and table.bet != "placard":
        yield "shows an envy amount; only a placard does, a table for envy has lines of its own"


def _heading(table: PayTable) -> Iterator[str]:
    """What stands over the lines: the wager they are for, and whether they are as printed."""
    if (table.per_wager is not None) != (table.bet == "envy"):
        yield "per_wager is for envy tables, and each of them has it"
    elif table.per_wager == 0:
        yield "per_wager is $0; the wager that the amounts are for is right"
    if table.wager_printed is not None and table.bet != "progressive":
        yield "wager_printed is for progressive tables only"
    suspect = any(line.suspect for line in table.lines) or table.wager_printed == ""
    if table.playable and suspect != (table.status == "as_printed_suspect"):
        right = "final is right where no line is suspect and the wager is printed"
        if suspect:
            right = "as_printed_suspect is right where a line is suspect or the wager not printed"
        yield f"status is {table.status}; {right}"


def _played_as_printed(line: Line) -> bool:
    """Whether the printed cell and the payout say the same, where there is a cell to compare."""
    cell = line.printed.replace(",", "").lower()
    if cell in ("", "--"):
        return not line.suspect
    if line.pays.kind == "meter":
        return cell in (f"{line.pays.amount}%", f"{line.pays.amount} percent of meter")
    return cell == line.pays


Lines = dict[Kind, Line]


def index_lines(table: PayTable) -> Lines:
    """Every kind of hand with its line; a usable table has exactly one for each."""
    return {kind: lines_for(table, kind)[0] for kind in kinds(table)}
