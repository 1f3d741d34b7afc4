"""Wagers: what may be bet, what a fold loses, what is settled when, and how far payouts go."""

from collections.abc import Iterator
from itertools import product
from typing import get_args

from riverboat.core.hand_kinds import FIVE_CARD, HANDS
from riverboat.rulebook.book import PROGRESSIVE, Rulebook
from riverboat.rulebook.loading.conform import Found
from riverboat.rulebook.loading.rule_checks import once
from riverboat.rulebook.options import Flag, Money
from riverboat.rulebook.paytables import MOST_ODDS, PAYS_WORDS
from riverboat.rulebook.play import NOT_QUALIFIED, AggregateLimit, ComparisonLine, SideBetOffer
from riverboat.rulebook.values import Pays, Place
from riverboat.rulebook.vocabulary import OPTIONS

RESERVED = ("ante", "base", "envy", "placard", "tips", "dealing", "meter", "reserve")
"""What a side bet or a decision's spot cannot be called, because it means something else."""
LARGEST_MULTIPLE = 100
LARGEST_HAND = 5
MOST_DECISIONS = 3
# What each outcome against the dealer can do to a wager. A wager that was not made gets nothing.
COMPARED = {
    NOT_QUALIFIED: ("to", "push"),
    "player_wins": ("to", "push"),
    "tie": ("to", "push", "lose"),
    "dealer_wins": ("push", "lose"),
}


def offered(book: Rulebook) -> list[str]:
    """The side bets of a rulebook."""
    return [offer.bet for offer in book.side_bets]


def dealt_to(book: Rulebook) -> dict[str, int]:
    """How many cards each place gets."""
    return {place: getattr(book.deal, f"{place}_cards") for place in get_args(Place)}


def _side_bets(book: Rulebook) -> Found:
    bets = offered(book)
    yield from once("side_bets", bets)
    for offer in book.side_bets:
        where = f"side_bets.{offer.bet}"
        if offer.bet in (*RESERVED, *OPTIONS) or offer.bet.startswith("tip_"):
            yield where, f"{offer.bet} means something else already; another name is right"
        if offer.bet == PROGRESSIVE and offer.limits:
            yield f"{where}.limits", "the progressive's wager is one amount; remove it"
        yield from _deciding_cards(book, offer)
        yield from ((f"{where}.paytables", wrong) for wrong in _offered_tables(book, offer))
        yield from _prerequisites(book, offer)
        in_use = {t.id for t in book.paytables if t.bet == offer.bet and t.playable}
        for name in sorted(in_use - set(offer.paytables)):
            yield f"{where}.paytables", f"{name!r} can be played but is not offered"
    for bet in sorted({t.bet for t in book.paytables} - {"base", "envy", "placard", *bets}):
        yield "side_bets", f"there are pay tables for {bet}, which is not offered"
    if ("progressive" in bets) != (book.progressive is not None):
        yield "progressive", "the side bet and the [progressive] section go together"


def _deciding_cards(book: Rulebook, offer: SideBetOffer) -> Found:
    """As many cards as the hand has, of places that get cards; the progressive goes by the base
    game's hand."""
    where, counts = f"side_bets.{offer.bet}.decided_by", dealt_to(book)
    places, hand = offer.decided_by.places, offer.decided_by.hand
    if "dealer" in places:
        yield f"{where}.places", "a side bet goes by cards of the player, board or box"
        return
    for place in places:
        if not counts[place]:
            yield f"{where}.places", f"{place} gets no cards here; remove it"
    cards = sum(counts[place] for place in places)
    if cards != HANDS[hand].cards:
        text = f"{', '.join(places) or 'nothing'} together are {cards} cards"
        yield where, f"{text}; a hand of {hand} has {HANDS[hand].cards}"
    if offer.bet == PROGRESSIVE and (hand != "five" or places != book.hands.five.made_of):
        right = f"five of {', '.join(book.hands.five.made_of)} is right"
        yield where, f"the progressive goes by the base game's hand; {right}"


