"""The documentation says what the program does: names are mentioned, examples run, links lead somewhere."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import click
import pytest
from every import every
from shipped import Command, Golden
from terminal.process import quizgen

from quizgen.analysis.item_statistics import DEFINITIONS
from quizgen.cli import SUMMARIES, cli
from quizgen.commands import score
from quizgen.kinds import KINDS

BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)


def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


def test_readme_names_every_command_kind_and_format(root: Path) -> None:
    """What the README does not name is not found."""
    text = readme(root)
    assert not [command for command in SUMMARIES if f"`quizgen {command}" not in text]
    assert not [w for w in (*KINDS, "text", "json", "jsonl", "csv", "html") if not re.search(rf"\b{w}\b", text)]


def test_readme_gives_the_reason_of_each_dependency(root: Path) -> None:
    """Each runtime dependency stands in the table of reasons, and nothing else."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    table = readme(root).partition("| package | why it is there |")[2].partition("\n\n")[0]
    named = re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)
    assert sorted(named) == sorted(re.split(r"[<>=~!\[ ]", one)[0] for one in project["dependencies"])


def test_links_lead_somewhere(root: Path) -> None:
    """Relative links of the README and the pages under docs/ name files that are there."""
    for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        prose = re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page.read_text(encoding="utf-8")))
        for target in re.findall(r"\]\(([^)#\s]+)", prose):
            if not target.startswith(("http:", "https:", "mailto:")):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


@every(SUMMARIES)
def test_help_shows_an_example_and_explains_every_option(name: str) -> None:
    """Who asks a command for help sees a line to copy, and no option without a word about it."""
    asked = [cli.get_command(click.Context(cli), name)]
    for command in asked:
        asked += command.commands.values() if isinstance(command, click.Group) else []
        lines = [line.strip() for line in (command.help or "").splitlines()]
        assert len([line for line in lines if line.startswith(f"Example: quizgen {name}")]) == 1
        for option in (p for p in command.params if isinstance(p, click.Option)):
            assert option.help, f"say what {option.opts[0]} is for"
            assert option.help.endswith("."), option.help


PAGES = {
    "README.md": 7, "docs/first-evening.md": 4, "docs/first-exam.md": 4, "docs/exams.md": 1,
    "docs/mock.md": 8, "docs/cases.md": 4, "docs/practice.md": 1, "docs/interchange.md": 3, "docs/writing-items.md": 7,
}  # fmt: skip
MADE = {"fields.md", "diagnosis.md", "formulas.md", "denials.md", "statistics.md"}  # tables, looked up and not read


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(page: str, root: Path, tmp_path: Path) -> None:
    """Every line of a block marked `run` ends with exit code 0, in order, in one folder with the files of the page; its
    banks have nothing to fix."""
    ran = 0
    blocks = list(BLOCK.finditer((root / page).read_text(encoding="utf-8")))
    for block in blocks:
        if file := re.search(r"file=(\S+)", block["info"]):
            (tmp_path / file[1]).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / file[1]).write_text(block["body"], encoding="utf-8")
    for block in blocks:
        for line in block["body"].splitlines() if block["info"].strip() == "sh run" else ():
            given, _, rest = line.rpartition("|")
            text = given.strip().removeprefix("printf '").removesuffix("'").encode().decode("unicode_escape")
            words = shlex.split((rest or line).strip(), comments=True)
            assert words[0] == "quizgen", line
            done = quizgen(*words[1:], cwd=tmp_path, typed=text, HOME=str(tmp_path))
            assert "older version" not in done.stderr
            assert words[1] != "check" or not done.stdout, done.stdout
            ran += 1
    assert ran >= PAGES[page]


