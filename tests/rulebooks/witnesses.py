"""Second witnesses of the rulebooks: facts, the table of pay tables, the table of options.

Each witness yields what a rulebook says otherwise than it. They are used twice: that they are all
silent about the rulebooks as they are, and that they speak up about every changed number.
"""

import csv
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

from riverboat.rulebook import Rulebook
from riverboat.rulebook.options import Choice, Flag, Integer, Money, Option, Rate, Text
from riverboat.rulebook.paytables import Line, PayTable
from riverboat.rulebook.play import Comparison
from riverboat.rulebook.values import Dollars, Percent
from tests.rulebooks.facts_table import Fact, facts, holds

TABLES = files("riverboat.rulebooks")
COLUMNS = {
    "SD-*": ("SD-2011", "SD-3CB"),
    "MD": ("MD-2014",),
    "IA": ("IA-CB",),
    "IS": ("IS",),
    "SD-3CB": ("SD-3CB",),
    "SD-2011": ("SD-2011",),
}
CATEGORIES = {
    "jacks_or_better": ("pair", "JQKA", ""),
    "pair_6_to_10": ("pair", "6789T", ""),
    "pair_10_or_better": ("pair", "TJQKA", ""),
    "super_royal_diamonds": ("super_royal", "", "d"),
    "super_royal_other": ("super_royal", "", "chs"),
    "super_royal_any": ("super_royal", "", ""),
}
DERIVED = {
    "the table's Ante maximum": "ante_maximum",
    "the progressive schedule's id": "schedule",
    "10000; another wager than 1 or 5: 10000 × wager": "schedule",
    "MS Stud-01, PMG-01, MD: 1; PMG-02: 5": "schedule",
    "1: 21; 5: 22; other wagers: 21": "schedule",
}


def disagreements(book: Rulebook) -> Iterator[str]:
    """Everything that any witness says otherwise."""
    yield from against_facts(book)
    yield from against_pay_tables(book)
    yield from against_options(book)


@cache
def _facts_of(rulebook: str) -> tuple[Fact, ...]:
    return tuple(fact for fact in facts() if fact.rulebook == rulebook)


def against_facts(book: Rulebook) -> Iterator[str]:
    """What stands otherwise in the facts typed from the document."""
    for fact in _facts_of(book.id):
        try:
            if not holds(fact, book):
                yield f"{fact.path} is not {fact.value!r}"
        except (KeyError, AttributeError, TypeError):
            yield f"{fact.path} is gone"


@cache
def paytables_json() -> dict[str, Any]:
    document: dict[str, Any] = json.loads(TABLES.joinpath("paytables.json").read_text("utf-8"))
    return document


def against_pay_tables(book: Rulebook) -> Iterator[str]:
    """What stands otherwise in the table of pay tables."""
    mine = {table.id: table for table in book.paytables}
    listed = {t["id"]: t for t in paytables_json()["paytables"] if _is_of(t, book)}
    for name in sorted(set(mine) ^ set(listed)):
        yield f"{name} is on one side only"
    for name in sorted(set(mine) & set(listed)):
        yield from (f"{name}: {what}" for what in _table(mine[name], listed[name]))
    if book.comparison is not None:
        yield from _comparison(book.comparison)
    yield from _schedules(book)


def _is_of(table: dict[str, Any], book: Rulebook) -> bool:
    return bool(table["rulebook"] == book.clause_prefix and "outcome" not in table["rows"][0])


def _table(mine: PayTable, listed: dict[str, Any]) -> Iterator[str]:
    if mine.status != listed["status"]:
        yield f"status {mine.status}"
    if mine.number != listed["clause"]:
        yield f"number {mine.number}"
    per = listed.get("per_progressive_wager")
    if mine.per_wager != (None if per is None else Dollars.parse(str(per))):
        yield f"per wager {mine.per_wager}"
    if mine.wager_printed != listed.get("wager_printed"):
        yield f"printed wager {mine.wager_printed}"
    played = {row["category"]: row for row in listed.get("corrected_rows", listed["rows"])}
    envy = {row["category"]: row["printed"] for row in listed.get("envy", [])}
    wins = [line for line in mine.lines if line.pays.wins or line.pays.kind == "push"]
    if len(wins) != len(listed["rows"]):
        yield f"{len(wins)} lines that pay, {len(listed['rows'])} printed"
    for line, row in zip(wins, listed["rows"], strict=False):
        category = row["category"]
        value = played[category]["value"]
        unit = played[category]["unit"]
        if value is None:
            value, unit = played["straight_flush"]["value"], played["straight_flush"]["unit"]
        yield from _line(line, row, _pays(unit, value), envy.get(category, ""))


def _line(line: Line, row: dict[str, Any], pays: str, envy: str) -> Iterator[str]:
    hand, ranks, suits = CATEGORIES.get(row["category"], (row["category"], "", ""))
    if hand not in line.hands or line.ranks != ranks or line.suits != suits:
        yield f"{row['hand']} is read as {line.hands} {line.ranks}{line.suits}"
    if line.label != row["hand"] or line.printed != row["printed"]:
        yield f"{row['hand']} is printed {line.printed!r}"
    if line.pays != pays:
        yield f"{row['hand']} pays {line.pays}, not {pays}"
    if line.envy != envy:
        yield f"{row['hand']} shows envy {line.envy!r}"


