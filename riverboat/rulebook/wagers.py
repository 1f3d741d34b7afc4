"""Wagers: what may be bet, when, after which other bet, and how far payouts may go."""

from typing import Literal

from msgspec import Struct, field

from riverboat.hand_kinds import HandSize
from riverboat.rulebook.rules import Rule
from riverboat.rulebook.values import Dollars, Name, Natural, Place, Words


class Ante(Rule, frozen=True, kw_only=True):
    """The wager without which a seat gets no cards. Its limits are options."""

    label: Words
    required: bool


class Instruments(Rule, frozen=True, kw_only=True):
    """What every wager must be made with, where the document says so."""

    allowed: tuple[Literal["chip", "plaque", "approved_instrument"], ...]
    verbal_with_cash: bool


class BettingCloses(Rule, frozen=True, kw_only=True):
    """When no wager may be made, raised or withdrawn any more, street bets excepted.

    With `no_more_bets` the dealer announces it; with `lock` the dealer goes on to the lock once all
    bets are placed; with `deal` wagers are taken until then, if there is no progressive to lock.
    """

    at: Literal["no_more_bets", "lock", "deal"]
    announce: str = ""


class DecidedBy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cards that decide a bet: all those of these places, as a hand of this size."""

    places: tuple[Place, ...]
    hand: HandSize

    def __str__(self) -> str:
        return f"a hand of {self.hand}, of {' and '.join(self.places)}"


class SideBetOffer(Rule, frozen=True, kw_only=True):
    """An optional wager: what must be bet before it, what decides it, how it is paid.

    `after_if` names bets that must come before it only while a yes-or-no option says so. Its limits
    are the options that begin with `limits`, or with the bet's own name. `short` is its label where
    there is little room.
    """

    bet: Name
    label: Words
    short: str = ""
    after: tuple[Name, ...]
    after_if: dict[Name, Words] = field(default_factory=dict)
    decided_by: DecidedBy
    limits: str = ""
    paytables: tuple[Words, ...]
    in_rules_submission: bool = False

    @property
    def minimum_option(self) -> str:
        """The option that is its smallest wager."""
        return f"{self.limits or self.bet}_minimum"

    @property
    def maximum_option(self) -> str:
        """The option that is its largest wager."""
        return f"{self.limits or self.bet}_maximum"


class Tips(Rule, frozen=True, kw_only=True):
    """A tip for the dealer made as a wager. Whether it may be made at all is an option.

    It is settled with its spot. A street tip is a multiple of the tip on the ante and needs one.
    """

    on: tuple[Name, ...]
    needs_own_wager: bool
    street_multiples: tuple[Natural, ...]
    stays_without_street_tip: bool
    on_fold: Literal["follows_its_spot"]
    on_win: Literal["stake_and_winnings_to_tip_box"]


class AggregateLimit(Rule, frozen=True, kw_only=True):
    """How much one hand, or one round, can win at the base odds.

    `or_minimum_wager_win` raises the limit to what one player could win betting the minimum;
    `from_odds` is the lowest odds that count; stakes are returned on top. `counts` are the base
    game, tips on it, and side bets by name.
    """

    scope: Literal["none", "hand", "round"]
    limit: Dollars | None = None
    limit_option: Literal["", "aggregate_limit"] = ""
    or_minimum_wager_win: bool = False
    from_odds: Natural | None = None
    sharing: Literal["not_shared", "pro_rata"] = "not_shared"
    counts: tuple[Name, ...] = ()


class Units(Rule, frozen=True, kw_only=True):
    """Exact amounts are paid in the payable unit; the rest is posted as breakage."""

    difference_to: Literal["breakage"]
