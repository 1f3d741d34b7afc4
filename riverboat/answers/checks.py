"""Whether something is true: scenarios, clause coverage, rounds in files, a whole ledger."""

from collections.abc import Iterator, Sequence
from typing import Any

from riverboat.answers.page import Block, Facts, Heading, Table, Words
from riverboat.core.money import format_units
from riverboat.core.visible import visible
from riverboat.evidence.round_check import Check, Verified
from riverboat.floor.audit.auditing import Audit
from riverboat.ledger import Verdict
from riverboat.meter.books import reconcile
from riverboat.rulebook.values import table_called
from riverboat.scripts.checking import Checked, Coverage, Covered
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
    return _HELP + "\n".join(f"- {entry}: {meaning}" for entry, meaning in VOCABULARY.items())


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
            ("Clauses", f"{accounted} accounted for, {missing} missing, {unknown} unknown"),
            ("Missing", ", ".join(found.missing) or "none"),
            ("Unknown", ", ".join(found.unknown) or "none"),
        ]
    )
    if not found.complete:
        yield Words("Not every clause is accounted for.", loud=True)
    yield from _clauses("Clauses of the documents", found.clauses)
    yield from _clauses("Clauses of the house's own rulebooks", found.house)


def _counts(clauses: Sequence[Covered]) -> dict[str, int]:
    return {
        "clauses": len(clauses),
        "cited": sum(bool(clause.rules) for clause in clauses),
        "informative": sum(bool(clause.informative) for clause in clauses),
        "tested": sum(bool(clause.tests) for clause in clauses),
    }


def _summary(clauses: tuple[Covered, ...]) -> Table:
    rows = []
    for book in dict.fromkeys(clause.rulebook for clause in clauses):
        own = [clause for clause in clauses if clause.rulebook == book]
        rows.append((book, *map(str, _counts(own).values())))
    return Table(("Rulebook", "Clauses", "Cited by a rule", "Informative", "Held by a test"), rows)


def _parts(found: Coverage) -> Table:
    """By the part of the house that carries them out: played means some scenario depends on it."""
    rows = [
        (by.replace("_", " "), str(clauses), str(played), _few(left) or "none")
        for by, clauses, played, left in found.parts
    ]
    columns = ("Carried out by", "Clauses", "Played by a test", "Not played")
    return Table(columns, rows, (3, 1, 1, 5))


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
    return {
        "scenarios": [
            {"file": result.file, "name": result.name, "holds": result.holds}
            | ({"error": result.error} if result.error else {})
            | {"differences": [difference._asdict() for difference in result.differences]}
            for result in results
        ]
    }


def coverage_report(found: Coverage) -> dict[str, Any]:
    """Every clause and the sums."""
    return {
        "counts": _counts(found.clauses),
        "parts": [part._asdict() for part in found.parts],
        "missing": found.missing,
        "unknown": found.unknown,
        "clauses": [clause._asdict() for clause in found.clauses],
        "house": [clause._asdict() for clause in found.house],
    }


def changed_program(changed: str) -> tuple[dict[str, Any], list[Block]]:
    """A check by a program that is not what it should be says that, and nothing else."""
    words = f"NOT TRUE: what checks here is not to be believed: {changed}"
    wrong = {"seq": 0, "field": "program", "message": changed}
    return {"holds": False, "wrong": wrong}, [Words(words, loud=True)]


def audit_page(audit: Audit) -> Iterator[Block]:
    """What was recomputed, what was not, and the verdict."""
    yield Heading("Verification of the ledger", level=1)
    if audit.wrong is not None:
        yield Words(f"NOT TRUE: {audit.wrong}", loud=True)
    yield Table(("Check", "Result", "What"), list(_rows(audit)), (3, 2, 7))
    for name, link in audit.meters.items():
        found = reconcile(link)
        said = "balances" if found.balances else f"OFF BY {format_units(found.difference)}"
        yield Words(f"Meter {name}: {format_units(found.meter)}, {said}")
    yield Words("")
    ran, replay = audit.components, f"{audit.events_a_second:,}"
    rows = int(audit.verdict.head.seq / max(audit.chain_seconds, 1e-9))
    yield Facts(
        [
            ("Head", str(audit.verdict.head)),
            ("Program", f"riverboat {ran.version}, {ran.files} files, {ran.program_sha256}"),
            (
                "Speed",
                f"{rows:,} rows a second for the chain, {replay} events a second decided again",
            ),
        ]
    )
    yield Table(("Rulebook", "Hash of its file"), sorted(ran.rulebooks.items()))
    if audit.wrong is None:
        yield from _conclusion(audit.verdict, "All that was checked is true.")


def chain_page(verdict: Verdict, seconds: float) -> Iterator[Block]:
    """The chain and its heads alone; that nothing was decided again is said too."""
    yield Heading("Verification of the ledger's chain", level=1)
    if verdict.fault is not None:
        yield Words(f"NOT TRUE: {verdict.fault}", loud=True)
    rows = [*_chain_rows(verdict), ("Replay", "not asked for", "no entry was decided again")]
    yield Table(("Check", "Result", "What"), rows, (3, 2, 7))
    speed = f"{int(verdict.head.seq / max(seconds, 1e-9)):,} rows a second"
    yield Words("")
    yield Facts([("Head", str(verdict.head)), ("Speed", speed)])
    if verdict.holds:
        said = "The chain is true. Whether its entries follow the rules was not checked."
        yield from _conclusion(verdict, said)


def _conclusion(verdict: Verdict, said: str) -> Iterator[Block]:
    """What is true; or, where nobody elsewhere says how far the ledger went, that."""
    if verdict.given:
        yield Words(said)
        return
    what = "rows that are missing at its end, or an older copy in its place, would not be noticed"
    yield Words(f"Nothing is wrong in it. NOT HELD AGAINST ANY WITNESS: {what}.", loud=True)
    if said.startswith("The chain"):
        yield Words(said)


