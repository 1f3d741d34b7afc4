"""Wagers: tips, folds, decisions, settlement and limits that cannot be carried out."""

from tests.rulebook.loading.breaking import (
    BASE,
    HD,
    IA,
    IS,
    MD,
    OFFER_6,
    OFFER_P,
    SD11,
    WAITS,
    Case,
    Edit,
    assert_accepted,
    assert_refused,
    each,
    each_accepted,
    rule,
    without,
)

LIMIT = "[aggregate_limit]"

ROUND = [
    *(
        Case(
            f"street bets of {wrong}",
            HD,
            "decisions.third.bet.multiples",
            says,
            [('spot = "third"', "multiples = [1, 2, 3]", f"multiples = {wrong}")],
        )
        for wrong, says in (
            ("[3, 1]", "each once, smallest first, is right"),
            ("[1, 1]", "each once, smallest first, is right"),
            ("[101]", "101 is too much; 1 to 100 is right"),
        )
    ),
    Case(
        "bet of 101 times the ante",
        IS,
        "decisions.bet.bet.multiples",
        "101 is too much; 1 to 100 is right",
        [('spot = "bet"', "multiples = [2]", "multiples = [101]")],
    ),
    Case(
        "street that turns two cards",
        HD,
        "decisions",
        "4 cards of the community are turned after the decisions and 3 are dealt; the same number",
        [('spot = "fourth"', "cards = 1", "cards = 2")],
    ),
    Case(
        "street that turns the dealer's cards",
        HD,
        "decisions",
        "the dealer's hand is turned after the last decision only",
        [('spot = "fourth"', 'turn = "community"', 'turn = "dealer"')],
    ),
    Case(
        "decision on a spot that is a side bet's",
        HD,
        "decisions.three_card_bonus.spot",
        "three_card_bonus means something else; another is right",
        [("", 'spot = "third"', 'spot = "three_card_bonus"')],
    ),
    Case(
        "decision twice",
        HD,
        "decisions.third",
        "stands 2 times; once is right",
        [("", 'spot = "fourth"', 'spot = "third"')],
    ),
    Case(
        "dealer with cards and no showdown",
        IS,
        "deal.dealer_cards",
        "the dealer has a hand; add [dealers_hand]",
        [without(IS, "[dealers_hand]")],
    ),
    Case(
        "line for a dealer who does not qualify where every dealer does",
        IS,
        "comparison.lines.dealer_does_not_qualify",
        "the dealer always qualifies; remove it",
        [("", 'outcome = "tie"', 'outcome = "dealer_does_not_qualify"')],
    ),
    Case(
        "dealer who must qualify and no line for one who does not",
        IS,
        "comparison.IS-BASE",
        "dealer_does_not_qualify with royal_flush matches no lines; exactly one is right",
        [("[dealers_hand]", '"always"', '"with_ace_king"')],
    ),
    Case(
        "line that forgets a spot",
        IS,
        "comparison.lines.tie.pays",
        "ante, bet are right, in that order",
        [('outcome = "tie"', 'ante = "push", ', "")],
    ),
    Case(
        "six of five cards up",
        IS,
        "dealers_hand.up_cards",
        "1 to 5 is right",
        [("[dealers_hand]", "up_cards = 1", "up_cards = 6")],
    ),
    Case(
        "outcome that matches no line",
        IS,
        "comparison.IS-BASE",
        "tie with royal_flush matches no lines; exactly one is right",
        [('outcome = "tie"', "pays =", 'hands = ["pair"]\npays =')],
    ),
    Case(
        "outcome that matches two lines",
        IS,
        "comparison.IS-BASE",
        "player_wins with pair matches 2 lines; exactly one is right",
        [("[[comparison.lines]]", '"two_pair"]', '"two_pair", "pair"]')],
    ),
    Case(
        "hand of three cards against the dealer",
        IS,
        "comparison.lines.player_wins.hands",
        "no hand of five is mini_royal",
        [("[[comparison.lines]]", '"two_pair"]', '"two_pair", "mini_royal"]')],
    ),
    *(
        Case(
            f"{outcome} and the {spot} gets {wrong}",
            IS,
            f"comparison.lines.{outcome}.{spot}",
            f"{wrong} cannot be here; {right} can",
            [(f'outcome = "{outcome}"', f'{spot} = "{was}"', f'{spot} = "{wrong}"')],
        )
        for outcome, spot, was, wrong, right in (
            ("player_wins", "ante", "1 to 1", "lose", "odds to 1, push"),
            ("player_wins", "bet", "1 to 1", "10% of meter", "odds to 1, push"),
            ("player_wins", "bet", "1 to 1", "2 for 1", "odds to 1, push"),
            ("dealer_wins", "ante", "lose", "5 to 1", "push, lose"),
            ("dealer_wins", "bet", "lose", "nothing", "push, lose"),
            ("tie", "bet", "push", "nothing", "odds to 1, push, lose"),
        )
    ),
    Case(
        "fold that pushes",
        IS,
        "comparison.lines.fold",
        "a fold loses the ante and no bet is made: lose and nothing",
        [('outcome = "fold"', 'ante = "lose"', 'ante = "push"')],
    ),
    Case(
        "fold that loses a bet",
        IS,
        "comparison.lines.fold",
        "a fold loses the ante and no bet is made: lose and nothing",
        [('outcome = "fold"', 'bet = "nothing"', 'bet = "lose"')],
    ),
    Case(
        "odds over a million against the dealer",
        IS,
        "comparison.lines.player_wins.bet",
        "1,000,001 to 1 is too much; up to 1,000,000 is right",
        [("[[comparison.lines]]", 'bet = "1 to 1"', 'bet = "1000001 to 1"')],
    ),
    Case(
        "fold that forgets a side bet",
        HD,
        "fold.side_bets.three_card_bonus",
        "missing; say what a fold does to this side bet",
        [without(HD, "[fold.side_bets.three_card_bonus]")],
    ),
    Case(
        "fold that forgets envy",
        HD,
        "fold.side_bets.envy",
        "missing; say what a fold does to this side bet",
        [without(HD, "[fold.side_bets.envy]")],
    ),
    Case(
        "fold of a bet that is not offered",
        HD,
        "fold.side_bets.bonus",
        "bonus is not offered here; remove it",
        [rule("[fold.side_bets.bonus]", 'after_fold = "live"', "HD.4.4", "[everybody_folds]")],
    ),
    *(
        Case(
            f"{bet} after a fold by an option",
            book,
            f"fold.side_bets.{bet}.after_fold",
            "no option decides that; live or forfeited is right",
            [(f"[fold.side_bets.{bet}]", 'after_fold = "live"', 'after_fold = "by_option"')],
        )
        for book, bet in ((HD, "envy"), (IS, "envy"))
    ),
    Case(
        "cards that are never turned for a live bet",
        HD,
        "everybody_folds.reveal",
        "three_card_bonus outlives a fold and needs the cards; if_a_side_bet_is_live is right",
        [("[everybody_folds]", '"if_a_side_bet_is_live"', '"never"')],
    ),
    Case(
        "option that says otherwise than the fold",
        MD,
        "options.fold_forfeits_side_bets.default",
        "after a fold the progressive is forfeited; true is right",
        [("[options.fold_forfeits_side_bets]", "default = true", "default = false")],
    ),
]

