"""By which clauses something happened at a table and in its rounds: the rules that were carried
out, as they cite; and how clauses are written.

What the document is silent about has no clause; such an entry is the house's own procedure.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from msgspec import Struct

from riverboat.round import events as r
from riverboat.round.incidents import OUT_OF_BOUNDS, cites_of
from riverboat.round.settlement.payment import correction_words
from riverboat.round.state import Round
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import Stage, of_stage
from riverboat.rulebook.progressive import Progressive
from riverboat.table import events as e
from riverboat.table.configuration.configure import Configuration
from riverboat.table.configuration.submission import about_configuration
from riverboat.table.day import Day
from riverboat.table.procedures.checks import SILENT, cited, designation, in_use, of_conduct
from riverboat.table.procedures.rounds import seconds_left
from riverboat.wording.explaining import explain
from riverboat.wording.record import Told

Cites: TypeAlias = tuple[str, ...]


def incident_cites(state: Round) -> Cites:
    """The rule of whatever went wrong last in a round, and had a consequence."""
    noted = [
        event
        for event in state.history
        if isinstance(event, r.IncidentNoted) and event.consequence not in OUT_OF_BOUNDS
    ]
    return cites_of(state, noted[-1]) if noted else ()


def _wager(state: Round, event: Any) -> Cites:
    book = state.setup.book
    if event.spot == "ante":
        return (*book.ante.cites, *cited(book.instruments), *state.setup.limits.ante.cites)
    if event.spot.startswith("tip_"):
        return book.tips.cites
    return next((offer.cites for offer in book.side_bets if offer.bet == event.spot), ())


def _dealt(state: Round, event: Any) -> Cites:
    """The deal, and where it is said, what becomes of the stub."""
    stub = state.setup.dealing.stub
    told = stub.cites if stub.goes != "not_mentioned" else ()
    return (*state.setup.book.deal.cites, *told)


def _street(state: Round, event: Any) -> Cites:
    stages = state.setup.stages
    now = stages[min(state.stage, len(stages) - 1)]
    stage = next((one for one in stages if one.spot == event.spot), now)
    return (*stage.bet_cites, *state.setup.book.acting.cites)


def folded_stage(state: Round, seat: int) -> Stage:
    """The decision at which a seat folded."""
    turned = 0
    for event in state.history:
        turned += isinstance(event, r.CommunityTurned)
        if isinstance(event, r.Folded) and event.seat == seat:
            break
    return state.setup.stages[min(turned, len(state.setup.stages) - 1)]


def _fold_collected(state: Round, event: Any) -> Cites:
    fold, mine = state.setup.book.fold, folded_stage(state, event.seat)
    lost = (*mine.fold_cites, *fold.collection.cites, *fold.cards.cites)
    return of_stage(state.setup.stages, mine, lost)


def _turned(state: Round, event: Any) -> Cites:
    stages = [stage for stage in state.setup.stages if event.number in stage.reveals]
    return stages[0].reveal_cites if stages else ()


def _settled(state: Round, event: Any) -> Cites:
    """As the result is explained, and the order of seats and spots."""
    found = (
        one.cites
        for one in explain(state, by_spot=True)
        if one.seat == event.seat and event.spot in one.spots
    )
    return (*next(found, ()), *state.setup.book.settlement.spots.cites)


def _progressive(choose: Callable[[Progressive], Iterable[str]]) -> Callable[[Round, Any], Cites]:
    def cites(state: Round, event: Any) -> Cites:
        rules = state.setup.book.progressive
        return tuple(choose(rules)) if rules is not None else ()

    return cites


def void_cites(state: Round) -> Cites:
    """The rule of what went wrong; where no clause voids a round, the readings of the silence."""
    book = state.setup.book
    readings = tuple(cite for cite in book.void.cites if cite in book.ambiguities)
    return incident_cites(state) or readings or book.void.cites


def _over(state: Round, event: Any) -> Cites:
    book = state.setup.book
    last = book.progressive if state.setup.progressive is not None else None
    cards = void_cites(state) if state.phase == "void" else book.settlement.cards.cites
    return (*cards, *(last.end_of_round.cites if last else ()))


_UNDONE = (r.WagerReturned, r.PayoutReversed, r.AwardBackedOut, r.ContributionReversed)
ROUND_GROUNDS: dict[type, Callable[[Round, Any], Cites]] = {
    r.WagerPlaced: _wager,
    r.WagerTakenBack: lambda state, event: state.setup.book.betting_closes.cites,
    r.BettingClosed: lambda state, event: state.setup.book.betting_closes.cites,
    r.ProgressiveLocked: _progressive(lambda rules: rules.lock.cites),
    r.MeterContributed: _progressive(lambda rules: rules.contribution.cites),
    r.ProgressiveCollected: _progressive(lambda rules: rules.collection.cites),
    r.CardsBurned: lambda state, event: state.setup.book.deal.cites,
    r.CardsDealt: _dealt,
    r.StreetBet: _street,
    r.Folded: lambda state, event: (
        *folded_stage(state, event.seat).fold_cites,
        *state.setup.book.acting.cites,
    ),
    r.FoldCollected: _fold_collected,
    r.SideBetLost: lambda state, event: state.setup.book.fold.side_bets[event.spot].cites,
    r.CommunityTurned: _turned,
    r.BoxTurned: lambda state, event: cited(state.setup.book.settlement.box),
    r.UpCardsTurned: lambda state, event: cited(state.setup.book.dealers_hand),
    r.DealersHandTurned: lambda state, event: cited(state.setup.book.dealers_hand),
    r.SettlementBegun: lambda state, event: state.setup.book.settlement.seats.cites,
    r.HandAnnounced: lambda state, event: state.setup.book.settlement.base.cites,
    r.SpotSettled: _settled,
    r.MeterAwarded: _progressive(lambda rules: (*rules.payment.cites, *rules.meter.cites)),
    r.EnvyPaid: _progressive(lambda rules: rules.envy.cites),
    r.SeatForfeited: lambda state, event: incident_cites(state),
    r.IncidentNoted: cites_of,
    r.DealBlocked: _progressive(lambda rules: rules.collection.cites),
    r.TableSuspended: lambda state, event: incident_cites(state),
    r.DeckRemoved: lambda state, event: incident_cites(state),
    **dict.fromkeys((r.RoundVoided, *_UNDONE), lambda state, event: void_cites(state)),
    r.DealerErred: lambda state, event: state.setup.book.settlement.spots.cites,
    r.PayoutCorrected: lambda state, event: (
        *state.setup.book.settlement.spots.cites,
        *correction_words(state.setup.book, event)[1],
    ),
    r.RoundClosed: _over,
}


def grounds(told: Told) -> Cites:
    """The clauses of one event; none where the document is silent."""
    if told.day.configuration is None:
        return _proposed(told) if isinstance(told.event, e.ConfigurationProposed) else SILENT
    find = _DAY_GROUNDS.get(type(told.event))
    if find is not None:
        cites = find(told)
    elif type(told.event) in ROUND_GROUNDS and told.after.round is not None:
        cites = ROUND_GROUNDS[type(told.event)](told.after.round, told.event)
    else:
        return SILENT
    return relevant(told.day, tuple(cites))


def relevant(day: Day, cites: Cites) -> Cites:
    """Clauses without those on another way to deal, another age of decks, or another device."""
    configuration = day.configuration
    if configuration is None:
        return cites
    others: set[str] = set()
    if configuration.shuffle != "continuous":
        device = (one for one in configuration.book.equipment if one.item == "reshuffling_device")
        others = {cite for one in device for cite in one.cites}
    return tuple(cite for cite in in_use(day, cites) if cite not in others) or cites


def _pair(told: Told) -> Cites:
    """What is said of two decks, where there are two."""
    assert told.day.configuration is not None
    return cited(told.book.two_decks) if told.day.configuration.decks > 1 else SILENT


def _filed(configuration: Configuration) -> Cites:
    """What a rules submission has to specify: seats, limits, and every wager that is offered."""
    book, setup = configuration.book, configuration.setup
    wanted = [book.options["seats"].cites, setup.limits.ante.cites]
    wanted += [offer.cites for offer in book.side_bets if setup.offers(offer.bet)]
    if setup.progressive is not None:
        options = book.options.values()
        wanted += [one.cites for one in options if getattr(one, "must_be_stated", False)]
    found = (cite for cites in wanted for cite in about_configuration(book, cites))
    return tuple(dict.fromkeys(found))


def _proposed(told: Told) -> Cites:
    number = told.event.number
    proposal = told.after.proposals.get(number) or told.before.proposals.get(number)
    return _filed(proposal.configuration) if proposal is not None else SILENT


def _took_effect(told: Told) -> Cites:
    assert told.after.configuration is not None
    return _filed(told.after.configuration)


def _sat(told: Told) -> Cites:
    rules = ("seated_players_only", "one_player_per_position", "one_position_per_player")
    return of_conduct(told.book, *rules) or told.book.options["seats"].cites


def _received(told: Told) -> Cites:
    opening = told.book.opening
    if told.event.preshuffled and opening is not None:
        return (*opening.waiver.cites, *_pair(told))
    first = opening.steps[0].cites if opening is not None else SILENT
    return (*first, *(_pair(told) or told.book.cards.cites))


def _prepared(told: Told) -> Cites:
    opening, deck = told.book.opening, told.before.decks.get(told.event.deck)
    assert opening is not None
    reopened = cited(told.book.idle) if deck is not None and deck.stage == "idle" else SILENT
    each = opening.two_decks.cites if _pair(told) else SILENT
    steps = (step.cites for step in opening.steps if step.step == told.event.step)
    return (*reopened, *next(steps, SILENT), *each)


def _shuffle(told: Told) -> Cites:
    deck, opening = told.before.decks.get(told.event.deck), told.book.opening
    first: Iterable[str] = SILENT
    if deck is not None and deck.first_used_at is None and opening is not None:
        first = (c for step in opening.steps if step.step == "shuffle" for c in step.cites)
    counted = told.book.irregularities.shuffler_count if getattr(told.event, "count", 0) else None
    return (*first, *told.book.shuffle.cites, *cited(counted))


def _cut(told: Told) -> Cites:
    deck, configuration = told.before.decks.get(told.event.deck), told.day.configuration
    wanted = deck and configuration and configuration.cut_required(deck.method)
    return cited(told.book.cut) if wanted else SILENT


def _taken_away(told: Told) -> Cites:
    """A deck leaves for its age, a defect, or a count; or because the floor wants it."""
    deck, wrong = told.before.decks[told.event.deck], told.book.irregularities
    left = seconds_left(told.before, deck)
    if deck.defects and told.book.opening is not None:
        return told.book.opening.steps[0].cites
    if deck.stage == "shuffling":
        return cited(wrong.shuffler_count)
    if left is not None and left <= 0:
        return cited(told.book.deck_age)
    is_count = told.before.rounds_since_count != told.after.rounds_since_count
    return (*wrong.wrong_stub_count.cites, *wrong.deck_count.cites) if is_count else SILENT


def _started(told: Told) -> Cites:
    return (*told.book.ante.cites, *_pair(told))


def _counted(told: Told) -> Cites:
    wrong = told.book.irregularities.wrong_stub_count
    right = told.event.total == told.book.cards.cards and not told.event.places
    return (*cited(told.book.stub_count), *(SILENT if right else wrong.cites))


def _loaded(told: Told) -> Cites:
    """How cards are held and drawn; where they go is the deal's."""
    held = [c for c in told.day.setup.dealing.cites if c not in told.book.deal.cites]
    return (*(held or told.day.setup.dealing.cites), *_pair(told))


