"""The streets: the deal, bet or fold in turn, what a fold takes, and what is turned then."""

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby, islice
from typing import Final, NamedTuple

from riverboat.core.cards import Card, check_distinct
from riverboat.core.errors import FouledDeck, Refused
from riverboat.core.money import Cents, format_cents, is_multiple
from riverboat.core.well_formed import require_kind
from riverboat.round import events as e
from riverboat.round.actions import Bet, Deal, Fold, Turn
from riverboat.round.settlement.dues import is_live
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat, apply_all
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import Stage
from riverboat.rulebook.vocabulary import SEQUENCES

Order = tuple[tuple[str, int], ...]
Places = dict[str, tuple[Card, ...]]
Deliveries = tuple[tuple[str, tuple[Card, ...]], ...]


def deal(state: Round, action: Deal) -> Iterator[e.AnyEvent]:
    """The cards are out; from here on wagers are decided."""
    if not deal_is_due(state):
        raise Refused("deal.not_now", "the deal has to wait", cites=_why_not(state))
    wanted = card_counts(state.setup, sorted(state.seats))
    given = {place: len(cards) for place, cards in action.places.items()}
    if given != wanted:
        text = f"cards for {given}; {wanted} is the deal"
        raise Refused("deal.wrong_places", text, cites=state.setup.book.deal.cites)
    cards = [card for dealt in action.places.values() for card in dealt]
    check_distinct(cards)
    book = state.setup.book
    if book.deal.burn_cards:
        yield e.CardsBurned(count=book.deal.burn_cards)
    yield e.CardsDealt(deliveries=deliveries(state.setup, action.places))
    if book.dealers_hand is not None:
        yield e.UpCardsTurned(count=book.dealers_hand.up_cards)


def deal_is_due(state: Round) -> bool:
    """Whether the cards may come now."""
    return state.phase == "ready" and not state.blocked


def _why_not(state: Round) -> tuple[str, ...]:
    progressive = state.setup.book.progressive
    if state.phase in ("closed", "locked") and progressive is not None:
        return (*progressive.lock.cites, *progressive.collection.cites)
    return state.setup.book.betting_closes.cites


def card_counts(setup: Setup, seats: Sequence[int]) -> dict[str, int]:
    """How many cards every place gets."""
    rule = setup.book.deal
    counts = {str(seat): rule.seat_cards for seat in seats}
    counts["community"] = rule.community_cards
    counts["box"] = rule.box_cards if setup.has_box else 0
    counts["dealer"] = rule.dealer_cards
    return {place: cards for place, cards in counts.items() if cards}


def sequence_of(setup: Setup) -> tuple[str, ...]:
    """In which order box, community, seats and dealer are dealt to."""
    method = setup.dealing
    match method.sequence_option:
        case "shoe_sequence" | "community_cards_dealt":
            return SEQUENCES[setup.choice(method.sequence_option)]
        case "six_card_dealing" if setup.has_box:
            return ("box", *method.sequence)
    return method.sequence


def order_of(setup: Setup, seats: Sequence[int]) -> Order:
    """The deal in order, as a place and a number of cards each time.

    A setup never changes and deals to the same seats round after round, so it keeps the answer.
    """
    kept: dict[tuple[int, ...], Order] = vars(setup).setdefault("orders", {})
    key = tuple(seats)
    if key not in kept:
        kept[key] = tuple(_in_order(setup, key))
    return kept[key]


def _in_order(setup: Setup, seats: tuple[int, ...]) -> Iterator[tuple[str, int]]:
    counts, at_a_time = card_counts(setup, seats), setup.book.deal.seat_cards
    together = setup.dealing.seat_cards == "together" or (
        setup.dealing.seat_cards == "by_option" and setup.choice("two_card_method") == "two_at_once"
    )
    around = [str(seat) for seat in sorted(seats)]
    if setup.book.deal.first == "dealers_right":
        around.reverse()
    for part in sequence_of(setup):
        if part != "seats":
            yield part, counts[part]
        elif together:
            yield from ((seat, at_a_time) for seat in around)
        else:
            yield from ((seat, 1) for _ in range(at_a_time) for seat in around)


