"""What a line of a day script may expect, and whether it came so: `expect rounds 2`.

A value that no event can have would be expected in vain, or be missed for ever by `no-event`. Where
what stands there is anybody's own words, as a reason is, every word is right.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Literal, NamedTuple, get_args, get_origin, get_type_hints

from msgspec import Struct

from riverboat.core.cards import parse_cards, show_card
from riverboat.core.errors import NotationError
from riverboat.core.hands import FiveCardHand
from riverboat.core.money import show_dollars
from riverboat.round import events as r
from riverboat.round.incidents import KNOWN, PLACES
from riverboat.round.setup.choices import NO_PROGRESSIVE
from riverboat.round.state import Phase as RoundPhase
from riverboat.rulebook.values import DEALT
from riverboat.scripts import day_file
from riverboat.scripts.scenario_words import SEATS
from riverboat.table import events as e
from riverboat.table.configuration.submission import ShuffleMethod
from riverboat.table.day import Day, Phase, Stage
from riverboat.table.people import Role
from riverboat.table.procedures.tray import table_win
from riverboat.table.task import Task
from riverboat.wording.clauses import grounds
from riverboat.wording.incident_words import CONSEQUENCES, REASONS
from riverboat.wording.prompts.prompt import prompt, state_name
from riverboat.wording.record import Happened, Told

_NUMBER: Final = re.compile("-?[0-9]{1,15}", re.ASCII)
_A_NUMBER: Final = ("0", "1", "2", "…")
_OF_SEATS: Final = ("seat", "for_seat")
_OF_PEOPLE: Final = ("by", "player", "name", "relieved", "dealer")
# What the words of a field are, in every event that has it.
_WORDS: Final[Mapping[str, Collection[str]]] = {
    "what": KNOWN,
    "consequence": tuple(CONSEQUENCES),
    "step": tuple(day_file.STEPS.values()),
    "decision": tuple(day_file.CONFIRMED.values()),
    "how": day_file.MARKS,
    "hand": tuple(hand.label for hand in FiveCardHand),
    "dealing": tuple(DEALT),
    "shuffle": get_args(ShuffleMethod),
    "method": (*get_args(ShuffleMethod), "preshuffled"),
}
_OWN: Final[Mapping[tuple[type[Struct], str], Collection[str]]] = {
    (r.RoundVoided, "reason"): (*KNOWN, *(word for word in REASONS if " " not in word)),
    (r.IncidentNoted, "place"): PLACES[1:],
    (r.IncidentNoted, "seat"): ("0", *SEATS),
    (r.CardCorrected, "place"): (*SEATS, "community", "box", "dealer"),
}


def require_values(
    day: Day, kind: type[Struct], wanted: Mapping[str, str], people: Collection[str]
) -> None:
    """Values that an event of this kind can have at this table."""
    for key, value in wanted.items():
        known = _known(day, kind, key, people)
        if known is None or value.lower() in {word.lower() for word in known}:
            continue
        if known == _A_NUMBER and _NUMBER.fullmatch(value):
            continue
        text = f"{key}={value} is never said; {key} is one of {', '.join(known)}"
        raise NotationError("script.bad_word", text)


def _known(
    day: Day, kind: type[Struct], key: str, people: Collection[str]
) -> Collection[str] | None:
    """What a field of an event can be; None where any word is right."""
    hint = get_type_hints(kind)[key]
    if get_origin(hint) is Literal:
        return tuple(map(str, get_args(hint)))
    if hint is bool:
        return ("true", "false")
    if (kind, key) in _OWN:
        return _OWN[kind, key]
    if key in _OF_SEATS:
        count = day.setup.seats if day.configuration is not None else len(SEATS)
        return tuple(SEATS[:count])
    if hint is int:
        return _A_NUMBER
    if key in _OF_PEOPLE:
        return (*people, "system")
    if key == "spot":
        return day_file.spots_of(day)
    if key == "rulebook":
        return tuple(day.books)
    return _WORDS.get(key)


STATES: Final = (
    *get_args(Phase),
    *get_args(Stage),
    *("configured", "interrupted", "device_down", "deck_change"),
)
ROUND_STATES: Final = (*get_args(RoundPhase), "dealt")
_COUNT = re.compile("0|[1-9][0-9]{0,5}")
_CODE = re.compile(r"[a-z_]+(\.[a-z_]+)+")
_LIKE_A_CLAUSE = re.compile(r"[A-Z]{1,3}-?[A-Z0-9]*[.-][A-Za-z0-9.'-]*[0-9][A-Za-z0-9.'-]*")

_EVENTS: Final[dict[str, type[Struct]]] = {
    str(kind.__struct_config__.tag): kind for kind in get_args(e.AnyEvent)
}


def _money(wanted: str, got: int) -> Iterator[str]:
    if day_file.signed_dollars(wanted) != got:
        yield f"it is {show_dollars(got)}"


def _one_of(what: str, word: str, known: Collection[str]) -> str:
    """A word that names something; one that names nothing would be expected in vain."""
    if word not in known:
        text = f"{word!r} is no {what}; there are {', '.join(known) or 'none'}"
        raise NotationError("script.bad_word", text)
    return word


def _whole(text: str) -> str:
    return _one_of("number", text, (text,) if _COUNT.fullmatch(text) else ("0", "1", "2", "…"))


def require_clause(day: Day, word: str, *, or_code: bool = False) -> None:
    """A clause or ambiguity of some rulebook; or the code of a refusal, `bet.closed`."""
    books = [book for book, _ in day.books.values()]
    known = any(word in book.clauses or word in book.ambiguities for book in books)
    if not known and not (or_code and _CODE.fullmatch(word)):
        raise NotationError("script.no_clause", f"clause {word!r} is in no rulebook")


def _require_words(day: Day, words: str) -> None:
    """What is looked for in a prompt or notice: a clause that exists, or words."""
    if _LIKE_A_CLAUSE.fullmatch(words):
        require_clause(day, words)


def _events(done: Sequence[Happened]) -> list[e.AnyEvent]:
    return [event for one in done for event in one.entry.events]


def _state(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    if state_name(day) != _one_of("state", words, STATES):
        yield f"it is {state_name(day)}"


def _deck(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    name, _, stage = words.partition(" ")
    known = {event.deck for event in _events(done) if isinstance(event, e.DeckReceived)}
    deck = day.decks.get(_one_of("deck", name, sorted(known)))
    got = deck.stage if deck is not None else "gone"
    if got != _one_of("stage", stage.replace("-", "_"), (*get_args(Stage), "gone")):
        yield f"it is {got}"


def _decks(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    if sorted(day.decks) != sorted(words.split()):
        yield f"there are {', '.join(day.decks) or 'none'}"


def _prompt(day: Day, done: Sequence[Happened], words: str, *, so: bool = True) -> Iterator[str]:
    """`prompt WHO WORDS or CLAUSE`: somebody is told something, in these words or by clause, at
    once or as a task; or by `no-prompt` nothing of the kind."""
    who, _, wanted = words.partition(" ")
    _one_of("role", who, get_args(Role))
    _require_words(day, wanted)
    now = prompt(day)
    told = [task for task in (*now.at_once, *now.tasks) if task.who == who]
    found = [one for one in told if wanted in one.cites or wanted in _all_words(one)]
    if not so:
        yield from (f"the {who} is told: {_all_words(task)}" for task in found)
    elif not found:
        yield f"the {who} is told: {'; '.join(map(_all_words, told)) or 'nothing'}"


def _all_words(task: Task) -> str:
    return "; ".join(part for part in (task.words, task.say, *task.how) if part)


def _notice(day: Day, done: Sequence[Happened], words: str, *, so: bool = True) -> Iterator[str]:
    _require_words(day, words)
    notices = prompt(day).notices
    found = [one.words for one in notices if words in one.words or words in one.cites]
    if not so:
        yield from (f"noticed is: {one}" for one in found)
    elif not found:
        yield f"noticed is: {'; '.join(notice.words for notice in notices) or 'nothing'}"


def _void(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    if day.round is None or day.round.phase != "void":
        yield f"the round is {day.round.phase if day.round else 'not there'}"


def _named_event(words: str) -> tuple[str, dict[str, str]]:
    """`KIND [key=value …]`: an event that there is, with values that it has."""
    (kind, *more), wanted = day_file.parted(words.split() or [""])
    tag = _one_of("event", kind.replace("-", "_"), _EVENTS)
    for key in (*more, *wanted):
        known = _EVENTS[tag].__struct_fields__
        _one_of(f"value of {kind}", key, [field for field in known if key not in more])
    return tag, wanted


def _times(done: Sequence[Happened], words: str) -> list[int]:
    """When something happened: its places among all the day's events."""
    tag, wanted = _named_event(words)
    return [
        place
        for place, event in enumerate(_events(done))
        if str(event.__struct_config__.tag) == tag
        and all(
            str(getattr(event, key, None)).lower() == value.lower() for key, value in wanted.items()
        )
    ]


