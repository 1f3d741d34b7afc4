"""A table in the terminal: told in lines, drawn on a screen, played with keys, and left cleanly."""

import fcntl
import io
import os
import random
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, Self

import pytest

from riverboat.answers.page import Block
from riverboat.core.cards import parse_cards
from riverboat.core.money import format_cents, parse_dollars
from riverboat.round import events as e
from riverboat.round import set_up
from riverboat.round.table_talk import STANDING
from riverboat.rulebook import Rulebook
from riverboat.rulebook.options import Integer
from riverboat.rulebooks import load, rulebook_ids
from riverboat.terminal import play_sitting, play_table
from riverboat.terminal.drawing import short
from riverboat.terminal.felt import Said, keys_asked, page_frame, page_lines, table_frame
from riverboat.terminal.front import Command, Leaving, Prompt, read_command
from riverboat.terminal.guide import explanation_page, help_page
from riverboat.terminal.play import house_choices
from riverboat.terminal.players import Player, pair_or_ace_king, points_and_pairs, top_up
from riverboat.terminal.scene import Scene
from riverboat.terminal.sitting import Sitting
from riverboat.wording.hands import brief_hand, hand_words
from tests.support.places import ROOT

SIZES = [(80, 24), (81, 25), (100, 30), (120, 40), (250, 80)]


def sit(name: str, *lines: str, seats: int = 6, seat: int = 3, seed: int = 7) -> tuple[int, str]:
    """Play these lines at a table; the exit status and everything that was said."""
    output = io.StringIO()
    script = io.StringIO("".join(f"{line}\n" for line in lines))
    book = load(name).book
    status = play_table(book, seats=seats, seat=seat, seed=seed, input=script, output=output)
    return status, output.getvalue()


def one_round(book: Rulebook) -> list[str]:
    """A round in which you always stay in for the least."""
    return ["", "b"] if book.comparison is not None else ["", "1", "1", "1"]


# ---------------------------------------------------------------- told in lines


@pytest.mark.parametrize("name", rulebook_ids())
def test_three_rounds_are_played_to_the_end_under_every_rulebook(name: str) -> None:
    book = load(name).book
    status, said = sit(name, *one_round(book) * 3, "q")
    assert status == 0
    results = re.findall(r"^Round (\d): you (won|lost|came out) (\S+)\.$", said, re.MULTILINE)
    assert [number for number, _, _ in results] == ["1", "2", "3"]
    cents = 0
    for _, how, amount in results:
        if how != "came out":
            cents += parse_dollars(amount.strip("$")) * (1 if how == "won" else -1)
    purse = format_cents(1_000_00 + cents)
    assert f"You have {purse} in play money." in said
    assert f"Goodbye. You leave with {purse} in play money after 3 rounds" in said
    assert "abandoned" not in said
    assert said.count(book.title) == 4, "at the door and in every round"
    assert said.count(f"{STANDING[book.status]} · play money") == 4


@pytest.mark.parametrize("name", rulebook_ids())
def test_no_line_is_longer_than_80_and_nothing_controls_the_screen(name: str) -> None:
    asked = ["s 1 5", "s 2 1", "b 123456789.25", "?", *one_round(load(name).book), "e", "?", "q"]
    _, said = sit(name, "e", *asked, *("q" * 9))
    assert max(map(len, said.splitlines())) <= 80
    assert "\x1b" not in said
    assert "[bold" not in said
    assert "\N{NO-BREAK SPACE}" not in said


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_same_seed_deals_the_same_cards_and_another_does_not(name: str) -> None:
    script = [*one_round(load(name).book) * 2, "q"]
    assert sit(name, *script, seed=5) == sit(name, *script, seed=5)
    assert sit(name, *script, seed=5) != sit(name, *script, seed=6)


def test_a_table_without_a_seed_is_shuffled_anew() -> None:
    book = load("house-demo").book

    def hand() -> str:
        output = io.StringIO()
        script = io.StringIO("\n")
        play_table(book, seats=7, seat=1, seed=None, input=script, output=output)
        return output.getvalue()

    assert len({hand() for _ in range(4)}) > 1


