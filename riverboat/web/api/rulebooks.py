"""Rulebooks: which there are, everything that one says, and what differs between two."""

from typing import Annotated, Any

from litestar import Controller, get
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from msgspec import Meta, Struct, structs

from riverboat.reports import difference_report, listing, plain, whole_rulebook
from riverboat.rulebooks import Loaded, load_all
from riverboat.web.doors import ANYBODY, opens_to

RulebookId = Annotated[str, Meta(max_length=60, pattern="^[a-z0-9-]+$")]
Named = Annotated[str, Parameter(description="a rulebook's id", max_length=60)]


class Listed(Struct, frozen=True, kw_only=True):
    """A rulebook in a line."""

    id: str
    title: str
    game: str
    status: str
    revision: int
    side_bets: list[str]
    paytables: list[str]
    struck: list[str]
    clauses: int
    sha256: str


class RulebookList(Struct, frozen=True, kw_only=True):
    """The house's rulebooks."""

    rulebooks: list[Listed]


class RulebooksController(Controller):
    """The rules themselves."""

    path = "/api/rulebooks"
    tags = ("rulebooks",)
    opt = opens_to(ANYBODY)

    @get("/", sync_to_thread=False)
    def all(self) -> RulebookList:
        """The house's rulebooks."""
        return RulebookList(rulebooks=[Listed(**listing(loaded)) for loaded in load_all()])

    @get("/{rulebook:str}", sync_to_thread=True)
    def one(self, rulebook: Named) -> dict[str, Any]:
        """Every rule and clause of a rulebook, with the options that an operator has."""
        loaded = rulebook_named(rulebook)
        offers = [
            {"bet": o.bet, "label": o.label, "paytables": list(o.paytables), "cites": list(o.cites)}
            for o in loaded.book.side_bets
        ]
        options = {
            name: {
                "kind": type(option).__name__.lower(),
                **{key: plain(value) for key, value in structs.asdict(option).items()},
            }
            for name, option in loaded.book.options.items()
        }
        return {**whole_rulebook(loaded, None), "offers": offers, "options": options}

    @get("/{rulebook:str}/against/{other:str}", sync_to_thread=True)
    def against(self, rulebook: Named, other: Named) -> dict[str, Any]:
        """What differs between two rulebooks."""
        return difference_report(rulebook_named(rulebook).book, rulebook_named(other).book)


def rulebook_named(name: str) -> Loaded:
    """A rulebook of the house; never a file that somebody outside names."""
    for loaded in load_all():
        if loaded.book.id == name:
            return loaded
    raise NotFoundException(f"there is no rulebook {name!r}")


def offered() -> list[Loaded]:
    """As pages offer them: what is in force first, so that nobody takes invented rules for law."""
    return sorted(load_all(), key=lambda loaded: loaded.book.status != "in force")
