"""What each choice is worth in one situation, and what a seat chose in those that it was in.

A situation is asked about in text as a player would say it, or taken from a round: the coach says
nothing else while a decision is waited for than when the round is over.
"""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import perm
from operator import add
from typing import Any, NamedTuple

from msgspec import Struct

from riverboat.core.cards import DECK, Card, check_distinct, parse_cards
from riverboat.core.errors import FouledDeck, NotationError, Reading
from riverboat.core.hand_kinds import kind_of_five
from riverboat.core.money import Cents
from riverboat.exact.base_games.dealer_game import terms_of, worths
from riverboat.exact.base_games.street_payoffs import KINDS, Bets, Payoffs, payoffs_of
from riverboat.exact.questions.question import Question, ante_of, table_for
from riverboat.exact.solvers import ByShape
from riverboat.round import actions as a
from riverboat.round import events as e
from riverboat.round import play
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat, apply
from riverboat.round.streets import bet_cents, parse_multiple, stage_of
from riverboat.round.table_talk import number_of
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import Stage

FOLD = "fold"
Counts = dict[int, int]

_PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
_KIND_NUMBER = {kind: number for number, kind in enumerate(KINDS)}
_SUIT_BITS = 3
_named: dict[tuple[int, bool], int] = {}


class Situation(Struct, frozen=True, kw_only=True):
    """What a player knows: own and community cards, bets so far, the up-card, cards elsewhere."""

    cards: tuple[Card, ...]
    board: tuple[Card, ...] = ()
    bets: tuple[Fraction | int, ...] = ()
    up_card: Card | None = None
    know: tuple[Card, ...] = ()


class Advice(Struct, frozen=True, kw_only=True):
    """Each choice with its value in antes, counting what is bet already, best play after it."""

    choices: dict[str, Fraction]
    best: str

    def cost(self, choice: str) -> Fraction:
        """What a choice gives away against the best one."""
        return self.choices[self.best] - self.choices[choice]

    def _repr_html_(self) -> str:
        """A table for a notebook, the best choice in bold."""
        rows = "".join(
            f"<tr><td>{f'<b>{name}</b>' if name == self.best else name}</td>"
            f"<td>{value}</td><td>{float(value):+.4f}</td></tr>"
            for name, value in self.choices.items()
        )
        return f"<table><tr><th>choice</th><th>in antes</th><th></th></tr>{rows}</table>"


def read_situation(
    book: Rulebook, cards: str, board: str = "", bets: str = "", upcard: str = "", know: str = ""
) -> Situation:
    """A situation of this rulebook's game, or one line that says what does not fit."""
    situation = Situation(
        cards=_cards("cards", cards),
        board=_cards("board", board),
        bets=_bets(bets),
        up_card=_up_card(upcard),
        know=_cards("know", know),
    )
    for field, text in _strays(book, board, bets, upcard).items():
        if text.strip():
            raise NotationError("advise.other_game", f"`{field}` {text}: {book.id} has none")
    if book.comparison is not None and not upcard.strip():
        raise NotationError("advise.no_upcard", "`upcard`: name the dealer's card that is up")
    wanted = book.deal.seat_cards
    if len(situation.cards) != wanted:
        text = f"the player's cards: {len(situation.cards)}; the player has {wanted}"
        raise NotationError("advise.bad_cards", text)
    up = () if situation.up_card is None else (situation.up_card,)
    check_distinct((*situation.cards, *situation.board, *up, *situation.know))
    return situation


def _strays(book: Rulebook, board: str, bets: str, upcard: str) -> dict[str, str]:
    """What was said of cards or bets that this game has none of when a decision is due."""
    strays = {} if book.deal.community_cards else {"board": board}
    if len(book.decisions) == 1:
        strays["bets"] = bets
    return strays if book.comparison is not None else {**strays, "upcard": upcard}


def _cards(field: str, text: str) -> tuple[Card, ...]:
    with Reading(f"`{field}`"):
        return parse_cards(text)


def _up_card(text: str) -> Card | None:
    cards = _cards("upcard", text)
    if len(cards) > 1:
        raise NotationError("advise.bad_cards", f"`upcard` {text}: one card of the dealer is up")
    return cards[0] if cards else None


def _bets(text: str) -> tuple[Fraction | int, ...]:
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    found: list[Fraction | int] = []
    for word in words:
        multiple = parse_multiple(word.removesuffix("x"))
        if multiple is None:
            raise NotationError("advise.bad_bets", f"`bets` {text}: write multiples, such as 3,1")
        found.append(_whole(multiple))
    return tuple(found)


def advise_at(setup: Setup, situation: Situation, ante: Cents) -> Advice:
    """The exact value of every choice at this table."""
    return ByShape(_on_streets, _against_dealer).at(setup)(setup, situation, ante)