def test_a_round_is_told_from_the_bets_to_the_explanation() -> None:
    _, said = sit("maryland-2014", "s 1 1", "", "3", "3", "f", "q")
    assert "Seat 3, You: Ante $5, Three Card Bonus $1\n" in said
    assert "No more bets.\n$0.63 to the meter; the meter shows $10,000.63.\nDealt 4 to " in said
    assert (
        "Your hand, jack high:\n"
        "  ╭─────╮ ╭─────╮\n"
        "  │J    │ │4    │\n"
        "  │  ♥  │ │  ♣  │\n"
        "  │    J│ │    4│\n"
        "  ╰─────╯ ╰─────╯\n"
        "3rd Street: Ada folds.\n"
        "Ada's fold loses the progressive payout as well.\n"
        "3rd Street: Beau bets $10 (1x).\n"
        "3rd Street, your decision: f fold, 1 $5, 2 $10, 3 $15, b bet, ? help, q leave\n"
        "> 3\n"
        "3rd Street: you bet $15 (3x).\n"
    ) in said
    assert (
        "Community card 1 turned: Q♣.\n"
        "  ╭─────╮ ╭─────╮ ╭─────╮\n"
        "  │Q    │ │░░░░░│ │░░░░░│\n"
        "  │  ♣  │ │░░░░░│ │░░░░░│\n"
        "  │    Q│ │░░░░░│ │░░░░░│\n"
        "  ╰─────╯ ╰─────╯ ╰─────╯\n"
        "You hold queen high.\n"
    ) in said
    assert "Box cards turned: 6♦ J♠ 9♠ 4♥.\n" in said
    assert "Round 1: you lost $36.\n" in said
    assert "Seat 3, You: J♥ 4♣, folded: -$36\n" in said
    assert "Seat 1, Ada: cards not shown, folded: -$7\n" in said
    told = re.search(r"^  Folded on 5th street: (.*?)\nThe meter", said, re.DOTALL | re.MULTILINE)
    assert told is not None
    assert "MD-2014.11.F.1.a" in told[1]
    assert "three card bonus $1 is lost: -$1 [" in " ".join(told[1].split())


def test_island_stud_shows_one_card_of_the_dealer_until_all_have_acted() -> None:
    _, said = sit("island-stud", "s 1 1", "s 2", "", "b", "q", seats=7, seat=4, seed=11)
    before, after = said.split("You bet $10 (2x).\n")
    assert (
        "The dealer's hand:\n"
        "  ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮\n"
        "  │6    │ │░░░░░│ │░░░░░│ │░░░░░│ │░░░░░│\n"
    ) in before
    assert (
        "Dealer's hand turned: 6♠ K♠ 3♥ Q♠ J♠, king high.\n"
        "  ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮\n"
        "  │6    │ │K    │ │3    │ │Q    │ │J    │\n"
    ) in after
    assert "Seat 4, You: K♦ 8♠ 7♥ 3♠ 2♦: -$17\n" in said
    assert "King high (K 8 7 3 2) loses to the dealer's king high (K Q J 6 3)" in said


def test_the_meter_goes_on_from_round_to_round() -> None:
    _, said = sit("south-dakota-2011", "", "f", "", "f", "q", seats=4)
    meters = re.findall(r"meter shows (\S+)\.\n", said)
    assert meters == ["$10,000.42", "$10,000.42", "$10,000.84", "$10,000.84"]


@pytest.mark.parametrize(
    ("name", "lines", "sentence", "clause"),
    [
        ("south-dakota-3cb", ["b 30"], "ante of $30; $1 to $25 is allowed", "SD-3CB.2-2"),
        ("south-dakota-2011", ["b", "0.50"], "ante of $0.50; $1 to $25 is allowed", "SD-2011.2-3"),
        ("maryland-2014", ["s 2"], "six card bonus before the three card bonus", "MD-2014.07.F.5"),
        ("maryland-2014", ["", "4"], "3rd Street bet of $20 on an ante of $5", "MD-2014.11.B.1.a"),
        ("iowa-catfish-bend", ["", "b 12.50"], "Flop bet of $12.50 on an ante", "IA-CB.5.b"),
        ("island-stud", ["", "1"], "Bet of $5 on an ante of $5; 2x is allowed", "IS.4-1"),
        (
            "south-dakota-2011",
            ["s 1 2"],
            "progressive wager of $2; exactly $1 is allowed",
            "SD-2011.",
        ),
    ],
)
def test_a_refusal_says_why_with_its_clause_and_one_tries_again(
    name: str, lines: list[str], sentence: str, clause: str
) -> None:
    status, said = sit(name, *lines)
    flat = " ".join(said.split())
    assert status == 0
    refusal = re.search(r"Not allowed: (.*?)\. \[(.*?)\]", flat)
    assert refusal is not None
    assert sentence in refusal[1]
    assert clause in refusal[2]
    asked = [line for line in said.splitlines() if re.match("Your bets:|.*, your decision:", line)]
    assert asked[-1] == asked[-2], "the same question again"


