"""Decks from delivery to deal: received, inspected, spread and washed, shuffled, cut and loaded."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from riverboat.core.errors import NotationError, Refused
from riverboat.core.fairness import commit, cut_depth, is_digest, player_seal
from riverboat.core.records import alike
from riverboat.round import actions as g
from riverboat.round.legal import permits
from riverboat.round.table_talk import number_of
from riverboat.rulebook.procedures import OpeningStep
from riverboat.rulebook.values import with_article
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import STAGE_AFTER, Day, Deck, Stage
from riverboat.table.people import Actor, has_role, is_a, require_another
from riverboat.table.procedures import checks
from riverboat.table.procedures.checks import SILENT, book_of, cited, configured, deck_named

WORD_SECONDS: Final = 2
"""How long a word that was sealed with a bet is waited for, once it may be told."""


def receive_deck(day: Day, by: Actor, action: a.ReceiveDeck) -> Iterator[e.AnyEvent]:
    """A deck is received if the table has use for it, and if it goes with the other one."""
    checks.require_open(day)
    checks.require_no_round(day, "a new deck")
    book = book_of(day)
    checks.require_words(action.deck, "a deck's name")
    checks.require_words(action.back, "the colour of a deck's back")
    if action.deck in day.decks:
        raise Refused("deck.known", f"the {action.deck} deck is already here", cites=SILENT)
    wanted = configured(day).decks
    if len(day.decks) >= wanted:
        text = f"another deck; {wanted} is in use at this table"
        raise Refused("deck.too_many", text, cites=(*book.cards.cites, *cited(book.two_decks)))
    _require_pair(day, action)
    if action.preshuffled and "preshuffled" not in book.shuffle.waived_for:
        text = "a pre-shuffled deck; here every deck is shuffled before play"
        raise Refused("deck.not_waived", text, cites=book.shuffle.cites)
    yield alike(e.DeckReceived, action)


def pairing(day: Day) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The designs that a further deck has, and the backs that it has not; none where any goes."""
    rule, here = book_of(day).two_decks, day.decks.values()
    designs = dict.fromkeys(deck.design for deck in here) if rule and rule.same_design else ()
    backs = tuple(deck.back for deck in here) if rule and rule.different_backs else ()
    return tuple(designs), backs


def _require_pair(day: Day, action: a.ReceiveDeck) -> None:
    (designs, backs), cites = pairing(day), cited(book_of(day).two_decks)
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
    checks.require_open(day)
    deck = deck_named(day, action.deck)
    step, opening = next_step(day, deck), book_of(day).opening
    known = {str(one.step): one for one in opening.steps} if opening is not None else {}
    if action.step not in STAGE_AFTER:
        listed = ", ".join(STAGE_AFTER)
        raise NotationError("step.unknown", f"{action.step!r} is no step; there are {listed}")
    if step is None or action.step != step.step:
        waits = step.step.replace("_", " ") if step else "no opening step"
        text = f"{action.step.replace('_', ' ')}; the {deck.name} deck waits for {waits}"
        cites = (*cited(known.get(action.step)), *cited(step), *_why_not_opened(day, deck))
        raise Refused("step.out_of_order", text, cites=cites)
    if deck.defects:
        text = f"the {deck.name} deck has a defect ({deck.defects}); another deck is needed"
        raise Refused("deck.defective", text, cites=step.cites)
    _require_person(by, step, deck)
    if action.defects and action.step != "inspect":
        raise NotationError("step.defects", "only an inspection finds defects")
    yield e.DeckPrepared(deck=deck.name, step=step.step, by=by.name, defects=action.defects)


def _why_not_opened(day: Day, deck: Deck) -> tuple[str, ...]:
    """A deck that came pre-shuffled skips the steps; one that lies spread goes on where it can."""
    book = book_of(day)
    if deck.method == "preshuffled" and book.opening is not None:
        return book.opening.waiver.cites
    return cited(book.idle) if deck.stage == "idle" else SILENT


def _require_person(by: Actor, step: OpeningStep, deck: Deck) -> None:
    if by.role != "lab" and not has_role(by, (step.by,)):  # type: ignore[arg-type]
        text = f"{is_a(by)}; {step.step.replace('_', ' ')} is the {step.by}'s"
        raise Refused("person.not_theirs", text, cites=step.cites)
    if step.step == "verify":
        require_another(by, deck.inspected_by, "inspected this deck", step.cites)


