"""What the house's people see beside the felt: the next step with its ready action, keys, trouble.

The next step is the controller's next key, then the table's prompt: the order in which a demo
table's programs go, so that a person who takes a part over is asked for exactly the same.
"""

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, to_builtins
from msgspec.structs import asdict, replace

from riverboat.controller import actions as p
from riverboat.controller.legal import Coming
from riverboat.controller.winners import Desk, hand_keys
from riverboat.evidence.round_file import tells_cards
from riverboat.floor.autopilot import next_key
from riverboat.floor.station import AnyAsked, Station
from riverboat.meter.state import Link
from riverboat.round import actions as g
from riverboat.round.streets import card_counts
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.people import Actor, has_role
from riverboat.table.task import Task
from riverboat.web.demo.roles import Standing, is_shown
from riverboat.web.demo.tables import still_bets
from riverboat.web.screens.offered import Asking, Bounds, Offered, asking, told
from riverboat.web.screens.reporting import (
    CardReports,
    Enters,
    Mending,
    Reportable,
    Trouble,
    enters,
    incidents,
    mending,
    plays_by_itself,
    reports,
    trouble,
)
from riverboat.wording.clauses import CitedClause, clause_texts
from riverboat.wording.key_words import accident_words, key_words
from riverboat.wording.prompts.prompt import prompt

ReadyAction: TypeAlias = Annotated[
    dict[str, Any],
    Meta(
        description="An action as a command sends it: its kind in `do`, then the kind's own fields",
        extra_json_schema={"required": ["do"], "properties": {"do": {"type": "string"}}},
    ),
]
_DOCUMENT: Final = "payment slip"
_ON_THE_PAD: Final = (
    p.CoinIn, p.PressHand, p.CallSupervisor, p.GameOver, p.TurnKey, p.PressJPot, g.Close,
)  # fmt: skip
_ORDERS: Final = (a.OpenDay, a.AssignDealer, a.Confirm, g.SettleAll, p.VoidRound)


class Step(NamedTuple):
    """What the table waits for."""

    who: str
    words: str
    cites: tuple[str, ...]
    do: AnyAsked | None
    say: str = ""
    how: tuple[str, ...] = ()
    seat: int = 0
    first: tuple[Task, ...] = ()
    button: str = ""


_PROGRAMS_BET: Final = Step("player", "The computer players bet", (), None)
"""At a demo table the procedure's next step waits for them, as a dealer waits for players."""


def next_step(station: Station, link: Link | None) -> Step | None:
    """What comes next, whoever's it is; None where nothing is waited for."""
    now = prompt(station.day)
    tasks = [task for task in now.tasks if not task.optional]
    key = next_key(station, link)
    if key is not None:
        task = tasks[0] if tasks else None
        return _of_key(station, key, task)
    return _of_task(tasks[0])._replace(first=now.at_once) if tasks else _way_on(station.day)


def _way_on(day: Day) -> Step | None:
    """What is left where a device is out of use and the rulebook has no other way to deal."""
    tasks = [task for task in prompt(day).tasks if isinstance(task.do, a.RestoreDevice)]
    if not tasks:
        return None
    words = (
        "The device is out of use, and no other way to shuffle and deal is allowed here: when it "
        "is repaired, put it back into use; until then nobody plays, and the table can be closed"
    )
    return Step(tasks[0].who, words, tasks[0].cites, tasks[0].do)


def _of_task(task: Task) -> Step:
    return Step(
        task.who, task.words, task.cites, task.do, task.say, task.how, task.seat, button=task.button
    )


def _of_key(station: Station, key: Coming, task: Task | None) -> Step:
    rule = station.day.setup.book.progressive
    assert rule is not None
    press, seat = key.press, getattr(key.press, "seat", 0)
    wrong = _turns_off(station, press)
    if wrong:
        return Step(key.by, wrong, key.cites, press, seat=seat)
    if isinstance(press, p.PayAward):
        press = p.PayAward(seat=seat, document=_document(station, seat))
    said = key_words(press, rule)
    if isinstance(press, p.BackOut):
        return Step(key.by, said, key.cites, None)
    own = (g.LockProgressive, g.CollectProgressive)
    if task is not None and isinstance(task.do, own) and not isinstance(press, p.PlayWithout):
        return Step(key.by, task.words, task.cites, press, task.say, task.how, seat)
    return Step(key.by, said, key.cites, press, seat=seat)


