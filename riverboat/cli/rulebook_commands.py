"""Commands about rulebooks: list, show, check, compare, start, and clause coverage."""

import contextlib
import hashlib
import shlex
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

import riverboat
from riverboat.answers.checks import coverage_page, coverage_report
from riverboat.answers.page import markdown
from riverboat.answers.rulebooks import (
    checked_file,
    difference_page,
    difference_report,
    incidents_document,
    incidents_page,
    listing,
    rulebook_page,
    rulebooks_page,
    statements_page,
    welcome_page,
    whole_rulebook,
)
from riverboat.cli.app import Json, app, print_blocks, print_json
from riverboat.core.errors import NotationError, Problem, RulebookError
from riverboat.rulebook import Rulebook, parse_rulebook
from riverboat.rulebook.loading.parse import rulebook_schema
from riverboat.rulebook.rules import rules_of
from riverboat.rulebooks import Loaded, load_all, load_either, load_file, shelf
from riverboat.scripts.coverage import coverage, holds_tests, tests_beside

Markdown = Annotated[bool, Parameter(name="--markdown", negative="", help="Print Markdown.")]

rulebook = App(name="rulebook", help="Show, check, compare and start rulebooks.")
app.command(rulebook)


@app.command
def welcome(*, as_json: Json = False) -> int:
    """The rulebooks in the house, and what to try next."""
    if as_json:
        return rulebooks(as_json=True)
    return print_blocks(welcome_page(list(load_all())))


@app.command
def rulebooks(*, as_json: Json = False) -> int:
    """List the rulebooks with their games, status, side bets and pay tables."""
    loaded = list(load_all())
    if as_json:
        return print_json({"rulebooks": [listing(one) for one in loaded]})
    return print_blocks(rulebooks_page(loaded))


