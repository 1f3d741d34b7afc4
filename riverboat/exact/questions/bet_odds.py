"""What `odds` answers: an entry for each bet under each pay table, exact, as data and for print."""

from fractions import Fraction
from html import escape
from typing import Any

from msgspec import UNSET, Struct, UnsetType

from riverboat.core.money import Cents, show_dollars
from riverboat.exact.distribution import Distribution, Expected
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


class BetOdds(Expected, frozen=True, kw_only=True):
    """One bet under one pay table, per unit of the first wager.

    `printed_ev` is there where the document prints something else than is played.
    """

    bet: str
    paytable: str
    status: str
    wager_cents: Cents
    hit_frequency: Fraction
    skewness: float | None = None
    base: BaseOdds | None = None
    progressive: ProgressiveOdds | None = None
    lines: tuple[LineFigures, ...] = ()
    printed_ev: Fraction | None = None
    suspicion: str = ""
    assumptions: tuple[str, ...] = ()

    @property
    def element_of_risk(self) -> Fraction | None:
        """What the house keeps of everything that is bet, ties as `base.ties` says."""
        return None if self.base is None else self.house_edge / self.base.average_wager


class Refusal(Struct, frozen=True, kw_only=True):
    """Why a table does not take a bet, with the clauses that say so."""

    code: str
    words: str
    cites: tuple[str, ...]


class RefusedBet(Struct, frozen=True, kw_only=True):
    """A bet that the table does not take as it was asked for."""

    bet: str
    paytable: str
    wager: str | UnsetType = UNSET
    refused: Refusal


class Odds(Struct, frozen=True, kw_only=True):
    """Every bet of a rulebook that was asked for, and those that the table does not take."""

    rulebook: str
    bets: tuple[BetOdds, ...]
    not_offered: tuple[RefusedBet, ...] = ()

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


# ---------------------------------------------------------------- for scripts


class OtherTies(Struct, frozen=True, kw_only=True):
    """The same play with choices that are worth the same decided the other way."""

    ties: str
    average_wager: Fraction
    element_of_risk: float
    element_of_risk_exact: Fraction


class Outcome(Struct, frozen=True, kw_only=True):
    """What a round can come to, in antes, and its chance."""

    net: Fraction
    probability: Fraction


class Jointly(Struct, frozen=True, kw_only=True):
    """Base game and progressive played for both at once, in dollars of one round at this ante."""

    ante: str
    separate: Fraction
    joint: Fraction
    gain: Fraction
    ev: Fraction
    break_even_meter: str | None


class PayLine(Struct, frozen=True, kw_only=True):
    """A line of the pay table: in how many ways it comes, and what it returns."""

    hand: str
    pays: str
    combinations: int
    probability: Fraction
    net: Fraction
    returns: Fraction


class Printed(Struct, frozen=True, kw_only=True):
    """What the document prints, where something else is played."""

    ev: Fraction
    house_edge: float


class BetFigures(Struct, frozen=True, kw_only=True):
    """A bet under a pay table: exact figures as fractions, per unit of the first wager, and beside
    them rounded ones. A base game has more, from `capped` on; a progressive from `meter` on."""

    bet: str
    paytable: str
    status: str
    wager: str
    ev: Fraction
    house_edge: float
    hit_frequency: Fraction
    standard_deviation: float
    variance: Fraction
    skewness: float | UnsetType = UNSET
    capped: bool | UnsetType = UNSET
    average_wager: Fraction | UnsetType = UNSET
    element_of_risk: float | UnsetType = UNSET
    element_of_risk_exact: Fraction | UnsetType = UNSET
    ties: str | UnsetType = UNSET
    ties_otherwise: OtherTies | UnsetType = UNSET
    win_push_loss: dict[str, Fraction] | UnsetType = UNSET
    folds: dict[str, Fraction] | UnsetType = UNSET
    raises: dict[str, dict[str, Fraction]] | UnsetType = UNSET
    hands: tuple[HandShare, ...] | UnsetType = UNSET
    distribution: tuple[Outcome, ...] | UnsetType = UNSET
    simpler_play: tuple[SimplerPlay, ...] | UnsetType = UNSET
    meter: str | UnsetType = UNSET
    others: int | UnsetType = UNSET
    envy_ev: Fraction | UnsetType = UNSET
    break_even_meter: str | UnsetType | None = UNSET
    break_even_meter_exact: Fraction | UnsetType | None = UNSET
    long_run_house_edge: float | UnsetType = UNSET
    long_run_house_edge_exact: Fraction | UnsetType = UNSET
    fold: str | UnsetType = UNSET
    strategy: str | UnsetType = UNSET
    together: Jointly | UnsetType = UNSET
    lines: tuple[PayLine, ...] | UnsetType = UNSET
    as_printed: Printed | UnsetType = UNSET
    suspicion: str | UnsetType = UNSET
    assumptions: tuple[str, ...]


