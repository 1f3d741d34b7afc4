"""Scripts for a table's controller: a readable line for every press, and what must come of it.

A file holds `[[controller]]` entries: a table with its bets and cards, and a script. The tables are
T1 and, where an entry names more, those; a line begins with another table's name and a colon.

    Dana coin-in                       somebody presses something
    refused IS.14.f-2: Dana j-pot      the press is refused, cites this clause (or has this code),
                                       and has changed nothing
    expect meter 45000.38              what must be true now

The rest of the house goes by single words: close, play, deal, settle, envies, keys, finish, again.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, get_args

from msgspec import Struct, convert, to_builtins

from riverboat.controller import actions as a
from riverboat.controller import events as te
from riverboat.controller.legal import coming
from riverboat.controller.state import light_of
from riverboat.controller.winners import Desk, rule_of
from riverboat.core.cards import parse_cards
from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import METER_UNITS_PER_CENT, divide_exact, parse_dollars, show_dollars
from riverboat.keeping import actions as la
from riverboat.meter import events as le
from riverboat.meter.books import sign
from riverboat.round import actions as g
from riverboat.round.events import AnyEvent
from riverboat.round.incidents import KNOWN
from riverboat.round.settlement.payment import remaining
from riverboat.round.settlement.voids import cards_seen
from riverboat.round.setup.choices import Raw
from riverboat.round.setup.setup import Setup, set_up
from riverboat.round.streets import seat_to_act
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load
from riverboat.scripts.day_file import require_usage
from riverboat.scripts.scenario_file import signed_cents
from riverboat.scripts.scenario_words import is_seat
from riverboat.table.people import Actor
from tests.support.hall import DANA, PEOPLE, SUE, Hall, Table, refusal_of, settle_others
from tests.support.keyed_player import finish_keyed, key_winners

_BETS = ("ante", "three_card_bonus", "bonus")


class TableEntry(Struct, kw_only=True, forbid_unknown_fields=True):
    """A table of a script: rulebook, choices, bets and cards."""

    rulebook: str
    table: dict[str, Raw] = {}
    bets: dict[str, dict[str, str]] = {}
    cards: dict[str, str] = {}
    folds: tuple[int, ...] = ()


class ControllerScript(TableEntry, kw_only=True, forbid_unknown_fields=True):
    """One script: table T1, perhaps others, the meter, and what is pressed."""

    title: str
    clauses: tuple[str, ...]
    rows: tuple[str, ...] = ()
    illegal: tuple[str, ...] = ()
    meter: str = ""
    tables: dict[str, TableEntry] = {}
    script: str


def read_scripts(text: str) -> list[ControllerScript]:
    """The scripts of a file."""
    data = tomllib.loads(text)
    assert set(data) == {"controller"}, "a file holds [[controller]] entries"
    scripts = convert(data["controller"], list[ControllerScript])
    for script in scripts:
        for problem in _unread(script):
            raise NotationError("controller.unread", f"{script.title}: {problem}")
    return scripts


def _unread(script: ControllerScript) -> Iterator[str]:
    """What a script says and nobody would read."""
    lines = [line.split("#")[0] for line in script.script.splitlines()]
    if not any("expect " in line or "refused " in line for line in lines):
        yield "script: expects nothing; write expect or refused"
    for name, entry in {"T1": script, **script.tables}.items():
        for seat, bets in entry.bets.items():
            if not is_seat(seat):
                yield f"{name}: bets.{seat}: is no seat; a seat is a number from 1 to 9"
            for spot in bets:
                if spot not in (*_BETS, "progressive"):
                    known = ", ".join((*_BETS, "progressive"))
                    yield f"{name}: bets.{seat}.{spot}: there is no such spot; there are {known}"
        for seat_number in entry.folds:
            if str(seat_number) not in entry.bets:
                yield f"{name}: folds: nobody plays at seat {seat_number}"


def _setup(entry: TableEntry, books: Mapping[str, Rulebook]) -> Setup:
    book = books.get(entry.rulebook) or load(entry.rulebook).book
    offer = next(offer for offer in book.side_bets if offer.bet == "progressive")
    return set_up(book, {"progressive": offer.paytables[0], **entry.table})


class Player:
    """Plays one script and stops at the first line that does not hold.

    Its rulebooks are those of the house, or the ones that are given instead.
    """

    def __init__(
        self, script: ControllerScript, books: Mapping[str, Rulebook] = MappingProxyType({})
    ) -> None:
        self.script = script
        self.dealt: set[str] = set()
        self.entries: dict[str, TableEntry] = {"T1": script, **script.tables}
        setups = {name: _setup(entry, books) for name, entry in self.entries.items()}
        first = setups["T1"].progressive
        assert first is not None
        seed = first.seed_cents
        at = parse_dollars(script.meter) if script.meter else seed
        self.hall = Hall(first.link, seed, max(seed, at), first.wager_cents)
        if at < seed:
            units = (at - seed) * METER_UNITS_PER_CENT
            lower = la.Adjust(units=units, code="correction", reason="as set", second=DANA)
            self.hall.keep(SUE, lower)
        for name, setup in setups.items():
            self.hall.add(name, setup)
            self.bet(self.hall.tables[name])
        self.table = self.hall.tables["T1"]

    @property
    def entry(self) -> TableEntry:
        return self.entries[self.table.name]

    def run(self) -> None:
        """Every line, with its number where one fails."""
        for number, line in enumerate(self.script.script.strip().splitlines(), start=1):
            words = line.split("#")[0].strip()
            if not words:
                continue
            try:
                self.line(words)
            except (AssertionError, Refused) as problem:
                raise AssertionError(
                    f"{self.script.title}\n  line {number}: {words}\n  {problem}"
                ) from problem
            except NotationError as problem:
                text = f"{self.script.title}: line {number}: {problem}"
                raise NotationError(problem.code, text) from None
        for name, entry in self.entries.items():
            if (entry.cards or entry.folds) and name not in self.dealt:
                text = (
                    f"{self.script.title}: {name}: cards and folds are never read; nothing is dealt"
                )
                raise NotationError("controller.unread", text)
        self.hall.check_replay()

    def line(self, words: str) -> None:
        head, colon, rest = words.partition(": ")
        if colon and head in self.hall.tables:
            home, self.table = self.table, self.hall.tables[head]
            try:
                self.line(rest)
            finally:
                self.table = home
        elif words.startswith("refused "):
            self.refused(head.removeprefix("refused "), rest)
        elif words.startswith("expect "):
            self.expect(words.split()[1:])
        elif words.split()[0] in PEOPLE:
            self.press(words)
        else:
            verb, *said = words.split()
            require_usage(verb, _one_of("word", verb, _HOUSE), said)
            getattr(self, f"do_{verb}")(*said)

    def refused(self, why: str, words: str) -> None:
        before = self.hall.fingerprint()
        refusal = refusal_of(lambda: self.line(words))
        assert refusal is not None, "was not refused"
        named = (refusal.code, *refusal.cites)
        assert why in named, f"refused with {', '.join(named)}: {refusal}"
        assert self.hall.fingerprint() == before, "a refusal changed something"

    def press(self, words: str) -> None:
        name, verb, *rest = words.split(maxsplit=2)
        require_usage(verb, _one_of("press", verb, _USAGES), rest[0].split() if rest else [])
        made = _PRESSES[verb](self, rest[0] if rest else "")
        if isinstance(made, la.JoinMeter):
            self.hall.keep(PEOPLE[name], made, self.table.setup)
        elif isinstance(made, _KEEPING):
            self.hall.keep(PEOPLE[name], made)
        else:
            self.hall.press(self.table, PEOPLE[name], made)

    # ------------------------------------------------------------ the house by single words

    def bet(self, table: Table) -> None:
        for seat, bets in sorted(self.entries[table.name].bets.items()):
            for spot in _BETS:
                if spot in bets:
                    cents = parse_dollars(bets[spot])
                    self.hall.play(table, g.Wager(seat=int(seat), spot=spot, cents=cents))
            if "progressive" in bets:
                chip = a.PlaceChip(seat=int(seat), cents=parse_dollars(bets["progressive"]))
                self.hall.press(table, PEOPLE["Ann"], chip)

    def do_close(self) -> None:
        self.hall.play(self.table, g.CloseBets())

    def do_deal(self) -> None:
        """The cards, and every decision; seats that fold do so at once."""
        self.dealt.add(self.table.name)
        places = {place: parse_cards(text) for place, text in self.entry.cards.items()}
        self.hall.play(self.table, g.Deal(places=places))
        while self.table.round.phase in ("deciding", "turning"):
            seat = seat_to_act(self.table.round)
            if seat is None:
                self.hall.play(self.table, g.Turn())
            elif seat in self.entry.folds:
                self.hall.play(self.table, g.Fold(seat=seat))
            else:
                stage = self.table.setup.stages[self.table.round.stage]
                ante = self.table.round.seats[seat].wagers["ante"]
                self.hall.play(self.table, g.Bet(seat=seat, cents=ante * max(stage.multiples)))

    def do_play(self) -> None:
        """From open bets to settlement with all keys, and every base wager settled."""
        self.do_close()
        self.hall.press(self.table, DANA, a.CoinIn())
        self.hall.press(self.table, DANA, a.CountChips(chips=len(self.table.controller.accepted)))
        self.hall.press(self.table, DANA, a.FirstCard())
        self.do_deal()
        self.do_settle()

    def do_settle(self, seat: str = "") -> None:
        """The wagers that are not progressive wins or envies: of all seats, or of one."""
        if not seat:
            settle_others(self.hall, self.table, envy=False)
            return
        number = self.player(seat)
        for due in remaining(self.table.round):
            if due.seat == number and due.spot not in ("progressive", "envy"):
                pay = g.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents)
                self.hall.play(self.table, pay)

    def do_spot(self, seat: str, spot: str) -> None:
        """One wager of one seat."""
        number = self.player(seat)
        left = {due.spot: due for due in remaining(self.table.round) if due.seat == number}
        _one_of(f"spot of seat {seat} that is left", spot, dict.fromkeys(left, ""))
        due = left[spot]
        pay = g.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents)
        self.hall.play(self.table, pay)

    def do_envies(self) -> None:
        settle_others(self.hall, self.table)

    def do_keys(self) -> None:
        """Every key for every winner."""
        key_winners(self.hall, self.table)

    def do_finish(self) -> None:
        finish_keyed(self.hall, self.table)

    def do_again(self) -> None:
        """The next round, with the same bets."""
        self.hall.begin(self.table)
        self.bet(self.table)

    def do_forfeit(self, seat: str) -> None:
        """A player shows the hand to another one and forfeits."""
        self.hall.play(self.table, g.Incident(what="shares_hand", seat=self.player(seat)))

    def do_unreachable(self) -> None:
        self.hall.reachable = False

    def do_reachable(self) -> None:
        self.hall.reachable = True

    # ------------------------------------------------------------ what must be true

    def expect(self, words: list[str]) -> None:
        what, *wanted = words
        require_usage(what, _one_of("expectation", what, _EXPECTED), wanted)
        found = getattr(self, f"see_{what}")(*wanted[: _ARGUMENTS.get(what, 0)])
        expected = " ".join(wanted[_ARGUMENTS.get(what, 0) :])
        assert found == expected, f"{what} is {found!r}"

    def seat(self, text: str) -> int:
        """A seat of the table."""
        seats = range(1, self.table.setup.seats + 1)
        _one_of("seat", text, {str(number): "" for number in seats})
        return int(text)

    def player(self, text: str) -> int:
        """A seat where somebody plays."""
        playing = {str(number): "" for number in sorted(self.table.round.seats)}
        _one_of("seat that plays", text, playing)
        return int(text)

    def see_state(self) -> str:
        return self.table.controller.state

    def see_key(self) -> str:
        return self.table.controller.key

    def see_phase(self) -> str:
        return self.table.round.phase

    def see_blocked(self) -> str:
        return "yes" if self.table.round.blocked else "no"

    def see_meter(self) -> str:
        return show_dollars(self.hall.link.meter.cents)

    def see_reserve(self) -> str:
        return show_dollars(divide_exact(self.hall.link.meter.reserve_units, METER_UNITS_PER_CENT))

    def see_queued(self) -> str:
        return show_dollars(divide_exact(self.hall.link.queued.units, METER_UNITS_PER_CENT))

    def see_sensor(self, seat: str) -> str:
        return self.table.controller.sensors.get(self.seat(seat), "EMPTY")

    def see_light(self, seat: str) -> str:
        return light_of(self.table.controller, self.seat(seat), rule_of(self.table.round))

    def see_accepted(self) -> str:
        return " ".join(map(str, self.table.controller.accepted)) or "none"

    def see_lamps(self) -> str:
        return " ".join(str(lamp.seat) for lamp in self.table.controller.lamps) or "none"

    def see_accidents(self) -> str:
        """The hands that are keyed for seats that do not win with them."""
        wrong = [lamp for lamp in self.table.controller.lamps if lamp.wrong]
        return " ".join(f"{lamp.seat}:{lamp.hand}" for lamp in wrong) or "none"

    def see_noticed(self) -> str:
        """The last warning of a wrong hand: why, and what the seat has."""
        told = [ev for ev in self.table.events if isinstance(ev, te.WrongHandNoticed)]
        return f"{told[-1].seat} {told[-1].fault} {told[-1].has or '-'}" if told else "nothing"

    def see_next(self) -> str:
        """The press that the procedure wants."""
        found = coming(Desk(self.table.controller, self.table.round, self.hall.link))
        if found is None:
            return "nothing"
        told = to_builtins(found.press)
        return " ".join(str(told[key]) for key in ("do", "seat", "hand") if key in told)

    def see_monitor(self) -> str:
        controller = self.table.controller
        lamp = controller.in_hand
        if lamp is None or not lamp.award or controller.wins[lamp.award].paid:
            return "none"
        return show_dollars(controller.wins[lamp.award].logged.cents)

    def see_net(self, seat: str) -> str:
        return show_dollars(self.table.round.seats[self.player(seat)].net_cents)

    def see_account(self, name: str) -> str:
        return show_dollars(self.table.cents[name])

    def see_awards(self) -> str:
        fixed = [event for event in self.hall.meter_events if isinstance(event, le.AwardFixed)]
        return " ".join(show_dollars(event.cents) for event in fixed) or "none"

    def see_shortfall(self) -> str:
        units = sum(getattr(event, "shortfall_units", 0) for event in self.hall.meter_events)
        return show_dollars(divide_exact(units, METER_UNITS_PER_CENT))

    def see_sign(self) -> str:
        shown = sign(self.hall.link if self.hall.reachable else None)
        match shown.shows:
            case "jackpot":
                assert shown.cents is not None
                return f"jackpot {show_dollars(shown.cents)}"
            case "pending":
                assert shown.award_cents is not None
                assert shown.cents is None
                return f"pending {show_dollars(shown.award_cents)} {shown.table}"
        assert shown.cents is None
        return "out_of_service"

    def see_records(self) -> str:
        """How many wins the link has on record, taken back or not."""
        return str(len(self.hall.link.awards))

    def see_event(self, kind: str) -> str:
        """How often something happened at this table or on the meter."""
        _one_of("event", kind, _EVENTS)
        told = [*self.table.events, *self.hall.meter_events]
        return str(sum(type(event).__name__ == kind for event in told))


_HOUSE = {
    **dict.fromkeys(("close", "deal", "play", "envies", "keys", "finish", "again"), ""),
    **dict.fromkeys(("unreachable", "reachable"), ""),
    "settle": "[SEAT]",
    "spot": "SEAT SPOT",
    "forfeit": "SEAT",
}
_EXPECTED = {
    **dict.fromkeys(("state", "key", "phase", "blocked", "meter", "reserve", "queued"), "VALUE"),
    **dict.fromkeys(("monitor", "shortfall", "records"), "VALUE"),
    **dict.fromkeys(("accepted", "lamps", "awards", "sign"), "VALUE…"),
    **dict.fromkeys(("accidents", "noticed", "next"), "VALUE…"),
    **dict.fromkeys(("sensor", "light", "net"), "SEAT VALUE"),
    "account": "NAME VALUE",
    "event": "KIND N",
}
_EVENTS = {
    kind.__name__: ""
    for kind in (*get_args(te.AnyControllerEvent), *get_args(le.AnyMeterEvent), *get_args(AnyEvent))
}
_ARGUMENTS = {"sensor": 1, "light": 1, "net": 1, "account": 1, "event": 1}
_KEEPING = (la.LeaveMeter, la.Adjust, la.TakeOutOfService, la.BringBack, la.RetireMeter)


def _one_of(what: str, word: str, known: Mapping[str, str]) -> str:
    """How a known word is used."""
    if word not in known:
        text = f"{word!r} is no {what} of a controller script; there are {', '.join(known)}"
        raise NotationError("controller.unknown_word", text)
    return known[word]


def _number(text: str) -> int:
    """A seat or a number of chips as a press has it; whether there is one is the table's to say."""
    if not (text.isascii() and text.isdecimal() and len(text) <= 4):
        raise NotationError("controller.bad_number", f"{text!r} is no number; write 1, 2, …")
    return int(text)


