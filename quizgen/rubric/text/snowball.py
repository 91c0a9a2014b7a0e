"""Snowball's stemmer of English alone: its own package loads thirty languages before it gives one.

It is asked for by name, for `snowballstemmer.stemmer` takes PyStemmer where that is installed, whose tables may be of
another version.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec

_found = find_spec("snowballstemmer")
__path__ = list(_found.submodule_search_locations or ()) if _found else []  # what is imported from here is found there


def english() -> Callable[[str], str]:
    """From a word to its stem."""
    stemmer: Callable[[str], str] = import_module(f"{__name__}.english_stemmer").EnglishStemmer().stemWord
    return stemmer
