"""The progressive's awards: winning hands, keys, steps and the meter."""

from tests.rulebook.loading.breaking import (
    ENVY,
    HD,
    IS,
    MD,
    METER,
    PROG,
    SCHEDULE,
    SD,
    Case,
    Edit,
    assert_accepted,
    assert_refused,
    each,
    each_accepted,
    step,
    struck,
)

KEYS, WINNING = "[progressive.keys]", "[progressive.winning]"

AWARDS = [
    *(
        Case(
            f"lowest winner {wrong}",
            HD,
            "progressive.winning.lowest",
            "the lowest that HD-PROG-2 pays is three_of_a_kind",
            [(WINNING, '"three_of_a_kind"', f'"{wrong}"')],
        )
        for wrong in ("straight", "pair", "mini_royal")
    ),
    Case(
        "nothing ever wins",
        HD,
        "progressive.winning.lowest",
        "the lowest that HD-PROG-2 pays is no hand",
        [
            ('id = "HD-PROG-2"', f'printed = "{printed}", pays = "{pays}"', 'pays = "lose"')
            for printed, pays in (
                ("100%", "100% of meter"),
                ("10%", "10% of meter"),
                *((f"{n} for 1", f"{n} for 1") for n in (300, 50, 40, 30, 9)),
            )
        ],
    ),
    *(
        Case(
            f"envy hands {wrong}",
            HD,
            "progressive.envy.hands",
            "HD-ENVY-2 pays for royal_flush, straight_flush; so name them",
            [
                (
                    "[progressive.envy]",
                    'hands = ["royal_flush", "straight_flush"]',
                    f"hands = {wrong}",
                )
            ],
        )
        for wrong in ('["royal_flush"]', '["royal_flush", "straight_flush", "pair"]', "[]")
    ),
    Case(
        "envy for no hand",
        HD,
        "progressive.envy.hands",
        "is empty; there is no envy bonus for no hand",
        [("[progressive.envy]", 'hands = ["royal_flush", "straight_flush"]', "hands = []")],
    ),
    Case(
        "envy table that pays for no hand",
        HD,
        "progressive.envy.hands",
        "HD-ENVY-2 pays for no hand; so name them",
        [
            ('id = "HD-ENVY-2"', 'printed = "$2,000", pays = "$2000"', 'pays = "nothing"'),
            ('id = "HD-ENVY-2"', 'printed = "$600", pays = "$600"', 'pays = "nothing"'),
        ],
    ),
    *(
        Case(
            f"keypad without {key}",
            HD,
            "progressive.keys.keypad",
            f"{key} is pressed in every game; name it",
            [(KEYS, f'"{key}"', '"J_POT"' if key != "COIN_IN" else '"HAND"')],
        )
        for key in ("COIN_IN", "HAND", "GAME_OVER")
    ),
    Case(
        "key switch without a J-pot key",
        HD,
        "progressive.keys.key_switch",
        "the key switch and J_POT go together",
        [(KEYS, '"J_POT", ', "")],
    ),
    Case(
        "J-pot key without a key switch",
        HD,
        "progressive.keys.key_switch",
        "the key switch and J_POT go together",
        [(KEYS, "key_switch = true", "key_switch = false")],
    ),
    Case(
        "lock that is not lit",
        IS,
        "progressive.sensor.lights",
        "a locked wager is lit; name locked",
        [("[progressive.sensor]", '["placed", "locked"]', '["placed"]')],
    ),
    Case(
        "step twice",
        HD,
        "progressive.steps.press_hand_key",
        "stands 2 times; once is right",
        [(step("press_hand_key"), "", step("press_hand_key"))],
    ),
    *(
        Case(
            f"no step {name}",
            HD,
            "progressive.steps",
            f"{name} is missing; no award is made without it",
            [("", step(name), "")],
        )
        for name in ("press_hand_key", "pay", "adjust_meter")
    ),
    *(
        Case(
            f"key switch without {name}",
            HD,
            "progressive.steps",
            f"{name}: with a key switch it is needed",
            [("", step(name), "")],
        )
        for name in ("turn_key_to_jph", "press_j_pot", "turn_key_to_run")
    ),
    Case(
        "key step without a key switch",
        SD,
        "progressive.steps.press_j_pot",
        "press_j_pot: without a key switch it cannot be",
        [("[[progressive.steps]]", 'step = "verify_win"', 'step = "press_j_pot"')],
    ),
    *(
        Case(
            f"{later} before {earlier}",
            HD,
            "progressive.steps",
            "these steps come in the order press_hand_key, call_supervisor, verify_win, "
            "turn_key_to_jph, press_j_pot, pay, turn_key_to_run",
            [("", step(later), ""), ("", step(earlier), step(later) + step(earlier))],
        )
        for earlier, later in (
            ("press_hand_key", "call_supervisor"),
            ("call_supervisor", "verify_win"),
            ("verify_win", "turn_key_to_jph"),
            ("turn_key_to_jph", "press_j_pot"),
            ("press_j_pot", "pay"),
            ("pay", "turn_key_to_run"),
        )
    ),
    Case(
        "fewer steps out of order",
        MD,
        "progressive.steps",
        "these steps come in the order press_hand_key, call_supervisor, verify_win, pay",
        [
            ("", step("verify_win", MD), ""),
            ("", step("call_supervisor", MD), step("verify_win", MD) + step("call_supervisor", MD)),
        ],
    ),
    Case(
        "payment of some awards only",
        HD,
        "progressive.steps.pay.awards",
        "every award is paid; all is right",
        [('step = "pay"', 'awards = "all"', 'awards = "meter"')],
    ),
    Case(
        "meter moved by every award",
        HD,
        "progressive.steps.adjust_meter.awards",
        "only such awards move it; meter is right",
        [('step = "adjust_meter"', 'awards = "meter"', 'awards = "all"')],
    ),
    *(
        Case(
            f"award fixed at {at}",
            book,
            "progressive.meter.award_fixed_at",
            f"there is no step {needs}",
            [(METER, f'award_fixed_at = "{was}"', f'award_fixed_at = "{at}"')],
        )
        for book, was, at, needs in (
            (HD, "j_pot", "keying", "key_in_winner"),
            (MD, "floor_validation", "j_pot", "press_j_pot"),
        )
    ),
    Case(
        "award fixed by a floor that validates nothing",
        HD,
        "progressive.meter.award_fixed_at",
        "there is no step verify_win",
        [("", step("verify_win"), ""), (METER, '"j_pot"', '"floor_validation"')],
    ),
    *(
        Case(
            f"meter moved at {at}",
            book,
            "progressive.meter.moves_at",
            f"there is no step {needs}",
            [(METER, f'moves_at = "{was}"', f'moves_at = "{at}"')],
        )
        for book, was, at, needs in (
            (HD, "key_to_run", "keying", "key_in_winner"),
            (SD, "keying", "key_to_run", "turn_key_to_run"),
        )
    ),
    Case(
        "meter moved at a payment that there is not",
        HD,
        "progressive.meter.moves_at",
        "there is no step pay",
        [("", step("pay"), ""), (METER, '"key_to_run"', '"payment"')],
    ),
    Case(
        "award fixed after the meter moved",
        HD,
        "progressive.meter.moves_at",
        "the meter moves once the award is fixed",
        [
            (METER, '"key_to_run"', '"keying"'),
            (step("verify_win"), "", step("verify_win").replace("verify_win", "key_in_winner")),
        ],
    ),
    Case(
        "meter adjusted before it moves",
        HD,
        "progressive.steps.adjust_meter",
        "the meter moves at turn_key_to_run, before it",
        [("", step("adjust_meter"), ""), ("", step("pay"), step("adjust_meter") + step("pay"))],
    ),
]


