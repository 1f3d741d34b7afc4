"""The text of a finished round: written for people, read with every misfit named.

The last line is a hash over all others.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final, NoReturn

from msgspec import MsgspecError, convert, to_builtins

from riverboat.core.cards import DECK, parse_card
from riverboat.core.errors import NotationError
from riverboat.core.fairness import LARGEST_NUMBER
from riverboat.evidence.round_file import (
    CARD_FIELDS,
    Line,
    Raw,
    RoundFile,
    read_action,
    read_event,
    tells_cards,
)

_WIDTH: Final = 100
_SHORT: Final = 6


class Unreadable(NotationError):
    """Text that is no finished round: where, and what is wrong there."""


# ---------------------------------------------------------------- writing


def canonical(value: Any) -> bytes:
    """The one spelling that is hashed and compared: sorted keys, no blanks, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def document_hash(document: Mapping[str, Any]) -> str:
    """The hash over a document without its last line."""
    rest = {key: value for key, value in document.items() if key != "sha256"}
    return sha256(canonical(rest)).hexdigest()


def write_round(file: RoundFile) -> str:
    """The document as text."""
    document = to_builtins(file)
    return laid_out({**document, "sha256": document_hash(document)})


def laid_out(document: Mapping[str, Any]) -> str:
    """JSON for people: what fits on a line stands on one, and so do lists of short words."""
    return _laid_out(document, 0) + "\n"


def _laid_out(value: Any, depth: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    words = isinstance(value, list | tuple) and all(len(json.dumps(v)) <= _SHORT for v in value)
    if not isinstance(value, dict | list | tuple) or words or len(flat) + 2 * depth <= _WIDTH:
        return flat
    blanks = "  " * (depth + 1)
    if isinstance(value, dict):
        inner = [
            f"{json.dumps(key, ensure_ascii=False)}: {_laid_out(item, depth + 1)}"
            for key, item in value.items()
        ]
        opens, closes = "{", "}"
    else:
        inner = [_laid_out(item, depth + 1) for item in value]
        opens, closes = "[", "]"
    lines = ",\n".join(blanks + line for line in inner)
    return f"{opens}\n{lines}\n{'  ' * depth}{closes}"


# ---------------------------------------------------------------- reading


def read_round(content: bytes) -> tuple[RoundFile, Raw]:
    """The document from a file's bytes, as it is and as data; or where it cannot be read."""
    raw = _parsed(content)
    stated = raw.get("sha256")
    if not isinstance(stated, str):
        raise Unreadable("round.unreadable", "sha256: the hash of the document is missing")
    rest = {key: value for key, value in raw.items() if key != "sha256"}
    try:
        file = convert(rest, RoundFile)
    except (MsgspecError, NotationError, RecursionError) as problem:
        raise Unreadable("round.unreadable", str(problem)) from None
    whole = json.loads(canonical(to_builtins(file)))
    for where, _, _ in differences(rest, whole):
        raise Unreadable("round.unreadable", f"{where}: missing, or written in another way")
    _read_cards(file)
    for line in file.entries:
        _read_line(line)
    return file, raw


def _read_cards(file: RoundFile) -> None:
    """What stands for cards is cards, and there is something that happened in the round."""
    lists: dict[str, tuple[str | None, ...]] = {"left_out": file.left_out}
    if file.view is not None:
        shown = file.view.shown
        lists |= {f"view.shown.{place}": cards for place, cards in shown.items()}
    if file.commitment is not None:
        lists["commitment.order"] = file.commitment.order
    for where, cards in lists.items():
        try:
            for card in cards:
                if card is not None:
                    parse_card(card)
        except NotationError as problem:
            raise Unreadable("round.unreadable", f"{where}: {problem}") from None
    if not file.entries:
        raise Unreadable("round.unreadable", "entries: there are none")


def _read_line(line: Line) -> None:
    """Every action and event of an entry is one that is known, and complete."""
    numbered = enumerate(line.events)
    parts: list[tuple[str, Raw, Callable[..., object]]] = [
        ("action", line.action, read_action),
        *((f"events[{index}]", event, read_event) for index, event in numbered),
    ]
    for where, raw, read in parts:
        try:
            known = to_builtins(read(raw, lambda: DECK[0]))
        except (MsgspecError, NotationError, RecursionError) as problem:
            text = f"entry {line.number}: {where}: {problem}"
            raise Unreadable("round.unreadable", text) from None
        for path, _, _ in differences(raw, known):
            if not (tells_cards(raw) and path.startswith(CARD_FIELDS)):
                text = f"entry {line.number}: {where}: {path}: missing, or written in another way"
                raise Unreadable("round.unreadable", text)


def _parsed(content: bytes) -> Raw:
    try:
        text = content.decode("utf-8")
        raw = json.loads(
            text, object_pairs_hook=_once, parse_constant=_no_number, parse_int=_whole_number
        )
        json.dumps(raw, ensure_ascii=False).encode("utf-8")
    except UnicodeError:
        raise Unreadable("round.unreadable", "is not UTF-8 text") from None
    except (ValueError, RecursionError) as problem:
        raise Unreadable("round.unreadable", f"is no JSON: {problem}") from None
    if not isinstance(raw, dict):
        raise Unreadable("round.unreadable", "a finished round is one JSON object")
    return raw


def _once(pairs: list[tuple[str, Any]]) -> Raw:
    """An object in which no key stands twice: of two values a reader would see only one."""
    found = dict(pairs)
    if len(found) != len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise Unreadable("round.unreadable", f"{twice[:80]!r} stands twice in one object")
    return found


def _whole_number(text: str) -> int:
    """A number that every reader of JSON keeps exactly."""
    number = int(text) if len(text) <= len(str(-LARGEST_NUMBER)) else LARGEST_NUMBER + 1
    if abs(number) > LARGEST_NUMBER:
        raise Unreadable("round.unreadable", f"{text[:40]} is larger than any number in a round")
    return number


def _no_number(text: str) -> NoReturn:
    raise Unreadable("round.unreadable", f"{text} is no number")


def differences(one: Any, other: Any, where: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every place where two values differ, with both; numbers and truths are not mixed up."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            path = f"{where}.{key}" if where else str(key)
            yield from differences(one.get(key), other.get(key), path)
            if (key in one) != (key in other) and one.get(key) == other.get(key):
                yield path, one.get(key), other.get(key)
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple):
        for index in range(max(len(one), len(other))):
            path = f"{where}[{index}]"
            if index >= len(one) or index >= len(other):
                yield path, one[index : index + 1], other[index : index + 1]
            else:
                yield from differences(one[index], other[index], path)
    elif type(one) is not type(other) or one != other:
        yield where, one, other
