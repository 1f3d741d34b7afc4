"""What is to be seen and told at one moment, in which words, and what a player asks for."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from riverboat.core.cards import Card, rank_of
from riverboat.core.errors import RiverboatError
from riverboat.core.money import Cents, format_cents
from riverboat.round import Round, Setup
from riverboat.round import events as e
from riverboat.round.streets import stage_of
from riverboat.round.table_talk import STANDING, label
from riverboat.round.views import shown_hands
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import stages_of
from riverboat.terminal.drawing import short
from riverboat.terminal.players import Player
from riverboat.wording.clauses import first_few
from riverboat.wording.explaining import Explanation
from riverboat.wording.round_events import InRound, Voice, round_words

PLAY_MONEY = "play money"


def standing(book: Rulebook) -> str:
    """A rulebook's status, said so that nobody takes a draft for law, and that no money is real."""
    return f"{STANDING[book.status]} · {PLAY_MONEY}"


def short_label(book: Rulebook, spot: str) -> str:
    """A spot's name in at most six letters, for the felt."""
    offer = book.offer(spot)
    short = offer.short if offer is not None else ""
    return short or label(book, spot).split()[0][:6]


def refusal_words(problem: RiverboatError) -> str:
    """Why something was not done, with its clauses."""
    cites: Sequence[str] = getattr(problem, "cites", ())
    return f"Not allowed: {problem}. {first_few(cites, most=6)}".strip()


def listed(book: Rulebook, bets: dict[str, Cents]) -> str:
    """Bets in one line: "Ante $5, Three Card Bonus $1"."""
    return ", ".join(f"{label(book, spot)} {format_cents(cents)}" for spot, cents in bets.items())


def times(cents: Cents, ante_cents: Cents) -> str:
    """A bet as a multiple of the ante, or as an amount where it is no whole multiple."""
    whole, rest = divmod(cents, ante_cents)
    return format_cents(cents) if rest else f"{whole}x"


class Scene(NamedTuple):
    """A round as it stands, with everybody around it."""

    state: Round
    players: Mapping[int, Player]
    you: int
    round_number: int
    explained: tuple[Explanation, ...] = ()
    dealer_up: int | None = None

    @property
    def setup(self) -> Setup:
        """The table that the round is played at."""
        return self.state.setup

    @property
    def is_over(self) -> bool:
        """Whether the round on the felt is finished."""
        return self.state.phase in ("over", "void")

    @property
    def moment(self) -> str:
        """Where the round stands, in a few words."""
        match self.state.phase:
            case "betting":
                return "Place your bets"
            case "deciding" | "turning" if self.state.stage < self.decisions:
                label = stage_of(self.state).label
                return "Bet or fold" if self.decisions == 1 else f"{label}: bet or fold"
            case "deciding" | "turning" | "settling":
                return "Settlement"
            case "over" | "void":
                return "Round over"
        return "No more bets"

    @property
    def decisions(self) -> int:
        """How many decisions the game has."""
        return len(stages_of(self.setup.book))

    def bankroll(self, number: int) -> Cents:
        """A player's own chips now; what lies on the felt has left them."""
        seat = self.state.seats.get(number)
        moving = seat.net_cents if seat is not None and not self.is_over else 0
        return self.players[number].bankroll_cents + moving

    def hand(self, number: int) -> tuple[Card | None, ...]:
        """A seat's cards: your own, and others' only when they are laid open; what belongs together
        first, then from the top."""
        seat = self.state.seats.get(number)
        if seat is None:
            return ()
        if number == self.you or number in shown_hands(self.state):
            ranks = [rank_of(card) for card in seat.cards]
            return tuple(sorted(seat.cards, key=lambda c: (-ranks.count(rank_of(c)), -c)))
        return (None,) * len(seat.cards) if seat.cards_kept else ()

    @property
    def community(self) -> tuple[Card | None, ...]:
        """The community cards, those not turned yet face down."""
        cards, turned = self.state.community, self.state.turned
        return (*cards[:turned], *(None,) * (len(cards) - turned))

    @property
    def box(self) -> tuple[Card | None, ...]:
        """The six card box."""
        return self.state.box if self.state.box_turned else (None,) * len(self.state.box)

    @property
    def dealers_hand(self) -> tuple[Card | None, ...]:
        """The dealer's hand; before it is turned, its first cards as the rulebook says."""
        hand, cards = self.setup.book.dealers_hand, self.state.dealer
        if hand is None:
            return ()
        up = len(cards) if self.state.dealer_turned else hand.up_cards
        up = up if self.dealer_up is None else self.dealer_up
        return (*cards[:up], *(None,) * (len(cards) - up))

    def seen_by_you(self) -> tuple[Card, ...]:
        """Your hand with the community cards that lie open."""
        seat = self.state.seats.get(self.you)
        return (*seat.cards, *self.state.community[: self.state.turned]) if seat else ()

    def is_done(self, number: int) -> bool:
        """Whether nothing of a seat is open any more: it folded, or all of it was settled."""
        seat = self.state.seats.get(number)
        if seat is None or self.state.phase == "betting":
            return False
        if self.is_over:
            return True
        return not seat.wagers and (seat.status != "in" or self.state.phase == "settling")


_TOLD: Final = (
    *(e.BettingClosed, e.MeterContributed, e.CardsBurned, e.CardsDealt),
    *(e.StreetBet, e.Folded, e.SideBetLost, e.CommunityTurned, e.BoxTurned, e.DealersHandTurned),
    *(e.MeterAwarded, e.EnvyPaid),
)


def narrate(scene: Scene, event: e.AnyEvent) -> str:
    """What just happened in one sentence; empty where nobody would say anything."""
    if not isinstance(event, _TOLD):
        return ""
    names = {number: player.name for number, player in scene.players.items()}
    voice = Voice(names, scene.you, lambda cards: " ".join(map(short, cards)))
    return f"{round_words(InRound(event, scene.state, voice))}."


_WORDS = {
    "fold": "f", "bet": "b", "ante": "b", "side": "s", "help": "?", "h": "?", "explain": "e",
    "coach": "c", "quit": "q", "leave": "q", "exit": "q", "deal": "", "enter": "",
}  # fmt: skip


class Command(NamedTuple):
    """A key, and in a line what was written after it."""

    key: str
    rest: str = ""


class Prompt(NamedTuple):
    """A question, and the keys that answer it with what they do."""

    question: str
    keys: tuple[tuple[str, str], ...]


class Leaving(Exception):
    """The player leaves the table, or nothing more can be read."""


def read_command(line: str) -> Command:
    """A line as a command: "f", "3", "3x", "b 15", "fold", or nothing at all."""
    words = line.strip().lower().split(maxsplit=1)
    if not words:
        return Command("")
    key = _WORDS.get(words[0], words[0])
    if key[:-1].isdecimal() and key.endswith("x"):
        key = key[:-1]
    return Command(key, words[1] if len(words) > 1 else "")
