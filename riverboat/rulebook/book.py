"""The rulebook itself: one document, one game, one revision, complete in one file."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from riverboat.rulebook.options import Option
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.play import (
    Acting,
    AnteFold,
    Comparison,
    DealersHand,
    Decision,
    EverybodyFolds,
    Fold,
    Hands,
    Settlement,
    Streets,
)
from riverboat.rulebook.procedures import (
    Cards,
    Conduct,
    Cut,
    Deal,
    DealingMethod,
    DeckAge,
    Equipment,
    Idle,
    Irregularities,
    LayoutFeature,
    Opening,
    Shuffle,
    Sign,
    StubCount,
    TwoDecks,
    Void,
)
from riverboat.rulebook.progressive import Progressive
from riverboat.rulebook.rules import Clause, Rule, Source
from riverboat.rulebook.values import Game, Natural, Status, Words
from riverboat.rulebook.wagers import (
    AggregateLimit,
    Ante,
    BettingCloses,
    Instruments,
    SideBetOffer,
    Tips,
    Units,
)

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
        "house_edge",
        "house_advantage",
        "hit_frequency",
        "top_payout_odds",
        "top_payout_average",
        "reseed_cost_included",
    ]
    bet: Literal["bonus", "progressive"]
    paytable: str = ""
    printed: Words


class Book(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="game"):
    """What both games have."""

    id: Id
    title: Words
    revision: Natural
    status: Status
    clause_prefix: Words
    source: Source
    ante: Ante
    instruments: Instruments | None = None
    betting_closes: BettingCloses
    units: Units
    side_bets: tuple[SideBetOffer, ...]
    tips: Tips
    aggregate_limit: AggregateLimit
    hands: Hands
    acting: Acting
    fold: Fold
    everybody_folds: EverybodyFolds
    settlement: Settlement
    progressive: Progressive | None = None
    layout: tuple[LayoutFeature, ...]
    equipment: tuple[Equipment, ...]
    signs: tuple[Sign, ...] = ()
    cards: Cards
    two_decks: TwoDecks | None = None
    deck_age: DeckAge | None = None
    opening: Opening | None = None
    shuffle: Shuffle
    cut: Cut | None = None
    stub_count: StubCount | None = None
    idle: Idle | None = None
    deal: Deal
    dealing: Annotated[tuple[DealingMethod, ...], Meta(min_length=1)]
    irregularities: Irregularities
    void: Void
    conduct: tuple[Conduct, ...]
    published: tuple[Published, ...] = ()
    options: dict[str, Option]
    paytables: Annotated[tuple[PayTable, ...], Meta(min_length=1)]
    informative: dict[str, Words]
    ambiguities: dict[str, Words]
    clauses: dict[str, Clause]


class MississippiStud(Book, frozen=True, kw_only=True, tag="mississippi_stud"):
    """Mississippi Stud: three streets against a pay table."""

    streets: Streets

    @property
    def game(self) -> Game:
        return "mississippi_stud"


class IslandStud(Book, frozen=True, kw_only=True, tag="island_stud"):
    """Island Stud: one decision against the dealer's hand."""

    decision: Decision
    ante_fold: AnteFold
    dealers_hand: DealersHand
    comparison: Comparison

    @property
    def game(self) -> Game:
        return "island_stud"


Rulebook: TypeAlias = MississippiStud | IslandStud
