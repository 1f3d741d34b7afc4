"""Where a ledger's heads are kept a second time, outside its database.

A chain shows what was changed in the middle; that its end is missing it cannot show: a file that
lost its tail, an older copy put in its place. Somebody else has to remember how far it went. A
floor signs its head every minute and hands it to its witnesses: a file on another path, and
whatever answers like `riverboat witness` at an address. A file on the same machine also has the
last head that was acknowledged, after every commit. Start and `verify` compare.

A witness keeps what it was given and forgets nothing that matters: a head that goes back, or says
otherwise of a row, is refused. To go on with an older copy on purpose, whoever keeps the witness
puts its file aside.
"""

import hashlib
import http.client
import os
import socket
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BufferedReader, RawIOBase
from ipaddress import ip_address, ip_network
from pathlib import Path
from re import fullmatch
from threading import BoundedSemaphore, Lock
from typing import Any, Final, Protocol

from riverboat.core.errors import NotationError
from riverboat.ledger.chain import ChainBroken, Fault, Head, LedgerMisfit, LedgerUnavailable
from riverboat.ledger.heads import (
    SigningKey,
    is_signed,
    parse_signed_head,
    show_signed_head,
    sign_head,
    sign_now,
)
from riverboat.ledger.ledger import Ledger
from riverboat.ledger.store import SignedHead

MOST_BYTES: Final = 1_000_000
"""Of a witness's file: then the older half of its lines goes, for the newest says all of it."""
MOST_LEDGERS: Final = 1_000
MOST_AT_ONCE: Final = 16
MOST_CONNECTIONS: Final = 64
MOST_OF_ADDRESS: Final = 16
"""Of these, of one address that is not this machine."""
MOST_NEW: Final = 10
"""Ledgers that a witness begins to watch for one address in a day."""
SILENT_DAYS: Final = 90
"""After so long without a word a ledger's file goes, where there is no room for a new one: in that
time one address cannot bring as many as there is room for."""
LONGEST_BODY: Final = 4_096
SECONDS: Final = 5.0
"""For an answer of a witness; and for the whole of a request to one, however slowly it comes."""
_DAY: Final = 86_400
_LAST: Final = ".last"
_SUFFIX: Final = ".jsonl"


class Witness(Protocol):
    """Somebody who remembers heads."""

    name: str

    def keep(self, signed: SignedHead) -> None:
        """Remember one more; ChainBroken where another is remembered that it contradicts."""

    def seen(self, public_key: bytes) -> list[Head]:
        """The furthest heads that are remembered of the ledger whose heads this key signs."""


def require_as_seen(ledger: Ledger, witness: Witness, public_key: bytes) -> None:
    """The ledger has what its witness has seen; ChainBroken where its end is missing."""
    _require_rows(ledger, witness, witness.seen(public_key))


def _require_rows(ledger: Ledger, witness: Witness, seen: list[Head]) -> None:
    for head in seen:
        with ledger.snapshot() as snapshot:
            row = snapshot.row(head.seq)
        if row is not None and row.hash == head.hash:
            continue
        ends = ledger.head().seq
        what = f"{witness.name} has seen row {head.seq} as {head.hash.hex()[:16]}; "
        if row is None:
            what += f"this ledger ends at row {ends}: its end was lost, or it is an older copy"
        else:
            what += "here it is another: the ledger was rewritten, or it is another one"
        raise ChainBroken(Fault(head.seq, "hash", what))