@pytest.mark.parametrize(
    ("lines", "said_key"),
    [(["x"], "'x'"), (["7"], "'7'"), (["f"], "'f'"), (["", "y 3"], "'y'"), (["", ""], "Enter"),
     (["s", "9"], "'9'"), (["s 4"], "'4'"), (["", "33"], "'33'"), (["", "s"], "'s'")],
)  # fmt: skip
def test_a_key_that_means_nothing_is_named_and_changes_nothing(
    lines: list[str], said_key: str
) -> None:
    status, said = sit("maryland-2014", *lines)
    assert status == 0
    assert f"{said_key} does nothing here; ? is help.\n" in said
    assert "Not allowed" not in said
    assert "You bet" not in said


def test_an_amount_that_cannot_be_read_is_asked_again() -> None:
    _, said = sit("house-demo", "b ten", "b", "", "b $20", "")
    assert "'ten' is no amount" in said
    assert "Seat 3, You: Ante $20\n" in said


def test_side_bets_go_through_their_amounts_and_off_again() -> None:
    _, said = sit("maryland-2014", "s", "1", "2", "1", "3", "3", "1 2.50", "", "")
    steps = re.findall(r"Side bets: (.*?), Enter ok", " ".join(said.split()))
    assert steps == [
        "1 Three Card Bonus –, 2 Six Card Bonus –, 3 Progressive Payout –",
        "1 Three Card Bonus $1, 2 Six Card Bonus –, 3 Progressive Payout –",
        "1 Three Card Bonus $1, 2 Six Card Bonus $1, 3 Progressive Payout –",
        "1 Three Card Bonus $5, 2 Six Card Bonus $1, 3 Progressive Payout –",
        "1 Three Card Bonus $5, 2 Six Card Bonus $1, 3 Progressive Payout $1",
        "1 Three Card Bonus $5, 2 Six Card Bonus $1, 3 Progressive Payout –",
        "1 Three Card Bonus $2.50, 2 Six Card Bonus $1, 3 Progressive Payout –",
    ]
    assert "Seat 3, You: Ante $5, Three Card Bonus $2.50, Six Card Bonus $1\n" in said


def test_enter_repeats_the_last_bets() -> None:
    _, said = sit("south-dakota-3cb", "3", "s 2", "", "f", "", "f", "")
    assert said.count("Seat 3, You: Ante $25, Progressive $1\n") == 3


def test_help_gives_the_rule_of_the_moment_in_its_clauses_words() -> None:
    book = load("maryland-2014").book
    _, said = sit("maryland-2014", "?", "", "?", "q")
    before, at_third = said.split("Round 1\n")
    for part, clause in ((before, "MD-2014.07.F.1"), (at_third, "MD-2014.11.B.1.a")):
        text = book.clauses[clause].text
        assert text in " ".join(part.split()), clause
    assert "The rule now: 3rd Street: bet or fold" in at_third
    assert "Pay table MD-2014-BASE: base" in before
    assert "500 to 1" in before
    assert book.source.standing in " ".join(before.split())


def test_a_round_is_explained_in_detail_with_the_clauses_words() -> None:
    _, said = sit("island-stud", "e", "", "b", "e", "q", seats=3, seat=2)
    assert "There is no round to explain yet.\n" in said
    explained = said.split("Round 1 explained\n")[1]
    results = re.findall(r"^Seat (\d), (\w+): \S+$", explained, re.MULTILINE)
    assert results == [("3", "Beau"), ("2", "You"), ("1", "Ada")]
    assert load("island-stud").book.clauses["IS.6.a-3"].text in " ".join(explained.split())


def test_poor_players_get_more_play_money() -> None:
    _, said = sit("iowa-catfish-bend", "b 2000", "", "f", "q")
    assert "The house gives you $19,000 more in play money.\n" in said
    assert "You leave with $18,000 in play money after 1 round (-$2,000)." in said