def remove_deck(day: Day, by: Actor, action: a.RemoveDeck) -> Iterator[e.AnyEvent]:
    """A deck leaves between rounds; a commitment to its order stays on record."""
    deck = deck_named(day, action.deck)
    checks.require_no_round(day, "a deck change", cited(book_of(day).deck_age))
    checks.require_words(action.reason, "taking a deck away")
    yield from abandoned(deck, f"the deck left the table: {action.reason}")
    yield e.DeckTakenAway(deck=deck.name, reason=action.reason)


def abandoned(deck: Deck, reason: str) -> Iterator[e.AnyEvent]:
    """A commitment that will not be played."""
    if deck.sealed is not None:
        yield e.CommitmentAbandoned(number=deck.sealed.number, deck=deck.name, reason=reason)


def shuffled_again(day: Day, abandons: str, orders: str) -> Iterator[e.AnyEvent]:
    """Decks that were shuffled in another way are shuffled anew."""
    for deck in day.decks.values():
        if deck.stage in ("shuffling", "shuffled", "ready"):
            yield from abandoned(deck, abandons)
            yield e.ShuffleOrdered(deck=deck.name, reason=orders)


_NOT_VERIFIED = ("received", "inspected")


def go_idle(day: Day, by: Actor, action: a.GoIdle) -> Iterator[e.AnyEvent]:
    """With no gaming activity the cards come out of shoe and rack and are spread.

    Face up only on a player's request: then it is the player who asks.
    """
    checks.require_open(day)
    rule = book_of(day).idle
    if rule is None:
        text = "the rulebook knows no idle table; the cards stay where they are"
        raise Refused("idle.no_rule", text, cites=SILENT)
    checks.require_no_round(day, "spreading the cards", rule.cites)
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


BY_DEVICE = ("automated", "continuous")
_NOT_DEALT = ("betting", "closed", "locked", "ready")


def start_shuffle(day: Day, by: Actor, action: a.StartShuffle) -> Iterator[e.AnyEvent]:
    """Before play and after each round, by the method this table uses."""
    checks.require_open(day)
    deck, rule = deck_named(day, action.deck), book_of(day).shuffle
    checks.require_stage(deck, ("stacked", "used"), "shuffling", rule.cites)
    method = configured(day).shuffle
    if method in BY_DEVICE:
        require_device(day)
        _require_shuffler_free(day, deck)
    yield e.ShuffleStarted(deck=deck.name, method=method)


def shuffler_is_down(day: Day) -> bool:
    """Whether the device cannot be used; where only the shoe is down, the shuffler can."""
    shuffler_works = day.method is not None and day.method[1] in BY_DEVICE
    return day.device != "working" and not shuffler_works


def require_device(day: Day) -> None:
    """The device can be used."""
    if shuffler_is_down(day):
        rule = book_of(day).irregularities.device_out_of_use
        text = "the device is out of use; another allowed method is needed, or its repair"
        raise Refused("device.out_of_use", text, cites=rule.cites)


def deals_by_device(day: Day) -> bool:
    """Whether cards come out of the device that can be out of use: without a shuffler, the shoe."""
    needs = configured(day).setup.dealing.needs
    by_shoe = "approved_place" in needs and not configured(day).device.shuffler
    return by_shoe or "automated_device" in needs


def shuffle_waits(day: Day, deck: Deck) -> bool:
    """Whether a deck cannot be shuffled now: the device is out of use, or another deck is in it."""
    if configured(day).shuffle not in BY_DEVICE:
        return False
    return not (permits(require_device, day) and permits(_require_shuffler_free, day, deck))


def _require_shuffler_free(day: Day, deck: Deck) -> None:
    """One deck at a time is in the shuffler."""
    for other in day.decks.values():
        if other.name != deck.name and other.stage == "shuffling":
            text = f"the {other.name} deck is being shuffled"
            raise Refused("shuffler.busy", text, cites=cited(book_of(day).two_decks))


def jam_shuffler(day: Day, by: Actor, action: a.JamShuffler) -> Iterator[e.AnyEvent]:
    """A shuffle that the device does not complete begins again."""
    deck, rule = deck_named(day, action.deck), book_of(day).irregularities.shuffler_jam
    checks.require_stage(deck, ("shuffling",), "a jam of", rule.cites)
    if deck.method not in BY_DEVICE:
        text = f"{with_article(deck.method)} shuffle cannot jam"
        raise Refused("shuffler.by_hand", text, cites=rule.cites)
    if rule.consequence != "reshuffle":
        text = "the rulebook does not begin a jammed shuffle again"
        raise Refused("shuffler.no_reshuffle", text, cites=rule.cites)
    yield e.ShuffleJammed(deck=deck.name)


