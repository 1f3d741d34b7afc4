"""Progressive hands: tray payouts, shares of the meter in their order, and envy."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec.structs import replace

from riverboat.core.hand_kinds import FIVE_CARD
from riverboat.core.hands import Kind
from riverboat.core.money import Cents, divide_exact
from riverboat.meter.amounts import Meter
from riverboat.meter.operations import share_out
from riverboat.round.dues import Due
from riverboat.round.setup import ProgressiveSetup, Setup
from riverboat.round.state import Round, Seat
from riverboat.rulebook.paytables import Line
from riverboat.rulebook.values import Pays

LOSE = Pays.parse("lose")


class Winner(NamedTuple):
    """A live progressive wager and the line that its hand meets."""

    seat: int
    kind: Kind
    line: Line


def is_live(setup: Setup, seat: Seat) -> bool:
    """Whether a seat's accepted progressive wager can still win."""
    if not seat.lit or seat.status == "forfeit":
        return False
    return seat.status == "in" or not forfeited_by_fold(setup, "progressive")


def forfeited_by_fold(setup: Setup, bet: str) -> bool:
    """Whether a fold loses a side bet: the rulebook says so, or its option does."""
    return bet in setup.lost_by_fold


def progressive_dues(setup: Setup, winners: Sequence[Winner], meter: Meter) -> dict[int, Due]:
    """What each live progressive wager is owed; shares of the meter are what that gives."""
    progressive, rule = setup.progressive, setup.book.progressive
    assert progressive is not None
    assert rule is not None
    dues: dict[int, Due] = {}
    winning = FIVE_CARD[: FIVE_CARD.index(rule.winning.lowest) + 1]
    for winner in winners:
        pays = winner.line.pays if winner.kind.hand in winning else LOSE
        exact = setup.winnings(progressive.wager_cents, pays)
        if exact and rule.winning.stake_returned:
            exact += progressive.wager_cents
        dues[winner.seat] = Due(
            seat=winner.seat,
            spot="progressive",
            outcome="win" if pays.wins else "lose",
            kind=winner.kind,
            line=winner.line,
            pays=pays,
            cites=winner.line.cites,
            exact_cents=exact,
            paid_cents=setup.payable(exact),
        )
    groups = _sharing(setup, [winner for winner in winners if winner.line.pays.kind == "meter"])
    sizes = [(group[0].line.pays.amount, len(group)) for group in groups]
    rounding = setup.choice("rounding_mode")
    for group, shares in zip(
        groups, share_out(meter, progressive.seed_cents, sizes, rounding), strict=True
    ):
        for winner, share in zip(group, shares, strict=True):
            due = replace(dues[winner.seat], share=share)
            dues[winner.seat] = as_given(setup, due, share.cents)
    return dues


def _sharing(setup: Setup, winners: list[Winner]) -> list[list[Winner]]:
    """The winners of shares in the order in which they get them; those of one list share alike."""
    policy = setup.choice("multi_winner_policy")
    if policy == "sequential":
        return [[winner] for winner in winners]
    by_percent: dict[int, list[Winner]] = {}
    for winner in sorted(winners, key=lambda winner: -winner.line.pays.amount):
        by_percent.setdefault(winner.line.pays.amount, []).append(winner)
    if policy == "highest_first":
        return [[winner] for group in by_percent.values() for winner in group]
    return list(by_percent.values())


def as_given(setup: Setup, due: Due, cents: Cents) -> Due:
    """A share of the meter with the amount that its meter, the table's own or a link, has given."""
    return replace(
        due,
        exact_cents=cents,
        paid_cents=setup.payable(cents),
        source=share_source(setup, due.percent, cents),
    )


def share_source(setup: Setup, percent: int, cents: Cents) -> Literal["tray", "cage"]:
    """From where a share of the meter is paid: off the tray, unless it is a small one."""
    threshold = setup.cents("off_tray_threshold") or 0
    off_tray = percent == 100 or "off_tray_threshold" not in setup.settings or cents >= threshold
    return "cage" if off_tray else "tray"


def envy_dues(state: Round, kinds: dict[int, Kind], holders: Sequence[int]) -> list[Due]:
    """What every bettor is owed for the hands of these other seats."""
    setup = state.setup
    progressive, rule = setup.progressive, setup.book.progressive
    if progressive is None or rule is None:
        return []
    qualifying = [seat for seat in holders if triggers_envy(state, seat, kinds)]
    if not qualifying:
        return []
    dues = []
    for number in sorted(state.seats, reverse=True):
        seat = state.seats[number]
        if not seat.lit or seat.status == "forfeit" or _envy_lost(setup, seat):
            continue
        others = [h for h in qualifying if rule.envy.for_own_hand or not _own(state, number, h)]
        for holder in others if rule.envy.per_qualifying_hand else others[:1]:
            dues.append(_envy_due(setup, progressive, number, holder, kinds[holder]))
    return dues


def _own(state: Round, number: int, holder: int) -> bool:
    """Whether a hand is the player's own, at this seat or at another one of his."""
    player = state.seats[number].player
    return holder == number or bool(player and player == state.seats[holder].player)


def _envy_lost(setup: Setup, seat: Seat) -> bool:
    return seat.status == "folded" and forfeited_by_fold(setup, "envy")


def _envy_due(
    setup: Setup, progressive: ProgressiveSetup, seat: int, holder: int, kind: Kind
) -> Due:
    line = setup.lines["envy"][kind]
    rule = setup.book.progressive
    assert rule is not None
    exact = divide_exact(line.pays.amount * progressive.wager_cents, progressive.envy_per_cents)
    return Due(
        seat=seat,
        spot="envy",
        outcome="win",
        kind=kind,
        line=line,
        pays=line.pays,
        cites=(*line.cites, *rule.envy.cites),
        exact_cents=exact,
        paid_cents=setup.payable(exact),
        for_seat=holder,
    )


def triggers_envy(state: Round, number: int, kinds: dict[int, Kind]) -> bool:
    """Whether a seat's hand is one that others are paid for."""
    setup, seat = state.setup, state.seats[number]
    rule = setup.book.progressive
    if rule is None or number not in kinds or kinds[number].hand not in rule.envy.hands:
        return False
    if setup.flag("holder_must_bet_for_envy") and not seat.lit:
        return False
    if seat.status == "folded":
        return seat.lit and seat.cards_kept and setup.flag("folded_hand_triggers_envy")
    return seat.status == "in"