@pytest.mark.parametrize(("needed", "given"), [(1_000_00, 0), (1_000_01, 1_000_00), (0, 0)])
def test_a_top_up_is_whole_buy_ins_and_no_more_than_needed(needed: int, given: int) -> None:
    player = Player("You", None)
    assert top_up(player, needed) == given
    assert player.bankroll_cents == 1_000_00 + given


# ---------------------------------------------------------------- leaving


def test_leaving_between_rounds_abandons_nothing() -> None:
    assert sit("house-demo", "q")[1].endswith(
        "> q\nGoodbye. You leave with $1,000 in play money.\n"
    )


@pytest.mark.parametrize("lines", [[""], ["", "3"], ["", "3", "q"]])
def test_the_end_of_input_and_q_abandon_an_open_round(lines: list[str]) -> None:
    status, said = sit("house-demo", *lines)
    assert status == 0
    farewell = "The round is abandoned and every bet goes back. Goodbye."
    assert farewell in said.splitlines()[-2]
    assert "You leave with $1,000" in " ".join(said.split())


class Interrupted(io.StringIO):
    """A player who presses Ctrl-C where there is no further answer."""

    def readline(self, *args: int | None) -> str:  # type: ignore[override]
        line = super().readline()
        if not line:
            raise KeyboardInterrupt
        return line


@pytest.mark.parametrize(("answers", "abandoned"), [([], False), ([""], True), (["", "1"], True)])
def test_ctrl_c_leaves_with_a_goodbye_on_its_own_line(answers: list[str], abandoned: bool) -> None:
    output = io.StringIO()
    book, script = load("south-dakota-3cb").book, Interrupted("".join(f"{a}\n" for a in answers))
    status = play_table(book, seats=2, seat=2, seed=1, input=script, output=output)
    last = output.getvalue().splitlines()
    asked = max(number for number, line in enumerate(last) if line == "> ")
    assert status == 1
    assert ("The round is abandoned" in last[asked + 1]) == abandoned
    assert "Goodbye. You leave with $1,000" in last[asked + 1]


def test_a_seat_or_a_table_that_the_rulebook_does_not_have_is_refused() -> None:
    status, said = sit("maryland-2014", seats=7)
    assert (status, said) == (
        1,
        "Not allowed: seats 7; 1 to 6 is allowed. [MD-2014.02.A-1, D-20]\n",
    )
    status, said = sit("maryland-2014", seat=7)
    assert status == 1
    assert said.startswith("Not allowed: seat 7; the table has seats 1 to 6.")


def test_a_sitting_is_reported_for_scripts() -> None:
    def played(name: str, script: str, seats: int) -> tuple[int, dict[str, Any]]:
        return play_sitting(
            load(name).book,
            seats=seats,
            seat=1,
            seed=2,
            input=io.StringIO(script),
            output=io.StringIO(),
        )

    assert played("south-dakota-2011", "\nf\n2\n\nf\n", 3) == (
        0,
        {
            "rulebook": "south-dakota-2011",
            "seats": 3,
            "seat": 1,
            "rounds": ["-5.00", "-10.00"],
            "net": "-15.00",
            "meter": "10000.42",
        },
    )
    assert played("iowa-catfish-bend", "", 3)[1]["meter"] is None
    status, report = played("maryland-2014", "", 7)
    assert status == 1
    assert report["refused"]["code"] == "setup.refused"
    assert "MD-2014.02.A-1" in report["refused"]["cites"]


def test_without_signs_for_suits_plain_letters_are_printed() -> None:
    raw = io.BytesIO()
    output = io.TextIOWrapper(raw, encoding="ascii", newline="\n")
    book, script = load("maryland-2014").book, io.StringIO("\n1\n")
    play_table(book, seats=6, seat=3, seed=7, input=script, output=output)
    output.flush()
    said = raw.getvalue().decode("ascii")
    assert "  +-----+ +-----+\n  |J    | |4    |\n  |  h  | |  c  |\n" in said
    assert "draft: not law - play money" in said
    assert "Community card 1 turned: Qc.\n" in said


def test_bytes_that_are_no_text_are_a_key_that_means_nothing() -> None:
    script = io.TextIOWrapper(io.BytesIO(b"\xff\nq\n"), encoding="utf-8")
    output = io.StringIO()
    book = load("house-demo").book
    assert play_table(book, seats=2, seat=1, seed=1, input=script, output=output) == 0
    assert "'\N{REPLACEMENT CHARACTER}' does nothing here" in output.getvalue()


