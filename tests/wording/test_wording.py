"""Everything that people read of a table, in all rulebooks, is grammatical and cites a clause once.

Prompts, pit logs, explanations and refusals of the whole library of days, scenarios and
configurations are made and read: articles before vowels, words twice in a row, one of several.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

from riverboat.round.table_talk import held, number_of
from riverboat.rulebook import Rulebook
from riverboat.rulebook.values import with_article
from riverboat.rulebooks import load, rulebook_ids
from riverboat.scripts.day_file import DayScript, read_days
from riverboat.scripts.day_library import prompted_day
from riverboat.scripts.day_runner import DayRunner
from riverboat.scripts.scenario import play_scenario
from riverboat.scripts.scenario_file import Scenario, read_scenarios
from riverboat.table.configuration.configure import ConfigurationRefused, configure
from riverboat.table.configuration.submission import Device, Submission
from riverboat.table.task import Prompt
from riverboat.wording.explaining import explain
from riverboat.wording.pit_log import pit_log
from riverboat.wording.prompts.prompt import prompt
from tests.conftest import Report
from tests.support.places import ROOT, TESTS

SCRIPTS = ROOT / "riverboat" / "scripts" / "days"
COUNTED = "card|chip|wager|round|seat|hour|minute|light|award|deck|stack|bet|place"
FAULTS = {
    "an article before a vowel": re.compile(r"\b[Aa] (?!one\b|uni|use)[aeiou]\w*"),
    "an article before a consonant": re.compile(r"\b[Aa]n (?!hour|[aeiou8A-Z])\w+"),
    "a word twice": re.compile(r"(?<![-\w])([A-Za-z]+) \1\b"),
    "one of several": re.compile(
        rf"(?<![\d.,$:/-])(?<!eat )\b1 (?:accepted )?(?:{COUNTED})s\b(?! [a-z]+s\b)"
    ),
    "several of one": re.compile(
        rf"(?<![\d.,$:/-])\b(?:0|[2-9]|\d\d+) (?:{COUNTED})\b(?! bonus)(?! \d)"
    ),
    "no name for a button": re.compile(r"[Pp]ress (?:appropriate|bet lock)|ppropriate button"),
    "a space too many": re.compile(r"  | [,;:.]"),
}
ASKED = re.compile(r"^REFUSED \([^)]*\): ")


class Text(NamedTuple):
    """Something that somebody reads, and the clauses beside it."""

    words: str
    cites: tuple[str, ...]


@cache
def books() -> dict[str, tuple[Rulebook, str]]:
    return {name: (load(name).book, load(name).sha256) for name in rulebook_ids()}


def of_prompt(told: Prompt) -> Iterator[Text]:
    for task in (*told.at_once, *told.tasks):
        yield from (Text(words, task.cites) for words in (task.words, task.say, *task.how))
    yield from (Text(notice.words, notice.cites) for notice in told.notices)


def of_day(script: DayScript) -> Iterator[Text]:
    runner = DayRunner(script, books())
    runner.run()
    for one in runner.happened:
        yield from of_prompt(prompt(one.after))
    for verbose in (False, True):
        for line in pit_log(runner.happened, runner.tried, verbose=verbose):
            yield Text(ASKED.sub("", line.what), line.cites)
    yield from (Text(str(one.refusal), one.refusal.cites) for one in runner.tried)


def of_scenario(scenario: Scenario) -> Iterator[Text]:
    played = play_scenario(scenario, books()[scenario.rulebook][0])
    if played.refusal is not None:
        yield Text(str(played.refusal), played.refusal.cites)
    if played.state is not None:
        for by_spot in (False, True):
            for told in explain(played.state, by_spot=by_spot):
                yield Text(told.words, told.cites)


def read_through(name: str) -> Iterator[Text]:
    """What is read under a rulebook."""
    for moment in prompted_day(*books()[name]):
        yield from of_prompt(moment.prompt)
    for file in (SCRIPTS / f"{name}.toml", *sorted((TESTS / "days" / name).glob("*.toml"))):
        for _, script in read_days(file.read_text("utf-8")):
            assert isinstance(script, DayScript), script
            yield from of_day(script)
    for file in sorted((TESTS / "rules" / name).glob("*.toml")):
        for _, scenario in read_scenarios(file.read_text("utf-8")):
            assert isinstance(scenario, Scenario), scenario
            yield from of_scenario(scenario)


def faults_in(text: Text) -> Iterator[str]:
    for fault, pattern in FAULTS.items():
        found = pattern.search(text.words)
        if found is not None:
            yield f"{fault}: {found.group()!r} in {text.words!r}"
    twice = sorted({cite for cite in text.cites if text.cites.count(cite) > 1})
    if twice:
        yield f"cited twice: {', '.join(twice)} in {text.words!r}"
    named = sorted(cite for cite in text.cites if re.search(rf"\b{re.escape(cite)}\b", text.words))
    if named:
        yield f"named in the words and again beside them: {', '.join(named)} in {text.words!r}"


@pytest.mark.slow
@pytest.mark.parametrize("name", rulebook_ids())
def test_what_people_read_is_grammatical_and_cites_once(name: str, report: Report) -> None:
    texts = set(read_through(name))
    faults = sorted({fault for text in texts for fault in faults_in(text)})
    assert not faults, "\n".join(faults)
    assert len(texts) > 100
    report(f"wording, {name}: {len(texts)} sentences read")


@pytest.mark.parametrize(
    "words",
    [
        "a automated shuffle",
        "an manual shuffle",
        "Press appropriate button on the keypad",
        "2 chips counted for 1 wagers",
        "3 chip for 2 wagers",
        "the the deck",
        "Seat 1: Bet : fold",
    ],
)
def test_the_reader_finds_what_was_wrong_before(words: str) -> None:
    assert list(faults_in(Text(words, ())))


def test_the_reader_finds_a_clause_that_is_named_twice() -> None:
    assert list(faults_in(Text("as B-24 has it", ("B-24",))))
    assert list(faults_in(Text("as it is", ("B-24", "B-28", "B-24"))))
    assert not list(faults_in(Text("an hour; a one-card cut; 1 card of 52 cards", ("B-24",))))


def test_articles_and_plurals() -> None:
    assert with_article("automated shuffle") == "an automated shuffle"
    assert with_article("manual shuffle") == "a manual shuffle"
    assert [number_of(n, "card") for n in (0, 1, 2)] == ["0 cards", "1 card", "2 cards"]
    assert held("royal_flush") == "a royal flush"
    assert held("four_of_a_kind") == "four of a kind"
    assert held("high_card") == "no pair"
    assert held("pair of kings") == "a pair of kings"


@pytest.mark.parametrize(
    ("name", "said", "told"),
    [
        (
            "island-stud",
            {"table": {"dealing": "manual_shoe"}},
            "dealing from a manual shoe; dealing from an automated shoe or shuffler or from the "
            "hand is allowed",
        ),
        ("island-stud", {"device": Device(packets=1)}, "packets of 1 card; packets of 5 are right"),
        (
            "maryland-2014",
            {"without": ("third_area",)},
            "the layout has no area for the 3rd Street bet",
        ),
    ],
)
def test_a_refused_table_is_told_in_plain_words(name: str, said: dict[str, Any], told: str) -> None:
    with pytest.raises(ConfigurationRefused) as refusal:
        configure(load(name).book, Submission(rulebook=name, **said), rulebook_sha256="")
    assert told in str(refusal.value)
