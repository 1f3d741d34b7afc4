"""What each choice is worth in one situation, for whoever has to make it."""

from collections.abc import Iterator

from riverboat.core.money import Cents, format_cents
from riverboat.exact.advising import Advice, Situation
from riverboat.pages.page import Block, Facts, Heading, Table, Words
from riverboat.pages.rulebook_page import status_blocks
from riverboat.pages.settle_page import show_suits
from riverboat.rulebook import Rulebook


def advice_page(
    book: Rulebook, situation: Situation, advice: Advice, ante: Cents
) -> Iterator[Block]:
    """The cards, every choice with its value, and the best one in the last line."""
    yield Heading(book.title, level=1)
    yield from status_blocks(book)
    yield Facts([*_cards(situation), ("Ante", format_cents(ante))])
    yield Words("")
    rows = [
        (
            f"{name} ←" if name == advice.best else name,
            f"{float(value):+.4f}",
            str(value),
            f"{float(advice.cost(name)):.4f}" if name != advice.best else "",
        )
        for name, value in advice.choices.items()
    ]
    yield Table(("Choice", "In antes", "Exactly", "Costs"), rows)
    yield Words("")
    yield Words(
        f"Best: {advice.best}. Values are for the whole round, with the best play after it."
    )


def _cards(situation: Situation) -> Iterator[tuple[str, str]]:
    yield "Cards", show_suits(situation.cards)
    if situation.board:
        yield "Board", show_suits(situation.board)
    if situation.bets:
        yield "Bets so far", ", ".join(f"{float(bet):g}x" for bet in situation.bets)
    if situation.up_card is not None:
        yield "Dealer shows", show_suits((situation.up_card,))
    if situation.know:
        yield "Known elsewhere", show_suits(situation.know)
