"""The coach: after a round each decision costs what the live advice said it would, from what the
seat knew then and nothing else."""

import time
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from riverboat.core.cards import DECK, Card, parse_cards
from riverboat.exact.questions.advice import advice_to, decisions_of
from riverboat.floor.autopilot import Manners, attend, next_doing
from riverboat.round import actions as g
from riverboat.round import play as play_on
from riverboat.round import set_up
from riverboat.round.events import RoundVoided
from riverboat.round.state import Round
from riverboat.rulebooks import load
from riverboat.web.api.mathematics import solved_with
from riverboat.web.demo.tables import demo_tables
from riverboat.web.house import House
from riverboat.web.rounds.coaching import SeatAdvice, advised, costs
from riverboat.web.rounds.story import finished_round
from tests.web.playing import MOST_STEPS, give_money, people
from tests.web.running import Client, Server, new_house, sqlite_url
from tests.web.test_standing_in import look

pytestmark = pytest.mark.slow

ROUNDS = 4
GAMES = ["house-demo", "iowa-catfish-bend", "island-stud"]
Live = dict[tuple[int, int], list[tuple[str, SeatAdvice]]]
"""By round and seat: what was chosen, and what the coach had said of it."""


def played(house: House, rulebook: str) -> tuple[str, Live]:
    """Rounds by people who decide by lot, and what the coach said to each of them."""
    table = next(one for one in demo_tables(house.floor) if one.rulebook == rulebook)
    house.open_demo(table)
    give_money(house, ("Ann", "Ben"), 50_000_00)
    live: Live = {}
    for step in range(MOST_STEPS):
        day = house.floor.station(table.name).day
        if day.round_number >= ROUNDS and not day.in_round:
            return table.name, live
        manners = Manners(seed=f"coach {rulebook}", fold=25)
        doing = next_doing(house.floor, table.name, people("Ann", "Ben"), manners)
        assert doing is not None
        if isinstance(doing.ask, g.Bet | g.Fold):
            seat, state = doing.ask.seat, day.playing
            bet = doing.ask.cents if isinstance(doing.ask, g.Bet) else None
            chosen = "fold" if bet is None else f"{bet // state.seats[seat].wagers['ante']}x"
            live.setdefault((day.round_number, seat), []).append((chosen, advised(state, seat)))
        attend(house.floor, f"coach {step}", table.name, doing)
    raise AssertionError("the rounds do not end")


@pytest.mark.slow
@pytest.mark.parametrize("rulebook", GAMES)
def test_after_the_round_it_costs_what_the_live_advice_said(tmp_path: Path, rulebook: str) -> None:
    house = new_house(sqlite_url(tmp_path))
    table, live = played(house, rulebook)
    assert {number for number, _ in live} == set(range(1, ROUNDS + 1))
    for (number, seat), said in live.items():
        state = finished_round(house.floor, table, number)
        assert state is not None
        found = costs(state, seat)
        assert [(one.choice, one.spot, one.best) for one in found.decisions] == [
            (chosen, advice.spot, advice.best) for chosen, advice in said
        ]
        total = Fraction(0)
        for one, (chosen, advice) in zip(found.decisions, said, strict=True):
            assert one.choices == advice.choices
            values = {name: Fraction(worth.antes) for name, worth in advice.choices.items()}
            lost = max(values.values()) - values[chosen]
            assert one.cost is not None
            assert Fraction(one.cost.antes) == lost
            total += lost
        assert found.cost is not None
        assert Fraction(found.cost.antes) == total
    house.close()


def other_cards(state: Round, seat: int) -> Round:
    """The same round for a seat that may know no more: all other cards are others."""
    own = state.seats[seat]
    up, turned = state.up_cards, state.turned
    known = {*own.cards, *state.community[:turned], *state.dealer[:up]}
    left: Iterator[Card] = iter(sorted(set(DECK) - known, reverse=True))

    def drawn(cards: tuple[Card, ...], open_: int) -> tuple[Card, ...]:
        return (*cards[:open_], *(next(left) for _ in cards[open_:]))

    others = {
        number: one if number == seat else replace(one, cards=drawn(one.cards, 0))
        for number, one in state.seats.items()
    }
    community, dealer = drawn(state.community, turned), drawn(state.dealer, up)
    return replace(state, seats=others, community=community, dealer=dealer)


@pytest.mark.slow
@pytest.mark.parametrize("rulebook", GAMES)
def test_no_card_counts_that_the_seat_did_not_know(tmp_path: Path, rulebook: str) -> None:
    house = new_house(sqlite_url(tmp_path))
    table, live = played(house, rulebook)
    judged = 0
    for number, seat in live:
        state = finished_round(house.floor, table, number)
        assert state is not None
        for decision in decisions_of(state, seat):
            changed = other_cards(decision.before, seat)
            assert changed != decision.before
            assert advice_to(changed, seat) == advice_to(decision.before, seat)
            judged += 1
    assert judged >= 2 * ROUNDS
    house.close()


# ---------------------------------------------------------------- in words


def decided(rulebook: str, cards: dict[str, str], *bets: str, **options: Any) -> Round:
    """One seat with an ante of $10 that bets so many cents, or folds, until nothing is left."""
    state = Round(setup=set_up(load(rulebook).book, options))
    places = {place: parse_cards(text) for place, text in cards.items()}
    begun = (g.Wager(seat=1, spot="ante", cents=1000), g.CloseBets(), g.Deal(places=places))
    for action in begun:
        state = play_on(state, action)
    for bet in bets:
        done = g.Fold(seat=1) if bet == "fold" else g.Bet(seat=1, cents=int(bet))
        state = play_on(state, done)
        if state.phase == "turning":
            state = play_on(state, g.Turn())
    return state


