"""A second witness for Mississippi Stud: plain Python, no classes of cards, its own arithmetic.

It deals every card that can come and asks the readable evaluator for the hand. What a hand pays it
reckons from the words of the pay table and a limit that the test names, not through the engine.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from riverboat.core.cards import DECK, Card
from riverboat.core.hand_kinds import five_card_kind
from riverboat.core.hands import Kind, rank_five
from riverboat.exact.base_games.street_payoffs import KINDS, Payoffs
from riverboat.round import Setup

Bets = tuple[int, ...]


def net(payoffs: Payoffs, bets: Bets, kind: Kind) -> Fraction:
    """What the solver is told of a hand that was not folded, in antes."""
    return Fraction(payoffs.rows[payoffs.paid[bets]][KINDS.index(kind)], payoffs.unit)


class Witness:
    """One table, one ante, one limit on the winnings of a hand (from these odds on)."""

    def __init__(
        self, setup: Setup, ante: int, limit: int | None = None, from_odds: int = 0
    ) -> None:
        self.lines = setup.lines["base"]
        self.multiples = [street.bet.multiples for street in setup.book.decisions]
        self.ante = ante
        self.limit = limit
        self.from_odds = from_odds
        self._kinds: dict[frozenset[Card], Kind] = {}
        self._nets: dict[tuple[int, Kind], int] = {}
        self._fifth: dict[frozenset[Card], Counter[Kind]] = {}

    def net(self, bets: Bets, kind: Kind) -> int:
        """The result of a hand in cents."""
        key = sum(bets), kind
        if key not in self._nets:
            self._nets[key] = self.reckon(bets, kind)
        return self._nets[key]

    def reckon(self, bets: Bets, kind: Kind) -> int:
        """The arithmetic of it."""
        pays = self.lines[kind].pays
        stakes = self.ante * (1 + sum(bets))
        if pays.kind != "to":
            return 0 if pays.kind == "push" else -stakes
        won = Fraction(stakes * pays.amount, pays.per)
        assert won.denominator == 1
        if self.limit is not None and pays.amount >= self.from_odds * pays.per:
            return min(int(won), self.limit)
        return int(won)

    def kind(self, cards: Sequence[Card]) -> Kind:
        """The kind of five cards; the same five are ranked once."""
        held = frozenset(cards)
        if held not in self._kinds:
            self._kinds[held] = five_card_kind(rank_five(tuple(cards)))
        return self._kinds[held]

    def choices(
        self, held: tuple[Card, ...], bets: Bets, know: Sequence[Card] = ()
    ) -> dict[str, Fraction]:
        """Every choice with its value in antes."""
        live = [card for card in DECK if card not in held and card not in know]
        self._fifth.clear()
        cases = 1
        for gone in range(5 - len(held)):
            cases *= len(live) - gone
        values = {"fold": Fraction(self._fold(bets), self.ante)}
        for multiple in self.multiples[len(bets)]:
            total = self._after(held, (*bets, multiple), live)
            values[f"{multiple}x"] = Fraction(total, cases * self.ante)
        return values

    def _fold(self, bets: Bets) -> int:
        return -self.ante * (1 + sum(bets))

    def _after(self, held: tuple[Card, ...], bets: Bets, live: list[Card]) -> int:
        """The sum over every card that can come next."""
        if len(held) == 4:
            four = frozenset(held)
            if four not in self._fifth:
                self._fifth[four] = Counter(self.kind((*held, card)) for card in live)
            return sum(count * self.net(bets, kind) for kind, count in self._fifth[four].items())
        return sum(
            self._best((*held, card), bets, [other for other in live if other != card])
            for card in live
        )

    def _best(self, held: tuple[Card, ...], bets: Bets, live: list[Card]) -> int:
        """The best choice, as a sum over the cards that can still come."""
        cases = len(live) * (len(live) - 1 if len(held) == 3 else 1)
        multiples = self.multiples[len(bets)]
        betting = [self._after(held, (*bets, multiple), live) for multiple in multiples]
        return max(self._fold(bets) * cases, *betting)

    def whole_game(self) -> Fraction:
        """The value of the game in antes, by another reduction: what a fifth card can make of four
        depends on their ranks and on whether they are of one suit; the other cards are dealt."""
        fifth: dict[tuple[tuple[int, ...], bool], dict[Bets, int]] = {}
        total = 0
        seen: dict[tuple[int, int, bool], int] = {}
        for a, b in combinations(DECK, 2):
            alike = (a // 4, b // 4, a % 4 == b % 4)
            if alike not in seen:
                seen[alike] = self._starting_hand((a, b), fifth)
            total += seen[alike]
        return Fraction(total, 1326 * 50 * 49 * 48 * self.ante)

    def _starting_hand(
        self,
        hole: tuple[Card, ...],
        fifth: dict[tuple[tuple[int, ...], bool], dict[Bets, int]],
    ) -> int:
        live = [card for card in DECK if card not in hole]
        thirds, fourths, _ = self.multiples
        pairs = [(a, b) for a in thirds for b in fourths]
        after_third = dict.fromkeys(thirds, 0)
        for third in live:
            sums: dict[Bets, int] = dict.fromkeys(pairs, 0)
            for fourth in live:
                if fourth == third:
                    continue
                held = (*hole, third, fourth)
                key = (tuple(sorted(card // 4 for card in held)), len({c % 4 for c in held}) == 1)
                if key not in fifth:
                    rest = [card for card in DECK if card not in held]
                    fifth[key] = {bets: self._best(held, bets, rest) for bets in pairs}
                for bets, value in fifth[key].items():
                    sums[bets] += value
            for first in thirds:
                best = max(sums[first, second] for second in fourths)
                after_third[first] += max(best, self._fold((first,)) * 49 * 48)
        return max(self._fold(()) * 50 * 49 * 48, *after_third.values())
