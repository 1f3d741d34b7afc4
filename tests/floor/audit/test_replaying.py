"""A round rebuilt for a dispute, and the dispute about it."""

import shutil
from pathlib import Path

import pytest

from riverboat.core.errors import NotationError, Refused
from riverboat.floor.audit.auditing import audit
from riverboat.floor.disputes import decide_dispute, dispute_of, note_dispute, open_dispute
from riverboat.floor.replaying import Replayed, replay_round, tables_with
from riverboat.ledger import CommandConflict, open_ledger
from riverboat.rulebooks import editions
from riverboat.table.people import Actor
from tests.floor.house import ANN, FLO, SECRET, SUE, RiggedFloor, floor_on


@pytest.fixture
def own_copy(played: str, tmp_path: Path) -> RiggedFloor:
    """A floor that a test may write to."""
    source = Path(played.removeprefix("sqlite:///"))
    shutil.copy(source, tmp_path / "floor.db")
    return floor_on(open_ledger(tmp_path / "floor.db", create=False))


def replayed(address: str, table: str, number: int) -> Replayed:
    with open_ledger(address, create=False) as ledger:
        return replay_round(ledger, editions(), None, table, number)


def test_the_jackpots_round_tells_sensors_keys_meter_and_what_was_refused(played: str) -> None:
    told = replayed(played, "T4", 1)
    kinds = {step.kind for step in told.steps}
    assert kinds == {"done", "sensor", "key", "meter", "refused"}
    assert [step.seq for step in told.steps] == sorted(step.seq for step in told.steps)
    refused = [step for step in told.steps if step.kind == "refused"]
    assert len(refused) == 2
    assert all(step.what.startswith("REFUSED") for step in refused)
    assert all(step.seq in {row.seq for row in told.rows} for step in told.steps)
    moved = [step.what for step in told.steps if "left the meter" in step.what]
    assert len(moved) == 1
    assert "reset with a seed of $10,000" in moved[0]


def test_the_results_of_a_replayed_round_are_those_of_its_seats(played: str) -> None:
    for table in ("T1", "T2", "T3"):
        told = replayed(played, table, 2)
        for seat, state in told.day.playing.seats.items():
            explained = sum(one.net_cents for one in told.results if one.seat == seat)
            assert explained == state.net_cents


def test_every_step_of_a_clause_bound_game_says_by_which_clause(played: str) -> None:
    told = replayed(played, "T4", 1)
    keys = [step for step in told.steps if step.kind in ("key", "sensor", "meter")]
    assert keys
    assert all(step.cites for step in keys)


def test_a_round_that_is_not_over_or_was_not_played_is_not_rebuilt(played: str) -> None:
    with pytest.raises(Refused, match="not over"):
        replayed(played, "T1", 4)
    with pytest.raises(NotationError, match="no round 9"):
        replayed(played, "T1", 9)
    with open_ledger(played, create=False) as ledger:
        assert tables_with(ledger, 2) == ["T1", "T2", "T3"]


def test_a_dispute_is_opened_noted_and_decided_by_two_people(own_copy: RiggedFloor) -> None:
    floor = own_copy
    with floor.ledger:
        open_dispute(floor, "d1", FLO, "T4", 1, "the light was off")
        with pytest.raises(Refused) as alone:
            decide_dispute(floor, "d2", (SUE, SUE), "T4", 1, "stands", "the camera")
        assert alone.value.code == "person.same"
        note_dispute(floor, "d3", FLO, "T4", 1, "camera looked at")
        decided = decide_dispute(floor, "d4", (SUE, FLO), "T4", 1, "stands", "the camera")
        assert decided.state == "decided"
        assert [note.words for note in decided.notes] == ["camera looked at"]
        told = replay_round(floor.ledger, editions(), SECRET, "T4", 1)
        assert told.frozen is True
        assert audit(floor.ledger, editions(), SECRET).holds


def _ask(floor: RiggedFloor, name: str, by: Actor, words: str) -> None:
    told = f"{name} {words}"
    match name:
        case "open":
            open_dispute(floor, told, by, "T3", 1, words)
        case "note":
            note_dispute(floor, told, by, "T3", 1, words)
        case "decide":
            decide_dispute(floor, told, (by, FLO), "T3", 1, words, "seen")


def test_a_dispute_is_append_only_and_refuses_with_codes(own_copy: RiggedFloor) -> None:
    floor = own_copy
    with floor.ledger:
        codes = []
        for name, by, words in (
            ("note", FLO, "words"),
            ("open", ANN, "mine"),
            ("open", FLO, " "),
            ("open", FLO, "a card"),
            ("open", FLO, "again"),
            ("decide", SUE, "void"),
            ("note", FLO, "too late"),
        ):
            try:
                _ask(floor, name, by, words)
            except Refused as refusal:
                codes.append(refusal.code)
        with pytest.raises(Refused, match="not over"):
            open_dispute(floor, "early", FLO, "T1", 4, "a card")
        assert codes == [
            "dispute.none",
            "person.may_not",
            "reason.missing",
            "dispute.open",
            "dispute.decided",
        ]


def test_a_dispute_sent_twice_is_opened_once(own_copy: RiggedFloor) -> None:
    floor = own_copy
    with floor.ledger:
        first = open_dispute(floor, "same", FLO, "T2", 1, "a card")
        assert open_dispute(floor, "same", FLO, "T2", 1, "a card") == first
        assert dispute_of(floor.ledger, "T2", 1) == first
        with pytest.raises(CommandConflict):
            open_dispute(floor, "same", FLO, "T2", 1, "another card")
