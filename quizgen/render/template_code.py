"""Keeps compiled templates between runs, as Python keeps its modules: compiling those of a report takes as long as
scoring a few hundred responses."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pickle import UnpicklingError

from jinja2.bccache import Bucket, BytecodeCache

from quizgen.atomic_write import replace_file


class TemplateCode(BytecodeCache):
    """Keeps the byte code of each template file in Python's folder for byte code, and only if Python may write there.
    Jinja compares the text and its own version with the present ones before it uses what was kept."""

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        """The path of the byte code of the template in the file `filename`."""
        return cache_from_source(f"{filename or name}.py")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Gives `bucket` the code that was kept; none if there is none that can be read."""
        with suppress(OSError, EOFError, ValueError, UnpicklingError), open(bucket.key, "rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps the code of `bucket`, unless the folder cannot be written to or Python was told to write none."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                os.makedirs(os.path.dirname(bucket.key), exist_ok=True)
                with replace_file(bucket.key, handed_out=True) as file:
                    bucket.write_bytecode(file)
