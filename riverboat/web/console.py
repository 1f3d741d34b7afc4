"""What the house's people see beside the felt: the next step with its ready action, keys, trouble.

The next step is the controller's next key, then the table's prompt: the order in which a demo
table's programs go, so that a person who takes a part over is asked for exactly the same.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from msgspec import to_builtins

from riverboat.errors import NotationError, Refused
from riverboat.evidence.round_file import tells_cards
from riverboat.floor.floor import Floor
from riverboat.floor.station import Station
from riverboat.games import actions as g
from riverboat.games.dealing import card_counts
from riverboat.games.deciding import seat_to_act, stage_of
from riverboat.games.incidents import CONDUCT, IRREGULARITIES, KNOWN, PLACES, incident, rule_for
from riverboat.games.round import Round
from riverboat.progressive import actions as p
from riverboat.progressive.prompting import Coming, coming
from riverboat.progressive.winners import Desk
from riverboat.rulebook import Rulebook
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.table.people import Actor, has_role
from riverboat.table.prompts import prompt
from riverboat.table.rounds import delivery_places
from riverboat.table.tasks import Task
from riverboat.web.demo import BOTS
from riverboat.web.standing_in import Standing, is_shown

Json = dict[str, Any]
_FLOOR: Final = ("floorperson",)
_DEALER: Final = ("dealer",)
_DOCUMENT: Final = "payment slip"
_WORDS: Final[dict[type, str]] = {
    p.CoinIn: "Press {lock}: the progressive wagers that are on are accepted",
    p.PlayWithout: "The meter is out of service: give the progressive chips back and play without",
    p.CountChips: "Take the progressive chips, count them in front of the tray: {chips} accepted",
    p.PressHand: "Seat {seat} has {hand}: check hand and light, then press its key",
    p.CallSupervisor: "Call the supervisor for the hand that is keyed",
    p.VerifyWin: "Verify the win of seat {seat}: the hand, the light, the wager",
    p.KeyInWinner: "Key in the winner at seat {seat}",
    p.TurnKey: "Turn the key to {to}",
    p.PressJPot: "Press J-POT: the win is recorded and its amount fixed",
    p.PrintWinPage: "Print the win page, for signing",
    p.PayAward: "Pay the award of seat {seat}",
    p.GameOver: "Press {over}: the lights go off and the round is over",
}


class Step(NamedTuple):
    """What the table waits for."""

    who: str
    words: str
    cites: tuple[str, ...]
    do: object | None
    say: str = ""
    how: tuple[str, ...] = ()
    seat: int = 0


def next_step(floor: Floor, station: Station) -> Step | None:
    """What comes next, whoever's it is; None where nothing is waited for."""
    tasks = [task for task in prompt(station.day).tasks if not task.optional]
    key = next_key(floor, station)
    if key is not None:
        task = tasks[0] if tasks else None
        return _of_key(station, key, task)
    return _of_task(tasks[0]) if tasks else None


def next_key(floor: Floor, station: Station) -> Coming | None:
    """The controller's next key; the first card and the end come with the table's own words."""
    day = station.day
    if not station.link or not day.in_round or day.interrupted or day.playing.phase == "void":
        return None
    found = coming(Desk(station.controller, day.playing, floor.link(station.link)))
    if found is None or isinstance(found.press, p.FirstCard | p.GameOver):
        return None
    return found


def _of_task(task: Task) -> Step:
    return Step(task.who, task.words, task.cites, task.do, task.say, task.how, task.seat)


def _of_key(station: Station, key: Coming, task: Task | None) -> Step:
    rule = station.day.setup.book.progressive
    assert rule is not None
    press, seat = key.press, getattr(key.press, "seat", 0)
    if isinstance(press, p.PayAward):
        press = p.PayAward(seat=seat, document=_document(station, seat))
    said = _WORDS[type(press)].format(
        seat=seat,
        hand=str(getattr(press, "hand", "")).replace("_", " "),
        lock=rule.lock.key,
        over=rule.end_of_round.key,
        to=getattr(press, "to", ""),
        chips=getattr(press, "chips", 0),
    )
    own = (g.LockProgressive, g.CollectProgressive)
    if task is not None and isinstance(task.do, own) and not isinstance(press, p.PlayWithout):
        return Step(key.by, task.words, task.cites, press, task.say, task.how, seat)
    return Step(key.by, said, key.cites, press, seat=seat)


def _document(station: Station, seat: int) -> str:
    """What an award that does not come from the tray is paid by."""
    return f"{_DOCUMENT} {station.day.table}-{station.day.round_number}-{seat}"


# ---------------------------------------------------------------- for somebody of the house


