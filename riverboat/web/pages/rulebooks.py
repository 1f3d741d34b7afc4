"""What a rulebook offers: a new table in the lobby, the odds, the payout check."""

from functools import lru_cache

from litestar import Controller, get
from litestar.response import Redirect, Template
from msgspec import UNSET, Struct, UnsetType, convert, to_builtins

from riverboat.answers.payout_checker import PLACES, SEAT
from riverboat.answers.rulebooks import STATUS_WARNING, plain
from riverboat.core.money import show_dollars
from riverboat.core.records import alike
from riverboat.round.setup.setup import set_up
from riverboat.round.streets import card_counts
from riverboat.round.table_talk import STANDING, label_of, spots_together
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import stages_of
from riverboat.rulebook.loading.settings import KINDS
from riverboat.rulebook.options import Option
from riverboat.rulebook.paytables import Line
from riverboat.rulebook.vocabulary import EDITION
from riverboat.web.api.rulebooks import Named, Value, offered, rulebook_named
from riverboat.web.auth import ANYBODY, opens_to
from riverboat.wording.clauses import CitedClause, clause_texts
from riverboat.wording.hand_names import name_line

NOT_BET = ("envy", "placard")
TERMS = ("paytable", "wager", "seed", "rate")
BOUNDS = ("choices", "minimum", "maximum", "none_allowed")


class OfferedBook(Struct, frozen=True, kw_only=True):
    """A rulebook that a table can be opened under."""

    id: str
    title: str
    game: str
    status: str


class OfferedBet(Struct, frozen=True, kw_only=True):
    """A side bet, and the pay tables that it can be played by."""

    bet: str
    label: str
    paytables: list[str]


class OfferedWager(Struct, frozen=True, kw_only=True):
    """A wager of the progressive, with the seed and the rate that belong to it."""

    paytable: str
    wager: Value
    seed: Value
    rate: Value


class ShownOption(Struct, frozen=True, kw_only=True):
    """An option as a form needs it: kind, default, bounds, and whether the document decides it."""

    kind: str
    meaning: str
    default: Value
    fixed: bool
    choices: list[Value] | UnsetType = UNSET
    minimum: Value | UnsetType = UNSET
    maximum: Value | UnsetType = UNSET
    none_allowed: bool | UnsetType = UNSET


class TableChoices(Struct, frozen=True, kw_only=True):
    """What an operator chooses under a rulebook; `base` is what its base game is called."""

    rulebook: str
    offers: list[OfferedBet]
    base: str
    wagers: list[OfferedWager]
    options: dict[str, ShownOption]


class LineToCompare(Struct, frozen=True, kw_only=True):
    """A line with a key by which the same hand is found in another table."""

    key: str
    hand: str
    pays: str


class TableToCompare(Struct, frozen=True, kw_only=True):
    """A pay table of a rulebook, line by line."""

    id: str
    bet: str
    playable: bool
    lines: list[LineToCompare]


class AskedStage(Struct, frozen=True, kw_only=True):
    """A decision: its spot, its label, the multiples of the ante."""

    spot: str
    label: str
    multiples: tuple[int, ...]


class AskedBet(Struct, frozen=True, kw_only=True):
    """A side bet; `box` where cards of the box decide it."""

    bet: str
    label: str
    paytables: tuple[str, ...]
    box: bool


class AskedSchedule(Struct, frozen=True, kw_only=True):
    """A pay table of the progressive and its wager."""

    paytable: str
    wager: str


class AskedOfBook(Struct, frozen=True, kw_only=True):
    """What the payout check asks for under a rulebook: decisions, side bets, cards by place."""

    id: str
    title: str
    notice: str
    game: str
    ante: str
    stages: list[AskedStage]
    side_bets: list[AskedBet]
    schedules: list[AskedSchedule]
    places: dict[str, int]


class LobbyPages(Controller):
    """What stands at the entrance."""

    include_in_schema = False
    tags = ("tables",)

    @get("/lobby", opt=opens_to(ANYBODY), sync_to_thread=False)
    def lobby(self) -> Template:
        """Every table and meter; the page's script lets a visitor in before it looks at them."""
        return Template("lobby.html")

    @get(
        "/lobby/choices",
        opt=opens_to(ANYBODY),
        sync_to_thread=False,
        summary="List what a table can be opened under",
        include_in_schema=True,
    )
    def books(self) -> list[OfferedBook]:
        """The rulebooks that a table can be opened under."""
        return [alike(OfferedBook, one.book, status=STANDING[one.book.status]) for one in offered()]

    @get(
        "/lobby/choices/{rulebook:str}",
        opt=opens_to(ANYBODY),
        sync_to_thread=True,
        summary="List the choices of a rulebook",
        include_in_schema=True,
    )
    def choices(self, rulebook: Named) -> TableChoices:
        """What an operator chooses under one rulebook."""
        return choices_of(rulebook_named(rulebook).book)


