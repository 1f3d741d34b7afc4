"""What may be asked for at a table now: of its day, its decks, and the round that is being played.

Who somebody is says which kinds of requests are theirs at all; whether one would be granted now,
the day's own procedures say, each of which makes all its checks before its first event.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

from msgspec.structs import replace

from riverboat.core.cards import DECK, check_deck
from riverboat.core.fairness import commit, is_digest, player_seal
from riverboat.core.records import Action
from riverboat.round import actions as g
from riverboat.round import legal as o
from riverboat.round.incidents import floor_decides
from riverboat.round.legal import offers_of as offers_of_round
from riverboat.round.settlement.voids import cards_seen
from riverboat.round.state import Round
from riverboat.round.streets import seat_to_act
from riverboat.table import actions as a
from riverboat.table import engine
from riverboat.table.day import Day
from riverboat.table.people import Actor, may_sign_void
from riverboat.table.permission import kinds_for, require_permission
from riverboat.table.procedures import rounds
from riverboat.table.procedures.checks import SILENT, book_of, cited, designation
from riverboat.table.procedures.decks import depths, next_step, pairing, require_sealable
from riverboat.table.procedures.seats import own_seats
from riverboat.table.sealed_cards import can_happen, deals_sealed

Offers: TypeAlias = Callable[[Day, Actor], Iterator[o.Offer]]
Cited: TypeAlias = Callable[[Day], tuple[str, ...]]
REASON = "?"
"""Some reason: whether one is good enough is not the table's to say."""


def legal(day: Day, by: Actor) -> tuple[o.Offer, ...]:
    """Everything that somebody may ask for at a table now."""
    kinds = kinds_for(day, by)
    if day.interrupted:
        kinds = tuple(kind for kind in kinds if kind in engine.WHILE_INTERRUPTED)
    found = (_OFFERS.get(kind) or partial(_in_round, kind=kind) for kind in kinds)
    return tuple(offer for offers in found for offer in offers(day, by))


def granted(day: Day, by: Actor, asked: Action) -> bool:
    """Whether the day's own procedure for it would do what is asked for."""
    return o.begins(engine.DECIDE[type(asked)], day, by, asked)


def _tried(
    actor: o.Party, asked: Action, cites: Cited = lambda day: SILENT, **bounds: o.Argument
) -> Offers:
    """One request, or those that differ from it by these bounds only."""

    def offers(day: Day, by: Actor) -> Iterator[o.Offer]:
        if granted(day, by, asked):
            yield o.Offer(actor, type(asked), bounds, cites(day))

    return offers


# ---------------------------------------------------------------- decks


def _receiving(day: Day, by: Actor) -> Iterator[o.Offer]:
    if day.configuration is None:
        return
    designs, backs = pairing(day)
    new, design = f"{''.join(day.decks)}?", designs[0] if designs else "standard"
    asked = a.ReceiveDeck(deck=new, back=f"{''.join(backs)}?", design=design)
    if not granted(day, by, asked):
        return
    ready = granted(day, by, replace(asked, preshuffled=True))
    yield o.offer_of(
        "floor",
        a.ReceiveDeck,
        book_of(day).cards.cites,
        deck=o.Text(words=True, not_these=tuple(day.decks)),
        back=o.Text(words=True, not_these=backs),
        design=o.Choice(designs) if designs else o.Text(),
        preshuffled=o.Choice((False, True) if ready else (False,)),
    )


def _preparing(day: Day, by: Actor) -> Iterator[o.Offer]:
    for deck in day.decks.values():
        step = next_step(day, deck)
        if step is not None and granted(day, by, a.Prepare(deck=deck.name, step=step.step)):
            person: o.Party = step.by if step.by in ("dealer", "player") else "floor"
            yield o.offer_of(
                person,
                a.Prepare,
                step.cites,
                deck=o.Choice((deck.name,)),
                step=o.Choice((step.step,)),
                defects=o.Text() if step.step == "inspect" else o.Choice(("",)),
            )