def advise_in(
    book: Rulebook, situation: Situation, question: Question | None = None
) -> tuple[Advice, Cents]:
    """The same for the table and the ante that a question names, with that ante."""
    asked = question or Question()
    setup = table_for(book, asked)
    ante = ante_of(setup, asked)
    _require_bets(setup, situation, ante)
    return advise_at(setup, situation, ante), ante


def _require_bets(setup: Setup, situation: Situation, ante: Cents) -> None:
    """The bets so far, each as the engine takes or refuses it."""
    seat = Seat(wagers={"ante": ante}, cards=situation.cards)
    for number, bet in enumerate(situation.bets[: len(setup.stages)]):
        at = Round(setup=setup, phase="deciding", seats={1: seat}, stage=number, waiting=(1,))
        play(at, a.Bet(seat=1, cents=bet_cents(setup, setup.stages[number], ante, bet)))


def advice_document(book: Rulebook, advice: Advice) -> dict[str, Any]:
    """The answer as scripts read it."""
    return {
        "rulebook": book.id,
        "choices": {name: str(value) for name, value in advice.choices.items()},
        "best": advice.best,
        "costs": {name: str(advice.cost(name)) for name in advice.choices},
    }


# ---------------------------------------------------------------- decisions of a seat


class Decision(NamedTuple):
    """A decision that was made: the round as it stood before it, and what was bet."""

    before: Round
    seat: int
    cents: Cents | None
    """None for a fold."""

    @property
    def stage(self) -> Stage:
        """Which decision it was."""
        return stage_of(self.before)

    @property
    def ante_cents(self) -> Cents:
        """What the seat's choices are multiples of."""
        return self.before.seats[self.seat].wagers["ante"]

    @property
    def choice(self) -> str:
        """As advice calls it; a bet between the multiples is none of its choices."""
        if self.cents is None:
            return FOLD
        return f"{Fraction(self.cents, self.ante_cents)}x"


def decisions_of(state: Round, seat: int) -> Iterator[Decision]:
    """Every decision of a seat in a round, in order."""
    before = Round(setup=state.setup)
    for event in state.history:
        match event:
            case e.StreetBet() if event.seat == seat:
                yield Decision(before, seat, event.cents)
            case e.Folded() if event.seat == seat:
                yield Decision(before, seat, None)
        before = apply(before, event)


def known_to(state: Round, seat: int) -> Situation:
    """What a seat may reason from: its cards, what lies open, its bets."""
    own = state.seats[seat]
    made = [own.wagers[stage.spot] for stage in state.setup.stages if stage.spot in own.wagers]
    up: Card | None = state.dealer[0] if state.up_cards and state.dealer else None
    return Situation(
        cards=tuple(own.cards),
        board=tuple(state.community[: state.turned]),
        bets=tuple(_whole(Fraction(cents, own.wagers["ante"])) for cents in made),
        up_card=up,
    )


def _whole(multiple: Fraction) -> Fraction | int:
    return int(multiple) if multiple.denominator == 1 else multiple


def advice_to(state: Round, seat: int) -> Advice:
    """What each choice of the seat that has to decide is worth: a fold, or a bet by its multiple,
    also where there is only one."""
    advice = advise_at(state.setup, known_to(state, seat), state.seats[seat].wagers["ante"])
    named = {"bet": f"{stage_of(state).multiples[0]}x"}
    return Advice(
        choices={named.get(name, name): value for name, value in advice.choices.items()},
        best=named.get(advice.best, advice.best),
    )


# ---------------------------------------------------------------- against a dealer


def _against_dealer(setup: Setup, situation: Situation, ante: Cents) -> Advice:
    """Folding and betting, over every hand that the dealer can still make."""
    up_card = situation.up_card
    assert up_card is not None
    out = (*situation.cards, up_card, *situation.know)
    check_distinct(out)
    if len(out) > len(DECK) - 4:
        raise FouledDeck("hand.wrong_count", "fewer than four cards are left for the dealer")
    terms = terms_of(setup, ante)
    cents, hands = worths(terms, situation.cards, up_card, situation.know)
    only = len(terms.multiples) == 1
    names = (FOLD, *("bet" if only else f"{multiple}x" for multiple in terms.multiples))
    values = (Fraction(one, hands * ante) for one in cents)
    return _best_of(dict(zip(names, values, strict=True)))


def _best_of(choices: dict[str, Fraction]) -> Advice:
    """A bet where it is worth no less than the fold, and the smallest of the best ones."""
    most = max(choices.values())
    best = next((n for n, v in choices.items() if v == most and n != FOLD), FOLD)
    return Advice(choices=choices, best=best)


# ---------------------------------------------------------------- on streets
#
# Cards that are known to be elsewhere break the classes that the solver works with, so every card
# that can still come is dealt, once each, in plain Python: a hole alone has at most 19,600 boards.


