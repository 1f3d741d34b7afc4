"""What every procedure of the day asks before it does anything."""

from riverboat.core.errors import NotationError, Refused
from riverboat.core.money import Cents, format_cents
from riverboat.rulebook import Rulebook
from riverboat.rulebook.rules import Rule
from riverboat.table.configuration.configure import Configuration
from riverboat.table.day import Day, Deck, Stage

SILENT: tuple[str, ...] = ()


def cited(rule: Rule | None) -> tuple[str, ...]:
    """What a rule comes from, where the rulebook has it."""
    return rule.cites if rule is not None else SILENT


def of_conduct(book: Rulebook, *names: str) -> tuple[str, ...]:
    """What is said of some conduct of players."""
    return tuple(c for rule in book.conduct if rule.rule in names for c in rule.cites)


def book_of(day: Day) -> Rulebook:
    """The rulebook that the table is played under."""
    return configured(day).setup.book


def configured(day: Day) -> Configuration:
    """How the table is set up, which it must be before anything else."""
    if day.configuration is None:
        text = "the table has no configuration; propose one and have it approved"
        raise Refused("table.not_configured", text, cites=SILENT)
    return day.configuration


def designation(day: Day) -> tuple[str, ...]:
    """What the rulebook says on setting a table aside for its game."""
    drawn = (one for one in book_of(day).layout if one.feature == "designation")
    return tuple(dict.fromkeys(cite for one in drawn for cite in one.cites))


def in_use(day: Day, cites: tuple[str, ...]) -> tuple[str, ...]:
    """Clauses without those that speak of another way to deal than the one in use."""
    setup = configured(day).setup
    ways = (way for way in setup.book.dealing if way.method != setup.dealing.method)
    others = [section for way in ways for section in way.sections]
    sequences = setup.dealing.sequence_sections
    mine = sequences.get(setup.named(setup.dealing.sequence_option) if sequences else "", SILENT)
    others += [one for some in sequences.values() for one in some if one not in mine]
    ages = _of_other_age(day)
    kept = (c for c in cites if c.startswith(mine) or not c.startswith(tuple(others)))
    return tuple(dict.fromkeys(c for c in kept if c not in ages))


def _of_other_age(day: Day) -> set[str]:
    """What says how old decks may be that are dealt otherwise."""
    options, age = book_of(day).options, configured(day).setup.dealing.deck_age
    said = {
        kind: options[f"deck_hours_{kind}"].cites
        for kind in ("hand", "shoe")
        if age and f"deck_hours_{kind}" in options
    }
    own = said.get(age, SILENT)
    return {c for kind, cites in said.items() if kind != age for c in cites if c not in own}


def require_open(day: Day) -> None:
    """The table is designated and not closed."""
    if day.phase == "closed":
        configured(day)
        raise Refused("table.closed", "the table is closed", cites=designation(day))


def require_no_round(day: Day, what: str, cites: tuple[str, ...] = SILENT) -> None:
    """Something that waits for the end of the round."""
    if day.in_round:
        text = f"{what} has to wait for the end of round {day.round_number}"
        raise Refused("round.in_progress", text, cites=cites)


def require_not_interrupted(day: Day) -> None:
    """Play goes on: nothing waits for the floor's signature."""
    if day.interrupted:
        text = f"play is interrupted until the floor has signed: {day.interrupted}"
        raise Refused("play.interrupted", text, cites=SILENT)


def require_day(day: Day) -> None:
    """A gaming day is open."""
    if not day.date:
        raise Refused("day.not_open", "no gaming day is open at this table", cites=SILENT)


def deck_named(day: Day, name: str) -> Deck:
    """A deck at the table."""
    deck = day.decks.get(name)
    if deck is None:
        there = ", ".join(day.decks) or "none"
        text = f"there is no deck {name!r} at the table; there is {there}"
        raise Refused("deck.unknown", text, cites=SILENT)
    return deck


def require_stage(deck: Deck, stages: tuple[Stage, ...], what: str, cites: tuple[str, ...]) -> None:
    """A deck that has come so far, and no farther."""
    if deck.stage not in stages:
        right = " or ".join(stage.replace("_", " ") for stage in stages)
        stands = deck.stage.replace("_", " ")
        text = f"{what} the {deck.name} deck, which is {stands}; it must be {right}"
        raise Refused("deck.not_now", text, cites=cites)


def require_amount(cents: Cents, what: str) -> None:
    """More than nothing."""
    if cents <= 0:
        text = f"{what} of {format_cents(cents)}; more than nothing is right"
        raise Refused("amount.not_positive", text, cites=SILENT)


def require_words(text: str, what: str) -> None:
    """A reason or a name that says something."""
    if not text.strip():
        raise NotationError("words.missing", f"{what} needs words, and there are none")
