"""What a gaming day came to: rounds, decks, commitments, the tray, and whether the win agrees."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from riverboat.core.money import Cents, format_cents, show_dollars
from riverboat.round import events as r
from riverboat.scripts.day_library import Played
from riverboat.table import events as e
from riverboat.table.day import Day
from riverboat.table.procedures.tray import table_win
from riverboat.wording.pit_log import LogLine
from riverboat.wording.record import Happened, show_time
from riverboat.wording.table_events import off_by


class Summary(NamedTuple):
    """The figures at the end of a day. The win by the tray is what was counted, not computed."""

    rounds_started: int
    rounds_played: int
    rounds_void: int
    decks_used: tuple[str, ...]
    decks_removed: tuple[tuple[str, str], ...]
    committed: int
    commitments_played: int
    commitments_abandoned: int
    opening_cents: Cents
    closing_cents: Cents
    closed: bool
    fills_cents: Cents
    credits_cents: Cents
    bought_in_cents: Cents
    drop_cents: Cents
    win_by_tray_cents: Cents
    win_by_rounds_cents: Cents
    paid_off_tray_cents: Cents
    unresolved: tuple[str, ...]

    @property
    def agrees(self) -> bool:
        """Whether the tray says what the rounds say."""
        return self.win_by_tray_cents == self.win_by_rounds_cents


def summarize(happened: Sequence[Happened], day: Day) -> Summary:
    """The figures of everything that happened, and of the table as it stands after it."""
    events = [event for one in happened for event in one.entry.events]
    started = [event for event in events if isinstance(event, e.RoundStarted)]
    over = sum(isinstance(event, r.RoundClosed) for event in events)
    void = sum(isinstance(event, r.RoundVoided) for event in events)
    closed = [event for event in events if isinstance(event, e.DayClosed)]
    accounts = day.accounts
    closing = closed[-1].tray_cents if closed else accounts.tray_cents
    return Summary(
        rounds_started=len(started),
        rounds_played=over - void,
        rounds_void=void,
        decks_used=tuple(dict.fromkeys(event.deck for event in started)),
        decks_removed=tuple(_removed(happened)),
        committed=sum(isinstance(event, e.DeckSealed) for event in events),
        commitments_played=sum(bool(event.commitment) for event in started),
        commitments_abandoned=sum(isinstance(event, e.CommitmentAbandoned) for event in events),
        opening_cents=accounts.opening_cents,
        closing_cents=closing,
        closed=bool(closed),
        fills_cents=accounts.fills_cents,
        credits_cents=accounts.credits_cents,
        bought_in_cents=sum(event.cents for event in events if isinstance(event, e.BoughtIn)),
        drop_cents=accounts.drop_cents,
        win_by_tray_cents=table_win(accounts, closing),
        win_by_rounds_cents=accounts.rounds_cents,
        paid_off_tray_cents=accounts.cage_cents,
        unresolved=tuple(_unresolved(day, closed)),
    )


def _removed(happened: Sequence[Happened]) -> Iterator[tuple[str, str]]:
    for one in happened:
        for event in one.entry.events:
            match event:
                case e.DeckTakenAway():
                    yield event.deck, event.reason
                case r.DeckRemoved():
                    yield one.before.round_deck, f"wrong count in round {one.before.round_number}"


def _unresolved(day: Day, closed: Sequence[e.DayClosed]) -> Iterator[str]:
    """Whatever somebody still has to see to."""
    if day.in_round:
        yield f"round {day.round_number} is not over"
    if day.interrupted:
        yield "play is interrupted and nobody has signed"
    yield from (f"proposal {number} waits" for number in sorted(day.proposals))
    yield from (
        f"commitment no. {deck.sealed.number} is neither played nor abandoned"
        for deck in day.decks.values()
        if deck.sealed is not None
    )
    if day.device != "working":
        yield "the device is out of use"
    if day.accounts.in_box_cents:
        yield f"the drop box still holds {format_cents(day.accounts.in_box_cents)}"
    if day.date:
        yield f"gaming day {day.date} is not closed"
    for one in closed:
        if one.tray_cents != one.expected_cents:
            yield f"the tray was {off_by(one.tray_cents - one.expected_cents, 'the entries')}"


def day_document(played: Played, log: Sequence[LogLine], summary: Summary) -> dict[str, Any]:
    """Everything that the page shows, with every clause in full."""
    runner = played.runner
    failed = [
        {"file": played.file, "line": played.line_of(one), "words": one.words, "got": one.got}
        for one in runner.failed
    ]
    return {
        "title": played.script.title,
        "table": runner.day.table,
        "rulebook": runner.book.id,
        "holds": not failed and summary.agrees,
        "log": [_line(line) for line in log],
        "summary": _summary(summary),
        "failed": failed,
    }


def _line(line: LogLine) -> dict[str, Any]:
    return {
        "entry": line.entry,
        "time": show_time(line.at),
        "who": line.who,
        "kind": line.kind,
        "what": line.what,
        "cites": line.cites,
        "silent": not line.cites,
        "test": line.test,
    }


def _summary(summary: Summary) -> dict[str, Any]:
    """The figures, amounts as files write them."""
    figures: dict[str, Any] = {}
    for name, value in summary._asdict().items():
        if name.endswith("_cents"):
            figures[name.removesuffix("_cents")] = show_dollars(value)
        else:
            figures[name] = value
    figures["decks_removed"] = [
        {"deck": deck, "reason": reason} for deck, reason in summary.decks_removed
    ]
    figures["win_agrees"] = summary.agrees
    return figures
