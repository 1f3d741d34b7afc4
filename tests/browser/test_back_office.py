"""The house's back office: accounts are made, and meters kept by two people, on the pages."""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect

import riverboat.web
from tests.browser.conftest import Bring, Staff
from tests.browser.people import Person, until
from tests.browser.test_accessibility import serious
from tests.browser.test_jackpot import table_frames

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SEED = 100_00
SCRIPTS = Path(riverboat.web.__file__).parent / "static" / "js"


def test_an_account_is_made_and_its_password_changed_at_the_first_sign_in(
    bring: Bring, staff: Staff
) -> None:
    keeper, dealer = bring().sign_in(*staff["administrator"]), bring()
    page = keeper.open("/lobby")
    page.get_by_role("navigation").get_by_role("link", name="Accounts", exact=True).click()
    page.get_by_label("Name").fill("Dana")
    page.get_by_role("radio", name="dealer").check(force=True)
    page.get_by_role("button", name="Make the account").click()
    expect(page.locator("#given-title")).to_have_text("Dana can sign in")
    given = page.locator("#given-password").inner_text()
    assert re.fullmatch(r"(\w{4}-){3}\w{4}", given)
    line = page.locator('li[data-name="Dana"]')
    expect(line).to_contain_text("must change the password")

    door = sign_in_on_page(dealer, "Dana", given)
    expect(door.get_by_role("heading", name="Choose your own password")).to_be_visible()
    assert dealer.context.request.get("/api/tables").status == 403
    door.get_by_label("New password at least").fill("my very own words")
    door.get_by_label("New password, again").fill("my very own words")
    door.get_by_role("button", name="Change it").click()
    door.wait_for_url(re.compile(r"^[^?]*/dealer$"))

    page.reload()
    expect(line).to_contain_text("signs in")
    expect(page.locator("#given")).to_be_hidden()
    assert given not in page.content(), "a password is shown once"
    again = bring()
    expect(sign_in_on_page(again, "Dana", given).get_by_role("alert").first).to_have_text(
        "That name and password do not go together."
    )


def test_accounts_are_refused_opened_again_and_closed_in_words(bring: Bring, staff: Staff) -> None:
    keeper, player = bring().sign_in(*staff["administrator"]), bring()
    page = keeper.open("/accounts")
    new = {"name": "Pat", "door": "player", "password": "given to Pat at first"}
    keeper.post("/api/accounts", new)
    page.get_by_label("Name").fill("PAT")
    page.get_by_role("button", name="Make the account").click()
    expect(page.locator("#new-account .form-words")).to_have_text(
        "There is an account Pat already."
    )
    player.sign_in("Pat", new["password"])
    page.reload()
    page.get_by_role("button", name="Close: Pat").click()
    page.get_by_role("button", name="Close it").click()
    line = page.locator('li[data-name="Pat"]')
    expect(line).to_have_attribute("data-state", "closed")
    assert player.context.request.get("/api/tables").status == 401
    page.get_by_role("button", name="Open again: Pat").click()
    page.get_by_role("button", name="Give it").click()
    expect(page.locator("#given-title")).to_have_text("A new password for Pat")
    player.sign_in("Pat", page.locator("#given-password").inner_text())
    expect(line).to_have_attribute("data-state", "must-change")
    own = page.locator('li[data-name="admin"]')
    assert not own.get_by_role("button").count(), "nobody closes their own account"


def test_a_meter_is_adjusted_and_moved_by_two_people_and_the_signs_follow(
    bring: Bring, staff: Staff
) -> None:
    manager, second = bring().sign_in(*staff["manager"]), staff["supervisor"]
    for name in ("Old wheel", "New wheel"):
        open_meter(manager, name, {"name": second.name, "password": second.password})
    old, new = (sign_of(bring().visit(), name) for name in ("Old wheel", "New wheel"))
    expect(old).to_have_text("$100")
    page = manager.open("/manager?meter=Old%20wheel")
    page.get_by_role("button", name="Adjust").click()
    page.get_by_label("Dollars").fill("12.345")
    expect(page.locator(".order-tells")).to_contain_text("Cents are whole")
    page.get_by_label("Dollars").fill("1112.50")
    expect(page.locator(".order-tells")).to_have_text("Old wheel goes from $100.00 to $1,212.50.")
    page.get_by_label("Reason").fill("a miscount")
    sign_beside(page, second.name, "not the password")
    page.get_by_role("button", name="Adjust it").click()
    expect(page.locator(".order-refused")).to_have_text(
        "That name and password do not go together."
    )
    sign_beside(page, second.name, second.password)
    page.get_by_role("button", name="Adjust it").click()
    expect(page.locator(".book-amount")).to_have_text("$1,212.50")
    expect(old).to_have_text("$1,212.50")

    page.get_by_role("button", name="Move").click()
    page.get_by_label("Onto the meter").select_option("New wheel")
    expect(page.locator(".order-tells")).to_contain_text("which goes from $100.00 to $1,312.50.")
    page.get_by_label("Reason").fill("the old wheel is taken down")
    sign_beside(page, second.name, second.password)
    page.get_by_role("button", name="Move it for good").click()
    expect(page.locator(".book-head")).to_contain_text("It has ended; its books stay.")
    expect(new).to_have_text("$1,312.50")
    expect(old.page.locator("#sign")).to_have_attribute("data-shows", "out_of_service")


