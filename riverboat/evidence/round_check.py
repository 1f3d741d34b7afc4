"""The check of finished rounds: hashes, cuts, deal, every entry played again, every cent.

Each check says ok, or exactly where something is not as it must be, or why it could not be made.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import to_builtins

from riverboat.core.cards import parse_card, show_card
from riverboat.core.errors import RiverboatError
from riverboat.core.fairness import Misfit
from riverboat.evidence.card_checks import (
    Check,
    Found,
    checked,
    commitment_checks,
    cut_check,
    deal_check,
    number_misfits,
    unchecked,
)
from riverboat.evidence.play_again import (
    FAULTS,
    Again,
    configured,
    play_again,
    said,
    seals_in,
    table_before,
)
from riverboat.evidence.round_export import (
    cards_in,
    left_out_cards,
    movements,
    places_shown,
    results_of,
    tally,
)
from riverboat.evidence.round_file import (
    RoundFile,
    Unreadable,
    differences,
    document_hash,
    read_round,
)
from riverboat.table.configuration.configure import Configuration
from riverboat.table.day import Books, Day


class Verified(NamedTuple):
    """One file: its checks, or why it cannot be read."""

    path: str
    file: RoundFile | None
    checks: tuple[Check, ...] = ()
    error: str = ""

    @property
    def holds(self) -> bool:
        """Whether everything that could be checked is true."""
        return not self.error and all(check.result != "failed" for check in self.checks)


def verify_round(path: str, content: bytes, books: Books) -> Verified:
    """Everything that can be checked in one document."""
    try:
        file, raw = read_round(content)
    except Unreadable as problem:
        return Verified(path, None, error=_in_a_line(problem))
    return Verified(path, file, tuple(_checks(file, raw, books)))


def _in_a_line(problem: Exception) -> str:
    return " ".join(str(problem).split())


def _checks(file: RoundFile, raw: Mapping[str, Any], books: Books) -> Iterator[Check]:
    yield checked("document", _document(raw))
    yield checked("heading", _heading(file))
    rulebook = checked("rulebook", _rulebook(file, books))
    yield rulebook
    configuration, check = _configuration(file, books)
    yield check
    yield from commitment_checks(file)
    yield checked("numbers", number_misfits(file))
    if configuration is None or rulebook.result == "failed":
        why = "rulebook or configuration are not what the file says"
        yield from (unchecked(what, why) for what in ("cuts", "deal", "entries", "money"))
        return
    before, again, trouble = _played_again(file, configuration, books)
    yield cut_check(file, before)
    yield deal_check(file)
    yield checked("entries", again.misfits if again else trouble, _entries_note(file))
    yield from _reckoning(file, again)


# ---------------------------------------------------------------- what is played


def _document(raw: Mapping[str, Any]) -> Found:
    expected = document_hash(raw)
    if raw["sha256"] != expected:
        yield "sha256", f"the hash over this document is {expected}: something in it was changed"


def _heading(file: RoundFile) -> Found:
    """What is said twice is said alike."""
    submission = file.configuration.submission
    physical = submission.cards == "physical"
    wanted = {
        "test": (file.test, submission.test),
        "cards": (file.cards, submission.cards),
        "fairness": (file.fairness, "uncommitted" if physical else "committed"),
        "rulebook.id": (file.rulebook.id, submission.rulebook),
    }
    for where, (stated, expected) in wanted.items():
        if stated != expected:
            yield where, f"is {said(stated)}; the configuration has {said(expected)}"
    if (file.commitment is None) != physical:
        yield "commitment", "is there, and physical cards have none" if physical else "is missing"
    if file.commitment is not None and file.commitment.forced and not file.test:
        yield "commitment.forced", "a forced deck is for test tables"


def _rulebook(file: RoundFile, books: Books) -> Found:
    stated = file.rulebook
    if stated.id not in books:
        text = f"there is no rulebook {said(stated.id)} here; a house's own is given by its file"
        yield "rulebook.id", text
        return
    book, sha256 = books[stated.id]
    if stated.revision != book.revision:
        yield "rulebook.revision", f"is {stated.revision}; here it is revision {book.revision}"
    if stated.sha256 != sha256:
        yield "rulebook.sha256", f"is {said(stated.sha256)}; the rulebook here has {sha256}"


def _configuration(file: RoundFile, books: Books) -> tuple[Configuration | None, Check]:
    stated = file.configuration.sha256
    try:
        made = configured(file.configuration.submission, books)
    except RiverboatError as problem:
        text = f"makes no configuration: {_in_a_line(problem)}"
        return None, checked("configuration", [("configuration.submission", text)])
    except FAULTS as fault:
        text = f"contradicts itself ({type(fault).__name__})"
        return None, checked("configuration", [("configuration.submission", text)])
    if made.sha256 != stated:
        text = f"is {said(stated)}; the submission has {made.sha256}"
        return None, checked("configuration", [("configuration.sha256", text)])
    if made.submission != file.configuration.submission:
        text = "is not written out in full"
        return None, checked("configuration", [("configuration.submission", text)])
    return made, checked("configuration", [])


# ---------------------------------------------------------------- played again


def _played_again(
    file: RoundFile, configuration: Configuration, books: Books
) -> tuple[Day | None, Again | None, Found]:
    before = None
    try:
        before = table_before(file, configuration, books)
        return before, play_again(file, before), ()
    except RiverboatError as problem:
        return before, None, [Misfit("before", _in_a_line(problem))]
    except FAULTS as fault:
        text = f"the round cannot be played from here ({type(fault).__name__})"
        return before, None, [Misfit("before", text)]


def _entries_note(file: RoundFile) -> str:
    closed = [number for number, _ in seals_in(file)]
    if not closed:
        return ""
    return f"the deck sealed in entry {closed[0]} stays closed until its own round is over"


def _reckoning(file: RoundFile, again: Again | None) -> Iterator[Check]:
    """What can only be said of a round that was played again to its end."""
    if again is None or again.misfits:
        yield unchecked("money", "the round could not be played again to its end")
        return
    yield checked("money", _money(file, again))
    yield checked("left out", _left_out(file, again))
    if file.view is not None:
        shown = len(cards_in(file.view.shown))
        note = f"seat {file.view.seat} was shown {shown} cards; the others cannot be checked"
        yield checked("view", _view(file, again), note)


def _money(file: RoundFile, again: Again) -> Found:
    """Every event moves money from somewhere to somewhere; each seat has what its spots came to."""
    for entry, moved in movements(again.before, again.entries):
        for unit in ("cent", "meter_unit"):
            total = sum(posting.amount for posting in moved if posting.unit == unit)
            if total:
                yield f"entry {entry.number}", f"postings sum to {total} {unit}, not to nothing"
    sums, state = tally(again.before, again.entries), again.after.playing
    results = results_of(state, sums)
    for number, seat in state.seats.items():
        if results.seats[str(number)].net_cents != seat.net_cents:
            yield f"seat {number}", "its accounts do not come to what its spots did"
    for where, mine, theirs in differences(to_builtins(file.results), to_builtins(results)):
        yield f"results.{where}", f"the file has {said(mine)}; the entries come to {said(theirs)}"


def _left_out(file: RoundFile, again: Again) -> Found:
    if file.deck != again.after.round_deck:
        yield "deck", f"is {said(file.deck)}; the round was dealt from {again.after.round_deck!r}"
        return
    sealed = again.before.decks[file.deck].sealed
    right = tuple(map(show_card, left_out_cards(again.after, sealed, file.cuts)))
    if right != file.left_out:
        yield "left_out", f"the file has {said(file.left_out)}; {said(right)} were left out"


def _view(file: RoundFile, again: Again) -> Found:
    """A seat has every card opened that it was shown, and no other."""
    assert file.view is not None
    state = again.after.playing
    if file.view.seat not in state.seats:
        yield "view.seat", f"seat {file.view.seat} did not play in this round"
        return
    seen = to_builtins(places_shown(state, file.view.seat))
    for where, mine, theirs in differences(to_builtins(file.view.shown), seen):
        yield f"view.shown.{where}", f"is {said(mine)}; the seat was shown {said(theirs)}"
    if file.commitment is not None:
        shown = cards_in(file.view.shown) | frozenset(map(parse_card, file.left_out))
        opened = {parse_card(card) for card in file.commitment.order if card is not None}
        if opened != shown:
            yield "commitment.order", "not the cards that were shown to the seat are opened"


# ---------------------------------------------------------------- several files


def verify_together(files: Sequence[RoundFile]) -> Iterator[Check]:
    """For each table of several files: no round and no commitment is missing among them."""
    for table in dict.fromkeys(file.table for file in files):
        of_table = sorted((f for f in files if f.table == table), key=lambda f: f.round)
        if len(of_table) > 1:
            first, last = of_table[0].round, of_table[-1].round
            note = f"rounds {first} to {last}"
            yield checked(f"no gaps at {said(table)}", _gaps(of_table), note)


def _gaps(files: Sequence[RoundFile]) -> Found:
    for one, following in pairwise(files):
        where = f"rounds {one.round} and {following.round}"
        if following.round > one.round + 1:
            yield where, f"round {one.round + 1} is missing"
        elif following.round == one.round:
            if one.commitments != following.commitments:
                yield where, "two files of one round tell of other commitments"
        else:
            yield from ((where, text) for text in _unaccounted(one, following))


def _unaccounted(one: RoundFile, following: RoundFile) -> Iterator[str]:
    """Numbers go on where they ended, and what waited is played, abandoned, or waits still."""
    if following.commitments.first != one.commitments.last + 1:
        yield (
            f"commitments go on with {following.commitments.first},"
            f" and {one.commitments.last} was the last"
        )
    later = {made.number: made for made in following.commitments.each}
    for made in one.commitments.each:
        known = later.pop(made.number, None)
        if (made.fate == "waiting") != (known is not None):
            what = "waited and is not heard of" if known is None else "is over and comes again"
            yield f"commitment {made.number} {what}"
        elif known is not None and known.root != made.root:
            yield f"commitment {made.number} had another root while it waited"
    if any(number < following.commitments.first for number in later):
        yield f"commitment {min(later)} was not there before"