def _device(told: Told) -> Cites:
    return told.book.irregularities.device_out_of_use.cites


_DAY_GROUNDS: dict[type, Callable[[Told], Cites]] = {
    e.ConfigurationProposed: _proposed,
    e.ConfigurationTookEffect: _took_effect,
    e.TableDesignated: lambda told: designation(told.day),
    e.SeatTaken: _sat,
    e.SeatLeft: lambda told: of_conduct(told.book, "stay_seated"),
    e.DeckReceived: _received,
    e.DeckPrepared: _prepared,
    e.ShuffleStarted: _shuffle,
    e.ShuffleFinished: _shuffle,
    e.ShuffleJammed: lambda told: told.book.irregularities.shuffler_jam.cites,
    e.DeckCut: _cut,
    e.WordSealed: lambda told: SILENT,
    e.WordTold: lambda told: SILENT,
    e.RecutOrdered: lambda told: cited(told.book.cut),
    e.ShuffleOrdered: lambda told: (
        _device(told) if told.before.device != "working" else told.book.shuffle.cites
    ),
    e.DeckLoaded: _loaded,
    e.DeckTakenAway: _taken_away,
    e.WentIdle: lambda told: cited(told.book.idle),
    e.RoundStarted: _started,
    r.RoundOpened: _started,
    e.CardReported: lambda told: (
        told.book.deal.cites if told.event.how == "dealt" else incident_cites(told.after.playing)
    ),
    e.StubCounted: _counted,
    **dict.fromkeys((e.DeviceFailed, e.DeviceMarked, e.MethodChanged, e.DeviceRestored), _device),
    e.PlayConfirmed: lambda told: told.book.void.cites if told.event.decision == "void" else SILENT,
}


