"""Commands about a ledger: its checks and its verification, signatures, copies and backups; and
what every command on a ledger shares: its address, the floor's secret, people."""

import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import wraps
from pathlib import Path
from re import fullmatch
from typing import Annotated, Any, ParamSpec, get_args

from cyclopts import App, Parameter

from riverboat import __version__
from riverboat import ledger as chain
from riverboat.answers import checks
from riverboat.answers.page import Block, Facts, Heading, Table
from riverboat.cli.app import WHOLE, Json, app, complain, tell
from riverboat.core.errors import NotationError, Problem, Reading, Refused, RulebookError
from riverboat.core.money import format_cents
from riverboat.evidence.round_check import Verified, verify_round, verify_together
from riverboat.floor.audit.auditing import audit
from riverboat.floor.audit.recovering import Lost, lost_with_secret
from riverboat.floor.audit.recovering import recover as recover_floor
from riverboat.floor.floor import Floor
from riverboat.floor.secret import (
    FloorSecret,
    MasterSecret,
    drop_new_secret,
    floor_entries,
    keep_new_secret,
    known_secret,
    master_secret,
    new_secret,
)
from riverboat.floor.starting import admit as let_in
from riverboat.floor.starting import require_program
from riverboat.rulebooks import editions, load_all, read_bytes
from riverboat.table.day import Books
from riverboat.table.people import Actor, Role

Database = Annotated[
    str, Parameter(name="--database", help="A ledger: a path, sqlite:///path, or postgresql://…")
]
Secret = Annotated[
    str | None, Parameter(name="--secret", help="The floor's secret: opens rounds not yet over.")
]

By = Annotated[str, Parameter(name="--by", help="Who: NAME:ROLE, such as Flo:floorperson.")]
Second = Annotated[str, Parameter(name="--second", help="The second person: NAME:ROLE.")]


def existing_ledger(address: str, *, read_only: bool = True) -> chain.Ledger:
    """A ledger that is there; nothing is made where there is none."""
    if not address:
        raise NotationError("ledger.url", "--database: name a path or a postgresql:// address")
    return chain.open_ledger(address, create=False, read_only=read_only)


def the_only(what: str, names: Iterable[str]) -> str:
    """The only one that there is, where none is named."""
    there = sorted(names)
    if len(there) != 1:
        text = f"name a --{what}; there are: {', '.join(there) or 'none'}"
        raise NotationError(f"{what}.which", text)
    return there[0]


def secret_in(path: str | None) -> MasterSecret | None:
    """The secret in a file that is there; reading never makes one."""
    if path is None:
        return None
    with Reading(f"--secret {path}"):
        try:
            return MasterSecret(Path(path).read_bytes())
        except OSError as problem:
            raise NotationError("secret.file", problem.strerror or "cannot be read") from None


def person(text: str) -> Actor:
    """Somebody as a command names them."""
    name, _, role = text.rpartition(":")
    roles = get_args(Role)
    if not name.strip() or role not in roles:
        allowed = ", ".join(roles)
        raise NotationError("person.unreadable", f"{text!r}: write NAME:ROLE; roles: {allowed}")
    return Actor(name=name.strip(), role=role)  # type: ignore[arg-type]


P = ParamSpec("P")


def refusable(command: Callable[P, int]) -> Callable[P, int]:
    """A command to which a refusal, or a chain that is not true, is an answer, not bad input."""

    @wraps(command)
    def asked(*args: P.args, **kwargs: P.kwargs) -> int:
        try:
            return command(*args, **kwargs)
        except chain.ChainBroken as broken:
            document: dict[str, Any] = {"holds": False, "wrong": str(broken)}
            line = f"NOT TRUE: {broken}"
        except Refused as refusal:
            document = {"refused": refusal.code, "words": str(refusal), "cites": refusal.cites}
            cites = f" [{', '.join(refusal.cites)}]" if refusal.cites else ""
            line = f"refused ({refusal.code}): {refusal}{cites}"
        return tell(document, line, as_json=bool(kwargs.get("as_json")), holds=False)

    return asked


ledger = App(name="ledger", help="Check, sign, export, copy and back up a ledger.")
app.command(ledger)

NewFile = Annotated[str, Parameter(help="The file to make; one that is there is not overwritten.")]
KeyFile = Annotated[
    str, Parameter(name="--key", help="The signing key's file, outside the database.")
]


