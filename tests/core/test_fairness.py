"""A committed deck cannot be changed unseen, shows nothing early, and anyone can check it."""

import re
from collections import Counter
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from riverboat.core.cards import DECK, parse_card, show_card
from riverboat.core.errors import FouledDeck, NotationError
from riverboat.core.fairness import (
    Commitment,
    Misfit,
    Opening,
    commit,
    commitment_misfits,
    cut_depth,
    cut_order,
    deck_misfits,
    framed,
    house_seal,
    open_positions,
    opening_misfits,
    player_seal,
)
from riverboat.core.shuffling import fresh_salts, fresh_word, scripted_entropy, shuffle
from tests.support.places import ROOT

PAGE = ROOT / "docs" / "fairness.md"

ENTROPY = scripted_entropy("the tests of the commitments")
ORDER = shuffle(ENTROPY)
SALTS = fresh_salts(ENTROPY)
WORD = fresh_word(ENTROPY)
COMMITMENT = commit("Table 7", 4711, ORDER, SALTS, WORD)

PLAIN_ORDER = DECK
PLAIN_SALTS = tuple(bytes([position] * 32).hex() for position in DECK)
PLAIN_WORD = "ab" * 32
PLAIN = commit("Table 1", 1, PLAIN_ORDER, PLAIN_SALTS, PLAIN_WORD)

depths = st.lists(st.integers(0, 51), max_size=4)
OTHER = "0" * 64


def places(misfits: list[Misfit]) -> list[str]:
    return [misfit.where for misfit in misfits]


def with_leaf(position: int, leaf: str) -> tuple[str, ...]:
    return (*COMMITMENT.leaves[:position], leaf, *COMMITMENT.leaves[position + 1 :])


def swapped(row: tuple[Any, ...], one: int, other: int) -> tuple[Any, ...]:
    changed = list(row)
    changed[one], changed[other] = changed[other], changed[one]
    return tuple(changed)


# ---------------------------------------------------------------- what is committed fits


def test_the_committed_deck_fits_as_a_whole_and_at_every_position() -> None:
    assert deck_misfits(COMMITMENT, ORDER, SALTS) == []
    for position in DECK:
        assert opening_misfits(COMMITMENT, open_positions(ORDER, SALTS, [position])) == []


def test_a_commitment_and_its_openings_survive_being_written_and_read() -> None:
    text = msgspec.json.encode((COMMITMENT, open_positions(ORDER, SALTS, DECK)))
    commitment, openings = msgspec.json.decode(text, type=tuple[Commitment, list[Opening]])
    assert commitment == COMMITMENT
    assert opening_misfits(commitment, openings) == []


# ---------------------------------------------------------------- every change is seen, and where


@pytest.mark.parametrize("position", [0, 1, 17, 51])
def test_two_cards_exchanged_are_found_at_both_positions(position: int) -> None:
    other = (position + 5) % 52
    order = swapped(ORDER, position, other)
    wrong = [f"position {n}" for n in sorted((position, other))]
    assert places(deck_misfits(COMMITMENT, order, SALTS)) == wrong


@pytest.mark.parametrize("position", [0, 17, 51])
def test_a_changed_salt_is_found_at_its_position(position: int) -> None:
    salts = (*SALTS[:position], OTHER, *SALTS[position + 1 :])
    assert places(deck_misfits(COMMITMENT, ORDER, salts)) == [f"position {position}"]


def test_two_salts_exchanged_are_found_at_both_positions() -> None:
    found = deck_misfits(COMMITMENT, ORDER, swapped(SALTS, 3, 4))
    assert places(found) == ["position 3", "position 4"]


def test_one_card_twice_is_found_in_the_order_and_at_its_position() -> None:
    found = deck_misfits(COMMITMENT, (*ORDER[:9], ORDER[0], *ORDER[10:]), SALTS)
    assert places(found) == ["order", "position 9"]
    assert f"more than once: {show_card(ORDER[0])}" in found[0].message
    assert show_card(ORDER[0]) in found[1].message


def test_a_deck_of_51_is_found_in_the_order() -> None:
    found = deck_misfits(COMMITMENT, ORDER[:51], SALTS)
    assert found == [("order", "not the 52 cards of a deck: 51 cards, and a deck has 52")]


def test_an_unknown_card_is_found_in_the_order_and_at_its_position() -> None:
    found = deck_misfits(COMMITMENT, (*ORDER[:51], 52), SALTS)
    assert places(found) == ["order", "position 51"]


