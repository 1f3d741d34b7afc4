"""Decisions of a seat: what it knew, what each choice was worth to it then, and what it chose.

The coach says nothing else while a decision is waited for than when the round is over: both ask
here, with the round as it stood at that decision.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from riverboat.core.cards import Card
from riverboat.core.money import Cents
from riverboat.exact.advising import FOLD, Advice, Situation, advise_at
from riverboat.round import events as e
from riverboat.round.state import Round, apply
from riverboat.round.streets import stage_of
from riverboat.rulebook.book import Stage


class Decision(NamedTuple):
    """A decision that was made: the round as it stood before it, and what was bet."""

    before: Round
    seat: int
    cents: Cents | None
    """None for a fold."""

    @property
    def stage(self) -> Stage:
        """Which decision it was."""
        return stage_of(self.before)

    @property
    def ante_cents(self) -> Cents:
        """What the seat's choices are multiples of."""
        return self.before.seats[self.seat].wagers["ante"]

    @property
    def choice(self) -> str:
        """As advice calls it; a bet between the multiples is none of its choices."""
        if self.cents is None:
            return FOLD
        return f"{Fraction(self.cents, self.ante_cents)}x"


def decisions_of(state: Round, seat: int) -> Iterator[Decision]:
    """Every decision of a seat in a round, in order."""
    before = Round(setup=state.setup)
    for event in state.history:
        match event:
            case e.StreetBet() if event.seat == seat:
                yield Decision(before, seat, event.cents)
            case e.Folded() if event.seat == seat:
                yield Decision(before, seat, None)
        before = apply(before, event)


def known_to(state: Round, seat: int) -> Situation:
    """What a seat may reason from: its cards, what lies open, its bets."""
    own = state.seats[seat]
    made = [own.wagers[stage.spot] for stage in state.setup.stages if stage.spot in own.wagers]
    up: Card | None = state.dealer[0] if state.up_cards and state.dealer else None
    return Situation(
        cards=tuple(own.cards),
        board=tuple(state.community[: state.turned]),
        bets=tuple(_multiple(cents, own.wagers["ante"]) for cents in made),
        up_card=up,
    )


def _multiple(cents: Cents, ante_cents: Cents) -> Fraction | int:
    multiple = Fraction(cents, ante_cents)
    return int(multiple) if multiple.denominator == 1 else multiple


def advice_to(state: Round, seat: int) -> Advice:
    """What each choice of the seat that has to decide is worth: a fold, or a bet by its multiple,
    also where there is only one."""
    advice = advise_at(state.setup, known_to(state, seat), state.seats[seat].wagers["ante"])
    only = f"{stage_of(state).multiples[0]}x"
    named = {"bet": only}
    return Advice(
        choices={named.get(name, name): value for name, value in advice.choices.items()},
        best=named.get(advice.best, advice.best),
    )


__all__ = ["Decision", "advice_to", "decisions_of", "known_to"]
