"""A finished round in a file: what is true passes, and whatever is changed is found, and where.

A careful forger writes the hash of the whole document anew. These tests do so too, and say which
few things only that hash protects.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from riverboat.cli import run
from riverboat.core.cards import DECK, show_card
from riverboat.core.errors import NotationError
from riverboat.core.fairness import commit
from riverboat.core.shuffling import fresh_salts, scripted_entropy
from riverboat.evidence.round_check import verify_round, verify_together
from riverboat.evidence.round_export import export_round
from riverboat.evidence.round_file import (
    RoundFile,
    document_hash,
    laid_out,
    read_round,
    write_round,
)
from riverboat.scripts.day_library import play_days
from riverboat.table.events import Entry
from tests.conftest import Report
from tests.support.day_player import books, tables
from tests.support.round_files import (
    by_hand,
    eventful,
    failed,
    forced,
    misread,
    ordinary,
    text_of,
    verified,
)

Path_: TypeAlias = tuple[str | int, ...]
Document: TypeAlias = dict[str, Any]

CARDS = [show_card(card) for card in DECK]

ROUNDS: dict[str, Callable[[], str]] = {
    "two decks, time, a card face up, a change, a correction": lambda: text_of(eventful(), 2),
    "a commitment was abandoned": lambda: text_of(eventful(), 3),
    "a player's version": lambda: text_of(eventful(), 2, 2),
    "a folded player's version": lambda: text_of(ordinary("maryland-2014"), 2, 5),
    "the dealer cut before the bets": lambda: text_of(ordinary("maryland-2014"), 2),
    "a dealer's hand": lambda: text_of(ordinary("island-stud"), 2),
    "a forced deck": lambda: text_of(forced(), 1),
    "physical cards, misread": lambda: text_of(misread(), 1),
    "physical cards, a player's version": lambda: text_of(misread(), 1, 2),
    "finished by hand": lambda: text_of(by_hand(), 1),
}
QUICK = ("two decks, time, a card face up, a change, a correction", "physical cards, misread")
SLOW = ("a player's version", "the dealer cut before the bets")
EVERY_ROUND = [
    *QUICK,
    *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW),
    *(pytest.param(name, marks=pytest.mark.soak) for name in ROUNDS if name not in (*QUICK, *SLOW)),
]
PHYSICAL = {name for name in ROUNDS if name.startswith(("physical", "finished"))}

ONLY_THE_HASH = {
    "riverboat": "which program wrote it",
    "before.date": "a gaming day's name",
    "before.decks.*.back": "a colour",
    "before.decks.*.design": "a design",
    "before.decks.*.method": "how a deck was shuffled that may be cut anyhow",
    "before.decks.*.first_used_at": "a time",
    "before.decks.*.is_cut": "whether the dealer cut, where the player does so again",
    "before.last_deck": "the deck of the round before",
    "before.rounds_since_count": "rounds before this one",
    "before.configurations": "proposals before this one",
    "before.proposals.*.number": "a proposal that waits",
    "before.proposals.*.by": "who made it",
    "commitment.forced": "who ordered the deck of a test table; what it was is fixed",
    "commitments.first": "where the round before ended: several files show it",
    "commitments.each.*.deck": "the name of an abandoned deck",
    "commitments.each.*.root": "the root of an abandoned deck: several files show it",
    "commitments.each.*.entry": "when an abandoned deck was sealed",
    "commitments.each.*.reason": "why it was abandoned",
    "cuts.*.entry": "when the dealer cut before the bets",
    "cuts.*.by": "the name of the dealer who did",
    "entries.*.action.instrument": "what a wager was made with, where all is allowed",
    "entries.*.by.automatic": "whether a program acted, where both may",
    "entries.*.by.name": "a name that nothing else depends on",
    "entries.*.number": "the place of a correction in the record, after the round",
    "entries.*.at": "the time of a correction",
}
ONLY_THE_HASH_UNCOMMITTED = {
    "table": "a name; without a commitment nothing is bound to it",
    "before.decks.*.depths.*": "a cut of cards that nobody committed to",
    "cuts.*.depth": "the same",
}


# ---------------------------------------------------------------- changing documents


def leaves(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, Any]]:
    """Every number, text, truth and null of a document."""
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in pairs:
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def another(value: Any) -> Any:
    """A value of the same kind that is not the same."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case None:
            return "Ah"
        case str() if value in CARDS:
            return CARDS[(CARDS.index(value) + 7) % 52]
        case str() if re.fullmatch("[0-9a-f]{64}", value):
            return ("1" if value[0] == "0" else "0") + value[1:]
    return f"{value}x"


