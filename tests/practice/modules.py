"""The page's scripts run alone, by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from quizgen import data_folders
from quizgen.render.number_reader import number_reader_tables

NODE = shutil.which("node")
_MODULES = ("numbers/tables", "numbers/read", "practice/judge", "practice/steps", "practice/sitting", "practice/log")


def run_modules(folder: Path, code: str, given: Any) -> Any:
    """What `code` comes to as the body of a function of `given`, with the page's modules as `page`."""
    assert NODE is not None, "tests skip where there is no node"
    modules = folder / "modules"
    if not modules.exists():
        for name in ("numbers", "practice"):
            shutil.copytree(data_folders.shipped_folder_path("templates") / name, modules / name)
        (modules / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    imports = "".join(f'import * as m{n} from "./{name}.js";\n' for n, name in enumerate(_MODULES))
    main = (
        f"{imports}import {{ readFileSync }} from 'fs';\n"
        f"const page = {{ {', '.join(f'...m{n}' for n in range(len(_MODULES)))} }};\n"
        "const given = JSON.parse(readFileSync(0, 'utf8'));\n"
        f"const made = ((page, given) => {{ {code} }})(page, given);\n"
        "process.stdout.write(JSON.stringify(made));\n"
    )
    (modules / "main.mjs").write_text(main, encoding="utf-8")
    done = subprocess.run([NODE, "main.mjs"], cwd=modules, input=json.dumps(given), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


Typed = tuple[str, Mapping[str, Any], Mapping[str, Any] | None, str]


def verdicts(folder: Path, rows: Sequence[Typed]) -> list[Any]:
    """The page's verdict on each (text, reader, key, question); without a key how it reads the text, each
    reading as its amount in base units, what is shown, and whether it answers."""
    readers = list({id(reader): reader for _, reader, _, _ in rows}.values())
    places = {id(reader): place for place, reader in enumerate(readers)}
    code = """
      page.useTables(given.tables);
      const formats = given.readers.map((reader) => page.formatOf(reader, reader.lexicon));
      const plain = (one) => [one.word || (one.numbers || [one.base]).map((part) => part.map(String)), one.shown, one.fits];
      return given.rows.map(([text, place, key, asked]) => {
        if (key) return page.judgeNumber(text, formats[place], key, asked);
        const readings = page.read(text, formats[place], asked);
        return readings && readings.map(plain);
      });"""
    listed = [[text, places[id(reader)], key, asked] for text, reader, key, asked in rows]
    made: list[Any] = run_modules(folder, code, {"tables": number_reader_tables(), "readers": readers, "rows": listed})
    return made