def _of_decks(actor: o.Party, kind: type[Action], cites: Cited, **bounds: o.Argument) -> Offers:
    """The same request for each deck of which it can be granted."""
    more = {"reason": REASON} if "reason" in bounds else {}

    def offers(day: Day, by: Actor) -> Iterator[o.Offer]:
        for name in day.decks:
            if granted(day, by, kind(deck=name, **more)):
                yield o.Offer(actor, kind, {"deck": o.Choice((name,)), **bounds}, cites(day))

    return offers


def _finishing(day: Day, by: Actor) -> Iterator[o.Offer]:
    for name in day.decks:
        for count, bounds in ((0, o.Choice((0,))), (1, o.Range(1, None))):
            if granted(day, by, a.FinishShuffle(deck=name, count=count)):
                cites = book_of(day).shuffle.cites
                deck = o.Choice((name,))
                yield o.offer_of("dealer", a.FinishShuffle, cites, deck=deck, count=bounds)


def _sealing(kind: type[a.SealDeck] | type[a.ForceDeck]) -> Offers:
    forced = kind is a.ForceDeck

    def offers(day: Day, by: Actor) -> Iterator[o.Offer]:
        for name in day.decks:
            if o.permits(require_sealable, day, name, forced):
                yield o.offer_of(
                    "lab" if forced else "system",
                    kind,
                    book_of(day).shuffle.cites,
                    deck=o.Choice((name,)),
                    order=o.Judged("every card of a deck, once", partial(o.permits, check_deck)),
                    salts=o.Judged("a salt for every card", _are_salts),
                    word=o.Judged("a word of 32 bytes", is_digest),
                )

    return offers


def _are_salts(salts: object) -> bool:
    return o.permits(commit, "T", 1, DECK, salts, "0" * 64)


def _cuts(day: Day, by: Actor) -> Iterator[o.Offer]:
    for deck in day.decks.values():
        low, high = depths(day, deck)
        if granted(day, by, a.Cut(deck=deck.name, depth=low)):
            one, depth = o.Choice((deck.name,)), o.Range(low, high)
            yield o.offer_of("dealer", a.Cut, _cut_cites(day), deck=one, depth=depth)


def _telling_words(day: Day, by: Actor) -> Iterator[o.Offer]:
    """The word of a seat whose seal lies with its bet."""
    deck, own = day.deck_in_play, own_seats(day, by)
    if deck is None or deck.sealed is None or day.playing.phase != "ready" or day.cut_fixed:
        return
    for seat in day.untold if own is None else (n for n in day.untold if n in own):
        root, seal = deck.sealed.root, day.seals[seat]
        word = o.Judged("the word that was sealed", partial(_is_sealed, root, seat, seal))
        yield o.offer_of("player", a.TellWord, _cut_cites(day), seat=o.Choice((seat,)), word=word)


def _is_sealed(root: str, seat: int, seal: str, word: object) -> bool:
    return isinstance(word, str) and is_digest(word) and player_seal(root, seat, word) == seal


def _fixing_cuts(day: Day, by: Actor) -> Iterator[o.Offer]:
    missing = day.untold if day.in_round else ()
    if granted(day, by, a.FixCut(without=missing, seconds=len(missing[:1]))):
        seconds: o.Argument = o.Range(1, None) if missing else o.Choice((0,))
        without = o.Judged(f"the seats that withhold their words: {list(missing)}", missing.__eq__)
        yield o.offer_of("system", a.FixCut, _cut_cites(day), without=without, seconds=seconds)


def _forcing_cuts(day: Day, by: Actor) -> Iterator[o.Offer]:
    deck = day.deck_in_play
    if deck is None:
        return
    low, high = depths(day, deck)
    if granted(day, by, a.ForceCut(depth=low)):
        yield o.offer_of("lab", a.ForceCut, _cut_cites(day), depth=o.Range(low, high))


def _cut_cites(day: Day) -> tuple[str, ...]:
    return cited(book_of(day).cut)


