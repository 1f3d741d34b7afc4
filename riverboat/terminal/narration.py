"""Events in words, for whoever sits at the table; what the felt shows by itself is left out."""

from riverboat import events as e
from riverboat.games.table_talk import held
from riverboat.money import format_cents
from riverboat.terminal.faces import short
from riverboat.terminal.scene import Scene
from riverboat.terminal.words import hand_words, label, times


def narrate(scene: Scene, event: e.AnyEvent) -> str:
    """What just happened in one sentence; empty where nobody would say anything."""
    match event:
        case e.StreetBet() | e.Folded() | e.SideBetLost():
            return _decided(scene, event)
        case e.MeterAwarded() | e.EnvyPaid():
            return _awarded(scene, event)
        case e.BettingClosed():
            return "No more bets."
        case e.MeterContributed():
            return f"The meter rises to {format_cents(scene.state.meter.cents)}."
        case e.CardsBurned():
            return f"The dealer burns {event.count} card{'s' * (event.count != 1)}."
        case e.CardsDealt():
            return "The cards are out."
    return _turned(scene, event)


def _decided(scene: Scene, event: e.StreetBet | e.Folded | e.SideBetLost) -> str:
    book, seat = scene.setup.book, scene.state.seats[event.seat]
    match event:
        case e.StreetBet():
            multiple = times(event.cents, seat.wagers["ante"])
            who = _who(scene, event.seat, "bet")
            where = f" on {label(book, event.spot)}" if scene.decisions > 1 else ""
            return f"{who} {multiple}: {format_cents(event.cents)}{where}."
        case e.Folded():
            return f"{_who(scene, event.seat, 'fold')}."
    whose = "Your" if event.seat == scene.you else f"{scene.players[event.seat].name}'s"
    return f"{whose} {label(book, event.spot)} wager is lost with the fold."


def _turned(scene: Scene, event: e.AnyEvent) -> str:
    state = scene.state
    match event:
        case e.CommunityTurned():
            return f"The dealer turns {short(state.community[event.number - 1])}."
        case e.BoxTurned():
            return f"The box is turned: {' '.join(map(short, state.box))}."
        case e.DealersHandTurned():
            return f"The dealer has {hand_words(state.dealer)}."
    return ""


def _awarded(scene: Scene, event: e.MeterAwarded | e.EnvyPaid) -> str:
    if isinstance(event, e.EnvyPaid):
        who = _who(scene, event.seat, "get")
        return f"{who} {format_cents(event.cents)} envy for seat {event.for_seat}'s hand."
    who = _who(scene, event.seat, "win")
    paid = format_cents(event.paid_cents)
    return f"{who} {event.percent}% of the meter with {held(event.hand)}: {paid}!"


def _who(scene: Scene, seat: int, verb: str) -> str:
    return f"You {verb}" if seat == scene.you else f"{scene.players[seat].name} {verb}s"
