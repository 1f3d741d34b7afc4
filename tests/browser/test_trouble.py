"""Reloads, dropped lines and void rounds: nothing is lost and nothing is done twice."""

import json
import uuid
from urllib.parse import quote

import pytest
from playwright.sync_api import Route, WebSocketRoute

from tests.browser.conftest import Bring
from tests.browser.people import Person, play_out, until
from tests.browser.test_rounds import leave_all, lines

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def deciding(bring: Bring) -> tuple[Person, str]:
    """Somebody whose first hand waits for a decision, and the table."""
    player = bring()
    player.open("/")
    player.page.locator('[data-move="fold"]:not([disabled])').wait_for()
    player.name = player.get("/api/me")["name"]
    return player, player.name


def seen(player: Person) -> tuple[list[str], str, str]:
    """What lies in front of somebody: cards, the question, the bankroll."""
    player.page.locator('[data-move="fold"]:not([disabled])').wait_for()
    until(lambda: len(player.own_cards) == 2, "one's cards", player.page)
    return player.own_cards, player.page.locator("#waits").inner_text(), purse(player)


def purse(player: Person) -> str:
    return player.page.locator("#purse").inner_text()


def question(words: str) -> str:
    """The question without the greeting that only the first sight of it has."""
    return words.split(". ", 1)[-1]


def test_a_reload_in_the_middle_of_a_decision_loses_nothing(bring: Bring) -> None:
    player, _ = deciding(bring)
    cards, words, bankroll = seen(player)
    player.collect()
    player.page.reload()
    again = seen(player)
    assert (again[0], question(again[1]), again[2]) == (cards, question(words), bankroll)
    play_out([player])


def test_a_dropped_line_in_the_middle_of_a_decision_loses_nothing(bring: Bring) -> None:
    player, table = deciding(bring)
    seen(player)
    player.context.set_offline(True)
    player.page.get_by_text("Reconnecting").wait_for()
    player.decide()
    player.context.set_offline(False)
    player.page.locator("#connection").wait_for(state="hidden")
    until(lambda: bets_on(player, table) == 1, "the bet arrived, once", player.page)
    play_out([player])
    assert player.frames_of(table)[-1]["you"]["seat"] is not None
    player.faults[:] = [one for one in player.faults if "ERR_INTERNET_DISCONNECTED" not in one]


def bets_on(player: Person, table: str) -> int:
    """How many bets lie on the streets of one's seat."""
    frame = player.get(f"/api/tables/{quote(table)}")
    own = frame["round"]["seats"][str(frame["you"]["seat"])]
    return len(set(own["wagers_cents"]) - {"ante"})


def test_the_same_command_is_carried_out_once(bring: Bring) -> None:
    player, table = deciding(bring)
    path = f"/api/tables/{quote(table)}/commands"
    own = player.get(f"/api/tables/{quote(table)}")["you"]
    action = {"do": "bet", "seat": own["seat"], "cents": own["decide"]["bets"][0]["cents"]}
    sent = {"id": str(uuid.uuid4()), "action": action}
    first, second = player.post(path, sent), player.post(path, sent)
    assert (first["repeated"], second["repeated"]) == (False, True)
    assert first["at"] == second["at"]
    assert bets_on(player, table) == 1
    other = player.try_post(path, {**sent, "action": {**action, "cents": action["cents"] * 2}})
    assert other.status == 422, other.text()
    play_out([player])


def test_a_seat_is_kept_for_somebody_who_comes_back(bring: Bring) -> None:
    player = bring().visit()
    table = lines(player)[0]["table"]
    player.open_table(table)
    player.sit(1)
    player.bet()
    player.page.locator('[data-move="fold"]:not([disabled])').wait_for()
    cards = player.own_cards
    player.open("/settle")
    player.open_table(table)
    player.page.locator('[data-move="fold"]:not([disabled])').wait_for()
    until(lambda: player.own_cards == cards, "the same cards", player.page)
    play_out([player])
    leave_all([player])


def is_next_round(player: Person, table: str) -> bool:
    """Whether the table takes bets for another round already."""
    frame = player.get(f"/api/tables/{quote(table)}")
    return bool(frame["round_number"] > 1 and frame["round"]["phase"] == "betting")


def test_an_answer_that_comes_after_the_next_round_began_still_tells_the_result(
    bring: Bring,
) -> None:
    player, table = deciding(bring)
    held: list[Route] = []
    player.page.route("**/explain", lambda route: held.append(route))
    player.decide("fold")
    until(lambda: is_next_round(player, table), "the next round", player.page)
    assert not player.result
    for route in held:
        route.continue_()
    until(lambda: player.result.startswith("You"), "the result", player.page)
    player.page.unroute("**/explain")


def test_a_screen_that_missed_the_end_of_a_round_still_tells_the_result(bring: Bring) -> None:
    player = bring()
    player.page.route_web_socket("**/live*", without_endings)
    player.open("/")
    player.page.locator('[data-move="fold"]:not([disabled])').wait_for()
    player.decide("fold")
    until(lambda: player.result.startswith("You"), "the result", player.page)


def without_endings(socket: WebSocketRoute) -> None:
    """A line so slow that no frame of a round's end comes through, only the newest."""
    server = socket.connect_to_server()

    def passes(text: str | bytes) -> bool:
        frame = json.loads(text)
        phase = (frame.get("round") or {}).get("phase")
        seats = (frame.get("round") or {}).get("seats", {}).values()
        return phase == "betting" or all(one["status"] == "in" for one in seats)

    server.on_message(lambda text: socket.send(text) if passes(text) else None)
