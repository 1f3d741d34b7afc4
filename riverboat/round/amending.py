"""A card that was misreported is put right, and what was already paid on it is held against that.

A physical deal is known only as somebody reported it. When the floor finds a card to be another
one, the round goes on with the right card; payouts that the wrong one decided show up as the
dealer's errors, to be made good by further entries like any other.
"""

from collections.abc import Iterator

from riverboat.core.cards import DECK, show_card
from riverboat.core.errors import NotationError, Refused
from riverboat.round import events as e
from riverboat.round.actions import CorrectCard
from riverboat.round.dues import Due
from riverboat.round.paying import key
from riverboat.round.settlement import dues
from riverboat.round.state import Round, apply


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
    corrected = e.CardCorrected(
        place=action.place, number=action.number, card=action.card, reason=action.reason
    )
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


def _back_out_cites(state: Round) -> tuple[str, ...]:
    rule = state.setup.book.progressive
    return rule.back_out.cites if rule is not None else ()


def _errors(before: Round, after: Round) -> Iterator[e.AnyEvent]:
    """What was paid on the wrong card and is not what the right one is owed."""
    if before.at_settlement is None or after.at_settlement is None:
        return
    done = set(before.settled)
    was = {key(due): due for due in dues(before.at_settlement) if key(due) in done}
    owed = {key(due): due for due in dues(after.at_settlement)}
    for which, due in was.items():
        now = owed.get(which)
        if due.percent or (now is not None and now.percent):
            text = f"seat {due.seat}'s share of the meter was settled on these cards"
            raise Refused("card.awarded", text, cites=_back_out_cites(after))
        yield from _error(due, now)


def is_awarded(state: Round) -> bool:
    """Whether a share of the meter was settled on these cards, so that none is another any more."""
    if state.at_settlement is None:
        return False
    done = set(state.settled)
    return any(due.percent and key(due) in done for due in dues(state.at_settlement))


def _error(was: Due, now: Due | None) -> Iterator[e.AnyEvent]:
    owed_cents = now.given_cents if now is not None else 0
    if owed_cents != was.given_cents:
        yield e.DealerErred(
            error="over" if was.given_cents > owed_cents else "under",
            seat=was.seat,
            spot=was.spot,
            owed_cents=owed_cents,
            given_cents=was.given_cents,
        )
