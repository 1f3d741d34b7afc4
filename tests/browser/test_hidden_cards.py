"""The search for leaked cards finds one that is planted, however it is written."""

import json
from typing import Any

import pytest

from riverboat.core.cards import show_card
from tests.browser.conftest import Bring
from tests.browser.leaks import RANK_WORDS, cards_in, check
from tests.browser.people import Received, play_out, until
from tests.browser.served import Served
from tests.browser.test_rounds import leave_all, lines, seat_all
from tests.browser.truth import Record, record_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SPELLINGS = [
    ("code", lambda card: {"cards": [show_card(card), None]}),
    ("words", lambda card: {"said": f"the {_named(card)} lies next"}),
    ("number", lambda card: {"order": [card]}),
    ("prose", lambda card: f"<p>{show_card(card)}</p>"),
]


def _named(card: int) -> str:
    return f"{RANK_WORDS[card // 4]} of {['clubs', 'diamonds', 'hearts', 'spades'][card % 4]}"


@pytest.mark.parametrize(("how", "spell"), SPELLINGS, ids=[one[0] for one in SPELLINGS])
def test_every_card_is_found_however_it_is_written(how: str, spell: Any) -> None:
    for card in range(52):
        assert list(cards_in(spell(card))) == [card], how


def test_a_planted_leak_is_caught_and_the_true_traffic_has_none(
    bring: Bring, floor: Served
) -> None:
    people = [bring(), bring()]
    table = lines(bring().visit())[0]["table"]
    seat_all(people, table)
    for one in people:
        one.bet()
    until(lambda: all(one.own_cards for one in people), "cards", people[0].page)
    midway = len(people[0].received)
    play_out(people)
    leave_all(people)
    received = {one.name: one.gathered() for one in people}
    record = record_of(floor, table)
    for name, came in received.items():
        assert check(name, came, table, record).leaks == []
    first = people[0].name
    genuine = received[first]
    frames = [json.loads(one.text) for one in genuine[:midway] if one.kind == "frame"]
    before = next(one for one in reversed(frames) if one["kind"] == "table")
    assert before["round"]["phase"] in ("deciding", "turning")
    for plant in (neighbours_card, next_community_card, undealt_card, neighbours_salt):
        spoilt = plant(json.loads(json.dumps(before)), record)
        planted = Received(genuine[midway].at, "frame", "/live", json.dumps(spoilt))
        assert check(first, [*genuine, planted], table, record).leaks, plant.__name__


def neighbours_card(frame: dict[str, Any], record: Record) -> dict[str, Any]:
    """Another seat's first card, where its back should be."""
    state = record.at(frame["at"]).round
    assert state is not None
    frame["round"]["seats"]["2"]["cards"][0] = show_card(state.seats[2].cards[0])
    return frame


def next_community_card(frame: dict[str, Any], record: Record) -> dict[str, Any]:
    """The card that is turned next, before it is."""
    state = record.at(frame["at"]).round
    assert state is not None
    frame["peek"] = show_card((*state.community, *state.dealer)[state.turned or state.up_cards])
    return frame


def undealt_card(frame: dict[str, Any], record: Record) -> dict[str, Any]:
    """One that stays in the stub."""
    moment = record.at(frame["at"])
    state = moment.round
    assert state is not None
    dealt = {*state.community, *state.dealer, *state.box}
    dealt |= {card for seat in state.seats.values() for card in seat.cards}
    frame["stub"] = _named(next(card for card in range(52) if card not in dealt))
    return frame


def neighbours_salt(frame: dict[str, Any], record: Record) -> dict[str, Any]:
    """What opens another seat's card in the public commitment."""
    moment = record.at(frame["at"])
    assert moment.round is not None
    wanted = moment.round.seats[2].cards[0]
    frame["proof"] = [salt for salt, card in moment.salts.items() if card == wanted][-1]
    return frame
