"""A finished round from a table's record, as a document that anyone can check.

The record is played through once: what a round depends on, its configuration, its deck and cuts
made before the bets, stands in entries before it. For the auditor every card of the round is open;
for a seat those that it was shown.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, get_args

from msgspec import to_builtins
from msgspec.structs import replace

from riverboat import __version__
from riverboat.core.cards import DECK, Card, parse_card, show_card
from riverboat.core.errors import NotationError
from riverboat.core.fairness import commit, cut_order
from riverboat.core.records import alike
from riverboat.evidence import round_file as f
from riverboat.meter.books import Posting
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round.settlement.postings import CAGE, TIP_BOX, TRAY, player, postings
from riverboat.round.state import Round
from riverboat.round.views import view
from riverboat.table import events as e
from riverboat.table.day import Books, Day, apply, new_day, remember_entry
from riverboat.table.procedures.rounds import delivery_places, left_out_count

Sums: TypeAlias = Counter[tuple[str, str]]

_ROUND_EVENTS = get_args(r.AnyEvent)


class _Story:
    """What a record tells about one round while it is played through."""

    def __init__(self, number: int, day: Day) -> None:
        self.number = number
        self.day = day
        self.before: Day | None = None
        self.lines: list[e.Entry] = []
        self.stood: list[Day] = []
        self.closed = False
        self.past = False
        self.first = 1
        self.last = 0
        self.made: dict[int, f.Made] = {}
        self.cuts: dict[str, list[f.CutMade]] = {}
        self.round_cuts: list[f.CutMade] = []

    def tell(self, entry: e.Entry) -> None:
        """One more entry of the record."""
        for started in [event for event in entry.events if isinstance(event, e.RoundStarted)]:
            self.past = self.past or self.before is not None
            if started.number == self.number:
                self.before = self.day
                self.round_cuts = list(self.cuts.get(started.deck, ()))
        if self.past:
            return
        if self.before is not None and (not self.closed or isinstance(entry.action, g.Correct)):
            self.lines.append(entry)
            self.stood.append(self.day)
        self.day = remember_entry(self.day, entry)
        if not self.closed:
            for event in entry.events:
                self._note(entry, event)
            if any(isinstance(event, r.RoundClosed) for event in entry.events):
                self._note_end()

    def _note(self, entry: e.Entry, event: e.AnyEvent) -> None:
        match event:
            case e.DeckReceived() | e.ShuffleFinished() | e.DeckSealed():
                self.cuts[event.deck] = []
            case e.DeckCut():
                self._note_cut(entry, event)
        match event:
            case e.DeckSealed():
                self.last = event.number
                about = {"entry": entry.number, "fate": "waiting", "reason": "", "waited": False}
                self.made[event.number] = alike(f.Made, event, **about)
            case e.RoundStarted() if event.commitment:
                self.made[event.commitment] = replace(self.made[event.commitment], fate="played")
            case e.CommitmentAbandoned():
                was = self.made[event.number]
                self.made[event.number] = replace(was, fate="abandoned", reason=event.reason)

    def _note_cut(self, entry: e.Entry, event: e.DeckCut) -> None:
        cut = alike(f.CutMade, event, entry=entry.number)
        self.cuts.setdefault(event.deck, []).append(cut)
        if self.before is not None and event.deck == self.day.round_deck:
            self.round_cuts.append(cut)

    def _note_end(self) -> None:
        """With the end of a round its numbers are accounted for, except those that still wait."""
        if self.before is not None:
            self.closed = True
            return
        self.cuts.pop(self.day.round_deck, None)
        self.first = self.last + 1
        self.made = {
            number: replace(made, waited=True)
            for number, made in self.made.items()
            if made.fate == "waiting"
        }


def export_round(
    entries: Iterable[e.Entry], number: int, *, table: str, books: Books, seat: int | None = None
) -> f.RoundFile:
    """A finished round of a table's record: for the auditor, or for a seat that played in it."""
    story = _Story(number, new_day(table, books))
    for entry in entries:
        story.tell(entry)
    if story.before is None:
        raise NotationError("export.no_round", f"round {number} is not in this record")
    if not story.closed:
        raise NotationError("export.not_over", f"round {number} is not over; its cards are secret")
    state = story.day.playing
    if seat is not None and seat not in state.seats:
        raise NotationError("export.no_seat", f"seat {seat} did not play in round {number}")
    return _document(story, story.before, seat)


def _document(story: _Story, before: Day, seat: int | None) -> f.RoundFile:
    configuration, state = before.configuration, story.day.playing
    assert configuration is not None
    deck = story.day.round_deck
    turned = [cut.depth for cut in story.round_cuts]
    left_out = left_out_cards(story.day, before.decks[deck].sealed, turned)
    shown = None if seat is None else places_shown(state, seat)
    book = configuration.book
    return f.RoundFile(
        format=f.FORMAT,
        version=1,
        riverboat=__version__,
        table=before.table,
        test=configuration.test,
        round=story.number,
        cards="physical" if configuration.physical else "electronic",
        fairness="uncommitted" if configuration.physical else "committed",
        view=None if seat is None or shown is None else f.View(seat=seat, shown=shown),
        rulebook=alike(f.RulebookNamed, book, sha256=configuration.rulebook_sha256),
        configuration=alike(f.Filed, configuration),
        meter_before=alike(f.MeterStands, before.meter),
        before=_before(story, before),
        deck=deck,
        commitment=_commitment(story, before.decks[deck].sealed, shown, left_out),
        cuts=tuple(story.round_cuts),
        left_out=tuple(map(show_card, left_out)),
        commitments=f.Commitments(
            first=story.first,
            last=story.last,
            each=tuple(made for _, made in sorted(story.made.items())),
        ),
        entries=tuple(
            line_of(entry, sight_at(day, shown))
            for entry, day in zip(story.lines, story.stood, strict=True)
        ),
        results=results_of(state, tally(before, story.lines)),
    )


