"""Exact figures for people: odds, advice, simulations; tables compared, documents recomputed."""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from riverboat.answers.page import Block, Facts, Heading, Table, Words, dollars, percent, right
from riverboat.answers.payout_checker import show_suits
from riverboat.answers.rulebooks import opening
from riverboat.core.money import Cents, format_cents
from riverboat.exact.questions.advice import Advice, Situation
from riverboat.exact.questions.bet_odds import BaseOdds, BetOdds, Odds
from riverboat.exact.questions.published import PublishedFigure, PublishedReport, show
from riverboat.exact.risk.comparison import ComparedBet, Sheet
from riverboat.round.table_talk import label_of, sentence
from riverboat.rulebook import Rulebook
from riverboat.wording.hand_names import plain_label

if TYPE_CHECKING:  # What is told of it needs none of what it was played by.
    from riverboat.simulate.simulating import Simulated

_MOST_DIGITS = 26
"""In a table a longer fraction is told as a number; the JSON has it in full."""


def odds_page(book: Rulebook, odds: Odds) -> Iterator[Block]:
    """All bets at a glance, then the base game and the progressive, then what is assumed."""
    yield from opening(book, f"Odds: {book.title}")
    plain = [one for one in odds.bets if one.base is None and one.progressive is None]
    for one in odds.bets:
        if one.base is not None:
            yield from _base(book, one, one.base)
    bonuses = [one for one in plain if one.bet != "envy"]
    if bonuses:
        yield Heading("Side bets")
        yield _side_bets(book, bonuses)
        yield from _print_differs(bonuses)
    if len(bonuses) == 1:
        yield _lines(bonuses[0])
    meters = [one for one in odds.bets if one.progressive is not None]
    if meters:
        at = dict.fromkeys(one.progressive.meter_cents for one in meters if one.progressive)
        yield Heading(f"Progressive, meter at {', '.join(map(format_cents, at))}")
        yield _meters(meters)
        yield from _together(meters)
        if len(meters) == 1:
            yield _lines(meters[0])
    envy = [one for one in plain if one.bet == "envy"]
    if envy:
        yield Heading("Envy bonus")
        yield _envy(envy)
    if odds.not_offered:
        yield Heading("Not offered at this table")
        rows = [
            (f"{_name(book, bet.bet)}, {bet.paytable}", why.words, ", ".join(why.cites))
            for bet, why in ((one, one.refused) for one in odds.not_offered)
        ]
        yield Table(("Bet", "Refused", "Clauses"), rows, (3, 5, 3))
    yield Heading("Assumed")
    yield Facts(_assumptions(book, odds))


def exactly(value: Fraction) -> str:
    """A fraction as it is, unless nobody would read it."""
    text = str(value)
    return text if len(text) <= _MOST_DIGITS else f"{float(value):.10f}…"


def _name(book: Rulebook, bet: str) -> str:
    return "Base game" if bet == "base" else sentence(label_of(book, bet))


# ---------------------------------------------------------------- the base game


def _base(book: Rulebook, one: BetOdds, base: BaseOdds) -> Iterator[Block]:
    risk = one.house_edge / base.average_wager
    other = one.house_edge / base.other_average_wager
    win, push, loss = base.distribution.win_push_loss
    limited = "; a limit on payouts changes it" if base.capped else ""
    yield Heading(f"Base game, {one.paytable}, ante {format_cents(one.wager_cents)}")
    yield Facts(
        [
            ("House edge", f"{percent(one.house_edge, 4)} of the ante{limited}"),
            ("Exactly", f"the player expects {one.ev} antes a round"),
            ("Average wager", f"{float(base.average_wager):.4f} antes where ties {base.ties}, "
             f"{float(base.other_average_wager):.4f} where ties {base.other_ties}"),
            ("Element of risk", f"{percent(risk, 4)} of all that is bet where ties {base.ties}"),
            ("", f"{percent(other, 4)} where ties {base.other_ties}"),
            ("A tie", "betting and folding are worth the same; of two bets the smaller"),
            ("Win, push, lose", " · ".join(percent(chance, 2) for chance in (win, push, loss))),
            ("Standard deviation", f"{one.standard_deviation:.4f} antes a round"),
            ("Skewness", f"{one.skewness or 0:.4f}"),
        ]
    )  # fmt: skip
    yield Heading("Decisions of the best play, as shares of all rounds", level=3)
    yield _decisions(book, base)
    yield Heading("Final hands", level=3)
    rows = [(h.hand, percent(h.dealt, 6), percent(h.unfolded, 6)) for h in base.hands]
    yield Table(("Hand", "Dealt", "Not folded"), right(rows, (1, 2)))
    if base.simpler:
        yield Heading("Simpler ways to play, and what they cost", level=3)
        plays = [(p.name, percent(-p.ev, 4), percent(p.cost, 4)) for p in base.simpler]
        yield Table(("Way to play", "House edge", "Costs, of an ante"), right(plays, (1, 2)))
        shortest = min(base.simpler, key=lambda p: p.cost)
        yield Facts([("", words) for words in (f"{shortest.name}:", *shortest.words)])


