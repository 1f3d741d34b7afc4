"""Questions to the mathematics, as text: read, and held against the rulebook before any work."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.errors import NotationError, Reading, Refused
from riverboat.core.money import Cents, parse_dollars, parse_percent, show_dollars
from riverboat.exact.design.search import Span
from riverboat.exact.solvers import DEFAULT_CENTS, least_ante
from riverboat.round import actions as a
from riverboat.round import open_round, play
from riverboat.round.setup.choices import Raw, written_choices
from riverboat.round.setup.setup import Setup, SetupRefused, draft_setup, set_up
from riverboat.round.state import Round, Seat
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import MOST_ODDS
from riverboat.rulebook.values import Pays
from riverboat.rulebook.vocabulary import OPTIONS
from riverboat.rulebooks import load_all

_AMOUNTS: dict[str, Callable[[str], object]] = {"money": parse_dollars, "percent": parse_percent}
RUNGS = {"lose": -1, "push": 0}
"""The ladder of odds goes on below 1 to 1."""
MOST_VALUES = 1_000
"""Values that one line of a design may have."""
_END = "(lose|push|[1-9][0-9]{0,8})"
_PIECE = re.compile(rf"{_END}(?:\.\.{_END}(?:/([1-9][0-9]{{0,8}}))?)?")
_FIGURE = re.compile(r"(-?[0-9]{1,9}(?:\.([0-9]{1,9}))?)(%?)|(-?[0-9]{1,18}/[1-9][0-9]{0,17})")

_ALLOWED = {"edge": Span(), "hit": Span(Fraction(0), Fraction(1)), "deviation": Span(Fraction(0))}

_WITH_METER = ("progressive", "envy")
_PROGRESSIVE_WAGER = "progressive_wager"


class Question(Struct, frozen=True, kw_only=True):
    """What `odds` is asked: amounts in cents, and the table's choices as they were written.

    Without a wager the ante is the least that the table takes, and a side bet a dollar, or the
    least that the table takes where that is not allowed. `wager_cents` is the ante where the base
    game is asked about, alone or with everything else.
    """

    bet: str = ""
    paytable: str = ""
    wager_cents: Cents | None = None
    minimum_cents: Cents | None = None
    meter_cents: Cents | None = None
    others: int | None = None
    table: tuple[tuple[str, Raw], ...] = ()

    def bet_in(self, book: Rulebook) -> str:
        """The one bet that is asked about, by its name or its pay table's; empty for all."""
        if self.bet or not self.paytable:
            return self.bet
        return next(bet for bet, name in tables_of(book) if name == self.paytable)

    def named_table(self, bet: str) -> str:
        """The pay table that the choices name for a side bet; empty for every table."""
        return str(dict(self.table).get(bet, ""))

    @property
    def progressive_wager_cents(self) -> Cents | None:
        """The wager that the choices name for the progressive."""
        named = dict(self.table).get(_PROGRESSIVE_WAGER)
        return None if named in (None, "none") else parse_dollars(str(named))


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
        wager_cents=amount_if_any("wager", wager),
        minimum_cents=amount_if_any("minimum", minimum),
        meter_cents=amount_if_any("meter", meter),
        others=others,
        table=tuple(sorted(read_choices(table).items())),
    )
    _require_amounts(question, wager, minimum)
    _require_meter(book, question)
    return question


def _require_amounts(question: Question, wager: str | None, minimum: str | None) -> None:
    """Amounts that can go together."""
    lowest, stake = question.minimum_cents, question.wager_cents
    if lowest is not None and stake is not None and stake < lowest:
        text = f"`wager` {wager} is below `minimum` {minimum}; a table takes no such ante"
        raise NotationError("odds.below_minimum", text)
    named = dict(question.table).get("minimum")
    same = named in (None, "none") or parse_dollars(str(named)) == lowest
    if lowest is not None and not same:
        text = f"`minimum` {minimum} and `table` minimum={named} contradict each other"
        raise NotationError("odds.two_minimums", text)
    own = question.progressive_wager_cents
    if question.bet in _WITH_METER and None not in (own, stake) and own != stake:
        text = f"`wager` {wager} and `table` {_PROGRESSIVE_WAGER} contradict each other"
        raise NotationError("odds.two_wagers", text)


def _require_meter(book: Rulebook, question: Question) -> None:
    """A meter and other players only where something asked about goes by them."""
    others, bet = question.others, question.bet_in(book)
    given = {"meter": question.meter_cents, "others": others}
    for field in (name for name, value in given.items() if value is not None):
        if book.progressive is None:
            raise NotationError("odds.no_progressive", f"`{field}`: {book.id} has no progressive")
        if bet and bet not in _WITH_METER:
            text = f"`{field}`: only a progressive goes by it, and {bet} is asked about"
            raise NotationError("odds.no_progressive", text)
    if others is not None and others < 0:
        text = f"`others` {others}: there cannot be fewer than no other players"
        raise NotationError("odds.bad_others", text)


