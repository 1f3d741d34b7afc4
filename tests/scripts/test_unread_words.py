"""Scenario files are read to their last word: what names nothing, or is never reached, is exit 2.

Each case is a scenario that holds with one thing changed or added, and the part of the sentence
that names the place and what would be right. Days, configurations and controller scripts have
theirs in `test_unread_script_words.py`.
"""

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from riverboat.round.incidents import KNOWN
from riverboat.rulebooks import load
from riverboat.scripts.checking import Checked, check_file
from riverboat.scripts.scenario import Scenario, play_scenario, read_scenarios
from riverboat.scripts.scenario_file import FIRST_WORDS, log_lines, misread
from riverboat.scripts.scenario_words import INCIDENT_WORDS, named_in_log, names_of
from tests.support.answers import calling
from tests.support.places import TESTS

RULES = TESTS / "rules"

# Seat 1 folds at once and loses 11; seat 2 has a pair of kings and wins four times 10.
MARYLAND = {
    "name": '"as it should be"',
    "rulebook": '"maryland-2014"',
    "clauses": '["MD-2014.11.H.1"]',
    "table": '{ three_card_bonus = "MD-2014-3CB-E", progressive_wager = "1", tip_wagers = true }',
    "bets.1": '{ ante = "10", progressive = "1" }',
    "bets.2": '{ ante = "10" }',
    "cards": '{ 1 = "7d 2c", 2 = "Ks Kd", community = "3h 5c 9s" }',
    "decisions.1": '["fold"]',
    "decisions.2": '["1x", "1x", "1x"]',
    "expect.net": '{ 1 = "-11", 2 = "40" }',
}
# Ace high against a king: even money on the Bet, and the Ante is a push below two pair.
ISLAND = {
    "name": '"as it should be"',
    "rulebook": '"island-stud"',
    "clauses": '["IS.3-2"]',
    "bets.1": '{ ante = "10" }',
    "cards": '{ 1 = "Ac Kd 9h 4s 2c", dealer = "Kc Qd 8h 7s 3c" }',
    "decisions.1": '["bet"]',
    "expect.net": '{ 1 = "20" }',
}
DAKOTA = {
    "name": '"as it should be"',
    "rulebook": '"south-dakota-3cb"',
    "clauses": '["SD-3CB.2-2"]',
    "bets.1": '{ ante = "10", tip_ante = "1" }',
    "cards": '{ 1 = "Ks Kd", community = "3h 5c 9s" }',
    "decisions.1": '["1x", "1x", "1x"]',
    "expect.net": '{ 1 = "39" }',
}
REFUSED = {"decisions.1": '["4x"]', "expect.net": "", "expect.refused": '"C-07"'}


class Case(NamedTuple):
    """A scenario that holds, what is changed in it, and what must be said of that."""

    name: str
    base: dict[str, str]
    change: dict[str, str]
    said: str


def written(base: dict[str, str], change: dict[str, str]) -> str:
    """A scenario with some keys changed; an empty value leaves a key out."""
    keys = {**base, **change}
    return "[[scenario]]\n" + "".join(f"{key} = {text}\n" for key, text in keys.items() if text)


def incident(words: str) -> dict[str, str]:
    return {"incidents": f"[{{ {words} }}]"}


def request(words: str) -> dict[str, str]:
    return {"requests": f"[{{ {words} }}]"}


