"""Whether opened decks look shuffled: what chance would bring once in a thousand million ledgers is
said to be wrong.

A deck that was committed to and played is open afterwards, so that the orders themselves can be
tested, as they were sealed and as they were dealt, after the cut. Three things are held against
decks that are drawn independently, each order as likely as any other:

- how often each card lies at each position: a binomial number, whose tails are added up exactly;
- in how many positions two decks agree, on the average over all pairs. That is what a chi-square
  over cards by positions measures: with N decks it is 52 · 51 + 52 (N - 1) (agreement - 1). The
  positions in which two decks agree are the fixed points of a permutation, and with Hoeffding's way
  to bound an average over all pairs, chance exceeds s with probability at most
  exp(-floor(N / 2) (s ln s - s + 1)). No limit theorem is used, so that it holds for any N;
- orders that occur twice: of N decks any two are alike with probability at most N² / (2 · 52!).

Cuts that come from a word are held against equal chances of every depth in the same way.

The chance that decks and cuts which are drawn as they should be are said to be wrong, anywhere in a
ledger, is at most `FALSE_ALARM`. It is shared out beforehand: half to all tables together, half in
equal parts to each table; and of each part an eighth to each test.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from math import exp, factorial, lgamma, log, log1p
from typing import Final, NamedTuple

from riverboat.core.cards import DECK, show_card

FALSE_ALARM: Final = 1e-9
TESTS: Final = 8
_CARDS: Final = len(DECK)
_ORDERS: Final = factorial(_CARDS)
_ROUNDED: Final = 1e-6
"""What floating numbers may be off by, relatively, is on the side of no alarm."""
_ENOUGH: Final = 1e-12
_LEAST: Final = 1e-300


class Unlikely(NamedTuple):
    """Something that chance would hardly bring: where, what, and how likely at most."""

    table: str
    words: str
    chance: float

    def __str__(self) -> str:
        often = 1 / max(self.chance, _LEAST)
        return f"{self.words}: chance does that at most once in {often:.3g} ledgers"


class Shuffles:
    """The decks and cuts of a ledger, table by table."""

    def __init__(self) -> None:
        self.decks: defaultdict[str, _Decks] = defaultdict(_Decks)
        self.dealt: defaultdict[str, _Decks] = defaultdict(_Decks)
        self.cuts: defaultdict[str, Counter[tuple[int, int, int]]] = defaultdict(Counter)

    @property
    def tested(self) -> int:
        """How many decks there are to test."""
        return sum(decks.count for decks in self.decks.values())

    def sealed(self, table: str, order: tuple[int, ...]) -> None:
        """A deck as it was committed to."""
        self.decks[table].add(order)

    def deal(self, table: str, order: tuple[int, ...]) -> None:
        """A deck as it was dealt from."""
        self.dealt[table].add(order)

    def cut(self, table: str, depth: int, low: int, high: int) -> None:
        """A cut by words, the house's alone too, within its range."""
        self.cuts[table][low, high, depth] += 1

    def unlikely(self) -> Unlikely | None:
        """The first thing that chance would not have brought."""
        tables = sorted({*self.decks, *self.dealt, *self.cuts})
        if not tables:
            return None
        each = FALSE_ALARM / 2 / len(tables) / TESTS
        for table in tables:
            found = self._judged(table, (table,), each)
            if found is not None:
                return found
        return self._judged("", tuple(tables), FALSE_ALARM / 2 / TESTS)

    def _judged(self, name: str, tables: tuple[str, ...], limit: float) -> Unlikely | None:
        for words, parts in (("sealed", self.decks), ("dealt", self.dealt)):
            decks = _Decks()
            for table in tables:
                if table in parts:
                    decks.add_all(parts[table])
            for said, chance in decks.chances():
                if chance < limit * (1 - _ROUNDED):
                    return Unlikely(name, f"of {decks.count} decks as {words}, {said}", chance)
        cuts: Counter[tuple[int, int, int]] = Counter()
        for table in tables:
            cuts.update(self.cuts.get(table, {}))
        for said, chance in _cut_chances(cuts):
            if chance < limit * (1 - _ROUNDED):
                return Unlikely(name, said, chance)
        return None


