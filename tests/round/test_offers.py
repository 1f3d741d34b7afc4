"""What is offered is what the engine accepts: bounds on both sides, who may ask, and when."""

from typing import get_args

import pytest
from msgspec.structs import fields

from riverboat.core.cards import DECK, parse_cards
from riverboat.core.errors import RiverboatError
from riverboat.core.records import Action
from riverboat.round import Round, open_round, play, set_up, step
from riverboat.round import actions as a
from riverboat.round import events as e
from riverboat.round.legal import (
    Cards,
    Choice,
    Offer,
    Range,
    Text,
    allows,
    betting_areas,
    least_of,
    legal,
)
from riverboat.round.setup.setup import SetupRefused
from riverboat.round.streets import card_counts
from riverboat.rulebooks import load, rulebook_ids

Raw = str | bool | int


def table(name: str, **choices: Raw) -> Round:
    return open_round(set_up(load(name).book, choices))


def after(state: Round, *actions: a.AnyAction) -> Round:
    for action in actions:
        state = play(state, action)
    return state


def ante(seat: int, cents: int = 1000, player: str = "") -> a.Wager:
    return a.Wager(seat=seat, spot="ante", cents=cents, player=player)


def wager(seat: int, spot: str, cents: int, player: str = "") -> a.Wager:
    return a.Wager(seat=seat, spot=spot, cents=cents, player=player)


def some_deal(state: Round) -> a.Deal:
    deck = iter(DECK)
    counts = card_counts(state.setup, sorted(state.seats))
    return a.Deal(
        places={place: tuple(next(deck) for _ in range(n)) for place, n in counts.items()}
    )


def at_third_street(name: str, seats: int = 2, **choices: Raw) -> Round:
    state = after(table(name, **choices), *(ante(seat) for seat in range(1, seats + 1)))
    state = play(state, a.CloseBets())
    return play(state, some_deal(state))


def settling(name: str, **choices: Raw) -> Round:
    state = at_third_street(name, 1, **choices)
    for _ in range(3):
        state = after(state, a.Bet(seat=1, cents=1000), a.Turn())
    return state


def offered(state: Round, kind: type[Action]) -> list[Offer]:
    return [offer for offer in legal(state) if offer.kind is kind]


def agreed(state: Round, action: a.AnyAction) -> bool:
    """Whether an action is offered, which must be what the engine says too."""
    try:
        step(state, action)
        done = True
    except RiverboatError:
        done = False
    assert allows(legal(state), action) == done, action
    return done


# ---------------------------------------------------------------- bounds


def test_a_range_holds_the_multiples_of_its_unit_between_both_ends() -> None:
    bounds = Range(250, 1000, 250)
    held = [n for n in range(-1000, 2000) if bounds.holds(n)]
    assert held == [250, 500, 750, 1000]
    assert [n for n in range(-3, 3) if Range(None, -1).holds(n)] == [-3, -2, -1]
    assert not bounds.holds("250")


def test_free_text_is_anything_but_what_is_excluded() -> None:
    names = Text(not_these=("Ann",))
    assert [names.holds(name) for name in ("", "Ann", "Bo")] == [True, False, True]
    assert [Text(required=True).holds(reason) for reason in ("", "miscount")] == [False, True]
    assert not names.holds(3)


@pytest.mark.parametrize(
    ("places", "held"),
    [
        ({"1": (0, 1), "community": (2, 3, 4)}, True),
        ({"1": (0, 1), "community": (2, 3, 0)}, False),
        ({"1": (0, 1), "community": (2, 3, 52)}, False),
        ({"1": (0, 1), "community": (2, 3)}, False),
        ({"1": (0, 1)}, False),
        ({"1": (0, 1), "community": (2, 3, 4), "2": (5, 6)}, False),
        ((0, 1), False),
    ],
)
def test_cards_are_different_ones_of_a_deck_and_as_many_as_each_place_gets(
    places: object, held: bool
) -> None:
    assert Cards({"1": 2, "community": 3}).holds(places) is held


def test_every_offer_bounds_every_argument_of_its_action() -> None:
    states = [
        table("south-dakota-3cb"),
        after(table("south-dakota-3cb"), ante(1)),
        at_third_street("south-dakota-3cb"),
        settling("south-dakota-3cb"),
    ]
    for offer in [offer for state in states for offer in legal(state)]:
        assert set(offer.arguments) == {field.name for field in fields(offer.kind)}


