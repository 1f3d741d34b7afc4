"""The table told line by line, for pipes, scripts and plain terminals; nothing over 80 columns."""

from collections.abc import Iterable
from io import TextIOWrapper
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.text import Text

from riverboat.answers.page import Block, print_page
from riverboat.core.money import format_cents, format_signed
from riverboat.round import events as e
from riverboat.round.table_talk import held, sentence
from riverboat.terminal import drawing
from riverboat.terminal.drawing import UNBROKEN, beside, paragraph
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

WIDTH = 80


class Paper(Console):
    """A console that leaves a reader who stops early to whoever opened the table."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


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

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
                words = f"  {one.words}: {format_signed(one.net_cents)} {first_few(one.cites)}"
                self.tell(words)
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

    def page(self, scene: Scene, page: Iterable[Block]) -> None:
        """The whole page at once."""
        print_page(self.console, page)

    def goodbye(self, text: str) -> None:
        """The last line, and not on that of a question that was never answered."""
        if self.asking:
            self.console.print()
        self.tell(text)
