"""Names and references: what is cited, listed, published and called by an id fits together."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.conform import Misfit
from riverboat.rulebook.paytables import TABLE_ID, PayTable, kinds, lines_for
from riverboat.rulebook.values import Pays
from riverboat.rulebook.walk import cited_in, rules_of

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
            plain = isinstance(value, tuple) and not any(isinstance(i, Struct) for i in value)
            for item, times in Counter(value if plain else ()).items():
                if times > 1:
                    yield Misfit(f"{path}.{name}", f"names {item} {times} times; once is right")