def finish_shuffle(day: Day, by: Actor, action: a.FinishShuffle) -> Iterator[e.AnyEvent]:
    """A counting shuffler tells whether the deck is whole; one that is not leaves the table."""
    deck, book = deck_named(day, action.deck), book_of(day)
    checks.require_stage(deck, ("shuffling",), "the end of shuffling", book.shuffle.cites)
    if deck.method in BY_DEVICE:
        require_device(day)
    rule = book.irregularities.shuffler_count
    counts = configured(day).counts_cards and deck.method in BY_DEVICE
    if counts != bool(action.count):
        text = "this shuffler counts the deck, and its count is needed"
        if not counts:
            text = f"a count of {action.count}; nothing counts the cards in this shuffle"
        raise Refused("shuffle.count", text, cites=cited(rule))
    if action.count < 0:
        raise NotationError("shuffle.bad_count", f"{action.count} is no number of cards")
    yield e.ShuffleFinished(deck=deck.name, count=action.count)
    stays = rule is not None and rule.consequence == "none"
    if counts and action.count != book.cards.cards and not stays:
        reason = f"the shuffler counted {number_of(action.count, 'card')}"
        yield e.DeckTakenAway(deck=deck.name, reason=reason)


def seal_deck(day: Day, by: Actor, action: a.SealDeck | a.ForceDeck) -> Iterator[e.AnyEvent]:
    """The order of an electronic deck is fixed and committed to, before any bet on it."""
    forced = isinstance(action, a.ForceDeck)
    require_sealable(day, action.deck, forced)
    number = day.commitments + 1
    made = commit(day.table, number, action.order, action.salts, action.word)
    yield alike(e.DeckSealed, action, number=number, root=made.root, forced=forced)


def require_sealable(day: Day, name: str, forced: bool) -> None:
    """A shuffled deck of a table without physical cards, to whose order nobody is committed yet."""
    deck, configuration = deck_named(day, name), configured(day)
    if forced and not configuration.test:
        text = "a forced deck; that is for test tables, which are not open for play"
        raise Refused("deck.forced", text, cites=SILENT)
    if configuration.physical:
        text = "a sealed deck; this table is dealt with physical cards and has no commitment"
        raise Refused("deck.physical", text, cites=SILENT)
    checks.require_stage(deck, ("shuffled",), "sealing", book_of(day).shuffle.cites)
    if deck.sealed is not None or deck.is_cut:
        raise Refused("deck.sealed", f"the {deck.name} deck is already sealed", cites=SILENT)


def needs_seal(day: Day, deck: Deck) -> bool:
    """An electronic deck has to be sealed before it is cut or loaded."""
    return not configured(day).physical and deck.sealed is None


def needs_cut(day: Day, deck: Deck) -> bool:
    """Whether the rulebook wants this deck cut before it is dealt from."""
    return not deck.is_cut and configured(day).cut_required(deck.method)


def cuts_before_bets(day: Day) -> bool:
    """Whether the cut belongs before the bets, or between the last bet and the deal."""
    rule = book_of(day).cut
    return rule is not None and rule.moment == "before_the_bets"


def depths(day: Day, deck: Deck) -> tuple[int, int]:
    """The shallowest and the deepest cut; where no rule wants one, any card may come first."""
    rule, size = book_of(day).cut, book_of(day).cards.cards
    if rule is None or not configured(day).cut_required(deck.method):
        return 0, size - 1
    margin = configured(day).setup.settings.get("cut_bottom_margin")
    return rule.minimum_depth, size - (margin if isinstance(margin, int) else 1)


def _require_depth(day: Day, deck: Deck, depth: int) -> None:
    low, high = depths(day, deck)
    if not low <= depth <= high:
        cites = (*cited(book_of(day).cut), *cited(book_of(day).options.get("cut_bottom_margin")))
        text = f"a cut {number_of(depth, 'card')} from the top; {low} to {high} is allowed"
        raise Refused("cut.bad_depth", text, cites=cites)


