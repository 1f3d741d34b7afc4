"""The game protection laboratory for people: what knowledge is worth, and what rules cost."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from riverboat.pages.page import Block, Facts, Heading, Table, Words


def protection_page(document: dict[str, Any]) -> Iterator[Block]:
    """Knowledge first, then exposed cards, then seats and pay lines."""
    yield Heading(f"Game protection: {document['rulebook']}", level=1)
    yield Facts(
        [
            (
                "Stakes",
                f"ante {_money(document['ante'])}, {document['rounds_an_hour']} rounds an hour",
            ),
            ("Honest play", f"{_percent(document['ev'])} of an ante a round, for the player"),
        ]
    )
    yield Heading("What it is worth to know")
    yield _knowledge(document["knowledge"])
    yield from _footnotes(document["knowledge"])
    yield Heading("A card exposed before the first decision")
    yield Table(
        ("Card", "This table's rule", "Goes on", "Costs the house", "Dollars a player"),
        [_exposed(card) for card in document["exposed_cards"]],
    )
    yield Words(
        "A void round costs the house what it would have won. Where the floor decides, either."
    )
    yield Heading("Seat by seat")
    yield Table(
        ("Seats", "House wins an hour", "If all show each other their hands"),
        [
            (
                str(row["seats"]),
                _money(row["house_wins_an_hour"]),
                "-" if row["if_all_collude"] is None else _money(row["if_all_collude"]),
            )
            for row in document["seat_by_seat"]
        ],
    )
    yield Heading("House edge if a line paid one more or one less")
    yield Table(
        ("Line", "Pays", "One less", "Now", "One more"),
        [
            (
                line["line"],
                line["pays"],
                _percent(line["one_less"]),
                _percent(line["house_edge"]),
                _percent(line["one_more"]),
            )
            for line in document["pay_lines"]
        ],
        (6, 2, 2, 2, 2),
    )
    yield Words("Each changed table is solved again: players answer a change with their best play.")


def _knowledge(rows: list[dict[str, Any]]) -> Table:
    cells = []
    for row in rows:
        sampled = row["method"] == "sampled"
        close = f" ± {row['standard_error'] * 100:.2f}" if sampled else ""
        cells.append(
            (
                row["what"],
                _percent(row["ev"]) + close,
                _percent(row["gain"]),
                _money(row["win_an_hour"]),
                _money(row["all_holders_gain_an_hour"]),
                row["method"],
            )
        )
    heads = ("Known", "Player's edge", "Gain", "Wins an hour", "House loses an hour", "How")
    return Table(heads, cells)


def _footnotes(rows: list[dict[str, Any]]) -> Iterator[Block]:
    yield Words(
        "Edge and gain are of an ante a round, for one player. What the house loses an hour is the "
        "gain of all who know: with k other hands seen, k + 1 players."
    )
    sampled = [row for row in rows if row["method"] == "sampled"]
    if not sampled:
        return
    first = sampled[0]
    bounds = ", ".join(f"{row['what']} {row['bound'] * 100:.2f}" for row in sampled)
    yield Words(
        f"Sampled: {first['samples']:,} deals (seed {first['seed']}), each valued exactly; ± is "
        f"one standard error. Whatever the distribution, with {first['confidence']:.0%} "
        f"confidence no farther off than, in percent of an ante: {bounds}."
    )


def _exposed(card: dict[str, Any]) -> tuple[str, ...]:
    dollars = card["dollars_a_player"]
    return (
        card["card"],
        card["rule"].replace("_", " "),
        _percent(card["ev_if_it_goes_on"]),
        "-" if card["costs_the_house"] is None else _percent(card["costs_the_house"]),
        "-" if dollars is None else _money(dollars),
    )


def _percent(value: str | None) -> str:
    return "-" if value is None else f"{float(Fraction(value)) * 100:.3f} %"


def _money(dollars: float) -> str:
    sign = "-" if dollars < 0 else ""
    return f"{sign}${abs(dollars):,.2f}"