# ---------------------------------------------------------------- how clauses are written

SILENT_WORDS: Final = "house procedure; the document is silent"
_LAST_PART: Final = re.compile(r"(.*[.-])([0-9]+|[a-z])")
_SHORTEST_RUN: Final = 3


class CitedClause(Struct, frozen=True, kw_only=True):
    """What a clause says, in short; an ambiguity has no number and says how it was settled."""

    number: str
    text: str


def clause_texts(book: Rulebook, cites: Iterable[str]) -> dict[str, CitedClause]:
    """What the clauses say, each once."""
    found: dict[str, CitedClause] = {}
    for cite in cites:
        if cite in book.clauses:
            clause = book.clauses[cite]
            found[cite] = CitedClause(number=clause.number, text=clause.text)
        elif cite in book.ambiguities:
            found[cite] = CitedClause(number="", text=book.ambiguities[cite])
    return found


def first_few(cites: Sequence[str], most: int = 3) -> str:
    """Clauses in brackets where there is little room; empty where there are none."""
    more = ", …" if len(cites) > most else ""
    return f"[{', '.join(cites[:most])}{more}]" if cites else ""


def in_brackets(book: Rulebook, cites: Sequence[str], *, verbose: bool = False) -> str:
    """Clauses as short as they can be written: one prefix, runs from first to last."""
    if not cites:
        return f"[{SILENT_WORDS}]"
    clauses = [cite for cite in cites if cite in book.clauses]
    chosen = list(cites) if verbose or not clauses else clauses
    prefix = f"{book.clause_prefix}."
    runs = (list(run) for _, run in groupby(enumerate(chosen), _brothers))
    said = [text for run in runs for text in _run([cite for _, cite in run])]
    first = next((text for text in said if text.startswith(prefix)), "")
    shown = [text if text is first else _short(text, prefix) for text in said]
    return f"[{', '.join(shown)}]"


def _short(cite: str, prefix: str) -> str:
    """Without the document's name, where what is left is more than a bare number."""
    short = cite.removeprefix(prefix)
    return cite if short.isdecimal() else short


def _brothers(numbered: tuple[int, str]) -> tuple[str, int]:
    """The same for clauses with one stem whose last parts follow each other."""
    place, cite = numbered
    found = _LAST_PART.fullmatch(cite)
    if found is None:
        return cite, -place
    stem, last = found.groups()
    return stem, (int(last) if last.isdecimal() else ord(last)) - place


def _run(cites: list[str]) -> list[str]:
    found = _LAST_PART.fullmatch(cites[-1])
    if found is None or len(cites) < _SHORTEST_RUN:
        return cites
    return [f"{cites[0]}–{found.group(2)}"]
