"""Playing a scenario, and what it expects held against what its round did."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from riverboat.core import money
from riverboat.core.cards import parse_cards, with_the_rest
from riverboat.core.errors import NotationError, Refused
from riverboat.meter.amounts import meter_of
from riverboat.round import Round, open_round, play, set_up
from riverboat.round import actions as a
from riverboat.round.incidents import OF_CHIPS, rule_for
from riverboat.round.settlement.payment import remaining
from riverboat.round.setup.setup import Setup
from riverboat.round.streets import bet_cents, card_counts, parse_multiple, seat_to_act, stage_of
from riverboat.rulebook import Rulebook
from riverboat.scripts import scenario_file as f
from riverboat.scripts.scenario_words import STREETS, first_spots, unasked_decision, unreadable


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


def differences(scenario: f.Scenario, played: Played) -> Iterator[Difference]:
    """Every expectation that does not hold."""
    yield from _refusal(scenario, played.refusal)
    state, expect = played.state, scenario.expect
    for seat, net in expect.net.items():
        yield from _money(scenario, f"net.{seat}", net, _seat_cents(state, seat, None))
    for seat, results in expect.results.items():
        for spot, result in results.items():
            got = _seat_cents(state, seat, spot)
            yield from _money(scenario, f"results.{seat}.{spot}", result, got)
    if state is not None:
        reserve = money.divide_down(state.meter.reserve_units, money.METER_UNITS_PER_CENT)
        for what, amount, cents in (
            ("tip_box", expect.tip_box, state.tip_box_cents),
            ("meter", expect.meter, state.meter.cents),
            ("reserve", expect.reserve, reserve),
        ):
            if amount is not None:
                yield from _money(scenario, what, amount, cents)
    yield from _states(scenario, state)
    yield from _log(scenario, state)


def _seat_cents(state: Round | None, seat: str, spot: str | None) -> money.Cents:
    """What a seat has won or lost; nothing where no wager of its was taken."""
    found = state.seats.get(int(seat)) if state is not None else None
    if found is None:
        return 0
    return found.net_cents if spot is None else found.results.get(spot, 0)


def _money(
    scenario: f.Scenario, what: str, expected: str, got: money.Cents
) -> Iterator[Difference]:
    wanted = f.signed_cents(expected)
    if wanted != got:
        yield Difference(
            what, money.show_dollars(wanted), money.show_dollars(got), scenario.clauses
        )


def _refusal(scenario: f.Scenario, refusal: Refused | None) -> Iterator[Difference]:
    wanted = scenario.expect.refused
    if refusal is None:
        if wanted not in (None, False):
            expected = "true" if wanted is True else str(wanted)
            yield Difference("refused", expected, "nothing was", scenario.clauses)
    elif wanted in (None, False):
        yield Difference("refused", "nothing", f"{refusal.code}: {refusal}", refusal.cites)
    elif isinstance(wanted, str) and wanted not in refusal.cites:
        yield Difference("refused", wanted, f"{refusal.code}: {refusal}", refusal.cites)


def _states(scenario: f.Scenario, state: Round | None) -> Iterator[Difference]:
    """What stops a round or takes its deck away must be expected; silence means that it did not."""
    expect = scenario.expect
    for what, expected, got in (
        ("void", expect.void, state is not None and state.phase == "void"),
        ("deck_removed", expect.deck_removed, state is not None and state.deck_removed),
        ("deal_blocked", expect.deal_blocked, state is not None and state.blocked),
        ("suspended", expect.suspended, state is not None and state.suspended),
    ):
        wanted = expected is True
        if wanted != got:
            yield Difference(what, str(wanted).lower(), str(got).lower(), scenario.clauses)


def _log(scenario: f.Scenario, state: Round | None) -> Iterator[Difference]:
    history = state.history if state is not None else ()
    entries = [line for event in history for line in f.log_lines(event)]
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


class _RanOut(Exception):
    """Nothing is left to play, and what must end the round early has not come."""


class _Runner:
    """Plays one scenario; what the house does by itself is done here, in order."""

    def __init__(self, scenario: f.Scenario, setup: Setup) -> None:
        self.scenario = scenario
        self.setup = setup
        table = scenario.table
        seed = setup.progressive.seed_cents if setup.progressive else 0
        meter = money.parse_dollars(str(table["meter"])) if "meter" in table else seed
        self.state = open_round(
            setup, meter_of(meter, money.parse_dollars(str(table.get("reserve", "0"))))
        )
        self.decisions = {int(seat): list(made) for seat, made in scenario.decisions.items()}
        self.pending = list(scenario.incidents)
        self.requests = list(scenario.requests)
        self.tips_read: set[tuple[int, str]] = set()

    def do(self, action: a.AnyAction) -> None:
        self.state = play(self.state, action)

    def happens(self, when: str) -> None:
        """Everything of this moment."""
        self.report(self.of(when))
        self.ask(when)

    def of(self, when: str) -> list[f.IncidentLine]:
        """The incidents of a moment that were not reported yet."""
        return [line for line in self.pending if line.when == when]

    def report(self, lines: list[f.IncidentLine]) -> None:
        """Incidents, as long as there is a round."""
        for line in lines:
            if not self.is_void:
                self.pending.remove(line)
                self.do(self.readable(line))

    def readable(self, line: f.IncidentLine) -> a.Incident:
        """An incident as the round stands now, where every word of it is read."""
        action = f.incident_of(line)
        if problem := unasked_decision(self.state, action):
            number = self.scenario.incidents.index(line) + 1
            _require_read([f"incidents[{number}].decision: {problem}"])
        return action

    def comes_with_the_cards(self, line: f.IncidentLine) -> bool:
        """Whether an incident of the deal is one while the cards come out, not of dealt cards."""
        rule = rule_for(self.state, f.incident_of(line))
        return bool(rule and rule.counts and rule.counts.ends == "last_card_dealt")

    def ask(self, when: str) -> None:
        """The requests of this moment."""
        for line in [line for line in self.requests if line.when == when]:
            self.requests.remove(line)
            self.do(_ASKED[line.do](money.parse_dollars(line.amount or "0"), line))

    @property
    def is_void(self) -> bool:
        return self.state.phase == "void"

    def run(self) -> None:
        self.bet()
        self.happens("betting")
        if self.is_void or (self.scenario.bets and not self.state.seats):
            return
        self.do(a.CloseBets())
        self.ask("deal")
        if self.setup.progressive is not None:
            self.do(a.LockProgressive())
            self.report([one for one in self.of("deal") if one.what in OF_CHIPS])
            if self.state.blocked:
                return
            chips = sum("progressive" in seat.wagers for seat in self.state.seats.values())
            self.do(a.CollectProgressive(chips=chips))
        dealt = places(self.scenario, self.setup, sorted(self.state.seats))
        self.report([one for one in self.of("deal") if self.comes_with_the_cards(one)])
        if not self.is_void:
            self.do(a.Deal(places=dealt))
            self.happens("deal")
        self.decide()
        if not self.is_void:
            self.settle()
        self.do(a.Close())

    def bet(self) -> None:
        spots = first_spots(self.setup.book)
        for seat, bets in sorted(self.scenario.bets.items(), key=lambda item: int(item[0])):
            player, chip = bets.get("player", ""), bets.get("instrument", "chip")
            for spot in (spot for spot in spots if spot in bets):
                cents = money.parse_dollars(bets[spot])
                self.do(
                    a.Wager(seat=int(seat), spot=spot, cents=cents, player=player, instrument=chip)
                )

    def decide(self) -> None:
        announced = -1
        while self.state.phase in ("deciding", "turning"):
            if self.state.phase == "deciding" and self.state.stage > announced:
                announced = self.state.stage
                self.happens(STREETS[announced])
                continue
            number = seat_to_act(self.state)
            self.do(a.Turn() if number is None else self.decision(number))

    def decision(self, number: int) -> a.AnyAction:
        stage, seat = stage_of(self.state), self.state.seats[number]
        made = self.decisions.get(number)
        if not made:
            if self.scenario.expect.ends_early and not (self.pending or self.requests):
                raise _RanOut
            text = (
                f"decisions.{number}: nothing for {stage.label}; write fold, bet or a number with x"
            )
            raise NotationError("scenario.no_decision", text)
        word = made.pop(0)
        if word == "fold":
            return a.Fold(seat=number)
        times = _multiple(word, stage.multiples)
        cents = bet_cents(self.setup, stage, seat.wagers["ante"], times)
        tip = self.scenario.bets.get(str(number), {}).get(f"tip_{stage.spot}")
        self.tips_read.add((number, stage.spot))
        return a.Bet(seat=number, cents=cents, tip_cents=money.parse_dollars(tip) if tip else 0)

    def settle(self) -> None:
        """All at once, or seat by seat as far as an incident lets it come."""
        stops = [line.after for line in self.pending if line.when == "settlement" and line.after]
        for stop in stops:
            while (left := remaining(self.state)) and max(d.seat for d in left) >= stop:
                due = left[0]
                self.do(a.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents))
        self.happens("settlement")
        if self.state.phase == "settling":
            self.do(a.SettleAll())

    def unread(self, *, decisions_too: bool) -> Iterator[str]:
        """What the round never came to."""
        yield from never_reached(self.pending, self.requests)
        if not decisions_too:
            return
        for seat, left in self.decisions.items():
            leaves = left == ["fold"] and seat in self.state.leaving  # which is that fold
            if left and not leaves:
                times = len(self.scenario.decisions[str(seat)]) - len(left)
                said = f"seat {seat} decides {times} time{'s' * (times != 1)}"
                yield f"decisions.{seat}: {left[0]!r} is never read; {said}"
        for seat_key, bets in self.scenario.bets.items():
            for stage in self.setup.stages:
                read = (int(seat_key), stage.spot) in self.tips_read
                if f"tip_{stage.spot}" in bets and not read:
                    where = f"bets.{seat_key}.tip_{stage.spot}"
                    yield f"{where}: is never read; seat {seat_key} makes no bet there"


def never_reached(
    incidents: Iterable[f.IncidentLine], requests: Iterable[f.RequestLine]
) -> Iterator[str]:
    """Incidents and requests of a moment that does not come."""
    why = "is never reached; the round ends before it"
    for incident in incidents:
        yield f"incidents: {incident.what} at {incident.when} {why}"
    for request in requests:
        yield f"requests: {request.do} at {request.when} {why}"


_ASKED: Final[Mapping[str, Callable[[money.Cents, f.RequestLine], a.AnyAction]]] = {
    "wager": lambda cents, asked: a.Wager(
        seat=asked.seat or 0, spot=asked.spot or "", cents=cents, player=asked.player or ""
    ),
    "take_back": lambda cents, asked: a.TakeBack(seat=asked.seat or 0, spot=asked.spot or ""),
    "bet": lambda cents, asked: a.Bet(seat=asked.seat or 0, cents=cents),
    "fold": lambda cents, asked: a.Fold(seat=asked.seat or 0),
    "turn": lambda cents, asked: a.Turn(),
    "deal": lambda cents, asked: a.Deal(places={}),
    "lock": lambda cents, asked: a.LockProgressive(),
    "close": lambda cents, asked: a.Close(),
}


def _multiple(word: str, multiples: tuple[int, ...]) -> Fraction | int:
    """How many times the ante a decision means; what no clause allows is readable all the same."""
    if word == "bet":
        return multiples[0]
    found = parse_multiple(word[:-1]) if word.endswith("x") else None
    if found is None:
        raise NotationError(
            "scenario.bad_decision", f"{word!r} is no decision; write fold, bet or a number with x"
        )
    return found


def places(scenario: f.Scenario, setup: Setup, seats: list[int]) -> dict[str, tuple[int, ...]]:
    """The cards of every place; those that the scenario does not name come from the rest."""
    named = {
        "box" if place == "six_card_box" else place: text for place, text in scenario.cards.items()
    }
    dealt = {place: parse_cards(text) for place, text in named.items()}
    counts = card_counts(setup, seats)
    unknown = sorted(set(dealt) - set(counts) - set(scenario.bets))  # A player may have left.
    if unknown:
        raise NotationError("scenario.bad_cards", f"cards.{unknown[0]}: nobody is dealt to there")
    return with_the_rest(counts, dealt)


def play_scenario(scenario: f.Scenario, book: Rulebook) -> Played:
    """The round, or the refusal that ended it; a word that nothing reads is an error."""
    choices = {k: v for k, v in scenario.table.items() if k not in ("meter", "reserve")}
    try:
        setup = set_up(book, choices)
    except Refused as refusal:
        _require_read(unreadable(scenario, book, None))
        if scenario.expect.refused:
            _require_read(_without_a_round(scenario))
        return Played(None, refusal)
    _require_read(unreadable(scenario, book, setup))
    runner, refused = _Runner(scenario, setup), None
    try:
        runner.run()
    except _RanOut:
        return Played(runner.state, None)
    except Refused as refusal:
        refused = refusal
    played = Played(runner.state, refused)
    ended_early = refused is not None or runner.is_void or runner.state.blocked
    unexpected = (*_refusal(scenario, refused), *_states(scenario, runner.state))
    if not (ended_early and any(unexpected)):
        _require_read(runner.unread(decisions_too=not ended_early))
    return played


def _require_read(problems: Iterable[str]) -> None:
    found = list(problems)
    if found:
        raise NotationError("scenario.unread", "\n".join(found))


def _without_a_round(scenario: f.Scenario) -> Iterator[str]:
    """What nothing can be said about where the table itself is refused."""
    yield from never_reached(scenario.incidents, scenario.requests)
    for key in ("tip_box", "meter", "reserve"):
        if getattr(scenario.expect, key) is not None:
            yield f"{key}: there is no round; the table is refused"


def require_known(
    clauses: Iterable[str], books: Mapping[str, Rulebook], code: str = "scenario.no_clause"
) -> None:
    """Clauses and ambiguities that some rulebook has."""
    known = {clause for one in books.values() for clause in (*one.clauses, *one.ambiguities)}
    for clause in clauses:
        if clause not in known:
            raise NotationError(code, f"clause {clause!r} is in no rulebook")


def check_scenario(scenario: f.Scenario, books: Mapping[str, Rulebook]) -> list[Difference]:
    """Play a scenario and compare; what cannot be read is an error, not a difference."""
    book = books.get(scenario.rulebook)
    if book is None:
        raise NotationError("scenario.no_rulebook", f"there is no rulebook {scenario.rulebook!r}")
    if scenario.expect.says_nothing:
        text = "expect: expects nothing; write net, results, meter, refused or another expectation"
        raise NotationError("scenario.expects_nothing", text)
    refused = scenario.expect.refused
    require_known((*scenario.clauses, *([refused] if isinstance(refused, str) else ())), books)
    return list(differences(scenario, play_scenario(scenario, book)))