def _pays(unit: str, value: int) -> str:
    match unit:
        case "push":
            return "push"
        case "dollars":
            return f"${value}"
        case "percent of meter":
            return f"{value}% of meter"
    return f"{value} {unit}"


def _comparison(comparison: Comparison) -> Iterator[str]:
    listed = next(t for t in paytables_json()["paytables"] if t["id"] == comparison.id)
    for line, row in zip(comparison.lines, listed["rows"], strict=True):
        expected = (re.sub(r" \(.*", "", row["ante"]), row["bet"].replace("not made", "nothing"))
        if tuple(line.pays.values()) != expected:
            yield f"{row['outcome']}: {line.pays}"


def _schedules(book: Rulebook) -> Iterator[str]:
    """The vendor's parameters, which every rulebook with a progressive takes over."""
    vendor = {
        Dollars.parse(str(p["wager_dollars"])): p
        for p in paytables_json()["progressive_parameters"]
    }
    for schedule in book.progressive.schedules if book.progressive else ():
        parameters = vendor.get(schedule.wager)
        if parameters is None:
            yield f"{schedule.paytable} is for {schedule.wager}"
        elif (schedule.rate, schedule.seed) != (
            Percent.parse(str(int(parameters["contribution_rate_percent"]))),
            Dollars.parse(str(parameters["seed_dollars"])),
        ):
            yield f"{schedule.paytable}: {schedule.rate}, {schedule.seed}"


@cache
def options_csv() -> tuple[dict[str, str], ...]:
    table = TABLES.joinpath("options.csv").read_text("utf-8")
    return tuple(csv.DictReader(table.splitlines()))


def against_options(book: Rulebook) -> Iterator[str]:
    """What stands otherwise in the table of options."""
    listed = {row["name"]: row for row in options_csv()}
    for name, option in book.options.items():
        row = listed[name]
        may_be_set = book.clause_prefix in _rulebooks(row["rulebooks"])
        if option.fixed == may_be_set:
            yield f"{name} is {'fixed' if option.fixed else 'open'}"
        elif may_be_set and not _as_listed(option, row, book.clause_prefix):
            yield f"{name}: {option}"
    for name, row in listed.items():
        if book.clause_prefix in _rulebooks(row["rulebooks"]) and name not in book.options:
            yield f"{name} is missing"


def _rulebooks(column: str) -> set[str]:
    return {prefix for part in column.split(", ") for prefix in COLUMNS.get(part, (part,))}


def _for_rulebook(text: str, prefix: str) -> str:
    """The part of a cell like `SD-*: 25; MD, IS, IA: none` that is for one rulebook."""
    if text in DERIVED or not re.match(r"(SD-\*|MD|IS|IA)[,:]", text):
        return text
    for part in text.split("; "):
        who, value = part.split(": ", 1)
        if prefix in _rulebooks(who):
            return value
    raise AssertionError(f"{text!r} says nothing about {prefix}")


def _as_listed(option: Option, row: dict[str, str], prefix: str) -> bool:
    default = _for_rulebook(row["default"], prefix)
    values = row["values"]
    columns = "|".join(re.escape(name) for name, own in COLUMNS.items() if prefix in own)
    own = re.search(rf"(?:{columns}): (.*)", values)
    values = own[1] if own and not own[1].startswith("money up") else values.split(";")[0]
    match option:
        case Flag():
            return values == "true|false" and _flag(option, default)
        case Integer():
            bounds = f"integer {option.minimum}..{option.maximum}"
            return values == bounds and str(option.default) == default
        case Choice():
            return tuple(values.split("|")) == option.choices and _choice(option, default)
        case Money():
            return _money(option, default, values)
        case Rate():
            return values == "percent" and _rate(option, default)
        case Text():
            return values == "text" and option.default_from == DERIVED[default]


def _flag(option: Flag, default: str) -> bool:
    if default == "true with rotation dealing, false with two-card groups":
        return option.default and option.default_when == {"packets": False}
    return str(option.default).lower() == default and not option.default_when


def _choice(option: Choice, default: str) -> bool:
    conditional = re.fullmatch(r"with six card bonus: (\S+); without: (\S+)", default)
    if conditional:
        when = {"six_card_bonus": conditional[1]}
        return option.default == conditional[2] and option.default_when == when
    return option.default == default and not option.default_when


def _money(option: Money, default: str, values: str) -> bool:
    if default in DERIVED:
        same_default = option.default_from == DERIVED[default] and option.default is None
    elif default == "none":
        same_default = option.none_allowed and option.default is None
    else:
        same_default = option.default == Dollars.parse(default)
    choices = () if "money" in values else tuple(map(Dollars.parse, values.split("|")))
    return same_default and option.choices == choices


def _rate(option: Rate, default: str) -> bool:
    if default in DERIVED:
        return option.default_from == DERIVED[default]
    return option.default == Percent.parse(default)
