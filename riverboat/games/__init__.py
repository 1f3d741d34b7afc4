"""A round of Mississippi Stud or Island Stud under any rulebook: actions in, events out. Pure."""

from riverboat.games.engine import open_round, play, step
from riverboat.games.round import Round, Seat, apply, replay
from riverboat.games.setup import Setup, SetupRefused, set_up

__all__ = [
    "Round",
    "Seat",
    "Setup",
    "SetupRefused",
    "apply",
    "open_round",
    "play",
    "replay",
    "set_up",
    "step",
]
