"""The environments keep Gymnasium's contract, say exactly what the engine says, and hide cards."""

import doctest
import re
import subprocess
import sys
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import InvalidAction, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FlattenObservation
from msgspec.structs import replace

from riverboat.core.cards import parse_card, parse_cards
from riverboat.core.errors import Refused, RiverboatError
from riverboat.gym import IDS, IslandStudEnv, MississippiStudEnv, TableEnv
from riverboat.round import Round, SetupRefused, open_round, play
from riverboat.round import actions as a
from riverboat.round.streets import seat_to_act
from riverboat.rulebook import Rulebook
from riverboat.rulebooks import load, rulebook_ids
from tests.support.places import ROOT

MISSISSIPPI, ISLAND = IDS
GAMES = {
    name: MISSISSIPPI if load(name).book.comparison is None else ISLAND for name in rulebook_ids()
}
WORKED_EXAMPLE: dict[str, Any] = {
    "rulebook": "maryland-2014",
    "table": {
        "minimum": "5",
        "three_card_bonus": "MD-2014-3CB-E",
        "progressive_wager": "1",
    },
    "ante": "10",
    "side_bets": {"progressive": "1", "three_card_bonus": "5"},
    "meter": "50000",
    "others": 1,
}
WORKED_CARDS = {"cards": {"1": "Kd 2c", "2": "9h 8h", "community": "Qh Jh Th"}}


def make(name: str, **parameters: Any) -> TableEnv:
    """An environment as `gymnasium.make` gives it, without its wrappers."""
    env = gymnasium.make(name, **parameters).unwrapped
    assert isinstance(env, TableEnv)
    return env


def finish(env: TableEnv, action: int, **reset: Any) -> tuple[float, dict[str, Any]]:
    """Play a round with the same action at every decision."""
    env.reset(**reset)
    over = False
    while not over:
        _, reward, over, _, info = env.step(action)
    return reward, info


def folds(state: Round, seat: int) -> a.AnyAction:
    return a.Fold(seat=seat)


