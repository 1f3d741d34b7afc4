"""Compiled loops. Only what is imported from here costs the start of a compiler."""
