"""Dimensions and units: which amounts can be added, compared and converted.

Information, time, work, energy and money are dimensions; so is every label of a count. Four rules keep counts
convenient without hiding a mistake:

* `B/param * param` is B, and `param + token` is an error.
* A bare number may become a count: `12 * l * h**2` with bare l and h may be declared `param`, and
  `n - 1` is a count if n is one. A count never becomes another count, nor an amount of data:
  `2 * N` parameters are not bytes.
* A place that shares work (GPU, rank, node …) may be omitted from a share (`B/GPU` as B) and from a
  joint rate (`GPU*FLOP/s` as FLOP/s), and a number of places may be printed as a bare number.
* `GPU-h` is GPU times hour, so hours are not GPU-hours, except that an unlabelled time may be
  declared as GPU-h if the number of GPUs was bare.

The tables at the head hold the spellings, sizes and prefixes. Base units: bit, second, FLOP, joule, US dollar; a count
(param, token, GPU …) is a dimension of its own with factor 1."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final, TypeVar

from quizgen.formula import BadTextError
from quizgen.source.problems import DeclaredUnits, did_you_mean, shorten

# -- dimensions -----------------------------------------------------------------------------

DATA_DIMENSION: Final = "information"
TIME_DIMENSION: Final = "time"
FLOP_DIMENSION: Final = "FLOP"
ENERGY_DIMENSION: Final = "energy"
MONEY_DIMENSION: Final = "currency"

PHYSICAL_DIMENSIONS: Final = (DATA_DIMENSION, FLOP_DIMENSION, ENERGY_DIMENSION, MONEY_DIMENSION, TIME_DIMENSION)

WORDS_BY_DIMENSION: Final = {
    DATA_DIMENSION: "an amount of data", TIME_DIMENSION: "a time", FLOP_DIMENSION: "an amount of work",
    ENERGY_DIMENSION: "an energy", MONEY_DIMENSION: "an amount of money",
}  # fmt: skip

# Symbols of dimensions for messages without a unit.
MESSAGE_SYMBOL_BY_DIMENSION: Final = dict(zip(PHYSICAL_DIMENSIONS, ("B", "FLOP", "J", "USD", "s"), strict=True))

# -- prefixes -------------------------------------------------------------------------------

FACTOR_BY_SI_PREFIX: Final = {prefix: 1000**power for power, prefix in enumerate("kMGTPEZY", start=1)}
FACTOR_BY_BINARY_PREFIX: Final = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50, "Ei": 2**60}

# Suffixes of bare counts: 13B parameters, 350M, 128k tokens.
FACTOR_BY_COUNT_SUFFIX: Final = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "G": 10**9, "T": 10**12, "P": 10**15}

# -- units: symbol, value in base units (numerator, denominator), dimension powers, prefixes, other spellings

UNIT_ROWS: Final[tuple[tuple[str, int, int, tuple[tuple[str, int], ...], str, tuple[str, ...]], ...]] = (
    ("b", 1, 1, ((DATA_DIMENSION, 1),), "kMGTPE Ki Mi Gi Ti Pi Ei", ("bit", "bits")),
    ("B", 8, 1, ((DATA_DIMENSION, 1),), "kMGTPE Ki Mi Gi Ti Pi Ei", ("byte", "bytes")),
    ("s", 1, 1, ((TIME_DIMENSION, 1),), "", ("sec", "second", "seconds")),
    ("ms", 1, 10**3, ((TIME_DIMENSION, 1),), "", ()),
    ("us", 1, 10**6, ((TIME_DIMENSION, 1),), "", ("µs", "μs")),
    ("ns", 1, 10**9, ((TIME_DIMENSION, 1),), "", ()),
    ("min", 60, 1, ((TIME_DIMENSION, 1),), "", ("minute", "minutes")),
    ("h", 3600, 1, ((TIME_DIMENSION, 1),), "", ("hr", "hour", "hours")),
    ("day", 86400, 1, ((TIME_DIMENSION, 1),), "", ("days",)),
    ("week", 604800, 1, ((TIME_DIMENSION, 1),), "", ("weeks",)),
    ("year", 31536000, 1, ((TIME_DIMENSION, 1),), "", ("years",)),  # 365 days, as in reliability figures
    ("FLOP", 1, 1, ((FLOP_DIMENSION, 1),), "kMGTPEZY", ()),
    ("J", 1, 1, ((ENERGY_DIMENSION, 1),), "kMGT", ("joule", "joules")),
    ("W", 1, 1, ((ENERGY_DIMENSION, 1), (TIME_DIMENSION, -1)), "kMGT", ("watt", "watts")),
    ("Wh", 3600, 1, ((ENERGY_DIMENSION, 1),), "kMGT", ()),
    ("USD", 1, 1, ((MONEY_DIMENSION, 1),), "", ("$", "dollar", "dollars")),
    ("%", 1, 100, (), "", ("percent",)),
    ("1", 1, 1, (), "", ()),
)

# -- counts: label, plural, other spellings -------------------------------------------------


def _labels_with_plural_and_spellings(*rows: str) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Each label with its plural and all its other spellings. A row is the label, its plural and what else it is
    called; a row of one word has its plural in s."""
    words_of_rows = (row.split() if " " in row else [row, f"{row}s"] for row in rows)
    return tuple((label, names[0], tuple(one for one in names if one != label)) for label, *names in words_of_rows)


