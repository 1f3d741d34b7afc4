"""Rounds that are played to be explained."""

from riverboat.round import Round
from riverboat.round.setup.choices import Raw
from riverboat.rulebooks import load
from riverboat.scripts.scenario import play_scenario
from riverboat.scripts.scenario_file import Expect, IncidentLine, Scenario
from riverboat.wording.explaining import explain


def played(
    rulebook: str,
    bets: dict[str, dict[str, str]],
    decisions: dict[str, str],
    cards: dict[str, str],
    *incidents: IncidentLine,
    **table: Raw,
) -> Round:
    scenario = Scenario(
        name="explained",
        rulebook=rulebook,
        clauses=(),
        table=table,
        bets=bets,
        cards=cards,
        decisions={seat: tuple(made.split()) for seat, made in decisions.items()},
        incidents=incidents,
        expect=Expect(),
    )
    result = play_scenario(scenario, load(rulebook).book)
    assert result.refusal is None
    assert result.state is not None
    return result.state


def alone(rulebook: str, hand: str, decisions: str = "3x 3x 3x", **table: Raw) -> Round:
    """One seat with an ante of $10 in Mississippi Stud; the first two cards are its own."""
    cards = hand.split()
    places = {"1": " ".join(cards[:2]), "community": " ".join(cards[2:])}
    return played(rulebook, {"1": {"ante": "10"}}, {"1": decisions}, places, **table)


def words(state: Round, seat: int = 1) -> list[str]:
    return [one.words for one in explain(state) if one.seat == seat]
