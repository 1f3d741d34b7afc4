"""What is taken back: a void round, a back-out, a wager without a chip; each of them once."""

from random import Random

import pytest

from riverboat.controller import actions as a
from riverboat.controller import events as e
from riverboat.core.cards import parse_cards as cards
from riverboat.meter import events as le
from riverboat.meter.books import reconcile
from riverboat.round import Setup
from riverboat.round import actions as g
from riverboat.round import events as r
from tests.support.hall import DANA, FLO, PEOPLE, SUE, Hall, Table, refusal_of, settle_others
from tests.support.keyed_player import decide_all, key_next, key_winners, lock_and_deal
from tests.support.meters import CENT, SEED, awarded, island, maryland, opened, rule_in, stud

ANN = PEOPLE["Ann"]
FLUSH = "9h 8h 7h 6h 5h"


def bet(hall: Hall, table: Table, seats: int) -> None:
    for seat in range(1, seats + 1):
        hall.play(table, g.Wager(seat=seat, spot="ante", cents=10_00))
        hall.press(table, ANN, a.PlaceChip(seat=seat, cents=1_00))
    hall.play(table, g.CloseBets())


def with_flush(setup: Setup, initial_cents: int = 50_000_00) -> tuple[Hall, Table]:
    """A straight flush at seat 1 that is about to be keyed."""
    hall = opened(initial_cents)
    table = hall.add("T1", setup)
    bet(hall, table, 1)
    places = {"1": cards(FLUSH), "dealer": cards("Kd Qs 9d 6c 4d")}
    if setup.book.id != "island-stud":
        places = {"1": cards(FLUSH[:5]), "community": cards(FLUSH[6:])}
    lock_and_deal(hall, table, Random(1), places)
    decide_all(hall, table, Random(1), 0.0)
    settle_others(hall, table)
    return hall, table


def key_until(hall: Hall, table: Table, kind: type) -> None:
    """Every press up to one of this kind, which is not made."""
    while (coming := key_next(hall, table)) is not None and not isinstance(coming[1], kind):
        hall.press(table, *coming)


@pytest.mark.parametrize("moved", [False, True])
def test_a_round_is_void_once_and_gives_its_award_back_once(moved: bool) -> None:
    hall, table = with_flush(island())
    if moved:
        key_winners(hall, table)
    else:
        key_until(hall, table, a.TurnKey)
        hall.press(table, SUE, a.TurnKey(to="JPH"))
        hall.press(table, SUE, a.PressJPot())
    (name,) = hall.link.awards
    hall.press(table, FLO, a.VoidRound(reason="a card too many", second=SUE))
    assert hall.link.meter.units == 50_000_00 * CENT
    assert not table.accounts()
    again = refusal_of(lambda: hall.press(table, FLO, a.VoidRound(reason="once more")))
    assert again is not None
    assert again.code == "void.too_late"
    back = refusal_of(
        lambda: hall.press(table, SUE, a.BackOut(award=name, reason="twice", second=FLO))
    )
    assert back is not None
    assert back.code == "award.backed_out"
    assert sum(isinstance(event, le.BackedOut) for event in hall.meter_events) == 1
    assert hall.link.meter.units == 50_000_00 * CENT
    hall.check_replay()


def test_a_void_after_a_back_out_does_not_give_that_award_back_again() -> None:
    hall, table = with_flush(island())
    key_winners(hall, table)
    (name,) = hall.link.awards
    hall.press(table, SUE, a.BackOut(award=name, reason="misread", second=FLO))
    hall.press(table, FLO, a.VoidRound(reason="a card too many", second=SUE))
    assert sum(isinstance(event, r.AwardBackedOut) for event in table.round_events) == 1
    assert sum(isinstance(event, le.BackedOut) for event in hall.meter_events) == 1
    assert hall.link.meter.units == 50_000_00 * CENT
    assert not table.accounts()


def test_an_award_that_was_keyed_anew_after_a_back_out_goes_back_with_the_round() -> None:
    """The first one was never paid; the second one was, and it is the one that is void."""
    hall, table = with_flush(island())
    key_until(hall, table, a.PayAward)
    (first,) = hall.link.awards
    hall.press(table, SUE, a.BackOut(award=first, reason="the wrong page", second=FLO))
    key_winners(hall, table)
    assert list(hall.link.awards) == [first, f"{first}/2"]
    assert hall.link.awards[f"{first}/2"].moved
    hall.press(table, FLO, a.VoidRound(reason="a card too many", second=SUE))
    assert all(award.backed_out for award in hall.link.awards.values())
    assert hall.link.meter.units == 50_000_00 * CENT
    assert not table.accounts()
    assert reconcile(hall.link).balances
    hall.check_replay()


# ---------------------------------------------------------------- from where, and what is left


@pytest.mark.parametrize(
    ("setup", "source", "paid", "breakage"),
    [
        (island(), "cage", 5_000_02, 0),
        (island(payout_unit="0.25"), "cage", 5_000_00, 2),
        (island(payout_unit="0.25", breakage="player"), "cage", 5_000_25, -23),
        (maryland(), "cage", 5_000_02, 0),
        (maryland(off_tray_threshold="6000"), "tray", 5_000_02, 0),
        (maryland(off_tray_threshold="5000.02"), "cage", 5_000_02, 0),
    ],
)
def test_a_payment_of_the_meter_says_from_where_and_what_rounding_left(
    setup: Setup, source: str, paid: int, breakage: int
) -> None:
    """A tenth of 50,000.21 is 5,000.02, which goes off the meter whatever unit is paid in."""
    hall, table = with_flush(setup)
    key_winners(hall, table)
    (payment,) = [event for event in hall.meter_events if isinstance(event, le.AwardPaid)]
    assert (payment.source, payment.paid_cents, payment.breakage_cents) == (source, paid, breakage)
    assert hall.link.meter.units == (50_000_21 - 5_000_02) * CENT
    assert table.cents[source] <= -5_000_02
    assert table.cents["breakage"] == breakage
    (logged,) = [event for event in table.controller_events if isinstance(event, e.WinLogged)]
    assert (logged.source, logged.cents, logged.paid_cents) == (source, 5_000_02, paid)


