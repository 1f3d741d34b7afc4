"""A royal flush paid through key and J-pot: win page, meter and sign follow."""

import json
from typing import Any
from urllib.parse import quote

import pytest

from tests.browser.conftest import Bring
from tests.browser.people import Person, until

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_royal_flush_is_paid_with_the_key_and_sign_and_meter_follow(bring: Bring) -> None:
    supervisor, passer_by = bring(), bring().visit()
    page = supervisor.open("/jackpot")
    page.get_by_role("button", name="Deal it").click()
    until(lambda: table_frames(supervisor), "the table", page)
    first = table_frames(supervisor)[0]
    table, meter = first["table"], first["sign"]["link"]
    before = first["sign"]["cents"]
    theirs = f"/sign/{quote(meter)}"
    assert passer_by.context.request.get(theirs).status == 404, "a visitor's is nobody else's"
    sign = supervisor.context.new_page()
    sign.goto(theirs)
    until(lambda: sign.locator("#sign").get_attribute("data-shows") == "jackpot", "sign", sign)
    shown: list[str] = []
    pdf = b""

    def paid() -> bool:
        nonlocal pdf
        shown.append(sign.locator("#sign").get_attribute("data-shows") or "")
        link = page.locator(".win-page")
        if link.count() and not pdf:
            answer = supervisor.context.request.get(link.get_attribute("href") or "")
            assert answer.ok, answer.text()
            pdf = answer.body()
        for button in (".key-switch.next:not([disabled])", ".j-pot.next:not([disabled])",
                       '#step[data-yours="yes"] .big:not([disabled])'):  # fmt: skip
            if page.locator(button).count():
                page.locator(button).first.click()
                page.wait_for_timeout(60)
                return False
        return "The round is over" in page.locator("#step").inner_text()

    until(paid, "the jackpot is paid", page)
    assert pdf.startswith(b"%PDF")
    assert "pending" in shown
    until(lambda: sign.locator("#sign").get_attribute("data-shows") == "win", "WIN", sign)
    assert "the test table" in sign.locator("#under").inner_text()
    assert sign.locator("#test").inner_text() == "TEST"
    last = table_frames(supervisor)[-1]
    assert last["sign"]["cents"] < before, "the meter begins again at its seed"
    did = [f["keys"]["key"] for f in table_frames(supervisor)]
    assert "JPH" in did
    assert did[-1] == "RUN"
    state = supervisor.get(f"/api/tables/{quote(table)}")["round"]
    winner = max(seat["net_cents"] for seat in state["seats"].values())
    assert winner >= before


def test_a_reload_shows_the_same_jackpot_again(bring: Bring) -> None:
    supervisor = bring()
    page = supervisor.open("/jackpot")
    page.get_by_role("button", name="Deal it").click()
    until(lambda: table_frames(supervisor), "the table", page)
    table = table_frames(supervisor)[0]["table"]
    until(lambda: f"table={quote(table)}" in page.url, "its address", page)
    before = len(table_frames(supervisor))
    page.reload()
    until(lambda: len(table_frames(supervisor)) > before, "the table again", page)
    assert {frame["table"] for frame in table_frames(supervisor)} == {table}


def table_frames(person: Person) -> list[dict[str, Any]]:
    """Frames of whichever table."""
    frames = [json.loads(one.text) for one in person.received if one.kind == "frame"]
    return [one for one in frames if one["kind"] == "table"]
