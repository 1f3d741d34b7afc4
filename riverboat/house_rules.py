"""Starting a house's own rulebook from another one.

The new file is complete in itself. The clauses of the rulebook it starts from stay in it, because
the house still plays under them; the house's choices become clauses of its own, for its internal
controls, and the rules they change cite them.
"""

import json
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.items import InlineTable, Table

from riverboat.errors import NotationError, RiverboatError
from riverboat.money import format_cents, parse_dollars
from riverboat.rulebook.wording import say
from riverboat.rulebooks import Loaded

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*", re.ASCII)
_PREFIX = re.compile(r"[A-Z][A-Z0-9]*(-[A-Z0-9]+)*", re.ASCII)


class Wishes(NamedTuple):
    """What the house says about its rulebook; what it leaves out stays as it was."""

    name: str
    title: str
    house: str
    prefix: str
    seats: int | None = None
    minimum: str | None = None
    maximum: str | None = None


class Taken(NamedTuple):
    """Names that belong to rulebooks of the house already."""

    ids: frozenset[str]
    prefixes: frozenset[str]

    @classmethod
    def by(cls, loaded: Sequence[Loaded]) -> "Taken":
        books = [one.book for one in loaded]
        return cls(
            frozenset(book.id for book in books), frozenset(book.clause_prefix for book in books)
        )


def spoken(name: str) -> str:
    """A name as people would say it."""
    return name.replace("-", " ").title()


def prefix_for(name: str, taken: Taken) -> str:
    """A clause prefix from a rulebook's name: the initials of its words, if they are free."""
    words = name.split("-")
    short = "".join(word[0] for word in words) if len(words) > 1 else name[:3]
    long = "".join(words)[:6]
    free = [p for p in (short.upper(), long.upper()) if p not in taken.prefixes and p[0].isalpha()]
    return free[0] if free else f"HOUSE-{short.upper()}"


def check_name(name: str, taken: Taken) -> str:
    """A rulebook id that is readable and free."""
    if not _NAME.fullmatch(name):
        raise NotationError(
            "rulebook.bad_name",
            f"{name!r} is no name for a rulebook; small letters, digits and single hyphens are "
            "right, like 'my-casino'",
        )
    if name in taken.ids:
        raise NotationError("rulebook.name_taken", f"{name!r} is a rulebook already")
    return name


def check_prefix(prefix: str, taken: Taken, base: Loaded) -> str:
    """A clause prefix that is readable and that no document has."""
    if not _PREFIX.fullmatch(prefix):
        raise NotationError(
            "rulebook.bad_prefix", f"{prefix!r} is no clause prefix; capitals are right, like 'MC'"
        )
    used = any(clause.startswith(f"{prefix}.") for clause in base.book.clauses)
    if used or prefix in taken.prefixes:
        raise NotationError("rulebook.prefix_taken", f"{prefix!r} is another rulebook's prefix")
    return prefix


def check_words(label: str, words: str) -> str:
    """A name for people: something printable."""
    if not words.strip() or not words.isprintable():
        raise NotationError("rulebook.bad_words", f"{label} {words!r}: printable text is right")
    return words


def parse_seats(text: str) -> int:
    """A number of seats as people write it."""
    if not re.fullmatch("[1-9][0-9]?", text, re.ASCII):
        raise NotationError("rulebook.bad_seats", f"{text!r} is no number of seats; 1 to 9 is")
    return int(text)


def ask(wishes: Wishes, base: Loaded, taken: Taken, answer: Callable[[str], str]) -> Wishes:
    """The short dialogue: Enter keeps what stands in brackets, a bad answer is asked again."""

    def ask_one(question: str, standing: str, check: Callable[[str], object]) -> str | None:
        while True:
            said = answer(f"{question} [{standing}]: ").strip().removeprefix("$")
            if not said:
                return None
            try:
                check(said)
            except RiverboatError as problem:
                question = f"{problem}\n{question.rpartition(chr(10))[2]}"
            else:
                return said

    def default(option: str) -> str:
        return say(getattr(base.book.options[option], "default", None))

    opening = f"Started from {base.book.title}. Enter keeps what stands in brackets.\nHouse"
    house = ask_one(opening, wishes.house, lambda said: check_words("house", said))
    title = ask_one("Title", wishes.title, lambda said: check_words("title", said))
    prefix = ask_one(
        "Prefix of your clauses", wishes.prefix, lambda said: check_prefix(said, taken, base)
    )
    seats = ask_one("Seats", default("seats"), parse_seats)
    return wishes._replace(
        house=house or wishes.house,
        title=title or wishes.title,
        prefix=prefix or wishes.prefix,
        seats=parse_seats(seats) if seats else None,
        minimum=ask_one("Smallest ante, in dollars", default("minimum"), parse_dollars),
        maximum=ask_one("Largest ante, in dollars", default("maximum"), parse_dollars),
    )


