"""The decisions of a game, read from its rulebook: three streets, or one bet against the dealer."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from riverboat.rulebook import MississippiStud, Rulebook

_SECTION = re.compile(r".+?\.[0-9]+(\.[A-Z](?=[.-]|$))?")


class Stage(NamedTuple):
    """One decision: what may be bet on which spot, and what happens when all have acted."""

    spot: str
    label: str
    multiples: tuple[int, ...]
    bet_cites: tuple[str, ...]
    fold_cites: tuple[str, ...]
    reveal_cites: tuple[str, ...]
    forfeits: tuple[str, ...]
    reveals: int


def stages_of(book: Rulebook) -> tuple[Stage, ...]:
    """The decisions in order."""
    if isinstance(book, MississippiStud):
        streets = book.streets
        return tuple(
            Stage(
                spot,
                street.label,
                street.bet.multiples,
                street.bet.cites,
                street.fold.cites,
                street.reveal.cites,
                street.fold.forfeits,
                street.reveal.community_card,
            )
            for spot, street in (
                ("third", streets.third),
                ("fourth", streets.fourth),
                ("fifth", streets.fifth),
            )
        )
    decision = book.decision
    return (
        Stage(
            "bet",
            decision.label,
            decision.multiples,
            decision.cites,
            book.ante_fold.cites,
            book.dealers_hand.cites,
            book.ante_fold.forfeits,
            0,
        ),
    )


def of_stage(stages: Sequence[Stage], mine: Stage, cites: Iterable[str]) -> tuple[str, ...]:
    """Where a rule is for all streets it cites each of them; those of the others are left out."""
    here = {_section(cite) for cite in (*mine.bet_cites, *mine.fold_cites)}
    elsewhere = {
        _section(cite) for stage in stages for cite in (*stage.bet_cites, *stage.fold_cites)
    }
    return tuple(cite for cite in cites if _section(cite) not in elsewhere - here)


def _section(cite: str) -> str:
    """The section that a clause stands in: its document, its number, and a letter if it has one."""
    found = _SECTION.match(cite)
    return found.group() if found is not None else cite
