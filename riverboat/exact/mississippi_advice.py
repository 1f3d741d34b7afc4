"""What every choice is worth in one situation on the streets, also when more cards are known.

Cards that are known to be elsewhere break the classes that the solver works with, so every card
that can still come is dealt, once each, in plain Python: a hole alone has at most 19,600 boards.
"""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from msgspec import Struct

from riverboat.core.cards import DECK, Card, check_distinct
from riverboat.core.errors import NotationError
from riverboat.core.hand_kinds import kind_of_five
from riverboat.core.money import Cents
from riverboat.exact.payoffs import KINDS, Bets, Payoffs, payoffs_of
from riverboat.round.setup.setup import Setup

Counts = dict[int, int]

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
_KIND_NUMBER = {kind: number for number, kind in enumerate(KINDS)}
_SUIT_BITS = 3
_named: dict[tuple[int, bool], int] = {}


class Advice(Struct, frozen=True, kw_only=True):
    """Each choice with its value in antes, counting what is bet already, best play after it."""

    choices: dict[str, Fraction]
    best: str

    def cost(self, choice: str) -> Fraction:
        """What a choice gives away against the best one."""
        return self.choices[self.best] - self.choices[choice]


def advise(
    setup: Setup,
    hole: Sequence[Card],
    board: Sequence[Card] = (),
    bets: Bets = (),
    know: Collection[Card] = (),
    ante_cents: Cents | None = None,
) -> Advice:
    """The exact value of every choice. `know` are further cards that are out of the deck."""
    return advise_on(payoffs_of(setup, ante_cents), hole, board, bets, know)


def advise_between(
    setup: Setup,
    hole: Sequence[Card],
    board: Sequence[Card],
    bets_cents: Sequence[Cents],
    know: Collection[Card] = (),
    ante_cents: Cents | None = None,
) -> Advice:
    """The same after bets, in cents, that need not be whole multiples of the ante."""
    payoffs = payoffs_of(setup, ante_cents, bets_cents)
    return advise_on(payoffs, hole, board, (1,) * len(bets_cents), know)


def advise_on(
    payoffs: Payoffs,
    hole: Sequence[Card],
    board: Sequence[Card] = (),
    bets: Bets = (),
    know: Collection[Card] = (),
) -> Advice:
    """The same where the payoffs are known already, or hold more than the base game pays."""
    _require_situation(payoffs, hole, board, bets)
    held = (*hole, *board)
    check_distinct((*held, *know))
    live = [card for card in DECK if card not in held and card not in know]
    if len(live) < 5 - len(held):
        text = f"{len(live)} cards are left, and {5 - len(held)} are still to come"
        raise NotationError("advise.no_cards", text)
    values = _values(payoffs, held, bets, live)
    choices = {"fold": Fraction(payoffs.folded[bets], payoffs.unit)}
    choices |= {f"{multiple}x": value for multiple, value in values.items()}
    most = max(choices.values())
    best = next((n for n, v in choices.items() if v == most and n != "fold"), "fold")
    return Advice(choices=choices, best=best)


