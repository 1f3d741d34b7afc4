"""Game protection: what forbidden knowledge is worth."""
