"""One sitting at a table in the terminal, and opening the table for it."""

import os
import random
import secrets
from typing import Any, TextIO

from riverboat.core.cards import DECK
from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import Cents, format_cents, format_signed, parse_dollars, show_dollars
from riverboat.meter.amounts import Meter, meter_of
from riverboat.round import Round, Setup, apply, open_round, play, set_up, step
from riverboat.round import actions as a
from riverboat.round.legal import WholeBet, allows, legal, whole_bets
from riverboat.round.setup.choices import every_side_bet
from riverboat.round.streets import deal_out, seat_to_act, stage_of
from riverboat.round.table_talk import label
from riverboat.rulebook import Rulebook
from riverboat.terminal import players
from riverboat.terminal.fronts import HAS_RAW_KEYS, LineFront, ScreenFront
from riverboat.terminal.guide import explanation_page, help_page, hint, review
from riverboat.terminal.scene import Command, Leaving, Prompt, Scene, listed, refusal_words
from riverboat.wording.explaining import explain

Bets = dict[str, Cents]


class Sitting:
    """One player's time at a table, from sitting down, which can be refused, to leaving."""

    def __init__(
        self,
        setup: Setup,
        you: int,
        dice: random.Random,
        front: LineFront | ScreenFront,
        *,
        coached: bool = False,
        decide: players.Decide = players.decide,
    ) -> None:
        self.setup, self.you, self.dice, self.front = setup, you, dice, front
        self.coached, self.decide = coached, decide
        self.asked_coach = False
        ante = players.ante_chips(setup)[0]
        play(open_round(setup), a.Wager(seat=you, spot="ante", cents=ante))
        self.players = players.seat_players(setup, you)
        self.last: Scene | None = None
        self.bets: Bets = {"ante": ante}
        self.state = self._laid(self.bets)
        self.round_number = 1
        self.nets_cents: list[Cents] = []

    @property
    def scene(self) -> Scene:
        """What is to be seen now."""
        if self.last is not None and self.state is self.last.state:
            return self.last
        return Scene(self.state, self.players, self.you, self.round_number)

    @property
    def meter(self) -> Meter:
        """What the next round is played for: the meter as the last one left it, or its seed."""
        if self.last is not None:
            return self.last.state.meter
        progressive = self.setup.progressive
        return meter_of(progressive.seed_cents if progressive is not None else 0)

    def run(self) -> None:
        """Round after round; only leaving ends it."""
        self.front.welcome(self.scene)
        while True:
            self._bet()
            self._deal()
            self._decide()
            self._settle()

    def farewell(self) -> str:
        """The last word: what becomes of an open round, and how the sitting went."""
        open_round = self.state.phase not in ("betting", "over")
        abandoned = "The round is abandoned and every bet goes back. " if open_round else ""
        money = format_cents(self.players[self.you].bankroll_cents)
        farewell = f"{abandoned}Goodbye. You leave with {money} in play money"
        finished = len(self.nets_cents)
        if not finished:
            return f"{farewell}."
        rounds = f"{finished} round{'s' * (finished != 1)}"
        return f"{farewell} after {rounds} ({format_signed(sum(self.nets_cents))})."

    # --- Betting ---

    def _bet(self) -> None:
        """Bets change until the player lets the dealer deal."""
        while True:
            command = self._command(self._betting_prompt())
            match command.key:
                case "":
                    if self._change(self.bets):
                        return
                case "1" | "2" | "3":
                    self._change(
                        {**self.bets, "ante": players.ante_chips(self.setup)[int(command.key) - 1]}
                    )
                case "b":
                    question = f"Ante in dollars ({self.setup.limits.ante}):"
                    cents = self._amount(command.rest, question)
                    if cents is not None:
                        self._change({**self.bets, "ante": cents})
                case "s":
                    self._side_bets(command.rest)
                case _:
                    self._no_such_key(command)

    def _betting_prompt(self) -> Prompt:
        antes = [
            (str(n), format_cents(c)) for n, c in enumerate(players.ante_chips(self.setup), start=1)
        ]
        side = [("s", "side bets")] if players.offered(self.setup) else []
        return Prompt(
            f"Your bets: {listed(self.setup.book, self.bets)}",
            (("Enter", "deal"), *antes, ("b", "ante"), *side, *self._help_keys()),
        )

    def _side_bets(self, rest: str) -> None:
        """Each number goes through the amounts of one side bet, or takes one that is typed."""
        if not players.offered(self.setup):
            self.front.tell("This rulebook has no side bets.")
            return
        if rest:
            number, _, amount = rest.partition(" ")
            self._side_bet(Command(number, amount))
            return
        while (command := self._command(self._side_bet_prompt())).key:
            self._side_bet(command)

    def _side_bet_prompt(self) -> Prompt:
        keys = []
        for number, spot in enumerate(players.offered(self.setup), start=1):
            on = format_cents(self.bets[spot]) if self.bets.get(spot) else "–"
            keys.append((str(number), f"{label(self.setup.book, spot)} {on}"))
        return Prompt("Side bets", (*keys, ("Enter", "ok")))

    def _side_bet(self, command: Command) -> None:
        spots = players.offered(self.setup)
        if command.key not in map(str, range(1, len(spots) + 1)):
            self._no_such_key(command)
            return
        spot = spots[int(command.key) - 1]
        cents: Cents | None
        if command.rest:
            cents = self._amount(command.rest, "")
        else:
            amounts = (0, *players.side_bet_chips(self.setup, spot))
            now = self.bets.get(spot, 0)
            following = amounts.index(now) + 1 if now in amounts else 0
            cents = amounts[following % len(amounts)]
        if cents is not None:
            self._change({**self.bets, spot: cents})

    def _amount(self, text: str, question: str) -> Cents | None:
        """An amount, typed with the command or after it."""
        typed = (text or self.front.ask_text(self.scene, question)).strip().lstrip("$")
        if not typed:
            return None
        try:
            return parse_dollars(typed)
        except NotationError as problem:
            self.front.tell(f"{problem}.", loud=True)
            return None

    def _change(self, bets: Bets) -> bool:
        """Lay these bets on the felt, in the order in which they must be made."""
        in_order = {spot: bets.get(spot, 0) for spot in ("ante", *players.offered(self.setup))}
        wanted = {spot: cents for spot, cents in in_order.items() if cents or spot == "ante"}
        try:
            laid = self._laid(wanted)
        except Refused as refusal:
            self.front.tell(refusal_words(refusal), loud=True)
            return False
        if self.state.phase == "over":
            self.round_number += 1
        self.bets, self.state = wanted, laid
        return True

    def _laid(self, bets: Bets) -> Round:
        """A new round with everybody's bets; a bot that may not make a bet does without."""
        state = open_round(self.setup, self.meter)
        for number, player in self.players.items():
            mine = bets if player.taste is None else players.taste_bets(self.setup, player.taste)
            for spot, cents in mine.items():
                wager = a.Wager(seat=number, spot=spot, cents=cents, player=player.name)
                if number == self.you or allows(legal(state, number), wager):
                    state = play(state, wager)
            given = players.top_up(player, players.most_it_can_cost(self.setup, mine))
            if given and number == self.you:
                self.front.tell(f"The house gives you {format_cents(given)} more in play money.")
        return state

    # --- The round ---

    def _do(self, action: a.AnyAction) -> None:
        for event in step(self.state, action):
            self.state = apply(self.state, event)
            self.front.happened(self.scene, event)

    def _deal(self) -> None:
        """No more bets; the progressive is locked and its chips taken; the cards are shuffled."""
        self._do(a.CloseBets())
        if self.setup.progressive is not None:
            self._do(a.LockProgressive())
            chips = sum("progressive" in seat.wagers for seat in self.state.seats.values())
            self._do(a.CollectProgressive(chips=chips))
        deck = list(DECK)
        self.dice.shuffle(deck)
        self._do(a.Deal(places=deal_out(self.setup, sorted(self.state.seats), deck)))

    def _decide(self) -> None:
        """Seat after seat decides, and the dealer turns what comes next."""
        while self.state.phase in ("deciding", "turning"):
            number = seat_to_act(self.state)
            if number is None:
                self._do(a.Turn())
            elif number == self.you:
                self._decide_yourself()
            else:
                self._do(self.decide(self.state, number))

    def _decide_yourself(self) -> None:
        if self.coached:
            self._ask_coach()
        while self.state.phase == "deciding" and seat_to_act(self.state) == self.you:
            action = self._your_action(self._command(self._decision_prompt()))
            if action is None:
                continue
            try:
                self._do(action)
            except Refused as refusal:
                self.front.tell(refusal_words(refusal), loud=True)

    def _ask_coach(self) -> None:
        self.asked_coach = True
        self.front.tell(hint(self.state, self.you))

    def _decision_prompt(self) -> Prompt:
        bets = [(str(bet.times), format_cents(bet.cents)) for bet in self._bets_on_offer()]
        choice = [("b", f"bet {bets[0][1]}")] if len(bets) == 1 else [*bets, ("b", "bet")]
        label = stage_of(self.state).label
        return Prompt(f"{label}, your decision", (("f", "fold"), *choice, *self._help_keys()))

    def _bets_on_offer(self) -> tuple[WholeBet, ...]:
        return whole_bets(self.state, legal(self.state, self.you))

    def _your_action(self, command: Command) -> a.Bet | a.Fold | None:
        ante, bets = self.state.seats[self.you].wagers["ante"], self._bets_on_offer()
        if command.key == "c":
            self._ask_coach()
            return None
        if command.key == "f":
            return a.Fold(seat=self.you)
        if command.key.isdecimal() and len(command.key) == 1:
            return a.Bet(seat=self.you, cents=ante * int(command.key))
        if command.key != "b":
            self._no_such_key(command)
            return None
        if not command.rest and len(bets) == 1:
            return a.Bet(seat=self.you, cents=bets[0].cents)
        cents = self._amount(command.rest, f"{stage_of(self.state).label} bet in dollars:")
        return None if cents is None else a.Bet(seat=self.you, cents=cents)

    def _settle(self) -> None:
        """The dealer pays what is owed; results reach the bankrolls and the meter goes on."""
        self._do(a.SettleAll())
        self.state = play(self.state, a.Close())
        for number, seat in self.state.seats.items():
            self.players[number].bankroll_cents += seat.net_cents
        net = self.state.seats[self.you].net_cents
        self.nets_cents.append(net)
        self.last = self.scene._replace(explained=explain(self.state))
        came = "won" if net > 0 else "lost"
        result = f"you {came} {format_cents(abs(net))}" if net else "you came out even"
        self.front.tell(f"Round {self.round_number}: {result}.")
        self.front.round_over(self.last)
        # Whoever asked the coach hears afterwards what each decision cost.
        if self.asked_coach:
            self.front.tell(review(self.state, self.you))
        self.asked_coach = False

    # --- What can be asked at any time ---

    def _help_keys(self) -> tuple[tuple[str, str], ...]:
        explain_key = (("e", "explain"),) if self.last is not None else ()
        return (*explain_key, ("?", "help"), ("q", "leave"))

    def _command(self, prompt: Prompt) -> Command:
        """The next command that is not about help, explanations or leaving."""
        while True:
            command = self.front.ask(self.scene, prompt)
            match command.key:
                case "?":
                    self.front.page(self.scene, help_page(self.scene))
                case "e" if self.last is not None:
                    self.front.page(self.last, explanation_page(self.last))
                case "e":
                    self.front.tell("There is no round to explain yet.")
                case "q":
                    raise Leaving
                case _:
                    return command

    def _no_such_key(self, command: Command) -> None:
        pressed = "Enter" if not command.key else repr(command.key[:12])
        self.front.tell(f"{pressed} does nothing here; ? is help.")