def test_too_few_salts_are_counted() -> None:
    assert places(deck_misfits(COMMITMENT, ORDER, SALTS[:50])) == ["salts"]


def test_a_changed_leaf_is_found_at_the_root_and_at_its_position() -> None:
    changed = msgspec.structs.replace(COMMITMENT, leaves=with_leaf(30, OTHER))
    assert places(deck_misfits(changed, ORDER, SALTS)) == ["root", "position 30"]


def test_a_changed_root_is_found_at_the_root_alone() -> None:
    changed = msgspec.structs.replace(COMMITMENT, root=OTHER)
    assert places(deck_misfits(changed, ORDER, SALTS)) == ["root"]


@pytest.mark.parametrize("change", [{"number": 4712}, {"table": "Table 8"}])
def test_another_table_or_number_is_found_at_the_root_and_at_all_leaves(
    change: dict[str, Any],
) -> None:
    changed = msgspec.structs.replace(COMMITMENT, **change)
    found = deck_misfits(changed, ORDER, SALTS)
    assert places(found) == ["root", "leaves"]
    assert "the table, the number or all leaves" in found[1].message
    assert places(opening_misfits(changed, open_positions(ORDER, SALTS, [5]))) == [
        "root",
        "position 5",
    ]


def test_a_deck_turned_by_a_cut_is_not_the_sealed_deck() -> None:
    found = deck_misfits(COMMITMENT, cut_order(ORDER, [1]), SALTS)
    assert places(found) == ["leaves"]
    assert "the order or the salts" in found[0].message


@pytest.mark.parametrize(
    "change",
    [
        {"position": 18},
        {"card": (ORDER[17] + 1) % 52},
        {"salt": SALTS[18]},
        {"salt": SALTS[17].upper()},
        {"salt": SALTS[17][:62]},
        {"salt": SALTS[17] + " "},
        {"salt": "ü" * 64},
        {"position": 52},
        {"position": -1},
        {"card": 52},
        {"card": -1},
    ],
)
def test_a_player_finds_what_was_changed_in_a_card_opened_to_him(change: dict[str, Any]) -> None:
    (opening,) = open_positions(ORDER, SALTS, [17])
    changed = msgspec.structs.replace(opening, **change)
    found = opening_misfits(COMMITMENT, [*open_positions(ORDER, SALTS, [2]), changed])
    assert places(found) == [f"position {changed.position}"]


def test_a_deck_stacked_with_one_card_twice_is_seen_by_a_player_who_is_shown_both() -> None:
    stacked = msgspec.structs.replace(
        COMMITMENT,
        leaves=with_leaf(1, leaf_by_hand("Table 7", 4711, 1, SALTS[1], show_card(ORDER[0]))),
    )
    stacked = msgspec.structs.replace(stacked, root=root_by_hand("Table 7", 4711, stacked.leaves))
    openings = [Opening(position=n, card=ORDER[0], salt=SALTS[n]) for n in (0, 1)]
    assert opening_misfits(stacked, openings[:1]) == []
    assert opening_misfits(stacked, openings) == [
        ("position 1", f"{show_card(ORDER[0])} was opened at position 0 too")
    ]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"leaves": COMMITMENT.leaves[:51]}, "leaves"),
        ({"leaves": (*COMMITMENT.leaves, OTHER)}, "leaves"),
        ({"leaves": ()}, "leaves"),
        ({"leaves": with_leaf(8, "no hash")}, "leaf 8"),
        ({"leaves": with_leaf(8, COMMITMENT.leaves[8].upper())}, "leaf 8"),
        ({"root": ""}, "root"),
        ({"root": COMMITMENT.root + "\n"}, "root"),
        ({"number": 0}, "table or number"),
        ({"number": -4711}, "table or number"),
        ({"number": 10**5000}, "table or number"),
        ({"table": ""}, "table or number"),
        ({"table": "\ud800"}, "table or number"),
    ],
)
def test_a_commitment_that_is_none_is_described_and_never_a_traceback(
    change: dict[str, Any], where: str
) -> None:
    changed = msgspec.structs.replace(COMMITMENT, **change)
    assert places(deck_misfits(changed, ORDER, SALTS))[0] == where
    assert places(opening_misfits(changed, open_positions(ORDER, SALTS, DECK)))[0] == where


