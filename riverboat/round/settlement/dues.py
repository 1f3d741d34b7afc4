"""What every spot is owed at settlement, in the rulebook's order, and why."""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core import money
from riverboat.core.cards import Card
from riverboat.core.hand_kinds import FIVE_CARD, kind_of_five, ranked
from riverboat.core.hands import FiveCardHand, Kind, Ranked
from riverboat.core.money import Cents, divide_down, round_to_unit
from riverboat.meter.amounts import Meter
from riverboat.meter.operations import Share, share_out
from riverboat.round.events import Outcome
from riverboat.round.setup.setup import ProgressiveSetup, Setup
from riverboat.round.state import Round, Seat
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line
from riverboat.rulebook.play import NOT_QUALIFIED, ComparisonLine
from riverboat.rulebook.values import Pays


class Due(Struct, frozen=True, kw_only=True):
    """One thing that the dealer has to do at settlement, in its place in the order.

    What a share of the meter comes to, the meter says: the table's own, or the link's when the
    award is fixed there.
    """

    seat: int
    spot: str
    outcome: Outcome
    kind: Kind
    line: Line | ComparisonLine
    pays: Pays
    cites: tuple[str, ...]
    stake_cents: Cents = 0
    exact_cents: Cents = 0
    paid_cents: Cents = 0
    stake_returned: bool = True
    source: Literal["tray", "cage"] = "tray"
    to: Literal["player", "tip_box", "stays"] = "player"
    share: Share | None = None
    for_seat: int = 0
    capped: bool = False

    @property
    def hand(self) -> str:
        """The name of the hand that decides it."""
        return self.kind.hand

    @property
    def percent(self) -> int:
        """How much of the meter it is, where it is a share of that."""
        return self.share.percent if self.share is not None else 0

    @property
    def given_cents(self) -> Cents:
        """What the player is given, stake included."""
        back = self.outcome != "lose" and self.stake_returned and self.to != "stays"
        return self.paid_cents + (self.stake_cents if back else 0)


def is_shared_limit(setup: Setup, reading: str) -> bool:
    """Whether the limit, read in this way, is for all hands of the deal together."""
    return setup.book.aggregate_limit.scope == "round" or reading == "table_round"


def falls_under_limit(setup: Setup, due: Due) -> bool:
    """Whether a payout falls under the limit."""
    rule = setup.book.aggregate_limit
    if due.outcome != "win" or due.pays.kind != "to":
        return False
    if rule.from_odds is not None and due.pays.amount < rule.from_odds * due.pays.per:
        return False
    if due.spot.startswith("tip_"):
        return "tips" in rule.counts and due.spot.removeprefix("tip_") in setup.base_spots
    return due.spot in setup.base_spots or due.spot in rule.counts


def limited(setup: Setup, dues: list[Due]) -> list[Due]:
    """The same dues with the limit applied to those that it counts."""
    if setup.aggregate_limit_cents is None:
        return dues
    by_seat: dict[int, list[int]] = {}
    for place, due in enumerate(dues):
        if falls_under_limit(setup, due):
            by_seat.setdefault(due.seat, []).append(place)
    won = {seat: [dues[place].exact_cents for place in by_seat[seat]] for seat in by_seat}
    raw = {seat: sum(weights) for seat, weights in won.items()}
    limited = list(dues)
    for seat, whole in left_by_limit(setup, raw, setup.choice("cap_scope")).items():
        shares = money.share_by_largest_remainder(whole, won[seat], setup.payout_unit_cents)
        for place, cents in zip(by_seat[seat], shares, strict=True):
            paid = setup.payable(cents)
            limited[place] = replace(dues[place], exact_cents=cents, paid_cents=paid, capped=True)
    return limited


def left_by_limit(setup: Setup, raw: Mapping[int, Cents], reading: str) -> dict[int, Cents]:
    """What each seat that the limit cuts may win, in whole units, where it is read in this way."""
    limit = setup.aggregate_limit_cents
    assert limit is not None
    if not is_shared_limit(setup, reading):
        left = {seat: limit for seat, cents in raw.items() if cents > limit}
    elif sum(raw.values()) <= limit:
        return {}
    else:
        pot = round_to_unit(limit, unit := setup.cents("pro_rata_unit") or 1, divide_down)
        shares = money.share_by_largest_remainder(pot, list(raw.values()), unit)
        left = dict(zip(raw, shares, strict=True))
    unit = setup.payout_unit_cents
    return {seat: round_to_unit(cents, unit, divide_down) for seat, cents in left.items()}


