"""What must be true of a simulated floor, worked out from the stored rows and from what people were
told, and from nothing that the servers keep in mind."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple, get_args

from riverboat.controller.engine import table_postings
from riverboat.core.cards import parse_card
from riverboat.core.fairness import cut_depth
from riverboat.floor.audit.auditing import audit
from riverboat.floor.codec import METER, PURSE, TABLE, read_meter_body, read_table_body
from riverboat.floor.floor import Floor
from riverboat.floor.station import Station, StationEntry, apply, remember
from riverboat.ledger import Row
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import events as r
from riverboat.table.events import DeckCut, DeckSealed, RoundStarted, WordTold
from riverboat.web.read_model import ReadModel
from tests.simulation.disk import Disk
from tests.simulation.people import PLAYERS, Sent
from tests.simulation.serving import Seen, Server
from tests.web.playing import OVER, Moment, _turn
from tests.web.test_hidden_cards import CARD, cards_named

_OF_THE_ROUND = get_args(r.AnyEvent)
UNCHANGED = ("nothing was changed", "nothing was written", "nothing was done")
REFUSED = range(400, 500)


class Fault(AssertionError):
    """A promise that was broken."""


class Told(NamedTuple):
    """The floor's history, told once more from its rows."""

    rows: list[Row]
    purses: dict[str, int]
    lowest: dict[str, tuple[int, int]]
    """The least that each purse ever held, and after which row."""
    links: dict[str, Link]
    moments: dict[str, dict[int, Moment]]
    entry_rows: dict[tuple[str, int], int]
    """The row in which each entry of a table stands."""
    seats: dict[tuple[str, int], dict[str, int]]
    """Who sat where after each entry."""
    stations: dict[str, Station]
    cuts: Counter[str]
    """By whose word decks were cut: the house's alone, or a player's too."""
    roots: dict[tuple[str, str], str]
    """What the deck of a table is committed to."""
    words: dict[str, dict[int, str]]
    """What players of a table told for the cut that comes."""
    wrong: list[str]
    """Cuts that are not what the words come to, as their players work it out; and what the house
    bore that was not missing."""


def retell(floor: Floor) -> Told:
    """Everything from the rows: purses by what each event posts, meters by their own events. What
    the rows of one command do to a purse is one transaction."""
    told = Told([], defaultdict(int), {}, {}, defaultdict(dict), {}, {}, {}, Counter(), {}, {}, [])
    before: dict[str, int] = {}
    cards: dict[str, tuple[dict[str, list[Any]], set[Any]]] = defaultdict(lambda: ({}, set()))
    for row in floor.ledger.read_all():
        if told.rows and row.command_id != told.rows[-1].command_id:
            _note_all_lowest(told, before, told.rows[-1].seq)
            before = dict(told.purses)
        told.rows.append(row)
        kind, slash, name = row.stream.partition("/")
        if kind + slash == PURSE:
            _put_in(told, name, json.loads(row.body), row.seq)
        elif kind + slash == METER:
            link = told.links.get(name, Link())
            for event in read_meter_body(row.body).events:
                link = apply_to_meter(link, event)
            told.links[name] = link
        elif kind + slash == TABLE:
            for entry in read_table_body(row.body, name, floor.keys):
                _enter(floor, told, name, entry, row, cards[name])
    if told.rows:
        _note_all_lowest(told, before, told.rows[-1].seq)
    return told


def _put_in(told: Told, name: str, given: dict[str, Any], seq: int) -> None:
    """What is given out; and what the house bears, which is what was missing of what was taken
    back, and not a cent more."""
    if given["type"] == "topped_up":
        told.purses[name] += given["cents"]
    if given["type"] != "covered":
        return
    missing = -told.purses[name]
    told.purses[name] += given["house_cents"]
    if not 0 < given["house_cents"] == missing <= given["cents"]:
        told.wrong.append(f"purse: {given} of {name} in row {seq}, {missing} cents were missing")


