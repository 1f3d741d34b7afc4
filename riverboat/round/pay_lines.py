"""From a kind of hand to the one line of a pay table that is for it."""

from riverboat.core.hands import Kind
from riverboat.rulebook.paytables import Line, PayTable, kinds, lines_for

Lines = dict[Kind, Line]


def index_lines(table: PayTable) -> Lines:
    """Every kind of hand with its line; a usable table has exactly one for each."""
    return {kind: lines_for(table, kind)[0] for kind in kinds(table)}
