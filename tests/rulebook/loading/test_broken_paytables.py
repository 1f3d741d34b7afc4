"""Pay tables: hands and lines, what each bet can pay, what is printed over them."""

import pytest

from riverboat.core.errors import NotationError
from riverboat.core.hand_kinds import HANDS
from riverboat.rulebook.values import Pays
from tests.rulebook.loading.breaking import (
    HD,
    IS,
    MD,
    SD,
    Case,
    Edit,
    assert_accepted,
    assert_refused,
    block,
    each,
    edited,
    problems_of,
)

BASE, THREE, PROG, ENVY = (f'id = "HD-{name}"' for name in ("BASE", "3CB", "PROG-2", "ENVY-2"))
SIX, BONUS, PLACARD = 'id = "MD-2014-6CB-A"', 'id = "IS-01"', 'id = "IS-PLACARD-PMG-01"'


def pays(table: str, was: str, becomes: str) -> Edit:
    """A line that prints and pays something else."""
    return (
        table,
        f'printed = "{was}", pays = "{was}"',
        f'printed = "{becomes}", pays = "{becomes}"',
    )


CASES = [
    Case(
        "envy hand that matches no line",
        HD,
        "paytables.HD-ENVY-2",
        "high card matches no lines; exactly one is right",
        [(ENVY, '"pair", "high_card"]', '"pair"]')],
    ),
    Case(
        "super royal of a suit that matches no line",
        MD,
        "paytables.MD-2014-6CB-A",
        "super royal (s) matches no lines",
        [(SIX, 'suits = "chs"', 'suits = "ch"')],
    ),
    Case(
        "hand of three cards in a table of five",
        HD,
        "paytables.HD-BASE",
        "line 5 is for mini_royal, which no base hand can be",
        [(BASE, '["flush"]', '["mini_royal"]')],
    ),
    Case(
        "line for no hand",
        HD,
        "paytables.HD-BASE.lines[5].hands",
        "has 0 entries; at least 1 are right",
        [(BASE, '["flush"]', "[]")],
    ),
    Case(
        "table without lines",
        HD,
        "paytables.HD-BASE.lines",
        "has 0 entries; at least 1 are right",
        [(BASE, "lines = [", "lines = []\nlabels = [")],
    ),
    Case(
        "hand twice in a line",
        HD,
        "paytables.HD-BASE.lines.flush+flush.hands",
        "names flush 2 times; once is right",
        [(BASE, '["flush"]', '["flush", "flush"]')],
    ),
    Case(
        "flush narrowed to ranks",
        HD,
        "paytables.HD-BASE",
        "line 5 has ranks; only a pair of two, five or six cards can be narrowed to ranks",
        [(BASE, '["flush"],', '["flush"], ranks = "JQKA",')],
    ),
    Case(
        "three card pair narrowed to ranks",
        HD,
        "paytables.HD-3CB",
        "line 6 has ranks; only a pair of two, five or six cards can be narrowed to ranks",
        [(THREE, '["pair"],', '["pair"], ranks = "JQKA",')],
    ),
    Case(
        "pair narrowed to suits",
        HD,
        "paytables.HD-BASE",
        "line 9 has suits; only a super royal can be narrowed to suits",
        [(BASE, 'ranks = "JQKA",', 'ranks = "JQKA", suits = "d",')],
    ),
    Case(
        "rank twice",
        HD,
        "paytables.HD-BASE",
        "line 9 names a letter of JJQKA twice; once is right",
        [(BASE, 'ranks = "JQKA"', 'ranks = "JJQKA"')],
    ),
    Case(
        "suit twice",
        MD,
        "paytables.MD-2014-6CB-A",
        "line 2 names a letter of chhs twice; once is right",
        [(SIX, 'suits = "chs"', 'suits = "chhs"')],
    ),
    Case(
        "ranks that are none",
        HD,
        "paytables.HD-BASE.lines[9].ranks",
        "'JQK1' is not right here; ranks in a row, like JQKA",
        [(BASE, 'ranks = "JQKA"', 'ranks = "JQK1"')],
    ),
    *(
        Case(
            f"base pays {wrong}",
            HD,
            "paytables.HD-BASE",
            f"line 5 pays {wrong}; a table for base can pay odds to 1, push, lose",
            [pays(BASE, "6 to 1", wrong)],
        )
        for wrong in ("6 for 1", "10% of meter", "$600", "nothing")
    ),
    Case(
        "three card bonus pays a share of the meter",
        HD,
        "paytables.HD-3CB",
        "line 5 pays 10% of meter; a table for three_card_bonus can pay odds to 1, push, lose",
        [pays(THREE, "4 to 1", "10% of meter")],
    ),
    Case(
        "bonus pays a fixed amount",
        IS,
        "paytables.IS-01",
        "line 5 pays $40; a table for bonus can pay odds to 1, push, lose",
        [pays(BONUS, "40 to 1", "$40")],
    ),
    Case(
        "six card bonus pays for one",
        MD,
        "paytables.MD-2014-6CB-A",
        "line 7 pays 15 for 1; a table for six_card_bonus can pay odds to 1, push, lose, a fixed",
        [pays(SIX, "15 to 1", "15 for 1")],
    ),
    *(
        Case(
            f"progressive pays {wrong}",
            HD,
            "paytables.HD-PROG-2",
            f"line 5 pays {wrong}; a table for progressive can pay odds for 1, a share of the",
            [pays(PROG, "40 for 1", wrong)],
        )
        for wrong in ("40 to 1", "push", "$40", "nothing")
    ),
    *(
        Case(
            f"envy pays {wrong}",
            HD,
            "paytables.HD-ENVY-2",
            f"line 2 pays {wrong}; a table for envy can pay a fixed amount, nothing",
            [(ENVY, 'printed = "$600", pays = "$600"', f'printed = "{wrong}", pays = "{wrong}"')],
        )
        for wrong in ("600 to 1", "10% of meter", "lose")
    ),
    Case(
        "placard shows a push",
        IS,
        "paytables.IS-PLACARD-PMG-01",
        "line 5 pays push; a table for placard can pay odds for 1, a share of the meter, lose",
        [pays(PLACARD, "40 for 1", "push")],
    ),
    Case(
        "odds over a million",
        HD,
        "paytables.HD-BASE",
        "line 1 pays 1,000,001 to 1; odds up to 1,000,000 are right",
        [pays(BASE, "500 to 1", "1000001 to 1")],
    ),
    Case(
        "odds to over a million",
        HD,
        "paytables.HD-PROG-2",
        "line 3 pays 300 for 1000001; odds up to 1,000,000 are right",
        [pays(PROG, "300 for 1", "300 for 1000001")],
    ),
    Case(
        "odds that no number is",
        HD,
        "paytables.HD-BASE.lines[5].pays",
        "'6 to 0' is no payout; write '500 to 1'",
        [pays(BASE, "6 to 1", "6 to 0")],
    ),
    Case(
        "odds of five thousand digits",
        HD,
        "paytables.HD-BASE.lines[5].pays",
        "has 5005 characters",
        [pays(BASE, "6 to 1", "1" * 5000 + " to 1")],
    ),
    Case(
        "two hands that win the whole meter",
        HD,
        "paytables.HD-PROG-2",
        "2 lines pay 100% of meter; at most one can empty the meter",
        [
            (
                PROG,
                'printed = "10%", pays = "10% of meter"',
                'printed = "100%", pays = "100% of meter"',
            )
        ],
    ),
    Case(
        "share of the meter that is not the printed one",
        HD,
        "paytables.HD-PROG-2",
        "line 2 prints '10%' and pays 11% of meter; if that is meant, say suspect = true",
        [(PROG, 'pays = "10% of meter"', 'pays = "11% of meter"')],
    ),
    Case(
        "suspect line that is played as printed",
        HD,
        "paytables.HD-BASE",
        "line 5 prints '6 to 1' and pays 6 to 1; if that is meant, say suspect = true, and only",
        [(BASE, 'pays = "6 to 1",', 'pays = "6 to 1", suspect = true,')],
    ),
    Case(
        "envy amount on a line of the progressive",
        HD,
        "paytables.HD-PROG-2",
        "line 1 shows an envy amount; only a placard does",
        [(PROG, 'pays = "100% of meter",', 'pays = "100% of meter", envy = "$9",')],
    ),
    Case(
        "base table for one wager",
        HD,
        "paytables.HD-BASE",
        "per_wager is for envy tables, and each of them has it",
        [(BASE, "lines = [", 'per_wager = "1"\nlines = [')],
    ),
    Case(
        "envy table for no wager",
        HD,
        "paytables.HD-ENVY-2",
        "per_wager is for envy tables, and each of them has it",
        [(ENVY, 'per_wager = "2"\n', "")],
    ),
    Case(
        "envy table for a wager of nothing",
        HD,
        "paytables.HD-ENVY-2",
        "per_wager is $0; the wager that the amounts are for is right",
        [(ENVY, 'per_wager = "2"', 'per_wager = "0"')],
    ),
    Case(
        "wager printed over a base table",
        HD,
        "paytables.HD-BASE",
        "wager_printed is for progressive tables only",
        [(BASE, "lines = [", 'wager_printed = "$1"\nlines = [')],
    ),
    Case(
        "table called suspect without a suspect line",
        HD,
        "paytables.HD-BASE",
        "status is as_printed_suspect; final is right where no line is suspect",
        [(BASE, 'status = "final"', 'status = "as_printed_suspect"')],
    ),
    Case(
        "table called final with a suspect line",
        SD,
        "paytables.SD-3CB-3CB-B",
        "status is final; as_printed_suspect is right where a line is suspect",
        [('id = "SD-3CB-3CB-B"', 'status = "as_printed_suspect"', 'status = "final"')],
    ),
    Case(
        "table called final whose wager is not printed",
        HD,
        "paytables.HD-PROG-2",
        "status is final; as_printed_suspect is right where a line is suspect or the wager not",
        [(PROG, 'wager_printed = "$2"', 'wager_printed = ""')],
    ),
    Case(
        "two base tables",
        HD,
        "paytables",
        "2 playable tables for the base game; 1 is right",
        [
            (block(HD, BASE), "", block(HD, BASE).replace("HD-BASE", "HD-BASE-B")),
        ],
    ),
    Case(
        "no base table that can be played",
        HD,
        "paytables",
        "0 playable tables for the base game; 1 is right",
        [(BASE, 'status = "final"', 'status = "struck"')],
    ),
    Case(
        "base table against a dealer",
        IS,
        "paytables",
        "1 playable tables for the base game; 0 is right",
        [(BONUS, 'bet = "bonus"', 'bet = "base"')],
    ),
]


