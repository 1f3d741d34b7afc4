"""Wagers: what may be bet, what a fold loses, what is settled when, and how far payouts go."""

from collections.abc import Iterator, Sequence

from riverboat.rulebook.book import IslandStud, MississippiStud, Rulebook
from riverboat.rulebook.citing_checks import once
from riverboat.rulebook.conform import Misfit
from riverboat.rulebook.options import Flag, Money
from riverboat.rulebook.paytables import FIVE_CARD, MOST_ODDS, PAYS_WORDS, PayTable
from riverboat.rulebook.play import ComparisonLine
from riverboat.rulebook.values import Pays
from riverboat.rulebook.wagers import AggregateLimit, SideBetOffer

DECIDED_BY = {
    "three_card_bonus": "community_cards",
    "six_card_bonus": "box_and_hole_cards",
    "bonus": "players_hand",
    "progressive": "players_hand",
}
OTHER_GAMES = {
    "mississippi_stud": ("bonus",),
    "island_stud": ("three_card_bonus", "six_card_bonus"),
}
LARGEST_MULTIPLE = 100
LARGEST_HAND = 5
# What each outcome against the dealer can do to a wager. A wager that was not made gets nothing.
COMPARED = {
    "player_wins": ("to", "push"),
    "tie": ("to", "push", "lose"),
    "dealer_wins": ("push", "lose"),
}


def base_spots(book: Rulebook) -> list[str]:
    """The spots of the base game, in the order in which they are bet on."""
    if isinstance(book, MississippiStud):
        return ["ante", "third", "fourth", "fifth"]
    return ["ante", "bet"]


def offered(book: Rulebook) -> list[str]:
    """The side bets of a rulebook."""
    return [offer.bet for offer in book.side_bets]


def wager_misfits(book: Rulebook) -> Iterator[Misfit]:
    """Wagers that cannot be made, decided, lost, settled or limited as the rulebook says."""
    yield from once("side_bets", [(bet,) for bet in offered(book)])
    yield from _side_bets(book)
    yield from _tips(book)
    yield from _folds(book)
    yield from _settlement(book)
    yield from _aggregate_limit(book)
    match book:
        case MississippiStud():
            yield from _streets(book)
        case IslandStud():
            yield from _decision(book)
            yield from _comparison(book)


def _side_bets(book: Rulebook) -> Iterator[Misfit]:
    tables = {table.id: table for table in book.paytables}
    bets = offered(book)
    for offer in book.side_bets:
        where = f"side_bets.{offer.bet}"
        if offer.bet in OTHER_GAMES[book.game]:
            yield Misfit(where, f"{book.game} has no cards that decide it; remove it")
        if offer.decided_by != DECIDED_BY[offer.bet]:
            yield Misfit(f"{where}.decided_by", f"{DECIDED_BY[offer.bet]} is right")
        if not offer.paytables:
            yield Misfit(f"{where}.paytables", "is empty; name at least one pay table")
        for name in offer.paytables:
            yield from _offered_table(where, name, offer.bet, tables)
        yield from _prerequisites(book, offer)
        in_use = {t.id for t in book.paytables if t.bet == offer.bet and t.playable}
        for name in sorted(in_use - set(offer.paytables)):
            yield Misfit(f"{where}.paytables", f"{name!r} can be played but is not offered")
    for bet in sorted({t.bet for t in book.paytables} - {"base", "envy", "placard", *bets}):
        yield Misfit("side_bets", f"there are pay tables for {bet}, which is not offered")
    if ("progressive" in bets) != (book.progressive is not None):
        yield Misfit("progressive", "the side bet and the [progressive] section go together")


def _offered_table(
    where: str, name: str, bet: str, tables: dict[str, PayTable]
) -> Iterator[Misfit]:
    table = tables.get(name)
    if table is None:
        yield Misfit(f"{where}.paytables", f"there is no pay table {name!r}")
    elif table.bet != bet:
        yield Misfit(f"{where}.paytables", f"{name!r} is a table for {table.bet}")
    elif not table.playable:
        yield Misfit(f"{where}.paytables", f"{name!r} is struck: it is kept for analysis only")


