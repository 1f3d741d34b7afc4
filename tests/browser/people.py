"""People at the floor: a browser each, what reached it, and what they do with it."""

import json
import re
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import quote, urlsplit

from playwright.sync_api import APIResponse, Browser, Error, Page, Response, WebSocket

PATIENCE: Final = 75.0
"""Seconds that anything may take before a test gives it up; machines are shared."""
DESKTOP: Final = {"width": 1440, "height": 900}
PHONE: Final = {"width": 390, "height": 844}
Look = Literal["dark", "light"]


class Received(NamedTuple):
    """Something that the server sent to a browser: when, as what, and its text."""

    at: float
    kind: Literal["frame", "page"]
    address: str
    text: str


class Person:
    """Somebody with a browser of their own."""

    def __init__(
        self, chrome: Browser, url: str, *, phone: bool = False, look: Look = "dark", name: str = ""
    ) -> None:
        size = PHONE if phone else DESKTOP
        self.url, self.name, self.password = url, name, ""
        self.context = chrome.new_context(
            base_url=url,
            viewport={"width": size["width"], "height": size["height"]},
            color_scheme=look,
            reduced_motion="reduce",
            has_touch=phone,
        )
        self.context.set_default_timeout(PATIENCE * 1000)
        self.received: list[Received] = []
        self.faults: list[str] = []
        self.lost: list[str] = []
        self._unread: list[Response] = []
        self.page = self.new_page()

    def new_page(self) -> Page:
        """A page whose traffic and complaints are kept."""
        page = self.context.new_page()
        page.on("websocket", self._follow)
        page.on("response", lambda response: self._unread.append(response))
        page.on("console", lambda said: self._complain(said.type, said.text))
        page.on("pageerror", lambda problem: self.faults.append(f"script: {problem}"))
        return page

    def _complain(self, kind: str, words: str) -> None:
        """What a page says on its console; that the house refuses something is no fault of it."""
        if kind in ("error", "warning") and "status of 409" not in words:
            self.faults.append(f"{kind}: {words}")

    def _follow(self, socket: WebSocket) -> None:
        def came(payload: str | bytes) -> None:
            text = payload if isinstance(payload, str) else payload.decode()
            self.received.append(Received(time.time(), "frame", socket.url, text))

        socket.on("framereceived", came)

    def collect(self) -> None:
        """Read the bodies of the answers that came; before a page is left. What came while it was
        being left is kept by its address: who goes through everything fails on it."""
        waiting, self._unread = self._unread, []
        for response in waiting:
            path = urlsplit(response.url).path
            if path.startswith("/static/") or response.status in (204, 301, 302, 303, 307, 308):
                continue
            timing = response.request.timing
            at = (timing["startTime"] + max(0.0, timing["responseStart"])) / 1000
            try:
                self.received.append(Received(at, "page", response.url, response.text()))
            except Error:
                self.lost.append(response.url)

    def gathered(self) -> list[Received]:
        """Everything that was received; the page is left, and it begins anew."""
        self.open("about:blank")
        assert not self.lost, f"answers that nobody read: {self.lost}"
        received, self.received = self.received, []
        return received

    # ---------------------------------------------------------------- coming in

    def visit(self) -> "Person":
        """Come in as a visitor without looking at anything yet."""
        self.context.request.get("/sign-in")
        told = self.post("/api/visit")
        self.name = told["name"]
        return self

    def sign_in(self, name: str, password: str) -> "Person":
        """Come in with an account."""
        self.context.request.get("/sign-in")
        self.post("/api/sign-in", {"name": name, "password": password})
        self.name, self.password = name, password
        return self

    def open(self, path: str) -> Page:
        """Go to a page."""
        self.collect()
        self.page.goto(path)
        return self.page

    def open_table(self, table: str) -> Page:
        """Look at a table."""
        page = self.open(f"/tables/{quote(table)}")
        page.locator("#felt[data-phase]").wait_for()
        return page

    # ---------------------------------------------------------------- asking the server itself

    def post(self, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """What a page would send; whatever is refused fails the test."""
        answer = self.try_post(path, body)
        assert answer.ok, f"{path}: {answer.status} {answer.text()}"
        told: dict[str, Any] = answer.json()
        return told

    def try_post(self, path: str, body: dict[str, Any] | None = None) -> APIResponse:
        """What a page would send."""
        cookies = {one["name"]: one["value"] for one in self.context.cookies()}
        headers = {"x-riverboat-csrf": cookies.get("riverboat-csrf", "")}
        return self.context.request.post(path, data=body or {}, headers=headers)

    def get(self, path: str) -> dict[str, Any]:
        """What a page would ask for."""
        answer = self.context.request.get(path, headers={"accept": "application/json"})
        assert answer.ok, f"{path}: {answer.status} {answer.text()}"
        told: dict[str, Any] = answer.json()
        return told

    def ask(self, table: str, **action: Any) -> dict[str, Any]:
        """An action at a table."""
        path = f"/api/tables/{quote(table)}/commands"
        return self.post(path, {"id": str(uuid.uuid4()), "action": action})

    # ---------------------------------------------------------------- at a table

    def sit(self, seat: int) -> None:
        """Take a free seat by its button."""
        self.page.get_by_role("button", name=re.compile(f"^Seat {seat} ")).click()
        self.page.locator("#own").wait_for()

    def bet(self, ante: int = 2, *, side: tuple[str, ...] = (), chip: int = 500) -> None:
        """Lay chips on the ante and one on each side bet, and ask to be dealt to."""
        page = self.page
        page.locator('.spot[data-spot="ante"].open').wait_for()
        page.locator(f'input[name="chip"][value="{chip}"]').check(force=True)
        for spot in ("ante",) * ante + side:
            page.locator(f'.spot[data-spot="{spot}"]').click()
        page.locator('[data-move="deal"]:not([disabled])').click()

    def decide(self, choice: str = "bet") -> bool:
        """Decide where it is one's turn, for a bet the smallest; whether it was."""
        button = self.page.locator(f'[data-move^="{choice}"]:not([disabled])').first
        if not button.count():
            return False
        button.click()
        return True

    @property
    def result(self) -> str:
        """What the plate says the round came to; nothing before it is over."""
        plate = self.page.locator("#plate .why-button b")
        return plate.inner_text() if plate.count() else ""

    @property
    def own_cards(self) -> list[str]:
        """One's cards as they lie face up."""
        return self.cards_in("#own-cards")

    def cards_in(self, place: str) -> list[str]:
        """The cards that are drawn face up in a place."""
        shown = self.page.locator(f"{place} .card").evaluate_all(
            "cards => cards.map(card => card.dataset.card ?? '')"
        )
        return [card for card in shown if card]

    def frames_of(self, table: str) -> list[dict[str, Any]]:
        """The table's frames that reached this browser."""
        frames = [json.loads(one.text) for one in self.received if one.kind == "frame"]
        return [one for one in frames if one.get("kind") == "table" and one["table"] == table]

    def picture(self, folder: Path, name: str) -> None:
        """What they see now."""
        self.page.screenshot(path=folder / f"{name}.png")


def until(true: Callable[[], object], what: str, page: Page, seconds: float = PATIENCE) -> None:
    """Wait for something, letting the browsers go on meanwhile."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {seconds:.0f} s in vain: {what}")
        page.wait_for_timeout(40)


def play_out(people: list[Person], choices: dict[str, str] | None = None) -> None:
    """Everybody decides when it is their turn, until everybody sees a result."""

    def all_done() -> bool:
        for one in people:
            one.decide((choices or {}).get(one.name, "bet"))
        return all(one.result for one in people)

    until(all_done, "a result on every screen", people[0].page)
