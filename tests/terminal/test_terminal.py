"""A table in the terminal: told in lines, left at any moment, with bots for company."""

import io
import re
from typing import Any

import pytest

from riverboat.core.cards import parse_cards
from riverboat.core.money import format_cents, parse_dollars
from riverboat.round.table_talk import STANDING
from riverboat.rulebooks import load, rulebook_ids
from riverboat.terminal.players import Player, pair_or_ace_king, points_and_pairs, top_up
from riverboat.terminal.scene import Command, read_command
from riverboat.terminal.sitting import play_sitting
from tests.terminal.sittings import one_round, sit

# ---------------------------------------------------------------- told in lines


@pytest.mark.parametrize("name", rulebook_ids())
def test_three_rounds_are_played_to_the_end_under_every_rulebook(name: str) -> None:
    book = load(name).book
    status, said = sit(name, *one_round(book) * 3, "q")
    assert status == 0
    results = re.findall(r"^Round (\d): you (won|lost|came out) (\S+)\.$", said, re.MULTILINE)
    assert [number for number, _, _ in results] == ["1", "2", "3"]
    cents = 0
    for _, how, amount in results:
        if how != "came out":
            cents += parse_dollars(amount.strip("$")) * (1 if how == "won" else -1)
    purse = format_cents(1_000_00 + cents)
    assert f"You have {purse} in play money." in said
    assert f"Goodbye. You leave with {purse} in play money after 3 rounds" in said
    assert "abandoned" not in said
    assert said.count(book.title) == 4, "at the door and in every round"
    assert said.count(f"{STANDING[book.status]} · play money") == 4


@pytest.mark.parametrize("name", rulebook_ids())
def test_no_line_is_longer_than_80_and_nothing_controls_the_screen(name: str) -> None:
    asked = ["s 1 5", "s 2 1", "b 123456789.25", "?", *one_round(load(name).book), "e", "?", "q"]
    _, said = sit(name, "e", *asked, *("q" * 9))
    assert max(map(len, said.splitlines())) <= 80
    assert "\x1b" not in said
    assert "[bold" not in said
    assert "\N{NO-BREAK SPACE}" not in said


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_same_seed_deals_the_same_cards_and_another_does_not(name: str) -> None:
    script = [*one_round(load(name).book) * 2, "q"]
    assert sit(name, *script, seed=5) == sit(name, *script, seed=5)
    assert sit(name, *script, seed=5) != sit(name, *script, seed=6)


def test_a_table_without_a_seed_is_shuffled_anew() -> None:
    book = load("house-demo").book

    def hand() -> str:
        output = io.StringIO()
        script = io.StringIO("\n")
        play_sitting(book, seats=7, seat=1, seed=None, input=script, output=output)[0]
        return output.getvalue()

    assert len({hand() for _ in range(4)}) > 1


def test_a_round_is_told_from_the_bets_to_the_explanation() -> None:
    _, said = sit("maryland-2014", "s 1 1", "", "3", "3", "f", "q")
    assert "Seat 3, You: Ante $5, Three Card Bonus $1\n" in said
    assert "No more bets.\n$0.63 to the meter; the meter shows $10,000.63.\nDealt 4 to " in said
    assert (
        "Your hand, jack high:\n"
        "  ╭─────╮ ╭─────╮\n"
        "  │J    │ │4    │\n"
        "  │  ♥  │ │  ♣  │\n"
        "  │    J│ │    4│\n"
        "  ╰─────╯ ╰─────╯\n"
        "3rd Street: Ada folds.\n"
        "Ada's fold loses the progressive payout as well.\n"
        "3rd Street: Beau bets $10 (1x).\n"
        "3rd Street, your decision: f fold, 1 $5, 2 $10, 3 $15, b bet, ? help, q leave\n"
        "> 3\n"
        "3rd Street: you bet $15 (3x).\n"
    ) in said
    assert (
        "Community card 1 turned: Q♣.\n"
        "  ╭─────╮ ╭─────╮ ╭─────╮\n"
        "  │Q    │ │░░░░░│ │░░░░░│\n"
        "  │  ♣  │ │░░░░░│ │░░░░░│\n"
        "  │    Q│ │░░░░░│ │░░░░░│\n"
        "  ╰─────╯ ╰─────╯ ╰─────╯\n"
        "You hold queen high.\n"
    ) in said
    assert "Box cards turned: 6♦ J♠ 9♠ 4♥.\n" in said
    assert "Round 1: you lost $36.\n" in said
    assert "Seat 3, You: J♥ 4♣, folded: -$36\n" in said
    assert "Seat 1, Ada: cards not shown, folded: -$7\n" in said
    told = re.search(r"^  Folded on 5th street: (.*?)\nThe meter", said, re.DOTALL | re.MULTILINE)
    assert told is not None
    assert "MD-2014.11.F.1.a" in told[1]
    assert "three card bonus $1 is lost: -$1 [" in " ".join(told[1].split())


