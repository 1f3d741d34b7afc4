"""The charts: strategies as starting hands in a square or as hands against the dealer's up-card,
the house edge by the meter and by one line of a pay table, and what a round can bring."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import cycle, pairwise
from typing import NamedTuple

from riverboat.core.cards import RANKS
from riverboat.core.errors import NotationError
from riverboat.core.hands import FiveCardHand, Ranked
from riverboat.core.money import Cents
from riverboat.exact import kernels as k
from riverboat.exact.base_games import streets as s
from riverboat.exact.base_games.dealer_game import DealerSolution, solve_against_dealer
from riverboat.exact.base_games.dealer_strategies import relations_of
from riverboat.exact.base_games.street_payoffs import payoffs_of
from riverboat.exact.distribution import Distribution
from riverboat.exact.progressive.wager import edge_by_meter, progressive_figures, progressive_of
from riverboat.exact.rule_changes import paying_by, with_line
from riverboat.exact.side_bets import side_bet_figures
from riverboat.exact.solvers import BasePlay, ByShape, house_edge
from riverboat.plots import axes as ax
from riverboat.round.setup.setup import Setup
from riverboat.rulebook.paytables import Line, PayTable
from riverboat.rulebook.values import Pays

_DOWN = RANKS[::-1]
_BETWEEN = (ax.ORANGE, ax.RED, "#009e73", "#cc79a7")
_DARK = (ax.BLUE, ax.RED, "#009e73")
_LOWEST_OF = {f"pair of {RANKS[0]}": "pair"}

_METER_POINTS = 25
_LINE_POINTS = 41
_FINE_UP_TO = 8
_QUARTER = Fraction(1, 4)
MOST_BARS = 26
_EDGES = tuple(m * 10**power for power in range(1, 9) for m in (1, 2, 5))
_PUSH = "#8a8a8a"
_RARE = Fraction(1, 2000)


def base_chart(setup: Setup, ante_cents: Cents, source: ax.Source, where: str) -> str:
    """The best play of a table's base game."""
    drawn: ByShape[Callable[[], str]] = ByShape(
        lambda: strategy_chart(s.solve(setup, ante_cents), source, where),
        lambda: dealer_chart(solve_against_dealer(setup, ante_cents), source, where),
    )
    return drawn.at(setup)()


def strategy_chart(solution: s.Solution, source: ax.Source, where: str) -> str:
    """What to do with the first two cards: 169 kinds of them in a square."""
    hands = s.starting_hands(solution)
    multiples = solution.payoffs.multiples[0]
    between = dict(zip(multiples[1:-1], cycle(_BETWEEN), strict=False))
    # The lowest bet is pale, the highest dark.
    fills = {s.FOLD: ax.PALE, multiples[0]: ax.SKY, multiples[-1]: ax.BLUE} | between
    shares = {choice: Fraction(0) for choice in fills}
    for found in hands.values():
        shares[found.best] += Fraction(found.card_sets, 1326)
    picture = ax.Picture(
        "The first two cards",
        f"{where}: the best choice before any community card. Right of the diagonal both cards "
        "are of one suit, left of it of two.",
        "A square of 13 by 13 starting hands. "
        + "; ".join(f"{_choice(c)}: {ax.percent(share)} of deals" for c, share in shares.items()),
    )
    side = (ax.WIDTH - 2 * ax.MARGIN - 16) / 13
    top, left = picture.bottom + 16, ax.MARGIN + 16
    for place, rank in enumerate(_DOWN):
        middle = side * (place + 0.5)
        picture.text(left + middle, top - 4, rank, anchor="middle", weight="bold")
        picture.text(left - 10, top + middle + 4, rank, anchor="middle", weight="bold")
    for row, first in enumerate(_DOWN):
        for column, second in enumerate(_DOWN):
            name = _cell(row, column, first, second)
            found = hands[name]
            worths = (f"{_choice(c)} {ax.signed(worth)}" for c, worth in found.choices.items())
            tip = f"{name}: {', '.join(worths)} antes"
            fill, x, y = fills[found.best], left + column * side, top + row * side
            picture.rect(x + 0.75, y + 0.75, side - 1.5, side - 1.5, fill, tip, "cell")
            said = _choice(found.best).removeprefix("bet ")
            picture.text(x + side / 2, y + side / 2 + 4, said, anchor="middle", fill=_on(fill))
    picture.bottom = top + 13 * side + 6
    picture.legend(
        [(fills[c], f"{_choice(c)}, {ax.percent(share)}") for c, share in shares.items() if share]
    )
    never = [f"{c}x" for c, share in shares.items() if not share]
    if never:
        picture.note(f"Never the best: {', '.join(never)}. Percentages are of all deals.")
    return picture.svg(source)


