"""Win pages from played rounds: every figure, every step, every rulebook with a progressive."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from riverboat.controller import actions as a
from riverboat.controller import events as e
from riverboat.core.errors import NotationError
from riverboat.documents.win_page import MeterBeforeAndAfter, WinPage, win_page_pdf
from riverboat.rulebooks import load
from tests.documents.floor import (
    BOOKS,
    HEAD,
    Floor,
    bet_and_deal,
    bet_and_lock,
    cards_for,
    open_table,
    page_of,
    two_winners,
)
from tests.documents.reading import pages_of, words_of
from tests.support.hall import DANA, FLO, SUE, Table, settle_others
from tests.support.keyed_player import key_next, key_winners

GOLDEN = Path(__file__).parent / "win-page.txt"
WITH_KEY_SWITCH = "south-dakota-2011"


def key_until_logged(floor: Floor, table: Table) -> None:
    """The first award is logged, and nothing is done after it."""
    settle_others(floor, table, envy=False)
    while not table.controller.wins:
        coming = key_next(floor, table)
        assert coming is not None
        floor.press(table, *coming)
        settle_others(floor, table, envy=False)


def key_out(floor: Floor, table: Table) -> None:
    """All that is left to do about the award in hand."""
    while table.controller.in_hand is not None:
        coming = key_next(floor, table)
        assert coming is not None
        floor.press(table, *coming)


def until_logged(name: str) -> Floor:
    """Both winners dealt, the first award logged."""
    floor = open_table(name, meter_cents=45_000_38)
    table = bet_and_deal(floor, cards_for(name), {1: "Ben Sample", 3: "Ann Example"})
    key_until_logged(floor, table)
    return floor


# ---------------------------------------------------------------- what is gathered


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize(
    ("seat", "hand", "percent"), [(1, "straight_flush", 10), (3, "royal_flush", 100)]
)
def test_a_page_has_what_the_link_has_on_record(
    name: str, seat: int, hand: str, percent: int
) -> None:
    floor = two_winners(name)
    page = page_of(floor, seat)
    award = floor.link.awards[page.award]
    assert (page.hand, page.percent, page.seat) == (hand, percent, seat)
    assert page.cents == page.paid_cents == award.fixed.cents
    assert page.meter is not None
    assert page.meter.before_units == award.fixed.before_units
    assert page.standing == "paid"
    assert page.player == ("Ann Example" if seat == 3 else "Ben Sample")
    assert len(page.cards) == 5


@pytest.mark.parametrize("name", BOOKS)
def test_the_last_pages_meter_is_where_the_link_stands(name: str) -> None:
    floor = two_winners(name)
    last = max(floor.link.awards.values(), key=lambda award: award.number)
    page = page_of(floor, last.fixed.seat)
    assert page.meter is not None
    assert page.meter.moved_at
    assert page.meter.after_units == floor.link.meter.units


def test_steps_are_in_order_with_person_role_time_and_clauses() -> None:
    page = page_of(two_winners(WITH_KEY_SWITCH), 3)
    steps = [(step.what, step.by, step.role) for step in page.steps]
    assert steps == [
        ("COIN IN: locked and lit: seats 1, 3", "Dana", "dealer"),
        ("2 chips counted for 2 wagers: they agree", "Dana", "dealer"),
        ("Key royal flush for seat 3: lamp on", "Dana", "dealer"),
        ("Supervisor called for seat 3", "Dana", "dealer"),
        ("Hand, light and wager of seat 3 verified", "Flo", "floorperson"),
        ("Key turned to JPH for seat 3: table halted", "Sue", "supervisor"),
        ("J-pot pressed for seat 3", "Sue", "supervisor"),
        ("Award T7/1/3 logged: $45,000.80", "Sue", "supervisor"),
        ("Award T7/1/3 paid under house slip", "Flo", "floorperson"),
        ("Key turned to RUN for seat 3", "Sue", "supervisor"),
        ("Award T7/1/3 of $45,000.80 left the meter", "link", "system"),
    ]
    assert [step.at for step in page.steps] == sorted(step.at for step in page.steps)
    assert all(step.cites for step in page.steps)


@pytest.mark.parametrize("name", BOOKS)
def test_every_step_cites_clauses_of_its_rulebook(name: str) -> None:
    book = load(name).book
    known = {*book.clauses, *book.ambiguities}
    for seat in (1, 3):
        page = page_of(two_winners(name), seat)
        for step in page.steps:
            assert step.cites, step.what
            assert known.issuperset(step.cites), step.what
        assert known.issuperset(page.cites)


def test_a_page_that_is_printed_at_once_says_what_is_not_done_yet() -> None:
    floor = until_logged(WITH_KEY_SWITCH)
    [award] = floor.link.awards.values()
    page = page_of(floor, award.fixed.seat)
    assert page.standing == "logged"
    assert page.meter is not None
    assert not page.meter.moved_at
    assert page.document == ""
    text = words_of(win_page_pdf(page))
    assert "Logged, not paid yet" in text
    assert "The meter has not moved yet" in text


def test_an_award_that_was_taken_back_says_so_aloud() -> None:
    floor = until_logged(WITH_KEY_SWITCH)
    [award] = floor.link.awards.values()
    table = floor.tables["T7"]
    back = a.BackOut(award=award.fixed.award, reason="hand misread", second=FLO)
    floor.press(table, SUE, back)
    page = page_of(floor, award.fixed.seat)
    assert page.standing == "taken_back"
    assert page.steps[-1].what.endswith("TAKEN BACK by Sue and Flo: hand misread")
    assert "TAKEN BACK: not payable" in words_of(win_page_pdf(page))


def test_a_hand_that_was_keyed_by_mistake_first_is_not_among_the_steps() -> None:
    floor = open_table(WITH_KEY_SWITCH, meter_cents=45_000_38)
    table = bet_and_deal(floor, cards_for(WITH_KEY_SWITCH), {1: "Ben", 3: "Ann"})
    settle_others(floor, table, envy=False)
    for _ in range(2):
        floor.press(table, DANA, a.PressHand(seat=3, hand="royal_flush"))
    key_winners(floor, table)
    keyed = [step for step in page_of(floor, 3).steps if step.what.startswith("Key royal flush")]
    assert sum(isinstance(told.event, e.HandCleared) for told in floor.told["T7"]) == 1
    assert len(keyed) == 1


@pytest.mark.parametrize("paid", [False, True])
def test_an_award_and_the_one_after_its_back_out_have_a_story_each(paid: bool) -> None:
    floor = until_logged(WITH_KEY_SWITCH)
    [first] = floor.link.awards.values()
    table, seat, hand = floor.tables["T7"], first.fixed.seat, first.fixed.hand
    if paid:
        key_out(floor, table)
        assert table.controller.handled
    floor.press(table, SUE, a.BackOut(award=first.fixed.award, reason="misread", second=FLO))
    again = e.HandKeyed(seat=seat, hand=hand, percent=first.fixed.percent, steps=(), by="Dana")
    floor.tell("T7", again, DANA)
    steps = [step.what for step in page_of(floor, seat).steps]
    assert sum(what.startswith("Key ") and "lamp on" in what for what in steps) == 1
    assert sum("paid under" in what for what in steps) == paid
    assert steps[-1].endswith("TAKEN BACK by Sue and Flo: misread")


def test_what_other_tables_do_while_an_award_is_pending_is_on_its_page() -> None:
    """One table's round is void in between, and another's contributions wait."""
    floor = open_table(WITH_KEY_SWITCH, meter_cents=45_000_38)
    setup = floor.tables["T7"].setup
    void, waiting = floor.add("T8", setup), floor.add("T9", setup)
    bet_and_lock(floor, void, {2: "Cy"})
    cards = {"1": "2c 3d", "3": "9h 8h", "community": "Qh Jh Th"}
    table = bet_and_deal(floor, cards, {1: "Ben Sample", 3: "Ann Example"})
    key_until_logged(floor, table)
    bet_and_lock(floor, waiting, {1: "Di", 2: "Ed"})
    floor.press(void, FLO, a.VoidRound(reason="spilled drink"))
    key_out(floor, table)
    [award] = floor.link.awards.values()
    page = page_of(floor, award.fixed.seat)
    assert page.meter is not None
    assert page.meter.before_units == 45_001_01_0000
    assert page.meter.queued_units == 42_0000
    assert page.cents == 4_500_10
    not_paid_out = 21_0000 * (45_001_01_0000 - 4_500_10_0000) // 45_001_01_0000
    assert page.meter.meanwhile_units == -not_paid_out
    assert page.meter.after_units == floor.link.meter.units


def test_the_other_winners_steps_are_not_on_the_page() -> None:
    floor = two_winners(WITH_KEY_SWITCH)
    for seat in (1, 3):
        steps = page_of(floor, seat).steps
        assert sum(" logged: " in step.what for step in steps) == 1
        assert sum(step.what.startswith("Key turned to JPH") for step in steps) == 1


def test_the_fraction_of_a_cent_stays_and_is_printed() -> None:
    meter = MeterBeforeAndAfter(
        before_units=45_000_38_1250,
        award_cents=45_000_38,
        seed_cents=10_000_00,
        reserve_units=120_50_0875,
        queued_units=1_05_0000,
        resets=True,
        moved_at="21:14",
    )
    assert meter.left_units == 1250
    assert meter.after_units == 10_121_55_2125
    page = replace(page_of(two_winners(WITH_KEY_SWITCH), 3), meter=meter)
    text = words_of(win_page_pdf(page))
    for row in (
        "Meter before 45,000.38 0.1250",
        "Award −45,000.38 0.0000",
        "Stays on the meter 0.00 0.1250",
        "Seed put in 10,000.00 0.0000",
        "Reserve put in 120.50 0.0875",
        "Contributions that waited for this award 1.05 0.0000",
        "Meter after 10,121.55 0.2125",
    ):
        assert row in text


def test_a_reversal_at_another_table_between_fixing_and_moving_is_a_line_of_its_own() -> None:
    meter = MeterBeforeAndAfter(
        before_units=100_00_0000, award_cents=10_00, meanwhile_units=-21_0000, moved_at="21:14"
    )
    assert meter.after_units == 89_79_0000
    page = replace(page_of(two_winners(WITH_KEY_SWITCH), 1), meter=meter)
    assert "Changed at other tables meanwhile −0.21 0.0000" in words_of(win_page_pdf(page))


def test_an_award_of_the_tray_has_no_meter_on_its_page() -> None:
    floor = open_table(WITH_KEY_SWITCH, meter_cents=45_000_38)
    cards = {"1": "9h 9d", "3": "2c 4d", "community": "9s 9c 5h"}
    table = bet_and_deal(floor, cards, {1: "Ben Sample", 3: "Ann Example"})
    settle_others(floor, table, envy=False)
    key_winners(floor, table)
    page = page_of(floor, 1)
    assert (page.percent, page.source, page.meter) == (0, "tray", None)
    text = words_of(win_page_pdf(page))
    assert "Four of a kind" in text
    assert f"pays {page.pays}" in text
    assert "Meter before" not in text


def test_an_unknown_award_is_refused_by_name() -> None:
    floor = two_winners(WITH_KEY_SWITCH)
    with pytest.raises(NotationError, match="T7/1/5"):
        page_of(floor, 5)


# ---------------------------------------------------------------- what is printed


@pytest.mark.parametrize("name", BOOKS)
@pytest.mark.parametrize("seat", [1, 3])
def test_every_figure_of_a_page_can_be_read_off_it(name: str, seat: int) -> None:
    floor = two_winners(name)
    page = page_of(floor, seat)
    text = words_of(win_page_pdf(page))
    dollars, cents = divmod(page.paid_cents, 100)
    wanted = [
        f"${dollars:,}.{cents:02}",
        f"{cents:02}/100 dollars",
        f"{page.percent}% of the meter",
        f"Award {page.award}",
        "Table T7",
        f"Seat {seat}",
        "Gaming day 2026-11-16",
        page.player,
        page.schedule,
        page.link,
        page.versions.rulebook_sha256,
        page.versions.configuration_sha256,
        f"no. 41, root {page.versions.commitment_root}",
        f"{name}, revision {load(name).book.revision}",
        HEAD,
        "riverboat 0.1.0",
        *page.cites,
        *(step.at for step in page.steps),
        *(cite for step in page.steps for cite in step.cites),
    ]
    for words in wanted:
        assert words in text, words
    assert page.versions.rulebook_sha256 == load(name).sha256


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
def test_an_ordinary_page_is_one_sheet_on_both_papers(name: str) -> None:
    for seat in (1, 3):
        page = page_of(two_winners(name), seat)
        assert len(pages_of(win_page_pdf(page))) == 1
        assert len(pages_of(win_page_pdf(page, "a4"))) == 1


def test_the_cards_are_named_with_where_they_lay() -> None:
    text = words_of(win_page_pdf(page_of(two_winners(WITH_KEY_SWITCH), 3)))
    for words in (
        "Ace of hearts hole card",
        "King of hearts hole card",
        "Queen of hearts community card",
        "10 of hearts community card",
    ):
        assert words in text
    own = words_of(win_page_pdf(page_of(two_winners("island-stud"), 3)))
    assert "Ace of spades own card" in own


def test_somebody_signs_for_each_who_was_there() -> None:
    text = words_of(win_page_pdf(page_of(two_winners(WITH_KEY_SWITCH), 3)))
    for label in ("Dealer", "Floorperson or supervisor", "Surveillance", "I have received"):
        assert label in text
    assert "Play money and training only." in text


def test_a_test_tables_page_says_so_on_every_sheet() -> None:
    page = page_of(two_winners(WITH_KEY_SWITCH, test=True), 3)
    assert page.test
    sheets = pages_of(win_page_pdf(page))
    assert "TEST TABLE: nothing on this page was won or paid" in sheets[0]
    assert all(sheet.startswith("TEST") for sheet in sheets)
    assert "TEST" not in words_of(win_page_pdf(replace(page, test=False)))


def test_a_round_without_a_commitment_is_uncommitted() -> None:
    page = page_of(two_winners(WITH_KEY_SWITCH), 3)
    versions = replace(page.versions, commitment=0, commitment_root="", rulebook_sha256="")
    text = words_of(win_page_pdf(replace(page, versions=versions)))
    assert "Commitment uncommitted" in text
    assert "its SHA-256 not on record" in text


def test_a_share_of_an_award_and_its_breakage_are_said() -> None:
    page = page_of(two_winners(WITH_KEY_SWITCH), 3)
    text = words_of(win_page_pdf(replace(page, share=1, of=2, paid_cents=page.cents - 80)))
    assert "100% of the meter, share 1 of 2" in text
    assert "$45,000.00" in text
    assert "Exact award $45,000.80, of which $0.80 breakage" in text


def golden_page() -> WinPage:
    """A page whose hashes do not change with the rulebook's file."""
    page = page_of(two_winners(WITH_KEY_SWITCH), 3)
    return replace(page, versions=replace(page.versions, rulebook_sha256="ab" * 32))


def test_the_page_reads_as_it_always_did() -> None:
    [text] = pages_of(win_page_pdf(golden_page()))
    lines = [line.rstrip() for line in text.splitlines()]
    assert lines == GOLDEN.read_text("utf-8").splitlines()
