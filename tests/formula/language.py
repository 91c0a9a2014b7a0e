"""The expression language by example: each row is a test and a row of docs/formulas.md.

`outcome` is a value with its unit as the engine prints it, or `refused: ` and the message.
"""

from __future__ import annotations

from quizgen.formula.errors import FormulaError
from quizgen.formula.expression.functions import FUNCTIONS, MAX_ARGUMENTS
from quizgen.formula.expression.parse import (
    MAX_NAME_CHARACTERS,
    MAX_NESTING_DEPTH,
    MAX_SOURCE_CHARACTERS,
    MAX_TREE_NODES,
)
from quizgen.formula.quantity import MAX_LITERAL_CHARACTERS, MAX_NUMBER_BITS
from quizgen.formula.solve import solve_expression
from quizgen.formula.unit_table import (
    BINARY_PREFIXES,
    COUNT_LABELS,
    DIVISIBLE_LABELS,
    HINT_BY_UNKNOWN_UNIT,
    SI_PREFIXES,
    UNIT_ROWS,
    WORK_SHARING_LABELS,
)
from quizgen.formula.units import KNOWN_UNITS

GIVEN = {"N": "13e9 param", "K": "32", "t": "90 min", "D": "80 GB", "n": "8 GPU"}

# Section, then rows of (expression, outcome).
EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "Numbers": (
        ("1.5e3 + .5", "1500.5"),
        ("0.1 + 0.2", "0.3"),
        ("1 / 3 * 3", "1"),
        ("9**99 * 9**99 / 9**198", "1"),
        ("1_000", 'refused: "1_000" is not a number; write 1000000 or 1e6'),
        ("007", 'refused: "007" starts with a zero; write it without leading zeros'),
        ("0x1F", "refused: only decimal numbers are read; write it in decimal"),
    ),
    "Operators": (
        ("2 + 3 * 4", "14"),
        ("-2**2", "-4"),
        ("2**3**2", "512"),
        ("2**-1", "0.5"),
        ("7 // 2", "3"),
        ("-7 // 2", "-4"),
        ("-7 % 3", "2"),
        ("8 - 3 - 2", "3"),
        ("K^2", 'refused: "^" is not read here; write ** for a power'),
        ("2 K", 'refused: unknown unit "K"; write the number out: 1e3'),
    ),
    "Choices and tests": (
        ("if(K >= 8, 1, 2)", "1"),
        ("if(K > 8 and not K == 64, 1, 2)", "1"),
        ("case(K, 8, 1, 32, 2, 3)", "2"),
        ("if(D > 100 GB, 1, impossible)", "impossible"),
        ("if(divides(K, 64), 64 / K, 0)", "2"),
        ("K > 8", "refused: a test where a number is needed; write if(test, a, b)"),
        ("1 < K < 64", 'refused: a second comparison "<"; join two comparisons with and'),
        ("if(K, 1, 2)", 'refused: "K" is not a test; write a comparison such as x > 0'),
        ("tuple(K % 4, K // 4)", "(0, 8)"),
    ),
    "Functions": (
        ("abs(-3)", "3"),
        ("min(3, 1, 2)", "1"),
        ("max(0, 5 s - 7 s)", "0 s"),
        ("sum(1, 2, 3)", "6"),
        ("floor(-1.5)", "-2"),
        ("ceil(1 / 0.05)", "20"),
        ("round(2.5)", "2"),
        ("round(2.675, 2)", "2.68"),
        ("round_sig(31.6875, 3)", "31.7"),
        ("next_pow2(33)", "64"),
        ("ceil_log2(33)", "6"),
        ("log2(32)", "5"),
        ("log10(1000)", "3"),
        ("log(8, 2)", "3"),
        ("ln(1)", "0"),
        ("exp(0)", "1"),
        ("sqrt(2.25)", "1.5"),
        ("hypot(3, 4)", "5"),
        ("gcd(12, 18)", "6"),
        ("lcm(4, 6)", "12"),
        ("factorial(5)", "120"),
        ("comb(5, 2)", "10"),
        ("perm(5, 2)", "20"),
        ("sqrt(-1)", "refused: the square root of a negative number; keep its argument at 0 or above"),
        ("1 / (K - 32)", "refused: division by zero; make sure that the divisor is never 0"),
        ("pow(2, 3)", 'refused: "pow" is not a function; write *'),
    ),
    "Units": (
        ("2 B/param * N", "26000000000 B"),
        ("N * 2", "26000000000 param"),
        ("D / (400 Gb/s)", "1.6 s"),
        ("1 GiB / 1 MiB", "1024"),
        ("1 GB / 1 GiB", "0.9313225746154785"),
        ("t / 1 h", "1.5"),
        ("n * t", "12 GPU-h"),
        ("n - 1", "7 GPU"),
        ("D / n", "10000000000 B/GPU"),
        ("sqrt(2 * 50 s * 400 s)", "200 s"),
        ("floor(D / 1 GB)", "80"),
        ("D + t", "refused: B and s cannot be added; one is an amount of data (B), the other a time (s)"),
        ("N + 5 token", "refused: param and token cannot be added; one is a count of param, the other a count of token"),
        ("floor(D)", "refused: floor of an amount of data (B) depends on the unit; divide by a unit first: floor(… / (1 B))"),
        ("exp(t)", "refused: exp of a time (s); it takes a bare number: divide by a unit"),
        ("5 FLOPS", 'refused: unknown unit "FLOPS"; write FLOP/s for a rate, FLOP for an amount'),
    ),
    "Limits": (
        ("2**1023 / 2**1000", "8388608"),
        ("2**1024", f"refused: number too large: more than {MAX_NUMBER_BITS} bits; scale the inputs down"),
        ("1e308 * 10", "refused: the result is too large; scale the inputs down"),
        ("(1 - 0.001)**16384", "7.602546663910787e-08"),
        ("factorial(171)", "refused: factorial of more than 170; use a smaller number"),
        ("nan", 'refused: unknown name "nan"; did you mean "tan"?'),
    ),
}  # fmt: skip


