"""One word of a response to one unit: `gigabytes`, `gb`, `KB`, `Gbps`, `tflops`, `GPUS`, `Mtokens`."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from string import ascii_lowercase
from typing import Final

from quizgen.formula.reading.lexicon import Lexicon
from quizgen.formula.reading.vocabulary import LONG_PREFIXES, OCTETS, PREFIXED_WORDS, UNIT_WORDS
from quizgen.formula.unit_table import BINARY, PHYSICAL, SI
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit, own_money

# Milliseconds, megaseconds or minutes: not for us to say.
_UNCLEAR: Final = ("Ms", "MS", "mS", "M", "m", "Msec", "Msecs", "MSec")
_OTHERS: Final = {
    "ks": Unit("ks", 1000, KNOWN_UNITS["s"].dim),
    **dict.fromkeys(("cent", "cents", "ct", "cts", "¢"), Unit("cent", Fraction(1, 100), KNOWN_UNITS["USD"].dim)),
    "ps": Unit("ps", Fraction(1, 10**12), KNOWN_UNITS["s"].dim),
    "permille": Unit("permille", Fraction(1, 1000), ONE.dim),
    **dict.fromkeys(("bp", "basispoint", "basispoints"), Unit("bp", Fraction(1, 10**4), ONE.dim)),
    "grand": Unit("kUSD", 1000, KNOWN_UNITS["USD"].dim),
    "hz": Unit("Hz", 1, KNOWN_UNITS["s"].dim ** -1),
    "ppm": Unit("ppm", Fraction(1, 10**6), ONE.dim),
}


@dataclass(frozen=True, slots=True)
class Atom:
    """One unit without products; `plural_flop` if it was written FLOPS, which may be a rate."""

    unit: Unit
    plural_flop: bool = False


def over(unit: Unit, other: Unit) -> Unit:
    factor = Fraction(unit.factor) / other.factor
    return Unit(f"{unit.symbol}/{other.symbol}", factor, unit.dim / other.dim, unit.labels + other.labels)


def below_one(unit: Unit) -> Unit | None:
    """The day of `1/day`, which is `daily`; None of any other unit."""
    if not unit.symbol.startswith("1/"):
        return None
    return Unit(unit.symbol[2:], 1 / Fraction(unit.factor), unit.dim**-1, unit.labels)


_PREFIXES: Final = {"": "", **LONG_PREFIXES, **{p.lower(): p for p in (*BINARY, *SI)}}


def _folded() -> dict[str, Atom]:
    """Spellings in lower case: prefixes before words, words of the vocabulary, counts and energies of the table."""
    found: dict[str, Atom] = {}
    for low, prefix in _PREFIXES.items():
        for word, symbol in PREFIXED_WORDS.items():
            if prefix + symbol in KNOWN_UNITS:
                found[low + word] = Atom(KNOWN_UNITS[prefix + symbol], symbol == "FLOP" and word != "flop")
    for word, symbol in UNIT_WORDS.items():
        found.setdefault(word, Atom(KNOWN_UNITS[symbol]))
    for known, unit in KNOWN_UNITS.items():
        if unit.dim.label or unit.dim.power("energy"):
            found.setdefault(known.lower(), Atom(unit))
    return found | {word: Atom(unit) for word, unit in _OTHERS.items()}


_FOLDED: Final = _folded()
LONG_WORDS: Final = frozenset(word for word in _FOLDED if len(word) > 3)


def is_shortened(word: str, whole: str) -> bool:
    """`mnths`, `lvls`: letters are left out between the first and the last."""
    letters, enough = iter(whole), len(word) > 2 and len(whole) <= 2 * len(word) + 1
    return enough and word[0] == whole[0] and word[-1] == whole[-1] and all(letter in letters for letter in word)


@lru_cache(maxsize=64)
def one_slip(word: str) -> frozenset[str]:
    """Words that `word` becomes with a letter more, one less (not the first), or two neighbours swapped."""
    cuts = [(word[:at], word[at:]) for at in range(len(word) + 1)]
    fewer = {left + right[1:] for left, right in cuts if left and right}  # btokens are billions
    swapped = {left + right[1] + right[0] + right[2:] for left, right in cuts if len(right) > 1}
    more = {left + letter + right for left, right in cuts for letter in ascii_lowercase}
    return frozenset(fewer | swapped | more)


@lru_cache(maxsize=1024)
def spelt(text: str, letter: str, lexicon: Lexicon, time: bool = False) -> Atom | None:
    """The unit that `text` spells where `letter` (b or B) is what an ambiguous `gb` means."""
    low = text.casefold()
    if low in lexicon.words:
        return Atom(lexicon.words[low])
    if text in KNOWN_UNITS and text not in ("1", "kb"):
        return Atom(KNOWN_UNITS[text])
    if text in _UNCLEAR:
        return Atom(KNOWN_UNITS["min"]) if text == "m" and time else None
    if text in OCTETS:
        return Atom(KNOWN_UNITS[OCTETS[text]])
    if text in ("TF", "PF", "EF"):
        return Atom(KNOWN_UNITS[f"{text[0]}FLOP"], plural_flop=True)
    rate = low.endswith("ps") and len(low) > 2
    data = _data_unit(text[:-2] if rate else text, letter, rate)
    if data is not None:
        return Atom(over(data, KNOWN_UNITS["s"]) if rate else data)
    if len(text) == 1 and text != low and not time and text != "X":
        return None  # 3D is no three days
    if low in _FOLDED and text not in ("Ks", "KS", "LR", "Lr"):
        return _FOLDED[low]
    return _scaled_count(text, lexicon) if len(text) > 3 else None


def _scaled_count(text: str, lexicon: Lexicon) -> Atom | None:
    """`Mtokens`, `ktok`, `MUSD`, `kpps`: a decimal prefix before a counted thing, money or a word of the bank; of
    counts nobody has thousandths (`mpps`)."""
    rest = spelt(text[1:], "B", lexicon) if text[0] in "kKmMGT" else None
    if rest is None:
        return None
    unit = rest.unit
    counted = (unit.dim.label or unit.symbol == "USD") and "/" not in unit.symbol
    if not counted and text[1:].casefold() not in lexicon.words:
        return None
    if text[0] == "m" and not any(power > 0 and name not in PHYSICAL for name, power in unit.dim.powers):
        return None
    prefix = {"K": "k", "m": "M"}.get(text[0], text[0])
    scale = 1000 if prefix == "T" and own_money(unit.dim) else SI[prefix]  # TEUR are thousands
    return Atom(Unit(prefix + unit.symbol, scale * unit.factor, unit.dim, unit.labels))


def _data_unit(text: str, letter: str, rate: bool) -> Unit | None:
    """Bytes and bits in words and letters: kilobytes, Gbit, gb, KB; `rate`: ps follows."""
    low = text.casefold()
    found = _FOLDED.get(low)
    if found is not None and rate and found.unit.symbol[-1] in "bB" and len(low) > 2 and low[-1] != "b":
        return found.unit
    if low.endswith("s") and not rate and len(low) > 2 and text[-2] in "Bb":  # 31.7 GBs
        text, low = text[:-1], low[:-1]
    prefix = _PREFIXES.get(low[:-1])
    if text[-1] not in "bB" or prefix is None or not (prefix or rate):
        return None
    symbol = text[-1]
    if text == low:  # all lower case: gb means what is asked, gbps line rates
        symbol = "b" if rate else letter
    return KNOWN_UNITS.get(prefix + symbol)
