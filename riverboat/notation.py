"""Events as short lines of text, for scenario files, logs and people: `settle 6 third`."""

from collections.abc import Iterator

from riverboat import events as e

VOCABULARY = {
    "bet S spot": "chips were placed on a spot: ante, a side bet, a street, a tip",
    "take-back S spot": "chips were taken back while betting was open",
    "close": "no more bets",
    "lock": "the progressive wagers were frozen",
    "collect S spot": "chips went to the tray: progressive, a fold's wagers, a lost wager",
    "deal P": "a card, or a group of cards, reached a place: a seat, community, box, dealer",
    "correct-card P N": "a misreported card of a place was put right",
    "fold S": "a seat folded",
    "muck S": "a folded hand went to the discard rack",
    "keep S": "a folded hand was kept for a side bet",
    "lose S spot": "a side bet was lost by a fold",
    "turn N": "a community card was turned (1, 2, 3); also: turn box, turn up 1, turn dealer",
    "announce S": "the dealer said what a seat's hand is; also: announce dealer",
    "settle S spot": "a spot was settled; then pay S spot, push S spot or collect S spot",
    "award S hand": "a share of the meter was paid to a seat",
    "forfeit S": "a seat lost its wagers by its conduct",
    "incident what": "something went wrong",
    "void": "the round was void; then return S spot and reverse S spot",
    "block": "the deal has to wait; also: suspend, remove deck",
    "err kind S spot": "the dealer did something else than was owed; correct S spot mends it",
    "over": "the round ended",
}


def log_lines(event: e.AnyEvent) -> Iterator[str]:
    """What one event says."""
    match event:
        case e.WagerPlaced() | e.StreetBet():
            yield f"bet {event.seat} {event.spot}"
        case e.WagerTakenBack():
            yield f"take-back {event.seat} {event.spot}"
        case e.BettingClosed():
            yield "close"
        case e.ProgressiveLocked():
            yield "lock"
        case e.ProgressiveCollected():
            yield from (f"collect {seat} progressive" for seat in event.seats)
        case e.CardsDealt():
            yield from (f"deal {place}" for place, _ in event.deliveries)
        case e.CardCorrected():
            yield f"correct-card {event.place} {event.number}"
        case _:
            yield from _turn_lines(event)


def _turn_lines(event: e.AnyEvent) -> Iterator[str]:
    match event:
        case e.CommunityTurned():
            yield f"turn {event.number}"
        case e.BoxTurned():
            yield "turn box"
        case e.UpCardsTurned():
            yield f"turn up {event.count}"
        case e.DealersHandTurned():
            yield "turn dealer"
            if event.announced:
                yield "announce dealer"
        case e.HandAnnounced():
            yield f"announce {event.seat}"
        case e.RoundClosed():
            yield "over"
        case _:
            yield from _fold_lines(event)


def _fold_lines(event: e.AnyEvent) -> Iterator[str]:
    match event:
        case e.Folded():
            yield f"fold {event.seat}"
        case e.FoldCollected():
            yield from (f"collect {event.seat} {spot}" for spot, _ in event.spots)
            yield f"{'keep' if event.cards_kept else 'muck'} {event.seat}"
        case e.SideBetLost():
            yield f"lose {event.seat} {event.spot}"
        case e.SeatForfeited():
            yield f"forfeit {event.seat}"
            yield from (f"collect {event.seat} {spot}" for spot, _ in event.spots)
        case _:
            yield from _settlement_lines(event)


def _settlement_lines(event: e.AnyEvent) -> Iterator[str]:
    match event:
        case e.SpotSettled():
            yield f"settle {event.seat} {event.spot}"
            done = {"win": "pay", "push": "push", "lose": "collect"}[event.outcome]
            yield f"{done} {event.seat} {event.spot}"
        case e.MeterAwarded():
            yield f"settle {event.seat} progressive"
            yield f"award {event.seat} {event.hand}"
        case e.EnvyPaid():
            yield f"settle {event.seat} envy"
            yield f"pay {event.seat} envy"
        case e.DealerErred():
            yield f"err {event.error} {event.seat} {event.spot}"
        case e.PayoutCorrected():
            yield f"correct {event.seat} {event.spot}"
        case _:
            yield from _trouble_lines(event)


def _trouble_lines(event: e.AnyEvent) -> Iterator[str]:
    match event:
        case e.IncidentNoted():
            yield f"incident {event.what}"
        case e.RoundVoided():
            yield "void"
        case e.WagerReturned():
            yield f"return {event.seat} {event.spot}"
        case e.PayoutReversed():
            yield f"reverse {event.seat} {event.spot}"
        case e.AwardBackedOut():
            yield f"reverse {event.seat} progressive"
        case e.DealBlocked():
            yield "block"
        case e.TableSuspended():
            yield "suspend"
        case e.DeckRemoved():
            yield "remove deck"
