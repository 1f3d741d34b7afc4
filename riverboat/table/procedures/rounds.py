"""Rounds in a day: when one may start, how its cards come out, and when the stub is counted."""

from collections.abc import Iterator
from functools import reduce
from itertools import takewhile

from msgspec.structs import replace

from riverboat.core.cards import DECK, check_distinct, show_card
from riverboat.core.errors import NotationError, Refused
from riverboat.core.fairness import cut_order
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.round.engine import step
from riverboat.round.state import Round
from riverboat.round.state import apply as apply_to_round
from riverboat.round.streets import card_counts, deal_out, order_of, place_in_order, seat_to_act
from riverboat.round.table_talk import number_of, place_name
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import Day, Deck
from riverboat.table.people import Actor
from riverboat.table.procedures import checks, decks
from riverboat.table.procedures.checks import SILENT, book_of, cited, configured
from riverboat.table.sealed_cards import deals_sealed, require_as_sealed

SECONDS_AN_HOUR = 3600


def start_round(day: Day, by: Actor, action: a.StartRound) -> Iterator[e.AnyEvent]:
    """Bets are open when the right deck lies ready, is not too old, and has been counted."""
    checks.require_open(day)
    checks.require_day(day)
    checks.require_no_round(day, "the next round")
    configuration = configured(day)
    if not day.seated and not configuration.test:
        raise Refused("round.nobody", "nobody sits at the table", cites=SILENT)
    if not day.dealer:
        raise Refused("dealer.none", "nobody deals at this table", cites=SILENT)
    if decks.deals_by_device(day):
        decks.require_device(day)
    deck = _deck_for_round(day)
    require_young(day, deck)
    if count_is_due(day) and day.last_deck in day.decks:  # Made up for while there is a deck.
        rounds = number_of(day.rounds_since_count, "round")
        text = f"{rounds} without a count; the cards are counted first"
        raise Refused("stub.not_counted", text, cites=cited(book_of(day).stub_count))
    yield e.RoundStarted(
        number=day.round_number + 1,
        deck=deck.name,
        dealer=day.dealer,
        rulebook_sha256=configuration.rulebook_sha256,
        configuration_sha256=configuration.sha256,
        commitment=deck.sealed.number if deck.sealed else 0,
    )
    book = configuration.setup.book
    plays_for_link = day.linked and configuration.setup.progressive is not None
    yield r.RoundOpened(
        rulebook=book.id,
        revision=book.revision,
        meter_units=None if plays_for_link else day.meter.units,
        reserve_units=day.meter.reserve_units,
    )


def call_off(day: Day, by: Actor, action: a.CallOff) -> Iterator[e.AnyEvent]:
    """A round in which nobody has a wager is over; its deck is shuffled again like any other."""
    if not day.in_round or day.playing.seats or day.playing.phase != "betting":
        text = "only a round without any wager is called off"
        raise Refused("round.has_wagers", text, cites=SILENT)
    yield r.RoundVoided(reason="nobody bets")
    yield r.RoundClosed()


def _deck_for_round(day: Day) -> Deck:
    """The deck that lies ready; of a pair the one that was not used last, the other shuffled."""
    book = book_of(day)
    ready = [deck for deck in day.decks.values() if deck.stage == "ready"]
    if not ready:
        text = "no deck lies ready; cards are shuffled before play and after each round"
        raise Refused("round.no_deck", text, cites=book.shuffle.cites)
    deck = ready[0]
    wanted = configured(day).decks
    if wanted == 1 or book.two_decks is None:
        return deck
    cites = book.two_decks.cites
    others = [other for other in day.decks.values() if other.name != deck.name]
    if deck.name == day.last_deck or len(day.decks) < wanted:
        text = f"a round with the {deck.name} deck; two decks alternate every round"
        raise Refused("round.same_deck", text, cites=cites)
    if any(other.stage not in ("shuffling", "shuffled") for other in others):
        text = f"the {others[0].name} deck is not in the shuffler, shuffled or being shuffled"
        raise Refused("round.other_deck_out", text, cites=cites)
    return deck


def seconds_left(day: Day, deck: Deck) -> int | None:
    """How long a deck may still be used; None where no rule says so or it is new."""
    hours = configured(day).deck_hours
    if hours is None or deck.first_used_at is None:
        return None
    return deck.first_used_at + hours * SECONDS_AN_HOUR - day.now


def require_young(day: Day, deck: Deck) -> None:
    """No new round starts with a deck whose time is over."""
    left = seconds_left(day, deck)
    if left is not None and left <= 0:
        used = f"in use for {number_of(configured(day).deck_hours or 0, 'hour')}"
        text = f"the {deck.name} deck has been {used}; it is changed before another round"
        raise Refused("deck.too_old", text, cites=cited(book_of(day).deck_age))


def count_is_due(day: Day) -> bool:
    """Whether the stub of the round being played has to be counted."""
    rule = book_of(day).stub_count
    if rule is None or configured(day).counts_cards or day.stub_counted:
        return False
    return day.rounds_since_count >= rule.every_rounds


