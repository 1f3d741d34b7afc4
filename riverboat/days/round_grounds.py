"""By which clauses something happened in a round."""

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from riverboat import events as r
from riverboat.games.explaining import explain
from riverboat.games.incidents import OUT_OF_BOUNDS, cites_of
from riverboat.games.paid_from import correction_words
from riverboat.games.round import Round
from riverboat.games.stages import Stage, of_stage
from riverboat.rulebook import Rulebook
from riverboat.rulebook.progressive import Progressive

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
