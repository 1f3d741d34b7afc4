"""Owed and paid are two things: a human dealer can be wrong, and the engine notices."""

import pytest

from riverboat.core.cards import parse_cards
from riverboat.core.errors import Refused
from riverboat.round import Round, open_round, play, set_up, step
from riverboat.round import actions as a
from riverboat.round import events as e
from riverboat.round.settlement.payment import remaining
from riverboat.round.settlement.postings import postings
from riverboat.round.settlement.voids import _reversal as undone
from riverboat.rulebooks import load
from riverboat.wording.explaining import explain


@pytest.fixture
def settling() -> Round:
    """Two seats with $10 on every spot: seat 2 has a flush, seat 1 a pair of eights."""
    state = open_round(set_up(load("south-dakota-3cb").book, {}))
    for seat in (1, 2):
        state = play(state, a.Wager(seat=seat, spot="ante", cents=1000))
    state = play(state, a.CloseBets())
    places = {
        "1": parse_cards("8c 2d"),
        "2": parse_cards("Kh 3h"),
        "community": parse_cards("8h 9h Jh"),
    }
    state = play(state, a.Deal(places=places))
    for _ in range(3):
        for seat in (1, 2):
            state = play(state, a.Bet(seat=seat, cents=1000))
        state = play(state, a.Turn())
    return state


def errors(events: tuple[e.AnyEvent, ...]) -> list[tuple[str, int, int]]:
    return [
        (event.error, event.owed_cents, event.given_cents)
        for event in events
        if isinstance(event, e.DealerErred)
    ]


def test_the_engine_says_what_is_owed_and_in_which_order(settling: Round) -> None:
    owed = [(due.seat, due.spot, due.given_cents) for due in remaining(settling)]
    assert owed == [
        (2, "third", 7000),
        (2, "fourth", 7000),
        (2, "fifth", 7000),
        (2, "ante", 7000),
        (1, "third", 1000),
        (1, "fourth", 1000),
        (1, "fifth", 1000),
        (1, "ante", 1000),
    ]


def test_a_dealer_who_does_what_is_owed_makes_no_error(settling: Round) -> None:
    by_hand = settling
    while left := remaining(by_hand):
        due = left[0]
        done = a.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents)
        assert errors(step(by_hand, done)) == []
        by_hand = play(by_hand, done)
    automatic = play(settling, a.SettleAll())
    assert by_hand.seats == automatic.seats
    assert {n: seat.net_cents for n, seat in by_hand.seats.items()} == {1: 0, 2: 24000}


@pytest.mark.parametrize(
    ("given", "error", "net"), [(7100, "over", 24100), (6900, "under", 23900), (0, "under", 17000)]
)
def test_a_wrong_payout_is_noticed_and_stands_until_corrected(
    settling: Round, given: int, error: str, net: int
) -> None:
    wrong = a.Settle(seat=2, spot="third", given_cents=given)
    assert errors(step(settling, wrong)) == [(error, 7000, given)]
    state = play(play(settling, wrong), a.SettleAll())
    assert state.seats[2].net_cents == net


def test_a_payout_out_of_order_is_noticed_and_counts(settling: Round) -> None:
    early = a.Settle(seat=1, spot="ante", given_cents=1000)
    assert errors(step(settling, early)) == [("out_of_order", 1000, 1000)]
    state = play(play(settling, early), a.SettleAll())
    assert {n: seat.net_cents for n, seat in state.seats.items()} == {1: 0, 2: 24000}


def test_a_payout_on_a_spot_that_is_owed_nothing_is_noticed(settling: Round) -> None:
    wrong = a.Settle(seat=1, spot="three_card_bonus", given_cents=500)
    assert errors(step(settling, wrong)) == [("wrong_spot", 0, 500)]
    assert play(settling, wrong).seats[1].net_cents == -4000 + 500


def test_an_error_found_a_round_later_is_corrected_by_a_further_entry(settling: Round) -> None:
    state = play(settling, a.Settle(seat=2, spot="third", given_cents=6000))
    state = play(play(state, a.SettleAll()), a.Close())
    assert state.phase == "over"
    before = state.history
    state = play(state, a.Correct(seat=2, spot="third", cents=1000, reason="paid 5 to 1"))
    assert state.seats[2].net_cents == 24000
    assert state.history[: len(before)] == before
    assert state.history[-1] == e.PayoutCorrected(
        seat=2, spot="third", cents=1000, reason="paid 5 to 1"
    )


