"""Base games: against a pay table with street decisions, and against a dealer."""
