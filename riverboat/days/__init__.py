"""Days written down: a line for each thing that somebody does, played on a table and checked."""
