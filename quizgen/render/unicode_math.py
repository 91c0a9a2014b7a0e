"""TeX maths as one line of Unicode text, from a small table.

A command without a Unicode form stays as TeX, which costs a reader who knows TeX nothing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import accumulate

_SYMBOL_BY_COMMAND = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ",
    "eta": "η", "theta": "θ", "vartheta": "ϑ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν",
    "xi": "ξ", "pi": "π", "rho": "ρ", "sigma": "σ", "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ",
    "chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ",
    "Pi": "Π", "Sigma": "Σ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω",
    "sum": "∑", "prod": "∏", "int": "∫", "partial": "∂", "nabla": "∇", "infty": "∞", "ell": "ℓ", "hbar": "ħ",
    "forall": "∀", "exists": "∃", "emptyset": "∅", "dots": "…", "ldots": "…", "cdots": "⋯", "vdots": "⋮",
    "lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "langle": "⟨", "rangle": "⟩", "lVert": "‖",
    "rVert": "‖", "Vert": "‖", "lvert": "|", "rvert": "|", "vert": "|", "mid": "|", "prime": "′", "degree": "°",
    "top": "⊤", "bot": "⊥", "star": "⋆", "ast": "∗", "bullet": "•", "dagger": "†", "circ": "∘", "checkmark": "✓",
}  # fmt: skip

_OPERATOR_BY_COMMAND = {
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡", "sim": "∼",
    "simeq": "≃", "cong": "≅", "propto": "∝", "ll": "≪", "gg": "≫", "in": "∈", "notin": "∉", "subset": "⊂",
    "subseteq": "⊆", "supset": "⊃", "to": "→", "rightarrow": "→", "Rightarrow": "⇒", "implies": "⇒",
    "leftarrow": "←", "gets": "←", "Leftrightarrow": "⇔", "iff": "⇔", "leftrightarrow": "↔", "mapsto": "↦",
    "times": "×", "cdot": "·", "div": "÷", "pm": "±", "mp": "∓", "cup": "∪", "cap": "∩", "oplus": "⊕",
    "otimes": "⊗", "odot": "⊙", "land": "∧", "wedge": "∧", "lor": "∨", "vee": "∨", "setminus": "∖",
}  # fmt: skip

_FUNCTION_NAMES = frozenset((
    "log", "ln", "lg", "exp", "min", "max", "sin", "cos", "tan", "tanh", "arg", "argmax", "argmin", "det", "dim",
    "gcd", "lim", "sup", "inf", "Pr", "mod", "bmod", "softmax",
))  # fmt: skip

# Commands whose argument is shown unchanged, and commands that are dropped.
_FONT_COMMANDS = (
    "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "mathbb", "boldsymbol", "operatorname", "bm",
)  # fmt: skip
_TEXT_COMMANDS = ("text", "textrm", "textbf", "textit", "texttt", "mbox")
_DROPPED_COMMANDS = (
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "limits",
    "nolimits", "textstyle", "nonumber",
)  # fmt: skip
_SPACE_BY_COMMAND = {",": " ", ";": " ", ":": " ", "!": "", " ": " ", "quad": "  ", "qquad": "    ", "\\": "; "}
_FRACTION_COMMANDS = ("frac", "dfrac", "tfrac")
# Each command without arguments, and its text.
_TEXT_BY_COMMAND = {
    **_SYMBOL_BY_COMMAND,
    **{name: f" {sign} " for name, sign in _OPERATOR_BY_COMMAND.items()},
    **_SPACE_BY_COMMAND,
    **dict.fromkeys(_DROPPED_COMMANDS, ""),
}

_SUPERSCRIPTS = dict(zip("0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW", (
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴬᴮᴰᴱᴳᴴᴵᴶᴷᴸᴹᴺᴼᴾᴿᵀᵁⱽᵂ"), strict=True))  # fmt: skip
_SUPERSCRIPTS |= {"−": "⁻", "′": "′", "⊤": "ᵀ", "∗": "*"}
_SUBSCRIPTS = dict(zip("0123456789+-=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))
_SUBSCRIPTS |= {"−": "₋"}

_TOKEN_PATTERN = re.compile(r"\\[A-Za-z]+\*?|\\.|[{}^_&]|\s+|[^\\{}^_&\s]", re.DOTALL)
_BINARY_OPERATORS = "=<>+-*"
# One number, or one letter with its scripts: needs no brackets under a fraction bar or a root.
_ATOM_PATTERN = re.compile(r"[\d.,]+|\w[₀-₎ₐ-ₜⁱ²³⁰⁴-⁾ᵃ-ᶻ′]*")
MAX_TEX_CHARACTERS = 4000
MAX_BRACE_DEPTH = 30


@lru_cache(maxsize=1024)
def tex_to_unicode(tex: str) -> str:
    r"""TeX as Unicode text: `\frac{2N}{K} \le 10^{9}` becomes `2N/K ≤ 10⁹`. Text beyond the limits stays unchanged."""
    if len(tex) > MAX_TEX_CHARACTERS:
        return tex
    tokens = _TOKEN_PATTERN.findall(tex)
    depths = list(accumulate((token == "{") - (token == "}") for token in tokens))
    if max(depths, default=0) > MAX_BRACE_DEPTH:
        return tex
    shown = _pop_text_to_closing_brace(tokens[::-1], 2 * MAX_BRACE_DEPTH)  # an argument in braces counts twice
    return re.sub(r" +", " ", shown).strip()


# The functions below take the tokens that they show from the end of a list in reverse order, so that its last token is
# always the next one.


def _pop_text_to_closing_brace(tokens: list[str], depth: int) -> str:
    """The text up to the closing brace of this level, which is taken too."""
    made: list[str] = []
    while tokens and (token := tokens.pop()) != "}":
        if token in "^_":
            made.append(_superscript_or_subscript_text(_pop_argument_text(tokens, depth), token))
        elif token in _BINARY_OPERATORS:
            made.append(_operator_text(token, made))
        else:
            piece = _atom_text(token, tokens, depth)
            # `2\frac{1}{3}` must not become 21/3, nor `\frac{1}{2}m` 1/2m.
            if token[1:] in _FRACTION_COMMANDS and piece[:1].isdigit() and made and made[-1][-1:].isalnum():
                piece = f" · {piece}"
            if token[1:] in _FRACTION_COMMANDS and _begins_factor(_next_token(tokens)):
                piece += " · "
            made.append(piece)
    return "".join(made)


def _atom_text(token: str, tokens: list[str], depth: int) -> str:
    """The text of the piece that begins with `token`; `tokens` follow it."""
    if token == "{" and depth:
        return _pop_text_to_closing_brace(tokens, depth - 1)
    if token[0] == "\\":
        return _command_text(token[1:].rstrip("*") or token[1:], token, tokens, depth)
    return " " if token.isspace() else "  " if token == "&" else token


def _command_text(name: str, token: str, tokens: list[str], depth: int) -> str:
    """The text of a command with its arguments. `token` is the command as written, `name` its name."""
    if name in _TEXT_BY_COMMAND:
        if name in ("left", "right") and tokens[-1:] == ["."]:  # an invisible bracket
            tokens.pop()
        return _TEXT_BY_COMMAND[name]
    if name in _FUNCTION_NAMES:
        following = _next_token(tokens)  # `log n`, but `log(n)`
        return name if following in ("", *"([^_{}") or following.startswith("\\left") else f"{name} "
    if name in _TEXT_COMMANDS:
        return _pop_raw_argument(tokens)
    if name in ("begin", "end"):
        _pop_raw_argument(tokens)
        return ""
    if name in _COMMANDS_WITH_ARGUMENTS:
        count, shape = _COMMANDS_WITH_ARGUMENTS[name]
        return shape(*[_pop_argument_text(tokens, depth) for _ in range(count)])
    if len(token) == 2 and not name.isalpha():
        return name  # \% \$ \{ \_ …
    # An unknown command keeps its braces.
    return f"{token}{{{_pop_raw_argument(tokens)}}}" if tokens[-1:] == ["{"] else token


def _next_token(tokens: Sequence[str]) -> str:
    """The next token that is no space; empty at the end."""
    return next((token for token in reversed(tokens) if not token.isspace()), "")


def _begins_factor(token: str) -> bool:
    """Whether the piece that begins with `token` multiplies the piece before it."""
    if token[:1] == "\\":
        name = token[1:]
        return (
            name in _SYMBOL_BY_COMMAND
            or name in _FUNCTION_NAMES
            or name in (*_FONT_COMMANDS, *_FRACTION_COMMANDS, "sqrt")
        )
    return token[:1].isalnum() or token == "{"


def _pop_argument_text(tokens: list[str], depth: int) -> str:
    """The text of a command's next argument; empty if there is none."""
    while tokens and tokens[-1].isspace():
        tokens.pop()
    if not tokens or tokens[-1] == "}":
        return ""
    return _atom_text(tokens.pop(), tokens, depth - 1) if depth else tokens.pop()