def _happened(day: Day, done: Sequence[Happened], words: str, *, so: bool = True) -> Iterator[str]:
    """`event KIND [key=value …]`: it happened, in these words; or by `no-event` it did not."""
    if bool(_times(done, words)) != so:
        yield "it did not happen" if so else "it happened"


def _so_often(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`times N KIND [key=value …]`: it happened so many times."""
    count, _, rest = words.partition(" ")
    got = len(_times(done, rest))
    if str(got) != _whole(count):
        yield f"it happened {got} times"


def _because(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`because CLAUSE`: the record gives this ground for what was done last."""
    require_clause(day, words)
    last = done[-1]
    told = (Told(ev, last.entry.by, last.before, last.after) for ev in last.entry.events)
    found = tuple(dict.fromkeys(cite for one in told for cite in grounds(one)))
    if words not in found:
        yield f"it is by {', '.join(found) or 'no clause'}"


def _in_order(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`order KIND [key=value], KIND …`: each for the first time after the one before it."""
    after, named = -1, [part.strip() for part in words.split(",")]
    for wanted in named:
        times = [time for time in _times(done, wanted) if time > after]
        if not times:
            yield f"{wanted} does not come then"
            return
        after = times[0]


def _net(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    seat, _, amount = words.partition(" ")
    seats = day.round.seats if day.round is not None else {}
    if int(_one_of("seat", seat, "123456789")) not in seats:
        yield f"seat {seat!r} has played no round"
        return
    yield from _money(amount, seats[int(seat)].net_cents)


def _win(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`win` alone: what the tray says is what the rounds say."""
    closed = [event for event in _events(done) if isinstance(event, e.DayClosed)]
    win = closed[-1].win_cents if closed else table_win(day.accounts, day.accounts.tray_cents)
    rounds = day.accounts.rounds_cents
    if win != rounds:
        yield f"the tray says {show_dollars(win)} and the rounds {show_dollars(rounds)}"
    if words:
        yield from _money(words, win)


def _rounds(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    if str(day.round_number) != _whole(words):
        yield f"{day.round_number} rounds were started"


def _meter(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    if day.configuration is None or day.setup.progressive is None:
        raise NotationError("script.no_meter", f"meter {words}: {NO_PROGRESSIVE}")
    yield from _money(words, day.meter.cents)


def _cards(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`cards PLACE CARDS`: what lies at a seat, in the community area, the box or the dealer's."""
    place, _, cards = words.partition(" ")
    state = day.round
    if state is None:
        yield "no round was played"
        return
    lying = {
        "community": state.community,
        "box": state.box,
        "dealer": state.dealer,
        **{str(number): seat.cards for number, seat in state.seats.items()},
    }
    got = lying[_one_of("place", place, lying)]
    if got != parse_cards(cards):
        yield f"there lie {' '.join(map(show_card, got)) or 'none'}"


def _card(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`dealt N`: so many cards are on the table."""
    dealt = [
        len(cards)
        for event in (day.round.history if day.round else ())
        if isinstance(event, r.CardsDealt)
        for _, cards in event.deliveries
    ]
    if str(sum(dealt)) != _whole(words):
        yield f"{sum(dealt)} cards were dealt"


class Expectation(NamedTuple):
    """What a script may expect: how it is written, and whether it is so."""

    usage: str
    unmet: Callable[[Day, Sequence[Happened], str], Iterator[str]]


_EVENT = "KIND [KEY=VALUE]"
EXPECTATIONS: Final = {
    "state": Expectation("STATE", _state),
    "deck": Expectation("DECK STAGE", _deck),
    "decks": Expectation("[DECK…]", _decks),
    "prompt": Expectation("WHO WORD…", _prompt),
    "notice": Expectation("WORD…", _notice),
    "no-prompt": Expectation("WHO WORD…", partial(_prompt, so=False)),
    "no-notice": Expectation("WORD…", partial(_notice, so=False)),
    "event": Expectation(_EVENT, _happened),
    "no-event": Expectation(_EVENT, partial(_happened, so=False)),
    "times": Expectation(f"N {_EVENT}", _so_often),
    "because": Expectation("CLAUSE", _because),
    "order": Expectation("KIND… [KEY=VALUE]", _in_order),
    "cards": Expectation("PLACE CARD…", _cards),
    "void": Expectation("", _void),
    "net": Expectation("SEAT $", _net),
    "tray": Expectation("$", lambda day, _, words: _money(words, day.accounts.tray_cents)),
    "win": Expectation("[$]", _win),
    "rounds": Expectation("N", _rounds),
    "meter": Expectation("$", _meter),
    "dealt": Expectation("N", _card),
}

_OF_EVENTS: Final = ("event", "no-event", "times", "order")


def require_expectation(words: str) -> tuple[str, str]:
    """What is expected, and its words, held against how it is written."""
    head, _, rest = words.partition(" ")
    if head not in EXPECTATIONS:
        known = ", ".join(EXPECTATIONS)
        raise NotationError("script.unknown_expectation", f"{head!r}; there are {known}")
    told = rest.split() if head != "order" else [word for word in rest.split() if "=" not in word]
    day_file.require_usage(head, EXPECTATIONS[head].usage, told)
    return head, rest.strip()


def check_expectation(
    day: Day, done: Sequence[Happened], words: str, people: Collection[str]
) -> Iterator[str]:
    """What is otherwise than a script expects."""
    head, rest = require_expectation(words)
    if head in _OF_EVENTS:
        events = rest.partition(" ")[2] if head == "times" else rest
        for event in events.split(",") if head == "order" else [events]:
            tag, wanted = _named_event(event.strip())
            require_values(day, _EVENTS[tag], wanted, people)
    yield from EXPECTATIONS[head].unmet(day, done, rest)
