"""Cards come to the table: received, inspected, verified, spread, looked at, washed and stacked."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from riverboat.errors import NotationError, Refused
from riverboat.rulebook.procedures import OpeningStep
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.asking import (
    SILENT,
    book_of,
    configured,
    deck_named,
    require_no_round,
    require_open,
    require_words,
)
from riverboat.table.day import Day, Deck
from riverboat.table.people import Actor, has_role, is_a, require_another
from riverboat.table.remembering import STAGE_AFTER


def decks_wanted(day: Day) -> int:
    """How many decks are used: a second one only with the shuffler that it needs."""
    configuration = configured(day)
    two = configuration.book.two_decks
    if two is not None and configuration.shuffle == "manual":
        return configuration.book.cards.decks
    return configuration.decks


def receive_deck(day: Day, by: Actor, action: a.ReceiveDeck) -> Iterator[e.AnyEvent]:
    """A deck is received if the table has use for it, and if it goes with the other one."""
    require_open(day)
    require_no_round(day, "a new deck")
    book = book_of(day)
    require_words(action.deck, "a deck's name")
    require_words(action.back, "the colour of a deck's back")
    if action.deck in day.decks:
        raise Refused("deck.known", f"the {action.deck} deck is already here", cites=SILENT)
    wanted, cites = decks_wanted(day), book.cards.cites
    if book.two_decks is not None:
        cites = (*cites, *book.two_decks.cites)
    if len(day.decks) >= wanted:
        text = f"another deck; {wanted} is in use at this table"
        raise Refused("deck.too_many", text, cites=cites)
    _require_pair(day, action)
    if action.preshuffled and "preshuffled" not in book.shuffle.waived_for:
        text = "a pre-shuffled deck; here every deck is shuffled before play"
        raise Refused("deck.not_waived", text, cites=book.shuffle.cites)
    yield e.DeckReceived(
        deck=action.deck,
        back=action.back,
        design=action.design,
        preshuffled=action.preshuffled,
    )


class Pairing(NamedTuple):
    """What a further deck must have in common with those that are here, and what it must not."""

    designs: tuple[str, ...]
    backs: tuple[str, ...]


def pairing(day: Day) -> Pairing:
    """The designs that a further deck has, and the backs that it has not; none where any goes."""
    rule, here = book_of(day).two_decks, day.decks.values()
    if rule is None:
        return Pairing((), ())
    designs = dict.fromkeys(deck.design for deck in here) if rule.same_design else ()
    return Pairing(tuple(designs), tuple(d.back for d in here) if rule.different_backs else ())


def _require_pair(day: Day, action: a.ReceiveDeck) -> None:
    rule, (designs, backs) = book_of(day).two_decks, pairing(day)
    cites = rule.cites if rule is not None else SILENT
    if any(action.design != design for design in designs):
        text = f"a deck of {action.design} design beside one of {designs[0]} design; the same"
        raise Refused("deck.other_design", f"{text} is right", cites=cites)
    if action.back in backs:
        text = f"two decks with {action.back} backs; different colours are right"
        raise Refused("deck.same_back", text, cites=cites)


def next_step(day: Day, deck: Deck) -> OpeningStep | None:
    """The opening step that a deck waits for; the shuffle itself is not among them."""
    book = book_of(day)
    if book.opening is None:
        return None
    steps = [step for step in book.opening.steps if step.step in STAGE_AFTER]
    if deck.stage == "received":
        return steps[0]
    if deck.stage == "idle":
        return next((step for step in steps if step.by == "player"), None)
    for step, following in pairwise(steps):
        if STAGE_AFTER[step.step] == deck.stage:
            return following
    return None


def prepare(day: Day, by: Actor, action: a.Prepare) -> Iterator[e.AnyEvent]:
    """The steps follow each other; each is done by the person it belongs to."""
    require_open(day)
    deck = deck_named(day, action.deck)
    step = next_step(day, deck)
    known = {one.step: one for one in _steps(day)}
    if action.step not in STAGE_AFTER:
        listed = ", ".join(STAGE_AFTER)
        raise NotationError("step.unknown", f"{action.step!r} is no step; there are {listed}")
    if step is None or action.step != step.step:
        waits = step.step.replace("_", " ") if step else "no opening step"
        text = f"{action.step.replace('_', ' ')}; the {deck.name} deck waits for {waits}"
        cites = known[action.step].cites if action.step in known else SILENT
        cites = (*cites, *(step.cites if step else SILENT), *_why_not_opened(day, deck))
        raise Refused("step.out_of_order", text, cites=cites)
    if deck.defects:
        text = f"the {deck.name} deck has a defect ({deck.defects}); another deck is needed"
        raise Refused("deck.defective", text, cites=step.cites)
    _require_person(by, step, deck)
    if action.defects and action.step != "inspect":
        raise NotationError("step.defects", "only an inspection finds defects")
    yield e.DeckPrepared(deck=deck.name, step=step.step, by=by.name, defects=action.defects)


def _steps(day: Day) -> tuple[OpeningStep, ...]:
    opening = book_of(day).opening
    return opening.steps if opening is not None else ()


def _why_not_opened(day: Day, deck: Deck) -> tuple[str, ...]:
    """A deck that came pre-shuffled skips the steps; one that lies spread goes on where it can."""
    book = book_of(day)
    if deck.method == "preshuffled" and book.opening is not None:
        return book.opening.waiver.cites
    return book.idle.cites if book.idle is not None and deck.stage == "idle" else SILENT


def _require_person(by: Actor, step: OpeningStep, deck: Deck) -> None:
    if by.role != "lab" and not has_role(by, (step.by,)):  # type: ignore[arg-type]
        text = f"{is_a(by)}; {step.step.replace('_', ' ')} is the {step.by}'s"
        raise Refused("person.not_theirs", text, cites=step.cites)
    if step.step == "verify":
        require_another(by, deck.inspected_by, "inspected this deck", step.cites)


def remove_deck(day: Day, by: Actor, action: a.RemoveDeck) -> Iterator[e.AnyEvent]:
    """A deck leaves between rounds; a commitment to its order stays on record."""
    deck = deck_named(day, action.deck)
    age = book_of(day).deck_age
    require_no_round(day, "a deck change", age.cites if age else SILENT)
    require_words(action.reason, "taking a deck away")
    yield from abandoned(deck, f"the deck left the table: {action.reason}")
    yield e.DeckTakenAway(deck=deck.name, reason=action.reason)


def abandoned(deck: Deck, reason: str) -> Iterator[e.AnyEvent]:
    """A commitment that will not be played."""
    if deck.sealed is not None:
        yield e.CommitmentAbandoned(number=deck.sealed.number, deck=deck.name, reason=reason)


_NOT_VERIFIED = ("received", "inspected")


def go_idle(day: Day, by: Actor, action: a.GoIdle) -> Iterator[e.AnyEvent]:
    """With no gaming activity the cards come out of shoe and rack and are spread.

    Face up only on a player's request: then it is the player who asks.
    """
    require_open(day)
    rule = book_of(day).idle
    if rule is None:
        text = "the rulebook knows no idle table; the cards stay where they are"
        raise Refused("idle.no_rule", text, cites=SILENT)
    require_no_round(day, "spreading the cards", rule.cites)
    if not day.decks or any(deck.stage in _NOT_VERIFIED for deck in day.decks.values()):
        raise Refused("idle.no_cards", "there are no inspected cards to spread", cites=rule.cites)
    if by.role == "player" and not action.face_up:
        text = "a player may ask for the cards face up; spreading them is the dealer's"
        raise Refused("person.not_theirs", text, cites=rule.cites)
    if by.role == "player" and day.phase != "idle":
        text = "a player asks for cards that lie spread; spreading them is the dealer's"
        raise Refused("person.not_theirs", text, cites=rule.cites)
    if by.role != "player" and action.face_up:
        text = "face up only if a player asks; the cards are spread face down"
        raise Refused("idle.face_down", text, cites=rule.cites)
    if day.phase == "idle" and action.face_up == day.idle_face_up:
        raise Refused("idle.already", "the cards are already spread like that", cites=rule.cites)
    for deck in day.decks.values():
        yield from abandoned(deck, "the table went idle")
    yield e.WentIdle(face_up=action.face_up)
