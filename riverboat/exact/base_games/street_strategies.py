"""Ways to play three streets that a person can remember, and what each costs beside the best play.

A way is lines of words, each with its test. The words go by points, which the pay table gives: a
rank counts 2 if a pair of it wins, 1 if it is a push, and else nothing. A line bets the least or
the most that its street takes. So the same lines fit a table that pays from another pair on, or
takes other bets.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import partial
from typing import Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.cards import RANKS, Card, rank_of, suit_of
from riverboat.exact.base_games.street_payoffs import KINDS, Bets, Payoffs
from riverboat.exact.base_games.streets import FOLD, Figures, Solution, Strategy, evaluate

_ACE = RANKS.index("A")
_STRAIGHT = 5

Size: TypeAlias = Literal["least", "most"]
_SIZES: dict[Size, int] = {"least": 0, "most": -1}


class Held:
    """What a person sees in the cards: the player's own and those of the board."""

    def __init__(self, cards: Sequence[Card], points: Sequence[int], *, raised: bool) -> None:
        self.ranks = sorted(map(rank_of, cards), reverse=True)
        self.suited = len(set(map(suit_of, cards))) == 1
        self.raised = raised
        """Whether the most that a street takes was bet on an earlier one."""
        each = [points[rank] for rank in self.ranks]
        self.points, self.high_cards, self.middle_cards = sum(each), each.count(2), each.count(1)
        """Of all cards together; how many would win as a pair, and how many would push."""
        paired = [rank for rank in self.ranks if self.ranks.count(rank) > 1]
        self.pair = bool(paired)
        """A pair or better."""
        self.made = len(paired) > 2 or any(points[rank] for rank in paired)
        """A hand that cannot lose any more."""
        missing = self.ranks[0] - self.ranks[-1] + 1 - len(self.ranks)
        self.gaps = _STRAIGHT if self.pair else missing
        """Ranks missing between the cards, the ace high; too many where one is paired."""

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

    def lowest_is(self, rank: str) -> bool:
        """Whether no card is below this one."""
        return self.ranks[-1] >= RANKS.index(rank)


Test = Callable[[Held], bool]


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
    streets: tuple[tuple[Advised, ...], ...]


