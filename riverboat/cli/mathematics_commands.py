"""Commands about the mathematics: odds, advice, figures of the documents, simulations."""

import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from cyclopts import Parameter

from riverboat.answers.rulebooks import refusal_page
from riverboat.cli.app import WHOLE, Json, RulebookName, app, refused_in_options, tell
from riverboat.core.errors import Refused
from riverboat.exact.caching import is_kept
from riverboat.exact.questions.bet_odds import odds_document
from riverboat.exact.questions.question import amount, read_choices, read_question
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_either, rulebook_ids

T = TypeVar("T")

_FIRST_TIME = "Working it out; the first time this compiles for some seconds"

Wager = Annotated[
    str | None,
    Parameter(help="The first wager in dollars; default: 1, or the least that the table takes."),
]
Minimum = Annotated[str | None, Parameter(help="The table's minimum; default: the wager.")]
Meter = Annotated[
    str | None,
    Parameter(help="The meter as it stands when awards are paid; default: the seed."),
]
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
            sys.stderr.write(f"\r\x1b[K{words}{more}")
            sys.stderr.flush()

    say(" …")
    try:
        yield say
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def answer(book: Rulebook, as_json: bool, ask: Callable[[], T]) -> T | None:
    """An answer; or nothing, after the refusal and its clauses were printed."""
    try:
        return ask()
    except Refused as found:
        refusal = refused_in_options(found)
        said = {"code": refusal.code, "words": str(refusal), "cites": refusal.cites}
        document = {"rulebook": book.id, "refused": said}
        tell(document, refusal_page(book, refusal), as_json=as_json)
        return None


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
    question = read_question(
        loaded.book, bet=bet, paytable=paytable, wager=wager, minimum=minimum, meter=meter,
        others=others, table=table or (),
    )  # fmt: skip

    def work() -> Any:
        if not fresh and is_worked_out(loaded, question):
            return odds_of(loaded, question)
        with saying(_FIRST_TIME):
            return odds_of(loaded, question, fresh=fresh)

    odds = answer(loaded.book, as_json, work)
    if odds is None:
        return 1
    from riverboat.answers.odds import odds_page

    return tell(odds_document(odds), odds_page(loaded.book, odds), as_json=as_json)


@app.command(name="advise")
def advise_command(
    rulebook: RulebookName,
    cards: str,
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
    """The exact value of every choice in one situation, in antes.

    Parameters
    ----------
    name
        A rulebook's id, or the path of a .toml file.
    cards
        The player's own cards ("Ah Kd").
    """
    from riverboat.exact.questions.advice import advice_document, advise_in, read_situation

    book = load_either(rulebook).book
    question = read_question(book, wager=wager, minimum=minimum, table=table or ())
    situation = read_situation(book, cards, board, bets, upcard, know)

    def work() -> Any:
        with saying("Working it out"):
            return advise_in(book, situation, question)

    found = answer(book, as_json, work)
    if found is None:
        return 1
    advice, ante = found
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
    from riverboat.exact.questions.published import (
        published_document,
        published_of,
        published_question,
    )

    found = map(load_either, names or rulebook_ids())
    loaded = list({one.sha256: one for one in found}.values())
    if is_kept(published_question(loaded)) and not fresh:
        report = published_of(loaded)
    else:
        with saying(_FIRST_TIME):
            report = published_of(loaded, fresh=fresh)
    from riverboat.answers.comparisons import published_page

    return tell(
        published_document(report),
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
    cluster: Annotated[str | None, Parameter(help="Not built yet.")] = None,
    table: TableChoices = None,
    as_json: Json = False,
) -> int:
    """Rounds through the engine, every bet placed and the best play, beside what is exact."""
    if cluster is not None:
        sys.stderr.write("riverboat simulate --cluster: not built yet\n")
        return 2
    from riverboat.exact.questions.simulation import simulate, simulation_document

    book = load_either(rulebook).book
    choices = read_choices(table or ())
    start = secrets.randbelow(2**32) if seed is None else seed

    def work() -> Any:
        with saying("Playing") as say:
            return simulate(
                book, rounds, seats=seats, seed=start, table=choices,
                progress=lambda done: say(f": {done:,} of {rounds:,} rounds"),
            )  # fmt: skip

    found = answer(book, as_json, work)
    if found is None:
        return 1
    from riverboat.answers.odds import simulation_page

    return tell(simulation_document(found), simulation_page(book, found), as_json=as_json)


@app.command(name="compare")
def compare_command(
    *names: str,
    bet: Annotated[str, Parameter(help="One bet only: base, or a side bet's name.")] = "",
    ante: Annotated[str, Parameter(help="The ante in dollars.")] = "15",
    bonus: Annotated[str, Parameter(help="The side bets in dollars.")] = "5",
    pace: Annotated[int, WHOLE, Parameter(help="Rounds an hour.")] = 45,
    seats: Annotated[int | None, WHOLE, Parameter(help="Seats that play; default: all.")] = None,
    hours: Annotated[int, WHOLE, Parameter(help="Hours that a player is rated for.")] = 1,
    as_json: Json = False,
) -> int:
    """Rulebooks and pay tables side by side: edge, win an hour, volatility, exposure, liability.

    Parameters
    ----------
    names
        Rulebooks, by id or file; ID:TABLE for one pay table of it.
    """
    from riverboat.exact.risk.comparison import Stakes, compared, comparison_document

    stakes = Stakes(
        ante_cents=amount("ante", ante),
        bonus_cents=amount("bonus", bonus),
        rounds_an_hour=pace,
        seats=seats,
        hours=Fraction(hours),
    )
    with saying(_FIRST_TIME):
        sheets = compared(names, stakes, bet)
    from riverboat.answers.comparisons import comparison_page

    return tell(comparison_document(sheets), comparison_page(sheets), as_json=as_json)