LOSE = Pays.parse("lose")


class Winner(NamedTuple):
    """A live progressive wager and the line that its hand meets."""

    seat: int
    kind: Kind
    line: Line


def is_live(setup: Setup, seat: Seat) -> bool:
    """Whether a seat's accepted progressive wager can still win."""
    if not seat.lit or seat.status == "forfeit":
        return False
    return seat.status == "in" or "progressive" not in setup.lost_by_fold


def progressive_dues(setup: Setup, winners: Sequence[Winner], meter: Meter) -> dict[int, Due]:
    """What each live progressive wager is owed; shares of the meter are what that gives."""
    progressive, rule = setup.progressive, setup.book.progressive
    assert progressive is not None
    assert rule is not None
    dues: dict[int, Due] = {}
    winning = FIVE_CARD[: FIVE_CARD.index(rule.winning.lowest) + 1]
    for winner in winners:
        pays = winner.line.pays if winner.kind.hand in winning else LOSE
        exact = setup.winnings(progressive.wager_cents, pays)
        dues[winner.seat] = Due(
            seat=winner.seat,
            spot="progressive",
            outcome="win" if pays.wins else "lose",
            kind=winner.kind,
            line=winner.line,
            pays=pays,
            cites=winner.line.cites,
            exact_cents=exact,
            paid_cents=setup.payable(exact),
        )
    groups = _sharing(setup, [winner for winner in winners if winner.line.pays.kind == "meter"])
    sizes = [(group[0].line.pays.amount, len(group)) for group in groups]
    shared = share_out(meter, progressive.seed_cents, sizes, setup.choice("rounding_mode"))
    for group, shares in zip(groups, shared, strict=True):
        for winner, share in zip(group, shares, strict=True):
            due = replace(dues[winner.seat], share=share)
            dues[winner.seat] = as_given(setup, due, share.cents)
    return dues


def _sharing(setup: Setup, winners: list[Winner]) -> list[list[Winner]]:
    """The winners of shares in the order in which they get them; those of one list share alike."""
    policy = setup.choice("multi_winner_policy")
    if policy == "sequential":
        return [[winner] for winner in winners]
    by_percent: dict[int, list[Winner]] = {}
    for winner in sorted(winners, key=lambda winner: -winner.line.pays.amount):
        by_percent.setdefault(winner.line.pays.amount, []).append(winner)
    if policy == "highest_first":
        return [[winner] for group in by_percent.values() for winner in group]
    return list(by_percent.values())


def as_given(setup: Setup, due: Due, cents: Cents) -> Due:
    """A share of the meter with the amount that its meter, the table's own or a link, has given."""
    return replace(
        due,
        exact_cents=cents,
        paid_cents=setup.payable(cents),
        source=share_source(setup, due.percent, cents),
    )


def share_source(setup: Setup, percent: int, cents: Cents) -> Literal["tray", "cage"]:
    """From where a share of the meter is paid: off the tray, unless it is a small one."""
    threshold = setup.cents("off_tray_threshold") or 0
    off_tray = percent == 100 or "off_tray_threshold" not in setup.settings or cents >= threshold
    return "cage" if off_tray else "tray"


def envy_dues(state: Round, kinds: dict[int, Kind], holders: Sequence[int]) -> list[Due]:
    """What every bettor is owed for the hands of these other seats."""
    setup = state.setup
    progressive, rule = setup.progressive, setup.book.progressive
    if progressive is None or rule is None:
        return []
    qualifying = [seat for seat in holders if triggers_envy(state, seat, kinds)]
    lost = ("forfeit", "folded") if "envy" in setup.lost_by_fold else ("forfeit",)
    dues = []
    for number, seat in sorted(state.seats.items(), reverse=True) if qualifying else ():
        if seat.lit and seat.status not in lost:
            own = rule.envy.for_own_hand
            others = [holder for holder in qualifying if own or not _own(state, number, holder)]
            for holder in others if rule.envy.per_qualifying_hand else others[:1]:
                dues.append(_envy_due(setup, progressive, number, holder, kinds[holder]))
    return dues


