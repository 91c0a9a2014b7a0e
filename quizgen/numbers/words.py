"""The words that the reader of numbers knows, and the root that forms of a word share. Data: how units and numbers are
written, and what may stand around an amount. All in lower case unless a table says otherwise."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.units import FACTOR_BY_BINARY_PREFIX, FACTOR_BY_SI_PREFIX, KNOWN_UNITS, UNIT_ONE, Unit

_WORD_PATTERN: Final = re.compile(r"[^\W\d_]+(?:'[a-z]+)?")
_ENGLISH_ENDING_PATTERN: Final = re.compile(r"(?:'s|ings?|able|ions?|(?<!e)ed|es|e|(?<!s)s)$")


@lru_cache(maxsize=8192)
def word_root(word: str) -> str:
    """The word without its ending: `miss` for misses and missing, `query` for queries; a short word is unchanged."""
    lower_word = word.casefold().removesuffix("'s")
    if len(lower_word) < 4:
        return lower_word
    return f"{lower_word[:-3]}y" if lower_word.endswith("ies") else _ENGLISH_ENDING_PATTERN.sub("", lower_word)


def word_roots(text: str) -> tuple[str, ...]:
    """The word_roots of the words of `text`, in order."""
    return tuple(word_root(word) for word in _WORD_PATTERN.findall(text.casefold()))


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def word_root_set(text: str) -> frozenset[str]:
    return frozenset(map(word_root, text.split()))


def name_by_word_from_rows(rows: str) -> dict[str, str]:
    """A mapping from each word after a colon to the name before it, for rows such as `GB: gig gigs`."""
    pairs = (row.split(":") for row in rows.strip().splitlines())
    return {word: name.strip() for name, words in pairs for word in words.split()}


# -- units, besides the spellings of the unit table --------------------------------------------

UNIT_SYMBOL_BY_WORD: Final = name_by_word_from_rows("""
    s: s sec secs second seconds
    ms: ms msec msecs millisec millisecs millisecond milliseconds millis
    us: us usec usecs microsec microsecs microsecond microseconds micros
    ns: ns nsec nanosecs nanosecond nanoseconds
    min: min mins minute minutes minuten
    h: h hr hrs hour hours
    day: d day days
    week: wk wks week weeks
    year: y yr yrs year years
    USD: $ usd dollar dollars buck bucks
    %: % percent percents percentage pct prozent
    1: x times fold ratio
    GPU: gpu gpus gpu's
    request: req reqs
    GFLOP: gf
    TFLOP: tf
    PFLOP: pf
""")
DATA_WORD_BY_SLANG_WORD: Final = {"gig": "gb", "gigs": "gb", "meg": "mb", "megs": "mb"}
# Words that take a prefix, long or short: kilobytes, Gbit, tflops, megawatts.
UNIT_SYMBOL_BY_PREFIXABLE_WORD: Final = name_by_word_from_rows("""
    B: byte bytes octet octets
    b: bit bits
    FLOP: flop flops
    W: watt watts w
    J: joule joules j
    Wh: wh
