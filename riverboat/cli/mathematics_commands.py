"""Commands about the mathematics: odds, advice, simulations, comparisons, risk, designs."""

import secrets
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from riverboat.answers.rulebooks import refusal_page
from riverboat.cli.app import (
    WHOLE,
    Answered,
    Json,
    Meter,
    RulebookName,
    app,
    refused_in_options,
    tell,
)
from riverboat.core.errors import NotationError, Reading, Refused
from riverboat.core.money import Cents, format_cents, parse_dollars
from riverboat.core.visible import visible
from riverboat.exact.caching import is_kept, kept
from riverboat.exact.questions import question as q
from riverboat.exact.questions.bet_odds import odds_document
from riverboat.round.setup.choices import Raw
from riverboat.round.setup.setup import Setup
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_either, rulebook_ids

_FIRST_TIME = "Working it out; the first time this compiles for some seconds"

Wager = Annotated[
    str | None,
    Parameter(help="The first wager in dollars; default: 1, or the least that the table takes."),
]
Minimum = Annotated[str | None, Parameter(help="The table's minimum; default: the wager.")]

Others = Annotated[
    int | None, WHOLE, Parameter(help="Other players whose hands can earn an envy bonus.")
]
TableChoices = Annotated[
    list[str] | None,
    Parameter(
        name=("--table", "--set"),
        negative="",
        help="KEY=VALUE, as often as needed: any option of the rulebook.",
    ),
]
Fresh = Annotated[
    bool, Parameter(negative="", help="Work everything out again, and keep the new result.")
]


@contextmanager
def saying(words: str) -> Iterator[Callable[[str], None]]:
    """A line on a terminal's standard error while work is done; it is wiped away after it."""
    shown = sys.stderr is not None and sys.stderr.isatty()

    def say(more: str) -> None:
        if shown:
            sys.stderr.write(f"\r\x1b[K{visible(words + more)}")
            sys.stderr.flush()

    say(" …")
    try:
        yield say
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


@contextmanager
def refusals(book: Rulebook, as_json: bool) -> Iterator[None]:
    """What the rules refuse meanwhile is printed with its clauses, and is the answer."""
    try:
        yield
    except Refused as found:
        refusal = refused_in_options(found)
        said = {"code": refusal.code, "words": str(refusal), "cites": refusal.cites}
        document = {"rulebook": book.id, "refused": said}
        tell(document, refusal_page(book, refusal), as_json=as_json)
        raise Answered from None


@app.command(name="odds")
def odds_command(
    rulebook: RulebookName,
    /,
    *,
    bet: Annotated[str | None, Parameter(help="One bet only: base, or a side bet's name.")] = None,
    paytable: Annotated[str | None, Parameter(help="One pay table only, by its id.")] = None,
    wager: Wager = None,
    minimum: Minimum = None,
    meter: Meter = None,
    others: Others = None,
    table: TableChoices = None,
    fresh: Fresh = False,
    as_json: Json = False,
) -> int:
    """Exact figures for every bet of a rulebook, under every pay table.

    With --bet base also what simpler ways to play cost. Results are kept on disk.
    """
    from riverboat.exact.questions.every_bet import is_worked_out, odds_of

    loaded = load_either(rulebook)
    question = q.read_question(
        loaded.book, bet=bet, paytable=paytable, wager=wager, minimum=minimum, meter=meter,
        others=others, table=table or (),
    )  # fmt: skip

    at_once = not fresh and is_worked_out(loaded, question)
    with refusals(loaded.book, as_json), nullcontext() if at_once else saying(_FIRST_TIME):
        odds = odds_of(loaded, question, fresh=fresh)
    from riverboat.answers.odds import odds_page

    return tell(odds_document(odds), odds_page(loaded.book, odds), as_json=as_json)