def changed(document: Document, path: Path_, value: Any) -> Document:
    """A copy with one value changed."""
    copy: Document = json.loads(json.dumps(document))
    inner: Any = copy
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    return copy


def forged(document: Document) -> str:
    """The document with its hash written anew."""
    return laid_out({**document, "sha256": document_hash(document)})


def place(path: Path_) -> str:
    """A place in a document, whichever item of a list it is."""
    return ".".join("*" if isinstance(key, int) else key for key in path)


# ---------------------------------------------------------------- what is true passes


@pytest.mark.parametrize("name", ROUNDS)
def test_a_true_round_passes_and_its_file_is_read_back_as_it_was_written(name: str) -> None:
    text = ROUNDS[name]()
    result = verified(text)
    assert result.error == ""
    assert failed(result) == {}
    assert result.holds
    assert laid_out(read_round(text.encode())[1]) == text


@pytest.mark.parametrize("name", tables())
def test_every_kind_of_table_writes_rounds_that_pass(name: str) -> None:
    record = ordinary(name)
    for number in (1, 2):
        for seat in (None, 2, 5):
            assert failed(verified(text_of(record, number, seat))) == {}


def test_a_committed_round_is_checked_in_full() -> None:
    result = verified(ROUNDS["the dealer cut before the bets"]())
    assert [(check.what, check.result) for check in result.checks] == [
        (what, "ok")
        for what in (
            "document",
            "heading",
            "rulebook",
            "configuration",
            "order",
            "leaves",
            "root",
            "numbers",
            "cuts",
            "deal",
            "entries",
            "money",
            "left out",
        )
    ]


def test_physical_cards_are_marked_uncommitted_and_what_that_leaves_unchecked_is_said() -> None:
    text = ROUNDS["physical cards, misread"]()
    document = json.loads(text)
    assert (document["fairness"], document["commitment"]) == ("uncommitted", None)
    result = verified(text)
    unchecked = {check.what: check.note for check in result.checks if check.result != "ok"}
    assert set(unchecked) == {"order", "leaves", "root", "deal"}
    assert set(unchecked.values()) == {"physical cards: this round is uncommitted"}


def test_the_file_holds_what_an_auditor_needs() -> None:
    document = json.loads(ROUNDS["two decks, time, a card face up, a change, a correction"]())
    assert document["format"] == "riverboat round"
    assert [entry["action"]["do"] for entry in document["entries"]][:1] == ["start_round"]
    assert document["entries"][-1]["action"]["do"] == "correct"
    assert len(document["commitment"]["leaves"]) == 52
    assert sorted(document["commitment"]["order"]) == sorted(CARDS)
    assert len(document["left_out"]) == 1
    assert [cut["nonce"] for cut in document["cuts"]] == ["for luck"]
    later = document["commitments"]["each"][-1]
    assert later["fate"] == "waiting"
    sealing = next(e for e in document["entries"] if e["action"]["do"] == "seal_deck")
    assert sealing["action"]["order"] is sealing["action"]["salts"] is None
    assert sealing["events"][0]["order"] is sealing["events"][0]["salts"] is None
    assert sealing["events"][0]["root"] == later["root"]


def test_a_test_tables_round_says_so() -> None:
    document = json.loads(ROUNDS["a forced deck"]())
    assert document["test"] is True
    assert document["commitment"]["forced"] is True
    assert all(entry["test"] for entry in document["entries"])


