"""What came of playing scenarios, and how to write one."""

from collections.abc import Iterator, Sequence

from riverboat.checking import Checked
from riverboat.notation import VOCABULARY
from riverboat.pages.page import Block, Facts, Heading, Table, Words

_HELP = """Play scenario files and say which expectations hold.

A scenario is a rule test in TOML: [[scenario]] with name, rulebook, clauses, table, bets, cards,
decisions, incidents, expect. Beyond the basic keys:

- bets.S.player names the person at a seat, bets.S.instrument what the wager is made with (chip,
  plaque, cash, verbal_with_cash)
- an incident may have decision (continue, void) where the floor decides, and after (a seat) to
  strike when settlement has come so far
- [[scenario.requests]] asks for something out of the ordinary course: when, do (wager, take_back,
  bet, fold, turn, deal, lock, close), seat, spot, amount, player
- expect.never lists entries of the log that must not occur; expect.only names first words whose
  entries must be exactly those of expect.log

expect.log lists entries that occur in this order. Its words (S is a seat, P a place):

"""


def check_help() -> str:
    """The help of `riverboat check`, with the words of the log."""
    words = "\n".join(f"- {entry}: {meaning}" for entry, meaning in VOCABULARY.items())
    return _HELP + words


def check_page(results: Sequence[Checked]) -> Iterator[Block]:
    """Every scenario that does not hold, with both values, and the sum."""
    for result in results:
        if result.holds:
            continue
        yield Heading(f"{result.file}: {result.name}", level=3)
        if result.error:
            yield Words(f"cannot be read: {result.error}", loud=True)
            continue
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