# ---------------------------------------------------------------- an accepted wager without a chip


def locked(setup: Setup, seats: int = 3) -> tuple[Hall, Table]:
    hall = opened()
    table = hall.add("T1", setup)
    bet(hall, table, seats)
    hall.press(table, DANA, a.CoinIn())
    return hall, table


@pytest.mark.parametrize("at", ["lock", "game_over"])
@pytest.mark.parametrize("reserve", ["0", "3"])
def test_a_wager_without_a_chip_is_cancelled_and_the_deal_goes_on(at: str, reserve: str) -> None:
    hall, table = locked(maryland(contribute_at=at, reserve_rate=reserve))
    hall.press(table, DANA, a.CountChips(chips=1))
    assert table.round.blocked
    for seat in (2, 3):
        hall.press(table, FLO, a.CancelWager(seat=seat, reason="no chip on the sensor"))
        assert not table.round.seats[seat].lit
        assert table.cents[f"player:{seat}"] == -10_00
    assert table.controller.accepted == (1,)
    hall.press(table, DANA, a.CountChips(chips=1))
    assert not table.round.blocked
    assert table.cents["tray"] == 1_00
    hall.press(table, DANA, a.FirstCard())
    places = {"1": cards("2c 7d"), "2": cards("3c 8d"), "3": cards("4c 9d")}
    hall.play(table, g.Deal(places={**places, "community": cards("Jh Qs Ks")}))
    decide_all(hall, table, Random(1), 0.0)
    settle_others(hall, table)
    hall.press(table, DANA, a.GameOver())
    assert hall.link.meter.units == SEED * CENT + 100 * 2100
    assert hall.link.meter.reserve_units == 100 * 100 * int(reserve)
    assert reconcile(hall.link).balances
    hall.check_replay()


def test_what_is_left_after_a_cancelled_wager_goes_back_with_a_void_round() -> None:
    hall, table = locked(stud(reserve_rate="3"))
    hall.press(table, FLO, a.CancelWager(seat=2, reason="no chip"))
    assert hall.link.meter.units == SEED * CENT + 2 * 100 * 2100
    hall.press(table, FLO, a.VoidRound(reason="a fouled deck"))
    assert (hall.link.meter.units, hall.link.meter.reserve_units) == (SEED * CENT, 0)
    assert not table.accounts()
    assert hall.units["house"] == -SEED * CENT
    hall.check_replay()


def test_a_wager_cancelled_after_another_tables_win_costs_the_house_what_that_win_took() -> None:
    hall, table = locked(stud(), 2)
    hall.add("T2", stud())
    awarded(hall, "T2/1/1", 100, "T2")
    hall.press(table, FLO, a.CancelWager(seat=1, reason="no chip"))
    assert hall.meter_events[-1] == le.ContributionReversed(
        table="T1",
        round=1,
        units=0,
        reserve_units=0,
        shortfall_units=100 * 2100,
        left_units=100 * 2100,
    )
    assert hall.link.meter.units == SEED * CENT


def test_a_wager_that_waits_for_a_pending_award_is_cancelled_out_of_the_queue() -> None:
    hall = opened(50_000_00)
    one, two = hall.add("T1", island()), hall.add("T2", stud())
    bet(hall, one, 1)
    places = {"1": cards(FLUSH), "dealer": cards("Kd Qs 9d 6c 4d")}
    lock_and_deal(hall, one, Random(1), places)
    decide_all(hall, one, Random(1), 0.0)
    settle_others(hall, one)
    key_until(hall, one, a.PayAward)
    assert hall.link.pending is not None
    bet(hall, two, 2)
    hall.press(two, DANA, a.CoinIn())
    hall.press(two, FLO, a.CancelWager(seat=2, reason="no chip"))
    assert hall.link.queued.units == 100 * 2100
    key_winners(hall, one)
    assert hall.link.meter.units == (50_000_21 - 5_000_02) * CENT + 100 * 2100


def test_a_wager_is_cancelled_by_the_floor_with_a_reason_between_lock_and_count() -> None:
    setup = stud()
    hall = opened()
    table = hall.add("T1", setup)
    bet(hall, table, 2)
    wish = a.CancelWager(seat=1, reason="no chip")
    cites = rule_in(setup).collection.cites
    for before, by, action, code in (
        (None, FLO, wish, "wager.not_now"),
        (a.CoinIn(), DANA, wish, "person.may_not"),
        (None, FLO, a.CancelWager(seat=3, reason="no chip"), "seat.unlit"),
        (None, FLO, a.CancelWager(seat=1, reason=" "), "reason.missing"),
        (a.CountChips(chips=2), FLO, wish, "wager.not_now"),
    ):
        if before is not None:
            hall.press(table, DANA, before)
        stands = hall.fingerprint()
        refusal = refusal_of(lambda by=by, action=action: hall.press(table, by, action))  # type: ignore[misc]
        assert refusal is not None
        assert refusal.code == code
        assert refusal.cites == cites
        assert hall.fingerprint() == stands