SETTLEMENT = [
    *(
        Case(
            f"{part} that is never paid",
            HD,
            f"settlement.{part}",
            "goes with the progressive: both or neither",
            [without(HD, f"[settlement.{part}]")],
        )
        for part in ("progressive", "envy")
    ),
    Case(
        "progressive that is paid where there is none",
        IA,
        "settlement.progressive",
        "goes with the progressive: both or neither",
        [rule("[settlement.progressive]", 'when = "with_the_seat"', "E-05", "[settlement.base]")],
    ),
    Case(
        "box that is never turned",
        MD,
        "settlement.box",
        "goes with a bet that the box decides: both or neither",
        [without(MD, "[settlement.box]")],
    ),
    Case(
        "box that does not exist",
        HD,
        "settlement.box",
        "goes with a bet that the box decides: both or neither",
        [
            rule(
                "[settlement.box]",
                'never_before = "fifth_street_decisions"',
                "HD.5.2",
                "[settlement.base]",
            )
        ],
    ),
    Case(
        "progressive paid with the qualifying hand",
        HD,
        "settlement.progressive.when",
        "completion_of_round or with_the_seat is right",
        [("[settlement.progressive]", '"completion_of_round"', '"with_the_qualifying_hand"')],
    ),
    Case(
        "envy paid with the seat",
        HD,
        "settlement.envy.when",
        "completion_of_round or with_the_qualifying_hand is right",
        [("[settlement.envy]", '"completion_of_round"', '"with_the_seat"')],
    ),
    Case(
        "envy paid with a hand that does not come up",
        HD,
        "settlement.envy.when",
        "the qualifying hand comes up only where the progressive is paid with the seat",
        [("[settlement.envy]", '"completion_of_round"', '"with_the_qualifying_hand"')],
    ),
    Case(
        "spot that is settled twice",
        HD,
        "settlement.spots.order",
        "must name each of ante, fifth, fourth, ",
        [("[settlement.spots]", 'order = ["ante"', 'order = ["ante", "ante"')],
    ),
    Case(
        "betting that a lock closes where nothing is locked",
        IA,
        "betting_closes.at",
        "there is nothing to lock; no_more_bets or deal is right",
        [("[betting_closes]", 'at = "deal"', 'at = "lock"')],
    ),
    Case(
        "bets that close by a word that nobody says",
        HD,
        "betting_closes.announce",
        "betting closes at no_more_bets; say what the dealer announces",
        [("[betting_closes]", 'announce = "no more bets"\n', "")],
    ),
    Case(
        "word that closes no bets",
        IA,
        "betting_closes.announce",
        "betting closes at deal; remove it",
        [("[betting_closes]", 'at = "deal"', 'at = "deal"\nannounce = "no more bets"')],
    ),
    Case(
        "no limit of so much",
        HD,
        "aggregate_limit",
        "scope is none; hand or round is right, or nothing beside the scope",
        [(LIMIT, 'scope = "round"', 'scope = "none"')],
    ),
    Case(
        "amount of a limit that there is not",
        SD11,
        "options.aggregate_limit.default",
        "there is no limit; none is right",
        [("[options.aggregate_limit]", "none_allowed = true", 'default = "5"')],
    ),
    Case(
        "limit of no amount",
        HD,
        "aggregate_limit",
        "a limit for each round needs either limit or limit_option",
        [(LIMIT, 'limit = "100000"\n', "")],
    ),
    Case(
        "limit of two amounts",
        IS,
        "aggregate_limit",
        "a limit for each round needs either limit or limit_option",
        [(LIMIT, "limit_option", 'limit = "5"\nlimit_option')],
    ),
    Case(
        "limit of nothing",
        HD,
        "aggregate_limit.limit",
        "$0 would pay nobody; more is right",
        [(LIMIT, 'limit = "100000"', 'limit = "0"')],
    ),
    Case(
        "limit that counts no base winnings",
        HD,
        "aggregate_limit.counts",
        "base winnings always count; name base",
        [(LIMIT, 'counts = ["base", "tips"]', 'counts = ["tips"]')],
    ),
    Case(
        "limit that counts a bet that is not offered",
        HD,
        "aggregate_limit.counts",
        "bonus is not offered here",
        [(LIMIT, 'counts = ["base", "tips"]', 'counts = ["base", "bonus"]')],
    ),
    Case(
        "limit of a round that nobody shares",
        HD,
        "aggregate_limit.sharing",
        "pro_rata is right for each round",
        [(LIMIT, 'sharing = "pro_rata"', 'sharing = "not_shared"')],
    ),
    Case(
        "limit of a hand that is shared",
        MD,
        "aggregate_limit.sharing",
        "not_shared is right for each hand",
        [(LIMIT, 'limit = "50000"', 'limit = "50000"\nsharing = "pro_rata"')],
    ),
    Case(
        "limit raised by a table that there is not",
        IS,
        "aggregate_limit.or_minimum_wager_win",
        "raises a printed limit by the base pay table's odds",
        [(LIMIT, 'limit_option = "aggregate_limit"', 'limit = "5"\nor_minimum_wager_win = true')],
    ),
    Case(
        "limit by option that is raised",
        HD,
        "aggregate_limit.or_minimum_wager_win",
        "raises a printed limit",
        [
            (
                LIMIT,
                'limit = "100000"',
                'limit_option = "aggregate_limit"\nor_minimum_wager_win = true',
            )
        ],
    ),
    Case(
        "limit from odds that nothing pays",
        HD,
        "aggregate_limit.from_odds",
        "nothing that counts pays 501 to 1",
        [(LIMIT, "from_odds = 100", "from_odds = 501")],
    ),
    Case(
        "limit from odds that only a struck table pays",
        HD,
        "aggregate_limit.from_odds",
        "nothing that counts pays 600 to 1",
        [
            (LIMIT, "from_odds = 100", "from_odds = 600"),
            (
                BASE,
                "",
                BASE.replace("HD-BASE", "HD-OLD")
                .replace("500 to", "600 to")
                .replace('"final"', '"struck"'),
            ),
        ],
    ),
    Case(
        "limit from odds that only an uncounted bet pays",
        IS,
        "aggregate_limit.from_odds",
        "nothing that counts pays 2 to 1",
        [(LIMIT, 'counts = ["base", "bonus"]', 'counts = ["base"]\nfrom_odds = 2')],
    ),
]


