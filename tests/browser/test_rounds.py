"""Rounds with people and programs under every rulebook; what one does, the others see."""

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.conftest import Bring
from tests.browser.leaks import check
from tests.browser.people import Person, play_out, until
from tests.browser.served import Served
from tests.browser.truth import record_of
from tests.conftest import Report

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def lines(person: Person) -> list[dict[str, Any]]:
    """The floor's own tables."""
    found: list[dict[str, Any]] = person.get("/api/tables")["tables"]
    return [line for line in found if line.get("demo") and line["open"]]


def seat_all(people: list[Person], table: str) -> None:
    """Everybody takes the first free seat by its button, and the others see it without reload."""
    for one in people:
        one.visit().open_table(table)
    for seat, one in enumerate(people, start=1):
        one.sit(seat)
        for other in people:
            if other is not one:
                name = other.page.locator(f'#others li[aria-label^="Seat {seat}: {one.name}"]')
                name.wait_for()


def leave_all(people: list[Person]) -> None:
    """Everybody stands up, so that the next test finds free seats."""
    for one in people:
        until(partial(has_left, one), "the seat is left", one.page)


def has_left(one: Person) -> bool:
    """Ask to leave; where a round is not over yet the floor says so, and one asks again."""
    if one.page.locator("#own").is_visible():
        one.page.locator("#stand-up").click()
        one.page.wait_for_timeout(250)
    return not one.page.locator("#own").is_visible()


def play_six(bring: Bring, table: str) -> list[Person]:
    """Four browsers and two programs: everybody bets, one folds, all see every change."""
    people = [bring(phone=number == 3) for number in range(4)]
    seat_all(people, table)
    first, second, *others = people
    second.page.locator('.spot[data-spot="ante"].open').wait_for()
    first.bet()
    second.page.locator('#others li[aria-label^="Seat 1:"][aria-label*="bets $10"]').wait_for()
    for one in (second, *others):
        one.bet()
    until(lambda: all(one.own_cards for one in people), "cards for everybody", first.page)
    until(lambda: shows_whose_time_runs(people), "the time of one, on every screen", first.page)
    play_out(people, {others[-1].name: "fold"})
    return people


def shows_whose_time_runs(people: list[Person]) -> bool:
    """Whether one is told how long they have, and the others for whom they wait."""
    told = {one.name: one.page.locator("#clock").inner_text() for one in people}
    own = [name for name, words in told.items() if words.endswith(" s to decide")]
    waits = [words for words in told.values() if words.startswith("Waiting for ")]
    return len(own) == 1 and len(waits) == len(people) - 1 and all(own[0] in w for w in waits)


def assert_nothing_leaked(
    people: list[Person], table: str, floor: Served, report: Report | None = None
) -> None:
    """No browser received a card that its seat might not know at that time."""
    received = {one.name: one.gathered() for one in people}
    record = record_of(floor, table)
    checked = [check(name, came, table, record) for name, came in received.items()]
    assert [leak for one in checked for leak in one.leaks] == []
    assert all(one.frames and one.cards for one in checked)
    if report is not None:
        told = [sum(one[place] for one in checked) for place in (1, 2, 3)]  # type: ignore[misc]
        report("{} frames and {} answers with {} cards gone through".format(*told))


def read_again(player: Person, table: str) -> None:
    """Look at the finished round step by step, and come back to the table."""
    done = max(one["round"] for one in player.get("/api/rounds")["rounds"] if one["table"] == table)
    page = player.open(f"/rounds/{quote(table)}/{done}")
    page.wait_for_load_state("networkidle")
    assert player.name in page.locator("main").inner_text()
    player.open_table(table)
    player.page.locator("#own").wait_for()


def is_progressive_stud(line: dict[str, Any]) -> bool:
    return bool(line["game"] == "mississippi_stud" and line["link"])


def is_island(line: dict[str, Any]) -> bool:
    return bool(line["game"] == "island_stud")


@pytest.mark.slow
@pytest.mark.parametrize("which", [is_progressive_stud, is_island])
def test_six_people_play_a_round_and_nothing_hidden_reaches_anybody(
    bring: Bring, floor: Served, report: Report, which: Callable[[Any], bool]
) -> None:
    asking = bring().visit()
    line = next(filter(which, lines(asking)))
    people = play_six(bring, line["table"])
    seated = people[0].frames_of(line["table"])[-1]["seated"]
    assert len(seated) == 6, seated
    results = {one.result for one in people}
    assert any(words.startswith("You") for words in results)
    watched = [len({f["at"] for f in one.frames_of(line["table"])}) for one in people]
    assert min(watched) > 10
    read_again(people[0], line["table"])
    leave_all(people)
    assert_nothing_leaked(people, line["table"], floor, report)


def sees_the_end(watcher: Person, table: str) -> bool:
    """Whether the round is over, or the next begins, on somebody's screen."""
    return watcher.frames_of(table)[-1]["round"]["phase"] in ("over", "betting")


@pytest.mark.slow
def test_a_short_round_under_every_rulebook(bring: Bring, floor: Served) -> None:
    player, watcher = bring().visit(), bring(phone=True).visit()
    for line in lines(player):
        table = line["table"]
        player.open_table(table)
        watcher.open_table(table)
        assert line["title"] in player.page.locator("#rulebook").inner_text()
        player.sit(1)
        side = tuple(bet for bet in line["side_bets"] if bet != "six_card_bonus")
        player.bet(side=side)
        until(lambda: player.own_cards, f"cards at {table}", player.page)
        play_out([player])
        until(partial(sees_the_end, watcher, table), "the end on another screen", watcher.page)
        leave_all([player])
        assert_nothing_leaked([player, watcher], table, floor)