CASES = [
    # what is expected
    Case("nothing", MARYLAND, {"expect.net": "", "expect": "{}"}, "expect: expects nothing"),
    Case(
        "no spot",
        MARYLAND,
        {"expect.results": "{ 1 = {} }"},
        "results.1: expects nothing; write ante, third",
    ),
    Case(
        "a misspelled spot",
        MARYLAND,
        {"expect.results": '{ 1 = { antee = "-10" } }'},
        "results.1.antee: seat 1 has no spot 'antee'; it has ante, third, fourth, fifth, "
        "three_card_bonus, progressive, envy, tip_ante",
    ),
    Case(
        "a side bet that is not offered",
        MARYLAND,
        {"expect.results": '{ 1 = { six_card_bonus = "0" } }'},
        "results.1.six_card_bonus: seat 1 has no spot",
    ),
    Case(
        "envy without a progressive",
        DAKOTA,
        {"expect.results": '{ 1 = { envy = "0" } }'},
        "results.1.envy: seat 1 has no spot 'envy'; it has ante, third",
    ),
    Case(
        "a tip that is not taken",
        ISLAND,
        {"expect.results": '{ 1 = { tip_ante = "0" } }'},
        "results.1.tip_ante: seat 1 has no spot",
    ),
    Case(
        "a street of another game",
        ISLAND,
        {"expect.results": '{ 1 = { third = "0" } }'},
        "results.1.third: seat 1 has no spot 'third'; it has ante, bet",
    ),
    Case(
        "a result where nothing was bet",
        MARYLAND,
        {"expect.results": '{ 2 = { progressive = "5" } }'},
        "results.2.progressive: seat 2 bets nothing there; only 0 can come of it",
    ),
    Case(
        "a street after the fold",
        MARYLAND,
        {"expect.results": '{ 1 = { third = "-10" } }'},
        "results.1.third: seat 1 bets nothing there",
    ),
    Case(
        "the results of a seat that does not play",
        MARYLAND,
        {"expect.results": '{ 4 = { ante = "0" } }'},
        "results.4: nobody plays at seat 4; bets has 1, 2",
    ),
    Case(
        "the net of a seat that does not play",
        MARYLAND,
        {"expect.net": '{ 1 = "-11", 3 = "0" }'},
        "net.3: nobody plays at seat 3; bets has 1, 2",
    ),
    Case("seat 77", MARYLAND, {"expect.net": '{ 77 = "0" }'}, "net.77: '77' is no seat; a seat is"),
    Case("Ann", MARYLAND, {"expect.net": '{ Ann = "0" }'}, "net.Ann: 'Ann' is no seat"),
    Case("01", MARYLAND, {"expect.net": '{ 1 = "-11", 01 = "-11" }'}, "net.01: '01' is no seat"),
    Case("no digit of ours", MARYLAND, {"expect.net": '{ "\u0663" = "0" }'}, "is no seat"),
    Case(
        "three signs",
        MARYLAND,
        {"expect.net": '{ 1 = "---11" }'},
        "net.1: '---11' is no amount: write dollars as",
    ),
    *[
        Case(f"the amount {text}", MARYLAND, {"expect.net": f'{{ 1 = "{text}" }}'}, "is no amount")
        for text in ("+-11", "1e3", "\u0663", "", " 11", "$11", "11.001", "--", "1,000")
    ],
    Case("no tip box", MARYLAND, {"expect.tip_box": '""'}, "tip_box: '' is no amount"),
    Case("a signed meter", MARYLAND, {"expect.meter": '"-1"'}, "meter: '-1' is no amount"),
    Case(
        "a meter without a progressive",
        DAKOTA,
        {"expect.meter": '"10000"'},
        "meter: this table has no progressive; table offers one by progressive or",
    ),
    Case("a reserve without one", DAKOTA, {"expect.reserve": '"0"'}, "reserve: this table has no"),
    Case(
        "an unknown word that must not occur",
        MARYLAND,
        {"expect.never": '["setle 1 ante"]'},
        "never[1]: 'setle 1 ante' is no entry of the log; one begins with bet, take-back",
    ),
    Case(
        "an unknown spot that must not occur",
        MARYLAND,
        {"expect.never": '["settle 1 antee"]'},
        "never[1]: 'settle 1 antee': 'antee' is no spot here; there are ante, third",
    ),
    Case(
        "a seat that the table does not have",
        MARYLAND,
        {"expect.never": '["settle 9 ante"]'},
        "never[1]: 'settle 9 ante': '9' is no seat here; there are 1, 2, 3",
    ),
    Case(
        "too many words",
        MARYLAND,
        {"expect.never": '["void 1"]'},
        "never[1]: 'void 1': write void",
    ),
    Case("an empty entry", MARYLAND, {"expect.never": '[""]'}, "never[1]: '' is no entry"),
    Case("two blanks", MARYLAND, {"expect.never": '["settle  1 ante"]'}, "write settle S spot"),
    Case(
        "a seat in the log that does not play",
        MARYLAND,
        {"expect.log": '["settle 5 ante"]'},
        "log[1]: 'settle 5 ante': '5' is no seat here; there are 1, 2",
    ),
    Case(
        "an unknown hand",
        MARYLAND,
        {"expect.never": '["award 1 royal"]'},
        "'royal' is no hand here; there are high_card",
    ),
    Case(
        "no box at this table",
        MARYLAND,
        {"expect.never": '["deal box"]'},
        "'box' is no place here; there are 1, 2, 3",
    ),
    Case(
        "an unknown incident in the log",
        MARYLAND,
        {"expect.never": '["incident fire"]'},
        "'fire' is no incident here",
    ),
    Case(
        "an unknown first word",
        MARYLAND,
        {"expect.only": '["settel"]'},
        "only: 'settel' begins no entry of the log; there are bet",
    ),
    Case(
        "a clause that is in no rulebook",
        DAKOTA,
        {**REFUSED, "expect.refused": '"SD-3CB.99-9"'},
        "clause 'SD-3CB.99-9' is in no rulebook",
    ),
    Case("an unknown key", MARYLAND, {"expect.nets": '{ 1 = "0" }'}, "did you mean 'net'?"),
    # what is bet and dealt
    Case(
        "an unknown spot",
        MARYLAND,
        {"bets.2": '{ antee = "10" }'},
        "bets.2.antee: there is no spot 'antee' to bet on; there are ante, three_card_bonus",
    ),
    Case("seat 0", MARYLAND, {"bets.0": '{ ante = "10" }'}, "bets.0: '0' is no seat"),
    Case("seat 02", MARYLAND, {"bets.02": '{ ante = "10" }'}, "bets.02: '02' is no seat"),
    Case("nothing bet", MARYLAND, {"bets.3": '{ player = "Ann" }'}, "bets.3: bets nothing; write"),
    Case("no name", MARYLAND, {"bets.2": '{ ante = "10", player = " " }'}, "bets.2.player: is"),
    Case("an amount", MARYLAND, {"bets.2": '{ ante = "1e1" }'}, "bets.2.ante: '1e1' is no amount"),
    Case("no amount", MARYLAND, {"bets.2": '{ ante = "" }'}, "bets.2.ante: '' is no amount"),
    Case(
        "an unknown instrument",
        MARYLAND,
        {"bets.2": '{ ante = "10", instrument = "shells" }'},
        "bets.2.instrument: 'shells' is no instrument; there are chip, plaque",
    ),
    Case(
        "an instrument that no rule is about",
        DAKOTA,
        {"bets.1": '{ ante = "10", tip_ante = "1", instrument = "cash" }'},
        "bets.1.instrument: south-dakota-3cb has no rule about what a wager is made with",
    ),
    Case(
        "a tip of another game",
        DAKOTA,
        {"bets.1": '{ ante = "10", tip_ante = "1", tip_bet = "1" }'},
        "bets.1.tip_bet: there is no spot 'tip_bet' to bet on; there are ante",
    ),
    Case(
        "a street's tip in Island Stud",
        ISLAND,
        {"bets.1": '{ ante = "10", tip_third = "1" }'},
        "bets.1.tip_third: there is no spot",
    ),
    Case(
        "a tip that the rulebook does not have",
        MARYLAND,
        {"bets.2": '{ ante = "10", three_card_bonus = "5", tip_three_card_bonus = "1" }'},
        "bets.2.tip_three_card_bonus: maryland-2014 has no tip there; it has tip_ante, tip_third",
    ),
    Case(
        "a street's tip of a seat that folds",
        DAKOTA,
        {
            "bets.1": '{ ante = "10", tip_ante = "1", tip_fourth = "1" }',
            "decisions.1": '["1x", "fold"]',
            "expect.net": '{ 1 = "-21" }',
        },
        "bets.1.tip_fourth: is never read; seat 1 makes no bet there",
    ),
    Case(
        "cards for a seat that does not play",
        MARYLAND,
        {"cards": '{ 5 = "7d 2c" }'},
        "cards.5: nobody plays at seat 5; bets has 1, 2",
    ),
    Case(
        "cards of a box that is not there",
        MARYLAND,
        {"cards": '{ six_card_box = "7d 2c 4h 5h" }'},
        "cards.six_card_box: 'six_card_box' is no place; there are a seat, community",
    ),
    Case("cards of a dealer", MARYLAND, {"cards": '{ dealer = "7d" }'}, "cards.dealer: 'dealer'"),
    Case("a community", ISLAND, {"cards": '{ community = "7d 2c 3c" }'}, "cards.community: "),
    Case("three cards", MARYLAND, {"cards": '{ 1 = "7d 2c 3c" }'}, "cards.1: has 3 cards; 2 are"),
    Case("no card", MARYLAND, {"cards": '{ 1 = "7d 1c" }'}, "cards.1: '1c' is no card"),
    Case("twice", MARYLAND, {"cards": '{ 1 = "7d 2c", 2 = "7d 3c" }'}, "cards: more than once: 7d"),
    Case(
        "cards in a round that is refused before the deal",
        DAKOTA,
        {**REFUSED, "bets.1": '{ ante = "30" }', "cards": '{ 1 = "7d 2x" }'},
        "cards.1: '2x' is no card",
    ),
    Case(
        "a meter that is no text",
        MARYLAND,
        {"table": '{ progressive_wager = "1", meter = 50000 }'},
        "table.meter: 50000 is no text; write dollars in quotes",
    ),
    Case(
        "a pay table that is no text",
        DAKOTA,
        {"table": "{ three_card_bonus = 7 }", "expect": "{ refused = true }", "expect.net": ""},
        "table.three_card_bonus: 7 is no text; write a name in quotes",
    ),
    Case(
        "a meter without anything to play for",
        DAKOTA,
        {"table": '{ meter = "50000" }'},
        "table.meter: this table has no progressive",
    ),
    Case(
        "a seed without one", DAKOTA, {"table": '{ seed = "9" }'}, "table.seed: this table has no"
    ),
    Case(
        "a rate without one", DAKOTA, {"table": '{ rate = "9" }'}, "table.rate: this table has no"
    ),
    Case("no option", MARYLAND, {"table": "{ tpi_wagers = true }"}, "there is no option"),
    # what is decided
    Case(
        "one decision too many",
        MARYLAND,
        {"decisions.2": '["1x", "1x", "1x", "1x"]'},
        "decisions.2: 4 decisions; a seat decides 3 times: third, fourth, fifth",
    ),
    Case(
        "two decisions in Island Stud",
        ISLAND,
        {"decisions.1": '["bet", "bet"]'},
        "decisions.1: 2 decisions; a seat decides 1 time: bet",
    ),
    Case(
        "a decision after a fold",
        MARYLAND,
        {"decisions.1": '["fold", "1x"]'},
        "decisions.1: '1x' comes after a fold",
    ),
    Case(
        "a decision of a seat that does not play",
        MARYLAND,
        {"decisions.3": '["1x"]'},
        "decisions.3: nobody plays at seat 3; bets has 1, 2",
    ),
    Case(
        "banana",
        MARYLAND,
        {"decisions.1": '["banana"]'},
        "decisions.1: 'banana' is no decision; write fold, bet or a number with x",
    ),
    Case("no number", MARYLAND, {"decisions.1": '["\u0663x"]'}, "is no decision"),
    Case("no x", MARYLAND, {"decisions.1": '["1"]'}, "is no decision"),
    Case("endless", MARYLAND, {"decisions.1": f'["{"9" * 5000}x"]'}, "is no decision"),
    Case(
        "a decision of a seat that has left",
        MARYLAND,
        {
            **incident('what = "leaves_table", when = "fourth", seat = 2'),
            "expect.net": '{ 1 = "-11", 2 = "-20" }',
        },
        "decisions.2: '1x' is never read; seat 2 decides 1 time",
    ),
    Case("too few", MARYLAND, {"decisions.2": '["1x"]'}, "decisions.2: nothing for"),
    # what goes wrong
    Case(
        "an unknown incident",
        MARYLAND,
        incident('what = "fire", when = "deal"'),
        "incidents[1].what: 'fire' is no incident; there are wrong_card_count",
    ),
    Case(
        "an incident that is never reached",
        MARYLAND,
        {
            **incident('what = "deck_count", when = "fifth", count = 52'),
            "decisions.2": '["fold"]',
            "expect.net": '{ 1 = "-11", 2 = "-10" }',
        },
        "incidents: deck_count at fifth is never reached; the round ends before it",
    ),
    Case(
        "an incident that is never reached and would have voided the round",
        MARYLAND,
        {
            **incident('what = "deck_count", when = "fifth", count = 51'),
            "decisions.2": '["fold"]',
            "expect.net": "",
            "expect.void": "true",
        },
        "incidents: deck_count at fifth is never reached; the round ends before it",
    ),
    Case(
        "the floor's word where the table decides",
        MARYLAND,
        incident('what = "exposed_player_card", when = "deal", seat = 1, decision = "void"'),
        "incidents[1].decision: the floor decides nothing here; set exposed_player_card = "
        "floor_decides, or leave it out",
    ),
    Case(
        "the floor's word where the document decides",
        MARYLAND,
        {
            "incidents": '[{ what = "deck_count", when = "deal", count = 52 }, '
            '{ what = "exposed_community_card", when = "third", decision = "continue" }]',
            "expect.net": "",
            "expect.void": "true",
        },
        "incidents[2].decision: the floor decides nothing of exposed_community_card here; leave it",
    ),
    Case(
        "an incident after the round was void",
        MARYLAND,
        {
            "incidents": '[{ what = "deck_count", when = "deal", count = 51 }, '
            '{ what = "leaves_table", when = "third", seat = 1 }]',
            "expect.net": '{ 1 = "0", 2 = "0" }',
            "expect.void": "true",
            "expect.deck_removed": "true",
        },
        "incidents: leaves_table at third is never reached",
    ),
    Case(
        "an incident after the refusal",
        DAKOTA,
        {**REFUSED, **incident('what = "deck_count", when = "settlement", count = 52')},
        "incidents: deck_count at settlement is never reached",
    ),
    Case(
        "an incident at a table that is refused",
        DAKOTA,
        {
            "table": '{ maximum = "26" }',
            **incident('what = "deck_count", when = "deal", count = 52'),
            "expect.net": "",
            "expect.refused": "true",
        },
        "incidents: deck_count at deal is never reached",
    ),
    Case(
        "the meter of a table that is refused",
        DAKOTA,
        {
            "table": '{ maximum = "26" }',
            "expect": '{ refused = true, meter = "1" }',
            "expect.net": "",
        },
        "meter: there is no round; the table is refused",
    ),
    *[
        Case(
            f"{when} in Island Stud",
            ISLAND,
            incident(f'what = "deck_count", when = "{when}", count = 52'),
            f"incidents[1].when: island-stud has no {when}; write betting, deal, third, settlement",
        )
        for when in ("fourth", "fifth")
    ],
    Case(
        "a box in Island Stud",
        ISLAND,
        incident('what = "wrong_card_count", when = "deal", place = "six_card_box"'),
        "incidents[1].place: this table has no six_card_box; it has dealer",
    ),
    Case(
        "a box without the six card bonus",
        MARYLAND,
        incident('what = "wrong_card_count", when = "deal", place = "six_card_box"'),
        "incidents[1].place: this table has no six_card_box; it has community",
    ),
    Case(
        "a dealer's hand in Maryland",
        MARYLAND,
        incident('what = "exposed_player_card", when = "deal", place = "dealer"'),
        "incidents[1].place: this table has no dealer",
    ),
    Case(
        "an incident at a seat that does not play",
        MARYLAND,
        incident('what = "exposed_player_card", when = "deal", seat = 5'),
        "incidents[1].seat: nobody plays at seat 5; bets has 1, 2",
    ),
    Case(
        "a number of exposed cards of a player",
        MARYLAND,
        incident('what = "exposed_player_card", when = "deal", seat = 1, count = 3'),
        "incidents[1].count: exposed_player_card does not have it; it has seat, place, decision",
    ),
    Case(
        "a number of exposed community cards",
        MARYLAND,
        incident('what = "exposed_community_card", when = "deal", count = 3'),
        "incidents[1].count: exposed_community_card does not have it; it has place, decision",
    ),
    Case(
        "a number of late chips",
        MARYLAND,
        incident('what = "late_progressive_chip", when = "deal", seat = 1, count = 3'),
        "incidents[1].count: late_progressive_chip does not have it; it has seat",
    ),
    Case(
        "an incident at seat 0",
        MARYLAND,
        incident('what = "exposed_player_card", when = "deal", seat = 0'),
        "incidents[1].seat: is 0; at least 1 is right",
    ),
    Case(
        "a jam at a seat",
        MARYLAND,
        incident('what = "shuffler_jam", when = "betting", seat = 1'),
        "incidents[1].seat: shuffler_jam does not have it; it has place, decision",
    ),
    Case(
        "a count of conduct",
        MARYLAND,
        incident('what = "shares_hand", when = "third", seat = 1, count = 2'),
        "incidents[1].count: shares_hand does not have it; it has seat",
    ),
    Case(
        "a decision of the floor about conduct",
        MARYLAND,
        incident('what = "shares_hand", when = "third", seat = 1, decision = "void"'),
        "incidents[1].decision: shares_hand does not have it",
    ),
    Case(
        "conduct of nobody",
        MARYLAND,
        incident('what = "shares_hand", when = "third"'),
        "incidents[1]: shares_hand needs seat",
    ),
    Case(
        "a deck without a count",
        MARYLAND,
        incident('what = "deck_count", when = "deal"'),
        "incidents[1]: deck_count needs count",
    ),
    Case(
        "after, but not at settlement",
        MARYLAND,
        incident('what = "deck_count", when = "third", count = 52, after = 1'),
        "incidents[1].after: only settlement goes seat by seat; when is third",
    ),
    Case(
        "after a seat that does not play",
        MARYLAND,
        incident('what = "deck_count", when = "settlement", count = 52, after = 4'),
        "incidents[1].after: nobody plays at seat 4",
    ),
    Case(
        "no word of the floor",
        MARYLAND,
        incident('what = "shoe_jam", when = "deal", decision = "perhaps"'),
        "incidents[1].decision: 'perhaps' is not allowed; allowed are continue, void",
    ),
    # what is asked for
    Case(
        "a request that is never reached",
        MARYLAND,
        {
            **request('when = "fifth", do = "turn"'),
            "decisions.2": '["fold"]',
            "expect.net": '{ 1 = "-11", 2 = "-10" }',
        },
        "requests: turn at fifth is never reached; the round ends before it",
    ),
    Case(
        "a request after the refusal",
        DAKOTA,
        {**REFUSED, **request('when = "fourth", do = "turn"')},
        "requests: turn at fourth is never reached",
    ),
    Case(
        "a word that a request does not have",
        DAKOTA,
        {**REFUSED, **request('when = "third", do = "turn", seat = 1')},
        "requests[1].seat: turn does not have it; it has nothing more",
    ),
    Case(
        "an amount of a fold",
        DAKOTA,
        {**REFUSED, **request('when = "third", do = "fold", seat = 1, amount = "1"')},
        "requests[1].amount: fold does not have it; it has seat",
    ),
    Case(
        "a wager of nothing",
        DAKOTA,
        {**REFUSED, **request('when = "deal", do = "wager", seat = 2, spot = "ante"')},
        "requests[1]: wager needs amount",
    ),
    Case(
        "a request for an unknown spot",
        DAKOTA,
        {**REFUSED, **request('when = "deal", do = "wager", seat = 2, spot = "x", amount = "1"')},
        "requests[1].spot: there is no spot 'x'; there are ante",
    ),
    Case(
        "a request of a seat that does not play",
        DAKOTA,
        {**REFUSED, **request('when = "third", do = "fold", seat = 4')},
        "requests[1].seat: nobody plays at seat 4; bets has 1",
    ),
    Case(
        "a request on a street of another game",
        ISLAND,
        {
            **request('when = "fifth", do = "turn"'),
            "expect": "{ refused = true }",
            "expect.net": "",
        },
        "requests[1].when: island-stud has no fifth",
    ),
]


