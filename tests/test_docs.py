"""The documentation says what the program does: names are mentioned, examples run, links lead somewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from quizgen.cli import SUMMARIES, cli
from quizgen.kinds import KINDS

BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)


def readme(root: Path) -> str:
    return (root / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", SUMMARIES)
def test_readme_names_every_command(root: Path, command: str) -> None:
    """A command that the README does not name is not found."""
    assert f"`quizgen {command}" in readme(root)


@pytest.mark.parametrize("word", [*KINDS, "text", "json", "jsonl", "csv", "html"])
def test_readme_names_every_kind_and_format(root: Path, word: str) -> None:
    """The same for kinds of item and formats of report."""
    assert re.search(rf"\b{word}\b", readme(root))


@pytest.mark.parametrize(
    "package",
    [
        "click",
        "PyYAML",
        "rapidfuzz",
        "Jinja2",
        "markdown-it-py",
        "math-core",
        "prompt_toolkit",
        "segno",
        "snowballstemmer",
    ],
)
def test_readme_gives_the_reason_of_each_dependency(root: Path, package: str) -> None:
    """Each runtime dependency stands in the table of reasons, and there are no others."""
    import tomllib

    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[<>=~!\[ ]", d)[0] for d in project["dependencies"]}
    assert package in names
    assert len(names) == 9
    assert re.search(rf"^\| `?{re.escape(package)}`? \|", readme(root), re.MULTILINE)


def test_links_lead_somewhere(root: Path) -> None:
    """Relative links of the README and the pages under docs/ name files that are there."""
    for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        prose = re.sub(r"`[^`\n]*`", "", BLOCK.sub("", page.read_text(encoding="utf-8")))
        for target in re.findall(r"\]\(([^)#\s]+)", prose):
            if not target.startswith(("http:", "https:", "mailto:")):
                assert (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("name", SUMMARIES)
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


def quizgen(*arguments: str, cwd: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(cwd), "XDG_STATE_HOME": str(cwd), "COLUMNS": "80"}
    return subprocess.run(
        [sys.executable, "-m", "quizgen", *arguments],
        cwd=cwd, input=given, capture_output=True, text=True, check=False, env=environment,
    )  # fmt: skip


def test_writing_items_page_makes_a_playable_bank(root: Path, tmp_path: Path) -> None:
    """The files of the page, put into a folder, pass check and play; its commands all run."""
    page = (root / "docs" / "writing-items.md").read_text(encoding="utf-8")
    bank = tmp_path / "my-bank"
    for block in BLOCK.finditer(page):
        found = re.search(r"file=(\S+)", block["info"])
        if found:
            path = bank / found[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block["body"], encoding="utf-8")
    checked = quizgen("check", "my-bank", cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
    assert not checked.stdout, checked.stdout
    for block in BLOCK.finditer(page):
        if block["info"].strip():
            continue
        for line in block["body"].splitlines():
            words = re.findall(r'"[^"]*"|\S+', line)
            assert words[0] == "quizgen"
            done = quizgen(*(w.strip('"') for w in words[1:]), cwd=tmp_path)
            assert done.returncode == 0, (line, done.stderr)


def test_readme_commands_run(root: Path, tmp_path: Path) -> None:
    """Every line of a block marked `run` in the README ends with exit code 0, in order, in one folder."""
    ran = 0
    for block in BLOCK.finditer(readme(root)):
        if block["info"].strip() != "sh run":
            continue
        for line in block["body"].splitlines():
            command = line.partition("#")[0].strip()
            if not command:
                continue
            given, _, rest = command.rpartition("|")
            text = given.strip().removeprefix("printf '").removesuffix("'").encode().decode("unicode_escape")
            words = re.findall(r"'[^']*'|\S+", (rest or command).strip())
            assert words[0] == "quizgen", line
            done = quizgen(*(w.strip("'") for w in words[1:]), cwd=tmp_path, given=text)
            assert done.returncode == 0, (line, done.stdout[-500:], done.stderr[-500:])
            ran += 1
    assert ran >= 8


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
        done = quizgen(*command.split()[1:], cwd=tmp_path, given=text)
        rest = done.stdout
        for part in shown.split("…\n"):
            at = rest.find(part.rstrip("\n"))
            assert at >= 0, (part, done.stdout, done.stderr)
            rest = rest[at + len(part.rstrip("\n")) :]


def test_developing_page_names_every_room(root: Path) -> None:
    """A newcomer finds each file and folder of the package in one table, once."""
    page = (root / "docs" / "developing.md").read_text(encoding="utf-8")
    table = page.partition("| room |")[2].partition("\n\n")[0]
    named = re.findall(r"`([a-z_]+)/?`", "".join(line.split("|")[1] for line in table.splitlines() if "|" in line))
    package = root / "quizgen"
    rooms = {p.stem for p in package.iterdir() if (p.suffix == ".py" or (p / "__init__.py").is_file())}
    assert sorted(named) == sorted(rooms - {"__init__", "__main__"})
