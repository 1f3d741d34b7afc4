"""Explanations: the sentences themselves, and that they add up in rounds played at random."""

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from riverboat.core.cards import DECK, parse_cards
from riverboat.core.errors import Refused
from riverboat.core.money import Cents, parse_dollars
from riverboat.meter.amounts import meter_of
from riverboat.round import Round, Setup, open_round, play, replay, set_up
from riverboat.round import actions as a
from riverboat.round.dealing import card_counts, deal_out
from riverboat.round.incidents import IRREGULARITIES, KNOWN
from riverboat.round.settlement.payment import remaining
from riverboat.round.setup.setup import Raw
from riverboat.round.streets import seat_to_act, stage_of
from riverboat.rulebook.options import Choice, Flag
from riverboat.rulebooks import load, rulebook_ids
from riverboat.scripts.scenario import play_scenario
from riverboat.scripts.scenario_file import Expect, IncidentLine, Scenario
from riverboat.wording.explaining import Explanation, explain

ROUNDS = 1500
PLACES = ("community", "six_card_box", "dealer")


def played(
    rulebook: str,
    bets: dict[str, dict[str, str]],
    decisions: dict[str, str],
    cards: dict[str, str],
    *incidents: IncidentLine,
    **table: Raw,
) -> Round:
    scenario = Scenario(
        name="explained",
        rulebook=rulebook,
        clauses=(),
        table=table,
        bets=bets,
        cards=cards,
        decisions={seat: tuple(made.split()) for seat, made in decisions.items()},
        incidents=incidents,
        expect=Expect(),
    )
    result = play_scenario(scenario, load(rulebook).book)
    assert result.refusal is None
    assert result.state is not None
    return result.state


def alone(rulebook: str, hand: str, decisions: str = "3x 3x 3x", **table: Raw) -> Round:
    """One seat with an ante of $10 in Mississippi Stud; the first two cards are its own."""
    cards = hand.split()
    places = {"1": " ".join(cards[:2]), "community": " ".join(cards[2:])}
    return played(rulebook, {"1": {"ante": "10"}}, {"1": decisions}, places, **table)


def words(state: Round, seat: int = 1) -> list[str]:
    return [one.words for one in explain(state) if one.seat == seat]


# ---------------------------------------------------------------- base wagers

FLUSH, TENS, FIVES = "Ah 9h Kh 4h 2h", "Th Ts 9d 4c 2h", "5h 5s 9d 4c 2h"


def test_base_wagers_are_one_sentence_with_equal_stakes_together() -> None:
    told = explain(alone("south-dakota-3cb", FLUSH))
    assert told == (
        Explanation(
            seat=1,
            spots=("ante", "third", "fourth", "fifth"),
            result="win",
            words="Flush pays 6 to 1 on ante $10 and 3rd, 4th, 5th street $30 each: $600",
            net_cents=60_000,
            stake_cents=10_000,
            paid_cents=60_000,
            source="tray",
            pays="6 to 1",
            table="SD-3CB-BASE",
            line="Flush",
            cites=("SD-3CB.16.e",),
        ),
    )


@pytest.mark.parametrize(
    ("decisions", "stakes", "won"),
    [
        ("1x 1x 1x", "ante, flop, turn, river $10 each", "$240"),
        ("1x 3x 1x", "ante, flop, river $10 each and turn $30", "$360"),
        ("2x 1x 3x", "ante, turn $10 each, flop $20 and river $30", "$420"),
    ],
)
def test_streets_are_called_what_the_rulebook_calls_them(
    decisions: str, stakes: str, won: str
) -> None:
    said = words(alone("iowa-catfish-bend", FLUSH, decisions))
    assert said == [f"Flush pays 6 to 1 on {stakes}: {won}"]


def test_a_push_gives_the_stakes_back() -> None:
    (told,) = explain(alone("maryland-2014", TENS))
    assert told.words == (
        "Pair of tens pushes: ante $10 and 3rd, 4th, 5th street $30 each come back"
    )
    assert (told.result, told.net_cents, told.line) == ("push", 0, "Pair of 6s to 10s")


