"""Connections to PostgreSQL that never wait for ever.

The server's own timeouts end a statement that takes too long. They are of no use when the server
hangs or the network swallows packets: then the `Watch` cuts the connection, and whoever waited on
it gets an error at once.
"""

import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Condition, Thread
from typing import Any, Final

import psycopg

from riverboat.ledger.errors import LedgerUnavailable
from riverboat.ledger.postgres_reading import Link

SHORTEST_CONNECT_SECONDS: Final = 2
"""libpq takes a shorter timeout for this one."""


def connect(url: str, patience_seconds: float, *, read_only: bool) -> Link:
    """A connection on which a commit is durable when it is confirmed."""
    timeout = max(SHORTEST_CONNECT_SECONDS, int(patience_seconds))
    link: Link = psycopg.connect(
        url,
        autocommit=True,
        connect_timeout=timeout,
        keepalives_idle=timeout,
        keepalives_interval=1,
        keepalives_count=3,
        tcp_user_timeout=timeout * 1000,
        application_name="riverboat",
        client_encoding="utf8",
    )
    try:
        _prepare(link, patience_seconds, timeout, read_only=read_only)
    except BaseException:
        link.close()
        raise
    return link


def _prepare(link: Link, patience_seconds: float, timeout: int, *, read_only: bool) -> None:
    milliseconds = max(1, int(patience_seconds * 1000))
    link.execute(
        "select set_config('lock_timeout', %(ms)s, false),"
        " set_config('statement_timeout', '0', false),"
        " set_config('idle_in_transaction_session_timeout', '0', false),"
        # A client's host that vanishes is noticed by the server, which then lets go of its locks.
        " set_config('tcp_keepalives_idle', %(s)s, false),"
        " set_config('tcp_keepalives_interval', '1', false),"
        " set_config('tcp_keepalives_count', '3', false),"
        " set_config('default_transaction_isolation', 'read committed', false),"
        " set_config('default_transaction_read_only', %(read_only)s, false),"
        # A stronger setting of the server, which waits for replicas, is left alone.
        " case when current_setting('synchronous_commit') in ('off', 'local')"
        " then set_config('synchronous_commit', 'on', false) end",
        {"ms": str(milliseconds), "s": str(timeout), "read_only": "on" if read_only else "off"},
    )


def is_sound(link: Link) -> bool:
    """Whether a connection from the pool can be used; a server that went away left a mark on it."""
    if link.closed or link.broken:
        return False
    # What arrives on an idle connection is the end of it, or nothing that matters here.
    watched = socket.socket(fileno=os.dup(link.fileno()))
    with watched:
        try:
            return bool(watched.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT))
        except BlockingIOError:
            return True
        except OSError:
            return False


def explain(error: psycopg.Error) -> LedgerUnavailable:
    """A failed statement that certainly wrote nothing."""
    code = "ledger.busy" if isinstance(error, psycopg.errors.LockNotAvailable) else ""
    words = " ".join(str(error).split())
    return LedgerUnavailable(code or "ledger.unavailable", f"PostgreSQL: {words}")


class Watch:
    """Cuts connections whose answer does not come in time."""

    def __init__(self, patience_seconds: float) -> None:
        # The server is to say by itself that a lock was not to be had.
        self._patience = patience_seconds + 0.5
        self._deadlines: dict[int, tuple[float, Link]] = {}
        self._changed = Condition()
        self._thread: Thread | None = None
        self._closed = False

    @contextmanager
    def over(self, link: Link) -> Iterator[None]:
        """Cut this connection unless the `with` ends in time."""
        key = threading.get_ident()
        with self._changed:
            self._deadlines[key] = (time.monotonic() + self._patience, link)
            if self._thread is None:
                self._thread = Thread(target=self._watch, name="ledger watch", daemon=True)
                self._thread.start()
        try:
            yield
        finally:
            # No lock: it would cost the hot path a second one, and removing a key is atomic.
            self._deadlines.pop(key, None)

    def close(self) -> None:
        """Stop watching."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _watch(self) -> None:
        while True:
            with self._changed:
                self._changed.wait(self._patience / 4)
                if self._closed:
                    return
                late = [
                    (key, link)
                    for key, (deadline, link) in list(self._deadlines.items())
                    if deadline < time.monotonic()
                ]
                for key, link in late:
                    self._deadlines.pop(key, None)
                    _cut(link)


def _cut(link: Link) -> None:
    with suppress(Exception), socket.socket(fileno=os.dup(link.fileno())) as connection:
        connection.shutdown(socket.SHUT_RDWR)


def setting(link: Link, name: str) -> Any:
    """A setting of the server as it holds for this connection."""
    row = link.execute("select current_setting(%s)", (name,)).fetchone()
    assert row is not None
    return row[0]
