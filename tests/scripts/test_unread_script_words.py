"""Day, configuration and controller files are read to their last word.

Every verb and every expectation of a day is tried with every word that some other one has; the
tables below have what was once passed over without being read.
"""

from pathlib import Path

import pytest

from riverboat.core.errors import NotationError
from riverboat.scripts.checking import check_file
from riverboat.scripts.day_expectations import EXPECTATIONS
from riverboat.scripts.day_file import USAGES, require_usage, take_apart
from riverboat.table.people import Actor
from tests.support.answers import calling
from tests.support.controller_file import Player, read_scripts

DANA = Actor(name="Dana", role="dealer")
# One right line of every verb: what stands after it.
RIGHT = {
    "time": "09:30",
    "open-day": "2026-11-15 500",
    "close-day": "500",
    "fill": "500",
    "credit": "500",
    "buy-in": "1 100",
    "drop": "100",
    "approve": "1",
    "withdraw": "1",
    "dealer": "Dana",
    "sit": "1",
    "stand": "1",
    "receive": "red back=blue design=house preshuffled",
    **dict.fromkeys(("inspect", "verify", "spread", "look", "face-down", "wash"), "red"),
    **dict.fromkeys(("stack", "shuffle", "jam", "load", "seal"), "red"),
    "shuffled": "red 52",
    "force": "red Ah Kh",
    "cut": "red 26",
    "word": "luck seat=1",
    "recut": "red it fell",
    "reshuffle": "red it fell",
    "remove": "red it fell",
    "idle": "face-up",
    "dealt": "1=Ah,Kh community=Qs,8d,2c",
    "report": "Ah face-up",
    "count": "44 community=3",
    "expire": "1 30",
    "fail": "no power",
    "mark": "covered",
    "method": "hand manual",
    "interrupt": "no power",
    "confirm": "resume as it was",
    "wager": "ante 10 seat=1 with=chip word=luck",
    "take-back": "ante seat=1",
    "collect": "2",
    **dict.fromkeys(("bet", "1x", "2x", "3x", "4x", "fold"), "seat=1"),
    "settle": "1 ante 20",
    "correct": "1 ante 5 paid short",
    "correct-card": "1 2 Ah misread",
    "incident": "wrong_card_count seat=1 place=community count=3 decision=void",
    "propose": "maximum=100",
    "cards": "Ah Kh",
}
NAMES = ("seat", "with", "word", "back", "design", "place", "count", "decision", "banana")
ANY_NAME = ("dealt", "count", "propose", "cards")
ANY_WORDS = (
    *("dealer", "inspect", "force", "recut", "reshuffle", "remove", "fail", "interrupt"),
    *("confirm", "correct", "correct-card", "cards"),
)


@pytest.mark.parametrize("verb", ["2x" if verb == "Nx" else verb for verb in USAGES])
def test_a_verb_has_its_own_words_and_no_others(verb: str) -> None:
    right = f"{verb} {RIGHT.get(verb, '')}".strip()
    take_apart(DANA, right)
    own = {word.partition("=")[0] for word in right.split() if "=" in word}
    for name in NAMES:
        if name not in own and verb not in ANY_NAME:
            with pytest.raises(NotationError, match="is not used so; write"):
                take_apart(DANA, f"{right} {name}=1")
    for name in own:
        with pytest.raises(NotationError, match="is said twice"):
            take_apart(DANA, f"{right} {name}=1")
    for word in () if verb in ANY_WORDS else ("banana", "preshuffled", "face-up"):
        with pytest.raises(NotationError, match=f"is not used so; write {verb}"):
            take_apart(DANA, f"{right} {word}")
    if "=" not in right.removeprefix(verb) and " " in right and verb not in ("idle", "cards"):
        with pytest.raises(NotationError, match=f"write {verb}"):
            take_apart(DANA, verb)


EXPECTED = {
    "state": "ready",
    "deck": "red ready",
    "decks": "red blue",
    "prompt": "dealer no more bets",
    "notice": "stub",
    "no-prompt": "dealer no more bets",
    "no-notice": "stub",
    "event": "deck-cut depth=10",
    "no-event": "deck-cut depth=10",
    "times": "1 deck-cut depth=10",
    "because": "MD-2014.05.F",
    "order": "folded, street-bet",
    "cards": "1 Ah Kh",
    "void": "",
    "net": "1 10",
    "tray": "10",
    "win": "10",
    "rounds": "1",
    "meter": "10",
    "dealt": "7",
}


@pytest.mark.parametrize("name", EXPECTATIONS)
def test_an_expectation_has_its_own_words_and_no_others(name: str) -> None:
    usage, right = EXPECTATIONS[name].usage, EXPECTED[name].split()
    require_usage(name, usage, right)
    if "=" not in usage:
        with pytest.raises(NotationError, match="is not used so"):
            require_usage(name, usage, [*right, "banana=1"])
    if "…" not in usage:
        with pytest.raises(NotationError, match="is not used so"):
            require_usage(name, usage, [*right, "banana"])