def deliveries(setup: Setup, places: Places) -> Deliveries:
    """The deal in the order in which the cards reach their places."""
    seats = sorted(int(place) for place in places if place.isdecimal())
    left = {place: iter(cards) for place, cards in places.items()}
    order = order_of(setup, seats)
    return tuple([(place, tuple(islice(left[place], cards))) for place, cards in order])


class Pass(NamedTuple):
    """A part of the deal as a dealer calls it: to whom, how many cards each time, how often."""

    places: tuple[str, ...]
    cards: int
    times: int = 1


def passes(order: Iterable[tuple[str, int]]) -> tuple[Pass, ...]:
    """Once around the seats is one part; the same again is not told twice."""
    found: list[Pass] = []
    for place, cards in order:
        last = found[-1] if found else None
        to_seats = place.isdecimal() and last is not None and last.places[0].isdecimal()
        if last is not None and to_seats and last.cards == cards and place not in last.places:
            found[-1] = last._replace(places=(*last.places, place))
        else:
            found.append(Pass((place,), cards))
    return tuple(same._replace(times=len(list(again))) for same, again in groupby(found))


def deal_out(setup: Setup, seats: Sequence[int], deck: Sequence[Card]) -> Places:
    """Where the cards of a shuffled deck go, from the top, once the burn cards are off it."""
    require_kind(setup, Setup, "setup")
    require_kind(seats, Sequence, "seats")
    require_kind(deck, Sequence, "deck")
    check_distinct(deck)
    return place_in_order(setup, seats, deck[setup.book.deal.burn_cards :])


def place_in_order(setup: Setup, seats: Sequence[int], deck: Sequence[Card]) -> Places:
    """Where cards go that are dealt one after the other; a burn card is not among them."""
    counts = card_counts(setup, seats)
    if len(deck) < sum(counts.values()):
        raise FouledDeck("deck.wrong_count", f"{len(deck)} cards are too few for this deal")
    dealt: dict[str, tuple[Card, ...]] = {}
    left = iter(deck)
    for place, cards in order_of(setup, seats):
        dealt[place] = (*dealt.get(place, ()), *islice(left, cards))
    return dealt


_FRACTIONS: Final = "allow_fractional_multiples"
_DIGITS = 12
_MULTIPLE = re.compile(rf"[0-9]{{1,{_DIGITS}}}(\.[0-9]{{1,{_DIGITS}}})?")


def stage_of(state: Round) -> Stage:
    """The decision that the round stands at."""
    return state.setup.stages[state.stage]


def seat_to_act(state: Round) -> int | None:
    """Whose turn it is: from the dealer's left, among those still in who have not acted."""
    return state.waiting[0] if state.phase == "deciding" else None


def bet(state: Round, action: Bet) -> Iterator[e.AnyEvent]:
    """A seat stays in for an allowed multiple of its ante."""
    seat = _require_turn(state, action.seat)
    stage = stage_of(state)
    _require_multiple(state.setup, stage, seat.wagers["ante"], action.cents)
    placed: list[e.AnyEvent] = []
    if action.tip_cents:
        _require_tip(state.setup, seat, stage, action.tip_cents)
        tip = f"tip_{stage.spot}"
        placed.append(e.WagerPlaced(seat=action.seat, spot=tip, cents=action.tip_cents))
    placed.append(e.StreetBet(seat=action.seat, spot=stage.spot, cents=action.cents))
    yield from placed
    yield from collect_if_all_acted(state, placed)


