"""Names, references and irregularities: what is cited, listed and called by an id fits together."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.loading.conform import Misfit
from riverboat.rulebook.options import Integer
from riverboat.rulebook.paytables import TABLE_ID, PayTable, kinds, lines_for
from riverboat.rulebook.procedures import Conduct, Counts, Irregularity
from riverboat.rulebook.rules import cited_in, rules_of
from riverboat.rulebook.values import Pays

_PREFIX = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)*")
_AMBIGUITY = re.compile(r"[A-Z]-[0-9]{2}")
_HOUSES = "house's"


def citing_misfits(book: Rulebook) -> Iterator[Misfit]:
    """References that lead nowhere, names that cannot be used, entries that stand twice."""
    yield from _citations(book)
    yield from _clauses(book)
    yield from _ambiguities(book)
    yield from _source(book)
    yield from _table_ids(book)
    yield from _equals(book)
    yield from _published(book)
    yield from _doubles(book)


def once(where: str, entries: Sequence[tuple[str, ...]]) -> Iterator[Misfit]:
    """Entries of a list by what tells them apart, a name first; none may come again."""
    for entry, times in Counter(entries).items():
        if times > 1:
            yield Misfit(f"{where}.{entry[0]}", f"stands {times} times; once is right")


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
        elif entry in book.clauses and book.clauses[entry].by != "informational":
            by = book.clauses[entry].by
            yield Misfit(where, f"the clause is carried out by {by}; informational is right there")


def _clauses(book: Rulebook) -> Iterator[Misfit]:
    if not _PREFIX.fullmatch(book.clause_prefix):
        yield Misfit("clause_prefix", f"{book.clause_prefix!r} is no prefix; capitals are right")
        return
    if not any(clause.startswith(f"{book.clause_prefix}.") for clause in book.clauses):
        yield Misfit("clause_prefix", f"no clause begins with {book.clause_prefix + '.'!r}")
    for name, clause in book.clauses.items():
        where = f"clauses.{name}"
        if not _PREFIX.fullmatch(name.partition(".")[0]) or "." not in name:
            yield Misfit(where, "a clause has a prefix in capitals, a dot and its number")
        elif book.status != _HOUSES and not name.startswith(f"{book.clause_prefix}."):
            yield Misfit(where, f"a clause of this document begins with {book.clause_prefix}.")
        if clause.lines is None:
            if book.status != _HOUSES:
                yield Misfit(where, "missing key 'lines'; where the document has it is right")
            if clause.sentence is not None:
                yield Misfit(f"{where}.sentence", "a sentence is found on its lines; give lines")
        elif clause.lines[0] > clause.lines[1]:
            yield Misfit(f"{where}.lines", "ends before it begins; [first, last] is right")


def _ambiguities(book: Rulebook) -> Iterator[Misfit]:
    for name in book.ambiguities:
        if not _AMBIGUITY.fullmatch(name):
            yield Misfit(
                f"ambiguities.{name}", "a capital, a hyphen and two digits are right for a key"
            )


def _source(book: Rulebook) -> Iterator[Misfit]:
    source = book.source
    if book.status != _HOUSES and not source.sha256:
        yield Misfit("source.sha256", "is missing; only a house's own rules may leave it out")
    for key in ("sha256", "based_on_sha256"):
        if getattr(source, key) and not getattr(source, key).strip("0"):
            yield Misfit(f"source.{key}", "is a row of zeros; the sha256 of a file is right")
    if source.based_on == book.id:
        yield Misfit("source.based_on", "a rulebook is not based on itself; remove it")
    if bool(source.based_on) != bool(source.based_on_sha256):
        yield Misfit("source.based_on", "goes with based_on_sha256; give both or neither")


def _table_ids(book: Rulebook) -> Iterator[Misfit]:
    """Ids that name a table anywhere: no two alike, never a bare letter, nothing to trip over."""
    places = [(f"paytables.{table.id}", table.id) for table in book.paytables]
    if book.comparison is not None:
        places.append(("comparison.id", book.comparison.id))
    times = Counter(name.casefold() for _, name in places)
    for where, name in dict(places).items():
        if not TABLE_ID.fullmatch(name):
            yield Misfit(
                where,
                f"{name!r} is no id of a pay table; a prefix in capitals, a hyphen and a name of "
                "letters, digits and single hyphens are right",
            )
        if times[name.casefold()] > 1:
            yield Misfit(where, f"stands {times[name.casefold()]} times; once is right")


def _equals(book: Rulebook) -> Iterator[Misfit]:
    """Tables that are called equal: those of this file are compared, those of others only read."""
    paid = {table.id: _all_pays(table) for table in book.paytables}
    for table in book.paytables:
        for name in table.equals:
            where = f"paytables.{table.id}.equals"
            if not TABLE_ID.fullmatch(name) or name == table.id:
                yield Misfit(where, f"{name!r} is no other table's id; name one or none")
            elif paid.get(name, paid[table.id]) != paid[table.id]:
                yield Misfit(where, f"{name!r} pays otherwise; name one that pays the same or none")


def _all_pays(table: PayTable) -> list[list[Pays]]:
    return [[line.pays for line in lines_for(table, kind)] for kind in kinds(table)]


def _published(book: Rulebook) -> Iterator[Misfit]:
    tables = {table.id: table for table in book.paytables}
    offered = {offer.bet for offer in book.side_bets}
    for entry in book.published:
        where = f"published.{entry.figure}"
        if entry.bet not in offered:
            yield Misfit(f"{where}.bet", f"{entry.bet} is not offered here")
        elif entry.paytable and entry.paytable not in tables:
            yield Misfit(f"{where}.paytable", f"there is no pay table {entry.paytable!r}")
        elif entry.paytable and tables[entry.paytable].bet != entry.bet:
            held = tables[entry.paytable].bet
            yield Misfit(f"{where}.paytable", f"{entry.paytable!r} is a table for {held}")
    figures = Counter((entry.figure, entry.bet, entry.paytable) for entry in book.published)
    for (figure, bet, paytable), times in figures.items():
        if times > 1:
            of = paytable or bet
            yield Misfit(f"published.{figure}", f"stands {times} times for {of}; once is right")


def _doubles(book: Rulebook) -> Iterator[Misfit]:
    """Whatever a rule lists, it lists once; a second time is a slip, and hides a missing name."""
    for path, rule in rules_of(book):
        for name in rule.__struct_fields__:
            value = getattr(rule, name)
            if not isinstance(value, tuple) or any(isinstance(item, Struct) for item in value):
                continue
            for item, times in Counter(value).items():
                if times > 1:
                    yield Misfit(f"{path}.{name}", f"names {item} {times} times; once is right")


# What can follow from each irregularity, and the option that decides where one does.
CONSEQUENCES: dict[str, tuple[str, ...]] = {
    "wrong_card_count": ("void_round",),
    "exposed_player_card": ("by_option", "continue", "void_round"),
    "exposed_community_card": ("by_option", "continue", "void_round"),
    "exposed_dealer_card": ("by_option", "continue", "void_round"),
    "wrong_box_count": ("by_option", "void_round"),
    "exposed_box_card": ("by_option", "void_round"),
    "face_up_card": ("leave_card_out", "void_round"),
    "face_up_cards": ("void_round",),
    "card_drawn_in_error": ("use_as_next_card", "leave_card_out", "void_round"),
    "shuffler_jam": ("reshuffle", "none"),
    "shuffler_count": ("remove_deck", "none"),
    "shoe_jam": ("void_round", "none"),
    "wrong_stub_count": ("decide_whether_misdealt",),
    "deck_count": ("void_round",),
    "device_out_of_use": ("suspend_until_covered_or_signed", "by_option", "none"),
    "late_progressive_chip": ("not_accepted",),
    "progressive_chip_mismatch": ("by_option",),
}
# Between which moments each can count that is reported of a round: the ends to choose from.
ENDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "wrong_card_count": ("first_card", ("hand_settled", "round_over")),
    "exposed_player_card": ("first_card", ("hand_settled", "round_over")),
    "exposed_community_card": ("first_card", ("community_cards_turned",)),
    "exposed_dealer_card": ("first_card", ("dealers_hand_turned",)),
    "wrong_box_count": ("first_card", ("hand_settled", "round_over")),
    "exposed_box_card": ("first_card", ("box_turned",)),
    "face_up_card": ("first_card", ("last_card_dealt",)),
    "face_up_cards": ("first_card", ("last_card_dealt",)),
    "card_drawn_in_error": ("first_card", ("last_card_dealt",)),
    "shuffler_jam": ("shuffle", ("shuffled",)),
    "shoe_jam": ("first_card", ("last_card_dealt", "round_over")),
    "deck_count": ("first_card", ("hand_settled", "round_over")),
    "late_progressive_chip": ("bets_closed", ("round_over",)),
    "progressive_chip_mismatch": ("bets_open", ("chips_collected",)),
    "leaving_the_table": ("bets_closed", ("hand_settled", "round_over")),
    "only_own_cards_touched": ("own_cards", ("community_cards_turned", "hand_settled")),
    "cards_in_view": ("own_cards", ("community_cards_turned", "hand_settled")),
    "sharing_hand_information": ("own_cards", ("community_cards_turned", "hand_settled")),
}
OF_A_DEVICE = ("shoe_jam",)
DECIDES = {
    "exposed_player_card": "exposed_player_card",
    "exposed_community_card": "exposed_community_card",
    "exposed_dealer_card": "exposed_dealer_card",
    "wrong_box_count": "six_card_irregularity",
    "exposed_box_card": "six_card_irregularity",
    "device_out_of_use": "device_down",
    "progressive_chip_mismatch": "chip_mismatch",
}
MAY_OVERRULE = "unwritten_irregularity"
# What is reported of a round and concerns its cards; only then is something done with them.
OF_THE_CARDS = set(ENDS) - {"late_progressive_chip", "progressive_chip_mismatch"}
_AFTER_A_VOID = ("reshuffle", "remove_deck", "suspend_table")
# What can follow a consequence; a deck that is removed is not shuffled.
SEQUELS: dict[str, tuple[str, ...]] = {
    "void_round": _AFTER_A_VOID,
    "by_option": _AFTER_A_VOID,
    "leave_card_out": ("discard_rack",),
}
CONDUCT: dict[str, tuple[str, ...]] = {
    "leaving_the_table": ("by_option", "forfeits_all_wagers"),
    "one_position_per_player": ("by_option", "refused"),
    "sharing_hand_information": ("forfeits_all_wagers",),
    "only_own_cards_touched": ("forfeits_all_wagers", "reminder"),
    "cards_in_view": ("forfeits_all_wagers", "reminder"),
    "seated_players_only": ("refused",),
    "one_player_per_position": ("refused",),
    "stay_seated": ("reminder",),
    "responsible_for_own_hand": ("reminder",),
    "verify_progressive_accepted": ("reminder",),
}
CONDUCT_OPTIONS = {
    "leaving_the_table": "leaver",
    "one_position_per_player": "max_positions_per_player",
    "sharing_hand_information": "conduct_forfeits",
}
NEEDED_CONDUCT = ("leaving_the_table", "one_position_per_player")


def incident_misfits(book: Rulebook) -> Iterator[Misfit]:
    """What goes wrong at this table and finds no rule, or one that says what nobody can do."""
    yield from _irregularities(book)
    yield from _void(book)
    yield from _conduct(book)


def _irregularities(book: Rulebook) -> Iterator[Misfit]:
    there = {
        "exposed_community_card": bool(book.deal.community_cards),
        "exposed_dealer_card": bool(book.deal.dealer_cards),
        "wrong_box_count": bool(book.box_bets),
        "exposed_box_card": bool(book.box_bets),
        "late_progressive_chip": book.progressive is not None,
        "progressive_chip_mismatch": book.progressive is not None,
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
            yield from _counts(book, name, where, rule.counts)


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
    sequels = SEQUELS.get(rule.consequence, ()) if name in OF_THE_CARDS else ()
    for what in rule.then:
        if what not in sequels:
            right = ", ".join(sequels) or "nothing"
            yield Misfit(f"{where}.then", f"{what} cannot follow {rule.consequence}; {right} can")
    if {"reshuffle", "remove_deck"} <= set(rule.then):
        yield Misfit(f"{where}.then", "a removed deck is not shuffled; name one of the two")


def _counts(book: Rulebook, name: str, where: str, counts: Counts | None) -> Iterator[Misfit]:
    """What can be reported of a round says when it counts; what cannot be has its own moment."""
    if name not in ENDS or counts is None:
        if name in ENDS:
            yield Misfit(f"{where}.counts", "missing; say when it counts")
        elif counts is not None:
            yield Misfit(f"{where}.counts", "nobody reports it of a round; remove it")
        return
    begins, ends = ENDS[name]
    if not book.deal.community_cards:
        ends = tuple(end for end in ends if end != "community_cards_turned")
    if counts.begins != begins:
        yield Misfit(f"{where}.counts.begins", f"is {counts.begins}; only {begins} is played")
    if counts.ends not in ends:
        yield Misfit(f"{where}.counts.ends", f"is {counts.ends}; allowed is {' or '.join(ends)}")
    if counts.device and name not in OF_A_DEVICE:
        yield Misfit(f"{where}.counts.device", "it can happen without a device; remove it")


def _void(book: Rulebook) -> Iterator[Misfit]:
    """A void gives everything back; the rulebook says so of everything there is."""
    stakes = ["progressive_stakes"] if book.progressive is not None else []
    wanted = ["wagers_on_the_table", "folded_wagers", *stakes, "tips"]
    if set(book.void.returns) != set(wanted):
        yield Misfit("void.returns", f"a void returns {', '.join(wanted)}; name each")


def _conduct(book: Rulebook) -> Iterator[Misfit]:
    rules = [rule.rule for rule in book.conduct]
    yield from once("conduct", [(rule,) for rule in rules])
    for name in NEEDED_CONDUCT:
        if name not in rules:
            yield Misfit("conduct", f"{name} is missing; {CONDUCT_OPTIONS[name]} is about it")
    for rule in book.conduct:
        yield from _rule_of_conduct(book, rule, f"conduct.{rule.rule}")


def _rule_of_conduct(book: Rulebook, rule: Conduct, where: str) -> Iterator[Misfit]:
    allowed = CONDUCT[rule.rule]
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
    several = isinstance(positions, Integer) and positions.maximum > 1
    if rule.rule == "one_position_per_player" and rule.consequence == "refused" and several:
        yield Misfit(f"{where}.consequence", "an option allows more; by_option is right")
    yield from _counts(book, rule.rule, where, rule.counts)
    if rule.earlier and rule.rule != "leaving_the_table":
        yield Misfit(f"{where}.earlier", "only who leaves can take wagers back; remove it")
