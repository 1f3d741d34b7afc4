"""What came of playing scenarios, how to write one, and how far the clauses are held by tests."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from riverboat.answers.page import Block, Facts, Heading, Table, Words
from riverboat.scripts.checking import Checked
from riverboat.scripts.coverage import Coverage, Covered
from riverboat.scripts.scenario_file import VOCABULARY

_HELP = """Play scenario files and say which expectations hold.

A scenario is a rule test in TOML: [[scenario]] with name, rulebook, clauses, table, bets, cards,
decisions, incidents, expect. `rulebook` is an id, or the path of a house's own rulebook from where
the file lies. Beyond the basic keys:

- bets.S.player names the person at a seat, bets.S.instrument what the wager is made with (chip,
  plaque, approved_instrument, cash, verbal_with_cash) where the rulebook has a rule about it
- an incident may have decision (continue, void), the floor's word, and after (a seat) to strike
  when settlement has come so far; in Island Stud third is the moment before the decision
- [[scenario.requests]] asks for something out of the ordinary course: when, do (wager: seat, spot,
  amount, perhaps player; take_back: seat, spot; bet: seat, amount; fold: seat; turn, deal, lock,
  close)
- expect.never lists entries of the log that must not occur; expect.only names first words whose
  entries must be exactly those of expect.log

A scenario is read to its last word. It cannot be read (exit status 2) where it names a seat at
which nobody plays, a spot, place or street that its table does not have, a word that is none, or an
amount that is none; where a decision, street tip, incident or request is never reached; and where
it expects nothing (void = false is an expectation, an empty expect is none). Two things are not
held against it: decisions that are left when the round ended early as expected (refused, void,
deal_blocked), as long as there are no more of them than the game has; and a result of 0 on a spot
of the table where the seat has no chips. A tip on a spot that the rulebook's tips do not have can
be read only where its refusal is expected.

A refusal, void, deck_removed, deal_blocked or suspended that a scenario does not expect makes it
not hold (exit status 1).

expect.log lists entries that occur in this order. Its words (S is a seat, P a place):

"""


def check_help() -> str:
    """The help of `riverboat check`, with the words of the log."""
    words = "\n".join(f"- {entry}: {meaning}" for entry, meaning in VOCABULARY.items())
    return _HELP + words


def check_page(results: Sequence[Checked]) -> Iterator[Block]:
    """Every scenario that does not hold, with both values, and the sum; what cannot be read is told
    on standard error."""
    for result in results:
        if result.holds or result.error:
            continue
        yield Heading(f"{result.file}: {result.name}", level=3)
        rows = [
            (difference.what, difference.expected, difference.got, ", ".join(difference.cites))
            for difference in result.differences
        ]
        yield Table(("What", "Expected", "Got", "Clauses"), rows, (2, 3, 5, 3))
    held = sum(result.holds for result in results)
    unread = sum(bool(result.error) for result in results)
    clauses = {clause for result in results for clause in result.clauses}
    yield Facts(
        [
            ("Scenarios", f"{len(results)}: {held} hold, {len(results) - held - unread} do not"),
            ("Unreadable", str(unread)),
            ("Clauses named", str(len(clauses))),
        ]
    )


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


def check_report(results: Sequence[Checked]) -> dict[str, Any]:
    """Which scenarios hold, and where the others differ."""
    scenarios = []
    for result in results:
        entry: dict[str, Any] = {"file": result.file, "name": result.name, "holds": result.holds}
        if result.error:
            entry["error"] = result.error
        entry["differences"] = [difference._asdict() for difference in result.differences]
        scenarios.append(entry)
    return {"scenarios": scenarios}


def coverage_report(found: Coverage) -> dict[str, Any]:
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
