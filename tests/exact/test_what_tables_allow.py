"""What a table does not take is refused with its clause, and everything else is answered."""

from fractions import Fraction
from typing import Any

import pytest

from riverboat.core.cards import parse_cards
from riverboat.core.errors import Refused
from riverboat.exact.base_games.street_payoffs import payoffs_of
from riverboat.exact.progressive.wager import (
    is_solved_jointly,
    joint_break_even,
    joint_figures,
    progressive_figures,
    progressive_setup,
)
from riverboat.exact.questions.advice import (
    Situation,
    advise_at,
    advise_in,
    advise_on,
    read_situation,
)
from riverboat.exact.questions.every_bet import work_out
from riverboat.exact.questions.question import Question, read_question, stake_of, table_for
from riverboat.round import SetupRefused, set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_either, rulebook_ids
from tests.support.every_choice import allowed_together

pytestmark = pytest.mark.slow

FORFEITS = "fold_forfeits_side_bets=true"


def book_of(name: str) -> Rulebook:
    return load_either(name).book


# ---------------------------------------------------------------- every option


def refusals(book: Rulebook, choices: list[str]) -> set[str]:
    try:
        table_for(book, read_question(book, table=choices))
    except SetupRefused as refusal:
        return {problem.code for problem in refusal.problems}
    return set()


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_value_of_every_option_has_its_odds(name: str) -> None:
    """No option breaks the mathematics: whatever may be chosen is answered."""
    book = book_of(name)
    tables = allowed_together(book, refusals)
    for table in tables:
        assert work_out(book, read_question(book, table=table)).find("base"), table
    assert len({choice for table in tables for choice in table}) > len(book.options)


@pytest.mark.parametrize(
    ("name", "choice"),
    [
        ("island-stud", FORFEITS),
        ("island-stud", "fold_forfeits_side_bets=false"),
        ("iowa-catfish-bend", "allow_fractional_multiples=true"),
        ("south-dakota-2011", "progressive_wager=5"),
        ("south-dakota-2011", "strict_dollar_wager=true"),
    ],
)
def test_an_option_that_the_mathematics_reads_is_answered(
    riverboat: Any, name: str, choice: str
) -> None:
    answer = riverboat("odds", name, "--table", choice, "--json")
    assert (answer.status, answer.err) == (0, "")


# ---------------------------------------------------------------- played for both, against a dealer


def test_against_a_dealer_the_separate_and_the_joint_best_play_are_one(riverboat: Any) -> None:
    answer = riverboat("odds", "island-stud", "--table", FORFEITS, "--json")
    assert answer.status == 0
    meters = [one for one in answer.json["bets"] if one["bet"] == "progressive"]
    for one in meters:
        both = one["together"]
        assert both["gain"] == "0"
        assert both["ev"] == one["ev"]
        assert both["break_even_meter"] == one["break_even_meter"]
    page = riverboat("odds", "island-stud", "--table", FORFEITS)
    assert "folds no hand that it pays" in page.out


def test_the_joint_figures_against_a_dealer_add_up() -> None:
    book = book_of("island-stud")
    table = book.progressive.schedules[0].paytable if book.progressive else ""
    setup = progressive_setup(book, table, options={"fold_forfeits_side_bets": True})
    assert is_solved_jointly(setup, 100)
    found = joint_figures(setup, meter_cents=5_000_000, others=3, ante_cents=100)
    alone = progressive_figures(setup, meter_cents=5_000_000, others=3)
    assert found.joint == found.separate
    assert found.wager_ev == alone.ev
    assert joint_break_even(setup, others=3, ante_cents=100) == (
        progressive_figures(setup, others=3).break_even_cents
    )


# ---------------------------------------------------------------- bets that were made


@pytest.mark.parametrize("bet", ["4", "0", "1.5", "1.5x", "0.001", "1.001"])
def test_a_bet_that_the_rules_do_not_allow_is_refused_as_at_the_table(
    riverboat: Any, bet: str
) -> None:
    asked = ["advise", "maryland-2014", "Ah Kd", "--board", "Qs", "--bets", bet]
    page = riverboat(*asked)
    assert page.status == 1
    assert "1x, 2x, 3x is allowed" in page.out
    assert "MD-2014.11.B.1.a" in page.out
    answer = riverboat(*asked, "--json")
    assert answer.status == 1
    assert answer.json.keys() == {"rulebook", "refused"}
    assert answer.json["refused"]["code"] == "bet.bad_multiple"
    assert "MD-2014.11.B.1.a" in answer.json["refused"]["cites"]


