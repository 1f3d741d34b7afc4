"""A table of people: its dealer and its supervisor do the house's part, on their own pages."""

import json
import re
import uuid
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Bring, Staff
from tests.browser.people import Person, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class LiveTable(NamedTuple):
    """A table and the people at it."""

    name: str
    dealer: Person
    supervisor: Person
    player: Person


def live_table(bring: Bring, staff: Staff, rulebook: str, **more: Any) -> LiveTable:
    """A table that people run, open for play, with a dealer and a player."""
    supervisor = bring().sign_in(*staff["supervisor"])
    second, name = staff["manager"], f"Pit {uuid.uuid4().hex[:6]}"
    signed = {"name": second.name, "password": second.password}
    asked = {"id": f"open {name}", "name": name, "rulebook": rulebook, "demo": False}
    supervisor.post("/api/tables", {**asked, "second": signed, **more})
    date = datetime.now(UTC).date().isoformat()
    supervisor.ask(name, do="open_day", date=date, tray_cents=50_000_00)
    supervisor.ask(name, do="designate")
    supervisor.ask(name, do="assign_dealer", name=staff["dealer"].name)
    player = bring().sign_in(*staff["player"])
    player.ask(name, do="sit_down", seat=2)
    dealer = bring().sign_in(*staff["dealer"])
    dealer.open(f"/dealer/{name}")
    return LiveTable(name, dealer, supervisor, player)


def bench(table: LiveTable) -> Page:
    """The table in the supervisor's hand."""
    page = table.supervisor.open(f"/supervisor?table={table.name}")
    page.locator(".bench-title", has_text=table.name).wait_for()
    return page


def step(table: LiveTable) -> bool:
    """Whoever's the next step is does it: the dealer by the button, the house by the ready one."""
    page = table.dealer.page
    button = page.locator('#step[data-yours="yes"] .big:not([disabled])')
    if button.count():
        button.first.click()
        page.wait_for_timeout(80)
        return True
    told = table.supervisor.get(f"/api/tables/{table.name}")["console"]["step"]
    if told and told["yours"] and told["do"]:
        table.supervisor.ask(table.name, **told["do"])
    elif told and told["machine"]:
        table.supervisor.post(f"/api/tables/{table.name}/machine", {"id": str(uuid.uuid4())})
    elif told and told["who"] == "player" and told["do"]:
        table.player.ask(table.name, **told["do"])
    page.wait_for_timeout(80)
    return False


def goes_until(table: LiveTable, seen: Locator) -> None:
    """The procedure, up to something that is seen."""
    until(lambda: seen.is_visible() or (step(table) and False), "it is seen", table.dealer.page, 60)


def test_with_real_cards_a_slip_is_taken_off_and_a_wrong_card_is_the_floors(
    bring: Bring, staff: Staff
) -> None:
    table = live_table(bring, staff, "maryland-2014", physical=True)
    page = table.dealer.page
    enters = page.locator("#enters")
    goes_until(table, enters)
    enters.get_by_label("Dollars").fill("50")
    enters.get_by_role("button", name="Enter").click()
    slip = enters.get_by_role("listitem")
    expect(slip).to_contain_text("Seat 2: ante $50")
    enters.get_by_role("button", name="Take off").click()
    expect(slip).to_have_count(0)
    expect(enters.get_by_label("Dollars")).to_have_value("50")
    enters.get_by_role("button", name="Enter").click()
    expect(slip).to_have_count(1)
    free = page.locator(".p-seat.free .p-state").all_inner_texts()
    assert free
    assert not any(free), "nobody waits for the bets of a free seat"

    goes_until(table, page.locator("#picker"))
    page.locator('.report-card[data-card="As"]').click()
    page.locator("#picker-title", has_text="Card 2 of").wait_for()
    expect(page.get_by_text("The floor puts it right")).to_be_visible()
    expect(page.locator('.how-dealt label:has([value="instead"])')).to_be_hidden()

    desk = bench(table)
    desk.get_by_text("Put a misreported card right").click()
    desk.get_by_label("Card, like Ah or 10s").fill("Kd")
    desk.locator(".floor-fold[open]").get_by_label("Reason").fill("it was misread")
    put = sent_by(desk, desk.get_by_role("button", name="Put it right"))
    assert (put["do"], put["place"], put["number"]) == ("correct_card", "2", 1)


def sent_by(page: Page, button: Locator) -> dict[str, Any]:
    """The action that a button sends; the house has taken it."""
    with page.expect_response(re.compile("/commands$")) as answered:
        button.click()
    assert answered.value.ok, answered.value.text()
    action: dict[str, Any] = json.loads(answered.value.request.post_data or "{}")["action"]
    return action


def live_elsewhere(page: Page) -> None:
    """Where the date is another one now than in Greenwich."""
    zone = "Pacific/Pago_Pago" if datetime.now(UTC).hour < 11 else "Pacific/Kiritimati"
    tools = page.context.new_cdp_session(page)
    tools.send("Emulation.setTimezoneOverride", {"timezoneId": zone})