def cut(day: Day, by: Actor, action: a.Cut) -> Iterator[e.AnyEvent]:
    """The cover card goes in deep enough, and what lies above it goes to the bottom."""
    checks.require_open(day)
    deck, cites = deck_named(day, action.deck), cited(book_of(day).cut)
    if not needs_cut(day, deck):
        text = f"the {deck.name} deck does not wait for a cut"
        raise Refused("cut.not_wanted", text, cites=cites)
    if needs_seal(day, deck):
        raise Refused("deck.not_sealed", "the deck is not sealed yet", cites=cites)
    stages: tuple[Stage, ...] = ("shuffled", "in_play") if cuts_before_bets(day) else ("in_play",)
    checks.require_stage(deck, stages, "cutting", cites)
    if deck.stage == "in_play":
        _require_before_deal(day, cites)
        if not configured(day).physical and not cuts_before_bets(day):
            text = "the cut of a committed deck is fixed by words, and nobody chooses it"
            raise Refused("cut.by_words", text, cites=cites)
    _require_depth(day, deck, action.depth)
    yield e.DeckCut(deck=deck.name, depth=action.depth, by=by.name)


def _require_before_deal(day: Day, cites: tuple[str, ...]) -> None:
    phase = day.playing.phase
    if phase not in _NOT_DEALT or day.reported:
        raise Refused("cut.too_late", "the cards are dealt", cites=cites)
    if day.cut_known:
        text = "words for the cut have been told; nobody cuts this deck otherwise any more"
        raise Refused("cut.fixed", text, cites=cites)
    if phase != "ready" and not cuts_before_bets(day):
        text = "the cut comes after the last bet and before the deal"
        raise Refused("cut.too_early", text, cites=cites)


def seal_word(day: Day, by: Actor, action: g.Wager) -> Iterator[e.AnyEvent]:
    """With a bet comes the seal of a word of the player's own; one word a seat and round."""
    if not action.seal:
        return
    if not is_digest(action.seal):
        text = f"seal {action.seal[:80]!r}: the seal of a word has 64 digits of 0-9 and a-f"
        raise NotationError("word.seal", text)
    deck = day.deck_in_play
    if deck is None or deck.sealed is None:
        text = "a word for the cut; this table is dealt with physical cards, which the dealer cuts"
        raise Refused("word.physical", text, cites=SILENT)
    if by.role == "player" and by.automatic:
        text = f"a word of {by.name}, which is a program of the house; only people seal words"
        raise Refused("word.program", text, cites=SILENT)
    if day.playing.phase != "betting":
        text = "words are sealed before the betting closes"
        raise Refused("word.too_late", text, cites=SILENT)
    if day.seals.get(action.seat, action.seal) != action.seal:
        text = f"another word for seat {action.seat}, which has sealed one for this round"
        raise Refused("word.sealed", text, cites=SILENT)
    if action.seat not in day.seals:
        yield e.WordSealed(seat=action.seat, seal=action.seal)


def tell_word(day: Day, by: Actor, action: a.TellWord) -> Iterator[e.AnyEvent]:
    """When no bet can follow, a player tells the word whose seal lies with the bet."""
    sealed = _require_cut_waits(day)
    seal = day.seals.get(action.seat) if action.seat in day.playing.seats else None
    if seal is None:
        text = f"seat {action.seat} has sealed no word with a bet in this round"
        raise Refused("word.none", text, cites=SILENT)
    if action.seat in day.words:
        text = f"seat {action.seat} has told its word already"
        raise Refused("word.told", text, cites=SILENT)
    if player_seal(sealed.root, action.seat, action.word) != seal:
        text = f"another word than the one that seat {action.seat} sealed"
        raise Refused("word.other", text, cites=SILENT)
    yield e.WordTold(seat=action.seat, word=action.word)


def fix_cut(day: Day, by: Actor, action: a.FixCut) -> Iterator[e.AnyEvent]:
    """The house's word, committed to with the deck, and every word that was told fix the cut.

    Nobody is left out unsaid: who sealed a word and did not tell it is named, with how long the
    house waited.
    """
    sealed, missing = _require_cut_waits(day), day.untold
    if action.without != missing:
        seats = ", ".join(map(str, missing)) or "none"
        text = f"a cut without the words of seats {list(action.without)}; untold: {seats}"
        raise Refused("cut.words", text, cites=SILENT)
    if action.seconds < 0 or bool(missing) != (action.seconds > 0):
        text = "a word is waited for at least a second, and only a word that is missing"
        raise NotationError("cut.bad_time", text)
    low, high = depths(day, day.decks[day.round_deck])
    words = dict(sorted(day.words.items()))
    yield e.DeckCut(
        deck=day.round_deck,
        depth=cut_depth(sealed.root, sealed.word, words, low, high),
        by=by.name,
        fixed=True,
        house=sealed.word,
        words={str(seat): word for seat, word in words.items()},
        withheld=missing,
        seconds=action.seconds,
        lowest=low,
        deepest=high,
    )


