"""docs/diagnosis.md, made from the tables that the tests run, is what they say."""

from __future__ import annotations

from rounded import KEYS, ROWS
from shipped import Golden

from quizgen.formula import factor_slips, mistakes
from quizgen.kinds.numeric.step_credit import MAX_CARRIED_ERROR_FACTOR, MAX_RESPONSE_PARTS
from quizgen.numbers.read import MAX_RESPONSE_CHARACTERS

from .diagnosed import rows as diagnosed
from .spellings import rows as spelled

INTRO = f"""\
# Reading and diagnosing numbers

Made from `tests/formula/spellings.txt` and `tests/formula/diagnoses.txt`; every row below is a test.
`pytest tests/formula/test_diagnosis_doc.py --update-golden` writes this page anew.

## How a number is read

- A bare number is in the unit that the item asks for. Where `%` is asked, it is a percentage, or up to 1 also a fraction. Where the unit
  has a prefix, a power of ten or a bare calculation is in the unit without the prefix: `3.17e10` for GB is in bytes.
- `B` is a byte for data and a billion for counts, money or work. `Gb` is a gigabit, `GB` a gigabyte, `gb` whichever is asked. `TFLOPS` is a
  rate where a rate is asked, else an amount.
- `1,234` is ambiguous: both readings are shown, and the response is right if either is. In counts, bytes and dollars the comma separates
  thousands; after a leading 0, or before any other number of digits than three, it is a decimal comma. The reader never sees the key.
- `GPU`, `rank`, `layer` may be left out or added in a rate (`32 GB per GPU` for GB). A different kind of amount is incorrect
  (a time where data is asked). quizgen asks about things that the item does not count, but for those of another input (GPUs where
  nodes are asked): these are incorrect.
- Arithmetic is computed (`14/8 + 2*14/32 GB`, `2 1/2`, `1d6h`, `43m12s`). What is left of an equals sign is
  working; a plain number there must be the same amount.
- Words around the number must be known from the item, the bank or a table of filler (`about`, `in total`). quizgen asks about an unknown word
  behind the number (`7 hops too many`) and about the opposite of what the stem asks (`95% miss` for a hit rate).
- These are not answers: bounds (`more than`), ranges, denials, changes (`16 GB doubled`), a second number that is not an input. `at least 14`
  answers a question for the smallest count. At most {MAX_RESPONSE_CHARACTERS} characters are read.

## Steps in a response

`sharded = 5.7 GB; total = 31.7 GB`: up to {MAX_RESPONSE_PARTS} parts, separated by semicolons, line breaks, or commas before a name. A part named after a
step of the formula is compared with that step; the last part is the answer. All steps have the same share of the points, and a missing
step counts where a later one proves it. A step is right with the true value or with the value that follows from the candidate's own
earlier steps, unless those are 0, 1 or more than {MAX_CARRIED_ERROR_FACTOR} times off.

## How near is right

A number is right within the tolerance (1 % of the key by default; `0.5 GB` is an amount, `{{absolute: 0.01 %}}` one of a percentage), **or** if it is
the key rounded, in the unit written, to two significant digits or more (`digits: 3` asks for three). Trailing zeros may count as digits; a tie
may go either way. Where the tolerance is below 1 %, or the key is a whole number by construction, rounding counts only
with `digits:`. From 90 % up, digits count on the distance from 100 %. Misconceptions take precedence.
Rounded to fewer digits, a number earns half if it is within 10 % of the key and no misconception has the same rounding. Later steps and parts
may continue with the rounded number.

Worked by hand (`tests/rounded.py`):

ROUNDED

## Diagnoses

They are tried in this order: the key within the tolerance; a misconception exactly or with the same rounding; the key rounded; another kind of
unit; the item's misconceptions, nearest first; the right number with another unit; off by one; rounded too far; simple ratios. A
diagnosis earns nothing unless the item gives `credit:`.
"""


def document() -> str:
    lines = [INTRO.replace("ROUNDED", _rounded()), "| id | the response is | for example |", "|---|---|---|"]
    examples = {}
    for row in diagnosed():
        examples.setdefault(row.diagnosis, f"`{row.response}` in *{row.case}*")
    for name, about in {**mistakes.MISTAKE_DESCRIPTIONS, **factor_slips.SLIP_DESCRIPTIONS}.items():
        lines.append(f"| `{name}` | {about} | {examples.get(name, '')} |")
    lines += ["", "The rows (key and inputs of each case: `tests/formula/diagnosed.py`):", ""]
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