@rulebook.command
def show(
    name: str,
    *,
    source: Annotated[str | None, Parameter(help="The document itself, to print beside.")] = None,
    as_markdown: Markdown = False,
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
        return print_json(whole_rulebook(loaded, document))
    if as_markdown:
        sys.stdout.write(markdown(rulebook_page(loaded, document)))
        return 0
    return print_blocks(rulebook_page(loaded, document))


@rulebook.command
def check(*files: str, as_json: Json = False) -> int:
    """Say whether files are rulebooks that can be used, and what is wrong if they are not."""
    if not files:
        raise NotationError("check.no_file", "name at least one rulebook file to check")
    judged = {file: _judged(file) for file in files}
    problems = {file: () if isinstance(found, Loaded) else found for file, found in judged.items()}
    for misfits in problems.values():
        sys.stderr.write("".join(f"{problem}\n" for problem in misfits))
    if as_json:
        checked = [checked_file(file, found) for file, found in problems.items()]
        print_json({"files": checked})
    else:
        for found in judged.values():
            if isinstance(found, Loaded):
                _say_usable(found)
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
        return print_json(difference_report(mine, theirs))
    return print_blocks(difference_page(mine, theirs))


@rulebook.command
def incidents(*names: str, as_markdown: Markdown = False, as_json: Json = False) -> int:
    """When and on which device each irregularity counts, and what then follows.

    Parameters
    ----------
    names
        Rulebooks by id or path; without one, all of them.
    """
    books = [load_either(name).book for name in names] or [one.book for one in load_all()]
    if as_json:
        return print_json({"rulebooks": [incidents_document(book) for book in books]})
    if as_markdown:
        sys.stdout.write(markdown(incidents_page(books)))
        return 0
    return print_blocks(incidents_page(books))


@rulebook.command
def statements(*, as_markdown: Markdown = False) -> int:
    """Which fields of a rulebook only state something, and why nothing follows from them."""
    if as_markdown:
        sys.stdout.write(markdown(statements_page()))
        return 0
    return print_blocks(statements_page())


@rulebook.command
def new(
    name: str,
    *,
    start_from: Annotated[str, Parameter(name="--from", help="The rulebook to start from.")],
    title: Annotated[str | None, Parameter(help="Title of the rulebook.")] = None,
    house: Annotated[str | None, Parameter(help="The house whose rules these are.")] = None,
    prefix: Annotated[str | None, Parameter(help="Prefix of the house's clauses.")] = None,
    seats: Annotated[str | None, Parameter(help="Seats of the table.")] = None,
    minimum: Annotated[str | None, Parameter(help="Smallest ante, in dollars.")] = None,
    maximum: Annotated[str | None, Parameter(help="Largest ante, in dollars.")] = None,
    output: Annotated[str | None, Parameter(help="File to write; default NAME.toml.")] = None,
    as_json: Json = False,
) -> int:
    """Start a house's own rulebook from another: asks what it needs, or takes it as flags."""
    from riverboat.scripts import house_rules  # tomlkit is needed here alone

    base = load_either(start_from)
    taken = house_rules.Taken.by(list(load_all()))
    path = Path(f"{name}.toml" if output is None else output)
    tests = path.parent / f"{path.stem}-tests"
    for one in (path, tests):
        if one.exists():
            raise NotationError("rulebook.not_written", f"{one}: File exists")
    spoken = house_rules.spoken(name)
    wishes = house_rules.Wishes(
        name=house_rules.check_name(name, taken),
        title=spoken if title is None else title,
        house=spoken if house is None else house,
        prefix=house_rules.prefix_for(name, taken) if prefix is None else prefix,
        seats=None if seats is None else house_rules.parse_seats(seats),
        minimum=minimum,
        maximum=maximum,
    )
    answered = any(x is not None for x in (title, house, prefix, seats, minimum, maximum))
    if sys.stdin is not None and sys.stdin.isatty() and not answered and not as_json:
        wishes = house_rules.ask(wishes, base, taken, _answer)
    text = house_rules.house_rulebook(base, wishes, taken)
    written = house_rules.starting_tests(parse_rulebook(text, path=str(path)), path.name)
    _write_new(path, text)
    for test in written:
        (tests / test.path).parent.mkdir(parents=True, exist_ok=True)
        _write_new(tests / test.path, test.text)
    files = [str(tests / test.path) for test in written]
    if as_json:
        document = {"rulebook": name, "file": str(path), "from": base.book.id, "tests": files}
        return print_json(document)
    file, folder = shlex.quote(str(path)), shlex.quote(str(tests))
    sys.stdout.write(
        f"Wrote {path}: {base.book.title}, as {wishes.house} plays it.\n"
        f"Wrote {tests}: its first tests (rules, a day, a configuration); they hold now.\n"
        f"Next: edit it, then  riverboat rulebook check {file}\n"
        f"                     riverboat rulebook diff {start_from} {file}\n"
        f"                     riverboat check {folder}/*/*.toml\n"
        f"                     riverboat coverage --rulebook {file} --tests {folder}\n"
    )
    return 0


@rulebook.command
def schema(*, as_json: Json = True) -> int:
    """Print the JSON Schema of rulebook files, for editors."""
    return print_json(rulebook_schema())


@app.command(name="coverage")
def coverage_command(
    *,
    tests: Annotated[
        str | None, Parameter(help="Folder of tests; default: the checkout's.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Clause by clause: which rule carries it out and which tests hold it."""
    folder = Path(tests) if tests is not None else tests_beside(Path(riverboat.__file__).parent)
    if folder is not None and not holds_tests(folder):
        raise NotationError("coverage.no_tests", f"--tests {tests}: no facts or rules are there")
    found = coverage(folder)
    if as_json:
        print_json(coverage_report(found))
    else:
        print_blocks(coverage_page(found, tests_at_hand=folder is not None))
    return 0 if found.complete else 1


def _say_usable(loaded: Loaded) -> None:
    """The file can be played by; beside the house's rulebooks it needs names of its own."""
    book = loaded.book
    sys.stdout.write(
        f"{loaded.path}: usable. {book.title}: {sum(1 for _ in rules_of(book))} rules, "
        f"{len(book.clauses)} clauses, {len(book.paytables)} pay tables.\n"
    )
    for problem in shelf().collisions(loaded):
        sys.stdout.write(f"To stand beside the others: {problem}\n")


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


def _judged(file: str) -> Loaded | tuple[Problem, ...]:
    try:
        return load_file(file)
    except RulebookError as error:
        return error.problems


def _answer(question: str) -> str:
    """A line from the person at the keyboard, who can edit it."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401
    return input(question)


def _write_new(path: Path, text: str) -> None:
    """Write a file that must not exist yet: nobody's rulebook is overwritten."""
    content = text.encode("utf-8")
    try:
        with path.open("xb") as file:
            file.write(content)
    except OSError as problem:
        reason = problem.strerror or "cannot be written"
        raise NotationError("rulebook.not_written", f"{path}: {reason}") from None