def console_frame(floor: Floor, station: Station, by: Actor, standing: Standing) -> Json:
    """Everything that somebody of the house may do at a table now."""
    day = station.day
    step = next_step(floor, station)
    shown: Json = {
        "part": by.role,
        "stands_in": standing.get(by.name, ""),
        "on_duty": by.role != "dealer" or by.name == day.dealer,
        "step": None if step is None else _step(day, step, by),
        "also": [_also(day, task, by) for task in _others(day, step)],
        "incidents": [],
        "trouble": list(_trouble(day, by)),
        "reports": None,
        "enters": None,
        "pad": pad(station),
    }
    if day.configuration is not None:
        cites = [cite for one in _cited(shown) for cite in one]
        shown["clauses"] = clause_texts(day.configuration.book, cites)
    if day.round is not None and day.in_round and not day.interrupted:
        shown["incidents"] = [_incident(day.round, *one) for one in _offered(day.round)]
        if day.configuration is not None and day.configuration.physical:
            waits = step is not None and step.who == "dealer" and step.do is None
            shown["reports"] = _reports(day) if waits else None
            shown["enters"] = _enters(day)
    return shown


def _cited(shown: Json) -> Iterator[list[str]]:
    step = shown["step"]
    if step is not None:
        yield step["cites"]
    for one in shown["also"]:
        yield one["cites"]


def clause_texts(book: Rulebook, cites: Iterable[str]) -> Json:
    """What the clauses say, in short."""
    found: Json = {}
    for cite in dict.fromkeys(cites):
        if cite in book.clauses:
            clause = book.clauses[cite]
            found[cite] = {"number": clause.number, "text": clause.text}
        elif cite in book.ambiguities:
            found[cite] = {"number": "", "text": book.ambiguities[cite]}
    return found


def ready_action(do: object | None) -> Json | None:
    """The action that a button sends; none that would tell a card."""
    if do is None:
        return None
    raw: Json = to_builtins(do)
    return None if tells_cards(raw) else raw


def is_theirs(day: Day, who: str, by: Actor) -> bool:
    """Whether a step is somebody's: their own, the floor's for those above, a player's bets where
    the dealer enters them. The floor's and the machine's at a demo table are its programs'."""
    if who == "player":
        physical = day.configuration is not None and day.configuration.physical
        return physical and by.role == "dealer"
    if who in ("house", "system", "floorperson") and is_shown(day) and not day.interrupted:
        return False
    if who in ("house", "system"):
        return True
    return has_role(by, (who,))  # type: ignore[arg-type]


def _is_programs(day: Day, step: Step) -> bool:
    return step.who == "player" and _plays_by_itself(day, step.seat)


def _plays_by_itself(day: Day, seat: int) -> bool:
    """Whether a program sits there, which needs nobody to enter its bets."""
    return is_shown(day) and day.seated.get(seat) in BOTS


def _step(day: Day, step: Step, by: Actor) -> Json:
    return {
        "who": step.who,
        "words": step.words,
        "say": step.say,
        "how": list(step.how),
        "cites": list(step.cites),
        "seat": step.seat or None,
        "do": ready_action(step.do),
        "machine": step.who == "system",
        "yours": is_theirs(day, step.who, by) and not _is_programs(day, step),
        "counts": _counts(day, step),
    }


def _counts(day: Day, step: Step) -> dict[str, int] | None:
    """Beside the stub: how many cards every place should have, for whoever finds that it has not.
    Between rounds the whole deck is counted, and nothing lies anywhere else."""
    if not isinstance(step.do, a.CountStub) or not day.in_round:
        return None
    return card_counts(day.setup, sorted(day.playing.seats))


def _others(day: Day, step: Step | None) -> list[Task]:
    """What else may or must be done, beside the next step."""
    tasks = prompt(day).tasks
    said = step.words if step is not None else ""
    return [task for task in tasks if task.words != said]


def _also(day: Day, task: Task, by: Actor) -> Json:
    return _step(day, _of_task(task), by) | {"optional": task.optional}


def pad(station: Station) -> Json | None:
    """The keypad as this rulebook has it."""
    setup = station.day.setup if station.link else None
    rule = setup.book.progressive if setup is not None else None
    if setup is None or rule is None or setup.progressive is None:
        return None
    return {
        "keys": list(rule.keys.keypad),
        "lock": rule.lock.key,
        "over": rule.end_of_round.key,
        "switch": rule.keys.key_switch,
        "hands": [
            {"hand": hand, "pays": str(line.pays)}
            for line in setup.progressive.table.lines
            for hand in line.hands
            if str(line.pays) != "lose"
        ],
        "cites": list(rule.keys.cites),
    }


# ---------------------------------------------------------------- what goes wrong


