"""Win pages and close slips as typst source: every figure in its words, the layout's call after."""

from typing import Final

from riverboat.documents.close_slip import CloseSlip
from riverboat.documents.figures import in_words, money
from riverboat.documents.typst_values import Value, literal
from riverboat.documents.win_page import MeterBeforeAndAfter, WinPage
from riverboat.documents.words import (
    Paper,
    Rows,
    card_shown,
    configuration_rows,
    frame,
    hand_name,
    in_cents,
    in_units,
    or_dash,
    or_not_on_record,
    printed_rows,
)
from riverboat.money import METER_UNITS_PER_CENT
from riverboat.naming import table_called

WIN_SIGNATURES: Final = (
    "Dealer",
    "Floorperson or supervisor",
    "Surveillance",
    "Player: I have received this amount",
)
SLIP_SIGNATURES: Final = ("Counted by", "Witnessed by")
_STANDINGS: Final = {
    "logged": "Logged, not paid yet",
    "paid": "Paid",
    "taken_back": "TAKEN BACK: not payable",
}


def win_page_source(page: WinPage, paper: Paper = "us-letter") -> str:
    """The typst source of a win page, without the design."""
    title = f"Win page {page.award}"
    document: dict[str, Value] = {
        **frame(page.printing, "Progressive win page", title, title, paper, test=page.test),
        "hand": hand_name(page.hand),
        "pays": _pays(page),
        "amount": money(page.paid_cents),
        "words": in_words(page.paid_cents),
        "standing": _STANDINGS[page.standing],
        "cards": [card_shown(one.card, one.origin) for one in page.cards],
        "where": _where(page),
        "wager": _wager(page),
        "meter": _meter(page.meter) if page.meter is not None else [],
        "meter_note": _meter_note(page),
        "steps": [
            {"at": s.at, "what": s.what, "by": s.by, "role": s.role, "cites": list(s.cites)}
            for s in page.steps
        ],
        "signatures": list(WIN_SIGNATURES),
        "versions": _versions(page),
    }
    return f"#win-page({literal(document)})\n"


def _pays(page: WinPage) -> str:
    if not page.percent:
        return f"pays {page.pays}"
    shared = f", share {page.share} of {page.of}" if page.of > 1 else ""
    return f"{page.percent}% of the meter{shared}"


def _where(page: WinPage) -> Rows:
    return [
        ["Award", page.award],
        ["Table", page.table],
        ["Seat", str(page.seat)],
        ["Round", str(page.round)],
        ["Gaming day", or_not_on_record(page.day)],
        ["Meter", or_dash(page.link)],
    ]


def _wager(page: WinPage) -> Rows:
    source = "the tray" if page.source == "tray" else "the cage"
    line = f"{page.schedule}: {hand_name(page.hand).lower()} pays {page.pays}"
    rows: Rows = [
        ["Player", or_dash(page.player)],
        ["Wager and pay schedule", f"{money(page.wager_cents)}, {line}"],
        ["Clauses", ", ".join(page.cites)],
        ["Paid from", f"{source}, document: {or_dash(page.document)}"],
    ]
    if page.breakage_cents:
        exact = f"{money(page.cents)}, of which {money(page.breakage_cents)} breakage"
        rows.append(["Exact award", exact])
    return rows


def _meter(meter: MeterBeforeAndAfter) -> Rows:
    rows = [in_units("Meter before", meter.before_units, "sub")]
    if meter.meanwhile_units:
        rows.append(in_units("Changed at other tables meanwhile", meter.meanwhile_units))
    rows.append(in_units("Award", -meter.award_cents * METER_UNITS_PER_CENT))
    rows.append(in_units("Stays on the meter", meter.left_units, "sub"))
    if meter.resets:
        rows.append(in_units("Seed put in", meter.seed_cents * METER_UNITS_PER_CENT))
        rows.append(in_units("Reserve put in", meter.reserve_units))
    if meter.queued_units:
        waited = "Contributions that waited for this award"
        rows.append(in_units(waited, meter.queued_units))
    return [*rows, in_units("Meter after", meter.after_units, "total")]


def _meter_note(page: WinPage) -> str:
    if page.meter is None:
        return ""
    if page.standing == "taken_back":
        return "The award was taken back; the meter's record says what went back onto it."
    if page.meter.moved_at:
        return f"The meter moved at {page.meter.moved_at}."
    return "The meter has not moved yet; this is what it will come to."


def _versions(page: WinPage) -> Rows:
    held = page.versions
    played = f"no. {held.commitment}, root {or_not_on_record(held.commitment_root)}"
    return [
        ["Rulebook", f"{held.rulebook}, revision {held.revision}: {held.title}"],
        ["its SHA-256", or_not_on_record(held.rulebook_sha256)],
        ["Configuration", or_not_on_record(held.configuration_sha256)],
        ["Commitment", played if held.commitment else "uncommitted"],
        *printed_rows(page.printing),
    ]


# ---------------------------------------------------------------- the close slip


def close_slip_source(slip: CloseSlip, paper: Paper = "us-letter") -> str:
    """The typst source of a close slip, without the design."""
    title = f"{table_called(slip.table, 'Table')}, gaming day {slip.day}"
    document: dict[str, Value] = {
        **frame(slip.printing, "Close slip", title, f"Close slip: {title}", paper, test=slip.test),
        "left": [
            ["Game", slip.game],
            ["Rulebook", slip.rulebook],
            ["Rounds", f"{slip.rounds}, of which {slip.void_rounds} void"],
        ],
        "right": [
            ["Opened", f"{slip.opened_at}, {slip.opened_by}"],
            ["Counted", f"{slip.counted_at}, {slip.counted_by} ({slip.counted_role})"],
        ],
        "tray": _tray(slip),
        "win": _win(slip),
        "agrees": not (slip.difference_cents or slip.drop_difference_cents),
        "verdict": _verdict(slip),
        "signatures": list(SLIP_SIGNATURES),
        "versions": [*configuration_rows(slip.configurations), *printed_rows(slip.printing)],
    }
    return f"#close-slip({literal(document)})\n"


def _tray(slip: CloseSlip) -> Rows:
    return [
        in_cents("Opening count", slip.opening_cents),
        *(in_cents(f"Fill {n}", cents) for n, cents in enumerate(slip.fills, start=1)),
        *(in_cents(f"Credit {n}", -cents) for n, cents in enumerate(slip.credits, start=1)),
        in_cents("Chips for cash (buy-ins)", -slip.bought_in_cents),
        in_cents("Moved by the rounds", slip.rounds_cents),
        in_cents("Tray by the entries", slip.expected_cents, "total"),
        in_cents("Tray by the count", slip.counted_cents, "total"),
        in_cents("Over or short (−)", slip.difference_cents),
    ]


def _win(slip: CloseSlip) -> Rows:
    return [
        in_cents("Drop by the entries (buy-ins)", slip.drop_expected_cents),
        in_cents("Drop by the count", slip.drop_cents),
        in_cents("Over or short (−)", slip.drop_difference_cents),
        in_cents("Table win", slip.win_cents, "total"),
    ]


def _verdict(slip: CloseSlip) -> str:
    faults = [
        f"{what} is {money(abs(cents))} {'over' if cents > 0 else 'short'}"
        for what, cents in (
            ("the tray", slip.difference_cents),
            ("the drop", slip.drop_difference_cents),
        )
        if cents
    ]
    if not faults:
        return "Count and entries agree to the cent."
    return f"NOT RECONCILED: {' and '.join(faults)} against the entries."
