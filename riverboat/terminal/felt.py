"""The felt: dealer above, the others' places from right to left, your own place below.

Seat 1 is at the dealer's left hand and so at your right, as it is for whoever faces the dealer.
"""

from rich.text import Text

from riverboat.cards import Card
from riverboat.games.round import Seat
from riverboat.games.stages import stages_of
from riverboat.money import Cents, format_cents
from riverboat.terminal import blocks
from riverboat.terminal.blocks import LIGHT, QUIET, WOOD
from riverboat.terminal.faces import CARD_HEIGHT, CARD_WIDTH, FAN_STEP, Block, fan, row, short_cards
from riverboat.terminal.players import offered
from riverboat.terminal.results import told
from riverboat.terminal.scene import Scene
from riverboat.terminal.words import (
    brief_hand,
    hand_words,
    label,
    short_label,
    signed,
    standing,
    times,
)

FELT = "#e8efe9 on #0f4d2f"
TITLE = "bold #ffffff on #5a3412"
GAIN = "bold #8ff0a4"
LOSS = "bold #ffb3a7"

_CHIPS = ((100_00, "#c8c8ff"), (25_00, "#5fd787"), (5_00, "#ff6b6b"), (0, "#ffffff"))


def header(scene: Scene, width: int) -> Block:
    """The rulebook's title, its standing, and that no money is real: never out of sight."""
    title = blocks.fitted(Text(f" {scene.setup.book.title}"), width)
    title.stylize(TITLE)
    left = Text(f" {standing(scene.setup.book)}", "bold")
    right = Text(f"seat {scene.you} of {scene.setup.seats} · round {scene.round_number} ")
    gap = width - left.cell_len - right.cell_len
    return [title, blocks.fitted(Text.assemble(left, " " * gap, right), width)]


