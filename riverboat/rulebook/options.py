"""Options: what the operator of a table may choose, within which bounds, and the default.

An option that the document itself decides is `fixed`: the engine reads it like any other, and a
configuration that tries to change it is refused with the option's clauses.
"""

from typing import Literal, TypeAlias

from msgspec import field

from riverboat.rulebook.rules import Rule
from riverboat.rulebook.values import Dollars, Name, Percent, Words

FlagName: TypeAlias = Literal[
    "three_card_ace_low", "six_card_stake_returned", "six_card_requires_three_card",
    "strict_dollar_wager", "fold_forfeits_side_bets", "folded_hand_triggers_envy",
    "holder_must_bet_for_envy", "allow_fractional_multiples", "tip_counts_in_ante_limit",
    "cut_after_automated_shuffle", "tip_wagers",
]  # fmt: skip
"""The yes-or-no options that code reads."""
ChoiceName: TypeAlias = Literal[
    "edition", "six_card_reveal", "six_card_dealing", "six_card_irregularity",
    "multi_winner_policy", "contribute_at", "void_contributions", "chip_mismatch",
    "supervisor_from_hand", "jackpot_key_from", "rounding_mode", "void_after_payment", "cap_scope",
    "cap_second_limb_streets", "breakage", "community_cards_dealt", "shoe_sequence",
    "two_card_method", "exposed_community_card", "exposed_player_card", "exposed_dealer_card",
    "unwritten_irregularity", "device_down", "tip_push", "conduct_forfeits", "leaver",
]  # fmt: skip
"""The options with named values that code reads."""
AmountName: TypeAlias = Literal[
    "off_tray_threshold",
    "pro_rata_unit",
    "aggregate_limit",
    "wager_unit",
    "payout_unit",
]
"""The amounts that code reads by name; limits of wagers are read by their bets."""
DerivedFrom: TypeAlias = Literal["ante_maximum", "schedule"]


class Choice(Rule, frozen=True, kw_only=True, tag_field="kind", tag="choice"):
    """One of several named procedures."""

    meaning: Words
    default: Words
    choices: tuple[Words, ...]
    fixed: bool = False
    default_when: dict[Name, str] = field(default_factory=dict)


class Flag(Rule, frozen=True, kw_only=True, tag_field="kind", tag="flag"):
    """Yes or no."""

    meaning: Words
    default: bool
    fixed: bool = False
    default_when: dict[Name, bool] = field(default_factory=dict)


class Integer(Rule, frozen=True, kw_only=True, tag_field="kind", tag="integer"):
    """A whole number between two bounds, both allowed."""

    meaning: Words
    default: int
    minimum: int
    maximum: int
    fixed: bool = False


class Money(Rule, frozen=True, kw_only=True, tag_field="kind", tag="money"):
    """An amount in dollars; "none" where there may be no limit."""

    meaning: Words
    default: Dollars | None = None
    default_from: DerivedFrom | None = None
    none_allowed: bool = False
    choices: tuple[Dollars, ...] = ()
    minimum: Dollars | None = None
    maximum: Dollars | None = None
    fixed: bool = False
    must_be_stated: bool = False


class Rate(Rule, frozen=True, kw_only=True, tag_field="kind", tag="percent"):
    """A percentage with at most two decimals."""

    meaning: Words
    default: Percent | None = None
    default_from: DerivedFrom | None = None
    fixed: bool = False
    must_be_stated: bool = False


class Text(Rule, frozen=True, kw_only=True, tag_field="kind", tag="text"):
    """A name."""

    meaning: Words
    default: str | None = None
    default_from: DerivedFrom | None = None
    fixed: bool = False


Option: TypeAlias = Choice | Flag | Integer | Money | Rate | Text
