"""A finished round for somebody's eyes: what happened, the felt after each step, and the proof that
the cards were fixed before the bets. A player's has no card that the player was never shown."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct, convert, to_builtins
from msgspec.structs import asdict, replace

from riverboat.answers.replays import Replay, replay_document
from riverboat.controller.state import Light, light_of
from riverboat.core.cards import DECK, Card, parse_card, show_card
from riverboat.core.fairness import (
    commit,
    commitment_misfits,
    cut_depth,
    cut_order,
    open_positions,
    opening_misfits,
    player_seal,
)
from riverboat.evidence.round_export import cards_in, left_out_cards, places_shown
from riverboat.floor.codec import TABLE, Opener, TableRow, read_table_body
from riverboat.floor.floor import Floor
from riverboat.floor.replaying import Replayed, replay_round
from riverboat.floor.station import Station, StationEntry, new_station, remember
from riverboat.round import events as r
from riverboat.round.state import Round
from riverboat.round.views import RoundView, view
from riverboat.table import events as e
from riverboat.table.day import new_day

HIDDEN: Final = "??"
_CARD: Final = re.compile(
    r"(?i:\bpairs? of [2-9]s(?:(?:-|, | or | to | through | and )(?:10|[2-9])s)*)"
    r"|\b([2-9TJQKA][cdhs])\b"
)
"""A card's name; what pay tables say of pairs (6s to 10s) looks like spades and is none."""


class Eyes(NamedTuple):
    """Whose: everybody's of the house (None), or those of the seats that somebody had."""

    seats: tuple[int, ...] | None = None


class DeckCutShown(Struct, frozen=True, kw_only=True):
    """A cut: how deep and by whom; or `fixed` by the words of these seats, within these depths,
    without those that withheld theirs for so many seconds; or forced by a lab."""

    depth: int
    by: str
    fixed: bool
    forced: bool
    seats: list[int]
    withheld: tuple[int, ...]
    seconds: int
    lowest: int
    deepest: int


class SealedWord(Struct, frozen=True, kw_only=True):
    """The seal of a word that a seat sent with its bet, and the word if it was told."""

    seat: int
    seal: str
    word: str | None


class OpenedCard(Struct, frozen=True, kw_only=True):
    """A place of the committed deck, opened."""

    position: int
    card: str
    salt: str


class DealtCard(Struct, frozen=True, kw_only=True):
    """A card as it was dealt, and to which place; empty where it was not shown."""

    place: str
    card: str


class ProofCheck(Struct, frozen=True, kw_only=True):
    """Whether something agrees, and where it does not."""

    what: str
    holds: bool
    found: list[str]


class Proof(Struct, frozen=True, kw_only=True):
    """The commitment to the deck and the house's word, the players' words, the cuts; how many cards
    were left out or burned, then where each went; the opened ones, and what was checked."""

    number: int
    root: str
    leaves: tuple[str, ...]
    house: str
    word: str
    words: list[SealedWord]
    cuts: list[DeckCutShown]
    skipped: int
    dealt: list[DealtCard]
    openings: list[OpenedCard]
    checks: list[ProofCheck]


class ToldRound(Replay, frozen=True, kw_only=True):
    """A finished round with the proof of its cards; none where physical cards were dealt."""

    proof: Proof | None


def told_round(floor: Floor, table: str, number: int, eyes: Eyes) -> ToldRound:
    """A finished round step by step, with its results, its proof and what it rests on."""
    replayed = replay_round(floor.ledger, floor.books, floor.secret, table, number)
    told = replay_document(replayed)
    if eyes.seats is not None:
        seen = cards_seen(replayed.day.playing, eyes.seats)
        told = convert(blinded(to_builtins(told), seen), Replay)
    return ToldRound(**asdict(told), proof=proof(floor, replayed, eyes))


def cards_seen(state: Round, seats: Iterable[int]) -> frozenset[Card]:
    """What was shown to somebody who had these seats."""
    return frozenset(card for seat in seats for card in cards_in(places_shown(state, seat)))


