"""What a checklist of safety asks for, route by route and file by file: headers, cookies, pages."""

import ast
import io
import json
import re
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.routes import HTTPRoute

from riverboat.web.auth import SAFE_HEADERS
from riverboat.web.house import Manner
from riverboat.web.server.monitoring import log, start_logs
from tests.web.running import (
    PASSWORD,
    Client,
    Server,
    add_person,
    forgive,
    new_house,
    running,
    running_with_people,
    sqlite_url,
)

ROOT = Path(__file__).parent.parent.parent / "riverboat"
NAMES = {"table": "Table 1", "number": "1", "meter": "HD-PROG-2", "rulebook": "house-demo"}
NAMES |= {"other": "island-stud", "file_path": "js/seat.js", "path": "x", "seat": "1"}
GIVEN = 'id="{{ id }}-password"'
"""What an administrator hands to somebody, who changes it first."""
MARKUP = "<b onclick=alert(1)>{0.x}%s{{ 7*7 }}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A floor of its own."""
    with running_with_people(tmp_path_factory.mktemp("hardening")) as started:
        yield started


def gets(server: Server) -> Iterator[str]:
    """Every address that is read."""
    for route in server.app.routes:
        if isinstance(route, HTTPRoute) and "GET" in route.methods:
            yield route.path_format.format(**NAMES)


