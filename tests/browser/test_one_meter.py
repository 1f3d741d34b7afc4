"""Two winners of one meter, as a browser shows them: the signs, and what each seat has."""

from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect

from riverboat.ledger import open_ledger
from tests.browser.people import Person
from tests.browser.served import served
from tests.floor.house import House, floor_on
from tests.floor.test_one_meter import EXAMPLES, play_on_floor

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_signs_and_rounds_show_the_cents_of_every_other_way_to_play(
    chrome: Browser, tmp_path: Path
) -> None:
    data = tmp_path / "riverboat"
    data.mkdir()
    (data / "master.secret").write_bytes(bytes(range(32)))
    with open_ledger(f"sqlite:///{data / 'floor.db'}") as ledger:
        house = House(floor_on(ledger))
        for number, (cards, _, _) in enumerate(EXAMPLES.values(), start=1):
            play_on_floor(house, cards, f"T{number}", f"M{number}")
    with served(tmp_path) as server:
        visitor = Person(chrome, server.url).visit()
        for number, (_, (right, left), rest) in enumerate(EXAMPLES.values(), start=1):
            page = visitor.open(f"/sign/{quote(f'M{number}')}")
            expect(page.locator("#amount .unseen")).to_have_text(f"${rest:,}")
            seats = visitor.get(f"/api/tables/T{number}")["round"]["seats"]
            paid = [seats[seat]["results_cents"]["progressive"] for seat in ("2", "1")]
            assert paid == [right * 100 - 1_00, left * 100 - 1_00]
        visitor.context.close()