def _turns_off(station: Station, press: p.AnyPress) -> str:
    """What the next press is for, where it turns a hand off that was keyed by accident."""
    if not isinstance(press, p.PressHand):
        return ""
    desk = Desk(station.controller, station.day.playing, None)
    for lamp in station.controller.lamps:
        if lamp.wrong and (lamp.seat, lamp.hand) == (press.seat, press.hand):
            return accident_words(desk, lamp)
    return ""


def _document(station: Station, seat: int) -> str:
    """What an award that does not come from the tray is paid by."""
    return f"{_DOCUMENT} {station.day.table}-{station.day.round_number}-{seat}"


# ---------------------------------------------------------------- for somebody of the house


class FirstTask(Struct, frozen=True, kw_only=True):
    """What the dealer's hands do at once, before the step."""

    words: str
    how: tuple[str, ...]
    cites: tuple[str, ...]


class ConsoleStep(Struct, frozen=True, kw_only=True):
    """A step of the procedure: whose, in which words, and the action that a button sends. It is
    `yours` where the table would do it for you; `bounds` are those of the action's arguments."""

    who: str
    words: str
    say: str
    how: tuple[str, ...]
    first: list[FirstTask]
    cites: tuple[str, ...]
    seat: int | None
    do: ReadyAction | None
    button: str
    machine: bool
    yours: bool
    counts: dict[str, int] | None
    bounds: dict[str, Bounds] | UnsetType = UNSET


class ConsoleTask(ConsoleStep, frozen=True, kw_only=True):
    """What else is to be done, or may be."""

    optional: bool


class PadKey(Struct, frozen=True, kw_only=True):
    """A key of the pad, and what is printed on it."""

    key: str
    printed: str


class PadHand(Struct, frozen=True, kw_only=True):
    """A hand that has a key, and what it pays."""

    hand: str
    pays: str


class Pad(Struct, frozen=True, kw_only=True):
    """The progressive's keypad as a rulebook has it."""

    keys: tuple[str, ...]
    per_seat: bool
    lock: PadKey
    over: PadKey
    switch: bool
    hands: list[PadHand]
    cites: tuple[str, ...]


class Console(Struct, frozen=True, kw_only=True):
    """What somebody of the house is shown beside the felt: their part, the next step, what else is
    to be done, what can go wrong, the keypad, and what the clauses of the steps say."""

    part: str
    stands_in: str
    on_duty: bool
    step: ConsoleStep | None
    also: list[ConsoleTask]
    incidents: list[Reportable]
    trouble: list[Trouble]
    mending: Mending
    reports: CardReports | None
    enters: Enters | None
    pad: Pad | None
    keys: list[Offered]
    orders: list[Offered]
    clauses: dict[str, CitedClause] | UnsetType = UNSET


def console_frame(station: Station, link: Link | None, by: Actor, standing: Standing) -> Console:
    """Everything that somebody of the house may do at a table now."""
    day, ask = station.day, asking(station, link, by)
    now = next_step(station, link)
    if now is not None and isinstance(now.do, g.CloseBets) and is_shown(day):
        now = _PROGRAMS_BET if still_bets(station) else now
    step = None if now is None else _next(ask, now)
    also = [_also(ask, task) for task in _others(day, now)]
    filed = day.configuration
    told_by_hand = filed is not None and filed.physical and day.in_round and not day.interrupted
    return Console(
        part=by.role,
        stands_in=standing.get(by.name, ""),
        on_duty=by.role != "dealer" or by.name == day.dealer,
        step=step,
        also=also,
        incidents=list(incidents(ask)),
        trouble=trouble(ask),
        mending=mending(ask),
        reports=reports(ask) if told_by_hand else None,
        enters=enters(ask) if told_by_hand else None,
        pad=pad(station),
        keys=[told(offer) for offer in ask.of(*_ON_THE_PAD)],
        orders=[told(offer) for offer in ask.of(*_ORDERS)],
        clauses=UNSET if filed is None else clause_texts(filed.book, _cited(step, also)),
    )


def _cited(step: ConsoleStep | None, also: Iterable[ConsoleTask]) -> Iterator[str]:
    if step is not None:
        yield from step.cites
        for one in step.first:
            yield from one.cites
    for task in also:
        yield from task.cites