def test_a_round_that_is_not_over_or_not_there_is_not_written() -> None:
    record = ordinary("maryland-2014")
    end = next(n for n, entry in enumerate(record) if "round_closed" in kinds(entry))
    for entries, number, code in (
        (record[:end], 1, "export.not_over"),
        (record, 9, "export.no_round"),
        (record[: end + 1], 2, "export.no_round"),
    ):
        with pytest.raises(NotationError) as refusal:
            export_round(entries, number, table="T", books=books())
        assert refusal.value.code == code
    with pytest.raises(NotationError) as refusal:
        export_round(record, 1, table="T", books=books(), seat=3)
    assert refusal.value.code == "export.no_seat"


def kinds(entry: Entry) -> list[str]:
    return [type(event).__struct_config__.tag for event in entry.events]  # type: ignore[misc]


# ---------------------------------------------------------------- a player's version


def test_a_player_gets_the_cards_that_he_was_shown_and_no_other() -> None:
    record = ordinary("maryland-2014")
    whole = json.loads(text_of(record, 2))
    deal = next(e for e in whole["entries"] if e["action"]["do"] == "deal_out")
    bobs = [c for p, cards in deal["events"][0]["deliveries"] for c in cards if p == "5"]
    anns = text_of(record, 2, 2)
    mine = json.loads(anns)
    assert mine["view"]["shown"]["5"] == [None, None]
    assert not [card for card in bobs if f'"{card}"' in anns]
    opened = [card for card in mine["commitment"]["order"] if card is not None]
    assert len(opened) == 5
    hidden = [salt for salt in whole["commitment"]["salts"] if salt not in anns]
    assert len(hidden) == 52 - 5
    assert mine["commitment"]["leaves"] == whole["commitment"]["leaves"]
    assert json.loads(text_of(record, 2, 5))["view"]["shown"]["5"] == bobs


def test_a_misread_card_that_lies_hidden_elsewhere_is_shown_only_where_it_was_seen() -> None:
    document = json.loads(ROUNDS["physical cards, a player's version"]())
    corrections = [e["action"] for e in document["entries"] if e["action"]["do"] == "correct_card"]
    told = [(c["place"], c["number"], c["card"]) for c in corrections]
    assert told == [("2", 1, "As"), ("2", 2, "Kh"), ("5", 2, None)]
    assert document["view"]["shown"]["2"] == ["As", "Kh"]
    assert document["view"]["shown"]["5"] == [None, None]


def test_the_check_of_a_players_version_says_how_far_it_goes() -> None:
    notes = {check.what: check.note for check in verified(ROUNDS["a player's version"]()).checks}
    assert notes["leaves"] == "6 of 52 positions are opened"
    assert notes["view"] == "seat 2 was shown 5 cards; the others cannot be checked"
    assert "stays closed until its own round is over" in notes["entries"]


def test_a_player_notices_when_a_card_of_his_is_withheld() -> None:
    document = json.loads(ROUNDS["a folded player's version"]())
    card = document["view"]["shown"]["5"][0]
    made = document["commitment"]
    made["salts"][made["order"].index(card)] = None
    text = forged(json.loads(json.dumps(document).replace(f'"{card}"', "null")))
    assert failed(verified(text)) == {"view": ["view.shown.5[0]"]}


# ---------------------------------------------------------------- whatever is changed is found


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY_ROUND)
def test_any_changed_value_is_found(name: str, report: Report) -> None:
    document = json.loads(ROUNDS[name]())
    for path, value in leaves(document):
        result = verified(laid_out(changed(document, path, another(value))))
        assert not result.holds, path
    report(f"changed values in “{name}”: {len(list(leaves(document)))}, all found")


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY_ROUND)
def test_a_forger_who_writes_the_hash_anew_can_change_only_what_decides_nothing(name: str) -> None:
    allowed = {*ONLY_THE_HASH, *(ONLY_THE_HASH_UNCOMMITTED if name in PHYSICAL else ())}
    assert unnoticed(name) <= allowed


