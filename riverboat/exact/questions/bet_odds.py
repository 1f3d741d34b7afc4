"""What `odds` answers: an entry for each bet under each pay table, exact, as data and for print."""

from collections.abc import Iterator
from fractions import Fraction
from html import escape
from math import sqrt
from typing import Any

import msgspec
from msgspec import Struct

from riverboat.core.money import Cents, show_dollars
from riverboat.exact.distribution import Distribution
from riverboat.exact.side_bets import LineFigures


class HandShare(Struct, frozen=True, kw_only=True):
    """A final hand of the base game: how often it is dealt, and how often it is still in."""

    hand: str
    dealt: Fraction
    unfolded: Fraction


class SimplerPlay(Struct, frozen=True, kw_only=True):
    """A way to play that is easier than the best one, and what it gives away, in antes."""

    name: str
    words: tuple[str, ...]
    ev: Fraction
    cost: Fraction


class BaseOdds(Struct, frozen=True, kw_only=True):
    """What only a base game has. Shares are of all rounds, and amounts are antes."""

    capped: bool
    ties: str
    average_wager: Fraction
    other_ties: str
    other_average_wager: Fraction
    folds: dict[str, Fraction]
    raises: dict[str, dict[str, Fraction]]
    hands: tuple[HandShare, ...]
    distribution: Distribution
    simpler: tuple[SimplerPlay, ...] = ()


class Together(Struct, frozen=True, kw_only=True):
    """Base game and progressive played for both at once, where a fold forfeits the wager.

    In cents of one round at this ante: with the base game played as if alone (`separate`) and with
    the best play of the two (`joint`); `ev` is what the wager then adds, per unit of it.
    """

    ante_cents: Cents
    separate: Fraction
    joint: Fraction
    ev: Fraction
    break_even_cents: Cents | None


class ProgressiveOdds(Struct, frozen=True, kw_only=True):
    """What only a progressive has: meters in cents, other seats, and the play that it assumes.

    `break_even_cents` is the lowest meter at which the wager does not lose, roundings included,
    and `break_even` the same as if a share were not rounded; both are missing where none does.
    """

    meter_cents: Cents
    others: int
    envy_ev: Fraction
    break_even_cents: Cents | None
    break_even: Fraction | None
    long_run_house_edge: Fraction
    fold: str
    strategy: str
    together: Together | None = None