def test_a_loss_names_what_is_lost() -> None:
    (told,) = explain(alone("maryland-2014", FIVES, "1x 1x 1x"))
    assert told.words == (
        "Pair of fives does not pay: ante, 3rd, 4th, 5th street $10 each are lost"
    )
    assert (told.result, told.net_cents, told.line) == ("lose", -4_000, "No paying hand")


def test_each_spot_can_have_its_own_sentence() -> None:
    told = explain(alone("iowa-catfish-bend", FLUSH, "1x 2x 3x"), by_spot=True)
    assert [one.words for one in told] == [
        "Flush pays 6 to 1 on flop $10: $60",
        "Flush pays 6 to 1 on turn $20: $120",
        "Flush pays 6 to 1 on river $30: $180",
        "Flush pays 6 to 1 on ante $10: $60",
    ]


# ---------------------------------------------------------------- against the dealer


def island(mine: str, dealer: str, decision: str = "bet", **bets: str) -> Round:
    table: dict[str, Raw] = {"bonus": "IS-01"} if "bonus" in bets else {}
    places = {"1": mine, "dealer": dealer}
    return played("island-stud", {"1": {"ante": "10"} | bets}, {"1": decision}, places, **table)


@pytest.mark.parametrize(
    ("mine", "dealer", "says", "net"),
    [
        (
            "Ah Ad 3c 3d 5s",
            "Kh Kd 6c 7c 8c",
            "Two pair beats the dealer's pair of kings: pays 1 to 1 on ante $10 and bet $20: $30",
            3_000,
        ),
        (
            "Ah Ad 3c 4d 5s",
            "Kh Kd 6c 7c 8c",
            "Pair of aces beats the dealer's pair of kings: pays 1 to 1 on bet $20: $20; "
            "ante $10 pushes: it wins only with two pair or better",
            2_000,
        ),
        (
            "Ks Kc 6d 7d Td",
            "Kh Kd 6c 7c 8c",
            "Pair of kings (K 10 7 6) beats the dealer's pair of kings (K 8 7 6): "
            "pays 1 to 1 on bet $20: $20; ante $10 pushes: it wins only with two pair or better",
            2_000,
        ),
        (
            "Ks Kc 6d 7d 8d",
            "Kh Kd 6c 7c 8c",
            "Pair of kings ties with the dealer's pair of kings: ante $10 and bet $20 come back",
            0,
        ),
        (
            "Qs Jc 6d 7d 8s",
            "Kh 8d 6c 4c 3c",
            "Queen high loses to the dealer's king high: ante $10 and bet $20 are lost",
            -3_000,
        ),
    ],
)
def test_a_comparison_names_both_hands(mine: str, dealer: str, says: str, net: Cents) -> None:
    (told,) = explain(island(mine, dealer))
    assert told.words == says
    assert (told.net_cents, told.table) == (net, "IS-BASE")


def test_a_fold_against_the_dealer_leaves_the_bonus_alive() -> None:
    assert words(island("Th Td 3c 4d 5s", "Kh Kd 6c 7c 8c", "fold", bonus="5")) == [
        "Folded: ante $10 is lost; bonus $5 stays live, for the hand that is kept decides it",
        "Pair of tens pays 1 to 1 on bonus $5: $5",
    ]


# ---------------------------------------------------------------- side bets


def table_of_two(rulebook: str, side_bets: dict[str, str], **table: Raw) -> Round:
    """The worked example: seat 1 folds K-2, seat 2 makes a queen-high straight flush."""
    bets = {"ante": "10"} | side_bets
    return played(
        rulebook,
        {"1": bets, "2": bets},
        {"1": "fold", "2": "3x 3x 3x"},
        {"1": "Kd 2c", "2": "9h 8h", "community": "Qh Jh Th"},
        **table,
    )