""")
UNIT_PREFIX_BY_SPELLING: Final = {
    "": "", **{prefix.lower(): prefix for prefix in (*FACTOR_BY_SI_PREFIX, *FACTOR_BY_BINARY_PREFIX)},
    "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E", "zetta": "Z", "yotta": "Y",
    "kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti", "pebi": "Pi", "exbi": "Ei",
}  # fmt: skip
_YEAR, _DOLLAR = KNOWN_UNITS["year"], KNOWN_UNITS["USD"]
EXTRA_UNIT_BY_WORD: Final = {
    "hz": Unit("Hz", 1, KNOWN_UNITS["s"].dim ** -1),
    "bp": Unit("bp", Fraction(1, 10**4), UNIT_ONE.dim),
    **dict.fromkeys(word_set("cent cents ct cts ¢"), Unit("cent", Fraction(1, 100), _DOLLAR.dim)),
}
CENT_WORDS: Final = word_set("cent cents ct cts ¢ c pence penny paise rappen")  # hundredths of a bank's own currency
# Times that occur only after `per`, because months differ in length.
MONTH_UNIT_BY_WORD: Final = dict.fromkeys(("month", "mo", "mth"), Unit("month", Fraction(_YEAR.factor, 12), _YEAR.dim))
# Exact spellings that may mean milliseconds, minutes, megaseconds or millions: the expected unit decides.
AMBIGUOUS_UNIT_SPELLINGS: Final = word_set("m M Ms MS mS Msec MSec")

# -- numbers --------------------------------------------------------------------------------

FACTOR_BY_MAGNITUDE_WORD: Final = {
    "hundred": 10**2,
    **dict.fromkeys(word_set("thousand thousands"), 10**3),
    **dict.fromkeys(word_set("million millions mio mn mln mil"), 10**6),
    **dict.fromkeys(word_set("billion billions bn bln bil milliard mrd"), 10**9),
    **dict.fromkeys(word_set("trillion trillions tn trn"), 10**12),
}
# Exact spellings; each multiplies only if the expected amount, or the unit after it, is counted.
FACTOR_BY_MAGNITUDE_LETTER: Final = {
    "k": 10**3, "K": 10**3, "m": 10**6, "M": 10**6, "MM": 10**6, "b": 10**9, "B": 10**9, "G": 10**9, "T": 10**12,
    "P": 10**15, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30,
}  # fmt: skip
WORDS_BELOW_20: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
WORDS_FOR_TENS: Final = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
NUMBER_BY_WORD: Final = {
    **{word: number for number, word in enumerate(WORDS_BELOW_20)},
    **{word: 10 * number for number, word in enumerate(WORDS_FOR_TENS, 2)},
}
FUNCTION_NAMES: Final = word_set("sqrt log2 log10 ln exp ceil floor round min max abs")

# -- words around an amount, by the word_root that their forms share ---------------------------------

# These say nothing about the amount, or only how sure the candidate is. So does every word in -ly.
FILLER_WORD_ROOTS: Final = word_root_set("""
    a an the it its this that that's these here there is are was were be been do does did i i'm i'd i'll i've we we'd
    you one they my our think guess believe say estimate estimation assume suppose calculate compute about around approx
    rough circa ca near almost ish some maybe perhaps quite sure certain pretty round up down exact precise just final
    answer result solution value number figure amount correct right ok okay yes well please would will should could can
    may must might so thus hence therefore then and as also which what where give given gave make made mean equal come
    came get got need take taken took require has have had hold use cost leave fit in of for on to at by with from per
    each every into onto than if when while during within after total totally altogether overall combine sum add all
    together whole entire full both rate ratio factor fraction percent percentage decimal fold times x speed speedup
    usable incl including ie eg still now average
""")
# The quantity that an amount measures may be named beside it, whatever the stem calls it.
QUANTITY_WORD_ROOTS: Final = word_root_set("""
    memory vram ram hbm storage space disk data size footprint capacity big large long high time duration latency
    delay throughput bandwidth traffic price money cost work energy power budget state load usd yield interest annual
    net count quantity length volume min max minimum maximum smallest largest least most
""")
# A number after one of these is a condition (`on 32 GPUs`, `of 128`), if another amount is the answer.
WORDS_BEFORE_CONDITION: Final = word_set(
    "on with across over for at using of in from by after w given if when while assuming under"
)
# A word that introduces the result, as an equals sign does.
WORDS_BEFORE_RESULT: Final = word_set(
    "is so thus hence therefore makes making gives giving equals means totals yields becomes"
)
# These are never harmless in a response, even if the question contains them.
NEVER_HARMLESS_WORDS: Final = word_set("not never or nor no neither wait actually sorry between too")
# A bound, a range, a change, a loss, a denial or a part: the number meant is not the number written.
NUMBER_CHANGING_WORD_ROOTS: Final = word_root_set("""
    not no never or nor neither between either wait actually instead rather vs but unless below above under over beyond
    exceed plus minus less more fewer greater smaller bigger higher lower extra additional additionally another further
    twice double triple halve few several daily weekly monthly yearly hourly quarterly annually point divide multiply
    except too spare wasted later earlier longer shorter slower faster missing left negative loss losses lose lost down
    drop dropped fall fallen fell decrease reduction cheaper discount
    half halves quarter third fourth fifth sixth eighth tenth hundredth thousandth millionth
