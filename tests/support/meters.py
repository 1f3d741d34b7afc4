"""Meters for tests: opened, contributed to and won from without a table around them."""

from riverboat.meter import events as le
from riverboat.meter.operations import move
from riverboat.round import Setup, set_up
from riverboat.rulebook.progressive import Progressive
from riverboat.rulebooks import load
from tests.support.hall import Hall

SEED = 10_000_00
CENT = 10_000


def stud(**choices: str | int | bool) -> Setup:
    return set_up(load("south-dakota-2011").book, {"progressive": "SD-2011-PROG-PMG-01", **choices})


def island(**choices: str | int | bool) -> Setup:
    return set_up(load("island-stud").book, {"progressive": "IS-PROG-PMG-01", **choices})


def maryland(**choices: str | int | bool) -> Setup:
    return set_up(load("maryland-2014").book, {"progressive_wager": "1", **choices})


def rule_in(setup: Setup) -> Progressive:
    assert setup.book.progressive is not None
    return setup.book.progressive


def opened(initial_cents: int = SEED, seed_cents: int = SEED, setup: Setup | None = None) -> Hall:
    """A meter for wagers of a dollar, or for those of a table."""
    wager = setup.progressive.wager_cents if setup and setup.progressive else 1_00
    return Hall("PMG-01", seed_cents, initial_cents, wager)


def awarded(hall: Hall, name: str, percent: int, table: str = "T1") -> int:
    """A share of the meter is fixed, paid and moved, without a table around it."""
    units = hall.link.meter.units
    cents = units * percent // 100 // CENT
    fixed = le.AwardFixed(
        award=name,
        table=table,
        round=1,
        seat=1,
        hand="royal_flush" if percent == 100 else "straight_flush",
        percent=percent,
        cents=cents,
        before_units=units,
        resets=percent == 100,
        seed_cents=hall.link.seed_cents if percent == 100 else 0,
        reserve_units=hall.link.meter.reserve_units if percent == 100 else 0,
    )
    hall.link_happened((fixed,))
    hall.link_happened(
        (le.AwardPaid(award=name, paid_cents=cents, source="cage", breakage_cents=0),)
    )
    hall.link_happened(tuple(move(hall.link, name)))
    return cents


def came(table: str, number: int, wagers: int, units: int, reserve: int = 0) -> le.Contributed:
    return le.Contributed(
        table=table, round=number, wagers=wagers, units=units, reserve_units=reserve
    )


def straight_flush(hall: Hall, share: int, of: int) -> le.AwardFixed:
    """A tenth of the meter, or a share of it, is fixed."""
    held = hall.link.pending
    cents = hall.link.meter.cents // 10 // of if held is None else held.share_cents
    return le.AwardFixed(
        award=f"T1/1/{share}",
        table="T1",
        round=1,
        seat=share,
        hand="straight_flush",
        percent=10,
        cents=cents,
        before_units=hall.link.meter.units,
        share=share,
        of=of,
    )


def fix_royal(hall: Hall, table: str) -> str:
    """All of the meter is fixed for a seat, and pending."""
    fixed = le.AwardFixed(
        award=f"{table}/1/1",
        table=table,
        round=1,
        seat=1,
        hand="royal_flush",
        percent=100,
        cents=hall.link.meter.cents,
        before_units=hall.link.meter.units,
        resets=True,
        seed_cents=SEED,
    )
    hall.link_happened((fixed,))
    return fixed.award
