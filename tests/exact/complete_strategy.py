"""The complete strategy against a dealer in words, read off the solution's relations."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from riverboat.core.cards import RANKS
from riverboat.core.hands import Ranked
from riverboat.exact.base_games.dealer_game import DealerSolution
from riverboat.exact.base_games.dealer_strategies import relations_of, say_value
from riverboat.exact.kernels.dealer_choices import Relations
from riverboat.exact.kernels.hand_values import hand_values


class BandHand(Struct, frozen=True, kw_only=True):
    """A hand between those that always fold and those that always bet.

    `by_suit` says for none to five cards of the up-card's suit: bet, fold, or both where it goes by
    which cards they are; empty where that cannot be.
    """

    hand: str
    bets: Fraction
    by_suit: tuple[str, ...]


class StrategyRow(Struct, frozen=True, kw_only=True):
    """One up-card: up to which hand to fold, from which to bet, and what lies between."""

    up_rank: str
    matches: bool
    fold_up_to: str
    bet_from: str
    band: tuple[BandHand, ...]

    def __str__(self) -> str:
        match = "in your hand" if self.matches else "not in your hand"
        folds = f"fold up to {self.fold_up_to}" if self.fold_up_to else "never fold"
        bets = f"bet from {self.bet_from}" if self.bet_from else "never bet"
        said = f"up-card {self.up_rank}, {match}: {folds}, {bets}"
        return f"{said}; between them {len(self.band)} hands go by suits" if self.band else said


def strategy_rows(solution: DealerSolution) -> tuple[StrategyRow, ...]:
    """The complete strategy: 13 up-cards, in the own hand or not."""
    found = relations_of(solution)
    return tuple(
        _row(found, rank, matches) for rank in range(len(RANKS)) for matches in (False, True)
    )


def _row(found: Relations, rank: int, matches: bool) -> StrategyRow:
    ranked = hand_values().ranked
    cells, bets = found.cells[:, rank, int(matches)], found.bets[:, rank, int(matches)]
    there = [value for value in range(len(ranked)) if cells[value].any()]
    lowest = next((v for v in there if bets[v].any()), len(ranked))
    highest = next((v for v in reversed(there) if (bets[v] < cells[v]).any()), -1)
    fold_up_to = max((v for v in there if v < lowest), default=None)
    bet_from = min((v for v in there if v > highest), default=None)
    band = [v for v in there if lowest <= v <= highest]
    return StrategyRow(
        up_rank=RANKS[rank],
        matches=matches,
        fold_up_to="" if fold_up_to is None else say_value(ranked[fold_up_to]),
        bet_from="" if bet_from is None else say_value(ranked[bet_from]),
        band=tuple(_band_hand(ranked[v], bets[v], cells[v]) for v in band),
    )


def _band_hand(value: Ranked, bets: Sequence[int], cells: Sequence[int]) -> BandHand:
    def verdict(bet: int, all_of_them: int) -> str:
        if not all_of_them:
            return ""
        return "fold" if not bet else "bet" if bet == all_of_them else "both"

    return BandHand(
        hand=say_value(value),
        bets=Fraction(int(sum(bets)), int(sum(cells))),
        by_suit=tuple(verdict(b, c) for b, c in zip(bets, cells, strict=True)),
    )
