"""Forms, keys, debriefs and reports as pages and as lines of text. Nothing here depends on a kind of item."""
