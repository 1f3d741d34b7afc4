"""What the words of a scenario or a script can name: spots, seats, places, what an incident has."""

from collections.abc import Iterable
from typing import NamedTuple

from riverboat.games.actions import Incident
from riverboat.games.incidents import CONDUCT, floor_decides, rule_for
from riverboat.games.round import Round
from riverboat.games.setup import Setup
from riverboat.games.stages import stages_of
from riverboat.rulebook import Rulebook
from riverboat.rulebook.options import Choice
from riverboat.rulebooks import load_all
from riverboat.scenario_file import Scenario

INSTRUMENTS = ("chip", "plaque", "approved_instrument", "cash", "verbal_with_cash")
STREETS = ("third", "fourth", "fifth")
ABOUT = ("seat", "place", "count", "decision")
INCIDENT_WORDS: dict[str, tuple[str, ...]] = {
    "wrong_card_count": ABOUT,
    "exposed_player_card": ("seat", "place", "decision"),
    "exposed_community_card": ("place", "decision"),
    "face_up_cards": ABOUT,
    "card_drawn_in_error": ("seat", "place", "decision"),
    "shuffler_jam": ("place", "decision"),
    "shoe_jam": ("place", "decision"),
    "deck_count": ("place", "count", "decision"),
    **dict.fromkeys(CONDUCT, ("seat",)),
    "late_progressive_chip": ("seat",),
    "progressive_chip_mismatch": ("seat", "count"),
}
INCIDENT_NEEDS: dict[str, tuple[str, ...]] = {
    "deck_count": ("count",),
    **dict.fromkeys(CONDUCT, ("seat",)),
}
REQUEST_NEEDS: dict[str, tuple[str, ...]] = {
    "wager": ("seat", "spot", "amount"),
    "take_back": ("seat", "spot"),
    "bet": ("seat", "amount"),
    "fold": ("seat",),
}
SEATS = "123456789"


def is_seat(text: str) -> bool:
    return len(text) == 1 and text in SEATS


class Names(NamedTuple):
    """What the words of a scenario can name: at its table, or in its rulebook where that fails."""

    book: Rulebook
    setup: Setup | None
    players: tuple[int, ...]
    streets: tuple[str, ...]
    side_bets: tuple[str, ...]
    tips: tuple[str, ...]
    places: tuple[str, ...]
    whens: tuple[str, ...]

    @property
    def spots(self) -> tuple[str, ...]:
        envy = ("envy",) if "progressive" in self.side_bets else ()
        return ("ante", *self.streets, *self.side_bets, *envy, *self.tips)


def first_spots(book: Rulebook) -> tuple[str, ...]:
    """Every spot that a first wager can name, in the order in which they are bet on, whether this
    table takes it or refuses it: the rulebook's own, and side bets that other rulebooks have."""
    own = tuple(offer.bet for offer in book.side_bets)
    others = tuple(offer.bet for loaded in load_all() for offer in loaded.book.side_bets)
    side_bets = tuple(dict.fromkeys((*own, *others)))
    return ("ante", *side_bets, *(f"tip_{spot}" for spot in ("ante", *side_bets)))


def names_of(scenario: Scenario, book: Rulebook, setup: Setup | None) -> Names:
    """What there is at the scenario's table."""
    asked = (line.seat for line in scenario.requests if line.do == "wager" and line.seat)
    betting = (int(seat) for seat in scenario.bets if is_seat(seat))
    return names_at(book, setup, {*betting, *asked})


def names_at(book: Rulebook, setup: Setup | None, players: Iterable[int]) -> Names:
    """What there is at a table where these seats play."""
    streets = tuple(stage.spot for stage in stages_of(book))
    side_bets = tuple(offer.bet for offer in book.side_bets)
    if setup is not None:
        side_bets = tuple(bet for bet in side_bets if setup.offers(bet))
    takes_tips = setup is None or setup.flag("tip_wagers")
    tips = tuple(spot for spot in book.tips.on if spot in ("ante", *streets, *side_bets))
    deal = book.deal
    places = {
        "community": deal.community_cards,
        "six_card_box": any(bet in side_bets for bet in book.box_bets),
        "dealer": deal.dealer_cards,
    }
    return Names(
        book=book,
        setup=setup,
        players=tuple(sorted(players)),
        streets=streets,
        side_bets=side_bets,
        tips=tuple(f"tip_{spot}" for spot in tips if takes_tips),
        places=tuple(place for place, there in places.items() if there),
        whens=("betting", "deal", *STREETS[: len(streets)], "settlement"),
    )


def unasked_decision(state: Round, action: Incident) -> str:
    """Why nobody reads what the floor decides of an incident, and what would be right; nothing
    where the floor decides, or is not said to."""
    if not action.decision or floor_decides(state, action):
        return ""
    rule = rule_for(state, action)
    option = rule.option if rule is not None else ""
    found = state.setup.book.options.get(option)
    could = isinstance(found, Choice) and "floor_decides" in found.choices and not found.fixed
    if could:
        return f"the floor decides nothing here; set {option} = floor_decides, or leave it out"
    return f"the floor decides nothing of {action.what} here; leave it out"
