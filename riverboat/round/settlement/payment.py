"""Settlement as it is carried out: by an automatic dealer, or by a human who can be wrong.

A wrong payout is made good by a further entry. So is a card that was misreported: a physical deal
is known only as somebody reported it, and what the wrong card decided shows up as the dealer's
errors.
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from riverboat.core.cards import DECK, show_card
from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import Cents, format_cents
from riverboat.core.records import alike
from riverboat.round import events as e
from riverboat.round.actions import Close, Correct, CorrectCard, Settle, SettleAll
from riverboat.round.betting import contributions
from riverboat.round.events import PayoutCorrected
from riverboat.round.settlement.dues import Due, dues, share_source
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, accepted_wagers, apply
from riverboat.round.table_talk import label_of
from riverboat.rulebook import Rulebook


def key(due: Due) -> tuple[int, str, int]:
    """What tells one due from another."""
    return (due.seat, due.spot, due.for_seat)


def remaining(state: Round) -> list[Due]:
    """What is still owed, in order."""
    if state.phase != "settling":
        return []
    assert state.at_settlement is not None
    done = set(state.settled)
    owed = [due for due in dues(state.at_settlement) if key(due) not in done]
    return [due for due in owed if _is_still_owed(state, due)]


def _is_still_owed(state: Round, due: Due) -> bool:
    """A seat that forfeited, or whose stake was given back meanwhile, is owed nothing."""
    seat = state.seats[due.seat]
    if due.for_seat and state.seats[due.for_seat].status == "forfeit":
        return False
    return seat.status != "forfeit" and (not due.stake_cents or due.spot in seat.wagers)


def _require_settling(state: Round) -> None:
    if state.phase != "settling":
        cites = state.setup.book.settlement.seats.cites
        raise Refused("settle.not_now", "there is nothing to settle now", cites=cites)


def settle_all(state: Round, action: SettleAll) -> Iterator[e.AnyEvent]:
    """Exactly what is owed, in order."""
    _require_settling(state)
    shown = _shown(state)
    for due in remaining(state):
        yield from _show(state, due, shown)
        yield settled(state, due, due.given_cents)


def _shown(state: Round) -> set[str]:
    """What was announced or turned already: seats by their number, and the box."""
    seats = {str(ev.seat) for ev in state.history if isinstance(ev, e.HandAnnounced)}
    return seats | ({"box"} if state.box_turned or not state.box else set())


def _show(state: Round, due: Due, shown: set[str]) -> Sequence[e.AnyEvent]:
    """What the dealer shows before a spot is settled."""
    setup, seat = state.setup, str(due.seat)
    if due.spot in setup.base_spots:
        if seat not in shown and setup.book.settlement.base.hand_announced:
            shown.add(seat)
            return (e.HandAnnounced(seat=due.seat, hand=due.hand),)
    elif due.spot in setup.box_bets and "box" not in shown:
        shown.add("box")
        return (e.BoxTurned(),)
    return ()


def settled(state: Round, due: Due, given_cents: int) -> e.AnyEvent:
    """The entry for a due that was met with this much."""
    if due.spot == "envy":
        return e.EnvyPaid(seat=due.seat, for_seat=due.for_seat, hand=due.hand, cents=given_cents)
    if due.share is not None:
        progressive = state.setup.progressive
        assert progressive is not None
        return e.MeterAwarded(
            seat=due.seat,
            hand=due.hand,
            percent=due.percent,
            cents=due.exact_cents,
            paid_cents=given_cents,
            resets=due.share.resets,
            seed_cents=progressive.seed_cents if due.share.resets else 0,
            reserve_units=due.share.reserve_units,
        )
    returned, breakage = due.given_cents - due.paid_cents, due.exact_cents - due.paid_cents
    return alike(e.SpotSettled, due, paid_cents=given_cents - returned, breakage_cents=breakage)


def _require_spot(state: Round, seat: int, spot: str) -> None:
    if seat not in state.seats:
        raise Refused("seat.unknown", f"nobody plays at seat {seat}", cites=())
    if spot not in state.setup.spots:
        text = f"there is no spot {spot!r}; there are {', '.join(state.setup.spots)}"
        raise Refused("spot.unknown", text, cites=())


def settle(state: Round, action: Settle) -> Iterator[e.AnyEvent]:
    """One spot by hand: done, and noticed where it is not what was owed."""
    _require_settling(state)
    _require_spot(state, action.seat, action.spot)
    if action.given_cents < 0:
        text = f"{format_cents(action.given_cents)} given; a dealer gives nothing or more"
        raise Refused("settle.below_zero", text, cites=())
    left = remaining(state)
    due = next((d for d in left if (d.seat, d.spot) == (action.seat, action.spot)), None)
    if due is None:
        yield _erred("wrong_spot", action, 0)
        return
    if due is not left[0]:
        yield _erred("out_of_order", action, due.given_cents)
    if action.given_cents != due.given_cents:
        error = "over" if action.given_cents > due.given_cents else "under"
        yield _erred(error, action, due.given_cents)
    yield from _show(state, due, _shown(state))
    yield settled(state, due, action.given_cents)


def _erred(error: str, action: Settle | Due, owed_cents: int) -> e.DealerErred:
    given = action.given_cents
    return alike(e.DealerErred, action, error=error, owed_cents=owed_cents, given_cents=given)


def correct(state: Round, action: Correct) -> Iterator[e.AnyEvent]:
    """A wrong payout is made good by a further entry, also after the round."""
    if state.phase not in ("settling", "over"):
        raise Refused("correct.not_now", "there is no payout to correct", cites=())
    _require_spot(state, action.seat, action.spot)
    if not action.cents or not action.reason:
        raise Refused("correct.empty", "a correction needs an amount and a reason", cites=())
    given = given_on(state, action.seat, action.spot)
    if given + action.cents < 0:
        text = (
            f"{format_cents(-action.cents)} is more than the {format_cents(given)} that seat "
            f"{action.seat} was given on {label_of(state.setup.book, action.spot)}"
        )
        cites = state.setup.book.settlement.seats.cites
        raise Refused("correct.above_given", text, cites=cites)
    yield alike(e.PayoutCorrected, action, source=_pays(state, action.seat, action.spot))


def given_on(state: Round, seat: int, spot: str) -> Cents:
    """What somebody has from a spot since settlement began, a stake that went back and earlier
    corrections included; less than nothing is never theirs to give back."""
    assert state.at_settlement is not None
    before = state.at_settlement.seats.get(seat)
    had = before.results.get(spot, 0) if before is not None else 0
    return max(0, state.seats[seat].results.get(spot, 0) - had)


def _pays(state: Round, seat: int, spot: str) -> Literal["tray", "cage"]:
    """From where a spot is paid: as it is owed; the tray, where nothing was."""
    for given in state.history if spot == "progressive" else ():
        if isinstance(given, e.MeterAwarded) and given.seat == seat:
            return share_source(state.setup, given.percent, given.cents)
    assert state.at_settlement is not None
    owed = (due for due in dues(state.at_settlement) if (due.seat, due.spot) == (seat, spot))
    return next((due.source for due in owed), "tray")


def close(state: Round, action: Close) -> Iterator[e.AnyEvent]:
    """The round is over when nothing is owed any more."""
    if state.phase == "over" or isinstance(state.history[-1], e.RoundClosed):
        raise Refused("close.closed", "the round is closed", cites=_end_cites(state))
    if state.phase not in ("settling", "void"):
        raise Refused("close.not_now", "the round is still being played", cites=_end_cites(state))
    if left := remaining(state):
        cites = (*state.setup.book.settlement.cards.cites, *_end_cites(state))
        raise Refused("close.unsettled", unsettled_words(state, left[0]), cites=cites)
    if state.phase == "settling" and state.setup.choice("contribute_at") == "game_over":
        yield from contributions(state.setup, len(accepted_wagers(state)))
    yield e.RoundClosed()


def _end_cites(state: Round) -> tuple[str, ...]:
    rule = state.setup.book.progressive
    return rule.end_of_round.cites if rule is not None else ()


def unsettled_words(state: Round, due: Due) -> str:
    """That something has to wait for a wager."""
    return f"not yet: seat {due.seat}'s {label_of(state.setup.book, due.spot)} is still unsettled"


def dealt_cards(state: Round) -> dict[str, tuple[int, ...]]:
    """Every place that has cards in this round, and which."""
    places = {str(number): seat.cards for number, seat in sorted(state.seats.items())}
    places |= {"community": state.community, "box": state.box, "dealer": state.dealer}
    return {place: cards for place, cards in places.items() if cards}


def correct_card(state: Round, action: CorrectCard) -> Iterator[e.AnyEvent]:
    """The right card takes the wrong one's place."""
    if state.phase not in ("deciding", "turning", "settling"):
        cites = state.setup.book.deal.cites
        raise Refused("card.not_now", "no cards of a round lie on the table", cites=cites)
    _require_card(state, action)
    corrected = alike(e.CardCorrected, action)
    errors = tuple(_errors(state, apply(state, corrected)))
    yield corrected
    yield from errors