# Things that are counted. One label never converts into another, and none may be dropped.
COUNT_LABEL_ROWS: Final = _labels_with_plural_and_spellings(
    "param params parameter parameters", "token tokens tok", "sample", "sequence sequences seq", "request", "image",
    "element", "step", "iteration", "epoch", "layer", "head", "expert",
    "micro-batch micro-batches microbatch microbatches", "batch batches", "slot", "bucket", "message",
    "all-reduce all-reduces allreduce allreduces", "hop", "checkpoint", "failure", "block", "page", "op",
    "nats nats nat", "lr lr",
)  # fmt: skip

# Places that share work. `B/GPU` may be shown as B and `GPU*FLOP/s` as FLOP/s, because people state shares "on
# each GPU" and joint rates of "all GPUs together".
WORK_SHARING_LABEL_ROWS: Final = _labels_with_plural_and_spellings(
    "GPU GPUs gpu gpus", "rank", "node", "server", "replica", "stage", "device", "worker", "writer", "link",
    "process processes",
)  # fmt: skip

# Spellings that are not units, and what to write instead.
HINT_BY_UNKNOWN_UNIT: Final = {
    "FLOPS": "write FLOP/s for a rate, FLOP for an amount", "FLOPs": "write FLOP for an amount, FLOP/s for a rate",
    "flops": "write FLOP for an amount, FLOP/s for a rate", "flop": "write FLOP",
    "bps": "write b/s", "Bps": "write B/s", "m": "write min for minutes or ms for milliseconds",
    "KB": "write kB (1000 B) or KiB (1024 B)", "Kb": "write kb (1000 bits) or Kib (1024 bits)",
    **{prefix: f"write the number out: 1e{power}" for prefix, power in zip("KkMGT", (3, 3, 6, 9, 12), strict=True)},
    "Hz": "write 1/s",
}  # fmt: skip

# Counts that may be fractional, as a mean or an equivalent. Half a GPU or half a message makes no sense.
DIVISIBLE_LABELS: Final = frozenset({
    "param", "token", "sample", "sequence", "request", "image", "element", "epoch", "micro-batch", "slot",
    "checkpoint", "failure", "op", "nats", "lr", "rank", "hop", "page", "block",
})  # fmt: skip

# -- dimensions of amounts -------------------------------------------------------------------

AnyNumber = TypeVar("AnyNumber", bound=int | Fraction | float)
PLURAL_BY_LABEL: Final = {name: plural for name, plural, _ in (*COUNT_LABEL_ROWS, *WORK_SHARING_LABEL_ROWS)}
WORK_SHARING_LABEL_NAMES: Final = frozenset(name for name, _, _ in WORK_SHARING_LABEL_ROWS)
_SORT_RANK_BY_DIMENSION: Final = {name: i for i, name in enumerate((*PHYSICAL_DIMENSIONS, *PLURAL_BY_LABEL))}


