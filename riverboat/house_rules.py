"""Starting a house's own rulebook from another one.

The new file is complete in itself. The clauses of the rulebook it starts from stay in it, because
the house still plays under them; the house's choices become clauses of its own, for its internal
controls, and the rules they change cite them.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.items import Table

from riverboat.errors import NotationError
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


def prefix_for(name: str) -> str:
    """A clause prefix from a rulebook's name: the initials of its words."""
    words = name.split("-")
    return "".join(word[0] for word in words).upper() if len(words) > 1 else name[:3].upper()


def spoken(name: str) -> str:
    """A name as people would say it."""
    return name.replace("-", " ").title()


def ask(wishes: Wishes, base: Loaded, answer: Callable[[str], str]) -> Wishes:
    """The short dialogue: every question has an answer that Enter accepts."""

    def ask_one(question: str, default: str) -> str | None:
        return answer(f"{question} [{default}]: ").strip() or None

    def standing(option: str) -> str:
        return say(getattr(base.book.options[option], "default", None))

    house = ask_one(
        f"Started from {base.book.title}. Enter keeps what stands in [ ].\nHouse", wishes.house
    )
    title = ask_one("Title", wishes.title)
    prefix = ask_one("Prefix of your clauses", wishes.prefix)
    seats = ask_one("Seats", standing("seats"))
    if seats is not None and not re.fullmatch("[1-9]", seats):
        raise NotationError("rulebook.bad_seats", f"{seats!r} is no number of seats; 1 to 9 is")
    return wishes._replace(
        house=house or wishes.house,
        title=title or wishes.title,
        prefix=prefix or wishes.prefix,
        seats=int(seats) if seats else None,
        minimum=ask_one("Smallest ante, in dollars", standing("minimum")),
        maximum=ask_one("Largest ante, in dollars", standing("maximum")),
    )


def check_name(name: str) -> str:
    """A rulebook id, or a refusal that says what one looks like."""
    if not _NAME.fullmatch(name):
        raise NotationError(
            "rulebook.bad_name",
            f"{name!r} is no name for a rulebook; small letters, digits and single hyphens are "
            "right, like 'my-casino'",
        )
    return name


def check_prefix(prefix: str, taken: Loaded) -> str:
    """A clause prefix that is readable and not the one of the document underneath."""
    if not _PREFIX.fullmatch(prefix) or prefix[0].isdigit():
        raise NotationError(
            "rulebook.bad_prefix", f"{prefix!r} is no clause prefix; capitals are right, like 'MC'"
        )
    if any(clause.startswith(f"{prefix}.") for clause in taken.book.clauses):
        raise NotationError(
            "rulebook.prefix_taken", f"{prefix!r} is the prefix of the document; take another"
        )
    return prefix


def house_rulebook(base: Loaded, wishes: Wishes) -> str:
    """The text of the new rulebook."""
    check_name(wishes.name)
    check_prefix(wishes.prefix, base)
    document = tomlkit.parse(base.text)
    _identify(document, base, wishes)
    controls = {f"{wishes.prefix}.0": _clause("preface", f"{wishes.house} plays by these rules.")}
    for number, (option, value, text) in enumerate(_choices(wishes), start=1):
        clause = f"{wishes.prefix}.{number}"
        controls[clause] = _clause(str(number), text)
        _set_option(document, option, value, clause)
    clauses = _table(document, "clauses")
    for name, clause_table in controls.items():
        clauses.add(name, clause_table)
    return tomlkit.dumps(document)


def _identify(document: TOMLDocument, base: Loaded, wishes: Wishes) -> None:
    document["id"] = wishes.name
    document["title"] = wishes.title
    document["revision"] = 1
    document["status"] = "house's"
    document["clause_prefix"] = wishes.prefix
    source = _table(document, "source")
    source["title"] = f"Internal controls: {wishes.title}"
    source["issuer"] = wishes.house
    source["standing"] = f"A house's own rules, started from {base.book.id} ({base.book.status})."
    source["based_on"] = base.book.id
    source["based_on_sha256"] = base.sha256
    for key in ("citation", "dated"):
        if key in source:
            del source[key]
    _cite(source, f"{wishes.prefix}.0")


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
    option["default"] = value
    if "none_allowed" in option:
        del option["none_allowed"]
    _cite(option, clause)


def _cite(rule: Table, clause: str) -> None:
    cites = rule["cites"]
    assert isinstance(cites, list)
    cites.append(clause)


def _clause(number: str, text: str) -> tomlkit.items.InlineTable:
    clause = tomlkit.inline_table()
    clause.update({"number": number, "by": "config_validation", "text": text})
    return clause


def _table(parent: TOMLDocument | Table, name: str) -> Table:
    table = parent[name]
    assert isinstance(table, Table)
    return table
