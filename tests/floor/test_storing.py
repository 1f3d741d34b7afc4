"""The stored record tells nobody a card before its time, and everybody everything afterwards."""

import base64
import json
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from riverboat.controller.state import Controller
from riverboat.core.cards import show_card
from riverboat.core.errors import NotationError, RiverboatError
from riverboat.core.fairness import commit, cut_depth, player_seal
from riverboat.core.sealing import BrokenSeal, RoundKey
from riverboat.floor.codec import (
    KeyReleased,
    Keys,
    Line,
    PlainEntry,
    SealedEntry,
    lines_of,
    read_table_body,
    table_body,
    unsealed,
)
from riverboat.floor.secret import MasterSecret
from riverboat.floor.station import Station, StationEntry, new_station, remember
from riverboat.ledger import open_ledger
from riverboat.round import actions as g
from riverboat.round import events as r
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import new_day
from riverboat.table.engine import advance
from riverboat.table.events import Entry
from riverboat.table.people import SYSTEM, Actor
from tests.support.day_player import books
from tests.support.round_files import Evening, eventful, forced, misread, ordinary

RECORDS: dict[str, Callable[[], tuple[Entry, ...]]] = {
    "two decks": eventful,
    "one deck": lambda: ordinary("maryland-2014"),
    "a dealer's hand": lambda: ordinary("island-stud"),
    "six card box": lambda: ordinary("six card bonus"),
    "a forced deck": forced,
}


SECRET = MasterSecret(b"the secret of a floor in tests..")


def as_written(entry: Entry) -> StationEntry:
    """An entry of a table's record as the floor writes it."""
    names = ("number", "at", "by", "action", "events", "test")
    return StationEntry(**{name: getattr(entry, name) for name in names})


def bodies(record: tuple[Entry, ...]) -> Iterator[str]:
    """What the store gets for each entry of a record."""
    station = Station(day=new_day("T", books()), controller=Controller(table="T"))
    for entry in record:
        yield table_body(as_written(entry), station, keys())
        station = remember(station, as_written(entry))


@cache
def keys() -> Keys:
    """The keys of a floor that was begun on a ledger of its own."""
    made = Keys(open_ledger(Path(mkdtemp()) / "floor.db"), SECRET)
    made.begin(0)
    return made


def key_of(line: SealedEntry) -> RoundKey:
    return keys().own.key_of("T", line.commitment, line.root)


@cache
def stored(name: str) -> tuple[tuple[Entry, str], ...]:
    """A record, each entry with the body that is stored for it."""
    record = RECORDS[name]()
    return tuple(zip(record, bodies(record), strict=True))


def stored_lines(name: str) -> list[Line]:
    return [line for _, body in stored(name) for line in lines_of(body)]


def public(line: Line) -> dict[str, Any]:
    """What everybody may read of a stored entry."""
    match line:
        case SealedEntry():
            return dict(json.loads(line.public))
        case PlainEntry():
            return dict(to_builtins(line.entry))
    raise AssertionError("a key is no entry")


def kinds(line: Line) -> list[str]:
    return [event["kind"] for event in public(line)["events"]]


def read_back(lines: Iterable[Line], table: str = "T") -> list[StationEntry]:
    """The entries, by the keys that the lines themselves release."""
    known = list(lines)
    told = {one.commitment: RoundKey.read(one.key) for one in known if isinstance(one, KeyReleased)}
    return [
        line.entry if isinstance(line, PlainEntry) else unsealed(line, table, told[line.commitment])
        for line in known
        if isinstance(line, PlainEntry | SealedEntry)
    ]


# ---------------------------------------------------------------- what the store must not tell


def secret_orders(name: str) -> Iterator[tuple[bytes, list[tuple[int, ...]]]]:
    """At every moment: what the store holds, and the orders that are secret."""
    kept, in_play = b"", 0
    secret: dict[int, e.DeckSealed] = {}
    for entry, body in stored(name):
        kept += body.encode()
        for event in entry.events:
            match event:
                case e.DeckSealed():
                    secret[event.number] = event
                case e.RoundStarted():
                    in_play = event.commitment
                case e.CommitmentAbandoned():
                    secret.pop(event.number, None)
                case r.RoundClosed():
                    secret.pop(in_play, None)
        yield kept, [sealed.order for sealed in secret.values()]


def spellings(cards: tuple[int, ...]) -> list[bytes]:
    """Cards that follow each other, as somebody might write them."""
    texts = [show_card(card) for card in cards]
    plain = [
        bytes(cards),
        json.dumps(cards)[1:-1].encode(),
        json.dumps(cards, separators=(",", ":"))[1:-1].encode(),
        " ".join(map(str, cards)).encode(),
        " ".join(texts).encode(),
        "".join(texts).encode(),
        json.dumps(texts)[1:-1].encode(),
        json.dumps(texts, separators=(",", ":"))[1:-1].encode(),
    ]
    coded = [base64.urlsafe_b64encode(bytes(n) + text)[4:-4] for text in plain for n in range(3)]
    return [*plain, *(text.hex().encode() for text in plain), *coded]