def fold(state: Round, action: Fold) -> Iterator[e.AnyEvent]:
    """A seat withdraws; its base wagers are lost, and what else the rulebook says."""
    _require_turn(state, action.seat)
    done: list[e.AnyEvent] = [e.Folded(seat=action.seat)]
    if state.setup.book.fold.collection.when == "at_once":
        done += collect_fold(state, action.seat)
    yield from done
    yield from collect_if_all_acted(state, done)


def _require_turn(state: Round, number: int) -> Seat:
    turn = seat_to_act(state)
    if turn is None:
        raise Refused("bet.not_now", "there is no decision to make now", cites=())
    if number != turn:
        text = f"seat {number} acts out of turn; it is seat {turn}'s"
        raise Refused("bet.out_of_turn", text, cites=state.setup.book.acting.cites)
    return state.seats[number]


def allowed_bets(stage: Stage, ante_cents: Cents) -> tuple[Cents, ...]:
    """The whole multiples that may be bet."""
    return tuple([ante_cents * multiple for multiple in stage.multiples])


def parse_multiple(text: str) -> Fraction | None:
    """So many times the ante, as people write it: 3 or 1.5. None for anything else."""
    return Fraction(text) if _MULTIPLE.fullmatch(text) else None


def bet_cents(setup: Setup, stage: Stage, ante_cents: Cents, multiple: Fraction | int) -> Cents:
    """What so many times the ante comes to. What is no whole number of cents cannot be bet, and is
    never cut to what can."""
    cents = multiple * ante_cents
    if cents != int(cents):
        raise _bad_bet(setup, stage, ante_cents, _show_multiple(multiple))
    return int(cents)


def _show_multiple(multiple: Fraction | int) -> str:
    """As it was written: every digit that `parse_multiple` reads."""
    whole = int(multiple)
    rest = int((multiple - whole) * 10**_DIGITS)
    return f"{whole}.{rest:0{_DIGITS}}".rstrip("0").rstrip(".") + "x"


def _require_multiple(setup: Setup, stage: Stage, ante_cents: Cents, cents: Cents) -> None:
    allowed = allowed_bets(stage, ante_cents)
    between = setup.flag(_FRACTIONS) and allowed[0] <= cents <= allowed[-1]
    if cents not in allowed and not (between and is_multiple(cents, setup.limits.unit_cents)):
        raise _bad_bet(setup, stage, ante_cents, format_cents(cents))


def _bad_bet(setup: Setup, stage: Stage, ante_cents: Cents, offered: str) -> Refused:
    """What was offered at a decision, and what is allowed there: whole multiples, or what lies
    between them in the wager's unit. A reading that the option sets aside is not cited then."""
    named = stage.label if stage.label == "Bet" else f"{stage.label} bet"
    allowed, cites = ", ".join(f"{multiple}x" for multiple in stage.multiples), stage.bet_cites
    if setup.flag(_FRACTIONS):
        unit = format_cents(setup.limits.unit_cents)
        least, most = stage.multiples[0], stage.multiples[-1]
        allowed = f"with {_FRACTIONS} {least}x to {most}x in units of {unit}"
        aside = setup.book.ambiguities.keys() & setup.book.options[_FRACTIONS].cites
        cites = (*(cite for cite in cites if cite not in aside), *setup.limits.unit_cites)
    text = f"{named} of {offered} on an ante of {format_cents(ante_cents)}; {allowed} is allowed"
    return Refused("bet.bad_multiple", text, cites=cites)


def _require_tip(setup: Setup, seat: Seat, stage: Stage, cents: Cents) -> None:
    tips = setup.book.tips
    if cents not in allowed_tips(setup, seat, stage):
        listed = ", ".join(f"{multiple}x" for multiple in tips.street_multiples)
        text = f"a tip of {format_cents(cents)} on {stage.label}; {listed} of the tip on the ante"
        raise Refused("tip.bad_multiple", text, cites=tips.cites)


