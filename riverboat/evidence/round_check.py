"""The check of finished rounds: hashes, cuts, deal, every entry played again, every cent.

Each check says ok, or exactly where something is not as it must be, or why it could not be made.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import to_builtins

from riverboat.core import fairness
from riverboat.core.cards import DECK, parse_card, show_card
from riverboat.core.errors import RiverboatError
from riverboat.core.records import alike
from riverboat.evidence import play_again
from riverboat.evidence import round_export as export
from riverboat.evidence import round_file as f
from riverboat.evidence.play_again import FAULTS, Again, events_in, said, seals_in
from riverboat.evidence.round_file import RoundFile
from riverboat.table import events as e
from riverboat.table.configuration.configure import Configuration
from riverboat.table.day import Books, Day
from riverboat.table.procedures.decks import depths

Result: TypeAlias = Literal["ok", "failed", "not checked"]
Found: TypeAlias = Iterable[tuple[str, str]]
UNCOMMITTED = "physical cards: this round is uncommitted"
BY_HAND = "DEALT BY HAND: the commitment was abandoned in this round, and nothing proves its cards"


class Check(NamedTuple):
    """One thing that was looked at: what came of it, where it is wrong, and what to know."""

    what: str
    result: Result
    found: tuple[fairness.Misfit, ...] = ()
    note: str = ""


def checked(what: str, found: Found, note: str = "") -> Check:
    """A check that was made."""
    misfits = tuple(fairness.Misfit(where, message) for where, message in found)
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
    by_kind: dict[str, list[tuple[str, str]]] = {"order": [], "leaves": [], "root": []}
    kinds = {**dict.fromkeys(("root", "house", "table or number"), "root"), "order": "order"}
    for where, message in _commitment_misfits(file, made):
        by_kind[kinds.get(where, "leaves")].append((f"commitment: {where}", message))
    opened = sum(card is not None for card in made.order)
    note = "" if opened == len(DECK) else f"{opened} of {len(made.order)} positions are opened"
    for what, found in by_kind.items():
        yield checked(what, found, note if what != "root" else f"commitment {made.number}")


def _commitment_misfits(file: RoundFile, made: f.CommittedDeck) -> Found:
    public = alike(fairness.Commitment, made, table=file.table)
    known = fairness.is_digest(made.word)
    if not known or made.house != fairness.house_seal(file.table, made.number, made.word):
        yield "house", "is not the hash of the house's word: one of them was changed"
    if file.view is None:
        if None in made.order or None in made.salts:
            yield "order", "a position is not opened, and the auditor has them all"
            yield from fairness.commitment_misfits(public)
            return
        order = [parse_card(card or "") for card in made.order]
        yield from fairness.deck_misfits(public, order, [salt or "" for salt in made.salts])
        return
    if len(made.order) != len(DECK) or len(made.salts) != len(DECK):
        yield "order", f"a deck has {len(DECK)} positions, opened or not"
    openings = []
    for position, (card, salt) in enumerate(zip(made.order, made.salts, strict=False)):
        if (card is None) != (salt is None):
            yield f"position {position}", "has a card without a salt, or a salt alone"
        elif card is not None and salt is not None:
            openings.append(fairness.Opening(position=position, card=parse_card(card), salt=salt))
    yield from fairness.opening_misfits(public, openings)


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
    new = [made.number for made in listed.each if not made.waited]
    if any((made.number >= listed.first) == made.waited for made in listed.each):
        yield "commitments.first", f"is {listed.first}; since the round before came {new}"
    own, played = file.commitment, [made for made in listed.each if made.fate == "played"]
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
    return checked("cuts", _cuts(file, before), cut_note(file))


ALONE = "THE HOUSE'S OWN WORD ALONE cut this deck: that proves nothing"


def cut_note(file: RoundFile) -> str:
    """Whose words fixed the cut, who withheld theirs, and a void by somebody who could know it."""
    fixed = next((cut for cut in file.cuts if cut.fixed), None)
    told = [str(event["seat"]) for _, event in events_in(file, "word_told")]
    notes = []
    if fixed is not None and fixed.forced:
        notes.append("forced by a lab")
    elif fixed is not None:
        words = ", ".join(fixed.words)
        notes.append(f"by the house's word and those of seats {words}" if words else ALONE)
        if fixed.withheld:
            seats = ", ".join(map(str, fixed.withheld))
            notes.append(f"WITHHELD after {fixed.seconds} s: the words of seats {seats}")
    if (fixed is not None or told) and not events_in(file, "cards_dealt"):
        notes.append("NOT DEALT although the house could know where it was cut")
    return "; ".join(notes)


def _cuts(file: RoundFile, before: Day) -> Found:
    if file.deck not in before.decks:
        yield "deck", f"there is no deck {said(file.deck)} as the round begins"
        return
    low, high = depths(before, before.decks[file.deck])
    for index, cut in enumerate(file.cuts):
        where = f"cuts[{index}] (entry {cut.entry})"
        if not low <= cut.depth <= high:
            yield where, f"a cut of {cut.depth} cards; {low} to {high} is allowed"
        if cut.fixed and not cut.forced and file.commitment is not None:
            try:
                words = {int(seat): word for seat, word in cut.words.items()}
                right = fairness.cut_depth(
                    file.commitment.root, file.commitment.word, words, low, high
                )
            except (RiverboatError, ValueError) as problem:
                yield where, _in_a_line(problem)
                continue
            if right != cut.depth:
                yield where, f"the depth is {cut.depth}; root and words give {right}"
    yield from _words(file)
    yield from _cuts_on_record(file)


def _words(file: RoundFile) -> Found:
    """Every word that was told is the one that was sealed at that seat, with a bet on this deck."""
    seals = {event["seat"]: event["seal"] for _, event in events_in(file, "word_sealed")}
    root = "" if file.commitment is None else file.commitment.root
    for entry, event in events_in(file, "word_told"):
        try:
            fits = fairness.player_seal(root, event["seat"], event["word"]) == seals.get(
                event["seat"]
            )
        except RiverboatError:
            fits = False
        if not fits:
            yield f"entry {entry}", f"not the word that seat {said(event['seat'])} sealed"


def _dealers(cut: f.CutMade) -> f.CutMade:
    """A cut as the dealer makes it: a depth, and no words."""
    return alike(f.CutMade, e.DeckCut(deck="", depth=cut.depth, by=cut.by), entry=cut.entry)


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
    if any(cut.entry <= sealed or cut != _dealers(cut) for cut in early):
        yield "cuts", "a cut before the bets is the dealer's, and comes after the seal"
    recorded = [
        {"entry": number, **{k: v for k, v in event.items() if k not in ("kind", "deck")}}
        for number, event in events_in(file, "deck_cut")
        if event["deck"] == file.deck
    ]
    late = [to_builtins(cut) for cut in file.cuts if cut.entry >= starts]
    for where, mine, theirs in f.differences(late, recorded):
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
    dealt = [part for _, event in events_in(file, "cards_dealt") for part in event["deliveries"]]
    note = "" if any(cards for _, cards in dealt) else "nothing was dealt"
    return checked("deal", _dealt_as_committed(file, file.commitment.order, dealt), note)


def _dealt_as_committed(
    file: RoundFile, order: Sequence[str | None], dealt: Sequence[tuple[str, Sequence[str | None]]]
) -> Found:
    turn = [cut.depth for cut in file.cuts]
    if len(order) != len(DECK) or not all(0 <= depth < len(DECK) for depth in turn):
        yield "deal", "there is no order that could be cut and dealt"
        return
    sealed_at = fairness.cut_order(DECK, turn)
    for index, found in enumerate(file.left_out):
        if order[sealed_at[index % len(DECK)]] != found:
            yield f"left_out[{index}]", f"{said(found)} did not lie there"
    burned = sum(event["count"] for _, event in events_in(file, "cards_burned"))
    to = [(place, card) for place, cards in dealt for card in cards]
    for index, (place, card) in enumerate(to, start=len(file.left_out) + burned):
        position = sealed_at[index % len(DECK)]
        if order[position] != card:
            committed = f"the committed order has {said(order[position])} at position {position}"
            yield f"card {index + 1}, to {place}", f"{said(card)} was dealt; {committed}"


class Verified(NamedTuple):
    """One file: its checks, or why it cannot be read."""

    path: str
    file: RoundFile | None
    checks: tuple[Check, ...] = ()
    error: str = ""

    @property
    def holds(self) -> bool:
        """Whether everything that could be checked is true."""
        return not self.error and all(check.result != "failed" for check in self.checks)


def verify_round(path: str, content: bytes, books: Books) -> Verified:
    """Everything that can be checked in one document."""
    try:
        file, raw = f.read_round(content)
    except f.Unreadable as problem:
        return Verified(path, None, error=_in_a_line(problem))
    return Verified(path, file, tuple(_checks(file, raw, books)))


def _in_a_line(problem: Exception) -> str:
    return " ".join(str(problem).split())


def _checks(file: RoundFile, raw: Mapping[str, Any], books: Books) -> Iterator[Check]:
    right = f.document_hash(raw)
    text = f"the hash over this document is {right}: something in it was changed"
    yield checked("document", [("sha256", text)] if raw["sha256"] != right else [])
    yield checked("heading", _heading(file))
    rulebook = checked("rulebook", _rulebook(file, books))
    yield rulebook
    configuration, check = _configuration(file, books)
    yield check
    yield from commitment_checks(file)
    yield checked("numbers", number_misfits(file))
    if configuration is None or rulebook.result == "failed":
        why = "rulebook or configuration are not what the file says"
        yield from (unchecked(what, why) for what in ("cuts", "deal", "entries", "money"))
        return
    before, again, trouble = _played_again(file, configuration, books)
    yield cut_check(file, before)
    yield deal_check(file)
    closed = [
        f"the deck sealed in entry {number} stays closed until its own round is over"
        for number, _ in seals_in(file)
    ]
    yield checked("entries", again.misfits if again else trouble, "".join(closed[:1]))
    yield from _reckoning(file, again)


# ---------------------------------------------------------------- what is played


def _heading(file: RoundFile) -> Found:
    """What is said twice is said alike."""
    submission = file.configuration.submission
    physical = submission.cards == "physical"
    wanted = {
        "test": (file.test, submission.test),
        "cards": (file.cards, submission.cards),
        "fairness": (file.fairness, "uncommitted" if physical else "committed"),
        "rulebook.id": (file.rulebook.id, submission.rulebook),
    }
    for where, (stated, expected) in wanted.items():
        if stated != expected:
            yield where, f"is {said(stated)}; the configuration has {said(expected)}"
    if (file.commitment is None) != physical:
        yield "commitment", "is there, and physical cards have none" if physical else "is missing"
    if file.commitment is not None and file.commitment.forced and not file.test:
        yield "commitment.forced", "a forced deck is for test tables"


def _rulebook(file: RoundFile, books: Books) -> Found:
    stated = file.rulebook
    if stated.id not in books:
        text = f"there is no rulebook {said(stated.id)} here; a house's own is given by its file"
        yield "rulebook.id", text
        return
    book, sha256 = books[stated.id]
    if stated.revision != book.revision:
        yield "rulebook.revision", f"is {stated.revision}; here it is revision {book.revision}"
    if stated.sha256 != sha256:
        yield "rulebook.sha256", f"is {said(stated.sha256)}; the rulebook here has {sha256}"


def _configuration(file: RoundFile, books: Books) -> tuple[Configuration | None, Check]:
    stated = file.configuration.sha256
    made, where, text = None, "submission", ""
    try:
        made = play_again.configured(file.configuration.submission, books)
    except RiverboatError as problem:
        text = f"makes no configuration: {_in_a_line(problem)}"
    except FAULTS as fault:
        text = f"contradicts itself ({type(fault).__name__})"
    if made is not None and made.sha256 != stated:
        where, text = "sha256", f"is {said(stated)}; the submission has {made.sha256}"
    elif made is not None and made.submission != file.configuration.submission:
        text = "is not written out in full"
    wrong = [(f"configuration.{where}", text)] if text else []
    return None if wrong else made, checked("configuration", wrong)


# ---------------------------------------------------------------- played again


def _played_again(
    file: RoundFile, configuration: Configuration, books: Books
) -> tuple[Day | None, Again | None, Found]:
    before = None
    try:
        before = play_again.table_before(file, configuration, books)
        return before, play_again.play_again(file, before), ()
    except RiverboatError as problem:
        return before, None, [("before", _in_a_line(problem))]
    except FAULTS as fault:
        text = f"the round cannot be played from here ({type(fault).__name__})"
        return before, None, [("before", text)]


def _reckoning(file: RoundFile, again: Again | None) -> Iterator[Check]:
    """What can only be said of a round that was played again to its end."""
    if again is None or again.misfits:
        yield unchecked("money", "the round could not be played again to its end")
        return
    yield checked("money", _money(file, again))
    yield checked("left out", _left_out(file, again))
    if file.view is not None:
        shown = len(export.cards_in(file.view.shown))
        note = f"seat {file.view.seat} was shown {shown} cards; the others cannot be checked"
        yield checked("view", _view(file, again), note)


def _money(file: RoundFile, again: Again) -> Found:
    """Every event moves money from somewhere to somewhere; each seat has what its spots came to."""
    for entry, moved in export.movements(again.before, again.entries):
        for unit in ("cent", "meter_unit"):
            total = sum(posting.amount for posting in moved if posting.unit == unit)
            if total:
                yield f"entry {entry.number}", f"postings sum to {total} {unit}, not to nothing"
    sums, state = export.tally(again.before, again.entries), again.after.playing
    results = export.results_of(state, sums)
    for number, seat in state.seats.items():
        if results.seats[str(number)].net_cents != seat.net_cents:
            yield f"seat {number}", "its accounts do not come to what its spots did"
    for where, mine, theirs in f.differences(to_builtins(file.results), to_builtins(results)):
        yield f"results.{where}", f"the file has {said(mine)}; the entries come to {said(theirs)}"


def _left_out(file: RoundFile, again: Again) -> Found:
    if file.deck != again.after.round_deck:
        yield "deck", f"is {said(file.deck)}; the round was dealt from {again.after.round_deck!r}"
        return
    sealed = again.before.decks[file.deck].sealed
    turned = [cut.depth for cut in file.cuts]
    right = tuple(map(show_card, export.left_out_cards(again.after, sealed, turned)))
    if right != file.left_out:
        yield "left_out", f"the file has {said(file.left_out)}; {said(right)} were left out"


def _view(file: RoundFile, again: Again) -> Found:
    """A seat has every card opened that it was shown, and no other."""
    assert file.view is not None
    state = again.after.playing
    if file.view.seat not in state.seats:
        yield "view.seat", f"seat {file.view.seat} did not play in this round"
        return
    seen = to_builtins(export.places_shown(state, file.view.seat))
    for where, mine, theirs in f.differences(to_builtins(file.view.shown), seen):
        yield f"view.shown.{where}", f"is {said(mine)}; the seat was shown {said(theirs)}"
    if file.commitment is not None:
        shown = export.cards_in(file.view.shown) | frozenset(map(parse_card, file.left_out))
        opened = {parse_card(card) for card in file.commitment.order if card is not None}
        if opened != shown:
            yield "commitment.order", "not the cards that were shown to the seat are opened"


# ---------------------------------------------------------------- several files


def verify_together(files: Sequence[RoundFile]) -> Iterator[Check]:
    """For each table of several files: no round and no commitment is missing among them."""
    for table in dict.fromkeys(file.table for file in files):
        of_table = sorted((f for f in files if f.table == table), key=lambda f: f.round)
        if len(of_table) > 1:
            note = f"rounds {of_table[0].round} to {of_table[-1].round}"
            yield checked(f"no gaps at {said(table)}", _gaps(of_table), note)


def _gaps(files: Sequence[RoundFile]) -> Found:
    for one, following in pairwise(files):
        where = f"rounds {one.round} and {following.round}"
        if following.round > one.round + 1:
            yield where, f"round {one.round + 1} is missing"
        elif following.round == one.round:
            if one.commitments != following.commitments:
                yield where, "two files of one round tell of other commitments"
        else:
            yield from ((where, text) for text in _unaccounted(one, following))


def _unaccounted(one: RoundFile, following: RoundFile) -> Iterator[str]:
    """Numbers go on where they ended, and what waited is played, abandoned, or waits still."""
    first, last = following.commitments.first, one.commitments.last
    if first != last + 1:
        yield f"commitments go on with {first}, and {last} was the last"
    later = {made.number: made for made in following.commitments.each}
    for made in one.commitments.each:
        known = later.pop(made.number, None)
        if (made.fate == "waiting") != (known is not None):
            what = "waited and is not heard of" if known is None else "is over and comes again"
            yield f"commitment {made.number} {what}"
        elif known is not None and known.root != made.root:
            yield f"commitment {made.number} had another root while it waited"
    if any(number < first for number in later):
        yield f"commitment {min(later)} was not there before"
