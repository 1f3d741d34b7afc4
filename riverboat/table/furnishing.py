"""Felt, furniture and signs: the rulebook's standard set, and a stated set held against it."""

from collections.abc import Iterator

from riverboat.errors import Refused
from riverboat.rulebook import Rulebook
from riverboat.rulebook.procedures import Equipment, LayoutFeature, Sign
from riverboat.rulebook.wording import say
from riverboat.table.citing import about_configuration
from riverboat.table.submission import (
    DrawnFeature,
    Furniture,
    Place,
    Posted,
    PostedSign,
    Submission,
)

Offered = tuple[str, ...]

APPROVAL = "commission_approval"
DEVICES = ("automated_shuffler", "reshuffling_device", "manual_shoe")
BESIDE_THE_DEALER: tuple[Place, ...] = ("dealers_left", "dealers_right")
_POSTED: dict[str, tuple[Posted, ...]] = {
    "layout": ("layout",),
    "layout_or_sign": ("layout", "sign"),
    "placard_or_video_sign": ("placard", "video_sign"),
    "placard": ("placard",),
    "booklet": ("booklet",),
}


def _applies(when: str, offered: Offered) -> bool:
    return when == "always" or when in offered


# ------------------------------------------------------------------ the standard set


def standard_layout(book: Rulebook, offered: Offered) -> tuple[DrawnFeature, ...]:
    """Everything that the felt must show for what is offered."""
    return tuple(
        DrawnFeature(feature=rule.feature, label=rule.label) for rule in _drawn(book, offered)
    )


def standard_equipment(book: Rulebook, offered: Offered) -> tuple[Furniture, ...]:
    """Everything that must stand at the table for what is offered, in its own place."""
    return tuple(
        Furniture(item=rule.item, place=standard_place(book, rule), approved=rule.needs_approval)
        for rule in _required(book, offered)
    )


def standard_place(book: Rulebook, rule: Equipment) -> Place:
    """Where an item stands: of two that face each other the first is on the dealer's left."""
    if not rule.side:
        return ""
    if not rule.opposite:
        return "dealers_side"
    pair = [one.item for one in book.equipment if one.opposite and not one.alternative]
    return BESIDE_THE_DEALER[pair.index(rule.item) > 0]


def standard_signs(book: Rulebook, offered: Offered) -> tuple[PostedSign, ...]:
    """Everything that must be posted for what is offered."""
    return tuple(
        PostedSign(shows=rule.shows, where=_POSTED[rule.where][0])
        for rule in book.signs
        if _applies(rule.when, offered)
    )


def completed_equipment(book: Rulebook, stated: tuple[Furniture, ...]) -> tuple[Furniture, ...]:
    """Stated items with their standard place and approval where they say nothing else."""
    rules = {rule.item: rule for rule in book.equipment if not rule.alternative}
    done = []
    for entry in stated:
        rule = rules.get(entry.item)
        usual = standard_place(book, rule) if rule else ""
        granted = rule is not None and rule.needs_approval and entry.place != "elsewhere"
        done.append(
            Furniture(
                item=entry.item,
                place=entry.place or usual,
                approved=granted if entry.approved is None else entry.approved,
                because=entry.because,
            )
        )
    return tuple(done)


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
    book: Rulebook, submission: Submission, offered: Offered
) -> Iterator[Refused]:
    """Everything about felt, furniture and signs that the rulebook does not allow."""
    yield from _approval(book, submission)
    yield from _layout(book, submission.layout or (), offered)
    yield from _equipment(book, submission.equipment or (), offered)
    yield from _signs(book, submission.signs or (), offered)
    yield from _not_submitted(book, submission, offered)


def _refused(book: Rulebook, code: str, text: str, cites: tuple[str, ...]) -> Refused:
    return Refused(code, text, cites=about_configuration(book, cites))


def _approval(book: Rulebook, submission: Submission) -> Iterator[Refused]:
    for rule in book.layout:
        if rule.feature == APPROVAL and not submission.approvals.layout:
            text = "the layout is not approved; the regulator approves it before the table opens"
            yield _refused(book, "layout.not_approved", text, rule.cites)


def _layout(book: Rulebook, drawn: tuple[DrawnFeature, ...], offered: Offered) -> Iterator[Refused]:
    features = [rule.feature for rule in book.layout]
    left = list(drawn)
    for rule in _drawn(book, offered):
        by_name = rule.feature == "designation" or features.count(rule.feature) > 1
        found = next((one for one in left if _shows(one, rule, by_name=by_name)), None)
        if found is not None:
            left.remove(found)
            continue
        called = f" {rule.label!r}" if rule.label and by_name else ""
        other = next((one.label for one in left if one.feature == rule.feature), "")
        instead = f", but {other!r}" if other and by_name else ""
        bet = f" while the {say(rule.when)} is offered" if rule.when != "always" else ""
        text = f"the layout has no {say(rule.feature)}{called}{instead}{bet}"
        yield _refused(book, "layout.missing", text, rule.cites)


