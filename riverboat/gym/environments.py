"""The games as environments: one seat decides, the house does the rest.

A round up to the deal is the same every time, so it is played once; a new episode is a new deal on
that state. The engine stays exact: only the reward is a float. Cards are observed as fifty-two
zeros and ones; a card's place is its number in `riverboat.core.cards` (`parse_card("2c")` is 0,
`parse_card("As")` is 51).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary
from numpy.typing import NDArray

from riverboat.core import cards as c
from riverboat.core.cards import DECK, Card, parse_cards, show_card, show_cards
from riverboat.core.errors import Refused
from riverboat.core.money import Cents, format_cents, format_signed, parse_dollars
from riverboat.core.well_formed import require_kind
from riverboat.meter.amounts import meter_of
from riverboat.round import Round, Seat, Setup, play, set_up
from riverboat.round import actions as a
from riverboat.round.engine import before_the_deal
from riverboat.round.legal import legal, whole_bets
from riverboat.round.setup.choices import Raw
from riverboat.round.streets import card_counts, deal_out, seat_to_act, stage_of
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_all, load_either

_STANDING = ("in force", "vendor's", "draft", "superseded", "house's")
"""Which rulebook is played where none is named: the one that stands highest."""
_KINDS: dict[str, Any] = {"rulebook": str | Rulebook, "side_bets": Mapping, "seat": int,
                          "others": int, "strategy": Callable}  # fmt: skip
"""What the engine is never asked about, or too late."""
Observation: TypeAlias = dict[str, Any]
Strategy: TypeAlias = Callable[[Round, int], a.AnyAction]


def stay_in(state: Round, seat: int) -> a.AnyAction:
    """The other seats' strategy unless another is given: never fold, bet as little as allowed."""
    return a.Bet(seat=seat, cents=whole_bets(state, legal(state, seat))[0].cents)


