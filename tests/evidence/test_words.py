"""Whose words cut the deck: by what a house that lies about it is caught, and what is only said."""

import json
from typing import Any

import pytest

from riverboat.core.cards import parse_card
from riverboat.core.fairness import commit, cut_depth, player_seal
from riverboat.evidence.round_check import ALONE
from riverboat.table import actions as a
from tests.evidence.forging import ROUNDS, Document, another, changed, forged
from tests.support.round_files import Evening, failed, ordinary, text_of, verified

ROUND = "the dealer cut before the bets"
"""Seats 2 and 5 sealed words, and only seat 2 told its own."""
LIE = "cd" * 32


def document_of(name: str = ROUND) -> Document:
    document: Document = json.loads(ROUNDS[name]())
    return document


def entry_of(document: Document, action: str) -> Document:
    found: Document = next(e for e in document["entries"] if e["action"]["do"] == action)
    return found


def note_of(document: Document) -> str:
    checks = verified(forged(document)).checks
    return next(check.note for check in checks if check.what == "cuts")


def everywhere(document: Document, old: str, new: str) -> Document:
    told: Document = json.loads(json.dumps(document).replace(old, new))
    return told


# ---------------------------------------------------------------- what is said


def test_the_check_says_whose_words_cut_the_deck_and_who_withheld_one() -> None:
    document = document_of()
    assert verified(forged(document)).holds
    note = note_of(document)
    assert "by the house's word and those of seats 2" in note
    assert "WITHHELD after 2 s: the words of seats 5" in note


def test_a_cut_by_the_house_alone_says_that_it_proves_nothing() -> None:
    table = Evening("maryland-2014")
    table.to_seats()
    table.to_round()
    table.bet()
    table.to_deal()
    table.finish()
    document = json.loads(text_of(tuple(table.record), 1))
    assert verified(forged(document)).holds
    assert ALONE in note_of(document)


def test_a_void_after_the_words_were_told_says_so_and_shows_what_would_have_been_dealt() -> None:
    document = document_of("voided after the words were told")
    assert verified(forged(document)).holds
    assert "NOT DEALT although the house could know where it was cut" in note_of(document)
    made, told = document["commitment"], [e for e in document["entries"] if "word" in e["action"]]
    words = {e["action"]["seat"]: e["action"]["word"] for e in told}
    assert sorted(words) == [2, 5]
    assert 10 <= cut_depth(made["root"], made["word"], words, 10, 51) <= 51
    assert None not in made["order"]


# ---------------------------------------------------------------- a house that lies


def test_a_house_that_draws_another_word_after_the_bets_is_caught_by_its_own_root() -> None:
    document = document_of()
    lied = everywhere(document, document["commitment"]["word"], LIE)
    assert failed(verified(forged(lied)))["root"] == ["commitment: house"]
    made = document["commitment"]
    order, salts = [parse_card(c) for c in made["order"]], made["salts"]
    redrawn = commit(document["table"], made["number"], order, salts, LIE)
    lied = everywhere(lied, made["house"], redrawn.house)
    assert failed(verified(forged(lied)))["root"] == ["commitment: root"]
    lied = everywhere(lied, made["root"], redrawn.root)
    found = failed(verified(forged(lied)))
    assert "root" not in found, "it is a commitment, but not the one that the players sealed for"
    assert any(where.startswith("entry ") for where in found["cuts"])


def test_a_house_that_leaves_out_a_word_that_was_told_is_caught() -> None:
    document = document_of()
    made, cut = document["commitment"], document["cuts"][-1]
    depth = cut_depth(made["root"], made["word"], {}, cut["lowest"], cut["deepest"])
    event = entry_of(document, "fix_cut")["events"][0]
    for one in (cut, event):
        one |= {"words": {}, "withheld": [2, 5], "depth": depth}
    found = failed(verified(forged(document)))
    assert found["entries"] == [f"entry {cut['entry']}: events[0].depth"]
    entry_of(document, "fix_cut")["action"]["without"] = [2, 5]
    found = failed(verified(forged(document)))
    assert found["entries"] == [f"entry {cut['entry']}"], "the word is on record before it"