def test_a_meter_is_retired_by_two_people(bring: Bring, staff: Staff) -> None:
    manager, second = bring().sign_in(*staff["manager"]), staff["supervisor"]
    open_meter(manager, "Last wheel", {"name": second.name, "password": second.password})
    page = manager.open("/manager?meter=Last%20wheel")
    page.get_by_role("button", name="Retire").click()
    expect(page.locator(".order-tells")).to_contain_text("$100.00 is registered as owed")
    page.get_by_label("Reason").fill("it is over")
    sign_beside(page, manager.name, manager.password)
    page.get_by_role("button", name="Retire it for good").click()
    expect(page.locator(".order-refused")).to_contain_text("takes two people")
    sign_beside(page, second.name, second.password)
    page.get_by_role("button", name="Retire it for good").click()
    expect(page.locator(".book-head")).to_contain_text("ended")
    expect(page.locator(".sums")).to_contain_text("Registered at its end")


def test_a_table_leaves_its_meter_and_joins_it_again(bring: Bring, staff: Staff) -> None:
    manager = bring().sign_in(*staff["manager"])
    table, meter = "Leaving table", "Leaving wheel"
    choices = {"progressive": "HD-PROG-2", "meter_link": meter}
    asked = {"id": "a table that leaves", "name": table, "rulebook": "house-demo"}
    manager.post("/api/tables", {**asked, "choices": choices})
    page = manager.open(f"/manager?meter={quote(meter)}")
    page.get_by_role("button", name="Retire").click()
    expect(page.locator(".order-tells")).to_contain_text("must leave it before")
    page.get_by_role("button", name="Cancel").click()
    page.locator(".members").get_by_role("button", name="Leave").first.click()
    expect(page.locator(".order-tells")).to_contain_text(f"{table} takes no progressive wagers")
    page.get_by_role("button", name="It leaves").click()
    expect(page.locator(".members")).to_contain_text("set up for it, not joined")
    page.locator(".members").get_by_role("button", name="Join").click()
    page.get_by_role("button", name="It joins").click()
    expect(page.locator(".members")).not_to_contain_text("not joined")
    expect(page.locator(".history")).to_contain_text(f"{table} left.")


def test_an_award_is_backed_out_once_with_its_clause(bring: Bring, staff: Staff) -> None:
    manager, second = bring().sign_in(*staff["manager"]), staff["supervisor"]
    meter = pay_a_jackpot(manager)
    sign = sign_of(bring().visit(), meter)
    page = manager.open(f"/manager?meter={quote(meter)}")
    other = manager.new_page()
    other.goto(f"/manager?meter={quote(meter)}")
    for one in (page, other):
        one.get_by_role("button", name="Back out").click()
        expect(one.locator(".order-tells")).to_contain_text("It was paid: the player owes it back.")
        one.get_by_label("Reason").fill("the wrong hand was keyed")
        sign_beside(one, second.name, second.password)
    after = re.search(r"to (\$[\d,.]+\d)\.", page.locator(".order-tells").inner_text())
    assert after is not None
    page.get_by_role("button", name="Back it out").click()
    expect(page.get_by_role("cell", name="taken back")).to_be_visible()
    expect(page.locator(".book-amount")).to_have_text(after[1])
    expect(sign).to_have_text(after[1])
    assert not page.get_by_role("button", name="Back out").count()
    other.get_by_role("button", name="Back it out").click()
    expect(other.locator(".order-refused")).to_contain_text("was backed out already")
    expect(other.locator(".order-refused .clause").first).to_be_visible()


def test_an_auditor_reads_the_books_and_gets_no_forms(bring: Bring, staff: Staff) -> None:
    auditor = bring().sign_in(*staff["auditor"])
    page = auditor.open("/manager")
    page.locator(".book-head").wait_for()
    offered = page.locator(".meter-book").get_by_role("button").all_inner_texts()
    assert offered == ["Explain this cent"]


def test_nothing_serious_on_the_sheets_that_are_opened(bring: Bring, staff: Staff) -> None:
    keeper = bring().sign_in(*staff["administrator"])
    page = keeper.open("/manager")
    problems: list[str] = []
    for order in ("Adjust", "Move", "Retire"):
        page.get_by_role("button", name=order).click()
        page.locator(".order-tells").wait_for()
        problems += serious(page)
        page.get_by_role("button", name="Cancel").click()
    assert staff["dealer"].name == "Some dealer"
    page = keeper.open("/accounts")
    for asked in ("New password: Some dealer", "Close: Some dealer"):
        page.get_by_role("button", name=asked).click()
        problems += serious(page)
        page.get_by_role("button", name="Cancel").click()
    page.get_by_label("Name").fill("some DEALER")
    page.get_by_role("button", name="Make the account").click()
    page.locator("#new-account .form-words:not(:empty)").wait_for()
    problems += serious(page)
    assert not problems, "\n".join(problems)


