"""Pay table against pay table, rulebook against rulebook: what a director needs on one page.

Everything comes from the rulebook through the solvers. Amounts an hour are for a table that deals
at a given pace with a given number of seats, all of them betting the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import sqrt
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.errors import NotationError
from riverboat.core.money import Cents, format_cents
from riverboat.exact import kernels as k
from riverboat.exact.base_games.street_payoffs import payoffs_of
from riverboat.exact.caching import in_json
from riverboat.exact.progressive.meter_life import meter_life, round_law
from riverboat.exact.progressive.wager import progressive_figures, progressive_setup
from riverboat.exact.protection.knowledge import streets_of
from riverboat.exact.questions.question import bets_of, tables_of
from riverboat.exact.risk import exposure as x
from riverboat.exact.risk.sessions import Wagered, base_wager, side_wager
from riverboat.exact.side_bets import decided_by, is_shared, product_on_board, side_bet_figures
from riverboat.exact.solvers import is_streets
from riverboat.round.setup.limits import Limit
from riverboat.round.setup.setup import Setup, set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_either

_BOARD = ("community",)
_shared: dict[tuple[bytes, ...], int] = {}


class Stakes(Struct, frozen=True, kw_only=True):
    """At what stakes tables are compared; a table that does not take the ante gets its nearest.

    A table with fewer seats is taken full.
    """

    ante_cents: Cents = 1500
    bonus_cents: Cents = 500
    rounds_an_hour: int = 45
    seats: int | None = None
    hours: Fraction = Fraction(1)


class ComparedBet(Struct, frozen=True, kw_only=True):
    """One bet under one pay table, a wager from every seat in every round.

    `edge` is of the first wager, for a progressive in the long run. `rating` is the theoretical win
    from one player over the stakes' hours: average first wager × pace × hours × edge. The standard
    deviation of a table counts that its hands share cards where that is known.
    """

    bet: str
    paytable: str
    wager_cents: Cents
    edge: Fraction
    average_wager: Fraction
    deviation: float
    win_an_hour_cents: Fraction
    deviation_an_hour_cents: float
    rating_cents: Fraction
    exposure: x.Exposure
    liability_cents: Fraction | None = None
    edge_now: Fraction | None = None
    notes: tuple[str, ...] = ()

    @property
    def element_of_risk(self) -> Fraction:
        """The edge per unit of everything that is bet."""
        return self.edge / self.average_wager


class Sheet(Struct, frozen=True, kw_only=True):
    """One rulebook's side of the comparison."""

    rulebook: str
    game: str
    seats: int
    rounds_an_hour: int
    hours: Fraction
    minimum_cents: Cents
    maximum_cents: Cents | None
    limit_cents: Cents | None
    bets: tuple[ComparedBet, ...]


def _require_stakes(stakes: Stakes) -> None:
    amounts: dict[str, int | Fraction] = {
        "rounds_an_hour": stakes.rounds_an_hour,
        "hours": stakes.hours,
        "seats": 1 if stakes.seats is None else stakes.seats,
    }
    for field, amount in amounts.items():
        if amount <= 0:
            text = f"`{field}` {amount}: it must be more than nothing"
            raise NotationError(f"compare.bad_{field}", text)


def sheet_of(book: Rulebook, stakes: Stakes, *, bet: str = "") -> Sheet:
    """One rulebook: the base game, every bonus table and every progressive that can be played."""
    setup = set_up(book, {})
    wanted = setup.seats if stakes.seats is None else stakes.seats
    seats = min(wanted, setup.seats)
    found = tuple(_bets(setup, stakes, seats, bet))
    if seats < wanted:
        said = f"this table's most seats, {seats}"
        found = tuple(replace(one, notes=(*one.notes, said)) for one in found)
    return Sheet(
        rulebook=book.id,
        game=book.game,
        seats=seats,
        rounds_an_hour=stakes.rounds_an_hour,
        hours=stakes.hours,
        minimum_cents=setup.limits.ante.minimum_cents,
        maximum_cents=setup.limits.ante.maximum_cents,
        limit_cents=setup.aggregate_limit_cents,
        bets=found,
    )


def _bets(setup: Setup, stakes: Stakes, seats: int, bet: str) -> Iterator[ComparedBet]:
    if bet in ("", "base"):
        yield base_compared(setup, stakes, seats)
    for offer in setup.book.side_bets:
        if bet not in ("", offer.bet):
            continue
        if offer.bet == "progressive":
            yield from _progressives(setup, stakes, seats)
            continue
        for name in offer.paytables:
            yield bonus_compared(setup, offer.bet, name, stakes, seats)


def fitted(limit: Limit, cents: Cents) -> Cents:
    """The wager nearest to this one that the table takes."""
    most = cents if limit.maximum_cents is None else min(cents, limit.maximum_cents)
    return max(most, limit.minimum_cents)