@dataclass(frozen=True, slots=True)
class Dim:
    """A dimension: powers of base dimensions and labels, in table order, none of them zero."""

    powers: tuple[tuple[str, Fraction | int], ...] = ()

    def __mul__(self, other: Dim) -> Dim:
        powers = dict(self.powers)
        for name, power in other.powers:
            powers[name] = powers.get(name, 0) + power
        return dimension_of_power_pairs(powers.items())

    def __truediv__(self, other: Dim) -> Dim:
        return self * other**-1

    def __pow__(self, exponent: Fraction | int) -> Dim:
        return dimension_of_power_pairs((name, power * exponent) for name, power in self.powers)

    @property
    def is_bare(self) -> bool:
        """True for a plain number, without dimension or label."""
        return not self.powers

    @property
    def count_label(self) -> str:
        """The label if this is a count of one kind of thing (`param`), else an empty text."""
        if len(self.powers) == 1 and self.powers[0][1] == 1 and self.powers[0][0] not in PHYSICAL_DIMENSIONS:
            return self.powers[0][0]
        return ""

    @property
    def is_rate(self) -> bool:
        return any(name == TIME_DIMENSION and power < 0 for name, power in self.powers)

    def power_of(self, name: str) -> Fraction | int:
        return next((p for n, p in self.powers if n == name), 0)

    def __str__(self) -> str:
        """The dimension for messages: `B/param`, `GPU*s`, `1`."""
        numerators = [_dimension_power_text(n, p) for n, p in self.powers if p > 0]
        denominators = [_dimension_power_text(n, -p) for n, p in self.powers if p < 0]
        return "/".join(["*".join(numerators) or "1", *denominators])


def _dimension_power_text(name: str, power: Fraction | int) -> str:
    symbol = MESSAGE_SYMBOL_BY_DIMENSION.get(name, name)
    return symbol if power == 1 else f"{symbol}**{power}" if power == int(power) else f"{symbol}**({power})"


def dimension_of_power_pairs(powers: Iterable[tuple[str, Fraction | int]]) -> Dim:
    """The dimension of the powers, each base once, in any order; zero powers are dropped."""
    pairs = [(name, int(p) if p == int(p) else p) for name, p in powers if p]
    bank_rank = len(_SORT_RANK_BY_DIMENSION)  # units of a bank sort last
    return Dim(tuple(sorted(pairs, key=lambda pair: (_SORT_RANK_BY_DIMENSION.get(pair[0], bank_rank), pair[0]))))


DIMENSIONLESS: Final = Dim()


def dim_without_work_sharing_labels(dim: Dim) -> Dim:
    """`dim` without the labels of places that a share or a joint rate may omit."""
    is_rate = dim.is_rate
    powers = [(n, p) for n, p in dim.powers if n not in WORK_SHARING_LABEL_NAMES or (p > 0 and not is_rate)]
    return dimension_of_power_pairs(powers) if len(powers) != len(dim.powers) else dim


def dimension_of_sum(left: Dim, right: Dim) -> Dim | None:
    """The dimension of a sum, a minimum or a comparison of two amounts; None if they differ in kind."""
    if left == right:
        return left
    left, right = dim_without_work_sharing_labels(left), dim_without_work_sharing_labels(right)
    if left == right or (right.is_bare and left.count_label):
        return left
    return right if left.is_bare and right.count_label else None


def dimension_fits_declared(computed: Dim, declared: Dim) -> bool:
    """True if an amount of dimension `computed` may be written in a unit of dimension `declared`."""
    if computed == declared:
        return True
    computed_core, declared_core = dim_without_work_sharing_labels(computed), dim_without_work_sharing_labels(declared)
    if computed_core == declared_core:
        return True
    if any(name not in PHYSICAL_DIMENSIONS for name, _ in computed_core.powers):
        return computed_core.count_label in WORK_SHARING_LABEL_NAMES and declared.is_bare
    return all(name not in PHYSICAL_DIMENSIONS and power > 0 for name, power in (declared_core / computed_core).powers)


