"""What lies printed on a table's felt: seats, betting areas, limits and pay tables.

It changes only with the table's configuration, so that a page asks for it once.
"""

import re
from collections.abc import Iterator

from riverboat.round.setup.setup import Setup
from riverboat.round.table_talk import label_of
from riverboat.rulebook import Rulebook
from riverboat.rulebook.paytables import PayTable
from riverboat.rulebook.play import NOT_QUALIFIED, ComparisonLine
from riverboat.table.day import Day
from riverboat.web.screens.frames import Json
from riverboat.wording.hands import name_line


def felt(day: Day) -> Json | None:
    """What a table's layout says: it changes only with its configuration."""
    configuration = day.configuration
    if configuration is None:
        return None
    setup, book = configuration.setup, configuration.book
    return {
        "rulebook": book.id,
        "title": book.title,
        "status": book.status,
        "game": book.game,
        "sha256": configuration.rulebook_sha256,
        "demo": configuration.demo,
        "seats": setup.seats,
        "streets": [
            {"spot": stage.spot, "multiples": list(stage.multiples)} for stage in setup.stages
        ],
        "spots": {spot: label_of(book, spot) for spot in _spots(setup)},
        "dealer_hand": book.dealers_hand is not None,
        "limits": _limits(setup),
        "paytables": [*_against_dealer(book), *(_printed(table) for table in _tables(setup))],
        "progressive_cents": setup.progressive.wager_cents if setup.progressive else None,
    }


def _spots(setup: Setup) -> Iterator[str]:
    """The betting areas of a seat, as they lie: side bets, ante, streets, sensor."""
    yield from setup.bonuses
    yield "ante"
    yield from (stage.spot for stage in setup.stages)
    if setup.progressive is not None:
        yield "progressive"


def _limits(setup: Setup) -> Json:
    ante = setup.limits.ante
    bonuses = {
        bet: {"minimum_cents": limit.minimum_cents, "maximum_cents": limit.maximum_cents}
        for bet, limit in setup.limits.bonuses.items()
    }
    own = {"minimum_cents": ante.minimum_cents, "maximum_cents": ante.maximum_cents}
    return {"ante": own, "unit_cents": setup.limits.unit_cents, **bonuses}


def _tables(setup: Setup) -> Iterator[PayTable]:
    if setup.base is not None:
        yield setup.base
    yield from setup.bonuses.values()
    if setup.progressive is not None:
        yield setup.progressive.table


def _printed(table: PayTable) -> Json:
    lines = [(name_line(line), line.pays.words) for line in table.lines]
    return _table(table.id, table.bet, lines)


def _table(name: str, bet: str, lines: list[tuple[str, str]]) -> Json:
    shown = [{"hand": hand, "pays": _with_commas(pays)} for hand, pays in lines]
    return {"id": name, "bet": bet, "lines": shown}


def _with_commas(pays: str) -> str:
    return re.sub(r"\d{4,}", lambda found: f"{int(found[0]):,}", pays)


# ---------------------------------------------------------------- a game against the dealer


def _against_dealer(book: Rulebook) -> Iterator[Json]:
    """Where the base game has no pay table of hands: what each outcome pays."""
    if book.comparison is None:
        return
    played = [line for line in book.comparison.lines if line.outcome != "fold"]
    yield _table(
        book.comparison.id, "base", [(_outcome(book, line), _both(line)) for line in played]
    )


def _outcome(book: Rulebook, line: ComparisonLine) -> str:
    if line.outcome == NOT_QUALIFIED:
        return "The dealer does not qualify"
    if line.outcome == "tie":
        return "A tie"
    if line.outcome == "dealer_wins":
        return "The dealer wins"
    if not line.hands:
        return "You win"
    order = book.hands.five.order
    with_top, with_bottom = order[0] in line.hands, order[-1] in line.hands
    edge = line.hands[-1] if with_top else line.hands[0]
    words = "a pair" if edge == "pair" else edge.replace("_", " ")
    if len(line.hands) == 1 and not with_bottom:
        return f"You win with {words}"
    return f"You win with {words} or {'better' if with_top else 'less'}"


def _both(line: ComparisonLine) -> str:
    paid = {spot: pays.words for spot, pays in line.pays.items()}
    if len(set(paid.values())) == 1:
        return next(iter(paid.values()))
    return ", ".join(f"{spot} {words}" for spot, words in paid.items())
