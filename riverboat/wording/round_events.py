"""What happens in a round, in words: one sentence for each kind of event, whoever reads it.

The pit log, the replay and the table in the terminal say the same; a `Voice` says what they call
the seats, whom they call "you", and how they write cards.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from riverboat.core.cards import Card, show_cards
from riverboat.core.money import METER_UNITS_PER_CENT, MeterUnits, divide_down, format_cents
from riverboat.round import events as r
from riverboat.round import table_talk as talk
from riverboat.round.settlement.payment import correction_words
from riverboat.round.settlement.voids import undone_words
from riverboat.round.state import Round
from riverboat.table.procedures.rounds import count_is_due
from riverboat.wording.clauses import folded_stage
from riverboat.wording.hand_names import hand_words
from riverboat.wording.incident_words import incident_words, void_words
from riverboat.wording.record import Told

_ERRORS: Final = {
    "over": "too much paid",
    "under": "too little paid",
    "out_of_order": "settled out of order",
    "wrong_spot": "nothing to settle there",
}
_PLACES: Final = {
    "community": "{} community cards",
    "box": "{} to the six card box",
    "dealer": "{} to the dealer",
}


class Voice(NamedTuple):
    """Whom a round is told to: what the seats are called, which is theirs, how cards are written.

    A log has every seat by its number and its player's name, and no seat of its own.
    """

    names: Mapping[int, str]
    you: int = 0
    cards: Callable[[Sequence[Card]], str] = show_cards

    def seat(self, number: int) -> str:
        """A seat as the subject of a sentence."""
        return "you" if number == self.you else self.names.get(number, f"seat {number}")

    def does(self, number: int, verb: str) -> str:
        """A seat and what it does: "you bet", "seat 2 Ann bets"."""
        return f"{self.seat(number)} {verb}{'s' * (number != self.you)}"

    def whose(self, number: int) -> str:
        """Belonging to a seat: "your", "seat 2 Ann's"."""
        return "your" if number == self.you else f"{self.seat(number)}'s"


class InRound(NamedTuple):
    """An event of a round, the round after it, whom it is told to; and what only a table's day
    knows: the round's number, the deck's name, whether the stub is still to be counted."""

    event: Any
    state: Round
    voice: Voice
    number: int = 0
    deck: str = ""
    stub_is_counted: bool = False

    @property
    def seat(self) -> str:
        """The seat that it happened to, as the subject of a sentence."""
        return self.voice.seat(self.event.seat)

    @property
    def stake(self) -> str:
        """The spot of a wager and what lies on it."""
        return talk.stakes_together(self.state.setup.book, [(self.event.spot, self.event.cents)])

    @property
    def label(self) -> str:
        """What the rulebook calls the spot."""
        return talk.label_of(self.state.setup.book, self.event.spot)

    def does(self, verb: str) -> str:
        """The seat and what it does."""
        return self.voice.does(self.event.seat, verb)


def in_round(told: Told) -> InRound:
    """An event of a table's day as the log tells it."""
    state = told.after.playing
    voice, counted = log_voice(state, told.before.seated), count_is_due(told.after)
    number, deck = told.after.round_number, told.before.round_deck
    return InRound(told.event, state, voice, number, deck, counted)


def log_voice(state: Round, seated: Mapping[int, str]) -> Voice:
    """Seats by their numbers, with their players' names."""
    names = {**seated, **{number: one.player for number, one in state.seats.items() if one.player}}
    return Voice({number: f"seat {number} {name}".strip() for number, name in names.items()})


def round_words(told: InRound) -> str:
    """One event of a round as a sentence; a decision with its street, where there are several."""
    stages, words = told.state.setup.stages, ROUND_WORDS[type(told.event)](told)
    if len(stages) > 1 and isinstance(told.event, r.StreetBet):
        words = f"{next(s for s in stages if s.spot == told.event.spot).label}: {words}"
    elif len(stages) > 1 and isinstance(told.event, r.Folded):
        words = f"{folded_stage(told.state, told.event.seat).label}: {words}"
    return talk.sentence(words)


def meter_words(state: Round, before: str = "") -> str:
    """What the table's own meter shows, after a sign that leads to it; of a link, its own record
    says it."""
    if state.link.status == "not_open":
        return ""
    return f"{before}the meter shows {format_cents(state.meter.cents)}"


