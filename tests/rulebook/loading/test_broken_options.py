"""Options: known, in place, within bounds that can be played, and in agreement with each other."""

from tests.rulebook.loading.breaking import (
    HD,
    IA,
    IS,
    MD,
    SD11,
    Case,
    Edit,
    assert_accepted,
    assert_refused,
    each,
    each_accepted,
    rule,
    without,
)


def option(name: str) -> str:
    return f"[options.{name}]"


def added(name: str, values: str) -> Edit:
    """An option that the demo house does not have."""
    return rule(option(name), f'meaning = "x"\n{values}', "HD.3.3", option("seats"))


ONE_AT_A_TIME = 'kind = "choice"\ndefault = "one_at_a_time"\nchoices = ["one_at_a_time"]'

OUT_OF_PLACE = [
    Case(
        "option of another kind",
        HD,
        "options.breakage.kind",
        "is flag; choice is right",
        [
            (
                option("breakage"),
                'kind = "choice"\ndefault = "house"\nchoices = ["house", "player"]',
                'kind = "flag"\ndefault = true',
            )
        ],
    ),
    Case(
        "option of the other game",
        HD,
        "options.exposed_dealer_card",
        "goes with a dealer's hand, which is not played here; remove it",
        [(option("exposed_player_card"), "exposed_player_card", "exposed_dealer_card")],
    ),
    Case(
        "option of a side bet that is not offered",
        HD,
        "options.bonus_minimum",
        "no rule of this rulebook reads it; remove it",
        [(option("three_card_minimum"), "three_card_minimum", "bonus_minimum")],
    ),
    Case(
        "option that nobody reads",
        HD,
        "options.two_card_method",
        "no rule of this rulebook reads it; remove it",
        [added("two_card_method", ONE_AT_A_TIME)],
    ),
    Case(
        "option that nobody reads and that is fixed",
        HD,
        "options.two_card_method",
        "no rule of this rulebook reads it; remove it",
        [added("two_card_method", f"{ONE_AT_A_TIME}\nfixed = true")],
    ),
    Case(
        "edition where nothing is struck",
        HD,
        "options.edition",
        "no rule of this rulebook reads it; remove it",
        [added("edition", 'kind = "choice"\ndefault = "final"\nchoices = ["final"]')],
    ),
    Case(
        "statement that an operator could change",
        MD,
        "options.fold_forfeits_side_bets",
        "no rule of this rulebook reads it; remove it",
        [(option("fold_forfeits_side_bets"), "fixed = true\n", "")],
    ),
    *(
        Case(
            f"{name} missing",
            book,
            f"options.{name}",
            "missing; a part of this rulebook reads it",
            [without(book, option(name))],
        )
        for book, name in (
            (HD, "seats"),
            (HD, "allow_fractional_multiples"),
            (HD, "three_card_maximum"),
            (HD, "rate"),
            (HD, "jackpot_key_from"),
            (HD, "community_cards_dealt"),
            (HD, "conduct_forfeits"),
            (HD, "pro_rata_unit"),
            (HD, "cut_bottom_margin"),
            (IA, "unwritten_irregularity"),
            (IS, "aggregate_limit"),
            (IS, "fold_forfeits_side_bets"),
            (MD, "two_card_method"),
            (MD, "cap_scope"),
            (MD, "cap_second_limb_streets"),
            (MD, "deck_hours_hand"),
            (MD, "deck_hours_shoe"),
            (SD11, "strict_dollar_wager"),
        )
    ),
]

