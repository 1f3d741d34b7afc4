"""Signed heads: what makes a cut-off or rewritten ledger noticeable.

Whoever can write the whole database can also recompute its chain. What he cannot do is sign for a
key that is not there, and take back what was printed or handed over. So the end of a day is
signed (Ed25519) with a key in a file of its own, and printed with its signature.
"""

import os
import stat
from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec.structs import astuple

from riverboat.core.errors import NotationError
from riverboat.core.fairness import digits, framed
from riverboat.ledger.chain import Head, LedgerMisfit
from riverboat.ledger.ledger import Ledger
from riverboat.ledger.store import SignedHead

KEY_FORM: Final = "ledgerkey1"
TAG: Final = b"riverboat ledger head v1"
KEY_BYTES: Final = 32


class HeadText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A signed head as it is exported: bytes as hexadecimal digits."""

    number: int
    seq: int
    hash: str
    signed_at: int
    public_key: str
    signature: str


class SigningKey:
    """The key that signs heads. It never shows itself."""

    __slots__ = ("_key",)

    def __init__(self, secret: bytes) -> None:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        self._key = Ed25519PrivateKey.from_private_bytes(secret)

    @classmethod
    def kept_in(cls, path: Path) -> Self:
        """The key in a file; made there on first use, readable by its owner only."""
        try:
            _make_key(path)
        except FileExistsError:
            pass
        except OSError as error:
            raise LedgerMisfit("ledger.key", f"{path}: {error.strerror}") from error
        return cls.read_from(path)

    @classmethod
    def read_from(cls, path: Path) -> Self:
        """The key in a file that is there already."""
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            text = path.read_text("ascii").strip()
        except (OSError, ValueError) as error:
            raise LedgerMisfit("ledger.key", f"{path}: {error}") from error
        if mode & 0o077:
            what = f"others may read it (mode {mode:o}): chmod 600, and make a new key if they did"
            raise LedgerMisfit("ledger.key", f"{path}: {what}")
        form, _, secret = text.partition(".")
        try:
            data = bytes.fromhex(secret)
        except ValueError:
            data = b""
        if form != KEY_FORM or len(data) != KEY_BYTES:
            raise LedgerMisfit("ledger.key", f"{path}: this is no key of a ledger")
        return cls(data)

    @property
    def public_key(self) -> bytes:
        """What verifies its signatures."""
        return self._key.public_key().public_bytes_raw()

    def sign(self, message: bytes) -> bytes:
        """The signature under a message."""
        return self._key.sign(message)

    def __repr__(self) -> str:
        return f"SigningKey(public_key={self.public_key.hex()})"


def sign_head(ledger: Ledger, key: SigningKey, *, at: int) -> SignedHead:
    """Sign where the ledger ends now, and keep that in the ledger's database too."""
    with ledger.snapshot() as snapshot:
        number = len(snapshot.signed_heads()) + 1
    signed = sign_now(ledger.head(), key, at=at, number=number)
    ledger.store.keep_head(signed)
    return signed


def sign_now(head: Head, key: SigningKey, *, at: int, number: int = 0) -> SignedHead:
    """A head with its signature; those that only witnesses keep have no number."""
    message = _message(number, head.seq, head.hash, at)
    return SignedHead(number, *head, at, key.public_key, key.sign(message))


def is_signed(signed: SignedHead) -> bool:
    """Whether the signature is that of the key that it names, whoever has that key."""
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    message = _message(signed.number, signed.seq, signed.hash, signed.signed_at)
    try:
        Ed25519PublicKey.from_public_bytes(signed.public_key).verify(signed.signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def as_head_text(signed: SignedHead) -> HeadText:
    """A signed head in its exported form."""
    number, seq, digest, at, public_key, signature = signed
    return HeadText(number, seq, digest.hex(), at, public_key.hex(), signature.hex())


def from_head_text(text: HeadText) -> SignedHead:
    """A signed head from its exported form; ValueError where a part is not hexadecimal."""
    number, seq, digest, at, *signed = astuple(text)
    return SignedHead(number, seq, bytes.fromhex(digest), at, *map(bytes.fromhex, signed))


def show_signed_head(signed: SignedHead) -> str:
    """A signed head as one line of JSON: to be printed or kept where the database is not."""
    return msgspec.json.encode(as_head_text(signed)).decode()


def parse_signed_head(text: str | bytes) -> SignedHead:
    """Read a signed head."""
    try:
        return from_head_text(msgspec.json.decode(text, type=HeadText))
    except (msgspec.MsgspecError, ValueError) as error:
        raise NotationError("ledger.signed_head", f"this is no signed head: {error}") from None


def _message(number: int, seq: int, digest: bytes, at: int) -> bytes:
    return framed(TAG, digits(number), digits(seq), digest, digits(at))


def _make_key(path: Path) -> None:
    """Written beside and linked into place, so that no half of a key is ever found."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.new")
    text = f"{KEY_FORM}.{os.urandom(KEY_BYTES).hex()}\n".encode()
    handle = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        os.write(handle, text)
        os.fsync(handle)
        os.link(beside, path)
    finally:
        os.close(handle)
        os.unlink(beside)
