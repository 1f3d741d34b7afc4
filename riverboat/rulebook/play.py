"""Wagers, decisions, hands and showdown: what is bet, when, and against what a hand is held."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from riverboat.core.hand_kinds import HandName, HandSize
from riverboat.rulebook.rules import Rule
from riverboat.rulebook.values import Dollars, Name, Natural, Pays, Place, Words


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


Around: TypeAlias = Literal["dealers_left_to_right", "dealers_right_to_left"]
AfterFold: TypeAlias = Literal["live", "forfeited", "by_option"]


class FiveCardRanking(Rule, frozen=True, kw_only=True):
    """Which five cards make a hand, and how hands rank."""

    order: tuple[HandName, ...]
    made_of: Annotated[tuple[Place, ...], Meta(min_length=1)]
    ace_low_in: tuple[Words, ...]
    suits_equal: bool
    highest_only: bool


class TwoCardRanking(Rule, frozen=True, kw_only=True):
    """How two cards rank."""

    order: tuple[HandName, ...]


class ThreeCardRanking(Rule, frozen=True, kw_only=True):
    """How three cards rank. Whether A-2-3 is a straight is an option."""

    order: tuple[HandName, ...]
    highest_only: bool


class SixCardRanking(Rule, frozen=True, kw_only=True):
    """How the box cards and the hole cards rank: the best five, or all six as a super royal."""

    order: tuple[HandName, ...]
    box_cards: Natural
    hole_cards: Natural
    super_royal: tuple[Words, ...]
    highest_only: bool


class Hands(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Hand rankings of the base game and of the side bets on offer."""

    five: FiveCardRanking
    two: TwoCardRanking | None = None
    three: ThreeCardRanking | None = None
    six: SixCardRanking | None = None


class Acting(Rule, frozen=True, kw_only=True):
    """In which order the seats decide, and what the first of them waits for."""

    order: Around
    after: Literal["", "cards_replaced_face_down"] = ""


class EverybodyFolds(Rule, frozen=True, kw_only=True):
    """What is still turned over when no seat is left in."""

    reveal: Literal["if_a_side_bet_is_live", "always", "never"]


class DecisionBet(Rule, frozen=True, kw_only=True):
    """What a seat must bet to stay in, in multiples of its ante."""

    multiples: Annotated[tuple[Natural, ...], Meta(min_length=1)]


class DecisionFold(Rule, frozen=True, kw_only=True):
    """Which base wagers a fold at this decision loses."""

    forfeits: Annotated[tuple[Name, ...], Meta(min_length=1)]


class Reveal(Rule, frozen=True, kw_only=True):
    """What is turned after a decision: so many community cards more, or the dealer's hand."""

    turn: Literal["community", "dealer"]
    cards: Natural
    when: Literal["all_seats_have_acted"]


class Decision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bet on a spot or fold, and what is turned when all have acted."""

    spot: Name
    label: Words
    bet: DecisionBet
    fold: DecisionFold
    reveal: Reveal


Outcome: TypeAlias = Literal["dealer_does_not_qualify", "player_wins", "tie", "dealer_wins", "fold"]

NOT_QUALIFIED: Final = "dealer_does_not_qualify"


class DealersHand(Rule, frozen=True, kw_only=True):
    """The hand that the players play against."""

    up_cards: Natural
    up_card: Literal["first_of_packet"]
    qualifies: Literal["always", "with_ace_king"]
    announced: bool


class ComparisonLine(Rule, frozen=True, kw_only=True):
    """What each base wager is paid for one outcome against the dealer, with these hands of the
    player or with any."""

    outcome: Outcome
    hands: tuple[HandName, ...] = ()
    pays: dict[Name, Pays]


class Comparison(Rule, frozen=True, kw_only=True):
    """The showdown against the dealer: the base game's pay table."""

    id: Words
    number: Words
    status: Literal["final"]
    lines: Annotated[tuple[ComparisonLine, ...], Meta(min_length=1)]


class FoldCollection(Rule, frozen=True, kw_only=True):
    """When the wagers of a folded seat are taken."""

    when: Literal["at_once", "together_in_fold_order"]


class FoldedCards(Rule, frozen=True, kw_only=True):
    """What becomes of folded cards, without and with a side bet on the seat."""

    without_side_bet: Literal["discard_rack", "spread_counted_then_discard_rack"]
    with_side_bet: Literal["kept_at_the_side_bet", "left_on_the_table", "tucked_under_the_side_bet"]
    kept_if: Literal["side_bet_made", "side_bet_live"]


class FoldedSideBet(Rule, frozen=True, kw_only=True):
    """What a fold does to a side bet, or to the right to an envy bonus."""

    after_fold: AfterFold


class Fold(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything a fold does beside losing the base wagers."""

    collection: FoldCollection
    cards: FoldedCards
    side_bets: dict[Name, FoldedSideBet] = field(default_factory=dict)


class SeatOrder(Rule, frozen=True, kw_only=True):
    """In which order the seats are settled."""

    order: Around
    one_seat_at_a_time: bool


class SpotOrder(Rule, frozen=True, kw_only=True):
    """In which order the spots of one seat are settled."""

    order: Annotated[tuple[Name, ...], Meta(min_length=1)]


class BaseResult(Rule, frozen=True, kw_only=True):
    """What happens to base wagers that win, push and lose."""

    win: Literal["pay_each_wager_and_return_stakes", "pay_each_wager_and_keep_stakes"]
    push: Literal["return_stakes", "collect"]
    lose: Literal["collect", "return_stakes"]
    hand_announced: bool = False


class WhenPaid(Rule, frozen=True, kw_only=True):
    """When a progressive or envy payout is made."""

    when: Literal["completion_of_round", "with_the_seat", "with_the_qualifying_hand"]


class SettledCards(Rule, frozen=True, kw_only=True):
    """When cards go to the discard rack after settlement."""

    collect: Literal["with_each_seat"]
    kept_for_side_bets: bool
    reconstructable: bool = False


class BoxReveal(Rule, frozen=True, kw_only=True):
    """When the box cards are turned, by option, and never before the last decision."""

    never_before: Literal["fifth_street_decisions"]


class Settlement(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Taking, paying and pushing, seat by seat and spot by spot."""

    seats: SeatOrder
    spots: SpotOrder
    base: BaseResult
    cards: SettledCards
    progressive: WhenPaid | None = None
    envy: WhenPaid | None = None
    box: BoxReveal | None = None
