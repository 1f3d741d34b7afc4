"""Each irregularity × moment × way to deal: the page is made from the rulebooks, and a scenario
typed from the documents holds every cell of it."""

from collections.abc import Callable

import pytest

from riverboat.answers.rulebook_tables import counting_methods, reported
from riverboat.meter.amounts import meter_of
from riverboat.round import actions as a
from riverboat.round import events as e
from riverboat.round import open_round, play, set_up
from riverboat.round.incidents import OUT_OF_BOUNDS
from riverboat.rulebooks import load, rulebook_ids
from riverboat.scripts.scenario import play_scenario
from riverboat.scripts.scenario_file import Scenario, read_scenarios
from riverboat.scripts.scenario_words import moments_of
from tests.support.places import TESTS

RULES = TESTS / "rules"
Cell = tuple[str, str, str]


def sweep(name: str) -> list[Scenario]:
    text = (RULES / name / "incidents_sweep.toml").read_text("utf-8")
    return [one for _, one in read_scenarios(text) if isinstance(one, Scenario)]


def cell_of(scenario: Scenario) -> Cell:
    """The cell that a scenario stands in: the rule it falls under, the moment, the way to deal."""
    (incident,) = scenario.incidents
    rules = {
        ("face_up_cards", ""): "face_up_card" if incident.count == 1 else "face_up_cards",
        ("wrong_card_count", "six_card_box"): "wrong_box_count",
        ("exposed_community_card", "six_card_box"): "exposed_box_card",
        ("exposed_player_card", "dealer"): "exposed_dealer_card",
        ("shares_hand", ""): "sharing_hand_information",
        ("leaves_table", ""): "leaving_the_table",
        ("touches_cards", ""): "only_own_cards_touched",
        ("cards_out_of_view", ""): "cards_in_view",
    }
    rule = rules.get((incident.what, incident.place or ""), incident.what)
    return rule, incident.when, str(scenario.table["dealing"])


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_cell_of_the_page_is_held_by_a_scenario(
    name: str, report: Callable[[str], None]
) -> None:
    book = load(name).book
    held = {cell_of(scenario) for scenario in sweep(name)}
    cells = {
        (one.rule, moment, method.method)
        for one in reported(book)
        for moment in moments_of(book)
        for method in book.dealing
    }
    assert cells - held == set()
    report(f"incidents of {name}: {len(cells)} cells, each with a scenario")


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_page_says_of_every_scenario_whether_the_incident_counts(name: str) -> None:
    book = load(name).book
    rows = {one.rule: one for one in reported(book)}
    for scenario in sweep(name):
        rule, moment, dealing = cell_of(scenario)
        state = play_scenario(scenario, book).state
        assert state is not None
        (noted,) = (ev for ev in state.history if isinstance(ev, e.IncidentNoted))
        if rule not in rows:
            assert noted.consequence == "no_rule"
            continue
        methods = [method.method for method in counting_methods(book, rows[rule], moment)]
        counts = noted.consequence not in (*OUT_OF_BOUNDS, "wagers_taken_back")
        assert counts == (dealing in methods), scenario.name


@pytest.mark.parametrize(("order", "said"), [("void", "continue"), ("continue", "void")])
def test_a_tables_standing_order_binds_the_floor(order: str, said: str) -> None:
    """No file can say it; a program that hands over the floor's word all the same is not heeded."""
    setup = set_up(load("house-demo").book, {"exposed_player_card": order})
    state = play(open_round(setup, meter_of(0)), a.Wager(seat=1, spot="ante", cents=1000))
    for action in (a.CloseBets(), a.Deal(places={"1": (0, 1), "community": (2, 3, 4)})):
        state = play(state, action)
    told = a.Incident(what="exposed_player_card", seat=1, decision=said)  # type: ignore[arg-type]
    assert (play(state, told).phase == "void") == (order == "void")
