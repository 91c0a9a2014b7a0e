"""The reader of numbers: what a candidate typed as an answer becomes a Reading, or a Refusal that says how to write it.

`read.read` is its face; `AnswerFormat` (answer) tells it what is expected. Neither ever sees a key.
"""
