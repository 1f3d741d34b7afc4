"""Hidden unless shown: which cards a seat, the dealer and the rail see, from deal to end."""

from typing import Any

from msgspec import json
from msgspec.structs import replace

from riverboat.core.cards import parse_cards
from riverboat.meter.amounts import meter_of
from riverboat.round import Round, apply, open_round, play, set_up
from riverboat.round import actions as a
from riverboat.round.settlement.payment import remaining
from riverboat.round.views import Viewer, view
from riverboat.rulebooks import load

Raw = str | bool | int


def after(state: Round, *actions: a.AnyAction) -> Round:
    for action in actions:
        state = play(state, action)
    return state


def dealt(
    name: str, bets: dict[int, dict[str, int]], cards: dict[str, str], **choices: Raw
) -> Round:
    state = open_round(set_up(load(name).book, choices), meter_of(5_000_000))
    for seat, spots in bets.items():
        for spot, cents in spots.items():
            state = play(state, a.Wager(seat=seat, spot=spot, cents=cents, player=f"P{seat}"))
    state = play(state, a.CloseBets())
    if state.setup.progressive is not None:
        chips = sum("progressive" in spots for spots in bets.values())
        state = after(state, a.LockProgressive(), a.CollectProgressive(chips=chips))
    return play(state, a.Deal(places={place: parse_cards(text) for place, text in cards.items()}))


def bet(*seats: int) -> list[a.AnyAction]:
    return [a.Bet(seat=seat, cents=1000) for seat in seats]


def settle_next(state: Round) -> Round:
    due = remaining(state)[0]
    return play(state, a.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents))


def hand(state: Round, viewer: Viewer, seat: int) -> str:
    """What a viewer sees of a seat's cards; ?? is a card face down."""
    return text(view(state, viewer).seats[seat].cards)


def text(cards: Any) -> str:
    return " ".join(card or "??" for card in cards)


def two_seats(**choices: Raw) -> Round:
    bets = {1: {"ante": 1000}, 2: {"ante": 1000}}
    cards = {"1": "Kd 2c", "2": "9h 8h", "community": "Qh Jh Th"}
    return dealt("maryland-2014", bets, cards, **choices)


def test_hole_cards_are_seen_by_their_seat_alone() -> None:
    state = two_seats()
    assert hand(state, 1, 1) == "Kd 2c"
    assert hand(state, 2, 2) == "9h 8h"
    others: tuple[tuple[Viewer, int], ...] = ((1, 2), (2, 1), ("dealer", 1), (None, 2))
    for viewer, seat in others:
        assert hand(state, viewer, seat) == "?? ??"


def test_community_cards_are_seen_as_they_are_turned() -> None:
    state = two_seats()
    seen = [text(view(state, 1).community)]
    for _ in range(3):
        state = after(state, *bet(1, 2), a.Turn())
        seen.append(text(view(state, 1).community))
    assert seen == ["?? ?? ??", "Qh ?? ??", "Qh Jh ??", "Qh Jh Th"]


def test_hands_are_turned_over_one_at_a_time_from_the_dealers_right() -> None:
    state = two_seats()
    for _ in range(3):
        state = after(state, *bet(1, 2), a.Turn())
    assert (hand(state, None, 2), hand(state, None, 1)) == ("9h 8h", "?? ??")
    while remaining(state)[0].seat == 2:
        assert hand(state, None, 1) == "?? ??"
        state = settle_next(state)
    assert (hand(state, None, 2), hand(state, None, 1)) == ("9h 8h", "Kd 2c")


def test_a_hand_that_is_settled_out_of_order_is_seen() -> None:
    state = two_seats()
    for _ in range(3):
        state = after(state, *bet(1, 2), a.Turn())
    state = play(state, a.Settle(seat=1, spot="ante", given_cents=0))
    assert hand(state, 2, 1) == "Kd 2c"


def test_a_mucked_hand_is_never_seen_by_others() -> None:
    state = play(two_seats(), a.Fold(seat=1))
    for _ in range(3):
        state = after(state, *bet(2), a.Turn())
    state = after(state, a.SettleAll(), a.Close())
    assert hand(state, 2, 1) == "?? ??"
    assert hand(state, None, 1) == "?? ??"
    assert hand(state, 1, 1) == "Kd 2c"
    assert hand(state, None, 2) == "9h 8h"


def test_a_hand_kept_for_the_community_cards_alone_stays_hidden() -> None:
    bets = {1: {"ante": 1000, "three_card_bonus": 500}}
    cards = {"1": "Kd 2c", "community": "Qh Jh Th"}
    state = dealt("iowa-catfish-bend", bets, cards, three_card_bonus="IA-CB-3CB")
    state = after(state, a.Fold(seat=1), a.Turn(), a.SettleAll(), a.Close())
    assert state.seats[1].net_cents > 0
    assert state.seats[1].cards_kept
    assert hand(state, None, 1) == "?? ??"


