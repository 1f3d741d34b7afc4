"""Measures the house as a newcomer walks it, and says where it breaks the plan's limits.

    .venv/bin/python scripts/measure.py [--report-only] [FOLDER OF THE PACKAGE AND ITS TESTS]

Prints modules and lines of every folder, how many modules have a single importer and which names
occur twice; exits 1 when a limit is broken, unless it shall only report. `./test` runs it.
"""

import argparse
import ast
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

MOST_MODULES = 280
MOST_ENTRIES = 12  # of a folder: its modules, and each subfolder as one
MOST_LINES = 600  # of a file
FEWEST_LINES = 40  # of a module that a single other one imports
# Folders of tests that stand for no package, and folders of files that tests read.
BESIDE_THE_PACKAGE = {"support", "browser", "faults", "simulation"}
PLAYED = {"configurations", "days", "facts", "progressive", "rules", "standards"}


class Module(NamedTuple):
    """One file of the package: its dotted name, its lines, and what of the package it imports."""

    name: str
    lines: int
    imports: frozenset[str]

    @property
    def folder(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def leaf(self) -> str:
        return self.name.rpartition(".")[2]


def modules_of(package: Path) -> list[Module]:
    """Every module of a package; an `__init__` with nothing but its sentence counts as none."""
    files = {_dotted(file, package): file for file in sorted(package.rglob("*.py"))}
    return [
        Module(name, len(text.splitlines()), frozenset(_imports(ast.parse(text), set(files))))
        for name, file in files.items()
        if (text := file.read_text("utf-8")) and not _is_only_a_sentence(file, text)
    ]


def _dotted(file: Path, package: Path) -> str:
    parts = (package.name, *file.relative_to(package).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_only_a_sentence(file: Path, text: str) -> bool:
    body = ast.parse(text).body
    return file.name == "__init__.py" and all(isinstance(node, ast.Expr) for node in body)


def _imports(tree: ast.Module, known: set[str]) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found & known


def importers_of(modules: list[Module]) -> dict[str, list[str]]:
    """For every module, the others that import it."""
    found: dict[str, list[str]] = defaultdict(list)
    for module in modules:
        for imported in module.imports - {module.name}:
            found[imported].append(module.name)
    return found


def entries_of(modules: list[Module]) -> Counter[str]:
    """How many things lie in each folder: modules, and each subfolder as one."""
    lying: dict[str, set[str]] = defaultdict(set)
    folders = {module.folder for module in modules}
    for module in modules:
        if module.name not in folders:
            lying[module.folder].add(module.name)
    for folder in folders:
        if "." in folder:
            lying[folder.rpartition(".")[0]].add(folder)
    return Counter({folder: len(names) for folder, names in lying.items()})


def problems(modules: list[Module]) -> list[str]:
    """Every limit that is broken, in a sentence each."""
    importers = importers_of(modules)
    found = [
        f"{folder} has {count} modules and folders, at most {MOST_ENTRIES}"
        for folder, count in sorted(entries_of(modules).items())
        if count > MOST_ENTRIES and "." in folder
    ]
    found += [
        f"{module.name} has {module.lines} lines, at most {MOST_LINES}"
        for module in modules
        if module.lines > MOST_LINES
    ]
    found += [
        f"{module.name} has {module.lines} lines and only {importers[module.name][0]} imports it"
        for module in modules
        if module.lines < FEWEST_LINES and len(importers[module.name]) == 1
    ]
    if len(modules) > MOST_MODULES:
        found.append(f"{len(modules)} modules, at most {MOST_MODULES}")
    return found


def problems_of_tests(tests: Path, package: Path) -> list[str]:
    """Files of tests that are too long, and folders that mirror nothing of the package."""
    known = {folder.relative_to(package) for folder in package.rglob("*") if folder.is_dir()}
    known |= {Path(name) for name in BESIDE_THE_PACKAGE}
    files = [file for file in tests.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    folders = {file.parent for file in files} - {tests}
    return [
        f"{_shown(file, tests)} has {lines} lines, at most {MOST_LINES}"
        for file in sorted(files)
        if file.suffix == ".py"
        and (lines := len(file.read_text("utf-8").splitlines())) > MOST_LINES
    ] + [
        f"{_shown(folder, tests)} is no folder of {package.name}, nor one of tests' own"
        for folder in sorted(folders)
        if folder.relative_to(tests) not in known
        and folder.relative_to(tests).parts[0] not in PLAYED
    ]


def _shown(path: Path, tests: Path) -> str:
    return path.relative_to(tests.parent).as_posix()


def print_figures(package: str, modules: list[Module]) -> None:
    """Modules and lines folder by folder, and what a newcomer stumbles over."""
    importers = importers_of(modules)
    lines: Counter[str] = Counter()
    count: Counter[str] = Counter()
    for module in modules:
        parts = module.name.split(".")
        top = ".".join(parts[:2]) if len(parts) > 2 else package
        lines[top] += module.lines
        count[top] += 1
    for folder in sorted(count):
        print(f"{folder:32}{count[folder]:5} modules{lines[folder]:8,} lines")
    print(f"{'together':32}{len(modules):5} modules{sum(lines.values()):8,} lines")
    alone = sum(1 for module in modules if len(importers[module.name]) == 1)
    names = Counter(module.leaf for module in modules)
    twice = ", ".join(sorted(leaf for leaf, times in names.items() if times > 1))
    print(f"\nwith a single importer: {alone}\nnames that occur twice: {twice or 'none'}")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Measures the package and its tests.")
    parser.add_argument("root", nargs="?", type=Path, default=Path())
    parser.add_argument("--report-only", action="store_true", help="exit 0 whatever is broken")
    asked = parser.parse_args(arguments)
    package = asked.root / "riverboat"
    modules = modules_of(package)
    print_figures(package.name, modules)
    found = problems(modules) + problems_of_tests(asked.root / "tests", package)
    print(*("", *found) if found else ("\nevery limit holds",), sep="\n")
    return 1 if found and not asked.report_only else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