# A line of a day after `Dana start`, and what must be said of it.
DAY_LINES = {
    "Dana close-bets now": "'close-bets now' is not used so; write close-bets",
    "Ann wager ante 10 ten": "write wager SPOT $ [seat=] [with=]",
    "Ann wager ante 10 seat=1 seat=2": "'seat=2' is said twice",
    "Ann wager ante": "write wager SPOT $",
    "Ann wager antee 10": "wager: 'antee' is no spot; there are ante, bet",
    "refused: Ann wager antee 10": "'antee' is no spot",
    "Ann wager ante ---10": "is no amount",
    "Ann wager ante 10 seat=\u0661": "is no number for seat",
    "Ann wager ante 10 with=shells": "wager: 'shells' is no instrument; there are chip, plaque",
    "Ann sing": "'sing' is no verb of a day script; there are time, open-day",
    "Zoe fold": "nobody is called 'Zoe'",
    "Dana idle face-down": "write idle [face-up]",
    "system time soon": "time: 'soon'; write HH:MM or HH:MM:SS",
    "Flo confirm resume quickly": "write confirm resume|void|by-hand [as STATEMENT…]",
    "Dana mark blue": "write mark covered|signed",
    "Dana report Ah sideways": "write report CARD [dealt|face-up|in-error]",
    "Flo incident fire": "incident.what: 'fire' is no incident; there are wrong_card_count",
    "Flo incident shoe_jam seat=1": "incident.seat: shoe_jam does not have it; it has place, dec",
    "Flo incident shares_hand": "incident: shares_hand needs seat",
    "Flo incident wrong_card_count seat=1 place=community": "it is seat 1's or the community's",
    "Flo incident exposed_player_card seat=5": "incident.seat: nobody plays at seat 5",
    "Flo incident exposed_player_card place=roof": "incident: 'roof' is no place; there are com",
    "Flo incident face_up_cards count=99": "incident.count: 99 cards face up; write 1 to 52",
    "Flo incident late_progressive_chip": "incident.what: this table has no progressive",
    "Flo incident deck_count count=51 decision=void": "incident.decision: the floor decides noth",
    "Flo incident exposed_player_card seat=1 decision=void": "set exposed_player_card = floor_dec",
    "expect no-event incident-noted what=shoejam": "what=shoejam is never said; what is one of ",
    "expect no-event incident-noted consequence=gone": "consequence is one of void_round, void",
    "expect no-event wager-placed seat=77": "seat=77 is never said; seat is one of 1, 2, 3",
    "expect no-event wager-placed spot=antee": "spot is one of ante, bet",
    "expect no-event wager-placed player=Zoe": "player is one of Dana, Drew",
    "expect no-event wager-placed cents=ten": "cents is one of 0, 1, 2, …",
    "expect times 0 round-voided reason=banana": "reason is one of wrong_card_count",
    "expect no-event spot-settled outcome=won": "outcome is one of win, push, lose",
    "expect no-event deck-prepared step=washed": "step is one of inspect, verify",
    "expect no-event went-idle face_up=yes": "face_up is one of true, false",
    "expect order round-started, wager-placed seat=77": "seat=77 is never said",
    "expect meter 0": "meter 0: this table has no progressive; table offers one by",
    "Flo incident shoe_jam decision=void_round": "'void_round' is no decision",
    "Dana cards 1=Kh,7c,8c": "cards 1=Kh,7c,8c: so many are not dealt there now",
    "Dana cards Kh 1=7c": "write cards CARD… or cards PLACE=CARD,CARD",
    "Flo propose maximum": "write propose [KEY=VALUE]",
    "system seal red twice": "write seal DECK",
    "house until reddy": "house until reddy: there is no such state; there are closed, open",
    "house until over please": "write house until STATE",
    "house": "write house until STATE",
    "play": "write play N",
    "play 0": "play 0: plays nothing",
    "play 1 sit": "play 1 sit: no decision; write fold, bet or a number with x",
    "play 1 1x 2x": "write play N",
    "expect voids": "'voids'; there are state, deck",
    "expect void now": "'void now' is not used so; write void",
    "expect state reddy": "'reddy' is no state; there are",
    "expect deck rad gone": "'rad' is no deck; there are red",
    "expect deck red shufled": "'shufled' is no stage; there are received",
    "expect no-event deck-cutt": "'deck_cutt' is no event; there are",
    "expect no-event deck-cut dept=10": "'dept' is no value of deck-cut; there are",
    "expect times many deck-cut": "'many' is no number",
    "expect order round-started, deck-cutt": "'deck_cutt' is no event",
    "expect no-prompt deeler no more bets": "'deeler' is no role; there are dealer",
    "expect no-prompt dealer MD-2014.99.A": "clause 'MD-2014.99.A' is in no rulebook",
    "expect no-notice MD-2014.99.A": "clause 'MD-2014.99.A' is in no rulebook",
    "expect because MD-2014.99.A": "clause 'MD-2014.99.A' is in no rulebook",
    "refused MD-2014.99.A: Dana deal": "clause 'MD-2014.99.A' is in no rulebook",
    "refused !deal.not_now: Dana deal": "clause 'deal.not_now' is in no rulebook",
    "expect cards 8 Ah": "'8' is no place; there are community, box, dealer",
    "expect net nine 10": "'nine' is no seat",
    "expect tray 1e3": "is no amount",
    "expect rounds one": "'one' is no number",
}


