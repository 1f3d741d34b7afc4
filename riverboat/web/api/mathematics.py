"""Exact figures: the edges of every bet, what each choice is worth, two pay tables side by side,
and a line of one that pays something else."""

from functools import lru_cache
from typing import Annotated, Any, TypeAlias

from litestar import Controller, get, post
from litestar.exceptions import NotFoundException
from litestar.params import Parameter, QueryParameter
from msgspec import Meta, Struct

from riverboat.core.money import Cents
from riverboat.exact.questions.advice import advice_document, advise_in, read_situation
from riverboat.exact.questions.bet_odds import OddsFigures, odds_document
from riverboat.exact.questions.every_bet import odds_of
from riverboat.exact.questions.question import Question, read_question, table_for
from riverboat.exact.rule_changes import paying_by, with_line
from riverboat.exact.solvers import ByShape, house_edge, least_ante
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.values import Pays
from riverboat.web.accounts import Guest
from riverboat.web.api.rulebooks import LONGEST_CHOICE, Choice, Named, RulebookId, rulebook_named
from riverboat.web.auth import EVERYBODY, FIGURE_SECONDS, opens_to
from riverboat.web.house import House

Amount = Annotated[str | None, Parameter(max_length=20, description="dollars")]
Bet = Annotated[str | None, Parameter(max_length=40, description="one bet only")]
TableId = Annotated[str | None, Parameter(max_length=60, description="one pay table only")]
Others = Annotated[int | None, Parameter(ge=0, le=8, description="other players")]
Choices = Annotated[
    list[Annotated[Choice, Parameter(max_length=LONGEST_CHOICE)]] | None,
    QueryParameter(name="set", max_items=30, description="KEY=VALUE"),
]
Cards = Annotated[str, Meta(max_length=40, description="cards such as Ah Kd")]
Dollars = Annotated[str, Meta(max_length=20, description="dollars")]
MOST_TO_ONE = 10_000
Number = Annotated[int, Parameter(ge=0, le=30, description="the line, counted from the top")]
ToOne = Annotated[
    int, Parameter(ge=-1, le=MOST_TO_ONE, description="odds to 1; 0 is a push, -1 loses")
]
Per = Annotated[
    int, Parameter(ge=1, le=MOST_TO_ONE, description="the odds' second number, where it is not 1")
]


