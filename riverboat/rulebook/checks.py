"""What the types alone cannot say: that the parts of a rulebook fit each other."""

from collections import Counter
from collections.abc import Iterator

from riverboat.rulebook.book import IslandStud, MississippiStud, Rulebook
from riverboat.rulebook.conform import Misfit
from riverboat.rulebook.paytables import FIVE_CARD, SIX_CARD, THREE_CARD, PayTable, flaws
from riverboat.rulebook.progressive import Progressive
from riverboat.rulebook.settings import option_misfits
from riverboat.rulebook.walk import cited_in


def misfits_between_parts(book: Rulebook) -> Iterator[Misfit]:
    """Everything that is wrong although every single part is well formed."""
    yield from _citations(book)
    yield from _clauses(book)
    yield from option_misfits(book)
    yield from _tables(book)
    yield from _side_bets(book)
    yield from _rankings(book)
    yield from _dealing(book)
    yield from _settlement(book)
    if book.progressive is not None:
        yield from _schedules(book, book.progressive)
    match book:
        case MississippiStud():
            yield from _streets(book)
        case IslandStud():
            yield from _comparison(book)


def _citations(book: Rulebook) -> Iterator[Misfit]:
    cited = cited_in(book)
    listed = book.clauses.keys() | book.ambiguities.keys()
    for citation in sorted(cited.keys() - listed):
        where = f"{cited[citation][0]}.cites"
        yield Misfit(
            where, f"{citation!r} is in neither [clauses] nor [ambiguities]; list it there"
        )
    for clause in book.clauses:
        if clause not in cited and clause not in book.informative:
            yield Misfit(
                f"clauses.{clause}",
                "no rule cites this clause; cite it where it is carried out, or give the reason "
                "why there is nothing to carry out in [informative]",
            )
    for ambiguity in book.ambiguities:
        if ambiguity not in cited and ambiguity not in book.informative:
            yield Misfit(
                f"ambiguities.{ambiguity}", "no rule cites this ambiguity; cite it or remove it"
            )
    for entry in book.informative:
        where = f"informative.{entry}"
        if entry not in listed:
            yield Misfit(where, "is in neither [clauses] nor [ambiguities]; list it there")
        elif entry in cited:
            yield Misfit(where, f"is called informative, but {cited[entry][0]} carries it out")


def _clauses(book: Rulebook) -> Iterator[Misfit]:
    if not any(clause.startswith(f"{book.clause_prefix}.") for clause in book.clauses):
        yield Misfit("clause_prefix", f"no clause begins with {book.clause_prefix + '.'!r}")
    for name, clause in book.clauses.items():
        if clause.lines is not None and clause.lines[0] > clause.lines[1]:
            yield Misfit(f"clauses.{name}.lines", "ends before it begins; [first, last] is right")
    if book.status != "house's" and not book.source.sha256:
        yield Misfit("source.sha256", "is missing; only a house's own rules may leave it out")


def _tables(book: Rulebook) -> Iterator[Misfit]:
    for name, times in Counter(table.id for table in book.paytables).items():
        if times > 1:
            yield Misfit(f"paytables.{name}", f"stands {times} times; once is right")
    for table in book.paytables:
        for flaw in flaws(table):
            yield Misfit(f"paytables.{table.id}", flaw)
    bases = [table for table in book.paytables if table.bet == "base" and table.playable]
    wanted = 1 if isinstance(book, MississippiStud) else 0
    if len(bases) != wanted:
        yield Misfit(
            "paytables", f"{len(bases)} playable tables for the base game; {wanted} is right"
        )


def _side_bets(book: Rulebook) -> Iterator[Misfit]:
    tables = {table.id: table for table in book.paytables}
    offered = [offer.bet for offer in book.side_bets]
    for offer in book.side_bets:
        where = f"side_bets.{offer.bet}"
        if not offer.paytables:
            yield Misfit(f"{where}.paytables", "is empty; name at least one pay table")
        for name in offer.paytables:
            yield from _offered_table(where, name, offer.bet, tables)
        for earlier in offer.after:
            if earlier != "ante" and earlier not in offered:
                yield Misfit(f"{where}.after", f"{earlier!r} is not offered here")
        if getattr(book.fold, offer.bet) is None:
            yield Misfit(f"fold.{offer.bet}", "missing; say what a fold does to this side bet")
        in_use = {t.id for t in book.paytables if t.bet == offer.bet and t.playable}
        for name in sorted(in_use - set(offer.paytables)):
            yield Misfit(f"{where}.paytables", f"{name!r} can be played but is not offered")
    for bet in sorted({t.bet for t in book.paytables} - {"base", "envy", "placard", *offered}):
        yield Misfit("side_bets", f"there are pay tables for {bet}, which is not offered")
    if ("progressive" in offered) != (book.progressive is not None):
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