def test_island_stud_shows_one_card_of_the_dealer_until_all_have_acted() -> None:
    _, said = sit("island-stud", "s 1 1", "s 2", "", "b", "q", seats=7, seat=4, seed=11)
    before, after = said.split("You bet $10 (2x).\n")
    assert (
        "The dealer's hand:\n"
        "  ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮\n"
        "  │6    │ │░░░░░│ │░░░░░│ │░░░░░│ │░░░░░│\n"
    ) in before
    assert (
        "Dealer's hand turned: 6♠ K♠ 3♥ Q♠ J♠, king high.\n"
        "  ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮ ╭─────╮\n"
        "  │6    │ │K    │ │3    │ │Q    │ │J    │\n"
    ) in after
    assert "Seat 4, You: K♦ 8♠ 7♥ 3♠ 2♦: -$17\n" in said
    assert "King high (K 8 7 3 2) loses to the dealer's king high (K Q J 6 3)" in said


def test_the_meter_goes_on_from_round_to_round() -> None:
    _, said = sit("south-dakota-2011", "", "f", "", "f", "q", seats=4)
    meters = re.findall(r"meter shows (\S+)\.\n", said)
    assert meters == ["$10,000.42", "$10,000.42", "$10,000.84", "$10,000.84"]


@pytest.mark.parametrize(
    ("name", "lines", "sentence", "clause"),
    [
        ("south-dakota-3cb", ["b 30"], "ante of $30; $1 to $25 is allowed", "SD-3CB.2-2"),
        ("south-dakota-2011", ["b", "0.50"], "ante of $0.50; $1 to $25 is allowed", "SD-2011.2-3"),
        ("maryland-2014", ["s 2"], "six card bonus before the three card bonus", "MD-2014.07.F.5"),
        ("maryland-2014", ["", "4"], "3rd Street bet of $20 on an ante of $5", "MD-2014.11.B.1.a"),
        ("iowa-catfish-bend", ["", "b 12.50"], "Flop bet of $12.50 on an ante", "IA-CB.5.b"),
        ("island-stud", ["", "1"], "Bet of $5 on an ante of $5; 2x is allowed", "IS.4-1"),
        (
            "south-dakota-2011",
            ["s 1 2"],
            "progressive wager of $2; exactly $1 is allowed",
            "SD-2011.",
        ),
    ],
)
def test_a_refusal_says_why_with_its_clause_and_one_tries_again(
    name: str, lines: list[str], sentence: str, clause: str
) -> None:
    status, said = sit(name, *lines)
    flat = " ".join(said.split())
    assert status == 0
    refusal = re.search(r"Not allowed: (.*?)\. \[(.*?)\]", flat)
    assert refusal is not None
    assert sentence in refusal[1]
    assert clause in refusal[2]
    asked = [line for line in said.splitlines() if re.match("Your bets:|.*, your decision:", line)]
    assert asked[-1] == asked[-2], "the same question again"


@pytest.mark.parametrize(
    ("lines", "said_key"),
    [(["x"], "'x'"), (["7"], "'7'"), (["f"], "'f'"), (["", "y 3"], "'y'"), (["", ""], "Enter"),
     (["s", "9"], "'9'"), (["s 4"], "'4'"), (["", "33"], "'33'"), (["", "s"], "'s'")],
)  # fmt: skip
def test_a_key_that_means_nothing_is_named_and_changes_nothing(
    lines: list[str], said_key: str
) -> None:
    status, said = sit("maryland-2014", *lines)
    assert status == 0
    assert f"{said_key} does nothing here; ? is help.\n" in said
    assert "Not allowed" not in said
    assert "You bet" not in said


def test_an_amount_that_cannot_be_read_is_asked_again() -> None:
    _, said = sit("house-demo", "b ten", "b", "", "b $20", "")
    assert "'ten' is no amount" in said
    assert "Seat 3, You: Ante $20\n" in said