@pytest.mark.parametrize(
    ("line", "command"),
    [("\n", Command("")), (" F \n", Command("f")), ("3x", Command("3")), ("fold", Command("f")),
     ("b  12.50\n", Command("b", "12.50")), ("s 1 5", Command("s", "1 5")), ("x", Command("x")),
     ("quit", Command("q")), ("12x", Command("12"))],
)  # fmt: skip
def test_a_line_is_read_as_a_key_and_what_goes_with_it(line: str, command: Command) -> None:
    assert read_command(line) == command


# ---------------------------------------------------------------- drawn on a screen

AT_A_DECISION = """
 Maryland: Mississippi Stud with Three Card and Six Card Bonus (draft of 2014)
 draft: not law · play money                              seat 3 of 6 · round 1
╭─ 4th Street: bet or fold ────────────────────────────────────────────────────╮
│                           ╭─────╮ ╭─────╮ ╭─────╮    ╭───╭───╭───╭─────╮     │
│     ╭ Progressive ──╮     │Q    │ │░░░░░│ │░░░░░│    │░░░│░░░│░░░│░░░░░│     │
│     │  $10,000.84   │     │  ♣  │ │░░░░░│ │░░░░░│    │░░░│░░░│░░░│░░░░░│     │
│     ╰───────────────╯     │    Q│ │░░░░░│ │░░░░░│    │░░░│░░░│░░░│░░░░░│     │
│                           ╰─────╯ ╰─────╯ ╰─────╯    ╰───╰───╰───╰─────╯     │
│                                                                              │
│   6 Ella        5 Dex       4 Cora       ▸3 You       2 Beau        1 Ada    │
│    ░░ ░░        ░░ ░░        ░░ ░░          │          ░░ ░░        ░░ ░░    │
│  ● $10 1x     ● $15 1x      ● $5 1x         ▼       ● $10 1x 1x    folded    │
│  ●3 ●6 ◉P       ●3 ●6         ◉P                                    ●3 ◉P    │
│    $977         $968         $989                      $970         $993     │
│                                                                              │
│  ╭─────╮ ╭─────╮  You · $978 · queen high                                    │
│  │J    │ │4    │  ╭ Ante ╮╭ 3rd ─╮╭ 4th ─╮╭ 5th ─╮╭3 Card╮╭6 Card╮╭ Prog ╮   │
│  │  ♥  │ │  ♣  │  │ ● $5 ││● $15 ││      ││      ││ ● $1 ││      ││ ◉ on │   │
│  │    J│ │    4│  ╰──────╯╰──────╯╰──────╯╰──────╯╰──────╯╰──────╯╰──────╯   │
│  ╰─────╯ ╰─────╯                                                             │
╰──────────────────────────────────────────────────────────────────────────────╯


 f fold  1 $5  2 $10  3 $15  b bet  ? help  q leave
"""


