"""What somebody may know of a table: hidden unless shown, and TEST at a test table."""

from msgspec import Struct

from riverboat.core.records import alike
from riverboat.round.views import RoundView, view
from riverboat.table.day import Day, Deck, Stage
from riverboat.table.people import STAFF, Actor, Role
from riverboat.table.procedures.decks import depths
from riverboat.table.task import Notice, Prompt, Task


class DeckView(Struct, frozen=True, kw_only=True):
    """A deck from outside: its commitment is public, its order is not."""

    deck: str
    back: str
    stage: Stage
    commitment: int | None
    root: str | None
    forced: bool
    cut: tuple[int, ...]
    lowest: int
    deepest: int
    """Where the cut after the bets can be."""


class WordView(Struct, frozen=True, kw_only=True):
    """The seal of a word for the cut that came with a seat's bet; the word, once it is told."""

    seal: str
    word: str | None


class TaskView(Struct, frozen=True, kw_only=True):
    """What somebody has to do, or may; `do` is the kind of action that does it."""

    who: Role
    seat: int | None
    words: str
    say: str
    how: tuple[str, ...]
    cites: tuple[str, ...]
    optional: bool
    do: str | None


class TableView(Struct, frozen=True, kw_only=True):
    """A table as somebody sees it. The house reads why play is interrupted, others that it is."""

    table: str
    test: bool
    demo: bool
    uncommitted: bool
    state: str
    rulebook: str | None
    rulebook_sha256: str | None
    configuration_sha256: str | None
    date: str
    dealer: str
    seated: dict[int, str]
    round_number: int
    decks: list[DeckView]
    words: dict[int, WordView]
    round: RoundView | None
    at_once: list[TaskView]
    tasks: list[TaskView]
    notices: tuple[Notice, ...]
    interrupted: str | bool


def table_view(day: Day, viewer: Actor | None, now: Prompt) -> TableView:
    """A table as a person, or (None) the rail sees it, with what comes next there. No deck's order
    is in any view."""
    configuration = day.configuration
    is_staff = viewer is not None and viewer.role in STAFF
    # A player sees with the eyes of his seat; staff see what lies on the table.
    own = day.seats_of(viewer) if viewer is not None and viewer.role == "player" else ()
    return TableView(
        table=day.table,
        test=now.test,
        demo=configuration is not None and configuration.demo,
        uncommitted=configuration is not None and configuration.physical,
        state=now.state,
        rulebook=configuration.book.id if configuration else None,
        rulebook_sha256=configuration.rulebook_sha256 if configuration else None,
        configuration_sha256=configuration.sha256 if configuration else None,
        date=day.date,
        dealer=day.dealer,
        seated=dict(sorted(day.seated.items())),
        round_number=day.round_number,
        decks=[_deck(day, deck) for deck in day.decks.values()],
        words={
            seat: WordView(seal=seal, word=day.words.get(seat))
            for seat, seal in sorted(day.seals.items())
        },
        round=None if day.round is None else view(day.round, next(iter(own), None)),
        at_once=[_task(task) for task in now.at_once if _is_told(task, viewer)],
        tasks=[_task(task) for task in now.tasks if _is_told(task, viewer)],
        notices=now.notices if is_staff else (),
        interrupted=day.interrupted if is_staff else bool(day.interrupted),
    )


def _deck(day: Day, deck: Deck) -> DeckView:
    sealed, (lowest, deepest) = deck.sealed, depths(day, deck)
    return DeckView(
        deck=deck.name,
        back=deck.back,
        stage=deck.stage,
        commitment=None if sealed is None else sealed.number,
        root=None if sealed is None else sealed.root,
        forced=sealed is not None and sealed.forced,
        cut=deck.depths,
        lowest=lowest,
        deepest=deepest,
    )


def _is_told(task: Task, viewer: Actor | None) -> bool:
    """Staff read every task; a player those of players."""
    if viewer is None:
        return False
    return viewer.role in STAFF or task.who == viewer.role


def _task(task: Task) -> TaskView:
    do = None if task.do is None else str(task.do.__struct_config__.tag)
    return alike(TaskView, task, seat=task.seat or None, do=do)
