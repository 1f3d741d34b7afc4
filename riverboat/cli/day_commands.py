"""Commands about a table's day: a scripted day as a pit log, and the prompts of a whole round."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from riverboat.cli.app import Json, app, print_blocks, print_json
from riverboat.core.errors import NotationError
from riverboat.evidence.exporting import export_round
from riverboat.evidence.round_text import write_round
from riverboat.pages.day_page import day_page
from riverboat.pages.prompts_page import prompts_document, prompts_page
from riverboat.rulebooks import load_either
from riverboat.scripts.day_library import Played, fullest_day, play_days, prompted_day
from riverboat.scripts.day_summary import day_document, summarize
from riverboat.wording.pit_log import pit_log

Verbose = Annotated[bool, Parameter(negative="", help="A line for every event.")]
ExportTo = Annotated[
    str | None, Parameter(help="Write each finished round to a file in this folder.")
]


@app.command(name="day")
def day_command(
    name: str | None = None,
    *,
    verbose: Verbose = False,
    export: ExportTo = None,
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
    for played in play_days(name or fullest_day()):
        runner = played.runner
        log = list(pit_log(runner.happened, runner.tried, verbose=verbose))
        summary = summarize(runner.happened, runner.day)
        holds = holds and not runner.failed and summary.agrees
        if export is not None:
            _export(played, Path(export))
        if as_json:
            documents.append(day_document(played, log, summary))
        else:
            print_blocks(day_page(played, log, summary, verbose=verbose))
    if as_json:
        print_json({"days": documents})
    return 0 if holds else 1


def _export(played: Played, folder: Path) -> None:
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
def prompts_command(name: str, *, as_json: Json = False) -> int:
    """Print the prompts of a whole opening and of one whole round: who does what, and why.

    Three players sit down, with every side bet of the rulebook; the second one folds.

    Parameters
    ----------
    name
        A rulebook's id, or the path of a .toml file.
    """
    loaded = load_either(name)
    moments = prompted_day(loaded.book, loaded.sha256)
    if as_json:
        return print_json(prompts_document(loaded.book, moments))
    return print_blocks(prompts_page(loaded.book, moments))
