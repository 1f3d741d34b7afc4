"""The machine interface's own description: OpenAPI and the schema of the frames, complete, and from
no other place than here. What goes over the wire is described by the very types that write it."""

from collections.abc import Iterator
from fractions import Fraction
from types import UnionType
from typing import Any, Final, NamedTuple, get_args, get_origin

import msgspec
from litestar import Litestar, Request, Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.routes import HTTPRoute
from msgspec import Struct
from msgspec.json import schema_components

from riverboat.floor.station import AnyAsked
from riverboat.keeping.actions import AnyMeterAction
from riverboat.web.api.commands import NEEDS_SECOND
from riverboat.web.auth import ANYBODY, CSRF_COOKIE, CSRF_HEADER, opens_to
from riverboat.web.screens.frames import Frame, frames_schema

OPENAPI_MEDIA: Final = "application/vnd.oai.openapi+json"
SCHEMA_MEDIA: Final = "application/schema+json"
FRAMES: Final = "/api/frames.json"
REF: Final = "#/components/schemas/{name}"
_JSON: Final = "application/json"
_ACTIONS: Final[dict[str, tuple[str, Any]]] = {
    "Asked": ("AnyAsked", AnyAsked),
    "Keep": ("AnyMeterAction", AnyMeterAction),
}
"""What the action of a command can be, by the command."""
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


class Operation(NamedTuple):
    """A route as it is described, what it answers (one of these) and what it reads; none where
    that is no JSON."""

    shown: dict[str, Any]
    answers: tuple[Any, ...]
    reads: tuple[Any, ...]


def described(app: Litestar) -> dict[str, Any]:
    """The whole description as data."""
    schema: dict[str, Any] = app.openapi_schema.to_schema()
    schema["paths"] = dict(sorted(schema["paths"].items()))
    found = list(operations(app, schema["paths"]))
    wire = (kind for one in found for kind in (*one.answers, *one.reads))
    kinds = tuple(dict.fromkeys([*wire, *get_args(Frame), AnyAsked, AnyMeterAction, Problem]))
    shapes, components = schema_components(kinds, schema_hook=_shape, ref_template=REF)
    shape_of = dict(zip(kinds, shapes, strict=True))
    _describe_actions(components, shape_of)
    for one in found:
        _describe(one, shape_of)
    kinds_of_frames = [shape_of[kind] for kind in get_args(Frame)]
    components["Frame"] = {"anyOf": kinds_of_frames, "description": "What comes over the WebSocket"}
    schema["components"] = {
        "schemas": dict(sorted(components.items())),
        "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "riverboat"}},
    }
    schema["info"]["description"] = (
        "Everything that the pages do. A session cookie says who asks; whatever changes something "
        f"carries the value of the cookie {CSRF_COOKIE} in the header {CSRF_HEADER}. Commands have "
        "an id that the client mints: sent again, they are done once. Frames come over the "
        "WebSocket /live?look=lobby&look=table/NAME&look=meter/NAME; their JSON Schema is "
        f"{FRAMES}."
    )
    return schema


def _shape(kind: type) -> dict[str, Any]:
    """What JSON has no type for: exact figures."""
    if kind is not Fraction:
        raise NotImplementedError
    return {"type": "string", "pattern": "^-?[0-9]+(/[0-9]+)?$", "description": "a fraction"}


def operations(app: Litestar, paths: dict[str, Any]) -> Iterator[Operation]:
    """Every route that the description has, with the types of its handler."""
    for route in app.routes:
        if not isinstance(route, HTTPRoute) or route.path_format not in paths:
            continue
        for handler in route.route_handlers:
            for method in handler.http_methods:
                shown = paths[route.path_format].get(method.lower())
                if shown is not None:
                    sent = handler.parsed_fn_signature.parameters.get("data")
                    reads = () if sent is None else (sent.annotation,)
                    yield Operation(shown, _answers(handler), reads)


def _answers(handler: HTTPRouteHandler) -> tuple[Any, ...]:
    """What a handler answers as JSON; one that writes it itself says in `opt` of which type."""
    kind = handler.opt.get("answers", handler.parsed_fn_signature.return_type.annotation)
    if get_origin(kind) is Response:
        (kind,) = get_args(kind)
    if isinstance(kind, UnionType):
        return get_args(kind)
    return () if kind in (bytes, str) else (kind,)


def _describe(one: Operation, shape_of: dict[Any, Any]) -> None:
    """What goes over the wire, and what is answered instead where it is refused."""
    responses = one.shown["responses"]
    (status,) = (status for status in responses if status.startswith("2"))
    responses[status]["description"] = "It is done." if one.reads else "It is there."
    if one.answers:
        first, *others = (shape_of[kind] for kind in one.answers)
        shape = {"anyOf": [first, *others]} if others else first
        responses[status]["content"] = _as_json(shape)
    for kind in one.reads:
        words = " ".join((kind.__doc__ or "").split())
        body = {"required": True, "description": words, "content": _as_json(shape_of[kind])}
        one.shown["requestBody"] = body
    for refused, words in _REFUSALS.items():
        responses[refused] = {"description": words, "content": _as_json(shape_of[Problem])}


def _as_json(shape: Any) -> dict[str, Any]:
    return {_JSON: {"schema": shape}}


def _describe_actions(components: dict[str, Any], shape_of: dict[Any, Any]) -> None:
    """What can be asked for, kind by kind; a second person signs beside the action, not in it."""
    for shape in components.values():
        own = shape.get("properties", {})
        if own.get("do", {}).get("enum", [""])[0] in NEEDS_SECOND:
            own.pop("second", None)
            shape["required"] = [name for name in shape["required"] if name != "second"]
    for command, (name, kinds) in _ACTIONS.items():
        components[name] = shape_of[kinds]
        components[command]["properties"]["action"] = {"$ref": REF.format(name=name)}


@get("/api/openapi.json", opt=opens_to(ANYBODY), sync_to_thread=True, include_in_schema=False)
def openapi(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The interface's own description, made once."""
    state = request.app.state
    if "openapi" not in state:
        state.openapi = msgspec.json.encode(described(request.app))
    return Response(state.openapi, media_type=OPENAPI_MEDIA)


@get(FRAMES, opt=opens_to(ANYBODY), sync_to_thread=False, include_in_schema=False)
def frames() -> Response[bytes]:
    """The JSON Schema of what comes over the WebSocket."""
    return Response(msgspec.json.encode(frames_schema()), media_type=SCHEMA_MEDIA)
