"""The submissions of the library, and what comes of one."""

from riverboat.rulebook import Rulebook
from riverboat.rulebooks import clause_rows, load_all
from riverboat.scripts.checking import (
    ConfigurationCase,
    read_cases,
)
from riverboat.table.configuration.configure import (
    Configuration,
    ConfigurationRefused,
    configure,
)
from riverboat.table.configuration.submission import (
    Submission,
)
from tests.support.places import TESTS

FILES = sorted((TESTS / "configurations").glob("*.toml"))
LOADED = {loaded.book.id: loaded for loaded in load_all()}
BOOKS = {name: loaded.book for name, loaded in LOADED.items()}
BY_PREFIX = {book.clause_prefix: book for book in BOOKS.values()}
CHECKED_HERE = [row for row in clause_rows() if row.enforceable_by == "config_validation"]
MARYLAND = BOOKS["maryland-2014"]


def cases() -> list[tuple[str, ConfigurationCase]]:
    found = []
    for file in FILES:
        for name, case in read_cases(file.read_text("utf-8")):
            assert isinstance(case, ConfigurationCase), f"{file.name}: {name}: {case}"
            found.append((f"{file.stem}: {name}", case))
    return found


CASES = cases()


def configured(book: Rulebook, submission: Submission) -> Configuration:
    return configure(book, submission, rulebook_sha256=LOADED[book.id].sha256)


def problems_of(submission: Submission) -> list[str]:
    try:
        configured(BOOKS[submission.rulebook], submission)
    except ConfigurationRefused as refused:
        return [problem.code for problem in refused.problems]
    return []
