"""A sign shows an amount for five seconds after it was last known to be true, and no longer."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Bring

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NO_AMOUNT = "The connection to the meter is lost; no amount is shown until it is back."


def shows(page: Page) -> str | None:
    """What the sign says that it shows."""
    return page.locator("#sign").get_attribute("data-shows")


def test_a_sign_without_its_floor_goes_dark_after_five_seconds_and_says_so(bring: Bring) -> None:
    person = bring().visit()
    meter = person.get("/api/meters")["meters"][0]["link"]
    person.page.clock.install()
    page = person.open(f"/sign/{meter}")
    expect(page.locator("#sign")).to_have_attribute("data-shows", "jackpot")
    page.clock.pause_at(page.evaluate("Date.now() + 2000"))
    page.wait_for_timeout(500)
    for address in ("**/health", "**/api/meters/**"):
        page.route(address, lambda route: route.abort())
    last = page.evaluate("performance.now()")
    page.clock.run_for(3_000)
    assert shows(page) == "jackpot"
    assert page.evaluate("performance.now()") - last < 5_000
    page.clock.run_for(4_000)
    assert shows(page) == "out_of_service"
    assert page.locator("#amount").is_hidden()
    assert page.locator("#under").inner_text() == NO_AMOUNT
    page.unroute_all()
    page.clock.resume()
    expect(page.locator("#sign")).to_have_attribute("data-shows", "jackpot")
    person.faults[:] = [one for one in person.faults if "ERR_FAILED" not in one]
