"""Interviewer's cases: one problem talked through in turns, by rules alone.

`case` holds the nouns, `read` makes them of YAML, `check` walks them, `commitments` hears the numbers
that a candidate commits to, `talk` is the conversation as a value, `judge` what it came to. All pure.
"""