@app.command(name="advise")
def advise_command(
    rulebook: RulebookName,
    cards: Annotated[str, Parameter(help='The player\'s own cards ("Ah Kd").')],
    /,
    *,
    board: Annotated[str, Parameter(help='The community cards that are turned ("Qs").')] = "",
    bets: Annotated[str, Parameter(help="The street bets made so far (3,1).")] = "",
    upcard: Annotated[str, Parameter(help="The dealer's card that is up (Kc).")] = "",
    know: Annotated[str, Parameter(help='Further cards that you have seen ("9c 9d").')] = "",
    wager: Wager = None,
    minimum: Minimum = None,
    table: TableChoices = None,
    as_json: Json = False,
) -> int:
    """The exact value of every choice in one situation, in antes."""
    from riverboat.exact.questions.advice import advice_document, advise_in, read_situation

    book = load_either(rulebook).book
    question = q.read_question(book, wager=wager, minimum=minimum, table=table or ())
    situation = read_situation(book, cards, board, bets, upcard, know)

    with refusals(book, as_json), saying("Working it out"):
        advice, ante = advise_in(book, situation, question)
    from riverboat.answers.odds import advice_page

    return tell(
        advice_document(book, advice), advice_page(book, situation, advice, ante), as_json=as_json
    )


@app.command(name="published")
def published_command(*names: str, fresh: Fresh = False, as_json: Json = False) -> int:
    """Recompute every figure that the source documents print, and say which agree.

    Parameters
    ----------
    names
        Rulebooks, by id or file; default: all in the house.
    """
    from riverboat.exact.questions import published

    found = map(load_either, names or rulebook_ids())
    loaded = list({one.sha256: one for one in found}.values())
    at_once = not fresh and is_kept(published.published_question(loaded))
    with nullcontext() if at_once else saying(_FIRST_TIME):
        report = published.published_of(loaded, fresh=fresh)
    from riverboat.answers.odds import published_page

    return tell(
        published.published_document(report),
        published_page(report, [one.book.id for one in loaded]),
        as_json=as_json,
    )


@app.command(name="simulate")
def simulate_command(
    rulebook: RulebookName,
    /,
    *,
    rounds: Annotated[int, WHOLE, Parameter(help="How many rounds.")],
    seats: Annotated[int | None, WHOLE, Parameter(help="Seats; default: the rulebook's.")] = None,
    seed: Annotated[
        int | None, WHOLE, Parameter(help="The same seed plays the same rounds.")
    ] = None,
    strategy: Annotated[
        str, Parameter(help="best, a rule of thumb by name, or FILE.py:FUNCTION of your own.")
    ] = "best",
    processes: Annotated[
        int | None, WHOLE, Parameter(help="Processes here; default: one for each core.")
    ] = None,
    cluster: Annotated[str | None, Parameter(help="The scheduler of a Dask cluster.")] = None,
    checkpoint: Annotated[
        Path | None, Parameter(help="Where to keep what is done, and to go on from.")
    ] = None,
    table: TableChoices = None,
    as_json: Json = False,
) -> int:
    """Rounds of a full table, every bet placed, compiled; beside what is exact."""
    from riverboat.simulate.simulating import simulate, simulation_document
    from riverboat.simulate.workers import Where

    book = load_either(rulebook).book
    choices = q.read_choices(table or ())
    start = secrets.randbelow(2**32) if seed is None else seed
    where = Where(processes, cluster, checkpoint)

    with refusals(book, as_json), saying("Playing") as say:
        found = simulate(
            book, rounds, seats=seats, seed=start, table=choices, strategy=strategy, where=where,
            progress=Rate(rounds, say),
        )  # fmt: skip
    from riverboat.answers.odds import simulation_page

    return tell(simulation_document(found), simulation_page(book, found), as_json=as_json)


class Rate:
    """How far a simulation is, how fast, and how long it still takes."""

    def __init__(self, rounds: int, say: Callable[[str], object]) -> None:
        self.rounds, self.say = rounds, say
        self.first: tuple[int, float] | None = None

    def __call__(self, done: int) -> None:
        """So many rounds are done."""
        now = time.monotonic()
        if self.first is None:
            self.first = done, now
        before, began = self.first
        told = f": {done:,} of {self.rounds:,} rounds"
        if done > before and now > began:
            rate = (done - before) / (now - began)
            told += f", {rate:,.0f} a second, {(self.rounds - done) / rate:.0f} s left"
        self.say(told)