BOUNDS = [
    *(
        Case(
            f"{name} from {minimum} to {maximum}",
            book,
            f"options.{name}",
            f"{minimum} to {maximum} cannot be; a minimum and a maximum from {least} to {most} are",
            [
                (option(name), "minimum = 1", f"minimum = {minimum}"),
                (option(name), f"maximum = {was}", f"maximum = {maximum}"),
            ],
        )
        for book, name, was, minimum, maximum, least, most in (
            (HD, "seats", 7, 0, 7, 1, 9),
            (HD, "seats", 7, 1, 10, 1, 9),
            (HD, "seats", 7, 9, 7, 1, 9),
            (HD, "max_positions_per_player", 1, 1, 10, 1, 9),
            (HD, "cut_bottom_margin", 42, 1, 43, 1, 42),
            (MD, "deck_hours_hand", 4, 0, 4, 1, 24),
            (MD, "deck_hours_shoe", 8, 1, 25, 1, 24),
        )
    ),
    Case(
        "number below its bounds",
        HD,
        "options.seats.default",
        "2 is not allowed; 3 to 7 is",
        [(option("seats"), "default = 7\nminimum = 1", "default = 2\nminimum = 3")],
    ),
    Case(
        "fixed number with a range",
        HD,
        "options.seats.maximum",
        "a fixed option has one value; the minimum is right",
        [(option("seats"), "maximum = 7", "maximum = 7\nfixed = true")],
    ),
    *(
        Case(
            f"{name} of nothing",
            book,
            f"options.{name}.default",
            "$0 is no amount to play for; more is right",
            [(option(name), f'default = "{was}"', 'default = "0"')],
        )
        for book, name, was in (
            (HD, "minimum", "5"),
            (HD, "maximum", "500"),
            (HD, "three_card_minimum", "1"),
            (HD, "three_card_maximum", "100"),
            (HD, "wager_unit", "1"),
            (HD, "payout_unit", "0.01"),
            (HD, "pro_rata_unit", "0.01"),
            (MD, "six_card_minimum", "1"),
            (IS, "bonus_minimum", "1"),
        )
    ),
    Case(
        "smallest amount of nothing",
        HD,
        "options.wager_unit.minimum",
        "$0 is no amount to play for; more is right",
        [(option("wager_unit"), 'minimum = "0.01"', 'minimum = "0"')],
    ),
    Case(
        "amount below its bounds",
        HD,
        "options.wager_unit.default",
        "$1 is less than $2",
        [(option("wager_unit"), 'minimum = "0.01"', 'minimum = "2"')],
    ),
    Case(
        "amount above its bounds",
        HD,
        "options.maximum.default",
        "$500 is more than $499",
        [(option("maximum"), 'maximum = "500"', 'maximum = "499"')],
    ),
    Case(
        "bounds that leave nothing",
        HD,
        "options.seed.minimum",
        "$100 is more than $5",
        [
            (
                option("seed"),
                'default_from = "schedule"',
                'default_from = "schedule"\nminimum = "100"\nmaximum = "5"',
            )
        ],
    ),
    Case(
        "choice of amounts outside the bounds",
        HD,
        "options.maximum.choices",
        "$501 is more than $500",
        [(option("maximum"), 'maximum = "500"', 'maximum = "500"\nchoices = ["500", "501"]')],
    ),
    Case(
        "amount that is none of the choices",
        HD,
        "options.maximum.default",
        "$500 is not allowed; allowed are $100, $200",
        [(option("maximum"), 'maximum = "500"', 'choices = ["100", "200"]')],
    ),
    Case(
        "amount twice among the choices",
        HD,
        "options.maximum.choices",
        "names $500 2 times; once is right",
        [(option("maximum"), 'maximum = "500"', 'choices = ["500", "500"]')],
    ),
    *(
        Case(
            f"fixed amount with {extra}",
            HD,
            "options.maximum",
            "a fixed option has one value; remove its choices and bounds",
            [(option("maximum"), 'maximum = "500"', f"{extra}\nfixed = true")],
        )
        for extra in ('minimum = "500"', 'maximum = "500"', 'choices = ["500"]')
    ),
    *(
        Case(
            f"{name} that may be none",
            HD,
            f"options.{name}.none_allowed",
            "this cannot be none; an amount is needed",
            [(option(name), "meaning", "none_allowed = true\nmeaning")],
        )
        for name in ("minimum", "wager_unit", "seed", "three_card_maximum")
    ),
    Case(
        "none that comes from somewhere",
        MD,
        "options.maximum.default",
        "give a default, default_from, or none_allowed = true",
        [
            (
                option("maximum"),
                "none_allowed = true",
                'none_allowed = true\ndefault_from = "ante_maximum"',
            )
        ],
    ),
    Case(
        "amount that may be none with two defaults",
        MD,
        "options.maximum.default",
        "give either default or default_from",
        [
            (
                option("maximum"),
                "none_allowed = true",
                'none_allowed = true\ndefault = "5"\ndefault_from = "ante_maximum"',
            )
        ],
    ),
    Case(
        "amount with no default",
        HD,
        "options.minimum.default",
        "give either default or default_from",
        [(option("minimum"), 'default = "5"\n', "")],
    ),
    Case(
        "amount with two defaults",
        HD,
        "options.three_card_maximum.default",
        "give either default or default_from",
        [
            (
                option("three_card_maximum"),
                'default = "100"',
                'default = "100"\ndefault_from = "ante_maximum"',
            )
        ],
    ),
    *(
        Case(
            f"{name} from {wrong}",
            book,
            f"options.{name}.default_from",
            f"'{wrong}' is not allowed; {right}",
            [(option(name), was, f'default_from = "{wrong}"')],
        )
        for book, name, was, wrong, right in (
            (HD, "minimum", 'default = "5"', "schedule", "give a default of its own"),
            (HD, "maximum", 'default = "500"', "ante_maximum", "give a default of its own"),
            (HD, "reserve_rate", 'default = "1"', "schedule", "give a default of its own"),
            (HD, "seed", 'default_from = "schedule"', "ante_maximum", "schedule is right"),
            (HD, "rate", 'default_from = "schedule"', "ante_maximum", "schedule is right"),
            (HD, "progressive_wager", 'default_from = "schedule"', "ante_maximum", "schedule is"),
            (HD, "meter_link", 'default_from = "schedule"', "ante_maximum", "schedule is right"),
            (
                IA,
                "three_card_maximum",
                'default_from = "ante_maximum"',
                "schedule",
                "ante_maximum is",
            ),
        )
    ),
    *(
        Case(
            f"{name} with {how}",
            HD,
            f"options.{name}.default",
            "give either default or default_from",
            [(option(name), 'default_from = "schedule"', becomes)],
        )
        for name, how, becomes in (
            ("rate", "no default", ""),
            ("rate", "two defaults", 'default = "21"\ndefault_from = "schedule"'),
            ("meter_link", "no default", ""),
            ("meter_link", "two defaults", 'default = "x"\ndefault_from = "schedule"'),
        )
    ),
    Case(
        "rate of more than the wager",
        HD,
        "options.reserve_rate.default",
        "100.01% is more than the whole wager",
        [(option("reserve_rate"), 'default = "1"', 'default = "100.01"')],
    ),
    Case(
        "name that is empty",
        HD,
        "options.meter_link.default",
        "is empty; some text is right",
        [(option("meter_link"), 'default_from = "schedule"', 'default = ""')],
    ),
    Case(
        "choice that nobody understands",
        HD,
        "options.breakage.choices",
        "'nobody' is not allowed; allowed are house, player",
        [(option("breakage"), 'choices = ["house", "player"]', 'choices = ["house", "nobody"]')],
    ),
    Case(
        "no choices",
        HD,
        "options.breakage.default",
        "'house' is not allowed",
        [(option("breakage"), 'choices = ["house", "player"]', "choices = []")],
    ),
    Case(
        "choice twice",
        HD,
        "options.breakage.choices",
        "names house 2 times; once is right",
        [(option("breakage"), 'choices = ["house", "player"]', 'choices = ["house", "house"]')],
    ),
    Case(
        "fixed choice with further choices",
        HD,
        "options.breakage.choices",
        "a fixed option has one value; its default alone is right",
        [
            (
                option("breakage"),
                'choices = ["house", "player"]',
                'choices = ["house", "player"]\nfixed = true',
            )
        ],
    ),
    Case(
        "default for a side bet that is not offered",
        HD,
        "options.breakage.default_when",
        "'six_card_bonus' is neither a side bet on offer nor a way to deal; remove it",
        [(option("breakage"), "meaning", 'default_when = { six_card_bonus = "player" }\nmeaning')],
    ),
    Case(
        "default for a way to deal that there is not",
        HD,
        "options.tip_wagers.default_when",
        "'packets' is neither a side bet on offer nor a way to deal; remove it",
        [(option("tip_wagers"), "meaning", "default_when = { packets = false }\nmeaning")],
    ),
    Case(
        "conditional default that is not allowed",
        HD,
        "options.breakage.default",
        "'nobody' is not allowed; allowed are house, player",
        [(option("breakage"), "meaning", 'default_when = { rotation = "nobody" }\nmeaning')],
    ),
    Case(
        "fixed option with a conditional default",
        HD,
        "options.tip_wagers.default_when",
        "a fixed option has one value; remove it",
        [
            (
                option("tip_wagers"),
                "meaning",
                "fixed = true\ndefault_when = { rotation = false }\nmeaning",
            )
        ],
    ),
]

