"""The progressive: schedules, scaling, winning hands, envy, keys, steps and the meter."""

import pytest

from tests.rulebook.loading.test_broken_rulebooks import (
    Case,
    assert_refused,
    block,
    edited,
    problems_of,
)

HD, IS, MD = "house-demo", "island-stud", "maryland-2014"
SD11, SD = "south-dakota-2011", "south-dakota-3cb"
SCHEDULE, SCALING, METER = (
    "[[progressive.schedules]]",
    "[progressive.scaling]",
    "[progressive.meter]",
)
KEYS, WINNING = "[progressive.keys]", "[progressive.winning]"
PROG, ENVY = block(HD, 'id = "HD-PROG-2"'), block(HD, 'id = "HD-ENVY-2"')
PLACE = "progressive.schedules.HD-PROG-2"


def struck(table: str) -> str:
    """A pay table under another name, kept for analysis."""
    return table.replace('-2"', '-OLD"', 1).replace('"final"', '"struck"')


def step(name: str, book: str = HD) -> str:
    return block(book, f'step = "{name}"')


SCHEDULES = [
    Case(
        "lock before the bets are closed",
        HD,
        "progressive.lock.after",
        "betting closes at no_more_bets; no_more_bets is right",
        [("[progressive.lock]", '"no_more_bets"', '"all_bets_placed"')],
    ),
    Case(
        "lock after a word that nobody says",
        SD,
        "progressive.lock.after",
        "betting closes at lock; all_bets_placed is right",
        [("[progressive.lock]", '"all_bets_placed"', '"no_more_bets"')],
    ),
    Case(
        "hand that no payment keeps",
        HD,
        "progressive.envy.trigger_hand",
        "payment.cards_until_documented keeps the cards; set it to true",
        [
            (
                "[progressive.envy]",
                '"face_up_until_all_paid"',
                '"kept_until_documented_if_paid_off_tray"',
            )
        ],
    ),
    Case(
        "hand that a payment keeps and nobody mentions",
        MD,
        "progressive.envy.trigger_hand",
        "payment.cards_until_documented is true; kept_until_documented_if_paid_off_tray is right",
        [
            (
                "[progressive.envy]",
                '"kept_until_documented_if_paid_off_tray"',
                '"not_mentioned"',
            )
        ],
    ),
    Case(
        "schedule of a table that is not offered",
        HD,
        "progressive.schedules.HD-3CB",
        "'HD-3CB' is not among the side bet's pay tables",
        [(SCHEDULE, 'paytable = "HD-PROG-2"', 'paytable = "HD-3CB"')],
    ),
    Case(
        "table on offer without a schedule",
        HD,
        "progressive.schedules",
        "'HD-PROG-2' is offered but has no schedule",
        [(SCHEDULE, 'paytable = "HD-PROG-2"', 'paytable = "HD-3CB"')],
    ),
    Case(
        "schedule of a table that there is not",
        IS,
        "side_bets.progressive.paytables",
        "there is no pay table 'IS-PROG-PMG-09'",
        [
            (SCHEDULE, '"IS-PROG-PMG-01"', '"IS-PROG-PMG-09"'),
            ('bet = "progressive"', '"IS-PROG-PMG-01"', '"IS-PROG-PMG-09"'),
        ],
    ),
    Case(
        "schedule twice",
        HD,
        PLACE,
        "stands 2 times with a wager of $2; once is right",
        [(block(HD, SCHEDULE), "", block(HD, SCHEDULE))],
    ),
    Case(
        "envy table that there is not",
        HD,
        f"{PLACE}.envy",
        "there is no envy table 'HD-ENVY-3'",
        [(SCHEDULE, 'envy = "HD-ENVY-2"', 'envy = "HD-ENVY-3"')],
    ),
    Case(
        "envy table that is for something else",
        HD,
        f"{PLACE}.envy",
        "there is no envy table 'HD-BASE'",
        [(SCHEDULE, 'envy = "HD-ENVY-2"', 'envy = "HD-BASE"')],
    ),
    Case(
        "envy table that is struck",
        HD,
        f"{PLACE}.envy",
        "'HD-ENVY-2' is struck: it is kept for analysis only",
        [('id = "HD-ENVY-2"', 'status = "final"', 'status = "struck"')],
    ),
    Case(
        "second schedule's envy of another wager",
        MD,
        "progressive.schedules.MD-2014-PROG-2.wager",
        "'MD-2014-ENVY-1' is for a wager of $1",
        [(SCHEDULE, 'envy = "MD-2014-ENVY-5"', 'envy = "MD-2014-ENVY-1"')],
    ),
    Case(
        "envy table that no schedule names",
        MD,
        "paytables.MD-2014-ENVY-5",
        "no schedule names it; name it or strike it",
        [(SCHEDULE, 'envy = "MD-2014-ENVY-5"', 'envy = "MD-2014-ENVY-1"')],
    ),
    Case(
        "placard that no schedule names",
        IS,
        "paytables.IS-PLACARD-PMG-01",
        "no schedule names it; name it or strike it",
        [(SCHEDULE, 'placard = "IS-PLACARD-PMG-01"\n', "")],
    ),
    Case(
        "placard that there is not",
        IS,
        "progressive.schedules.IS-PROG-PMG-01.placard",
        "there is no placard 'IS-PLACARD-PMG-09'",
        [(SCHEDULE, 'placard = "IS-PLACARD-PMG-01"', 'placard = "IS-PLACARD-PMG-09"')],
    ),
    Case(
        "placard that is a pay table",
        IS,
        "progressive.schedules.IS-PROG-PMG-01.placard",
        "there is no placard 'IS-01'",
        [(SCHEDULE, 'placard = "IS-PLACARD-PMG-01"', 'placard = "IS-01"')],
    ),
    Case(
        "placard that shows another payout",
        IS,
        "progressive.schedules.IS-PROG-PMG-01.placard",
        "'IS-PLACARD-PMG-01' shows 41 for 1 for flush; what 'IS-PROG-PMG-01' pays is right",
        [
            (
                'id = "IS-PLACARD-PMG-01"',
                'printed = "40 for 1", pays = "40 for 1"',
                'printed = "41 for 1", pays = "41 for 1"',
            )
        ],
    ),
    Case(
        "wager that is not the printed one",
        HD,
        f"{PLACE}.wager",
        "'HD-PROG-2' prints $5, which is right",
        [('id = "HD-PROG-2"', 'wager_printed = "$2"', 'wager_printed = "$5"')],
    ),
    Case(
        "wager of nothing",
        HD,
        f"{PLACE}.wager",
        "$0 is no wager; more is right",
        [(SCHEDULE, 'wager = "2"', 'wager = "0"'), (SCALING, '"2"', '"0"')],
    ),
    Case(
        "seed of nothing",
        HD,
        f"{PLACE}.seed",
        "$0 is too little; at least $0.01",
        [(SCHEDULE, 'seed = "20000"', 'seed = "0"')],
    ),
    Case(
        "seed below the smallest reset",
        MD,
        "progressive.schedules.MD-2014-PROG.seed",
        "$9,999.99 is too little; at least $10,000",
        [
            (METER, 'minimum_initial = "10000"\n', ""),
            (SCHEDULE, 'seed = "10000"', 'seed = "9999.99"'),
        ],
    ),
    Case(
        "seed below the smallest start",
        MD,
        "progressive.schedules.MD-2014-PROG.seed",
        "$10,000 is too little; at least $20,000",
        [(METER, 'minimum_initial = "10000"', 'minimum_initial = "20000"')],
    ),
    Case(
        "seed that an operator may set too low",
        MD,
        "options.seed.minimum",
        "$9,999 is too little; $10,000 is right",
        [("[options.seed]", 'minimum = "10000"', 'minimum = "9999"')],
    ),
    Case(
        "seed that an operator may set at will",
        MD,
        "options.seed.minimum",
        "$0 is too little; $10,000 is right",
        [("[options.seed]", 'minimum = "10000"\n', "")],
    ),
    Case(
        "seed that is fixed too low",
        MD,
        "options.seed.minimum",
        "$5 is too little; $10,000 is right",
        [
            ("[options.seed]", 'minimum = "10000"\n', ""),
            ("[options.seed]", 'default_from = "schedule"', 'default = "5"\nfixed = true'),
        ],
    ),
    *(
        Case(
            f"{key} that no schedule has",
            SD11,
            f"progressive.scaling.{key}",
            "no schedule is for $3; one of $1, $5 is right",
            [(SCALING, f'{key} = "1"', f'{key} = "3"')],
        )
        for key in ("basis_wager", "strict_wager")
    ),
    Case(
        "envy not scaled with the wager",
        HD,
        "progressive.scaling.envy",
        "proportional is right where other wagers are allowed",
        [(SCALING, 'envy = "proportional"', 'envy = "printed_only"')],
    ),
    Case(
        "seed not scaled with the wager",
        HD,
        "progressive.scaling.seed",
        "proportional is right where other wagers are allowed",
        [(SCALING, 'seed = "proportional"', 'seed = "as_stated"')],
    ),
    Case(
        "envy scaled where nothing is",
        MD,
        "progressive.scaling.envy",
        "printed_only is right where other wagers are not allowed",
        [(SCALING, 'envy = "printed_only"', 'envy = "proportional"')],
    ),
    Case(
        "seed scaled where nothing is",
        MD,
        "progressive.scaling.seed",
        "as_stated is right where other wagers are not allowed",
        [(SCALING, 'seed = "as_stated"', 'seed = "proportional"')],
    ),
    Case(
        "seed that is scaled to parts of a cent",
        HD,
        f"{PLACE}.seed",
        "$20,000.01 is no multiple of the wager, $2",
        [(SCHEDULE, 'seed = "20000"', 'seed = "20000.01"')],
    ),
    Case(
        "envy that is scaled to parts of a cent",
        HD,
        f"{PLACE}.envy",
        "$601 is no multiple of the wager, $2",
        [
            (
                'id = "HD-ENVY-2"',
                'printed = "$600", pays = "$600"',
                'printed = "$601", pays = "$601"',
            )
        ],
    ),
    Case(
        "wager that no schedule serves",
        MD,
        "options.progressive_wager.choices",
        "no other wager is allowed; choices among $1, $5 are",
        [("[options.progressive_wager]", 'choices = ["1", "5"]', 'choices = ["1", "3"]')],
    ),
    Case(
        "any wager where no other is allowed",
        MD,
        "options.progressive_wager.choices",
        "no other wager is allowed; choices among $1, $5 are",
        [("[options.progressive_wager]", 'choices = ["1", "5"]\n', "")],
    ),
]

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


