"""Felt, furniture and signs: the rulebook's standard set, and a stated set held against it."""

from collections.abc import Iterator

from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.core.records import alike
from riverboat.rulebook import Rulebook
from riverboat.rulebook.procedures import Equipment, LayoutFeature, Position
from riverboat.rulebook.values import say, with_article
from riverboat.table.configuration import submission as s

Offered = tuple[str, ...]

APPROVAL = "commission_approval"
DEVICES = ("automated_shuffler", "reshuffling_device", "manual_shoe")
_FEATURES = {
    "operator_name": "name or logo of the operator",
    "seats_on_one_side": "betting positions on one side of the table",
    "dealer_opposite": "place for the dealer opposite the seats",
    "six_card_box": "box for the six card bonus's four cards",
    "third_area": "area for the 3rd Street bet",
    "fourth_area": "area for the 4th Street bet",
    "fifth_area": "area for the 5th Street bet",
}
_SHOWN = {
    "base_pay_table": "the base game's pay table",
    "progressive_pay_table": "the progressive's pay table",
    "all_odds": "the payout odds of all wagers",
    "street_multiples": "the multiples of the ante that a player may bet",
    "placard": "the progressive's placard",
    "rules_of_play": "the rules of play",
}
_POSTED: dict[str, tuple[s.Posted, ...]] = {
    "layout": ("layout",),
    "layout_or_sign": ("layout", "sign"),
    "placard_or_video_sign": ("placard", "video_sign"),
    "placard": ("placard",),
    "booklet": ("booklet",),
}


def _applies(when: str, offered: Offered) -> bool:
    return when == "always" or when in offered


# ------------------------------------------------------------------ the standard set


def standard_place(book: Rulebook, rule: Equipment) -> s.Place:
    """Where an item stands: at the first right place, and of two that face each other the second
    one at the last."""
    facing = [one.item for one in book.equipment if one.opposite and not one.alternative]
    if rule.opposite and facing.index(rule.item) > facing.index(rule.opposite):
        return rule.where[-1]
    return _first(rule.where)


def _first(where: tuple[Position, ...]) -> s.Place:
    return where[0] if where else ""


def standard_signs(book: Rulebook, offered: Offered) -> tuple[s.PostedSign, ...]:
    """Everything that must be posted for what is offered."""
    return tuple(
        s.PostedSign(shows=rule.shows, where=_POSTED[rule.where][0])
        for rule in book.signs
        if _applies(rule.when, offered)
    )


def completed_layout(
    book: Rulebook, offered: Offered, stated: tuple[s.DrawnFeature, ...] | None
) -> Iterator[s.DrawnFeature]:
    """The features that are stated, or else all that the felt must show for what is offered, at
    their standard place where they say nothing else."""
    usual = {rule.feature: _first(rule.where) for rule in book.layout}
    if stated is None:
        for rule in _drawn(book, offered):
            yield s.DrawnFeature(feature=rule.feature, label=rule.label, place=_first(rule.where))
    for one in stated or ():
        yield replace(one, place=one.place or usual.get(one.feature, ""))


def completed_equipment(
    book: Rulebook, offered: Offered, stated: tuple[s.Furniture, ...] | None
) -> Iterator[s.Furniture]:
    """The items that are stated, or else all that must stand at the table for what is offered, with
    their standard place and approval where they say nothing else."""
    rules = {rule.item: rule for rule in book.equipment if not rule.alternative}
    if stated is None:
        for one in _required(book, offered):
            right, wanted = standard_place(book, one), one.needs_approval
            yield alike(s.Furniture, one, place=right, approved=wanted)
    for entry in stated or ():
        rule = rules.get(entry.item)
        attached, approved = entry.attached, entry.approved
        if attached is None:
            attached = rule is not None and rule.attached
        if approved is None:
            approved = rule is not None and rule.needs_approval and entry.place != "elsewhere"
        place = entry.place or (standard_place(book, rule) if rule else "")
        yield replace(entry, place=place, attached=attached, approved=approved)


def _drawn(book: Rulebook, offered: Offered) -> Iterator[LayoutFeature]:
    for rule in book.layout:
        if rule.feature != APPROVAL and _applies(rule.when, offered):
            yield rule


def _required(book: Rulebook, offered: Offered) -> Iterator[Equipment]:
    for rule in book.equipment:
        if rule.need == "required" and rule.item not in DEVICES and _applies(rule.when, offered):
            yield rule


# ------------------------------------------------------------------ what is wrong with a stated set


def furnishing_problems(
    book: Rulebook, submission: s.Submission, offered: Offered
) -> Iterator[Refused]:
    """Everything about felt, furniture and signs that the rulebook does not allow."""
    for rule in book.layout:
        if rule.feature == APPROVAL and not submission.approvals.layout:
            text = "the layout is not approved; the regulator approves it before the table opens"
            yield s.refused_here(book, "layout.not_approved", text, rule.cites)
    yield from _layout(book, submission.layout or (), offered)
    yield from _equipment(book, submission.equipment or (), offered)
    yield from _signs(book, submission.signs or (), offered)
    yield from _not_submitted(book, submission, offered)


