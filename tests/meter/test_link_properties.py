"""Two to six tables of both games on one meter, pressed at random: no unit is lost or made.

Every step goes through the hall, which posts it, holds the meter to its audit identity and checks
that a refusal changed nothing; at the end the events alone must give the same hall.
"""

from collections.abc import Callable
from random import Random

import pytest
from msgspec.structs import replace

from riverboat.controller import actions as a
from riverboat.core.hand_kinds import FIVE_CARD
from riverboat.keeping import actions as la
from riverboat.meter import events as le
from riverboat.meter.operations import UnreasonableContribution, contribute
from riverboat.round import SetupRefused, set_up
from riverboat.round import actions as g
from riverboat.round.settlement.payment import remaining
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.progressive import Progressive
from riverboat.rulebooks import load
from tests.conftest import Report
from tests.support.hall import DANA, FLO, PEOPLE, SUE, Hall, Table, refusal_of, settle_others
from tests.support.keyed_player import decide_all, key_next
from tests.support.keyed_rounds import BOOKS, bet_all, many_winners
from tests.support.round_player import random_choices

HALLS = 80
STEPS = 220
SEED = 10_000_00


def table_for(rng: Random) -> Setup:
    """A table of any rulebook, with the seed of the meter that it joins."""
    while True:
        book = load(rng.choice(BOOKS)).book
        choices = random_choices(rng, book)
        offer = next(offer for offer in book.side_bets if offer.bet == "progressive")
        choices |= {"progressive": rng.choice(offer.paytables), "seed": "10000"}
        if not book.options["multi_winner_policy"].fixed:
            choices["multi_winner_policy"] = rng.choice(("equal_split", "sequential"))
        choices["contribute_at"] = rng.choice(("lock", "lock", "game_over"))
        try:
            return set_up(book, choices)
        except SetupRefused:
            continue


def hall_of(rng: Random, initial_cents: int, tables: int) -> Hall:
    """Tables of any rulebooks on one meter, all for the same wager."""
    first = table_for(rng)
    hall = Hall("L", SEED, initial_cents, _wager(first))
    hall.add("T0", first)
    while len(hall.tables) < tables:
        further = table_for(rng)
        if _wager(further) == _wager(first):
            hall.add(f"T{len(hall.tables)}", further)
    return hall


def _wager(setup: Setup) -> int:
    assert setup.progressive is not None
    return setup.progressive.wager_cents


def anything(rng: Random, hall: Hall, table: Table) -> a.AnyPress:
    """Any press at all, most of them wrong."""
    seat, hand = rng.randint(0, 7), rng.choice(FIVE_CARD)
    award = rng.choice([*hall.link.awards, "nothing"])
    return rng.choice(
        (
            a.PlaceChip(seat=seat, cents=rng.choice((100, 500, 1))),
            a.RemoveChip(seat=seat),
            a.CoinIn(),
            a.CoinIn(round=rng.randint(0, 9)),
            a.PlayWithout(),
            a.CountChips(chips=rng.randint(0, 6)),
            a.CancelWager(seat=seat, reason="no chip"),
            a.FirstCard(),
            a.PressHand(seat=seat, hand=hand),
            a.CallSupervisor(),
            a.VerifyWin(seat=seat),
            a.KeyInWinner(seat=seat),
            a.TurnKey(to=rng.choice(("JPH", "RUN"))),
            a.PressJPot(),
            a.PrintWinPage(),
            a.PayAward(seat=seat, document=rng.choice(("", "slip"))),
            a.GameOver(),
            a.BackOut(award=award, reason=rng.choice(("", "misread")), second=FLO),
            a.OverrideUnlit(seat=seat, reason="the camera shows the chip", second=FLO),
        )
    )


def go_on(rng: Random, hall: Hall, table: Table) -> None:
    """What comes next at a table."""
    match table.round.phase:
        case "over":
            hall.begin(table)
        case "void":
            hall.play(table, g.Close())
            hall.begin(table)
        case "betting":
            bet_all(hall, table, rng)
        case "deciding" | "turning":
            decide_all(hall, table, rng, 0.1)
        case "settling":
            settle(hall, table)
        case _:
            lock_count_deal(rng, hall, table)


def lock_count_deal(rng: Random, hall: Hall, table: Table) -> None:
    """From closed bets to the deal, wherever that was left."""
    if table.round.phase == "closed":
        up = hall.reachable and hall.link.status == "in_service"
        hall.press(table, DANA, a.CoinIn() if up else a.PlayWithout())
    elif table.round.phase == "locked":
        chips = sum(seat.lit for seat in table.round.seats.values())
        hall.press(table, DANA, a.CountChips(chips=chips))
    elif not table.controller.dealt:
        hall.press(table, DANA, a.FirstCard())
    else:
        hall.play(table, g.Deal(places=many_winners(rng, table)))


def settle(hall: Hall, table: Table) -> None:
    """One press, or what else there is to settle."""
    settle_others(hall, table, envy=False)
    coming = key_next(hall, table)
    if coming is not None:
        hall.press(table, *coming)
        return
    if table.controller.key == "JPH":
        hall.press(table, SUE, a.TurnKey(to="RUN"))
    settle_others(hall, table)
    if not remaining(table.round):
        hall.press(table, DANA, a.GameOver())


