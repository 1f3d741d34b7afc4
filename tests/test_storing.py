"""The stored record tells nobody a card before its time, and everybody everything afterwards."""

import base64
import json
from collections.abc import Callable, Iterator
from functools import cache

import pytest
from msgspec.structs import replace

from riverboat import events as r
from riverboat.cards import show_card
from riverboat.errors import RiverboatError
from riverboat.evidence.storing import (
    KeyRing,
    Released,
    Stored,
    StoredLine,
    decode_line,
    encode_line,
    read_back,
    stored_entry,
)
from riverboat.games import actions as g
from riverboat.sealing import BrokenSeal, RoundKey
from riverboat.shuffling import scripted_entropy
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.day import new_day
from riverboat.table.engine import advance
from riverboat.table.events import Entry
from riverboat.table.people import SYSTEM, Actor
from tests.day_player import books
from tests.round_files import Evening, eventful, forced, misread, ordinary

RECORDS: dict[str, Callable[[], tuple[Entry, ...]]] = {
    "two decks": eventful,
    "one deck": lambda: ordinary("maryland-2014"),
    "a dealer's hand": lambda: ordinary("island-stud"),
    "six card box": lambda: ordinary("six card bonus"),
    "a forced deck": forced,
}


def ring(seed: str = "keys") -> KeyRing:
    entropy = scripted_entropy(seed)
    return KeyRing("T", fresh=lambda: RoundKey.fresh(entropy))


@cache
def stored(name: str) -> tuple[tuple[Entry, tuple[StoredLine, ...]], ...]:
    """A record, each entry with the lines that are stored for it."""
    keys = ring()
    return tuple((entry, tuple(keys.store(entry))) for entry in RECORDS[name]())


def lines_of(name: str) -> list[StoredLine]:
    return [line for _, lines in stored(name) for line in lines]


# ---------------------------------------------------------------- what the store must not tell


def secret_orders(name: str) -> Iterator[tuple[bytes, list[tuple[int, ...]]]]:
    """At every moment: what the store holds, and the orders that are secret."""
    kept, in_play = b"", 0
    secret: dict[int, e.DeckSealed] = {}
    for entry, lines in stored(name):
        kept += b"".join(encode_line(line) + b"\n" for line in lines)
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
    entropy = scripted_entropy("keys")
    keys: dict[int, RoundKey] = {}
    secret: dict[int, e.DeckSealed] = {}
    kept = b""
    for entry, lines in stored(name):
        kept += b"\n".join(encode_line(line) for line in lines)
        for event in entry.events:
            if isinstance(event, e.DeckSealed):
                keys[event.number] = RoundKey.fresh(entropy)
                secret[event.number] = event
        for line in lines:
            if isinstance(line, Released):
                assert line.key == keys[line.commitment].text()
                del secret[line.commitment]
        for number, sealed in secret.items():
            raw = bytes.fromhex(keys[number].text().split(".")[1])
            hidden = [raw, *(bytes.fromhex(salt) for salt in sealed.salts)]
            for bits in hidden:
                assert bits.hex().encode() not in kept
                assert base64.urlsafe_b64encode(bits)[:-2] not in kept


@pytest.mark.parametrize("name", RECORDS)
def test_the_root_is_public_and_the_deal_shows_only_how_many_cards_went_where(name: str) -> None:
    seals = deals = 0
    for entry, lines in stored(name):
        line = lines[0]
        assert isinstance(line, Stored)
        for event, public in zip(entry.events, json.loads(line.text)["events"], strict=True):
            if isinstance(event, e.DeckSealed):
                seals += 1
                assert (public["number"], public["root"]) == (event.number, event.root)
                assert public["order"] is public["salts"] is None
            if isinstance(event, r.CardsDealt):
                deals += 1
                counts = [[place, [None] * len(cards)] for place, cards in event.deliveries]
                assert public["deliveries"] == counts
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
    """The same requests with another deck; a word would cut it elsewhere, so a depth is given."""
    day, entries = new_day("T", books()), []
    for number, entry in enumerate(record):
        action = instead if number == index else entry.action
        if isinstance(action, a.CutByPlayer):
            cut = entry.events[0]
            assert isinstance(cut, e.DeckCut)
            action = a.CutByPlayer(depth=cut.depth)
        done, day = advance(day, entry.by, action)
        entries.append(done)
    return entries


def _public(entries: list[Entry] | tuple[Entry, ...]) -> list[str]:
    """The lines without what is sealed, roots (which are bound to the cards) and words of cuts."""
    keys = ring()
    lines = [line for entry in entries for line in keys.store(entry)]
    texts = []
    for line in lines:
        assert isinstance(line, Stored)
        text = json.loads(line.text)
        for part in (text["action"], *text["events"]):
            part.pop("root", None)
            if part.get("do", part.get("kind")) in ("cut_by_player", "deck_cut"):
                part.pop("nonce")
                part.pop("depth")
        texts.append(json.dumps([line.number, line.at, line.kinds, text]))
    return texts