def test_readme_transcript_is_real(root: Path, tmp_path: Path) -> None:
    """What the README shows after each `$` stands in the program's own output, line after line; `…` is a gap."""
    block = next(b for b in BLOCK.finditer(readme(root)) if b["info"].strip() == "console")
    sessions = re.split(r"^\$ ", block["body"], flags=re.MULTILINE)[1:]
    assert len(sessions) == 3
    for session in sessions:
        typed, _, shown = session.replace("|\n    ", "| ").partition("\n")
        given, _, command = typed.rpartition(" | ")
        text = re.sub(r"^(printf|echo) '(.*)'$", r"\2", given)
        if given.startswith("printf"):
            text = text.encode().decode("unicode_escape")
        done = quizgen(*command.split()[1:], cwd=tmp_path, typed=text, code=None, COLUMNS="80")
        rest = done.stdout
        for part in shown.split("…\n"):
            at = rest.find(part.rstrip("\n"))
            assert at >= 0, (part, done.stdout, done.stderr)
            rest = rest[at + len(part.rstrip("\n")) :]


def test_a_page_is_read_in_one_sitting(root: Path) -> None:
    long = {
        p.name: n
        for p in [root / "README.md", *(root / "docs").glob("*.md")]
        if (n := len(p.read_text("utf-8").split())) > 1500
    }
    assert set(long) <= MADE, long


def test_developing_page_names_every_room(root: Path) -> None:
    """A newcomer finds each file and folder of the package in one table, once."""
    page = (root / "docs" / "developing.md").read_text(encoding="utf-8")
    table = page.partition("| room |")[2].partition("\n\n")[0]
    named = re.findall(r"`([a-z_]+)/?`", "".join(line.split("|")[1] for line in table.splitlines() if "|" in line))
    package = root / "quizgen"
    rooms = {p.stem for p in package.iterdir() if (p.suffix == ".py" or (p / "__init__.py").is_file())}
    assert sorted(named) == sorted(rooms - {"__init__", "__main__"})


def test_every_command_that_a_page_names_has_the_options_named(root: Path) -> None:
    """A command in code, on a line of its own or within a sentence, exists, and so does each of its options."""
    wrong, seen = [], 0
    for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        for found in re.finditer(r"\bquizgen ([a-z]+)((?:[^`\n|#]|\\\n)*)", page.read_text(encoding="utf-8")):
            words = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", found[2])
            command = cli.get_command(click.Context(cli), found[1]) if found[1] in SUMMARIES else None
            if command is None:
                continue
            if isinstance(command, click.Group):
                below = command.get_command(click.Context(command), (found[2].split() or [""])[0])
                command = below or command
            known = {name for p in command.params for name in (*p.opts, *p.secondary_opts)} | {"-h", "--help"}
            wrong += [f"{page.name}: quizgen {found[1]} has no {word}" for word in words if word not in known]
            seen += 1
    assert not wrong
    assert seen > 150


STATISTICS = """\
# Statistics of a report

Made from `DEFINITIONS` in `quizgen/analysis/item_statistics.py`; `pytest tests/test_docs.py --update-golden` writes
this page anew. Every figure comes with its n and a 95 % interval, and below n = 30 with a note to take it as a hint.

| figure | definition |
|---|---|
"""


@pytest.fixture
def scoring(root: Path) -> str:
    return (root / "docs" / "scoring.md").read_text(encoding="utf-8")


def test_the_examples_print_what_the_page_shows(
    scoring: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = 0
    for block in BLOCK.finditer(scoring):
        if file := re.search(r"file=(\S+)", block["info"]):
            Path(file[1]).write_text(block["body"], encoding="utf-8")
        parts = re.split(r"^\$ ", block["body"], flags=re.MULTILINE)[1:]
        for part in parts if block["info"] == "console" else ():
            line, _, output = part.partition("\n")
            out, err = command(*shlex.split(line)[1:])
            assert out == output
            assert "class.jsonl:8: cut off after 71 characters" in err
            shown += 1
    assert shown == 4


def test_the_page_of_statistics_is_the_table(golden: Golden) -> None:
    rows = "".join(f"| `{name}` | {text} |\n" for name, text in DEFINITIONS.items())
    golden("statistics.md", STATISTICS + rows, folder="docs")


def test_page_and_reference_name_every_option_and_format(scoring: str, root: Path) -> None:
    page = scoring + (root / "docs" / "scoring-reference.md").read_text(encoding="utf-8")
    for name in score.FORMATS:
        assert f"`{name}`" in page
    options = {o for p in score.command.params for o in p.opts if o.startswith("--")}
    assert {o for o in options if o not in page} <= {"--json", "--output", "--quiet", "--blueprint", "--help"}