def _cell(row: int, column: int, first: str, second: str) -> str:
    if row == column:
        return first * 2
    return f"{first}{second}s" if column > row else f"{second}{first}o"


def _choice(choice: int) -> str:
    return f"bet {choice}x" if choice else "fold"


def _on(fill: str) -> str:
    return ax.PAPER if fill in _DARK else ax.INK


# ---------------------------------------------------------------- against the dealer's up-card


class HandRow(NamedTuple):
    """Hands that are told apart in the chart: for each up-card the share of them that bets.

    A share is missing where no such hand can be.
    """

    label: str
    shares: tuple[Fraction | None, ...]


def dealer_chart(solution: DealerSolution, source: ax.Source, where: str) -> str:
    """Bet or fold by the own hand and the dealer's up-card."""
    picture = ax.Picture(
        "Bet or fold, by the dealer's up-card",
        f"{where}: the best play. Each box is a kind of hand against an up-card.",
        "Two tables, hands by up-cards: the share of the hands in a box that bet.",
    )
    panels = (
        (False, "No card of the up-card's rank in your hand"),
        (True, "A card of the up-card's rank in your hand"),
    )
    for matches, words in panels:
        _panel(picture, words, hand_rows(solution, matches))
    picture.legend(
        [(ax.PALE, "fold"), (ax.ORANGE, "some bet: how many, in percent"), (ax.BLUE, "bet")]
    )
    picture.note("An empty box: no such hand. Suits decide within the mixed boxes.")
    return picture.svg(source)


def _panel(picture: ax.Picture, words: str, rows: Sequence[HandRow]) -> None:
    label_room, high = 74, 21
    side = (ax.WIDTH - 2 * ax.MARGIN - label_room) / 13
    picture.text(ax.MARGIN, picture.bottom + ax.WORDS, words, weight="bold")
    picture.text(
        ax.MARGIN, picture.bottom + ax.WORDS + 18, "your hand", size=ax.FINE, fill=ax.QUIET
    )
    top, left = picture.bottom + ax.WORDS + 23, ax.MARGIN + label_room
    for place, rank in enumerate(RANKS):
        picture.text(left + side * (place + 0.5), top - 4, rank, anchor="middle", weight="bold")
    for number, row in enumerate(rows):
        y = top + number * high
        picture.text(left - 5, y + 14, row.label, size=ax.FINE, anchor="end")
        for place, share in enumerate(row.shares):
            if share is None:
                continue
            fill, said = _verdict(share)
            x = left + place * side
            tip = f"{row.label} against {RANKS[place]}: {ax.percent(share)} bet"
            picture.rect(x + 0.75, y + 0.75, side - 1.5, high - 1.5, fill, tip, "cell")
            picture.text(x + side / 2, y + 14, said, anchor="middle", size=ax.FINE, fill=_on(fill))
    picture.bottom = top + len(rows) * high + 8


def _verdict(share: Fraction) -> tuple[str, str]:
    if share in (0, 1):
        return (ax.BLUE, "bet") if share else (ax.PALE, "fold")
    rounded = round(share * 100)
    return ax.ORANGE, "<1" if not rounded else ">99" if rounded == 100 else str(rounded)