@pytest.mark.parametrize("name", RECORDS)
def test_no_secret_deck_is_readable_in_the_store_at_any_moment(name: str) -> None:
    moments = 0
    for text, orders in secret_orders(name):
        for order in orders:
            moments += 1
            runs = [order[first : first + 12] for first in range(0, 41, 8)]
            assert not [run for run in runs for spelt in spellings(run) if spelt in text]
    assert moments > 10


@pytest.mark.parametrize("name", RECORDS)
def test_no_salt_and_no_key_is_readable_before_its_commitment_is_over(name: str) -> None:
    secret: dict[int, e.DeckSealed] = {}
    kept = b""
    for entry, body in stored(name):
        kept += body.encode()
        for event in entry.events:
            if isinstance(event, e.DeckSealed):
                secret[event.number] = event
        for line in lines_of(body):
            if isinstance(line, KeyReleased):
                over = secret.pop(line.commitment)
                assert line.key == keys().own.key_of("T", line.commitment, over.root).text()
        for number, sealed in secret.items():
            key = keys().own.key_of("T", number, sealed.root)
            raw = bytes.fromhex(key.text().split(".")[1])
            hidden = [raw, *(bytes.fromhex(salt) for salt in sealed.salts)]
            for bits in hidden:
                assert bits.hex().encode() not in kept
                assert base64.urlsafe_b64encode(bits)[:-2] not in kept


@pytest.mark.parametrize("name", RECORDS)
def test_the_root_is_public_and_the_deal_shows_only_how_many_cards_went_where(name: str) -> None:
    seals = deals = 0
    for entry, body in stored(name):
        told = public(lines_of(body)[0])["events"]
        for event, seen in zip(entry.events, told, strict=True):
            if isinstance(event, e.DeckSealed):
                seals += 1
                assert (seen["number"], seen["root"]) == (event.number, event.root)
                assert seen["order"] is seen["salts"] is None
            if isinstance(event, r.CardsDealt):
                deals += 1
                counts = [[place, [None] * len(cards)] for place, cards in event.deliveries]
                assert seen["deliveries"] == counts
    assert seals
    assert deals


def test_what_everybody_can_read_is_the_same_whatever_the_hidden_cards_are() -> None:
    """The same evening with two hidden cards exchanged, as far as nobody is shown one of them."""
    record = ordinary("maryland-2014")
    seal = next(n for n, entry in enumerate(record) if isinstance(entry.action, a.SealDeck))
    deal = next(n for n, entry in enumerate(record) if isinstance(entry.action, a.DealOut))
    dealt = next(ev for ev in record[deal].events if isinstance(ev, r.CardsDealt))
    by_place: dict[str, list[int]] = {}
    for place, cards in dealt.deliveries:
        by_place.setdefault(place, []).extend(cards)
    sealing = record[seal].action
    assert isinstance(sealing, a.SealDeck)
    out = {card for cards in by_place.values() for card in cards}
    stub = next(card for card in sealing.order if card not in out)
    folded, third, last = by_place["5"][0], by_place["community"][0], by_place["community"][-1]
    end = next(n for n, entry in enumerate(record) if isinstance(entry.action, g.Close))
    turns = [n for n, entry in enumerate(record) if isinstance(entry.action, g.Turn)]
    for hidden, until in ((folded, end), (third, turns[0]), (last, turns[2])):
        swapped = {hidden: stub, stub: hidden}
        order = tuple(swapped.get(card, card) for card in sealing.order)
        other = _again(record[:until], seal, replace(sealing, order=order))
        assert other != list(record[:until])
        assert _public(other) == _public(record[:until])


def _again(record: tuple[Entry, ...], index: int, instead: a.SealDeck) -> list[Entry]:
    """The same requests with another deck. Words would cut it elsewhere, so the house's is one of
    those that cut it as deep as before; the players seal and tell theirs for this deck."""
    cut = next(ev for one in record for ev in one.events if isinstance(ev, e.DeckCut) and ev.fixed)
    words = {int(seat): word for seat, word in cut.words.items()}
    for tried in count():
        sealing = replace(instead, word=f"{tried:064x}")
        made = commit("T", 1, sealing.order, sealing.salts, sealing.word)
        if cut_depth(made.root, sealing.word, words, cut.lowest, cut.deepest) == cut.depth:
            break
    day, entries = new_day("T", books()), []
    for number, entry in enumerate(record):
        action = sealing if number == index else entry.action
        if isinstance(action, g.Wager) and action.seal:
            word = words.get(action.seat, "0" * 64)
            action = replace(action, seal=player_seal(made.root, action.seat, word))
        done, day = advance(day, entry.by, action)
        entries.append(done)
    return entries


def _public(entries: list[Entry] | tuple[Entry, ...]) -> list[str]:
    """The entries without what is sealed, and without roots, seals of words and the house's word,
    which are bound to the cards."""
    texts = []
    for body in bodies(tuple(entries)):
        text = public(lines_of(body)[0])
        for part in (text["action"], *text["events"]):
            for name in ("root", "seal", "house"):
                part.pop(name, None)
        texts.append(json.dumps(text))
    return texts


