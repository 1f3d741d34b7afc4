"""The dealer is told the deal in the order of the deal: by every way to deal, in every sequence.

What the prompt says is read back word by word and held against the cards as they were dealt.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from riverboat.round import events as r
from riverboat.rulebook import Rulebook
from riverboat.rulebook.options import Choice
from riverboat.rulebook.procedures import DealingMethod
from riverboat.rulebooks import load, rulebook_ids
from riverboat.scripts.day_file import DayScript
from riverboat.scripts.day_library import every_bet
from riverboat.scripts.day_runner import DayRunner
from riverboat.table import actions as a
from riverboat.table.configuration.submission import Approvals, Device
from riverboat.table.task import Prompt
from riverboat.wording.prompts.prompt import prompt

PLACES = {"the six card box": "box", "the community area": "community", "the dealer": "dealer"}
PART = re.compile(r"(\d+) cards? (at a time )?to (?:each of )?(.+?)(?:, (\w+)(?: times)? around)?$")
TIMES = {"twice": 2}
RESHUFFLES = Device(shuffler=True, reshuffles=True, approved=True, packets=2)
SEQUENCE_OPTIONS = ("community_cards_dealt", "shoe_sequence", "six_card_dealing", "two_card_method")


class Way(NamedTuple):
    """One way to deal under a rulebook."""

    rulebook: str
    method: str
    choices: tuple[tuple[str, str], ...]
    six_card: bool

    def __str__(self) -> str:
        chosen = "-".join(choice for _, choice in self.choices)
        return f"{self.rulebook}-{self.method}-{chosen}{'-box' * self.six_card}"


def ways() -> Iterator[Way]:
    """Every dealing method, with every choice of the options that order its deal."""
    for name in rulebook_ids():
        book = load(name).book
        for method in book.dealing:
            for six_card in (False, True) if "six_card_bonus" in every_bet(book) else (False,):
                for choices in _choices(book, method):
                    if _fits(method, dict(choices), six_card):
                        yield Way(name, method.method, choices, six_card)


def _choices(book: Rulebook, method: DealingMethod) -> list[tuple[tuple[str, str], ...]]:
    found: list[tuple[tuple[str, str], ...]] = [()]
    wanted: list[str] = [method.sequence_option] if method.sequence_option else []
    wanted += ["two_card_method"] if method.seat_cards == "by_option" else []
    for name in wanted:
        option = book.options[name]
        assert isinstance(option, Choice)
        found = [(*some, (name, choice)) for some in found for choice in option.choices]
    return found


def _fits(method: DealingMethod, chosen: dict[str, str], six_card: bool) -> bool:
    """Sequences that begin with the box are for the six card bonus, and no others are."""
    if "shoe_sequence" in chosen:
        return chosen["shoe_sequence"].startswith("4") == six_card
    return not six_card or chosen.get("six_card_dealing") == "four_cards_first"


@cache
def dealt_by(way: Way) -> tuple[Prompt, tuple[tuple[str, int], ...], Prompt]:
    """What the dealer is told at the deal, the deal itself, and what follows it."""
    book, sha256 = load(way.rulebook).book, load(way.rulebook).sha256
    bets = every_bet(book) if way.six_card else {}
    rule = next(method for method in book.dealing if method.method == way.method)
    table: dict[str, str | int | bool] = {**bets, **dict(way.choices)}
    if not rule.only_when:
        table["dealing"] = way.method
    elif "device_down" in book.options:
        table["device_down"] = "manual"
    script = DayScript(
        title=str(way),
        rulebook=way.rulebook,
        people={"Cal": "player"},
        table=table,
        approvals=Approvals(manual_dealing=True) if rule.only_when else Approvals(),
        device=RESHUFFLES if ("shoe_sequence", "3-2") in way.choices else None,
    )
    runner = DayRunner(script, {book.id: (book, sha256)})
    runner.run()
    assert not runner.failed, runner.failed
    if rule.only_when:
        floor, dealer = runner.person("Flo"), runner.person("Dana")
        runner.do(dealer, a.FailDevice(reason="smoke"))
        runner.do(dealer, a.MarkDevice(how="covered"))
        runner.do(floor, a.UseMethod(dealing=way.method, shuffle="manual"))
    for _ in range(60):
        day = runner.day
        told = prompt(day)
        antes = [task for task in told.tasks if day.in_round and task.who == "player"]
        if day.in_round and day.playing.phase == "betting" and any(t.do for t in antes):
            runner.follow(next(task for task in antes if task.do))
            continue
        task = next(task for task in told.tasks if not task.optional)
        if isinstance(task.do, a.DealOut):
            entry = runner.do(runner.who(task), task.do)
            event = next(event for event in entry.events if isinstance(event, r.CardsDealt))
            assert runner.day.setup.dealing.method == way.method
            order = tuple((place, len(cards)) for place, cards in event.deliveries)
            return told, order, prompt(runner.day)
        runner.follow(task)
    raise AssertionError("never dealt")


def read_back(words: str) -> Iterator[tuple[str, int]]:
    """The deal that a prompt's words describe."""
    for part in words.removeprefix("Deal ").split(", then "):
        found = PART.fullmatch(part)
        assert found is not None, part
        cards, one_by_one, to, times = found.groups()
        assert bool(one_by_one) == bool(times), part
        numbers = re.findall(r"\d+", to) if to.startswith("seat") else [PLACES[to]]
        for _ in range(TIMES.get(times, 1)):
            yield from ((place, int(cards)) for place in numbers)


