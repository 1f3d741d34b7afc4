"""The most that a house can lose in one round, limits included.

Where everybody shares the community cards, no two seats can hold what one could. Every board
is gone through for the holes that pay most together, each hand under the limit by itself, and the
engine settles that round, with the limit as the rulebook has it. Against a dealer, or for a bonus
that goes by a hand of one's own, the figure is an upper bound.
"""

from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct

from riverboat.core.cards import DECK, Card, show_cards
from riverboat.core.money import Cents
from riverboat.exact import kernels as k
from riverboat.exact.base_games.dealer_game import terms_of
from riverboat.exact.base_games.street_payoffs import payoffs_of
from riverboat.exact.progressive.envy import neighbours
from riverboat.exact.progressive.wager import dues_at
from riverboat.exact.side_bets import is_shared, side_bet_figures
from riverboat.exact.solvers import ByShape
from riverboat.round.settlement.dues import dues
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat

_MOST_NODES = 200_000


class Exposure(Struct, frozen=True, kw_only=True):
    """The largest loss of a round at these wagers; `attained` if a deal is known to bring it."""

    cents: Cents
    wager_cents: Cents
    seats: int
    attained: bool
    example: str = ""


def base_exposure(setup: Setup, seats: int, ante_cents: Cents) -> Exposure:
    """The base game, every seat at this ante and at its largest bets."""
    return ByShape(_on_streets, _against_dealer).at(setup)(setup, seats, ante_cents)


def _against_dealer(setup: Setup, seats: int, ante_cents: Cents) -> Exposure:
    terms = terms_of(setup, ante_cents)
    most = max(paid.net_cents for table in terms.paid for paid in table.values())
    return Exposure(cents=seats * most, wager_cents=ante_cents, seats=seats, attained=False)


def _on_streets(setup: Setup, seats: int, ante_cents: Cents) -> Exposure:
    board, holes, complete = _best_deal(setup, seats, ante_cents)
    wagers = {"ante": ante_cents}
    for stage in setup.stages:
        wagers[stage.spot] = max(stage.multiples) * ante_cents
    seated = {n: Seat(wagers=wagers, cards=hole) for n, hole in enumerate(holes, start=1)}
    owed = dues(Round(setup=setup, seats=seated, community=board, turned=3))
    lost = sum(due.given_cents for due in owed) - len(holes) * sum(wagers.values())
    return Exposure(
        cents=lost,
        wager_cents=ante_cents,
        seats=seats,
        attained=complete,
        example=f"{show_cards(board)} with " + ", ".join(show_cards(hole) for hole in holes),
    )


def _best_deal(
    setup: Setup, seats: int, ante_cents: Cents
) -> tuple[tuple[Card, ...], list[tuple[Card, ...]], bool]:
    """The board and the holes that win most together, and whether every deal was weighed."""
    import numpy as np

    payoffs = payoffs_of(setup, ante_cents)
    largest = tuple(max(multiples) for multiples in payoffs.multiples)
    row = np.array(payoffs.rows[payoffs.paid[largest]], np.int64)
    best, complete = 0, True
    chosen: tuple[Card, ...] = ()
    seated: list[tuple[Card, ...]] = []
    for board in k.deck_tables.representatives(3):
        holes = list(combinations([card for card in DECK if card not in board], 2))
        hands = np.empty((len(holes), 5), np.int64)
        hands[:, :2], hands[:, 2:] = holes, board
        wins = row[k.hand_values.kinds_of_hands(hands)]
        order = np.argsort(-wins, kind="stable")
        ranked = [(int(wins[n]), holes[n]) for n in order.tolist() if wins[n] > 0]
        if sum(win for win, _ in ranked[:seats]) <= best:
            continue
        most, found, all_weighed = _best_holes(ranked, seats, best)
        complete = complete and all_weighed
        if most > best:
            best, chosen, seated = most, board, found
    return chosen, seated, complete


def _best_holes(
    ranked: Sequence[tuple[int, tuple[Card, ...]]], seats: int, least: int
) -> tuple[int, list[tuple[Card, ...]], bool]:
    """Seats filled with holes that share no card, best first, if they win more than the least; and
    whether every way to fill them was weighed."""
    wins = [win for win, _ in ranked]
    best, found, nodes = least, list[tuple[Card, ...]](), 0

    def fill(place: int, won: int, used: frozenset[Card], holes: list[tuple[Card, ...]]) -> None:
        nonlocal best, found, nodes
        nodes += 1
        if won > best:
            best, found = won, holes
        left = seats - len(holes)
        if not left or nodes > _MOST_NODES:
            return
        for at in range(place, len(ranked)):
            if won + sum(wins[at : at + left]) <= best:
                return
            win, hole = ranked[at]
            if not used.intersection(hole):
                fill(at + 1, won + win, used.union(hole), [*holes, hole])

    fill(0, 0, frozenset(), [])
    return best, found, nodes <= _MOST_NODES


def bonus_exposure(
    setup: Setup, bet: str, paytable: str, seats: int, wager_cents: Cents
) -> Exposure:
    """A bonus. What goes by no card of a seat's own is won by every seat at once.

    Else seats hold different hands, so that no more of them win a line than it has hands.
    """
    found = side_bet_figures(setup, bet, paytable, wager_cents)
    shared = is_shared(setup, bet)
    left, lost = seats, 0
    for line in sorted(found.lines, key=lambda line: -line.net):
        holding = left if shared else min(left, line.combinations)
        if line.net <= 0 or not holding:
            break
        lost += int(line.net * wager_cents) * holding
        left -= holding
    return Exposure(cents=lost, wager_cents=wager_cents, seats=seats, attained=shared)


def progressive_exposure(setup: Setup, seats: int) -> Exposure:
    """One highest hand of a progressive at its seed, with the envy bonuses of all other seats."""
    assert setup.progressive is not None
    award = max(dues_at(setup, setup.progressive.seed_cents).values())
    envy = (seats - 1) * max(neighbours(setup, 1).prizes.values(), default=0)
    wagered = seats * setup.progressive.wager_cents
    return Exposure(
        cents=award + envy - wagered,
        wager_cents=setup.progressive.wager_cents,
        seats=seats,
        attained=True,
        example="one highest hand, envy bonuses of all others",
    )