@pytest.fixture
def worked_example() -> Round:
    return table_of_two(
        "maryland-2014",
        {"three_card_bonus": "5", "progressive": "1"},
        minimum="5",
        three_card_bonus="MD-2014-3CB-E",
        progressive_wager="1",
        meter="50000",
    )


def test_the_worked_example_is_explained_to_the_cent(worked_example: Round) -> None:
    assert words(worked_example, 1) == [
        "Folded on 3rd street: ante $10 is lost; "
        "three card bonus $5 stays live, for the community cards decide it; "
        "envy stays live, for other seats' hands decide it",
        "The fold loses progressive payout $1 as well",
        "Seat 2's straight flush pays an envy bonus of $300 on progressive payout $1",
        "Straight flush on the board pays 40 to 1 on three card bonus $5: $200",
    ]
    assert words(worked_example, 2) == [
        "Straight flush pays 100 to 1 on ante $10 and 3rd, 4th, 5th street $30 each: $10,000",
        "Straight flush wins 10% of the meter $50,000.42: $5,000.04; the meter goes on with "
        "$45,000.38; progressive payout $1 is not returned; paid by the cage, "
        "not from the tray; the cards stay on the table until the win is documented",
        "Straight flush on the board pays 40 to 1 on three card bonus $5: $200",
    ]
    nets = {1: 48_900, 2: 1_519_904}
    for seat, net in nets.items():
        assert sum(one.net_cents for one in explain(worked_example) if one.seat == seat) == net


def test_explanations_cite_the_fold_the_award_and_the_envy(worked_example: Round) -> None:
    cites = {one.spots: one.cites for one in explain(worked_example) if one.seat == 1}
    assert {"MD-2014.11.B.2.a", "MD-2014.11.H.2"} <= set(cites[("ante",)])
    assert "MD-2014.11.H.1" in cites[("progressive",)]
    assert {"MD-2014.12.C.5.a.ii", "MD-2014.11.I.4.e.i"} <= set(cites[("envy",)])
    award = next(one for one in explain(worked_example) if one.pays == "10% of meter")
    assert {"MD-2014.12.C.1.b", "MD-2014.12.C.4", "B-27"} <= set(award.cites)
    assert (award.table, award.line) == ("MD-2014-PROG", "Straight flush")


def test_a_folded_progressive_that_stays_live_is_settled_in_words() -> None:
    state = table_of_two(
        "south-dakota-2011", {"progressive": "1"}, progressive="SD-2011-PROG-PMG-01"
    )
    assert words(state, 1) == [
        "Folded on 3rd street: ante $10 is lost; "
        "progressive $1 stays live, for the hand that is kept decides it; "
        "envy stays live, for other seats' hands decide it",
        "No pair is less than three of a kind: progressive $1 is lost",
        "Seat 2's straight flush pays an envy bonus of $300 on progressive $1",
    ]


def test_a_royal_flush_wins_the_whole_meter_and_it_starts_again() -> None:
    state = played(
        "house-demo",
        {"1": {"ante": "10", "progressive": "2"}},
        {"1": "1x 1x 1x"},
        {"1": "Ah Kh", "community": "Qh Jh Th"},
        progressive="HD-PROG-2",
        meter="50000",
    )
    assert words(state)[-1] == (
        "Royal flush wins the whole meter $50,000.48: $50,000.48; the meter starts again at "
        "$20,000.02; progressive $2 is not returned; paid by the cage, not from the tray"
    )


