"""The documentation says what the program does: names are mentioned, examples run, links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from every import every
from shipped import Golden
from terminal.process import quizgen
from terminal.tmux import Terminal

from quizgen.analysis.item_statistics import read_definition_by_statistic_name
from quizgen.cli import MODULE_AND_SUMMARY_BY_COMMAND, cli
from quizgen.commands import score
from quizgen.kinds import KINDS

BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)


def test_readme_names_every_command_kind_and_format(root: Path) -> None:
    """What the README does not name is not found."""
    text = (root / "README.md").read_text(encoding="utf-8")
    assert not [command for command in MODULE_AND_SUMMARY_BY_COMMAND if f"`quizgen {command}" not in text]
    assert not [w for w in (*KINDS, "json", "jsonl", "csv", "html") if not re.search(rf"\b{w}\b", text)]


def test_links_lead_somewhere(root: Path) -> None:
    """Relative links of the README and the pages under docs/ name files that are there."""
    for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        prose = re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page.read_text(encoding="utf-8")))
        for target in re.findall(r"\]\((?!https?:|mailto:)([^)#\s]+)", prose):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


@every(MODULE_AND_SUMMARY_BY_COMMAND)
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


def blocks_of(page: Path, folder: Path) -> list[re.Match[str]]:
    """The blocks of a page; those that are files are written into a folder."""
    blocks = list(BLOCK.finditer(page.read_text(encoding="utf-8")))
    for block in blocks:
        if file := re.search(r"file=(\S+)", block["info"]):
            (folder / file[1]).parent.mkdir(parents=True, exist_ok=True)
            (folder / file[1]).write_text(block["body"], encoding="utf-8")
    return blocks


def called(line: str) -> tuple[str, list[str]]:
    """What a line of a page types into quizgen, and the words behind its name."""
    given, _, command = line.rpartition("|")
    text = re.sub(r"^(printf|echo) '(.*)'$", r"\2", given.strip())
    if given.startswith("printf"):
        text = text.encode().decode("unicode_escape")
    name, *words = shlex.split(command.strip(), comments=True)
    assert name == "quizgen", line
    return text, words


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(page: str, root: Path, tmp_path: Path) -> None:
    """Every line of a block marked `run` ends with exit code 0, in order, in one folder with the files of the page; its
    banks have nothing to fix."""
    ran = 0
    for block in blocks_of(root / page, tmp_path):
        for line in block["body"].splitlines() if block["info"].strip() == "sh run" else ():
            text, words = called(line)
            done = quizgen(*words, cwd=tmp_path, typed=text, HOME=str(tmp_path))
            assert "older version" not in done.stderr
            assert words[0] != "check" or not done.stdout, done.stdout
            ran += 1
    assert ran >= PAGES[page]


@pytest.mark.parametrize(
    ("page", "count", "told"),
    [("README.md", 3, ""), ("docs/scoring.md", 4, "class.jsonl:8: cut off after 71 characters")],
)
def test_what_a_page_shows_is_what_is_printed(page: str, count: int, told: str, root: Path, tmp_path: Path) -> None:
    """What stands behind each `$` is the program's own output, line after line; `…` is a gap."""
    shown = 0
    for block in blocks_of(root / page, tmp_path):
        sessions = re.split(r"^\$ ", block["body"], flags=re.MULTILINE)[1:]
        for session in sessions if block["info"].strip() == "console" else ():
            line, _, output = session.replace("|\n    ", "| ").partition("\n")
            text, words = called(line)
            done = quizgen(*words, cwd=tmp_path, typed=text, code=None, COLUMNS="80")
            assert told in done.stderr
            rest = done.stdout
            for part in output.split("…\n"):
                at = rest.find(part.rstrip("\n"))
                assert at >= 0, (part, done.stdout, done.stderr)
                rest = rest[at + len(part.rstrip("\n")) :]
            assert "…" in output or done.stdout == output
            shown += 1
    assert shown == count


def test_a_page_is_read_in_one_sitting(root: Path) -> None:
    pages = [root / "README.md", *(root / "docs").glob("*.md")]
    assert {page.name for page in pages if len(page.read_text("utf-8").split()) > 1500} <= MADE


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
            if found[1] not in MODULE_AND_SUMMARY_BY_COMMAND:
                continue
            command = cli.get_command(click.Context(cli), found[1])
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

Made from `templates/figures.toml`; `pytest tests/test_docs.py --update-golden` writes
this page anew. Every figure comes with its n and a 95 % interval, and below n = 30 with a note to take it as a hint.

| figure | definition |
|---|---|
"""


def test_the_page_of_statistics_is_the_table(golden: Golden) -> None:
    rows = "".join(f"| `{name}` | {text} |\n" for name, text in read_definition_by_statistic_name().items())
    golden("statistics.md", STATISTICS + rows, folder="docs")


def test_page_and_reference_name_every_option_and_format(root: Path) -> None:
    page = "".join((root / "docs" / f"scoring{part}.md").read_text(encoding="utf-8") for part in ("", "-reference"))
    for name in score.REPORT_FORMAT_NAMES:
        assert f"`{name}`" in page
    options = {o for p in score.score_command.params for o in p.opts if o.startswith("--")}
    assert {o for o in options if o not in page} <= {"--json", "--output", "--quiet", "--blueprint", "--help"}


def test_the_pictures_of_the_documentation_are_made_by_methods_that_browser_and_terminal_have(root: Path) -> None:
    """docs/captures is run by hand; a method that went away there was noticed months later."""
    from browser.chromium import Chromium

    scripts = "\n".join(path.read_text(encoding="utf-8") for path in sorted((root / "docs" / "captures").glob("*.py")))
    for variable, driver in (("browser", Chromium), ("terminal", Terminal)):
        called = set(re.findall(rf"\b{variable}\.(\w+)\(", scripts))
        assert {hasattr(driver, name) for name in called} == {True}, sorted(called)
