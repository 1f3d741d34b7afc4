"""Rulebooks as data: their types, their parser, and what can be asked of one. Opens no file."""

from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.loading.parse import parse_rulebook

__all__ = ["Rulebook", "parse_rulebook"]
