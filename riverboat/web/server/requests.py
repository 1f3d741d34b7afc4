"""What somebody sent: read strictly, or refused in words; nothing of it is guessed at.

The framework reads a number written as text, takes the last of two fields of one name, and breaks
on what is nested too deep. What moves money is read as it is written, or not at all.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import SplitResult, urlsplit

import msgspec
from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.exceptions import ClientException, ValidationException
from litestar.status_codes import (
    HTTP_405_METHOD_NOT_ALLOWED,
    HTTP_413_REQUEST_ENTITY_TOO_LARGE,
    HTTP_415_UNSUPPORTED_MEDIA_TYPE,
)
from litestar.types import Empty

from riverboat.core.errors import NotationError, with_fields

JSON_MEDIA: Final = "application/json"
MOST_BYTES: Final = 262_144
LONGEST_TEXT: Final = 1_000
"""Of a text that is put on record: a reason, a note, a name."""
MOST_PARTS: Final = 200
"""Of a list, or of what belongs together."""
_PLAIN_PORTS: Final = {"http": 80, "https": 443}
_FIELDS: Final = {
    "table": "the choice",
    "others": "other players",
    "know": "the known cards",
    "upcard": "the up-card",
    "paytable": "the pay table",
}
"""What pages call a field otherwise than by its name."""
_PLACE: Final = re.compile(r" - at `(?:key in )?\$\.?(.*)`$")


class WrongMedia(ClientException):
    """A body that says it is something else than JSON."""

    status_code = HTTP_415_UNSUPPORTED_MEDIA_TYPE


class SentRequest(Request[Any, Any, Any]):
    """A request whose body is read as the route wants it, to the letter."""

    async def json(self) -> Any:
        """The body as the route's own type; every misfit says where it is."""
        if self._json is Empty:
            body = await self.body()
            if body:
                require_json(self.headers.get("content-type", ""))
            wanted = self.route_handler.parsed_fn_signature.parameters["data"].annotation
            self._json = read_body(body, wanted)
        return self._json

    async def form(self) -> FormMultiDict:
        """No page sends a form: what looks like one is not read, and brings no token either."""
        return FormMultiDict({})


def require_json(media: str) -> None:
    """A form of another site cannot say that it is JSON; whatever does not say so is not read."""
    kind, _, more = media.partition(";")
    said = more.strip().lower().replace('"', "")
    if kind.strip().lower() != JSON_MEDIA or said not in ("", "charset=utf-8"):
        raise WrongMedia(f"content type {media[:60]!r}: what is sent here is {JSON_MEDIA}, UTF-8")


def read_body(body: bytes, wanted: Any) -> Any:
    """A body as a type, strictly: no text for a number, no field twice, none that is unknown."""
    try:
        json.loads(body.decode(), object_pairs_hook=_each_once)
        return msgspec.json.decode(body, type=wanted, strict=True)
    except msgspec.ValidationError as problem:
        text = str(problem)
        place = _PLACE.search(text)
        where = f"{place[1]}: " if place is not None and place[1] else ""
        raise ValidationException(f"{where}{_PLACE.sub('', text)}") from None
    except RecursionError:
        raise ClientException("this is nested too deep to be read") from None
    except UnicodeDecodeError as problem:
        text = f"byte {problem.start + 1} of what was sent is no UTF-8"
        raise ClientException(text) from None
    except (ValueError, msgspec.MsgspecError) as problem:
        raise ClientException(f"this is no JSON that can be read: {problem}") from None


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:60]!r} is there twice")
    return found


def require_known(raw: Mapping[str, Any], action: msgspec.Struct) -> None:
    """What an action says and nobody reads would be believed to have been said."""
    known = {str(action.__struct_config__.tag_field), *action.__struct_encode_fields__}
    unread = sorted(raw.keys() - known)
    if unread:
        fields = ", ".join(sorted(known - {"do"})) or "nothing else"
        text = f"action: {unread[0][:60]!r} is no field of {raw.get('do')}; it has {fields}"
        raise NotationError("action.unreadable", text)


def require_short(raw: object, place: str) -> None:
    """What goes on record for ever is no longer than people write it."""
    if isinstance(raw, str) and len(raw) > LONGEST_TEXT:
        text = f"{place}: {len(raw):,} characters; at most {LONGEST_TEXT:,} are taken"
        raise NotationError("text.long", text)
    if isinstance(raw, dict | list) and len(raw) > MOST_PARTS:
        text = f"{place}: {len(raw):,} parts; at most {MOST_PARTS} are taken"
        raise NotationError("text.long", text)
    if isinstance(raw, dict):
        for name, value in raw.items():
            require_short(name, place)
            require_short(value, f"{place}.{name}")
    elif isinstance(raw, list):
        for value in raw:
            require_short(value, place)


def words_for(status: int, method: str, said: str) -> str:
    """What the server refuses before anybody has looked at it, in words."""
    if status == HTTP_413_REQUEST_ENTITY_TOO_LARGE:
        return f"that is too much: at most {MOST_BYTES // 1024} kB are read"
    if status == HTTP_405_METHOD_NOT_ALLOWED:
        return f"{method[:20]} is not for this address"
    return said


def for_pages(text: str) -> str:
    """An error's words for somebody who looks at a page."""
    return with_fields(text, lambda field: _FIELDS.get(field, f"the {field.replace('_', ' ')}"))


# ---------------------------------------------------------------- where it comes from, and for what


def same_origin(origin: str | None, host: str, *, secure: bool) -> bool:
    """Whether a page of this floor asks: its scheme, its host and its port are the floor's own.

    Which scheme that is cannot be read off the connection: with HTTPS a proxy has it and speaks
    plain HTTP to the floor. So it is what the floor was started with. A program that is no browser
    names no origin; it has no cookie but its own.
    """
    if origin is None:
        return True
    scheme = "https" if secure else "http"
    try:
        asked, own = urlsplit(origin), urlsplit(f"{scheme}://{host}")
        return asked.scheme == scheme and _place(asked) == _place(own)
    except ValueError:
        return False


def _place(address: SplitResult) -> tuple[str | None, int | None]:
    return address.hostname, address.port or _PLAIN_PORTS.get(address.scheme)
