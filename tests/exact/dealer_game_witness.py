"""A game against the dealer worked out again with nothing of the solver's: not its counts, classes
or tables, and not what it asks of the engine. What is paid stands here as the trade publishes it.

The first way multiplies: a dealer's ranks come in as many ways as live cards of each rank can be
drawn, and hands of one suit are put right after that. It goes through all 2,598,960 hands with all
47 up-cards. The second deals every dealer's hand out and ranks it by an evaluator of its own.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Any, NamedTuple

import numpy as np

from riverboat.core.cards import Card, parse_cards
from riverboat.core.hands import Ranked, rank_five
from riverboat.exact.kernels.compiling import compiled

DEALER_HANDS = comb(46, 4)
Array = np.ndarray[Any, Any]


class Rules(NamedTuple):
    """What a round brings in antes: a win by the player's hand, and a dealer who is too low.

    A tie brings nothing, a loss costs ante and bet, a fold the ante; the bet is twice the ante.
    """

    wins: tuple[int, ...]
    needs: str
    too_low: int


CARIBBEAN = Rules(
    wins=tuple(1 + 2 * odds for odds in (1, 1, 2, 3, 4, 5, 7, 20, 50, 100)),
    needs="Ac Kd 4h 3s 2c",
    too_low=1,
)
ISLAND = Rules(wins=(2, 2, *[3] * 8), needs="7c 5d 4h 3s 2c", too_low=0)


class Found(NamedTuple):
    """The whole game under the best play; where both are worth the same, it is bet."""

    hands: int
    ev: Fraction
    fold_frequency: Fraction

    @property
    def element_of_risk(self) -> Fraction:
        """The loss for each unit wagered."""
        return -self.ev / (1 + 2 * (1 - self.fold_frequency))


def found(cells: Any) -> Found:
    """Figures from the number of hands, folds and the worth of all cells."""
    hands, folds, worth = map(int, cells)
    return Found(hands, Fraction(worth, hands * 47 * DEALER_HANDS), Fraction(folds, hands * 47))


@compiled
def net(dealers: Any, mine: Any, terms: Any) -> Any:
    """What a round brings; `terms` are the lowest hand that qualifies, what a win brings, what a
    dealer brings who is too low."""
    if dealers < terms[0]:
        return terms[2]
    if dealers < mine:
        return terms[1]
    return 0 if dealers == mine else -3


# ---------------------------------------------------------------- by multiplying


class Ranks(NamedTuple):
    """The dealer's other four ranks, and the values they make with an up-card of each rank."""

    fours: Array
    mixed: Array
    suited: Array


@cache
def ordered() -> dict[Ranked, int]:
    """The place of every hand among all, by the readable evaluator."""
    made = {rank_five(cards) for cards in _mixed_hands()} | {
        rank_five([4 * rank for rank in ranks]) for ranks in combinations(range(13), 5)
    }
    return {one: place for place, one in enumerate(sorted(made))}


def _mixed_hands() -> Iterator[list[int]]:
    for ranks in combinations_with_replacement(range(13), 5):
        if ranks[0] != ranks[4]:
            yield mixed_hand(ranks)


