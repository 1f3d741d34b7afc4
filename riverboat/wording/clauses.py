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
from riverboat.rulebook.rules import Rule
from riverboat.table import events as e
from riverboat.table.configuration.configure import Configuration
from riverboat.table.configuration.submission import about_configuration
from riverboat.table.day import Day
from riverboat.table.procedures.checks import SILENT, designation, in_use
from riverboat.table.procedures.rounds import seconds_left
from riverboat.wording.explaining import explain
from riverboat.wording.record import Told

Cites: TypeAlias = tuple[str, ...]


def conduct(book: Rulebook, *names: str) -> Cites:
    """What is said of some conduct of players."""
    return tuple(c for rule in book.conduct if rule.rule in names for c in rule.cites)


def incident_cites(state: Round) -> Cites:
    """The rule of whatever went wrong last in a round, and had a consequence."""
    noted = [
        event
        for event in state.history
        if isinstance(event, r.IncidentNoted) and event.consequence not in OUT_OF_BOUNDS
    ]
    return cites_of(state, noted[-1]) if noted else ()


def _wager(state: Round, event: Any) -> Cites:
    book, limits = state.setup.book, state.setup.limits
    made_with = book.instruments.cites if book.instruments else ()
    if event.spot == "ante":
        return (*book.ante.cites, *made_with, *limits.ante.cites)
    if event.spot.startswith("tip_"):
        return book.tips.cites
    return next((offer.cites for offer in book.side_bets if offer.bet == event.spot), ())


def _dealt(state: Round, event: Any) -> Cites:
    """The deal, and where it is said, what becomes of the stub."""
    stub = state.setup.dealing.stub
    told = stub.cites if stub.goes != "not_mentioned" else ()
    return (*state.setup.book.deal.cites, *told)


def _stage(state: Round, spot: str) -> Stage:
    stages = state.setup.stages
    return next((s for s in stages if s.spot == spot), stages[min(state.stage, len(stages) - 1)])


def _street(state: Round, event: Any) -> Cites:
    return (*_stage(state, event.spot).bet_cites, *state.setup.book.acting.cites)


def folded_stage(state: Round, seat: int) -> Stage:
    """The decision at which a seat folded."""
    turned = 0
    for event in state.history:
        turned += isinstance(event, r.CommunityTurned)
        if isinstance(event, r.Folded) and event.seat == seat:
            break
    return state.setup.stages[min(turned, len(state.setup.stages) - 1)]


def _folded(state: Round, event: Any) -> Cites:
    return (*folded_stage(state, event.seat).fold_cites, *state.setup.book.acting.cites)


def of_this_street(state: Round, mine: Stage, cites: Iterable[str]) -> Cites:
    """Where a rule is for all streets it cites each of them; those of the others are left out."""
    return of_stage(state.setup.stages, mine, cites)


def _fold_collected(state: Round, event: Any) -> Cites:
    fold, mine = state.setup.book.fold, folded_stage(state, event.seat)
    lost = (*mine.fold_cites, *fold.collection.cites, *fold.cards.cites)
    return of_this_street(state, mine, lost)


def _turned(state: Round, event: Any) -> Cites:
    stages = [stage for stage in state.setup.stages if event.number in stage.reveals]
    return stages[0].reveal_cites if stages else ()


def _dealers_hand(state: Round, event: Any) -> Cites:
    book = state.setup.book
    return book.dealers_hand.cites if book.dealers_hand is not None else ()


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


def _void(state: Round, event: Any) -> Cites:
    return void_cites(state)


def _over(state: Round, event: Any) -> Cites:
    book = state.setup.book
    last = book.progressive if state.setup.progressive is not None else None
    cards = void_cites(state) if state.phase == "void" else book.settlement.cards.cites
    return (*cards, *(last.end_of_round.cites if last else ()))


def _corrected(state: Round, event: Any) -> Cites:
    book = state.setup.book
    return (*book.settlement.spots.cites, *correction_words(book, event)[1])


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
    r.Folded: _folded,
    r.FoldCollected: _fold_collected,
    r.SideBetLost: lambda state, event: state.setup.book.fold.side_bets[event.spot].cites,
    r.CommunityTurned: _turned,
    r.BoxTurned: lambda state, event: getattr(state.setup.book.settlement.box, "cites", ()),
    r.UpCardsTurned: _dealers_hand,
    r.DealersHandTurned: _dealers_hand,
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
    r.RoundVoided: _void,
    r.WagerReturned: _void,
    r.PayoutReversed: _void,
    r.AwardBackedOut: _void,
    r.ContributionReversed: _void,
    r.DealerErred: lambda state, event: state.setup.book.settlement.spots.cites,
    r.PayoutCorrected: _corrected,
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
    book, age = configuration.book, configuration.setup.dealing.deck_age
    hours = {key: book.options[f"deck_hours_{key}"].cites for key in ("hand", "shoe") if age}
    others = {cite for key, found in hours.items() if key != age for cite in found}
    others -= set(hours.get(age, ()))
    if configuration.shuffle != "continuous":
        device = (item for item in book.equipment if item.item == "reshuffling_device")
        others |= {cite for item in device for cite in item.cites}
    kept = tuple(cite for cite in in_use(day, cites) if cite not in others)
    return kept or cites


def _rule(rule: Rule | None) -> Cites:
    return rule.cites if rule is not None else SILENT


def _pair(told: Told) -> Cites:
    """What is said of two decks, where there are two."""
    assert told.day.configuration is not None
    return _rule(told.book.two_decks) if told.day.configuration.decks > 1 else SILENT