BETWEEN = [
    Case(
        "smallest ante above the largest",
        HD,
        "options.minimum.default",
        "$501 is more than maximum, $500",
        [(option("minimum"), 'default = "5"', 'default = "501"')],
    ),
    Case(
        "smallest side bet above the largest",
        HD,
        "options.three_card_minimum.default",
        "$101 is more than three_card_maximum, $100",
        [(option("three_card_minimum"), 'default = "1"', 'default = "101"')],
    ),
    Case(
        "smallest side bet above the largest ante",
        "south-dakota-3cb",
        "options.three_card_minimum.default",
        "$26 is more than three_card_maximum, $25",
        [(option("three_card_minimum"), 'default = "1"', 'default = "26"')],
    ),
    Case(
        "smallest bonus above the largest",
        IS,
        "options.bonus_minimum.default",
        "$6 is more than bonus_maximum, $5",
        [
            (option("bonus_minimum"), 'default = "1"', 'default = "6"'),
            (option("bonus_maximum"), 'default_from = "ante_maximum"', 'default = "5"'),
        ],
    ),
    *(
        Case(
            f"{name} of no whole units",
            HD,
            f"options.{name}.default",
            "is no multiple of wager_unit, $1",
            [(option(name), f'default = "{was}"', f'default = "{was}.50"')],
        )
        for name, was in (
            ("minimum", "5"),
            ("three_card_minimum", "1"),
            ("three_card_maximum", "100"),
        )
    ),
    Case(
        "largest ante of no whole units",
        HD,
        "options.maximum.default",
        "$499.50 is no multiple of wager_unit, $1",
        [(option("maximum"), 'default = "500"', 'default = "499.50"')],
    ),
    Case(
        "progressive wager of no whole units",
        HD,
        "progressive.schedules.HD-PROG-2.wager",
        "$2 is no multiple of wager_unit, $5",
        [(option("wager_unit"), 'default = "1"', 'default = "5"')],
    ),
    Case(
        "schedule that gives meter and reserve more than there is",
        HD,
        "progressive.schedules.HD-PROG-2.rate",
        "99.01% and the reserve's 1% are more than the whole wager",
        [("[[progressive.schedules]]", 'rate = "24"', 'rate = "99.01"')],
    ),
    Case(
        "scaled rate of more than there is",
        MD,
        "progressive.scaling.rate",
        "100.01% and the reserve's 0% are more than the whole wager",
        [("[progressive.scaling]", 'rate = "21"', 'rate = "100.01"')],
    ),
    Case(
        "chosen rate of more than there is",
        HD,
        "options.rate.default",
        "99.5% and the reserve's 1% are more than the whole wager",
        [(option("rate"), 'default_from = "schedule"', 'default = "99.5"')],
    ),
    Case(
        "edition that cannot be played",
        MD,
        "options.edition.default",
        "only the final text is played; final is right",
        [(option("edition"), 'default = "final"', 'default = "pre_amendment"')],
    ),
    Case(
        "more positions than seats",
        IS,
        "options.max_positions_per_player.default",
        "8 positions at a table of 7 seats; at most as many positions as seats are right",
        [(option("max_positions_per_player"), "default = 1", "default = 8")],
    ),
]