def blinded(told: Any, seen: frozenset[Card]) -> Any:
    """A document without the cards that were not seen, wherever they are named."""
    match told:
        case str():
            return _CARD.sub(
                lambda found: found[0] if found[1] is None else _if_seen(found[1], seen), told
            )
        case list() | tuple():
            return [blinded(one, seen) for one in told]
        case dict():
            return {key: blinded(one, seen) for key, one in told.items()}
    return told


def _if_seen(text: str, seen: frozenset[Card]) -> str:
    return text if parse_card(text) in seen else HIDDEN


# ---------------------------------------------------------------- the proof


class _Sealed(NamedTuple):
    """What the record says of a round's deck."""

    sealed: e.DeckSealed
    cuts: tuple[e.DeckCut, ...]
    words: tuple[SealedWord, ...]
    dealt: tuple[tuple[str, Card], ...]


def proof(floor: Floor, replayed: Replayed, eyes: Eyes) -> Proof | None:
    """The commitment, opened as far as these eyes may see, and whether everything agrees; None
    where physical cards were dealt."""
    number = replayed.started.commitment
    if not number:
        return None
    found = _sealed_in(floor, replayed)
    sealed, state = found.sealed, replayed.day.playing
    depths = [cut.depth for cut in found.cuts]
    made = commit(replayed.table, number, sealed.order, sealed.salts, sealed.word)
    commitment = replace(made, root=sealed.root)
    seen = frozenset(DECK) if eyes.seats is None else cards_seen(state, eyes.seats)
    places = [at for at, card in enumerate(sealed.order) if card in seen]
    openings = open_positions(sealed.order, sealed.salts, places)
    unused = len(left_out_cards(replayed.day, sealed, depths)) + state.burned
    checks: dict[str, Sequence[object]] = {
        "the published seal matches": commitment_misfits(commitment),
        "every opened card is that of its leaf": opening_misfits(commitment, openings),
        "the cut follows from the words": _miscut(found),
        "the cards were dealt as committed and cut": _misdealt(found, depths, unused, seen),
    }
    return Proof(
        number=number,
        root=sealed.root,
        leaves=made.leaves,
        house=made.house,
        word=sealed.word,
        words=list(found.words),
        cuts=[_cut_shown(cut) for cut in found.cuts],
        skipped=unused,
        dealt=[
            DealtCard(place=place, card=show_card(card) if card in seen else "")
            for place, card in found.dealt
        ],
        openings=[
            OpenedCard(position=one.position, card=show_card(one.card), salt=one.salt)
            for one in openings
        ],
        checks=[
            ProofCheck(what=what, holds=not misfits, found=[str(m) for m in misfits])
            for what, misfits in checks.items()
        ],
    )


def _cut_shown(cut: e.DeckCut) -> DeckCutShown:
    return DeckCutShown(
        depth=cut.depth,
        by=cut.by,
        fixed=cut.fixed,
        forced=cut.forced,
        seats=[int(seat) for seat in cut.words],
        withheld=cut.withheld,
        seconds=cut.seconds,
        lowest=cut.lowest,
        deepest=cut.deepest,
    )


def _miscut(found: _Sealed) -> list[str]:
    """A depth that the words do not come to, and words that were not sealed."""
    root, wrong = found.sealed.root, list[str]()
    told = {one.seat: one.word for one in found.words if one.word is not None}
    for one in found.words:
        if one.word is not None and player_seal(root, one.seat, one.word) != one.seal:
            wrong.append(f"the word of seat {one.seat} is not the one that was sealed")
    for cut in found.cuts:
        if cut.fixed and not cut.forced:
            right = cut_depth(root, found.sealed.word, told, cut.lowest, cut.deepest)
            if right != cut.depth:
                wrong.append(f"{cut.depth} cards were cut, and the words come to {right}")
    return wrong


def _misdealt(
    found: _Sealed, depths: Sequence[int], unused: int, seen: frozenset[Card]
) -> list[str]:
    """Cards that did not come from the committed order; of those not seen nothing is said."""
    order = cut_order(found.sealed.order, depths)[unused:]
    wrong = []
    for (place, card), right in zip(found.dealt, order, strict=False):
        if card != right:
            said = show_card(card) if card in seen else HIDDEN
            wrong.append(f"{said} was dealt to {place}, which was not committed there")
    return wrong


