"""The small values a rulebook is written in: amounts, rates, odds, hands, bets and spots.

In a file an amount is dollars as text ("25", "0.50") and odds are words ("500 to 1"). Here they
become integers that remember how to print themselves.
"""

import re
from typing import Annotated, Literal, Protocol, TypeAlias

from msgspec import Meta

from riverboat.core.errors import NotationError
from riverboat.core.money import format_cents, parse_dollars, parse_percent, show_percent

# Nine digits are more than any table prints, and no number that passes can overflow or print for
# pages.
_ODDS = re.compile(r"([1-9][0-9]{0,8}) (to|for) ([1-9][0-9]{0,8})")
_SHARE = re.compile(r"(100|[1-9][0-9]?)% of meter")
_PRIZE = re.compile(r"\$([0-9]{1,9}(?:\.[0-9]{2})?)")
_LONGEST_QUOTED = 40

Words = Annotated[str, Meta(min_length=1)]
Sha256 = Annotated[
    str, Meta(pattern=r"^([0-9a-f]{64})?$", description="a sha256 has 64 hexadecimal digits")
]
Count = Annotated[int, Meta(ge=0)]
Natural = Annotated[int, Meta(ge=1)]

Status: TypeAlias = Literal["in force", "draft", "superseded", "vendor's", "house's"]
Name = Annotated[
    str,
    Meta(
        pattern="^[a-z]+(_[a-z]+)*$",
        description="small letters and single underscores, like side_bet",
    ),
]
"""A game, a bet or a spot, as the rulebook itself calls it."""
Place: TypeAlias = Literal["seat", "community", "box", "dealer"]
"""Where cards are dealt to."""
Person: TypeAlias = Literal["dealer", "floorperson", "supervisor", "player", "house"]


class Notation(Protocol):
    """A value that a file writes as text."""

    @classmethod
    def parse(cls, text: str) -> object: ...


class Dollars(int):
    """An amount in cents that a file writes in dollars."""

    @classmethod
    def parse(cls, text: str) -> "Dollars":
        return cls(parse_dollars(text))

    def __str__(self) -> str:
        return format_cents(self)


class Percent(int):
    """A rate in basis points that a file writes in percent."""

    @classmethod
    def parse(cls, text: str) -> "Percent":
        return cls(parse_percent(text))

    def __str__(self) -> str:
        return f"{show_percent(self)}%"


class Pays(str):
    """What a line of a pay table pays, in its own words.

    `to` returns the stake as well, `for` does not; `meter` is a share of the meter in percent,
    `dollars` a fixed prize in cents; `push` returns the stake alone; `lose` takes it; `nothing`
    is said where no stake is at risk (an envy bonus).
    """

    __slots__ = ("amount", "kind", "per")

    kind: Literal["to", "for", "meter", "dollars", "push", "lose", "nothing"]
    amount: int
    per: int

    @classmethod
    def parse(cls, text: str) -> "Pays":
        pays = cls(text)
        pays.amount, pays.per = 0, 1
        if text in ("push", "lose", "nothing"):
            pays.kind = text  # type: ignore[assignment]
        elif found := _ODDS.fullmatch(text):
            pays.kind = "to" if found[2] == "to" else "for"
            pays.amount, pays.per = int(found[1]), int(found[3])
        elif found := _SHARE.fullmatch(text):
            pays.kind, pays.amount = "meter", int(found[1])
        elif (found := _PRIZE.fullmatch(text)) and (prize := parse_dollars(found[1])):
            pays.kind, pays.amount = "dollars", prize
        else:
            raise NotationError(
                "pays.unreadable",
                f"{quoted(text)} is no payout; write '500 to 1', '300 for 1', '10% of meter', "
                "'$100000', 'push', 'lose' or 'nothing', in numbers of one to nine digits",
            )
        return pays

    @property
    def wins(self) -> bool:
        """Whether the line gives the player more than the stake back."""
        return self.kind not in ("push", "lose", "nothing")

    @property
    def words(self) -> str:
        """The payout as people write it: with separators in large numbers."""
        match self.kind:
            case "to" | "for":
                return f"{self.amount:,} {self.kind} {self.per}"
            case "dollars":
                return format_cents(self.amount)
        return str(self)


def quoted(text: str) -> str:
    """Text as a message shows it: in quotes, and no longer than a message should be."""
    return repr(text) if len(text) <= _LONGEST_QUOTED else f"{text[:_LONGEST_QUOTED]!r}..."


def with_article(noun: str) -> str:
    """`a manual shuffle`, `an automated shuffle`."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


# Every way to deal, as it follows `dealt` or `dealing`.
DEALT = {
    "hand": "from the hand",
    "manual_shoe": "from a manual shoe",
    "automated": "from an automated shoe or shuffler",
    "rotation": "in rotation",
    "packets": "in packets",
}


def say(value: object) -> str:
    """One value of a rule, in words."""
    match value:
        case None | "" | ():
            return "none"
        case dict() if not value:
            return "none"
        case bool():
            return "yes" if value else "no"
        case Dollars() | Percent():
            return str(value)
        case Pays():
            return value.words
        case tuple():
            return ", ".join(say(item) for item in value)
        case dict() if all(isinstance(item, Pays) for item in value.values()):
            return ", ".join(f"{say(key)} {say(item)}" for key, item in value.items())
        case dict():
            return "; ".join(f"with {say(key)}: {say(item)}" for key, item in value.items())
    return str(value).replace("_", " ")


def table_called(name: str, before: str = "table") -> str:
    """`table T4`, or `Table 4` as it is called; `before` is the word where one is needed."""
    says_it = name.casefold().split(" ")[0] == "table"
    return name if says_it else f"{before} {name}"