def _offered_tables(book: Rulebook, offer: SideBetOffer) -> Iterator[str]:
    if not offer.paytables:
        yield "is empty; name at least one pay table"
    for name in offer.paytables:
        table = book.tables.get(name)
        if table is None:
            yield f"there is no pay table {name!r}"
        elif table.bet != offer.bet:
            yield f"{name!r} is a table for {table.bet}"
        elif not table.playable:
            yield f"{name!r} is struck: it is kept for analysis only"


def _prerequisites(book: Rulebook, offer: SideBetOffer) -> Found:
    """What is bet before a side bet: always the ante, and never anything that waits for it."""
    where = f"side_bets.{offer.bet}.after"
    after = {other.bet: (*other.after, *other.after_if) for other in book.side_bets}
    if "ante" not in offer.after:
        yield where, "every side bet is made after the ante; name it"
    for earlier in after[offer.bet]:
        if earlier != "ante" and earlier not in after:
            yield where, f"{earlier!r} is not offered here"
    if offer.bet in _all_before(offer.bet, after):
        yield where, f"{offer.bet} waits for itself; bets made before it are right"
    for earlier, name in offer.after_if.items():
        if earlier in offer.after:
            yield f"{where}_if", f"{earlier} comes before it in any case; name it once"
        if name in book.options and not isinstance(book.options[name], Flag):
            yield f"{where}_if", f"{name} is no yes-or-no option; one that is, is right"


def _all_before(bet: str, after: dict[str, tuple[str, ...]]) -> set[str]:
    """The whole chain of the bets before one."""
    found: set[str] = set()
    while more := {name for one in (bet, *found) for name in after.get(one, ())} - found:
        found |= more
    return found


def _tips(book: Rulebook) -> Found:
    tips = book.tips
    spots = [*book.base_spots, *(offer.bet for offer in book.bonuses)]
    for spot in [spot for spot in tips.on if spot not in spots]:
        yield "tips.on", f"there is no {spot} here; {', '.join(spots)} can be tipped on"
    if "ante" not in tips.on:
        yield "tips.on", "name the ante; whether tips are taken is the option tip_wagers"
    yield from _multiples("tips.street_multiples", tips.street_multiples)


def _multiples(where: str, multiples: tuple[int, ...]) -> Found:
    if not multiples or list(multiples) != sorted(set(multiples)):
        yield where, "each once, smallest first, is right"
    elif multiples[-1] > LARGEST_MULTIPLE:
        yield where, f"{multiples[-1]} is too much; 1 to {LARGEST_MULTIPLE} is right"


def _folds(book: Rulebook) -> Found:
    """What a fold does to each side bet on offer, and to no other."""
    bets = offered(book)
    there = [*bets, *(["envy"] if "progressive" in bets else [])]
    for bet in dict.fromkeys((*there, *book.fold.side_bets)):
        where, rule = f"fold.side_bets.{bet}", book.fold.side_bets.get(bet)
        if rule is None:
            yield where, "missing; say what a fold does to this side bet"
        elif bet not in there:
            yield where, f"{bet} is not offered here; remove it"
        elif rule.after_fold == "by_option" and bet == "envy":
            yield f"{where}.after_fold", "no option decides that; live or forfeited is right"
    yield from _stated_fold(book)
    outlives = {bet for bet, rule in book.fold.side_bets.items() if rule.after_fold == "live"}
    by_board = [offer.bet for offer in book.side_bets if "community" in offer.decided_by.places]
    live = [bet for bet in by_board if bet in outlives]
    if live and book.everybody_folds.reveal == "never":
        text = f"{live[0]} outlives a fold and needs the cards; if_a_side_bet_is_live is right"
        yield "everybody_folds.reveal", text


def _stated_fold(book: Rulebook) -> Found:
    """Where no fold asks the option, the option can only repeat what the folds say."""
    option, rule = book.options.get("fold_forfeits_side_bets"), book.fold.side_bets.get(PROGRESSIVE)
    if not isinstance(option, Flag) or rule is None:
        return
    if rule.after_fold != "by_option" and option.default != (rule.after_fold == "forfeited"):
        right = f"{str(not option.default).lower()} is right"
        text = f"after a fold the progressive is {rule.after_fold}; {right}"
        yield "options.fold_forfeits_side_bets.default", text