@pytest.mark.parametrize("case", [*SCHEDULES, *AWARDS], ids=lambda case: case.way)
def test_a_progressive_that_cannot_be_run_is_refused(case: Case) -> None:
    assert_refused(case)


def test_a_table_that_is_for_something_else_is_not_asked_for_envy() -> None:
    text = edited(HD, [(SCHEDULE, 'envy = "HD-ENVY-2"', 'envy = "HD-BASE"')])
    assert {problem.where for problem in problems_of(text, "x.toml")} == {
        f"{PLACE}.envy",
        "paytables.HD-ENVY-2",
    }


@pytest.mark.parametrize(
    ("book", "edits"),
    [
        (HD, [('id = "HD-PROG-2"', 'wager_printed = "$2"', 'wager_printed = "$2.00"')]),
        (HD, [('id = "HD-PROG-2"', 'wager_printed = "$2"', 'wager_printed = "two dollars"')]),
        (HD, [(SCHEDULE, 'rate = "24"', 'rate = "99"')]),
        (IS, [('wager = "5"', 'seed = "10000"', 'seed = "10000.01"')]),
        (
            HD,
            [
                (
                    PROG,
                    "",
                    struck(PROG).replace('printed = "9 for 1", pays = "9 for 1"', 'pays = "lose"'),
                )
            ],
        ),
        (HD, [(ENVY, "", struck(ENVY))]),
        (MD, [(SCHEDULE, 'seed = "10000"', 'seed = "10000.01"')]),
        (HD, [("[[progressive.steps]]", step("print_win_page"), "")]),
        (
            HD,
            [
                ("", step("print_win_page"), ""),
                ("", step("pay"), step("pay") + step("print_win_page")),
            ],
        ),
        (
            MD,
            [
                ("[options.seed]", 'minimum = "10000"\n', ""),
                ("[options.seed]", 'default_from = "schedule"', 'default = "10000"\nfixed = true'),
            ],
        ),
        (
            MD,
            [
                ("[options.seed]", 'minimum = "10000"\n', ""),
                ("[options.seed]", "must_be_stated = true", "fixed = true"),
            ],
        ),
    ],
    ids=[
        "wager printed with cents",
        "wager printed in words",
        "all of the wager to meter and reserve",
        "a seed of another wager than the basis",
        "a struck table that pays less",
        "a struck envy table",
        "a seed that nobody scales",
        "no win page",
        "win page after the payment",
        "seed fixed at the smallest reset",
        "seed fixed at the schedule's",
    ],
)
def test_a_progressive_that_can_be_run_is_accepted(
    book: str, edits: list[tuple[str, str, str]]
) -> None:
    assert problems_of(edited(book, edits), "x.toml") == ()