def chain_document(verdict: Verdict, seconds: float) -> dict[str, Any]:
    """The same for scripts."""
    fault = verdict.fault
    wrong = fault and {"seq": fault.seq, "field": fault.column, "message": fault.message}
    return {
        "holds": verdict.holds,
        "chain_only": True,
        **_extent(verdict),
        "wrong": wrong,
        "chain_seconds": round(seconds, 3),
    }


def _extent(verdict: Verdict) -> dict[str, Any]:
    rows = {"head": str(verdict.head), "rows": verdict.head.seq}
    counted = {"streams": verdict.streams, "heads": verdict.heads}
    return {**rows, **counted, "held_against_a_witness": bool(verdict.given)}


def _chain_rows(verdict: Verdict) -> Iterator[tuple[str, str, str]]:
    result = "ok" if verdict.holds else "FAILED"
    yield "Chain", result, f"{verdict.head.seq} rows, {verdict.streams} streams"
    yield "Heads", result if verdict.heads else "none", f"{verdict.heads} signed or given"


def _rows(audit: Audit) -> Iterator[tuple[str, str, str]]:
    counts = audit.counts
    yield from _chain_rows(audit.verdict)
    if not audit.verdict.holds:
        yield "Replay", "not checked", "the chain comes first"
        return
    result = "ok" if audit.holds else "FAILED"
    entries = f"{counts.get('entries', 0)} entries with {counts.get('events', 0)} events"
    yield "Replay", result, f"{entries} decided again"
    yield "Postings", result, f"{counts.get('postings', 0)}, each event's in sum nothing"
    yield "Meters", result, f"{len(audit.meters)}, each entry as the tables caused it"
    numbers = f"{counts.get('rounds', 0)} rounds, {counts.get('commitments', 0)} commitments"
    yield "Numbers", result, f"{numbers}, no gap"
    yield "Keys", result, f"{counts.get('keys', 0)} released, each opens its entries"
    yield "Refused", result, f"{counts.get('refused', 0)} requests, refused again"
    if counts.get("disputes"):
        yield "Disputes", result, f"{counts['disputes']} entries, evidence as it was frozen"
    if counts.get("accounts"):
        signed = f"{counts.get('signatures', 0)} signatures by people who counted then"
        yield "Accounts", result, f"{counts['accounts']} entries, {signed}"
    for table, count in sorted(audit.sealed.items()):
        yield "Sealed", "not checked", f"{count} entries of {table}: sealed, round not over"
    if counts.get("other"):
        yield "Other", "chain only", f"{counts['other']} rows of other streams"


def audit_document(audit: Audit) -> dict[str, Any]:
    """The same for scripts."""
    wrong = audit.wrong
    return {
        "holds": audit.holds,
        **_extent(audit.verdict),
        "counts": audit.counts,
        "not_checked_sealed": audit.sealed,
        "meters": {
            name: {"meter_units": link.meter.units, "balances": reconcile(link).balances}
            for name, link in audit.meters.items()
        },
        "wrong": wrong._asdict() if wrong is not None else None,
        "version": audit.components.version,
        "program_sha256": audit.components.program_sha256,
        "rulebooks": audit.components.rulebooks,
        "chain_seconds": round(audit.chain_seconds, 3),
        "replay_seconds": round(audit.replay_seconds, 3),
        "events_per_second": audit.events_a_second,
    }


_SHOWN = {"ok": "ok", "failed": "FAILED", "not checked": "not checked"}
_SHARES = (2, 2, 9)


def verify_page(results: Sequence[Verified], together: Sequence[Check]) -> Iterator[Block]:
    """Each file with its checks, what the files are together, and the sum."""
    for result in results:
        played = result.file
        what = f": {table_called(played.table)}, round {played.round}" if played else ""
        yield Heading(f"{result.path}{what}", level=3)
        if result.error:
            yield Words(f"cannot be read: {result.error}", loud=True)
            continue
        if played is not None and played.test:
            yield Words("TEST: a round of a test table.", loud=True)
        yield Table(("Check", "Result", "Where, or what to know"), _lines(result.checks), _SHARES)
    if together:
        yield Heading("Together", level=3)
        yield Table(("Check", "Result", "Where, or what to know"), _lines(together), _SHARES)
    yield Words("")
    true = sum(result.holds for result in results)
    unread = sum(bool(result.error) for result in results)
    said = f"{true} true, {len(results) - true - unread} not true, {unread} unreadable"
    yield Facts([("Files", f"{len(results)}: {said}")])


def _lines(checks: Sequence[Check]) -> list[tuple[str, str, str]]:
    rows = []
    for check in checks:
        said = [f"{where}: {message}" for where, message in check.found] or [check.note]
        rows.append((check.what, _SHOWN[check.result], said[0]))
        rows += [("", "", more) for more in said[1:]]
    return [(what, shown, visible(text, kept="")) for what, shown, text in rows]


def verify_document(results: Sequence[Verified], together: Sequence[Check]) -> dict[str, Any]:
    """The same for scripts."""
    return {
        "files": [
            {
                "file": result.path,
                "table": result.file.table if result.file else None,
                "round": result.file.round if result.file else None,
                "holds": result.holds,
                "checks": [_check(check) for check in result.checks],
                **({"error": result.error} if result.error else {}),
            }
            for result in results
        ],
        "together": [_check(check) for check in together],
    }


def _check(check: Check) -> dict[str, Any]:
    return {
        "check": check.what,
        "result": check.result,
        "found": [misfit._asdict() for misfit in check.found],
        "note": check.note,
    }
