"""Questions to the mathematics, as text: read, and held against the rulebook before any work."""

import re
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct

from riverboat.errors import NotationError
from riverboat.games.setup import BONUSES, Raw, Setup, set_up
from riverboat.money import Cents, parse_dollars, show_dollars
from riverboat.rulebook import IslandStud, Rulebook
from riverboat.rulebook.vocabulary import OPTIONS
from riverboat.rulebooks import load_all

_FLAGS = {"true": True, "yes": True, "false": False, "no": False}
MOST_OTHERS = 8
DEFAULT_CENTS: Cents = 100


class Question(Struct, frozen=True, kw_only=True):
    """What `odds` is asked: amounts in cents, and the table's choices as they were written.

    Without a wager the ante is the least that the table takes, and a side bet is a dollar.
    """

    bet: str = ""
    paytable: str = ""
    wager_cents: Cents | None = None
    minimum_cents: Cents | None = None
    meter_cents: Cents | None = None
    others: int | None = None
    table: tuple[tuple[str, Raw], ...] = ()


def read_question(
    book: Rulebook,
    *,
    bet: str | None = None,
    paytable: str | None = None,
    wager: str | None = None,
    minimum: str | None = None,
    meter: str | None = None,
    others: int | None = None,
    table: Iterable[str] = (),
) -> Question:
    """A question that the rulebook can answer, or one line that says why it cannot."""
    _require_bet(book, bet, paytable)
    question = Question(
        bet=bet or "",
        paytable=paytable or "",
        wager_cents=_amount("--wager", wager),
        minimum_cents=_amount("--minimum", minimum),
        meter_cents=_amount("--meter", meter),
        others=others,
        table=tuple(sorted(read_choices(table).items())),
    )
    lowest, stake = question.minimum_cents, question.wager_cents
    if lowest is not None and stake is not None and stake < lowest:
        text = f"--wager {wager} is below --minimum {minimum}; a table takes no such ante"
        raise NotationError("odds.below_minimum", text)
    if book.progressive is None and (meter is not None or others is not None):
        flag = "--meter" if meter is not None else "--others"
        raise NotationError("odds.no_progressive", f"{flag}: {book.id} has no progressive")
    if others is not None and not 0 <= others <= MOST_OTHERS:
        text = f"--others {others}: none to {MOST_OTHERS} other players fit at a table"
        raise NotationError("odds.bad_others", text)
    return question


def bets_of(book: Rulebook) -> tuple[str, ...]:
    """The bets that a rulebook knows, struck ones too, in the order of a table."""
    known = {table.bet for table in book.paytables}
    return ("base", *(b for b in (*BONUSES, "progressive", "envy") if b in known))


def tables_of(book: Rulebook) -> Iterator[tuple[str, str]]:
    """Every pay table by its bet and id; a placard is for the progressive that it shows.

    Against a dealer the base game's table is that of the comparison.
    """
    if isinstance(book, IslandStud):
        yield "base", book.comparison.id
    for table in sorted(book.paytables, key=lambda table: table.bet == "placard"):
        yield ("progressive" if table.bet == "placard" else table.bet), table.id


def _require_bet(book: Rulebook, bet: str | None, paytable: str | None) -> None:
    if bet is not None and bet not in bets_of(book):
        text = f"--bet {bet}: {book.id} has {', '.join(bets_of(book))}"
        raise NotationError("odds.unknown_bet", text)
    if paytable is None:
        return
    own = dict((name, of) for of, name in tables_of(book))
    if paytable not in own:
        text = f"--paytable {paytable}: {_whose(book, paytable)}"
        raise NotationError("odds.unknown_paytable", text)
    if bet is not None and own[paytable] != bet:
        text = f"--paytable {paytable} is for {own[paytable]}, not for {bet}"
        raise NotationError("odds.other_bet", text)


def _whose(book: Rulebook, paytable: str) -> str:
    for loaded in load_all():
        if any(name == paytable for _, name in tables_of(loaded.book)):
            return f"a pay table of {loaded.book.id}, not of {book.id}"
    return f"{book.id} has {', '.join(name for _, name in tables_of(book))}"


def _amount(flag: str, text: str | None) -> Cents | None:
    return None if text is None else amount(flag, text)


def amount(flag: str, text: str) -> Cents:
    """An argument in dollars, of a cent or more."""
    try:
        cents = parse_dollars(text)
    except NotationError as problem:
        raise NotationError(problem.code, f"{flag}: {problem}") from None
    if cents < 1:
        raise NotationError("odds.no_amount", f"{flag} {text}: at least a cent")
    return cents


def read_choices(entries: Iterable[str]) -> dict[str, Raw]:
    """The table's options, KEY=VALUE."""
    choices: dict[str, Raw] = {}
    for entry in entries:
        key, equals, value = entry.partition("=")
        if not equals or key in choices or key == "meter":
            why = {"meter": "the meter is --meter"}.get(key, "write KEY=VALUE, and each key once")
            raise NotationError("odds.bad_table", f"--table {entry}: {why}")
        choices[key] = _choice(entry, key, value)
    return choices


def _choice(entry: str, key: str, value: str) -> Raw:
    kind = OPTIONS[key].kind if key in OPTIONS else ""
    if kind == "flag" and value in _FLAGS:
        return _FLAGS[value]
    if kind == "integer" and re.fullmatch(r"\d{1,6}", value, re.ASCII):
        return int(value)
    if kind in ("flag", "integer"):
        needed = "true or false" if kind == "flag" else "a whole number"
        raise NotationError("odds.bad_table", f"--table {entry}: {key} is {needed}")
    return value


def table_for(book: Rulebook, question: Question, more: Mapping[str, Raw] | None = None) -> Setup:
    """The table that a question is about; its minimum is the wager unless it is named."""
    choices: dict[str, Raw] = {**dict(question.table), **(more or {})}
    lowest = question.minimum_cents or question.wager_cents
    if lowest is not None and (question.minimum_cents is not None or "minimum" not in choices):
        choices["minimum"] = show_dollars(lowest)
    return set_up(book, choices)