class TableEnv(gymnasium.Env[Observation, np.int64]):
    """One round is one episode; the reward at its end is the seat's net result in antes.

    `rulebook` is an id, a file or a rulebook; by default the game's own that is in force. `table`
    holds the operator's choices by the names that scenario files have: pay tables of the side bets,
    limits, options. `ante`, `side_bets` and `meter` are dollars as text. `others` further seats
    place the same wagers and follow `strategy`; their cards stay hidden. An action that the rules
    do not allow raises `InvalidAction`, or folds with `illegal="fold"`.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012
    observation_space: Dict
    action_space: Discrete
    against_dealer: bool
    """Whether the games of this environment are played against the dealer's hand."""

    def __init__(
        self,
        rulebook: str | Rulebook = "",
        *,
        table: Mapping[str, Raw] | None = None,
        ante: str = "5",
        side_bets: Mapping[str, str] | None = None,
        meter: str = "",
        seat: int = 1,
        others: int = 0,
        strategy: Strategy = stay_in,
        illegal: Literal["raise", "fold"] = "raise",
        render_mode: str | None = None,
    ) -> None:
        side_bets = {} if side_bets is None else side_bets
        given = (rulebook, side_bets, seat, others, strategy)
        for value, (name, kind) in zip(given, _KINDS.items(), strict=True):
            require_kind(value, kind, name)
        if others < 0:
            raise Refused("seat.unknown", f"others is {others}; none or more is right", cites=())
        if illegal not in ("raise", "fold"):
            raise ValueError(f"illegal={illegal!r}; 'raise' and 'fold' are known")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode={render_mode!r}; 'ansi' and None are known")
        self.render_mode = render_mode
        self.setup: Setup = set_up(self._book(rulebook), {} if table is None else table)
        self.seat, self.illegal, self.strategy = seat, illegal, strategy
        stages = self.setup.stages
        self.multiples = tuple(sorted({m for stage in stages for m in stage.multiples}))
        names = [f"{m}x" for m in self.multiples] if len(self.multiples) > 1 else ["bet"]
        self.actions = ("fold", *names)
        self.action_space = Discrete(len(self.actions))
        self.decisions = len(stages)
        self.observation_space = self._space()
        free = [number for number in range(1, seat + others + 1) if number != seat]
        seats, wagers = sorted([seat, *free[:others]]), _in_cents(self.setup.book, ante, side_bets)
        progressive = self.setup.progressive
        seed = progressive.seed_cents if progressive is not None else 0
        shown = meter_of(parse_dollars(meter) if meter != "" else seed)
        self._before_the_deal = before_the_deal(self.setup, seats, wagers, shown)
        self.bets: tuple[int, ...] = ()
        self._round: Round | None = None

    @property
    def round(self) -> Round:
        """The engine's own state, with everything that the seat must not see."""
        if self._round is None:
            raise ResetNeeded("no round has been dealt: call reset() first")
        return self._round

    @property
    def is_over(self) -> bool:
        """Whether the round was settled and closed."""
        return self.round.phase == "over"

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal a round. `options={"cards": {"1": "9h 8h", "community": "Qh Jh Th"}}` stacks the
        deck: places and cards as in scenario files, and the rest as it comes."""
        named = _cards_named(options)
        super().reset(seed=seed)
        deck = [int(card) for card in self.np_random.permutation(len(DECK))]
        places = self._places(deck, named)
        self.bets = ()
        self._go_on(play(self._before_the_deal, a.Deal(places=places)))
        return self._observe(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Decide, and let the house go on until the next decision or the end of the round."""
        if self.is_over:
            raise ResetNeeded("the round is over: call reset() first")
        multiple = self._multiple(action)
        if multiple:
            decision = a.Bet(seat=self.seat, cents=self._ante_cents * multiple)
            self.bets = (*self.bets, multiple)
            self._go_on(play(self.round, decision))
        else:
            self._go_on(play(self.round, a.Fold(seat=self.seat)))
        reward = self._seat.net_cents / self._ante_cents if self.is_over else 0.0
        return self._observe(), reward, self.is_over, False, self._info()

    def render(self) -> str | None:
        """The table as text, as the seat sees it."""
        if self.render_mode is None:
            return None
        choices = [self.actions[n] for n in np.flatnonzero(self.action_mask())]
        lines = _lines(self.round, self.seat, choices)
        return "\n".join(f"{label:<12}{text}" for label, text in lines)

    def action_mask(self) -> NDArray[np.int8]:
        """Which actions the rules allow now: 1 or 0 for each; all 0 when the round is over."""
        mask = np.zeros(len(self.actions), dtype=np.int8)
        offers = legal(self.round, self.seat)
        mask[0] = any(offer.kind is a.Fold for offer in offers)
        for bet in whole_bets(self.round, offers):
            mask[1 + self.multiples.index(bet.times)] = 1
        return mask

    def _space(self) -> Dict:
        """The space of the game's observations."""
        raise NotImplementedError

    def _observe(self) -> Observation:
        """What the seat knows now."""
        raise NotImplementedError

    @property
    def _seat(self) -> Seat:
        return self.round.seats[self.seat]

    @property
    def _ante_cents(self) -> Cents:
        return self._before_the_deal.seats[self.seat].wagers["ante"]

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_mask()}
        if self.is_over:
            info["net_cents"] = self._seat.net_cents
            info["results_cents"] = dict(self._seat.results)
        return info

    def _book(self, rulebook: str | Rulebook) -> Rulebook:
        if not rulebook:
            books = [loaded.book for loaded in load_all() if self._plays(loaded.book)]
            return min(books, key=lambda book: _STANDING.index(book.status))
        book = load_either(rulebook).book if isinstance(rulebook, str) else rulebook
        if not self._plays(book):
            raise ValueError(f"{book.id} is no game for {type(self).__name__}")
        return book

    def _plays(self, book: Rulebook) -> bool:
        return (book.comparison is not None) == self.against_dealer

    def _places(self, deck: list[Card], named: Mapping[str, str]) -> dict[str, tuple[Card, ...]]:
        """Where the cards go: those that are named, and the rest from the top of the deck."""
        seats = sorted(self._before_the_deal.seats)
        if not named:
            return deal_out(self.setup, seats, deck)
        given = {
            "box" if place == "six_card_box" else str(place): parse_cards(text)
            for place, text in named.items()
        }
        counts = card_counts(self.setup, seats)
        wrong = [place for place in given if len(given[place]) != counts.get(place)]
        if wrong:
            raise ValueError(f"cards for {wrong[0]!r}; the places and their cards are {counts}")
        c.check_distinct([card for cards in given.values() for card in cards])
        return c.with_the_rest(counts, given, deck)

    def _multiple(self, action: np.int64 | int) -> int:
        """What an action bets in antes; 0 is a fold."""
        mask = self.action_mask()
        is_number = not isinstance(action, bool) and self.action_space.contains(action)
        if is_number and mask[action]:
            return self.multiples[int(action) - 1] if action else 0
        if self.illegal == "fold":
            return 0
        allowed = ", ".join(f"{n} ({self.actions[n]})" for n in np.flatnonzero(mask))
        raise InvalidAction(f"action {action!r}; allowed are {allowed}")

    def _go_on(self, state: Round) -> None:
        """The other seats decide, the dealer turns, settles and closes, until the seat's turn."""
        while state.phase in ("deciding", "turning"):
            number = seat_to_act(state)
            if number == self.seat:
                break
            state = play(state, a.Turn() if number is None else self.strategy(state, number))
        if state.phase == "settling":
            state = play(play(state, a.SettleAll()), a.Close())
        self._round = state