def moved(event: e.AnyEvent, before: Round) -> dict[str, int]:
    return {one.account: one.amount for one in postings(event, before) if one.unit == "cent"}


@pytest.mark.parametrize(
    ("first", "cents", "words"),
    [
        (100_005_00, 900_000_00, "$900,000 more is paid by the cage, not from the tray"),
        (1_100_005_00, -100_000_00, "$100,000 is given back to the cage, not to the tray"),
    ],
)
def test_a_prize_that_the_cage_pays_is_corrected_by_the_cage(
    first: int, cents: int, words: str
) -> None:
    tables = {"three_card_bonus": "MD-2014-3CB-E", "six_card_bonus": "MD-2014-6CB-A"}
    state = open_round(set_up(load("maryland-2014").book, tables))
    for spot in ("ante", "three_card_bonus", "six_card_bonus"):
        state = play(state, a.Wager(seat=1, spot=spot, cents=500))
    places = {
        "1": parse_cards("Ad Kd"),
        "community": parse_cards("2c 7s 9s"),
        "box": parse_cards("Qd Jd Td 9d"),
    }
    state = play(play(state, a.CloseBets()), a.Deal(places=places))
    for _ in range(3):
        state = play(play(state, a.Bet(seat=1, cents=500)), a.Turn())
    state = play(state, a.Settle(seat=1, spot="six_card_bonus", given_cents=first))
    state = play(play(state, a.SettleAll()), a.Close())
    correction = a.Correct(seat=1, spot="six_card_bonus", cents=cents, reason="miscounted")
    (event,) = step(state, correction)
    assert moved(event, state) == {"cage": -cents, "player:1": cents}
    told = explain(play(state, correction))[-1]
    assert told.words == f"Corrected on six card bonus: {words} (miscounted)"
    assert told.source == "cage"
    assert set(state.setup.book.options["off_tray_threshold"].cites) <= set(told.cites)
    (back,) = [one for one in undone(event) if isinstance(one, e.PayoutReversed)]
    assert back.source == "cage"


def test_a_correction_where_nothing_was_owed_is_the_trays(settling: Round) -> None:
    (event,) = step(settling, a.Correct(seat=1, spot="progressive", cents=500, reason="promised"))
    assert moved(event, settling) == {"tray": -500, "player:1": 500}


def test_a_correction_takes_back_no_more_than_was_given(settling: Round) -> None:
    """What went to the player of that spot, with the stake, and net of earlier corrections."""
    state = play(settling, a.Settle(seat=2, spot="third", given_cents=7100))
    state = play(state, a.Correct(seat=2, spot="third", cents=-100, reason="miscounted"))
    said = r"^\$70\.01 is more than the \$70 that seat 2 was given on 3rd street$"
    with pytest.raises(Refused, match=said) as refused:
        step(state, a.Correct(seat=2, spot="third", cents=-7001, reason="miscounted"))
    assert refused.value.code == "correct.above_given"
    assert refused.value.cites == state.setup.book.settlement.seats.cites
    state = play(state, a.Correct(seat=2, spot="third", cents=-7000, reason="not theirs"))
    over = play(play(state, a.SettleAll()), a.Close())
    for now in (state, over):
        with pytest.raises(Refused, match=r"more than the \$0 that seat 2 was given"):
            step(now, a.Correct(seat=2, spot="third", cents=-1, reason="once more"))
    with pytest.raises(Refused, match=r"more than the \$0 that seat 2 was given on progressive"):
        step(over, a.Correct(seat=2, spot="progressive", cents=-500, reason="taken back"))


def test_a_correction_needs_an_amount_and_a_reason(settling: Round) -> None:
    for correction in (
        a.Correct(seat=2, spot="third", cents=0, reason="nothing"),
        a.Correct(seat=2, spot="third", cents=5, reason=""),
    ):
        with pytest.raises(Refused, match="an amount and a reason"):
            step(settling, correction)


def test_a_round_cannot_end_while_something_is_owed(settling: Round) -> None:
    with pytest.raises(Refused, match="seat 2's 3rd street is still unsettled"):
        step(settling, a.Close())