def test_only_a_whole_deck_with_whole_salts_can_be_committed_to() -> None:
    with pytest.raises(FouledDeck):
        commit("Table 7", 1, ORDER[:51], SALTS, WORD)
    with pytest.raises(NotationError, match="51 salts"):
        commit("Table 7", 1, ORDER, SALTS[:51], WORD)
    with pytest.raises(NotationError, match="64 digits"):
        commit("Table 7", 1, ORDER, (*SALTS[:51], "ff"), WORD)
    for number in (0, -1, 2**53):
        with pytest.raises(NotationError, match="number"):
            commit("Table 7", number, ORDER, SALTS, WORD)
    for table in ("", "x" * 257, "\udfff"):
        with pytest.raises(NotationError, match="table name"):
            commit(table, 1, ORDER, SALTS, WORD)
    for position in (-1, 52):
        with pytest.raises(NotationError, match="0 to 51"):
            open_positions(ORDER, SALTS, [position])


# ---------------------------------------------------------------- nothing is seen early


def test_with_fresh_salts_the_same_deck_has_no_leaf_in_common() -> None:
    again = commit("Table 7", 4711, ORDER, fresh_salts(ENTROPY), WORD)
    assert not set(again.leaves) & set(COMMITMENT.leaves)
    assert again.root != COMMITMENT.root


def test_an_opened_position_does_not_let_its_salt_find_out_another_card() -> None:
    (opened,) = open_positions(ORDER, SALTS, [0])
    for position in DECK[1:]:
        tried = [Opening(position=position, card=card, salt=opened.salt) for card in DECK]
        assert all(opening_misfits(COMMITMENT, [opening]) for opening in tried)


@given(st.lists(st.binary(max_size=6), max_size=5), st.lists(st.binary(max_size=6), max_size=5))
def test_no_two_rows_of_fields_are_framed_alike(one: list[bytes], other: list[bytes]) -> None:
    assert (framed(*one) == framed(*other)) == (one == other)


def test_fields_that_run_together_are_hashed_apart() -> None:
    assert framed(b"1", b"11") != framed(b"11", b"1")
    one = commit("T1", 11, ORDER, SALTS, WORD)
    other = commit("T11", 1, ORDER, SALTS, WORD)
    assert not set(one.leaves) & set(other.leaves)


# ---------------------------------------------------------------- the cut


@given(depths, st.integers(0, 51))
def test_positions_before_and_after_the_cuts_lead_to_the_same_card(
    cuts: list[int], position: int
) -> None:
    dealt, sealed_at = cut_order(ORDER, cuts), cut_order(DECK, cuts)
    assert dealt[position] == ORDER[sealed_at[position]]
    assert ORDER[position] == dealt[sealed_at.index(position)]
    assert sealed_at[position] == (position + sum(cuts)) % 52


def test_a_cut_takes_cards_from_the_top_to_the_bottom() -> None:
    assert cut_order(DECK, [10]) == (*range(10, 52), *range(10))
    assert cut_order(DECK, []) == cut_order(DECK, [0]) == cut_order(DECK, [20, 32]) == DECK


words = st.binary(min_size=32, max_size=32).map(bytes.hex)


@given(words, st.dictionaries(st.integers(1, 12), words, max_size=6), st.data())
def test_words_give_an_allowed_depth_and_always_the_same_whoever_came_first(
    house: str, told: dict[int, str], data: st.DataObject
) -> None:
    low = data.draw(st.integers(0, 51))
    high = data.draw(st.integers(low, 51))
    depth = cut_depth(COMMITMENT.root, house, told, low, high)
    assert low <= depth <= high
    turned = dict(reversed(told.items()))
    assert depth == cut_depth(COMMITMENT.root, house, turned, low, high)


@pytest.mark.parametrize(("low", "high"), [(0, 51), (10, 51), (26, 26)])
def test_words_reach_every_allowed_depth_about_equally_often(low: int, high: int) -> None:
    told = [{2: WORD, 5: f"{n:064x}"} for n in range(10_000)]
    found = Counter(cut_depth(COMMITMENT.root, WORD, each, low, high) for each in told)
    assert sorted(found) == list(range(low, high + 1))
    mean = 10_000 / (high - low + 1)
    assert all(0.7 * mean < count < 1.3 * mean for count in found.values())


