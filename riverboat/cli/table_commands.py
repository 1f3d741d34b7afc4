"""Commands about tables: configurations, days and prompts; a table to play, the floor to serve."""

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from msgspec.structs import replace

from riverboat.answers import days
from riverboat.cli.app import WHOLE, Json, RulebookName, app, print_blocks, print_json, tell
from riverboat.cli.ledger_commands import Database
from riverboat.cli.rulebook_commands import welcome
from riverboat.core.errors import NotationError, Problem
from riverboat.evidence.round_export import export_round
from riverboat.evidence.round_file import write_round
from riverboat.rulebooks import editions, load_either, read_text
from riverboat.scripts import day_library as library
from riverboat.table.configuration.configure import ConfigurationRefused, configure
from riverboat.table.configuration.particulars import configuration_document, refused_document
from riverboat.table.configuration.submission import parse_submission, require_known_areas
from riverboat.wording.pit_log import pit_log

if TYPE_CHECKING:
    from riverboat.web.server.serving import Address


@app.command(name="configure")
def configure_command(file: str, /, *, as_json: Json = False) -> int:
    """Validate a table's rules submission, clause by clause.

    Prints what is played with its clauses, the configuration's hash and the rulebook's; or every
    problem at once, each with its clause. What the file leaves out is as the rulebook's standard
    table has it.

    Parameters
    ----------
    file
        A submission in TOML: rulebook, [table] with the choices, and whatever departs from the
        standard table (decks, shuffle, device, shoe, layout, equipment, signs, without, approvals).
        Shoe, layout and equipment can say where they are (place).
    """
    submission = parse_submission(read_text(file), path=file)
    try:
        loaded = load_either(submission.rulebook, beside=file)
        submission = replace(submission, rulebook=loaded.book.id)
    except NotationError as problem:
        raise NotationError(problem.code, str(Problem(file, "rulebook", str(problem)))) from None
    try:
        require_known_areas(submission, (book for book, _ in editions(loaded).values()))
        configuration = configure(loaded.book, submission, rulebook_sha256=loaded.sha256)
    except NotationError as problem:
        lines = (f"{file}: {line}" for line in str(problem).splitlines())
        raise NotationError(problem.code, "\n".join(lines)) from None
    except ConfigurationRefused as refusal:
        page = days.refused_page(loaded.book, submission.name, refusal.problems)
        document = refused_document(loaded.book.id, refusal.problems)
        return tell(document, page, as_json=as_json, holds=False)
    page = days.configuration_page(configuration)
    return tell(configuration_document(configuration), page, as_json=as_json)


