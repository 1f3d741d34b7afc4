"""Whatever is changed in the file of a round is found, and where; nothing breaks the check.

A careful forger writes the hash of the whole document anew. These tests do so too, and say which
few things only that hash protects.
"""

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from riverboat.core.cards import show_card
from riverboat.core.fairness import commit
from riverboat.core.shuffling import fresh_salts, scripted_entropy
from riverboat.evidence.round_check import verify_round
from tests.conftest import Report
from tests.evidence.forging import (
    CARDS,
    EVERY_ROUND,
    ONLY_THE_HASH,
    ONLY_THE_HASH_UNCOMMITTED,
    PHYSICAL,
    ROUNDS,
    Document,
    Path_,
    another,
    changed,
    forged,
    inside,
    leaves,
    lists,
    place,
)
from tests.support.day_player import books
from tests.support.round_files import (
    failed,
    verified,
)

# ---------------------------------------------------------------- whatever is changed is found


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY_ROUND)
def test_any_changed_value_is_found(name: str, report: Report) -> None:
    document = json.loads(ROUNDS[name]())
    for path, value in leaves(document):
        result = verified(json.dumps(changed(document, path, another(value))))
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
        cut, event = document["cuts"][-1], entry_of(document, "fix_cut")["events"][0]
        cut["depth"] = event["depth"] = 11 if cut["depth"] != 11 else 12

    def word(document: Document) -> None:
        told = entry_of(document, "tell_word")["action"]["word"]
        document.update(json.loads(json.dumps(document).replace(told, "12" * 32)))

    def dealers(document: Document) -> None:
        document["cuts"][0]["depth"] = document["before"]["decks"][0]["depths"][0] = 27

    found = forgery(depth)
    assert found["cuts"][0].startswith("cuts[1] (entry ")
    assert found["deal"][0].startswith("card 1, ")
    assert forgery(word)["cuts"][0].startswith("cuts[1] (entry ")
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
        public = commit(document["table"], made["number"], order, salts, made["word"])
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


# ---------------------------------------------------------------- nothing breaks the check


@pytest.mark.slow
def test_a_missing_key_is_named() -> None:
    document = json.loads(ROUNDS["two decks, time, a card face up, a change, a correction"]())
    for path in [*keys(document)]:
        copy = json.loads(json.dumps(document))
        del inside(copy, path[:-1])[path[-1]]
        result = verified(forged(copy) if path != ("sha256",) else json.dumps(copy))
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
    "cuts.*.words.",
    "entries.*.events.*.words.",
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