class OddsFigures(Struct, frozen=True, kw_only=True):
    """The figures of every bet of a rulebook that was asked for."""

    rulebook: str
    bets: tuple[BetFigures, ...]
    not_offered: tuple[RefusedBet, ...] | UnsetType = UNSET


def odds_document(odds: Odds) -> OddsFigures:
    """The answer as scripts read it."""
    return OddsFigures(
        rulebook=odds.rulebook,
        bets=tuple(_entry(one) for one in odds.bets),
        not_offered=odds.not_offered or UNSET,
    )


def _shared(one: Struct, document: type[Struct]) -> dict[str, Any]:
    """The fields of an answer that its document has by the same name."""
    own = one.__struct_fields__
    return {name: getattr(one, name) for name in document.__struct_fields__ if name in own}


def _entry(one: BetOdds) -> BetFigures:
    printed = one.printed_ev
    found = _shared(one, BetFigures) | {
        "wager": show_dollars(one.wager_cents),
        "house_edge": float(one.house_edge),
        "standard_deviation": one.standard_deviation,
        "skewness": UNSET if one.skewness is None else one.skewness,
        "lines": tuple(PayLine(hand=line.label, **_shared(line, PayLine)) for line in one.lines)
        or UNSET,
        "as_printed": UNSET if printed is None else Printed(ev=printed, house_edge=float(-printed)),
        "suspicion": one.suspicion or UNSET,
    }
    if one.base is not None:
        found |= _base(one, one.base)
    if one.progressive is not None:
        found |= _progressive(one.progressive)
    return BetFigures(**found)


def _base(one: BetOdds, base: BaseOdds) -> dict[str, Any]:
    risk = one.house_edge / base.average_wager
    other_risk = one.house_edge / base.other_average_wager
    chances = zip(("win", "push", "loss"), base.distribution.win_push_loss, strict=True)
    total = base.distribution.total
    return _shared(base, BetFigures) | {
        "element_of_risk": float(risk),
        "element_of_risk_exact": risk,
        "ties_otherwise": OtherTies(
            ties=base.other_ties,
            average_wager=base.other_average_wager,
            element_of_risk=float(other_risk),
            element_of_risk_exact=other_risk,
        ),
        "win_push_loss": dict(chances),
        "distribution": tuple(
            Outcome(net=net, probability=Fraction(weight, total))
            for net, weight in base.distribution.outcomes
        ),
        "simpler_play": base.simpler or UNSET,
    }


def _progressive(found: ProgressiveOdds) -> dict[str, Any]:
    unrounded, both = found.break_even, found.together
    return _shared(found, BetFigures) | {
        "meter": show_dollars(found.meter_cents),
        "break_even_meter": _meter(found.break_even_cents),
        "break_even_meter_exact": None if unrounded is None else unrounded / 100,
        "long_run_house_edge": float(found.long_run_house_edge),
        "long_run_house_edge_exact": found.long_run_house_edge,
        "together": UNSET
        if both is None
        else Jointly(
            ante=show_dollars(both.ante_cents),
            separate=both.separate / 100,
            joint=both.joint / 100,
            gain=(both.joint - both.separate) / 100,
            ev=both.ev,
            break_even_meter=_meter(both.break_even_cents),
        ),
    }


def _meter(cents: Cents | None) -> str | None:
    return None if cents is None else show_dollars(cents)