def draw_felt(scene: Scene, width: int, height: int) -> Block:
    """The whole felt in this many lines and columns."""
    inner, rows = width - 2, height - 2
    spare = rows - _SMALL_ROWS
    tall = spare >= CARD_HEIGHT and inner // len(scene.players) > _fan_width(scene)
    spare -= (CARD_HEIGHT - 1) * tall
    parts = [
        _dealer_row(scene, inner),
        _others(scene, inner, tall),
        _your_place(scene, inner, CARD_HEIGHT + spare - 1),
    ]
    gaps = rows - sum(map(len, parts))
    above = [Text(" " * inner)] * ((gaps + 1) // 2)
    below = [Text(" " * inner)] * (gaps // 2)
    lines = [Text.assemble((f"╭{f'─ {scene.moment} ':─<{inner}}╮", WOOD))]
    for line in (*parts[0], *above, *parts[1], *below, *parts[2]):
        lines.append(Text.assemble(("│", WOOD), blocks.fitted(line, inner), ("│", WOOD)))
    lines.append(Text.assemble((f"╰{'─' * inner}╯", WOOD)))
    for line in lines:
        line.style = FELT
    return lines


_OTHERS_ROWS = 5
_WIDEST_SPOT = 14
_SMALL_ROWS = CARD_HEIGHT + _OTHERS_ROWS + CARD_HEIGHT


def _fan_width(scene: Scene) -> int:
    """How wide another player's cards are when they are drawn."""
    return CARD_WIDTH + FAN_STEP * (scene.setup.book.deal.seat_cards - 1)


def _dealer_row(scene: Scene, inner: int) -> Block:
    """The progressive's sign, the cards that everybody sees, and the six card box."""
    state = scene.state
    middle = row(scene.dealers_hand or scene.community)
    if not state.community and not state.dealer:
        middle = _empty_middle(scene)
    side = (inner - blocks.width_of(middle)) // 2
    left = blocks.sized(_meter_sign(scene), side, CARD_HEIGHT, "center")
    right = blocks.sized(_right_of_dealer(scene), side, CARD_HEIGHT, "center")
    return blocks.beside([left, blocks.sized(middle, blocks.width_of(middle), CARD_HEIGHT), right])


def _empty_middle(scene: Scene) -> Block:
    game = scene.setup.book.game.replace("_", " ").upper()
    letters = Text(" ".join(game.replace(" ", "  ")), f"bold {QUIET}")
    line = Text("♠ ♥ ♦ ♣", QUIET)
    wide = letters.cell_len
    return [Text(), blocks.fitted(letters, wide), Text(), blocks.fitted(line, wide, "center")]


def _meter_sign(scene: Scene) -> Block:
    if scene.setup.progressive is None:
        return []
    amount = Text(format_cents(scene.state.meter.cents), LIGHT)
    sign = blocks.boxed(amount, "Progressive", 17)
    return [Text(), *sign]


def _right_of_dealer(scene: Scene) -> Block:
    return fan(scene.box) if scene.box else []


def _others(scene: Scene, inner: int, tall: bool) -> Block:
    """A column for every seat, seat 1 at the right; your own is marked and drawn below."""
    wide = inner // len(scene.players)
    rows = _OTHERS_ROWS + (CARD_HEIGHT - 1) * tall
    columns = [
        blocks.sized(_column(scene, number, wide - 1, tall), wide, rows, "center")
        for number in sorted(scene.players, reverse=True)
    ]
    together = blocks.beside(columns)
    return [blocks.fitted(line, inner, "center") for line in together]


def _column(scene: Scene, number: int, wide: int, tall: bool) -> Block:
    player, seat = scene.players[number], scene.state.seats.get(number)
    acting = scene.is_acting(number)
    name = Text(f"{'▸' if acting else ''}{number} {player.name}", LIGHT if acting else "bold")
    if number == scene.you:
        return [name, Text("│", QUIET), Text("▼", QUIET)]
    hand = scene.hand(number)
    cards: Block = [Text()]
    if hand:
        cards = fan(hand) if tall else [short_cards(hand, wide)]
    elif tall:
        cards = [Text() for _ in range(CARD_HEIGHT)]
    money = Text(format_cents(scene.bankroll(number)), QUIET)
    if seat is None:
        return [name, *cards, Text("sits out", QUIET), Text(), money]
    return [name, *cards, *_bets_or_result(scene, number, seat, wide), money]


def _bets_or_result(scene: Scene, number: int, seat: Seat, wide: int) -> Block:
    if scene.is_done(number):
        net = _result(seat.net_cents)
        if seat.status == "folded":
            return [Text("folded", QUIET), net]
        return [Text(_shown_hand(scene, number, wide), QUIET), net]
    if seat.status == "folded":
        return [Text("folded", QUIET), _side_bets(scene, seat)]
    return [_base_bets(scene, seat, wide), _side_bets(scene, seat)]


def _shown_hand(scene: Scene, number: int, wide: int) -> str:
    cards = (*(card for card in scene.hand(number) if card is not None), *scene.state.community)
    return brief_hand(cards, wide) if len(cards) == 5 else ""


def _result(cents: Cents) -> Text:
    if not cents:
        return Text("even", QUIET)
    return Text(signed(cents), GAIN if cents > 0 else LOSS)


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
            line.append("◉" if lit else "●", LIGHT if lit else "#ffffff")
            line.append(short_label(scene.setup.book, spot)[0])
    return line


def _your_place(scene: Scene, inner: int, rows: int) -> Block:
    """Your cards, and beside them your spots or, after the round, in at most so many rows what
    became of them."""
    hand: tuple[Card | None, ...] = scene.hand(scene.you)
    count = scene.setup.book.deal.seat_cards
    cards = row(hand, gap=0 if count > 2 else 1) if hand else []
    wide = CARD_WIDTH * count + (1 if count == 2 else 0)
    left = [Text("  ") + line for line in blocks.sized(cards, wide, CARD_HEIGHT)]
    room = inner - wide - 5
    right = [_your_line(scene)]
    right += told(scene, room, rows - 1) if scene.is_over else _spots(scene, room)
    return blocks.beside([left, blocks.sized(right, room, max(len(right), CARD_HEIGHT))], gap=2)


def _your_line(scene: Scene) -> Text:
    line = Text.assemble(("You", "bold"), f" · {format_cents(scene.bankroll(scene.you))}")
    seat = scene.state.seats.get(scene.you)
    if scene.is_over and seat is not None:
        line.append(" · ").append_text(_result(seat.net_cents))
    seen = scene.seen_by_you()
    if len(seen) > 1:
        folded = "folded, " if seat is not None and seat.status == "folded" else ""
        line.append(f" · {folded}{hand_words(seen)}", QUIET)
    return line


def _spots(scene: Scene, room: int) -> Block:
    """Your spots as they are marked on the felt, with the chips that lie on them."""
    setup, seat = scene.setup, scene.state.seats.get(scene.you, Seat())
    base = ["ante", *(stage.spot for stage in stages_of(setup.book))]
    spots = (*base, *offered(setup))
    wide = min(room // len(spots), _WIDEST_SPOT)
    return blocks.beside([_spot(scene, seat, spot, wide) for spot in spots])


def _spot(scene: Scene, seat: Seat, spot: str, wide: int) -> Block:
    cents, lit = seat.wagers.get(spot, 0), spot == "progressive" and seat.lit
    inside = chips(cents) if cents else Text("◉ on", LIGHT) if lit else Text()
    if inside.cell_len > wide - 2:
        inside = Text(format_cents(cents))
    name = label(scene.setup.book, spot)
    if len(name) > wide - 4:
        name = short_label(scene.setup.book, spot)
    return blocks.boxed(inside, name, wide, QUIET)
