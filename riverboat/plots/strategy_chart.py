"""Strategies to look at: starting hands in a square, hands against the dealer's up-card."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import cycle
from typing import NamedTuple

from riverboat.core.cards import RANKS
from riverboat.core.hands import FiveCardHand, Ranked
from riverboat.core.money import Cents
from riverboat.exact.base_games.dealer_game import DealerSolution, solve_against_dealer
from riverboat.exact.base_games.dealer_strategies import relations_of
from riverboat.exact.base_games.streets import FOLD, Situation, Solution, solve, starting_hands
from riverboat.exact.solvers import ByShape
from riverboat.plots.axes import (
    BLUE,
    FINE,
    INK,
    MARGIN,
    ORANGE,
    PALE,
    PAPER,
    QUIET,
    RED,
    SKY,
    WIDTH,
    WORDS,
    Picture,
    Source,
    percent,
    signed,
)
from riverboat.round.setup.setup import Setup

_DOWN = RANKS[::-1]
_BETWEEN = (ORANGE, RED, "#009e73", "#cc79a7")
_DARK = (BLUE, RED, "#009e73")
_LOWEST_OF = {f"pair of {RANKS[0]}": "pair"}


def base_chart(setup: Setup, ante_cents: Cents, source: Source, where: str) -> str:
    """The best play of a table's base game."""
    return ByShape(_on_streets, _against_dealer).at(setup)(setup, ante_cents, source, where)


def _on_streets(setup: Setup, ante_cents: Cents, source: Source, where: str) -> str:
    return strategy_chart(solve(setup, ante_cents), source, where)


def _against_dealer(setup: Setup, ante_cents: Cents, source: Source, where: str) -> str:
    return dealer_chart(solve_against_dealer(setup, ante_cents), source, where)


def strategy_chart(solution: Solution, source: Source, where: str) -> str:
    """What to do with the first two cards: 169 kinds of them in a square."""
    hands = starting_hands(solution)
    multiples = solution.payoffs.multiples[0]
    fills = {FOLD: PALE, **_fills(multiples)}
    shares = {choice: Fraction(0) for choice in fills}
    for found in hands.values():
        shares[found.best] += Fraction(found.card_sets, 1326)
    picture = Picture(
        "The first two cards",
        f"{where}: the best choice before any community card. Right of the diagonal both cards "
        "are of one suit, left of it of two.",
        "A square of 13 by 13 starting hands. "
        + "; ".join(f"{_choice(c)}: {percent(share)} of deals" for c, share in shares.items()),
    )
    side = (WIDTH - 2 * MARGIN - 16) / 13
    top, left = picture.bottom + 16, MARGIN + 16
    for place, rank in enumerate(_DOWN):
        middle = side * (place + 0.5)
        picture.text(left + middle, top - 4, rank, anchor="middle", weight="bold")
        picture.text(left - 10, top + middle + 4, rank, anchor="middle", weight="bold")
    for row, first in enumerate(_DOWN):
        for column, second in enumerate(_DOWN):
            name = _cell(row, column, first, second)
            found = hands[name]
            fill, x, y = fills[found.best], left + column * side, top + row * side
            picture.rect(x + 0.75, y + 0.75, side - 1.5, side - 1.5, fill, _tip(name, found),
                         "cell")  # fmt: skip
            picture.text(x + side / 2, y + side / 2 + 4, _short(found.best), anchor="middle",
                         size=WORDS, fill=_on(fill))  # fmt: skip
    picture.bottom = top + 13 * side + 6
    picture.legend(
        [(fills[c], f"{_choice(c)}, {percent(share)}") for c, share in shares.items() if share]
    )
    never = [f"{c}x" for c, share in shares.items() if not share]
    if never:
        picture.note(f"Never the best: {', '.join(never)}. Percentages are of all deals.")
    return picture.svg(source)


def _fills(multiples: Sequence[int]) -> dict[int, str]:
    """The lowest bet is pale, the highest dark."""
    middle = multiples[1:-1]
    fills = {multiples[0]: SKY, multiples[-1]: BLUE}
    return fills | dict(zip(middle, cycle(_BETWEEN), strict=False))


def _cell(row: int, column: int, first: str, second: str) -> str:
    if row == column:
        return first * 2
    return f"{first}{second}s" if column > row else f"{second}{first}o"


def _choice(choice: int) -> str:
    return f"bet {choice}x" if choice else "fold"


def _short(choice: int) -> str:
    return f"{choice}x" if choice else "fold"


def _on(fill: str) -> str:
    return PAPER if fill in _DARK else INK


def _tip(name: str, found: Situation) -> str:
    worth = ", ".join(f"{_choice(c)} {signed(value)}" for c, value in found.choices.items())
    return f"{name}: {worth} antes"


# ---------------------------------------------------------------- against the dealer's up-card


