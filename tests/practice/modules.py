"""The page's scripts run alone, by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from quizgen import data_folders

NODE = shutil.which("node")
NO_NODE = "no node: install nodejs to run the page's scripts alone"


def run_modules(folder: Path, code: str, given: Any) -> Any:
    """What `code` comes to as the body of a function of `given`, with the page's modules as `page`."""
    assert NODE is not None, "tests skip where there is no node"
    modules = folder / "modules"
    if not modules.exists():
        shutil.copytree(data_folders.shipped("templates") / "practice", modules)
        (modules / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    imports = "".join(
        f'import * as {name} from "./{name}.js";\n' for name in ("ratio", "read_number", "judge", "sitting", "log")
    )
    main = (
        f"{imports}import {{ readFileSync }} from 'fs';\n"
        "const page = { ...ratio, ...read_number, ...judge, ...sitting, ...log };\n"
        "const given = JSON.parse(readFileSync(0, 'utf8'));\n"
        f"const made = ((page, given) => {{ {code} }})(page, given);\n"
        "process.stdout.write(JSON.stringify(made));\n"
    )
    (modules / "main.mjs").write_text(main, encoding="utf-8")
    done = subprocess.run([NODE, "main.mjs"], cwd=modules, input=json.dumps(given), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def verdicts(folder: Path, rows: Sequence[tuple[str, dict[str, Any] | None, dict[str, Any]]]) -> list[Any]:
    """The page's verdict on each (text, reader, key)."""
    tables: dict[int, int] = {}
    readers: list[Any] = []
    listed = []
    for text, reader, key in rows:
        if id(reader) not in tables:
            tables[id(reader)] = len(readers)
            readers.append(reader)
        listed.append([text, tables[id(reader)], key])
    code = "return given.rows.map(([text, table, key]) => page.judgeNumber(text, given.readers[table], key));"
    made: list[Any] = run_modules(folder, code, {"readers": readers, "rows": listed})
    return made
