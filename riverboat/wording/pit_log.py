"""A table's day as a pit log: when, who, what happened in the words of the felt, and the clauses.

The short log has one line for what belongs together: a seat's bets, a street, what a seat won or
lost. The verbose one has a line for every event.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from riverboat.core.cards import show_cards
from riverboat.core.money import Cents, format_cents, format_signed
from riverboat.round import events as r
from riverboat.round.state import Round
from riverboat.round.table_talk import label_of, number_of, sentence, stakes_together
from riverboat.rulebook.book import of_stage
from riverboat.table import events as e
from riverboat.table.people import SYSTEM, Actor
from riverboat.wording import clauses
from riverboat.wording.clauses import Cites, grounds, relevant
from riverboat.wording.explaining import Explanation, explain
from riverboat.wording.incident_words import decided_words, incident_words
from riverboat.wording.prompts.prompt import prompt
from riverboat.wording.record import Happened, Told, Tried, refused_words, who
from riverboat.wording.round_events import ROUND_WORDS, fold_words, in_round, log_voice, meter_words
from riverboat.wording.table_events import shuffled, steps_in_words, words_of

_SETTLING = (r.HandAnnounced, r.BoxTurned, r.SpotSettled, r.MeterAwarded)
_STREET = (r.StreetBet, r.Folded, r.FoldCollected, r.SideBetLost, r.CommunityTurned)
_DEALING = (e.CardReported, r.CardsBurned, r.CardsDealt, r.UpCardsTurned)
_GO_ON = (r.CardsBurned, r.CardsDealt, r.RoundClosed)
_LOCKING = (r.ProgressiveLocked, r.MeterContributed, r.ProgressiveCollected)
_SWALLOWED = (e.TimeTold, r.RoundOpened, r.SettlementBegun)
_TOLD_ELSEWHERE = (
    *(r.WagerReturned, r.PayoutReversed, r.AwardBackedOut),
    *(e.CardReported, r.CardsBurned, r.CardsDealt, r.UpCardsTurned, r.RoundClosed),
)
_PLAYERS = Actor(name="players", role="player", automatic=True)


class LogLine(NamedTuple):
    """One line of a pit log. Without clauses it is a procedure of the house."""

    entry: int
    at: int
    who: str
    what: str
    cites: Cites
    test: bool
    kind: Literal["done", "refused", "notice"] = "done"


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


def pit_log(
    happened: Sequence[Happened], tried: Sequence[Tried] = (), *, verbose: bool = False
) -> Iterator[LogLine]:
    """Every line of a day, refusals and what fell due among them."""
    condenser = Condenser()
    noticed: set[str] = set()
    for place, one in enumerate(happened):
        if any(t.entries == place for t in tried):
            yield from _lines(condenser.close())
        yield from (_refused(t) for t in tried if t.entries == place)
        yield from _lines(_every_event(one) if verbose else condenser.tell(one))
        yield from _lines(condenser.notice(list(_noticed(one, noticed))))
    yield from _lines(condenser.close())
    yield from (_refused(t) for t in tried if t.entries == len(happened))


def _lines(notes: Iterator[Note]) -> Iterator[LogLine]:
    for note in notes:
        entry = note.one.entry
        line = LogLine(
            entry.number, entry.at, who(note.by or entry.by), note.words, note.cites, entry.test
        )
        yield line._replace(kind="notice") if note.is_notice else line


def _every_event(one: Happened) -> Iterator[Note]:
    for event in one.entry.events:
        told = Told(event, one.entry.by, one.before, one.after)
        yield Note(one, words_of(told), grounds(told), told.doer)


def _refused(tried: Tried) -> LogLine:
    day = tried.day
    cites = relevant(day, tried.refusal.cites)
    text = refused_words(tried.words.replace("_", " ").replace("=", " "), str(tried.refusal))
    test = day.configuration is not None and day.configuration.test
    return LogLine(day.entries, day.now, who(tried.by), text, cites, test, "refused")


def _noticed(one: Happened, before: set[str]) -> Iterator[Note]:
    """What is due, once when it comes up and once when it is overdue."""
    if not any(isinstance(event, e.TimeTold | r.RoundClosed) for event in one.entry.events):
        return
    day, found = one.after, set()
    for notice in prompt(day).notices:
        key = f"{notice.words.split(':')[0]} {notice.overdue} {notice.cites}"
        found.add(key)
        if key not in before and notice.cites:
            words, cites = f"NOTICE to the floor: {notice.words}", relevant(day, notice.cites)
            yield Note(one, words, cites, SYSTEM, is_notice=True)
    before.clear()
    before.update(found)


# ---------------------------------------------------------------- what belongs together


class Condenser:
    """Goes through a day and keeps together what belongs together."""

    def __init__(self) -> None:
        self.key: tuple[object, ...] = ()
        self.items: list[Item] = []
        self.round_began_cents: Cents = 0
        self.cage_began_cents: Cents = 0
        self.results_told = False
        self.waiting: list[Note] = []

    def notice(self, notes: list[Note]) -> Iterator[Note]:
        """What fell due: told at once, but not in the midst of a street or a settlement."""
        if self.key[:1] in (("street",), ("settle",)):
            self.waiting += notes
        elif notes:
            yield from self.close()
            yield from notes

    def tell(self, one: Happened) -> Iterator[Note]:
        """One more entry."""
        events = one.entry.events
        if any(isinstance(event, r.IncidentNoted | r.RoundVoided) for event in events):
            yield from self.close()
            yield from self._trouble(one)
            events = tuple(ev for ev in events if isinstance(ev, _GO_ON))
        for event in events:
            told = Told(event, one.entry.by, one.before, one.after)
            key = _key(told)
            if isinstance(event, _SWALLOWED):
                continue
            if not key or key != self.key:
                yield from self.close()
            if key:
                self.key = key
                self.items.append(Item(one, told))
            else:
                yield from self._alone(one, told)

    def close(self) -> Iterator[Note]:
        """What was kept together is told."""
        items, kind = self.items, str(self.key[0]) if self.key else ""
        self.items, self.key = [], ()
        self.results_told = self.results_told or kind == "settle"
        if not items:
            return
        yield from TOGETHER[kind](items)
        notes, self.waiting = self.waiting, []
        yield from notes

    def _alone(self, one: Happened, told: Told) -> Iterator[Note]:
        event = told.event
        words, cites = words_of(told), grounds(told)
        match event:
            case e.RoundStarted():
                self.round_began_cents = one.before.accounts.rounds_cents
                self.cage_began_cents = one.before.accounts.cage_cents
                self.results_told = False
            case e.ConfigurationApproved() if len(one.entry.events) > 1:
                return
            case e.ConfigurationTookEffect() if len(one.entry.events) > 1:
                words = f"Approved; {words[:1].lower()}{words[1:]}"
            case r.RoundClosed():
                words = self._over(one)
                if not self.results_told and one.after.playing.phase != "void":
                    yield from results(one, [])
        yield Note(one, words, cites)

    def _over(self, one: Happened) -> str:
        state = one.after.playing
        gained = one.after.accounts.rounds_cents - self.round_began_cents
        paid = one.after.accounts.cage_cents - self.cage_began_cents
        verb = "gains" if gained >= 0 else "loses"
        void = ", void" if state.phase == "void" else ""
        holds = f"holds {format_cents(one.after.accounts.tray_cents)}"
        change = (
            f"{verb} {format_cents(abs(gained))} and {holds}" if gained else f"{holds} as before"
        )
        cage = f"; {format_cents(paid)} paid by the cage" if paid else ""
        return f"Round {one.after.round_number} over{void}; the tray {change}{cage}"

    def _trouble(self, one: Happened) -> Iterator[Note]:
        """Something went wrong: what, and what follows; then what every seat got back."""
        state = one.after.playing
        said: list[str] = []
        cites: list[str] = []
        for event in one.entry.events:
            told = Told(event, one.entry.by, one.before, one.after)
            if isinstance(event, e.StubCounted | e.PlayConfirmed):
                yield Note(one, words_of(told), grounds(told))
            elif not isinstance(event, _TOLD_ELSEWHERE):
                said.append(_trouble_words(told, state))
                cites += grounds(told)
        yield Note(one, "; ".join(said), tuple(dict.fromkeys(cites)))
        if any(isinstance(event, r.RoundVoided) for event in one.entry.events):
            back = [told for told in explain(state) if told.result == "returned"]
            why = relevant(one.after, clauses.void_cites(state))
            for told_back in back:
                words = told_back.words.partition(": ")[2] or told_back.words
                yield Note(one, f"{name_seat(state, one, told_back.seat)}: {words}", why)


def _trouble_words(told: Told, state: Round) -> str:
    """What went wrong, with the physical card that it is about, and what follows."""
    match told.event:
        case r.IncidentNoted():
            out = (*told.after.left_out, *told.after.reported)
            before = (*told.before.left_out, *told.before.reported)
            return incident_words(told.event, show_cards([c for c in out if c not in before]))
        case r.RoundVoided() if any(isinstance(ev, r.IncidentNoted) for ev in state.history):
            return f"round {told.after.round_number} is void{decided_words(told.event)}"
        case r.ContributionReversed() | r.DeckRemoved():
            return part_of(told)
    return words_of(told)


def _key(told: Told) -> tuple[object, ...]:
    """What an event belongs together with; nothing where it stands alone."""
    event = told.event
    match event:
        case r.WagerPlaced() if told.before.round and told.before.round.phase == "betting":
            return ("bets", event.seat)
        case e.ShuffleStarted() | e.ShuffleFinished():
            return ("shuffle", event.deck)
        case e.DeckPrepared() if not event.defects:
            return ("steps", event.deck, told.by.name)
    if isinstance(event, _LOCKING):
        return ("lock",)
    if isinstance(event, _DEALING):
        return ("deal",)
    if isinstance(event, (*_STREET, r.WagerPlaced, r.DealersHandTurned)):
        return ("street", told.before.playing.stage)
    if isinstance(event, (*_SETTLING, r.EnvyPaid, r.DealerErred)):
        return ("settle",)
    return ()


# ---------------------------------------------------------------- told in one line


def name_seat(state: Round, one: Happened, number: int) -> str:
    """A seat with its player's name, at the beginning of a line."""
    return sentence(log_voice(state, one.before.seated).seat(number))


