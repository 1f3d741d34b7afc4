"""The search among pay tables as whole numbers: all are counted, the fastest are found.

A pay table is one value for each line. Its house edge is linear in what the lines pay, so is the
mean of the squares, and how often it pays goes by which lines pay at all. So the lines are cut in
two halves; every half table is added up once, and the halves are brought together by what they
still lack to the wanted edge. Sums are whole numbers of a machine word, and it is made sure before
that they fit. Numbers with a point only narrow down what is then compared exactly.

Of two tables the faster is the one under which fewer rounds show the edge: the house's mean result
of so many rounds is as large as its standard deviation, N0 = (deviation / edge)². With the sum T
and the sum of squares Q over all cases that is Q × cases / T² - 1, so Q / T² is what is ordered.
Of equally fast tables the one with the smaller deviation comes first, then the one whose rarest
hands pay more. An edge of nothing is never shown; such tables come last.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise
from math import ceil, floor, gcd, inf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from msgspec import Struct

from riverboat.core.errors import NotationError

if TYPE_CHECKING:
    import numpy as np

    Numbers = np.ndarray[Any, np.dtype[Any]]

MOST_ROWS = 1_000_000
"""Half tables that are kept in memory, on either side."""
MOST_MATCHES = 25_000_000
"""Tables of the wanted edge and hit frequency that are looked at one by one."""
_CHUNK = 2_000_000
_WORD = 2**62
_CLOSE = 1e-11
"""Numbers with a point that are no farther apart are compared again, as whole numbers."""
_OPEN = 2**40
_FIRST = (_OPEN,)

Progress: TypeAlias = Callable[[int, int], None]


class Span(Struct, frozen=True):
    """What a figure may be: both ends are in it, and an end that is None is open."""

    low: Fraction | None = None
    high: Fraction | None = None

    def __contains__(self, value: Fraction) -> bool:
        return (self.low is None or self.low <= value) and (self.high is None or value <= self.high)


class Wish(Struct, frozen=True, kw_only=True):
    """What a pay table is wanted to have; the deviation is of one wager."""

    edge: Span = Span()
    hit: Span = Span()
    deviation: Span = Span()

    @property
    def variance(self) -> Span:
        """The same without a root."""
        low, high = self.deviation.low, self.deviation.high
        least = None if low is None or low < 0 else low**2
        return Span(least, None if high is None else high**2)


class Choices(NamedTuple):
    """One line: the cases in which it comes, and what each of its values brings the player.

    Values descend. `rungs` are their places on the ladder of odds, empty for a line outside of the
    order: pays do not rise from one line that has rungs to the next.
    """

    cases: int
    nets: tuple[int, ...]
    rungs: tuple[int, ...]


class Found(NamedTuple):
    """A table by its values' numbers, with its sums over all cases."""

    picked: tuple[int, ...]
    total: int
    squares: int
    hits: int


