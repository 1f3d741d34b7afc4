"""What simpler ways to play three streets cost, exactly, beside the best one."""

from collections.abc import Iterable
from fractions import Fraction

from msgspec import Struct

from riverboat.exact.mississippi import Figures, Solution, evaluate
from riverboat.exact.mississippi_strategy import Advised, Held, Rules, as_strategy, at_table
from riverboat.exact.payoffs import Payoffs


def _points(needed: int) -> Advised:
    return Advised("least", f"{needed} points", lambda held: held.points >= needed)


def _always(_: Held) -> bool:
    return True


_ANY_PAIR = Advised("most", "any pair", lambda held: held.pair)
_MADE = Advised("most", "a pair that pays or pushes, or better", lambda held: held.made)
_LOW_PAIR = Advised("least", "any other pair", lambda held: held.pair)
_REST_LEAST = Advised("least", "everything else", _always)
_REST_MOST = Advised("most", "everything", _always)
_SUITED_LEAST = Advised("least", "all of one suit", lambda held: held.suited)
_SUITED_MOST = Advised("most", "all of one suit", lambda held: held.suited)
_STRAIGHT_LEAST = Advised("least", "all in reach of one straight", lambda held: held.straight_draw)
_ROW_MOST = Advised("most", "four in a row, open at both ends", lambda held: held.open_ended)
_CLOSE_SUITED_MOST = Advised(
    "most",
    "all of one suit, none below 5, no more gaps between them than high cards",
    lambda held: held.suited and held.lowest_is("5") and held.gaps <= held.high_cards,
)
_OPEN_MOST = Advised(
    "most",
    "four in a row, open at both ends, 8 high or better",
    lambda held: held.open_ended and held.highest_is("8"),
)

PUBLISHED = Rules(
    name="points and draws",
    origin="published for the usual pay table (500-100-40-10-6-4-3-2-1, sixes push), ace high",
    streets=(
        (
            _ANY_PAIR,
            _points(2),
            Advised(
                "least",
                "6-5 of one suit",
                lambda held: held.suited and held.lowest_is("5") and held.gaps == 0,
            ),
        ),
        (
            _MADE,
            Advised("most", "three to a royal flush", lambda held: held.royal_draw),
            Advised(
                "most",
                "three in a row of one suit, 5-6-7 or higher",
                lambda held: held.suited and held.gaps == 0 and held.lowest_is("5"),
            ),
            Advised(
                "most",
                "three of one suit with one gap and a high card",
                lambda held: held.suited and held.gaps == 1 and held.high_cards >= 1,
            ),
            Advised(
                "most",
                "three of one suit with two gaps and two high cards",
                lambda held: held.suited and held.gaps == 2 and held.high_cards >= 2,
            ),
            _SUITED_LEAST,
            _LOW_PAIR,
            _points(3),
            Advised(
                "least",
                "three in a row, 4-5-6 or higher",
                lambda held: held.gaps == 0 and held.lowest_is("4"),
            ),
            Advised(
                "least",
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
            Advised(
                "least",
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
        (_ANY_PAIR, Advised("least", "a high card", lambda held: held.high_cards > 0)),
        (_MADE, _LOW_PAIR, Advised("least", "a high card", lambda held: held.high_cards > 0)),
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
