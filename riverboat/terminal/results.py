"""What became of your wagers, in as many words as there is room for."""

from collections.abc import Iterable, Iterator, Sequence

from rich.text import Text

from riverboat.games.explaining import Explanation
from riverboat.terminal.blocks import QUIET, paragraph
from riverboat.terminal.faces import Block
from riverboat.terminal.scene import Scene
from riverboat.terminal.words import short_label, signed


def told(scene: Scene, width: int, rows: int) -> Block:
    """Every result of yours, the longest telling that fits; all of it is one key away."""
    mine = [one for one in scene.explained if one.seat == scene.you]
    lines: Block = []
    for telling in _tellings(scene, mine):
        lines = [line for text in telling for line in paragraph(text, width)]
        if len(lines) <= rows:
            return lines
    return [*lines[: rows - 1], Text("… e tells the rest", QUIET)]


def _tellings(scene: Scene, mine: Sequence[Explanation]) -> Iterator[list[str]]:
    """In full; with lost side bets together; with side bets in brief; all in brief."""
    base = [one for one in mine if not _is_side_bet(scene, one)]
    side = [one for one in mine if _is_side_bet(scene, one)]
    won = [one for one in side if one.result != "lose"]
    lost = [one for one in side if one.result == "lose"]
    yield [*map(_in_full, mine)]
    yield [*map(_in_full, (*base, *won)), *_together(scene, lost)]
    yield [*map(_in_full, base), *_in_brief(scene, won), *_together(scene, lost)]
    yield [*_in_brief(scene, (*base, *won)), *_together(scene, lost)]


def _is_side_bet(scene: Scene, one: Explanation) -> bool:
    bets = {offer.bet for offer in scene.setup.book.side_bets} | {"envy"}
    return set(one.spots) <= bets


def _in_full(one: Explanation) -> str:
    return f"{signed(one.net_cents)}: {one.words}" if one.result != "note" else one.words


def _in_brief(scene: Scene, explained: Iterable[Explanation]) -> Iterator[str]:
    """The spots and the pay table's line: "+$8: Prog, Three of a Kind, 9 for 1"."""
    for one in explained:
        if one.result != "note":
            why = ", ".join(part for part in (one.line, one.pays) if part) or "lost"
            yield f"{signed(one.net_cents)}: {_spots(scene, [one])}: {why}"


def _together(scene: Scene, lost: Sequence[Explanation]) -> Iterator[str]:
    if lost:
        yield f"{signed(sum(one.net_cents for one in lost))}: {_spots(scene, lost)}: lost"


def _spots(scene: Scene, explained: Iterable[Explanation]) -> str:
    book = scene.setup.book
    return ", ".join(short_label(book, spot) for one in explained for spot in one.spots)
