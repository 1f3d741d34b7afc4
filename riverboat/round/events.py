"""Everything that can have happened in a round: facts, in the past tense, frozen.

An event carries what cannot be computed again from the events before it. `kind` names it in JSON,
and old kinds stay readable for ever.
"""

from typing import Literal, TypeAlias

from riverboat.core.money import Cents, MeterUnits
from riverboat.core.records import Event

Outcome: TypeAlias = Literal["win", "push", "lose"]


class OnSpot(Event, frozen=True, kw_only=True):
    """What happened with an amount on a spot of a seat."""

    seat: int
    spot: str
    cents: Cents


class RoundOpened(Event, frozen=True, kw_only=True, tag="round_opened"):
    """A round began under this rulebook. Its table's own meter stood at these amounts; where other
    tables play for it too, none is told here."""

    rulebook: str
    revision: int
    meter_units: MeterUnits | None = 0
    reserve_units: MeterUnits = 0


class WagerPlaced(OnSpot, frozen=True, kw_only=True, tag="wager_placed"):
    """Chips went from a player to a spot."""

    player: str = ""


class WagerTakenBack(OnSpot, frozen=True, kw_only=True, tag="wager_taken_back"):
    """Chips went from a spot back to their player, while betting was open."""


class BettingClosed(Event, frozen=True, kw_only=True, tag="betting_closed"):
    """No wager but street bets can be made any more."""


class ProgressiveLocked(Event, frozen=True, kw_only=True, tag="progressive_locked"):
    """The accepted progressive wagers were frozen, and their lights went on."""

    seats: tuple[int, ...]


class MeterContributed(Event, frozen=True, kw_only=True, tag="meter_contributed"):
    """Shares of the accepted wagers reached the meter and the reserve."""

    units: MeterUnits
    reserve_units: MeterUnits


class ProgressiveCollected(Event, frozen=True, kw_only=True, tag="progressive_collected"):
    """The dealer took the progressive chips into the tray."""

    seats: tuple[int, ...]
    cents_each: Cents


class CardsBurned(Event, frozen=True, kw_only=True, tag="cards_burned"):
    """So many cards went from the top of the deck into the discard rack; nobody saw their faces."""

    count: int


class CardsDealt(Event, frozen=True, kw_only=True, tag="cards_dealt"):
    """The deal, delivery by delivery: a place and the cards it got."""

    deliveries: tuple[tuple[str, tuple[int, ...]], ...]


class CardCorrected(Event, frozen=True, kw_only=True, tag="card_corrected"):
    """A card had been misreported; this is what it is."""

    place: str
    number: int
    card: int
    reason: str


class StreetBet(OnSpot, frozen=True, kw_only=True, tag="street_bet"):
    """A seat stayed in."""


class Folded(Event, frozen=True, kw_only=True, tag="folded"):
    """A seat withdrew."""

    seat: int


class FoldCollected(Event, frozen=True, kw_only=True, tag="fold_collected"):
    """The wagers that a fold lost went into the tray, and the cards to their place."""

    seat: int
    spots: tuple[tuple[str, Cents], ...]
    cards_kept: bool


class SideBetLost(OnSpot, frozen=True, kw_only=True, tag="side_bet_lost"):
    """A side bet was lost by a fold; `cents` still lay on its spot."""


class CommunityTurned(Event, frozen=True, kw_only=True, tag="community_turned"):
    """The next community card lies face up."""

    number: int


class BoxTurned(Event, frozen=True, kw_only=True, tag="box_turned"):
    """The box cards lie face up."""


class UpCardsTurned(Event, frozen=True, kw_only=True, tag="up_cards_turned"):
    """So many of the dealer's cards lie face up from the deal on."""

    count: int


class DealersHandTurned(Event, frozen=True, kw_only=True, tag="dealers_hand_turned"):
    """The dealer's hand lies face up."""

    announced: bool = False


class SettlementBegun(Event, frozen=True, kw_only=True, tag="settlement_begun"):
    """All that decides the wagers is known."""


class HandAnnounced(Event, frozen=True, kw_only=True, tag="hand_announced"):
    """The dealer turned a seat's cards over and said what they make."""

    seat: int
    hand: str


