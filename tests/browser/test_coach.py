"""The coach at a player's seat: advice, what decisions cost, and that no reload takes it away."""

from urllib.parse import quote

import pytest

from tests.browser.conftest import Bring
from tests.browser.people import Person, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def with_coach(bring: Bring) -> Person:
    """A newcomer who has switched the coach on and has to decide; alone, so that no clock runs."""
    player = bring()
    page = player.open("/")
    page.locator('[data-move="fold"]:not([disabled])').wait_for()
    player.name = player.get("/api/me")["name"]
    page.locator(".coach-switch input").check()
    advised(player)
    assert not page.locator("#clock").is_visible()
    return player


def advised(player: Person) -> list[str]:
    """What the coach says of each choice; one of them is the best."""
    player.page.locator(".choices .best").wait_for()
    return player.page.locator(".choices .worth").all_inner_texts()


def reload(player: Person) -> None:
    player.page.wait_for_load_state("networkidle")
    player.collect()
    player.page.reload()


def cost_lines(player: Person, place: str) -> list[str]:
    """What is said of each decision."""
    player.page.locator(f"{place} .costs li").first.wait_for()
    return player.page.locator(f"{place} .costs li").all_inner_texts()


def why_costs(player: Person) -> list[str]:
    """The same in the dialog that the plate opens."""
    player.page.locator("#plate .why-button small").wait_for()
    player.page.locator("#plate .why-button").click()
    lines = cost_lines(player, "#why-words")
    player.page.locator("#why .primary").click()
    return lines


def finish(player: Person) -> None:
    """The smallest bets to the end."""

    def settled() -> bool:
        player.decide()
        return bool(player.result)

    until(settled, "the hand is paid or lost", player.page)


def test_reloads_take_neither_the_advice_nor_the_costs_nor_the_result(bring: Bring) -> None:
    player = with_coach(bring)
    before = advised(player)
    reload(player)
    assert advised(player) == before
    player.page.locator('[data-move="bet 3"]').click()
    player.page.locator('[data-move="bet 3"]').wait_for(state="detached")
    reload(player)
    finish(player)
    result, lines = player.result, why_costs(player)
    assert [line.split(":")[0] for line in lines] == ["3rd street", "4th street", "5th street"]
    assert "you bet 3×" in lines[0]
    player.page.locator("#felt[data-phase=betting]").wait_for()
    reload(player)
    assert why_costs(player) == lines
    assert player.result == result
    player.collect()
    player.open(f"/rounds/{quote(player.name)}/1")
    assert cost_lines(player, "#cost") == lines


def test_buttons_name_keys_only_where_there_are_keys(bring: Bring) -> None:
    for phone, there in ((False, True), (True, False)):
        player = bring(phone=phone)
        player.open("/")
        fold = player.page.locator('[data-move="fold"]:not([disabled])')
        fold.wait_for()
        assert fold.locator("kbd").is_visible() == there
