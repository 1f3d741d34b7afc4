"""The table around the round: hands, cards, deal, felt, irregularities and conduct fit the game."""

from collections.abc import Iterator

from riverboat.rulebook.book import IslandStud, MississippiStud, Rulebook
from riverboat.rulebook.citing_checks import once
from riverboat.rulebook.conform import Misfit
from riverboat.rulebook.options import Choice, Integer
from riverboat.rulebook.paytables import FIVE_CARD, SIX_CARD, THREE_CARD
from riverboat.rulebook.procedures import Conduct, DealingMethod, Irregularity
from riverboat.rulebook.wager_checks import base_spots, offered

DECK = 52
BOX_CARDS, HOLE_CARDS = 4, 2
COUNTS = {
    "mississippi_stud": {"seat_cards": HOLE_CARDS, "community_cards": 3, "dealer_cards": 0},
    "island_stud": {"seat_cards": 5, "community_cards": 0, "dealer_cards": 5},
}
MADE_OF = {
    "mississippi_stud": "two_hole_and_three_community",
    "island_stud": "five_card_packet",
}
ACE_LOW, SUPER_ROYAL = ("A-2-3-4-5",), ("A-K-Q-J-T-9",)
MOST_ROUNDS_UNCOUNTED = 100
TWO_DECKS = 2
HANDED_OUT = {"packets": "together", "rotation": "one_at_a_time"}
ORDERS = {
    "after_players": ("seats", "community"),
    "before_players": ("community", "seats"),
    "2-3": ("seats", "community"),
    "3-2": ("community", "seats"),
}
KNOW_THE_BOX = ("shoe_sequence", "six_card_dealing")
DEVICES = ("automated", "continuous")
BY_DEVICE = ("automated_shuffle", "automated_device")
OPENING = (
    "inspect",
    "verify",
    "spread_face_up",
    "first_player_looks",
    "turn_face_down",
    "wash",
    "stack",
    "shuffle",
)
# What can follow from each irregularity, and the option that decides where one does.
CONSEQUENCES: dict[str, tuple[str, ...]] = {
    "wrong_card_count": ("void_round",),
    "exposed_player_card": ("by_option", "continue", "void_round"),
    "exposed_community_card": ("by_option", "continue", "void_round"),
    "exposed_dealer_card": ("by_option", "continue", "void_round"),
    "six_card_box": ("by_option", "void_round"),
    "face_up_card": ("leave_card_out", "void_round"),
    "face_up_cards": ("void_round",),
    "card_drawn_in_error": ("use_as_next_card", "leave_card_out", "void_round"),
    "shuffler_jam": ("reshuffle", "void_round", "none"),
    "shuffler_count": ("remove_deck", "void_round", "none"),
    "shoe_jam": ("void_round", "none"),
    "wrong_stub_count": ("decide_whether_misdealt", "void_round"),
    "deck_count": ("void_round",),
    "device_out_of_use": ("suspend_until_covered_or_signed", "by_option", "none"),
}
DECIDES = {
    "exposed_player_card": "exposed_player_card",
    "exposed_community_card": "exposed_community_card",
    "exposed_dealer_card": "exposed_dealer_card",
    "six_card_box": "six_card_irregularity",
    "device_out_of_use": "device_down",
}
MAY_OVERRULE = "unwritten_irregularity"
HAVE_A_SEQUEL = ("void_round", "by_option", "leave_card_out", "remove_deck")
CONDUCT: dict[str, tuple[str, ...]] = {
    "leaving_the_table": ("by_option", "forfeits_all_wagers"),
    "one_position_per_player": ("by_option", "refused"),
    "sharing_hand_information": ("forfeits_all_wagers",),
}
CONDUCT_OPTIONS = {
    "leaving_the_table": "leaver",
    "one_position_per_player": "max_positions_per_player",
    "sharing_hand_information": "conduct_forfeits",
}
NEEDED_CONDUCT = ("leaving_the_table", "one_position_per_player")


def table_misfits(book: Rulebook) -> Iterator[Misfit]:
    """Cards, places and procedures with which this game cannot be dealt and looked after."""
    yield from _rankings(book)
    yield from _deck(book)
    yield from _deal(book)
    yield from _dealing(book)
    yield from _shuffle(book)
    yield from _felt(book)
    yield from _irregularities(book)
    yield from _void(book)
    yield from _conduct(book)


