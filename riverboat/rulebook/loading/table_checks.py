"""The table around the round: hands, cards, shuffle, deal and felt fit the game."""

from typing import get_args

from riverboat.core.hand_kinds import HANDS
from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.loading.conform import Found
from riverboat.rulebook.loading.rule_checks import in_order, once
from riverboat.rulebook.loading.wager_checks import LARGEST_HAND, dealt_to, offered
from riverboat.rulebook.options import Choice, Integer
from riverboat.rulebook.procedures import FEATURES, DealingMethod, Prepared
from riverboat.rulebook.rules import named
from riverboat.rulebook.vocabulary import SEQUENCES

DECK = 52
MOST_ROUNDS_UNCOUNTED = 100
HANDED_OUT = {"packets": "together", "rotation": "one_at_a_time"}
KNOW_THE_BOX = ("shoe_sequence", "six_card_dealing")
DEVICES = ("automated", "continuous")
BY_DEVICE = ("automated_shuffle", "automated_device", "shuffling_device")
BESIDE_THE_DEALER = ("dealers_left", "dealers_right")
OPENING = get_args(Prepared)


def _rankings(book: Rulebook) -> Found:
    """Hands as the evaluator ranks them, for the bets that they decide and for no other."""
    used = {"five", *(offer.decided_by.hand for offer in book.side_bets)}
    for size, hand in HANDS.items():
        ranking = getattr(book.hands, size)
        if ranking is None and size in used:
            yield f"hands.{size}", "missing; a bet on offer is decided by it"
        elif ranking is not None and size not in used:
            yield f"hands.{size}", "no bet on offer is decided by it; remove it"
        elif ranking is not None and ranking.order != hand.order:
            yield f"hands.{size}.order", f"the order that is played is {', '.join(hand.order)}"
    yield from _base_hand(book)
    sizes: dict[str, str] = {offer.bet: offer.decided_by.hand for offer in book.side_bets}
    for table in book.paytables:
        right = sizes.get(table.bet, "five")
        if table.hand != right:
            yield f"paytables.{table.id}.hand", f"is {table.hand}; {right} is right"


def _base_hand(book: Rulebook) -> Found:
    counts, places = dealt_to(book), book.hands.five.made_of
    cards = sum(counts[place] for place in places)
    if not set(places) <= {"seat", "community"} or cards != LARGEST_HAND:
        right = f"the {LARGEST_HAND} of seat, or of seat and community, are right"
        yield "hands.five.made_of", f"{', '.join(places)} together are {cards} cards; {right}"
    elif any(counts[place] and place not in places for place in ("seat", "community")):
        yield "hands.five.made_of", "cards are dealt that no hand is made of; name each"


def _deck(book: Rulebook) -> Found:
    if book.two_decks is not None and not set(DEVICES) & set(book.shuffle.methods):
        yield "two_decks", "needs a shuffler; name automated in shuffle.methods"
    above = book.cut.minimum_depth if book.cut is not None else 0
    margin = book.options.get("cut_bottom_margin")
    below = margin.default if isinstance(margin, Integer) else 0
    if book.cut is not None and above + below > DECK:
        text = f"{above} cards above the cut and {below} below it are more than the {DECK} of the"
        yield "cut.minimum_depth", f"{text} deck; fewer are right"
    count = book.stub_count
    if count is not None and count.every_rounds > MOST_ROUNDS_UNCOUNTED:
        yield "stub_count.every_rounds", f"1 to {MOST_ROUNDS_UNCOUNTED} is right"


def _deal(book: Rulebook) -> Found:
    """As many cards as the game has hands for, and never more than a deck."""
    deal = book.deal
    if deal.dealer_cards not in (0, LARGEST_HAND):
        yield "deal.dealer_cards", f"is {deal.dealer_cards}; 0 or {LARGEST_HAND} is right"
    if deal.box_cards and not book.box_bets:
        yield "deal.box_cards", f"is {deal.box_cards}; no bet goes by them, 0 is right here"
    seats = book.options.get("seats")
    if isinstance(seats, Integer):
        rest = deal.community_cards + deal.dealer_cards + deal.box_cards + deal.burn_cards
        together = seats.maximum * deal.seat_cards + rest
        if together > DECK:
            yield "deal", f"{seats.maximum} seats and the rest need {together} of {DECK} cards"