def _note_all_lowest(told: Told, before: dict[str, int], seq: int) -> None:
    for name, cents in told.purses.items():
        if cents != before.get(name, 0) and cents < told.lowest.get(name, (1 << 60, 0))[0]:
            told.lowest[name] = (cents, seq)


def _enter(
    floor: Floor,
    told: Told,
    table: str,
    entry: StationEntry,
    row: Row,
    cards: tuple[dict[str, list[Any]], set[Any]],
) -> None:
    station = told.stations.get(table) or floor.new_station(table)
    step = station
    for event in entry.events:
        if isinstance(event, _OF_THE_ROUND) and step.day.round is not None:
            for posting in table_postings(event, step.controller, step.day.round):
                _post(told, step, posting.account, posting.amount, posting.unit)
        step = apply(step, event)
        _turn(event, *cards)
        _hear_words(told, table, event)
    told.stations[table] = remember(station, entry)
    told.entry_rows[table, entry.number] = row.seq
    day = told.stations[table].day
    told.seats[table, entry.number] = {name: seat for seat, name in day.people.items()}
    told.moments[table][entry.number] = _moment(told.stations[table], entry, *cards)


def _hear_words(told: Told, table: str, event: object) -> None:
    """As a player's page checks the cut: by the root that it saw and the words that were told."""
    match event:
        case DeckSealed():
            told.roots[table, event.deck] = event.root
        case RoundStarted():
            told.words[table] = {}
        case WordTold():
            told.words[table][event.seat] = event.word
        case DeckCut(fixed=True):
            words = told.words[table]
            told.cuts["players' and the house's" if words else "the house's alone"] += 1
            root = told.roots[table, event.deck]
            right = cut_depth(root, event.house, words, event.lowest, event.deepest)
            if event.depth != right:
                what = f"{table} was cut at {event.depth}, the words come to {right}"
                told.wrong.append(f"cut: {what}")
        case _:
            pass


def _post(told: Told, station: Station, account: str, amount: int, unit: str) -> None:
    kind, _, place = account.partition(":")
    if kind != "player" or unit != "cent" or int(place) in station.day.programs:
        return
    name = station.day.seated.get(int(place), "")
    if name:
        told.purses[name] += amount


def _moment(
    station: Station, entry: StationEntry, dealt: dict[str, list[Any]], open_: set[Any]
) -> Moment:
    state, shown = station.day.round, set(open_)
    hands = {int(place): tuple(held) for place, held in dealt.items() if place.isdigit()}
    if state is not None and state.phase in OVER:
        for number, held in hands.items():
            seat = state.seats[number]
            if seat.status != "folded" or seat.cards_kept:
                shown |= set(held)
    return Moment(entry.number, station.day.round_number, hands, frozenset(shown))


# ---------------------------------------------------------------- what must be true


def faults(
    floor: Floor,
    told: Told,
    disk: Disk,
    sent: list[Sent],
    seen: list[Seen],
    servers: list[Server],
) -> Iterator[str]:
    """Every promise that was broken, in a sentence each."""
    yield from _of_commands(told, disk, sent)
    yield from _of_money(told, servers)
    yield from _of_cards(told, seen)
    yield from told.wrong
    found = audit(floor.ledger, floor.books, floor.secret)
    if not found.holds:
        yield f"verify: {found.wrong}"


