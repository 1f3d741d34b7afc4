"""What the words of a scenario can name, and every word of one that names nothing in its round."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from riverboat.core.cards import parse_cards
from riverboat.core.errors import NotationError
from riverboat.core.hands import FiveCardHand
from riverboat.core.money import parse_dollars
from riverboat.round.actions import Incident
from riverboat.round.incidents import CONDUCT, KNOWN, OF_CHIPS, floor_decides, rule_for
from riverboat.round.setup.choices import DEALING, NO_PROGRESSIVE
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round
from riverboat.round.streets import card_counts
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import stages_of
from riverboat.rulebook.options import Choice
from riverboat.rulebook.values import quoted
from riverboat.rulebooks import load_all
from riverboat.scripts import scenario_file as f

INSTRUMENTS = ("chip", "plaque", "approved_instrument", "cash", "verbal_with_cash")
STREETS = ("third", "fourth", "fifth")
"""What scenario files call the decisions of a round, in order, whatever their spots are."""
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


def names_of(scenario: f.Scenario, book: Rulebook, setup: Setup | None) -> Names:
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
        whens=moments_of(book),
    )


def moments_of(book: Rulebook) -> tuple[str, ...]:
    """The moments of a round, in order: a game with one decision has the first street's."""
    return ("betting", "deal", *STREETS[: len(book.decisions)], "settlement")


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


_DECISION = re.compile(r"fold|bet|\d{1,12}(\.\d{1,12})?x", re.ASCII)


def unreadable(scenario: f.Scenario, book: Rulebook, setup: Setup | None) -> Iterator[str]:
    """Every word that names nothing: where it stands, and what would be right."""
    names = names_of(scenario, book, setup)
    yield from _table(scenario, names)
    yield from _bets(scenario, names)
    yield from _cards(scenario, names)
    yield from _decisions(scenario, names)
    for number, incident in enumerate(scenario.incidents, start=1):
        yield from _incident(f"incidents[{number}]", incident, names)
    for number, request in enumerate(scenario.requests, start=1):
        yield from _request(f"requests[{number}]", request, scenario, names)
    yield from _money_expected(scenario, names)
    yield from _log(scenario, names)


# -------------------------------------------------------------- what the table and its seats have


def _no_seat(where: str, seat: str) -> Iterator[str]:
    if not is_seat(seat):
        yield f"{where}: {quoted(seat)} is no seat; a seat is a number from 1 to 9"


def _no_player(where: str, seat: str, names: Names) -> Iterator[str]:
    """A seat where nobody plays; one that is no seat at all says so itself."""
    yield from _no_seat(where, seat)
    if is_seat(seat) and int(seat) not in names.players:
        playing = ", ".join(map(str, names.players)) or "nobody"
        yield f"{where}: nobody plays at seat {seat}; bets has {playing}"


def _unread_amount(
    where: str, text: str, read: Callable[[str], int] = parse_dollars
) -> Iterator[str]:
    try:
        read(text)
    except NotationError as problem:
        yield f"{where}: {problem}"


def _table(scenario: f.Scenario, names: Names) -> Iterator[str]:
    """The meter is no option of a rulebook: it is read here. A pay table goes by its id."""
    texts = dict.fromkeys((*(offer.bet for offer in names.book.side_bets), DEALING), "a name")
    texts |= dict.fromkeys(("meter", "reserve"), "dollars")
    for key in (*texts, "seed", "rate"):
        if key not in scenario.table:
            continue
        value = scenario.table[key]
        if key in texts and not isinstance(value, str):
            yield f"table.{key}: {str(value).lower()} is no text; write {texts[key]} in quotes"
            continue
        if texts.get(key) == "dollars":
            yield from _unread_amount(f"table.{key}", str(value))
        if names.setup is not None and texts.get(key) != "a name":
            yield from _no_meter(f"table.{key}", names)


def _no_meter(where: str, names: Names) -> Iterator[str]:
    if "progressive" not in names.side_bets:
        yield f"{where}: {NO_PROGRESSIVE}"


def _to_bet_on(names: Names) -> tuple[str, ...]:
    """Every spot that a wager can name, whether this table takes it or refuses it."""
    return (*first_spots(names.book), *(f"tip_{street}" for street in names.streets))


def _bets(scenario: f.Scenario, names: Names) -> Iterator[str]:
    spots = _to_bet_on(names)
    for seat, bets in scenario.bets.items():
        yield from _no_seat(f"bets.{seat}", seat)
        if not set(bets) - {"player", "instrument"}:
            yield f"bets.{seat}: bets nothing; write ante"
        for key, text in bets.items():
            where = f"bets.{seat}.{key}"
            if key == "player":
                yield from () if text.strip() else (f"{where}: is empty; write a name",)
            elif key == "instrument":
                yield from _instrument(where, text, names)
            elif key not in spots:
                yield f"{where}: there is no spot {quoted(key)} to bet on; there are " + ", ".join(
                    (*spots, "player", "instrument")
                )
            else:
                yield from _unread_amount(where, text)
                yield from _no_tip(where, key, scenario, names)


