"""What other packages add: the example of the docs works, a broken one is named, nothing loads unasked."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from quizgen import plugins

BANK = """\
topic: logic
items:
  - {id: sky, kind: truth, stem: The sky is below., is: "false", rationale: Look up., source: own, difficulty: 1, seconds: 9}
  - {id: two, kind: choice, stem: Twice two?, key: "4", distractors: ["5"], rationale: r, source: own, difficulty: 1, seconds: 9}
"""


@pytest.fixture
def packages(tmp_path: Path, root: Path) -> Path:
    """A folder of installed packages: the example, one that cannot be imported, one of a later contract."""
    site = tmp_path / "site"
    example = root / "docs" / "examples" / "quizgen-example"
    project = tomllib.loads((example / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    texts = {"quizgen_example": (example / "quizgen_example.py").read_text(encoding="utf-8")}
    points = {"quizgen-example": project["entry-points"]}
    texts["broken_one"] = "raise RuntimeError('this package is broken')\n"
    broken = {"bad": "broken_one:X"}
    points["broken-one"] = {plugins.EXPORTER_GROUP: {**broken, "gift": "broken_one:X"}, plugins.KIND_GROUP: broken}
    texts["later_one"] = "class X:\n    contract = 2\n"
    points["later-one"] = {plugins.EXPORTER_GROUP: {"later": "later_one:X"}}
    site.mkdir()
    for name, text in texts.items():
        (site / f"{name}.py").write_text(text, encoding="utf-8")
    for name, groups in points.items():
        info = site / f"{name.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
        rows = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in names.items()) for group, names in groups.items()]
        (info / "entry_points.txt").write_text("\n".join(rows), encoding="utf-8")
    (tmp_path / "bank.yaml").write_text("title: x\n", encoding="utf-8")
    (tmp_path / "items.yaml").write_text(BANK, encoding="utf-8")
    return site


def python(packages: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(packages), str(Path(__file__).resolve().parents[2])])
    environment = {**os.environ, "PYTHONPATH": path}
    asked = [sys.executable, *arguments]
    return subprocess.run(asked, capture_output=True, text=True, env=environment, cwd=packages.parent)


def run(packages: Path, *commands: str) -> subprocess.CompletedProcess[str]:
    """Commands of quizgen one after the other in a Python of their own, which ends with the highest of their codes."""
    program = "import sys\nfrom quizgen.cli import run\nsys.exit(max([run(line.split()) for line in sys.argv[1:]]))"
    return python(packages, "-c", program, *commands)


def test_the_example_package_works_whole(packages: Path) -> None:
    done = run(
        packages,
        "export items.yaml --to lines -o out.lines",
        "import out.lines --from lines -o back",
        "show sky --bank items.yaml --response False",
        "export items.yaml --to moodle -o -",
    )
    assert done.returncode == 0, done.stderr
    assert (packages.parent / "out.lines").read_text(encoding="utf-8") == "The sky is below. | False\nTwice two? | 4\n"
    assert "sky: not carried: rationale, source, topic, difficulty, seconds" in done.stderr
    assert "2 items, 2 new" in done.stderr
    assert "(truth, logic" in done.stdout
    assert "correct: 1 of 1" in done.stdout
    assert done.stdout.count('type="multichoice"') == 2, "a kind of another package goes into every format"
    load = f"plugins.load_plugin({plugins.FIGURE_GROUP!r}, 'bar').draw({{'percent': '40'}})"
    done = python(packages, "-c", f"from quizgen import plugins; print({load})")
    assert 'width="40"' in done.stdout, done.stderr


def test_one_that_cannot_be_used_is_named_and_leaves_the_rest_working(packages: Path) -> None:
    """It also claims a name of ours, which stays ours, and a kind that an item asks for."""
    names = ("bad", "later", "linse", "gift")
    done = run(packages, *(f"export items.yaml --to {name} -o {name}.out" for name in names))
    assert done.returncode == 2
    for told in (
        'broken-one: "bad" in quizgen.exporters cannot be loaded (RuntimeError: this package is broken)',
        'later-one: "later" in quizgen.exporters has contract 2, this quizgen needs 1',
        'no format "linse"; did you mean "lines"?',
    ):
        assert told in done.stderr
    (made,) = packages.parent.glob("*.out")
    assert "::two::" in made.read_text(encoding="utf-8")
    (packages.parent / "items.yaml").write_text(BANK.replace("kind: truth", "kind: bad"), encoding="utf-8")
    done = run(packages, "check items.yaml", "show two --bank items.yaml")
    assert done.returncode == 1
    assert 'broken-one: "bad" in quizgen.kinds cannot be loaded' in done.stdout
    assert "Twice two?" in done.stdout


def test_nothing_of_a_package_loads_before_it_is_asked_for(packages: Path) -> None:
    program = (
        "import sys, io, contextlib\nfrom quizgen.cli import run\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):\n"
        "    run(['export', 'git', '--to', 'gift', '-o', 'git.gift'])\n    run(['check', '--quick', 'git'])\n"
        "print([n for n in ('quizgen_example', 'broken_one', 'later_one') if n in sys.modules])"
    )
    assert python(packages, "-c", program).stdout.strip() == "[]"
