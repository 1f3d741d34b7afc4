"""A house's own rulebook in the browser: eight seats on the felt, five bets, its pages."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from riverboat.floor.audit.auditing import audit
from riverboat.floor.secret import MasterSecret
from riverboat.ledger import open_ledger
from riverboat.rulebooks import editions, with_own_rulebooks
from tests.browser.conftest import Bring
from tests.browser.people import until
from tests.browser.served import Served, served
from tests.support.own_rulebook import NAME, eight_boats

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Path]]:
    folder = tmp_path_factory.mktemp("own house")
    file = eight_boats(folder)
    with served(folder, "--rulebooks", str(folder)) as server:
        yield server, file


@pytest.mark.parametrize("phone", [False, True])
def test_it_is_dealt_at_eight_seats_with_bets_of_one_to_five_times(
    bring: Bring, house: tuple[Served, Path], tmp_path: Path, phone: bool
) -> None:
    server, file = house
    guest = bring(url=server.url, phone=phone).visit()
    page = guest.open_table(f"Table {NAME}")
    assert page.locator("#rulebook").inner_text().startswith("Eight Boats")
    own = 5 if phone else 4
    guest.sit(own)
    guest.bet(2, side=("three_card_bonus",))
    until(lambda: len(guest.own_cards) == 2, "two cards of one's own", page)
    largest = page.locator('[data-move^="bet"]:not([disabled])')
    until(lambda: largest.count() == 5, "five bets", page)
    assert re.search(r"5\s*[x×]", largest.last.inner_text())
    guest.picture(tmp_path, "eight seats")
    others = page.locator("#others > *")
    labels = others.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert {words.split(":")[0] for words in labels} == {
        f"Seat {seat}" for seat in range(1, 9) if seat != own
    }
    for box in [one.bounding_box() for one in [*others.all(), *largest.all()]]:
        if box is not None:  # A phone leaves out free seats.
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= page.evaluate("innerWidth")
    narrow = page.locator(".choices .button").evaluate_all(
        "all => all.filter(one => one.scrollWidth > one.clientWidth).length"
    )
    assert narrow == 0

    def settled() -> bool:
        if largest.count():
            largest.last.click()
            page.wait_for_timeout(60)
        return bool(guest.result)

    until(settled, "the hand is paid or lost", page, 90)
    assert re.match(r"You (won|lost) \$|You come out even", guest.result)
    with with_own_rulebooks([str(file)]), open_ledger(server.ledger, read_only=True) as ledger:
        found = audit(ledger, editions(), MasterSecret(server.secret.read_bytes()))
        assert found.holds, found.wrong


def test_lobby_payout_odds_and_rules_know_it(bring: Bring, house: tuple[Served, Path]) -> None:
    server, _ = house
    guest = bring(url=server.url).visit()
    assert NAME in [one["id"] for one in guest.get("/api/rulebooks")["rulebooks"]]
    assert guest.get(f"/lobby/choices/{NAME}")["rulebook"] == NAME
    page = guest.open("/lobby")
    expect(page.get_by_text(f"Table {NAME}").first).to_be_visible()
    page = guest.open("/settle")
    expect(page.locator(f'option[value="{NAME}"]').first).to_be_attached()
    page = guest.open(f"/odds/{NAME}")
    expect(page.get_by_text("Eight Boats").first).to_be_visible()
    asked = {"rulebook": NAME, "ante": "5", "bets": "5,4,1", "cards": "5h 5d", "board": "2h 3d 9c"}
    assert guest.post("/api/settle", asked)["net"] == "0.00"
    told = guest.get(f"/api/rulebooks/{NAME}")
    assert "EB.2" in str(told["clauses"])
