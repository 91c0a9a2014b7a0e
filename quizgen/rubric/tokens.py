"""Splits a text into words, numbers, growth rates and marks, in the form in which rubrics and responses are
compared."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, NamedTuple
from unicodedata import ucd_3_2_0 as unicode32

from quizgen.rubric.lexicon import FUNCTION_WORDS, HTML_TAG_NAMES_PATTERN
from quizgen.rubric.scopes import NEGATING_WORDS

# -- Growth rates in all spellings: `O(n log n)`, `n*log2(n)`, "n squared", `O(n2)`, "logarithmic".
# A rate without its O is also one token and has the canonical spelling of the rate, so a rubric and a
# response agree whichever of them writes the O. Superscripts are often lost: n2 is n squared.

_LOG_OF_N_PATTERN: Final = (
    r"(?:log|lg|ln)(?:[ ]{0,4}(?:_?2|_?\(2\)|(?:to[ ]{1,4}the[ ]{1,4})?base[ ]{1,4}(?:of[ ]{1,4})?2))?(?:[ ]{1,4}of)?"
    r"[ ]{0,4}(?:\([ ]{0,4}[nm][ ]{0,4}\)|[nm](?![^\W_]))"
)
# A rate without O. Every branch is linear: nothing repeats.
GROWTH_RATE_WITHOUT_O_PATTERN_TEXT: Final = (
    rf"(?<![^\W_])(?:(?:[nm](?:[ ]{{0,4}}\*[ ]{{0,4}}|[ ]{{1,4}}times[ ]{{1,4}}|[ -]{{1,4}})?)?{_LOG_OF_N_PATTERN}"
    r"|[nm](?:[ ]{0,4}(?:\^|\*\*)[ ]{0,4}\(?[23]\)?|[ -]{1,4}(?:squared?|cubed?))(?![^\W_])"
    r"|[nm](?<!\*[nm])(?<!\*[ ][nm])[ ]{0,4}\*[ ]{0,4}[nm](?![^\W_])(?![ ]{0,4}\*[ ]{0,4}[nm])"
    r"|n[23](?![^\W_])"
    r"|2[ ]{0,4}(?:\^|\*\*)[ ]{0,4}[nm](?![^\W_]))"
)
_RATE_WITHOUT_O_PATTERN: Final = re.compile(GROWTH_RATE_WITHOUT_O_PATTERN_TEXT)
_SPACES_AND_HYPHENS: Final = re.compile(r"[\s-]+")
_LOGARITHM_SPELLINGS_PATTERN: Final = re.compile(
    r"log(?:tothe)?base(?:of)?2(?:of)?|log_?\(?2\)?(?:of)?(?=[^\W\d_(])|log_?\(?base2\)?(?=[^\W\d_(])|log_?2|logof|lg|ln"
)

# Names of rates, and the rate that a word means.
_NAMES_BY_GROWTH_RATE: Final[dict[str, tuple[str, ...]]] = {
    "o(1)": ("constant",),
    "o(logn)": ("logarithmic",),
    "o(n)": ("linear",),
    "o(nlogn)": ("linearithmic",),
    "o(n^2)": ("quadratic", "square", "squared"),
    "o(n^3)": ("cubic",),
    "o(2^n)": ("exponential",),
}
# Rates whose names are too ambiguous alone: "linear probing", "a constant".
WORD_PAIRS_BY_RATE: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "o(1)": (("constant", "time"), ("constant", "complexity"), ("order", "1"), ("order", "one")),
    "o(n)": (("linear", "time"), ("linear", "complexity"), ("linear", "run"), ("order", "n")),
}
GROWTH_RATE_BY_WORD: Final[dict[str, str]] = {"linearly": "o(n)"} | {
    word: rate
    for rate, (name, *_) in _NAMES_BY_GROWTH_RATE.items()
    if rate not in WORD_PAIRS_BY_RATE
    for word in (name, f"{name}ly" if name.endswith("l") else f"{name}ally")
}


def is_big_o(token: str) -> bool:
    """Whether the token is a growth rate in O notation, such as `o(nlogn)`."""
    return len(token) > 3 and token[0] in "oθω" and token[-1] == ")" and "(" in token[:3]


def is_growth_rate(token: str) -> bool:
    """Whether the token is a growth rate, with or without its O."""
    return is_big_o(token) or (
        token[:1] in ("n", "m", "l", "2") and len(token) > 1 and _RATE_WITHOUT_O_PATTERN.fullmatch(token) is not None
    )


def canonical_growth_rate(token: str) -> str:
    """A growth rate in one spelling for comparison: `O( n * log2(n) )`, `Θ(n log n)` and `n lg n` give `o(nlogn)`."""
    body = "".join(token[token.index("(") + 1 : -1].split()) if is_big_o(token) else _SPACES_AND_HYPHENS.sub("", token)
    body = body.replace("**", "^").replace("times", "*")
    body = re.sub(r"^([nm])\*\1$", r"\1^2", body)
    body = body.replace("*", "").replace("·", "").replace("•", "").replace("|", "")
    body = _LOGARITHM_SPELLINGS_PATTERN.sub("log", body)
    body = re.sub(r"squared?", "^2", body)
    body = re.sub(r"cubed?", "^3", body)
    body = re.sub(r"(?<![a-z])([nm])\^?\(?([23])\)?(?!\d)", r"\1^\2", body)
    body = re.sub(r"log\(([^()]*)\)", r"log\1", body)
    return f"o({body})"


def matchable_words_of_rate(token: str) -> tuple[str, ...]:
    """The words and numbers in a rate without O, so that `log` matches "log n", and the words for it, such as
    "linear"."""
    words = () if is_big_o(token) else dict.fromkeys(re.findall(r"[a-z]+|\d+", token))
    rate = canonical_growth_rate(token)
    return (*words, *(_NAMES_BY_GROWTH_RATE.get(rate.replace("m", "n"), ()) if len(rate) < 12 else ()))


# -- Responses and rubrics made comparable: a small table of our own, and a map back to every character.
# Not NFKC: it turns 10⁶ into 106, expands one character into eighteen, is quadratic on combining marks
# and differs between Pythons. Each character is folded by itself, with the Unicode 3.2 tables that
# every Python contains unchanged, so the result is the same everywhere and takes linear time.

MAX_RESPONSE_CHARACTERS: Final = 64 << 10  # characters read of one response; the rest is cut, and the candidate is told

_FOLDED_TEXT_BY_SIGN: Final[dict[str, str]] = {
    **dict.fromkeys("‘’‚‛′ʼ´`", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–−", "-"),
    **dict.fromkeys("—―", " — "),
    **dict.fromkeys("·‣●▪◦∙⋅", "•"),
    **dict(zip("₋ₐₑₒₓₖₗₘₙₚₛₜᵢⱼ", "-aeoxklmnpstij", strict=True)),
    "×": "x", "✕": "x", "÷": "/", "∕": "/", "⁄": "/", "≤": "<=", "⩽": "<=", "≥": ">=", "⩾": ">=", "≠": "!=",
    "→": "->", "⇒": "=>", "⟶": "->", "←": "<-", "↔": "<->", "≈": "~", "∼": "~", "¬": " not ", "∧": " and ", "∨": " or ",
    "µ": "u", "μ": "u", "ß": "ss", "ẞ": "ss", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ł": "l", "Ł": "l", "æ": "ae",
    "Æ": "ae", "œ": "oe", "Œ": "oe", "ı": "i", "∞": "infinity", "√": "sqrt", "½": "0.5", "¼": "0.25", "¾": "0.75",
    "\u2028": "\n", "\u2029": "\n", "\x85": "\n", "\r": "\n", "\v": "\n", "\f": "\n", "℃": "c",
    "⬆": "↑", "⬇": "↓", "↗": "↑", "↘": "↓", "。": ". ", "，": ", ", "；": "; ", "：": ": ",
}  # fmt: skip
_CHARACTER_BY_SUPERSCRIPT: Final = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿⁱᵏᵀ", "0123456789-+nikt", strict=True))


@cache
def _folded_text_of_char(char: str) -> str:
    """One character in lower case without accents; may be empty or several characters."""
    if char in _FOLDED_TEXT_BY_SIGN:
        return _FOLDED_TEXT_BY_SIGN[char]
    if ord(char) < 128:
        return char.lower() if " " <= char <= "~" or char == "\n" else " "
    category = unicode32.category(char)
    if char == "\xad" or category in ("Mn", "Me", "Cf") or "\u200b" <= char <= "\u200f" or "\ufe00" <= char <= "\ufe0f":
        return ""
    if category in ("Zs", "Cc", "Cn"):
        return " "  # also characters newer than the tables, about which Pythons disagree
    parts = unicode32.normalize("NFKD", char)
    if len(parts) > 4:
        return char
    return "".join(c for c in parts if unicode32.category(c) != "Mn").lower() or char


class FoldedText(NamedTuple):
    """A text in lower case without accents and markup. `original_char_places[i]` is the place of `text[i]` in
    `original` (None: the places are the same). `is_cut`: the original was too long, and only its beginning was read."""

    original: str
    text: str
    original_char_places: tuple[int, ...] | None
    is_cut: bool

    def original_char_span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the original text of the characters from `start` to before `end`."""
        places = self.original_char_places
        if places is None:
            return start, end
        first = places[start]
        last = places[end - 1] + 1
        # Include combining marks and joiners that belong to the last character.
        while last < len(self.original) and _folded_text_of_char(self.original[last]) == "":
            last += 1
        return first, last