def _instrument(where: str, text: str, names: Names) -> Iterator[str]:
    if text not in INSTRUMENTS:
        yield f"{where}: {quoted(text)} is no instrument; there are {', '.join(INSTRUMENTS)}"
    elif names.book.instruments is None:
        yield f"{where}: {names.book.id} has no rule about what a wager is made with; leave it out"


def _no_tip(where: str, spot: str, scenario: f.Scenario, names: Names) -> Iterator[str]:
    """A tip where the rulebook has none can be asked for only by who expects the refusal."""
    tips = tuple(f"tip_{on}" for on in names.book.tips.on)
    if spot.startswith("tip_") and spot not in tips and not scenario.expect.refused:
        yield f"{where}: {names.book.id} has no tip there; it has {', '.join(tips)}"


def _cards(scenario: f.Scenario, names: Names) -> Iterator[str]:
    counts = {} if names.setup is None else card_counts(names.setup, names.players)
    for place, text in scenario.cards.items():
        where = f"cards.{place}"
        if place not in names.places:
            if not is_seat(place):
                right = ", ".join(("a seat", *names.places))
                yield f"{where}: {quoted(place)} is no place; there are {right}"
                continue
            yield from _no_player(where, place, names)
        try:
            dealt = len(parse_cards(text))
        except NotationError as problem:
            yield f"{where}: {problem}"
            continue
        count = counts.get("box" if place == "six_card_box" else place, dealt)
        if dealt != count:
            yield f"{where}: has {dealt} cards; {count} are dealt there"
    try:
        parse_cards(" ".join(scenario.cards.values()))
    except NotationError as problem:
        yield f"cards: {problem}"


def _decisions(scenario: f.Scenario, names: Names) -> Iterator[str]:
    for seat, made in scenario.decisions.items():
        where = f"decisions.{seat}"
        yield from _no_player(where, seat, names)
        for word in made:
            if not _DECISION.fullmatch(word):
                yield f"{where}: {quoted(word)} is no decision; write fold, bet or a number with x"
        if "fold" in made[:-1]:
            yield f"{where}: {quoted(made[made.index('fold') + 1])} comes after a fold"
        elif len(made) > len(names.streets):
            often = f"{len(names.streets)} time{'s' * (len(names.streets) > 1)}"
            right = f"a seat decides {often}: {', '.join(names.streets)}"
            yield f"{where}: {len(made)} decisions; {right}"


# -------------------------------------------------------------- what happens out of the ordinary


def _unused(where: str, given: Sequence[str], used: Sequence[str], what: str) -> Iterator[str]:
    for key in given:
        if key not in used:
            right = f"it has {', '.join(used)}" if used else "it has nothing more"
            yield f"{where}.{key}: {what} does not have it; {right}"


def _missing(where: str, given: Sequence[str], needed: Sequence[str], what: str) -> Iterator[str]:
    for key in needed:
        if key not in given:
            yield f"{where}: {what} needs {key}"


def _given(line: f.IncidentLine | f.RequestLine, keys: Sequence[str]) -> tuple[str, ...]:
    return tuple(key for key in keys if getattr(line, key) is not None)


def _when(where: str, when: str, names: Names) -> Iterator[str]:
    if when not in names.whens:
        yield f"{where}.when: {names.book.id} has no {when}; write {', '.join(names.whens)}"


def _incident(where: str, line: f.IncidentLine, names: Names) -> Iterator[str]:
    yield from incident_misread(where, line, names)
    if line.what not in KNOWN:
        return
    yield from _when(where, line.when, names)
    if line.after is not None:
        yield from _no_player(f"{where}.after", str(line.after), names)
        if line.when != "settlement":
            yield f"{where}.after: only settlement goes seat by seat; when is {line.when}"


def incident_misread(where: str, line: f.IncidentLine, names: Names | None) -> Iterator[str]:
    """Words of an incident that name nothing at its table, whenever it happens; where there is no
    round to hold them against, those that are wrong at any table."""
    if line.what not in KNOWN:
        yield f"{where}.what: {quoted(line.what)} is no incident; there are {', '.join(KNOWN)}"
        return
    given = _given(line, ABOUT)
    yield from _unused(where, given, INCIDENT_WORDS[line.what], line.what)
    yield from _missing(where, given, INCIDENT_NEEDS.get(line.what, ()), line.what)
    yield from _at_odds(where, line)
    if names is None:
        return
    if line.seat is not None:
        yield from _no_player(f"{where}.seat", str(line.seat), names)
    if line.place is not None and line.place not in names.places:
        yield f"{where}.place: this table has no {line.place}; it has {', '.join(names.places)}"
    if line.what in OF_CHIPS and names.setup is not None and names.setup.progressive is None:
        yield f"{where}.what: this table has no progressive; leave {line.what} out"


def _at_odds(where: str, line: f.IncidentLine) -> Iterator[str]:
    """Words that are right one by one and cannot be meant together."""
    if line.seat is not None and line.place is not None:
        yield f"{where}.place: it is seat {line.seat}'s or the {line.place}'s; write one of them"
    if line.what == "exposed_player_card" and line.place == "community":
        yield f"{where}.place: a card there is no player's; write exposed_community_card"
    if line.what == "face_up_cards" and line.count is not None and not 1 <= line.count <= 52:
        yield f"{where}.count: {line.count} cards face up; write 1 to 52"


