"""The application object, how it prints, and what every command shares."""

import json
import re
import sys
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter, Token
from msgspec import to_builtins

from riverboat import __version__
from riverboat.answers.page import Block, Paper, markdown, print_page
from riverboat.core.errors import NotationError, Refused, with_fields
from riverboat.core.visible import is_seen, visible
from riverboat.rulebooks import with_own_rulebooks

PRINT_WIDTH = 110

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}")


def _whole(_type: Any, tokens: Sequence[Token]) -> int:
    text = tokens[0].value
    if not _WHOLE_NUMBER.fullmatch(text):
        named = f"{tokens[0].keyword} {text}" if tokens[0].keyword else repr(text)
        raise NotationError("arguments.no_whole_number", f"{named}: a whole number is needed")
    return int(text)


WHOLE = Parameter(converter=_whole)
"""For arguments that are whole numbers: 2.5 is refused, and never taken for 2."""

RulebookName = Annotated[str, Parameter(help="A rulebook's id, or the path of a .toml file.")]
"""Wherever a command is about a rulebook: one of the house by its id, or any by its file."""

Meter = Annotated[
    str | None,
    Parameter(help="The meter as it stands when awards are paid; default: the seed."),
]
Json = Annotated[bool, Parameter(name="--json", negative="", help="Print one JSON document.")]

app = App(
    name="riverboat",
    help="Mississippi Stud and Island Stud, each rule with its clause. Play money only.",
    version=__version__,
    result_action="return_value",
    suppress_keyboard_interrupt=False,
)

OwnRulebooks = Annotated[
    list[str] | None,
    Parameter(
        name=("--rulebook", "--rulebooks"),
        negative="",
        help="A house's own rulebook, a .toml file, or a folder of them; as often as needed. So "
        "does the environment variable RIVERBOAT_RULEBOOKS.",
    ),
]

READ_BY_RULEBOOK: dict[str, Callable[[tuple[str, ...]], tuple[str, ...]]] = {}
"""Commands whose options come from a rulebook: what makes them of the words that were given."""


@app.meta.default
def with_the_house_s_rulebooks(
    *tokens: Annotated[str, Parameter(show=False, allow_leading_hyphen=True)],
    own_rulebooks: OwnRulebooks = None,
) -> Any:
    """Whatever command follows knows the house's own rulebooks beside the program's."""
    with with_own_rulebooks(own_rulebooks or ()):
        read = READ_BY_RULEBOOK.get(tokens[0]) if tokens else None
        return app(read(tokens) if read else tokens, exit_on_error=False, print_error=False)


class Answered(Exception):
    """A command's answer is told already, and it is no."""


def tell(
    document: object,
    page: Iterable[Block] | str,
    *,
    as_json: bool,
    as_markdown: bool = False,
    holds: bool = True,
) -> int:
    """A command's answer, as data for a script or as a page or a line for people, and its exit
    status."""
    if as_json:
        print_json(document)
    elif isinstance(page, str):
        sys.stdout.write(f"{visible(page)}\n" if page else "")
    elif as_markdown:
        sys.stdout.write(markdown(page))
    else:
        print_blocks(page)
    return 0 if holds else 1


def print_blocks(blocks: Iterable[Block]) -> int:
    """A page on the terminal as it is; a pipe or a printer gets a fixed width and no colour."""
    width = None if sys.stdout.isatty() else PRINT_WIDTH
    print_page(Paper(width=width, highlight=False), blocks)
    return 0


def print_json(document: object) -> int:
    """One JSON document and nothing else: of structs their fields, fractions as text."""
    plain = to_builtins(document, enc_hook=str, str_keys=True)
    text = json.dumps(plain, indent=2, ensure_ascii=False)
    sys.stdout.writelines(f"{_seen(line)}\n" for line in text.split("\n"))
    return 0


def _seen(line: str) -> str:
    """A line of JSON in which whatever a terminal would act on stands as JSON's own escape."""
    if line.isprintable():
        return line
    return "".join(one if is_seen(one) else json.dumps(one)[1:-1] for one in line)


def complain(text: str) -> None:
    """Lines on standard error for whoever sits there."""
    sys.stderr.write(f"{visible(text)}\n")


_CALLED = {"own_rulebooks": "--rulebook", "rounds_an_hour": "--pace"}
"""Fields that a command line calls otherwise than by their names."""


def in_options(text: str, places: Container[str] = ()) -> str:
    """An error's words with its fields as a command has them: options, or arguments by place."""
    return with_fields(
        text,
        lambda field: (
            field.upper() if field in places else _CALLED.get(field, f"--{field.replace('_', '-')}")
        ),
    )


def write_new(path: Path, content: bytes, code: str) -> None:
    """Write a file that must not exist yet: nothing of anybody's is overwritten."""
    try:
        with path.open("xb") as file:
            file.write(content)
    except OSError as problem:
        reason = problem.strerror or "cannot be written"
        raise NotationError(code, f"{path}: {reason}") from None


def refused_in_options(refusal: Refused) -> Refused:
    """A refusal in the same words."""
    return Refused(refusal.code, in_options(str(refusal)), cites=refusal.cites)