@ledger.command
def check(*, database: Database, as_json: Json = False) -> int:
    """The check at start: this program and what it runs with, its rulebooks, the chain's tail.

    Exit status 0: all is well; 1: the program, the tail or the newest signed head is wrong; 2: no
    ledger there.
    """
    books = [(one.book.id, one.sha256) for one in load_all()]
    with existing_ledger(database) as opened:
        found, wrong = None, _changed_program(opened)
        if not wrong:
            try:
                found = chain.self_check(opened)
            except chain.ChainBroken as broken:
                wrong = str(broken)
    document: dict[str, Any] = {"version": __version__, "rulebooks": dict(books)}
    document["holds"] = found is not None
    facts = [("Riverboat", __version__)]
    if found is not None:
        document |= {
            "database": found.place,
            "schema": found.schema,
            "head": str(found.head),
            "rows": found.head.seq,
            "tail_verified": found.tail,
            "signed_heads": found.signed_heads,
        }
        facts += [
            ("Database", f"{found.place}, schema {found.schema}"),
            ("Rows", f"{found.head.seq}, the last {found.tail} verified"),
            ("Signed heads", str(found.signed_heads)),
            ("Head", str(found.head)),
        ]
    else:
        document["wrong"] = wrong
        facts.append(("WRONG", wrong))
    hashes = Table(("Rulebook", "Hash of its file"), books)
    page: list[Block] = [Heading("Self check", 1), Facts(facts), hashes]
    return tell(document, page, as_json=as_json, holds=not wrong)


def _changed_program(ledger: chain.Ledger) -> str:
    """What is wrong with the program that runs here, as a start would say it; or nothing."""
    try:
        require_program(ledger, editions())
    except chain.LedgerMisfit as changed:
        return str(changed)
    return ""


@ledger.command
@refusable
def admit(
    *,
    by: By,
    second: Second,
    reason: Annotated[str, Parameter(help="Why the change is right.")],
    database: Database,
    as_json: Json = False,
) -> int:
    """Two people let a changed program, or changed rulebooks, work on a ledger.

    A floor takes no command while the program or a rulebook is another than the ledger knows under
    the same version. Exit status 1: refused.
    """
    people = person(by), person(second)
    with existing_ledger(database, read_only=False) as opened:
        entry = let_in(opened, editions(), int(time.time()), *people, reason)
    document = {"version": entry.version, "program_sha256": entry.program_sha256}
    words = f"{entry.version}, program {entry.program_sha256}, works on {database} now"
    return tell(document, words, as_json=as_json)


@ledger.command
def recover(
    *,
    database: Database,
    secret: Annotated[
        str,
        Parameter(name="--secret", help="The file of the secret that goes on; made if need be."),
    ] = "",
    by: Annotated[str, Parameter(name="--by", help="A supervisor: NAME:ROLE.")] = "",
    second: Annotated[str, Parameter(name="--second", help="The second person: NAME:ROLE.")] = "",
    reason: Annotated[str, Parameter(help="What became of the secret.")] = "",
    as_json: Json = False,
) -> int:
    """Say what is lost with a floor's secret; with two people's names, go on with another one.

    Rounds that are over lose nothing: their keys are in the ledger. Every other round that was
    played with sealed cards is void, what was wagered goes back, and sealed decks are shuffled
    again. Stop every server of the floor first. Exit status 1: refused.
    """
    from riverboat.web.play_money import PlayMoney
    from riverboat.web.read_model import ReadModel
    from riverboat.web.server.serving import held_alone

    if bool(secret) != bool(by and second):
        text = "--secret, --by and --second go together; without them it only says what is lost"
        raise NotationError("recover.who", text)
    people = (person(by), person(second)) if secret else None
    with existing_ledger(database, read_only=people is None) as opened, held_alone(database):
        path = Path(secret)
        master, made = _going_on(path) if people else (MasterSecret.fresh(), False)
        floor = Floor(opened, editions(), master)
        PlayMoney(floor, ReadModel(floor))
        try:
            lost = recover_floor(floor, people, reason) if people else lost_with_secret(floor)
        except Refused:
            if made:
                drop_new_secret(path)
            raise
        if people and not path.exists():
            keep_new_secret(path)
        if people:
            _tell_witness(opened, known_secret(opened, master))
    document = {"recovered": people is not None, "lost": [one._asdict() for one in lost]}
    return tell(document, _recovery_page(lost, secret), as_json=as_json)


