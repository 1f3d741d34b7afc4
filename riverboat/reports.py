"""What the commands answer with `--json`: plain dictionaries, made from what the pages show."""

from collections.abc import Sequence
from typing import Any

from riverboat.core.errors import Problem
from riverboat.core.money import show_dollars, show_percent
from riverboat.pages.rulebook_page import own_words
from riverboat.rulebook import Rulebook
from riverboat.rulebook.differences import Side, differences
from riverboat.rulebook.play import DecidedBy
from riverboat.rulebook.rules import cited_in, rules_of, values_of
from riverboat.rulebook.values import Dollars, Percent, say
from riverboat.rulebooks import Loaded
from riverboat.scripts.checking import Checked
from riverboat.scripts.coverage import Coverage

Document = dict[str, Any]


def listing(loaded: Loaded) -> Document:
    """A rulebook in one entry of a list."""
    book = loaded.book
    comparison = getattr(book, "comparison", None)
    base = [comparison.id] if comparison else []
    return {
        "id": book.id,
        "title": book.title,
        "game": book.game,
        "status": book.status,
        "revision": book.revision,
        "side_bets": [offer.bet for offer in book.side_bets],
        "paytables": [*base, *(table.id for table in book.paytables)],
        "struck": [table.id for table in book.paytables if not table.playable],
        "clauses": len(book.clauses),
        "sha256": loaded.sha256,
    }


def plain(value: object) -> object:
    """A value as JSON holds it: amounts in dollars, rates in percent, as files write them."""
    match value:
        case Dollars():
            return show_dollars(value)
        case Percent():
            return show_percent(value)
        case tuple():
            return [plain(item) for item in value]
        case DecidedBy():
            return {"places": list(value.places), "hand": value.hand}
    return value


def whole_rulebook(loaded: Loaded, document: str | None) -> Document:
    """A rulebook with all its rules and clauses, and the document's own words if they are there."""
    book = loaded.book
    return {
        **listing(loaded),
        "standing": book.source.standing,
        "document_sha256": book.source.sha256,
        "rules": [
            {
                "path": path,
                "says": {key: say(value) for key, value in values_of(rule).items()},
                "values": {key: plain(value) for key, value in values_of(rule).items()},
                "cites": rule.cites,
                "note": rule.note,
            }
            for path, rule in rules_of(book)
        ],
        "clauses": _clauses(book, document),
        "ambiguities": book.ambiguities,
    }


def _clauses(book: Rulebook, document: str | None) -> list[Document]:
    places = cited_in(book)
    return [
        {
            "id": name,
            "number": clause.number,
            "text": clause.text,
            "by": clause.by,
            "lines": clause.lines,
            "rules": places.get(name, []),
            "informative": book.informative.get(name),
            **({"source": own_words(book, clause, document)} if document is not None else {}),
        }
        for name, clause in book.clauses.items()
    ]


def checked_file(file: str, problems: tuple[Problem, ...]) -> Document:
    """Whether one file is usable."""
    return {"file": file, "usable": not problems, "problems": [p._asdict() for p in problems]}


def difference_report(one: Rulebook, other: Rulebook) -> Document:
    """What differs between two rulebooks."""
    return {
        "one": one.id,
        "other": other.id,
        "status": {"one": one.status, "other": other.status},
        "title": {"one": one.title, "other": other.title},
        "differences": [
            {"what": d.what, "title": d.title, "one": _side(d.one), "other": _side(d.other)}
            for d in differences(one, other)
        ],
    }


def check_report(results: Sequence[Checked]) -> Document:
    """Which scenarios hold, and where the others differ."""
    scenarios = []
    for result in results:
        entry: Document = {"file": result.file, "name": result.name, "holds": result.holds}
        if result.error:
            entry["error"] = result.error
        entry["differences"] = [difference._asdict() for difference in result.differences]
        scenarios.append(entry)
    return {"scenarios": scenarios}


def _side(side: Side) -> Document:
    return {"says": side.says, "cites": side.cites}


def coverage_report(found: Coverage) -> Document:
    """Every clause and the sums."""
    return {
        "counts": {
            "clauses": len(found.clauses),
            "cited": sum(bool(clause.rules) for clause in found.clauses),
            "informative": sum(bool(clause.informative) for clause in found.clauses),
            "tested": sum(bool(clause.tests) for clause in found.clauses),
        },
        "parts": [part._asdict() for part in found.parts],
        "missing": found.missing,
        "unknown": found.unknown,
        "clauses": [clause._asdict() for clause in found.clauses],
        "house": [clause._asdict() for clause in found.house],
    }
