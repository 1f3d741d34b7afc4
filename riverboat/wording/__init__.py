"""Everything that can happen at a table, a keypad and a meter, and every citation, in words.

One sentence for each kind of event, used by pit log, replay, terminal, console and documents.
"""
