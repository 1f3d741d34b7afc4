"""The two fronts of a sitting: the table drawn on a screen, with its player's keys one by one and
without waiting for Enter; or told line by line, for pipes, scripts and plain terminals, nothing
over 80 columns."""

import os
import re
import select
import signal
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from io import TextIOWrapper
from types import FrameType
from typing import Any, Self, TextIO

from rich.console import ConsoleDimensions, Group
from rich.text import Text

from riverboat.answers.page import Block as PageBlock
from riverboat.answers.page import Paper, print_page
from riverboat.core.money import format_cents, format_signed
from riverboat.round import events as e
from riverboat.round.table_talk import held, sentence
from riverboat.terminal import drawing, felt
from riverboat.terminal.drawing import UNBROKEN, Block, beside, paragraph
from riverboat.terminal.scene import (
    Command,
    Leaving,
    Prompt,
    Scene,
    listed,
    narrate,
    read_command,
    standing,
)
from riverboat.wording.clauses import first_few
from riverboat.wording.hand_names import hand_words
from riverboat.wording.round_events import meter_words

try:
    import termios
    import tty
except ImportError:  # a system without POSIX terminals reads lines instead
    HAS_RAW_KEYS = False
else:
    HAS_RAW_KEYS = True

ENTER, ESCAPE, ERASE, UP, DOWN, OTHER = "enter", "escape", "erase", "up", "down", "other"

_NAMED = {
    "\r": ENTER, "\n": ENTER, "\x1b": ESCAPE, "\x7f": ERASE, "\x08": ERASE,
    "\x1b[A": UP, "\x1b[5~": UP, "\x1b[B": DOWN, "\x1b[6~": DOWN, "\x1bOA": UP, "\x1bOB": DOWN,
}  # fmt: skip
_KEY = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO.|.", re.DOTALL)
_END_OF_INPUT = "\x04"


