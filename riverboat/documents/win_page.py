"""A win page: one award, from the cards to the signatures, as plain data."""

from collections.abc import Iterator
from typing import Any, Final, Literal, TypeAlias, get_args

from msgspec import Struct

from riverboat.controller import events as e
from riverboat.controller.winners import cites_of, rule_of
from riverboat.core.cards import Card
from riverboat.core.errors import NotationError
from riverboat.core.money import METER_UNITS_PER_CENT, Cents, MeterUnits
from riverboat.core.records import alike
from riverboat.documents import printing as p
from riverboat.floor import codec
from riverboat.floor.secret import MasterSecret
from riverboat.floor.station import StationEntry, new_station, remember
from riverboat.ledger import Ledger
from riverboat.meter import events as le
from riverboat.meter.state import Link
from riverboat.meter.state import apply as apply_to_meter
from riverboat.round import events as r
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round
from riverboat.round.state import replay as replay_round
from riverboat.rulebook.progressive import Progressive
from riverboat.table import events as t
from riverboat.table.day import Books, new_day
from riverboat.wording.key_words import controller_said
from riverboat.wording.meter_events import meter_words

Origin: TypeAlias = Literal["hole card", "community card", "own card"]
Standing: TypeAlias = Literal["logged", "paid", "taken_back"]
WIN_SIGNATURES: Final = (
    "Dealer",
    "Floorperson or supervisor",
    "Surveillance",
    "Player: I have received this amount",
)
_STANDINGS: Final = {
    "logged": "Logged, not paid yet",
    "paid": "Paid",
    "taken_back": "TAKEN BACK: not payable",
}


class Step(Struct, frozen=True, kw_only=True):
    """One step of the procedure: what, who, in which role, when, by which clauses."""

    what: str
    by: str
    role: str
    at: str
    cites: tuple[str, ...] = ()


class MeterBeforeAndAfter(Struct, frozen=True, kw_only=True):
    """What the award did to the meter; until it has `moved_at`, what it will do.

    `meanwhile_units` came or went between the fixing of the award and the meter's move (a void at
    another table); `queued_units` waited for the award and were added after it.
    """

    before_units: MeterUnits
    award_cents: Cents
    meanwhile_units: MeterUnits = 0
    seed_cents: Cents = 0
    reserve_units: MeterUnits = 0
    queued_units: MeterUnits = 0
    resets: bool = False
    moved_at: str = ""

    @property
    def left_units(self) -> MeterUnits:
        """What stays when the award has left: at least the fraction of a cent."""
        award = self.award_cents * METER_UNITS_PER_CENT
        return self.before_units + self.meanwhile_units - award

    @property
    def after_units(self) -> MeterUnits:
        """What the sign shows next."""
        seed = self.seed_cents * METER_UNITS_PER_CENT
        return self.left_units + seed + self.reserve_units + self.queued_units


class Versions(Struct, frozen=True, kw_only=True):
    """By which words, configuration and cards the round was played. Empty: not on record."""

    rulebook: str
    title: str
    revision: int
    rulebook_sha256: str = ""
    configuration_sha256: str = ""
    commitment: int = 0
    commitment_root: str = ""


class WinPage(Struct, frozen=True, kw_only=True):
    """Everything that a win page prints. `percent` is nothing where the tray pays fixed odds."""

    printing: p.Printing
    versions: Versions
    table: str
    link: str
    round: int
    day: str
    seat: int
    player: str
    hand: str
    cards: tuple[tuple[Card, Origin], ...]
    award: str
    percent: int
    share: int
    of: int
    cents: Cents
    paid_cents: Cents
    pays: str
    schedule: str
    wager_cents: Cents
    cites: tuple[str, ...]
    meter: MeterBeforeAndAfter | None
    steps: tuple[Step, ...]
    source: Literal["tray", "cage"]
    document: str
    standing: Standing
    test: bool = False

    @property
    def breakage_cents(self) -> Cents:
        """What rounding to payable units left."""
        return self.cents - self.paid_cents


_OF_A_ROUND = get_args(r.AnyEvent)
_BEGINS = (t.RoundStarted, r.RoundOpened)
_OF_THE_SEAT = (*(e.SupervisorCalled, e.WinVerified, e.WinnerKeyedIn, e.KeyTurned, e.JPotPressed),)
_OF_THE_AWARD = (e.WinLogged, e.WinPagePrinted, e.AwardGiven)


