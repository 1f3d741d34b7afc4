"""Explanations add up, in rounds played at random."""

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
from riverboat.round.incidents import IRREGULARITIES, KNOWN
from riverboat.round.settlement.payment import remaining
from riverboat.round.setup.choices import Raw
from riverboat.round.streets import card_counts, deal_out, seat_to_act, stage_of
from riverboat.rulebook.options import Choice, Flag
from riverboat.rulebooks import load, rulebook_ids
from riverboat.wording.explaining import Explanation, explain

ROUNDS = 1500
PLACES = ("community", "six_card_box", "dealer")


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
