"""Pay tables designed: a bet, what every line may pay, and what the whole is wanted to come to.

A side bet that goes by one hand and a pay table. Its lines are those that its rulebook's own tables
tell apart, and hands that are named get a line of their own. What a hand pays is asked of the
engine, and how often it comes is what the side bets are counted with, so that a designed table's
figures are those that it has once it stands in a rulebook.

A line that nothing is said of may pay from 1 to the most that any table of the rulebook pays there,
struck ones too, in steps: the largest of 1, 5, 10, 50, 100 and so on that every one of them is a
multiple of, as long as six values remain. What all of them lose or push stays so. A line that some
table pays a fixed prize may pay what the tables pay there, and nothing between.

Pays do not rise as hands get commoner, of hands that can be dealt; of equally common ones the hand
that ranks lower pays no more. A fixed prize is worth what the stake makes it and stands outside.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm, sqrt
from typing import NamedTuple, cast

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.errors import NotationError
from riverboat.core.hand_kinds import HANDS, HandName, HandSize
from riverboat.core.hands import Kind
from riverboat.core.money import Cents
from riverboat.exact import side_bets
from riverboat.exact.design.search import Choices, Found, Progress, Search, Space, Span, Wish
from riverboat.exact.questions import question as q
from riverboat.exact.questions.published import most_dared
from riverboat.exact.rule_changes import HOWS, How, misprints, mistaken
from riverboat.round.setup.setup import Setup
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line, PayTable, index_lines
from riverboat.rulebook.values import Pays
from riverboat.rulebooks import load_all
from riverboat.wording.hand_names import plain_label

MOST_LISTED = 1_000
NEAR = Fraction(1, 200)
"""Half a point of edge: what is called near a documents' table."""
_MOST_BESIDE = 5_000_000
_STEPS = tuple(one * 10**power for power in range(6) for one in (1, 5))
_FEWEST_VALUES = 6


class Asked(Struct, frozen=True, kw_only=True):
    """What a design is asked for; `lines` are names of hands with what they may pay, as text."""

    question: q.Question
    lines: tuple[tuple[str, str], ...] = ()
    wish: Wish = Wish()
    any_order: bool = False
    count: int = 20


class DesignLine(Struct, frozen=True, kw_only=True):
    """A line of the designed tables: its hands, how often they win the bet, what they may pay.

    `given` says that the bounds were, and are not the rulebook's own.
    """

    line: str
    label: str
    kinds: tuple[str, ...]
    combinations: int
    probability: Fraction
    bounds: str
    values: int
    given: bool


class Misprint(Struct, frozen=True, kw_only=True):
    """A slip of one digit, and the house edge with it."""

    line: str
    pays: str
    printed: str
    house_edge: Fraction


class Near(Struct, frozen=True, kw_only=True):
    """Pay tables that a designed one can be taken for; the lines that differ: here, there.

    `as_printed` where it is not what they play but what their documents print.
    """

    paytables: tuple[str, ...]
    as_printed: bool
    how: How
    lines: dict[str, tuple[str, str]]