def _rankings(book: Rulebook) -> Iterator[Misfit]:
    """Hands as the evaluator ranks them, for the bets that they decide and for no other."""
    five, six, bets = book.hands.five, book.hands.six, offered(book)
    rankings = (
        ("five", five, FIVE_CARD, True),
        ("three", book.hands.three, THREE_CARD, "three_card_bonus" in bets),
        ("six", six, SIX_CARD, "six_card_bonus" in bets),
    )
    for name, ranking, order, needed in rankings:
        where = f"hands.{name}"
        if ranking is None:
            if needed:
                yield Misfit(where, "missing; a bet on offer is decided by it")
            continue
        if not needed:
            yield Misfit(where, "no bet on offer is decided by it; remove it")
        if ranking.order != order:
            yield Misfit(f"{where}.order", f"the order that is played is {', '.join(order)}")
        if not ranking.highest_only:
            yield Misfit(f"{where}.highest_only", "a hand is paid once, as the highest; true is")
    if five.made_of != MADE_OF[book.game]:
        yield Misfit("hands.five.made_of", f"{MADE_OF[book.game]} is right in {book.game}")
    if five.ace_low_in != ACE_LOW:
        yield Misfit("hands.five.ace_low_in", f"{ACE_LOW[0]} alone is played")
    if not five.suits_equal:
        yield Misfit("hands.five.suits_equal", "no suit beats another; true is right")
    if six is not None and (six.box_cards, six.hole_cards) != (BOX_CARDS, HOLE_CARDS):
        yield Misfit("hands.six.box_cards", "four box cards and two hole cards make a hand of six")
    if six is not None and six.super_royal != SUPER_ROYAL:
        yield Misfit("hands.six.super_royal", f"{SUPER_ROYAL[0]} alone is played")


def _deck(book: Rulebook) -> Iterator[Misfit]:
    if (book.cards.decks, book.cards.cards) != (1, DECK):
        yield Misfit("cards", f"one deck of {DECK} cards is played; two in turn are [two_decks]")
    decks = book.two_decks
    if decks is not None and decks.decks_in_discard_rack > TWO_DECKS:
        yield Misfit("two_decks.decks_in_discard_rack", "there are two decks; 1 or 2 is right")
    if decks is not None and not set(DEVICES) & set(book.shuffle.methods):
        yield Misfit("two_decks", "needs a shuffler; name automated in shuffle.methods")
    margin = book.options.get("cut_bottom_margin")
    if book.cut is not None and isinstance(margin, Integer):
        if book.cut.minimum_depth + margin.default > DECK:
            yield Misfit(
                "cut.minimum_depth",
                f"{book.cut.minimum_depth} above the cut and {margin.default} below are more than "
                f"{DECK} cards",
            )
    count = book.stub_count
    if count is not None and count.total != DECK:
        yield Misfit("stub_count.total", f"{DECK} is right")
    if count is not None and count.every_rounds > MOST_ROUNDS_UNCOUNTED:
        yield Misfit("stub_count.every_rounds", f"1 to {MOST_ROUNDS_UNCOUNTED} is right")


def _deal(book: Rulebook) -> Iterator[Misfit]:
    """As many cards as the game has hands for, and never more than a deck."""
    deal = book.deal
    wanted = {
        **COUNTS[book.game],
        "box_cards": BOX_CARDS if "six_card_bonus" in offered(book) else 0,
    }
    for key, count in wanted.items():
        if getattr(deal, key) != count:
            yield Misfit(f"deal.{key}", f"is {getattr(deal, key)}; {count} is right here")
    if not deal.face_down:
        yield Misfit("deal.face_down", "nobody sees another's cards; true is right")
    seats = book.options.get("seats")
    if isinstance(seats, Integer):
        rest = deal.community_cards + deal.dealer_cards + deal.box_cards + deal.burn_cards
        together = seats.maximum * deal.seat_cards + rest
        if together > DECK:
            yield Misfit(
                "deal", f"{seats.maximum} seats and the rest need {together} of {DECK} cards"
            )


