"""Commands about rounds: scenario files, the payout checker, a table in the terminal."""

import io
import sys
from typing import Annotated

from cyclopts import Parameter

from riverboat import reports
from riverboat.checking import check_file
from riverboat.cli.app import WHOLE, Json, app, print_blocks, print_json
from riverboat.cli.rulebook_commands import welcome
from riverboat.errors import NotationError, Refused
from riverboat.pages.check_page import check_help, check_page
from riverboat.pages.settle_page import refusal_page, settle_page
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load_either
from riverboat.settling import Request, refusal_document, settle, settle_document


@app.command(name="check", help=check_help())
def check_scenarios(*files: str, as_json: Json = False) -> int:
    if not files:
        raise NotationError("check.no_file", "name at least one scenario file")
    results = [result for file in files for result in check_file(file)]
    for result in results:
        for problem in result.error.splitlines():
            sys.stderr.write(f"{result.file}: {result.name}: {problem}\n")
    if as_json:
        print_json(reports.check_report(results))
    else:
        print_blocks(check_page(results))
    if any(result.error for result in results):
        return 2
    return 0 if all(result.holds for result in results) else 1


Amount = Annotated[str | None, Parameter(help="Its wager in dollars.")]
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
        "where there are several (three_card_bonus=ID).",
    ),
]


@app.command(name="settle")
def settle_command(
    name: str,
    *,
    ante: Annotated[str, Parameter(help="The ante in dollars.")],
    bets: Bets = None,
    cards: Annotated[str, Parameter(help='The player\'s cards ("9h 8h").')] = "",
    board: Annotated[str, Parameter(help='The community cards ("Qh Jh Th").')] = "",
    box: Annotated[str, Parameter(help="The four cards of the six card box.")] = "",
    dealer: Annotated[str, Parameter(help="The dealer's five cards.")] = "",
    three_card_bonus: Amount = None,
    six_card_bonus: Amount = None,
    bonus: Amount = None,
    progressive: Amount = None,
    meter: MeterNow = None,
    table: TableChoices = None,
    as_json: Json = False,
) -> int:
    """What each spot is owed, with its clause and the arithmetic.

    Parameters
    ----------
    name
        A rulebook's id, or the path of a .toml file.
    """
    placed = {
        "three_card_bonus": three_card_bonus,
        "six_card_bonus": six_card_bonus,
        "bonus": bonus,
        "progressive": progressive,
    }
    request = Request(
        ante=ante,
        bets=bets,
        cards=cards,
        board=board,
        box=box,
        dealer=dealer,
        side_bets={bet: amount for bet, amount in placed.items() if amount is not None},
        meter=meter,
        table=tuple(table or ()),
    )
    return _settle(load_either(name).book, request, as_json=as_json)


def _settle(book: Rulebook, request: Request, *, as_json: bool) -> int:
    try:
        settled = settle(book, request)
    except Refused as refusal:
        if as_json:
            print_json(refusal_document(book, refusal))
        else:
            print_blocks(refusal_page(book, refusal))
        return 1
    if as_json:
        return print_json(settle_document(book, settled))
    return print_blocks(settle_page(settled))


@app.command(name="play")
def play_command(
    name: str,
    *,
    seats: Annotated[int | None, WHOLE, Parameter(help="Seats; default: the rulebook's.")] = None,
    seat: Annotated[int | None, WHOLE, Parameter(help="Your seat; default: in the middle.")] = None,
    seed: Annotated[
        int | None, WHOLE, Parameter(help="The same seed deals the same cards.")
    ] = None,
    coach: Annotated[
        bool, Parameter(negative="", help="Say at every decision what each choice is worth.")
    ] = False,
    best_bots: Annotated[
        bool, Parameter(negative="", help="Bots that make the best decisions, not simple ones.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Play at a table in the terminal: automatic dealer, bots, every payout explained.

    With --json the table is shown on standard error, and what came of it is the document.

    Parameters
    ----------
    name
        A rulebook's id, or the path of a .toml file.
    """
    from riverboat.terminal import play_sitting  # the shell is needed here alone

    book = load_either(name).book
    places = seats if seats is not None else int(book.options["seats"].default or 1)
    status, report = play_sitting(
        book,
        seats=places,
        seat=seat if seat is not None else (places + 1) // 2,
        seed=seed,
        input=sys.stdin or io.StringIO(),
        output=sys.stderr if as_json else sys.stdout,
        coached=coach,
        best=best_bots,
    )
    return print_json(report) or status if as_json else status


@app.default
def main_job(*, as_json: Json = False) -> int:
    """The floor in the browser; as JSON, the rulebooks and what to try next."""
    if as_json:
        return welcome(as_json=True)
    from riverboat.cli.serve_command import serve_command

    return serve_command()
