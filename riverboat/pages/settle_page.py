"""What each spot is owed, as a dealer reads it in a glance; or why nothing is."""

from collections.abc import Iterator, Sequence

from riverboat.core.cards import Card, show_card
from riverboat.core.errors import Refused
from riverboat.core.money import Cents, format_cents
from riverboat.pages.page import Block, Facts, Heading, Table, Words
from riverboat.pages.rulebook_page import status_blocks
from riverboat.round.table_talk import label_of, sentence
from riverboat.rulebook import Rulebook
from riverboat.settling import PLACES, Settled

_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_SAID = {"win": "wins", "push": "pushes", "lose": "loses"}


def settle_page(settled: Settled) -> Iterator[Block]:
    """Cards, spots, reasons, and the sum in the last line."""
    book = settled.book
    yield Heading(book.title, level=1)
    yield from status_blocks(book)
    yield Facts([*_cards(settled), *_meter(settled)])
    yield Heading("Spots")
    yield _spots(settled)
    yield Heading("Why")
    rows = [(one.words, one.table, ", ".join(one.cites)) for one in settled.told]
    yield Table(("In words", "Pay table", "Clauses"), rows, (5, 2, 3))
    yield Words("")
    yield Words(_sum(settled))


def refusal_page(book: Rulebook, refusal: Refused) -> Iterator[Block]:
    """What was asked for, what is allowed, and the clauses in our words."""
    yield Heading(book.title, level=1)
    yield from status_blocks(book)
    for line in str(refusal).splitlines():
        yield Words(f"Refused: {line}.", loud=True)
    texts = {name: clause.text for name, clause in book.clauses.items()} | book.ambiguities
    yield Facts([(cite, texts.get(cite, "")) for cite in refusal.cites])


def show_suits(cards: Sequence[Card]) -> str:
    """Cards with their suits as signs, and the ten as 10."""
    texts = map(show_card, cards)
    return " ".join(text[0].replace("T", "10") + _SUITS[text[1]] for text in texts)


def _cards(settled: Settled) -> Iterator[tuple[str, str]]:
    for place, name in PLACES.items():
        if settled.given[place]:
            yield sentence(name), show_suits(settled.given[place])


def _meter(settled: Settled) -> Iterator[tuple[str, str]]:
    at = settled.state.at_settlement
    if settled.state.setup.progressive is not None and at is not None:
        before, after = at.meter.cents, settled.state.meter.cents
        moved = f", then {format_cents(after)}" if after != before else ""
        yield "Meter", format_cents(before) + moved


def _spots(settled: Settled) -> Table:
    rows: list[tuple[str, ...]] = [
        (
            sentence(label_of(settled.book, line.spot)),
            format_cents(line.stake_cents),
            _SAID.get(line.outcome, line.outcome),
            line.pays if line.outcome == "win" else "",
            line.source,
            _signed(line.net_cents),
            format_cents(line.owed_cents),
        )
        for line in settled.lines
    ]
    total = ("Together", _staked(settled), "", "", "", _signed(settled.net_cents))
    rows.append((*total, format_cents(settled.total_cents)))
    columns = ("Spot", "Stake", "Result", "Pays", "Paid from", "Wins or loses", "Owed, with stake")
    return Table(columns, _right(rows, (1, 5, 6)))


def _staked(settled: Settled) -> str:
    return format_cents(sum(line.stake_cents for line in settled.lines))


def _right(rows: Sequence[tuple[str, ...]], columns: Sequence[int]) -> list[tuple[str, ...]]:
    """Amounts under each other, cents under cents."""
    by_column = [list(column) for column in zip(*rows, strict=True)]
    for number in columns:
        column = by_column[number]
        if any("." in cell for cell in column):
            column = [cell if "." in cell else f"{cell}   " for cell in column]
        widest = max(map(len, column))
        by_column[number] = [cell.rjust(widest) for cell in column]
    return list(zip(*by_column, strict=True))


def _signed(cents: Cents) -> str:
    return f"+{format_cents(cents)}" if cents > 0 else format_cents(cents)


def _sum(settled: Settled) -> str:
    owed, net = settled.total_cents, settled.net_cents
    cards = f"; {settled.cards}" if settled.cards else ""
    gets = f"{format_cents(owed)}: {settled.came_from}{cards}" if owed else "nothing"
    came = f"wins {format_cents(net)}" if net > 0 else f"loses {format_cents(-net)}"
    return f"The player gets {gets}. The seat {came if net else 'comes out even'}."