def win_page_of(
    award: str,
    *,
    table: str,
    record: p.Record,
    link_record: p.Record,
    setup: Setup,
    printing: p.Printing,
    clock: p.Clock,
) -> WinPage:
    """The page of an award that is logged, as far as it has come.

    `record` is the table's stream with its controller's events, at least from the opening of the
    gaming day; `link_record` the meter's, from the beginning; `setup` the one that the round was
    played with.
    """
    place = _logged_at(award, record)
    logged: e.WinLogged = record[place].event
    told = _round_around(record, place)
    state = replay_round(setup, (one.event for one in told if isinstance(one.event, _OF_A_ROUND)))
    rule, progressive = rule_of(state), setup.progressive
    assert progressive is not None
    line = next(li for k, li in setup.lines["progressive"].items() if k.hand == logged.hand)
    fixed, meter = _meter(award, link_record, clock)
    given = next((one.event for one in told if _is_of(one, e.AwardGiven, award)), None)
    moved = [one for one in link_record if _is_of(one, le.MeterMoved, award)]
    taken_back = [one for one in record if _is_of(one, e.AwardTakenBack, award)]
    steps = sorted((*_steps(told, logged), *moved, *taken_back), key=lambda one: one.at)
    return alike(
        WinPage,
        logged,
        printing=printing,
        versions=_versions(told, record[:place], setup),
        table=table,
        link=progressive.link,
        round=_last(told, t.RoundStarted, "number", 0) or _last(told, e.BetsLocked, "round", 0),
        day=_last(record[:place], t.DayOpened, "date", ""),
        player=_player(state, record[:place], logged.seat),
        cards=tuple(_cards(state, logged.seat)),
        share=fixed.share if fixed is not None else 1,
        of=fixed.of if fixed is not None else 1,
        pays=line.pays.words,
        schedule=progressive.table.id,
        wager_cents=progressive.wager_cents,
        cites=tuple(dict.fromkeys((*line.cites, *progressive.cites))),
        meter=meter,
        steps=tuple(_step(one, state, rule, clock) for one in steps),
        document=given.document if given is not None else "",
        standing="taken_back" if taken_back else "logged" if given is None else "paid",
        test=any(one.test for one in told),
    )


def _logged_at(award: str, record: p.Record) -> int:
    for place, one in enumerate(record):
        if _is_of(one, e.WinLogged, award):
            return place
    raise NotationError("award.unknown", f"no award {award!r} is on this record")


def _round_around(record: p.Record, place: int) -> p.Record:
    """What was told between the beginning of a round and the next one's."""
    starts = [n for n, one in enumerate(record[:place]) if isinstance(one.event, _BEGINS)]
    first = starts[-1] if starts else 0
    if len(starts) > 1 and isinstance(record[starts[-2]].event, t.RoundStarted):
        between = record[starts[-2] + 1 : first]
        first = (
            first if any(isinstance(one.event, r.RoundClosed) for one in between) else starts[-2]
        )
    later = (n for n in range(place, len(record)) if isinstance(record[n].event, _BEGINS))
    return record[first : next(later, len(record))]


def _is_of(one: p.Told, kind: type[Any], award: str) -> bool:
    """An event of this kind that names the award."""
    return isinstance(one.event, kind) and bool(one.event.award == award)


def _last(record: p.Record, kind: type, field: str, otherwise: Any) -> Any:
    found = (one.event for one in reversed(record) if isinstance(one.event, kind))
    return getattr(next(found, None), field, otherwise)


def _player(state: Round, before: p.Record, seat: int) -> str:
    named = state.seats[seat].player
    sat = [
        one.event.player
        for one in before
        if isinstance(one.event, t.SeatTaken) and one.event.seat == seat
    ]
    return named or (sat[-1] if sat else "")


def _cards(state: Round, seat: int) -> Iterator[tuple[Card, Origin]]:
    """The cards of the winning hand, and where each lay."""
    for card in state.seats[seat].cards:
        yield card, "hole card" if state.community else "own card"
    for card in state.community:
        yield card, "community card"


def _versions(told: p.Record, before: p.Record, setup: Setup) -> Versions:
    started = next((one.event for one in told if isinstance(one.event, t.RoundStarted)), None)
    number = started.commitment if started is not None else 0
    sealed = (one.event for one in reversed(before) if isinstance(one.event, t.DeckSealed))
    root = next((event.root for event in sealed if event.number == number), "")
    return Versions(
        rulebook=setup.book.id,
        title=setup.book.title,
        revision=setup.book.revision,
        rulebook_sha256=started.rulebook_sha256 if started is not None else "",
        configuration_sha256=started.configuration_sha256 if started is not None else "",
        commitment=number,
        commitment_root=root if number else "",
    )


# ---------------------------------------------------------------- the meter


