"""What goes wrong in a round, whether it counts now, and what the rulebook makes of it."""

from collections.abc import Iterator

from riverboat.core.errors import NotationError, Refused
from riverboat.core.records import alike
from riverboat.round import events as e
from riverboat.round.actions import Incident
from riverboat.round.betting import betting_is_open
from riverboat.round.settlement.payment import remaining
from riverboat.round.settlement.voids import void, void_bet
from riverboat.round.setup.setup import Setup
from riverboat.round.state import Round
from riverboat.round.streets import card_counts, collect_if_all_acted
from riverboat.rulebook.procedures import Conduct, Counts, Irregularity

CONDUCT = {
    "shares_hand": "sharing_hand_information",
    "leaves_table": "leaving_the_table",
    "touches_cards": "only_own_cards_touched",
    "cards_out_of_view": "cards_in_view",
}
IRREGULARITIES = (
    "wrong_card_count", "exposed_player_card", "exposed_community_card", "face_up_cards",
    "card_drawn_in_error", "shuffler_jam", "shoe_jam", "deck_count", "late_progressive_chip",
    "progressive_chip_mismatch",
)  # fmt: skip
KNOWN = (*IRREGULARITIES, *CONDUCT)
_SEQUELS = {
    "reshuffle": "shuffle the cards again",
    "remove_deck": "take the deck off the table",
    "suspend_table": "no round starts until the device is seen to",
    "discard_rack": "the card that was left out goes into the discard rack",
}
_EXPOSED_AT = {"six_card_box": "exposed_box_card", "dealer": "exposed_dealer_card"}
PLACES = ("", "community", "six_card_box", "dealer")
# Why something that was reported has no consequence, by what the record says of it.
OUT_OF_BOUNDS = {
    "before_bets_closed": "bets were still open",
    "before_shuffle": "no device was shuffling this round's cards; a jam in the deal is the shoe's",
    "before_first_card": "no card was being dealt yet",
    "before_own_cards": "the seat had no cards yet",
    "after_chips_collected": "the progressive chips were collected already",
    "after_last_card_dealt": "the cards were dealt already",
    "after_community_cards_turned": "no community card was still to be turned",
    "after_box_turned": "the box cards were turned already",
    "after_dealers_hand_turned": "the dealer's hand was not still to be turned",
    "after_hand_settled": "the hand was settled already",
    "without_automated_device": "no device deals the cards here",
}
OF_CHIPS = ("late_progressive_chip", "progressive_chip_mismatch")
_BEFORE_THE_DEAL = ("betting", "closed", "locked")


def places_of(setup: Setup) -> tuple[str, ...]:
    """Where something can go wrong at a table beside its seats: places that get cards, or none."""
    dealt = card_counts(setup, ())
    return ("", *(place for place in PLACES[1:] if place.removeprefix("six_card_") in dealt))


def can_be_reported(state: Round, what: str) -> bool:
    """Whether a report is taken at all: a round is played, with what went wrong in it."""
    if state.phase in ("over", "void") or (what in OF_CHIPS and state.setup.progressive is None):
        return False
    return what not in CONDUCT or bool(state.seats)


def incident(state: Round, action: Incident) -> Iterator[e.AnyEvent]:
    """Note it, and do what follows from it."""
    if action.what not in KNOWN:
        raise NotationError(
            "incident.unknown", f"{action.what!r} is no incident; there are {', '.join(KNOWN)}"
        )
    if state.phase in ("over", "void"):
        cites = state.setup.book.void.cites
        raise Refused("incident.too_late", "the round is over", cites=cites)
    _require_sense(state, action)
    rule = rule_for(state, action)
    if rule is None:
        yield _note(action, "no_rule")
        return
    outside = out_of_bounds(state, rule, action)
    if isinstance(rule, Conduct):
        yield from _conduct(state, rule, action, outside)
    elif outside:
        yield _note(action, outside)
    else:
        yield from _irregularity(state, rule, action)


