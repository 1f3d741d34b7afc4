"""The `riverboat` command. It reads arguments and prints; what it prints is made elsewhere.

Exit status: 0 done and true, 1 done and not true, 2 bad input.
"""

import hashlib
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, CycloptsError, Parameter, UnusedCliTokensError
from rich.console import Console

from riverboat import __version__, reports
from riverboat.checking import check_file
from riverboat.coverage import coverage, tests_beside
from riverboat.errors import NotationError, Problem, RiverboatError, RulebookError
from riverboat.pages.check_page import check_help, check_page
from riverboat.pages.coverage_page import coverage_page
from riverboat.pages.difference_page import difference_page
from riverboat.pages.page import Block, markdown, print_page
from riverboat.pages.rulebook_page import rulebook_page
from riverboat.pages.welcome_page import rulebooks_page, welcome_page
from riverboat.rulebook import Rulebook, parse_rulebook
from riverboat.rulebook.schema import rulebook_schema
from riverboat.rulebook.walk import rules_of
from riverboat.rulebooks import load_all, load_either, load_file

PRINT_WIDTH = 110
NOT_BUILT_YET = (
    "settle",
    "odds",
    "advise",
    "simulate",
    "published",
    "serve",
    "play",
    "verify",
    "replay",
    "document",
)

Json = Annotated[bool, Parameter(name="--json", negative="", help="Print one JSON document.")]

app = App(
    name="riverboat",
    help="Mississippi Stud and Island Stud, each rule with its clause. Play money only.",
    version=__version__,
    result_action="return_value",
)
rulebook = App(name="rulebook", help="Show, check, compare and start rulebooks.")
app.command(rulebook)


