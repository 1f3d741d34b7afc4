"""A table's name in a sentence, in the meter's history and on pages."""

import pytest

from riverboat.answers.page import Heading
from riverboat.answers.replays import dispute_page
from riverboat.floor.disputes import DisputeRecord
from riverboat.meter import events as le
from riverboat.meter.state import Link
from riverboat.rulebook.values import table_called
from riverboat.wording.meter_events import meter_said


@pytest.mark.parametrize(
    ("name", "said"), [("T4", "table T4"), ("Table 1", "Table 1"), ("Tableau", "table Tableau")]
)
def test_a_table_is_called_a_table_once(name: str, said: str) -> None:
    assert table_called(name) == said
    page = list(dispute_page(name, 3, DisputeRecord()))
    assert isinstance(page[0], Heading)
    assert page[0].text == f"Round 3 at {said}"


def test_a_meters_history_says_table_once() -> None:
    assert meter_said(le.TableLeft(table="Table 1"), Link(), Link()) == "Table 1 left"
    assert meter_said(le.TableLeft(table="T4"), Link(), Link()) == "Table T4 left"
