"""Rare hands that several seats of one table hold in the same round, counted exactly.

Seats are dealt from one deck, and where they share the community cards their hands share them too:
two straight flushes in a round are ten times likelier on one board than apart. What
is counted is how often seats hold given kinds of hand together; how often they hold them and the
rest of the table holds none follows by inclusion and exclusion.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, factorial, prod
from typing import NamedTuple, TypeAlias

from riverboat.core.cards import DECK, RANKS, SUITS, Card, rank_of, suit_of
from riverboat.core.hand_kinds import kind_of_five
from riverboat.core.hands import Kind

Kinds: TypeAlias = tuple[Kind, ...]
"""Kinds of hand of as many seats, sorted."""
Stays: TypeAlias = Callable[[tuple[Card, ...], tuple[Card, ...]], bool]
"""Whether hole cards are played to the end on a board that is turned in this order."""

BOARDS = comb(52, 3)
FEW_HANDS = 60
"""Up to so many hands every set of them is counted; of more, only pairs."""

Pairs: TypeAlias = dict[tuple[Kind, Kind], Fraction]


class Company(NamedTuple):
    """Kinds of hand, and the chance that as many seats as are named hold them, one each."""

    chances: dict[Kinds, Fraction]

    def together(self, kinds: Iterable[Kind]) -> Fraction:
        """The chance that these seats hold these kinds, whatever the other seats hold."""
        return self.chances.get(tuple(sorted(kinds)), Fraction(0))

    def exactly(self, kinds: Iterable[Kind], seats: int) -> Fraction:
        """The chance that given seats hold these kinds, and the others of the table none."""
        named = Counter(kinds)
        others = seats - named.total()
        chance = Fraction(0)
        for held, share in self.chances.items():
            more = Counter(held)
            more.subtract(named)
            if min(more.values(), default=0) < 0 or more.total() > others:
                continue
            orders = factorial(more.total()) // prod(map(factorial, more.values()))
            ways = comb(others, more.total()) * orders
            chance += (-1) ** more.total() * ways * share
        return chance

    def rounds(self, seats: int) -> Iterator[tuple[Kinds, Fraction]]:
        """The kinds that a round can show, in the order of the seats, with their chances."""
        for held in self.chances:
            if len(held) <= seats:
                share = comb(seats, len(held)) * self.exactly(held, seats)
                for order in sorted(set(permutations(held))):
                    yield order, share


# ---------------------------------------------------------------- the hands themselves


class Pattern(NamedTuple):
    """Five ranks, how often each is held, and what they make in mixed suits and in one."""

    ranks: tuple[tuple[int, int], ...]
    mixed: Kind
    suited: Kind | None


@cache
def patterns() -> tuple[Pattern, ...]:
    """The 6,175 ways to hold five cards by rank; 1,287 of them can be of one suit."""
    return tuple(
        Pattern(tuple(sorted(held.items())), *_made_of(held))
        for held in map(Counter, combinations_with_replacement(range(len(RANKS)), 5))
        if max(held.values()) <= len(SUITS)
    )


def _made_of(held: Counter[int]) -> tuple[Kind, Kind | None]:
    cards = [rank * 4 + suit for rank, times in held.items() for suit in range(times)]
    if len(held) < 5:
        return kind_of_five(tuple(cards)), None
    return kind_of_five((cards[0] + 1, *cards[1:])), kind_of_five(tuple(cards))


@cache
def hands_of(kinds: frozenset[Kind]) -> tuple[tuple[tuple[Card, ...], Kind], ...]:
    """Every five-card hand of these kinds."""
    return tuple(
        (hand, kind_of_five(hand))
        for pattern in patterns()
        if pattern.mixed in kinds or pattern.suited in kinds
        for hand in _in_all_suits(pattern)
        if kind_of_five(hand) in kinds
    )


def _in_all_suits(pattern: Pattern) -> Iterator[tuple[Card, ...]]:
    held = [
        [tuple(rank * 4 + suit for suit in suits) for suits in combinations(range(4), times)]
        for rank, times in pattern.ranks
    ]
    for parts in product(*held):
        yield tuple(card for part in parts for card in part)


def kinds_without(removed: Iterable[Card], kinds: frozenset[Kind]) -> Counter[Kind]:
    """How many hands of these kinds the deck still has when some cards are gone."""
    left = [[True] * len(SUITS) for _ in RANKS]
    for card in removed:
        left[rank_of(card)][suit_of(card)] = False
    counts: Counter[Kind] = Counter()
    for pattern in patterns():
        if pattern.mixed not in kinds and pattern.suited not in kinds:
            continue
        ways = prod(comb(sum(left[rank]), times) for rank, times in pattern.ranks)
        suited = 0
        if pattern.suited is not None:
            suited = sum(all(left[rank][suit] for rank, _ in pattern.ranks) for suit in range(4))
            counts[pattern.suited] += suited
        counts[pattern.mixed] += ways - suited
    return Counter({kind: count for kind, count in counts.items() if kind in kinds and count})


# ---------------------------------------------------------------- separate hands


@cache
def separate_hands(kinds: frozenset[Kind], seats: int) -> Company:
    """Seats with five cards each of their own."""
    hands = [(_mask(hand), kind) for hand, kind in hands_of(kinds)]
    whole = len(hands) <= FEW_HANDS
    most = seats if whole else min(seats, 2)
    sets: Counter[Kinds] = Counter({(): 1})
    for part in _apart(hands) if whole else [hands]:
        grown: Counter[Kinds] = Counter()
        for (held, ways), (more, times) in product(sets.items(), _sets(part, most).items()):
            if len(held) + len(more) <= most:
                grown[tuple(sorted(held + more))] += ways * times
        sets = grown
    deals = [prod(comb(52 - 5 * seat, 5) for seat in range(size)) for size in range(most + 1)]
    return Company(
        {held: Fraction(_named(held) * ways, deals[len(held)]) for held, ways in sets.items()}
    )


def _mask(cards: Iterable[Card]) -> int:
    return sum(1 << card for card in cards)


def _named(held: Kinds) -> int:
    """In how many ways hands of these kinds go to seats that each want their own kind."""
    return prod(map(factorial, Counter(held).values()))


def _apart(hands: list[tuple[int, Kind]]) -> list[list[tuple[int, Kind]]]:
    """Groups of hands that have no card in common with any hand of another group."""
    groups: list[tuple[int, list[tuple[int, Kind]]]] = []
    for mask, kind in hands:
        joined = [group for group in groups if group[0] & mask]
        groups = [group for group in groups if not group[0] & mask]
        cards = mask
        for other, _ in joined:
            cards |= other
        groups.append((cards, [hand for _, held in joined for hand in held] + [(mask, kind)]))
    return [held for _, held in groups]


def _sets(hands: Sequence[tuple[int, Kind]], most: int) -> Counter[Kinds]:
    """Sets of up to so many hands that have no card in common, by their kinds."""
    counts: Counter[Kinds] = Counter({(): 1})
    if most:
        for place, (mask, kind) in enumerate(hands):
            rest = [hand for hand in hands[place + 1 :] if not hand[0] & mask]
            for held, ways in _sets(rest, most - 1).items():
                counts[tuple(sorted((kind, *held)))] += ways
    return counts


# ---------------------------------------------------------------- hands on one board


def shared_board(kinds: frozenset[Kind], seats: int, stays: Stays | None = None) -> Company:
    """Seats with two cards each and the same three community cards.

    `stays` is the way that everybody plays; hands that it folds are not counted.
    """
    chances: dict[Kinds, Fraction] = {(): Fraction(1)}
    for board, held in _boards(kinds).items():
        orders = [board] if stays is None else list(permutations(board))
        for order in orders:
            playing = [
                (_mask(hole), kind) for hole, kind in held if stays is None or stays(hole, order)
            ]
            for seen, ways in _sets(playing, seats).items():
                if seen:
                    deals = prod(comb(49 - 2 * seat, 2) for seat in range(len(seen))) * BOARDS
                    share = Fraction(_named(seen) * ways, deals * len(orders))
                    chances[seen] = chances.get(seen, Fraction(0)) + share
    return Company(chances)


@cache
def _boards(kinds: frozenset[Kind]) -> dict[tuple[Card, ...], list[tuple[tuple[Card, ...], Kind]]]:
    """Each board on which some hole cards make such a hand, with those hole cards."""
    boards: dict[tuple[Card, ...], list[tuple[tuple[Card, ...], Kind]]] = {}
    for hand, kind in hands_of(kinds):
        for hole in combinations(hand, 2):
            board = tuple(sorted(set(hand) - set(hole)))
            boards.setdefault(board, []).append((hole, kind))
    return boards


# ---------------------------------------------------------------- one's own hand and another's


@cache
def own_and_other_apart(own: frozenset[Kind], other: frozenset[Kind]) -> Pairs:
    """The chance of each kind of one's own together with each of another seat's; five cards each.

    Suits are only names, so that one hand of each class stands for all of it.
    """
    pairs: Counter[tuple[Kind, Kind]] = Counter()
    for (hand,), kind, times in _one_of_each(((hand,), kind) for hand, kind in hands_of(other)):
        for mine, count in kinds_without(hand, own).items():
            pairs[mine, kind] += times * count
    deals = comb(52, 5) * comb(47, 5)
    return {held: Fraction(count, deals) for held, count in pairs.items()}


def _one_of_each(
    deals: Iterable[tuple[tuple[tuple[Card, ...], ...], Kind]],
) -> Iterator[tuple[tuple[tuple[Card, ...], ...], Kind, int]]:
    """One deal of each class of suits, with the size of its class; a deal may have parts."""
    classes: dict[object, tuple[tuple[tuple[Card, ...], ...], Kind, int]] = {}
    for parts, kind in deals:
        by_suit = (
            tuple(sum(1 << rank_of(c) for c in part if suit_of(c) == suit) for part in parts)
            for suit in range(len(SUITS))
        )
        name = kind, tuple(sorted(by_suit))
        classes[name] = parts, kind, 1 + (classes[name][2] if name in classes else 0)
    yield from classes.values()


@lru_cache(maxsize=16)
def own_and_other_on_board(
    own: frozenset[Kind],
    other: frozenset[Kind],
    stays: Stays | None = None,
    other_stays: Stays | None = None,
) -> Pairs:
    """The same where both share the community cards; folded hands are not counted."""
    pairs: Counter[tuple[Kind, Kind]] = Counter()
    dealt = (((board, hole), kind) for board, held in _boards(other).items() for hole, kind in held)
    for (board, hole), kind, times in _one_of_each(dealt):
        mine = _own_holes(own, other, board, hole)
        for order in permutations(board):
            if other_stays is None or other_stays(hole, order):
                for two, held in mine:
                    if stays is None or stays(two, order):
                        pairs[held, kind] += times
    deals = 6 * BOARDS * comb(49, 2) * comb(47, 2)
    return {held: Fraction(count, deals) for held, count in pairs.items()}


@cache
def _own_holes(
    own: frozenset[Kind], other: frozenset[Kind], board: tuple[Card, ...], hole: tuple[Card, ...]
) -> list[tuple[tuple[Card, ...], Kind]]:
    """One's own hole cards that make such a hand on a board of which another seat has its own."""
    if own <= other:
        listed = _boards(other)[board]
        return [(two, held) for two, held in listed if held in own and not {*two} & {*hole}]
    taken = {*board, *hole}
    rest = [card for card in DECK if card not in taken]
    found = ((two, kind_of_five((*two, *board))) for two in combinations(rest, 2))
    return [(two, held) for two, held in found if held in own]


def dealt_chances(counts: Mapping[Kind, int]) -> dict[Kind, Fraction]:
    """Counts of hands as chances."""
    whole = sum(counts.values())
    return {kind: Fraction(count, whole) for kind, count in counts.items()}
