"""A rubric worked out once: its index, what stem and model answer tell of it, and names that compete."""