def house_rulebook(base: Loaded, wishes: Wishes, taken: Taken) -> str:
    """The text of the new rulebook."""
    check_name(wishes.name, taken)
    check_prefix(wishes.prefix, taken, base)
    document = tomlkit.parse(_own_heading(base, wishes))
    controls = {f"{wishes.prefix}.0": _clause("preface", f"{wishes.house} plays by these rules.")}
    for number, (option, value, text) in enumerate(_choices(wishes), start=1):
        clause = f"{wishes.prefix}.{number}"
        controls[clause] = _clause(str(number), text)
        _set_option(document, option, value, clause)
    clauses = _table(document, "clauses")
    for name, clause_table in controls.items():
        clauses.add(name, clause_table)
    return tomlkit.dumps(document)


def _own_heading(base: Loaded, wishes: Wishes) -> str:
    """The base's text with the heading and the source that are the house's own."""
    source = base.book.source
    body = re.sub(r"(?s)\A.*?\n\[source\]\n.*?\n\n", "", base.text.replace("\r\n", "\n"), count=1)
    cites = [*source.cites, f"{wishes.prefix}.0"]
    values: dict[str, object] = {
        "title": f"Internal controls: {check_words('title', wishes.title)}",
        "issuer": check_words("house", wishes.house),
        "standing": f"A house's own rules, started from {base.book.id} ({base.book.status}).",
        "sha256": source.sha256,
        "excludes": list(source.excludes),
        "line_numbers": source.line_numbers,
        "page_footers": list(source.page_footers),
        "based_on": base.book.id,
        "based_on_sha256": base.sha256,
        "based_on_status": source.based_on_status or base.book.status,
        "cites": cites,
    }
    lines = [f"{key} = {_toml(value)}" for key, value in values.items() if value or key == "cites"]
    return (
        f"# {wishes.title}: the rules of {wishes.house}, started from {base.book.id}.\n"
        "# One table is one rule; `cites` names the clauses it carries out.\n\n"
        f'id = "{wishes.name}"\n'
        f'game = "{base.book.game}"\n'
        f"title = {_toml(wishes.title)}\n"
        "revision = 1\n"
        'status = "house\'s"\n'
        f'clause_prefix = "{wishes.prefix}"\n\n'
        "[source]\n" + "\n".join(lines) + "\n\n" + body
    )


def _toml(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _choices(wishes: Wishes) -> list[tuple[str, int | str, str]]:
    chosen: list[tuple[str, int | str, str]] = []
    if wishes.seats is not None:
        chosen.append(("seats", wishes.seats, f"The table has {wishes.seats} seats."))
    if wishes.minimum is not None:
        amount = format_cents(parse_dollars(wishes.minimum))
        chosen.append(("minimum", wishes.minimum, f"The smallest Ante is {amount}."))
    if wishes.maximum is not None:
        amount = format_cents(parse_dollars(wishes.maximum))
        chosen.append(("maximum", wishes.maximum, f"The largest Ante is {amount}."))
    return chosen


def _set_option(document: TOMLDocument, name: str, value: int | str, clause: str) -> None:
    option = _table(_table(document, "options"), name)
    if option.get("fixed"):
        raise NotationError("option.fixed", f"{name} is fixed by the rulebook you start from")
    option["default"] = value
    if "none_allowed" in option:
        del option["none_allowed"]
    cites = option["cites"]
    assert isinstance(cites, list)
    cites.append(clause)


def _clause(number: str, text: str) -> InlineTable:
    clause = tomlkit.inline_table()
    clause.update({"number": number, "by": "config_validation", "text": text})
    return clause


def _table(parent: TOMLDocument | Table, name: str) -> Table:
    table = parent[name]
    assert isinstance(table, Table)
    return table
