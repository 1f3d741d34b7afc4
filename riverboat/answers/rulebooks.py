"""Rulebooks as commands and pages tell them: lists, one in full, two compared, what goes wrong.

A rulebook carries paraphrases only; whoever has the document can lay the original sentence beside
each of them, because a clause names the lines, and the sentence there, that it stands on.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from msgspec import UNSET, Struct, UnsetType

from riverboat.answers.page import Block, Facts, Heading, Table, Words
from riverboat.core.errors import Problem, Refused, RulebookError
from riverboat.core.money import show_dollars, show_percent
from riverboat.core.records import alike
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line, PayTable
from riverboat.rulebook.play import DecidedBy
from riverboat.rulebook.rules import Clause, Rule, cited_in, rules_of, values_of
from riverboat.rulebook.values import Dollars, Percent, say
from riverboat.rulebooks import Loaded, load_file, shelf

STATUS_WARNING = {
    "draft": "DRAFT. This text was proposed, not adopted: it is not law.",
    "superseded": "SUPERSEDED. A later text exists.",
    "vendor's": "VENDOR'S RULES. No regulator adopted this text as printed.",
    "house's": "HOUSE'S RULES. A casino's own procedures, not a state's rule.",
}
_Kind = TypeVar("_Kind", bound="Described")
_TOLD_APART = ("source", "options", "paytables", "published")


def rulebook_page(loaded: Loaded, document: str | None = None) -> Iterator[Block]:
    """The whole page; with the document's text, its own sentences beside our words."""
    book = loaded.book
    yield from opening(book)
    yield _identity(loaded)
    yield Heading("Rules")
    yield from _rules(book)
    yield Heading("Options of the table")
    yield _options(book)
    yield Heading("Pay tables")
    for table in book.paytables:
        yield from _pay_table(table)
    if book.published:
        yield Heading("Figures that the document prints")
        rows = [
            (say(f.figure), say(f.bet), f.paytable, f.printed, ", ".join(f.cites))
            for f in book.published
        ]
        yield Table(("Figure", "Bet", "Pay table", "Printed", "Clauses"), rows)
    yield Heading("Clauses")
    yield _clause_table(book, document)
    yield Heading("Readings of what the document leaves open")
    places = cited_in(book)
    readings = [
        (name, text, _carried_out(places.get(name, ()), book.informative.get(name)))
        for name, text in book.ambiguities.items()
    ]
    yield Table(("Reading", "What we do", "Carried out by"), readings, (1, 6, 5))


def opening(book: Rulebook, title: str = "") -> Iterator[Block]:
    """The title of a page about a rulebook, and the status under it."""
    yield Heading(title or book.title, level=1)
    yield from status_blocks(book)


def status_blocks(book: Rulebook) -> Iterator[Block]:
    """The status, loud enough that a draft can't pass for law."""
    if book.status in STATUS_WARNING:
        yield Words(STATUS_WARNING[book.status], loud=True)
    base = book.source.based_on_status
    if base in STATUS_WARNING:
        yield Words(f"Started from {book.source.based_on}: {STATUS_WARNING[base]}", loud=True)


def refusal_page(book: Rulebook, refusal: Refused) -> Iterator[Block]:
    """What was asked for, what is allowed, and the clauses in our words."""
    yield from opening(book)
    for line in str(refusal).splitlines():
        yield Words(f"Refused: {line}.", loud=True)
    texts = {name: clause.text for name, clause in book.clauses.items()} | book.ambiguities
    yield Facts([(cite, texts.get(cite, "")) for cite in refusal.cites])


def _identity(loaded: Loaded) -> Facts:
    book, source = loaded.book, loaded.book.source
    facts = [
        ("Rulebook", f"{book.id}, revision {book.revision}"),
        ("Status", book.status),
        ("Game", say(book.game)),
        ("Document", source.title),
        ("Issued by", source.issuer),
        ("Citation", source.citation),
        ("Dated", source.dated),
        ("Standing", source.standing),
        ("Does not apply", ", ".join(source.excludes)),
        ("Based on", source.based_on),
        ("sha256 of base document" if source.based_on else "sha256 of document", source.sha256),
        ("sha256 of rulebook", loaded.sha256),
    ]
    return Facts([(label, text) for label, text in facts if text])


def _rules(book: Rulebook) -> Iterator[Block]:
    for section, rules in groupby(rules_of(book), key=lambda one: one[0].partition(".")[0]):
        if section not in _TOLD_APART:
            yield Heading(section.replace("_", " ").capitalize(), level=3)
            rows = [_rule_row(path, rule) for path, rule in rules]
            yield Table(("Rule", "What it says", "Clauses"), rows, (2, 5, 3))


