"""Commands about single rounds: scenario files, and the payout checker."""

import sys
from typing import Annotated

from cyclopts import Parameter

from riverboat.answers.checks import check_help, check_page, check_report
from riverboat.answers.payout_checker import (
    Request,
    nothing_owed,
    owed_in,
    settle,
    settle_page,
)
from riverboat.answers.rulebooks import refusal_page
from riverboat.cli.app import READ_BY_RULEBOOK, Json, RulebookName, app, refused_in_options, tell
from riverboat.core.errors import NotationError, Refused
from riverboat.rulebooks import load_all, load_either
from riverboat.scripts.checking import check_file


@app.command(name="check", help=check_help())
def check_scenarios(*files: str, as_json: Json = False) -> int:
    if not files:
        raise NotationError("check.no_file", "name at least one scenario file")
    results = [result for file in files for result in check_file(file)]
    for result in results:
        for problem in result.error.splitlines():
            sys.stderr.write(f"{result.file}: {result.name}: {problem}\n")
    holds = all(result.holds for result in results)
    status = tell(check_report(results), check_page(results), as_json=as_json, holds=holds)
    return 2 if any(result.error for result in results) else status


SideBets = Annotated[
    list[str] | None,
    Parameter(
        negative="",
        help="BET=DOLLARS, as often as needed; --BET DOLLARS is the same for every side bet of the "
        "rulebook (--progressive 1).",
    ),
]
Bets = Annotated[
    str | None,
    Parameter(
        help="Street bets as multiples of the ante (3,1,3); fewer: folded after them; "
        '"": folded at once. Default: the smallest at every decision.'
    ),
]
MeterNow = Annotated[
    str | None,
    Parameter(help="The meter as it stands when awards are paid; default: the seed."),
]
TableChoices = Annotated[
    list[str] | None,
    Parameter(
        negative="",
        help="KEY=VALUE, as often as needed: any option of the rulebook, and pay tables "
        "where there are several (BET=ID).",
    ),
]


@app.command(name="settle")
def settle_command(
    rulebook: RulebookName,
    /,
    *,
    ante: Annotated[str, Parameter(help="The ante in dollars.")],
    bets: Bets = None,
    cards: Annotated[str, Parameter(help='The player\'s cards ("9h 8h").')] = "",
    board: Annotated[str, Parameter(help='The community cards ("Qh Jh Th").')] = "",
    box: Annotated[str, Parameter(help="The four cards of the six card box.")] = "",
    dealer: Annotated[str, Parameter(help="The dealer's five cards.")] = "",
    side_bet: SideBets = None,
    meter: MeterNow = None,
    table: TableChoices = None,
    as_json: Json = False,
) -> int:
    """What each spot is owed, with its clause and the arithmetic."""
    book = load_either(rulebook).book
    request = Request(
        ante=ante,
        bets=bets,
        cards=cards,
        board=board,
        box=box,
        dealer=dealer,
        side_bets=_side_bets(side_bet or []),
        meter=meter,
        table=tuple(table or ()),
    )
    try:
        settled = settle(book, request)
    except Refused as found:
        refusal = refused_in_options(found)
        nothing, why = nothing_owed(book, refusal), refusal_page(book, refusal)
        return tell(nothing, why, as_json=as_json, holds=False)
    return tell(owed_in(settled), settle_page(settled), as_json=as_json)


def _side_bets(given: list[str]) -> dict[str, str]:
    """What is laid on each side bet, each once."""
    placed: dict[str, str] = {}
    for entry in given:
        bet, equals, amount = entry.partition("=")
        if not equals or bet in placed:
            text = f"--side-bet {entry}: write BET=DOLLARS, and each bet once"
            raise NotationError("settle.bad_side_bet", text)
        placed[bet] = amount
    return placed


def _bets_by_name(words: tuple[str, ...]) -> tuple[str, ...]:
    """`--progressive 1` is `--side-bet progressive=1`, for every bet that some rulebook has."""
    read: list[str] = []
    names: set[str] = set()
    rest = iter(words)
    for word in rest:
        flag, equals, amount = word.partition("=")
        name = flag.removeprefix("--").replace("-", "_")
        if not flag.startswith("--") or name in _OPTIONS:
            read.append(word)
            continue
        names = names or {offer.bet for one in load_all() for offer in one.book.side_bets}
        names |= _bets_of_file(words)
        if name not in names:
            read.append(word)
            continue
        given = amount if equals else next(rest, "")
        read += ["--side-bet", f"{name}={given}"]
    return tuple(read)


def _bets_of_file(words: tuple[str, ...]) -> set[str]:
    """The bets of a rulebook that is named by its file, which stands on no shelf."""
    if len(words) < 2 or not words[1].endswith(".toml"):
        return set()
    return {offer.bet for offer in load_either(words[1]).book.side_bets}


_OPTIONS = ("ante", "bets", "cards", "board", "box", "dealer", "side_bet", "meter", "table", "json")
READ_BY_RULEBOOK["settle"] = _bets_by_name
