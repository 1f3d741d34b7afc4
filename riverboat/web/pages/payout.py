"""The payout check: which rulebooks there are, what is bet under each, how many cards lie where."""

from functools import lru_cache

from litestar import Controller, get
from litestar.response import Template

from riverboat.core.money import show_dollars
from riverboat.pages.rulebook_page import STATUS_WARNING
from riverboat.round.dealing import card_counts
from riverboat.round.setup import set_up
from riverboat.round.stages import stages_of
from riverboat.round.table_talk import label_of
from riverboat.rulebook import Rulebook
from riverboat.settling import PLACES, SEAT
from riverboat.web.api.rulebooks import Named, offered, rulebook_named
from riverboat.web.doors import ANYBODY, opens_to
from riverboat.web.frames import Json


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
