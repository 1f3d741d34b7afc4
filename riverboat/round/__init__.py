"""A round of Mississippi Stud or Island Stud under any rulebook: actions in, events out. Pure."""

from riverboat.round.engine import open_round, play, step
from riverboat.round.setup.setup import Setup, SetupRefused, set_up
from riverboat.round.state import Round, Seat, apply, replay

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
