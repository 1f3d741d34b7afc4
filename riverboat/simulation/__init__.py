"""Many rounds, compiled: any table of a rulebook dealt, played and settled as the engine does it."""
