"""A house's own rulebook as a house makes one: started with `rulebook new`, then edited.

Eight Boats plays with eight seats, street bets of one to five times the ante, a push from a pair of
fives on, and a three card bonus that a fold forfeits.
"""

from pathlib import Path

from riverboat.cli import run

NAME = "eight-boats"
BURNED = 1
"""Cards that are burned in each deal."""

_STREETS = ("SD-3CB.8-1", "SD-3CB.11-1", "SD-3CB.14-1")
_EDITS = (
    *(
        (
            f'bet = {{ multiples = [1, 2, 3], cites = ["{clause}", "C-07", "C-08"] }}',
            f'bet = {{ multiples = [1, 2, 3, 4, 5], cites = ["{clause}", "EB.2"] }}',
        )
        for clause in _STREETS
    ),
    (
        'ranks = "6789T", label = "A pair of 6\'s to 10\'s", printed = "Push", pays = "push", '
        'cites = ["SD-3CB.16.j"]',
        'ranks = "56789T", label = "A pair of 5\'s to 10\'s", printed = "Push", pays = "push", '
        'cites = ["SD-3CB.16.j", "EB.3"]',
    ),
    (
        'ranks = "2345", label = "any other hand", pays = "lose", cites = ["SD-3CB.1-4", ',
        'ranks = "234", label = "any other hand", pays = "lose", cites = ["EB.3", "SD-3CB.1-4", ',
    ),
    (
        '[fold.side_bets.three_card_bonus]\nafter_fold = "live"\ncites = [',
        '[fold.side_bets.three_card_bonus]\nafter_fold = "forfeited"\ncites = ["EB.4", ',
    ),
    (
        "burn_cards = 0\nface_down = true\ncites = [",
        f'burn_cards = {BURNED}\nface_down = true\ncites = ["EB.5", ',
    ),
)
_CLAUSES = f"""\
"EB.2" = {{number = "2", by = "engine", text = "A street bet is 1 to 5 times the Ante."}}
"EB.3" = {{number = "3", by = "engine", text = "A pair of 5s to 10s is a push."}}
"EB.4" = {{number = "4", by = "engine", text = "A fold forfeits the three card bonus."}}
"EB.5" = {{number = "5", by = "table_procedure", text = "Cards burned in a deal: {BURNED}."}}
"""


def eight_boats(folder: Path) -> Path:
    """The rulebook's file in a folder, with the tests that it was started with beside it."""
    file = folder / f"{NAME}.toml"
    start = ["rulebook", "new", NAME, "--from", "south-dakota-3cb", "--seats", "8"]
    assert run([*start, "--output", str(file)]) == 0
    text = file.read_text("utf-8")
    for was, becomes in _EDITS:
        assert text.count(was) == 1, was
        text = text.replace(was, becomes)
    file.write_text(text + _CLAUSES, "utf-8")
    return file