@pytest.mark.soak
def test_the_list_of_what_only_the_hash_protects_is_no_longer_than_needed() -> None:
    found = {place for name in ROUNDS for place in unnoticed(name)}
    assert found == {*ONLY_THE_HASH, *ONLY_THE_HASH_UNCOMMITTED}


@cache
def unnoticed(name: str) -> set[str]:
    """The places that can be changed unseen when the hash is written anew."""
    document = json.loads(ROUNDS[name]())
    del document["sha256"]
    return {
        place(path)
        for path, value in leaves(document)
        if verified(forged(changed(document, path, another(value)))).holds
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY_ROUND)
def test_no_item_of_a_list_can_be_left_out_or_changed_in_its_place(name: str) -> None:
    unbound = {"before.decks", "before.proposals"}
    if name in PHYSICAL:
        unbound |= {"cuts", "before.decks.*.depths"}
    document = json.loads(ROUNDS[name]())
    for path in [*lists(document)]:
        items = inside(document, path)
        shorter = forged(changed(document, path, items[:-1]))
        assert not verified(shorter).holds or place(path) in unbound, path
        if len(items) > 1 and items[0] != items[-1]:
            turned = forged(changed(document, path, [items[-1], *items[1:-1], items[0]]))
            assert not verified(turned).holds or place(path) in unbound, path


