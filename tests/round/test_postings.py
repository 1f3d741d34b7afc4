"""Double entry: where every cent and every meter unit of a round comes from and goes to."""

from collections import Counter
from typing import Any

import pytest
from msgspec.structs import replace

from riverboat.core.cards import parse_cards
from riverboat.meter.amounts import Meter, meter_of
from riverboat.meter.books import Posting
from riverboat.round import Round, apply, open_round, play, set_up
from riverboat.round import actions as a
from riverboat.round import events as e
from riverboat.round.settlement.payment import remaining
from riverboat.round.settlement.postings import postings
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load

UNITS_PER_CENT = 10_000


def accounts(state: Round, since: int = 0) -> dict[str, int]:
    """The balance of every account that is not empty; each event's postings sum to nothing."""
    sums: Counter[str] = Counter()
    now = Round(setup=state.setup)
    for number, event in enumerate(state.history):
        entries = postings(event, now)
        units: Counter[str] = Counter()
        for entry in entries:
            units[entry.unit] += entry.amount
        assert not any(units.values()), event
        if number >= since:
            for entry in entries:
                sums[entry.account] += entry.amount
        now = apply(now, event)
    return {account: amount for account, amount in sums.items() if amount}


def after(state: Round, *actions: a.AnyAction) -> Round:
    for action in actions:
        state = play(state, action)
    return state


def dealt(
    name: str,
    bets: dict[int, dict[str, int]],
    cards: dict[str, str],
    meter_cents: int = 0,
    reserve_cents: int = 0,
    book: Rulebook | None = None,
    **choices: Any,
) -> Round:
    state = open_round(
        set_up(book or load(name).book, choices), meter_of(meter_cents, reserve_cents)
    )
    for seat, spots in bets.items():
        for spot, cents in spots.items():
            state = play(state, a.Wager(seat=seat, spot=spot, cents=cents))
    state = play(state, a.CloseBets())
    if state.setup.progressive is not None:
        chips = sum("progressive" in spots for spots in bets.values())
        state = after(state, a.LockProgressive(), a.CollectProgressive(chips=chips))
    return play(state, a.Deal(places={place: parse_cards(text) for place, text in cards.items()}))


def worked_example() -> Round:
    """The worked example of the round, up to settlement."""
    every = {"ante": 1000, "three_card_bonus": 500, "progressive": 100}
    state = dealt(
        "maryland-2014",
        {1: every, 2: every},
        {"1": "Kd 2c", "2": "9h 8h", "community": "Qh Jh Th"},
        5_000_000,
        minimum="5",
        three_card_bonus="MD-2014-3CB-E",
        progressive_wager="1",
    )
    state = play(state, a.Fold(seat=1))
    for _ in range(3):
        state = after(state, a.Bet(seat=2, cents=3000), a.Turn())
    return state


def test_wagers_lie_on_their_spots_and_the_progressives_on_its_sensor() -> None:
    setup = set_up(load("maryland-2014").book, {"progressive_wager": "1"})
    state = open_round(setup)
    state = play(state, a.Wager(seat=3, spot="ante", cents=1000))
    state = play(state, a.Wager(seat=3, spot="progressive", cents=100))
    assert accounts(state) == {"player:3": -1100, "spot:3:ante": 1000, "sensor:3": 100}
    back = play(state, a.TakeBack(seat=3, spot="progressive"))
    assert accounts(back) == {"player:3": -1000, "spot:3:ante": 1000}


def test_the_lock_owes_to_the_meter_and_the_collection_fills_the_tray() -> None:
    setup = set_up(load("maryland-2014").book, {"progressive_wager": "1", "reserve_rate": "3"})
    state = open_round(setup)
    state = play(state, a.Wager(seat=3, spot="ante", cents=1000))
    state = play(state, a.Wager(seat=3, spot="progressive", cents=100))
    state = play(state, a.CloseBets())
    begun = len(state.history)
    state = after(state, a.LockProgressive(), a.CollectProgressive(chips=1))
    assert accounts(state, begun) == {
        "meter": 21 * UNITS_PER_CENT,
        "reserve": 3 * UNITS_PER_CENT,
        "meter_contra": -24 * UNITS_PER_CENT,
        "sensor:3": -100,
        "tray": 100,
    }


