"""A house that burns cards: the deal, the count of the stub, prompts, views and files know of it.

No document burns a card, so a rulebook of a document is read with one more card in its deal.
"""

import re
import tomllib
from collections import Counter
from functools import cache
from itertools import permutations
from typing import Literal

import pytest
from msgspec.structs import replace

from riverboat.core.cards import DECK, show_card
from riverboat.core.fairness import cut_order
from riverboat.evidence.round_check import Verified, verify_round
from riverboat.evidence.round_export import export_round
from riverboat.evidence.round_file import write_round
from riverboat.round import actions as g
from riverboat.round import open_round, play, set_up
from riverboat.round.streets import deal_out
from riverboat.round.views import view
from riverboat.rulebook import Rulebook
from riverboat.rulebook.loading.parse import judge
from riverboat.rulebook.options import Integer
from riverboat.rulebooks import load
from riverboat.scripts.day_file import DayScript
from riverboat.scripts.day_runner import DayRunner
from riverboat.scripts.scenario import check_scenario
from riverboat.scripts.scenario_file import read_scenarios
from riverboat.table.day import new_day
from tests.support.day_mutations import Books
from tests.support.day_player import books
from tests.support.round_files import Evening, failed

MARYLAND = "maryland-2014"


@cache
def burning(count: int = 1) -> Books:
    """Every rulebook, Maryland's with burn cards."""
    book, sha256 = books()[MARYLAND]
    return {**books(), MARYLAND: (_with(book, count), sha256)}


def _with(book: Rulebook, count: int) -> Rulebook:
    return replace(book, deal=replace(book.deal, burn_cards=count))


def test_no_document_burns_a_card() -> None:
    assert {book.deal.burn_cards for book, _ in books().values()} == {0}


def day_holds(
    script: str, count: int = 1, cards: Literal["electronic", "physical"] = "electronic"
) -> None:
    """The lines of a day hold at a table that burns."""
    day = DayScript(title="burned", rulebook=MARYLAND, script=script, cards=cards)
    runner = DayRunner(day, burning(count))
    runner.run()
    assert runner.failed == []


TO_DEAL = """
house until ready
Dana start
Ann wager ante 5
Ben wager ante 5
house until dealt
"""


@pytest.mark.parametrize(("burned", "stub"), [(0, 45), (1, 44), (3, 42)])
def test_the_stub_is_what_the_deal_and_the_burn_leave(burned: int, stub: int) -> None:
    """52 less two seats of two, three community cards and the burn; one either side is void."""
    right = f"Dana count {stub}\nexpect event stub-counted total=52\nexpect no-event round-voided"
    day_holds(f"{TO_DEAL}\n{right}", burned)
    for wrong in (stub - 1, stub + 1):
        day_holds(f"{TO_DEAL}\nDana count {wrong}\nexpect void\nexpect event deck-removed", burned)


def test_a_due_count_is_prompted_without_the_burn_card() -> None:
    day_holds("play 4 fold\nhouse until dealt\nexpect prompt dealer Count the stub: 46 cards make")


PHYSICAL = """
Dana start
Ann wager ante 5
Dana close-bets
expect prompt dealer Burn 1 card, then deal
expect prompt dealer face down into the discard rack, unseen
Dana report As
expect no-prompt dealer into the discard rack, unseen
Dana report Kd
Dana report 2c
Dana report 3c
Dana report 4c
expect cards 1 As Kd
expect cards community 2c 3c 4c
expect event cards-burned count=1
expect order cards-burned, cards-dealt
expect dealt 5
Dana count 46
expect no-event round-voided
"""


def test_a_real_burn_card_is_not_reported_for_nobody_sees_it() -> None:
    day_holds(PHYSICAL, cards="physical")


