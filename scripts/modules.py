"""The map of the house: every module with the first sentence that it says of itself.

    .venv/bin/python scripts/modules.py [--write]

Prints the last part of `docs/house.md`, or writes it there. `./test` fails when it is stale.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
MAP = ROOT / "docs" / "house.md"
HEADING = "## Every module"


def first_sentence(file: Path) -> str:
    """What a module is for, without its full stop."""
    said = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    paragraph = " ".join(said.split("\n\n")[0].split())
    return paragraph.partition(". ")[0].removesuffix(".")


def every_module() -> str:
    """A table for each folder, deeper ones behind their own."""
    return "\n".join(
        [HEADING, "", "Made by `scripts/generate` from what each says of itself.", *_tables()]
    )


def _tables() -> Iterator[str]:
    folders = sorted(file.parent for file in (ROOT / "riverboat").rglob("__init__.py"))
    for folder in folders:
        modules = sorted(file for file in folder.glob("*.py") if "__" not in file.name)
        if modules:
            yield f"\n**`{folder.relative_to(ROOT).as_posix()}/`**\n\n| Module | Holds |\n|---|---|"
            yield from (f"| `{file.name}` | {first_sentence(file)} |" for file in modules)
    yield ""


def fresh() -> str:
    """The whole page with its last part made anew."""
    return MAP.read_text("utf-8").partition(HEADING)[0] + every_module()


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        MAP.write_text(fresh(), "utf-8")
    else:
        print(every_module(), end="")