def base_compared(setup: Setup, stakes: Stakes, seats: int) -> ComparedBet:
    """The base game under its best play."""
    ante = fitted(setup.limits.ante, stakes.ante_cents)
    wagered = base_wager(setup, ante)
    top = setup.limits.ante.maximum_cents or ante
    notes = ["best play"]
    variance = float(wagered.distribution.variance)
    together = 0.0
    if is_streets(setup.book):
        together = float(covariance(setup, ante))
        notes.append(f"two hands of a deal correlate {together / variance:.4f}")
    else:
        notes.append("hands of a deal taken as independent")
    if ante != stakes.ante_cents:
        notes.append(f"this table's nearest ante, {format_cents(ante)}")
    if setup.limits.ante.maximum_cents is None:
        notes.append("no table maximum: exposure at the ante compared")
    return _wagered(
        wagered,
        stakes,
        seats,
        together,
        exposure=x.base_exposure(setup, seats, top),
        notes=tuple(notes),
    )


def bonus_compared(
    setup: Setup, bet: str, paytable: str, stakes: Stakes, seats: int
) -> ComparedBet:
    """A bonus under one table."""
    limit = setup.limits.bonuses[bet]
    most, wager = limit.maximum_cents, fitted(limit, stakes.bonus_cents)
    ante = fitted(setup.limits.ante, stakes.ante_cents)
    wagered = side_wager(setup, bet, paytable, wager, ante)
    variance = float(wagered.distribution.variance)
    together = 0.0
    loses, board = bet in setup.lost_by_fold, decided_by(setup.book, bet).places == _BOARD
    if not is_shared(setup, bet) or (loses and not board):
        notes = ["hands taken as independent"]
    elif loses:
        together = float(board_covariance(setup, bet, paytable, wager, ante))
        notes = [f"two seats on the same cards correlate {together / variance:.4f}"]
    else:
        together = variance
        notes = ["every seat wins or loses the same cards"]
    if wager != stakes.bonus_cents:
        notes.append(f"this table's nearest wager, {format_cents(wager)}")
    if most is None:
        notes.append("no maximum: exposure at the wager compared")
    return _wagered(
        wagered,
        stakes,
        seats,
        together,
        exposure=x.bonus_exposure(setup, bet, paytable, seats, most or wager),
        notes=(*notes, *wagered.assumptions),
    )


def _wagered(
    wagered: Wagered, stakes: Stakes, seats: int, together: float, **rest: Any
) -> ComparedBet:
    """A wager from every seat; `together` is the covariance of two of them."""
    variance = float(wagered.distribution.variance)
    table_variance = seats * variance + seats * (seats - 1) * together
    return _compared(
        wagered.edge,
        wagered.wager_cents,
        stakes,
        seats,
        bet=wagered.bet,
        paytable=wagered.paytable,
        average_wager=wagered.average_wager,
        deviation=wagered.distribution.standard_deviation,
        deviation_an_hour_cents=wagered.wager_cents * sqrt(stakes.rounds_an_hour * table_variance),
        **rest,
    )


def _compared(edge: Fraction, wager: Cents, stakes: Stakes, seats: int, **rest: Any) -> ComparedBet:
    """What a bet comes to in an hour."""
    an_hour = edge * wager * stakes.rounds_an_hour
    return ComparedBet(
        edge=edge,
        wager_cents=wager,
        win_an_hour_cents=an_hour * seats,
        rating_cents=an_hour * stakes.hours,
        **rest,
    )


def _progressives(setup: Setup, stakes: Stakes, seats: int) -> Iterator[ComparedBet]:
    """Every schedule: its edge over the life of the meter, and what the meter is liable for."""
    rule = setup.book.progressive
    assert rule is not None
    for schedule in rule.schedules:
        laid = progressive_setup(setup.book, schedule.paytable, wager_cents=int(schedule.wager))
        figures = progressive_figures(laid, others=seats - 1)
        wager, edge = figures.wager_cents, figures.long_run_house_edge
        liable = meter_life(round_law(laid, bettors=seats)).average_meter
        spread = sqrt(stakes.rounds_an_hour * seats) * figures.standard_deviation
        yield _compared(
            edge,
            wager,
            stakes,
            seats,
            bet="progressive",
            paytable=figures.paytable,
            average_wager=Fraction(1),
            deviation=figures.standard_deviation,
            deviation_an_hour_cents=wager * spread,
            exposure=x.progressive_exposure(laid, seats),
            liability_cents=liable,
            edge_now=figures.house_edge,
            notes=(
                "edge over the life of the meter",
                f"now at a meter of {format_cents(figures.meter_cents)}",
                "liability: the average meter",
            ),
        )