class BetOdds(Struct, frozen=True, kw_only=True):
    """One bet under one pay table, per unit of the first wager.

    `printed_ev` is there where the document prints something else than is played.
    """

    bet: str
    paytable: str
    status: str
    wager_cents: Cents
    ev: Fraction
    hit_frequency: Fraction
    variance: Fraction
    skewness: float | None = None
    base: BaseOdds | None = None
    progressive: ProgressiveOdds | None = None
    lines: tuple[LineFigures, ...] = ()
    printed_ev: Fraction | None = None
    suspicion: str = ""
    assumptions: tuple[str, ...] = ()

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of a wager."""
        return -self.ev

    @property
    def standard_deviation(self) -> float:
        """Of one round, for print."""
        return sqrt(self.variance)

    @property
    def element_of_risk(self) -> Fraction | None:
        """What the house keeps of everything that is bet, ties as `base.ties` says."""
        return None if self.base is None else self.house_edge / self.base.average_wager

    @property
    def other_element_of_risk(self) -> Fraction | None:
        """The same with ties played the other way."""
        return None if self.base is None else self.house_edge / self.base.other_average_wager


class NotOffered(Struct, frozen=True, kw_only=True):
    """A bet that this table does not take as it was asked for, and the clauses that say so."""

    bet: str
    paytable: str
    wager_cents: Cents | None
    code: str
    words: str
    cites: tuple[str, ...]


class Odds(Struct, frozen=True, kw_only=True):
    """Every bet of a rulebook that was asked for, and those that the table does not take."""

    rulebook: str
    bets: tuple[BetOdds, ...]
    not_offered: tuple[NotOffered, ...] = ()

    def find(self, bet: str, paytable: str = "") -> BetOdds:
        """The first entry for a bet, under a pay table where one is named."""
        for one in self.bets:
            if one.bet == bet and paytable in ("", one.paytable):
                return one
        raise KeyError(f"{self.rulebook} has no {bet} {paytable}".rstrip())

    def _repr_html_(self) -> str:
        """A table for a notebook."""
        rows = "".join(f"<tr>{_cells(one)}</tr>" for one in self.bets)
        heads = ("bet", "pay table", "wager", "ev", "house edge", "hit frequency", "sd")
        head = "".join(f"<th>{name}</th>" for name in heads)
        return f"<table><caption>{escape(self.rulebook)}</caption><tr>{head}</tr>{rows}</table>"


def _cells(one: BetOdds) -> str:
    cells = (
        one.bet,
        one.paytable,
        show_dollars(one.wager_cents),
        str(one.ev),
        f"{float(one.house_edge):.4%}",
        f"{float(one.hit_frequency):.4%}",
        f"{one.standard_deviation:.4f}",
    )
    return "".join(f"<td>{escape(cell)}</td>" for cell in cells)


# ---------------------------------------------------------------- kept on disk, and read again


def as_kept(odds: Odds) -> dict[str, Any]:
    """Everything, with fractions as text."""
    kept: dict[str, Any] = msgspec.to_builtins(odds, enc_hook=str)
    return kept


def as_read(kept: dict[str, Any]) -> Odds:
    """The same as it was before it was kept."""
    return msgspec.convert(kept, Odds, dec_hook=lambda kind, text: kind(text))


# ---------------------------------------------------------------- for scripts


def odds_document(odds: Odds) -> dict[str, Any]:
    """The answer as scripts read it."""
    document: dict[str, Any] = {
        "rulebook": odds.rulebook,
        "bets": [dict(_entry(one)) for one in odds.bets],
    }
    if odds.not_offered:
        document["not_offered"] = [dict(_refusal(one)) for one in odds.not_offered]
    return document


def _refusal(one: NotOffered) -> Iterator[tuple[str, Any]]:
    yield "bet", one.bet
    yield "paytable", one.paytable
    if one.wager_cents is not None:
        yield "wager", show_dollars(one.wager_cents)
    yield "refused", {"code": one.code, "words": one.words, "cites": list(one.cites)}


def _entry(one: BetOdds) -> Iterator[tuple[str, Any]]:
    yield "bet", one.bet
    yield "paytable", one.paytable
    yield "status", one.status
    yield "wager", show_dollars(one.wager_cents)
    yield "ev", str(one.ev)
    yield "house_edge", float(one.house_edge)
    yield "hit_frequency", str(one.hit_frequency)
    yield "standard_deviation", one.standard_deviation
    yield "variance", str(one.variance)
    if one.skewness is not None:
        yield "skewness", one.skewness
    if one.base is not None:
        yield from _base(one, one.base)
    if one.progressive is not None:
        yield from _progressive(one.progressive)
    if one.lines:
        yield "lines", [_line(line) for line in one.lines]
    if one.printed_ev is not None:
        edge = float(-one.printed_ev)
        yield "as_printed", {"ev": str(one.printed_ev), "house_edge": edge}
    if one.suspicion:
        yield "suspicion", one.suspicion
    yield "assumptions", list(one.assumptions)


def _base(one: BetOdds, base: BaseOdds) -> Iterator[tuple[str, Any]]:
    risk, other_risk = one.element_of_risk, one.other_element_of_risk
    assert risk is not None
    assert other_risk is not None
    yield "capped", base.capped
    yield "average_wager", str(base.average_wager)
    yield "element_of_risk", float(risk)
    yield "element_of_risk_exact", str(risk)
    yield "ties", base.ties
    yield (
        "ties_otherwise",
        {
            "ties": base.other_ties,
            "average_wager": str(base.other_average_wager),
            "element_of_risk": float(other_risk),
            "element_of_risk_exact": str(other_risk),
        },
    )
    chances = zip(("win", "push", "loss"), base.distribution.win_push_loss, strict=True)
    yield "win_push_loss", {name: str(chance) for name, chance in chances}
    yield "folds", {street: str(share) for street, share in base.folds.items()}
    yield (
        "raises",
        {
            street: {times: str(share) for times, share in made.items()}
            for street, made in base.raises.items()
        },
    )
    yield (
        "hands",
        [{"hand": h.hand, "dealt": str(h.dealt), "unfolded": str(h.unfolded)} for h in base.hands],
    )
    total = base.distribution.total
    yield (
        "distribution",
        [
            {"net": str(net), "probability": str(Fraction(weight, total))}
            for net, weight in base.distribution.outcomes
        ],
    )
    if base.simpler:
        yield "simpler_play", [
            {"name": play.name, "words": list(play.words), "ev": str(play.ev),
             "cost": str(play.cost)}
            for play in base.simpler
        ]  # fmt: skip


def _progressive(found: ProgressiveOdds) -> Iterator[tuple[str, Any]]:
    yield "meter", show_dollars(found.meter_cents)
    yield "others", found.others
    yield "envy_ev", str(found.envy_ev)
    even = found.break_even_cents
    unrounded = found.break_even
    yield "break_even_meter", None if even is None else show_dollars(even)
    yield "break_even_meter_exact", None if unrounded is None else str(unrounded / 100)
    yield "long_run_house_edge", float(found.long_run_house_edge)
    yield "long_run_house_edge_exact", str(found.long_run_house_edge)
    yield "fold", found.fold
    yield "strategy", found.strategy
    if (both := found.together) is not None:
        even = both.break_even_cents
        yield (
            "together",
            {
                "ante": show_dollars(both.ante_cents),
                "separate": str(both.separate / 100),
                "joint": str(both.joint / 100),
                "gain": str((both.joint - both.separate) / 100),
                "ev": str(both.ev),
                "break_even_meter": None if even is None else show_dollars(even),
            },
        )


def _line(line: LineFigures) -> dict[str, Any]:
    return {
        "hand": line.label,
        "pays": line.pays,
        "combinations": line.combinations,
        "probability": str(line.probability),
        "net": str(line.net),
        "returns": str(line.returns),
    }
