"""An award's story, found in the records of its table and of its meter, as a win page."""

from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

from riverboat import events as r
from riverboat.documents.figures import money
from riverboat.documents.telling import Clock, Printing, Record, Told, who
from riverboat.documents.win_page import (
    CardShown,
    MeterBeforeAndAfter,
    Standing,
    Step,
    Versions,
    WinPage,
)
from riverboat.errors import NotationError
from riverboat.games.round import Round
from riverboat.games.round import replay as replay_round
from riverboat.games.setup import Setup
from riverboat.games.table_talk import sentence
from riverboat.meter import events as le
from riverboat.meter.link import Link
from riverboat.meter.link import apply as apply_to_link
from riverboat.progressive import events as e
from riverboat.progressive.steps import rule_of
from riverboat.rulebook.progressive import Progressive
from riverboat.table import events as t

_OF_A_ROUND = get_args(r.AnyEvent)
_BEGINS = (t.RoundStarted, r.RoundOpened)
_SAID: dict[tuple[type, str], tuple[str, str]] = {
    (e.SupervisorCalled, ""): ("Supervisor called", "call_supervisor"),
    (e.WinVerified, ""): ("Hand, light and wager verified", "verify_win"),
    (e.WinnerKeyedIn, ""): ("Winner keyed in", "key_in_winner"),
    (e.KeyTurned, "JPH"): ("Key turned to JPH: table halted", "turn_key_to_jph"),
    (e.KeyTurned, "RUN"): ("Key turned to Run", "turn_key_to_run"),
    (e.JPotPressed, ""): ("J-pot pressed", "press_j_pot"),
}


def win_page_of(
    award: str,
    *,
    table: str,
    record: Record,
    link_record: Record,
    setup: Setup,
    printing: Printing,
    clock: Clock,
    link: Link | None = None,
) -> WinPage:
    """The page of an award that is logged, as far as it has come.

    `record` is the table's stream with its controller's events, at least from the opening of the
    gaming day; `link_record` the meter's, from the beginning or, with `link` as it stood then, from
    any later point before the award; `setup` the one that the round was played with.
    """
    place = _logged_at(award, record)
    logged: e.WinLogged = record[place].event
    told = _round_around(record, place)
    state = replay_round(setup, (one.event for one in told if isinstance(one.event, _OF_A_ROUND)))
    rule, progressive = rule_of(state), setup.progressive
    assert progressive is not None
    line = next(li for k, li in setup.lines["progressive"].items() if k.hand == logged.hand)
    fixed, meter = _meter(award, link_record, link or Link(), clock)
    given = next((one.event for one in told if _is_given(one, award)), None)
    steps = [
        *_steps(told, logged, rule),
        *_link_steps(award, link_record, rule),
        *_taken_back(award, record, rule),
    ]
    return WinPage(
        printing=printing,
        versions=_versions(told, record[:place], setup),
        table=table,
        link=progressive.link,
        round=_round_number(told),
        day=_last(record[:place], t.DayOpened, "date", ""),
        seat=logged.seat,
        player=_player(state, record[:place], logged.seat),
        hand=logged.hand,
        cards=_cards(state, logged.seat),
        award=award,
        percent=logged.percent,
        share=fixed.share if fixed is not None else 1,
        of=fixed.of if fixed is not None else 1,
        cents=logged.cents,
        paid_cents=logged.paid_cents,
        pays=line.pays.words,
        schedule=progressive.table.id,
        wager_cents=progressive.wager_cents,
        cites=tuple(dict.fromkeys((*line.cites, *progressive.cites))),
        meter=meter,
        steps=tuple(_printed(step, clock) for step in sorted(steps, key=lambda step: step.at)),
        source=logged.source,
        document=given.document if given is not None else "",
        standing=_standing(record, award, given),
        test=any(one.test for one in told),
    )


def _logged_at(award: str, record: Record) -> int:
    for place, one in enumerate(record):
        if isinstance(one.event, e.WinLogged) and one.event.award == award:
            return place
    raise NotationError("award.unknown", f"no award {award!r} is on this record")


