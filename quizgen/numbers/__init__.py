"""The reader of numbers: what a candidate typed as an answer becomes a Reading, or a Refusal that says how to write it.
`read.read_response` is its face; an `answer.AnswerFormat` says what is expected. Neither ever sees a key."""
