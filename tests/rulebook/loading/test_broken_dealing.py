"""Hands, deck, deal and shuffle that no table can carry out."""

from tests.rulebook.loading.breaking import (
    HD,
    IA,
    IS,
    MD,
    SD,
    Case,
    Edit,
    assert_refused,
    each,
    each_accepted,
    edited,
    problems_of,
    rule,
    without,
)

AUTOMATED, ROTATION = 'method = "automated"', 'method = "rotation"'

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
        [without(HD, "[hands.three]")],
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
            without(MD, 'step = "wash"'),
            ("[[opening.steps]]", 'step = "inspect"', 'step = "???"'),
            ("[[opening.steps]]", 'step = "verify"', 'step = "inspect"'),
            ("[[opening.steps]]", 'step = "???"', 'step = "verify"'),
        ],
    ),
]


@each(CARDS)
def test_a_deal_that_cannot_be_is_refused(case: Case) -> None:
    assert_refused(case)


def test_one_deck_needs_no_shuffler() -> None:
    text = edited(IA, [("[shuffle]", 'methods = ["automated"]', 'methods = ["manual"]')])
    assert [p.where for p in problems_of(text, "x.toml")] == ["dealing.automated.needs"]


@each_accepted(
    {
        "the deepest cut": (HD, [("[cut]", "minimum_depth = 12", "minimum_depth = 51")]),
        "everything by hand": (
            IS,
            [("[shuffle]", '"automated", ', ""), (AUTOMATED, 'needs = ["automated_device"]\n', "")],
        ),
        "the box by hand": (
            MD,
            [
                (AUTOMATED, 'default_with = "six_card_bonus"\n', ""),
                ("[options.six_card_dealing]", '"automated_only"', '"four_cards_first"'),
                ("[options.shoe_sequence]", 'default_when = { six_card_bonus = "4-3-2" }\n', ""),
            ],
        ),
        "a shoe without a box": (
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
        "two cards burned of fifty-two": (IS, [("[deal]", "burn_cards = 0", "burn_cards = 2")]),
        "a count every hundred rounds": (
            MD,
            [("[stub_count]", "every_rounds = 5", "every_rounds = 100")],
        ),
        "continuous shuffling": (
            MD,
            [("[shuffle]", '"automated", "continuous"]', '"continuous"]')],
        ),
        "no wash": (MD, [without(MD, 'step = "wash"')]),
        "no shoe to jam": (
            HD,
            [
                ("[irregularities.shoe_jam]", 'consequence = "void_round"', 'consequence = "none"'),
                ("[irregularities.shoe_jam]", 'then = ["reshuffle"]\n', ""),
            ],
        ),
        "cards out of view forfeit": (
            IS,
            [('rule = "cards_in_view"', '"reminder"', '"forfeits_all_wagers"')],
        ),
    }
)
def test_a_table_that_can_be_is_accepted(book: str, edits: list[Edit]) -> None:
    refused = [
        p for p in problems_of(edited(book, edits), "x.toml") if "no rule cites" not in p.message
    ]
    assert refused == []