@pytest.mark.parametrize(("rulebook", "name"), GAMES.items())
def test_gymnasiums_own_checker_has_no_complaint(rulebook: str, name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for parameters in ({}, {"others": 2, "seat": 2}, {"illegal": "fold", "ante": "25"}):
            check_env(make(name, rulebook=rulebook, render_mode="ansi", **parameters))


@pytest.mark.parametrize(
    ("env", "rulebook"), [(MISSISSIPPI, "south-dakota-3cb"), (ISLAND, "island-stud")]
)
def test_a_games_rulebook_in_force_is_the_default(env: str, rulebook: str) -> None:
    assert make(env).setup.book.id == rulebook


def test_the_worked_example_pays_both_seats_to_the_cent() -> None:
    straight_flush = make(MISSISSIPPI, seat=2, strategy=folds, **WORKED_EXAMPLE)
    reward, info = finish(straight_flush, 3, options=WORKED_CARDS)
    assert (reward, info["net_cents"]) == (1519.904, 1519904)
    assert straight_flush.round.meter.cents == 4500038

    def bets_most(state: Round, seat: int) -> a.AnyAction:
        return a.Bet(seat=seat, cents=3000)

    reward, info = finish(
        make(MISSISSIPPI, strategy=bets_most, **WORKED_EXAMPLE), 0, options=WORKED_CARDS
    )
    assert reward == 48.9
    assert info["results_cents"] == {
        "ante": -1000,
        "progressive": -100,
        "three_card_bonus": 20000,
        "envy": 30000,
    }


def test_a_reward_is_what_the_engine_pays_for_the_same_cards_and_decisions() -> None:
    env = make(MISSISSIPPI, ante="7.50", seat=2, others=2)
    rng = np.random.default_rng(5)
    for seed in range(60):
        env.reset(seed=seed)
        state, choices, over = env.round, [], False
        while not over:
            choices.append(int(rng.integers(1, 4)))
            _, reward, over, _, info = env.step(choices[-1])
        places = {str(number): seat.cards for number, seat in state.seats.items()}
        places["community"] = state.community
        assert reward * 750 == pytest.approx(info["net_cents"], abs=1e-9)
        assert info["net_cents"] == by_hand(env, places, choices)


def by_hand(env: TableEnv, places: dict[str, tuple[int, ...]], choices: list[int]) -> int:
    """The seat's result when the round is played on the engine itself."""
    state = open_round(env.setup)
    for seat in (3, 2, 1):
        state = play(state, a.Wager(seat=seat, spot="ante", cents=750))
    state = play(play(state, a.CloseBets()), a.Deal(places=places))
    for multiple in choices:
        for seat, times in ((1, 1), (2, multiple), (3, 1)):
            state = play(state, a.Bet(seat=seat, cents=750 * times))
        state = play(state, a.Turn())
    return play(play(state, a.SettleAll()), a.Close()).seats[2].net_cents


@pytest.mark.parametrize("name", IDS)
def test_the_same_seed_deals_the_same_rounds(name: str) -> None:
    def dealt(seed: int) -> list[bytes]:
        env = make(name)
        env.reset(seed=seed)
        first = env.round.seats[1].cards
        env.reset()
        return [bytes(first), bytes(env.round.seats[1].cards)]

    assert dealt(3) == dealt(3)
    assert dealt(3) != dealt(4)
    assert dealt(3)[0] != dealt(3)[1]


def test_a_street_is_observed_card_by_card_and_bet_by_bet() -> None:
    env = make(MISSISSIPPI)
    cards = {"cards": {"1": "Ah Kd", "community": "2c 2d As"}}
    seen, _ = env.reset(options=cards)
    assert set(np.flatnonzero(seen["hole"])) == set(parse_cards("Ah Kd"))
    assert (seen["street"], seen["bets"].tolist(), seen["community"].sum()) == (0, [0, 0, 0], 0)
    seen, *_ = env.step(3)
    assert (seen["street"], seen["bets"].tolist()) == (1, [3, 0, 0])
    assert np.flatnonzero(seen["community"]).tolist() == [parse_card("2c")]
    seen, *_ = env.step(1)
    assert (seen["street"], seen["bets"].tolist()) == (2, [3, 1, 0])
    seen, reward, over, *_ = env.step(2)
    assert (seen["street"], seen["bets"].tolist(), over) == (3, [3, 1, 2], True)
    assert set(np.flatnonzero(seen["community"])) == set(parse_cards("2c 2d As"))
    assert reward == 2 * (1 + 3 + 1 + 2)


def test_an_island_hand_is_observed_with_the_up_card_and_then_with_all_five() -> None:
    env = make(ISLAND)
    cards = {"cards": {"1": "Ah Ad Kh Kd 2c", "dealer": "3c 3d 4c 5c 7d"}}
    seen, info = env.reset(options=cards)
    assert set(np.flatnonzero(seen["hand"])) == set(parse_cards("Ah Ad Kh Kd 2c"))
    assert np.flatnonzero(seen["dealer"]).tolist() == [parse_card("3c")]
    assert (seen["over"], info["action_mask"].tolist()) == (0, [1, 1])
    seen, reward, over, _, info = env.step(1)
    assert set(np.flatnonzero(seen["dealer"])) == set(parse_cards("3c 3d 4c 5c 7d"))
    assert (seen["over"], reward, over) == (1, 3.0, True)
    assert info["action_mask"].tolist() == [0, 0]


HIDDEN = [
    ({"1": "Ah Kd", "2": "Qs Qc", "community": "2c 3c 4c"}, MISSISSIPPI),
    ({"1": "Ah Kd", "2": "7s 8c", "community": "2c 5d 9h"}, MISSISSIPPI),
    ({"1": "Ah Ad Kh Kd 2c", "2": "2s 3s 4s 5s 6s", "dealer": "3c 3d 4c 5c 7d"}, ISLAND),
    ({"1": "Ah Ad Kh Kd 2c", "2": "8s 9s 9c 9h 9d", "dealer": "3c Qc Qd Qs Qh"}, ISLAND),
]


@pytest.mark.parametrize(("name", "decisions"), [(MISSISSIPPI, 0), (MISSISSIPPI, 1), (ISLAND, 0)])
def test_hidden_cards_change_nothing_that_is_observed_or_drawn(name: str, decisions: int) -> None:
    def observed(cards: dict[str, str]) -> tuple[Any, ...]:
        env = make(name, others=1, render_mode="ansi")
        seen, info = env.reset(seed=1, options={"cards": cards})
        for _ in range(decisions):
            seen, *_, info = env.step(1)
        return ({key: np.asarray(part).tolist() for key, part in seen.items()}, env.render(), info)

    first, second = (observed(cards) for cards, game in HIDDEN if game == name)
    assert first[:2] == second[:2]
    assert first[2]["action_mask"].tolist() == second[2]["action_mask"].tolist()
    assert sorted(first[2]) == ["action_mask"]


def with_one_choice_on_fourth_street() -> Rulebook:
    book = load("house-demo").book
    third, fourth, fifth = book.decisions
    narrowed = replace(fourth, bet=replace(fourth.bet, multiples=(1,)))
    return replace(book, decisions=(third, narrowed, fifth))


def test_an_action_that_the_rulebook_does_not_allow_is_masked_and_refused() -> None:
    env = make(MISSISSIPPI, rulebook=with_one_choice_on_fourth_street())
    _, info = env.reset(seed=1)
    assert info["action_mask"].tolist() == [1, 1, 1, 1]
    *_, info = env.step(3)
    assert info["action_mask"].tolist() == [1, 1, 0, 0]
    assert info["action_mask"].dtype == np.int8
    before = env.round
    with pytest.raises(InvalidAction, match=r"action 2; allowed are 0 \(fold\), 1 \(1x\)$"):
        env.step(2)
    assert env.round is before
    *_, over, _, _ = env.step(1)
    assert not over


@pytest.mark.parametrize("action", [2, 4, -1])
def test_an_illegal_action_is_a_fold_where_that_is_asked_for(action: int) -> None:
    env = make(MISSISSIPPI, rulebook=with_one_choice_on_fourth_street(), illegal="fold")
    env.reset(seed=1)
    env.step(3)
    _, reward, over, _, info = env.step(action)
    assert (reward, over, info["results_cents"]) == (-4.0, True, {"ante": -500, "third": -1500})


@pytest.mark.parametrize("action", [4, -1, 1.0, "fold"])
def test_what_is_no_action_at_all_is_refused(action: Any) -> None:
    env = make(MISSISSIPPI)
    env.reset(seed=1)
    with pytest.raises(InvalidAction, match=re.escape(f"action {action!r}; allowed are 0 (fold)")):
        env.step(action)


def test_a_fold_loses_one_ante_and_the_others_play_on() -> None:
    env = make(MISSISSIPPI, others=5, seat=4)
    reward, info = finish(env, 0, seed=9)
    assert (reward, info["results_cents"]) == (-1.0, {"ante": -500})
    assert env.round.turned == 3
    assert all("fifth" in env.round.seats[number].results for number in (1, 2, 3, 5, 6))


def test_a_round_must_be_dealt_before_it_is_played() -> None:
    env = make(ISLAND)
    with pytest.raises(ResetNeeded, match="no round has been dealt"):
        env.step(1)
    finish(env, 1, seed=2)
    with pytest.raises(ResetNeeded, match="the round is over"):
        env.step(1)
    env.reset()
    assert seat_to_act(env.round) == 1


def test_what_the_table_does_not_take_is_refused_with_its_clause() -> None:
    with pytest.raises(Refused, match=r"ante of \$26; \$1 to \$25 is allowed") as refusal:
        MississippiStudEnv("south-dakota-3cb", ante="26")
    assert "SD-3CB.2-2" in refusal.value.cites
    with pytest.raises(Refused, match="no three card bonus is offered"):
        MississippiStudEnv("south-dakota-3cb", side_bets={"three_card_bonus": "5"})
    with pytest.raises(Refused, match="no insurance is offered"):
        IslandStudEnv(side_bets={"insurance": "5"})
    with pytest.raises(Refused, match="seat 7; the table has seats 1 to 6"):
        MississippiStudEnv("maryland-2014", others=6)
    with pytest.raises(SetupRefused, match="six card bonus"):
        MississippiStudEnv("maryland-2014", table={"six_card_bonus": "MD-2014-6CB-A"})


def test_a_parameter_that_makes_no_sense_is_named() -> None:
    with pytest.raises(ValueError, match="island-stud is no game for MississippiStudEnv"):
        MississippiStudEnv("island-stud")
    with pytest.raises(ValueError, match="illegal='ignore'"):
        IslandStudEnv(illegal="ignore")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="render_mode='human'"):
        IslandStudEnv(render_mode="human")
    env = MississippiStudEnv()
    with pytest.raises(ValueError, match="cards for 'dealer'"):
        env.reset(options={"cards": {"dealer": "Ah"}})
    with pytest.raises(ValueError, match="cards for '1'"):
        env.reset(options={"cards": {"1": "Ah Kh Qh"}})


