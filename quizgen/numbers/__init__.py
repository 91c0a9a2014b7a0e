"""The reader of numbers: what a candidate typed as an answer becomes a Reading, or a Refusal that says how to write it.
`read.read` is its face; an `answer.ExpectedKind` says what is expected. Neither ever sees a key."""
