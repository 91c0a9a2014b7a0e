"""Speed-up laws and learning rates."""

from __future__ import annotations

import math

from oracles.closed_forms.table import add, over

add(
    "amdahl",
    lambda s, N: over(N, N * s + 1 - s),
    limit=lambda s, N: over(1, s) if s else None,
    linear=lambda s, N: N * (1 - s),
    gustafson=lambda s, N: s + (1 - s) * N,
)
add(
    "amdahl_efficiency",
    lambda s, N: over(1, 1 + s * (N - 1)),
    one_minus_s=lambda s, N: 1 - s,
    limit_over_N=lambda s, N: over(1, s * N) if s else None,
)
add("amdahl_limit", lambda s: over(1, s), one_minus=lambda s: over(1, 1 - s) if s != 1 else None)
add(
    "amdahl_max_gpus",
    lambda s, e: math.floor(1 + over(over(1, e) - 1, s)),
    inv_s=lambda s, e: math.floor(over(1, s)),
)
add("gustafson", lambda s, N: N - s * (N - 1), amdahl=lambda s, N: over(N, N * s + 1 - s))
add(
    "karp_flatt",
    lambda S, N: over(over(1, S) - over(1, N), 1 - over(1, N)),
    one_minus_eff=lambda S, N: 1 - over(S, N),
)
add(
    "lr_linear",
    lambda lr, b0, b1: over(lr * b1, b0),
    sqrt=lambda lr, b0, b1: lr * math.sqrt(over(b1, b0)),
    divide=lambda lr, b0, b1: over(lr * b0, b1),
)
add("lr_sqrt", lambda lr, b0, b1: lr * math.sqrt(over(b1, b0)), linear=lambda lr, b0, b1: over(lr * b1, b0))
