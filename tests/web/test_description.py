"""The interface's description is complete by itself: words for every operation, every parameter,
body and refusal, and a type, down to the last field, for every answer."""

from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from riverboat.web.server.openapi import described
from tests.web.running import Server

Json = dict[str, Any]
FREE = ("RuleText.values", "Line.action", "Line.events.items")
"""The fields of any rule of any rulebook, and what a round's record says in its own words."""
NO_JSON = ("application/pdf", "text/plain; version=0.0.4")


@pytest.fixture(scope="module")
def description(floor_server: Server) -> Json:
    found: Json = floor_server.client().get("/api/openapi.json").json()
    return found


def operations(description: Json) -> Iterator[tuple[str, Json]]:
    """Every operation by its name."""
    for path, item in description["paths"].items():
        for method, operation in item.items():
            yield f"{method.upper()} {path}", operation


def faults(description: Json) -> Iterator[str]:
    """Everything that a reader who has nothing else would miss."""
    for name, operation in operations(description):
        yield from unworded(name, operation)
        if "requestBody" in operation:
            yield from untyped(operation["requestBody"]["content"], f"{name}: body")
        yield from unanswered(name, operation)
    for title, shape in description["components"]["schemas"].items():
        if "." in title:
            yield f"{title}: two types have this name"
        if "properties" in shape and not shape.get("description"):
            yield f"{title}: not described"
        yield from loose(shape, title)


def unworded(name: str, operation: Json) -> Iterator[str]:
    """Where words are missing."""
    for part in ("summary", "description", "tags"):
        if not operation.get(part):
            yield f"{name}: no {part}"
    title = operation.get("summary", "")
    if len(title) > 50 or title.endswith("."):
        yield f"{name}: its summary is no short title"
    for one in operation.get("parameters", ()):
        if not one.get("description"):
            yield f"{name}: {one['name']} is not described"
    if not operation.get("requestBody", {"description": "none"}).get("description"):
        yield f"{name}: its body is not described"


def unanswered(name: str, operation: Json) -> Iterator[str]:
    """What is wrong with the answers."""
    good = [status for status in operation["responses"] if status.startswith("2")]
    if len(good) != 1 or "409" not in operation["responses"]:
        yield f"{name}: answers {sorted(operation['responses'])}"
    for status, response in operation["responses"].items():
        if not response.get("description"):
            yield f"{name}: {status} is not described"
        yield from untyped(response.get("content", {}), f"{name}: {status}")


def untyped(content: Json, where: str) -> Iterator[str]:
    """JSON that is no struct of ours, a list or a mapping of them."""
    if not content:
        yield f"{where}: nothing is said of what it is"
    for media, shape in content.items():
        own = shape["schema"]
        inner = own.get("items") or own.get("additionalProperties") or own
        if media not in NO_JSON and not ("$ref" in inner or "anyOf" in inner):
            yield f"{where}: {media} is {own}"


def loose(shape: Any, where: str) -> Iterator[str]:
    """Objects of which nothing is said, wherever they are."""
    if isinstance(shape, list):
        for one in shape:
            yield from loose(one, where)
    elif isinstance(shape, dict):
        free = shape.get("additionalProperties", {}) in ({}, True)
        bare = shape.get("type") == "object" and not shape.get("properties")
        if bare and free and where not in FREE:
            yield f"{where}: an object without properties"
        for key, one in shape.items():
            yield from loose(one, f"{where}.{key}" if key != "properties" else where)


def test_nothing_is_missing(description: Json) -> None:
    assert list(faults(description)) == []
    assert len(list(operations(description))) > 55


def test_it_is_an_openapi_description(description: Json) -> None:
    assert description["openapi"].startswith("3.1")
    for shape in description["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(shape)
    assert "/api/frames.json" in description["info"]["description"]


@pytest.mark.parametrize(
    ("told", "spoil"),
    [
        ("no summary", lambda one: one.pop("summary")),
        ("no description", lambda one: one.pop("description")),
        ("short title", lambda one: one.update(summary="A whole sentence stands here.")),
        ("table is not described", lambda one: one["parameters"][0].pop("description")),
        ("nothing is said", lambda one: one["responses"]["200"].pop("content")),
        ("is {'type': 'object'}", lambda one: _answers(one, {"type": "object"})),
    ],
)
def test_a_fault_is_found(floor_server: Server, told: str, spoil: Any) -> None:
    own = described(floor_server.app)
    spoil(own["paths"]["/api/tables/{table}"]["get"])
    assert any(told in fault for fault in faults(own)), told


def _answers(operation: Json, shape: Json) -> None:
    operation["responses"]["200"]["content"]["application/json"]["schema"] = shape
