"""Exact mathematics: every bet of a rulebook as fractions, from the rulebook that deals."""