class _Decks:
    """Orders, and how often each card lies where."""

    def __init__(self) -> None:
        self.count = 0
        self.places: Counter[tuple[int, int]] = Counter()
        self.orders: Counter[bytes] = Counter()

    def add(self, order: tuple[int, ...]) -> None:
        """One more deck."""
        self.count += 1
        self.places.update(enumerate(order))
        self.orders[bytes(order)] += 1

    def add_all(self, other: "_Decks") -> None:
        """The decks of another table."""
        self.count += other.count
        self.places.update(other.places)
        self.orders.update(other.orders)

    def chances(self) -> Iterator[tuple[str, float]]:
        """What stands out most in each test, and how likely at most anything is to stand out so."""
        if self.count < 2:
            return
        order, times = self.orders.most_common(1)[0]
        if times > 1:
            first = " ".join(map(show_card, order[:5]))
            alike = self.count**2 / (2 * _ORDERS)
            yield f"{times} have one order, which begins {first}", alike
        average = agreement(self.count, self.places.values())
        if average > 1:
            bound = exp(-(self.count // 2) * (average * log(average) - average + 1))
            yield f"two agree in {average:.2f} positions on the average, not in one", bound
        cells = {(place, card): self.places[place, card] for place in DECK for card in DECK}
        for (place, card), lies, chance in _extremes(cells, self.count, _CARDS, len(cells)):
            yield f"{show_card(card)} lies at position {place} in {lies}", chance


def agreement(decks: int, places: Iterable[int]) -> float:
    """In how many positions two of the decks agree, on the average over all pairs."""
    return sum(times * (times - 1) for times in places) / (decks * (decks - 1))


def _cut_chances(cuts: Mapping[tuple[int, int, int], int]) -> Iterator[tuple[str, float]]:
    ranges = sorted({(low, high) for low, high, _ in cuts if low < high})
    for low, high in ranges:
        cells = {(n, n): cuts.get((low, high, n), 0) for n in range(low, high + 1)}
        made = sum(cells.values())
        together = len(cells) * len(ranges)
        for (depth, _), times, chance in _extremes(cells, made, len(cells), together):
            yield f"of {made} cuts between {low} and {high}, {times} are {depth} deep", chance


def _extremes(
    cells: Mapping[tuple[int, int], int], trials: int, sides: int, together: int
) -> Iterator[tuple[tuple[int, int], int, float]]:
    """The cell that was hit most and the one hit least, and how likely at most any of so many
    together is hit so often, or so seldom."""
    most, least = max(cells, key=cells.__getitem__), min(cells, key=cells.__getitem__)
    yield most, cells[most], 2 * together * at_least(cells[most], trials, sides)
    yield least, cells[least], 2 * together * at_most(cells[least], trials, sides)


def at_least(times: int, trials: int, sides: int) -> float:
    """How likely one side of a fair die comes up this often or more."""
    if times * sides <= trials:
        return 1.0
    total = term = 1.0
    for n in range(times, trials):
        term *= (trials - n) / ((n + 1) * (sides - 1))
        total += term
        if term < total * _ENOUGH:
            break
    return exp(_log_exactly(times, trials, sides) + log(total))


def at_most(times: int, trials: int, sides: int) -> float:
    """How likely one side of a fair die comes up this often or less."""
    if times * sides >= trials:
        return 1.0
    total = term = 1.0
    for n in range(times, 0, -1):
        term *= n * (sides - 1) / (trials - n + 1)
        total += term
        if term < total * _ENOUGH:
            break
    return exp(_log_exactly(times, trials, sides) + log(total))


def _log_exactly(times: int, trials: int, sides: int) -> float:
    ways = lgamma(trials + 1) - lgamma(times + 1) - lgamma(trials - times + 1)
    return ways - times * log(sides) + (trials - times) * log1p(-1 / sides)
