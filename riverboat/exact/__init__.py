"""Exact mathematics: every bet of a rulebook as fractions, from the rulebook that deals.

    from riverboat.exact import advise, odds

    odds("house-demo").find("base").ev                          # Fraction(-671, 17850)
    advise("house-demo", "Ah Kd", board="Qs", bets="3").best    # "1x"

Nothing heavy is loaded before it is needed.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from riverboat.exact.questions.advice import Advice
    from riverboat.exact.questions.bet_odds import Odds


def odds(
    rulebook: str,
    *,
    bet: str | None = None,
    paytable: str | None = None,
    wager: str | None = None,
    minimum: str | None = None,
    meter: str | None = None,
    others: int | None = None,
    table: Iterable[str] = (),
    fresh: bool = False,
) -> "Odds":
    """Every bet of a rulebook (an id, or a file's path) under every pay table, exactly.

    Amounts are dollars as text. What was worked out once is read from the disk, unless `fresh`.
    """
    from riverboat.exact.questions.every_bet import odds_of
    from riverboat.exact.questions.question import read_question
    from riverboat.rulebooks import load_either

    loaded = load_either(rulebook)
    question = read_question(
        loaded.book, bet=bet, paytable=paytable, wager=wager, minimum=minimum, meter=meter,
        others=others, table=table,
    )  # fmt: skip
    return odds_of(loaded, question, fresh=fresh)


def advise(
    rulebook: str,
    cards: str,
    *,
    board: str = "",
    bets: str = "",
    upcard: str = "",
    know: str = "",
    wager: str | None = None,
    minimum: str | None = None,
    table: Iterable[str] = (),
) -> "Advice":
    """What every choice is worth in one situation, in antes, exactly."""
    from riverboat.exact.questions.advice import advise_in, read_situation
    from riverboat.exact.questions.question import read_question
    from riverboat.rulebooks import load_either

    book = load_either(rulebook).book
    question = read_question(book, wager=wager, minimum=minimum, table=table)
    advice, _ = advise_in(book, read_situation(book, cards, board, bets, upcard, know), question)
    return advice


__all__ = ["advise", "odds"]
