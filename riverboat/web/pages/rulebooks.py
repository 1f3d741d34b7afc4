"""What a rulebook offers: a new table in the lobby, the odds, the payout check."""

from functools import lru_cache
from typing import Any

from litestar import Controller, get
from litestar.response import Redirect, Template

from riverboat.answers.payout_checker import PLACES, SEAT
from riverboat.answers.rulebooks import STATUS_WARNING, plain
from riverboat.core.money import show_dollars
from riverboat.round.dealing import card_counts
from riverboat.round.setup.setup import set_up
from riverboat.round.table_talk import STANDING, label_of, spots_together
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import stages_of
from riverboat.rulebook.options import Choice, Flag, Integer, Money, Option, Rate, Text
from riverboat.rulebook.paytables import Line
from riverboat.rulebook.vocabulary import EDITION
from riverboat.web.api.rulebooks import Named, offered, rulebook_named
from riverboat.web.auth import ANYBODY, opens_to
from riverboat.web.screens.frames import Json
from riverboat.wording.hands import name_line

KINDS: dict[type, str] = {
    Choice: "choice",
    Flag: "flag",
    Integer: "integer",
    Money: "money",
    Rate: "percent",
    Text: "text",
}
NOT_BET = ("envy", "placard")


class LobbyPages(Controller):
    """What stands at the entrance."""

    include_in_schema = False

    @get("/lobby", opt=opens_to(ANYBODY), sync_to_thread=False)
    def lobby(self) -> Template:
        """Every table and meter; the page's script lets a visitor in before it looks at them."""
        return Template("lobby.html")

    @get("/lobby/choices", opt=opens_to(ANYBODY), sync_to_thread=False)
    def books(self) -> list[dict[str, Any]]:
        """The rulebooks that a table can be opened under."""
        return [
            {
                "id": x.book.id,
                "title": x.book.title,
                "game": x.book.game,
                "status": STANDING[x.book.status],
            }
            for x in offered()
        ]

    @get("/lobby/choices/{rulebook:str}", opt=opens_to(ANYBODY), sync_to_thread=True)
    def choices(self, rulebook: Named) -> Json:
        """What an operator chooses under one rulebook."""
        return choices_of(rulebook_named(rulebook).book)


def choices_of(book: Rulebook) -> Json:
    """Side bets with the pay tables that can be played, and every option with its bounds; not the
    text that applies, of which a table plays one only."""
    playable = {table.id for table in book.paytables if table.playable}
    schedules = book.progressive.schedules if book.progressive else ()
    wagers = [
        {
            "paytable": one.paytable,
            "wager": plain(one.wager),
            "seed": plain(one.seed),
            "rate": plain(one.rate),
        }
        for one in schedules
    ]
    return {
        "rulebook": book.id,
        "offers": [
            {
                "bet": offer.bet,
                "label": label_of(book, offer.bet),
                "paytables": [name for name in offer.paytables if name in playable],
            }
            for offer in book.side_bets
        ],
        "base": spots_together(book, ("ante", *(stage.spot for stage in stages_of(book)))),
        "wagers": wagers,
        "options": {
            name: shown(option) for name, option in book.options.items() if name != EDITION
        },
    }


def shown(option: Option) -> Json:
    """An option as a form needs it: kind, default, bounds, and whether the document decides it."""
    about: Json = {
        "kind": KINDS[type(option)],
        "meaning": option.meaning,
        "default": plain(option.default),
        "fixed": option.fixed,
    }
    for name in ("choices", "minimum", "maximum", "none_allowed"):
        value = getattr(option, name, None)
        if value not in (None, (), False):
            about[name] = plain(value)
    return about


class OddsPages(Controller):
    """What the house keeps, and how to play best."""

    include_in_schema = False

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

    @get("/odds/{rulebook:str}/tables", opt=opens_to(ANYBODY), sync_to_thread=False)
    def tables(self, rulebook: Named) -> list[dict[str, Any]]:
        """The pay tables of a rulebook, line by line."""
        return [
            {
                "id": table.id,
                "bet": table.bet,
                "playable": table.playable,
                "lines": [_line(line) for line in table.lines],
            }
            for table in rulebook_named(rulebook).book.paytables
            if table.bet not in NOT_BET
        ]


def _line(line: Line) -> dict[str, str]:
    """A line with a key by which the same hand is found in another table."""
    return {
        "key": "/".join((*sorted(line.hands), line.ranks, line.suits)),
        "hand": name_line(line),
        "pays": str(line.pays),
    }


class PayoutPages(Controller):
    """What anybody asks before the chips are touched."""

    include_in_schema = False

    @get("/settle", opt=opens_to(ANYBODY), sync_to_thread=False)
    def settle(self) -> Template:
        """Rulebook, bets and cards; the answer comes from the payout checker itself."""
        return Template("payout.html", context={"books": asked_of_books()})

    @get("/settle/{rulebook:str}/clauses", opt=opens_to(ANYBODY), sync_to_thread=False)
    def clauses(self, rulebook: Named) -> Json:
        """A rulebook's clauses by their ids, for what an answer cites."""
        book = rulebook_named(rulebook).book
        return {
            name: {"number": clause.number, "text": clause.text}
            for name, clause in book.clauses.items()
        }


@lru_cache(maxsize=1)
def asked_of_books() -> tuple[Json, ...]:
    """What the page asks for under each rulebook."""
    return tuple(asked_of(loaded.book) for loaded in offered())


def asked_of(book: Rulebook) -> Json:
    """The decisions, side bets and cards of one rulebook."""
    counts = card_counts(set_up(book, {}), [SEAT])
    places = {name: counts.get(place, 0) for place, name in PLACES.items()}
    places["box"] = book.deal.box_cards
    schedules = book.progressive.schedules if book.progressive else ()
    return {
        "id": book.id,
        "title": book.title,
        "notice": STATUS_WARNING.get(book.status, ""),
        "game": book.game,
        "ante": label_of(book, "ante"),
        "stages": [
            {"spot": stage.spot, "label": stage.label, "multiples": list(stage.multiples)}
            for stage in stages_of(book)
        ],
        "side_bets": [
            {
                "bet": o.bet,
                "label": label_of(book, o.bet),
                "paytables": list(o.paytables),
                "box": "box" in o.decided_by.places,
            }
            for o in book.side_bets
        ],
        "schedules": [
            {"paytable": one.paytable, "wager": show_dollars(one.wager)} for one in schedules
        ],
        "places": places,
    }
