"""What goes wrong in a round, and what follows from it, in words: offered, and when it happened."""

from typing import Final

from riverboat.core.records import Action
from riverboat.round import events as r
from riverboat.round.incidents import OUT_OF_BOUNDS
from riverboat.table import actions as a

INCIDENTS: Final = {
    "wrong_card_count": "wrong number of cards dealt",
    "exposed_player_card": "player's card exposed",
    "exposed_community_card": "community card exposed",
    "face_up_cards": "card face up in the deck",
    "card_drawn_in_error": "card drawn in error",
    "shuffler_jam": "shuffler jammed",
    "shoe_jam": "shoe jammed in the deal",
    "deck_count": "wrong count of the deck",
    "shares_hand": "hand shared",
    "leaves_table": "player left the table",
    "touches_cards": "another player's cards touched",
    "cards_out_of_view": "cards out of the dealer's view",
    "late_progressive_chip": "progressive chip too late",
    "progressive_chip_mismatch": "progressive chips and lights differ",
}
_EXPOSED: Final = {"dealer": "dealer's card exposed", "six_card_box": "box card exposed"}
_PLACES: Final = {
    "community": "community cards",
    "six_card_box": "six card box",
    "dealer": "dealer's hand",
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
_BY_RULE: Final = {
    "reshuffle": "the deck is shuffled again",
    "floor_decides": "the floor decides",
    "decide_whether_misdealt": "the floor decides whether it was misdealt",
    "void_six_card": "the six card bets go back",
    "none": "the rulebook says nothing",
}
"""What only a rule says; when it has happened, one of the above did."""
TROUBLE: Final[dict[type[Action], str]] = {
    a.Interrupt: "Interrupt play",
    a.FailDevice: "Shuffler or shoe is out of use",
    a.JamShuffler: "{deck} deck jams",
    a.OrderShuffle: "Shuffle the {deck} deck again",
    a.RemoveDeck: "Change the {deck} deck",
}
"""What stops a table, as whoever orders it reads it."""
REASONS: Final = {"interrupted": "play was interrupted", "nobody bets": "nobody bets"}


def incident_name(what: str, place: str = "") -> str:
    """What goes wrong; a card that is exposed is named by where it lies."""
    if what == "exposed_community_card" and place in _EXPOSED:
        return _EXPOSED[place]
    return INCIDENTS.get(what, what.replace("_", " "))


def where_words(seat: int, place: str) -> str:
    """The seat or the place of an incident; empty where it has none."""
    return f"seat {seat}" if seat else _PLACES.get(place, place)


def what_follows(consequence: str) -> str:
    """What a rulebook makes of an incident."""
    return (CONSEQUENCES | _BY_RULE).get(consequence, consequence.replace("_", " "))


def incident_words(event: r.IncidentNoted, card: str = "") -> str:
    """What went wrong, perhaps with which card, and what follows from it."""
    what = incident_name(event.what, event.place)
    if event.what == "face_up_cards" and (event.count > 1 or event.consequence == "void_round"):
        what = "more than one card face up in the deck"
    if event.what == "deck_count":
        what = f"{event.count} cards in the deck"
    place = "" if what in _EXPOSED.values() else event.place
    where = "".join(f", {one}" for one in (card, where_words(event.seat, place)) if one)
    return f"{what.upper()}{where}: {what_follows(event.consequence)}"


def reason_words(reason: str) -> str:
    """Why a round, or a wager of it, does not count."""
    return REASONS.get(reason) or incident_name(reason)


def void_words(event: r.RoundVoided, number: int) -> str:
    """A round that does not count; loudly, where people decided so who knew its cards."""
    return f"ROUND {number} VOID{decided_words(event)}: {reason_words(event.reason)}"


def decided_words(event: r.RoundVoided) -> str:
    """By whose word, where it is by no rule and after the cards."""
    by = " and ".join(event.signed_by)
    return f" AFTER ITS CARDS WERE SEEN, by the word of {by}" if by else ""
