"""Words for the cut of a committed deck: who seals them when, who tells them, and that nobody bets,
cuts or leaves a card out once one is told."""

from collections.abc import Iterator
from itertools import permutations

import pytest

from riverboat.core.errors import NotationError, RiverboatError
from riverboat.core.fairness import cut_depth, player_seal
from riverboat.round import actions as g
from riverboat.table import actions as a
from riverboat.table import events as e
from riverboat.table.legal import legal
from riverboat.table.people import SYSTEM, Actor
from riverboat.table.procedures.decks import fixing
from tests.support.day_player import DayPlayer
from tests.support.round_files import ANN, BOB, FLO, Evening

PEOPLE = {2: ANN, 5: BOB}
RILEY = Actor(name="Riley", role="player", automatic=True)


def betting(kind: str = "maryland-2014") -> Evening:
    table = Evening(kind)
    table.to_seats()
    table.to_round()
    return table


def ready(sealed: tuple[int, ...] = (2, 5), kind: str = "maryland-2014") -> Evening:
    table = betting(kind)
    table.bet(sealed)
    table.follow_until(lambda day: day.playing.phase == "ready")
    return table


def ante(table: Evening, seat: int = 2, **more: str) -> g.Wager:
    cents = max(table.day.setup.limits.ante.minimum_cents, table.day.setup.limits.unit_cents)
    return g.Wager(seat=seat, spot="ante", cents=cents, player=table.day.seated[seat], **more)


def tell(table: Evening, seat: int) -> None:
    table.do(PEOPLE[seat], a.TellWord(seat=seat, word=table.words[seat]))


def cut_of(table: Evening) -> e.DeckCut:
    (event,) = table.do(SYSTEM, fixing(table.day)).entry.events
    assert isinstance(event, e.DeckCut)
    return event


def code(table: DayPlayer, by: Actor, action: a.AnyAction) -> str:
    refusal = table.accepts(by, action)
    return refusal.code if isinstance(refusal, RiverboatError) else ""


# ---------------------------------------------------------------- sealing


def test_a_bet_and_the_seal_of_its_word_are_one_entry() -> None:
    table = betting()
    entry = table.do(ANN, table.sealing(ante(table))).entry
    assert [type(event).__name__ for event in entry.events] == ["WagerPlaced", "WordSealed"]
    assert table.words[2] not in str(entry), "only the player knows the word"


def test_one_word_a_seat_and_round() -> None:
    table = betting()
    first = table.do(ANN, table.sealing(ante(table))).entry.action
    assert isinstance(first, g.Wager)
    table.do(ANN, g.TakeBack(seat=2, spot="ante"))
    assert code(table, ANN, ante(table, seal="ab" * 32)) == "word.sealed"
    again = table.do(ANN, first).entry.events
    assert [type(event).__name__ for event in again] == ["WagerPlaced"]


@pytest.mark.parametrize("seal", ["x", "AB" * 32, "ab" * 31, "ab" * 33, "ab" * 32 + "\n"])
def test_a_seal_that_is_none_is_refused_in_words(seal: str) -> None:
    table = betting()
    refusal = table.accepts(ANN, ante(table, seal=seal))
    assert isinstance(refusal, NotationError)
    assert refusal.code == "word.seal"
    assert "64 digits" in str(refusal)


def test_no_word_where_cards_are_real_and_none_of_a_program_of_the_house() -> None:
    table = betting("physical cards")
    assert code(table, ANN, ante(table, seal="ab" * 32)) == "word.physical"
    table = Evening("demo")
    table.to_seats()
    table.do(RILEY, a.SitDown(seat=3))
    table.to_round()
    assert code(table, RILEY, ante(table, 3, seal="ab" * 32)) == "word.program"
    assert code(table, RILEY, ante(table, 3)) == ""
    assert code(table, ANN, ante(table, seal="ab" * 32)) == ""


def test_who_sends_no_seal_bets_as_ever() -> None:
    table = ready(sealed=())
    cut = cut_of(table)
    assert (cut.fixed, cut.words, cut.withheld) == (True, {}, ())


# ---------------------------------------------------------------- telling and cutting


def test_words_are_told_by_their_own_players_when_no_bet_can_follow() -> None:
    table = betting()
    table.bet((2, 5))
    telling = a.TellWord(seat=2, word=table.words[2])
    early = Evening("maryland-2014")
    early.to_seats()
    early.to_round()
    early.do(ANN, early.sealing(ante(early)))
    assert code(early, ANN, a.TellWord(seat=2, word=early.words[2])) == "cut.not_now"
    table.follow_until(lambda day: day.playing.phase == "ready")
    assert code(table, BOB, telling) == "seat.not_yours"
    assert code(table, FLO, telling) == "person.may_not"
    assert code(table, ANN, a.TellWord(seat=2, word=table.words[5])) == "word.other"
    table.do(ANN, telling)
    assert code(table, ANN, telling) == "word.told"


