"""A rulebook for people: what it is, every rule with its clauses, every clause with its rule."""

from collections.abc import Iterator

from riverboat.core.source import excerpt
from riverboat.pages.page import Block, Facts, Heading, Table, Words
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line, PayTable
from riverboat.rulebook.rules import Clause, cited_in, rules_of, values_of
from riverboat.rulebook.values import say
from riverboat.rulebooks import Loaded

STATUS_WARNING = {
    "draft": "DRAFT. This text was proposed, not adopted: it is not law.",
    "superseded": "SUPERSEDED. A later text exists.",
    "vendor's": "VENDOR'S RULES. No regulator adopted this text as printed.",
    "house's": "HOUSE'S RULES. A casino's own procedures, not a state's rule.",
}
_TOLD_APART = ("source", "options", "paytables", "published")


def rulebook_page(loaded: Loaded, document: str | None = None) -> Iterator[Block]:
    """The whole page; with the document's text, its own sentences beside our words."""
    book = loaded.book
    yield Heading(book.title, level=1)
    yield from status_blocks(book)
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
        yield _published(book)
    yield Heading("Clauses")
    yield _clauses(book, document)
    yield Heading("Readings of what the document leaves open")
    yield _ambiguities(book)


def status_blocks(book: Rulebook) -> Iterator[Block]:
    """The status, loud enough that a draft can't pass for law."""
    if book.status in STATUS_WARNING:
        yield Words(STATUS_WARNING[book.status], loud=True)
    base = book.source.based_on_status
    if base in STATUS_WARNING:
        yield Words(f"Started from {book.source.based_on}: {STATUS_WARNING[base]}", loud=True)


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
    rows: list[tuple[str, str, str]] = []
    section = ""
    for path, rule in rules_of(book):
        top = path.partition(".")[0]
        if top in _TOLD_APART:
            continue
        if top != section and rows:
            yield from _section(section, rows)
            rows = []
        section = top
        says = "; ".join(
            f"{name.replace('_', ' ')}: {say(value)}"
            for name, value in values_of(rule).items()
            if value not in (None, "", (), {})
        )
        if rule.note:
            says += f". {rule.note}"
        name = path.partition(".")[2] or top
        rows.append((name.replace("_", " "), says, ", ".join(rule.cites)))
    yield from _section(section, rows)


def _section(name: str, rows: list[tuple[str, str, str]]) -> Iterator[Block]:
    yield Heading(name.replace("_", " ").capitalize(), level=3)
    yield Table(("Rule", "What it says", "Clauses"), rows, (2, 5, 3))


def _options(book: Rulebook) -> Table:
    rows = []
    for name, option in book.options.items():
        values = values_of(option)
        default = values.get("default")
        if default is None:
            derived = values.get("default_from")
            default = f"from the {say(derived)}" if derived else "none"
        rows.append(
            (
                name,
                say(default) + _exceptions(values.get("default_when")),
                "fixed" if option.fixed else _bounds(values),
                str(values["meaning"]),
                ", ".join(option.cites),
            )
        )
    return Table(("Option", "Default", "Allowed", "Meaning", "Clauses"), rows, (4, 3, 4, 5, 4))


def _exceptions(when: object) -> str:
    return f" ({say(when)})" if when else ""


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


def _published(book: Rulebook) -> Table:
    rows = [
        (say(f.figure), say(f.bet), f.paytable, f.printed, ", ".join(f.cites))
        for f in book.published
    ]
    return Table(("Figure", "Bet", "Pay table", "Printed", "Clauses"), rows)


def _clauses(book: Rulebook, document: str | None) -> Table:
    places = cited_in(book)
    rows = []
    for name, clause in book.clauses.items():
        where = (
            f"nothing to carry out: {book.informative[name]}"
            if name in book.informative
            else ", ".join(places[name])
        )
        row = [name, clause.number, clause.text, where]
        if document is not None:
            row.insert(3, own_words(book, clause, document))
        rows.append(row)
    if document is None:
        return Table(("Clause", "Number", "In our words", "Carried out by"), rows, (3, 3, 6, 5))
    columns = ("Clause", "Number", "In our words", "In the document's", "Carried out by")
    return Table(columns, rows, (3, 2, 5, 6, 4))


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


def _ambiguities(book: Rulebook) -> Table:
    places = cited_in(book)
    rows = [
        (
            name,
            text,
            ", ".join(places.get(name, [])) or f"nothing to carry out: {book.informative[name]}",
        )
        for name, text in book.ambiguities.items()
    ]
    return Table(("Reading", "What we do", "Carried out by"), rows, (1, 6, 5))
