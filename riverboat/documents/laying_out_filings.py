"""Progressive filings as typst source: a meter's terms, its tables, each hand with its chance."""

from typing import Final

from riverboat.documents.figures import money, one_in
from riverboat.documents.filing import FiledTable, ProgressiveFiling
from riverboat.documents.typst_values import Value, literal
from riverboat.documents.words import Paper, Rows, frame, hand_name, percent, printed_rows

FILING_SIGNATURES: Final = ("For the operator", "For the regulator")
_HANDS: Final = ("Hand", "Pays", "Chance in one wager", "Exactly", "Clauses")
_TABLES: Final = ("Table", "Rulebook", "Schedule", "Seats", "Wager", "Rate", "Reserve rate")


def filing_source(filing: ProgressiveFiling, paper: Paper = "us-letter") -> str:
    """The typst source of a filing, without the design."""
    title = f"Progressive meter {filing.link.id}"
    document: dict[str, Value] = {
        **frame(filing.printing, "Progressive filing", title, title, paper, test=filing.test),
        "terms": _terms(filing),
        "tables_head": list(_TABLES),
        "tables": [_table(one) for one in filing.tables],
        "hands_head": list(_HANDS),
        "hands": _hands(filing.tables),
        "note": (
            "Chances are counted over all 2,598,960 hands of five cards. Where a fold forfeits "
            "the wager, a folded hand wins nothing."
        ),
        "equipment": _equipment(filing.tables),
        "signatures": list(FILING_SIGNATURES),
        "versions": [*_hashes(filing.tables), *printed_rows(filing.printing)],
    }
    return f"#progressive-filing({literal(document)})\n"


def _terms(filing: ProgressiveFiling) -> Rows:
    link = filing.link
    return [
        ["Opened", filing.opened],
        ["First amount", money(link.initial_cents)],
        ["Reset amount (seed)", money(link.seed_cents)],
        ["Wager", money(link.wager_cents)],
        ["Rate of progression", f"{percent(link.rate_bp)} of each accepted wager"],
        ["Reserve rate", f"{percent(link.reserve_bp)} of each accepted wager"],
        ["Limit", "none"],
        ["Link", f"one meter, {len(filing.tables)} tables, shown to the cent at each of them"],
    ]


def _table(one: FiledTable) -> list[Value]:
    rates = [percent(one.rate_bp), percent(one.reserve_bp)]
    return [one.table, one.rulebook, one.schedule, str(one.seats), money(one.wager_cents), *rates]


def _hands(tables: tuple[FiledTable, ...]) -> Rows:
    """Once for each schedule, because tables of one schedule win equally."""
    schedules = {one.schedule: one for one in tables}
    return [
        {
            "title": f"{one.schedule} ({one.game})",
            "fold": "A fold forfeits the wager." if one.fold_forfeits else "",
            "rows": [
                [
                    hand_name(hand.hand),
                    hand.pays,
                    one_in(hand.chance),
                    str(hand.chance),
                    ", ".join(hand.cites),
                ]
                for hand in one.hands
            ],
        }
        for one in schedules.values()
    ]


def _equipment(tables: tuple[FiledTable, ...]) -> Rows:
    """Tables with the same equipment are one line."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for one in tables:
        groups.setdefault(one.equipment, []).append(one.table)
    return [[", ".join(names), "; ".join(items)] for items, names in groups.items()]


def _hashes(tables: tuple[FiledTable, ...]) -> Rows:
    books = dict.fromkeys((one.rulebook, one.rulebook_sha256) for one in tables)
    return [
        *([f"Rulebook {name}", sha256] for name, sha256 in books),
        *([f"Configuration {one.table}", one.configuration_sha256] for one in tables),
    ]
