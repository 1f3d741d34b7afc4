"""Cards that a machine deals as they were sealed, and what can have gone wrong with them.

Whoever has seen the cards could else call wrong what no machine does, alone, and a clause would
void the round that did not please. Two of the floor can void it by their own word, loudly.
"""

from riverboat.core.errors import NotationError, Refused
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round.incidents import floor_decides, incident
from riverboat.round.settlement.voids import cards_seen
from riverboat.round.state import Round
from riverboat.table.day import Day
from riverboat.table.procedures.checks import SILENT

_MOVES_CARDS = ("face_up_cards", "card_drawn_in_error", "deck_count")
_COUNTS = "wrong_card_count"


def deals_sealed(day: Day) -> bool:
    """Whether a floor's machine deals a round's cards out of a committed deck whose cut may be
    known. A day's script, where nobody's money lies, plays every clause with any cards."""
    deck = day.deck_in_play
    sealed = deck is not None and deck.sealed is not None and day.cut_known
    return sealed and day.linked and not _is_test(day)


def _is_test(day: Day) -> bool:
    return day.configuration is not None and day.configuration.test


def can_happen(day: Day, state: Round, reported: g.Incident) -> bool:
    """Once the cut of a committed deck may be known, nobody moves its cards by finding one face up;
    and what a clause would make void after a card was seen, no machine does."""
    if day.cut_known and not _is_test(day) and reported.what in _MOVES_CARDS:
        return False
    if not deals_sealed(day):
        return True
    return reported.what != _COUNTS and not _voids(state, reported)


def _voids(state: Round, reported: g.Incident) -> bool:
    """Whether a clause voids the round, or a bet of all seats, whose cards somebody has seen."""
    if not cards_seen(state):
        return False
    try:
        told = list(incident(state, reported))
        decided = floor_decides(state, reported)
    except (Refused, NotationError):
        return False
    return not decided and any(isinstance(x, r.RoundVoided | r.WagerReturned) for x in told)


def require_can_happen(day: Day, state: Round, reported: g.Incident) -> None:
    """Nothing is reported of cards that could not have come so."""
    require_as_sealed(can_happen(day, state, reported))


def require_as_sealed(sound: bool) -> None:
    """What is told of a committed deck's cards is how they lie."""
    if not sound:
        text = (
            "the cut of this committed deck is known; its cards come out as they were sealed, and "
            "no incident makes them void: two of the floor may decide it"
        )
        raise Refused("incident.committed", text, cites=SILENT)
