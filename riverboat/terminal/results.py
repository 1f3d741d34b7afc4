"""What became of your wagers, as much of it as there is room for."""

from collections.abc import Sequence

from rich.text import Text

from riverboat.games.explaining import Explanation
from riverboat.terminal.blocks import QUIET, paragraph
from riverboat.terminal.faces import Block
from riverboat.terminal.scene import Scene
from riverboat.terminal.words import short_label, signed


def told(scene: Scene, width: int, rows: int) -> Block:
    """Every result of yours in full; if that is too long, lost side bets in one line; the whole
    of it is one key away."""
    mine = [one for one in scene.explained if one.seat == scene.you]
    lines = _in_full(mine, width)
    if len(lines) > rows:
        lost = [one for one in mine if one.result == "lose" and _is_side_bet(scene, one)]
        others = [one for one in mine if one not in lost]
        lines = [*_in_full(others, width), *_together(scene, lost, width)]
    if len(lines) > rows:
        lines = [*lines[: rows - 1], Text("… e tells the rest", QUIET)]
    return lines


def _in_full(explained: Sequence[Explanation], width: int) -> Block:
    lines: Block = []
    for one in explained:
        amount = signed(one.net_cents) if one.result != "note" else "Note"
        lines += paragraph(f"{amount}: {one.words}", width)
    return lines


def _is_side_bet(scene: Scene, one: Explanation) -> bool:
    return set(one.spots) <= {offer.bet for offer in scene.setup.book.side_bets}


def _together(scene: Scene, lost: Sequence[Explanation], width: int) -> Block:
    if not lost:
        return []
    names = ", ".join(short_label(scene.setup.book, spot) for one in lost for spot in one.spots)
    return paragraph(f"{signed(sum(one.net_cents for one in lost))}: lost on {names}", width)