class Space(NamedTuple):
    """Every table that may be: its lines from the rarest hands on, and how many cases there are.

    `lost` are the cases that a fold loses; nets are in parts of a wager, `scale` of them.
    """

    lines: tuple[Choices, ...]
    lost: int
    cases: int
    scale: int

    def reduced(self) -> "Space":
        """The same chances in the smallest whole numbers."""
        part = gcd(self.lost, self.cases, *(line.cases for line in self.lines))
        lines = tuple(line._replace(cases=line.cases // part) for line in self.lines)
        return Space(lines, self.lost // part, self.cases // part, self.scale)

    def found(self, picked: Sequence[int]) -> Found:
        """A table added up by itself."""
        nets = [(line.cases, line.nets[i]) for line, i in zip(self.lines, picked, strict=True)]
        return Found(
            picked=tuple(picked),
            total=sum(cases * net for cases, net in nets) - self.lost * self.scale,
            squares=sum(cases * net**2 for cases, net in nets) + self.lost * self.scale**2,
            hits=sum(cases for cases, net in nets if net > 0),
        )

    def edge(self, found: Found) -> Fraction:
        """The house edge."""
        return Fraction(-found.total, self.cases * self.scale)

    def hit(self, found: Found) -> Fraction:
        """The share of rounds that pay anything above the stake."""
        return Fraction(found.hits, self.cases)

    def variance(self, found: Found) -> Fraction:
        """Of one wager."""
        return Fraction(found.squares, self.cases * self.scale**2) - self.edge(found) ** 2

    def rounds(self, found: Found) -> Fraction | None:
        """N0; None where the edge is nothing."""
        if not found.total:
            return None
        return Fraction(found.squares * self.cases, found.total**2) - 1

    def is_ordered(self, picked: Sequence[int]) -> bool:
        """Whether pays do not rise as hands get commoner."""
        rungs = [line.rungs[i] for line, i in zip(self.lines, picked, strict=True) if line.rungs]
        return all(first >= second for first, second in pairwise(rungs))

    def meets(self, found: Found, wish: Wish) -> bool:
        """Whether a table has what is wanted, exactly."""
        return (
            self.edge(found) in wish.edge
            and self.hit(found) in wish.hit
            and self.variance(found) in wish.variance
        )

    def size(self) -> int:
        """How many tables there are."""
        return _sizes(self.lines)[-1]

    def edges(self) -> Span:
        """The lowest and the highest edge of all tables; there is one at least."""
        lost, parts = self.lost * self.scale, self.cases * self.scale
        most, least = (sign * _furthest(self.lines, sign) for sign in (1, -1))
        return Span(Fraction(lost - most, parts), Fraction(lost - least, parts))


def _sizes(lines: Sequence[Choices]) -> list[int]:
    """How many tables there are of no line, of the first, of the first two, and so on."""
    before: tuple[int, ...] = _FIRST
    counts, sizes = [1], [1]
    for line in lines:
        if line.rungs:
            running = [0, *accumulate(counts)]
            counts, before = [running[end] for end in _ends(before, line.rungs)], line.rungs
        else:
            counts = [count * len(line.nets) for count in counts]
        sizes.append(sum(counts))
    return sizes


def _furthest(lines: Sequence[Choices], sign: int) -> int:
    """The largest sum of all tables, of nets with this sign."""
    before: tuple[int, ...] = _FIRST
    sums: list[int | None] = [0]
    for line in lines:
        gains = [sign * line.cases * net for net in line.nets]
        if line.rungs:
            running = [None, *accumulate(sums, _larger)]
            ends = _ends(before, line.rungs)
            sums = [_plus(running[end], gain) for end, gain in zip(ends, gains, strict=True)]
            before = line.rungs
        else:
            sums = [_plus(so_far, max(gains)) for so_far in sums]
    return max(so_far for so_far in sums if so_far is not None)


def _ends(before: Sequence[int], rungs: Sequence[int]) -> list[int]:
    """How many values of the line before may come before each value: those that are no lower."""
    falling = [-rung for rung in before]
    return [bisect_right(falling, -rung) for rung in rungs]


def _larger(one: int | None, other: int | None) -> int | None:
    return other if one is None else one if other is None else max(one, other)


def _plus(so_far: int | None, gain: int) -> int | None:
    return None if so_far is None else so_far + gain


# ---------------------------------------------------------------- halves


class _Half(NamedTuple):
    """Half tables, row by row: their values' numbers, sums, and where they meet the other half.

    `first` and `last` are the rungs of the first and the last line that is in the order.
    """

    picked: "Numbers"
    totals: "Numbers"
    squares: "Numbers"
    hits: "Numbers"
    first: "Numbers"
    last: "Numbers"


def _half(lines: Sequence[Choices]) -> _Half:
    """Every half table of these lines, those whose rarest hands pay more before the others."""
    import numpy as np

    zero = np.zeros(1, np.int64)
    half = _Half(np.zeros((1, 0), np.int16), zero, zero, zero, zero - _OPEN, zero + _OPEN)
    ordered = False
    for line in lines:
        nets = np.array(line.nets, np.int64)
        rungs = np.array(line.rungs, np.int64)
        begin = np.zeros(len(half.totals), np.int64)
        if line.rungs:
            begin = np.searchsorted(-rungs, -half.last)
        rows, places = _spread(len(nets) - begin)
        places += begin[rows]
        paid = nets[places]
        half = _Half(
            picked=np.column_stack((half.picked[rows], places.astype(np.int16))),
            totals=half.totals[rows] + line.cases * paid,
            squares=half.squares[rows] + line.cases * paid**2,
            hits=half.hits[rows] + line.cases * (paid > 0),
            first=rungs[places] if line.rungs and not ordered else half.first[rows],
            last=rungs[places] if line.rungs else half.last[rows],
        )
        ordered = ordered or bool(line.rungs)
    return half


def _spread(counts: "Numbers") -> tuple["Numbers", "Numbers"]:
    """Each row so many times, and the number of each time."""
    import numpy as np

    rows = np.repeat(np.arange(len(counts)), counts)
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows, places


class _Best(NamedTuple):
    """The fastest tables so far, in order: keys with a point, exact sums, rows of both halves."""

    keys: "Numbers"
    totals: "Numbers"
    squares: "Numbers"
    pairs: "Numbers"

    def joined(self, other: "_Best", count: int) -> "_Best":
        """The fastest of both; whatever is too close to tell stays, and is told apart later.

        Of tables with the same sums no more than `count` can be wanted.
        """
        import numpy as np

        both = _Best(*map(np.concatenate, zip(self, other, strict=True)))
        order = np.lexsort((both.pairs, both.squares, both.totals, both.keys))
        keys, totals, squares, pairs = (part[order] for part in both)
        places = np.arange(len(keys))
        new = np.ones(len(keys), bool)
        new[1:] = (totals[1:] != totals[:-1]) | (squares[1:] != squares[:-1])
        kept = places - np.maximum.accumulate(np.where(new, places, 0)) < count
        cut = _Best(*(part[kept] for part in (keys, totals, squares, pairs)))
        if len(cut.keys) <= count:
            return cut
        return cut.up_to(float(cut.keys[count - 1]), count)

    def up_to(self, key: float, count: int) -> "_Best":
        """Those no slower than a key. Where no edge is shown at all, the squares tell exactly."""
        if key == inf:
            return _Best(*(part[:count] for part in self))
        kept = self.keys <= key * (1 + _CLOSE)
        return _Best(*(part[kept] for part in self))


class Search:
    """A space in two halves, ready to be asked for one wish after the other."""

    def __init__(self, space: Space) -> None:
        self.space = space = space.reduced()
        self.size = space.size()
        _require_words(space)
        left = _sizes(space.lines)
        rows = [
            max(*left[: cut + 1], *_sizes(space.lines[cut:])) for cut in range(len(space.lines) + 1)
        ]
        cut = rows.index(min(rows))
        if rows[cut] > MOST_ROWS:
            text = f"{self.size:,} tables are within the bounds, too many: narrow the bounds"
            raise NotationError("design.too_many", f"`line`: {text}, or give them steps")
        self._left, self._right = _half(space.lines[:cut]), _half(space.lines[cut:])

    def count(self, wish: Wish, most: int = MOST_MATCHES) -> int:
        """How many tables have what is wanted: all of them, and each once.

        Where the deviation tells, no more than `most` are looked at.
        """
        if wish.deviation == Span():
            return self._matches(wish)
        return self.best(wish, 0, most=most)[0]

    def best(
        self,
        wish: Wish,
        count: int,
        progress: Progress = lambda done, whole: None,
        *,
        most: int = MOST_MATCHES,
    ) -> tuple[int, list[Found]]:
        """How many tables have what is wanted, and the fastest of them in order."""
        import numpy as np

        whole = self._matches(wish)
        if whole > most:
            text = (f"{whole:,} tables have the wanted edge and hit frequency, too many to look at "
                    f"one by one (at most {most:,}): narrow the bounds")  # fmt: skip
            raise NotationError("design.too_many", f"`line`: {text}")
        done, number = 0, 0
        none = np.zeros(0, np.int64)
        best = _Best(none.astype(np.float64), none, none, none)
        for rows, others in self._pairs(wish):
            done += len(rows)
            totals, squares = self._sums(rows, others)
            kept = self._deviating(totals, squares, wish)
            number += int(kept.sum())
            if count:
                best = self._better(best, totals, squares, rows, others, kept, count)
            progress(done, whole)
        return number, self._told(best, count)

    def _better(
        self, best: _Best, totals: "Numbers", squares: "Numbers", rows: "Numbers",
        others: "Numbers", kept: "Numbers", count: int,
    ) -> _Best:  # fmt: skip
        """The fastest so far, with these."""
        import numpy as np

        wide = totals.astype(np.float64)
        keys = np.full(len(totals), inf)
        np.divide(squares.astype(np.float64), wide * wide, out=keys, where=totals != 0)
        if len(best.keys) >= count:
            kept = kept & (keys <= best.keys[count - 1] * (1 + _CLOSE))
        keys, totals, squares = keys[kept], totals[kept], squares[kept]
        pairs = rows[kept] * len(self._right.totals) + others[kept]
        some = _Best(keys, totals, squares, pairs)
        if len(keys) > count:
            least = float(np.partition(keys, count - 1)[count - 1])
            some = _Best(*(part[keys <= least * (1 + _CLOSE)] for part in some))
        return best.joined(some, count) if len(some.keys) else best

    def _told(self, best: _Best, count: int) -> list[Found]:
        """The fastest in their exact order."""
        tables = []
        for pair in best.pairs.tolist():
            row, other = divmod(pair, len(self._right.totals))
            picked = (*self._left.picked[row].tolist(), *self._right.picked[other].tolist())
            found = self.space.found(picked)
            rounds = self.space.rounds(found)
            tables.append(((rounds is None, rounds or 0, self.space.variance(found), pair), found))
        return [found for _, found in sorted(tables)[:count]]

    def _sums(self, rows: "Numbers", others: "Numbers") -> tuple["Numbers", "Numbers"]:
        lost, scale = self.space.lost, self.space.scale
        totals = self._left.totals[rows] + self._right.totals[others] - lost * scale
        squares = self._left.squares[rows] + self._right.squares[others] + lost * scale**2
        return totals, squares

    def _deviating(self, totals: "Numbers", squares: "Numbers", wish: Wish) -> "Numbers":
        """Which of these deviate as it is wanted; whatever is close is compared exactly."""
        import numpy as np

        space, wanted = self.space, wish.variance
        kept = np.ones(len(totals), bool)
        parts = (space.cases * space.scale) ** 2
        wide = totals.astype(np.float64)
        with_mean = squares.astype(np.float64) * space.cases
        spread = with_mean - wide * wide
        for end, sign in ((wanted.low, 1), (wanted.high, -1)):
            if end is None:
                continue
            beyond = sign * (spread - float(end * parts))
            slack = _CLOSE * (with_mean + wide * wide + float(end * parts))
            good = beyond > slack
            for place in np.flatnonzero(np.abs(beyond) <= slack).tolist():
                total, square = int(totals[place]), int(squares[place])
                exact = square * space.cases - total**2
                good[place] = sign * exact >= sign * end * parts
            kept &= good
        return kept

    # ------------------------------------------------------------ halves brought together

    def _matches(self, wish: Wish) -> int:
        """How many tables have the wanted edge and hit frequency."""
        return sum(int((high - low).sum()) for _, _, low, high, _ in self._windows(wish))

    def _pairs(self, wish: Wish) -> Iterator[tuple["Numbers", "Numbers"]]:
        """Those tables, by their rows of the left half and of the right, in bounded portions."""
        import numpy as np

        for asking, answering, low, high, turned in self._windows(wish):
            counts = high - low
            ends = np.cumsum(counts)
            begin = 0
            while begin < len(counts):
                before = int(ends[begin - 1]) if begin else 0
                end = max(int(np.searchsorted(ends, before + _CHUNK, "right")), begin + 1)
                rows, places = _spread(counts[begin:end])
                mine = asking[begin:end][rows]
                theirs = answering[low[begin:end][rows] + places]
                begin = end
                if len(mine):
                    yield (theirs, mine) if turned else (mine, theirs)

    def _windows(
        self, wish: Wish
    ) -> Iterator[tuple["Numbers", "Numbers", "Numbers", "Numbers", bool]]:
        """Rows of one half, and for each which of some rows of the other go with it: from, to.

        The rows of the other half are in the order of their sums. The smaller side asks; `turned`
        says that it is the right one.
        """
        import numpy as np

        least, most = self._wanted_totals(wish)
        for mine, theirs in self._together(wish, least, most):
            turned = len(theirs) < len(mine)
            one, two = (self._right, self._left) if turned else (self._left, self._right)
            asking, answering = (theirs, mine) if turned else (mine, theirs)
            sums, wanted = two.totals[answering], one.totals[asking]
            low = np.searchsorted(sums, least - wanted, "left")
            high = np.searchsorted(sums, most - wanted, "right")
            yield asking, answering, low, np.maximum(high, low), turned

    def _together(self, wish: Wish, least: int, most: int) -> Iterator[tuple["Numbers", "Numbers"]]:
        """Rows that keep the order whichever are put together, and hit as often as it is wanted.

        Each in the order of their sums. Left rows that no right row brings near are left out.
        """
        import numpy as np

        left, right = self._left, self._right
        space, hit = self.space, wish.hit
        by_total = np.argsort(left.totals, kind="stable")
        totals, meets, often = left.totals[by_total], left.last[by_total], left.hits[by_total]
        known = np.unique(often).tolist()
        order = np.lexsort((right.totals, right.hits, right.first))
        first, hits = right.first[order], right.hits[order]
        new = np.flatnonzero((np.diff(first) != 0) | (np.diff(hits) != 0)) + 1
        for theirs in np.split(order, new) if len(order) else ():
            low = int(np.searchsorted(totals, least - right.totals[theirs[-1]], "left"))
            high = int(np.searchsorted(totals, most - right.totals[theirs[0]], "right"))
            follows = meets[low:high] >= right.first[theirs[0]]
            for own in known:
                if Fraction(own + int(right.hits[theirs[0]]), space.cases) in hit:
                    mine = by_total[low:high][follows & (often[low:high] == own)]
                    if len(mine):
                        yield mine, theirs

    def _wanted_totals(self, wish: Wish) -> tuple[int, int]:
        """The sums of both halves that are the wanted edge, ends included."""
        space, edge = self.space, wish.edge
        parts, lost = space.cases * space.scale, space.lost * space.scale
        least, most = -_WORD // 2, _WORD // 2
        if edge.high is not None:
            least = min(max(ceil(-edge.high * parts) + lost, least), most)
        if edge.low is not None:
            most = max(min(floor(-edge.low * parts) + lost, most), -_WORD // 2)
        return least, most


def _require_words(space: Space) -> None:
    """Every sum of every table fits into a machine word."""
    largest = space.lost * space.scale**2
    largest += sum(
        line.cases * max((abs(net) for net in line.nets), default=0) ** 2 for line in space.lines
    )
    largest = max(largest, space.cases * space.scale)
    if largest >= _WORD // 4:
        text = "`line`: so large pays cannot be added up exactly here: narrow the bounds"
        raise NotationError("design.too_large", text)