def _dealing(book: Rulebook) -> Iterator[Misfit]:
    defaults = [method.method for method in book.dealing if method.default]
    if len(defaults) != 1:
        yield Misfit("dealing", f"{len(defaults)} methods are the default; exactly one is right")
    yield from once("dealing", [method.method for method in book.dealing])
    bets = [method.default_with for method in book.dealing if method.default_with is not None]
    for bet in dict.fromkeys(bets):
        if bet not in offered(book) or bet == "progressive":
            yield Misfit("dealing", f"default_with {bet}; a bonus that is offered is right")
        elif bets.count(bet) > 1:
            yield Misfit(
                "dealing", f"{bets.count(bet)} methods have default_with {bet}; one is right"
            )
    for method in book.dealing:
        yield from _method(book, method, f"dealing.{method.method}")


def _method(book: Rulebook, method: DealingMethod, where: str) -> Iterator[Misfit]:
    deal = book.deal
    counts = {
        "community": deal.community_cards,
        "dealer": deal.dealer_cards,
        "seats": deal.seat_cards,
    }
    for place, count in counts.items():
        if (place in method.sequence) != (count > 0):
            yield Misfit(
                f"{where}.sequence",
                f"{place} gets {count} cards in [deal] and "
                f"{'is' if place in method.sequence else 'is not'} dealt to here",
            )
    if "box" in method.sequence:
        yield Misfit(f"{where}.sequence", f"the box is dealt to by {' or '.join(KNOW_THE_BOX)}")
    if deal.box_cards and method.sequence_option not in KNOW_THE_BOX:
        yield Misfit(f"{where}.sequence_option", f"{' or '.join(KNOW_THE_BOX)} deals to the box")
    option = book.options.get(method.sequence_option)
    if isinstance(option, Choice) and method.sequence_option != "six_card_dealing":
        if ORDERS.get(option.default) != method.sequence:
            yield Misfit(
                f"{where}.sequence",
                f"{method.sequence_option} is {option.default}, which is another order",
            )
    if method.seat_cards != HANDED_OUT.get(method.method, method.seat_cards):
        yield Misfit(f"{where}.seat_cards", f"{HANDED_OUT[method.method]} is right")
    if method.only_when and (method.default or method.default_with):
        yield Misfit(f"{where}.only_when", "a default is always there; remove one of the two")
    if set(method.needs) & set(BY_DEVICE) and not set(DEVICES) & set(book.shuffle.methods):
        yield Misfit(f"{where}.needs", "no device shuffles here; name automated in shuffle.methods")


def _shuffle(book: Rulebook) -> Iterator[Misfit]:
    for moment in ("before_play", "after_each_round"):
        if moment not in book.shuffle.when:
            yield Misfit("shuffle.when", f"every round has a shuffled deck; name {moment}")
    if not book.shuffle.methods:
        yield Misfit("shuffle.methods", "is empty; name at least one")
    if book.cut is not None and not book.cut.after:
        yield Misfit("cut.after", "is empty; name at least one")
    if book.instruments is not None and not book.instruments.allowed:
        yield Misfit("instruments.allowed", "is empty; name at least one")
    steps = [step.step for step in book.opening.steps] if book.opening is not None else []
    yield from once("opening.steps", steps)
    if steps != sorted(steps, key=OPENING.index):
        right = ", ".join(step for step in OPENING if step in steps)
        yield Misfit("opening.steps", f"these steps come in the order {right}")


def _felt(book: Rulebook) -> Iterator[Misfit]:
    """A place for every wager, nothing for a bet that is not offered, and nothing twice."""
    bets = offered(book)
    spots = [*base_spots(book), *bets]
    known = ("ante", "third", "fourth", "fifth", "bet", *THE_BETS)
    features = [entry.feature for entry in book.layout]
    for spot in known:
        area = f"{spot}_area"
        if spot in spots and area not in features:
            yield Misfit("layout", f"there is no {area}; every wager needs its place")
        if spot not in spots and area in features:
            yield Misfit(f"layout.{area}", f"there is no {spot} here; remove it")
    for name in ("layout", "equipment", "signs"):
        for entry in getattr(book, name):
            if entry.when != "always" and entry.when not in bets:
                yield Misfit(f"{name}", f"{entry.when} is not offered here; remove what is for it")
    yield from once(
        "layout", [" ".join((f.feature, f.label, f.place)).strip() for f in book.layout]
    )
    yield from once("equipment", [item.item for item in book.equipment if not item.alternative])
    yield from once("signs", [f"{sign.shows} {sign.where}" for sign in book.signs])


