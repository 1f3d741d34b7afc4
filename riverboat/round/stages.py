"""The decisions of a game, read from its rulebook."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from riverboat.rulebook import Rulebook

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
    turns: str
    reveals: tuple[int, ...]
    """The numbers of the community cards that are turned after it."""


def stages_of(book: Rulebook) -> tuple[Stage, ...]:
    """The decisions in order."""
    stages: list[Stage] = []
    turned = 0
    for decision in book.decisions:
        reveal = decision.reveal
        cards = reveal.cards if reveal.turn == "community" else 0
        stages.append(
            Stage(
                decision.spot,
                decision.label,
                decision.bet.multiples,
                decision.bet.cites,
                decision.fold.cites,
                reveal.cites,
                decision.fold.forfeits,
                reveal.turn,
                tuple(range(turned + 1, turned + cards + 1)),
            )
        )
        turned += cards
    return tuple(stages)


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