@app.command(name="compare")
def compare_command(
    *names: Annotated[
        str, Parameter(help="Rulebooks, by id or file; ID:TABLE for one pay table of it.")
    ],
    bet: Annotated[str, Parameter(help="One bet only: base, or a side bet's name.")] = "",
    ante: Annotated[str, Parameter(help="The ante in dollars.")] = "15",
    bonus: Annotated[str, Parameter(help="The side bets in dollars.")] = "5",
    pace: Annotated[int, WHOLE, Parameter(help="Rounds an hour.")] = 45,
    seats: Annotated[int | None, WHOLE, Parameter(help="Seats that play; default: all.")] = None,
    hours: Annotated[int, WHOLE, Parameter(help="Hours that a player is rated for.")] = 1,
    as_json: Json = False,
) -> int:
    """Rulebooks and pay tables side by side: edge, win an hour, volatility, exposure, liability."""
    from riverboat.exact.risk.comparison import Stakes, compared, comparison_document

    stakes = Stakes(
        ante_cents=q.amount("ante", ante),
        bonus_cents=q.amount("bonus", bonus),
        rounds_an_hour=pace,
        seats=seats,
        hours=Fraction(hours),
    )
    with saying(_FIRST_TIME):
        sheets = compared(names, stakes, bet)
    from riverboat.answers.odds import comparison_page

    return tell(comparison_document(sheets), comparison_page(sheets), as_json=as_json)


_SESSIONS = (100, 500, 2_000)
_MONTHS = (10_000, 100_000, 1_000_000)


@app.command(name="risk")
def risk_command(
    rulebook: RulebookName,
    /,
    *,
    bet: Annotated[str, Parameter(help="base, or a side bet by its name.")] = "base",
    paytable: Annotated[str | None, Parameter(help="A bonus's pay table, by its id.")] = None,
    wager: Wager = None,
    rounds: Annotated[int | None, WHOLE, Parameter(help="How many rounds are played.")] = None,
    bankroll: Annotated[str | None, Parameter(help="What the player brings, in dollars.")] = None,
    target: Annotated[str | None, Parameter(help="The player leaves with this much.")] = None,
    buy_in: Annotated[str | None, Parameter(help="For the hold: one buy-in, in dollars.")] = None,
    won: Annotated[
        str | None,
        Parameter(allow_leading_hyphen=True, help="What the house won in those rounds: luck?"),
    ] = None,
    table: TableChoices = None,
    as_json: Json = False,
) -> int:
    """Session outcomes, win over handle, ruin and hold, from the exact distribution."""
    from riverboat.answers.risks import Risk, risk_document, risk_page
    from riverboat.exact.risk.sessions import handle_bands, session_bands

    if rounds is not None and rounds < 1:
        raise NotationError("risk.no_rounds", f"--rounds {rounds}: at least one is needed")
    book = load_either(rulebook).book
    question = q.Question(
        bet=bet, wager_cents=q.amount_if_any("wager", wager), table=_choices(table)
    )
    chosen = _table_of(book, bet, paytable)
    with saying("Working it out"):
        with refusals(book, as_json):
            wagered = _wagered(book, question, chosen)
        counts = _SESSIONS if rounds is None else (rounds,)
        sessions = [session_bands(wagered, count) for count in counts]
        months = _MONTHS if rounds is None else (rounds,)
        handles = [handle_bands(wagered, count) for count in months]
        asked = {"bankroll": bankroll, "target": target, "buy-in": buy_in, "won": won}
        found = Risk(wagered, sessions, handles, **_asked_for(wagered, rounds, asked))

    return tell(risk_document(found), risk_page(found), as_json=as_json)