def checked(tmp_path: Path, text: str) -> list[Checked]:
    file = tmp_path / "scenario.toml"
    file.write_text(text, "utf-8")
    return check_file(str(file))


@pytest.mark.parametrize("base", [MARYLAND, ISLAND, DAKOTA], ids=lambda base: base["rulebook"])
def test_what_the_cases_change_holds(base: dict[str, str], tmp_path: Path) -> None:
    (result,) = checked(tmp_path, written(base, {}))
    assert (result.error, result.differences) == ("", ())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_word_that_names_nothing_cannot_be_read(case: Case, tmp_path: Path) -> None:
    (result,) = checked(tmp_path, written(case.base, case.change))
    assert case.said in result.error


def test_no_two_cases_have_the_same_name() -> None:
    names = [case.name for case in CASES]
    assert sorted(set(names)) == sorted(names)


# What is readable although a round does not come to it, or although nothing lies there.
READABLE = {
    "a result of 0 where nothing was bet": (
        MARYLAND,
        {"expect.results": '{ 1 = { third = "0", envy = "0.00" }, 2 = { progressive = "0" } }'},
    ),
    "nothing but void = false": (MARYLAND, {"expect.net": "", "expect.void": "false"}),
    "nothing but first words": (MARYLAND, {"expect.net": "", "expect.only": '["award"]'}),
    "a seat that is dealt no card": (MARYLAND, {"expect.never": '["deal 3", "settle 1 third"]'}),
    "decisions after the refused one": (DAKOTA, {**REFUSED, "decisions.1": '["1x", "4x", "1x"]'}),
    "decisions after the round was void": (
        MARYLAND,
        {
            **incident('what = "deck_count", when = "third", count = 51'),
            "expect.net": '{ 1 = "0", 2 = "0" }',
            "expect.void": "true",
            "expect.deck_removed": "true",
        },
    ),
    "the net of a seat whose wager was refused": (
        DAKOTA,
        {
            "bets.1": '{ ante = "25.01" }',
            "expect.net": '{ 1 = "0" }',
            "expect.refused": '"SD-3CB.2-2"',
        },
    ),
    "bets at a table that is refused": (
        DAKOTA,
        {"table": '{ maximum = "26" }', "expect.net": '{ 1 = "0" }', "expect.refused": "true"},
    ),
    "a tip whose refusal is expected": (
        MARYLAND,
        {
            "bets.2": '{ ante = "10", three_card_bonus = "5", tip_three_card_bonus = "1" }',
            "expect.net": "",
            "expect.refused": '"E-08"',
        },
    ),
    "the floor's word where it decides, though not at this moment": (
        MARYLAND,
        {
            "table": '{ progressive_wager = "1", exposed_player_card = "floor_decides" }',
            **incident('what = "exposed_player_card", when = "betting", decision = "void"'),
        },
    ),
    "an incident before the decision of Island Stud": (
        ISLAND,
        incident('what = "deck_count", when = "third", count = 52'),
    ),
    "an amount with a plus": (ISLAND, {"expect.net": '{ 1 = "+20.00" }'}),
}


