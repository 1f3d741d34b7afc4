"""Advice for twenty situations and more, each confirmed by dealing every card in plain Python."""

import pytest

from riverboat.core.cards import parse_cards
from riverboat.core.errors import FouledDeck, NotationError
from riverboat.exact.base_games.street_payoffs import payoffs_of
from riverboat.exact.base_games.streets import solve
from riverboat.exact.questions.advice import advise_on
from riverboat.round import set_up
from riverboat.rulebooks import load
from tests.exact.mississippi_witness import Bets, Witness

SITUATIONS: list[tuple[str, str, str, Bets, str, str]] = [
    ("maryland-2014", "Ah Kd", "", (), "", "1x"),
    ("maryland-2014", "6h 5h", "", (), "", "1x"),
    ("maryland-2014", "6h 5h", "", (), "6c 6d 5s", "fold"),
    ("maryland-2014", "Jc 2d", "", (), "Js Jh Jd 2c 2h 2s", "fold"),
    ("house-demo", "5h 4h", "", (), "", "fold"),
    ("maryland-2014", "2c 2d", "", (), "2h 2s", "fold"),
    ("maryland-2014", "6h 5h", "Qs", (3,), "", "1x"),
    ("maryland-2014", "9h 8h", "7h", (1,), "", "3x"),
    ("maryland-2014", "4c 4d", "9s", (3,), "", "1x"),
    ("maryland-2014", "4c 4d", "9s", (3,), "4h 4s 9c 9d 9h", "fold"),
    ("maryland-2014", "Tc Td", "2s", (3,), "", "3x"),
    ("house-demo", "6c 5d", "4s", (1,), "", "1x"),
    ("iowa-catfish-bend", "Ah Kh", "Qh", (1,), "Jh", "3x"),
    ("south-dakota-2011", "Qc 7d", "3s", (1,), "", "1x"),
    ("south-dakota-3cb", "Qc 7d", "3s", (1,), "Qd Qh", "fold"),
    ("maryland-2014", "6h 5h", "Qs 6d", (3, 1), "", "3x"),
    ("maryland-2014", "9h 8d", "7c 6s", (1, 1), "", "3x"),
    ("maryland-2014", "9h 8d", "7c 6s", (1, 1), "Tc Td Th Ts", "1x"),
    ("maryland-2014", "Ah 9h", "5h 2h", (1, 1), "", "3x"),
    ("maryland-2014", "8c 7d", "6s 2h", (3, 1), "", "1x"),
    ("maryland-2014", "8c 7d", "6s 2h", (1, 1), "", "fold"),
    ("iowa-catfish-bend", "As Ks", "Qs Js", (1, 3), "2c 3d", "3x"),
    ("south-dakota-2011", "5c 5d", "4h 3s", (3, 1), "", "1x"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("book", "hole", "board", "bets", "know", "best"), SITUATIONS)
def test_advice_is_what_dealing_every_card_gives(
    book: str, hole: str, board: str, bets: Bets, know: str, best: str
) -> None:
    setup = set_up(load(book).book, {})
    held = parse_cards(hole), parse_cards(board)
    found = advise_on(payoffs_of(setup, 500), *held, bets, parse_cards(know))
    confirmed = Witness(setup, 500).choices(held[0] + held[1], bets, parse_cards(know))
    assert found.choices == confirmed
    assert found.best == best
    assert found.cost(best) == 0


def test_advice_under_a_limit() -> None:
    setup = set_up(load("maryland-2014").book, {"minimum": "1"})
    held, bets = parse_cards("Kc Qc Jc Tc"), (1, 3)
    found = advise_on(payoffs_of(setup, 500_00), held[:2], held[2:], bets)
    witness = Witness(setup, 500_00, limit=50_000_00)
    assert found.choices == witness.choices(held, bets)
    assert found.choices == {
        "fold" if not multiple else f"{multiple}x": value
        for multiple, value in solve(setup, 500_00).worth(held, bets).items()
    }


def test_a_tie_is_bet() -> None:
    """One high and two middle cards: to fold and to bet 1x are worth the same."""
    setup = set_up(load("maryland-2014").book, {})
    tied, bets = parse_cards("Jd 7c 6c 2c"), (1, 1)
    found = advise_on(payoffs_of(setup, 100), tied[:2], tied[2:], bets)
    assert found.choices["fold"] == found.choices["1x"] == -3
    assert found.best == "1x"
    assert solve(setup, 100, ties="bet").choose(tied, bets) == 1
    assert solve(setup, 100, ties="fold").choose(tied, bets) == 0


@pytest.mark.parametrize(
    ("hole", "board", "bets", "know"),
    [
        ("Ah", "", (), ""),
        ("Ah Kd", "Qs", (), ""),
        ("Ah Kd", "", (1,), ""),
        ("Ah Kd", "Qs", (4,), ""),
        ("Ah Kd", "Qs Js Ts", (1, 1, 1), ""),
    ],
)
def test_a_situation_that_cannot_be_is_refused(
    hole: str, board: str, bets: Bets, know: str
) -> None:
    setup = set_up(load("maryland-2014").book, {})
    with pytest.raises(NotationError):
        advise_on(payoffs_of(setup), parse_cards(hole), parse_cards(board), bets, parse_cards(know))


def test_a_card_cannot_be_in_two_places() -> None:
    setup = set_up(load("maryland-2014").book, {})
    with pytest.raises(FouledDeck):
        advise_on(payoffs_of(setup), parse_cards("Ah Kd"), know=parse_cards("Ah"))