def test_every_answer_has_the_headers_of_safety(server: Server) -> None:
    clients = [server.client(role) for role in ("nobody", "administrator")]
    paths = [*gets(server), "/nothing", "/static/nothing"]
    for client in clients:
        for path in paths:
            answer = client.get(path)
            assert answer.status_code < 500, path
            for name, value in SAFE_HEADERS.items():
                assert answer.headers.get(name) == value, (path, name)
            assert not [one for one in answer.headers if one.startswith("access-control")]
            media = answer.headers.get("content-type", "")
            assert media or not answer.content, path
            if media.startswith(("text/html", "text/plain")):
                assert "charset=utf-8" in media, path
    policy = SAFE_HEADERS["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_no_get_changes_anything(server: Server) -> None:
    house, clients = server.house, [server.client(one) for one in ("visitor", "administrator")]
    head = house.floor.ledger.head()
    sessions = house.database.run("select count(*) from door_session")
    for client in (*clients, server.client()):
        for path in gets(server):
            answer = client.get(path, follow_redirects=False)
            where = answer.headers.get("location", "/")
            assert where.startswith("/"), (path, where)
            assert not where.startswith("//"), (path, where)
    assert house.floor.ledger.head() == head
    assert house.database.run("select count(*) from door_session") == sessions


def test_with_https_a_browser_is_told_to_stay_with_it(server: Server, tmp_path: Path) -> None:
    assert "strict-transport-security" not in server.client().get("/lobby").headers
    with running(new_house(sqlite_url(tmp_path), Manner(secure=True, pace=0.02))) as secure:
        for path in ("/lobby", "/health", "/static/js/seat.js", "/nothing"):
            told = secure.client().get(path).headers["strict-transport-security"]
            assert told == "max-age=31536000; includeSubDomains"
        set_by = secure.client().post("/api/visit", headers={"x": "y"}).headers
        assert "Secure" in secure.client().get("/lobby").headers["set-cookie"]
        assert set_by["cache-control"] == "no-store"


# ---------------------------------------------------------------- text of others


def test_a_name_is_text_in_a_page_and_no_markup(server: Server) -> None:
    supervisor = server.client("supervisor")
    asked = {"id": str(uuid.uuid4()), "name": MARKUP, "rulebook": "house-demo"}
    opened = supervisor.post("/api/tables", json=asked)
    assert opened.status_code == 201, opened.text
    assert opened.json()["table"] == MARKUP
    address = "%3Cb%20onclick%3Dalert(1)%3E%7B0.x%7D%25s%7B%7B%207*7%20%7D%7D"
    for path in (f"/tables/{address}", f"/dealer/{address}"):
        page = supervisor.get(path)
        assert page.status_code == 200, page.text[:200]
        assert "<b onclick" not in page.text
        assert "49" not in re.findall(r"onclick=alert\(1\)&gt;[^<]*", page.text)


def test_quotes_in_a_name_change_no_statement(server: Server) -> None:
    client = server.client()
    before = server.house.database.run("select count(*) from door_account")
    for name in ("' or 1=1 --", '"; drop table door_account; --', "Player' --"):
        answer = client.post("/api/sign-in", json={"name": name, "password": PASSWORD})
        assert answer.status_code == 409, answer.text
    forgive(server.house)
    assert server.house.database.run("select count(*) from door_account") == before


# ---------------------------------------------------------------- sessions and passwords


def name_of(client: Client) -> str | None:
    told: str | None = client.get("/api/me").json()["name"]
    return told


def with_token(server: Server, token: str) -> Client:
    client = server.client()
    client.hold(token)
    return client


def test_signing_in_ends_the_session_that_was_there(server: Server) -> None:
    visitor = server.client("visitor")
    before = visitor.cookies["riverboat"]
    signed = visitor.post("/api/sign-in", json={"name": "Player", "password": PASSWORD})
    assert signed.status_code == 200
    assert visitor.cookies["riverboat"] != before
    assert name_of(visitor) == "Player"
    assert name_of(with_token(server, before)) is None


def test_a_new_password_ends_every_other_session(server: Server) -> None:
    add_person(server.house.accounts, "Nadia", "player")
    first, second = (server.client("player", "Nadia") for _ in range(2))
    new = f"{PASSWORD} and more of it"
    assert first.post("/api/password", json={"old": PASSWORD, "new": new}).status_code == 200
    assert name_of(first) == "Nadia"
    assert name_of(second) is None
    given = {"password": "handed over by somebody"}
    administrator = server.client("administrator")
    assert administrator.post("/api/accounts/Nadia/password", json=given).status_code == 200
    assert name_of(first) is None


def test_a_password_is_taken_to_the_letter(server: Server) -> None:
    for other in (PASSWORD.upper(), f" {PASSWORD}", f"{PASSWORD} ", PASSWORD[:-1]):
        answer = server.client().post("/api/sign-in", json={"name": "Spare", "password": other})
        assert answer.status_code == 409, other
    forgive(server.house)
    assert name_of(server.client("player", "Spare")) == "Spare"


def test_password_fields_are_masked_and_may_be_filled() -> None:
    fields = [
        field
        for file in (ROOT / "web" / "templates").rglob("*.html")
        for field in re.findall(r"<input[^>]*>", file.read_text("utf-8"))
        if "password" in field and GIVEN not in field
    ]
    assert len(fields) > 3
    for field in fields:
        assert 'type="password"' in field
        assert "onpaste" not in field
    page = (ROOT / "web" / "templates" / "sign_in.html").read_text("utf-8")
    assert {"username", "current-password", "new-password"} <= set(
        re.findall(r'autocomplete="([^"]+)"', page)
    )


# ---------------------------------------------------------------- what is not done


def calls_in(file: Path) -> Iterator[str]:
    """What a file calls and imports, by name."""
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            yield ast.unparse(node.func)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield str(node.module)


def test_no_program_is_started_and_nothing_is_evaluated() -> None:
    never = {"eval", "exec", "os.system", "os.popen", "subprocess", "pickle", "marshal", "shelve"}
    for part in ("web", "floor", "ledger"):
        for file in (ROOT / part).rglob("*.py"):
            found = never & set(calls_in(file))
            allowed = {"marshal"} if file.name == "starting.py" else set()
            assert found <= allowed, (file.name, found)
            if part == "web":
                made = re.findall(
                    r"re\.(?:compile|match|search|sub)\((?!\s*r?\")", file.read_text()
                )
                assert not made, file.name
    for file in (ROOT / "web" / "static").rglob("*.js"):
        text = file.read_text("utf-8")
        for word in ("eval(", "new Function", "postMessage", "document.write", "__proto__"):
            assert word not in text, (file.name, word)


def test_markup_is_made_in_two_places_from_our_own_numbers_only() -> None:
    places = {
        file.name: file.read_text("utf-8").count("innerHTML")
        for file in (ROOT / "web" / "static").rglob("*.js")
        if re.search("innerHTML|outerHTML|insertAdjacentHTML", file.read_text("utf-8"))
    }
    assert places == {"draw.js": 1, "sign.js": 1}


def test_no_weak_hash_is_used() -> None:
    for file in ROOT.rglob("*.py"):
        assert not {"hashlib.md5", "hashlib.sha1"} & set(calls_in(file)), file.name


def test_the_log_is_json_in_utc() -> None:
    out = io.StringIO()
    start_logs("info", out)
    try:
        log.info("request", route="/x")
    finally:
        start_logs("error")
    (line,) = out.getvalue().splitlines()
    assert json.loads(line)["timestamp"].endswith("Z")