def ready_action(do: object | None) -> ReadyAction | None:
    """The action that a button sends; none that would tell a card. What is in the tray is counted
    by people: the book's own figure is not for them to read off."""
    if do is None:
        return None
    raw: ReadyAction = to_builtins(do)
    if isinstance(do, a.CloseDay):
        del raw["tray_cents"]
    return None if tells_cards(raw) else raw


def is_theirs(day: Day, who: str, by: Actor) -> bool:
    """Whether a step is somebody's: their own, the floor's for those above, a player's bets where
    the dealer enters them. The floor's and the machine's at a demo table are its programs'."""
    if who == "player":
        physical = day.configuration is not None and day.configuration.physical
        return physical and by.role == "dealer"
    if who in ("house", "system", "floorperson") and is_shown(day) and not day.interrupted:
        return False
    if who in ("house", "system"):
        return True
    return has_role(by, (who,))  # type: ignore[arg-type]


def _is_step_theirs(ask: Asking, step: Step) -> bool:
    """A repaired device is nobody else's to put back: no program knows that it is repaired."""
    if isinstance(step.do, a.RestoreDevice):
        return ask.is_taken(step.do)
    return is_theirs(ask.day, step.who, ask.by) and not _is_programs(ask.day, step)


def _is_programs(day: Day, step: Step) -> bool:
    return step.who == "player" and plays_by_itself(day, step.seat)


def _next(ask: Asking, step: Step) -> ConsoleStep:
    """The next step, theirs only where the table would do it for them; the machine's is done by
    itself once somebody of the house asks for it."""
    offer = None if step.do is None else ask.taking(step.do)
    shown = _step(ask, step)
    yours = shown.yours and (step.do is None or shown.machine or offer is not None)
    return replace(shown, yours=yours, bounds=UNSET if offer is None else told(offer).arguments)


def _step(ask: Asking, step: Step) -> ConsoleStep:
    return ConsoleStep(
        who=step.who,
        words=step.words,
        say=step.say,
        how=step.how,
        first=[FirstTask(words=one.words, how=one.how, cites=one.cites) for one in step.first],
        cites=step.cites,
        seat=step.seat or None,
        do=ready_action(step.do),
        button=step.button,
        machine=step.who == "system",
        yours=_is_step_theirs(ask, step),
        counts=_counts(ask.day, step),
    )


def _counts(day: Day, step: Step) -> dict[str, int] | None:
    """Beside the stub: how many cards every place should have, for whoever finds that it has not.
    Between rounds the whole deck is counted, and nothing lies anywhere else."""
    if not isinstance(step.do, a.CountStub) or not day.in_round:
        return None
    return card_counts(day.setup, sorted(day.playing.seats))


def _others(day: Day, step: Step | None) -> list[Task]:
    """What else may or must be done, beside the next step."""
    tasks = prompt(day).tasks
    if step is None:
        return list(tasks)
    same = isinstance(step.do, a.RestoreDevice)
    return [t for t in tasks if t.words != step.words and not (same and t.do == step.do)]


def _also(ask: Asking, task: Task) -> ConsoleTask:
    """Ready to be done only where the table would do it now."""
    shown = ConsoleTask(**asdict(_step(ask, _of_task(task))), optional=task.optional)
    ready = shown.yours and task.do is not None and ask.is_taken(task.do)
    return shown if ready else replace(shown, do=None)


def pad(station: Station) -> Pad | None:
    """The keypad as this rulebook has it."""
    setup = station.day.setup if station.link else None
    rule = setup.book.progressive if setup is not None else None
    if setup is None or rule is None or setup.progressive is None:
        return None
    keys = hand_keys(setup)
    return Pad(
        keys=rule.keys.keypad,
        per_seat=rule.keys.hand_key_toggles_per_seat,
        lock=PadKey(key=rule.lock.key, printed=rule.lock.printed),
        over=PadKey(key=rule.end_of_round.key, printed=rule.end_of_round.printed),
        switch=rule.keys.key_switch,
        hands=[
            PadHand(hand=hand, pays=str(line.pays))
            for line in setup.progressive.table.lines
            for hand in line.hands
            if hand in keys
        ],
        cites=rule.keys.cites,
    )