class FileWitness:
    """A file on another path: a signed head a line, and beside it the last acknowledged one."""

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        self._writing = Lock()
        self._last: int | None = None
        self._noted_seq = 0

    def keep(self, signed: SignedHead) -> None:
        newest = self._newest()
        if newest is not None:
            require_not_back(newest, signed, self.name)
        line = f"{show_signed_head(signed)}\n".encode()
        try:
            with self._writing:
                self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                self._shorten()
                _append(self._path, line)
        except OSError as problem:
            raise LedgerUnavailable("witness.file", f"{self.name}: {problem.strerror}") from problem

    def note(self, head: Head) -> None:
        """The last head that was acknowledged, at every commit: no sync, for what a crash of this
        process leaves in the machine's memory is enough to notice a file that lost its end. What
        is told again lies further back."""
        if self._last is None:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            beside = self._path.with_name(self._path.name + _LAST)
            self._last = os.open(beside, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            before = self._noted()
            self._noted_seq = 0 if before is None else before.seq
        if head.seq <= self._noted_seq:
            return
        os.pwrite(self._last, f"{head.seq:020d}:{head.hash.hex()}\n".encode(), 0)
        self._noted_seq = head.seq

    def seen(self, public_key: bytes) -> list[Head]:
        found = [self._newest_head(), self._noted()]
        return [head for head in found if head is not None]

    def close(self) -> None:
        """Nothing more is noted."""
        if self._last is not None:
            os.close(self._last)
            self._last = None

    def _newest_head(self) -> Head | None:
        newest = self._newest()
        return None if newest is None else newest.head

    def _newest(self) -> SignedHead | None:
        """The last line that is whole: a crash can leave half of one."""
        try:
            lines = self._path.read_text("ascii", errors="replace").splitlines()
        except FileNotFoundError:
            return None
        except OSError as problem:
            raise LedgerUnavailable("witness.file", f"{self.name}: {problem.strerror}") from problem
        for line in reversed(lines):
            with suppress(NotationError):
                return parse_signed_head(line)
        return None

    def _noted(self) -> Head | None:
        with suppress(OSError, NotationError, ValueError):
            text = self._path.with_name(self._path.name + _LAST).read_text("ascii")
            seq, _, digest = text.strip().partition(":")
            return Head(int(seq), bytes.fromhex(digest)) if int(seq) else None
        return None

    def _shorten(self) -> None:
        with suppress(FileNotFoundError):
            if self._path.stat().st_size > MOST_BYTES:
                lines = self._path.read_bytes().splitlines(keepends=True)
                shorter = self._path.with_name(f".{self._path.name}.{os.getpid()}.new")
                shorter.unlink(missing_ok=True)
                _append(shorter, b"".join(lines[len(lines) // 2 :]))
                os.replace(shorter, self._path)


class HttpWitness:
    """Whatever answers like `riverboat witness` at an address."""

    def __init__(self, url: str) -> None:
        if not fullmatch(r"https?://[^\s/]+(/[^\s]*)?", url):
            text = f"{url!r} is no address of a witness: http://… or https://…"
            raise NotationError("witness.url", text)
        self.name = self._url = url.rstrip("/")

    def keep(self, signed: SignedHead) -> None:
        self._ask("heads", show_signed_head(signed).encode())

    def seen(self, public_key: bytes) -> list[Head]:
        told = self._ask(f"heads/{public_key.hex()}")
        return [] if told is None else [parse_signed_head(told).head]

    def _ask(self, path: str, body: bytes | None = None) -> bytes | None:
        request = urllib.request.Request(f"{self._url}/{path}", data=body)
        try:
            with urllib.request.urlopen(request, timeout=SECONDS) as answer:
                told: bytes = answer.read(LONGEST_BODY)
                return told
        except urllib.error.HTTPError as refused:
            words = refused.read(LONGEST_BODY).decode("utf-8", "replace").strip()
            if refused.code == 404:
                return None
            if refused.code == 409:
                raise ChainBroken(Fault(0, "", f"{self.name} says: {words}")) from None
            text = f"{self.name}: {refused.code} {words}"
            raise LedgerUnavailable("witness.away", text) from None
        except (OSError, http.client.HTTPException) as problem:
            text = f"{self.name} does not answer: {problem}"
            raise LedgerUnavailable("witness.away", text) from None


def own_witness(floor: str) -> FileWitness:
    """Where this machine keeps the heads of a floor: not beside the ledger. It is named by the
    floor's id, not by the key: with another secret it is the same floor, and a copy from before
    that is as old with the one as with the other."""
    base = os.environ.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    name = hashlib.sha256(floor.encode()).hexdigest()[:32]
    return FileWitness(Path(base) / "riverboat" / f"{name}.heads")


def witness_at(address: str) -> Witness:
    """A witness by its address: a file's path, or http://… of one that runs elsewhere."""
    return HttpWitness(address) if "://" in address else FileWitness(Path(address))


def require_not_back(known: SignedHead, given: SignedHead, where: str) -> None:
    """Heads go on and never say otherwise of a row."""
    if given.seq < known.seq:
        what = f"{where} has seen row {known.seq}; row {given.seq} is behind it"
        raise ChainBroken(Fault(given.seq, "seq", what))
    if given.seq == known.seq and given.hash != known.hash:
        what = f"{where} has seen another row {known.seq}"
        raise ChainBroken(Fault(given.seq, "hash", what))


class HeadKeeper:
    """Signs a ledger's head for its witnesses, and once a day for the ledger's own table."""

    def __init__(self, ledger: Ledger, key: SigningKey, witnesses: tuple[Witness, ...]) -> None:
        self.ledger, self.key, self.witnesses = ledger, key, witnesses
        self._handed: dict[str, int] = {}
        self._last_stored: tuple[int, int] | None = None
        """The day and the row of the newest signed head in the ledger's own table."""
        for one in witnesses:
            if isinstance(one, FileWitness):
                ledger.on_durable = one.note

    def require_as_seen(self) -> list[str]:
        """Held against every witness before the first command; those that could not be asked."""
        unasked = []
        for witness in self.witnesses:
            try:
                seen = witness.seen(self.key.public_key)
            except LedgerUnavailable as problem:
                unasked.append(str(problem))
                continue
            # A ledger that does not answer now is no ledger that was held against its witness.
            self._require_rows(witness, seen)
        return unasked

    def _require_rows(self, witness: Witness, seen: list[Head]) -> None:
        """Nothing is noted any more of a ledger that has not got what was seen of it: rows that it
        gets from then on would outgrow what shows that."""
        try:
            _require_rows(self.ledger, witness, seen)
        except ChainBroken:
            self.ledger.on_durable = None
            raise

    def sign(self, at: int) -> None:
        """Hand the head to whoever has not got it; what one of them says does not keep the others
        from hearing of it."""
        head, problems = self.ledger.head(), list[Exception]()
        if not head.seq:
            return
        for witness in self.witnesses:
            if self._handed.get(witness.name) != head.seq:
                try:
                    self._hand(witness, sign_now(head, self.key, at=at))
                except (LedgerUnavailable, ChainBroken) as problem:
                    problems.append(problem)
        if not any(isinstance(problem, ChainBroken) for problem in problems):
            self._sign_day(head, at)
        if problems:
            raise problems[0]

    def _hand(self, witness: Witness, signed: SignedHead) -> None:
        # First, and every time: a witness cannot know whether a further head goes on from what it
        # has seen. An older copy that was written to would put its own history in the place of it.
        self._require_rows(witness, witness.seen(self.key.public_key))
        try:
            witness.keep(signed)
        except ChainBroken:
            # Another process of this floor was quicker, or the ledger has lost what was seen.
            self._require_rows(witness, witness.seen(self.key.public_key))
        self._handed[witness.name] = signed.seq

    def _sign_day(self, head: Head, at: int) -> None:
        """The first head of a day stands in the ledger's own table too, and so in its exports."""
        if self._last_stored is None:
            with self.ledger.snapshot() as snapshot:
                stored = snapshot.signed_heads()
            self._last_stored = (stored[-1].signed_at // _DAY, stored[-1].seq) if stored else (0, 0)
        day, seq = self._last_stored
        if at // _DAY > day and head.seq > seq:
            self._last_stored = None
            signed = sign_head(self.ledger, self.key, at=at)
            self._last_stored = (at // _DAY, signed.seq)


# ---------------------------------------------------------------- a witness of other floors


class WitnessServer(ThreadingHTTPServer):
    """Keeps the heads of any number of floors, a file each, named by the key that signs them."""

    daemon_threads = True
    request_queue_size = 64

    def __init__(self, host: str, port: int, folder: Path) -> None:
        self.folder = folder
        self.places = BoundedSemaphore(MOST_AT_ONCE)
        self.keeping = Lock()
        self._counting, self._connected = Lock(), Counter[str]()
        self._begun: dict[str, list[float]] = {}
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            super().__init__((host, port), _Asked)
        except OSError as problem:
            text = f"{host}:{port} cannot be used ({problem.strerror}); choose another `port`"
            raise NotationError("serve.port", text) from None

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Whether there is room for one more connection: of all, and of its address."""
        address = network_of(client_address[0])
        with self._counting:
            full = self._connected.total() >= MOST_CONNECTIONS
            if full or (address and self._connected[address] >= MOST_OF_ADDRESS):
                return False
            self._connected[address] += 1
            return True

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """One connection from its beginning to its end."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._counting:
                self._connected[network_of(client_address[0])] -= 1
                self._connected += Counter()

    def of(self, public_key: bytes) -> FileWitness:
        """The file of a floor."""
        return FileWitness(self.folder / f"{public_key.hex()}{_SUFFIX}")

    def kept(self, body: bytes, address: str = "") -> None:
        """A head that somebody hands over: signed by the key that it names, and no step back."""
        signed = parse_signed_head(body)
        if not is_signed(signed):
            raise NotationError("witness.signature", "the signature does not fit")
        with self.keeping:
            new = not (self.folder / f"{signed.public_key.hex()}{_SUFFIX}").exists()
            if new:
                self._require_room(address, time.time())
            self.of(signed.public_key).keep(signed)

    def _require_room(self, address: str, now: float) -> None:
        """For one more ledger: of an address only so many in a day, so that no stranger fills the
        house for good; and where it is full, one that was silent for months makes room."""
        lately = {one: [at for at in ats if now - at < _DAY] for one, ats in self._begun.items()}
        self._begun = {one: ats for one, ats in lately.items() if ats}
        begun = self._begun.get(address, [])
        if len(begun) >= MOST_NEW:
            text = f"{MOST_NEW} ledgers of this address are new already; come back tomorrow"
            raise LedgerMisfit("witness.many", text)
        files = sorted(self.folder.glob(f"*{_SUFFIX}"), key=lambda one: one.stat().st_mtime)
        if len(files) >= MOST_LEDGERS:
            if now - files[0].stat().st_mtime < SILENT_DAYS * _DAY:
                raise LedgerMisfit("witness.full", f"{MOST_LEDGERS} ledgers are watched already")
            files[0].unlink()
        self._begun[address] = [*begun, now]


class _Asked(BaseHTTPRequestHandler):
    """One request to a witness."""

    timeout = SECONDS
    server: WitnessServer

    def setup(self) -> None:
        """The whole of a request has one deadline: whoever sends a byte now and then is not waited
        for byte by byte."""
        super().setup()
        self.rfile = BufferedReader(_InTime(self.connection, time.monotonic() + SECONDS))

    def do_POST(self) -> None:
        """`/heads`: remember a head."""
        length = self.headers.get("content-length", "")
        if self.path != "/heads" or not length.isdigit() or int(length) > LONGEST_BODY:
            self._tell(400, f"POST /heads takes a signed head of at most {LONGEST_BODY} bytes")
            return
        body, address = self.rfile.read(int(length)), network_of(self.client_address[0])
        with self.server.places:
            try:
                self.server.kept(body, address)
            except NotationError as problem:
                self._tell(400, str(problem))
            except ChainBroken as problem:
                self._tell(409, str(problem))
            except (LedgerMisfit, LedgerUnavailable) as problem:
                self._tell(503, str(problem))
            else:
                self._tell(200, "kept")

    def do_GET(self) -> None:
        """`/heads/KEY`: the newest head that this key has signed."""
        found = fullmatch("/heads/([0-9a-f]{64})", self.path)
        newest = self.server.of(bytes.fromhex(found[1]))._newest() if found else None
        if newest is None:
            self._tell(404, "no head of this key was seen")
        else:
            self._tell(200, show_signed_head(newest))

    def _tell(self, status: int, text: str) -> None:
        body = f"{text}\n".encode()
        self.send_response(status)
        self.send_header("content-type", "application/json" if text[:1] == "{" else "text/plain")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Whoever runs it sees what is in the folder."""


class _InTime(RawIOBase):
    """What a connection sends until a deadline."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        self._connection, self._deadline = connection, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connection.settimeout(left)
        try:
            return self._connection.recv_into(buffer)
        finally:
            self._connection.settimeout(SECONDS)


def network_of(address: str) -> str:
    """An address as far as one household has it: the first half of a newer one. This machine's is
    nobody's, for a proxy there may stand for everybody."""
    found = ip_address(address.partition("%")[0])
    if found.is_loopback:
        return ""
    return str(ip_network((found, 64), strict=False)) if found.version == 6 else str(found)


def _append(path: Path, line: bytes) -> None:
    handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    try:
        os.write(handle, line)
        os.fsync(handle)
    finally:
        os.close(handle)