class Designed(Struct, frozen=True, kw_only=True):
    """One pay table that meets what is wanted.

    `rounds` is how many rounds show the house's edge above its own noise, (deviation / edge)², None
    where the edge is nothing. `worst` is the slip of one digit that moves the edge the most,
    `unnoticed` the same of those that no alarm would ring for; `to_player` counts those that give
    the edge to the player.
    """

    pays: dict[str, str]
    ev: Fraction
    hit_frequency: Fraction
    variance: Fraction
    rounds: Fraction | None
    same_as: tuple[str, ...]
    near: tuple[Near, ...]
    worst: Misprint | None
    unnoticed: Misprint | None
    to_player: int

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of a wager."""
        return -self.ev

    @property
    def standard_deviation(self) -> float:
        """Of one wager, for print."""
        return sqrt(self.variance)


class Document(Struct, frozen=True, kw_only=True):
    """A pay table of the rulebook: whether it is among the answers, or why not.

    `others` are the other tables within the bounds whose edge is within half a point of its own
    and that hit and deviate as it is wanted; None where there are too many to look at.
    """

    paytable: str
    status: str
    house_edge: Fraction
    answers: bool
    why_not: str
    others: int | None


class Design(Struct, frozen=True, kw_only=True):
    """The answer: all tables counted, the fastest of them listed.

    `tables` are all within the bounds and in order, with edges from `lowest_edge` to
    `highest_edge`; `found` are those that have what is wanted. An edge above `alarm_above`, or
    below nothing, is what a misprint is suspected by.
    """

    rulebook: str
    bet: str
    wager_cents: Cents
    any_order: bool
    lines: tuple[DesignLine, ...]
    wish: Wish
    tables: int
    lowest_edge: Fraction | None
    highest_edge: Fraction | None
    found: int
    listed: tuple[Designed, ...]
    documents: tuple[Document, ...]
    alarm_above: Fraction
    assumptions: tuple[str, ...]


# ---------------------------------------------------------------- reading


def read_asked(
    question: q.Question,
    *,
    lines: Iterable[str] = (),
    edge: str | None = None,
    hit: str | None = None,
    deviation: str | None = None,
    any_order: bool = False,
    count: int = 20,
) -> Asked:
    """What is asked, from text; bounds are read when the bet's lines are known."""
    if not 1 <= count <= MOST_LISTED:
        raise NotationError("design.bad_count", f"`count` {count}: from 1 to {MOST_LISTED:,}")
    named: list[tuple[str, str]] = []
    for text in lines:
        name, equals, bounds = text.partition("=")
        if not (name.strip() and equals and bounds.strip()):
            raise NotationError("design.bad_line", f"`line` {text}: write HANDS=BOUNDS, flush=3..5")
        named.append((name.strip(), bounds.strip().lower()))
    wish = Wish(
        edge=q.read_span("edge", edge),
        hit=q.read_span("hit", hit),
        deviation=q.read_span("deviation", deviation),
    )
    return Asked(question=question, lines=tuple(named), wish=wish, any_order=any_order, count=count)


# ---------------------------------------------------------------- lines


class _Line(NamedTuple):
    """A line with all that it may pay, the most first, and what that brings the player."""

    name: str
    label: str
    kinds: tuple[Kind, ...]
    combinations: int
    cases: int
    bounds: str
    given: bool
    pays: tuple[Pays, ...]
    nets: tuple[Fraction, ...]
    ordered: bool


class _Bet:
    """A side bet at a table, with the pay tables that its rulebook has for it."""

    def __init__(self, book: Rulebook, question: q.Question) -> None:
        offers = {offer.bet: offer for offer in book.bonuses}
        if question.bet not in offers:
            known = ", ".join(offers) or "none"
            text = f"{book.id} has {known} that go by one hand and a pay table"
            raise NotationError("design.other_bet", f"`bet` {question.bet}: {text}")
        self.bet, self.book = question.bet, book
        self.setup: Setup = q.table_for(book, question)
        self.stake = q.stake_of(self.setup, question, self.bet)
        self.hand: HandSize = offers[self.bet].decided_by.hand
        self.tables = tuple(_tables(book, self.bet, self.hand))
        self.one = next((table for table in self.tables if table.playable), self.tables[0])
        self.counts = side_bets.dealt_hands(self.setup, self.one)
        self.live = side_bets.live_hands(self.setup, self.bet)
        self.limited = False
        self._nets: dict[tuple[Kind, Pays], Fraction] = {}

    def net(self, kinds: tuple[Kind, ...], pays: Pays) -> Fraction:
        """What a payout for these hands brings, in wagers: the engine says it."""
        asked = kinds[0], pays
        if asked not in self._nets:
            others = tuple(kind for kind in self.counts if kind not in kinds)
            lines = [_line(kinds, pays)] + ([_line(others, Pays.parse("lose"))] if others else [])
            paid = side_bets.paid_for(self.setup, self.table(lines), kinds[0], self.stake)
            self._nets[asked] = Fraction(paid.net_cents, self.stake)
            self.limited = self.limited or paid.capped
        return self._nets[asked]

    def table(self, lines: Iterable[Line]) -> PayTable:
        """A table of this bet with these lines."""
        table = self.one
        return replace(
            table, id="designed", status="final", marks="", equals=(), lines=tuple(lines)
        )

    def space(self, lines: Sequence[_Line]) -> Space:
        """The same lines as numbers."""
        scale = lcm(*(net.denominator for line in lines for net in line.nets))
        return Space(
            lines=tuple(
                Choices(
                    line.cases,
                    tuple(int(net * scale) for net in line.nets),
                    tuple(map(_rung, line.pays)) if line.ordered else (),
                )
                for line in lines
            ),
            lost=self.live.folded,
            cases=self.live.cases,
            scale=scale,
        )