class Recorder:
    """A front that answers from a script and keeps everything that a screen would show."""

    def __init__(self, answers: Iterable[str]) -> None:
        self.answers = list(answers)
        self.log: list[Said] = []
        self.scenes: list[tuple[Scene, Prompt]] = []
        self.events: list[tuple[Scene, e.AnyEvent]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        pass

    def welcome(self, scene: Scene) -> None:
        pass

    def happened(self, scene: Scene, event: e.AnyEvent) -> None:
        self._seen(scene)
        self.events.append((scene, event))

    def round_over(self, scene: Scene) -> None:
        self._seen(scene)

    def _seen(self, scene: Scene, prompt: Prompt | None = None) -> None:
        self.scenes.append((scene, prompt or Prompt("", ())))

    def tell(self, text: str, *, loud: bool = False) -> None:
        self.log.append(Said(text, loud))

    def ask(self, scene: Scene, prompt: Prompt) -> Command:
        self._seen(scene, prompt)
        if not self.answers:
            raise Leaving
        return read_command(self.answers.pop(0))

    def ask_text(self, scene: Scene, question: str) -> str:
        raise AssertionError(question)

    def page(self, scene: Scene, page: Iterable[Block]) -> None:
        raise AssertionError(scene)

    def goodbye(self, text: str) -> None:
        self.tell(text)


def recorded(name: str, answers: list[str], seats: int, seat: int, seed: int = 3) -> Recorder:
    book = load(name).book
    front = Recorder(answers)
    setup = set_up(book, house_choices(book, seats))
    sitting = Sitting(setup, seat, random.Random(seed), front)
    with pytest.raises(Leaving):
        sitting.run()
    return front


def tables() -> Iterator[tuple[str, int, int]]:
    """Every rulebook with its smallest, usual and largest table."""
    for name in rulebook_ids():
        book = load(name).book
        option = book.options["seats"]
        assert isinstance(option, Integer)
        for seats in (1, 6, option.maximum):
            yield name, seats, (seats + 1) // 2


def plain(frame: Iterable[object]) -> str:
    return "\n".join(str(line).rstrip() for line in frame)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats", "seat"), list(tables()))
def test_every_moment_of_a_sitting_fills_the_screen_exactly(
    name: str, seats: int, seat: int
) -> None:
    book = load(name).book
    front = recorded(name, ["s 1", "s 2", "3", *one_round(book), "", "f"], seats, seat)
    assert len(front.scenes) > 10
    for number, (scene, prompt) in enumerate(front.scenes):
        for width, height in (SIZES[0], SIZES[number % len(SIZES)]):
            frame = table_frame(scene, front.log, keys_asked(prompt), width, height)
            assert len(frame) == height
            assert max(line.cell_len for line in frame) <= width
            shown = plain(frame)
            assert book.title[: width - 2] in shown
            assert f"{STANDING[book.status]} · play money" in shown
            assert "…" not in plain(frame[-1:]), "every key is in sight"


def test_a_window_that_is_too_small_says_so_and_still_asks() -> None:
    front = recorded("house-demo", [""], 5, 2)
    scene, prompt = front.scenes[-1]
    for width, height in ((79, 24), (80, 23), (30, 6), (10, 3)):
        frame = table_frame(scene, front.log, keys_asked(prompt), width, height)
        assert len(frame) == height
        assert max(line.cell_len for line in frame) <= width
    shown = plain(table_frame(scene, front.log, keys_asked(prompt), 79, 24))
    assert "The table needs 80 × 24; this window is 79 × 24." in shown
    assert shown.splitlines()[-1].startswith(" f fold  1 $5")


def test_the_table_at_a_decision_is_drawn_like_this() -> None:
    front = recorded("maryland-2014", ["s 1", "s 3", "", "3"], 6, 3, seed=7)
    scene, prompt = front.scenes[-1]
    frame = table_frame(scene, front.log, keys_asked(prompt), 80, 24)
    assert plain(frame) == AT_A_DECISION.strip("\n")


@pytest.mark.parametrize(("name", "seats", "seat"), list(tables()))
def test_nobody_elses_cards_are_in_sight_before_they_are_laid_open(
    name: str, seats: int, seat: int
) -> None:
    front = recorded(name, one_round(load(name).book), seats, seat)
    checked = 0
    for scene, prompt in front.scenes:
        state = scene.state
        if state.at_settlement is not None:
            continue
        hidden = {card for n, s in state.seats.items() if n != seat for card in s.cards}
        hidden |= set(state.community[state.turned :])
        hidden |= set() if state.box_turned else set(state.box)
        hidden |= set() if state.dealer_turned else set(state.dealer[1:])
        shown = plain(table_frame(scene, [], keys_asked(prompt), 80, 24))
        assert not [short(card) for card in hidden if short(card) in shown]
        assert all(card is None for n in state.seats if n != seat for card in scene.hand(n))
        assert not [card for card in hidden if card in scene.community + scene.dealers_hand]
        checked += bool(hidden)
    assert checked > 2


@pytest.mark.parametrize("name", rulebook_ids())
def test_what_is_shown_is_what_the_engine_says(name: str) -> None:
    """Bankrolls move by the engine's results alone, and the explanations add up to them."""
    front = recorded(name, ["s 1", *one_round(load(name).book) * 6], 5, 2)
    over = {scene.round_number: scene for scene, _ in front.scenes if scene.is_over}
    assert sorted(over) == [1, 2, 3, 4, 5, 6]
    for number in over[1].players:
        nets = [scene.state.seats[number].net_cents for scene in over.values()]
        assert over[6].bankroll(number) == 1_000_00 + sum(nets)
    for scene in over.values():
        for number, seat in scene.state.seats.items():
            told = [one.net_cents for one in scene.explained if one.seat == number]
            assert sum(told) == seat.net_cents
        shown = plain(table_frame(scene, [], keys_asked(Prompt("", ())), 120, 40))
        words = next(one.words for one in scene.explained if one.seat == 2)
        assert words[:40] in shown


def test_at_80_by_24_every_payout_of_a_good_round_is_explained_at_once() -> None:
    front = recorded("maryland-2014", ["s 1", "s 2", "s 3", "", "3", "3", "3"], 6, 3, seed=98)
    scene = front.scenes[-1][0]
    wide = plain(table_frame(scene, [], keys_asked(Prompt("", ())), 150, 40))
    mine = [one.words for one in scene.explained if one.seat == 3]
    assert len(mine) == 4
    assert all(words in wide for words in mine)
    shown = plain(table_frame(scene, [], keys_asked(Prompt("", ())), 80, 24))
    assert "+$150: Three of a kind pays 3 to 1 on ante $5 and 3rd," in shown
    assert "+$8: Prog: " in shown
    assert "9 for 1" in shown
    assert "+$1: 3 Card: " in shown
    assert "-$1: 6 Card: lost" in shown
    assert "tells the rest" not in shown


def test_community_cards_and_the_dealers_hand_are_turned_one_by_one() -> None:
    front = recorded("south-dakota-2011", ["", "1", "1", "1"], 3, 2)
    turned = [
        sum(card is not None for card in scene.community)
        for scene, event in front.events
        if isinstance(event, e.CommunityTurned)
    ]
    assert turned == [1, 2, 3]
    island = recorded("island-stud", ["", "b"], 3, 2)
    scene = next(s for s, event in island.events if isinstance(event, e.DealersHandTurned))
    for up in range(1, 6):
        assert scene._replace(dealer_up=up).dealers_hand == (
            *scene.state.dealer[:up],
            *(None,) * (5 - up),
        )


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("name", rulebook_ids())
def test_pages_fit_the_screen_under_the_tables_title(name: str, width: int) -> None:
    front = recorded(name, one_round(load(name).book), 4, 2)
    scene = front.scenes[-1][0]
    for page in (help_page(scene), explanation_page(scene)):
        lines = page_lines(page, width - 2, None)
        assert len(lines) > 20
        for top in (0, len(lines) - 20):
            frame = page_frame(scene, lines, top, width, 24)
            assert len(frame) == 24
            assert max(line.cell_len for line in frame) <= width
            assert scene.setup.book.title[:78] in plain(frame)
            assert str(lines[top + 5]).rstrip() in plain(frame)


@pytest.mark.parametrize(
    ("cards", "words", "brief"),
    [
        ("Kd Kc", "pair of kings", ""),
        ("Ah 2d 7c", "ace high", ""),
        ("6s 6h 6d 2c", "three of a kind", ""),
        ("Jd Jh 7c 7s", "two pair", ""),
        ("Qd Qh 8c 8s 2d", "two pair", "two pair"),
        ("9d 9h 9c 9s 2d", "four of a kind", "quads"),
        ("9d 9h 9c 2s 2d", "full house", "full"),
        ("Td 9h 8c 7s 6d", "straight", "straight"),
        ("Kd Kh 8c 7s 6d", "pair of kings", "kings"),
    ],
)
def test_hands_are_named_as_players_say_them(cards: str, words: str, brief: str) -> None:
    hand = parse_cards(cards)
    assert hand_words(hand) == words
    assert not brief or brief_hand(hand, 8) == brief


# ---------------------------------------------------------------- bots


@pytest.mark.parametrize(
    ("seen", "multiple"),
    [
        ("Jd Jh", 3),
        ("2d 2h", 3),
        ("Kd 2h", 1),
        ("6d 7h", 1),
        ("5d 4h", 0),
        ("9d 2h", 0),
        ("9d 2h 9c", 3),
        ("4d 2h 4c", 1),
        ("4d 9d 2d", 1),
        ("Jd 4h 2c", 0),
        ("4d 9d 2d Kd", 3),
        ("5d 2h 5c 3s", 1),
        ("Ad Kh 3c 2s", 1),
        ("Ad 4h 3c 2s", 0),
    ],
)
def test_a_mississippi_stud_bot_counts_points_and_pairs(seen: str, multiple: int) -> None:
    assert points_and_pairs(parse_cards(seen), (1, 2, 3)) == multiple


@pytest.mark.parametrize(
    ("hand", "multiple"),
    [("2d 2h 3c 4s 8d", 2), ("Ad Kh 3c 4s 8d", 2), ("Ad Qh 3c 4s 8d", 0), ("6d 7h 8c 9s Td", 2)],
)
def test_an_island_stud_bot_bets_with_a_pair_or_ace_king(hand: str, multiple: int) -> None:
    assert pair_or_ace_king(parse_cards(hand), (2,)) == multiple


# ---------------------------------------------------------------- a real terminal

PROGRAM = """
import sys
from riverboat.rulebook.options import Integer
from riverboat.rulebooks import load
from riverboat.terminal import play_sitting, play_table
book = load("island-stud").book
sys.exit(play_table(book, seats=5, seat=2, seed=4, input=sys.stdin, output=sys.stdout))
"""


def _heed_interrupts() -> None:
    """A test run in the background ignores Ctrl-C, and its children would too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Terminal:
    """A pseudo-terminal with the table on it."""

    def __init__(self, width: int, height: int) -> None:
        self.ours, self.theirs = os.openpty()
        self.resize(width, height)
        self.before = termios.tcgetattr(self.theirs)
        environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
        for name in ("COLUMNS", "LINES", "NO_COLOR"):
            environment.pop(name, None)
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM],
            stdin=self.theirs,
            stdout=self.theirs,
            stderr=self.theirs,
            env=environment,
            start_new_session=True,
            preexec_fn=_heed_interrupts,
        )
        self.said = ""

    def resize(self, width: int, height: int) -> None:
        fcntl.ioctl(self.ours, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def press(self, keys: str) -> None:
        os.write(self.ours, keys.encode())

    def until(self, text: str, seconds: float = 20) -> str:
        """Everything printed until this text comes, which must come in time."""
        end = time.monotonic() + seconds
        fresh = ""
        while text not in fresh:
            ready, _, _ = select.select([self.ours], [], [], max(0, end - time.monotonic()))
            assert ready, f"{text!r} did not come; this came: {fresh[-2000:]!r}"
            fresh += os.read(self.ours, 65536).decode("utf-8", "replace")
        return fresh

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.ours)
        os.close(self.theirs)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    one = Terminal(80, 24)
    yield one
    one.close()


def test_keys_play_a_round_on_a_screen_that_follows_a_resize(terminal: Terminal) -> None:
    first = terminal.until("side bets")
    assert "\x1b[?1049h" in first, "a screen of its own"
    assert "╭─ Place your bets " + "─" * 60 + "╮" in first
    terminal.press("\r")
    terminal.until("any key hurries")
    terminal.press(" ")
    terminal.until("bet $10")
    terminal.resize(120, 40)
    assert "╰" + "─" * 118 + "╯" in terminal.until("╰" + "─" * 118 + "╯")
    terminal.press("1")
    terminal.until("2x is allowed")
    terminal.press("\x1b[C")
    terminal.until("does nothing here")
    terminal.press("b")
    terminal.until("any key hurries")
    terminal.press(" ")
    assert "Round over" in terminal.until("explain")
    terminal.press("e")
    terminal.until("back to the table")
    terminal.press("q")
    assert "Round over" in terminal.until("explain")
    terminal.press("q")
    last = terminal.until("after 1 round")
    assert "\x1b[?1049l" in last
    assert "\x1b[?25h" in last, "the cursor is back"
    assert terminal.process.wait(10) == 0
    assert termios.tcgetattr(terminal.theirs) == terminal.before


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_gives_the_terminal_back(terminal: Terminal, sent: signal.Signals) -> None:
    terminal.until("side bets")
    terminal.press("\r")
    terminal.until("any key hurries")
    assert termios.tcgetattr(terminal.theirs) != terminal.before, "keys come without Enter"
    terminal.process.send_signal(sent)
    last = terminal.until("in play money")
    assert last.index("\x1b[?1049l") < last.index("The round is abandoned")
    assert terminal.process.wait(10) == 1
    assert termios.tcgetattr(terminal.theirs) == terminal.before
    assert "Traceback" not in last


def test_ctrl_d_leaves_like_the_end_of_input(terminal: Terminal) -> None:
    terminal.until("side bets")
    terminal.press("\x04")
    assert "Goodbye." in terminal.until("in play money")
    assert terminal.process.wait(10) == 0
