"""A void round: the dealer reports what went wrong, the floor decides, every wager goes back."""

import re
from functools import partial

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Bring, Staff
from tests.browser.people import Person, until
from tests.browser.served import Served
from tests.browser.test_rounds import assert_nothing_leaked, leave_all, lines

pytestmark = [pytest.mark.browser, pytest.mark.slow]
RULEBOOK = "house-demo"


def dealer_goes_on(page: Page) -> None:
    """Do what the console says that the dealer does next, if it is the dealer's."""
    step = page.locator('#step[data-yours="yes"] .big:not([disabled])')
    if step.count():
        step.click()


def cards_dealt(dealer: Person, players: list[Person]) -> None:
    """The dealer follows the console until everybody has cards."""

    def dealt() -> bool:
        dealer_goes_on(dealer.page)
        return all(one.own_cards for one in players)

    until(dealt, "cards for everybody", dealer.page)


def open_bets(dealer: Person, players: list[Person]) -> None:
    """The dealer follows the console until bets are taken."""

    def open_() -> bool:
        if all(one.page.locator('.spot[data-spot="ante"].open').count() for one in players):
            return True
        dealer_goes_on(dealer.page)
        return False

    until(open_, "bets are taken", dealer.page)


def says(one: Person, place: str, words: str) -> bool:
    """Whether a place on somebody's page says something."""
    return words in one.page.locator(place).inner_text()


def test_every_wager_of_a_void_round_goes_back_and_the_pages_say_so(
    bring: Bring, floor: Served, staff: Staff
) -> None:
    dealer = bring().sign_in(*staff["administrator"])
    players = [bring().visit(), bring(phone=True).visit()]
    table = next(line["table"] for line in lines(players[0]) if line["rulebook"] == RULEBOOK)
    for seat, one in enumerate(players, start=1):
        one.open_table(table)
        one.sit(seat)
    dealer.open(f"/dealer/{table}")
    dealer.page.get_by_role("button", name="Take the dealer’s part").click()
    open_bets(dealer, players)
    before = [one.page.locator("#purse").inner_text() for one in players]
    for one in players:
        one.bet()
    cards_dealt(dealer, players)
    assert [one.page.locator("#purse").inner_text() for one in players] != before
    dealer.page.get_by_role("button", name=re.compile("the floor decides")).first.click()
    dealer.page.get_by_role("button", name="Report it").click()
    assert dealer.page.locator("#incident").is_visible(), "where it happened is said first"
    dealer.page.get_by_role("radio", name="Seat 1").check(force=True)
    dealer.page.get_by_role("radio", name="void the round").check(force=True)
    dealer.page.get_by_role("button", name="Report it").click()
    for one, had in zip(players, before, strict=True):
        until(partial(says, one, "#waits", "The round is void"), "the page says so", one.page)
        until(partial(says, one, "#plate", "Void"), "so does the plate", one.page)
        until(partial(says, one, "#purse", had), f"{had} again", one.page)
    dealer.page.get_by_role("button", name="Let the computer deal").click()
    leave_all(players)
    assert_nothing_leaked(players, table, floor)
