"""What is left of a round for those who were not there: its file, its check, its stored form."""
