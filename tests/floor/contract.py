"""What a floor promises, whichever database carries its ledger. Subclasses say where it lies."""

import base64
import random
from collections.abc import Callable, Iterator
from threading import Thread

import pytest

from riverboat.controller import actions as p
from riverboat.core.cards import show_card
from riverboat.core.errors import Refused
from riverboat.core.sealing import RoundKey
from riverboat.floor.autopilot import Doing, attend
from riverboat.floor.codec import (
    METER,
    REFUSED,
    TABLE,
    KeyReleased,
    SealedEntry,
    lines_of,
    read_refused_body,
    unsealed,
)
from riverboat.floor.floor import Answer, Floor
from riverboat.keeping.actions import (
    LeaveMeter,
)
from riverboat.ledger import (
    CommandConflict,
    Ledger,
    LedgerUnavailable,
    Row,
    open_ledger,
)
from riverboat.table import actions as a
from tests.floor.house import (
    ANN,
    DANA,
    FLO,
    SEATS,
    STAFF,
    STRAIGHT_FLUSH,
    House,
    TestClock,
    floor_on,
    submitted,
)
from tests.floor.meter_contract import BOOK, LINK, RATE_BP, MeterContract, play_to_coin_in


class FloorContract(MeterContract):
    """The tests of tables; those of meters come with them."""

    # ------------------------------------------------------------ a command sent again

    def test_a_retry_is_answered_and_not_played_twice_in_any_state(self, house: House) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        done: list[tuple[str, Doing]] = []
        while house.rounds_over("T") < 3:
            doing = house.next_at("T")
            assert doing is not None
            name = next(house.ids)
            first = attend(house.floor, name, "T", doing)
            before = house.floor.ledger.head()
            again = attend(house.floor, name, "T", doing)
            restarted = attend(floor_on(house.floor.ledger), name, "T", doing)
            assert not first.repeated
            assert again == restarted == first._replace(repeated=True)
            assert house.floor.ledger.head() == before
            done.append((name, doing))
        stands, before = house.floor.station("T"), house.floor.ledger.head()
        fresh = floor_on(house.floor.ledger)
        for name, doing in done:
            assert attend(fresh, name, "T", doing).repeated
        assert (fresh.station("T"), house.floor.ledger.head()) == (stands, before)
        assert len(done) > 90

    def test_an_id_that_stands_for_something_else_is_a_conflict(self, house: House) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        house.floor.ask("mine", ANN, "T", a.SitDown(seat=1))
        before = house.floor.ledger.head()
        for by, table, action in (
            (ANN, "T", a.SitDown(seat=2)),
            (SEATS[2], "T", a.SitDown(seat=1)),
            (ANN, "U", a.SitDown(seat=1)),
        ):
            with pytest.raises(CommandConflict):
                house.floor.ask("mine", by, table, action)
        with pytest.raises(CommandConflict):
            house.floor.keep("mine", FLO, LINK, LeaveMeter(table="T"))
        assert house.floor.ledger.head() == before

    def test_a_refusal_changes_nothing_and_is_on_record(self, house: House) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor, stands = house.floor, house.floor.station("T")
        with pytest.raises(Refused) as early:
            floor.ask("start", DANA, "T", a.StartRound())
        assert floor.station("T") == stands
        assert floor_on(floor.ledger).station("T") == stands
        noted = [read_refused_body(row.body) for row in floor.ledger.read(REFUSED + "T")]
        assert [(n.by, n.action, n.code, n.cites) for n in noted] == [
            (DANA, a.StartRound(), early.value.code, early.value.cites)
        ]

    def test_a_retry_of_something_refused_is_judged_anew(self, house: House) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor = house.floor
        for _ in range(2):
            with pytest.raises(Refused):
                floor.ask("start", DANA, "T", a.StartRound())
        assert floor.ledger.version(REFUSED + "T") == 2
        while (doing := house.next_at("T")) and not isinstance(doing.ask, a.StartRound):
            attend(floor, next(house.ids), "T", doing)
        assert not floor.ask("start", DANA, "T", a.StartRound()).repeated
        assert floor.station("T").day.in_round
        assert floor.ask("start", DANA, "T", a.StartRound()).repeated

    def test_a_command_sent_twice_at_once_is_no_refusal(self, house: House, place: str) -> None:
        """The second is judged when the first is done, which nobody knew of when it came."""
        house.open_table("T", submitted(BOOK, "T", LINK))
        with open_ledger(place) as other:
            first = overtake(other, lambda: house.floor.ask("sit", ANN, "T", a.SitDown(seat=1)))
            second = floor_on(other).ask("sit", ANN, "T", a.SitDown(seat=1))
        assert second == first[0]._replace(repeated=True)
        assert house.floor.ledger.version(REFUSED + "T") == 0

    # ------------------------------------------------------------ several floors on one ledger

    def test_two_floors_taking_turns_at_random_lose_and_double_nothing(
        self, house: House, place: str
    ) -> None:
        rng = random.Random(7)
        tables = ["T1", "T2", "T3"]
        for table in tables:
            house.open_table(table, submitted(BOOK, table, LINK))
        with open_ledger(place) as other:
            houses = [house, House(floor_on(other), house.ids)]
            done = 0
            while min(map(house.rounds_over, tables)) < 2:
                table = rng.choice(tables)
                one, two = rng.sample(houses, 2)
                doing = one.next_at(table)
                if doing is None:
                    continue
                name = next(house.ids)
                assert not attend(one.floor, name, table, doing).repeated
                if rng.random() < 0.3:
                    assert attend(two.floor, name, table, doing).repeated
                done += 1
            self.same_everywhere([h.floor for h in houses], tables)
        assert house.floor.ledger.version(REFUSED + "T1") == 0
        assert done > 150

    def test_floors_that_decide_at_the_same_time_play_every_step_once(
        self, house: House, place: str
    ) -> None:
        """Whoever comes late is refused, or has done what the other one has not."""
        tables = ["T1", "T2"]
        for table in tables:
            house.open_table(table, submitted(BOOK, table, LINK))
        told: list[tuple[str, int]] = []

        def play(number: int) -> None:
            with open_ledger(place) as own:
                floor = floor_on(own)
                mine = House(floor, (f"{number}-{n}" for n in range(10_000)))
                while min(map(mine.rounds_over, tables)) < 3:
                    for table in tables:
                        doing = mine.next_at(table)
                        if doing is None:
                            continue
                        try:
                            answer = attend(floor, name := next(mine.ids), table, doing)
                        except Refused:
                            continue
                        assert not answer.repeated
                        told.append((name, answer.seq))

        threads = [Thread(target=play, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.same_everywhere([house.floor], tables)
        stored = {row.command_id: row for row in house.floor.ledger.read_all()}
        for name, _ in told:
            assert stored[name].stream.startswith((TABLE, METER))
        entries = [row for table in tables for row in house.floor.ledger.read(TABLE + table)]
        played = [row for row in entries if "-" in row.command_id]
        assert sorted(row.command_id for row in played) == sorted(name for name, _ in told)

    def test_a_fresh_floor_folds_the_same_at_every_moment(self, house: House) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        while house.rounds_over("T") < 2:
            house.step("T")
            fresh = floor_on(house.floor.ledger)
            assert fresh.station("T") == house.floor.station("T")
            assert fresh.link(LINK) == house.floor.link(LINK)

    def test_time_is_an_entry_of_its_own_in_the_same_write(self, ledger: Ledger) -> None:
        clock = TestClock()
        house = House(floor_on(ledger, clock))
        house.open_table("T", submitted(BOOK, "T", LINK))
        told = steps = 0
        while not house.floor.link(LINK).awards or house.floor.station("T").day.in_round:
            doing = house.next_alone("T", STRAIGHT_FLUSH)
            assert doing is not None
            clock.now += 20
            name = next(house.ids)
            answer = attend(house.floor, name, "T", doing)
            clock.now += 100
            assert attend(house.floor, name, "T", doing) == answer._replace(repeated=True)
            clock.now -= 100
            told += isinstance(answer.entries[0].action, a.TellTime)
            assert len(answer.entries) == 1 + isinstance(answer.entries[0].action, a.TellTime)
            assert clock.now - house.floor.station("T").day.now < 30
            assert floor_on(ledger, clock).station("T") == house.floor.station("T")
            steps += 1
        assert steps / 3 < told < steps

    # ------------------------------------------------------------ what the store gives away

    def test_no_hidden_card_can_be_read_before_the_round_is_over(self, house: House) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor, looked = house.floor, 0
        for _ in range(2):
            while not (deck := _sealed_deck(floor)):
                house.step("T")
            order, salts = deck
            for round_is_on in iter(lambda: _cards_are_hidden(floor), False):
                assert round_is_on
                stored = "\n".join("\t".join(map(str, row)) for row in floor.ledger.read_all())
                for secret in _spellings(order, salts):
                    assert secret not in stored, f"{secret!r} can be read"
                looked += 1
                house.step("T")
            while house.floor.station("T").day.in_round:
                house.step("T")
            assert _readable_orders(floor.ledger, "T")[-1] == order, "all can be read afterwards"
        assert looked > 30

    def test_a_refused_seal_keeps_its_order_to_itself(self, house: House) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        with pytest.raises(Refused):
            house.floor.seal_deck("seal", "T", "red")
        order, salts = tuple(range(51, -1, -1)), tuple(f"{n:064x}" for n in range(52))
        with pytest.raises(Refused):
            house.floor.ask(
                "seal it",
                STAFF.dealer,
                "T",
                a.SealDeck(deck="red", order=order, salts=salts, word="ab" * 32),
            )
        stored = "\n".join("\t".join(map(str, row)) for row in house.floor.ledger.read_all())
        for secret in (*_spellings(order, salts[40:]), "ab" * 32):
            assert secret not in stored

    # ------------------------------------------------------------ no ledger

    def test_nothing_is_told_without_a_ledger_and_the_same_command_goes_through_later(
        self, house: House, place: str, outage: Callable[[Ledger], None]
    ) -> None:
        house.open_table("T", submitted(BOOK, "T", LINK))
        floor = house.floor
        play_to_coin_in(house)
        before = floor.ledger.head()
        outage(floor.ledger)
        for _ in range(2):
            with pytest.raises(LedgerUnavailable):
                floor.ask("coin in", DANA, "T", p.CoinIn())
        for read in (lambda: floor.link(LINK), lambda: floor.station("T"), floor.ledger.head):
            with pytest.raises(LedgerUnavailable):
                read()
        self.bring_back()
        with open_ledger(place) as back:
            assert back.head() == before
            later = floor_on(back)
            assert not later.ask("coin in", DANA, "T", p.CoinIn()).repeated
            assert later.ask("coin in", DANA, "T", p.CoinIn()).repeated
            assert later.link(LINK).totals.contributions == 2 * 100 * RATE_BP

    def bring_back(self) -> None:
        """The database is there again."""


def overtake(ledger: Ledger, first: Callable[[], Answer]) -> list[Answer]:
    """Something else happens right before the first time that a table is read for a command."""
    read = ledger.read
    told: list[Answer] = []

    def overtaken(stream: str, after_version: int = 0) -> list[Row]:
        if not told and stream.startswith(TABLE):
            told.append(first())
        return read(stream, after_version)

    ledger.read = overtaken  # type: ignore[method-assign]
    return told


def _sealed_deck(floor: Floor) -> tuple[tuple[int, ...], tuple[str, ...]] | None:
    for deck in floor.station("T").day.decks.values():
        if deck.sealed is not None:
            return deck.sealed.order, deck.sealed.salts
    return None


def _cards_are_hidden(floor: Floor) -> bool:
    day = floor.station("T").day
    return not day.in_round or day.playing.phase not in ("settling", "over", "void")


def _spellings(order: tuple[int, ...], salts: tuple[str, ...]) -> Iterator[str]:
    """A deck in the ways in which somebody could write it by mistake, and what opens it."""
    for start in range(len(order) - 2):
        cards = order[start : start + 3]
        texts = [show_card(card) for card in cards]
        for glue in (",", ", ", " ", '","', '", "', ""):
            yield glue.join(texts)
        for glue in (",", ", "):
            yield glue.join(map(str, cards))
    raw = bytes(order)
    for start in range(len(raw) - 6):
        yield raw[start : start + 6].hex()
    for shift in range(3):
        yield base64.b64encode(raw[shift : shift + 48]).decode()
        yield base64.urlsafe_b64encode(raw[shift : shift + 48]).decode()
    yield from salts


def _readable_orders(ledger: Ledger, table: str) -> list[tuple[int, ...]]:
    """The orders that anybody can read who has the released keys and no secret."""
    lines = [line for row in ledger.read(TABLE + table) for line in lines_of(row.body)]
    keys = {line.commitment: line.key for line in lines if isinstance(line, KeyReleased)}
    orders = []
    for line in lines:
        if isinstance(line, SealedEntry):
            entry = unsealed(line, table, RoundKey.read(keys[line.commitment]))
            if isinstance(entry.action, a.SealDeck):
                orders.append(entry.action.order)
    return orders
