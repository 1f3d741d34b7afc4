"""The table around the round: hands, deck, deal, shuffle, felt, irregularities and conduct."""

import pytest

from riverboat.rulebook.loading.parse import PLAYED
from tests.rulebook.loading.test_broken_rulebooks import (
    Case,
    assert_refused,
    block,
    edited,
    problems_of,
    rule,
)

HD, IS, MD = "house-demo", "island-stud", "maryland-2014"
IA, SD = "iowa-catfish-bend", "south-dakota-3cb"
OR_OPTION = "by_option, continue, void_round"
DRAWN, STUB = "use_as_next_card, leave_card_out, void_round", "decide_whether_misdealt"
AFTER_VOID = "reshuffle, remove_deck, suspend_table can"
AUTOMATED, ROTATION = 'method = "automated"', 'method = "rotation"'


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

CARDS = [
    Case(
        "hands in another order",
        HD,
        "hands.three.order",
        "the order that is played is mini_royal, straight_flush, three_of_a_kind, straight, flush",
        [("[hands.three]", '"straight", "flush"', '"flush", "straight"')],
    ),
    Case(
        "bet that no ranking decides",
        HD,
        "hands.three",
        "missing; a bet on offer is decided by it",
        [("", block(HD, "[hands.three]"), "")],
    ),
    Case(
        "ranking that decides no bet",
        IS,
        "hands.three",
        "no bet on offer is decided by it; remove it",
        [
            rule(
                "[hands.three]",
                'order = ["mini_royal", "straight_flush", "three_of_a_kind", "straight", "flush", '
                '"pair", "high_card"]\nhighest_only = true',
                "B-33",
                "[acting]",
            )
        ],
    ),
    *(
        Case(
            f"hands made of {wrong}",
            book,
            "hands.five.made_of",
            says,
            [("[hands.five]", f"made_of = {right}", f"made_of = {wrong}")],
        )
        for book, right, wrong, says in (
            (HD, '["seat", "community"]', '["seat"]', "seat together are 2 cards; the 5 of seat"),
            (HD, '["seat", "community"]', '["community", "dealer"]', "together are 3 cards"),
            (IS, '["seat"]', '["seat", "dealer"]', "seat, dealer together are 10 cards"),
        )
    ),
    Case(
        "age of a deck that no rule counts",
        SD,
        "dealing.rotation.deck_age",
        "there is no [deck_age]; add it, or remove this",
        [(ROTATION, "", '\ndeck_age = "hand"')],
    ),
    Case(
        "two decks without a shuffler",
        MD,
        "two_decks",
        "needs a shuffler; name automated in shuffle.methods",
        [("[shuffle]", 'methods = ["manual", "automated", "continuous"]', 'methods = ["manual"]')],
    ),
    Case(
        "cut below the deck",
        HD,
        "cut.minimum_depth",
        "52 cards above the cut and 1 below it are more than the 52 of the deck; fewer are right",
        [("[cut]", "minimum_depth = 12", "minimum_depth = 52")],
    ),
    Case(
        "stub that is hardly ever counted",
        MD,
        "stub_count.every_rounds",
        "1 to 100 is right",
        [("[stub_count]", "every_rounds = 5", "every_rounds = 101")],
    ),
    *(
        Case(f"{key} {wrong}", book, where, says, [("[deal]", was, f"{key} = {wrong}")])
        for book, key, wrong, was, where, says in (
            (HD, "seat_cards", 5, "seat_cards = 2", "hands.five.made_of", "together are 8 cards"),
            (
                HD,
                "community_cards",
                1,
                "community_cards = 3",
                "decisions",
                "3 cards of the community are turned after the decisions and 1 are dealt",
            ),
            (
                MD,
                "box_cards",
                5,
                "box_cards = 4",
                "side_bets.six_card_bonus.decided_by",
                "box, seat together are 7 cards; a hand of six has 6",
            ),
            (
                MD,
                "box_cards",
                0,
                "box_cards = 4",
                "side_bets.six_card_bonus.decided_by.places",
                "box gets no cards here; remove it",
            ),
            (IS, "seat_cards", 2, "seat_cards = 5", "hands.five.made_of", "together are 2 cards"),
            (
                IS,
                "dealer_cards",
                4,
                "dealer_cards = 5",
                "deal.dealer_cards",
                "is 4; 0 or 5 is right",
            ),
        )
    ),
    *(
        Case(
            f"{key} that nobody plays with in {book}",
            book,
            where,
            says,
            [("[deal]", "burn_cards = 0", f"burn_cards = 0\n{key} = {count}")],
        )
        for book, key, count, where, says in (
            (HD, "dealer_cards", 5, "deal.dealer_cards", "the dealer has a hand; add"),
            (HD, "box_cards", 4, "deal.box_cards", "is 4; no bet goes by them, 0 is right here"),
            (IS, "community_cards", 3, "decisions", "and 3 are dealt; the same number is right"),
        )
    ),
    Case(
        "more cards than a deck has",
        IS,
        "deal",
        "9 seats and the rest need 53 of 52 cards",
        [("[deal]", "burn_cards = 0", "burn_cards = 3")],
    ),
    Case(
        "no default deal",
        HD,
        "dealing",
        "0 methods are the default; exactly one is right",
        [(AUTOMATED, "default = true\n", "")],
    ),
    Case(
        "way to deal twice",
        HD,
        "dealing.automated",
        "stands 2 times; once is right",
        [("", ROTATION, AUTOMATED)],
    ),
    Case(
        "deal for a bet that is not offered",
        HD,
        "dealing",
        "default_with six_card_bonus; a bonus that is offered is right",
        [(ROTATION, "", '\ndefault_with = "six_card_bonus"')],
    ),
    Case(
        "deal for the progressive",
        IS,
        "dealing",
        "default_with progressive; a bonus that is offered is right",
        [('method = "hand"', "", '\ndefault_with = "progressive"')],
    ),
    Case(
        "two deals for a bet",
        MD,
        "dealing",
        "2 methods have default_with six_card_bonus; one is right",
        [('method = "hand"', "", '\ndefault_with = "six_card_bonus"')],
    ),
    Case(
        "box by hand where only a device may",
        MD,
        "dealing.manual_shoe",
        "a device deals to the box; default_with of such a method is right",
        [(AUTOMATED, 'default_with = "six_card_bonus"\n', "")],
    ),
    Case(
        "box by another hand where only a device may",
        MD,
        "dealing.hand",
        "a device deals to the box; default_with of such a method is right",
        [
            (AUTOMATED, 'default_with = "six_card_bonus"\n', ""),
            ("[[dealing]]", "default = true\n", ""),
            ('method = "hand"', "", "\ndefault = true"),
        ],
    ),
    Case(
        "sequence without a box where there is one",
        MD,
        "options.shoe_sequence.default_when",
        "2-3 has no box; with six_card_bonus one that has is right",
        [("[options.shoe_sequence]", 'default_when = { six_card_bonus = "4-3-2" }\n', "")],
    ),
    Case(
        "deal that forgets the community cards",
        HD,
        "dealing.rotation.sequence",
        "community gets 3 cards in [deal] and is not dealt to here",
        [(ROTATION, 'sequence = ["community", "seats"]', 'sequence = ["seats"]')],
    ),
    Case(
        "deal to a dealer without cards",
        HD,
        "dealing.rotation.sequence",
        "dealer gets 0 cards in [deal] and is dealt to here",
        [(ROTATION, '["community", "seats"]', '["community", "seats", "dealer"]')],
    ),
    Case(
        "seats dealt to twice",
        HD,
        "dealing.rotation.sequence",
        "names seats 2 times; once is right",
        [(ROTATION, '["community", "seats"]', '["seats", "community", "seats"]')],
    ),
    Case(
        "box in the sequence",
        MD,
        "dealing.hand.sequence",
        "the box is dealt to by shoe_sequence or six_card_dealing",
        [('method = "hand"', '["seats", "community"]', '["box", "seats", "community"]')],
    ),
    Case(
        "box that no sequence knows",
        MD,
        "dealing.hand.sequence_option",
        "shoe_sequence or six_card_dealing deals to the box",
        [('method = "hand"', 'sequence_option = "six_card_dealing"\n', "")],
    ),
    Case(
        "sequence that is not its option's default",
        HD,
        "dealing.rotation.sequence",
        "community_cards_dealt is before_players; the same order is right in both",
        [(ROTATION, '["community", "seats"]', '["seats", "community"]')],
    ),
    Case(
        "sequence with a box by default",
        MD,
        "dealing.automated.sequence",
        "shoe_sequence is 4-3-2; the same order is right in both",
        [("[options.shoe_sequence]", 'default = "2-3"', 'default = "4-3-2"')],
    ),
    Case(
        "packets one card at a time",
        SD,
        "dealing.packets.seat_cards",
        "together is right",
        [('method = "packets"', 'seat_cards = "together"', 'seat_cards = "one_at_a_time"')],
    ),
    Case(
        "rotation of packets",
        HD,
        "dealing.rotation.seat_cards",
        "one_at_a_time is right",
        [(ROTATION, 'seat_cards = "one_at_a_time"', 'seat_cards = "together"')],
    ),
    Case(
        "default that is there only sometimes",
        HD,
        "dealing.automated.only_when",
        "a default is always there; remove one of the two",
        [(AUTOMATED, "", '\nonly_when = "device_out_of_use"')],
    ),
    Case(
        "default with a bet that is there only sometimes",
        MD,
        "dealing.automated.only_when",
        "a default is always there; remove one of the two",
        [(AUTOMATED, "", '\nonly_when = "device_out_of_use"')],
    ),
    Case(
        "device that does not shuffle",
        IA,
        "dealing.automated.needs",
        "no device shuffles here; name automated in shuffle.methods",
        [("[shuffle]", 'methods = ["automated"]', 'methods = ["manual"]')],
    ),
    Case(
        "automated shuffle by hand",
        MD,
        "dealing.hand.needs",
        "no device shuffles here; name automated in shuffle.methods",
        [("[shuffle]", 'methods = ["manual", "automated", "continuous"]', 'methods = ["manual"]')],
    ),
    *(
        Case(
            f"no shuffle {moment}",
            HD,
            "shuffle.when",
            f"every round has a shuffled deck; name {moment}",
            [("[shuffle]", f'"{moment}"', '"on_order_of_floor"')],
        )
        for moment in ("before_play", "after_each_round")
    ),
    *(
        Case(f"empty {where}", book, where, "is empty; name at least one", [(at, was, becomes)])
        for book, where, at, was, becomes in (
            (HD, "shuffle.methods", "[shuffle]", '["manual", "automated"]', "[]"),
            (HD, "cut.after", "[cut]", '["manual", "preshuffled"]', "[]"),
            (
                MD,
                "instruments.allowed",
                "[instruments]",
                '["chip", "plaque", "approved_instrument"]',
                "[]",
            ),
        )
    ),
    Case(
        "opening step twice",
        MD,
        "opening.steps.inspect",
        "stands 2 times; once is right",
        [("[[opening.steps]]", 'step = "verify"', 'step = "inspect"')],
    ),
    Case(
        "a deck that is never stacked",
        MD,
        "opening.steps",
        "stack is missing; a deck that lies spread is never shuffled",
        [
            (
                "[[opening.steps]]",
                '[[opening.steps]]\nstep = "stack"\nby = "dealer"\ncites = ["MD-2014.04.C.3"]\n\n',
                "",
            )
        ],
    ),
    Case(
        "an idle table that no player reopens",
        MD,
        "idle",
        "wait for a player's look",
        [("[[opening.steps]]", 'by = "player"', 'by = "dealer"')],
    ),
    Case(
        "a section that no clause stands in",
        MD,
        "dealing.manual_shoe.sections",
        "no clause begins with 'MD-2014.8.'",
        [('method = "manual_shoe"', '"MD-2014.08."', '"MD-2014.8."')],
    ),
    Case(
        "opening steps out of order",
        MD,
        "opening.steps",
        "in the order inspect, verify, spread_face_up, first_player_looks, turn_face_down, stack",
        [
            ("", block(MD, 'step = "wash"'), ""),
            ("[[opening.steps]]", 'step = "inspect"', 'step = "???"'),
            ("[[opening.steps]]", 'step = "verify"', 'step = "inspect"'),
            ("[[opening.steps]]", 'step = "???"', 'step = "verify"'),
        ],
    ),
]