def disturb(rng: Random, hall: Hall, table: Table) -> None:
    """What seldom happens: a void, a back-out, an adjustment, a meter or a line out of service."""
    match rng.randint(0, 7):
        case 0 | 1:
            hall.press(table, FLO, a.VoidRound(reason="a card too many"))
        case 2:
            mine = [n for n, award in hall.link.awards.items() if award.fixed.table == table.name]
            award = rng.choice([*mine, "nothing"])
            hall.press(table, SUE, a.BackOut(award=award, reason="misread", second=FLO))
        case 3:
            units = rng.choice((1, -1, 1_234_567, -99_999_999, -(10**12)))
            hall.keep(SUE, la.Adjust(units=units, code="correction", reason="counted", second=FLO))
        case 4:
            hall.keep(FLO, la.TakeOutOfService(reason="cable"))
        case 5:
            hall.keep(FLO, la.BringBack())
        case _:
            hall.reachable = False


@pytest.mark.slow
def test_no_unit_is_lost_or_made_by_any_interleaving(report: Report) -> None:
    seen = {kind.__name__: 0 for kind in (le.AwardFixed, le.QueueAdded, le.BackedOut)}
    seen |= {"ContributionReversed": 0, "shortfalls": 0, "refused": 0, "shared": 0}
    for number in range(HALLS):
        rng = Random(f"hall {number}")
        hall = hall_of(rng, SEED + rng.choice((0, 1, 9_000_000)), rng.randint(2, 6))
        for _ in range(STEPS):
            seen["refused"] += one_step(rng, hall)
        hall.check_replay()
        for event in hall.meter_events:
            if type(event).__name__ in seen:
                seen[type(event).__name__] += 1
            seen["shortfalls"] += bool(getattr(event, "shortfall_units", 0))
            seen["shared"] += getattr(event, "of", 1) > 1
    assert all(seen.values()), seen
    report(f"linked meters: {HALLS} halls, {HALLS * STEPS} steps, {seen}")


def one_step(rng: Random, hall: Hall) -> int:
    """Something happens at one of the tables; 1 when it was refused, and then nothing has."""
    table = rng.choice(list(hall.tables.values()))
    hall.reachable = hall.reachable or rng.random() < 0.2
    if hall.link.status == "out_of_service" and rng.random() < 0.1:
        hall.keep(FLO, la.BringBack())
    luck = rng.random()
    if luck < 0.15:
        who, press = rng.choice(list(PEOPLE.values())), anything(rng, hall, table)
        return refused(hall, lambda: hall.press(table, who, press))
    if luck < 0.2:
        return refused(hall, lambda: disturb(rng, hall, table))
    return refusal_of(lambda: go_on(rng, hall, table)) is not None


def refused(hall: Hall, ask: Callable[[], object]) -> int:
    """Ask; after a refusal everything is as it was."""
    before = hall.fingerprint()
    refusal = refusal_of(ask)
    if refusal is not None:
        assert hall.fingerprint() == before, refusal
        assert not isinstance(refusal, UnreasonableContribution)
    return refusal is not None


@pytest.mark.parametrize("wagers", [0, 1, 6])
@pytest.mark.parametrize("reserve_rate", ["0", "5"])
def test_a_contribution_is_exactly_what_its_wagers_give(wagers: int, reserve_rate: str) -> None:
    """Not a unit more or less, to the meter or to the reserve; the terms are those of the join."""
    hall, rule = hall_of_six(reserve_rate)
    due, due_reserve = wagers * 100 * 2100, wagers * 100 * 100 * int(reserve_rate)
    right = le.Contributed(table="T1", round=1, wagers=wagers, units=due, reserve_units=due_reserve)
    assert tuple(contribute(hall.link, right, rule)) == (right,)
    for units, reserve in ((1, 0), (-1, 0), (0, 1), (0, -1), (-due - 1, 0), (100 * 2100, 0)):
        wrong = replace(right, units=due + units, reserve_units=due_reserve + reserve)
        require_alarm(hall, wrong, rule, due, due_reserve)


@pytest.mark.parametrize(("wagers", "given"), [(-1, -1), (-1, 0), (7, 7), (7, 6)])
def test_a_contribution_of_more_wagers_than_there_are_seats_is_refused_and_gives_an_alarm(
    wagers: int, given: int
) -> None:
    hall, rule = hall_of_six("0")
    offer = le.Contributed(
        table="T1", round=1, wagers=wagers, units=given * 100 * 2100, reserve_units=0
    )
    require_alarm(hall, offer, rule, 0 if wagers < 0 else 6 * 100 * 2100, 0)


def hall_of_six(reserve_rate: str) -> tuple[Hall, Progressive]:
    setup = set_up(
        load("island-stud").book,
        {"progressive": "IS-PROG-PMG-01", "seats": 6, "reserve_rate": reserve_rate},
    )
    hall = Hall("L", SEED, SEED, 100)
    hall.add("T1", setup)
    rule = setup.book.progressive
    assert rule is not None
    return hall, rule


def require_alarm(
    hall: Hall, offer: le.Contributed, rule: Progressive, due: int, due_reserve: int
) -> None:
    with pytest.raises(UnreasonableContribution) as refusal:
        list(contribute(hall.link, offer, rule))
    assert refusal.value.code == "contribution.unreasonable"
    assert refusal.value.cites == rule.contribution.cites
    assert refusal.value.alarm == le.Alarmed(
        table="T1",
        round=1,
        wagers=offer.wagers,
        units=offer.units,
        reserve_units=offer.reserve_units,
        due_units=due,
        due_reserve_units=due_reserve,
    )
