"""The coach at a table in the terminal: what choices are worth, what they cost, and better bots."""

import io
import subprocess
import sys

import pytest

from riverboat.core.cards import parse_cards
from riverboat.exact import advise
from riverboat.round import set_up
from riverboat.round.state import Round, Seat
from riverboat.rulebooks import load
from riverboat.terminal.guide import NO_ADVICE, hint
from riverboat.terminal.sitting import play_sitting

pytestmark = pytest.mark.slow


def sit(name: str, *lines: str, seed: int = 7, coached: bool = False, best: bool = False) -> str:
    output = io.StringIO()
    script = io.StringIO("".join(f"{line}\n" for line in lines))
    play_sitting(
        load(name).book, seats=3, seat=2, seed=seed, input=script, output=output,
        coached=coached, best=best,
    )  # fmt: skip
    return " ".join(output.getvalue().split())


def test_the_coach_tells_every_choice_and_marks_the_best() -> None:
    said = sit("house-demo", "", "c", "q")
    assert said.count("Coach, in antes: fold -1.0000") == 1
    assert said.count("(best)") == 1


def decision(wagers: dict[str, int], turned: int = 0, stage: int = 0) -> Round:
    """A seat with A-K that has a decision to make."""
    seat = Seat(wagers=wagers, cards=parse_cards("Ah Kd"))
    return Round(
        setup=set_up(load("maryland-2014").book, {}), phase="deciding", seats={1: seat},
        community=parse_cards("Qs Js 2c"), turned=turned, stage=stage, waiting=(1,),
    )  # fmt: skip


def test_what_the_coach_says_is_what_the_adviser_says() -> None:
    said = hint(decision({"ante": 500, "third": 1500}, turned=1, stage=1), 1)
    found = advise("maryland-2014", "Ah Kd", board="Qs", bets="3", wager="5")
    for name, value in found.choices.items():
        assert f"{name} {float(value):+.4f}" in said
    assert f"{found.best} {float(found.choices[found.best]):+.4f} (best)" in said


def test_after_the_round_each_decision_has_its_cost() -> None:
    said = sit("house-demo", "", "c", "3", "3", "3", "q")
    review = said.split("Coach, in antes: ")[2]
    assert review.count(" Street: 3x ") == 3
    assert "was best" in review
    assert "on average $" in review


def test_who_is_coached_hears_it_at_every_decision_and_of_every_round() -> None:
    said = sit("island-stud", "", "b", "", "f", "q", coached=True)
    assert said.count("Coach, in antes: fold") == 2
    assert said.count("Coach, in antes: your ") == 2


def test_nobody_is_coached_who_does_not_ask() -> None:
    assert "Coach" not in sit("house-demo", "", "1", "1", "1", "q")


def test_a_bet_of_no_whole_multiple_is_beyond_the_coach() -> None:
    assert hint(decision({"ante": 500, "third": 750}, turned=1, stage=1), 1) == NO_ADVICE


@pytest.mark.parametrize("name", ["maryland-2014", "island-stud"])
def test_bots_can_play_the_best_there_is(name: str) -> None:
    lines = ["", "f"] * 4
    simple, best = (sit(name, *lines, "q", best=best) for best in (False, True))
    assert "4 rounds" in simple
    assert "4 rounds" in best
    assert best == sit(name, *lines, "q", best=True)


def test_plain_play_loads_no_mathematics() -> None:
    script = (
        "import io, sys; from riverboat.terminal.sitting import play_sitting\n"
        "from riverboat.rulebooks import load\n"
        "play_sitting(load('house-demo').book, seats=2, seat=1, seed=1,"
        " input=io.StringIO('\\nf\\nq\\n'), output=io.StringIO())\n"
        "print([m for m in sys.modules if m.startswith(('riverboat.exact', 'num'))])\n"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "['numbers']\n" or ran.stdout == "[]\n"