FELT = [
    Case(
        "wager without a place",
        HD,
        "layout",
        "there is no fifth_area; every wager needs its place",
        [("[[layout]]", 'feature = "fifth_area"', 'feature = "community_area"')],
    ),
    *(
        Case(
            f"{bet} without a place",
            book,
            "layout",
            f"there is no {bet}_area; every wager needs its place",
            [("[[layout]]", f'feature = "{bet}_area"', 'feature = "dealer_area"')],
        )
        for book, bet in (
            (HD, "three_card_bonus"),
            (MD, "six_card_bonus"),
            (IS, "bonus"),
            (HD, "progressive"),
        )
    ),
    Case(
        "place without a wager",
        HD,
        "layout.bet_area",
        "there is no such thing here; ante_area, third_area",
        [("[[layout]]", 'feature = "seats_on_one_side"', 'feature = "bet_area"')],
    ),
    *(
        Case(
            f"{where} for a bet that is not offered",
            HD,
            f"{where}.when",
            "bonus is not offered here; remove it",
            [(at, was, 'when = "bonus"')],
        )
        for where, at, was in (
            ("layout.progressive_area", 'feature = "progressive_area"', 'when = "progressive"'),
            ("equipment.keypad", 'item = "keypad"', 'when = "progressive"'),
            ("signs.progressive_pay_table", "[[signs]]", 'when = "progressive"'),
        )
    ),
    Case(
        "place twice",
        HD,
        "layout.designation",
        "stands 2 times; once is right",
        [(block(HD, 'feature = "designation"'), "", block(HD, 'feature = "designation"'))],
    ),
    Case(
        "equipment twice",
        HD,
        "equipment.discard_rack",
        "stands 2 times; once is right",
        [(block(HD, 'item = "discard_rack"'), "", block(HD, 'item = "discard_rack"'))],
    ),
    Case(
        "alternative that is none",
        MD,
        "equipment.tip_box",
        "stands 2 times; once is right",
        [("[[equipment]]", "alternative = true\n", "")],
    ),
    Case(
        "opposite of something that is not there",
        HD,
        "equipment.discard_rack.opposite",
        "tray does not name discard_rack as its opposite",
        [('item = "discard_rack"', "", '\nopposite = "tray"')],
    ),
    Case(
        "opposite that has one place only",
        MD,
        "equipment.tip_box.where",
        "dealers_left and dealers_right are right for what has an opposite",
        [('item = "tip_box"', '["dealers_left", "dealers_right"]', '["dealers_left"]')],
    ),
    Case(
        "place that is none",
        MD,
        "equipment.discard_rack.where[1]",
        "'elsewhere' is not allowed; allowed are",
        [('item = "discard_rack"', '["dealers_side"]', '["elsewhere"]')],
    ),
    Case(
        "sign twice",
        HD,
        "signs.base_pay_table",
        "stands 2 times; once is right",
        [(block(HD, 'shows = "base_pay_table"'), "", block(HD, 'shows = "base_pay_table"'))],
    ),
]