def test_equal_entries_do_not_give_equal_texts_and_the_length_tells_nothing() -> None:
    table = Evening("maryland-2014")
    table.to_seats()
    table.follow_until(lambda day: any(deck.stage == "shuffled" for deck in day.decks.values()))
    name = next(iter(table.day.decks))
    entries = [advance(table.day, *_sealing(table, name))[0] for _ in range(20)]
    assert len({len(_sealed(one)) for one in entries}) == 1
    assert _sealed(entries[0]) != _sealed(entries[0])


def _sealed(entry: Entry) -> str:
    (line,) = lines_of(table_body(as_written(entry), new_station(new_day("T", books())), keys()))
    assert isinstance(line, SealedEntry)
    return line.sealed


def _sealing(table: Evening, deck: str) -> tuple[Actor, a.SealDeck]:
    return SYSTEM, table.seal(deck)


# ---------------------------------------------------------------- and afterwards


@pytest.mark.parametrize("name", RECORDS)
def test_when_all_is_over_the_record_is_read_back_exactly(name: str) -> None:
    """With the released keys alone; the floor's own secret opens what is not over yet."""
    record = [as_written(entry) for entry in RECORDS[name]()]
    lines = stored_lines(name)
    freed = {line.commitment for line in lines if isinstance(line, KeyReleased)}
    over = [x for x in lines if not isinstance(x, SealedEntry) or x.commitment in freed]
    waiting = {x.number for x in lines if isinstance(x, SealedEntry) and x.commitment not in freed}
    assert read_back(over) == [entry for entry in record if entry.number not in waiting]
    all_of_it = [one for _, body in stored(name) for one in read_table_body(body, "T", keys())]
    assert all_of_it == record


def test_a_deck_that_waits_for_a_later_round_stays_sealed_when_the_round_is_over() -> None:
    entries = stored("two decks")
    end = next(
        n
        for n, (entry, _) in enumerate(entries)
        if entry.number > 60 and any(isinstance(event, r.RoundClosed) for event in entry.events)
    )
    kept = [line for _, body in entries[: end + 1] for line in lines_of(body)]
    freed = [line.commitment for line in kept if isinstance(line, KeyReleased)]
    assert freed == [1, 2]
    sealed = [line for line in kept if isinstance(line, SealedEntry) and line.commitment == 3]
    assert [kinds(line) for line in sealed] == [["deck_sealed"]]
    body = next(body for entry, body in entries if entry.number == sealed[0].number)
    with pytest.raises(NotationError) as refusal:
        list(read_table_body(body, "T", Keys(keys().ledger, None)))
    assert refusal.value.code == "stored.sealed"
    others = [line for line in kept if line not in sealed]
    assert len(read_back(others)) == len(kept) - len(freed) - 1


def test_the_key_of_an_abandoned_commitment_is_released() -> None:
    lines = stored_lines("two decks")
    at = next(
        n
        for n, line in enumerate(lines)
        if not isinstance(line, KeyReleased) and "commitment_abandoned" in kinds(line)
    )
    following = lines[at + 1]
    assert isinstance(following, KeyReleased)
    assert following.commitment == 3


def test_physical_cards_are_stored_as_they_are_reported() -> None:
    lines = [line for body in bodies(misread()) for line in lines_of(body)]
    assert all(isinstance(line, PlainEntry) for line in lines)
    assert read_back(lines) == [as_written(entry) for entry in misread()]


# ---------------------------------------------------------------- changed stores


def test_a_changed_or_moved_line_is_noticed() -> None:
    lines = stored_lines("one deck")
    sealed = [line for line in lines if isinstance(line, SealedEntry)]
    line = next(one for one in sealed if "cards_dealt" in kinds(one))
    seal = next(one for one in sealed if "deck_sealed" in kinds(one))
    key = key_of(line)
    for other in (
        replace(line, public=line.public.replace("null", '"Ah"', 1)),
        replace(line, public=line.public.replace('"at":', '"at":1', 1)),
        replace(line, public=line.public.replace('"name":"', '"name":"Eve', 1)),
        replace(line, number=line.number + 1),
        replace(line, sealed=seal.sealed),
        replace(line, sealed=line.sealed[:-2] + "AA"),
        replace(line, sealed=""),
        replace(line, commitment=2),
        replace(line, root=seal.root.replace("0", "1")),
    ):
        assert other != line
        with pytest.raises(RiverboatError):
            unsealed(other, "T", key)
    with pytest.raises(BrokenSeal):
        unsealed(line, "another table", key)
    with pytest.raises(BrokenSeal):
        unsealed(line, "T", keys().own.key_of("T", line.commitment + 1, line.root))


@pytest.mark.parametrize("text", ["", "{}", '[{"line": "entry"}]', "[1]", "[[]]"])
def test_what_is_no_line_of_a_store_is_refused(text: str) -> None:
    with pytest.raises(RiverboatError):
        lines_of(text)
