"""The floor's own secrets, in files outside the database: what seals decks, and what signs heads.

The key of a commitment is derived from one master secret, the table's name and the commitment's
number. So every process of a floor has it without storing it anywhere, and giving one away after
its round tells nothing of the others.
"""

import hashlib
import hmac
import os
from pathlib import Path

from riverboat.core.errors import NotationError
from riverboat.core.fairness import framed
from riverboat.core.sealing import RoundKey

_TAG = b"riverboat commitment key v1"
_MARK_TAG = b"riverboat command mark v1"
_BYTES = 32


class MasterSecret:
    """Thirty-two bytes that only the floor's processes have."""

    def __init__(self, secret: bytes) -> None:
        if len(secret) != _BYTES:
            raise NotationError("secret.length", f"a floor's secret has {_BYTES} bytes")
        self._secret = secret

    def __repr__(self) -> str:
        return "MasterSecret(…)"

    def key_of(self, table: str, commitment: int) -> RoundKey:
        """The key that seals the cards of one commitment."""
        place = framed(_TAG, table.encode(), b"%d" % commitment)
        return RoundKey(hmac.digest(self._secret, place, hashlib.sha256))

    def mark_of(self, text: bytes) -> str:
        """A mark of something that must not be read: the same for the same, and tells no more."""
        return hmac.digest(self._secret, framed(_MARK_TAG, text), hashlib.sha256).hex()


def master_secret(path: Path) -> MasterSecret:
    """The secret in a file that is there; reading makes none."""
    try:
        return MasterSecret(path.read_bytes())
    except OSError as problem:
        raise NotationError("secret.file", f"{path}: {problem.strerror}") from None


def made_master_secret(path: Path) -> MasterSecret:
    """The secret of a floor that opens: made the first time, readable by its owner alone."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return master_secret(path)
    except OSError as problem:
        raise NotationError("secret.file", f"{path}: {problem.strerror}") from None
    with os.fdopen(handle, "wb") as file:
        secret = os.urandom(_BYTES)
        file.write(secret)
        file.flush()
        os.fsync(file.fileno())
    return MasterSecret(secret)