def _decisions(book: Rulebook, base: BaseOdds) -> Table:
    multiples = list(dict.fromkeys(times for made in base.raises.values() for times in made))
    rows = [
        (
            sentence(label_of(book, street)),
            percent(base.folds[street], 2),
            *(percent(made.get(times, Fraction(0)), 2) for times in multiples),
        )
        for street, made in base.raises.items()
    ]
    return Table(("Street", "Fold", *multiples), right(rows, range(1, len(multiples) + 2)))


# ---------------------------------------------------------------- side bets


def _side_bets(book: Rulebook, bets: Sequence[BetOdds]) -> Table:
    """The wager stands over the column if it is one, else beside each pay table."""
    stakes = {one.wager_cents: f", {format_cents(one.wager_cents)}" for one in bets}
    wager = "the wager"
    if len(stakes) == 1:
        wager, stakes = format_cents(bets[0].wager_cents), dict.fromkeys(stakes, "")
    rows = [
        (
            _name(book, one.bet),
            one.paytable + stakes[one.wager_cents] + {"struck": " (struck)"}.get(one.status, ""),
            percent(one.house_edge, 2),
            exactly(one.ev),
            percent(one.hit_frequency, 2),
            f"{one.standard_deviation:.2f}",
        )
        for one in bets
    ]
    columns = ("Bet", "Pay table", "House edge", f"Expects, of {wager}", "Hits", "Deviation")
    return Table(columns, right(rows, (2, 3, 4, 5)))


def _print_differs(bets: Sequence[BetOdds]) -> Iterator[Block]:
    """What the document's own cells would come to, and what is wrong with them."""
    odd = [one for one in bets if one.printed_ev is not None or one.suspicion]
    if odd:
        yield Heading("As printed", level=3)
    for one in odd:
        edge = one.house_edge if one.printed_ev is None else -one.printed_ev
        words = one.suspicion or f"house edge {percent(edge, 2)} if it were paid as printed"
        yield Words(f"{one.paytable}: {words}.", loud=bool(one.suspicion))


def _lines(one: BetOdds) -> Table:
    rows = [
        (plain_label(line.label), line.pays, f"{line.combinations:,}" if line.combinations else "–",
         percent(line.probability, 6), f"{float(line.returns):+.6f}")
        for line in one.lines
    ]  # fmt: skip
    return Table(("Hand", "Pays", "Hands", "Probability", "Returns"), right(rows, (2, 3, 4)))


# ---------------------------------------------------------------- progressive and envy


def _meters(bets: Sequence[BetOdds]) -> Table:
    rows = [
        (
            f"{one.paytable}, {format_cents(one.wager_cents)}",
            percent(one.house_edge, 2),
            _even_at(found.break_even_cents),
            percent(found.long_run_house_edge, 2),
            percent(one.hit_frequency, 2),
            f"{one.standard_deviation:.2f}",
        )
        for one in bets
        if (found := one.progressive) is not None
    ]
    columns = ("Pay table, wager", "House edge", "Even at", "Long run", "Hits", "Deviation")
    return Table(columns, right(rows, (1, 2, 3, 4, 5)))


def _together(bets: Sequence[BetOdds]) -> Iterator[Block]:
    """Where a fold forfeits the wager, the best main game is another one with it than without."""
    found = [(one, one.progressive.together) for one in bets if one.progressive]
    gains = [both.joint - both.separate for _, both in found if both is not None]
    if gains and not any(gains):
        yield Words(
            "A fold forfeits this wager. The best base game folds no hand that it pays, and so it "
            "is also the best play for both."
        )
        return
    rows = [
        (
            f"{one.paytable}, {format_cents(one.wager_cents)}",
            percent(-both.ev, 4),
            f"{float((both.joint - both.separate) / 100):.6f}",
            _even_at(both.break_even_cents),
        )
        for one, both in found
        if both is not None
    ]
    for ante in {format_cents(both.ante_cents) for _, both in found if both is not None}:
        yield Words(
            f"A fold forfeits this wager. Above, the base game is played as if alone; here, at an "
            f"ante of {ante}, it is played for both."
        )
        columns = ("Pay table, wager", "House edge", "Gains, dollars a round", "Even at")
        yield Table(columns, right(rows, (1, 2, 3)))


def _even_at(cents: Cents | None) -> str:
    return "never" if cents is None else format_cents(cents)