def words(state: Round) -> list[str]:
    """What is said of each decision, and of all."""
    found = costs(state, 1)
    return [*(one.words for one in found.decisions), found.words]


NINE_FOUR = {"1": "9h 4d", "community": "2c 3s Kd"}
ACE_KING = {"1": "Ah Kd 2c 3c 4d", "dealer": "5d 9h Jc 2s 7s"}


def test_each_decision_and_their_sum_in_words() -> None:
    assert words(decided("house-demo", NINE_FOUR, "1000", "fold")) == [
        "3rd street: you bet 1x; folding was better by $3.90",
        "4th street: you folded, the best choice",
        "your decisions cost $3.90 on average against the best play",
    ]
    assert words(decided("house-demo", NINE_FOUR, "fold")) == [
        "3rd street: you folded, the best choice",
        "your decision was the best one",
    ]
    assert words(decided("island-stud", ACE_KING, "fold")) == [
        "you folded; betting 2x was better by $2.75",
        "your decision cost $2.75 on average against the best play",
    ]
    assert words(decided("island-stud", ACE_KING, "2000"))[0] == "you bet 2x, the best choice"
    assert words(decided("house-demo", NINE_FOUR)) == ["there was nothing to decide"]


def test_a_void_round_cost_nothing() -> None:
    state = decided("house-demo", NINE_FOUR, "3000")
    void = replace(state, history=(*state.history, RoundVoided(reason="fouled_deck")))
    found = costs(void, 1)
    assert found.decisions == []
    assert found.words.startswith("the round is void")


def test_a_bet_between_the_multiples_has_no_figure_and_later_ones_have() -> None:
    between: dict[str, Any] = {"allow_fractional_multiples": True, "wager_unit": "0.50"}
    found = costs(decided("iowa-catfish-bend", NINE_FOUR, "1550", "1000", **between), 1)
    first, after = found.decisions
    assert first.cost is None
    assert "you bet $15.50, between the multiples" in first.words
    assert found.cost is None
    assert after.cost is not None
    assert after.choices["fold"].antes == "-51/20"


# ---------------------------------------------------------------- asked for


def play_first_hand(server: Server, client: Client) -> str:
    """A visitor's first hand: the largest bet once, then a fold; until it is over."""
    table: str = client.post("/api/first-hand").json()["table"]
    deadline = time.monotonic() + 60
    decided_ = 0
    with look(server, client, table):
        while time.monotonic() < deadline:
            frame = client.get(f"/api/tables/{table}").json()
            if frame["round_number"] > 1 or (frame["round"] or {}).get("phase") == "over":
                return table
            decide = frame["you"].get("decide")
            if decide and frame["at"]:
                seat, cents = frame["you"]["seat"], decide["bets"][-1]["cents"]
                action: dict[str, Any] = {"do": "bet", "seat": seat, "cents": cents}
                if decided_:
                    action = {"do": "fold", "seat": seat}
                decided_ += client.command(table, **action).status_code == 200
            time.sleep(0.02)
    raise AssertionError("the hand is not over")


def test_a_visitor_asks_what_the_first_hand_cost_at_any_time_later(floor_server: Server) -> None:
    visitor, other = floor_server.client("visitor"), floor_server.client("visitor")
    table = play_first_hand(floor_server, visitor)
    path = f"/api/tables/{table}/rounds/1/coach"
    answer = visitor.get(path)
    assert answer.status_code == 200, answer.text
    (seat,) = answer.json()["seats"]
    assert [one["choice"] for one in seat["decisions"]] == ["3x", "fold"]
    assert seat["words"]
    assert other.get(path).status_code == 404, "a visitor's table is nobody else's"
    assert visitor.get(f"/api/tables/{table}/rounds/99/coach").status_code == 404
    assert visitor.get(f"/api/tables/{table}/rounds/0/coach").status_code == 400


def test_an_earlier_round_of_ones_own_explains_itself_again(floor_server: Server) -> None:
    visitor, other = floor_server.client("visitor"), floor_server.client("visitor")
    table = play_first_hand(floor_server, visitor)
    path = f"/api/tables/{table}/explain?round=1"
    told = visitor.get(path).json()
    assert told["results"]
    assert told["seen"]["phase"] == "over"
    own = told["seen"]["seats"][str(told["seat"])]
    assert own["net_cents"] == sum(one["net_cents"] for one in told["results"])
    assert other.get(path).status_code in (403, 404)
    assert visitor.get(f"/api/tables/{table}/explain?round=77").status_code == 404


# ---------------------------------------------------------------- a line pulled up and down


def test_a_line_can_be_pulled_to_odds_to_more_than_one() -> None:
    asked = "iowa-catfish-bend"
    whole, half = solved_with(asked, 6, 3), solved_with(asked, 6, 5, 2)
    same = solved_with(asked, 6, 6, 2)
    assert (whole.pays, half.pays, same.pays) == ("3 to 1", "5 to 2", "6 to 2")
    assert same.house_edge_exact == whole.house_edge_exact
    assert half.house_edge > whole.house_edge
    assert solved_with(asked, 6, -1, 2).pays == "lose"