def _offered(state: Round) -> Iterator[tuple[str, list[int]]]:
    """What the engine would take a report of now, and of which seats: asked of the engine itself,
    as `games.offers` does, but without working out every other offer for each frame."""
    for what in KNOWN:
        accused = sorted(state.seats) if what in CONDUCT else [0]
        seats = [seat for seat in accused if _is_taken(state, what, seat)]
        if seats:
            yield what, seats if what in CONDUCT else sorted(state.seats)


def _is_taken(state: Round, what: str, seat: int) -> bool:
    try:
        next(incident(state, g.Incident(what=what, seat=seat)), None)
    except (Refused, NotationError):
        return False
    return True


def _incident(state: Round, what: str, seats: list[int]) -> Json:
    consequence, cites = _follows(state, what)
    return {
        "what": what,
        "conduct": what in CONDUCT,
        "seats": seats,
        "places": [place for place in PLACES if _has_place(state, place)],
        "follows": consequence,
        "cites": list(cites),
    }


def _has_place(state: Round, place: str) -> bool:
    cards = {"": True, "community": state.community, "six_card_box": state.box}
    return bool(cards.get(place, state.dealer))


def _follows(state: Round, what: str) -> tuple[str, tuple[str, ...]]:
    """What the rulebook makes of it; the option's word where it leaves that to an option."""
    book = state.setup.book
    if what in IRREGULARITIES:
        rule = rule_for(state, g.Incident(what=what))
        if rule is None:
            return "none", ()
        chosen = str(state.setup.choice(rule.option)) if rule.option else ""
        decides = chosen == "floor_decides" or rule.consequence == "by_option"
        return chosen if decides else rule.consequence, rule.cites
    if what in CONDUCT:
        for one in book.conduct:
            if one.rule == CONDUCT[what]:
                chosen = str(state.setup.choice(one.option)) if one.option else ""
                said = chosen if one.consequence == "by_option" else one.consequence
                return said, one.cites
    if book.progressive is not None and what == "late_progressive_chip":
        return book.progressive.sensor.late_chip, book.progressive.sensor.cites
    if book.progressive is not None and what == "progressive_chip_mismatch":
        return str(state.setup.choice("chip_mismatch")), book.progressive.collection.cites
    return "none", ()


def _trouble(day: Day, by: Actor) -> Iterator[Json]:
    """What stops a table, whether a round is played or not."""
    if day.configuration is None or day.phase != "open" or day.interrupted:
        return
    yield {"do": "interrupt", "words": "Interrupt play", "reason": True}
    if day.device == "working" and day.configuration.shuffle != "manual":
        yield {"do": "fail_device", "words": "Shuffler or shoe is out of use", "reason": True}
    for deck in day.decks.values():
        if deck.stage == "shuffling" and has_role(by, _DEALER):
            yield {"do": "jam_shuffler", "deck": deck.name, "words": f"{deck.name} deck jams"}
        if has_role(by, _FLOOR) and not day.in_round:
            words = f"Shuffle the {deck.name} deck again"
            yield {"do": "order_shuffle", "deck": deck.name, "words": words, "reason": True}
            words = f"Change the {deck.name} deck"
            yield {"do": "remove_deck", "deck": deck.name, "words": words, "reason": True}


# ---------------------------------------------------------------- physical cards


def _reports(day: Day) -> Json | None:
    """Where the next physical card goes; which have gone there is nobody else's to see."""
    deck = day.deck_in_play
    if day.playing.phase != "ready" or deck is None or deck.sealed is not None:
        return None
    places = delivery_places(day)
    done = len(day.reported)
    return {
        "place": places[done] if done < len(places) else None,
        "done": done,
        "of": len(places),
        "last": _last_reported(places[:done]),
    }


def _last_reported(places: list[str]) -> Json | None:
    """Which card was told last, so that a wrong tap can be put right at once."""
    if not places:
        return None
    return {"place": places[-1], "number": places.count(places[-1])}


def _enters(day: Day) -> Json | None:
    """What the dealer enters for the players: chips on the felt, decisions."""
    state = day.playing
    if state.phase == "betting":
        setup = state.setup
        spots = ["ante", *setup.bonuses, *(["progressive"] if setup.progressive else [])]
        least = setup.limits.ante.minimum_cents
        seats = [seat for seat in sorted(day.seated) if not _plays_by_itself(day, seat)]
        if not seats:
            return None
        return {"phase": "betting", "seats": seats, "spots": spots, "ante_cents": least}
    seat = seat_to_act(state)
    if state.phase != "deciding" or seat is None or _plays_by_itself(day, seat):
        return None
    ante = state.seats[seat].wagers["ante"]
    bets = [{"times": n, "cents": n * ante} for n in stage_of(state).multiples]
    return {"phase": "deciding", "seat": seat, "spot": stage_of(state).spot, "bets": bets}
