"""What a floor promises of its meters, whichever database carries its ledger."""

from collections.abc import Callable, Iterator

import pytest
from msgspec import structs

from riverboat.controller import actions as p
from riverboat.core.errors import Refused
from riverboat.floor.audit.auditing import audit
from riverboat.floor.autopilot import attend
from riverboat.floor.codec import (
    METER,
    REFUSED_METER,
    read_meter_body,
    read_refused_keeping,
)
from riverboat.floor.floor import Answer, Floor
from riverboat.keeping.actions import (
    Adjust,
    AnyMeterAction,
    BringBack,
    JoinMeter,
    LeaveMeter,
    MoveMeter,
    TakeOutOfService,
)
from riverboat.ledger import (
    Command,
    Ledger,
    Receipt,
    Write,
    open_ledger,
)
from riverboat.ledger.store import Decide
from riverboat.meter.books import reconcile, sign
from riverboat.meter.events import Alarmed, TableJoined
from riverboat.round import betting
from riverboat.rulebooks import editions
from riverboat.table import actions as a
from tests.floor.house import (
    ANN,
    BOLD,
    DANA,
    FLO,
    ROYAL,
    SECRET,
    STRAIGHT_FLUSH,
    SUE,
    House,
    floor_on,
    require_true,
    submitted,
)

BOOK = "maryland-2014"
LINK = "the river"
RATE_BP = 2100
UNITS_A_CENT = 10_000


