"""Texts of 64 KiB made to be expensive: for the laws, for the bench, and for other Pythons."""

from __future__ import annotations

HOSTILE = [
    "not " * 20_000,
    "nvlink faster " * 5_000,
    "nvlink than " * 5_000,
    "all-reduce every layer. " * 3_000,
    "not all-reduce every layer, " * 2_500,
    "maybe ( " * 8_000,
    "wait, no " * 7_000,
    "a\u0301\u0316" * 20_000,
    "ﷺ" * 60_000,
    "(" * 60_000,
    "o(" * 30_000,
    "1 " * 30_000,
    "16 B " * 13_000,
    "- x\n" * 16_000,
    "x:\n- " * 12_000,
    "<b " * 20_000,
    "qwrtzplkj " * 6_000,
    " ".join(f"netwrk{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676 % 26)}" for i in range(6_000)),
    "https://" * 8_000,
    "'" * 60_000,
    "e.g. " * 13_000,
    "critical path " * 4_600,
    "tcp and udp the former, the latter " * 1_900,
    "bias grows, the opposite, i mean " * 2_000,
    "not as fast as " * 4_000,
    "".join(f"{' ' * (i % 30)}- the former\n" for i in range(2_400)),
    "stack fifo, i mean lifo, which a queue " * 1_600,
]
