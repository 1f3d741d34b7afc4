"""Explanations: the sentences themselves, wager by wager."""

import pytest

from riverboat.core.money import Cents
from riverboat.round import Round
from riverboat.round.setup.choices import Raw
from riverboat.wording.explaining import Explanation, explain
from tests.wording.explained import alone, played, words

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
    assert [own.words] == words(alone("south-dakota-3cb", FLUSH))
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
