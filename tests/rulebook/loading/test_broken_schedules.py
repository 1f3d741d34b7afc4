"""The progressive's schedules: wagers, seeds, rates, pay tables, envy and scaling."""

from tests.rulebook.loading.breaking import (
    HD,
    IS,
    MD,
    METER,
    SCHEDULE,
    SD,
    SD11,
    Case,
    assert_refused,
    doubled,
    each,
    edited,
    problems_of,
)

SCALING, PLACE = "[progressive.scaling]", "progressive.schedules.HD-PROG-2"

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
        [doubled(HD, SCHEDULE)],
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


@each(SCHEDULES)
def test_a_schedule_that_cannot_be_run_is_refused(case: Case) -> None:
    assert_refused(case)


def test_a_table_that_is_for_something_else_is_not_asked_for_envy() -> None:
    text = edited(HD, [(SCHEDULE, 'envy = "HD-ENVY-2"', 'envy = "HD-BASE"')])
    assert {problem.where for problem in problems_of(text, "x.toml")} == {
        f"{PLACE}.envy",
        "paytables.HD-ENVY-2",
    }
