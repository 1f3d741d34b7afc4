"""What happens in a round, in the words of a pit log."""

from collections.abc import Callable

from riverboat import events as r
from riverboat.cards import show_cards
from riverboat.days.grounds import Told
from riverboat.days.round_grounds import folded_stage
from riverboat.games.incidents import OUT_OF_BOUNDS
from riverboat.games.paid_from import correction_words
from riverboat.games.round import Round
from riverboat.games.table_talk import (
    held,
    label_of,
    listed,
    named_seats,
    sentence,
    stakes_together,
)
from riverboat.money import METER_UNITS_PER_CENT, divide_down, format_cents
from riverboat.table.rounds import count_is_due

INCIDENTS = {
    "wrong_card_count": "WRONG NUMBER OF CARDS DEALT",
    "exposed_player_card": "PLAYER'S CARD EXPOSED",
    "exposed_community_card": "COMMUNITY CARD EXPOSED",
    "face_up_cards": "CARD FACE UP IN THE DECK",
    "card_drawn_in_error": "CARD DRAWN IN ERROR",
    "shuffler_jam": "SHUFFLER JAMMED",
    "shoe_jam": "SHOE JAMMED IN THE DEAL",
    "deck_count": "WRONG COUNT",
    "shares_hand": "HAND SHARED",
    "leaves_table": "PLAYER LEFT THE TABLE",
    "touches_cards": "ANOTHER PLAYER'S CARDS TOUCHED",
    "cards_out_of_view": "CARDS OUT OF THE DEALER'S VIEW",
    "late_progressive_chip": "PROGRESSIVE CHIP TOO LATE",
    "progressive_chip_mismatch": "PROGRESSIVE CHIPS AND LIGHTS DIFFER",
}
CONSEQUENCES = {
    "void_round": "all hands void, all wagers go back",
    "void": "all hands void, all wagers go back",
    "continue": "play goes on",
    "leave_card_out": "the card is not used and goes to the discard rack",
    "use_as_next_card": "it is used as the next card",
    "not_accepted": "not accepted",
    "deal_blocked": "the deal waits for a supervisor",
    "no_rule": "the document has no rule for it; play goes on",
    "no_offence": "no offence",
    "forfeits_all_wagers": "all its wagers are forfeited",
    "leaves": "it folds at its next decision",
    "wagers_taken_back": "the player takes the wagers back and leaves",
    **{why: f"nothing follows, for {words}" for why, words in OUT_OF_BOUNDS.items()},
    "warning": "noted",
    "reminder": "the player is reminded; play goes on",
}
_ERRORS = {
    "over": "too much paid",
    "under": "too little paid",
    "out_of_order": "settled out of order",
    "wrong_spot": "nothing to settle there",
}
_PLACES = {
    "community": "{} community cards",
    "box": "{} to the six card box",
    "dealer": "{} to the dealer",
}
REASONS = {"interrupted": "play was interrupted", "nobody bets": "nobody bets"}


def seat_name(state: Round, told: Told, number: int) -> str:
    """A seat with its player's name."""
    seat = state.seats.get(number)
    name = (seat.player if seat else "") or told.before.seated.get(number, "")
    return f"seat {number} {name}".strip()


def meter_words(state: Round, before: str = "") -> str:
    """What the table's own meter shows, after a sign that leads to it; of a link, its own record
    says it."""
    if state.link.status == "not_open":
        return ""
    return f"{before}the meter shows {format_cents(state.meter.cents)}"


def _opened(state: Round) -> str:
    return f"Bets are open{meter_words(state, '; ')}"


def incident_words(event: r.IncidentNoted, card: str = "") -> str:
    """What went wrong, perhaps with which card, and what follows from it."""
    what = INCIDENTS.get(event.what, event.what.replace("_", " ").upper())
    if event.what == "face_up_cards" and (event.count > 1 or event.consequence == "void_round"):
        what = "MORE THAN ONE CARD FACE UP IN THE DECK"
    if event.what == "deck_count":
        what = f"{event.count} CARDS IN THE DECK"
    where = [card] if card else []
    where += [f"seat {event.seat}"] if event.seat else []
    where += [event.place.replace("_", " ")] if event.place else []
    then = CONSEQUENCES.get(event.consequence, event.consequence.replace("_", " "))
    return f"{what}{', ' if where else ''}{', '.join(where)}: {then}"


def fold_words(state: Round, told: Told, event: r.FoldCollected) -> str:
    """What a fold takes, and where the cards go."""
    lost = stakes_together(state.setup.book, event.spots)
    cards = "cards kept for the side bet" if event.cards_kept else "cards to the discard rack"
    return f"{lost} into the tray, {cards}"


def bet_words(state: Round, event: r.StreetBet) -> str:
    """A street bet with its multiple of the ante."""
    ante = state.seats[event.seat].wagers.get("ante", 0) or event.cents
    times = divide_down(event.cents, ante)
    return f"bets {format_cents(event.cents)} ({times}x)"


def burned_words(event: r.CardsBurned) -> str:
    """Burn cards: how many, and that nobody knows which."""
    return f"{event.count} card{'s' * (event.count != 1)} burned unseen"


