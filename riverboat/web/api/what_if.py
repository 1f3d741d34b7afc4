"""What if a line of the base game paid otherwise: solved again, with the players' best answer."""

from functools import lru_cache
from typing import Annotated

from litestar import Controller, get
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import Struct

from riverboat.exact.asking import DEFAULT_CENTS, Question, table_for
from riverboat.exact.rule_changes import paying_by, with_line
from riverboat.exact.solvers import house_edge
from riverboat.rulebook.values import Pays
from riverboat.web.api.rulebooks import Named, rulebook_named
from riverboat.web.doors import EVERYBODY, opens_to
from riverboat.web.house import House
from riverboat.web.roles import Guest

MOST_TO_ONE = 10_000
Number = Annotated[int, Parameter(ge=0, le=30, description="the line, counted from the top")]
ToOne = Annotated[
    int, Parameter(ge=-1, le=MOST_TO_ONE, description="odds to 1; 0 is a push, -1 loses")
]
Per = Annotated[
    int, Parameter(ge=1, le=MOST_TO_ONE, description="the odds' second number, where it is not 1")
]


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
    opt = opens_to(*EVERYBODY)

    @get("/{rulebook:str}/what-if")
    async def what_if(
        self, house: House, guest: Guest, rulebook: Named, line: Number, to_one: ToOne, per: Per = 1
    ) -> WhatIf:
        """The base game with one line paying `to_one` to `per`, by the best play against that."""
        return await house.work_out(guest, solved_with, rulebook, line, to_one, per)


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
    ante = setup.limits.ante.minimum_cents or DEFAULT_CENTS
    edge = house_edge(paying_by(setup, with_line(setup.base, line, pays)), ante)
    return WhatIf(
        rulebook=rulebook,
        line=line,
        pays=pays.words,
        house_edge=float(edge),
        house_edge_exact=str(edge),
        as_printed=float(house_edge(setup, ante)),
    )