def test_every_kind_of_action_is_offered_somewhere() -> None:
    with_progressive = after(
        table("south-dakota-3cb", progressive="SD-3CB-PROG-MS-Stud-01"), ante(1)
    )
    states = [
        with_progressive,
        closed := play(with_progressive, a.CloseBets()),
        locked := play(closed, a.LockProgressive()),
        play(locked, a.CollectProgressive(chips=0)),
        street := at_third_street("south-dakota-3cb", 1),
        play(street, a.Fold(seat=1)),
        settling("south-dakota-3cb"),
        play(settling("south-dakota-3cb"), a.SettleAll()),
    ]
    kinds = {offer.kind for state in states for offer in legal(state)}
    assert kinds == set(get_args(a.AnyAction))


# ---------------------------------------------------------------- betting


def test_an_ante_is_one_offer_with_its_limits() -> None:
    state = table("south-dakota-3cb", minimum="5", wager_unit="0.25", seats=3)
    offers = offered(state, a.Wager)
    assert [offer.actor for offer in offers] == [1, 2, 3]
    assert offers[0].arguments == {
        "seat": Choice((1,)),
        "spot": Choice(("ante",)),
        "cents": Range(500, 2500, 25),
        "player": Text(),
        "instrument": Text(),
        "seal": Text(),
    }


@pytest.mark.parametrize(
    ("cents", "good"),
    [(499, False), (500, True), (501, True), (2499, True), (2500, True), (2501, False), (0, False)],
)
def test_limits_are_the_same_for_offer_and_engine(cents: int, good: bool) -> None:
    assert agreed(table("south-dakota-3cb", minimum="5"), ante(1, cents)) is good


@pytest.mark.parametrize(("cents", "good"), [(500, False), (600, True), (700, False), (2400, True)])
def test_limits_are_rounded_to_the_wager_unit(cents: int, good: bool) -> None:
    state = table("south-dakota-3cb", minimum="5", wager_unit="6")
    assert offered(state, a.Wager)[0].arguments["cents"] == Range(600, 2400, 600)
    assert agreed(state, ante(1, cents)) is good


def test_a_unit_that_leaves_one_amount_offers_it_and_one_that_leaves_none_makes_no_table() -> None:
    state = table("south-dakota-3cb", minimum="5", maximum="7", wager_unit="7")
    assert offered(state, a.Wager)[0].arguments["cents"] == Range(700, 700, 700)
    assert agreed(state, ante(1, 700))
    with pytest.raises(SetupRefused, match="there is no such bet"):
        table("south-dakota-3cb", minimum="5", maximum="6.99", wager_unit="7")


def test_a_side_bet_is_offered_only_after_the_bets_it_needs() -> None:
    choices = {"three_card_bonus": "MD-2014-3CB-A", "six_card_bonus": "MD-2014-6CB-A"}

    def spots(state: Round) -> list[object]:
        found = [offer.arguments["spot"] for offer in offered(state, a.Wager) if offer.actor == 1]
        return [bounds.values[0] for bounds in found if isinstance(bounds, Choice)]

    state = table("maryland-2014", **choices)
    assert spots(state) == ["ante"]
    state = play(state, ante(1))
    assert spots(state) == ["three_card_bonus"]
    state = play(state, wager(1, "three_card_bonus", 100))
    assert spots(state) == ["six_card_bonus"]
    assert spots(play(state, wager(1, "six_card_bonus", 100))) == []


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_areas_of_a_table_are_what_can_be_laid_one_after_the_other(name: str) -> None:
    book = load(name).book
    choices: dict[str, Raw] = {offer.bet: offer.paytables[0] for offer in book.side_bets}
    state = table(name, **choices)
    found: dict[str, object] = {}
    while left := [o for o in offered(state, a.Wager) if o.actor == 1 and not _is_tip(o)]:
        spot, amounts = left[0].arguments["spot"], left[0].arguments["cents"]
        assert isinstance(spot, Choice)
        assert isinstance(amounts, Choice | Range)
        found[str(spot.values[0])] = amounts
        state = play(state, wager(1, str(spot.values[0]), least_of(amounts)))
    assert betting_areas(state.setup) == found


def _is_tip(offer: Offer) -> bool:
    spot = offer.arguments["spot"]
    assert isinstance(spot, Choice)
    return str(spot.values[0]).startswith("tip_")


