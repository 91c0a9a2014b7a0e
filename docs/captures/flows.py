"""The three flows of docs/developing.md as pictures, made from the code: `python docs/captures/make.py flows`.

Only the order of the stations is written here. What each takes, gives and says of itself is read from its source, and
a station that is renamed or gone ends this script with its name.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from html import escape
from pathlib import Path
from textwrap import wrap

ROOT = Path(__file__).resolve().parents[2]
FLOWS = {
    "mock": (
        "bank.load_bank", "assemble.assemble", "session.interview.new_session", "session.sitting.Sitting",
        "session.session_log.response_record", "session.journal.Journal.append", "session.interview.ItemState.score",
        "render.debrief.debrief_of_session", "render.debrief_text.debrief_lines",
    ),
    "exam": (
        "bank.load_bank", "exam.plan_exam", "exam.Exam.form_of_label", "render.exam.lay_out_form_with_label",
        "render.exam.FormWriter.form_page_html", "render.exam_folder.KeyWriter.key_page_html_of_form",
        "render.exam_folder.manifest_form_json", "render.exam_folder.write_exam_folder",
    ),
    "score": (
        "scoring.log_files.read_blocks", "scoring.score_logs.BlockScorer.score_block",
        "scoring.scorer.Scorer.verdict_on_response", "scoring.response_table.write_counted_responses",
        "analysis.estimates.sums_of_table", "analysis.report.make_report", "render.report_writer",
    ),
}  # fmt: skip
WIDE, LINE, MARGIN, GAP, COLUMNS = 760, 17, 12, 26, 104


def station(name: str) -> tuple[str, str]:
    """What takes and gives a station, and the first sentence that its source says of it."""
    parts = name.split(".")
    for count in range(len(parts) - 1, 0, -1):
        path = ROOT / "quizgen" / Path(*parts[:count])
        for file in (path.with_suffix(".py"), path / "__init__.py"):
            if file.is_file():
                return _described(ast.parse(file.read_text(encoding="utf-8")), parts[count:], name)
    raise SystemExit(f"there is no {name}")


def _described(tree: ast.Module, inside: list[str], name: str) -> tuple[str, str]:
    body: list[ast.stmt] = tree.body
    found: ast.stmt | None = None
    for part in inside:
        found = next((node for node in body if part in _names(node)), None)
        if found is None:
            raise SystemExit(f"there is no {name}")
        body = found.body if isinstance(found, ast.ClassDef) else []
    if isinstance(found, ast.FunctionDef):
        takes = ", ".join(ast.unparse(a.annotation) for a in found.args.args if a.annotation is not None)
        gives = ast.unparse(found.returns) if found.returns is not None else "None"
        return f"{takes} → {gives}", _sentence(ast.get_docstring(found))
    if isinstance(found, ast.ClassDef):
        return "", _sentence(ast.get_docstring(found))
    if isinstance(found, ast.AnnAssign) and isinstance(found.value, ast.Dict):
        return ", ".join(str(key.value) for key in found.value.keys if isinstance(key, ast.Constant)), ""
    raise SystemExit(f"{name} is neither function nor class nor table")


def _names(node: ast.stmt) -> tuple[str, ...]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return (node.name,)
    if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        return (node.target.id,)
    return ()


def _sentence(text: str | None) -> str:
    return " ".join((text or "").split("\n\n")[0].split()).split(". ")[0].rstrip(".")


def picture(flow: str) -> str:
    """A flow as an SVG: a box a station, from top to bottom."""
    shapes: list[str] = []
    down = MARGIN
    for number, name in enumerate(FLOWS[flow]):
        lines = list(_lines(name))
        tall = LINE * len(lines) + 10
        if number:
            x = WIDE / 2
            shapes.append(f'<path d="M{x} {down - GAP}v{GAP - 8}" stroke="#667" stroke-width="2"/>')
            shapes.append(f'<path d="M{x - 5} {down - 9}h10l-5 8z" fill="#667"/>')
        box = f'x="{MARGIN}" y="{down}" width="{WIDE - 2 * MARGIN}" height="{tall}" rx="5"'
        shapes.append(f'<rect {box} fill="#f4f6fb" stroke="#445"/>')
        for row, (style, line) in enumerate(lines, 1):
            shapes.append(f'<text x="{MARGIN + 10}" y="{down + LINE * row}" {style}>{escape(line)}</text>')
        down += tall + GAP
    font = 'font-family="DejaVu Sans Mono, monospace" font-size="11"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {down - GAP + MARGIN}" {font}>'
    return "\n".join(
        [head, f"<title>{flow}</title>", '<rect width="100%" height="100%" fill="#fff"/>', *shapes, "</svg>", ""]
    )


def _lines(name: str) -> Iterator[tuple[str, str]]:
    signature, about = station(name)
    yield 'font-weight="bold" font-size="13"', name
    for style, text in (('fill="#335"', signature), ('fill="#555"', about)):
        for line in wrap(text, COLUMNS):
            yield style, line


if __name__ == "__main__":
    for one in FLOWS:
        (ROOT / "docs" / "pictures" / f"flow-{one}.svg").write_text(picture(one), encoding="utf-8")