@pytest.mark.parametrize(
    ("policy", "royal", "straight"),
    [
        (
            "sequential",
            "wins the whole meter $90,000: $90,000; the meter starts again at $10,000",
            "wins 10% of the meter $100,000: $10,000; the meter goes on with $90,000",
        ),
        (
            "highest_first",
            "wins the whole meter $100,000: $100,000; the meter starts again at $10,000",
            "wins 10% of the meter $10,000: $1,000; the meter goes on with $9,000",
        ),
    ],
)
def test_each_award_names_the_meter_that_it_was_fixed_on(
    policy: str, royal: str, straight: str
) -> None:
    bets = {"ante": "10", "progressive": "1"}
    state = played(
        "south-dakota-3cb",
        {"1": bets, "2": bets},
        {"1": "1x 1x 1x", "2": "1x 1x 1x"},
        {"1": "Ah Kh", "2": "9h 8h", "community": "Qh Jh Th"},
        progressive="SD-3CB-PROG-PMG-01",
        meter="99999.58",
        multi_winner_policy=policy,
    )
    assert any(royal in text for text in words(state, 1))
    assert any(straight in text for text in words(state, 2))
    assert state.meter.cents in (1_000_000, 900_000)


def test_an_equal_split_says_among_how_many() -> None:
    bets = {"ante": "10", "progressive": "1"}
    state = played(
        "island-stud",
        {"1": bets, "2": bets},
        {"1": "bet", "2": "bet"},
        {"1": "Ah Kh Qh Jh Th", "2": "Ad Kd Qd Jd Td"},
        progressive="IS-PROG-PMG-01",
        meter="99999.58",
        multi_winner_policy="equal_split",
    )
    for seat in (1, 2):
        assert any(
            "wins an equal part, 1 of 2, of the whole meter $100,000: $50,000; "
            "the meter starts again at $10,000" in text
            for text in words(state, seat)
        )


def six_card_bonus(box: str, **table: Raw) -> str:
    state = played(
        "maryland-2014",
        {"1": {"ante": "10", "three_card_bonus": "1", "six_card_bonus": "5"}},
        {"1": "fold"},
        {"1": "Ad Kd", "six_card_box": box, "community": "2c 4s 9h"},
        three_card_bonus="MD-2014-3CB-A",
        six_card_bonus="MD-2014-6CB-A",
        **table,
    )
    return words(state)[-1]


def test_the_six_card_bonus_says_where_its_hand_is() -> None:
    assert six_card_bonus("Kh Kc 2d 3d") == (
        "Three of a kind in box and hole cards pays 5 to 1 on six card bonus $5: $25"
    )
    assert six_card_bonus("3h 5c 2d 3d") == (
        "Pair of threes in box and hole cards does not pay: six card bonus $5 is lost"
    )
    assert six_card_bonus("Qd Jd Td 9d") == (
        "Super royal of diamonds in box and hole cards wins the fixed prize of $1,000,000 "
        "on six card bonus $5, which comes back; paid by the cage, not from the tray; "
        "the cards stay on the table until the win is documented"
    )
    assert six_card_bonus("Qd Jd Td 9d", six_card_stake_returned=False) == (
        "Super royal of diamonds in box and hole cards wins the fixed prize of $1,000,000 "
        "on six card bonus $5; the wager itself is not returned; paid by the cage, not from the "
        "tray; the cards stay on the table until the win is documented"
    )


@pytest.mark.parametrize(
    ("rulebook", "table", "board", "says"),
    [
        (
            "maryland-2014",
            "MD-2014-3CB-A",
            "Ah Kh Qh",
            "Mini royal (paid as straight flush) on the board pays 40 to 1 on "
            "three card bonus $5: $200",
        ),
        (
            "south-dakota-3cb",
            "SD-3CB-3CB-B",
            "7h 7d 6c",
            "Pair (printed 25 to 1, and not played as printed) on the board pays 1 to 1 on "
            "three card bonus $5: $5",
        ),
        (
            "iowa-catfish-bend",
            "IA-CB-3CB",
            "7h 9d 6c",
            "No pair on the board does not pay: 3 card bonus $5 is lost",
        ),
    ],
)
def test_the_three_card_bonus_tells_which_line_pays(
    rulebook: str, table: str, board: str, says: str
) -> None:
    state = played(
        rulebook,
        {"1": {"ante": "10", "three_card_bonus": "5"}},
        {"1": "fold"},
        {"community": board},
        three_card_bonus=table,
    )
    assert words(state)[-1] == says


