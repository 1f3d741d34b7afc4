"""A table's rules submission: every clause about configuration, at its limits and beside them."""

from collections.abc import Iterator
from itertools import combinations

import msgspec
import pytest
from msgspec.structs import replace

from riverboat.core.errors import NotationError
from riverboat.rulebook import Rulebook
from riverboat.scripts.checking import (
    ConfigurationCase,
    check_configuration,
    submission_of,
)
from riverboat.scripts.scenario_file import Scenario, read_scenarios
from riverboat.table.configuration.configure import (
    Configuration,
    ConfigurationRefused,
    standard_submission,
)
from riverboat.table.configuration.particulars import NOTHING, particulars
from riverboat.table.configuration.submission import (
    Decks,
    DrawnFeature,
    Submission,
    parse_submission,
)
from tests.conftest import Report
from tests.support.clause_mutations import at, changed_rules, citing, option_values, rebuilt
from tests.support.places import TESTS
from tests.table.configuration.submissions import (
    BOOKS,
    BY_PREFIX,
    CASES,
    CHECKED_HERE,
    MARYLAND,
    configured,
    problems_of,
)

# ------------------------------------------------------------------ the library of submissions


@pytest.mark.parametrize(("name", "case"), CASES, ids=[name for name, _ in CASES])
def test_every_submission_comes_to_what_it_expects(name: str, case: ConfigurationCase) -> None:
    assert check_configuration(case, BOOKS) == []


def test_names_of_submissions_are_not_used_twice() -> None:
    assert len({name for name, _ in CASES}) == len(CASES)


def noticed(clause: str, book: Rulebook) -> bool:
    """Whether some change of a rule that cites the clause spoils a submission that names it."""
    own = [case for _, case in CASES if clause in case.clauses]
    return any(
        spoilt(case, {**BOOKS, book.id: changed})
        for path in citing(book, clause)
        for changed in changed_books(book, path)
        for case in own
    )


def changed_books(book: Rulebook, path: tuple[str | int, ...]) -> Iterator[Rulebook]:
    """The rulebook with each value of a rule changed in turn, and at last without the rule."""
    rule = at(book, path)
    for inner, value in (*changed_rules(rule), *option_values(rule)):
        yield rebuilt(book, (*path, *inner), value)
    held = at(book, path[:-1])
    if isinstance(held, tuple):
        yield rebuilt(book, path[:-1], tuple(one for one in held if one is not rule))
    elif path == ("two_decks",):
        yield rebuilt(book, path, None)


def spoilt(case: ConfigurationCase, books: dict[str, Rulebook]) -> bool:
    """A rulebook that no loader would accept may stop the check; that is no proof of anything."""
    try:
        return bool(check_configuration(case, books))
    except (LookupError, AssertionError, TypeError, ValueError, RuntimeError, NotationError):
        return False


def test_each_clause_about_configuration_has_a_submission_that_a_changed_rule_spoils(
    report: Report,
) -> None:
    named = {clause for _, case in CASES for clause in case.clauses}
    missing = [row.id for row in CHECKED_HERE if row.id not in named]
    survivors = [
        row.id
        for row in CHECKED_HERE
        if row.id in named and not noticed(row.id, BY_PREFIX[row.rulebook])
    ]
    report(
        f"configuration clauses: {len(CHECKED_HERE)}, submissions {len(CASES)}, "
        f"without one {len(missing)}, survivors {len(survivors)}"
    )
    assert (missing, survivors) == ([], [])
    assert len(CHECKED_HERE) == 58


# ------------------------------------------------------------------ eleven faults


def test_eleven_faults_are_eleven_messages_each_with_its_own_clause() -> None:
    everything = next(case for name, case in CASES if name.endswith("All eleven at once"))
    with pytest.raises(ConfigurationRefused) as refused:
        configured(MARYLAND, submission_of(everything))
    problems = refused.value.problems
    assert len(problems) == len({str(problem) for problem in problems}) == 11
    assert all(problem.cites for problem in problems)
    known = MARYLAND.clauses.keys() | MARYLAND.ambiguities.keys()
    assert {cite for problem in problems for cite in problem.cites} <= known