def test_the_worked_example_balances_to_the_cent() -> None:
    state = after(worked_example(), a.SettleAll(), a.Close())
    assert accounts(state) == {
        "player:1": 48_900,
        "player:2": 15_199_04,
        "cage": -5_000_04,
        "tray": 5_000_04 - 48_900 - 15_199_04,
        "meter": -5_000_04 * UNITS_PER_CENT + 42 * UNITS_PER_CENT,
        "meter_contra": 5_000_04 * UNITS_PER_CENT - 42 * UNITS_PER_CENT,
    }


def test_a_losing_stake_goes_to_the_tray_and_a_push_back_to_its_player() -> None:
    state = dealt(
        "maryland-2014",
        {1: {"ante": 1000}, 2: {"ante": 1000}},
        {"1": "Kd 2c", "2": "9h 8h", "community": "9c 7d 5s"},
    )
    for _ in range(3):
        state = after(state, a.Bet(seat=1, cents=1000), a.Bet(seat=2, cents=1000), a.Turn())
    begun = len(state.history)
    state = play(state, a.SettleAll())
    spots = ("ante", "third", "fourth", "fifth")
    assert accounts(state, begun) == {
        **{f"spot:{seat}:{spot}": -1000 for seat in (1, 2) for spot in spots},
        "tray": 4000,
        "player:2": 4000,
    }


def super_royal(**table: Any) -> Round:
    """A hand that wins the fixed prize of the six card bonus, dealt."""
    return dealt(
        "maryland-2014",
        {1: {"ante": 1000, "three_card_bonus": 100, "six_card_bonus": 100}},
        {"1": "Td 9d", "community": "2c 3h 5s", "box": "Ad Kd Qd Jd"},
        three_card_bonus="MD-2014-3CB-A",
        six_card_bonus="MD-2014-6CB-A",
        **table,
    )


def test_a_fixed_prize_comes_from_the_cage() -> None:
    state = super_royal()
    state = after(state, a.Fold(seat=1), a.Turn(), a.SettleAll(), a.Close())
    assert accounts(state) == {"player:1": 100_000_000 - 1100, "cage": -100_000_000, "tray": 1100}


def test_an_award_below_the_threshold_comes_from_the_tray() -> None:
    choices: dict[str, Any] = {"progressive_wager": "1", "off_tray_threshold": "2000"}
    bets = {1: {"ante": 1000, "progressive": 100}}
    cards = {"1": "9h 8h", "community": "Qh Jh Th"}
    state = dealt("maryland-2014", bets, cards, 1_000_000, **choices)
    for _ in range(3):
        state = after(state, a.Bet(seat=1, cents=1000), a.Turn())
    found = accounts(after(state, a.SettleAll(), a.Close()))
    assert "cage" not in found
    assert found["player:1"] == -found["tray"] == 400_000 + 100_002 - 100


def test_what_rounding_leaves_goes_to_breakage_and_comes_from_where_it_was_paid() -> None:
    choices: dict[str, Any] = {"progressive_wager": "1", "payout_unit": "5"}
    bets = {1: {"ante": 1000, "progressive": 100}, 2: {"ante": 1000, "progressive": 100}}
    cards = {"1": "9h 8h", "2": "Kd 2c", "community": "Qh Jh Th"}
    state = dealt("maryland-2014", bets, cards, 1_234_567, **choices)
    for _ in range(3):
        state = after(state, a.Bet(seat=1, cents=1000), a.Bet(seat=2, cents=1000), a.Turn())
    found = accounts(after(state, a.SettleAll(), a.Close()))
    # The meter stands at $12,346.09 and owes $1,234.60; $1,230 is paid.
    assert (found["cage"], found["breakage"]) == (-123_460, 460)
    assert found["meter_contra"] == (123_460 - 42) * UNITS_PER_CENT


def test_a_winning_tip_goes_to_the_tip_box_with_its_stake() -> None:
    bets = {1: {"ante": 1000, "tip_ante": 100}}
    cards = {"1": "Jd Jc", "community": "2c 3h 5s"}
    state = dealt("south-dakota-2011", bets, cards)
    for _ in range(3):
        state = after(state, a.Bet(seat=1, cents=1000, tip_cents=100), a.Turn())
    state = after(state, a.SettleAll(), a.Close())
    assert accounts(state) == {"player:1": 4000 - 400, "tip_box": 800, "tray": -4400}
    assert state.tip_box_cents == 800


