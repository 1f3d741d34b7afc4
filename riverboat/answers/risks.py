"""Bankrolls, sessions, months for people; what knowledge and rules are worth; designed tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any, NamedTuple

from msgspec import to_builtins

from riverboat.answers.page import Block, Facts, Heading, Table, Words, dollars, percent, right
from riverboat.answers.rulebooks import opening
from riverboat.core.money import format_cents, show_dollars
from riverboat.exact.design.designs import Design, Designed, Document, Misprint, Near
from riverboat.exact.design.search import Span
from riverboat.exact.risk.sessions import Bands, HandleBands, Hold, LongRun, Luck, Ruin, Wagered
from riverboat.round.table_talk import label_of, sentence
from riverboat.rulebook import Rulebook


class Risk(NamedTuple):
    """What was asked of a wager: sessions and months, luck, ruin and hold where they were."""

    wagered: Wagered
    sessions: Sequence[Bands]
    handles: Sequence[HandleBands]
    luck: Luck | None = None
    ruin: Ruin | None = None
    long_run: LongRun | None = None
    hold: Hold | None = None


def risk_document(found: Risk) -> dict[str, Any]:
    """The answer as data; what was not asked for is left out."""
    wagered = found.wagered
    asked = {"luck": found.luck, "ruin": found.ruin, "long_run": found.long_run, "hold": found.hold}
    return {
        "rulebook": wagered.rulebook,
        "bet": wagered.bet,
        "paytable": wagered.paytable,
        "wager": wagered.wager_cents / 100,
        "house_edge": wagered.edge,
        "average_wager": wagered.average_wager,
        "standard_deviation": wagered.distribution.standard_deviation,
        "sessions": found.sessions,
        "win_over_handle": found.handles,
        **{name: value for name, value in asked.items() if value is not None},
        **({} if found.luck is None else {"two_sided": found.luck.two_sided}),
    }


def risk_page(found: Risk) -> Iterator[Block]:
    """What was asked for, each with the error of its chances."""
    wagered, sessions, handles = found.wagered, found.sessions, found.handles
    yield Heading(f"Risk: {wagered.rulebook}, {wagered.bet.replace('_', ' ')}", level=1)
    yield Facts(
        [
            ("Pay table", f"{wagered.paytable}, first wager {format_cents(wagered.wager_cents)}"),
            ("House edge", f"{percent(wagered.edge)} of the first wager"),
            ("A round", f"standard deviation {wagered.distribution.standard_deviation:.4f} wagers"),
        ]
    )
    if sessions:
        yield Heading("The player's result, in dollars, by percentile")
        bands = [(one.rounds, one.percentiles, one.ahead) for one in sessions]
        yield _by_percentile(bands, lambda result: _money(result, wagered), "Ahead")
    if handles:
        yield Heading("The house's win over the handle, by percentile")
        bands = [(one.rounds, one.percentiles, one.house_loses) for one in handles]
        yield _by_percentile(bands, lambda win: percent(win, 2), "House loses")
        yield Words(f"In the long run {percent(handles[0].mean)}. The handle is taken at its mean.")
    if found.luck is not None:
        yield from _month(found.luck)
    if found.ruin is not None:
        yield from _ruin(wagered, found.ruin, found.long_run)
    if found.hold is not None:
        yield from _hold(wagered, found.hold)
    errors = [*(one.error for one in sessions), *(one.error for one in handles)]
    worst = max(errors, default=0.0)
    said = (*wagered.assumptions, "rounds independent and alike")
    yield Facts(
        [("Assumed", "; ".join(said)), ("Error", f"no chance is off by more than {worst:.0e}")]
    )


def _by_percentile(
    bands: Sequence[tuple[int, Mapping[int, Fraction], float]],
    said: Callable[[Fraction], str],
    last: str,
) -> Table:
    """A row for each number of rounds; its last column is how often something happens."""
    levels = list(bands[0][1])
    rows = [
        (f"{rounds:,}", *(said(by_level[level]) for level in levels), f"{share:.2%}")
        for rounds, by_level, share in bands
    ]
    return Table(("Rounds", *(f"{level} %" for level in levels), last), rows)


def _month(month: Luck) -> Iterator[Block]:
    yield Heading("Is it luck?")
    yield Facts(
        [
            ("Rounds", f"{month.rounds:,} at {format_cents(month.wager_cents)}"),
            ("House won", dollars(month.win_cents)),
            ("Expected", dollars(month.expected_cents)),
            ("Away", f"{month.standard_deviations:+.2f} standard deviations"),
            ("As low or lower", f"{month.as_low:.4%}"),
            ("As high or higher", f"{month.as_high:.4%}"),
            ("Either side", f"{month.two_sided:.4%} of such months are at least so unusual"),
        ]
    )


def _ruin(wagered: Wagered, found: Ruin, for_ever: LongRun | None) -> Iterator[Block]:
    yield Heading("A bankroll")
    facts = [
        ("Bankroll", _money(found.bankroll, wagered)),
        (
            "Ruined below",
            f"{_money(found.needed, wagered)}: the next round could not be played out",
        ),
        (f"Ruined in {found.rounds:,}", f"{found.ruined:.4%}"),
    ]
    if found.target is not None:
        facts.append((f"Reached {_money(found.target, wagered)}", f"{found.reached:.4%}"))
    facts += [
        ("Still playing", f"{found.still_playing:.4%}"),
        ("Rounds played", f"{found.mean_rounds:,.1f} on average"),
    ]
    if for_ever is not None:
        facts.append(("Without an end", _for_ever(for_ever)))
    yield Facts(facts)


def _for_ever(found: LongRun) -> str:
    if found.horizon == "certain":
        return "ruin is certain: the edge is the house's"
    if found.horizon == "exact":
        return f"ruined with a chance of {found.highest:.4%}"
    return f"ruined with a chance between {found.lowest:.4%} and {found.highest:.4%}"


def _hold(wagered: Wagered, held: Hold) -> Iterator[Block]:
    yield Heading("Hold")
    until = "broke" if held.target is None else f"broke, or up to {_money(held.target, wagered)}"
    yield Facts(
        [
            ("Model", f"buys in once for {_money(held.buy_in, wagered)}, plays until {until}, "
                      f"or for {held.rounds:,} rounds"),
            ("Win over drop", f"{held.hold:.3%}"),
            ("Rounds played", f"{held.mean_rounds:,.1f} on average"),
            ("Leaves broke", f"{held.ruined:.2%}"),
        ]
    )  # fmt: skip
    yield Words("Another model of buying in and of leaving gives another hold.")


def _money(wagers: Fraction, wagered: Wagered) -> str:
    return dollars(wagers * wagered.wager_cents)


def protection_page(document: dict[str, Any]) -> Iterator[Block]:
    """Knowledge first, then exposed cards, then seats and pay lines."""
    yield Heading(f"Game protection: {document['rulebook']}", level=1)
    pace = document["rounds_an_hour"]
    yield Facts(
        [
            ("Stakes", f"ante {_dollars(document['ante'])}, {pace} rounds an hour"),
            ("Honest play", f"{_share(document['ev'])} of an ante a round, for the player"),
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
            (str(row["seats"]), *map(_dollars, (row["house_wins_an_hour"], row["if_all_collude"])))
            for row in document["seat_by_seat"]
        ],
    )
    yield Heading("House edge if a line paid one more or one less")
    yield Table(
        ("Line", "Pays", "One less", "Now", "One more"),
        [
            (
                *(line["line"], line["pays"]),
                *(_share(line[edge]) for edge in ("one_less", "house_edge", "one_more")),
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
                _share(row["ev"]) + close,
                _share(row["gain"]),
                _dollars(row["win_an_hour"]),
                _dollars(row["all_holders_gain_an_hour"]),
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
    return (
        card["card"],
        card["rule"].replace("_", " "),
        _share(card["ev_if_it_goes_on"]),
        _share(card["costs_the_house"]),
        _dollars(card["dollars_a_player"]),
    )


def _share(value: str | None) -> str:
    return "-" if value is None else percent(Fraction(value))


def _dollars(amount: float | None) -> str:
    return "-" if amount is None else dollars(amount * 100)


# ---------------------------------------------------------------- designed pay tables

_NEAREST = 2


def design_document(found: Design) -> dict[str, Any]:
    """The answer as data, with the figures that are not exact beside the exact ones."""
    plain: dict[str, Any] = to_builtins(found, enc_hook=str)
    for entry, one in zip(plain["listed"], found.listed, strict=True):
        entry["house_edge"] = float(one.house_edge)
        entry["standard_deviation"] = one.standard_deviation
    plain["wager"] = show_dollars(plain.pop("wager_cents"))
    return plain


def design_page(book: Rulebook, found: Design) -> Iterator[Block]:
    """The lines and what they may pay, the fastest tables, their misprints, the rulebook's own."""
    yield from opening(book, f"Designed: {sentence(label_of(book, found.bet))}, {found.rulebook}")
    order = "any" if found.any_order else "no hand pays more than a rarer one, fixed prizes aside"
    edges = ""
    if found.lowest_edge is not None and found.highest_edge is not None:
        lowest, highest = percent(found.lowest_edge, 2), percent(found.highest_edge, 2)
        edges = f", with house edges from {lowest} to {highest}"
    yield Facts(
        [
            ("Wager", format_cents(found.wager_cents)),
            ("Wanted", _wanted(found)),
            ("Order", order),
            ("Within the bounds", f"{found.tables:,} pay tables{edges}"),
            ("Have what is wanted", f"{found.found:,}"),
            *(("Assumed", words) for words in found.assumptions),
        ]
    )
    yield Heading("Lines")
    rows = [
        (str(number), line.line, line.label, percent(line.probability, 4), line.bounds,
         f"{line.values:,}")
        for number, line in enumerate(found.lines, start=1)
    ]  # fmt: skip
    yield Table(("", "Line", "Hands", "Probability", "May pay", "Values"), right(rows, (0, 3, 5)))
    if found.listed:
        yield from _designs(found)
    else:
        yield Words("")
        yield Words("No pay table within the bounds has what is wanted.", loud=True)
    yield Heading("The rulebook's own pay tables")
    own = [_own_table(one) for one in found.documents]
    columns = ("Pay table", "House edge", "Among these", "Others within half a point")
    yield Table(columns, right(own, (1, 3)))


