"""A round rebuilt for a dispute, for people: its steps, its results, the dispute, and its rows."""

from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec import Struct

from riverboat.answers.page import Block, Facts, Heading, Table, Words
from riverboat.core.cards import show_cards
from riverboat.core.money import Cents, format_signed, format_units, show_dollars
from riverboat.core.records import alike
from riverboat.floor.disputes import DisputeRecord
from riverboat.floor.replaying import MeterSeen, Replayed, Step
from riverboat.rulebook.values import table_called
from riverboat.wording.clauses import in_brackets
from riverboat.wording.record import who

_MARKS = {"sensor": "sensor", "key": "key", "meter": "meter", "refused": "REFUSED", "done": ""}
_SHORT = 16


def replay_page(replayed: Replayed) -> Iterator[Block]:
    """Everything that a round rests on."""
    book = replayed.book
    yield Heading(f"Round {replayed.number} at {table_called(replayed.table)}", level=1)
    yield Facts(list(_facts(replayed)))
    if replayed.is_void:
        yield Words("This round is VOID: no hand counts.", loud=True)
    yield Heading("Step by step")
    yield Words(f"In brackets the clauses of {book.clause_prefix}; times are UTC.")
    rows = [
        (str(step.seq), _moment(step.at)[-8:], step.who, _what(step, replayed))
        for step in replayed.steps
    ]
    yield Table(("Row", "Time", "Who", "What"), rows)
    yield Heading("Results")
    yield from _results(replayed)
    yield from _dispute(replayed.dispute, frozen=replayed.frozen)
    yield Heading("The ledger's rows")
    yield Words("Each hash covers its row and, through the one before, every row before it.")
    told = [(str(row.seq), row.stream, row.hash.hex()) for row in replayed.rows]
    yield Table(("Row", "Stream", "Hash"), [(s, t, f"{h[:_SHORT]}…{h[-8:]}") for s, t, h in told])
    yield Facts([("Evidence", replayed.evidence)])


def _facts(replayed: Replayed) -> Iterator[tuple[str, str]]:
    started, state = replayed.started, replayed.day.playing
    yield "Rulebook", f"{replayed.book.title} ({replayed.book.id})"
    yield "Rulebook's hash", started.rulebook_sha256
    yield "Configuration", started.configuration_sha256
    committed = f", commitment no. {started.commitment}" if started.commitment else ""
    yield "Deck", f"{started.deck}{committed}; {started.dealer} deals"
    for number, seat in sorted(state.seats.items()):
        name = replayed.players.get(number, "")
        cards = show_cards(seat.cards) if seat.cards else "no cards"
        yield f"Seat {number}", f"{name}: {cards}" if name else cards
    if state.dealer:
        yield "Dealer", show_cards(state.dealer)
    if state.community:
        yield "Community", show_cards(state.community)
    if seen := replayed.meter:
        began, over = format_units(seen.before_units), format_units(seen.after_units)
        yield f"Meter {seen.name}", f"{began} when the round began, {over} when it was over"


def _what(step: Step, replayed: Replayed) -> str:
    mark = _MARKS[step.kind]
    said = step.what if not mark or step.what.startswith(mark) else f"{mark}: {step.what}"
    return f"{said} {in_brackets(replayed.book, step.cites)}"


def _results(replayed: Replayed) -> Iterator[Block]:
    rows = []
    net: dict[int, Cents] = {}
    for one in replayed.results:
        net[one.seat] = net.get(one.seat, 0) + one.net_cents
        why = in_brackets(replayed.book, one.cites)
        rows.append((str(one.seat), f"{one.words} {why}", format_signed(one.net_cents)))
    yield Table(("Seat", "What and why", "Net"), rows)
    yield Facts(
        [
            (f"Seat {seat} {replayed.players.get(seat, '')}".rstrip(), format_signed(cents))
            for seat, cents in sorted(net.items())
        ]
    )