def _shows(drawn: DrawnFeature, rule: LayoutFeature, *, by_name: bool) -> bool:
    """Whether this is the feature; its name counts where it tells two features apart."""
    if drawn.feature != rule.feature:
        return False
    return not by_name or drawn.label.casefold() in ("", rule.label.casefold())


def _equipment(
    book: Rulebook, stated: tuple[Furniture, ...], offered: Offered
) -> Iterator[Refused]:
    there: dict[str, Furniture] = {entry.item: entry for entry in stated}
    for rule in _required(book, offered):
        entry = there.get(rule.item)
        if entry is None:
            bet = f" while the {say(rule.when)} is offered" if rule.when != "always" else ""
            text = f"the table has no {say(rule.item)}{bet}"
            yield _refused(book, "equipment.missing", text, rule.cites)
        elif entry.place == "elsewhere" and rule.side:
            yield from _elsewhere(book, rule, entry)
        else:
            yield from _in_place(book, rule, entry)
    yield from _facing(book, there)


def _in_place(book: Rulebook, rule: Equipment, entry: Furniture) -> Iterator[Refused]:
    on_the_side = not rule.side or entry.place.startswith(rule.side)
    if not on_the_side or (rule.opposite and entry.place not in BESIDE_THE_DEALER):
        right = f"{say(rule.place)}, " + ("left or right of the dealer" if rule.opposite else "")
        text = f"the {say(rule.item)} is at {say(entry.place)}; it stands {right.rstrip(', ')}"
        yield _refused(book, "equipment.misplaced", text, rule.cites)
    elif rule.needs_approval and not entry.approved:
        text = f"the place of the {say(rule.item)} is not approved by the regulator"
        yield _refused(book, "equipment.not_approved", text, rule.cites)


def _elsewhere(book: Rulebook, rule: Equipment, entry: Furniture) -> Iterator[Refused]:
    """Another place than the usual one: allowed by an alternative rule, approved and explained."""
    other = next((r for r in book.equipment if r.item == rule.item and r.alternative), None)
    if other is None:
        text = f"the {say(rule.item)} stands elsewhere; {rule.place} is right"
        yield _refused(book, "equipment.misplaced", text, rule.cites)
    elif other.needs_approval and not entry.approved:
        text = f"the {say(rule.item)} stands elsewhere without the regulator's approval"
        yield _refused(book, "equipment.not_approved", text, other.cites)
    elif not entry.because:
        text = (
            f"the {say(rule.item)} stands elsewhere, and nothing says what is in its way; "
            "state it as `because`"
        )
        yield _refused(book, "equipment.no_reason", text, other.cites)


def _facing(book: Rulebook, there: dict[str, Furniture]) -> Iterator[Refused]:
    """Two items that must be on opposite sides of the dealer; each pair is told once."""
    told: set[str] = set()
    for rule in book.equipment:
        if not rule.opposite or rule.item in told:
            continue
        told.add(rule.opposite)
        places = [there[item].place for item in (rule.item, rule.opposite) if item in there]
        if len(places) == 2 and places[0] == places[1] and places[0] in BESIDE_THE_DEALER:
            other = next(r for r in book.equipment if r.item == rule.opposite)
            text = (
                f"{say(rule.item)} and {say(rule.opposite)} are both at {say(places[0])}; "
                "they stand on opposite sides of the dealer"
            )
            yield _refused(book, "equipment.same_side", text, (*rule.cites, *other.cites))


def _signs(book: Rulebook, stated: tuple[PostedSign, ...], offered: Offered) -> Iterator[Refused]:
    for rule in book.signs:
        right = _POSTED[rule.where]
        posted = any(sign.shows == rule.shows and sign.where in right for sign in stated)
        if _applies(rule.when, offered) and not posted:
            yield _refused(book, "sign.missing", _no_sign(rule, right), rule.cites)


def _no_sign(rule: Sign, right: tuple[Posted, ...]) -> str:
    where = " or ".join(f"a {say(place)}" if place != "layout" else "the layout" for place in right)
    return f"no {say(rule.shows)} where players read it; {where} is right"


def _not_submitted(book: Rulebook, submission: Submission, offered: Offered) -> Iterator[Refused]:
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
            yield _refused(book, "side_bet.not_submitted", text, offer.cites)
