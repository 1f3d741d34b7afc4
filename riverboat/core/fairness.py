"""A shuffled deck that is fixed before the bets and can be checked after the cards.

The house publishes a commitment: one salted hash a position, the hash of a word of its own, and one
root over all of them. From then on no card can be exchanged unseen, and none can be read. Players
seal words of their own with their bets and tell them when betting is closed; the house's word and
theirs together turn the deck by a cut that none of them could choose. A player can then be given
the salts of the cards that he was shown, an auditor all of them. `docs/fairness.md` says the same
for someone who writes a checker.

Hashes, salts and words are text, 64 hexadecimal digits in lower case, because that is how they are
stored, printed and compared; a position counts from 0, the top card of the deck as it was sealed.
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from re import fullmatch
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

from riverboat.core.cards import DECK, Card, check_deck, show_card
from riverboat.core.errors import FouledDeck, NotationError
from riverboat.core.visible import is_whole

Digest: TypeAlias = str
Salt: TypeAlias = str
Word: TypeAlias = str
"""Thirty-two bytes that somebody drew for a cut."""

LEAF_TAG: Final = b"riverboat leaf v1"
HOUSE_TAG: Final = b"riverboat house word v1"
ROOT_TAG: Final = b"riverboat root v2"
SEAL_TAG: Final = b"riverboat player word v1"
CUT_TAG: Final = b"riverboat cut v2"

LARGEST_NUMBER: Final = 2**53 - 1
"""Every reader of JSON, a browser's too, still keeps this number exactly."""

LONGEST_TABLE_NAME: Final = 256
DIGEST_BITS: Final = 256
LENGTH_BYTES: Final = 4


class Commitment(Struct, frozen=True, kw_only=True):
    """What a table publishes before bets open; it fixes every card and the house's word, and shows
    none of them."""

    table: str
    number: int
    leaves: tuple[Digest, ...]
    house: Digest
    root: Digest


class Opening(Struct, frozen=True, kw_only=True):
    """The card at one position of the sealed order, with the salt that proves it."""

    position: int
    card: Card
    salt: Salt


class Misfit(NamedTuple):
    """One thing that does not agree with a commitment."""

    where: str
    message: str


def framed(*fields: bytes) -> bytes:
    """Join fields so that no other fields give the same bytes: each follows its own length.

    Without the lengths, table "1" with number 11 would be hashed as table "11" with number 1.
    """
    return b"".join(len(field).to_bytes(LENGTH_BYTES, "big") + field for field in fields)


def digits(number: int) -> bytes:
    """A number as a field: its decimal digits."""
    return str(number).encode()


# ---------------------------------------------------------------- committing


def commit(
    table: str, number: int, order: Sequence[Card], salts: Sequence[Salt], word: Word
) -> Commitment:
    """Fix a deck and the house's word: a leaf for every position, and the root over everything."""
    _check_name(table, number)
    check_deck(order)
    _check_salts(salts)
    house = house_seal(table, number, word)
    leaves = tuple(
        _leaf(table, number, position, card, salt)
        for position, (card, salt) in enumerate(zip(order, salts, strict=True))
    )
    root = _root(table, number, house, leaves)
    return Commitment(table=table, number=number, leaves=leaves, house=house, root=root)


def house_seal(table: str, number: int, word: Word) -> Digest:
    """What fixes the house's word for the cut of one commitment, and does not tell it."""
    _check_digest("word", word)
    fields = (table.encode(), digits(number), bytes.fromhex(word))
    return sha256(framed(HOUSE_TAG, *fields)).hexdigest()


def open_positions(
    order: Sequence[Card], salts: Sequence[Salt], positions: Sequence[int]
) -> tuple[Opening, ...]:
    """The openings of some positions of the sealed order; of all positions, for an auditor."""
    check_deck(order)
    _check_salts(salts)
    for position in positions:
        _check_position(position)
    return tuple(Opening(position=at, card=order[at], salt=salts[at]) for at in positions)