def _rankings(book: Rulebook) -> Iterator[Misfit]:
    offered = {offer.bet for offer in book.side_bets}
    rankings = (
        ("five", book.hands.five, FIVE_CARD, True),
        ("three", book.hands.three, THREE_CARD, "three_card_bonus" in offered),
        ("six", book.hands.six, SIX_CARD, "six_card_bonus" in offered),
    )
    for name, ranking, order, needed in rankings:
        if ranking is None and needed:
            yield Misfit(f"hands.{name}", "missing; a bet on offer is decided by it")
        elif ranking is not None and ranking.order != order:
            yield Misfit(f"hands.{name}.order", f"the order that is played is {', '.join(order)}")


def _dealing(book: Rulebook) -> Iterator[Misfit]:
    defaults = [method.method for method in book.dealing if method.default]
    if len(defaults) != 1:
        yield Misfit("dealing", f"{len(defaults)} methods are the default; exactly one is right")
    for name, times in Counter(method.method for method in book.dealing).items():
        if times > 1:
            yield Misfit(f"dealing.{name}", f"stands {times} times; once is right")
    counts = {
        "community": book.deal.community_cards,
        "dealer": book.deal.dealer_cards,
        "seats": book.deal.seat_cards,
    }
    for method in book.dealing:
        for place, count in counts.items():
            if (place in method.sequence) != (count > 0):
                yield Misfit(
                    f"dealing.{method.method}.sequence",
                    f"{place} gets {count} cards in [deal] and "
                    f"{'is' if place in method.sequence else 'is not'} dealt to here",
                )


def _settlement(book: Rulebook) -> Iterator[Misfit]:
    base = (
        ["ante", "third", "fourth", "fifth"]
        if isinstance(book, MississippiStud)
        else ["ante", "bet"]
    )
    bonuses = [offer.bet for offer in book.side_bets if offer.bet != "progressive"]
    paid_with_seat = (
        book.settlement.progressive is not None
        and book.settlement.progressive.when == "with_the_seat"
    )
    wanted = {*base, *bonuses, *(["progressive"] if paid_with_seat else [])}
    order = book.settlement.spots.order
    if len(order) != len(set(order)) or set(order) != wanted:
        yield Misfit(
            "settlement.spots.order", f"must name each of {', '.join(sorted(wanted))} once"
        )
    if book.progressive is not None:
        for part in ("progressive", "envy"):
            if getattr(book.settlement, part) is None:
                yield Misfit(f"settlement.{part}", "missing; say when it is paid")


def _schedules(book: Rulebook, progressive: Progressive) -> Iterator[Misfit]:
    tables = {table.id: table for table in book.paytables}
    offered = {name for o in book.side_bets if o.bet == "progressive" for name in o.paytables}
    for schedule in progressive.schedules:
        where = f"progressive.schedules.{schedule.paytable}"
        if schedule.paytable not in offered:
            yield Misfit(where, f"{schedule.paytable!r} is not among the side bet's pay tables")
        envy = tables.get(schedule.envy)
        if envy is None or envy.bet != "envy":
            yield Misfit(f"{where}.envy", f"there is no envy table {schedule.envy!r}")
        elif envy.per_wager != schedule.wager:
            yield Misfit(f"{where}.wager", f"{schedule.envy!r} is for a wager of {envy.per_wager}")
        if schedule.placard and schedule.placard not in tables:
            yield Misfit(f"{where}.placard", f"there is no placard {schedule.placard!r}")
    for name in sorted(offered - {schedule.paytable for schedule in progressive.schedules}):
        yield Misfit("progressive.schedules", f"{name!r} is offered but has no schedule")


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
        if list(street.bet.multiples) != sorted(set(street.bet.multiples)):
            yield Misfit(f"streets.{name}.bet.multiples", "each once, smallest first, is right")
        so_far.append(name)


def _comparison(book: IslandStud) -> Iterator[Misfit]:
    for outcome in ("player_wins", "tie", "dealer_wins", "fold"):
        lines = [line for line in book.comparison.lines if line.outcome == outcome]
        for hand in FIVE_CARD:
            found = sum(not line.hands or hand in line.hands for line in lines)
            if found != 1:
                yield Misfit(
                    f"comparison.{book.comparison.id}",
                    f"{outcome} with {hand} matches {found or 'no'} lines; exactly one is right",
                )
