"""Every figure that a document prints, worked out again, and whether it agrees.

What is printed stands in the rulebooks, with its clauses. A figure is first worked out as it reads.
Where it does not come out, it is worked out under what its author may have left unsaid; where that
is what was printed, the assumption is named. A printed figure agrees if it is the exact one rounded
to as many places as it is printed with.

Pay tables that cannot be meant are found from their figures and from the tables beside them. A
table is read as it is printed. Where its edge lies far from those of all tables for the same bet,
one line at a time is read as the others have it; the line that puts the edge right is named.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from statistics import median
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from riverboat.core.hand_kinds import five_card_counts
from riverboat.core.money import format_cents, show_percent
from riverboat.exact import side_bets
from riverboat.exact.caching import in_json, kept_as
from riverboat.exact.progressive import wager as w
from riverboat.exact.progressive.envy import neighbours
from riverboat.exact.progressive.meter_life import meter_life, round_law
from riverboat.exact.progressive.table_hands import dealt_chances
from riverboat.exact.rule_changes import with_line
from riverboat.round.setup.setup import Setup, set_up
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import Published
from riverboat.rulebook.paytables import Line, PayTable, index_lines
from riverboat.rulebook.values import Pays
from riverboat.rulebooks import Loaded, load_all

FAR_OFF = 3
"""How many times the middle edge of all tables is more than a table would dare to ask."""
MOST_ALONE = Fraction(2, 5)
"""The same where a bet has too few tables to tell."""
ENOUGH = 4

Verdict: TypeAlias = Literal[
    "agrees", "agrees under an assumption", "misprint", "cannot be reproduced"
]
Form: TypeAlias = Literal["percent", "dollars", "odds", "words"]
_MOST_SEATS = 9
_LIFE = "over the life of the meter, where every contribution and every seed is paid out in the end"
_NUMBER = re.compile(r"\d[\d,]*(?:\.(\d+))?")


class Suspicion(Struct, frozen=True, kw_only=True):
    """A line that is almost certainly misprinted, and what the tables beside it say.

    `siblings_pay` is empty, and `label` too, where no single line explains the edge.
    """

    rulebook: str
    bet: str
    paytable: str
    label: str
    printed: str
    siblings_pay: str
    house_edge: Fraction
    mended_edge: Fraction | None
    words: str


class _Printed(NamedTuple):
    book: Rulebook
    table: PayTable
    edge: Fraction


def suspicions(books: Sequence[Rulebook]) -> tuple[Suspicion, ...]:
    """Every suspicious bonus table of these rulebooks, beside all those in the house."""
    named = {book.id: book for book in books}
    known = {loaded.book.id: loaded.book for loaded in load_all()} | named
    printed = [
        _Printed(book, table, _edge(book, table))
        for book in known.values()
        for table in map(side_bets.table_as_printed, side_bets.side_bet_tables(book))
    ]
    found: list[Suspicion] = []
    for bet in dict.fromkeys(one.table.bet for one in printed):
        found += _of_one_bet([one for one in printed if one.table.bet == bet], named)
    return tuple(found)


def _edge(book: Rulebook, table: PayTable) -> Fraction:
    """Of a table as its print is to be judged: by its hands, whatever a fold does to the bet."""
    setup = set_up(book, {})
    counts = side_bets.dealt_hands(setup, table)
    return side_bets.side_bet_figures(setup, table.bet, table, counts=counts).house_edge


def _of_one_bet(printed: list[_Printed], named: Collection[str]) -> Iterator[Suspicion]:
    most = most_dared([one.edge for one in printed])
    sound = [one for one in printed if _is_sound(one, most)]
    for one in printed:
        if one not in sound and one.book.id in named:
            yield _suspicion(one, sound, most)


def most_dared(edges: Sequence[Fraction]) -> Fraction:
    """The highest edge of a bet that can be meant, by those of all tables for it."""
    return FAR_OFF * median(edges) if len(edges) >= ENOUGH else MOST_ALONE


def _is_sound(one: _Printed, most: Fraction) -> bool:
    """Whether an edge can be meant. Where a fold loses the bet, its hands alone may well favour the
    player: what is folded pays for them."""
    forfeited = one.table.bet in set_up(one.book, {}).lost_by_fold
    return one.edge <= most and (one.edge >= 0 or forfeited)


def _suspicion(one: _Printed, sound: list[_Printed], most: Fraction) -> Suspicion:
    mended = [
        (line, pays, agree, edge)
        for number, line in enumerate(one.table.lines)
        for pays, agree in _as_the_others_have_it(line, one.table, sound)
        for edge in [_edge(one.book, with_line(one.table, number, pays))]
        if 0 <= edge <= most
    ]
    line, pays, agree, edge = max(mended, key=lambda it: it[2]) if mended else (None, "", 0, None)
    return Suspicion(
        rulebook=one.book.id,
        bet=one.table.bet,
        paytable=one.table.id,
        label=line.label if line else "",
        printed=line.printed if line else "",
        siblings_pay=pays,
        house_edge=one.edge,
        mended_edge=edge,
        words=_words(one, line, pays, agree == len(sound), edge),
    )


def _as_the_others_have_it(
    line: Line, table: PayTable, sound: list[_Printed]
) -> Iterator[tuple[Pays, int]]:
    """What most of the others pay for this line's hands, and how many do, if it is not the same."""
    own = [kind for kind, found in index_lines(table).items() if found is line]
    if not own or not sound:
        return
    votes = Counter(index_lines(one.table)[own[0]].pays for one in sound)
    pays, agree = votes.most_common(1)[0]
    if pays != line.pays:
        yield pays, agree