def _rule_row(path: str, rule: Rule) -> tuple[str, str, str]:
    says = "; ".join(
        f"{name.replace('_', ' ')}: {say(value)}"
        for name, value in values_of(rule).items()
        if value not in (None, "", (), {})
    )
    note = f". {rule.note}" if rule.note else ""
    top, _, name = path.partition(".")
    return (name or top).replace("_", " "), says + note, ", ".join(rule.cites)


def _options(book: Rulebook) -> Table:
    rows = []
    for name, option in book.options.items():
        values = values_of(option)
        default, when = values.get("default"), values.get("default_when")
        if default is None:
            derived = values.get("default_from")
            default = f"from the {say(derived)}" if derived else "none"
        rows.append(
            (
                name,
                say(default) + (f" ({say(when)})" if when else ""),
                "fixed" if option.fixed else _bounds(values),
                str(values["meaning"]),
                ", ".join(option.cites),
            )
        )
    return Table(("Option", "Default", "Allowed", "Meaning", "Clauses"), rows, (4, 3, 4, 5, 4))


def _bounds(values: dict[str, object]) -> str:
    if values.get("choices"):
        return say(values["choices"])
    minimum, maximum = values.get("minimum"), values.get("maximum")
    if minimum is not None and maximum is not None:
        return f"{say(minimum)} to {say(maximum)}"
    if maximum is not None:
        return f"up to {say(maximum)}"
    if minimum is not None:
        return f"at least {say(minimum)}"
    if isinstance(values["default"], bool):
        return "yes, no"
    return "an amount or none" if values.get("none_allowed") else "any"


def _pay_table(table: PayTable) -> Iterator[Block]:
    yield Heading(f"{table.id} ({say(table.bet)}, {say(table.status)})", level=3)
    facts = [
        ("Per wager of", say(table.per_wager) if table.per_wager is not None else ""),
        ("Printed wager", table.wager_printed if table.wager_printed is not None else ""),
        ("Marks in the document", table.marks),
        ("Note", table.note),
    ]
    if any(text for _, text in facts):
        yield Facts([(label, text) for label, text in facts if text])
    if table.status == "struck":
        yield Words("Struck from the text: kept for analysis, cannot be played.", loud=True)
    if table.status == "as_printed_suspect":
        yield Words("Printed with a misprint or a gap: flagged lines are not played as printed.")
    rows = [
        (
            _hands(line),
            line.printed or ("(blank)" if line.suspect else ""),
            line.pays.words + ("  ⚑ not as printed" if line.suspect else ""),
            line.envy,
            ", ".join(line.cites),
        )
        for line in table.lines
    ]
    played = "Would pay" if table.status == "struck" else "Played"
    columns = ["Hand", "Printed", played, "Envy", "Clauses"]
    if not any(row[3] for row in rows):
        columns.remove("Envy")
        yield Table(columns, [(*row[:3], row[4]) for row in rows], (4, 2, 3, 4))
    else:
        yield Table(columns, rows, (4, 2, 3, 2, 4))


def _hands(line: Line) -> str:
    """The printed name, and the hands it is for where the name alone does not say it."""
    plain = line.hands[0].replace("_", " ") if len(line.hands) == 1 else ""
    if line.label and not (line.ranks or line.suits) and (plain or line.pays.kind == "lose"):
        return line.label
    narrowed = f" {line.ranks or line.suits}".rstrip()
    meant = ", ".join(map(say, line.hands)) + narrowed
    return f"{line.label} ({meant})" if line.label else meant


def _clause_table(book: Rulebook, document: str | None) -> Table:
    rows = []
    for clause in _clauses(book, document):
        where = _carried_out(clause.rules, clause.informative)
        source = () if clause.source is UNSET else (str(clause.source),)
        rows.append((clause.id, clause.number, clause.text, *source, where))
    if document is None:
        return Table(("Clause", "Number", "In our words", "Carried out by"), rows, (3, 3, 6, 5))
    columns = ("Clause", "Number", "In our words", "In the document's", "Carried out by")
    return Table(columns, rows, (3, 2, 5, 6, 4))


def _carried_out(rules: Sequence[str], informative: str | None) -> str:
    return f"nothing to carry out: {informative}" if informative else ", ".join(rules)


