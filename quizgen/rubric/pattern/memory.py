"""What a rubric remembers of words: bounded for each rubric, and for all of a process together."""

from __future__ import annotations

from typing import Final, Generic, TypeVar
from weakref import finalize

Entry = TypeVar("Entry")

OWN: Final = 1_000  # words of each rubric: a million answers must not fill the memory
SHARED: Final = 10_000  # words that rubrics may remember above their thousand, all of them together
LONG_NUMBER: Final = 5  # longer numbers are hardly ever said twice

lent: Final = [0]  # how many of the shared ones are taken


class Memory(dict[str, Entry], Generic[Entry]):
    """Meanings by word. Where it is full, and the shared part too, it is emptied and begins anew."""

    def __init__(self) -> None:
        super().__init__()
        self._borrowed = [0]  # a list, so that it outlives this memory until it is given back
        finalize(self, _give_back, self._borrowed)

    def keep(self, word: str, meaning: Entry) -> None:
        """Remember a meaning, unless nobody is likely to ask for it again."""
        if len(word) > LONG_NUMBER and word.isdecimal():
            return
        if len(self) >= OWN:
            if lent[0] < SHARED:
                lent[0] += 1
                self._borrowed[0] += 1
            else:
                self.forget()
        self[word] = meaning

    def forget(self) -> None:
        """Empty the memory and give back what it held of the shared part."""
        _give_back(self._borrowed)
        self.clear()


def _give_back(borrowed: list[int]) -> None:
    lent[0] -= borrowed[0]
    borrowed[0] = 0
