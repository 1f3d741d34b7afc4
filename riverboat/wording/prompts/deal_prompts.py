"""What comes next around the deal: the cut, the deal in its own order, the stub, the first look."""

from collections.abc import Iterator

from riverboat.round import events as r
from riverboat.round.incidents import sequels
from riverboat.round.setup.setup import Setup
from riverboat.round.streets import order_of, sequence_of
from riverboat.round.table_talk import deal_words, listed, number_of, place_name
from riverboat.rulebook import Rulebook
from riverboat.rulebook.procedures import FromHand
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.procedures.checks import SILENT, book_of
from riverboat.table.procedures.decks import cuts_before_bets, depths, fixing, needs_cut
from riverboat.table.procedures.rounds import count_is_due, delivery_places, right_stub
from riverboat.table.task import Task

_SUGGESTED_DEPTH = 26
_BURN = "a burn card goes face down into the discard rack, unseen"
_NAMES = {"community": "the community cards"}
_AFTER = {
    "cards_replaced_face_down": (
        "Wait until all players have looked at their cards and put them back face down"
    ),
}


def deal_tasks(day: Day) -> Iterator[Task]:
    """The cut where it comes after the bets, then the deal."""
    deck, book = day.deck_in_play, book_of(day)
    assert deck is not None
    rule = book.cut
    cut_cites = rule.cites if rule is not None and needs_cut(day, deck) else SILENT
    if cut_waits(day) and deck.sealed is not None:
        yield from _fixing(day, cut_cites)
        return
    if cut_waits(day):
        yield _cut(day, deck.name, cut_cites)
        return
    dealing, from_hand = day.setup.dealing, _from_hand(day.setup)
    burn = book.deal.burn_cards
    first = f"Burn {number_of(burn, 'card')}, then deal" if burn else "Deal"
    words = f"{first} {deal_words(order_of(day.setup, sorted(day.playing.seats)))}"
    if deck.sealed is None and day.reported:
        places = delivery_places(day)
        words = f"Report the next card: it goes to {place_name(places[len(day.reported)])}"
    out = sequels(day.playing)
    burned = (_BURN,) if burn and not day.reported else ()
    how = (*(told for told, _ in out), *burned, *dealing.mechanics)
    later = set(dealing.stub.cites if dealing.stub.goes != "not_mentioned" else ())
    if from_hand is not None:
        part = _NAMES[from_hand.part]
        how = (*how, f"take what is left out of the device and deal {part} from the hand")
        later -= set(from_hand.cites)
    yield Task(
        "dealer",
        words,
        how=how,
        do=None if deck.sealed is None else a.DealOut(),
        cites=(
            *(cite for cite in (*dealing.cites, *book.deal.cites) if cite not in later),
            *(cite for _, cites in out for cite in cites),
        ),
    )


def _fixing(day: Day, cites: tuple[str, ...]) -> Iterator[Task]:
    """The words that were sealed with bets are told, then all of them fix the cut."""
    for seat in day.untold:
        words = "Tell the word that you sealed with your bet; it helps to fix the cut"
        yield Task(who="player", seat=seat, words=words, cites=cites, optional=True)
    told = listed([f"seat {seat}" for seat in sorted(day.words)])
    whose = f"the house's word and that of {told}" if told else "the house's own word alone"
    yield Task(who="system", words=f"Fix the cut by {whose}", cites=cites, do=fixing(day))


def cut_waits(day: Day) -> bool:
    """Whether the cut comes before anything else."""
    deck = day.deck_in_play
    assert deck is not None
    return not day.cut_fixed if deck.sealed is not None else needs_cut(day, deck)


def _from_hand(setup: Setup) -> FromHand | None:
    """The part of this deal that no device dispenses, if there is one."""
    rule, option = setup.dealing.from_hand, setup.dealing.sequence_option
    if rule is None or setup.named(option) not in rule.choices:
        return None
    return rule if rule.part in sequence_of(setup) else None


def _cut(day: Day, deck: str, cites: tuple[str, ...]) -> Task:
    low, high = depths(day, day.decks[deck])
    return Task(
        "dealer",
        f"Cut the {deck} deck: the cover card {low} to {high} cards from the top",
        how=("what lies above the cover card goes to the bottom, the cover card with it",),
        do=a.Cut(deck=deck, depth=min(max(low, _SUGGESTED_DEPTH), high)),
        cites=cites,
    )


def cut_before_bets(day: Day, deck: str) -> Task | None:
    """The dealer's cut, where it comes before the bets."""
    rule = book_of(day).cut
    if rule is None or not cuts_before_bets(day) or not needs_cut(day, day.decks[deck]):
        return None
    return _cut(day, deck, rule.cites)


def count_task(day: Day) -> Task:
    """The count of the stub, where one is due."""
    rule, stub = book_of(day).stub_count, right_stub(day)
    assert rule is not None
    return Task(
        "dealer",
        f"Count the stub: {number_of(stub, 'card')} make the {rule.total}",
        how=(
            *_taken_out(day.setup),
            "face down on the layout",
            "right: into the discard rack unexposed",
            "wrong: count the cards of every seat and place, and say which are not right",
        ),
        do=a.CountStub(cards=stub),
        cites=(*rule.cites, *book_of(day).irregularities.wrong_stub_count.cites),
    )


def _taken_out(setup: Setup) -> tuple[str, ...]:
    """What the stub is taken out of, unless the last cards were dealt from the hand."""
    place = setup.dealing.stub.taken_out_of
    return (f"take it out of the {place}",) if place and _from_hand(setup) is None else ()


# ------------------------------------------------------------------ what the hands do at once


def after_the_deal(day: Day) -> Iterator[Task]:
    """What follows the last card by itself, until the first seat has acted: the dealer's card is
    turned, the stub goes away, and everybody has looked."""
    book, state = book_of(day), day.playing
    acted = any(isinstance(event, r.StreetBet | r.Folded) for event in state.history)
    if state.phase != "deciding" or acted:
        return
    if book.dealers_hand is not None and book.dealers_hand.up_cards:
        top = number_of(book.dealers_hand.up_cards, "card").removeprefix("1 ")
        words = f"Turn the top {top} of the dealer's packet face up"
        yield Task("dealer", words, cites=up_card_cites(book) or book.dealers_hand.cites)
    if count_is_due(day):
        return
    stub = day.setup.dealing.stub
    if stub.goes == "discard_rack_unexposed" and not day.stub_counted:
        words = "Put the stub into the discard rack, unexposed"
        yield Task("dealer", words, how=_taken_out(day.setup), cites=stub.cites)
    if book.acting.after:
        yield Task("dealer", _AFTER[book.acting.after], cites=book.acting.cites)


def up_card_cites(book: Rulebook) -> tuple[str, ...]:
    """What says that a card of the dealer's lies open: the deal and the dealer's hand both cite it;
    what only the hand cites is for the end."""
    if book.dealers_hand is None:
        return SILENT
    return tuple(cite for cite in book.dealers_hand.cites if cite in book.deal.cites)
