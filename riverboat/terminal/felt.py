"""The felt as it is drawn: seats, cards, bets, and what became of yours; frames of the screen."""

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from typing import NamedTuple

from rich.text import Text

from riverboat.answers.page import Block as PageBlock
from riverboat.answers.page import Paper, print_page
from riverboat.core.cards import Card
from riverboat.core.money import Cents, format_cents, format_signed
from riverboat.round.state import Seat
from riverboat.round.streets import seat_to_act
from riverboat.round.table_talk import label
from riverboat.rulebook.book import stages_of
from riverboat.terminal import drawing as d
from riverboat.terminal.players import offered
from riverboat.terminal.scene import Prompt, Scene, short_label, standing, times
from riverboat.wording.explaining import Explanation
from riverboat.wording.hand_names import brief_hand, hand_words


def told(scene: Scene, width: int, rows: int) -> d.Block:
    """Every result of yours, the longest telling that fits; all of it is one key away."""
    mine = [one for one in scene.explained if one.seat == scene.you]
    lines: d.Block = []
    for telling in _tellings(scene, mine):
        lines = [line for text in telling for line in d.paragraph(text, width)]
        if len(lines) <= rows:
            return lines
    return [*lines[: rows - 1], Text("… e tells the rest", d.QUIET)]


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
    return f"{format_signed(one.net_cents)}: {one.words}" if one.result != "note" else one.words


def _in_brief(scene: Scene, explained: Iterable[Explanation]) -> Iterator[str]:
    """The spots and the pay table's line: "+$8: Prog, Three of a Kind, 9 for 1"."""
    for one in explained:
        if one.result != "note":
            why = ", ".join(part for part in (one.line, one.pays) if part) or "lost"
            yield f"{format_signed(one.net_cents)}: {_spot_names(scene, [one])}: {why}"


def _together(scene: Scene, lost: Sequence[Explanation]) -> Iterator[str]:
    if lost:
        net = format_signed(sum(one.net_cents for one in lost))
        yield f"{net}: {_spot_names(scene, lost)}: lost"


def _spot_names(scene: Scene, explained: Iterable[Explanation]) -> str:
    book = scene.setup.book
    return ", ".join(short_label(book, spot) for one in explained for spot in one.spots)


FELT = "#e8efe9 on #0f4d2f"
TITLE = "bold #ffffff on #5a3412"
GAIN = "bold #8ff0a4"
LOSS = "bold #ffb3a7"

_CHIPS = ((100_00, "#c8c8ff"), (25_00, "#5fd787"), (5_00, "#ff6b6b"), (0, "#ffffff"))


def header(scene: Scene, width: int) -> d.Block:
    """The rulebook's title, its standing, and that no money is real: never out of sight."""
    title = d.fitted(Text(f" {scene.setup.book.title}"), width)
    title.stylize(TITLE)
    left = Text(f" {standing(scene.setup.book)}", "bold")
    right = Text(f"seat {scene.you} of {scene.setup.seats} · round {scene.round_number} ")
    gap = width - left.cell_len - right.cell_len
    return [title, d.fitted(Text.assemble(left, " " * gap, right), width)]


