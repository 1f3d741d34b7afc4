"""Everything that a ledger holds, decided again and compared."""