def test_the_second_street_is_refused_by_its_own_clause() -> None:
    book = book_of("maryland-2014")
    situation = read_situation(book, "Ah Kd", "Qs 2c", "1,4")
    with pytest.raises(Refused, match="4th Street bet of") as refused:
        advise_in(book, situation)
    assert "MD-2014.11.D-0" in refused.value.cites


def test_a_bet_between_multiples_is_valued_where_a_house_allows_it(riverboat: Any) -> None:
    asked = ["advise", "iowa-catfish-bend", "Ah Kd", "--board", "Qs", "--bets", "1.5"]
    assert riverboat(*asked).status == 1
    answer = riverboat(*asked, "--table", "allow_fractional_multiples=true", "--json")
    assert answer.status == 0
    assert answer.json["choices"]["fold"] == "-5/2"
    page = riverboat(*asked, "--table", "allow_fractional_multiples=true")
    assert "1.5x" in page.out
    # Without a limit every value is a straight line in the bet that was made.
    one, two = (advise("1"), advise("2"))
    for name, value in answer.json["choices"].items():
        assert Fraction(value) == (one[name] + two[name]) / 2


def advise(bets: str) -> dict[str, Fraction]:
    book = book_of("iowa-catfish-bend")
    return advise_in(book, read_situation(book, "Ah Kd", "Qs", bets))[0].choices


def test_bets_by_cents_and_by_multiples_are_worth_the_same() -> None:
    setup = set_up(book_of("maryland-2014"), {"minimum": "500"})
    hole, board = parse_cards("Ah Kd"), parse_cards("Qs Js")
    whole = advise_on(payoffs_of(setup, 50_000), hole, board, (3, 2))
    by_cents = payoffs_of(setup, 50_000, (150_000, 100_000))
    assert advise_on(by_cents, hole, board, (1, 1)) == whole
    payoffs = payoffs_of(setup, 50_000, (150_000,))
    assert payoffs.multiples[0] == (1,)
    assert payoffs.folded[(1,)] == payoffs_of(setup, 50_000).folded[(3,)]


def test_whoever_asks_with_whole_bets_is_answered_as_before() -> None:
    book = book_of("maryland-2014")
    setup = set_up(book, {})
    hole, board = parse_cards("Ah Kd"), parse_cards("Qs")
    by_fraction = advise_at(setup, Situation(cards=hole, board=board, bets=(Fraction(3),)), 100)
    assert by_fraction == advise_at(setup, Situation(cards=hole, board=board, bets=(3,)), 100)


# ---------------------------------------------------------------- limits of the side bets


@pytest.mark.parametrize(
    ("arguments", "words", "cite"),
    [
        (["maryland-2014", "--bet", "three_card_bonus", "--wager", "1", "--table",
          "three_card_minimum=5"], "three card bonus of $1; at least $5 is allowed", "C-09"),
        (["maryland-2014", "--bet", "six_card_bonus", "--wager", "100", "--table",
          "six_card_maximum=25"], "six card bonus of $100; $1 to $25 is allowed", "A-09"),
        (["south-dakota-3cb", "--bet", "three_card_bonus", "--wager", "26"],
         "three card bonus of $26; $1 to $25 is allowed", "C-09"),
        (["maryland-2014", "--table", "maximum=20", "--wager", "30"],
         "ante of $30; $1 to $20 is allowed", "C-09"),
        (["maryland-2014", "--paytable", "MD-2014-ENVY-5", "--wager", "1"],
         "MD-2014-ENVY-5 at a progressive wager of $1", "B-30"),
        (["south-dakota-2011", "--bet", "progressive", "--wager", "5", "--table",
          "strict_dollar_wager=true"], "a progressive wager of $5; only $1 is allowed", "B-06"),
        (["maryland-2014", "--table", "reserve_rate=90"],
         "reserve_rate 90% with a rate of 21%; together at most 100 percent", "B-11"),
        (["maryland-2014", "--table", "six_card_bonus=MD-2014-6CB-OLD-A"],
         "pay table MD-2014-6CB-OLD-A; allowed are", "A-17"),
    ],
)  # fmt: skip
def test_a_wager_that_no_table_takes_is_refused_with_its_clause(
    riverboat: Any, arguments: list[str], words: str, cite: str
) -> None:
    answer = riverboat("odds", *arguments, "--json")
    assert answer.status == 1
    assert answer.json.keys() == {"rulebook", "refused"}
    assert words in answer.json["refused"]["words"]
    assert "minimum" not in answer.json["refused"]["words"]
    assert cite in answer.json["refused"]["cites"]
    assert "Refused" in riverboat("odds", *arguments).out


