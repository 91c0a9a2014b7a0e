"""A timed session: its state as a value, and the log that keeps every response."""
