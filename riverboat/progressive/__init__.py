"""The progressive system: a table's controller, and the meter that tables share. Pure."""