def day(*lines: str, **keys: str) -> str:
    more = "".join(f"{key} = {value}\n" for key, value in keys.items())
    script = "\n".join(lines)
    return (
        f'[[day]]\ntitle = "a day"\nrulebook = "maryland-2014"\n{more}script = """\n{script}\n"""\n'
    )


def written(tmp_path: Path, text: str) -> str:
    file = tmp_path / "file.toml"
    file.write_text(text, "utf-8")
    return str(file)


@pytest.mark.parametrize("line", DAY_LINES)
def test_a_word_that_a_day_does_not_use_is_refused(line: str, tmp_path: Path) -> None:
    (result,) = check_file(written(tmp_path, day("Dana start", "Ann wager ante 10", line)))
    assert result.error.startswith("line 3 of the script: ")
    assert DAY_LINES[line] in result.error


def test_a_day_that_expects_nothing_is_played_and_is_no_test(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, day("09:00", "play 1 fold"))
    (result,) = check_file(file)
    assert result.error.startswith("script: expects nothing; write a line that begins with expect")
    assert calling(capsys)("day", file).status == 0


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("Zoe fold", "nobody is called 'Zoe'"),
        ("refused: Dana sing", "'sing' is no verb"),
        ("Dana close-bets now", "write close-bets"),
        ("expect voids", "'voids'; there are state"),
        ("house until reddy", "there is no such state"),
        ("play 0", "plays nothing"),
    ],
)
def test_a_day_that_cannot_begin_is_read_all_the_same(line: str, said: str, tmp_path: Path) -> None:
    table = '{ minimum = "5", maximum = "4" }'
    (result,) = check_file(written(tmp_path, day("expect rounds 0", line, table=table)))
    assert result.error.startswith("line 2 of the script: ")
    assert said in result.error


def test_an_instrument_is_not_named_where_no_rule_is_about_it(tmp_path: Path) -> None:
    text = day("Dana start", "Ann wager ante 10 with=chip").replace("maryland-2014", "island-stud")
    (result,) = check_file(written(tmp_path, text))
    assert "island-stud has no rule about what a wager is made with" in result.error


def test_a_day_without_a_line_or_with_an_unknown_choice_cannot_be_read(tmp_path: Path) -> None:
    empty = day("# nothing yet")
    unknown = day("Dana start", begin='"nothing"', table="{ maximun = 5 }")
    (first, second) = check_file(written(tmp_path, empty + unknown))
    assert first.error.startswith("script: says nothing; write a line")
    assert second.error == "table.maximun: there is no such choice; did you mean 'maximum'?"


CASE = """[[configuration]]
name = "a table"
rulebook = "island-stud"
clauses = ["IS.1-1"]
"""
CONFIGURATIONS = {
    "expect = { valid = true, problems = 2 }": "expect.problems: is never read; a valid submission",
    'decks = { count = 2 }\nexpect = { refused = ["IS.1-1"], notices = ["IS.1-2"] }': (
        "expect.notices: is never read; a refused one has none"
    ),
    'decks = { count = 2 }\nexpect = { refused = ["IS.1-1"], shows = { dealing = "hand" } }': (
        "expect.shows: is never read"
    ),
    'decks = { count = 2 }\nexpect = { refused = ["IS.1-1"], fallbacks = ["hand manual"] }': (
        "expect.fallbacks: is never read"
    ),
    'decks = { count = 2 }\nexpect = { refused = ["IS.1-1"], fallbacks = [] }': (
        "expect.fallbacks: is never read"
    ),
    **{
        f'table = {{ {key} = "{value}" }}\nexpect = {{ valid = true }}': (
            f"table.{key}: this table has no progressive; table offers one by progressive or"
        )
        for key, value in {"meter": "9", "reserve": "9", "seed": "9", "rate": "21"}.items()
    },
    'layout = [{ feature = "ante_area" }, { feature = "ante_area", place = "some_positions" }]\n'
    "expect = { valid = true }": "layout.ante_area: stated twice; once is right",
    'expect = { valid = true, shows = { deeling = "hand" } }': (
        "expect.shows.deeling: a configuration shows no such thing; "
    ),
    'expect = { valid = true, notices = ["IS.99-1"] }': "clause 'IS.99-1' is in no rulebook",
    "expect = {}": "expect either valid = true or refused = [...]",
    'without = ["a_roof"]\nexpect = { valid = true }': "'a_roof' is nothing that a table has",
    "table = { seets = 6 }\nexpect = { valid = true }": "table.seets: there is no such choice",
    'expect = { refused = ["IS.1-1"], problems = 0 }': "expect.problems: is 0; at least 1",
}