def _tell_witness(ledger: chain.Ledger, own: FloorSecret) -> None:
    """This machine's witness hears of a recovery, so that a copy from before it, with the secret
    that was found again, takes no command."""
    keeper = chain.HeadKeeper(ledger, own.signing_key(), (chain.own_witness(own.floor),))
    try:
        keeper.sign(int(time.time()))
    except (chain.ChainBroken, chain.LedgerUnavailable) as problem:
        complain(str(problem))


def _going_on(path: Path) -> tuple[MasterSecret, bool]:
    """A secret that is there, or a new one; and whether it was made just now."""
    return (master_secret(path), False) if path.exists() else new_secret(path)


def _recovery_page(lost: tuple[Lost, ...], secret: str) -> list[Block]:
    rows = [
        (
            one.table,
            ", ".join(map(str, one.commitments)),
            str(one.round) if one.round else "none",
            format_cents(one.returned_cents),
        )
        for one in lost
    ]
    said = f"The floor goes on with {secret}" if secret else "Nothing was changed"
    heads = ("Table", "Decks that nobody can open", "Round that is void", "Goes back")
    words = f"{said}. Rounds that are over lose nothing."
    told: Block = Table(heads, rows) if rows else Facts([("Lost", "nothing")])
    return [Heading("What is lost with the floor's secret", 1), told, Facts([("Now", words)])]


@ledger.command
def head(*, database: Database, as_json: Json = False) -> int:
    """Print where the ledger ends: the number of its last row and its hash."""
    with existing_ledger(database) as opened:
        found = opened.head()
    document = {"head": str(found), "seq": found.seq, "hash": found.hash.hex()}
    return tell(document, str(found), as_json=as_json)


@ledger.command
def sign(*, database: Database, key: KeyFile, as_json: Json = False) -> int:
    """Sign where the ledger ends now, with a key that is kept outside the database.

    The key is made the first time. Print or mail what this prints: only a head that is somewhere
    else shows that an end was cut off.
    """
    signer = chain.SigningKey.kept_in(Path(key))
    with existing_ledger(database, read_only=False) as opened:
        signed = chain.sign_head(opened, signer, at=int(time.time()))
    document = {
        "number": signed.number,
        "head": str(signed.head),
        "signed_at": signed.signed_at,
        "public_key": signed.public_key.hex(),
        "signature": signed.signature.hex(),
    }
    return tell(document, chain.show_signed_head(signed), as_json=as_json)


def _own_only(path: str, flags: int) -> int:
    """A file with everything in it is for its owner alone."""
    return os.open(path, flags, 0o600)


@ledger.command(name="export")
@refusable
def export_command(file: NewFile, /, *, database: Database, as_json: Json = False) -> int:
    """Write everything as JSON lines into a new file; the chain is checked on the way."""
    with existing_ledger(database) as opened:
        try:
            with open(file, "xb", opener=_own_only) as out:
                found = chain.export_ledger(opened, out)
        except OSError as problem:
            raise NotationError("export.file", f"{file}: {problem.strerror}") from None
        except chain.ChainBroken:
            Path(file).unlink(missing_ok=True)
            raise
    return _done(f"{found.seq} rows written to {file}", str(found), as_json=as_json)


@ledger.command(name="import")
@refusable
def import_command(file: str, /, *, database: Database, as_json: Json = False) -> int:
    """Fill an empty ledger from an export: all of it, or nothing and the line that is wrong.

    Parameters
    ----------
    file
        A file that `riverboat ledger export` wrote.
    """
    try:
        with Path(file).open("rb") as source, chain.open_ledger(database) as opened:
            found = chain.import_ledger(opened, source)
    except OSError as problem:
        raise NotationError("import.file", f"{file}: {problem.strerror}") from None
    return _done(f"{found.seq} rows read from {file}", str(found), as_json=as_json)


@ledger.command
@refusable
def copy(target: str, /, *, database: Database, as_json: Json = False) -> int:
    """Copy everything into an empty ledger, on either database, and see that both are equal.

    Parameters
    ----------
    target
        The other ledger's address: a path, sqlite:///path or postgresql://…
    """
    with existing_ledger(database) as opened, chain.open_ledger(target) as other:
        found = chain.copy_ledger(opened, other)
    return _done(f"{found.seq} rows copied to {target}, equal", str(found), as_json=as_json)