def _require_sense(state: Round, action: Incident) -> None:
    """Seat 0 is no seat in particular, and no place is nowhere in particular."""
    if not 0 <= action.seat <= state.setup.seats:
        text = f"seat {action.seat}; the table has seats 1 to {state.setup.seats}"
        raise Refused("seat.unknown", text, cites=state.setup.book.options["seats"].cites)
    if action.what in CONDUCT and action.seat not in state.seats:
        raise Refused("seat.unknown", f"nobody plays at seat {action.seat}", cites=())
    if action.place not in PLACES:
        text = f"{action.place!r} is no place; there are {', '.join(PLACES[1:])}"
        raise NotationError("incident.unknown_place", text)
    if action.place not in places_of(state.setup):
        text = f"no cards are dealt to the {action.place.replace('_', ' ')} at this table"
        raise Refused("incident.no_such_place", text, cites=state.setup.book.deal.cites)
    if action.what in OF_CHIPS and state.setup.progressive is None:
        raise Refused("incident.no_progressive", "no progressive is offered here", cites=())
    if action.count < 0:
        raise NotationError("incident.bad_count", f"{action.count} is no number of cards or chips")


def _note(action: Incident, consequence: str) -> e.IncidentNoted:
    return alike(e.IncidentNoted, action, consequence=consequence)


# ---------------------------------------------------------------- which rule, and whether it counts


def rule_for(state: Round, action: Incident) -> Irregularity | Conduct | None:
    """The rule that an incident falls under. The box has its own only for its own faults."""
    book, name = state.setup.book, action.what
    if name in CONDUCT:
        return next((rule for rule in book.conduct if rule.rule == CONDUCT[name]), None)
    if name.startswith("exposed_"):
        name = _EXPOSED_AT.get(action.place, name)
    elif action.place == "six_card_box" and name == "wrong_card_count":
        name = "wrong_box_count"
    elif name == "face_up_cards" and action.count == 1 and not _counted_before(state, name):
        name = "face_up_card"
    found: Irregularity | None = getattr(book.irregularities, name)
    return found


def rule_of(state: Round, noted: e.IncidentNoted) -> Irregularity | Conduct | None:
    """The rule that an entry of the record fell under, as the round stood then."""
    earlier = Round(setup=state.setup, history=state.history[: state.history.index(noted)])
    return rule_for(earlier, alike(Incident, noted))


def cites_of(state: Round, noted: e.IncidentNoted) -> tuple[str, ...]:
    """Its clauses; first those that say when it counts, where that is why nothing followed."""
    rule = rule_of(state, noted)
    if rule is None:
        return ()
    bounds = rule.counts.cites if rule.counts and noted.consequence in OUT_OF_BOUNDS else ()
    return tuple(dict.fromkeys((*bounds, *rule.cites)))


def sequels(state: Round) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What is still to be done with the cards after what went wrong, each with its clauses."""
    done = ("void", "void_round", "leave_card_out")
    rules = [rule_of(state, noted) for noted in _noted(state) if noted.consequence in done]
    then = [(rule, what) for rule in rules if isinstance(rule, Irregularity) for what in rule.then]
    return tuple(dict.fromkeys((_SEQUELS[what], rule.cites) for rule, what in then))


def _noted(state: Round) -> Iterator[e.IncidentNoted]:
    return (event for event in state.history if isinstance(event, e.IncidentNoted))


def _counted_before(state: Round, what: str) -> bool:
    """Whether the same was reported earlier in the round, and counted."""
    same = (noted for noted in _noted(state) if noted.what == what)
    return any(noted.consequence not in OUT_OF_BOUNDS for noted in same)


def out_of_bounds(state: Round, rule: Irregularity | Conduct, action: Incident) -> str:
    """Why it does not count now or at this table, as the record has it; nothing where it does."""
    counts = rule.counts
    if counts is None:
        return ""
    if counts.device and counts.device not in state.setup.dealing.needs:
        return f"without_{counts.device}"
    if not _has_begun(state, counts, action.seat):
        return f"before_{counts.begins}"
    return f"after_{counts.ends}" if _has_ended(state, counts, action.seat) else ""


def floor_decides(state: Round, action: Incident) -> bool:
    """Whether the rule's option leaves it to the floor what follows, when it counts."""
    rule = rule_for(state, action) if action.what in KNOWN else None
    named = rule.option if isinstance(rule, Irregularity) else ""
    return bool(named) and state.setup.named(named) == "floor_decides"


def counts_now(state: Round, action: Incident) -> bool:
    """Whether anything could follow from a report of it: what a console offers."""
    rule = rule_for(state, action)
    return rule is not None and not out_of_bounds(state, rule, action)


