"""Commands about tables: an operator's rules submission."""

from msgspec.structs import replace

from riverboat.cli.app import Json, app, print_blocks, print_json
from riverboat.core.errors import NotationError, Problem
from riverboat.pages.configuration_page import configuration_page, refused_page
from riverboat.rulebooks import editions, load_either, read_text
from riverboat.table.configuration.configure import ConfigurationRefused, configure
from riverboat.table.configuration.particulars import configuration_document, refused_document
from riverboat.table.configuration.submission import parse_submission, require_known_areas


@app.command(name="configure")
def configure_command(file: str, *, as_json: Json = False) -> int:
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
        if as_json:
            print_json(refused_document(loaded.book.id, refusal.problems))
        else:
            print_blocks(refused_page(loaded.book, submission.name, refusal.problems))
        return 1
    if as_json:
        return print_json(configuration_document(configuration))
    return print_blocks(configuration_page(configuration))
