"""Many rounds, compiled: tables of any rulebook dealt, played and settled as the engine does."""