def _cards_named(options: dict[str, Any] | None) -> Mapping[str, str]:
    """The cards that a reset is asked to deal, by their places."""
    options = {} if options is None else options
    require_kind(options, Mapping, "options")
    named: Mapping[str, str] = options.get("cards", {})
    require_kind(named, Mapping, "cards")
    return named


def _in_cents(book: Rulebook, ante: str, side_bets: Mapping[str, str]) -> dict[str, Cents]:
    """The wagers in the order in which they are placed."""
    wagers = {"ante": ante, **side_bets}
    own = ("ante", *(offer.bet for offer in book.side_bets))
    known = [spot for spot in own if spot in wagers]
    order = [*known, *(spot for spot in wagers if spot not in known)]
    return {spot: parse_dollars(wagers[spot]) for spot in order}


def card_places(cards: Iterable[Card]) -> NDArray[np.int8]:
    """Fifty-two zeros, with a one for each of these cards."""
    places = np.zeros(len(DECK), dtype=np.int8)
    places[list(cards)] = 1
    return places


class MississippiStudEnv(TableEnv):
    """Three streets, each with a fold, action 0, and the multiples that the rulebook allows, from
    the smallest: mostly 1x, 2x and 3x, actions 1, 2 and 3.

    Observation: `hole`, the seat's two cards, and `community`, those that lie open, each as 52
    zeros and ones; `street`, 0 to 2 for the decision at hand and 3 when the round is over; `bets`,
    what the seat bet on 3rd, 4th and 5th street in antes.
    """

    against_dealer = False

    def _space(self) -> Dict:
        most = float(self.multiples[-1])
        return Dict(
            {
                "hole": MultiBinary(len(DECK)),
                "community": MultiBinary(len(DECK)),
                "street": Discrete(self.decisions + 1),
                "bets": Box(0.0, most, shape=(self.decisions,), dtype=np.float32),
            }
        )

    def _observe(self) -> Observation:
        state, seat = self.round, self.round.seats[self.seat]
        bets = np.zeros(self.decisions, dtype=np.float32)
        bets[: len(self.bets)] = self.bets
        return {
            "hole": card_places(seat.cards),
            "community": card_places(state.community[: state.turned]),
            "street": np.int64(self.decisions if self.is_over else state.stage),
            "bets": bets,
        }


class IslandStudEnv(TableEnv):
    """One decision, fold or bet: actions 0 and 1.

    Observation: `hand`, the seat's five cards, and `dealer`, the dealer's cards that lie open (the
    up card; all five when they were turned), each as 52 zeros and ones; `over`, 0 while there is a
    decision to make and 1 afterwards.
    """

    against_dealer = True

    def _space(self) -> Dict:
        return Dict(
            {
                "hand": MultiBinary(len(DECK)),
                "dealer": MultiBinary(len(DECK)),
                "over": Discrete(2),
            }
        )

    def _observe(self) -> Observation:
        state, seat = self.round, self.round.seats[self.seat]
        shown = len(state.dealer) if state.dealer_turned else state.up_cards
        return {
            "hand": card_places(seat.cards),
            "dealer": card_places(state.dealer[:shown]),
            "over": np.int64(self.is_over),
        }


HIDDEN = "??"


def _lines(state: Round, number: int, choices: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The seat's cards, what lies open, its wagers, and what it may do or what came of it."""
    seat = state.seats[number]
    yield f"Seat {number}", show_cards(seat.cards)
    if state.community:
        yield "Community", _face_up(state.community, state.turned)
    if state.box:
        yield "Box", _face_up(state.box, len(state.box) if state.box_turned else 0)
    if state.dealer:
        shown = len(state.dealer) if state.dealer_turned else state.up_cards
        yield "Dealer", _face_up(state.dealer, shown)
    if state.phase == "over":
        results = (f"{_say(spot)} {format_signed(cents)}" for spot, cents in seat.results.items())
        yield "Result", f"{format_signed(seat.net_cents)}: {', '.join(results)}"
        return
    yield "Wagers", ", ".join(f"{_say(s)} {format_cents(c)}" for s, c in seat.wagers.items())
    yield stage_of(state).label, ", ".join(choices)


def _face_up(cards: Sequence[Card], count: int) -> str:
    return " ".join([*map(show_card, cards[:count]), *[HIDDEN] * (len(cards) - count)])


def _say(spot: str) -> str:
    return spot.replace("_", " ")
