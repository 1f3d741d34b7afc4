"""Options held against what the house understands and against their own bounds."""

from collections.abc import Iterator

from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.conform import Misfit
from riverboat.rulebook.options import Choice, Flag, Integer, Money, Option, Rate, Text
from riverboat.rulebook.procedures import Conduct, Irregularity
from riverboat.rulebook.vocabulary import ALWAYS, OPTIONS
from riverboat.rulebook.walk import rules_of

KINDS: dict[type, str] = {
    Choice: "choice",
    Flag: "flag",
    Integer: "integer",
    Money: "money",
    Rate: "percent",
    Text: "text",
}


def option_misfits(book: Rulebook) -> Iterator[Misfit]:
    """Options that are unknown, missing, of the wrong kind, or out of their own bounds."""
    for name, option in book.options.items():
        known = OPTIONS.get(name)
        where = f"options.{name}"
        if known is None:
            yield Misfit(where, "no such option; the names are those of options.csv")
        elif KINDS[type(option)] != known.kind:
            yield Misfit(f"{where}.kind", f"is {KINDS[type(option)]}; {known.kind} is right")
        else:
            yield from _bounds(where, option, known.choices)
    for name in sorted(_needed(book) - book.options.keys()):
        yield Misfit(f"options.{name}", "missing; a part of this rulebook reads it")


def _bounds(where: str, option: Option, known_choices: tuple[str, ...]) -> Iterator[Misfit]:
    match option:
        case Choice():
            yield from _choice(where, option, known_choices)
        case Integer() if not option.minimum <= option.default <= option.maximum:
            yield Misfit(
                f"{where}.default",
                f"{option.default} is not allowed; {option.minimum} to {option.maximum} is",
            )
        case Money():
            yield from _money(where, option)
        case Rate() if (option.default is None) == (option.default_from is None):
            yield Misfit(f"{where}.default", "give either default or default_from")
        case Rate() if option.default is not None and option.default > 10_000:
            yield Misfit(f"{where}.default", f"{option.default} is more than the whole wager")


def _choice(where: str, option: Choice, known: tuple[str, ...]) -> Iterator[Misfit]:
    for value in option.choices:
        if value not in known:
            yield Misfit(
                f"{where}.choices", f"{value!r} is not allowed; allowed are {', '.join(known)}"
            )
    for value in (option.default, *option.default_when.values()):
        if value not in option.choices:
            yield Misfit(
                f"{where}.default",
                f"{value!r} is not allowed; allowed are {', '.join(option.choices)}",
            )


def _money(where: str, option: Money) -> Iterator[Misfit]:
    default = option.default
    if default is None:
        if (option.default_from is None) != option.none_allowed:
            yield Misfit(f"{where}.default", "give a default, default_from, or none_allowed = true")
        return
    if option.default_from is not None:
        yield Misfit(f"{where}.default", "give either default or default_from")
    if option.minimum is not None and default < option.minimum:
        yield Misfit(f"{where}.default", f"{default} is less than {option.minimum}")
    if option.maximum is not None and default > option.maximum:
        yield Misfit(f"{where}.default", f"{default} is more than {option.maximum}")
    if option.choices and default not in option.choices:
        allowed = ", ".join(map(str, option.choices))
        yield Misfit(f"{where}.default", f"{default} is not allowed; allowed are {allowed}")


def _needed(book: Rulebook) -> set[str]:
    """Options that the parts of this rulebook cannot do without."""
    parts = {ALWAYS, book.game, *(offer.bet for offer in book.side_bets)}
    needed = {name for name, known in OPTIONS.items() if known.needed in parts}
    for _, rule in rules_of(book):
        if isinstance(rule, Irregularity | Conduct) and rule.option:
            needed.add(rule.option)
    needed |= {method.sequence_option for method in book.dealing} - {""}
    if any(method.seat_cards == "by_option" for method in book.dealing):
        needed.add("two_card_method")
    if book.progressive is not None:
        needed |= {step.from_option for step in book.progressive.steps} - {""}
    needed |= {
        "fold_forfeits_side_bets"
        for part in (book.fold.bonus, book.fold.progressive)
        if part is not None and part.after_fold == "by_option"
    }
    return needed | _limits_needed(book)


def _limits_needed(book: Rulebook) -> set[str]:
    needed = {"deck_hours_hand", "deck_hours_shoe"} if book.deck_age is not None else set()
    if book.aggregate_limit.limit_option:
        needed.add(book.aggregate_limit.limit_option)
    match book.aggregate_limit.scope:
        case "hand":
            needed |= {"cap_scope", "pro_rata_unit"}
        case "round":
            needed.add("pro_rata_unit")
    if book.aggregate_limit.or_minimum_wager_win:
        needed.add("cap_second_limb_streets")
    return needed | ({"cut_bottom_margin"} if book.cut is not None else set())
