"""What an operator files for a table, held against the rulebook, and what it comes to."""
