"""Every bet of every rulebook under every pay table, as scripts and programs are told it."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from riverboat.core.money import show_dollars
from riverboat.exact import odds
from riverboat.exact.caching import kept_as
from riverboat.exact.questions.bet_odds import BetOdds, Odds, odds_document
from riverboat.exact.questions.every_bet import odds_of, work_out
from riverboat.exact.questions.question import read_question
from riverboat.rulebooks import load, load_all, rulebook_ids
from tests.exact.kept_apart import own_cache

BASE = Fraction(-53223, 1082900)


@pytest.fixture(scope="module")
def every() -> dict[str, Odds]:
    """All rulebooks, worked out here and not read from any disk."""
    return {one.book.id: work_out(one.book, read_question(one.book)) for one in load_all()}


@pytest.mark.slow
def test_no_bet_and_no_table_of_any_rulebook_is_missing(every: dict[str, Odds]) -> None:
    for loaded in load_all():
        told = [(one.bet, one.paytable) for one in every[loaded.book.id].bets]
        for table in loaded.book.paytables:
            bet = "progressive" if table.bet == "placard" else table.bet
            assert (bet, table.id) in told
        assert told[0][0] == "base"
        for offer in loaded.book.side_bets:
            assert offer.bet in {bet for bet, _ in told}


def test_each_schedule_is_told_for_its_own_wager(every: dict[str, Odds]) -> None:
    for loaded in load_all():
        told = [(one.paytable, one.wager_cents) for one in every[loaded.book.id].bets]
        for schedule in loaded.book.progressive.schedules if loaded.book.progressive else ():
            assert (schedule.paytable, int(schedule.wager)) in told
            assert (schedule.envy, int(schedule.wager)) in told


def test_the_figures_of_maryland(every: dict[str, Odds]) -> None:
    found = every["maryland-2014"]
    base = found.find("base")
    assert base.ev == BASE
    assert base.base is not None
    assert not base.base.capped
    assert f"{float(base.element_of_risk or 0):.4%}" == "1.3691%"
    assert f"{float(base.house_edge / base.base.other_average_wager):.4%}" == "1.4109%"
    edges = {one.paytable[-1]: one.house_edge for one in found.bets if one.bet[:3] == "thr"}
    assert edges == {
        letter: Fraction(part, 5525)
        for letter, part in zip("ABCDEF", (128, 308, 298, 392, 402, 118), strict=True)
    }


def test_a_house_of_its_own_needs_no_code(every: dict[str, Odds]) -> None:
    found = every["house-demo"]
    assert found.find("base").ev != BASE, "a straight pays 5 to 1 there"
    assert found.find("base").wager_cents == 500, "the least ante that the house takes"
    side_bets = {offer.bet for offer in load("house-demo").book.side_bets}
    assert {one.bet for one in found.bets} == {"base", "envy", *side_bets}
    assert {"three_card_bonus", "progressive"} <= side_bets


@pytest.mark.parametrize("name", rulebook_ids())
def test_figures_hang_together(every: dict[str, Odds], name: str) -> None:
    for one in every[name].bets:
        assert 0 <= one.hit_frequency < 1
        assert one.variance > 0
        if one.base is not None:
            _check_base(one)
        elif one.lines:
            assert sum((line.probability for line in one.lines), Fraction(0)) == 1
            returns = sum((line.returns for line in one.lines), Fraction(0))
            envy = one.progressive.envy_ev if one.progressive else 0
            assert returns + envy == one.ev


def _check_base(one: BetOdds) -> None:
    base = one.base
    assert base is not None
    distribution = base.distribution
    assert distribution.mean == one.ev
    assert distribution.win_push_loss[0] == one.hit_frequency
    arriving, wagered = Fraction(1), Fraction(1)
    for street, folds in base.folds.items():
        made = base.raises[street]
        assert folds + sum(made.values()) == arriving
        arriving -= folds
        wagered += sum(int(times[:-1]) * share for times, share in made.items())
    assert wagered == base.average_wager
    assert sum((hand.unfolded for hand in base.hands), Fraction(0)) == arriving
    assert sum((hand.dealt for hand in base.hands), Fraction(0)) == 1
    assert base.other_average_wager <= base.average_wager, "who folds ties bets no more"


def test_what_is_printed_otherwise_than_played_is_told_beside_it(every: dict[str, Odds]) -> None:
    found = {one.paytable: one for one in every["south-dakota-3cb"].bets}
    assert found["SD-3CB-3CB-B"].printed_ev == Fraction(22156, 5525)
    assert "almost certainly a misprint" in found["SD-3CB-3CB-B"].suspicion
    assert found["SD-3CB-3CB-A"].printed_ev is None
    assert not found["SD-3CB-3CB-A"].suspicion


def test_the_published_advantages_are_the_long_run_edges(every: dict[str, Odds]) -> None:
    for table, percent in (("IS-PROG-PMG-01", "20.99%"), ("IS-PROG-PMG-02", "21.22%")):
        found = every["island-stud"].find("progressive", table).progressive
        assert found is not None
        assert f"{float(found.long_run_house_edge):.2%}" == percent
        assert found.others == 6


def test_at_its_break_even_meter_a_wager_is_even_and_a_cent_below_it_is_not(
    every: dict[str, Odds],
) -> None:
    found = every["island-stud"].find("progressive").progressive
    assert found is not None
    assert found.break_even_cents is not None
    at, below = (
        answer("island-stud", paytable="IS-PROG-PMG-01", meter=show_dollars(cents))[0].ev
        for cents in (found.break_even_cents, found.break_even_cents - 1)
    )
    assert below < 0 <= at < Fraction(1, 10**6)


# ---------------------------------------------------------------- what is asked changes the answer


def answer(name: str, **asked: Any) -> tuple[BetOdds, ...]:
    book = load(name).book
    return work_out(book, read_question(book, **asked)).bets


@pytest.mark.slow
def test_where_a_fold_forfeits_the_wager_both_optima_are_told(every: dict[str, Odds]) -> None:
    """At the joint break-even meter the two together are worth the base game alone, to the cent."""
    for odds_ in every.values():
        for one in odds_.bets:
            if one.progressive is not None:
                together = one.progressive.together
                assert (together is None) == (one.progressive.fold != "forfeited")
    at_seed = every["maryland-2014"].find("progressive").progressive
    assert at_seed is not None
    assert at_seed.together is not None
    even = at_seed.together.break_even_cents
    assert even is not None
    assert at_seed.break_even_cents is not None
    assert even < at_seed.break_even_cents
    worth = {
        meter: odds("maryland-2014", bet="progressive", wager="1", meter=show_dollars(meter))
        for meter in (even - 1, even)
    }
    evs = [found.find("progressive").progressive for found in worth.values()]
    assert [one.together.ev >= 0 for one in evs if one and one.together] == [False, True]
    assert all(one.together.joint > one.together.separate for one in evs if one and one.together)


def test_a_limit_matters_only_where_the_best_play_gets_to_it() -> None:
    found = {}
    for wager in ("5", "11", "13", "100"):
        [one] = answer("maryland-2014", paytable="MD-2014-BASE", wager=wager, minimum="5")
        assert one.base is not None
        found[wager] = (one.ev == BASE, one.base.capped)
    assert found == {
        "5": (True, False),
        "11": (True, False),
        "13": (False, True),
        "100": (False, True),
    }
    [alone] = answer("maryland-2014", paytable="MD-2014-BASE", wager="100")
    assert alone.ev == BASE, "the limit grows with the table's minimum, which is the wager"


def test_a_fixed_prize_makes_the_edge_go_by_the_stake() -> None:
    edges = [
        answer("maryland-2014", paytable="MD-2014-6CB-A", wager=wager)[0].house_edge
        for wager in ("1", "5", "10", "25")
    ]
    assert [f"{float(edge):.2%}" for edge in edges] == ["12.99%", "18.10%", "18.74%", "19.12%"]


def test_other_players_are_worth_their_envy_bonuses() -> None:
    alone, six = (
        answer("island-stud", paytable="IS-PROG-PMG-01", others=others)[0] for others in (0, 6)
    )
    [envy] = answer("island-stud", paytable="IS-ENVY-PMG-01", others=6)
    assert six.ev - alone.ev == envy.ev == 6 * Fraction(185, 32487)
    assert alone.progressive is not None
    assert alone.progressive.envy_ev == 0


def test_options_of_the_table_count() -> None:
    [low] = answer("maryland-2014", paytable="MD-2014-3CB-A")
    [high] = answer("maryland-2014", paytable="MD-2014-3CB-A", table=["three_card_ace_low=false"])
    assert low.ev > high.ev


@pytest.mark.slow
def test_only_what_is_asked_for_is_answered() -> None:
    assert {one.bet for one in answer("maryland-2014", bet="three_card_bonus")} == {
        "three_card_bonus"
    }
    [one] = answer("maryland-2014", paytable="MD-2014-6CB-OLD-C")
    assert (one.bet, one.status) == ("six_card_bonus", "struck")
    assert [one.wager_cents for one in answer("maryland-2014", bet="progressive")] == [100, 500]
    [five] = answer("maryland-2014", bet="progressive", wager="5")
    assert five.wager_cents == 500


def test_simpler_ways_to_play_are_costed_where_only_the_base_game_is_asked_for() -> None:
    [one] = answer("island-stud", bet="base")
    assert one.base is not None
    assert one.base.simpler
    assert all(play.cost >= 0 and one.ev - play.ev == play.cost for play in one.base.simpler)


# ---------------------------------------------------------------- kept, and told


def test_what_is_kept_reads_back_as_it_was(
    every: dict[str, Odds], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own_cache(monkeypatch, tmp_path)
    for found in every.values():
        named = {"what": "odds", "rulebook": found.rulebook}
        asked = iter([found])
        assert kept_as(Odds, named, lambda: next(asked)) == found  # noqa: B023
        assert kept_as(Odds, named, lambda: next(asked)) == found  # noqa: B023


def test_the_kept_answer_is_the_fresh_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    own_cache(monkeypatch, tmp_path)
    loaded = load("house-demo")
    question = read_question(loaded.book)
    first = odds_of(loaded, question)
    assert odds_of(loaded, question) == first
    assert odds_of(loaded, question, fresh=True) == first
    assert odds("house-demo") == first


def test_scripts_are_told_what_the_contract_names(every: dict[str, Odds]) -> None:
    document = to_builtins(odds_document(every["maryland-2014"]), enc_hook=str)
    assert document["rulebook"] == "maryland-2014"
    entries = {entry["paytable"]: entry for entry in reversed(document["bets"])}
    bonus = entries["MD-2014-3CB-A"]
    assert bonus["ev"] == "-128/5525"
    assert bonus["house_edge"] == pytest.approx(0.0231674, abs=5e-8)
    assert Fraction(bonus["hit_frequency"]) == Fraction(283, 1105)
    assert bonus["standard_deviation"] == pytest.approx(2.91, abs=0.01)
    assert bonus["wager"] == "1.00"
    base = entries["MD-2014-BASE"]
    assert base["ev"] == "-53223/1082900"
    assert base["ties"] == "bet"
    assert base["capped"] is False
    assert base["element_of_risk"] == pytest.approx(0.013691, abs=5e-7)
    assert Fraction(base["average_wager"]) * Fraction(base["element_of_risk_exact"]) == -BASE
    meter = entries["MD-2014-PROG"]
    assert meter["meter"] == "10000.00"
    assert meter["others"] == 5
    assert meter["wager"] == "1.00"
    assert Fraction(meter["break_even_meter_exact"]) == pytest.approx(244564.56, abs=0.01)
    assert "best play of the base game" in meter["strategy"]
    assert meter["long_run_house_edge"] == pytest.approx(0.369327, abs=1e-6)


def test_a_notebook_shows_a_table(every: dict[str, Odds]) -> None:
    shown = every["house-demo"]._repr_html_()
    assert shown.count("<tr>") == 1 + len(every["house-demo"].bets)
    assert "-671/17850" in shown
