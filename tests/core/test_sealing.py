"""What is stored before a round is over shows no card, and cannot be changed or moved unseen."""

import base64
import json
import os
import re
from itertools import combinations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.core.cards import show_card, show_cards
from riverboat.core.errors import RiverboatError
from riverboat.core.fairness import Opening
from riverboat.core.sealing import (
    BLOCK_BYTES,
    KEY_BYTES,
    BrokenSeal,
    RoundKey,
    place_of,
    seal,
    unseal,
)
from riverboat.core.shuffling import fresh_salts, scripted_entropy, shuffle
from riverboat.floor.secret import MasterSecret

ENTROPY = scripted_entropy("the tests of the seals")
ORDER = shuffle(ENTROPY)
SALTS = fresh_salts(ENTROPY)
KEY = RoundKey(ENTROPY(KEY_BYTES))
ROOT = "5" * 64
PLACE = place_of("Table 7", 4711, ROOT, 3)
EVENT = json.dumps({"event": "shuffled", "order": ORDER, "salts": SALTS}).encode()
SEALED = seal(KEY, EVENT, PLACE)


def plain_spellings(order: tuple[int, ...]) -> dict[str, bytes]:
    """An order as somebody might have stored it."""
    texts = [show_card(card) for card in order]
    openings = [Opening(position=n, card=card, salt=SALTS[n]) for n, card in enumerate(order)]
    return {
        "bytes": bytes(order),
        "numbers": " ".join(map(str, order)).encode(),
        "JSON numbers": json.dumps(order)[1:-1].encode(),
        "JSON numbers, tight": json.dumps(order, separators=(",", ":"))[1:-1].encode(),
        "text": show_cards(order).encode(),
        "text without blanks": "".join(texts).encode(),
        "JSON text": json.dumps(texts)[1:-1].encode(),
        "msgpack": msgspec.msgpack.encode(order),
        "openings": msgspec.json.encode(openings),
    }


def coded_spellings(order: tuple[int, ...]) -> list[bytes]:
    """Every plain spelling, also in hexadecimal and base64, wherever in a stored text it starts."""
    coded = []
    for text in plain_spellings(order).values():
        coded += [text, text.hex().encode()]
        coded += [base64.urlsafe_b64encode(bytes(before) + text)[4:-4] for before in range(3)]
    return coded


def holds(stored: bytes, spelling: bytes) -> bool:
    """Whether a spelling occurs in a stored text, as it stands or as any of its parts decodes."""
    decoded = (base64.urlsafe_b64decode(part + b"==") for part in stored.split(b"."))
    return spelling in stored or any(spelling in data for data in decoded)


# ---------------------------------------------------------------- nothing shows


def test_what_was_sealed_comes_back_with_its_key_at_its_place() -> None:
    assert unseal(KEY, SEALED, PLACE) == EVENT


@pytest.mark.parametrize("name", plain_spellings(ORDER))
def test_an_order_stored_under_seal_is_found_in_no_spelling_nor_are_twelve_cards_of_it(
    name: str,
) -> None:
    stored = seal(KEY, plain_spellings(ORDER)[name], PLACE).encode()
    runs = [ORDER, *(ORDER[start : start + 12] for start in range(41))]
    assert not any(holds(stored, spelling) for run in runs for spelling in coded_spellings(run))


def test_the_same_search_finds_an_order_that_is_stored_openly() -> None:
    for spelling in coded_spellings(ORDER[20:32]):
        assert holds(b"before" + spelling + b"after", spelling)
        assert holds(b"sealed1." + base64.urlsafe_b64encode(b"??" + spelling), spelling)


def test_stored_text_holds_no_salt_and_not_the_key() -> None:
    secret = KEY.text().removeprefix("roundkey1.")
    for hidden in (*SALTS, secret):
        assert not holds(SEALED.encode(), hidden.encode())
        assert not holds(SEALED.encode(), bytes.fromhex(hidden))


def test_the_same_text_sealed_again_looks_different_in_every_part_but_the_key_s_name() -> None:
    texts = [seal(KEY, EVENT, PLACE).split(".") for _ in range(50)]
    assert {tuple(words[:2]) for words in texts} == {tuple(SEALED.split(".")[:2])}
    assert len({words[2] for words in texts}) == len({words[3] for words in texts}) == 50


def test_the_length_does_not_tell_low_cards_from_high_ones() -> None:
    low, high = [json.dumps(cards).encode() for cards in ([1, 2, 3], [41, 42, 43])]
    assert len(low) != len(high)
    assert len(seal(KEY, low, PLACE)) == len(seal(KEY, high, PLACE))


@given(st.binary(max_size=3 * BLOCK_BYTES))
def test_any_text_comes_back_as_it_was(text: bytes) -> None:
    assert unseal(KEY, seal(KEY, text, PLACE), PLACE) == text


@pytest.mark.parametrize("length", [0, 1, 251, 252, 253, 508, 509])
def test_texts_that_just_fill_a_block_come_back_as_they_were(length: int) -> None:
    for byte in (b"\x00", b"\xff"):
        assert unseal(KEY, seal(KEY, byte * length, PLACE), PLACE) == byte * length


# ---------------------------------------------------------------- changes and moves


def test_every_changed_letter_is_noticed() -> None:
    for place, letter in enumerate(SEALED):
        other = "A" if letter != "A" else "B"
        with pytest.raises(BrokenSeal):
            unseal(KEY, SEALED[:place] + other + SEALED[place + 1 :], PLACE)


