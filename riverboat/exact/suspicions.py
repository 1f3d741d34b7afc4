"""Pay tables that cannot be meant: found from their figures and from the tables beside them.

A table is read as it is printed. Where its edge lies far from those of all tables for the same bet,
one line at a time is read as the others have it; the line that puts the edge right is named.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from statistics import median
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.hands import Kind
from riverboat.exact.figures import BetFigures
from riverboat.exact.side_bets import as_printed, dealt_hands, side_bet_figures, side_bet_tables
from riverboat.round.settlement.dues import forfeited_by_fold
from riverboat.round.setup.setup import set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line, PayTable, index_lines, kinds
from riverboat.rulebook.values import Pays
from riverboat.rulebooks import load_all

FAR_OFF = 3
"""How many times the middle edge of all tables is more than a table would dare to ask."""
MOST_ALONE = Fraction(2, 5)
"""The same where a bet has too few tables to tell."""
ENOUGH = 4


class Suspicion(Struct, frozen=True, kw_only=True):
    """A line that is almost certainly misprinted, and what the tables beside it say.

    `siblings_pay` is empty, and `label` too, where no single line explains the edge.
    """

    rulebook: str
    bet: str
    paytable: str
    label: str
    printed: str
    siblings_pay: str
    siblings: int
    house_edge: Fraction
    mended_edge: Fraction | None
    words: str


class _Printed(NamedTuple):
    book: Rulebook
    table: PayTable
    figures: BetFigures


def suspicions(books: Iterable[Rulebook] | None = None) -> tuple[Suspicion, ...]:
    """Every suspicious bonus table of these rulebooks, beside all those in the house."""
    asked = tuple(loaded.book for loaded in load_all()) if books is None else tuple(books)
    known = {loaded.book.id: loaded.book for loaded in load_all()}
    known |= {book.id: book for book in asked}
    printed = [_printed(book, table) for book in known.values() for table in side_bet_tables(book)]
    named = {book.id for book in asked}
    found: list[Suspicion] = []
    for bet in dict.fromkeys(one.table.bet for one in printed):
        found += _of_one_bet([one for one in printed if one.table.bet == bet], named)
    return tuple(found)


def _printed(book: Rulebook, table: PayTable) -> _Printed:
    read = as_printed(table)
    return _Printed(book, read, _by_itself(book, read))


def _by_itself(book: Rulebook, table: PayTable) -> BetFigures:
    """A table as its print is to be judged: by its hands, whatever a fold does to the bet."""
    setup = set_up(book, {})
    return side_bet_figures(setup, table.bet, table, counts=dealt_hands(setup, table))


def _of_one_bet(printed: list[_Printed], named: set[str]) -> Iterator[Suspicion]:
    edges = [one.figures.house_edge for one in printed]
    most = FAR_OFF * median(edges) if len(edges) >= ENOUGH else MOST_ALONE
    sound = [one for one in printed if _is_sound(one, most)]
    for one in printed:
        if one not in sound and one.book.id in named:
            yield _suspicion(one, sound, most)


def _is_sound(one: _Printed, most: Fraction) -> bool:
    """Whether an edge can be meant. Where a fold loses the bet, its hands alone may well favour the
    player: what is folded pays for them."""
    edge = one.figures.house_edge
    return edge <= most and (edge >= 0 or forfeited_by_fold(set_up(one.book, {}), one.table.bet))


def _suspicion(one: _Printed, sound: list[_Printed], most: Fraction) -> Suspicion:
    mended = [
        (line, pays, agree, edge)
        for line in one.table.lines
        for pays, agree in _as_the_others_have_it(line, one.table, sound)
        for edge in [_edge_with(one, line, pays)]
        if 0 <= edge <= most
    ]
    line, pays, agree, edge = max(mended, key=lambda it: it[2]) if mended else (None, "", 0, None)
    return Suspicion(
        rulebook=one.book.id,
        bet=one.table.bet,
        paytable=one.table.id,
        label=line.label if line else "",
        printed=line.printed if line else "",
        siblings_pay=pays,
        siblings=agree,
        house_edge=one.figures.house_edge,
        mended_edge=edge,
        words=_words(one, line, pays, agree == len(sound), edge),
    )


def _as_the_others_have_it(
    line: Line, table: PayTable, sound: list[_Printed]
) -> Iterator[tuple[Pays, int]]:
    """What most of the others pay for this line's hands, and how many do, if it is not the same."""
    own = [kind for kind, found in index_lines(table).items() if found is line]
    if not own or not sound:
        return
    votes = Counter(_pays(one.table, own[0]) for one in sound)
    pays, agree = votes.most_common(1)[0]
    if pays != line.pays:
        yield pays, agree


def _pays(table: PayTable, kind: Kind) -> Pays:
    assert kind in kinds(table)
    return index_lines(table)[kind].pays


def _edge_with(one: _Printed, line: Line, pays: Pays) -> Fraction:
    lines = tuple(replace(it, pays=pays) if it is line else it for it in one.table.lines)
    mended = replace(one.table, lines=lines)
    return _by_itself(one.book, mended).house_edge


def _words(
    one: _Printed, line: Line | None, pays: str, everyone: bool, edge: Fraction | None
) -> str:
    """For people: what is odd, how sure that is, and what would put it right."""
    own = one.figures.house_edge
    said = f"{'player' if own < 0 else 'house'} edge {_percent(abs(own), 0)}"
    if line is None or edge is None:
        return f"{said}: far from every sibling table, and no single line explains it"
    cell = f"prints {line.printed}" if line.printed else "prints nothing"
    others = "every sibling table pays" if everyone else "most sibling tables pay"
    return (
        f"{said}: almost certainly a misprint; {others} {pays} for "
        f"{line.label.lower()}, this one {cell}; with {pays} the house edge is {_percent(edge, 2)}"
    )


def _percent(share: Fraction, places: int) -> str:
    return f"{float(share * 100):.{places}f} %"