def _dispute(record: DisputeRecord, *, frozen: bool | None) -> Iterator[Block]:
    if record.opened is None:
        return
    yield Heading(f"Dispute: {record.state}")
    rows = [(_moment(record.opened.at), who(record.opened.by), f"Opened: {record.opened.reason}")]
    rows += [(_moment(note.at), who(note.by), f"Note: {note.words}") for note in record.notes]
    if decided := record.decided:
        people = f"{who(decided.by)} and {who(decided.second)}"
        words = f"Decided: {decided.decision} ({decided.reason})"
        rows.append((_moment(decided.at), people, words))
    yield Table(("When", "Who", "What"), rows)
    if frozen:
        yield Words("The evidence is what was frozen when the dispute was opened.")
    else:
        yield Words(
            f"THE EVIDENCE IS NOT WHAT WAS FROZEN: {record.opened.evidence} over "
            f"{len(record.opened.seqs)} rows",
            loud=True,
        )


def dispute_page(table: str, number: int, record: DisputeRecord) -> Iterator[Block]:
    """A dispute alone, after something was written to it."""
    yield Heading(f"Round {number} at {table_called(table)}", level=1)
    if record.opened is None:
        yield Words("There is no dispute about this round.")
        return
    yield from _dispute(record, frozen=True)
    yield Facts([("Evidence", record.opened.evidence), ("Rows", str(len(record.opened.seqs)))])


def _moment(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%d %H:%M:%S")


class ReplayedResult(Struct, frozen=True, kw_only=True):
    """A result of a seat, in words and in dollars, and by which clauses."""

    seat: int
    spots: tuple[str, ...]
    result: str
    words: str
    net: str
    cites: tuple[str, ...]


class RowName(Struct, frozen=True, kw_only=True):
    """A row of the ledger that the round rests on."""

    seq: int
    stream: str
    hash: str


class SaidBy(Struct, frozen=True, kw_only=True):
    """Who opened a dispute, when, and why."""

    by: str
    at: int
    reason: str


class DisputeNote(Struct, frozen=True, kw_only=True):
    """What somebody noted about a dispute."""

    by: str
    at: int
    words: str


class DecidedBy(Struct, frozen=True, kw_only=True):
    """What two people decided, when, and why."""

    by: tuple[str, str]
    at: int
    decision: str
    reason: str


class Dispute(Struct, frozen=True, kw_only=True):
    """A dispute about a round: what it froze, whether that is still so, what was noted, decided."""

    state: str
    opened: SaidBy
    evidence: str
    rows: tuple[int, ...]
    evidence_as_frozen: bool | None
    notes: tuple[DisputeNote, ...]
    decided: DecidedBy | None


class Replay(Struct, frozen=True, kw_only=True):
    """A finished round again, with every clause and every hash in full."""

    table: str
    round: int
    rulebook: str
    rulebook_sha256: str
    configuration_sha256: str
    commitment: int
    void: bool
    players: dict[str, str]
    cards: dict[str, str]
    dealer: str
    community: str
    meter: MeterSeen | None
    steps: tuple[Step, ...]
    results: tuple[ReplayedResult, ...]
    rows: tuple[RowName, ...]
    evidence: str
    dispute: Dispute | None


def replay_document(replayed: Replayed) -> Replay:
    """The same for scripts."""
    state, started = replayed.day.playing, replayed.started
    return alike(
        Replay,
        replayed,
        round=replayed.number,
        rulebook=replayed.book.id,
        rulebook_sha256=started.rulebook_sha256,
        configuration_sha256=started.configuration_sha256,
        commitment=started.commitment,
        void=replayed.is_void,
        players={str(seat): name for seat, name in replayed.players.items()},
        cards={str(seat): show_cards(one.cards or ()) for seat, one in state.seats.items()},
        dealer=show_cards(state.dealer or ()),
        community=show_cards(state.community or ()),
        results=tuple(
            alike(ReplayedResult, one, net=show_dollars(one.net_cents)) for one in replayed.results
        ),
        rows=tuple(alike(RowName, row, hash=row.hash.hex()) for row in replayed.rows),
        dispute=dispute_document(replayed.dispute, replayed.frozen),
    )


def dispute_document(record: DisputeRecord, frozen: bool | None = None) -> Dispute | None:
    """A dispute for scripts; None where there is none."""
    opened = record.opened
    if opened is None:
        return None
    one = record.decided
    return Dispute(
        state=record.state,
        opened=alike(SaidBy, opened, by=opened.by.name),
        evidence=opened.evidence,
        rows=tuple(opened.seqs),
        evidence_as_frozen=frozen,
        notes=tuple(alike(DisputeNote, note, by=note.by.name) for note in record.notes),
        decided=None if one is None else alike(DecidedBy, one, by=(one.by.name, one.second.name)),
    )