@pytest.mark.parametrize("name", READABLE)
def test_what_a_careful_author_writes_is_readable_and_holds(name: str, tmp_path: Path) -> None:
    (result,) = checked(tmp_path, written(*READABLE[name]))
    assert (result.error, result.differences) == ("", ())


# What a round did and its scenario does not expect: not true, and not unreadable either.
UNEXPECTED = {
    "refused": (DAKOTA, {"decisions.1": '["1x", "4x", "1x"]'}, "refused"),
    "a table that is refused": (DAKOTA, {"table": '{ maximum = "26" }'}, "refused"),
    "void": (MARYLAND, incident('what = "deck_count", when = "deal", count = 51'), "void"),
    "deck_removed": (
        MARYLAND,
        {
            **incident('what = "deck_count", when = "deal", count = 51'),
            "expect.net": '{ 1 = "0", 2 = "0" }',
            "expect.void": "true",
        },
        "deck_removed",
    ),
    "deal_blocked": (
        MARYLAND,
        incident('what = "progressive_chip_mismatch", when = "deal", count = 0'),
        "deal_blocked",
    ),
    "a refusal that does not come": (DAKOTA, {**REFUSED, "decisions.1": '["3x"]'}, "refused"),
    "a void that does not come": (
        MARYLAND,
        {"decisions.2": '["1x"]', "expect.net": "", "expect.void": "true"},
        "void",
    ),
}


