"""The people of a simulated floor: players who bet what they have, twice and at two tables at once,
and send again what they got no answer to; keepers of meters; somebody who looks on."""

import json
from random import Random
from typing import Any, Final, NamedTuple

from msgspec import UNSET, Struct, to_builtins

from riverboat.core.fairness import player_seal
from riverboat.keeping.engine import REASONS
from riverboat.round import actions as g
from riverboat.round.legal import Argument, Choice, Judged, Offer, Range, Text
from riverboat.table import actions as a
from riverboat.table.day import Day
from riverboat.web.accounts import Guest
from riverboat.web.house import House
from riverboat.web.screens.offered import asking, tag_of
from tests.simulation.scheduling import Scheduler
from tests.simulation.serving import NOTHING_HEARD, Reply, Seen, Server

PASSWORD: Final = "a long enough password"
PLAYERS: Final = ("Ann", "Ben")
KEEPERS: Final = ("Sue", "Tom")
AUDITOR: Final = "Otto"
MOST_TRIES: Final = 40
FIRST_CENTS: Final = 150_00
TOP_UP_CENTS: Final = 60_00
_LIKED: Final[dict[type, float]] = {
    a.SitDown: 1.0,
    g.Wager: 0.9,
    a.TellWord: 0.9,
    g.Bet: 1.0,
    g.Fold: 0.15,
    g.TakeBack: 0.05,
    a.StandUp: 0.02,
}


class Try(NamedTuple):
    """One sending of a command, and what was heard."""

    sent_at: float
    heard_at: float
    slot: int
    reply: Reply


class Sent(Struct):
    """A command as somebody minted it, and every time that it was sent."""

    guest: Guest
    path: str
    body: dict[str, Any]
    tries: list[Try]
    is_over: bool = False

    @property
    def stored_id(self) -> str:
        """As the ledger has it."""
        return self.guest.own(self.body["id"])

    @property
    def is_done(self) -> bool:
        """Whether somebody was told that it is durable."""
        return any(one.reply.status == 200 for one in self.tries)