def _meter(
    award: str, record: p.Record, clock: p.Clock
) -> tuple[le.AwardFixed | None, MeterBeforeAndAfter | None]:
    """The award as the meter's record has it, and what it did to the meter."""
    fixed: le.AwardFixed | None = None
    moved: le.MeterMoved | None = None
    link, meanwhile, queued, moved_at = Link(), 0, 0, ""
    for one in record:
        event = one.event
        if moved is not None:
            queued = event.units if isinstance(event, le.QueueAdded) else 0
            break
        if isinstance(event, le.MeterMoved) and event.award == award:
            assert fixed is not None
            moved, moved_at = event, clock(one.at)
            meanwhile = link.meter.units - fixed.before_units
        elif isinstance(event, le.AwardFixed) and event.award == award:
            fixed = event
        link = apply_to_meter(link, event)
    if fixed is None:
        return None, None
    change = moved or fixed
    return fixed, MeterBeforeAndAfter(
        before_units=fixed.before_units,
        award_cents=fixed.cents,
        meanwhile_units=meanwhile,
        seed_cents=change.seed_cents,
        reserve_units=change.reserve_units,
        queued_units=queued,
        resets=fixed.resets,
        moved_at=moved_at,
    )


# ---------------------------------------------------------------- the steps


def _steps(told: p.Record, logged: e.WinLogged) -> Iterator[p.Told]:
    """What was done about the award's hand, from the locked wager on: lights and chips of the round
    and the seat's claim without a light, then what follows its keying.

    A seat whose award was taken back may be keyed again: that is another award's story.
    """
    place = _logged_at(logged.award, told)
    keyed = [
        n
        for n, one in enumerate(told[:place])
        if isinstance(one.event, e.HandKeyed) and _is_keyed(one.event, logged)
    ]
    first = keyed[-1] if keyed else place
    for number, one in enumerate(told):
        if _is_of(one, e.AwardTakenBack, logged.award):
            return
        event = one.event
        about = number >= first and _is_about(event, logged)
        claimed = isinstance(event, e.UnlitClaimAllowed) and event.seat == logged.seat
        if about or claimed or isinstance(event, e.BetsLocked | e.ChipsCounted):
            yield one


def _is_keyed(event: e.HandKeyed, logged: e.WinLogged) -> bool:
    """The seat's own hand, not one that was keyed by accident."""
    return (event.seat, event.hand) == (logged.seat, logged.hand)


def _step(one: p.Told, state: Round, rule: Progressive, clock: p.Clock) -> Step:
    """What was done in words; that the award left the meter is the link's own doing, and with what
    the meter was reset, the page's own statement says."""
    at, event = clock(one.at), one.event
    if not isinstance(event, le.MeterMoved):
        said, by = controller_said(event, state), getattr(event, "by", "") or one.by.name
        return Step(what=said.words, by=by, role=p.who(one.by), at=at, cites=said.cites)
    has_step = any(step.step == "adjust_meter" for step in rule.steps)
    cites = cites_of(rule, "adjust_meter") if has_step else rule.meter.cites
    left, _, _ = meter_words(event).partition("; ")
    return Step(what=left, by="link", role="system", at=at, cites=cites)


def _is_about(event: Any, logged: e.WinLogged) -> bool:
    """Whether something was done about the hand itself."""
    if isinstance(event, e.HandKeyed):
        return _is_keyed(event, logged)
    if isinstance(event, _OF_THE_AWARD):
        return bool(event.award == logged.award)
    seats = getattr(event, "seats", None) or (getattr(event, "seat", 0),)
    return isinstance(event, _OF_THE_SEAT) and logged.seat in seats


# ---------------------------------------------------------------- found in a ledger


def win_page_in(
    ledger: Ledger,
    books: Books,
    secret: MasterSecret | None,
    award: str,
    *,
    printing: p.Printing,
    clock: p.Clock,
) -> WinPage:
    """The page of an award that stands in a ledger: `TABLE/ROUND/SEAT`, or as it was logged."""
    table = _table_of(ledger, award)
    opener = codec.Opener.of_table(ledger, secret, table)
    record, setup = _told_at(ledger, books, opener, table, award)
    link = setup.progressive.link if setup.progressive is not None else ""
    meter = [
        codec.spelled(row, codec.read_meter_body(row.body))
        for row in ledger.read(codec.METER + link)
    ]
    return win_page_of(
        award,
        table=table,
        record=record,
        link_record=list(p.told_of(meter)),
        setup=setup,
        printing=printing,
        clock=clock,
    )


def _table_of(ledger: Ledger, award: str) -> str:
    """The table that the award names; awards are numbered within their table."""
    table = award.rsplit("/", 2)[0]
    if award.count("/") < 2 or not table or not ledger.read(codec.TABLE + table):
        text = f"no award {award!r} is on record; awards are named TABLE/ROUND/SEAT"
        raise NotationError("award.unknown", text)
    return table


