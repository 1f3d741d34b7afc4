"""The odds: a page around the exact figures of each rulebook, and its pay tables as printed."""

from typing import Any

from litestar import Controller, get
from litestar.response import Redirect, Template

from riverboat.round.stages import stages_of
from riverboat.round.table_talk import label_of, spots_together
from riverboat.rulebook.paytables import Line
from riverboat.web.api.rulebooks import Named, offered, rulebook_named
from riverboat.web.doors import ANYBODY, opens_to

NOT_BET = ("envy", "placard")


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
        "hand": line.label or " or ".join(hand.replace("_", " ") for hand in line.hands),
        "pays": str(line.pays),
    }
