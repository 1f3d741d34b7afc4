"""Compiled loops. Only what is asked for here costs the start of a compiler."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from riverboat.exact.kernels import dealer_choices as dealer_choices
    from riverboat.exact.kernels import dealer_hands as dealer_hands
    from riverboat.exact.kernels import deck_tables as deck_tables
    from riverboat.exact.kernels import hand_values as hand_values
    from riverboat.exact.kernels import holes as holes
    from riverboat.exact.kernels import stayers as stayers
    from riverboat.exact.kernels import street_plans as street_plans
else:

    def __getattr__(name: str) -> ModuleType:
        """A module of this folder, loaded when it is first asked for."""
        if name.startswith("_"):
            raise AttributeError(name)
        return import_module(f"{__name__}.{name}")
