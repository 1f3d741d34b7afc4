"""Devices that fail and play that is interrupted; how the table stood, for the floor to sign; and
cards that nobody can read any more."""

from collections.abc import Iterator
from functools import reduce

from riverboat.core.cards import show_cards
from riverboat.core.errors import NotationError, Refused
from riverboat.round import actions as g
from riverboat.round.engine import step
from riverboat.round.settlement.voids import cards_seen, void
from riverboat.round.state import apply as apply_to_round
from riverboat.round.streets import seat_to_act, stage_of
from riverboat.round.table_talk import listed, number_of, sentence, stakes_together
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.configuration.configure import fallback_refusal, must_be_marked
from riverboat.table.day import Day
from riverboat.table.people import Actor, require_alone, signed_by
from riverboat.table.procedures import checks
from riverboat.table.procedures.checks import SILENT, book_of, configured
from riverboat.table.procedures.decks import BY_DEVICE, abandoned, shuffled_again
from riverboat.table.procedures.rounds import dealt_so_far

_PHASES = {
    "betting": "with bets open",
    "closed": "with bets closed",
    "locked": "with the progressive wagers locked",
    "ready": "before the deal",
    "turning": "before the next card is turned",
    "settling": "in settlement",
    "settled": "settled",
    "void": "void",
    "over": "over",
}


def statement(day: Day) -> str:
    """Where the round stood, the bets on the felt, the lights; or that none was played."""
    if not day.in_round:
        return f"no round was being played; {number_of(day.round_number, 'round')} complete"
    state = day.playing
    turn = seat_to_act(state)
    where = f"at {stage_of(state).label}, seat {turn} to act" if turn else _PHASES[state.phase]
    if day.reported and state.phase == "ready":
        where = f"in the deal, with {number_of(len(day.reported), 'card')} out"
    if state.phase == "turning":
        where = f"at {stage_of(state).label}, all seats having acted"
    if state.turned:
        where += f"; open: {show_cards(state.community[: state.turned])}"
    paid = sorted({seat for seat, _, _ in state.settled})
    if paid:
        where += f"; settled already: seat {listed([str(seat) for seat in paid])}"
    book = state.setup.book
    bets = [
        f"seat {number} {stakes_together(book, seat.wagers.items())}"
        for number, seat in sorted(state.seats.items())
        if seat.wagers
    ]
    lit = [str(number) for number, seat in sorted(state.seats.items()) if seat.lit]
    lights = f"; lights {listed(lit)}" if lit else ""
    return sentence(
        f"round {day.round_number} stood {where}; bets: {'; '.join(bets) or 'none'}{lights}"
    )


def fail_device(day: Day, by: Actor, action: a.FailDevice) -> Iterator[e.AnyEvent]:
    """Shuffler or shoe is out of use; a shuffle that it had begun is begun again."""
    checks.require_open(day)
    rule = book_of(day).irregularities.device_out_of_use
    checks.require_words(action.reason, "a device out of use")
    filed = configured(day)
    if not filed.device.shuffler and filed.submission.shoe is None:
        raise Refused("device.none", "this table has no shuffler or shoe", cites=rule.cites)
    if day.device != "working":
        raise Refused("device.out_of_use", "the device is out of use already", cites=rule.cites)
    yield e.DeviceFailed(reason=action.reason)
    for deck in day.decks.values():
        if deck.stage == "shuffling" and deck.method in BY_DEVICE:
            yield e.ShuffleOrdered(deck=deck.name, reason="the device failed in the shuffle")


def mark_device(day: Day, by: Actor, action: a.MarkDevice) -> Iterator[e.AnyEvent]:
    """It is covered, or a sign says that it is out of order."""
    rule = book_of(day).irregularities.device_out_of_use
    if day.device == "working":
        raise Refused("device.working", "no device is out of use", cites=rule.cites)
    if day.device == "marked":
        raise Refused("device.marked", "the device is marked already", cites=rule.cites)
    yield e.DeviceMarked(how=action.how)


