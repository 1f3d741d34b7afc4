"""What commands on a ledger share: its address, the floor's secret, people."""

from pathlib import Path
from typing import Annotated, get_args

from cyclopts import Parameter

from riverboat.core.errors import NotationError
from riverboat.floor.keys import MasterSecret
from riverboat.ledger import Ledger, open_ledger
from riverboat.table.people import Actor, Role

Database = Annotated[
    str, Parameter(name="--database", help="A ledger: a path, sqlite:///path, or postgresql://…")
]
Secret = Annotated[
    str | None, Parameter(name="--secret", help="The floor's secret: opens rounds not yet over.")
]

By = Annotated[str, Parameter(name="--by", help="Who: NAME:ROLE, such as Flo:floorperson.")]
Second = Annotated[str, Parameter(name="--second", help="The second person: NAME:ROLE.")]


def existing_ledger(address: str, *, read_only: bool = True) -> Ledger:
    """A ledger that is there; nothing is made where there is none."""
    if not address:
        raise NotationError("ledger.url", "--database: name a path or a postgresql:// address")
    return open_ledger(address, create=False, read_only=read_only)


def secret_in(path: str | None) -> MasterSecret | None:
    """The secret in a file that is there; reading never makes one."""
    if path is None:
        return None
    try:
        return MasterSecret(Path(path).read_bytes())
    except OSError as problem:
        text = f"--secret {path}: {problem.strerror or 'cannot be read'}"
        raise NotationError("secret.file", text) from None
    except NotationError as problem:
        raise NotationError(problem.code, f"--secret {path}: {problem}") from None


def person(text: str) -> Actor:
    """Somebody as a command names them."""
    name, _, role = text.rpartition(":")
    roles = get_args(Role)
    if not name.strip() or role not in roles:
        allowed = ", ".join(roles)
        raise NotationError("person.unreadable", f"{text!r}: write NAME:ROLE; roles: {allowed}")
    return Actor(name=name.strip(), role=role)  # type: ignore[arg-type]
