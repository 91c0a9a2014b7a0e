"""docs/diagnosis.md, made from the tables that the tests run, is what they say."""

from __future__ import annotations

from pathlib import Path
from string import Template

from rounded import KEYS, ROWS
from shipped import Golden

from quizgen.kinds.numeric.step_credit import MAX_CARRIED_ERROR_FACTOR, MAX_RESPONSE_PARTS
from quizgen.numbers.read import MAX_RESPONSE_CHARACTERS

from .diagnosed import rows as diagnosed
from .spellings import rows as spelled

PAGE = Path(__file__).with_name("diagnosis_page.txt")


def document() -> str:
    limits = {
        "MAX_RESPONSE_CHARACTERS": MAX_RESPONSE_CHARACTERS,
        "MAX_RESPONSE_PARTS": MAX_RESPONSE_PARTS,
        "MAX_CARRIED_ERROR_FACTOR": MAX_CARRIED_ERROR_FACTOR,
    }
    intro = Template(PAGE.read_text(encoding="utf-8")).substitute(limits, ROUNDED=_rounded())
    lines = [intro, "The rows (key and inputs of each case: `tests/formula/diagnosed.py`):", ""]
    lines += ["| case | response | verdict |", "|---|---|---|"]
    lines += [f"| {row.case} | {_code(row.response)} | {_verdict(row.diagnosis)} |" for row in diagnosed()]
    lines += ["", "## Spellings", ""]
    section = ""
    for spelling in spelled():
        if spelling.section != section:
            section = spelling.section
            lines += ["", f"### {section}", "", "| asked | response | read as |", "|---|---|---|"]
        lines.append(f"| {spelling.asked} | {_code(spelling.written)} | {_outcome(spelling.expected)} |")
    return "\n".join(lines) + "\n"


def _rounded() -> str:
    keys = {one.id: one for one in KEYS}
    shown = {0: "nothing", 0.5: "half", 1: "all"}
    lines = ["| key | asked | response | earns | why |", "|---|---|---|---|---|"]
    for row in ROWS:
        one = keys[row.item]
        beside = f", beside the mistake {one.mistake}" if one.mistake else ""
        answer = f"`{one.answer}`" if one.answer else "nothing written"
        lines.append(f"| {one.key}{beside} | {answer} | `{row.response}` | {shown[row.earned]} | {row.why} |")
    return "\n".join(lines)


def _verdict(diagnosis: str) -> str:
    return diagnosis if diagnosis in ("right", "unexplained") else f"`{diagnosis}`"


def _outcome(expected: str) -> str:
    return "*" + expected.partition(":")[0] + "*" if expected.startswith(("unreadable", "blank")) else expected


def _code(text: str) -> str:
    """Code that survives a table: pipes escaped, backticks fenced twice, an empty text shown as such."""
    if not text.strip():
        return "*(empty)*" if not text else "*(blanks)*"
    text = text.replace("|", "\\|")
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def test_the_page_is_current(golden: Golden) -> None:
    golden("diagnosis.md", document(), folder="docs")
