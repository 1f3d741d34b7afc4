"""The pages' own files: light, asked for again only when changed, and no other ones."""

import gzip
import os
from pathlib import Path

import pytest

from riverboat.web.server.static import FILES, STATIC, packed
from tests.web.running import Server

SEAT = "/static/js/seat.js"


def test_a_copy_that_is_still_good_is_not_sent_again(floor_server: Server) -> None:
    first = floor_server.client().get(SEAT)
    assert first.headers["cache-control"] == "no-cache"
    assert first.headers["content-type"].startswith("text/javascript")
    again = floor_server.client().get(SEAT, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = floor_server.client().get(SEAT, headers={"if-none-match": '"of last week"'})
    assert (other.status_code, other.content) == (200, first.content)


def test_it_is_packed_for_those_who_can_unpack_it(floor_server: Server) -> None:
    plain = (STATIC / "js" / "seat.js").read_bytes()
    for accepts, encoding in (("gzip, br", "gzip"), ("identity", None)):
        answer = floor_server.client().get(SEAT, headers={"accept-encoding": accepts})
        assert answer.headers.get("content-encoding") == encoding
        assert answer.headers["vary"] == "accept-encoding"
        assert answer.content == plain
    assert len(packed(FILES["/js/seat.js"]).zipped) < len(plain) / 2


def test_a_changed_file_is_another_one(tmp_path: Path) -> None:
    path = tmp_path / "felt.css"
    path.write_text(".felt {}")
    before = packed(path)
    path.write_text(".felt { color: green }")
    os.utime(path, ns=(1, 1))
    after = packed(path)
    assert before.tag != after.tag
    assert gzip.decompress(after.zipped) == path.read_bytes()
    assert after.media == "text/css"


@pytest.mark.parametrize("name", ["../app.py", "js/../../app.py", "js", "", "js/seat.jsx", "/etc"])
def test_only_files_of_the_pages_are_there(floor_server: Server, name: str) -> None:
    assert floor_server.client().get(f"/static/{name}").status_code in (404, 405)


def test_long_answers_are_packed_and_pages_are_never_kept(floor_server: Server) -> None:
    answer = floor_server.client().get("/api/rulebooks", headers={"accept-encoding": "gzip"})
    assert answer.headers.get("content-encoding") == "gzip"
    assert answer.headers["cache-control"] == "no-store"
    assert floor_server.client().get("/lobby").headers["cache-control"] == "no-store"