@pytest.mark.parametrize("name", UNEXPECTED)
def test_what_nobody_expected_makes_a_scenario_not_hold(name: str, tmp_path: Path) -> None:
    base, change, what = UNEXPECTED[name]
    (result,) = checked(tmp_path, written(base, change))
    assert result.error == ""
    assert what in [difference.what for difference in result.differences]


def test_an_expected_clause_is_told_as_it_is_written(tmp_path: Path) -> None:
    change = {"expect.net": "", "expect.refused": '"C-07"'}
    (result,) = checked(tmp_path, written(DAKOTA, change))
    assert [(one.expected, one.got) for one in result.differences] == [("C-07", "nothing was")]


@pytest.mark.parametrize("word", ["1000000x", "1.0000001x", "0.999999999999x", "999999999999x"])
def test_a_multiple_that_no_clause_allows_is_refused_by_one(word: str, tmp_path: Path) -> None:
    change = {**REFUSED, "decisions.1": f'["{word}"]'}
    (result,) = checked(tmp_path, written(DAKOTA, change))
    assert (result.error, result.differences) == ("", ())


def test_the_command_says_every_problem_on_a_line_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scenario.toml"
    bad = {"expect.net": '{ Ann = "0", 7 = "1e3" }', "decisions.3": '["banana"]'}
    good = {"name": '"another"'}
    file.write_text(written(MARYLAND, bad) + "\n" + written(MARYLAND, good), "utf-8")
    answer = calling(capsys)("check", str(file), "--json")
    assert answer.status == 2
    lines = answer.err.splitlines()
    assert all(line.startswith(f"{file}: as it should be: ") for line in lines)
    assert [line.split(": ")[2] for line in lines] == [
        "decisions.3",
        "decisions.3",
        "net.Ann",
        "net.7",
        "net.7",
    ]
    first, second = answer.json["scenarios"]
    assert (first["holds"], second["holds"]) == (False, True)
    assert "'banana' is no decision" in first["error"]


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.name in ("nothing", "three signs", "banana")]
)
def test_a_file_that_cannot_be_read_is_exit_two(
    case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "scenario.toml"
    file.write_text(written(case.base, case.change), "utf-8")
    answer = calling(capsys)("check", str(file))
    assert answer.status == 2
    assert case.said in answer.err


def test_a_file_that_is_not_there_is_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    answer = calling(capsys)("check", "missing.toml")
    assert answer.status == 2
    assert answer.err == "missing.toml: file: No such file or directory\n"


def test_every_incident_says_which_words_it_has() -> None:
    assert sorted(INCIDENT_WORDS) == sorted(KNOWN)


def library() -> list[Scenario]:
    files = sorted(RULES.rglob("*.toml"))
    read = [one for file in files for _, one in read_scenarios(file.read_text("utf-8"))]
    return [one for one in read if isinstance(one, Scenario)]


@pytest.mark.slow
def test_every_line_that_a_round_of_the_library_logs_can_be_read() -> None:
    seen = set()
    for scenario in library():
        book = load(scenario.rulebook).book
        state = play_scenario(scenario, book).state
        if state is None:
            continue
        names = names_of(scenario, book, state.setup)
        named: Any = named_in_log(scenario, names, tuple(map(str, names.players)))
        for line in (line for event in state.history for line in log_lines(event)):
            assert misread(line, named) == "", scenario.name
            seen.add(line.split()[0])
    # No rulebook of the program burns cards, and scenarios are settled without a mistake.
    assert seen == set(FIRST_WORDS) - {"burn", "err", "correct", "correct-card"}
