"""What each choice is worth in one situation, asked in text as a player would say it."""

from fractions import Fraction
from typing import Any

from msgspec import Struct

from riverboat.core.cards import Card, check_distinct, parse_cards
from riverboat.core.errors import NotationError
from riverboat.core.money import Cents
from riverboat.exact.asking import Question, ante_of, table_for
from riverboat.exact.solvers import ByShape
from riverboat.round import actions as a
from riverboat.round import play
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round, Seat
from riverboat.round.streets import bet_cents, parse_multiple
from riverboat.rulebook import Rulebook

FOLD = "fold"


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
        cards=_cards("the player's cards", cards),
        board=_cards("--board", board),
        bets=_bets(bets),
        up_card=_up_card(upcard),
        know=_cards("--know", know),
    )
    for flag, text in _strays(book, board, bets, upcard).items():
        if text.strip():
            raise NotationError("advise.other_game", f"{flag} {text}: {book.id} has none")
    if book.comparison is not None and not upcard.strip():
        raise NotationError("advise.no_upcard", "--upcard: name the dealer's card that is up")
    wanted = book.deal.seat_cards
    if len(situation.cards) != wanted:
        text = f"the player's cards: {len(situation.cards)}; the player has {wanted}"
        raise NotationError("advise.bad_cards", text)
    up = () if situation.up_card is None else (situation.up_card,)
    check_distinct((*situation.cards, *situation.board, *up, *situation.know))
    return situation


def _strays(book: Rulebook, board: str, bets: str, upcard: str) -> dict[str, str]:
    """What was said of cards or bets that this game has none of when a decision is due."""
    strays = {} if book.deal.community_cards else {"--board": board}
    if len(book.decisions) == 1:
        strays["--bets"] = bets
    return strays if book.comparison is not None else {**strays, "--upcard": upcard}


def _cards(what: str, text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text)
    except NotationError as problem:
        raise type(problem)(problem.code, f"{what}: {problem}") from None


def _up_card(text: str) -> Card | None:
    cards = _cards("--upcard", text)
    if len(cards) > 1:
        raise NotationError("advise.bad_cards", f"--upcard {text}: one card of the dealer is up")
    return cards[0] if cards else None


def _bets(text: str) -> tuple[Fraction | int, ...]:
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    found: list[Fraction | int] = []
    for word in words:
        multiple = parse_multiple(word.removesuffix("x"))
        if multiple is None:
            raise NotationError("advise.bad_bets", f"--bets {text}: write multiples, such as 3,1")
        found.append(int(multiple) if multiple.denominator == 1 else multiple)
    return tuple(found)


def advise_at(setup: Setup, situation: Situation, ante: Cents) -> Advice:
    """The exact value of every choice at this table."""
    return ByShape(_on_streets, _against_dealer).at(setup)(setup, situation, ante)


def _against_dealer(setup: Setup, situation: Situation, ante: Cents) -> Advice:
    from riverboat.exact import island

    assert situation.up_card is not None
    found = island.advise(setup, situation.cards, situation.up_card, situation.know, ante)
    return Advice(choices=found.choices, best=found.best)


def _on_streets(setup: Setup, situation: Situation, ante: Cents) -> Advice:
    from riverboat.exact import mississippi_advice

    hole, board, know = situation.cards, situation.board, situation.know
    whole = tuple(bet for bet in situation.bets if isinstance(bet, int))
    if whole == situation.bets:
        said = mississippi_advice.advise(setup, hole, board, whole, know, ante)
    else:
        made = [int(bet * ante) for bet in situation.bets]
        said = mississippi_advice.advise_between(setup, hole, board, made, know, ante)
    return Advice(choices=said.choices, best=said.best)


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


__all__ = [
    "Advice",
    "Situation",
    "advice_document",
    "advise_at",
    "advise_in",
    "read_situation",
]
