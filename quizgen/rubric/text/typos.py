"""Misspelt words read as the rubric's words, guarded by a dictionary.

Without the guard nearly all repairs join two real words (last and list, none and node), so a word
that stands in the dictionary is never repaired. The list is SCOWL up to size 60; its notice is in
words-LICENSE.txt of the room above. It is read only when some unknown word comes near a word of a rubric.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Final

from quizgen.rubric.text.lexicon import words
from quizgen.rubric.text.stem import stem

MIN_LETTERS: Final = 4
MAX_LETTERS: Final = 24

# What may not be all the difference between two words: it turns the meaning round.
_PREFIXES: Final = frozenset(words("un in im ir il non dis de re pre post a mis sub up co"))
# Words of computing that general lists leave out: known, so never read as something else.
_FIELD: Final = frozenset(
    words(
        """mutex mutexes semaphore subnet datagram datagrams unicast multicast anycast broadcasted preempt
        preemption preemptive deadlock deadlocks livelock endian inode inodes malloc calloc realloc struct
        structs enum enums tuple tuples lambda async await boolean booleans bitwise bytecode codebase config
        configs dataset datasets dequeue enqueue hostname hypervisor iterable iterator iterators iteratively
        kernels localhost memcpy metadata middleware multithreaded namespace namespaces opcode parser
        plaintext polymorphic precompute recompute refactor regex runtime schema sharded sharding shards
        sigmoid softmax stateful stateless substring substrings subclass superclass subtree subtrees
        subarray tensor tensors timestamp timestamps tokenize tokenizer tokenized traversal truthy typename
        unary unordered unsigned virtualization warmup webhook whitespace parameterize hyperparameter
        backprop logits logit gradients quantize quantized quantization dequantize resample rollout rollouts
        overfit overfitting underfit underfitting prefetch prefetches batchnorm layernorm minibatch
        microbatch allreduce allgather resharding offload offloaded offloading pipelined failover unicode
        accessor accessors mutator mutators initializer initializers destructor destructors constructors
        getter getters setter setters invertible memoize memoization memoized hashing hashed rehash
        rehashing heapify mergesort quicksort preorder inorder postorder acyclic bipartite"""
    )
)


class WordList:
    """A sorted list of words, as text in parts by the first two letters: a tenth of what a set of them takes."""

    def __init__(self, lines: str, more: frozenset[str]) -> None:
        self._more = more
        self._parts = {part[1]: f"\n{part[0]}\n" for part in re.finditer(r"^(..).*(?:\n\1.*)*", lines, re.MULTILINE)}

    def __contains__(self, word: str) -> bool:
        return f"\n{word}\n" in self._parts.get(word[:2], "") or word in self._more

    def __iter__(self) -> Iterator[str]:
        for part in self._parts.values():
            yield from part.split()
        yield from self._more


_known: Final[list[WordList]] = []  # the list, once it is read


def known_words() -> WordList:
    """Words of English (about 79,000, four letters and more) and of the field."""
    if not _known:
        import gzip

        packed = Path(__file__).with_name("words.txt.gz").read_bytes()
        _known.append(WordList(gzip.decompress(packed).decode("ascii"), _FIELD))
    return _known[0]


@lru_cache(maxsize=2048)
def is_known(word: str) -> bool:
    return word in known_words()


class Speller:
    """Repairs towards one rubric's words."""

    def __init__(self, vocabulary: Iterable[str], prefixes: Iterable[str] = ()) -> None:
        self._words: dict[str, list[str]] = {}  # by their first letter
        for word in vocabulary:
            self._words.setdefault(word[0], []).append(word)
        self._prefixes = tuple(sorted(p for p in prefixes if len(p) >= 5 and p.isalpha()))

    def repair(self, word: str) -> str:
        """The rubric's word that `word` was meant to be, or an empty text."""
        if _known and is_known(word):
            return ""  # once the list is read, it is the quickest test
        size = len(word)
        if size < MIN_LETTERS or size > MAX_LETTERS or not word.isalpha():
            return ""
        limit = 1 if size < 8 else 2
        best = self._nearest(word, limit)
        if not best:
            best = self._nearest_prefix(word)
        if not best or is_known(word):
            return ""
        if _only_prefix(word, best):
            return ""
        return best

    def _nearest(self, word: str, limit: int) -> str:
        from rapidfuzz.distance import OSA

        size = len(word)
        found: list[tuple[int, str, str]] = []
        for base in self._words.get(word[0], ()):
            for form in _inflected(base):
                if abs(len(form) - size) <= limit:
                    distance = OSA.distance(word, form, score_cutoff=limit)
                    if distance <= limit:
                        found.append((distance, form, base))
        if not found and size >= 6:
            found = [(1, form, base) for form, base in self._begun_otherwise(word) if len(form) >= 7]
        if not found:
            return ""
        found.sort()
        first = found[0]
        rivals = {stem(base) for distance, _, base in found if distance == first[0]}
        return first[1] if len(rivals) == 1 else ""

    def _begun_otherwise(self, word: str) -> Iterator[tuple[str, str]]:
        """What a word may have been before one slip at its first letter, with its base: one too many, one too few,
        another, or changed places with the second."""
        rest, swapped = word[1:], word[1] + word[0] + word[2:]
        fronts = (word[:2], word[1:3], word[2:4], word[0] + word[2])  # an ending leaves the first three letters alone
        for base in chain.from_iterable(self._words.values()):
            if base[1:3] in fronts:
                for form in _inflected(base):
                    if form[1:] in (rest, word) or form in (rest, swapped):
                        yield form, base

    def _nearest_prefix(self, word: str) -> str:
        from rapidfuzz.distance import OSA

        for prefix in self._prefixes:
            size = len(prefix)
            if prefix[0] == word[0] and len(word) >= size - 1:
                for length in (size, size + 1, size - 1):
                    if OSA.distance(word[:length], prefix, score_cutoff=1) <= 1:
                        whole = prefix + word[length:]
                        return whole if is_known(whole) else prefix + "…"
        return ""


@lru_cache(maxsize=512)
def _inflected(word: str) -> tuple[str, ...]:
    """A word with the endings English gives it, spelt regularly."""
    forms = {word: None, word + "s": None}
    base = word[:-1] if word.endswith("e") else word
    for ending in ("ed", "ing", "er", "es"):
        forms[base + ending] = None
    if word.endswith("y"):
        forms[word[:-1] + "ies"] = None
    if word.endswith("s") and len(word) > 4:
        forms[word[:-1]] = None
    for ending, others in (("ing", ("e", "", "ed", "es", "s")), ("ed", ("e", "", "ing", "es", "s"))):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            for other in others:
                forms[word[: -len(ending)] + other] = None
    return tuple(forms)


def _only_prefix(word: str, meant: str) -> bool:
    longer, shorter = (word, meant) if len(word) > len(meant) else (meant, word)
    return longer.endswith(shorter) and longer[: len(longer) - len(shorter)] in _PREFIXES