def _has_begun(state: Round, counts: Counts, seat: int) -> bool:
    match counts.begins:
        case "bets_closed":
            return not betting_is_open(state)
        case "shuffle":
            return False  # A round is played with cards that are shuffled.
        case "first_card":
            return state.phase not in _BEFORE_THE_DEAL
        case "own_cards":
            return seat in state.seats and bool(state.seats[seat].cards)
    return True


def _has_ended(state: Round, counts: Counts, seat: int) -> bool:
    match counts.ends:
        case "shuffled":
            return True
        case "chips_collected":
            return state.phase not in _BEFORE_THE_DEAL
        case "last_card_dealt":
            return state.phase not in (*_BEFORE_THE_DEAL, "ready")
        case "community_cards_turned":
            turned = bool(state.community) and state.turned == len(state.community)
            return turned or state.at_settlement is not None  # Where all folded, none is turned.
        case "box_turned":
            return state.box_turned
        case "dealers_hand_turned":
            return state.dealer_turned or state.at_settlement is not None
        case "hand_settled":
            return _is_settled(state, seat)
    return False


def _is_settled(state: Round, seat: int) -> bool:
    """Whether a seat owes and is owed nothing any more; nobody's hand is never settled."""
    if state.at_settlement is None or not seat:
        return False
    return not any(due.seat == seat for due in remaining(state))


# ---------------------------------------------------------------- what follows


def _irregularity(state: Round, rule: Irregularity, action: Incident) -> Iterator[e.AnyEvent]:
    consequence = _consequence(state, rule, action)
    yield _note(action, consequence)
    if consequence == "deal_blocked":
        yield e.DealBlocked(reason="progressive chips and accepted wagers differ")
    if consequence == "void_six_card":
        for bet in state.setup.book.box_bets:
            yield from void_bet(state, bet)
    if consequence in ("void", "void_round"):
        yield from void(state, action.what)
        if "remove_deck" in rule.then:
            yield e.DeckRemoved()
        if "suspend_table" in rule.then and state.setup.choice("device_down") != "manual":
            yield e.TableSuspended()


def _right_count(state: Round, action: Incident) -> int | None:
    """How many cards a deck, a seat or a place should have, where that is what was counted."""
    if action.what == "deck_count":
        return state.setup.book.cards.cards
    if action.what != "wrong_card_count":
        return None
    place = action.place.removeprefix("six_card_") or str(action.seat)
    return card_counts(state.setup, sorted(state.seats)).get(place)


def _consequence(state: Round, rule: Irregularity, action: Incident) -> str:
    """What follows: the rule's own word, its option's, or the floor's where the floor decides; the
    deal waits for chips that are not the accepted wagers, or that is only noted."""
    if action.count == _right_count(state, action):
        return "continue"
    said = state.setup.named(rule.option) if rule.consequence == "by_option" else rule.consequence
    if floor_decides(state, action):
        said = action.decision or "continue"
    if action.what == "progressive_chip_mismatch":
        return "deal_blocked" if said == "block" else "warning"
    return said


def _conduct(state: Round, rule: Conduct, action: Incident, outside: str) -> Iterator[e.AnyEvent]:
    seat, consequence = state.seats[action.seat], _cost(state, rule, action, outside)
    yield _note(action, consequence)
    if consequence == "wagers_taken_back":
        for spot, cents in reversed(seat.wagers.items()):
            yield e.WagerTakenBack(seat=action.seat, spot=spot, cents=cents)
    elif consequence == "forfeits_all_wagers":
        forfeited = e.SeatForfeited(seat=action.seat, spots=tuple(seat.wagers.items()))
        yield forfeited
        if state.phase == "deciding":
            yield from collect_if_all_acted(state, [forfeited])


def _cost(state: Round, rule: Conduct, action: Incident, outside: str) -> str:
    """What it comes to. Where only the giver forfeits, the first who shares is the giver."""
    if state.seats[action.seat].status == "forfeit":
        return "no_offence"
    if outside:
        return rule.earlier if outside.startswith("before_") and rule.earlier else outside
    if rule.consequence == "reminder":
        return "reminder"
    if rule.option == "leaver" and state.setup.choice("leaver") == "fold":
        return "leaves"
    only_giver = state.setup.choice("conduct_forfeits") == "giver"
    shared = rule.option == "conduct_forfeits" and only_giver
    return "no_offence" if shared and _counted_before(state, action.what) else "forfeits_all_wagers"