def test_another_spelling_of_the_same_base64_is_noticed() -> None:
    """The last letter of a part has bits that a lenient decoder drops."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    head, fingerprint, rest = SEALED.split(".", 2)
    other = fingerprint[:-1] + letters[letters.index(fingerprint[-1]) ^ 1]
    assert base64.urlsafe_b64decode(other + "=") == base64.urlsafe_b64decode(fingerprint + "=")
    with pytest.raises(BrokenSeal, match="no base64url"):
        unseal(KEY, f"{head}.{other}.{rest}", PLACE)


def test_a_shortened_or_lengthened_text_is_noticed() -> None:
    for text in [SEALED[:length] for length in range(len(SEALED))] + [
        SEALED + "A",
        SEALED + "AAAA",
    ]:
        with pytest.raises(BrokenSeal):
            unseal(KEY, text, PLACE)


@pytest.mark.parametrize(
    "text",
    ["", "sealed1", "sealed1...", "sealed2" + SEALED[7:], "a.b.c.d", "ü.ü.ü.ü", "=.=.=.="],
    ids=("empty", "version alone", "dots", "another version", "letters", "no base64", "padding"),
)
def test_text_that_is_not_sealed_is_refused_in_words(text: str) -> None:
    with pytest.raises(BrokenSeal, match="no sealed text") as refusal:
        unseal(KEY, text, PLACE)
    assert refusal.value.code == "sealed.form"


@given(st.text())
def test_no_text_whatever_leads_to_anything_but_a_refusal(text: str) -> None:
    for sealed in (text, f"sealed1.{text}", SEALED.rsplit(".", 1)[0] + f".{text}"):
        with pytest.raises(RiverboatError):
            unseal(KEY, sealed, PLACE)


def test_an_entry_is_not_accepted_in_another_s_place() -> None:
    places = [
        place_of("Table 7", 4711, ROOT, 3),
        place_of("Table 7", 4711, ROOT, 4),
        place_of("Table 7", 4712, ROOT, 3),
        place_of("Table 8", 4711, ROOT, 3),
        place_of("Table 74", 711, ROOT, 3),
        place_of("Table 7", 47, ROOT, 113),
        place_of("Table 7", 4711, "6" * 64, 3),
        b"",
    ]
    for own, other in [*combinations(places, 2), *combinations(reversed(places), 2)]:
        sealed = seal(KEY, EVENT, own)
        assert unseal(KEY, sealed, own) == EVENT
        with pytest.raises(BrokenSeal) as refusal:
            unseal(KEY, sealed, other)
        assert refusal.value.code == "sealed.changed"


def test_two_entries_exchanged_are_both_refused() -> None:
    entries = [seal(KEY, b"entry %d" % n, place_of("Table 7", 4711, ROOT, n)) for n in (1, 2)]
    for n, sealed in zip((1, 2), reversed(entries), strict=True):
        with pytest.raises(BrokenSeal):
            unseal(KEY, sealed, place_of("Table 7", 4711, ROOT, n))


def test_another_round_s_key_is_named_as_the_wrong_key() -> None:
    with pytest.raises(BrokenSeal, match="another key") as refusal:
        unseal(RoundKey(os.urandom(KEY_BYTES)), SEALED, PLACE)
    assert refusal.value.code == "sealed.other_key"


def test_the_fingerprint_of_another_key_does_not_make_that_key_fit() -> None:
    other = RoundKey(os.urandom(KEY_BYTES))
    words = SEALED.split(".")
    words[1] = seal(other, b"", PLACE).split(".")[1]
    with pytest.raises(BrokenSeal) as refusal:
        unseal(other, ".".join(words), PLACE)
    assert refusal.value.code == "sealed.changed"


# ---------------------------------------------------------------- the key


def test_a_released_key_opens_what_was_sealed() -> None:
    assert re.fullmatch("roundkey1[.][0-9a-f]{64}", KEY.text())
    released = RoundKey.read(KEY.text())
    assert released == KEY
    assert hash(released) == hash(KEY)
    assert unseal(released, SEALED, PLACE) == EVENT


def test_every_round_has_a_key_of_its_own() -> None:
    secret = MasterSecret.fresh().of("floor")
    keys = [secret.key_of("Table 7", number, ROOT) for number in range(100)]
    assert len({key.text() for key in keys}) == 100
    assert keys[0] != keys[1]


def test_a_key_does_not_slip_into_a_log_or_into_json() -> None:
    secret = KEY.text().removeprefix("roundkey1.")
    assert secret not in f"{KEY} {KEY!r} {[KEY]} {vars(RoundKey)}"
    with pytest.raises(TypeError):
        msgspec.json.encode(KEY)
    with pytest.raises(TypeError):
        json.dumps(KEY)


@pytest.mark.parametrize(
    "text", ["", "roundkey1.", "00" * 32, "roundkey1." + "0" * 63, "roundkey1." + "AA" * 32]
)
def test_text_that_is_no_key_is_refused_without_being_repeated(text: str) -> None:
    with pytest.raises(BrokenSeal) as refusal:
        RoundKey.read(text)
    assert refusal.value.code == "key.form"
    assert "AA" not in str(refusal.value)
    assert "00" not in str(refusal.value)


def test_a_key_of_another_length_is_refused() -> None:
    with pytest.raises(BrokenSeal, match="31 bytes"):
        RoundKey(bytes(31))