def folded_with_a_progressive(rulebook: str, **table: str) -> Round:
    """Seat 1 has folded a hand with a progressive wager; seat 2 has played to the end."""
    bets = {1: {"ante": 1000, "progressive": 100}, 2: {"ante": 1000}}
    cards = {"1": "Kd 2c", "2": "9h 8h", "community": "Qh Jh Th"}
    state = play(dealt(rulebook, bets, cards, **table), a.Fold(seat=1))
    for _ in range(3):
        state = after(state, *bet(2), a.Turn())
    return state


def test_a_folded_hand_is_seen_when_the_progressive_that_it_decides_comes_up() -> None:
    state = folded_with_a_progressive("south-dakota-2011", progressive="SD-2011-PROG-MS-Stud-01")
    while remaining(state)[0].spot != "progressive":
        assert hand(state, None, 1) == "?? ??"
        state = settle_next(state)
    assert hand(state, None, 1) == "Kd 2c"


def test_a_forfeited_progressive_does_not_show_a_folded_hand() -> None:
    state = folded_with_a_progressive("maryland-2014", progressive_wager="1")
    assert hand(play(state, a.SettleAll()), None, 1) == "?? ??"


def box_round(reveal: str) -> Round:
    bets = {1: {"ante": 1000, "three_card_bonus": 100, "six_card_bonus": 100}}
    cards = {"1": "Kd 2c", "community": "Qh Jh Th", "box": "3c 4c 5c 6c"}
    state = dealt(
        "maryland-2014",
        bets,
        cards,
        three_card_bonus="MD-2014-3CB-A",
        six_card_bonus="MD-2014-6CB-A",
        six_card_reveal=reveal,
    )
    for _ in range(3):
        assert text(view(state, 1).box) == "?? ?? ?? ??"
        state = after(state, *bet(1), a.Turn())
    return state


def test_the_box_is_seen_when_settlement_begins() -> None:
    assert text(view(box_round("settlement_start"), None).box) == "3c 4c 5c 6c"


def test_the_box_is_seen_after_the_base_game_where_that_is_the_rule() -> None:
    state = box_round("after_base")
    while remaining(state)[0].spot != "six_card_bonus":
        assert text(view(state, None).box) == "?? ?? ?? ??"
        state = settle_next(state)
    assert text(view(settle_next(state), None).box) == "3c 4c 5c 6c"
    assert text(view(play(state, a.SettleAll()), None).box) == "3c 4c 5c 6c"


def test_the_dealer_shows_one_card_until_all_have_decided() -> None:
    cards = {"1": "Kd 2c 3c 4c 6c", "dealer": "9h 8h 2d 3d 4d"}
    state = dealt("island-stud", {1: {"ante": 1000}}, cards)
    viewers: tuple[Viewer, ...] = (1, "dealer", None)
    for viewer in viewers:
        assert text(view(state, viewer).dealer) == "9h ?? ?? ?? ??"
    state = after(state, a.Bet(seat=1, cents=2000), a.Turn())
    assert text(view(state, 1).dealer) == "9h 8h 2d 3d 4d"


def test_a_dealers_hand_that_nobody_plays_against_stays_hidden() -> None:
    cards = {"1": "Kd 2c 3c 4c 6c", "dealer": "9h 8h 2d 3d 4d"}
    state = dealt("island-stud", {1: {"ante": 1000}}, cards)
    state = after(state, a.Fold(seat=1), a.Turn(), a.Close())
    assert text(view(state, 1).dealer) == "9h ?? ?? ?? ??"


def test_a_void_round_shows_no_more_than_was_shown_before() -> None:
    state = two_seats()
    for _ in range(3):
        state = after(state, *bet(1, 2), a.Turn())
    void = play(state, a.Incident(what="wrong_card_count"))
    assert (hand(void, None, 2), hand(void, None, 1)) == ("9h 8h", "?? ??")


def test_chips_phase_turn_and_the_meters_sign_lie_open_to_all() -> None:
    bets = {1: {"ante": 1000, "progressive": 100}, 2: {"ante": 1000}}
    cards = {"1": "Kd 2c", "2": "9h 8h", "community": "Qh Jh Th"}
    state = dealt("maryland-2014", bets, cards, progressive_wager="1")
    state = play(state, *bet(1))
    seen = view(state, None)
    assert (seen.phase, seen.turn, seen.decision) == ("deciding", 2, "third")
    assert seen.meter_cents == 5_000_021
    assert seen.seats[1].wagers_cents == {"ante": 1000, "third": 1000}
    assert seen.seats[1].progressive_lit
    assert seen.seats[1].player == "P1"
    assert seen.seats[2].results_cents == {"ante": -1000}
    assert replace(view(state, "dealer"), viewer="rail") == seen


def test_nobody_is_to_act_between_the_events_of_the_last_reveal() -> None:
    """A table that draws itself after every event must not ask for a fourth street bet."""
    state = two_seats()
    for _ in range(2):
        state = after(state, *bet(1, 2), a.Turn())
    state = after(state, *bet(1, 2))
    for event in play(state, a.Turn()).history[len(state.history) :]:
        state = apply(state, event)
        assert view(state, 1).turn is None


def test_a_view_can_be_written_as_json() -> None:
    seen = view(two_seats(), 1)
    assert json.decode(json.encode(seen))["seats"]["1"]["cards"] == ["Kd", "2c"]