def _round_around(record: Record, place: int) -> Record:
    """What was told between the beginning of a round and the next one's."""
    starts = [n for n, one in enumerate(record[:place]) if isinstance(one.event, _BEGINS)]
    first = starts[-1] if starts else 0
    if len(starts) > 1 and isinstance(record[starts[-2]].event, t.RoundStarted):
        between = record[starts[-2] + 1 : first]
        first = first if any(_ends(one) for one in between) else starts[-2]
    later = (n for n in range(place, len(record)) if isinstance(record[n].event, _BEGINS))
    return record[first : next(later, len(record))]


def _ends(one: Told) -> bool:
    return isinstance(one.event, r.RoundClosed)


def _is_given(one: Told, award: str) -> bool:
    return isinstance(one.event, e.AwardGiven) and one.event.award == award


def _last(record: Record, kind: type, field: str, otherwise: Any) -> Any:
    found = (one.event for one in reversed(record) if isinstance(one.event, kind))
    return getattr(next(found, None), field, otherwise)


def _round_number(told: Record) -> int:
    started = int(_last(told, t.RoundStarted, "number", 0))
    return started or int(_last(told, e.BetsLocked, "round", 0))


def _player(state: Round, before: Record, seat: int) -> str:
    named = state.seats[seat].player
    sat = [
        one.event.player
        for one in before
        if isinstance(one.event, t.SeatTaken) and one.event.seat == seat
    ]
    return named or (sat[-1] if sat else "")


def _cards(state: Round, seat: int) -> tuple[CardShown, ...]:
    own = state.seats[seat].cards
    if not state.community:
        return tuple(CardShown(card=card, origin="own card") for card in own)
    hole = tuple(CardShown(card=card, origin="hole card") for card in own)
    return hole + tuple(CardShown(card=card, origin="community card") for card in state.community)


def _versions(told: Record, before: Record, setup: Setup) -> Versions:
    started = next((one.event for one in told if isinstance(one.event, t.RoundStarted)), None)
    number = started.commitment if started is not None else 0
    sealed = (one.event for one in reversed(before) if isinstance(one.event, t.DeckSealed))
    root = next((event.root for event in sealed if event.number == number), "")
    return Versions(
        rulebook=setup.book.id,
        title=setup.book.title,
        revision=setup.book.revision,
        rulebook_sha256=started.rulebook_sha256 if started is not None else "",
        configuration_sha256=started.configuration_sha256 if started is not None else "",
        commitment=number,
        commitment_root=root if number else "",
    )


def _standing(record: Record, award: str, given: object) -> Standing:
    if any(_is_taken_back(one, award) for one in record):
        return "taken_back"
    return "paid" if given is not None else "logged"


# ---------------------------------------------------------------- the meter


def _meter(
    award: str, record: Record, link: Link, clock: Clock
) -> tuple[le.AwardFixed | None, MeterBeforeAndAfter | None]:
    """The award as the meter's record has it, and what it did to the meter."""
    fixed: le.AwardFixed | None = None
    moved: le.MeterMoved | None = None
    meanwhile, queued, moved_at = 0, 0, ""
    for one in record:
        event = one.event
        if moved is not None:
            queued = event.units if isinstance(event, le.QueueAdded) else 0
            break
        if isinstance(event, le.MeterMoved) and event.award == award:
            assert fixed is not None
            moved, moved_at = event, clock(one.at)
            meanwhile = link.meter.units - fixed.before_units
        elif isinstance(event, le.AwardFixed) and event.award == award:
            fixed = event
        link = apply_to_link(link, event)
    if fixed is None:
        return None, None
    change = moved or fixed
    return fixed, MeterBeforeAndAfter(
        before_units=fixed.before_units,
        award_cents=fixed.cents,
        meanwhile_units=meanwhile,
        seed_cents=change.seed_cents,
        reserve_units=change.reserve_units,
        queued_units=queued,
        resets=fixed.resets,
        moved_at=moved_at,
    )


# ---------------------------------------------------------------- the steps


class _Done(NamedTuple):
    """A step before its time is put into words."""

    at: int
    what: str
    by: str
    role: str
    cites: tuple[str, ...]


def _printed(step: _Done, clock: Clock) -> Step:
    return Step(what=step.what, by=step.by, role=step.role, at=clock(step.at), cites=step.cites)


