"""Interviewer's cases: one problem talked through in turns, by rules alone.

`case` holds the nouns, `read` makes them of YAML and checks them; `listening` hears what a sentence wants, by the words
of `remarks.txt` and `patterns.txt`; `conversation` is the talk as a value, and hears the numbers that a candidate
commits to; `talk` is the effect of a text on it, `judge` what it came to. All pure.
"""
