"""Rulebooks of a house's own, as the mathematics meets them: other seats, streets, pushes, odds."""

from functools import cache

from riverboat.rulebook import Rulebook, parse_rulebook
from riverboat.rulebooks import load

Change = tuple[str, str]

SEATS = (
    'default = 6\nminimum = 1\nmaximum = 6\nmeaning = "Seats of the table."',
    'default = 8\nminimum = 1\nmaximum = 8\nmeaning = "Seats of the table."',
)
PUSH_FROM_FIVES = (
    ('ranks = "6789T", label = "Pair of 6s', 'ranks = "56789T", label = "Pair of 5s'),
    ('ranks = "2345", label = "any other hand"', 'ranks = "234", label = "any other hand"'),
)
OTHER_ODDS = (
    ('printed = "500 to 1", pays = "500 to 1"', 'printed = "1000 to 2", pays = "1000 to 2"'),
    ('printed = "3 to 1", pays = "3 to 1"', 'printed = "5 to 2", pays = "5 to 2"'),
)


def streets(third: str, fourth: str, fifth: str) -> tuple[Change, ...]:
    """The multiples of each street, as a file lists them."""
    opening = ("MD-2014.01.B.10", "MD-2014.01.B.7", "MD-2014.01.B.5")
    cites = [f'], cites = ["MD-2014.01.B.1", "{clause}"' for clause in opening]
    return tuple(
        (f"multiples = [1, 2, 3{rest}", f"multiples = [{multiples}{rest}")
        for rest, multiples in zip(cites, (third, fourth, fifth), strict=True)
    )


def forfeits(bet: str) -> Change:
    """A fold loses this side bet."""
    rule = f"[fold.side_bets.{bet}]\nafter_fold = "
    return f'{rule}"live"', f'{rule}"forfeited"'


FORFEITED = ("three_card_bonus", "six_card_bonus")
ONE_TO_FIVE = streets(*["1, 2, 3, 4, 5"] * 3)
UNLIKE = streets("2, 4", "1, 2, 5", "3")


@cache
def own_house(base: str, *changes: Change) -> Rulebook:
    """A rulebook with these pieces of its text exchanged, each of which it must have."""
    text = load(base).text
    for old, new in changes:
        assert old in text, f"{base} does not say {old!r}"
        text = text.replace(old, new)
    return parse_rulebook(text, path="own-house.toml")
