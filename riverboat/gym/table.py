"""What both games' environments have in common: one seat decides, the house does the rest.

A round up to the deal is the same every time, so it is played once; a new episode is a new deal on
that state. The engine stays exact: only the reward is a float.
"""

from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeAlias

import gymnasium
import numpy as np
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.spaces import Dict, Discrete
from numpy.typing import NDArray

from riverboat.core.cards import DECK, Card, check_distinct, parse_cards
from riverboat.core.errors import Refused
from riverboat.core.money import Cents, parse_dollars
from riverboat.core.well_formed import require_kind
from riverboat.gym.rendering import render_round
from riverboat.meter.amounts import meter_of
from riverboat.round import Round, Seat, Setup, open_round, play, set_up
from riverboat.round import actions as a
from riverboat.round.legal import legal, whole_bets
from riverboat.round.setup.choices import Raw
from riverboat.round.streets import card_counts, deal_out, seat_to_act
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_all, load_either

_STANDING = ("in force", "vendor's", "draft", "superseded", "house's")
"""Which rulebook is played where none is named: the one that stands highest."""
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
        _require_kinds(rulebook, side_bets, seat, others, strategy)
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
        self._before_the_deal = self._place_wagers(
            sorted([seat, *free[:others]]), _in_cents(self.setup.book, ante, side_bets), meter
        )
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
        return render_round(self.round, self.seat, choices)

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

    def _place_wagers(self, seats: list[int], wagers: Mapping[str, Cents], meter: str) -> Round:
        """The round up to the deal; what the table does not take is refused here."""
        progressive = self.setup.progressive
        seed = progressive.seed_cents if progressive is not None else 0
        state = open_round(self.setup, meter_of(parse_dollars(meter) if meter != "" else seed))
        for number in seats:
            for spot, cents in wagers.items():
                state = play(state, a.Wager(seat=number, spot=spot, cents=cents))
        state = play(state, a.CloseBets())
        if progressive is None:
            return state
        state = play(state, a.LockProgressive())
        lit = sum(seat.lit for seat in state.seats.values())
        return play(state, a.CollectProgressive(chips=lit))

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
        taken = [card for cards in given.values() for card in cards]
        check_distinct(taken)
        rest = iter([card for card in deck if card not in taken])
        return {
            place: given.get(place) or tuple(next(rest) for _ in range(count))
            for place, count in counts.items()
        }

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


def _require_kinds(
    rulebook: object, side_bets: object, seat: object, others: object, strategy: object
) -> None:
    """What the engine is never asked about, or too late."""
    require_kind(rulebook, str | Rulebook, "rulebook")
    require_kind(side_bets, Mapping, "side_bets")
    require_kind(seat, int, "seat")
    require_kind(others, int, "others")
    require_kind(strategy, Callable, "strategy")  # type: ignore[arg-type]
    assert isinstance(others, int)
    if others < 0:
        raise Refused("seat.unknown", f"others is {others}; none or more is right", cites=())


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
