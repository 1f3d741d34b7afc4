"""A round played again from its document: the table as it stood, then entry by entry.

Where the document hides a card, some card that it does not show takes its place. Nothing that the
document tells can depend on which: a hand that decides anything has been turned over.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from msgspec import MsgspecError, to_builtins
from msgspec.structs import replace

from riverboat.core.cards import DECK, Card, parse_card
from riverboat.core.errors import NotationError, RiverboatError
from riverboat.core.fairness import Misfit
from riverboat.core.records import alike
from riverboat.evidence import round_file as f
from riverboat.evidence.round_export import line_of, sight_at
from riverboat.meter.amounts import Meter
from riverboat.round import events as r
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.configuration.configure import Configuration, configure, with_method
from riverboat.table.configuration.submission import Submission
from riverboat.table.day import Accounts, Books, Day, Deck, Proposal, edition_among
from riverboat.table.engine import advance

FAULTS = (ArithmeticError, AssertionError, LookupError, MsgspecError, TypeError, ValueError)
"""What the engine may stumble over in data that no table ever recorded."""

_ENOUGH_CENTS = 10**15
_LONGEST_SAID = 100


class Again(NamedTuple):
    """A round that was played again, up to the first thing that differs."""

    before: Day
    after: Day
    entries: tuple[e.Entry, ...]
    misfits: tuple[Misfit, ...]


def said(value: object) -> str:
    """A value of a document in a message."""
    text = json.dumps(value)
    return text if len(text) <= _LONGEST_SAID else text[:_LONGEST_SAID] + "…"


def filled_order(made: f.CommittedDeck) -> tuple[Card, ...]:
    """The committed order; positions that were not opened hold the cards that nobody opened."""
    opened = [text and parse_card(text) for text in made.order]
    rest = iter([card for card in DECK if card not in opened])
    return tuple(next(rest, DECK[0]) if card is None else int(card) for card in opened)


# ---------------------------------------------------------------- the table before


def table_before(file: f.RoundFile, configuration: Configuration, books: Books) -> Day:
    """The table as it stood when the round began. Its tray holds enough for whatever comes."""
    before, stood = file.before, file.meter_before
    if before.method is not None:
        configuration = with_method(configuration, *before.method)
    proposals = {
        one.number: alike(Proposal, one, configuration=_proposed(one, books))
        for one in before.proposals
    }
    return alike(
        Day,
        before,
        table=file.table,
        books=books,
        now=file.entries[0].at,
        phase="open",
        configuration=configuration,
        proposals=proposals,
        seated={_seat(seat): name for seat, name in before.seated.items()},
        programs=frozenset(before.programs),
        decks={deck.name: _deck(file, deck) for deck in before.decks},
        round_number=file.round - 1,
        commitments=file.commitments.last - len(seals_in(file)),
        opening_meter=alike(Meter, stood),
        accounts=Accounts(tray_cents=_ENOUGH_CENTS),
    )


def _seat(text: str) -> int:
    if not text.isdecimal() or str(int(text)) != text:
        raise NotationError("round.unreadable", f"before.seated: {text[:40]!r} is no seat")
    return int(text)


def _deck(file: f.RoundFile, deck: f.DeckBefore) -> Deck:
    """A deck with the round's own commitment; of one that waits only the number is of interest."""
    made, number, sealed = file.commitment, deck.commitment, None
    if number and (made is None or deck.name != file.deck):
        sealed = e.DeckSealed(deck=deck.name, number=number, root="", order=(), salts=(), word="")
    elif number and made is not None:
        order, salts = filled_order(made), tuple(salt or f.CLOSED_SALT for salt in made.salts)
        told = {"deck": deck.name, "number": number, "order": order, "salts": salts}
        sealed = alike(e.DeckSealed, made, **told)
    return alike(Deck, deck, sealed=sealed)


def _proposed(waiting: f.ProposalBefore, books: Books) -> Configuration:
    made = configured(waiting.submission, books)
    if made.sha256 != waiting.sha256 or made.submission != waiting.submission:
        text = f"proposal {waiting.number}: its submission has the hash {made.sha256}"
        raise NotationError("round.other_proposal", text)
    return made