# Which amounts answer which question: where a response may omit or add a label. The engine's own rule is stricter,
# because an author can be corrected; a candidate who answers `16 bytes` to a question for bytes per parameter has
# understood the item.


_SYNONYMOUS_LABELS: Final = (
    frozenset({"GPU", "rank", "device", "worker", "process", "replica"}),
    frozenset({"step", "iteration"}),
    frozenset({"sequence", "sample", "request"}),
    frozenset({"message", "op"}),
    frozenset({"node", "server"}),
)
LABELS_NO_ANSWER_MAY_ADD: Final = frozenset({"param"})


def answer_dimension_fits(response_dim: Dim, requested_dim: Dim) -> bool:
    """True if an amount of dimension `response_dim` answers an item that asks for `requested_dim`.

    Labels may be omitted or added if that changes nothing: `16 bytes` for B/param, `32 GB per GPU` for B, `14 ranks`
    for GPUs. Time, data, work, money and energy may not; hours are not GPU-hours, and tokens are not parameters."""
    if response_dim is requested_dim or response_dim == requested_dim:
        return True
    response_powers, requested_powers = dict(response_dim.powers), dict(requested_dim.powers)
    physical_powers = {name: power for name, power in requested_powers.items() if name in PHYSICAL_DIMENSIONS}
    if {name: power for name, power in response_powers.items() if name in PHYSICAL_DIMENSIONS} != physical_powers:
        return False
    if (response_dim.is_bare and requested_dim.count_label) or (requested_dim.is_bare and response_dim.count_label):
        return True
    if requested_powers == {TIME_DIMENSION: -1}:  # 2000 requests/s, if the question is for 1/s
        return True

    def may_be_omitted(name: str) -> bool:
        power = requested_powers[name]
        if any(response_powers.get(synonym) == power for synonym in label_synonyms(name)):
            return True
        if any(label not in PHYSICAL_DIMENSIONS and p * power > 0 for label, p in response_powers.items()):
            return False  # another label takes its place
        return bool(physical_powers) and (power < 0 or name not in WORK_SHARING_LABEL_NAMES)

    def may_be_added(name: str) -> bool:
        if any(requested_powers.get(synonym) == response_powers[name] for synonym in label_synonyms(name)):
            return True
        if response_powers[name] > 0 or name in LABELS_NO_ANSWER_MAY_ADD:
            return False
        return all(label in PHYSICAL_DIMENSIONS or p > 0 for label, p in requested_powers.items())

    return all(
        response_powers.get(name) == requested_powers.get(name)
        or (name not in response_powers and may_be_omitted(name))
        or (name not in requested_powers and may_be_added(name))
        for name in response_powers.keys() | requested_powers.keys()
    )


def label_synonyms(name: str) -> tuple[str, ...]:
    """The other labels for the same thing."""
    return tuple(sorted(n for group in _SYNONYMOUS_LABELS if name in group for n in group if n != name))


def dimension_text(dim: Dim) -> str:
    """The kind of an amount of this dimension in words: `a time`, `a count of param`, `a rate (B/s)`."""
    if dim.is_bare:
        return "a bare number"
    if dim.count_label:
        return f"a count of {dim.count_label}"
    powers = {power for _, power in dim.powers}
    if powers == {1}:
        return f"{WORDS_BY_DIMENSION[dim.powers[0][0]] if len(dim.powers) == 1 else 'a product'} ({dim})"
    return f"a rate ({dim})" if powers == {1, -1} else str(dim)