def _of_commands(told: Told, disk: Disk, sent: list[Sent]) -> Iterator[str]:
    """What was acknowledged is there once, as it was asked for; what was denied is not there."""
    by_id: dict[str, list[Row]] = defaultdict(list)
    for row in told.rows:
        by_id[row.command_id].append(row)
    for one in sent:
        rows = by_id.get(one.stored_id, [])
        streams = [row.stream for row in rows]
        what = f"{one.guest.name}'s {one.body['id']} ({json.dumps(one.body.get('action', {}))})"
        if len(set(streams)) != len(streams):
            yield f"doubled: {what} is in the ledger {len(rows)} times"
        firsts = [t for t in one.tries if t.reply.status == 200 and _is_first(t.reply.told)]
        if len(firsts) > 1:
            yield f"doubled: {what} was done for the first time {len(firsts)} times"
        if one.is_done and not rows:
            yield f"lost: {what} was acknowledged and is not in the ledger"
        if rows and not _is_as_asked(rows[0], one):
            yield f"changed: {what} is in the ledger as {rows[0].command}"
        yield from _denials(what, rows, disk, one)


def _is_first(told: Any) -> bool:
    return isinstance(told, dict) and told.get("repeated") is False


def _is_as_asked(row: Row, one: Sent) -> bool:
    by, asked = json.loads(row.actor), json.loads(row.command)
    if by["name"] != one.guest.name:
        return False
    if "cents" in one.body:
        return bool(asked.get("top_up") == one.body["cents"])
    wanted = one.body["action"]
    found = asked.get("ask", {})
    return all(found.get(name) == value for name, value in wanted.items() if name != "second")


def _denials(what: str, rows: list[Row], disk: Disk, one: Sent) -> Iterator[str]:
    """Nobody is told that nothing happened when it did."""
    if not rows:
        return
    at = disk.durable_at.get(rows[0].seq, 0.0)
    for attempt in one.tries:
        words = attempt.reply.words
        if at <= attempt.heard_at and any(text in words for text in UNCHANGED):
            yield f"denied: {what} was durable, and the answer was {words!r}"
        refused = attempt.reply.status in REFUSED and "try again" not in words
        if at < attempt.sent_at and refused:
            yield f"denied: {what} was durable when it was sent again, and refused: {words!r}"


def _of_money(told: Told, servers: list[Server]) -> Iterator[str]:
    """Purses and meters: never less than nothing, and the same in every process."""
    for name, (cents, seq) in sorted(told.lowest.items()):
        if cents < 0:
            yield f"purse: {name} had {cents} cents after row {seq}"
    for name, link in sorted(told.links.items()):
        if link.meter.units < 0:
            yield f"meter: {name} stands at {link.meter.units} units"
    for server in servers:
        if server.house is not None and server.house.model.seq == told.rows[-1].seq:
            yield from _of_a_process(told, str(server.process), server.house.model)


def _of_a_process(told: Told, process: str, model: ReadModel) -> Iterator[str]:
    for name in PLAYERS:
        if model.cents(name) != told.purses[name]:
            says = f"{process} says {model.cents(name)} cents for {name}"
            yield f"purse: {says}, the rows come to {told.purses[name]}"
    for name, link in told.links.items():
        if model.link(name).meter != link.meter:
            yield f"meter: {process} has {name} otherwise than its rows"


def _of_cards(told: Told, seen: list[Seen]) -> Iterator[str]:
    """Nobody was shown a card that they may not know, nor anything that was not durable."""
    known_documents: set[tuple[str, bytes]] = set()
    for one in seen:
        key = (one.guest.name, one.document)
        if key in known_documents:
            continue
        known_documents.add(key)
        frame = json.loads(one.document)
        if frame.get("kind") != "table":
            continue
        table, at = frame["table"], frame["at"]
        if told.entry_rows.get((table, at), 1 << 60) > one.head:
            yield f"shown early: entry {at} of {table} was shown before it was durable"
            continue
        moment = told.moments[table][at]
        known = moment.known_to(told.seats[table, at].get(one.guest.name))
        # All that looks like a card, first: most documents name none that is hidden.
        if {parse_card(text) for text in CARD.findall(one.document.decode())} <= known:
            continue
        hidden = [text for text in cards_named(frame) if parse_card(text) not in known]
        if hidden:
            yield f"cards: {one.guest.name} was shown {hidden} of {table} after entry {at}"
