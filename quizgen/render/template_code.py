"""Keeps compiled templates between runs, as Python keeps its modules: compiling those of a report takes as long as
scoring a few hundred responses."""

from __future__ import annotations

import sys
from contextlib import suppress
from hashlib import sha256
from importlib.util import cache_from_source
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

from quizgen.atomic_write import open_replacement_file


class TemplateBytecodeCache(BytecodeCache):
    """Keeps the byte code of each template file in Python's folder for byte code, after its hash, and only if Python
    may write there. Jinja compares the text and its own version with the present ones before it uses what was kept."""

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return cache_from_source(f"{filename or name}.py")

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            content = Path(bucket.key).read_bytes()
            if sha256(content[32:]).digest() == content[:32]:  # else the file is damaged
                bucket.bytecode_from_string(content[32:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        code = bucket.bytecode_to_string()
        with suppress(OSError):
            if not sys.dont_write_bytecode:
                Path(bucket.key).parent.mkdir(parents=True, exist_ok=True)
                with open_replacement_file(bucket.key, is_for_candidates=True) as file:
                    file.write(sha256(code).digest() + code)