class Situation(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a player knows when a decision is due."""

    rulebook: RulebookId
    cards: Cards
    board: Cards = ""
    bets: Annotated[str, Meta(max_length=40, description="street bets so far: 3,1")] = ""
    upcard: Cards = ""
    know: Annotated[str, Meta(max_length=160)] = ""
    wager: Dollars | None = None
    minimum: Dollars | None = None
    table: Annotated[list[Choice], Meta(max_length=30)] = []


class Advised(Struct, frozen=True, kw_only=True):
    """Every choice with its exact value in antes, the best one, and what others give away."""

    rulebook: str
    choices: dict[str, str]
    best: str
    costs: dict[str, str]


class BestOfHand(Struct, frozen=True, kw_only=True):
    """A starting hand: the best first bet, and what each choice is worth in antes."""

    best: int
    choices: dict[str, str]


class EasyPlay(Struct, frozen=True, kw_only=True):
    """A play that can be learnt by heart, and what it gives away in antes."""

    name: str
    words: tuple[str, ...]
    cost: str


Charted: TypeAlias = tuple[dict[str, BestOfHand], list[EasyPlay]]


class BestPlay(Struct, frozen=True, kw_only=True):
    """The best play as a chart of the starting hands, where there are streets; easier plays."""

    rulebook: str
    game: str
    hands: dict[str, BestOfHand]
    plays: list[EasyPlay]


class MathematicsController(Controller):
    """Exact figures."""

    path = "/api"
    tags = ("mathematics",)
    opt = opens_to(*EVERYBODY, seconds=FIGURE_SECONDS, effort="mathematics")

    @get("/odds/{rulebook:str}", summary="Work out a rulebook's odds")
    async def odds(
        self,
        house: House,
        guest: Guest,
        address: str,
        rulebook: Named,
        bet: Bet = None,
        paytable: TableId = None,
        wager: Amount = None,
        minimum: Amount = None,
        meter: Amount = None,
        others: Others = None,
        choices: Choices = None,
    ) -> OddsFigures:
        """The exact figures of every bet of a rulebook, under every pay table."""
        asked = (bet, paytable, wager, minimum, meter, others, tuple(choices or ()))
        return await house.work_out(guest, address, figures, rulebook, asked)

    @get("/strategy/{rulebook:str}", summary="Work out the best play")
    async def strategy(
        self, house: House, guest: Guest, address: str, rulebook: Named, wager: Amount = None
    ) -> BestPlay:
        """The best play as a chart: the starting hands, or the dealer's up-cards."""
        return await house.work_out(guest, address, chart, rulebook, wager)

    @post("/advice", status_code=200, summary="Advise on a decision")
    async def advice(self, house: House, guest: Guest, address: str, data: Situation) -> Advised:
        """What each choice is worth now, in antes, exactly."""
        return await house.work_out(guest, address, advised, data)


@lru_cache(maxsize=256)
def figures(rulebook: str, asked: tuple[Any, ...]) -> OddsFigures:
    """Odds as data; worked out once for a question."""
    bet, paytable, wager, minimum, meter, others, table = asked
    loaded = rulebook_named(rulebook)
    question = read_question(
        loaded.book, bet=bet, paytable=paytable, wager=wager, minimum=minimum, meter=meter,
        others=others, table=table,
    )  # fmt: skip
    return odds_document(odds_of(loaded, question))


def advised(asked: Situation) -> Advised:
    """Advice as data."""
    book = rulebook_named(asked.rulebook).book
    question = read_question(book, wager=asked.wager, minimum=asked.minimum, table=asked.table)
    situation = read_situation(book, asked.cards, asked.board, asked.bets, asked.upcard, asked.know)
    advice, _ = advise_in(book, situation, question)
    return Advised(**advice_document(book, advice))


@lru_cache(maxsize=64)
def chart(rulebook: str, wager: str | None) -> BestPlay:
    """The first decision of every hand, by the game."""
    book = rulebook_named(rulebook).book
    question = read_question(book, wager=wager)
    setup = table_for(book, question)
    ante = question.wager_cents or least_ante(setup)
    charted = ByShape(_on_streets, _against_dealer).of(book)(setup, ante)
    hands, plays = charted
    return BestPlay(rulebook=book.id, game=book.game, hands=hands, plays=plays)


def _against_dealer(setup: Setup, ante: Cents) -> Charted:
    from riverboat.exact.base_games.dealer_game import solve_against_dealer
    from riverboat.exact.base_games.dealer_strategies import compact_strategy, rules_of_thumb

    solution = solve_against_dealer(setup, ante)
    plays = (*rules_of_thumb(solution), compact_strategy(solution))
    return {}, [EasyPlay(name=p.name, words=p.words, cost=str(p.cost)) for p in plays]


def _on_streets(setup: Setup, ante: Cents) -> Charted:
    from riverboat.exact.base_games.street_strategies import costs
    from riverboat.exact.base_games.streets import solve, starting_hands

    solved = solve(setup, ante)
    hands = {
        name: BestOfHand(best=one.best, choices={str(k): str(v) for k, v in one.choices.items()})
        for name, one in starting_hands(solved).items()
    }
    plays = [
        EasyPlay(
            name=one.rules.name,
            words=tuple(
                f"{line.bet}x {line.words}" for street in one.rules.streets for line in street
            ),
            cost=str(one.cost),
        )
        for one in costs(solved.payoffs)
    ]
    return hands, plays


class WhatIf(Struct, frozen=True, kw_only=True):
    """The house edge as it is, and as it would be with one line changed."""

    rulebook: str
    line: int
    pays: str
    house_edge: float
    house_edge_exact: str
    as_printed: float


class WhatIfController(Controller):
    """Pay lines that can be pulled up and down."""

    path = "/api/odds"
    tags = ("mathematics",)
    opt = opens_to(*EVERYBODY, seconds=FIGURE_SECONDS, effort="mathematics")

    @get("/{rulebook:str}/what-if", summary="Change a pay line")
    async def what_if(
        self,
        house: House,
        guest: Guest,
        address: str,
        rulebook: Named,
        line: Number,
        to_one: ToOne,
        per: Per = 1,
    ) -> WhatIf:
        """The base game with one line paying `to_one` to `per`, by the best play against that."""
        return await house.work_out(guest, address, solved_with, rulebook, line, to_one, per)


@lru_cache(maxsize=512)
def solved_with(rulebook: str, line: int, to_one: int, per: int = 1) -> WhatIf:
    """Worked out once for a question."""
    book = rulebook_named(rulebook).book
    setup = table_for(book, Question())
    if setup.base is None:
        raise NotFoundException(f"{rulebook} pays its base game by comparison with the dealer")
    if line >= len(setup.base.lines):
        raise NotFoundException(f"{setup.base.id} has {len(setup.base.lines)} lines")
    pays = Pays.parse({-1: "lose", 0: "push"}.get(to_one) or f"{to_one} to {per}")
    ante = least_ante(setup)
    edge = house_edge(paying_by(setup, with_line(setup.base, line, pays)), ante)
    return WhatIf(
        rulebook=rulebook,
        line=line,
        pays=pays.words,
        house_edge=float(edge),
        house_edge_exact=str(edge),
        as_printed=float(house_edge(setup, ante)),
    )
