"""Learning to deal: whole rounds by the console, with the floor's cards and with a real deck."""

import re
from functools import partial

import pytest

from tests.browser.conftest import Bring
from tests.browser.people import Person, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]
DECK = [rank + suit for suit in "shdc" for rank in "AKQJT98765432"]


def takes_lesson(bring: Bring, title: str, *, real: bool, phone: bool = False) -> Person:
    """A visitor who deals at a table of their own."""
    learner = bring(phone=phone)
    page = learner.visit().open("/dealer")
    if real:
        page.locator("#real-deck").check()
    lesson = page.locator(".lesson", has_text=title)
    lesson.get_by_role("button", name="Deal this").click()
    page.locator("#step .step-words").wait_for()
    return learner


def goes_on(learner: Person) -> bool:
    """One step of the procedure; the next card of the deck where one is asked for."""
    page = learner.page
    if page.locator("#picker").is_visible():
        title = page.locator("#picker-title").inner_text()
        number = int(re.findall(r"\d+", title)[0])
        page.locator(f'.report-card[data-card="{DECK[number]}"]').click(timeout=2_000)
        until(lambda: page.locator("#picker-title").inner_text() != title
              or not page.locator("#picker").is_visible(), "the next card", page)  # fmt: skip
        return False
    button = page.locator('#step[data-yours="yes"] .big:not([disabled])')
    if button.count():
        button.first.click()
        page.wait_for_timeout(60)
    return "round 2" in page.locator("#standing").inner_text()


@pytest.mark.parametrize("title", ["Maryland", "Island Stud"])
def test_a_round_is_dealt_with_a_real_deck(bring: Bring, title: str) -> None:
    learner = takes_lesson(bring, title, real=True)
    until(partial(goes_on, learner), "a round with real cards", learner.page, 90)
    assert "physical cards" in learner.page.locator("#decks").inner_text()
    assert learner.page.get_by_role("button", name="Let the computer deal").count() == 0


def test_a_round_is_dealt_from_the_committed_deck_on_a_phone(bring: Bring) -> None:
    learner = takes_lesson(bring, "Maryland", real=False, phone=True)
    until(partial(goes_on, learner), "a round", learner.page, 90)
    assert "commitment" in learner.page.locator("#decks").inner_text()


def test_a_wrong_tap_is_put_right(bring: Bring) -> None:
    learner = takes_lesson(bring, "Maryland", real=True)
    page = learner.page
    until(lambda: page.locator("#picker").is_visible() or goes_on(learner), "cards", page, 60)
    page.locator('.report-card[data-card="As"]').click()
    page.locator("#picker-title", has_text="Card 2 of").wait_for()
    page.locator('[name="how"][value="instead"]').check(force=True)
    page.locator('.report-card[data-card="Ad"]').click()
    page.locator('.report-card[data-card="Ad"][disabled]').wait_for()
    assert page.locator("#picker-title").inner_text().startswith("Card 2 of")
    assert page.locator('.report-card[data-card="As"]').is_enabled()
    until(partial(goes_on, learner), "the round", page, 90)
    table = page.url.rsplit("/", 1)[-1]
    told = learner.get(f"/api/tables/{table}/rounds/1")
    assert "another card was tapped" in str(told)
