"""A table's configuration for people: what is played with its clauses, or why it cannot be."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from riverboat.core.errors import Refused
from riverboat.pages.page import Block, Facts, Heading, Table, Words
from riverboat.pages.rulebook_page import status_blocks
from riverboat.rulebook import Rulebook
from riverboat.table.configuration.configure import Configuration
from riverboat.table.configuration.particulars import particulars

_SHARES = (3, 5, 4)


def configuration_page(configuration: Configuration) -> Iterator[Block]:
    """What is played, heading by heading, and the two hashes that every round will carry."""
    book = configuration.book
    yield Heading(configuration.name or book.title, level=1)
    yield from status_blocks(book)
    if configuration.test:
        yield Words("TEST: a table for a laboratory, never open for play.", loud=True)
    if configuration.demo:
        yield Words("DEMO: dealer, floorperson and supervisor are automatic.", loud=True)
    for notice in configuration.notices:
        yield Words(f"Notice: {notice.text} ({', '.join(notice.cites)}).", loud=True)
    for group, members in groupby(particulars(configuration), lambda one: one.group):
        yield Heading(group)
        rows = [
            (
                one.what.capitalize() if group != "Options" else one.what,
                one.value,
                ", ".join(one.cites),
            )
            for one in members
        ]
        yield Table(("What", "How it is", "Clauses"), rows, _SHARES)
    yield Heading("Hashes")
    yield Facts(
        [
            ("Configuration", configuration.sha256),
            ("Rulebook", configuration.rulebook_sha256),
        ]
    )


def refused_page(book: Rulebook, name: str, problems: Sequence[Refused]) -> Iterator[Block]:
    """Every problem with its clauses, and what those say in our words."""
    yield Heading(name or book.title, level=1)
    yield from status_blocks(book)
    count = len(problems)
    yield Words(f"Refused: {count} problem{'s' if count > 1 else ''}.", loud=True)
    for number, problem in enumerate(problems, start=1):
        yield Words(f"{number:>2}. {problem} ({', '.join(problem.cites) or 'no clause'})")
    texts = {name: clause.text for name, clause in book.clauses.items()} | book.ambiguities
    cited = dict.fromkeys(cite for problem in problems for cite in problem.cites)
    yield Heading("Clauses")
    yield Table(("Clause", "Says"), [(cite, texts.get(cite, "")) for cite in cited], (2, 8))
