"""Plays rounds at random: tables, wagers, cards and requests, legal and not, from a seeded source.

What is likely at a real table hardly tests anything, so cards are stacked towards the hands that
pay most, options are drawn from all their values, and requests lie on both sides of every limit.
"""

from collections.abc import Iterable, Sequence
from random import Random
from typing import NamedTuple, get_args

from msgspec.structs import fields, replace

from riverboat.core.cards import DECK, parse_cards
from riverboat.core.records import Action
from riverboat.meter.amounts import Meter
from riverboat.round import Round, Setup, SetupRefused, open_round, set_up
from riverboat.round import actions as a
from riverboat.round.incidents import CONDUCT, KNOWN, PLACES
from riverboat.round.legal import Argument, Cards, Choice, Counts, Judged, Offer, Range, Text
from riverboat.round.settlement.payment import remaining
from riverboat.round.streets import card_counts, seat_to_act
from riverboat.rulebook import Rulebook
from riverboat.rulebook import options as o

Places = dict[str, tuple[int, ...]]
Raw = str | bool | int

NAMES = ("", "Ann", "Bo", "Cy", "Di")
MONEY: dict[str, tuple[str, ...]] = {
    "minimum": ("1", "5", "15", "0.01"),
    "maximum": ("25", "20.01", "10"),
    "three_card_minimum": ("1", "2.50"),
    "three_card_maximum": ("3", "25"),
    "six_card_minimum": ("1", "2.50"),
    "six_card_maximum": ("3", "25"),
    "bonus_minimum": ("1", "2.50"),
    "bonus_maximum": ("3", "25"),
    "wager_unit": ("0.01", "0.25", "0.50", "1", "2.50"),
    "payout_unit": ("0.01", "0.25", "1", "5", "100"),
    "pro_rata_unit": ("0.01", "1", "3"),
    "aggregate_limit": ("none", "50", "1000.01"),
    "off_tray_threshold": ("0", "2000", "500000"),
    "seed": ("10000", "12345.67", "100", "0"),
    "progressive_wager": ("1", "5", "2", "0.50"),
}
PHASES = ("betting", "closed", "locked", "ready", "deciding", "turning", "settling")
RATES = ("0", "21", "33.33", "100")


class Manners(NamedTuple):
    """How a round's people behave: how soon betting closes, what goes wrong, how often, when."""

    closing: float
    by_hand: float
    mistakes: float
    trouble: float
    trouble_in: str


def random_manners(rng: Random) -> Manners:
    """Some rounds go smoothly, and some not at all."""
    return Manners(
        closing=rng.choice((0.2, 0.6, 2.0)),
        by_hand=rng.choice((0.0, 6.0)),
        mistakes=rng.choice((0.0, 0.1, 0.3)),
        trouble=rng.choice((0.0, 0.4, 2.0)),
        trouble_in=rng.choice((*PHASES, "deciding", "settling", "settling")),
    )


def random_book(rng: Random, book: Rulebook) -> Rulebook:
    """A rulebook, sometimes with the folds of another house: when they are taken, what is kept."""
    if rng.random() < 0.7:
        return book
    when = rng.choice(("at_once", "together_in_fold_order"))
    kept_if = rng.choice(("side_bet_made", "side_bet_live"))
    fold = replace(
        book.fold,
        collection=replace(book.fold.collection, when=when),
        cards=replace(book.fold.cards, kept_if=kept_if),
    )
    return replace(book, fold=fold)


def random_setup(rng: Random, book: Rulebook) -> tuple[Setup, dict[str, Raw]]:
    """A table within a rulebook, with its choices; those that are refused are drawn again."""
    while True:
        choices = random_choices(rng, book)
        try:
            return set_up(book, choices), choices
        except SetupRefused:
            continue