def _require_situation(
    payoffs: Payoffs, hole: Sequence[Card], board: Sequence[Card], bets: Bets
) -> None:
    if len(hole) != 2 or len(board) > 2:
        text = f"{len(hole)} hole and {len(board)} community cards; two and none, one or two decide"
        raise NotationError("advise.bad_cards", text)
    if len(bets) != len(board):
        text = f"{_count(len(bets), 'street bet')} with {_count(len(board), 'community card')}"
        raise NotationError("advise.bad_bets", f"--bets: {text}; one for each is right")
    for bet, multiples in zip(bets, payoffs.multiples, strict=False):
        if bet not in multiples:
            listed = ", ".join(map(str, multiples))
            raise NotationError("advise.bad_bets", f"a bet of {bet}x; {listed} is allowed")


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _values(
    payoffs: Payoffs, held: tuple[Card, ...], bets: Bets, live: list[Card]
) -> dict[int, Fraction]:
    """Each bet with its value in antes."""
    left = len(live)
    multiples = payoffs.multiples[len(bets)]
    if len(held) == 4:
        counts: Counts = {}
        for number in _kinds(held, live, 1):
            counts[number] = counts.get(number, 0) + 1
        sums = _row_sums(payoffs, counts)
        return {m: Fraction(sums[payoffs.paid[*bets, m]], left * payoffs.unit) for m in multiples}
    if len(held) == 3:
        by_card = _counted(held, live, 1)
        cases = left * (left - 1) * payoffs.unit
        totals = [_row_sums(payoffs, counts) for counts in by_card.values()]
        return {
            m: Fraction(sum(_fifth(payoffs, (*bets, m), s, left - 1) for s in totals), cases)
            for m in multiples
        }
    return _third(payoffs, held, live)


def _third(payoffs: Payoffs, held: tuple[Card, ...], live: list[Card]) -> dict[int, Fraction]:
    """Every pair of cards that can come first is valued once and counts for both its orders."""
    left = len(live)
    states = [(a, b) for a in payoffs.multiples[0] for b in payoffs.multiples[1]]
    after: dict[Card, list[int]] = {card: [0] * len(states) for card in live}
    for pair, counts in _counted(held, live, 2).items():
        sums = _row_sums(payoffs, counts)
        values = [_fifth(payoffs, state, sums, left - 2) for state in states]
        for card in pair:
            row = after[card]
            for place, value in enumerate(values):
                row[place] += value
    found: dict[int, Fraction] = {}
    cases = left * (left - 1) * (left - 2) * payoffs.unit
    for first in payoffs.multiples[0]:
        fold = payoffs.folded[(first,)] * (left - 1) * (left - 2)
        places = [place for place, state in enumerate(states) if state[0] == first]
        total = sum(max(fold, *(row[place] for place in places)) for row in after.values())
        found[first] = Fraction(total, cases)
    return found


def _fifth(payoffs: Payoffs, bets: Bets, sums: list[int], cards: int) -> int:
    """The best that can be done on fifth street, summed over the cards that can come."""
    bettings = [sums[payoffs.paid[*bets, last]] for last in payoffs.multiples[2]]
    return max(payoffs.folded[bets] * cards, *bettings)


def _row_sums(payoffs: Payoffs, counts: Counts) -> list[int]:
    return [sum(row[kind] * count for kind, count in counts.items()) for row in payoffs.rows]


def _counted(
    held: tuple[Card, ...], live: list[Card], known: int
) -> dict[tuple[Card, ...], Counts]:
    """For each way to turn all cards but the last, the kinds of hand that the last one makes."""
    found: dict[tuple[Card, ...], Counts] = {cards: {} for cards in combinations(live, known)}
    to_come = combinations(live, known + 1)
    for cards, number in zip(to_come, _kinds(held, live, known + 1), strict=True):
        for seen in combinations(cards, known):
            counts = found[seen]
            counts[number] = counts.get(number, 0) + 1
    return found


def _kinds(held: tuple[Card, ...], live: list[Card], to_come: int) -> Iterator[int]:
    """The kind of every hand that can still be made, in the order of the combinations.

    The readable evaluator names each set of ranks once; a product of primes stands for the set.
    """
    suit = held[0] & _SUIT_BITS
    one_suit = all(card & _SUIT_BITS == suit for card in held)
    start = 1
    for card in held:
        start *= _PRIMES[card >> 2]
    for cards in combinations(live, to_come):
        ranks, suited = start, one_suit
        for card in cards:
            ranks *= _PRIMES[card >> 2]
            suited = suited and card & _SUIT_BITS == suit
        key = ranks, suited
        number = _named.get(key)
        if number is None:
            number = _named[key] = _KIND_NUMBER[kind_of_five((*held, *cards))]
        yield number