def _settlement(book: Rulebook) -> Found:
    settlement = book.settlement
    bonuses = [offer.bet for offer in book.bonuses]
    with_seat = settlement.progressive and settlement.progressive.when == "with_the_seat"
    wanted = {*book.base_spots, *bonuses, *(["progressive"] if with_seat else [])}
    order = settlement.spots.order
    if len(order) != len(set(order)) or set(order) != wanted:
        yield "settlement.spots.order", f"must name each of {', '.join(sorted(wanted))} once"
    for part in ("progressive", "envy"):
        if (getattr(settlement, part) is None) != (book.progressive is None):
            yield f"settlement.{part}", "goes with the progressive: both or neither"
    if (settlement.box is None) == bool(book.box_bets):
        yield "settlement.box", "goes with a bet that the box decides: both or neither"
    yield from _when_paid(book)
    closes = book.betting_closes
    if bool(closes.announce) != (closes.at == "no_more_bets"):
        right = "say what the dealer announces" if closes.at == "no_more_bets" else "remove it"
        yield "betting_closes.announce", f"betting closes at {closes.at}; {right}"
    if closes.at == "lock" and book.progressive is None:
        yield "betting_closes.at", "there is nothing to lock; no_more_bets or deal is right"


def _when_paid(book: Rulebook) -> Found:
    progressive, envy = (
        rule and rule.when for rule in (book.settlement.progressive, book.settlement.envy)
    )
    if progressive == "with_the_qualifying_hand":
        yield "settlement.progressive.when", "completion_of_round or with_the_seat is right"
    if envy == "with_the_seat":
        yield "settlement.envy.when", "completion_of_round or with_the_qualifying_hand is right"
    if envy == "with_the_qualifying_hand" and progressive != "with_the_seat":
        text = "the qualifying hand comes up only where the progressive is paid with the seat"
        yield "settlement.envy.when", f"{text}; completion_of_round is right"


def _aggregate_limit(book: Rulebook) -> Found:
    rule, where = book.aggregate_limit, "aggregate_limit"
    if rule.scope == "none":
        yield from _no_limit(book)
        return
    if (rule.limit is None) == (not rule.limit_option):
        yield where, f"a limit for each {rule.scope} needs either limit or limit_option"
    if rule.limit == 0:
        yield f"{where}.limit", "$0 would pay nobody; more is right"
    sharing = "pro_rata" if rule.scope == "round" else "not_shared"
    if rule.sharing != sharing:
        yield f"{where}.sharing", f"{sharing} is right for each {rule.scope}"
    if rule.or_minimum_wager_win and (rule.limit is None or book.comparison is not None):
        yield f"{where}.or_minimum_wager_win", "raises a printed limit by the base pay table's odds"
    yield from _what_counts(book)


def _no_limit(book: Rulebook) -> Found:
    rule = book.aggregate_limit
    if rule != AggregateLimit(scope="none", cites=rule.cites, note=rule.note):
        text = "scope is none; hand or round is right, or nothing beside the scope"
        yield "aggregate_limit", text
    option = book.options.get("aggregate_limit")
    if isinstance(option, Money) and option.default is not None:
        yield "options.aggregate_limit.default", "there is no limit; none is right"


def _what_counts(book: Rulebook) -> Found:
    rule, where = book.aggregate_limit, "aggregate_limit"
    if "base" not in rule.counts:
        yield f"{where}.counts", "base winnings always count; name base"
    known = ("base", "tips", *(offer.bet for offer in book.bonuses))
    for name in [name for name in rule.counts if name not in known]:
        yield f"{where}.counts", f"{name} is not offered here"
    odds = rule.from_odds or 0
    if odds and not any(pays.amount >= odds * pays.per for pays in _counted(book)):
        yield f"{where}.from_odds", f"nothing that counts pays {odds} to 1"


def _counted(book: Rulebook) -> Iterator[Pays]:
    """The payouts that an aggregate limit looks at."""
    for table in book.paytables:
        if table.bet in book.aggregate_limit.counts and table.playable:
            yield from (line.pays for line in table.lines)
    for line in book.comparison.lines if book.comparison is not None else ():
        yield from line.pays.values()