def test_side_bets_go_through_their_amounts_and_off_again() -> None:
    _, said = sit("maryland-2014", "s", "1", "2", "1", "3", "3", "1 2.50", "", "")
    steps = re.findall(r"Side bets: (.*?), Enter ok", " ".join(said.split()))
    assert steps == [
        "1 Three Card Bonus –, 2 Six Card Bonus –, 3 Progressive Payout –",
        "1 Three Card Bonus $1, 2 Six Card Bonus –, 3 Progressive Payout –",
        "1 Three Card Bonus $1, 2 Six Card Bonus $1, 3 Progressive Payout –",
        "1 Three Card Bonus $5, 2 Six Card Bonus $1, 3 Progressive Payout –",
        "1 Three Card Bonus $5, 2 Six Card Bonus $1, 3 Progressive Payout $1",
        "1 Three Card Bonus $5, 2 Six Card Bonus $1, 3 Progressive Payout –",
        "1 Three Card Bonus $2.50, 2 Six Card Bonus $1, 3 Progressive Payout –",
    ]
    assert "Seat 3, You: Ante $5, Three Card Bonus $2.50, Six Card Bonus $1\n" in said


def test_enter_repeats_the_last_bets() -> None:
    _, said = sit("south-dakota-3cb", "3", "s 2", "", "f", "", "f", "")
    assert said.count("Seat 3, You: Ante $25, Progressive $1\n") == 3


def test_help_gives_the_rule_of_the_moment_in_its_clauses_words() -> None:
    book = load("maryland-2014").book
    _, said = sit("maryland-2014", "?", "", "?", "q")
    before, at_third = said.split("Round 1\n")
    for part, clause in ((before, "MD-2014.07.F.1"), (at_third, "MD-2014.11.B.1.a")):
        text = book.clauses[clause].text
        assert text in " ".join(part.split()), clause
    assert "The rule now: 3rd Street: bet or fold" in at_third
    assert "Pay table MD-2014-BASE: base" in before
    assert "500 to 1" in before
    assert book.source.standing in " ".join(before.split())


def test_a_round_is_explained_in_detail_with_the_clauses_words() -> None:
    _, said = sit("island-stud", "e", "", "b", "e", "q", seats=3, seat=2)
    assert "There is no round to explain yet.\n" in said
    explained = said.split("Round 1 explained\n")[1]
    results = re.findall(r"^Seat (\d), (\w+): \S+$", explained, re.MULTILINE)
    assert results == [("3", "Beau"), ("2", "You"), ("1", "Ada")]
    assert load("island-stud").book.clauses["IS.6.a-3"].text in " ".join(explained.split())


def test_poor_players_get_more_play_money() -> None:
    _, said = sit("iowa-catfish-bend", "b 2000", "", "f", "q")
    assert "The house gives you $19,000 more in play money.\n" in said
    assert "You leave with $18,000 in play money after 1 round (-$2,000)." in said


@pytest.mark.parametrize(("needed", "given"), [(1_000_00, 0), (1_000_01, 1_000_00), (0, 0)])
def test_a_top_up_is_whole_buy_ins_and_no_more_than_needed(needed: int, given: int) -> None:
    player = Player("You", None)
    assert top_up(player, needed) == given
    assert player.bankroll_cents == 1_000_00 + given


# ---------------------------------------------------------------- leaving


def test_leaving_between_rounds_abandons_nothing() -> None:
    assert sit("house-demo", "q")[1].endswith(
        "> q\nGoodbye. You leave with $1,000 in play money.\n"
    )


@pytest.mark.parametrize("lines", [[""], ["", "3"], ["", "3", "q"]])
def test_the_end_of_input_and_q_abandon_an_open_round(lines: list[str]) -> None:
    status, said = sit("house-demo", *lines)
    assert status == 0
    farewell = "The round is abandoned and every bet goes back. Goodbye."
    assert farewell in said.splitlines()[-2]
    assert "You leave with $1,000" in " ".join(said.split())


class Interrupted(io.StringIO):
    """A player who presses Ctrl-C where there is no further answer."""

    def readline(self, *args: int | None) -> str:  # type: ignore[override]
        line = super().readline()
        if not line:
            raise KeyboardInterrupt
        return line


@pytest.mark.parametrize(("answers", "abandoned"), [([], False), ([""], True), (["", "1"], True)])
def test_ctrl_c_leaves_with_a_goodbye_on_its_own_line(answers: list[str], abandoned: bool) -> None:
    output = io.StringIO()
    book, script = load("south-dakota-3cb").book, Interrupted("".join(f"{a}\n" for a in answers))
    status = play_sitting(book, seats=2, seat=2, seed=1, input=script, output=output)[0]
    last = output.getvalue().splitlines()
    asked = max(number for number, line in enumerate(last) if line == "> ")
    assert status == 1
    assert ("The round is abandoned" in last[asked + 1]) == abandoned
    assert "Goodbye. You leave with $1,000" in last[asked + 1]


