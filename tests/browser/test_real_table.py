"""A table that people run, from the dialog that opens it to the sign that its round has moved."""

import re
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Account, Bring, Staff
from tests.browser.people import Person, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]

BOOK = "south-dakota-3cb"
TABLE = "Pit One"
ROUND_SECONDS = 120.0


def open_real_table(keeper: Person, name: str, second: Account) -> Page:
    """Through the lobby's dialog, with somebody else's signature."""
    page = keeper.open("/lobby")
    page.get_by_role("button", name="Open a table").click()
    page.locator(f'input[name="rulebook"][value="{BOOK}"]').check(force=True)
    meters = page.locator("#opening-meter select")
    expect(meters.locator("option")).to_have_count(2)
    page.get_by_label("People of the house run it").check()
    form = page.locator("#opening-form")
    expect(form.locator('[name="bots"]')).to_be_hidden()
    expect(meters.locator("option")).to_have_count(1)
    expect(meters).to_contain_text("its own")
    form.locator('[name="name"]').fill(name)
    form.locator('[name="second"]').fill(second.name)
    form.locator('[name="second_password"]').fill(second.password)
    page.get_by_role("button", name="Open the table", exact=True).click()
    page.wait_for_url(re.compile(rf"/supervisor\?table={re.escape(quote(name))}"))
    return page


def press(page: Page, place: str) -> bool:
    """The one thing that the procedure asks of whoever has this page, if it asks."""
    button = page.locator(f'{place}[data-yours="yes"] .big:not([disabled])')
    if not button.count():
        return False
    button.first.click()
    page.wait_for_timeout(60)
    return True


def assign(desk: Page, dealer: str) -> None:
    """A dealer from the list."""
    desk.locator("summary", has_text="Assign a dealer").click()
    form = desk.locator(".floor-form", has_text="Assign a dealer")
    listed = form.locator("select option")
    expect(listed.filter(has_text=dealer)).to_have_count(1)
    assert "Some player" not in listed.all_inner_texts()
    form.locator("select").select_option(dealer)
    form.get_by_role("button", name="Assign").click()
    expect(desk.locator(".bench-head .lead")).to_contain_text(f"{dealer} deals")


def a_round_is_voided_by_two(crew: "Crew", staff: Staff) -> None:
    """Cards are seen: one supervisor's word is not enough, and everybody reads whose it was."""
    desk, page = crew.desk, crew.player.page
    crew.has_bet = False
    fold = desk.locator("summary", has_text="Void the round")

    def dealt() -> bool:
        if crew.has_bet and crew.player.own_cards and fold.count():
            return True
        crew.goes_on()
        return False

    until(dealt, "another round", crew.console, ROUND_SECONDS)
    fold.click()
    form = desk.locator(".floor-form", has_text="Void the round: every wager goes back")
    form.get_by_label("Reason").fill("a drink was spilled over the cards")
    form.get_by_role("button", name="Void the round").click()
    sheet = desk.locator("#second")
    expect(sheet).to_contain_text("takes two people")
    keeper = staff["administrator"]
    for password in ("not the password", keeper.password):
        if not sheet.is_visible():
            form.get_by_role("button", name="Void the round").click()
        sheet.get_by_label("Name").fill(keeper.name)
        sheet.get_by_label("Password").fill(password)
        sheet.get_by_role("button", name="Sign").click()
        expect(sheet).to_be_hidden()
    until(lambda: "void" in page.locator("#waits").inner_text().lower(), "the page says so", page)


class Crew:
    """Whoever is at the table, each with their page."""

    def __init__(self, desk: Page, console: Page, player: Person) -> None:
        self.desk, self.console, self.player = desk, console, player
        self.has_bet = False

    def goes_on(self) -> bool:
        """One step of anybody; whether the round is over."""
        page = self.player.page
        for move in ("asked", "bet"):
            asked = page.locator(f'[data-move^="{move}"]:not([disabled])').first
            if asked.count():
                asked.click()
                page.wait_for_timeout(60)
                return False
        if page.locator('.spot[data-spot="ante"].open').count() and not self.has_bet:
            self.player.bet(side=("progressive",))
            self.has_bet = True
            page.wait_for_timeout(800)
        words = self.console.locator("#step .big")
        early = not self.has_bet and words.count() and words.first.inner_text() == "No more bets"
        if not early:
            press(self.console, "#step")
        press(self.desk, "#bench .step")
        return bool(self.has_bet and self.player.result)


