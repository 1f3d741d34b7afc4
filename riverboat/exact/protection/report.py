"""The game protection laboratory's report: what can be known, what an exposed card does, and what
changes of the pay lines are worth, as one document with fractions as text and floats for print.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

from msgspec import Struct

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.exact.caching import in_json
from riverboat.exact.protection.knowledge import (
    FEWEST_SAMPLES,
    SAMPLES,
    SEED,
    SINGLE_CARDS,
    Knowledge,
    Progress,
    cards_known,
    one_other_hand,
    other_hands,
)
from riverboat.exact.rule_changes import LineMoved, base_lines_moved
from riverboat.exact.solvers import ByShape, is_streets, least_ante
from riverboat.round.setup.setup import Setup

MOST_HANDS = 5


class ExposedCard(Struct, frozen=True, kw_only=True):
    """What a card that is seen too early does, in antes for each player of that round.

    `rule` is this table's standing order. A void round gives every wager back, so the house loses
    what it would have won; a round that goes on gives everybody the knowledge.
    """

    card: str
    rule: str
    base: Fraction
    if_void: Fraction
    if_it_goes_on: Fraction

    @property
    def costs(self) -> Fraction | None:
        """What the house loses by this table's rule; None where the floor decides."""
        after = {"void": self.if_void, "continue": self.if_it_goes_on}.get(self.rule)
        return None if after is None else after - self.base


def exposed_cards(setup: Setup, ante_cents: Cents | None = None) -> Iterator[ExposedCard]:
    """What this table's rule makes of a card that is seen before anybody has decided."""
    ante = ante_cents or least_ante(setup)
    for known in islice(cards_known(setup, ante), SINGLE_CARDS.at(setup)):
        yield exposed(setup, known)


def exposed(setup: Setup, known: Knowledge) -> ExposedCard:
    """The rule beside what going on and voiding come to."""
    option = ByShape("exposed_community_card", "exposed_dealer_card").at(setup)
    return ExposedCard(
        card=known.what,
        rule=setup.named(option) or "not said",
        base=known.base,
        if_void=Fraction(0),
        if_it_goes_on=known.value,
    )


class Watch(Struct, frozen=True, kw_only=True):
    """What the laboratory is asked: stakes, pace, and how much is sampled."""

    ante_cents: Cents
    rounds_an_hour: int = 45
    hands: int = MOST_HANDS
    samples: int = SAMPLES
    seed: int = SEED


def protection_document(
    setup: Setup, watch: Watch, progress: Progress | None = None
) -> dict[str, Any]:
    """Every kind of knowledge, what an exposed card does, and what the rules' changes are worth."""
    if watch.rounds_an_hour < 1:
        text = f"`rounds_an_hour` {watch.rounds_an_hour}: at least one round an hour is needed"
        raise NotationError("protect.bad_pace", text)
    if watch.hands < 0:
        text = f"`hands` {watch.hands}: there cannot be fewer than no other hands"
        raise NotationError("protect.bad_hands", text)
    if watch.samples < FEWEST_SAMPLES:
        text = (
            f"`samples` {watch.samples}: an error cannot be told from fewer than {FEWEST_SAMPLES}"
        )
        raise NotationError("protect.bad_samples", text)
    direct = tuple(cards_known(setup, watch.ante_cents, progress))
    hands = tuple(_hands_known(setup, watch, progress))
    seen = [exposed(setup, known) for known in direct[: SINGLE_CARDS.at(setup)]]
    lines = list(base_lines_moved(setup, watch.ante_cents))
    return {
        "rulebook": setup.book.id,
        "game": setup.book.game,
        "seats": setup.seats,
        "ante": watch.ante_cents / 100,
        "rounds_an_hour": watch.rounds_an_hour,
        "ev": str(direct[0].base),
        "knowledge": [_knowledge(known, watch) for known in (*direct, *hands)],
        "exposed_cards": [_exposed(card, watch) for card in seen],
        "pay_lines": [_line(line) for line in lines],
        "seat_by_seat": list(_seats(setup, direct[0].base, hands, watch)),
    }


def _hands_known(setup: Setup, watch: Watch, progress: Progress | None) -> Iterator[Knowledge]:
    """One other hole is gone through completely; more, and hands of five, are sampled."""
    for others in range(1, min(watch.hands, setup.seats - 1) + 1):
        if others == 1 and is_streets(setup.book):
            yield one_other_hand(setup, watch.ante_cents, progress)
        else:
            yield other_hands(
                setup,
                others,
                watch.ante_cents,
                samples=watch.samples,
                seed=watch.seed,
                progress=progress,
            )


def _hourly(antes: Fraction, watch: Watch) -> float:
    return float(antes * watch.ante_cents * watch.rounds_an_hour) / 100


def _knowledge(known: Knowledge, watch: Watch) -> dict[str, Any]:
    found: dict[str, Any] = {
        "what": known.what,
        "method": known.method,
        "ev": str(known.value),
        "gain": str(known.gain),
        "win_an_hour": _hourly(known.value, watch),
        "gain_an_hour": _hourly(known.gain, watch),
        "holders": known.holders,
        "all_holders_gain_an_hour": _hourly(known.gain * known.holders, watch),
    }
    if known.method == "sampled":
        found |= in_json(known, "samples") | in_json(watch, "seed")
        found |= in_json(known, "standard_error", "bound", "confidence")
    return found


def _exposed(card: ExposedCard, watch: Watch) -> dict[str, Any]:
    return {
        "card": card.card,
        "rule": card.rule,
        "ev_if_it_goes_on": str(card.if_it_goes_on),
        "ev_if_void": str(card.if_void),
        "costs_the_house": None if card.costs is None else str(card.costs),
        "dollars_a_player": (
            None if card.costs is None else float(card.costs * watch.ante_cents) / 100
        ),
    }


def _line(line: LineMoved) -> dict[str, Any]:
    edges = in_json(line, "one_more", "one_less")
    return in_json(line, "line", "pays") | {"house_edge": str(line.edge)} | edges


def _seats(
    setup: Setup, base: Fraction, hands: tuple[Knowledge, ...], watch: Watch
) -> Iterator[dict[str, Any]]:
    """What each further seat is worth: an honest table, and one where all show their hands."""
    for seats in range(1, setup.seats + 1):
        others = seats - 1
        value = base if not others else hands[others - 1].value if others <= len(hands) else None
        yield {
            "seats": seats,
            "house_wins_an_hour": _hourly(-base * seats, watch),
            "if_all_collude": None if value is None else _hourly(-value * seats, watch),
        }
