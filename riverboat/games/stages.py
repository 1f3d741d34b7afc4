"""The decisions of a game, read from its rulebook: three streets, or one bet against the dealer."""

from typing import NamedTuple

from riverboat.rulebook import MississippiStud, Rulebook


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
