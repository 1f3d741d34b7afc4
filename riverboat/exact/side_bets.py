"""Side bets that go by one hand and a pay table: every table, to the last hand.

A bonus goes by one hand and no decision of its own, so that its figures are the counts of the hands
by kind and what the engine pays each kind: with its roundings, its limit and its options. A table
that was struck, or one read just as it is printed, is settled by the same engine with those lines.

Where a fold forfeits the bet it goes by more than its own hand: a player folds before the cards
that decide the bet are known in full, and by other cards. The base game is taken to be played as if
there were no bonus, the hands are counted together with what that play does with them, and those
that are folded lose.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import permutations
from math import comb
from typing import Literal, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from riverboat.core.cards import DECK, Card
from riverboat.core.errors import Refused
from riverboat.core.hand_kinds import HANDS, Counts, kind_of_three
from riverboat.core.hands import Kind
from riverboat.core.money import Cents
from riverboat.exact import kernels as k
from riverboat.exact.base_games.dealer_game import DEALS, Paid, solve_against_dealer
from riverboat.exact.base_games.street_payoffs import Payoffs, payoffs_of
from riverboat.exact.base_games.streets import Solution
from riverboat.exact.distribution import Distribution
from riverboat.exact.solvers import ByShape, best_play_in_words, least_ante
from riverboat.round.settlement.dues import dues
from riverboat.round.setup.setup import Setup, set_up
from riverboat.round.state import Round, Seat
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Line, PayTable, index_lines, kinds
from riverboat.rulebook.play import DecidedBy
from riverboat.rulebook.values import Pays, Place

_LOST = Fraction(-1)
FOLDED = "folded"
"""The line of hands that a fold has lost, where a fold forfeits the bet."""

LIMITED = "the limit on payouts is this bet's alone"
"""What is assumed where a limit on payouts cuts one."""
Reading: TypeAlias = Literal["played", "printed"]
NOT_LISTED = "--"
"""The cell of a hand that the column leaves to a line below it."""
_TWO_STAKES_CENTS = (10_000, 20_000)


class LineFigures(Struct, frozen=True, kw_only=True):
    """One line of a pay table: which hands, how often, and what it brings.

    `net` is the player's result in units of the wager; `returns` is what the line adds to the
    expectation.
    """

    label: str
    kinds: tuple[str, ...]
    combinations: int
    probability: Fraction
    pays: str
    net: Fraction
    returns: Fraction


def line_name(line: Line) -> str:
    """A line as its table calls it."""
    return line.label or ", ".join(hand.replace("_", " ") for hand in line.hands)


def kinds_by_line(table: PayTable) -> Iterator[tuple[Line, list[Kind]]]:
    """Each line of a pay table with the kinds of hand that it pays."""
    lines = index_lines(table)
    for line in table.lines:
        yield line, [kind for kind, found in lines.items() if found is line]


def line_figures(
    table: PayTable,
    hands: Counts,
    live: Mapping[Kind, Fraction],
    net: Mapping[Kind, Fraction],
) -> Iterator[LineFigures]:
    """Every line of a table, and a last one of the hands that are folded where there are any.

    `hands` can be dealt, `live` is how often each kind comes and is not folded.
    """
    for line, own in kinds_by_line(table):
        chance = sum((live.get(kind, Fraction(0)) for kind in own), Fraction(0))
        gain = net[own[0]] if own else Fraction(0)
        yield LineFigures(
            label=line_name(line),
            kinds=tuple(map(str, own)),
            combinations=sum(hands[kind] for kind in own),
            probability=chance,
            pays=line.pays.words,
            net=gain,
            returns=chance * gain,
        )
    folded = 1 - sum(live.values(), Fraction(0))
    if folded:
        yield LineFigures(label=FOLDED, kinds=(), combinations=0, probability=folded,
                          pays="lose", net=_LOST, returns=-folded)  # fmt: skip


class BetFigures(Struct, frozen=True, kw_only=True):
    """A side bet under one pay table and at one wager."""

    status: str
    lines: tuple[LineFigures, ...]
    ev: Fraction
    hit_frequency: Fraction
    distribution: Distribution
    assumptions: tuple[str, ...] = ()

    @property
    def house_edge(self) -> Fraction:
        """What the house keeps of a wager."""
        return -self.ev

    @property
    def standard_deviation(self) -> float:
        """Of one wager, for print."""
        return self.distribution.standard_deviation


class LiveHands(NamedTuple):
    """Hands that can win a bonus, of so many equally likely cases; the other cases are folded.

    `words` say what that assumes; they are empty where nothing is folded away.
    """

    hands: Mapping[Kind, int]
    cases: int
    words: str = ""

    @property
    def chances(self) -> dict[Kind, Fraction]:
        """How often each hand can win."""
        return {kind: Fraction(count, self.cases) for kind, count in self.hands.items()}

    @property
    def folded(self) -> int:
        """The cases that a fold loses."""
        return self.cases - sum(self.hands.values())


def all_live(hands: Mapping[Kind, int]) -> LiveHands:
    """Hands that nobody folds."""
    return LiveHands(hands, sum(hands.values()))


def live_hands(setup: Setup, bet: str, ante_cents: Cents | None = None) -> LiveHands:
    """The hands that can win a bonus at this table; the ante is its minimum if none is named."""
    decided = decided_by(setup.book, bet)
    if bet not in setup.lost_by_fold:
        return all_live(HANDS[decided.hand].counts(setup.flag("three_card_ace_low")))
    return ByShape(_live_on_streets, _live_against_dealer).at(setup)(setup, decided, ante_cents)


def decided_by(book: Rulebook, bet: str) -> DecidedBy:
    """The cards that decide a side bet of a rulebook."""
    offer = book.offer(bet)
    assert offer is not None, f"{book.id} has no {bet}"
    return offer.decided_by


def is_shared(setup: Setup, bet: str) -> bool:
    """Whether the same cards decide a bonus for every seat."""
    return "seat" not in decided_by(setup.book, bet).places


def _live_on_streets(setup: Setup, decided: DecidedBy, ante_cents: Cents | None) -> LiveHands:
    payoffs, places = payoffs_of(setup, ante_cents), decided.places
    box = setup.book.deal.box_cards if "box" in places else 0
    cards = ("seat" in places, "community" in places, box)
    hands, cases = _stayed(payoffs, cards, setup.flag("three_card_ace_low"))
    return LiveHands(hands, cases, _fold_words(payoffs.ante_cents))


@lru_cache(maxsize=32)
def _stayed(
    payoffs: Payoffs, cards: tuple[bool, bool, int], ace_low: bool
) -> tuple[Mapping[Kind, int], int]:
    """Kept for a while: the same bet is asked about under many pay tables."""
    deciding = k.stayers.Deciding(*cards)
    hands = k.stayers.hands_stayed(Solution(payoffs).stays, deciding, ace_low=ace_low)
    return hands, deciding.cases


def _live_against_dealer(setup: Setup, decided: DecidedBy, ante_cents: Cents | None) -> LiveHands:
    if decided.places != ("seat",):
        text = f"hands of {' and '.join(decided.places)} that a fold loses are not counted here yet"
        raise Refused("exact.not_counted", f"{setup.book.id}: {text}", cites=setup.book.deal.cites)
    ante = ante_cents or least_ante(setup)
    return LiveHands(solve_against_dealer(setup, ante).hands_bet, DEALS, _fold_words(ante))


def _fold_words(ante_cents: Cents) -> str:
    return f"a fold loses this bet; {best_play_in_words(ante_cents)}"


# ---------------------------------------------------------------- two seats on one board


def product_on_board(setup: Setup, net: Mapping[str, Fraction], ante_cents: Cents) -> Fraction:
    """The mean product of two seats' results on a bonus that the board decides and a fold loses.

    `net` is what each kind of board brings a seat that stays. The cards are the same for both
    seats; who stays for them is not.
    """
    total, boards = Fraction(0), 0
    counted = _stayers(payoffs_of(setup, ante_cents), setup.flag("three_card_ace_low"))
    for kind, (count, staying, both) in counted.items():
        won, one = net[kind], 2 * (staying - both)
        total += won * won * both - won * one + count * k.holes.PAIRS_OF_HOLES - one - both
        boards += count
    return total / (boards * k.holes.PAIRS_OF_HOLES)


@lru_cache(maxsize=8)
def _stayers(payoffs: Payoffs, ace_low: bool) -> dict[str, tuple[int, int, int]]:
    """Boards in their order by kind: how many, and on them the pairs of holes of which the first
    stays, and of which both do."""
    counted = k.holes.stayers(k.street_plans.betting_of(payoffs).tree)
    one, both = counted.total, counted.together
    found: dict[str, tuple[int, int, int]] = {}
    for board in permutations(DECK, 3):
        kind = str(kind_of_three(tuple(sorted(board)), ace_low=ace_low))
        boards, staying, two = found.get(kind, (0, 0, 0))
        stay = int(one[board]) * comb(47, 2)
        found[kind] = boards + 1, staying + stay, two + int(both[board])
    return found


def side_bet_tables(book: Rulebook) -> tuple[PayTable, ...]:
    """Every bonus table of a rulebook, struck ones too."""
    bonuses = {offer.bet for offer in book.bonuses}
    return tuple(table for table in book.paytables if table.bet in bonuses)


def side_bet_figures(
    where: Setup | Rulebook,
    bet: str,
    table: PayTable | str,
    wager_cents: Cents = 100,
    *,
    reading: Reading = "played",
    counts: Counts | None = None,
    ante_cents: Cents | None = None,
) -> BetFigures:
    """A bonus under one pay table at one wager.

    A rulebook stands for its table with every option as it comes. `ante_cents` is what the base
    game is played for, which counts where a fold forfeits the bet. `counts` are hands that nobody
    folds: for judging a table by itself, or by counts from elsewhere.
    """
    setup = where if isinstance(where, Setup) else set_up(where, {})
    chosen = table if isinstance(table, PayTable) else table_named(setup.book, bet, table)
    if reading == "printed":
        chosen = table_as_printed(chosen)
    hands = counts or dealt_hands(setup, chosen)
    live = all_live(counts) if counts else live_hands(setup, bet, ante_cents)
    paid = dict(_paid(setup, chosen, wager_cents))
    net = {kind: Fraction(one.net_cents, wager_cents) for kind, one in paid.items()}
    results = [(net[kind], count) for kind, count in live.hands.items()]
    distribution = Distribution.of([*results, (_LOST, live.folded)])
    return BetFigures(
        status=chosen.status,
        lines=tuple(line_figures(chosen, hands, live.chances, net)),
        ev=distribution.mean,
        hit_frequency=distribution.chance(lambda result: result > 0),
        distribution=distribution,
        assumptions=tuple(_assumptions(setup, chosen, live, paid.values(), reading)),
    )


def dealt_hands(setup: Setup, table: PayTable) -> Counts:
    """How many hands of each kind can be dealt, whether they are folded or not."""
    return HANDS[table.hand].counts(setup.flag("three_card_ace_low"))


def table_named(book: Rulebook, bet: str, name: str) -> PayTable:
    """A bonus table by its id."""
    return next(t for t in side_bet_tables(book) if t.bet == bet and t.id == name)


def edge_by_stake(
    where: Setup | Rulebook, bet: str, table: PayTable | str
) -> tuple[Fraction, Fraction]:
    """The house edge as a function of the stake: (a, b) where it is a - b / stake in cents.

    A table without fixed prizes has b = 0. Two stakes tell, since a prize is either in proportion
    or fixed; it holds wherever payouts need no rounding and no limit.
    """
    small, large = (
        side_bet_figures(where, bet, table, cents).house_edge for cents in _TWO_STAKES_CENTS
    )
    first, second = (Fraction(1, cents) for cents in _TWO_STAKES_CENTS)
    fixed = (large - small) / (first - second)
    return small + fixed * first, fixed


# ---------------------------------------------------------------- what the engine pays


def _paid(setup: Setup, table: PayTable, wager_cents: Cents) -> Iterator[tuple[Kind, Paid]]:
    """What each kind of hand brings, alone at the table with nothing else bet."""
    for kind in kinds(table):
        yield kind, paid_for(setup, table, kind, wager_cents)


def paid_for(setup: Setup, table: PayTable, kind: Kind, wager_cents: Cents) -> Paid:
    """The same for one kind of hand."""
    laid = replace(setup, bonuses={**setup.bonuses, table.bet: table})
    dealt = dealt_to_places(setup.book, table, kind)
    seat = Seat(wagers={table.bet: wager_cents}, cards=dealt["seat"])
    state = Round(
        setup=laid,
        seats={1: seat},
        community=dealt["community"],
        box=dealt["box"],
        dealer=dealt["dealer"],
    )
    due = next(due for due in dues(state) if due.spot == table.bet)
    return Paid(due.given_cents - wager_cents, due.capped)


def dealt_to_places(book: Rulebook, table: PayTable, kind: Kind) -> dict[Place, tuple[Card, ...]]:
    """A deal in which this kind of hand decides the bet; every other place gets other cards."""
    cards, deal = HANDS[table.hand].example(kind), book.deal
    rest = [card for card in DECK if card not in cards]
    counts: dict[Place, int] = {"seat": deal.seat_cards, "community": deal.community_cards,
                                "box": deal.box_cards, "dealer": deal.dealer_cards}  # fmt: skip
    deciding, places = list(cards), decided_by(book, table.bet).places
    return {
        place: tuple((deciding if place in places else rest).pop() for _ in range(count))
        for place, count in counts.items()
    }


def _assumptions(
    setup: Setup, table: PayTable, live: LiveHands, paid: Iterable[Paid], reading: Reading
) -> Iterator[str]:
    if reading == "printed":
        yield "every cell as the document prints it; an empty one pays nothing"
    if table.status == "struck":
        yield "a struck table, for analysis; its hands as they are made now"
    if table.hand == "three":
        straight = "is" if setup.flag("three_card_ace_low") else "is not"
        yield f"A-2-3 {straight} a straight"
    if any(line.pays.kind == "dollars" for line in table.lines):
        back = "is" if setup.flag("six_card_stake_returned") else "is not"
        yield f"a fixed prize is the same at every stake, which {back} returned with it"
    if live.words:
        yield live.words
    if any(one.capped for one in paid):
        yield LIMITED


# ---------------------------------------------------------------- as it is printed


def table_as_printed(table: PayTable) -> PayTable:
    """The table read cell by cell; where it prints no cell at all there is nothing to read."""
    if not any(line.printed for line in table.lines):
        return table
    lines = (
        line
        if line.printed == NOT_LISTED
        else replace(line, pays=Pays.parse(line.printed.replace(",", "") or "lose"))
        for line in table.lines
    )
    return replace(table, lines=tuple(lines))
