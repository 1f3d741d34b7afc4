"""Explanations of what went wrong: conduct, leaving, voids, and a dealer who errs."""

import pytest

from riverboat.core.cards import parse_cards
from riverboat.round import Round, open_round, play, set_up
from riverboat.round import actions as a
from riverboat.rulebooks import load
from riverboat.scripts.scenario_file import IncidentLine
from riverboat.wording.explaining import explain
from tests.wording.explained import played, words

# ---------------------------------------------------------------- conduct, leaving, void


def test_conduct_says_what_it_costs_the_progressive_included() -> None:
    state = played(
        "maryland-2014",
        {"1": {"ante": "10", "three_card_bonus": "5", "progressive": "1"}, "2": {"ante": "10"}},
        {"1": "1x", "2": "1x 1x 1x"},
        {"2": "Th Ts", "community": "9d 4c 2h"},
        IncidentLine(what="shares_hand", when="fourth", seat=1),
        three_card_bonus="MD-2014-3CB-A",
        progressive_wager="1",
    )
    (told,) = (one for one in explain(state) if one.seat == 1)
    assert told.words == (
        "Forfeited for sharing hand information: ante, 3rd street $10 each, "
        "three card bonus $5 and progressive payout $1 are lost"
    )
    assert told.net_cents == -2_600
    assert "MD-2014.11.A.5" in told.cites


def test_whoever_leaves_is_said_to_have_folded_for_that() -> None:
    state = played(
        "maryland-2014",
        {"1": {"ante": "10"}, "2": {"ante": "10"}},
        {"1": "1x", "2": "1x 1x 1x"},
        {"2": "Th Ts", "community": "9d 4c 2h"},
        IncidentLine(what="leaves_table", when="fourth", seat=1),
    )
    assert words(state) == [
        "Left the table, and so folded on 4th street: ante, 3rd street $10 each are lost"
    ]


@pytest.mark.parametrize(
    ("incident", "why", "clause"),
    [
        (
            IncidentLine(what="exposed_community_card", when="settlement", place="community"),
            "Community card exposed: recorded, and nothing follows, "
            "for no community card was still to be turned",
            "MD-2014.13.E",
        ),
        (
            IncidentLine(what="face_up_cards", when="settlement", count=2),
            "Card face up in the deck: recorded, and nothing follows, for the cards were dealt "
            "already",
            "MD-2014.13.B",
        ),
        (
            IncidentLine(what="shoe_jam", when="deal"),
            "Shoe jammed in the deal: recorded, and nothing follows, for no device deals the cards "
            "here",
            "MD-2014.13.G",
        ),
        (
            IncidentLine(what="cards_out_of_view", when="betting", seat=1),
            "Cards out of the dealer's view: recorded, and nothing follows, for the seat had no "
            "cards yet",
            "MD-2014.11.A-0",
        ),
    ],
)
def test_what_counts_no_more_or_not_here_is_told_with_the_clause_that_would_have_applied(
    incident: IncidentLine, why: str, clause: str
) -> None:
    """Also a straight flush is paid, whatever is reported when nothing is left to go wrong."""
    state = played(
        "maryland-2014",
        {"1": {"ante": "10"}},
        {"1": "3x 3x 3x"},
        {"1": "9h 8h", "community": "Qh Jh Th"},
        incident,
        minimum="5",
        dealing="manual_shoe",
    )
    (note,) = (one for one in explain(state) if not one.spots)
    assert (note.result, note.words, note.net_cents) == ("note", why, 0)
    assert note.cites[0] == clause
    assert "D-31" in note.cites
    assert state.seats[1].net_cents == 10_000_00