def _layout(
    book: Rulebook, drawn: tuple[s.DrawnFeature, ...], offered: Offered
) -> Iterator[Refused]:
    features = [rule.feature for rule in book.layout]
    left = list(drawn)
    for rule in _drawn(book, offered):
        by_name = rule.feature == "designation" or features.count(rule.feature) > 1
        # Its name counts where it tells two features apart.
        names = ("", rule.label.casefold())
        same = (one for one in left if one.feature == rule.feature)
        shown = (one for one in same if not by_name or one.label.casefold() in names)
        found = next(shown, None)
        called = f" {rule.label!r}" if rule.label and by_name else ""
        named = f"{_FEATURES.get(rule.feature, say(rule.feature))}{called}"
        if found is not None:
            left.remove(found)
            if not s.is_right(found.place, rule.where):
                text = _misplaced(named, found.place, rule.where)
                yield Refused("layout.misplaced", text, cites=rule.cites)
            continue
        other = next((one.label for one in left if one.feature == rule.feature), "")
        instead = f", but {other!r}" if other and by_name else ""
        bet = f" while the {say(rule.when)} is offered" if rule.when != "always" else ""
        text = f"the layout has no {named}{instead}{bet}"
        yield s.refused_here(book, "layout.missing", text, rule.cites)


def _misplaced(named: str, place: s.Place, where: tuple[Position, ...]) -> str:
    return f"the {named} is {s.spoken(place)}; it belongs {s.spoken_right(where)}"


def _equipment(
    book: Rulebook, stated: tuple[s.Furniture, ...], offered: Offered
) -> Iterator[Refused]:
    there: dict[str, s.Furniture] = {entry.item: entry for entry in stated}
    for rule in _required(book, offered):
        entry = there.get(rule.item)
        if entry is None:
            bet = f" while the {say(rule.when)} is offered" if rule.when != "always" else ""
            text = f"the table has no {say(rule.item)}{bet}"
            yield s.refused_here(book, "equipment.missing", text, rule.cites)
        elif entry.place == "elsewhere" and rule.where:
            yield from _elsewhere(book, rule, entry)
        else:
            yield from _in_place(book, rule, entry)
    yield from _facing(book, there)


def _in_place(book: Rulebook, rule: Equipment, entry: s.Furniture) -> Iterator[Refused]:
    if not s.is_right(entry.place, rule.where):
        text = _misplaced(say(rule.item), entry.place, rule.where)
        yield Refused("equipment.misplaced", text, cites=rule.cites)
    elif rule.attached and not entry.attached:
        yield _loose(rule)
    elif rule.needs_approval and not entry.approved:
        text = f"the place of the {say(rule.item)} is not approved by the regulator"
        yield s.refused_here(book, "equipment.not_approved", text, rule.cites)


def _loose(rule: Equipment) -> Refused:
    text = f"the {say(rule.item)} is not attached to the table; it must be, securely"
    return Refused("equipment.not_attached", text, cites=rule.cites)


def _elsewhere(book: Rulebook, rule: Equipment, entry: s.Furniture) -> Iterator[Refused]:
    """Another place than the usual one: allowed by an alternative rule, approved and explained."""
    other = next((r for r in book.equipment if r.item == rule.item and r.alternative), None)
    if other is None:
        text = _misplaced(say(rule.item), entry.place, rule.where)
        yield Refused("equipment.misplaced", text, cites=rule.cites)
    elif other.needs_approval and not entry.approved:
        text = f"the {say(rule.item)} stands elsewhere without the regulator's approval"
        yield s.refused_here(book, "equipment.not_approved", text, other.cites)
    elif rule.attached and not entry.attached:
        yield _loose(rule)
    elif not entry.because.strip():
        text = (
            f"the {say(rule.item)} stands elsewhere, and nothing says what is in its way; "
            "state it as `because`"
        )
        yield s.refused_here(book, "equipment.no_reason", text, other.cites)


def _facing(book: Rulebook, there: dict[str, s.Furniture]) -> Iterator[Refused]:
    """Two items that must be on opposite sides of the dealer; each pair is told once."""
    told: set[str] = set()
    for rule in book.equipment:
        if not rule.opposite or rule.item in told:
            continue
        told.add(rule.opposite)
        places = [there[item].place for item in (rule.item, rule.opposite) if item in there]
        if len(places) == 2 and places[0] == places[1] and places[0] in rule.where:
            other = next(r for r in book.equipment if r.item == rule.opposite)
            text = (
                f"{say(rule.item)} and {say(rule.opposite)} are both {s.spoken(places[0])}; "
                "they stand on opposite sides of the dealer"
            )
            yield s.refused_here(book, "equipment.same_side", text, (*rule.cites, *other.cites))


def _signs(book: Rulebook, stated: tuple[s.PostedSign, ...], offered: Offered) -> Iterator[Refused]:
    for rule in book.signs:
        right = _POSTED[rule.where]
        posted = [sign.where for sign in stated if sign.shows == rule.shows]
        if _applies(rule.when, offered) and not set(posted) & set(right):
            found = "only " + " and ".join(map(_on, posted)) if posted else "nowhere"
            places = " or ".join(map(_on, right))
            text = f"players find {_SHOWN[rule.shows]} {found}; {places} is right"
            yield s.refused_here(book, "sign.missing", text, rule.cites)


def _on(place: s.Posted) -> str:
    if place == "layout":
        return "on the layout"
    return f"{'in' if place == 'booklet' else 'on'} {with_article(say(place))}"


def _not_submitted(book: Rulebook, submission: s.Submission, offered: Offered) -> Iterator[Refused]:
    """A place to bet at that the submission does not offer, where only a submission allows it."""
    for offer in book.side_bets:
        if not offer.in_rules_submission or offer.bet in offered:
            continue
        features = {rule.feature for rule in book.layout if rule.when == offer.bet}
        items = {rule.item for rule in book.equipment if rule.when == offer.bet}
        shown = [one.feature for one in submission.layout or () if one.feature in features]
        here = [*shown, *(e.item for e in submission.equipment or () if e.item in items)]
        if here:
            text = f"the table has a {say(here[0])}, but the submission offers no {offer.label}"
            yield s.refused_here(book, "side_bet.not_submitted", text, offer.cites)
