"""A table in the terminal: the shell around the engine, with its own dice, clock and keyboard."""