# Code -> (a label that a bank may use instead, other words and signs). Dollars other than USD have only their codes,
# because `$` means USD unless the bank redefines it.
CURRENCIES: Final = {
    "EUR": ("euro", "euros €"), "GBP": ("pound", "pounds £ quid"), "CHF": ("franc", "francs fr sfr"),
    "JPY": ("yen", "¥"), "CNY": ("yuan", "¥ rmb renminbi"), "INR": ("rupee", "rupees ₹ rs"), "KRW": ("won", "₩"),
    "SEK": ("krona", "kronor kr"), "NOK": ("krone", "kroner kr"), "DKK": ("krone", "kroner kr"),
    "PLN": ("zloty", "zlotys zł"), "CZK": ("koruna", "korun kč"), "HUF": ("forint", "forints ft"),
    "TRY": ("lira", "liras ₺"), "BRL": ("real", "reais"), "ZAR": ("rand", "rands"), "MXN": ("peso", "pesos"),
    **{code: (code, "") for code in ("AUD", "CAD", "NZD", "SGD", "HKD")},
}  # fmt: skip
MONEY_LABELS: Final = frozenset(one for code, (name, _) in CURRENCIES.items() for one in (code, code.lower(), name))


# A word or sign in lower case -> names under which a bank may count it, in lower case.
CURRENCY_LABELS_BY_WORD: Final[dict[str, tuple[str, ...]]] = {}
for _code, (_name, _words) in CURRENCIES.items():
    for _word in {_code.lower(), _name.casefold(), *_words.split()}:
        _labels = (*CURRENCY_LABELS_BY_WORD.get(_word, ()), _name.casefold(), _code.lower())
        CURRENCY_LABELS_BY_WORD[_word] = tuple(dict.fromkeys(_labels))


def own_currency_label_of_dim(dim: Dim) -> str:
    """The label of a bank's own currency in the numerator of `dim`; empty if there is none."""
    return next((name for name, power in dim.powers if power > 0 and name in MONEY_LABELS), "")


# Units: their spellings and their values in base units of their dimension.


MAX_UNIT_CHARACTERS = 64
_UNIT_LABEL_PATTERN: Final = re.compile(r"[a-z][a-z-]{1,30}")
_PRODUCT_OR_QUOTIENT_SIGN_PATTERN: Final = re.compile(r"((?<!\*)\*(?!\*)|[/·])")  # not the sign of a power

PLURAL_BY_SYMBOL: Final = {**PLURAL_BY_LABEL, "day": "days", "week": "weeks", "month": "months", "year": "years"}

# Names that a bank declares for what it counts or measures: each with its plural, and its value if it is not a count
# of its own kind (a basis point is `0.01 %`).
BankUnits = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as written (`GB`, `B/param`, `GPU-h`): `factor` base units of dimension `dim`. `bank_units` are the own
    units of its bank, which no other bank knows."""

    symbol: str
    factor: int | Fraction  # an int where it is whole: arithmetic on ints is ten times as fast
    dim: Dim
    bank_units: BankUnits = field(default=(), compare=False)

    def __str__(self) -> str:
        return self.symbol

    def __hash__(self) -> int:
        return hash(self.symbol)  # equal units have the same spelling; hashing the factor too takes ten times as long

    @property
    def plural_symbol(self) -> str:
        """The symbol after a number other than one: `params`, `tokens/s`, but `GB`."""
        numerator, slash, denominator = self.symbol.partition("/")
        bank_plural = next((one[1] for one in self.bank_units if one[0] == numerator), numerator)
        return PLURAL_BY_SYMBOL.get(numerator, bank_plural) + slash + denominator

    @property
    def has_convertible_or_currency_label(self) -> bool:
        """True if a bank converts this label to or from another, or if it is a currency: with `mg: [0.001 gram]` grams
        are not a count."""
        label = self.dim.count_label
        rows = (one for one in self.bank_units if label and one[2])
        return label in CURRENCIES or any(label in (one[0], one[2].partition(" ")[2]) for one in rows)

    @property
    def is_indivisible(self) -> bool:
        """True if the unit counts indivisible things: packets, but not tokens, euros or measured amounts."""
        label, is_money = self.dim.count_label, bool(own_currency_label_of_dim(self.dim))
        return bool(label) and not (label in DIVISIBLE_LABELS or is_money or self.has_convertible_or_currency_label)

    def symbol_after_number_text(self, number: str) -> str:
        """The symbol after a number as shown: a word has its plural except after 1. `1 day`, `27.05 days`, `5072
        tokens/s`, `2 B/param`."""
        return self.symbol if number in ("1", "-1") else self.plural_symbol


def int_if_whole(value: AnyNumber) -> AnyNumber | int:
    """A whole Fraction as an int (int arithmetic is ten times as fast); every other number unchanged."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def _build_unit_by_spelling() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    for symbol, numerator, denominator, powers, prefixes, spellings in UNIT_ROWS:
        dim, factor = dimension_of_power_pairs(powers), int_if_whole(Fraction(numerator, denominator))
        units |= dict.fromkeys((symbol, *spellings), Unit(symbol, factor, dim))
        si, *binary = prefixes.split() or [""]
        for prefix in (*si, *binary):
            multiple = Unit(prefix + symbol, factor * {**FACTOR_BY_SI_PREFIX, **FACTOR_BY_BINARY_PREFIX}[prefix], dim)
            units |= dict.fromkeys((prefix + symbol, f"{prefix}bit" if symbol == "b" else prefix + symbol), multiple)
    for name, _, spellings in (*COUNT_LABEL_ROWS, *WORK_SHARING_LABEL_ROWS):
        units |= dict.fromkeys((name, *spellings), Unit(name, 1, Dim(((name, 1),))))
    return units


