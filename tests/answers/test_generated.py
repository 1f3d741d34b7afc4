"""What is made from the rulebooks is fresh, and the schema knows a rulebook when it sees one."""

import json
import re
import tomllib
from importlib.resources import files
from typing import Any

import jsonschema
import pytest

from riverboat.answers.page import markdown
from riverboat.answers.rulebook_tables import incidents_page, statements_page
from riverboat.answers.rulebooks import rulebook_page
from riverboat.rulebook.loading.parse import rulebook_schema
from riverboat.rulebooks import load, load_all, rulebook_ids
from tests.support.places import ROOT

SCHEMA = files("riverboat.rulebooks").joinpath("rulebook.schema.json")


@pytest.mark.parametrize("name", rulebook_ids())
def test_the_page_of_each_rulebook_is_fresh(name: str) -> None:
    page = ROOT / "docs" / "rulebooks" / f"{name}.md"
    fresh = markdown(rulebook_page(load(name)))
    assert page.read_text("utf-8") == fresh, "stale: run scripts/generate"


def test_the_page_of_incidents_is_fresh() -> None:
    page = ROOT / "docs" / "incidents.md"
    fresh = markdown(incidents_page([one.book for one in load_all()]))
    assert page.read_text("utf-8") == fresh, "stale: run scripts/generate"


def test_the_page_of_statements_is_fresh() -> None:
    page = ROOT / "docs" / "statements.md"
    assert page.read_text("utf-8") == markdown(statements_page()), "stale: run scripts/generate"


def test_the_schema_is_fresh() -> None:
    fresh = json.dumps(rulebook_schema(), indent=2, ensure_ascii=False) + "\n"
    assert SCHEMA.read_text("utf-8") == fresh, "stale: run scripts/generate"


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = rulebook_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_rulebook_fits_the_schema(name: str, validator: Any) -> None:
    assert validator.is_valid(tomllib.loads(load(name).text))


@pytest.mark.parametrize(
    ("was", "becomes"),
    [
        ("burn_cards = 0\n", ""),
        ('label = "Ante"\nrequired', 'lable = "Ante"\nrequired'),
        ('limit = "100000"', "limit = 100000"),
        ('limit = "100000"', 'limit = "a lot"'),
        ('pays = "5 to 1"', 'pays = "5 zu 1"'),
        ('when = "at_once"', 'when = "tomorrow"'),
        ('cites = ["HD.3.2"]', "cites = []"),
    ],
)
def test_the_schema_refuses_what_the_loader_refuses(was: str, becomes: str, validator: Any) -> None:
    text = load("house-demo").text
    assert was in text
    assert not validator.is_valid(tomllib.loads(text.replace(was, becomes, 1)))


@pytest.mark.parametrize("name", rulebook_ids())
def test_every_rulebook_names_the_schema_for_editors(name: str) -> None:
    assert load(name).text.startswith("#:schema rulebook.schema.json\n")


def test_every_local_link_in_the_docs_leads_somewhere() -> None:
    pages = [ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md")]
    for page in pages:
        for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / link).exists(), f"{page.name}: {link}"