class Keyboard:
    """A terminal that gives up its keys at once, for as long as it is entered."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self._typed = ""
        self._saved: list[Any] = []

    def __enter__(self) -> Self:
        self._saved = termios.tcgetattr(self.descriptor)
        tty.setcbreak(self.descriptor)
        return self

    def __exit__(self, *error: object) -> None:
        termios.tcsetattr(self.descriptor, termios.TCSAFLUSH, self._saved)

    def key(self, seconds: float) -> str | None:
        """The next key by its name or letter, or None when nobody pressed one in time."""
        if not self._typed and not self._read(seconds):
            return None
        found = _KEY.match(self._typed)
        assert found is not None
        self._typed = self._typed[found.end() :]
        if found[0] == _END_OF_INPUT:
            raise Leaving
        unnamed = found[0] if found[0].isprintable() else OTHER
        return _NAMED.get(found[0], unnamed)

    def forget(self) -> None:
        """Drop what was typed ahead: it was not meant for the next question."""
        self._typed = ""
        termios.tcflush(self.descriptor, termios.TCIFLUSH)

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.descriptor], [], [], seconds)
        if not ready:
            return False
        typed = os.read(self.descriptor, 256)
        if not typed:
            raise Leaving
        self._typed = typed.decode("utf-8", "ignore") or "\x00"
        return True


Frame = Callable[[int, int], Block]

GLANCE_SECONDS = 0.1
BEAT_SECONDS = 0.45

_QUICK = (e.WagerPlaced, e.BettingClosed, e.ProgressiveLocked, e.ProgressiveCollected,
          e.FoldCollected, e.SettlementBegun, e.RoundClosed)  # fmt: skip


class ScreenFront:
    """Draws the whole screen anew whenever something changes, the window's size included."""

    def __init__(self, input: TextIO, output: TextIO) -> None:
        self.console = Paper(file=output, highlight=False)
        self.keyboard = Keyboard(input.fileno())
        self.log: list[felt.Said] = []
        self.hurried = False
        self.paid_seat = 0
        self._taken = ExitStack()
        self._drawn_size = ConsoleDimensions(0, 0)

    def __enter__(self) -> Self:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        signal.signal(signal.SIGTSTP, self._suspend)
        self._take_terminal()
        return self

    def __exit__(self, *error: object) -> None:
        """Give the terminal back as it was, whatever is pressed meanwhile."""
        interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._taken.close()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, interrupt)

    def _take_terminal(self) -> None:
        self._taken.enter_context(self.keyboard)
        self._taken.enter_context(self.console.screen(hide_cursor=True))

    def _suspend(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z: give the terminal back, stop, and take it again when play goes on."""
        self._taken.close()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._suspend)
        self._take_terminal()
        self._drawn_size = ConsoleDimensions(0, 0)

    def welcome(self, scene: Scene) -> None:
        """A word before the first round."""
        self.tell("Welcome aboard. Enter deals with the bets on the felt; ? is help.")

    def tell(self, text: str, *, loud: bool = False) -> None:
        """One more line of what is said at the table."""
        self.log.append(felt.Said(text, loud))

    def happened(self, scene: Scene, event: e.AnyEvent) -> None:
        """Show an event and give it time; any key hurries until the next question."""
        if isinstance(event, e.DealersHandTurned):
            for up in range(2, len(scene.state.dealer)):
                self._draw(self._table(scene._replace(dealer_up=up)))
                self._pause()
        words = narrate(scene, event)
        if words:
            self.tell(words)
        self._draw(self._table(scene))
        if isinstance(event, e.SpotSettled) and event.seat == self.paid_seat:
            return
        self.paid_seat = getattr(event, "seat", 0)
        if not isinstance(event, _QUICK):
            self._pause()

    def round_over(self, scene: Scene) -> None:
        """The next question shows the results, and keeps them on the felt until it is answered."""

    def ask(self, scene: Scene, prompt: Prompt) -> Command:
        """The next key."""
        if self.hurried:
            self.keyboard.forget()
            self.hurried = False
        key = self._key(self._table(scene, felt.keys_asked(prompt)))
        return Command({ENTER: "", ESCAPE: ""}.get(key, key.lower()))

    def ask_text(self, scene: Scene, question: str) -> str:
        """A few characters, until Enter; Escape thinks better of it."""
        typed = ""
        while True:
            asked = Text.assemble(" ", (question, felt.KEY), f" {typed}", ("▏", "blink"))
            key = self._key(self._table(scene, asked))
            if key in (ENTER, ESCAPE):
                return typed if key == ENTER else ""
            if key == ERASE:
                typed = typed[:-1]
            elif len(key) == 1 and len(typed) < 16:
                typed += key

    def page(self, scene: Scene, page: Iterable[PageBlock]) -> None:
        """A page in place of the felt; Enter and the arrows turn it, any other key ends it."""
        blocks, top = list(page), 0
        colours = self.console.color_system
        while True:
            lines: Block = []

            def frame(width: int, height: int, top: int = top, lines: Block = lines) -> Block:
                lines[:] = felt.page_lines(blocks, width - 2, colours)
                return felt.page_frame(scene, lines, top, width, height)

            key = self._key(frame)
            rows = felt.page_rows(self.console.height)
            last = max(0, len(lines) - rows)
            if key in (ENTER, DOWN, " ") and top < last:
                top = min(last, top + rows - 1)
            elif key == UP:
                top = max(0, top - rows + 1)
            elif key != OTHER:
                return

    def goodbye(self, text: str) -> None:
        """The last line, on the screen that was there before."""
        self.console.print(Text(text))

    def _table(self, scene: Scene, asked: Text | None = None) -> Frame:
        waiting = asked or Text(" any key hurries", "dim")
        return lambda width, height: felt.table_frame(scene, self.log, waiting, width, height)

    def _draw(self, frame: Frame) -> None:
        self._drawn_size = self.console.size
        width, height = self._drawn_size
        lines = frame(width, height)
        for line in lines:
            line.no_wrap, line.overflow = True, "crop"
        self.console.update_screen(Group(*lines))

    def _key(self, frame: Frame) -> str:
        """The next key; meanwhile a window of another size is drawn anew."""
        self._draw(frame)
        while (key := self.keyboard.key(GLANCE_SECONDS)) is None:
            if self.console.size != self._drawn_size:
                self._draw(frame)
        return key

    def _pause(self) -> None:
        if not self.hurried:
            self.hurried = self.keyboard.key(BEAT_SECONDS) is not None


WIDTH = 80


class LineFront:
    """Reads lines and writes lines, with no control of the screen."""

    def __init__(self, input: TextIO, output: TextIO) -> None:
        if isinstance(input, TextIOWrapper):
            input.reconfigure(errors="replace")
        self.input = input
        self.echo = not input.isatty()
        self.asking = False
        self.console = Paper(file=output, highlight=False)
        self.console.width = min(WIDTH, self.console.width) if output.isatty() else WIDTH

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.console.file.flush()

    def welcome(self, scene: Scene) -> None:
        """What is played here, and how."""
        self._title(scene)
        self.tell("One answer a line. An empty line deals; ? is help, q leaves.")

    def _title(self, scene: Scene) -> None:
        book = scene.setup.book
        self.tell(book.title)
        self.tell(f"{standing(book)} · seat {scene.you} of {scene.setup.seats}")

    def happened(self, scene: Scene, event: e.AnyEvent) -> None:
        """The event in words, and cards as they come into sight."""
        if isinstance(event, e.BettingClosed):
            self._bets(scene)
        words = narrate(scene, event)
        if words:
            self.tell(words)
        match event:
            case e.CardsDealt():
                self._cards(scene)
            case e.CommunityTurned() if event.number == scene.state.turned:
                self._draw(drawing.row(scene.community))
                self.tell(f"You hold {held(hand_words(scene.seen_by_you()))}.")
            case e.BoxTurned():
                self._draw(drawing.row(scene.box))
            case e.DealersHandTurned():
                self._draw(drawing.row(scene.dealers_hand))

    def _bets(self, scene: Scene) -> None:
        self.console.print()
        self.tell(f"Round {scene.round_number}", loud=True)
        self._title(scene)
        for number, seat in sorted(scene.state.seats.items()):
            name = scene.players[number].name
            self.tell(f"Seat {number}, {name}: {listed(scene.setup.book, seat.wagers)}")

    def _cards(self, scene: Scene) -> None:
        if scene.dealers_hand:
            self.tell("The dealer's hand:")
            self._draw(drawing.row(scene.dealers_hand))
        self.tell(f"Your hand, {hand_words(scene.seen_by_you())}:")
        self._draw(drawing.row(scene.hand(scene.you)))

    def _draw(self, cards: list[Text]) -> None:
        for line in beside([[Text("  ")] * len(cards), cards]):
            self.console.print(line, no_wrap=True, soft_wrap=True)

    def round_over(self, scene: Scene) -> None:
        """Everybody's result, and yours spot by spot with the clauses."""
        for number in sorted(scene.state.seats, reverse=True):
            seat, hand = scene.state.seats[number], scene.hand(number)
            open_cards = [card for card in hand if card is not None]
            shown = " ".join(map(drawing.short, open_cards)) or "cards not shown"
            folded = ", folded" if seat.status == "folded" else ""
            name = scene.players[number].name
            self.tell(f"Seat {number}, {name}: {shown}{folded}: {format_signed(seat.net_cents)}")
        for one in scene.explained:
            if one.seat == scene.you:
                self.tell(f"  {one.words}: {format_signed(one.net_cents)} {first_few(one.cites)}")
        if scene.setup.progressive is not None:
            self.tell(f"{sentence(meter_words(scene.state))}.")
        self.tell(f"You have {format_cents(scene.bankroll(scene.you))} in play money.")

    def tell(self, text: str, *, loud: bool = False) -> None:
        """One sentence, wrapped."""
        for line in paragraph(text, self.console.width, "bold" if loud else "", "    "):
            self.console.print(line, soft_wrap=True)

    def ask(self, scene: Scene, prompt: Prompt) -> Command:
        """The next line as a command."""
        keys = ", ".join(f"{key} {does}".replace(" ", UNBROKEN) for key, does in prompt.keys)
        return read_command(self._answer(f"{prompt.question}: {keys}"))

    def ask_text(self, scene: Scene, question: str) -> str:
        """The next line as it is."""
        return self._answer(question).strip()

    def _answer(self, question: str) -> str:
        self.tell(question)
        self.console.print("> ", end="")
        self.console.file.flush()
        self.asking = True
        line = self.input.readline()
        self.asking = not line and not self.echo
        if self.echo:
            self.console.print(Text(line.strip()[: self.console.width - 2]), soft_wrap=True)
        if not line:
            raise Leaving
        return line

    def page(self, scene: Scene, page: Iterable[PageBlock]) -> None:
        """The whole page at once."""
        print_page(self.console, page)

    def goodbye(self, text: str) -> None:
        """The last line, and not on that of a question that was never answered."""
        if self.asking:
            self.console.print()
        self.tell(text)
