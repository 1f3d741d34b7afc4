"""The types of answers and frames for the pages' scripts, written from the interface's description:
`python -m riverboat.web.server.typescript` prints `static/types.d.ts`.

The scripts stay as they are written, without a build step; a test holds them to these types."""

import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from msgspec.json import schema_components

from riverboat.floor.floor import Floor
from riverboat.floor.secret import MasterSecret
from riverboat.ledger import open_ledger
from riverboat.rulebooks import editions
from riverboat.web.house import House, Manner
from riverboat.web.pages.rulebooks import AskedOfBook
from riverboat.web.server.app import make_app
from riverboat.web.server.openapi import REF, described

Json = dict[str, Any]
NAMES: Final = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}
HEAD: Final = """\
/* What the floor answers and sends, for the pages' scripts. Written by scripts/generate: change the
   types of the answers instead, in riverboat/web. */
declare namespace Floor {
"""


def own_description() -> Json:
    """The description of a floor where nothing is played, and of what pages carry in themselves."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{Path(folder) / 'floor.db'}"
        floor = Floor(open_ledger(url), editions(), MasterSecret(bytes(32)))
        house = House(floor, Manner())
        try:
            found = described(make_app(house, "nobody signs in here: a description only"))
        finally:
            house.close()
    found["components"]["schemas"] |= schema_components((AskedOfBook,), ref_template=REF)[1]
    return found


def declarations(description: Json) -> str:
    """The whole file."""
    lines = [line for each in _shapes(description) for line in each]
    for kind, method in (("Get", "get"), ("Post", "post")):
        lines += _by_path(f"{kind}Answer", description["paths"], method)
    return HEAD + "".join(f"  {line}\n" if line else "\n" for line in lines) + "}\n"


# ---------------------------------------------------------------- types


def _shapes(description: Json) -> Iterator[list[str]]:
    for name, shape in description["components"]["schemas"].items():
        if "properties" in shape:
            yield [*_said(shape), f"interface {name} {{", *_fields(shape), "}"]
        else:
            yield [*_said(shape), f"type {name} = {type_of(shape)};"]


def _said(shape: Json) -> list[str]:
    words = " ".join(shape.get("description", "").split())
    return [f"/** {words} */"] if words else []


def _fields(shape: Json) -> Iterator[str]:
    needed = shape.get("required", ())
    for name, one in shape["properties"].items():
        yield f"  {name}{'' if name in needed else '?'}: {type_of(one)};"


def type_of(shape: Json) -> str:
    """A JSON Schema as a type."""
    if "$ref" in shape:
        return str(shape["$ref"].rsplit("/", 1)[-1])
    if "anyOf" in shape:
        return " | ".join(dict.fromkeys(type_of(one) for one in shape["anyOf"]))
    if "enum" in shape:
        return " | ".join(f'"{one}"' if isinstance(one, str) else str(one) for one in shape["enum"])
    kind = shape.get("type")
    if kind == "array":
        return _array(shape)
    if kind == "object":
        return _mapping(shape)
    return NAMES.get(str(kind), "null" if kind == "null" else "any")


def _array(shape: Json) -> str:
    if "prefixItems" in shape:
        return f"[{', '.join(map(type_of, shape['prefixItems']))}]"
    inner = type_of(shape.get("items") or {})
    return f"({inner})[]" if "|" in inner else f"{inner}[]"


def _mapping(shape: Json) -> str:
    """By any name, and where some are always there these with types of their own."""
    other = type_of(shape.get("additionalProperties") or {})
    if "properties" not in shape:
        return f"Record<string, {other}>"
    return f"{{ {' '.join(line.strip() for line in _fields(shape))} [name: string]: {other} }}"


# ---------------------------------------------------------------- routes


def _answer(operation: Json) -> Json | None:
    (good,) = (r for status, r in operation["responses"].items() if status.startswith("2"))
    shape: Json | None = good["content"].get("application/json", {}).get("schema")
    return shape


def _by_path(name: str, paths: Json, method: str) -> Iterator[str]:
    """A type by the path that is asked for: the longest pattern first, queries aside; a path that
    is no route has a type with which nothing can be done."""
    yield f"type {name}<P extends string> ="
    yield f"  P extends `${{infer Path}}?${{string}}` ? {name}<Path> :"
    for path in sorted(paths, key=lambda one: (-one.count("/"), one.count("{"), one)):
        shape = _answer(paths[path][method]) if method in paths[path] else None
        if shape is not None:
            pattern = re.sub(r"\{\w+\}", "${string}", path)
            yield f"  P extends `{pattern}` ? {type_of(shape)} :"
    yield "  { no_such_route: P };"


if __name__ == "__main__":
    sys.stdout.write(declarations(own_description()))
