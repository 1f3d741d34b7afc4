"""Felt, furniture, signs and devices: what a table cannot be without, and where everything is.

The rulebooks are asked in the tests' own words, so that the house's reading is not its own witness.
"""

from collections.abc import Iterator
from itertools import product
from typing import get_args

import pytest
from msgspec.structs import replace

from riverboat.core.errors import Refused
from riverboat.rulebook import Rulebook
from riverboat.rulebook.procedures import FEATURES, Item, Position, Shows
from riverboat.rulebooks import load_all
from riverboat.table.configuration.configure import (
    Configuration,
    ConfigurationRefused,
    configure,
    standard_submission,
)
from riverboat.table.configuration.submission import (
    Approvals,
    Decks,
    Device,
    Furniture,
    Place,
    Shoe,
    ShuffleMethod,
    Submission,
)
from tests.conftest import Report

BOOKS = {loaded.book.id: loaded.book for loaded in load_all()}
AREAS = {
    f"{spot}_area"
    for book in BOOKS.values()
    for spot in (*book.base_spots, *(offer.bet for offer in book.side_bets))
}
EVERYTHING = (*FEATURES, *AREAS, *get_args(Item), *get_args(Shows))
ONLY_FROM_A_SHUFFLER = {
    ("maryland-2014", "hand"),
    ("south-dakota-3cb", "packets"),
    ("south-dakota-2011", "packets"),
}
PLACES = [place for member in get_args(Place) for place in get_args(member) or (member,)]
WITHIN = {
    "dealers_side": {"dealers_side", "dealers_left", "dealers_right"},
    "on_table": {"on_table", "dealers_side", "dealers_left", "dealers_right"},
}


def configured(submission: Submission) -> Configuration:
    return configure(BOOKS[submission.rulebook], submission, rulebook_sha256="")


def problems_of(submission: Submission) -> tuple[Refused, ...]:
    try:
        configured(submission)
    except ConfigurationRefused as refused:
        return refused.problems
    return ()


# ------------------------------------------------------------------ tables to try it at


def side_bets(book: Rulebook) -> Iterator[dict[str, str]]:
    """Every set of side bets, each under its first pay table."""
    for taken in product((False, True), repeat=len(book.side_bets)):
        yield {
            offer.bet: offer.paytables[0]
            for offer, wanted in zip(book.side_bets, taken, strict=True)
            if wanted
        }


def tables(book: Rulebook) -> Iterator[Submission]:
    """Every valid table that differs in side bets, dealing, shuffle, decks or order of the deal."""
    shuffles: tuple[ShuffleMethod, ...] = get_args(ShuffleMethod)
    for bets in side_bets(book):
        for method, shuffle, decks in product(book.dealing, (None, *shuffles), (1, 2)):
            for sequence in ("", "3-2") if "shoe_sequence" in book.options else ("",):
                choices = {**bets, "dealing": method.method}
                choices |= {"shoe_sequence": sequence} if sequence else {}
                one = Submission(
                    rulebook=book.id,
                    table=standard_submission(book, choices).table,
                    decks=Decks(count=decks),
                    shuffle=shuffle,
                    device=Device(approved=True, reshuffles=True if sequence else None),
                    approvals=Approvals(manual_dealing=True),
                )
                if not problems_of(one):
                    yield one


def offered(submission: Submission) -> set[str]:
    bets: set[str] = {offer.bet for offer in BOOKS[submission.rulebook].side_bets}
    return bets & set(submission.table)


def clauses_that_need(name: str, submission: Submission) -> set[str]:
    """The clauses by which this very table cannot be without something."""
    book, bets = BOOKS[submission.rulebook], {"always", *offered(submission)}
    rules = [rule for rule in book.layout if rule.feature == name and rule.when in bets]
    rules += [rule for rule in book.signs if rule.shows == name and rule.when in bets]  # type: ignore[misc]
    items = [rule for rule in book.equipment if rule.item == name and not rule.alternative]
    rules += [rule for rule in items if rule.need == "required" and rule.when in bets]  # type: ignore[misc]
    found = {cite for rule in rules for cite in rule.cites}
    if chosen_with(name, submission):
        dealing = next(m for m in book.dealing if m.method == submission.table["dealing"])
        pair = book.two_decks.cites if book.two_decks else ()
        shoe = book.options["shoe_sequence"].cites if "shoe_sequence" in book.options else ()
        own = {cite for rule in items for cite in rule.cites}
        found |= own | {*dealing.cites, *book.shuffle.cites, *pair, *shoe}
    return found


