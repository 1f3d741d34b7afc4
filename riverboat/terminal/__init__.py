"""A table in the terminal: the shell around the engine, with its own dice, clock and keyboard."""

from riverboat.terminal.sitting import play_sitting, play_table

__all__ = ["play_sitting", "play_table"]