def _dealing(book: Rulebook) -> Found:
    defaults = [method.method for method in book.dealing if method.default]
    if len(defaults) != 1:
        yield "dealing", f"{len(defaults)} methods are the default; exactly one is right"
    yield from once("dealing", [method.method for method in book.dealing])
    bets = [method.default_with for method in book.dealing if method.default_with is not None]
    for bet in dict.fromkeys(bets):
        if bet not in offered(book) or bet == "progressive":
            yield "dealing", f"default_with {bet}; a bonus that is offered is right"
        elif bets.count(bet) > 1:
            yield "dealing", f"{bets.count(bet)} methods have default_with {bet}; one is right"
    for method in book.dealing:
        yield from _method(book, method, f"dealing.{method.method}")
    if book.box_bets:  # A table that only adds a bet on the box can deal to it.
        chosen = [m for m in book.dealing if m.default_with in book.box_bets]
        for method in chosen or [m for m in book.dealing if m.default]:
            yield from _deals_to_the_box(book, method)


def _deals_to_the_box(book: Rulebook, method: DealingMethod) -> Found:
    dealing, shoe = book.options.get("six_card_dealing"), book.options.get("shoe_sequence")
    by_device = isinstance(dealing, Choice) and dealing.default == "automated_only"
    if by_device and "automated_device" not in method.needs:
        text = "a device deals to the box; default_with of such a method is right"
        yield f"dealing.{method.method}", text
    if method.sequence_option == "shoe_sequence" and isinstance(shoe, Choice):
        for default in [shoe.default_when.get(bet, shoe.default) for bet in book.box_bets]:
            if "box" not in SEQUENCES.get(default, ()):
                text = f"{default} has no box; with {book.box_bets[0]} one that has is right"
                yield "options.shoe_sequence.default_when", text


def _method(book: Rulebook, method: DealingMethod, where: str) -> Found:
    counts = dealt_to(book)
    for place, of in (("community", "community"), ("dealer", "dealer"), ("seats", "seat")):
        if (place in method.sequence) != bool(counts[of]):
            dealt = f"{'is' if place in method.sequence else 'is not'} dealt to here"
            yield f"{where}.sequence", f"{place} gets {counts[of]} cards in [deal] and {dealt}"
    if "box" in method.sequence:
        yield f"{where}.sequence", f"the box is dealt to by {' or '.join(KNOW_THE_BOX)}"
    if counts["box"] and method.sequence_option not in KNOW_THE_BOX:
        yield f"{where}.sequence_option", f"{' or '.join(KNOW_THE_BOX)} deals to the box"
    yield from _order(book, method, where)
    yield from _by_choice(book, method, where)
    if method.seat_cards != HANDED_OUT.get(method.method, method.seat_cards):
        yield f"{where}.seat_cards", f"{HANDED_OUT[method.method]} is right"
    if method.deck_age and book.deck_age is None:
        yield f"{where}.deck_age", "there is no [deck_age]; add it, or remove this"
    if method.only_when and (method.default or method.default_with):
        yield f"{where}.only_when", "a default is always there; remove one of the two"
    if set(method.needs) & set(BY_DEVICE) and not set(DEVICES) & set(book.shuffle.methods):
        yield f"{where}.needs", "no device shuffles here; name automated in shuffle.methods"


def _order(book: Rulebook, method: DealingMethod, where: str) -> Found:
    """Where an option orders the deal, the sequence that is printed is the option's default."""
    option = book.options.get(method.sequence_option)
    if not isinstance(option, Choice) or method.sequence_option == "six_card_dealing":
        return
    if SEQUENCES.get(option.default) != method.sequence:
        text = f"{method.sequence_option} is {option.default}; the same order is right in both"
        yield f"{where}.sequence", text


