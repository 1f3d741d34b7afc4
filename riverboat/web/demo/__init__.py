"""Demo tables: the programs that attend them, and people who take over a part."""