def _cited(rule: Progressive, *names: str) -> tuple[str, ...]:
    cites = [cite for step in rule.steps if step.step in names for cite in step.cites]
    return tuple(dict.fromkeys(cites))


def _steps(told: Record, logged: e.WinLogged, rule: Progressive) -> Iterator[_Done]:
    """What was done about the award's hand, from the locked wager on.

    A seat whose award was taken back may be keyed again: that is another award's story.
    """
    place = _logged_at(logged.award, told)
    keyed = [
        n
        for n, one in enumerate(told[:place])
        if isinstance(one.event, e.HandKeyed) and _is_keyed(one.event, logged)
    ]
    first = keyed[-1] if keyed else place
    for number, one in enumerate(told):
        if _is_taken_back(one, logged.award):
            return
        found = _before_keying(one, logged.seat, rule)
        if number >= first:
            found = found or _step(one, logged, rule)
        if found is not None:
            yield _done(one, *found)


def _is_keyed(event: e.HandKeyed, logged: e.WinLogged) -> bool:
    """The seat's own hand, not one that was keyed by accident."""
    return (event.seat, event.hand) == (logged.seat, logged.hand)


def _is_taken_back(one: Told, award: str) -> bool:
    return isinstance(one.event, e.AwardTakenBack) and one.event.award == award


def _done(one: Told, what: str, cites: tuple[str, ...]) -> _Done:
    return _Done(one.at, what, getattr(one.event, "by", "") or one.by.name, who(one.by), cites)


def _before_keying(one: Told, seat: int, rule: Progressive) -> tuple[str, tuple[str, ...]] | None:
    match one.event:
        case e.BetsLocked(seats=seats):
            light = "on" if seat in seats else "OFF"
            key = rule.lock.key.replace("_", " ")
            text = sentence(f"{key}: wagers locked, light of seat {seat} {light}")
            return text, rule.lock.cites
        case e.ChipsCounted(chips=chips, accepted=accepted, result=result):
            text = f"Chips counted: {chips}, accepted wagers: {accepted} ({result})"
            return text, rule.collection.cites
        case e.UnlitClaimAllowed() as event if event.seat == seat:
            text = f"Claim with the light off allowed with {event.second}: {event.reason}"
            return text, rule.sensor.cites
    return None


def _step(one: Told, logged: e.WinLogged, rule: Progressive) -> tuple[str, tuple[str, ...]] | None:
    """A step about the hand itself, if the event is one."""
    event = one.event
    match event:
        case e.HandKeyed() if _is_keyed(event, logged):
            checked = [n.removeprefix("verify_") for n in event.steps if n.startswith("verify_")]
            looked = f"{' and '.join(checked)} verified; " if checked else ""
            text = f"{looked}hand key: {event.hand.replace('_', ' ')}"
            return sentence(text), _cited(rule, *event.steps)
        case e.WinLogged() if event.award == logged.award:
            cites = _cited(rule, "show_amount") or rule.meter.cites
            return f"Award logged: {money(event.cents)}", cites
        case e.WinPagePrinted() if event.award == logged.award:
            return "Win page printed", _cited(rule, "print_win_page")
        case e.AwardGiven() if event.award == logged.award:
            under = f", document {event.document}" if event.document else ""
            source = "from the tray" if logged.source == "tray" else "by the cage"
            return f"Paid {source}{under}", _cited(rule, "pay")
    seats = getattr(event, "seats", None) or (getattr(event, "seat", 0),)
    said = _SAID.get((type(event), getattr(event, "to", ""))) if logged.seat in seats else None
    return (said[0], _cited(rule, said[1])) if said is not None else None


def _taken_back(award: str, record: Record, rule: Progressive) -> Iterator[_Done]:
    """That may have been rounds later."""
    for one in record:
        if _is_taken_back(one, award):
            event = one.event
            second = f" with {event.second}" if event.second else ""
            yield _done(one, f"AWARD TAKEN BACK{second}: {event.reason}", rule.back_out.cites)


def _link_steps(award: str, record: Record, rule: Progressive) -> Iterator[_Done]:
    for one in record:
        if isinstance(one.event, le.MeterMoved) and one.event.award == award:
            cites = _cited(rule, "adjust_meter") or rule.meter.cites
            yield _Done(one.at, "Meter moved", "link", "system", cites)