@pytest.mark.parametrize(("cents", "good"), [(99, False), (100, True), (101, False), (200, False)])
def test_a_progressive_wager_is_exactly_the_schedules(cents: int, good: bool) -> None:
    state = after(table("maryland-2014", progressive_wager="1"), ante(1))
    assert agreed(state, wager(1, "progressive", cents)) is good


@pytest.mark.parametrize(
    ("counts", "cents", "good"),
    [(True, 500, True), (True, 501, False), (False, 2500, True), (False, 2501, False)],
)
def test_a_tip_has_the_room_that_the_ante_leaves_it_or_as_much_as_an_ante(
    counts: bool, cents: int, good: bool
) -> None:
    state = after(table("south-dakota-2011", tip_counts_in_ante_limit=counts), ante(1, 2000))
    assert agreed(state, wager(1, "tip_ante", cents)) is good


@pytest.mark.parametrize(
    ("most", "cents", "good"),
    [("25", 2500, True), ("25", 2501, False), ("10", 1000, True), ("10", 1001, False)],
)
@pytest.mark.parametrize("counts", [True, False])
def test_a_tip_on_the_three_card_bonus_is_at_most_that_bonuss_maximum(
    most: str, cents: int, good: bool, counts: bool
) -> None:
    opened = table(
        "south-dakota-3cb",
        three_card_bonus="SD-3CB-3CB-A",
        three_card_maximum=most,
        tip_counts_in_ante_limit=counts,
    )
    state = after(opened, ante(1, 2500), wager(1, "three_card_bonus", 100))
    assert agreed(state, wager(1, "tip_three_card_bonus", cents)) is good


def test_at_a_table_without_a_maximum_the_tip_has_none_either() -> None:
    state = after(table("maryland-2014", tip_wagers=True), ante(1))
    assert agreed(state, wager(1, "tip_ante", 10**9))


def test_no_tip_is_offered_beside_an_ante_at_its_limit() -> None:
    state = after(table("south-dakota-2011", seats=1), ante(1, 2500))
    assert offered(state, a.Wager) == []
    assert not agreed(state, wager(1, "tip_ante", 1))


@pytest.mark.parametrize(
    ("instrument", "good"), [("chip", True), ("plaque", True), ("verbal_with_cash", False)]
)
def test_a_wager_is_made_with_what_the_rulebook_allows(instrument: str, good: bool) -> None:
    asked = a.Wager(seat=1, spot="ante", cents=1000, instrument=instrument)
    assert agreed(table("maryland-2014"), asked) is good
    assert agreed(table("south-dakota-2011"), asked)


def test_who_already_has_a_seat_is_not_offered_another() -> None:
    state = after(table("maryland-2014"), ante(1, player="Ann"))
    elsewhere = next(offer for offer in offered(state, a.Wager) if offer.actor == 2)
    assert elsewhere.arguments["player"] == Text(not_these=("Ann",))
    assert not agreed(state, ante(2, player="Ann"))
    assert agreed(state, ante(2, player="Bo"))
    assert agreed(state, ante(2))


def test_two_positions_are_offered_where_the_table_allows_two() -> None:
    state = after(table("island-stud", max_positions_per_player=2), ante(1, player="Ann"))
    assert agreed(state, ante(2, player="Ann"))
    assert not agreed(play(state, ante(2, player="Ann")), ante(3, player="Ann"))


def test_a_side_bet_is_its_own_players() -> None:
    state = after(table("island-stud", bonus="IS-01"), ante(1, player="Ann"))
    assert agreed(state, wager(1, "bonus", 100))
    assert agreed(state, wager(1, "bonus", 100, "Ann"))
    assert not agreed(state, wager(1, "bonus", 100, "Bo"))


def test_a_name_given_with_a_later_bet_counts_as_a_position_too() -> None:
    state = after(table("island-stud", bonus="IS-01"), ante(1, player="Ann"), ante(2))
    assert not agreed(state, wager(2, "bonus", 100, "Ann"))
    assert agreed(state, wager(2, "bonus", 100, "Bo"))


def test_chips_can_be_taken_back_until_betting_closes() -> None:
    state = after(table("maryland-2014"), ante(1))
    assert agreed(state, a.TakeBack(seat=1, spot="ante"))
    assert not agreed(state, a.TakeBack(seat=1, spot="third"))
    assert not agreed(state, a.TakeBack(seat=2, spot="ante"))
    assert not agreed(play(state, a.CloseBets()), a.TakeBack(seat=1, spot="ante"))


