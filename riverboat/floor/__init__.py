"""The floor: many tables and meters on one ledger. Recall, decide, append, publish."""
