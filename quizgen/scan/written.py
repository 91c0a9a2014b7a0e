"""What a scan leaves behind: the sheet of responses, the record of the scan, and the page of what is open."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from quizgen.cells import cell
from quizgen.intake.exams import Manifest, parse_file
from quizgen.intake.lines import Damaged
from quizgen.refusals import Unreadable
from quizgen.render.data_page import data_page
from quizgen.scan.reading import ReadPage
from quizgen.scan.stack import Stack


def responses(stack: Stack) -> str:
    """The table that `score --sheet` takes."""
    numbers = sorted({number for one in stack.handed for number in one.cells})
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["candidate", "form", *numbers])
    for one in stack.handed:
        row = [cell(one.who), str(one.form["code"]), *(cell(one.cells.get(n, "")) for n in numbers)]
        table.writerow(row)
    return out.getvalue()


def unchanged(table: Path) -> bool:
    """Whether a table is as a scan wrote it, by the record beside it: what was typed into one must not be lost."""
    try:
        found = parse_file(str(table.with_suffix(".json"))).get("table")
    except (Damaged, Unreadable):
        return False
    return found == sha256(table.read_bytes()).hexdigest()


def record(stack: Stack, pages: Sequence[ReadPage], manifest: Manifest) -> str:
    """Every page with what was read of it, what is open, and the written answers as pictures; readings and
    decisions stay apart."""
    found: dict[str, Any] = {
        "v": 1,
        "type": "scan",
        "exam": manifest.exam,
        "digest": manifest.digest,
        "table": sha256(responses(stack).encode()).hexdigest(),
        "pages": [
            {
                "file": page.file,
                "page": page.number,
                "code": page.code.text() if page.code else None,
                "why": page.why,
                "id": page.id.answer if page.id else None,
                "rows": [[r.name, r.answer, r.doubt, list(r.ink)] for r in page.rows],
                "answers": [a.code.text() for a in page.answers],
            }
            for page in pages
        ],
        "faults": stack.faults,
        "notes": stack.notes,
        "open": [{"key": o.key, "kind": o.kind, "candidate": o.who, "item": o.item, "why": o.why} for o in stack.open],
        "answers": [
            {
                "candidate": one.who,
                "form": one.form["code"],
                "n": number,
                "ref": answer.code.ref,
                "cut": answer.cut,
                "image": base64.b64encode(answer.picture).decode("ascii"),
            }
            for one in stack.handed
            for number, answer in sorted(one.answers.items())
        ],
    }
    return json.dumps(found, ensure_ascii=False, indent=1) + "\n"


def check_page(stack: Stack, manifest: Manifest, command: str) -> str:
    """The page on which a person decides what is open, the same reason after the same."""
    order = {"id": 0, "choice": 1, "numeric": 2}
    rows = [
        {
            "key": o.key,
            "kind": o.kind,
            "who": o.who,
            "item": o.item,
            "why": o.why,
            "read": o.read,
            "letters": o.letters,
            "images": [base64.b64encode(p).decode("ascii") for p in o.pictures],
        }
        for o in sorted(stack.open, key=lambda o: (order[o.kind], o.why, int(o.item) if o.item.isdigit() else 0))
    ]
    title = f"Scanned sheets to check, exam {manifest.exam}"
    return data_page(
        "scan_check.html", "js/scan_check.js", {"title": title, "exam": manifest.exam, "command": command, "open": rows}
    )
