"""A table with real cards: the dealer tells each card that comes, and enters the players' chips."""

from typing import Any

from riverboat.games import actions as g
from riverboat.games.deciding import seat_to_act, stage_of
from riverboat.table.day import Day
from riverboat.table.people import has_role
from riverboat.table.rounds import delivery_places
from riverboat.web.demo import BOTS
from riverboat.web.mishaps import Asking
from riverboat.web.standing_in import is_shown, signs_for

Json = dict[str, Any]


def plays_by_itself(day: Day, seat: int) -> bool:
    """Whether a program sits there, which needs nobody to enter its bets."""
    return is_shown(day) and day.seated.get(seat) in BOTS


def reports(ask: Asking) -> Json | None:
    """Where the next physical card goes; which have gone there is nobody else's to see."""
    day = ask.day
    deck = day.deck_in_play
    if day.playing.phase != "ready" or deck is None or deck.sealed is not None:
        return None
    places = delivery_places(day)
    done = len(day.reported)
    last = _last_reported(places[:done])
    return {
        "place": places[done] if done < len(places) else None,
        "done": done,
        "of": len(places),
        "last": last,
        "mends": last is None or _mends(ask, last),
    }


def _last_reported(places: list[str]) -> Json | None:
    """Which card was told last, so that a wrong tap can be put right at once."""
    if not places:
        return None
    return {"place": places[-1], "number": places.count(places[-1])}


def _mends(ask: Asking, last: Json) -> bool:
    """Whether who tells the cards can put one right; where people do the floor's part, they do."""
    correct = g.CorrectCard(place=last["place"], number=last["number"], card=0, reason="?")
    return has_role(signs_for(ask.by, ask.day, correct), ("floorperson",))


def enters(ask: Asking) -> Json | None:
    """What the dealer enters for the players: chips on the felt, decisions."""
    day = ask.day
    state = day.playing
    if state.phase == "betting":
        setup = state.setup
        spots = ["ante", *setup.bonuses, *(["progressive"] if setup.progressive else [])]
        least = setup.limits.ante.minimum_cents
        seats = [seat for seat in sorted(day.seated) if not plays_by_itself(day, seat)]
        if not seats:
            return None
        laid = [one for seat in seats for one in _laid(ask, seat)]
        return {
            "phase": "betting",
            "seats": seats,
            "spots": spots,
            "ante_cents": least,
            "laid": laid,
        }
    seat = seat_to_act(state)
    if state.phase != "deciding" or seat is None or plays_by_itself(day, seat):
        return None
    ante = state.seats[seat].wagers["ante"]
    bets = [{"times": n, "cents": n * ante} for n in stage_of(state).multiples]
    return {"phase": "deciding", "seat": seat, "spot": stage_of(state).spot, "bets": bets}


def _laid(ask: Asking, seat: int) -> list[Json]:
    """What was entered for a seat and can still be taken off again."""
    state = ask.day.playing
    wagers = state.seats[seat].wagers if seat in state.seats else {}
    return [
        {"seat": seat, "spot": spot, "cents": cents}
        for spot, cents in wagers.items()
        if ask.is_taken(g.TakeBack(seat=seat, spot=spot))
    ]
