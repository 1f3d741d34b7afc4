"""Options: what the operator of a table may choose, within which bounds, and the default.

An option that the document itself decides is `fixed`: the engine reads it like any other, and a
configuration that tries to change it is refused with the option's clauses.
"""

from typing import Literal, TypeAlias

from msgspec import field

from riverboat.rulebook.rules import Rule
from riverboat.rulebook.values import Dollars, Name, Percent, Words

DerivedFrom: TypeAlias = Literal["ante_maximum", "schedule"]


class Choice(Rule, frozen=True, kw_only=True, tag_field="kind", tag="choice"):
    """One of several named procedures."""

    meaning: Words
    default: Words
    choices: tuple[Words, ...]
    fixed: bool = False
    default_when: dict[Name, str] = field(default_factory=dict)


class Flag(Rule, frozen=True, kw_only=True, tag_field="kind", tag="flag"):
    """Yes or no."""

    meaning: Words
    default: bool
    fixed: bool = False
    default_when: dict[Name, bool] = field(default_factory=dict)


class Integer(Rule, frozen=True, kw_only=True, tag_field="kind", tag="integer"):
    """A whole number between two bounds, both allowed."""

    meaning: Words
    default: int
    minimum: int
    maximum: int
    fixed: bool = False


class Money(Rule, frozen=True, kw_only=True, tag_field="kind", tag="money"):
    """An amount in dollars; "none" where there may be no limit."""

    meaning: Words
    default: Dollars | None = None
    default_from: DerivedFrom | None = None
    none_allowed: bool = False
    choices: tuple[Dollars, ...] = ()
    minimum: Dollars | None = None
    maximum: Dollars | None = None
    fixed: bool = False
    must_be_stated: bool = False


class Rate(Rule, frozen=True, kw_only=True, tag_field="kind", tag="percent"):
    """A percentage with at most two decimals."""

    meaning: Words
    default: Percent | None = None
    default_from: DerivedFrom | None = None
    fixed: bool = False
    must_be_stated: bool = False


class Text(Rule, frozen=True, kw_only=True, tag_field="kind", tag="text"):
    """A name."""

    meaning: Words
    default: str | None = None
    default_from: DerivedFrom | None = None
    fixed: bool = False


Option: TypeAlias = Choice | Flag | Integer | Money | Rate | Text