def test_a_side_bet_is_told_for_a_dollar_or_its_minimum() -> None:
    book = book_of("maryland-2014")
    for choice, cents in (("three_card_minimum=5", 500), ("three_card_minimum=0.50", 100)):
        question = read_question(book, bet="three_card_bonus", table=[choice])
        assert stake_of(table_for(book, question), question, "three_card_bonus") == cents
        assert work_out(book, question).bets[0].wager_cents == cents


def test_the_minimum_of_the_table_is_the_ante_and_no_side_bet() -> None:
    book = book_of("maryland-2014")
    assert table_for(book, Question(wager_cents=700)).limits.ante.minimum_cents == 700
    bonus = Question(bet="three_card_bonus", wager_cents=700)
    assert table_for(book, bonus).limits.ante.minimum_cents == 100


def test_what_is_offered_is_answered_and_the_rest_listed(riverboat: Any) -> None:
    asked = ["odds", "south-dakota-2011", "--table", "strict_dollar_wager=true"]
    answer = riverboat(*asked, "--json")
    assert answer.status == 0
    listed = {one["paytable"]: one for one in answer.json["not_offered"]}
    assert listed.keys() == {"SD-2011-PROG-PMG-02", "SD-2011-ENVY-PMG-02"}
    assert "B-06" in listed["SD-2011-PROG-PMG-02"]["refused"]["cites"]
    told = {one["paytable"] for one in answer.json["bets"]}
    assert "SD-2011-PROG-PMG-01" in told
    assert not told & listed.keys()
    page = riverboat(*asked)
    assert "Not offered at this table" in page.out
    assert "only $1 is allowed" in page.out
    assert "not_offered" not in riverboat("odds", "south-dakota-2011", "--json").json


def test_a_side_bet_outside_its_limits_is_listed_beside_the_base_game(riverboat: Any) -> None:
    limits = ("--wager", "30", "--table", "three_card_maximum=25")
    answer = riverboat("odds", "maryland-2014", *limits, "--json")
    assert answer.status == 0
    assert {one["bet"] for one in answer.json["not_offered"]} == {"three_card_bonus"}


def test_a_table_named_for_a_side_bet_leaves_out_the_others(riverboat: Any) -> None:
    """Also where a table would have to offer more beside it."""
    for choice in ("six_card_bonus=MD-2014-6CB-A", "progressive_wager=5"):
        answer = riverboat("odds", "maryland-2014", "--table", choice, "--json")
        assert answer.status == 0
        told = [one["paytable"] for one in answer.json["bets"]]
        bet = "6CB" if "six" in choice else "ENVY"
        only = "MD-2014-6CB-A" if "six" in choice else "MD-2014-ENVY-5"
        assert [name for name in told if bet in name] == [only]
        assert "MD-2014-3CB-E" in told
    said = next(one for one in answer.json["bets"] if one["bet"] == "progressive")
    assert said["wager"] == "5.00"
    assert "only the progressive that the choices name" in said["assumptions"]


# ---------------------------------------------------------------- meter and reserve


@pytest.mark.parametrize(
    ("more", "right"),
    [
        ({"reserve_rate": "90"}, False),
        ({"reserve_rate": "79"}, True),
        ({"reserve_rate": "79.01"}, False),
        ({"rate": "60", "reserve_rate": "40"}, True),
        ({"rate": "60", "reserve_rate": "41"}, False),
    ],
)
@pytest.mark.parametrize("progressive", ["", "SD-2011-PROG-PMG-01"])
def test_meter_and_reserve_cannot_get_more_than_the_wager(
    more: dict[str, str], right: bool, progressive: str
) -> None:
    book = book_of("south-dakota-2011")
    wanted = {**more, **({"progressive": progressive} if progressive else {})}
    if right:
        set_up(book, wanted)
        return
    with pytest.raises(SetupRefused, match="together at most 100 percent") as refused:
        set_up(book, wanted)
    assert refused.value.cites == ("B-11", "B-35")


def test_a_rate_above_everything_is_refused_once() -> None:
    with pytest.raises(SetupRefused) as refused:
        set_up(book_of("south-dakota-2011"), {"reserve_rate": "101"})
    assert len(refused.value.problems) == 1