def _shuffle_cites(day: Day) -> tuple[str, ...]:
    return book_of(day).shuffle.cites


def _going_idle(day: Day, by: Actor) -> Iterator[o.Offer]:
    how = tuple(up for up in (False, True) if granted(day, by, a.GoIdle(face_up=up)))
    rule = book_of(day).idle if how else None
    if rule is not None:
        yield o.offer_of("dealer", a.GoIdle, rule.cites, face_up=o.Choice(how))


# ---------------------------------------------------------------- cards of a round


def _dealing(day: Day, by: Actor) -> Iterator[o.Offer]:
    if o.permits(rounds.require_deal, day):
        yield o.offer_of("dealer", a.DealOut, book_of(day).deal.cites)


def _reporting(day: Day, by: Actor) -> Iterator[o.Offer]:
    gone = {*day.reported, *day.left_out}
    left = tuple(card for card in DECK if card not in gone)
    if granted(day, by, a.ReportCard(card=left[0])):
        how = o.Choice(("dealt", "face_up", "drawn_in_error"))
        cites = book_of(day).deal.cites
        yield o.offer_of("dealer", a.ReportCard, cites, card=o.Choice(left), how=how)


def _counting(day: Day, by: Actor) -> Iterator[o.Offer]:
    """Of a machine's cards, what lies there."""
    if day.configuration is None:
        return
    cites = cited(book_of(day).stub_count)
    right = rounds.right_counts(day) if day.in_round else {}
    cards: o.Argument = o.Range(0, None)
    places: o.Argument = o.Counts(tuple(right))
    if deals_sealed(day):
        cards = o.Choice((rounds.right_stub(day),))
        lies = partial(_lies_so, right)
        places = o.Judged("what a machine dealt there, if anything is said", lies)
    if granted(day, by, a.CountStub(cards=rounds.right_stub(day) if day.in_round else 0)):
        yield o.offer_of("dealer", a.CountStub, cites, cards=cards, places=places)


def _lies_so(right: dict[str, int], places: object) -> bool:
    return isinstance(places, dict) and places.items() <= right.items()


def _correcting_cards(day: Day, by: Actor) -> Iterator[o.Offer]:
    """Of a deal that is under way, those that were told; then those of the round."""
    if day.configuration is None or not day.configuration.physical or not day.in_round:
        return
    if rounds.is_dealt(day):
        for offer in offers_of_round(day.playing, g.CorrectCard):
            held = o.Judged("a card that is still in the deck", partial(_is_left, day, offer))
            still = replace(offer, arguments={**offer.arguments, "card": held})
            yield still if day.left_out else offer
        return
    gone = {*day.reported, *day.left_out}
    rest = o.Choice(tuple(card for card in DECK if card not in gone))
    told = Counter(rounds.delivery_places(day)[: len(day.reported)])
    for place, count in told.items():
        yield o.offer_of(
            "floor",
            g.CorrectCard,
            book_of(day).cards.cites,
            place=o.Choice((place,)),
            number=o.Range(1, count),
            card=rest,
            reason=o.WORDS,
        )


def _is_left(day: Day, offer: o.Offer, card: object) -> bool:
    return card not in day.left_out and offer.arguments["card"].holds(card)


# ---------------------------------------------------------------- the gaming day and its people


def _tell_time(day: Day, by: Actor) -> Iterator[o.Offer]:
    yield o.offer_of("system", a.TellTime, SILENT, at=o.Range(day.now, None))


def _credits(day: Day, by: Actor) -> Iterator[o.Offer]:
    if granted(day, by, a.Credit(cents=1)):
        yield o.offer_of("floor", a.Credit, SILENT, cents=o.Range(1, day.accounts.tray_cents))


def _buy_ins(day: Day, by: Actor) -> Iterator[o.Offer]:
    seats = tuple(day.seated)
    if seats and granted(day, by, a.BuyIn(seat=seats[0], cents=1)):
        most = o.Range(1, day.accounts.tray_cents)
        yield o.offer_of("dealer", a.BuyIn, SILENT, seat=o.Choice(seats), cents=most)


