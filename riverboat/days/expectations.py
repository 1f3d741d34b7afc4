"""What a day script may expect of the table: `expect deck red shuffled`, `expect void`."""

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from riverboat import events as r
from riverboat.cards import parse_cards, show_card
from riverboat.days.grounds import Told, grounds
from riverboat.days.record import Happened
from riverboat.errors import NotationError
from riverboat.money import parse_dollars, show_dollars
from riverboat.table import events as e
from riverboat.table.day import Day
from riverboat.table.prompts import prompt, state_name
from riverboat.table.tasks import Task
from riverboat.table.tray import table_win


def _money(wanted: str, got: int) -> Iterator[str]:
    sign = -1 if wanted.startswith("-") else 1
    if sign * parse_dollars(wanted.removeprefix("-")) != got:
        yield f"it is {show_dollars(got)}"


def _state(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    if state_name(day) != words:
        yield f"it is {state_name(day)}"


def _deck(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    name, _, stage = words.partition(" ")
    deck = day.decks.get(name)
    got = deck.stage if deck is not None else "gone"
    if got != stage.replace("-", "_"):
        yield f"it is {got}"


def _decks(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    if sorted(day.decks) != sorted(words.split()):
        yield f"there are {', '.join(day.decks) or 'none'}"


def _prompt(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`prompt dealer WORDS or CLAUSE`: somebody is told something, in these words or by clause."""
    who, _, wanted = words.partition(" ")
    told = [task for task in prompt(day).tasks if task.who == who]
    if not any(_tells(task, wanted) for task in told):
        yield f"the {who} is told: {'; '.join(map(_all_words, told)) or 'nothing'}"


def _no_prompt(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`no-prompt WHO WORDS or CLAUSE`: that person is told nothing of the kind."""
    who, _, wanted = words.partition(" ")
    for task in prompt(day).tasks:
        if task.who == who and _tells(task, wanted):
            yield f"the {who} is told: {_all_words(task)}"


def _tells(task: Task, wanted: str) -> bool:
    return wanted in task.cites or wanted in _all_words(task)


def _all_words(task: Task) -> str:
    return "; ".join(part for part in (task.words, task.say, *task.how) if part)


def _notice(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    notices = prompt(day).notices
    if not any(words in notice.words or words in notice.cites for notice in notices):
        yield f"noticed is: {'; '.join(notice.words for notice in notices) or 'nothing'}"


def _no_notice(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    for notice in prompt(day).notices:
        if words in notice.words or words in notice.cites:
            yield f"noticed is: {notice.words}"


def _void(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    if day.round is None or day.round.phase != "void":
        yield f"the round is {day.round.phase if day.round else 'not there'}"


def _times(done: Sequence[Happened], words: str) -> list[int]:
    """When something happened, `KIND [key=value …]`: its places among all the day's events."""
    kind, *pairs = words.split() or [""]
    wanted = dict(pair.partition("=")[::2] for pair in pairs)
    events = [event for one in done for event in one.entry.events]
    return [
        place
        for place, event in enumerate(events)
        if str(event.__struct_config__.tag) == kind.replace("-", "_")
        and all(
            str(getattr(event, key, None)).lower() == value.lower() for key, value in wanted.items()
        )
    ]


def _happened(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`event KIND [key=value …]`: it happened, in these words."""
    if not _times(done, words):
        yield "it did not happen"


def _never(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`no-event KIND [key=value …]`: it has not happened."""
    if _times(done, words):
        yield "it happened"


def _so_often(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`times N KIND [key=value …]`: it happened so many times."""
    count, _, rest = words.partition(" ")
    got = len(_times(done, rest))
    if str(got) != count:
        yield f"it happened {got} times"


def _because(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`because CLAUSE`: the record gives this ground for what was done last."""
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
    if not seat.isdecimal() or int(seat) not in seats:
        yield f"seat {seat!r} has played no round"
        return
    yield from _money(amount, seats[int(seat)].net_cents)


def _tray(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    yield from _money(words, day.accounts.tray_cents)


def _win(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """`win` alone: what the tray says is what the rounds say."""
    closed = [event for one in done for event in one.entry.events if isinstance(event, e.DayClosed)]
    win = closed[-1].win_cents if closed else table_win(day.accounts, day.accounts.tray_cents)
    rounds = day.accounts.rounds_cents
    if win != rounds:
        yield f"the tray says {show_dollars(win)} and the rounds {show_dollars(rounds)}"
    if words:
        yield from _money(words, win)


def _rounds(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    if str(day.round_number) != words:
        yield f"{day.round_number} rounds were started"


def _meter(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    meter = day.round.meter if day.in_round and day.round is not None else day.meter
    yield from _money(words, meter.cents)


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
    got = lying.get(place, ())
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
    if str(sum(dealt)) != words:
        yield f"{sum(dealt)} cards were dealt"


EXPECTATIONS: Final[
    dict[str, tuple[str, Callable[[Day, Sequence[Happened], str], Iterator[str]]]]
] = {
    "state": ("where the table stands: ready, spread_up, round, idle, device_down, …", _state),
    "deck": ("DECK STAGE: how far a deck has come, or gone", _deck),
    "decks": ("the decks at the table", _decks),
    "prompt": ("WHO WORDS: who is told to do what, in words or by clause", _prompt),
    "notice": ("WORDS: what is due or overdue", _notice),
    "no-prompt": ("WHO WORDS: who is not told to do what", _no_prompt),
    "no-notice": ("WORDS: what is neither due nor overdue", _no_notice),
    "event": ("KIND [key=value]: something happened", _happened),
    "no-event": ("KIND [key=value]: something has not happened", _never),
    "times": ("N KIND [key=value]: how often something happened", _so_often),
    "because": ("CLAUSE: the ground of what was done last", _because),
    "order": ("KIND [key=value], KIND …: what happened before what", _in_order),
    "cards": ("PLACE CARDS: the cards of a seat, community, box or dealer", _cards),
    "void": ("the round is void", _void),
    "net": ("SEAT $: what a seat has won or lost in the round", _net),
    "tray": ("$: what the tray holds by the entries", _tray),
    "win": ("[$]: the table's win, and that the rounds agree with it", _win),
    "rounds": ("N: how many rounds were started", _rounds),
    "meter": ("$: what the meter shows", _meter),
    "dealt": ("N: how many cards were dealt in the round", _card),
}


def check_expectation(day: Day, done: Sequence[Happened], words: str) -> Iterator[str]:
    """What is otherwise than a script expects."""
    head, _, rest = words.partition(" ")
    if head not in EXPECTATIONS:
        known = ", ".join(EXPECTATIONS)
        raise NotationError("script.unknown_expectation", f"{head!r}; there are {known}")
    yield from EXPECTATIONS[head][1](day, done, rest.strip())