def own_words(book: Rulebook, clause: Clause, document: str) -> str:
    """The document's own sentence for a clause, with its line."""
    if clause.lines is None:
        return ""
    first, last = clause.lines
    words = excerpt(
        document,
        first=first,
        last=last,
        sentence=clause.sentence,
        line_numbers=book.source.line_numbers,
        page_footers=book.source.page_footers,
    )
    lines = f"line {first}" if first == last else f"lines {first}-{last}"
    return f"{words or '(blank)'} [{lines}]"


class Described(Struct, frozen=True, kw_only=True):
    """What a rulebook is: its game, its standing, what it offers, and the hash of its file."""

    id: str
    title: str
    game: str
    status: str
    standing: str
    revision: int
    side_bets: tuple[str, ...]
    paytables: tuple[str, ...]
    struck: tuple[str, ...]
    sha256: str


class Listing(Described, frozen=True, kw_only=True):
    """A rulebook in one entry of a list."""

    clauses: int


class Listings(Struct, frozen=True, kw_only=True):
    """The house's rulebooks."""

    rulebooks: tuple[Listing, ...]


class RuleText(Struct, frozen=True, kw_only=True):
    """A rule: its place in the file, what it says in words and as values, and by which clauses."""

    path: str
    says: dict[str, str]
    values: dict[str, Any]
    cites: tuple[str, ...]
    note: str


class ClauseText(Struct, frozen=True, kw_only=True):
    """A clause: in our words, the rules that carry it out, or why there are none; the document's
    own words where the document is at hand."""

    id: str
    number: str
    text: str
    by: str
    lines: tuple[int, ...] | None
    rules: tuple[str, ...]
    informative: str | None
    source: str | UnsetType = UNSET


class WholeRulebook(Described, frozen=True, kw_only=True):
    """A rulebook with all its rules and clauses."""

    document_sha256: str
    rules: tuple[RuleText, ...]
    clauses: tuple[ClauseText, ...]
    ambiguities: dict[str, str]


def _described(kind: type[_Kind], loaded: Loaded, **own: Any) -> _Kind:
    book = loaded.book
    return alike(
        kind,
        book,
        standing=book.source.standing,
        side_bets=tuple(offer.bet for offer in book.side_bets),
        paytables=tuple(table.id for table in (book.comparison, *book.paytables) if table),
        struck=tuple(table.id for table in book.paytables if not table.playable),
        sha256=loaded.sha256,
        **own,
    )


def listings(loaded: Iterable[Loaded]) -> Listings:
    """Rulebooks as a list."""
    every = (_described(Listing, one, clauses=len(one.book.clauses)) for one in loaded)
    return Listings(rulebooks=tuple(every))


def whole_rulebook(loaded: Loaded, document: str | None = None) -> WholeRulebook:
    """All of a rulebook, with the document's own words if they are there."""
    book = loaded.book
    return _described(
        WholeRulebook,
        loaded,
        document_sha256=book.source.sha256,
        rules=tuple(
            RuleText(
                path=path,
                says={key: say(value) for key, value in values_of(rule).items()},
                values={key: plain(value) for key, value in values_of(rule).items()},
                cites=rule.cites,
                note=rule.note,
            )
            for path, rule in rules_of(book)
        ),
        clauses=tuple(_clauses(book, document)),
    )


def _clauses(book: Rulebook, document: str | None) -> Iterator[ClauseText]:
    places = cited_in(book)
    for name, clause in book.clauses.items():
        yield alike(
            ClauseText,
            clause,
            id=name,
            rules=tuple(places.get(name, ())),
            informative=book.informative.get(name),
            source=UNSET if document is None else own_words(book, clause, document),
        )


def plain(value: object) -> object:
    """A value as JSON holds it: amounts in dollars, rates in percent, as files write them."""
    match value:
        case Dollars():
            return show_dollars(value)
        case Percent():
            return show_percent(value)
        case tuple():
            return [plain(item) for item in value]
        case DecidedBy():
            return {"places": list(value.places), "hand": value.hand}
    return value


