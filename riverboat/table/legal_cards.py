"""What may be asked for now about a table's decks and the cards of its round."""

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

from msgspec.structs import replace

from riverboat.cards import DECK, check_deck
from riverboat.fairness import commit, is_nonce
from riverboat.games import actions as g
from riverboat.games.actions import Action
from riverboat.games.dealing import card_counts
from riverboat.games.legal import begins, permits
from riverboat.games.legal import offers_of as offers_of_round
from riverboat.games.offers import (
    WORDS,
    Argument,
    Choice,
    Counts,
    Judged,
    Offer,
    Party,
    Range,
    Text,
)
from riverboat.table import actions as a
from riverboat.table.asking import SILENT, book_of
from riverboat.table.day import Day
from riverboat.table.opening import go_idle, next_step, pairing, prepare, receive_deck, remove_deck
from riverboat.table.people import Actor
from riverboat.table.rounds import (
    count_stub,
    delivery_places,
    is_dealt,
    report_card,
    require_deal,
)
from riverboat.table.shuffles import (
    cut,
    cut_by_player,
    depths,
    finish_shuffle,
    jam_shuffler,
    load,
    order_recut,
    order_shuffle,
    require_sealable,
    start_shuffle,
)

Offers: TypeAlias = Callable[[Day, Actor], Iterator[Offer]]
Procedure: TypeAlias = Callable[..., Iterator[Any]]
Cited: TypeAlias = Callable[[Day], tuple[str, ...]]
REASON = "?"
"""Some reason: whether one is good enough is not the table's to say."""


def offer_of(actor: Party, kind: type[Action], cites: tuple[str, ...], **bounds: Argument) -> Offer:
    return Offer(actor, kind, bounds, cites)


def tried(
    procedure: Procedure, actor: Party, asked: Action, cites: Cited, **bounds: Argument
) -> Offers:
    """One request, or those that differ from it by these bounds only."""

    def offers(day: Day, by: Actor) -> Iterator[Offer]:
        if begins(procedure, day, by, asked):
            yield Offer(actor, type(asked), bounds, cites(day))

    return offers


def silent(day: Day) -> tuple[str, ...]:
    return SILENT


# ---------------------------------------------------------------- decks


def _receiving(day: Day, by: Actor) -> Iterator[Offer]:
    if day.configuration is None:
        return
    designs, backs = pairing(day)
    new, design = f"{''.join(day.decks)}?", designs[0] if designs else "standard"
    unlike = f"{''.join(backs)}?"
    asked = a.ReceiveDeck(deck=new, back=unlike, design=design)
    if not begins(receive_deck, day, by, asked):
        return
    ready = begins(receive_deck, day, by, replace(asked, preshuffled=True))
    yield offer_of(
        "floor",
        a.ReceiveDeck,
        book_of(day).cards.cites,
        deck=Text(words=True, not_these=tuple(day.decks)),
        back=Text(words=True, not_these=backs),
        design=Choice(designs) if designs else Text(),
        preshuffled=Choice((False, True) if ready else (False,)),
    )


def _preparing(day: Day, by: Actor) -> Iterator[Offer]:
    for deck in day.decks.values():
        step = next_step(day, deck)
        if step is not None and begins(prepare, day, by, a.Prepare(deck=deck.name, step=step.step)):
            person: Party = step.by if step.by in ("dealer", "player") else "floor"
            yield offer_of(
                person,
                a.Prepare,
                step.cites,
                deck=Choice((deck.name,)),
                step=Choice((step.step,)),
                defects=Text() if step.step == "inspect" else Choice(("",)),
            )


def _of_decks(
    procedure: Callable[..., Any],
    actor: Party,
    kind: type[Action],
    cites: Cited,
    **bounds: Argument,
) -> Offers:
    """The same request for each deck of which it can be granted."""
    more = {"reason": REASON} if "reason" in bounds else {}

    def offers(day: Day, by: Actor) -> Iterator[Offer]:
        for name in day.decks:
            if begins(procedure, day, by, kind(deck=name, **more)):
                yield Offer(actor, kind, {"deck": Choice((name,)), **bounds}, cites(day))

    return offers


def _finishing(day: Day, by: Actor) -> Iterator[Offer]:
    for name in day.decks:
        for count, bounds in ((0, Choice((0,))), (1, Range(1, None))):
            if begins(finish_shuffle, day, by, a.FinishShuffle(deck=name, count=count)):
                cites = book_of(day).shuffle.cites
                deck = Choice((name,))
                yield offer_of("dealer", a.FinishShuffle, cites, deck=deck, count=bounds)


def _sealing(kind: type[a.SealDeck] | type[a.ForceDeck]) -> Offers:
    forced = kind is a.ForceDeck

    def offers(day: Day, by: Actor) -> Iterator[Offer]:
        for name in day.decks:
            if permits(require_sealable, day, name, forced):
                yield offer_of(
                    "lab" if forced else "system",
                    kind,
                    book_of(day).shuffle.cites,
                    deck=Choice((name,)),
                    order=Judged("every card of a deck, once", partial(permits, check_deck)),
                    salts=Judged("a salt for every card", partial(permits, commit, "T", 1, DECK)),
                )

    return offers


def _cuts(day: Day, by: Actor) -> Iterator[Offer]:
    for deck in day.decks.values():
        low, high = depths(day, deck)
        if begins(cut, day, by, a.Cut(deck=deck.name, depth=low)):
            bounds: dict[str, Argument] = {"deck": Choice((deck.name,)), "depth": Range(low, high)}
            yield Offer("dealer", a.Cut, bounds, _cut_cites(day))