def outcome(expression: str) -> str:
    try:
        result = solve_expression(expression, GIVEN)
    except FormulaError as error:
        return f"refused: {error}"
    value = result["value"]
    text = f"({', '.join(map(str, value))})" if isinstance(value, list) else str(value)
    return text if result["unit"] == "1" or value == "impossible" else f"{text} {result['unit']}"


# -- the page ---------------------------------------------------------------------------------

HEAD = f"""# Formulas: the expression language and its units

Made from `tests/formula/language.py` and the tables of the engine by `pytest tests/formula/test_language.py --update-golden`.

[Writing items](writing-items.md) shows how an item uses a formula, [diagnosis](diagnosis.md) how near an answer must be.

## The language in short

- Numbers are exact fractions; only functions such as `exp`, and roots that are not rational, give a float.
- The longest spelling of a unit after a number belongs to it: `2 B/param`, `400 Gb/s`, `3 GPU-h`. Put spaces around `/` and `-` before a
  name: `2 B / K`.
- Names are inputs, constants and earlier steps. Words of an enum may only be compared with it: `if(scheme == ddp, …)`,
  `case(scheme, ddp, 2, zero1, 3, 4)`.
- Precedence from low to high: `or`, `and`, `not`, one comparison, `+ -`, `* / // %`, sign, `**` (right to left).
- A test is allowed in `if`, in `require:`, and as the last step of a yes-no formula. All branches are checked, and one is computed.
- A branch may be `impossible`: there is no answer. `tuple(a, b)` is an answer with several values.
- `%` is the remainder with the sign of the divisor, `//` rounds down, `round` rounds half to even.

Limits: {MAX_SOURCE_CHARACTERS:,} characters of plain ASCII, {MAX_TREE_NODES} parts, {MAX_NESTING_DEPTH} levels, {MAX_ARGUMENTS} arguments, names of
{MAX_NAME_CHARACTERS} and numbers of {MAX_LITERAL_CHARACTERS} characters, {MAX_NUMBER_BITS:,} bits in every intermediate result.

In the examples, {", ".join(f"`{name}` is {text}" for name, text in GIVEN.items())}.
"""

UNIT_RULES = """
## Which units go together

Loading a bank checks every expression, with all branches and misconceptions.

- The terms of a sum, a comparison, `min` and `max` have one kind of unit. The number 0 fits every kind.
- Labels of counts are units: `B/param * param` is B; parameters and tokens cannot be added.
- A bare number may become a count: `12 * l * h**2` may be declared `param`. A count never becomes another count or an amount of data.
- A place that shares work may be left out (`B/GPU` declared as B); `GPU-h` is GPU times hour.
- Rounding, divisibility and logarithms take bare numbers and counts, because their result depends on the unit: `ceil(D / 1 GB)`.
"""


def page() -> str:
    parts = [HEAD]
    for section, rows in EXAMPLES.items():
        parts.append(f"## {section}\n\n| expression | gives |\n|---|---|")
        parts += [f"| `{expression}` | {_cell(result)} |" for expression, result in rows]
        if section == "Functions":
            parts.append(f"\nAll functions: {', '.join(f'`{name}`' for name in sorted(FUNCTIONS))}.")
        parts.append("")
    parts.append(UNIT_RULES.strip() + "\n")
    parts.append(_units())
    return "\n".join(parts)


def _cell(result: str) -> str:
    return result if result.startswith("refused") else f"`{result}`"


def _units() -> str:
    lines = ["## The units", "", "| unit | is | prefixes | also written |", "|---|---|---|---|"]
    for symbol, over, under, powers, prefixes, others in UNIT_ROWS:
        worth = f"{over}" if under == 1 else f"{over}/{under}"
        base = KNOWN_UNITS[symbol].dim
        shown = {"b": "base unit", "B": "8 b"}.get(symbol, f"{worth} {base}" if powers else worth)
        first, *rest = prefixes.split() or [""]
        family = " ".join((*first, *rest))
        lines.append(f"| `{symbol}` | {shown} | {family} | {', '.join(others)} |")
    lines += [
        "",
        f"Prefixes: {', '.join(f'{p} = {v:.0e}'.replace('e+', 'e') for p, v in SI_PREFIXES.items())}; "
        f"{', '.join(f'{p} = 2**{v.bit_length() - 1}' for p, v in BINARY_PREFIXES.items())}. The two families never meet unsaid.",
        "",
        f"Counts: {', '.join(name for name, _, _ in COUNT_LABELS)}.",
        "",
        f"Places: {', '.join(name for name, _, _ in WORK_SHARING_LABELS)}.",
        "",
        "A key that counts things without parts must come out whole: "
        f"{', '.join(name for name, _, _ in (*COUNT_LABELS, *WORK_SHARING_LABELS) if name not in DIVISIBLE_LABELS)}.",
        "",
        "Spellings that are refused, with what to write: "
        + "; ".join(f"`{text}` ({hint})" for text, hint in HINT_BY_UNKNOWN_UNIT.items())
        + ".",
        "",
    ]
    return "\n".join(lines)