SCENARIO = """
[[scenario]]
name     = "One card is burned before the first"
rulebook = "maryland-2014"
clauses  = ["MD-2014.08.E-0"]
bets     = { 1 = { ante = "5" } }
cards    = { 1 = "As Ad", community = "2c 3d 4h" }
decisions = { 1 = ["1x", "1x", "1x"] }

[scenario.expect]
net = { 1 = "20" }
log = ["close", "burn 1", "deal 1"]
"""


def test_a_scenario_is_played_with_the_burn() -> None:
    ((_, scenario),) = read_scenarios(SCENARIO)
    assert not isinstance(scenario, str)
    assert check_scenario(scenario, {MARYLAND: burning()[MARYLAND][0]}) == []
    assert check_scenario(scenario, {MARYLAND: books()[MARYLAND][0]}) != []


# ---------------------------------------------------------------- a committed deck


@cache
def evening() -> Evening:
    """Two rounds from committed decks at a table that burns one card."""
    table = Evening(MARYLAND, "burned")
    table.day = new_day("T", burning())
    table.to_seats()
    table.play(2)
    return table


def check(text: str) -> Verified:
    return verify_round("a.json", text.encode(), burning())


@pytest.mark.parametrize("seat", [None, 2])
def test_a_round_file_proves_the_deal_after_the_burn(seat: int | None) -> None:
    text = write_round(export_round(evening().record, 2, table="T", books=burning(), seat=seat))
    assert '"cards_burned"' in text
    assert check(text).holds
    lie = re.sub(r'("kind": "cards_burned", "count": )1', r"\g<1>2", text)
    assert lie != text
    assert "deal" in failed(check(lie))


def test_the_first_card_of_the_order_is_burned_and_opened_to_no_player() -> None:
    table = evening()
    file = export_round(table.record, 2, table="T", books=burning(), seat=2)
    whole = export_round(table.record, 2, table="T", books=burning())
    assert file.commitment is not None
    assert whole.commitment is not None
    turned = cut_order(DECK, [cut.depth for cut in whole.cuts])
    assert file.commitment.order[turned[0]] is None
    burned = whole.commitment.order[turned[0]]
    state = table.day.playing
    dealt = [card for seat in state.seats.values() for card in seat.cards] + [*state.community]
    assert burned not in [show_card(card) for card in dealt]
    for eyes in (None, "dealer", 2, 5):
        seen = view(state, eyes)
        assert seen.burned == 1
        assert f"'{burned}'" not in str(seen)


# ---------------------------------------------------------------- the mathematics


def test_a_burn_card_changes_no_chance() -> None:
    """Nobody sees it, so whatever lies below it is as likely as what lay on top.

    Of all orders of a small deck, each deal comes up as often with the burn as without it; the
    exact mathematics, which knows no burn, is right for either.
    """
    book = books()["house-demo"][0]
    plain, burned = (set_up(_with(book, count), {}) for count in (0, 1))
    deals = [
        Counter(str(deal_out(setup, [1], deck)) for deck in permutations(DECK[:7]))
        for setup in (plain, burned)
    ]
    assert deals[0] == deals[1]


def test_more_burn_cards_than_the_deck_holds_are_refused() -> None:
    book = books()[MARYLAND][0]
    data = tomllib.loads(load(MARYLAND).text)
    seats = book.options["seats"]
    assert isinstance(seats, Integer)
    most = len(DECK) - seats.maximum * 2 - 3 - 4
    for count, usable in ((most, True), (most + 1, False)):
        answer = judge({**data, "deal": {**data["deal"], "burn_cards": count}})
        assert isinstance(answer, list) != usable


def test_the_round_goes_on_by_itself_with_the_burn() -> None:
    setup = set_up(_with(books()["island-stud"][0], 2), {})
    state = play(
        open_round(setup), g.Wager(seat=1, spot="ante", cents=setup.limits.ante.minimum_cents)
    )
    state = play(state, g.CloseBets())
    state = play(state, g.Deal(places=deal_out(setup, [1], DECK)))
    assert state.burned == 2
    assert min((*state.dealer, *state.seats[1].cards)) == 2