def dealt_words(event: r.CardsDealt, told: Told) -> str:
    """The deal as a count for every place; whose cards they are is nobody's business yet."""
    counts: dict[str, int] = {}
    for place, cards in event.deliveries:
        counts[place] = counts.get(place, 0) + len(cards)
    seats = sorted(int(place) for place in counts if place.isdecimal())
    each = {counts[str(seat)] for seat in seats}
    first_seat = next((place for place in counts if place.isdecimal()), "")
    parts = [
        f"{each.pop()} cards face down to {named_seats(seats)}"
        if place == first_seat
        else _PLACES[place].format(n)
        for place, n in counts.items()
        if place == first_seat or not place.isdecimal()
    ]
    *first, last = parts
    dealt = f"Dealt {', '.join(first)}, and {last}" if first else f"Dealt {last}"
    unexposed = _state(told).setup.dealing.stub.goes == "discard_rack_unexposed"
    goes = unexposed and not count_is_due(told.after)
    return f"{dealt}; the stub into the discard rack unexposed" if goes else dealt


def _state(told: Told) -> Round:
    state = told.after.round
    assert state is not None
    return state


def _wager(told: Told) -> str:
    event = told.event
    state = _state(told)
    bet = stakes_together(state.setup.book, [(event.spot, event.cents)])
    return sentence(f"{seat_name(state, told, event.seat)} bets {bet}")


def _taken_back(told: Told) -> str:
    event = told.event
    state = _state(told)
    bet = stakes_together(state.setup.book, [(event.spot, event.cents)])
    return sentence(f"{seat_name(state, told, event.seat)} takes back {bet}")


def _closed(told: Told) -> str:
    say = _state(told).setup.book.betting_closes.announce
    return f"“{sentence(say)}” announced; betting is closed" if say else "Betting is closed"


def locked_words(event: r.ProgressiveLocked) -> str:
    """Which lights are on."""
    if not event.seats:
        return "Progressive locked; no light is on"
    lights = listed([str(seat) for seat in event.seats])
    return f"Progressive locked; light{'s' * (len(event.seats) > 1)} on at {lights}"


def _contributed(told: Told) -> str:
    event = told.event
    cents = divide_down(event.units, METER_UNITS_PER_CENT)
    return f"{format_cents(cents)} to the meter{meter_words(_state(told), '; ')}"


def collected_words(event: r.ProgressiveCollected, state: Round) -> str:
    """The progressive chips on their way into the tray."""
    count = len(event.seats)
    if not count:
        return "no progressive chip to collect"
    chips = f"{count} progressive chip{'s' * (count > 1)} of {format_cents(event.cents_each)}"
    rules = state.setup.book.progressive
    if rules is not None and rules.collection.count_in_front_of_tray:
        return f"{chips} counted in front of the tray and put into it"
    return f"{chips} put into the tray"


def reversed_words(event: r.ContributionReversed, state: Round) -> str:
    """What a void takes off the meter again, and what the house bears of it."""
    taken = format_cents(divide_down(event.units, METER_UNITS_PER_CENT))
    short = divide_down(event.shortfall_units, METER_UNITS_PER_CENT)
    borne = f", the house bears {format_cents(short)}" if short else ""
    return f"{taken} of contributions taken back{borne}{meter_words(state, ', ')}"


def _corrected_card(told: Told) -> str:
    event = told.event
    card = show_cards([event.card])
    return (
        f"Card {event.number} of {event.place} had been misreported: it is {card} ({event.reason})"
    )


def _street_bet(told: Told) -> str:
    event = told.event
    state = _state(told)
    label = label_of(state.setup.book, event.spot)
    return sentence(f"{label}: {seat_name(state, told, event.seat)} {bet_words(state, event)}")


def _folded(told: Told) -> str:
    event = told.event
    state = _state(told)
    stage = folded_stage(state, event.seat)
    return f"{stage.label}: {seat_name(state, told, event.seat)} folds"


def _fold_collected(told: Told) -> str:
    event = told.event
    return f"Seat {event.seat}'s fold: {fold_words(_state(told), told, event)}"


def _side_bet_lost(told: Told) -> str:
    event = told.event
    label = label_of(_state(told).setup.book, event.spot)
    return f"Seat {event.seat}'s fold loses the {label} as well"


def turned_words(state: Round, number: int) -> str:
    """A community card as it lies open."""
    card = show_cards([state.community[number - 1]])
    return f"community card {number} turned: {card}"


def dealers_words(state: Round) -> str:
    """The dealer's whole hand."""
    return f"dealer's hand turned: {show_cards(state.dealer)}"


def _announced(told: Told) -> str:
    event = told.event
    return f"Seat {event.seat}: “{event.hand.replace('_', ' ')}” announced"


