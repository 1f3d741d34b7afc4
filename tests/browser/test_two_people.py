"""Who signs for money: made by two, shown as waiting, approved by a third; on the pages."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import own_password
from tests.browser.people import Person
from tests.browser.served import served
from tests.browser.test_accessibility import serious

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_who_signs_for_money_is_made_by_two_and_approved_by_a_third(
    chrome: Browser, tmp_path: Path
) -> None:
    with served(tmp_path, "--signer-hours", "0") as server:
        keeper = Person(chrome, server.url).sign_in("admin", server.password)
        keeper.password = own_password(keeper)
        page = keeper.open("/accounts")
        expect(page.locator("#new-second")).to_be_hidden()
        page.get_by_role("radio", name="supervisor").check(force=True)
        expect(page.locator("#new-second-words")).to_contain_text("you make this account alone")
        assert not list(serious(page))
        page.get_by_label("Name").fill("Sue")
        page.get_by_role("button", name="Make the account").click()
        expect(page.locator("#given-title")).to_have_text("Sue can sign in")
        sue = Person(chrome, server.url).sign_in(
            "Sue", page.locator("#given-password").inner_text()
        )
        sue.password = own_password(sue)
        page.reload()
        line = page.locator('li[data-name="Sue"]')
        expect(line).to_contain_text("signs for money")
        second = {"name": "Sue", "password": sue.password}
        keeper.post("/api/accounts", {"name": "Tom", "door": "manager", "second": second,
                                      "password": "given to Tom at first"})  # fmt: skip
        tom = Person(chrome, server.url).sign_in("Tom", "given to Tom at first")
        tom.password = own_password(tom)
        signed = {one.name: one.password for one in (keeper, sue, tom)}

    with served(tmp_path) as server:
        keeper, tom = (Person(chrome, server.url).sign_in(x, signed[x]) for x in ("admin", "Tom"))
        page = keeper.open("/accounts")
        page.get_by_role("radio", name="administrator").check(force=True)
        expect(page.locator("#new-second-words")).to_contain_text("one of: Sue, Tom")
        page.get_by_label("Name").fill("Max")
        page.get_by_label("Who signs beside you").fill("Sue")
        page.get_by_label("Their password").fill("not the password")
        page.get_by_role("button", name="Make the account").click()
        expect(page.locator("#new-account .form-words")).to_have_text(
            "That name and password do not go together."
        )
        page.get_by_label("Their password").fill(signed["Sue"])
        page.get_by_role("button", name="Make the account").click()
        expect(page.locator("#given-title")).to_have_text("Max can sign in")
        given = page.locator("#given-password").inner_text()
        max_ = Person(chrome, server.url).sign_in("Max", given)
        own_password(max_)
        line = page.locator('li[data-name="Max"]')
        page.reload()
        expect(line).to_have_attribute("data-state", "waits")
        expect(line).to_contain_text("or once approved")
        assert not line.get_by_role("button", name="Approve").count(), "who made it does not"
        keeper.picture(tmp_path, "accounts")

        desk = tom.open("/supervisor")
        waits = desk.locator('.work-one[data-kind="account"]')
        expect(waits).to_contain_text("Max (administrator) waits to count as one of two people")
        tom.picture(tmp_path, "desk")
        waits.get_by_role("button", name="Approve Max").click()
        expect(desk.locator("#approve")).to_contain_text("You say that Max is who they say")
        assert not list(serious(desk))
        desk.locator("#approve").get_by_role("button", name="Approve").click()
        expect(waits).to_have_count(0)
        page.reload()
        expect(line).to_have_attribute("data-state", "signs")
        faults = [fault for one in (keeper, tom, max_) for fault in one.faults]
        assert not faults, faults
    print(f"pictures: {tmp_path}")
