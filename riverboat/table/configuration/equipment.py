"""Decks, shuffle, device and shoe: what goes without saying, and what the rulebook allows."""

from collections.abc import Iterator
from itertools import pairwise

from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.round.setup.setup import Draft
from riverboat.round.table_talk import number_of
from riverboat.rulebook import Rulebook
from riverboat.rulebook.procedures import DealingMethod, Equipment, TwoDecks
from riverboat.rulebook.values import say, with_article
from riverboat.table.configuration import submission as s

COMMUNITY_FIRST = "3-2"
_DESIGN = "house"
_BACKS = ("red", "blue", "green", "black")
_LOOKED_AFTER = ("required", "recommended")


def rule_for(book: Rulebook, item: str) -> Equipment | None:
    """The rulebook's rule about an item in its usual place."""
    return next((r for r in book.equipment if r.item == item and not r.alternative), None)


# ------------------------------------------------------------------ what goes without saying


def completed_apparatus(book: Rulebook, draft: Draft, filed: s.Submission) -> s.Submission:
    """The submission with decks, shuffle, device and shoe written out.

    That there is no shoe is said in `without` alone, so it stays there.
    """
    decks, stated = _decks(book, filed.decks), filed.device or s.Device()
    if "automated_shuffler" in filed.without:
        stated = replace(stated, shuffler=False)
    if "reshuffling_device" in filed.without:
        stated = replace(stated, reshuffles=False)
    shuffle = filed.shuffle or _shuffle(book, draft.dealing, decks, stated)
    has_shoe = "manual_shoe" not in filed.without
    rule, shoe = rule_for(book, "manual_shoe"), filed.shoe
    if rule is not None:
        shoe = shoe or s.Shoe(approved=True)
        shoe = replace(shoe, place=shoe.place or (rule.where[0] if rule.where else ""))
    return replace(
        filed,
        decks=decks,
        shuffle=shuffle,
        device=_device(book, draft.dealing, shuffle, stated),
        shoe=shoe if has_shoe else None,
        without=() if has_shoe or rule is None else ("manual_shoe",),
    )


def _decks(book: Rulebook, stated: s.Decks) -> s.Decks:
    count = stated.count or len(stated.each) or book.cards.decks
    cover_cards = stated.cover_cards
    if cover_cards is None:
        cover_cards = int(book.cards.cover_card)
    backs = (*_BACKS, *(f"back {number}" for number in range(len(_BACKS) + 1, count + 1)))
    return replace(
        stated,
        count=count,
        cards=stated.cards or book.cards.cards,
        cover_cards=cover_cards,
        each=stated.each or tuple(s.DeckKind(design=_DESIGN, back=back) for back in backs[:count]),
    )


def _shuffle(
    book: Rulebook, dealing: DealingMethod, decks: s.Decks, device: s.Device
) -> s.ShuffleMethod:
    """By the device where dealing, decks, rulebook or the submission itself speak of one; never
    where the submission says that there is none."""
    methods = book.shuffle.methods
    shuffler = rule_for(book, "automated_shuffler")
    by_device = device.shuffler is not False and (
        {"automated_shuffle", "automated_device"} & set(dealing.needs)
        or (decks.count or 0) > book.cards.decks
        or (shuffler is not None and shuffler.need == "required")
        or device.shuffler
    )
    wanted: s.ShuffleMethod = "automated" if by_device else "manual"
    if device.reshuffles and "continuous" in methods:
        wanted = "continuous"
    return wanted if wanted in methods else methods[0]


def _device(
    book: Rulebook, dealing: DealingMethod, shuffle: s.ShuffleMethod, stated: s.Device
) -> s.Device:
    rule = rule_for(book, "automated_shuffler")
    required = rule is not None and rule.need == "required"
    has_shuffler = stated.shuffler
    if has_shuffler is None:
        has_shuffler = shuffle != "manual" or required
    reshuffles = shuffle == "continuous" if stated.reshuffles is None else stated.reshuffles
    usual = book.deal.seat_cards if "automated_device" in dealing.needs else 0
    mode = rule.mode if rule is not None and rule.need in _LOOKED_AFTER and has_shuffler else ""
    return replace(
        stated,
        shuffler=has_shuffler,
        counts=reshuffles if stated.counts is None else stated.counts,
        reshuffles=reshuffles,
        packets=usual if stated.packets is None else stated.packets,
        mode=stated.mode or mode,
    )


# ------------------------------------------------------------------ what is wrong


