"""TeX maths as one line of Unicode text, from a small table.

A command without a Unicode form stays as TeX, which costs a reader who knows TeX nothing."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SYMBOLS = {
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

_RELATIONS = {
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
    "mathrm",
    "mathbf",
    "mathit",
    "mathsf",
    "mathtt",
    "mathcal",
    "mathbb",
    "boldsymbol",
    "operatorname",
    "bm",
)
_TEXT_COMMANDS = ("text", "textrm", "textbf", "textit", "texttt", "mbox")
_DROPPED_COMMANDS = (
    "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "displaystyle", "limits",
    "nolimits", "textstyle", "nonumber",
)  # fmt: skip
_SPACES = {",": " ", ";": " ", ":": " ", "!": "", " ": " ", "quad": "  ", "qquad": "    ", "\\": "; "}

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
MAX_DEPTH = 30


@lru_cache(maxsize=1024)
def tex_to_unicode(tex: str) -> str:
    r"""TeX as Unicode text: `\frac{2N}{K} \le 10^{9}` becomes `2N/K ≤ 10⁹`. Text beyond the limits stays unchanged."""
    if len(tex) > MAX_TEX_CHARACTERS:
        return tex
    tokens = _TOKEN_PATTERN.findall(tex)
    depth = deepest = 0
    for token in tokens:
        depth += (token == "{") - (token == "}")
        deepest = max(deepest, depth)
    if deepest > MAX_DEPTH:
        return tex
    shown, _ = _row_text(tokens, 0, 2 * MAX_DEPTH)  # an argument in braces counts twice
    return re.sub(r" +", " ", shown).strip()


# Accents as combining characters; \bar and \overline are the same.
_ACCENTS = {
    "hat": "\u0302", "tilde": "\u0303", "vec": "\u20d7", "dot": "\u0307", "bar": "\u0304", "overline": "\u0304",
}  # fmt: skip


def _row_text(tokens: list[str], index: int, depth: int) -> tuple[str, int]:
    """The text up to the closing brace of this level, and the index after it."""
    made: list[str] = []
    while index < len(tokens) and tokens[index] != "}":
        token = tokens[index]
        if token in "^_" and len(token) == 1:
            script, index = _argument_text(tokens, index + 1, depth)
            made.append(_script_text(script, token))
        elif token in _BINARY_OPERATORS:
            made.append(_operator_text(token, made))
            index += 1
        else:
            fraction = token in ("\\frac", "\\dfrac", "\\tfrac")
            piece, index = _atom_text(tokens, index, depth)
            # `2\frac{1}{3}` must not become 21/3, nor `\frac{1}{2}m` 1/2m.
            if fraction and piece[:1].isdigit() and made and made[-1][-1:].isalnum():
                piece = f" · {piece}"
            if fraction and _is_factor_next(tokens, index):
                piece += " · "
            made.append(piece)
    return "".join(made), index + 1


def _atom_text(tokens: list[str], index: int, depth: int) -> tuple[str, int]:
    """The text of the piece that begins at `index`, and the index after it."""
    token = tokens[index]
    if token == "{":
        return _row_text(tokens, index + 1, depth - 1) if depth else ("{", index + 1)
    if token.isspace():
        return " ", index + 1
    if token == "&":
        return "  ", index + 1
    if token[0] != "\\":
        return token, index + 1
    name = token[1:].rstrip("*") if len(token) > 2 else token[1:]
    return (
        _sign_text(name, tokens, index)
        or _command_text(name, tokens, index, depth)
        or _unknown_command(token, tokens, index)
    )


def _sign_text(name: str, tokens: list[str], index: int) -> tuple[str, int] | None:
    """The text of a command that stands for characters, and the index after it; None for a command with arguments or an
    unknown one."""
    if name in _SYMBOLS:
        return _SYMBOLS[name], index + 1
    if name in _RELATIONS:
        return f" {_RELATIONS[name]} ", index + 1
    if name in _FUNCTION_NAMES:
        return _function_text(name, tokens, index + 1), index + 1
    if name in _SPACES:
        return _SPACES[name], index + 1
    if name in _DROPPED_COMMANDS:
        # `\left.` is an invisible bracket.
        return "", index + 2 if name in ("left", "right") and tokens[index + 1 : index + 2] == ["."] else index + 1
    return None


def _command_text(name: str, tokens: list[str], index: int, depth: int) -> tuple[str, int] | None:
    """The text of a command with its arguments, and the index after them; None if the command is unknown."""
    if name in _TEXT_COMMANDS:
        return _raw_argument(tokens, index + 1)
    if name in _FONT_COMMANDS:
        return _argument_text(tokens, index + 1, depth)
    if name in ("begin", "end"):
        return "", _raw_argument(tokens, index + 1)[1]
    if name in ("frac", "dfrac", "tfrac", "binom", "dbinom"):
        above, index = _argument_text(tokens, index + 1, depth)
        below, index = _argument_text(tokens, index, depth)
        if name.endswith("binom"):
            return f"C({above}, {below})", index
        return f"{_bracketed(above)}/{_bracketed(below, is_denominator=True)}", index
    if name == "sqrt":
        inner, index = _argument_text(tokens, index + 1, depth)
        return f"√{inner}" if _ATOM_PATTERN.fullmatch(inner) else f"√({inner})", index
    if name in _ACCENTS:
        inner, index = _argument_text(tokens, index + 1, depth)
        combined = unicodedata.normalize("NFC", inner + _ACCENTS[name])
        return combined if len(inner) == 1 else f"\\{name}{{{inner}}}", index
    return None


def _unknown_command(token: str, tokens: list[str], index: int) -> tuple[str, int]:
    if len(token) == 2 and not token[1].isalpha():
        return token[1], index + 1  # \% \$ \{ \_ …
    if tokens[index + 1 : index + 2] == ["{"]:  # an unknown command keeps its braces
        inner, after = _raw_argument(tokens, index + 1)
        return f"{token}{{{inner}}}", after
    return token, index + 1


def _is_factor_next(tokens: list[str], index: int) -> bool:
    following = next((t for t in tokens[index:] if not t.isspace()), "")
    if following[:1] == "\\":
        name = following[1:]
        return (
            name in _SYMBOLS
            or name in _FONT_COMMANDS
            or name in _FUNCTION_NAMES
            or name in ("frac", "dfrac", "tfrac", "sqrt")
        )
    return following[:1].isalnum() or following == "{"


def _argument_text(tokens: list[str], index: int, depth: int) -> tuple[str, int]:
    while index < len(tokens) and tokens[index].isspace():
        index += 1
    if index >= len(tokens) or tokens[index] == "}":
        return "", index
    return _atom_text(tokens, index, depth - 1) if depth else (tokens[index], index + 1)


def _raw_argument(tokens: list[str], index: int) -> tuple[str, int]:
    r"""The characters of an argument in braces unchanged, spaces included (`\text{…}`), and the index after it."""
    if tokens[index : index + 1] != ["{"]:
        return "", index
    level, parts = 1, []
    index += 1
    while index < len(tokens) and level:
        level += (tokens[index] == "{") - (tokens[index] == "}")
        if level:
            parts.append(tokens[index])
        index += 1
    return "".join(" " if p.isspace() else p for p in parts), index


def _function_text(name: str, tokens: list[str], index: int) -> str:
    """An upright function name, with a space before its argument if needed (`log n`, but `log(n)`)."""
    following = next((t for t in tokens[index:] if not t.isspace()), "")
    return name if following in ("(", "[", "^", "_", "{", "}", "") or following.startswith("\\left") else f"{name} "


def _operator_text(token: str, output: list[str]) -> str:
    """A binary operator with spaces around it, or a sign without any."""
    before = "".join(output).rstrip()
    sign = {"-": "−", "*": "·"}.get(token, token)
    if token in "+-" and (not before or before[-1] in "(=<>≤≥≈,[{·×/+−→;"):
        return sign
    return f" {sign} "


def _script_text(text: str, mark: str) -> str:
    table = _SUPERSCRIPTS if mark == "^" else _SUBSCRIPTS
    tight = text.replace(" ", "")
    if all(c in table for c in tight):
        return "".join(table[c] for c in tight)
    return f"{mark}{tight}" if len(tight) == 1 else f"{mark}({text.strip()})"


def _bracketed(text: str, is_denominator: bool = False) -> str:
    """A numerator or denominator, in brackets if it is more than a single product."""
    text = text.strip()
    product = not re.search(r"[ +−/]" if not is_denominator else r"[ +−/·×]", text)
    if is_denominator and product and not _ATOM_PATTERN.fullmatch(text):
        product = False
    return text if product else f"({text})"