def test_one_word_that_is_not_known_makes_every_depth_as_likely_as_any_other() -> None:
    """Whoever knows the root, the house's word and all others' but one knows nothing of the cut:
    whichever words of their own they would seal, the last word moves it to anywhere."""
    for own in ("11" * 32, "22" * 32):
        each = [{1: own, 2: WORD, 5: f"{n:064x}"} for n in range(5_000)]
        found = Counter(cut_depth(COMMITMENT.root, WORD, told, 0, 51) for told in each)
        assert all(50 < found[depth] < 150 for depth in DECK)


def test_the_same_words_at_other_seats_or_left_out_cut_elsewhere() -> None:
    one, other = "11" * 32, "22" * 32
    told: tuple[dict[int, str], ...]
    told = ({}, {1: one}, {2: one}, {1: one, 2: other}, {1: other, 2: one}, {1: one, 11: other})
    hashed = {cut_depth(COMMITMENT.root, WORD, each, 0, 51) for each in told}
    assert len(hashed) > 3
    roots = [commit("Table 7", n, ORDER, SALTS, WORD).root for n in range(1, 9)]
    assert len({cut_depth(root, WORD, {1: one}, 0, 51) for root in roots}) > 3


def test_a_seal_fits_one_word_one_seat_and_one_deck() -> None:
    seal = player_seal(COMMITMENT.root, 2, WORD)
    others = ((PLAIN.root, 2, WORD), (COMMITMENT.root, 3, WORD), (COMMITMENT.root, 2, PLAIN_WORD))
    assert seal not in {player_seal(*other) for other in others}
    assert seal not in (house_seal("Table 7", 4711, WORD), WORD)


def test_another_word_of_the_house_is_another_root() -> None:
    """So that whoever has kept the root has kept the house's word too."""
    again = commit("Table 7", 4711, ORDER, SALTS, PLAIN_WORD)
    assert again.leaves == COMMITMENT.leaves
    assert again.root != COMMITMENT.root
    changed = msgspec.structs.replace(COMMITMENT, house=again.house)
    assert places(commitment_misfits(changed)) == ["root"]