def apparatus_problems(book: Rulebook, draft: Draft, submission: s.Submission) -> Iterator[Refused]:
    """Everything about cards and devices that the rulebook does not allow."""
    device = submission.device or s.Device()
    yield from _deck_problems(book, submission)
    yield from _shuffle_problems(book, draft.dealing, submission, device)
    yield from _device_problems(book, draft, submission, device)
    yield from _dealing_problems(book, draft, submission)


def _pair_problems(book: Rulebook, pair: TwoDecks, decks: s.Decks) -> Iterator[Refused]:
    for one, other in pairwise(decks.each):
        if pair.same_design and one.design != other.design:
            text = f"decks of the designs {one.design} and {other.design}; one design is right"
            yield s.refused_here(book, "decks.design", text, pair.cites)
        if pair.different_backs and one.back == other.back:
            text = f"two decks with {one.back} backs; backs of different colours are right"
            yield s.refused_here(book, "decks.backs", text, pair.cites)


def _deck_problems(book: Rulebook, submission: s.Submission) -> Iterator[Refused]:
    decks, rule, pair = submission.decks, book.cards, book.two_decks
    if decks.count == rule.decks:
        if rule.cover_card and decks.cover_cards != 1:
            text = f"{decks.cover_cards} cover cards; exactly one is right"
            yield s.refused_here(book, "decks.cover_card", text, rule.cites)
    elif pair is None or decks.count != rule.decks + 1:
        allowed = f"{rule.decks} is allowed" if pair is None else "one or two are allowed"
        cites = (*rule.cites, *(pair.cites if pair else ()))
        yield s.refused_here(book, "decks.count", f"{decks.count} decks; {allowed}", cites)
    elif pair.needs == "automated_shuffler" and submission.shuffle == "manual":
        text = "two decks without a shuffler; one deck is right where cards are shuffled by hand"
        yield s.refused_here(book, "decks.need_shuffler", text, pair.cites)
    else:
        yield from _pair_problems(book, pair, decks)
    if decks.cards != rule.cards:
        text = f"decks of {decks.cards} cards; {rule.cards} are right"
        yield s.refused_here(book, "decks.cards", text, rule.cites)


def _shuffle_problems(
    book: Rulebook, dealing: DealingMethod, submission: s.Submission, device: s.Device
) -> Iterator[Refused]:
    """The shuffle against rulebook, dealing and device; the first fault that is found tells all."""
    shuffle, methods = submission.shuffle, book.shuffle.methods
    shuffler = rule_for(book, "automated_shuffler")
    if shuffle not in methods:
        text = f"{with_article(str(shuffle))} shuffle; allowed are {', '.join(methods)}"
        yield s.refused_here(book, "shuffle.not_allowed", text, book.shuffle.cites)
    elif "automated_shuffle" in dealing.needs and shuffle == "manual":
        text = f"{dealing.method} dealing after a manual shuffle; only a shuffler's cards are right"
        yield s.refused_here(book, "shuffle.not_allowed", text, dealing.cites)
    elif not device.shuffler and (
        shuffle != "manual" or (shuffler is not None and shuffler.need == "required")
    ):
        text = f"{with_article(str(shuffle))} shuffle, and no shuffler at the table"
        yield s.refused_here(book, "device.missing", text, (shuffler or book.shuffle).cites)
    elif "shuffling_device" in dealing.needs and not device.shuffler:
        text = (
            f"{say(dealing.method)} without a shuffling device; only a mechanical shuffling device "
            f"dispenses packets of {number_of(book.deal.seat_cards, 'card')}"
        )
        yield s.refused_here(book, "device.missing", text, dealing.cites)
    elif shuffle == "continuous" and not device.reshuffles:
        text = "a continuous shuffle, and no device that reshuffles"
        rule = rule_for(book, "reshuffling_device") or book.shuffle
        yield s.refused_here(book, "device.missing", text, rule.cites)


def _reshuffling_problems(
    book: Rulebook, submission: s.Submission, device: s.Device
) -> Iterator[Refused]:
    rule = rule_for(book, "reshuffling_device")
    if not device.reshuffles:
        return
    if rule is None and submission.shuffle in book.shuffle.methods:
        text = "a device that reshuffles by itself; the rulebook has none"
        yield s.refused_here(book, "device.not_allowed", text, book.shuffle.cites)
    if rule is not None and rule.counts and not device.counts:
        text = (
            "a device that reshuffles by itself and does not count the cards; one that reshuffles "
            "and counts them is allowed"
        )
        yield s.refused_here(book, "device.does_not_count", text, rule.cites)
    if rule is not None and rule.needs_approval and not device.approved:
        text = "a device that reshuffles by itself, without the regulator's approval"
        yield s.refused_here(book, "device.not_approved", text, rule.cites)


