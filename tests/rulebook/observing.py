"""What anybody can observe of a rulebook: rounds, days, keys and configurations played under it.

The library of the house is played again under a changed rulebook, and held against what comes of
the rulebook as it is: events, refusals, explanations, offers, prompts, verdicts. Nothing of the
rulebook itself is looked at, so that a value which no code reads changes nothing here.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple, get_args

import msgspec
from msgspec.structs import replace

from riverboat.core.cards import DECK
from riverboat.core.errors import RiverboatError
from riverboat.core.money import show_dollars
from riverboat.keeping import actions as la
from riverboat.keeping.engine import keep
from riverboat.meter.state import Link
from riverboat.round import Round, Setup, open_round, play, set_up
from riverboat.round import actions as g
from riverboat.round.incidents import KNOWN, PLACES, sequels
from riverboat.round.legal import legal
from riverboat.round.settlement.payment import remaining
from riverboat.round.setup.choices import Raw
from riverboat.round.streets import deal_out, seat_to_act, stage_of
from riverboat.rulebook import Rulebook
from riverboat.rulebook.options import Choice
from riverboat.rulebook.procedures import FEATURES, DealingMethod, Item, Position, Shows
from riverboat.rulebooks import load
from riverboat.scripts.checking import ConfigurationCase, read_cases, submission_of
from riverboat.scripts.day_file import DayScript, read_days
from riverboat.scripts.day_library import every_bet
from riverboat.scripts.day_runner import DayRunner
from riverboat.scripts.scenario import play_scenario
from riverboat.scripts.scenario_file import Scenario, read_scenarios
from riverboat.table import actions as a
from riverboat.table.configuration.configure import (
    ConfigurationRefused,
    configure,
    standard_submission,
)
from riverboat.table.configuration.submission import DeckKind, Decks, Device, Submission
from riverboat.table.events import Entry
from riverboat.table.task import Task
from riverboat.terminal.scene import short_label
from riverboat.wording.explaining import explain
from riverboat.wording.pit_log import pit_log
from riverboat.wording.prompts.prompt import prompt
from tests.support.controller_file import ControllerScript, Player, read_scripts
from tests.support.hall import FLO, SUE
from tests.support.places import TESTS

ISLAND_CARDS = "1=Ah,Kh,Qh,Jh,Th 2=9s,8s,7s,6s,5s dealer=2c,3d,5h,7c,9d"
CARDS = "1=Ah,Kh 2=9h,8h community=Qh,Jh,Th box=2c,3c,4c,5d"
_HASH = re.compile("[0-9a-f]{64}")
MOMENTS = ("betting", "closed", "locked", "ready", "dealt", "settling", "seat settled")
POSITIONS = (*get_args(Position), "elsewhere")
ANTE, SIDE_BET = "10", "5"


class Probe(NamedTuple):
    """One thing that can be done under a rulebook, and what comes of it."""

    name: str
    come: Callable[[Rulebook], object]


def refused(problem: RiverboatError) -> tuple[object, ...]:
    return ("refused", getattr(problem, "code", ""), str(problem), getattr(problem, "cites", ()))


# ---------------------------------------------------------------- the battery


@cache
def battery(name: str) -> list[Probe]:
    """Everything that is done under a rulebook; what has told most so far comes first."""
    book = load(name).book
    found = [
        Probe("the spots of the terminal's felt", _felt),
        *_submissions(book),
        *_whole_days(book),
        *_meters(book),
        *_incidents(book),
        *_configurations(name),
        *_keys(name),
        *_days(name),
        *_rounds(name),
    ]
    return [Probe(f"{name}: {probe.name}", probe.come) for probe in found]


def _felt(book: Rulebook) -> object:
    return [short_label(book, offer.bet) for offer in book.side_bets]


@cache
def _outcomes(name: str) -> dict[str, object]:
    """What came of the probes under the rulebook as it is."""
    return {}


def noticed(name: str, changed: Rulebook, other: Rulebook | None = None) -> str:
    """The first probe that comes out otherwise than under the rulebook as it is, or the other one.

    It goes to the front, for it is likely to tell of what stands near in the file too.
    """
    probes, known = battery(name), _outcomes(name)
    for place, probe in enumerate(probes):
        if other is None and probe.name not in known:
            known[probe.name] = probe.come(load(name).book)
        before = known[probe.name] if other is None else probe.come(other)
        if probe.come(changed) != before:
            probes.insert(0, probes.pop(place))
            return probe.name
    return ""


def _files(folder: str, name: str) -> Iterator[str]:
    for file in sorted((TESTS / folder).rglob("*.toml")):
        text = file.read_text("utf-8")
        if f'"{name}"' in text:
            yield text


# ---------------------------------------------------------------- rounds


def _rounds(name: str) -> Iterator[Probe]:
    """The scenarios of the library, from all over it."""
    scenarios = [
        (called, scenario)
        for text in _files("rules", name)
        for called, scenario in read_scenarios(text)
        if isinstance(scenario, Scenario) and scenario.rulebook == name
    ]
    apart = 17
    for start in range(apart):
        for called, scenario in scenarios[start::apart]:
            yield Probe(f"round: {called}", _round_of(scenario))


def _round_of(scenario: Scenario) -> Callable[[Rulebook], object]:
    def come(book: Rulebook) -> object:
        try:
            state, refusal = play_scenario(scenario, book)
        except RiverboatError as problem:
            return refused(problem)
        end = refused(refusal) if refusal is not None else ()
        if state is None:
            return end
        offers = str(legal(state)) if refusal is not None else ""
        return (*map(msgspec.json.encode, state.history), end, *map(str, explain(state)), offers)

    return come


# ---------------------------------------------------------------- what goes wrong


def _incidents(book: Rulebook) -> Iterator[Probe]:
    """Everything that can be reported, at each moment of a round, whatever options decide."""
    for which in (0, 1, -1):
        for moment in MOMENTS:
            called = f"incidents: {moment}, decided by choice {which}"
            yield Probe(called, _reported_at(moment, _decided_by(book, which)))


def _decided_by(book: Rulebook, which: int) -> dict[str, Raw]:
    """One of the choices of every option that says what follows."""
    decide = ("exposed_", "six_card_irregularity", "unwritten_", "leaver", "conduct_", "chip_")
    return {
        name: option.choices[min(which, len(option.choices) - 1)]
        for name, option in book.options.items()
        if name.startswith(decide) and isinstance(option, Choice) and not option.fixed
    }


def _reported_at(moment: str, choices: dict[str, Raw]) -> Callable[[Rulebook], object]:
    def come(book: Rulebook) -> object:
        try:
            state = _round_at(moment, set_up(book, {**every_bet(book), **choices}))
        except RiverboatError as problem:
            return refused(problem)
        return [
            _report(state, g.Incident(what=what, seat=seat, place=place, count=count))
            for what in KNOWN
            for place in PLACES
            for seat, count in ((0, 1), (2, 2))
        ]

    return come


def _report(state: Round, asked: g.Incident) -> tuple[object, ...]:
    try:
        after = play(state, asked)
    except RiverboatError as problem:
        return refused(problem)
    return (*after.history[len(state.history) :], *sequels(after))


def _round_at(moment: str, setup: Setup) -> Round:
    """A round of two seats with every bet, played up to a moment."""
    state = open_round(setup)
    for seat in (1, 2):
        for spot, cents in _stakes(setup).items():
            state = play(state, g.Wager(seat=seat, spot=spot, cents=cents))
    steps: list[g.AnyAction] = [g.CloseBets()]
    if setup.progressive is not None:
        steps += [g.LockProgressive(), g.CollectProgressive(chips=2)]
    steps.append(g.Deal(places=deal_out(setup, [1, 2], DECK)))
    for asked in steps[: MOMENTS.index(moment)]:
        state = play(state, asked)
    settled = ("settling", "seat settled")
    while moment in settled and state.phase in ("deciding", "turning"):
        turn = seat_to_act(state)
        bet = state.seats[1].wagers["ante"] * stage_of(state).multiples[0]
        state = play(state, g.Turn() if turn is None else g.Bet(seat=turn, cents=bet))
    for due in remaining(state) if moment == "seat settled" else ():
        if due.seat == 2 and remaining(state)[0].seat == 2:
            paid = g.Settle(seat=2, spot=due.spot, given_cents=due.given_cents)
            state = play(state, paid)
    return state


def _stakes(setup: Setup) -> dict[str, int]:
    least = setup.limits.ante.minimum_cents
    bonuses = {bet: setup.limits.bonuses[bet].minimum_cents for bet in setup.bonuses}
    prog = setup.progressive
    return {"ante": least, **bonuses, **({"progressive": prog.wager_cents} if prog else {})}


# ---------------------------------------------------------------- days


def _days(name: str) -> Iterator[Probe]:
    for text in _files("days", name):
        for called, day in read_days(text):
            if isinstance(day, DayScript) and day.rulebook == name:
                yield Probe(f"day: {called}", _day_of(day))


def _whole_days(book: Rulebook) -> Iterator[Probe]:
    """Every bet and a winner, in each way to deal; from a closed table; and with a fold."""
    for method in book.dealing:
        bets = _bets_for(book, method)
        choices = {**bets, "dealing": method.method}
        for end in ("house until over", "Ann bet\nBen fold\nhouse until over"):
            script = "\n".join((*_wagers(book, bets), end))
            day = DayScript(
                title=f"every bet, dealt by {method.method}: {end.splitlines()[0]}",
                rulebook=book.id,
                table=choices,
                cards="physical",
                script=script,
            )
            yield Probe(f"day: {day.title}", _day_of(day))
        opening = DayScript(
            title=f"from a closed table to two rounds by {method.method}",
            rulebook=book.id,
            table=choices,
            script="play 2 bet",
        )
        yield Probe(f"day: {opening.title}", _day_of(opening))
    plain = DayScript(title="no side bet", rulebook=book.id, script="play 6 bet")
    yield Probe("day: no side bet", _day_of(plain))


def _bets_for(book: Rulebook, method: DealingMethod) -> dict[str, Raw]:
    """Every bet, but the six card bonus only where its box can be dealt to."""
    by_device = "automated_device" in method.needs
    bets = every_bet(book)
    return {bet: table for bet, table in bets.items() if by_device or bet != "six_card_bonus"}


def _wagers(book: Rulebook, bets: dict[str, Raw]) -> Iterator[str]:
    """A round with every bet of two players, dealt a royal flush and a straight flush."""
    setup = set_up(book, bets)
    yield "Dana start"
    for who in ("Ann", "Ben"):
        yield f"{who} wager ante {ANTE}"
        yield from (f"{who} wager {bet} {SIDE_BET}" for bet in setup.bonuses)
        if setup.progressive is not None:
            yield f"{who} wager progressive {show_dollars(setup.progressive.wager_cents)}"
    yield "house until ready"
    if book.cut is not None and book.cut.moment == "before_the_deal":
        yield "Dana cut red 26"
    cards = ISLAND_CARDS if book.comparison is not None else CARDS
    yield f"Dana cards {cards if 'six_card_bonus' in bets else cards.partition(' box')[0]}"


def _day_of(script: DayScript) -> Callable[[Rulebook], object]:
    def come(book: Rulebook) -> object:
        runner = DayRunner(script, {book.id: (book, "")})
        try:
            runner.run()
        except RiverboatError as problem:
            return refused(problem)
        told: list[object] = [runner.failed, [refused(one.refusal) for one in runner.tried]]
        filed = {one.entry.number for one in runner.happened if _is_filing(one.entry)}
        for one in runner.happened:
            now = prompt(one.after)
            told.append([str(event) for event in one.entry.events if not _is_filing(one.entry)])
            told.append((now.state, *map(_task, (*now.at_once, *now.tasks)), *now.notices))
        told += [str(line) for line in pit_log(runner.happened) if line.entry not in filed]
        return _HASH.sub("", str(told))

    return come


def _is_filing(entry: Entry) -> bool:
    """What is filed repeats the rulebook; what the table makes of it comes later."""
    return isinstance(entry.action, a.Propose | a.Approve)


def _task(task: Task) -> tuple[object, ...]:
    return (task.who, task.seat, task.words, task.say, task.how, task.cites, task.optional)


# ---------------------------------------------------------------- configurations


def _configurations(name: str) -> Iterator[Probe]:
    for text in _files("configurations", name):
        for called, case in read_cases(text):
            if isinstance(case, ConfigurationCase) and case.rulebook == name:
                yield Probe(f"configuration: {called}", _verdict_on(submission_of(case)))


def _submissions(book: Rulebook) -> Iterator[Probe]:
    """The standard table, and tables that differ from it in one thing."""
    bets = every_bet(book)
    standard = Submission(rulebook=book.id, name="walk", table=bets)
    two = (DeckKind(design="house", back="red"), DeckKind(design="house", back="blue"))
    shuffled = Device(shuffler=True)
    varied: dict[str, dict[str, object]] = {
        "standard": {},
        **{f"without {one}": {"without": (one,)} for one in _things(book)},
        **{f"{how} shuffle": {"shuffle": how} for how in ("manual", "automated", "continuous")},
        "a device that feeds a shoe": {"device": Device(shuffler=True, feeds_shoe=True)},
        "a device that counts": {"device": Device(shuffler=True, counts=True)},
        "a device that reshuffles": {"device": Device(shuffler=True, reshuffles=True)},
        "one that is approved": {
            "device": Device(shuffler=True, reshuffles=True, approved=True, counts=True)
        },
        "packets": {"device": Device(shuffler=True, packets=2)},
        "a mode": {"device": Device(shuffler=True, mode="fast")},
        "two decks": {"decks": Decks(count=2, each=two), "device": shuffled},
        "two decks of one back": {"decks": Decks(count=2, each=two[:1] * 2), "device": shuffled},
        "two designs": {
            "decks": Decks(count=2, each=(two[0], DeckKind(design="other", back="blue"))),
            "device": shuffled,
        },
        **{f"{n} cover cards": {"decks": Decks(cover_cards=n)} for n in (0, 1, 2)},
        "decks of 53": {"decks": Decks(cards=53)},
        "a small meter": {"table": {**bets, "meter": "9999"}},
        **{f"only {bet}": {"table": {bet: table}} for bet, table in bets.items()},
    }
    whole = standard_submission(book, bets, name="walk")
    for place in POSITIONS:
        drawn = tuple(replace(one, place=place) for one in whole.layout or ())
        items = tuple(replace(one, place=place) for one in whole.equipment or ())
        varied[f"everything at {place}"] = {"layout": drawn, "equipment": items}
    loose = tuple(replace(one, attached=False) for one in whole.equipment or ())
    varied["nothing attached"] = {"equipment": loose}
    barred = tuple(replace(one, approved=False) for one in whole.equipment or ())
    varied["nothing approved"] = {"equipment": barred}
    for called, changes in varied.items():
        filed = replace(standard, **changes)
        yield Probe(f"configuration: {called}", _verdict_on(filed))
        if changes and set(changes) == {"device"}:
            by_hand = replace(filed, table={**bets, "dealing": "manual_shoe"})
            yield Probe(f"configuration: {called}, and a shoe", _verdict_on(by_hand))


def _things(book: Rulebook) -> tuple[str, ...]:
    spots = (*book.base_spots, *(offer.bet for offer in book.side_bets))
    return (*FEATURES, *(f"{spot}_area" for spot in spots), *get_args(Item), *get_args(Shows))


def _verdict_on(filed: Submission) -> Callable[[Rulebook], object]:
    def come(book: Rulebook) -> object:
        try:
            made = configure(book, filed, rulebook_sha256="")
        except ConfigurationRefused as refusal:
            return [refused(one) for one in refusal.problems]
        except RiverboatError as problem:
            return refused(problem)
        return (made.notices, made.fallbacks, made.shuffle, made.setup.dealing.method)

    return come


# ---------------------------------------------------------------- keys and meters


def _keys(name: str) -> Iterator[Probe]:
    for text in _files("progressive", name):
        for script in read_scripts(text):
            if {script.rulebook, *(t.rulebook for t in script.tables.values())} == {name}:
                yield Probe(f"keys: {script.title}", _keys_of(script))


def _keys_of(script: ControllerScript) -> Callable[[Rulebook], object]:
    def come(book: Rulebook) -> object:
        try:
            player = Player(script, {book.id: book})
        except RiverboatError as problem:
            return refused(problem)
        try:
            player.run()
            said = ""
        except AssertionError as problem:
            said = str(problem)
        tables = [str(table.events) for table in player.hall.tables.values()]
        return (said, *tables, str(player.hall.meter_events))

    return come


def _meters(book: Rulebook) -> Iterator[Probe]:
    """A table joins a meter that holds more or less, alone or beside another game."""
    if book.progressive is not None:
        for initial in (9_999_00, 10_000_00, 100_000_00):
            for alone in (True, False):
                beside = "alone" if alone else "beside another game"
                called = f"meter: joined at {show_dollars(initial)}, {beside}"
                yield Probe(called, _joining(initial, alone=alone))


def _joining(initial: int, *, alone: bool) -> Callable[[Rulebook], object]:
    def come(book: Rulebook) -> object:
        try:
            setup = set_up(book, every_bet(book))
            terms = setup.progressive
            assert terms is not None
            opening = la.OpenMeter(
                link=terms.link,
                seed_cents=terms.seed_cents,
                wager_cents=terms.wager_cents,
                rate_bp=terms.rate_bp,
                reserve_bp=terms.reserve_bp,
                initial_cents=initial,
                second=FLO,
            )
            link = keep(Link(), SUE, opening).link
            if not alone:
                other = replace(setup, book=replace(book, id="another"))
                link = keep(link, FLO, la.JoinMeter(table="T1"), setup=other).link
            return str(keep(link, FLO, la.JoinMeter(table="T2"), setup=setup).events)
        except RiverboatError as problem:
            return refused(problem)

    return come