def _request(where: str, line: f.RequestLine, scenario: f.Scenario, names: Names) -> Iterator[str]:
    yield from _when(where, line.when, names)
    needed = REQUEST_NEEDS.get(line.do, ())
    used = (*needed, "player") if line.do == "wager" else needed
    given = _given(line, ("seat", "spot", "amount", "player"))
    yield from _unused(where, given, used, line.do)
    yield from _missing(where, given, needed, line.do)
    if line.amount is not None:
        yield from _unread_amount(f"{where}.amount", line.amount)
    if line.seat is not None:
        check = _no_seat(f"{where}.seat", str(line.seat))
        yield from (
            check if line.do == "wager" else _no_player(f"{where}.seat", str(line.seat), names)
        )
    if line.spot is not None:
        spots = (*_to_bet_on(names), *names.streets)
        if line.spot not in spots:
            right = ", ".join(spots)
            yield f"{where}.spot: there is no spot {quoted(line.spot)}; there are {right}"
        else:
            yield from _no_tip(f"{where}.spot", line.spot, scenario, names)


# -------------------------------------------------------------- what is expected


def _money_expected(scenario: f.Scenario, names: Names) -> Iterator[str]:
    expect = scenario.expect
    for seat, amount in expect.net.items():
        yield from _no_player(f"net.{seat}", seat, names)
        yield from _unread_amount(f"net.{seat}", amount, f.signed_cents)
    for seat, results in expect.results.items():
        yield from _no_player(f"results.{seat}", seat, names)
        if not results:
            yield f"results.{seat}: expects nothing; write {', '.join(names.spots)}"
        for spot, amount in results.items():
            where = f"results.{seat}.{spot}"
            yield from _unread_amount(where, amount, f.signed_cents)
            if spot not in (*names.spots, *_bet_on(scenario, names, seat)):
                yield f"{where}: seat {seat} has no spot {quoted(spot)}; it has " + ", ".join(
                    names.spots
                )
            elif spot not in _bet_on(scenario, names, seat) and amount.strip("+-0."):
                yield f"{where}: seat {seat} bets nothing there; only 0 can come of it"
    for key in ("tip_box", "meter", "reserve"):
        amount_expected = getattr(expect, key)
        if amount_expected is not None:
            yield from _unread_amount(key, amount_expected)
            if key != "tip_box" and names.setup is not None:
                yield from _no_meter(key, names)


def _bet_on(scenario: f.Scenario, names: Names, seat: str) -> Mapping[str, None]:
    """Where a seat's chips lie, as the scenario has it; an envy bonus needs none of its own."""
    made = zip(names.streets, scenario.decisions.get(seat, ()), strict=False)
    asked = [line for line in scenario.requests if str(line.seat) == seat]
    return dict.fromkeys(
        (
            *(key for key in scenario.bets.get(seat, {}) if key not in ("player", "instrument")),
            *(street for street, word in made if word != "fold"),
            *(line.spot for line in asked if line.do == "wager" and line.spot),
            *(names.streets if any(line.do == "bet" for line in asked) else ()),
            *(spot for spot in names.spots if spot == "envy"),
        )
    )


def _log(scenario: f.Scenario, names: Names) -> Iterator[str]:
    """Entries that an event of this round can say, or that one could say at this table."""
    players = tuple(map(str, names.players))
    seats = names.setup.seats if names.setup is not None else len(SEATS)
    for key, told in (("log", players), ("never", tuple(SEATS[:seats]))):
        named = named_in_log(scenario, names, told)
        for number, entry in enumerate(getattr(scenario.expect, key), start=1):
            if problem := f.misread(entry, named):
                yield f"{key}[{number}]: {problem}"
    for word in scenario.expect.only:
        if word not in f.FIRST_WORDS:
            right = ", ".join(f.FIRST_WORDS)
            yield f"only: {quoted(word)} begins no entry of the log; there are {right}"


def named_in_log(
    scenario: f.Scenario, names: Names, seats: tuple[str, ...]
) -> dict[str, Sequence[str]]:
    """What S, P, spot … stand for; a spot may be any that the rulebook has."""
    offered = [offer.bet for offer in names.book.side_bets]
    tips = [f"tip_{on}" for on in names.book.tips.on]
    bets = [spot for seat in seats for spot in _bet_on(scenario, names, seat)]
    cards = names.book.deal
    most = max(cards.dealer_cards, cards.community_cards)
    return {
        "S": seats,
        "P": (*seats, *("box" if one == "six_card_box" else one for one in names.places)),
        "N": [str(number) for number in range(1, most + 1)],
        "spot": tuple(dict.fromkeys((*names.spots, *offered, *tips, *bets))),
        "hand": tuple(hand.label for hand in FiveCardHand),
        "what": KNOWN,
        "kind": ("over", "under", "out_of_order", "wrong_spot"),
    }