def fold_words(told: InRound) -> str:
    """What a fold takes, and where the cards go."""
    lost = talk.stakes_together(told.state.setup.book, told.event.spots)
    cards = "kept for the side bet" if told.event.cards_kept else "to the discard rack"
    return f"{lost} into the tray, cards {cards}"


def _bet(told: InRound) -> str:
    """A street bet with its multiple of the ante."""
    event = told.event
    ante = told.state.seats[event.seat].wagers.get("ante", 0) or event.cents
    times = f"{divide_down(event.cents, ante)}x"
    return f"{told.does('bet')} {format_cents(event.cents)} ({times})"


def _dealt(told: InRound) -> str:
    """The deal as a count for every place; whose cards they are is nobody's business yet, and
    what becomes of the stub is no player's."""
    counts: dict[str, int] = {}
    for place, cards in told.event.deliveries:
        counts[place] = counts.get(place, 0) + len(cards)
    seats = sorted(int(place) for place in counts if place.isdecimal())
    each = {counts[str(seat)] for seat in seats}
    first_seat = next((place for place in counts if place.isdecimal()), "")
    *first, last = [
        f"{each.pop()} cards face down to {talk.named_seats(seats)}"
        if place == first_seat
        else _PLACES[place].format(n)
        for place, n in counts.items()
        if place == first_seat or not place.isdecimal()
    ]
    dealt = f"dealt {', '.join(first)}, and {last}" if first else f"dealt {last}"
    unexposed = told.state.setup.dealing.stub.goes == "discard_rack_unexposed"
    goes = unexposed and not told.stub_is_counted and not told.voice.you
    return f"{dealt}; the stub into the discard rack unexposed" if goes else dealt


def _wager(told: InRound) -> str:
    """A tip is given while others decide; everything else is bet before the cards."""
    if told.event.spot.startswith("tip_") and told.state.phase != "betting":
        return f"{told.does('tip')} {format_cents(told.event.cents)}"
    return f"{told.does('bet')} {told.stake}"


def _closed(told: InRound) -> str:
    """A player hears the announcement; the log has that it was made."""
    say = told.state.setup.book.betting_closes.announce
    if told.voice.you:
        return say or "no more bets"
    return f"“{talk.sentence(say)}” announced; betting is closed" if say else "betting is closed"


def _locked(told: InRound) -> str:
    seats = told.event.seats
    if not seats:
        return "progressive locked; no light is on"
    lights = talk.listed([str(seat) for seat in seats])
    return f"progressive locked; light{'s' * (len(seats) > 1)} on at {lights}"


def _collected(told: InRound) -> str:
    """The progressive chips on their way into the tray."""
    event, rules = told.event, told.state.setup.book.progressive
    if not event.seats:
        return "no progressive chip to collect"
    chips = talk.number_of(len(event.seats), "progressive chip")
    chips = f"{chips} of {format_cents(event.cents_each)}"
    if rules is not None and rules.collection.count_in_front_of_tray:
        return f"{chips} counted in front of the tray and put into it"
    return f"{chips} put into the tray"


def _contribution_reversed(told: InRound) -> str:
    """What a void takes off the meter again, and what the house bears of it."""
    short = divide_down(told.event.shortfall_units, METER_UNITS_PER_CENT)
    borne = f", the house bears {format_cents(short)}" if short else ""
    taken = _units(told.event.units)
    return f"{taken} of contributions taken back{borne}{meter_words(told.state, ', ')}"


def _units(units: MeterUnits) -> str:
    return format_cents(divide_down(units, METER_UNITS_PER_CENT))


def _corrected_card(told: InRound) -> str:
    event, card = told.event, told.voice.cards([told.event.card])
    was = f"card {event.number} of {event.place} had been misreported"
    return f"{was}: it is {card} ({event.reason})"


def _turned(told: InRound) -> str:
    number = told.event.number
    return f"community card {number} turned: {told.voice.cards([told.state.community[number - 1]])}"


def _settled(told: InRound) -> str:
    """One spot taken, paid or pushed. A progressive chip that was collected before the deal lies
    in the tray: its spot has no stake any more."""
    event = told.event
    bet = f"{told.label} {format_cents(event.stake_cents)}" if event.stake_cents else told.label
    source = "" if event.source == "tray" else " from the cage"
    done = {
        "lose": "taken" if event.stake_cents else "loses",
        "push": "pushes",
        "win": f"pays {format_cents(event.paid_cents)}{source}",
    }[event.outcome]
    return f"{told.seat}: {bet} {done}"