def tipped(hand: str, decisions: str, **table: Raw) -> list[Explanation]:
    cards = hand.split()
    on_streets = {f"tip_{street}": "3" for street in ("third", "fourth")}
    if "fold" in decisions:
        del on_streets["tip_fourth"]
    state = played(
        "south-dakota-3cb",
        {"1": {"ante": "10", "tip_ante": "1", **on_streets}},
        {"1": decisions},
        {"1": " ".join(cards[:2]), "community": " ".join(cards[2:])},
        **table,
    )
    return list(explain(state))


def test_tips_are_told_apart_from_the_players_own_wagers() -> None:
    own, tip = tipped(FLUSH, "3x 3x 3x")
    assert own.words == "Flush pays 6 to 1 on ante $10 and 3rd, 4th, 5th street $30 each: $600"
    assert tip.words == (
        "Flush pays 6 to 1 on tip on ante $1 and tip on 3rd, 4th street $3 each: $42; "
        "$49 with the stake goes to the tip box"
    )
    assert (own.net_cents, tip.net_cents) == (60_000, -700)
    push = tipped(TENS, "3x 3x 3x")[-1]
    assert push.words.endswith("tip on ante $1 and tip on 3rd, 4th street $3 each come back")
    box = tipped(TENS, "3x 3x 3x", tip_push="box")[-1]
    assert box.words.endswith("each go to the tip box")
    stays = tipped(TENS, "3x 3x 3x", tip_push="stays")[-1]
    assert stays.words.endswith("each stay for the next round")
    assert (push.net_cents, box.net_cents, stays.net_cents) == (0, -700, -700)
    (fold,) = tipped(TENS, "3x fold")
    assert fold.words == (
        "Folded on 4th street: ante $10, 3rd street $30, tip on ante $1 and "
        "tip on 3rd street $3 are lost"
    )


# ---------------------------------------------------------------- limits and breakage

TWO_STRAIGHT_FLUSHES = {"1": "Ah Kh", "2": "9h 8h", "community": "Qh Jh Th"}


def test_a_shared_limit_shows_the_division() -> None:
    bets = {"ante": "100"}
    state = played(
        "iowa-catfish-bend",
        {"1": bets, "2": bets},
        {"1": "3x 3x 3x", "2": "1x 1x 1x"},
        TWO_STRAIGHT_FLUSHES,
    )
    assert words(state, 1) == [
        "Royal flush pays 500 to 1 on ante $100 and flop, turn, river $300 each: $500,000; "
        "the limit leaves $23,148.15",
        "Limit $25,000 for all hands of the round together: $500,000 with seat 2's $40,000 is "
        "$540,000, and $500,000 × $25,000 ÷ $540,000 becomes $23,148.15",
    ]
    assert words(state, 2)[1].endswith("$40,000 × $25,000 ÷ $540,000 becomes $1,851.85")
    assert state.seats[1].net_cents + state.seats[2].net_cents == 2_500_000


@pytest.mark.parametrize(
    ("scope", "first", "second"),
    [
        (
            "player_hand",
            "Limit $50,000 (the larger of $50,000 and $5,000, the most that an ante of $1 wins) "
            "for one hand: $500,000 becomes $50,000; "
            "under each reading of the limit: player hand $50,000, table round $46,296.30",
            "for one hand: $40,000 is not cut; "
            "under each reading of the limit: player hand $40,000, table round $3,703.70",
        ),
        (
            "table_round",
            "Limit $50,000 (the larger of $50,000 and $5,000, the most that an ante of $1 wins) "
            "for all hands of the round together: $500,000 with seat 2's $40,000 is $540,000, and "
            "$500,000 × $50,000 ÷ $540,000 becomes $46,296.30; "
            "under each reading of the limit: player hand $50,000, table round $46,296.30",
            "$40,000 × $50,000 ÷ $540,000 becomes $3,703.70; "
            "under each reading of the limit: player hand $40,000, table round $3,703.70",
        ),
    ],
)
def test_both_readings_of_a_limit_are_shown_whenever_one_of_them_cuts(
    scope: str, first: str, second: str
) -> None:
    bets = {"ante": "100"}
    state = played(
        "maryland-2014",
        {"1": bets, "2": bets},
        {"1": "3x 3x 3x", "2": "1x 1x 1x"},
        TWO_STRAIGHT_FLUSHES,
        cap_scope=scope,
    )
    notes = {one.seat: one for one in explain(state) if one.result == "note"}
    assert notes[1].words == first
    assert notes[2].words.endswith(second)
    assert {"MD-2014.12.B.1", "MD-2014.12.B.2", "C-01"} <= set(notes[1].cites)


