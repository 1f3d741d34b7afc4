"""The people who keep a meter: what they can ask for, and what follows. Pure."""