def test_a_word_that_is_put_into_a_players_mouth_is_caught() -> None:
    document = document_of()
    lied = everywhere(document, entry_of(document, "tell_word")["action"]["word"], LIE)
    found = failed(verified(forged(lied)))
    assert any(where.startswith("entry ") for where in found["cuts"])
    seal = entry_of(document, "wager")["action"]["seal"]
    lied = everywhere(lied, seal, player_seal(document["commitment"]["root"], 2, LIE))
    cut = lied["cuts"][-1]
    made = lied["commitment"]
    right = cut_depth(made["root"], made["word"], {2: LIE}, cut["lowest"], cut["deepest"])
    if right != cut["depth"]:
        assert "cuts" in failed(verified(forged(lied)))
    for one in (cut, entry_of(lied, "fix_cut")["events"][0]):
        one["depth"] = right
    if right != document["cuts"][-1]["depth"]:
        assert "deal" in failed(verified(forged(lied))), "the cards were dealt from another place"


def test_a_house_that_never_wrote_a_told_word_down_has_the_seal_against_it() -> None:
    """Its record is true to itself; it says that seat 2 withheld a word, and has the seal of the
    word that the player kept: the page shows that, and whoever is shown the word can check it."""
    table = Evening("maryland-2014")
    table.to_seats()
    table.to_round()
    table.bet((2, 5))
    table.to_deal(told=(5,))
    table.finish()
    document = json.loads(text_of(tuple(table.record), 1))
    assert verified(forged(document)).holds
    assert "WITHHELD after 2 s: the words of seats 2" in note_of(document)
    root, seals = (
        document["commitment"]["root"],
        [e["action"].get("seal") for e in document["entries"]],
    )
    assert player_seal(root, 2, table.words[2]) in seals


# ---------------------------------------------------------------- two fields that nothing bound


@pytest.mark.parametrize("name", ["programs at a demo table", ROUND, "a forced deck"])
def test_whether_a_program_acted_cannot_be_changed(name: str) -> None:
    document, tried = document_of(name), 0
    assert verified(forged(document)).holds
    for index, entry in enumerate(document["entries"]):
        place = ("entries", index, "by", "automatic")
        lied = changed(document, place, not entry["by"]["automatic"])
        assert not verified(forged(lied)).holds, entry["action"]
        tried += 1
    for index, seat in enumerate(document["before"]["programs"]):
        lied = changed(document, ("before", "programs", index), seat + 1)
        assert not verified(forged(lied)).holds
    assert tried > 5
    assert {entry["by"]["automatic"] for entry in document["entries"]} == {True, False}


@pytest.mark.parametrize("name", list(ROUNDS))
def test_where_the_commitments_of_a_round_begin_cannot_be_changed(name: str) -> None:
    document = document_of(name)
    assert verified(forged(document)).holds
    listed = document["commitments"]
    for first in {listed["first"] - 1, listed["first"] + 1, listed["last"]} - {listed["first"]}:
        lied = changed(document, ("commitments", "first"), first)
        assert "numbers" in failed(verified(forged(lied))), (name, first)
    for index, made in enumerate(listed["each"]):
        lied = changed(document, ("commitments", "each", index, "waited"), not made["waited"])
        assert "numbers" in failed(verified(forged(lied))), (name, made)


def test_every_field_of_words_seals_and_cuts_is_bound() -> None:
    document = document_of()
    places: list[tuple[Any, ...]] = [("commitment", "house"), ("commitment", "word")]
    last = len(document["cuts"]) - 1
    places += [("cuts", last, field) for field in document["cuts"][last] if field != "words"]
    places += [("cuts", last, "words", "2"), ("cuts", last, "withheld", 0)]
    for index, entry in enumerate(document["entries"]):
        if entry["action"]["do"] in ("wager", "tell_word", "fix_cut"):
            fields = [f for f in ("seal", "word", "seconds") if f in entry["action"]]
            places += [("entries", index, "action", field) for field in fields]
    for place in places:
        value: Any = document
        for key in place:
            value = value[key]
        lied = changed(document, place, [] if isinstance(value, list) else another(value))
        assert not verified(forged(lied)).holds, place
    assert len(places) > 15


def test_two_rounds_have_other_words() -> None:
    record = ordinary("maryland-2014")
    told = [e.action.word for e in record if isinstance(e.action, a.TellWord)]
    assert len(set(told)) == len(told) == 2
    assert all(len(word) == 64 for word in told)
