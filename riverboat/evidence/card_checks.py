"""What a check of a finished round says, and the checks of its cards: what was committed to, how it
was cut, what was dealt."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from msgspec import to_builtins

from riverboat.core.cards import DECK, parse_card
from riverboat.core.errors import RiverboatError
from riverboat.core.fairness import (
    Commitment,
    Misfit,
    Opening,
    commitment_misfits,
    cut_depth,
    cut_order,
    deck_misfits,
    opening_misfits,
)
from riverboat.evidence.play_again import events_in, said, seals_in
from riverboat.evidence.round_file import CommittedDeck, RoundFile, differences
from riverboat.table.day import Day
from riverboat.table.procedures.decks import depths

Result: TypeAlias = Literal["ok", "failed", "not checked"]
Found: TypeAlias = Iterable[tuple[str, str]]
UNCOMMITTED = "physical cards: this round is uncommitted"
BY_HAND = "DEALT BY HAND: the commitment was abandoned in this round, and nothing proves its cards"


class Check(NamedTuple):
    """One thing that was looked at: what came of it, where it is wrong, and what to know."""

    what: str
    result: Result
    found: tuple[Misfit, ...] = ()
    note: str = ""


def checked(what: str, found: Found, note: str = "") -> Check:
    """A check that was made."""
    misfits = tuple(Misfit(where, message) for where, message in found)
    return Check(what, "failed" if misfits else "ok", misfits, note)


def unchecked(what: str, why: str) -> Check:
    """A check that could not be made."""
    return Check(what, "not checked", note=why)


# ---------------------------------------------------------------- the commitment


def commitment_checks(file: RoundFile) -> Iterator[Check]:
    """52 different cards, each as its leaf fixes it, and the root over the leaves."""
    made = file.commitment
    if made is None:
        yield from (unchecked(what, UNCOMMITTED) for what in ("order", "leaves", "root"))
        return
    by_kind: dict[str, list[Misfit]] = {"order": [], "leaves": [], "root": []}
    for misfit in _commitment_misfits(file, made):
        on_root = misfit.where in ("root", "table or number")
        kind = "root" if on_root else "order" if misfit.where == "order" else "leaves"
        by_kind[kind].append(Misfit(f"commitment: {misfit.where}", misfit.message))
    opened = sum(card is not None for card in made.order)
    note = "" if opened == len(DECK) else f"{opened} of {len(made.order)} positions are opened"
    for what, found in by_kind.items():
        yield checked(what, found, note if what != "root" else f"commitment {made.number}")


def _commitment_misfits(file: RoundFile, made: CommittedDeck) -> Iterator[Misfit]:
    public = Commitment(table=file.table, number=made.number, leaves=made.leaves, root=made.root)
    if file.view is None:
        if None in made.order or None in made.salts:
            yield Misfit("order", "a position is not opened, and the auditor has them all")
            yield from commitment_misfits(public)
            return
        order = [parse_card(card or "") for card in made.order]
        yield from deck_misfits(public, order, [salt or "" for salt in made.salts])
        return
    if len(made.order) != len(DECK) or len(made.salts) != len(DECK):
        yield Misfit("order", f"a deck has {len(DECK)} positions, opened or not")
    openings = []
    for position, (card, salt) in enumerate(zip(made.order, made.salts, strict=False)):
        if (card is None) != (salt is None):
            yield Misfit(f"position {position}", "has a card without a salt, or a salt alone")
        elif card is not None and salt is not None:
            opening = Opening(position=position, card=parse_card(card), salt=salt)
            openings.append(opening)
    yield from opening_misfits(public, openings)


def number_misfits(file: RoundFile) -> Found:
    """Every number of the range has its line, and this round's is the one that was played."""
    listed = file.commitments
    each = [made.number for made in listed.each]
    if listed.first < 1 or listed.last < listed.first - 1 or each != sorted(set(each)):
        yield "commitments", "numbers go up, from first to last, each once"
        return
    wanted = listed.last - listed.first + 1
    if sum(listed.first <= number <= listed.last for number in each) != wanted:
        yield "commitments.each", f"a number of {listed.first} to {listed.last} is missing"
    own = file.commitment
    played = [made for made in listed.each if made.fate == "played"]
    by_hand = dealt_by_hand(file)
    expected = [] if own is None or by_hand else [(own.number, file.deck, own.root, own.entry)]
    if [(made.number, made.deck, made.root, made.entry) for made in played] != expected:
        yield "commitments.each", "what was played is not the commitment of this round"
    for made in listed.each:
        where = f"commitments.each: number {made.number}"
        if made.number > listed.last:
            yield where, f"is beyond {listed.last}, the last one"
        if (made.fate == "abandoned") != bool(made.reason):
            yield where, "a commitment is abandoned for a reason, and only then has one"
    yield from _seals(file)