def _prerequisites(book: Rulebook, offer: SideBetOffer) -> Iterator[Misfit]:
    """What is bet before a side bet: always the ante, and never anything that waits for it."""
    where = f"side_bets.{offer.bet}.after"
    after: dict[str, tuple[str, ...]] = {other.bet: other.after for other in book.side_bets}
    if "ante" not in offer.after:
        yield Misfit(where, "every side bet is made after the ante; name it")
    for earlier in offer.after:
        if earlier != "ante" and earlier not in after:
            yield Misfit(where, f"{earlier!r} is not offered here")
    if _waits_for(offer.bet, offer.after, after):
        yield Misfit(where, f"{offer.bet} waits for itself; bets made before it are right")
    needs_three = "three_card_bonus" in offer.after
    if offer.bet != "six_card_bonus":
        if needs_three:
            yield Misfit(where, "only the six card bonus can wait for the three card bonus")
        return
    option = book.options.get("six_card_requires_three_card")
    if not needs_three and isinstance(option, Flag) and not (option.fixed and not option.default):
        yield Misfit(
            where,
            "name three_card_bonus, which six_card_requires_three_card asks for, or fix that "
            "option at false",
        )


def _waits_for(bet: str, earlier: Sequence[str], after: dict[str, tuple[str, ...]]) -> bool:
    """Whether a bet stands somewhere in the chain of the bets before it."""
    seen: set[str] = set()
    waiting = list(earlier)
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += after.get(name, ())
    return bet in seen


def _tips(book: Rulebook) -> Iterator[Misfit]:
    tips = book.tips
    spots = [*base_spots(book), *(bet for bet in offered(book) if bet == "three_card_bonus")]
    for spot in tips.on:
        if spot not in spots:
            yield Misfit("tips.on", f"there is no {spot} here; {', '.join(spots)} can be tipped on")
    if "ante" not in tips.on:
        yield Misfit("tips.on", "name the ante; whether tips are taken is the option tip_wagers")
    yield from _multiples("tips.street_multiples", tips.street_multiples)


def _multiples(where: str, multiples: tuple[int, ...]) -> Iterator[Misfit]:
    if not multiples or list(multiples) != sorted(set(multiples)):
        yield Misfit(where, "each once, smallest first, is right")
    elif multiples[-1] > LARGEST_MULTIPLE:
        yield Misfit(where, f"{multiples[-1]} is too much; 1 to {LARGEST_MULTIPLE} is right")


def _folds(book: Rulebook) -> Iterator[Misfit]:
    """What a fold does to each side bet on offer, and to no other."""
    bets = offered(book)
    there = [*bets, *(["envy"] if "progressive" in bets else [])]
    by_option = ("bonus", "progressive") if isinstance(book, IslandStud) else ()
    for bet in ("three_card_bonus", "six_card_bonus", "bonus", "progressive", "envy"):
        where, rule = f"fold.{bet}", getattr(book.fold, bet)
        if rule is None:
            if bet in there:
                yield Misfit(where, "missing; say what a fold does to this side bet")
        elif bet not in there:
            yield Misfit(where, f"{bet} is not offered here; remove it")
        elif rule.after_fold == "by_option" and bet not in by_option:
            yield Misfit(
                f"{where}.after_fold", "no option decides that; live or forfeited is right"
            )
    yield from _stated_fold(book)
    live = [bet for bet in bets if getattr(getattr(book.fold, bet), "after_fold", "") == "live"]
    if live and book.everybody_folds.reveal == "never" and isinstance(book, MississippiStud):
        yield Misfit(
            "everybody_folds.reveal",
            f"{live[0]} outlives a fold and needs the cards; if_a_side_bet_is_live is right",
        )


