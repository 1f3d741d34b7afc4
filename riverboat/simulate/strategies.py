"""Ways to play, by name or from a file of Python, as the compiled rounds look them up.

A way of one's own is asked once for every situation that differs: afterwards it costs nothing more
than the best play. It is told the cards and what was bet, nothing else; where suits do not make a
hand, it sees one set of cards for all that are alike.
"""

import re
import runpy
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from riverboat.core.cards import SUITS, Card, show_cards
from riverboat.core.errors import NotationError
from riverboat.core.hands import Ranked
from riverboat.exact.base_games import dealer_game, dealer_strategies, street_strategies
from riverboat.exact.base_games.dealer_strategies import RULES_OF_THUMB, RankPlay
from riverboat.exact.base_games.street_payoffs import payoffs_of
from riverboat.exact.base_games.streets import Solution, Strategy, evaluate, staying
from riverboat.exact.solvers import BaseFigures, BasePlay, Solved
from riverboat.round.setup.setup import Setup
from riverboat.simulate import dealer_rounds as d
from riverboat.simulate.card_tables import fives_by_value

BEST: Final = "best"
Chooser: TypeAlias = Callable[..., int]
"""A player's own: `choose(cards, bets)` on streets, `choose(cards, up_card)` against a dealer; the
cards are text, the answer a multiple of the ante, 0 for the fold."""
_STREETS: Final = {
    "published": street_strategies.PUBLISHED,
    "compact": street_strategies.COMPACT,
    "points-alone": street_strategies.POINTS_ALONE,
    "pairs-only": street_strategies.PAIRS_ONLY,
    "never-fold": street_strategies.NEVER_FOLD,
    "always-least": street_strategies.ALWAYS_LEAST,
    "always-most": street_strategies.ALWAYS_MOST,
}


class Played(NamedTuple):
    """A way to play: its name, how it is looked up, and its exact figures where there are any."""

    name: str
    look_up: Any
    figures: BaseFigures | None
    base_play: BasePlay | None


def _slug(words: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def on_streets(setup: Setup, ante: int, solution: Solved, name: str) -> Played:
    """A way to play three streets."""
    assert isinstance(solution, Solution)
    if name == BEST:
        return Played(name, solution.choose, solution.figures, solution.base_play)
    payoffs = payoffs_of(setup, ante)
    if name in _STREETS:
        way = street_strategies.as_strategy(_STREETS[name], payoffs)
    else:
        way = _own_on_streets(_own(name, (BEST, *_STREETS)), payoffs.multiples, name)
    figures = evaluate(payoffs, way)
    play = BasePlay(figures.hands_unfolded, staying(way), name)
    return Played(name, way, figures, play)


def against_dealer(setup: Setup, ante: int, solution: Solved, name: str) -> Played:
    """A way to play against a dealer."""
    assert isinstance(solution, dealer_game.DealerSolution)
    if name == BEST:
        return Played(name, d.best_way(solution), solution.figures, solution.base_play)
    known = {_slug(words): play for words, play in RULES_OF_THUMB.items()}
    known["never-fold"] = known["bet-every-hand"]
    bet = setup.stages[0].multiples[0]
    if name in known:
        play = known[name]
        figures = dealer_strategies.evaluate_by_rank(solution, play)
        return Played(name, d.way_by_rank(setup, _betting(play, bet)), figures, None)
    chooser = _own(name, (BEST, *known))
    multiples = (0, *setup.stages[0].multiples)
    return Played(name, d.way_by_rank(setup, _own_by_rank(chooser, multiples, name)), None, None)


def _betting(play: RankPlay, multiple: int) -> d.RankStrategy:
    return lambda mine, up_rank: multiple if play(mine, up_rank) else 0


# ---------------------------------------------------------------- a player's own


def _own(name: str, known: Sequence[str]) -> Chooser:
    """The function that FILE.py:NAME names."""
    file, colon, function = name.rpartition(":")
    if not colon or not file.endswith(".py"):
        text = f"`strategy` {name}: one of {', '.join(known)}, or FILE.py:FUNCTION"
        raise NotationError("simulate.no_such_strategy", text)
    if not Path(file).is_file():
        raise NotationError("simulate.no_such_strategy", f"`strategy` {name}: no file {file}")
    try:
        found = runpy.run_path(file).get(function)
    except Exception as problem:
        text = f"`strategy` {name}: {file} ends with {type(problem).__name__}: {problem}"
        raise NotationError("simulate.bad_strategy", text) from problem
    if not callable(found):
        text = f"`strategy` {name}: {file} has no function {function}"
        raise NotationError("simulate.no_such_strategy", text)
    return found  # type: ignore[no-any-return]


def _asked(chooser: Chooser, allowed: Sequence[int], name: str, *told: object) -> int:
    """Its answer, if it is one of those that the table takes."""
    shown = ", ".join(map(repr, told))
    try:
        answer = chooser(*told)
    except Exception as problem:
        text = f"`strategy` {name}: asked {shown} it ends with {type(problem).__name__}: {problem}"
        raise NotationError("simulate.bad_strategy", text) from problem
    if isinstance(answer, bool) or not isinstance(answer, int) or answer not in (0, *allowed):
        right = ", ".join(f"{multiple}" for multiple in sorted({0, *allowed}))
        text = f"`strategy` {name}: asked {shown} it says {answer!r}; {right} is right, 0 folds"
        raise NotationError("simulate.bad_strategy", text)
    return answer


def _own_on_streets(chooser: Chooser, multiples: Sequence[Sequence[int]], name: str) -> Strategy:
    def choose(cards: tuple[Card, ...], bets: tuple[int, ...]) -> int:
        allowed = multiples[len(bets)]
        highest_first = tuple(sorted(cards, reverse=True))
        return _asked(chooser, allowed, name, show_cards(highest_first), bets)

    return choose


def _own_by_rank(chooser: Chooser, multiples: Sequence[int], name: str) -> d.RankStrategy:
    def choose(mine: Ranked, up_rank: int) -> int:
        cards = fives_by_value()[mine]
        held = set(cards)
        up_card = next(
            (up_rank * len(SUITS) + suit for suit in reversed(range(len(SUITS)))
             if up_rank * len(SUITS) + suit not in held),
            None,
        )  # fmt: skip
        if up_card is None:
            return 0
        return _asked(chooser, multiples, name, show_cards(cards), show_cards((up_card,)))

    return choose
