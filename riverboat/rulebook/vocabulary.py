"""The options that the house understands: their kind, their values, and who needs them.

A rulebook chooses among these; it cannot invent a procedure that no code performs.
"""

from typing import Literal, NamedTuple, TypeAlias

from riverboat.core.hand_kinds import FIVE_CARD
from riverboat.rulebook.book import Rulebook

Kind: TypeAlias = Literal["choice", "flag", "integer", "money", "percent", "text"]

ALWAYS = "always"
COMMUNITY = "community cards"
DEALER = "a dealer's hand"
THREE = "a bet on three cards"
BOX = "a bet on a box of cards"
PROGRESSIVE = "the progressive"
WHERE_NAMED = "where another rule names it"
EDITION = "edition"
PLAYED_EDITION = "final"

_HANDS = FIVE_CARD[: FIVE_CARD.index("three_of_a_kind") + 1]
SEQUENCES: dict[str, tuple[str, ...]] = {
    "after_players": ("seats", "community"),
    "before_players": ("community", "seats"),
    "4-3-2": ("box", "community", "seats"),
    "4-2-3": ("box", "seats", "community"),
    "2-3": ("seats", "community"),
    "3-2": ("community", "seats"),
}
"""What the choices of an option that orders the deal mean."""
_EXPOSED = ("continue", "void", "floor_decides")


class Known(NamedTuple):
    """What is known of an option: its kind, when a rulebook must have it, what it can be.

    Bounds are those within which an engine can play at all, cents for money; a rulebook's own are
    inside them. A default may come from the ante's maximum or the schedule where `derived` says
    so, and there may be no amount at all where `none` does.
    """

    kind: Kind
    needed: str
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None
    derived: str = ""
    none: bool = False


def _amount(needed: str, least: int = 1, derived: str = "", none: bool = False) -> Known:
    return Known("money", needed, least=least, derived=derived, none=none)


def _number(needed: str, least: int, most: int) -> Known:
    return Known("integer", needed, least=least, most=most)


OPTIONS: dict[str, Known] = {
    "three_card_ace_low": Known("flag", THREE),
    EDITION: Known("choice", WHERE_NAMED, (PLAYED_EDITION, "pre_amendment")),
    "six_card_minimum": _amount(WHERE_NAMED),
    "six_card_maximum": _amount(WHERE_NAMED, derived="ante_maximum"),
    "six_card_stake_returned": Known("flag", BOX),
    "six_card_requires_three_card": Known("flag", WHERE_NAMED),
    "six_card_reveal": Known("choice", BOX, ("settlement_start", "after_base")),
    "six_card_dealing": Known("choice", BOX, ("automated_only", "four_cards_first")),
    "six_card_irregularity": Known("choice", BOX, ("void_round", "void_six_card")),
    "off_tray_threshold": _amount(BOX, least=0),
    "seed": _amount(PROGRESSIVE, derived="schedule"),
    "progressive_wager": _amount(PROGRESSIVE, derived="schedule"),
    "strict_dollar_wager": Known("flag", WHERE_NAMED),
    "multi_winner_policy": Known(
        "choice", PROGRESSIVE, ("sequential", "equal_split", "highest_first")
    ),
    "contribute_at": Known("choice", PROGRESSIVE, ("lock", "game_over")),
    "reserve_rate": Known("percent", PROGRESSIVE),
    "fold_forfeits_side_bets": Known("flag", WHERE_NAMED),
    "folded_hand_triggers_envy": Known("flag", PROGRESSIVE),
    "holder_must_bet_for_envy": Known("flag", PROGRESSIVE),
    "meter_link": Known("text", PROGRESSIVE, derived="schedule"),
    "void_contributions": Known("choice", PROGRESSIVE, ("reverse", "keep")),
    "chip_mismatch": Known("choice", PROGRESSIVE, ("block", "warn")),
    "supervisor_from_hand": Known("choice", PROGRESSIVE, _HANDS),
    "jackpot_key_from": Known("choice", WHERE_NAMED, _HANDS),
    "rounding_mode": Known("choice", PROGRESSIVE, ("down", "half_up", "up")),
    "void_after_payment": Known("choice", ALWAYS, ("reverse", "settled_seats_stand")),
    "rate": Known("percent", PROGRESSIVE, derived="schedule"),
    "cap_scope": Known("choice", WHERE_NAMED, ("player_hand", "table_round")),
    # The largest and the smallest multiple of each street, by what they are in the documents.
    "cap_second_limb_streets": Known("choice", WHERE_NAMED, ("3", "1")),
    "pro_rata_unit": _amount(WHERE_NAMED),
    "aggregate_limit": _amount(WHERE_NAMED, none=True),
    "allow_fractional_multiples": Known("flag", COMMUNITY),
    "tip_counts_in_ante_limit": Known("flag", ALWAYS),
    "minimum": _amount(ALWAYS),
    "maximum": _amount(ALWAYS, none=True),
    "three_card_minimum": _amount(WHERE_NAMED),
    "three_card_maximum": _amount(WHERE_NAMED, derived="ante_maximum"),
    "bonus_minimum": _amount(WHERE_NAMED),
    "bonus_maximum": _amount(WHERE_NAMED, derived="ante_maximum"),
    "wager_unit": _amount(ALWAYS),
    "payout_unit": _amount(ALWAYS),
    "breakage": Known("choice", ALWAYS, ("house", "player")),
    "community_cards_dealt": Known("choice", WHERE_NAMED, ("after_players", "before_players")),
    "shoe_sequence": Known("choice", WHERE_NAMED, ("4-3-2", "4-2-3", "2-3", "3-2")),
    "two_card_method": Known("choice", WHERE_NAMED, ("one_at_a_time", "two_at_once")),
    "exposed_community_card": Known("choice", COMMUNITY, _EXPOSED),
    "exposed_player_card": Known("choice", ALWAYS, _EXPOSED),
    "exposed_dealer_card": Known("choice", DEALER, _EXPOSED),
    "cut_after_automated_shuffle": Known("flag", ALWAYS),
    "cut_bottom_margin": _number(WHERE_NAMED, 1, 42),
    "unwritten_irregularity": Known("choice", WHERE_NAMED, ("by_analogy", "floor_decides")),
    "seats": _number(ALWAYS, 1, 9),
    "deck_hours_hand": _number(WHERE_NAMED, 1, 24),
    "deck_hours_shoe": _number(WHERE_NAMED, 1, 24),
    "device_down": Known("choice", WHERE_NAMED, ("suspend", "manual")),
    "tip_wagers": Known("flag", ALWAYS),
    "tip_push": Known("choice", ALWAYS, ("player", "box", "stays")),
    "conduct_forfeits": Known("choice", WHERE_NAMED, ("giver", "giver_and_receiver")),
    "leaver": Known("choice", ALWAYS, ("fold", "lose_all")),
    "max_positions_per_player": _number(ALWAYS, 1, 9),
}

# Options that a document may settle although no other rule reads them: they state what is so.
STATEMENTS = ("fold_forfeits_side_bets", "aggregate_limit")

# Options that a rules submission can be made to state although they have a default.
CAN_BE_ASKED_FOR = ("rate", "seed")

_SMALLEST_BET = _amount(WHERE_NAMED)
_LARGEST_BET = _amount(WHERE_NAMED, derived="ante_maximum")


def known_options(book: Rulebook) -> dict[str, Known]:
    """What a rulebook's options can be: those of any table, and its own side bets' limits."""
    limits = {offer.minimum_option: _SMALLEST_BET for offer in book.bonuses}
    return OPTIONS | limits | {offer.maximum_option: _LARGEST_BET for offer in book.bonuses}