def _wanted(found: Design) -> str:
    wish = found.wish
    said = [
        _ends("house edge", wish.edge, lambda share: f"{float(share * 100):g} %"),
        _ends("hits", wish.hit, lambda share: f"{float(share * 100):g} %"),
        _ends("deviation", wish.deviation, lambda number: f"{float(number):g}"),
    ]
    return "; ".join(filter(None, said)) or "anything"


def _ends(name: str, span: Span, said: Callable[[Fraction], str]) -> str:
    low, high = span.low, span.high
    if low is None:
        return "" if high is None else f"{name} up to {said(high)}"
    if high is None:
        return f"{name} from {said(low)}"
    return f"{name} {said(low)}" if low == high else f"{name} {said(low)} to {said(high)}"


def _designs(found: Design) -> Iterator[Block]:
    """The columns of the lines have their numbers; a line that cannot vary needs none."""
    varied = [(str(n), line.line) for n, line in enumerate(found.lines, start=1) if line.values > 1]
    more = found.found - len(found.listed)
    yield Heading(
        f"The fastest {len(found.listed):,}" if more else "All of them, the fastest first"
    )
    rows = [
        (
            str(number),
            *(one.pays[name].removesuffix(" to 1") for _, name in varied),
            percent(one.house_edge, 3),
            percent(one.hit_frequency, 2),
            f"{one.standard_deviation:.3f}",
            "never" if one.rounds is None else f"{ceil(one.rounds):,}",
        )
        for number, one in enumerate(found.listed, start=1)
    ]
    heads = ("Table", *(number for number, _ in varied), "Edge", "Hits", "Deviation", "Rounds")
    yield Table(heads, right(rows, range(len(heads))))
    yield Words(
        "Columns are lines by their numbers, odds to 1. Rounds: so many show the edge above its "
        "own noise, (deviation / edge)²."
    )
    yield Heading("What they can be taken for, and slips of one digit")
    cells = [
        (str(number), _alike(one), _slip(one.worst), _slip(one.unnoticed), str(one.to_player))
        for number, one in enumerate(found.listed, start=1)
    ]
    columns = ("Table", "Is, or is near", "Worst slip", "Worst without an alarm", "To player")
    yield Table(columns, cells, (1, 7, 4, 4, 2))
    most = percent(found.alarm_above, 2)
    yield Words(
        f"Misprints are suspected where an edge is below 0 % or above {most}: no alarm rings for a "
        "slip that stays between. To player: so many slips favour the player."
    )


def _alike(one: Designed) -> str:
    said = [", ".join(("is " + one.same_as[0], *one.same_as[1:]))] if one.same_as else []
    said += [_near(near) for near in one.near[:_NEAREST]]
    more = len(one.near) - _NEAREST
    return "; ".join(said) + (f"; {more} more" if more > 0 else "")


def _near(near: Near) -> str:
    prints = " as printed" if near.as_printed else ""
    lines = ", ".join(f"{name} {_odds(there)} for {_odds(here)}"
                      for name, (here, there) in near.lines.items())  # fmt: skip
    return f"{', '.join(near.paytables)}{prints}: {lines} ({near.how})"


def _slip(slip: Misprint | None) -> str:
    if slip is None:
        return "none"
    return (
        f"{slip.line} {_odds(slip.printed)} for {_odds(slip.pays)}: {percent(slip.house_edge, 1)}"
    )


def _odds(pays: str) -> str:
    return pays.removesuffix(" to 1")


def _own_table(one: Document) -> tuple[str, ...]:
    struck = " (struck)" if one.status == "struck" else ""
    others = "too many" if one.others is None else f"{one.others:,}"
    return one.paytable + struck, percent(one.house_edge, 4), one.why_not or "yes", others
