"""Side bets that cannot be offered as a file has them."""

from tests.rulebook.loading.breaking import (
    HD,
    IS,
    MD,
    OFFER_6,
    OFFER_P,
    SD11,
    WAITS,
    Case,
    assert_refused,
    doubled,
    each,
    without,
)

OFFER_3 = 'bet = "three_card_bonus"\nlabel'
COMMUNITY = '{ places = ["community"], hand = "three" }'

SIDE_BETS = [
    Case(
        "side bet twice",
        HD,
        "side_bets.three_card_bonus",
        "stands 2 times; once is right",
        [doubled(HD, OFFER_3)],
    ),
    Case(
        "pay table offered twice",
        HD,
        "side_bets.three_card_bonus.paytables",
        "names HD-3CB 2 times; once is right",
        [("", 'paytables = ["HD-3CB"]', 'paytables = ["HD-3CB", "HD-3CB"]')],
    ),
    Case(
        "bet on too many cards",
        HD,
        "side_bets.three_card_bonus.decided_by",
        "seat, community together are 5 cards; a hand of three has 3",
        [(OFFER_3, 'places = ["community"]', 'places = ["seat", "community"]')],
    ),
    Case(
        "bet on a hand of another size",
        IS,
        "side_bets.bonus.decided_by",
        "seat together are 5 cards; a hand of six has 6",
        [('bet = "bonus"\nlabel', 'hand = "five"', 'hand = "six"')],
    ),
    Case(
        "bet on cards that are not dealt",
        IS,
        "side_bets.bonus.decided_by.places",
        "community gets no cards here; remove it",
        [('bet = "bonus"\nlabel', 'places = ["seat"]', 'places = ["community"]')],
    ),
    Case(
        "bet on a box that is not dealt",
        HD,
        "side_bets.three_card_bonus.decided_by.places",
        "box gets no cards here; remove it",
        [(OFFER_3, 'places = ["community"]', 'places = ["box"]')],
    ),
    Case(
        "bet on the dealer's cards",
        IS,
        "side_bets.bonus.decided_by.places",
        "a side bet goes by cards of the player, board or box",
        [('bet = "bonus"\nlabel', 'places = ["seat"]', 'places = ["dealer"]')],
    ),
    Case(
        "progressive on another hand than the base game's",
        HD,
        "side_bets.progressive.decided_by",
        "the progressive goes by the base game's hand; five of seat, community is right",
        [(OFFER_P, '{ places = ["seat", "community"], hand = "five" }', COMMUNITY)],
    ),
    *(
        Case(
            f"side bet called {name}",
            HD,
            f"side_bets.{name}",
            f"{name} means something else already; another name is right",
            [("", OFFER_3, f'bet = "{name}"\nlabel')],
        )
        for name in ("ante", "base", "envy", "meter", "dealing", "seats", "tip_ante")
    ),
    Case(
        "pay table for a hand of another size",
        HD,
        "paytables.HD-3CB.hand",
        "is five; three is right",
        [('id = "HD-3CB"', 'hand = "three"\n', "")],
    ),
    Case(
        "side bet without pay tables",
        HD,
        "side_bets.three_card_bonus.paytables",
        "is empty; name at least one pay table",
        [("", 'paytables = ["HD-3CB"]', "paytables = []")],
    ),
    Case(
        "side bet by another bet's table",
        HD,
        "side_bets.three_card_bonus.paytables",
        "'HD-BASE' is a table for base",
        [("", 'paytables = ["HD-3CB"]', 'paytables = ["HD-BASE"]')],
    ),
    Case(
        "table that can be played but is not offered",
        IS,
        "side_bets.bonus.paytables",
        "'IS-03' can be played but is not offered",
        [("", '"IS-01", "IS-02", "IS-03"', '"IS-01", "IS-02"')],
    ),
    Case(
        "tables for a bet that is not offered",
        HD,
        "side_bets",
        "there are pay tables for three_card_bonus, which is not offered",
        [without(HD, OFFER_3)],
    ),
    Case(
        "progressive that is not offered",
        HD,
        "progressive",
        "the side bet and the [progressive] section go together",
        [without(HD, OFFER_P)],
    ),
    Case(
        "side bet without an ante",
        HD,
        "side_bets.three_card_bonus.after",
        "every side bet is made after the ante; name it",
        [(OFFER_3, 'after = ["ante"]', "after = []")],
    ),
    Case(
        "side bet after one that is not offered",
        HD,
        "side_bets.three_card_bonus.after",
        "'bonus' is not offered here",
        [(OFFER_3, 'after = ["ante"]', 'after = ["ante", "bonus"]')],
    ),
    Case(
        "side bet after itself",
        HD,
        "side_bets.progressive.after",
        "progressive waits for itself; bets made before it are right",
        [(OFFER_P, 'after = ["ante"]', 'after = ["ante", "progressive"]')],
    ),
    Case(
        "side bets in a circle",
        IS,
        "side_bets.bonus.after",
        "bonus waits for itself; bets made before it are right",
        [
            ('bet = "bonus"\nlabel', 'after = ["ante"]', 'after = ["ante", "progressive"]'),
            (OFFER_P, 'after = ["ante"]', 'after = ["ante", "bonus"]'),
        ],
    ),
    Case(
        "bet that waits for another in any case and by option",
        MD,
        "side_bets.six_card_bonus.after_if",
        "three_card_bonus comes before it in any case; name it once",
        [(OFFER_6, 'after = ["ante"]', 'after = ["ante", "three_card_bonus"]')],
    ),
    Case(
        "bet that waits by an option that is no yes or no",
        MD,
        "side_bets.six_card_bonus.after_if",
        "seats is no yes-or-no option; one that is, is right",
        [(OFFER_6, '"six_card_requires_three_card"', '"seats"')],
    ),
    Case(
        "bet that waits by an option that there is not",
        MD,
        "options.first_things_first",
        "missing; a part of this rulebook reads it",
        [(OFFER_6, '"six_card_requires_three_card"', '"first_things_first"')],
    ),
    Case(
        "option by which no bet waits",
        MD,
        "options.six_card_requires_three_card",
        "no rule of this rulebook reads it; remove it",
        [(OFFER_6, WAITS, "")],
    ),
    Case(
        "tip on a spot of the other game",
        HD,
        "tips.on",
        "there is no bet here; ante, third, fourth, fifth, three_card_bonus",
        [("[tips]", '"three_card_bonus"]', '"bet"]')],
    ),
    Case(
        "tip on a bet that is not offered",
        SD11,
        "tips.on",
        "there is no three_card_bonus here; ante, third, fourth, fifth can be tipped on",
        [("[tips]", '"fifth"]', '"fifth", "three_card_bonus"]')],
    ),
    Case(
        "tips on nothing",
        HD,
        "tips.on",
        "name the ante; whether tips are taken is the option tip_wagers",
        [("[tips]", 'on = ["ante", "third", "fourth", "fifth", "three_card_bonus"]', "on = []")],
    ),
    *(
        Case(
            f"street tips of {wrong}",
            HD,
            "tips.street_multiples",
            says,
            [("[tips]", "street_multiples = [1, 2, 3]", f"street_multiples = {wrong}")],
        )
        for wrong, says in (
            ("[]", "each once, smallest first, is right"),
            ("[3, 2]", "each once, smallest first, is right"),
            ("[2, 2]", "each once, smallest first, is right"),
            ("[1, 101]", "101 is too much; 1 to 100 is right"),
        )
    ),
]


@each(SIDE_BETS)
def test_a_side_bet_that_cannot_be_is_refused(case: Case) -> None:
    assert_refused(case)