def covariance(setup: Setup, ante_cents: Cents | None = None) -> Fraction:
    """Of two players' results in one round, both at their best play, in antes squared.

    Exact: over every ordered board and every two holes that share no card.
    """
    payoffs, betting = payoffs_of(setup, ante_cents), streets_of(setup, ante_cents)
    key = tuple(part.tobytes() for part in betting.tree)
    if key not in _shared:
        _shared[key] = sum(k.holes.board_sums(betting.tree).together.ravel().tolist())
    part = Fraction(betting.part, payoffs.unit)
    product = _shared[key] * part * part / (k.holes.BOARDS * k.holes.PAIRS_OF_HOLES)
    mean = base_wager(setup, payoffs.ante_cents).distribution.mean
    return product - mean * mean


def board_covariance(
    setup: Setup, bet: str, paytable: str, wager_cents: Cents, ante: Cents
) -> Fraction:
    """Of two seats' results on a bonus of the board that a fold loses, in wagers squared."""
    found = side_bet_figures(setup, bet, paytable, wager_cents, ante_cents=ante)
    net = {kind: line.net for line in found.lines for kind in line.kinds}
    return product_on_board(setup, net, ante) - found.ev**2


def comparison_document(sheets: Iterable[Sheet]) -> dict[str, Any]:
    """The comparison as JSON has it: fractions as text, amounts in dollars for print."""
    return {"sheets": [_sheet_document(sheet) for sheet in sheets]}


def _sheet_document(sheet: Sheet) -> dict[str, Any]:
    amounts = {
        "minimum": sheet.minimum_cents,
        "maximum": sheet.maximum_cents,
        "limit": sheet.limit_cents,
    }
    return {
        **in_json(sheet, "rulebook", "game", "seats", "rounds_an_hour", "hours"),
        **{name: None if cents is None else cents / 100 for name, cents in amounts.items()},
        "bets": [_bet_document(one) for one in sheet.bets],
    }


def _bet_document(one: ComparedBet) -> dict[str, Any]:
    document: dict[str, Any] = {
        "bet": one.bet,
        "paytable": one.paytable,
        "wager": one.wager_cents / 100,
        "house_edge": str(one.edge),
        "element_of_risk": str(one.element_of_risk),
        "average_wager": str(one.average_wager),
        "standard_deviation": one.deviation,
        "win_an_hour": float(one.win_an_hour_cents) / 100,
        "standard_deviation_an_hour": one.deviation_an_hour_cents / 100,
        "rating": float(one.rating_cents) / 100,
        "exposure": {
            "most": one.exposure.cents / 100,
            "wager": one.exposure.wager_cents / 100,
            **in_json(one.exposure, "seats", "attained", "example"),
        },
        "notes": list(one.notes),
    }
    if one.liability_cents is not None:
        document["liability"] = float(one.liability_cents) / 100
    if one.edge_now is not None:
        document["house_edge_now"] = str(one.edge_now)
    return document


def compared(names: Sequence[str], stakes: Stakes, bet: str = "") -> tuple[Sheet, ...]:
    """Each named rulebook, or the one pay table of it that is named, at the same stakes."""
    if not names:
        raise NotationError("compare.nothing", "name a rulebook, or two: ID, or ID:TABLE")
    asked = [_read(name) for name in names]
    wanted: dict[str, tuple[Rulebook, list[str]]] = {}
    for book, table in asked:
        if bet and bet not in bets_of(book):
            text = f"`bet` {bet}: {book.id} has {', '.join(bets_of(book))}"
            raise NotationError("compare.unknown_bet", text)
        wanted.setdefault(book.id, (book, []))[1].append(table)
    _require_stakes(stakes)
    return tuple(
        _only(sheet_of(book, stakes, bet=bet or _bet_of(book, tables)), tables)
        for book, tables in wanted.values()
    )


def _read(name: str) -> tuple[Rulebook, str]:
    rulebook, colon, table = name.partition(":")
    book = load_either(rulebook).book
    if colon and not table:
        text = f"{name}: name a pay table after the colon, or leave it out"
        raise NotationError("compare.unknown_paytable", text)
    if table and table not in dict((name, bet) for bet, name in tables_of(book)):
        known = ", ".join(name for _, name in tables_of(book))
        raise NotationError("compare.unknown_paytable", f"{name}: {book.id} has {known}")
    return book, table


def _bet_of(book: Rulebook, tables: list[str]) -> str:
    """The one bet that all named tables are for; empty where they are for several, or for all."""
    bets = {bet for bet, name in tables_of(book) if name in tables}
    return bets.pop() if len(bets) == 1 and "" not in tables else ""


def _only(sheet: Sheet, tables: list[str]) -> Sheet:
    if "" in tables:
        return sheet
    bets = tuple(one for one in sheet.bets if one.paytable in tables)
    if not bets:
        text = f"{', '.join(tables)}: cannot be played, and so not be compared"
        raise NotationError("compare.not_playable", text)
    return replace(sheet, bets=bets)