def main() -> None:
    """Run the command line and leave with its exit status."""
    try:
        status = run(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 0
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        status = 1
    sys.exit(status)


def run(arguments: list[str]) -> int:
    """One command; every problem becomes a line on standard error, never a traceback."""
    try:
        status = app(arguments, exit_on_error=False, print_error=False)
    except UnusedCliTokensError as problem:
        extra = " ".join(problem.unused_tokens or [])
        sys.stderr.write(f"riverboat: {extra!r} is not understood here; see riverboat --help\n")
        return 2
    except CycloptsError as problem:
        sys.stderr.write(f"riverboat: {problem}\n")
        return 2
    except RiverboatError as problem:
        sys.stderr.write(f"{problem}\n")
        return 2
    return status if isinstance(status, int) else 0


@app.default
def welcome(*, as_json: Json = False) -> int:
    """The rulebooks in the house, and what to try next."""
    if as_json:
        return rulebooks(as_json=True)
    return _print(welcome_page(list(load_all())))


@app.command
def rulebooks(*, as_json: Json = False) -> int:
    """List the rulebooks with their games, status, side bets and pay tables."""
    loaded = list(load_all())
    if as_json:
        return _print_json({"rulebooks": [reports.listing(one) for one in loaded]})
    return _print(rulebooks_page(loaded))


@rulebook.command
def show(
    name: str,
    *,
    source: Annotated[str | None, Parameter(help="The document itself, to print beside.")] = None,
    as_markdown: Annotated[
        bool, Parameter(name="--markdown", negative="", help="Print Markdown.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Print a rulebook with its clauses, beside the document's own lines where given.

    Parameters
    ----------
    name
        A rulebook's id, or the path of a .toml file.
    """
    loaded = load_either(name)
    document = _document(loaded.book, source) if source is not None else None
    if as_json:
        return _print_json(reports.whole_rulebook(loaded, document))
    if as_markdown:
        sys.stdout.write(markdown(rulebook_page(loaded, document)))
        return 0
    return _print(rulebook_page(loaded, document))


@rulebook.command
def check(*files: str, as_json: Json = False) -> int:
    """Say whether files are rulebooks that can be used, and what is wrong if they are not."""
    if not files:
        raise NotationError("check.no_file", "name at least one rulebook file to check")
    problems = {file: _problems(file) for file in files}
    for found in problems.values():
        sys.stderr.write("".join(f"{problem}\n" for problem in found))
    if as_json:
        checked = [reports.checked_file(file, found) for file, found in problems.items()]
        _print_json({"files": checked})
    else:
        for file in (file for file, found in problems.items() if not found):
            _say_usable(file)
    return 2 if any(problems.values()) else 0


@rulebook.command
def diff(one: str, other: str, *, as_json: Json = False) -> int:
    """What differs between two rulebooks, with the clause on each side.

    Parameters
    ----------
    one
        A rulebook's id, or the path of a .toml file.
    other
        Another.
    """
    mine, theirs = load_either(one).book, load_either(other).book
    if as_json:
        return _print_json(reports.difference_report(mine, theirs))
    return _print(difference_page(mine, theirs))


@rulebook.command
def new(
    name: str,
    *,
    start_from: Annotated[str, Parameter(name="--from", help="The rulebook to start from.")],
    title: Annotated[str | None, Parameter(help="Title of the rulebook.")] = None,
    house: Annotated[str | None, Parameter(help="The house whose rules these are.")] = None,
    prefix: Annotated[str | None, Parameter(help="Prefix of the house's clauses.")] = None,
    seats: Annotated[int | None, Parameter(help="Seats of the table.")] = None,
    minimum: Annotated[str | None, Parameter(help="Smallest ante, in dollars.")] = None,
    maximum: Annotated[str | None, Parameter(help="Largest ante, in dollars.")] = None,
    output: Annotated[str | None, Parameter(help="File to write; default NAME.toml.")] = None,
    as_json: Json = False,
) -> int:
    """Start a house's own rulebook from another: asks what it needs, or takes it as flags."""
    from riverboat import house_rules  # tomlkit is needed here alone

    base = load_either(start_from)
    wishes = house_rules.Wishes(
        name=house_rules.check_name(name),
        title=title or house_rules.spoken(name),
        house=house or house_rules.spoken(name),
        prefix=prefix or house_rules.prefix_for(name),
        seats=seats,
        minimum=minimum,
        maximum=maximum,
    )
    answered = any((title, house, prefix, seats, minimum, maximum))
    if sys.stdin.isatty() and not answered and not as_json:
        wishes = house_rules.ask(wishes, base, Console(highlight=False).input)
    path = Path(output or f"{name}.toml")
    text = house_rules.house_rulebook(base, wishes)
    parse_rulebook(text, path=str(path))
    _write_new(path, text)
    if as_json:
        return _print_json({"rulebook": name, "file": str(path), "from": base.book.id})
    sys.stdout.write(
        f"Wrote {path}: {base.book.title}, as {wishes.house} plays it.\n"
        f"Next: edit it, then  riverboat rulebook check {path}\n"
        f"                     riverboat rulebook diff {start_from} {path}\n"
    )
    return 0


@rulebook.command
def schema(*, as_json: Json = True) -> int:
    """Print the JSON Schema of rulebook files, for editors."""
    return _print_json(rulebook_schema())


@app.command(name="coverage")
def coverage_command(
    *,
    tests: Annotated[
        str | None, Parameter(help="Folder of tests; default: the checkout's.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Clause by clause: which rule carries it out and which tests hold it."""
    folder = Path(tests) if tests is not None else tests_beside(Path(__file__).parent)
    if folder is not None and not folder.is_dir():
        raise NotationError("coverage.no_tests", f"--tests {tests}: there is no such folder")
    found = coverage(folder)
    if as_json:
        _print_json(reports.coverage_report(found))
    else:
        _print(coverage_page(found))
    return 0 if found.complete else 1


@app.command(name="check", help=check_help())
def check_scenarios(*files: str, as_json: Json = False) -> int:
    if not files:
        raise NotationError("check.no_file", "name at least one scenario file")
    results = [result for file in files for result in check_file(file)]
    for result in results:
        if result.error:
            sys.stderr.write(f"{result.file}: {result.name}: {result.error}\n")
    if as_json:
        _print_json(reports.check_report(results))
    else:
        _print(check_page(results))
    if any(result.error for result in results):
        return 2
    return 0 if all(result.holds for result in results) else 1


def _add_unbuilt(name: str) -> None:
    def refuse(*_: Annotated[str, Parameter(allow_leading_hyphen=True, show=False)]) -> int:
        sys.stderr.write(f"riverboat {name}: not built yet\n")
        return 2

    app.command(refuse, name=name, help="Not built yet.")


for _unbuilt in NOT_BUILT_YET:
    _add_unbuilt(_unbuilt)


def _print(blocks: Iterable[Block]) -> int:
    """A page on the terminal as it is; a pipe or a printer gets a fixed width and no colour."""
    width = None if sys.stdout.isatty() else PRINT_WIDTH
    print_page(Console(width=width, highlight=False), blocks)
    return 0


def _print_json(document: dict[str, Any]) -> int:
    sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=False) + "\n")
    return 0


def _say_usable(file: str) -> None:
    book = load_file(file).book
    sys.stdout.write(
        f"{file}: usable. {book.title}: {sum(1 for _ in rules_of(book))} rules, "
        f"{len(book.clauses)} clauses, {len(book.paytables)} pay tables.\n"
    )


def _document(book: Rulebook, path: str) -> str:
    """The text of the source document, if it is the one that the rulebook was made from."""
    try:
        content = Path(path).read_bytes()
    except OSError as problem:
        raise NotationError(
            "source.unreadable", f"--source {path}: {problem.strerror or 'cannot be read'}"
        ) from None
    found = hashlib.sha256(content).hexdigest()
    if found != book.source.sha256:
        raise NotationError(
            "source.other_document",
            f"--source {path}: its sha256 is {found}; the document of {book.id} has "
            f"{book.source.sha256 or 'none on record'}",
        )
    return content.decode("utf-8", errors="replace")


def _problems(file: str) -> tuple[Problem, ...]:
    try:
        load_file(file)
    except RulebookError as error:
        return error.problems
    return ()


def _write_new(path: Path, text: str) -> None:
    """Write a file that must not exist yet: nobody's rulebook is overwritten."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as problem:
        reason = problem.strerror or "cannot be written"
        raise NotationError("rulebook.not_written", f"{path}: {reason}") from None
