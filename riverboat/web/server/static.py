"""The pages' own files: packed once, and sent again only when they have changed.

A browser asks each time whether its copy is still good, so that nobody plays with last week's
script, and the answer is mostly a few bytes. Only names that are there can be asked for: no path
is made of what somebody sends.
"""

import gzip
import hashlib
import mimetypes
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple

from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import Parameter
from litestar.status_codes import HTTP_304_NOT_MODIFIED

from riverboat.web.auth import ANYBODY, opens_to

STATIC: Final = Path(__file__).parent.parent / "static"
FILES: Final = {
    f"/{path.relative_to(STATIC).as_posix()}": path
    for path in sorted(STATIC.rglob("*"))
    if path.is_file()
}


class Packed(NamedTuple):
    """A file as it is sent."""

    media: str
    tag: str
    plain: bytes
    zipped: bytes


def packed(path: Path) -> Packed:
    """Read and packed once for as long as it stays the same."""
    return _packed(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=512)
def _packed(path: Path, changed_ns: int) -> Packed:
    plain = path.read_bytes()
    media = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if path.suffix == ".js":
        media = "text/javascript"
    tag = f'"{hashlib.sha256(plain).hexdigest()[:32]}"'
    return Packed(media, tag, plain, gzip.compress(plain, mtime=0))


@get(
    "/static/{file_path:path}",
    opt=opens_to(ANYBODY),
    include_in_schema=False,
    sync_to_thread=False,
)
def own_file(
    request: Request[Any, Any, Any],
    file_path: Annotated[str, Parameter(description="the file")],
) -> Response[bytes]:
    """One of the pages' own files."""
    if file_path not in FILES:
        raise NotFoundException("there is no such file")
    sent = packed(FILES[file_path])
    headers = {"etag": sent.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if sent.tag in request.headers.get("if-none-match", ""):
        return Response(b"", status_code=HTTP_304_NOT_MODIFIED, headers=headers)
    body = sent.plain
    if "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = sent.zipped, "gzip"
    return Response(body, headers=headers, media_type=f"{sent.media}")
