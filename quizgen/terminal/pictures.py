"""A bank's images in terminals that can show them: kitty's graphics protocol (kitty, WezTerm, Ghostty) and iTerm2's.

Sixel is not supported, because images would have to be decoded and their colours counted; nor is SVG, which no terminal
draws. The alt text is printed in any case."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a session starts without a page
    from quizgen.page import Block

KITTY, ITERM2 = "kitty", "iterm2"
MAX_COMMAND_CHARACTERS = 4096  # characters in one command of kitty's protocol
COLUMN_WIDTH_PIXELS = 9  # approximate width of a column in pixels
_MEDIA_TYPES_BY_PROTOCOL = {KITTY: ("image/png",), ITERM2: ("image/png", "image/jpeg", "image/gif")}


def image_protocol(environment: Mapping[str, str], is_terminal: bool) -> str:
    """The image protocol of a terminal; empty if it has none, or runs in tmux or screen."""
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    if (
        not is_terminal
        or environment.get("TMUX")
        or term.startswith(("screen", "tmux"))
        or environment.get("ACCESSIBLE")
    ):
        return ""
    if environment.get("KITTY_WINDOW_ID") or term in ("xterm-kitty", "xterm-ghostty") or program == "WezTerm":
        return KITTY
    return ITERM2 if program == "iTerm.app" or environment.get("LC_TERMINAL") == "iTerm2" else ""


def image_escape_sequences(blocks: Iterable[Block], bank_folder: str, protocol: str, width: int) -> Iterator[str]:
    """Yields the escape sequence of each image that the terminal can show, at most `width` columns wide. `bank_folder`
    is the bank's folder."""
    if not protocol:
        return
    from quizgen.inline import Image
    from quizgen.page import walk_blocks
    from quizgen.render.figures import UnusableImage, image_data_url

    for piece in walk_blocks(tuple(blocks)):
        if not isinstance(piece, Image):
            continue
        try:
            media, _, data = image_data_url(bank_folder, piece.path).removeprefix("data:").partition(";base64,")
        except UnusableImage:
            continue  # the alt text is shown instead; `quizgen check` reports the reason
        if media in _MEDIA_TYPES_BY_PROTOCOL[protocol]:
            wide = int.from_bytes(base64.b64decode(data[:32])[16:20], "big")  # width of a PNG in pixels
            columns = max(1, min(width, -(-wide // COLUMN_WIDTH_PIXELS))) if media == "image/png" else width
            if protocol == KITTY:
                yield _kitty_image_sequence(data, columns)
            else:  # https://iterm2.com/documentation-images.html
                size = len(base64.b64decode(data))
                yield f"\x1b]1337;File=inline=1;size={size};width={columns}:{data}\x07\n"


def _kitty_image_sequence(base64_data: str, columns: int) -> str:
    """The escape sequence that transmits and shows (a=T) a PNG (f=100) without a reply (q=2), by
    https://sw.kovidgoyal.net/kitty/graphics-protocol/."""
    pieces = [
        base64_data[at : at + MAX_COMMAND_CHARACTERS] for at in range(0, len(base64_data), MAX_COMMAND_CHARACTERS)
    ]
    head = f"a=T,f=100,q=2,c={columns},"
    made = (
        f"\x1b_G{head if not number else ''}m={int(number < len(pieces) - 1)};{piece}\x1b\\"
        for number, piece in enumerate(pieces)
    )
    return "".join(made) + "\n"