class People:
    """Everybody who is on the floor."""

    def __init__(
        self,
        scheduler: Scheduler,
        servers: list[Server],
        tables: list[str],
        meters: list[str],
        tokens: dict[str, str],
        chance: Random,
    ) -> None:
        self.scheduler, self.servers, self.tokens = scheduler, servers, tokens
        self.tables, self.meters, self.chance = tables, meters, chance
        self.sent: list[Sent] = []
        self.seen: list[Seen] = []
        self.words: dict[str, str] = {}
        self.losing = 0
        """How many of a thousand requests, and of answers, the network swallows."""
        self.doubling = 0
        """How many of a thousand commands are sent through two processes at once."""
        self.may_begin = True
        self._number = 0

    def come(self) -> None:
        """Everybody begins."""
        for name in PLAYERS:
            guest = Guest(name=name, door="player")
            self.scheduler.spawn(name, lambda guest=guest: self._play(guest))  # type: ignore[misc]
        if self.meters:
            guests = [Guest(name=name, door="supervisor") for name in KEEPERS]
            self.scheduler.spawn("keepers", lambda: self._keep(guests))
        self.scheduler.spawn("Otto", self._look_on)

    @property
    def waiting(self) -> list[Sent]:
        """Commands whose senders have no answer yet."""
        return [one for one in self.sent if not one.is_over]

    def _server(self) -> Server:
        return self.chance.choice(self.servers)

    def _house(self) -> House | None:
        return self._server().house

    # ---------------------------------------------------------------- sending

    def send(self, guest: Guest, path: str, what: dict[str, Any]) -> Sent:
        """A command of somebody's own, until it is answered; sometimes twice at once."""
        self._number += 1
        body = {"id": f"command {self._number:06}", **what}
        sent = Sent(guest=guest, path=path, body=body, tries=[])
        self.sent.append(sent)
        name = f"{guest.name} #{self._number}"
        self.scheduler.spawn(name, lambda: self._insist(sent))
        if self.chance.randrange(1000) < self.doubling:
            self.scheduler.spawn(f"{name} again", lambda: self._once(sent))
        return sent

    def _insist(self, sent: Sent) -> None:
        for number in range(MOST_TRIES):
            reply = self._once(sent)
            if reply.status and reply.status < 500 and reply.status != 429:
                break
            self.scheduler.sleep(self.chance.uniform(0.1, 1.0) * min(number + 1, 4))
        sent.is_over = True

    def _once(self, sent: Sent) -> Reply:
        server, began = self._server(), self.scheduler.now
        slot = server.slot
        if self.chance.randrange(1000) < self.losing:
            self._network("request lost")
            self.scheduler.sleep(1.0)
            reply = NOTHING_HEARD
        else:
            self.scheduler.sleep(self.chance.uniform(0.0005, 0.008))
            reply = server.ask("POST", sent.path, self.tokens[sent.guest.name], sent.body)
            if reply.status and self.chance.randrange(1000) < self.losing:
                self._network("answer lost")
                reply = NOTHING_HEARD
        what = sent.body.get("action", sent.body)
        self.scheduler.note(sent.body["id"], slot, json.dumps(what, default=str), reply.status)
        sent.tries.append(Try(began, self.scheduler.now, slot, reply))
        return reply

    def _network(self, what: str) -> None:
        self.servers[0].disk.count(what)

    # ---------------------------------------------------------------- playing

    def _play(self, guest: Guest) -> None:
        while True:
            self.scheduler.sleep(self.chance.uniform(0.3, 2.0))
            house = self._house()
            if house is None or not self.may_begin:
                continue
            begun = [self._begin(guest, house, table) for table in self.tables]
            if not any(begun) and house.model.cents(guest.name) < TOP_UP_CENTS // 4:
                self.send(guest, "/api/purse", {"cents": TOP_UP_CENTS})

    def _begin(self, guest: Guest, house: House, table: str) -> bool:
        """Whatever is next at a table, of which both may be asked for at the same moment."""
        mine = [one for one in self.waiting if one.guest == guest and table in one.path]
        if mine and self.chance.random() < 0.8:
            return True
        # Sometimes two things at once, each as if the other were not: the money is there once.
        wanted = [self._choose(guest, house, table) for _ in range(self.chance.choice((1, 1, 2)))]
        actions = [action for action in wanted if action is not None]
        for action in actions:
            self.send(guest, f"/api/tables/{table}/commands", {"action": action})
        if not actions:
            self._say_ready(guest, house, table)
        return bool(actions)

    def _choose(self, guest: Guest, house: House, table: str) -> dict[str, Any] | None:
        station = house.model.station(table)
        actor, day = guest.actor, station.day
        assert actor is not None
        seated = bool(day.seats_of(actor))
        offers = asking(station, house.model.link_of(station), actor).offers
        found = []
        for offer in offers:
            liked = _LIKED.get(offer.kind, 0.0)
            if offer.kind is a.SitDown and seated:
                continue
            if self.chance.random() < liked:
                found.append(offer)
        if not found:
            return None
        purse = house.model.cents(guest.name)
        return self._action(self.chance.choice(found), guest, purse, day)

    def _action(self, offer: Offer, guest: Guest, purse: int, day: Day) -> dict[str, Any] | None:
        raw: dict[str, Any] = {"do": tag_of(offer)}
        for name, bounds in offer.arguments.items():
            if isinstance(bounds, Text) and not bounds.required:
                continue
            value = guest.name if name == "player" else self._value(bounds, purse)
            if isinstance(bounds, Judged):
                value = self._word(name, day, raw["seat"])
            if value is UNSET:
                return None
            raw[name] = value
        if str(raw.get("spot", "")).startswith("tip_"):
            return None
        return raw

    def _word(self, name: str, day: Day, seat: int) -> Any:
        """The seal of a word for the cut, mostly; and the word, when it is to be told."""
        deck = day.deck_in_play
        if name == "word":
            return self.words.get(day.seals[seat], UNSET)
        if deck is None or deck.sealed is None or self.chance.random() < 0.2:
            return ""
        word = f"{self.chance.getrandbits(256):064x}"
        seal = player_seal(deck.sealed.root, seat, word)
        self.words[seal] = word
        return seal

    def _value(self, bounds: Argument, purse: int) -> Any:
        match bounds:
            case Choice():
                return to_builtins(self.chance.choice(bounds.values))
            case Range():
                low, unit = bounds.minimum or 0, bounds.unit
                most = min(bounds.maximum or purse, max(low, purse))
                steps = max(0, (most - low) // unit)
                # Mostly little; sometimes all there is, or nearly.
                lot = self.chance.random()
                return low + unit * (steps if lot < 0.5 else self.chance.randint(0, min(3, steps)))
        return UNSET

    def _say_ready(self, guest: Guest, house: House, table: str) -> None:
        day = house.model.station(table).day
        if not day.in_round or day.playing.phase != "betting":
            return
        seat = next((s for s, name in day.people.items() if name == guest.name), None)
        seats = day.playing.seats
        if seat is None or seat not in seats or "ante" not in seats[seat].wagers:
            return
        if guest.name in house.model.ready(table, day.round_number):
            return
        server, path = self._server(), f"/api/tables/{table}/ready"
        token = self.tokens[guest.name]
        self.scheduler.spawn(f"{guest.name} ready", lambda: server.ask("POST", path, token))

    # ---------------------------------------------------------------- keeping, looking on

    def _keep(self, guests: list[Guest]) -> None:
        while True:
            self.scheduler.sleep(self.chance.uniform(5.0, 40.0))
            if not self.may_begin:
                continue
            first, second = self.chance.sample(guests, 2)
            action = {
                "do": "adjust_link",
                "units": self.chance.choice((-1, 1)) * self.chance.randint(1, 9) * 1000,
                "code": self.chance.choice(REASONS),
                "reason": "as counted",
            }
            signature = {"name": second.name, "password": PASSWORD}
            meter = self.chance.choice(self.meters)
            what = {"action": action, "second": signature}
            self.send(first, f"/api/meters/{meter}/commands", what)

    def _look_on(self) -> None:
        """Somebody asks for a table now and then: what a page asks for when it is opened."""
        while True:
            self.scheduler.sleep(self.chance.uniform(5.0, 40.0))
            name = self.chance.choice((*PLAYERS, AUDITOR))
            table, server = self.chance.choice(self.tables), self._server()
            reply = server.ask("GET", f"/api/tables/{table}", self.tokens[name])
            if reply.status == 200:
                door = "auditor" if name == AUDITOR else "player"
                guest = Guest(name=name, door=door)  # type: ignore[arg-type]
                self.seen.append(Seen(guest, json.dumps(reply.told).encode(), server.disk.head()))