def random_choices(rng: Random, book: Rulebook) -> dict[str, Raw]:
    """Side bets, dealing and options, as likely to be allowed as not."""
    choices: dict[str, Raw] = {}
    for offer in book.side_bets:
        if rng.random() < 0.75:
            choices[offer.bet] = rng.choice(offer.paytables)
    if rng.random() < 0.3:
        choices["dealing"] = rng.choice(book.dealing).method
    share = rng.choice((0.0, 0.1, 0.3))
    for name, option in book.options.items():
        if not option.fixed and rng.random() < share:
            choices[name] = _value(rng, name, option)
    if rng.random() < 0.5:
        choices["seats"] = rng.randint(1, 6)
    if "progressive" not in choices:
        choices.pop("progressive_wager", None)
    return choices


def _value(rng: Random, name: str, option: o.Option) -> Raw:
    match option:
        case o.Flag():
            return rng.random() < 0.5
        case o.Choice():
            return rng.choice(option.choices)
        case o.Integer():
            return rng.randint(option.minimum, option.maximum)
        case o.Money():
            return rng.choice(MONEY.get(name, MONEY["three_card_maximum"]))
        case o.Rate():
            return rng.choice(RATES)
    return "a link"


def random_round(rng: Random, setup: Setup) -> Round:
    """A round about to begin, with a meter somewhere above its seed."""
    if setup.progressive is None:
        return open_round(setup)
    above = rng.choice((0, 1, 38, 40_000_38, 1_234_567_89))
    meter = Meter(
        units=(setup.progressive.seed_cents + above) * 10_000 + rng.choice((0, 1, 9_999)),
        reserve_units=rng.choice((0, 0, 1, 123_456_789)),
    )
    return open_round(setup, meter)


def random_places(rng: Random, counts: dict[str, int]) -> Places:
    """A deal: any cards, or those of which the highest awards are made."""
    stacked: Places = {}
    if rng.random() < 0.6:
        seats = [place for place in counts if place.isdecimal()]
        rng.shuffle(seats)
        hands = _island_hands(rng) if "dealer" in counts else _mississippi_hands(rng, stacked)
        for place, hand in zip(seats, hands, strict=False):
            stacked[place] = hand
        if "dealer" in counts and hands[len(seats) :] and rng.random() < 0.5:
            stacked["dealer"] = hands[-1]
    used = {card for cards in stacked.values() for card in cards}
    rest = [card for card in DECK if card not in used]
    rng.shuffle(rest)
    for place, count in counts.items():
        if len(stacked.get(place, ())) != count:
            stacked[place] = tuple(rest.pop() for _ in range(count))
    return {place: stacked[place] for place in counts}


def _island_hands(rng: Random) -> list[tuple[int, ...]]:
    """Royals, straight flushes and full hands that tie or beat each other."""
    hands = [
        parse_cards(" ".join(rank + suit for rank in ranks))
        for suit, ranks in zip(
            "cdhs", rng.sample(("AKQJT", "AKQJT", "98765", "KQJT9"), 4), strict=True
        )
    ]
    rng.shuffle(hands)
    return hands[: rng.randint(1, 4)]


def _mississippi_hands(rng: Random, stacked: Places) -> list[tuple[int, ...]]:
    """Two hole cards each for a community that makes them a royal, a straight flush, a pair."""
    suit, other = rng.sample("cdhs", 2)
    board, holes = rng.choice(
        (
            ("QJT", ("AK", "98", "K9")),
            ("432", ("A5", "56", "65")),
            ("QKA", ("JT", "55", "66")),
            ("777", ("7A", "66", "TT")),
        )
    )
    suits = "cdhs" if board == "777" else suit * 3
    stacked["community"] = parse_cards(" ".join(r + s for r, s in zip(board, suits, strict=False)))
    stacked["box"] = parse_cards(" ".join(rank + other for rank in "AKQJ"))
    used = set(stacked["community"]) | set(stacked["box"])
    hands = [_of_suit(hole, suit, used) for hole in holes]
    hands.append(parse_cards(f"T{other} 9{other}"))
    rng.shuffle(hands)
    distinct: list[tuple[int, ...]] = []
    for hand in hands:
        if not used & set(hand) and len(set(hand)) == 2:
            used |= set(hand)
            distinct.append(hand)
    return distinct