_MARKUP_PATTERN: Final = re.compile(
    rf"</?(?:{HTML_TAG_NAMES_PATTERN})(?:\s[^<>]{{0,300}})?/?>|&(?:nbsp|amp|lt|gt|quot|apos|#x?[0-9a-f]{{1,6}});"
    r"|\\[a-z]{2,}|https?://\S+|!?\[(?=[^\[\]\n]{1,200}\]\([^()\s]{0,300}\))|\]\([^()\s]{0,300}\)|<!--|-->"
)
_BLOCK_TAGS_PATTERN: Final = re.compile(r"</?(?:br|p|li|div|tr|h[1-6]|ul|ol|hr)\b")
_CHARACTER_BY_HTML_ENTITY: Final = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'"}


# Tabs and control characters are blanks; code between backquotes is read like other text.
_REPLACEMENT_BY_ASCII_CODE: Final = dict.fromkeys((*range(32), 127), " ") | str.maketrans("\n\v\f\r`", "\n\n\n\n'")


def fold_text(text: str) -> FoldedText:
    """The text cut to MAX_RESPONSE_CHARACTERS characters, in lower case, without accents and markup. Takes linear time;
    the result is at most four times as long."""
    # Windows ends a line with two characters; as two line ends they would end the sentence.
    is_cut, text = len(text) > MAX_RESPONSE_CHARACTERS, text[:MAX_RESPONSE_CHARACTERS].replace("\r\n", " \n")
    char_places: tuple[int, ...] | None = None
    if text.isascii():
        result = text.lower()
        if not result.isprintable() or "`" in result:
            result = result.translate(_REPLACEMENT_BY_ASCII_CODE)
    else:
        result, char_places = _fold_non_ascii(text)
    if "<" in result or "\\" in result or "://" in result or "&" in result or "](" in result:
        result = _MARKUP_PATTERN.sub(_blanks_for_markup_match, result)
    return FoldedText(text, result, char_places, is_cut)