def test_each_of_the_eleven_alone_is_one_of_the_eleven_messages() -> None:
    eleven = {name.split(": ")[1]: case for name, case in CASES if "eleven-faults" in name}
    together = eleven.pop("All eleven at once")
    eleven.pop("Without a fault it is valid")
    short = eleven.pop("Eleven faults in a short file")
    assert sorted(problems_of(submission_of(short))) == sorted(problems_of(submission_of(together)))
    alone = [problems_of(submission_of(case)) for case in eleven.values()]
    assert [len(codes) for codes in alone] == [1] * 11
    assert sorted(codes[0] for codes in alone) == sorted(problems_of(submission_of(together)))


FAULTS: dict[str, dict[str, str | int | None]] = {
    "seats": {"seats": 7},
    "decks": {},
    "initial meter": {"meter": "9999.99"},
    "reset amount": {"seed": "9999.99"},
    "rate": {"rate": None},
    "six card bonus by hand": {"dealing": "hand", "six_card_dealing": None},
    "pay table": {"six_card_bonus": "MD-2014-6CB-OLD-C"},
    "wager": {"progressive_wager": "2"},
    "hand dealing after a manual shuffle": {"dealing": "hand"},
    "tip box": {},
    "three card bonus area": {},
}


def faulty(faults: tuple[str, ...]) -> Submission:
    """A Maryland table with these faults and no other."""
    good = standard_submission(
        MARYLAND,
        {
            "three_card_bonus": "MD-2014-3CB-E",
            "six_card_bonus": "MD-2014-6CB-A",
            "six_card_dealing": "four_cards_first",
            "progressive_wager": "1",
        },
    )
    table: dict[str, str | int | bool | None] = {**good.table}
    for fault in faults:
        table |= FAULTS[fault]
    by_hand = "hand dealing after a manual shuffle" in faults
    no_tips, no_area = "tip box" in faults, "three card bonus area" in faults
    return replace(
        good,
        table={key: value for key, value in table.items() if value is not None},
        shuffle="manual" if by_hand else "automated",
        device=None,
        decks=Decks(count=3) if "decks" in faults else Decks(),
        layout=tuple(
            one
            for one in good.layout or ()
            if not (no_area and one.feature == "three_card_bonus_area")
        ),
        equipment=tuple(
            one for one in good.equipment or () if not (no_tips and one.item == "tip_box")
        ),
    )


def test_any_of_the_eleven_together_are_told_once_each_and_nothing_else_is() -> None:
    alone = {fault: problems_of(faulty((fault,))) for fault in FAULTS}
    assert all(len(codes) == 1 for codes in alone.values())
    tried = 0
    for count in range(len(FAULTS) + 1):
        for faults in combinations(FAULTS, count):
            told = problems_of(faulty(faults))
            assert sorted(told) == sorted(alone[fault][0] for fault in faults), faults
            tried += 1
    assert tried == 2**11


# ------------------------------------------------------------------ the standard table


@pytest.mark.parametrize("name", sorted(BOOKS))
def test_a_submission_with_nothing_but_its_rulebook_is_the_standard_table(name: str) -> None:
    book = BOOKS[name]
    bare = configured(book, Submission(rulebook=name))
    assert bare.sha256 == configured(book, standard_submission(book, {})).sha256
    assert bare.sha256 == configured(book, bare.submission).sha256