_NEAREST = str.maketrans(
    "♣♦♥♠╭╮╰╯─│═░●◉▸▼·…×–━┃┏┓┗┛",
    "cdhs++++-|=#o@>v-.x--|++++",
)


class PlainLetters:
    """An output that cannot print the signs of the suits, written to in letters it can."""

    def __init__(self, output: TextIO) -> None:
        self.output = output
        self.encoding = output.encoding or "ascii"

    def write(self, text: str) -> int:
        """Write what is nearest to the text."""
        plain = text.translate(_NEAREST)
        self.output.write(plain.encode(self.encoding, "replace").decode(self.encoding))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        """All else is as it is with the output below."""
        return getattr(self.output, name)


def printable(output: TextIO) -> TextIO:
    """The output itself, or one in plain letters where it has no signs for suits."""
    try:
        "♠♥♦♣╭─╮│●◉░▸".encode(getattr(output, "encoding", None) or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return PlainLetters(output)  # type: ignore[return-value]
    return output


def play_sitting(
    book: Rulebook,
    *,
    seats: int,
    seat: int,
    seed: int | None,
    input: TextIO,
    output: TextIO,
    coached: bool = False,
    best: bool = False,
) -> tuple[int, dict[str, Any]]:
    """Play at a table until the player leaves: 0, or 1 after a refusal at the door or Ctrl-C; and
    what came of it, for scripts. Without a seed nobody can foretell a card.

    `coached` tells at every decision what each choice is worth; `best` makes the bots play as well
    as can be.
    """
    dice = secrets.SystemRandom() if seed is None else random.Random(seed)
    front = _front(input, printable(output))
    try:
        setup = set_up(book, {**every_side_bet(book), "seats": seats})
        decide = players.best_bots(setup) if best else players.decide
        sitting = Sitting(setup, seat, dice, front, coached=coached, decide=decide)
    except Refused as refusal:
        front.goodbye(refusal_words(refusal))
        refused = {"code": refusal.code, "message": str(refusal), "cites": list(refusal.cites)}
        return 1, {"rulebook": book.id, "refused": refused}
    status = 0
    try:
        with front:
            sitting.run()
    except Leaving:
        pass
    except KeyboardInterrupt:
        status = 1
    front.goodbye(sitting.farewell())
    return status, _report(sitting)


def _report(sitting: Sitting) -> dict[str, Any]:
    setup = sitting.setup
    return {
        "rulebook": setup.book.id,
        "seats": setup.seats,
        "seat": sitting.you,
        "rounds": [show_dollars(net) for net in sitting.nets_cents],
        "net": show_dollars(sum(sitting.nets_cents)),
        "meter": show_dollars(sitting.meter.cents) if setup.progressive is not None else None,
    }


def _front(input: TextIO, output: TextIO) -> LineFront | ScreenFront:
    drawable = os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    if HAS_RAW_KEYS and drawable and input.isatty() and output.isatty():
        return ScreenFront(input, output)
    return LineFront(input, output)