def _fold_non_ascii(text: str) -> tuple[str, tuple[int, ...] | None]:
    chars = set(text)
    table = {ord(c): _folded_text_of_char(c) for c in chars}
    special_chars = {c for c in chars if c in _CHARACTER_BY_SUPERSCRIPT or len(_folded_text_of_char(c)) != 1}
    if not special_chars:
        return text.translate(table), None
    pieces: list[str] = []
    char_places: list[int] = []
    is_raised, start = False, 0
    for place in [place for place, char in enumerate(text) if char in special_chars]:
        char, piece, is_raised = text[place], _folded_text_of_char(text[place]), is_raised and start == place
        pieces.append(text[start:place].translate(table))
        char_places.extend(range(start, place))
        start = place + 1
        if char in _CHARACTER_BY_SUPERSCRIPT:
            # 10⁶ is 10^6 and n² is n^2, never 106 and n2.
            piece = _CHARACTER_BY_SUPERSCRIPT[char] if is_raised else "^" + _CHARACTER_BY_SUPERSCRIPT[char]
            is_raised = True
        elif piece:
            is_raised = False
        pieces.append(piece)
        char_places.extend([place] * len(piece))
    return "".join(pieces) + text[start:].translate(table), (*char_places, *range(start, len(text)))


def _blanks_for_markup_match(match: re.Match[str]) -> str:
    """As many blanks as the markup has characters, so that all places stay the same."""
    text = match[0]
    if text[0] == "\\":
        return f" {text[1:]}"
    if text[0] == "&":
        return _CHARACTER_BY_HTML_ENTITY.get(text, " ").ljust(len(text))
    return "\n".ljust(len(text)) if _BLOCK_TAGS_PATTERN.match(text) else " " * len(text)