KNOWN_UNITS: Final = _build_unit_by_spelling()
_LOWER_TWO_LETTER_SPELLINGS: Final = {name.lower() for name in KNOWN_UNITS if len(name) == 2}  # gb is a slip for GB
UNIT_ONE: Final = KNOWN_UNITS["1"]


def as_bank_units(declared_units: DeclaredUnits) -> BankUnits:
    """The labels that a bank declares (`units: {row: [rows]}`)."""
    return tuple((name, *row) for name, row in declared_units.items() if len(row) == 2)


def find_unit(name: str, bank_units: BankUnits = ()) -> Unit | None:
    """The unit with this exact spelling, the engine's own or a label or plural of `bank_units`; None if there is
    none."""
    unit = KNOWN_UNITS.get(name)
    label = next((one for one in bank_units if name in one[:2]), None) if unit is None else None
    if label is None:
        return unit
    number, _, unit_text = label[2].partition(" ")
    base = parse_unit(unit_text, bank_units) if unit_text else Unit("", 1, Dim(((label[0], 1),)))
    return Unit(label[0], int_if_whole(Fraction(number or 1) * base.factor), base.dim, bank_units)


def is_allowed_bank_unit_label(word: str) -> bool:
    """True if a bank may use this word as a label: small letters, or the code of a currency."""
    return bool(_UNIT_LABEL_PATTERN.fullmatch(word)) or word in CURRENCIES


def new_unit_labels(text: str, bank_units: BankUnits = ()) -> tuple[str, ...]:
    """The words in a unit's spelling that a bank may declare as its own labels and that `bank_units` lack."""
    words = re.split(r"[/*]", text)
    labels = (word for word in words if find_unit(word, bank_units) is None and is_allowed_bank_unit_label(word))
    return tuple(word for word in labels if len(word) > 2 or word not in _LOWER_TWO_LETTER_SPELLINGS)


@lru_cache(maxsize=4096)
def parse_unit(text: str, bank_units: BankUnits = ()) -> Unit:
    """A unit from its spelling: `B/param`, `GPU-h`, `USD/GPU-h`, `FLOP/s`, `Gb/s`, `1/s`, `s**2`, `%`.

    A hyphen is a product that binds tighter than `/`; `*` and `/` are applied from left to right. `bank_units` are the
    bank's own units. Raises BadTextError with the nearest known spelling."""
    stripped = text.strip()
    if not stripped or len(stripped) > MAX_UNIT_CHARACTERS:
        raise BadTextError(f'"{shorten(text)}" is not a unit', "write a unit such as GB, s, FLOP/s or B/param")
    if (exact_unit := find_unit(stripped, bank_units)) is not None:
        return exact_unit if exact_unit is UNIT_ONE or not bank_units else replace(exact_unit, bank_units=bank_units)
    symbol, factor, dim = "", Fraction(1), DIMENSIONLESS
    parts = ["", *_PRODUCT_OR_QUOTIENT_SIGN_PATTERN.split(stripped)]
    for sign, term in zip(parts[::2], parts[1::2], strict=True):
        name, _, exponent = (part.strip() for part in term.partition("**" if "**" in term else "^"))
        if exponent and not re.fullmatch("[0-9]", exponent):
            raise BadTextError(f'"{shorten(stripped)}" has no whole exponent after **', "write s**2")
        unit, power = _parse_hyphenated_unit_or_raise(name, stripped, bank_units), int(exponent or 1)
        symbol += sign + (f"{unit.symbol}**{power}" if exponent else unit.symbol)
        power = -power if sign == "/" else power
        factor, dim = factor * Fraction(unit.factor) ** power, dim * unit.dim**power
    return Unit(symbol, int_if_whole(factor), dim, bank_units)


