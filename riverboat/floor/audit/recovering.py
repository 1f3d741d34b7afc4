"""What is lost with a floor's secret: found, and brought to its end by two people.

Rounds that are over lose nothing; whatever else was sealed with it ends, at every table, before
another secret takes its place.
"""

from typing import NamedTuple

from riverboat.floor.codec import Keys, commitment_in_play
from riverboat.floor.floor import Floor
from riverboat.floor.secret import known_secret, replace_secret
from riverboat.floor.station import decide
from riverboat.ledger import LedgerMisfit
from riverboat.round.settlement.voids import Undoing, given_back
from riverboat.table import actions as a
from riverboat.table.people import SYSTEM, Actor, require_two


class Lost(NamedTuple):
    """What a table loses with a floor's secret: decks that nobody can open any more, the round that
    is void without them (0: none), and what goes back to its players."""

    table: str
    commitments: tuple[int, ...]
    round: int
    returned_cents: int


def lost_with_secret(floor: Floor) -> tuple[Lost, ...]:
    """What nobody can open any more where the floor has no other secret than this one. Rounds that
    are over lose nothing: their keys are in the ledger."""
    secret = floor.secret if _is_own(floor) else None
    floor.keys = Keys(floor.ledger, secret)
    unreadable = floor.keys.unreadable()
    floor.keys.lost |= {(table, number) for table in unreadable for number in unreadable[table]}
    return tuple(_lost_at(floor, table, numbers) for table, numbers in unreadable.items())


def recover(floor: Floor, people: tuple[Actor, Actor], reason: str) -> tuple[Lost, ...]:
    """Two people go on without what is lost: it ends, at every table, and then the secret of this
    floor takes the place of the other. Interrupted, it can be done again."""
    by, second = people
    require_two(by, second, reason, "replacing a floor's secret")
    lost = lost_with_secret(floor)
    words = f"the floor's secret is lost: {reason}"
    ends = a.AbandonSealed(reason=words, first=by.name, second=second.name)
    for one in lost:
        floor.abandon_sealed(one.table, one.commitments, ends)
    if not _is_own(floor):
        replace_secret(floor.ledger, floor.secret, floor.clock(), by, second, reason)
    return lost


def _is_own(floor: Floor) -> bool:
    """Whether a floor's secret is the one that its ledger knows."""
    try:
        known_secret(floor.ledger, floor.secret)
    except LedgerMisfit as misfit:
        if misfit.code == "secret.other":
            return False
        raise
    return True


def _lost_at(floor: Floor, table: str, commitments: tuple[int, ...]) -> Lost:
    station = floor.station(table)
    if commitment_in_play(station) not in commitments:
        return Lost(table, commitments, 0, 0)
    link = floor.link(station.link) if station.link else None
    ends = a.AbandonSealed(reason="lost", first="one", second="another")
    told = decide(station, link, SYSTEM, ends).entry.events
    back = sum(given_back(event) for event in told if isinstance(event, Undoing))
    return Lost(table, commitments, station.day.round_number, back)