def allowed_tips(setup: Setup, seat: Seat, stage: Stage) -> tuple[Cents, ...]:
    """What may be added for the dealer: multiples of the tip on the ante, where there is one."""
    tips, tip_ante = setup.book.tips, seat.wagers.get("tip_ante", 0)
    if stage.spot not in tips.on or not tip_ante:
        return ()
    return tuple(tip_ante * multiple for multiple in tips.street_multiples)


def collect_if_all_acted(state: Round, done: list[e.AnyEvent]) -> Iterator[e.AnyEvent]:
    """Where folds are collected together, that happens in fold order when all have acted."""
    if state.setup.book.fold.collection.when == "at_once" or len(state.waiting) > 1:
        return
    after = apply_all(state, tuple(done))
    for number in after.folds if after.phase == "turning" else ():
        yield from collect_fold(after, number)


def collect_fold(state: Round, number: int) -> Iterator[e.AnyEvent]:
    """The lost wagers go to the tray; the cards go too, or stay for a side bet that does not."""
    setup, seat = state.setup, state.seats[number]
    lost = [bet for bet in setup.bonuses if bet in seat.wagers and bet in setup.lost_by_fold]
    if seat.lit and "progressive" in setup.lost_by_fold:
        lost.append("progressive")
    forfeits = stage_of(state).forfeits
    gone = [lying for lying in seat.wagers.items() if lying[0].removeprefix("tip_") in forfeits]
    kept = [bet for bet in setup.bonuses if bet in seat.wagers and bet not in lost]
    # A chip that went at the lock and not with the fold may keep cards although the bet is lost.
    if seat.lit and (setup.book.fold.cards.kept_if == "side_bet_made" or "progressive" not in lost):
        kept.append("progressive")
    yield e.FoldCollected(seat=number, spots=tuple(gone), cards_kept=bool(kept))
    for bet in lost:
        yield e.SideBetLost(seat=number, spot=bet, cents=seat.wagers.get(bet, 0))


def has_live_side_bet(state: Round) -> bool:
    """Whether some wager that the covered cards decide can still win although nobody is in."""
    setup, seats = state.setup, [s for s in state.seats.values() if s.status != "forfeit"]
    # A bonus on the seat's own cards waits for none of the board.
    own = [bet for bet in setup.bonuses if setup.side_bets[bet].places == ("seat",)]
    waits = set(setup.bonuses) - set(own if state.community else ())
    return any(is_live(setup, seat) or waits & seat.wagers.keys() for seat in seats)


def turns_on(state: Round) -> bool:
    """Whether the rest is turned although nobody is in."""
    reveal = state.setup.book.everybody_folds.reveal
    return reveal == "always" or (reveal != "never" and has_live_side_bet(state))


def turn(state: Round, action: Turn) -> Iterator[e.AnyEvent]:
    """The next community card, or all that is left when nobody decides any more."""
    if state.phase != "turning":
        cites = stage_of(state).reveal_cites if state.stage < len(state.setup.stages) else ()
        raise Refused("turn.not_now", "not every seat has acted", cites=cites)
    book = state.setup.book
    anybody_in = any(seat.status == "in" for seat in state.seats.values())
    if not anybody_in and not turns_on(state):
        yield e.SettlementBegun()
        return
    stages = state.setup.stages
    until = state.stage + 1 if anybody_in else len(stages)
    turned = [event for stage in stages[state.stage : until] for event in _reveal(book, stage)]
    yield from turned
    if until >= len(stages) or not turned:
        if state.box and state.setup.choice("six_card_reveal") == "settlement_start":
            yield e.BoxTurned()
        yield e.SettlementBegun()


def _reveal(book: Rulebook, stage: Stage) -> Iterator[e.AnyEvent]:
    """What is turned after a decision."""
    for number in stage.reveals:
        yield e.CommunityTurned(number=number)
    if stage.turns == "dealer":
        hand = book.dealers_hand
        yield e.DealersHandTurned(announced=hand is not None and hand.announced)