def _sealed_in(floor: Floor, replayed: Replayed) -> _Sealed:
    opener = Opener.of_table(floor.ledger, floor.secret, replayed.table)
    sealed: e.DeckSealed | None = None
    cuts: list[e.DeckCut] = []
    dealt: tuple[tuple[str, Card], ...] = ()
    words: dict[int, SealedWord] = {}
    last = replayed.rows[-1].seq
    for row in floor.ledger.read(TABLE + replayed.table):
        if row.seq > last:
            break
        opened = opener.open(row)
        assert isinstance(opened, TableRow)
        for event in (event for entry in opened.entries for event in entry.events):
            match event:
                case e.DeckSealed() if event.number == replayed.started.commitment:
                    sealed, cuts = event, []
                case e.DeckCut() if sealed is not None and event.deck == sealed.deck:
                    cuts.append(event)
                case e.RoundStarted():
                    dealt, words = (), {}
                case e.WordSealed():
                    words[event.seat] = SealedWord(seat=event.seat, seal=event.seal, word=None)
                case e.WordTold():
                    words[event.seat] = replace(words[event.seat], word=event.word)
                case r.CardsDealt():
                    dealt = tuple((to, card) for to, cards in event.deliveries for card in cards)
    assert sealed is not None
    each = tuple(one for _, one in sorted(words.items()))
    return _Sealed(sealed, tuple(cuts), each, dealt)


# ---------------------------------------------------------------- the felt after each step


class Picture(Struct, frozen=True, kw_only=True):
    """The felt after an entry: the round, the controller's key, and each seat's light."""

    entry: int
    round: RoundView
    key: Literal["RUN", "JPH"]
    lights: dict[int, Light]


def pictures(floor: Floor, table: str, number: int, eyes: Eyes) -> list[Picture]:
    """The felt after each entry of a round, from its first to its last."""
    station = new_station(new_day(table, floor.books))
    found: list[Picture] = []
    for row in floor.ledger.read(TABLE + table):
        for entry in read_table_body(row.body, table, floor.keys):
            station = remember(station, entry)
            day = station.day
            if day.round_number > number:
                return found
            if day.round_number == number and day.round is not None:
                found.append(_picture(station, entry, eyes))
                if _is_last(station, entry):
                    return found
    return found


def _is_last(station: Station, entry: StationEntry) -> bool:
    """Whether the deck of the round is used again: nothing of it lies on the felt any more."""
    return not station.day.in_round and any(
        isinstance(event, e.ShuffleFinished | e.DeckTakenAway) for event in entry.events
    )


def _picture(station: Station, entry: StationEntry, eyes: Eyes) -> Picture:
    day = station.day
    rule = day.setup.book.progressive if station.link else None
    seats = range(1, day.setup.seats + 1) if rule is not None else ()
    return Picture(
        entry=entry.number,
        round=seen_by(day.playing, eyes),
        key=station.controller.key,
        lights={seat: light_of(station.controller, seat, rule) for seat in seats if rule},
    )


def seen_by(state: Round, eyes: Eyes) -> RoundView:
    """A round as somebody who has these seats saw it; as the rail did, for the house."""
    seats = eyes.seats or ()
    shown = view(state, seats[0] if seats else None)
    own = {seat: view(state, seat).seats[seat] for seat in seats[1:] if seat in state.seats}
    return replace(shown, seats={**shown.seats, **own})


def finished_round(floor: Floor, table: str, number: int) -> Round | None:
    """A table's round by its number; None where there is none, or it is not over.

    The last one is at hand; for an older one the table's record is gone through.
    """
    day = floor.station(table).day
    if day.round_number == number:
        return None if day.in_round else day.round
    station, found = new_station(new_day(table, floor.books)), None
    for row in floor.ledger.read(TABLE + table):
        for entry in read_table_body(row.body, table, floor.keys):
            station = remember(station, entry)
        if station.day.round_number > number:
            return found
        if station.day.round_number == number:
            found = station.day.round
    return None
