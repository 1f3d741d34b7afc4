"""Scenario files: rule tests that a regulator can read and write. Reading and playing one.

A scenario is one round, or one refused request. The house does its own part by itself: lock, count,
deal, turn, settle, close. The format is the contract's; the log's words are those of `notation`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from riverboat.cards import DECK, parse_cards
from riverboat.errors import NotationError, Refused
from riverboat.games import Round, open_round, play, set_up
from riverboat.games import actions as a
from riverboat.games.dealing import card_counts
from riverboat.games.deciding import seat_to_act, stage_of
from riverboat.games.meter import meter_of
from riverboat.games.paying import remaining
from riverboat.games.setup import Setup
from riverboat.money import METER_UNITS_PER_CENT, Cents, divide_down, parse_dollars, show_dollars
from riverboat.notation import log_lines
from riverboat.rulebook import Rulebook
from riverboat.scenario_file import (
    Expect,
    IncidentLine,
    RequestLine,
    Scenario,
    read_scenarios,
)

SPOT_ORDER = (
    "ante",
    "three_card_bonus",
    "six_card_bonus",
    "bonus",
    "progressive",
    "tip_ante",
    "tip_three_card_bonus",
)
STREET_TIPS = ("tip_third", "tip_fourth", "tip_fifth", "tip_bet")
WHENS = ("betting", "deal", "third", "fourth", "fifth", "settlement")
_MULTIPLE = re.compile(r"(\d+)(?:\.(\d+))?x", re.ASCII)


class Difference(NamedTuple):
    """One expectation that does not hold."""

    what: str
    expected: str
    got: str
    cites: tuple[str, ...]


class Played(NamedTuple):
    """How a scenario went: the round as far as it got, and the request that was refused."""

    state: Round | None
    refusal: Refused | None


class _Runner:
    """Plays one scenario; what the house does by itself is done here, in order."""

    def __init__(self, scenario: Scenario, setup: Setup) -> None:
        self.scenario = scenario
        self.setup = setup
        table = scenario.table
        seed = setup.progressive.seed_cents if setup.progressive else 0
        meter = parse_dollars(str(table["meter"])) if "meter" in table else seed
        self.state = open_round(
            setup, meter_of(meter, parse_dollars(str(table.get("reserve", "0"))))
        )
        self.decisions = {int(seat): list(made) for seat, made in scenario.decisions.items()}
        self.pending = list(scenario.incidents)
        self.requests = list(scenario.requests)

    def do(self, action: a.AnyAction) -> None:
        self.state = play(self.state, action)

    def happens(self, when: str, *, before_deal: bool = False) -> None:
        """The incidents of this moment."""
        chips = ("late_progressive_chip", "progressive_chip_mismatch")
        now = [
            line
            for line in self.pending
            if line.when == when and (not before_deal or line.what in chips)
        ]
        for line in now:
            self.pending.remove(line)
            if not self.is_void:
                self.do(_incident(line))
        if not before_deal:
            self.ask(when)

    def ask(self, when: str) -> None:
        """The requests of this moment."""
        for line in [line for line in self.requests if line.when == when]:
            self.requests.remove(line)
            self.do(_request(line))

    @property
    def is_void(self) -> bool:
        return self.state.phase == "void"

    def run(self) -> None:
        self.bet()
        self.happens("betting")
        if self.is_void:
            return
        self.do(a.CloseBets())
        self.ask("deal")
        if self.setup.progressive is not None:
            self.do(a.LockProgressive())
            self.happens("deal", before_deal=True)
            if self.state.blocked:
                return
            chips = sum("progressive" in seat.wagers for seat in self.state.seats.values())
            self.do(a.CollectProgressive(chips=chips))
        self.do(a.Deal(places=places(self.scenario, self.setup, sorted(self.state.seats))))
        self.happens("deal")
        self.decide()
        if not self.is_void:
            self.settle()
        self.do(a.Close())

    def bet(self) -> None:
        for seat, bets in sorted(self.scenario.bets.items(), key=lambda item: int(item[0])):
            player = bets.get("player", "")
            made_with = bets.get("instrument", "chip")
            for spot in SPOT_ORDER:
                if spot in bets:
                    cents = parse_dollars(bets[spot])
                    self.do(
                        a.Wager(
                            seat=int(seat),
                            spot=spot,
                            cents=cents,
                            player=player,
                            instrument=made_with,
                        )
                    )

    def decide(self) -> None:
        announced = -1
        while self.state.phase in ("deciding", "turning"):
            if self.state.phase == "deciding" and self.state.stage > announced:
                announced = self.state.stage
                self.happens(("third", "fourth", "fifth")[announced])
                continue
            number = seat_to_act(self.state)
            self.do(a.Turn() if number is None else self.decision(number))

    def decision(self, number: int) -> a.AnyAction:
        stage, seat = stage_of(self.state), self.state.seats[number]
        made = self.decisions.get(number)
        if not made:
            raise NotationError(
                "scenario.no_decision", f"decisions.{number}: nothing for {stage.label}"
            )
        word = made.pop(0)
        if word == "fold":
            return a.Fold(seat=number)
        cents = bet_cents(word, seat.wagers["ante"], stage.multiples)
        tip = self.scenario.bets[str(number)].get(f"tip_{stage.spot}")
        return a.Bet(seat=number, cents=cents, tip_cents=parse_dollars(tip) if tip else 0)

    def settle(self) -> None:
        """All at once, or seat by seat as far as an incident lets it come."""
        stops = [line for line in self.pending if line.when == "settlement" and line.after]
        for line in stops:
            while (left := remaining(self.state)) and max(d.seat for d in left) >= line.after:
                due = left[0]
                self.do(a.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents))
        self.happens("settlement")
        if self.state.phase == "settling":
            self.do(a.SettleAll())


def _incident(line: IncidentLine) -> a.Incident:
    return a.Incident(
        what=line.what,
        seat=line.seat,
        place=line.place,
        count=line.count,
        decision=line.decision,
    )


def _request(line: RequestLine) -> a.AnyAction:
    cents = parse_dollars(line.amount)
    match line.do:
        case "wager":
            return a.Wager(seat=line.seat, spot=line.spot, cents=cents, player=line.player)
        case "take_back":
            return a.TakeBack(seat=line.seat, spot=line.spot)
        case "bet":
            return a.Bet(seat=line.seat, cents=cents)
        case "fold":
            return a.Fold(seat=line.seat)
        case "turn":
            return a.Turn()
        case "deal":
            return a.Deal(places={})
        case "lock":
            return a.LockProgressive()
    return a.Close()


def bet_cents(word: str, ante_cents: Cents, multiples: tuple[int, ...]) -> Cents:
    """The amount that a decision means; what no clause allows is readable all the same."""
    if word == "bet":
        return ante_cents * multiples[0]
    found = _MULTIPLE.fullmatch(word)
    if found is None:
        raise NotationError(
            "scenario.bad_decision", f"{word!r} is no decision; write fold, bet or a number with x"
        )
    decimals = found[2] or ""
    return divide_down(ante_cents * int(found[1] + decimals), 10 ** len(decimals))


def places(scenario: Scenario, setup: Setup, seats: list[int]) -> dict[str, tuple[int, ...]]:
    """The cards of every place; those that the scenario does not name come from the rest."""
    named = {
        "box" if place == "six_card_box" else place: text for place, text in scenario.cards.items()
    }
    dealt = {place: parse_cards(text) for place, text in named.items()}
    given = [card for cards in dealt.values() for card in cards]
    parse_cards(" ".join(named.values()))
    rest = [card for card in DECK if card not in given]
    counts = card_counts(setup, seats)
    unknown = sorted(set(dealt) - set(counts))
    if unknown:
        raise NotationError("scenario.bad_cards", f"cards.{unknown[0]}: nobody is dealt to there")
    for place, count in counts.items():
        if place not in dealt:
            dealt[place] = tuple(rest[:count])
            del rest[:count]
        elif len(dealt[place]) != count:
            raise NotationError(
                "scenario.bad_cards", f"cards.{place}: {count} cards are dealt there"
            )
    return dealt


def play_scenario(scenario: Scenario, book: Rulebook) -> Played:
    """The round, or the refusal that ended it."""
    _check_keys(scenario)
    choices = {k: v for k, v in scenario.table.items() if k not in ("meter", "reserve")}
    runner = None
    try:
        runner = _Runner(scenario, set_up(book, choices))
        runner.run()
    except Refused as refusal:
        return Played(runner.state if runner else None, refusal)
    return Played(runner.state, None)


def _check_keys(scenario: Scenario) -> None:
    for part in ("bets", "decisions"):
        for seat in getattr(scenario, part):
            if not re.fullmatch("[1-9]", seat, re.ASCII):
                raise NotationError("scenario.bad_seat", f"{part}.{seat}: a seat is 1 to 9")
    for seat, bets in scenario.bets.items():
        for spot in bets:
            if spot not in (*SPOT_ORDER, *STREET_TIPS, "player", "instrument"):
                raise NotationError("scenario.bad_spot", f"bets.{seat}.{spot}: no such spot")
    for place in scenario.cards:
        if not re.fullmatch("[1-9]|community|six_card_box|dealer", place, re.ASCII):
            raise NotationError("scenario.bad_cards", f"cards.{place}: no such place")


def differences(scenario: Scenario, played: Played) -> Iterator[Difference]:
    """Every expectation that does not hold."""
    yield from _refusal(scenario, played.refusal)
    state = played.state
    if state is None:
        return
    expect = scenario.expect
    for seat, net in expect.net.items():
        yield from _money(scenario, f"net.{seat}", net, _seat_cents(state, seat, None))
    for seat, results in expect.results.items():
        for spot, result in results.items():
            got = _seat_cents(state, seat, spot)
            yield from _money(scenario, f"results.{seat}.{spot}", result, got)
    reserve = divide_down(state.meter.reserve_units, METER_UNITS_PER_CENT)
    for what, amount, cents in (
        ("tip_box", expect.tip_box, state.tip_box_cents),
        ("meter", expect.meter, state.meter.cents),
        ("reserve", expect.reserve, reserve),
    ):
        if amount:
            yield from _money(scenario, what, amount, cents)
    yield from _states(scenario, state)
    yield from _log(scenario, state)


def _seat_cents(state: Round, seat: str, spot: str | None) -> Cents:
    found = state.seats.get(int(seat)) if seat.isdecimal() else None
    if found is None:
        return 0
    return found.net_cents if spot is None else found.results.get(spot, 0)


def _money(scenario: Scenario, what: str, expected: str, got: Cents) -> Iterator[Difference]:
    sign = -1 if expected.startswith("-") else 1
    wanted = sign * parse_dollars(expected.lstrip("+-"))
    if wanted != got:
        yield Difference(what, show_dollars(wanted), show_dollars(got), scenario.clauses)


def _refusal(scenario: Scenario, refusal: Refused | None) -> Iterator[Difference]:
    wanted = scenario.expect.refused
    if refusal is None:
        if wanted is not False:
            yield Difference("refused", str(wanted).lower(), "nothing was", scenario.clauses)
    elif wanted is False:
        yield Difference("refused", "nothing", f"{refusal.code}: {refusal}", refusal.cites)
    elif isinstance(wanted, str) and wanted not in refusal.cites:
        yield Difference("refused", wanted, f"{refusal.code}: {refusal}", refusal.cites)


def _states(scenario: Scenario, state: Round) -> Iterator[Difference]:
    expect = scenario.expect
    for what, wanted, got in (
        ("void", expect.void, state.phase == "void"),
        ("deck_removed", expect.deck_removed, state.deck_removed),
        ("deal_blocked", expect.deal_blocked, state.blocked),
        ("suspended", expect.suspended, state.suspended),
    ):
        if wanted != got:
            yield Difference(what, str(wanted).lower(), str(got).lower(), scenario.clauses)


def _log(scenario: Scenario, state: Round) -> Iterator[Difference]:
    entries = [line for event in state.history for line in log_lines(event)]
    for unwanted in scenario.expect.never:
        if unwanted in entries:
            yield Difference("never", f"no {unwanted}", unwanted, scenario.clauses)
    watched = [entry for entry in entries if entry.split()[0] in scenario.expect.only]
    if scenario.expect.only and watched != list(scenario.expect.log):
        yield Difference(
            "log", ", ".join(scenario.expect.log), ", ".join(watched), scenario.clauses
        )
    lines = iter(entries)
    for number, wanted in enumerate(scenario.expect.log, start=1):
        if wanted not in lines:
            yield Difference(f"log.{number}", wanted, "not there, or not in this order", ())
            return


def require_known(clauses: Iterable[str], books: Mapping[str, Rulebook]) -> None:
    """Clauses and ambiguities that some rulebook has."""
    known = {clause for one in books.values() for clause in (*one.clauses, *one.ambiguities)}
    for clause in clauses:
        if clause not in known:
            raise NotationError("scenario.no_clause", f"clause {clause!r} is in no rulebook")


def check_scenario(scenario: Scenario, books: Mapping[str, Rulebook]) -> list[Difference]:
    """Play a scenario and compare; what cannot be read is an error, not a difference."""
    book = books.get(scenario.rulebook)
    if book is None:
        raise NotationError("scenario.no_rulebook", f"there is no rulebook {scenario.rulebook!r}")
    require_known(scenario.clauses, books)
    return list(differences(scenario, play_scenario(scenario, book)))


__all__ = [
    "Difference",
    "Expect",
    "Scenario",
    "check_scenario",
    "read_scenarios",
    "require_known",
]