def _words(
    one: _Printed, line: Line | None, pays: str, everyone: bool, edge: Fraction | None
) -> str:
    """For people: what is odd, how sure that is, and what would put it right."""
    said = f"{'player' if one.edge < 0 else 'house'} edge {_percent(abs(one.edge), 0)}"
    if line is None or edge is None:
        return f"{said}: far from every sibling table, and no single line explains it"
    cell = f"prints {line.printed}" if line.printed else "prints nothing"
    others = "every sibling table pays" if everyone else "most sibling tables pay"
    return (
        f"{said}: almost certainly a misprint; {others} {pays} for "
        f"{line.label.lower()}, this one {cell}; with {pays} the house edge is {_percent(edge, 2)}"
    )


def _percent(share: Fraction, places: int) -> str:
    return f"{float(share * 100):.{places}f} %"


class Reading(NamedTuple):
    """One way to read a figure: what is assumed, and what comes out.

    The plain one is how the figure reads; a condition that no figure can do without is its first.
    """

    assumption: str
    exact: Fraction
    plain: bool = False


class PublishedFigure(Struct, frozen=True, kw_only=True):
    """A printed figure beside the exact one.

    `exact` is the value of the reading that agrees, or of the plain one where none does; amounts
    are in dollars. `right` is what should stand there; `others` are further readings.
    """

    rulebook: str
    bet: str
    paytable: str
    figure: str
    printed: str
    form: Form
    exact: Fraction | None
    verdict: Verdict
    assumption: str
    right: str = ""
    others: tuple[Reading, ...] = ()
    cites: tuple[str, ...]

    @property
    def shown(self) -> str:
        """The exact value for print, with more places than a document has."""
        return "" if self.exact is None else show(self.form, self.exact)


class PublishedReport(Struct, frozen=True, kw_only=True):
    """All printed figures, and pay tables that cannot be meant as they are printed."""

    figures: tuple[PublishedFigure, ...]
    suspicions: tuple[Suspicion, ...]


def published(books: Sequence[Rulebook]) -> PublishedReport:
    """Every figure of these rulebooks."""
    figures = [_recomputed(book, entry) for book in books for entry in book.published]
    return PublishedReport(figures=tuple(figures), suspicions=suspicions(books))


def show(form: Form, exact: Fraction) -> str:
    """An exact value in the form of the printed one."""
    match form:
        case "percent" | "words":
            return f"{float(exact * 100):.4f}%"
        case "dollars":
            return f"${float(exact):,.2f}"
        case "odds":
            return f"{float(exact):,.0f} to 1"


# ---------------------------------------------------------------- does it agree


def _recomputed(book: Rulebook, entry: Published) -> PublishedFigure:
    match entry.figure:
        case "top_payout_odds":
            return _odds(book, entry)
        case "reseed_cost_included":
            return _reseed(book, entry)
        case "top_payout_average":
            return _judged(book, entry, "dollars", list(_averages(book, entry)))
        case "house_advantage":
            return _judged(book, entry, "percent", list(_advantages(book, entry)),
                           _life(book, entry))  # fmt: skip
        case "house_edge" | "hit_frequency":
            return _judged(book, entry, "percent", list(_simple(book, entry)))


def _judged(
    book: Rulebook, entry: Published, form: Form, readings: list[Reading], under: str = ""
) -> PublishedFigure:
    """The first reading that comes out as printed; the plain one comes first.

    `under` is what every reading takes for granted, where the document does not say it.
    """
    found = next((one for one in readings if as_printed(entry.printed, form, one.exact)), None)
    plain = readings[0]
    named = found or plain
    verdict: Verdict = "cannot be reproduced"
    if found is not None:
        verdict = "agrees" if found.plain else "agrees under an assumption"
    right = f"{show(form, plain.exact)}: {plain.assumption}" if named is not plain else ""
    if under:
        right = " and ".join(f"{show(form, one.exact)} with {one.assumption}"
                             for one in dict.fromkeys((named, plain)))  # fmt: skip
    return _figure(
        book,
        entry,
        form=form,
        exact=named.exact,
        verdict=verdict,
        assumption=f"{under}; {named.assumption}" if under else named.assumption,
        right=right,
        others=tuple(one for one in readings if one is not named),
    )