def lists(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """Every list of a document that has something in it."""
    if isinstance(value, list) and value and path:
        yield path
    if isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in pairs:
            yield from lists(item, (*path, key))


def inside(document: Any, path: Path_) -> Any:
    for key in path:
        document = document[key]
    return document


# ---------------------------------------------------------------- and where


def forgery(change: Callable[[Document], None], name: str = "") -> dict[str, list[str]]:
    """What fails when a forger changes a round and writes its hash anew."""
    document = json.loads(ROUNDS[name or "the dealer cut before the bets"]())
    change(document)
    return failed(verified(forged(document)))


def entry_of(document: Document, action: str) -> Document:
    found: Document = next(e for e in document["entries"] if e["action"]["do"] == action)
    return found


def test_a_changed_card_of_the_deal_is_found_where_it_lies() -> None:
    def change(document: Document) -> None:
        deliveries = entry_of(document, "deal_out")["events"][0]["deliveries"]
        deliveries[0][1][0] = another(deliveries[0][1][0])

    found = forgery(change)
    assert found["deal"] == ["card 1, to 2"] or found["deal"] == ["card 1, to 5"]
    assert re.fullmatch(r"entry \d+: events\[0\]\.deliveries\[0\]\[1\]\[0\]", found["entries"][0])
    assert not {"order", "leaves", "root"} & set(found)


def test_a_changed_card_of_the_order_is_found_at_its_position() -> None:
    def change(document: Document) -> None:
        order = document["commitment"]["order"]
        order[7], order[30] = order[30], order[7]

    assert forgery(change)["leaves"] == ["commitment: position 7", "commitment: position 30"]


def test_a_card_that_is_there_twice_is_found() -> None:
    def change(document: Document) -> None:
        document["commitment"]["order"][7] = document["commitment"]["order"][8]

    found = forgery(change)
    assert found["order"] == ["commitment: order"]
    assert found["leaves"] == ["commitment: position 7"]


def test_a_changed_leaf_is_found_and_so_is_a_changed_root() -> None:
    def leaf(document: Document) -> None:
        document["commitment"]["leaves"][9] = "ab" * 32

    def root(document: Document) -> None:
        text = json.dumps(document).replace(document["commitment"]["root"], "cd" * 32)
        document.update(json.loads(text))

    assert forgery(leaf)["leaves"] == ["commitment: position 9"]
    assert forgery(leaf)["root"] == ["commitment: root"]
    assert forgery(root)["root"] == ["commitment: root"]


def test_a_changed_cut_is_found_even_if_it_is_changed_everywhere() -> None:
    def depth(document: Document) -> None:
        cut, event = document["cuts"][-1], entry_of(document, "cut_by_player")["events"][0]
        cut["depth"] = event["depth"] = 11 if cut["depth"] != 11 else 12

    def nonce(document: Document) -> None:
        document.update(json.loads(json.dumps(document).replace("for luck", "for me")))

    def dealers(document: Document) -> None:
        document["cuts"][0]["depth"] = document["before"]["decks"][0]["depths"][0] = 27

    found = forgery(depth)
    assert found["cuts"][0].startswith("cuts[1] (entry ")
    assert found["deal"][0].startswith("card 1, ")
    assert forgery(nonce)["cuts"][0].startswith("cuts[1] (entry ")
    assert forgery(dealers)["deal"][0].startswith("card 1, ")


def test_a_depth_that_the_rulebook_does_not_allow_is_found() -> None:
    def change(document: Document) -> None:
        document["cuts"][0]["depth"] = document["before"]["decks"][0]["depths"][0] = 3

    assert forgery(change)["cuts"][0].startswith("cuts[0] (entry ")


def test_a_whole_other_deck_with_its_own_leaves_is_found_by_the_deal() -> None:
    def change(document: Document) -> None:
        made = document["commitment"]
        order = tuple(CARDS.index(card) for card in made["order"])[::-1]
        salts = fresh_salts(scripted_entropy("a forger"))
        public = commit(document["table"], made["number"], order, salts)
        text = json.dumps(document).replace(made["root"], public.root)
        document.update(json.loads(text))
        document["commitment"] |= {
            "order": [show_card(card) for card in order],
            "salts": list(salts),
            "leaves": list(public.leaves),
        }

    found = forgery(change)
    assert not {"order", "leaves", "root"} & set(found)
    assert len(found["deal"]) > 1
    assert "entries" in found


def test_a_changed_payout_is_found_in_its_entry_and_in_the_results() -> None:
    def payout(document: Document) -> None:
        event = entry_of(document, "settle")["events"][-1]
        event["paid_cents"] += 100

    def result(document: Document) -> None:
        document["results"]["seats"]["2"]["net_cents"] += 100

    assert re.fullmatch(r"entry \d+: events\[\d\]\.paid_cents", forgery(payout)["entries"][0])
    assert forgery(result) == {"money": ["results.seats.2.net_cents"]}


def test_an_entry_that_is_left_out_is_found() -> None:
    def change(document: Document) -> None:
        del document["entries"][3]

    assert re.fullmatch(r"entry \d+", forgery(change)["entries"][0])


def test_a_card_face_up_that_is_kept_quiet_is_found() -> None:
    name = "two decks, time, a card face up, a change, a correction"
    found = forgery(lambda document: document.update(left_out=[]), name)
    assert found["left out"] == ["left_out"]
    assert "deal" in found


def test_another_rulebook_or_configuration_is_named() -> None:
    def rulebook(document: Document) -> None:
        document["rulebook"]["sha256"] = "0" * 64

    def configuration(document: Document) -> None:
        document["configuration"]["submission"]["name"] = "another table"

    assert forgery(rulebook) == {"rulebook": ["rulebook.sha256"]}
    assert forgery(configuration) == {"configuration": ["configuration.sha256"]}
    document = ROUNDS["the dealer cut before the bets"]()
    others = {name: book for name, book in books().items() if name != "maryland-2014"}
    result = verify_round("a.json", document.encode(), others)
    assert failed(result)["rulebook"] == ["rulebook.id"]


# ---------------------------------------------------------------- several files


def together(*files: RoundFile) -> list[tuple[str, list[str]]]:
    checks = verify_together(files)
    return [(check.result, [message for _, message in check.found]) for check in checks]


def files_of(record: tuple[Entry, ...], *numbers: int) -> list[RoundFile]:
    return [export_round(record, number, table="T", books=books()) for number in numbers]


def test_files_that_follow_each_other_have_no_gaps() -> None:
    assert together(*files_of(eventful(), 3, 1, 2)) == [("ok", [])]
    first = files_of(eventful(), 1)[0]
    assert together(first) == []
    assert together(first, first) == [("ok", [])]


def test_a_missing_round_is_found() -> None:
    assert together(*files_of(eventful(), 1, 3)) == [("failed", ["round 2 is missing"])]


def test_a_commitment_that_disappears_between_two_files_is_found() -> None:
    one, two = files_of(eventful(), 2, 3)
    abandoned = [made.number for made in two.commitments.each if made.fate == "abandoned"]
    assert len(abandoned) == 1
    text = json.loads(text_of(eventful(), 3))
    each = text["commitments"]["each"]
    text["commitments"]["each"] = [made for made in each if made["number"] not in abandoned]
    result = verified(forged(text))
    assert result.file is not None
    assert together(one, result.file) == [
        ("failed", [f"commitment {abandoned[0]} waited and is not heard of"])
    ]
    text["commitments"]["first"] += 1
    result = verified(forged(text))
    assert result.file is not None
    status, messages = together(one, result.file)[0]
    assert status == "failed"
    assert any(message.startswith("commitments go on with") for message in messages)


# ---------------------------------------------------------------- nothing breaks the check


@pytest.mark.slow
def test_a_missing_key_is_named() -> None:
    document = json.loads(ROUNDS["two decks, time, a card face up, a change, a correction"]())
    for path in [*keys(document)]:
        copy = json.loads(json.dumps(document))
        del inside(copy, path[:-1])[path[-1]]
        result = verified(forged(copy) if path != ("sha256",) else laid_out(copy))
        if place(path).startswith(OPTIONAL):
            assert not result.holds, path
        else:
            assert str(path[-1]) in result.error, path


OPTIONAL = (
    "before.seated.",
    "configuration.submission.table.",
    "entries.*.action.submission.table.",
    "entries.*.events.*.submission.table.",
    "before.proposals.*.submission.table.",
    "results.seats.",
    "entries.*.action.do",
    "entries.*.events.*.kind",
)
"""What depends on the round; and without its kind an event has no other keys either."""


def keys(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield (*path, key)
            yield from keys(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from keys(item, (*path, index))


ODD: tuple[Any, ...] = (
    None,
    [],
    {},
    "",
    "x",
    "2",
    "Ah",
    -1,
    0,
    52,
    10**30,
    1.5,
    True,
    ["Ah"],
    {"a": 1},
    "\ud800",
)


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_values_of_any_kind_in_any_place_never_break_the_check(name: str) -> None:
    rng = Random(f"odd values in {name}")
    document = json.loads(ROUNDS[name]())
    paths = [*keys(document), *(path for path, _ in leaves(document))]
    for _ in range(150):
        path = rng.choice(paths)
        copy = changed(document, path, rng.choice(ODD))
        text = forged(copy) if rng.random() < 0.8 else json.dumps(copy)
        result = verified(text)
        assert result.error or result.checks


@pytest.mark.slow
@pytest.mark.parametrize("name", ROUNDS)
def test_flipped_bits_and_cut_files_are_found_and_never_break_the_check(name: str) -> None:
    content = ROUNDS[name]().encode()
    rng = Random(f"bits of {name}")
    for _ in range(100):
        spoilt = bytearray(content)
        spoilt[rng.randrange(len(content))] ^= 1 << rng.randrange(8)
        assert not verified(bytes(spoilt)).holds or is_blank(content, bytes(spoilt))
    for end in range(0, len(content) - 2, 499):
        assert verified(content[:end]).error


def is_blank(one: bytes, other: bytes) -> bool:
    """Whether two texts differ only in how the JSON is laid out."""
    return bool(json.loads(one) == json.loads(other))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "{}",
        "[" * 100_000,
        '{"a": 1, "a": 2}',
        '{"a": NaN}',
        "9" * 5000,
        "\ufeff{}",
    ],
    ids=range(9),
)
def test_what_is_no_round_cannot_be_read(text: str) -> None:
    result = verified(text)
    assert result.error
    assert "\n" not in result.error


def test_a_document_that_asks_for_a_billion_decks_is_answered_at_once() -> None:
    name = "two decks, time, a card face up, a change, a correction"
    document = json.loads(ROUNDS[name]())
    proposal = next(e for e in document["entries"] if e["action"]["do"] == "propose")
    submissions = (document["configuration"]["submission"], proposal["action"]["submission"])
    for submission, check in zip(submissions, ("configuration", "entries"), strict=True):
        submission["decks"] |= {"count": 10**9, "each": []}
        found = verified(forged(document))
        assert "decks" in found.error or check in failed(found)
        submission["decks"] = json.loads(ROUNDS[name]())["configuration"]["submission"]["decks"]


def test_a_key_that_stands_twice_is_not_read() -> None:
    text = ROUNDS["a forced deck"]().replace('"round": 1,', '"round": 2, "round": 1,')
    assert "'round' stands twice" in verified(text).error


# ---------------------------------------------------------------- the command


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, str], str]:
    def write(name: str, text: str) -> str:
        file = tmp_path / name
        file.write_text(text, "utf-8")
        return str(file)

    return write


