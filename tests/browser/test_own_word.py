"""A player's own word is in the cut, the page of the round says so, and a house that lies about it
is shown at once: the test changes what the server sends, or what the browser has kept."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect

from riverboat.core.fairness import cut_depth, player_seal
from tests.browser.conftest import Bring
from tests.browser.people import Person, play_out, until

Told = dict[str, Any]
LIE = "cd" * 32
KEPT = "riverboat.words"


def played(bring: Bring) -> tuple[Person, str, int]:
    """Somebody who has played a round at a demo table, with their own browser's word in it."""
    player = bring().visit()
    lines = player.get("/api/tables")["tables"]
    table = next(x["table"] for x in lines if x.get("demo") and not x.get("link"))
    player.open_table(table)
    player.sit(1)
    player.bet()
    until(lambda: player.own_cards, "cards", player.page)
    number = player.frames_of(table)[-1]["round_number"]
    play_out([player])
    until(lambda: is_told(player, table, number), "the finished round", player.page)
    player.try_post(
        f"/api/tables/{quote(table)}/commands",
        {"id": f"leaves {number} {table}", "action": {"do": "stand_up", "seat": 1}},
    )
    return player, table, number


def is_told(player: Person, table: str, number: int) -> bool:
    path = f"/api/tables/{quote(table)}/rounds/{number}"
    return player.context.request.get(path, headers={"accept": "application/json"}).ok


def kept_by(player: Person) -> list[Told]:
    kept: list[Told] = json.loads(player.page.evaluate(f"localStorage.getItem('{KEPT}')"))
    return kept


def verdict(player: Person, table: str, number: int) -> tuple[str, str]:
    """What the page of the round says of it, and whether it holds."""
    page = player.open(f"/rounds/{quote(table)}/{number}")
    own = page.locator("#own-proof[data-holds]")
    own.wait_for()
    return own.get_attribute("data-holds") or "", own.inner_text()


def lying(page: Page, table: str, number: int, lie: Callable[[Told], None]) -> None:
    """From now on the server tells this round otherwise."""

    def answer(route: Route) -> None:
        told = route.fetch().json()
        lie(told["proof"])
        route.fulfill(json=told)

    page.route(f"**/api/tables/{quote(table)}/rounds/{number}", answer)


# ---------------------------------------------------------------- lies


def another_root(proof: Told) -> None:
    proof["root"] = LIE


def another_word_of_the_house(proof: Told) -> None:
    proof["word"] = LIE


def own_word_left_out(proof: Told) -> None:
    """As if it had never been told; the depth follows, so that only the player can know."""
    proof["words"][0]["word"] = None
    cut = next(cut for cut in proof["cuts"] if cut["fixed"])
    cut |= {"seats": [], "withheld": [1], "seconds": 2}
    cut["depth"] = cut_depth(proof["root"], proof["word"], {}, cut["lowest"], cut["deepest"])
    proof["dealt"] = []


def own_seal_forgotten(proof: Told) -> None:
    own_word_left_out(proof)
    proof["words"] = []


def another_word_for_the_seat(proof: Told) -> None:
    seal = player_seal(proof["root"], 1, LIE)
    cut = next(cut for cut in proof["cuts"] if cut["fixed"])
    proof["words"] = [{"seat": 1, "seal": seal, "word": LIE}]
    words = {1: LIE}
    cut["depth"] = cut_depth(proof["root"], proof["word"], words, cut["lowest"], cut["deepest"])
    proof["dealt"] = []


def another_depth(proof: Told) -> None:
    next(cut for cut in proof["cuts"] if cut["fixed"])["depth"] += 1


def another_card(proof: Told) -> None:
    shown = [one for one in proof["dealt"] if one["card"]]
    shown[0]["card"], shown[1]["card"] = shown[1]["card"], shown[0]["card"]


LIES = {
    another_root: "root",
    another_word_of_the_house: "the house's word is not the one that it committed to",
    own_word_left_out: "took your word (entry ",
    own_seal_forgotten: "is not on record",
    another_word_for_the_seat: "another word than yours",
    another_depth: "the words come to",
    another_card: "did not lie there after the cut",
}


@pytest.mark.slow
def test_ones_own_word_is_in_the_cut_and_every_lie_about_it_is_shown(bring: Bring) -> None:
    player, table, number = played(bring)
    (kept,) = (one for one in kept_by(player) if one["table"] == table)
    told = player.get(f"/api/tables/{quote(table)}/rounds/{number}")["proof"]
    before = [f for f in player.frames_of(table) if f["round_number"] == number]
    roots = {d["root"] for f in before for d in f["decks"] if d["stage"] == "in_play"}
    assert roots == {kept["root"]} == {told["root"]}
    assert told["words"] == [{"seat": 1, "seal": kept["seal"], "word": kept["word"]}]
    (cut,) = (cut for cut in told["cuts"] if cut["fixed"])
    assert (cut["seats"], cut["withheld"]) == ([1], [])
    assert 0 < kept["sealed"] < kept["told"]
    early = [f for f in before if f["round"]["phase"] == "betting"]
    assert not any(kept["word"] in json.dumps(f) for f in early), "nobody could read it"

    holds, words = verdict(player, table, number)
    assert (holds, words.startswith("Your own word is in this cut")) == ("yes", True), words
    expect(player.page.locator("#proof")).to_contain_text("by the words of the house and of seat 1")

    for lie, said in LIES.items():
        lying(player.page, table, number, lie)
        holds, words = verdict(player, table, number)
        assert holds == "no", lie.__name__
        assert "NOT as it should be" in words
        assert said in words, (lie.__name__, words)
        player.page.unroute_all()

    spoilt = [{**kept, "root": LIE}]
    player.page.evaluate(f"kept => localStorage.setItem('{KEPT}', JSON.stringify(kept))", spoilt)
    holds, words = verdict(player, table, number)
    assert (holds, "its root is another" in words) == ("no", True)
    player.page.evaluate(f"localStorage.removeItem('{KEPT}')")
    holds, words = verdict(player, table, number)
    assert (holds, "kept no word of your own" in words) == ("yes", True)