""")
# Phrases that say nothing; they are removed before the words are judged.
MEANINGLESS_PHRASES_PATTERN: Final = re.compile(
    r"\b(?:more or less|or (?:so|thereabouts)|give or take|not (?:quite )?sure(?: but)?"
    r"|round(?:ed|s|ing)? (?:up|down|off)|comes? to|(?:add|come|work|end)s? (?:up|out) (?:to|at|as)"
    r"|as (?:much|many|fast|large|big|high|long)(?: as)?|times (?:as|more|faster|larger|bigger|higher)"
    r"|no (?:more|less|fewer) than(?= \d)|end to end|i mean|no matter)\b"
)
# Phrases for a count that suffices: `at least 14`, `14 or more`.
BOUND_PHRASES_PATTERN: Final = re.compile(
    r"\b(?:at (?:least|most)|or (?:more|fewer|less)|no (?:more|fewer|less) than|up to)\b"
)
# Opposites, each side with its words: if the stem asks for one side, the other is a different amount.
OPPOSITE_WORD_ROOT_SETS: Final = tuple(
    tuple(map(word_root_set, sides.split(" | ")))
    for sides in (
        "hit | miss", "up uptime available availability | down downtime outage unavailable fail failing",
        "used busy occupied utilised utilized utilisation utilization | free idle unused left available remain",
        "read | write written", "one each direction there unidirectional | both back trip rtt bidirectional",
        "sent send | received", "lost lose loss dropped | arrive delivered received survive", "before | after",
        "average mean | peak worst p99", "download | upload", "profit gain | loss deficit", "gross | net",
        "revenue income | expense spending", "interest | principal", "bought buy bid | sold sell",
        "success succeed | failure fail error", "kept keep | discarded removed filtered", "asset | liability debt",
        "compressed | uncompressed raw", "inbound incoming | outbound outgoing", "including | excluding without",
        "data | parity", "payload | overhead header", "gone churn left | stay retained remain still",
    )
)  # fmt: skip
COMPARATIVES_AFTER_TIMES: Final = word_set("more faster larger bigger higher longer better")  # after `42 times`
# `31.7 GB each` answers a question that contains one of these.
WORD_ROOTS_ASKING_PER_ONE: Final = word_root_set("each apiece every per respectively one mean average")

# -- answers that are not numbers -----------------------------------------------------------------

# A response that begins with one of these (after "it is"): `impossible, 4N alone exceeds 80 GB`.
IMPOSSIBLE_PATTERN: Final = re.compile(
    r"(?:impossible|infeasible|not (?:possible|feasible)|no (?:solution|such (?:value|number)|k)"
    r"|(?:never|does not|doesn't|cannot|can't) (?:fits?|be done|exist))(?:[ ,].*)?$|never$|none$"
)
INFINITE_PATTERN: Final = re.compile(r"unbounded|infinit(?:e|y)|unlimited|inf|no (?:upper )?(?:limit|bound)|any number")
YES_WORDS: Final = word_set(
    "yes y yeah yep yup ja true t 1 valid legal allowed possible correct ok okay right divisible"
)
NO_WORDS: Final = word_set("no n nope nein false f 0 invalid illegal disallowed impossible incorrect wrong forbidden")
NEGATION_WORDS: Final = word_set("not isn't doesn't cannot can't won't never aren't")
PLAIN_YES_NO_WORDS: Final = word_set("yes no true false y n t f yep nope yeah yup 1 0 ja nein")