def _device_problems(
    book: Rulebook, draft: Draft, submission: s.Submission, device: s.Device
) -> Iterator[Refused]:
    yield from _reshuffling_problems(book, submission, device)
    shuffler = rule_for(book, "automated_shuffler")
    if device.feeds_shoe and not (shuffler and shuffler.feeds_shoe):
        text = "a shuffler that fills a dealing shoe; the rulebook does not speak of one"
        yield s.refused_here(book, "device.not_allowed", text, (shuffler or book.shuffle).cites)
    looked_after = shuffler is not None and shuffler.need in _LOOKED_AFTER and shuffler.mode
    if shuffler and looked_after and device.shuffler and device.mode != shuffler.mode:
        text = f"a shuffler in the mode {device.mode!r}; {shuffler.mode!r} is right"
        yield s.refused_here(book, "device.mode", text, shuffler.cites)
    in_sequence = draft.dealing.sequence_option == "shoe_sequence"
    community_first = draft.settings.get("shoe_sequence") == COMMUNITY_FIRST
    if in_sequence and community_first and not device.reshuffles:
        text = "community cards before the players' cards; only a device that reshuffles does that"
        yield s.refused_here(book, "device.sequence", text, book.options["shoe_sequence"].cites)


def _dealing_problems(book: Rulebook, draft: Draft, submission: s.Submission) -> Iterator[Refused]:
    dealing, device = draft.dealing, submission.device or s.Device()
    together = "automated_device" in dealing.needs and dealing.seat_cards == "together"
    if together and device.packets != book.deal.seat_cards:
        shuffler = rule_for(book, "automated_shuffler")
        own = shuffler.cites if shuffler and shuffler.need in _LOOKED_AFTER else ()
        offered = number_of(device.packets or 0, "card")
        text = f"packets of {offered}; packets of {book.deal.seat_cards} are right"
        yield Refused("device.packets", text, cites=own or dealing.cites)
    if "approved_place" in dealing.needs:
        yield from _shoe_problems(book, dealing, submission.shoe)
    if dealing.only_when:
        text = f"{dealing.method} dealing is for when the device is out of use, not before"
        yield s.refused_here(book, "dealing.not_allowed", text, dealing.cites)
    elif needs_manual_approval(book, draft) and not submission.approvals.manual_dealing:
        text = "dealing by hand when the device is out of use, without the regulator's approval"
        yield Refused("dealing.not_approved", text, cites=book.options["device_down"].cites)


def _shoe_problems(
    book: Rulebook, dealing: DealingMethod, shoe: s.Shoe | None
) -> Iterator[Refused]:
    rule = rule_for(book, "manual_shoe")
    cites = rule.cites if rule else dealing.cites
    where = rule.where if rule else ()
    if shoe is None:
        text = (
            "dealing from a manual shoe, and the table has none; one at an approved place is right"
        )
        yield s.refused_here(book, "shoe.missing", text, cites)
    elif not s.is_right(shoe.place, where):
        text = f"the manual shoe is {s.spoken(shoe.place)}; it belongs {s.spoken_right(where)}"
        yield s.refused_here(book, "shoe.misplaced", text, cites)
    elif not shoe.approved:
        text = "a manual shoe whose place on the table is not approved; an approved one is right"
        yield s.refused_here(book, "shoe.not_approved", text, cites)


def needs_manual_approval(book: Rulebook, draft: Draft) -> bool:
    """Whether the operator wants to fall back on a method that the regulator must approve."""
    falls_back = draft.settings.get("device_down") == "manual"
    return falls_back and any("regulators_approval" in method.needs for method in book.dealing)


def apparatus_notices(book: Rulebook, draft: Draft, submission: s.Submission) -> Iterator[s.Notice]:
    """Where the document only recommends."""
    rule = rule_for(book, "automated_shuffler")
    if rule is None or rule.need != "recommended":
        return
    device = submission.device or s.Device()
    cites = s.about_configuration(book, rule.cites)
    if not device.shuffler:
        text = "no shuffler at the table; the document prefers one and does not require it"
        yield s.Notice(text, cites)
    elif "automated_device" not in draft.dealing.needs:
        text = "dealt by hand; the document prefers that the shuffler deals and does not require it"
        yield s.Notice(text, cites)
