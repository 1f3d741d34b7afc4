"""The JSON Schema of rulebook files, made from the types, for editors that complete and check."""

import msgspec

from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.values import (
    DOLLARS_PATTERN,
    PAYS_PATTERN,
    PERCENT_PATTERN,
    Dollars,
    Pays,
    Percent,
)

_NOTATIONS: dict[type, dict[str, object]] = {
    Dollars: {
        "type": "string",
        "pattern": DOLLARS_PATTERN,
        "description": "Dollars: '25' or '0.50'.",
    },
    Percent: {"type": "string", "pattern": PERCENT_PATTERN, "description": "Percent: '21'."},
    Pays: {
        "type": "string",
        "pattern": PAYS_PATTERN,
        "description": "'500 to 1', '300 for 1', '10% of meter', '$100000', 'push', 'lose', "
        "'nothing'.",
    },
}


def rulebook_schema() -> dict[str, object]:
    """The schema of one rulebook file."""
    schema = msgspec.json.schema(Rulebook, schema_hook=_NOTATIONS.__getitem__)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Riverboat rulebook",
        **schema,
    }