def test_betting_closes_only_when_somebody_has_bet() -> None:
    assert not agreed(table("maryland-2014"), a.CloseBets())
    assert agreed(after(table("maryland-2014"), ante(1)), a.CloseBets())


@pytest.mark.parametrize(("chips", "good"), [(-1, False), (0, True), (1, True), (7, True)])
def test_any_number_of_chips_can_be_counted(chips: int, good: bool) -> None:
    state = after(table("maryland-2014", progressive_wager="1"), ante(1), a.CloseBets())
    assert not agreed(state, a.CollectProgressive(chips=chips))
    assert agreed(play(state, a.LockProgressive()), a.CollectProgressive(chips=chips)) is good


# ---------------------------------------------------------------- deal and decisions


def test_the_deal_is_offered_with_the_number_of_cards_of_every_place() -> None:
    choices = {"three_card_bonus": "MD-2014-3CB-A", "six_card_bonus": "MD-2014-6CB-A"}
    state = after(table("maryland-2014", **choices), ante(2), ante(5), a.CloseBets())
    (offer,) = offered(state, a.Deal)
    assert offer.actor == "dealer"
    assert offer.arguments == {"places": Cards({"2": 2, "5": 2, "community": 3, "box": 4})}
    good = some_deal(state)
    assert agreed(state, good)
    assert not agreed(state, a.Deal(places={**good.places, "box": parse_cards("2c 3c 4c 5c")}))
    assert not agreed(state, a.Deal(places={**good.places, "1": parse_cards("Ah Kh")}))


def test_only_the_seat_whose_turn_it_is_may_decide() -> None:
    state = at_third_street("maryland-2014")
    assert [offer.actor for offer in offered(state, a.Fold)] == [1]
    assert agreed(state, a.Fold(seat=1))
    assert not agreed(state, a.Fold(seat=2))
    assert not agreed(state, a.Bet(seat=2, cents=1000))
    assert not agreed(state, a.Turn())


@pytest.mark.parametrize(
    ("fractional", "cents", "good"),
    [
        (False, 999, False),
        (False, 1000, True),
        (False, 1500, False),
        (False, 3000, True),
        (False, 4000, False),
        (True, 999, False),
        (True, 1000, True),
        (True, 1500, True),
        (True, 1501, False),
        (True, 3000, True),
        (True, 3001, False),
    ],
)
def test_a_street_bet_is_a_multiple_or_lies_between(
    fractional: bool, cents: int, good: bool
) -> None:
    state = at_third_street(
        "iowa-catfish-bend", 1, allow_fractional_multiples=fractional, wager_unit="0.50"
    )
    assert agreed(state, a.Bet(seat=1, cents=cents)) is good


@pytest.mark.parametrize(("tip", "good"), [(0, True), (100, True), (300, True), (400, False)])
def test_a_street_tip_is_a_multiple_of_the_tip_on_the_ante(tip: int, good: bool) -> None:
    state = after(table("south-dakota-2011"), ante(1), wager(1, "tip_ante", 100), a.CloseBets())
    state = play(state, some_deal(state))
    assert agreed(state, a.Bet(seat=1, cents=1000, tip_cents=tip)) is good


def test_without_a_tip_on_the_ante_no_street_tip_is_offered() -> None:
    state = at_third_street("south-dakota-2011", 1)
    (offer,) = offered(state, a.Bet)
    assert offer.arguments["tip_cents"] == Choice((0,))
    assert not agreed(state, a.Bet(seat=1, cents=1000, tip_cents=1000))


# ---------------------------------------------------------------- settlement and floor


def test_a_human_dealer_may_settle_any_spot_of_a_player_with_any_amount() -> None:
    state = settling("maryland-2014")
    assert agreed(state, a.Settle(seat=1, spot="third", given_cents=0))
    assert agreed(state, a.Settle(seat=1, spot="progressive", given_cents=123_456))
    assert not agreed(state, a.Settle(seat=2, spot="third", given_cents=0))


def test_a_dealer_gives_no_less_than_nothing_and_only_on_spots_that_exist() -> None:
    state = settling("maryland-2014")
    assert not agreed(state, a.Settle(seat=1, spot="third", given_cents=-1))
    assert not agreed(state, a.Settle(seat=1, spot="rail", given_cents=100))
    assert not agreed(state, a.Correct(seat=1, spot="rail", cents=100, reason="miscount"))


