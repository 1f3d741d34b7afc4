"""The three card bonus, the six card bonus and the Island bonus: every table, to the last hand.

A bonus goes by one hand and no decision of its own, so that its figures are the counts of the hands
by kind and what the engine pays each kind: with its roundings, its limit and its options. Where a
fold forfeits the bet, the hands that are folded lose. A table that was struck, or one read just as
it is printed, is settled by the same engine with those lines.
"""

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import Literal, TypeAlias

from msgspec.structs import replace

from riverboat.cards import DECK, RANKS, Card, parse_cards
from riverboat.exact.distribution import Distribution
from riverboat.exact.figures import BetFigures, LineFigures, folded_line
from riverboat.exact.hand_counts import Counts, kind_counts
from riverboat.exact.live_bonuses import LiveHands, all_live, live_hands
from riverboat.exact.showdowns import Paid
from riverboat.games.pay_lines import index_lines, kind_of_five, kind_of_six, kind_of_three
from riverboat.games.round import Round, Seat
from riverboat.games.settlement import dues
from riverboat.games.setup import BONUSES, Setup, set_up
from riverboat.money import Cents
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import Kind, Line, PayTable, kinds
from riverboat.rulebook.values import Pays

Reading: TypeAlias = Literal["played", "printed"]
NOT_LISTED = "--"
"""The cell of a hand that the column leaves to a line below it."""

_LOST = Fraction(-1)
_TWO_STAKES_CENTS = (10_000, 20_000)
_THREE = ("Ac Kc Qc", "6c 5c 4c", "9c 9d 9h", "6c 5d 4h", "Kc 9c 4c", "9c 9d 4h", "Kc 9d 4h")
_FIVE = (
    "Ac Kc Qc Jc Tc",
    "6c 5c 4c 3c 2c",
    "9c 9d 9h 9s 4c",
    "9c 9d 9h 4c 4d",
    "Kc Jc 9c 4c 2c",
    "6c 5d 4h 3s 2c",
    "9c 9d 9h Jc 4d",
    "9c 9d 4h 4s Jc",
    "Kc Jd 9h 6s 2c",
)


def side_bet_tables(book: Rulebook) -> tuple[PayTable, ...]:
    """Every bonus table of a rulebook, struck ones too."""
    return tuple(table for table in book.paytables if table.bet in BONUSES)


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
        chosen = as_printed(chosen)
    hands = counts or kind_counts(bet, ace_low=setup.flag("three_card_ace_low"))
    live = all_live(counts) if counts else live_hands(setup, bet, ante_cents)
    paid = dict(_paid(setup, chosen, wager_cents))
    net = {kind: Fraction(one.net_cents, wager_cents) for kind, one in paid.items()}
    results = [(net[kind], count) for kind, count in live.hands.items()]
    distribution = Distribution.of([*results, (_LOST, live.folded)])
    return BetFigures(
        rulebook=setup.book.id,
        bet=bet,
        paytable=chosen.id,
        status=chosen.status,
        wager_cents=wager_cents,
        lines=tuple(_line_figures(chosen, hands, live, net)),
        ev=distribution.mean,
        hit_frequency=distribution.chance(lambda result: result > 0),
        distribution=distribution,
        capped=any(one.capped for one in paid.values()),
        assumptions=tuple(_assumptions(setup, chosen, live, paid.values(), reading)),
    )


def table_named(book: Rulebook, bet: str, name: str) -> PayTable:
    """A bonus table by its id."""
    return next(t for t in side_bet_tables(book) if t.bet == bet and t.id == name)


