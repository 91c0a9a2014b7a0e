"""A response read against a rubric: words, sentences, matches, turns of words, subjects, amounts."""
