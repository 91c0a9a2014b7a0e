"""A file, imported."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import Command

from tests.interchange.made import Import, Imported


@pytest.fixture
def imported(tmp_path: Path, command: Command) -> Import:
    """What an import makes of a file, into the folder `bank`: `imported("a.csv", text, "--active")`; it ends with `code`."""

    def call(name: str, data: str | bytes, *options: str, code: int = 0) -> Imported:
        path, bank = tmp_path / name, tmp_path / "bank"
        path.write_bytes(data if isinstance(data, bytes) else data.encode())
        said = command("import", path, *options, "-o", bank, code=code).err
        made = bank / f"{path.stem}.yaml"
        return Imported(bank, made.read_text(encoding="utf-8") if made.exists() else "", said)

    return call