def _own(state: Round, number: int, holder: int) -> bool:
    """Whether a hand is the player's own, at this seat or at another one of his."""
    player = state.seats[number].player
    return holder == number or bool(player and player == state.seats[holder].player)


def _envy_due(
    setup: Setup, progressive: ProgressiveSetup, seat: int, holder: int, kind: Kind
) -> Due:
    line = setup.lines["envy"][kind]
    rule = setup.book.progressive
    assert rule is not None
    wagered = line.pays.amount * progressive.wager_cents
    exact = money.divide_exact(wagered, progressive.envy_per_cents)
    return Due(
        seat=seat,
        spot="envy",
        outcome="win",
        kind=kind,
        line=line,
        pays=line.pays,
        cites=(*line.cites, *rule.envy.cites),
        exact_cents=exact,
        paid_cents=setup.payable(exact),
        for_seat=holder,
    )


def triggers_envy(state: Round, number: int, kinds: dict[int, Kind]) -> bool:
    """Whether a seat's hand is one that others are paid for."""
    setup, seat = state.setup, state.seats[number]
    rule = setup.book.progressive
    if rule is None or number not in kinds or kinds[number].hand not in rule.envy.hands:
        return False
    if setup.flag("holder_must_bet_for_envy") and not seat.lit:
        return False
    if seat.status == "folded":
        return seat.lit and seat.cards_kept and setup.flag("folded_hand_triggers_envy")
    return seat.status == "in"


Decided: TypeAlias = tuple[Kind, Line | ComparisonLine]
"""A hand, and the line of a pay table or of the showdown that it is paid by."""
ACE_KING = Ranked(FiveCardHand.HIGH_CARD, (12, 11))


def dues(state: Round) -> tuple[Due, ...]:
    """Everything that is owed, in order.

    A state never changes and is asked again at every spot, so it keeps the answer.
    """
    kept: dict[str, tuple[Due, ...]] = vars(state)
    if "dues" not in kept:
        kept["dues"] = _reckoned(state)
    return kept["dues"]


def _reckoned(state: Round) -> tuple[Due, ...]:
    kinds, setup = hand_kinds(state), state.setup
    settlement = setup.book.settlement
    from_right = settlement.seats.order == "dealers_right_to_left"
    numbers = sorted(state.seats, reverse=from_right)
    progressive = _progressive(state, kinds)
    at_the_end = settlement.progressive and settlement.progressive.when == "completion_of_round"
    with_hand = settlement.envy and settlement.envy.when == "with_the_qualifying_hand"
    plan: list[Due] = []
    for number in numbers:
        seat, base = state.seats[number], _base_line(state, number, kinds)
        for spot in settlement.spots.order:
            if spot == "progressive":
                plan += [progressive[number]] if number in progressive else []
                plan += envy_dues(state, kinds, [number]) if with_hand else []
            elif spot in seat.wagers:
                found = _bonus_line(state, seat, spot) if spot in setup.bonuses else base
                if found is not None:
                    lying = [one for one in (spot, f"tip_{spot}") if one in seat.wagers]
                    plan += [_due(setup, number, seat, one, found) for one in lying]
    if at_the_end:
        awards = [progressive[number] for number in numbers if number in progressive]
        if setup.choice("multi_winner_policy") != "sequential":
            awards.sort(key=lambda due: -due.percent)
        plan += awards
    if not with_hand:
        plan += envy_dues(state, kinds, numbers)
    return tuple(limited(setup, plan))


def hand_kinds(state: Round) -> dict[int, Kind]:
    """The base game's hand of every seat whose cards are still there and complete."""
    places = state.setup.book.hands.five.made_of
    if "community" in places and state.turned < len(state.community):
        return {}
    board = state.community if "community" in places else ()
    return {
        number: kind_of_five(seat.cards + board)
        for number, seat in state.seats.items()
        if seat.cards_kept and seat.cards
    }