def _require_card(state: Round, action: CorrectCard) -> None:
    dealt = dealt_cards(state)
    if not 1 <= action.number <= len(dealt.get(action.place, ())):
        text = f"{action.place} has no card number {action.number}"
        raise Refused("card.unknown", text, cites=())
    if action.card not in DECK:
        raise NotationError("card.unreadable", f"{action.card} is no card")
    if any(action.card in cards for cards in dealt.values()):
        text = f"{show_card(action.card)} lies elsewhere on the table"
        raise Refused("card.seen_twice", text, cites=state.setup.book.cards.cites)
    if not action.reason:
        raise Refused("correct.empty", "a correction needs a reason", cites=())


def _errors(before: Round, after: Round) -> Iterator[e.AnyEvent]:
    """What was paid on the wrong card and is not what the right one is owed."""
    if before.at_settlement is None or after.at_settlement is None:
        return
    done, rule = set(before.settled), after.setup.book.progressive
    owed = {key(due): due for due in dues(after.at_settlement)}
    for due in [due for due in dues(before.at_settlement) if key(due) in done]:
        now = owed.get(key(due))
        if due.percent or (now is not None and now.percent):
            text = f"seat {due.seat}'s share of the meter was settled on these cards"
            cites = rule.back_out.cites if rule is not None else ()
            raise Refused("card.awarded", text, cites=cites)
        owed_cents = now.given_cents if now is not None else 0
        if owed_cents != due.given_cents:
            yield _erred("over" if due.given_cents > owed_cents else "under", due, owed_cents)


