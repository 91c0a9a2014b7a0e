"""Turns filled papers into responses: pages, codes, marks, ink, and the readings that a person must check.

Needs the extra `quizgen[scan]`; only `commands/paper.py` imports this room, and only when it runs."""
