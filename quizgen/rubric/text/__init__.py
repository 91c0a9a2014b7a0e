"""Characters, words and their forms: a text before any rubric has seen it."""