class MeterContract:
    """The tests; `place` is the address of an empty ledger. Subclasses say where it lies."""

    @pytest.fixture
    def place(self) -> str:
        raise NotImplementedError

    @pytest.fixture
    def outage(self) -> Callable[[Ledger], None]:
        raise NotImplementedError

    @pytest.fixture
    def ledger(self, place: str) -> Iterator[Ledger]:
        with open_ledger(place) as opened:
            yield opened

    @pytest.fixture
    def house(self, ledger: Ledger) -> House:
        return House(floor_on(ledger))

    def same_everywhere(self, floors: list[Floor], tables: list[str]) -> None:
        """Every floor has what a fresh one folds, and all of it is true."""
        ledger = floors[0].ledger
        fresh = floor_on(ledger)
        require_true(ledger)
        for floor in floors:
            assert [floor.station(t) for t in tables] == [fresh.station(t) for t in tables]
            assert floor.link(LINK) == fresh.link(LINK)
        found = reconcile(fresh.link(LINK))
        assert found.balances, found

    def test_contributions_wait_for_a_pending_award_and_awards_pay_in_log_order(
        self, house: House
    ) -> None:
        for table in ("T1", "T2", "T3"):
            house.open_table(table, submitted(BOOK, table, LINK))
        floor = house.floor
        house.win_alone("T1", ROYAL, until=house.fixes_award)
        house.win_alone("T2", STRAIGHT_FLUSH, until=house.fixes_award)
        on_meter = floor.link(LINK).meter.units
        while floor.link(LINK).pending is None:
            house.step("T1", BOLD, {1: ANN})
        held = floor.link(LINK).pending
        assert held is not None
        assert (held.table, sign(floor.link(LINK)).shows) == ("T1", "pending")
        assert house.next_at("T2", BOLD, {1: ANN}) is None, "T2 waits for the award of T1"
        house.play("T3", 1)
        assert floor.link(LINK).queued.units == 2 * 100 * RATE_BP
        assert floor.link(LINK).meter.units == on_meter
        house.finish_alone("T1")
        seed = floor.link(LINK).seed_cents
        queued = 2 * 100 * RATE_BP
        left_over = on_meter - on_meter // UNITS_A_CENT * UNITS_A_CENT
        assert floor.link(LINK).meter.units == seed * UNITS_A_CENT + queued + left_over
        house.finish_alone("T2")
        awards = sorted(floor.link(LINK).awards.values(), key=lambda award: award.number)
        tenth = (seed * UNITS_A_CENT + queued + left_over) // 10 // UNITS_A_CENT
        assert [(w.fixed.table, w.fixed.cents, w.moved) for w in awards] == [
            ("T1", on_meter // UNITS_A_CENT, True),
            ("T2", tenth, True),
        ]
        assert reconcile(floor.link(LINK)).balances
        self.same_everywhere([floor], ["T1", "T2", "T3"])

    def test_a_meter_out_of_service_takes_no_wager_and_the_game_goes_on(self, house: House) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor = house.floor
        play_to_coin_in(house)
        floor.keep(next(house.ids), SUE, LINK, TakeOutOfService(reason="the sign is dark"))
        stands = floor.link(LINK)
        assert sign(stands).shows == "out_of_service"
        with pytest.raises(Refused) as refused:
            floor.ask("coin in", DANA, "T", p.CoinIn())
        assert refused.value.code == "link.out_of_service"
        assert refused.value.cites
        without = house.next_at("T")
        assert without is not None
        assert isinstance(without.ask, p.PlayWithout)
        while house.rounds_over("T") < 1:
            house.step("T")
        assert floor.link(LINK) == stands
        assert not any(
            "progressive" in seat.wagers for seat in floor.station("T").day.playing.seats.values()
        )
        floor.keep(next(house.ids), SUE, LINK, BringBack())
        house.play("T", 1)
        assert floor.link(LINK).meter.units == stands.meter.units + 2 * 100 * RATE_BP

    def test_a_contribution_that_cannot_be_right_is_refused_and_alarmed(
        self, house: House, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """A table whose reckoning has gone wrong by one unit."""
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor = house.floor
        play_to_coin_in(house)
        stands = floor.link(LINK)
        with monkeypatch.context() as broken:
            broken.setattr(betting, "contribution", lambda cents, bp: cents * bp + 1)
            with pytest.raises(Refused) as refused:
                floor.ask("coin in", DANA, "T", p.CoinIn())
            assert refused.value.code == "contribution.unreasonable"
            assert refused.value.cites
            (alarm,) = read_meter_body(floor.ledger.read(METER + LINK)[-1].body).events
            assert isinstance(alarm, Alarmed)
            assert (alarm.table, alarm.round, alarm.wagers) == ("T", 1, 2)
            assert (alarm.units, alarm.due_units) == (2 * 100 * RATE_BP + 1, 2 * 100 * RATE_BP)
            after = floor.link(LINK)
            assert (after.meter, after.totals) == (stands.meter, stands.totals)
            require_true(floor.ledger)
        found = audit(floor.ledger, editions(), SECRET).wrong
        assert found is not None, "a program that reckons rightly would not have refused it"
        assert (found.stream, found.field) == ("refused/T", "code")
        floor.ask("coin in", DANA, "T", p.CoinIn())
        assert floor.link(LINK).meter.units == stands.meter.units + 2 * 100 * RATE_BP

    @pytest.mark.parametrize("in_round", [False, True])
    def test_a_joined_table_leaves_its_meter_before_its_terms_change(
        self, house: House, in_round: bool
    ) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor = house.floor
        if in_round:
            play_to_coin_in(house)
        dearer = submitted(BOOK, "T", LINK, rate="22")
        house.ask(FLO, "T", a.Propose(submission=dearer))
        stands, joined = floor.station("T"), floor.link(LINK)
        with pytest.raises(Refused) as refused:
            floor.ask("approve", SUE, "T", a.Approve(number=2))
        assert refused.value.code == "link.leave_first"
        assert "MD-2014.12.C.3.a" in refused.value.cites
        assert (floor.station("T"), floor.link(LINK)) == (stands, joined)
        if in_round:
            house.play("T", 1)
        floor.keep("leave", FLO, LINK, LeaveMeter(table="T"))
        floor.ask("approve", SUE, "T", a.Approve(number=2))
        floor.keep("join", FLO, LINK, JoinMeter(table="T"))
        assert floor.link(LINK).members["T"].rate_bp == 2200
        told = [read_meter_body(row.body) for row in floor.ledger.read(METER + LINK)]
        joins = [
            (one.by, ev.rate_bp) for one in told for ev in one.events if isinstance(ev, TableJoined)
        ]
        assert joins == [(FLO, 2100), (FLO, 2200)], "the new rate is on the meter's own record"
        before = floor.link(LINK).meter.units
        house.play("T", 1)
        assert floor.link(LINK).meter.units == before + 2 * 100 * 2200
        require_true(floor.ledger)

    def test_a_table_does_not_join_while_other_terms_wait_for_the_end_of_its_round(
        self, house: House
    ) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor = house.floor
        floor.keep("leave", FLO, LINK, LeaveMeter(table="T"))
        while not floor.station("T").day.in_round:
            house.step("T")
        dearer = submitted(BOOK, "T", LINK, progressive_wager="5")
        house.ask(FLO, "T", a.Propose(submission=dearer))
        house.ask(SUE, "T", a.Approve(number=2))
        with pytest.raises(Refused) as refused:
            floor.keep("join", FLO, LINK, JoinMeter(table="T"))
        assert refused.value.code == "link.leave_first"
        assert floor.link(LINK).members == {}
        require_true(floor.ledger)

    def test_a_table_that_joins_at_the_moment_of_an_approval_keeps_its_terms(
        self, house: House, place: str
    ) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor = house.floor
        floor.keep("leave", FLO, LINK, LeaveMeter(table="T"))
        dearer = submitted(BOOK, "T", LINK, progressive_wager="5")
        house.ask(FLO, "T", a.Propose(submission=dearer))
        with open_ledger(place) as other:
            before_append(other, lambda: floor.keep("join", FLO, LINK, JoinMeter(table="T")))
            with pytest.raises(Refused) as refused:
                floor_on(other).ask("approve", SUE, "T", a.Approve(number=2))
        assert refused.value.code == "link.leave_first"
        stands = floor.station("T").day.setup.progressive
        assert stands is not None
        assert stands.wager_cents == 1_00
        require_true(floor.ledger)

    def test_a_coin_in_under_way_when_its_meter_goes_out_of_service_is_refused(
        self, house: House, place: str
    ) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor = house.floor
        play_to_coin_in(house)
        stands = floor.link(LINK).meter
        out = TakeOutOfService(reason="the sign is dark")
        with open_ledger(place) as other:
            before_append(other, lambda: floor.keep("out", SUE, LINK, out))
            with pytest.raises(Refused) as refused:
                floor_on(other).ask("coin in", DANA, "T", p.CoinIn())
        assert refused.value.code == "link.out_of_service"
        assert floor.link(LINK).meter == stands
        require_true(floor.ledger)

    # ------------------------------------------------------------ what is refused at a meter

    def test_what_is_refused_to_keepers_of_a_meter_is_on_record_and_judged_anew(
        self, house: House
    ) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor, stands = house.floor, house.floor.link(LINK)
        alone = Adjust(units=-5, code="correction", reason="counted", second=SUE)
        asked: list[tuple[str, AnyMeterAction, str]] = [
            (LINK, alone, "person.same"),
            (LINK, alone, "person.same"),
            (LINK, JoinMeter(table="T"), "link.joined"),
            ("another", JoinMeter(table="T"), "link.other"),
            (LINK, MoveMeter(to="another", reason="one less", second=FLO), "link.has_tables"),
            ("another", BringBack(), "link.in_service"),
        ]
        for meter, action, code in asked:
            with pytest.raises(Refused) as refused:
                floor.keep(f"{meter} {action}", SUE, meter, action)
            assert refused.value.code == code
        assert floor.link(LINK) == stands
        noted = [
            (meter, told.action, told.code, told.by)
            for meter in (LINK, "another")
            for row in floor.ledger.read(REFUSED_METER + meter)
            for told in [read_refused_keeping(row.body)]
        ]
        wanted = [(meter, action, code, SUE) for meter, action, code in asked]
        assert sorted(noted, key=str) == sorted(wanted, key=str)
        found = audit(floor.ledger, editions(), SECRET)
        assert found.holds, found.wrong
        assert found.counts["refused"] == len(asked)
        floor.keep("again", SUE, LINK, structs.replace(alone, second=FLO))
        assert floor.link(LINK).meter.units == stands.meter.units - 5

    def test_a_table_that_leaves_at_the_moment_of_coin_in_contributes_nothing(
        self, house: House, place: str
    ) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        play_to_coin_in(house)
        with open_ledger(place) as other:
            leave = LeaveMeter(table="T")
            before_append(other, lambda: house.floor.keep("leave", FLO, LINK, leave))
            with pytest.raises(Refused) as refused:
                floor_on(other).ask("coin in", DANA, "T", p.CoinIn())
        assert refused.value.code == "link.not_joined"
        link = floor_on(house.floor.ledger).link(LINK)
        assert link.members == {}
        assert link.totals.contributions == 0

    def test_a_table_leaves_its_meter_when_its_round_is_over(self, house: House) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor = house.floor
        house.win_alone("T", ROYAL, until=house.fixes_award)
        with pytest.raises(Refused) as refused:
            floor.keep("leave", FLO, LINK, LeaveMeter(table="T"))
        assert refused.value.code == "round.in_progress"
        house.finish_alone("T")
        floor.keep("leave", FLO, LINK, LeaveMeter(table="T"))
        assert floor.link(LINK).members == {}
        assert floor_on(floor.ledger).station("T") == floor.station("T")


def play_to_coin_in(house: House) -> None:
    """Until the progressive wagers of a round are to be taken in."""
    doing = house.next_at("T")
    while doing is not None and not isinstance(doing.ask, p.CoinIn):
        attend(house.floor, next(house.ids), "T", doing)
        doing = house.next_at("T")


def before_append(ledger: Ledger, first: Callable[[], Answer]) -> None:
    """Something else happens after a command was decided and before it is written."""
    append, append_in_turn = ledger.append, ledger.append_in_turn
    done: list[Answer] = []

    def overtaken(command: Command, *writes: Write) -> Receipt:
        if not done:
            done.append(first())
        return append(command, *writes)

    def overtaken_in_turn(command: Command, decide: Decide) -> Receipt:
        if not done:
            done.append(first())
        return append_in_turn(command, decide)

    ledger.append = overtaken  # type: ignore[method-assign]
    ledger.append_in_turn = overtaken_in_turn  # type: ignore[method-assign]