def test_a_correction_needs_an_amount_and_a_reason_and_may_come_after_the_round() -> None:
    state = settling("maryland-2014")
    right = a.Correct(seat=1, spot="ante", cents=500, reason="miscount")
    back = a.Correct(seat=1, spot="ante", cents=-500, reason="miscount")
    assert agreed(state, right)
    assert not agreed(state, back)
    state = play(state, right)
    assert agreed(state, back)
    assert not agreed(state, a.Correct(seat=1, spot="ante", cents=-501, reason="miscount"))
    assert not agreed(state, a.Correct(seat=1, spot="ante", cents=0, reason="miscount"))
    assert not agreed(state, a.Correct(seat=1, spot="ante", cents=500, reason=""))
    over = after(state, a.SettleAll(), a.Close())
    assert {offer.kind for offer in legal(over)} == {a.Correct}
    assert {offer.actor for offer in legal(over)} == {"floor"}
    assert agreed(over, right)
    assert not agreed(at_third_street("maryland-2014"), right)


def test_a_round_closes_when_all_is_settled_and_only_once() -> None:
    state = settling("maryland-2014")
    assert not agreed(state, a.Close())
    settled = play(state, a.SettleAll())
    assert agreed(settled, a.Close())
    assert not agreed(play(settled, a.Close()), a.Close())


def test_a_void_round_closes_only_once() -> None:
    void = play(at_third_street("maryland-2014"), a.Incident(what="wrong_card_count"))
    assert agreed(void, a.Close())
    closed = play(void, a.Close())
    assert not agreed(closed, a.Close())
    assert legal(closed) == ()


def test_misconduct_is_somebodys_and_other_incidents_may_be_nobodys() -> None:
    state = at_third_street("maryland-2014")
    assert agreed(state, a.Incident(what="shares_hand", seat=2))
    assert not agreed(state, a.Incident(what="shares_hand", seat=3))
    assert not agreed(state, a.Incident(what="shares_hand"))
    assert agreed(state, a.Incident(what="shoe_jam"))
    assert not agreed(state, a.Incident(what="earthquake"))


@pytest.mark.parametrize(
    "nonsense",
    [
        a.Incident(what="exposed_player_card", seat=7),
        a.Incident(what="exposed_player_card", seat=-1),
        a.Incident(what="exposed_player_card", place="ceiling"),
        a.Incident(what="deck_count", count=-1),
    ],
    ids=lambda action: str(action),
)
def test_an_incident_with_a_seat_a_place_or_a_count_that_cannot_be_is_refused(
    nonsense: a.Incident,
) -> None:
    assert not agreed(at_third_street("maryland-2014"), nonsense)


def test_chips_that_were_collected_cannot_be_miscounted_any_more() -> None:
    """Otherwise the deal would be blocked with nothing left to count."""
    mismatch = a.Incident(what="progressive_chip_mismatch")
    state = after(table("maryland-2014", progressive_wager="1"), ante(1), a.CloseBets())
    locked = play(state, a.LockProgressive())
    assert agreed(locked, mismatch)
    collected = play(locked, a.CollectProgressive(chips=0))
    assert agreed(collected, mismatch)
    late = play(collected, mismatch)
    assert not late.blocked
    assert isinstance(late.history[-1], e.IncidentNoted)
    assert late.history[-1].consequence == "after_chips_collected"
    assert not agreed(after(table("maryland-2014"), ante(1)), mismatch)


def test_who_leaves_while_bets_are_open_takes_them_back_whatever_leaving_costs_later() -> None:
    state = after(table("maryland-2014", leaver="lose_all"), ante(1), ante(2))
    state = play(state, a.Incident(what="leaves_table", seat=1))
    assert sorted(state.seats) == [2]
    assert agreed(state, ante(1))
    assert not agreed(state, a.TakeBack(seat=1, spot="ante"))


def test_when_all_forfeit_before_the_deal_the_round_can_still_end() -> None:
    state = after(table("maryland-2014", leaver="lose_all"), ante(1), a.CloseBets())
    state = play(state, a.Incident(what="leaves_table", seat=1))
    state = play(state, some_deal(state))
    assert after(state, a.Turn(), a.Close()).phase == "over"


def test_a_new_player_does_not_leave_with_the_one_before() -> None:
    state = after(table("maryland-2014"), ante(1), a.Incident(what="leaves_table", seat=1))
    state = after(state, ante(1), a.CloseBets())
    assert agreed(play(state, some_deal(state)), a.Bet(seat=1, cents=1000))