def _leaf(table: str, number: int, position: int, card: Card, salt: Salt) -> Digest:
    fields = (table.encode(), digits(number), digits(position), bytes.fromhex(salt))
    return sha256(framed(LEAF_TAG, *fields, show_card(card).encode())).hexdigest()


def _root(table: str, number: int, house: Digest, leaves: Sequence[Digest]) -> Digest:
    hashes = map(bytes.fromhex, (house, *leaves))
    return sha256(framed(ROOT_TAG, table.encode(), digits(number), *hashes)).hexdigest()


# ---------------------------------------------------------------- cutting


def player_seal(root: Digest, seat: int, word: Word) -> Digest:
    """What fixes a player's word for the cut of one deck, at one seat, and does not tell it."""
    _check_digest("root", root)
    _check_digest("word", word)
    return sha256(
        framed(SEAL_TAG, bytes.fromhex(root), digits(seat), bytes.fromhex(word))
    ).hexdigest()


def cut_depth(root: Digest, house: Word, words: Mapping[int, Word], low: int, high: int) -> int:
    """The depth of the cut that the house's word and those of seats come to: how many cards go from
    the top to the bottom. Seats go by their numbers, whoever was first.

    The hash, read as a fraction of 2**256, is scaled to the allowed depths. Each depth then answers
    to the same number of hashes within one, so that no chance is off by more than 2**-256.
    """
    _check_digest("root", root)
    for word in (house, *words.values()):
        _check_digest("word", word)
    _check_depths((low, high))
    if low > high:
        raise NotationError("cut.range", f"depths {low} to {high}: the lowest comes first")
    told = [part for seat in sorted(words) for part in (digits(seat), bytes.fromhex(words[seat]))]
    mixed = sha256(framed(CUT_TAG, bytes.fromhex(root), bytes.fromhex(house), *told)).digest()
    return low + (int.from_bytes(mixed, "big") * (high - low + 1) >> DIGEST_BITS)


def cut_order(order: Sequence[Card], depths: Sequence[int]) -> tuple[Card, ...]:
    """The deck after every cut in turn: at each, so many cards go from the top to the bottom."""
    _check_depths(depths)
    turned = tuple(order)
    for depth in depths:
        turned = turned[depth:] + turned[:depth]
    return turned


# ---------------------------------------------------------------- checking


def opening_misfits(commitment: Commitment, openings: Sequence[Opening]) -> list[Misfit]:
    """What a player finds wrong with the cards opened to him; nothing if all is as committed.

    He cannot see cards that are not opened, but one card at two opened positions he can.
    """
    misfits = commitment_misfits(commitment)
    first_at: dict[Card, int] = {}
    for opening in openings:
        misfits += _opening_misfits(commitment, opening)
        before = first_at.setdefault(opening.card, opening.position)
        if before != opening.position and opening.card in DECK:
            what = f"{show_card(opening.card)} was opened at position {before} too"
            misfits.append(Misfit(f"position {opening.position}", what))
    return misfits


def deck_misfits(
    commitment: Commitment, order: Sequence[Card], salts: Sequence[Salt]
) -> list[Misfit]:
    """What an auditor finds wrong with a whole deck; nothing if it is the one committed to."""
    misfits = commitment_misfits(commitment)
    try:
        check_deck(order)
    except FouledDeck as fouled:
        misfits.append(Misfit("order", f"not the 52 cards of a deck: {fouled}"))
    if len(salts) != len(DECK):
        misfits.append(Misfit("salts", f"{len(salts)} salts, and a deck has {len(DECK)} cards"))
    each = [
        _opening_misfits(commitment, Opening(position=position, card=card, salt=salt))
        for position, card, salt in zip(DECK, order, salts, strict=False)
    ]
    if len(each) == len(DECK) and all(each):
        # A root that fits vouches for the table, the number and the leaves.
        changed = "the table, the number or all leaves" if misfits else "the order or the salts"
        return [*misfits, Misfit("leaves", f"not one of the 52 fits: {changed} are others")]
    return misfits + [misfit for found in each for misfit in found]