@pytest.mark.parametrize("way", tuple(ways()), ids=str)
def test_the_prompt_tells_the_deal_in_its_order(way: Way) -> None:
    told, order, _ = dealt_by(way)
    words = next(task.words for task in told.tasks if isinstance(task.do, a.DealOut))
    assert tuple(read_back(words)) == order
    assert len({place for place, _ in order if place.isdecimal()}) == 3


def test_there_are_as_many_ways_as_the_rulebooks_have() -> None:
    found = list(ways())
    assert len(found) >= 20
    assert {way.rulebook for way in found} == set(rulebook_ids())
    named = {name for way in found for name, _ in way.choices}
    assert named == set(SEQUENCE_OPTIONS)


@pytest.mark.parametrize("way", tuple(ways()), ids=str)
def test_the_stub_is_told_after_the_deal_and_not_before(way: Way) -> None:
    told, _, after = dealt_by(way)
    book = load(way.rulebook).book
    stub = next(method.stub for method in book.dealing if method.method == way.method)
    spoken = [task for task in after.at_once if "stub" in task.words]
    if stub.goes == "not_mentioned":
        assert not spoken
        return
    assert [task.words for task in spoken] == ["Put the stub into the discard rack, unexposed"]
    assert spoken[0].cites
    assert set(spoken[0].cites) <= set(stub.cites)
    before = {cite for task in told.tasks for cite in task.cites}
    method = next(method for method in book.dealing if method.method == way.method)
    by_hand = set(method.from_hand.cites) if method.from_hand else set()
    shared = set(book.deal.cites) if way.rulebook == "house-demo" else set()
    assert not before & set(spoken[0].cites) - by_hand - shared


@pytest.mark.parametrize("way", tuple(ways()), ids=str)
def test_no_clause_of_another_sequence_is_cited(way: Way) -> None:
    told, order, after = dealt_by(way)
    cited = {c for task in (*told.tasks, *after.at_once) for c in task.cites}
    with_box = order[0][0] == "box"
    if way.method == "automated" and way.rulebook == "maryland-2014":
        assert any(cite.startswith("MD-2014.10.B.") for cite in cited) == with_box
        first_list = not with_box or order[-1][0] == "community"
        assert any(cite.startswith("MD-2014.pre.") for cite in cited) == first_list
        assert ("MD-2014.10.H" in cited) == (order[0][0] == "community")
