"""Irregularities, voids and conduct: what goes wrong has a consequence that can be carried out."""

from collections.abc import Iterator

from riverboat.rulebook.book import IslandStud, MississippiStud, Rulebook
from riverboat.rulebook.citing_checks import once
from riverboat.rulebook.conform import Misfit
from riverboat.rulebook.options import Integer
from riverboat.rulebook.procedures import Conduct, Irregularity
from riverboat.rulebook.wager_checks import offered

# What can follow from each irregularity, and the option that decides where one does.
CONSEQUENCES: dict[str, tuple[str, ...]] = {
    "wrong_card_count": ("void_round",),
    "exposed_player_card": ("by_option", "continue", "void_round"),
    "exposed_community_card": ("by_option", "continue", "void_round"),
    "exposed_dealer_card": ("by_option", "continue", "void_round"),
    "six_card_box": ("by_option", "void_round"),
    "face_up_card": ("leave_card_out", "void_round"),
    "face_up_cards": ("void_round",),
    "card_drawn_in_error": ("use_as_next_card", "leave_card_out", "void_round"),
    "shuffler_jam": ("reshuffle", "void_round", "none"),
    "shuffler_count": ("remove_deck", "void_round", "none"),
    "shoe_jam": ("void_round", "none"),
    "wrong_stub_count": ("decide_whether_misdealt", "void_round"),
    "deck_count": ("void_round",),
    "device_out_of_use": ("suspend_until_covered_or_signed", "by_option", "none"),
}
DECIDES = {
    "exposed_player_card": "exposed_player_card",
    "exposed_community_card": "exposed_community_card",
    "exposed_dealer_card": "exposed_dealer_card",
    "six_card_box": "six_card_irregularity",
    "device_out_of_use": "device_down",
}
MAY_OVERRULE = "unwritten_irregularity"
HAVE_A_SEQUEL = ("void_round", "by_option", "leave_card_out", "remove_deck")
CONDUCT: dict[str, tuple[str, ...]] = {
    "leaving_the_table": ("by_option", "forfeits_all_wagers"),
    "one_position_per_player": ("by_option", "refused"),
    "sharing_hand_information": ("forfeits_all_wagers",),
}
CONDUCT_OPTIONS = {
    "leaving_the_table": "leaver",
    "one_position_per_player": "max_positions_per_player",
    "sharing_hand_information": "conduct_forfeits",
}
NEEDED_CONDUCT = ("leaving_the_table", "one_position_per_player")


def incident_misfits(book: Rulebook) -> Iterator[Misfit]:
    """What goes wrong at this table and finds no rule, or one that says what nobody can do."""
    yield from _irregularities(book)
    yield from _void(book)
    yield from _conduct(book)


def _irregularities(book: Rulebook) -> Iterator[Misfit]:
    there = {
        "exposed_community_card": isinstance(book, MississippiStud),
        "exposed_dealer_card": isinstance(book, IslandStud),
        "six_card_box": "six_card_bonus" in offered(book),
    }
    for name, allowed in CONSEQUENCES.items():
        rule, where = getattr(book.irregularities, name), f"irregularities.{name}"
        if rule is None:
            if there.get(name, False):
                yield Misfit(where, "missing; it can happen at this table")
        elif not there.get(name, True):
            yield Misfit(where, "it cannot happen at this table; remove it")
        else:
            yield from _irregularity(name, where, rule, allowed)


def _irregularity(
    name: str, where: str, rule: Irregularity, allowed: tuple[str, ...]
) -> Iterator[Misfit]:
    if rule.consequence not in allowed:
        yield Misfit(
            f"{where}.consequence",
            f"{rule.consequence} is not allowed; allowed are {', '.join(allowed)}",
        )
    elif rule.consequence == "by_option":
        if rule.option != DECIDES[name]:
            yield Misfit(f"{where}.option", f"{DECIDES[name]} decides it; name that option")
    elif rule.option not in ("", MAY_OVERRULE):
        yield Misfit(f"{where}.option", f"only {MAY_OVERRULE} may overrule; name it or none")
    if rule.then and rule.consequence not in HAVE_A_SEQUEL:
        yield Misfit(f"{where}.then", f"nothing follows {rule.consequence}; remove it")


def _void(book: Rulebook) -> Iterator[Misfit]:
    """A void gives everything back; the rulebook says so of everything there is."""
    stakes = ["progressive_stakes"] if book.progressive is not None else []
    wanted = ["wagers_on_the_table", "folded_wagers", *stakes, "tips"]
    if set(book.void.returns) != set(wanted):
        yield Misfit("void.returns", f"a void returns {', '.join(wanted)}; name each")


def _conduct(book: Rulebook) -> Iterator[Misfit]:
    rules = [rule.rule for rule in book.conduct]
    yield from once("conduct", [(rule,) for rule in rules])
    for name in NEEDED_CONDUCT:
        if name not in rules:
            yield Misfit("conduct", f"{name} is missing; {CONDUCT_OPTIONS[name]} is about it")
    for rule in book.conduct:
        yield from _rule_of_conduct(book, rule, f"conduct.{rule.rule}")


def _rule_of_conduct(book: Rulebook, rule: Conduct, where: str) -> Iterator[Misfit]:
    allowed = CONDUCT.get(rule.rule, ("refused", "forfeits_all_wagers", "reminder"))
    decides = CONDUCT_OPTIONS.get(rule.rule, "")
    if rule.consequence not in allowed:
        yield Misfit(
            f"{where}.consequence",
            f"{rule.consequence} is not allowed; allowed are {', '.join(allowed)}",
        )
    elif rule.consequence == "by_option" and rule.option != decides:
        yield Misfit(f"{where}.option", f"{decides} decides it; name that option")
    elif rule.option not in ("", decides):
        yield Misfit(f"{where}.option", f"{rule.option} is about something else; remove it")
    positions = book.options.get("max_positions_per_player")
    several = isinstance(positions, Integer) and positions.maximum > 1
    if rule.rule == "one_position_per_player" and rule.consequence == "refused" and several:
        yield Misfit(f"{where}.consequence", "an option allows more; by_option is right")
    if rule.until == "all_community_cards_revealed" and isinstance(book, IslandStud):
        yield Misfit(f"{where}.until", "there are no community cards; round_complete is right")