def bets_of(book: Rulebook) -> tuple[str, ...]:
    """The bets that a rulebook knows, struck ones too, in the order of a table."""
    known = {table.bet for table in book.paytables}
    bonuses = (offer.bet for offer in book.bonuses)
    return ("base", *(b for b in (*bonuses, *_WITH_METER) if b in known))


def tables_of(book: Rulebook) -> Iterator[tuple[str, str]]:
    """Every pay table by its bet and id; a placard is for the progressive that it shows.

    Against a dealer the base game's table is that of the comparison.
    """
    if book.comparison is not None:
        yield "base", book.comparison.id
    for table in sorted(book.paytables, key=lambda table: table.bet == "placard"):
        yield ("progressive" if table.bet == "placard" else table.bet), table.id


def _require_bet(book: Rulebook, bet: str | None, paytable: str | None) -> None:
    if bet is not None and bet not in bets_of(book):
        text = f"`bet` {bet}: {book.id} has {', '.join(bets_of(book))}"
        raise NotationError("odds.unknown_bet", text)
    if paytable is None:
        return
    own = dict((name, of) for of, name in tables_of(book))
    if paytable not in own:
        text = f"`paytable` {paytable}: {_whose(book, paytable)}"
        raise NotationError("odds.unknown_paytable", text)
    if bet is not None and own[paytable] != bet:
        text = f"`paytable` {paytable} is for {own[paytable]}, not for {bet}"
        raise NotationError("odds.other_bet", text)


def _whose(book: Rulebook, paytable: str) -> str:
    for loaded in load_all():
        if any(name == paytable for _, name in tables_of(loaded.book)):
            return f"a pay table of {loaded.book.id}, not of {book.id}"
    return f"{book.id} has {', '.join(name for _, name in tables_of(book))}"


def amount_if_any(field: str, text: str | None) -> Cents | None:
    """The same where one was given."""
    return None if text is None else amount(field, text)


def amount(field: str, text: str) -> Cents:
    """An argument in dollars, of a cent or more."""
    with Reading(f"`{field}`"):
        cents = parse_dollars(text)
    if cents < 1:
        raise NotationError("odds.no_amount", f"`{field}` {text}: at least a cent")
    return cents


def read_choices(entries: Iterable[str]) -> dict[str, Raw]:
    """The table's options, KEY=VALUE; an amount that cannot be read is named with its key."""
    choices = written_choices(entries, "odds.bad_table")
    for key, value in choices.items():
        read = _AMOUNTS.get(OPTIONS[key].kind) if key in OPTIONS else None
        if read is not None and value != "none":
            with Reading(f"`table` {key}={value}"):
                read(str(value))
    return choices


# ---------------------------------------------------------------- the table


def table_for(book: Rulebook, question: Question) -> Setup:
    """The table that a question is about; its minimum is the ante asked about, unless it is named.

    A side bet is told for its own sake, whatever else would have to be offered beside it: where
    that is all that a table lacks, its choice only says which pay table is meant.
    """
    choices = dict(question.table)
    try:
        return _table(book, question, choices)
    except SetupRefused:
        named = (*(offer.bet for offer in book.side_bets), _PROGRESSIVE_WAGER)
        rest = {k: v for k, v in choices.items() if k not in named}
        if len(rest) == len(choices):
            raise
        _require_named_tables(book, choices)
        return _table(book, question, rest)


def _require_named_tables(book: Rulebook, choices: Mapping[str, Raw]) -> None:
    """Whatever else is missing, a pay table that is named must be one that may be played."""
    wrong = ("paytable.not_allowed", "side_bet.not_offered", "option.not_allowed")
    problems = [
        problem
        for bet in (offer.bet for offer in book.side_bets if offer.bet in choices)
        for problem in draft_setup(book, {bet: choices[bet]}).problems
        if problem.code in wrong
    ]
    if problems:
        raise SetupRefused(problems)


def _table(book: Rulebook, question: Question, choices: Mapping[str, Raw]) -> Setup:
    stake = question.wager_cents if question.bet_in(book) in ("", "base") else None
    lowest = question.minimum_cents
    if lowest is not None or stake is None or "minimum" in choices:
        more = {} if lowest is None else {"minimum": show_dollars(lowest)}
        return set_up(book, {**choices, **more})
    try:
        return set_up(book, {**choices, "minimum": show_dollars(stake)})
    except SetupRefused:
        # It is the wager that is out of bounds, not a minimum that nobody asked for.
        play(open_round(set_up(book, choices)), a.Wager(seat=1, spot="ante", cents=stake))
        raise


def ante_of(setup: Setup, question: Question) -> Cents:
    """The ante asked about, if the table takes it; else the least that it takes."""
    if question.wager_cents is None or question.bet_in(setup.book) not in ("", "base"):
        return least_ante(setup)
    play(open_round(setup), a.Wager(seat=1, spot="ante", cents=question.wager_cents))
    return question.wager_cents