@each([*OUT_OF_PLACE, *BOUNDS, *BETWEEN])
def test_an_option_that_cannot_be_is_refused(case: Case) -> None:
    assert_refused(case)


@each_accepted(
    {
        "one seat": (HD, [(option("seats"), "default = 7", "default = 1")]),
        "one ante": (HD, [(option("maximum"), 'default = "500"', 'default = "5"')]),
        "two antes": (HD, [(option("maximum"), 'maximum = "500"', 'choices = ["100", "500"]')]),
        "a fixed ante": (HD, [(option("maximum"), 'maximum = "500"', "fixed = true")]),
        "the whole wager to meter and reserve": (
            HD,
            [(option("reserve_rate"), 'default = "1"', 'default = "76"')],
        ),
        "the whole wager to the reserve": (
            HD,
            [
                (option("reserve_rate"), 'default = "1"', 'default = "100"'),
                ("[[progressive.schedules]]", 'rate = "24"', 'rate = "0"'),
                ("[progressive.scaling]", 'rate = "24"', 'rate = "0"'),
            ],
        ),
        "the whole wager to the meter": (
            MD,
            [("[progressive.scaling]", 'rate = "21"', 'rate = "100"')],
        ),
        "a conditional default": (
            HD,
            [(option("breakage"), "meaning", 'default_when = { rotation = "player" }\nmeaning')],
        ),
        "all seats for one player": (
            IS,
            [(option("max_positions_per_player"), "default = 1", "default = 7")],
        ),
        "a threshold of nothing": (
            MD,
            [(option("off_tray_threshold"), 'default = "0"', 'default = "0"\nminimum = "0"')],
        ),
        "no edition": (MD, [without(MD, option("edition"))]),
    }
)
def test_an_option_that_can_be_is_accepted(book: str, edits: list[Edit]) -> None:
    assert_accepted(book, edits)