def test_a_meters_line_marks_each_amount_once_and_a_quiet_meter_is_told_in_words(
    bring: Bring,
) -> None:
    page = bring().visit().open("/lobby")
    drawn = """async (cents) => {
        const { meterLine } = await import("/static/js/meter_line.js");
        const history = cents.map((amount, at) => ({ number: at + 1, at: 1.8e9 + at, kind: "",
            units: (amount - (cents[at - 1] ?? 0)) * 1e4, after_units: amount * 1e4 }));
        const line = meterLine(history, 1e4);
        return [[...line.querySelectorAll(".ml-text")].map((one) => one.textContent),
                (line.querySelector("figcaption") ?? line).textContent];
    }"""
    for low, high in ((1_000_000, 1_000_001), (1_000_000, 1_000_002), (0, 1), (100, 12_345_678)):
        marks, words = page.evaluate(drawn, [low, low, high])
        amounts = [one for one in marks if one.startswith("$")]
        assert len(amounts) == len(set(amounts)) >= 3, amounts
        assert len(amounts) <= 8
    assert words == "From $1.00 to $123,456.78 over 3 entries; between $1.00 and $123,456.78."
    marks, words = page.evaluate(drawn, [1_000_000, 1_000_000])
    assert not marks
    assert words.startswith("It has stood at $10,000.00 since it was opened on ")


def test_every_date_on_the_floor_has_one_form(bring: Bring, staff: Staff) -> None:
    makers = [file.name for file in SCRIPTS.glob("*.js") if "DateTimeFormat" in file.read_text()]
    assert makers == ["when.js"]
    manager = bring().sign_in(*staff["manager"])
    page = manager.open("/manager")
    page.locator(".book-head").wait_for()
    moment = page.locator(".history time").first.inner_text()
    assert re.fullmatch(r"\d{1,2} [A-Z][a-z]{2,3} \d{4}, \d{2}:\d{2}", moment)
    day = page.locator("#table-days td:nth-child(2)").first.inner_text()
    assert day == moment.split(",")[0]
    assert not re.search(r"\d{4}-\d{2}-\d{2}|\d+/\d+/\d{4}", page.locator("main").inner_text())


def test_a_meters_plate_is_headed_by_its_table(bring: Bring) -> None:
    visitor = bring().visit()
    meters = visitor.get("/api/meters")["meters"]
    page = visitor.open("/lobby")
    for meter in (one for one in meters if one["tables"]):
        plate = page.locator(f'.meter-plate[href="/sign/{quote(meter["link"])}"]')
        expect(plate.locator(".plate-name")).to_have_text(f"Jackpot · {meter['tables'][0]}")
        expect(plate.locator(".plate-id")).to_have_text(meter["link"])


# ---------------------------------------------------------------- what people do


def sign_in_on_page(person: Person, name: str, password: str) -> Page:
    """At the entrance, as anybody does it."""
    page = person.open("/sign-in?next=/dealer")
    page.get_by_label("Name").fill(name)
    page.locator("#sign-in [name=password]").fill(password)
    page.get_by_role("button", name="Sign in").click()
    return page


def open_meter(manager: Person, name: str, second: dict[str, str]) -> None:
    """A meter that no table plays for."""
    opening = {"do": "open_link", "link": name, "seed_cents": SEED, "wager_cents": 100,
               "rate_bp": 1000, "reserve_bp": 0}  # fmt: skip
    body = {"id": f"opening {name}", "action": opening, "second": second}
    manager.post(f"/api/meters/{quote(name)}/commands", body)


def sign_of(person: Person, meter: str) -> Locator:
    """The amount on a meter's sign, in a browser of its own."""
    return person.open(f"/sign/{quote(meter)}").locator("#amount .unseen")


def sign_beside(page: Page, name: str, password: str) -> None:
    """The second person."""
    page.locator("[name=second-name]").fill(name)
    page.locator("[name=second-password]").fill(password)


def pay_a_jackpot(person: Person) -> str:
    """A royal flush, through key and J-pot; the meter that paid it."""
    page = person.open("/jackpot")
    page.get_by_role("button", name="Deal it").click()
    buttons = ".key-switch.next:not([disabled]), .j-pot.next:not([disabled])"

    def paid() -> bool:
        step = page.locator(f'{buttons}, #step[data-yours="yes"] .big:not([disabled])')
        if step.count():
            step.first.click()
            page.wait_for_timeout(60)
            return False
        return "The round is over" in page.locator("#step").inner_text()

    until(paid, "the jackpot is paid", page)
    return str(table_frames(person)[0]["sign"]["link"])
