"""What belongs together in a pit log, told in one line: bets, a shuffle, a street, a settlement."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from riverboat.core.cards import show_cards
from riverboat.core.money import format_cents
from riverboat.round import events as r
from riverboat.round.explaining import Explanation, explain
from riverboat.round.state import Round
from riverboat.round.table_talk import label_of, number_of, sentence, stakes_together
from riverboat.table.people import Actor
from riverboat.wording.clauses import Cites, folded_stage, grounds, of_this_street, relevant
from riverboat.wording.record import Happened, Told
from riverboat.wording.round_events import ROUND_WORDS, fold_words, in_round, log_voice, meter_words
from riverboat.wording.table_events import shuffled_in_one, steps_in_words, words_of

_PLAYERS = Actor(name="players", role="player", automatic=True)


class Note(NamedTuple):
    """Words for the log, the entry they belong to, and whose they are if not the entry's."""

    one: Happened
    words: str
    cites: Cites
    by: Actor | None = None
    is_notice: bool = False


class Item(NamedTuple):
    """An event that waits for others of its kind."""

    one: Happened
    told: Told


def name_seat(state: Round, one: Happened, number: int) -> str:
    """A seat with its player's name, at the beginning of a line."""
    return sentence(log_voice(state, one.before.seated).seat(number))


def part_of(told: Told) -> str:
    """An event of a round as a part of a longer line."""
    return ROUND_WORDS[type(told.event)](in_round(told))


def _all_cites(items: Iterable[Item]) -> Cites:
    return tuple(dict.fromkeys(cite for item in items for cite in grounds(item.told)))


def _state(items: list[Item]) -> Round:
    state = items[-1].told.after.round
    assert state is not None
    return state


def _bets(items: list[Item]) -> Iterator[Note]:
    state, one = _state(items), items[-1].one
    seat = items[0].told.event.seat
    stakes = [(item.told.event.spot, item.told.event.cents) for item in items]
    words = f"{name_seat(state, one, seat)} bets {stakes_together(state.setup.book, stakes)}"
    yield Note(one, words, _all_cites(items))


def _steps(items: list[Item]) -> Iterator[Note]:
    last, deck = items[-1], items[-1].told.event.deck
    steps = tuple(item.told.event.step for item in items)
    yield Note(last.one, steps_in_words(deck, steps, last.told.by.name), _all_cites(items))


def _shuffle(items: list[Item]) -> Iterator[Note]:
    last = items[-1]
    if len(items) > 1:
        words = shuffled_in_one(last.told, items[0].told.event.method)
    else:
        words = words_of(last.told)
    yield Note(last.one, words, _all_cites(items))


def _lock(items: list[Item]) -> Iterator[Note]:
    """Lights, chips and what the meter shows then; that there is no chip goes without saying."""
    said = [
        part_of(item.told)
        for item in items
        if isinstance(item.told.event, r.ProgressiveLocked)
        or (isinstance(item.told.event, r.ProgressiveCollected) and item.told.event.seats)
    ]
    telling = [
        item
        for item in items
        if not isinstance(item.told.event, r.ProgressiveCollected) or item.told.event.seats
    ]
    contributed = any(isinstance(item.told.event, r.MeterContributed) for item in items)
    if contributed and (shows := meter_words(_state(items))):
        said.append(shows)
    words = sentence("; ".join(said)) or "No progressive wager"
    yield Note(items[-1].one, words, _all_cites(telling or items))


def _deal(items: list[Item]) -> Iterator[Note]:
    last = items[-1]
    kinds = (r.CardsBurned, r.CardsDealt, r.UpCardsTurned)
    said = [words_of(i.told) for kind in kinds for i in items if isinstance(i.told.event, kind)]
    if not any(isinstance(item.told.event, r.CardsDealt) for item in items):
        said = [f"Deal under way: {number_of(len(last.told.after.reported), 'card')} out"]
    yield Note(last.one, ". ".join(said), _all_cites(items))