INCIDENTS = [
    *(
        Case(
            f"{name} without a rule",
            book,
            f"irregularities.{name}",
            "missing; it can happen at this table",
            [("", block(book, f"[irregularities.{name}]"), "")],
        )
        for book, name in (
            (HD, "exposed_community_card"),
            (IS, "exposed_dealer_card"),
            (MD, "wrong_box_count"),
            (MD, "exposed_box_card"),
            (HD, "late_progressive_chip"),
            (HD, "progressive_chip_mismatch"),
        )
    ),
    *(
        Case(
            f"{name} in {book}",
            book,
            f"irregularities.{name}",
            "it cannot happen at this table; remove it",
            [
                rule(
                    f"[irregularities.{name}]",
                    'consequence = "void_round"',
                    cite,
                    "[irregularities.shoe_jam]",
                )
            ],
        )
        for book, name, cite in (
            (HD, "exposed_dealer_card", "HD.7.1"),
            (HD, "wrong_box_count", "HD.7.1"),
            (HD, "exposed_box_card", "HD.7.1"),
            (IA, "late_progressive_chip", "D-30"),
            (IS, "exposed_community_card", "D-30"),
        )
    ),
    *(
        Case(
            f"{name} and {wrong}",
            book,
            f"irregularities.{name}.consequence",
            f"{wrong} is not allowed; allowed are {allowed}",
            [(f"[irregularities.{name}]", f'consequence = "{was}"', f'consequence = "{wrong}"')],
        )
        for book, name, was, wrong, allowed in (
            (HD, "wrong_card_count", "void_round", "continue", "void_round"),
            (HD, "exposed_player_card", "by_option", "reshuffle", OR_OPTION),
            (HD, "exposed_community_card", "by_option", "none", OR_OPTION),
            (IS, "exposed_dealer_card", "by_option", "none", OR_OPTION),
            (MD, "wrong_box_count", "by_option", "continue", "by_option, void_round"),
            (MD, "exposed_box_card", "by_option", "continue", "by_option, void_round"),
            (HD, "late_progressive_chip", "not_accepted", "continue", "not_accepted"),
            (HD, "progressive_chip_mismatch", "by_option", "continue", "by_option"),
            (HD, "face_up_card", "leave_card_out", "none", "leave_card_out, void_round"),
            (HD, "face_up_cards", "void_round", "continue", "void_round"),
            (HD, "card_drawn_in_error", "use_as_next_card", "none", DRAWN),
            (HD, "shuffler_jam", "reshuffle", "use_as_next_card", "reshuffle, none"),
            (MD, "shuffler_count", "remove_deck", "continue", "remove_deck, none"),
            (HD, "shoe_jam", "void_round", "continue", "void_round, none"),
            (HD, "wrong_stub_count", "decide_whether_misdealt", "none", STUB),
            (HD, "deck_count", "void_round", "remove_deck", "void_round"),
            (
                IS,
                "device_out_of_use",
                "suspend_until_covered_or_signed",
                "continue",
                "suspend_until_covered_or_signed, by_option, none",
            ),
        )
    ),
    Case(
        "consequence by an option that is not named",
        HD,
        "irregularities.exposed_player_card.option",
        "exposed_player_card decides it; name that option",
        [("[irregularities.exposed_player_card]", 'option = "exposed_player_card"\n', "")],
    ),
    Case(
        "consequence by an option about something else",
        HD,
        "irregularities.exposed_player_card.option",
        "exposed_player_card decides it; name that option",
        [
            (
                "[irregularities.exposed_player_card]",
                'option = "exposed_player_card"',
                'option = "seats"',
            )
        ],
    ),
    Case(
        "consequence overruled by something else",
        HD,
        "irregularities.shoe_jam.option",
        "only unwritten_irregularity may overrule; name it or none",
        [("[irregularities.shoe_jam]", "then =", 'option = "breakage"\nthen =')],
    ),
    *(
        Case(
            f"sequel to {consequence}",
            HD,
            f"irregularities.{name}.then",
            f"reshuffle cannot follow {consequence}; nothing can",
            [
                (
                    f"[irregularities.{name}]",
                    was,
                    f'consequence = "{consequence}"\nthen = ["reshuffle"]',
                )
            ],
        )
        for name, was, consequence in (
            ("exposed_player_card", 'consequence = "by_option"', "continue"),
            ("shuffler_jam", 'consequence = "reshuffle"', "none"),
            ("card_drawn_in_error", 'consequence = "use_as_next_card"', "use_as_next_card"),
        )
    ),
    *(
        Case(
            f"{what} after {after}",
            book,
            f"irregularities.{name}.then",
            right,
            [(f"[irregularities.{name}]", was, becomes)],
        )
        for what, after, book, name, right, was, becomes in (
            (
                "discard rack",
                "a void",
                HD,
                "face_up_cards",
                f"discard_rack cannot follow void_round; {AFTER_VOID}",
                '"reshuffle"',
                '"discard_rack"',
            ),
            (
                "a removal",
                "a card left out",
                HD,
                "face_up_card",
                "remove_deck cannot follow leave_card_out; discard_rack can",
                '"discard_rack"',
                '"remove_deck"',
            ),
            (
                "a shuffle",
                "a removal",
                HD,
                "deck_count",
                "a removed deck is not shuffled; name one of the two",
                '"remove_deck"',
                '"remove_deck", "reshuffle"',
            ),
        )
    ),
    Case(
        "item allowed if approved without approval",
        MD,
        "equipment.reshuffling_device.needs_approval",
        "allowed if approved; true is right",
        [('item = "reshuffling_device"', "needs_approval = true\n", "")],
    ),
    Case(
        "item allowed that needs approval",
        MD,
        "equipment.manual_shoe.need",
        "it needs approval; allowed_if_approved is right",
        [('item = "manual_shoe"', '"allowed_if_approved"', '"allowed"')],
    ),
    Case(
        "item recommended of which nobody is told",
        HD,
        "equipment.discard_rack.need",
        "only a shuffler can be; required or allowed is right",
        [('item = "discard_rack"', '"required"', '"recommended"')],
    ),
    Case(
        "rack that counts",
        MD,
        "equipment.discard_rack.counts",
        "only a reshuffling_device must; remove it",
        [('item = "discard_rack"', "", "\ncounts = true")],
    ),
    Case(
        "item elsewhere that faces another",
        MD,
        "equipment.tip_box-2.opposite",
        "what stands elsewhere faces nothing; remove it",
        [("alternative = true", "", '\nopposite = "drop_box"')],
    ),
    Case(
        "suspension that no option ends",
        SD,
        "options.device_down",
        "missing; a part of this rulebook reads it",
        [("[irregularities.shoe_jam]", 'then = ["reshuffle"]', 'then = ["suspend_table"]')],
    ),
    *(
        Case(
            f"void that does not return {name}",
            HD,
            "void.returns",
            "a void returns wagers_on_the_table, folded_wagers, progressive_stakes, tips; name",
            [("[void]", was, becomes)],
        )
        for name, was, becomes in (
            ("tips", ', "tips"]', "]"),
            ("folded wagers", '"folded_wagers", ', ""),
        )
    ),
    Case(
        "void that returns stakes that nobody made",
        IA,
        "void.returns",
        "a void returns wagers_on_the_table, folded_wagers, tips; name each",
        [("[void]", '"tips"]', '"tips", "progressive_stakes"]')],
    ),
    Case(
        "rule of conduct twice",
        HD,
        "conduct.leaving_the_table",
        "stands 2 times; once is right",
        [(block(HD, 'rule = "leaving_the_table"'), "", block(HD, 'rule = "leaving_the_table"'))],
    ),
    *(
        Case(
            f"no rule about {name}",
            HD,
            "conduct",
            f"{name} is missing; {about} is about it",
            [("", block(HD, f'rule = "{name}"'), "")],
        )
        for name, about in (
            ("leaving_the_table", "leaver"),
            ("one_position_per_player", "max_positions_per_player"),
        )
    ),
    *(
        Case(
            f"{name} and {wrong}",
            book,
            f"conduct.{name}.consequence",
            f"{wrong} is not allowed; allowed are {allowed}",
            [(f'rule = "{name}"', f'consequence = "{was}"', f'consequence = "{wrong}"')],
        )
        for book, name, was, wrong, allowed in (
            (HD, "leaving_the_table", "by_option", "reminder", "by_option, forfeits_all_wagers"),
            (HD, "one_position_per_player", "by_option", "reminder", "by_option, refused"),
            (HD, "sharing_hand_information", "forfeits_all_wagers", "reminder", "forfeits_all"),
            (
                IS,
                "cards_in_view",
                "reminder",
                "by_option",
                "forfeits_all_wagers, reminder",
            ),
            (IS, "cards_in_view", "reminder", "refused", "forfeits_all_wagers, reminder"),
            (MD, "only_own_cards_touched", "forfeits_all_wagers", "refused", "forfeits_all"),
            (MD, "seated_players_only", "refused", "reminder", "refused"),
            (MD, "stay_seated", "reminder", "forfeits_all_wagers", "reminder"),
            (MD, "responsible_for_own_hand", "reminder", "refused", "reminder"),
            (MD, "verify_progressive_accepted", "reminder", "refused", "reminder"),
            (IS, "one_player_per_position", "refused", "reminder", "refused"),
        )
    ),
    Case(
        "conduct by an option that is not named",
        HD,
        "conduct.leaving_the_table.option",
        "leaver decides it; name that option",
        [('rule = "leaving_the_table"', 'option = "leaver"\n', "")],
    ),
    Case(
        "conduct by an option about something else",
        HD,
        "conduct.sharing_hand_information.option",
        "leaver is about something else; remove it",
        [('rule = "sharing_hand_information"', 'option = "conduct_forfeits"', 'option = "leaver"')],
    ),
    Case(
        "second position refused that an option allows",
        IS,
        "conduct.one_position_per_player.consequence",
        "an option allows more; by_option is right",
        [
            (
                'rule = "one_position_per_player"',
                'consequence = "by_option"',
                'consequence = "refused"',
            ),
            ("[options.max_positions_per_player]", "maximum = 9", "maximum = 2"),
        ],
    ),
    *(
        Case(
            f"{head} counts {wrong}",
            book,
            f"{where}.{field}",
            message,
            [(head, was, wrong)],
        )
        for book, head, where, field, was, wrong, message in (
            (
                HD,
                "[irregularities.shoe_jam]",
                "irregularities.shoe_jam",
                "counts.begins",
                'begins = "first_card"',
                'begins = "bets_open"',
                "is bets_open; only first_card is played",
            ),
            (
                HD,
                "[irregularities.face_up_cards]",
                "irregularities.face_up_cards",
                "counts.ends",
                'ends = "last_card_dealt"',
                'ends = "round_over"',
                "is round_over; allowed is last_card_dealt",
            ),
            (
                IS,
                'rule = "sharing_hand_information"',
                "conduct.sharing_hand_information",
                "counts.ends",
                'ends = "hand_settled"',
                'ends = "community_cards_turned"',
                "is community_cards_turned; allowed is hand_settled",
            ),
            (
                HD,
                "[irregularities.face_up_cards]",
                "irregularities.face_up_cards",
                "counts.device",
                'ends = "last_card_dealt"',
                'ends = "last_card_dealt", device = "automated_device"',
                "it can happen without a device; remove it",
            ),
            (
                HD,
                "[irregularities.device_out_of_use]",
                "irregularities.device_out_of_use",
                "counts",
                'consequence = "by_option"',
                'consequence = "by_option"\ncounts = '
                '{ begins = "first_card", ends = "round_over", cites = ["HD.7.8"] }',
                "nobody reports it of a round; remove it",
            ),
            (
                HD,
                "[irregularities.deck_count]",
                "irregularities.deck_count",
                "counts",
                'counts = { begins = "first_card", ends = "round_over", cites = ["HD.7.8"] }\n',
                "",
                "missing; say when it counts",
            ),
            (
                HD,
                'rule = "sharing_hand_information"',
                "conduct.sharing_hand_information",
                "earlier",
                'option = "conduct_forfeits"',
                'option = "conduct_forfeits"\nearlier = "wagers_taken_back"',
                "only who leaves can take wagers back; remove it",
            ),
        )
    ),
]


