"""How far the clauses are carried out and held by tests, for people."""

from collections import Counter
from collections.abc import Iterator

from riverboat.pages.page import Block, Facts, Heading, Table, Words
from riverboat.scripts.coverage import Coverage, Covered

_NAMED = 5


def coverage_page(found: Coverage, *, tests_at_hand: bool = True) -> Iterator[Block]:
    """A summary by rulebook, then every clause."""
    yield Heading("Clause coverage", level=1)
    if not tests_at_hand:
        yield Words("No tests are at hand here: run it in a checkout, or name them with --tests.")
    yield _summary((*found.clauses, *found.house))
    yield _parts(found)
    missing, unknown = len(found.missing), len(found.unknown)
    accounted = sum(clause.accounted_for for clause in found.clauses)
    yield Facts(
        [
            (
                "Clauses",
                f"{accounted} accounted for, {missing} missing, {unknown} unknown",
            ),
            ("Missing", ", ".join(found.missing) or "none"),
            ("Unknown", ", ".join(found.unknown) or "none"),
        ]
    )
    if not found.complete:
        yield Words("Not every clause is accounted for.", loud=True)
    yield from _clauses("Clauses of the documents", found.clauses)
    yield from _clauses("Clauses of the house's own rulebooks", found.house)


def _summary(clauses: tuple[Covered, ...]) -> Table:
    books = list(dict.fromkeys(clause.rulebook for clause in clauses))
    rows = []
    for book in books:
        own = [clause for clause in clauses if clause.rulebook == book]
        counts = Counter(
            {
                "cited": sum(bool(clause.rules) for clause in own),
                "informative": sum(bool(clause.informative) for clause in own),
                "tested": sum(bool(clause.tests) for clause in own),
            }
        )
        figures = (counts["cited"], counts["informative"], counts["tested"])
        rows.append((book, str(len(own)), *map(str, figures)))
    return Table(("Rulebook", "Clauses", "Cited by a rule", "Informative", "Held by a test"), rows)


def _parts(found: Coverage) -> Table:
    """By the part of the house that carries them out: played means some scenario depends on it."""
    rows = [
        (
            part.by.replace("_", " "),
            str(part.clauses),
            str(part.played),
            _few(part.not_played) or "none",
        )
        for part in found.parts
    ]
    return Table(
        ("Carried out by", "Clauses", "Played by a test", "Not played"), rows, (3, 1, 1, 5)
    )


def _few(names: tuple[str, ...]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")


def _clauses(title: str, clauses: tuple[Covered, ...]) -> Iterator[Block]:
    if not clauses:
        return
    yield Heading(title)
    rows = [
        (
            clause.id,
            clause.by.replace("_", " "),
            ", ".join(clause.rules) or f"nothing to carry out: {clause.informative}",
            str(len(clause.tests)) if clause.tests else "-",
        )
        for clause in clauses
    ]
    yield Table(("Clause", "By", "Where", "Tests"), rows, (4, 3, 7, 1))