def is_dealt(day: Day) -> bool:
    """Whether the round's cards are out."""
    return day.playing.phase in ("deciding", "turning", "settling", "settled")


def count_stub(day: Day, by: Actor, action: a.CountStub) -> Iterator[e.AnyEvent]:
    """What the count shows decides whether the round stands and whether the deck stays."""
    checks.require_open(day)
    book = book_of(day)
    cites = (*cited(book.stub_count), *book.irregularities.wrong_stub_count.cites)
    if action.cards < 0 or any(count < 0 for count in action.places.values()):
        raise NotationError("stub.bad_count", "a count is nothing or more")
    if not day.in_round:
        yield from _count_deck(day, action, cites)
        return
    if not is_dealt(day) or day.stub_counted:
        raise Refused("stub.not_now", "the stub is counted once, after the deal", cites=cites)
    right = right_counts(day)
    unknown = sorted(set(action.places) - set(right))
    if unknown:
        raise NotationError("stub.bad_place", f"{unknown[0]!r} has no cards in this round")
    counted = {**right, **action.places}
    total = action.cards + sum(counted.values()) + in_the_rack(day.playing)
    whole = total == book.cards.cards
    require_as_sealed((whole and counted == right) or not deals_sealed(day))
    yield e.StubCounted(cards=action.cards, total=total, places=action.places)
    if not whole:
        yield from step(day.playing, g.Incident(what="deck_count", count=total))
    elif counted != right:
        wrong = [place for place in right if counted[place] != right[place]]
        place = "six_card_box" if wrong == ["box"] else ""
        yield from step(day.playing, g.Incident(what="wrong_card_count", place=place))


def _count_deck(day: Day, action: a.CountStub, cites: tuple[str, ...]) -> Iterator[e.AnyEvent]:
    """Between rounds the deck used last is counted as a whole."""
    deck = checks.deck_named(day, day.last_deck)
    if action.places or deck.stage == "shuffling":
        raise Refused("stub.not_now", "between rounds the whole deck is counted", cites=cites)
    yield e.StubCounted(cards=action.cards, total=action.cards)
    if action.cards != book_of(day).cards.cards:
        reason = f"{action.cards} cards were counted"
        yield from decks.abandoned(deck, "the deck was not whole")
        yield e.DeckTakenAway(deck=deck.name, reason=reason)


def _require_cut(day: Day, deck: Deck) -> None:
    """A committed deck is cut by words; any other as the rulebook says."""
    cites = cited(book_of(day).cut)
    if deck.sealed is not None and not day.cut_fixed:
        text = "the committed deck is cut first, by the words of players and the house"
        raise Refused("deal.not_cut", text, cites=cites)
    if decks.needs_cut(day, deck):
        raise Refused("deal.not_cut", "the cards are cut before the deal", cites=cites)


def deal_from_deck(day: Day, by: Actor, action: a.DealOut) -> Iterator[e.AnyEvent]:
    """The committed order, cut, from the top; a card found face up was left out."""
    deck = require_deal(day)
    assert deck.sealed is not None
    order = cut_order(deck.sealed.order, deck.depths)[left_out_count(day.playing) :]
    places = deal_out(day.setup, sorted(day.playing.seats), order)
    yield from step(day.playing, g.Deal(places=places))


def require_deal(day: Day) -> Deck:
    """The committed deck of the round, cut, with nothing before its deal."""
    deck = _deck_to_deal(day)
    if deck.sealed is None:
        text = "physical cards are reported one by one as they leave the shoe"
        raise Refused("deal.physical", text, cites=SILENT)
    _require_cut(day, deck)
    return deck


def left_out_count(state: Round) -> int:
    """How many cards were found face up and left out before the deal."""
    before = takewhile(lambda event: not isinstance(event, r.CardsDealt), state.history)
    noted = (event for event in before if isinstance(event, r.IncidentNoted))
    return sum(event.consequence == "leave_card_out" for event in noted)


def right_counts(day: Day) -> dict[str, int]:
    """How many cards every place of the round has by its rulebook."""
    return card_counts(day.setup, sorted(day.playing.seats))


def right_stub(day: Day) -> int:
    """How many cards are left of a whole deck once the round is dealt."""
    dealt = sum(right_counts(day).values()) + in_the_rack(day.playing)
    return book_of(day).cards.cards - dealt


def in_the_rack(state: Round) -> int:
    """How many cards of a deal are neither in the stub nor at a place: left out, or burned."""
    return left_out_count(state) + state.burned


def _deck_to_deal(day: Day) -> Deck:
    deck = day.deck_in_play
    if deck is None:
        raise Refused("deal.no_round", "no round is being played", cites=SILENT)
    if day.playing.phase != "ready" or day.playing.blocked:
        next(iter(step(day.playing, g.Deal(places={}))))
    return deck