@pytest.mark.slow
def test_every_table_of_the_scenario_library_can_be_configured_as_a_standard_table() -> None:
    tried = 0
    for file in sorted((TESTS / "rules").rglob("*.toml")):
        for name, scenario in read_scenarios(file.read_text("utf-8")):
            assert isinstance(scenario, Scenario)
            book = BOOKS[scenario.rulebook]
            if scenario.expect.refused or scenario.table.get("dealing") in {
                method.method for method in book.dealing if method.only_when
            }:
                continue
            submission = standard_submission(book, {**scenario.table, "meter": "10000"})
            analysed = scenario.table.get("edition") == "pre_amendment"
            right = ["edition.not_played"] if analysed else []
            tip_stays = scenario.table.get("tip_push") == "stays"
            right += ["tip_push.not_played"] if tip_stays else []
            assert problems_of(submission) == right, f"{file.name}: {name}"
            tried += 1
    assert tried > 1000


@pytest.mark.parametrize("name", sorted(BOOKS))
def test_a_table_is_not_played_with_tips_that_stay_on_the_felt(name: str) -> None:
    book = BOOKS[name]
    stays: dict[str, str | bool | int] = {"tip_wagers": True, "tip_push": "stays"}
    with pytest.raises(ConfigurationRefused, match="nothing on the felt") as refused:
        configured(book, standard_submission(book, stays))
    assert [one.code for one in refused.value.problems] == ["tip_push.not_played"]
    assert refused.value.cites == book.options["tip_push"].cites
    for goes in ("player", "box"):
        configured(book, standard_submission(book, {**stays, "tip_push": goes}))


@pytest.mark.parametrize("shuffle", ["automated", "continuous"])
def test_a_standard_table_can_have_two_decks_and_a_shuffler(shuffle: str) -> None:
    standard = standard_submission(MARYLAND, {}, shuffle=shuffle, decks=2)  # type: ignore[arg-type]
    configuration = configured(MARYLAND, standard)
    assert (configuration.decks, configuration.shuffle) == (2, shuffle)
    assert len({kind.back for kind in configuration.deck_kinds}) == 2
    assert configuration.device.shuffler
    assert configuration.counts_cards == (shuffle == "continuous")


def test_a_pair_of_decks_is_one_deck_while_the_cards_are_shuffled_by_hand() -> None:
    pair = configured(MARYLAND, standard_submission(MARYLAND, {}, shuffle="continuous", decks=2))
    assert (pair.decks, len(pair.deck_kinds), pair.counts_cards) == (2, 2, True)
    by_hand = replace(pair, shuffle="manual")
    assert (by_hand.decks, len(by_hand.deck_kinds), by_hand.counts_cards) == (1, 1, False)


CUTS = {
    "maryland-2014": {"manual", "preshuffled"},
    "south-dakota-3cb": {"manual", "automated", "preshuffled"},
    "iowa-catfish-bend": {"manual"},
    "island-stud": set(),
}


@pytest.mark.parametrize("name", sorted(CUTS))
def test_cards_are_cut_after_the_shuffles_that_the_rulebook_names(name: str) -> None:
    configuration = configured(BOOKS[name], Submission(rulebook=name))
    methods = ("manual", "automated", "continuous", "preshuffled")
    assert {method for method in methods if configuration.cut_required(method)} == CUTS[name]


def test_decks_grow_old_in_maryland_alone_and_by_the_way_they_are_dealt() -> None:
    def hours(name: str, **table: str | int) -> int | None:
        return configured(BOOKS[name], standard_submission(BOOKS[name], table)).deck_hours

    assert hours("south-dakota-3cb") is hours("island-stud") is None
    assert hours("maryland-2014", dealing="hand") == 4
    assert hours("maryland-2014", dealing="hand", deck_hours_hand=3, deck_hours_shoe=7) == 3
    assert hours("maryland-2014", dealing="automated") == 8


def test_a_standard_maryland_table_states_what_a_submission_must_state() -> None:
    table = standard_submission(MARYLAND, {"progressive_wager": "5"}).table
    assert (table["rate"], table["seed"], table["meter"]) == ("22", "10000.00", "10000.00")


# ------------------------------------------------------------------ hashes and changes