def _street(items: list[Item]) -> Iterator[Note]:
    """The decisions of a street and the card that ends it; the dealer's, who asked for them."""
    said: list[str] = []
    cites: list[str] = []
    for place, item in enumerate(items):
        words = _decision(item, items[place - 1] if place else None)
        if words.startswith(", "):
            said[-1] += words
        elif words:
            said.append(words)
        cites += grounds(item.told)
    state = items[0].told.before.playing
    label = state.setup.stages[min(state.stage, len(state.setup.stages) - 1)].label
    words = f"{label}: {'; '.join(said)}"
    yield Note(items[-1].one, words, tuple(dict.fromkeys(cites)), _whose(items))


def _whose(items: list[Item]) -> Actor:
    """Who ended the street, or all who decided."""
    actors = {item.told.by.name for item in items}
    last = items[-1].told.by
    return _PLAYERS if last.role == "player" and len(actors) > 1 else last


def _decision(item: Item, before: Item | None) -> str:
    """One event of a street; what a fold takes at once goes on the fold's own words."""
    told, event = item.told, item.told.event
    match event:
        case r.FoldCollected():
            taken = fold_words(in_round(told))
            at_once = before is not None and isinstance(before.told.event, r.Folded)
            return f", {taken}" if at_once else f"seat {event.seat}'s {taken}"
        case r.SideBetLost():
            return f", its {label_of(told.after.playing.setup.book, event.spot)} is lost"
    return part_of(told)


def _settle(items: list[Item]) -> Iterator[Note]:
    for item in items:
        if isinstance(item.told.event, r.DealerErred):
            yield Note(item.one, words_of(item.told), grounds(item.told))
    order = [seat for item in items if (seat := getattr(item.told.event, "seat", 0))]
    yield from results(items[-1].one, order)


def results(one: Happened, order: list[int]) -> Iterator[Note]:
    """Every seat's result in the order of settlement, with what it won or lost in the round.

    What was reported and had no consequence is told when it is reported, not among the results.
    """
    state = one.after.playing
    by_seat: dict[int, list[Explanation]] = {}
    told = [explanation for explanation in explain(state) if explanation.spots]
    for seat in dict.fromkeys((*order, *(x.seat for x in told))):
        by_seat[seat] = [explanation for explanation in told if explanation.seat == seat]
    for seat, results in by_seat.items():
        words = "; ".join(_result(result) for result in results)
        cites: list[str] = []
        for result in results:
            folded = _is_fold(result)
            street = folded_stage(state, seat)
            cites += of_this_street(state, street, result.cites) if folded else result.cites
        found = relevant(one.after, tuple(dict.fromkeys(cites)))
        name = f"{name_seat(state, one, seat)}{_shown(state, seat)}"
        yield Note(one, f"{name}: {words}; {_net(state, seat)}", found)


def _shown(state: Round, number: int) -> str:
    """The cards of a seat that stayed in, which lie open now."""
    seat = state.seats[number]
    return f" ({show_cards(seat.cards)})" if seat.status == "in" and seat.cards else ""


def _result(result: Explanation) -> str:
    """A result in its own words; what a fold leaves alive shows when that is settled."""
    words = result.words.partition("; ")[0] if _is_fold(result) else result.words
    return words[:1].lower() + words[1:]


def _is_fold(result: Explanation) -> bool:
    return result.words.startswith(("Folded", "Left the table"))


def _net(state: Round, seat: int) -> str:
    net = state.seats[seat].net_cents
    return f"net {'+' if net > 0 else ''}{format_cents(net)}" if net else "even"


TOGETHER: dict[str, Callable[[list[Item]], Iterator[Note]]] = {
    "bets": _bets,
    "steps": _steps,
    "shuffle": _shuffle,
    "lock": _lock,
    "deal": _deal,
    "street": _street,
    "settle": _settle,
}