def chosen_with(name: str, submission: Submission) -> bool:
    """Whether something is needed because of how this table shuffles and deals."""
    dealing, shuffle = submission.table["dealing"], submission.shuffle
    reshuffles = submission.device is not None and submission.device.reshuffles is True
    community_first = dealing == "automated" and submission.table.get("shoe_sequence") == "3-2"
    match name:
        case "manual_shoe":
            return dealing == "manual_shoe"
        case "automated_shuffler":
            by_device = (submission.rulebook, dealing) in ONLY_FROM_A_SHUFFLER
            machine = shuffle in ("automated", "continuous") or (shuffle is None and reshuffles)
            return machine or by_device or submission.decks.count == 2
        case "reshuffling_device":
            return shuffle == "continuous" or community_first
    return False


def without(submission: Submission, name: str) -> Submission:
    """The same table, and of its device only what does not contradict that."""
    device = submission.device
    if name == "reshuffling_device" and device is not None:
        device = replace(device, reshuffles=None)
    return replace(submission, without=(name,), device=device)


@pytest.mark.slow
@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_what_a_table_needs_cannot_be_left_out_and_what_it_does_not_need_can(
    book: Rulebook, report: Report
) -> None:
    refused = taken = 0
    for table in tables(book):
        for name in EVERYTHING:
            needed = clauses_that_need(name, table)
            problems = problems_of(without(table, name))
            said = f"{name} at {table.table}, {table.shuffle}, {table.decks}"
            assert bool(problems) == bool(needed), f"{said}: {problems}"
            for problem in problems:
                assert set(problem.cites) & needed, f"{said}: {problem} {problem.cites}"
            refused, taken = refused + bool(needed), taken + (not needed)
    report(f"{book.id}: left out {refused + taken} things, refused {refused}, allowed {taken}")
    assert refused > 30
    assert taken > 100


def test_everything_that_a_rulebook_asks_for_was_left_out_somewhere() -> None:
    asked: set[str] = set()
    for book in BOOKS.values():
        asked |= {rule.feature for rule in book.layout} | {rule.item for rule in book.equipment}
        asked |= {rule.shows for rule in book.signs}
    needed = {
        name
        for book in BOOKS.values()
        for table in tables(book)
        for name in asked
        if clauses_that_need(name, table)
    }
    assert needed == asked


def test_a_table_that_is_without_a_shoe_stays_so_when_it_is_written_out() -> None:
    filed = Submission(
        rulebook="maryland-2014", table={"dealing": "hand"}, without=("manual_shoe", "keypad")
    )
    written = configured(filed).submission
    assert (written.shoe, written.without) == (None, ("manual_shoe",))
    assert configured(written).sha256 == configured(filed).sha256
    with_one = replace(filed, without=())
    assert configured(with_one).sha256 != configured(filed).sha256


# ------------------------------------------------------------------ where everything is


def right(place: str, where: tuple[str, ...]) -> bool:
    return any(place in WITHIN.get(one, {one}) for one in where)


