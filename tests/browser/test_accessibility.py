"""No page shuts anybody out: axe finds nothing serious, and a round needs no mouse."""

import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any, Final
from urllib.parse import quote, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Bring, Staff
from tests.browser.pages import DOORS, VISITOR, filled, page_routes, shape
from tests.browser.people import DESKTOP, PHONE, Look, Person, play_out, until
from tests.browser.served import Served
from tests.browser.test_rounds import lines

pytestmark = [pytest.mark.browser, pytest.mark.slow]
AXE: Final = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
SERIOUS: Final = ("serious", "critical")
RULES: Final[dict[Look, dict[str, Any]]] = {
    "dark": {"resultTypes": ["violations"]},
    "light": {"resultTypes": ["violations"], "runOnly": ["color-contrast", "link-in-text-block"]},
}
COME_TO_REST: Final = """async () => {
  const frame = () => new Promise((go) => requestAnimationFrame(go));
  await frame(); await frame();
  const ending = document.getAnimations().filter((one) => one.effect.getTiming().iterations < 99);
  const late = new Promise((go) => setTimeout(go, 1500));
  await Promise.race([late, Promise.allSettled(ending.map((one) => one.finished))]);
}"""
"""Colours on their way from one to another are nobody's contrast."""


@pytest.fixture(scope="session")
def names(chrome: Browser, floor: Served) -> dict[str, str]:
    """What the pages are opened for: a table, a meter, a rulebook, a round that was played."""
    player = Person(chrome, floor.url)
    player.open("/")
    play_out([player])
    own = player.get("/api/me")["name"]
    line = next(line for line in lines(player) if line["link"])
    until(lambda: player.get("/api/rounds")["rounds"], "the round is on the list", player.page)
    player.context.close()
    found = {"table": line["table"], "meter": line["link"], "own": own}
    return {name: quote(text) for name, text in found.items()} | {
        "rulebook": line["rulebook"], "number": "1"
    }  # fmt: skip


def serious(page: Page) -> Iterator[str]:
    """What axe finds on a page as it is drawn now; in light, what hangs on colours."""
    page.evaluate(AXE)
    for size in (DESKTOP, PHONE):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        for look, rules in RULES.items():
            page.emulate_media(color_scheme=look)
            page.evaluate(COME_TO_REST)
            found = page.evaluate("rules => axe.run(document, rules)", rules)
            for one in found["violations"]:
                if one["impact"] in SERIOUS:
                    yield from told(one, f"{urlsplit(page.url).path} {size['width']} {look}")


def told(violation: dict[str, Any], where: str) -> Iterator[str]:
    """A violation with the elements that have it."""
    for node in violation["nodes"][:3]:
        why = " ".join(node.get("failureSummary", "").split())
        yield f"{where}: {violation['id']}: {node['html'][:160]}: {why[:260]}"


def look_at(person: Person, paths: tuple[str, ...], names: dict[str, str]) -> list[str]:
    """Open pages one after another; what is wrong with each."""
    problems: list[str] = []
    for path in paths:
        page = person.open(filled(path, names))
        page.wait_for_load_state("networkidle")
        assert page.locator("h1").count(), path
        assert_nothing_sticks_out(page, path)
        problems += serious(page)
        page.set_viewport_size({"width": DESKTOP["width"], "height": DESKTOP["height"]})
    return problems


STICKS_OUT: Final = """() => [...document.body.querySelectorAll("*")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one) => !one.closest("dialog:not([open])") && getComputedStyle(one).position !== "fixed")
  .map((one) => one.outerHTML.slice(0, 120)).slice(0, 4)"""


def assert_nothing_sticks_out(page: Page, path: str) -> None:
    """Nothing is wider than a phone's screen."""
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= PHONE["width"], f"{path} is {wide} px wide: {page.evaluate(STICKS_OUT)}"


def assert_none(problems: list[str]) -> None:
    """Every problem on a line of its own."""
    assert not problems, "\n".join(problems)


def test_every_page_is_looked_at() -> None:
    known = {shape(path) for path in (*VISITOR, *(p for door in DOORS.values() for p in door))}
    assert {shape(path) for path in page_routes()} <= known


@pytest.mark.slow
def test_nothing_serious_on_a_visitors_pages(bring: Bring, names: dict[str, str]) -> None:
    person = bring()
    person.context.request.get("/sign-in")
    assert_none(look_at(person, tuple(p for p in VISITOR if "{own}" not in p), names))


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_nothing_serious_on_the_pages_of_a_door(
    bring: Bring, staff: Staff, names: dict[str, str], door: str
) -> None:
    person = bring().sign_in(*staff[door])
    assert_none(look_at(person, DOORS[door], names))


def test_nothing_serious_while_a_hand_is_played(bring: Bring) -> None:
    player = bring()
    page = player.open("/")
    page.locator('[data-move="fold"]:not([disabled])').wait_for()
    problems = list(serious(page))
    play_out([player])
    problems += serious(page)
    page.locator("#plate .why-button").click()
    problems += serious(page)
    page.keyboard.press("Escape")
    page.locator("#settings-open").click()
    problems += serious(page)
    page.keyboard.press("Escape")
    player.name = player.get("/api/me")["name"]
    page = player.open(f"/rounds/{quote(player.name)}/1")
    page.wait_for_load_state("networkidle")
    problems += serious(page)
    assert_none(problems)


# ---------------------------------------------------------------- the keyboard alone


def tab_to(page: Page, wanted: str, most: int = 60) -> None:
    """Go on with the tab key until what is focused has this selector."""
    for _ in range(most):
        if page.evaluate("w => document.activeElement?.matches(w) ?? false", wanted):
            assert page.evaluate("document.activeElement.matches(':focus-visible')")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{most} tabs did not lead to {wanted}")


def test_a_whole_round_by_keyboard_alone(bring: Bring) -> None:
    player = bring().visit()
    table = lines(player)[0]["table"]
    page = player.open_table(table)
    tab_to(page, "#others .sit")
    page.keyboard.press("Enter")
    page.locator('.spot[data-spot="ante"].open').wait_for()
    tab_to(page, '.spot[data-spot="ante"]')
    page.keyboard.press("+")
    page.keyboard.press("Enter")
    tab_to(page, '[data-move="deal"]')
    page.keyboard.press("Enter")

    def over() -> bool:
        choice = page.locator('[data-move^="bet"]:not([disabled])').first
        if choice.count():
            tab_to(page, '[data-move^="bet"]')
            page.keyboard.press("Enter")
        return bool(player.result)

    until(over, "the result", page)
    tab_to(page, "#plate .why-button")
    page.keyboard.press("Enter")
    assert re.search(r"\$\d", page.locator("#why-words").inner_text())
    page.keyboard.press("Escape")
    assert not page.locator("#why").is_visible()
    until(lambda: _leaves(page), "the seat is left", page)


def _leaves(page: Page) -> bool:
    tab_to(page, "#stand-up")
    page.keyboard.press("Enter")
    page.wait_for_timeout(250)
    return not page.locator("#own").is_visible()


def test_nothing_pulses_for_somebody_who_asked_for_less_motion(bring: Bring) -> None:
    player = bring()
    page = player.open("/")
    page.locator('[data-move="fold"]:not([disabled])').wait_for()
    page.evaluate(COME_TO_REST)
    assert page.evaluate("document.getAnimations().map((one) => one.animationName)") == []
