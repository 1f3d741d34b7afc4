"""How a table stands, in a sentence that the floor can sign."""

from riverboat.cards import show_cards
from riverboat.games.deciding import seat_to_act, stage_of
from riverboat.games.table_talk import listed, number_of, sentence, stakes_together
from riverboat.table.day import Day

_PHASES = {
    "betting": "with bets open",
    "closed": "with bets closed",
    "locked": "with the progressive wagers locked",
    "ready": "before the deal",
    "turning": "before the next card is turned",
    "settling": "in settlement",
    "settled": "settled",
    "void": "void",
    "over": "over",
}


def statement(day: Day) -> str:
    """Where the round stood, the bets on the felt, the lights; or that none was played."""
    if not day.in_round:
        return f"no round was being played; {number_of(day.round_number, 'round')} complete"
    state = day.playing
    turn = seat_to_act(state)
    where = f"at {stage_of(state).label}, seat {turn} to act" if turn else _PHASES[state.phase]
    if day.reported and state.phase == "ready":
        where = f"in the deal, with {number_of(len(day.reported), 'card')} out"
    if state.phase == "turning":
        where = f"at {stage_of(state).label}, all seats having acted"
    if state.turned:
        where += f"; open: {show_cards(state.community[: state.turned])}"
    paid = sorted({seat for seat, _, _ in state.settled})
    if paid:
        where += f"; settled already: seat {listed([str(seat) for seat in paid])}"
    book = state.setup.book
    bets = [
        f"seat {number} {stakes_together(book, seat.wagers.items())}"
        for number, seat in sorted(state.seats.items())
        if seat.wagers
    ]
    lit = [str(number) for number, seat in sorted(state.seats.items()) if seat.lit]
    lights = f"; lights {listed(lit)}" if lit else ""
    return sentence(
        f"round {day.round_number} stood {where}; bets: {'; '.join(bets) or 'none'}{lights}"
    )