@each([*ROUND, *SETTLEMENT])
def test_a_wager_that_cannot_be_is_refused(case: Case) -> None:
    assert_refused(case)


@each_accepted(
    {
        "limit from the best odds": (HD, [(LIMIT, "from_odds = 100", "from_odds = 500")]),
        "limit from a bonus's odds": (
            IS,
            [(LIMIT, 'counts = ["base", "bonus"]', 'counts = ["base", "bonus"]\nfrom_odds = 1000')],
        ),
        "limit from even money": (
            IS,
            [(LIMIT, 'counts = ["base", "bonus"]', 'counts = ["base"]\nfrom_odds = 1')],
        ),
        "nothing turned for hands that are complete": (
            IS,
            [
                ("[everybody_folds]", '"if_a_side_bet_is_live"', '"never"'),
                ("[fold.side_bets.bonus]", '"by_option"', '"live"'),
                ("[fold.side_bets.progressive]", '"by_option"', '"live"'),
                ("[options.fold_forfeits_side_bets]", "meaning", "fixed = true\nmeaning"),
            ],
        ),
        "nothing turned for bets that are lost": (
            HD,
            [
                ("[everybody_folds]", '"if_a_side_bet_is_live"', '"never"'),
                ("[fold.side_bets.three_card_bonus]", '"live"', '"forfeited"'),
                ("[fold.side_bets.progressive]", '"live"', '"forfeited"'),
            ],
        ),
        "a statement about a bet that is not offered": (
            IA,
            [
                rule(
                    "[options.fold_forfeits_side_bets]",
                    'kind = "flag"\ndefault = false\nfixed = true\nmeaning = "x"',
                    "E-05",
                    "[options.seats]",
                )
            ],
        ),
        "folds that lose by option": (
            IS,
            [("[options.fold_forfeits_side_bets]", "default = false", "default = true")],
        ),
        "all cards up": (IS, [("[dealers_hand]", "up_cards = 1", "up_cards = 5")]),
        "a million to 1": (
            IS,
            [("[[comparison.lines]]", 'bet = "1 to 1"', 'bet = "1000000 to 1"')],
        ),
        "up to 100 times the ante": (
            IS,
            [('spot = "bet"', "multiples = [2]", "multiples = [1, 100]")],
        ),
        "bonus after the progressive": (
            IS,
            [('bet = "bonus"\nlabel', 'after = ["ante"]', 'after = ["ante", "progressive"]')],
        ),
        "progressive after the three card bonus": (
            HD,
            [(OFFER_P, 'after = ["ante"]', 'after = ["ante", "three_card_bonus"]')],
        ),
        "tips on the ante alone": (
            HD,
            [("[tips]", '["ante", "third", "fourth", "fifth", "three_card_bonus"]', '["ante"]')],
        ),
        "six card bonus alone": (
            MD,
            [
                (OFFER_6, WAITS, ""),
                without(MD, "[options.six_card_requires_three_card]"),
            ],
        ),
    }
)
def test_what_can_be_played_is_accepted(book: str, edits: list[Edit]) -> None:
    assert_accepted(book, edits)
