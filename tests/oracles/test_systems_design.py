"""Each formula of the systems-design bank against another derivation: counts, loops, searches, exact sums, simulation.

An oracle takes the inputs in their declared units and gives the answer in the formula's unit. Where it draws from a
seeded stream, the third place of its row is how far off it may be, as a share.
"""

from __future__ import annotations

import math
import random
from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction as Q
from functools import cache
from itertools import combinations, product
from statistics import fmean, pstdev
from typing import Any

import pytest
import shipped

from quizgen.draw import SeededRng
from quizgen.formula.quantity import value_in_unit

DAY, YEAR = 86_400, 365 * 86_400


def stream(name: str) -> random.Random:
    return random.Random(f"systems {name}")


def least(good: Callable[[int], bool], start: int = 0) -> int:
    """The smallest whole number from `start` for which `good` holds, by trying each."""
    while not good(start):
        start += 1
    return start


def first(good: Callable[[float], bool], low: float, high: float) -> float:
    """The smallest number between `low` and `high` for which `good` holds, by bisection."""
    while high - low > 1e-12 * high:
        middle = (low + high) / 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return high


def queue(arrivals: float, service: Callable[[], float], n: int, name: str) -> tuple[list[float], list[float]]:
    """Waits and response times of customers of one server, first come first served, the first tenth left out."""
    draws, response, waits, responses = stream(name), 0.0, [], []
    for _ in range(n):
        wait = max(0.0, response - draws.expovariate(arrivals))
        response = wait + service()
        waits.append(wait)
        responses.append(response)
    return waits[n // 10 :], responses[n // 10 :]


def inside(rate: float, t: float) -> float:
    """Requests found inside at random moments; they arrive at random and stay for an even spread of times."""
    draws, now, came, left = stream("inside"), 0.0, [], []
    while now < 100:
        now += draws.expovariate(rate)
        came.append(now)
        left.append(now + draws.uniform(0, 2 * t))
    left.sort()
    moments = [draws.uniform(1, 99) for _ in range(20_000)]
    return fmean(bisect_left(came, moment) - bisect_left(left, moment) for moment in moments)


@cache
def mm1(s: float, u: float) -> list[float]:
    """Response times, from the shortest."""
    draws = stream("service")
    return sorted(queue(u / s, lambda: draws.expovariate(1 / s), 200_000, "mm1")[1])


def two_servers(s: float, u: float) -> float:
    """Balance of flows between states 0, 1, 2 ... cut off where nothing is left; Little's law for the time."""
    arrivals, weights = 2 * u / s, [1.0]
    while weights[-1] > 1e-15:
        weights.append(weights[-1] * arrivals * s / min(2, len(weights)))
    mean = sum(k * w for k, w in enumerate(weights)) / sum(weights)
    return 1000 * mean / arrivals


def varied_wait(s: float, u: float, cv: float) -> float:
    """A mixture of short and long jobs of that mean and spread, simulated."""
    draws, long = stream("mixture"), s * (1 + cv * cv)
    share = 1 / (1 + cv * cv)  # zero or `long`: mean s, variance s² cv²
    return 1000 * fmean(queue(u / s, lambda: long if draws.random() < share else 0.0, 600_000, "mg1")[0])


def drained(rate: float, mu: float, t: float) -> float:
    """Minutes until a backlog is gone, second by second."""
    backlog, seconds = rate * t, 0
    while backlog > 1e-9:
        backlog, seconds = backlog + rate - mu, seconds + 1
    return seconds / 60


def caught_up(rate: float, t: float, apply: float) -> float:
    """Where the writer's and the replica's lines meet, by bisection over the time after the return."""
    return apply * first(lambda after: apply * after >= rate * (t * 3600 + after), 0.0, 1e9)


def owned(n: int, v: int) -> float:
    """Spread of the nodes' arcs over the mean, in per cent, over many rings of random points."""
    draws, shares = stream("ring"), []
    for _ in range(4000 // n):
        points = sorted((draws.random(), node) for node in range(n) for _ in range(v))
        held, before = [0.0] * n, points[-1][0] - 1
        for at, node in points:
            held[node], before = held[node] + at - before, at
        shares += held
    return 100 * n * pstdev(shares, 1 / n)


def moved(before: int, after: int) -> float:
    """Share of hashes whose remainder changes, counted over a common multiple."""
    whole = before * after
    return sum(h % before != h % after for h in range(whole)) / whole


def ring_moved(size: float, n: int, k: int) -> float:
    """Keys in slots dealt to n nodes; each newcomer takes slots from the fullest until all hold as many."""
    slots = math.lcm(n, n + k)
    held, taken = [slots // n] * n, 0
    for _ in range(k):
        for _ in range(slots // (n + k)):
            held[held.index(max(held))] -= 1
            taken += 1
    return size * taken / slots


def false_positives(b: float, k: int) -> float:
    """A filter of 200,000 bits, filled and asked for keys that are not in it."""
    draws, m = stream("bloom"), 200_000
    bits = bytearray(m)
    for _ in range(int(m / b)):
        for _ in range(k):
            bits[draws.randrange(m)] = 1
    return 100 * fmean(all(bits[draws.randrange(m)] for _ in range(k)) for _ in range(100_000))


def filter_bytes(n: float, p: float) -> float:
    """The fewest bits for which some (real) number of hash functions reaches p, by search."""

    def best(bits: float) -> float:
        return min((1 - math.exp(-k / bits)) ** k for k in (i / 200 for i in range(1, 6000)))

    return n * first(lambda bits: best(bits) <= p, 0.1, 60.0) / 8


def no_repeat(n: int, space: int) -> float:
    """Chance that n draws from so many ids are all different, as a product in logarithms."""
    return sum(math.log1p(-i / space) for i in range(n))


def steps_of(tries: int, k: int) -> int:
    """Calls that reach the bottom, one by one."""
    return sum(1 for _ in product(range(tries), repeat=k))


def attempts_of(p: float, tries: int) -> float:
    draws, made = stream("retries"), 0
    for _ in range(200_000):
        for _ in range(tries):
            made += 1
            if draws.random() >= p:
                break
    return made / 200_000


def majority_down(a: float, n: int) -> float:
    """All patterns of replicas up and down, weighed."""
    lost = (pattern for pattern in product((0, 1), repeat=n) if 2 * sum(pattern) <= n)
    return float(8760 * sum(math.prod(a if up else 1 - a for up in pattern) for pattern in lost))


def quorum_of(n: int, r: int) -> int:
    """The smallest write set that meets every read set, over all sets."""
    replicas = range(n)
    return least(lambda w: all(set(x) & set(y) for x in combinations(replicas, w) for y in combinations(replicas, r)))


def byzantine(f: int) -> int:
    """The least n for which two sets of n - f answers share more than f replicas."""
    return least(lambda n: 2 * (n - f) - n > f, f + 1)


def window_rounds(size: float, mss: float, iw: int) -> int:
    left, window, rounds = math.ceil(size / mss), iw, 0
    while left > 0:
        left, window, rounds = left - window, 2 * window, rounds + 1
    return rounds


def sawtooth(mss: float, rtt: float, p: float) -> float:
    """Bits over seconds of one tooth: from W/2 to W in steps of one segment, 1/p segments in it."""
    top = math.sqrt(8 / (3 * p))
    steps = [top / 2 + i * top / 2 / 100_000 for i in range(100_001)]
    return fmean(steps) * mss * 8 / rtt


def tree_levels(n: int, f: int, leaf: int) -> int:
    pages, levels = -(-n // leaf), 1
    while pages > 1:
        pages, levels = -(-pages // f), levels + 1
    return levels


def lsm(size: float, first: float, r: int) -> int:
    levels, room = 1, first
    while room < size * (1 - 1e-12):
        levels, room = levels + 1, room * r
    return levels


def compaction(rate: float, levels: int, r: int) -> float:
    """Unit by unit: log, flush, and r units rewritten for each that moves down a level."""
    written = 0.0
    for _ in range(100):
        written += 2 + sum(r for _ in range(levels - 1))
    return rate * written / 100


def first_year(d: float, g: float, n: int) -> float:
    total = year = d
    for _ in range(n - 1):
        year *= 1 + g
        total += year
    return total


def months(now: float, cap: float, g: float) -> float:
    """Bisection on the growth curve."""
    return first(lambda after: now * math.exp(after * math.log1p(g)) >= cap, 0.0, 1000.0)


def two_copies(q: float, p: float, p2: float, rate: float) -> float:
    draws = stream("hedge")
    both = sum(draws.random() < p and draws.random() < p2 for _ in range(1_000_000))
    return rate * both / 1_000_000


def batches(n: float, o: float, t: float) -> float:
    """Items done in 1,000 batches over the time of their parts."""
    return 1000 * n / (sum(o for _ in range(1000)) + sum(t for _ in range(1000)) * n)


def usl(one: float, n: int, a: float, b: float) -> float:
    """A unit of work of one node takes 1/n each, plus what waits for the serial share and for every other node."""
    work = 1 / one
    own, serial, talk = work / n, a * work * (n - 1) / n, b * work * sum(1 for _ in range(n) for _ in range(n - 1)) / n
    return 1 / (own + serial + talk)


def sketch(eps: float, delta: float, c: float) -> float:
    width = least(lambda w: math.e / w <= eps, 1)
    depth = least(lambda d: math.exp(-d) <= delta, 1)
    return width * depth * c


def hyperloglog(b: int) -> float:
    """Estimates of 1,000 sketches that saw 20 items a register: the spread around the truth, in per cent."""
    draws, m, n, seen = stream("hll"), 1 << b, 20 << b, []
    alpha = 0.7213 / (1 + 1.079 / m)
    for _ in range(300):
        ranks = [0] * m
        for _ in range(n):
            j, rank = draws.randrange(m), 1 + math.floor(-math.log2(1 - draws.random()))
            ranks[j] = max(ranks[j], rank)
        seen.append(alpha * m * m / sum(2.0**-r for r in ranks) / n)
    return 100 * pstdev(seen)


ORACLES: dict[str, tuple[Any, ...]] = {
    # name: oracle, inputs, how far off it may be (1e-9 where nothing is said)
    "mean_request_rate": (lambda U, a: sum(U * a / 24 / 3600 for _ in range(24)) / 24, [{"U": 2e6, "a": 12}]),
    "busy_hours_rate": (lambda daily, f, t: daily / 100 * (100 * f) / (t * 60) / 60, [{"daily": 6e8, "f": 0.3, "t": 3}]),
    "servers_for_peak": (lambda rate, each, u, spare: least(lambda n: n * each * u >= rate) + spare, [{"rate": 18000, "each": 400, "u": 0.5, "spare": 2}, {"rate": 95000, "each": 900, "u": 0.6, "spare": 2}]),
    "write_share_rate": (lambda rate, r: rate * fmean([1] + [0] * r), [{"rate": 24000, "r": 4}]),
    "response_bandwidth": (lambda rate, size, h: (rate - rate * h) * 8 * size, [{"rate": 20000, "size": 2e5, "h": 0.7}]),
    "feed_fanout_writes": (lambda rate, f, big: rate * sum(1 for _ in range(f)) - big * rate * f, [{"rate": 4600, "f": 75, "big": 0.25}]),
    "compound_growth": (lambda now, g, n: first_year(now, g, n + 1) - first_year(now, g, n), [{"now": 3000, "g": 0.08, "n": 12}]),
    "months_to_capacity": (months, [{"now": 4000, "cap": 12000, "g": 0.07}]),
    "connection_servers": (lambda n, m, ram, f: least(lambda s: s * ram * f >= n * m), [{"n": 40e6, "m": 50e3, "ram": 64e9, "f": 0.5}, {"n": 90e6, "m": 80e3, "ram": 128e9, "f": 0.6}]),
    "call_latency": (lambda k, w, t, base: 1000 * (base + t * len(range(0, k, w))), [{"k": 30, "w": 4, "t": 0.012, "base": 0.015}, {"k": 24, "w": 6, "t": 0.02, "base": 0.03}]),
    "retained_bytes": (lambda rate, size, t, n, c: sum(rate * DAY * size for _ in range(n)) * t / c, [{"rate": 40000, "size": 400, "t": 30, "n": 3, "c": 4}]),
    "grown_storage": (first_year, [{"d": 8e15, "g": 0.3, "n": 5}]),
    "erasure_coded_bytes": (lambda size, k, m: size + m * (size / k), [{"size": 2e16, "k": 6, "m": 3}]),
    "storage_month_cost": (lambda size, hot, ph, pc: size / 1e9 * (pc + hot * (ph - pc)), [{"size": 4e14, "hot": 0.2, "ph": 0.023, "pc": 0.004}]),
    "egress_month_cost": (lambda rate, size, p: 30 * DAY * rate * (size / 1e9) * p, [{"rate": 800, "size": 6e4, "p": 0.09}]),
    "restore_time": (lambda size, n, each, cap, prep: prep / 3600 + max(size / (n * each), size / cap) / 3600, [{"size": 18e12, "n": 8, "each": 3e8, "cap": 2e9, "prep": 3600}, {"size": 1e12, "n": 2, "each": 3e8, "cap": 2e9, "prep": 0}]),
    "metrics_bytes": (lambda n, dt, b, t: n * b * len(range(0, t * DAY, dt)), [{"n": 5e6, "dt": 15, "b": 1.5, "t": 30}]),
    "fleet_month_cost": (lambda n, p, r, d: 720 * p * (n * r * (1 - d) + n * (1 - r)), [{"n": 150, "p": 0.2, "r": 0.5, "d": 0.3}]),
    "log_store_bytes": (lambda rate, size, t, c, x, n, fill: rate * size * DAY * t * n * (1 + x * c) / (c * fill), [{"rate": 2e5, "size": 300, "t": 14, "c": 8, "x": 0.1, "n": 2, "fill": 0.75}]),
    "cached_read_latency": (lambda h, tc, td: 1000 * (h * tc + (1 - h) * (tc + td)), [{"h": 0.8, "tc": 0.0005, "td": 0.012}]),
    "cache_miss_load": (lambda rate, h: rate - h * rate, [{"rate": 60000, "h": 0.92}]),
    "needed_hit_rate": (lambda rate, cap: 100 * (rate - cap) / rate, [{"rate": 60000, "cap": 8000}]),
    "miss_load_factor": (lambda h1, h2: (1000 - 1000 * h2) / (1000 - 1000 * h1), [{"h1": 0.98, "h2": 0.9}]),
    "two_layer_hit_rate": (lambda h1, h2: 100 * (h1 + (1 - h1) * h2), [{"h1": 0.6, "h2": 0.5}]),
    "cache_memory_need": (lambda n, f, size, o: n * f * size + n * f * o, [{"n": 2e8, "f": 0.05, "size": 600, "o": 100}]),
    "zipf_hit_rate": (lambda k, n: 100 * math.fsum(1 / i for i in range(1, k + 1)) / math.fsum(1 / i for i in range(1, n + 1)), [{"k": 10_000, "n": 1_000_000}], 1e-4),
    "ttl_refresh_rate": (lambda k, e, ttl: sum(k / ttl for _ in range(e)), [{"k": 50_000, "e": 40, "ttl": 300}]),
    "requests_in_flight": (inside, [{"rate": 1200, "t": 0.08}], 0.03),
    "server_utilisation": (lambda rate, s, c: 100 * rate / (c / s), [{"rate": 300, "s": 0.02, "c": 14}]),
    "single_queue_response": (lambda s, u: 1000 * fmean(mm1(s, u)), [{"s": 0.004, "u": 0.7}], 0.03),
    "single_queue_percentile": (lambda s, u, p: 1000 * mm1(s, u)[int(p * 180_000)], [{"s": 0.005, "u": 0.6, "p": 0.95}], 0.03),
    "two_servers_response": (two_servers, [{"s": 0.006, "u": 0.7}, {"s": 0.01, "u": 0.85}]),
    "mixed_service_wait": (varied_wait, [{"s": 0.01, "u": 0.5, "cv": 2}], 0.04),
    "pool_size": (lambda rate, t, u: least(lambda n: n * u >= rate * t - 1e-9), [{"rate": 1500, "t": 0.008, "u": 0.5}]),
    "backlog_drain_time": (drained, [{"rate": 6000, "mu": 10_000, "t": 1800}]),
    "batch_rate": (batches, [{"n": 120, "o": 0.005, "t": 0.00005}]),
    "contended_throughput": (usl, [{"one": 2000, "n": 16, "a": 0.04, "b": 0.0005}]),
    "layered_retries": (steps_of, [{"tries": 3, "k": 3}, {"tries": 5, "k": 2}]),
    "retry_load_factor": (attempts_of, [{"p": 0.5, "tries": 3}], 0.01),
    "token_bucket_most": (lambda b, r, t: b + sum(r * 0.5 for _ in range(2 * t)), [{"b": 100, "r": 10, "t": 20}]),
    "fanout_slow_share": (lambda p, n: 100 * sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(1, n + 1)), [{"p": 0.01, "n": 100}, {"p": 0.005, "n": 50}]),
    "leaf_slow_budget": (lambda goal, n: -100 * math.expm1(math.log1p(-goal) / n), [{"goal": 0.01, "n": 40}]),
    "hedge_slow_share": (two_copies, [{"q": 0.08, "p": 0.02, "p2": 0.06, "rate": 20_000}], 0.06),
    "slowest_of_n_mean": (lambda t, n: float(1000 * t * sum(Q(1, i) for i in range(1, n + 1))), [{"t": 0.01, "n": 8}, {"t": 0.015, "n": 50}], 1e-5),
    "retry_deadline": (lambda n, t, b: 1000 * sum(t + (b * 2**i if i < n - 1 else 0) for i in range(n)), [{"n": 4, "t": 0.2, "b": 0.1}]),
    "quorum_write_size": (quorum_of, [{"n": 5, "r": 2}, {"n": 7, "r": 3}]),
    "majority_losses": (lambda n: max(lost for lost in range(n) if 2 * (n - lost) > n), [{"n": n} for n in (3, 4, 6, 7, 9)]),
    "lying_replicas_group": (byzantine, [{"f": f} for f in (1, 2, 3, 4)]),
    "majority_downtime": (majority_down, [{"a": 0.9, "n": 3}, {"a": 0.95, "n": 5}]),
    "writes_lost_at_failover": (lambda rate, lag, f: rate * lag - rate * lag * f, [{"rate": 1500, "lag": 4, "f": 0.2}]),
    "regional_read_latency": (lambda f, near, far: 1000 * (far - f * (far - near)), [{"f": 0.8, "near": 0.004, "far": 0.09}]),
    "log_catch_up_bytes": (caught_up, [{"rate": 2e7, "t": 2, "apply": 6e7}]),
    "allowed_downtime": (lambda a, t: t * 1440 - a * t * 1440, [{"a": 0.999, "t": 28}]),
    "serial_availability": (lambda a, n, b: 8760 - 8760 * math.exp(n * math.log(a) + math.log(b)), [{"a": 0.999, "n": 6, "b": 0.997}]),
    "parallel_availability": (lambda a, n, sw: 8760 * (1 - sw + sw * math.prod([1 - a] * n)), [{"a": 0.95, "n": 2, "sw": 0.999}]),
    "repair_downtime": (lambda mtbf, mttr: 365 * 24 / (mtbf * 24 + mttr) * mttr, [{"mtbf": 20, "mttr": 2}]),
    "budget_burn_rate": (lambda e, slo: e * 1e6 / (1e6 - slo * 1e6), [{"e": 0.02, "slo": 0.995}]),
    "budget_lasts": (lambda e, slo, t, left: left * (1e6 - 1e6 * slo) * t * 24 / (e * 1e6), [{"e": 0.005, "slo": 0.999, "t": 28, "left": 0.4}]),
    "budget_of_an_incident": (lambda d, e, slo, t: 100 * d * e / (t * 1440 - slo * t * 1440), [{"d": 20, "e": 0.3, "slo": 0.999, "t": 28}]),
    "zone_capacity": (lambda need, z: least(lambda n: n * (z - 1) >= need), [{"need": 240, "z": 4}, {"need": 91, "z": 3}]),
    "disk_failures_a_week": (lambda n, afr, t: sum(n * afr / 365 for _ in range(t)), [{"n": 12_000, "afr": 0.02, "t": 7}]),
    "second_failure_chance": (lambda n, t, m: 100 * (1 - math.prod([math.exp(-t / m)] * n)), [{"n": 9, "t": 24, "m": 1e5}]),
    "shards_needed": (lambda size, rate, cap, each: least(lambda n: n * cap >= size and n * each >= rate), [{"size": 3e13, "rate": 2e5, "cap": 1e12, "each": 12e3}, {"size": 3e13, "rate": 7e5, "cap": 1.5e12, "each": 12e3}]),
    "hottest_shard_load": (lambda rate, n, f: rate - (n - 1) * rate * (1 - f) / n, [{"rate": 80_000, "n": 20, "f": 0.08}]),
    "salted_parts": (lambda rate, f, free: least(lambda n: n * free >= rate * f), [{"rate": 9e4, "f": 0.2, "free": 4e3}]),
    "modulo_moved_share": (lambda n: 100 * moved(n, n + 1), [{"n": n} for n in (4, 9, 15)]),
    "ring_moved_bytes": (ring_moved, [{"size": 3e13, "n": 12, "k": 4}, {"size": 8e13, "n": 20, "k": 3}]),
    "ring_load_spread": (owned, [{"n": 20, "v": 64}], 0.05),
    "rebalance_time": (lambda size, k, bw, f: size * 8 / k / (bw * f) / 3600, [{"size": 24e12, "k": 4, "bw": 1e10, "f": 0.2}]),
    "scatter_query_load": (lambda rate, q, n: rate + rate * q * (n - 1), [{"rate": 8000, "q": 0.05, "n": 16}]),
    "btree_levels": (tree_levels, [{"n": n, "f": f, "leaf": 100} for n in (50_000_000, 9_000_000_000) for f in (200, 400)]),
    "lsm_levels": (lsm, [{"size": 6e11, "first": 1e9, "r": 8}, {"size": 5e12, "first": 2.56e8, "r": 10}]),
    "levelled_write_bytes": (compaction, [{"rate": 8e6, "levels": 4, "r": 10}]),
    "page_write_amplification": (lambda page, row, k: sum([page] * k + [row]) / row, [{"page": 8192, "row": 128, "k": 2}]),
    "bloom_false_positives": (false_positives, [{"b": 8, "k": 3}], 0.05),
    "bloom_memory": (filter_bytes, [{"n": 2e8, "p": 0.01}, {"n": 1.5e9, "p": 0.001}], 1e-4),
    "absent_key_reads": (lambda rate, runs, p: sum(rate * p for _ in range(runs)), [{"rate": 3e4, "runs": 6, "p": 0.008}]),
    "disk_scan_time": (lambda size, n, t, bw: sum(t + size / n / bw for _ in range(n)), [{"size": 2e8, "n": 200, "t": 0.008, "bw": 1e8}]),
    "group_commit_rate": (lambda n, t, w: n * 1000 / (1000 * (t + w)), [{"n": 12, "t": 0.004, "w": 0.001}]),
    "index_bytes": (lambda n, k, p, fill: n * (k / fill + p / fill), [{"n": 3e8, "k": 8, "p": 8, "fill": 0.67}]),
    "bandwidth_delay_product": (lambda bw, rtt: bw / 8 / (1 / rtt), [{"bw": 1e9, "rtt": 0.02}]),
    "window_limited_rate": (lambda w, rtt, n: n * w * 8 * (1 / rtt), [{"w": 65536, "rtt": 0.04, "n": 4}]),
    "slow_start_rounds": (window_rounds, [{"size": s, "mss": 1460, "iw": 10} for s in (1, 14_600, 14_601, 43_800, 110_000, 460_000)]),
    "loss_limited_rate": (sawtooth, [{"mss": 1460, "rtt": 0.05, "p": 0.001}], 1e-6),
    "first_byte_time": (lambda rtt, tls, work: 1000 * (sum([rtt] * (2 + tls)) + work), [{"rtt": 0.04, "tls": 1, "work": 0.03}]),
    "fibre_round_trip": (lambda d, n: 2 * n * d / 200, [{"d": 1200, "n": 3}]),
    "file_transfer_time": (lambda size, bw, n, rtt, k: sum(k * rtt + size * 8 / n / bw for _ in range(n)), [{"size": 4e9, "bw": 5e8, "n": 5000, "rtt": 0.03, "k": 2}]),
    "compressed_transfer_time": (lambda size, bw, c, speed: size / min(speed, bw / 8 * c), [{"size": 6e10, "bw": 2e8, "c": 4, "speed": 1.5e8}, {"size": 6e10, "bw": 5e8, "c": 6, "speed": 1.5e8}]),
    "collision_chance": (lambda n, b: -100 * math.expm1(no_repeat(n, 1 << b)), [{"n": 100_000, "b": 32}], 1e-4),
    "ids_for_a_risk": (lambda p, b: least(lambda n: -math.expm1(no_repeat(100 * n, 1 << b)) >= p, 1) * 100, [{"p": 0.01, "b": 30}], 0.03),
    "short_code_length": (lambda n, a, slack: least(lambda length: a**length >= n * slack * (1 - 1e-12)), [{"n": 2e9, "a": 62, "slack": 1000}, {"n": 5e9, "a": 36, "slack": 100}]),
    "timestamp_id_years": (lambda b, tick: sum(2**i for i in range(b)) * tick / YEAR, [{"b": 41, "tick": 0.001}]),
    "id_generator_rate": (lambda s, w, tick: sum(len(range(1 << s)) for _ in range(w)) / tick, [{"s": 10, "w": 32, "tick": 0.01}]),
    "distinct_count_error": (hyperloglog, [{"b": 6}], 0.15),
    "frequency_sketch_bytes": (sketch, [{"eps": 0.0005, "delta": 0.001, "c": 4}]),
    "probes_until_free": (lambda used, space: sum(n * (used / space) ** (n - 1) * (1 - used / space) for n in range(1, 2000)), [{"used": 40e9, "space": 62e9}]),
    "log_partitions_needed": (lambda rate, p, m, c: least(lambda n: n * p >= rate and n * c >= m), [{"rate": 12e7, "p": 1e7, "m": 90_000, "c": 2500}, {"rate": 3e8, "p": 1e7, "m": 90_000, "c": 4000}]),
    "dedup_window_bytes": (lambda rate, t, b: sum(rate * b for _ in range(t)), [{"rate": 20_000, "t": 900, "b": 48}]),
    "hot_row_commit_rate": (lambda t, k: sum(1 / t for _ in range(k)), [{"t": 0.004, "k": 5}]),
    "commit_path_time": (lambda rtt, f: 1000 * sum([rtt / 2, f, rtt / 2, f, rtt / 2, f, rtt / 2]), [{"rtt": 0.002, "f": 0.001}]),
    "ledger_rows_bytes": (lambda rate, k, size, n: 365 * (DAY * rate) * (k * size) * n, [{"rate": 200, "k": 2, "size": 250, "n": 3}]),
    "changed_chunks_bytes": (lambda size, c, e, h: e * c + h * len(range(0, int(size), int(c))), [{"size": 8e8, "c": 1e6, "e": 3, "h": 32}, {"size": 8e8 + 1, "c": 4e6, "e": 12, "h": 32}]),
}  # fmt: skip


# Parts of stimuli, whose formulas stand in the items: what is drawn, and the key worked by hand.
BY_HAND: dict[str, tuple[dict[str, str], str]] = {
    "reads-that-missed": ({}, "20.8"), "backlog-at-45": ({}, "3.6M messages"), "empty-again-after": ({}, "60 min"),
    "imbalance-of-shards": ({"hot": "9400 op/s"}, "1.918"), "load-of-the-hot-key": ({"hot": "12000 op/s"}, "25%"),
    "measured-amplification": ({"ingest": "15e6 B/s", "disk": "450e6 B/s", "runs": "12", "tbw": "28e15 B"}, "30"),
    "years-of-the-ssd": ({"ingest": "10e6 B/s", "disk": "220e6 B/s", "runs": "8", "tbw": "14e15 B"}, "2.018 years"),
    "checkout-as-it-is": ({"cart": "50 ms", "n": "10", "pay": "150 ms"}, "350 ms"),
    "checkout-in-parallel": ({"cart": "40 ms", "n": "8", "pay": "120 ms"}, "175 ms"),
    "share-within-the-limit": ({"fast": "500e3 request", "mid": "250e3 request"}, "98.25%"),
    "burn-of-the-hour": ({"fast": "800e3 request", "mid": "150e3 request"}, "1.4"),
    "commit-by-majority": ({"a": "1 ms", "b": "25 ms", "c": "90 ms", "d": "170 ms"}, "27 ms"),
    "commit-with-dublin-down": ({"a": "2 ms", "b": "30 ms", "c": "95 ms", "d": "160 ms"}, "97 ms"),
    "reads-at-the-database": ({"rate": "250e3 read/s", "edge": "85%"}, "3,750 reads/s"),
    "mean-latency-of-layers": ({"rate": "100e3 read/s", "edge": "70%"}, "33.5 ms"),
    "inner-cache-lost": ({"rate": "100e3 read/s", "edge": "70%"}, "10"),
    "feed-opens-at-peak": ({"users": "40e6 user", "opens": "8"}, "11,110 reads/s"),
    "feed-copies-a-second": ({"users": "100e6 user", "opens": "12"}, "115,700 writes/s"),
    "feed-memory-of-timelines": ({"users": "100e6 user", "opens": "12"}, "4.8 TB"),
    "links-in-ten-years": ({"n": "400e6 link", "ratio": "50"}, "48B links"),
    "storage-of-links": ({"n": "100e6 link", "ratio": "50"}, "18 TB"),
    "redirects-a-second": ({"n": "100e6 link", "ratio": "100"}, "3,858 reads/s"),
    "cores-kept-busy": ({"ca": "1500 query/s", "tb": "300 ms"}, "10.2"),
    "server-after-an-index": ({"ca": "1000 query/s", "tb": "350 ms"}, "20.12%"),
    "traffic-behind-the-bill": ({"servers": "130000 USD", "p": "0.08 USD/GB"}, "1.125 PB"),
    "bill-after-a-cdn": ({"servers": "80000 USD", "p": "0.06 USD/GB"}, "48,000 USD"),
}  # fmt: skip


def test_parts_of_stimuli_come_to_what_a_hand_works_out() -> None:
    items = shipped.bank("systems-design").items
    parts = {name for name, item in items.items() if item.kind == "numeric" and "/stimuli-" in item.location.path}
    assert parts == set(BY_HAND)
    for name, (drawn, key) in BY_HAND.items():
        assert items[name].rebuild_variant(drawn, SeededRng(name, "1")).key_text() == key, name


def test_every_formula_has_an_oracle() -> None:
    assert sorted(ORACLES) == sorted(shipped.bank("systems-design").formulas)


@pytest.mark.parametrize("name", ORACLES)
def test_a_formula_agrees_with_its_oracle(name: str) -> None:
    oracle, rows, *within = ORACLES[name]
    formula = shipped.bank("systems-design").formulas[name]
    for given in rows:
        found = value_in_unit(formula.evaluate_raw(given).answer, formula.unit)
        assert math.isclose(found, oracle(**given), rel_tol=within[0] if within else 1e-9), given