def _awarded(told: InRound) -> str:
    event = told.event
    wins = f"{told.does('win')} {talk.name_share(event.percent)}"
    reset = meter_words(told.state, "; the meter is reset, ") if event.resets else ""
    return f"{wins} with {talk.held(event.hand)}: {format_cents(event.paid_cents)}{reset}"


def _envy(told: InRound) -> str:
    gets = f"{told.does('get')} {format_cents(told.event.cents)} envy"
    return f"{gets} for {told.voice.whose(told.event.for_seat)} hand"


def _forfeited(told: InRound) -> str:
    lost = talk.stakes_together(told.state.setup.book, told.event.spots)
    return f"{told.does('forfeit')} {lost or 'nothing more'}"


def _undone(told: InRound) -> str:
    return f"{told.seat}: {undone_words(told.state.setup.book, told.event)}"


def _erred(told: InRound) -> str:
    """A dealer's mistake: what was owed, what was given."""
    event = told.event
    paid = f"{format_cents(event.given_cents)} given, {format_cents(event.owed_cents)} owed"
    return f"DEALER'S ERROR, {_ERRORS[event.error]}, {told.seat}, {told.label}: {paid}"


def _corrected(told: InRound) -> str:
    """A payout made good."""
    done, _ = correction_words(told.state.setup.book, told.event)
    return f"corrected: {told.seat}, {told.label}: {done} ({told.event.reason})"


ROUND_WORDS: Final[dict[type, Callable[[InRound], str]]] = {
    r.RoundOpened: lambda told: f"bets are open{meter_words(told.state, '; ')}",
    r.WagerPlaced: _wager,
    r.WagerTakenBack: lambda told: f"{told.does('take')} back {told.stake}",
    r.BettingClosed: _closed,
    r.ProgressiveLocked: _locked,
    r.MeterContributed: lambda told: (
        f"{_units(told.event.units)} to the meter{meter_words(told.state, '; ')}"
    ),
    r.ProgressiveCollected: _collected,
    r.CardsBurned: lambda told: f"{talk.number_of(told.event.count, 'card')} burned unseen",
    r.CardsDealt: _dealt,
    r.CardCorrected: _corrected_card,
    r.StreetBet: _bet,
    r.Folded: lambda told: told.does("fold"),
    r.FoldCollected: lambda told: f"{told.voice.whose(told.event.seat)} fold: {fold_words(told)}",
    r.SideBetLost: lambda told: (
        f"{told.voice.whose(told.event.seat)} fold loses the {told.label} as well"
    ),
    r.CommunityTurned: _turned,
    r.BoxTurned: lambda told: f"box cards turned: {told.voice.cards(told.state.box)}",
    r.UpCardsTurned: lambda told: (
        f"dealer's up card: {told.voice.cards(told.state.dealer[: told.state.up_cards])}"
    ),
    r.DealersHandTurned: lambda told: (
        f"dealer's hand turned: {told.voice.cards(told.state.dealer)}, "
        f"{hand_words(told.state.dealer)}"
    ),
    r.SettlementBegun: lambda told: "settlement begins",
    r.HandAnnounced: lambda told: f"{told.seat}: “{told.event.hand.replace('_', ' ')}” announced",
    r.SpotSettled: _settled,
    r.MeterAwarded: _awarded,
    r.EnvyPaid: _envy,
    r.SeatForfeited: _forfeited,
    r.IncidentNoted: lambda told: incident_words(told.event),
    r.DealBlocked: lambda told: f"the deal waits: {told.event.reason}",
    r.TableSuspended: lambda told: "TABLE SUSPENDED: no further round may start",
    r.DeckRemoved: lambda told: f"the {told.deck} deck is removed from the table",
    r.RoundVoided: lambda told: void_words(told.event, told.number),
    r.WagerReturned: lambda told: (
        f"{told.seat}: {told.stake} comes back{' from the tray' * (told.event.source == 'tray')}"
    ),
    r.PayoutReversed: _undone,
    r.AwardBackedOut: _undone,
    r.ContributionReversed: _contribution_reversed,
    r.DealerErred: _erred,
    r.PayoutCorrected: _corrected,
    r.RoundClosed: lambda told: f"round {told.number} over",
}
"""Every kind of event in a round, without a capital, so that several can make one line."""