@app.command(name="protect")
def protect_command(
    rulebook: RulebookName,
    /,
    *,
    wager: Wager = None,
    pace: Annotated[int, WHOLE, Parameter(help="Rounds an hour.")] = 45,
    hands: Annotated[int, WHOLE, Parameter(help="Up to how many other hands are seen.")] = 5,
    samples: Annotated[
        int, WHOLE, Parameter(help="Deals drawn where a figure is sampled.")
    ] = 20_000,
    seed: Annotated[int, WHOLE, Parameter(help="The same seed draws the same deals.")] = 1,
    fresh: Fresh = False,
    table: TableChoices = None,
    as_json: Json = False,
) -> int:
    """What forbidden knowledge is worth, and what a change of the rules is.

    Community cards, a covered card of the dealer's, other players' hands: exact, or sampled with
    a stated error. Results are kept on disk.
    """
    from riverboat.exact.protection.report import Watch, protection_document

    loaded = load_either(rulebook)
    asked = q.Question(wager_cents=q.amount_if_any("wager", wager), table=_choices(table))
    with refusals(loaded.book, as_json):
        setup, ante = _laid(loaded.book, asked)
    watch = Watch(ante_cents=ante, rounds_an_hour=pace, hands=hands, samples=samples, seed=seed)
    question = {
        "asked": "protect",
        "rulebook": loaded.sha256,
        "table": dict(asked.table),
        "watch": msgspec.to_builtins(watch),
    }
    with saying("Working it out") as say:

        def so_far(what: str, done: int, whole: int) -> None:
            say(f": {what}, {done:,} of {whole:,}")

        document = kept(question, lambda: protection_document(setup, watch, so_far), fresh=fresh)
    from riverboat.answers.risks import protection_page

    return tell(document, protection_page(document), as_json=as_json)


@app.command(name="design")
def design_command(
    rulebook: RulebookName,
    /,
    *,
    bet: Annotated[str, Parameter(help="A side bet that goes by one hand, by its name.")],
    line: Annotated[
        list[str] | None,
        Parameter(
            negative="",
            help="HANDS=BOUNDS, as often as needed: flush=3..5, royal_flush=100..1000/50, "
            "two_pair=push..2, pair_QKA=1; default: as the rulebook's own tables pay.",
        ),
    ] = None,
    edge: Annotated[
        str | None,
        Parameter(
            allow_leading_hyphen=True,
            help="The house edge: 2%..3%, ends included, ..3%, or 2.3%: what prints so.",
        ),
    ] = None,
    hit: Annotated[
        str | None, Parameter(help="The share of rounds that pay above the stake: 20%..30%.")
    ] = None,
    deviation: Annotated[
        str | None, Parameter(help="The standard deviation of one wager: 3..5.")
    ] = None,
    any_order: Annotated[
        bool, Parameter(negative="", help="Commoner hands may pay more than rarer ones.")
    ] = False,
    count: Annotated[int, WHOLE, Parameter(help="How many are listed; all are counted.")] = 20,
    wager: Wager = None,
    table: TableChoices = None,
    as_json: Json = False,
) -> int:
    """Pay tables that meet a wanted edge, hit frequency and volatility, exactly, the fastest first.

    Fastest: the fewest rounds show the edge above its own noise, (deviation / edge)².
    """
    from riverboat.exact.design.designs import design, read_asked

    book = load_either(rulebook).book
    asked = read_asked(
        q.read_question(book, bet=bet, wager=wager, table=table or ()), lines=line or (),
        edge=edge, hit=hit, deviation=deviation, any_order=any_order, count=count,
    )  # fmt: skip
    with refusals(book, as_json), saying(_FIRST_TIME) as say:
        found = design(book, asked, lambda done, whole: say(f": {done:,} of {whole:,} tables"))
    from riverboat.answers.risks import design_document, design_page

    return tell(
        design_document(found), design_page(book, found), as_json=as_json, holds=found.found > 0
    )


# ---------------------------------------------------------------- reading and saying


def _choices(table: list[str] | None) -> tuple[tuple[str, Raw], ...]:
    return tuple(sorted(q.read_choices(table or ()).items()))


