"""Every figure that the documents print, beside what it should be."""

from collections.abc import Iterator, Sequence

from riverboat.exact.published import PublishedFigure, PublishedReport, show
from riverboat.pages.page import Block, Facts, Heading, Table, Words

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
            yield from _notes(one)
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
    verdicts = dict.fromkeys(one.verdict for one in report.figures)
    count = {v: sum(one.verdict == v for one in report.figures) for v in verdicts}
    number = len(report.figures)
    said = ", ".join(f"{n} {v}" for v, n in count.items())
    yield Words(f"{number} figure{'s' if number != 1 else ''}: {said}")


def _what(one: PublishedFigure) -> str:
    return f"{one.paytable or one.bet}: {one.figure.replace('_', ' ')}"


def _notes(one: PublishedFigure) -> Iterator[Block]:
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
