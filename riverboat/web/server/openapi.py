"""The machine interface's own description: OpenAPI, complete, and from no other place than here."""

from typing import Any, Final

import msgspec
from litestar import Litestar, Request, Response, get
from msgspec import Struct

from riverboat.floor.station import AnyAsked
from riverboat.keeping.actions import AnyMeterAction
from riverboat.web.api.commands import NEEDS_SECOND
from riverboat.web.auth import ANYBODY, CSRF_COOKIE, CSRF_HEADER, opens_to

OPENAPI_MEDIA: Final = "application/vnd.oai.openapi+json"
_OURS: Final = ("/api/", "/health", "/metrics")
_REF: Final = "#/components/schemas/{name}"
_REFUSALS: Final = {
    "400": "It cannot be read.",
    "401": "Sign in first.",
    "403": "It is not for you, or the CSRF header is missing.",
    "404": "There is no such thing.",
    "405": "Another method is meant.",
    "409": "The rules, or the state of the floor, say no.",
    "413": "It is too much.",
    "415": "It is no JSON.",
    "422": "The command's id was used for something else.",
    "429": "Too many tries; wait.",
    "503": "The ledger cannot be reached.",
}


class Problem(Struct, frozen=True, kw_only=True):
    """Why not, in words, with the clauses of the rulebook that say so."""

    code: str
    words: str
    cites: tuple[str, ...] = ()


def described(app: Litestar) -> dict[str, Any]:
    """The whole description as data."""
    schema: dict[str, Any] = app.openapi_schema.to_schema()
    schema["paths"] = {
        path: item
        for path, item in sorted(schema["paths"].items())
        if path.startswith(_OURS) and "openapi" not in path
    }
    components = schema.setdefault("components", {}).setdefault("schemas", {})
    components["Problem"] = msgspec.json.schema_components((Problem,))[1]["Problem"]
    _describe_actions(components)
    for item in schema["paths"].values():
        for operation in item.values():
            _describe_refusals(operation)
    schema["components"]["securitySchemes"] = {
        "session": {"type": "apiKey", "in": "cookie", "name": "riverboat"}
    }
    schema["info"]["description"] = (
        "Everything that the pages do. A session cookie says who asks; whatever changes something "
        f"carries the value of the cookie {CSRF_COOKIE} in the header {CSRF_HEADER}. Commands have "
        "an id that the client mints: sent again, they are done once. Frames come over the "
        "WebSocket /live?look=lobby&look=table/NAME&look=meter/NAME."
    )
    return schema


def _describe_refusals(operation: dict[str, Any]) -> None:
    problem = {"application/json": {"schema": {"$ref": _REF.format(name="Problem")}}}
    responses = operation.setdefault("responses", {})
    for status, words in _REFUSALS.items():
        responses[status] = {"description": words, "content": problem}


def _describe_actions(components: dict[str, Any]) -> None:
    """What can be asked for, kind by kind, from the very types that read it."""
    for owner, name, kinds in (
        ("Asked", "AnyAsked", AnyAsked),
        ("Keep", "AnyMeterAction", AnyMeterAction),
    ):
        (whole,), parts = msgspec.json.schema_components((kinds,), ref_template=_REF)
        for part, shape in parts.items():
            if shape.get("properties", {}).get("do", {}).get("enum", [""])[0] in NEEDS_SECOND:
                shape["properties"].pop("second", None)
                shape["required"] = [x for x in shape["required"] if x != "second"]
            components.setdefault(part, shape)
        components[name] = whole
        for title, shape in components.items():
            if title.rsplit("_", 1)[-1] == owner and "action" in shape.get("properties", {}):
                shape["properties"]["action"] = {"$ref": _REF.format(name=name)}


@get("/api/openapi.json", opt=opens_to(ANYBODY), sync_to_thread=True, include_in_schema=False)
def openapi(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The interface's own description, made once."""
    state = request.app.state
    if "openapi" not in state:
        state.openapi = msgspec.json.encode(described(request.app))
    return Response(state.openapi, media_type=OPENAPI_MEDIA)