class HandRow(NamedTuple):
    """Hands that are told apart in the chart: for each up-card the share of them that bets.

    A share is missing where no such hand can be.
    """

    label: str
    shares: tuple[Fraction | None, ...]


def dealer_chart(solution: DealerSolution, source: Source, where: str) -> str:
    """Bet or fold by the own hand and the dealer's up-card."""
    picture = Picture(
        "Bet or fold, by the dealer's up-card",
        f"{where}: the best play. Each box is a kind of hand against an up-card.",
        "Two tables, hands by up-cards: the share of the hands in a box that bet.",
    )
    panels = (
        (False, "No card of the up-card's rank in your hand"),
        (True, "A card of the up-card's rank in your hand"),
    )
    for matches, words in panels:
        _panel(picture, words, hand_rows(solution, matches))
    picture.legend([(PALE, "fold"), (ORANGE, "some bet: how many, in percent"), (BLUE, "bet")])
    picture.note("An empty box: no such hand. Suits decide within the mixed boxes.")
    return picture.svg(source)


def _panel(picture: Picture, words: str, rows: Sequence[HandRow]) -> None:
    label_room, high = 74, 21
    side = (WIDTH - 2 * MARGIN - label_room) / 13
    picture.text(MARGIN, picture.bottom + WORDS, words, weight="bold")
    picture.text(MARGIN, picture.bottom + WORDS + 18, "your hand", size=FINE, fill=QUIET)
    top, left = picture.bottom + WORDS + 23, MARGIN + label_room
    for place, rank in enumerate(RANKS):
        picture.text(left + side * (place + 0.5), top - 4, rank, anchor="middle", weight="bold")
    for number, row in enumerate(rows):
        y = top + number * high
        picture.text(left - 5, y + 14, row.label, size=FINE, anchor="end")
        for place, share in enumerate(row.shares):
            if share is None:
                continue
            fill, said = _verdict(share)
            x = left + place * side
            tip = f"{row.label} against {RANKS[place]}: {percent(share)} bet"
            picture.rect(x + 0.75, y + 0.75, side - 1.5, high - 1.5, fill, tip, "cell")
            picture.text(x + side / 2, y + 14, said, anchor="middle", size=FINE, fill=_on(fill))
    picture.bottom = top + len(rows) * high + 8


def _verdict(share: Fraction) -> tuple[str, str]:
    if share in (0, 1):
        return (BLUE, "bet") if share else (PALE, "fold")
    rounded = round(share * 100)
    return ORANGE, "<1" if not rounded else ">99" if rounded == 100 else str(rounded)


def hand_rows(solution: DealerSolution, matches: bool) -> tuple[HandRow, ...]:
    """Kinds of hand from the highest, rows that always fold or always bet put together."""
    rows = list(_hand_rows(solution, matches))
    while len(rows) > 1 and _all(rows[0], 1) and _all(rows[1], 1):
        rows[:2] = [HandRow(rows[1].label, _either(rows[0], rows[1]))]
    low = 0
    while len(rows) > 1 and _all(rows[-1], 0) and _all(rows[-2], 0):
        rows[-2:] = [HandRow(rows[-2].label, _either(rows[-1], rows[-2]))]
        low += 1
    if _all(rows[0], 1):
        rows[0] = HandRow(f"{_LOWEST_OF.get(rows[0].label, rows[0].label)} or better",
                          rows[0].shares)  # fmt: skip
    if low:
        rows[-1] = HandRow(f"{rows[-1].label} or lower", rows[-1].shares)
    return tuple(rows)


def _all(row: HandRow, share: int) -> bool:
    return all(one is None or one == share for one in row.shares)


def _either(one: HandRow, other: HandRow) -> tuple[Fraction | None, ...]:
    return tuple(b if a is None else a for a, b in zip(one.shares, other.shares, strict=True))


def _hand_rows(solution: DealerSolution, matches: bool) -> Iterator[HandRow]:
    from riverboat.exact.kernels.hand_values import hand_values

    found, ranked = relations_of(solution), hand_values().ranked
    groups: dict[str, list[int]] = {}
    for value in range(len(ranked) - 1, -1, -1):
        groups.setdefault(_row_label(ranked[value]), []).append(value)
    for label, values in groups.items():
        shares: list[Fraction | None] = []
        for rank in range(len(RANKS)):
            hands = int(found.cells[values, rank, int(matches)].sum())
            bets = int(found.bets[values, rank, int(matches)].sum())
            shares.append(Fraction(bets, hands) if hands else None)
        yield HandRow(label, tuple(shares))


def _row_label(value: Ranked) -> str:
    """Ace-high hands by their second card, pairs by their rank, anything else by its name."""
    first = RANKS[value.ranks[0]]
    if value.hand is FiveCardHand.HIGH_CARD:
        return f"A-{RANKS[value.ranks[1]]}" if first == "A" else f"{first} high"
    if value.hand is FiveCardHand.PAIR:
        return f"pair of {first}"
    return value.hand.label.replace("_", " ")
