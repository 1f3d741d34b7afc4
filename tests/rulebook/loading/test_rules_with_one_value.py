"""Rules that can say one thing only: anything else is refused, and each has its case."""

from riverboat.rulebook.loading.parse import PLAYED
from tests.rulebook.loading.breaking import HD, MD, Case, assert_refused, each

ONLY = [
    Case(
        f"{path} {becomes}",
        book,
        path,
        f"is {said}; only {right} is played",
        [(at, was, becomes)],
    )
    for path, book, at, was, becomes, said, right in (
        (
            "opening.two_decks.separately",
            MD,
            "[opening.two_decks]",
            "separately = true",
            "separately = false",
            "false",
            "true",
        ),
        (
            "two_decks.decks_in_discard_rack",
            MD,
            "[two_decks]",
            "decks_in_discard_rack = 1",
            "decks_in_discard_rack = 2",
            "2",
            "1",
        ),
        ("ante.required", HD, "[ante]", "required = true", "required = false", "false", "true"),
        (
            "tips.needs_own_wager",
            HD,
            "[tips]",
            "needs_own_wager = true",
            "needs_own_wager = false",
            "false",
            "true",
        ),
        (
            "tips.stays_without_street_tip",
            HD,
            "[tips]",
            "stays_without_street_tip = true",
            "stays_without_street_tip = false",
            "false",
            "true",
        ),
        (
            "hands.five.ace_low_in",
            HD,
            "[hands.five]",
            'ace_low_in = ["A-2-3-4-5"]',
            'ace_low_in = ["Q-K-A-2-3"]',
            "Q-K-A-2-3",
            "A-2-3-4-5",
        ),
        (
            "hands.five.suits_equal",
            HD,
            "[hands.five]",
            "suits_equal = true",
            "suits_equal = false",
            "false",
            "true",
        ),
        *(
            (
                f"hands.{name}.highest_only",
                book,
                f"[hands.{name}]",
                "highest_only = true",
                "highest_only = false",
                "false",
                "true",
            )
            for name, book in (("five", HD), ("three", HD), ("six", MD))
        ),
        ("hands.six.box_cards", MD, "[hands.six]", "box_cards = 4", "box_cards = 3", "3", "4"),
        ("hands.six.hole_cards", MD, "[hands.six]", "hole_cards = 2", "hole_cards = 3", "3", "2"),
        (
            "hands.six.super_royal",
            MD,
            "[hands.six]",
            'super_royal = ["A-K-Q-J-T-9"]',
            "super_royal = []",
            "empty",
            "A-K-Q-J-T-9",
        ),
        (
            "settlement.seats.one_seat_at_a_time",
            HD,
            "[settlement.seats]",
            "one_seat_at_a_time = true",
            "one_seat_at_a_time = false",
            "false",
            "true",
        ),
        (
            "progressive.collection.chips_must_equal_accepted",
            HD,
            "[progressive.collection]",
            "chips_must_equal_accepted = true",
            "chips_must_equal_accepted = false",
            "false",
            "true",
        ),
        *(
            (
                f"progressive.winning.{name}",
                HD,
                "[progressive.winning]",
                f"{name} = {right}",
                f"{name} = {wrong}",
                wrong,
                right,
            )
            for name, right, wrong in (
                ("highest_only", "true", "false"),
                ("stake_returned", "false", "true"),
                ("depends_on_dealer", "false", "true"),
            )
        ),
        (
            "progressive.payment.full_meter_from_tray",
            HD,
            "[progressive.payment]",
            "full_meter_from_tray = false",
            "full_meter_from_tray = true",
            "true",
            "false",
        ),
        ("cards.decks", HD, "[cards]", "decks = 1", "decks = 2", "2", "1"),
        ("cards.cards", HD, "[cards]", "cards = 52", "cards = 51", "51", "52"),
        ("stub_count.total", MD, "[stub_count]", "total = 52", "total = 60", "60", "52"),
        ("deal.face_down", HD, "[deal]", "face_down = true", "face_down = false", "false", "true"),
    )
]


@each(ONLY)
def test_a_value_that_is_not_played_is_refused(case: Case) -> None:
    assert_refused(case)


def test_every_rule_with_one_value_has_its_case() -> None:
    assert {case.where for case in ONLY} == PLAYED.keys()
