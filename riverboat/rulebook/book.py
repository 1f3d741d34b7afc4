"""The rulebook itself: one document, one game, one revision, complete in one file."""

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Final, Literal, NamedTuple

from msgspec import Meta, Struct

from riverboat.rulebook import play, procedures
from riverboat.rulebook.options import Option
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.progressive import Progressive
from riverboat.rulebook.rules import Clause, Rule, Source
from riverboat.rulebook.values import Name, Natural, Status, Words

PROGRESSIVE: Final = "progressive"
"""The one side bet that every rulebook calls by the same name: its section has rules of its own."""

Id = Annotated[
    str,
    Meta(
        pattern="^[a-z0-9]+(-[a-z0-9]+)*$",
        description="small letters, digits and single hyphens, like my-casino",
    ),
]


class Published(Rule, frozen=True, kw_only=True):
    """A figure that the document prints, to be recomputed, never to be played by."""

    figure: Literal[
        "house_edge", "house_advantage", "hit_frequency", "top_payout_odds", "top_payout_average",
        "reseed_cost_included",
    ]  # fmt: skip
    bet: Name
    paytable: str = ""
    printed: Words


class Rulebook(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One game as one document has it: against a pay table, or against the dealer's hand."""

    def __repr__(self) -> str:
        """Which one it is: all that it says fills a book."""
        return f"Rulebook({self.id!r}, revision={self.revision})"

    id: Id
    game: Name
    title: Words
    revision: Natural
    status: Status
    clause_prefix: Words
    source: Source
    ante: play.Ante
    instruments: play.Instruments | None = None
    betting_closes: play.BettingCloses
    units: play.Units
    side_bets: tuple[play.SideBetOffer, ...]
    tips: play.Tips
    aggregate_limit: play.AggregateLimit
    hands: play.Hands
    acting: play.Acting
    decisions: Annotated[tuple[play.Decision, ...], Meta(min_length=1)]
    dealers_hand: play.DealersHand | None = None
    comparison: play.Comparison | None = None
    fold: play.Fold
    everybody_folds: play.EverybodyFolds
    settlement: play.Settlement
    progressive: Progressive | None = None
    layout: tuple[procedures.LayoutFeature, ...]
    equipment: tuple[procedures.Equipment, ...]
    signs: tuple[procedures.Sign, ...] = ()
    cards: procedures.Cards
    two_decks: procedures.TwoDecks | None = None
    deck_age: procedures.DeckAge | None = None
    opening: procedures.Opening | None = None
    shuffle: procedures.Shuffle
    cut: procedures.Cut | None = None
    stub_count: procedures.StubCount | None = None
    idle: procedures.Idle | None = None
    deal: procedures.Deal
    dealing: Annotated[tuple[procedures.DealingMethod, ...], Meta(min_length=1)]
    irregularities: procedures.Irregularities
    void: procedures.Void
    conduct: tuple[procedures.Conduct, ...]
    published: tuple[Published, ...] = ()
    options: dict[str, Option]
    paytables: Annotated[tuple[PayTable, ...], Meta(min_length=1)]
    informative: dict[str, Words]
    ambiguities: dict[str, Words]
    clauses: dict[str, Clause]

    @property
    def base_spots(self) -> tuple[str, ...]:
        """The spots of the base game, in the order in which they are bet on."""
        return ("ante", *(decision.spot for decision in self.decisions))

    @property
    def bonuses(self) -> tuple[play.SideBetOffer, ...]:
        """The side bets beside the progressive, which has rules of its own."""
        return tuple(offer for offer in self.side_bets if offer.bet != PROGRESSIVE)

    @property
    def box_bets(self) -> tuple[str, ...]:
        """The side bets that a box of cards decides: without one of them no box is dealt."""
        return tuple(o.bet for o in self.side_bets if "box" in o.decided_by.places)

    @property
    def tables(self) -> dict[str, PayTable]:
        """The pay tables by their ids."""
        return {table.id: table for table in self.paytables}

    @property
    def areas(self) -> tuple[str, ...]:
        """The areas of the felt for its wagers: one for each spot and each side bet."""
        return tuple(f"{bet}_area" for bet in (*self.base_spots, *(o.bet for o in self.side_bets)))

    def offer(self, bet: str) -> play.SideBetOffer | None:
        """A side bet by its name."""
        return next((offer for offer in self.side_bets if offer.bet == bet), None)


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
        bet, fold, reveal = decision.bet, decision.fold, decision.reveal
        cards = reveal.cards if reveal.turn == "community" else 0
        named = (decision.spot, decision.label, bet.multiples, bet.cites, fold.cites, reveal.cites)
        reveals = tuple(range(turned + 1, turned + cards + 1))
        stages.append(Stage(*named, fold.forfeits, reveal.turn, reveals))
        turned += cards
    return tuple(stages)


def of_stage(stages: Sequence[Stage], mine: Stage, cites: Iterable[str]) -> tuple[str, ...]:
    """Where a rule is for all streets it cites each of them; those of the others are left out."""
    here, everywhere = (
        {_section(cite) for stage in some for cite in (*stage.bet_cites, *stage.fold_cites)}
        for some in ((mine,), stages)
    )
    return tuple(cite for cite in cites if _section(cite) not in everywhere - here)


def _section(cite: str) -> str:
    """The section that a clause stands in: its document, its number, and a letter if it has one."""
    found = _SECTION.match(cite)
    return found.group() if found is not None else cite