def _stated_fold(book: Rulebook) -> Iterator[Misfit]:
    """Where no fold asks the option, the option can only repeat what the folds say."""
    option, rule = book.options.get("fold_forfeits_side_bets"), book.fold.progressive
    if not isinstance(option, Flag) or rule is None:
        return
    if rule.after_fold != "by_option" and option.default != (rule.after_fold == "forfeited"):
        yield Misfit(
            "options.fold_forfeits_side_bets.default",
            f"after a fold the progressive is {rule.after_fold}; "
            f"{str(not option.default).lower()} is right",
        )


def _settlement(book: Rulebook) -> Iterator[Misfit]:
    settlement, bets = book.settlement, offered(book)
    bonuses = [bet for bet in bets if bet != "progressive"]
    with_seat = settlement.progressive and settlement.progressive.when == "with_the_seat"
    wanted = {*base_spots(book), *bonuses, *(["progressive"] if with_seat else [])}
    order = settlement.spots.order
    if len(order) != len(set(order)) or set(order) != wanted:
        yield Misfit(
            "settlement.spots.order", f"must name each of {', '.join(sorted(wanted))} once"
        )
    for part in ("progressive", "envy"):
        if (getattr(settlement, part) is None) != (book.progressive is None):
            yield Misfit(f"settlement.{part}", "goes with the progressive: both or neither")
    if (settlement.box is None) != ("six_card_bonus" not in bets):
        yield Misfit("settlement.box", "goes with the six card bonus: both or neither")
    yield from _when_paid(book)
    closes = book.betting_closes
    if bool(closes.announce) != (closes.at == "no_more_bets"):
        right = "say what the dealer announces" if closes.at == "no_more_bets" else "remove it"
        yield Misfit("betting_closes.announce", f"betting closes at {closes.at}; {right}")
    if book.betting_closes.at == "lock" and book.progressive is None:
        yield Misfit("betting_closes.at", "there is nothing to lock; no_more_bets or deal is right")


def _when_paid(book: Rulebook) -> Iterator[Misfit]:
    progressive, envy = book.settlement.progressive, book.settlement.envy
    if progressive is not None and progressive.when == "with_the_qualifying_hand":
        yield Misfit("settlement.progressive.when", "completion_of_round or with_the_seat is right")
    if envy is not None and envy.when == "with_the_seat":
        yield Misfit(
            "settlement.envy.when", "completion_of_round or with_the_qualifying_hand is right"
        )
    with_seat = progressive is not None and progressive.when == "with_the_seat"
    if envy is not None and envy.when == "with_the_qualifying_hand" and not with_seat:
        yield Misfit(
            "settlement.envy.when",
            "the qualifying hand comes up only where the progressive is paid with the seat; "
            "completion_of_round is right",
        )


def _aggregate_limit(book: Rulebook) -> Iterator[Misfit]:
    rule, where = book.aggregate_limit, "aggregate_limit"
    if rule.scope == "none":
        yield from _no_limit(book)
        return
    if (rule.limit is None) == (not rule.limit_option):
        yield Misfit(where, f"a limit for each {rule.scope} needs either limit or limit_option")
    if rule.limit == 0:
        yield Misfit(f"{where}.limit", "$0 would pay nobody; more is right")
    sharing = "pro_rata" if rule.scope == "round" else "not_shared"
    if rule.sharing != sharing:
        yield Misfit(f"{where}.sharing", f"{sharing} is right for each {rule.scope}")
    if rule.or_minimum_wager_win and (rule.limit is None or isinstance(book, IslandStud)):
        yield Misfit(
            f"{where}.or_minimum_wager_win", "raises a printed limit by the base pay table's odds"
        )
    yield from _what_counts(book)


