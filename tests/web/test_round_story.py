"""A finished round for a player: cards never seen are blinded, the rules' own words are not."""

from riverboat.core.cards import parse_card
from riverboat.web.rounds.story import blinded


def test_pay_tables_that_speak_of_sixes_are_not_taken_for_spades() -> None:
    words = "Pair of 6s to 10s; pairs of 2s-5s; Kd 6s"
    assert blinded(words, frozenset()) == "Pair of 6s to 10s; pairs of 2s-5s; ?? ??"
    seen = frozenset({parse_card("6s")})
    assert blinded({"said": [words]}, seen) == {
        "said": ["Pair of 6s to 10s; pairs of 2s-5s; ?? 6s"]
    }
