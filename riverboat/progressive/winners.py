"""Who has won, in whose turn, and what it comes to on the meter as it stands now."""

from typing import NamedTuple

from msgspec.structs import replace

from riverboat.errors import Refused
from riverboat.games.awards import Winner, is_live, progressive_dues
from riverboat.games.dues import Due
from riverboat.games.meter import Meter
from riverboat.games.paying import remaining
from riverboat.games.round import Round
from riverboat.games.settlement import BASE_SPOTS, dues, hand_kinds
from riverboat.progressive.controller import Controller, Lamp
from riverboat.progressive.link import Link
from riverboat.progressive.steps import cites_of, rule_of

AFTERWARDS = ("progressive", "envy")


class Desk(NamedTuple):
    """What a press is judged by: the controller, the round at its table, and the meter's link, or
    None when it cannot be reached."""

    controller: Controller
    round: Round
    link: Link | None


def require_settling(desk: Desk) -> Round:
    """The hands lie open: the round as it was when settlement began."""
    rule = rule_of(desk.round)
    if desk.round.phase != "settling" or desk.round.at_settlement is None:
        text = "no hand is settled now"
        raise Refused("hand.not_now", text, cites=cites_of(rule, "press_hand_key"))
    return desk.round.at_settlement


def turns(desk: Desk) -> list[Due]:
    """The winners that are not paid yet, in the order in which they are handled."""
    state = desk.round
    found = [d for d in remaining(state) if d.spot == "progressive" and d.outcome == "win"]
    found += [due for due in _disputed(desk) if due.outcome == "win"]
    from_right = rule_of(state).several_winners.order == "dealers_right_to_left"
    found.sort(key=lambda due: -due.seat if from_right else due.seat)
    if state.setup.choice("multi_winner_policy") not in ("", "sequential"):
        found.sort(key=lambda due: -due.percent)
    return found


def _disputed(desk: Desk) -> list[Due]:
    """What seats win whose light was off and whose claim was allowed."""
    at_settlement = desk.round.at_settlement
    if at_settlement is None:
        return []
    paid = {
        win.logged.seat for win in desk.controller.wins.values() if win.paid and not win.taken_back
    }
    return [
        progressive_dues(at_settlement, [winner])[winner.seat]
        for seat in sorted(desk.controller.allowed_unlit - paid)
        if (winner := winner_at(at_settlement, seat)) is not None
    ]


def winner_at(state: Round, seat: int) -> Winner | None:
    """A seat with its hand and the line that it meets, if its cards are there."""
    kind = hand_kinds(state).get(seat)
    if kind is None:
        return None
    return Winner(seat, kind, state.setup.lines["progressive"][kind])


def due_now(desk: Desk, lamp: Lamp) -> Due:
    """What a lamp's award comes to: a share of the meter is reckoned on the link's meter now, or,
    for co-winners, on the meter that the first of them was fixed on."""
    due = next(due for due in turns(desk) if due.seat == lamp.seat)
    if not due.percent:
        return due
    assert desk.link is not None
    at_settlement = desk.round.at_settlement
    assert at_settlement is not None
    held = desk.link.pending
    meter = held.group if held is not None else desk.link.meter
    return _on_meter(at_settlement, meter, group_of(desk, due), lamp.seat)


def _on_meter(state: Round, meter: Meter, seats: list[int], seat: int) -> Due:
    winners = [winner for n in seats if (winner := winner_at(state, n)) is not None]
    return progressive_dues(replace(state, meter=meter), winners)[seat]


def group_of(desk: Desk, due: Due) -> list[int]:
    """The seats that share one award, in the order of their turns; alone, unless winners split."""
    state = desk.round
    if state.setup.choice("multi_winner_policy") != "equal_split":
        return [due.seat]
    assert state.at_settlement is not None
    plan = [d for d in dues(state.at_settlement) if d.percent == due.percent]
    seats = {d.seat for d in plan if state.seats[d.seat].status != "forfeit"}
    seats |= {d.seat for d in _disputed(desk) if d.percent == due.percent}
    from_right = rule_of(state).several_winners.order == "dealers_right_to_left"
    return sorted(seats, reverse=from_right)


def require_turn(desk: Desk, lamp: Lamp) -> None:
    """No other award is in hand, and nobody comes before this seat."""
    rule = rule_of(desk.round)
    other = desk.controller.in_hand
    if other is not None and other.seat != lamp.seat:
        text = f"seat {lamp.seat} while the award of seat {other.seat} is being handled"
        raise Refused("award.in_hand", text, cites=rule.several_winners.cites)
    if other is None:
        first = turns(desk)[0]
        if first.seat != lamp.seat:
            text = f"seat {lamp.seat} before seat {first.seat}, which comes first"
            raise Refused("award.not_in_turn", text, cites=rule.several_winners.cites)


def require_win(desk: Desk, seat: int, hand: str) -> Due:
    """A seat's hand wins: the light is on, the wager still live, the hand is that hand."""
    state, rule = require_settling(desk), rule_of(desk.round)
    allowed = seat in desk.controller.allowed_unlit
    sitting = desk.round.seats.get(seat)
    if sitting is None:
        raise Refused("seat.unknown", f"nobody plays at seat {seat}", cites=rule.sensor.cites)
    if not sitting.lit and not allowed:
        text = f"the light of seat {seat} is off; a claim without it is denied"
        cites = (*rule.sensor.cites, *_step_cites(desk, "verify_light"))
        raise Refused("seat.unlit", text, cites=tuple(dict.fromkeys(cites)))
    if not allowed and not is_live(desk.round.setup, sitting):
        lost = desk.round.setup.book.fold.progressive
        cites = lost.cites if lost is not None else rule.winning.cites
        raise Refused("wager.forfeited", f"seat {seat} lost its wager by the fold", cites=cites)
    winner = winner_at(state, seat)
    held = winner.kind.hand if winner is not None else "no hand"
    due = next((due for due in turns(desk) if due.seat == seat), None)
    if held != hand or due is None:
        text = f"{hand.replace('_', ' ')} for seat {seat}, which has {held.replace('_', ' ')}"
        cites = (*rule.winning.cites, *_step_cites(desk, "verify_hand", "press_hand_key"))
        raise Refused("hand.not_that", text, cites=tuple(dict.fromkeys(cites)))
    _require_base_settled(desk, due)
    return due


def _step_cites(desk: Desk, *names: str) -> tuple[str, ...]:
    rule = rule_of(desk.round)
    return tuple(cite for step in rule.steps if step.step in names for cite in step.cites)


def _require_base_settled(desk: Desk, due: Due) -> None:
    """The wagers that come before the award are settled: in the round's own order, and for a seat
    whose claim was allowed its base wagers."""
    rule = desk.round.setup.book.settlement.progressive
    at_the_end = rule is not None and rule.when == "completion_of_round"
    for left in remaining(desk.round):
        if (left.seat, left.spot) == (due.seat, "progressive"):
            return
        own = due.seat in desk.controller.allowed_unlit and not at_the_end
        waits = left.spot not in AFTERWARDS
        if own:
            waits = left.seat == due.seat and left.spot in BASE_SPOTS
        if waits:
            text = f"seat {due.seat}'s award before seat {left.seat}'s {left.spot} is settled"
            cites = (
                *cites_of(rule_of(desk.round), "press_hand_key"),
                *(rule.cites if rule else ()),
            )
            raise Refused("hand.too_early", text, cites=tuple(dict.fromkeys(cites)))
