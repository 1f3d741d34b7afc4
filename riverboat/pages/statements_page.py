"""The fields of a rulebook that state something and make the system do nothing."""

from collections.abc import Iterator

from riverboat.pages.page import Block, Heading, Table, Words
from riverboat.rulebook.loading.statements import STATEMENTS


def statements_page() -> Iterator[Block]:
    """Each statement and why nothing follows from it."""
    yield Heading("Fields that state something", level=1)
    yield Words(
        "What a rulebook file says, the system does, or the loader refuses it. These fields are "
        "the exceptions: they are kept and shown, and nothing follows. `[]` stands for the "
        "entries of a list, `{}` for those of a table with names of its own, `*` for every rule."
    )
    rows = [(f"`{path}`", reason) for path, reason in STATEMENTS.items()]
    yield Table(("Field", "Why nothing follows"), rows, (4, 8))