def test_a_void_round_says_what_came_back_and_why() -> None:
    state = played(
        "maryland-2014",
        {"1": {"ante": "10", "progressive": "1"}, "2": {"ante": "10"}},
        {"1": "fold", "2": "1x"},
        {},
        IncidentLine(what="exposed_community_card", when="fourth"),
        progressive_wager="1",
    )
    assert state.phase == "void"
    assert words(state, 1)[-1] == (
        "Round void, community card exposed: progressive payout $1 and ante $10 come back"
    )
    assert words(state, 2) == [
        "Round void, community card exposed: ante, 3rd street $10 each come back"
    ]
    told = explain(state)[-1]
    assert (told.result, told.net_cents) == ("returned", 0)
    assert {"MD-2014.13.E", "D-13"} <= set(told.cites)


def test_a_void_found_at_settlement_takes_payouts_back() -> None:
    state = played(
        "south-dakota-3cb",
        {"1": {"ante": "10"}, "2": {"ante": "10", "tip_ante": "1"}},
        {"1": "1x 1x 1x", "2": "1x 1x 1x"},
        {"1": "Ah 9h", "2": "Jh 8h", "community": "Kh 4h 2h"},
        IncidentLine(what="wrong_card_count", when="settlement", after=2),
    )
    assert words(state, 2)[-1] == (
        "Round void, wrong number of cards dealt: tip on ante $1 comes back, $60 paid on 3rd "
        "street is taken back, $60 paid on 4th street is taken back, $60 paid on 5th street is "
        "taken back, $60 paid on ante is taken back and $7 is taken out of the tip box again"
    )
    assert words(state, 1) == [
        "Round void, wrong number of cards dealt: ante, 3rd, 4th, 5th street $10 each come back"
    ]
    assert sum(one.net_cents for one in explain(state) if one.seat == 2) == 0
    assert state.seats[2].net_cents == 0


def test_a_void_six_card_bonus_alone_comes_back() -> None:
    state = played(
        "maryland-2014",
        {"1": {"ante": "10", "three_card_bonus": "1", "six_card_bonus": "5"}},
        {"1": "fold"},
        {"community": "2c 4s 9h"},
        IncidentLine(what="wrong_card_count", when="third", place="six_card_box"),
        three_card_bonus="MD-2014-3CB-A",
        six_card_bonus="MD-2014-6CB-A",
        six_card_irregularity="void_six_card",
    )
    assert "Void, wrong number of cards dealt: six card bonus $5 comes back" in words(state)


# ---------------------------------------------------------------- a dealer who errs


def settling(rulebook: str = "south-dakota-3cb") -> Round:
    setup = set_up(load(rulebook).book, {})
    state = open_round(setup)
    state = play(state, a.Wager(seat=1, spot="ante", cents=1_000))
    state = play(state, a.CloseBets())
    places = {"1": parse_cards("Ah 9h"), "community": parse_cards("Kh 4h 2h")}
    state = play(state, a.Deal(places=places))
    for _ in range(3):
        state = play(state, a.Bet(seat=1, cents=1_000))
        state = play(state, a.Turn())
    return state


def test_nothing_is_explained_before_there_is_a_result() -> None:
    assert explain(settling()) == ()


def test_what_is_settled_is_explained_while_the_rest_waits() -> None:
    state = play(settling(), a.Settle(seat=1, spot="third", given_cents=7_000))
    assert words(state) == ["Flush pays 6 to 1 on 3rd street $10: $60"]


def test_a_wrong_payout_and_its_correction_are_both_told() -> None:
    state = play(settling(), a.Settle(seat=1, spot="third", given_cents=8_000))
    state = play(state, a.Settle(seat=1, spot="progressive", given_cents=500))
    state = play(play(state, a.SettleAll()), a.Close())
    state = play(state, a.Correct(seat=1, spot="third", cents=-1_000, reason="paid over"))
    assert words(state) == [
        "Flush pays 6 to 1 on ante, 3rd, 4th, 5th street $10 each: $240; "
        "the dealer paid $250 instead of $240",
        "The dealer gave $5 on progressive, where nothing was owed",
        "Corrected on 3rd street: $10 is given back (paid over)",
    ]
    assert sum(one.net_cents for one in explain(state)) == state.seats[1].net_cents == 24_500
