"""Commands about rulebooks and what follows from them: payouts, scenarios, clause coverage."""

import contextlib
import hashlib
import shlex
import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

import riverboat
from riverboat.answers import checks
from riverboat.answers import payout_checker as payouts
from riverboat.answers import rulebook_tables as tables
from riverboat.answers import rulebooks as texts
from riverboat.cli.app import (
    READ_BY_RULEBOOK,
    Json,
    Meter,
    RulebookName,
    app,
    complain,
    print_json,
    refused_in_options,
    tell,
    write_new,
)
from riverboat.core.errors import NotationError, Refused
from riverboat.core.visible import visible
from riverboat.rulebook import Rulebook, parse_rulebook
from riverboat.rulebook.loading.parse import rulebook_schema
from riverboat.rulebook.loading.statements import STATEMENTS
from riverboat.rulebooks import load_all, load_either
from riverboat.scripts.checking import check_file, coverage, holds_tests, tests_beside

Markdown = Annotated[bool, Parameter(name="--markdown", negative="", help="Print Markdown.")]

shown = App(name="rulebook", help="Show, check, compare and start rulebooks.")
app.command(shown)


@app.command
def welcome(*, as_json: Json = False) -> int:
    """The rulebooks in the house, and what to try next."""
    listed = texts.listings(load_all())
    return tell(listed, texts.welcome_page(listed), as_json=as_json)


@app.command
def rulebooks(*, as_json: Json = False) -> int:
    """List the rulebooks with their games, status, side bets and pay tables."""
    listed = texts.listings(load_all())
    return tell(listed, texts.rulebooks_page(listed), as_json=as_json)


@shown.command
def show(
    rulebook: RulebookName,
    /,
    *,
    source: Annotated[str | None, Parameter(help="The document itself, to print beside.")] = None,
    as_markdown: Markdown = False,
    as_json: Json = False,
) -> int:
    """Print a rulebook with its clauses, beside the document's own lines where given."""
    loaded = load_either(rulebook)
    document = _document(loaded.book, source) if source is not None else None
    whole, page = texts.whole_rulebook(loaded, document), texts.rulebook_page(loaded, document)
    return tell(whole, page, as_json=as_json, as_markdown=as_markdown)


@shown.command
def check(*files: str, as_json: Json = False) -> int:
    """Say whether files are rulebooks that can be used, and what is wrong if they are not."""
    if not files:
        raise NotationError("check.no_file", "name at least one rulebook file to check")
    judged = [texts.judged_file(file) for file in files]
    for one in judged:
        for problem in one.problems:
            complain(str(problem))
    tell(texts.judged_document(judged), "\n".join(texts.judged_lines(judged)), as_json=as_json)
    return 2 if any(one.problems for one in judged) else 0


@shown.command
def diff(one: RulebookName, other: RulebookName, /, *, as_json: Json = False) -> int:
    """What differs between two rulebooks, with the clause on each side."""
    mine, theirs = load_either(one).book, load_either(other).book
    return tell(
        tables.differences_between(mine, theirs),
        tables.difference_page(mine, theirs),
        as_json=as_json,
    )


@shown.command
def incidents(*rulebooks: str, as_markdown: Markdown = False, as_json: Json = False) -> int:
    """When and on which device each irregularity counts, and what then follows.

    Parameters
    ----------
    rulebooks
        By id or path; without one, all of them.
    """
    books = [load_either(name).book for name in rulebooks] or [one.book for one in load_all()]
    document = {"rulebooks": [tables.incidents_document(book) for book in books]}
    return tell(document, tables.incidents_page(books), as_json=as_json, as_markdown=as_markdown)


@shown.command
def statements(*, as_markdown: Markdown = False, as_json: Json = False) -> int:
    """Which fields of a rulebook only state something, and why nothing follows from them."""
    document = {"statements": STATEMENTS}
    return tell(document, tables.statements_page(), as_json=as_json, as_markdown=as_markdown)


@shown.command
def new(
    name: str,
    /,
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
    write_new(path, text.encode(), "rulebook.not_written")
    for test in written:
        (tests / test.path).parent.mkdir(parents=True, exist_ok=True)
        write_new(tests / test.path, test.text.encode(), "rulebook.not_written")
    files = [str(tests / test.path) for test in written]
    document = {"rulebook": name, "file": str(path), "from": base.book.id, "tests": files}
    file, folder = shlex.quote(str(path)), shlex.quote(str(tests))
    words = (
        f"Wrote {path}: {base.book.title}, as {wishes.house} plays it.\n"
        f"Wrote {tests}: its first tests (rules, a day, a configuration); they hold now.\n"
        f"Next: edit it, then  riverboat rulebook check {file}\n"
        f"                     riverboat rulebook diff {start_from} {file}\n"
        f"                     riverboat check {folder}/*/*.toml\n"
        f"                     riverboat coverage --rulebook {file} --tests {folder}"
    )
    return tell(document, words, as_json=as_json)


@app.command
def completions(shell: Literal["bash", "zsh", "fish"], /, *, as_json: Json = False) -> int:
    """Print what completes commands and options in a shell: eval "$(riverboat completions bash)".

    Parameters
    ----------
    shell
        bash, zsh or fish.
    """
    script = app.generate_completion(prog_name="riverboat", shell=shell)
    return tell({"shell": shell, "script": script}, script, as_json=as_json)


@shown.command
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
    page = checks.coverage_page(found, tests_at_hand=folder is not None)
    return tell(checks.coverage_report(found), page, as_json=as_json, holds=found.complete)


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


def _answer(question: str) -> str:
    """A line from the person at the keyboard, who can edit it."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401
    return input(visible(question))


@app.command(name="check", help=checks.check_help())
def check_scenarios(*files: str, as_json: Json = False) -> int:
    if not files:
        raise NotationError("check.no_file", "name at least one scenario file")
    results = [result for file in files for result in check_file(file)]
    for result in results:
        for problem in result.error.splitlines():
            complain(f"{result.file}: {result.name}: {problem}")
    holds = all(result.holds for result in results)
    status = tell(
        checks.check_report(results), checks.check_page(results), as_json=as_json, holds=holds
    )
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
    meter: Meter = None,
    table: TableChoices = None,
    as_json: Json = False,
) -> int:
    """What each spot is owed, with its clause and the arithmetic."""
    book = load_either(rulebook).book
    request = payouts.Request(
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
        settled = payouts.settle(book, request)
    except Refused as found:
        refusal = refused_in_options(found)
        nothing, why = payouts.nothing_owed(book, refusal), texts.refusal_page(book, refusal)
        return tell(nothing, why, as_json=as_json, holds=False)
    return tell(payouts.owed_in(settled), payouts.settle_page(settled), as_json=as_json)


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
        if len(words) > 1 and words[1].endswith(".toml"):  # A file that stands on no shelf.
            names |= {offer.bet for offer in load_either(words[1]).book.side_bets}
        if name not in names:
            read.append(word)
            continue
        given = amount if equals else next(rest, "")
        read += ["--side-bet", f"{name}={given}"]
    return tuple(read)


_OPTIONS = ("ante", "bets", "cards", "board", "box", "dealer", "side_bet", "meter", "table", "json")
READ_BY_RULEBOOK["settle"] = _bets_by_name