def test_a_round_at_a_real_table_moves_its_own_meter(bring: Bring, staff: Staff) -> None:
    keeper, floor, dealer = (
        bring().sign_in(*staff[door]) for door in ("administrator", "supervisor", "dealer")
    )
    page = open_real_table(keeper, TABLE, staff["supervisor"])
    expect(page.locator(".bench-next")).to_contain_text("open its gaming day")
    meter = meter_of(keeper)
    assert (meter["shows"], meter["cents"]) == ("jackpot", meter["seed_cents"])
    sign = bring().visit().open(f"/sign/{quote(meter['link'])}").locator("#amount .unseen")
    expect(sign).to_have_text("$10,000")

    desk = floor.open(f"/supervisor?table={quote(TABLE)}")
    desk.get_by_role("button", name="Open", exact=True).click()
    expect(desk.locator(".bench-next")).to_be_hidden()
    assigning = desk.locator("summary", has_text="Assign a dealer")
    until(lambda: not press(desk, "#bench .step") and assigning.count(), "the floor's part", desk)
    assign(desk, dealer.name)
    console = dealer.open(f"/dealer/{quote(TABLE)}")
    player = bring().sign_in(*staff["player"])
    player.open("/lobby").locator(".table-plate", has_text=TABLE).get_by_text("Sit down").click()
    player.page.locator("#felt[data-phase]").wait_for()
    player.sit(1)
    crew = Crew(desk, console, player)
    until(crew.goes_on, "a round by people", console, ROUND_SECONDS)
    until(lambda: crew.goes_on() and rounds_of(player), "the end of it", console, ROUND_SECONDS)

    moved = meter["wager_cents"] * meter["rate_bp"] // 10_000
    assert moved == 21
    assert meter_of(keeper)["cents"] == meter["cents"] + moved
    expect(sign).to_have_text("$10,000.21")
    a_round_is_voided_by_two(crew, staff)
    a_dispute_is_followed(player, floor)


def a_dispute_is_followed(player: Person, floor: Person) -> None:
    """Whoever disputes a round sees what is said about it, without asking again."""
    where = f"/rounds/{quote(TABLE)}/1"
    mine, theirs = player.new_page(), floor.new_page()
    mine.goto(where)
    mine.get_by_label("What is wrong with it?").fill("my pair")
    mine.get_by_role("button", name="Open a dispute").click()
    expect(mine.locator(".dispute-lines")).to_contain_text(player.name)
    theirs.goto(where)
    theirs.get_by_label("Decision").fill("half a sentence")
    theirs.get_by_label("A note").fill("the camera is looked at")
    theirs.get_by_role("button", name="Add the note").click()
    expect(theirs.locator(".dispute-lines")).to_contain_text("the camera is looked at")
    expect(theirs.get_by_label("Decision")).to_have_value("half a sentence")
    expect(mine.locator(".dispute-lines")).to_contain_text("the camera is looked at")


def meter_of(person: Person) -> dict[str, Any]:
    """The meter that the table alone plays for, as everybody is told."""
    (one,) = [x for x in person.get("/api/meters")["meters"] if x["tables"] == [TABLE]]
    found: dict[str, Any] = one
    return found


def rounds_of(player: Person) -> list[Any]:
    """The rounds of theirs that are over."""
    found: list[Any] = player.get(f"/api/rounds?table={quote(TABLE)}")["rounds"]
    return found


# ---------------------------------------------------------------- what each is offered


def test_people_are_offered_what_their_door_may_do(bring: Bring, staff: Staff) -> None:
    said = {}
    for door in ("player", "supervisor", "auditor"):
        page = bring().sign_in(*staff[door]).open("/lobby")
        plate = page.locator(".table-plate", has_text="Table 1").locator(".plate-go")
        expect(plate).not_to_be_empty()
        said[door] = plate.inner_text()
        menu = page.locator("#all-ways a").all_text_contents()
        offered = [one for one in menu if "Run the jackpot" in one or one.startswith("Deal")]
        assert bool(offered) == (door != "auditor"), offered
    assert said["player"].startswith("Sit down")
    assert said["supervisor"] == said["auditor"] == "Watch"


def test_another_rulebooks_edges_are_gone_at_once(bring: Bring) -> None:
    page = bring().visit().open("/lobby#open")
    expect(page.locator("#edges .edge").first).to_be_visible()
    page.route("**/api/tables/preview", lambda route: None)
    page.locator('input[name="rulebook"]').nth(1).check(force=True)
    expect(page.locator("#edges-state")).to_contain_text("Working it out")
    expect(page.locator("#edges .edge")).to_have_count(0)


def test_a_table_that_is_tapped_comes_into_view(bring: Bring, staff: Staff) -> None:
    page = bring(phone=True).sign_in(*staff["supervisor"]).open("/supervisor")
    page.locator('.table-one[data-table="Table 2"]').click()
    title = page.locator(".bench-title")
    expect(title).to_have_text("Table 2")
    expect(title).to_be_focused()
    expect(title).to_be_in_viewport()


def test_accounts_follow_what_others_do_and_keep_what_is_typed(bring: Bring, staff: Staff) -> None:
    keeper = bring().sign_in(*staff["administrator"])
    page = keeper.open("/accounts")
    expect(page.locator('li[data-name="admin"]')).to_be_visible()
    page.get_by_label("Name").fill("Half a na")
    keeper.post("/api/accounts", {"name": "Late", "door": "dealer", "password": "given to them"})
    expect(page.locator('li[data-name="Late"]')).to_be_visible()
    expect(page.get_by_label("Name")).to_have_value("Half a na")