@each(CASES)
def test_a_broken_pay_table_is_refused(case: Case) -> None:
    assert_refused(case)


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
    assert problems_of(edited(HD, [(block(HD, BASE), "", old)]), "x.toml") == ()


def test_only_pairs_of_three_cards_are_not_told_apart_by_rank() -> None:
    pairs = {size: sum(k.hand == "pair" for k in hand.kinds()) for size, hand in HANDS.items()}
    assert pairs == {"two": 13, "three": 1, "five": 13, "six": 13}
    assert sum(kind.hand == "super_royal" for kind in HANDS["six"].kinds()) == 4


@pytest.mark.parametrize(
    "edits",
    [
        [pays(BASE, "500 to 1", "1000000 to 1")],
        [pays(BASE, "6 to 1", "13 to 2")],
        [pays(THREE, "1 to 1", "push")],
        [pays(PROG, "300 for 1", "300 for 7")],
        [
            (
                PROG,
                'printed = "10%", pays = "10% of meter"',
                'printed = "99%", pays = "99% of meter"',
            )
        ],
    ],
    ids=["a million to 1", "13 to 2", "a pair pushes", "300 for 7", "99%"],
)
def test_what_can_be_paid_is_accepted(edits: list[Edit]) -> None:
    assert_accepted(HD, edits)