class SpotSettled(Event, frozen=True, kw_only=True, tag="spot_settled"):
    """One spot was taken, paid or pushed. `stake_cents` lay on it, `paid_cents` came on top."""

    seat: int
    spot: str
    outcome: Outcome
    stake_cents: Cents
    paid_cents: Cents = 0
    breakage_cents: Cents = 0
    stake_returned: bool = True
    source: Literal["tray", "cage"] = "tray"
    to: Literal["player", "tip_box", "stays"] = "player"


class MeterAwarded(Event, frozen=True, kw_only=True, tag="meter_awarded"):
    """A share of the meter was fixed and paid; after a full award the meter was reset."""

    seat: int
    hand: str
    percent: int
    cents: Cents
    paid_cents: Cents
    resets: bool = False
    seed_cents: Cents = 0
    reserve_units: MeterUnits = 0


class EnvyPaid(Event, frozen=True, kw_only=True, tag="envy_paid"):
    """A bettor was paid for another seat's hand."""

    seat: int
    for_seat: int
    hand: str
    cents: Cents


class SeatForfeited(Event, frozen=True, kw_only=True, tag="seat_forfeited"):
    """A seat lost every wager by its conduct."""

    seat: int
    spots: tuple[tuple[str, Cents], ...]


class IncidentNoted(Event, frozen=True, kw_only=True, tag="incident_noted"):
    """Something went wrong, and this is what follows from it."""

    what: str
    consequence: str
    seat: int = 0
    place: str = ""
    count: int = 0


class DealBlocked(Event, frozen=True, kw_only=True, tag="deal_blocked"):
    """The deal must wait for the supervisor."""

    reason: str


class TableSuspended(Event, frozen=True, kw_only=True, tag="table_suspended"):
    """No further round may start here."""


class DeckRemoved(Event, frozen=True, kw_only=True, tag="deck_removed"):
    """The deck left the table."""


class RoundVoided(Event, frozen=True, kw_only=True, tag="round_voided"):
    """No hand counts any more. `signed_by`: two people decided it after its cards had been seen,
    and no rule did."""

    reason: str
    signed_by: tuple[str, ...] = ()


class WagerReturned(OnSpot, frozen=True, kw_only=True, tag="wager_returned"):
    """A wager of a void round went back to its player, from its spot or from the tray."""

    source: Literal["spot", "tray"]


class PayoutReversed(OnSpot, frozen=True, kw_only=True, tag="payout_reversed"):
    """A payout of a void round was taken back."""

    source: Literal["tray", "cage", "tip_box"]


class AwardBackedOut(Event, frozen=True, kw_only=True, tag="award_backed_out"):
    """A logged award was reversed exactly, its reset too."""

    seat: int
    cents: Cents
    paid_cents: Cents
    seed_cents: Cents
    reserve_units: MeterUnits


class ContributionReversed(Event, frozen=True, kw_only=True, tag="contribution_reversed"):
    """A void round's contributions were taken back as far as they could be."""

    units: MeterUnits
    reserve_units: MeterUnits
    shortfall_units: MeterUnits = 0


class DealerErred(Event, frozen=True, kw_only=True, tag="dealer_erred"):
    """The dealer did something other than what was owed."""

    error: Literal["over", "under", "out_of_order", "wrong_spot"]
    seat: int
    spot: str
    owed_cents: Cents
    given_cents: Cents


class PayoutCorrected(OnSpot, frozen=True, kw_only=True, tag="payout_corrected"):
    """A wrong payout was made good by a further entry, from where the spot is paid; below zero the
    player gave back, and it went there."""

    reason: str
    source: Literal["tray", "cage"] = "tray"


class RoundClosed(Event, frozen=True, kw_only=True, tag="round_closed"):
    """Everything is reconciled and the next round can begin."""


AnyEvent: TypeAlias = (
    RoundOpened | WagerPlaced | WagerTakenBack | BettingClosed | ProgressiveLocked
    | MeterContributed | ProgressiveCollected | CardsBurned | CardsDealt | CardCorrected
    | StreetBet | Folded | FoldCollected | SideBetLost | CommunityTurned | BoxTurned
    | UpCardsTurned | DealersHandTurned | SettlementBegun | HandAnnounced | SpotSettled
    | MeterAwarded | EnvyPaid | SeatForfeited | IncidentNoted | DealBlocked | TableSuspended
    | DeckRemoved | RoundVoided | WagerReturned | PayoutReversed | AwardBackedOut
    | ContributionReversed | DealerErred | PayoutCorrected | RoundClosed
)  # fmt: skip
