"""The same PostgreSQL as the ledger's own tests have."""

from tests.ledger.conftest import server

__all__ = ["server"]