def _figure(book: Rulebook, entry: Published, **found: Any) -> PublishedFigure:
    """What is printed, with what was found about it."""
    own = ("bet", "paytable", "figure", "printed", "cites")
    return PublishedFigure(rulebook=book.id, **{k: getattr(entry, k) for k in own}, **found)


def as_printed(printed: str, form: Form, exact: Fraction) -> bool:
    """Whether an exact value rounds to what is printed, in its places; halves go either way."""
    found = _NUMBER.search(printed)
    if found is None:
        return False
    places = len(found[1] or "")
    value = Fraction(found[0].replace(",", ""))
    scaled = exact * 100 if form == "percent" else exact
    return bool(abs(scaled - value) * 10**places <= Fraction(1, 2))


# ---------------------------------------------------------------- figures of one hand


def _simple(book: Rulebook, entry: Published) -> Iterator[Reading]:
    if entry.bet == "progressive":
        setup = w.progressive_setup(book, entry.paytable)
        found, others = w.progressive_figures(setup, others=0), setup.seats - 1
        kept = "a fold keeps the wager" if found.after_fold == "live" else "folded hands left out"
        yield Reading(f"the wager's own hand; {kept}", found.hit_frequency, plain=True)
        dealt, prizes = dealt_chances(five_card_counts()), neighbours(setup, 1).prizes
        most = found.hit_frequency + others * sum((dealt[kind] for kind in prizes), Fraction(0))
        yield Reading(f"counting envy bonuses for {others} other hands as hits (at most)", most)
        return
    figures = side_bets.side_bet_figures(book, entry.bet, entry.paytable)
    exact = figures.house_edge if entry.figure == "house_edge" else figures.hit_frequency
    yield Reading("; ".join(figures.assumptions), exact, plain=True)


# ---------------------------------------------------------------- the progressive


def _life(book: Rulebook, entry: Published) -> str:
    """What every reading of a house advantage takes for granted."""
    setup = w.progressive_setup(book, entry.paytable)
    fold = "keeps" if w.fold_rule(setup) == "live" else "loses"
    reserve = w.progressive_of(setup).reserve_bp
    kept_back = f"{show_percent(reserve)}% to a reserve" if reserve else "no reserve"
    return f"{_LIFE}; a fold {fold} the wager; {kept_back}"


def _advantages(book: Rulebook, entry: Published) -> Iterator[Reading]:
    """House advantages: nothing says how many players, so that none but the bettor comes first."""
    setup = w.progressive_setup(book, entry.paytable)
    for others in range(_MOST_SEATS):
        hands = "1 other hand" if others == 1 else f"{others} other hands"
        said = f"{hands} that can earn an envy bonus" if others else "nobody else at the table"
        edge = w.progressive_figures(setup, others=others).long_run_house_edge
        yield Reading(said, edge, plain=not others)
    full = setup.seats - 1
    found = w.progressive_figures(setup, others=full)
    yield Reading(f"one wager at the seed, {full} other hands", found.house_edge)
    yield Reading(f"seeds not counted, {full} other hands",
                  found.long_run_house_edge + found.seed_share)  # fmt: skip
    scaled = _scaled_seed(book, setup)
    if scaled != found.seed_cents:
        extra = found.full_award * Fraction(scaled - found.seed_cents, found.wager_cents)
        text = f"a seed in proportion to the wager, {format_cents(scaled)}, {full} other hands"
        yield Reading(text, found.long_run_house_edge - extra)
    yield from _elsewhere(book, found)


def _scaled_seed(book: Rulebook, setup: Setup) -> int:
    rule, progressive = book.progressive, w.progressive_of(setup)
    assert rule is not None
    basis = next(s for s in rule.schedules if s.wager == rule.scaling.basis_wager)
    return int(basis.seed) * progressive.wager_cents // int(rule.scaling.basis_wager)


