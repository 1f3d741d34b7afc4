"""What goes wrong in a round, and what the rulebook makes of it."""

from collections.abc import Iterator

from riverboat import events as e
from riverboat.errors import NotationError, Refused
from riverboat.games.actions import Incident
from riverboat.games.deciding import collect_if_all_acted
from riverboat.games.round import Round
from riverboat.games.voiding import void
from riverboat.rulebook.procedures import Conduct, Irregularity

CONDUCT = {
    "shares_hand": "sharing_hand_information",
    "leaves_table": "leaving_the_table",
    "touches_cards": "only_own_cards_touched",
    "cards_out_of_view": "cards_in_view",
}
IRREGULARITIES = (
    "wrong_card_count",
    "exposed_player_card",
    "exposed_community_card",
    "face_up_cards",
    "card_drawn_in_error",
    "shuffler_jam",
    "shoe_jam",
    "deck_count",
)
KNOWN = (*IRREGULARITIES, *CONDUCT, "late_progressive_chip", "progressive_chip_mismatch")
PLACES = ("", "community", "six_card_box", "dealer")


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
    if action.what in CONDUCT:
        yield from _conduct(state, action)
    elif action.what == "late_progressive_chip":
        yield _note(action, "not_accepted")
    elif action.what == "progressive_chip_mismatch":
        yield from _mismatch(state, action)
    else:
        yield from _irregularity(state, action)


def _require_sense(state: Round, action: Incident) -> None:
    """Seat 0 is no seat in particular, and no place is nowhere in particular."""
    if not 0 <= action.seat <= state.setup.seats:
        text = f"seat {action.seat}; the table has seats 1 to {state.setup.seats}"
        raise Refused("seat.unknown", text, cites=state.setup.book.options["seats"].cites)
    if action.place not in PLACES:
        text = f"{action.place!r} is no place; there are {', '.join(PLACES[1:])}"
        raise NotationError("incident.unknown_place", text)
    if action.count < 0:
        raise NotationError("incident.bad_count", f"{action.count} is no number of cards or chips")


def _note(action: Incident, consequence: str) -> e.IncidentNoted:
    return e.IncidentNoted(
        what=action.what,
        consequence=consequence,
        seat=action.seat,
        place=action.place,
        count=action.count,
    )


def rule_for(state: Round, action: Incident) -> Irregularity | None:
    """The rule that an incident falls under."""
    rules = state.setup.book.irregularities
    name = action.what
    if action.place == "six_card_box" and rules.six_card_box is not None:
        return rules.six_card_box
    if action.place == "dealer" and name.startswith("exposed_"):
        return rules.exposed_dealer_card
    if name == "face_up_cards" and action.count == 1 and not _face_up_before(state):
        name = "face_up_card"
    found = getattr(rules, name)
    return found if isinstance(found, Irregularity) else None


def _face_up_before(state: Round) -> bool:
    """Whether a face-up card was found in this deal already: the next one makes two."""
    return any(
        isinstance(event, e.IncidentNoted) and event.what == "face_up_cards"
        for event in state.history
    )


def _irregularity(state: Round, action: Incident) -> Iterator[e.AnyEvent]:
    rule = rule_for(state, action)
    if rule is None:
        yield _note(action, "no_rule")
        return
    if action.what == "deck_count" and action.count == state.setup.book.cards.cards:
        yield _note(action, "continue")
        return
    consequence = _consequence(state, rule, action)
    yield _note(action, consequence)
    if consequence == "void_six_card":
        yield from _void_six_card(state)
    if consequence not in ("void", "void_round"):
        return
    yield from void(state, action.what)
    if "remove_deck" in rule.then:
        yield e.DeckRemoved()
    if "suspend_table" in rule.then and state.setup.choice("device_down") != "manual":
        yield e.TableSuspended()


def _consequence(state: Round, rule: Irregularity, action: Incident) -> str:
    """What follows: the rule's own word, its option's, or the floor's where the floor decides."""
    chosen = state.setup.choice(rule.option) if rule.option else ""
    if rule.consequence == "by_option" and chosen != "floor_decides":
        return chosen
    if chosen == "floor_decides":
        return action.decision or "continue"
    return rule.consequence


def _void_six_card(state: Round) -> Iterator[e.AnyEvent]:
    for number, seat in sorted(state.seats.items()):
        if "six_card_bonus" in seat.wagers:
            yield e.WagerReturned(
                seat=number,
                spot="six_card_bonus",
                cents=seat.wagers["six_card_bonus"],
                source="spot",
            )


def _conduct(state: Round, action: Incident) -> Iterator[e.AnyEvent]:
    name = CONDUCT[action.what]
    rule = next((rule for rule in state.setup.book.conduct if rule.rule == name), None)
    seat = state.seats.get(action.seat)
    if seat is None:
        raise Refused("seat.unknown", f"nobody plays at seat {action.seat}", cites=())
    if rule is None or not _offends(state, rule) or seat.status == "forfeit":
        yield _note(action, "no_rule" if rule is None else "no_offence")
        return
    if rule.consequence == "reminder":
        yield _note(action, "reminder")
        return
    if rule.option == "leaver" and state.setup.choice("leaver") == "fold":
        yield _note(action, "leaves")
        return
    if rule.option == "conduct_forfeits" and _is_receiver(state, action):
        yield _note(action, "no_offence")
        return
    yield _note(action, "forfeits_all_wagers")
    forfeited = e.SeatForfeited(seat=action.seat, spots=tuple(seat.wagers.items()))
    yield forfeited
    if state.phase == "deciding":
        yield from collect_if_all_acted(state, [forfeited])


def _offends(state: Round, rule: Conduct) -> bool:
    """Sharing a hand is no offence any more when all community cards lie open."""
    revealed = bool(state.community) and state.turned == len(state.community)
    return not (rule.until == "all_community_cards_revealed" and revealed)


def _is_receiver(state: Round, action: Incident) -> bool:
    """Where only the giver forfeits, the first who shares is the giver."""
    earlier = any(
        isinstance(event, e.IncidentNoted) and event.what == action.what for event in state.history
    )
    return state.setup.choice("conduct_forfeits") == "giver" and earlier


def _mismatch(state: Round, action: Incident) -> Iterator[e.AnyEvent]:
    rule = state.setup.book.progressive
    if state.setup.progressive is None or state.phase not in ("betting", "closed", "locked"):
        cites = rule.collection.cites if rule is not None else ()
        raise Refused("incident.not_now", "there are no progressive chips to count", cites=cites)
    if state.setup.choice("chip_mismatch") == "block":
        yield _note(action, "deal_blocked")
        yield e.DealBlocked(reason="progressive chips and accepted wagers differ")
    else:
        yield _note(action, "warning")