def _before(story: _Story, day: Day) -> f.Before:
    decks = tuple(
        alike(f.DeckBefore, deck, commitment=deck.sealed.number if deck.sealed else 0)
        for deck in day.decks.values()
    )
    waiting = [(one, one.configuration) for one in day.proposals.values()]
    proposals = tuple(
        alike(f.ProposalBefore, one, sha256=would_be.sha256, submission=would_be.submission)
        for one, would_be in waiting
    )
    seated = {str(seat): name for seat, name in day.seated.items()}
    programs = tuple(sorted(day.programs))
    told = {"seated": seated, "programs": programs, "decks": decks, "proposals": proposals}
    return alike(f.Before, day, **told)


def _commitment(
    story: _Story, sealed: e.DeckSealed | None, shown: f.Shown | None, left_out: tuple[Card, ...]
) -> f.CommittedDeck | None:
    """What was sealed, with the positions that the reader may see."""
    if sealed is None:
        return None
    seen = frozenset(DECK) if shown is None else cards_in(shown) | frozenset(left_out)
    made = commit(story.day.table, sealed.number, sealed.order, sealed.salts, sealed.word)
    pairs = list(zip(sealed.order, sealed.salts, strict=True))
    return alike(
        f.CommittedDeck,
        sealed,
        entry=story.made[sealed.number].entry,
        leaves=made.leaves,
        house=made.house,
        order=tuple(show_card(card) if card in seen else None for card, _ in pairs),
        salts=tuple(salt if card in seen else None for card, salt in pairs),
    )


# ---------------------------------------------------------------- what the checker asks too


def places_shown(state: Round, seat: int) -> f.Shown:
    """Every place that got cards, as a seat has seen it by now: a card it was not shown is null."""
    seen = view(state, seat)
    places = {str(number): one.cards for number, one in seen.seats.items()}
    places |= {"community": seen.community, "box": seen.box, "dealer": seen.dealer}
    return {place: cards for place, cards in places.items() if cards}


def cards_in(shown: f.Shown) -> frozenset[Card]:
    """The cards that were shown."""
    return frozenset(parse_card(card) for cards in shown.values() for card in cards if card)


def sight_at(day: Day, shown: f.Shown | None) -> f.Sight:
    """What a reader may see of the next entry of a table that stands so."""
    if shown is None:
        return f.EVERYTHING
    slots = frozenset(
        (place, index)
        for place, cards in shown.items()
        for index, card in enumerate(cards)
        if card is not None
    )
    if day.in_round and day.playing.phase == "ready":
        return f.Sight(slots, tuple(delivery_places(day)), len(day.reported))
    return f.Sight(slots)


def line_of(entry: e.Entry, sight: f.Sight) -> f.Line:
    """An entry as a reader may see it."""
    action = f.worded(to_builtins(entry.action), sight)
    events = tuple(f.worded(to_builtins(event), sight) for event in entry.events)
    return alike(f.Line, entry, action=action, events=events)


def left_out_cards(
    day: Day, sealed: e.DeckSealed | None, depths: Sequence[int]
) -> tuple[Card, ...]:
    """The cards that were found face up and left out of the deal."""
    if sealed is None:
        return day.left_out
    turned = cut_order(sealed.order, depths)
    return turned[: left_out_count(day.playing)]


def movements(
    day: Day, entries: Iterable[e.Entry]
) -> Iterator[tuple[e.Entry, tuple[Posting, ...]]]:
    """What every event of some entries moved, from the table as it stood before them."""
    for entry in entries:
        for event in entry.events:
            if isinstance(event, _ROUND_EVENTS) and not isinstance(event, r.RoundOpened):
                yield entry, postings(event, day.playing)
            day = apply(day, event)


def tally(day: Day, entries: Iterable[e.Entry]) -> Sums:
    """By how much every account changed in some entries, by account and unit."""
    sums: Sums = Counter()
    for _, moved in movements(day, entries):
        for account, unit, amount in moved:
            sums[account, unit] += amount
    return sums


def results_of(state: Round, sums: Sums) -> f.Results:
    """What a round came to, for each seat from its own accounts."""
    return f.Results(
        seats={
            str(number): f.SeatResult(
                player=seat.player,
                net_cents=sums[player(number), "cent"],
                spots_cents=dict(seat.results),
            )
            for number, seat in sorted(state.seats.items())
        },
        tray_cents=sums[TRAY, "cent"],
        cage_cents=sums[CAGE, "cent"],
        tip_box_cents=sums[TIP_BOX, "cent"],
        meter_after=alike(f.MeterStands, state.meter),
    )
