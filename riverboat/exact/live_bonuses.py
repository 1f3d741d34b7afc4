"""How often the hand that decides a bonus comes to a seat that has not folded.

Where a fold forfeits the bet it goes by more than its own hand: a player folds before the cards
that decide the bet are known in full, and by other cards. The base game is taken to be played as if
there were no bonus, and the hands are counted together with what that play does with them.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import comb
from typing import NamedTuple

from riverboat.core.cards import DECK
from riverboat.core.errors import Refused
from riverboat.core.hand_kinds import HANDS, kind_of_three
from riverboat.core.hands import Kind
from riverboat.core.money import Cents
from riverboat.exact.base_play import (
    best_play_in_words,
    hands_bet_against_dealer,
    solved_against_dealer,
)
from riverboat.exact.mississippi import Solution
from riverboat.exact.payoffs import Payoffs, payoffs_of
from riverboat.exact.solvers import ByShape
from riverboat.round.settlement.dues import forfeited_by_fold
from riverboat.round.setup.setup import Setup
from riverboat.rulebook import Rulebook
from riverboat.rulebook.play import DecidedBy


class LiveHands(NamedTuple):
    """Hands that can win a bonus, of so many equally likely cases; the other cases are folded.

    `words` say what that assumes; they are empty where nothing is folded away.
    """

    hands: Mapping[Kind, int]
    cases: int
    words: str = ""

    @property
    def folded(self) -> int:
        """The cases that a fold loses."""
        return self.cases - sum(self.hands.values())


def all_live(hands: Mapping[Kind, int]) -> LiveHands:
    """Hands that nobody folds."""
    return LiveHands(hands, sum(hands.values()))


def live_hands(setup: Setup, bet: str, ante_cents: Cents | None = None) -> LiveHands:
    """The hands that can win a bonus at this table; the ante is its minimum if none is named."""
    decided = decided_by(setup.book, bet)
    if not forfeited_by_fold(setup, bet):
        return all_live(HANDS[decided.hand].counts(setup.flag("three_card_ace_low")))
    return ByShape(_on_streets, _against_dealer).at(setup)(setup, decided, ante_cents)


def decided_by(book: Rulebook, bet: str) -> DecidedBy:
    """The cards that decide a side bet of a rulebook."""
    offer = book.offer(bet)
    assert offer is not None, f"{book.id} has no {bet}"
    return offer.decided_by


def is_shared(setup: Setup, bet: str) -> bool:
    """Whether the same cards decide a bonus for every seat."""
    return "seat" not in decided_by(setup.book, bet).places


def _on_streets(setup: Setup, decided: DecidedBy, ante_cents: Cents | None) -> LiveHands:
    payoffs, places = payoffs_of(setup, ante_cents), decided.places
    box = setup.book.deal.box_cards if "box" in places else 0
    cards = ("seat" in places, "community" in places, box)
    hands, cases = _stayed(payoffs, cards, setup.flag("three_card_ace_low"))
    return LiveHands(hands, cases, _words(payoffs.ante_cents))


@lru_cache(maxsize=32)
def _stayed(
    payoffs: Payoffs, cards: tuple[bool, bool, int], ace_low: bool
) -> tuple[Mapping[Kind, int], int]:
    """Kept for a while: the same bet is asked about under many pay tables."""
    from riverboat.exact.kernels.staying import Deciding, hands_stayed

    deciding = Deciding(*cards)
    return hands_stayed(Solution(payoffs).stays, deciding, ace_low=ace_low), deciding.cases


def _against_dealer(setup: Setup, decided: DecidedBy, ante_cents: Cents | None) -> LiveHands:
    if decided.places != ("seat",):
        text = f"hands of {' and '.join(decided.places)} that a fold loses are not counted here yet"
        raise Refused("exact.not_counted", f"{setup.book.id}: {text}", cites=setup.book.deal.cites)
    solved = solved_against_dealer(setup, ante_cents)
    hands, cases = hands_bet_against_dealer(solved)
    return LiveHands(hands, cases, _words(solved.terms.ante_cents))


def _words(ante_cents: Cents) -> str:
    return f"a fold loses this bet; {best_play_in_words(ante_cents)}"


# ---------------------------------------------------------------- two seats on one board


def product_on_board(setup: Setup, net: Mapping[str, Fraction], ante_cents: Cents) -> Fraction:
    """The mean product of two seats' results on a bonus that the board decides and a fold loses.

    `net` is what each kind of board brings a seat that stays. The cards are the same for both
    seats; who stays for them is not.
    """
    from riverboat.exact.kernels.sharing import PAIRS_OF_HOLES

    total, boards = Fraction(0), 0
    counted = _stayers(payoffs_of(setup, ante_cents), setup.flag("three_card_ace_low"))
    for kind, (count, staying, both) in counted.items():
        won, one = net[kind], 2 * (staying - both)
        total += won * won * both - won * one + count * PAIRS_OF_HOLES - one - both
        boards += count
    return total / (boards * PAIRS_OF_HOLES)


@lru_cache(maxsize=8)
def _stayers(payoffs: Payoffs, ace_low: bool) -> dict[str, tuple[int, int, int]]:
    """Boards in their order by kind: how many, and on them the pairs of holes of which the first
    stays, and of which both do."""
    from riverboat.exact.kernels.sharing import stayers
    from riverboat.exact.kernels.trees import betting_of

    counted = stayers(betting_of(payoffs).tree)
    one, both = counted.total, counted.together
    found: dict[str, tuple[int, int, int]] = {}
    for board in permutations(DECK, 3):
        kind = str(kind_of_three(tuple(sorted(board)), ace_low=ace_low))
        boards, staying, two = found.get(kind, (0, 0, 0))
        stay = int(one[board]) * comb(47, 2)
        found[kind] = boards + 1, staying + stay, two + int(both[board])
    return found
