"""Every row of the controller's life, every press that must be refused, and every clause about it.

The scripts in this folder are played line by line; the tables below say what they must cover.
"""

import pytest

from riverboat.rulebooks import clause_rows, load, rulebook_ids
from tests.support.controller_file import ControllerScript, Player, read_scripts
from tests.support.places import TESTS

SCRIPTS = [
    (file.stem, script)
    for file in sorted((TESTS / "progressive").glob("*.toml"))
    for script in read_scripts(file.read_text("utf-8"))
]
BOOKS = {
    load(name).book.clause_prefix: load(name).book
    for name in rulebook_ids()
    if load(name).book.progressive is not None
}
EVERYWHERE = ("P1", "P2", "P3", "P4", "P5", "P6", "P7", "P8t", "P11", "P13", "P14", "P15", "P16")
WITH_SWITCH = ("P8", "P9", "P10", "P12")
MOVES = {"keying": "P12'", "payment": "P12''", "key_to_run": "P12"}
ILLEGAL = (
    "deal_before_lock",
    "chip_after_lock",
    "second_coin_in",
    "hand_on_unlit_seat",
    "hand_after_fixing",
    "award_while_pending",
    "game_over_with_pending_award",
    "void_after_round_over",
)
ILLEGAL_WITH_SWITCH = (
    "j_pot_at_run",
    "j_pot_without_hand",
    "run_before_payment",
    "game_over_at_jph",
)
CONTROLLER = ("progressive_system", "table_procedure")


def scripts_of(book_id: str) -> list[ControllerScript]:
    return [script for _, script in SCRIPTS if script.rulebook == book_id]


@pytest.mark.parametrize(
    "script", [script for _, script in SCRIPTS], ids=[f"{f}: {s.title}" for f, s in SCRIPTS]
)
def test_a_script_of_presses_holds_line_by_line(script: ControllerScript) -> None:
    Player(script).run()


@pytest.mark.parametrize("prefix", BOOKS)
def test_every_row_of_the_life_cycle_is_played_under_every_rulebook(prefix: str) -> None:
    book = BOOKS[prefix]
    assert book.progressive is not None
    switch = WITH_SWITCH if book.progressive.keys.key_switch else ()
    wanted = {*EVERYWHERE, *switch, MOVES[book.progressive.meter.moves_at]}
    assert wanted == {row for script in scripts_of(book.id) for row in script.rows}


@pytest.mark.parametrize("prefix", BOOKS)
def test_every_illegal_press_is_refused_under_every_rulebook(prefix: str) -> None:
    book = BOOKS[prefix]
    assert book.progressive is not None
    switch = ILLEGAL_WITH_SWITCH if book.progressive.keys.key_switch else ()
    scripts = scripts_of(book.id)
    assert {*ILLEGAL, *switch} == {name for script in scripts for name in script.illegal}
    for script in scripts:
        assert not script.illegal or "refused " in script.script, script.title


def test_every_clause_about_controller_and_meter_is_played() -> None:
    named = {clause for _, script in SCRIPTS for clause in script.clauses}
    wanted = {
        row.id
        for row in clause_rows()
        if (row.category.startswith("progressive_") and row.enforceable_by in CONTROLLER)
        or (row.category == "envy" and row.enforceable_by in CONTROLLER)
        or row.category == "game_manager"
    }
    assert wanted, "the table of clauses has them"
    assert not wanted - named, sorted(wanted - named)


def test_scripts_name_only_clauses_that_exist() -> None:
    known = {row.id for row in clause_rows()}
    known |= {clause for name in rulebook_ids() for clause in load(name).book.clauses}
    for _, script in SCRIPTS:
        for clause in script.clauses:
            ambiguity = clause[0] in "ABCDEF" and clause[1] == "-"
            assert clause in known or ambiguity, f"{script.title}: {clause}"


def test_no_two_scripts_have_the_same_title() -> None:
    titles = [script.title for _, script in SCRIPTS]
    assert sorted(set(titles)) == sorted(titles)
