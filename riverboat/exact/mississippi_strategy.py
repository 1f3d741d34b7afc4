"""Ways to play three streets that a person can remember: lines of words, each with its test.

The words go by points, which the pay table gives: a rank counts 2 if a pair of it wins, 1 if it is
a push, and else nothing. A line bets the least or the most that its street takes. So the same lines
fit a table that pays from another pair on, or takes other bets.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.cards import RANKS, Card, rank_of, suit_of
from riverboat.exact.mississippi import FOLD, Strategy
from riverboat.exact.payoffs import KINDS, Bets, Payoffs

_ACE = RANKS.index("A")
_TEN = RANKS.index("T")
_STRAIGHT = 5


class Held:
    """What a person sees in the cards: the player's own and those of the board."""

    def __init__(self, cards: Sequence[Card], points: Sequence[int], *, raised: bool) -> None:
        self.ranks = sorted(map(rank_of, cards), reverse=True)
        self.suited = len(set(map(suit_of, cards))) == 1
        self.raised = raised
        """Whether the most that a street takes was bet on an earlier one."""
        self._points = points

    @property
    def points(self) -> int:
        """Of all cards together."""
        return sum(self._points[rank] for rank in self.ranks)

    @property
    def high_cards(self) -> int:
        """How many would win as a pair."""
        return sum(self._points[rank] == 2 for rank in self.ranks)

    @property
    def middle_cards(self) -> int:
        """How many would push as a pair."""
        return sum(self._points[rank] == 1 for rank in self.ranks)

    @cached_property
    def _paired(self) -> list[int]:
        return [rank for rank in self.ranks if self.ranks.count(rank) > 1]

    @property
    def pair(self) -> bool:
        """A pair or better."""
        return bool(self._paired)

    @property
    def made(self) -> bool:
        """A hand that cannot lose any more."""
        return len(self._paired) > 2 or any(self._points[rank] for rank in self._paired)

    @cached_property
    def gaps(self) -> int:
        """Ranks missing between the cards, the ace high; too many where one is paired."""
        if self.pair:
            return _STRAIGHT
        return self.ranks[0] - self.ranks[-1] + 1 - len(self.ranks)

    @property
    def straight_draw(self) -> bool:
        """All cards fit into one straight, the ace at either end."""
        room = _STRAIGHT - len(self.ranks)
        if self.pair or self.gaps <= room:
            return not self.pair
        below_ace = self.ranks[1:] if self.ranks[0] == _ACE else self.ranks
        return len(below_ace) < len(self.ranks) and below_ace[0] < _STRAIGHT - 1

    @property
    def open_ended(self) -> bool:
        """In a row, with room at both ends."""
        return self.gaps == 0 and _ACE not in self.ranks

    @property
    def royal_draw(self) -> bool:
        """Tens and above of one suit."""
        return self.suited and not self.pair and self.ranks[-1] >= _TEN

    def lowest_is(self, rank: str) -> bool:
        """Whether no card is below this one."""
        return self.ranks[-1] >= RANKS.index(rank)

    def highest_is(self, rank: str) -> bool:
        """Whether some card is at least this one."""
        return self.ranks[0] >= RANKS.index(rank)


Test = Callable[[Held], bool]
Size: TypeAlias = Literal["least", "most"]
_SIZES: dict[Size, int] = {"least": 0, "most": -1}


class Advised(Struct, frozen=True):
    """One line: how much to bet, the words, and the test that the words mean.

    `bet` is the multiple of the ante that this comes to on a street of a table.
    """

    size: Size
    words: str
    test: Test
    bet: int = 0


class Rules(Struct, frozen=True, kw_only=True):
    """A way to play: for each street its lines, of which the first that fits counts.

    In its words {least} and {most} stand for the bets that a table takes.
    """

    name: str
    origin: str
    streets: tuple[tuple[Advised, ...], tuple[Advised, ...], tuple[Advised, ...]]

    @property
    def line_count(self) -> int:
        """How much there is to remember; a line that is the same on two streets counts once."""
        return len({(line.size, line.words) for street in self.streets for line in street})


def at_table(rules: Rules, payoffs: Payoffs) -> Rules:
    """The same with the bets of a table: in every line, and in the words."""
    said = {
        size: " or ".join(dict.fromkeys(f"{m[place]}x" for m in payoffs.multiples))
        for size, place in _SIZES.items()
    }
    third, fourth, fifth = (
        tuple(
            replace(line, words=line.words.format(**said), bet=multiples[_SIZES[line.size]])
            for line in lines
        )
        for lines, multiples in zip(rules.streets, payoffs.multiples, strict=True)
    )
    return Rules(
        name=rules.name.format(**said),
        origin=rules.origin.format(**said),
        streets=(third, fourth, fifth),
    )


def points_of(payoffs: Payoffs) -> tuple[int, ...]:
    """For each rank the points that a pair of it is worth: 2 for a win, 1 for a push."""
    row = payoffs.rows[0]
    pairs = [net for kind, net in zip(KINDS, row, strict=True) if kind.hand == "pair"]
    return tuple(2 if net > 0 else 1 if net == 0 else 0 for net in pairs)


def as_strategy(rules: Rules, payoffs: Payoffs) -> Strategy:
    """The lines as something that can be played and valued; what no line is for is folded."""
    points = points_of(payoffs)
    most = [multiples[-1] for multiples in payoffs.multiples]

    def choose(cards: tuple[Card, ...], bets: Bets) -> int:
        raised = any(bet == highest for bet, highest in zip(bets, most, strict=False))
        held = Held(cards, points, raised=raised)
        for line in rules.streets[len(bets)]:
            if line.test(held):
                return payoffs.multiples[len(bets)][_SIZES[line.size]]
        return FOLD

    return choose