def mixed_hand(ranks: tuple[int, ...]) -> list[int]:
    """Cards of these ranks in ascending order, not all of one suit."""
    cards = [4 * rank + ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    return cards if any(card % 4 for card in cards) else [cards[0] + 1, *cards[1:]]


@cache
def ranks_of_dealer() -> Ranks:
    """Values of every four ranks with every up-card's; -1 where there is no such hand."""
    fours = list(combinations_with_replacement(range(13), 4))
    mixed, suited = np.full((2, len(fours), 13), -1, np.int64)
    for place, four in enumerate(fours):
        for up in range(13):
            five = tuple(sorted((*four, up)))
            if five[0] != five[4]:
                mixed[place, up] = ordered()[rank_five(mixed_hand(five))]
            if len(set(five)) == 5:
                suited[place, up] = ordered()[rank_five([4 * rank for rank in five])]
    return Ranks(np.array(fours, np.int64), mixed, suited)


@compiled
def _mixed_worth(mine: Any, value: Any, terms: Any, ranks: Any, worth: Any) -> None:
    """What a bet brings against an up-card of each rank, as if no dealer's hand were suited."""
    live = np.full(13, 4)
    for rank in mine:
        live[rank] -= 1
    worth[:] = 0
    for up in range(13):
        if live[up] == 0:
            continue
        live[up] -= 1
        for place in range(len(ranks.fours)):
            ways, run = 1, 0
            for k in range(4):
                rank = ranks.fours[place, k]
                run = run + 1 if k > 0 and rank == ranks.fours[place, k - 1] else 1
                ways = ways * (live[rank] - run + 1) // run
            if ways > 0:
                worth[up] += ways * net(ranks.mixed[place, up], value, terms)
        live[up] += 1


@compiled
def _suited_worth(mine: Any, value: Any, terms: Any, ranks: Any, more: Any) -> None:
    """What the dealer's suited hands bring more than counted, by which of the player's five cards
    are of the up-card's suit."""
    more[:] = 0
    for held in range(32):
        gone = 0
        for k in range(5):
            if held >> k & 1:
                gone |= 1 << mine[k]
        for place in range(len(ranks.fours)):
            free = True
            for k in range(4):
                free &= (gone >> ranks.fours[place, k] & 1) == 0
            for up in range(13):
                if free and ranks.suited[place, up] >= 0:
                    better = net(ranks.suited[place, up], value, terms)
                    more[held, up] += better - net(ranks.mixed[place, up], value, terms)


@compiled
def _choose(mine: Any, is_suited: Any, worth: Any, more: Any, cells: Any) -> None:
    """The better choice in every cell: each hand of these ranks, in each suit, each up-card."""
    held = np.zeros(4, np.int64)
    for suits in range(1024):
        held[:] = 0
        is_hand = True
        for k in range(5):
            suit = suits >> 2 * k & 3
            is_hand &= k == 0 or mine[k] != mine[k - 1] or suit > (suits >> 2 * (k - 1) & 3)
            held[suit] |= 1 << k
        if not is_hand or is_suited != (31 in held):
            continue
        cells[0] += 1
        for suit in range(4):
            gone = 0
            for k in range(5):
                gone |= (held[suit] >> k & 1) << mine[k]
            for up in range(13):
                if gone >> up & 1:
                    continue
                bet = worth[up] + more[held[suit], up]
                cells[1] += bet < -DEALER_HANDS
                cells[2] += max(bet, -DEALER_HANDS)


def by_multiplying(rules: Rules) -> Found:
    """The whole game: all 2,598,960 hands with all 47 up-cards."""
    ranks, cells = ranks_of_dealer(), np.zeros(3, np.int64)
    worth, more = np.empty(13, np.int64), np.empty((32, 13), np.int64)
    needs = ordered()[rank_five(parse_cards(rules.needs))]
    for five in combinations_with_replacement(range(13), 5):
        for is_suited in (False, True):
            if five[0] == five[4] or (is_suited and len(set(five)) < 5):
                continue
            ranked = rank_five([4 * rank for rank in five] if is_suited else mixed_hand(five))
            value, mine = ordered()[ranked], np.array(five, np.int64)
            terms = (needs, rules.wins[ranked.hand], rules.too_low)
            _mixed_worth(mine, value, terms, ranks, worth)
            _suited_worth(mine, value, terms, ranks, more)
            _choose(mine, is_suited, worth, more, cells)
    return found(cells)


# ---------------------------------------------------------------- by dealing


@compiled
def _score(cards: Any, held: Any) -> Any:
    """A number that is the higher the better five cards are, from how often each rank is there."""
    held[:] = 0
    mask, is_flush = 0, True
    for card in cards:
        held[card // 4] += 1
        mask |= 1 << card // 4
        is_flush &= card % 4 == cards[0] % 4
    score, pairs, most = 0, 0, 0
    for count in range(4, 0, -1):
        for rank in range(12, -1, -1):
            if held[rank] == count:
                score = score * 13 + rank
                pairs += count == 2
                most = max(most, count)
    is_wheel = mask == 0b1000000001111
    is_straight = is_wheel
    for lowest in range(9):
        is_straight |= mask == 31 << lowest
    kind = 7 if most == 4 else 3 if most == 3 else min(pairs, 2)
    if most == 3 and pairs:
        kind = 6
    if is_straight or is_flush:
        kind = 8 if is_straight and is_flush else 5 if is_flush else 4
    return (kind << 20) + (3 if is_wheel else score)


@compiled
def _scores(out: Any) -> None:
    """The scores of all hands, so that those which differ in their lowest card lie side by side."""
    cards, held, at = np.empty(5, np.int64), np.empty(13, np.int64), 0
    for e in range(52):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    for a in range(b):
                        cards[0], cards[1], cards[2], cards[3], cards[4] = a, b, c, d, e
                        out[at] = _score(cards, held)
                        at += 1


@cache
def places() -> tuple[dict[int, int], Array]:
    """Each score's place among all 7,462, and the place of every hand."""
    out = np.empty(comb(52, 5), np.int64)
    _scores(out)
    scores, place = np.unique(out, return_inverse=True)
    return {score: at for at, score in enumerate(scores.tolist())}, place.astype(np.int32)


@compiled
def _deal(live: Any, upto: Any, below: Any, terms: Any, place: Any, worth: Any) -> None:
    """Every hand that the dealer can have: what it brings, at each of its cards as up-card."""
    needs, win, too_low = terms
    worth[:] = 0
    at = 0
    for e in range(52):
        for d in range(e):
            for c in range(d):
                for b in range(c):
                    if live[b] and live[c] and live[d] and live[e]:
                        row = 0
                        for a in range(b):
                            dealers = place[at + a]
                            brings = 3 * (dealers < upto) - 3 + win * (dealers < below)
                            brings = (brings + (too_low - win) * (dealers < needs)) * live[a]
                            worth[a] += brings
                            row += brings
                        worth[b] += row
                        worth[c] += row
                        worth[d] += row
                        worth[e] += row
                    at += b


@compiled
def _deal_all(hands: Any, weights: Any, terms: Any, place: Any, cells: Any) -> None:
    """The better choice against every up-card, for each of these hands as often as it weighs."""
    live, worth = np.empty(52, np.int32), np.empty(52, np.int32)
    for at in range(len(hands)):
        mine, needs = terms[at, 3], terms[at, 0]
        live[:] = 1
        live[hands[at]] = 0
        brought = (needs, terms[at, 1], terms[at, 2])
        _deal(live, max(mine + 1, needs), max(mine, needs), brought, place, worth)
        cells[0] += weights[at]
        for up in range(52):
            if live[up]:
                cells[1] += weights[at] * (worth[up] < -DEALER_HANDS)
                cells[2] += weights[at] * max(worth[up], -DEALER_HANDS)


def by_dealing(rules: Rules, hands: Sequence[tuple[tuple[Card, ...], int]]) -> Found:
    """These hands, each as often as it weighs, with every up-card and every dealer's hand."""
    at_score, place = places()
    needs, royal = at_score[score(parse_cards(rules.needs))], max(at_score)
    terms = []
    for mine in [score(cards) for cards, _ in hands]:
        kind = (mine >> 20) + (mine == royal)
        terms.append((needs, rules.wins[kind], rules.too_low, at_score[mine]))
    cells = np.zeros(3, np.int64)
    cards = np.array([cards for cards, _ in hands], np.int64)
    weights = np.array([weight for _, weight in hands], np.int64)
    _deal_all(cards, weights, np.array(terms, np.int32), place, cells)
    return found(cells)


def score(cards: Sequence[Card]) -> int:
    """The score of five cards."""
    return int(_score(np.array(cards, np.int64), np.empty(13, np.int64)))