def _on_streets(setup: Setup, situation: Situation, ante: Cents) -> Advice:
    """Bets that lie between whole multiples of the ante are bets of their own."""
    whole = tuple(bet for bet in situation.bets if isinstance(bet, int))
    made = () if whole == situation.bets else [int(bet * ante) for bet in situation.bets]
    bets = (1,) * len(made) if made else whole
    payoffs = payoffs_of(setup, ante, made)
    return advise_on(payoffs, situation.cards, situation.board, bets, situation.know)


def advise_on(
    payoffs: Payoffs,
    hole: Sequence[Card],
    board: Sequence[Card] = (),
    bets: Bets = (),
    know: Collection[Card] = (),
) -> Advice:
    """The exact value of every choice. `know` are further cards that are out of the deck."""
    _require_situation(payoffs, hole, board, bets)
    held = (*hole, *board)
    check_distinct((*held, *know))
    live = [card for card in DECK if card not in held and card not in know]
    if len(live) < 5 - len(held):
        text = f"{len(live)} cards are left, and {5 - len(held)} are still to come"
        raise NotationError("advise.no_cards", text)
    values = _values(payoffs, held, bets, live)
    choices = {FOLD: Fraction(payoffs.folded[bets], payoffs.unit)}
    return _best_of(choices | {f"{multiple}x": value for multiple, value in values.items()})


def _require_situation(
    payoffs: Payoffs, hole: Sequence[Card], board: Sequence[Card], bets: Bets
) -> None:
    if len(hole) != 2 or len(board) > 2:
        text = f"{len(hole)} hole and {len(board)} community cards; two and none, one or two decide"
        raise NotationError("advise.bad_cards", text)
    if len(bets) != len(board):
        text = (
            f"{number_of(len(bets), 'street bet')} with {number_of(len(board), 'community card')}"
        )
        raise NotationError("advise.bad_bets", f"`bets`: {text}; one for each is right")
    for bet, multiples in zip(bets, payoffs.multiples, strict=False):
        if bet not in multiples:
            listed = ", ".join(map(str, multiples))
            raise NotationError("advise.bad_bets", f"a bet of {bet}x; {listed} is allowed")


def _values(
    payoffs: Payoffs, held: tuple[Card, ...], bets: Bets, live: list[Card]
) -> dict[int, Fraction]:
    """Each bet with its value in antes: summed over all cards to come, in their order. What is best
    once some cards have come is worked out once, and counts for each that may have come last."""
    to_come = 5 - len(held)
    worth = {
        seen: [sum(row[kind] * n for kind, n in counts.items()) for row in payoffs.rows]
        for seen, counts in _counted(held, live, to_come - 1).items()
    }
    places = payoffs.paid
    for known in range(to_come - 1, 0, -1):
        street, ways = len(bets) + known, perm(len(live) - known, to_come - known)
        states = list(product(*payoffs.multiples[:street]))
        bettings = [[places[*state, m] for m in payoffs.multiples[street]] for state in states]
        choices = [(payoffs.folded[s] * ways, b) for s, b in zip(states, bettings, strict=True)]
        before = {seen: [0] * len(states) for seen in combinations(live, known - 1)}
        for seen, after in worth.items():
            best = [max(folding, *[after[place] for place in on]) for folding, on in choices]
            for earlier in combinations(seen, known - 1):
                before[earlier] = list(map(add, before[earlier], best))
        worth, places = before, {state: place for place, state in enumerate(states)}
    cases = perm(len(live), to_come) * payoffs.unit
    return {m: Fraction(worth[()][places[*bets, m]], cases) for m in payoffs.multiples[len(bets)]}


def _counted(
    held: tuple[Card, ...], live: list[Card], known: int
) -> dict[tuple[Card, ...], Counts]:
    """For each way to turn all cards but the last, the kinds of hand that the last one makes."""
    found: dict[tuple[Card, ...], Counts] = {cards: {} for cards in combinations(live, known)}
    to_come = combinations(live, known + 1)
    for cards, number in zip(to_come, _kinds(held, live, known + 1), strict=True):
        for seen in combinations(cards, known):
            counts = found[seen]
            counts[number] = counts.get(number, 0) + 1
    return found


def _kinds(held: tuple[Card, ...], live: list[Card], to_come: int) -> Iterator[int]:
    """The kind of every hand that can still be made, in the order of the combinations.

    The readable evaluator names each set of ranks once; a product of primes stands for the set.
    """
    suit = held[0] & _SUIT_BITS
    one_suit = all(card & _SUIT_BITS == suit for card in held)
    start = 1
    for card in held:
        start *= _PRIMES[card >> 2]
    for cards in combinations(live, to_come):
        ranks, suited = start, one_suit
        for card in cards:
            ranks *= _PRIMES[card >> 2]
            suited = suited and card & _SUIT_BITS == suit
        key = ranks, suited
        number = _named.get(key)
        if number is None:
            number = _named[key] = _KIND_NUMBER[kind_of_five((*held, *cards))]
        yield number
