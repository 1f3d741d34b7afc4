"""Pay tables: what is printed, what is played, and that every hand meets exactly one line."""

from collections.abc import Iterator
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta

from riverboat.cards import RANKS, SUITS
from riverboat.rulebook.rules import Rule
from riverboat.rulebook.values import Dollars, Pays, Words

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
_ODDS = ("to", "push", "lose")
PAYS_OF: dict[str, tuple[str, ...]] = {
    "base": _ODDS,
    "three_card_bonus": _ODDS,
    "six_card_bonus": (*_ODDS, "dollars"),
    "bonus": _ODDS,
    "progressive": ("for", "meter", "lose"),
    "envy": ("dollars", "nothing"),
    "placard": ("for", "meter", "lose"),
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
FULL_METER = "100% of meter"

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
    """What makes a table unusable: a hand with no line or two, a line that cannot be played."""
    if table.bet != "placard":
        for kind in kinds(table.bet):
            found = len(lines_for(table, kind))
            if found != 1:
                yield f"{kind} matches {found or 'no'} lines; exactly one is right"
    for number, line in enumerate(table.lines, start=1):
        for flaw in (*_narrowing(table.bet, line), *_payout(table.bet, line), *_print(line)):
            yield f"line {number} {flaw}"
    full = sum(line.pays == FULL_METER for line in table.lines)
    if full > 1:
        yield f"{full} lines pay {FULL_METER}; at most one can empty the meter"
    yield from _heading(table)


def _narrowing(bet: str, line: Line) -> Iterator[str]:
    """Hands that the bet does not know, and ranks or suits that tell no hands apart."""
    stray = set(line.hands) - set(HANDS_OF[bet])
    if stray:
        yield f"is for {min(stray)}, which no {bet} hand can be"
    if line.ranks and ("pair" not in line.hands or bet == "three_card_bonus"):
        yield "has ranks; only a pair of five or six cards can be narrowed to ranks"
    if line.suits and "super_royal" not in line.hands:
        yield "has suits; only a super royal can be narrowed to suits"
    for letters in (line.ranks, line.suits):
        if len(set(letters)) != len(letters):
            yield f"names a letter of {letters} twice; once is right"


def _payout(bet: str, line: Line) -> Iterator[str]:
    """Payouts that this bet cannot make, or that nobody can mean."""
    if line.pays.kind not in PAYS_OF[bet]:
        right = ", ".join(PAYS_WORDS[kind] for kind in PAYS_OF[bet])
        yield f"pays {line.pays.words}; a table for {bet} can pay {right}"
    elif max(line.pays.amount, line.pays.per) > MOST_ODDS and line.pays.kind in ("to", "for"):
        yield f"pays {line.pays.words}; odds up to {MOST_ODDS:,} are right"
    if line.envy and bet != "placard":
        yield "shows an envy amount; only a placard does, a table for envy has lines of its own"


def _print(line: Line) -> Iterator[str]:
    if _played_as_printed(line) == line.suspect:
        yield (
            f"prints {line.printed!r} and pays {line.pays.words}; if that is "
            "meant, say suspect = true, and only then"
        )


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
        right = (
            "as_printed_suspect is right where a line is suspect or the wager not printed"
            if suspect
            else "final is right where no line is suspect and the wager is printed"
        )
        yield f"status is {table.status}; {right}"


def _played_as_printed(line: Line) -> bool:
    """Whether the printed cell and the payout say the same, where there is a cell to compare."""
    cell = line.printed.replace(",", "").lower()
    if cell in ("", "--"):
        return not line.suspect
    if line.pays.kind == "meter":
        return cell in (f"{line.pays.amount}%", f"{line.pays.amount} percent of meter")
    return cell == line.pays