def royal(reserve_cents: int = 0, **options: Any) -> Round:
    """Two royals in one deal, both with a wager on the meter, up to settlement."""
    bets = {seat: {"ante": 1000, "progressive": 100} for seat in (1, 2)}
    cards = {"1": "Ah Kh Qh Jh Th", "2": "As Ks Qs Js Ts", "dealer": "2c 3c 4c 5c 7c"}
    choices: dict[str, Any] = {"progressive": "IS-PROG-PMG-01", **options}
    state = dealt("island-stud", bets, cards, 10_000_000, reserve_cents, **choices)
    state = after(state, a.Bet(seat=1, cents=2000), a.Bet(seat=2, cents=2000), a.Turn())
    return state


def test_a_full_award_reseeds_the_meter_from_house_and_reserve() -> None:
    state = royal(reserve_cents=777)
    begun = len(state.history)
    found = accounts(play(state, a.SettleAll()), begun)
    first, second = 10_000_042, 1_000_777
    assert found["cage"] == -(first + second)
    assert found["house"] == -2_000_000 * UNITS_PER_CENT
    assert found["reserve"] == -777 * UNITS_PER_CENT
    assert found["meter"] == (2_000_000 + 777 - first - second) * UNITS_PER_CENT


def test_awards_settled_out_of_order_still_balance_with_the_meter() -> None:
    state = royal(reserve_cents=777)
    awards = [due for due in remaining(state) if due.spot == "progressive"]
    for due in reversed(awards):
        given = due.given_cents
        state = play(state, a.Settle(seat=due.seat, spot="progressive", given_cents=given))
        found = accounts(state)
        assert found["meter"] == state.meter.units - 10_000_000 * UNITS_PER_CENT
        assert found.get("reserve", 0) == state.meter.reserve_units - 777 * UNITS_PER_CENT


def test_an_award_is_never_more_than_the_meter_holds() -> None:
    """Rounded up, a tenth of less than a cent would be a cent that the meter does not have."""
    book = load("island-stud").book
    choices = {"progressive": "IS-PROG-PMG-01", "seed": "0", "rounding_mode": "up", "rate": "0"}
    state = open_round(set_up(book, choices), Meter(units=1_000_000 * UNITS_PER_CENT + 1))
    for seat in (1, 2):
        state = play(state, a.Wager(seat=seat, spot="ante", cents=1000))
        state = play(state, a.Wager(seat=seat, spot="progressive", cents=100))
    state = after(state, a.CloseBets(), a.LockProgressive(), a.CollectProgressive(chips=2))
    cards = {"1": "9h 8h 7h 6h 5h", "2": "As Ks Qs Js Ts", "dealer": "2c 3c 4c 5c 7c"}
    state = play(state, a.Deal(places={place: parse_cards(text) for place, text in cards.items()}))
    state = after(state, a.Fold(seat=1), a.Fold(seat=2), a.Turn(), a.SettleAll())
    assert state.meter.units == 1


def test_a_wrong_payout_stands_in_the_books_until_it_is_corrected() -> None:
    state = worked_example()
    due = remaining(state)[0]
    right = accounts(play(state, a.SettleAll()))
    wrong = play(state, a.Settle(seat=2, spot=due.spot, given_cents=due.given_cents + 500))
    found = accounts(play(wrong, a.SettleAll()))
    assert found["player:2"] == right["player:2"] + 500
    assert found["tray"] == right["tray"] - 500
    mended = a.Correct(seat=2, spot=due.spot, cents=-500, reason="overpaid")
    assert accounts(after(wrong, a.SettleAll(), a.Close(), mended)) == right


def test_a_payout_on_the_wrong_spot_comes_from_the_tray() -> None:
    state = worked_example()
    begun = len(state.history)
    state = play(state, a.Settle(seat=1, spot="ante", given_cents=700))
    assert accounts(state, begun) == {"tray": -700, "player:1": 700}


WRONG = a.Incident(what="wrong_card_count")