def _players_cuts(day: Day, by: Actor) -> Iterator[Offer]:
    """A depth, or a word that decides it, and not both."""
    deck = day.deck_in_play
    if deck is None:
        return
    low, high = depths(day, deck)
    if begins(cut_by_player, day, by, a.CutByPlayer(depth=low)):
        depth, none = Range(low, high), Choice(("",))
        yield offer_of("player", a.CutByPlayer, _cut_cites(day), depth=depth, nonce=none)
    if begins(cut_by_player, day, by, a.CutByPlayer(nonce=REASON)):
        nonce = Judged("a word", lambda word: isinstance(word, str) and is_nonce(word))
        none = Choice((None,))
        yield offer_of("player", a.CutByPlayer, _cut_cites(day), depth=none, nonce=nonce)


def _cut_cites(day: Day) -> tuple[str, ...]:
    rule = book_of(day).cut
    return rule.cites if rule is not None else SILENT


def _going_idle(day: Day, by: Actor) -> Iterator[Offer]:
    how = tuple(up for up in (False, True) if begins(go_idle, day, by, a.GoIdle(face_up=up)))
    rule = book_of(day).idle if how else None
    if rule is not None:
        yield offer_of("dealer", a.GoIdle, rule.cites, face_up=Choice(how))


# ---------------------------------------------------------------- cards of a round


def _dealing(day: Day, by: Actor) -> Iterator[Offer]:
    if permits(require_deal, day):
        yield offer_of("dealer", a.DealOut, book_of(day).deal.cites)


def _reporting(day: Day, by: Actor) -> Iterator[Offer]:
    gone = {*day.reported, *day.left_out}
    left = tuple(card for card in DECK if card not in gone)
    if begins(report_card, day, by, a.ReportCard(card=left[0])):
        how = Choice(("dealt", "face_up", "drawn_in_error"))
        cites = book_of(day).deal.cites
        yield offer_of("dealer", a.ReportCard, cites, card=Choice(left), how=how)


def _counting(day: Day, by: Actor) -> Iterator[Offer]:
    if begins(count_stub, day, by, a.CountStub(cards=0)):
        places = card_counts(day.setup, sorted(day.playing.seats)) if day.in_round else ()
        rule = book_of(day).stub_count
        yield offer_of(
            "dealer",
            a.CountStub,
            rule.cites if rule is not None else SILENT,
            cards=Range(0, None),
            places=Counts(tuple(places)),
        )


def _correcting_cards(day: Day, by: Actor) -> Iterator[Offer]:
    """Of a deal that is under way, those that were told; then those of the round."""
    if day.configuration is None or not day.configuration.physical or not day.in_round:
        return
    if is_dealt(day):
        for offer in offers_of_round(day.playing, g.CorrectCard):
            yield _without_cards(offer, day.left_out)
        return
    gone = {*day.reported, *day.left_out}
    rest = Choice(tuple(card for card in DECK if card not in gone))
    told = Counter(delivery_places(day)[: len(day.reported)])
    for place, count in told.items():
        yield offer_of(
            "floor",
            g.CorrectCard,
            book_of(day).cards.cites,
            place=Choice((place,)),
            number=Range(1, count),
            card=rest,
            reason=WORDS,
        )


def _without_cards(offer: Offer, out: tuple[int, ...]) -> Offer:
    card = offer.arguments["card"]
    held = Judged(
        "a card that is still in the deck", lambda one: one not in out and card.holds(one)
    )
    return replace(offer, arguments={**offer.arguments, "card": held}) if out else offer


def _shuffle_cites(day: Day) -> tuple[str, ...]:
    return book_of(day).shuffle.cites


def _jam_cites(day: Day) -> tuple[str, ...]:
    return book_of(day).irregularities.shuffler_jam.cites


def _loading_cites(day: Day) -> tuple[str, ...]:
    return day.setup.dealing.cites


def _age_cites(day: Day) -> tuple[str, ...]:
    rule = book_of(day).deck_age
    return rule.cites if rule is not None else SILENT


OFFERS: dict[type, Offers] = {
    a.ReceiveDeck: _receiving,
    a.Prepare: _preparing,
    a.StartShuffle: _of_decks(start_shuffle, "dealer", a.StartShuffle, _shuffle_cites),
    a.JamShuffler: _of_decks(jam_shuffler, "dealer", a.JamShuffler, _jam_cites),
    a.FinishShuffle: _finishing,
    a.SealDeck: _sealing(a.SealDeck),
    a.ForceDeck: _sealing(a.ForceDeck),
    a.Cut: _cuts,
    a.CutByPlayer: _players_cuts,
    a.OrderRecut: _of_decks(order_recut, "floor", a.OrderRecut, _cut_cites, reason=WORDS),
    a.OrderShuffle: _of_decks(order_shuffle, "floor", a.OrderShuffle, _shuffle_cites, reason=WORDS),
    a.Load: _of_decks(load, "dealer", a.Load, _loading_cites),
    a.RemoveDeck: _of_decks(remove_deck, "floor", a.RemoveDeck, _age_cites, reason=WORDS),
    a.GoIdle: _going_idle,
    a.DealOut: _dealing,
    a.ReportCard: _reporting,
    a.CountStub: _counting,
    g.CorrectCard: _correcting_cards,
}