def _decisions(book: Rulebook) -> Found:
    """Each decision's spot, bets, folds and reveal; in the end every card lies open."""
    so_far, counts = ["ante"], dealt_to(book)
    open_cards = {"community": 0, "dealer": 0}
    yield from once("decisions", [decision.spot for decision in book.decisions])
    if len(book.decisions) > MOST_DECISIONS:
        yield "decisions", f"{len(book.decisions)} decisions; 1 to {MOST_DECISIONS} are right"
    for decision in book.decisions:
        where = f"decisions.{decision.spot}"
        if decision.spot in (*RESERVED, *offered(book)):
            yield f"{where}.spot", f"{decision.spot} means something else; another is right"
        if list(decision.fold.forfeits) != so_far:
            text = f"at this decision {', '.join(so_far)} lie on the table, in that order"
            yield f"{where}.fold.forfeits", text
        yield from _multiples(f"{where}.bet.multiples", decision.bet.multiples)
        open_cards[decision.reveal.turn] += decision.reveal.cards
        so_far.append(decision.spot)
    for place, turned in open_cards.items():
        if turned != counts[place]:
            text = f"{turned} cards of the {place} are turned after the decisions and"
            yield "decisions", f"{text} {counts[place]} are dealt; the same number is right"
    if any(decision.reveal.turn == "dealer" for decision in book.decisions[:-1]):
        yield "decisions", "the dealer's hand is turned after the last decision only"


def _showdown(book: Rulebook) -> Found:
    """Against the dealer there is a hand of the dealer's and a line for every outcome."""
    for name in ("dealers_hand", "comparison"):
        if book.deal.dealer_cards and getattr(book, name) is None:
            yield "deal.dealer_cards", f"the dealer has a hand; add [{name}]"
        elif not book.deal.dealer_cards and getattr(book, name) is not None:
            yield name, "the dealer gets no cards in [deal]; remove it"
    yield from _comparison(book)


def _comparison(book: Rulebook) -> Found:
    if book.dealers_hand is None or book.comparison is None:
        return
    if book.dealers_hand.up_cards > LARGEST_HAND:
        yield "dealers_hand.up_cards", f"1 to {LARGEST_HAND} is right"
    outcomes = [*COMPARED, "fold"]
    if book.dealers_hand.qualifies == "always":
        outcomes.remove(NOT_QUALIFIED)
    for outcome, hand in product(outcomes, FIVE_CARD):
        lines = [line for line in book.comparison.lines if line.outcome == outcome]
        found = sum(not line.hands or hand in line.hands for line in lines)
        if found != 1:
            text = f"{outcome} with {hand} matches {found or 'no'} lines; exactly one is right"
            yield f"comparison.{book.comparison.id}", text
    for line in book.comparison.lines:
        if line.outcome not in outcomes:
            yield f"comparison.lines.{line.outcome}", "the dealer always qualifies; remove it"
        for hand in sorted(set(line.hands) - set(FIVE_CARD)):
            yield f"comparison.lines.{line.outcome}.hands", f"no hand of five is {hand}"
        yield from _compared(book, line)


def _compared(book: Rulebook, line: ComparisonLine) -> Found:
    where = f"comparison.lines.{line.outcome}"
    if tuple(line.pays) != book.base_spots:
        yield f"{where}.pays", f"{', '.join(book.base_spots)} are right, in that order"
        return
    if line.outcome == "fold":
        if [*line.pays.values()] != ["lose", *["nothing"] * (len(line.pays) - 1)]:
            yield where, "a fold loses the ante and no bet is made: lose and nothing"
        return
    for spot, pays in line.pays.items():
        if pays.kind not in COMPARED[line.outcome]:
            right = ", ".join(PAYS_WORDS[kind] for kind in COMPARED[line.outcome])
            yield f"{where}.{spot}", f"{pays.words} cannot be here; {right} can"
        elif max(pays.amount, pays.per) > MOST_ODDS:
            yield f"{where}.{spot}", f"{pays.words} is too much; up to {MOST_ODDS:,} is right"


WAGERS = (_side_bets, _tips, _folds, _settlement, _aggregate_limit, _decisions, _showdown)
"""Wagers that cannot be made, decided, lost, settled or limited as the rulebook says."""
