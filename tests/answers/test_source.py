"""A clause's own words are found on its lines, without the marks of the page."""

import pytest

from riverboat.answers.rulebooks import clean_line, excerpt

PAGE = """12 **A.** A player shall place
13 a wager. ~~Twice.~~ Then wait.
---
[For the meeting](#)
1 B. The end."""


def test_page_line_numbers_and_emphasis_are_left_out() -> None:
    found = excerpt(PAGE, first=1, last=2, line_numbers=True)
    assert found == "A. A player shall place a wager. ~~Twice.~~ Then wait."


def test_a_sentence_is_chosen_by_its_number() -> None:
    found = excerpt(PAGE, first=1, last=2, sentence=3, line_numbers=True)
    assert found == "~~Twice.~~ Then wait."


def test_a_sentence_that_is_not_there_gives_the_whole_range() -> None:
    assert excerpt("One. Two.", first=1, last=1, sentence=7) == "One. Two."


def test_page_footers_belong_to_the_page() -> None:
    footers = ("---", "[For")
    found = excerpt(PAGE, first=2, last=5, line_numbers=True, page_footers=footers)
    assert found == "a wager. ~~Twice.~~ Then wait. B. The end."


def test_a_clause_that_stands_in_a_footer_is_still_found() -> None:
    footers = ("---", "[For")
    assert excerpt(PAGE, first=4, last=4, page_footers=footers) == "[For the meeting](#)"


@pytest.mark.parametrize(
    ("line", "numbered", "clean"),
    [
        ("\t40 to 1", False, "40 to 1"),
        ("40 to 1", True, "to 1"),
        ("- (1) not to exceed \\$25;", False, "(1) not to exceed $25;"),
        ("a 3^{rd} street wager", False, "a 3rd street wager"),
        ("4<sup>th</sup>  Street", False, "4th Street"),
        ("[bookmark: _GoBack]\t20:18", False, "20:18"),
        ("- 7 (a) Mini", True, "(a) Mini"),
        ("7 | DB. Hands", True, "DB. Hands"),
    ],
)
def test_the_marks_of_a_conversion_are_left_out(line: str, numbered: bool, clean: str) -> None:
    assert clean_line(line, line_numbers=numbered) == clean
