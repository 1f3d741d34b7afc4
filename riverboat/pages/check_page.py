"""What came of playing scenarios, and how to write one."""

from collections.abc import Iterator, Sequence

from riverboat.pages.page import Block, Facts, Heading, Table, Words
from riverboat.round.notation import VOCABULARY
from riverboat.scripts.checking import Checked

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
    """Every scenario that does not hold, with both values, and the sum."""
    for result in results:
        if result.holds:
            continue
        yield Heading(f"{result.file}: {result.name}", level=3)
        if result.error:
            for problem in result.error.splitlines():
                yield Words(f"cannot be read: {problem}", loud=True)
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