def commitment_misfits(commitment: Commitment) -> list[Misfit]:
    """What is wrong with a commitment by itself: its form, or a root that is not of its leaves."""
    misfits = []
    try:
        _check_name(commitment.table, commitment.number)
    except NotationError as problem:
        misfits.append(Misfit("table or number", str(problem)))
    if len(commitment.leaves) != len(DECK):
        what = f"{len(commitment.leaves)} leaves, and a deck has {len(DECK)} cards"
        misfits.append(Misfit("leaves", what))
    named = [(f"leaf {n}", leaf) for n, leaf in enumerate(commitment.leaves)]
    for where, text in [*named, ("house", commitment.house), ("root", commitment.root)]:
        try:
            _check_digest(where, text)
        except NotationError as problem:
            misfits.append(Misfit(where, str(problem)))
    table, number, house = commitment.table, commitment.number, commitment.house
    if not misfits and commitment.root != _root(table, number, house, commitment.leaves):
        what = (
            f"not the root of table {table!r}, number {number}, this house's word and these leaves"
        )
        misfits.append(Misfit("root", f"{what}: one of the five was changed"))
    return misfits


def _opening_misfits(commitment: Commitment, opening: Opening) -> list[Misfit]:
    where = f"position {opening.position}"
    try:
        _check_position(opening.position)
        _check_digest("salt", opening.salt)
        _check_name(commitment.table, commitment.number)
        if opening.card not in DECK:
            raise NotationError("card.unknown", f"no such card: {opening.card}; a card is 0 to 51")
    except NotationError as problem:
        return [Misfit(where, str(problem))]
    if opening.position >= len(commitment.leaves):
        return [Misfit(where, f"leaf {opening.position} is missing")]
    leaf = _leaf(commitment.table, commitment.number, opening.position, opening.card, opening.salt)
    if leaf == commitment.leaves[opening.position]:
        return []
    what = f"{show_card(opening.card)} with this salt does not give leaf {opening.position}"
    return [Misfit(where, f"{what}: the card, the salt, its place or the leaf was changed")]


# ---------------------------------------------------------------- what can be read at all


def _check_name(table: str, number: int) -> None:
    if not 1 <= len(table) <= LONGEST_TABLE_NAME or not is_whole(table):
        allowed = f"1 to {LONGEST_TABLE_NAME} characters of Unicode text"
        raise NotationError("commitment.table", f"table name {table[:40]!r}: {allowed}")
    if not 1 <= number <= LARGEST_NUMBER:
        raise NotationError("commitment.number", "a commitment's number is 1 to 2**53 - 1")


def is_digest(text: object) -> bool:
    """Whether something is spelled as hashes, salts and words are; no other spelling is equal."""
    return isinstance(text, str) and fullmatch("[0-9a-f]{64}", text) is not None


def _check_salts(salts: Sequence[Salt]) -> None:
    if len(salts) != len(DECK):
        raise NotationError("salt.count", f"{len(salts)} salts, and a deck has {len(DECK)} cards")
    for salt in salts:
        _check_digest("salt", salt)


def _check_digest(what: str, text: str) -> None:
    """Refuse other spellings, upper case or blanks, so that equal hashes are equal texts."""
    if not is_digest(text):
        raise NotationError("digest.form", f"{what} {text[:80]!r}: 64 digits of 0-9 and a-f")


def _check_position(position: int) -> None:
    if not 0 <= position < len(DECK):
        raise NotationError("position.unknown", "a position is 0 to 51, and 0 is the top card")


def _check_depths(depths: Sequence[int]) -> None:
    for depth in depths:
        if not 0 <= depth < len(DECK):
            raise NotationError("cut.depth", f"a cut of {depth} cards: a cut takes 0 to 51")
