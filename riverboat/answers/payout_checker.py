"""The payout checker: a rulebook, one seat's bets and cards in, what each spot is owed out.

It plays that seat's round on the engine and tells what came of it, so that it can never say
anything else than a table would.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple

from msgspec import Struct

from riverboat.answers.page import Block, Facts, Heading, Table, Words, right
from riverboat.answers.rulebooks import opening
from riverboat.core import money
from riverboat.core.cards import Card, check_distinct, parse_cards, show_card, with_the_rest
from riverboat.core.errors import NotationError, Reading, Refused
from riverboat.core.records import alike
from riverboat.core.well_formed import require_kind, require_struct
from riverboat.meter.amounts import Meter, before_contributions, meter_of
from riverboat.round import Round, Setup, play, set_up
from riverboat.round import actions as a
from riverboat.round.betting import given_at_lock
from riverboat.round.engine import before_the_deal
from riverboat.round.settlement.payment import PAID_FROM, cards_stay
from riverboat.round.setup.choices import Raw, written_choices
from riverboat.round.streets import bet_cents, card_counts, parse_multiple, seat_to_act, stage_of
from riverboat.round.table_talk import label_of, listed, number_of, sentence
from riverboat.rulebook import Rulebook
from riverboat.rulebook.book import stages_of
from riverboat.wording.explaining import Explanation, explain

SEAT = 1
PLACES = {str(SEAT): "cards", "community": "board", "box": "box", "dealer": "dealer"}


class Request(Struct, frozen=True, kw_only=True):
    """What is asked, as text: amounts in dollars, cards, street bets as multiples of the ante.

    `bets` None means the smallest bet at every decision; fewer than there are decisions means
    folded after them. `meter` is the meter as it stands when awards are paid.
    """

    ante: str
    bets: str | None = None
    cards: str = ""
    board: str = ""
    box: str = ""
    dealer: str = ""
    side_bets: Mapping[str, str] = {}
    meter: str | None = None
    table: tuple[str, ...] = ()


class Settled(NamedTuple):
    """What the seat is owed, spot by spot, with the round that says so."""

    state: Round
    given: dict[str, tuple[Card, ...]]
    lines: tuple[Explanation, ...]
    told: tuple[Explanation, ...]
    total_cents: money.Cents
    net_cents: money.Cents

    @property
    def book(self) -> Rulebook:
        return self.state.setup.book

    def paid_from(self, source: Literal["tray", "cage"]) -> money.Cents:
        """What leaves the tray, or the cage; stakes that go back lie on their spots."""
        return sum(line.paid_cents for line in self.lines if line.source == source)

    @property
    def came_from(self) -> str:
        """Where all that the player gets comes from; empty where that is nothing."""
        tray, cage = self.paid_from("tray"), self.paid_from("cage")
        back = self.total_cents - tray - cage
        parts = [f"{money.format_cents(back)} in returned stakes"] if back else []
        parts += [f"{money.format_cents(tray)} {PAID_FROM['tray']}"] if tray else []
        parts += [f"{money.format_cents(cage)} {PAID_FROM['cage']}"] if cage else []
        return listed(parts)

    @property
    def cards(self) -> str:
        """What becomes of the cards where the cage pays something; empty where nobody says it."""
        return cards_stay(self.book)[0] if self.paid_from("cage") else ""


def settle(book: Rulebook, request: Request) -> Settled:
    """What every spot is owed. Refused with its clause, or unreadable with its argument."""
    require_kind(book, Rulebook, "book")
    require_struct(request, Request, "request")
    wagers = _wagers(book, request)
    bets = _bets(book, request.bets)
    choices = _choices(book, request, wagers)
    setup = set_up(book, {k: v for k, v in choices.items() if k != "reserve"})
    meter = _meter(setup, request.meter, str(choices.get("reserve", "0")), wagers)
    given = _given(setup, request, wagers, bets)
    laid = before_the_deal(setup, [SEAT], wagers, meter)
    places = with_the_rest(card_counts(setup, [SEAT]), given)
    state = _until_over(play(laid, a.Deal(places=places)), bets)
    by_spot = explain(state, by_spot=True)
    lines = tuple(one for one in by_spot if one.result != "note")
    return Settled(
        state=state,
        given=given,
        lines=lines,
        told=explain(state),
        total_cents=sum(line.owed_cents for line in lines),
        net_cents=state.seats[SEAT].net_cents,
    )


# ---------------------------------------------------------------- reading the request


def _dollars(field: str, text: str) -> money.Cents:
    with Reading(field):
        return money.parse_dollars(text)


def _wagers(book: Rulebook, request: Request) -> dict[str, money.Cents]:
    """The ante and the side bets, in the order in which they are placed."""
    wagers = {"ante": _dollars("`ante`", request.ante)}
    own = (offer.bet for offer in book.side_bets)
    for bet in dict.fromkeys((*own, *request.side_bets)):
        if bet in request.side_bets:
            wagers[bet] = _dollars(f"`{bet}`", request.side_bets[bet])
    return wagers


def _bets(book: Rulebook, text: str | None) -> list[Fraction | int]:
    """The multiples at each decision; a missing one is a fold."""
    stages = stages_of(book)
    if text is None:
        return [stage.multiples[0] for stage in stages]
    words = [word.strip() for word in text.split(",")] if text.strip() else []
    bets: list[Fraction | int] = []
    for word in words:
        multiple = parse_multiple(word.removesuffix("x"))
        if multiple is None:
            raise NotationError(
                "settle.bad_bets",
                f"`bets` {text}: {word!r} is no multiple of the ante; write 3,1,3, or fewer for a "
                'fold after them, or "" for a fold at once',
            )
        bets.append(multiple)
    if len(words) > len(stages):
        labels = ", ".join(stage.label for stage in stages)
        raise NotationError(
            "settle.bad_bets",
            f"`bets` {text}: {number_of(len(words), 'bet')}, and there are {labels}",
        )
    return bets


def _choices(book: Rulebook, request: Request, wagers: Mapping[str, money.Cents]) -> dict[str, Raw]:
    """The table: what was named, and for each side bet its pay table if there is only one."""
    choices = written_choices(request.table, "settle.bad_table")
    for bet in wagers:
        if bet != "ante" and bet not in choices:
            choices[bet] = _only_table(book, bet)
    if "progressive" in wagers and "progressive_wager" not in choices:
        # Where one progressive table is printed for several wagers, the wager picks the schedule.
        schedules = book.progressive.schedules if book.progressive else ()
        if sum(one.paytable == str(choices["progressive"]) for one in schedules) > 1:
            choices["progressive_wager"] = money.show_dollars(wagers["progressive"])
    return choices


def _only_table(book: Rulebook, bet: str) -> str:
    offer = book.offer(bet)
    if offer is None:
        text = f"{book.id} has no {bet.replace('_', ' ')}"
        raise Refused("side_bet.not_offered", text, cites=book.ante.cites)
    if len(offer.paytables) > 1:
        text = (
            f"{offer.label} has more than one pay table; name one with `table` {bet}=ID: "
            f"{', '.join(offer.paytables)}"
        )
        raise Refused("paytable.not_named", text, cites=offer.cites)
    return offer.paytables[0]


def _meter(
    setup: Setup, text: str | None, reserve: str, wagers: Mapping[str, money.Cents]
) -> Meter | None:
    """The meter before the round, such that it stands at the given amount when awards are paid."""
    progressive = setup.progressive
    if progressive is None:
        if text is not None:
            raise NotationError("settle.bad_meter", f"`meter` {text}: no progressive is bet")
        return None
    cents = _dollars("`meter`", text) if text is not None else progressive.seed_cents
    meter = meter_of(cents, _dollars("`table` reserve", reserve))
    came = given_at_lock(setup, int("progressive" in wagers))
    if text is not None and meter.units < came.units:
        least = money.format_cents(money.divide_up(came.units, money.METER_UNITS_PER_CENT))
        said = f"`meter` {text}: the wager itself is on it by then; {least} is the least"
        raise NotationError("settle.bad_meter", said)
    return before_contributions(meter, came)


def _given(
    setup: Setup, request: Request, wagers: Mapping[str, money.Cents], bets: list[Fraction | int]
) -> dict[str, tuple[Card, ...]]:
    """The cards that were named, by place; only what decides nothing may be left out."""
    stays_in = len(bets) == len(stages_of(setup.book))
    by_bets = {
        place
        for offer in setup.book.side_bets
        if offer.bet in wagers
        for place in offer.decided_by.places
    }
    decides = {
        str(SEAT): stays_in or "seat" in by_bets,
        "community": stays_in or "community" in by_bets,
        "box": "box" in by_bets,
        "dealer": stays_in,
    }
    counts = card_counts(setup, [SEAT])
    given: dict[str, tuple[Card, ...]] = {}
    for place, name in PLACES.items():
        wanted = counts.get(place, 0)
        with Reading(f"`{name}`"):
            cards = parse_cards(getattr(request, name))
        if len(cards) > wanted or (len(cards) < wanted and decides[place]):
            text = f"`{name}`: {number_of(len(cards), 'card')}; {wanted} are dealt there"
            raise NotationError("settle.bad_cards", text)
        given[place] = cards
    check_distinct([card for cards in given.values() for card in cards])
    return given


# ---------------------------------------------------------------- playing the round


def _until_over(state: Round, bets: list[Fraction | int]) -> Round:
    left = list(bets)
    while state.phase in ("deciding", "turning"):
        if seat_to_act(state) is None:
            state = play(state, a.Turn())
        elif left:
            ante = state.seats[SEAT].wagers["ante"]
            cents = bet_cents(state.setup, stage_of(state), ante, left.pop(0))
            state = play(state, a.Bet(seat=SEAT, cents=cents))
        else:
            state = play(state, a.Fold(seat=SEAT))
    return play(play(state, a.SettleAll()), a.Close())


# ---------------------------------------------------------------- the answer for scripts


class OwedSpot(Struct, frozen=True, kw_only=True):
    """One spot: what lay there, what became of it, what it pays, and why."""

    spot: str
    stake: str
    outcome: str
    pays: str
    paid: str
    source: Literal["", "tray", "cage"]
    owed: str
    net: str
    paytable: str
    cites: tuple[str, ...]
    words: str


class OwedNote(Struct, frozen=True, kw_only=True):
    """Something else that the round came to."""

    words: str
    cites: tuple[str, ...]


class PaidFrom(Struct, frozen=True, kw_only=True):
    """What leaves the tray, what the cage pays, where all of it comes from in words, and what
    becomes of the cards where the cage pays."""

    tray: str
    cage: str
    words: str
    cards: str


class Owed(Struct, frozen=True, kw_only=True):
    """What the seat is owed, in dollars."""

    rulebook: str
    spots: tuple[OwedSpot, ...]
    notes: tuple[OwedNote, ...]
    owed: str
    paid_from: PaidFrom
    net: str


class RefusedRound(Struct, frozen=True, kw_only=True):
    """Why no table would take this."""

    code: str
    words: str
    cites: tuple[str, ...]


class NothingOwed(Struct, frozen=True, kw_only=True):
    """The rules refuse the round: nothing is owed, and why."""

    rulebook: str
    spots: tuple[()] = ()
    net: str = "0.00"
    refused: RefusedRound


def owed_in(settled: Settled) -> Owed:
    """The answer as data."""
    return Owed(
        rulebook=settled.book.id,
        spots=tuple(
            alike(
                OwedSpot,
                line,
                spot=line.spots[0],
                stake=money.show_dollars(line.stake_cents),
                outcome=line.result,
                paid=money.show_dollars(line.paid_cents),
                owed=money.show_dollars(line.owed_cents),
                net=money.show_dollars(line.net_cents),
                paytable=line.table,
            )
            for line in settled.lines
        ),
        notes=tuple(alike(OwedNote, one) for one in settled.told if one.result == "note"),
        owed=money.show_dollars(settled.total_cents),
        paid_from=PaidFrom(
            tray=money.show_dollars(settled.paid_from("tray")),
            cage=money.show_dollars(settled.paid_from("cage")),
            words=settled.came_from,
            cards=settled.cards,
        ),
        net=money.show_dollars(settled.net_cents),
    )


def nothing_owed(book: Rulebook, refusal: Refused) -> NothingOwed:
    """A refusal as data."""
    why = RefusedRound(code=refusal.code, words=str(refusal), cites=refusal.cites)
    return NothingOwed(rulebook=book.id, refused=why)


_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_SAID = {"win": "wins", "push": "pushes", "lose": "loses"}


def settle_page(settled: Settled) -> Iterator[Block]:
    """Cards, spots, reasons, and the sum in the last line."""
    book = settled.book
    yield from opening(book)
    yield Facts([*_facts(settled)])
    yield Heading("Spots")
    yield _spots(settled)
    yield Heading("Why")
    rows = [(one.words, one.table, ", ".join(one.cites)) for one in settled.told]
    yield Table(("In words", "Pay table", "Clauses"), rows, (5, 2, 3))
    yield Words("")
    yield Words(_sum(settled))


def show_suits(cards: Sequence[Card]) -> str:
    """Cards with their suits as signs, and the ten as 10."""
    return " ".join(text[0].replace("T", "10") + _SUITS[text[1]] for text in map(show_card, cards))


def _facts(settled: Settled) -> Iterator[tuple[str, str]]:
    for place, name in PLACES.items():
        if settled.given[place]:
            yield sentence(name), show_suits(settled.given[place])

    at = settled.state.at_settlement
    if settled.state.setup.progressive is not None and at is not None:
        before, after = at.meter.cents, settled.state.meter.cents
        moved = f", then {money.format_cents(after)}" if after != before else ""
        yield "Meter", money.format_cents(before) + moved


def _spots(settled: Settled) -> Table:
    rows: list[tuple[str, ...]] = [
        (
            sentence(label_of(settled.book, line.spots[0])),
            money.format_cents(line.stake_cents),
            _SAID.get(line.result, line.result),
            line.pays if line.result == "win" else "",
            line.source,
            money.format_signed(line.net_cents),
            money.format_cents(line.owed_cents),
        )
        for line in settled.lines
    ]
    staked = money.format_cents(sum(line.stake_cents for line in settled.lines))
    total = ("Together", staked, "", "", "", money.format_signed(settled.net_cents))
    rows.append((*total, money.format_cents(settled.total_cents)))
    columns = ("Spot", "Stake", "Result", "Pays", "Paid from", "Wins or loses", "Owed, with stake")
    return Table(columns, right(rows, (1, 5, 6), cents=True))


def _sum(settled: Settled) -> str:
    owed, net = settled.total_cents, settled.net_cents
    cards = f"; {settled.cards}" if settled.cards else ""
    gets = f"{money.format_cents(owed)}: {settled.came_from}{cards}" if owed else "nothing"
    came = f"wins {money.format_cents(net)}" if net > 0 else f"loses {money.format_cents(-net)}"
    return f"The player gets {gets}. The seat {came if net else 'comes out even'}."