def test_the_six_card_box_can_be_stacked_and_stays_shut_until_the_end() -> None:
    table = {
        "three_card_bonus": "MD-2014-3CB-A",
        "six_card_bonus": "MD-2014-6CB-A",
    }
    env = MississippiStudEnv(
        "maryland-2014",
        table=table,
        side_bets={"six_card_bonus": "5", "three_card_bonus": "5"},
        render_mode="ansi",
    )
    env.reset(options={"cards": {"1": "Ah Kh", "six_card_box": "Qh Jh Th 9h"}}, seed=1)
    assert "Box         ?? ?? ?? ??" in (env.render() or "")
    *_, info = env.step(0)
    assert info["results_cents"]["six_card_bonus"] > 0
    assert "Box         Qh Jh Th 9h" in (env.render() or "")


def test_a_round_is_drawn_as_the_seat_sees_it() -> None:
    env = make(MISSISSIPPI, render_mode="ansi")
    env.reset(options={"cards": {"1": "Ah Kd", "community": "2c 2d As"}})
    env.step(3)
    assert env.render() == (
        "Seat 1      Ah Kd\n"
        "Community   2c ?? ??\n"
        "Wagers      ante $5, third $15\n"
        "4th street  fold, 1x, 2x, 3x"
    )
    env.step(0)
    assert env.render() == (
        "Seat 1      Ah Kd\nCommunity   2c ?? ??\nResult      -$20: ante -$5, third -$15"
    )
    assert make(MISSISSIPPI).render() is None


