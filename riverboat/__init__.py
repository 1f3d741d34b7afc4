"""Riverboat: the open table-games system for Mississippi Stud and Island Stud."""

__version__ = "0.1.0"