def _tables(book: Rulebook, bet: str, hand: HandSize) -> Iterator[PayTable]:
    yield from (t for t in side_bets.side_bet_tables(book) if (t.bet, t.hand) == (bet, hand))


def _line(kinds: Iterable[Kind], pays: Pays) -> Line:
    """A line for these hands, as a rulebook writes it."""
    kinds = tuple(kinds)
    return Line(
        hands=tuple(cast(HandName, hand) for hand in dict.fromkeys(kind.hand for kind in kinds)),
        ranks="".join(kind.rank for kind in kinds),
        suits="".join(kind.suit for kind in kinds),
        pays=pays,
        cites=("designed",),
    )


def _rung(pays: Pays) -> int:
    """The place of odds on their ladder, below them push and lose."""
    return q.RUNGS.get(pays, pays.amount)


def _lines_of(bet: _Bet, asked: Asked) -> tuple[_Line, ...]:
    """The lines from the rarest hands on."""
    named: dict[tuple[Kind, ...], str] = {}
    for name, bounds in asked.lines:
        kinds = _hands_named(bet, name)
        twice = [kind for taken in named for kind in taken if kind in kinds]
        if twice:
            raise NotationError("design.bad_line", f"`line` {name}: {twice[0]} is named twice")
        named[kinds] = bounds
    groups: dict[object, list[Kind]] = {}
    indexes = [index_lines(table) for table in bet.tables]
    for kind in HANDS[bet.hand].kinds():
        own = next((kinds for kinds in named if kind in kinds), None)
        groups.setdefault(own or tuple(id(index[kind]) for index in indexes), []).append(kind)
    order = HANDS[bet.hand].order
    lines = [
        _line_of(bet, asked, tuple(kinds), named.get(tuple(kinds))) for kinds in groups.values()
    ]
    return tuple(
        sorted(lines, key=lambda line: (line.combinations, order.index(line.kinds[0].hand)))
    )


def _line_of(bet: _Bet, asked: Asked, kinds: tuple[Kind, ...], given: str | None) -> _Line:
    name = _name_of(bet.hand, kinds)
    bounds = _own_bounds(bet, kinds) if given is None else given
    pays = q.read_pays(name, bounds, fixed_prizes=HANDS[bet.hand].fixed_prizes)
    nets = {one: bet.net(kinds, one) for one in pays}
    falling = sorted(nets, key=lambda one: (nets[one], _rung(one)), reverse=True)
    return _Line(
        name=name,
        label=_label(bet, kinds) or name.replace("_", " ").replace("+", ", ").capitalize(),
        kinds=kinds,
        combinations=sum(bet.counts[kind] for kind in kinds),
        cases=sum(bet.live.hands.get(kind, 0) for kind in kinds),
        bounds=bounds,
        given=given is not None,
        pays=tuple(falling),
        nets=tuple(nets[one] for one in falling),
        ordered=not asked.any_order and all(one.kind != "dollars" for one in pays),
    )


