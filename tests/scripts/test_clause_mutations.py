"""Change what carries a clause out, and a scenario that cites the clause fails."""

import pytest

from riverboat.rulebooks import clause_rows, load_all
from riverboat.scripts.scenario_file import Scenario, read_scenarios
from tests.conftest import Report
from tests.support.clause_mutations import is_noticed
from tests.support.places import TESTS

FOLDER = TESTS / "rules"
BOOKS = {loaded.book.id: loaded.book for loaded in load_all()}
BY_PREFIX = {book.clause_prefix: book for book in BOOKS.values()}
ENGINE = [row for row in clause_rows() if row.enforceable_by == "engine"]


def library() -> dict[str, list[Scenario]]:
    """The scenarios by the clauses that they cite."""
    by_clause: dict[str, list[Scenario]] = {}
    for file in sorted(FOLDER.rglob("*.toml")):
        for _, scenario in read_scenarios(file.read_text("utf-8")):
            assert isinstance(scenario, Scenario)
            for clause in scenario.clauses:
                by_clause.setdefault(clause, []).append(scenario)
    return by_clause


@pytest.mark.slow
@pytest.mark.parametrize("prefix", sorted({row.rulebook for row in ENGINE}))
def test_a_changed_rule_is_noticed_by_a_scenario_that_cites_its_clause(
    prefix: str, report: Report
) -> None:
    scenarios, book = library(), BY_PREFIX[prefix]
    clauses = [row.id for row in ENGINE if row.rulebook == prefix]
    missing = [clause for clause in clauses if clause not in scenarios]
    survivors = [
        clause
        for clause in clauses
        if clause in scenarios and not is_noticed(clause, book, scenarios[clause], BOOKS)
    ]
    noticed = len(clauses) - len(missing) - len(survivors)
    report(
        f"engine clauses of {book.id}: {len(clauses)}, changed and noticed {noticed}, "
        f"without a scenario {len(missing)}, survivors {len(survivors)}"
    )
    assert (missing, survivors) == ([], [])