def use_method(day: Day, by: Actor, action: a.UseMethod) -> Iterator[e.AnyEvent]:
    """Another way to shuffle and deal, where the rulebook has one, once the device is marked."""
    rule = book_of(day).irregularities.device_out_of_use
    checks.require_no_round(day, "another method", rule.cites)
    if day.device == "working":
        text = "the device works; another way to deal is a change of the configuration"
        raise Refused("device.working", text, cites=rule.cites)
    if day.device != "marked" and must_be_marked(configured(day)):
        text = "the device is covered or signed before another method is used"
        raise Refused("device.not_marked", text, cites=rule.cites)
    if refusal := fallback_refusal(configured(day), action.dealing, action.shuffle):
        raise refusal
    why = "cards are shuffled and dealt in another way"
    yield from shuffled_again(day, why, "another method is used")
    yield e.MethodChanged(dealing=action.dealing, shuffle=action.shuffle)


def restore_device(day: Day, by: Actor, action: a.RestoreDevice) -> Iterator[e.AnyEvent]:
    """The table goes back to the methods it is configured for."""
    rule = book_of(day).irregularities.device_out_of_use
    checks.require_no_round(day, "the repaired device", rule.cites)
    if day.device == "working":
        raise Refused("device.working", "no device is out of use", cites=rule.cites)
    if day.method is not None:
        why = "the device is in use again"
        yield from shuffled_again(day, why, why)
    yield e.DeviceRestored()


def interrupt(day: Day, by: Actor, action: a.Interrupt) -> Iterator[e.AnyEvent]:
    """Everything stands as it is until the floor has signed for it."""
    checks.require_words(action.reason, "an interruption")
    if day.interrupted:
        raise Refused("play.interrupted", "play is interrupted already", cites=SILENT)
    yield e.PlayInterrupted(reason=action.reason, statement=statement(day))


def confirm(day: Day, by: Actor, action: a.Confirm) -> Iterator[e.AnyEvent]:
    """The floor signs what it was shown, word for word, and decides how play goes on."""
    if not day.interrupted:
        raise Refused("play.not_interrupted", "play is not interrupted", cites=SILENT)
    if action.statement != day.interrupted:
        text = f"the table stood otherwise: {day.interrupted}"
        raise Refused("play.other_statement", text, cites=SILENT)
    if action.decision != "resume" and not day.in_round:
        raise NotationError("play.no_round", "no round was being played; play only resumes")
    if action.decision != "void":
        require_alone(action.second, "going on with play", SILENT)
        yield e.PlayConfirmed(decision=action.decision, by=by.name)
        return
    signed = signed_by(dealt_so_far(day), by, action.second, SILENT)
    yield e.PlayConfirmed(decision=action.decision, by=by.name)
    yield from void(day.playing, "interrupted", signed)


def abandon_sealed(day: Day, by: Actor, action: a.AbandonSealed) -> Iterator[e.AnyEvent]:
    """Every wager of the round goes back by the rules of a void one, however far it had come."""
    for words in (action.reason, action.first, action.second):
        checks.require_words(words, "giving up what was sealed")
    sealed = [deck for deck in day.decks.values() if deck.sealed is not None]
    if not sealed:
        raise Refused("deck.not_sealed", "nothing is sealed at this table", cites=SILENT)
    for deck in sealed:
        if deck == day.deck_in_play:
            voids = day.playing.phase != "void"
            signed = (action.first, action.second) if cards_seen(day.playing) else ()
            told = tuple(void(day.playing, action.reason, signed)) if voids else ()
            yield from (*told, *step(reduce(apply_to_round, told, day.playing), g.Close()))
    for deck in sealed:
        if deck != day.deck_in_play:
            yield from abandoned(deck, action.reason)
            yield e.ShuffleOrdered(deck=deck.name, reason=action.reason)
