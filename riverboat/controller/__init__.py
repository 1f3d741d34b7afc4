"""A table's controller: sensors, keypad, lamps and the supervisor's key. Pure."""
