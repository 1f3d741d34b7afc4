"""The same table under other rules: what a pay line one higher or lower is worth, and which slips
of a digit make another table of it.

Each changed table is solved again, so that the players' best answer to the change is counted.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import partial
from typing import Literal, TypeAlias, get_args

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.money import Cents
from riverboat.exact.side_bets import line_name
from riverboat.exact.solvers import house_edge, least_ante
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.play import Comparison
from riverboat.rulebook.values import Pays

How: TypeAlias = Literal["one digit", "two lines exchanged", "one line"]
"""How one pay table can be taken for another, the likeliest first."""
HOWS: tuple[How, ...] = get_args(How)
_MOST_DIGITS = 9


class LineMoved(Struct, frozen=True, kw_only=True):
    """A pay line, and the house edge if it paid one more or one less; None where it cannot."""

    line: str
    pays: str
    house_edge: Fraction
    one_more: Fraction | None
    one_less: Fraction | None


def moved(pays: Pays, by: int) -> Pays | None:
    """A payout whole units away: lose, push, then odds; None where there is nothing to pay so."""
    ladder = {"lose": -1, "push": 0}
    if pays.kind == "to":
        step, per = pays.amount + by * pays.per, pays.per
    elif pays.kind in ladder:
        step, per = ladder[pays.kind] + by, 1
    else:
        return None
    if step <= 0:
        words = {-per: "lose", 0: "push"}.get(step)
        return None if words is None else Pays.parse(words)
    return Pays.parse(f"{step} to {per}")


def misprints(pays: Pays) -> Iterator[Pays]:
    """What a slip of one digit makes of a payout: another digit, two exchanged, one left out, one
    twice. What is paid in words has none."""
    whole = pays.amount // 100 if pays.kind == "dollars" else pays.amount
    if pays.kind not in ("to", "for", "dollars") or (pays.kind == "dollars" and pays.amount % 100):
        return
    text = str(whole)
    slips: dict[str, None] = {}
    for place, digit in enumerate(text):
        before, after = text[:place], text[place + 1 :]
        slips |= dict.fromkeys(before + other + after for other in "0123456789")
        slips |= dict.fromkeys((before + after, before + 2 * digit + after))
        slips[before + after[:1] + digit + after[1:]] = None
    for slip in slips:
        if slip and slip != text and not slip.startswith("0") and len(slip) <= _MOST_DIGITS:
            written = f"${slip}" if pays.kind == "dollars" else f"{slip} {pays.kind} {pays.per}"
            yield Pays.parse(written)


def mistaken(differ: Sequence[tuple[Pays, Pays | None]]) -> How | None:
    """How a table can be taken for another, by the lines that differ: here, and there."""
    match differ:
        case [(here, there)]:
            slip = there is not None and (there in misprints(here) or here in misprints(there))
            return "one digit" if slip else "one line"
        case [(first, second), (third, fourth)] if (first, second) == (fourth, third):
            return "two lines exchanged"
    return None


def base_lines_moved(setup: Setup, ante_cents: Cents | None = None) -> Iterator[LineMoved]:
    """Every line of the base game, one more and one less."""
    ante = ante_cents or least_ante(setup)
    now = house_edge(setup, ante)
    for name, pays, paying in _base_lines(setup):
        more, less = (
            None if other is None else house_edge(paying(other), ante)
            for other in (moved(pays, 1), moved(pays, -1))
        )
        yield LineMoved(line=name, pays=pays.words, house_edge=now, one_more=more, one_less=less)


def _base_lines(setup: Setup) -> Iterator[tuple[str, Pays, Callable[[Pays], Setup]]]:
    """What pays the base game, each with the table that pays it otherwise: the lines of its pay
    table, or what each base wager is paid against the dealer, each for itself."""
    if setup.base is not None:
        for number, line in enumerate(setup.base.lines):
            yield line_name(line), line.pays, partial(_paying_line, setup, setup.base, number)
    if setup.book.comparison is not None:
        for number, told in enumerate(setup.book.comparison.lines):
            hands = ", ".join(hand.replace("_", " ") for hand in told.hands)
            for spot, pays in told.pays.items() if told.outcome != "fold" else ():
                name = f"{told.outcome.replace('_', ' ')}: {spot}"
                changed = partial(_paying_spot, setup, setup.book.comparison, number, spot)
                yield name + (f" ({hands})" if hands else ""), pays, changed


def _paying_line(setup: Setup, table: PayTable, number: int, pays: Pays) -> Setup:
    return paying_by(setup, with_line(table, number, pays))


def _paying_spot(setup: Setup, told: Comparison, number: int, spot: str, pays: Pays) -> Setup:
    lines = list(told.lines)
    lines[number] = replace(lines[number], pays={**lines[number].pays, spot: pays})
    changed = replace(told, lines=tuple(lines))
    return replace(setup, book=replace(setup.book, comparison=changed))


def with_line(table: PayTable, number: int, pays: Pays) -> PayTable:
    """The same table with one line changed."""
    lines = list(table.lines)
    lines[number] = replace(lines[number], pays=pays)
    return replace(table, lines=tuple(lines))


def paying_by(setup: Setup, table: PayTable) -> Setup:
    """The same with another pay table for the base game, for limits that go by it as well."""
    tables = tuple(table if one.id == table.id else one for one in setup.book.paytables)
    return replace(setup, book=replace(setup.book, paytables=tables))


def without_limit(setup: Setup) -> Setup:
    """The same table if it paid everything."""
    limit = replace(setup.book.aggregate_limit, limit=None)
    settings = {name: v for name, v in setup.settings.items() if name != "aggregate_limit"}
    return replace(setup, book=replace(setup.book, aggregate_limit=limit), settings=settings)