@ledger.command
@refusable
def backup(file: NewFile, /, *, database: Database, as_json: Json = False) -> int:
    """Make a verified copy as a SQLite file while others go on writing."""
    with existing_ledger(database) as opened:
        found = chain.backup_ledger(opened, Path(file)).head
    return _done(f"{found.seq} rows in {file}, verified", str(found), as_json=as_json)


def _done(words: str, head: str, *, as_json: bool) -> int:
    document = {"holds": True, "done": words, "head": head}
    return tell(document, f"{words}\nhead {head}", as_json=as_json)


_SECONDS_BETWEEN = 2.0


def _own_secret(database: str) -> MasterSecret | None:
    """The secret that `serve` would use for a ledger, where it is there and is this floor's."""
    from riverboat.web.server.serving import secrets_near

    with existing_ledger(database) as ledger:
        for path in filter(Path.is_file, secrets_near(database)):
            with suppress(OSError, NotationError, chain.LedgerMisfit):
                secret = MasterSecret(path.read_bytes())
                known_secret(ledger, secret)
                return secret
    return None


@app.command(name="verify")
def verify_command(
    *files: Annotated[str, Parameter(help="Rounds that were exported to files.")],
    database: Annotated[
        str | None, Parameter(help="A ledger's address: all of it is verified.")
    ] = None,
    secret: Secret = None,
    head: Annotated[
        list[str] | None,
        Parameter(negative="", help="A printed head, SEQ:HASH, or a signed one."),
    ] = None,
    key: Annotated[
        str | None, Parameter(help="The public key that must have signed every head.")
    ] = None,
    witness: Annotated[
        list[str] | None,
        Parameter(negative="", help="Who keeps heads of it: a file, or http://…"),
    ] = None,
    chain_only: Annotated[
        bool, Parameter(negative="", help="Only the chain and its heads: much faster.")
    ] = False,
    as_json: Json = False,
) -> int:
    """Check finished rounds, or with --database a whole ledger: every entry decided again.

    Files: commitment, cut, deal, every entry played again, every cent; several files of one table
    also for gaps in their numbers. A ledger: its chain and signed heads, every entry decided again
    under the configuration of its time, postings, meters, numbers and keys; the first thing that
    is wrong is named. With --chain-only nothing is decided again. The heads that this machine
    keeps are compared; without --secret, the one that `serve` would use is read. Exit status 0:
    all that can be checked is true; 1: something is not; 2: a file or the database cannot be read.
    """
    if database is not None:
        if files:
            raise NotationError("verify.both", "name files with rounds or a --database, not both")
        with existing_ledger(database) as ledger:
            changed = _changed_program(ledger)
        if changed:
            document, page = checks.changed_program(changed)
            return tell(document, page, as_json=as_json, holds=False)
        master = secret_in(secret) if secret is not None else _own_secret(database)
        public_key = _public_key(key)
        given = [_head(text) for text in head or []] + _seen(database, witness, master, public_key)
        if chain_only:
            return _verify_chain(database, given, public_key, as_json=as_json)
        return _verify_all(database, master, given, public_key, as_json=as_json)
    if chain_only:
        raise NotationError("verify.no_ledger", "--chain-only is about a --database")
    if not files:
        raise NotationError(
            "verify.no_file", "name at least one file with a finished round, or a --database"
        )
    return _verify_files(files, as_json=as_json)


def _verify_files(files: tuple[str, ...], *, as_json: bool) -> int:
    """Every file by itself, and the files of one table together."""
    books = editions()
    results = [_verified(file, books) for file in files]
    together = list(verify_together([one.file for one in results if one.file is not None]))
    for result in results:
        if result.error:
            complain(str(Problem(result.path, "round", result.error)))
    true = all(result.holds for result in results)
    status = tell(
        checks.verify_document(results, together),
        checks.verify_page(results, together),
        as_json=as_json,
        holds=true and all(check.result != "failed" for check in together),
    )
    return 2 if any(result.error for result in results) else status


def _verified(path: str, books: Books) -> Verified:
    """One file; one that is not there does not hide the others."""
    try:
        return verify_round(path, read_bytes(path), books)
    except RulebookError as missing:
        return Verified(path, None, error=missing.problems[0].message)