def bonus_kind(state: Round, seat: Seat, bet: str) -> Kind:
    """The hand that decides a side bet of a seat: the cards of the rulebook's places for it."""
    side_bet = state.setup.side_bets[bet]
    cards: tuple[Card, ...] = ()
    for place in side_bet.places:
        cards += seat.cards if place == "seat" else getattr(state, place)
    return side_bet.hand.kind_of(cards, state.setup.flag("three_card_ace_low"))


def _progressive(state: Round, kinds: dict[int, Kind]) -> dict[int, Due]:
    rule = state.setup.book.progressive
    if state.setup.progressive is None or rule is None:
        return {}
    lines = state.setup.lines["progressive"]
    from_right = rule.several_winners.order == "dealers_right_to_left"
    winners = [
        Winner(number, kind, lines[kind])
        for number, kind in sorted(kinds.items(), reverse=from_right)
        if is_live(state.setup, state.seats[number])
    ]
    return progressive_dues(state.setup, winners, state.meter)


def _base_line(state: Round, number: int, kinds: dict[int, Kind]) -> Decided | None:
    """The hand of a seat and the line that its base wagers are paid by; nothing for one not in."""
    seat = state.seats[number]
    if seat.status != "in" or number not in kinds:
        return None
    kind, book = kinds[number], state.setup.book
    if book.comparison is None:
        return kind, state.setup.lines["base"][kind]
    return kind, _showdown_line(book, seat.cards, state.dealer)


def _showdown_line(
    book: Rulebook, cards: tuple[Card, ...], dealers_cards: tuple[Card, ...]
) -> ComparisonLine:
    """The line for a hand against the dealer's, where the dealer has one."""
    assert book.comparison is not None
    assert book.dealers_hand is not None
    mine, dealers = ranked(cards), ranked(dealers_cards)
    outcome = "tie" if mine == dealers else "player_wins" if mine > dealers else "dealer_wins"
    if book.dealers_hand.qualifies == "with_ace_king" and dealers < ACE_KING:
        outcome = NOT_QUALIFIED
    for line in book.comparison.lines:
        if line.outcome == outcome and (not line.hands or mine.hand.label in line.hands):
            return line
    raise AssertionError(f"no line of {book.comparison.id} is for {outcome}")


def _bonus_line(state: Round, seat: Seat, spot: str) -> Decided | None:
    """The hand and the line that a bonus goes by, also of a seat that folded, if it is live."""
    lost = seat.status == "folded" and spot in state.setup.lost_by_fold
    if lost or seat.status == "forfeit":
        return None
    kind = bonus_kind(state, seat, spot)
    return kind, state.setup.lines[spot][kind]


def _due(setup: Setup, number: int, seat: Seat, spot: str, by: Decided) -> Due:
    kind, line = by
    pays = line.pays if isinstance(line, Line) else line.pays[spot.removeprefix("tip_")]
    exact, fixed = setup.winnings(seat.wagers[spot], pays), pays.kind == "dollars"
    off_tray = fixed and exact >= (setup.cents("off_tray_threshold") or 0)
    outcome: Outcome = "win" if pays.wins else "push" if pays.kind == "push" else "lose"
    returned = not fixed or setup.flag("six_card_stake_returned")
    if spot in setup.base_spots:
        outcome, returned = setup.base_results[outcome]
    return Due(
        seat=number,
        spot=spot,
        outcome=outcome,
        kind=kind,
        line=line,
        pays=pays,
        cites=line.cites,
        stake_cents=seat.wagers[spot],
        exact_cents=exact,
        paid_cents=setup.payable(exact),
        stake_returned=returned,
        source="cage" if off_tray else "tray",
        to=_tip_goes_to(setup, outcome) if spot.startswith("tip_") else "player",
    )


def _tip_goes_to(setup: Setup, outcome: Outcome) -> Literal["player", "tip_box", "stays"]:
    """A tip that wins goes to the box; one that pushes goes as the option says."""
    pushed = setup.choice("tip_push")
    if outcome == "win" or (outcome == "push" and pushed == "box"):
        return "tip_box"
    return "stays" if outcome == "push" and pushed == "stays" else "player"
