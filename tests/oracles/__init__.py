"""Independent ways to the same numbers: closed forms in plain Python, and simulators that count."""