def report_card(day: Day, by: Actor, action: a.ReportCard) -> Iterator[e.AnyEvent]:
    """A physical card comes out; with the last one the deal is complete."""
    deck = _deck_to_deal(day)
    if deck.sealed is not None:
        text = "this table deals from a committed deck; no card is reported"
        raise Refused("deal.electronic", text, cites=SILENT)
    _require_cut(day, deck)
    if action.card not in DECK:
        text = f"there is no card {action.card}; a deck has {DECK[0]} to {DECK[-1]}"
        raise Refused("card.unknown", text, cites=book_of(day).cards.cites)
    if action.card in (*day.reported, *day.left_out):
        text = f"{show_card(action.card)} has left the shoe before; correct that one first"
        raise Refused("card.seen_twice", text, cites=book_of(day).cards.cites)
    check_distinct([action.card])
    noted = step(day.playing, _WRONG[action.how]) if action.how in _WRONG else ()
    after = reduce(apply_to_round, noted, day.playing)
    goes_out = action.how == "face_up" and (
        after.phase == "void" or left_out_count(after) > left_out_count(day.playing)
    )
    yield e.CardReported(card=action.card, how=action.how, left_out=goes_out)
    yield from noted
    cards = day.reported if goes_out else (*day.reported, action.card)
    seats = sorted(day.playing.seats)
    if after.phase == "ready" and len(cards) == sum(card_counts(day.setup, seats).values()):
        yield from step(after, g.Deal(places=place_in_order(day.setup, seats, cards)))


_WRONG = {
    "face_up": g.Incident(what="face_up_cards", count=1),
    "drawn_in_error": g.Incident(what="card_drawn_in_error"),
}
"""What it is that a card came out otherwise than dealt."""


def correct_card(day: Day, by: Actor, action: g.CorrectCard) -> Iterator[e.AnyEvent]:
    """A card that was misreported is put right: in the deal that is under way, or in the round."""
    if not configured(day).physical:
        text = "this table deals from a committed deck; its cards are what was committed to"
        raise Refused("card.committed", text, cites=SILENT)
    if not day.in_round:
        raise Refused("card.not_now", "no round is being played", cites=SILENT)
    check_distinct([action.card])
    if action.card in day.left_out:
        text = f"{show_card(action.card)} was left out of this deal"
        raise Refused("card.seen_twice", text, cites=book_of(day).cards.cites)
    if is_dealt(day):
        yield from step(day.playing, action)
        return
    places = delivery_places(day)
    wrong = [i for i, place in enumerate(places[: len(day.reported)]) if place == action.place]
    if not 1 <= action.number <= len(wrong):
        place, cards = place_name(action.place), number_of(len(wrong), "card")
        text = f"{place} has {cards} so far; number {action.number} is not there"
        raise Refused("card.unknown", text, cites=SILENT)
    index = wrong[action.number - 1]
    if action.card in day.reported:
        text = f"{show_card(action.card)} was reported for another place"
        raise Refused("card.seen_twice", text, cites=book_of(day).cards.cites)
    checks.require_words(action.reason, "a corrected card")
    yield e.CardAmended(index=index, card=action.card, reason=action.reason)


def delivery_places(day: Day) -> list[str]:
    """The place that each card of this deal goes to, in order."""
    order = order_of(day.setup, sorted(day.playing.seats))
    return [place for place, cards in order for _ in range(cards)]


def dealt_so_far(day: Day) -> Round:
    """The round with the physical cards that its places have received in a deal under way."""
    if not day.reported or is_dealt(day):
        return day.playing
    received: dict[str, tuple[int, ...]] = {}
    for place, card in zip(delivery_places(day), day.reported, strict=False):
        received[place] = (*received.get(place, ()), card)
    seats = {
        number: replace(seat, cards=received.get(str(number), ()))
        for number, seat in day.playing.seats.items()
    }
    others = {place: cards for place, cards in received.items() if not place.isdecimal()}
    return replace(day.playing, seats=seats, **others)


def expire(day: Day, by: Actor, action: a.Expire) -> Iterator[e.AnyEvent]:
    """Nobody waits for ever: a seat whose time is over folds. No document says how long that is."""
    checks.require_open(day)
    if action.seconds < 1:
        raise NotationError("expire.bad_time", "a seat has at least a second to decide")
    if not day.in_round or seat_to_act(day.playing) != action.seat:
        text = f"seat {action.seat} has nothing to decide now"
        raise Refused("expire.not_their_turn", text, cites=SILENT)
    require_count_done(day)
    yield e.DecisionExpired(seat=action.seat, seconds=action.seconds)
    yield from step(day.playing, g.Fold(seat=action.seat))


def require_count_done(day: Day) -> None:
    """When the count is due the stub is counted before anybody decides."""
    rule = book_of(day).stub_count
    if rule is not None and is_dealt(day) and count_is_due(day):
        text = f"this is round {rule.every_rounds} since the last count; the stub is counted first"
        raise Refused("stub.count_due", text, cites=rule.cites)