def hand_rows(solution: DealerSolution, matches: bool) -> tuple[HandRow, ...]:
    """Kinds of hand from the highest, rows that always fold or always bet put together."""
    rows = list(_hand_rows(solution, matches))
    while len(rows) > 1 and _all(rows[0], 1) and _all(rows[1], 1):
        rows[:2] = [HandRow(rows[1].label, _either(rows[0], rows[1]))]
    low = 0
    while len(rows) > 1 and _all(rows[-1], 0) and _all(rows[-2], 0):
        rows[-2:] = [HandRow(rows[-2].label, _either(rows[-1], rows[-2]))]
        low += 1
    if _all(rows[0], 1):
        rows[0] = HandRow(f"{_LOWEST_OF.get(rows[0].label, rows[0].label)} or better",
                          rows[0].shares)  # fmt: skip
    if low:
        rows[-1] = HandRow(f"{rows[-1].label} or lower", rows[-1].shares)
    return tuple(rows)


def _all(row: HandRow, share: int) -> bool:
    return all(one is None or one == share for one in row.shares)


def _either(one: HandRow, other: HandRow) -> tuple[Fraction | None, ...]:
    return tuple(b if a is None else a for a, b in zip(one.shares, other.shares, strict=True))


def _hand_rows(solution: DealerSolution, matches: bool) -> Iterator[HandRow]:
    found, ranked = relations_of(solution), k.hand_values.hand_values().ranked
    groups: dict[str, list[int]] = {}
    for value in range(len(ranked) - 1, -1, -1):
        groups.setdefault(_row_label(ranked[value]), []).append(value)
    for label, values in groups.items():
        shares: list[Fraction | None] = []
        for rank in range(len(RANKS)):
            hands = int(found.cells[values, rank, int(matches)].sum())
            bets = int(found.bets[values, rank, int(matches)].sum())
            shares.append(Fraction(bets, hands) if hands else None)
        yield HandRow(label, tuple(shares))


def _row_label(value: Ranked) -> str:
    """Ace-high hands by their second card, pairs by their rank, anything else by its name."""
    first = RANKS[value.ranks[0]]
    if value.hand is FiveCardHand.HIGH_CARD:
        return f"A-{RANKS[value.ranks[1]]}" if first == "A" else f"{first} high"
    if value.hand is FiveCardHand.PAIR:
        return f"pair of {first}"
    return value.hand.label.replace("_", " ")


class LinePoint(NamedTuple):
    """Odds to 1 on a line, and the house edge then: played anew, and played as before."""

    odds: Fraction
    edge: Fraction
    unmoved: Fraction


# ---------------------------------------------------------------- the meter


