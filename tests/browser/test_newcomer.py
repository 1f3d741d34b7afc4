"""A newcomer opens the first page and is playing a legal hand within a minute."""

import re
import time

import pytest

from tests.browser.conftest import Bring
from tests.browser.people import until
from tests.conftest import Report

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_newcomer_is_dealt_a_hand_plays_it_and_sees_what_it_came_to(bring: Bring) -> None:
    began = time.monotonic()
    newcomer = bring()
    page = newcomer.open("/")
    assert page.get_by_text("Play money").first.is_visible()
    until(lambda: len(newcomer.own_cards) == 2, "two cards of one's own", page)
    assert page.locator("#rulebook").inner_text().strip()
    assert page.get_by_role("button", name=re.compile("^Fold")).is_enabled()

    def settled() -> bool:
        newcomer.decide()
        return bool(newcomer.result)

    until(settled, "the hand is paid or lost", page)
    assert re.match(r"You (won|lost) \$|You come out even", newcomer.result)
    assert len(newcomer.cards_in("#boxes")) == 3
    seconds = time.monotonic() - began
    assert seconds < 60, f"it took {seconds:.0f} s"


def test_result_explains_itself_with_clause_and_arithmetic(bring: Bring) -> None:
    newcomer = bring(phone=True)
    page = newcomer.open("/")

    def settled() -> bool:
        newcomer.decide()
        return bool(newcomer.result)

    until(settled, "the hand is paid or lost", page)
    page.locator("#plate .why-button").click()
    why = page.locator("#why-words")
    until(lambda: "$" in why.inner_text(), "the reasons", page)
    assert re.search(r"\d", why.inner_text())


def test_the_first_screen_is_light_and_lighter_the_second_time(
    bring: Bring, report: Report
) -> None:
    newcomer = bring()
    line = newcomer.context.new_cdp_session(newcomer.page)
    line.send("Network.enable")
    sizes: list[int] = []
    line.on("Network.loadingFinished", lambda told: sizes.append(told["encodedDataLength"]))
    weights = []
    for _ in range(2):
        newcomer.open("/")
        newcomer.page.locator("#own-cards .card").first.wait_for()
        newcomer.page.wait_for_load_state("networkidle")
        weights.append((round(sum(sizes) / 1000), len(sizes)))
        sizes.clear()
    report("first screen: {} kB in {} answers, then {} kB in {}".format(*weights[0], *weights[1]))
    assert weights[0][0] < 90
    assert weights[1][0] < weights[0][0] / 2