def test_the_day_is_closed_with_what_was_counted(bring: Bring, staff: Staff) -> None:
    table = live_table(bring, staff, "house-demo")
    table.supervisor.ask(table.name, do="close_table")
    page = bench(table)
    live_elsewhere(page)
    page.get_by_text("Count the tray and close the gaming day").click()
    field = page.get_by_label("Counted in the tray, in dollars")
    expect(field).to_have_value("")
    page.get_by_role("button", name="Confirm count").click()
    expect(page.locator(".second-look")).to_be_hidden()
    field.fill("49982.50")
    page.get_by_role("button", name="Confirm count").click()
    expect(page.get_by_text("$49,982.50 counted; close the day?")).to_be_visible()
    page.get_by_role("button", name="Count again").click()
    field.fill("49990")
    page.get_by_role("button", name="Confirm count").click()
    closed = sent_by(page, page.get_by_role("button", name="Close the day"))
    assert closed == {"do": "close_day", "tray_cents": 49_990_00}
    expect(page.get_by_role("button", name="Open", exact=True)).to_be_visible()
    expected = page.evaluate("new Intl.DateTimeFormat('en-CA').format(new Date())")
    expect(page.get_by_label("Date")).to_have_value(expected)


def test_a_seat_key_shows_the_table_as_it_is(bring: Bring, staff: Staff) -> None:
    choices = {"progressive": "HD-PROG-2", "meter_link": "Live wheel"}
    table = live_table(bring, staff, "house-demo", choices=choices)
    page = table.dealer.page
    key = page.locator(".pad-seat", has_text="2")
    key.wait_for()
    until(lambda: bets_open(page) or (step(table) and False), "bets", page, 60)
    table.player.ask(table.name, do="wager", seat=2, spot="ante", cents=10_00)
    table.player.ask(table.name, do="wager", seat=2, spot="progressive", cents=2_00)
    goes_until(table, page.locator('.pad-seat[data-light="locked"]'))
    state = page.locator(".pad-state").inner_text()
    key.click()
    expect(key).to_have_attribute("aria-pressed", "true")
    assert key.get_attribute("data-light") == "locked"
    assert page.locator(".pad-state").inner_text() == state


def bets_open(page: Page) -> bool:
    return "bets are open" in page.locator("#standing").inner_text()


def test_whose_card_was_exposed_has_to_be_said(bring: Bring, staff: Staff) -> None:
    table = live_table(bring, staff, "island-stud")
    page = table.dealer.page
    boxes = page.locator(".p-box")
    expect(boxes).to_have_count(1)
    expect(boxes).to_contain_text("Dealer’s hand")
    until(lambda: bets_open(page) or (step(table) and False), "bets", page, 60)
    expect(page.get_by_role("button", name="Interrupt play")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("exposed"))).to_have_count(0)
    table.player.ask(table.name, do="wager", seat=2, spot="ante", cents=10_00)
    exposed = page.get_by_role("button", name=re.compile("Player's card exposed"))
    goes_until(table, exposed)
    exposed.click()
    sheet = page.locator("#incident")
    expect(sheet.get_by_role("radio", name="Seat 2")).to_be_checked()
    expect(sheet.get_by_role("radio", name="no seat")).to_have_count(0)
    report = sent_by(page, sheet.get_by_role("button", name="Report it"))
    assert (report["what"], report["seat"]) == ("exposed_player_card", 2)


def test_a_hand_key_pressed_by_accident_is_seen_and_turned_off(bring: Bring, staff: Staff) -> None:
    choices = {"progressive": "HD-PROG-2", "meter_link": "Slip of a finger"}
    table = live_table(bring, staff, "house-demo", choices=choices)
    page = table.dealer.page
    until(lambda: bets_open(page) or (step(table) and False), "bets", page, 60)
    for works_later in (".key-coin", ".key-over", ".key-call", ".key-hand >> nth=0"):
        expect(page.locator(works_later)).to_be_disabled()
    table.player.ask(table.name, do="wager", seat=2, spot="ante", cents=10_00)
    table.player.ask(table.name, do="wager", seat=2, spot="progressive", cents=2_00)
    goes_until(table, page.get_by_role("button", name="Press COIN IN"))
    goes_until(table, page.locator(".step-first"))
    told = page.locator(".step-first")
    expect(told).to_contain_text("Put the stub into the discard rack, unexposed")
    expect(page.locator("#step")).to_contain_text("You, at once")

    goes_until(table, page.locator("#step", has_text="progressive"))
    key = page.locator('.key-hand[data-hand="royal_flush"]')
    key.click()
    expect(page.locator("#step")).to_contain_text("not a royal flush: press royal flush again")
    expect(key).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".pad-seat.wrong")).to_have_text("2")
    floor = bench(table)
    expect(floor.locator(".notices")).to_contain_text("Seat 2 has")
    expect(floor.locator(".award")).to_be_hidden()
    page.get_by_role("button", name="Press royal flush").click()
    expect(key).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".pad-seat.wrong")).to_have_count(0)
    expect(floor.locator(".notices")).to_be_hidden()
