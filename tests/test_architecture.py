"""The house rules that a test can hold: import order, house words, lazy start-up."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "quizgen"

# Rooms from the bottom up; a room may import rooms of a smaller number, and its own.
RANKS = {
    "source": 0,
    "draw": 0,
    "blocks": 0,
    "places": 0,
    "yaml_errors": 0,
    "syntax": 1,
    "markdown": 1,
    "formula": 2,
    "rubric": 3,
    "formula_files": 3,
    "model": 4,
    "credit": 5,
    "supply": 5,
    "assemble": 6,
    "interview": 6,
    "scoring": 6,
    "analysis": 7,
    "proving": 6,
    "readiness": 6,
    "blueprints": 6,
    "roster": 6,
    "narrowing": 7,
    "exam": 7,
    "kinds": 7,
    "schema": 7,
    "render": 8,
    "log": 8,
    "intake": 8,
    "bank": 8,
    "terminal": 9,
    "batch": 9,
    "commands": 10,
    "cli": 11,
    "__main__": 12,
}
PURE = (
    "assemble",
    "supply",
    "narrowing",
    "exam",
    "roster",
    "interview",
    "scoring",
    "analysis",
    "model",
    "credit",
    "kinds",
    "formula",
    "rubric",
    "blocks",
    "proving",
)
MODULES = sorted(p for p in PACKAGE.rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(path: Path) -> list[str]:
    """Names of quizgen modules that a file imports, wherever the import stands."""
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names += [f"{node.module}.{a.name}" for a in node.names] if node.module == "quizgen" else [node.module]
        elif isinstance(node, ast.Import):
            names += [a.name for a in node.names]
    return [n for n in names if n.startswith("quizgen.")]


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_point_down(path: Path) -> None:
    """A module imports only rooms below its own; only bank imports kinds; render never does."""
    here = room(path)
    if here == "__init__":
        assert not imported(path)
        return
    for name in imported(path):
        there = name.split(".")[1]
        if there == "__version__":
            continue
        if there == here:
            continue
        assert RANKS[there] < RANKS[here], f"{here} may not import {there}"
        if there == "kinds":
            assert here == "bank", "only bank imports kinds"


@pytest.mark.parametrize("path", [p for p in (PACKAGE / "kinds").glob("*.py")], ids=lambda p: p.stem)
def test_kinds_do_not_know_each_other(path: Path) -> None:
    """Each kind is complete in its own files."""
    if path.stem == "__init__":
        return
    kinds = {"choice", "numeric", "text"}
    others = {n.split(".")[2] for n in imported(path) if n.startswith("quizgen.kinds.")}
    own = {k for k in kinds if path.stem.startswith(k)}
    assert not {o for o in others if any(o.startswith(k) for k in kinds - own)}


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_module_says_what_it_is_for(path: Path) -> None:
    """Every module has a docstring."""
    text = path.read_text(encoding="utf-8")
    assert ast.get_docstring(ast.parse(text)), "write one sentence about the module"


@pytest.mark.parametrize("path", [*MODULES, *TESTS], ids=lambda p: str(p.relative_to(ROOT)))
def test_module_has_one_job(path: Path) -> None:
    """No file is longer than a reader keeps in mind at once."""
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= 300, f"{lines} lines probably hold two jobs: give the second a module of its own, named for it"


@pytest.mark.parametrize("path", [p for p in MODULES if room(p) in PURE], ids=lambda p: str(p.relative_to(PACKAGE)))
def test_pure_rooms_read_no_clock_screen_or_chance(path: Path) -> None:
    """Clock, screen, files, environment and global randomness are for the outer rooms."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            banned = {a.name.split(".")[0] for a in node.names} & {"random", "time", "subprocess", "socket"}
            assert not banned, banned
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in ("print", "input", "eval", "exec", "compile", "__import__")


def test_nothing_evaluates_text_as_code() -> None:
    """No eval, exec, pickle or shell anywhere in the package."""
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                assert node.func.id not in ("eval", "exec", "__import__"), path
            if isinstance(node, ast.Import):
                banned = {"pickle", "marshal", "shelve"}
                assert not {a.name for a in node.names} & banned, path
            if isinstance(node, ast.keyword) and node.arg == "shell":
                pytest.fail(f"{path} starts a shell")


def modules_after(*arguments: str) -> set[str]:
    """Modules loaded once a command line has run in a fresh interpreter."""
    code = (
        "import sys\nfrom quizgen.cli import run\nimport io, contextlib\n"
        f"with contextlib.redirect_stdout(io.StringIO()): run({list(arguments)!r})\n"
        "print(' '.join(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


HEAVY = {"yaml", "jinja2", "rapidfuzz", "markdown_it", "math_core", "prompt_toolkit", "asyncio", "importlib.metadata"}


def test_help_loads_nothing_heavy() -> None:
    """`quizgen --help` answers from a table."""
    assert not modules_after("--help") & HEAVY


def test_solve_loads_no_page_or_screen_library() -> None:
    """`quizgen solve` needs the formula files and the engine only."""
    loaded = modules_after("solve", "zero_bytes", "N=13e9", "K=32", "stage=2")
    assert not loaded & (HEAVY - {"yaml"})


def test_check_of_a_clean_bank_loads_no_page_or_screen_library() -> None:
    """`quizgen check --quick` reads banks and renders nothing."""
    loaded = modules_after("check", "--quick", "distributed-training")
    assert not loaded & {"jinja2", "math_core", "prompt_toolkit", "asyncio"}
