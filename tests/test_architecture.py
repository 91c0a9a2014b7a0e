"""The house rules that a test can hold: import order, house words, lazy start-up."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "quizgen"

# Rooms from the bottom up, a floor a line; a room may import rooms of a lower floor, and its own.
FLOORS = (
    "inline",
    "answer_areas derivation",
    "draw sheet_layout data_folders source page",
    "atomic_write local_server plugins markdown",
    "spreadsheet formula",
    "numbers stimuli figures",
    "rubric portable_item",
    "model",
    "assemble cases coach roster",
    "session exam kinds",
    "bank",
    "scoring",
    "analysis",
    "render",
    "terminal practice interchange scan",
    "commands",
    "cli",
    "__main__",
)
RANKS = {room: rank for rank, rooms in enumerate(FLOORS) for room in rooms.split()}
# Rooms and files that may touch the world: files, clocks, screens, processes. All others are functions of their
# arguments.
OUTER = (
    "__init__", "__main__", "cli", "commands", "terminal", "bank",
    "data_folders", "plugins", "source", "render", "draw", "atomic_write", "local_server", "scan", "interchange",
    "practice/server",
    "scoring/exam_answers", "scoring/forget", "scoring/log_files", "scoring/log_lines", "scoring/marks_file",
    "scoring/processes",
    "session/journal", "session/sitting",
)  # fmt: skip
WORLD = {
    "asyncio", "datetime", "glob", "http", "locale", "multiprocessing", "os", "pathlib", "random", "secrets",
    "shutil", "signal", "socket", "subprocess", "sys", "tempfile", "threading", "time", "urllib",
}  # fmt: skip
ALLOWED = {
    "rubric/lexicon.py": {"pathlib"},
    "rubric/spelling.py": {"pathlib"},
    "cases/listening.py": {"pathlib"},
}  # they read the words that ship with them
PURE = {"sys.intern"}  # one object for equal texts: a function like any other
EXTRAS = (
    "'duckdb'", "'distributed'", "'cloudpickle'", "'weasyprint'", "'genanki'", "'zstandard'", "'markdownify'", "'bs4'",
    "'xlsxwriter'", "'openpyxl'", "'pypdfium2'", "f'{__name__}.english_stemmer'",
)  # fmt: skip
MODULES = sorted(p for p in PACKAGE.rglob("*.py"))


def room(path: Path) -> str:
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree(path)))


def names_of(nodes: Iterable[ast.AST]) -> list[str]:
    """Full names of what import statements bring in: `from a.b import c` brings in `a.b.c`."""
    names: list[str] = []
    for node in nodes:
        if isinstance(node, ast.ImportFrom):
            names += [f"{'.' * node.level}{node.module or ''}.{a.name}" for a in node.names]
        elif isinstance(node, ast.Import):
            names += [a.name for a in node.names]
    return names


@cache
def imported(path: Path) -> tuple[str, ...]:
    """Names of quizgen modules, or of things in them, that a file imports, wherever the import stands."""
    return tuple(n for n in names_of(nodes(path)) if n.startswith((".", "quizgen.")))


def calls(path: Path) -> set[str]:
    """Names of the functions that a file calls by their bare name."""
    called = (node.func for node in nodes(path) if isinstance(node, ast.Call))
    return {function.id for function in called if isinstance(function, ast.Name)}


def test_imports_point_down() -> None:
    """A module imports only rooms below its own, by full names; only bank imports kinds."""
    for path in MODULES:
        here = room(path)
        for name in imported(path):
            assert not name.startswith("."), f"{path}: write imports in full, from quizgen on"
            there = name.split(".")[1]
            if there in (here, "__version__"):
                continue
            assert RANKS[there] < RANKS[here], f"{path}: {here} may not import {there}"
            assert there != "kinds" or here == "bank", f"{path}: only bank imports kinds"


def test_every_room_has_its_rank() -> None:
    """The table above is the tree: nothing in it is gone, nothing new is without a place."""
    assert {room(path) for path in MODULES} - {"__init__"} == set(RANKS)


def test_no_room_imports_by_a_name_in_text() -> None:
    """What a table of names loads, the other tests cannot see: only the command line may, and the extras."""
    for path in MODULES:
        for node in nodes(path):
            if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
                asked = ast.unparse(node.args[0])
                tables = ("cli", "interchange/registry", "render/__init__")
                assert path.relative_to(PACKAGE).with_suffix("").as_posix() in tables or asked in EXTRAS, (
                    f"{path} imports {asked}"
                )


def test_files_of_a_room_wait_for_each_other_in_no_circle() -> None:
    """A file that is read before another needs nothing of it, wherever the import stands: at the top or in a function."""
    modules = {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p for p in MODULES}
    needs = {}
    for name, path in modules.items():
        found = (n if n in modules else n.rpartition(".")[0] for n in names_of(nodes(path)))
        needs[name] = {n for n in found if n in modules} - {name}
    reached = {name: _reached(name, needs) for name in modules}
    assert not [name for name in modules if name in reached[name]], "these import each other in a circle"


def _reached(start: str, needs: dict[str, set[str]]) -> set[str]:
    done: set[str] = set()
    ahead = set(needs[start])
    while ahead:
        one = ahead.pop()
        done.add(one)
        ahead |= needs[one] - done
    return done


def test_a_class_has_a_name_of_its_own() -> None:
    """One name stands for one thing; what other packages offer (`quizgen.plugins`) counts as well."""
    found: dict[str, list[str]] = {}
    for path in MODULES:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(str(path.relative_to(PACKAGE)))
    assert not {name: places for name, places in found.items() if len(places) > 1}


KINDS = PACKAGE / "kinds"


def test_kinds_do_not_know_each_other() -> None:
    """Each kind is complete in its own files; a kind of several files is a folder."""
    kinds = {"choice", "numeric", "text"}
    for path in KINDS.rglob("*.py"):
        own = {k for k in kinds if path.relative_to(KINDS).parts[0].startswith(k)}
        for name in imported(path) if path != KINDS / "__init__.py" else ():
            if name.startswith("quizgen.kinds."):
                there = name.split(".")[2]
                assert not there.startswith(tuple(kinds - own)), f"{path} imports {name}"
                assert there in {p.stem for p in KINDS.iterdir()}, f"{name}: import the module that holds it"


def test_every_module_says_what_it_is_for() -> None:
    assert not [path for path in MODULES if not ast.get_docstring(tree(path))], "write one sentence about the module"


def test_inner_rooms_read_no_clock_file_screen_or_chance() -> None:
    """Clock, screen, files, environment and global randomness are for the outer rooms."""
    for path in MODULES:
        name = path.relative_to(PACKAGE)
        if not {room(path), name.with_suffix("").as_posix()} & set(OUTER):
            touched = {n.split(".")[0] for n in names_of(nodes(path)) if n not in PURE} & WORLD
            assert not touched - ALLOWED.get(name.as_posix(), set()), path
            assert not calls(path) & {"print", "input", "open"}, path


def test_nothing_evaluates_text_as_code() -> None:
    """No eval, exec, pickle or shell anywhere in the package."""
    for path in MODULES:
        loaded = {n.split(".")[0] for n in names_of(nodes(path))}
        assert not loaded & {"pickle", "marshal", "shelve", "builtins", "code", "codeop"}, path
        assert not calls(path) & {"eval", "exec", "compile", "__import__"}, path
        assert not [n for n in nodes(path) if isinstance(n, ast.keyword) and n.arg == "shell"], f"{path} starts a shell"


def modules_after(*arguments: str) -> set[str]:
    """Modules loaded once a command line has run in a fresh interpreter."""
    code = (
        "import sys\nfrom quizgen.cli import run\nimport io, contextlib\n"
        f"with contextlib.redirect_stdout(io.StringIO()): run({list(arguments)!r})\n"
        "print(' '.join(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(done.stdout.split())


HEAVY = {
    "numpy", "PIL", "segno", "yaml", "jinja2", "rapidfuzz", "markdown_it", "math_core", "prompt_toolkit", "asyncio",
    "importlib.metadata",
}  # fmt: skip


@pytest.mark.parametrize(
    ("line", "unloaded"),
    [
        ("--help", HEAVY),  # answers from a table
        ("solve zero_bytes N=13e9 K=32 stage=2", HEAVY - {"yaml"}),  # needs the formula files and the engine only
        ("check --quick distributed-training", {"jinja2", "math_core", "prompt_toolkit", "asyncio"}),  # renders nothing
    ],
)
def test_a_command_loads_no_library_that_it_does_not_need(line: str, unloaded: set[str]) -> None:
    assert not modules_after(*line.split()) & unloaded


def test_the_files_that_the_check_names_are_there() -> None:
    """A test file that had become part of another one ended the run with the lowest versions."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    named = re.findall(r"tests/[\w/]+\.py", script)
    assert named
    assert [name for name in named if not (ROOT / name).is_file()] == []


def test_templates_read_names_that_the_code_has() -> None:
    """No type checker reads a template, and a name that changed elsewhere would be a traceback there."""
    known = set(re.findall(r"\w+", "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))))
    skipped = (".js", ".css", ".toml", ".yaml", ".pyc")
    files = [path for path in (ROOT / "templates").rglob("*.*") if path.suffix not in skipped]
    for path in files:
        code = " ".join(re.findall(r"\{[{%](.*?)[%}]\}", path.read_text(encoding="utf-8"), re.DOTALL))
        names = set(re.findall(r"\.([a-z_]\w+)", re.sub(r"\"[^\"]*\"|'[^']*'", "", code)))
        assert names - known <= {"index0", "qr"}, path
