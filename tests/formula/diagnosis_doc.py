"""docs/diagnosis.md, made from the tables that the tests run."""

from __future__ import annotations

from rounded import KEYS, ROWS

from quizgen.formula import factor_slips, mistakes
from quizgen.kinds.numeric.step_credit import MAX_PARTS, WINDOW
from quizgen.numbers.read import MAX_LENGTH

from .diagnosed import rows as diagnosed
from .spellings import rows as spelled

INTRO = f"""\
# Reading and diagnosing numbers

Made from the tables of the tests (`tests/formula/spellings.txt`, `tests/formula/diagnoses.txt`); every
row below is a test. `pytest tests/formula/test_diagnosis_doc.py --update-golden` writes this page anew.

## How a number is read

- A bare number takes the unit that is asked. A bare number where `%` is asked is a percentage; up to 1
  it may be a fraction as well. Where a unit with a prefix is asked, a power of ten or a calculation
  without a unit (`3.17e10` for GB) is in the unit without its prefix, for that is how it is meant.
- `B` is a byte where data is asked and a billion where a count, money or work is. `Gb` is a gigabit,
  `GB` a gigabyte, `gb` whichever is asked. `TFLOPS` is a rate where a rate is asked, else an amount.
- One comma before exactly three digits may group or part (`1,234`): both readings stand, are shown, and
  either that is right counts. It groups where the last digit is 0 (nobody writes 1.230 for 1.23), in
  counts, bytes and dollars, and in a unit smaller than the one that is asked. It parts after a leading
  0, after more than three digits, and before one, two or more than three digits. A point before three
  digits has two readings where a count without parts or a plain number is asked. The reader never looks
  at the key, and what a candidate is shown depends on the question alone.
- `GPU`, `rank`, `layer` and the like may be left unsaid or added in a rate or share (`32 GB per GPU`
  for GB, `16 bytes` for B/param). Tokens are no parameters, hours are no GPU-hours, and an amount of
  another kind is read as what it is and scored incorrect.
- Arithmetic is worked out by the formula engine under its own limits; names in it are refused. Left of
  an equals sign, names and calculations are working; a plain number there must be the same amount.
- Words that join numbers are worked in: `7 of 15` where a plain number or `%` is asked, `two and a half
  days`, `a third of 96 GB`, `twice 16 GB`. In `25/s` the thing counted was left out and is the one asked.
- Words around the number must be known: to the stem, the formula, the bank, or a closed table of what says nothing
  (`about`, `in total`, `I think`). Behind the number, a word that nobody knows is asked about (`7 hops too many`, `10 GB
  short`), and so is the other side of what the stem asks (`95% miss` for a hit rate, `40 ms one way` for a round trip)
  and a share of what it does not ask for one of (`10 GB per row` for a table). Names may lead to it (`RTT 40 ms`), and
  a sentence of more than three words may follow behind a stop.
- What makes it no answer: bounds (`more than`),
  ranges, denials, changes (`16 GB doubled`), a second number. Inputs beside an answer (`31.7 GB for K = 32`,
  `a 13B model`) are no second number. A bound with its end (`at least 14`, `>= 14`)
  is how people give the smallest or largest count; of any other amount it is no value. At most
  {MAX_LENGTH} characters are read.

## Steps in a response

`sharded = 5.7 GB; total = 31.7 GB`: up to {MAX_PARTS} parts, separated by semicolons, line breaks, or commas before a
name. A part named after a step of the formula (in any case; other words may stand around it) is held
against that step, unless the answer is right and the part an amount of a different kind than the step (`weights =
26 GB` for bytes per parameter); the last part is the answer. Every step of the formula has the same share of the
points. A step that was not written counts where a later one proves it. A step is right if it has the
true value, or else the value that follows from the candidate's own earlier steps; from 0, from 1 and
from a value more than {WINDOW} times off nothing follows.

## How near is right

A number is right if it is within the tolerance (`tolerance: 1%` of the key, where nothing is written; `0.5 GB` is an
amount, `{{absolute: 0.01 %}}` one of a percentage), **or** if it equals the key rounded, in the unit that was written, to two
significant digits or more. Trailing zeros may count as digits; a tie may go either way. `digits: 3` asks for three. Where
the tolerance is below 1 % or 0, or the key is a whole number by construction, rounding counts only if `digits:` is
written. From 90 % up digits count on what is missing from 100 %. A misconception that is given exactly, or that
rounds alike, comes before rounding; `check` names each that does, with the digits that set it apart. Rounded to fewer
digits, a number earns half within 10 % of the key, where no misconception rounds alike; it is told that it is
`rounded-too-far`. Steps and parts that go on from a rounded number are right with it. A number in a text criterion is
held against its own tolerance alone.

Worked by hand (`tests/rounded.py`):

ROUNDED

## Diagnoses

In this order: the key within the tolerance; a misconception exactly or rounded alike; the key rounded; another kind of
quantity; the item's own misconceptions, nearest first; the right number with another unit; off by one; rounded too far;
then ratios from simple to less simple, tried only where they make sense. A slip earns nothing unless the item says so (`credit: 50%`
or `0.5`, of a misconception or of a slip's id). A misconception with a `convention:` is right by that
convention; the candidate is told so, and by which convention the item goes.
"""


def document() -> str:
    lines = [INTRO.replace("ROUNDED", _rounded()), "| id | the response is | for example |", "|---|---|---|"]
    examples = {}
    for row in diagnosed():
        examples.setdefault(row.diagnosis, f"`{row.response}` in *{row.case}*")
    for name, about in {**mistakes.ABOUT, **factor_slips.ABOUT}.items():
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