def test_the_lowest_and_the_highest_hash_give_the_lowest_and_the_highest_depth(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Hashed:
        digest_bytes = b""

        def __init__(self, _: bytes) -> None: ...

        def digest(self) -> bytes:
            return self.digest_bytes

    monkeypatch.setattr("riverboat.core.fairness.sha256", Hashed)
    for digest_bytes, depth in ((bytes(32), 10), (b"\xff" * 32, 51)):
        Hashed.digest_bytes = digest_bytes
        assert cut_depth(OTHER, WORD, {}, 10, 51) == depth


def test_a_cut_that_cannot_be_is_refused() -> None:
    for low, high in ((-1, 51), (0, 52), (30, 29)):
        with pytest.raises(NotationError, match=r"depths|takes 0 to 51"):
            cut_depth(OTHER, WORD, {}, low, high)
    for word in ("", "lucky", WORD.upper(), WORD[:62], WORD + " ", "\ud800"):
        with pytest.raises(NotationError, match="64 digits"):
            cut_depth(OTHER, word, {}, 0, 51)
        with pytest.raises(NotationError, match="64 digits"):
            cut_depth(OTHER, WORD, {1: word}, 0, 51)
        with pytest.raises(NotationError, match="64 digits"):
            player_seal(OTHER, 1, word)
        with pytest.raises(NotationError, match="64 digits"):
            commit("Table 7", 1, ORDER, SALTS, word)
    with pytest.raises(NotationError, match="64 digits"):
        cut_depth("no root", WORD, {}, 0, 51)
    for depth in (-1, 52):
        with pytest.raises(NotationError, match="takes 0 to 51"):
            cut_order(ORDER, [depth])


# ---------------------------------------------------------------- the page for other checkers


def field(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def leaf_by_hand(table: str, number: int, position: int, salt: str, card: str) -> str:
    parts = [b"riverboat leaf v1", table.encode(), str(number).encode(), str(position).encode()]
    parts += [bytes.fromhex(salt), card.encode()]
    return sha256(b"".join(map(field, parts))).hexdigest()


def house_by_hand(table: str, number: int, word: str) -> str:
    parts = [b"riverboat house word v1", table.encode(), str(number).encode(), bytes.fromhex(word)]
    return sha256(b"".join(map(field, parts))).hexdigest()


def root_by_hand(table: str, number: int, leaves: tuple[str, ...], word: str = WORD) -> str:
    house = bytes.fromhex(house_by_hand(table, number, word))
    parts = [b"riverboat root v2", table.encode(), str(number).encode(), house]
    return sha256(b"".join(map(field, [*parts, *map(bytes.fromhex, leaves)]))).hexdigest()


def test_leaves_and_root_are_as_the_page_says() -> None:
    made = ((COMMITMENT, ORDER, SALTS, WORD), (PLAIN, PLAIN_ORDER, PLAIN_SALTS, PLAIN_WORD))
    for commitment, order, salts, word in made:
        table, number = commitment.table, commitment.number
        assert commitment.leaves == tuple(
            leaf_by_hand(table, number, n, salts[n], show_card(order[n])) for n in range(52)
        )
        assert commitment.house == house_by_hand(table, number, word)
        assert commitment.root == root_by_hand(table, number, commitment.leaves, word)


def depth_of_page(told: dict[int, str]) -> int:
    return cut_depth(PLAIN.root, PLAIN_WORD, told, 10, 51)


def test_the_worked_example_of_the_page_is_right() -> None:
    """Whoever writes a checker compares with these; so do we."""
    page = PAGE.read_text("utf-8")
    shown = dict(re.findall(r"(?m)^\| ([^|]+?) +\| `([^`]+)` +\|$", page))
    preimage = framed(b"riverboat leaf v1", b"Table 1", b"1", b"0", bytes(32), b"2c")
    assert sha256(preimage).hexdigest() == PLAIN.leaves[0]
    assert shown == {
        "hashed for leaf 0": preimage.hex(),
        "leaf 0": PLAIN.leaves[0],
        "leaf 51": PLAIN.leaves[51],
        "root": PLAIN.root,
        "hash of the house's word": PLAIN.house,
        "seal of seat 2": player_seal(PLAIN.root, 2, "02" * 32),
        "seal of seat 5": player_seal(PLAIN.root, 5, "05" * 32),
        "depth, 10 to 51, seats 2 and 5 told": str(depth_of_page({2: "02" * 32, 5: "05" * 32})),
        "depth, 10 to 51, seat 5 withheld": str(depth_of_page({2: "02" * 32})),
        "depth, 10 to 51, the house alone": str(depth_of_page({})),
    }


def test_the_checker_of_the_page_accepts_what_fits_and_names_what_does_not() -> None:
    (block,) = re.findall(r"(?ms)^```python\n(.*?)^```$", PAGE.read_text("utf-8"))
    assert "riverboat" not in re.findall(r"(?m)^(?:from|import) (\w+)", block)
    names: dict[str, Any] = {}
    exec(compile(block, str(PAGE), "exec"), names)
    cards = [show_card(card) for card in ORDER]
    commitment = msgspec.to_builtins(COMMITMENT)
    openings = [
        {"position": o.position, "card": show_card(o.card), "salt": o.salt}
        for o in open_positions(ORDER, SALTS, DECK)
    ]
    assert names["wrong"](commitment, openings) == []
    openings[5] = {**openings[5], "card": cards[6]}
    assert names["wrong"](commitment, openings) == [5]
    assert names["wrong"]({**commitment, "number": 1}, [openings[0]]) == ["root", 0]
    one, other = "11" * 32, "22" * 32
    for told in ({}, {2: one}, {11: one, 2: other}):
        for low, high in ((0, 51), (10, 51)):
            depth = names["depth"](COMMITMENT.root, WORD, told, low, high)
            assert depth == cut_depth(COMMITMENT.root, WORD, told, low, high)
    seals = {2: player_seal(COMMITMENT.root, 2, one), 5: player_seal(COMMITMENT.root, 5, other)}
    said = {**commitment, "word": WORD}
    depth = cut_depth(COMMITMENT.root, WORD, {2: one, 5: other}, 10, 51)
    assert names["wrong_cut"](said, seals, {2: one, 5: other}, depth, 10, 51) == []
    assert names["wrong_cut"]({**said, "word": one}, seals, {}, depth, 10, 51)[0] == "house"
    assert names["wrong_cut"](said, seals, {2: one, 5: one}, depth, 10, 51) == [5, "depth"]
    without = cut_depth(COMMITMENT.root, WORD, {2: one}, 10, 51)
    assert names["wrong_cut"](said, seals, {2: one}, without, 10, 51) == []
    dealt = names["dealt"](cards, [12, 47])
    assert [parse_card(card) for card in dealt] == list(cut_order(ORDER, [12, 47]))
