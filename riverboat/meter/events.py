"""Everything that can have happened to a linked meter: facts, past tense, frozen.

They are a stream of their own, in one order for all tables: what stands first in it came first.
Amounts on the meter are units, ten thousand to the cent; what is paid is cents.
"""

from typing import Literal, TypeAlias

from riverboat.core.money import Cents, MeterUnits
from riverboat.core.records import Event

AdjustmentCode: TypeAlias = Literal[
    "malfunction", "above_maximum", "undisplayed_prize", "seed_recovery", "correction", "dispute"
]


class MeterEvent(Event, frozen=True, kw_only=True):
    """What every event of a link has in common."""


class MeterOpened(MeterEvent, frozen=True, kw_only=True, tag="link_opened"):
    """A meter was set up; the house put the first amount on it."""

    link: str
    seed_cents: Cents
    initial_cents: Cents
    wager_cents: Cents
    rate_bp: int
    reserve_bp: int
    by: str
    second: str


class TableJoined(MeterEvent, frozen=True, kw_only=True, tag="table_joined"):
    """A table plays for this meter: what it can contribute, and how likely it wins all of it."""

    table: str
    rulebook: str
    seats: int
    wager_cents: Cents
    rate_bp: int
    reserve_bp: int
    chance: str
    fold_forfeits: bool = False


class ChancesDiffer(MeterEvent, frozen=True, kw_only=True, tag="chances_differ"):
    """A warning: two tables of one meter do not win it equally often."""

    table: str
    rulebook: str
    chance: str
    fold_forfeits: bool
    other_table: str
    other_rulebook: str
    other_chance: str
    other_fold_forfeits: bool


class TableLeft(MeterEvent, frozen=True, kw_only=True, tag="table_left"):
    """A table no longer plays for this meter."""

    table: str


class Contributed(MeterEvent, frozen=True, kw_only=True, tag="link_contributed"):
    """Shares of a round's accepted wagers came in; while an award is pending, they wait.

    Whether one is pending, the order of the events says, so that contributions commute.
    """

    table: str
    round: int
    wagers: int
    units: MeterUnits
    reserve_units: MeterUnits


class QueueAdded(MeterEvent, frozen=True, kw_only=True, tag="queue_added"):
    """What waited for a pending award was added: it counts for the next jackpot."""

    units: MeterUnits
    reserve_units: MeterUnits


class AwardFixed(MeterEvent, frozen=True, kw_only=True, tag="award_fixed"):
    """A share of the meter belongs to a seat; until the meter moves it is pending everywhere.

    Where winners share, `share` counts them up to `of`; the meter is held until the last one.
    """

    award: str
    table: str
    round: int
    seat: int
    hand: str
    percent: int
    cents: Cents
    before_units: MeterUnits
    resets: bool = False
    seed_cents: Cents = 0
    reserve_units: MeterUnits = 0
    share: int = 1
    of: int = 1


class AwardPaid(MeterEvent, frozen=True, kw_only=True, tag="award_paid"):
    """The player has the money, from the tray or off it; rounding to a payable unit leaves a
    breakage, which is below zero where it is the player's."""

    award: str
    paid_cents: Cents
    source: Literal["tray", "cage"]
    breakage_cents: Cents


class MeterMoved(MeterEvent, frozen=True, kw_only=True, tag="meter_moved"):
    """An award left the meter; after all of it, seed and reserve came on top of what was left."""

    award: str
    cents: Cents
    seed_cents: Cents = 0
    reserve_units: MeterUnits = 0


class HoldEnded(MeterEvent, frozen=True, kw_only=True, tag="hold_ended"):
    """The shares that the meter was still held for are not taken."""

    table: str


class BackedOut(MeterEvent, frozen=True, kw_only=True, tag="link_backed_out"):
    """An award was reversed by hand. If the meter had moved, it went back, its reset too."""

    award: str
    cents: Cents
    moved: bool
    seed_cents: Cents
    reserve_units: MeterUnits
    reason: str
    by: str
    second: str


class ContributionReversed(MeterEvent, frozen=True, kw_only=True, tag="link_contribution_reversed"):
    """A void round's contributions went back: from the meter what no award had paid out, from the
    queue all that waited there; the house bears the shortfall. Where the round goes on, `left` is
    what the other wagers of it gave."""

    table: str
    round: int
    units: MeterUnits
    reserve_units: MeterUnits
    queued_units: MeterUnits = 0
    queued_reserve_units: MeterUnits = 0
    shortfall_units: MeterUnits = 0
    left_units: MeterUnits = 0
    left_reserve_units: MeterUnits = 0


class Adjusted(MeterEvent, frozen=True, kw_only=True, tag="link_adjusted"):
    """The meter was changed by hand, up or down, by two people with a reason."""

    units: MeterUnits
    code: AdjustmentCode
    reason: str
    by: str
    second: str


class MovedOut(MeterEvent, frozen=True, kw_only=True, tag="link_moved_out"):
    """All that the meter owed went to another one, and this one ended."""

    to: str
    units: MeterUnits
    reserve_units: MeterUnits
    reason: str
    by: str
    second: str


class MovedIn(MeterEvent, frozen=True, kw_only=True, tag="link_moved_in"):
    """What another meter owed came onto this one."""

    source: str
    units: MeterUnits
    reserve_units: MeterUnits
    reason: str
    by: str
    second: str


class Retired(MeterEvent, frozen=True, kw_only=True, tag="link_retired"):
    """The meter ended; what it still owed is registered as a debt to players."""

    units: MeterUnits
    reserve_units: MeterUnits
    reason: str
    by: str
    second: str


class WentOutOfService(MeterEvent, frozen=True, kw_only=True, tag="link_out_of_service"):
    """No wager is taken for this meter."""

    reason: str


class CameBackInService(MeterEvent, frozen=True, kw_only=True, tag="link_in_service"):
    """Wagers are taken again."""

    by: str


class Alarmed(MeterEvent, frozen=True, kw_only=True, tag="link_alarmed"):
    """A table offered a contribution that is not what its wagers give; it was refused."""

    table: str
    round: int
    wagers: int
    units: MeterUnits
    reserve_units: MeterUnits
    due_units: MeterUnits
    due_reserve_units: MeterUnits


AnyMeterEvent: TypeAlias = (
    MeterOpened | TableJoined | ChancesDiffer | TableLeft | Contributed | QueueAdded | AwardFixed
    | AwardPaid | MeterMoved | HoldEnded | BackedOut | ContributionReversed | Adjusted | MovedOut
    | MovedIn | Retired | WentOutOfService | CameBackInService | Alarmed
)  # fmt: skip
