"""The progressive: schedules, sensors, keys, the meter, awards and envy."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from riverboat.core.hand_kinds import HandName
from riverboat.rulebook.rules import Rule
from riverboat.rulebook.values import Dollars, Percent, Person, Words


class Schedule(Rule, frozen=True, kw_only=True):
    """One wager and the pay table, envy table, rate and seed that go with it."""

    paytable: Words
    envy: Words
    wager: Dollars
    rate: Percent
    seed: Dollars
    placard: str = ""


class Scaling(Rule, frozen=True, kw_only=True):
    """What changes with a wager that no schedule prints."""

    allowed: bool
    basis_wager: Dollars
    envy: Literal["proportional", "printed_only"]
    seed: Literal["proportional", "as_stated"]
    rate: Percent
    strict_wager: Dollars | None = None


class Sensor(Rule, frozen=True, kw_only=True):
    """Where the wager is made and when its light is on."""

    lights: tuple[Literal["placed", "locked"], ...]
    lit_until: Literal["end_of_round_key"]
    claim_with_light_off: Literal["denied"]


class Lock(Rule, frozen=True, kw_only=True):
    """The key that freezes the accepted wagers: its name on the keypad, and what the document calls
    it where that is no name."""

    key: Words
    printed: str = ""
    after: Literal["all_bets_placed", "no_more_bets"]
    before: Literal["first_card"]


class Collection(Rule, frozen=True, kw_only=True):
    """Taking the chips before the deal. A wrong count blocks or warns, by option."""

    when: Literal["before_the_deal"]
    to: Literal["tray"]
    count_in_front_of_tray: bool
    chips_must_equal_accepted: bool


class Contribution(Rule, frozen=True, kw_only=True):
    """What of each wager goes to the meter and to the reserve. When, is an option."""

    of: Literal["each_accepted_wager"]
    kept_to: Literal["hundredth_of_a_cent_or_finer"]


class Winning(Rule, frozen=True, kw_only=True):
    """Which hands win the wager, and that its stake never comes back."""

    lowest: HandName
    highest_only: bool
    stake_returned: bool
    depends_on_dealer: bool


class Payment(Rule, frozen=True, kw_only=True):
    """Where the money of an award comes from."""

    percentage_awards: Literal["meter"]
    other_awards: Literal["tray"]
    full_meter_from_tray: bool
    cards_until_documented: bool


class Keys(Rule, frozen=True, kw_only=True):
    """The keypad, and whether the supervisor's key switch exists."""

    keypad: tuple[Literal["COIN_IN", "HAND", "J_POT", "GAME_OVER"], ...]
    key_switch: bool
    hand_key_toggles_per_seat: bool


class Step(Rule, frozen=True, kw_only=True):
    """One step of handling a winner, in order.

    A step with an option is for hands from that option's hand upwards, and always for awards that
    are a share of the meter.
    """

    step: Literal[
        "verify_hand", "verify_light", "press_hand_key", "call_supervisor", "verify_win",
        "key_in_winner", "turn_key_to_jph", "press_j_pot", "show_amount", "print_win_page", "pay",
        "turn_key_to_run", "adjust_meter",
    ]  # fmt: skip
    by: Person
    awards: Literal["all", "meter"]
    from_option: Literal["", "supervisor_from_hand", "jackpot_key_from"] = ""
    optional: bool = False


class MeterMoves(Rule, frozen=True, kw_only=True):
    """When an award is fixed, when the meter moves, and what a full award resets it to."""

    award_fixed_at: Literal["j_pot", "keying", "floor_validation"]
    moves_at: Literal["key_to_run", "keying", "payment"]
    reset_to: Literal["seed_plus_reserve"]
    fraction_of_a_cent: Literal["stays_on_meter"]
    minimum_initial: Dollars | None = None
    minimum_reset: Dollars | None = None


class SeveralWinners(Rule, frozen=True, kw_only=True):
    """In which order several meter awards of one round are handled."""

    order: Literal["dealers_left_to_right", "dealers_right_to_left"]
    each_on: Literal["adjusted_meter"]


class Envy(Rule, frozen=True, kw_only=True):
    """Who is paid for another player's hand, how often, and from where.

    One's own hands are those of the player, not only of the seat.
    """

    hands: tuple[HandName, ...]
    for_own_hand: bool
    per_qualifying_hand: bool
    by: Literal["recipients_wager"]
    source: Literal["tray"]
    trigger_hand: Literal[
        "face_up_until_all_paid", "kept_until_documented_if_paid_off_tray", "not_mentioned"
    ]
    at: Literal["holders_table"]


class EndOfRound(Rule, frozen=True, kw_only=True):
    """The key that resets the system for the next hand; its names are as in `Lock`."""

    key: Words
    printed: str = ""
    after: Literal["all_action_reconciled"]
    logged: bool


class BackOut(Rule, frozen=True, kw_only=True):
    """How a logged award is taken back."""

    by: Literal["manual_adjustment"]
    before_logging: Literal["hand_key_again"]


class VoidRound(Rule, frozen=True, kw_only=True):
    """What a void does to stakes and contributions. Keep or reverse is an option."""

    stakes: Literal["returned_from_tray"]
    contributions_taken_back: Literal["not_yet_paid_out"]
    never_below: Literal["reset_amount"]
    shortfall: Literal["house_expense"]


class Link(Rule, frozen=True, kw_only=True):
    """One meter for several tables and games."""

    across_games: bool
    order_of_awards: Literal["log"]
    while_pending: Literal["contributions_queue_for_the_next_jackpot"]


class Progressive(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything about the progressive wager."""

    schedules: Annotated[tuple[Schedule, ...], Meta(min_length=1)]
    scaling: Scaling
    sensor: Sensor
    lock: Lock
    collection: Collection
    contribution: Contribution
    winning: Winning
    payment: Payment
    keys: Keys
    steps: Annotated[tuple[Step, ...], Meta(min_length=1)]
    meter: MeterMoves
    several_winners: SeveralWinners
    envy: Envy
    end_of_round: EndOfRound
    back_out: BackOut
    void: VoidRound
    link: Link