@pytest.mark.parametrize("case", [*ONLY, *CARDS, *FELT, *INCIDENTS], ids=lambda case: case.way)
def test_a_table_that_cannot_be_is_refused(case: Case) -> None:
    assert_refused(case)


def test_one_deck_needs_no_shuffler() -> None:
    text = edited(IA, [("[shuffle]", 'methods = ["automated"]', 'methods = ["manual"]')])
    assert [p.where for p in problems_of(text, "x.toml")] == ["dealing.automated.needs"]


def test_every_rule_with_one_value_has_its_case() -> None:
    assert {case.where for case in ONLY} == PLAYED.keys()


@pytest.mark.parametrize(
    ("book", "edits"),
    [
        (HD, [("[cut]", "minimum_depth = 12", "minimum_depth = 51")]),
        (
            IS,
            [("[shuffle]", '"automated", ', ""), (AUTOMATED, 'needs = ["automated_device"]\n', "")],
        ),
        (
            MD,
            [
                (AUTOMATED, 'default_with = "six_card_bonus"\n', ""),
                ("[options.six_card_dealing]", '"automated_only"', '"four_cards_first"'),
                ("[options.shoe_sequence]", 'default_when = { six_card_bonus = "4-3-2" }\n', ""),
            ],
        ),
        (
            HD,
            [
                (AUTOMATED, '"community_cards_dealt"', '"shoe_sequence"'),
                rule(
                    "[options.shoe_sequence]",
                    'kind = "choice"\ndefault = "3-2"\nchoices = ["3-2"]\nmeaning = "x"',
                    "HD.3.3",
                    "[options.seats]",
                ),
            ],
        ),
        (IS, [("[deal]", "burn_cards = 0", "burn_cards = 2")]),
        (MD, [("[stub_count]", "every_rounds = 5", "every_rounds = 100")]),
        (MD, [("[shuffle]", '"automated", "continuous"]', '"continuous"]')]),
        (MD, [("", block(MD, 'step = "wash"'), "")]),
        (
            HD,
            [
                ("[irregularities.shoe_jam]", 'consequence = "void_round"', 'consequence = "none"'),
                ("[irregularities.shoe_jam]", 'then = ["reshuffle"]\n', ""),
            ],
        ),
        (IS, [('rule = "cards_in_view"', '"reminder"', '"forfeits_all_wagers"')]),
    ],
    ids=[
        "the deepest cut",
        "everything by hand",
        "the box by hand",
        "a shoe without a box",
        "two cards burned of fifty-two",
        "a count every hundred rounds",
        "continuous shuffling",
        "no wash",
        "no shoe to jam",
        "cards out of view forfeit",
    ],
)
def test_a_table_that_can_be_is_accepted(book: str, edits: list[tuple[str, str, str]]) -> None:
    refused = [
        p for p in problems_of(edited(book, edits), "x.toml") if "no rule cites" not in p.message
    ]
    assert refused == []
