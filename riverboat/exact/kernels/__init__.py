"""Compiled loops. Only what is imported from here costs the start of a compiler."""

from riverboat.exact.caching import keep_compiled_code

keep_compiled_code()
