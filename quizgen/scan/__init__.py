"""Filled papers to responses: pages, codes, marks, ink, and what a person has to look at.

Needs the extra `quizgen[scan]`; only `commands/scan.py` imports this room, when it is asked to.
"""
