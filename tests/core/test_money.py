"""Amounts are read, written, rounded and shared exactly."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from riverboat.core.errors import NotationError
from riverboat.core.money import (
    METER_UNITS_PER_CENT,
    Divide,
    divide_down,
    divide_exact,
    divide_half_up,
    divide_up,
    format_cents,
    parse_dollars,
    parse_percent,
    round_to_unit,
    share_by_largest_remainder,
    show_dollars,
    show_percent,
)

amounts = st.integers(min_value=0, max_value=10**14 - 1)
divisors = st.integers(min_value=1, max_value=10**6)
weights_of_players = st.lists(st.integers(min_value=0, max_value=10**6), min_size=1, max_size=8)

UNREADABLE = [
    "",
    " ",
    " 10",
    "10 ",
    "10\n",
    "+10",
    "-10",
    "$10",
    "1,000",
    "1_000",
    "10.",
    ".5",
    "1.234",
    "1.2.3",
    "1e3",
    "0x10",
    "10,50",
    "ten",
    "nan",
    "\u0661\u0660",
    "\u00b2",
    "1234567890123",
    "9" * 5_000,
]


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("10", 1_000),
        ("45000.38", 4_500_038),
        ("0.5", 50),
        ("0.05", 5),
        ("0", 0),
        ("0.01", 1),
        ("999999999999.99", 10**14 - 1),
    ],
)
def test_dollars_are_read_to_the_cent(text: str, cents: int) -> None:
    assert parse_dollars(text) == cents


@pytest.mark.parametrize("text", UNREADABLE)
def test_an_amount_in_any_other_form_is_refused_and_named(text: str) -> None:
    with pytest.raises(NotationError, match="45000\\.38") as refusal:
        parse_dollars(text)
    assert refusal.value.code == "money.unreadable"
    assert repr(text) in str(refusal.value)


@pytest.mark.parametrize("value", [10, 10.0, True, None, b"10", ["10"], {"10": 1}])
def test_only_text_is_read(value: Any) -> None:
    said = f"^{type(value).__name__} instead of text is no"
    with pytest.raises(NotationError, match=said) as amount:
        parse_dollars(value)
    with pytest.raises(NotationError, match=said) as rate:
        parse_percent(value)
    assert (amount.value.code, rate.value.code) == ("money.unreadable", "percent.unreadable")


@pytest.mark.parametrize("text", UNREADABLE)
def test_a_percentage_in_any_other_form_is_refused_and_named(text: str) -> None:
    with pytest.raises(NotationError, match="at most two decimals") as refusal:
        parse_percent(text)
    assert refusal.value.code == "percent.unreadable"
    assert repr(text) in str(refusal.value)


@pytest.mark.parametrize(
    ("cents", "shown", "formatted"),
    [
        (0, "0.00", "$0"),
        (1, "0.01", "$0.01"),
        (48_900, "489.00", "$489"),
        (100_000, "1000.00", "$1,000"),
        (500_004, "5000.04", "$5,000.04"),
        (500_040, "5000.40", "$5,000.40"),
        (-1_000, "-10.00", "-$10"),
        (-1, "-0.01", "-$0.01"),
        (-123_456_789, "-1234567.89", "-$1,234,567.89"),
    ],
)
def test_an_amount_has_one_form_for_files_and_one_for_people(
    cents: int, shown: str, formatted: str
) -> None:
    assert show_dollars(cents) == shown
    assert format_cents(cents) == formatted


@pytest.mark.parametrize(
    ("text", "rate_bp"),
    [("21", 2_100), ("0.25", 25), ("22.5", 2_250), ("0", 0), ("0.01", 1), ("100", 10_000)],
)
def test_a_percentage_is_read_as_basis_points_and_written_as_short_as_it_was(
    text: str, rate_bp: int
) -> None:
    assert parse_percent(text) == rate_bp
    assert show_percent(rate_bp) == text


def test_a_percentage_below_zero_keeps_its_sign() -> None:
    assert show_percent(-491) == "-4.91"


@given(amounts)
def test_what_is_shown_is_read_back(amount: int) -> None:
    assert parse_dollars(show_dollars(amount)) == amount
    assert parse_percent(show_percent(amount)) == amount


@given(amounts)
def test_what_people_read_differs_only_in_its_trimmings(cents: int) -> None:
    assert parse_dollars(format_cents(cents).replace("$", "").replace(",", "")) == cents


@given(amounts)
def test_an_amount_below_zero_is_the_same_text_behind_a_sign(cents: int) -> None:
    assume(cents > 0)
    assert show_dollars(-cents) == "-" + show_dollars(cents)
    assert format_cents(-cents) == "-" + format_cents(cents)


@given(amounts)
def test_a_basis_point_of_a_cent_is_a_whole_number_of_meter_units(cents: int) -> None:
    whole_bp = parse_percent("100")
    assert divide_exact(cents * whole_bp, METER_UNITS_PER_CENT) == cents


@pytest.mark.parametrize(
    ("amount", "down", "half_up", "up"),
    [(0, 0, 0, 0), (1, 0, 0, 1), (4, 0, 0, 1), (5, 0, 1, 1), (9, 0, 1, 1), (10, 1, 1, 1)],
)
def test_each_division_does_what_its_name_says(
    amount: int, down: int, half_up: int, up: int
) -> None:
    assert divide_down(amount, 10) == down
    assert divide_half_up(amount, 10) == half_up
    assert divide_up(amount, 10) == up


def test_half_of_an_odd_divisor_is_not_reached_by_the_smaller_part() -> None:
    assert [divide_half_up(amount, 3) for amount in (3, 4, 5, 6)] == [1, 1, 2, 2]


@given(amounts, divisors)
def test_rounding_down_near_and_up_enclose_the_exact_quotient(amount: int, by: int) -> None:
    down, near, up = divide_down(amount, by), divide_half_up(amount, by), divide_up(amount, by)
    assert down * by <= amount <= up * by
    assert up - down == (0 if down * by == amount else 1)
    assert near in (down, up)
    assert abs(near * by - amount) * 2 <= by


@given(amounts, divisors)
def test_an_exact_division_is_undone_by_multiplying(amount: int, by: int) -> None:
    assert divide_exact(amount * by, by) == amount


def test_a_remainder_in_an_exact_division_is_a_bug() -> None:
    with pytest.raises(AssertionError, match="7 does not divide by 2"):
        divide_exact(7, 2)


@pytest.mark.parametrize("divide", [divide_exact, divide_down, divide_up, divide_half_up])
def test_no_division_takes_an_amount_below_zero_or_a_divisor_of_nothing(divide: Divide) -> None:
    with pytest.raises(AssertionError, match="below zero"):
        divide(-1, 2)
    for by in (0, -1):
        with pytest.raises(AssertionError, match="cannot divide by"):
            divide(1, by)


@pytest.mark.parametrize(
    ("divide", "rounded_cents"),
    [(divide_down, 1_025), (divide_half_up, 1_050), (divide_up, 1_050)],
)
def test_an_amount_is_rounded_to_quarters_by_the_named_division(
    divide: Divide, rounded_cents: int
) -> None:
    assert round_to_unit(1_038, 25, divide) == rounded_cents


def test_an_amount_of_whole_units_is_left_alone_by_every_rounding() -> None:
    for divide in (divide_exact, divide_down, divide_half_up, divide_up):
        assert round_to_unit(1_050, 25, divide) == 1_050


@pytest.mark.parametrize(
    ("total_cents", "weights", "unit_cents", "shares"),
    [
        (100, [1, 1, 1], 1, (34, 33, 33)),
        (200, [1, 1, 1], 100, (100, 100, 0)),
        (1_000, [1, 2, 3], 1, (167, 333, 500)),
        (1_000, [1, 0, 1], 25, (500, 0, 500)),
        (100, [1, 2], 100, (0, 100)),
        (0, [1, 2], 100, (0, 0)),
        (700, [5], 100, (700,)),
    ],
)
def test_a_pot_is_shared_by_largest_remainder(
    total_cents: int, weights: list[int], unit_cents: int, shares: tuple[int, ...]
) -> None:
    assert share_by_largest_remainder(total_cents, weights, unit_cents) == shares


@given(st.integers(0, 10**9), weights_of_players, st.integers(1, 10_000))
def test_shares_are_together_exactly_the_pot_in_whole_units(
    unit_count: int, weights: list[int], unit_cents: int
) -> None:
    assume(any(weights))
    shares = share_by_largest_remainder(unit_count * unit_cents, weights, unit_cents)
    assert sum(shares) == unit_count * unit_cents
    assert all(round_to_unit(share, unit_cents, divide_exact) == share for share in shares)


@given(st.integers(0, 10**9), weights_of_players)
def test_no_share_is_a_whole_unit_away_from_what_its_weight_earns(
    total_cents: int, weights: list[int]
) -> None:
    assume(any(weights))
    shares = share_by_largest_remainder(total_cents, weights, 1)
    for share_cents, weight in zip(shares, weights, strict=True):
        assert abs(share_cents * sum(weights) - total_cents * weight) < sum(weights)


@given(st.integers(0, 1_000), weights_of_players)
def test_a_heavier_or_earlier_player_never_gets_less(total_cents: int, weights: list[int]) -> None:
    assume(any(weights))
    entries = list(zip(weights, share_by_largest_remainder(total_cents, weights, 1), strict=True))
    for index, (weight, share_cents) in enumerate(entries):
        for later_weight, later_cents in entries[index:]:
            assert weight < later_weight or share_cents >= later_cents
            assert weight > later_weight or share_cents <= later_cents + (weight == later_weight)


def test_a_pot_that_is_not_whole_units_is_the_callers_bug() -> None:
    with pytest.raises(AssertionError, match="150 does not divide by 100"):
        share_by_largest_remainder(150, [1, 1], 100)


@pytest.mark.parametrize("weights", [[], [0, 0]])
def test_a_pot_without_anybody_to_share_it_is_the_callers_bug(weights: list[int]) -> None:
    with pytest.raises(AssertionError, match="nobody to share with"):
        share_by_largest_remainder(100, weights, 1)


def test_a_weight_below_zero_is_the_callers_bug() -> None:
    with pytest.raises(AssertionError, match="below zero"):
        share_by_largest_remainder(100, [3, -1], 1)
