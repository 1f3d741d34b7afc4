"""A payout as a pay table prints it: what can be read, what cannot, and which hands have lines."""

import pytest

from riverboat.core.errors import NotationError
from riverboat.core.hand_kinds import HANDS
from riverboat.rulebook.values import Pays
from tests.rulebook.loading.breaking import HD, block, edited, problems_of

BASE = 'id = "HD-BASE"'


@pytest.mark.parametrize(
    "text",
    [
        "0 to 1",
        "1 to 0",
        "007 to 1",
        "1 to 01",
        "1000000000 to 1",
        "1 for 1000000000",
        "1" * 5000 + " to 1",
        "0% of meter",
        "101% of meter",
        "010% of meter",
        "1" * 5000 + "% of meter",
        "$0",
        "$0.00",
        "$1000000000",
        "$1.5",
        "$" + "1" * 5000,
        "١ to 1",
        "1 to 1\n",
        "Push",
        "",
    ],
    ids=lambda text: repr(text[:20]),
)
def test_a_payout_that_cannot_be_is_unreadable(text: str) -> None:
    with pytest.raises(NotationError, match="is no payout; write '500 to 1'") as refused:
        Pays.parse(text)
    assert len(str(refused.value)) < 250


@pytest.mark.parametrize(
    ("text", "kind", "amount", "per"),
    [
        ("500 to 1", "to", 500, 1),
        ("3 for 2", "for", 3, 2),
        ("999999999 to 999999999", "to", 999_999_999, 999_999_999),
        ("1% of meter", "meter", 1, 1),
        ("99% of meter", "meter", 99, 1),
        ("100% of meter", "meter", 100, 1),
        ("$999999999", "dollars", 99_999_999_900, 1),
        ("$0.50", "dollars", 50, 1),
        ("push", "push", 0, 1),
        ("lose", "lose", 0, 1),
        ("nothing", "nothing", 0, 1),
    ],
)
def test_a_payout_is_read(text: str, kind: str, amount: int, per: int) -> None:
    pays = Pays.parse(text)
    assert (str(pays), pays.kind, pays.amount, pays.per) == (text, kind, amount, per)


def test_a_struck_table_may_be_suspect() -> None:
    old = block(HD, BASE).replace("HD-BASE", "HD-OLD").replace('"final"', '"struck"')
    old = old.replace('pays = "6 to 1",', 'pays = "7 to 1", suspect = true,')
    assert problems_of(edited(HD, [(block(HD, BASE), "", old)])) == ()


def test_only_pairs_of_three_cards_are_not_told_apart_by_rank() -> None:
    pairs = {size: sum(k.hand == "pair" for k in hand.kinds()) for size, hand in HANDS.items()}
    assert pairs == {"two": 13, "three": 1, "five": 13, "six": 13}
    assert sum(kind.hand == "super_royal" for kind in HANDS["six"].kinds()) == 4
