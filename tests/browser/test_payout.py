"""The payout check in the browser: what leaves the tray, and what the cage pays."""

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.served import Served

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("width", [1440, 390])
def test_the_payout_page_says_what_leaves_the_tray(
    chrome: Browser, floor: Served, width: int
) -> None:
    page = chrome.new_page(viewport={"width": width, "height": 900})
    page.goto(f"{floor.url}/settle")
    page.select_option("#book", "maryland-2014")
    for card in ("Ah", "Kh", "Qh", "Jh", "Th"):
        page.locator(f"#grid [data-code={card}]").click()
    total = page.locator(".owed-total")
    expect(total).to_contain_text("$40 in returned stakes and $20,000 from the tray")
    page.locator(".side").filter(has_text="Progressive payout").get_by_role("checkbox").check()
    page.get_by_label("the meter, dollars").fill("50000")
    expect(total).to_contain_text("$70,040")
    expect(total).to_contain_text(
        "$20,000 from the tray and $50,000 by the cage, not from the tray"
    )
    expect(total).to_contain_text("The cards stay on the table until the win is documented.")
    won = page.locator("[data-spot=progressive]")
    expect(won.locator("summary")).to_contain_text("by the cage")
    name, said = won.locator(".owed-name").bounding_box(), won.locator(".owed-sum").bounding_box()
    assert name is not None
    assert said is not None
    assert name["x"] + name["width"] <= said["x"]
    page.close()
