"""Names, references and irregularities: what is cited, listed and called by an id fits together."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.loading.conform import Found
from riverboat.rulebook.options import Integer
from riverboat.rulebook.paytables import TABLE_ID, kinds, lines_for
from riverboat.rulebook.procedures import Conduct, Counts, Irregularity
from riverboat.rulebook.rules import cited_in, rules_of

T = TypeVar("T")

_PREFIX = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)*")
_AMBIGUITY = re.compile(r"[A-Z]-[0-9]{2}")
_HOUSES = "house's"
_UNCITED_CLAUSE = (
    "no rule cites this clause; cite it where it is carried out, or give the reason "
    "why there is nothing to carry out in [informative]"
)


def repeated(entries: Iterable[T]) -> Iterator[tuple[T, int]]:
    """What comes more than once, and how often."""
    return ((entry, times) for entry, times in Counter(entries).items() if times > 1)


def once(where: str, entries: Sequence[str | tuple[str, ...]]) -> Found:
    """Entries of a list by what tells them apart, a name first; none may come again."""
    for entry, times in repeated(entries):
        name = entry if isinstance(entry, str) else entry[0]
        yield f"{where}.{name}", f"stands {times} times; once is right"


def in_order(where: str, steps: Sequence[str], order: Sequence[str]) -> Found:
    """Steps that come in this order, those that are there."""
    if steps != sorted(steps, key=order.index):
        right = ", ".join(step for step in order if step in steps)
        yield where, f"these steps come in the order {right}"


def _citations(book: Rulebook) -> Found:
    cited = cited_in(book)
    listed = book.clauses.keys() | book.ambiguities.keys()
    for citation in sorted(cited.keys() - listed):
        where = f"{cited[citation][0]}.cites"
        yield where, f"{citation!r} is in neither [clauses] nor [ambiguities]; list it there"
    for kind, names, text in (
        ("clauses", book.clauses, _UNCITED_CLAUSE),
        ("ambiguities", book.ambiguities, "no rule cites this ambiguity; cite it or remove it"),
    ):
        uncited = (name for name in names if name not in cited and name not in book.informative)
        yield from ((f"{kind}.{name}", text) for name in uncited)
    for entry in book.informative:
        where = f"informative.{entry}"
        if entry not in listed:
            yield where, "is in neither [clauses] nor [ambiguities]; list it there"
        elif entry in cited:
            yield where, f"is called informative, but {cited[entry][0]} carries it out"
        elif entry in book.clauses and book.clauses[entry].by != "informational":
            by = book.clauses[entry].by
            yield where, f"the clause is carried out by {by}; informational is right there"


def _clauses(book: Rulebook) -> Found:
    if not _PREFIX.fullmatch(book.clause_prefix):
        yield "clause_prefix", f"{book.clause_prefix!r} is no prefix; capitals are right"
        return
    if not any(clause.startswith(f"{book.clause_prefix}.") for clause in book.clauses):
        yield "clause_prefix", f"no clause begins with {book.clause_prefix + '.'!r}"
    for name, clause in book.clauses.items():
        where = f"clauses.{name}"
        if not _PREFIX.fullmatch(name.partition(".")[0]) or "." not in name:
            yield where, "a clause has a prefix in capitals, a dot and its number"
        elif book.status != _HOUSES and not name.startswith(f"{book.clause_prefix}."):
            yield where, f"a clause of this document begins with {book.clause_prefix}."
        if clause.lines is None:
            if book.status != _HOUSES:
                yield where, "missing key 'lines'; where the document has it is right"
            if clause.sentence is not None:
                yield f"{where}.sentence", "a sentence is found on its lines; give lines"
        elif clause.lines[0] > clause.lines[1]:
            yield f"{where}.lines", "ends before it begins; [first, last] is right"


def _source(book: Rulebook) -> Found:
    for name in book.ambiguities:
        if not _AMBIGUITY.fullmatch(name):
            yield f"ambiguities.{name}", "a capital, a hyphen and two digits are right for a key"
    source = book.source
    if book.status != _HOUSES and not source.sha256:
        yield "source.sha256", "is missing; only a house's own rules may leave it out"
    for key in ("sha256", "based_on_sha256"):
        if getattr(source, key) and not getattr(source, key).strip("0"):
            yield f"source.{key}", "is a row of zeros; the sha256 of a file is right"
    if source.based_on == book.id:
        yield "source.based_on", "a rulebook is not based on itself; remove it"
    if bool(source.based_on) != bool(source.based_on_sha256):
        yield "source.based_on", "goes with based_on_sha256; give both or neither"


def _table_ids(book: Rulebook) -> Found:
    """Ids that name a table anywhere: no two alike, never a bare letter, nothing to trip over."""
    places = [(f"paytables.{table.id}", table.id) for table in book.paytables]
    if book.comparison is not None:
        places.append(("comparison.id", book.comparison.id))
    times = Counter(name.casefold() for _, name in places)
    for where, name in dict(places).items():
        if not TABLE_ID.fullmatch(name):
            right = (
                "a prefix in capitals, a hyphen and a name of letters, digits and single hyphens"
            )
            yield where, f"{name!r} is no id of a pay table; {right} are right"
        if times[name.casefold()] > 1:
            yield where, f"stands {times[name.casefold()]} times; once is right"


def _equals(book: Rulebook) -> Found:
    """Tables that are called equal: those of this file are compared, those of others only read."""
    paid = {
        table.id: [[line.pays for line in lines_for(table, kind)] for kind in kinds(table)]
        for table in book.paytables
    }
    for table in book.paytables:
        for name in table.equals:
            where = f"paytables.{table.id}.equals"
            if not TABLE_ID.fullmatch(name) or name == table.id:
                yield where, f"{name!r} is no other table's id; name one or none"
            elif paid.get(name, paid[table.id]) != paid[table.id]:
                yield where, f"{name!r} pays otherwise; name one that pays the same or none"


def _published(book: Rulebook) -> Found:
    for entry in book.published:
        where, table = f"published.{entry.figure}", book.tables.get(entry.paytable)
        if book.offer(entry.bet) is None:
            yield f"{where}.bet", f"{entry.bet} is not offered here"
        elif entry.paytable and table is None:
            yield f"{where}.paytable", f"there is no pay table {entry.paytable!r}"
        elif table is not None and table.bet != entry.bet:
            yield f"{where}.paytable", f"{entry.paytable!r} is a table for {table.bet}"
    figures = [(entry.figure, entry.bet, entry.paytable) for entry in book.published]
    for (figure, bet, paytable), times in repeated(figures):
        yield f"published.{figure}", f"stands {times} times for {paytable or bet}; once is right"


def _doubles(book: Rulebook) -> Found:
    """Whatever a rule lists, it lists once; a second time is a slip, and hides a missing name."""
    for path, rule in rules_of(book):
        for name, value in asdict(rule).items():
            if isinstance(value, tuple) and not any(isinstance(item, Struct) for item in value):
                for item, times in repeated(value):
                    yield f"{path}.{name}", f"names {item} {times} times; once is right"


class Can(NamedTuple):
    """What can follow from an irregularity or misconduct, until when it can count where it is
    reported of a round, which option decides where one does, and from when it counts."""

    follow: tuple[str, ...]
    ends: tuple[str, ...] = ()
    option: str = ""
    begins: str = "first_card"


_EXPOSED = ("by_option", "continue", "void_round")
_BY_BOX = ("by_option", "void_round")
_SETTLED = ("hand_settled", "round_over")
_IN_HAND = ("community_cards_turned", "hand_settled")
_WARNED = ("forfeits_all_wagers", "reminder")
IRREGULARITIES = {
    "wrong_card_count": Can(("void_round",), _SETTLED),
    "exposed_player_card": Can(_EXPOSED, _SETTLED, "exposed_player_card"),
    "exposed_community_card": Can(_EXPOSED, ("community_cards_turned",), "exposed_community_card"),
    "exposed_dealer_card": Can(_EXPOSED, ("dealers_hand_turned",), "exposed_dealer_card"),
    "wrong_box_count": Can(_BY_BOX, _SETTLED, "six_card_irregularity"),
    "exposed_box_card": Can(_BY_BOX, ("box_turned",), "six_card_irregularity"),
    "face_up_card": Can(("leave_card_out", "void_round"), ("last_card_dealt",)),
    "face_up_cards": Can(("void_round",), ("last_card_dealt",)),
    "card_drawn_in_error": Can(
        ("use_as_next_card", "leave_card_out", "void_round"), ("last_card_dealt",)
    ),
    "shuffler_jam": Can(("reshuffle", "none"), ("shuffled",), begins="shuffle"),
    "shuffler_count": Can(("remove_deck", "none")),
    "shoe_jam": Can(("void_round", "none"), ("last_card_dealt", "round_over")),
    "wrong_stub_count": Can(("decide_whether_misdealt",)),
    "deck_count": Can(("void_round",), _SETTLED),
    "device_out_of_use": Can(
        ("suspend_until_covered_or_signed", "by_option", "none"), option="device_down"
    ),
    "late_progressive_chip": Can(("not_accepted",), ("round_over",), begins="bets_closed"),
    "progressive_chip_mismatch": Can(
        ("by_option",), ("chips_collected",), "chip_mismatch", "bets_open"
    ),
}
CONDUCT = {
    "leaving_the_table": Can(
        ("by_option", "forfeits_all_wagers"), _SETTLED, "leaver", "bets_closed"
    ),
    "one_position_per_player": Can(("by_option", "refused"), option="max_positions_per_player"),
    "sharing_hand_information": Can(
        ("forfeits_all_wagers",), _IN_HAND, "conduct_forfeits", "own_cards"
    ),
    "only_own_cards_touched": Can(_WARNED, _IN_HAND, begins="own_cards"),
    "cards_in_view": Can(_WARNED, _IN_HAND, begins="own_cards"),
    "seated_players_only": Can(("refused",)),
    "one_player_per_position": Can(("refused",)),
    "stay_seated": Can(("reminder",)),
    "responsible_for_own_hand": Can(("reminder",)),
    "verify_progressive_accepted": Can(("reminder",)),
}
NEEDED_CONDUCT = ("leaving_the_table", "one_position_per_player")
OF_A_DEVICE = ("shoe_jam",)
OF_CHIPS = ("late_progressive_chip", "progressive_chip_mismatch")
MAY_OVERRULE = "unwritten_irregularity"
_AFTER_A_VOID = ("reshuffle", "remove_deck", "suspend_table")
# What can follow a consequence; a deck that is removed is not shuffled.
SEQUELS: dict[str, tuple[str, ...]] = {
    "void_round": _AFTER_A_VOID,
    "by_option": _AFTER_A_VOID,
    "leave_card_out": ("discard_rack",),
}


def _irregularities(book: Rulebook) -> Found:
    there = {
        "exposed_community_card": bool(book.deal.community_cards),
        "exposed_dealer_card": bool(book.deal.dealer_cards),
        "wrong_box_count": bool(book.box_bets),
        "exposed_box_card": bool(book.box_bets),
        "late_progressive_chip": book.progressive is not None,
        "progressive_chip_mismatch": book.progressive is not None,
    }
    for name, can in IRREGULARITIES.items():
        rule, where = getattr(book.irregularities, name), f"irregularities.{name}"
        if rule is None:
            if there.get(name, False):
                yield where, "missing; it can happen at this table"
        elif not there.get(name, True):
            yield where, "it cannot happen at this table; remove it"
        else:
            yield from _irregularity(name, where, rule, can)
            yield from _counts(book, name, where, rule.counts, can)


def _irregularity(name: str, where: str, rule: Irregularity, can: Can) -> Found:
    if rule.consequence not in can.follow:
        yield _not_allowed(where, rule, can)
    elif rule.consequence == "by_option":
        if rule.option != can.option:
            yield f"{where}.option", f"{can.option} decides it; name that option"
    elif rule.option not in ("", MAY_OVERRULE):
        yield f"{where}.option", f"only {MAY_OVERRULE} may overrule; name it or none"
    # Only where it is reported of a round and concerns its cards is something done with them.
    of_cards = can.ends and name not in OF_CHIPS
    sequels = SEQUELS.get(rule.consequence, ()) if of_cards else ()
    for what in [what for what in rule.then if what not in sequels]:
        right = ", ".join(sequels) or "nothing"
        yield f"{where}.then", f"{what} cannot follow {rule.consequence}; {right} can"
    if {"reshuffle", "remove_deck"} <= set(rule.then):
        yield f"{where}.then", "a removed deck is not shuffled; name one of the two"


def _not_allowed(where: str, rule: Irregularity | Conduct, can: Can) -> tuple[str, str]:
    text = f"{rule.consequence} is not allowed; allowed are {', '.join(can.follow)}"
    return f"{where}.consequence", text


def _counts(book: Rulebook, name: str, where: str, counts: Counts | None, can: Can) -> Found:
    """What can be reported of a round says when it counts; what cannot be has its own moment."""
    if not can.ends or counts is None:
        if can.ends:
            yield f"{where}.counts", "missing; say when it counts"
        elif counts is not None:
            yield f"{where}.counts", "nobody reports it of a round; remove it"
        return
    ends = can.ends
    if not book.deal.community_cards:
        ends = tuple(end for end in ends if end != "community_cards_turned")
    if counts.begins != can.begins:
        yield f"{where}.counts.begins", f"is {counts.begins}; only {can.begins} is played"
    if counts.ends not in ends:
        yield f"{where}.counts.ends", f"is {counts.ends}; allowed is {' or '.join(ends)}"
    if counts.device and name not in OF_A_DEVICE:
        yield f"{where}.counts.device", "it can happen without a device; remove it"


def _void(book: Rulebook) -> Found:
    """A void gives everything back; the rulebook says so of everything there is."""
    stakes = ["progressive_stakes"] if book.progressive is not None else []
    wanted = ["wagers_on_the_table", "folded_wagers", *stakes, "tips"]
    if set(book.void.returns) != set(wanted):
        yield "void.returns", f"a void returns {', '.join(wanted)}; name each"


def _conduct(book: Rulebook) -> Found:
    rules = [rule.rule for rule in book.conduct]
    yield from once("conduct", rules)
    for name in [name for name in NEEDED_CONDUCT if name not in rules]:
        yield "conduct", f"{name} is missing; {CONDUCT[name].option} is about it"
    for rule in book.conduct:
        yield from _rule_of_conduct(book, rule, f"conduct.{rule.rule}", CONDUCT[rule.rule])


def _rule_of_conduct(book: Rulebook, rule: Conduct, where: str, can: Can) -> Found:
    if rule.consequence not in can.follow:
        yield _not_allowed(where, rule, can)
    elif rule.consequence == "by_option" and rule.option != can.option:
        yield f"{where}.option", f"{can.option} decides it; name that option"
    elif rule.option not in ("", can.option):
        yield f"{where}.option", f"{rule.option} is about something else; remove it"
    positions = book.options.get("max_positions_per_player")
    several = isinstance(positions, Integer) and positions.maximum > 1
    if rule.rule == "one_position_per_player" and rule.consequence == "refused" and several:
        yield f"{where}.consequence", "an option allows more; by_option is right"
    yield from _counts(book, rule.rule, where, rule.counts, can)
    if rule.earlier and rule.rule != "leaving_the_table":
        yield f"{where}.earlier", "only who leaves can take wagers back; remove it"


CITING = (_citations, _clauses, _source, _table_ids, _equals, _published, _doubles)
"""References that lead nowhere, names that cannot be used, entries that stand twice."""
INCIDENTS = (_irregularities, _void, _conduct)
"""What goes wrong at this table and finds no rule, or one that says what nobody can do."""
