"""A table's day: its configuration, its cards, its rounds, and everybody at it. Pure."""