def _laid(book: Rulebook, question: q.Question) -> tuple[Setup, Cents]:
    """The table and its ante, or the refusal of either."""
    setup = q.table_for(book, question)
    return setup, q.ante_of(setup, question)


def _table_of(book: Rulebook, bet: str, paytable: str | None) -> str:
    """The bonus table that is meant, the first of its bet where none is named."""
    offers: dict[str, tuple[str, ...]] = {o.bet: o.paytables for o in book.bonuses}
    if bet != "base" and bet not in offers:
        known = ", ".join(["base", *offers])
        raise NotationError("risk.unknown_bet", f"--bet {bet}: {book.id} has {known}")
    if bet == "base":
        if paytable is not None and ("base", paytable) not in q.tables_of(book):
            text = f"--paytable {paytable} is not the base game's; name the --bet that has it"
            raise NotationError("risk.unknown_paytable", text)
        return ""
    chosen = offers[bet][0] if paytable is None else paytable
    if chosen not in offers[bet]:
        text = f"--paytable {chosen}: {', '.join(offers[bet])} are allowed"
        raise NotationError("risk.unknown_paytable", text)
    return chosen


def _wagered(book: Rulebook, question: q.Question, paytable: str) -> Any:
    from riverboat.exact.risk.sessions import base_wager, side_wager

    setup, ante = _laid(book, question)
    if question.bet == "base":
        return base_wager(setup, ante)
    return side_wager(setup, question.bet, paytable, q.stake_of(setup, question, question.bet))


def _asked_for(wagered: Any, rounds: int | None, asked: dict[str, str | None]) -> dict[str, Any]:
    """Luck, ruin and hold, each if its flag was given; all of them need a number of rounds."""
    from riverboat.exact.risk.sessions import hold, long_run, luck, ruin

    units = {
        key: Fraction(cents, wagered.wager_cents)
        for key, text in asked.items()
        if key != "won" and (cents := q.amount_if_any(key.replace("-", "_"), text)) is not None
    }
    goal = units.pop("target", None)
    if goal is not None and not units:
        raise NotationError("risk.no_bankroll", "--target needs a --bankroll or a --buy-in")
    if rounds is None:
        for key in (*units, *(("won",) if asked["won"] is not None else ())):
            raise NotationError("risk.no_rounds", f"--{key} needs --rounds")
        return {}
    for key, brought in units.items():
        _require_bankroll(wagered, key, brought, goal, rounds)
    found: dict[str, Any] = {}
    if asked["won"] is not None:
        found["luck"] = luck(wagered, rounds, _signed(asked["won"]))
    if "bankroll" in units:
        ruined = found["ruin"] = ruin(wagered, units["bankroll"], rounds, target=goal)
        found["long_run"] = long_run(wagered.distribution, ruined.bankroll, ruined.needed)
    if "buy-in" in units:
        found["hold"] = hold(wagered, units["buy-in"], rounds, target=goal)
    return found


def _require_bankroll(
    wagered: Any, key: str, units: Fraction, goal: Fraction | None, rounds: int
) -> None:
    """Enough for a round, and not yet at the target, in the words of the arguments."""
    from riverboat.exact.risk.sessions import MOST_ROUNDS_STEPPED, largest_loss

    def dollars(wagers: Fraction) -> str:
        return format_cents(int(wagers * wagered.wager_cents))

    if rounds > MOST_ROUNDS_STEPPED:
        text = f"--rounds {rounds}: with --{key} at most {MOST_ROUNDS_STEPPED:,}, one by one"
        raise NotationError("risk.bad_rounds", text)
    least = largest_loss(wagered.distribution)
    if units < least:
        text = f"--{key} {dollars(units)}: one round can cost {dollars(least)}; bring that or more"
        raise NotationError("risk.bad_bankroll", text)
    if goal is not None and goal <= units:
        text = f"--target {dollars(goal)} is not above --{key} {dollars(units)}"
        raise NotationError("risk.bad_target", text)


def _signed(text: str) -> Cents:
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text)
    with Reading("--won"):
        return sign * parse_dollars(rest)