def test_the_hash_is_that_of_what_is_meant_not_of_how_it_is_written() -> None:
    short = parse_submission('rulebook = "maryland-2014"\n[table]\nseats = 5\n', path="a")
    long = parse_submission(
        'shuffle = "manual"\nrulebook = "maryland-2014"\ntable.seats = 5\ndecks.count = 1\n',
        path="b",
    )
    assert configured(MARYLAND, short).sha256 == configured(MARYLAND, long).sha256


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Table 2"},
        {"table": {"minimum": "5"}},
        {"decks": Decks(count=2)},
        {"demo": True},
        {"test": True},
        {"cards": "physical"},
    ],
)
def test_whatever_is_changed_changes_the_hash(change: dict[str, object]) -> None:
    plain = Submission(rulebook="maryland-2014")
    changed = replace(plain, **change)
    assert configured(MARYLAND, plain).sha256 != configured(MARYLAND, changed).sha256


def test_a_submission_survives_being_stored() -> None:
    for _, case in CASES:
        submission = submission_of(case)
        stored = msgspec.json.encode(submission)
        assert msgspec.json.decode(stored, type=Submission) == submission


def difference(old: Configuration, new: Configuration) -> dict[str, tuple[str, str]]:
    """What changes from one configuration to another, as their particulars tell it."""
    before, after = (
        {"rulebook sha256": one.rulebook_sha256, **{p.what: p.value for p in particulars(one)}}
        for one in (old, new)
    )
    told = {
        what: (before.get(what, NOTHING), after.get(what, NOTHING)) for what in (before | after)
    }
    return {what: both for what, both in told.items() if both[0] != both[1]}


def test_a_difference_tells_what_changes_with_both_values_and_the_clauses() -> None:
    before = standard_submission(MARYLAND, {"minimum": "5", "three_card_bonus": "MD-2014-3CB-E"})
    after = standard_submission(MARYLAND, {"minimum": "15", "three_card_bonus": "MD-2014-3CB-A"})
    old, new = configured(MARYLAND, before), configured(MARYLAND, after)
    changed = difference(old, new)
    assert changed == {
        "ante": ("at least $5", "at least $15"),
        "payout limit": ("$50,000", "$75,000"),
        "three card bonus": ("MD-2014-3CB-E", "MD-2014-3CB-A"),
    }
    assert all(one.cites for one in particulars(new) if one.what in changed)


def test_a_difference_tells_what_is_new_and_what_is_gone() -> None:
    without = configured(MARYLAND, standard_submission(MARYLAND, {}))
    offered = standard_submission(MARYLAND, {"progressive_wager": "1"})
    told = difference(without, configured(MARYLAND, offered))
    assert told["progressive"] == ("not offered", "MD-2014-PROG")
    assert told["progressive sensor"] == ("none", "in front of each betting position")
    assert told["envy for royal flush"] == ("none", "$1,000")
    back = difference(configured(MARYLAND, offered), without)
    assert {what: (after, before) for what, (before, after) in back.items()} == told


def test_no_difference_and_another_rulebook_text() -> None:
    one = configured(MARYLAND, Submission(rulebook="maryland-2014"))
    assert difference(one, one) == {}
    other = replace(one, rulebook_sha256="0" * 64)
    assert difference(one, other) == {"rulebook sha256": (one.rulebook_sha256, "0" * 64)}


def test_particulars_have_names_of_their_own() -> None:
    for _, case in CASES:
        if case.expect.valid:
            configuration = configured(BOOKS[case.rulebook], submission_of(case))
            names = [one.what for one in particulars(configuration)]
            assert len(names) == len(set(names))


def test_a_feature_drawn_twice_does_not_stand_for_another() -> None:
    standard = standard_submission(MARYLAND, {})
    drawn = standard.layout or ()
    third, fourth = (
        DrawnFeature(feature="community_area", label=label, place="in_front_of_tray")
        for label in ("3rd Street", "4th Street")
    )
    assert fourth in drawn
    twice = tuple(third if one == fourth else one for one in drawn)
    with pytest.raises(ConfigurationRefused, match="no community area '4th Street'"):
        configured(MARYLAND, replace(standard, layout=twice))
