"""Pay tables: what is printed, what is played, and that every hand meets exactly one line."""

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta

from riverboat.cards import RANKS, SUITS
from riverboat.rulebook.rules import Rule
from riverboat.rulebook.values import Dollars, Pays, Words

Cards: TypeAlias = Literal["three", "five", "six"]
Bet: TypeAlias = Literal[
    "base", "three_card_bonus", "six_card_bonus", "bonus", "progressive", "envy", "placard"
]
TableStatus: TypeAlias = Literal["final", "struck", "as_printed_suspect"]

FIVE_CARD = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "pair",
    "high_card",
)
THREE_CARD = (
    "mini_royal",
    "straight_flush",
    "three_of_a_kind",
    "straight",
    "flush",
    "pair",
    "high_card",
)
SIX_CARD = ("super_royal", *FIVE_CARD)
HANDS_OF: dict[str, tuple[str, ...]] = {
    "base": FIVE_CARD,
    "three_card_bonus": THREE_CARD,
    "six_card_bonus": SIX_CARD,
    "bonus": FIVE_CARD,
    "progressive": FIVE_CARD,
    "envy": FIVE_CARD,
    "placard": FIVE_CARD,
}

HandName: TypeAlias = Literal[
    "super_royal",
    "mini_royal",
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
    "two_pair",
    "pair",
    "high_card",
]


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


class Kind(NamedTuple):
    """A hand as finely as a pay table may tell it apart."""

    hand: str
    rank: str = ""
    suit: str = ""

    def __str__(self) -> str:
        name = self.hand.replace("_", " ")
        if self.rank:
            return f"{name} of {self.rank}"
        return f"{name} ({self.suit})" if self.suit else name


class PayTable(Rule, frozen=True, kw_only=True):
    """A pay table. A struck one is kept for analysis and cannot be played."""

    id: Words
    bet: Bet
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


def kinds(bet: str) -> Iterator[Kind]:
    """Every kind of hand that a table for this bet must have a line for."""
    for hand in HANDS_OF[bet]:
        if hand == "pair" and bet != "three_card_bonus":
            yield from (Kind(hand, rank=rank) for rank in RANKS)
        elif hand == "super_royal":
            yield from (Kind(hand, suit=suit) for suit in SUITS)
        else:
            yield Kind(hand)


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
    """What makes a table unusable: a hand with no line, with two, or a line that can't match."""
    known = tuple(kinds(table.bet))
    if table.bet != "placard":
        for kind in known:
            found = len(lines_for(table, kind))
            if found != 1:
                yield f"{kind} matches {found or 'no'} lines; exactly one is right"
    for number, line in enumerate(table.lines, start=1):
        stray = set(line.hands) - set(HANDS_OF[table.bet])
        if stray:
            yield f"line {number} is for {min(stray)}, which no {table.bet} hand can be"
        elif not any(matches(line, kind) for kind in known):
            yield f"line {number} matches no hand"
        if _played_as_printed(line) == line.suspect:
            yield (
                f"line {number} prints {line.printed!r} and pays {line.pays.words}; if that is "
                "meant, say suspect = true, and only then"
            )


def _played_as_printed(line: Line) -> bool:
    """Whether the printed cell and the payout say the same, where there is a cell to compare."""
    cell = line.printed.replace(",", "").lower()
    if cell in ("", "--"):
        return not line.suspect
    if line.pays.kind == "meter":
        return cell in (f"{line.pays.amount}%", f"{line.pays.amount} percent of meter")
    return cell == line.pays