def settled_words(state: Round, event: r.SpotSettled) -> str:
    """One spot taken, paid or pushed. A progressive chip that was collected before the deal lies
    in the tray: its spot has no stake any more."""
    label = label_of(state.setup.book, event.spot)
    bet = f"{label} {format_cents(event.stake_cents)}" if event.stake_cents else label
    match event.outcome:
        case "lose":
            return f"{bet} taken" if event.stake_cents else f"{bet} loses"
        case "push":
            return f"{bet} pushes"
    source = "" if event.source == "tray" else " from the cage"
    return f"{bet} pays {format_cents(event.paid_cents)}{source}"


def _settled(told: Told) -> str:
    event = told.event
    state = _state(told)
    return sentence(f"{seat_name(state, told, event.seat)}: {settled_words(state, event)}")


def _awarded(told: Told) -> str:
    event = told.event
    share = f"{event.percent}% of the meter"
    reset = meter_words(_state(told), "; the meter is reset, ") if event.resets else ""
    paid = format_cents(event.paid_cents)
    return f"Seat {event.seat}: {share} for {held(event.hand)}, {paid}{reset}"


def _envy(told: Told) -> str:
    event = told.event
    return f"Seat {event.seat}: envy {format_cents(event.cents)} for seat {event.for_seat}'s hand"


def _forfeited(told: Told) -> str:
    event = told.event
    lost = stakes_together(_state(told).setup.book, event.spots)
    return f"Seat {event.seat} forfeits {lost or 'nothing more'}"


def void_words(event: r.RoundVoided, number: int) -> str:
    """A round that does not count."""
    reason = REASONS.get(event.reason, event.reason.replace("_", " "))
    return f"ROUND {number} VOID: {reason}"


def _returned(told: Told) -> str:
    event = told.event
    back = stakes_together(_state(told).setup.book, [(event.spot, event.cents)])
    source = " from the tray" if event.source == "tray" else ""
    return f"Seat {event.seat}: {back} goes back{source}"


def _reversed(told: Told) -> str:
    event = told.event
    label = label_of(_state(told).setup.book, event.spot)
    return f"Seat {event.seat}: {format_cents(event.cents)} paid on {label} is taken back"


def erred_words(event: r.DealerErred, state: Round) -> str:
    """A dealer's mistake: what was owed, what was given."""
    owed, given = format_cents(event.owed_cents), format_cents(event.given_cents)
    where = f"seat {event.seat}, {label_of(state.setup.book, event.spot)}"
    return f"DEALER'S ERROR, {_ERRORS[event.error]}, {where}: {given} given, {owed} owed"


def corrected_words(event: r.PayoutCorrected, state: Round) -> str:
    """A payout made good."""
    label = label_of(state.setup.book, event.spot)
    done, _ = correction_words(state.setup.book, event)
    return f"Corrected: seat {event.seat}, {label}: {done} ({event.reason})"


ROUND_WORDS: dict[type, Callable[[Told], str]] = {
    r.RoundOpened: lambda told: _opened(_state(told)),
    r.WagerPlaced: _wager,
    r.WagerTakenBack: _taken_back,
    r.BettingClosed: _closed,
    r.ProgressiveLocked: lambda told: locked_words(told.event),
    r.MeterContributed: _contributed,
    r.ProgressiveCollected: lambda told: sentence(collected_words(told.event, _state(told))),
    r.CardsBurned: lambda told: burned_words(told.event),
    r.CardsDealt: lambda told: dealt_words(told.event, told),
    r.CardCorrected: _corrected_card,
    r.StreetBet: _street_bet,
    r.Folded: _folded,
    r.FoldCollected: _fold_collected,
    r.SideBetLost: _side_bet_lost,
    r.CommunityTurned: lambda told: sentence(turned_words(_state(told), told.event.number)),
    r.BoxTurned: lambda told: f"Box cards turned: {show_cards(_state(told).box)}",
    r.UpCardsTurned: lambda told: (
        f"Dealer's up card: {show_cards(_state(told).dealer[: _state(told).up_cards])}"
    ),
    r.DealersHandTurned: lambda told: sentence(dealers_words(_state(told))),
    r.SettlementBegun: lambda told: "Settlement begins",
    r.HandAnnounced: _announced,
    r.SpotSettled: _settled,
    r.MeterAwarded: _awarded,
    r.EnvyPaid: _envy,
    r.SeatForfeited: _forfeited,
    r.IncidentNoted: lambda told: incident_words(told.event),
    r.DealBlocked: lambda told: f"The deal waits: {told.event.reason}",
    r.TableSuspended: lambda told: "TABLE SUSPENDED: no further round may start",
    r.DeckRemoved: lambda told: sentence(f"{told.before.round_deck} deck removed from the table"),
    r.RoundVoided: lambda told: void_words(told.event, told.after.round_number),
    r.WagerReturned: _returned,
    r.PayoutReversed: _reversed,
    r.AwardBackedOut: lambda told: f"Seat {told.event.seat}: the award goes back to the meter",
    r.ContributionReversed: lambda told: sentence(reversed_words(told.event, _state(told))),
    r.DealerErred: lambda told: erred_words(told.event, _state(told)),
    r.PayoutCorrected: lambda told: corrected_words(told.event, _state(told)),
    r.RoundClosed: lambda told: f"Round {told.after.round_number} over",
}
