"""The lobby: the floor from its entrance, live, and what can be chosen for a new table."""

from typing import Any

from litestar import Controller, get
from litestar.response import Template

from riverboat.reports import plain
from riverboat.round.stages import stages_of
from riverboat.round.table_talk import label_of, spots_together
from riverboat.rulebook import Rulebook
from riverboat.rulebook.options import Choice, Flag, Integer, Money, Option, Rate, Text
from riverboat.rulebook.vocabulary import EDITION
from riverboat.web.api.rulebooks import Named, offered, rulebook_named
from riverboat.web.doors import ANYBODY, opens_to
from riverboat.web.frames import Json

KINDS: dict[type, str] = {
    Choice: "choice",
    Flag: "flag",
    Integer: "integer",
    Money: "money",
    Rate: "percent",
    Text: "text",
}


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
            {"id": x.book.id, "title": x.book.title, "game": x.book.game, "status": x.book.status}
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
