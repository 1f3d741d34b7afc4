"""Examples of a page, and what they are shown to print."""

import re
from collections.abc import Iterator
from pathlib import Path


def blocks(page: Path) -> Iterator[tuple[str, str]]:
    """The fenced blocks of a page with their language."""
    yield from re.findall(r"(?ms)^```(\w+)\n(.*?)^```$", page.read_text("utf-8"))


def squeezed(text: str) -> list[str]:
    """Lines without the blanks that fill columns, and without line numbers, which move."""
    return [re.sub(r"(\.toml):\d+", r"\1", line.rstrip()) for line in text.strip("\n").splitlines()]


def assert_shows(expected: str, printed: str) -> None:
    """Every run of expected lines, between lines of dots, occurs in this order."""
    rest = squeezed(printed)
    for part in expected.split("...\n"):
        wanted = squeezed(part)
        place = next((n for n in range(len(rest) + 1) if rest[n : n + len(wanted)] == wanted), None)
        assert place is not None, f"{part}\n is not in\n{printed}"
        rest = rest[place + len(wanted) :]