def _by_choice(book: Rulebook, method: DealingMethod, where: str) -> Found:
    """What is said of some choices of the sequence's option is said of choices that it has."""
    option = book.options.get(method.sequence_option)
    choices = option.choices if isinstance(option, Choice) else ()
    right = ", ".join(choices) or "no choice, for no option orders this deal,"
    named_ones = [("sequence_sections", choice) for choice in method.sequence_sections]
    if method.from_hand is not None:
        named_ones += [("from_hand.choices", choice) for choice in method.from_hand.choices]
    for key, choice in named_ones:
        if choice not in choices:
            yield f"{where}.{key}", f"there is no {choice!r}; {right} is right"
    for choice, sections in {"": method.sections, **method.sequence_sections}.items():
        key = f"sequence_sections.{choice}" if choice else "sections"
        for section in sections:
            if not any(clause.startswith(section) for clause in book.clauses):
                yield f"{where}.{key}", f"no clause begins with {section!r}"


def _shuffle(book: Rulebook) -> Found:
    for moment in ("before_play", "after_each_round"):
        if moment not in book.shuffle.when:
            yield "shuffle.when", f"every round has a shuffled deck; name {moment}"
    for part, key in (("shuffle", "methods"), ("cut", "after"), ("instruments", "allowed")):
        if getattr(getattr(book, part), key, None) == ():
            yield f"{part}.{key}", "is empty; name at least one"
    opening = book.opening.steps if book.opening is not None else ()
    steps = [step.step for step in opening]
    yield from once("opening.steps", steps)
    yield from in_order("opening.steps", steps, OPENING)
    if opening and "stack" not in steps:
        yield "opening.steps", "stack is missing; a deck that lies spread is never shuffled"
    if book.idle is not None and not any(step.by == "player" for step in opening):
        text = "cards that lie spread wait for a player's look; add a step by a player to [opening]"
        yield "idle", text


def _needs(book: Rulebook) -> Found:
    """What is said of an item is something that a submission can be wrong about."""
    for called, entry in named(book.equipment):
        where = f"equipment.{called}"
        if entry.need == "allowed_if_approved" and not entry.needs_approval:
            yield f"{where}.needs_approval", "allowed if approved; true is right"
        if entry.need == "allowed" and entry.needs_approval:
            yield f"{where}.need", "it needs approval; allowed_if_approved is right"
        if entry.need == "recommended" and entry.item != "automated_shuffler":
            yield f"{where}.need", "only a shuffler can be; required or allowed is right"
        if entry.alternative and entry.opposite:
            yield f"{where}.opposite", "what stands elsewhere faces nothing; remove it"
        if entry.counts and entry.item != "reshuffling_device":
            yield f"{where}.counts", "only a reshuffling_device must; remove it"


def _felt(book: Rulebook) -> Found:
    """A place for every wager, nothing for a bet that is not offered, and nothing twice."""
    features, known = [entry.feature for entry in book.layout], (*book.areas, *FEATURES)
    for area in [area for area in book.areas if area not in features]:
        yield "layout", f"there is no {area}; every wager needs its place"
    for feature in [feature for feature in features if feature not in known]:
        yield f"layout.{feature}", f"there is no such thing here; {', '.join(known)} can be"
    for name in ("layout", "equipment", "signs"):
        for called, entry in named(getattr(book, name)):
            if entry.when not in ("always", *offered(book)):
                yield f"{name}.{called}.when", f"{entry.when} is not offered here; remove it"
    yield from once("layout", [(f.feature, f.label, f.place) for f in book.layout])
    yield from once("equipment", [e.item for e in book.equipment if not e.alternative])
    yield from once("signs", [(sign.shows, sign.where) for sign in book.signs])
    yield from _facing(book)


def _facing(book: Rulebook) -> Found:
    """Two items across the dealer name each other, and may stand on either hand."""
    rules = {rule.item: rule for rule in reversed(book.equipment) if not rule.alternative}
    for rule in rules.values():
        where = f"equipment.{rule.item}"
        other = rules.get(rule.opposite) if rule.opposite else None
        if rule.opposite and (other is None or other.opposite != rule.item):
            yield f"{where}.opposite", f"{rule.opposite} does not name {rule.item} as its opposite"
        elif rule.opposite and set(rule.where) != set(BESIDE_THE_DEALER):
            right = " and ".join(BESIDE_THE_DEALER)
            yield f"{where}.where", f"{right} are right for what has an opposite"


TABLE = (_rankings, _deck, _deal, _dealing, _shuffle, _needs, _felt)
"""Cards, places and procedures with which this game cannot be dealt and looked after."""
