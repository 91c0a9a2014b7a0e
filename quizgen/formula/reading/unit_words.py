"""One word of a response to one unit: `gigabytes`, `gb`, `KB`, `Gbps`, `tflops`, `GPUS`, `Mtokens`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.reading.lexicon import Lexicon
from quizgen.formula.reading.vocabulary import (
    BIT_WORDS,
    BYTE_WORDS,
    FLOP_WORDS,
    LONG_PREFIXES,
    OCTETS,
    UNIT_WORDS,
)
from quizgen.formula.unit_table import BINARY, SI
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit

# Milliseconds, megaseconds or minutes: not for us to say.
_UNCLEAR: Final = ("Ms", "MS", "mS", "M", "m", "Msec", "Msecs", "MSec")


@dataclass(frozen=True, slots=True)
class Atom:
    """One unit without products; `plural_flop` if it was written FLOPS, which may be a rate."""

    unit: Unit
    plural_flop: bool = False


def over(unit: Unit, other: Unit) -> Unit:
    return Unit(
        f"{unit.symbol}/{other.symbol}",
        Fraction(unit.factor) / other.factor,
        unit.dim / other.dim,
        unit.labels + other.labels,
    )


@lru_cache(maxsize=4096)
def spelt(text: str, letter: str, lexicon: Lexicon, time: bool = False) -> Atom | None:
    """The unit that `text` spells where `letter` (b or B) is what an ambiguous `gb` means."""
    low = text.casefold()
    if low in lexicon.words:
        return Atom(lexicon.words[low])
    if text in KNOWN_UNITS and text not in ("1", "lr", "kb"):
        return Atom(KNOWN_UNITS[text])
    if text in _UNCLEAR:
        return Atom(KNOWN_UNITS["min"]) if text == "m" and time else None
    if text in OCTETS:
        return Atom(KNOWN_UNITS[OCTETS[text]])
    data = _data_unit(text, low, letter)
    if data is not None:
        return Atom(data)
    flop = _flop(text, low)
    if flop is not None:
        return flop
    for symbol, stem in (("W", "watt"), ("J", "joule")):
        body = low.removesuffix("s")
        if body.endswith(stem) and (prefix := _prefix(body[: -len(stem)])) is not None:
            return Atom(KNOWN_UNITS[prefix + symbol]) if prefix + symbol in KNOWN_UNITS else None
    if len(text) == 1 and text != low and not time and text != "X":
        return None  # 3D is no three days
    if low in UNIT_WORDS and low != "mb":
        return Atom(ONE if UNIT_WORDS[low] == "1" else KNOWN_UNITS[UNIT_WORDS[low]])
    if low == "ks" and text == "ks":
        return Atom(Unit("ks", Fraction(1000), KNOWN_UNITS["s"].dim))
    if low in ("cent", "cents", "¢"):
        return Atom(Unit("cent", Fraction(1, 100), KNOWN_UNITS["USD"].dim))
    if low == "permille":
        return Atom(Unit("permille", Fraction(1, 1000), ONE.dim))
    for known, unit in KNOWN_UNITS.items():
        if known.lower() == low and (unit.dim.label or unit.dim.power("energy")) and known != "lr":
            return Atom(unit)
    if text == "lr":
        return Atom(KNOWN_UNITS["lr"])
    return _scaled_count(text, lexicon) if len(text) > 3 else None


def _scaled_count(text: str, lexicon: Lexicon) -> Atom | None:
    """`Mtokens`, `ktok`, `MUSD`: a decimal prefix before a counted thing or money."""
    if text[0] not in "kKMGT":
        return None
    rest = spelt(text[1:], "B", lexicon)
    own = text[1:].casefold() in lexicon.words  # kpps
    if rest is None or not (
        own or ((rest.unit.dim.label or rest.unit.symbol == "USD") and "/" not in rest.unit.symbol)
    ):
        return None
    prefix = "k" if text[0] == "K" else text[0]
    return Atom(Unit(prefix + rest.unit.symbol, SI[prefix] * rest.unit.factor, rest.unit.dim, rest.unit.labels))


def _data_unit(text: str, low: str, letter: str) -> Unit | None:
    """Bytes and bits in words and letters: kilobytes, Gbit, GByte, gb, KB, GBps, Gbps."""
    rate = low.endswith("ps") and len(low) > 2
    body, low = (text[:-2], low[:-2]) if rate else (text, low)
    for words, symbol in ((BYTE_WORDS, "B"), (BIT_WORDS, "b")):
        for word in words:
            if low.endswith(word):
                prefix = _prefix(low[: -len(word)])
                return None if prefix is None else _rated(prefix + symbol, rate)
    if low.endswith("s") and not rate and len(low) > 2 and body[-2] in "Bb":  # 31.7 GBs
        body, low = body[:-1], low[:-1]
    if not low.endswith("b") or body[-1:] not in ("b", "B"):
        return None
    known = _prefix(low[:-1])
    if known is None or (not known and not rate):
        return None
    symbol = body[-1]
    if body == low and not (rate and len(body) > 1):  # all lower case: gb, mib
        symbol = letter if known or rate else "b"
    if rate and body == low:
        symbol = "b"  # gbps, mbps, bps: how line rates are written
    return _rated(known + symbol, rate)


def _rated(name: str, rate: bool) -> Unit | None:
    unit = KNOWN_UNITS.get(name)
    if unit is None:
        return None
    return over(unit, KNOWN_UNITS["s"]) if rate else unit


def _prefix(low: str) -> str | None:
    """The prefix that a folded spelling stands for: `giga`, `g`, `gi`, `k`; None if it is none."""
    if not low:
        return ""
    if low in LONG_PREFIXES:
        return LONG_PREFIXES[low]
    if low == "k":
        return "k"
    for table in (SI, BINARY):
        for prefix in table:
            if prefix.lower() == low:
                return prefix
    return None


def _flop(text: str, low: str) -> Atom | None:
    rate = low.endswith("flopps")
    for word in FLOP_WORDS:
        if low.endswith(word):
            prefix = _prefix(low[: -len(word)])
            unit = KNOWN_UNITS.get(f"{prefix}FLOP") if prefix is not None else None
            if unit is None:
                return None
            return Atom(unit, plural_flop=word != "flop")
    if rate or (low.endswith("f") and len(text) == 2 and text[0] in "TPE" and text[1] == "F"):
        unit = KNOWN_UNITS.get(f"{text[0]}FLOP")
        return None if unit is None else Atom(unit, plural_flop=True)
    return None
