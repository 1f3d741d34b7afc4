"""The envy bonus: what the hands of the other seats are worth to a progressive bettor.

Whether a hand of another seat pays, in play or folded, bet on or not, is asked of the engine. The
expectation is that of one other seat times their number, because expectations add up whatever the
hands have in common. The variance has to know what they have in common.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from msgspec import Struct

from riverboat.core.hand_kinds import five_card_counts
from riverboat.core.hands import Kind
from riverboat.core.money import Cents
from riverboat.exact.base_games.street_payoffs import KINDS
from riverboat.exact.progressive import table_hands as t
from riverboat.exact.solvers import BasePlay, no_solver
from riverboat.round.events import FoldCollected
from riverboat.round.settlement.dues import envy_dues
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat
from riverboat.round.streets import collect_fold

_OWN, _OTHER = 1, 2


class Neighbours(NamedTuple):
    """Other seats that bet the progressive: how many, what each kind of hand of theirs pays, and
    whether only a hand that is not folded does."""

    seats: int
    prizes: dict[Kind, Cents]
    only_unfolded: bool

    @property
    def kinds(self) -> frozenset[Kind]:
        """The hands that pay."""
        return frozenset(self.prizes)


class EnvyFigures(Struct, frozen=True, kw_only=True):
    """The envy bonus of one progressive wager, in units of it, beside so many other bettors."""

    paytable: str
    bettors: int
    expected: Fraction
    variance: Fraction
    assumptions: tuple[str, ...]


def company(setup: Setup, held: frozenset[Kind], seats: int, stays: t.Stays | None) -> t.Company:
    """How often seats hold such hands together at this table."""
    if _on_one_board(setup):
        return t.shared_board(held, seats, stays)
    return t.separate_hands(held, seats)


def _on_one_board(setup: Setup) -> bool:
    """Whether two cards each are played with the same three; five cards each have none in common.

    How seats hold hands together is known for no other deal.
    """
    deal = setup.book.deal
    dealt = (deal.seat_cards, deal.community_cards)
    if dealt not in ((2, 3), (5, 0)):
        raise no_solver(setup.book)
    return dealt == (2, 3)


def pairs_of(
    setup: Setup,
    own: frozenset[Kind],
    other: frozenset[Kind],
    stays: t.Stays | None,
    other_stays: t.Stays | None,
) -> t.Pairs:
    """How often one seat holds one of these kinds and another seat one of those."""
    if _on_one_board(setup):
        return t.own_and_other_on_board(own, other, stays, other_stays)
    return t.own_and_other_apart(own, other)


def neighbours(setup: Setup, seats: int) -> Neighbours:
    """So many other seats that bet the progressive too."""
    playing, folded = _prizes(setup, Seat(lit=True)), _prizes(setup, _folded(setup))
    assert folded in ({}, playing), "a folded hand pays as any other, or nothing"
    return Neighbours(seats, playing, folded != playing)


def _folded(setup: Setup) -> Seat:
    seat = Seat(lit=True, status="folded", wagers={"ante": 100})
    events = collect_fold(Round(setup=setup, seats={_OTHER: seat}), _OTHER)
    kept = next(event.cards_kept for event in events if isinstance(event, FoldCollected))
    return Seat(lit=True, status="folded", cards_kept=kept)


def _prizes(setup: Setup, holder: Seat, own: Seat | None = None) -> dict[Kind, Cents]:
    """What a bettor is paid for each kind of hand of a holder, by the engine."""
    state = Round(setup=setup, seats={_OWN: own or Seat(lit=True), _OTHER: holder})
    prizes: dict[Kind, Cents] = {}
    for kind in KINDS:
        dues = envy_dues(state, {_OTHER: kind}, (_OTHER,))
        paid = sum(due.paid_cents for due in dues if due.seat == _OWN)
        if paid:
            prizes[kind] = paid
    return prizes


def lost_by_own_fold(setup: Setup) -> bool:
    """Whether a bettor who folds is paid no envy bonus."""
    return not _prizes(setup, Seat(lit=True), own=Seat(lit=True, status="folded"))


def chances_of(group: Neighbours, play: BasePlay) -> dict[Kind, Fraction]:
    """How often one seat of a group has each hand that pays."""
    dealt = t.dealt_chances(five_card_counts())
    source: Mapping[Kind, Fraction] = play.unfolded if group.only_unfolded else dealt
    return {kind: source[kind] for kind in group.prizes}


def envy_figures(setup: Setup, play: BasePlay, *, bettors: int) -> EnvyFigures:
    """The envy bonus for one bettor with so many other seats."""
    progressive, rule = setup.progressive, setup.book.progressive
    assert progressive is not None, "a table with a progressive"
    assert rule is not None
    wager = progressive.wager_cents
    group = neighbours(setup, bettors)
    said = []
    if rule.envy.per_qualifying_hand:
        expected, square = _mean(group, chances_of(group, play)), _square(setup, play, group)
    else:
        expected, square = _first_only(setup, play, group)
        said.append("one envy bonus a round, for the first hand that earns one")
    if lost_by_own_fold(setup):
        kept = kept_by_own_play(setup, play, group)
        expected, square = expected * kept, square * kept
        said.append("a fold loses the envy bonus; two other hands of a round are taken to come as "
                    "often as one while this hand stays")  # fmt: skip
    return EnvyFigures(
        paytable=progressive.envy.id,
        bettors=bettors,
        expected=expected / wager,
        variance=(square - expected**2) / wager**2,
        assumptions=tuple(said),
    )


def _mean(group: Neighbours, chances: Mapping[Kind, Fraction]) -> Fraction:
    """What all seats of a group bring, in cents, if a hand of each is as likely as said."""
    each = (chances[kind] * cents for kind, cents in group.prizes.items())
    return group.seats * sum(each, Fraction(0))


def kept_by_own_play(setup: Setup, play: BasePlay, group: Neighbours) -> Fraction:
    """The part of the envy bonuses that a bettor is in play for, where a fold loses them.

    Exact for each other hand by itself: own hand and other hand share a deck, or a board.
    """
    whole = _mean(group, chances_of(group, play))
    if not whole:
        return Fraction(1)
    return _mean(group, _beside_own(setup, play, group)) / whole


def _beside_own(setup: Setup, play: BasePlay, group: Neighbours) -> Mapping[Kind, Fraction]:
    """How often one seat of a group has each hand that pays while the bettor does not fold."""
    if play.beside is not None:
        return play.beside(group.kinds)
    if play.stays is None:
        return chances_of(group, play)
    both = pairs_of(setup, frozenset(KINDS), group.kinds, play.stays, _stays(group, play))
    sums: dict[Kind, Fraction] = dict.fromkeys(group.prizes, Fraction(0))
    for (_, kind), chance in both.items():
        sums[kind] += chance
    return sums


def _stays(group: Neighbours, play: BasePlay) -> t.Stays | None:
    return play.stays if group.only_unfolded else None


def _square(setup: Setup, play: BasePlay, group: Neighbours) -> Fraction:
    """The mean square of all bonuses of a round, in cents: each seat, and each two seats."""
    squares = {kind: cents**2 for kind, cents in group.prizes.items()}
    total = _mean(group._replace(prizes=squares), chances_of(group, play))
    if group.seats > 1 and group.prizes:
        stays = _stays(group, play)
        both = pairs_of(setup, group.kinds, group.kinds, stays, stays)
        products = (chance * group.prizes[a] * group.prizes[b] for (a, b), chance in both.items())
        total += group.seats * (group.seats - 1) * sum(products)
    return total


def _first_only(setup: Setup, play: BasePlay, group: Neighbours) -> tuple[Fraction, Fraction]:
    """Mean and mean square where only the first hand of a round pays."""
    mean = square = Fraction(0)
    if not (group.seats and group.prizes):
        return mean, square
    seen = company(setup, group.kinds, group.seats, _stays(group, play))
    for order, chance in seen.rounds(group.seats):
        if order:
            mean += chance * group.prizes[order[0]]
            square += chance * group.prizes[order[0]] ** 2
    return mean, square


def shared_with_own(
    setup: Setup,
    play: BasePlay,
    own: Mapping[Kind, Cents],
    own_stays: t.Stays | None,
    envy: EnvyFigures,
) -> Fraction:
    """The mean product of one's own award and the envy bonuses of the same round, in cents."""
    group = neighbours(setup, envy.bettors)
    if not (group.seats and group.prizes and own):
        return Fraction(0)
    both = pairs_of(setup, frozenset(own), group.kinds, own_stays, _stays(group, play))
    products = (chance * own[a] * group.prizes[b] for (a, b), chance in both.items())
    return group.seats * sum(products, Fraction(0))