@pytest.mark.parametrize("name", IDS)
def test_the_usual_wrappers_and_vectors_work(name: str) -> None:
    flat = FlattenObservation(gymnasium.make(name))
    seen, _ = flat.reset(seed=1)
    assert flat.observation_space.contains(seen)
    rounds = gymnasium.make_vec(name, num_envs=3, vectorization_mode="sync")
    rounds.reset(seed=1)
    *_, info = rounds.step(np.array([1, 1, 1]))
    assert info["action_mask"].shape[0] == 3
    rounds.close()


def in_a_fresh_python(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=False
    )


@pytest.mark.parametrize("missing", ["gymnasium", "numpy"])
def test_without_the_extra_the_import_says_what_to_install(missing: str) -> None:
    done = in_a_fresh_python(f"import sys; sys.modules[{missing!r}] = None; import riverboat.gym")
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert last == (
        f"ModuleNotFoundError: riverboat.gym needs {missing}, which is missing: "
        "pip install '.[gym]' in a checkout"
    )


def test_the_command_and_the_engine_need_neither_gymnasium_nor_numpy() -> None:
    done = in_a_fresh_python(
        "import sys, riverboat.cli, riverboat.round\n"
        "assert not {'gymnasium', 'numpy', 'riverboat.gym'} & set(sys.modules)"
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_importing_registers_the_environments_once() -> None:
    done = in_a_fresh_python(
        "import importlib, warnings; warnings.simplefilter('error')\n"
        "import gymnasium, riverboat.gym; importlib.reload(riverboat.gym)\n"
        "print([name for name in gymnasium.registry if name.startswith('riverboat/')])"
    )
    assert done.stdout.strip() == str(list(IDS)), done.stderr


def test_the_examples_of_the_python_page_hold() -> None:
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    examples = re.findall(r"(?ms)^```python\n(.*?)^```$", page)
    parsed = doctest.DocTestParser().get_doctest("\n".join(examples), {}, "python.md", None, None)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(parsed)
    assert (result.failed, result.attempted > 20) == (0, True)


@pytest.mark.parametrize(
    "wrong",
    [
        *({"ante": ante} for ante in (10.0, 10, True, None, b"10")),
        *({"meter": meter} for meter in (50000.0, 50000, 0, None)),
        *({"side_bets": bets} for bets in (["x"], {"progressive": 1.0}, {1: "1"}, "x", False)),
        *({"seat": seat} for seat in ("1", 1.0, True, None)),
        *({"others": others} for others in ("1", 1.0, True, -1)),
        *({"rulebook": book} for book in (5, 0, None, ["maryland-2014"])),
        *({"table": table} for table in ([1], 0, "x", {"minimum": 5.0})),
        *({"strategy": strategy} for strategy in ("fold", None)),
    ],
    ids=str,
)
def test_an_argument_of_a_wrong_type_is_refused_in_a_sentence(wrong: dict[str, Any]) -> None:
    with pytest.raises(RiverboatError) as said:
        MississippiStudEnv(**{**WORKED_EXAMPLE, **wrong})
    assert said.value.code
    assert str(said.value)


@pytest.mark.parametrize(
    "wrong",
    [
        "x",
        {"cards": "x"},
        {"cards": ["9h 8h"]},
        {"cards": {"1": 5}},
        {"cards": {"1": ["9h", "8h"]}},
    ],
    ids=str,
)
def test_options_of_a_wrong_type_are_refused_and_the_round_stays(wrong: Any) -> None:
    env = make(MISSISSIPPI)
    env.reset(seed=1)
    before = env.round
    with pytest.raises(RiverboatError):
        env.reset(seed=2, options=wrong)
    assert env.round is before


def test_true_is_no_action() -> None:
    env = make(MISSISSIPPI)
    env.reset(seed=1)
    with pytest.raises(InvalidAction, match="action True; allowed are 0"):
        env.step(True)