def test_the_command_says_ok_for_what_is_true(
    written: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    files = [written(f"{n}.json", text_of(eventful(), n)) for n in (1, 2, 3)]
    assert run(["verify", *files]) == 0
    printed = capsys.readouterr().out
    assert "no gaps" in printed
    assert "FAILED" not in printed
    assert run(["verify", files[0], "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["files"][0]["holds"] is True
    assert {check["result"] for check in answer["files"][0]["checks"]} == {"ok"}


def test_the_command_says_where_it_is_not_true(
    written: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(ROUNDS["the dealer cut before the bets"]())
    document["commitment"]["order"][0:2] = document["commitment"]["order"][1::-1]
    assert run(["verify", written("a.json", forged(document))]) == 1
    printed = capsys.readouterr().out
    assert "FAILED" in printed
    assert "commitment: position 0" in printed
    one, three = (written(f"{n}.json", text_of(eventful(), n)) for n in (1, 3))
    assert run(["verify", one, three]) == 1
    assert "round 2 is missing" in capsys.readouterr().out


def test_the_command_names_files_that_it_cannot_read(
    written: Callable[[str, str], str], capsys: pytest.CaptureFixture[str]
) -> None:
    document = json.loads(ROUNDS["a forced deck"]())
    del document["meter_before"]
    broken = written("broken.json", forged(document))
    good = written("good.json", ROUNDS["a forced deck"]())
    assert run(["verify", broken, good, "nowhere.json"]) == 2
    captured = capsys.readouterr()
    assert "`meter_before`" in captured.err
    assert "nowhere.json: round: No such file" in captured.err
    assert "1 true, 0 not true, 2 unreadable" in captured.out
    assert "TEST" in captured.out
    assert run(["verify"]) == 2


def test_a_ledger_that_is_not_there_is_named_and_not_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify", "--database", f"sqlite:///{tmp_path}/none.db"]) == 2
    assert "none.db: there is no such ledger" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------- dealt by hand, and what waits


def test_a_round_dealt_by_hand_is_true_and_said_to_be_unproved(tmp_path: Path) -> None:
    script = tmp_path / "day.toml"
    script.write_text(
        '[[day]]\ntitle = "By hand"\nrulebook = "maryland-2014"\nscript = """\n'
        "Dana start\nAnn wager ante 5\nBen wager ante 5\nDana close-bets\nFlo interrupt power\n"
        "Flo confirm by-hand\nFlo dealt 1=2c,3d 2=4h,5s community=Kd,9c,7h\nhouse until over\n"
        '"""\n',
        "utf-8",
    )
    (played,) = play_days(str(script))
    entries = [one.entry for one in played.runner.happened]
    file = export_round(entries, 1, table=played.runner.day.table, books=played.runner.day.books)
    found = verified(write_round(file))
    assert not failed(found)
    deal = next(check for check in found.checks if check.what == "deal")
    assert (deal.result, "DEALT BY HAND" in deal.note) == ("not checked", True)