def _pop_raw_argument(tokens: list[str]) -> str:
    r"""The characters of an argument in braces unchanged, spaces included (`\text{…}`)."""
    if tokens[-1:] != ["{"]:
        return ""
    level, parts = 0, []
    while tokens:
        parts.append(tokens.pop())
        level += (parts[-1] == "{") - (parts[-1] == "}")
        if not level:
            parts.pop()
            break
    return "".join(" " if part.isspace() else part for part in parts[1:])


def _operator_text(token: str, output: list[str]) -> str:
    """A binary operator with spaces around it, or a sign without any."""
    before = "".join(output).rstrip()
    sign = {"-": "−", "*": "·"}.get(token, token)
    if token in "+-" and (not before or before[-1] in "(=<>≤≥≈,[{·×/+−→;"):
        return sign
    return f" {sign} "


def _superscript_or_subscript_text(text: str, script_sign: str) -> str:
    table = _SUPERSCRIPTS if script_sign == "^" else _SUBSCRIPTS
    tight = text.replace(" ", "")
    if all(c in table for c in tight):
        return "".join(table[c] for c in tight)
    return f"{script_sign}{tight}" if len(tight) == 1 else f"{script_sign}({text.strip()})"


def _bracket_if_compound(text: str, is_denominator: bool = False) -> str:
    """A numerator in brackets if it is more than a single product, or a denominator if it is more than an atom."""
    text = text.strip()
    alone = _ATOM_PATTERN.fullmatch(text) if is_denominator else not re.search(r"[ +−/]", text)
    return text if alone else f"({text})"


