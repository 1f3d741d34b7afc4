"""What differs between two rulebooks, rule by rule, with the clause on each side."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import Struct

from riverboat.rulebook.book import PROGRESSIVE, Rulebook
from riverboat.rulebook.options import Choice
from riverboat.rulebook.paytables import PayTable, kinds, lines_for
from riverboat.rulebook.progressive import Schedule
from riverboat.rulebook.rules import Rule, rules_of, values_of
from riverboat.rulebook.values import say

_APART = ("source", "paytables.", "published.", "comparison")
_NAMES = ("label", "meaning", "paytable", "paytables", "placard", "option")
_UNORDERED = ("methods", "needs", "lights")
_EMPTY: tuple[object, ...] = (None, "", (), {})
_TOLD_IF_SO = ("fixed", "none_allowed", "must_be_stated")


class Side(Struct, frozen=True):
    """What one rulebook says, and where it takes it from; no words where it has no such rule."""

    says: str
    cites: tuple[str, ...]


class Difference(NamedTuple):
    """One thing that two rulebooks do differently: a field of a rule, or a whole rule."""

    rule: str
    field: str
    title: str
    one: Side
    other: Side

    @property
    def what(self) -> str:
        return f"{self.rule}.{self.field}" if self.field else self.rule


def differences(one: Rulebook, other: Rulebook) -> Iterator[Difference]:
    """Everything that is played, posted or paid differently under the two."""
    yield from _identity(one, other)
    yield from _rules(one, other)
    yield from _pay_tables(one, other)


def _identity(one: Rulebook, other: Rulebook) -> Iterator[Difference]:
    for what, title, mine, theirs in (
        ("game", "The game.", one.game, other.game),
        ("status", "What the document's standing is.", one.status, other.status),
        ("excludes", "What does not apply.", one.source.excludes, other.source.excludes),
    ):
        if mine != theirs:
            sides = Side(say(mine), one.source.cites), Side(say(theirs), other.source.cites)
            yield Difference(what, "", title, *sides)


def _rules(one: Rulebook, other: Rulebook) -> Iterator[Difference]:
    ours, theirs = _comparable(one), _comparable(other)
    for path in dict.fromkeys((*ours, *theirs)):
        mine, yours = ours.get(path), theirs.get(path)
        yield from _values(path, mine, yours, _said(one, mine), _said(other, yours))


def _said(book: Rulebook, rule: Rule | None) -> dict[str, object]:
    """What a rule says; where an option decides, what the option's default decides."""
    if rule is None:
        return {}
    values = {name: v for name, v in values_of(rule).items() if name not in _NAMES}
    if isinstance(rule, Schedule):
        del values["envy"]
    for name in _UNORDERED:
        if isinstance(value := values.get(name), tuple):
            values[name] = tuple(sorted(value))
    if values.get("consequence") == "by_option":
        option = book.options.get(getattr(rule, "option", ""))
        decided = option.default if isinstance(option, Choice) else "as the option says"
        values["consequence"] = decided
    if values.get("after_fold") == "by_option":
        forfeits = getattr(book.options.get("fold_forfeits_side_bets"), "default", False)
        values["after_fold"] = "forfeited" if forfeits else "live"
    return values


def _comparable(book: Rulebook) -> dict[str, Rule]:
    """Rules by a path that means the same in both: a schedule goes by its wager, not its id."""
    rules: dict[str, Rule] = {}
    for path, rule in rules_of(book):
        name = path
        if isinstance(rule, Schedule):
            name = f"progressive.schedules.{rule.wager} wager"
        if not path.startswith(_APART):
            rules.setdefault(name, rule)
    return rules


def _values(
    path: str,
    one: Rule | None,
    other: Rule | None,
    mine: dict[str, object],
    theirs: dict[str, object],
) -> Iterator[Difference]:
    if one is None or other is None:
        sides = _side(one, _summary(mine)), _side(other, _summary(theirs))
        yield Difference(path, "", _title(one or other), *sides)
        return
    for name in mine | theirs:
        if mine.get(name) == theirs.get(name):
            continue
        sides = _side(one, say(mine.get(name))), _side(other, say(theirs.get(name)))
        yield Difference(path, name, _title(one), *sides)