def _envy(bets: Sequence[BetOdds]) -> Table:
    rows = [
        (
            f"{one.paytable}, {format_cents(one.wager_cents)}",
            percent(one.ev, 4),
            exactly(one.ev),
            percent(one.hit_frequency, 4),
            f"{one.standard_deviation:.2f}",
        )
        for one in bets
    ]
    exact = all(len(str(one.ev)) <= _MOST_DIGITS for one in bets)
    worth = "Exactly" if exact else "Per unit"
    columns = ("Pay table, wager", "Adds, of the wager", worth, "Hits", "Deviation")
    return Table(columns, right(rows, (1, 2, 3, 4)))


def _assumptions(book: Rulebook, odds: Odds) -> list[tuple[str, str]]:
    """Each assumption once, with the bets that make it."""
    made: dict[str, dict[str, None]] = {}
    for one in odds.bets:
        for words in one.assumptions:
            made.setdefault(words, {})[_name(book, one.bet)] = None
    return [(", ".join(names), words) for words, names in made.items()]


def advice_page(
    book: Rulebook, situation: Situation, advice: Advice, ante: Cents
) -> Iterator[Block]:
    """The cards, every choice with its value, and the best one in the last line."""
    yield from opening(book)
    yield Facts([*_cards(situation), ("Ante", format_cents(ante))])
    yield Words("")
    rows = [
        (
            f"{name} ←" if name == advice.best else name,
            f"{float(value):+.4f}",
            str(value),
            f"{float(advice.cost(name)):.4f}" if name != advice.best else "",
        )
        for name, value in advice.choices.items()
    ]
    yield Table(("Choice", "In antes", "Exactly", "Costs"), rows)
    yield Words("")
    yield Words(
        f"Best: {advice.best}. Values are for the whole round, with the best play after it."
    )


def _cards(situation: Situation) -> Iterator[tuple[str, str]]:
    yield "Cards", show_suits(situation.cards)
    if situation.board:
        yield "Board", show_suits(situation.board)
    if situation.bets:
        yield "Bets so far", ", ".join(f"{float(bet):g}x" for bet in situation.bets)
    if situation.up_card is not None:
        yield "Dealer shows", show_suits((situation.up_card,))
    if situation.know:
        yield "Known elsewhere", show_suits(situation.know)


_FAR_OFF = 4
"""So many standard errors are not luck."""


def simulation_page(book: Rulebook, found: "Simulated") -> Iterator[Block]:
    """Each bet with what the rounds came to, what is exact, and how far they lie apart."""
    yield from opening(book, f"Simulation: {book.title}")
    speed = f"{found.seconds:.1f} s, {found.rounds_per_second:,.0f} a second"
    yield Facts(
        [
            ("Rounds", f"{found.rounds:,} with {found.seats} seats, in {speed}"),
            ("Strategy", found.strategy),
            ("Seed", f"{found.seed}; {found.generator}"),
        ]
    )
    yield Words("")
    rows = [
        (
            _name(book, one.bet),
            one.paytable,
            f"{one.mean:+.5f}",
            f"{one.standard_error:.5f}",
            "–" if one.exact is None else f"{float(one.exact):+.5f}",
            "–" if one.z is None else f"{one.z:+.2f}",
        )
        for one in found.bets
    ]
    yield Table(("Bet", "Pay table", "Simulated", "± error", "Exact", "z"), rows)
    yield Words("")
    far = [one.bet for one in found.bets if one.z is not None and abs(one.z) > _FAR_OFF]
    if far:
        yield Words(f"Too far off to be luck: {', '.join(far)}.", loud=True)
    yield Words("Per unit of the first wager. The progressive includes its envy bonus.")


def comparison_page(sheets: Sequence[Sheet]) -> Iterator[Block]:
    """The tables compared, then one line for each bet: what it earns, then what it risks."""
    yield Heading("Comparison", level=1)
    if sheets:
        pace = f"{sheets[0].rounds_an_hour} rounds an hour, all seats betting"
        hours = "an hour" if sheets[0].hours == 1 else f"{float(sheets[0].hours):g} hours"
        yield Words(f"{pace}; ratings for {hours} of one player.")
    yield Table(
        ("Rulebook", "Seats", "Ante", "Limit"),
        [
            (
                sheet.rulebook,
                str(sheet.seats),
                _range(sheet),
                "none" if sheet.limit_cents is None else format_cents(sheet.limit_cents),
            )
            for sheet in sheets
        ],
    )
    bets = list(dict.fromkeys(one.bet for sheet in sheets for one in sheet.bets))
    for bet in bets:
        rows = [(sheet, one) for sheet in sheets for one in sheet.bets if one.bet == bet]
        yield Heading("Base game" if bet == "base" else bet.replace("_", " ").capitalize())
        named = list(zip(_names(rows), (one for _, one in rows), strict=True))
        yield _earns(named)
        yield _risks(named)
        yield from _notes(named)