def _filed(configuration: Configuration) -> Cites:
    """What a rules submission has to specify: seats, limits, and every wager that is offered."""
    book, setup = configuration.book, configuration.setup
    offers = [offer.cites for offer in book.side_bets if setup.offers(offer.bet)]
    stated = [
        option.cites for option in book.options.values() if getattr(option, "must_be_stated", False)
    ]
    wanted = [book.options["seats"].cites, setup.limits.ante.cites, *offers]
    wanted += stated if setup.progressive is not None else []
    return tuple(
        dict.fromkeys(cite for cites in wanted for cite in about_configuration(book, cites))
    )


def _proposed(told: Told) -> Cites:
    event = told.event
    proposal = told.after.proposals.get(event.number) or told.before.proposals.get(event.number)
    return _filed(proposal.configuration) if proposal is not None else SILENT


def _took_effect(told: Told) -> Cites:
    assert told.after.configuration is not None
    return _filed(told.after.configuration)


def _sat(told: Told) -> Cites:
    rules = ("seated_players_only", "one_player_per_position", "one_position_per_player")
    return conduct(told.book, *rules) or told.book.options["seats"].cites


def _received(told: Told) -> Cites:
    event = told.event
    opening = told.book.opening
    if event.preshuffled and opening is not None:
        return (*opening.waiver.cites, *_pair(told))
    first = opening.steps[0].cites if opening is not None else SILENT
    return (*first, *(_pair(told) or told.book.cards.cites))


def _prepared(told: Told) -> Cites:
    event = told.event
    opening = told.book.opening
    assert opening is not None
    deck = told.before.decks.get(event.deck)
    reopened = _rule(told.book.idle) if deck is not None and deck.stage == "idle" else SILENT
    each = opening.two_decks.cites if _pair(told) else SILENT
    steps = (step.cites for step in opening.steps if step.step == event.step)
    return (*reopened, *next(steps, SILENT), *each)


def _shuffle(told: Told) -> Cites:
    event = told.event
    deck, opening = told.before.decks.get(event.deck), told.book.opening
    first: Iterable[str] = SILENT
    if deck is not None and deck.first_used_at is None and opening is not None:
        first = (c for step in opening.steps if step.step == "shuffle" for c in step.cites)
    counted = told.book.irregularities.shuffler_count if getattr(event, "count", 0) else None
    return (*first, *told.book.shuffle.cites, *_rule(counted))


def _cut(told: Told) -> Cites:
    event = told.event
    deck, configuration = told.before.decks.get(event.deck), told.day.configuration
    wanted = deck and configuration and configuration.cut_required(deck.method)
    return _rule(told.book.cut) if wanted else SILENT


def _ordered(told: Told) -> Cites:
    if told.before.device != "working":
        return told.book.irregularities.device_out_of_use.cites
    return told.book.shuffle.cites


def _taken_away(told: Told) -> Cites:
    """A deck leaves for its age, a defect, or a count; or because the floor wants it."""
    event = told.event
    deck, wrong = told.before.decks[event.deck], told.book.irregularities
    left = seconds_left(told.before, deck)
    if deck.defects and told.book.opening is not None:
        return told.book.opening.steps[0].cites
    if deck.stage == "shuffling":
        return _rule(wrong.shuffler_count)
    if left is not None and left <= 0:
        return _rule(told.book.deck_age)
    is_count = told.before.rounds_since_count != told.after.rounds_since_count
    return (*wrong.wrong_stub_count.cites, *wrong.deck_count.cites) if is_count else SILENT


def _started(told: Told) -> Cites:
    return (*told.book.ante.cites, *_pair(told))


def _reported(told: Told) -> Cites:
    event = told.event
    assert told.after.round is not None
    return told.book.deal.cites if event.how == "dealt" else incident_cites(told.after.round)


def _counted(told: Told) -> Cites:
    event = told.event
    wrong = told.book.irregularities.wrong_stub_count
    right = event.total == told.book.cards.cards and not event.places
    return (*_rule(told.book.stub_count), *(SILENT if right else wrong.cites))


def _confirmed(told: Told) -> Cites:
    event = told.event
    return told.book.void.cites if event.decision == "void" else SILENT


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
    e.SeatLeft: lambda told: conduct(told.book, "stay_seated"),
    e.DeckReceived: _received,
    e.DeckPrepared: _prepared,
    e.ShuffleStarted: _shuffle,
    e.ShuffleFinished: _shuffle,
    e.ShuffleJammed: lambda told: told.book.irregularities.shuffler_jam.cites,
    e.DeckCut: _cut,
    e.WordSealed: lambda told: SILENT,
    e.WordTold: lambda told: SILENT,
    e.RecutOrdered: lambda told: _rule(told.book.cut),
    e.ShuffleOrdered: _ordered,
    e.DeckLoaded: _loaded,
    e.DeckTakenAway: _taken_away,
    e.WentIdle: lambda told: _rule(told.book.idle),
    e.RoundStarted: _started,
    r.RoundOpened: _started,
    e.CardReported: _reported,
    e.StubCounted: _counted,
    e.DeviceFailed: _device,
    e.DeviceMarked: _device,
    e.MethodChanged: _device,
    e.DeviceRestored: _device,
    e.PlayConfirmed: _confirmed,
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


def _parts(cite: str) -> tuple[str, int]:
    """A clause's stem, and the place of its last part among its brothers."""
    found = _LAST_PART.fullmatch(cite)
    if found is None:
        return cite, 0
    stem, last = found.groups()
    return stem, int(last) if last.isdecimal() else ord(last)


def _brothers(numbered: tuple[int, str]) -> tuple[str, int]:
    place, cite = numbered
    stem, last = _parts(cite)
    return stem, last - place


def _run(cites: list[str]) -> list[str]:
    found = _LAST_PART.fullmatch(cites[-1])
    if found is None or len(cites) < _SHORTEST_RUN:
        return cites
    return [f"{cites[0]}–{found.group(2)}"]
