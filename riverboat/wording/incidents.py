"""What goes wrong in a round, and what follows from it, in words."""

from typing import Final

from riverboat.round import events as r
from riverboat.round.incidents import OUT_OF_BOUNDS

INCIDENTS: Final = {
    "wrong_card_count": "WRONG NUMBER OF CARDS DEALT",
    "exposed_player_card": "PLAYER'S CARD EXPOSED",
    "exposed_community_card": "COMMUNITY CARD EXPOSED",
    "face_up_cards": "CARD FACE UP IN THE DECK",
    "card_drawn_in_error": "CARD DRAWN IN ERROR",
    "shuffler_jam": "SHUFFLER JAMMED",
    "shoe_jam": "SHOE JAMMED IN THE DEAL",
    "deck_count": "WRONG COUNT",
    "shares_hand": "HAND SHARED",
    "leaves_table": "PLAYER LEFT THE TABLE",
    "touches_cards": "ANOTHER PLAYER'S CARDS TOUCHED",
    "cards_out_of_view": "CARDS OUT OF THE DEALER'S VIEW",
    "late_progressive_chip": "PROGRESSIVE CHIP TOO LATE",
    "progressive_chip_mismatch": "PROGRESSIVE CHIPS AND LIGHTS DIFFER",
}
CONSEQUENCES: Final = {
    "void_round": "all hands void, all wagers go back",
    "void": "all hands void, all wagers go back",
    "continue": "play goes on",
    "leave_card_out": "the card is not used and goes to the discard rack",
    "use_as_next_card": "it is used as the next card",
    "not_accepted": "not accepted",
    "deal_blocked": "the deal waits for a supervisor",
    "no_rule": "the document has no rule for it; play goes on",
    "no_offence": "no offence",
    "forfeits_all_wagers": "all its wagers are forfeited",
    "leaves": "it folds at its next decision",
    "wagers_taken_back": "the player takes the wagers back and leaves",
    **{why: f"nothing follows, for {words}" for why, words in OUT_OF_BOUNDS.items()},
    "warning": "noted",
    "reminder": "the player is reminded; play goes on",
}
REASONS: Final = {"interrupted": "play was interrupted", "nobody bets": "nobody bets"}


def incident_words(event: r.IncidentNoted, card: str = "") -> str:
    """What went wrong, perhaps with which card, and what follows from it."""
    what = INCIDENTS.get(event.what, event.what.replace("_", " ").upper())
    if event.what == "face_up_cards" and (event.count > 1 or event.consequence == "void_round"):
        what = "MORE THAN ONE CARD FACE UP IN THE DECK"
    if event.what == "deck_count":
        what = f"{event.count} CARDS IN THE DECK"
    where = [card] if card else []
    where += [f"seat {event.seat}"] if event.seat else []
    where += [event.place.replace("_", " ")] if event.place else []
    then = CONSEQUENCES.get(event.consequence, event.consequence.replace("_", " "))
    return f"{what}{', ' if where else ''}{', '.join(where)}: {then}"


def void_words(event: r.RoundVoided, number: int) -> str:
    """A round that does not count."""
    reason = REASONS.get(event.reason, event.reason.replace("_", " "))
    return f"ROUND {number} VOID: {reason}"