def test_a_seat_or_a_table_that_the_rulebook_does_not_have_is_refused() -> None:
    status, said = sit("maryland-2014", seats=7)
    assert (status, said) == (
        1,
        "Not allowed: seats 7; 1 to 6 is allowed. [MD-2014.02.A-1, D-20]\n",
    )
    status, said = sit("maryland-2014", seat=7)
    assert status == 1
    assert said.startswith("Not allowed: seat 7; the table has seats 1 to 6.")


def test_a_sitting_is_reported_for_scripts() -> None:
    def played(name: str, script: str, seats: int) -> tuple[int, dict[str, Any]]:
        return play_sitting(
            load(name).book,
            seats=seats,
            seat=1,
            seed=2,
            input=io.StringIO(script),
            output=io.StringIO(),
        )

    assert played("south-dakota-2011", "\nf\n2\n\nf\n", 3) == (
        0,
        {
            "rulebook": "south-dakota-2011",
            "seats": 3,
            "seat": 1,
            "rounds": ["-5.00", "-10.00"],
            "net": "-15.00",
            "meter": "10000.42",
        },
    )
    assert played("iowa-catfish-bend", "", 3)[1]["meter"] is None
    status, report = played("maryland-2014", "", 7)
    assert status == 1
    assert report["refused"]["code"] == "setup.refused"
    assert "MD-2014.02.A-1" in report["refused"]["cites"]


def test_without_signs_for_suits_plain_letters_are_printed() -> None:
    raw = io.BytesIO()
    output = io.TextIOWrapper(raw, encoding="ascii", newline="\n")
    book, script = load("maryland-2014").book, io.StringIO("\n1\n")
    play_sitting(book, seats=6, seat=3, seed=7, input=script, output=output)[0]
    output.flush()
    said = raw.getvalue().decode("ascii")
    assert "  +-----+ +-----+\n  |J    | |4    |\n  |  h  | |  c  |\n" in said
    assert "draft: not law - play money" in said
    assert "Community card 1 turned: Qc.\n" in said


def test_bytes_that_are_no_text_are_a_key_that_means_nothing() -> None:
    script = io.TextIOWrapper(io.BytesIO(b"\xff\nq\n"), encoding="utf-8")
    output = io.StringIO()
    book = load("house-demo").book
    assert play_sitting(book, seats=2, seat=1, seed=1, input=script, output=output)[0] == 0
    assert "'\N{REPLACEMENT CHARACTER}' does nothing here" in output.getvalue()


@pytest.mark.parametrize(
    ("line", "command"),
    [("\n", Command("")), (" F \n", Command("f")), ("3x", Command("3")), ("fold", Command("f")),
     ("b  12.50\n", Command("b", "12.50")), ("s 1 5", Command("s", "1 5")), ("x", Command("x")),
     ("quit", Command("q")), ("12x", Command("12"))],
)  # fmt: skip
def test_a_line_is_read_as_a_key_and_what_goes_with_it(line: str, command: Command) -> None:
    assert read_command(line) == command


# ---------------------------------------------------------------- bots


@pytest.mark.parametrize(
    ("seen", "multiple"),
    [
        ("Jd Jh", 3),
        ("2d 2h", 3),
        ("Kd 2h", 1),
        ("6d 7h", 1),
        ("5d 4h", 0),
        ("9d 2h", 0),
        ("9d 2h 9c", 3),
        ("4d 2h 4c", 1),
        ("4d 9d 2d", 1),
        ("Jd 4h 2c", 0),
        ("4d 9d 2d Kd", 3),
        ("5d 2h 5c 3s", 1),
        ("Ad Kh 3c 2s", 1),
        ("Ad 4h 3c 2s", 0),
    ],
)
def test_a_mississippi_stud_bot_counts_points_and_pairs(seen: str, multiple: int) -> None:
    assert points_and_pairs(parse_cards(seen), (1, 2, 3)) == multiple


@pytest.mark.parametrize(
    ("hand", "multiple"),
    [("2d 2h 3c 4s 8d", 2), ("Ad Kh 3c 4s 8d", 2), ("Ad Qh 3c 4s 8d", 0), ("6d 7h 8c 9s Td", 2)],
)
def test_an_island_stud_bot_bets_with_a_pair_or_ace_king(hand: str, multiple: int) -> None:
    assert pair_or_ace_king(parse_cards(hand), (2,)) == multiple