def _seals(file: RoundFile) -> Found:
    """Decks sealed before this round and in it stand in the list, each as it was sealed."""
    made = {one.number: one for one in file.commitments.each}
    for entry, event in seals_in(file):
        one = made.get(event["number"])
        new = event["number"] >= file.commitments.first
        sealed = (entry, event["root"], event["deck"])
        if one is None or not new or (one.entry, one.root, one.deck) != sealed:
            where = f"entry {entry}: commitment {event['number']}"
            yield where, "is not in commitments.each as it was sealed here"
    for deck in file.before.decks:
        known = made.get(deck.commitment)
        if deck.commitment and (known is None or known.deck != deck.name):
            where = f"before.decks: {said(deck.name)}"
            yield where, f"commitment {deck.commitment} is not listed with this deck"
    held = {deck.commitment for deck in file.before.decks}
    held |= {event["number"] for _, event in seals_in(file)}
    for one in file.commitments.each:
        if one.fate == "waiting" and one.number not in held:
            yield f"commitment {one.number}", "is said to wait, and no deck has it"
    starts = file.entries[0].number if file.entries else 0
    if file.commitment is not None and not 0 < file.commitment.entry < starts:
        yield "commitment.entry", "the deck was not sealed before the round began"


# ---------------------------------------------------------------- cuts and deal


def cut_check(file: RoundFile, before: Day | None) -> Check:
    """Depths that the rulebook allows, that follow from their nonces, and that are on record."""
    if before is None:
        return unchecked("cuts", "the table before the round is not known")
    if file.deck not in before.decks:
        said_ = f"there is no deck {said(file.deck)} as the round begins"
        return checked("cuts", [("deck", said_)])
    drawn = any(cut.drawn for cut in file.cuts)
    note = "drawn automatically: no player gave the word" if drawn else ""
    return checked("cuts", _cuts(file, before), note)


def _cuts(file: RoundFile, before: Day) -> Found:
    deck = before.decks[file.deck]
    low, high = depths(before, deck)
    for index, cut in enumerate(file.cuts):
        where = f"cuts[{index}] (entry {cut.entry})"
        if not low <= cut.depth <= high:
            yield where, f"a cut of {cut.depth} cards; {low} to {high} is allowed"
        if cut.nonce and file.commitment is not None:
            try:
                right = cut_depth(file.commitment.root, cut.nonce, low, high)
            except RiverboatError as problem:
                yield where, str(problem)
                continue
            if right != cut.depth:
                yield where, f"the depth is {cut.depth}; root and nonce give {right}"
    yield from _cuts_on_record(file)


def _cuts_on_record(file: RoundFile) -> Found:
    """The cuts before the round, then those of its entries, and no other."""
    starts = file.entries[0].number
    early = [cut for cut in file.cuts if cut.entry < starts]
    sealed = 0 if file.commitment is None else file.commitment.entry
    stated = next(deck.depths for deck in file.before.decks if deck.name == file.deck)
    if file.commitment is not None and tuple(cut.depth for cut in early) != tuple(stated):
        yield "before.decks", f"cut at {list(stated)}; cuts has others before entry {starts}"
    if [cut.entry for cut in file.cuts] != sorted(cut.entry for cut in file.cuts):
        yield "cuts", "they are not in the order in which they were made"
    if any(cut.entry <= sealed or cut.by_player or cut.drawn or cut.nonce for cut in early):
        yield "cuts", "a cut before the bets is the dealer's, and comes after the seal"
    recorded = [
        {"entry": number, **{k: v for k, v in event.items() if k not in ("kind", "deck")}}
        for number, event in events_in(file, "deck_cut")
        if event["deck"] == file.deck
    ]
    late = [to_builtins(cut) for cut in file.cuts if cut.entry >= starts]
    for where, mine, theirs in differences(late, recorded):
        yield f"cuts{where}", f"is {said(mine)}; the entries of the round have {said(theirs)}"
        return


def dealt_by_hand(file: RoundFile) -> bool:
    """Whether the round's own commitment was given up before its cards were dealt."""
    own, abandoned = file.commitment, events_in(file, "commitment_abandoned")
    return own is not None and any(event["number"] == own.number for _, event in abandoned)


def deal_check(file: RoundFile) -> Check:
    """The committed order, cut, from the top, without the cards that were left out or burned."""
    if file.commitment is None:
        return unchecked("deal", UNCOMMITTED)
    if dealt_by_hand(file):
        return unchecked("deal", BY_HAND)
    dealt = [
        (place, card)
        for _, event in events_in(file, "cards_dealt")
        for place, cards in event["deliveries"]
        for card in cards
    ]
    note = "" if dealt else "nothing was dealt"
    burned = sum(event["count"] for _, event in events_in(file, "cards_burned"))
    return checked("deal", _dealt_as_committed(file, dealt, burned), note)


def _dealt_as_committed(
    file: RoundFile, dealt: Sequence[tuple[str, str | None]], burned: int
) -> Found:
    assert file.commitment is not None
    order, turn = file.commitment.order, [cut.depth for cut in file.cuts]
    if len(order) != len(DECK) or not all(0 <= depth < len(DECK) for depth in turn):
        yield "deal", "there is no order that could be cut and dealt"
        return
    sealed_at = cut_order(DECK, turn)
    for index, found in enumerate(file.left_out):
        if order[sealed_at[index % len(DECK)]] != found:
            yield f"left_out[{index}]", f"{said(found)} did not lie there"
    for index, (place, card) in enumerate(dealt, start=len(file.left_out) + burned):
        position = sealed_at[index % len(DECK)]
        if order[position] != card:
            where = f"card {index + 1}, to {place}"
            committed = f"the committed order has {said(order[position])} at position {position}"
            yield where, f"{said(card)} was dealt; {committed}"