def is_awarded(state: Round) -> bool:
    """Whether a share of the meter was settled on these cards, so that none is another any more."""
    if state.at_settlement is None:
        return False
    done = set(state.settled)
    return any(due.percent and key(due) in done for due in dues(state.at_settlement))


PAID_FROM: Final = {"tray": "from the tray", "cage": "by the cage, not from the tray"}


def source_words(setup: Setup, due: Due) -> tuple[str, tuple[str, ...]]:
    """From where a share of the meter or a fixed prize is paid, and what says so; nothing about any
    other payout, for the tray pays those."""
    prize = due.pays.kind == "dollars" and not due.for_seat
    if due.outcome != "win" or not (due.percent or prize):
        return "", ()
    cites = _says_so(setup.book, share=bool(due.percent))
    words = f"; paid {PAID_FROM[due.source]}"
    if due.source == "tray":
        threshold = setup.cents("off_tray_threshold") or 0
        return f"{words}, for it is less than {format_cents(threshold)}", cites
    stay, why = cards_stay(setup.book)
    return words + (f"; {stay}" if stay else ""), (*cites, *why)


def correction_words(book: Rulebook, event: PayoutCorrected) -> tuple[str, tuple[str, ...]]:
    """What a correction did, and what says from where; nothing about the tray, as above."""
    amount, more = format_cents(abs(event.cents)), event.cents > 0
    done = f"{amount} more is paid" if more else f"{amount} is given back"
    if event.source == "tray":
        return done, ()
    where = PAID_FROM["cage"] if more else "to the cage, not to the tray"
    return f"{done} {where}", _says_so(book, share=event.spot == "progressive")


def _says_so(book: Rulebook, *, share: bool) -> tuple[str, ...]:
    """The clauses on who pays a share of the meter, or a fixed prize."""
    rule, option = book.progressive, book.options.get("off_tray_threshold")
    says = rule.payment if rule is not None and share else option
    return says.cites if says is not None else ()


def cards_stay(book: Rulebook) -> tuple[str, tuple[str, ...]]:
    """What becomes of the cards of a hand that the cage pays, if the rulebook says it."""
    rule = book.progressive
    if rule is None or not rule.payment.cards_until_documented:
        return "", ()
    return "the cards stay on the table until the win is documented", rule.payment.cites