def meter_chart(setup: Setup, source: ax.Source, where: str, play: BasePlay | None = None) -> str:
    """The house edge of one progressive wager from an empty meter to beyond break-even."""
    found = progressive_figures(setup, play=play)
    seed, even = found.seed_cents, found.break_even_cents
    last = max(2 * seed, int((even or 5 * seed) * 5 / 4))
    meters = sorted({*(last * place // _METER_POINTS for place in range(_METER_POINTS + 1)),
                     seed, *((even,) if even else ())})  # fmt: skip
    points = edge_by_meter(setup, meters, play)
    edges = [float(edge) for _, edge in points]
    picture = ax.Picture(
        "House edge by the meter",
        f"{where}: one wager of {ax.dollars(progressive_of(setup).wager_cents / 100)}, "
        f"{found.others} others betting. Below the line at zero the player has the edge.",
        f"A falling line: {ax.percent(dict(points)[seed])} at the seed"
        + (f", zero at ${even / 100:,.2f}." if even else "."),
    )
    low, high = min(edges), max(edges)
    x, y = ax.framed(
        picture,
        (0, last / 100),
        (low - (high - low) * 0.08, high + (high - low) * 0.08),
        ("meter when the award is paid", "house edge of the wager"),
        (ax.dollars, lambda share: ax.percent(share, 0)),
    )
    picture.curve([(x(m / 100), y(e)) for m, e in points], ax.BLUE)
    _marked(picture, x(seed / 100), y(dict(points)[seed]), ax.INK,
            f"seed ${seed / 100:,.0f}: {ax.percent(dict(points)[seed])}")  # fmt: skip
    if even:
        _marked(picture, x(even / 100), y(dict(points)[even]), ax.RED,
                f"even at ${even / 100:,.2f}")  # fmt: skip
    assumed = " ".join(f"{words[:1].upper()}{words[1:]}." for words in found.assumptions)
    picture.note(
        f"In the long run, when contributions and seeds are paid out, the house keeps "
        f"{ax.percent(found.long_run_house_edge)}. {assumed}"
    )
    return picture.svg(source)


def _marked(picture: ax.Picture, x: float, y: float, fill: str, words: str) -> None:
    """A point of a falling line with its words where that line is not: above it on the right, or
    below it on the left."""
    picture.dot(x, y, fill)
    to_right = x + 9 + ax.width_of(words, 11) < ax.WIDTH - ax.MARGIN
    if to_right:
        picture.text(x + 9, y - 9, words, fill=fill, weight="bold", halo=True)
    else:
        picture.text(x - 9, y + 17, words, fill=fill, weight="bold", halo=True, anchor="end")


# ---------------------------------------------------------------- a line of a pay table


def line_named(table: PayTable, name: str) -> Line:
    """A line by its label or by one of its hands."""
    wanted = _plain(name)
    for line in table.lines:
        if wanted in (_plain(line.label), *map(_plain, line.hands)):
            return line
    there = ", ".join(line.label or line.hands[0] for line in table.lines)
    raise NotationError("plot.no_line", f"{table.id} has no line {name!r}; there are: {there}")


def _plain(name: str) -> str:
    return name.lower().replace("_", " ").replace("-", " ").strip()


def odds_of(line: Line) -> Fraction:
    """What a line pays to 1: a push is nothing, and a loss is minus one."""
    match line.pays.kind:
        case "to":
            return Fraction(line.pays.amount, line.pays.per)
        case "push":
            return Fraction(0)
        case "lose":
            return Fraction(-1)
    raise NotationError("plot.no_odds", f"{line.label} pays {line.pays.words}, which has no odds")


def points_of(setup: Setup, table: PayTable, line: Line, wager_cents: Cents) -> list[LinePoint]:
    """The edge for payouts of one line from a push to twice what it is, the others as they are."""
    now = odds_of(line)
    most = max(2 * now, Fraction(2))
    step = _QUARTER if most <= _FINE_UP_TO else Fraction(-(-most // _LINE_POINTS))
    wanted = sorted({*(step * n for n in range(int(most / step) + 1)), max(now, Fraction(0))})
    if table.bet != "base":
        edges = [
            side_bet_figures(setup, table.bet, _paying(table, line, n), wager_cents).house_edge
            for n in wanted
        ]
        return [LinePoint(n, edge, edge) for n, edge in zip(wanted, edges, strict=True)]
    solution = s.solve(setup, wager_cents)
    more = payoffs_of(paying_by(setup, _paying(table, line, now + 1)), wager_cents)
    # What one more to 1 on the line brings a player who plays on as before, per ante.
    slope = s.evaluate(more, solution.choose).value - solution.value
    here = solution.house_edge
    moved = ((n, paying_by(setup, _paying(table, line, n))) for n in wanted)
    return [
        LinePoint(n, house_edge(there, wager_cents), here - slope * (n - now)) for n, there in moved
    ]


def _paying(table: PayTable, line: Line, odds: Fraction | int) -> PayTable:
    one = Fraction(odds)
    pays = Pays.parse(f"{one.numerator} to {one.denominator}" if one > 0 else "push")
    return with_line(table, table.lines.index(line), pays)


def line_chart(
    setup: Setup, table: PayTable, line: Line, wager_cents: Cents, source: ax.Source, where: str
) -> str:
    """The house edge as one line of the pay table is moved."""
    points, now = points_of(setup, table, line, wager_cents), odds_of(line)
    name = line.label or line.hands[0].replace("_", " ")
    picture = ax.Picture(
        f"House edge by what “{name}” pays",
        f"{where}: this line moved, all others as they are.",
        f"A falling line of the house edge over the payout of {name}.",
    )
    edges = [float(e) for point in points for e in (point.edge, point.unmoved)]
    low, high = min(edges), max(edges)
    room = max(high - low, 0.001) * 0.1
    x, y = ax.framed(
        picture,
        (0, float(points[-1].odds)),
        (low - room, high + room),
        (f"{name} pays … to 1 (0: push)", "house edge"),
        (lambda odds: f"{odds:g}", lambda share: ax.percent(share, 1)),
    )
    base = table.bet == "base"
    if base:
        picture.curve([(x(p.odds), y(p.unmoved)) for p in points], ax.QUIET, 1.3, "4 3",
                      "unmoved")  # fmt: skip
    picture.curve([(x(p.odds), y(p.edge)) for p in points], ax.BLUE)
    here = next((p for p in points if p.odds == now), None)
    if here is not None:
        _marked(picture, x(now), y(here.edge), ax.RED,
                f"{line.pays.words}: {ax.percent(here.edge)}")  # fmt: skip
    if base:
        picture.legend(
            [(ax.BLUE, "best play for each pay table"), (ax.QUIET, "today's play kept (dashed)")]
        )
        picture.note("The best play changes with the pay table, so the full line bends downwards.")
    return picture.svg(source)


class Bar(NamedTuple):
    """Results from one to another, both included, and their chance."""

    low: Fraction
    high: Fraction
    chance: Fraction

    @property
    def label(self) -> str:
        """The result, or the stretch, with signs."""
        if self.low == self.high:
            return ax.signed(self.low)
        return f"{ax.signed(self.low)} to {ax.signed(self.high)}"


def bars(distribution: Distribution) -> tuple[Bar, ...]:
    """Every result for itself if they are few; else small ones, and the others in stretches."""
    total = distribution.total
    each = [(result, Fraction(weight, total)) for result, weight in distribution.outcomes]
    if len(each) <= MOST_BARS:
        return tuple(Bar(result, result, chance) for result, chance in each)
    return tuple(_in_stretches(each))


def _in_stretches(each: list[tuple[Fraction, Fraction]]) -> Iterator[Bar]:
    limits = (*(-edge for edge in reversed(_EDGES)), *range(-9, 10), *_EDGES)
    for below, upto in pairwise(limits):
        inside = [(result, chance) for result, chance in each if below < result <= upto]
        if inside:
            chance = sum((chance for _, chance in inside), Fraction(0))
            yield Bar(inside[0][0], inside[-1][0], chance)


def distribution_chart(
    distribution: Distribution, source: ax.Source, where: str, unit: str = "antes"
) -> str:
    """Bars from the largest loss down to the largest win."""
    win, push, loss = distribution.win_push_loss
    average = f"{float(distribution.mean):+,.4f}".replace("-", "−")
    picture = ax.Picture(
        "What one round brings",
        f"{where}: net result in {unit}, and its probability. On average "
        f"{average} {unit}, standard deviation "
        f"{distribution.standard_deviation:,.2f}.",
        f"Bars of probability by net result: ahead {ax.percent(win)}, even {ax.percent(push)}, "
        f"behind {ax.percent(loss)}.",
    )
    drawn = bars(distribution)
    labels = ax.MARGIN + max(ax.width_of(bar.label, ax.FINE) for bar in drawn) + 4
    most = max(bar.chance for bar in drawn)
    room = ax.WIDTH - ax.MARGIN - 62 - labels
    high, top = 16, picture.bottom + 4
    for number, bar in enumerate(drawn):
        y, length = top + number * high, max(0.8, float(bar.chance / most) * room)
        fill = ax.BLUE if bar.low > 0 else ax.RED if bar.high < 0 else _PUSH
        said = _chance(bar.chance)
        picture.text(labels - 4, y + 11.5, bar.label, size=ax.FINE, anchor="end")
        picture.rect(labels, y + 2, length, high - 4, fill, f"{bar.label}: {said}", "bar")
        picture.text(labels + length + 4, y + 11.5, said, size=ax.FINE, fill=ax.QUIET)
    picture.line(labels, top, labels, top + len(drawn) * high, stroke=ax.QUIET)
    picture.bottom = top + len(drawn) * high + 8
    ends = ((ax.RED, "behind", loss), (_PUSH, "even", push), (ax.BLUE, "ahead", win))
    picture.legend([(fill, f"{end}, {_chance(share)}") for fill, end, share in ends if share])
    return picture.svg(source)


def _chance(chance: Fraction) -> str:
    return f"1 in {float(1 / chance):,.0f}" if chance < _RARE else ax.percent(chance)
