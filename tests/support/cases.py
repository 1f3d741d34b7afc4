"""Cases that stand in a file of data beside the test that reads them."""

import tomllib
from pathlib import Path
from typing import TypeVar

from msgspec import convert

Kind = TypeVar("Kind")


def read_cases(file: Path, kind: type[Kind]) -> list[Kind]:
    """Every `[[case]]` of a file, held to what a case of it must have."""
    return convert(tomllib.loads(file.read_text("utf-8"))["case"], list[kind])  # type: ignore[valid-type]