def test_all_words_and_the_houses_fix_the_cut_whoever_came_first() -> None:
    depths = set()
    for order in permutations((2, 5)):
        table = ready()
        for seat in order:
            tell(table, seat)
        cut, deck = cut_of(table), table.day.decks[table.day.round_deck]
        assert deck.sealed is not None
        words = {seat: table.words[seat] for seat in (2, 5)}
        assert cut.words == {str(seat): word for seat, word in words.items()}
        assert cut.house == deck.sealed.word
        assert cut.depth == cut_depth(deck.sealed.root, cut.house, words, 10, 51)
        assert (cut.lowest, cut.deepest, cut.by) == (10, 51, "system")
        depths.add(cut.depth)
    assert len(depths) == 1


def test_nobody_is_left_out_of_the_cut_unsaid() -> None:
    table = ready()
    tell(table, 2)
    for wrong in ((), (2,), (2, 5), (5, 5)):
        assert code(table, SYSTEM, a.FixCut(without=wrong, seconds=2)) == "cut.words"
    for seconds in (0, -1):
        asked = a.FixCut(without=(5,), seconds=seconds)
        assert code(table, SYSTEM, asked) == "cut.bad_time"
    cut = cut_of(table)
    assert (list(cut.words), cut.withheld, cut.seconds) == (["2"], (5,), 2)
    assert code(table, BOB, a.TellWord(seat=5, word=table.words[5])) == "cut.fixed"


def test_nobody_but_a_lab_says_where_to_cut_and_nobody_but_the_machine_fixes_it() -> None:
    table = ready()
    for by in (ANN, FLO, SYSTEM, Actor(name=table.day.dealer, role="dealer")):
        assert code(table, by, a.ForceCut(depth=26)) == "person.may_not"
        if by is not SYSTEM:
            assert code(table, by, fixing(table.day)) == "person.may_not"


def moves(table: Evening) -> Iterator[tuple[Actor, a.AnyAction, str]]:
    """What would let somebody who knows the cut win by it."""
    yield ANN, ante(table), "bet.cut_known"
    yield BOB, g.TakeBack(seat=5, spot="ante"), "bet.cut_known"
    yield FLO, a.OrderRecut(deck=table.day.round_deck, reason="for luck"), "cut.fixed"
    yield FLO, g.Incident(what="face_up_cards", count=1), "incident.committed"
    yield FLO, g.Incident(what="card_drawn_in_error"), "incident.committed"


def test_once_a_word_is_told_nobody_bets_or_moves_the_deck() -> None:
    table = ready()
    before = {wanted: code(table, by, asked) for by, asked, wanted in moves(table)}
    assert before["incident.committed"] == before["cut.fixed"] == "", "before that, the floor may"
    tell(table, 2)
    for by, asked, wanted in moves(table):
        assert code(table, by, asked) == wanted
    offered = {offer.kind for by in (ANN, BOB) for offer in legal(table.day, by)}
    assert not {g.Wager, g.TakeBack} & offered
    assert a.TellWord in offered


def test_a_seat_that_took_its_bets_back_has_no_word_to_tell() -> None:
    table = betting()
    table.do(ANN, table.sealing(ante(table)))
    table.do(ANN, g.TakeBack(seat=2, spot="ante"))
    table.do(BOB, table.sealing(ante(table, 5)))
    table.do(Actor(name=table.day.dealer, role="dealer"), g.CloseBets())
    table.follow_until(lambda day: day.playing.phase == "ready")
    assert table.day.untold == (5,)
    assert code(table, ANN, a.TellWord(seat=2, word=table.words[2])) == "word.none"


def test_a_copied_seal_cannot_be_told_at_another_seat() -> None:
    table = betting()
    sealed = table.sealing(ante(table))
    table.do(ANN, sealed)
    table.do(BOB, ante(table, 5, seal=sealed.seal))
    table.do(Actor(name=table.day.dealer, role="dealer"), g.CloseBets())
    table.follow_until(lambda day: day.playing.phase == "ready")
    tell(table, 2)
    assert code(table, BOB, a.TellWord(seat=5, word=table.words[2])) == "word.other"
    deck = table.day.decks[table.day.round_deck]
    assert deck.sealed is not None
    assert player_seal(deck.sealed.root, 5, table.words[2]) != sealed.seal