def _verify_all(
    database: str,
    secret: MasterSecret | None,
    heads: list[chain.Head | chain.SignedHead],
    key: bytes | None,
    *,
    as_json: bool,
) -> int:
    """The chain, and every entry decided again."""
    books = editions()
    with existing_ledger(database) as ledger:
        found = audit(ledger, books, secret, heads=heads, public_key=key, progress=_Progress())
    page = checks.audit_page(found)
    return tell(checks.audit_document(found), page, as_json=as_json, holds=found.holds)


def _verify_chain(
    database: str, heads: list[chain.Head | chain.SignedHead], key: bytes | None, *, as_json: bool
) -> int:
    """The chain and its heads, without deciding anything again."""
    told = _Progress()
    with existing_ledger(database) as ledger:
        began = time.perf_counter()
        verdict = chain.verify(
            ledger, heads, public_key=key, progress=lambda seq: told("chain", seq)
        )
        seconds = time.perf_counter() - began
    page = checks.chain_page(verdict, seconds)
    return tell(checks.chain_document(verdict, seconds), page, as_json=as_json, holds=verdict.holds)


def _seen(
    database: str,
    addresses: list[str] | None,
    secret: MasterSecret | None,
    public_key: bytes | None,
) -> list[chain.Head | chain.SignedHead]:
    """How far the ledger went, as its witnesses say: those that are named, and the file that this
    machine keeps."""
    named, key = [chain.witness_at(one) for one in addresses or []], public_key or b""
    own: list[chain.Witness] = []
    # What stands there is for the audit to say, and whether it is this floor's secret at all.
    with existing_ledger(database) as ledger, suppress(NotationError, chain.LedgerMisfit):
        own += [chain.own_witness(one.floor) for one in floor_entries(ledger)[-1:]]
        if secret is not None:
            key = known_secret(ledger, secret).signing_key().public_key
    heads: list[chain.Head | chain.SignedHead] = [head for one in own for head in one.seen(key)]
    for one in named:
        heads += _told_by(one, key)
    return heads


def _told_by(witness: chain.Witness, key: bytes) -> list[chain.Head]:
    """What somebody who is named has seen; who has seen nothing cannot be compared with, and a
    check that did not take place must not look like one that was passed."""
    if not key and isinstance(witness, chain.HttpWitness):
        text = f"{witness.name} keeps heads by the key that signs them: name --secret or --key too"
        raise NotationError("verify.witness", text)
    if not (seen := witness.seen(key)):
        text = f"{witness.name} has seen no head of this ledger: nothing can be compared with it"
        raise NotationError("verify.witness", text)
    return seen


@app.command(name="witness")
def witness_command(
    *,
    folder: Annotated[str, Parameter(help="Where the heads are kept, a file for each floor.")],
    host: Annotated[str, Parameter(help="Where to listen; default: this machine.")] = "127.0.0.1",
    port: Annotated[int, WHOLE, Parameter(help="The port.")] = 8611,
    as_json: Json = False,
) -> int:
    """Keep the signed heads of other floors, on a machine of its own.

    A floor that is started with --witness http://THIS:8611 tells every minute how far its ledger
    goes. This command keeps that, refuses a head that goes back, and tells whoever asks: so a
    ledger that lost its end, or an older copy in its place, is noticed when it starts and when it
    is verified. It holds no secret, and whoever reads its folder learns no more than row numbers
    and hashes.
    """
    server = chain.WitnessServer(host, port, Path(folder))
    address = f"http://{host}:{server.server_address[1]}"
    tell(
        {"address": address, "folder": folder}, f"Witness: {address}, in {folder}", as_json=as_json
    )
    sys.stdout.flush()
    with server, suppress(KeyboardInterrupt):
        server.serve_forever()
    return 0


def _head(text: str) -> chain.Head | chain.SignedHead:
    return chain.parse_signed_head(text) if text.lstrip().startswith("{") else chain.Head.read(text)


def _public_key(text: str | None) -> bytes | None:
    if text is None:
        return None
    if not fullmatch(r"[0-9a-f]{64}", text):
        raise NotationError("ledger.public_key", f"--key {text!r}: 64 digits of 0-9 a-f are a key")
    return bytes.fromhex(text)


class _Progress:
    """Says on standard error how far it has come, every few seconds."""

    def __init__(self) -> None:
        self._next = time.monotonic() + _SECONDS_BETWEEN

    def __call__(self, part: str, done: int) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _SECONDS_BETWEEN
            complain(f"riverboat verify: {part}, row {done:,}")
