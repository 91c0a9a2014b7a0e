"""Growth rates however they are put: `O(n log n)`, `n*log2(n)`, "n squared", `O(n2)`, "logarithmic".

A rate without its O is one token too and has the canonical spelling of the rate, so that a rubric
and a response agree whichever of them writes the O. Superscripts are often lost: n2 is n squared.
"""

from __future__ import annotations

import re
from typing import Final

_LOG: Final = (
    r"(?:log|lg|ln)(?:[ ]{0,4}(?:_?2|_?\(2\)|(?:to[ ]{1,4}the[ ]{1,4})?base[ ]{1,4}(?:of[ ]{1,4})?2))?(?:[ ]{1,4}of)?"
    r"[ ]{0,4}(?:\([ ]{0,4}[nm][ ]{0,4}\)|[nm](?![^\W_]))"
)
# A rate without O. Every branch is linear: nothing repeats.
RATE: Final = (
    rf"(?<![^\W_])(?:(?:[nm](?:[ ]{{0,4}}\*[ ]{{0,4}}|[ ]{{1,4}}times[ ]{{1,4}}|[ -]{{1,4}})?)?{_LOG}"
    r"|[nm](?:[ ]{0,4}(?:\^|\*\*)[ ]{0,4}\(?[23]\)?|[ -]{1,4}(?:squared?|cubed?))(?![^\W_])"
    r"|[nm](?<!\*[nm])(?<!\*[ ][nm])[ ]{0,4}\*[ ]{0,4}[nm](?![^\W_])(?![ ]{0,4}\*[ ]{0,4}[nm])"
    r"|n[23](?![^\W_])"
    r"|2[ ]{0,4}(?:\^|\*\*)[ ]{0,4}[nm](?![^\W_]))"
)
_RATE: Final = re.compile(RATE)
_SPACES: Final = re.compile(r"[\s-]+")
_LOGS: Final = re.compile(
    r"log(?:tothe)?base(?:of)?2(?:of)?|log_?\(?2\)?(?:of)?(?=[^\W\d_(])|log_?\(?base2\)?(?=[^\W\d_(])|log_?2|logof|lg|ln"
)

# What a rate is called, and the rate that a word stands for.
_CALLED: Final[dict[str, tuple[str, ...]]] = {
    "o(1)": ("constant",),
    "o(logn)": ("logarithmic",),
    "o(n)": ("linear",),
    "o(nlogn)": ("linearithmic",),
    "o(n^2)": ("quadratic", "square", "squared"),
    "o(n^3)": ("cubic",),
    "o(2^n)": ("exponential",),
}
MEANT: Final[dict[str, str]] = {
    "logarithmic": "o(logn)",
    "logarithmically": "o(logn)",
    "linearly": "o(n)",
    "linearithmic": "o(nlogn)",
    "quadratic": "o(n^2)",
    "quadratically": "o(n^2)",
    "cubic": "o(n^3)",
    "exponential": "o(2^n)",
    "exponentially": "o(2^n)",
}
# Rates whose names mean too much else to stand alone: "linear probing", "a constant".
IN_WORDS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "o(1)": (("constant", "time"), ("constant", "complexity"), ("order", "1"), ("order", "one")),
    "o(n)": (("linear", "time"), ("linear", "complexity"), ("linear", "run"), ("order", "n")),
}


def has_o(token: str) -> bool:
    """`o(...)` as the tokenizer finds it."""
    return len(token) > 3 and token[0] in "oθω" and token[-1] == ")" and "(" in token[:3]


def is_complexity(token: str) -> bool:
    """A growth rate, with or without its O."""
    return has_o(token) or (token[:1] in ("n", "m", "l", "2") and len(token) > 1 and _RATE.fullmatch(token) is not None)


def canonical(token: str) -> str:
    """`O( n * log2(n) )`, `Θ(n log n)` and `n lg n` as `o(nlogn)`: the spelling of a rate that is compared."""
    inner = token[token.index("(") + 1 : -1] if has_o(token) else token
    inner = _SPACES.sub("", inner) if not has_o(token) else re.sub(r"\s+", "", inner)
    inner = inner.replace("**", "^").replace("times", "*")
    inner = re.sub(r"^([nm])\*\1$", r"\1^2", inner)
    inner = inner.replace("*", "").replace("·", "").replace("•", "").replace("|", "")
    inner = _LOGS.sub("log", inner)
    inner = re.sub(r"squared?", "^2", inner)
    inner = re.sub(r"cubed?", "^3", inner)
    inner = re.sub(r"(?<![a-z])([nm])\^?\(?([23])\)?(?!\d)", r"\1^\2", inner)
    if "log(" in inner:
        inner = re.sub(r"log\(([^()]*)\)", r"log\1", inner)
    return f"o({inner})"


def called(rate: str) -> tuple[str, ...]:
    """The words for a canonical rate."""
    return _CALLED.get(rate.replace("m", "n"), ()) if len(rate) < 12 else ()


def parts(token: str) -> tuple[str, ...]:
    """The words inside a rate without O, so that a phrase `log` still finds "log n"."""
    return () if has_o(token) else tuple(dict.fromkeys(re.findall(r"[a-z]+|\d+", token)))
