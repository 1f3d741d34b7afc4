"""The options that the house understands: their kind, their values, and who needs them.

A rulebook chooses among these; it cannot invent a procedure that no code performs.
"""

from typing import Literal, NamedTuple, TypeAlias

Kind: TypeAlias = Literal["choice", "flag", "integer", "money", "percent", "text"]

ALWAYS = "always"
MISSISSIPPI = "mississippi_stud"
ISLAND = "island_stud"
THREE = "three_card_bonus"
SIX = "six_card_bonus"
BONUS = "bonus"
PROGRESSIVE = "progressive"
WHERE_NAMED = "where another rule names it"

_HANDS = (
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
    "full_house",
    "flush",
    "straight",
    "three_of_a_kind",
)
_EXPOSED = ("continue", "void", "floor_decides")


class Known(NamedTuple):
    """What is known of an option: its kind, when a rulebook must have it, its choices."""

    kind: Kind
    needed: str
    choices: tuple[str, ...] = ()


OPTIONS: dict[str, Known] = {
    "three_card_ace_low": Known("flag", THREE),
    "edition": Known("choice", WHERE_NAMED, ("final", "pre_amendment")),
    "six_card_minimum": Known("money", SIX),
    "six_card_maximum": Known("money", SIX),
    "six_card_stake_returned": Known("flag", SIX),
    "six_card_requires_three_card": Known("flag", SIX),
    "six_card_reveal": Known("choice", SIX, ("settlement_start", "after_base")),
    "six_card_dealing": Known("choice", SIX, ("automated_only", "four_cards_first")),
    "six_card_irregularity": Known("choice", SIX, ("void_round", "void_six_card")),
    "off_tray_threshold": Known("money", SIX),
    "seed": Known("money", PROGRESSIVE),
    "progressive_wager": Known("money", PROGRESSIVE),
    "strict_dollar_wager": Known("flag", WHERE_NAMED),
    "multi_winner_policy": Known(
        "choice", PROGRESSIVE, ("sequential", "equal_split", "highest_first")
    ),
    "contribute_at": Known("choice", PROGRESSIVE, ("lock", "game_over")),
    "reserve_rate": Known("percent", PROGRESSIVE),
    "fold_forfeits_side_bets": Known("flag", WHERE_NAMED),
    "folded_hand_triggers_envy": Known("flag", PROGRESSIVE),
    "holder_must_bet_for_envy": Known("flag", PROGRESSIVE),
    "meter_link": Known("text", PROGRESSIVE),
    "void_contributions": Known("choice", PROGRESSIVE, ("reverse", "keep")),
    "chip_mismatch": Known("choice", PROGRESSIVE, ("block", "warn")),
    "supervisor_from_hand": Known("choice", PROGRESSIVE, _HANDS),
    "jackpot_key_from": Known("choice", WHERE_NAMED, _HANDS),
    "rounding_mode": Known("choice", PROGRESSIVE, ("down", "half_up", "up")),
    "void_after_payment": Known("choice", ALWAYS, ("reverse", "settled_seats_stand")),
    "rate": Known("percent", PROGRESSIVE),
    "cap_scope": Known("choice", WHERE_NAMED, ("player_hand", "table_round")),
    "cap_second_limb_streets": Known("choice", WHERE_NAMED, ("3", "1")),
    "pro_rata_unit": Known("money", WHERE_NAMED),
    "aggregate_limit": Known("money", WHERE_NAMED),
    "allow_fractional_multiples": Known("flag", MISSISSIPPI),
    "tip_counts_in_ante_limit": Known("flag", ALWAYS),
    "minimum": Known("money", ALWAYS),
    "maximum": Known("money", ALWAYS),
    "three_card_minimum": Known("money", THREE),
    "three_card_maximum": Known("money", THREE),
    "bonus_minimum": Known("money", BONUS),
    "bonus_maximum": Known("money", BONUS),
    "wager_unit": Known("money", ALWAYS),
    "payout_unit": Known("money", ALWAYS),
    "breakage": Known("choice", ALWAYS, ("house", "player")),
    "community_cards_dealt": Known("choice", WHERE_NAMED, ("after_players", "before_players")),
    "shoe_sequence": Known("choice", WHERE_NAMED, ("4-3-2", "4-2-3", "2-3", "3-2")),
    "two_card_method": Known("choice", WHERE_NAMED, ("one_at_a_time", "two_at_once")),
    "exposed_community_card": Known("choice", MISSISSIPPI, _EXPOSED),
    "exposed_player_card": Known("choice", ALWAYS, _EXPOSED),
    "exposed_dealer_card": Known("choice", ISLAND, _EXPOSED),
    "cut_after_automated_shuffle": Known("flag", ALWAYS),
    "cut_bottom_margin": Known("integer", WHERE_NAMED),
    "unwritten_irregularity": Known("choice", WHERE_NAMED, ("by_analogy", "floor_decides")),
    "seats": Known("integer", ALWAYS),
    "deck_hours_hand": Known("integer", WHERE_NAMED),
    "deck_hours_shoe": Known("integer", WHERE_NAMED),
    "device_down": Known("choice", WHERE_NAMED, ("suspend", "manual")),
    "tip_wagers": Known("flag", ALWAYS),
    "tip_push": Known("choice", ALWAYS, ("player", "box", "stays")),
    "conduct_forfeits": Known("choice", WHERE_NAMED, ("giver", "giver_and_receiver")),
    "leaver": Known("choice", ALWAYS, ("fold", "lose_all")),
    "max_positions_per_player": Known("integer", ALWAYS),
}
