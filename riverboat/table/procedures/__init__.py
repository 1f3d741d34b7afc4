"""What is done at a table between its opening and its close, procedure by procedure."""
