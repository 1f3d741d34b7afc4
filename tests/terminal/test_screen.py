"""A table in the terminal: drawn on a screen, played with keys, and left cleanly."""

import fcntl
import os
import random
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterable, Iterator
from io import StringIO

import pytest

from riverboat.answers.page import Block
from riverboat.core.cards import parse_cards
from riverboat.round import events as e
from riverboat.round import set_up
from riverboat.round.setup.choices import every_side_bet
from riverboat.round.table_talk import STANDING
from riverboat.rulebook.options import Integer
from riverboat.rulebooks import load, rulebook_ids
from riverboat.terminal.drawing import short
from riverboat.terminal.felt import Said, keys_asked, page_frame, page_lines, table_frame
from riverboat.terminal.fronts import LineFront
from riverboat.terminal.guide import explanation_page, help_page
from riverboat.terminal.scene import Command, Leaving, Prompt, Scene, read_command
from riverboat.terminal.sitting import Sitting
from riverboat.wording.hand_names import brief_hand, hand_words
from tests.support.places import ROOT
from tests.terminal.sittings import one_round

SIZES = [(80, 24), (81, 25), (100, 30), (120, 40), (250, 80)]

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


class Recorder(LineFront):
    """A front that answers from a script and keeps everything that a screen would show."""

    def __init__(self, answers: Iterable[str]) -> None:
        super().__init__(StringIO(), StringIO())
        self.answers = list(answers)
        self.log: list[Said] = []
        self.scenes: list[tuple[Scene, Prompt]] = []
        self.events: list[tuple[Scene, e.AnyEvent]] = []

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
    setup = set_up(book, {**every_side_bet(book), "seats": seats})
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
        ("9d 9h 9c 9s 2d", "four of a kind", "4 kind"),
        ("9d 9h 9c 2s 2d", "full house", "full"),
        ("Td 9h 8c 7s 6d", "straight", "straight"),
        ("Kd Kh 8c 7s 6d", "pair of kings", "kings"),
    ],
)
def test_hands_are_named_as_players_say_them(cards: str, words: str, brief: str) -> None:
    hand = parse_cards(cards)
    assert hand_words(hand) == words
    assert not brief or brief_hand(hand, 8) == brief


# ---------------------------------------------------------------- a real terminal

PROGRAM = """
import sys
from riverboat.rulebook.options import Integer
from riverboat.rulebooks import load
from riverboat.terminal.sitting import play_sitting
book = load("island-stud").book
sys.exit(play_sitting(book, seats=5, seat=2, seed=4, input=sys.stdin, output=sys.stdout)[0])
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