def stake_of(setup: Setup, question: Question, bet: str) -> Cents:
    """The side bet asked about, if the table takes it; else a dollar, or the least it takes."""
    if question.wager_cents is not None:
        _require_stake(setup, bet, question.wager_cents)
        return question.wager_cents
    try:
        _require_stake(setup, bet, DEFAULT_CENTS)
    except Refused:
        return setup.limits.bonuses[bet].minimum_cents or setup.limits.unit_cents
    return DEFAULT_CENTS


def _require_stake(setup: Setup, bet: str, cents: Cents) -> None:
    """The engine's own refusal of this stake at a table that offers the bet."""
    offer = setup.book.offer(bet)
    if offer is None:
        return
    table = next(t for t in setup.book.paytables if t.id == offer.paytables[0])
    laid = replace(setup, bonuses={**setup.bonuses, bet: table})
    earlier: dict[str, Cents] = dict.fromkeys(("ante", *offer.after, *offer.after_if), cents)
    state = Round(setup=laid, seats={1: Seat(wagers=earlier)})
    play(state, a.Wager(seat=1, spot=bet, cents=cents))


# ---------------------------------------------------------------- wishes for a design


def read_span(field: str, text: str | None) -> Span:
    """From..to, ends included, either of them open; a single figure is what would print so."""
    if text is None:
        return Span()
    low, dots, high = text.replace(" ", "").partition("..")
    if not dots:
        value, half = _figure(field, text, low)
        return Span(value - half, value + half)
    span = Span(*(_figure(field, text, end)[0] if end else None for end in (low, high)))
    if span == Span():
        raise NotationError(f"design.bad_{field}", f"`{field}` {text}: from where or to where?")
    if span.low is not None and span.high is not None and span.low > span.high:
        raise NotationError(f"design.bad_{field}", f"`{field}` {text}: it begins above its end")
    return span


def _figure(field: str, text: str, end: str) -> tuple[Fraction, Fraction]:
    """A figure, and half of the last place that it is written with."""
    share = field != "deviation"
    found = _FIGURE.fullmatch(end)
    if found is None or (found[1] and share != bool(found[3])):
        right = "percent (2.3%) or a fraction" if share else "a number (4.2) or a fraction"
        raise NotationError(f"design.bad_{field}", f"`{field}` {text}: {end!r} is not {right}")
    part = 100 if share else 1
    value = Fraction(found[4]) if found[4] else Fraction(found[1]) / part
    if value not in _ALLOWED[field]:
        right = "from 0% to 100%" if share else "from 0 on"
        raise NotationError(f"design.bad_{field}", f"`{field}` {text}: {right}")
    places = len(found[2] or "")
    return value, Fraction(0) if found[4] else Fraction(1, 2 * part * 10**places)


def read_pays(name: str, bounds: str, *, fixed_prizes: bool) -> tuple[Pays, ...]:
    """All that a line may pay, each once."""
    found: dict[Pays, None] = {}
    for piece in bounds.replace(" ", "").split(","):
        found |= dict.fromkeys(_piece(name, piece, fixed_prizes))
        if len(found) > MOST_VALUES:
            raise _too_many_values(name, len(found))
    return tuple(found)


def _piece(name: str, piece: str, fixed_prizes: bool) -> Iterable[Pays]:
    if piece.startswith("$") and fixed_prizes:
        try:
            return [Pays.parse(piece)]
        except NotationError as problem:
            raise NotationError(problem.code, f"`line` {name}: {problem}") from None
    found = _PIECE.fullmatch(piece)
    if found is None:
        right = "write 5, 1..50, 100..500/5, lose, push or several with commas"
        raise NotationError("design.bad_line", f"`line` {name}={piece}: {right}")
    low, high = (RUNGS[end] if end in RUNGS else int(end)
                 for end in (found[1], found[2] or found[1]))  # fmt: skip
    step = int(found[3] or 1)
    first = max(-(-low // step), 1)
    number = max(high // step - first + 1, 0)
    said = "it begins above its end" if low > high else ""
    if high > MOST_ODDS:
        said = f"odds up to {MOST_ODDS:,} are right"
    elif low > 0 and not number:
        said = said or f"no multiple of {step} is in it"
    if said:
        raise NotationError("design.bad_line", f"`line` {name}={piece}: {said}")
    if number > MOST_VALUES:
        raise _too_many_values(name, number)
    rungs = [*range(low, min(high, 0) + 1), *(step * one for one in range(first, first + number))]
    return map(_pays_at, rungs)


def _too_many_values(name: str, number: int) -> NotationError:
    text = f"{number:,} values, at most {MOST_VALUES:,}: give steps, as in 100..500/5"
    return NotationError("design.too_many", f"`line` {name}: {text}")


@cache
def _pays_at(rung: int) -> Pays:
    return Pays.parse({-1: "lose", 0: "push"}.get(rung, f"{rung} to 1"))
