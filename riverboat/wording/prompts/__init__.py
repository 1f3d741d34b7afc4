"""What comes next at a table: who does it, the words, the clause."""