def _proposing(day: Day, by: Actor) -> Iterator[o.Offer]:
    def stands(submission: object) -> bool:
        asked = a.Propose(submission=submission)  # type: ignore[arg-type]
        return o.permits(require_permission, day, by, asked) and granted(day, by, asked)

    filed = o.Judged("a configuration that the rulebook allows", stands)
    yield o.offer_of("floor", a.Propose, SILENT, submission=filed)


def _approving(day: Day, by: Actor) -> Iterator[o.Offer]:
    for number in day.proposals:
        asked = a.Approve(number=number)
        if o.permits(require_permission, day, by, asked) and granted(day, by, asked):
            yield o.offer_of("floor", a.Approve, SILENT, number=o.Choice((number,)))


def _withdrawing(day: Day, by: Actor) -> Iterator[o.Offer]:
    if day.proposals:
        yield o.offer_of("floor", a.Withdraw, SILENT, number=o.Choice(tuple(day.proposals)))


def _assigning(day: Day, by: Actor) -> Iterator[o.Offer]:
    if granted(day, by, a.AssignDealer(name=f"{day.dealer}?")):
        name = o.Text(words=True, not_these=(day.dealer,))
        yield o.offer_of("floor", a.AssignDealer, SILENT, name=name)


def _sitting_down(day: Day, by: Actor) -> Iterator[o.Offer]:
    if day.configuration is None:
        return
    free = tuple(n for n in range(1, day.setup.seats + 1) if n not in day.seated)
    if free and granted(day, by, a.SitDown(seat=free[0])):
        cites = book_of(day).options["seats"].cites
        yield o.offer_of("player", a.SitDown, cites, seat=o.Choice(free))


def _standing_up(day: Day, by: Actor) -> Iterator[o.Offer]:
    own = own_seats(day, by)
    sitting = tuple(day.seated) if own is None else own
    seats = tuple(n for n in sitting if granted(day, by, a.StandUp(seat=n)))
    if seats:
        yield o.offer_of("player", a.StandUp, SILENT, seat=o.Choice(seats))


def _expiring(day: Day, by: Actor) -> Iterator[o.Offer]:
    seat = seat_to_act(day.playing) if day.in_round else None
    if seat is not None and granted(day, by, a.Expire(seat=seat, seconds=1)):
        seconds = o.Range(1, None)
        yield o.offer_of("floor", a.Expire, SILENT, seat=o.Choice((seat,)), seconds=seconds)


# ---------------------------------------------------------------- trouble


def _methods(day: Day, by: Actor) -> Iterator[o.Offer]:
    if day.configuration is None or day.device == "working":
        return
    for dealing, shuffle in day.configuration.fallbacks:
        if granted(day, by, a.UseMethod(dealing=dealing, shuffle=shuffle)):
            ways = {"dealing": o.Choice((dealing,)), "shuffle": o.Choice((shuffle,))}
            yield o.offer_of("floor", a.UseMethod, _device_cites(day), **ways)


def _interrupting(day: Day, by: Actor) -> Iterator[o.Offer]:
    if not day.interrupted:
        yield o.offer_of("floor", a.Interrupt, SILENT, reason=o.WORDS)


def _confirming(day: Day, by: Actor) -> Iterator[o.Offer]:
    if day.interrupted:
        state = rounds.dealt_so_far(day) if day.in_round else None
        seen = state is not None and cards_seen(state)
        ways = ("resume", "by_hand") if seen else ("resume", "void", "by_hand")
        signed = {"statement": o.Choice((day.interrupted,))}
        alone = o.Choice(ways if day.in_round else ("resume",))
        yield o.offer_of("floor", a.Confirm, SILENT, **signed, decision=alone, second=_NOBODY)
        if state is not None and seen:
            agrees, void = _agrees(state, by), o.Choice(("void",))
            yield o.offer_of("floor", a.Confirm, SILENT, **signed, decision=void, second=agrees)


_NOBODY = o.Choice((None,))


