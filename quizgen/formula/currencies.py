"""Currencies beside USD that a bank may count in: ISO 4217 codes, and how people write them. Data."""

from __future__ import annotations

from typing import Final

from quizgen.formula.dimensions import Dim
from quizgen.formula.unit_table import CURRENCY

# Code -> (a label that a bank may use in its place, the other words and signs). Dollars of other countries have only
# their codes: `$` stays USD unless the bank gives it away.
CURRENCIES: Final = {
    "EUR": ("euro", "euros €"),
    "GBP": ("pound", "pounds £ quid"),
    "CHF": ("franc", "francs fr sfr"),
    "JPY": ("yen", "¥"),
    "CNY": ("yuan", "¥ rmb renminbi"),
    "INR": ("rupee", "rupees ₹ rs"),
    "KRW": ("won", "₩"),
    "SEK": ("krona", "kronor kr"),
    "NOK": ("krone", "kroner kr"),
    "DKK": ("krone", "kroner kr"),
    "PLN": ("zloty", "zlotys zł"),
    "CZK": ("koruna", "korun kč"),
    "HUF": ("forint", "forints ft"),
    "TRY": ("lira", "liras ₺"),
    "BRL": ("real", "reais"),
    "ZAR": ("rand", "rands"),
    "MXN": ("peso", "pesos"),
    **{code: (code, "") for code in ("AUD", "CAD", "NZD", "SGD", "HKD")},
}
SIGNS: Final = frozenset("$") | frozenset(
    word for _, words in CURRENCIES.values() for word in words.split() if len(word) == 1 and not word.isalpha()
)
_NAMES: Final = frozenset(one for code, (name, _) in CURRENCIES.items() for one in (code, code.lower(), name))


def _written() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for code, (name, words) in CURRENCIES.items():
        low = code.lower()
        for word in {low, name.casefold(), *words.split()}:
            found[word] = tuple(dict.fromkeys((*found.get(word, ()), name.casefold(), low)))
    return found


# What a hundredth of one is called.
CENTS: Final = frozenset(("cent", "cents", "ct", "cts", "¢", "c", "pence", "penny", "paise", "rappen"))

# A word or sign in lower case -> under which names, in lower case, a bank may count what it says.
WRITTEN: Final = _written()


def own_money(dim: Dim) -> str:
    """The label of a bank's own currency in the numerator of `dim`; empty if there is none."""
    return next((name for name, power in dim.powers if power > 0 and name in _NAMES), "")


def is_money(dim: Dim) -> bool:
    """Whether it is an amount of money and nothing else."""
    return len(dim.powers) == 1 and dim.powers[0][1] == 1 and (dim.powers[0][0] == CURRENCY or bool(own_money(dim)))
