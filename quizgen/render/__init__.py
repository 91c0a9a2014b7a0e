"""Forms, keys, debriefs and reports as pages and as lines of text. Nothing here knows the kinds of items."""
