"""Forms, keys and reports as a reader wants them. Nothing here knows a kind of item."""