def at_table(rules: Rules, payoffs: Payoffs) -> Rules:
    """The same with the bets of a table: in every line, and in the words."""
    said = {
        size: " or ".join(dict.fromkeys(f"{m[place]}x" for m in payoffs.multiples))
        for size, place in _SIZES.items()
    }
    streets = [
        tuple(
            replace(line, words=line.words.format(**said), bet=multiples[_SIZES[line.size]])
            for line in lines
        )
        for lines, multiples in zip(rules.streets, payoffs.multiples, strict=True)
    ]
    return Rules(
        name=rules.name.format(**said),
        origin=rules.origin.format(**said),
        streets=tuple(streets),
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


_least, _most = partial(Advised, "least"), partial(Advised, "most")


def _points(needed: int) -> Advised:
    return _least(f"{needed} points", lambda held: held.points >= needed)


def _always(_: Held) -> bool:
    return True


_ANY_PAIR = _most("any pair", lambda held: held.pair)
_MADE = _most("a pair that pays or pushes, or better", lambda held: held.made)
_LOW_PAIR = _least("any other pair", lambda held: held.pair)
_REST_LEAST = _least("everything else", _always)
_REST_MOST = _most("everything", _always)
_SUITED_LEAST = _least("all of one suit", lambda held: held.suited)
_SUITED_MOST = _most("all of one suit", lambda held: held.suited)
_STRAIGHT_LEAST = _least("all in reach of one straight", lambda held: held.straight_draw)
_ROW_MOST = _most("four in a row, open at both ends", lambda held: held.open_ended)
_CLOSE_SUITED_MOST = _most(
    "all of one suit, none below 5, no more gaps between them than high cards",
    lambda held: held.suited and held.lowest_is("5") and held.gaps <= held.high_cards,
)
_OPEN_MOST = _most(
    "four in a row, open at both ends, 8 high or better",
    lambda held: held.open_ended and held.lowest_is("5"),
)

PUBLISHED = Rules(
    name="points and draws",
    origin="published for the usual pay table (500-100-40-10-6-4-3-2-1, sixes push), ace high",
    streets=(
        (
            _ANY_PAIR,
            _points(2),
            _least(
                "6-5 of one suit",
                lambda held: held.suited and held.lowest_is("5") and held.gaps == 0,
            ),
        ),
        (
            _MADE,
            _most(
                "three to a royal flush",
                lambda held: held.suited and not held.pair and held.lowest_is("T"),
            ),
            _most(
                "three in a row of one suit, 5-6-7 or higher",
                lambda held: held.suited and held.gaps == 0 and held.lowest_is("5"),
            ),
            _most(
                "three of one suit with one gap and a high card",
                lambda held: held.suited and held.gaps == 1 and held.high_cards >= 1,
            ),
            _most(
                "three of one suit with two gaps and two high cards",
                lambda held: held.suited and held.gaps == 2 and held.high_cards >= 2,
            ),
            _SUITED_LEAST,
            _LOW_PAIR,
            _points(3),
            _least(
                "three in a row, 4-5-6 or higher",
                lambda held: held.gaps == 0 and held.lowest_is("4"),
            ),
            _least(
                "one gap and two middle cards",
                lambda held: held.gaps == 1 and held.middle_cards >= 2,
            ),
        ),
        (
            _MADE,
            _SUITED_MOST,
            _OPEN_MOST,
            _STRAIGHT_LEAST,
            _LOW_PAIR,
            _points(4),
            _least(
                "three middle cards after a bet of {most}",
                lambda held: held.middle_cards >= 3 and held.raised,
            ),
        ),
    ),
)

COMPACT = Rules(
    name="two, three, four points",
    origin="derived here: few lines that stay within a thousandth of an ante of the best play",
    streets=(
        (_ANY_PAIR, _points(2)),
        (_MADE, _CLOSE_SUITED_MOST, _SUITED_LEAST, _LOW_PAIR, _points(3)),
        (_MADE, _SUITED_MOST, _ROW_MOST, _STRAIGHT_LEAST, _LOW_PAIR, _points(4)),
    ),
)

SHORTER = Rules(
    name="two, three, four points, no close draws",
    origin="derived here: the same without its two lines about cards in a row",
    streets=(
        (_ANY_PAIR, _points(2)),
        (_MADE, _SUITED_LEAST, _LOW_PAIR, _points(3)),
        (_MADE, _SUITED_MOST, _STRAIGHT_LEAST, _LOW_PAIR, _points(4)),
    ),
)

POINTS_ALONE = Rules(
    name="points alone",
    origin="published lines without any draw",
    streets=(
        (_ANY_PAIR, _points(2)),
        (_MADE, _LOW_PAIR, _points(3)),
        (_MADE, _LOW_PAIR, _points(4)),
    ),
)

NEVER_FOLD = Rules(
    name="never fold",
    origin="a habit: {most} with a hand that cannot lose, and else {least} to the end",
    streets=((_ANY_PAIR, _REST_LEAST), (_MADE, _REST_LEAST), (_MADE, _REST_LEAST)),
)

PAIRS_ONLY = Rules(
    name="stay until a pair",
    origin="a habit: a high card or a pair to begin with, then only pairs",
    streets=(
        (_ANY_PAIR, _least("a high card", lambda held: held.high_cards > 0)),
        (_MADE, _LOW_PAIR, _least("a high card", lambda held: held.high_cards > 0)),
        (_MADE, _LOW_PAIR),
    ),
)

ALWAYS_LEAST = Rules(
    name="always {least}",
    origin="a habit: see every card as cheaply as possible",
    streets=((_REST_LEAST,), (_REST_LEAST,), (_REST_LEAST,)),
)

ALWAYS_MOST = Rules(
    name="always {most}",
    origin="a habit: bet everything on every card",
    streets=((_REST_MOST,), (_REST_MOST,), (_REST_MOST,)),
)

SIMPLER: tuple[Rules, ...] = (
    PUBLISHED, COMPACT, SHORTER, POINTS_ALONE, PAIRS_ONLY, NEVER_FOLD, ALWAYS_LEAST, ALWAYS_MOST,
)  # fmt: skip


class Cost(Struct, frozen=True, kw_only=True):
    """A way to play, with this table's bets, beside the best one, in antes."""

    rules: Rules
    figures: Figures
    cost: Fraction


def costs(payoffs: Payoffs, ways: Iterable[Rules] = SIMPLER) -> tuple[Cost, ...]:
    """What each way gives away a round against the best play."""
    best = Solution(payoffs).value
    played = [(rules, evaluate(payoffs, as_strategy(rules, payoffs))) for rules in ways]
    return tuple(
        Cost(rules=at_table(rules, payoffs), figures=figures, cost=best - figures.value)
        for rules, figures in played
    )