def _elsewhere(book: Rulebook, found: w.ProgressiveFigures) -> Iterator[Reading]:
    """The same pays, wager, rate and seed in other rulebooks, at their own tables and rules."""
    pays = [(line.kinds, line.pays) for line in found.lines if line.kinds]
    for other in (loaded.book for loaded in load_all()):
        if other.id == book.id or other.progressive is None:
            continue
        for schedule in other.progressive.schedules:
            setup = w.progressive_setup(other, schedule.paytable, wager_cents=int(schedule.wager))
            terms = w.progressive_of(setup)
            alike = (terms.wager_cents, terms.seed_cents) == (found.wager_cents, found.seed_cents)
            if not alike or Fraction(terms.rate_bp, 10_000) != found.rate:
                continue
            there = w.progressive_figures(setup)
            if [(line.kinds, line.pays) for line in there.lines if line.kinds] == pays:
                fold = "keeps" if there.after_fold == "live" else "loses"
                table = f"{other.id} {schedule.paytable}, {setup.seats} seats"
                yield Reading(f"{table}: a fold {fold} the wager", there.long_run_house_edge)


def _odds(book: Rulebook, entry: Published) -> PublishedFigure:
    """The chance of a full award: one in so many is not so many to one."""
    setup = w.progressive_setup(book, entry.paytable)
    chance = w.progressive_figures(setup, others=0).full_award
    against = 1 / chance - 1
    right = f"1 in {float(1 / chance):,.0f}, which is {show('odds', against)}"
    verdict: Verdict = "cannot be reproduced"
    words = ""
    if as_printed(entry.printed, "odds", against):
        verdict = "agrees"
    elif as_printed(entry.printed, "odds", 1 / chance):
        verdict, words = "misprint", "“to 1” is printed where “1 in” is meant"
    return _figure(
        book, entry, form="odds", exact=against, verdict=verdict, assumption=words, right=right
    )


def _averages(book: Rulebook, entry: Published) -> Iterator[Reading]:
    setup = w.progressive_setup(book, entry.paytable)
    found = w.progressive_figures(setup, others=0)
    contribution = found.rate * found.wager_cents
    one = meter_life(round_law(setup, bettors=1)).mean
    yield Reading("smaller awards take their share of all that the meter shows, seed included",
                  one / 100, plain=True)  # fmt: skip
    simple = found.seed_cents + contribution / found.meter_share
    yield Reading("smaller awards eat into the contributions alone, and never into the seed",
                  simple / 100)  # fmt: skip
    full = meter_life(round_law(setup)).mean
    yield Reading(f"as it is, with {setup.seats} wagers from one deck in every round", full / 100)
    whole = found.seed_cents + contribution / found.full_award
    yield Reading("no smaller awards at all", whole / 100)


def _reseed(book: Rulebook, entry: Published) -> PublishedFigure:
    """Whether printed house advantages come out with the seeds in them, and only so."""
    told = [other for other in book.published if other.figure == "house_advantage"]
    shares, holds = [], bool(told)
    for other in told:
        figure = _recomputed(book, other)
        found = w.progressive_figures(w.progressive_setup(book, other.paytable), others=0)
        shares.append((other.paytable, found.seed_share))
        without = figure.exact is not None and as_printed(
            other.printed, "percent", figure.exact + found.seed_share
        )
        holds = holds and figure.verdict.startswith("agrees") and not without
    text = ", ".join(f"{show('percent', share)} of {name}" for name, share in shares)
    return _figure(
        book,
        entry,
        form="words",
        exact=None,
        verdict="agrees" if holds else "cannot be reproduced",
        assumption=f"the house pays a seed at each full award: {text}; the printed advantages come "
        "out with it, and not without",
        others=tuple(Reading(f"seeds, {name}", share) for name, share in shares),
    )


def published_question(loaded: Sequence[Loaded]) -> dict[str, Any]:
    """What is asked, as the results on disk are named by."""
    return {"what": "published", "rulebooks": [one.sha256 for one in loaded]}


def published_of(loaded: Sequence[Loaded], *, fresh: bool = False) -> PublishedReport:
    """Every printed figure of these rulebooks, from the disk unless it is wanted fresh."""

    books = [one.book for one in loaded]
    question = published_question(loaded)
    return kept_as(PublishedReport, question, lambda: published(books), fresh=fresh)


def published_document(report: PublishedReport) -> dict[str, Any]:
    """The answer as scripts read it."""
    return {
        "figures": [
            in_json(one, "rulebook", "bet", "paytable", "figure", "printed", "exact", "shown")
            | {"agrees": one.verdict.startswith("agrees")}
            | in_json(one, "verdict", "assumption", "right")
            | {"others": [in_json(other, "assumption", "exact") for other in one.others]}
            | in_json(one, "cites")
            for one in report.figures
        ],
        "suspicions": [
            in_json(one, "rulebook", "bet", "paytable")
            | {"hand": one.label}
            | in_json(one, "printed", "siblings_pay", "house_edge", "mended_edge", "words")
            for one in report.suspicions
        ],
    }
