"""The payout checker: every figure here was worked out by hand from the rulebooks' tables."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, to_builtins

from riverboat.answers.page import Facts, Table, Words, markdown
from riverboat.answers.payout_checker import (
    Request,
    Settled,
    nothing_owed,
    owed_in,
    settle,
    settle_page,
    show_suits,
)
from riverboat.answers.rulebooks import refusal_page
from riverboat.core.cards import parse_cards
from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import parse_dollars, show_dollars
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load
from riverboat.wording.explaining import explain
from tests.support.cases import read_cases

MD, IA, SD, SD11 = "maryland-2014", "iowa-catfish-bend", "south-dakota-3cb", "south-dakota-2011"
HD, IS = "house-demo", "island-stud"

BETS = ("three_card_bonus", "six_card_bonus", "bonus", "progressive")


def book(name: str) -> Rulebook:
    return load(name).book


def ask(name: str, **asked: Any) -> Settled:
    side_bets = {bet: asked.pop(bet) for bet in BETS if bet in asked}
    table = tuple(asked.pop("table", "").split())
    return settle(book(name), Request(side_bets=side_bets, table=table, **asked))


class Case(Struct, forbid_unknown_fields=True):
    """What is asked, and the net result of every spot."""

    name: str
    rulebook: str
    asked: dict[str, str]
    results: dict[str, str]


HAND = {
    "royal": {"cards": "Ah Kh", "board": "Qh Jh Th"},
    "straight flush": {"cards": "9h 8h", "board": "Qh Jh Th"},
    "quads": {"cards": "9h 9s", "board": "9d 9c 2h"},
    "flush": {"cards": "Ah 9h", "board": "Kh 4h 2h"},
    "two pair": {"cards": "9h 4s", "board": "9d 4c 2h"},
    "tens": {"cards": "Th Ts", "board": "9d 4c 2h"},
    "nothing": {"cards": "Ah Ks", "board": "9d 4c 2h"},
}
ALL_THREE = {"ante": "10", "bets": "3,3,3"}


def island(cards: str, dealer: str, **more: str) -> dict[str, str]:
    return {"ante": "10", "cards": cards, "dealer": dealer} | more


KINGS, ACES_UP = "Kh Kd 6c 7c 8c", "Ah Ad 3c 3d 5s"

CASES = read_cases(Path(__file__).parent / "payouts.toml", Case)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rulebook}: {case.name}")
def test_every_spot_is_owed_what_a_hand_calculation_says(case: Case) -> None:
    settled = ask(case.rulebook, **case.asked)
    results = {line.spots[0]: show_dollars(line.net_cents) for line in settled.lines}
    assert results == case.results


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.rulebook}: {case.name}")
def test_the_lines_add_up_and_each_says_why(case: Case) -> None:
    settled = ask(case.rulebook, **case.asked)
    assert settled.net_cents == sum(line.net_cents for line in settled.lines)
    assert settled.net_cents == sum(one.net_cents for one in settled.told)
    assert settled.total_cents == sum(line.owed_cents for line in settled.lines)
    known = settled.book.clauses.keys() | settled.book.ambiguities.keys()
    for line in settled.lines:
        assert line.owed_cents == line.stake_cents + line.net_cents
        assert line.cites
        assert known.issuperset(line.cites)
        assert line.words[0].isupper()
        assert "_" not in line.words


def test_enough_cases_under_every_rulebook(report: Any) -> None:
    by_book = {name: sum(c.rulebook == name for c in CASES) for name in (MD, IA, SD, SD11, HD, IS)}
    assert min(by_book.values()) >= 4
    assert len(CASES) >= 40
    report(f"payouts worked out by hand: {len(CASES)} ({by_book})")


def test_a_winning_spot_is_given_its_stake_too() -> None:
    settled = ask(MD, **ALL_THREE, **HAND["flush"])
    ante = settled.lines[0]
    assert (ante.stake_cents, ante.paid_cents, ante.owed_cents) == (1000, 6000, 7000)
    assert (ante.result, ante.pays, ante.table) == ("win", "6 to 1", "MD-2014-BASE")
    assert ante.words in {one.words for one in explain(settled.state, by_spot=True)}
    assert "MD-2014.12.A.5" in ante.cites
    assert settled.total_cents == 70_000
    assert settled.net_cents == 60_000


def test_less_on_the_meter_than_the_wager_itself_cannot_be() -> None:
    hand = {**ALL_THREE, **HAND["straight flush"], "progressive": "1", "table": ""}
    with pytest.raises(NotationError, match=r"`meter` 0: .* \$0\.2[0-9]* is the least") as refusal:
        ask(MD, **hand, meter="0")
    assert refusal.value.code == "settle.bad_meter"


def test_the_meter_is_the_one_that_awards_are_paid_on() -> None:
    settled = ask(
        MD, **ALL_THREE, **HAND["straight flush"], progressive="1", meter="50000.42", table=""
    )
    at = settled.state.at_settlement
    assert at is not None
    assert (at.meter.cents, settled.state.meter.cents) == (5_000_042, 4_500_038)


# ---------------------------------------------------------------- refusals and bad input

REFUSED = [
    ("four times the ante", MD, {"bets": "4"}, "bet.bad_multiple", "MD-2014.11.B.1.a"),
    ("four times later", SD, {"bets": "1,4"}, "bet.bad_multiple", "SD-3CB.11-1"),
    ("half multiples", IA, {"bets": "1.5"}, "bet.bad_multiple", "C-07"),
    ("a part of a cent", IA, {"ante": "1", "bets": "1.001"}, "bet.bad_multiple", "C-07"),
    ("a part of a cent too much", IA, {"ante": "1", "bets": "3.0001"}, "bet.bad_multiple", "C-07"),
    (
        "a part of a cent where fractions are allowed",
        IA,
        {"ante": "1", "bets": "1.001", "table": "allow_fractional_multiples=true"},
        "bet.bad_multiple",
        "C-11",
    ),
    (
        "a fraction that is no multiple of the unit",
        IA,
        {"bets": "1.25", "table": "allow_fractional_multiples=true wager_unit=5"},
        "bet.bad_multiple",
        "C-11",
    ),
    ("an ante over the rule's most", SD, {"ante": "25.01"}, "bet.outside_limits", "SD-3CB.2-2"),
    ("an ante under the table's least", IA, {"ante": "0.99"}, "bet.outside_limits", "C-09"),
    (
        "a pay table that is not named",
        SD,
        {"three_card_bonus": "1"},
        "paytable.not_named",
        "SD-3CB.17-0",
    ),
    ("a side bet that is not there", SD11, {"three_card_bonus": "1"}, "side_bet.not_offered", ""),
    ("a bonus of the other game", IA, {"bonus": "1"}, "side_bet.not_offered", "IA-CB.2"),
    (
        "a struck pay table",
        MD,
        {"table": "six_card_bonus=MD-2014-6CB-OLD-A"},
        "setup.refused",
        "A-07",
    ),
    (
        "six card bonus without three card bonus",
        MD,
        {
            "six_card_bonus": "1",
            "box": "3c 5c 6c 7c",
            "table": "six_card_bonus=MD-2014-6CB-A three_card_bonus=MD-2014-3CB-A",
        },
        "side_bet.needs_earlier_bet",
        "MD-2014.07.F.5.c",
    ),
    ("a $3 progressive", MD, {"progressive": "3"}, "setup.refused", "MD-2014.12.C.5-0"),
    ("the wrong chip", HD, {"progressive": "1"}, "progressive.bad_wager", "HD.2.4"),
    (
        "a limit where the schedule is mandatory",
        SD,
        {"table": "aggregate_limit=1000"},
        "setup.refused",
        "C-06",
    ),
]


@pytest.mark.parametrize(
    ("rulebook", "bets", "cites"),
    [
        (SD, "1.25", ["SD-3CB.8-1", "C-08", "SD-3CB.2-3", "C-11"]),
        (SD, "1,3.5", ["SD-3CB.11-1", "C-08", "SD-3CB.2-3", "C-11"]),
        (SD11, "1,1,0.5", ["SD-2011.14-1", "C-08", "SD-2011.2-3", "C-11"]),
        (IA, "1.25", ["IA-CB.5-0", "IA-CB.5.b", "IA-CB.OV-3", "C-11"]),
        (HD, "1.25", ["HD.4.1"]),
    ],
)
def test_where_fractions_are_allowed_a_refusal_cites_its_own_street_and_nothing_against_it(
    rulebook: str, bets: str, cites: list[str]
) -> None:
    table = "allow_fractional_multiples=true wager_unit=5"
    with pytest.raises(Refused) as refused:
        ask(rulebook, **(HAND["nothing"] | {"ante": "10", "bets": bets, "table": table}))
    assert "with allow_fractional_multiples 1x to 3x in units of $5 is allowed" in str(
        refused.value
    )
    assert [cite for cite in refused.value.cites if cite in cites] == cites
    assert not {"C-07", "SD-3CB.14-1", "SD-2011.8-1"} & {*refused.value.cites}


@pytest.mark.parametrize(("name", "rulebook", "asked", "code", "clause"), REFUSED)
def test_what_the_rules_refuse_is_refused_with_its_clause(
    name: str, rulebook: str, asked: dict[str, str], code: str, clause: str
) -> None:
    with pytest.raises(Refused) as refused:
        ask(rulebook, **({"ante": "10"} | HAND["nothing"] | asked))
    assert refused.value.code == code
    assert not clause or clause in refused.value.cites


def test_a_refusal_lists_the_pay_tables_to_choose_from() -> None:
    with pytest.raises(Refused, match="IS-01, IS-02, IS-03"):
        ask(IS, **island(ACES_UP, KINGS, bonus="5"))


UNREADABLE = [
    ("an amount", {"ante": "ten"}, "`ante`: 'ten'"),
    ("a side bet's amount", {"three_card_bonus": "$5"}, "`three_card_bonus`: "),
    ("a bet", {"bets": "3,x"}, "'x' is no multiple"),
    ("too many bets", {"bets": "1,1,1,1"}, "4 bets, and there are Flop, Turn, River"),
    ("a card", {"cards": "Ah Xs"}, "`cards`: 'Xs'"),
    ("a missing card", {"cards": "Ah"}, "`cards`: 1 card; 2 are dealt there"),
    ("a missing board", {"board": ""}, "`board`: 0 cards; 3 are dealt there"),
    ("a card too many", {"board": "9d 4c 2h 3h"}, "`board`: 4 cards; 3 are dealt there"),
    ("a card twice", {"board": "Ah 4c 2h"}, "more than once: Ah"),
    ("cards for nobody", {"dealer": "2d"}, "`dealer`: 1 card; 0 are dealt there"),
    ("a key", {"table": "colour=red"}, "no option 'colour'"),
    ("a key without value", {"table": "minimum"}, "`table` minimum: write KEY=VALUE"),
    ("a key twice", {"table": "minimum=1 minimum=2"}, "each key once"),
    ("a flag", {"table": "tip_wagers=perhaps"}, "tip_wagers is true or false"),
    ("a number", {"table": "seats=six"}, "seats is a whole number"),
    ("the meter as a table key", {"table": "meter=10"}, "`meter` says it"),
    ("a meter that nobody plays for", {"meter": "10"}, "no progressive is bet"),
]


@pytest.mark.parametrize(("name", "asked", "says"), UNREADABLE, ids=lambda value: str(value)[:30])
def test_what_cannot_be_read_is_named_by_its_argument(
    name: str, asked: dict[str, str], says: str
) -> None:
    with pytest.raises(NotationError, match=says.replace("$", r"\$")):
        ask(IA, **({"ante": "10"} | HAND["nothing"] | asked))


# ---------------------------------------------------------------- what people and scripts read


def test_the_page_shows_suits_spots_reasons_and_the_sum_last() -> None:
    settled = ask(MD, **ALL_THREE, **HAND["straight flush"], progressive="1", meter="50000.42")
    blocks = list(settle_page(settled))
    assert blocks[-1] == Words(
        "The player gets $15,100.04: $100 in returned stakes, $10,000 from the tray and $5,000.04 "
        "by the cage, not from the tray; the cards stay on the table until the win is documented. "
        "The seat wins $14,999.04."
    )
    assert sum(isinstance(block, Words) and block.loud for block in blocks) == 1, "it is a draft"
    facts = next(block for block in blocks if isinstance(block, Facts))
    assert facts.facts == [
        ("Cards", "9♥ 8♥"),
        ("Board", "Q♥ J♥ 10♥"),
        ("Meter", "$50,000.42, then $45,000.38"),
    ]
    spots, reasons = (block for block in blocks if isinstance(block, Table))
    assert [row[0] for row in spots.rows] == [
        *("Ante", "3rd street", "4th street", "5th street", "Progressive payout", "Together")
    ]
    assert [row[4] for row in spots.rows[-2:]] == ["cage", ""]
    assert [row[5] for row in spots.rows[-2:]] == [" +$4,999.04", "+$14,999.04"]
    assert "MD-2014.12.A.2" in reasons.rows[0][2]


def test_a_status_that_is_law_has_no_warning() -> None:
    blocks = list(settle_page(ask(SD, **ALL_THREE, **HAND["tens"])))
    assert not any(isinstance(block, Words) and block.loud for block in blocks)
    assert blocks[-1] == Words(
        "The player gets $100: $100 in returned stakes. The seat comes out even."
    )


def test_a_loss_is_said_plainly() -> None:
    blocks = list(settle_page(ask(SD, ante="10", bets="")))
    assert blocks[-1] == Words("The player gets nothing. The seat loses $10.")


def test_every_case_has_a_page_without_raw_names() -> None:
    for case in CASES:
        page = markdown(settle_page(ask(case.rulebook, **case.asked)))
        assert "_" not in page


def test_a_refusal_has_a_page_with_the_clause_in_words() -> None:
    with pytest.raises(Refused) as refused:
        ask(MD, ante="10", bets="4", **HAND["tens"])
    page = markdown(refusal_page(book(MD), refused.value))
    assert "Refused: 3rd Street bet of $40 on an ante of $10; 1x, 2x, 3x is allowed" in page
    assert book(MD).clauses["MD-2014.11.B.1.a"].text in page


def test_scripts_read_dollars() -> None:
    document = to_builtins(owed_in(ask(MD, ante="20", bets="3,3,3", **HAND["royal"])))
    assert document["rulebook"] == MD
    assert document["spots"][0] == {
        "spot": "ante",
        "stake": "20.00",
        "outcome": "win",
        "pays": "500 to 1",
        "paid": "5000.00",
        "source": "tray",
        "owed": "5020.00",
        "net": "5000.00",
        "paytable": "MD-2014-BASE",
        "cites": ("MD-2014.12.A.1", "MD-2014.06.D.1"),
        "words": "Royal flush pays 500 to 1 on ante $20: $10,000; the limit leaves $5,000",
    }
    assert document["net"] == "50000.00"
    assert document["owed"] == "50200.00"
    assert document["paid_from"] == {
        "tray": "50000.00",
        "cage": "0.00",
        "words": "$200 in returned stakes and $50,000 from the tray",
        "cards": "",
    }
    assert "under each reading of the limit" in document["notes"][0]["words"]
    assert parse_dollars(document["owed"]) == 5_020_000


SOURCES = [
    (
        "a share of the meter",
        MD,
        {"bets": "3,3,3", "progressive": "1", "meter": "50000.42"} | HAND["straight flush"],
        ("10000.00", "5000.04"),
        {"MD-2014.11.I.4.d.i", "MD-2014.11.I.4.d.ii", "B-26"},
    ),
    (
        "the whole meter, whatever the threshold",
        MD,
        {
            "bets": "1,1,1",
            "progressive": "1",
            "meter": "50000",
            "table": "off_tray_threshold=999999",
        }
        | HAND["royal"],
        ("20000.00", "50000.00"),
        {"MD-2014.11.I.4.d.i", "MD-2014.11.I.4.d.ii"},
    ),
    (
        "a share of exactly the threshold",
        MD,
        {"bets": "1,1,1", "progressive": "1", "meter": "50000", "table": "off_tray_threshold=5000"}
        | HAND["straight flush"],
        ("4000.00", "5000.00"),
        {"B-26"},
    ),
    (
        "a share one cent below the threshold",
        MD,
        {
            "bets": "1,1,1",
            "progressive": "1",
            "meter": "50000",
            "table": "off_tray_threshold=5000.01",
        }
        | HAND["straight flush"],
        ("9000.00", "0.00"),
        {"B-26"},
    ),
    (
        "a fixed prize",
        MD,
        {
            "bets": "",
            "cards": "Ad Kd",
            "box": "Qd Jd Td 9d",
            "board": "2c 3d 7h",
            "three_card_bonus": "1",
            "six_card_bonus": "5",
            "table": "three_card_bonus=MD-2014-3CB-A six_card_bonus=MD-2014-6CB-A",
        },
        ("0.00", "1000000.00"),
        {"A-15", "MD-2014.11.I.4.d.ii"},
    ),
    (
        "fixed odds of the progressive",
        MD,
        {"bets": "1,1,1", "progressive": "1"} | HAND["quads"],
        ("1900.00", "0.00"),
        set(),
    ),
    (
        "South Dakota's whole meter",
        SD,
        {
            "bets": "",
            "progressive": "1",
            "table": "progressive=SD-3CB-PROG-PMG-01",
            "meter": "12345",
        }
        | HAND["royal"],
        ("0.00", "12345.00"),
        {"SD-3CB.18.a.i", "B-26"},
    ),
]


@pytest.mark.parametrize(("name", "rulebook", "asked", "paid", "clauses"), SOURCES)
def test_what_leaves_the_tray_and_what_does_not_is_said_with_its_clause(
    name: str, rulebook: str, asked: dict[str, str], paid: tuple[str, str], clauses: set[str]
) -> None:
    document = to_builtins(owed_in(ask(rulebook, **({"ante": "10"} | asked))))
    came = document["paid_from"]
    assert (came["tray"], came["cage"]) == paid
    won = document["spots"][-1]
    from_cage = paid[1] != "0.00"
    assert won["source"] == ("cage" if from_cage else "tray")
    assert ("paid by the cage, not from the tray" in won["words"]) == from_cage
    kept = "the cards stay on the table until the win is documented"
    assert (kept in won["words"]) == (kept == came["cards"]) == (from_cage and rulebook == MD)
    assert clauses <= set(won["cites"])


def test_the_tray_gives_what_is_paid_and_not_the_net() -> None:
    """Two pair wins $300 while a side bet of $6 is lost: $300 leaves the tray, not $294."""
    settled = ask(
        SD,
        ante="25",
        bets="1,1,3",
        **HAND["two pair"],
        three_card_bonus="6",
        table="three_card_bonus=SD-3CB-3CB-A",
    )
    assert settled.net_cents == 294_00
    assert settled.paid_from("tray") == 300_00
    assert settled.came_from == "$150 in returned stakes and $300 from the tray"


def test_scripts_read_refusals() -> None:
    with pytest.raises(Refused) as refused:
        ask(MD, ante="10", bets="4", **HAND["tens"])
    document = to_builtins(nothing_owed(book(MD), refused.value))
    assert list(document["spots"]) == []
    assert document["refused"]["code"] == "bet.bad_multiple"
    assert "MD-2014.11.B.1.a" in document["refused"]["cites"]


def test_cards_are_shown_with_their_suits() -> None:
    assert show_suits(parse_cards("Ts 9h 2d Ac")) == "10♠ 9♥ 2♦ A♣"
