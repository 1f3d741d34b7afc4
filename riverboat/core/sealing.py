"""Hidden cards in storage: nobody reads them there before the round is over.

Until then the round's key is kept outside the store; afterwards it is released, and whoever holds
it can read every entry of that round and of no other. Sealed text is

    sealed1.KEY'S FINGERPRINT.NONCE.CIPHERTEXT      (base64url without padding)

AES-256-GCM with a random nonce: equal entries give different texts, and a changed one is noticed.
Three things that the cipher alone would not give:

- the fingerprint, a hash of the key. AES-GCM lets someone who chooses the keys make one ciphertext
  that two keys open to two different texts; a fingerprint fits one key only;
- filling up to whole blocks, or the length would tell whether a hidden card is written 9 or 10;
- a context (table, commitment, root, entry) that is authenticated with the text, so that no entry
  can be put into another's place.
"""

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from hmac import compare_digest
from re import fullmatch
from typing import Final, Self

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from riverboat.core.errors import NotationError
from riverboat.core.fairness import LENGTH_BYTES, digits, framed

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 12
BLOCK_BYTES: Final = 256
FORM: Final = "sealed1"
KEY_FORM: Final = "roundkey1"
KEY_TAG: Final = b"riverboat round key v1"
CONTEXT_TAG: Final = b"riverboat sealed entry v2"


class BrokenSeal(NotationError):
    """Sealed text that this key does not open, or not at this place, or that was changed."""


class RoundKey:
    """What opens the sealed entries of one round.

    It has no readable `repr`, no field and no JSON, so that it gets into a log or into the store
    only where somebody writes `text()`.
    """

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        if len(secret) != KEY_BYTES:
            raise BrokenSeal("key.length", f"{len(secret)} bytes; a round's key has {KEY_BYTES}")
        self._secret = secret

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a released key."""
        if not fullmatch(rf"{KEY_FORM}\.[0-9a-f]{{{2 * KEY_BYTES}}}", text):
            allowed = f"{KEY_FORM}. and {2 * KEY_BYTES} digits of 0-9 and a-f"
            raise BrokenSeal("key.form", f"this is no round's key: {allowed}")
        return cls(bytes.fromhex(text.removeprefix(f"{KEY_FORM}.")))

    def text(self) -> str:
        """The key as it is released once the round is over."""
        return f"{KEY_FORM}.{self._secret.hex()}"

    def fingerprint(self) -> bytes:
        """Tells keys apart and gives none away."""
        return sha256(framed(KEY_TAG, self._secret)).digest()

    def cipher(self) -> AESGCM:
        """The cipher under this key."""
        return AESGCM(self._secret)

    def __repr__(self) -> str:
        return "RoundKey(…)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RoundKey) and compare_digest(self._secret, other._secret)

    def __hash__(self) -> int:
        return hash(self.fingerprint())


def place_of(table: str, commitment: int, root: str, entry: int) -> bytes:
    """The context of an entry: the one place in the store where it may stand."""
    return framed(CONTEXT_TAG, table.encode(), digits(commitment), root.encode(), digits(entry))


def seal(key: RoundKey, plaintext: bytes, context: bytes) -> str:
    """Text for the store that shows nothing but roughly how long the entry is."""
    nonce = os.urandom(NONCE_BYTES)
    ciphertext = key.cipher().encrypt(nonce, _filled(plaintext), context)
    return ".".join((FORM, *map(_letters, (key.fingerprint(), nonce, ciphertext))))


def is_key_of(key: RoundKey, sealed: str) -> bool:
    """Whether this is the key that a text was sealed with."""
    return compare_digest(_parts(sealed)[0], key.fingerprint())


def unseal(key: RoundKey, sealed: str, context: bytes) -> bytes:
    """What was sealed, if it was sealed with this key for this place and is as it was."""
    fingerprint, nonce, ciphertext = _parts(sealed)
    if not compare_digest(fingerprint, key.fingerprint()):
        raise BrokenSeal("sealed.other_key", "sealed with another key, or its fingerprint changed")
    try:
        filled = key.cipher().decrypt(nonce, ciphertext, context)
    except InvalidTag:
        what = "the sealed text was changed, or it belongs to another table, round or entry"
        raise BrokenSeal("sealed.changed", what) from None
    return _emptied(filled)


def _parts(sealed: str) -> tuple[bytes, bytes, bytes]:
    words = sealed.split(".")
    if len(words) == 4 and words[0] == FORM:
        fingerprint, nonce, ciphertext = map(_bytes, words[1:])
        if len(fingerprint) == sha256().digest_size and len(nonce) == NONCE_BYTES:
            return fingerprint, nonce, ciphertext
    raise BrokenSeal("sealed.form", f"this is no sealed text: {FORM}.FINGERPRINT.NONCE.CIPHERTEXT")


def _filled(plaintext: bytes) -> bytes:
    text = framed(plaintext)
    return text + bytes(-len(text) % BLOCK_BYTES)


def _emptied(filled: bytes) -> bytes:
    length = int.from_bytes(filled[:LENGTH_BYTES], "big")
    return filled[LENGTH_BYTES : LENGTH_BYTES + length]


def _letters(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(letters: str) -> bytes:
    """Read base64url in its one spelling; the decoder alone would overlook other last letters."""
    try:
        data = urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    except ValueError:
        data = b""
    if _letters(data) != letters:
        raise BrokenSeal("sealed.form", "this is no sealed text: a part of it is no base64url")
    return data