@pytest.mark.parametrize("payout_unit", ["0.01", "5"])
def test_a_round_void_in_the_middle_of_settlement_never_happened(payout_unit: str) -> None:
    state = royal(777, payout_unit=payout_unit, reserve_rate="3")
    for _ in range(5):
        due = remaining(state)[0]
        given = due.given_cents
        state = play(state, a.Settle(seat=due.seat, spot=due.spot, given_cents=given))
    assert any(isinstance(event, e.MeterAwarded) for event in state.history)
    assert accounts(play(state, WRONG)) == {}


def test_a_void_takes_back_wrong_payouts_and_their_corrections() -> None:
    state = play(worked_example(), a.Settle(seat=1, spot="ante", given_cents=700))
    state = play(state, a.Correct(seat=1, spot="ante", cents=-300, reason="wrong spot"))
    assert accounts(play(state, WRONG)) == {}


def test_the_house_bears_what_the_meter_cannot_give_back() -> None:
    bets = {1: {"ante": 1000, "progressive": 100}}
    cards = {"1": "9h 8h", "community": "Qh Jh Th"}
    state = dealt("maryland-2014", bets, cards, 1_000_000 - 11, progressive_wager="1")
    assert accounts(play(state, WRONG)) == {
        "meter": 11 * UNITS_PER_CENT,
        "house": -11 * UNITS_PER_CENT,
    }


def test_contributions_that_are_kept_stay_on_the_meter() -> None:
    bets = {1: {"ante": 1000, "progressive": 100}}
    cards = {"1": "9h 8h", "community": "Qh Jh Th"}
    choices: dict[str, Any] = {"progressive_wager": "1", "void_contributions": "keep"}
    state = dealt("maryland-2014", bets, cards, 5_000_000, **choices)
    assert accounts(play(state, WRONG)) == {
        "meter": 21 * UNITS_PER_CENT,
        "meter_contra": -21 * UNITS_PER_CENT,
    }


def stands(seats_settled: int) -> Round:
    """Three seats with the progressive, some of them settled when the round is void."""
    bets = {seat: {"ante": 1000, "progressive": 100} for seat in (1, 2, 3)}
    cards = {"1": "Kd 2c", "2": "Ks 2d", "3": "9h 8h", "community": "Qh Jh Th"}
    choices: dict[str, Any] = {
        "progressive_wager": "1",
        "void_after_payment": "settled_seats_stand",
    }
    state = dealt("maryland-2014", bets, cards, 5_000_000, **choices)
    for _ in range(3):
        bet = [a.Bet(seat=seat, cents=1000) for seat in (1, 2, 3)]
        state = after(state, *bet, a.Turn())
    while remaining(state) and remaining(state)[0].seat > 3 - seats_settled:
        due = remaining(state)[0]
        given = due.given_cents
        state = play(state, a.Settle(seat=due.seat, spot=due.spot, given_cents=given))
    return state


def test_where_settled_seats_stand_the_others_contributions_are_taken_back() -> None:
    settled = stands(1)
    found = accounts(play(settled, WRONG))
    award = 500_006
    assert found["player:3"] == settled.seats[3].net_cents
    assert "player:1" not in found
    assert "player:2" not in found
    assert found["meter_contra"] == (award - 21) * UNITS_PER_CENT


def test_a_seat_with_a_payout_still_to_come_does_not_stand() -> None:
    bets = {1: {"ante": 1000, "progressive": 100}}
    cards = {"1": "7h 7d", "community": "7s 2h 3c"}
    choices: dict[str, Any] = {
        "progressive": "SD-2011-PROG-MS-Stud-01",
        "void_after_payment": "settled_seats_stand",
    }
    state = dealt("south-dakota-2011", bets, cards, 5_000_000, **choices)
    for _ in range(3):
        state = after(state, a.Bet(seat=1, cents=1000), a.Turn())
    while remaining(state)[0].spot != "progressive":
        due = remaining(state)[0]
        given = due.given_cents
        state = play(state, a.Settle(seat=1, spot=due.spot, given_cents=given))
    assert accounts(play(state, WRONG)) == {}