def whole(book: Rulebook) -> Submission:
    """A table that offers everything, written out."""
    bets: dict[str, str | int | bool] = {bet.bet: bet.paytables[0] for bet in book.side_bets}
    return configured(standard_submission(book, bets)).submission


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_a_part_of_the_felt_is_taken_at_its_right_places_and_refused_at_all_others(
    book: Rulebook, report: Report
) -> None:
    table, tried = whole(book), 0
    drawn = table.layout or ()
    for rule in book.layout:
        for number, one in enumerate(drawn):
            if (one.feature, one.label) != (rule.feature, rule.label):
                continue
            for place in PLACES:
                moved = (*drawn[:number], replace(one, place=place), *drawn[number + 1 :])
                problems = problems_of(replace(table, layout=moved))
                fine = not place or not rule.where or right(place, rule.where)
                assert [p.code for p in problems] == ([] if fine else ["layout.misplaced"])
                assert all(problem.cites == rule.cites for problem in problems)
                tried += 1
    report(f"{book.id}: {tried} places of {len(drawn)} parts of the felt")
    assert tried == len(drawn) * len(PLACES)


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_furniture_is_taken_at_its_right_places_and_refused_at_all_others(
    book: Rulebook, report: Report
) -> None:
    table, tried = whole(book), 0
    for rule in book.equipment:
        if rule.alternative or rule.item not in {one.item for one in table.equipment or ()}:
            continue
        for place in PLACES:
            problems = problems_of(moved_to(table, rule.item, place, rule.opposite))
            fine = not place or not rule.where or right(place, rule.where)
            if place == "elsewhere" and any(
                one.alternative for one in book.equipment if one.item == rule.item
            ):
                assert [p.code for p in problems] == ["equipment.not_approved"]
            else:
                assert [p.code for p in problems] == ([] if fine else ["equipment.misplaced"])
                assert all(problem.cites == rule.cites for problem in problems)
            tried += 1
    report(f"{book.id}: {tried} places of furniture")
    assert tried


def moved_to(table: Submission, item: str, place: Place, opposite: str) -> Submission:
    """An item elsewhere, and what faces it across from there."""
    across: dict[str, Place] = {"dealers_left": "dealers_right", "dealers_right": "dealers_left"}

    def put(one: Furniture) -> Furniture:
        if one.item == item:
            return replace(one, place=place, approved=None)
        return (
            replace(one, place=across[place]) if one.item == opposite and place in across else one
        )

    return replace(table, equipment=tuple(put(one) for one in table.equipment or ()))


@pytest.mark.parametrize("book", BOOKS.values(), ids=BOOKS)
def test_what_must_be_attached_is_refused_loose_and_nothing_else_is(book: Rulebook) -> None:
    table = whole(book)
    for number, one in enumerate(table.equipment or ()):
        parts = list(table.equipment or ())
        parts[number] = replace(one, attached=False)
        problems = problems_of(replace(table, equipment=tuple(parts)))
        rule = next(r for r in book.equipment if r.item == one.item and not r.alternative)
        assert [p.code for p in problems] == ["equipment.not_attached"] * rule.attached
        assert all(problem.cites == rule.cites for problem in problems)


@pytest.mark.parametrize("place", PLACES)
def test_a_manual_shoe_stands_on_the_table(place: Place) -> None:
    filed = Submission(rulebook="maryland-2014", shoe=Shoe(place=place, approved=True))
    fine = not place or right(place, ("on_table",))
    assert [p.code for p in problems_of(filed)] == ([] if fine else ["shoe.misplaced"])


def test_every_place_can_be_said_and_every_right_place_is_a_place() -> None:
    assert set(get_args(Position)) < set(PLACES)


# ------------------------------------------------------------------ in plain words


@pytest.mark.parametrize(
    ("filed", "said"),
    [
        (
            Submission(rulebook="maryland-2014", without=("dealer_opposite",)),
            "the layout has no place for the dealer opposite the seats",
        ),
        (
            Submission(rulebook="maryland-2014", without=("all_odds",)),
            "players find the payout odds of all wagers nowhere; "
            "on the layout or on a sign is right",
        ),
        (
            Submission(rulebook="iowa-catfish-bend", without=("automated_shuffler",)),
            "an automated shuffle, and no shuffler at the table",
        ),
        (
            Submission(rulebook="iowa-catfish-bend", without=("rules_of_play",)),
            "players find the rules of play nowhere; in a booklet is right",
        ),
        (
            Submission(rulebook="south-dakota-3cb", shuffle="continuous"),
            "a continuous shuffle; allowed are manual, automated",
        ),
    ],
)
def test_a_refusal_is_a_sentence(filed: Submission, said: str) -> None:
    assert [str(problem) for problem in problems_of(filed)] == [said]