def _label(bet: _Bet, kinds: tuple[Kind, ...]) -> str:
    """What a table calls a line of just these hands; empty where none has it."""
    for table in bet.tables:
        for line, own in side_bets.kinds_by_line(table):
            if set(own) == set(kinds):
                return plain_label(side_bets.line_name(line))
    return ""


def _name_of(hand: HandSize, kinds: Sequence[Kind]) -> str:
    """A line's name: its hands, those of some ranks or suits with them (`pair_TJQKA`)."""
    every = list(HANDS[hand].kinds())
    parts = []
    for name in dict.fromkeys(kind.hand for kind in kinds):
        own = [kind for kind in kinds if kind.hand == name]
        whole = len(own) == sum(kind.hand == name for kind in every)
        parts.append(name if whole else f"{name}_{''.join(k.rank + k.suit for k in own)}")
    return "+".join(parts)


def _hands_named(bet: _Bet, name: str) -> tuple[Kind, ...]:
    """The hands that a name means: hands joined by +, or a line as some table calls it."""
    wanted = _slug(name)
    parts = [_part_named(bet, part) for part in wanted.split("+")]
    every = HANDS[bet.hand].kinds()
    if all(parts):
        found = {kind for part in parts for kind in part}
        return tuple(kind for kind in every if kind in found)
    for table in bet.tables:
        for line, own in side_bets.kinds_by_line(table):
            if own and wanted in (_slug(line.label), _slug(plain_label(line.label))):
                return tuple(kind for kind in every if kind in own)
    order = ", ".join(HANDS[bet.hand].order)
    text = f"no hand of {bet.bet}; there are {order}, some of a hand (pair_QKA), several (a+b)"
    raise NotationError("design.bad_line", f"`line` {name}: {text}")


def _part_named(bet: _Bet, part: str) -> list[Kind]:
    own = [kind for kind in bet.counts if kind.hand == part]
    hand, _, letters = part.rpartition("_")
    if own or not letters:
        return own
    some = [kind for kind in bet.counts if kind.hand == hand
            and (kind.rank + kind.suit).lower() in set(letters)]  # fmt: skip
    return some if len(some) == len(letters) else []


def _slug(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())


# ---------------------------------------------------------------- what a line may pay