def test_a_seat_that_forfeits_during_settlement_is_paid_nothing_more() -> None:
    bets = {1: {"ante": 1000}, 2: {"ante": 1000}}
    cards = {"1": "Jd Jc", "2": "Qd Qc", "community": "2c 3h 5s"}
    state = dealt("maryland-2014", bets, cards, leaver="lose_all")
    for _ in range(3):
        state = after(state, a.Bet(seat=1, cents=1000), a.Bet(seat=2, cents=1000), a.Turn())
    state = play(state, a.Incident(what="leaves_table", seat=1))
    state = after(state, a.SettleAll(), a.Close())
    assert accounts(state) == {"player:1": -4000, "player:2": 4000}


def test_a_six_card_bonus_that_was_given_back_during_settlement_is_not_paid() -> None:
    state = super_royal(six_card_irregularity="void_six_card")
    state = after(state, a.Fold(seat=1), a.Turn())
    state = play(state, a.Incident(what="wrong_card_count", place="six_card_box"))
    state = after(state, a.SettleAll(), a.Close())
    assert accounts(state) == {"player:1": -1100, "tray": 1100}


def test_folds_are_collected_also_when_a_forfeit_ends_the_street() -> None:
    """Where folds are collected together, the last to act may be one who shares his hand."""
    bets = {1: {"ante": 1000}, 2: {"ante": 1000}}
    cards = {"1": "Jd Jc", "2": "Qd Qc", "community": "2c 3h 5s"}
    book = load("maryland-2014").book
    together = replace(book.fold.collection, when="together_in_fold_order")
    book = replace(book, fold=replace(book.fold, collection=together))
    state = dealt(book.id, bets, cards, book=book)
    state = after(state, a.Fold(seat=1), a.Incident(what="shares_hand", seat=2))
    state = after(state, a.Turn(), a.Close())
    assert accounts(state) == {"player:1": -1000, "player:2": -1000, "tray": 2000}


def test_what_a_dealer_gives_on_a_tip_that_stays_is_in_the_books() -> None:
    bets = {1: {"ante": 1000, "tip_ante": 100}}
    cards = {"1": "8d 8c", "community": "2c 3h 5s"}
    state = dealt("south-dakota-2011", bets, cards, tip_push="stays")
    for _ in range(3):
        state = after(state, a.Bet(seat=1, cents=1000), a.Turn())
    begun = len(state.history)
    state = play(state, a.Settle(seat=1, spot="tip_ante", given_cents=50))
    assert accounts(state, begun) == {"tray": -50, "player:1": 50}
    assert state.seats[1].wagers["tip_ante"] == 100
    assert state.seats[1].net_cents == -4100 + 50


def test_nobody_is_paid_envy_for_his_own_other_hand() -> None:
    setup = set_up(
        load("island-stud").book, {"progressive": "IS-PROG-PMG-01", "max_positions_per_player": 2}
    )
    state = open_round(setup, meter_of(10_000_000))
    for seat, player in ((1, "Ann"), (2, "Ann"), (3, "Bo")):
        for spot, cents in (("ante", 1000), ("progressive", 100)):
            state = play(state, a.Wager(seat=seat, spot=spot, cents=cents, player=player))
    state = after(state, a.CloseBets(), a.LockProgressive(), a.CollectProgressive(chips=3))
    cards = {
        "1": "Ah Kh Qh Jh Th",
        "2": "2s 3d 4c 6s 8d",
        "3": "2h 3s 4d 6c 8s",
        "dealer": "2c 3c 4h 5c 7c",
    }
    places = {place: parse_cards(text) for place, text in cards.items()}
    state = play(state, a.Deal(places=places))
    state = after(state, *(a.Fold(seat=seat) for seat in (1, 2, 3)), a.Turn(), a.SettleAll())
    paid = [event.seat for event in state.history if isinstance(event, e.EnvyPaid)]
    assert paid == [3]


def test_an_event_that_moves_nothing_has_no_postings() -> None:
    state = worked_example()
    assert postings(e.SettlementBegun(), state) == ()
    assert postings(e.CommunityTurned(number=3), state) == ()
    assert postings(e.WagerPlaced(seat=1, spot="ante", cents=5), state) == (
        Posting("player:1", "cent", -5),
        Posting("spot:1:ante", "cent", 5),
    )