def test_a_limit_that_cannot_bite_is_not_mentioned() -> None:
    state = alone("maryland-2014", "Ah Kh Qh Jh Th")
    assert words(state) == [
        "Royal flush pays 500 to 1 on ante $10 and 3rd, 4th, 5th street $30 each: $50,000"
    ]


@pytest.mark.parametrize(
    ("breakage", "tail"),
    [
        ("house", "$10; in units of $1 that is $8, and $2 stays with the house"),
        ("player", "$10; in units of $1 that is $12, and $2 is added by the house"),
    ],
)
def test_breakage_says_who_has_it(breakage: str, tail: str) -> None:
    state = played(
        "south-dakota-3cb",
        {"1": {"ante": "2.50"}},
        {"1": "1x 1x 1x"},
        {"1": "Jh Js", "community": "9d 4c 2h"},
        payout_unit="1",
        breakage=breakage,
    )
    (told,) = explain(state)
    assert told.words.endswith(f"$2.50 each: {tail}")
    assert "C-11" in told.cites


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
            "Exposed community card: recorded, and nothing follows, "
            "for no community card was still to be turned",
            "MD-2014.13.E",
        ),
        (
            IncidentLine(what="face_up_cards", when="settlement", count=2),
            "Face up cards: recorded, and nothing follows, for the cards were dealt already",
            "MD-2014.13.B",
        ),
        (
            IncidentLine(what="shoe_jam", when="deal"),
            "Shoe jam: recorded, and nothing follows, for no device deals the cards here",
            "MD-2014.13.G",
        ),
        (
            IncidentLine(what="cards_out_of_view", when="betting", seat=1),
            "Cards out of view: recorded, and nothing follows, for the seat had no cards yet",
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
        "Round void, exposed community card: progressive payout $1 and ante $10 come back"
    )
    assert words(state, 2) == [
        "Round void, exposed community card: ante, 3rd street $10 each come back"
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
        "Round void, wrong card count: tip on ante $1 comes back, $60 paid on 3rd street is taken "
        "back, $60 paid on 4th street is taken back, $60 paid on 5th street is taken back, "
        "$60 paid on ante is taken back and $7 is taken out of the tip box again"
    )
    assert words(state, 1) == [
        "Round void, wrong card count: ante, 3rd, 4th, 5th street $10 each come back"
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
    assert "Void, wrong card count: six card bonus $5 comes back" in words(state)


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


# ---------------------------------------------------------------- rounds at random


class Driver:
    """Plays one round under a rulebook with whatever chance suggests; the house errs sometimes."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.setup = self._table(rulebook_ids()[seed % len(rulebook_ids())])
        meter = meter_of(self.chance.randrange(1_000_000, 9_000_000))
        self.state = open_round(self.setup, meter if self.setup.progressive else None)

    def likely(self, percent: int) -> bool:
        return self.chance.randrange(100) < percent

    def _table(self, name: str) -> Setup:
        book = load(name).book
        while True:
            choices: dict[str, Raw] = {
                offer.bet: self.chance.choice(offer.paytables)
                for offer in book.side_bets
                if self.likely(85)
            }
            for key, option in book.options.items():
                if not option.fixed and self.likely(30):
                    if isinstance(option, Flag):
                        choices[key] = self.likely(50)
                    elif isinstance(option, Choice):
                        choices[key] = self.chance.choice(option.choices)
            if self.likely(20):
                choices["payout_unit"] = self.chance.choice(["0.25", "1", "5"])
            if "aggregate_limit" in book.options and self.likely(20):
                choices["aggregate_limit"] = "250"
            try:
                return set_up(book, choices)
            except Refused:
                continue

    def do(self, action: a.AnyAction) -> None:
        """What the rules refuse does not happen."""
        try:
            self.state = play(self.state, action)
        except Refused:
            return

    def run(self) -> Round:
        self._bet()
        self._mishap(1)
        self.do(a.CloseBets())
        self.do(a.LockProgressive())
        lit = sum(seat.lit for seat in self.state.seats.values())
        self.do(a.CollectProgressive(chips=lit))
        self.do(a.Deal(places=self._cards()))
        self._mishap(3)
        while self.state.phase in ("deciding", "turning"):
            self._decide()
            self._mishap(2)
        self._settle()
        self.do(a.Close())
        return self.state

    def _bet(self) -> None:
        book = self.setup.book
        for seat in range(1, self.setup.seats + 1):
            if seat > 1 and self.likely(45):
                continue
            least = self.setup.limits.ante.minimum_cents
            ante = self.chance.choice([least, least + 135, 2_500]) if seat > 1 else least
            self.do(a.Wager(seat=seat, spot="ante", cents=ante))
            for bet in (*self.setup.bonuses, "progressive"):
                if self.likely(70):
                    wager = self.setup.progressive.wager_cents if self.setup.progressive else 0
                    cents = wager if bet == "progressive" else self.chance.choice([100, 250])
                    self.do(a.Wager(seat=seat, spot=bet, cents=cents))
            for spot in book.tips.on:
                if self.likely(20):
                    self.do(a.Wager(seat=seat, spot=f"tip_{spot}", cents=100))

    def _cards(self) -> dict[str, tuple[int, ...]]:
        """A shuffled deck, often with the makings of straight flushes on the right places."""
        seats = sorted(self.state.seats)
        rest = list(DECK)
        self.chance.shuffle(rest)
        if self.likely(50):
            return deal_out(self.setup, seats, rest)
        suit = self.chance.choice("cdhs")
        good = [f"{rank}{suit}" for rank in "QJTAK98765"]
        wanted = {"community": good[:3], str(seats[0]): good[3:5], str(seats[-1]): good[5:7]}
        counts = card_counts(self.setup, seats)
        if "community" not in counts:
            wanted = {str(seats[0]): good[:5], str(seats[-1]): good[5:]}
        dealt = {place: parse_cards(" ".join(cards)) for place, cards in wanted.items()}
        taken = {card for cards in dealt.values() for card in cards}
        left = iter([card for card in rest if card not in taken])
        return {
            place: dealt.get(place) or tuple(next(left) for _ in range(count))
            for place, count in counts.items()
        }

    def _decide(self) -> None:
        seat = seat_to_act(self.state)
        if seat is None:
            self.do(a.Turn())
        elif self.likely(15):
            self.do(a.Fold(seat=seat))
        else:
            ante = self.state.seats[seat].wagers["ante"]
            multiple = self.chance.choice(stage_of(self.state).multiples)
            tip = self.state.seats[seat].wagers.get("tip_ante", 0) * self.likely(40)
            self.do(a.Bet(seat=seat, cents=ante * multiple, tip_cents=tip))

    def _mishap(self, percent: int) -> None:
        late = self.state.phase == "settling"
        kinds, places = (IRREGULARITIES, ("",)) if late else (KNOWN, ("", "", *PLACES))
        if self.likely(percent) and self.state.seats:
            self.do(
                a.Incident(
                    what=self.chance.choice(kinds),
                    seat=self.chance.choice(sorted(self.state.seats)),
                    place=self.chance.choice(places),
                    count=self.chance.choice([1, 2, 51]),
                    decision=self.chance.choice(["continue", "void"]),
                )
            )

    def _settle(self) -> None:
        while self.likely(60) and remaining(self.state):
            due = self.chance.choice(remaining(self.state)[:3])
            wrong = self.chance.choice([0, 0, 0, 100, -100])
            given = max(0, due.given_cents + wrong)
            spot = due.spot if self.likely(97) else self.setup.spots[-1]
            self.do(a.Settle(seat=due.seat, spot=spot, given_cents=given))
            if self.likely(10):
                self.do(a.Correct(seat=due.seat, spot=due.spot, cents=100, reason="paid_under"))
        self._mishap(5)
        self.do(a.SettleAll())


def finished_rounds() -> Iterator[Round]:
    for seed in range(ROUNDS):
        state = Driver(seed).run()
        if state.phase in ("over", "void"):
            yield state


@pytest.mark.slow
def test_explanations_add_up_to_every_seats_net(report: Any) -> None:
    results: Counter[str] = Counter()
    books: Counter[str] = Counter()
    for state in finished_rounds():
        books[state.setup.book.id] += 1
        for by_spot in (False, True):
            told = explain(state, by_spot=by_spot)
            results.update(one.result for one in told)
            for number, seat in state.seats.items():
                mine = [one for one in told if one.seat == number]
                assert sum(one.net_cents for one in mine) == seat.net_cents, mine
                _check_spots(mine, seat.results)
            _check_wording(state, told)
    assert len(books) == len(rulebook_ids())
    assert min(books.values()) >= ROUNDS // 10
    assert results.keys() == {"win", "push", "lose", "returned", "corrected", "note"}
    assert min(results.values()) >= 50
    report(f"rounds whose explanations add up: {books.total()}, results {dict(results)}")


def _check_spots(told: list[Explanation], results: dict[str, Cents]) -> None:
    """Where every result is on one spot, each spot's results come to what the spot won."""
    if all(len(one.spots) == 1 for one in told):
        by_spot: Counter[str] = Counter()
        for one in told:
            by_spot[one.spots[0]] += one.net_cents
        assert {s: c for s, c in by_spot.items() if c} == {s: c for s, c in results.items() if c}


def _check_wording(state: Round, told: tuple[Explanation, ...]) -> None:
    book = state.setup.book
    known = book.clauses.keys() | book.ambiguities.keys()
    for one in told:
        assert "_" not in one.words
        assert one.words[0].isupper() or one.words[0].isdigit()
        assert "  " not in one.words
        assert one.cites
        assert known.issuperset(one.cites)
        assert one.stake_cents >= 0
        _check_arithmetic(one.words)


PAYS = re.compile(r"pays ([\d,]+) (?:to|for) (\d+) on (.+?): (\$[\d,.]*\d)")
STAKE = re.compile(r"([^$]+)\$([\d,.]*\d)( each)?")


def _check_arithmetic(text: str) -> None:
    """A sentence that pays so much to one on so many wagers says the right sum."""
    for odds, per, stakes, amount in PAYS.findall(text):
        total = 0
        for spots, stake, each in STAKE.findall(stakes):
            count = len(re.split(", ", spots.strip(", "))) if each else 1
            total += count * parse_dollars(stake.replace(",", ""))
        won = parse_dollars(amount[1:].replace(",", ""))
        assert won * int(per) == total * int(odds.replace(",", "")), text


def test_the_check_of_arithmetic_notices_a_wrong_sum() -> None:
    _check_arithmetic("Flush pays 6 to 1 on ante $10 and 3rd, 4th, 5th street $30 each: $600")
    with pytest.raises(AssertionError):
        _check_arithmetic("Flush pays 6 to 1 on ante $10 and 3rd, 4th street $30 each: $600")


def test_an_explanation_is_worked_out_from_the_events_alone() -> None:
    for seed in range(60):
        state = Driver(seed).run()
        again = replay(state.setup, state.history)
        assert explain(again) == explain(state)