def _own_bounds(bet: _Bet, kinds: Sequence[Kind]) -> str:
    """What the rulebook's own tables let a line pay, as `--line` would have it."""
    own = {index_lines(table)[kind].pays for table in bet.tables for kind in kinds}
    if any(pays.kind == "dollars" for pays in own):
        return ",".join(
            str(-(-pays.amount // pays.per)) if pays.kind == "to" else pays for pays in sorted(own)
        )
    rungs = {q.RUNGS.get(pays, -(-pays.amount // pays.per)) for pays in own}
    words = {rung: word for word, rung in q.RUNGS.items()}
    paid, highest = [rung for rung in rungs if rung > 0], max(rungs)
    step = max(one for one in _STEPS if one == 1 or (
        highest >= _FEWEST_VALUES * one and all(rung % one == 0 for rung in paid)))  # fmt: skip
    if highest // step >= q.MOST_VALUES:
        return ",".join(words.get(rung, str(rung)) for rung in sorted(rungs))
    low, high = words.get(min(rungs), str(step)), words.get(highest, str(highest))
    return low if low == high else f"{low}..{high}" + (f"/{step}" if step > 1 else "")


# ---------------------------------------------------------------- the answer


class _Known(NamedTuple):
    """Pay tables that pay the same, by the designed lines; None where a line is split there."""

    names: tuple[str, ...]
    as_printed: bool
    pays: tuple[Pays | None, ...]


def design(book: Rulebook, asked: Asked, progress: Progress = lambda done, whole: None) -> Design:
    """Every pay table that meets what is asked, counted; the fastest, with what they can be taken
    for and what a slip would do to them."""
    bet = _Bet(book, asked.question)
    lines = _lines_of(bet, asked)
    search = Search(bet.space(lines))
    found, tables = search.best(asked.wish, asked.count, progress)
    space, known = search.space, _known(bet, lines)
    alarm = most_dared([_figures(bet, table, "printed").house_edge
                        for _, table in _siblings(bet)])  # fmt: skip
    ends = space.edges() if search.size else Span()
    limited = (side_bets.LIMITED,) if bet.limited else ()
    said = _figures(bet, bet.one, "played").assumptions
    return Design(
        rulebook=book.id,
        bet=bet.bet,
        wager_cents=bet.stake,
        any_order=asked.any_order,
        lines=tuple(_told(bet, line) for line in lines),
        wish=asked.wish,
        tables=search.size,
        lowest_edge=ends.low,
        highest_edge=ends.high,
        found=found,
        listed=tuple(_designed(bet, lines, space, one, known, alarm) for one in tables),
        documents=tuple(_document(bet, lines, search, table, asked.wish) for table in bet.tables),
        alarm_above=alarm,
        assumptions=tuple(dict.fromkeys((*said, *limited))),
    )


def _told(bet: _Bet, line: _Line) -> DesignLine:
    return DesignLine(
        line=line.name,
        label=line.label,
        kinds=tuple(map(str, line.kinds)),
        combinations=line.combinations,
        probability=Fraction(line.cases, bet.live.cases),
        bounds=line.bounds,
        values=len(line.pays),
        given=line.given,
    )


def _figures(bet: _Bet, table: PayTable, reading: side_bets.Reading) -> side_bets.BetFigures:
    return side_bets.side_bet_figures(bet.setup, bet.bet, table, bet.stake, reading=reading)


def _siblings(bet: _Bet) -> Iterator[tuple[Rulebook, PayTable]]:
    """Every pay table for such a bet in the house, this rulebook's first."""
    others = (one.book for one in load_all() if one.book.id != bet.book.id)
    for book in (bet.book, *others):
        yield from ((book, table) for table in _tables(book, bet.bet, bet.hand))


def _known(bet: _Bet, lines: Sequence[_Line]) -> list[_Known]:
    """What designed tables can be taken for: what is played, and what is printed otherwise."""
    names: dict[tuple[bool, tuple[Pays | None, ...]], list[str]] = {}
    for _, table in _siblings(bet):
        played = _by_line(table, lines)
        printed = _by_line(side_bets.table_as_printed(table), lines)
        names.setdefault((False, played), []).append(table.id)
        if printed != played:
            names.setdefault((True, printed), []).append(table.id)
    return [_Known(tuple(ids), *which) for which, ids in names.items()]


def _by_line(table: PayTable, lines: Sequence[_Line]) -> tuple[Pays | None, ...]:
    """What a table pays on each designed line, if it pays all its hands the same."""
    index = index_lines(table)
    paid = [{index[kind].pays for kind in line.kinds} for line in lines]
    return tuple(pays.pop() if len(pays) == 1 else None for pays in paid)


def _designed(
    bet: _Bet, lines: Sequence[_Line], space: Space, found: Found, known: Sequence[_Known],
    alarm: Fraction,
) -> Designed:  # fmt: skip
    own = tuple(line.pays[place] for line, place in zip(lines, found.picked, strict=True))
    edge = space.edge(found)
    slips = [slip for line, pays in zip(lines, own, strict=True)
             for slip in _slips(bet, line, pays, edge)]  # fmt: skip

    def farthest(some: Iterable[Misprint]) -> Misprint | None:
        return max(
            some, key=lambda one: (abs(one.house_edge - edge), -one.house_edge), default=None
        )

    return Designed(
        pays={line.name: str(pays) for line, pays in zip(lines, own, strict=True)},
        ev=-edge,
        hit_frequency=space.hit(found),
        variance=space.variance(found),
        rounds=space.rounds(found),
        same_as=tuple(name for one in known if one.pays == own and not one.as_printed
                      for name in one.names),
        near=tuple(_near(lines, own, known)),
        worst=farthest(slips),
        unnoticed=farthest(slip for slip in slips if 0 <= slip.house_edge <= alarm),
        to_player=sum(slip.house_edge < 0 for slip in slips),
    )  # fmt: skip


def _slips(bet: _Bet, line: _Line, pays: Pays, edge: Fraction) -> Iterator[Misprint]:
    """Every misprint of one line, with the edge that it makes."""
    chance, net = Fraction(line.cases, bet.live.cases), bet.net(line.kinds, pays)
    for slip in misprints(pays):
        moved = edge - chance * (bet.net(line.kinds, slip) - net)
        yield Misprint(line=line.name, pays=str(pays), printed=str(slip), house_edge=moved)


def _near(lines: Sequence[_Line], own: tuple[Pays, ...], known: Sequence[_Known]) -> Iterator[Near]:
    """Tables one line away, those one digit away first, and those with two lines exchanged."""
    found: list[tuple[int, Near]] = []
    for one in known:
        differ = [place for place, pays in enumerate(own) if pays != one.pays[place]]
        how = mistaken([(own[place], one.pays[place]) for place in differ])
        if how is not None:
            there = {lines[i].name: (str(own[i]), str(one.pays[i] or "several")) for i in differ}
            near = Near(paytables=one.names, as_printed=one.as_printed, how=how, lines=there)
            found.append((HOWS.index(how), near))
    yield from (near for _, near in sorted(found, key=lambda each: each[0]))


def _document(
    bet: _Bet, lines: Sequence[_Line], search: Search, table: PayTable, wish: Wish
) -> Document:
    """Whether a table of the rulebook is an answer, and how many others lie beside it."""
    edge = _figures(bet, table, "played").house_edge
    why, found = _why_not(lines, search.space, _by_line(table, lines))
    beside = replace(wish, edge=Span(edge - NEAR, edge + NEAR))
    own = found is not None and search.space.meets(found, beside)
    try:
        others = search.count(beside, _MOST_BESIDE) - own
    except NotationError:
        others = None
    if found is not None:
        why = _misses(search.space, found, wish)
    return Document(
        paytable=table.id,
        status=table.status,
        house_edge=edge,
        answers=not why,
        why_not=why,
        others=others,
    )


def _why_not(
    lines: Sequence[_Line], space: Space, own: Sequence[Pays | None]
) -> tuple[str, Found | None]:
    """What keeps a table out of the bounds; else the table by its numbers."""
    for line, pays in zip(lines, own, strict=True):
        if pays is None:
            return f"pays the hands of {line.name} differently", None
        if pays not in line.pays:
            return f"pays {pays} for {line.name}, bounds {line.bounds}", None
    picked = [line.pays.index(pays) for line, pays in zip(lines, own, strict=True) if pays]
    if not space.is_ordered(picked):
        return "pays more for hands that are commoner", None
    return "", space.found(picked)


def _misses(space: Space, found: Found, wish: Wish) -> str:
    missed = []
    if space.edge(found) not in wish.edge:
        missed.append(f"house edge {float(space.edge(found)):.4%}")
    if space.hit(found) not in wish.hit:
        missed.append(f"hits {float(space.hit(found)):.4%}")
    if space.variance(found) not in wish.variance:
        missed.append(f"deviation {sqrt(space.variance(found)):.4f}")
    return ", ".join(missed)


def table_of(book: Rulebook, bet: str, pays: Mapping[str, str]) -> PayTable:
    """A designed table as a rulebook has it, from what its lines pay by their names."""
    found = _Bet(book, q.read_question(book, bet=bet))
    return found.table(_line(_hands_named(found, name), Pays.parse(text))
                       for name, text in pays.items())  # fmt: skip