def every_side_bet(
    book: Rulebook, wager_cents: Cents = 100, *, reading: Reading = "played"
) -> tuple[BetFigures, ...]:
    """Every bonus table of a rulebook with the options as they come."""
    return tuple(
        side_bet_figures(book, table.bet, table, wager_cents, reading=reading)
        for table in side_bet_tables(book)
    )


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
    lines = {**setup.lines, table.bet: index_lines(table)}
    laid = replace(setup, lines=lines, bonuses={**setup.bonuses, table.bet: table})
    for kind in kinds(table.bet):
        cards = example(table.bet, kind)
        rest = tuple(card for card in DECK if card not in cards)
        if table.bet == "three_card_bonus":
            seat, community, box = rest[:2], cards, rest[2:6]
        elif table.bet == "six_card_bonus":
            seat, community, box = cards[4:], rest[:3], cards[:4]
        else:
            seat, community, box = cards, (), ()
        state = Round(
            setup=laid,
            seats={1: Seat(wagers={table.bet: wager_cents}, cards=seat)},
            community=community,
            box=box,
            dealer=rest[-5:],
        )
        due = next(due for due in dues(state) if due.spot == table.bet)
        yield kind, Paid(due.given_cents - wager_cents, due.capped)


def example(bet: str, kind: Kind) -> tuple[Card, ...]:
    """Cards that make this kind of hand for a bet."""
    if bet == "three_card_bonus":
        hands = (parse_cards(text) for text in _THREE)
        return next(cards for cards in hands if kind_of_three(cards, ace_low=True) == kind)
    if kind.hand == "super_royal":
        return parse_cards(" ".join(rank + kind.suit for rank in RANKS[-6:]))
    fives = [parse_cards(text) for text in _FIVE]
    if kind.hand == "pair":
        pair = RANKS.index(kind.rank) * 4
        others = [rank * 4 + place % 3 for place, rank in enumerate((0, 2, 5, 7, 9, 11))]
        fives = [(pair, pair + 1, *three) for three in combinations(others, 3)
                 if pair // 4 not in {card // 4 for card in three}]  # fmt: skip
    five = next(cards for cards in fives if kind_of_five(cards) == kind)
    if bet != "six_card_bonus":
        return five
    sixes = ((*five, card) for card in DECK if card not in five)
    return next(cards for cards in sixes if kind_of_six(cards) == kind)


def _line_figures(
    table: PayTable, hands: Counts, live: LiveHands, net: Mapping[Kind, Fraction]
) -> Iterator[LineFigures]:
    lines = index_lines(table)
    for line in table.lines:
        own = [kind for kind, found in lines.items() if found is line]
        chance = Fraction(sum(live.hands[kind] for kind in own), live.cases)
        gain = net[own[0]] if own else Fraction(0)
        yield LineFigures(
            label=line.label or ", ".join(hand.replace("_", " ") for hand in line.hands),
            kinds=tuple(map(str, own)),
            combinations=sum(hands[kind] for kind in own),
            probability=chance,
            pays=line.pays.words,
            net=gain,
            returns=chance * gain,
        )
    yield from folded_line(Fraction(live.folded, live.cases))


def _assumptions(
    setup: Setup, table: PayTable, live: LiveHands, paid: Iterable[Paid], reading: Reading
) -> Iterator[str]:
    if reading == "printed":
        yield "every cell as the document prints it; an empty one pays nothing"
    if table.status == "struck":
        yield "a struck table, for analysis; its hands as they are made now"
    if table.bet == "three_card_bonus":
        straight = "is" if setup.flag("three_card_ace_low") else "is not"
        yield f"A-2-3 {straight} a straight"
    if any(line.pays.kind == "dollars" for line in table.lines):
        back = "is" if setup.flag("six_card_stake_returned") else "is not"
        yield f"a fixed prize is the same at every stake, which {back} returned with it"
    if live.words:
        yield live.words
    if any(one.capped for one in paid):
        yield "the limit on payouts is this bet's alone"


# ---------------------------------------------------------------- as it is printed


def as_printed(table: PayTable) -> PayTable:
    """The table read cell by cell; where it prints no cell at all there is nothing to read."""
    if not any(line.printed for line in table.lines):
        return table
    return replace(table, lines=tuple(map(_line_as_printed, table.lines)))


def _line_as_printed(line: Line) -> Line:
    if line.printed == NOT_LISTED:
        return line
    return replace(line, pays=Pays.parse(line.printed.replace(",", "") or "lose"))