def _of_suit(ranks: str, suit: str, used: set[int]) -> tuple[int, ...]:
    """Cards of one suit, or of any where that one is taken."""
    cards: list[int] = []
    for rank in ranks:
        free = [
            c for s in (suit, *"cdhs") for c in parse_cards(rank + s) if c not in (*used, *cards)
        ]
        cards.append(free[0])
    return tuple(cards)


# ---------------------------------------------------------------- requests


def likely(rng: Random, state: Round, offers: Sequence[Offer], manners: Manners) -> Action | None:
    """A legal request that brings a round on, or that people make by mistake; None at the end."""
    by_kind: dict[type[Action], list[Offer]] = {}
    for offer in offers:
        by_kind.setdefault(offer.kind, []).append(offer)
    chances = {
        a.Wager: 6.0,
        a.TakeBack: manners.mistakes,
        a.CloseBets: manners.closing,
        a.Fold: 2.5,
        a.Settle: manners.by_hand,
        a.SettleAll: 0.5,
        a.Correct: manners.mistakes,
        a.Incident: manners.trouble if state.phase == manners.trouble_in else 0.0,
    }
    kinds = [kind for kind in by_kind if chances.get(kind, 6.0)]
    if not kinds or (state.phase == "over" and rng.random() < 0.5):
        return None
    kind = rng.choices(kinds, [chances.get(kind, 6.0) for kind in kinds])[0]
    if kind is a.CollectProgressive and rng.random() > manners.mistakes:
        return a.CollectProgressive(chips=sum(seat.lit for seat in state.seats.values()))
    if kind is a.Settle and rng.random() > manners.mistakes and (left := remaining(state)):
        due = left[0]
        return a.Settle(seat=due.seat, spot=due.spot, given_cents=due.given_cents)
    return from_offer(rng, rng.choice(_half_conduct(rng, by_kind[kind])))


def _half_conduct(rng: Random, offers: list[Offer]) -> list[Offer]:
    """Of incidents, every second is somebody's conduct."""
    conduct = [
        offer
        for offer in offers
        if offer.kind is a.Incident and any(map(offer.arguments["what"].holds, CONDUCT))
    ]
    return conduct if conduct and rng.random() < 0.5 else offers


def from_offer(rng: Random, offer: Offer) -> Action:
    """One of the requests that an offer allows."""
    return offer.kind(**{name: _within(rng, bounds) for name, bounds in offer.arguments.items()})


def _within(rng: Random, bounds: Argument) -> object:
    match bounds:
        case Choice():
            return rng.choice(bounds.values)
        case Cards():
            return random_places(rng, bounds.counts)
        case Judged():
            return rng.choice([card for card in DECK if bounds.holds(card)] or [0])
        case Counts():
            return {place: rng.randint(0, 5) for place in bounds.places if rng.random() < 0.2}
        case Text():
            names = ("miscount", "chip") if bounds.required else (*NAMES, "chip")
            return rng.choice([name for name in names if name not in bounds.not_these])
    low, high = _ends(bounds)
    steps = (high - low) // bounds.unit
    return low + bounds.unit * rng.choice((0, steps, rng.randint(0, steps), min(steps, 4)))


def _ends(bounds: Range) -> tuple[int, int]:
    far = 1_000 * bounds.unit
    if bounds.minimum is None:
        return (bounds.maximum or 0) - far, bounds.maximum or 0
    return bounds.minimum, bounds.minimum + far if bounds.maximum is None else bounds.maximum


FIELDS: dict[type[Action], tuple[str, ...]] = {
    kind: tuple(field.name for field in fields(kind)) for kind in get_args(a.AnyAction)
}