THE_BETS = ("three_card_bonus", "six_card_bonus", "bonus", "progressive")


def _irregularities(book: Rulebook) -> Iterator[Misfit]:
    there = {
        "exposed_community_card": isinstance(book, MississippiStud),
        "exposed_dealer_card": isinstance(book, IslandStud),
        "six_card_box": "six_card_bonus" in offered(book),
    }
    for name, allowed in CONSEQUENCES.items():
        rule, where = getattr(book.irregularities, name), f"irregularities.{name}"
        if rule is None:
            if there.get(name, False):
                yield Misfit(where, "missing; it can happen at this table")
        elif not there.get(name, True):
            yield Misfit(where, "it cannot happen at this table; remove it")
        else:
            yield from _irregularity(name, where, rule, allowed)


def _irregularity(
    name: str, where: str, rule: Irregularity, allowed: tuple[str, ...]
) -> Iterator[Misfit]:
    if rule.consequence not in allowed:
        yield Misfit(
            f"{where}.consequence",
            f"{rule.consequence} is not allowed; allowed are {', '.join(allowed)}",
        )
    elif rule.consequence == "by_option":
        if rule.option != DECIDES[name]:
            yield Misfit(f"{where}.option", f"{DECIDES[name]} decides it; name that option")
    elif rule.option not in ("", MAY_OVERRULE):
        yield Misfit(f"{where}.option", f"only {MAY_OVERRULE} may overrule; name it or none")
    if rule.then and rule.consequence not in HAVE_A_SEQUEL:
        yield Misfit(f"{where}.then", f"nothing follows {rule.consequence}; remove it")


def _void(book: Rulebook) -> Iterator[Misfit]:
    """A void gives everything back; the rulebook says so of everything there is."""
    stakes = ["progressive_stakes"] if book.progressive is not None else []
    wanted = ["wagers_on_the_table", "folded_wagers", *stakes, "tips"]
    if set(book.void.returns) != set(wanted):
        yield Misfit("void.returns", f"a void returns {', '.join(wanted)}; name each")


def _conduct(book: Rulebook) -> Iterator[Misfit]:
    rules = [rule.rule for rule in book.conduct]
    yield from once("conduct", rules)
    for name in NEEDED_CONDUCT:
        if name not in rules:
            yield Misfit("conduct", f"{name} is missing; {CONDUCT_OPTIONS[name]} is about it")
    for rule in book.conduct:
        yield from _rule_of_conduct(book, rule, f"conduct.{rule.rule}")


def _rule_of_conduct(book: Rulebook, rule: Conduct, where: str) -> Iterator[Misfit]:
    allowed = CONDUCT.get(rule.rule, ("refused", "forfeits_all_wagers", "reminder"))
    decides = CONDUCT_OPTIONS.get(rule.rule, "")
    if rule.consequence not in allowed:
        yield Misfit(
            f"{where}.consequence",
            f"{rule.consequence} is not allowed; allowed are {', '.join(allowed)}",
        )
    elif rule.consequence == "by_option" and rule.option != decides:
        yield Misfit(f"{where}.option", f"{decides} decides it; name that option")
    elif rule.option not in ("", decides):
        yield Misfit(f"{where}.option", f"{rule.option} is about something else; remove it")
    positions = book.options.get("max_positions_per_player")
    if rule.rule == "one_position_per_player" and rule.consequence == "refused":
        if isinstance(positions, Integer) and positions.maximum > 1:
            yield Misfit(f"{where}.consequence", "more positions are an option; by_option is right")
    if rule.until == "all_community_cards_revealed" and isinstance(book, IslandStud):
        yield Misfit(f"{where}.until", "there are no community cards; round_complete is right")
