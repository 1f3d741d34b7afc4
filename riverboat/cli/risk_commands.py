"""Commands about risk: sessions and bankrolls, and the game protection laboratory."""

from fractions import Fraction
from typing import Annotated, Any

import msgspec
from cyclopts import Parameter

from riverboat.cli.app import WHOLE, Json, RulebookName, app, tell
from riverboat.cli.mathematics_commands import Fresh, TableChoices, answer, saying
from riverboat.core.errors import NotationError
from riverboat.core.money import Cents, format_cents, parse_dollars
from riverboat.exact.caching import keep_compiled_code, kept
from riverboat.exact.questions.question import (
    Question,
    amount,
    ante_of,
    read_choices,
    stake_of,
    table_for,
    tables_of,
)
from riverboat.round.setup.setup import Raw, Setup
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_either

Wager = Annotated[str | None, Parameter(help="The first wager in dollars.")]
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

    keep_compiled_code()
    if rounds is not None and rounds < 1:
        raise NotationError("risk.no_rounds", f"--rounds {rounds}: at least one is needed")
    book = load_either(rulebook).book
    question = Question(bet=bet, wager_cents=_cents("wager", wager), table=_choices(table))
    chosen = _table_of(book, bet, paytable)
    with saying("Working it out"):
        wagered = answer(book, as_json, lambda: _wagered(book, question, chosen))
        if wagered is None:
            return 1
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

    keep_compiled_code()
    loaded = load_either(rulebook)
    asked = Question(wager_cents=_cents("wager", wager), table=_choices(table))
    laid = answer(loaded.book, as_json, lambda: _laid(loaded.book, asked))
    if laid is None:
        return 1
    setup, ante = laid
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


# ---------------------------------------------------------------- reading and saying


def _choices(table: list[str] | None) -> tuple[tuple[str, Raw], ...]:
    return tuple(sorted(read_choices(table or ()).items()))


def _laid(book: Rulebook, question: Question) -> tuple[Setup, Cents]:
    """The table and its ante, or the refusal of either."""
    setup = table_for(book, question)
    return setup, ante_of(setup, question)


def _table_of(book: Rulebook, bet: str, paytable: str | None) -> str:
    """The bonus table that is meant, the first of its bet where none is named."""
    offers: dict[str, tuple[str, ...]] = {o.bet: o.paytables for o in book.bonuses}
    if bet != "base" and bet not in offers:
        known = ", ".join(["base", *offers])
        raise NotationError("risk.unknown_bet", f"--bet {bet}: {book.id} has {known}")
    if bet == "base":
        if paytable is not None and ("base", paytable) not in tables_of(book):
            text = f"--paytable {paytable} is not the base game's; name the --bet that has it"
            raise NotationError("risk.unknown_paytable", text)
        return ""
    chosen = offers[bet][0] if paytable is None else paytable
    if chosen not in offers[bet]:
        text = f"--paytable {chosen}: {', '.join(offers[bet])} are allowed"
        raise NotationError("risk.unknown_paytable", text)
    return chosen


def _wagered(book: Rulebook, question: Question, paytable: str) -> Any:
    from riverboat.exact.risk.sessions import base_wager, side_wager

    setup, ante = _laid(book, question)
    if question.bet == "base":
        return base_wager(setup, ante)
    stake = stake_of(setup, question, question.bet)
    return side_wager(setup, question.bet, paytable, stake)


def _asked_for(wagered: Any, rounds: int | None, asked: dict[str, str | None]) -> dict[str, Any]:
    """Luck, ruin and hold, each if its flag was given; all of them need a number of rounds."""
    from riverboat.exact.risk.sessions import hold, long_run, luck, ruin

    units = {
        key: Fraction(cents, wagered.wager_cents)
        for key, text in asked.items()
        if key != "won" and (cents := _cents(key.replace("-", "_"), text)) is not None
    }
    goal = units.get("target")
    if goal is not None and not units.keys() & {"bankroll", "buy-in"}:
        raise NotationError("risk.no_bankroll", "--target needs a --bankroll or a --buy-in")
    for key in ("bankroll", "buy-in"):
        if key in units:
            _require_bankroll(wagered, key, units[key], goal, _needed(rounds, f"--{key}"))
    found: dict[str, Any] = {}
    if asked["won"] is not None:
        found["luck"] = luck(wagered, _needed(rounds, "--won"), _signed(asked["won"]))
    if "bankroll" in units:
        count = _needed(rounds, "--bankroll")
        ruined = ruin(wagered, units["bankroll"], count, target=goal)
        found["ruin"] = ruined
        found["long_run"] = long_run(wagered.distribution, ruined.bankroll, ruined.needed)
    if "buy-in" in units:
        count = _needed(rounds, "--buy-in")
        found["hold"] = hold(wagered, units["buy-in"], count, target=goal)
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


def _cents(flag: str, text: str | None) -> Cents | None:
    return None if text is None else amount(flag, text)


def _signed(text: str) -> Cents:
    sign, rest = (-1, text[1:]) if text.startswith("-") else (1, text)
    try:
        return sign * parse_dollars(rest)
    except NotationError as problem:
        raise NotationError(problem.code, f"--won: {problem}") from None


def _needed(rounds: int | None, flag: str) -> int:
    if rounds is None:
        raise NotationError("risk.no_rounds", f"{flag} needs --rounds")
    return rounds
