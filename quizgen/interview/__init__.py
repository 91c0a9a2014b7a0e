"""A timed session as a value: every event is a function from one `Interview` to the next.

Pure. Nothing here scores, prints or stores; `quizgen.terminal` and `quizgen.log` do. `session` holds
the nouns, `events` what may happen, `standing` what may be asked.
"""