def part_of(told: Told) -> str:
    """An event of a round as a part of a longer line."""
    return ROUND_WORDS[type(told.event)](in_round(told))


def _all_cites(items: Iterable[Item]) -> Cites:
    return tuple(dict.fromkeys(cite for item in items for cite in grounds(item.told)))


def _bets(items: list[Item]) -> Iterator[Note]:
    state, one = items[-1].told.after.playing, items[-1].one
    seat = items[0].told.event.seat
    stakes = [(item.told.event.spot, item.told.event.cents) for item in items]
    words = f"{name_seat(state, one, seat)} bets {stakes_together(state.setup.book, stakes)}"
    yield Note(one, words, _all_cites(items))


def _steps(items: list[Item]) -> Iterator[Note]:
    last, deck = items[-1], items[-1].told.event.deck
    steps = tuple(item.told.event.step for item in items)
    yield Note(last.one, steps_in_words(deck, steps, last.told.by.name), _all_cites(items))


def _shuffle(items: list[Item]) -> Iterator[Note]:
    first, last = items[0].told, items[-1].told
    words = shuffled(last.event, first.event.method) if len(items) > 1 else words_of(last)
    yield Note(items[-1].one, words, _all_cites(items))


def _lock(items: list[Item]) -> Iterator[Note]:
    """Lights, chips and what the meter shows then; that there is no chip goes without saying."""
    telling = [
        item
        for item in items
        if not isinstance(item.told.event, r.ProgressiveCollected) or item.told.event.seats
    ]
    parts = [one for one in telling if not isinstance(one.told.event, r.MeterContributed)]
    said = [part_of(item.told) for item in parts]
    if len(parts) < len(telling) and (shows := meter_words(items[-1].told.after.playing)):
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
    last, several = items[-1].told.by, len({item.told.by.name for item in items}) > 1
    whose = _PLAYERS if last.role == "player" and several else last
    yield Note(items[-1].one, words, tuple(dict.fromkeys(cites)), whose)


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
    told = [explanation for explanation in explain(state) if explanation.spots]
    for seat in dict.fromkeys((*order, *(x.seat for x in told))):
        results = [explanation for explanation in told if explanation.seat == seat]
        words = "; ".join(_result(result) for result in results)
        street, cites = clauses.folded_stage(state, seat), list[str]()
        for result in results:
            mine = of_stage(state.setup.stages, street, result.cites)
            cites += mine if _is_fold(result) else result.cites
        found = relevant(one.after, tuple(dict.fromkeys(cites)))
        sitting, name = state.seats[seat], name_seat(state, one, seat)
        if sitting.status == "in" and sitting.cards:  # They lie open now.
            name += f" ({show_cards(sitting.cards)})"
        net = f"net {format_signed(sitting.net_cents)}" if sitting.net_cents else "even"
        yield Note(one, f"{name}: {words}; {net}", found)


def _result(result: Explanation) -> str:
    """A result in its own words; what a fold leaves alive shows when that is settled."""
    words = result.words.partition("; ")[0] if _is_fold(result) else result.words
    return words[:1].lower() + words[1:]


def _is_fold(result: Explanation) -> bool:
    return result.words.startswith(("Folded", "Left the table"))


TOGETHER: dict[str, Callable[[list[Item]], Iterator[Note]]] = {
    "bets": _bets,
    "steps": _steps,
    "shuffle": _shuffle,
    "lock": _lock,
    "deal": _deal,
    "street": _street,
    "settle": _settle,
}