@app.command(name="day")
def day_command(
    name: str | None = None,
    /,
    *,
    verbose: Annotated[bool, Parameter(negative="", help="A line for every event.")] = False,
    export: Annotated[
        str | None, Parameter(help="Write each finished round to a file in this folder.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Play a scripted day at a table, and print its pit log: when, who, what, and the clauses.

    Exit status 0: everything came out as the script has it, and the win by the tray is the win by
    the rounds; 1: it did not; 2: the script cannot be read.

    Parameters
    ----------
    name
        A rulebook's id, or the path of a .toml file: a house's own rulebook, which has an ordinary
        day, or [[day]] tables; default: the fullest day.
    """
    documents, holds = [], True
    for played in library.play_days(name or library.fullest_day()):
        runner = played.runner
        log = list(pit_log(runner.happened, runner.tried, verbose=verbose))
        summary = library.summarize(runner.happened, runner.day)
        holds = holds and not runner.failed and summary.agrees
        if export is not None:
            _export(played, Path(export))
        if as_json:
            documents.append(library.day_document(played, log, summary))
        else:
            print_blocks(days.day_page(played, log, summary, verbose=verbose))
    if as_json:
        print_json({"days": documents})
    return 0 if holds else 1


def _export(played: library.Played, folder: Path) -> None:
    """Every round of the day that is over, one file each."""
    runner = played.runner
    entries = [one.entry for one in runner.happened]
    last = runner.day.round_number - runner.day.in_round
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, last + 1):
            document = export_round(entries, number, table=runner.day.table, books=runner.day.books)
            file = folder / f"{played.script.rulebook}-round-{number:03}.json"
            file.write_text(write_round(document), "utf-8")
    except OSError as problem:
        reason = problem.strerror or "cannot be written"
        raise NotationError("export.cannot_write", f"{folder}: {reason}") from None


@app.command(name="prompts")
def prompts_command(rulebook: RulebookName, /, *, as_json: Json = False) -> int:
    """Print the prompts of a whole opening and of one whole round: who does what, and why.

    Three players sit down, with every side bet of the rulebook; the second one folds.
    """
    loaded = load_either(rulebook)
    asked = loaded.book, library.prompted_day(loaded.book, loaded.sha256)
    return tell(days.prompts_document(*asked), days.prompts_page(*asked), as_json=as_json)


HIGHEST_PORT = 65_535
MOST_SIGNER_HOURS = 720
SignerHours = Annotated[
    int, Parameter(help="How long who signs for money waits before they count as a second.")
]
Secret = Annotated[
    str, Parameter(help="The floor's secret, a file; the same for all processes of a floor.")
]
Witness = Annotated[
    str, Parameter(help="Who else keeps the ledger's signed heads: http://… or a file.")
]
NewFloor = Annotated[
    bool, Parameter(negative="", help="Begin a new ledger with a secret that is there already.")
]

Demo = Annotated[
    bool, Parameter(negative="", help="Let visitors in without a password, from anywhere.")
]
Https = Annotated[
    bool, Parameter(negative="", help="Cookies over HTTPS only: behind a proxy that has it.")
]
Thinking = Annotated[
    float, Parameter(help="How long a seat may think while others wait; 0: no limit.")
]
Pace = Annotated[float, Parameter(help="The automatic dealer's pace; 0.5 is twice as fast.")]
Log = Annotated[
    Literal["info", "warning", "error"], Parameter(help="What the log on standard error has.")
]


def _require_sense(address: "Address") -> None:
    """What no server can be started with."""
    if not 1 <= address.port <= HIGHEST_PORT:
        raise NotationError("serve.port", f"--port {address.port}: 1 to {HIGHEST_PORT}")
    if address.pace < 0 or address.decision_seconds < 0:
        raise NotationError("serve.seconds", "--pace and --decision-seconds: nothing or more")
    if not 0 <= address.signer_hours <= MOST_SIGNER_HOURS:
        text = f"--signer-hours {address.signer_hours}: 0 to {MOST_SIGNER_HOURS}"
        raise NotationError("serve.hours", text)


@app.command(name="serve")
def serve_command(
    *,
    host: Annotated[str, Parameter(help="Where to listen; default: this machine only.")] = "",
    port: Annotated[int | None, WHOLE, Parameter(help="The port; default: 8610.")] = None,
    database: Database = "",
    secret: Secret = "",
    witness: Witness = "",
    new_floor: NewFloor = False,
    demo: Demo = False,
    https: Https = False,
    decision_seconds: Thinking = 60.0,
    signer_hours: SignerHours = 24,
    pace: Pace = 1,
    log: Log = "warning",
    browser: Annotated[bool, Parameter(help="Open the page in a browser.")] = True,
    as_json: Json = False,
) -> int:
    """Open the floor in the browser: sit down, deal, supervise, look things up. Play money only.

    Without --database the floor lies in a file of your own; several processes share one PostgreSQL
    and one secret. The first start makes an administrator and tells the password, once. Visitors
    come in without one at this machine only, unless --demo says otherwise. With --json its address,
    its ledger and the first password are one document, once it listens.
    """
    from riverboat.web.server.serving import HOST, PORT, Address, serve

    address = Address(
        host=host or HOST,
        port=PORT if port is None else port,
        database=database,
        secret=secret,
        witness=witness,
        new_floor=new_floor,
        demo=demo,
        secure=https,
        pace=pace,
        decision_seconds=decision_seconds,
        signer_hours=signer_hours,
        log=log,
        browser=browser and not as_json,
    )
    _require_sense(address)
    if as_json:
        serve(address, _print_at_once)
    else:
        serve(address)
    return 0


def _print_at_once(document: object) -> None:
    """Whoever reads it waits for it while the command goes on."""
    print_json(document)
    sys.stdout.flush()


@app.command(name="play")
def play_command(
    rulebook: RulebookName,
    /,
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
    """
    from riverboat.terminal.sitting import play_sitting  # the shell is needed here alone

    book = load_either(rulebook).book
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
    return serve_command()