def fixing(day: Day) -> a.FixCut:
    """The cut as it can be fixed now: without the words that have not been told."""
    return a.FixCut(without=day.untold, seconds=WORD_SECONDS if day.untold else 0)


def force_cut(day: Day, by: Actor, action: a.ForceCut) -> Iterator[e.AnyEvent]:
    """At a test table a lab says where to cut; everywhere else nobody does."""
    if not configured(day).test:
        text = "a forced cut; that is for test tables, which are not open for play"
        raise Refused("cut.forced", text, cites=SILENT)
    _require_cut_waits(day)
    deck = day.decks[day.round_deck]
    _require_depth(day, deck, action.depth)
    yield e.DeckCut(deck=deck.name, depth=action.depth, by=by.name, fixed=True, forced=True)


def _require_cut_waits(day: Day) -> e.DeckSealed:
    """A committed deck is in play, the bets are down, and its cut is not fixed."""
    checks.require_open(day)
    deck = day.deck_in_play
    if deck is None or deck.sealed is None or day.playing.phase != "ready":
        text = "a committed deck is cut between the last bet and the deal"
        raise Refused("cut.not_now", text, cites=SILENT)
    if day.cut_fixed:
        raise Refused("cut.fixed", "this round's cut is fixed already", cites=SILENT)
    return deck.sealed


def order_recut(day: Day, by: Actor, action: a.OrderRecut) -> Iterator[e.AnyEvent]:
    """A cut that was improper is made again, as long as no card is dealt."""
    checks.require_open(day)
    deck, rule = deck_named(day, action.deck), book_of(day).cut
    cites = cited(rule)
    checks.require_words(action.reason, "another cut")
    if rule is None or not rule.recut_on_order_of_floor:
        raise Refused("recut.no_rule", "the rulebook knows no re-cut", cites=cites)
    if not deck.is_cut:
        raise Refused("recut.not_cut", f"the {deck.name} deck was not cut", cites=cites)
    if deck.stage == "in_play":
        _require_before_deal(day, cites)
    yield e.RecutOrdered(deck=deck.name, reason=action.reason)


def order_shuffle(day: Day, by: Actor, action: a.OrderShuffle) -> Iterator[e.AnyEvent]:
    """The floor may have the cards shuffled at any time between rounds."""
    checks.require_open(day)
    deck, rule = deck_named(day, action.deck), book_of(day).shuffle
    checks.require_words(action.reason, "another shuffle")
    if "on_order_of_floor" not in rule.when:
        text = "the rulebook knows no shuffle on the floor's order"
        raise Refused("shuffle.no_order", text, cites=rule.cites)
    checks.require_no_round(day, "a shuffle on the floor's order", rule.cites)
    checks.require_stage(deck, ("shuffled", "ready"), "shuffling again", rule.cites)
    yield from abandoned(deck, f"the floor had the deck shuffled: {action.reason}")
    yield e.ShuffleOrdered(deck=deck.name, reason=action.reason)


def load(day: Day, by: Actor, action: a.Load) -> Iterator[e.AnyEvent]:
    """The stack goes where it is dealt from, cut if it has to be."""
    checks.require_open(day)
    deck, dealing = deck_named(day, action.deck), configured(day).setup.dealing
    checks.require_stage(deck, ("shuffled",), "loading", dealing.cites)
    if needs_seal(day, deck):
        raise Refused("deck.not_sealed", f"the {deck.name} deck is not sealed", cites=SILENT)
    if needs_cut(day, deck) and cuts_before_bets(day):
        text = f"the {deck.name} deck is not cut"
        raise Refused("deck.not_cut", text, cites=cited(book_of(day).cut))
    if deals_by_device(day):
        require_device(day)
    if refusal := load_refusal(day, deck):
        raise refusal
    yield e.DeckLoaded(deck=deck.name)


def load_refusal(day: Day, deck: Deck) -> Refused | None:
    """Why a deck stays where it is: the other one is in use, or its turn has not come."""
    cites = cited(book_of(day).two_decks)
    for other in day.decks.values():
        if other.name != deck.name and other.stage in ("ready", "in_play"):
            text = f"the {other.name} deck is in use; the other one stays in the shuffler"
            return Refused("deck.other_in_use", text, cites=cites)
    if configured(day).decks > 1 and deck.name == day.last_deck:
        text = f"the {deck.name} deck was used last; two decks alternate every round"
        return Refused("round.same_deck", text, cites=cites)
    return None