def _chip(player: Player, rest: str) -> a.PlaceChip:
    seat, *amount = rest.split()
    progressive = player.table.setup.progressive
    assert progressive is not None
    cents = parse_dollars(amount[0]) if amount else progressive.wager_cents
    return a.PlaceChip(seat=_number(seat), cents=cents)


def _hand(player: Player, rest: str) -> a.PressHand:
    seat, hand = rest.split()
    return a.PressHand(seat=_number(seat), hand=hand)


def _with(rest: str) -> tuple[str, str, str]:
    """`WHAT with NAME: REASON`, or without somebody: `WHAT: REASON`."""
    head, _, reason = rest.partition(":")
    what, _, name = head.partition(" with ")
    return what.strip(), name.strip(), reason.strip()


def _second(name: str) -> Actor:
    _one_of("person", name, dict.fromkeys(PEOPLE, ""))
    return PEOPLE[name]


def _back_out(player: Player, rest: str) -> a.BackOut:
    award, name, reason = _with(rest)
    return a.BackOut(award=award, reason=reason, second=_second(name))


def _override(player: Player, rest: str) -> a.OverrideUnlit:
    seat, name, reason = _with(rest)
    return a.OverrideUnlit(seat=_number(seat), reason=reason, second=_second(name))


def _adjust(player: Player, rest: str) -> la.Adjust:
    amount, name, reason = _with(rest)
    units = signed_cents(amount) * METER_UNITS_PER_CENT
    return la.Adjust(units=units, code="correction", reason=reason, second=_second(name))