def _parse_hyphenated_unit_or_raise(name: str, unit_text: str, bank_units: BankUnits) -> Unit:
    """The unit of a symbol, or of symbols joined by hyphens: `GPU-h` is GPU times hour, `micro-batch` one word."""
    if (unit := find_unit(name, bank_units)) is not None:
        return unit
    head, hyphen, tail = name.rpartition("-")
    if hyphen and (right := find_unit(tail, bank_units)) is not None:
        left = _parse_hyphenated_unit_or_raise(head, unit_text, bank_units)
        return Unit(f"{left.symbol}-{right.symbol}", left.factor * right.factor, left.dim * right.dim, bank_units)
    part = f' in "{shorten(unit_text)}"' if name != unit_text else ""
    error = BadTextError(f'unknown unit "{shorten(name)}"{part}', _unknown_unit_hint(name, bank_units))
    error.unknown_unit_spelling = name
    raise error


def _unknown_unit_hint(name: str, bank_units: BankUnits) -> str:
    """What to write instead of the refused unit `name`."""
    prefix, base = name[:1], name[1:]
    if name in HINT_BY_UNKNOWN_UNIT:
        return HINT_BY_UNKNOWN_UNIT[name]
    if prefix in FACTOR_BY_SI_PREFIX and len(base) > 1 and base in HINT_BY_UNKNOWN_UNIT:
        # TFLOP/s for TFLOPS, Gb/s for Gbps
        return re.sub(r"(write |, )(FLOP|[bB]/s)", rf"\1{prefix}\2", HINT_BY_UNKNOWN_UNIT[base])
    if not name:
        return "write a unit on both sides of every / and *"
    if not {"(", ")"}.isdisjoint(name):
        return "write it without brackets, with a / before each unit of the denominator: J/gram/kelvin"
    if symbols := [f'"{symbol}"' for symbol in KNOWN_UNITS if symbol.lower() == name.lower()]:
        return f"did you mean {' or '.join(symbols)}?"
    # Among names of one or two letters everything would be a near match.
    if len(name) > 2 and (hint := did_you_mean(name, (*KNOWN_UNITS, *(one[0] for one in bank_units)))):
        return hint
    remedy = "a word of two small letters or more that the bank declares: gram, after `units: {gram: [g]}`"
    if is_allowed_bank_unit_label(name):
        spellings = ", ".join(CURRENCIES.get(name, ("", ""))[1].split()) or f"{name.removesuffix('s')}s"
        remedy = f"let the bank count it: `units: {{{name}: [{spellings}]}}`"
    units = "known are B, b, FLOP, s, W, J, USD and % with prefixes, min, h, day, and counts such as GPU, token, rank"
    return f"{units}, or {remedy}"


def plainest_unit_of(dim: Dim, bank_units: BankUnits = ()) -> Unit:
    """The plainest unit of a dimension: B, s, FLOP/s, B/param, W, GPU-h, USD/h; `bank_units` are the bank's own
    units."""
    if dim.is_bare:
        return UNIT_ONE
    if usual_unit := next((unit for unit in map(parse_unit, ("W", "GPU-h", "USD/h")) if unit.dim == dim), None):
        return usual_unit
    scale = Fraction(8) ** int(dim.power_of(DATA_DIMENSION)) if dim.power_of(DATA_DIMENSION) else Fraction(1)
    return Unit(str(dim), int_if_whole(scale), dim, bank_units)