def draw_felt(scene: Scene, width: int, height: int) -> d.Block:
    """The whole felt in this many lines and columns."""
    inner, rows = width - 2, height - 2
    spare = rows - _SMALL_ROWS
    fan_width = d.CARD_WIDTH + d.FAN_STEP * (scene.setup.book.deal.seat_cards - 1)
    tall = spare >= d.CARD_HEIGHT and inner // len(scene.players) > fan_width
    spare -= (d.CARD_HEIGHT - 1) * tall
    parts = [
        _dealer_row(scene, inner),
        _others(scene, inner, tall),
        _your_place(scene, inner, d.CARD_HEIGHT + spare - 1),
    ]
    gaps = rows - sum(map(len, parts))
    above = [Text(" " * inner)] * ((gaps + 1) // 2)
    below = [Text(" " * inner)] * (gaps // 2)
    lines = [Text.assemble((f"╭{f'─ {scene.moment} ':─<{inner}}╮", d.WOOD))]
    for line in (*parts[0], *above, *parts[1], *below, *parts[2]):
        lines.append(Text.assemble(("│", d.WOOD), d.fitted(line, inner), ("│", d.WOOD)))
    lines.append(Text.assemble((f"╰{'─' * inner}╯", d.WOOD)))
    for line in lines:
        line.style = FELT
    return lines


_OTHERS_ROWS = 5
_WIDEST_SPOT = 14
_SMALL_ROWS = d.CARD_HEIGHT + _OTHERS_ROWS + d.CARD_HEIGHT


def _dealer_row(scene: Scene, inner: int) -> d.Block:
    """The progressive's sign, the cards that everybody sees, and the six card box."""
    state = scene.state
    middle = d.row(scene.dealers_hand or scene.community)
    if not state.community and not state.dealer:
        middle = _empty_middle(scene)
    side = (inner - d.width_of(middle)) // 2
    left = d.sized(_meter_sign(scene), side, d.CARD_HEIGHT, "center")
    box = d.fan(scene.box) if scene.box else []
    right = d.sized(box, side, d.CARD_HEIGHT, "center")
    return d.beside([left, d.sized(middle, d.width_of(middle), d.CARD_HEIGHT), right])


def _empty_middle(scene: Scene) -> d.Block:
    game = scene.setup.book.game.replace("_", " ").upper()
    letters = Text(" ".join(game.replace(" ", "  ")), f"bold {d.QUIET}")
    line = Text("♠ ♥ ♦ ♣", d.QUIET)
    wide = letters.cell_len
    return [Text(), d.fitted(letters, wide), Text(), d.fitted(line, wide, "center")]


def _meter_sign(scene: Scene) -> d.Block:
    if scene.setup.progressive is None:
        return []
    amount = Text(format_cents(scene.state.meter.cents), d.LIGHT)
    return [Text(), *d.boxed(amount, "Progressive", 17)]


def _others(scene: Scene, inner: int, tall: bool) -> d.Block:
    """A column for every seat, seat 1 at the right; your own is marked and drawn below."""
    wide = inner // len(scene.players)
    rows = _OTHERS_ROWS + (d.CARD_HEIGHT - 1) * tall
    columns = [
        d.sized(_column(scene, number, wide - 1, tall), wide, rows, "center")
        for number in sorted(scene.players, reverse=True)
    ]
    return [d.fitted(line, inner, "center") for line in d.beside(columns)]


def _column(scene: Scene, number: int, wide: int, tall: bool) -> d.Block:
    player, seat = scene.players[number], scene.state.seats.get(number)
    acting = scene.state.stage < scene.decisions and seat_to_act(scene.state) == number
    name = Text(f"{'▸' if acting else ''}{number} {player.name}", d.LIGHT if acting else "bold")
    if number == scene.you:
        return [name, Text("│", d.QUIET), Text("▼", d.QUIET)]
    hand = scene.hand(number)
    cards: d.Block = [Text()]
    if hand:
        cards = d.fan(hand) if tall else [d.short_cards(hand, wide)]
    elif tall:
        cards = [Text() for _ in range(d.CARD_HEIGHT)]
    money = Text(format_cents(scene.bankroll(number)), d.QUIET)
    if seat is None:
        return [name, *cards, Text("sits out", d.QUIET), Text(), money]
    return [name, *cards, *_bets_or_result(scene, number, seat, wide), money]


def _bets_or_result(scene: Scene, number: int, seat: Seat, wide: int) -> d.Block:
    if scene.is_done(number):
        net = _result(seat.net_cents)
        if seat.status == "folded":
            return [Text("folded", d.QUIET), net]
        shown = [card for card in scene.hand(number) if card is not None]
        cards = (*shown, *scene.state.community)
        return [Text(brief_hand(cards, wide) if len(cards) == 5 else "", d.QUIET), net]
    if seat.status == "folded":
        return [Text("folded", d.QUIET), _side_bets(scene, seat)]
    return [_base_bets(scene, seat, wide), _side_bets(scene, seat)]


def _result(cents: Cents) -> Text:
    if not cents:
        return Text("even", d.QUIET)
    return Text(format_signed(cents), GAIN if cents > 0 else LOSS)


def chips(cents: Cents, sign: str = "●") -> Text:
    """An amount with a chip in the colour of its size."""
    colour = next(colour for least, colour in _CHIPS if cents >= least)
    return Text.assemble((sign, colour), " ", format_cents(cents))


def _base_bets(scene: Scene, seat: Seat, wide: int) -> Text:
    """The ante and the street bets as multiples of it: "● $5 3x 1x", or what is left of them."""
    stages = [stage.spot for stage in stages_of(scene.setup.book) if stage.spot in seat.wagers]
    ante = seat.wagers.get("ante")
    if ante is None:
        return chips(sum(seat.wagers[spot] for spot in stages)) if stages else Text()
    line = chips(ante)
    for spot in stages:
        line.append(f" {times(seat.wagers[spot], ante)}")
    if line.cell_len <= wide:
        return line
    shorter = line.plain.removeprefix("● ")
    return Text(shorter if len(shorter) <= wide else shorter.replace("x", "").replace(" ", "·"))


def _side_bets(scene: Scene, seat: Seat) -> Text:
    line = Text()
    for spot in offered(scene.setup):
        lit = spot == "progressive" and seat.lit
        if spot in seat.wagers or lit:
            line.append(" " if line.plain else "")
            line.append("◉" if lit else "●", d.LIGHT if lit else "#ffffff")
            line.append(short_label(scene.setup.book, spot)[0])
    return line


def _your_place(scene: Scene, inner: int, rows: int) -> d.Block:
    """Your cards, and beside them your spots or, after the round, in at most so many rows what
    became of them."""
    hand: tuple[Card | None, ...] = scene.hand(scene.you)
    count = scene.setup.book.deal.seat_cards
    cards = d.row(hand, gap=0 if count > 2 else 1) if hand else []
    wide = d.CARD_WIDTH * count + (1 if count == 2 else 0)
    left = [Text("  ") + line for line in d.sized(cards, wide, d.CARD_HEIGHT)]
    room = inner - wide - 5
    right = [_your_line(scene)]
    right += told(scene, room, rows - 1) if scene.is_over else _spots(scene, room)
    return d.beside([left, d.sized(right, room, max(len(right), d.CARD_HEIGHT))], gap=2)


def _your_line(scene: Scene) -> Text:
    line = Text.assemble(("You", "bold"), f" · {format_cents(scene.bankroll(scene.you))}")
    seat = scene.state.seats.get(scene.you)
    if scene.is_over and seat is not None:
        line.append(" · ").append_text(_result(seat.net_cents))
    seen = scene.seen_by_you()
    if len(seen) > 1:
        folded = "folded, " if seat is not None and seat.status == "folded" else ""
        line.append(f" · {folded}{hand_words(seen)}", d.QUIET)
    return line


def _spots(scene: Scene, room: int) -> d.Block:
    """Your spots as they are marked on the felt, with the chips that lie on them."""
    setup, seat = scene.setup, scene.state.seats.get(scene.you, Seat())
    base = ["ante", *(stage.spot for stage in stages_of(setup.book))]
    spots = (*base, *offered(setup))
    wide = min(room // len(spots), _WIDEST_SPOT)
    return d.beside([_spot(scene, seat, spot, wide) for spot in spots])


def _spot(scene: Scene, seat: Seat, spot: str, wide: int) -> d.Block:
    cents, lit = seat.wagers.get(spot, 0), spot == "progressive" and seat.lit
    inside = chips(cents) if cents else Text("◉ on", d.LIGHT) if lit else Text()
    if inside.cell_len > wide - 2:
        inside = Text(format_cents(cents))
    name = label(scene.setup.book, spot)
    if len(name) > wide - 4:
        name = short_label(scene.setup.book, spot)
    return d.boxed(inside, name, wide, d.QUIET)


SMALLEST = (80, 24)
LOG_ROWS = 2
KEY = "bold #d78700"
LOUD = "bold #e05050"


class Said(NamedTuple):
    """Something that was said at the table; a refusal is loud."""

    text: str
    loud: bool = False


def table_frame(scene: Scene, log: Sequence[Said], asked: Text, width: int, height: int) -> d.Block:
    """The table on a screen of this size."""
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return _too_small(scene, asked, width, height)
    log_rows = LOG_ROWS + min(6, (height - SMALLEST[1]) // 3)
    felt_rows = height - 2 - log_rows - 1
    return [
        *header(scene, width),
        *draw_felt(scene, width, felt_rows),
        *_last_said(log, width, log_rows),
        d.fitted(asked, width),
    ]


def _last_said(log: Sequence[Said], width: int, rows: int) -> d.Block:
    """The end of the log; of a last word that is too long, its beginning."""
    lines: d.Block = []
    for said in reversed(log[-rows:]):
        lines = d.paragraph(said.text, width - 2, LOUD if said.loud else "")[:rows] + lines
        if len(lines) >= rows:
            break
    shown = [Text.assemble(" ", line) for line in lines[-rows:]]
    return [Text() for _ in range(rows - len(shown))] + shown


def _too_small(scene: Scene, asked: Text, width: int, height: int) -> d.Block:
    wide, high = SMALLEST
    text = f"The table needs {wide} × {high}; this window is {width} × {height}. Make it larger."
    lines = [*header(scene, width), *d.paragraph(text, width)]
    room = max(0, height - 1)
    return [*lines[:room], *(Text() for _ in range(room - len(lines))), d.fitted(asked, width)]


def keys_asked(prompt: Prompt) -> Text:
    """The keys that answer a question, each with what it does."""
    line = Text(" ")
    for key, does in prompt.keys:
        line.append("  " if line.plain.strip() else "").append(key, KEY).append(f" {does}")
    return line


def page_lines(page: Iterable[PageBlock], width: int, colours: str | None) -> d.Block:
    """A page in lines of this width."""
    paper = StringIO()
    console = Paper(
        file=paper,
        width=width,
        highlight=False,
        force_terminal=colours is not None,
        color_system=colours,  # type: ignore[arg-type]
    )
    print_page(console, page)
    return [Text.from_ansi(line) for line in paper.getvalue().splitlines()]


def page_frame(scene: Scene, lines: d.Block, top: int, width: int, height: int) -> d.Block:
    """A part of a page under the table's own title."""
    rows = page_rows(height)
    shown = [Text.assemble(" ", d.fitted(line, width - 2)) for line in lines[top : top + rows]]
    blank = [Text() for _ in range(rows - len(shown))]
    until = min(len(lines), top + rows)
    more = until < len(lines)
    prompt = Prompt("", ((("Enter", "more"),) if more else ()) + (("q", "back to the table"),))
    where = Text(f"   lines {top + 1} to {until} of {len(lines)}", "dim")
    return [
        *header(scene, width),
        Text("─" * width, "dim"),
        *shown,
        *blank,
        d.fitted(Text.assemble(keys_asked(prompt), where), width),
    ]


def page_rows(height: int) -> int:
    """How many lines of a page a screen of this height shows."""
    return max(1, height - 4)