def wild(rng: Random, state: Round, offers: Sequence[Offer]) -> Action:
    """Any request at all: out of the blue, or a legal one with one thing changed."""
    if offers and rng.random() < 0.6:
        offer = rng.choice(offers)
        arguments = {name: _within(rng, bounds) for name, bounds in offer.arguments.items()}
        if arguments:
            name = rng.choice(list(arguments))
            arguments[name] = _anything(rng, state, name, offer.arguments[name])
        return offer.kind(**arguments)
    kind = rng.choice(list(FIELDS))
    return kind(**{name: _anything(rng, state, name, None) for name in FIELDS[kind]})


def _anything(rng: Random, state: Round, name: str, bounds: Argument | None) -> object:
    """A value that can be written down for an argument, whether it makes sense or not."""
    if isinstance(bounds, Range):
        low, high = _ends(bounds)
        return rng.choice((low - bounds.unit, low - 1, low + 1, high + 1, high + bounds.unit))
    if name == "places":
        return _fouled(rng, state)
    values: dict[str, Sequence[object]] = {
        "seat": range(-1, state.setup.seats + 2),
        "spot": (*state.setup.spots, "tip_six_card_bonus", "rail", ""),
        "player": NAMES,
        "instrument": ("chip", "plaque", "verbal_with_cash", "cheque"),
        "reason": ("", "miscount"),
        "what": (*KNOWN, "earthquake", ""),
        "place": (*PLACES, "ceiling"),
        "decision": ("", "continue", "void"),
        "chips": (-1, 0, 1, 2),
        "count": (-1, 0, 1, 2, 51, 52),
    }
    return rng.choice(values.get(name) or _amounts(state))


def _amounts(state: Round) -> list[int]:
    """Amounts that lie on a limit of this round, and beside it."""
    limits = state.setup.limits
    known = {0, limits.ante.minimum_cents, limits.ante.maximum_cents or 0, limits.unit_cents}
    for seat in state.seats.values():
        for cents in seat.wagers.values():
            known |= {cents, 2 * cents, 3 * cents}
    return [cents + beside for cents in sorted(known) for beside in (-1, 0, 1)]


def _fouled(rng: Random, state: Round) -> Places:
    """A deal with a card too many, one twice, an unknown one, a place too few; or a good one."""
    places = random_places(rng, card_counts(state.setup, sorted(state.seats)))
    if not places:
        return {"1": (0, 1)}
    place = rng.choice(list(places))
    cards = places[place]
    match rng.randint(0, 4):
        case 0:
            places[place] = (*cards, next(c for c in DECK if c not in sum(places.values(), ())))
        case 1:
            places[place] = (*cards[1:], rng.choice(sum(places.values(), ())))
        case 2:
            places[place] = (*cards[1:], rng.choice((-1, 52)))
        case 3:
            del places[place]
    return places


# ---------------------------------------------------------------- the house, by itself


def automatic(rng: Random, state: Round) -> a.AnyAction | None:
    """What comes next when nobody asks for anything odd; None when the round is closed."""
    match state.phase:
        case "betting":
            if state.seats:
                return a.CloseBets()
            least = state.setup.limits
            unit = least.unit_cents
            cents = max(unit, -(-least.ante.minimum_cents // unit) * unit)
            return a.Wager(seat=1, spot="ante", cents=cents)
        case "closed":
            return a.LockProgressive()
        case "locked":
            return a.CollectProgressive(chips=sum(seat.lit for seat in state.seats.values()))
        case "ready":
            counts = card_counts(state.setup, sorted(state.seats))
            return a.Deal(places=random_places(rng, counts))
        case "deciding":
            number = seat_to_act(state)
            return a.Fold(seat=number) if number is not None else a.Turn()
        case "turning":
            return a.Turn()
        case "settling":
            return a.SettleAll() if remaining(state) else a.Close()
    return None


def balances(postings: Iterable[tuple[str, str, int]]) -> dict[str, int]:
    """What many postings come to, account by account; no account is kept in both units."""
    sums: dict[str, int] = {}
    for account, _, amount in postings:
        sums[account] = sums.get(account, 0) + amount
    return sums