def choices_of(book: Rulebook) -> TableChoices:
    """Side bets with the pay tables that can be played, and every option with its bounds; not the
    text that applies, of which a table plays one only."""
    playable = {table.id for table in book.paytables if table.playable}
    schedules = book.progressive.schedules if book.progressive else ()
    wagers = [
        convert({name: plain(getattr(one, name)) for name in TERMS}, OfferedWager)
        for one in schedules
    ]
    offers = [
        OfferedBet(
            bet=offer.bet,
            label=label_of(book, offer.bet),
            paytables=[name for name in offer.paytables if name in playable],
        )
        for offer in book.side_bets
    ]
    return TableChoices(
        rulebook=book.id,
        offers=offers,
        base=spots_together(book, ("ante", *(stage.spot for stage in stages_of(book)))),
        wagers=wagers,
        options={name: shown(option) for name, option in book.options.items() if name != EDITION},
    )


def shown(option: Option) -> ShownOption:
    """An option as a form needs it."""
    bounds = {name: getattr(option, name, None) for name in BOUNDS}
    about = {name: plain(value) for name, value in bounds.items() if value not in (None, (), False)}
    about |= {"kind": KINDS[type(option)], "default": plain(option.default)}
    return convert({**about, "meaning": option.meaning, "fixed": option.fixed}, ShownOption)


class OddsPages(Controller):
    """What the house keeps, and how to play best."""

    include_in_schema = False
    tags = ("mathematics",)

    @get("/odds", opt=opens_to(ANYBODY), sync_to_thread=False)
    def first(self) -> Redirect:
        """The first rulebook's."""
        return Redirect(f"/odds/{offered()[0].book.id}")

    @get("/odds/{rulebook:str}", opt=opens_to(ANYBODY), sync_to_thread=False)
    def odds(self, rulebook: Named) -> Template:
        """Edges, strategy, two pay tables side by side."""
        book = rulebook_named(rulebook).book
        books = [(loaded.book.id, loaded.book.title) for loaded in offered()]
        labels: dict[str, str] = {offer.bet: label_of(book, offer.bet) for offer in book.side_bets}
        labels["base"] = spots_together(book, ("ante", *(x.spot for x in stages_of(book))))
        return Template(
            "odds.html",
            context={
                "rulebook": book.id,
                "title": book.title,
                "against_dealer": book.comparison is not None,
                "books": books,
                "labels": labels,
            },
        )

    @get(
        "/odds/{rulebook:str}/tables",
        opt=opens_to(ANYBODY),
        sync_to_thread=False,
        summary="Read a rulebook's pay tables",
        include_in_schema=True,
    )
    def tables(self, rulebook: Named) -> list[TableToCompare]:
        """The pay tables of a rulebook, line by line."""
        return [
            alike(TableToCompare, table, lines=[_line(line) for line in table.lines])
            for table in rulebook_named(rulebook).book.paytables
            if table.bet not in NOT_BET
        ]


def _line(line: Line) -> LineToCompare:
    return LineToCompare(
        key="/".join((*sorted(line.hands), line.ranks, line.suits)),
        hand=name_line(line),
        pays=str(line.pays),
    )


class PayoutPages(Controller):
    """What anybody asks before the chips are touched."""

    include_in_schema = False
    tags = ("payouts",)

    @get("/settle", opt=opens_to(ANYBODY), sync_to_thread=False)
    def settle(self) -> Template:
        """Rulebook, bets and cards; the answer comes from the payout checker itself."""
        return Template("payout.html", context={"books": to_builtins(asked_of_books())})

    @get(
        "/settle/{rulebook:str}/clauses",
        opt=opens_to(ANYBODY),
        sync_to_thread=False,
        summary="Read a rulebook's clauses",
        include_in_schema=True,
    )
    def clauses(self, rulebook: Named) -> dict[str, CitedClause]:
        """A rulebook's clauses by their ids, for what an answer cites."""
        book = rulebook_named(rulebook).book
        return clause_texts(book, book.clauses)


@lru_cache(maxsize=1)
def asked_of_books() -> tuple[AskedOfBook, ...]:
    """What the page asks for under each rulebook."""
    return tuple(asked_of(loaded.book) for loaded in offered())


def asked_of(book: Rulebook) -> AskedOfBook:
    """The decisions, side bets and cards of one rulebook."""
    counts = card_counts(set_up(book, {}), [SEAT])
    places = {name: counts.get(place, 0) for place, name in PLACES.items()}
    places["box"] = book.deal.box_cards
    schedules = book.progressive.schedules if book.progressive else ()
    return alike(
        AskedOfBook,
        book,
        notice=STATUS_WARNING.get(book.status, ""),
        ante=label_of(book, "ante"),
        stages=[alike(AskedStage, stage) for stage in stages_of(book)],
        side_bets=[
            alike(
                AskedBet,
                offer,
                label=label_of(book, offer.bet),
                box="box" in offer.decided_by.places,
            )
            for offer in book.side_bets
        ],
        schedules=[
            AskedSchedule(paytable=one.paytable, wager=show_dollars(one.wager)) for one in schedules
        ],
        places=places,
    )