def _range(sheet: Sheet) -> str:
    least = format_cents(sheet.minimum_cents)
    if sheet.maximum_cents is None:
        return f"from {least}"
    return f"{least} to {format_cents(sheet.maximum_cents)}"


Rows: TypeAlias = Sequence[tuple[str, ComparedBet]]


def _names(rows: Sequence[tuple[Sheet, ComparedBet]]) -> list[str]:
    """Pay tables by their ids, with the rulebook where two of them have the same."""
    owners: dict[str, set[str]] = {}
    for sheet, one in rows:
        owners.setdefault(one.paytable, set()).add(sheet.rulebook)
    return [
        one.paytable if len(owners[one.paytable]) == 1 else f"{sheet.rulebook} {one.paytable}"
        for sheet, one in rows
    ]


def _earns(rows: Rows) -> Table:
    cells = [
        (
            name,
            format_cents(one.wager_cents),
            percent(one.edge),
            percent(one.element_of_risk),
            dollars(one.win_an_hour_cents),
            dollars(one.rating_cents),
        )
        for name, one in rows
    ]
    return Table(("Pay table", "Wager", "Edge", "Of all bet", "Win/hour", "Rating"), cells)


def _risks(rows: Rows) -> Table:
    liable = any(one.liability_cents is not None for _, one in rows)
    cells: list[tuple[str, ...]] = []
    for name, one in rows:
        most = "" if one.exposure.attained else "at most "
        owed = "-" if one.liability_cents is None else dollars(one.liability_cents)
        cells.append(
            (
                name,
                f"{one.deviation:.3f}",
                dollars(Fraction(one.deviation_an_hour_cents)),
                most + format_cents(one.exposure.cents),
                format_cents(one.exposure.wager_cents),
                *([owed] if liable else []),
            )
        )
    heads = ("Pay table", "SD/round", "SD/hour", "Worst round", "at wager")
    return Table((*heads, "Liability") if liable else heads, cells)


def _notes(rows: Rows) -> Iterator[Block]:
    """What holds for all is said once, for all."""
    by_note: dict[str, list[str]] = {}
    for name, one in rows:
        for note in one.notes:
            by_note.setdefault(note, []).append(name)
    common = [note for note, who in by_note.items() if len(who) == len(rows)]
    if common:
        said = "; ".join(common)
        yield Words(f"{said[0].upper()}{said[1:]}.")
    for note, who in by_note.items():
        if note not in common:
            yield Words(f"{', '.join(dict.fromkeys(who))}: {note}.")


_SHARES = (5, 4, 4, 4)


def published_page(report: PublishedReport, asked: Sequence[str] = ()) -> Iterator[Block]:
    """By rulebook: what agrees, what agrees only if something is assumed, and what does not.

    `asked` are the rulebooks asked about, so that one that prints nothing is told too.
    """
    yield Heading("Figures that the documents print", level=1)
    for rulebook in dict.fromkeys(one.rulebook for one in report.figures):
        yield Heading(rulebook)
        mine = [one for one in report.figures if one.rulebook == rulebook]
        rows = [(_what(one), one.printed, one.shown, one.verdict) for one in mine]
        yield Table(("Figure", "Printed", "Worked out", "Verdict"), rows, _SHARES)
        for one in mine:
            yield from _figure_notes(one)
    if report.suspicions:
        yield Heading("Pay tables that cannot be meant as printed")
    for found in report.suspicions:
        yield Words(f"{found.paytable}: {found.words}.", loud=True)
    yield Words("")
    printing = {one.rulebook for one in report.figures}
    for rulebook in (name for name in asked if name not in printing):
        yield Words(f"{rulebook} prints no figure.")
    if not report.figures:
        return
    number, verdicts = len(report.figures), Counter(one.verdict for one in report.figures)
    said = ", ".join(f"{count} {verdict}" for verdict, count in verdicts.items())
    yield Words(f"{number} figure{'s' if number != 1 else ''}: {said}")


def _what(one: PublishedFigure) -> str:
    return f"{one.paytable or one.bet}: {one.figure.replace('_', ' ')}"


def _figure_notes(one: PublishedFigure) -> Iterator[Block]:
    """What is assumed, what should stand there, and further readings."""
    notes = []
    if one.assumption:
        notes.append(("assumes", one.assumption))
    if one.right and one.verdict != "agrees":
        notes.append(("should say", one.right))
    for other in one.others:
        words = f"{show(one.form, other.exact)}: {other.assumption}"
        if words != one.right:
            notes.append(("otherwise", words))
    if notes:
        yield Heading(_what(one), level=3)
        yield Facts([*notes, ("clauses", ", ".join(one.cites))])