@each([*AWARDS])
def test_a_progressive_that_cannot_be_run_is_refused(case: Case) -> None:
    assert_refused(case)


@each_accepted(
    {
        "wager printed with cents": (
            HD,
            [('id = "HD-PROG-2"', 'wager_printed = "$2"', 'wager_printed = "$2.00"')],
        ),
        "wager printed in words": (
            HD,
            [('id = "HD-PROG-2"', 'wager_printed = "$2"', 'wager_printed = "two dollars"')],
        ),
        "all of the wager to meter and reserve": (HD, [(SCHEDULE, 'rate = "24"', 'rate = "99"')]),
        "a seed of another wager than the basis": (
            IS,
            [('wager = "5"', 'seed = "10000"', 'seed = "10000.01"')],
        ),
        "a struck table that pays less": (
            HD,
            [
                (
                    PROG,
                    "",
                    struck(PROG).replace('printed = "9 for 1", pays = "9 for 1"', 'pays = "lose"'),
                )
            ],
        ),
        "a struck envy table": (HD, [(ENVY, "", struck(ENVY))]),
        "a seed that nobody scales": (MD, [(SCHEDULE, 'seed = "10000"', 'seed = "10000.01"')]),
        "no win page": (HD, [("[[progressive.steps]]", step("print_win_page"), "")]),
        "win page after the payment": (
            HD,
            [
                ("", step("print_win_page"), ""),
                ("", step("pay"), step("pay") + step("print_win_page")),
            ],
        ),
        "seed fixed at the smallest reset": (
            MD,
            [
                ("[options.seed]", 'minimum = "10000"\n', ""),
                ("[options.seed]", 'default_from = "schedule"', 'default = "10000"\nfixed = true'),
            ],
        ),
        "seed fixed at the schedule's": (
            MD,
            [
                ("[options.seed]", 'minimum = "10000"\n', ""),
                ("[options.seed]", "must_be_stated = true", "fixed = true"),
            ],
        ),
    }
)
def test_a_progressive_that_can_be_run_is_accepted(book: str, edits: list[Edit]) -> None:
    assert_accepted(book, edits)