def configured(submission: Submission, books: Books) -> Configuration:
    """The configuration that a submission makes under the rulebooks that are here."""
    book, sha256 = edition_among(books, submission.rulebook)
    return configure(book, submission, rulebook_sha256=sha256)


def events_in(file: f.RoundFile, kind: str) -> list[tuple[int, Mapping[str, Any]]]:
    """The events of a kind, with the entry of each."""
    entries = ((line.number, event) for line in file.entries for event in line.events)
    return [(number, event) for number, event in entries if event["kind"] == kind]


def seals_in(file: f.RoundFile) -> list[tuple[int, Mapping[str, Any]]]:
    """The decks that were sealed in this round for a later one, with the entry of each."""
    return events_in(file, "deck_sealed")


# ---------------------------------------------------------------- entry by entry


def play_again(file: f.RoundFile, before: Day) -> Again:
    """Every entry of the round, until one is refused or comes to something else."""
    fill, shown = _filler(file), None if file.view is None else file.view.shown
    entries: list[e.Entry] = []
    day, last, closed = before, file.entries[0].number - 1, False
    for line in file.entries:
        misfit = _out_of_place(line, last, day, closed=closed)
        if misfit is None:
            day = replace(day, entries=line.number - 1, now=line.at if closed else day.now)
            entry, after, misfit = _once_more(line, day, fill, sight_at(day, shown))
        if misfit is not None:
            return Again(before, day, tuple(entries), (misfit,))
        day, last = after, line.number
        entries.append(entry)
        closed = closed or any(isinstance(event, r.RoundClosed) for event in entry.events)
    wrong = () if closed else (Misfit(f"entry {last}", "the round does not end with it"),)
    return Again(before, day, tuple(entries), wrong)


def _filler(file: f.RoundFile) -> Callable[[], Card]:
    """Cards that the document shows nowhere, one after the other."""
    told = [text for line in file.entries for text in f.texts_in(line.action)]
    shown = {parse_card(text) for text in (*told, *file.left_out)}
    hidden = iter([card for card in DECK if card not in shown])

    def fill() -> Card:
        card = next(hidden, None)
        if card is None:
            raise NotationError("round.hidden", "more cards are hidden than a deck has")
        return card

    return fill


def _out_of_place(line: f.Line, last: int, day: Day, *, closed: bool) -> Misfit | None:
    """Entries follow each other without a gap; after the end there are only corrections."""
    where = f"entry {line.number}"
    if not closed:
        if not day.in_round and line.action["do"] != "start_round":
            return Misfit(where, "a round begins with start_round")
        return None if line.number == last + 1 else Misfit(where, f"entry {last + 1} comes next")
    if line.number <= last or line.at < day.now:
        return Misfit(where, "it comes after the end of the round, and later than the one before")
    if line.action["do"] != "correct":
        return Misfit(where, "after the end of a round it can only be corrected")
    return None


def _once_more(
    line: f.Line, day: Day, fill: Callable[[], Card], sight: f.Sight
) -> tuple[e.Entry, Day, Misfit | None]:
    nothing = e.Entry(number=0, at=0, by=line.by, action=a.StartRound(), events=())
    where = f"entry {line.number}"
    try:
        entry, after = advance(day, line.by, f.read_action(line.action, fill))
    except RiverboatError as refusal:
        text = " ".join(str(refusal).split())
        return nothing, day, Misfit(where, f"is refused when it is played again: {text}")
    except FAULTS as fault:
        text = f"cannot be played again ({type(fault).__name__}: {said(str(fault))})"
        return nothing, day, Misfit(where, text)
    mine, theirs = to_builtins(line), _as_line(entry, line, sight)
    for path, stated, came in f.differences(mine, theirs):
        text = f"the file has {said(stated)}; played again it is {said(came)}"
        return nothing, day, Misfit(f"{where}: {path}", text)
    return entry, after, None


def _as_line(entry: e.Entry, line: f.Line, sight: f.Sight) -> Mapping[str, Any]:
    """An entry as the document would have it; a root whose deck is closed is taken as it stands."""
    raw: dict[str, Any] = to_builtins(line_of(entry, sight))
    for event, stated in zip(raw["events"], line.events, strict=False):
        if event["kind"] == stated["kind"] == "deck_sealed":
            event["root"] = stated["root"]
    return raw
