"""Two rulebooks beside each other, where they differ."""

from collections.abc import Iterator
from itertools import groupby

from riverboat.pages.page import Block, Facts, Heading, Table
from riverboat.pages.rulebook_page import status_blocks
from riverboat.rulebook import Rulebook
from riverboat.rulebook.differences import Difference, Side, differences

_HEADINGS = {
    "options": "Limits and options",
    "fold": "Folding",
    "settlement": "Settlement",
    "aggregate_limit": "Aggregate limit",
    "progressive": "Progressive",
    "paytables": "Pay tables",
    "irregularities": "Irregularities",
}


def difference_page(one: Rulebook, other: Rulebook) -> Iterator[Block]:
    """Every difference, by section, with both sides' clauses."""
    yield Heading(f"{one.id} and {other.id}: what differs", level=1)
    yield Facts([(book.id, f"{book.title} ({book.status})") for book in (one, other)])
    for book in (one, other):
        yield from status_blocks(book)
    sections: dict[str, list[list[Difference]]] = {"options": []}
    for rule, found in groupby(differences(one, other), key=lambda difference: difference.rule):
        sections.setdefault(rule.partition(".")[0], []).append(list(found))
    for name, rules in sections.items():
        if not rules:
            continue
        yield Heading(_HEADINGS.get(name, name.replace("_", " ").capitalize()))
        yield Table(("What", one.id, other.id), [_row(rule) for rule in rules], (3, 5, 5))


def _row(fields: list[Difference]) -> tuple[str, str, str]:
    """One rule, with those of its fields that differ."""
    first = fields[0]
    top, _, rest = first.rule.partition(".")
    name = (rest or top).replace("_", " ").replace(".", " / ")
    if top == "options":
        name = f"{name}: {first.title}"
    return name, _say(fields, [f.one for f in fields]), _say(fields, [f.other for f in fields])


def _say(fields: list[Difference], sides: list[Side]) -> str:
    says = [
        side.says
        if difference.field in ("", "default", "order", "after_fold") and len(fields) == 1
        else f"{difference.field.replace('_', ' ')}: {side.says}"
        for difference, side in zip(fields, sides, strict=True)
    ]
    cites = sides[0].cites
    return "; ".join(says) + (f"  [{', '.join(cites)}]" if cites else "")