def _no_limit(book: Rulebook) -> Iterator[Misfit]:
    if book.aggregate_limit != AggregateLimit(
        scope="none", cites=book.aggregate_limit.cites, note=book.aggregate_limit.note
    ):
        yield Misfit(
            "aggregate_limit", "scope is none; hand or round is right, or nothing beside the scope"
        )
    option = book.options.get("aggregate_limit")
    if isinstance(option, Money) and option.default is not None:
        yield Misfit("options.aggregate_limit.default", "there is no limit; none is right")


def _what_counts(book: Rulebook) -> Iterator[Misfit]:
    rule, where = book.aggregate_limit, "aggregate_limit"
    if "base" not in rule.counts:
        yield Misfit(f"{where}.counts", "base winnings always count; name base")
    if "bonus" in rule.counts and "bonus" not in offered(book):
        yield Misfit(f"{where}.counts", "bonus is not offered here")
    if rule.from_odds is not None and not any(
        pays.amount >= rule.from_odds * pays.per for pays in _counted(book)
    ):
        yield Misfit(f"{where}.from_odds", f"nothing that counts pays {rule.from_odds} to 1")


def _counted(book: Rulebook) -> Iterator[Pays]:
    """The payouts that an aggregate limit looks at."""
    for table in book.paytables:
        if table.bet in book.aggregate_limit.counts and table.playable:
            yield from (line.pays for line in table.lines)
    if isinstance(book, IslandStud):
        for line in book.comparison.lines:
            yield from (line.ante, line.bet)


def _streets(book: MississippiStud) -> Iterator[Misfit]:
    so_far = ["ante"]
    for number, name in enumerate(("third", "fourth", "fifth"), start=1):
        street = getattr(book.streets, name)
        if list(street.fold.forfeits) != so_far:
            yield Misfit(
                f"streets.{name}.fold.forfeits",
                f"at this decision {', '.join(so_far)} lie on the table, in that order",
            )
        if street.reveal.community_card != number:
            yield Misfit(f"streets.{name}.reveal.community_card", f"{number} is right here")
        yield from _multiples(f"streets.{name}.bet.multiples", street.bet.multiples)
        so_far.append(name)


def _decision(book: IslandStud) -> Iterator[Misfit]:
    yield from _multiples("decision.multiples", book.decision.multiples)
    if book.dealers_hand.up_cards > LARGEST_HAND:
        yield Misfit("dealers_hand.up_cards", f"1 to {LARGEST_HAND} is right")


def _comparison(book: IslandStud) -> Iterator[Misfit]:
    where = f"comparison.{book.comparison.id}"
    for outcome in ("player_wins", "tie", "dealer_wins", "fold"):
        lines = [line for line in book.comparison.lines if line.outcome == outcome]
        for hand in FIVE_CARD:
            found = sum(not line.hands or hand in line.hands for line in lines)
            if found != 1:
                yield Misfit(
                    where,
                    f"{outcome} with {hand} matches {found or 'no'} lines; exactly one is right",
                )
    for line in book.comparison.lines:
        for hand in sorted(set(line.hands) - set(FIVE_CARD)):
            yield Misfit(f"comparison.lines.{line.outcome}.hands", f"no hand of five is {hand}")
        yield from _compared(line)


def _compared(line: ComparisonLine) -> Iterator[Misfit]:
    where = f"comparison.lines.{line.outcome}"
    if line.outcome == "fold":
        if (line.ante, line.bet) != ("lose", "nothing"):
            yield Misfit(where, "a fold loses the ante and no bet is made: lose and nothing")
        return
    for spot, pays in (("ante", line.ante), ("bet", line.bet)):
        if pays.kind not in COMPARED[line.outcome]:
            right = ", ".join(PAYS_WORDS[kind] for kind in COMPARED[line.outcome])
            yield Misfit(f"{where}.{spot}", f"{pays.words} cannot be here; {right} can")
        elif max(pays.amount, pays.per) > MOST_ODDS:
            yield Misfit(
                f"{where}.{spot}", f"{pays.words} is too much; up to {MOST_ODDS:,} is right"
            )
