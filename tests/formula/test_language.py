"""The expression language by example: every row of `language.txt` is right, and docs/formulas.md is made from them."""

from __future__ import annotations

from pathlib import Path
from string import Template

import pytest
from shipped import Golden

from quizgen.formula import FormulaError, expression, units
from quizgen.formula.expression import compile_expression, parse_expression
from quizgen.formula.functions import FUNCTION_BY_NAME, MAX_ARGUMENTS
from quizgen.formula.quantity import MAX_NUMBER_BITS, MAX_NUMBER_LITERAL_CHARACTERS
from quizgen.formula.solve import solve_expression_json
from quizgen.formula.units import KNOWN_UNITS

HERE = Path(__file__).parent
GIVEN = {"N": "13e9 param", "K": "32", "t": "90 min", "D": "80 GB", "n": "8 GPU"}
LIMITS = {
    "source": f"{expression.MAX_EXPRESSION_CHARACTERS:,}", "nodes": expression.MAX_TREE_NODES, "depth": expression.MAX_NESTING_DEPTH, "arguments": MAX_ARGUMENTS,
    "name": expression.MAX_NAME_CHARACTERS, "literal": MAX_NUMBER_LITERAL_CHARACTERS, "bits": f"{MAX_NUMBER_BITS:,}",
}  # fmt: skip


def read_examples() -> dict[str, list[tuple[str, str]]]:
    """Section -> rows of (expression, outcome)."""
    sections: dict[str, list[tuple[str, str]]] = {}
    for line in (HERE / "language.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("== "):
            rows = sections.setdefault(line[3:], [])
        elif " ¦ " in line and not line.startswith("#"):
            expression, _, outcome = line.partition(" ¦ ")
            rows.append((expression, outcome))
    return sections


EXAMPLES = read_examples()


def outcome(expression: str) -> str:
    try:
        result = solve_expression_json(expression, GIVEN)
    except FormulaError as error:
        return f"refused: {error}"
    value = result["value"]
    text = f"({', '.join(map(str, value))})" if isinstance(value, list) else str(value)
    return text if result["unit"] == "1" or value == "impossible" else f"{text} {result['unit']}"


@pytest.mark.parametrize(("expression", "wanted"), [row for rows in EXAMPLES.values() for row in rows])
def test_an_expression_has_the_outcome_of_its_example(expression: str, wanted: str) -> None:
    assert outcome(expression) == wanted


def test_every_function_is_shown_or_plain_trigonometry() -> None:
    shown = " ".join(expression for name, rows in EXAMPLES.items() if name != "More" for expression, _ in rows)
    plain = {"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "degrees", "radians", "len"}
    assert {name for name in FUNCTION_BY_NAME if f"{name}(" not in shown} == plain


def test_a_yes_no_is_compared_with_its_words() -> None:
    """Yes is 1 and no is 0 in a run."""
    scope = expression.NameScope({"on": expression.Symbol(expression.ValueKind("truth"), 0)})
    for text in ("case(on, false, 5, true, 7, 9)", "if(on == true, 7, 5)"):
        assert [compile_expression(parse_expression(text), scope).compute((value,)) for value in (1, 0)] == [7, 5]


def test_the_page_is_made_from_the_examples(golden: Golden) -> None:
    examples = []
    for section, rows in EXAMPLES.items():
        if section != "More":
            examples.append(f"## {section}\n\n| expression | gives |\n|---|---|")
            examples += [f"| `{e}` | {text if text.startswith('refused') else f'`{text}`'} |" for e, text in rows]
            if section == "Functions":
                examples.append(f"\nAll functions: {', '.join(f'`{name}`' for name in sorted(FUNCTION_BY_NAME))}.")
            examples.append("")
    given = ", ".join(f"`{name}` is {text}" for name, text in GIVEN.items())
    page = Template((HERE / "formulas_page.txt").read_text(encoding="utf-8"))
    made = page.substitute(LIMITS, given=given, examples="\n".join(examples), units=_units())
    golden("formulas.md", made, folder="docs")


def _units() -> str:
    lines = ["## The units", "", "| unit | is | prefixes | also written |", "|---|---|---|---|"]
    for symbol, over, under, powers, prefixes, others in units.UNIT_ROWS:
        worth = f"{over}" if under == 1 else f"{over}/{under}"
        base = KNOWN_UNITS[symbol].dim
        shown = {"b": "base unit", "B": "8 b"}.get(symbol, f"{worth} {base}" if powers else worth)
        first, *rest = prefixes.split() or [""]
        family = " ".join((*first, *rest))
        lines.append(f"| `{symbol}` | {shown} | {family} | {', '.join(others)} |")
    lines += [
        "",
        f"Prefixes: {', '.join(f'{p} = {v:.0e}'.replace('e+', 'e') for p, v in units.FACTOR_BY_SI_PREFIX.items())}; "
        f"{', '.join(f'{p} = 2**{v.bit_length() - 1}' for p, v in units.FACTOR_BY_BINARY_PREFIX.items())}. The two families never meet unsaid.",
        "",
        f"Counts: {', '.join(name for name, _, _ in units.COUNT_LABEL_ROWS)}.",
        "",
        f"Places: {', '.join(name for name, _, _ in units.WORK_SHARING_LABEL_ROWS)}.",
        "",
        "A key that counts things without parts must come out whole: "
        f"{', '.join(name for name, _, _ in (*units.COUNT_LABEL_ROWS, *units.WORK_SHARING_LABEL_ROWS) if name not in units.DIVISIBLE_LABELS)}.",
        "",
        "Spellings that are refused, with what to write: "
        + "; ".join(f"`{text}` ({hint})" for text, hint in units.HINT_BY_UNKNOWN_UNIT.items())
        + ".",
        "",
    ]
    return "\n".join(lines)
