"""The first page a newcomer sees, and the list of rulebooks."""

from collections.abc import Iterator, Sequence

from riverboat.pages.page import Block, Facts, Heading, Table, Words
from riverboat.rulebook.values import say
from riverboat.rulebooks import Loaded


def welcome_page(loaded: Sequence[Loaded]) -> Iterator[Block]:
    """What is here, and what to try next."""
    yield Heading("Riverboat", level=1)
    yield Words("Mississippi Stud and Island Stud, each rule with its clause. Play money only.")
    yield Heading("Rulebooks in the house")
    yield _short_list(loaded)
    yield Heading("What to try next")
    yield Facts(
        [
            ("riverboat play ID", "a table in the terminal"),
            ("riverboat settle ID --ante 10 --cards ... --board ...", "what each spot is owed"),
            ("riverboat check FILE", "play scenario files"),
            ("riverboat day ID", "a whole day at a table, as a pit log"),
            ("riverboat prompts ID", "who does what next in a round, the words, the clause"),
            ("riverboat configure FILE", "may a table be run like this, and if not, why"),
            ("riverboat verify FILE", "check an exported round"),
            ("riverboat rulebook show ID", "a rulebook with every rule, pay table and clause"),
            ("riverboat rulebook diff A B", "what two of them do differently"),
            ("riverboat rulebook new NAME --from ID", "start a house's own"),
            ("riverboat rulebook check FILE", "is it usable, and if not, why"),
            ("riverboat coverage", "every clause, the rule that carries it out, its tests"),
        ]
    )


def rulebooks_page(loaded: Sequence[Loaded]) -> Iterator[Block]:
    """Every rulebook with its side bets and pay tables."""
    for one in loaded:
        book = one.book
        yield Heading(f"{book.id}: {book.title}", level=3)
        tables = [table.id for table in book.paytables if table.playable]
        struck = [table.id for table in book.paytables if not table.playable]
        comparison = getattr(book, "comparison", None)
        facts = [
            ("Game", say(book.game)),
            ("Status", f"{book.status}. {book.source.standing}"),
            ("Side bets", say(tuple(offer.bet for offer in book.side_bets))),
            ("Pay tables", ", ".join([*([comparison.id] if comparison else []), *tables])),
            ("For analysis only", ", ".join(struck)),
        ]
        yield Facts([(label, text) for label, text in facts if text])


def _short_list(loaded: Sequence[Loaded]) -> Table:
    rows = [(one.book.id, one.book.status, say(one.book.game), one.book.title) for one in loaded]
    return Table(("Id", "Status", "Game", "Title"), rows)