def test_equal_entries_do_not_give_equal_texts_and_the_length_tells_nothing() -> None:
    table = Evening("maryland-2014")
    table.to_seats()
    table.follow_until(lambda day: any(deck.stage == "shuffled" for deck in day.decks.values()))
    key = RoundKey.fresh(scripted_entropy("one"))
    name = next(iter(table.day.decks))
    entries = [advance(table.day, *_sealing(table, name))[0] for _ in range(20)]
    sealed = [stored_entry(one, key, table="T", commitment=1).sealed for one in entries]
    assert len({len(text) for text in sealed}) == 1
    again = [stored_entry(entries[0], key, table="T", commitment=1).sealed for _ in range(2)]
    assert again[0] != again[1]


def _sealing(table: Evening, deck: str) -> tuple[Actor, a.SealDeck]:
    return SYSTEM, table.seal(deck)


# ---------------------------------------------------------------- and afterwards


@pytest.mark.parametrize("name", RECORDS)
def test_when_all_is_over_the_record_is_read_back_exactly(name: str) -> None:
    record = RECORDS[name]()
    entropy = scripted_entropy("keys")
    made = [ev for entry in record for ev in entry.events if isinstance(ev, e.DeckSealed)]
    keys = {sealed.number: RoundKey.fresh(entropy) for sealed in made}
    freed = {line.commitment for line in lines_of(name) if isinstance(line, Released)}
    waiting = {number: key for number, key in keys.items() if number not in freed}
    lines = [decode_line(encode_line(line)) for line in lines_of(name)]
    assert read_back(lines, table="T", keys=waiting) == list(record)


def test_a_deck_that_waits_for_a_later_round_stays_sealed_when_the_round_is_over() -> None:
    lines = lines_of("two decks")
    end = next(
        n
        for n, line in enumerate(lines)
        if isinstance(line, Stored) and "round_closed" in line.kinds and line.number > 60
    )
    kept = lines[: end + 2]
    freed = [line.commitment for line in kept if isinstance(line, Released)]
    assert freed == [1, 2]
    sealed = [line for line in kept if isinstance(line, Stored) and line.commitment == 3]
    assert [line.kinds for line in sealed] == [("deck_sealed",)]
    with pytest.raises(BrokenSeal) as refusal:
        read_back(kept, table="T")
    assert refusal.value.code == "stored.sealed"
    others = [line for line in kept if line not in sealed]
    assert len(read_back(others, table="T")) == len(kept) - len(freed) - 1


def test_the_key_of_an_abandoned_commitment_is_released() -> None:
    lines = lines_of("two decks")
    at = next(
        n
        for n, line in enumerate(lines)
        if isinstance(line, Stored) and "commitment_abandoned" in line.kinds
    )
    following = lines[at + 1]
    assert isinstance(following, Released)
    assert following.commitment == 3


def test_physical_cards_are_stored_as_they_are_reported() -> None:
    keys = ring()
    lines = [line for entry in misread() for line in keys.store(entry)]
    assert all(isinstance(line, Stored) and not line.sealed for line in lines)
    assert read_back(lines, table="T") == list(misread())


def test_without_its_key_nothing_is_stored_rather_than_in_plain_text() -> None:
    record = ordinary("maryland-2014")
    dealt = next(entry for entry in record if isinstance(entry.action, a.DealOut))
    with pytest.raises(BrokenSeal) as refusal:
        KeyRing("T", in_play=1).store(dealt)
    assert refusal.value.code == "stored.no_key"


def test_a_new_key_is_kept_before_anything_is_sealed_with_it_and_play_goes_on_from_it() -> None:
    record = ordinary("maryland-2014")
    safe: dict[int, RoundKey] = {}
    first = KeyRing("T", keep=safe.__setitem__)
    deal = next(n for n, entry in enumerate(record) if isinstance(entry.action, a.DealOut))
    end = next(n for n, entry in enumerate(record) if isinstance(entry.action, g.Close))
    lines = [line for entry in record[:deal] for line in first.store(entry)]
    assert set(safe) == {1}
    second = KeyRing("T", keys=safe, in_play=1)
    lines += [line for entry in record[deal : end + 1] for line in second.store(entry)]
    assert read_back(lines, table="T") == list(record[: end + 1])


# ---------------------------------------------------------------- changed stores


def test_a_changed_or_moved_line_is_noticed() -> None:
    lines = lines_of("one deck")
    at, line = next(
        (n, x) for n, x in enumerate(lines) if isinstance(x, Stored) and "cards_dealt" in x.kinds
    )
    assert isinstance(line, Stored)
    seal = next(x for x in lines if isinstance(x, Stored) and "deck_sealed" in x.kinds)
    for other in (
        replace(line, text=line.text.replace("null", '"Ah"', 1)),
        replace(line, at=line.at + 1),
        replace(line, number=line.number + 1),
        replace(line, kinds=(*line.kinds, "round_closed")),
        replace(line, by=replace(line.by, name="Eve")),
        replace(line, sealed=seal.sealed),
        replace(line, sealed=line.sealed[:-2] + "AA"),
        replace(line, sealed=""),
        replace(line, commitment=2),
    ):
        with pytest.raises(RiverboatError):
            read_back([*lines[:at], other, *lines[at + 1 :]], table="T")
    with pytest.raises(BrokenSeal):
        read_back(lines, table="another table")


@pytest.mark.parametrize("text", [b"", b"{}", b'{"line": "entry"}', b"[1]", b"\xff"])
def test_what_is_no_line_of_a_store_is_refused(text: bytes) -> None:
    with pytest.raises(RiverboatError):
        decode_line(text)