def _agrees(state: Round, by: Actor) -> o.Judged:
    return o.Judged("somebody else of the floor", lambda one: may_sign_void(state, by, one))


def _device_cites(day: Day) -> tuple[str, ...]:
    return book_of(day).irregularities.device_out_of_use.cites


# ---------------------------------------------------------------- the round


def _in_round(day: Day, by: Actor, kind: type) -> Iterator[o.Offer]:
    """What the round offers, as far as the day lets it."""
    if day.round is None or day.phase == "closed" or not (day.in_round or kind is g.Correct):
        return
    if kind is g.Deal and not day.by_hand:
        return
    if kind in engine.WAIT_FOR_COUNT and rounds.is_dealt(day) and rounds.count_is_due(day):
        return
    if kind in (g.Wager, g.TakeBack) and day.cut_known:
        return
    state, own = (
        rounds.dealt_so_far(day) if kind in engine.UNDER_WAY else day.round,
        own_seats(day, by),
    )
    for offer in offers_of_round(state, kind, own):
        if kind is g.Wager:
            yield _with_seal(day, by, named(day, offer))
        elif kind is not g.Incident:
            yield offer
        else:
            for possible in _possible(day, state, offer):
                yield from _of_incident(state, by, possible)


def _possible(day: Day, state: Round, offer: o.Offer) -> Iterator[o.Offer]:
    """What can have happened: at any seat and place alike, unless a machine deals sealed cards."""
    reported = g.Incident(what=_only(offer, "what"))
    places, at = offer.arguments["place"], offer.arguments["seat"]
    assert isinstance(places, o.Choice)
    if not deals_sealed(day):
        if can_happen(day, state, reported):
            yield offer
        return
    for place in places.values:
        told = (replace(reported, place=str(place), seat=n) for n in range(state.setup.seats + 1))
        seats = (x.seat for x in told if at.holds(x.seat) and can_happen(day, state, x))
        if some := tuple(seats):
            yield _narrowed(offer, place=o.Choice((place,)), seat=o.Choice(some))


def _of_incident(state: Round, by: Actor, offer: o.Offer) -> Iterator[o.Offer]:
    """What may be reported; where the floor decides after cards were seen that it is void, two
    people do."""
    what, places = _only(offer, "what"), offer.arguments["place"]
    assert isinstance(places, o.Choice)
    decided = tuple(
        place
        for place in places.values
        if floor_decides(state, g.Incident(what=what, place=str(place)))
    )
    if not decided or not cards_seen(state):
        yield offer
        return
    if others := tuple(place for place in places.values if place not in decided):
        yield _narrowed(offer, place=o.Choice(others))
    yield _narrowed(offer, place=o.Choice(decided), decision=o.Choice(("", "continue")))
    agrees = _agrees(state, by)
    yield _narrowed(offer, place=o.Choice(decided), decision=o.Choice(("void",)), second=agrees)


def _narrowed(offer: o.Offer, **bounds: o.Argument) -> o.Offer:
    return replace(offer, arguments={**offer.arguments, **bounds})


def _only(offer: o.Offer, name: str) -> Any:
    bounds = offer.arguments[name]
    assert isinstance(bounds, o.Choice)
    return bounds.values[0]


def named(day: Day, offer: o.Offer) -> o.Offer:
    """A wager carries the name of nobody but the one who sits there."""
    sits, bounds = day.seated.get(_only(offer, "seat")), offer.arguments["player"]
    player: o.Argument
    if sits is not None:
        player = o.Choice(tuple(name for name in ("", sits) if bounds.holds(name)))
    elif isinstance(bounds, o.Choice):
        others = tuple(day.seated.values())
        player = o.Choice(tuple(name for name in bounds.values if name not in others))
    else:
        assert isinstance(bounds, o.Text)
        player = o.Text(not_these=(*bounds.not_these, *day.seated.values()))
    return replace(offer, arguments={**offer.arguments, "player": player})