def _title(rule: Rule | None) -> str:
    """What a rule is about: an option says it itself, any other rule's type does."""
    described = getattr(rule, "meaning", None) or type(rule).__doc__ or ""
    return str(described).split("\n")[0]


def _summary(values: dict[str, object]) -> str:
    told = {n: v for n, v in values.items() if v not in _EMPTY and (v or n not in _TOLD_IF_SO)}
    return "; ".join(f"{name.replace('_', ' ')} {say(value)}" for name, value in told.items())


def _side(rule: Rule | None, says: str) -> Side:
    return Side(says, rule.cites) if rule else Side("no such rule", ())


def _pay_tables(one: Rulebook, other: Rulebook) -> Iterator[Difference]:
    """Tables are matched by what they pay, never by their letters."""
    yield from _base(one, other)
    offered = (offer.bet for book in (one, other) for offer in book.bonuses)
    for bet in dict.fromkeys((*offered, PROGRESSIVE, "envy")):
        mine, theirs = _playable(one, bet), _playable(other, bet)
        if {_pays(t) for t in mine} != {_pays(t) for t in theirs} or _letters_mislead(mine, theirs):
            sides = _choice(mine, theirs, bet), _choice(theirs, mine, bet)
            yield Difference(f"paytables.{bet}", "", "The pay tables on offer.", *sides)


def _base(one: Rulebook, other: Rulebook) -> Iterator[Difference]:
    mine, theirs = _playable(one, "base"), _playable(other, "base")
    sides = _base_side(one), _base_side(other)
    if mine and theirs:
        yield from _lines(mine[0], theirs[0])
    elif sides[0] != sides[1]:
        yield Difference("paytables.base", "", "What the base game pays.", *sides)


def _base_side(book: Rulebook) -> Side:
    if book.comparison is not None:
        lines = [
            f"{say(line.outcome)}{' with ' + say(line.hands) if line.hands else ''}: "
            + ", ".join(f"{spot} {pays.words}" for spot, pays in line.pays.items())
            for line in book.comparison.lines
        ]
        return Side("; ".join(lines), book.comparison.cites)
    table = _playable(book, "base")[0]
    paying = [line for line in table.lines if line.pays.kind != "lose"]
    return Side("; ".join(f"{line.label} {line.pays.words}" for line in paying), table.cites)


def _letters_mislead(mine: list[PayTable], theirs: list[PayTable]) -> bool:
    """Whether the same last letter stands for different tables on the two sides."""
    letters = {table.id.rpartition("-")[2]: _pays(table) for table in mine}
    return any(
        letters.get(table.id.rpartition("-")[2], _pays(table)) != _pays(table) for table in theirs
    )


def _playable(book: Rulebook, bet: str) -> list[PayTable]:
    return [table for table in book.paytables if table.bet == bet and table.playable]


def _pays(table: PayTable) -> tuple[str, ...]:
    return tuple(str(lines_for(table, kind)[0].pays) for kind in kinds(table))


def _choice(tables: list[PayTable], others: list[PayTable], bet: str) -> Side:
    """The tables of one side; where the other side has the same under another name, that too."""
    twins = {_pays(table): table.id for table in others}
    named = [
        f"{table.id} (= {twins[_pays(table)]})" if _pays(table) in twins else table.id
        for table in tables
    ]
    cites = tuple(dict.fromkeys(citation for table in tables for citation in table.cites))
    return Side(", ".join(named) or f"no {say(bet)}", cites)


def _lines(one: PayTable, other: PayTable) -> Iterator[Difference]:
    for kind in kinds(one):
        mine, theirs = lines_for(one, kind)[0], lines_for(other, kind)[0]
        if mine.pays != theirs.pays:
            sides = Side(mine.pays.words, mine.cites), Side(theirs.pays.words, theirs.cites)
            yield Difference(f"paytables.base.{kind}", "", f"What {kind} pays.", *sides)