@pytest.mark.parametrize("lines", CONFIGURATIONS)
def test_a_word_that_a_configuration_does_not_use_is_refused(lines: str, tmp_path: Path) -> None:
    (result,) = check_file(written(tmp_path, f"{CASE}{lines}\n"))
    assert CONFIGURATIONS[lines] in result.error


@pytest.mark.parametrize(
    "text",
    [
        day("Dana start now"),
        f"{CASE}{next(iter(CONFIGURATIONS))}\n",
        f"{CASE}expect = {{ refused = [], valid = false }}\n",
    ],
)
def test_such_files_are_exit_two(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = calling(capsys)("check", written(tmp_path, text))
    assert answer.status == 2
    assert len(answer.err.splitlines()) == 1


CONTROLLER = """[[controller]]
title = "a controller"
rulebook = "south-dakota-2011"
clauses = ["SD-2011.2-5"]
bets.1 = { ante = "10", progressive = "1" }
%s
script = \"\"\"
close
%s
expect state IDLE_TABLE
\"\"\"
"""
CONTROLLERS = {
    "Dana coin-in twice": "line 2: 'coin-in twice' is not used so; write coin-in",
    "Dana count": "write count CHIPS",
    "Dana sing": "'sing' is no press of a controller script; there are chip",
    "Ann chip 1 ---10": "is no amount",
    "Sue key OFF": "write key RUN|JPH",
    "Sue incident fire": "write incident wrong_card_count|",
    "Sue adjust ---5 with Sol: wrong": "is no amount",
    "Sue adjust 5 with Bob: wrong": "'Bob' is no person",
    "sing": "'sing' is no word of a controller script",
    "close now": "'close now' is not used so; write close",
    "settle 1 2": "write settle [SEAT]",
    "expect lights 1 off": "'lights' is no expectation",
    "expect sensor 9 EMPTY": "'9' is no seat",
    "expect state LOCKED now": "write state VALUE",
    "expect event WinPagePrnted 0": "'WinPagePrnted' is no event",
    "settle 5": "'5' is no seat that plays of a controller script; there are 1",
    "settle x": "'x' is no seat that plays",
    "forfeit 5": "'5' is no seat that plays",
    "expect net 5 0.00": "'5' is no seat that plays",
    "spot 1 banana": "'banana' is no spot of seat 1 that is left",
    "Ann chip one": "'one' is no number; write 1, 2, …",
    "Dana count many": "'many' is no number",
}


@pytest.mark.parametrize("line", CONTROLLERS)
def test_a_word_that_a_controller_script_does_not_use_is_refused(line: str) -> None:
    (script,) = read_scripts(CONTROLLER % ("", line))
    with pytest.raises(NotationError) as problem:
        Player(script).run()
    assert str(problem.value).startswith("a controller: line 2: ")
    assert CONTROLLERS[line] in f"a controller: {problem.value}"


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ('bets.2 = { ante = "10", antee = "1" }', "bets.2.antee: there is no such spot"),
        ("folds = [3]", "folds: nobody plays at seat 3"),
        ('bets.Ann = { ante = "10" }', "bets.Ann: is no seat; a seat is a number from 1 to 9"),
    ],
)
def test_a_key_that_a_controller_script_does_not_use_is_refused(keys: str, said: str) -> None:
    with pytest.raises(NotationError, match=said):
        read_scripts(CONTROLLER % (keys, "Dana coin-in"))


def test_a_controller_script_that_expects_nothing_or_never_deals_its_cards_is_refused() -> None:
    silent = CONTROLLER.replace("expect state IDLE_TABLE\n", "")
    with pytest.raises(NotationError, match="expects nothing"):
        read_scripts(silent % ("", "Dana coin-in"))
    text = CONTROLLER % ('cards = { 1 = "Kd 2c", community = "Qh Jh Th" }', "# nothing")
    (script,) = read_scripts(text)
    with pytest.raises(NotationError, match="cards and folds are never read"):
        Player(script).run()