def _told_at(
    ledger: Ledger, books: Books, opener: codec.Opener, table: str, award: str
) -> tuple[list[p.Told], Setup]:
    """The table's record, and the setup that the award's round was played with."""
    station, entries = new_station(new_day(table, books)), list[StationEntry]()
    setup: Setup | None = None
    for row in ledger.read(codec.TABLE + table):
        opened = opener.open(row)
        if not isinstance(opened, codec.TableRow) or opened.sealed:
            break
        for entry in opened.entries:
            station = remember(station, entry)
            entries.append(entry)
            if any(isinstance(ev, e.WinLogged) and ev.award == award for ev in entry.events):
                setup = station.day.playing.setup
    if setup is None:
        raise NotationError("award.unknown", f"no award {award!r} is on the record of {table}")
    return list(p.told_of(entries)), setup


# ---------------------------------------------------------------- on paper


def win_page_pdf(page: WinPage, paper: p.Paper = "us-letter") -> bytes:
    """A win page."""
    title = f"Win page {page.award}"
    document: dict[str, p.Value] = {
        **p.frame(page.printing, "Progressive win page", title, title, paper, test=page.test),
        "hand": p.hand_name(page.hand),
        "pays": _pays(page),
        "amount": p.money(page.paid_cents),
        "words": p.in_words(page.paid_cents),
        "standing": _STANDINGS[page.standing],
        "cards": [p.card_shown(*one) for one in page.cards],
        "where": [
            ["Award", page.award],
            ["Table", page.table],
            ["Seat", str(page.seat)],
            ["Round", str(page.round)],
            ["Gaming day", p.or_dash(page.day, p.NOT_ON_RECORD)],
            ["Meter", p.or_dash(page.link)],
        ],
        "wager": _wager(page),
        "meter": _meter_rows(page.meter) if page.meter is not None else [],
        "meter_note": _meter_note(page),
        "steps": page.steps,
        "signatures": list(WIN_SIGNATURES),
        "versions": _version_rows(page),
    }
    return p.pdf("win_page", document, printed_seconds=page.printing.printed_seconds)


def _pays(page: WinPage) -> str:
    if not page.percent:
        return f"pays {page.pays}"
    shared = f", share {page.share} of {page.of}" if page.of > 1 else ""
    return f"{page.percent}% of the meter{shared}"


def _wager(page: WinPage) -> p.Rows:
    source = "the tray" if page.source == "tray" else "the cage"
    line = f"{page.schedule}: {p.hand_name(page.hand).lower()} pays {page.pays}"
    rows: p.Rows = [
        ["Player", p.or_dash(page.player)],
        ["Wager and pay schedule", f"{p.money(page.wager_cents)}, {line}"],
        ["Clauses", ", ".join(page.cites)],
        ["Paid from", f"{source}, document: {p.or_dash(page.document)}"],
    ]
    if page.breakage_cents:
        exact = f"{p.money(page.cents)}, of which {p.money(page.breakage_cents)} breakage"
        rows.append(["Exact award", exact])
    return rows


def _meter_rows(meter: MeterBeforeAndAfter) -> p.Rows:
    rows = [p.in_units("Meter before", meter.before_units, "sub")]
    if meter.meanwhile_units:
        rows.append(p.in_units("Changed at other tables meanwhile", meter.meanwhile_units))
    rows.append(p.in_units("Award", -meter.award_cents * METER_UNITS_PER_CENT))
    rows.append(p.in_units("Stays on the meter", meter.left_units, "sub"))
    if meter.resets:
        rows.append(p.in_units("Seed put in", meter.seed_cents * METER_UNITS_PER_CENT))
        rows.append(p.in_units("Reserve put in", meter.reserve_units))
    if meter.queued_units:
        rows.append(p.in_units("Contributions that waited for this award", meter.queued_units))
    return [*rows, p.in_units("Meter after", meter.after_units, "total")]


def _meter_note(page: WinPage) -> str:
    if page.meter is None:
        return ""
    if page.standing == "taken_back":
        return "The award was taken back; the meter's record says what went back onto it."
    if page.meter.moved_at:
        return f"The meter moved at {page.meter.moved_at}."
    return "The meter has not moved yet; this is what it will come to."


def _version_rows(page: WinPage) -> p.Rows:
    held = page.versions
    played = f"no. {held.commitment}, root {p.or_dash(held.commitment_root, p.NOT_ON_RECORD)}"
    return [
        ["Rulebook", f"{held.rulebook}, revision {held.revision}: {held.title}"],
        ["its SHA-256", p.or_dash(held.rulebook_sha256, p.NOT_ON_RECORD)],
        ["Configuration", p.or_dash(held.configuration_sha256, p.NOT_ON_RECORD)],
        ["Commitment", played if held.commitment else "uncommitted"],
        *p.printed_rows(page.printing),
    ]