def welcome_page(listed: Listings) -> Iterator[Block]:
    """What is here, and what to try next."""
    yield Heading("Riverboat", level=1)
    yield Words("Mississippi Stud and Island Stud, each rule with its clause. Play money only.")
    yield Heading("Rulebooks in the house")
    rows = [(one.id, one.status, say(one.game), one.title) for one in listed.rulebooks]
    yield Table(("Id", "Status", "Game", "Title"), rows)
    yield Heading("What to try next")
    yield Facts(
        [
            ("riverboat play ID", "a table in the terminal"),
            ("riverboat settle ID --ante 10 --cards ... --board ...", "what each spot is owed"),
            ("riverboat check FILE", "play scenario files"),
            ("riverboat day ID", "a whole day at a table, as a pit log"),
            ("riverboat prompts ID", "who does what next in a round, the words, the clause"),
            ("riverboat configure FILE", "may a table be run like this, and if not, why"),
            ("riverboat verify FILE", "check an exported round"),
            ("riverboat rulebook show ID", "a rulebook with every rule, pay table and clause"),
            ("riverboat rulebook diff A B", "what two of them do differently"),
            ("riverboat rulebook new NAME --from ID", "start a house's own"),
            ("riverboat rulebook check FILE", "is it usable, and if not, why"),
            ("riverboat coverage", "every clause, the rule that carries it out, its tests"),
        ]
    )


def rulebooks_page(listed: Listings) -> Iterator[Block]:
    """Every rulebook with its side bets and pay tables."""
    for one in listed.rulebooks:
        yield Heading(f"{one.id}: {one.title}", level=3)
        facts = [
            ("Game", say(one.game)),
            ("Status", f"{one.status}. {one.standing}"),
            ("Side bets", say(one.side_bets)),
            ("Pay tables", ", ".join(name for name in one.paytables if name not in one.struck)),
            ("For analysis only", ", ".join(one.struck)),
        ]
        yield Facts([(label, text) for label, text in facts if text])


class JudgedFile(NamedTuple):
    """Whether a file is a rulebook that can be used, and what is wrong if it is not."""

    file: str
    loaded: Loaded | None
    problems: tuple[Problem, ...] = ()


def judged_file(file: str) -> JudgedFile:
    """What there is to say of one file; one that cannot be used does not hide the others."""
    try:
        return JudgedFile(file, load_file(file))
    except RulebookError as error:
        return JudgedFile(file, None, error.problems)


def judged_document(judged: Iterable[JudgedFile]) -> dict[str, Any]:
    """The answer as data."""
    return {
        "files": [
            {"file": one.file, "usable": one.loaded is not None, "problems": one.problems}
            for one in judged
        ]
    }


def judged_lines(judged: Iterable[JudgedFile]) -> Iterator[str]:
    """What can be played by; beside the house's rulebooks it needs names of its own."""
    for loaded in (one.loaded for one in judged if one.loaded is not None):
        book = loaded.book
        yield (
            f"{loaded.path}: usable. {book.title}: {sum(1 for _ in rules_of(book))} rules, "
            f"{len(book.clauses)} clauses, {len(book.paytables)} pay tables."
        )
        for problem in shelf().collisions(loaded):
            yield f"To stand beside the others: {problem}"


_PAGE_LINE_NUMBER = re.compile(r"^(?:##\s*)?(?:-\s*)?\d+(?=\s|$)(?:\s*\|)?\s*")
_MARKS = re.compile(r"\*\*|\\(?=\$)|</?su[pb]>|\^\{(\w+)\}|\[bookmark: \w+\]")
_SENTENCE_END = re.compile(r"(?<=[.;:!?”\"])\s+(?=[A-Z(“\"~])")
_BULLET = re.compile(r"^-\s+")


def clean_line(line: str, *, line_numbers: bool) -> str:
    """A line without the marks of its conversion: page line numbers, bullets, emphasis."""
    text = line.strip()
    text = _PAGE_LINE_NUMBER.sub("", text) if line_numbers else _BULLET.sub("", text)
    return " ".join(_MARKS.sub(lambda mark: mark.group(1) or "", text).split())


def excerpt(
    document: str,
    *,
    first: int,
    last: int,
    sentence: int | None = None,
    line_numbers: bool = False,
    page_footers: Sequence[str] = (),
) -> str:
    """The words on lines `first` to `last` (from 1), or the one sentence of them that is meant.

    Strike marks (`~~`) stay: in a redline they are part of the evidence. Lines that begin with one
    of `page_footers` belong to the page, unless the clause stands on nothing else.
    """
    lines = document.split("\n")[first - 1 : last]
    body = [line for line in lines if not line.startswith(tuple(page_footers))]
    cleaned = [clean_line(line, line_numbers=line_numbers) for line in body]
    text = " ".join(part for part in cleaned if part)
    if not text and page_footers:
        return excerpt(document, first=first, last=last, line_numbers=line_numbers)
    if sentence is None:
        return text
    sentences = _SENTENCE_END.split(text)
    return sentences[sentence - 1] if sentence <= len(sentences) else text