def _accented_text(name: str, text: str) -> str:
    combined = unicodedata.normalize("NFC", text + _COMBINING_ACCENT_BY_COMMAND[name])
    return combined if len(text) == 1 else f"\\{name}{{{text}}}"


# Accents as combining characters; \bar and \overline are the same.
_COMBINING_ACCENT_BY_COMMAND = {
    "hat": "\u0302", "tilde": "\u0303", "vec": "\u20d7", "dot": "\u0307", "bar": "\u0304", "overline": "\u0304",
}  # fmt: skip
# Each command with arguments in braces: their number, and a function of their texts.
_COMMANDS_WITH_ARGUMENTS: Mapping[str, tuple[int, Callable[..., str]]] = {
    **dict.fromkeys(_FONT_COMMANDS, (1, str)),
    **dict.fromkeys(
        _FRACTION_COMMANDS,
        (2, lambda above, below: f"{_bracket_if_compound(above)}/{_bracket_if_compound(below, True)}"),
    ),
    **dict.fromkeys(("binom", "dbinom"), (2, lambda above, below: f"C({above}, {below})")),
    **{name: (1, partial(_accented_text, name)) for name in _COMBINING_ACCENT_BY_COMMAND},
    "sqrt": (1, lambda text: f"√{text}" if _ATOM_PATTERN.fullmatch(text) else f"√({text})"),
}