def _pay(player: Player, rest: str) -> a.PayAward:
    seat, *document = rest.split(maxsplit=1)
    return a.PayAward(seat=_number(seat), document=document[0] if document else "")


def _incident(player: Player, rest: str) -> a.VoidRound:
    return a.VoidRound(incident=g.Incident(what=rest))


def _void(player: Player, rest: str) -> a.VoidRound:
    """With a second person beside, who need not be named, once cards were seen."""
    seen = player.table.round is not None and cards_seen(player.table.round)
    return a.VoidRound(reason=rest, second=SUE if seen else None)


_PRESSES: dict[str, Callable[[Player, str], Any]] = {
    "chip": _chip,
    "unchip": lambda player, rest: a.RemoveChip(seat=_number(rest)),
    "coin-in": lambda player, rest: a.CoinIn(),
    "play-without": lambda player, rest: a.PlayWithout(),
    "count": lambda player, rest: a.CountChips(chips=_number(rest)),
    "first-card": lambda player, rest: a.FirstCard(),
    "hand": _hand,
    "call": lambda player, rest: a.CallSupervisor(),
    "verify": lambda player, rest: a.VerifyWin(seat=_number(rest)),
    "key-in": lambda player, rest: a.KeyInWinner(seat=_number(rest)),
    "key": lambda player, rest: a.TurnKey(to=rest),  # type: ignore[arg-type]
    "j-pot": lambda player, rest: a.PressJPot(),
    "money-bag": lambda player, rest: a.PrintWinPage(),
    "pay": _pay,
    "game-over": lambda player, rest: a.GameOver(),
    "back-out": _back_out,
    "override": _override,
    "void": _void,
    "incident": _incident,
    "leave": lambda player, rest: la.LeaveMeter(table=player.table.name),
    "join": lambda player, rest: la.JoinMeter(table=player.table.name),
    "adjust": _adjust,
    "out-of-service": lambda player, rest: la.TakeOutOfService(reason=rest),
    "bring-back": lambda player, rest: la.BringBack(),
}
_USAGES: dict[str, str] = {
    **dict.fromkeys(_PRESSES, ""),
    "chip": "SEAT [$]",
    **dict.fromkeys(("unchip", "verify", "key-in"), "SEAT"),
    "count": "CHIPS",
    "hand": "SEAT HAND",
    "key": "RUN|JPH",
    "pay": "SEAT [DOCUMENT…]",
    **dict.fromkeys(("back-out", "override", "adjust"), "WHAT with NAME [REASON…]"),
    **dict.fromkeys(("void", "out-of-service"), "[REASON…]"),
    "incident": "|".join(KNOWN),
}