def _with_seal(day: Day, by: Actor, offer: o.Offer) -> o.Offer:
    """A wager may carry the seal of a word for the cut."""
    seal = _seals(day, by, _only(offer, "seat"))
    return replace(offer, arguments={**offer.arguments, "seal": seal})


def _seals(day: Day, by: Actor, seat: int) -> o.Argument:
    """None, or one for this round; where it is sealed already, the same."""
    deck, program = day.deck_in_play, by.role == "player" and by.automatic
    if deck is None or deck.sealed is None or program or day.playing.phase != "betting":
        return o.Choice(("",))
    if seat in day.seals:
        return o.Choice(("", day.seals[seat]))
    return o.Judged("the seal of a word, or nothing", lambda one: one == "" or is_digest(one))


_OFFERS: dict[type, Offers] = {
    a.ReceiveDeck: _receiving,
    a.Prepare: _preparing,
    a.StartShuffle: _of_decks("dealer", a.StartShuffle, _shuffle_cites),
    a.JamShuffler: _of_decks(
        "dealer", a.JamShuffler, lambda day: book_of(day).irregularities.shuffler_jam.cites
    ),
    a.FinishShuffle: _finishing,
    a.SealDeck: _sealing(a.SealDeck),
    a.ForceDeck: _sealing(a.ForceDeck),
    a.Cut: _cuts,
    a.TellWord: _telling_words,
    a.FixCut: _fixing_cuts,
    a.ForceCut: _forcing_cuts,
    a.OrderRecut: _of_decks("floor", a.OrderRecut, _cut_cites, reason=o.WORDS),
    a.OrderShuffle: _of_decks("floor", a.OrderShuffle, _shuffle_cites, reason=o.WORDS),
    a.Load: _of_decks("dealer", a.Load, lambda day: day.setup.dealing.cites),
    a.RemoveDeck: _of_decks(
        "floor", a.RemoveDeck, lambda day: cited(book_of(day).deck_age), reason=o.WORDS
    ),
    a.GoIdle: _going_idle,
    a.DealOut: _dealing,
    a.ReportCard: _reporting,
    a.CountStub: _counting,
    g.CorrectCard: _correcting_cards,
    a.TellTime: _tell_time,
    a.OpenDay: _tried(
        "floor", a.OpenDay(date=REASON, tray_cents=0), date=o.WORDS, tray_cents=o.Range(0, None)
    ),
    a.CloseDay: _tried("floor", a.CloseDay(tray_cents=0), tray_cents=o.Range(0, None)),
    a.Fill: _tried("floor", a.Fill(cents=1), cents=o.Range(1, None)),
    a.Credit: _credits,
    a.BuyIn: _buy_ins,
    a.Drop: _tried("floor", a.Drop(cents=0), cents=o.Range(0, None)),
    a.Propose: _proposing,
    a.Approve: _approving,
    a.Withdraw: _withdrawing,
    a.Designate: _tried("floor", a.Designate(), designation),
    a.CloseTable: _tried("floor", a.CloseTable(), designation),
    a.AssignDealer: _assigning,
    a.SitDown: _sitting_down,
    a.StandUp: _standing_up,
    a.StartRound: _tried("dealer", a.StartRound(), lambda day: book_of(day).ante.cites),
    a.CallOff: _tried("dealer", a.CallOff()),
    a.Expire: _expiring,
    a.FailDevice: _tried("floor", a.FailDevice(reason=REASON), _device_cites, reason=o.WORDS),
    a.MarkDevice: _tried(
        "floor", a.MarkDevice(how="covered"), _device_cites, how=o.Choice(("covered", "signed"))
    ),
    a.UseMethod: _methods,
    a.RestoreDevice: _tried("floor", a.RestoreDevice(), _device_cites),
    a.Interrupt: _interrupting,
    a.AbandonSealed: _tried(
        "system",
        a.AbandonSealed(reason=REASON, first=REASON, second=REASON),
        reason=o.WORDS,
        first=o.WORDS,
        second=o.WORDS,
    ),
    a.Confirm: _confirming,
}
