"""Phrases that people stumbled over do not come back, and what is said instead is said.

Everything that can be read is looked through: the texts of the package's Python, its pages, their
scripts and the layouts of its documents. What a document prints is the document's own and stands in
its rulebook.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from riverboat.controller import actions as p
from riverboat.round import actions as g
from riverboat.round.table_talk import STANDING, sentence
from riverboat.rulebooks import load, rulebook_ids
from riverboat.scripts.day_library import prompted_day
from riverboat.web.auth import need_words
from riverboat.wording.hand_names import name_line
from riverboat.wording.key_words import award_words, key_words

PACKAGE = Path(__file__).parents[2] / "riverboat"
GONE = (
    *(r"appropriate button", r"wagers that are on are accepted", r"[Pp]ress bet lock"),
    *(r"Give \$", r"\bTake it[\"'`]", r"pay [^\n]{0,20} off the tray", r"from the tray \(on"),
    *(r"which has (?:royal|straight)", r"Why your hand was paid", r"for it wins from"),
    *(r"Your turn\b", r", your turn", r"on every street", r"leaving is an incident"),
    *(r"Nothing stands here", r"Not through this door", r"[Pp]layers by program"),
    *(r"dollar first bet", r"% more than printed", r"[0-9]'s\b", r"What waits", r"\bDo it\b"),
    *(r"It is counted", r"root is that of the leaves", r"Step forth", r"system for \{"),
    *(r"below zero (?:lowers|the player)", r"Colours of the room", r"\ba automated"),
    *(r"\bno all odds", r"no dealer opposite", r"\b3 [Cc]ard [Bb]onus", r"[Ff]our-of-a-kind"),
    *(
        r"the program\b(?!'s| is not| is all)(?= (?:deal|supervise|signs))",
        r"[Pp]rograms (?:sit|on)",
    ),
    *(r"this is for \{", r"\b(?:your|a) purse\b(?!\')"),
)
"""As they were written; a name in braces stands for whatever was filled in."""
OWN_WORDS = ("rulebooks/",)
"""What documents say in their own words."""
NO_TEXT = re.compile(r"^[\w./:#-]*$")
"""A key, a path, a class: nothing that anybody reads."""


def python_texts(file: Path) -> Iterator[str]:
    """Every text of a module that is no docstring; what is filled in keeps its braces."""
    tree = ast.parse(file.read_text("utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in said:
                yield text
            case ast.JoinedStr():
                yield ast.unparse(node)


def script_texts(file: Path) -> Iterator[str]:
    """Every text of a script: what stands in quotes, line by line."""
    text = re.sub(r"/\*.*?\*/", "", file.read_text("utf-8"), flags=re.DOTALL)
    yield from re.findall(r"\"[^\"\n]*\"|`[^`]*`", text)


def page_texts(file: Path) -> Iterator[str]:
    """What a page or a layout says, without its tags."""
    text = re.sub(
        r"\{[#%].*?[#%]\}|<!--.*?-->|^ *//.*$", "", file.read_text("utf-8"), flags=re.MULTILINE
    )
    yield from re.findall(r">[^<>]+<|=\"[^\"]*\"", text) if file.suffix == ".html" else [text]


READERS = {".py": python_texts, ".js": script_texts, ".html": page_texts, ".typ": page_texts}


def texts() -> Iterator[tuple[str, str]]:
    for file in sorted(PACKAGE.rglob("*")):
        place = file.relative_to(PACKAGE).as_posix()
        if file.suffix in READERS and not place.startswith(OWN_WORDS):
            yield from ((place, text) for text in READERS[file.suffix](file))


def test_no_phrase_comes_back() -> None:
    read = [(place, text) for place, text in texts() if not NO_TEXT.match(text.strip('"`>< '))]
    assert len(read) > 3000
    found = [
        f"{place}: {phrase!r} in {text[:120]!r}"
        for place, text in read
        for phrase in GONE
        if re.search(phrase, text)
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.py", 'def tell() -> str:\n    return f"system for {name}"\n'),
        ("a.py", 'WORDS = {"step": "Do it now"}\n'),
        ("a.js", 'say(place, `Give ${dollars(5)}`); make("b", {}, "Take it");\n'),
        ("a.html", "<h1>Nothing stands here</h1>"),
        ("a.html", '<button aria-label="Step forth">›</button>'),
        ("a.typ", "= What waits\n"),
    ],
)
def test_one_that_comes_back_is_found(name: str, text: str, tmp_path: Path) -> None:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    read = list(READERS[file.suffix](file))
    assert any(re.search(phrase, one) for phrase in GONE for one in read)


def test_docstrings_and_comments_are_nobodys_reading(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_text('"""What waits."""\n# Do it\n', "utf-8")
    assert list(python_texts(file)) == []


# ---------------------------------------------------------------- what is said instead


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_dealers_button_says_what_the_hands_do(name: str) -> None:
    tasks = [
        task
        for moment in prompted_day(load(name).book, load(name).sha256)
        for task in moment.prompt.tasks
        if isinstance(task.do, g.Settle)
    ]
    assert tasks
    for task in tasks:
        paid = re.search(r"; (pay \$[\d,.]+(?: \(the bet stays\))?)", task.words)
        taken = re.search(r"; (take \$[\d,.]+)", task.words)
        back = re.search(r"; (\$[\d,.]+) goes back", task.words)
        found = paid or taken
        wanted = sentence(found[1]) if found else f"Give {back[1]} back" if back else "Next"
        assert task.button == wanted, task.words


def test_an_award_in_a_list_names_hand_and_seat() -> None:
    assert award_words(p.VerifyWin(seat=2), "royal_flush", 2) == "Royal flush, seat 2: verify"
    assert award_words(p.TurnKey(to="RUN")) == "Turn the key to RUN"


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_lock_has_one_name(name: str) -> None:
    rule = load(name).book.progressive
    if rule is not None:
        told = f"Press {rule.lock.key} to lock the progressive bets"
        assert key_words(p.CoinIn(), rule) == told


@pytest.mark.parametrize("name", rulebook_ids())
def test_lines_of_pay_tables_are_in_one_style(name: str) -> None:
    for table in load(name).book.paytables:
        for line in table.lines:
            said = name_line(line)
            assert said[:1].isupper() or said[:1].isdecimal(), said
            assert not re.search(r"'s\b|-of-a-|\bother hand\b|^[34] ", said), said
            if line.hands == ("four_of_a_kind",):
                assert said == "Four of a kind"
            if line.hands == ("pair",) and line.ranks == "6789T":
                assert said in ("Pair of 6s to 10s", "Sixes to tens")


def test_who_may_not_come_in_is_told_which_account_is_needed() -> None:
    assert need_words(["supervisor"]) == "you need a supervisor account"
    said = need_words(["administrator", "manager", "supervisor"])
    assert said == "you need an administrator, manager or supervisor account"


def test_whose_rules_they_are_is_said() -> None:
    assert STANDING["house's"] == "house rules"
    assert STANDING["vendor's"].startswith("vendor's rules")
