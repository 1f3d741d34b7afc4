"""The house rules of the code, as a check that can be pointed at any copy of the package."""

import ast
import csv
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PURE = ("core/", "rulebook/", "meter/", "round/", "table/", "controller/", "keeping/", "wording/")
IMPURE = ("core/shuffling.py", "core/sealing.py")
"""Where chance comes in: the system's entropy."""
PURE_MAY_IMPORT = {
    "collections",
    "difflib",
    "enum",
    "fractions",
    "functools",
    "hashlib",
    "itertools",
    "math",
    "msgspec",
    "operator",
    "re",
    "riverboat",
    "tomllib",
    "types",
    "typing",
}
MAY_DIVIDE = "core/money.py"
DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)
INEXACT = {"float", "round", "divmod", "complex", "Decimal", "pow"}
JURISDICTIONS = ("dakota", "maryland", "iowa", "catfish", "comar", "arsd", "deadwood", "burlington")
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "manager", "managers", "common", "services"}
LONGEST_FUNCTION = 60
LONGEST_FILE = 600


def problems(package: Path) -> list[str]:
    """Everything in a package folder that breaks a house rule."""
    prefixes = "|".join(sorted(_clause_prefixes(package)))
    return [
        problem
        for file in sorted(package.rglob("*.py"))
        for problem in _in_file(
            file.relative_to(package).as_posix(), file.read_text("utf-8"), prefixes
        )
    ]


@cache
def _in_file(name: str, text: str, prefixes: str) -> tuple[str, ...]:
    """What a file breaks; remembered, because a copy of the package differs in one file only."""
    tree = ast.parse(text)
    found = [*_in_any_code(name, text, tree, prefixes)]
    if name.startswith(PURE) and name not in IMPURE:
        found += _in_pure_code(name, tree)
    return tuple(f"{name}:{line}: {what}" for line, what in found)


def _in_any_code(
    name: str, text: str, tree: ast.Module, prefixes: str
) -> Iterator[tuple[int, str]]:
    yield from _jurisdictions(text, prefixes)
    if EMPTY_NAMES & set(re.split(r"[/._]", name)):
        yield 1, "the name says nothing"
    if len(text.splitlines()) > LONGEST_FILE:
        yield 1, f"longer than {LONGEST_FILE} lines"
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > LONGEST_FUNCTION:
                yield node.lineno, f"{node.name} is longer than {LONGEST_FUNCTION} lines"


def _jurisdictions(text: str, prefixes: str) -> Iterator[tuple[int, str]]:
    """A jurisdiction, a clause id or an ambiguity's id: those belong in data."""
    clause = re.compile(rf"\b(?:{prefixes})[.-][A-Z0-9]|[\"'\[(][A-F]-\d\d\b")
    for number, line in enumerate(text.splitlines(), start=1):
        for word in JURISDICTIONS:
            if word in line.lower():
                yield number, f"names a jurisdiction ({word}); a difference is data"
        if clause.search(line):
            yield number, "names a clause; the code serves all rulebooks"


def _clause_prefixes(package: Path) -> set[str]:
    table = (package / "rulebooks" / "clauses.csv").read_text("utf-8")
    return {row["rulebook"] for row in csv.DictReader(table.splitlines())} | {"HD"}


def _in_pure_code(name: str, tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        match node:
            case ast.Import(names=names):
                modules = [alias.name for alias in names]
            case ast.ImportFrom(module=module, level=level):
                modules = ["riverboat"] if level else [module or ""]
            case _:
                modules = []
        for module in modules:
            if module.split(".")[0] not in PURE_MAY_IMPORT:
                yield line, f"pure code imports {module}: no clock, no dice, no files here"
        yield from _inexact(node, name, line)


def _inexact(node: ast.AST, name: str, line: int) -> Iterator[tuple[int, str]]:
    match node:
        case ast.Constant(value=float() | complex()):
            yield line, "a float in pure code; money is whole cents"
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if isinstance(op, DIVISIONS):
            if name != MAY_DIVIDE:
                yield line, "a bare division; name its rounding with a function of money.py"
        case ast.Call(func=ast.Name(id=called)) if called in INEXACT and name != MAY_DIVIDE:
            yield line, f"{called}() in pure code; money is whole cents"
        case ast.Call(func=ast.Name(id="open" | "print" | "input" | "eval" | "exec" as called)):
            yield line, f"{called}() in pure code: it does no input and no output"
