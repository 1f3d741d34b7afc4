"""Irregularities, voids and conduct: what goes wrong has a consequence that can be carried out."""

from collections.abc import Iterator

from riverboat.rulebook.book import Rulebook
from riverboat.rulebook.citing_checks import once
from riverboat.rulebook.conform import Misfit
from riverboat.rulebook.options import Integer
from riverboat.rulebook.procedures import Conduct, Counts, Irregularity

# What can follow from each irregularity, and the option that decides where one does.
CONSEQUENCES: dict[str, tuple[str, ...]] = {
    "wrong_card_count": ("void_round",),
    "exposed_player_card": ("by_option", "continue", "void_round"),
    "exposed_community_card": ("by_option", "continue", "void_round"),
    "exposed_dealer_card": ("by_option", "continue", "void_round"),
    "wrong_box_count": ("by_option", "void_round"),
    "exposed_box_card": ("by_option", "void_round"),
    "face_up_card": ("leave_card_out", "void_round"),
    "face_up_cards": ("void_round",),
    "card_drawn_in_error": ("use_as_next_card", "leave_card_out", "void_round"),
    "shuffler_jam": ("reshuffle", "none"),
    "shuffler_count": ("remove_deck", "none"),
    "shoe_jam": ("void_round", "none"),
    "wrong_stub_count": ("decide_whether_misdealt",),
    "deck_count": ("void_round",),
    "device_out_of_use": ("suspend_until_covered_or_signed", "by_option", "none"),
    "late_progressive_chip": ("not_accepted",),
    "progressive_chip_mismatch": ("by_option",),
}
# Between which moments each can count that is reported of a round: the ends to choose from.
ENDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "wrong_card_count": ("first_card", ("hand_settled", "round_over")),
    "exposed_player_card": ("first_card", ("hand_settled", "round_over")),
    "exposed_community_card": ("first_card", ("community_cards_turned",)),
    "exposed_dealer_card": ("first_card", ("dealers_hand_turned",)),
    "wrong_box_count": ("first_card", ("hand_settled", "round_over")),
    "exposed_box_card": ("first_card", ("box_turned",)),
    "face_up_card": ("first_card", ("last_card_dealt",)),
    "face_up_cards": ("first_card", ("last_card_dealt",)),
    "card_drawn_in_error": ("first_card", ("last_card_dealt",)),
    "shuffler_jam": ("shuffle", ("shuffled",)),
    "shoe_jam": ("first_card", ("last_card_dealt", "round_over")),
    "deck_count": ("first_card", ("hand_settled", "round_over")),
    "late_progressive_chip": ("bets_closed", ("round_over",)),
    "progressive_chip_mismatch": ("bets_open", ("chips_collected",)),
    "leaving_the_table": ("bets_closed", ("hand_settled", "round_over")),
    "only_own_cards_touched": ("own_cards", ("community_cards_turned", "hand_settled")),
    "cards_in_view": ("own_cards", ("community_cards_turned", "hand_settled")),
    "sharing_hand_information": ("own_cards", ("community_cards_turned", "hand_settled")),
}
OF_A_DEVICE = ("shoe_jam",)
DECIDES = {
    "exposed_player_card": "exposed_player_card",
    "exposed_community_card": "exposed_community_card",
    "exposed_dealer_card": "exposed_dealer_card",
    "wrong_box_count": "six_card_irregularity",
    "exposed_box_card": "six_card_irregularity",
    "device_out_of_use": "device_down",
    "progressive_chip_mismatch": "chip_mismatch",
}
MAY_OVERRULE = "unwritten_irregularity"
# What is reported of a round and concerns its cards; only then is something done with them.
OF_THE_CARDS = set(ENDS) - {"late_progressive_chip", "progressive_chip_mismatch"}
_AFTER_A_VOID = ("reshuffle", "remove_deck", "suspend_table")
# What can follow a consequence; a deck that is removed is not shuffled.
SEQUELS: dict[str, tuple[str, ...]] = {
    "void_round": _AFTER_A_VOID,
    "by_option": _AFTER_A_VOID,
    "leave_card_out": ("discard_rack",),
}
CONDUCT: dict[str, tuple[str, ...]] = {
    "leaving_the_table": ("by_option", "forfeits_all_wagers"),
    "one_position_per_player": ("by_option", "refused"),
    "sharing_hand_information": ("forfeits_all_wagers",),
    "only_own_cards_touched": ("forfeits_all_wagers", "reminder"),
    "cards_in_view": ("forfeits_all_wagers", "reminder"),
    "seated_players_only": ("refused",),
    "one_player_per_position": ("refused",),
    "stay_seated": ("reminder",),
    "responsible_for_own_hand": ("reminder",),
    "verify_progressive_accepted": ("reminder",),
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
        "exposed_community_card": bool(book.deal.community_cards),
        "exposed_dealer_card": bool(book.deal.dealer_cards),
        "wrong_box_count": bool(book.box_bets),
        "exposed_box_card": bool(book.box_bets),
        "late_progressive_chip": book.progressive is not None,
        "progressive_chip_mismatch": book.progressive is not None,
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
            yield from _counts(book, name, where, rule.counts)


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
    sequels = SEQUELS.get(rule.consequence, ()) if name in OF_THE_CARDS else ()
    for what in rule.then:
        if what not in sequels:
            right = ", ".join(sequels) or "nothing"
            yield Misfit(f"{where}.then", f"{what} cannot follow {rule.consequence}; {right} can")
    if {"reshuffle", "remove_deck"} <= set(rule.then):
        yield Misfit(f"{where}.then", "a removed deck is not shuffled; name one of the two")


def _counts(book: Rulebook, name: str, where: str, counts: Counts | None) -> Iterator[Misfit]:
    """What can be reported of a round says when it counts; what cannot be has its own moment."""
    if name not in ENDS or counts is None:
        if name in ENDS:
            yield Misfit(f"{where}.counts", "missing; say when it counts")
        elif counts is not None:
            yield Misfit(f"{where}.counts", "nobody reports it of a round; remove it")
        return
    begins, ends = ENDS[name]
    if not book.deal.community_cards:
        ends = tuple(end for end in ends if end != "community_cards_turned")
    if counts.begins != begins:
        yield Misfit(f"{where}.counts.begins", f"is {counts.begins}; only {begins} is played")
    if counts.ends not in ends:
        yield Misfit(f"{where}.counts.ends", f"is {counts.ends}; allowed is {' or '.join(ends)}")
    if counts.device and name not in OF_A_DEVICE:
        yield Misfit(f"{where}.counts.device", "it can happen without a device; remove it")


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
    allowed = CONDUCT[rule.rule]
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
    yield from _counts(book, rule.rule, where, rule.counts)
    if rule.earlier and rule.rule != "leaving_the_table":
        yield Misfit(f"{where}.earlier", "only who leaves can take wagers back; remove it")
