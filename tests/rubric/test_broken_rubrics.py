"""`quizgen check` on broken rubrics: exactly one message for each, at its line and column, with the answer
that gives the rubric away."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import Command

STEM = "Why is tensor parallelism kept inside one server?"
MODEL = (
    "Each block ends in an all-reduce, so data crosses the links in every layer, and NVLink has several times the"
    " bandwidth of the network between servers."
)
LAYER = '- {id: every-layer, accept: ["all-reduce|communicat* {every layer|each layer|per layer}"]}'
LINK = '- {id: bandwidth, accept: ["nvlink faster|bandwidth"]}'

# name: (criteria and what follows them, model answer, stem, line and column, parts of the message)
BROKEN: dict[str, tuple[list[str], str, str, str, list[str]]] = {
    "the model answer lacks a word": (
        [LAYER, '- {id: bandwidth, accept: ["nvlink cheaper"]}'],
        MODEL, STEM, "8:11",
        ["the model answer earns 1 of 2", '"NVLink" found, but not cheaper', "Each block ends in an all-reduce"],
    ),
    "the model answer holds a misconception": (
        [LAYER, LINK, "misconceptions:", '  - {match: "several times", penalty: 1, say: Not so many.}'],
        MODEL, STEM, "7:9",
        ["the model answer earns 1 of 2", '"several times" is a misconception'],
    ),
    "words of the stem": (
        [LAYER, LINK, '- {id: inside, accept: ["parallelism {one server}"]}'],
        MODEL + " So parallelism stays in one server.", STEM, "9:11",
        ['the stem itself meets criterion "inside"', '"parallelism one server" earns points', STEM],
    ),
    "a number of the stem": (
        [LAYER, "- {id: ranks, number: {value: 8}}"],
        MODEL + " There are 8 of them.", "Why are 8 ranks of tensor parallelism kept inside one server?", "8:11",
        ['the stem itself meets criterion "ranks"', '"8 ranks" earns points'],
    ),
    "a word of any subject": (
        [LAYER, LINK, "- {id: cost, accept: [time]}"],
        MODEL + " The rest costs time.", STEM, "9:31",
        ['"time" alone meets criterion "cost"', "It has something to do with time."],
    ),
    "a prefix of any subject": (
        [LAYER, LINK, '- {id: cost, accept: ["le*"]}'],
        MODEL + " Leaving it is slow.", STEM, "9:31",
        ["alone meets criterion", "It has something to do with lead."],
    ),
    "a phrase its own reject takes back": (
        [LAYER, '- {id: link, accept: ["several times"], reject: ["times several"]}'],
        MODEL, STEM, "8:31",
        ['"several times" meets', "is rejected by the same criterion"],
    ),
    "a sentence of its own": (
        [LAYER, LINK[:-1] + ", say: A server's own links outpace Ethernet.}"],
        MODEL, STEM, "8:11",
        ["its own `say` does not meet the criterion: bandwidth is missing"],
    ),
    "a name of its subject": (
        [LAYER, '- {id: bandwidth, of: nvlink, accept: ["nvlink", "nvlink bandwidth"]}', "subjects: {nvlink: nvlink}"],
        MODEL, STEM, "8:48",
        ['"nvlink" is a name of the subject that criterion "bandwidth" is about', "any mention of it meets"],
    ),
    "bare words": (
        [LAYER, '- {id: bandwidth, points: 2, accept: ["faster|bandwidth"]}'],
        MODEL, STEM, "8:11",
        ['only single words meet criterion "bandwidth" of 2 points', '("faster") earns half', "no answer can earn it all"],
    ),
    "one span for two criteria": (
        [LAYER, LINK, '- {id: again, accept: ["nvlink bandwidth"]}'],
        MODEL, STEM, "9:11",
        ["NVLink … bandwidth", 'earns the points of "bandwidth" and of "again"'],
    ),
}  # fmt: skip


def written(folder: Path, criteria: list[str], model: str, stem: str) -> Path:
    """The item in a file; a line of criteria that does not begin with `-` belongs to the rubric itself."""
    lines = ["items:", "  - id: broken", "    kind: text", f"    stem: {stem}", "    rubric:", "      criteria:"]
    inside = True
    for line in criteria:
        inside = inside and line.startswith("-")
        lines.append(f"{'        ' if inside else '      '}{line}")
    lines += [f"    model_answer: {model}", "    topic: links", "    difficulty: 2", "    seconds: 60"]
    lines += ["    source: made up", "    rationale: So it is.", "    answers: [{earns: none, text: No idea.}]"]
    path = folder / "broken.yaml"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def messages(path: Path, command: Command) -> list[str]:
    """What is told at places of the file, without the file's name."""
    lines = command("check", path).out.splitlines()
    found = [line.removeprefix(f"{path}:") for line in lines if line.startswith(f"{path}:")]
    short = ("has no `say`", "besides the model answer")  # these rubrics are kept short
    return [line for line in found if not any(told in line for told in short)]


@pytest.mark.parametrize("name", list(BROKEN))
def test_exactly_one_message(name: str, tmp_path: Path, command: Command) -> None:
    criteria, model, stem, place, parts = BROKEN[name]
    (said,) = messages(written(tmp_path, criteria, model, stem), command)
    assert said.startswith(f"{place}: broken: warning: ")
    for part in (*parts, "; "):  # and what to do
        assert part in said, said


@pytest.mark.parametrize("said", ["", ", say: Perhaps a higher bandwidth of NVLink."])
def test_the_same_item_without_a_fault_has_no_message(said: str, tmp_path: Path, command: Command) -> None:
    """Nor where its own sentence meets a criterion as a guess or in a bare name: what is asked is told in short."""
    assert messages(written(tmp_path, [LAYER, LINK[:-1] + said + "}"], MODEL, STEM), command) == []