# -- Words, numbers, complexities and marks of a folded text, found by one regular expression. One word is, for example:
# `o(n log n)`, `16`, `3.5`, `10^6`, `16b`, `fp16`, `c++`, `don't`, `&&`, `\0`. A hyphen, slash, underscore or dot
# inside a compound separates its parts: `all-reduce` is two words that the index also knows as one.

# Order matters: the longest reading comes first. Every branch is linear.
TOKEN_PATTERN_TEXT: Final = (
    rf"(?=[nml2]){GROWTH_RATE_WITHOUT_O_PATTERN_TEXT}"
    r"""
    |
      (?:(?<=\n)|(?<=\A))[ ]{0,40}(?:[-*+•>]{1,2}|\d{1,2}[.)]|\(?[a-z][.)])[ ](?=\S)   # bullet
    | (?<![^\W_])[oθω][ ]?\([^()\n]{0,40}(?:\([^()\n]{0,20}\)[^()\n]{0,20}){0,3}\)  # complexity
    | (?:e\.g|i\.e|w\.r\.t|a\.k\.a|(?:etc|vs|approx|incl|excl|indep|esp|fig|resp|cf|eq|sec|no(?=\.[ ]?\d))(?=\.))\.?
    | w/o(?![^\W_])|w/(?=[ ])|b/c(?![^\W_])
    | [^\W\d_][^\W_]*(?:'[^\W\d_]+)?(?:\+\+|\#(?![^\W_]))?                                  # word
    | \d+(?:,\d{3}(?!\d))*(?:\.\d+)*(?:e[+-]?\d+(?![^\W_]))?(?:\^-?\d+)?(?:%|[^\W_]+)?        # number
    | \\[0-9a-z](?![^\W_])                                                     # \0 \n
    | &&|\|\||\+\+|--(?=[^\s-])|<->|<=|>=|==|!=|->|=>|<-|<<|>>|::|\.\.\.
    | [.!?;:,()\n—]|(?<=\s)-+(?=\s)|[<>=+&%~^*/↑↓]
    """
)
# Most prose consists of words of two letters and more before a blank or a mark, and of marks before a blank; they are
# tried first, and at a blank only tokens that may begin a line. The tokens are the same in half the time. Each of these
# branches begins with its first letters, because the engine skips such a branch at any other letter. One group, so that
# `split` returns text between tokens and tokens alternating.
_REST_OF_PLAIN_WORD: Final = r"[a-z]++(?=[ ,;:)\n-])"
TOKEN_PATTERN: Final = re.compile(
    rf"""
    ([a-ko-z]{_REST_OF_PLAIN_WORD}|[mn](?!l(?:og|g|n)){_REST_OF_PLAIN_WORD}|l(?!og|g|n){_REST_OF_PLAIN_WORD}
    |[,.;](?=[ ])
    |(?![ ](?<=[^\n][ ]))(?:{TOKEN_PATTERN_TEXT}))""",
    re.VERBOSE,
)


def split_number_from_letters(token: str) -> tuple[str, str] | None:
    """A number in its simplest form and the letters attached: `1,024b` gives (`1024`, `b`); None if no number."""
    if not (match := _NUMBER_PATTERN.match(token)):
        return None
    digits = match.group(1).replace(",", "")
    if "." in digits and digits.count(".") == 1 and not match.group(2):
        digits = digits.rstrip("0").rstrip(".")
    number = re.sub(r"^0+(?=\d)", "", digits)
    return number + (match.group(2) or ""), token[match.end() :]


_NUMBER_PATTERN: Final = re.compile(r"(\d+(?:,\d{3}(?!\d))*(?:\.\d+)*)((?:e[+-]?\d+(?![^\W_]))?(?:\^-?\d+)?)")


def content_words_with_folded_places(text: str) -> list[tuple[str, int]]:
    """The folded words that carry the meaning of a text, each with its place in the folded text."""
    words = [(match[0], match.start()) for match in TOKEN_PATTERN.finditer(fold_text(text).text)]
    return [(w, place) for w, place in words if w[0].isalnum() and w not in FUNCTION_WORDS and w not in NEGATING_WORDS]


def folded_words(text: str) -> list[str]:
    """The folded words of a text, without punctuation marks."""
    tokens = TOKEN_PATTERN.findall(fold_text(text).text)
    return [token for token in tokens if any(map(str.isalnum, token)) and token[-1] != " "]
