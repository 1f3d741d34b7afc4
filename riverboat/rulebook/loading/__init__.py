"""From a file's text to a rulebook, or to every misfit with its line."""
