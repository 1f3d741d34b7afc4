"""The table around the round: felt, irregularities and conduct."""

from tests.rulebook.loading.breaking import (
    HD,
    IA,
    IS,
    MD,
    SD,
    Case,
    assert_refused,
    doubled,
    each,
    rule,
    without,
)

OR_OPTION = "by_option, continue, void_round"
DRAWN, STUB = "use_as_next_card, leave_card_out, void_round", "decide_whether_misdealt"
AFTER_VOID = "reshuffle, remove_deck, suspend_table can"

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
        [doubled(HD, 'feature = "designation"')],
    ),
    Case(
        "equipment twice",
        HD,
        "equipment.discard_rack",
        "stands 2 times; once is right",
        [doubled(HD, 'item = "discard_rack"')],
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
        [doubled(HD, 'shows = "base_pay_table"')],
    ),
]

INCIDENTS = [
    *(
        Case(
            f"{name} without a rule",
            book,
            f"irregularities.{name}",
            "missing; it can happen at this table",
            [without(book, f"[irregularities.{name}]")],
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
        [doubled(HD, 'rule = "leaving_the_table"')],
    ),
    *(
        Case(
            f"no rule about {name}",
            HD,
            "conduct",
            f"{name} is missing; {about} is about it",
            [without(HD, f'rule = "{name}"')],
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


@each([*FELT, *INCIDENTS])
def test_a_table_that_cannot_be_is_refused(case: Case) -> None:
    assert_refused(case)
